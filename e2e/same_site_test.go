//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/site/hugo/family"
	"metarobots/internal/tables"
)

// The sites on which TestSame compares two programs. Whatever a policy can say is in some of them:
// what no site says, no comparison proves.

// sourceArchives are the sources of sites of generators, by name, and what owners write for hosts.
type sourceArchives struct {
	generators []map[string]string
	owners     map[string][]string // by target
}

// sameSources reads the sites of TestSources and of TestGenerators, which are not built: their
// pages are published under plausible names, since both programs see the same.
func sameSources(t *testing.T) *sourceArchives {
	t.Helper()
	all := &sourceArchives{owners: map[string][]string{}}
	for _, site := range sourceSites {
		files := map[string]string{}
		for _, f := range tables.Value(txtar.ParseFile("testdata/sources/" + site.name +
			".txtar"))(t).Files {
			files[f.Name] = string(f.Data)
		}
		all.generators = append(all.generators, files)
	}
	for _, site := range generatorSites {
		files := map[string]string{}
		must(t, fs.WalkDir(os.DirFS(filepath.Join("generators", site.name)), ".", func(name string,
			e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.Contains(name, "node_modules") {
				files[name] = read(t, "generators", site.name, name)
			}
			return err
		}))
		all.generators = append(all.generators, files)
	}
	for _, f := range tables.Value(txtar.ParseFile("../emit/servers/testdata/owners.txtar"))(t).Files {
		target, _, _ := strings.Cut(f.Name, " ")
		all.owners[target] = append(all.owners[target], string(f.Data))
	}
	return all
}

// ownersFiles are where the owner of a site writes for a host.
var ownersFiles = map[string]string{
	"apache": "public/.htaccess", "nginx": "metarobots.nginx.conf", "caddy": "metarobots.caddy",
	"vercel": "vercel.json", "firebase": "firebase.json", "amplify": "customHttp.yml",
	"azure": "public/staticwebapp.config.json",
}

// sameVariants are those of the law, and targets that no engine here serves.
func sameVariants() (all []lawVariant) {
	for _, e := range lawEngines {
		all = append(all, e.variants...)
	}
	for _, targets := range []string{`"vercel"`, `"vercel"`, `"azure"`, `"amplify"`, `"apache"`,
		`"nginx"`, `"auto"`, `"none"`, `"netlify", "vercel"`, `"cloudflare", "azure"`} {
		all = append(all, lawVariant{targets: targets})
	}
	return all
}

// randomTrial makes a site of a seed. One in six has the sources of a generator.
func randomTrial(seed int, sources *sourceArchives) *trial {
	variants := sameVariants()
	s := &wideSketch{sketch: &sketch{Rand: rand.New(rand.NewPCG(uint64(seed), 41)),
		lawSite: randomSite(seed, fmt.Sprint("seed ", seed), variants[seed%len(variants)])},
		sources: sources}
	s.target = variants[seed%len(variants)].targets
	if seed%6 == 0 {
		s.generated()
	}
	s.widen()
	isFolder := func(name, _ string) bool { // a part that came later may have put files into it
		return slices.ContainsFunc(sortedKeys(s.files), func(other string) bool {
			return strings.HasPrefix(other, name+"/")
		})
	}
	maps.DeleteFunc(s.files, isFolder)
	return &trial{s.name + " (" + s.target + ")", s.files, siteOrders(seed, s.publishes())}
}

// A wideSketch adds to a site of the law whatever else a site and a policy can have.
type wideSketch struct {
	*sketch
	sources *sourceArchives
	// head are lines for [robots] and tail are tables behind everything.
	head, tail strings.Builder
}

// widen adds to a site.
func (s *wideSketch) widen() {
	for _, part := range []func(){s.versions, s.twins, s.redirectPages, s.lists, s.heads,
		s.frontMatter, s.ownersOf, s.robotsLines, s.settings, s.headerRules, s.robotsTable,
		s.visibility, s.environments, s.hosts, s.links} {
		if s.chance(45) {
			part()
		}
	}
	if s.chance(12) {
		s.slip()
	}
	policy := strings.Replace(s.files[policyFile], "[robots]\n", "[robots]\n"+s.head.String(), 1)
	s.files[policyFile] = policy + s.tail.String()
}

