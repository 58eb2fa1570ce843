package headers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Want is what one published file is to be served with.
type Want struct {
	// Path is from the publish root, slash-separated, decoded: "posts/a/index.html".
	Path string
	// HTML says that the file can carry a meta tag instead.
	HTML bool
	// Values are the X-Robots-Tag lines wanted, the generic one first. None:
	// no rule of ours may apply to the file.
	Values []string
	// Free says that any header will do: control files, redirects, error pages.
	Free bool
	// Noindex says that one of the lines says noindex, of whichever crawler.
	Noindex bool
	// Found says that the user's own rules already give this set, however they
	// write it. It is believed where all the file's request paths get the same.
	Found bool
}

// Scopes of [Options].
const (
	// ScopeAuto covers HTML where the host's limit allows.
	ScopeAuto = "auto"
	// ScopeFiles leaves HTML to its meta tag.
	ScopeFiles = "files"
	// ScopeAll covers HTML; where it does not fit that is an error.
	ScopeAll = "all"
)

// Options say for which host [Compile] writes, and how much.
type Options struct {
	// Target is one of the Target constants; empty means [TargetPortable].
	Target string
	// Scope is one of the Scope constants; empty means [ScopeAuto].
	Scope string
	// Everywhere, where not empty, are the X-Robots-Tag lines of an environment
	// that states noindex. One rule for /* carries them, and only files that
	// want something else get a rule of their own.
	Everywhere []string
	// Host is the site's own host name, for the user's full-URL rules.
	Host string
}

// Result is what [Compile] found and made.
type Result struct {
	// File is the whole new _headers file; nil where there is nothing to write
	// and the user has none.
	File []byte
	// Rules is the number of rules of ours. Lines that were put into a block of
	// the user's make no rule.
	Rules int
	// Total is the number of rules in the file as the target counts them.
	Total int
	// Limit is how many the target takes; 0 is no limit.
	Limit int
	// GivenUp are the HTML files left to their meta tag that the header would
	// have told more than the user's own rules do, sorted.
	GivenUp []string
	// Missed are the other files that get less than all the rules they need,
	// sorted. Each has an error among the Problems; with [TargetNone] there is
	// one warning for all.
	Missed []string
	// Problems are findings about the user's file and about what was left out.
	Problems []Problem
}

// ErrBudget is returned where the rules that cannot be given up do not fit the
// target's limit. Nothing is to be written then.
var ErrBudget = errors.New("the _headers rules do not fit the host's limit")

// Compile adds to the user's _headers file the rules that serve every want with
// its values. What stood there from an earlier run is taken out first, so a
// second run on its own output changes nothing, and with nothing wanted the
// user's bytes come back.
//
// Rules are exact: one for each request path, or two where a host serves a file
// at several. Where Cloudflare would keep only one of two blocks of the same
// path, marked lines go into the user's block.
func Compile(user []byte, wants []Want, opt Options) (Result, error) {
	dialects, err := Dialects(opt.Target)
	if err != nil {
		return Result{}, err
	}
	switch opt.Scope {
	case "", ScopeAuto, ScopeFiles, ScopeAll:
	default:
		return Result{}, fmt.Errorf("unknown headers scope %q (known: auto, files, all)", opt.Scope)
	}
	c := newCompiler(user, wants, dialects, opt)
	c.placeEverywhere()
	for i := range wants {
		c.want(i)
	}
	if err := c.budget(); err != nil {
		c.res.Problems = sortProblems(c.res.Problems)
		return c.res, err
	}
	c.finish(user)
	return c.res, nil
}

// spot is a request path as one dialect's host serves it.
type spot struct {
	dialect int
	form    string
}

// plan is one decision: rules of ours for some spots of a want.
type plan struct {
	block  block // of its own; no path: none
	edits  []edit
	html   bool
	wanter int
}

// engine is one dialect with its reading of the user's file.
type engine struct {
	Dialect
	user *File
	// forms are the served request paths of each want.
	forms [][]string
	// keys are the wants, free ones left out, by the key of each form.
	keys map[string][]int
}

