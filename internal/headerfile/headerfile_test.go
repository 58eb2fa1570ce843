package headerfile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosting"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func TestMain(m *testing.M) { tables.Lazily(m) }

// A world is a folder with a site that is published in out, and its header files.
type world struct {
	project *project.Project
	files   *headerfile.Files
	found   []policy.Finding // by compile
	lost    headerfile.Losses
}

// open reads the header files of a site for a target. Files are given as "path: text" with | for
// the ends of lines.
func open(t *testing.T, target string, files ...string) (world, error) {
	t.Helper()
	return openPublished(t, target, nil, files...) // any file may be decided on
}

// openPublished is open for a site whose published files are known.
func openPublished(t *testing.T, target string, published []string, files ...string) (world, error) {
	t.Helper()
	dir := t.TempDir()
	policy := "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://a.example/\"\n[robots]\n" +
		"headers.targets = [\"" + target + "\"]\n[[robots.headers.rules]]\nmatch = \"/none\"\n" +
		"set = {Link = \"</a>; rel=x\", Content-Usage = \"train-ai=n\"}\n"
	for _, file := range append(files, "metarobots.toml: "+policy, "out/index.html: <!doctype html>") {
		name, text, _ := strings.Cut(file, ": ")
		path := filepath.Join(dir, filepath.FromSlash(name))
		tables.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		tables.Must(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "|", "\n")), 0o644))
	}
	ctx := context.Background()
	p := tables.Value(project.Open(ctx,
		project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML()))(t)
	t.Cleanup(func() { p.Close() })
	from := project.Published{Project: p}
	folder := tables.Value(from.List())(t)
	names := tables.Value(p.Site.List(ctx, p.Config.Robots.FrontMatter, folder.Names))(t)
	hosting, err := hosting.Read(p, names, from)
	if err != nil {
		return world{}, err
	}
	fs, err := headerfile.Read(p, names, from, hosting, hosting.Sites(published))
	return world{project: p, files: fs}, err
}

// compile compiles the files for published files, each with what Header states of it beside the
// owner's rules, and lines of other headers. It returns the findings, those about one file
// included, as "id file:line".
func (w *world) compile(decided []headerfile.Decided) (findings []string, overflow error) {
	for i := range decided {
		d := &decided[i]
		if d.URL = "/" + d.Name; !d.Role.Policed() { // nothing is decided on it
			d.Decision = &policy.Decision{}
			continue
		}
		stated := policy.Statement{Directives: policy.Stating(strings.Join(d.Header, ", "))}
		statements := append(w.files.States(d.Name, false), stated)
		decision := w.project.Policy.Resolve(statements)
		d.Role, d.Decision, d.Stated = policy.RoleStatic, &decision, len(statements) > 1
		d.Header = decision.Header(w.project.Policy.Style)
	}
	outcome := w.files.Compile(slices.Values(decided))
	w.lost = outcome.Lost
	for _, h := range w.files.All {
		overflow = errors.Join(overflow, h.Overflow)
	}
	w.found = slices.Concat(w.files.Findings, w.files.Faults(), outcome.Findings)
	for _, f := range w.found {
		findings = append(findings, fmt.Sprintf("%s %s:%d", f.ID, filepath.ToSlash(f.File), f.Line))
	}
	return findings, overflow
}

const block = marks.Begin + "|/a.pdf|  X-Robots-Tag: noindex|" + marks.End + "|"

