package hugo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/internal/site/hugo/family"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// collected is a build that keeps what it is given.
type collected struct {
	mu    sync.Mutex
	m     site.Map
	pages map[string]string
}

func buildAll(t *testing.T, dir string, o site.Options) *collected {
	t.Helper()
	c := &collected{pages: map[string]string{}}
	s := open(t, dir, o)
	err := s.(site.Builder).Build(context.Background(), frontmatter.Config{}, site.Hooks{
		Listed: func(m site.Map) error { c.m = m; return nil },
		Write: func(name string, data []byte) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			if _, ok := c.pages[name]; ok {
				t.Errorf("%s is written twice", name)
			}
			c.pages[name] = string(data)
			return put(filepath.Join(s.Settings().Publish, filepath.FromSlash(name)), data)
		},
	})
	tables.Must(t, err)
	return c
}

// build builds a site; write gets what is handed over.
func build(t *testing.T, s site.Site, write func(name string, data []byte) error) error {
	return s.(site.Builder).Build(t.Context(), frontmatter.Config{},
		site.Hooks{Listed: func(site.Map) error { return nil }, Write: write})
}

func put(file string, data []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644))
}

// listed lists the site in a folder.
func listed(t *testing.T, dir string) site.Map {
	t.Helper()
	m := tables.Value(open(t, dir, site.Options{}).List(t.Context(), frontmatter.Config{}, nil))(t)
	return m
}

// describe prints what the map knows of a file.
func describe(f site.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s kind=%s section=%s lang=%s format=%s", f.Role, f.Facts.Kind, f.Facts.Section,
		f.Facts.Language, f.Facts.Format)
	if f.Pager > 0 {
		fmt.Fprintf(&b, " pager=%d", f.Pager)
	}
	if f.Of != nil {
		fmt.Fprintf(&b, " of=%s", f.Of.Path.URL)
	}
	for _, o := range f.Owners {
		fmt.Fprintf(&b, " owner=%s", o.Path.URL)
	}
	if f.Unknown {
		b.WriteString(" unknown")
	}
	for _, s := range f.Page {
		fmt.Fprintf(&b, " [%s %s:%d]", s.States(), s.Origin.File, s.Origin.Line)
	}
	return b.String()
}

func TestHugo_EveryPublishedFileIsTold(t *testing.T) {
	a := tables.Value(txtar.ParseFile("testdata/features.txtar"))(t) // most of what moves a page
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	dir := tables.Folder(t, files)
	c := buildAll(t, dir, site.Options{})
	published := publishedFiles(t, filepath.Join(dir, "public"))
	for _, name := range published { // an alias shows what it is
		if c.m.File(name).Unknown && !strings.Contains(c.pages[name], "http-equiv=\"refresh\"") {
			t.Errorf("%s is not told", name)
		}
	}
	for _, row := range tables.Read(t, "testdata/features.txt") {
		if got := describe(c.m.File(row["file"])); got != row["facts"] || !slices.Contains(published, row["file"]) {
			t.Errorf("%s\n got %s\nwant %s", row["file"], got, row["facts"])
		}
	}
	for _, name := range c.m.Expected() {
		if !slices.Contains(published, name) {
			t.Errorf("%s was expected and is not published", name)
		}
	}
	if f := c.m.File("nobody/knows.html"); !f.Unknown {
		t.Errorf("nobody/knows.html: %s", describe(f))
	}
}

// templates.Defer makes Hugo read its page back and write it again: it is handed over once,
// finished.
func TestHugo_DeferredPagesAreHandedOverOnce(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"hugo.toml": "baseURL = 'https://example.org/'\n",
		"layouts/all.html": `<html><head>{{ with (templates.Defer (dict "key" "a")) }}` +
			`<title>{{ now.Year }}</title>{{ end }}</head></html>`,
		"content/a.md": "---\ntitle: A\n---\n",
	})
	c := buildAll(t, dir, site.Options{})
	for _, name := range []string{"index.html", "a/index.html"} {
		if text := c.pages[name]; !strings.Contains(text, "<title>20") || strings.Contains(text, "__h") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// Two pages for one file: Hugo keeps one of them, and nobody knows which. A warning suffices where
// both state the same.
func TestHugo_TwoPagesForOneFile(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"hugo.toml":                   "baseURL = 'https://example.org/'\n",
		"layouts/page.html":           "<html></html>",
		"content/a.md":                "---\ntitle: A\nurl: /same/\n---\n",
		"content/b.md":                "---\ntitle: B\nurl: /same/\nrobots: noindex\n---\n",
		"content/c.md":                "---\ntitle: C\nurl: /alike/\n---\n",
		"content/d.md":                "---\ntitle: D\nurl: /alike/\ntags: [E & F]\n---\n",
		"content/tags/e--f/_index.md": "---\ntitle: F\n---\n", // the term's own page has no file
	})
	severities, messages := map[string]policy.Severity{}, ""
	for _, f := range listed(t, dir).Findings() {
		severities[f.URL] = f.Severity
		messages += f.Text()
	}
	want := map[string]policy.Severity{"/same/": policy.Error, "/alike/": policy.Warning,
		"/tags/e--f/": policy.Warning, "/tags/e--f/index.xml": policy.Warning}
	if !maps.Equal(severities, want) || !strings.Contains(messages, "and the page /tags/e-&-f in") {
		t.Errorf("%v, want %v: %s", severities, want, messages)
	}
}

