package servers

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A site of which no two neighbours want the same.
var neighbours = []robotstag.Want{
	{Path: "index.html", URL: "index.html", HTML: true, Values: []string{"noarchive"}},
	published("a/one.pdf", "noindex, follow"),
	published("a/one.pdf.txt"),
	published("a/two words.pdf", "noindex, nofollow"),
	{Path: "b/index.html", URL: "b/index.html", HTML: true},
	{Path: "b/three.html", URL: "b/three.html", HTML: true,
		Values: []string{"noindex, follow", "googlebot: nosnippet"}},
	published("b/größe.json", "noindex, follow"),
	{Path: "robots.txt", URL: "robots.txt", Free: true},
}

// Whatever is done to a rule of ours, the proof says which file goes wrong.
func TestHouse_TheProofSeesEveryMutation(t *testing.T) {
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			res := must(t, target, nil, neighbours, plain)
			if ps := verify(target, res.File, neighbours, plain, nil); len(ps) > 0 {
				t.Fatalf("%+v\n%s", ps, res.File)
			}
			for _, m := range []struct{ what, from, to, file string }{
				{"a value changed", "noindex, nofollow", "noindex, follow", "a/two words.pdf"},
				{"a value of a crawler changed", "googlebot: nosnippet", "googlebot: noarchive", "b/three.html"},
				{"a value of a crawler dropped", cmp.Or(map[string]string{"apache": `Header add X-Robots-Tag ` +
					`"googlebot: nosnippet" `, "nginx": `    "noindex, follow, googlebot: nosnippet" "googlebot: ` +
					`nosnippet";`, "caddy": ` "googlebot: nosnippet"`}[target], ", googlebot: nosnippet"),
					map[string]string{"apache": `Header add X-Robots-Tag "" `, "caddy": ` ""`}[target], "b/three.html"},
				{"a rule for another file", "three", "four", "b/three.html"},
				{"a neighbour caught", "words", "words2", "a/two words.pdf"},
			} {
				file := bytes.ReplaceAll(res.File, []byte(m.from), []byte(m.to))
				if bytes.Equal(file, res.File) {
					t.Errorf("%s: nothing changed in\n%s", m.what, file)
				}
				reports(t, m.what, verify(target, file, neighbours, plain, nil), m.file)
			}
			// A rule dropped: that of a file that is wanted no more.
			for i, w := range neighbours {
				if len(w.Values) == 0 {
					continue
				}
				less := slices.Clone(neighbours)
				less[i].Values = nil
				short := must(t, target, nil, less, plain)
				reports(t, "no rule", verify(target, short.File, neighbours, plain, nil), w.Path)
				reports(t, "a rule too many", verify(target, res.File, less, plain, nil), w.Path)
				left := []string{w.Path}
				reports(t, "a rule for what is left", verify(target, res.File, neighbours, plain, left), w.Path)
			}
			reports(t, "no file", verify(target, nil, neighbours, plain, nil), "index.html", "a/one.pdf", "a/two words.pdf",
				"b/three.html", "b/größe.json")
			o := robotstag.Task{Scope: robotstag.ScopeFiles}
			reports(t, "HTML is left", verify(target, res.File, neighbours, o, nil), "index.html", "b/three.html")
		})
	}
}

// plain is a site at the root of its host, with HTML where the limit allows.
var plain robotstag.Task

// must compiles a file, or ends the test.
func must(t *testing.T, target string, user []byte, wants []robotstag.Want, o robotstag.Task) robotstag.Result {
	t.Helper()
	res, err := compile(target, user, wants, o)
	if err != nil {
		t.Fatalf("%s: %v %+v", target, err, res)
	}
	return res
}

// reports checks that these files, and no others, are reported, as errors.
func reports(t *testing.T, what string, problems []policy.Finding, files ...string) {
	t.Helper()
	var said []string
	for _, p := range problems {
		if p.ID != "header-mismatch" || p.Severity != policy.Error {
			t.Errorf("%s: %+v", what, p)
		}
		said = append(said, p.URL)
	}
	slices.Sort(said)
	slices.Sort(files)
	if !slices.Equal(said, files) {
		t.Errorf("%s: reported %q, want %q\n%+v", what, said, files, problems)
	}
}

// A line of ours that is sent beside the owner's is one that the file must want (N3).
func TestHouse_TheProofSeesALineBesideTheOwners(t *testing.T) {
	user := []byte("Header set X-Robots-Tag \"noarchive\" env=x\n")
	res := must(t, "apache", user, []robotstag.Want{published("a.pdf", "noindex")}, plain)
	if !bytes.Contains(res.File, []byte("Header add")) {
		t.Fatalf("ours is not beside the owner's:\n%s", res.File)
	}
	reports(t, "nothing wanted", verify("apache", res.File, []robotstag.Want{published("a.pdf")}, plain, nil), "a.pdf")
}