// generated replaces the site by the sources of a generator, and publishes a page for each of them.
func (s *wideSketch) generated() {
	sources := one(s.Rand, s.sources.generators...)
	policy := s.files[policyFile]
	policy = strings.Replace(policy, `generator = "html"`, `generator = "auto"`, 1)
	s.files[policyFile] = policy
	for name, text := range sources {
		if name != policyFile {
			s.files[name] = text
		}
	}
	for _, name := range sortedKeys(sources) {
		text := sources[name]
		if !strings.HasPrefix(text, "---\n") && !strings.Contains(name, "content/") {
			continue
		}
		if s.chance(25) && !strings.Contains(text, "robots") {
			s.files[name] = strings.Replace(text, "---\n", "---\n"+s.frontMatterLine(), 1)
		}
		stem := contentFolders.ReplaceAllString(strings.TrimSuffix(name, path.Ext(name)), "")
		for _, page := range []string{strings.TrimSuffix(stem, "index") + "/index.html", stem + ".html"} {
			if page = strings.Trim(path.Clean(page), "/"); s.chance(60) && !s.blocked(page) {
				s.add(page, s.tag())
			}
		}
	}
}

// contentFolders are those that no address has.
var contentFolders = regexp.MustCompile(
	`^(src/content/docs/|src/content/|src/pages/|src/|content/|source/|docs/)?(_posts/)?`)

// frontMatterLine is one that authors write for crawlers, right or wrong.
func (s *wideSketch) frontMatterLine() string {
	return one(s.Rand, "robots: noindex", "robots: [noindex, nofollow]", "noindex: true",
		"robots: {index: false, googlebot: nosnippet}", "unavailable_after: 2020-01-01",
		"unavailable_after: 2099-01-01", "ai: {training: deny}", "ai: false", "draft: true",
		"robots: {max-snippet: 20}", "noai: true", "sitemap: {disable: true}", "bingbot: noarchive",
		"seo: {noindex: yes}", "search: {exclude: true}", "allow_indexing: false",
		"canonical: https://other.example/a", "expiryDate: 2021-02-03", "robots: index", "robotsNoIndex: 1", "nosnippet: true") + "\n"
}

// frontMatter adds content files for some pages, which a manifest or a pattern names.
func (s *wideSketch) frontMatter() {
	var entries []string
	for _, name := range s.htmlPages() {
		if !s.chance(35) {
			continue
		}
		source := "content/" + strings.TrimSuffix(name, path.Ext(name)) + ".md"
		if s.blocked(source) {
			continue
		}
		s.files[source] = "---\ntitle: x\n" + s.frontMatterLine() + "---\n\nText.\n"
		entry, _ := json.Marshal(map[string]string{"file": name, "source": source})
		entries = append(entries, string(entry))
	}
	if s.chance(50) {
		s.files["metarobots.json"] = strings.Join(entries, "\n") + "\n"
	} else {
		fmt.Fprintf(&s.tail, "[site.content]\nfolders = [\"content\"]\npattern = \"/:path%s\"\n",
			one(s.Rand, "/", ".html", ""))
	}
}

// htmlPages are the names of the pages that are published.
func (s *wideSketch) htmlPages() []string {
	return slices.DeleteFunc(s.publishes(), func(name string) bool { return path.Ext(name) != ".html" })
}

// heads writes into pages what their heads and bodies may have beside robots tags.
func (s *wideSketch) heads() {
	for _, name := range s.htmlPages() {
		if !s.chance(40) {
			continue
		}
		at, other := "https://example.org"+s.at(name), "https://example.org"+s.at(s.file())
		head := one(s.Rand, `<link rel="canonical" href="`+at+`">`, `<link rel="canonical" href="`+at+`">`,
			`<link rel=canonical href="`+other+`">`,
			`<link rel="canonical" href="https://other.example/a">`,
			`<link rel="alternate" hreflang="de" href="`+other+`"><link rel="alternate" hreflang="en" href="`+at+`">`,
			`<meta name="robots" content="noindx">`, `<meta property="robots" content="noindex">`,
			`<meta name="metarobots" content='{"robots": "nosnippet", "section": "d"}'>`,
			`<meta name="googlebot" content="nosnippet"><meta name="robots" content="index, follow">`,
			`<meta name="robots" content="noai">`, `<base href="/d/">`, `<meta charset="utf-8">`)
		body := one(s.Rand, "", `<a href="https://shop.example/x">x</a>`,
			`<p class="quiet">words</p><a rel="me" href="//a.example">y</a>`,
			`<meta name="robots" content="noindex">`,
			`<div class="quiet">a</div><a class="comment" href="https://example.org/">z</a>`)
		text := strings.Replace(s.files["public/"+name], "</head>", head+"</head>", 1)
		s.files["public/"+name] = strings.Replace(text, "</body>", body+"</body>", 1)
	}
}

