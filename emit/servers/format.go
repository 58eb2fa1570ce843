package servers

// A Format is how the file of a host is written and read.
type Format struct {
	write func(c *compiler) error
	read  func(file []byte) (*User, error)
}

// The formats. Which host reads which, and from where, is in the table of package hosts.
var (
	Apache   = &Format{writeApache, readApache}
	Nginx    = &Format{writeNginx, readLines(serving{}, nginxLine)}
	Caddy    = &Format{writeCaddy, readLines(serving{clean: true}, caddyLine)}
	Vercel   = &Format{vercel.write, vercel.readUser}
	Firebase = &Format{firebase.write, firebase.readUser}
	Amplify  = &Format{amplify.write, amplify.readUser}
	Azure    = &Format{azure.write, azure.readUser}
)
