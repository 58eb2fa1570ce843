package headers

import (
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the user's _headers file the fewest rules, of the shapes that the package comment names, that serve
// every want with its values. What stood there from an earlier run is taken out first, so a second run on its own
// output changes nothing, and with nothing wanted the user's bytes come back.
//
// Where Cloudflare would keep only one of two blocks of the same path, marked lines go into the user's block. A file
// with more rules with wildcards than can be matched within limits is an error.
func Compile(user []byte, wants []robotstag.Want, opt robotstag.Options) (robotstag.Result, error) {
	return compile(user, wants, opt, false)
}

// compile is Compile, or with exact a compiler that knows no stars: the measure of what they save.
func compile(user []byte, wants []robotstag.Want, opt robotstag.Options, exact bool) (robotstag.Result, error) {
	if err := opt.Check(); err != nil {
		return robotstag.Result{}, err
	}
	u, err := ReadUser(user, opt)
	switch {
	case u == nil || err != nil && len(wants) > 0:
		return robotstag.Result{}, err
	case len(u.engines) == 0: // a host without headers
		return robotstag.Result{File: u.text}, nil
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
	c.res.Sort()
	return c.res, err
}

type compiler struct {
	user  *User
	opt   robotstag.Options
	wants []robotstag.Want
	exact bool // there are no patterns
	res   robotstag.Result

	fixed
	items    []item
	values   []value  // from 1
	wanted   []int32  // of each want its value
	suffixes []string // those that may have rules
	sames    map[[2]string]bool
	matched  int            // how many items were compared with patterns
	wild     map[int32]bool // the wants that a rule with wildcards for one of their paths may reach at another
	selection
}

// fixed is what does not depend on the files: the user's rules, and ours for an environment and for other hosts.
type fixed struct {
	cloudflare *engine // whose limits and merging apply, if any
	netlify    bool    // the file is for Netlify, alone or also
	portable   bool    // it is for both
	fold       func(path string) string

	userBlocks map[string]*Rule // the user's rules by the key that Cloudflare keeps one of
	quiet      bool             // no rule of the user's and no environment brings a value
	// names are the spellings of the header's name, our own and the user's: on Netlify, names of different case are
	// different headers, and the one the user brought in last wins.
	names []string

	front []ours // the environment's rule, if any: see also [engine]
	hosts []ours
}

// selection are the rules that were chosen for the files, and why others were not.
type selection struct {
	giveUp   bool            // HTML is left to its tags
	leftTo   map[int32]lack  // HTML that cannot have all its rules
	banned   map[string]bool // patterns that a dialect reads otherwise
	rules    []ours
	outcomes []outcome // of the wants
}

// outcome is what becomes of a want.
type outcome struct {
	touched bool // a rule of ours applies to it
	missed  bool // it gets less than it needs
	left    bool // HTML that is left to its tag
	preview bool // for the sake of previews
}

func newCompiler(u *User, wants []robotstag.Want, opt robotstag.Options) *compiler {
	c := &compiler{user: u, opt: opt, wants: wants, sames: make(map[[2]string]bool),
		wild: make(map[int32]bool)}
	c.banned, c.leftTo = make(map[string]bool), make(map[int32]lack)
	c.names, c.quiet, c.portable = []string{Name}, true, len(u.engines) > 1
	for _, e := range u.engines {
		if e.Dialect == Cloudflare {
			c.cloudflare, c.userBlocks = e, make(map[string]*Rule)
		} else {
			c.netlify = true
		}
		c.fold = e.key
		for _, f := range e.file.Findings {
			c.res.Report(f.ID, f.Severity, u.line(f.Line), "", "%s", f.Message)
		}
		for i := range e.file.Rules {
			r := &e.file.Rules[i]
			if r.Host != "" && r.speaks() && !hostMatches(r.Host, opt.Host) {
				c.res.Report("header-host", policy.Note, u.line(r.Line), "",
					"a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)
			}
			if e == c.cloudflare {
				c.userBlocks[r.key()] = r
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

// otherSpelling reports whether the user spells the name of the header in a way of their own.
func (c *compiler) otherSpelling() bool { return len(c.names) > 1 }
