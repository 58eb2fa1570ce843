package headers

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// What engines combine, they combine for each header by itself. So each is compiled by itself, with what is left of the
// limit, and rules of one path become one block.

// runOther returns the rules of another header, where the file has some of ours already. Of what does not fit the limit
// it serves as many files as it can, and notes the others.
func (c *compiler) runOther(u *User, d robotstag.Demand, all []added) []added {
	wants, differs := slices.Clone(d.Wants), []robotstag.Want(nil)
	for i := range wants {
		w := &wants[i]
		w.HTML, w.Found = false, false
		if !d.Header.Join && len(w.Values) > 0 && u.contradicts(w, d.Header) {
			differs = append(differs, *w)
			w.Values = nil // two rules for one path would be read as one value
		}
	}
	c.res.Lose(d.Header.Name, "a rule of the site's own serves another value", differs)
	o := newCompiler(u, wants, robotstag.Options{Target: c.opt.Target, Scope: robotstag.ScopeAll, Host: c.opt.Host})
	o.blocks = make(map[string]bool)
	for _, a := range all {
		if a.place == nil {
			o.blocks[a.path] = true
		}
	}
	o.gather()
	o.choose()
	if c.cloudflare != nil {
		left := CloudflareRules - c.cloudflare.file.Count - len(o.blocks)
		if o.count(o.rules) > max(left, 0) {
			o.ration(max(left, 0))
		}
		for i := range o.items {
			if it := &o.items[i]; left < 0 && !it.right() { // what stands beyond the limit is not read
				o.lose(it, overLimit)
			}
		}
		if left < 0 {
			o.rules = nil
		}
	}
	lost := make(map[string][]robotstag.Want)
	for i, out := range o.outcomes {
		if out.lost != "" {
			lost[out.lost] = append(lost[out.lost], d.Wants[i])
		}
	}
	for _, why := range slices.Sorted(maps.Keys(lost)) {
		c.res.Lose(d.Header.Name, why, lost[why])
	}
	c.res.Findings = append(c.res.Findings, o.res.Findings...)
	return o.rules
}

// contradicts reports whether the user's own rules serve a file with another value of the header, at any of its paths.
func (u *User) contradicts(w *robotstag.Want, h robotstag.Header) bool {
	return slices.ContainsFunc(u.engines, func(e *engine) bool {
		served, _ := Forms(e.dialect, w.Path)
		return slices.ContainsFunc(served, func(form string) bool {
			own := robotstag.Join(u.own(request{form: form, on: e}))
			return own != "" && !h.Equal(own, strings.Join(w.Values, ", "))
		})
	})
}

// ration chooses rules again, so that no more than a number of blocks are new. A file that goes without costs a part of
// a rule, as much as fits; what is then left goes to single files, those with a canonical link first.
func (c *compiler) ration(left int) {
	for low, high := price(0), one; ; {
		c.loss = (low + high) / 2
		c.choose()
		switch fits := c.count(c.rules) <= left; {
		case fits && high-low <= 1 || c.loss == 0:
			c.fill(left)
			return
		case fits:
			low = c.loss
		default:
			high = c.loss
		}
	}
}

// fill gives rules of their own to items that went without, as long as they fit, and notes the files of the others.
func (c *compiler) fill(left int) {
	left -= c.count(c.rules)
	byFile := make(map[string][]*item) // the most harmful first
	for _, it := range c.lost {
		file := c.wants[it.requests[0].want].Path
		if !strings.Contains(c.values[it.value].text, `rel="canonical"`) {
			file = "\xFF" + file
		}
		byFile[file] = append(byFile[file], it)
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		fits := len(byFile[file]) <= left
		for _, it := range byFile[file] {
			if fits {
				c.rules, left = append(c.rules, c.exactRule(it, false)), left-1
			} else {
				c.lose(it, overLimit)
			}
		}
	}
}

const overLimit = "the host takes no more rules"

// whyLost says for many files what an obstacle says for one.
var whyLost = map[string]string{
	"header-value": "the value cannot stand in the file", "header-name": "no rule of the host can name the file",
	"header-overlap": "a rule would reach a file with another value, too",
	"header-found":   "a rule of the site's own is in the way",
}

// lose notes that the files of an item go without the header.
func (c *compiler) lose(it *item, why string) {
	for _, s := range it.requests {
		c.outcomes[s.want].lost = why
	}
}

// before orders rules of several headers as each of them needs it: those with stars by the folders that they are for,
// general before specific, then those for one path, then those for hosts.
func before(a, b added) int {
	kind := func(a added) int {
		switch {
		case strings.HasPrefix(a.path, "https:"):
			return 2
		case strings.Contains(a.path, "*"):
			return 0
		}
		return 1
	}
	if n := kind(a) - kind(b); n != 0 || kind(a) == 2 {
		return n
	}
	textA, suffixA, _ := strings.Cut(a.path, "*")
	textB, suffixB, _ := strings.Cut(b.path, "*")
	key := func(text string) string { return strings.ReplaceAll(strings.ToLower(text), "/", "\x00") }
	return cmp.Or(cmp.Compare(key(textA), key(textB)), cmp.Compare(suffixA, suffixB), cmp.Compare(a.path, b.path))
}
