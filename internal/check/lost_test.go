package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// An owned file states noindex for /a.pdf or for all, or for the page /p/ as its front matter.
type owned struct {
	name, text string
	target     string   // of the header rules
	keys       string   // an expression whose first group is a key
	neighbours []string // where the file may be put instead
}

const (
	jsonKeys = `"([\w-]+)"\s*:`
	tomlKeys = `(?m)^\[*([\w.-]+)[\] ]`
	yamlKeys = `(?m)^[ -]*([\w-]+):`
	wordKeys = `(?m)^[ \t<]*([A-Za-z_]+)`
)

// ownedFiles are valid files of each host.
var ownedFiles = []owned{
	{"public/_headers", "/a.pdf\n  X-Robots-Tag: noindex\n", "netlify", `(?m)^  ([\w-]+):`,
		[]string{"_headers", "static/_headers", "public/sub/_headers", "src/public/_headers"}},
	{"public/_headers", "/*\n  X-Frame-Options: DENY\n  X-Robots-Tag: noindex\n", "cloudflare", `(?m)^  ([\w-]+):`,
		[]string{"_headers", "public/d/_headers", "functions/_headers"}},
	{"netlify.toml", "[build]\npublish = \"public\"\n[[headers]]\nfor = \"/a.pdf\"\n[headers.values]\nX-Robots-Tag = \"noindex\"\n",
		"netlify", tomlKeys, []string{"deploy/netlify.toml", "public/netlify.toml", "vercel.toml", "wrangler.toml", "fly.toml"}},
	{"netlify.toml", "[[headers]]\nfor = \"/*\"\n  [headers.values]\n  X-Robots-Tag = [\"noindex\", \"nosnippet\"]\n", "portable",
		tomlKeys, []string{"web/netlify.toml"}},
	{"vercel.json", `{"headers": [{"source": "/a.pdf", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]}`, "vercel",
		jsonKeys, []string{"now.json", "web/vercel.json", "public/vercel.json", "static.json", "serve.json"}},
	{"vercel.json", "{\n  \"cleanUrls\": true,\n  \"headers\": [\n    {\n      \"source\": \"/(.*)\",\n      \"headers\": [\n" +
		"        {\n          \"key\": \"X-Robots-Tag\",\n          \"value\": \"noindex\"\n        }\n      ]\n    }\n  ]\n}\n",
		"vercel", jsonKeys, []string{"vercel.ts", "apps/web/vercel.json", "vercel.mjs"}},
	{"firebase.json", `{"hosting": {"public": "public", "headers": [{"source": "/a.pdf", "headers": [{"key": "X-Robots-Tag", ` +
		`"value": "noindex"}]}]}}`, "firebase", jsonKeys, []string{"hosting/firebase.json", "static.json"}},
	{"firebase.json", "{\n \"hosting\": {\n  \"public\": \"public\",\n  \"headers\": [{\n   \"source\": \"**\",\n   \"headers\": [{\n" +
		"    \"key\": \"X-Robots-Tag\",\n    \"value\": \"noindex\"\n   }]\n  }]\n }\n}\n", "firebase", jsonKeys, nil},
	{"customHttp.yml", "customHeaders:\n  - pattern: '/a.pdf'\n    headers:\n      - key: 'X-Robots-Tag'\n        value: 'noindex'\n",
		"amplify", yamlKeys, []string{"amplify.yml", "render.yaml", "app.yaml", "web/customHttp.yml"}},
	{"public/staticwebapp.config.json", `{"routes": [{"route": "/a.pdf", "headers": {"X-Robots-Tag": "noindex"}}]}`, "azure",
		`"(routes|route|headers)"\s*:`, []string{"staticwebapp.config.json", "public/sub/staticwebapp.config.json"}},
	{"public/staticwebapp.config.json", "{\n \"globalHeaders\": {\n  \"X-Robots-Tag\": \"noindex\"\n }\n}\n", "azure",
		`"(globalHeaders)"\s*:`, nil},
	{"public/.htaccess", "Header set X-Robots-Tag \"noindex\"\n", "apache", wordKeys,
		[]string{"public/d/.htaccess", "deploy/.htaccess", "httpd.conf", "conf/site.conf"}},
	{"public/.htaccess", "<IfModule mod_headers.c>\n  <Files \"a.pdf\">\n    Header set X-Robots-Tag \"noindex\"\n  </Files>\n</IfModule>\n",
		"apache", wordKeys, []string{"public/sub/.htaccess"}},
	{"metarobots.nginx.conf", "add_header X-Robots-Tag \"noindex\" always;\n", "nginx", wordKeys,
		[]string{"nginx.conf", "deploy/nginx.conf.template", "default.conf"}},
	{"metarobots.caddy", "header X-Robots-Tag \"noindex\"\n", "caddy", wordKeys, []string{"Caddyfile", "deploy/Caddyfile", "site.caddy"}},
}

