package headers

import "metarobots/emit/robotstag"

// A need is how much is done for the header of a want.
type need uint8

const (
	// strict: it is to have its value.
	strict need = iota
	// loose: its tag carries the policy; the header says the same or nothing.
	loose
	// tagOnly: its tag carries the policy, and no header of ours reaches it.
	tagOnly
)

func (c *compiler) need(want int32) need {
	w := &c.wants[want]
	_, tag := c.leftTo[want]
	switch {
	case !w.HTML || len(w.Values) == 0:
		return strict
	case c.portable && !w.Noindex && c.opt.Scope != robotstag.ScopeAll:
		return tagOnly // portable cannot say the preview block of Cloudflare (N6)
	case tag || c.giveUp || c.opt.Scope == robotstag.ScopeFiles:
		return loose
	}
	return strict
}

// leaf returns what an item means to the tree, and which of its suffixes are served right without a rule of ours: those
// for which a tag makes good what the header leaves out are not among them.
func (c *compiler) leaf(it *item) (l leaf, served uint8) {
	most, wrong := tagOnly, uint8(0)
	l = leaf{label: it.label, over: never}
	for _, s := range it.requests {
		most = min(most, c.need(s.want))
		classes := uint8(1) << s.class
		if s.loose {
			classes |= 1 // nothing leans on that
		}
		l.classes |= classes
		if !s.right {
			wrong |= classes
		}
	}
	served = l.classes &^ wrong
	if l.served = served; it.ways.after != nil {
		l.over = 1
	}
	switch {
	case most == tagOnly:
		l.label, l.served, l.over = bare, l.classes, never
	case most == loose:
		l.served = l.classes
	case wrong == 0:
	case it.ways.alone == nil:
		l.alone, l.over = missed, never
	case it.ways.alone.place == nil:
		l.alone = 1
	}
	return l, served
}
