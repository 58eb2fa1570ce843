package servers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// compiler finds out which request path needs a rule with which value; a host's
// write puts that into its file.
type compiler struct {
	existing   []byte
	user       *User
	wants      []robotstag.Want
	base       string              // before every request path
	everywhere string              // what one rule says for all files; "" for none
	lines      map[string][]string // the lines of each value that has several
	leaveHTML  bool
	leftHTML   []string // the HTML files that so go without their rules
	over       string   // says which limit is in the way
	res        Result

	texts  []string         // what each want comes to: a value, "", free or covered
	claims map[string]claim // by request path
	urls   []string         // the request paths of files that are not free, sorted
}

// claim says whose a request path is.
type claim struct {
	want int
	// shared says that two files that want different things may be served there.
	shared bool
}

// What a want comes to, where it is no value for a rule of its own.
const (
	free    = "\x00free"
	covered = "\x00covered"
)

// group is the URLs that get one value, sorted, decoded.
type group struct {
	value string
	urls  []string
}

// site is what the wants come to for one host.
type site struct {
	// groups are those that need a rule of their own.
	groups []group
	// several are the values of more than one line, that of the rule for
	// everything among them: the shortest first, of one length by the alphabet.
	several []string
}

func newCompiler(t *target, user *User, existing []byte, wants []robotstag.Want, o Options) *compiler {
	c := &compiler{existing: existing, user: user, wants: wants, everywhere: strings.Join(o.Everywhere, ", "),
		lines: make(map[string][]string), res: Result{Name: t.file, Beside: t.beside, Limit: t.limit, How: t.how}}
	c.several(o.Everywhere)
	for _, w := range wants {
		c.several(w.Values)
	}
	c.res.Findings = append(c.res.Findings, user.Findings()...)
	if t.below {
		c.base = strings.TrimRight(o.Base, "/")
	}
	if msg := badValue(c.everywhere); msg != "" {
		c.report(robotstag.IDValue, policy.Error, nil, "the environment's header: %s", msg)
		c.everywhere = ""
	}
	return c
}

// several notes the lines of a value that has more than one. A name begins each
// but the first, so lines that are joined to one text are the same.
func (c *compiler) several(lines []string) {
	if len(lines) < 2 {
		return
	}
	if value := strings.Join(lines, ", "); c.lines[value] == nil {
		c.lines[value] = lines
	}
}

// report notes a finding about a published file; nil is none.
func (c *compiler) report(id string, severity policy.Severity, w *robotstag.Want, format string, args ...any) {
	c.add(policy.Finding{ID: id, Severity: severity, Message: fmt.Sprintf(format, args...)}, w)
}

func (c *compiler) add(f policy.Finding, w *robotstag.Want) {
	if w != nil {
		f.URL = w.URL
		if f.Severity == policy.Error {
			c.res.Missed = append(c.res.Missed, w.Name())
		}
	}
	c.res.Findings = append(c.res.Findings, f)
}

// budget is the error for rules that do not fit.
func (c *compiler) budget(format string, args ...any) error {
	c.over = fmt.Sprintf(format, args...)
	return ErrBudget
}

