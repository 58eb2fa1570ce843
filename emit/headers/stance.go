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

func (c *compiler) stance(i int) stance {
	w := &c.wants[i]
	_, tag := c.leftTo[i]
	switch {
	case !w.HTML || len(w.Values) == 0:
		return strict
	case c.portable() && !w.Noindex && c.opt.Scope != ScopeAll:
		return tagOnly // portable cannot say the preview block of Cloudflare (N6)
	case tag || c.giveUp || c.opt.Scope == ScopeFiles:
		return loose
	}
	return strict
}

// leaf returns what an item means to the tree.
func (c *compiler) leaf(it *item) leaf {
	st := tagOnly
	for _, i := range it.wants {
		st = min(st, c.stance(i))
	}
	l := leaf{label: it.label, classes: it.classes, served: it.served, over: never}
	if it.after != nil {
		l.over = 1
	}
	switch {
	case st == tagOnly:
		l.label, l.served, l.over = bare, it.classes, never
	case st == loose:
		l.served = it.classes
	case it.right():
	case it.alone == nil:
		l.alone, l.over = missed, never
	default:
		if it.alone == plain || it.alone.block.path != "" {
			l.alone = 1
		}
	}
	return l
}
