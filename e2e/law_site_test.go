//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// A lawSite is a site before metarobots has seen it, with its policy and its owner's files.
type lawSite struct {
	name string
	// files are those of its folder, by name; what is published is below public/.
	files map[string]string
	// asks are request paths that its rewrites are about.
	asks []string
	// wanted are the lines of a case that say what an engine answers, and what metarobots reports.
	wanted []string
}

// publishes are the names of the files that are published, sorted.
func (s *lawSite) publishes() (names []string) {
	for name := range s.files {
		if file, ok := strings.CutPrefix(name, "public/"); ok {
			names = append(names, file)
		}
	}
	slices.Sort(names)
	return names
}

// add publishes a file that bears its mark, with tags in its head if it is a page.
func (s *lawSite) add(name, tags string) {
	text := markOf(name) + "\n"
	if strings.HasSuffix(strings.ToLower(name), ".html") || strings.HasSuffix(name, ".htm") {
		text = "<!DOCTYPE html>\n<html><head><title>x</title>" + tags + "</head><body>" + markOf(name) + "</body></html>\n"
	}
	s.files["public/"+name] = text
}

// probes are the files by which is known what an engine has read.
func (s *lawSite) probes() {
	s.files["public/probe.txt"] = markOf("probe.txt")
	s.add("probe-page.html", "")
	s.add("probe-folder/index.html", "")
	s.files["public/_redirects"] = "# " + markOf("_redirects") + "\n/probe /probe-" + loadMark + " 302\n" + s.files["public/_redirects"]
	s.files["public/_headers"] = "# " + markOf("_headers") + "\n/probe.txt\n  X-Probe: " + loadMark + "\n" + s.files["public/_headers"]
	s.files["netlify.toml"] = netlifyOwners + "[[redirects]]\nfrom = \"/probe-toml\"\nto = \"/probe-" + loadMark +
		"\"\nstatus = 302\n" + s.files["netlify.toml"]
}

// sketch makes a random site.
type sketch struct {
	*rand.Rand
	*lawSite
	target string
}

// one chooses.
func one[V any](r *rand.Rand, all ...V) V { return all[r.IntN(len(all))] }

// chance is true in so many cases of a hundred.
func (s *sketch) chance(percent int) bool { return s.IntN(100) < percent }

// shapes are files whose addresses hosts find in different ways.
var shapes = [][]string{
	{"p.html"}, {"q/index.html"}, {"both.html", "both/index.html"}, {"r", "r.html"}, {"w"}, {"s.pdf"}, {"o.pdf"},
	{"t.PDF"}, {"foo.html.html"}, {"fold.html/index.html"}, {"u/index"}, {"g.htm"}, {"m.html", "m.md"}, {"v1.2.html"},
	{"a+b.html"}, {"a+b.pdf"}, {"c,d.html"}, {"c,d.pdf"}, {"e@f.html"}, {"e@f"}, {"[g].html"}, {"[g].pdf"},
	{"h i.html"}, {"h i.pdf"}, {"é.html"}, {"é.pdf"}, {"k/l/index.html"}, {"data.json"}, {"q/z.pdf", "q/index.html"},
	{"both.html", "both/x.pdf"}, {"index/index.html"}, {"p.html", "p/n.html"}, {"w", "w.html"}, {"x.html", "x.pdf"},
}

var shapeFolders = []string{"", "", "", "d/", "d/n/", "a+b/", "x y/", "é/", "[z]/"}

// randomSite makes a site.
func randomSite(seed int, name string, variant lawVariant) *lawSite {
	s := &sketch{rand.New(rand.NewPCG(uint64(seed), 38)), &lawSite{name: name, files: maps.Clone(variant.settings)},
		variant.targets}
	if s.files == nil {
		s.files = map[string]string{}
	}
	s.publish()
	s.owner()
	s.policy()
	s.probes()
	return s.lawSite
}

// lawSeed is that of the first random site.
func lawSeed() int {
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	return max(seed, 1)
}

func (s *sketch) publish() {
	if s.chance(85) {
		s.add("index.html", s.tag())
	}
	if s.chance(50) {
		s.add("404.html", "")
	}
	for n := 5 + s.IntN(5); n > 0; n-- {
		folder := one(s.Rand, shapeFolders...)
		for _, name := range one(s.Rand, shapes...) {
			if !s.blocked(folder + name) {
				s.add(folder+name, s.tag())
			}
		}
	}
	s.files["public/robots.txt"] = s.robots()
}

// blocked reports whether a file stands where another one's folder is, or the reverse.
func (s *sketch) blocked(name string) bool {
	for other := range s.files {
		other = strings.TrimPrefix(other, "public/")
		if strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
			return true
		}
	}
	return false
}