// ownedContent is front matter of each form.
var ownedContent = []owned{
	{"content/p.md", "---\ntitle: P\nrobots: noindex\n---\ntext\n", "", `(?m)^(robots):`,
		[]string{"docs/p.md", "src/pages/p.mdx", "wiki/deep/p.markdown"}},
	{"content/p.md", "---\nrobots: \"noindex, nofollow\"\n---\n", "", `(?m)^(robots):`, nil},
	{"content/p.md", "---\nnoindex: true\n---\n", "", `(?m)^(noindex):`, []string{"docs/p.md"}},
	{"content/p.md", "---\nrobots: [noindex]\n---\n", "", `(?m)^(robots):`, nil},
	{"content/p.md", "---\nrobots:\n  index: false\n---\n", "", `(?m)^(robots):`, nil},
	{"content/p.md", "---\nseo:\n  noindex: true\n---\n", "", `(?m)^  (noindex):`, nil},
	{"content/p.md", "+++\ntitle = \"P\"\nrobots = \"noindex\"\n+++\n", "", `(?m)^(robots) =`, []string{"docs/p.md"}},
	{"content/p.md", "+++\n[seo]\nnoindex = true\n+++\n", "", `(?m)^(noindex) =`, nil},
	{"content/p.md", "{\n\"robots\": \"noindex\"\n}\n", "", `"(robots)":`, []string{"docs/p.md"}},
	{"content/p.org", "#+title: P\n#+robots: noindex\n\ntext\n", "", `(?m)^#\+(robots):`, []string{"docs/p.org"}},
}

// jsonNests and others put a text into another form of its language.
var nests = map[string][]func(string) string{
	jsonKeys: {
		func(s string) string { return `{"builds": ` + s + `}` },
		func(s string) string { return `[` + s + `]` },
		func(s string) string {
			return strings.Replace(s, `"headers"`, `"has": [{"type": "host", "value": "x"}], "headers"`, 1)
		},
		func(s string) string {
			return strings.Replace(s, `"key"`, `"has": [{"type": "host", "value": "x"}], "key"`, 1)
		},
	},
	tomlKeys: {
		func(s string) string {
			return "[context.production]\nx = 1\n" + strings.ReplaceAll(s, "[[headers", "[[context.production.headers")
		},
		func(s string) string { return strings.ReplaceAll(s, "[[headers]]", "[headers]") },
		func(s string) string { return strings.ReplaceAll(s, "[headers.values]", "[[headers.values]]") },
		func(s string) string { return strings.ReplaceAll(s, "[headers.values]", "[headers.value]") },
		func(s string) string { return strings.ReplaceAll(s, "[[headers", "[[build.headers") },
		func(s string) string { return strings.ReplaceAll(s, "X-Robots-Tag =", "\"X-Robots-Tag \" =") },
		func(s string) string { return strings.ReplaceAll(s, "X-Robots-Tag =", "\"X-Robots-Tag\" =") },
		func(s string) string { return strings.ReplaceAll(s, "for = \"/", "for = \"") },
		func(s string) string {
			return strings.ReplaceAll(s, "[headers.values]", "[headers.conditions]\nlanguage = [\"en\"]\n[headers.values]")
		},
	},
	yamlKeys: {
		func(s string) string { return "x:\n  " + strings.ReplaceAll(s, "\n", "\n  ") },
		func(s string) string { return "- " + strings.ReplaceAll(s, "\n", "\n  ") },
	},
	wordKeys: {
		func(s string) string { return "<If \"%{HTTP_HOST} == 'x'\">\n" + s + "</If>\n" },
		func(s string) string { return "<Location /a>\n" + s + "</Location>\n" },
		func(s string) string { return "location /a {\n" + s + "}\n" },
		func(s string) string { return "@x path /a.pdf\n" + s },
		func(s string) string { return strings.Replace(s, "X-Robots-Tag", "\\\nX-Robots-Tag", 1) },
		func(s string) string { return strings.Replace(s, "X-Robots-Tag", "x-ROBOTS-tag", 1) },
		func(s string) string { return strings.Replace(s, "\"noindex\"", "noindex env=preview", 1) },
		func(s string) string { return strings.Replace(s, "\"noindex\"", "\"expr=noindex\"", 1) },
		func(s string) string { return strings.Replace(s, "set", "setifempty", 1) },
		func(s string) string { return strings.Replace(s, "set", "edit", 1) },
	},
}

