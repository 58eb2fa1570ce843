//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/hosting"
	"metarobots/internal/project"
	results "metarobots/internal/result"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// The law about addresses (U): where a host's engine answers with a file and status 200,
//
//   - metarobots knows that the host serves the file there;
//   - headers, tags, robots.txt and tdmrep.json together, as each crawler of the table reads them there, are at least as
//     restrictive as what is decided for the file, or a finding names it (N1, N3, S2, S7i, I3, I5, I7);
//   - whatever restricted a crawler there before metarobots wrote anything restricts it there still, and counts for the
//     file (U3, N5, N8, H4);
//   - X-Robots-Tag says nothing more than what is decided (N3).
//
// A line of the owner's that restricts a path which Cloudflare only redirects is a finding (U3).
//
// It holds for the sites of testdata/law and for random ones. SEED chooses the first of these: a
// failure names its own. U1a.
func TestHosts_EveryAddressCarriesWhatIsDecided(t *testing.T) {
	t.Parallel()
	for _, e := range lawEngines {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			if e.server != nil {
				e.server.need(t)
			}
			serve, c := e.start(t), newTally()
			for _, s := range lawCases(t, e.name) {
				(&hearing{applied: apply(t, s), tally: c, t: t, engine: e, serve: serve}).holds(true)
			}
			first := lawSeed()
			for seed := first; seed < first+choose(e.sites, 25*e.sites); seed++ {
				variant := e.variants[seed%len(e.variants)]
				a := apply(t, randomSite(seed, fmt.Sprint(e.name, " ", seed), variant))
				(&hearing{applied: a, tally: c, t: t, engine: e, serve: serve}).holds(everything || seed%2 == 0)
			}
			c.log(t, e.name)
		})
	}
}

// An applied site is one that metarobots has been through.
type applied struct {
	*lawSite
	after    map[string]string // the files of its folder
	pages    map[string]*results.Page
	findings []policy.Finding
	// addresses are where metarobots knows that hosts serve the files.
	addresses *address.Site
	carriers  []string
	// written is false where a host has no room for what is decided: then nothing is written, and
	// an error says so.
	written bool
}

// apply runs metarobots on a site.
func apply(t *testing.T, s *lawSite) *applied {
	t.Helper()
	dir := t.TempDir()
	tables.Write(t, dir, s.files)
	run := finish(t, command("apply", "--json", "--policy", filepath.Join(dir, "metarobots.toml")))
	if run.code > 1 {
		t.Fatalf("%s: exit code %d\n%s\n%s", s.name, run.code, run.stderr, s.files["metarobots.toml"])
	}
	var r results.Result
	must(t, json.Unmarshal([]byte(run.stdout), &r))
	a := &applied{lawSite: s, after: tables.Tree(t, dir), pages: map[string]*results.Page{}, findings: r.Findings,
		written: !strings.Contains(run.stderr, "nothing was written")}
	for i := range r.Pages {
		a.pages[r.Pages[i].File] = &r.Pages[i]
	}
	ctx := context.Background()
	p := tables.Value(project.Open(ctx,
		project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML()))(t)
	defer p.Close()
	from := project.Published{Project: p}
	names := tables.Value(from.List())(t).Names
	site := tables.Value(p.Site.List(ctx, p.Config.Robots.FrontMatter, names))(t)
	a.addresses = tables.Value(hosting.Read(p, site, from))(t).Sites(names)[""]
	a.carriers = p.Config.Robots.AI.Carriers
	return a
}

