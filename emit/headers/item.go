package headers

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// value is a text that files are to be served with.
type value struct {
	text  string // as one line
	lines []string
	bad   string // why it cannot stand in a file
	opens bool   // see [compiler.opens]

	// Of a template: what it takes off a path's end, and how often the text is wanted. See [compiler.template].
	template bool
	tail     string
	n        int
}

// says reports whether a rule for a folder's paths of a suffix, or all with none, can say the text.
func (v *value) says(suffix string) bool { return strings.HasSuffix(suffix, v.tail) }

// under returns the lines as the rule of a path with a star has them.
func (v *value) under(path string) []string {
	if !v.template {
		return v.lines
	}
	raw, suffix, _ := strings.Cut(path, "*")
	lines := make([]string, len(v.lines))
	for i, l := range v.lines {
		lines[i] = strings.ReplaceAll(l, "\x00", raw+":splat"+strings.TrimSuffix(suffix, v.tail))
	}
	return lines
}

// item is one path that an exact rule can have, with the request paths that the rule covers: often several, on several
// hosts.
type item struct {
	path     string    // what its own rule is for
	key      string    // its place: the path as the last dialect folds it, the same for paths that no rule can separate
	order    string    // the key with slashes before all else: what is inside a folder before what stands beside it
	requests []request // the files want the same
	value    int32     // what they want
	label    int32     // the same, or a template of it; bare where no rule with a star can say it
	template int32     // the template that comes to the value, if any
	in       *folder   // the innermost

	reached  bool            // on Cloudflare a rule that is not one of ours for files sets or takes away the header
	block    *added          // the lines in the user's block of its path that are its rule, where there is one
	after    bool            // its own rule can follow another of ours
	obstacle *policy.Finding // why it cannot have the rule it needs, where it cannot
}

// right reports whether all requests of an item are right without rules of ours.
func (it *item) right() bool { return every(it.requests, func(s request) bool { return s.right }) }

// gather lists the items of all wants, in the order of the folders.
func (c *compiler) gather() {
	c.values, c.numbers = make([]value, 1), make(map[string]int32)
	known := make(map[string]int)
	for i := range c.wants {
		if !c.wants[i].Free {
			c.add(int32(i), known)
		}
	}
	slices.SortFunc(c.items, func(a, b item) int {
		return cmp.Or(strings.Compare(a.order, b.order), c.compare(a.value, b.value), strings.Compare(a.path, b.path))
	})
	for from, to := 0, 0; from < len(c.items); from = to {
		for to < len(c.items) && c.items[to].key == c.items[from].key {
			to++
		}
		c.examine(c.items[from:to])
	}
}

// compare orders values by their text, so that the order of the wants does not show.
func (c *compiler) compare(a, b int32) int { return cmp.Compare(c.values[a].text, c.values[b].text) }

// add adds a want to the items: those of the rules that name all its request paths. Items are known by path and value.
func (c *compiler) add(want int32, known map[string]int) {
	var own []int                                         // its items
	last := c.user.engines[len(c.user.engines)-1].dialect // which tells fewer paths apart
	for _, s := range c.user.requests(c.wants[want].Path) {
		s.want = want
		number, of := c.number(s), s.on.dialect.key
		at := slices.IndexFunc(own, func(i int) bool {
			return c.items[i].value == number && of(c.items[i].path) == of(s.form)
		})
		if at >= 0 {
			it := &c.items[own[at]]
			it.requests = append(it.requests, s)
			continue
		}
		key := last.key(s.form)
		id := fmt.Sprint(number, key)
		if c.portable {
			id = fmt.Sprint(number, s.form)
		}
		i, again := known[id]
		if !again {
			i, known[id] = len(c.items), len(c.items)
			order := strings.ReplaceAll(key, "/", "\x00")
			c.items = append(c.items, item{path: s.form, key: key, order: order, value: number})
		}
		it := &c.items[i]
		it.path, it.requests = min(it.path, s.form), append(it.requests, s)
		own = append(own, i)
	}
}

// number returns the number of the value that a request is to be served with.
func (c *compiler) number(s request) int32 {
	lines := c.wants[s.want].Values
	if c.header.Join && len(lines) > 0 {
		lines = slices.Concat(robotstag.Texts(c.user.own(s)), lines)
	}
	return c.intern(value{text: strings.Join(lines, ", "), lines: lines, bad: badValues(c.header.Name, lines)})
}

// intern returns the number of a value, which is wanted once more.
func (c *compiler) intern(v value) int32 {
	n, known := c.numbers[v.text]
	if !known {
		n, v.opens = int32(len(c.values)), c.opens(v.lines)
		c.numbers[v.text], c.values = n, append(c.values, v)
	}
	c.values[n].n++
	return n
}

// opens reports whether lines would open Cloudflare's previews to the index in a file that cannot keep them closed: no
// crawler is told noindex (N6).
func (c *compiler) opens(lines []string) bool {
	stated := robotstag.Stated(strings.Join(lines, ", "))
	return c.portable && c.header.Preview != "" &&
		!slices.ContainsFunc(slices.Collect(maps.Values(stated)), policy.Directives.NoIndex)
}