func (s *sketch) tag() string {
	if s.chance(88) {
		return ""
	}
	return one(s.Rand, `<meta name="robots" content="noindex">`, `<meta name="robots" content="nosnippet">`,
		`<meta name="bingbot" content="noarchive">`)
}

// file is the name of one of the files that have a policy.
func (s *sketch) file() string {
	return one(s.Rand, slices.DeleteFunc(s.publishes(), isControl)...)
}

// isControl reports whether a file is for crawlers and hosts.
func isControl(name string) bool {
	return slices.Contains([]string{"robots.txt", "_headers", "_redirects", ".htaccess"}, name)
}

// at is a request path that can mean a file.
func (s *sketch) at(name string) string {
	forms := []string{"/" + name}
	if stem, ok := strings.CutSuffix(name, ".html"); ok {
		forms = append(forms, "/"+stem, "/"+stem, "/"+stem+"/")
	}
	if folder, ok := strings.CutSuffix(name, "index.html"); ok {
		forms = append(forms, "/"+folder, "/"+folder, "/"+strings.TrimSuffix(folder, "/"))
	}
	form := one(s.Rand, forms...)
	return one(s.Rand, bare(form), component(form))
}

// bare is a path in the encoding of a URL's parser, component in that of encodeURIComponent, quoted
// in that of Python's urllib.parse.quote.
func bare(path string) string      { return percent(path, "-_.~!*'()/[]|;:@=&+,$") }
func component(path string) string { return percent(path, "-_.~!*'()/") }
func quoted(path string) string    { return percent(path, "-_.~/") }

