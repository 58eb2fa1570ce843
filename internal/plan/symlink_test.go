package plan_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// linkedSite is a site with versions of its documentation, as mike publishes them: latest is a
// symlink to the folder v1. more are further files, and further lines of the policy.
func linkedSite(t *testing.T, policy string, more map[string]string) (dir string) {
	t.Helper()
	const top = "<!doctype html><html><head><title>x</title></head>"
	site := map[string]string{"metarobots.toml": htmlSite + policy, "out/index.html": top, "out/v0/a/index.html": top,
		"out/v1/index.html": top, "out/v1/a/index.html": top, "out/v1/a.pdf": "%PDF", "out/v1/blog/index.html": top,
		"out/v1/blog/page/2/index.html": top, "out/v1/sitemap.xml": "<urlset><url><loc>https://example.org/latest/a/" +
			"</loc></url><url><loc>https://example.org/latest/</loc></url></urlset>"}
	for name, text := range more {
		site[name] = text
	}
	dir = tables.Folder(t, site)
	link(t, "v1", filepath.Join(dir, "out/latest"))
	return dir
}

// linked plans such a site, for a host that reads headers.
func linked(t *testing.T, dir string) *plan.Plan {
	t.Helper()
	file := filepath.Join(dir, "metarobots.toml")
	text := tables.Value(os.ReadFile(file))(t)
	served := strings.Replace(string(text), `targets = ["none"]`, `targets = ["cloudflare"]`, 1)
	tables.Must(t, os.WriteFile(file, []byte(served), 0o644))
	return plannedWith(t, project.Options{WorkDir: dir, BaseURL: "https://example.org/"})
}

// hidden are the URLs that are noindex, without those of control files.
func hidden(s *plan.Plan) (urls []string) {
	for _, pg := range s.Pages {
		if pg.Decision.NoIndex() {
			urls = append(urls, pg.URL)
		}
	}
	return urls
}

// aboutSymlinks are the texts of the findings about symlinks, each behind its place.
func aboutSymlinks(s *plan.Plan) (texts []string) {
	for _, f := range check.All(s) {
		if f.ID == "symlink" {
			texts = append(texts, f.Error())
		}
	}
	return texts
}

// M6p, M7o, M7t, M7u, M7v: what lies below a symlink to a folder is decided on by its own path, and
// by what restricts the page that it shares its tags with. Findings say where that is more than the
// path says, and where a header alone can say it.
func TestHouse_WhatIsBelowASymlinkIsDecidedOn(t *testing.T) {
	const (
		rule  = "[[robots.rules]]\nrobots = \"noindex\"\n" // lines 7 and 8
		reach = "metarobots.toml:8: robots.rules.robots (rule 1): this holds at "
		tags  = " too, since the symlink latest makes it share the tags of "
		apart = ". To restrict only one of them, publish a copy in place of the symlink; to restrict neither, add \"/v1/**\" " +
			"to except"
		differs = " by the symlink latest and shares its tags, which differ from this page's decision; only a header can " +
			"express it"
	)
	for _, c := range []struct {
		name, policy string
		more         map[string]string
		hidden       []string
		findings     []string
	}{
		{"nothing", "", nil, nil, nil},
		{"by an ending", rule + `match = ["/**/*.pdf"]`, nil, []string{"/latest/a.pdf", "/v1/a.pdf"}, nil},
		{"another version", rule + `match = ["/v0/**"]`, nil, []string{"/v0/a/"}, nil},
		{"the folder behind the symlink", rule + `match = ["/v1/a/**"]`, nil, []string{"/latest/a/", "/v1/a/"},
			[]string{reach + "/latest/a/" + tags + "/v1/a/" + apart}},
		{"all of that, and files that need no tags", rule + `match = ["/v1/**"]`, nil,
			[]string{"/latest/a/", "/latest/blog/", "/latest/blog/page/2/", "/latest/",
				"/v1/a.pdf", "/v1/a/", "/v1/blog/", "/v1/blog/page/2/", "/v1/"},
			[]string{reach + "/latest/a/" + tags + "/v1/a/" + apart + "; the same on 3 more"}},
		{"both", rule + `match = ["/v1/a/", "/latest/a/"]`, nil, []string{"/latest/a/", "/v1/a/"}, nil},
		{"the symlink alone", rule + `match = ["/latest/{a/,blog/,a.pdf}"]`, nil,
			[]string{"/latest/a.pdf", "/latest/a/", "/latest/blog/", "/latest/blog/page/2/"},
			[]string{"out/latest/a/index.html: it is v1/a/index.html" + differs + "; the same on 2 more"}},
		{"what a page says of itself", "", map[string]string{"out/v1/a/index.html": "<!doctype html><html><head>" +
			`<meta name="robots" content="noindex"></head>`}, []string{"/latest/a/", "/v1/a/"}, nil},
		{"what is stated of a document", "", map[string]string{"metarobots.json": `[{"url": "/v1/a.pdf", "noindex": true}]`},
			[]string{"/latest/a.pdf", "/v1/a.pdf"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := linked(t, linkedSite(t, c.policy+"\n", c.more))
			if got := hidden(s); !slices.Equal(got, c.hidden) {
				t.Errorf("hidden %v, want %v", got, c.hidden)
			}
			if got := aboutSymlinks(s); !slices.Equal(got, c.findings) {
				t.Errorf("findings %q, want %q", got, c.findings)
			}
		})
	}
}

