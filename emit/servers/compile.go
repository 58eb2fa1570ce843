package servers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the user's file of a format the rules that serve every want with its values and nothing else with
// any. Rules of an earlier run are taken out first. It fails where the scope is unknown, where the file
// cannot be read as what the host takes, and, with [robotstag.ErrBudget] and the result, where a limit of the host's is
// in the way: of the files other than HTML, or, in scope "all", of all of them.
//
// The first demand is X-Robots-Tag, which alone has scopes and an environment. Of other headers a file gets what the
// host takes beside that, or is among those that are lost.
func (f *Format) Compile(existing []byte, demands []robotstag.Demand, o robotstag.Options) (robotstag.Result, error) {
	if err := o.Check(); err != nil {
		return robotstag.Result{}, err
	}
	user, err := f.read(existing, robotstag.Name)
	if err != nil {
		return robotstag.Result{}, err
	}
	compileWith := func(leaveHTML bool) (*draft, error) {
		d := newDraft(f, existing, user, demands[0], o, leaveHTML)
		return d, d.write()
	}
	d, err := compileWith(o.Scope == robotstag.ScopeFiles)
	over, gaveUp := d.over, false
	if errors.Is(err, robotstag.ErrBudget) && o.Auto() {
		if less, still := compileWith(true); len(less.leftHTML) > 0 {
			d, err, gaveUp = less, still, true
		}
	}
	if err == nil {
		err = d.addOthers(demands[1:])
	}
	switch {
	case errors.Is(err, robotstag.ErrBudget):
		hint := ""
		if !d.leaveHTML {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		d.report("header-budget", policy.Error, nil, "%s%s", d.over, hint)
	case err != nil:
		return robotstag.Result{}, err
	case gaveUp:
		d.report("header-budget", policy.Warning, nil, "%s: the tags of %s alone carry the policy", over,
			robotstag.Count(len(d.leftHTML), "HTML page", "HTML pages"))
	}
	if gaveUp {
		d.res.GivenUp = d.leftHTML
	}
	d.res.Total = d.res.Rules // the owner's, which a limit counts too, have no simple number
	if len(o.Hosts) > 0 {
		d.report("header-host", policy.Warning, nil, "only target cloudflare can say a header for a host name: "+
			"nothing is said of %s", strings.Join(slices.Sorted(maps.Keys(o.Hosts)), ", "))
	}
	d.res.Sort()
	return d.res, err
}

// draft is a host's new file: the owner's, with rules for some headers.
type draft struct {
	format    *Format
	existing  []byte
	base      string
	headers   []*compiler // X-Robots-Tag first
	leaveHTML bool
	leftHTML  []string // the HTML files that so go without their rules
	over      string   // says which limit is in the way
	searching bool     // it is searched for how many files fit
	res       robotstag.Result
	gathered  robotstag.Result // what it was before the first rule was written
}

// newDraft begins a file with X-Robots-Tag.
func newDraft(f *Format, existing []byte, user *User, robots robotstag.Demand, o robotstag.Options,
	leaveHTML bool) *draft {
	d := &draft{format: f, existing: existing, base: strings.TrimRight(o.Base, "/"), leaveHTML: leaveHTML,
		res: robotstag.Result{Findings: slices.Clone(user.unread)}}
	c := newCompiler(d, user, robots)
	// A name begins each line but the first, so lines that are joined to one text are the same.
	c.everywhere = strings.Join(o.Everywhere, ", ")
	c.lines[c.everywhere] = o.Everywhere
	for _, w := range c.wants {
		c.lines[strings.Join(w.Values, ", ")] = w.Values
	}
	if msg := badValue(c.everywhere); msg != "" {
		d.report("header-value", policy.Error, nil, "the environment's header: %s: it gets no X-Robots-Tag", msg)
		c.everywhere = ""
	}
	for i := range c.wants {
		c.texts[i] = c.text(&c.wants[i])
	}
	c.gather()
	if f.first != "" {
		c.inTheWay()
	}
	d.res.Findings, d.res.Missed = slices.Clip(d.res.Findings), slices.Clip(d.res.Missed)
	d.gathered = d.res
	return d
}

// write writes the file, and anew as long as another header loses a file by that.
func (d *draft) write() error {
	for {
		lost := 0
		d.res = d.gathered
		for _, c := range d.headers[1:] {
			lost += len(c.lost)
			c.gather()
		}
		err := d.format.write(d)
		for _, c := range d.headers[1:] {
			lost -= len(c.lost)
		}
		if lost == 0 {
			return err
		}
	}
}

// report notes a finding about a published file; nil is none.
func (d *draft) report(id string, severity policy.Severity, w *robotstag.Want, format string, args ...any) {
	url := ""
	if w != nil {
		url = w.URL
		if severity == policy.Error {
			d.res.Missed = append(d.res.Missed, w.Path)
		}
	}
	d.res.Report(id, severity, 0, url, format, args...)
}

// compiler finds out which request path needs a rule with which value of a header; a host's write puts that into its
// file.
type compiler struct {
	draft      *draft
	header     robotstag.Header
	user       *User
	wants      []robotstag.Want
	everywhere string              // what one rule says for all files; "" for none
	lines      map[string][]string // by the value that they come to, joined
	compared   robotstag.Compared

	texts  []string         // of each want the value that it needs a rule for, be it the one for everything, or ""
	claims map[string]claim // by request path
	urls   []string         // the request paths of files that are not free, sorted
	groups []group          // those that need a rule of their own
	// several are the values of more than one line, that of the rule for everything among them: the shortest first, of
	// one length by the alphabet.
	several []string

	// pairs are the request paths that a host may take for each other; nil where nobody has asked.
	pairs [][2]string
	// lost are the files that go without another header, and why.
	lost map[*robotstag.Want]string
}

// group is the URLs that get one value, sorted, decoded.
type group struct {
	value string
	urls  []string
}

func newCompiler(d *draft, user *User, demand robotstag.Demand) *compiler {
	c := &compiler{draft: d, header: demand.Header, user: user, wants: demand.Wants,
		lines: make(map[string][]string), compared: robotstag.Compared{}, texts: make([]string, len(demand.Wants)),
		lost: make(map[*robotstag.Want]string)}
	d.headers = append(d.headers, c)
	return c
}

// another reports whether the header is another than X-Robots-Tag.
func (c *compiler) another() bool { return c != c.draft.headers[0] }

// refuse notes that a file gets no rule, and what to do about it.
func (c *compiler) refuse(id string, w *robotstag.Want, reason, hint string) {
	if c.another() {
		c.lose(w, reason)
		return
	}
	c.draft.report(id, policy.Error, w, "%s: it gets no X-Robots-Tag%s", reason, hint)
}

func (c *compiler) gather() {
	c.claims = c.user.serves.claims(c.draft.base, c.wants, func(i, j int) bool {
		return c.value(i) == c.value(j) && c.wants[i].Free == c.wants[j].Free
	})
	c.urls, c.groups, c.several = nil, nil, nil
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

func (c *compiler) file(url string) *robotstag.Want { return &c.wants[c.claims[url].want] }

// value is what a file needs, as far as it is not lost.
func (c *compiler) value(i int) string {
	if _, lost := c.lost[&c.wants[i]]; lost {
		return ""
	}
	return c.texts[i]
}

// needs is the value that a rule has to give a request path, be it the one for everything; "" where it gets nothing of
// its own.
func (c *compiler) needs(url string) string {
	if cl := c.claims[url]; !cl.shared {
		return c.value(cl.want)
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
		c.refuse("header-value", w, msg, "")
		return ""
	case badName(w.Path):
		c.refuse("header-name", w, unwritableName, " (rename the file)")
		return ""
	case c.compared.Same(text, c.everywhere):
		return c.everywhere
	case c.believes(w):
		return ""
	case c.draft.leaveHTML && w.HTML:
		c.draft.leftHTML = append(c.draft.leftHTML, w.Path)
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
func (c *compiler) inTheWay() {
	type obstacle struct {
		rule           *userRule
		first          *robotstag.Want
		served, wanted string
		files          int
	}
	all := make(map[int]*obstacle) // by the line
	missed := make(map[*robotstag.Want]bool)
	for _, v := range c.user.views {
		for _, url := range c.urls {
			w, wanted := c.file(url), c.needs(url)
			served, by := v.instead(url, wanted)
			if wanted == "" || missed[w] || by == nil || !by.unread && c.compared.Same(served, wanted) {
				continue
			}
			missed[w] = true
			c.draft.res.Missed = append(c.draft.res.Missed, w.Path)
			line := by.sends.Line
			if all[line] == nil {
				all[line] = &obstacle{rule: by, first: w, served: served, wanted: wanted}
			}
			all[line].files++
		}
	}
	for line, o := range all {
		instead, others := fmt.Sprintf("is served with %q", o.served), ""
		if o.rule.unread {
			instead = "may be served otherwise"
		} else if o.served == "" {
			instead = "is served without " + robotstag.Name
		}
		if o.files > 1 {
			others = fmt.Sprintf(" (and so for %s)", robotstag.Count(o.files-1, "other file", "other files"))
		}
		c.draft.res.Report("header-found", policy.Error, line, o.first.URL,
			"%s: the file %s where %q is decided%s",
			strings.Replace(c.draft.format.first, "ROUTE", strconv.Quote(o.rule.before), 1), instead, o.wanted, others)
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
	c.refuse("header-name", c.file(url), "the path or its value is too long for a rule of this host", "")
}

// badValue says why a value cannot be written. No directive and no crawler's name needs what is refused here; one host
// or another gives each a meaning.
func badValue(v string) string {
	for _, r := range v {
		if r < ' ' || r > '~' || strings.ContainsRune("\"\\$`{}", r) {
			return fmt.Sprintf("the value %q holds %q, which cannot be written in the host's file", v, r)
		}
	}
	return ""
}

const unwritableName = "the name holds a control character or is not UTF-8"

// badName reports whether a name cannot be written in every host's file.
func badName(path string) bool {
	return !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F })
}
