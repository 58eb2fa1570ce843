package robotstxt

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"metarobots/policy"
)

// sharedToken begins the names of groups that say how content may be used, and are no crawler's.
// https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/00/ of 2026-10-30
const sharedToken = "__usage_"

// Signals are the lines that say how a URL, a path as [File.Ask] takes it, may be used, each text
// once: signals in the groups that "*" and the crawlers of AI vendors obey, of Content-Usage the
// rule with the longest path, the rule that decides in a group of the shared token, and licences.
// No vendor documents to obey them.
func (f *File) Signals(url string) (lines []Line) {
	for _, set := range f.audienceSets() {
		for _, l := range set.signals(url) {
			if !slices.ContainsFunc(lines, func(o Line) bool { return o.String() == l.String() }) {
				lines = append(lines, l)
			}
		}
	}
	for _, token := range f.tokens {
		if !isShared(token) {
			continue
		}
		if r := f.sets[token].decide(url); r != nil {
			lines = append(lines, *r.line)
		}
	}
	lines = append(lines, f.licenses()...)
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].Number < lines[j].Number })
	return lines
}

// audienceSets are the rules that everyone and the crawlers of AI vendors obey, each once, of those
// groups that say anything of how a URL may be used. They are found once, since [File.Signals] is
// asked of every page.
func (f *File) audienceSets() []*ruleset {
	f.findAudience.Do(func() {
		for _, agent := range audience() {
			set, _ := f.obeyedBy(agent)
			if len(set.others) > 0 && !slices.Contains(f.ofAudience, set) {
				f.ofAudience = append(f.ofAudience, set)
			}
		}
	})
	return f.ofAudience
}

// audience are everyone and the crawlers of AI vendors, as names of groups.
func audience() []string {
	isOfAI := func(c *policy.Crawler) bool { return len(c.Uses) > 0 }
	return append([]string{star}, tokens(isOfAI)...)
}

// signals are those of a group's lines that hold for a URL: all of Content-Signal, and of
// Content-Usage those with the longest path that matches.
func (s *ruleset) signals(url string) (lines []Line) {
	longest := ""
	for _, l := range s.others {
		isUsage := l.key == contentUsage // the one with the longest path counts
		switch path, _ := usagePath(l.Value); {
		case l.vocabulary() == nil, !l.scope().matches(url):
			continue
		case isUsage && len(path) < len(longest):
			continue
		case isUsage && len(path) > len(longest):
			longest = path
			lines = slices.DeleteFunc(lines, func(l Line) bool { return l.key == contentUsage })
		}
		lines = append(lines, l)
	}
	return lines
}

// usesOf are what lines say of uses by AI.
func usesOf(lines []Line) (list []use) {
	for _, l := range lines {
		list = append(list, l.uses()...)
	}
	return list
}

// denialsAt is what a robots.txt denies an agent, a crawler or "*" for everyone, of one URL: uses
// of the content by signals and, if asksCrawling is true of the agent, crawling, each with its
// line. The keys only tell denials apart: "crawling", and a signal's key with the use. Nil denies
// nothing.
func (f *File) denialsAt(agent, url string, asksCrawling func(agent string) bool) map[string]Line {
	all := map[string]Line{}
	if f == nil {
		return all
	}
	set, _ := f.obeyedBy(agent)
	if asksCrawling(agent) {
		if r := set.decide(url); r != nil && !r.isAllow && r.pattern != "" {
			all["crawling"] = *r.line
		}
	}
	for _, u := range usesOf(set.signals(url)) {
		if u.states == policy.Denied {
			all[u.line.key+u.about.String()] = u.line
		}
	}
	return all
}

// Lost says what of AI is denied at a URL, a path as [File.Ask] takes it, and by another file at
// another URL no more: to everyone, crawlers of AI vendors, and groups whose name is not known.
// Each line has up to three names; "" for nothing. Nil denies nothing.
func (f *File) Lost(url string, now *File, at string) string {
	return f.describeLost(url, now, at, func(agent string) bool { return agent != star })
}

// LostSignals is Lost of signals alone: of crawling, [Compare] says more.
func (f *File) LostSignals(url string, now *File, at string) string {
	return f.describeLost(url, now, at, isShared)
}

