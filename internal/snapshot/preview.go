package snapshot

import (
	"path"
	"slices"
	"strings"

	"metarobots/internal/result"
	"metarobots/policy"
)

// A preview is what the environment of a site restricts at every page, noindex among it.
type preview struct {
	// line is a header line, or the content of a tag, that stands at every URL beside what else is stated there.
	line string
	// words are what every page restricts, where no line stands apart; zero where the site is no preview.
	words policy.Directives
}

// preview finds out what every page of s restricts. except is a page that is not noindex, where most are.
func (s *Snapshot) preview() (p preview, except string) {
	noindex := func(text string) bool { return policy.Stating(text).NoIndex() }
	policed := s.where(func(e *Entry) bool { return e.Decision.Role == "" })
	if len(policed.Entries) > 0 {
		for _, text := range policed.Entries[0].stated {
			without := func(e Entry) bool { return !slices.Contains(e.stated, text) }
			if noindex(text) && !slices.ContainsFunc(policed.Entries, without) {
				return preview{line: text}, ""
			}
		}
	}
	pages := policed.where(func(e *Entry) bool { return IsPage(e.URL) }).Entries // what has no head has no tag
	shown := slices.DeleteFunc(slices.Clone(pages), func(e Entry) bool { return noindex(e.Decision.Robots) })
	switch {
	case 2*len(shown) >= len(pages):
		return preview{}, ""
	case len(shown) > 0:
		return preview{}, shown[0].URL
	}
	p.words = policy.Stating(pages[0].Decision.Robots).Restrictions()
	for _, e := range pages {
		p.words = policy.LeastRestrictive(p.words, policy.Stating(e.Decision.Robots).Restrictions())
	}
	return p, ""
}

// IsPage reports whether a URL is that of a page, to judge by its ending.
func IsPage(url string) bool {
	return slices.Contains([]string{"", ".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(url)))
}

func (p preview) isZero() bool { return p.line == "" && p.words.IsZero() }

// IsPreview reports whether everything of s is noindex.
func (s *Snapshot) IsPreview() bool {
	p, _ := s.preview()
	return !p.isZero()
}

// An Aside is what [WithoutPreview] leaves out.
type Aside struct {
	// Hidden are the URLs that one side has as noindex, and of which the other, a preview, does not show whether they
	// are so for a reason of their own.
	Hidden []string
	// Except is a URL of a site that is noindex almost everywhere, and therefore no preview.
	Except string
	// Nothing: neither side is a preview.
	Nothing bool
}

// WithoutPreview returns two snapshots without what either restricts at every URL, such as a preview's noindex. Where
// that is a header line of its own, the rest is known. Where it stands in the pages' tags, its directives are not
// compared, nor what noindex makes redundant, which such a tag need not repeat.
func WithoutPreview(old, now *Snapshot) (a, b *Snapshot, aside Aside) {
	was, exceptOld := old.preview()
	is, exceptNow := now.preview()
	aside = Aside{Except: exceptOld + exceptNow, Nothing: was.isZero() && is.isZero()}
	a, b = old.without(was), now.without(is)
	others := b.byURL()
	for i := range a.Entries {
		e := &a.Entries[i]
		o := others[e.URL]
		if o == nil || e.Decision.Role != "" || o.Decision.Role != "" {
			continue
		}
		if !is.words.IsZero() && policy.Stating(e.Decision.Robots).NoIndex() ||
			!was.words.IsZero() && policy.Stating(o.Decision.Robots).NoIndex() {
			aside.Hidden = append(aside.Hidden, e.URL)
		}
		e.Decision, o.Decision = masked(e.Decision, o.Decision, is.words, was.words),
			masked(o.Decision, e.Decision, was.words, is.words)
	}
	return a, b, aside
}

// without is s without a line that stands at each of its URLs.
func (s *Snapshot) without(p preview) *Snapshot {
	changed := s.where(func(*Entry) bool { return true })
	for i := range changed.Entries {
		e := &changed.Entries[i]
		at := slices.Index(e.stated, p.line)
		if p.line == "" || at < 0 || e.Decision.Role != "" {
			continue
		}
		var rest policy.Directives
		for _, text := range slices.Delete(slices.Clone(e.stated), at, at+1) {
			rest = policy.MostRestrictive(rest, policy.Stating(text))
		}
		e.Decision = result.Decision{Robots: rest.Format(policy.Style{KeepRedundant: true})}.Restrictions()
	}
	return changed
}

// masked is a decision without what the environment of either side restricts everywhere, and, where the other side is
// noindex everywhere, without what that makes redundant and the other does not state.
func masked(d, other result.Decision, others, own policy.Directives) result.Decision {
	noindex := policy.Stating("noindex")
	return d.Each(func(crawler, text string) (kept policy.Directives) {
		stated, beside := policy.Stating(text), policy.Stating(other.Told(crawler))
		for _, w := range stated.Words(policy.Style{KeepRedundant: true}) {
			on := stated.On(w.Axis)
			redundant := others.NoIndex() && policy.MostRestrictive(on, noindex).Implied().On(w.Axis).IsZero()
			if others.On(w.Axis).IsZero() && own.On(w.Axis).IsZero() && (!redundant || beside.On(w.Axis).Restricts()) {
				kept = policy.MostRestrictive(kept, on)
			}
		}
		return kept
	})
}