// versions publishes old versions of a documentation.
func (s *wideSketch) versions() {
	for _, version := range []string{"1.0", "1.9", "2.0", "latest", "next"} {
		for _, page := range []string{"index.html", "a.html", "b/index.html", "c.pdf"} {
			name := "docs/" + version + "/" + page
			if s.chance(70) {
				s.add(name, one(s.Rand, "", "",
					`<link rel="canonical" href="https://example.org/docs/`+version+`/`+page+`">`, s.tag()))
			}
		}
	}
	fmt.Fprintf(&s.tail, "[robots.visibility]\nallowEmpty = true\nversions = %q\n", one(s.Rand,
		"newest", "canonical", "canonical"))
	fmt.Fprintf(&s.tail, "[robots.versions]\nmatch = [%q]\n", one(s.Rand, "/docs/{version}/**",
		"/docs/{version}/**", "/Docs/{version}/**"))
}

// twins publishes pages again as text, and what lists them.
func (s *wideSketch) twins() {
	var links strings.Builder
	for _, name := range s.htmlPages() {
		if twin := strings.TrimSuffix(name, ".html") + one(s.Rand, ".md", ".txt",
			".html.md"); s.chance(30) && !s.blocked(twin) {
			s.add(twin, "")
		}
		fmt.Fprintf(&links, "- [page](%s)\n", one(s.Rand, "https://example.org", "")+s.at(name))
	}
	s.files["public/llms.txt"] = "# Site\n\n" + links.String()
}

// redirectPages publishes pages that lead elsewhere, and error pages.
func (s *wideSketch) redirectPages() {
	s.files["public/old.html"] = `<!DOCTYPE html><html><head>` +
		`<meta http-equiv="refresh" content="0; url=` + s.at(s.file()) + `">` +
		one(s.Rand, "", `<meta name="robots" content="noindex">`) + `</head></html>`
	s.add("500.html", s.tag())
	s.add("de/404.html", s.tag())
	fmt.Fprintf(&s.head, "redirects = %q\nerrorPages = %q\n", one(s.Rand, "keep", "clean"), one(s.Rand,
		"omit", "keep"))
}

// lists publishes sitemaps, feeds and search indexes of some pages.
func (s *wideSketch) lists() {
	var xml, plain, items strings.Builder
	for _, name := range s.publishes() {
		if s.chance(50) && !isControl(name) {
			at := one(s.Rand, "https://example.org", "https://example.org", "https://example.org", "",
				"https://www.example.org") + s.at(name)
			at = strings.ReplaceAll(at, "&", "&amp;")
			fmt.Fprintf(&xml, "<url><loc>%s</loc></url>\n", at)
			fmt.Fprintf(&plain, "%s\n", at)
			fmt.Fprintf(&items, "<item><link>%s</link><description>%s</description></item>\n", at,
				markOf(name))
		}
	}
	const space = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	s.files["public/sitemap.xml"] = `<?xml version="1.0"?><urlset ` + space + ">\n" + xml.String() +
		"</urlset>\n"
	s.files["public/feed.xml"] = "<rss><channel>\n" + items.String() + "</channel></rss>\n"
	if s.chance(30) {
		s.files["public/sitemap_index.xml"] = `<?xml version="1.0"?><sitemapindex ` + space +
			"><sitemap><loc>https://example.org/sitemap.xml</loc></sitemap></sitemapindex>\n"
		s.files["public/list.txt"] = plain.String()
		s.files["public/robots.txt"] += "Sitemap: https://example.org/list.txt\n"
	}
	s.files["public/robots.txt"] += "Sitemap: https://example.org/" + one(s.Rand, "sitemap.xml",
		"sitemap.xml", "absent.xml") + "\n"
	fmt.Fprintf(&s.tail, "[robots.sitemap]\nfilter = %t\ndisallowed = %q\n", s.chance(80), one(s.Rand,
		"keep", "drop"))
	if s.chance(30) {
		fmt.Fprintf(&s.tail, "except = [%s]\n", s.glob())
	}
}

