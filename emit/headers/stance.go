package headers

// A stance is how much is done for the header of a want.
type stance uint8

const (
	// strict: it is to have its value.
	strict stance = iota
	// loose: its tag carries the policy; the header says the same or nothing.
	loose
	// tagOnly: its tag carries the policy, and no header of ours reaches it.
	tagOnly
)

func (c *compiler) stance(want int32) stance {
	w := &c.wants[want]
	_, tag := c.leftTo[want]
	switch {
	case !w.HTML || len(w.Values) == 0:
		return strict
	case c.portable && !w.Noindex && c.opt.Scope != ScopeAll:
		return tagOnly // portable cannot say the preview block of Cloudflare (N6)
	case tag || c.giveUp || c.opt.Scope == ScopeFiles:
		return loose
	}
	return strict
}

// leaf returns what an item means to the tree.
func (c *compiler) leaf(it *item) leaf {
	most := tagOnly
	for _, s := range it.spots {
		most = min(most, c.stance(s.want))
	}
	l := leaf{label: it.label, classes: it.classes, served: it.served, over: never}
	if it.ways.after != nil {
		l.over = 1
	}
	switch {
	case most == tagOnly:
		l.label, l.served, l.over = bare, it.classes, never
	case most == loose:
		l.served = it.classes
	case it.right():
	case it.ways.alone == nil:
		l.alone, l.over = missed, never
	case it.ways.alone.place == nil:
		l.alone = 1
	}
	return l
}