// A pattern that takes more than it names is found out by the files it takes.
func TestHouse_TheProofSeesWidenedPatterns(t *testing.T) {
	for _, test := range []struct{ target, from, to, file string }{
		{"vercel", `a/one\\.pdf`, `a/one\\.pdf.*`, "a/one.pdf.txt"},
		{"vercel", `a/one\\.pdf`, `a/one\\.pdf(?:\\.txt)?`, "a/one.pdf.txt"},
		{"firebase", `a/one\\.pdf`, `a/one\\.pdf.*`, "a/one.pdf.txt"},
		{"firebase", `b/three\\.html`, `b/(?:three\\.html)?`, "b/index.html"},
		{"azure", `"/a/one.pdf"`, `"/a/one.pdf*"`, "a/one.pdf.txt"},
		{"caddy", `"/a/one.pdf"`, `"~^/a/one.pdf"`, "a/one.pdf.txt"},
		{"nginx", `"/a/one.pdf"`, `"~^/a/one.pdf"`, "a/one.pdf.txt"},
		{"amplify", `'/a/one.pdf'`, `'/a/one.pdf*'`, ""},
		{"apache", `"expr=%{REQUEST_URI} in`, `"expr=%{REQUEST_FILENAME} in`, ""},
	} {
		res := must(t, test.target, nil, neighbours, plain)
		file := bytes.Replace(res.File, []byte(test.from), []byte(test.to), 1)
		if bytes.Equal(file, res.File) {
			t.Errorf("%s: no %s in\n%s", test.target, test.from, file)
		}
		reports(t, test.target+" "+test.to, verify(test.target, file, neighbours, plain, nil), test.file)
	}
}

// What the user's rules do after ours, or may do where they are not read, is an error until the
// next run puts ours last; what they do instead of ours stays one (N8e).
func TestHouse_RulesThatOverrideOursAreErrors(t *testing.T) {
	all := `"headers": [{"key": "x-robots-tag", "value": "all"}]}`
	for _, test := range []struct{ target, before, rule string }{
		{"vercel", "]", `, {"source": "/a/(.*)", ` + all},
		{"vercel", "]", `, {"source": "/a/:name(one|two%20words).pdf", ` + all},
		{"firebase", "]", `, {"source": "a/*.pdf", ` + all},
		{"firebase", "]", `, {"source": "/a/?*.pdf", ` + all},
		{"amplify", "", "  - pattern: 'a/[ot]*.pdf'\n    headers: [{key: X-Robots-Tag, value: all}]\n"},
	} {
		user := map[string]string{"amplify": "customHeaders:\n"}[test.target]
		file := must(t, test.target, []byte(user), neighbours, plain).File
		at := bytes.LastIndex(file, []byte(test.before))
		edited := slices.Concat(file[:at], []byte(test.rule), file[at:])
		reports(t, test.rule, verify(test.target, edited, neighbours, plain, nil), "a/one.pdf", "a/two words.pdf")
		res := must(t, test.target, edited, neighbours, plain)
		reports(t, test.rule+", run again", verify(test.target, res.File, neighbours, plain, nil))
	}

	user := []byte("{\"routes\": [\n{\"route\": \"/a/*\"},\n{\"route\": \"/b/three.html\", \"headers\": " +
		"{\"X-Robots-Tag\": \"googlebot:nosnippet\"}}, {\"route\": \"/index.html\", \"redirect\": \"/b/\"}]}")
	res := must(t, "azure", user, neighbours, plain)
	var said []string
	for _, p := range res.Findings {
		said = append(said, fmt.Sprintf("%d %s %s %s", p.Line, p.Severity, p.ID, p.URL))
	}
	want := []string{"2 error header-found a/one.pdf", "3 error header-found b/three.html"} // one for a line
	missed := []string{"a/one.pdf", "a/two words.pdf", "b/three.html"}
	if !slices.Equal(said, want) || !slices.Equal(res.Missed, missed) {
		t.Errorf("azure: %q, want %q, missed %q", said, want, res.Missed)
	}
	reports(t, "azure", verify("azure", res.File, neighbours, plain, nil),
		"a/one.pdf", "a/two words.pdf", "b/three.html")

	res = must(t, "apache", nil, neighbours, plain)
	ps := verify("apache", append(res.File, "Header unset X-Robots-Tag\n"...), neighbours, plain, nil)
	if len(ps) != 1 || ps[0].ID != "header-found" || ps[0].Severity != policy.Error ||
		ps[0].Line != 1+bytes.Count(res.File, []byte("\n")) {
		t.Errorf("apache: %+v", ps)
	}
}