// N5e, N8a, M7: every rule of the owner's that its host would serve counts for the file, at its
// line, and none of a host that is no target.
func TestHouse_WhatHeaderFilesState(t *testing.T) {
	const headers, toml = "out/_headers: /*.pdf|  X-Robots-Tag: noindex|", "netlify.toml: [[headers]]|for = \"/a.*\"|" +
		"[headers.values]|X-Robots-Tag = \"nofollow\"|X-Other = \"x\"|"
	for _, c := range []struct {
		about, targets string
		files          []string
		want, findings string
	}{
		{"_headers", "netlify", []string{headers}, "noindex, follow out/_headers:2", ""},
		{"netlify.toml beside it", "netlify", []string{headers, toml},
			"noindex, follow out/_headers:2, index, nofollow netlify.toml:4", "netlify-toml out/a.pdf:0"},
		{"Cloudflare reads no netlify.toml", "cloudflare", []string{headers, toml}, "noindex, follow out/_headers:2", ""},
		{"each host's for portable", "portable",
			[]string{"out/_headers: /A.pdf|  X-Robots-Tag: noindex|/a.p:x|  x-robots-tag: nofollow"},
			"noindex, follow out/_headers:2, index, nofollow out/_headers:4", ""},
		{"Apache's", "apache", []string{"out/.htaccess: <Files a.pdf>|Header set X-Robots-Tag \"noindex\"|</Files>|"},
			"noindex, follow out/.htaccess:2", ""},
		{"of a host that is no target", "apache", []string{headers}, "", ""},
		{"a crawler that nobody knows", "netlify", []string{"out/_headers: /a.pdf|  X-Robots-Tag: nobot: noindex|"}, "",
			"unknown-crawler out/_headers:2"},
		{"what is wrong with a value, once", "netlify", []string{"out/_headers: /*|  X-Robots-Tag: noindx|"},
			"noindx out/_headers:2, noindx out/_headers:2", "unknown-directive out/_headers:2"},
		{"a block that no run is known to have left", "netlify", []string{"out/_headers: " + block},
			"noindex, follow out/_headers:3", "header-block out/_headers:1"},
		{"half a mark", "netlify", []string{"out/_headers: # metarobots: end|/a.pdf|  X-Robots-Tag: noindex|"},
			"noindex, follow out/_headers:3", "broken-mark out/_headers:1"},
	} {
		w, err := open(t, c.targets, c.files...)
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		var got []string
		for _, s := range append(w.files.States("a.pdf", false), w.files.States("b.txt", false)...) {
			got = append(got, fmt.Sprintf("%v %s:%d", s.Directives, filepath.ToSlash(s.Origin.File), s.Origin.Line))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", c.about, got, c.want)
		}
		findings, err := w.compile([]headerfile.Decided{{Name: "a.pdf"}})
		if err != nil || strings.Join(findings, ", ") != c.findings {
			t.Errorf("%s: %v, findings %q, want %q", c.about, err, findings, c.findings)
		}
	}
}

// A file that would lose a restriction is an error that names it.
func TestHouse_HeaderFilesThatCannotBeReadAreErrors(t *testing.T) {
	for file, message := range map[string]string{
		"out/_headers/a: ":                    "out/_headers is a folder",
		"netlify.toml: [[headers":             "netlify.toml: it cannot be read",
		"out/_headers: " + wild(5000) + "|":   "out/_headers: line ",
		"netlify.toml: " + wildTOML(5000):     "too many",
		"out/_headers: " + wild(5000) + "|||": "rules with wildcards",
	} {
		_, err := open(t, "netlify", file)
		var invalid *project.InvalidError
		if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), message) {
			t.Errorf("%.30s: %v (%t), want %q", file, err, errors.As(err, &invalid), message)
		}
	}
}

func wild(n int) (rules string) {
	for i := range n {
		rules += fmt.Sprintf("/*x%d|  X-Robots-Tag: noindex|", i)
	}
	return rules
}

func wildTOML(n int) (rules string) {
	for i := range n {
		rules += fmt.Sprintf("[[headers]]|for = \"/*x%d\"|values.X-Robots-Tag = \"noindex\"|", i)
	}
	return rules
}

// line is a line of a rule of the policy's.
func line(name, value string) headerfile.Line {
	return headerfile.Line{Name: name, Value: value, Origin: policy.Origin{File: "metarobots.toml", Line: 9}}
}

