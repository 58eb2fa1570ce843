package robotstxt

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/policy"
)

// Merge writes a policy into an owner's robots.txt: one marked block at the end, every other byte
// as it was. What an earlier run wrote is replaced, so a second run changes nothing; a policy that
// states nothing takes the block away. The block is its lines, with their sources.
//
// For every crawler and every URL the file then allows what both the owner's text and the policy
// allow (S5). An Allow of the policy that would loosen the owner's text is left out
// (robotstxt-left-out, the result is then stricter); a Disallow that the owner's Allow outweighs is
// written with stars at its end, which add weight and match the same. Where even that is
// impossible, it is an error (robotstxt-outweighed). The policy's own errors leave the file as it
// was.
//
// Lines of findings, and those of sources that name no file, are those of the owner's text, without
// the block.
func Merge(existing []byte, p *Policy) (out []byte, block []Line, all []policy.Finding) {
	found := findings(p.Check())
	if hasError(found) {
		return existing, nil, found
	}
	text := marks.Read(existing)
	own := text.Own()
	owner := ParseAt(own, "", nil, 0)
	lines, more := p.linesBeside(owner)
	found = append(found, more...)
	if owner.utf16() {
		found.fail("robotstxt-encoding", "the file is UTF-16; nothing can be added to it")
		return existing, nil, found
	}
	m := &merger{owner: owner, ours: fileOf(lines), standalone: p.Standalone()}
	merged := m.sheet()
	found = append(found, m.found.findings()...)
	if len(merged.paragraphs) == 0 {
		return own, nil, found
	}
	block = merged.lines()
	text.At = len(text.Lines)
	out = text.With(texts(block), nil)
	if len(out) > MaxSize {
		found.fail("robotstxt-too-big", "with our block the file has %d bytes; Google reads the first %d", len(out), MaxSize)
	}
	return out, block, found
}

func hasError(all []policy.Finding) bool {
	return slices.ContainsFunc(all, func(f policy.Finding) bool { return f.Severity == policy.Error })
}

// A merger finds what our block has to say beside an owner's file. A crawler obeys the rules of one
// group, which are those of all groups with its name: so the block has a group for each name that
// either file has, and that group says what of the policy the owner's rules for the crawler do not
// say.
type merger struct {
	owner, ours *File
	standalone  map[string]bool // the names, in lower case, of groups of the policy that repeat nothing of the owner's
	found       causes
}

// reportFor adds a finding whose message the crawler's name begins, as the owner's file has it.
func (m *merger) reportFor(id string, severity policy.Severity, line int, token, format string, args ...any) {
	name := append(m.owner.names(token), token)[0]
	m.found.add(policy.Finding{ID: id, Severity: severity, Line: line}, fmt.Sprintf(format, args...), name)
}

// reportLeftOut warns of a line of ours for a crawler that would loosen one of the owner's.
func (m *merger) reportLeftOut(token string, ours, owners Line) {
	m.reportFor("robotstxt-left-out", policy.Warning, owners.Number, token, ", %s: left out, as it would loosen %s",
		clip(ours.String()), clip(owners.String()))
}

// sheet is our block: its groups, then the sitemaps and licences that the owner's file has not.
func (m *merger) sheet() (s sheet) {
	for _, token := range slices.Concat(m.ours.tokens, m.owner.tokens) { // a name in both gets one group
		if lines, isNeeded := m.group(token); isNeeded {
			s.addGroup(lines, append(m.ours.names(token), m.owner.names(token)...)...)
		}
	}
	if m.owner.open && s.paragraphs != nil {
		// The owner's last group has no rule; our first User-agent line would join it.
		end := paragraph{lines: []Line{newLine(string(Disallow), "", Source{})}}
		s.paragraphs = slices.Insert(s.paragraphs, 0, end)
	}
	s.addLines(missing(m.owner.Sitemaps(), m.ours.Sitemaps())...)
	s.addLines(missing(m.owner.licenses(), m.ours.licenses())...)
	return s
}

// missing are our lines whose value no line of the owner's has, each once.
func missing(owner, ours []Line) (more []Line) {
	for _, l := range ours {
		sameValue := func(o Line) bool { return o.Value == l.Value }
		if !slices.ContainsFunc(owner, sameValue) && !slices.ContainsFunc(more, sameValue) {
			more = append(more, newLine(l.name(), l.Value, l.Source))
		}
	}
	return more
}

// names are those that a token's User-agent lines have: crawlers may read more of them than the
// token.
func (f *File) names(token string) (names []string) {
	for _, name := range f.named[token].values {
		names = append(names, strings.Fields(name)[0])
	}
	return names
}

// group returns the lines that the block has for a name, and whether it needs a group for that name
// at all.
func (m *merger) group(token string) (lines []Line, isNeeded bool) {
	owner, obeyed := m.owner.obeyed(token)
	ours, _ := m.ours.obeyed(token)
	isNamedByOwner := m.owner.sets[token] != nil
	// A group that only we have takes its crawler out of the owner's group that it obeyed: that one
	// is repeated.
	takesOver := !isNamedByOwner && token != star && obeyed != ""
	if takesOver && m.standalone[token] {
		owner, takesOver = &ruleset{}, false
	}
	lines = m.combine(token, owner, ours, takesOver)
	if takesOver {
		stateBy(lines, ours.lines())
	}
	return lines, len(lines) > 0 || m.ours.sets[token] != nil && !isNamedByOwner && token != star
}

// combine returns the lines of a group that make what a crawler may fetch the intersection of what
// two groups let it fetch. Where the owner's group stays beside ours, they are what is to be added
// to it; where ours takes over from it, they begin with what the owner's says.
func (m *merger) combine(token string, owner, ours *ruleset, takesOver bool) (lines []Line) {
	rules := withPattern(owner.rules)
	if takesOver && ours.shut() {
		rules = nil
	}
	for _, r := range rules {
		if takesOver && !r.index {
			lines = append(lines, r.print())
		}
	}
	more := m.rulesBeside(token, readings(rules), withPattern(ours.rules))
	more = append(more, m.furtherLines(token, owner.others, ours.others, takesOver, ours.shut())...)
	for _, l := range more {
		if !slices.ContainsFunc(lines, func(o Line) bool { return sameText(o, l) }) {
			lines = append(lines, l)
		}
	}
	return lines
}

// stateBy gives lines that a group repeats, and that it states itself too, the source of its own
// statement.
func stateBy(lines, own []Line) {
	for i := range lines {
		if j := slices.IndexFunc(own, func(o Line) bool { return sameText(o, lines[i]) }); j >= 0 {
			lines[i].Source = own[j].Source
		}
	}
}

// withPattern are the rules that say something: an empty pattern does not.
func withPattern(rules []rule) []rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return r.pattern == "" })
}

// shut reports whether a group lets nothing be fetched.
func (s *ruleset) shut() bool {
	return !slices.ContainsFunc(s.rules, func(r rule) bool { return r.allow && r.pattern != "" }) &&
		slices.ContainsFunc(s.rules, func(r rule) bool { return !r.allow && r.everything() })
}
