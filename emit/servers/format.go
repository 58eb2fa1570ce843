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
	// first is said of an owner's rule, ROUTE, that the host carries out instead of ours; empty where ours always count.
	first string
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
	Apache = &Format{write: writeApache, read: readApache, first: afterOurs, adds: true,
		unwritable: regexp.MustCompile(`^expr=|\$\{`)}
	Nginx = &Format{write: writeNginx, read: readLines(serving{}, nginxLine), unwritable: regexp.MustCompile(`\$`)}
	Caddy = &Format{write: writeCaddy, read: readLines(serving{clean: true}, caddyLine), adds: true,
		first: "Caddy carries out a header directive without a matcher after ours (take it out: the policy covers the " +
			"files)",
		unwritable: regexp.MustCompile("[{}$]|^-$|`.*\\\\|\\\\.*`")}
	Vercel = &Format{write: vercel.write, read: vercel.readUser, limit: vercel.limit,
		unwritable: regexp.MustCompile(`\$`)}
	Firebase = &Format{write: firebase.write, read: firebase.readUser, unwritable: nothing}
	Amplify  = &Format{write: amplify.write, read: amplify.readUser, limit: amplify.limit, unwritable: nothing}
	Azure    = &Format{write: azure.write, read: azure.readUser, limit: azure.limit, unwritable: nothing,
		first: "Azure goes no further than the route ROUTE (give it the header)"}

	nothing = regexp.MustCompile(`^$`)
)