// percent encodes what is no letter, no digit, and not left bare.
func percent(path, left string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if isUnreserved(c) && c != '-' && c != '.' && c != '_' && c != '~' || strings.IndexByte(left, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// robots is a robots.txt, "" for one that says nothing.
func (s *sketch) robots() string {
	var b strings.Builder
	for n := s.IntN(3); n > 0 && s.chance(60); n-- {
		fmt.Fprintf(&b, "User-agent: %s\n", one(s.Rand, "*", "*", "Googlebot", "GPTBot", "bingbot"))
		for n := 1 + s.IntN(2); n > 0; n-- {
			at := s.at(s.file())
			fmt.Fprintf(&b, "%s: %s\n", one(s.Rand, "Disallow", "Disallow", "Allow"), one(s.Rand, at, at+"$", path.Dir(at)))
		}
	}
	if b.Len() == 0 {
		b.WriteString("User-agent: *\nDisallow:\n")
	}
	return "# " + markOf("robots.txt") + "\n" + b.String()
}

// directives are what a rule or a line of the owner's may state, and agents for whom it may alone.
func (s *sketch) directives() string {
	return one(s.Rand, "noindex", "noindex", "noindex, nofollow", "nosnippet", "noarchive", "max-snippet:20",
		"noimageindex", "unavailable_after: 2099-01-01", "noai")
}

func (s *sketch) agent() string {
	return one(s.Rand, "gptbot", "gptbot", "googlebot-image", "claudebot", "googlebot", "bingbot", "yandex", "googlebot-news")
}

// policy writes metarobots.toml.
func (s *sketch) policy() {
	var b strings.Builder
	b.WriteString("[site]\ngenerator = \"html\"\ndestination = \"public\"\nbaseURL = \"https://example.org/\"\n[robots]\n" +
		"guard = { allow = true }\n")
	if s.chance(35) {
		fmt.Fprintf(&b, "default = %q\n", one(s.Rand, "", "", "max-snippet:50", "noarchive"))
	}
	if s.chance(30) {
		fmt.Fprintf(&b, "agents = { %s = %q }\n", s.agent(), s.directives())
	}
	if s.chance(30) {
		fmt.Fprintf(&b, "twins = %q\n", one(s.Rand, "as page", "noindex", "canonical"))
	}
	fmt.Fprintf(&b, "[robots.headers]\ntargets = [%s]\nscope = %q\n", s.target, one(s.Rand, "auto", "auto", "auto", "all", "files"))
	if s.chance(25) {
		fmt.Fprintf(&b, "rules = [{ match = [%s], set = { %s } }]\n", s.glob(),
			one(s.Rand, `tdm-reservation = "1"`, `Content-Usage = "train-ai=n"`))
	}
	b.WriteString("[robots.ai]\n")
	if s.chance(20) {
		fmt.Fprintf(&b, "%s = %q\n", one(s.Rand, "training", "search", "input"), one(s.Rand, "deny", "allow"))
	}
	if s.chance(70) {
		carriers := []string{"robots.txt", "content-usage-robots", "training-token", "content-usage", "tdm-reservation",
			"tdmrep.json", "noai", "content-signal"}
		s.Shuffle(len(carriers), func(i, j int) { carriers[i], carriers[j] = carriers[j], carriers[i] })
		list, _ := json.Marshal(carriers[:1+s.IntN(4)])
		fmt.Fprintf(&b, "carriers = %s\n", list)
	}
	for n := 1 + s.IntN(5); n > 0; n-- {
		fmt.Fprintf(&b, "[[robots.rules]]\nmatch = [%s]\nallowEmpty = true\n", s.glob())
		states := s.IntN(10)
		if states < 6 {
			fmt.Fprintf(&b, "robots = %q\n", s.directives())
		}
		if states > 4 && states < 8 {
			fmt.Fprintf(&b, "agents = { %s = %q }\n", s.agent(), s.directives())
		}
		if states > 6 {
			fmt.Fprintf(&b, "ai = { %s = \"deny\" }\n", one(s.Rand, "training", "training", "search", "input"))
		}
	}
	s.files["metarobots.toml"] = b.String()
}

// glob selects a file, a folder, or files of an ending.
func (s *sketch) glob() string {
	name := "/" + s.file()
	return strconv.Quote(one(s.Rand, name, name, name, strings.TrimSuffix(path.Dir(name), "/")+"/**", "/**/*"+path.Ext(name)))
}

// owner writes the owner's files for the hosts of the target.
func (s *sketch) owner() {
	for _, target := range strings.Split(strings.ReplaceAll(s.target, `"`, ""), ",") {
		switch strings.TrimSpace(target) {
		case "cloudflare", "netlify", "portable":
			s.headerLines()
			s.redirects()
		case "firebase":
			s.firebase()
		case "apache":
			s.apache()
		case "caddy":
			if s.chance(30) {
				s.files["metarobots.caddy"] = fmt.Sprintf("header X-Robots-Tag %q\n", s.directives())
			}
		}
	}
	if strings.Contains(s.target, "netlify") && s.chance(40) {
		s.netlifyTOML()
	}
}

// headerLines writes the owner's _headers.
func (s *sketch) headerLines() {
	var b strings.Builder
	for n := s.IntN(4); n > 0 && s.chance(70); n-- {
		at := s.at(s.file())
		at = one(s.Rand, at, at, at, at, strings.TrimSuffix(path.Dir(at), "/")+"/*", "/*")
		fmt.Fprintf(&b, "%s\n", at)
		for n := 1 + s.IntN(2); n > 0; n-- {
			fmt.Fprintf(&b, "  %s\n", s.headerLine())
		}
	}
	s.files["public/_headers"] = b.String()
}

func (s *sketch) headerLine() string {
	switch s.IntN(8) {
	case 0:
		return "tdm-reservation: 1"
	case 1:
		return "Content-Usage: train-ai=n"
	case 2, 3:
		return "X-Robots-Tag: " + s.agent() + ": " + s.directives()
	}
	return "X-Robots-Tag: " + s.directives()
}

// redirects writes the owner's _redirects.
func (s *sketch) redirects() {
	var b strings.Builder
	for n := s.IntN(4); n > 0 && s.chance(75); n-- {
		from, to := s.at(s.file()), s.at(s.file())
		switch s.IntN(7) {
		case 0:
			from, to = "/spl/*", one(s.Rand, "/:splat", "/d/:splat", to)
			s.asks = append(s.asks, "/spl/p", "/spl/s.pdf", "/spl/x/y", "/spl/", "/spl", "/spl/q/", "/spl/d/p")
		case 1:
			from, to = "/ph/:name", "/:name"
			s.asks = append(s.asks, "/ph/p", "/ph/s.pdf", "/ph/q", "/ph/w")
		case 2, 3:
			from = one(s.Rand, "/new.pdf", "/New", "/new/page", "/new+x")
		}
		s.asks = append(s.asks, from)
		status := one(s.Rand, "200", "200", "200", "200", "301", "302")
		if s.target == `"netlify"` && status == "200" && s.chance(25) {
			status, to = "200!", bare(policy.Decoded(to)) // the emulator decodes no other destination
		}
		fmt.Fprintf(&b, "%s %s %s\n", from, to, status)
	}
	s.files["public/_redirects"] = b.String()
}

// netlifyTOML writes the owner's part of netlify.toml.
func (s *sketch) netlifyTOML() {
	from := one(s.Rand, "/toml.pdf", s.at(s.file()))
	s.asks = append(s.asks, from)
	s.files["netlify.toml"] = fmt.Sprintf("[[redirects]]\nfrom = %q\nto = %q\nstatus = 200\nforce = %t\n"+
		"[[headers]]\nfor = %q\n[headers.values]\nX-Robots-Tag = %q\n", from, s.at(s.file()), s.chance(30), s.at(s.file()), s.directives())
}

// firebase adds the owner's headers, rewrites and redirects to firebase.json.
func (s *sketch) firebase() {
	var all map[string]map[string]any
	json.Unmarshal([]byte(s.files["firebase.json"]), &all)
	type m = map[string]any
	var lists = m{}
	add := func(list string, rule m) {
		rules, _ := lists[list].([]m)
		lists[list] = append(rules, rule)
	}
	pattern := func() string {
		at := s.at(s.file())
		return one(s.Rand, at, at, at, strings.TrimSuffix(path.Dir(at), "/")+"/**", "**/*"+path.Ext(at))
	}
	for n := s.IntN(3); n > 0; n-- {
		name, value, _ := strings.Cut(s.headerLine(), ": ")
		add("headers", m{"source": pattern(), "headers": []m{{"key": name, "value": value}}})
	}
	for n := s.IntN(3); n > 0; n-- {
		from := one(s.Rand, "/new.pdf", "/new/**", pattern())
		s.asks = append(s.asks, from, "/new/x", "/new/x.html")
		add("rewrites", m{"source": from, "destination": "/" + s.file()})
	}
	if s.chance(20) {
		from := one(s.Rand, "/old.pdf", s.at(s.file()))
		s.asks = append(s.asks, from)
		add("redirects", m{"source": from, "destination": s.at(s.file()), "type": 301})
	}
	for list, rules := range lists {
		all["hosting"][list] = rules
	}
	text, _ := json.MarshalIndent(all, "", "  ")
	s.files["firebase.json"] = string(text) + "\n"
}

// apache writes the owner's .htaccess.
func (s *sketch) apache() {
	s.files["public/.htaccess"] = "# " + markOf(".htaccess") + "\n"
	for n := s.IntN(3); n > 0; n-- {
		line := fmt.Sprintf("Header %s X-Robots-Tag %q\n", one(s.Rand, "set", "append"), s.directives())
		if s.chance(60) {
			line = fmt.Sprintf("<Files %q>\n%s</Files>\n", path.Base(s.file()), line)
		}
		s.files["public/.htaccess"] += line
	}
}

// lawCases are the sites of testdata/law for an engine. Before the files of each stand the engines
// that serve it, one a line; "publish" has the files that are published with their mark, and "want"
// what is so:
//
//	/o.pdf s.pdf X-Robots-Tag: noindex, follow    what is served at a path, with a line of a header or without
//	deny GPTBot /p                                robots.txt keeps a crawler from a path
//	reserve /p                                    tdmrep.json reserves a path
//	finding rewrite                               there is such a finding
//	no finding rewrite                            there is none
func lawCases(t *testing.T, engine string) (all []*lawSite) {
	t.Helper()
	for _, file := range tables.Value(filepath.Glob("testdata/law/*.txtar"))(t) {
		a := tables.Value(txtar.ParseFile(file))(t)
		if !slices.Contains(strings.Split(strings.TrimSpace(string(a.Comment)), "\n"), engine) {
			continue
		}
		s := &lawSite{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), files: map[string]string{}}
		for _, f := range a.Files {
			lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			switch f.Name {
			case "publish":
				for _, name := range lines {
					s.add(name, "")
				}
			case "want":
				s.wanted = lines
			default:
				s.files[f.Name] = string(f.Data)
			}
		}
		for _, name := range []string{"public/robots.txt", "public/.htaccess"} {
			if text, ok := s.files[name]; ok {
				s.files[name] = "# " + markOf(path.Base(name)) + "\n" + text
			}
		}
		for _, line := range s.wanted {
			for _, word := range strings.Fields(line) {
				if word[0] == '/' && !strings.Contains(word, "?") {
					s.asks = append(s.asks, word)
				}
			}
		}
		s.probes()
		all = append(all, s)
	}
	if len(all) == 0 {
		t.Errorf("testdata/law has nothing for %s", engine)
	}
	return all
}

// wants compares what a case says with what is so.
func (h *hearing) wants(at string) {
	h.t.Helper()
	for _, line := range h.wanted {
		words := strings.Fields(line)
		switch last := words[len(words)-1]; {
		case words[0] == "deny":
			said := hear(reply{path: last}, h.robots, h.tdmrep)
			if allowed, _ := said.mayFetch(policy.LookupCrawler(words[1])); allowed {
				h.errorf("robots.txt: %s", line)
			}
		case words[0] == "reserve":
			if !hear(reply{path: last}, h.robots, h.tdmrep).reserves() {
				h.errorf("tdmrep.json: %s", line)
			}
		case words[0] == "finding", words[0] == "no":
			if h.has(last) != (words[0] == "finding") {
				h.errorf("%s", line)
			}
		default:
			r := askAll(at, words[:1])[0]
			name, value, hasHeader := strings.Cut(strings.Join(words[2:], " "), ": ")
			if r.status != http.StatusOK || marked(r.body) != words[1] || hasHeader && strings.Join(r.header.Values(name), ", ") != value {
				h.errorf("%s: status %d, %q, %q", line, r.status, marked(r.body), r.header)
			}
		}
	}
}
