package robotstxt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// sharedToken begins the names of groups that say how content may be used, and are no crawler's.
// https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/00/ of 2026-10-30
const sharedToken = "__usage_"

// Signals are the lines that say how a URL, a path as [File.Ask] takes it, may be used, each text once: signals in the
// groups that "*" and the crawlers of AI vendors obey, of Content-Usage the rule with the longest path, the rule that
// decides in a group of the shared token, and licences. No vendor documents to obey them.
func (f *File) Signals(url string) (lines []Line) {
	for _, agent := range audience() {
		set, _ := f.obeyed(strings.ToLower(agent))
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

// audience are everyone and the crawlers of AI vendors, as names of groups.
func audience() []string {
	names := []string{star}
	for _, c := range policy.AllCrawlers() {
		if len(c.Uses) > 0 {
			names = append(names, c.Token)
		}
	}
	return names
}

// A Denial is what a robots.txt denies of one URL.
type Denial struct {
	// Agent is a crawler's token, or another name of a group in lower case.
	Agent string
	// Key is "Disallow", or that of a signal; Use is what the signal denies.
	Key string
	Use policy.Use
}

// Denials are those of a URL, a path as [File.Ask] takes it, that concern AI, with their lines: what crawlers of AI
// vendors may not fetch, and groups whose name is not known, and what signals deny to them and to everyone. Nil denies
// nothing.
func (f *File) Denials(url string) map[Denial]Line {
	all := map[Denial]Line{}
	if f == nil {
		return all
	}
	agents := audience()
	for _, token := range f.tokens {
		if token != star && policy.LookupCrawler(token) == nil {
			agents = append(agents, token)
		}
	}
	for _, agent := range agents {
		if v := f.Ask(agent, url); !v.Allowed && agent != star {
			all[Denial{Agent: agent, Key: string(Disallow)}] = f.Lines[v.Line-1]
		}
		set, _ := f.obeyed(strings.ToLower(agent))
		for _, u := range set.usesAt(url) {
			if u.states == policy.Denied {
				all[Denial{agent, strings.ToLower(u.line.Key), u.of}] = u.line
			}
		}
	}
	return all
}

// Lost says which denials of a URL are there no longer, each line with up to three names; "" for none.
func Lost(was, is map[Denial]Line) string {
	names := map[string][]string{}
	for d, l := range was {
		if _, still := is[d]; !still {
			names[l.String()] = append(names[l.String()], d.Agent)
		}
	}
	var all []string
	for _, line := range slices.Sorted(maps.Keys(names)) {
		of := names[line]
		slices.Sort(of)
		if of = slices.Compact(of); len(of) > 3 {
			of = append(of[:2], fmt.Sprintf("%d more", len(of)-2))
		}
		last := len(of) - 1
		text := of[last]
		if last > 0 {
			text = strings.Join(of[:last], ", ") + " and " + text
		}
		all = append(all, fmt.Sprintf("%s for %s", line, text))
	}
	return strings.Join(all, "; ")
}

// EachUse calls do for what signals of some lines say of a URL, a path as [File.Ask] takes it. What other lines of the
// same group say of the use as well is left out: [File.Check] compares those.
func (f *File) EachUse(url string, some func(line int) bool, do func(of policy.Use, states policy.Preference, line Line)) {
	for _, token := range f.tokens {
		set := f.sets[token]
		if !slices.ContainsFunc(set.others, func(l Line) bool { return isSignal(l.Key) && some(l.Number) }) {
			continue
		}
		all := set.usesAt(url)
		for _, u := range all {
			if !slices.ContainsFunc(all, func(o use) bool { return o.of == u.of && !some(o.line.Number) }) {
				do(u.of, u.states, u.line)
			}
		}
	}
}

// Said are the lines of a file that crawlers read, without comments and sitemaps, from which [Parse] makes one that says
// the same.
func (f *File) Said() (lines []string) {
	for _, l := range f.Lines {
		if l.Kind != Blank && l.Kind != Unread && l.Kind != Sitemap {
			lines = append(lines, l.String())
		}
	}
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

// usesAt are what those of a group's signals that hold for a URL say of uses.
func (s *ruleset) usesAt(url string) []use {
	counts := s.signals(url)
	return slices.DeleteFunc(s.uses(), func(u use) bool {
		return !slices.ContainsFunc(counts, func(l Line) bool { return l.Number == u.line.Number })
	})
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