// ownersOf writes files of the owner's for some host, a target or not.
func (s *wideSketch) ownersOf() {
	for _, host := range sortedKeys(ownersFiles) {
		if s.chance(15) || strings.Contains(s.target, host) && s.chance(70) {
			if name := ownersFiles[host]; s.files[name] == "" || s.chance(40) {
				s.files[name] = one(s.Rand, s.sources.owners[host]...)
			}
		}
	}
	switch s.IntN(6) {
	case 0:
		s.files["vercel.json"] = fmt.Sprintf(`{"cleanUrls": %t, "trailingSlash": %t,
 "rewrites": [{"source": %q, "destination": %q}],
 "redirects": [{"source": %q, "destination": %q, "permanent": true}]}`, s.chance(50), s.chance(50),
			one(s.Rand, "/new", "/app/:path*"), "/"+s.file(), "/gone", s.at(s.file()))
	case 1:
		s.files["functions/_middleware.js"] = "export const onRequest = () => { headers.set('X-Robots-Tag', 'noindex') }\n"
	case 2:
		s.files["web.config"] = "<configuration><add name=\"X-Robots-Tag\" value=\"noindex\"/></configuration>\n"
	case 3:
		s.files["fly.toml"] = "app = \"lamps\"\n"
	case 4:
		s.files["public/d/.htaccess"] = "Header set X-Robots-Tag noindex\n"
	}
}

// robotsLines adds groups and signals to robots.txt, and an own tdmrep.json.
func (s *wideSketch) robotsLines() {
	var b strings.Builder
	for range 1 + s.IntN(3) {
		for range 1 + s.IntN(2) {
			fmt.Fprintf(&b, "User-agent: %s\n", one(s.Rand, "*", "Googlebot", "GPTBot",
				"Google-Extended", "ClaudeBot", "CCBot", "Bingbot",
				"__usage_ai-training", "OAI-SearchBot", "anthropic-ai"))
		}
		for range 1 + s.IntN(3) {
			b.WriteString(one(s.Rand, "Disallow: /", "Allow: /", "Disallow:",
				"Disallow: "+s.at(s.file()), "Crawl-delay: 5",
				"Content-Signal: search=yes, ai-train=no", "Content-Usage: train-ai=n",
				"Content-Usage: "+s.at(s.file())+" train-ai=y",
				"Clean-param: ref /", "Noindex: /x", "Disallow: /*.pdf$", "Disallow: /%7Ejoe/",
				"Allow: "+s.at(s.file())) + "\n")
		}
		b.WriteString("\n")
	}
	s.files["public/robots.txt"] += b.String()
	if s.chance(20) {
		s.files["public/.well-known/tdmrep.json"] = `[{"location": "` + s.at(s.file()) +
			`", "tdm-reservation": 1}]`
	}
}

// settings chooses what single keys of [robots] say.
func (s *wideSketch) settings() {
	for _, line := range []string{`page = "overrides"`, `found = "replace"`, `redundant = "keep"`,
		`none = true`, `resources = "own"`,
		`crawlers = ["florabot"]`, `crawlerLists = ["ai.robots-2026-11-01.json"]`,
		`suppress = [{ id = "canonical-to-noindex", reason = "so" }]`,
		`frontmatter = { quiet = "noarchive" }`,
		`errorPaths = { match = ["/p.html"], except = ["/404.html"] }`} {
		if s.chance(15) {
			s.head.WriteString(line + "\n")
		}
	}
	s.files["ai.robots-2026-11-01.json"] = `{"LampBot": {"operator": "x", "function": "Training of models"},
 "GPTBot": {"operator": "y", "function": "x"}, "Googlebot": {"function": "search"},
 "AI Glass": {"function": "AI search"}}`
}

