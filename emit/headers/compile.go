package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the user's _headers file the fewest rules, of the shapes that the package comment names, that serve
// every want with its values. Rules of an earlier run are taken out first, so a second run on its own
// output changes nothing, and with nothing wanted the user's bytes come back.
//
// Where Cloudflare would keep only one of two blocks of the same path, marked lines go into the user's block. A file
// with more rules with wildcards than can be matched within limits is an error.
func Compile(user []byte, demands []robotstag.Demand, opt robotstag.Options) (res robotstag.Result, err error) {
	if err := opt.Check(); err != nil {
		return res, err
	}
	users, wanted, at := make([]*User, len(demands)), false, 0
	for i, d := range demands {
		u, err := ReadUser(user, d.Header, opt)
		if wanted = wanted || len(d.Wants) > 0; u == nil || err != nil && wanted {
			return res, err
		}
		users[i], at = u, max(at, u.lines.At)
	}
	if len(users[0].engines) == 0 { // a host without headers
		return robotstag.Result{File: users[0].text}, nil
	}
	var first *compiler
	var all []added
	for i, d := range demands {
		users[i].lines.At = at // where our block can stay, whichever the header
		c := newCompiler(users[i], d.Wants, opt, &res)
		if i == 0 {
			first = c
		} else {
			c.follow(all)
		}
		if err = c.run(); err != nil {
			break
		}
		all = append(all, c.additions()...)
	}
	if err == nil {
		slices.SortStableFunc(all, first.before)
		first.finish(user, all)
	}
	res.Sort()
	return res, err
}

func (c *compiler) run() error {
	c.placeEverywhere()
	c.placeHosts()
	c.gather()
	c.choose()
	return c.fit()
}

// compiler compiles the rules for one header.
type compiler struct {
	header robotstag.Header
	user   *User
	opt    robotstag.Options
	wants  []robotstag.Want
	exact  bool              // there are no rules with stars: the measure of what they save
	res    *robotstag.Result // of all headers

	// What does not depend on the files.
	cloudflare *engine          // whose limits and merging apply, if any
	netlify    bool             // the file is for Netlify, alone or also
	portable   bool             // it is for both
	userBlocks map[string]*Rule // the user's rules by the path that Cloudflare keeps one of
	quiet      bool             // no rule of the user's and no environment brings a value
	name       string           // of the header, as our rules write it
	front      []added          // the environment's rule, if any: see also [engine]
	hosts      []added          // rules for other hosts

	// Of a header that comes after X-Robots-Tag: see [compiler.follow].
	blocks map[string]bool // paths of blocks that other headers have already; nil of X-Robots-Tag
	rivals []int           // wants whose files the user's own rules serve with another value
	loss   price           // of a file that goes without
	lost   []*item         // of those that went without

	items    []item
	values   []value          // from 1
	numbers  map[string]int32 // of the values, by text
	suffixes []string         // none, and those that may have rules
	shapes   map[any]*shape   // of leaves, and of folders by what they hold
	work     int              // that is left to [compiler.solve]

	// The rules that were chosen for the files, and why others were not.
	giveUp   bool // HTML is left to its tags
	rules    []added
	outcomes []outcome // of the wants
}

// outcome is what becomes of a want.
type outcome struct {
	touched bool   // a rule of ours applies to it
	missed  bool   // it gets less than it needs
	left    bool   // HTML that is left to its tag
	preview bool   // for the sake of previews
	lost    string // why it gets nothing of another header
}

func newCompiler(u *User, wants []robotstag.Want, opt robotstag.Options, res *robotstag.Result) *compiler {
	c := &compiler{header: u.header, user: u, opt: opt, wants: wants, res: res, quiet: true, loss: missed,
		portable: len(u.engines) > 1, giveUp: opt.Scope == robotstag.ScopeFiles}
	for _, e := range u.engines {
		if e.dialect == Cloudflare {
			c.cloudflare, c.userBlocks = e, make(map[string]*Rule)
		} else {
			c.netlify = true
		}
		for _, f := range e.file.Findings {
			c.res.Report(f.ID, f.Severity, u.line(f.Line), "", "%s", f.Message)
		}
		for i := range e.file.Rules {
			r := &e.file.Rules[i]
			if r.Host != "" && r.concerns() && !hostMatches(r.Host, opt.Host) {
				c.res.Report("header-host", policy.Note, u.line(r.Line), "",
					"a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)
			}
			if e == c.cloudflare {
				c.userBlocks[r.Path] = r
			}
			c.quiet = c.quiet && len(r.values) == 0
		}
	}
	c.spell()
	return c
}

// spell chooses how our rules write the header's name. On Netlify, names of different case are different headers, and
// of those in the file, the one that came in last wins: so ours is either the only one, or new.
func (c *compiler) spell() {
	names, name := make(map[string]bool), c.header.Name
	for _, e := range c.user.engines {
		for _, r := range e.base.Rules {
			for _, v := range r.values {
				names[v.Name] = true
			}
		}
	}
	lower := strings.ToLower(name)
	for _, c.name = range []string{name, lower, strings.ToUpper(name), name[:1] + lower[1:]} {
		if len(names) < 2 || !names[c.name] {
			return
		}
	}
}
