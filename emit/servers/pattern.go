package servers

import "strings"

// plainPattern is what is read of an owner's patterns.
const plainPattern = "a path, or what paths begin and end with"

// pattern is what an owner's rule names as far as it is read: a path, or all paths
// that begin, and may be end, with a text.
type pattern struct {
	before string
	wild   bool
	// segment says that what is between holds no slash, some that it is something.
	segment, some bool
	// hidden says that no name in it may begin with a dot.
	hidden bool
	// endings are what may follow; none: anything.
	endings []string
}

// matches reports whether a path is named.
func (p pattern) matches(path string) bool {
	if !p.wild {
		return path == p.before
	}
	rest, ok := strings.CutPrefix(path, p.before)
	if !ok || p.hidden && (strings.HasPrefix(rest, ".") || strings.Contains(rest, "/.")) {
		return false
	}
	if len(p.endings) == 0 {
		return p.between(rest)
	}
	for _, e := range p.endings {
		if between, ok := strings.CutSuffix(rest, e); ok && p.between(between) {
			return true
		}
	}
	return false
}

func (p pattern) between(text string) bool {
	return !(p.some && text == "") && !(p.segment && strings.Contains(text, "/"))
}

// newGlob reads a glob with at most one run of stars: "*" for a part of a segment,
// "**" and "**/*" for any segments. ok is false for anything else that means more
// than itself.
func newGlob(glob string) (p pattern, ok bool) {
	const special = `*?[]{}()!+@|^$\`
	before, after, wild := strings.Cut(glob, "*")
	p = pattern{before: before, wild: wild, segment: true}
	if rest, ok := strings.CutPrefix(after, "*"); ok {
		p.segment = false
		after = strings.TrimPrefix(rest, "/*")
		if p.some = after != rest; !p.some && rest != "" {
			return p, false
		}
	}
	p.endings, ok = endings(after, special)
	return p, ok && !strings.ContainsAny(before, special)
}

// endings reads what follows a star: a text, ".{a,b}" or ".@(a|b)".
func endings(after, special string) (all []string, ok bool) {
	if after == "" {
		return nil, true
	}
	for _, form := range []struct{ open, close, comma string }{{".{", "}", ","}, {".@(", ")", "|"}} {
		list, opens := strings.CutPrefix(after, form.open)
		list, closes := strings.CutSuffix(list, form.close)
		if !opens || !closes {
			continue
		}
		for e := range strings.SplitSeq(list, form.comma) {
			all = append(all, "."+e)
		}
		return all, !strings.ContainsAny(strings.Join(all, ""), special+",")
	}
	return []string{after}, !strings.ContainsAny(after, special)
}
