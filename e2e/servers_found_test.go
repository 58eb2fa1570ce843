//go:build e2e

package e2e

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/internal/tables"
)

// What is found in the owner's .htaccess is what Apache serves, section by section: Google's
// examples, and forms next to them (issue 14, 6).
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
func TestApache_ServesWhatIsFoundInSections(t *testing.T) {
	t.Parallel()
	apache := webServers[0]
	apache.need(t)
	files := []string{"a.pdf", "a.PDF", "a.pdf.txt", "d/b.pdf", "d.pdf/index.html", "index.html", "d/index.html",
		"unicorn.pdf", "img/a.jpeg", "img/a.jpg", "img/a.gif", "img/a.webp", "img/jpg",
		"größe.pdf", "é", "ab", "cat.txt", "scat.txt", "xscat.txt", "say \"x\".txt", "own.txt"}
	wants := []robotstag.Want{{Path: "own.txt", Values: []string{"noindex, follow", "googlebot: noarchive"}}}
	var sections []string
	for _, example := range []string{"pdf", "images", "unicorn"} {
		sections = append(sections, read(t, googleExamples+example+".htaccess"))
	}
	for _, row := range tables.Read(t, "testdata/sections.txt") {
		sections = append(sections, row["section"])
	}
	for _, section := range sections {
		dir := servedFolder(t)
		root := filepath.Join(dir, "public")
		for _, name := range files {
			write(t, filepath.Join(root, name), name)
		}
		own := tables.Value(hosts.ReadUser([]byte(section), robotstag.XRobotsTag(), robotstag.Task{Target: "apache"}))(t)
		made := tables.Value(compileHosts([]byte(section), wants, robotstag.Task{Target: "apache"}))(t)
		ask := apache.serve(t, dir, root, root, "", made.File)
		for _, name := range files {
			var want []string
			for _, line := range own.Sent(name, "")[0] {
				want = append(want, robotstag.Join(line))
			}
			if name == "own.txt" {
				if want = slices.Clone(wants[0].Values); strings.Contains(section, "always set X-Robots-Tag nofollow") {
					want = append(want, "nofollow")
				}
			}
			slices.Sort(want)
			for _, path := range []string{name, strings.TrimSuffix(name, "index.html")} {
				res, _ := ask("GET", "", "/"+escaped(path))
				got := res.Header.Values("X-Robots-Tag")
				slices.Sort(got)
				if res.StatusCode != 200 || !slices.Equal(got, want) {
					t.Errorf("%s/%s: %d with %q, found %q", section, path, res.StatusCode, got, want)
				}
			}
		}
	}
}

// What is found in the owner's file for Caddy is what Caddy serves, and a line of it goes before a
// rule of ours where that is an error (issue 26, 5).
func TestCaddy_ServesWhatIsFound(t *testing.T) {
	t.Parallel()
	caddy := webServers[2]
	caddy.need(t)
	for _, line := range []string{"header X-Robots-Tag noindex\n", "header * X-Robots-Tag \"noindex\"\n"} {
		dir, root := t.TempDir(), t.TempDir()
		write(t, filepath.Join(root, "a.pdf"), "a")
		write(t, filepath.Join(root, "b.pdf"), "b")
		own, err := hosts.ReadUser([]byte(line), robotstag.XRobotsTag(), robotstag.Task{Target: "caddy"})
		if err != nil || len(robotstag.Values(own.Sent("b.pdf", ""))) != 1 {
			t.Fatalf("%s: %v, found %v", line, err, own.Sent("b.pdf", ""))
		}
		made, err := compileHosts([]byte(line), []robotstag.Want{{Path: "a.pdf", Values: []string{"noindex, nofollow"}}},
			robotstag.Task{Target: "caddy"})
		if err != nil || len(made.Missed) != 1 {
			t.Errorf("%s: %v, %+v", line, err, made.Findings)
		}
		ask := caddy.serve(t, dir, root, root, "", made.File)
		for _, file := range []string{"a.pdf", "b.pdf"} {
			res, _ := ask("GET", "", "/"+file)
			if got := res.Header.Values("X-Robots-Tag"); !slices.Equal(got, []string{"noindex"}) {
				t.Errorf("%s%s: served with %q, want noindex", line, file, got)
			}
		}
	}
}

// googleExamples are the examples of Google's page on the header, as files of ours that name it.
const googleExamples = "../emit/servers/testdata/google/"

// Our file for nginx serves what Google's examples for nginx serve, for a policy that says the
// same: on the real nginx, file by file (issue 26).
func TestGoogle_NginxExamples(t *testing.T) {
	t.Parallel()
	nginx := webServers[1]
	nginx.need(t)
	files := []string{"index.html", "a.pdf", "d/b.pdf", "a.pdf.txt", "secrets/unicorn.pdf", "img/a.jpeg", "img/b.jpg",
		"img/c.gif", "img/d.png", "img/e.webp", "jpg"}
	for example, says := range map[string]struct {
		value string
		is    func(file string) bool
	}{
		"pdf":     {"noindex, nofollow", func(file string) bool { return path.Ext(file) == ".pdf" }},
		"images":  {"noindex, follow", func(file string) bool { return slices.Contains(files[5:9], file) }},
		"unicorn": {"noindex, nofollow", func(file string) bool { return file == "secrets/unicorn.pdf" }},
	} {
		var wants []robotstag.Want
		for _, file := range files {
			w := robotstag.Want{Path: file}
			if says.is(file) {
				w.Values = []string{says.value}
			}
			wants = append(wants, w)
		}
		made := tables.Value(compileHosts(nil, wants, robotstag.Task{Target: "nginx"}))(t)
		none := tables.Value(compileHosts(made.File, nil, robotstag.Task{Target: "nginx"}))(t)
		served := func(made []byte, lines string) (got map[string]string) {
			dir, root := t.TempDir(), t.TempDir()
			for _, name := range files {
				write(t, filepath.Join(root, name), name)
			}
			ask := nginx.serve(t, dir, root, root, lines, made)
			got = make(map[string]string)
			for _, file := range files {
				res, _ := ask("GET", "", "/"+escaped(file))
				got[file] = strings.Join(res.Header.Values("X-Robots-Tag"), "; ")
			}
			return got
		}
		googles, ours := served(none.File, read(t, googleExamples+example+".nginx.conf")), served(made.File, "")
		for _, file := range files {
			if !robotstag.Same(googles[file], ours[file]) || (googles[file] != "") != says.is(file) {
				t.Errorf("%s, %s: Google's example serves %q, ours %q", example, file, googles[file], ours[file])
			}
		}
	}
}
