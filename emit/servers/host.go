package servers

import (
	"strings"

	"metarobots/emit/robotstag"
)

// A Target is a host: where its file goes, and how it is written and read. How the user makes the host read it is in
// docs/hosts.md.
type Target struct {
	// Name is what robots.headers.targets calls it, File the name of its file.
	Name, File string
	// InProject says that the file belongs into the project's root, not into what is published.
	InProject bool
	// Below says that a site may be served below a path of its host.
	Below bool
	// Committed says that the host reads the file of the repository, before anything is built: what a preview wrote
	// there would go into production with the next commit.
	Committed bool

	write func(c *compiler) error
	read  func(file []byte) (*User, error)
}

// targets are the hosts in the order in which [Targets] names them. Who serves a site with a server of one's own may
// serve it below a path. Committed files:
// https://vercel.com/docs/project-configuration,
// https://docs.aws.amazon.com/amplify/latest/userguide/custom-headers.html
var targets = []Target{
	{Name: "apache", File: ".htaccess", Below: true, write: writeApache, read: readApache},
	{Name: "nginx", File: "metarobots.nginx.conf", InProject: true, Below: true, write: writeNginx,
		read: readLines(serving{}, nginxLine)},
	{Name: "caddy", File: "metarobots.caddy", InProject: true, Below: true, write: writeCaddy,
		read: readLines(serving{clean: true}, caddyLine)},
	{Name: "vercel", File: "vercel.json", InProject: true, Committed: true, write: vercel.write, read: vercel.readUser},
	{Name: "firebase", File: "firebase.json", InProject: true, write: firebase.write, read: firebase.readUser},
	{Name: "amplify", File: "customHttp.yml", InProject: true, Committed: true, write: amplify.write,
		read: amplify.readUser},
	{Name: "azure", File: "staticwebapp.config.json", write: azure.write, read: azure.readUser},
}

// Targets returns the known targets.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.Name
	}
	return names
}

// Lookup returns the target of a name, as [Targets] lists it; ok is false for another.
func Lookup(name string) (t *Target, ok bool) {
	for i := range targets {
		if targets[i].Name == name {
			return &targets[i], true
		}
	}
	return nil, false
}

// base is what stands before every request path.
func (t *Target) base(o robotstag.Options) string {
	if !t.Below {
		return ""
	}
	return strings.TrimRight(o.Base, "/")
}
