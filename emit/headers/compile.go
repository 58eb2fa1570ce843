package headers

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the user's _headers file few rules, of the shapes that the package comment names, that serve every
// want with its values. Rules of an earlier run are taken out first, so a second run on its own output changes nothing,
// and with nothing wanted the user's bytes come back. A file with more rules with wildcards than can be matched within
// limits is an error.
func Compile(user []byte, demands []robotstag.Demand, opt robotstag.Task) (res robotstag.Result, err error) {
	defer res.Sort()
	var compilers []*compiler
	var all []added
	for i, d := range demands {
		u, err := ReadUser(user, d.Header, opt)
		switch {
		case u == nil || err != nil && len(d.Wants) > 0:
			return res, err
		case len(u.engines) == 0: // a host without headers
			res.File = u.lines.Own()
			return res, nil
		}
		c := newCompiler(u, d.Wants, opt, &res)
		if compilers = append(compilers, c); i == 0 {
			opt = robotstag.Task{Target: opt.Target, Scope: robotstag.ScopeAll, Host: opt.Host,
				Addresses: opt.Addresses} // of the others
		} else {
			c.blocks = newBlocks(all, nil)
		}
		if err := c.run(); err != nil {
			return res, err
		}
		all = append(all, c.additions()...)
	}
	finish(compilers, user, all)
	return res, nil
}

// compiler compiles the rules for one header. What engines combine, they combine for each header by itself. So each is
// compiled by itself, with what is left of the limit, and rules of one path become one block.
type compiler struct {
	header robotstag.Header
	user   *User
	opt    robotstag.Task
	wants  []robotstag.Want
	res    *robotstag.Result // of all headers

	// What does not depend on the files.
	cloudflare *engine          // whose limits and merging apply, if any
	netlify    bool             // the file is for Netlify, alone or also
	userBlocks map[string]*Rule // the user's rules by the path that Cloudflare keeps one of
	quiet      bool             // no rule of the user's and no environment brings a value
	name       string           // of the header, as our rules write it
	front      []added          // the environment's rules, if any: see also [engine]

	// Of a header that comes after X-Robots-Tag. A rule costs nothing where there is a block of its path.
	blocks map[string]bool   // paths of blocks that other headers have already; nil of X-Robots-Tag
	loss   price             // of a file that goes without
	lost   []*item           // of those that went without
	why    map[string]string // files get nothing

	items    []*item
	values   map[string]*value // by text
	suffixes []string          // none, and those that may have rules
	kinds    []kind            // of the requests
	root     *folder
	shapes   map[string]*shape // by what they are made of
	work     int               // that is left to [compiler.solve]

	// The rules that were chosen, and the paths of files that go without: left to their tags, or missed.
	left          robotstag.Left // the HTML that is left to its tags
	rules         []added
	toTag, missed map[string]string
}

func newCompiler(u *User, wants []robotstag.Want, opt robotstag.Task, res *robotstag.Result) *compiler {
	c := &compiler{header: u.header, user: u, opt: opt, wants: wants, res: res, quiet: true, loss: missed,
		values: make(map[string]*value), left: opt.Left()}
	for _, e := range u.engines {
		if e.dialect == Cloudflare {
			c.cloudflare, c.userBlocks = e, make(map[string]*Rule)
		} else {
			c.netlify = true
		}
		for _, f := range e.file.Findings {
			res.Report(f.ID, f.Severity, u.line(f.Line), "", "%s", f.Text())
		}
		for i := range e.file.Rules {
			r := &e.file.Rules[i]
			if e == c.cloudflare {
				c.userBlocks[r.Path] = r
			}
			c.quiet = c.quiet && len(r.values) == 0
		}
	}
	c.name = u.spell()
	return c
}

func (c *compiler) run() error {
	c.placeEverywhere()
	c.closed()
	c.gather()
	c.choose()
	if c.blocks != nil {
		c.fitOther()
		return nil
	}
	err := c.fit()
	c.exposed()
	c.res.GivenUp = slices.AppendSeq(c.res.GivenUp, maps.Keys(c.toTag))
	c.res.Missed = slices.AppendSeq(c.res.Missed, maps.Keys(c.missed))
	return err
}

