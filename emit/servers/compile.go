package servers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the user's file of a format the rules that serve every want with its values and nothing else with
// any. Rules of an earlier run are taken out first. It fails where the scope is unknown, where the file
// cannot be read as what the host takes, and, with [robotstag.ErrBudget] and the result, where a limit of the host's is
// in the way: of the files other than HTML, or, in scope "all", of all of them.
func Compile(f *Format, existing []byte, demands []robotstag.Demand, o robotstag.Options) (robotstag.Result, error) {
	if err := o.Check(); err != nil {
		return robotstag.Result{}, err
	}
	wants := demands[0].Wants
	user, err := ReadUser(f, existing)
	if err != nil {
		return robotstag.Result{}, err
	}
	compileWith := func(leaveHTML bool) (*compiler, error) {
		c := newCompiler(user, existing, wants, o, leaveHTML)
		return c, f.write(c)
	}
	c, err := compileWith(o.Scope == robotstag.ScopeFiles)
	if errors.Is(err, robotstag.ErrBudget) && o.Auto() {
		less, still := compileWith(true)
		if len(less.leftHTML) > 0 {
			if still == nil {
				less.report("header-budget", policy.Warning, nil, "%s: the tags of %s alone carry the policy",
					c.over, robotstag.Count(len(less.leftHTML), "HTML page", "HTML pages"))
			}
			c, err = less, still
			c.res.GivenUp = less.leftHTML
		}
	}
	switch {
	case errors.Is(err, robotstag.ErrBudget):
		hint := ""
		if !c.leaveHTML {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		c.report("header-budget", policy.Error, nil, "%s%s", c.over, hint)
	case err != nil:
		return robotstag.Result{}, err
	}
	c.res.Total = c.res.Rules // the owner's, which a limit counts too, have no simple number
	if len(o.Hosts) > 0 {
		c.report("header-host", policy.Warning, nil, "only target cloudflare can say a header for a host name: "+
			"nothing is said of %s", strings.Join(slices.Sorted(maps.Keys(o.Hosts)), ", "))
	}
	for _, d := range demands[1:] {
		c.res.Lose(d.Header.Name, "rules for this host are about X-Robots-Tag alone", robotstag.Wanting(d.Wants))
	}
	c.res.Sort()
	return c.res, err
}

// compiler finds out which request path needs a rule with which value; a host's write puts that into its file.
type compiler struct {
	existing   []byte
	user       *User
	wants      []robotstag.Want
	everywhere string              // what one rule says for all files; "" for none
	lines      map[string][]string // by the value that they come to, joined
	compared   robotstag.Compared
	leaveHTML  bool
	leftHTML   []string // the HTML files that so go without their rules
	over       string   // says which limit is in the way
	res        robotstag.Result

	texts  []string         // of each want the value that it needs a rule for, be it the one for everything, or ""
	claims map[string]claim // by request path
	urls   []string         // the request paths of files that are not free, sorted
	groups []group          // those that need a rule of their own
	// several are the values of more than one line, that of the rule for everything among them: the shortest first, of
	// one length by the alphabet.
	several []string
}

// group is the URLs that get one value, sorted, decoded.
type group struct {
	value string
	urls  []string
}

// newCompiler finds out what each request path needs.
func newCompiler(user *User, existing []byte, wants []robotstag.Want, o robotstag.Options, leaveHTML bool) *compiler {
	c := &compiler{existing: existing, user: user, wants: wants, everywhere: strings.Join(o.Everywhere, ", "),
		lines: make(map[string][]string), compared: robotstag.Compared{}, leaveHTML: leaveHTML,
		res: robotstag.Result{Findings: slices.Clone(user.unread)}}
	// A name begins each line but the first, so lines that are joined to one text are the same.
	c.lines[c.everywhere] = o.Everywhere
	for _, w := range wants {
		c.lines[strings.Join(w.Values, ", ")] = w.Values
	}
	if msg := badValue(c.everywhere); msg != "" {
		c.report("header-value", policy.Error, nil, "the environment's header: %s", msg)
		c.everywhere = ""
	}
	c.gather(strings.TrimRight(o.Base, "/"))
	return c
}

// report notes a finding about a published file; nil is none.
func (c *compiler) report(id string, severity policy.Severity, w *robotstag.Want, format string, args ...any) {
	url := ""
	if w != nil {
		url = w.URL
		if severity == policy.Error {
			c.res.Missed = append(c.res.Missed, w.Path)
		}
	}
	c.res.Report(id, severity, 0, url, format, args...)
}

// gather groups the URLs by value.
func (c *compiler) gather(base string) {
	c.texts = make([]string, len(c.wants))
	for i := range c.wants {
		c.texts[i] = c.text(&c.wants[i])
	}
	c.claims = c.user.serves.claims(base, c.wants, func(i, j int) bool {
		return c.texts[i] == c.texts[j] && c.wants[i].Free == c.wants[j].Free
	})
	for u, cl := range c.claims {
		if cl.shared || !c.wants[cl.want].Free {
			c.urls = append(c.urls, u)
		}
	}
	slices.Sort(c.urls)
	byValue := make(map[string][]string)
	for _, url := range c.urls {
		if v := c.own(url); v != "" {
			byValue[v] = append(byValue[v], url)
		}
	}
	for _, v := range append(slices.Sorted(maps.Keys(byValue)), c.everywhere) {
		if len(byValue[v]) > 0 {
			c.groups = append(c.groups, group{v, byValue[v]})
		}
		if len(c.lines[v]) > 1 {
			c.several = append(c.several, v)
		}
	}
	slices.SortFunc(c.several, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
}

// file is the published file of a request path.
func (c *compiler) file(url string) *robotstag.Want { return &c.wants[c.claims[url].want] }

// needs is the value that a rule has to give a request path, be it the one for everything; "" where it gets nothing of
// its own.
func (c *compiler) needs(url string) string {
	if cl := c.claims[url]; !cl.shared {
		return c.texts[cl.want]
	}
	return ""
}

// own is the value for which a request path needs a rule of its own, or "".
func (c *compiler) own(url string) string {
	if v := c.needs(url); v != c.everywhere {
		return v
	}
	return ""
}

// count is the number of URLs in all groups.
func (c *compiler) count() (n int) {
	for _, g := range c.groups {
		n += len(g.urls)
	}
	return n
}

// text is the value that a want needs a rule for, be it the one for everything, or "".
func (c *compiler) text(w *robotstag.Want) string {
	text := strings.Join(w.Values, ", ")
	switch msg := badValue(text); {
	case w.Free || text == "":
		return ""
	case msg != "":
		c.report("header-value", policy.Error, w, "%s", msg)
		return ""
	case badName(w.Path):
		c.report("header-name", policy.Error, w,
			"the name holds a control character or is not UTF-8: it gets no X-Robots-Tag (rename the file)")
		return ""
	case c.compared.Same(text, c.everywhere):
		return c.everywhere
	case c.believes(w):
		return ""
	case c.leaveHTML && w.HTML:
		c.leftHTML = append(c.leftHTML, w.Path)
		return ""
	}
	return text
}

// believes reports whether the user's own rules serve a want, at each request path and however the host compares it.
// One rule for everything would override them, and so may a line that is not read.
func (c *compiler) believes(w *robotstag.Want) bool {
	if !w.Found || c.everywhere != "" {
		return false
	}
	text := strings.Join(w.Values, ", ")
	return !slices.ContainsFunc(c.user.serves.all(w.Path), func(url string) bool {
		return slices.ContainsFunc(c.user.views, func(v view) bool {
			values, known := v.relied(url)
			return !known || !c.compared.Same(robotstag.Join(values), text)
		})
	})
}

// inTheWay reports the user's rules that the host puts before ours, where they do not give a file what it is to have:
// each once, with the first of its files.
func (c *compiler) inTheWay(says func(rule string) string) {
	type obstacle struct {
		rule         *userRule
		first        *robotstag.Want
		served, ours string
		files        int
	}
	var all []*obstacle
	missed := make(map[*robotstag.Want]bool)
	for _, v := range c.user.views {
		for _, url := range c.urls {
			w, ours := c.file(url), c.needs(url)
			served, by := v.instead(url, ours)
			if ours == "" || missed[w] || by == nil || !by.unread && c.compared.Same(served, ours) {
				continue
			}
			missed[w] = true
			c.res.Missed = append(c.res.Missed, w.Path)
			i := slices.IndexFunc(all, func(o *obstacle) bool { return o.rule.sends.Line == by.sends.Line })
			if i < 0 {
				i, all = len(all), append(all, &obstacle{rule: by, first: w, served: served, ours: ours})
			}
			all[i].files++
		}
	}
	for _, o := range all {
		instead, others := fmt.Sprintf("with %q", o.served), ""
		if o.served == "" {
			instead = "without " + robotstag.Name
		}
		if o.files > 1 {
			others = fmt.Sprintf(" (and so for %s)", robotstag.Count(o.files-1, "other file", "other files"))
		}
		c.res.Report("header-found", policy.Error, o.rule.sends.Line, o.first.URL,
			"%s: the file is served %s where %q is decided%s", says(o.rule.before), instead, o.ours, others)
	}
}

// pack joins the texts of a group's URLs to texts that begin with a head and are not longer than most. A URL that does
// not fit any is left out and reported.
func (c *compiler) pack(urls []string, head, separator string, most int,
	text func(url string) string) (packed []string) {
	for _, url := range urls {
		t, last := text(url), len(packed)-1
		switch {
		case len(head)+len(t) > most:
			c.tooLong(url)
		case last >= 0 && len(packed[last])+len(separator)+len(t) <= most:
			packed[last] += separator + t
		default:
			packed = append(packed, head+t)
		}
	}
	return packed
}

// tooLong reports a file that has no rule because of a limit on single lines and patterns.
func (c *compiler) tooLong(url string) {
	c.report("header-name", policy.Error, c.file(url),
		"the path or its value is too long for a rule of this host: it gets no X-Robots-Tag")
}

// badValue says why a value cannot be written. No directive and no crawler's name needs what is refused here; one host
// or another gives each a meaning.
func badValue(v string) string {
	for _, r := range v {
		if r < ' ' || r > '~' || strings.ContainsRune("\"\\$`{}", r) {
			return fmt.Sprintf("the value %q holds %q, which cannot be written in the host's file:"+
				" it gets no X-Robots-Tag", v, r)
		}
	}
	return ""
}

// badName reports whether a name cannot be written in every host's file.
func badName(path string) bool {
	return !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F })
}
