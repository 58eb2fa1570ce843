package servers

import "fmt"

// A Format is how the file of a host is written and read.
type Format struct {
	write func(c *compiler) error
	read  func(file []byte) (*User, error)
	limit limit
}

// Limit is how much the host takes, such as "1024 header rules"; empty if it counts nothing.
func (f *Format) Limit() string {
	if f.limit.most == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", f.limit.most, f.limit.unit)
}

// The formats. Which host reads which, and from where, is in the table of package hosts.
var (
	Apache   = &Format{write: writeApache, read: readApache}
	Nginx    = &Format{write: writeNginx, read: readLines(serving{}, nginxLine)}
	Caddy    = &Format{write: writeCaddy, read: readLines(serving{clean: true}, caddyLine)}
	Vercel   = &Format{vercel.write, vercel.readUser, vercel.limit}
	Firebase = &Format{firebase.write, firebase.readUser, firebase.limit}
	Amplify  = &Format{amplify.write, amplify.readUser, amplify.limit}
	Azure    = &Format{azure.write, azure.readUser, azure.limit}
)
