package headers

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// item is one path that an exact rule can have, with the request paths that the rule covers: often several, on several
// hosts.
type item struct {
	path     string    // what its own rule is for
	key      string    // its place: the path as the last dialect folds it, the same for paths that no rule can separate
	requests []request // the files want the same
	value    *value    // what they want
	label    *value    // the same, or a template of it; noRule if no rule with a star can say it
	template *value    // the template that comes to the value, if any
	kinds    kinds     // of its requests: several if hosts read its suffix differently
	in       *folder   // the innermost one around it

	served   bool // all requests are right without rules of ours
	hasTag   bool // all are for files whose tags tell every crawler what is wanted
	optional bool // it goes without if its value costs a rule
	// reachedByOwner says that on Cloudflare, a rule that is not one of ours for files sets the
	// header or takes it away.
	reachedByOwner bool
	canFollowOurs  bool            // its own rule can follow another of ours
	block          *added          // lines in the user's block of its path that are its rule; nil for none
	obstacle       *policy.Finding // why it cannot have the rule it needs, if it cannot
}

// pickLabel returns the label that a rule with a star should have for an item: its value or the
// template, whichever more files want, since that takes fewer rules.
func (it *item) pickLabel() *value {
	switch t := it.template; {
	case it.label == noRule:
		return noRule
	case t != nil && t.n > 1 && t.n >= it.value.n:
		return t
	}
	return it.value
}

// reach returns what our rules with stars do to the item's requests, once they are chosen.
func (it *item) reach() reach { return it.in.in.reach(it.kinds, it.label) }

// itemKey tells items apart: by what they want, and by their key or, for Cloudflare, their path.
type itemKey struct {
	value *value
	path  string
}

// gather lists the items of all wants, in the order of the folders.
func (c *compiler) gather() {
	known := make(map[itemKey]*item)
	for i := range c.wants {
		if !c.wants[i].Free {
			c.add(int32(i), known)
		}
	}
	slices.SortFunc(c.items, func(a, b *item) int {
		return cmp.Or(compareFolders(a.key, b.key), strings.Compare(a.value.text, b.value.text),
			strings.Compare(a.path, b.path))
	})
	for from, to := 0, 0; from < len(c.items); from = to {
		for to < len(c.items) && c.items[to].key == c.items[from].key {
			to++
		}
		for _, it := range c.items[from:to] {
			c.examine(it, c.items[from:to])
		}
	}
}

// compareFolders compares paths with slashes before all else, so that what lies in a folder stays together.
func compareFolders(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && (a[i] == '/' || b[i] != '/' && a[i] < b[i]) {
			return -1
		} else if a[i] != b[i] {
			return 1
		}
	}
	return len(a) - len(b)
}

// add adds a want to the items: those of the rules that name all its request paths.
func (c *compiler) add(want int32, known map[itemKey]*item) {
	var own []*item
	last := c.user.engines[len(c.user.engines)-1].dialect // which tells fewer paths apart
	for _, s := range c.user.requests(c.wants[want].Path, c.wants[want].Source) {
		s.want = want
		value, of := c.valueOf(s), s.on.dialect.key
		at := slices.IndexFunc(own, func(it *item) bool { return it.value == value && of(it.path) == of(s.form) })
		if at < 0 {
			key := last.key(s.form)
			id := itemKey{value, key}
			if c.cloudflare != nil {
				id.path = s.form
			}
			it := known[id]
			if it == nil {
				it = &item{path: s.form, key: key, value: value}
				known[id], c.items = it, append(c.items, it)
			}
			it.path = min(it.path, s.form)
			at, own = len(own), append(own, it)
		}
		own[at].requests = append(own[at].requests, s)
	}
}

// examine finds out what an item gets without us, and which rules it can have. The items of its key are given.
func (c *compiler) examine(it *item, items []*item) {
	v, block := it.value, c.userBlocks[it.path]
	// That a file has no header can be said only on Cloudflare, where a rule can take one away.
	expressible := v.bad == "" && (v.text != "" || !c.netlify)
	it.served, it.hasTag, it.optional = true, true, true
	for _, s := range it.requests {
		rules, got := c.user.base(s)
		own, w := robotstag.Join(c.user.own(s)), &c.wants[s.want]
		it.served = it.served && c.isRight(s, v.text, got, own) && !(v.text != "" && c.isGuess(s, rules, got))
		it.hasTag = it.hasTag && c.blocks == nil && w.HTML && len(w.Values) > 0
		it.optional = it.optional && w.Spare
		it.reachedByOwner = it.reachedByOwner || s.on == c.cloudflare &&
			slices.ContainsFunc(rules, func(r *Rule) bool { return r.concerns() })
		// A rule that takes the header away would take what the user says, too.
		expressible = expressible && (v.text != "" || own == "")
	}
	if expressible && !strings.Contains(v.text, ":splat") {
		it.label = it.value
		c.findTemplate(it)
	}
	it.obstacle = c.unnameable(it, items)
	it.canFollowOurs = it.obstacle == nil && block == nil && expressible
	if it.obstacle == nil && !it.canFollowOurs && !it.served {
		if it.block = c.inBlock(it, block); it.block == nil {
			it.obstacle = c.userInTheWay(it)
		}
	}
	if it.path == everyPath[0] && c.userBlocks["/*"] != nil {
		// A block of that path may be a part of the rule for the whole site.
		it.canFollowOurs = false
	}
}

// isGuess reports whether a request would get other values than those it gets by some rules, if its host read these as
// it documents.
func (c *compiler) isGuess(s request, rules []*Rule, values []robotstag.Value) bool {
	got := s.on.dialect.combine(documentedOf(rules, s.form), c.user.host, s.form)
	return robotstag.Join(got) != robotstag.Join(values)
}