type compiler struct {
	opt     Options
	wants   []Want
	engines []*engine
	user    *userFile
	res     Result

	// everywhere is the /* rule of ours in each engine's reading; it stands
	// after the user's rules, or, with its line set, in place of the user's
	// rule of that line.
	everywhere []*Rule
	front      []block
	edits      []edit

	plans    []plan
	planned  map[string]plan // by the rule's path: two files can share one
	twins    map[string]bool
	previews []string     // wants written without noindex, in portable
	left     map[int]bool // HTML given up
	missed   map[int]bool
}

func newCompiler(user []byte, wants []Want, dialects []Dialect, opt Options) *compiler {
	c := &compiler{
		opt: opt, wants: wants, user: readUser(user),
		planned: make(map[string]plan), twins: make(map[string]bool), left: make(map[int]bool), missed: make(map[int]bool),
	}
	for _, d := range dialects {
		e := &engine{Dialect: d, user: d.Parse(c.user.text), forms: make([][]string, len(wants)), keys: make(map[string][]int)}
		for i, w := range wants {
			if w.Free {
				continue
			}
			e.forms[i], _ = Forms(d, w.Path)
			for _, f := range e.forms[i] {
				key := e.key(f)
				if at := e.keys[key]; len(at) == 0 || at[len(at)-1] != i {
					e.keys[key] = append(at, i)
				}
			}
		}
		c.engines = append(c.engines, e)
		for _, p := range e.user.Problems {
			p.Line = c.user.line(p.Line)
			c.res.Problems = append(c.res.Problems, p)
		}
		for _, r := range e.user.HostRules(opt.Host) {
			c.problem(Problem{ID: IDHost, Severity: SeverityNote, Line: c.user.line(r.Line),
				Message: fmt.Sprintf("a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)})
		}
	}
	return c
}

func (c *compiler) problem(p Problem) { c.res.Problems = append(c.res.Problems, p) }

// cloudflare returns the engine whose limits and merging apply, or nil.
func (c *compiler) cloudflare() *engine {
	for _, e := range c.engines {
		if e.Dialect == Cloudflare {
			return e
		}
	}
	return nil
}

// own returns the user's rules for a spot.
func (c *compiler) own(s spot) []*Rule {
	e := c.engines[s.dialect]
	return e.matching(e.user, c.opt.Host, s.form)
}

// base returns the rules for a spot before any exact rule of ours.
func (c *compiler) base(s spot) []*Rule {
	rules := c.own(s)
	if c.everywhere == nil {
		return rules
	}
	return with(rules, c.everywhere[s.dialect])
}

// with puts a rule of ours among the user's: in place of the one of its line, or
// at the end where it has none. A rule that has a line but no place there does
// not apply.
func with(rules []*Rule, ours *Rule) []*Rule {
	if ours.Line == 0 {
		return append(slices.Clone(rules), ours)
	}
	rules = slices.Clone(rules)
	for i, r := range rules {
		if r.Line == ours.Line {
			rules[i] = ours
		}
	}
	return rules
}

func (c *compiler) text(s spot, rules []*Rule) string {
	return text(c.engines[s.dialect].combine(rules, c.opt.Host, s.form))
}

// want decides what one want needs.
func (c *compiler) want(i int) {
	w := &c.wants[i]
	if w.Free || len(c.engines) == 0 && len(w.Values) == 0 {
		return
	}
	if len(c.engines) == 0 {
		if !w.HTML && !w.Found {
			c.missed[i] = true
		}
		return
	}
	joined := strings.Join(w.Values, ", ")
	var needed []group
	for _, g := range c.groups(i) {
		if !c.served(i, g.spots, joined) {
			needed = append(needed, g)
		}
	}
	if len(needed) == 0 {
		return
	}
	if w.HTML {
		switch {
		case c.opt.Scope == ScopeFiles:
			c.left[i] = true
			return
		case c.auto() && c.portable() && !w.Noindex && len(w.Values) > 0:
			// Portable cannot say the preview block of Cloudflare (N6).
			c.left[i] = true
			c.previews = append(c.previews, w.Path)
			return
		}
	}
	if msg := badValues(w.Values); msg != "" {
		c.fail(i, IDValue, msg)
		return
	}
	var plans []plan
	for _, g := range needed {
		p, id, msg := c.plan(i, g, joined)
		if msg != "" {
			c.fail(i, id, msg)
			if w.HTML {
				return // its tag carries the policy; half a header would not
			}
			continue
		}
		p.html, p.wanter = w.HTML, i
		plans = append(plans, p)
	}
	c.plans = append(c.plans, plans...)
}

func (c *compiler) portable() bool { return len(c.engines) > 1 }

func (c *compiler) auto() bool { return c.opt.Scope == "" || c.opt.Scope == ScopeAuto }

// fail leaves an HTML file to its tag; for another file it is an error.
func (c *compiler) fail(i int, id, msg string) {
	w := &c.wants[i]
	p := Problem{ID: id, Severity: SeverityError, Path: w.Path, Message: msg}
	if w.HTML && len(w.Values) > 0 {
		c.left[i] = true
		p.Severity = SeverityWarning
		p.Message += "; its meta tag alone carries the policy"
	} else {
		c.missed[i] = true
	}
	c.problem(p)
}

// group is one rule's path and the want's spots that it covers.
type group struct {
	path  string
	spots []spot
}

// groups returns the rules that name all request paths of a want: a rule's path
// often covers several, on several hosts.
func (c *compiler) groups(i int) []group {
	var gs []group
	for d, e := range c.engines {
	form:
		for _, f := range e.forms[i] {
			for g := range gs {
				if e.key(gs[g].path) == e.key(f) {
					gs[g].spots = append(gs[g].spots, spot{d, f})
					continue form
				}
			}
			gs = append(gs, group{f, []spot{{d, f}}})
		}
	}
	return gs
}

// served reports whether the spots of a want need no rule of ours.
func (c *compiler) served(i int, spots []spot, joined string) bool {
	w := &c.wants[i]
	for _, s := range spots {
		got := c.text(s, c.base(s))
		if got == joined || sameSet(got, joined) {
			continue
		}
		if (w.Found && c.uniform(i) || joined == "") && got == c.text(s, c.own(s)) {
			continue
		}
		return false
	}
	return true
}

// uniform reports whether the user's rules say one and the same at every request
// path of a want: only then can they be what [Want.Found] speaks of.
func (c *compiler) uniform(i int) bool {
	first := ""
	for d, e := range c.engines {
		for _, f := range e.forms[i] {
			s := spot{d, f}
			got := c.text(s, c.own(s))
			if got == "" || first != "" && got != first {
				return false
			}
			first = got
		}
	}
	return true
}

// badValues says why values cannot stand in a _headers file, or "".
func badValues(values []string) string {
	for _, v := range values {
		for _, r := range v {
			if r < ' ' || r > '~' {
				return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
			}
		}
		switch {
		case v == "" || trim(v) != v || commas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(Name+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d", len(v), CloudflareLine)
		}
	}
	return ""
}

// plan finds the way to serve the spots of a group with exactly the wanted text,
// or says why there is none.
func (c *compiler) plan(i int, g group, joined string) (p plan, id, msg string) {
	for _, e := range c.engines {
		if !e.nameable(g.path) {
			return p, IDName, fmt.Sprintf("no rule of %s can name %s exactly", e.Name(), g.path)
		}
		for _, other := range e.keys[e.key(g.path)] {
			o := &c.wants[other]
			if strings.Join(o.Values, ", ") != joined {
				return p, IDOverlap, fmt.Sprintf("a rule for %s would reach %s too, which is to be served with %q, not %q (%s)",
					g.path, o.Path, strings.Join(o.Values, ", "), joined, e.Name())
			}
		}
	}
	if p, ok := c.planned[g.path]; ok {
		return p, "", "" // of another file with the same path, and the same values
	}
	if p, ok := c.way(i, g, joined); ok {
		c.planned[g.path] = p
		return p, "", ""
	}
	return p, IDFound, c.foundMessage(g)
}

// way tries a rule at the end of the file, lines in the user's block of the same
// path, or a rule with a star.
func (c *compiler) way(i int, g group, joined string) (p plan, ok bool) {
	w := &c.wants[i]
	rival := c.rival(g.path)
	if rival == nil {
		if name, detach, ok := c.try(g.spots, joined, nil, surround{before: w.Values}); ok {
			return plan{block: block{g.path, ruleLines(name, detach, w.Values)}}, true
		}
		return p, false
	}
	if edits := c.merge(g.spots, joined, rival, w.Values); edits != nil {
		return plan{edits: edits}, true
	}
	if lines, path := c.twin(i, g, joined); lines != nil {
		return plan{block: block{path, lines}}, true
	}
	return p, false
}

func (c *compiler) foundMessage(g group) string {
	for _, s := range g.spots {
		for _, v := range c.engines[s.dialect].combine(c.own(s), c.opt.Host, s.form) {
			return fmt.Sprintf("the X-Robots-Tag rule of line %d stands in the way of the value for %s (remove it: the policy covers the file)",
				c.user.line(v.Line), g.path)
		}
	}
	return fmt.Sprintf("no rule can give %s the wanted value beside the one for /*", g.path)
}

// rival returns the user's rule that Cloudflare would drop for a rule of ours of
// the same path.
func (c *compiler) rival(path string) *Rule {
	e := c.cloudflare()
	if e == nil {
		return nil
	}
	for i := range e.user.Rules {
		if r := &e.user.Rules[i]; cloudflareKey(r) == path {
			return r
		}
	}
	return nil
}

// names returns the spellings of the header's name to try: on Netlify, names of
// different case are different headers, and the one the user brought in last
// wins.
func (c *compiler) names(spots []spot) []string {
	names := []string{Name}
	for _, s := range spots {
		for _, v := range c.engines[s.dialect].combine(c.base(s), c.opt.Host, s.form) {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// try looks for the header's spelling, and whether to detach first, with which
// lines of ours give every spot exactly the wanted text. The lines stand around
// those of the user's rule in whose place they are, or, with none, make a rule
// of their own at the end of the file.
func (c *compiler) try(spots []spot, joined string, place *Rule, lines surround) (name string, detach, ok bool) {
	gives := func(s spot) bool {
		base := c.base(s)
		if place == nil {
			return c.text(s, with(base, ourRule(nil, name, detach, lines))) == joined
		}
		// The same block, as this dialect reads it.
		at := slices.IndexFunc(base, func(r *Rule) bool { return r.Line == place.Line })
		return at >= 0 && c.text(s, with(base, ourRule(base[at], name, detach, lines))) == joined
	}
	for _, name = range c.names(spots) {
		for _, detach = range []bool{false, true} {
			if !slices.ContainsFunc(spots, func(s spot) bool { return !gives(s) }) {
				return name, detach, true
			}
		}
	}
	return "", false, false
}

// ourRule returns a rule with our lines around those of the user's rule that it
// stands for.
func ourRule(place *Rule, name string, detach bool, lines surround) *Rule {
	r := &Rule{}
	if place != nil {
		*r = *place
	}
	if detach {
		r.Detach = append(slices.Clip(r.Detach), Header{Name: Name})
	}
	var hs []Header
	for _, v := range lines.before {
		hs = append(hs, Header{Name: name, Value: v})
	}
	hs = append(hs, r.Headers...)
	for _, v := range lines.after {
		hs = append(hs, Header{Name: name, Value: v})
	}
	r.Headers = hs
	return r
}

func ruleLines(name string, detach bool, values []string) []string {
	var lines []string
	if detach {
		lines = append(lines, "! "+Name)
	}
	for _, v := range values {
		lines = append(lines, name+": "+v)
	}
	return lines
}

// merge finds marked lines for the user's block of the same path. Where the
// block states X-Robots-Tag itself, its text must be a part of the wanted one,
// and ours stands around it.
func (c *compiler) merge(spots []spot, joined string, rival *Rule, values []string) []edit {
	for _, lines := range around(rival, joined, values) {
		if name, detach, ok := c.try(spots, joined, rival, lines); ok {
			return c.mergeEdits(rival, name, detach, lines)
		}
	}
	return nil
}

// robotsName is the spelling of a rule's own last X-Robots-Tag line.
func (r *Rule) robotsName() string {
	if hs := r.robots(); len(hs) > 0 {
		return hs[len(hs)-1].Name
	}
	return Name
}

// robotsText is what a rule alone says.
func (r *Rule) robotsText() string {
	var parts []string
	for _, h := range r.robots() {
		parts = append(parts, h.Value)
	}
	return strings.Join(parts, ", ")
}

// mergeEdits puts our lines into a block of the user's. It is not nil.
func (c *compiler) mergeEdits(rival *Rule, name string, detach bool, lines surround) []edit {
	edits := []edit{}
	if before := ruleLines(name, detach, lines.before); len(before) > 0 {
		edits = append(edits, c.user.after(rival.Line, before))
	}
	if after := ruleLines(name, false, lines.after); len(after) > 0 {
		own := rival.robots()
		edits = append(edits, c.user.after(own[len(own)-1].Line, after))
	}
	return edits
}

// surround is what stands before and after the user's lines in one block.
type surround struct{ before, after []string }

// around returns the ways to complete a block's own X-Robots-Tag text to the
// wanted one.
func around(rival *Rule, joined string, values []string) []surround {
	u := rival.robotsText()
	if u == "" {
		return []surround{{before: values}}
	}
	var all []surround
	for from := 0; ; {
		i := strings.Index(joined[from:], u)
		if i < 0 {
			return all
		}
		i += from
		from = i + 1
		head, okHead := strings.CutSuffix(joined[:i], ", ")
		tail, okTail := strings.CutPrefix(joined[i+len(u):], ", ")
		if head != "" && !okHead || tail != "" && !okTail {
			continue
		}
		var s surround
		if head != "" {
			s.before = []string{head}
		}
		if tail != "" {
			s.after = []string{tail}
		}
		// Several values in one line can be too long.
		if badValues(slices.Concat(s.before, s.after)) == "" {
			all = append(all, s)
		}
	}
}

// twin finds a pattern with one star that among all files of the site matches
// just the spots of a group: a rule of its own where the user's block of the
// same path says something that no line in it can take back.
func (c *compiler) twin(i int, g group, joined string) (lines []string, path string) {
	w := &c.wants[i]
	if len(w.Values) == 0 {
		return nil, ""
	}
	// The rule has one place, the end of the file, so what it gives does not
	// depend on the star.
	name, detach, ok := c.try(g.spots, joined, nil, surround{before: w.Values})
	if !ok {
		return nil, ""
	}
	for at := len(g.path); at > 0; at-- {
		path = g.path[:at] + "*" + g.path[at:]
		if c.rival(path) == nil && !c.twins[path] && c.onlyMatches(path, i, g) {
			c.twins[path] = true
			return ruleLines(name, detach, w.Values), path
		}
	}
	return nil, ""
}

// onlyMatches reports whether a pattern matches the spots of a group in every
// dialect and no other request path of a file that is not free.
func (c *compiler) onlyMatches(path string, i int, g group) bool {
	for d, e := range c.engines {
		f := e.Parse([]byte(path + "\n" + Name + ": x\n"))
		if len(f.Rules) != 1 {
			return false
		}
		r := &f.Rules[0]
		for n, forms := range e.forms {
			for _, form := range forms {
				if e.Match(r, c.opt.Host, form) != (n == i && slices.Contains(g.spots, spot{d, form})) {
					return false
				}
			}
		}
	}
	return true
}

// placeEverywhere writes the one rule of an environment that states noindex.
func (c *compiler) placeEverywhere() {
	if len(c.opt.Everywhere) == 0 || len(c.engines) == 0 {
		return
	}
	if msg := badValues(c.opt.Everywhere); msg != "" {
		c.problem(Problem{ID: IDValue, Severity: SeverityError, Message: "the environment's header: " + msg})
		return
	}
	const path = "/*"
	joined := strings.Join(c.opt.Everywhere, ", ")
	rival := c.rival(path)
	if rival == nil {
		// What the user's rules say is a part of each file's own decision.
		detach := slices.ContainsFunc(c.cloudflareRules(), func(r Rule) bool { return len(r.robots()) > 0 })
		lines := ruleLines(Name, detach, c.opt.Everywhere)
		c.front = append(c.front, block{path, lines})
		for _, e := range c.engines {
			r := e.Parse([]byte(path + "\n" + strings.Join(lines, "\n") + "\n")).Rules[0]
			r.Line = 0
			c.everywhere = append(c.everywhere, &r)
		}
		return
	}
	if own := rival.robotsText(); own != "" && sameSet(own, joined) {
		return
	}
	for _, s := range around(rival, joined, c.opt.Everywhere) {
		name := rival.robotsName()
		c.edits = c.mergeEdits(rival, name, false, s)
		for _, e := range c.engines {
			at := slices.IndexFunc(e.user.Rules, func(r Rule) bool { return r.Line == rival.Line })
			if at < 0 {
				break
			}
			c.everywhere = append(c.everywhere, ourRule(&e.user.Rules[at], name, false, s))
		}
		if len(c.everywhere) == len(c.engines) {
			return
		}
		c.everywhere, c.edits = nil, nil
	}
	c.problem(Problem{ID: IDFound, Severity: SeverityError, Line: c.user.line(rival.Line),
		Message: "the X-Robots-Tag of this rule stands in the way of the environment's (remove it: the environment covers the site); every file needs a rule of its own"})
}

func (c *compiler) cloudflareRules() []Rule {
	if e := c.cloudflare(); e != nil {
		return e.user.Rules
	}
	return nil
}

// preview returns the block that keeps a preview host's noindex. It takes
// everything else away: after a value for one crawler, a noindex that is merely
// appended would be read as that crawler's. Where the user's rules give previews
// another value, that is their word.
func (c *compiler) preview() (b block, ok bool) {
	if c.cloudflare().user.rulesPreviews() {
		return b, false
	}
	for _, path := range previewPaths {
		if c.rival(path) == nil {
			return block{path, ruleLines(Name, true, []string{"noindex"})}, true
		}
	}
	return b, false
}

// budget drops what does not fit the target's limit.
func (c *compiler) budget() error {
	e := c.cloudflare()
	if e == nil {
		return nil
	}
	c.res.Limit = CloudflareRules
	if c.empty() {
		return nil
	}
	count := func() int { blocks, _ := c.ours(); return e.user.Count + len(blocks) }
	all := count()
	if all <= CloudflareRules {
		return nil
	}
	if c.auto() {
		pages := make(map[int]bool)
		c.plans = slices.DeleteFunc(c.plans, func(p plan) bool {
			if p.html {
				pages[p.wanter], c.left[p.wanter] = true, true
			}
			return p.html
		})
		fit := count()
		if fit <= CloudflareRules || c.empty() {
			c.problem(Problem{ID: IDBudget, Severity: SeverityWarning, Message: fmt.Sprintf(
				"%d rules do not fit Cloudflare's limit of %d: %d HTML pages are left to their meta tags", all, CloudflareRules, len(pages))})
			return nil
		}
		all = fit
	}
	c.res.Total = all
	c.problem(Problem{ID: IDBudget, Severity: SeverityError, Message: fmt.Sprintf(
		"%d rules do not fit Cloudflare's limit of %d (%d of them are the site's own); nothing was written", all, CloudflareRules, e.user.Count)})
	return fmt.Errorf("%w: %d rules, %d allowed", ErrBudget, all, CloudflareRules)
}

// empty reports whether we have nothing to write.
func (c *compiler) empty() bool { return len(c.plans)+len(c.front)+len(c.edits) == 0 }

// ours returns our blocks in the order of the file, and our lines for the
// user's blocks.
func (c *compiler) ours() (blocks []block, edits []edit) {
	edits = slices.Clone(c.edits)
	for _, p := range c.plans {
		for _, e := range p.edits {
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
		if p.block.path != "" {
			blocks = append(blocks, p.block)
		}
	}
	// Two files of one path have one rule; they want the same of it.
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(a.path, b.path) })
	blocks = slices.CompactFunc(blocks, func(a, b block) bool { return a.path == b.path })
	blocks = slices.Concat(c.front, blocks)
	if c.cloudflare() != nil && !c.portable() && len(c.opt.Everywhere) == 0 && len(c.plans) > 0 {
		if b, ok := c.preview(); ok {
			blocks = append(blocks, b)
		}
	}
	return blocks, edits
}

// finish prints the file and the closing findings.
func (c *compiler) finish(given []byte) {
	blocks, edits := c.ours()
	bare := make(map[int]bool)
	for _, p := range c.plans {
		if c.portable() && !c.wants[p.wanter].Noindex {
			bare[p.wanter] = true
		}
	}

	at := len(c.user.text)
	dialects := make([]Dialect, len(c.engines))
	for i, e := range c.engines {
		dialects[i] = e.Dialect
	}
	if c.user.stays(dialects) && !slices.ContainsFunc(edits, func(e edit) bool { return e.at > c.user.at }) {
		at = c.user.at
	}
	out := c.user.print(edits, blocks, at)
	switch {
	case len(out) > 0:
		c.res.File = out
	case given != nil && len(given) == 0:
		c.res.File = given
	}

	c.res.Rules = len(blocks)
	if len(c.engines) > 0 {
		// The first dialect is the one with the limit.
		c.res.Total = c.engines[0].Parse(out).Count
	}
	if c.res.Limit == 0 && c.res.Total > NetlifyRules {
		c.problem(Problem{ID: IDCount, Severity: SeverityWarning, Message: fmt.Sprintf(
			"%d rules: Netlify's parser gets slow above %d", c.res.Total, NetlifyRules)})
	}
	if len(c.previews) > 0 {
		c.problem(Problem{ID: IDPreview, Severity: SeverityNote, Message: fmt.Sprintf(
			"%d HTML pages without noindex are left to their meta tags: on Cloudflare a header of theirs would make previews indexable (target cloudflare can keep them out)", len(c.previews))})
	}
	if len(bare) > 0 {
		c.problem(Problem{ID: IDPreview, Severity: SeverityWarning, Message: fmt.Sprintf(
			"%d files have a header without noindex: on Cloudflare it makes their previews indexable (target cloudflare can keep them out)", len(bare))})
	}
	if len(c.engines) == 0 && len(c.missed) > 0 {
		c.problem(Problem{ID: IDNone, Severity: SeverityWarning, Message: fmt.Sprintf(
			"the host serves no headers: %d files that cannot carry a meta tag go without their policy", len(c.missed))})
	}
	c.res.GivenUp = c.paths(c.left)
	c.res.Missed = c.paths(c.missed)
	c.res.Problems = sortProblems(c.res.Problems)
}

func (c *compiler) paths(set map[int]bool) []string {
	var ps []string
	for i := range set {
		ps = append(ps, c.wants[i].Path)
	}
	slices.Sort(ps)
	return ps
}

// sortProblems orders by line, path and text, and drops repetitions: two
// dialects often say the same of one line.
func sortProblems(ps []Problem) []Problem {
	slices.SortFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(ps)
}
