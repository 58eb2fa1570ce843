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
	// Everywhere, where not empty, are the X-Robots-Tag lines of an environment that states noindex. One rule for /*
	// carries them, and only files that want something else get a rule of their own.
	Everywhere []string
	// Host is the site's own host name, for the user's full-URL rules.
	Host string
	// Hosts are other host names of the same deployment, project.pages.dev for one, with the X-Robots-Tag lines that
	// everything there is served with. Only [TargetCloudflare] can say that. In an environment that states noindex they
	// are not needed, and left out.
	Hosts map[string][]string
}

// Result is what [Compile] found and made.
type Result struct {
	// File is the whole new _headers file; nil where there is nothing to write and the user has none.
	File []byte
	// Rules is the number of rules of ours. Lines that were put into a block of the user's make no rule.
	Rules int
	// Total is the number of rules in the file as the target counts them.
	Total int
	// Limit is how many the target takes; 0 is no limit.
	Limit int
	// GivenUp are the HTML files left to their meta tag that the header would
	// have told more than the user's own rules do, sorted.
	GivenUp []string
	// Missed are the other files that get less than all the rules they need, sorted. Each has an error among the
	// Findings; with [TargetNone] there is one warning for all.
	Missed []string
	// Hosts are those of Options.Hosts that have their rule, for [VerifyHosts].
	Hosts map[string][]string
	// Findings are about the user's file and about what was left out.
	Findings []policy.Finding
}

// ErrBudget is returned where the rules that cannot be given up do not fit the
// target's limit. Nothing is to be written then.
var ErrBudget = errors.New("the _headers rules do not fit the host's limit")

// Compile adds to the user's _headers file the fewest rules, of the shapes that the package comment names, that serve
// every want with its values. What stood there from an earlier run is taken out first, so a second run on its own
// output changes nothing, and with nothing wanted the user's bytes come back.
//
// Where Cloudflare would keep only one of two blocks of the same path, marked lines go into the user's block. A file
// with more rules with wildcards than can be matched within limits is an error.
func Compile(user []byte, wants []robotstag.Want, opt Options) (Result, error) {
	return compile(user, wants, opt, false)
}

// compile is Compile, or with exact a compiler that knows no stars: the measure of what they save.
func compile(user []byte, wants []robotstag.Want, opt Options, exact bool) (Result, error) {
	switch opt.Scope {
	case "", ScopeAuto, ScopeFiles, ScopeAll:
	default:
		return Result{}, fmt.Errorf("unknown headers scope %q (known: auto, files, all)", opt.Scope)
	}
	u, err := ReadUser(opt.Target, user, opt.Host)
	if u == nil || err != nil && len(wants) > 0 {
		return Result{}, err
	}
	c := newCompiler(u, wants, opt)
	c.exact = exact
	c.placeEverywhere()
	c.placeHosts()
	c.gather()
	c.choose()
	if err = c.budget(); err == nil {
		c.finish(user)
	}
	c.res.Findings = sortFindings(c.res.Findings)
	return c.res, err
}

type compiler struct {
	user  *User
	opt   Options
	wants []robotstag.Want
	exact bool // there are no patterns
	res   Result

	fixed
	items    []item
	values   []value  // from 1
	wanted   []int32  // of each want its value
	suffixes []string // those that may have rules
	sames    map[[2]string]bool
	twins    map[string]bool // the paths of rules made by [compiler.twin]
	twinWork int
	selection
}

// fixed is what does not depend on the files: the user's rules, and ours for an environment and for other hosts.
type fixed struct {
	cloudflare *engine // whose limits and merging apply, if any
	netlify    bool    // the file is for Netlify, alone or also
	portable   bool    // it is for both
	fold       func(path string) string

	rivals map[string]*Rule // the user's rules by the key that Cloudflare keeps one of
	quiet  bool             // no rule of the user's and no environment brings a value
	// names are the spellings of the header's name, our own and the user's: on Netlify, names of different case are
	// different headers, and the one the user brought in last wins.
	names []string

	front []ours // the environment's rule, if any: see also [engine]
	hosts []ours
}

// selection are the rules that were chosen for the files, and why others were not.
type selection struct {
	giveUp bool            // HTML is left to its tags
	leftTo map[int32]lack  // HTML that cannot have all its rules
	banned map[string]bool // patterns that a dialect reads otherwise
	rules  []ours
	fates  []fate // of the wants
}

// fate is what becomes of a want.
type fate struct {
	touched bool // a rule of ours applies to it
	missed  bool // it gets less than it needs
	left    bool // HTML that is left to its tag
	preview bool // for the sake of previews
}

func newCompiler(u *User, wants []robotstag.Want, opt Options) *compiler {
	c := &compiler{user: u, opt: opt, wants: wants, sames: make(map[[2]string]bool), twins: make(map[string]bool)}
	c.banned, c.leftTo = make(map[string]bool), make(map[int32]lack)
	c.names, c.quiet, c.portable = []string{Name}, true, len(u.engines) > 1
	for _, e := range u.engines {
		if e.Dialect == Cloudflare {
			c.cloudflare, c.rivals = e, make(map[string]*Rule)
		} else {
			c.netlify = true
		}
		c.fold = e.key
		for _, f := range e.file.Findings {
			c.report(f.ID, f.Severity, u.line(f.Line), "", "%s", f.Message)
		}
		for i := range e.file.Rules {
			r := &e.file.Rules[i]
			if r.Host != "" && r.speaks() && !hostMatches(r.Host, opt.Host) {
				c.report(robotstag.IDHost, policy.Note, u.line(r.Line), "",
					"a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)
			}
			if e == c.cloudflare {
				c.rivals[r.key()] = r
			}
			for _, h := range r.robots() {
				c.quiet = false
				if !slices.Contains(c.names, h.Name) {
					c.names = append(c.names, h.Name)
				}
			}
		}
	}
	return c
}

func (c *compiler) report(id string, severity policy.Severity, line int, url, format string, args ...any) {
	c.res.Findings = append(c.res.Findings, policy.Finding{ID: id, Severity: severity, Line: line, URL: url,
		Message: fmt.Sprintf(format, args...)})
}

// odd reports whether the user spells the name of the header in a way of their own.
func (c *compiler) odd() bool { return len(c.names) > 1 }

func (c *compiler) auto() bool { return c.opt.Scope == "" || c.opt.Scope == ScopeAuto }

// sortFindings orders by line, URL and text, and drops repetitions: two dialects often say the same of one line.
func sortFindings(ps []policy.Finding) []policy.Finding {
	slices.SortFunc(ps, func(a, b policy.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.URL, b.URL), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(ps)
}
