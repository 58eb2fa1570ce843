package servers

import (
	"fmt"
	"strings"
)

// target is a host: where its file goes, and how it is written and read. How the user makes the host read it is in
// the README.
type target struct {
	name, file string
	// beside says that the file belongs into the project's root, not into what is published.
	beside bool
	// below says that a site may be served below a path of its host.
	below bool
	write func(c *compiler) error
	read  func(file []byte) (*File, error)
}

// targets are the hosts in the order in which [Targets] names them.
var targets = []target{
	{"apache", ".htaccess", false, true, writeApache, readApache},
	{"nginx", "metarobots.nginx.conf", true, true, writeNginx, readNginx},
	{"caddy", "metarobots.caddy", true, true, writeCaddy, readCaddy},
	{"vercel", "vercel.json", true, false, vercel.write, vercel.read},
	{"firebase", "firebase.json", true, false, firebase.write, firebase.read},
	{"amplify", "customHttp.yml", true, false, amplify.write, amplify.read},
	{"azure", "staticwebapp.config.json", false, false, azure.write, azure.read},
}

// Targets returns the known targets.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// Place says how the file of a target is named, and whether it belongs beside the publish folder, into the project's
// root. ok is false for an unknown target.
func Place(target string) (file string, beside, ok bool) {
	t, err := hostOf(target)
	if err != nil {
		return "", false, false
	}
	return t.file, t.beside, true
}

// hostOf is the host of a target's name.
func hostOf(name string) (*target, error) {
	for i := range targets {
		if targets[i].name == name {
			return &targets[i], nil
		}
	}
	return nil, fmt.Errorf("unknown headers target %q (known: %s)", name, strings.Join(Targets(), ", "))
}
