package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// value is a text that files are to be served with.
type value struct {
	text  string // as one line
	lines []string
	bad   string // why it cannot stand in a file
}

// request is a request path as one host serves it.
type request struct {
	form  string
	on    *engine
	want  int32 // the file that is served there
	class uint8 // the place of its suffix in [inForce]
	right bool  // the file is served with its value without a rule of ours
}

// item is one path that an exact rule can have, with the request paths that the rule covers: often several, on several
// hosts.
type item struct {
	path     string    // what its own rule is for
	key      string    // its place: the path as the last dialect folds it, one for what no rule tells apart
	requests []request // the files want the same
	value    int32     // what they want
	label    int32     // the same; bare where no rule with a star can say it
	in       *folder   // the innermost

	spoken bool  // a rule that is not for files says something here on Cloudflare
	block  *ours // the lines in the user's block of its path that are its rule, where there is one
	after  bool  // its own rule can follow another of ours
	lack   *lack // why it cannot have the rule it needs, where it cannot
}

// lack is the ID and the message of a finding.
type lack struct{ id, msg string }

// right reports whether all requests of an item are right without rules of ours.
func (it *item) right() bool { return every(it.requests, func(s request) bool { return s.right }) }

// gather lists the items of all wants, in the order of the folders.
func (c *compiler) gather() {
	c.items, c.values = make([]item, 0, len(c.wants)*len(c.user.engines)), make([]value, 1)
	numbers := make(map[string]int32)
	for i := range c.wants {
		if !c.wants[i].Free {
			c.add(int32(i), numbers)
		}
	}
	slices.SortStableFunc(c.items, func(a, b item) int {
		return cmp.Or(compareKeys(a.key, b.key), c.compare(a.value, b.value), strings.Compare(a.path, b.path))
	})
	// What one rule covers, and wants the same, is one item.
	kept, first := c.items[:0], 0 // of those with the last key
	for _, it := range c.items {
		n := len(kept) - 1
		if n >= 0 && kept[n].key != it.key {
			c.examine(kept[first:])
			first = n + 1
		}
		if n >= first && kept[n].value == it.value && (kept[n].path == it.path || !c.portable) {
			kept[n].requests = append(kept[n].requests, it.requests...)
		} else {
			kept = append(kept, it)
		}
	}
	c.examine(kept[first:])
	c.items = kept
}

// compare orders values by their text, so that the order of the wants does not show.
func (c *compiler) compare(a, b int32) int { return cmp.Compare(c.values[a].text, c.values[b].text) }

// add adds the items of a want: the rules that name all its request paths.
func (c *compiler) add(want int32, numbers map[string]int32) {
	from := len(c.items)
	for _, e := range c.user.engines {
		served, _ := Forms(e.dialect, c.wants[want].Path)
		for _, f := range served {
			s := request{form: f, on: e, want: want}
			number := c.number(s, numbers)
			at := slices.IndexFunc(c.items[from:], func(it item) bool {
				return it.value == number && (it.path == f || e.dialect.key(it.path) == e.dialect.key(f))
			})
			if at >= 0 {
				c.items[from+at].requests = append(c.items[from+at].requests, s)
				continue
			}
			c.items = append(c.items, item{path: f, key: c.fold(f), value: number, requests: []request{s}})
		}
	}
}

// number returns the number of the value that a request is to be served with.
func (c *compiler) number(s request, numbers map[string]int32) int32 {
	lines := c.wants[s.want].Values
	if c.header.Join && len(lines) > 0 {
		lines = slices.Concat(robotstag.Texts(c.user.values(s, c.user.own(s))), lines)
	}
	text := strings.Join(lines, ", ")
	n, ok := numbers[text]
	if !ok {
		n = int32(len(c.values))
		numbers[text] = n
		c.values = append(c.values, value{text: text, lines: lines, bad: badValues(c.header.Name, lines)})
	}
	return n
}

// examine finds out what the items of one key get without us, and which rules they can have.
func (c *compiler) examine(twins []item) {
	for i := range twins {
		it := &twins[i]
		v, block := &c.values[it.value], c.userBlocks[it.path]
		said := v.bad == "" && (v.text != "" || !c.netlify) // only where a rule can take away can one say nothing
		for n := range it.requests {
			s := &it.requests[n]
			base := c.user.base(*s)
			s.right = c.isRight(*s, v.text, base)
			it.spoken = it.spoken || s.on == c.cloudflare && slices.ContainsFunc(base, (*Rule).speaks)
			said = said && (v.text != "" || c.user.says(*s, c.user.own(*s)) == "") // else what the user says is to stay
		}
		if said {
			it.label = it.value
		}
		it.lack = c.unnameable(it, twins)
		it.after = it.lack == nil && block == nil && said
		if it.lack == nil && !it.after && !it.right() {
			if it.block = c.inBlock(it, block); it.block == nil {
				it.lack = &lack{"header-found", c.foundMessage(it)}
			}
		}
	}
}

// isRight reports whether a request needs no rule of ours. That the user's rules give a file its value, in whatever
// words, is believed where they say one and the same at every request path of it.
func (c *compiler) isRight(s request, wanted string, base []*Rule) bool {
	w, got, own := &c.wants[s.want], c.user.says(s, base), c.user.says(s, c.user.own(s))
	switch {
	case c.header.same(got, wanted), got == own && wanted == "":
		return true
	case got != own || own == "" || !w.Found:
		return false
	}
	return every(c.user.engines, func(e *engine) bool {
		served, _ := Forms(e.dialect, w.Path)
		return every(served, func(form string) bool {
			other := request{form: form, on: e}
			return c.user.says(other, c.user.own(other)) == own
		})
	})
}

// unnameable says why no exact rule can mean an item alone, of those of its key.
func (c *compiler) unnameable(it *item, twins []item) *lack {
	v := &c.values[it.value]
	if v.bad != "" {
		return &lack{"header-value", v.bad}
	}
	for _, e := range c.user.engines {
		if !e.dialect.names(it.path) {
			return &lack{"header-name", fmt.Sprintf("no rule of %s can name %s exactly", e.dialect.Name(), it.path)}
		}
	}
	for _, other := range twins {
		for _, s := range other.requests {
			if d := s.on.dialect; other.value != it.value && d.key(s.form) == d.key(it.path) {
				return &lack{"header-overlap", fmt.Sprintf(
					"a rule for %s would reach %s too, which is to be served with %q, not %q (%s)", it.path,
					c.wants[s.want].Path, c.values[other.value].text, v.text, d.Name())}
			}
		}
	}
	return nil
}

func (c *compiler) foundMessage(it *item) string {
	for _, s := range it.requests {
		for _, v := range c.user.values(s, c.user.own(s)) {
			return fmt.Sprintf("the %s rule of line %d stands in the way of the value for %s "+
				"(remove it: the policy covers the file)", c.header.Name, c.user.line(v.Line), it.path)
		}
	}
	return fmt.Sprintf("no rule can give %s the wanted value beside the one for /*", it.path)
}

// inBlock finds the lines that make the user's block of an item's path give every request of it exactly the wanted text;
// nil where there are none, or no block.
func (c *compiler) inBlock(it *item, block *Rule) *ours {
	v := &c.values[it.value]
	o := c.around(block, v.text, v.lines)
	for try := 0; o != nil && try < 2; try++ {
		o.detach = try > 0
		file := c.user.print(append(slices.Clip(c.front), *o))
		if every(it.requests, func(s request) bool {
			d := s.on.dialect
			return robotstag.Join(d.Values(d.Parse(file, c.header.Name), c.user.host, s.form)) == v.text
		}) {
			return o
		}
	}
	return nil
}