// gather groups the URLs by value.
func (c *compiler) gather(forms func(path string) (own, maybe []string)) (s site) {
	c.texts = make([]string, len(c.wants))
	c.leftHTML = nil
	believed := c.believed()
	for i := range c.wants {
		w := &c.wants[i]
		switch c.texts[i] = c.text(w); {
		case c.texts[i] == "" || c.texts[i] == free || c.texts[i] == covered:
		case believed[i]:
			c.texts[i] = ""
		case c.leaveHTML && w.HTML:
			c.leftHTML = append(c.leftHTML, w.Name())
			c.texts[i] = ""
		}
	}
	slices.Sort(c.leftHTML)
	c.claim(forms)
	byValue := make(map[string][]string)
	for _, url := range c.urls {
		if text, needs := c.value(url); needs && text != covered {
			byValue[text] = append(byValue[text], url)
		}
	}
	for _, v := range slices.Sorted(maps.Keys(byValue)) {
		s.groups = append(s.groups, group{v, byValue[v]})
		if c.lines[v] != nil {
			s.several = append(s.several, v)
		}
	}
	if c.lines[c.everywhere] != nil {
		s.several = append(s.several, c.everywhere)
	}
	slices.SortFunc(s.several, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return s
}

// claim finds out whose each request path is. Of two files that certainly have
// one the last gets it.
func (c *compiler) claim(forms func(path string) (own, maybe []string)) {
	c.claims = make(map[string]claim, 2*len(c.wants))
	guesses := make(map[string]claim)
	for i := range c.wants {
		own, maybe := forms(c.wants[i].Name())
		for _, u := range own {
			c.claims[c.base+u] = claim{want: i}
		}
		for _, u := range maybe {
			other, taken := guesses[c.base+u]
			guesses[c.base+u] = claim{i, taken && (other.shared || c.texts[other.want] != c.texts[i])}
		}
	}
	for u, g := range guesses {
		if _, taken := c.claims[u]; !taken {
			c.claims[u] = g
		}
	}
	c.urls = c.urls[:0]
	for u, cl := range c.claims {
		if cl.shared || c.texts[cl.want] != free {
			c.urls = append(c.urls, u)
		}
	}
	slices.Sort(c.urls)
}

// value is what a request path needs a rule for, covered where that for everything
// does; needs is false where it is to get nothing of its own.
func (c *compiler) value(url string) (text string, needs bool) {
	cl := c.claims[url]
	if text = c.texts[cl.want]; cl.shared || text == "" {
		return "", false
	}
	return text, true
}

// served is what a request path carries by our rules.
func (c *compiler) served(url string) string {
	if text, needs := c.value(url); needs && text != covered {
		return text
	}
	return c.everywhere
}

// file is the published file of a request path.
func (c *compiler) file(url string) *robotstag.Want { return &c.wants[c.claims[url].want] }

// text is the value that a want needs a rule for, "", or what it comes to.
func (c *compiler) text(w *robotstag.Want) string {
	text := strings.Join(w.Values, ", ")
	switch msg := badValue(text); {
	case w.Free:
		return free
	case msg != "":
		c.report(robotstag.IDValue, policy.Error, w, "%s", msg)
		return ""
	case text == "":
		return ""
	case badName(w.Name()):
		c.report(robotstag.IDName, policy.Error, w,
			"the name holds a control character or is not UTF-8: it gets no X-Robots-Tag (rename the file)")
		return ""
	case robotstag.Same(text, c.everywhere):
		return covered
	}
	return text
}

// believed are the wants that the user's own rules serve, at each request path
// and however the host compares it. One rule for everything would override them.
func (c *compiler) believed() map[int]bool {
	believed := make(map[int]bool)
	m := c.user.model
	if c.everywhere != "" || m.doubtful || !m.speaks {
		return believed
	}
	for i, w := range c.wants {
		if !w.Found {
			continue
		}
		own, maybe := m.serves.paths(w.Name())
		believed[i] = !slices.ContainsFunc(append(own, maybe...), func(url string) bool {
			return slices.ContainsFunc(m.readings, func(r reading) bool {
				a := r.answer(url, owners)
				return a.unread || !maps.Equal(stated(a.texts()), stated(w.Values))
			})
		})
	}
	return believed
}

// inTheWay reports the user's rules that the host puts before ours, where they do
// not give a file what it is to have.
func (c *compiler) inTheWay(says func(a answer, url string) string) {
	reported := make(map[*robotstag.Want]bool)
	for _, r := range c.user.model.readings {
		for _, url := range c.urls {
			_, needs := c.value(url)
			if !needs || reported[c.file(url)] {
				continue
			}
			a := r.answer(url, owners)
			if a.pattern == "" || a.elsewhere || !a.unread && robotstag.Same(a.text(), c.served(url)) {
				continue
			}
			reported[c.file(url)] = true
			c.add(policy.Finding{ID: robotstag.IDFound, Severity: policy.Error, Line: a.line, Message: says(a, url)}, c.file(url))
		}
	}
}

// badValue says why a value cannot be written. No directive and no crawler's
// name needs what is refused here; one host or another gives each a meaning.
func badValue(v string) string {
	for _, r := range v {
		if r < ' ' || r > '~' || strings.ContainsRune("\"\\$`{}", r) {
			return fmt.Sprintf("the value %q holds %q, which cannot be written in the host's file: it gets no X-Robots-Tag", v, r)
		}
	}
	return ""
}

// badName reports whether a name cannot be written in every host's file.
func badName(path string) bool {
	return !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F })
}

// count is the number of URLs in all groups.
func (s site) count() int {
	n := 0
	for _, g := range s.groups {
		n += len(g.urls)
	}
	return n
}