// A file for hosts in the folder of a language says nothing of a page, and a format that is named
// twice makes one file.
func TestHugo_FilesForHostsAreNoCopies(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"hugo.toml": "baseURL = 'https://example.org/'\ndefaultContentLanguageInSubdir = true\n[outputs]\n" +
			"home = ['html', 'redirects', 'html', 'notes']\n[mediaTypes.'text/none']\ndelimiter = ''\n" +
			"[outputFormats.redirects]\nmediaType = 'text/none'\nbaseName = '_redirects'\n" +
			"[outputFormats.notes]\nmediaType = 'text/plain'\nbaseName = 'notes'\n[languages.en]\n[languages.zh]\n",
		"layouts/home.html": "<html></html>",
	})
	m := listed(t, dir)
	for name, want := range map[string]string{"zh/_redirects": "", "zh/notes.txt": "zh/index.html"} {
		if f := m.File(name); f.CopyOf != want {
			t.Errorf("%s is a copy of %q, want %q", name, f.CopyOf, want)
		}
	}
	if len(m.Findings()) > 0 {
		t.Errorf("%v", m.Findings())
	}
}

// An alias at the path of another page: Hugo keeps one by chance, so that a page may be gone. One
// at its own page's path is overwritten by that.
func TestHugo_AnAliasAndAPageForOneFile(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"hugo.toml":           "baseURL = 'https://example.org/'\n",
		"layouts/page.html":   "<html></html>",
		"content/services.md": "---\ntitle: A\n---\n",
		"content/b.md":        "---\ntitle: B\naliases:\n- /was/\n- /services/\n- /b/\n---\n",
		"content/c.md":        "---\ntitle: C\naliases: [/was/, services/index.html]\n---\n",
	})
	m := listed(t, dir)
	var found []string
	for _, f := range m.Findings() {
		found = append(found, fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.ID, f.File, f.Line, f.URL))
	}
	want := "[warning two-pages content/b.md:5 /services/ warning two-pages content/c.md:3 /services/]"
	if got := fmt.Sprint(found); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for name, want := range map[string]policy.Role{"was/index.html": policy.RoleRedirect,
		"services/index.html": policy.RolePage, "b/index.html": policy.RolePage} {
		if f := m.File(name); f.Role != want || f.Unknown {
			t.Errorf("%s: %s", name, describe(f))
		}
	}
}

// A content file that is mounted into several languages is wrong once.
func TestHugo_OneFindingForAMountedFile(t *testing.T) {
	config := "defaultContentLanguageInSubdir = true\n[outputs]\nhome = ['html', 'redirects', 'again']\n" +
		"[outputFormats.redirects]\nmediaType = 'text/none'\nbaseName = '_redirects'\nroot = " +
		"true\n[mediaTypes.'text/none']\ndelimiter = ''\n" +
		"[outputFormats.again]\nmediaType = 'text/html'\nbaseName = 'index'\n"
	for _, lang := range []string{"en", "de", "fr", "pl"} {
		config += "[languages." + lang + "]\n[[module.mounts]]\nsource = 'content'\ntarget = 'content'\nlang = '" +
			lang + "'\n"
	}
	dir := tables.Folder(t, map[string]string{"hugo.toml": config, "content/_index.md": "---\ntitle: A\n---\n"})
	m := listed(t, dir)
	counts := map[string]int{}
	for _, f := range m.Findings() {
		counts[f.ID+" "+f.File]++
	}
	if len(counts) == 0 || !maps.Equal(counts, map[string]int{"two-outputs content/_index.md": 2}) {
		t.Errorf("%v", m.Findings())
	}
}

