//go:build e2e && law

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/address"
	"metarobots/internal/hosting"
	"metarobots/internal/project"
	results "metarobots/internal/result"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// An applied site is one that metarobots has been through.
type applied struct {
	*lawSite
	after    map[string]string // the files of its folder
	pages    map[string]*results.Page
	findings []policy.Finding
	// addresses are where metarobots knows that hosts serve the files.
	addresses *address.Site
	carriers  []string
	// written is false where a host has no room for what is decided: then nothing is written, and an error says so.
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
	p := tables.Value(project.Open(ctx, project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML))(t)
	defer p.Close()
	from := project.Published{Project: p}
	names := tables.Value(from.List())(t).Names
	site := tables.Value(p.Site.List(ctx, p.Config.Robots.FrontMatter, names))(t)
	a.addresses = tables.Value(hosting.Read(p, site, from))(t).Sites(names)[""]
	a.carriers = p.Config.Robots.AI.Carriers
	return a
}

// questions are the request paths for which an engine is asked: what metarobots knows, and whatever may lead to one of the
// files besides.
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
			for _, path := range []string{from, from + "/", from + ".html", from + "/index.html", strings.TrimSuffix(from, "/"),
				strings.ToUpper(from), "/" + from} {
				all[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// spellings are other ways to write a path at which something is served.
func spellings(path string) []string {
	plain := policyDecoded(path)
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

func policyDecoded(path string) string { return policy.Decoded(path) }

// quoted is a path as Python's urllib.parse.quote encodes it.
func quoted(path string) string { return percent(path, "/-._~") }

// A tally counts what an engine was asked.
type tally struct {
	sites, unwritten, hidden, kept, asked, served, equivalent, compared, restricted int
	excused                                                                         map[string]int // by the ID of the finding
	shown                                                                           map[string]int // artefacts, by their reason
	wrong                                                                           failures
}

func (c *tally) log(t *testing.T, engine string) {
	t.Helper()
	t.Logf("%s: %d sites (%d not written), %d paths asked, %d answered with a file (%d in an equivalent spelling); "+
		"%d addresses × crawlers compared, %d restricted; %d before and after, %d hidden elsewhere; found: %v; artefacts: %v", engine, c.sites, c.unwritten, c.asked, c.served,
		c.equivalent, c.compared, c.restricted, c.kept, c.hidden, c.excused, c.shown)
	if c.compared == 0 || c.restricted == 0 {
		t.Errorf("%s: nothing was compared", engine)
	}
	c.wrong.sum(t, engine)
}

// A hearing is one site on one engine.
type hearing struct {
	*applied
	*tally
	t                *testing.T
	engine           *lawEngine
	robots, tdmrep   string
	robotsB, tdmrepB string // before
}

// holds asks an engine about a site, before and after metarobots has been through it.
func holds(t *testing.T, engine *lawEngine, a *applied, c *tally) {
	t.Helper()
	h := &hearing{applied: a, tally: c, t: t, engine: engine}
	c.sites++
	if !a.written {
		c.unwritten++
		return
	}
	t0 := time.Now()
	at := engine.serve(t, a.after)
	questions := a.questions()
	if engine.fragile {
		questions = slices.DeleteFunc(questions, func(path string) bool { return strings.Contains(path, "//") })
	}
	t1 := time.Now()
	replies := askAll(at, questions)
	var more []string
	for _, r := range replies {
		if r.status == 200 && !strings.Contains(r.path, "//") {
			more = append(more, spellings(r.path)...)
		}
	}
	slices.Sort(more)
	known := map[string]bool{}
	for _, r := range replies {
		known[r.path] = true
	}
	more = slices.DeleteFunc(slices.Compact(more), func(p string) bool { return known[p] })
	replies = append(replies, askAll(at, more)...)
	println("serve", t1.Sub(t0).Milliseconds(), "ask", len(replies), time.Since(t1).Milliseconds())
	h.robots, h.tdmrep = controls(at)
	c.asked += len(replies)
	for _, r := range replies {
		h.judge(r)
	}
	if engine.before {
		h.keeps(replies)
	}
}

// keeps: whatever restricted a crawler at an address before a run restricts it there afterwards.
func (h *hearing) keeps(replies []reply) {
	h.t.Helper()
	after := map[string]reply{}
	var paths []string
	for _, r := range replies {
		if r.status == 200 && !isOdd(r.path) {
			after[r.path] = r
			paths = append(paths, r.path)
		}
	}
	t0 := time.Now()
	at := h.engine.serve(h.t, h.files)
	println("serve before", time.Since(t0).Milliseconds())
	robots, tdmrep := controls(at)
	for _, b := range askAll(at, paths) {
		a := after[b.path]
		if b.status != 200 {
			h.errorf("%s is answered with %d before the run", b.path, b.status)
			continue
		}
		was, is := hear(b.path, b.header, b.body, robots, tdmrep), hear(a.path, a.header, a.body, h.robots, h.tdmrep)
		for _, c := range policy.AllCrawlers() {
			before, now := obeys(&was.stated, c), obeys(&is.stated, c)
			if h.kept++; before.Restricts() && !now.Covers(before.Restrictions()) && !h.found("header-found") {
				h.errorf("%s told %s %q before, and now %q; before %q, now %q", b.path, c.Token, before, now, b.header["X-Robots-Tag"], a.header["X-Robots-Tag"])
				break
			}
			if may(is, c) && !may(was, c) {
				h.errorf("robots.txt kept %s from %s before", c.Token, b.path)
			}
		}
		for _, name := range []string{"Content-Usage", "Tdm-Reservation"} {
			for _, line := range b.header[name] {
				if restricts := line == "1" || strings.Contains(line, "=n"); restricts && !carries(a.header, name, line) && !h.found("header-found") {
					h.errorf("%s was served with %s: %s before, and now %q", b.path, name, line, a.header[name])
				}
			}
		}
	}
}

// controls are robots.txt and tdmrep.json as a host serves them, "" for none.
func controls(at string) (robots, tdmrep string) {
	var texts []string
	for _, r := range askAll(at, []string{"/robots.txt", "/.well-known/tdmrep.json"}) {
		if is := marked(r.body); r.status != 200 || is != "" && is != "robots.txt" {
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
	if r.status != 200 {
		return
	}
	file := marked(r.body)
	if file == "" && r.body == h.tdmrep {
		file = ".well-known/tdmrep.json"
	}
	h.served++
	normal := equivalent(r.path)
	var by *address.Address
	for _, answer := range h.addresses.On(h.engine.host).At(normal) {
		if answer.File == file {
			by = &answer
		}
	}
	for _, open := range h.addresses.On(h.engine.host).Opens(file) {
		if by == nil && open.Route != nil { // it is known that the paths of a rule are not
			by = &address.Address{Path: r.path, File: file, By: address.Rewritten, Route: open.Route}
		}
	}
	if by == nil && isOdd(r.path) {
		// The engine compares the sources of rules with the spelling that was asked for.
		for _, answer := range h.addresses.On(h.engine.host).At(normal) {
			if answer.Route != nil {
				h.equivalent++
				return
			}
		}
	}
	if by == nil {
		if d := deviation(artefacts, h.engine.name, r.path); d != "" {
			h.show(d)
			return
		}
		h.errorf("%s serves %s, which metarobots does not know: %v", r.path, file, h.addresses.On(h.engine.host).At(normal))
		return
	}
	if isOdd(r.path) {
		h.equivalent++
		return
	}
	page := h.pages[file]
	if page == nil || page.Role == "control" {
		return
	}
	if d := deviation(deviations, h.engine.name, r.path); d != "" {
		h.show(d)
		return
	}
	h.carried(r, page, by, hear(normal, r.header, r.body, h.robots, h.tdmrep))
}

// isOdd reports whether a path is none of the two spellings of U1: crawlers normalize it, or nobody links it.
func isOdd(path string) bool {
	plain := policy.Decoded(path)
	return path != bare(plain) && path != component(plain) || strings.Contains(path, "//")
}

func (h *hearing) errorf(format string, args ...any) {
	h.t.Helper()
	h.wrong.errorf(h.t, "%s, %s: %s", h.engine.name, h.name, fmt.Sprintf(format, args...))
}

// carried: what crawlers are told at an address is at least what is decided for the file, or a finding names it.
func (h *hearing) carried(r reply, page *results.Page, by *address.Address, said *told) {
	h.t.Helper()
	decided := stating(page.Header, nil)
	sent := stating(r.header["X-Robots-Tag"], nil)
	for _, c := range policy.AllCrawlers() {
		h.compared++
		want, got := obeys(&decided, c), obeys(&said.stated, c)
		if want.Restricts() {
			h.restricted++
		}
		if more := obeys(&sent, c); page.Role != "error" && by.By != address.Rewritten && by.By != address.Fallback && !want.Covers(more.Restrictions()) {
			if h.found("header-found") {
				continue
			}
			h.errorf("%s serves %s and sends %s %q, which is more than %q", r.path, page.File, c.Token, more, want)
			return
		}
		allowed, rule := said.mayFetch(c)
		switch {
		case !want.Restricts():
		case !allowed:
			if _, named := decided.Agent(c.Name); !named && c.Name != "googlebot" && c.Name != "bingbot" {
				break // S2 tells of crawlers that are named, and of these two
			}
			if preferred := append(slices.Clone(page.Served), page.URL)[0]; r.path != preferred {
				h.hidden++ // U4: a page counts as disallowed by its preferred address
				break
			}
			if h.told(page, by, r.path, "robotstxt-hides-noindex", "robotstxt-hides-directives", "rewrite") == "" && !h.hides(c, rule) {
				h.errorf("%s serves %s, and robots.txt keeps %s from reading %q", r.path, page.File, c.Token, want.Restrictions())
			}
		case !got.Covers(want.Restrictions()):
			if h.told(page, by, r.path, "rewrite", "no-header", "header-budget", "header-found", "header-overlap", "netlify-toml", "served-elsewhere") == "" && !h.overrides(r) {
				h.errorf("%s serves %s and tells %s %q, decided is %q; headers %q", r.path, page.File, c.Token, got, want, r.header["X-Robots-Tag"])
				return
			}
		}
	}
	for _, line := range page.Headers {
		if restricts := line.Value == "1" || strings.Contains(line.Value, "=n"); restricts && !carries(r.header, line.Name, line.Value) {
			if h.told(page, by, r.path, "rewrite", "no-header", "header-lost", "header-conflict", "served-elsewhere") == "" && !h.lost(&line) {
				h.errorf("%s serves %s without %s: %s", r.path, page.File, line.Name, line.Value)
			}
		}
	}
	h.denied(r, page, by, said)
}

// carries reports whether header lines of a name have a value in them.
func carries(header http.Header, name, value string) bool {
	return slices.ContainsFunc(header.Values(name), func(line string) bool {
		return slices.ContainsFunc(strings.Split(value, ","), func(v string) bool {
			return !strings.Contains(v, "n") && v != "1" || slices.Contains(strings.Split(strings.ReplaceAll(line, " ", ""), ","), strings.TrimSpace(v))
		})
	})
}

// denied: each carrier that can say what AI is denied says it.
func (h *hearing) denied(r reply, page *results.Page, by *address.Address, said *told) {
	h.t.Helper()
	for _, use := range policy.Uses {
		if page.AI[use.String()] != "deny" {
			continue
		}
		label := map[policy.Use]string{policy.UseTraining: "train-ai=n", policy.UseSearch: "search=n"}[use]
		for _, carrier := range h.carriers {
			missing := ""
			switch carrier {
			case "robots.txt":
				for _, c := range policy.AllCrawlers() {
					if h.compared++; c.Purpose == use.Purpose() && c.Group != "none" && may(said, c) {
						missing = "robots.txt allows it to " + c.Token
					}
				}
			case "content-usage-robots":
				if label != "" && !said.signals(label) {
					missing = "no Content-Usage in robots.txt"
				}
			case "training-token":
				if use == policy.UseTraining && may(said, &policy.Crawler{Name: "__usage_ai-training"}) {
					missing = "the token's group allows it"
				}
			case "content-usage":
				if label != "" && !carries(r.header, "Content-Usage", label) {
					missing = "no Content-Usage"
				}
			case "tdm-reservation":
				if use == policy.UseTraining && !carries(r.header, "tdm-reservation", "1") {
					missing = "no tdm-reservation"
				}
			case "tdmrep.json":
				if use == policy.UseTraining && !said.reserves() {
					missing = "tdmrep.json does not reserve it"
				}
			}
			if missing != "" && h.told(page, by, r.path, "rewrite", "no-header", "header-lost", "header-conflict", "ai-carrier", "served-elsewhere") == "" {
				h.errorf("%s serves %s, for which %s is denied: %s", r.path, page.File, use, missing)
			}
		}
	}
}

func may(said *told, c *policy.Crawler) bool {
	allowed, _ := said.mayFetch(c)
	return allowed
}

// hides reports whether a finding says that a rule of robots.txt keeps a crawler from reading what is said to it. Such a
// finding is about all pages that the rule keeps it from.
func (h *hearing) hides(c *policy.Crawler, rule string) bool {
	return slices.ContainsFunc(h.findings, func(f policy.Finding) bool {
		hides := f.ID == "robotstxt-hides-noindex" || f.ID == "robotstxt-hides-directives"
		return hides && strings.HasPrefix(f.Message, fmt.Sprintf("%q", "Disallow: "+rule)) && hasWord(f.Message, c.Name)
	})
}

// found reports whether there is a finding of a kind.
func (h *hearing) found(id string) bool {
	return slices.ContainsFunc(h.findings, func(f policy.Finding) bool { return f.ID == id })
}

// lost reports whether the run says of a line that it is not served, and why.
func (h *hearing) lost(line *results.HeaderLine) bool {
	return line.Lost && slices.ContainsFunc(h.findings, func(f policy.Finding) bool {
		return slices.Contains([]string{"header-lost", "header-conflict", "no-header"}, f.ID) && strings.Contains(f.Message, line.Name)
	})
}

// overrides reports whether an error says that a line of the owner's is what is served, in place of ours.
func (h *hearing) overrides(r reply) bool {
	return slices.ContainsFunc(h.findings, func(f policy.Finding) bool {
		return f.ID == "header-found" && f.Severity == policy.Error &&
			strings.Contains(f.Message, fmt.Sprintf("served with %q", strings.Join(r.header["X-Robots-Tag"], ", ")))
	})
}

// told returns the ID of a finding of one of some kinds that names a file or one of its addresses, the rule by which it is
// served, or a statement about it; "" for none.
func (h *hearing) told(page *results.Page, by *address.Address, path string, ids ...string) string {
	names := append([]string{page.URL, "/" + page.File, path}, page.Served...)
	for _, f := range h.findings {
		if !slices.Contains(ids, f.ID) {
			continue
		}
		named := slices.Contains(names, f.URL) || by.Route != nil && f.File != "" && strings.HasSuffix(f.File, by.Route.Origin.File) && f.Line == by.Route.Origin.Line
		for _, name := range append(names, page.File) {
			named = named || hasWord(f.Message, name)
		}
		for _, w := range page.Why {
			named = named || w.File == f.File && w.Line == f.Line && w.Line > 0
		}
		if named {
			if h.excused == nil {
				h.excused = map[string]int{}
			}
			h.excused[f.ID]++
			return f.ID
		}
	}
	return ""
}

// hasWord reports whether a text has a word between white space or signs.
func hasWord(text, word string) bool {
	return regexp.MustCompile(`(?:^|[\s"(,])` + regexp.QuoteMeta(word) + `(?:$|[\s"),:;.])`).MatchString(text)
}

var _ = rand.IntN

// A known is something that an engine does at some paths, and why it is no fault.
type known struct{ engine, path, why string }

// artefacts are where engines serve what hosts do not, or do not know.
var artefacts = []known{
	{"superstatic", `(?i)(%69ndex(\.html)?|%2ehtml|\.%68tml)/?$`,
		"the emulator looks at endings before it decodes the path, and no crawler encodes a letter or a dot"},
	{"netlify", `\.\w+/$`, "the emulator looks for the file that a rule's source names without its last slash"},
	{"pages|workers", `^/_(headers|redirects)$`, "Cloudflare does not publish the file, and serves its fallback there"},
	{"netlify|superstatic", `%(2[34cCbB6fF]|3[aAbBdDfF]|40)`, "the emulator does not decode reserved characters"},
}

// deviations are where less may be said than is decided.
var deviations = []known{
	{"^caddy with try_files$", `/index$`, "nobody links to /q/index, which Caddy serves by a setting of its owner's"},
}

// deviation is why an engine may answer so at a path, "" if nothing is known.
func deviation(all []known, engine, path string) string {
	for _, d := range all {
		if regexp.MustCompile(d.engine).MatchString(engine) && regexp.MustCompile(d.path).MatchString(path) {
			return d.why
		}
	}
	return ""
}

func (c *tally) show(why string) {
	if c.shown == nil {
		c.shown = map[string]int{}
	}
	c.shown[why]++
}
