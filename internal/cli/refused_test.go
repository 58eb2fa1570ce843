//go:build unix

package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"metarobots/internal/hosts"
	"metarobots/internal/mention"
	"metarobots/internal/project"
	"metarobots/internal/tables"
)

// A readFile is a file that metarobots reads, and the target for which it does.
type readFile struct {
	name, target string
	// mayBeFolder says that a folder of that name is one like any other: the file is not there.
	mayBeFolder bool
	most        int64 // is read of it at most
}

// readFiles are the files that metarobots reads: those of each host, those that are looked at for
// X-Robots-Tag, and those that the site is made of.
func readFiles() (all []readFile) {
	for target, names := range map[string][]string{
		"netlify":    {"out/_headers", "out/_redirects", "netlify.toml"},
		"portable":   {"out/_headers", "out/_redirects", "netlify.toml", "wrangler.toml"},
		"cloudflare": {"out/_headers", "out/_redirects", "wrangler.toml", "wrangler.json", "wrangler.jsonc"},
		"apache":     {"out/.htaccess"},
		"nginx":      {"metarobots.nginx.conf", "nginx.conf"},
		"caddy":      {"metarobots.caddy", "Caddyfile"},
		"vercel":     {"vercel.json", "vercel.toml", "now.json"},
		"firebase":   {"firebase.json"},
		"amplify":    {"customHttp.yml"},
		"azure":      {"out/staticwebapp.config.json"},
		"none":       {"metarobots.toml", "metarobots.json", "out/robots.txt"},
	} {
		for _, name := range names {
			all = append(all, readFile{name: name, target: target, most: project.MaxConfig})
		}
	}
	for _, name := range []string{".htaccess", "vercel.json", "firebase.json", "staticwebapp.config.json", "routes.json",
		"vercel.ts", "vercel.mts", "vercel.cts", "vercel.js", "vercel.mjs", "vercel.cjs", "amplify.yml", "amplify.yaml",
		"customHttp.yaml", "out/_worker.js", "_worker.js/a.js", "functions/a.js", "netlify/functions/a.js",
		"netlify/edge-functions/a.js", "middleware.js", "middleware.ts", "middleware.mjs", "proxy.js", "proxy.ts",
		"render.yaml", "render.yml", "static.json", "fly.toml", "app.yaml", "app.yml", "serve.json", "web.config",
		"template.json", "sws.toml", "htaccess", "_htaccess", "Makefile", "justfile", "a.sh", "nginx/a", "traefik/a.toml",
		"Web.config", "Dockerfile", "a.php", "a.vcl", "a.tf", "k8s/a.yaml", "nuxt.config.ts",
		"a.conf", "a.conf.template", "Caddyfile", "Caddyfile.a", "a.caddy", "_headers", "docs/_headers",
		"out/docs/_headers"} {
		all = append(all, readFile{name: name, target: "netlify", mayBeFolder: true, most: project.MaxHeaders})
	}
	return append(all, readFile{"out/docs/.htaccess", "apache", true, project.MaxConfig},
		readFile{"out/index.html", "none", true, project.MaxPage}, readFile{"out/llms.txt", "none", true, project.MaxPage},
		readFile{"out/sitemap.xml", "none", true, project.MaxSitemap})
}

// faults put something that is not read in the place of a file.
var faults = map[string]func(path string, most int64) error{
	"a folder":               func(path string, _ int64) error { return os.Mkdir(path, 0o755) },
	"a pipe":                 func(path string, _ int64) error { return syscall.Mkfifo(path, 0o644) },
	"a link out of the site": func(path string, _ int64) error { return os.Symlink("/etc/hosts", path) },
	"a link to nothing":      func(path string, _ int64) error { return os.Symlink("nothing", path) },
	"a file without rights":  func(path string, _ int64) error { return os.WriteFile(path, []byte("a"), 0) },
	"a file over its limit": func(path string, most int64) error {
		return cmp.Or(os.WriteFile(path, nil, 0o644), os.Truncate(path, most+1))
	},
}

// No reader drops an error: whatever is in the place of a file that metarobots reads, the run ends
// with an error or a finding that names the file (issue 39).
func TestHouse_NoReaderDropsAnError(t *testing.T) {
	t.Parallel()
	for _, f := range readFiles() {
		for fault, put := range faults {
			rootReadsIt := fault == "a file without rights" && os.Getuid() == 0
			if rootReadsIt || fault == "a folder" && f.mayBeFolder {
				continue
			}
			t.Run(strings.Join([]string{f.target, f.name, fault}, ", "), func(t *testing.T) {
				page := "<!doctype html><html><head><title>x</title></head></html>"
				dir := tables.Folder(t, map[string]string{"out/index.html": page, "out/b.html": page, "out/a.pdf": "%PDF",
					"metarobots.toml": fmt.Sprintf("site.generator = \"html\"\nsite.destination = \"out\"\n"+
						"robots.headers.targets = [%q]\nrobots.txt.write = \"merge\"\n"+
						"[[robots.rules]]\nmatch = \"/a.pdf\"\nrobots = \"noindex\"\n", f.target)})
				path := filepath.Join(dir, filepath.FromSlash(f.name))
				tables.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				os.Remove(path)
				tables.Must(t, put(path, f.most))
				_, stderr, code := runCommand(t, "apply", "-n", "-s", dir)
				for line := range strings.Lines(stderr) {
					isFinding := strings.HasPrefix(line, "error: ") || strings.HasPrefix(line, "warning: ")
					if isFinding && strings.Contains(line, filepath.Base(path)) {
						return
					}
				}
				t.Errorf("exit code %d, and nothing names it:\n%s", code, stderr)
			})
		}
	}
}

// A file that the table of hosts or that of mentions names is in the test above.
func TestHouse_EachFileThatIsReadIsRefusedInATest(t *testing.T) {
	known := map[string]bool{}
	for _, f := range readFiles() {
		known[filepath.Base(f.name)] = true
	}
	want := func(name string) {
		if !strings.ContainsAny(name, "*[/") && !known[name] {
			t.Errorf("%s is read, and not in readFiles", name)
		}
	}
	for _, h := range hosts.Table {
		if h.File != "" {
			want(h.File)
		}
		for _, c := range h.Configs {
			want(c.Name)
		}
	}
	for _, r := range mention.Readers {
		for _, name := range r.Names {
			want(name)
		}
	}
}
