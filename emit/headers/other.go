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

// follow prepares for a header that comes after others, whose rules are given: only its wants' values count, and a rule
// costs nothing where there is a block of its path.
func (c *compiler) follow(all []added) {
	c.opt = robotstag.Options{Target: c.opt.Target, Scope: robotstag.ScopeAll, Host: c.opt.Host}
	c.giveUp, c.wants, c.blocks = false, slices.Clone(c.wants), make(map[string]bool)
	for _, a := range all {
		if a.place == nil {
			c.blocks[a.path] = true
		}
	}
	for i := range c.wants {
		w := &c.wants[i]
		w.HTML, w.Found = false, false
		if !c.header.Join && len(w.Values) > 0 && c.contradicted(w) {
			c.rivals, w.Values = append(c.rivals, i), nil // two rules for one path would be read as one value
		}
	}
}

// fitOther serves as many files as the limit leaves room for, and notes the others.
func (c *compiler) fitOther() error {
	if c.cloudflare != nil {
		switch left := CloudflareRules - c.cloudflare.file.Count - len(c.blocks); {
		case left < 0: // what stands beyond the limit is not read
			c.rules = nil
			for i := range c.items {
				if it := &c.items[i]; !it.right() {
					c.lose(it, overLimit)
				}
			}
		case c.count(c.rules) > left:
			c.ration(left)
		}
	}
	for _, i := range c.rivals {
		c.outcomes[i].lost = "a rule of the site's own serves another value"
	}
	lost := make(map[string][]robotstag.Want)
	for i, out := range c.outcomes {
		if out.lost != "" {
			lost[out.lost] = append(lost[out.lost], c.wants[i])
		}
	}
	for why, wants := range lost {
		c.res.Lose(c.header.Name, why, wants)
	}
	return nil
}

// contradicted reports whether the user's own rules serve a file with another value, at any of its paths.
func (c *compiler) contradicted(w *robotstag.Want) bool {
	return slices.ContainsFunc(c.user.requests(w.Path), func(s request) bool {
		own := robotstag.Join(c.user.own(s))
		return own != "" && !c.header.Equal(own, strings.Join(w.Values, ", "))
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

// before orders rules as each header needs it: first those of everyPath, then those with stars by the folders that they
// are for, general before specific, then those for one path, then those for hosts.
func (c *compiler) before(a, b added) int {
	kind := func(a added) int {
		switch {
		case strings.HasPrefix(a.path, "https:"):
			return 2
		case slices.Contains(everyPath[1:], a.path):
			return -1
		case strings.Contains(a.path, "*"):
			return 0
		}
		return 1
	}
	switch n := kind(a) - kind(b); {
	case n != 0 || kind(a) == 2:
		return n
	case kind(a) == 1:
		return cmp.Compare(a.path, b.path)
	}
	textA, suffixA, _ := strings.Cut(a.path, "*")
	textB, suffixB, _ := strings.Cut(b.path, "*")
	order := func(text string) string {
		if c.netlify {
			text = strings.ToLower(text)
		}
		return strings.ReplaceAll(text, "/", "\x00")
	}
	return cmp.Or(cmp.Compare(order(textA), order(textB)), cmp.Compare(suffixA, suffixB))
}