// additions returns our rules for the header.
func (c *compiler) additions() []added {
	all := slices.Concat(c.front, c.rules)
	if c.header.Preview != "" && !c.netlify && len(c.opt.Everywhere) == 0 && len(c.rules) > 0 {
		free := slices.IndexFunc(previewPaths, func(path string) bool { return c.userBlocks[path] == nil })
		if free >= 0 && !c.cloudflare.file.rulesPreviews() {
			// It takes everything else away: after a value for one crawler, a noindex that is merely appended would be
			// read as that crawler's.
			all = append(all, c.rule(previewPaths[free], []string{c.previews()}, true))
		}
	}
	return all
}

// rule is a block of ours, or lines in the user's block of that path. Where Cloudflare reads the file, it can take away
// first what earlier rules set.
func (c *compiler) rule(path string, values []string, detach bool) added {
	a := added{path: path, place: c.userBlocks[path], header: c.header.Name, name: c.name, values: values,
		detach: detach && c.cloudflare != nil, order: c.order(path)}
	if a.place != nil && len(a.place.values) > 0 {
		a.name = a.place.values[len(a.place.values)-1].Name
	}
	return a
}

// order is where a block stands in the file, as each header needs it: first come the rules of everyPath, then those
// with stars by their folders, general before specific, then those for one path, then that for preview hosts.
func (c *compiler) order(path string) string {
	text, suffix, star := strings.Cut(path, "*")
	switch {
	case strings.HasPrefix(path, "https:"):
		return "4"
	case slices.Contains(everyPath[1:], path):
		return "1"
	case !star:
		return "3" + path
	case c.netlify:
		text = strings.ToLower(text)
	}
	return "2" + strings.ReplaceAll(text, "/", "\x01") + "\x00" + suffix
}

const keepsOut = "(targets = [\"cloudflare\"] keeps them out)"

// opens reports whether a rule with a value would open Cloudflare's previews to the index, of which portable cannot say
// that they are closed (N6): it tells no crawler noindex.
func (c *compiler) opens(v *value) bool {
	return c.netlify && c.cloudflare != nil && c.header.Preview != "" && v.text != "" && v.bad == "" &&
		!slices.ContainsFunc(slices.Collect(maps.Values(robotstag.Stated(v.text))), policy.Directives.NoIndex)
}

// closed leaves HTML to its tags where a header would open previews.
func (c *compiler) closed() {
	if c.cloudflare == nil || !c.netlify || c.opt.Scope == robotstag.ScopeAll {
		return
	}
	c.wants = slices.Clone(c.wants)
	pages := 0
	for i := range c.wants {
		if w := &c.wants[i]; w.HTML && !w.Found && !w.Free && c.intern(value{lines: w.Values}).opens {
			c.res.GivenUp, w.Values = append(c.res.GivenUp, w.Path), nil
			pages++
		}
	}
	if pages > 0 && c.opt.Auto() {
		c.res.Report("header-preview", policy.Note, 0, "",
			"%s in the tag alone: on Cloudflare a header without noindex would open the previews to the index "+keepsOut,
			robotstag.Count(pages, "HTML page has its policy", "HTML pages have their policy"))
	}
}

// exposed reports the files that need a rule which opens previews, and are not left to their tags.
func (c *compiler) exposed() {
	files := make(map[int32]bool)
	for _, it := range c.items {
		if it.served || !it.value.opens || it.reach() == reachesNone && c.isLeft(it) {
			continue
		}
		for _, s := range it.requests {
			files[s.want] = true
		}
	}
	if len(files) > 0 {
		c.res.Report("header-preview", policy.Warning, 0, "",
			"%s a header without noindex: on Cloudflare it opens their previews to the index "+keepsOut,
			robotstag.Count(len(files), "file has", "files have"))
	}
}

// finish prints the file with all rules of ours.
func finish(compilers []*compiler, given []byte, all []added) {
	c := compilers[0]
	slices.SortStableFunc(all, func(a, b added) int { return cmp.Compare(a.order, b.order) })
	beforeHosts(compilers, all)
	if c.res.File = c.user.print(all); len(c.res.File) == 0 && len(given) == 0 {
		c.res.File = given // which may be empty, or none
	}
	reportHosts(compilers, all)
	c.res.Rules = len(newBlocks(all, nil))
	c.res.Total = c.user.engines[0].dialect.Parse(c.res.File, c.header.Name).Count // the first has the limit
	if c.res.Limit == 0 && c.res.Total > NetlifyRules {
		c.res.Report("header-count", policy.Warning, 0, "",
			"%d rules: Netlify's parser gets slow above %d", c.res.Total, NetlifyRules)
	}
}