// headerRules adds rules for other headers.
func (s *wideSketch) headerRules() {
	if strings.Contains(s.files[policyFile], "rules = [{") {
		return
	}
	for range 1 + s.IntN(3) {
		fmt.Fprintf(&s.tail, "[[robots.headers.rules]]\nmatch = [%s]\nallowEmpty = true\n%s\n",
			s.glob(), one(s.Rand,
				`link = [{ rel = "canonical", to = "{page}" }]`,
				`link = [{ rel = "canonical", to = "https://www.example.net{path}" }]`,
				`link = [{ rel = "alternate", to = "{dir}{name}.md", type = "text/markdown" }]`,
				`link = [{ rel = "license", to = "/license.html" }]`,
				`set = { tdm-policy = "https://example.org/tdm" }`,
				`set = { Content-Usage = "train-ai=n", Content-Signal = "ai-train=no" }`,
				"set = { Referrer-Policy = \"same-origin\" }\nallow = true"))
	}
}

// robotsTable says what robots.txt gets.
func (s *wideSketch) robotsTable() {
	s.tail.WriteString("[robots.txt]\n")
	for _, line := range []string{`block = ["ai-training"]`, `contentSignal = "search=yes, ai-train=no"`,
		`contentUsage = ["train-ai=n"]`, `managed = "cloudflare"`,
		`sitemaps = ["https://example.org/sitemap.xml"]`,
		one(s.Rand, `write = "replace"`, `previews = "open"`, `previews = "open"`),
		fmt.Sprintf(`groups = [{ agents = ["bingbot"], disallow = [%q], crawlDelay = 2 }, `+
			`{ agents = ["gptbot"], allow = [%q], standalone = true }]`,
			s.at(s.file()), s.at(s.file()))} {
		if s.chance(35) {
			s.tail.WriteString(line + "\n")
		}
	}
}

// visibility hides what there is and what there is not.
func (s *wideSketch) visibility() {
	if strings.Contains(s.tail.String(), "[robots.visibility]") {
		return
	}
	fmt.Fprintf(&s.tail, "[robots.visibility]\nallowEmpty = %t\n", s.chance(80))
	for _, line := range []string{`kinds = { home = "noarchive", section = false }`,
		`archives = { paginated = false }`,
		`sections = { d = false, docs = { ai = { training = "deny" } } }`,
		`languages = { de = "notranslate" }`, `types = { legal = false }`,
		`formats = { html = "nosnippet" }`} {
		if s.chance(40) {
			s.tail.WriteString(line + "\n")
		}
	}
}

// environments says what a preview states, and may make this build one.
func (s *wideSketch) environments() {
	fmt.Fprintf(&s.tail, "[robots.environments]\npreview = %s\nproduction = %s\n", one(s.Rand,
		`"noindex"`, `true`,
		`{ index = false, ai = false }`, `{ ai = { training = "deny" } }`), one(s.Rand, `true`, `true`,
		`"noarchive"`, `{ ai = { input = "deny" } }`))
}

// hosts says what is at other hosts.
func (s *wideSketch) hosts() {
	fmt.Fprintf(&s.tail, "[robots.hosts]\nothers = %q\n", one(s.Rand, "noindex", "redirect", "keep"))
	if s.chance(50) {
		s.tail.WriteString("own = [\"example.org\", \"www.example.org\"]\n")
	}
	if s.chance(50) {
		s.tail.WriteString("also = [\"lamps.netlify.app\", \"second.example\"]\n")
	}
	if s.chance(30) && strings.Contains(s.target, "cloudflare") && s.files["wrangler.jsonc"] == "" {
		s.files["wrangler.toml"] = "name = \"lamps\"\npages_build_output_dir = \"public\"\n" +
			"[env.staging]\nroute = \"staging.example.org/*\"\n"
	}
}

// links says what links get, and what of texts is no snippet.
func (s *wideSketch) links() {
	s.tail.WriteString("[robots.links]\nnosnippet = [\"quiet\"]\nrules = [{ rel = \"ugc\", class = \"comment\" }, " +
		"{ rel = \"sponsored\", hosts = [\"*.example\"], except = [\"a.example\"] }]\n")
	if s.chance(50) {
		s.tail.WriteString("own = [\"*.example.net\"]\n")
	}
}

