package headers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Scopes of [Options].
const (
	// ScopeAuto covers HTML where the host's limit allows.
	ScopeAuto = "auto"
	// ScopeFiles leaves HTML to its meta tag. A page still gets a header where a
	// rule that other files need says just what the page wants.
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
	// Hosts are other host names of the same deployment, project.pages.dev for
	// one, with the X-Robots-Tag lines that everything there is served with.
	// Only [TargetCloudflare] can say that. In an environment that states
	// noindex they are not needed, and left out.
	Hosts map[string][]string
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
	// sorted. Each has an error among the Findings; with [TargetNone] there is
	// one warning for all.
	Missed []string
	// Hosts are those of Options.Hosts that have their rule, for [VerifyHosts].
	Hosts map[string][]string
	// Findings are about the user's file and about what was left out.
	Findings []policy.Finding
}

// ErrBudget is returned where the rules that cannot be given up do not fit the
// target's limit. Nothing is to be written then.
var ErrBudget = errors.New("the _headers rules do not fit the host's limit")

// Compile adds to the user's _headers file the fewest rules, of the shapes that
// the package comment names, that serve every want with its values. What stood
// there from an earlier run is taken out first, so a second run on its own output
// changes nothing, and with nothing wanted the user's bytes come back.
//
// Where Cloudflare would keep only one of two blocks of the same path, marked
// lines go into the user's block. A file with more rules with wildcards than can be
// matched within limits is an error.
func Compile(user []byte, wants []robotstag.Want, opt Options) (Result, error) {
	return compile(user, wants, opt, false)
}

// compile is Compile, or with exact a compiler that knows no stars: the measure
// of what they save.
func compile(user []byte, wants []robotstag.Want, opt Options, exact bool) (Result, error) {
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
	c.exact = exact
	for _, e := range c.engines {
		if err := e.user.tooWild(); err != nil && len(wants) > 0 {
			return c.res, err
		}
	}
	c.placeEverywhere()
	c.placeHosts()
	c.gather()
	c.choose()
	if err := c.budget(); err != nil {
		c.res.Findings = sortFindings(c.res.Findings)
		return c.res, err
	}
	c.finish(user)
	return c.res, nil
}

// engine is one dialect with its reading of the user's file.
type engine struct {
	*Dialect
	user *File
}

// served returns the served request paths of a want.
func (e *engine) served(w *robotstag.Want) []string {
	served, _ := Forms(e.Dialect, w.Path)
	return served
}

// spot is a request path as one dialect's host serves it.
type spot struct {
	dialect int
	form    string
}

type compiler struct {
	reading
	opt   Options
	exact bool // there are no patterns
	wants []robotstag.Want
	res   Result

	items    []item
	joined   []string         // the wanted text of each want, as one line
	labels   map[string]int32 // wanted texts; from 1
	values   [][]string       // the lines of each label
	suffixes []string         // those that may have rules
	sames    map[[2]string]bool
	twins    map[string]bool // the paths of rules made by [compiler.twin]
	twinWork int
	fixed
	selection
}

// reading is what there is before any rule of ours.
type reading struct {
	engines []*engine
	user    *userFile
	rivals  map[string]*Rule // the user's rules by the key that Cloudflare keeps one of

	// quiet says that no rule of the user's and no environment brings a value;
	// odd that the user spells the header's name in a way of his own.
	quiet, odd bool
}

// fixed are the rules that do not depend on the files.
type fixed struct {
	// everywhere is the /* rule of ours in each engine's reading; it stands
	// after the user's rules, or, with its line set, in place of the user's
	// rule of that line.
	everywhere []*Rule
	front      []block
	edits      []edit
	hosts      []block
}

// selection are the rules that were chosen for the files, and why others were not.
type selection struct {
	giveUp   bool            // HTML is left to its tags
	leftTo   map[int]lack    // HTML that cannot have all its rules
	banned   map[string]bool // patterns that a dialect reads otherwise
	patterns []pattern
	plans    []plan

	touched  wantSet // wants that a rule of ours applies to
	left     wantSet // HTML left to its tag
	missed   wantSet
	previews wantSet // of those left, the ones for the sake of previews
}

// lack says why a file cannot have the rule it needs: the finding's ID and message.
type lack struct{ id, msg string }

// wantSet are wants by their places.
type wantSet []bool

func (s wantSet) len() (n int) {
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}

func newCompiler(user []byte, wants []robotstag.Want, dialects []*Dialect, opt Options) *compiler {
	c := &compiler{
		opt: opt, wants: wants, reading: reading{user: readUser(user), quiet: true},
		sames: make(map[[2]string]bool), twins: make(map[string]bool),
		selection: selection{banned: make(map[string]bool), leftTo: make(map[int]lack)},
	}
	for _, d := range dialects {
		e := &engine{Dialect: d, user: d.Parse(c.user.text)}
		c.engines = append(c.engines, e)
		c.readRules(e)
	}
	return c
}

// readRules takes notice of the user's rules.
func (c *compiler) readRules(e *engine) {
	for _, p := range e.user.Findings {
		p.Line = c.user.line(p.Line)
		c.res.Findings = append(c.res.Findings, p)
	}
	for _, r := range e.user.HostRules(c.opt.Host) {
		c.report(policy.Finding{ID: robotstag.IDHost, Severity: policy.Note, Line: c.user.line(r.Line),
			Message: fmt.Sprintf("a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)})
	}
	if e.Dialect == Cloudflare {
		c.rivals = make(map[string]*Rule)
	}
	for i := range e.user.Rules {
		r := &e.user.Rules[i]
		if e.Dialect == Cloudflare {
			c.rivals[r.key()] = r
		}
		for _, h := range r.robots() {
			c.quiet = false
			c.odd = c.odd || h.Name != Name
		}
	}
}

func (c *compiler) report(p policy.Finding) { c.res.Findings = append(c.res.Findings, p) }

// cloudflare returns the engine whose limits and merging apply, or nil.
func (c *compiler) cloudflare() *engine {
	for _, e := range c.engines {
		if e.Dialect == Cloudflare {
			return e
		}
	}
	return nil
}

// netlify reports whether the file is for Netlify, alone or also.
func (c *compiler) netlify() bool {
	return slices.ContainsFunc(c.engines, func(e *engine) bool { return e.Dialect == Netlify })
}

func (c *compiler) portable() bool { return len(c.engines) > 1 }

func (c *compiler) auto() bool { return c.opt.Scope == "" || c.opt.Scope == ScopeAuto }

// own returns the user's rules for a spot.
func (c *compiler) own(s spot) []*Rule {
	e := c.engines[s.dialect]
	return e.matching(e.user, c.opt.Host, s.form)
}

// base returns the rules for a spot before any of ours but the environment's.
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

// says returns what rules give a spot together, as one line.
func (c *compiler) says(s spot, rules []*Rule) string {
	return text(c.engines[s.dialect].combine(rules, c.opt.Host, s.form))
}

// sortFindings orders by line, URL and text, and drops repetitions: two
// dialects often say the same of one line.
func sortFindings(ps []policy.Finding) []policy.Finding {
	slices.SortFunc(ps, func(a, b policy.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.URL, b.URL), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(ps)
}