// Keys of the configuration are found where they stand: files, configuration folders, environment
// variables (L8).
func TestHugo_LocateConfiguration(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"config/_default/hugo.yaml":   "baseURL: https://example.org/\n",
		"config/_default/params.toml": "robots = 'noarchive'\n[metarobots]\nfound = 'merge'\n",
		"config/staging/params.toml":  "[metarobots]\n\nfound = 'replace'\n",
		"layouts/page.html":           "<html></html>",
	})
	s := open(t, dir, site.Options{Environment: "staging"})
	at := func(path ...string) string {
		file, line := s.Settings().Locate(path...)
		rel, _ := filepath.Rel(dir, file)
		return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), line)
	}
	if got := at("params", "robots"); got != "config/_default/params.toml:1" {
		t.Error(got)
	}
	if got := at("params", "metarobots", "found"); got != "config/staging/params.toml:3" {
		t.Error(got)
	}
	if got := s.Settings().Params["found"]; got != "replace" {
		t.Errorf("found = %v", got)
	}
	t.Setenv("HUGO_PARAMS_METAROBOTS_FOUND", "merge")
	s = open(t, dir, site.Options{})
	if file, line := s.Settings().Locate("params", "metarobots", "found"); file != "env HUGO_PARAMS_METAROBOTS_FOUND" ||
		line != 0 {
		t.Errorf("%s:%d", file, line)
	}
}

// member writes one site of the family.
func member(t *testing.T, name string) string {
	t.Helper()
	sites := family.Sites(t)
	i := slices.IndexFunc(sites, func(s family.Site) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("the family has no site %s", name)
	}
	return tables.Folder(t, sites[i].Files)
}

// Each host of a multihost site has its folder, where more than one is left:
// https://gohugo.io/configuration/languages/
func TestHugo_HostsHaveFolders(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"multihost_in_full":  {"en": "https://example.org/", "de": "https://example.de/unten/"},
		"one_host_left":      nil,
		"two_of_three_hosts": nil,
		"plain":              nil,
	} {
		s := open(t, member(t, name), site.Options{}).Settings()
		if !maps.Equal(s.HostURLs, want) || len(s.Hosts) != len(want) {
			t.Errorf("%s: hosts %v %v, want %v", name, s.Hosts, s.HostURLs, want)
		}
		for _, host := range s.Hosts {
			if want[host] == "" {
				t.Errorf("%s: host %s", name, host)
			}
		}
	}
}

// --cleanDestinationDir removes what no build makes any more, and not what it finds already made.
func TestHugo_CleaningKeepsWhatIsMade(t *testing.T) {
	dir := member(t, "images")
	buildAll(t, dir, site.Options{})
	public := filepath.Join(dir, "public")
	before := publishedFiles(t, public)
	tables.Must(t, os.WriteFile(filepath.Join(public, "stale.png"), nil, 0o644))
	buildAll(t, dir, site.Options{Build: map[string]any{"cleanDestinationDir": true}})
	if after := publishedFiles(t, public); !slices.Equal(after, before) {
		t.Errorf("first %v\nthen  %v", before, after)
	}
}

// Static HTML has the times and the mode of its source; once it is edited, it is younger.
func TestHugo_StaticPagesKeepTheirTimes(t *testing.T) {
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for edit, want := range map[string]bool{"": true, "<!-- edited -->": false} {
		dir := tables.Folder(t, map[string]string{"hugo.toml": "", "static/a.html": "<html></html>",
			"layouts/all.html": "<html></html>"})
		source := filepath.Join(dir, "static", "a.html")
		tables.Must(t, errors.Join(os.Chtimes(source, past, past), os.Chmod(source, 0o755)))
		s := open(t, dir, site.Options{})
		public := s.Settings().Publish
		for range 2 {
			tables.Must(t, build(t, s, func(name string, data []byte) error {
				file := filepath.Join(public, filepath.FromSlash(name))
				if old, err := os.ReadFile(file); err == nil && string(old) == string(data)+edit {
					return nil
				}
				return put(file, append(data, edit...))
			}))
			info := tables.Value(os.Stat(filepath.Join(public, "a.html")))(t)
			if info.ModTime().Equal(past) != want || info.Mode().Perm() != 0o755 {
				t.Errorf("edited with %q: %v %v", edit, info.ModTime(), info.Mode())
			}
		}
	}
}

// A page that cannot be written is an error wherever it comes from: the library that copies static
// files does not look.
func TestHugo_WhatCannotBeWrittenIsAnError(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"hugo.toml": "", "static/a.html": "<html></html>",
		"layouts/all.html": "<html></html>", "content/b.md": ""})
	for _, bad := range []string{"a.html", "b/index.html", "sitemap.xml"} {
		full := errors.New("no space left on device")
		err := build(t, open(t, dir, site.Options{}), func(name string, _ []byte) error {
			if name == bad {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Hugo's own error stands where our reader has none to say, not even that the file cannot be
// opened.
func TestHugo_AnErrorOfFrontMatterIsNeverDropped(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"hugo.toml": "", "content/b.md": ""})
	s := open(t, dir, site.Options{}).(*hugoSite)
	tables.Must(t, s.makeSites(nil))
	own := errors.New("front matter: Hugo's own")
	for _, name := range []string{"content/b.md", "content/gone.md"} {
		if err := s.frontMatterFaults(filepath.Join(dir, name), own); !errors.Is(err, own) {
			t.Errorf("%s: %v, want %v", name, err, own)
		}
	}
}