// slip makes a mistake in the policy, in a file of the owner's, or in front matter. Some end each
// run with an error, which is why few sites have one.
func (s *wideSketch) slip() {
	switch s.IntN(9) {
	case 0:
		s.head.WriteString("visiblity = {}\n")
	case 1:
		s.tail.WriteString("[[robots.rules]]\nmatch = [\"/nothing/**\"]\nrobots = \"noindex\"\n")
	case 2:
		s.tail.WriteString("[[robots.rules]]\nmatch = [\"/P.html\", \"/d/**\"]\n" +
			"except = [\"/none\"]\nrobots = \"noindex\"\n")
	case 3:
		s.tail.WriteString("[[robots.rules]]\nmatch = [\"/**\"]\nrobots = \"noindx\"\n")
	case 4:
		s.files["public/_headers"] += "/p.html\n  X-Robots-Tag noindex\n/q\n  X-Robots-Tag: google: noindex\n"
	case 5:
		s.files["public/_redirects"] += "/a /b /c 200\n/p /absent.html 200\n"
	case 6:
		s.files["public/robots.txt"] += "Useragent: GPTBot\nDissallow: /\n"
	case 7:
		s.tail.WriteString("[[robots.rules]]\nmatch = [\"/**/*.pdf\"]\nallowEmpty = true\n" +
			"robots = \"noindex\"\nagents = { nobot = \"noindex\" }\n")
	case 8:
		s.files["content/x.md"] = "---\nrobots: noindx\n---\n"
	}
}

// siteOrders are what is run on a site of files: check and apply, what shows the decisions, the
// same of a served copy, a preview over it, and a policy that states nothing. Each seed has some of
// them: all of them would take a second.
func siteOrders(seed int, published []string) (orders []order) {
	r := rand.New(rand.NewPCG(uint64(seed), 42))
	published = slices.DeleteFunc(published, isControl)
	at := func() string { return "/" + one(r, published...) }
	of := func(name string, args ...string) order {
		return order{name: name, args: append([]string{name}, args...)}
	}
	writing := func(o order) order { o.writes = true; return o }
	asking := func(o order) order {
		o.name += " URL"
		o.args = append(o.args, "--allow-private", "--rate", "0", "--retries", "0")
		return o
	}
	report := one(r, []string{"json"}, []string{"sarif"}, []string{"github"}, []string{"csv",
		"--what=findings"}, []string{"csv"},
		[]string{"markdown"}, []string{"markdown", "--audience=client"}, []string{"html"},
		[]string{"html", "--audience=client"})
	plain := "[site]\ngenerator = \"html\"\ndestination = \"public\"\nbaseURL = \"https://example.org/\"\n"
	loose := writing(of("apply", one(r, "-v", "-q")))
	loose.name, loose.edits = "apply without rules", map[string]string{policyFile: plain}
	for _, some := range []struct {
		percent int
		order   order
	}{
		{30, of("check", one(r, "--json", "-v", "--findings-only", "--fail-on=warning"))},
		{30, of("apply", "--dry-run", "--diff", "-v")},
		{100, writing(of("apply", "--json"))},
		{50, writing(of("apply", "-v"))},
		{70, of("explain", "-v", at(), at(), one(r, at(), "/absent/"))},
		{40, of("explain", one(r, "--ai", "--json"), at())},
		{40, of("list", one(r, "--why", "--noindex", "--restricted", "--crawler=gptbot", "--json"))},
		{60, of("report", append([]string{"--format"}, report...)...)},
		{100, writing(of("snapshot"))},
		{60, asking(of("verify", deployed, "--against", "metarobots.lock.json", one(r, "--json", "-v",
			"-q")))},
		{50, asking(one(r, of("verify", deployed), of("list", deployed, "--why"), of("snapshot",
			deployed, "-o", "-"),
			of("explain", deployed+strings.TrimPrefix(at(), "/")), of("diff", "metarobots.lock.json",
				deployed),
			of("report", deployed, "--format", "json")))},
		{60, writing(of("apply", "-e", "preview", one(r, "--json", "-v")))},
		{50, writing(of("snapshot", "-e", "preview", "-o", "preview.json"))},
		{50, of("diff", "metarobots.lock.json", "preview.json", one(r, "--json", "-v",
			"--ignore-environment"))},
		{50, of("check", "--baseline", "metarobots.lock.json", one(r, "-v", "--json"))},
		{50, loose},
	} {
		if r.IntN(100) < some.percent {
			orders = append(orders, some.order)
		}
	}
	return orders
}

