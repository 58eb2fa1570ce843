package servers

import (
	"fmt"
	"strings"
)

// target is a host: where its file goes, and how it is written and read.
type target struct {
	name, file string
	// beside says that the file belongs into the project's root, not into what is published.
	beside bool
	how    string
	write  func(c *compiler) error
	read   func(file []byte) (*model, error)
	// limit is how many rules the host takes; 0 where it counts none.
	limit int
	// below says that a site may be served below a path of its host.
	below bool
}

// targets are the hosts in the order in which [Targets] names them.
var targets = []target{
	{"apache", ".htaccess", false,
		"Publish .htaccess with the site: Apache 2.4 reads it where mod_headers is on and AllowOverride has FileInfo.",
		writeApache, readApache, 0, true},
	{"nginx", "metarobots.nginx.conf", true,
		"Include metarobots.nginx.conf in nginx's http block and write \"add_header X-Robots-Tag $metarobots_1;\"," +
			" and the same with _2, _3 and _4, into the server block, and once more into every location that has an" +
			" add_header of its own.",
		writeNginx, readNginx, 0, true},
	{"caddy", "metarobots.caddy", true,
		"Write \"import metarobots.caddy\" into the site's block of the Caddyfile, below header lines of its own.",
		writeCaddy, readCaddy, 0, true},
	{"vercel", "vercel.json", true,
		"Keep vercel.json in the project's root directory, which Vercel reads it from.",
		writeVercel, readVercel, vercelRules, false},
	{"firebase", "firebase.json", true,
		"Keep firebase.json in the project's root, where firebase deploy runs.",
		writeFirebase, readFirebase, 0, false},
	{"amplify", "customHttp.yml", true,
		"Keep customHttp.yml in the root of the repository that Amplify builds.",
		writeAmplify, readAmplify, 0, false},
	{"azure", "staticwebapp.config.json", false,
		"Publish staticwebapp.config.json with the site: Azure Static Web Apps read it from the root of the output folder.",
		writeAzure, readAzure, 0, false},
}

// Targets returns the known targets.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// Place says how the file of a target is named, and whether it belongs beside
// the publish folder, into the project's root. ok is false for an unknown target.
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