// isRight reports whether a request needs no rule of ours: values are what it gets without one, own
// what the user's rules alone give. If these give a file its value in other words, that counts only
// if they say the same at every request path of the file.
func (c *compiler) isRight(s request, wanted string, values []robotstag.Value, own string) bool {
	got := robotstag.Join(values)
	switch w := &c.wants[s.want]; {
	case s.on.dialect.says(&c.header, values, wanted), got == own && wanted == "":
		return true
	case got != own || own == "" || !w.Found:
		return false
	default:
		return every(c.user.requests(w.Path, w.Source), func(s request) bool {
			return robotstag.Join(c.user.own(s)) == own
		})
	}
}

// obstacle makes the finding for an item without a rule; the caller adds severity and file.
func obstacle(id, format string, args ...any) *policy.Finding {
	return &policy.Finding{ID: id, Message: fmt.Sprintf(format, args...)}
}

// unnameable says why no exact rule can mean an item alone, of those of its key.
func (c *compiler) unnameable(it *item, items []*item) *policy.Finding {
	v := it.value
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
					c.wants[s.want].Path, other.value.text, v.text, d.Name())
			}
		}
	}
	return nil
}

// canName reports whether a rule that spells out a path means it alone on every host.
func (c *compiler) canName(path string) bool {
	return every(c.user.engines, func(e *engine) bool { return e.dialect.canName(path) })
}

// userInTheWay is about an item whose path has a block of the user's that ours cannot complete.
func (c *compiler) userInTheWay(it *item) *policy.Finding {
	for _, s := range it.requests {
		if own := c.user.own(s); len(own) > 0 {
			return obstacle("header-found", "the %s rule of line %d stands in the way of the value for %s "+
				"(remove it: the policy covers the file)", c.header.Name, c.user.line(own[0].Line), it.path)
		}
	}
	return obstacle("header-found", "no rule can give %s the wanted value beside the one for /*", it.path)
}

// inBlock finds the lines with which the user's block of an item's path gives every request of the
// item what is wanted; nil if there are none, or no block. They go in front of the block's own lines
// about the header. These must be a part of what is wanted. If they are not, but say less when sent
// as one line than each by itself, the whole value goes in front of them.
func (c *compiler) inBlock(it *item, block *Rule) *added {
	v := it.value
	if block == nil {
		return nil
	}
	lines, own := v.lines, robotstag.Texts(block.values)
	switch joined := strings.Join(own, ", "); {
	case isPart(joined, v.text):
		stated := func(line string) bool { return slices.Contains(own, line) }
		lines = slices.DeleteFunc(slices.Clone(lines), stated)
	case c.header.Equal(joined, strings.Join(own, "\n")):
		return nil
	}
	o := c.rule(it.path, lines, false)
	for _, o.detach = range []bool{false, true} {
		file := c.user.print(append(slices.Clip(c.front), o))
		if every(it.requests, func(s request) bool {
			d := s.on.dialect
			got := d.Values(d.Parse(file, c.header.Name), c.user.host, s.form)
			return d.says(&c.header, got, v.text) &&
				(len(block.values) > 0 || robotstag.Join(got) == v.text)
		}) {
			return &o
		}
	}
	return nil
}

// isPart reports whether a text is a part of a list.
func isPart(text, list string) bool {
	return text == "" || strings.Contains(", "+list+", ", ", "+text+", ")
}

// value is what files are to be served with, or a template of it.
type value struct {
	text  string // as one line
	lines []string
	bad   string // why it cannot stand in a file
	opens bool   // see [compiler.opens]
	n     int    // how often it is wanted

	// Of a template: what it takes off a path's end. See [compiler.findTemplate].
	template bool
	tail     string
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

// valueOf returns the value that a request is to be served with.
func (c *compiler) valueOf(s request) *value {
	lines := c.wants[s.want].Values
	if c.header.Join && len(lines) > 0 {
		lines = slices.Concat(robotstag.Texts(c.user.own(s)), lines)
	}
	return c.intern(value{lines: lines})
}

// intern returns the one value of that text, or of the lines, which is wanted once more.
func (c *compiler) intern(v value) *value {
	v.text = cmp.Or(v.text, strings.Join(v.lines, ", "))
	if c.values[v.text] == nil {
		v.bad = badValues(c.header.Name, v.lines)
		v.opens = c.opens(&v)
		c.values[v.text] = &v
	}
	c.values[v.text].n++
	return c.values[v.text]
}

// findTemplate finds a text that comes to an item's value if a part of its path is put in the place of \x00: the path
// as it is requested, without its end. That is what Cloudflare does with ":splat".
func (c *compiler) findTemplate(it *item) {
	v, slash := it.value, strings.LastIndexByte(it.path, '/')
	if c.blocks == nil || c.netlify || v.text == "" {
		return
	}
	name := it.path[slash:]
	for _, tail := range []string{"", path.Ext(name), name[strings.IndexByte(name+".", '.'):], name} {
		stem, found := strings.TrimSuffix(it.path, tail), false
		t := value{template: true, tail: tail}
		for _, line := range v.lines {
			if at := strings.LastIndex(line, stem); at >= 0 && len(stem) > 1 {
				found = len(c.header.Name)+len(line)+len(it.path) < CloudflareLine-20
				line = line[:at] + "\x00" + line[at+len(stem):]
			}
			t.lines = append(t.lines, line)
		}
		if found {
			t.text = tail + "\x00" + strings.Join(t.lines, ", ")
			it.template = c.intern(t)
			return
		}
	}
}
