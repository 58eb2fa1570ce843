package robotstxt

import (
	"slices"
	"strings"
)

// A sheet is a robots.txt to be written, whose paragraphs are parted by empty lines.
type sheet struct {
	paragraphs []paragraph
	named      map[string]bool // the crawlers that have a group, in lower case
}

// A paragraph is a group, or lines that belong to no crawler: then it has no agents.
type paragraph struct {
	agents []string
	lines  []Line
}

// addLines adds lines that belong to no group.
func (s *sheet) addLines(lines ...Line) {
	if len(lines) > 0 {
		s.paragraphs = append(s.paragraphs, paragraph{lines: lines})
	}
}

// addGroup adds the lines of some crawlers, by their names as they are to be written, and names
// each crawler once. Crawlers with the same lines share a group, in which a line keeps the source
// that it has for each of them ([Line.lineFor]). A crawler that is added again has the same lines
// as before, so its group is there. After a's Disallow: /x, b's Disallow: /y and c's Disallow: /x,
// the sheet has the groups
//
//	User-agent: a      User-agent: b
//	User-agent: c      Disallow: /y
//	Disallow: /x
func (s *sheet) addGroup(lines []Line, names ...string) {
	if s.named == nil {
		s.named = map[string]bool{}
	}
	group := s.groupWith(lines)
	for _, name := range names {
		if lower := strings.ToLower(name); !s.named[lower] {
			s.named[lower] = true
			group.agents = append(group.agents, name)
		}
	}
	for i := range lines {
		source, kept := lines[i].Source, &group.lines[i]
		if source == kept.Source { // which is that of the first crawler
			continue
		}
		for _, name := range names {
			for _, token := range tokensOf(name) {
				kept.addSource(token, source)
			}
		}
	}
}

// groupWith returns the group that has just these lines, whatever their sources: one of the sheet,
// or a new one without agents.
func (s *sheet) groupWith(lines []Line) *paragraph {
	hasTheseLines := func(p paragraph) bool {
		isGroup := p.agents != nil
		return isGroup && slices.EqualFunc(p.lines, lines, sameText)
	}
	i := slices.IndexFunc(s.paragraphs, hasTheseLines)
	if i < 0 {
		i = len(s.paragraphs)
		s.paragraphs = append(s.paragraphs, paragraph{lines: slices.Clone(lines)})
	}
	return &s.paragraphs[i]
}

// sameText reports whether two lines are written the same, wherever they come from.
func sameText(a, b Line) bool { return a.Text == b.Text }

// lines are those of all paragraphs, numbered from 1. A group without a rule gets an empty
// Disallow: without one, the next User-agent line would join it.
func (s *sheet) lines() (all []Line) {
	for i, p := range s.paragraphs {
		if i > 0 {
			all = append(all, Line{})
		}
		for _, name := range p.agents {
			all = append(all, newLine(string(Agent), name, Source{}))
		}
		all = append(all, p.lines...)
		isRule := func(l Line) bool { return l.isRule() }
		if p.agents != nil && !slices.ContainsFunc(p.lines, isRule) {
			all = append(all, newLine(string(Disallow), "", Source{}))
		}
	}
	for i := range all {
		all[i].Number = i + 1
	}
	return all
}

// texts are lines as they are written.
func texts(lines []Line) (all []string) {
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return all
}