// M7o: if the tags of a page say all that is decided on a symlink to it, a host without headers
// loses nothing.
func TestHouse_TagsOfATargetNeedNoHeaderForItsSymlinks(t *testing.T) {
	for match, want := range map[string]bool{"/v1/a/": false, "/latest/a/": true} {
		s := planned(t, linkedSite(t, "[[robots.rules]]\nmatch = [\""+match+"\"]\nrobots = \"noindex\"\n", nil))
		isLost := slices.ContainsFunc(check.All(s), func(f policy.Finding) bool { return f.ID == "no-header" })
		if isLost != want {
			t.Errorf("%s: a header is missing: %v, want %v", match, isLost, want)
		}
	}
}

// unknownAtLink is a folder of pages of whose files below latest the generator knows nothing, as
// Hugo does not.
type unknownAtLink struct {
	site.Generator
	site.Site
	site.Map
}

func (u unknownAtLink) Open(ctx context.Context, o site.Options) (site.Site, error) {
	opened, err := u.Generator.Open(ctx, o)
	u.Site = opened
	return u, err
}

func (u unknownAtLink) List(ctx context.Context, o frontmatter.Config, names []string) (
	site.Map, error) {
	listed, err := u.Site.List(ctx, o, names)
	u.Map = listed
	return u, err
}

func (u unknownAtLink) File(name string) site.File {
	if strings.HasPrefix(name, "latest/") {
		f := site.NewFile(name)
		f.Unknown = true
		return f
	}
	return u.Map.File(name)
}

func (u unknownAtLink) ReadPage(f *site.File, language string, metadata []site.PageMeta) {
	u.Map.(site.PageReader).ReadPage(f, language, metadata)
}

// M7v: what a rule for the path of a page does to a symlink is reported too if the page has
// metadata, which holds for both.
func TestHouse_ReachIsReportedOfAPageWithMetadata(t *testing.T) {
	const rule = "[[robots.rules]]\nmatch = [\"/v1/a/**\"]\nrobots = \"noindex\"\n"
	dir := linkedSite(t, rule, map[string]string{"out/v1/a/index.html": "<!doctype html><head>" +
		`<meta name="metarobots" content='{"robots": "nosnippet"}'></head>`})
	o := project.Options{WorkDir: dir, BaseURL: "https://example.org/",
		Getenv: func(string) string { return "" }}
	p := tables.Value(project.Open(t.Context(), o, unknownAtLink{Generator: pages.HTML()}))(t)
	t.Cleanup(func() { p.Close() })
	s := tables.Value(plan.New(t.Context(), p))(t)
	if !s.Page("latest/a/index.html").Decision.NoIndex() {
		t.Error("the symlink is not noindex")
	}
	isReach := func(text string) bool { return strings.Contains(text, "this holds at /latest/a/ too") }
	if got := aboutSymlinks(s); !slices.ContainsFunc(got, isReach) {
		t.Errorf("findings %q, want the line of the rule", got)
	}
}

