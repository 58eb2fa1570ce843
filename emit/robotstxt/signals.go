package robotstxt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// sharedToken begins the names of groups that say how content may be used, and are no crawler's.
// https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/00/ of 2026-10-30
const sharedToken = "__usage_"

// Signals are the lines that say how a URL, a path as [File.Ask] takes it, may be used, each text once: signals in the
// groups that "*" and the crawlers of AI vendors obey, of Content-Usage the rule with the longest path, the rule that
// decides in a group of the shared token, and licences. Nobody is known to obey them.
func (f *File) Signals(url string) (lines []Line) {
	agents := []string{star}
	for _, c := range policy.AllCrawlers() {
		if len(c.Uses) > 0 {
			agents = append(agents, c.Name)
		}
	}
	for _, agent := range agents {
		set, _ := f.obeyed(agent)
		for _, l := range set.signals(url) {
			if !slices.ContainsFunc(lines, func(o Line) bool { return o.String() == l.String() }) {
				lines = append(lines, l)
			}
		}
	}
	for _, token := range f.tokens {
		if v := f.Ask(token, url); strings.HasPrefix(token, sharedToken) && v.Line > 0 {
			lines = append(lines, f.Lines[v.Line-1])
		}
	}
	lines = append(lines, f.licenses()...)
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
	return lines
}

// signals are those of a group's lines that hold for a URL.
func (s *ruleset) signals(url string) (lines []Line) {
	longest := -1
	for _, l := range s.others {
		path, _ := usagePath(l.Value)
		if r := newRule(true, cmp.Or(path, "/"), 0, ""); strings.EqualFold(l.Key, usageKey) && r.matches(url) {
			longest = max(longest, len(path))
		}
	}
	for _, l := range s.others {
		path, _ := usagePath(l.Value)
		r := newRule(true, cmp.Or(path, "/"), 0, "")
		if single(l.Key) && isSignal(l.Key) || strings.EqualFold(l.Key, usageKey) && len(path) == longest && r.matches(url) {
			lines = append(lines, l)
		}
	}
	return lines
}

// SpeaksOfAI reports whether a file names a crawler of an AI vendor or has a line that says how content may be used.
func (f *File) SpeaksOfAI() bool {
	return slices.ContainsFunc(f.tokens, func(token string) bool {
		c := policy.LookupCrawler(token)
		return c != nil && c.Purpose != "" || strings.HasPrefix(token, sharedToken)
	}) || slices.ContainsFunc(f.Lines, func(l Line) bool {
		return l.Kind == Other && (isSignal(l.Key) || isLicense(l.Key))
	})
}

// RulesKey is equal for crawlers for which the same lines hold, so that one of them can be asked for all.
func (f *File) RulesKey(agent string) string {
	set, _ := f.obeyed(strings.ToLower(agent))
	var b strings.Builder
	for _, r := range set.rules {
		fmt.Fprint(&b, r.line, " ")
	}
	return b.String()
}