// H4a, H4b, H4c: lines of the owner's stay; what they say already, or say otherwise, is not added,
// and a file that goes without a line of the policy's is lost for it, with a finding.
func TestHouse_OtherHeadersBesideTheOwners(t *testing.T) {
	const canonical = `<https://a.example/>; rel="canonical"`
	const other, usage = `<https://a.example/b>; rel=canonical`, "train-ai=n"
	toml := "netlify.toml: [[headers]]|for = \"/*.pdf\"|[headers.values]|Link = '" + other + "'|"
	for _, c := range []struct {
		about, target, file, extra string
		line                       headerfile.Line
		want                       string // lines of ours
		lost                       bool
		findings                   string
	}{
		{"nothing of the owner's", "netlify", "", "", line("Link", canonical), "Link: " + canonical, false, ""},
		{"the same link", "netlify", "/*.pdf|  link: <https://a.example/>;rel=canonical|", "",
			line("Link", canonical), "", false, ""},
		{"another link", "cloudflare", "/*.pdf|  Link: </s.css>; rel=preload|", "", line("Link", canonical),
			"Link: </s.css>; rel=preload, Link: " + canonical, false, ""},
		{"another link, where the last rule counts", "netlify", "/*.pdf|  Link: </s.css>; rel=preload|", "",
			line("Link", canonical), "Link: </s.css>; rel=preload, Link: " + canonical, false, ""},
		{"another canonical link", "netlify", "/*.pdf|  Link: " + other + "|", "", line("Link", canonical), "", true,
			"header-conflict out/_headers:2"},
		{"another value", "portable", "/*.pdf|  Content-Usage: train-ai=y|", "", line("Content-Usage", usage), "", true,
			"header-conflict out/_headers:2"},
		{"the same value", "portable", "/*.pdf|  Content-Usage: train-ai=n|", "",
			line("Content-Usage", usage), "", false, ""},
		{"netlify.toml goes first", "netlify", "", toml, line("Link", canonical), "", true, "header-conflict netlify.toml:4"},
		{"netlify.toml goes before a line that is right", "netlify", "/*.pdf|  Link: " + canonical + "|", toml,
			line("Link", canonical), "", true, "header-conflict netlify.toml:4"},
		{"netlify.toml has it", "netlify", "", toml, line("Link", other), "", false, ""},
		{"netlify.toml has it, which Cloudflare does not read", "portable", "", toml,
			line("Link", other), "Link: " + other, false, ""},
		{"netlify.toml has another header", "netlify", "", toml, line("Content-Usage", usage),
			"Content-Usage: " + usage, false, ""},
		{"netlify.toml has a header of no rule", "netlify", "", strings.Replace(toml, "Link", "content-usage", 1),
			line("Content-Usage", usage), "", true, "header-conflict netlify.toml:4"},
		{"netlify.toml has a path of two lines", "netlify", "", strings.Replace(toml, "/*", `/a\n/*`, 1),
			line("Link", canonical), "Link: " + canonical, false, ""},
		{"Cloudflare reads no netlify.toml", "cloudflare", "", toml, line("Link", canonical),
			"Link: " + canonical, false, ""},
		{"a rewrite to what the owner's line is for", "cloudflare", "/a.pdf|  Content-Usage: train-ai=n|",
			"out/_redirects: /x /a.pdf 200|", line("Content-Usage", usage), "Content-Usage: train-ai=n", false, ""},
		{"a rewrite for which the owner has a line", "portable",
			"/a.pdf|  Content-Usage: train-ai=n|/x|  Content-Usage: train-ai=n|",
			"out/_redirects: /x /a.pdf 200|", line("Content-Usage", usage), "", false, ""},
		{"a rewrite for which the owner has another line", "portable", "/x|  Content-Usage: train-ai=y|",
			"out/_redirects: /x /a.pdf 200|", line("Content-Usage", usage), "Content-Usage: train-ai=n", false,
			"header-conflict out/_headers:2"},
		{"a rewrite whose sources cannot be listed", "cloudflare", "", "out/_redirects: |/x/* /a.pdf 200|",
			line("Content-Usage", usage), "Content-Usage: train-ai=n", false, "rewrite out/_redirects:2"},
		{"a rewrite whose sources have a line of the owner's", "cloudflare", "/x/*|  Content-Usage: train-ai=n|",
			"out/_redirects: |/x/* /a.pdf 200|", line("Content-Usage", usage), "Content-Usage: train-ai=n", false, ""},
		{"a rewrite some of whose sources have no such line", "cloudflare",
			"/x/*|  Content-Usage: train-ai=n|/x/*.md|  ! Content-Usage|", "out/_redirects: |/x/* /a.pdf 200|",
			line("Content-Usage", usage), "Content-Usage: train-ai=n", false, "rewrite out/_redirects:2"},
		{"a host without headers", "none", "", "", line("Link", canonical), "", true, "header-lost metarobots.toml:6"},
		{"a value that no line can have", "cloudflare", "", "", line("Link", "</é>; rel=x"), "", true,
			"header-lost out/_headers:0"},
	} {
		files := []string{"out/a.pdf: x"}
		if c.file != "" {
			files = append(files, "out/_headers: "+c.file)
		}
		if c.extra != "" {
			files = append(files, c.extra)
		}
		w, err := open(t, c.target, files...)
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		decided := []headerfile.Decided{{Name: "a.pdf", Others: []headerfile.Line{c.line}}, {Name: "c.txt"}}
		findings, err := w.compile(decided)
		if err != nil || strings.Join(findings, ", ") != c.findings {
			t.Errorf("%s: %v, findings %q, want %q", c.about, err, findings, c.findings)
		}
		if lost := w.lost.Has("a.pdf", 0); lost != c.lost {
			t.Errorf("%s: lost %t", c.about, lost)
		}
		file := string(w.files.All[0].Change.New)
		own := strings.ReplaceAll(c.file, "|", "\n")
		ours, kept := strings.CutPrefix(file, own)
		var added []string
		for l := range strings.Lines(ours) {
			if strings.Contains(l, ": ") && l[0] != '#' {
				added = append(added, strings.TrimSpace(l))
			}
		}
		if !kept || strings.Join(added, ", ") != c.want {
			t.Errorf("%s: got %q, want %q\n%s", c.about, added, c.want, file)
		}
	}
}

