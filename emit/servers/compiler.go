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

// compiler finds out which request path needs a rule with which value; a host's write puts that into its file.
type compiler struct {
	existing   []byte
	user       *File
	wants      []robotstag.Want
	base       string              // before every request path
	everywhere string              // what one rule says for all files; "" for none
	lines      map[string][]string // by the value that they come to, joined
	leaveHTML  bool
	leftHTML   []string // the HTML files that so go without their rules
	over       string   // says which limit is in the way
	res        robotstag.Result

	texts  []string         // what each want comes to: a value, "", free or covered
	claims map[string]claim // by request path
	urls   []string         // the request paths of files that are not free, sorted
	groups []group          // those that need a rule of their own
	// several are the values of more than one line, that of the rule for everything among them: the shortest first, of
	// one length by the alphabet.
	several []string
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

func newCompiler(t *Target, user *File, existing []byte, wants []robotstag.Want, o robotstag.Options) *compiler {
	c := &compiler{existing: existing, user: user, wants: wants, base: t.base(o),
		everywhere: strings.Join(o.Everywhere, ", "), lines: make(map[string][]string),
		res: robotstag.Result{Findings: slices.Clone(user.unread)}}
	// A name begins each line but the first, so lines that are joined to one text are the same.
	c.lines[c.everywhere] = o.Everywhere
	for _, w := range wants {
		c.lines[strings.Join(w.Values, ", ")] = w.Values
	}
	if msg := badValue(c.everywhere); msg != "" {
		c.report(robotstag.IDValue, policy.Error, nil, "the environment's header: %s", msg)
		c.everywhere = ""
	}
	return c
}

// write makes the host's file.
func (c *compiler) write(t *Target, leaveHTML bool) error {
	c.leaveHTML = leaveHTML
	c.gather()
	return t.write(c)
}

// report notes a finding about a published file; nil is none.
func (c *compiler) report(id string, severity policy.Severity, w *robotstag.Want, format string,
	args ...any) *policy.Finding {
	f := policy.Finding{ID: id, Severity: severity, Message: fmt.Sprintf(format, args...)}
	if w != nil {
		f.URL = w.URL
		if severity == policy.Error {
			c.res.Missed = append(c.res.Missed, w.Name())
		}
	}
	c.res.Findings = append(c.res.Findings, f)
	return &c.res.Findings[len(c.res.Findings)-1]
}

// budget is the error for rules that do not fit.
func (c *compiler) budget(format string, args ...any) error {
	c.over = fmt.Sprintf(format, args...)
	return robotstag.ErrBudget
}

// gather groups the URLs by value.
func (c *compiler) gather() {
	c.texts = make([]string, len(c.wants))
	for i := range c.wants {
		c.texts[i] = c.text(&c.wants[i])
	}
	c.claims = c.user.serves.claims(c.base, c.wants, func(i, j int) bool { return c.texts[i] == c.texts[j] })
	for u, cl := range c.claims {
		if cl.shared || c.texts[cl.want] != free {
			c.urls = append(c.urls, u)
		}
	}
	slices.Sort(c.urls)
	byValue := make(map[string][]string)
	for _, url := range c.urls {
		if text, needs := c.value(url); needs && text != covered {
			byValue[text] = append(byValue[text], url)
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

// value is what a request path needs a rule for, covered where that for everything does; needs is false where it is to
// get nothing of its own.
func (c *compiler) value(url string) (text string, needs bool) {
	cl := c.claims[url]
	text = c.texts[cl.want]
	return text, text != "" && !cl.shared
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

// count is the number of URLs in all groups.
func (c *compiler) count() (n int) {
	for _, g := range c.groups {
		n += len(g.urls)
	}
	return n
}

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
	case c.believes(w):
		return ""
	case c.leaveHTML && w.HTML:
		c.leftHTML = append(c.leftHTML, w.Name())
		return ""
	}
	return text
}

// believes reports whether the user's own rules serve a want, at each request path and however the host compares it.
// One rule for everything would override them.
func (c *compiler) believes(w *robotstag.Want) bool {
	if !w.Found || c.everywhere != "" || c.user.doubtful {
		return false
	}
	own, maybe := c.user.serves.paths(w.Name())
	return !slices.ContainsFunc(append(own, maybe...), func(url string) bool {
		return slices.ContainsFunc(c.user.readings, func(r *reading) bool {
			a := r.answer(url, owners)
			return a.unread || !maps.Equal(stated(a.texts()), stated(w.Values))
		})
	})
}

// inTheWay reports the user's rules that the host puts before ours, where they do not give a file what it is to have.
func (c *compiler) inTheWay(says func(a answer, url string) string) {
	reported := make(map[*robotstag.Want]bool)
	for _, r := range c.user.readings {
		for _, url := range c.urls {
			w := c.file(url)
			if _, needs := c.value(url); !needs || reported[w] {
				continue
			}
			a := r.answer(url, owners)
			if a.pattern == "" || a.elsewhere || !a.unread && robotstag.Same(a.text(), c.served(url)) {
				continue
			}
			reported[w] = true
			c.report(robotstag.IDFound, policy.Error, w, "%s", says(a, url)).Line = a.line
		}
	}
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