// inMatter puts front matter into another form.
var inMatter = []func(string) string{
	func(s string) string { return "# A heading\n\n" + s },
	func(s string) string { return "<!-- a comment -->\n" + s },
	func(s string) string { return "---\ntitle: first\n---\n" + s },
	func(s string) string { return "\ufeff" + s },
	func(s string) string { return "\n\n" + s },
	func(s string) string { return "# -*- mode: org -*-\n\n" + s },
	func(s string) string {
		return regexp.MustCompile(`(?m)^(robots|noindex)`).ReplaceAllString(s, "theme:\n  page:\n    $1")
	},
	func(s string) string {
		return regexp.MustCompile(`(?m)^(robots|noindex)`).ReplaceAllString(s, "head:\n  - $1")
	},
	func(s string) string {
		return strings.Replace(s, "robots: noindex", "head: [[meta, {name: robots, content: noindex}]]", 1)
	},
	func(s string) string {
		return strings.Replace(s, "robots: noindex", "head: [{tag: meta, attrs: {name: robots, content: noindex}}]", 1)
	},
	func(s string) string {
		return strings.Replace(s, "robots: noindex", "metas: [{name: robots, content: noindex}]", 1)
	},
	func(s string) string { return strings.Replace(s, "\nnoindex: true", "\n"+"indexable: false", 1) },
	func(s string) string { return strings.Replace(s, "\nnoindex: true", "\n"+"allow_indexing: false", 1) },
	func(s string) string {
		return strings.Replace(s, "\nnoindex: true", "\n"+"exclude_from_google: true", 1)
	},
	func(s string) string {
		return strings.Replace(s, "\nnoindex: true", "\n"+"hide_from_search_engines: yes", 1)
	},
	func(s string) string { return strings.ReplaceAll(s, "noindex", "NoIndex") },
}

// orgMatter puts keywords of Org into another place.
var orgMatter = []func(string) string{
	func(s string) string { return "# -*- mode: org -*-\n\n" + s },
	func(s string) string { return "\n\n" + s },
	func(s string) string { return "* A heading\n" + s },
	func(s string) string { return strings.Replace(s, "#+robots", "  #+robots", 1) },
	func(s string) string {
		return strings.Replace(s, "#+robots", ":PROPERTIES:\n:ID: 1\n:END:\n#+robots", 1)
	},
	func(s string) string {
		return strings.Replace(s, "#+robots", "#+begin_comment\nx\n#+end_comment\n#+robots", 1)
	},
}

// onKey changes a key. What is made of it may be a key that nobody reads.
var onKey = []func(string) string{
	func(s string) string { return "x" + s },
	func(s string) string { return "my_" + s },
	func(s string) string { return s + "s" },
	func(s string) string { return s + "_meta" },
	func(s string) string { return "site." + s },
	strings.ToUpper,
	func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	func(s string) string { return s[:len(s)-1] },
	func(s string) string { return s[:1] + s },
	func(s string) string { return s[:len(s)/2] + "-" + s[len(s)/2:] },
}

// onLines changes lines.
var onLines = []func(line string) string{
	func(s string) string { return "  " + s },
	func(s string) string { return "\t" + s },
	func(s string) string { return s + "   " },
	func(s string) string { return s + "\r" },
	func(s string) string { return s + "\n" },
	func(s string) string { return s + "\n" + s },
	func(s string) string { return strings.ReplaceAll(s, `"`, `'`) },
	func(s string) string { return strings.ReplaceAll(s, `'`, `"`) },
	func(s string) string { return strings.ReplaceAll(s, `"`, ``) },
	func(s string) string { return strings.ReplaceAll(s, ": ", ":") },
	func(s string) string { return strings.ReplaceAll(s, " = ", "=") },
	func(s string) string { return strings.ReplaceAll(s, ", ", ",\n  ") },
	strings.TrimSpace,
}