// hugoTrials are site-example with its policy, and sites of Hugo's features with random ones.
func hugoTrials(t *testing.T, first, n int) (all []*trial) {
	t.Helper()
	example := map[string]string{"config.toml": read(t, "../config.toml")}
	for name, text := range tables.Tree(t, "../site-example") {
		example["site-example/"+name] = text
	}
	all = append(all, &trial{name: "site-example", files: example, orders: hugoOrders(1, "site-example/")})
	sites := family.Sites(t)
	for seed := first; seed < first+n; seed++ {
		s := sites[seed%len(sites)]
		r := rand.New(rand.NewPCG(uint64(seed), 44))
		files := maps.Clone(s.Files)
		files[policyFile] = hugoPolicy(r)
		all = append(all, &trial{name: fmt.Sprintf("seed %d (Hugo, %s)", seed, s.Name), files: files,
			orders: hugoOrders(seed, "")})
	}
	return all
}

// hugoPolicy is a policy whose names may be of nothing that the site has.
func hugoPolicy(r *rand.Rand) string {
	rules := []string{"match = [\"/**\"]\nkinds = [\"page\"]\nrobots = \"noarchive\"\n",
		"match = [\"/**/*.xml\"]\nrobots = \"noindex\"\n",
		"match = [\"/posts/**\", \"/a/**\"]\nrobots = \"noindex\"\n",
		"match = [\"/**/*.{jpg,png,txt,pdf}\"]\nagents = { googlebot-image = \"noindex\" }\n",
		"match = [\"/de/**\"]\nai = { training = \"deny\" }\n"}
	var b strings.Builder
	fmt.Fprintf(&b, "[robots]\nguard = { allow = true }\nexpiry = %t\ntwins = %q\nresources = %q\n",
		r.IntN(2) == 0,
		one(r, "auto", "canonical", "noindex"), one(r, "inherit", "own"))
	fmt.Fprintf(&b, "[robots.headers]\ntargets = [%s]\n", one(r, `"netlify"`, `"cloudflare"`,
		`"portable"`, `"apache"`, `"vercel"`, `"nginx", "firebase"`))
	fmt.Fprintf(&b, "[robots.visibility]\nallowEmpty = true\n%s\n", one(r,
		"kinds = { taxonomy = false, term = false }",
		"archives = { tags = false, paginated = false }", "formats = { rss = false }",
		"languages = { de = false }", "sections = { posts = \"noindex, nofollow\" }"))
	fmt.Fprintf(&b, "[robots.ai]\n%s\ncarriers = [%s]\n", one(r, `training = "deny"`,
		`search = "allow"`, ""),
		one(r, `"robots.txt"`, `"content-usage", "tdmrep.json"`, `"robots.txt", "content-signal", "noai"`))
	for _, rule := range rules {
		if r.IntN(2) == 0 {
			b.WriteString("[[robots.rules]]\nallowEmpty = true\n" + rule)
		}
	}
	return b.String()
}

// hugoOrders are what is run on a site that Hugo builds; dir is where its public folder is.
func hugoOrders(seed int, dir string) []order {
	r := rand.New(rand.NewPCG(uint64(seed), 45))
	lock := one(r, "lock.json", "metarobots.lock.json")
	return []order{
		{name: "build --dry-run", args: []string{"build", "--dry-run", "--json"}},
		{name: "build", args: []string{"build", "--json"}, writes: true},
		{name: "check", args: []string{"check", "-v"}},
		{name: "apply", args: []string{"apply", "-v"}, writes: true},
		{name: "report", args: []string{"report", "--format", one(r, "json", "markdown", "csv", "sarif")}},
		{name: "explain", args: []string{"explain", "-v", "/", dir + "content/_index.md"}},
		{name: "list", args: []string{"list", "--why"}},
		{name: "snapshot", args: []string{"snapshot", "-o", lock}, writes: true},
		{name: "build -e staging", args: []string{"build", "-e", "staging", "-D", one(r, "--minify",
			"-F"), "-v"}, writes: true},
		{name: "check --baseline", args: []string{"check", "--baseline", lock, "--json"}},
	}
}
