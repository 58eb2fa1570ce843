package hosting_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/hosting"
	"metarobots/internal/project"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// U1b, U2b: the owner's files say how hosts find files and what else is served where, each host's
// in its own way; the rows name their authority (U1c, U1e, U1f, U1g, U1h, U2c, U2d, U2e, U2g).
func TestHouse_WhatTheOwnersFilesSay(t *testing.T) {
	for _, row := range tables.Read(t, "testdata/files.txt") {
		files := row.Files("files")
		published := strings.Fields("index.html p.html q/index.html both.html both/index.html s.pdf o.pdf x/404.html")
		for name, text := range files {
			files[name] = strings.ReplaceAll(text, `\n`, "\n")
			if at, ok := strings.CutPrefix(name, "out/"); ok {
				published = append(published, at)
			}
		}
		h := tables.Value(read(t, row["target"], files))(t)
		s := h.Sites(published)[""]
		for _, asked := range row.List("asked") {
			path, want, _ := strings.Cut(asked, " = ")
			var got []string
			for _, a := range s.At(path) {
				got = append(got, cell(a))
			}
			if strings.Join(got, " or ") != want {
				t.Errorf("%s: %s: %s, want %s", row["about"], path, strings.Join(got, " or "), want)
			}
			for file := range strings.SplitSeq(want, " or ") {
				listed := !slices.Contains(published, file)
				for _, a := range s.Of(file) {
					listed = listed || a.Path == path && a.File == file
				}
				if !listed && len(s.Opens(file)) == 0 {
					t.Errorf("%s: %s is not among the addresses of %s", row["about"], path, file)
				}
			}
		}
		var open, findings []string
		for _, file := range []string{"s.pdf", "index.html"} {
			for _, o := range s.Opens(file) {
				at := "fallback"
				if o.Route != nil {
					at = policy.Place(o.Route.Origin.File, o.Route.Origin.Line)
				}
				open = append(open, at)
			}
		}
		for _, f := range h.Findings {
			findings = append(findings, fmt.Sprintf("%s %s:%d", f.ID, f.File, f.Line))
		}
		if !slices.Equal(open, row.List("open")) {
			t.Errorf("%s: %q cannot be listed, want %q", row["about"], open, row.List("open"))
		}
		if !slices.Equal(findings, row.List("findings")) {
			t.Errorf("%s: findings %q, want %q", row["about"], findings, row.List("findings"))
		}
	}
}

// What cannot be read of the files that say how a site is served is an error: what it says would be
// lost (U1i).
func TestHouse_FilesThatCannotBeReadAreErrors(t *testing.T) {
	readers := map[string]string{"wrangler.toml": "cloudflare", "wrangler.json": "portable",
		"wrangler.jsonc": "cloudflare", "netlify.toml": "netlify", "vercel.json": "vercel", "firebase.json": "firebase", "out/_redirects": "portable",
		"out/staticwebapp.config.json": "azure", "nginx.conf": "nginx", "Caddyfile": "caddy"}
	ways := map[string]func(file string) error{
		"is a folder": func(file string) error { return os.Mkdir(file, 0o755) },
		"leads out":   func(file string) error { return os.Symlink("/etc/hostname", file) },
		"is too large": func(file string) error {
			return os.WriteFile(file, []byte(strings.Repeat("# x\n", project.MaxConfig/4+1)), 0o644)
		},
		"is not readable": func(file string) error { return os.WriteFile(file, []byte("x"), 0) },
		"is no such file": func(file string) error { return os.WriteFile(file, []byte("[[{"), 0o644) },
	}
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			isText := slices.Contains([]string{"_redirects", "nginx.conf", "Caddyfile"}, filepath.Base(name))
			if way == "is not readable" && os.Geteuid() == 0 || way == "is no such file" && isText {
				continue
			}
			dir := t.TempDir()
			tables.Must(t, os.Mkdir(filepath.Join(dir, "out"), 0o755))
			tables.Must(t, ways[way](filepath.Join(dir, name)))
			h, err := readFolder(t, dir, readers[name])
			invalid, reported := errors.As(err, new(*project.InvalidError)), h != nil && reports(h, name)
			// Of the file of its headers, those who read these speak: see
			// TestScripts/hosts_with_files_of_their_own.
			headers := []string{"vercel.json", "firebase.json"}
			elsewhere := name == "out/staticwebapp.config.json" && err == nil ||
				way == "is no such file" && slices.Contains(headers, name)
			if !invalid && !reported && !elsewhere {
				t.Errorf("%s %s: %v, no finding", name, way, err)
			}
			if err != nil && !strings.HasPrefix(err.Error(), name) {
				t.Errorf("%s %s: the error does not name it: %v", name, way, err)
			}
		}
	}
}

// reports reports whether an error finding says that a file is not read.
func reports(h *hosting.Hosting, name string) bool {
	return slices.ContainsFunc(h.Findings, func(f policy.Finding) bool {
		return f.ID == "not-read" && f.File == name && f.Severity == policy.Error
	})
}

// No file of any host makes a run fail otherwise, and no path is a question that cannot be
// answered.
func FuzzOwnersFiles(f *testing.F) {
	files := []struct{ target, name, text string }{
		{"cloudflare", "wrangler.json", `{"assets":{"html_handling":1,"base_path":"/a"},"env":{"a":3,"b":{"assets":{}}}}`},
		{"vercel", "vercel.json", `{"rewrites": [{"source": "/:a*/:b*(", "destination": "/:a$1"}],
			"routes": [{"src": "^/(.*)", "dest": "/$1"}]}`},
		{"firebase", "firebase.json", `{"hosting": [{"rewrites": [{"source": "[", "destination": "/:a"}],
			"redirects": [{"regex": "("}]}]}`},
		{"netlify", "netlify.toml", "[[redirects]]\nfrom=\"/%ff/*\"\nto=\"/\"\nstatus=200\n"},
		{"azure", "out/staticwebapp.config.json", `{"routes":[{"route":"*","rewrite":"/p"}],"navigationFallback":3}`},
		{"portable", "out/_redirects", "/%ff/:a /%fe:a 200\n/:a:b/* /:splat 200"},
		{"nginx", "nginx.conf", "index"},
		{"caddy", "Caddyfile", "{"},
		{"apache", "out/.htaccess", "RewriteRule"},
	}
	dirs, readers := make([]string, len(files)), make([]func() (*hosting.Hosting, error), len(files))
	for i, file := range files {
		f.Add(i, file.text, "a/b")
		dirs[i] = f.TempDir()
		readers[i] = reader(f, dirs[i], file.target)
	}
	f.Fuzz(func(t *testing.T, i int, text, path string) {
		if i < 0 || i >= len(files) || len(text) > 2000 || len(path) > 50 {
			return
		}
		tables.Write(t, dirs[i], map[string]string{files[i].name: text})
		h, err := readers[i]()
		if err != nil {
			if !errors.As(err, new(*project.InvalidError)) {
				t.Fatal(err)
			}
			return
		}
		s := h.Sites([]string{"index.html", "p.html", "q/index.html"})[""]
		s.At("/" + path)
		s.Of("p.html")
		s.Opens("index.html")
	})
}