// mutate returns a file with one change, or several.
func (o owned) mutate(r *rand.Rand) owned {
	for range 1 + r.IntN(3) {
		switch r.IntN(10) {
		case 0, 1, 2:
			keys := regexp.MustCompile(o.keys).FindAllStringSubmatchIndex(o.text, -1)
			if len(keys) == 0 {
				continue
			}
			k := keys[r.IntN(len(keys))]
			if key := o.text[k[2]:k[3]]; !strings.EqualFold(key, "X-Robots-Tag") && len(key) > 2 {
				o.text = o.text[:k[2]] + pick(r, onKey...)(key) + o.text[k[3]:]
			} else {
				o.text = o.text[:k[2]] + pick(r, strings.ToUpper, strings.ToLower)(key) + o.text[k[3]:]
			}
		case 3, 4, 5:
			lines := strings.Split(strings.TrimSuffix(o.text, "\n"), "\n")
			i := r.IntN(len(lines))
			lines[i] = pick(r, onLines...)(lines[i])
			o.text = strings.Join(lines, "\n") + "\n"
		case 6, 7, 8:
			forms := nests[o.keys]
			if o.target == "" {
				forms = inMatter
			}
			if strings.HasSuffix(o.name, ".org") { // it has no lists
				forms = orgMatter
			}
			if len(forms) > 0 {
				o.text = pick(r, forms...)(o.text)
			}
		default:
			if len(o.neighbours) > 0 {
				o.name = pick(r, o.neighbours...)
			}
		}
	}
	return o
}

// lostOn runs metarobots over a site with an owner's file, and returns what became of it: "counts",
// "named" or "".
func lostOn(t *testing.T, o owned) (outcome string, findings []policy.Finding) {
	t.Helper()
	policyText := "[site]\ngenerator = \"html\"\ndestination = \"public\"\nbaseURL = \"https://a.example/\"\n"
	if o.target == "" {
		policyText += "content = { folders = [\"content\"] }\n"
	} else {
		policyText += fmt.Sprintf("[robots]\nguard.allow = true\n[robots.headers]\ntargets = [%q]\n", o.target)
	}
	dir := tables.Folder(t, map[string]string{"metarobots.toml": policyText, "public/index.html": html(""),
		"public/p/index.html": html(""), "public/a.pdf": "pdf", "public/d/b.pdf": "pdf", "content/open.md": "# open\n",
		o.name: o.text})
	defer os.RemoveAll(dir)
	ctx := context.Background()
	p, err := project.Open(ctx, project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML())
	if err != nil {
		return namedBy(err.Error(), o), nil
	}
	defer p.Close()
	s, err := plan.New(ctx, p)
	if err != nil {
		return namedBy(err.Error(), o), nil
	}
	for _, pg := range s.Pages {
		isOwn := func(st policy.Statement) bool {
			return st.Directives.Restricts() && strings.HasSuffix(o.name, st.Origin.File)
		}
		if slices.ContainsFunc(pg.Decision.Statements, isOwn) {
			return "counts", nil
		}
	}
	findings = check.All(s)
	for _, f := range findings {
		if f.ID != "no-page" && f.File == o.name || strings.Contains(f.Text(), path.Base(o.name)) {
			return "named", nil
		}
		if f.ID == "no-page" && f.File == o.name && f.Severity == policy.Error {
			return "named", nil
		}
	}
	return "", findings
}

func namedBy(message string, o owned) string {
	if strings.Contains(message, path.Base(o.name)) {
		return "named"
	}
	return ""
}

// The first law: whatever an owner does to a file that restricts, the restriction counts, or a
// finding names the file (F3d, F4a, N8, N9a, N9e).
func TestLaw_NoRestrictionIsLostInSilence(t *testing.T) {
	n := tables.Cases(400, 12_000)
	all := slices.Concat(ownedFiles, ownedContent)
	for _, o := range all {
		if outcome, findings := lostOn(t, o); outcome != "counts" {
			t.Errorf("%s for %s is %q, not counted:\n%s\n%v", o.name, o.target, outcome, o.text, findings)
		}
	}
	outcomes := map[string]int{}
	silent := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 39))
		o := all[seed%len(all)].mutate(r)
		outcome, findings := lostOn(t, o)
		if outcomes[outcome]++; outcome == "" {
			if silent++; silent <= 25 {
				t.Errorf("seed %d: %s for %q is lost in silence:\n%s\n%v", seed, o.name, o.target, o.text, findings)
			}
		}
	}
	t.Logf("%d mutations of %d files: %d count, %d are named by a finding, %d are lost in silence",
		n, len(all), outcomes["counts"], outcomes["named"], outcomes[""])
	if outcomes["counts"] == 0 || outcomes["named"] == 0 {
		t.Error("the law compared nothing")
	}
}