// N2c, H4: X-Robots-Tag has the whole limit. Where it does not fit, the file stays as it is;
// another header gets what is left, and the files that go without are lost for it (H5b).
func TestHouse_TheLimitIsForXRobotsTagFirst(t *testing.T) {
	for _, c := range []struct {
		stated, total, lost int // files with an X-Robots-Tag of their own; rules in all; files without their link
		findings            string
	}{
		{0, 61, 0, ""},
		{40, 100, 2, "header-lost out/_headers:0"}, // the owner's rule, one for previews, 58 links
		{101, 103, 0, "header-overflow out/_headers:0"},
	} {
		w := tables.Value(open(t, "cloudflare", "out/_headers: /x|  A: b|"))(t)
		var decided []headerfile.Decided
		for i := range c.stated {
			decided = append(decided, headerfile.Decided{Name: fmt.Sprintf("%d.txt", i),
				Header: []string{fmt.Sprintf("max-snippet:%d", i+1)}})
		}
		for i := range 60 {
			decided = append(decided, headerfile.Decided{Name: fmt.Sprintf("%d.pdf", i),
				Others: []headerfile.Line{line("Link", fmt.Sprintf("</v%d>; rel=x", i))}})
		}
		findings, err := w.compile(decided)
		h, lost := w.files.All[0], 0
		for _, d := range decided {
			if w.lost.Has(d.Name, 0) {
				lost++
			}
		}
		fits := c.stated < 100
		unchanged := string(h.Change.New) == "/x\n  A: b\n"
		if errors.Is(err, robotstag.ErrBudget) == fits || unchanged == fits || h.Result.Total != c.total ||
			lost != c.lost || strings.Join(findings, ", ") != c.findings {
			t.Errorf("%d: %v, %d rules, %d lost, findings %q", c.stated, err, h.Result.Total, lost, findings)
		}
	}
}

