package servers

import (
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
)

// A Format is how the file of a host is written and read.
type Format struct {
	// host is the name of the host that reads the file, as its handlings have it.
	host string
	// ReadUser reads what the user's own rules in a file say of a header. It fails if the file is
	// not what the host takes.
	ReadUser func(file []byte, header string) (*User, error)
	// read reads a finished file, ours and the owner's, as the host does; nil for a file that is
	// never written.
	read func(file []byte, header robotstag.Header) (*hostFile, error)
	// match is [Format.Match]; nil for a format whose owners' patterns are not read.
	match func(key, pattern string) (matches func(path string) bool, read bool)
	// write returns the file of a draft, and how many rules of ours it has.
	write func(d *draft) (file []byte, rules int, err error)
	// placeRules finds where our rules for X-Robots-Tag are among the owner's that are not read,
	// and notes it in p; nil if it makes no difference.
	placeRules func(c *compiler, p placements)
	// givesUp says that a file gets no rule if that would take away what an owner's line restricts.
	givesUp bool
	// unfit says why a rule cannot name a request path or have a value; empty if it can.
	unfit func(c *compiler, url string, v value) string
	// names are the texts as which the host may see a request path; nil if no two paths have one.
	names func(url string) []string
	// inFolder is [Format.In]; nil for a file of one site.
	inFolder func(folder string) *Format
	// hasPreviews says that preview hosts have a noindex of their own, until a rule sets
	// X-Robots-Tag.
	hasPreviews bool
	// unwritable are values of other headers that the file cannot hold; nil: none.
	unwritable *lazyregexp.Regexp
	// obstacle is the finding about an owner's rule, ROUTE, that the host carries out instead of
	// ours; empty if ours always count.
	obstacle string
}

// The formats. Which host reads which, and from where, is in the table of package hosts.
var (
	Apache = &Format{host: "apache", ReadUser: readApache, read: hostApache, write: writeApache, unfit: apacheUnfit,
		placeRules: placeInHtaccess, givesUp: true,
		obstacle: afterOurs, unwritable: lazyregexp.New(`^expr=|\$\{`)}
	Nginx = &Format{host: "nginx", ReadUser: readIncluded(address.Nginx), read: hostNginx,
		write: writeNginx,
		unfit: nginxUnfit, unwritable: lazyregexp.New(`\$`)}
	Caddy = &Format{host: "caddy", ReadUser: readIncluded(address.Caddy, address.CaddyTries),
		read: hostCaddy, write: writeCaddy, unfit: fitsAll,
		obstacle:   "Caddy carries out a header directive without a matcher after ours " + takeOver,
		unwritable: lazyregexp.New("[{}$]|^-$|`.*\\\\|\\\\.*`")}
	Vercel, Firebase, Amplify, Azure = vercel.asFormat(), firebase.asFormat(), amplify.asFormat(), azure.asFormat()
	// VercelTOML is vercel.json in TOML, which is read and never written.
	VercelTOML = &Format{host: "vercel", ReadUser: vercel.inTOML().readUser}
)

// asFormat is the list as a format.
func (h *ruleList) asFormat() *Format {
	f := &Format{host: h.host, ReadUser: h.readUser, read: h.read, match: h.match, write: h.write,
		unfit: h.unfit, names: h.names, unwritable: h.unwritable, obstacle: h.obstacle,
		hasPreviews: h.hasPreviews}
	if !h.firstCounts {
		f.placeRules = h.placeInList
	}
	if h.file.findSite != nil {
		f.inFolder = func(folder string) *Format {
			list := *h
			list.file.folder = folder
			return list.asFormat()
		}
	}
	return f
}

// In returns the format for the site that publishes a folder. A file may be for several sites. The
// folder is a path from that of the file.
func (f *Format) In(folder string) *Format {
	if f.inFolder == nil {
		return f
	}
	return f.inFolder(folder)
}

// fitsAll is the unfit of a format that takes every path and value.
func fitsAll(*compiler, string, value) string { return "" }