// SameSignals reports whether two files say the same of AI by signals, to everyone that [File.Lost]
// asks for. Nil says nothing.
func (f *File) SameSignals(other *File) bool {
	return slices.Equal(f.signalLines(), other.signalLines())
}

// signalLines are those of a file by whom they are for.
func (f *File) signalLines() (all []string) {
	if f == nil {
		return nil
	}
	for _, agent := range append(audience(), f.tokens...) {
		set, _ := f.obeyedBy(agent)
		for _, l := range set.others {
			if l.vocabulary() != nil {
				all = append(all, agent+"\x00"+l.String())
			}
		}
		for _, r := range set.rules {
			if isShared(agent) {
				all = append(all, agent+"\x00"+r.line.String())
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// isShared reports whether a token is that of a signal and no crawler's.
func isShared(token string) bool { return strings.HasPrefix(token, sharedToken) }

// describeLost is [File.Lost]: f is the earlier file, asked about url, and now is the later one,
// asked about at. It asks about crawling only for agents that make asksCrawling true; signals count
// for all. If GPTBot may fetch /a now, and whoever obeys * has lost a signal, the text is
//
//	Content-Signal: ai-train=no for *, Amazonbot and 29 more; Disallow: /a for GPTBot
func (f *File) describeLost(url string, now *File, at string,
	asksCrawling func(agent string) bool) string {
	if f == nil { // a file that is not there denies nothing
		return ""
	}
	agentsOf := map[string][]string{} // those for whom a denial is lost, by the line that denied it
	for _, agent := range append(audience(), f.unknownAgents()...) {
		deniedNow := now.denialsAt(agent, at, asksCrawling)
		for what, line := range f.denialsAt(agent, url, asksCrawling) {
			text := line.String()
			_, isStillDenied := deniedNow[what] // by whatever line
			if !isStillDenied && !slices.Contains(agentsOf[text], agent) {
				agentsOf[text] = append(agentsOf[text], agent)
			}
		}
	}
	var all []string
	for _, line := range slices.Sorted(maps.Keys(agentsOf)) {
		agents := slices.Sorted(slices.Values(agentsOf[line]))
		all = append(all, line+" for "+SomeOf(agents))
	}
	return strings.Join(all, "; ")
}

// unknownAgents are the names of groups that are no known crawler's, as the file spells them: the
// names of other crawlers, and of signals (isShared).
func (f *File) unknownAgents() (names []string) {
	for _, token := range f.tokens {
		isUnknown := token != star && policy.LookupCrawler(token) == nil
		if isUnknown {
			names = append(names, f.spelled(token)...)
		}
	}
	return names
}

// SomeOf names up to three of some crawlers, or the first two of more, and counts the others: "A",
// "A, B and C", "A, B and 2 more".
func SomeOf(names []string) string {
	if len(names) > 3 {
		names = []string{names[0], names[1], fmt.Sprintf("%d more", len(names)-2)}
	}
	last := len(names) - 1
	return strings.TrimPrefix(strings.Join(names[:last], ", ")+" and "+names[last], " and ")
}

// EachUse calls do for what signals of some lines say of a URL, a path as [File.Ask] takes it. It
// leaves out a use about which lines of one group differ: [File.Check] compares those.
func (f *File) EachUse(url string, some func(line int) bool,
	do func(of policy.Use, states policy.Preference, line Line)) {
	for _, token := range f.tokens {
		set := f.sets[token]
		if !slices.ContainsFunc(set.others,
			func(l Line) bool { return l.vocabulary() != nil && some(l.Number) }) {
			continue
		}
		all := usesOf(set.signals(url))
		for _, u := range all {
			otherwise := func(o use) bool {
				return o.about == u.about && o.states != u.states && !some(o.line.Number)
			}
			if some(u.line.Number) && !slices.ContainsFunc(all, otherwise) {
				do(u.about, u.states, u.line)
			}
		}
	}
}

// SpeaksOfAI reports whether a file names a crawler of an AI vendor or has a line that says how
// content may be used.
func (f *File) SpeaksOfAI() bool {
	return slices.ContainsFunc(f.tokens, func(token string) bool {
		c := policy.LookupCrawler(token)
		return c != nil && c.Purpose != "" || isShared(token)
	}) || slices.ContainsFunc(f.Lines, func(l Line) bool {
		return l.vocabulary() != nil || l.key == license
	})
}