// template finds a text that comes to an item's value if a part of its path is put in, where \x00 stands for it: the
// path as it is requested, but for its end. That is what Cloudflare does with ":splat".
func (c *compiler) template(it *item) {
	v, slash := &c.values[it.value], strings.LastIndexByte(it.path, '/')
	if c.blocks == nil || c.netlify || v.text == "" {
		return
	}
	name := it.path[slash:]
	for _, tail := range []string{"", path.Ext(name), name[strings.IndexByte(name+".", '.'):], name} {
		stem, found := strings.TrimSuffix(it.path, tail), false
		t := value{template: true, tail: tail}
		for _, line := range v.lines {
			links := strings.Split(line, ", <")
			for i, l := range links {
				if at := strings.LastIndex(l, stem); at >= 0 && len(stem) > 1 {
					links[i], found = l[:at]+"\x00"+l[at+len(stem):], true
				}
			}
			t.lines = append(t.lines, strings.Join(links, ", <"))
			found = found && len(c.header.Name)+len(line)+len(it.path) < CloudflareLine-20
		}
		if !found {
			continue
		}
		t.text = tail + "\x00" + strings.Join(t.lines, ", ")
		it.template = c.intern(t)
		return
	}
}

// popular is the label of an item that has a template: that, or its value, of which more files want the same.
func (c *compiler) popular(it *item) int32 {
	if n := c.values[it.template].n; n > 1 && n >= c.values[it.value].n {
		return it.template
	}
	return it.value
}

// examine finds out what the items of one key get without us, and which rules they can have.
func (c *compiler) examine(items []item) {
	for i := range items {
		it := &items[i]
		v, block := &c.values[it.value], c.userBlocks[it.path]
		said := v.bad == "" && (v.text != "" || !c.netlify) // only where a rule can take away can one say nothing
		for n := range it.requests {
			s := &it.requests[n]
			rules, got := c.user.base(*s)
			own := robotstag.Join(c.user.own(*s))
			s.right = c.isRight(*s, v.text, got, own)
			it.reached = it.reached || s.on == c.cloudflare &&
				slices.ContainsFunc(rules, func(r *Rule) bool { return r.concerns() })
			said = said && (v.text != "" || own == "") // else what the user says is to stay
		}
		if said && !strings.Contains(v.text, ":splat") {
			it.label = it.value
			c.template(it)
		}
		it.obstacle = c.unnameable(it, items)
		it.after = it.obstacle == nil && block == nil && said
		if it.obstacle == nil && !it.after && !it.right() {
			if it.block = c.inBlock(it, block); it.block == nil {
				it.obstacle = c.userInTheWay(it)
			}
		}
	}
}

// isRight reports whether a request needs no rule of ours: got is what it gets without one, own what the user's rules
// alone give. That these give a file its value, in whatever words, is believed where they say the same at every request
// path of it.
func (c *compiler) isRight(s request, wanted, got, own string) bool {
	switch w := &c.wants[s.want]; {
	case c.header.Equal(got, wanted), got == own && wanted == "":
		return true
	case got != own || own == "" || !w.Found:
		return false
	default:
		return every(c.user.requests(w.Path), func(s request) bool { return robotstag.Join(c.user.own(s)) == own })
	}
}

// obstacle is why an item has no rule, but for its severity and the file.
func obstacle(id, format string, args ...any) *policy.Finding {
	return &policy.Finding{ID: id, Message: fmt.Sprintf(format, args...)}
}

// unnameable says why no exact rule can mean an item alone, of those of its key.
func (c *compiler) unnameable(it *item, items []item) *policy.Finding {
	v := &c.values[it.value]
	if v.bad != "" {
		return obstacle("header-value", "%s", v.bad)
	}
	for _, e := range c.user.engines {
		if !e.dialect.canName(it.path) {
			return obstacle("header-name", "no rule of %s can name %s exactly", e.dialect.Name(), it.path)
		}
	}
	for _, other := range items {
		for _, s := range other.requests {
			if d := s.on.dialect; other.value != it.value && d.key(s.form) == d.key(it.path) {
				return obstacle("header-overlap",
					"a rule for %s would reach %s too, which is to be served with %q, not %q (%s)", it.path,
					c.wants[s.want].Path, c.values[other.value].text, v.text, d.Name())
			}
		}
	}
	return nil
}

// userInTheWay is about an item whose path has a block of the user's that ours cannot complete.
func (c *compiler) userInTheWay(it *item) *policy.Finding {
	for _, s := range it.requests {
		for _, v := range c.user.own(s) {
			return obstacle("header-found", "the %s rule of line %d stands in the way of the value for %s "+
				"(remove it: the policy covers the file)", c.header.Name, c.user.line(v.Line), it.path)
		}
	}
	return obstacle("header-found", "no rule can give %s the wanted value beside the one for /*", it.path)
}

// inBlock finds the lines that make the user's block of an item's path give every request of it exactly the wanted text;
// nil where there are none, or no block.
func (c *compiler) inBlock(it *item, block *Rule) *added {
	v := &c.values[it.value]
	o := c.around(block, v.text, v.lines)
	for _, detach := range []bool{false, true} {
		if o == nil {
			break
		}
		o.detach = detach
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