// M7o: a page that is a symlink to a file that is no page keeps the tags of that file. A finding
// says so if they do not say what is decided.
func TestHouse_SymlinksToWhatIsNoPageNeedAHeaderForWhatItsTagsLack(t *testing.T) {
	const noindex = `<!doctype html><head><meta name="robots" content="noindex"></head>`
	const rule = "[[robots.rules]]\nmatch = [\"/rule.html\"]\nrobots = \"noindex\"\n"
	dir := linkedSite(t, rule, map[string]string{"out/noindex.txt": noindex,
		"out/plain.txt": "<!doctype html><head></head>"})
	link(t, "plain.txt", filepath.Join(dir, "out/plain.html"))
	link(t, "plain.txt", filepath.Join(dir, "out/rule.html"))
	link(t, "noindex.txt", filepath.Join(dir, "out/noindex.html"))
	want := []string{"out/rule.html: this symlink to plain.txt shares its tags, which differ from " +
		"this page's decision; only a header can express it"}
	if got := aboutSymlinks(linked(t, dir)); !slices.Equal(got, want) {
		t.Errorf("findings %q, want %q", got, want)
	}
}

// M6r: files are changed once, under the name at which they lie, and symlinks stay what they are.
func TestHouse_FilesAreChangedWhereTheyLie(t *testing.T) {
	dir := linkedSite(t, "[[robots.rules]]\nmatch = [\"/v1/**\"]\nrobots = \"noindex\"\n", map[string]string{
		"out/sitemap_index.xml": "<sitemapindex><sitemap><loc>https://example.org/latest/sitemap.xml</loc></sitemap>" +
			"</sitemapindex>"})
	before := tables.Tree(t, filepath.Join(dir, "out"))
	s := linked(t, dir)
	var changed []string
	for _, m := range s.Sitemaps {
		if m.Change.Differs() {
			changed = append(changed, m.Change.Name)
		}
	}
	if want := []string{"sitemap_index.xml", "v1/sitemap.xml"}; !slices.Equal(changed, want) {
		t.Errorf("sitemaps %v change, want %v", changed, want)
	}
	apply(t, s)
	if to, err := os.Readlink(filepath.Join(dir, "out/latest")); err != nil || to != "v1" {
		t.Errorf("the symlink leads to %q (%v)", to, err)
	}
	page := string(tables.Value(os.ReadFile(filepath.Join(dir, "out/latest/a/index.html")))(t))
	if n := strings.Count(page, "noindex"); n != 1 {
		t.Errorf("the page has %d tags:\n%s", n, page)
	}
	if again := linked(t, dir); len(again.Changes()) != len(s.Changes()) ||
		slices.ContainsFunc(again.Pages, func(pg *plan.Page) bool { return pg.Bytes.Change }) {
		t.Error("a second run has something to change")
	}
	tables.Write(t, dir, map[string]string{"metarobots.toml": htmlSite + "default = \"\"\n"})
	apply(t, planned(t, dir))
	after := tables.Tree(t, filepath.Join(dir, "out"))
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s is not given back:\n%s", name, after[name])
		}
	}
}

// M7p: symlinks have no tags of their own, and do not hide that every page carries a preview's.
func TestHouse_SymlinksDoNotHideThePreviewsTags(t *testing.T) {
	dir := linkedSite(t, "", nil)
	apply(t, plannedWith(t, project.Options{WorkDir: dir, Environment: "staging"}))
	tables.Must(t, os.RemoveAll(filepath.Join(dir, ".metarobots")))
	p := opened(t, project.Options{WorkDir: dir})
	if _, err := plan.New(t.Context(), p); err == nil || !strings.Contains(err.Error(), "every page carries") {
		t.Errorf("got %v", err)
	}
}