// questions are the request paths for which an engine is asked: what metarobots knows, and whatever
// may lead to one of the files besides.
func (a *applied) questions() []string {
	all := map[string]bool{}
	add := func(paths ...string) {
		for _, path := range paths {
			all[bare(path)], all[component(path)] = true, true
		}
	}
	add("/", "/absent", "/absent/", "/absent.html", "/absent/x.pdf", "/index", "/index/", "/404", "/404.html")
	for _, name := range a.publishes() {
		at := "/" + name
		stem := strings.TrimSuffix(at, path.Ext(at))
		add(at, at+"/", at+".html", at+"/index.html", stem, stem+"/", stem+"/index", stem+"/index.html", stem+".htm",
			stem+"/index/", strings.ToUpper(at), path.Dir(at)+"/"+strings.ToUpper(path.Base(at)), "/"+at)
		for folder := path.Dir(at); folder != "/"; folder = path.Dir(folder) {
			add(folder, folder+"/", folder+".html", folder+"/index", folder+"/index/", folder+"/absent", "/"+folder+"/")
		}
		for _, o := range a.addresses.Of(name) {
			all[o.Path] = true
		}
	}
	for _, from := range a.asks {
		if !strings.ContainsAny(from, "*:") {
			for _, path := range []string{from, from + "/", from + ".html", from + "/index.html",
				strings.TrimSuffix(from, "/"), strings.ToUpper(from), "/" + from} {
				all[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// spellings are other ways to write a path at which something is served.
func spellings(path string) []string {
	plain := policy.Decoded(path)
	lower := percentEncoded.ReplaceAllStringFunc(component(plain), strings.ToLower)
	all := []string{bare(plain), component(plain), lower, quoted(plain)}
	if i := strings.LastIndexByte(plain[:len(plain)-1], '/') + 1; i < len(plain) && plain[i] < 0x80 {
		all = append(all, bare(plain[:i])+fmt.Sprintf("%%%02x", plain[i])+bare(plain[i+1:]))
		if i > 1 {
			all = append(all, bare(plain[:i-1])+"%2F"+bare(plain[i:]))
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(p string) bool { return p == path })
}

// isOdd reports whether a path is none of the two spellings of U1: crawlers normalize it, or nobody
// links it.
func isOdd(path string) bool {
	plain := policy.Decoded(path)
	return path != bare(plain) && path != component(plain) || strings.Contains(path, "//")
}

// A tally counts what an engine was asked.
type tally struct {
	sites, unwritten, asked, served, odd, compared, restricted, kept, hidden int
	// told are the findings that name what is missing, by ID, and shown what is known of the
	// engine, by its reason.
	told, shown map[string]int
	wrong       failures
}

func newTally() *tally { return &tally{told: map[string]int{}, shown: map[string]int{}} }

func (c *tally) log(t *testing.T, engine string) {
	t.Helper()
	t.Logf("%s: %d sites (%d not written, for want of room); %d paths asked, %d answered with a file (%d in a spelling that "+
		"nobody asks for); %d addresses × crawlers compared with what is decided, %d of them restricted; %d with what was "+
		"served before; %d kept from reading at an address that is not the preferred one; findings %v", engine, c.sites,
		c.unwritten, c.asked, c.served, c.odd, c.compared, c.restricted, c.kept, c.hidden, c.told)
	if c.restricted == 0 || c.unwritten > c.sites/4 {
		t.Errorf("%s: nothing was compared, or little", engine)
	}
	for _, k := range slices.Concat(artefacts, deviations) {
		if regexp.MustCompile(k.engine).MatchString(engine) {
			t.Logf("%s: %d times %s", engine, c.shown[k.why], k.why)
			if c.shown[k.why] == 0 && lawSeed() == 1 {
				t.Errorf("%s no longer shows it: %s", engine, k.why)
			}
		}
	}
	c.wrong.sum(t, engine)
}

// A hearing is one site on one engine.
type hearing struct {
	*applied
	*tally
	t      *testing.T
	engine *lawEngine
	serve  serveFolder
	// robots and tdmrep are the host's files, as it serves them.
	robots, tdmrep string
}

func (h *hearing) errorf(format string, args ...any) {
	h.t.Helper()
	h.wrong.errorf(h.t, "%s, %s: %s", h.engine.name, h.name, fmt.Sprintf(format, args...))
}

// holds asks the engine about the site, and if so before metarobots has been through it too.
func (h *hearing) holds(beforeToo bool) {
	h.t.Helper()
	if h.sites++; !h.written {
		h.unwritten++
		return
	}
	at, questions := h.serve(h.t, h.after), h.questions()
	if h.engine.fragile {
		questions = slices.DeleteFunc(questions, func(path string) bool { return strings.Contains(path, "//") })
	}
	replies := askAll(at, questions)
	asked, more := map[string]bool{}, []string(nil)
	for _, r := range replies {
		asked[r.path] = true
		if r.status == http.StatusOK && !strings.Contains(r.path, "//") {
			more = append(more, spellings(r.path)...)
		}
	}
	slices.Sort(more)
	more = slices.DeleteFunc(slices.Compact(more), func(path string) bool { return asked[path] })
	replies = append(replies, askAll(at, more)...)
	h.robots, h.tdmrep = controls(at)
	h.asked += len(replies)
	for _, r := range replies {
		h.judge(r)
	}
	h.wants(at)
	if h.engine.ownersLines && beforeToo {
		h.keeps(replies)
	}
}

// controls are robots.txt and tdmrep.json as a host serves them, "" for none.
func controls(at string) (robots, tdmrep string) {
	var texts []string
	for _, r := range askAll(at, []string{"/robots.txt", "/.well-known/tdmrep.json"}) {
		if is := marked(r.body); r.status != http.StatusOK || is != "" && is != "robots.txt" {
			r.body = ""
		}
		texts = append(texts, r.body)
	}
	return texts[0], texts[1]
}

// judge holds the law against one answer.
func (h *hearing) judge(r reply) {
	h.t.Helper()
	if r.status == 0 {
		h.errorf("%s is not answered", r.path)
	}
	if r.status != http.StatusOK {
		return
	}
	h.served++
	file := marked(r.body)
	if file == "" && r.body == h.tdmrep {
		file = ".well-known/tdmrep.json"
	}
	on := h.addresses.On(h.engine.host)
	answers := on.At(equivalent(r.path))
	by := answerWith(file, answers)
	for _, open := range on.Opens(file) {
		if by == nil && open.Route != nil { // it is known that the paths of a rule are not
			by = &address.Address{Path: r.path, File: file, By: address.Rewritten, Route: open.Route}
		}
	}
	byRule := func(a address.Address) bool { return a.Route != nil }
	page := h.pages[file]
	switch {
	case isOdd(r.path) && (by != nil || slices.ContainsFunc(answers, byRule) || len(on.Opens(file)) > 0):
		h.odd++ // sources are compared as they are spelled, and what is served where nothing is published is known
	case by == nil:
		if !h.explains(artefacts, r.path, file, answers) {
			h.errorf("%s serves %q, which metarobots does not know: %v", r.path, file, answers)
		}
	case page == nil || page.Role == "control" || h.explains(deviations, r.path, file, answers):
	default:
		v := verdict{h, page, by, hear(r, h.robots, h.tdmrep)}
		v.directives()
		v.headers()
		v.denials()
	}
}

// answerWith is the answer that serves a file; nil for none.
func answerWith(file string, answers []address.Address) *address.Address {
	if i := slices.IndexFunc(answers, func(a address.Address) bool { return a.File == file }); i >= 0 {
		return &answers[i]
	}
	return nil
}

// A verdict is about one file at one address.
type verdict struct {
	*hearing
	page *results.Page
	by   *address.Address
	said *told
}

// errorf reports what is wrong, unless a finding of one of some kinds names it.
func (v *verdict) unlessTold(ids []string, format string, args ...any) {
	v.t.Helper()
	if id := v.found(ids); id != "" {
		v.told[id]++
		return
	}
	v.errorf("%s serves %s: %s", v.said.path, v.page.File, fmt.Sprintf(format, args...))
}

// found returns the ID of a finding of one of some kinds that names the file, one of its addresses,
// the rule by which it is served, or the place of a statement about it; "" for none.
func (v *verdict) found(ids []string) string {
	names := append([]string{v.page.URL, "/" + v.page.File, v.page.File, v.said.path}, v.page.Served...)
	for _, f := range v.findings {
		if !slices.Contains(ids, f.ID) {
			continue
		}
		route := v.by.Route != nil && f.File != "" && strings.HasSuffix(f.File, v.by.Route.Origin.File) &&
			f.Line == v.by.Route.Origin.Line
		stated := func(w results.Why) bool { return w.Line > 0 && w.File == f.File && w.Line == f.Line }
		named := func(name string) bool { return f.URL == name || hasWord(f.Text(), name) }
		if route || slices.ContainsFunc(v.page.Why, stated) || slices.ContainsFunc(names, named) {
			return f.ID
		}
	}
	return ""
}

// hasWord reports whether a text has a word between blanks and signs.
func hasWord(text, word string) bool {
	return regexp.MustCompile(`(?:^|[\s"(,])` + regexp.QuoteMeta(word) + `(?:$|[\s"),:;.])`).MatchString(text)
}

// The findings that name what a host cannot be told, in headers, and what robots.txt keeps from
// being read.
var (
	headerFindings = []string{"rewrite", "no-header", "header-budget", "header-found", "header-overlap", "netlify-toml",
		"served-elsewhere"}
	otherFindings  = append([]string{"header-lost", "header-conflict", "ai-carrier"}, headerFindings...)
	hidingFindings = []string{"robotstxt-hides-noindex", "robotstxt-hides-directives", "rewrite"}
)

// directives: each crawler is told all that is decided, and X-Robots-Tag tells it nothing more.
func (v *verdict) directives() {
	v.t.Helper()
	decided, sent := stating(v.page.Header, nil), stating(v.said.header.Values(robotstag.Name), nil)
	for _, c := range policy.AllCrawlers() {
		v.compared++
		want, got := obeys(&decided, c), obeys(&v.said.stated, c)
		if v.page.Role != "error" && v.by.By != address.Rewritten && v.by.By != address.Fallback &&
			!want.Covers(obeys(&sent, c).Restrictions()) && !v.has("header-found") {
			v.errorf("%s serves %s, and tells %s %q by header, more than %q", v.said.path, v.page.File, c.Token,
				obeys(&sent, c), want)
		}
		if !want.Restricts() {
			continue
		}
		v.restricted++
		switch allowed, rule := v.said.mayFetch(c); {
		case !allowed && !tellsS2(&decided, c):
		case !allowed && v.said.path != append(slices.Clone(v.page.Served), v.page.URL)[0]:
			v.hidden++ // U4: a page counts as disallowed by its preferred address
		case !allowed && v.hides(c, rule):
			v.told[hidingFindings[0]]++
		case !allowed:
			v.unlessTold(hidingFindings, "%q keeps %s from reading %q", rule, c.Token, want.Restrictions())
		case !got.Covers(want.Restrictions()) && !v.overrides():
			v.unlessTold(headerFindings, "%s is told %q, decided is %q; headers %q", c.Token, got, want,
				v.said.header.Values(robotstag.Name))
		}
	}
}

// tellsS2 reports whether S2 tells that a crawler cannot read what is said to it: if it is named,
// and if it is one of two that stand for everyone.
func tellsS2(d *policy.Decision, c *policy.Crawler) bool {
	_, named := d.Agent(c.Name)
	return named || c.Name == "googlebot" || c.Name == "bingbot"
}

// hides reports whether a finding says that a rule of robots.txt keeps a crawler from reading what
// is said to it. Such a finding is about all pages that the rule keeps it from.
func (v *verdict) hides(c *policy.Crawler, rule string) bool {
	return slices.ContainsFunc(v.findings, func(f policy.Finding) bool {
		return slices.Contains(hidingFindings[:2], f.ID) && hasWord(f.Text(), c.Name) &&
			strings.HasPrefix(f.Text(), fmt.Sprintf("%q", "Disallow: "+rule))
	})
}

// overrides reports whether an error says that a line of the owner's is what is served, in place of
// ours.
func (v *verdict) overrides() bool {
	serves := fmt.Sprintf("served with %q", strings.Join(v.said.header.Values(robotstag.Name), ", "))
	return slices.ContainsFunc(v.findings, func(f policy.Finding) bool {
		return f.ID == "header-found" && f.Severity == policy.Error && strings.Contains(f.Text(), serves)
	})
}

// has reports whether there is a finding of a kind.
func (h *hearing) has(id string) bool {
	return slices.ContainsFunc(h.findings, func(f policy.Finding) bool { return f.ID == id })
}

// headers: the lines that rules ask for are served, if they restrict anything.
func (v *verdict) headers() {
	v.t.Helper()
	for _, line := range v.page.Headers {
		h := robotstag.Header{Name: line.Name}
		lost := line.Lost && (v.has("header-lost") || v.has("header-conflict") || v.has("no-header"))
		if line.Name != robotstag.LinkName && !h.Allows(line.Value) && !carries(v.said.header, line.Name, line.Value) && !lost {
			v.unlessTold(otherFindings, "no %s: %s", line.Name, line.Value)
		}
	}
}

// carries reports whether header lines of a name deny all that a value denies.
func carries(header http.Header, name, value string) bool {
	items := func(text string) []string { return strings.Split(strings.ReplaceAll(text, " ", ""), ",") }
	for _, item := range items(value) {
		denies := item == "1" || strings.HasSuffix(item, "=n")
		has := func(line string) bool { return slices.Contains(items(line), item) }
		if denies && !slices.ContainsFunc(header.Values(name), has) {
			return false
		}
	}
	return true
}

// denials: each carrier that can say what AI is denied says it.
func (v *verdict) denials() {
	v.t.Helper()
	for _, use := range policy.Uses {
		if v.page.AI[use.String()] != policy.Denied.String() {
			continue
		}
		for _, carrier := range v.carriers {
			if allows := v.carried(carrier, use); allows != "" {
				v.unlessTold(otherFindings, "%s is denied, and %s: %s", use, carrier, allows)
			}
		}
	}
}

// carried says who may use a file although a carrier is to deny it; "" for nobody.
func (v *verdict) carried(carrier string, use policy.Use) string {
	label := map[policy.Use]string{policy.UseTraining: "train-ai=n", policy.UseSearch: "search=n"}[use]
	training := use == policy.UseTraining
	says := true
	switch carrier {
	case "robots.txt":
		for _, c := range policy.AllCrawlers() {
			v.compared++
			allowed, _ := v.said.mayFetch(c)
			if queried, _ := v.said.with("?a=b").mayFetch(c); c.Purpose == use.Purpose() && (allowed || queried) {
				return c.Token + " may fetch it"
			}
		}
	case "content-usage-robots":
		says = label == "" || v.said.signals(label)
	case "training-token":
		allowed, _ := v.said.mayFetch(&policy.Crawler{Name: "__usage_ai-training"})
		says = !training || !allowed
	case "content-usage":
		says = label == "" || carries(v.said.header, "Content-Usage", label)
	case "tdm-reservation":
		says = !training || carries(v.said.header, "tdm-reservation", "1")
	case "tdmrep.json":
		says = !training || v.said.reserves()
	}
	if says {
		return ""
	}
	return "it does not say so"
}

// keeps: whatever restricted a crawler at an address before a run restricts it there afterwards,
// and counts for the file.
func (h *hearing) keeps(replies []reply) {
	h.t.Helper()
	after, paths := map[string]reply{}, []string(nil)
	for _, r := range replies {
		if r.status == http.StatusOK && !isOdd(r.path) {
			after[r.path] = r
			paths = append(paths, r.path)
		}
	}
	at := h.serve(h.t, h.files)
	robots, tdmrep := controls(at)
	for _, b := range askAll(at, paths) {
		if a := after[b.path]; b.status != http.StatusOK || marked(a.body) != marked(b.body) {
			h.errorf("%s is answered with %d and %q before the run", b.path, b.status, marked(b.body))
		} else {
			h.compare(hear(b, robots, tdmrep), hear(a, h.robots, h.tdmrep), h.pages[marked(a.body)])
		}
	}
	if h.engine.host == "cloudflare" && !strings.Contains(h.files["metarobots.toml"], "portable") {
		h.strays(at)
	}
}

// compare compares what is said at an address with what was said there before.
func (h *hearing) compare(was, is *told, page *results.Page) {
	h.t.Helper()
	before := stating(was.header.Values(robotstag.Name), nil)
	var decided *policy.Decision
	by := answerWith(cmp.Or(page, &results.Page{}).File, h.addresses.On(h.engine.host).At(was.path))
	if page != nil && page.Role != "error" && page.Role != "control" && by != nil && by.Route == nil && by.By != address.Fallback {
		all := stating(page.Header, nil)
		decided = &all
	}
	for _, c := range policy.AllCrawlers() {
		h.kept++
		then, now := obeys(&was.stated, c).Restrictions(), obeys(&is.stated, c)
		mayNow, _ := is.mayFetch(c)
		mightThen, _ := was.mayFetch(c)
		switch {
		case h.has("header-found"):
		case !now.Covers(then):
			h.errorf("%s told %s %q before, and now %q", was.path, c.Token, then, now)
			return
		case decided != nil && !obeys(decided, c).Covers(obeys(&before, c).Restrictions()):
			h.errorf("%s tells %s %q, which does not count for %s: %q", was.path, c.Token, then, page.File, obeys(decided, c))
			return
		}
		if mayNow && !mightThen {
			h.errorf("robots.txt kept %s from %s before", c.Token, was.path)
		}
	}
	for _, name := range []string{"Content-Usage", "tdm-reservation"} {
		for _, line := range was.header.Values(name) {
			if !carries(is.header, name, line) && !h.has("header-found") {
				h.errorf("%s was served with %s: %s before, and now with %q", was.path, name, line, is.header.Values(name))
			}
		}
	}
}

// strays: a line of the owner's _headers that restricts a path which is only redirected is a
// finding at the line (U3).
func (h *hearing) strays(at string) {
	h.t.Helper()
	from, number := "", 0
	for line := range strings.Lines(h.files["public/_headers"]) {
		number++
		line = strings.TrimRight(line, "\n")
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case line != "" && line[0] == '/':
			from = line
			continue
		case !strings.HasPrefix(line, " ") || strings.ContainsAny(from, "*:"):
			continue
		}
		header := robotstag.Header{Name: name}
		told := stating([]string{value}, nil)
		restricts := !header.Allows(value)
		if header.Is(robotstag.Name) {
			restricts = told.Restricts()
		}
		answers := h.addresses.On("cloudflare").At(from)
		byOwner := slices.ContainsFunc(answers, func(a address.Address) bool { return a.Route != nil })
		r := askAll(at, []string{from})[0]
		reported := slices.ContainsFunc(h.findings, func(f policy.Finding) bool {
			return f.ID == "header-redirected" && f.Line == number
		})
		if restricts && !byOwner && r.status/100 == 3 && len(slices.Collect(h.addresses.Leads(from))) > 0 && !reported {
			h.errorf("_headers:%d is for %s, which only redirects, and no finding says so", number, from)
		}
	}
}

// A known is something that an engine does where it serves a file at a path, and why it is no
// fault. Sites of testdata/law show each: one that an engine no longer does fails.
type known struct {
	engine string // an expression for the names of engines
	// does reports whether it is so where metarobots knows answers.
	does func(path, file string, answers []address.Address) bool
	why  string
}

// at says that it is so for paths that match.
func at(expression string) func(path, file string, answers []address.Address) bool {
	return func(path, _ string, _ []address.Address) bool {
		return regexp.MustCompile(expression).MatchString(path)
	}
}

// artefacts are where engines serve what hosts do not, or do not know.
var artefacts = []known{
	{"superstatic", at(`(?i)(%69ndex(\.html)?|%2ehtml|\.%68tml)/?$`),
		"the emulator looks at endings before it decodes the path, and no crawler encodes a letter or a dot"},
	{"netlify|superstatic", at(`%(2[34cCbB6fF]|3[aAbBdDfF]|40)`), "the emulator does not decode reserved characters"},
	{"netlify", func(path, file string, _ []address.Address) bool { return policy.Decoded(path) == "/"+file+"/" },
		"where a rule takes a path with a slash at its end, the emulator serves the file without it"},
	{"netlify", func(_, file string, answers []address.Address) bool {
		return slices.ContainsFunc(answers, func(a address.Address) bool { return a.Route != nil && a.File == file+".html" })
	}, "at a rule's destination with a slash at its end, the emulator serves the file without it before the page"},
	{"netlify", func(_, file string, _ []address.Address) bool { return file == "404.html" },
		"where nothing is at the destination of a rule, the emulator sends the error page with the status of the rule"},
	{"workers", at(`/_(headers|redirects)$`), "Cloudflare does not publish the file, and serves its fallback there"},
}

// deviations are where less may be said than is decided.
var deviations = []known{
	{"^caddy with try_files$", at(`/index$`), "nobody links to /q/index, which Caddy serves by a setting of its owner's"},
	{"netlify", func(path, _ string, _ []address.Address) bool {
		plain := policy.Decoded(path)
		return strings.ContainsAny(plain, "[]") && strings.ContainsAny(plain, "|;:@=&+,$")
	}, "where a rule takes the path of a published file, the emulator asks for the header in a third spelling"},
}

// explains is why an engine may serve a file at a path, "" if nothing is known.
func (h *hearing) explains(all []known, path, file string, answers []address.Address) bool {
	for _, k := range all {
		if regexp.MustCompile(k.engine).MatchString(h.engine.name) && k.does(path, file, answers) {
			h.shown[k.why]++
			return true
		}
	}
	return false
}