// Each form in which netlify.toml can set X-Robots-Tag counts, as Netlify's parser reads it, or is
// a finding at its line.
// https://github.com/netlify/build packages/headers-parser/src/normalize.ts, packages/config/src/context.ts
// N8g, N8h, N8i.
func TestNetlify_EachFormCountsOrIsReported(t *testing.T) {
	const noindex = "X-Robots-Tag = \"noindex\"|"
	for _, c := range []struct{ about, toml, want, findings string }{
		{"as documented", "[[headers]]|for = \"/*\"|[headers.values]|" + noindex, "noindex, follow netlify.toml:4", ""},
		{"a dotted key", "[[headers]]|for = \"/*\"|values." + noindex, "noindex, follow netlify.toml:3", ""},
		{"a table in line", "headers = [{for = \"/*\", values = {X-Robots-Tag = \"noindex\"}}]|",
			"noindex, follow netlify.toml:1", ""},
		{"another case", "[[headers]]|for = \"/*\"|[headers.values]|x-robots-TAG = \"noindex\"|",
			"noindex, follow netlify.toml:4", ""},
		{"a blank behind the name", "[[headers]]|for = \"/*\"|[headers.values]|\"X-Robots-Tag \" = \"noindex\"|",
			"noindex, follow netlify.toml:4", ""},
		{"a list", "[[headers]]|for = \"/*\"|[headers.values]|X-Robots-Tag = [\"noindex\"]|", "noindex, follow netlify.toml:4", ""},
		{"a pattern without a slash", "[[headers]]|for = \"*.pdf\"|[headers.values]|" + noindex,
			"noindex, follow netlify.toml:4", ""},
		{"a pattern in blanks", "[[headers]]|for = \" /a.pdf \"|[headers.values]|" + noindex, "noindex, follow netlify.toml:4", ""},
		{"a context that is deployed", "[[context.production.headers]]|for = \"/*\"|[context.production.headers.values]|" +
			noindex, "noindex, follow netlify.toml:4", "header-syntax netlify.toml:4"},
		{"a branch that may be", "[[context.main.headers]]|for = \"/*\"|[context.main.headers.values]|" + noindex,
			"noindex, follow netlify.toml:4", "header-syntax netlify.toml:4"},
		{"a context that is not", "[[context.deploy-preview.headers]]|for = \"/*\"|[context.deploy-preview.headers.values]|" +
			noindex, "", "header-syntax netlify.toml:4"},
		{"both", "[[headers]]|for = \"/*\"|[headers.values]|X-Robots-Tag = \"nofollow\"|" +
			"[[context.production.headers]]|for = \"/*\"|[context.production.headers.values]|" + noindex,
			"index, nofollow netlify.toml:4, noindex, follow netlify.toml:8",
			"header-syntax netlify.toml:8, netlify-toml out/a.pdf:0, netlify-toml out/a.pdf:0"},
		{"no array", "[headers.values]|" + noindex, "", "header-syntax netlify.toml:2"},
		{"a table", "[headers]|for = \"/*\"|values." + noindex, "", "header-syntax netlify.toml:3"},
		{"an array of values", "[[headers]]|for = \"/*\"|[[headers.values]]|" + noindex, "", "header-syntax netlify.toml:4"},
		{"one header", "[[header]]|for = \"/*\"|[header.values]|" + noindex, "", "header-syntax netlify.toml:4"},
		{"of the build", "[[build.headers]]|for = \"/*\"|[build.headers.values]|" + noindex, "", "header-syntax netlify.toml:4"},
		{"no values", "[[headers]]|for = \"/*\"|" + noindex, "", "header-syntax netlify.toml:3"},
		{"no pattern", "[[headers]]|[headers.values]|" + noindex, "", "header-syntax netlify.toml:3"},
		{"no text", "[[headers]]|for = \"/*\"|[headers.values]|A = 1|" + noindex, "", "header-syntax netlify.toml:5"},
		{"a table as its value", "[[headers]]|for = \"/*\"|[headers.values.X-Robots-Tag]|a = \"noindex\"|", "",
			"header-syntax netlify.toml:3"},
		{"of AI", "[[header]]|for = \"/*\"|[header.values]|tdm-reservation = \"1\"|", "", "header-syntax netlify.toml:4"},
	} {
		w, err := open(t, "netlify", "netlify.toml: "+c.toml)
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		var got []string
		for _, s := range w.files.States("a.pdf", false) {
			got = append(got, fmt.Sprintf("%v %s:%d", s.Directives, filepath.ToSlash(s.Origin.File), s.Origin.Line))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", c.about, got, c.want)
		}
		findings, err := w.compile([]headerfile.Decided{{Name: "a.pdf"}})
		if err != nil || strings.Join(findings, ", ") != c.findings {
			t.Errorf("%s: %v, findings %q, want %q", c.about, err, findings, c.findings)
		}
	}
}

// N5l: rules of netlify.toml for another header that cannot be read are a finding, whether or not
// anything else asks for a _headers file.
func TestHouse_UnreadableRulesOfAnotherHeaderAreAFinding(t *testing.T) {
	toml := "netlify.toml: "
	for i := range 5 {
		toml += fmt.Sprintf("[[headers]]|for = \"/*%d%s\"|[headers.values]|Link = \"</a>; rel=y\"|", i, strings.Repeat("x", 8<<10))
	}
	w, err := open(t, "netlify", toml)
	if err != nil {
		t.Fatal(err)
	}
	line := headerfile.Line{Name: "Link", Value: "</b>; rel=x"}
	findings, _ := w.compile([]headerfile.Decided{{Name: "a.pdf", Others: []headerfile.Line{line}}})
	if want := []string{"header-syntax out/_headers:0"}; !slices.Equal(findings, want) {
		t.Errorf("findings %q, want %q", findings, want)
	}
}

// N10: a configuration of a host that is no target ends no run, whatever it is.
func TestHouse_AConfigurationOfAnotherHostMayBeUnreadable(t *testing.T) {
	for target, isError := range map[string]bool{"netlify": false, "vercel": true} {
		_, err := open(t, target, "now.json/a: a folder of that name")
		if isError != (err != nil) {
			t.Errorf("%s: error %v, want one: %v", target, err, isError)
		}
	}
}
