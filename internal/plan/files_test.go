//go:build unix

package plan_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"metarobots/emit/sitemap"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

const secret = "root:x:0:0: noindex X-Robots-Tag"

// hostile puts something that is no regular file of the site in the place of one.
var hostile = map[string]func(t *testing.T, file string){
	"pipe": func(t *testing.T, file string) {
		tables.Must(t, syscall.Mkfifo(file, 0o644))
	},
	"device": func(t *testing.T, file string) { link(t, "/dev/zero", file) },
	"out": func(t *testing.T, file string) {
		target := filepath.Join(t.TempDir(), "secret")
		tables.Must(t, os.WriteFile(target, []byte(secret), 0o600))
		link(t, target, file)
	},
	"huge": func(t *testing.T, file string) {
		tables.Must(t, os.WriteFile(file, nil, 0o644))
		if err := os.Truncate(file, 1<<40); err != nil {
			t.Skip("no sparse files here:", err)
		}
	},
}

// What is no regular file of the site is a finding that tells nothing of what it holds, and nobody
// waits for it. M6e.
func TestHouse_FilesThatAreNotReadAreFindings(t *testing.T) {
	for _, name := range []string{"out/robots.txt", "out/_headers", "out/_redirects", "out/sitemap.xml",
		"out/sitemap.xml.gz", "out/a.html", "metarobots.nginx.conf"} {
		for kind, put := range hostile {
			t.Run(name+" "+kind, func(t *testing.T) {
				target := "portable"
				if strings.Contains(name, "nginx") {
					target = "nginx"
				} else if strings.Contains(name, "_redirects") {
					target = "cloudflare"
				}
				text := strings.Replace(htmlSite, "none", target, 1)
				dir := tables.Folder(t, map[string]string{"metarobots.toml": text, "out/index.html": "<!doctype html>home",
					"out/b.txt": "Sitemap: /c.xml"})
				file := filepath.Join(dir, name)
				put(t, file)
				p := planned(t, dir)
				told := false
				for _, f := range p.Findings {
					told = told || strings.HasSuffix(name, f.File) && f.File != "" || strings.HasSuffix(f.File, name)
					if strings.Contains(f.Text(), "root:") {
						t.Errorf("it tells of the target: %s", f.Text())
					}
				}
				if !told {
					t.Errorf("no finding about %s: %v", name, p.Findings)
				}
				apply(t, p)
				if info, err := os.Lstat(file); err != nil || info.Mode().IsRegular() != (kind == "huge") {
					t.Errorf("it was replaced: %v", err)
				}
			})
		}
	}
}

// What is configuration is an error in their place, which tells nothing of what they hold either
// (M6e).
func TestHouse_ConfigurationThatIsNotReadIsAnError(t *testing.T) {
	for _, name := range []string{"metarobots.toml", "config.toml", "out/netlify.toml"} {
		for kind, put := range hostile {
			t.Run(name+" "+kind, func(t *testing.T) {
				dir := tables.Folder(t, map[string]string{"out/index.html": "<!doctype html>home"})
				if strings.HasPrefix(name, "out/") {
					dir = filepath.Join(dir, "out")
				}
				put(t, filepath.Join(dir, filepath.Base(name)))
				p, err := project.Open(context.Background(), project.Options{WorkDir: dir, Dir: ".",
					Getenv: func(string) string { return "" }, Now: "2026-01-01"}, pages.HTML())
				if err == nil {
					defer p.Close()
					_, err = plan.New(context.Background(), p)
				}
				if err == nil || !strings.Contains(err.Error(), "the file is not read") ||
					strings.Contains(err.Error(), "root:") {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

// RFC 9309, section 2.5: the first 500 KiB count; nobody loses the rest (M6f).
func TestGoogle_TheBeginningOfALongRobotsTxtCounts(t *testing.T) {
	text := "User-agent: *\nDisallow: /b\n" + strings.Repeat("# fill\n", 100_000) + "Disallow: /\n"
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite + "[robots.txt]\nblock = [\"ai-training\"]\n",
		"out/index.html": "<!doctype html>home", "out/b.html": "<!doctype html>b", "out/robots.txt": text})
	p := planned(t, dir)
	if !slices.ContainsFunc(p.Findings, func(f policy.Finding) bool { return f.ID == "robotstxt-too-big" }) {
		t.Errorf("findings %v", p.Findings)
	}
	home := published.Fetch(p, p.Page("index.html"), "", "googlebot")
	other := published.Fetch(p, p.Page("b.html"), "", "googlebot")
	if len(p.HostFiles.Robots) != 1 || p.HostFiles.Robots[0].Change.Differs() || !home.Allowed || other.Allowed {
		t.Errorf("read as %v", p.HostFiles.Robots)
	}
	apply(t, p)
	if got, err := os.ReadFile(filepath.Join(dir, "out/robots.txt")); err != nil || string(got) != text {
		t.Errorf("it was changed, to %d bytes of %d (%v)", len(got), len(text), err)
	}
}

// A sitemap is unpacked up to the protocol's limit: what a small file becomes beyond that is no
// memory of ours.
// https://www.sitemaps.org/protocol.html#index
// M6f.
func TestHouse_PackedSitemapsAreReadWithinLimits(t *testing.T) {
	var bomb bytes.Buffer
	w, _ := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	blanks := bytes.Repeat([]byte(" "), 1<<20)
	for range project.MaxSitemap>>20 + 1 {
		w.Write(blanks)
	}
	w.Close()
	entries := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		strings.Repeat("<url><loc>https://example.org/</loc></url>", sitemap.MaxEntries+1) + "</urlset>"
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home",
		"out/sitemap.xml.gz": bomb.String(), "out/sitemap-2.xml": entries})
	p := planned(t, dir)
	for _, name := range []string{"out/sitemap.xml.gz", "out/sitemap-2.xml"} {
		if !slices.ContainsFunc(p.Findings, func(f policy.Finding) bool { return f.ID == "sitemap" && f.File == name }) {
			t.Errorf("%s: findings %v", name, p.Findings)
		}
	}
	for _, s := range p.Sitemaps {
		if s.Change.Differs() {
			t.Errorf("%s changes", s.Change.File)
		}
	}
}

// What a run writes for itself does not go where a link in the site leads (M6g).
func TestHouse_StateIsNotWrittenThroughLinks(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home"})
	away := t.TempDir()
	link(t, away, filepath.Join(dir, ".metarobots"))
	p := planned(t, dir)
	if !slices.ContainsFunc(p.Findings, func(f policy.Finding) bool { return f.ID == "state" }) {
		t.Errorf("findings %v", p.Findings)
	}
	apply(t, p)
	if left, _ := os.ReadDir(away); len(left) > 0 {
		t.Errorf("written outside of the site: %v", left)
	}
}
