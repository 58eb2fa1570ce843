package servers

import (
	"fmt"
	"regexp"
)

// A Format is how the file of a host is written and read.
type Format struct {
	write func(d *draft) error
	read  func(file []byte, header string) (*User, error)
	limit limit
	// unwritable are values of other headers that the file cannot hold.
	unwritable *regexp.Regexp
	// adds says that a rule of ours for a header that is a list stands beside the owner's and takes no one's place.
	adds bool
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
	Apache = &Format{write: writeApache, read: readApache, adds: true,
		unwritable: regexp.MustCompile(`^expr=|\$\{`)}
	Nginx = &Format{write: writeNginx, read: readLines(serving{}, nginxLine), unwritable: regexp.MustCompile(`\$`)}
	Caddy = &Format{write: writeCaddy, read: readLines(serving{clean: true}, caddyLine), adds: true,
		unwritable: regexp.MustCompile("[{}$]|^-$|`.*\\\\|\\\\.*`")}
	Vercel   = &Format{vercel.write, vercel.readUser, vercel.limit, regexp.MustCompile(`\$`), false}
	Firebase = &Format{firebase.write, firebase.readUser, firebase.limit, nothing, false}
	Amplify  = &Format{amplify.write, amplify.readUser, amplify.limit, nothing, false}
	Azure    = &Format{azure.write, azure.readUser, azure.limit, nothing, false}

	nothing = regexp.MustCompile(`^$`)
)
