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
// any. Rules of an earlier run are taken out first. It fails where the file cannot be read as what the host takes, and,
// with [robotstag.ErrBudget] and the result, where a limit of the host's is in the way: of the files other than HTML,
// or, in scope "all", of all of them.
//
// The first demand is X-Robots-Tag, which alone has scopes and an environment. Of other headers a file gets what the
// host takes beside that, or is among those that are lost.
func (f *Format) Compile(existing []byte, demands []robotstag.Demand, o robotstag.Options) (robotstag.Result, error) {
	user, err := f.ReadUser(existing, robotstag.Name)
	if err != nil {
		return robotstag.Result{}, err
	}
	compileWith := func(leaveHTML bool) (*draft, error) {
		d := newDraft(f, existing, user, demands[0], o, leaveHTML)
		return d, d.write()
	}
	d, err := compileWith(o.Scope == robotstag.ScopeFiles)
	if errors.Is(err, robotstag.ErrBudget) && o.Auto() {
		if less, still := compileWith(true); len(less.leftHTML) > 0 {
			if less.res.GivenUp = less.leftHTML; still == nil {
				less.report("header-budget", policy.Warning, nil, "%s: the tags of %s alone carry the policy", d.over,
					robotstag.Count(len(less.leftHTML), "HTML page", "HTML pages"))
			}
			d, err = less, still
		}
	}
	if err == nil {
		err = d.addOthers(demands[1:])
	}
	if errors.Is(err, robotstag.ErrBudget) {
		hint := ""
		if !d.leaveHTML {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		d.report("header-budget", policy.Error, nil, "%s%s", d.over, hint)
	} else if err != nil {
		return robotstag.Result{}, err
	}
	if d.slow != "" {
		d.report("header-count", policy.Warning, nil, "%s", d.slow)
	}
	d.res.Total = d.res.Rules // the owner's, which a limit counts too, have no simple number
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
	slow      string   // says why the file slows the host down
	res       robotstag.Result
}

// newDraft begins a file with X-Robots-Tag.
func newDraft(f *Format, existing []byte, user *User, robots robotstag.Demand, o robotstag.Options,
	leaveHTML bool) *draft {
	d := &draft{format: f, existing: existing, base: strings.TrimRight(o.Base, "/"), leaveHTML: leaveHTML}
	c := d.newCompiler(user, robots)
	if text := strings.Join(o.Everywhere, ", "); text != "" {
		c.lines[text] = o.Everywhere
		if why := cmp.Or(badValue(text), f.unfit(c, "/", text)); why != "" {
			d.report("header-value", policy.Error, nil, "the environment's header: %s: it gets no X-Robots-Tag", why)
		} else {
			c.everywhere = text
		}
	}
	for i := range c.wants {
		// A name begins each line but the first, so lines that are joined to one text are the same.
		c.lines[strings.Join(c.wants[i].Values, ", ")] = c.wants[i].Values
		c.texts[i] = c.text(i)
	}
	c.refuseUnfit()
	c.gather()
	if f.obstacle != "" {
		c.inTheWay()
	}
	for i, other := range c.alike() {
		c.refuse(i, "header-overlap", fmt.Sprintf("the host may not tell it from %q, which wants something else "+
			"(rename one)", other))
	}
	c.gather()
	return d
}

func (d *draft) write() (err error) {
	d.res.File, d.res.Rules, err = d.format.write(d)
	return err
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

	texts []string                    // of each want the value that a rule has to give it, be it the one for everything
	lost  map[string][]robotstag.Want // by the reason: the files that go without another header than X-Robots-Tag

	// What follows is made of the texts.
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

// newCompiler adds a header to the draft, and reports what is not read of the owner's rules about it.
func (d *draft) newCompiler(user *User, demand robotstag.Demand) *compiler {
	c := &compiler{draft: d, header: demand.Header, user: user, wants: demand.Wants,
		lines: make(map[string][]string), compared: robotstag.Compared{}, texts: make([]string, len(demand.Wants)),
		lost: make(map[string][]robotstag.Want)}
	d.headers = append(d.headers, c)
	d.res.Findings = append(d.res.Findings, user.unread...)
	return c
}

// another reports whether the header is another than X-Robots-Tag.
func (c *compiler) another() bool { return c != c.draft.headers[0] }

// refuse notes that a file gets no rule, and why.
func (c *compiler) refuse(i int, id, why string) {
	w := &c.wants[i]
	if c.texts[i] = ""; c.another() {
		c.lost[why] = append(c.lost[why], *w)
		return
	}
	c.draft.report(id, policy.Error, w, "%s: it gets no X-Robots-Tag", why)
}

// refuseUnfit refuses the files whose paths or values do not fit a rule of the host's.
func (c *compiler) refuseUnfit() {
	for i, text := range c.texts {
		if text == "" || text == c.everywhere {
			continue
		}
		for _, url := range c.user.serves.all(c.wants[i].Path) {
			if why := c.draft.format.unfit(c, c.draft.base+url, text); why != "" {
				c.refuse(i, "header-name", why)
				break
			}
		}
	}
}

// gather finds out what each request path needs.
func (c *compiler) gather() {
	c.claims = c.user.serves.claims(c.draft.base, c.wants, func(i, j int) bool {
		return c.texts[i] == c.texts[j] && c.wants[i].Free == c.wants[j].Free
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

// alike are the files that the host may not tell from one that wants something else, each with the name of such a one:
// it may not say whether it decodes a path or minds its case.
func (c *compiler) alike() map[int]string {
	all := make(map[int]string)
	if c.draft.format.names == nil || len(c.groups) == 0 {
		return all
	}
	byName := make(map[string][]string)
	for _, url := range c.urls {
		for _, name := range c.draft.format.names(url) {
			for _, other := range byName[name] {
				if cmp.Or(c.needs(url), c.everywhere) == cmp.Or(c.needs(other), c.everywhere) {
					continue
				}
				for _, pair := range [][2]string{{url, other}, {other, url}} {
					if i := c.claims[pair[0]].want; c.own(pair[0]) != "" && all[i] == "" {
						all[i] = pair[1][1:]
					}
				}
			}
			byName[name] = append(byName[name], url)
		}
	}
	return all
}

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

func (c *compiler) count() (n int) {
	for _, g := range c.groups {
		n += len(g.urls)
	}
	return n
}

// text is the value that a want needs a rule for, be it the one for everything, or "".
func (c *compiler) text(i int) string {
	w := &c.wants[i]
	text := strings.Join(w.Values, ", ")
	switch msg := badValue(text); {
	case w.Free || text == "":
	case msg != "":
		c.refuse(i, "header-value", msg)
	case badName(w.Path):
		c.refuse(i, "header-name", unwritableName)
	case c.compared.Same(text, c.everywhere):
		return c.everywhere
	case c.believes(w):
	case c.draft.leaveHTML && w.HTML:
		c.draft.leftHTML = append(c.draft.leftHTML, w.Path)
	default:
		return text
	}
	return ""
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
		rule   *userRule
		first  *robotstag.Want
		wanted string
		files  int
	}
	all := make(map[int]*obstacle) // by the line
	missed := make(map[int]bool)
	for _, v := range c.user.views {
		for _, url := range c.urls {
			i, wanted := c.claims[url].want, c.needs(url)
			served, by := v.instead(url, wanted)
			if wanted == "" || missed[i] || by == nil || !by.unread && c.compared.Same(served, wanted) {
				continue
			}
			missed[i] = true
			c.draft.res.Missed = append(c.draft.res.Missed, c.wants[i].Path)
			if all[by.sends.Line] == nil {
				all[by.sends.Line] = &obstacle{rule: by, first: &c.wants[i], wanted: wanted}
			}
			all[by.sends.Line].files++
		}
	}
	for line, o := range all {
		instead, others := fmt.Sprintf("is served with %q", o.rule.sends.Text), ""
		if o.rule.unread {
			instead = "may be served otherwise"
		} else if o.rule.sends.Text == "" {
			instead = "is served without " + robotstag.Name
		}
		if o.files > 1 {
			others = fmt.Sprintf(" (and so for %s)", robotstag.Count(o.files-1, "other file", "other files"))
		}
		rule := strings.Replace(c.draft.format.obstacle, "ROUTE", strconv.Quote(o.rule.before), 1)
		c.draft.res.Report("header-found", policy.Error, line, o.first.URL,
			"%s: the file %s where %q is decided%s", rule, instead, o.wanted, others)
	}
}

// pack joins the texts of URLs to texts that begin with a head and are not longer than most, if none alone is.
func pack(urls []string, head, separator string, most int, text func(url string) string) (packed []string) {
	for _, url := range urls {
		t, last := text(url), len(packed)-1
		if last >= 0 && len(packed[last])+len(separator)+len(t) <= most {
			packed[last] += separator + t
		} else {
			packed = append(packed, head+t)
		}
	}
	return packed
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

// Why a file gets no rule.
const (
	unwritableName = "the name holds a control character or is not UTF-8"
	specialName    = "the name holds a character that means something else in a pattern (rename the file)"
	tooLong        = "the path or its value is too long for a rule of this host"
)

// badName reports whether a name cannot be written in every host's file.
func badName(path string) bool {
	return !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F })
}
