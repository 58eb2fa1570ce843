package plan

import (
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/state"
	"metarobots/policy"
)

// Related is what a page says of others: its canonical address and its translations, as far as they are not itself.
type Related struct {
	// Canonical is the encoded path from the publish root; empty for the page itself, for none and for another site's.
	Canonical string
	// Line is that of the canonical link; 0 for none.
	Line int
	// Elsewhere: the canonical address is on another site.
	Elsewhere bool
	// Alternates are encoded paths from the publish root.
	Alternates []string
}

// related returns what a page's links say of other pages; nil for nothing.
func (p *Project) related(at subject, links []head.Relation) (r *Related) {
	for _, link := range links {
		to, ok := p.leads(at.name, link.Href, false)
		if ok && samePath(to, at.url) {
			continue
		}
		if r == nil {
			r = &Related{}
		}
		switch {
		case link.Canonical && r.Line == 0:
			r.Canonical, r.Elsewhere, r.Line = to, !ok, link.Line
		case !link.Canonical && ok:
			r.Alternates = append(r.Alternates, to)
		}
	}
	return r
}

// oddWords reports robots tags of one page and one name that contradict each other, or themselves.
func oddWords(at subject, found []state.Tag) []policy.Finding {
	said := map[string]int{} // name and word, to the line
	for _, tag := range found {
		if !tag.HasContent {
			continue
		}
		for word := range strings.FieldsFuncSeq(strings.ToLower(tag.Content), func(r rune) bool { return strings.ContainsRune(", ;/|\t\r\n", r) }) {
			words := []string{word}
			switch word {
			case "all":
				words = []string{"index", "follow"}
			case "none":
				words = []string{"noindex", "nofollow"}
			}
			for _, w := range words {
				said[tag.Name+" "+w] = tag.Line
			}
		}
	}
	for _, tag := range found {
		for _, word := range []string{"index", "follow", "archive"} {
			a, yes := said[tag.Name+" "+word]
			b, no := said[tag.Name+" no"+word]
			if yes && no {
				return []policy.Finding{at.finding("tags-at-odds", policy.Warning, max(a, b),
					"its %s tags say both %s and no%s: the stricter counts here and for Google, not for every crawler", tag.Name, word, word)}
			}
		}
	}
	return nil
}
