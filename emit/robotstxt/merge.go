package robotstxt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/policy"
)

// Merge writes a policy into an owner's robots.txt: one marked block at the end, every other byte
// as it was. What an earlier run wrote is replaced, so a second run changes nothing; a policy that
// states nothing takes the block away. out is the new file, and block is our lines in it, with
// their sources; nil if there are none.
//
// For every crawler and every URL the file then allows what both the owner's text and the policy
// allow (S5). An Allow of the policy that would loosen the owner's text is left out
// (robotstxt-left-out, the result is then stricter); a Disallow that the owner's Allow outweighs is
// written with stars at its end, which add weight and match the same. Where even that is
// impossible, it is an error (robotstxt-outweighed). The policy's own errors, and a file in UTF-16,
// leave the file as it was.
//
// Lines of findings, and those of sources that name no file, are those of the owner's text, without
// the block.
func Merge(existing []byte, p *Policy) (out []byte, block []Line, all []policy.Finding) {
	found := findings(p.Check())
	if hasError(found) {
		return existing, nil, found
	}
	text := marks.Read(existing)
	ownersText := text.Own()
	owner := ParseAt(ownersText, "", nil, 0)
	// With groups for engines that the policy would free of a group of the owner's.
	lines, ofPolicy := p.linesForFile(owner)
	found = append(found, ofPolicy...)
	if owner.IsUTF16() {
		found.fail("robotstxt-encoding", "the file is UTF-16; nothing can be added to it")
		return existing, nil, found
	}
	m := &merger{owner: owner, ours: fileOf(lines), standalone: p.Standalone(),
		names: spellingsOf(p.sections(owner))}
	merged := m.sheet()
	found = append(found, m.found.findings()...)
	if len(merged.paragraphs) == 0 {
		return ownersText, nil, found
	}
	block = merged.lines()
	text.At = len(text.Lines) // the block goes to the end
	out = text.With(texts(block), nil)
	if len(out) > MaxSize {
		found.fail("robotstxt-too-big",
			"with our block the file has %d bytes; Google reads the first %d", len(out), MaxSize)
	}
	return out, block, found
}

func hasError(all []policy.Finding) bool {
	isError := func(f policy.Finding) bool { return f.Severity == policy.Error }
	return slices.ContainsFunc(all, isError)
}

// A merger finds what our block has to say beside an owner's file. A crawler obeys the rules of one
// group, which are those of all groups with its name: so the block has a group for each name that
// either file has, and that group says what of the policy the owner's rules for the crawler do not
// say.
type merger struct {
	owner, ours *File
	// standalone are by [Policy.Standalone] the groups of the policy that repeat nothing of the
	// owner's.
	standalone map[string]bool
	names      map[string]string // how the policy spells the tokens of its groups
	found      causes
}

// reportFor adds a finding about a line of the owner's, or about none (0), for the crawler of a
// token. Its message is the crawler's name and the text behind that.
func (m *merger) reportFor(id string, severity policy.Severity, line int, token, format string,
	args ...any) {
	name := m.spelled(token)
	behindName := fmt.Sprintf(format, args...)
	m.found.addFor(policy.Finding{ID: id, Severity: severity, Line: line}, behindName, name)
}

// spelled is a token as the owner's file spells it, or else the table of crawlers, or the policy.
func (m *merger) spelled(token string) string {
	if m.owner.sets[token] != nil {
		return m.owner.spelled(token)[0]
	}
	if c := policy.LookupCrawler(token); c != nil {
		return c.Token
	}
	return cmp.Or(m.names[token], token)
}

// reportLeftOut warns of a line of ours for a crawler that would loosen one of the owner's.
func (m *merger) reportLeftOut(token string, ours, owners Line) {
	m.reportFor("robotstxt-left-out", policy.Warning, owners.Number, token,
		", %s: left out, as it would loosen %s", clip(ours.String()), clip(owners.String()))
}

// sheet is our block: its groups, then the sitemaps and licences that the owner's file has not. For
// a name of both files it asks for the same group twice: addGroup and m.found count that once.
func (m *merger) sheet() (s sheet) {
	for _, token := range slices.Concat(m.ours.tokens, m.owner.tokens) {
		if lines, isNeeded := m.groupFor(token); isNeeded {
			s.addGroup(lines, append(m.ours.names(token), m.owner.names(token)...)...)
		}
	}
	if m.owner.isLastGroupOpen && s.paragraphs != nil {
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

// names are those that a token's User-agent lines have, whole: crawlers may read more of them than
// the token.
func (f *File) names(token string) (names []string) {
	if token == star && f.named[star].line != nil { // which "* all" means too
		return []string{star}
	}
	for _, value := range f.named[token].values {
		if strings.EqualFold(nameOf(value), token) { // else readers cut it to the token
			names = append(names, value)
		}
	}
	return names
}

// groupFor returns the lines that the block has for a token, and whether it needs a group for that
// at all: it may need one without lines, which frees its crawler of the rules of *.
//
//	owner  User-agent: *   Disallow: /a       ours  User-agent: Bingbot   Disallow: /b
//	       Bingbot gets /a and /b: ours takes over from the owner's *, which it repeats
//	owner  User-agent: Bingbot  Disallow: /a  ours  User-agent: Bingbot   Disallow: /b
//	       Bingbot gets /b: the owner's group stays beside ours, and both hold
//	owner  User-agent: *   Disallow: /a       ours  a standalone group of Bingbot without rules
//	       Bingbot gets a group without lines, which is needed all the same
func (m *merger) groupFor(token string) (lines []Line, isNeeded bool) {
	owners, takesOver := m.ownersFor(token)
	ours := m.oursFor(token)
	lines = m.combineRules(token, owners, ours, takesOver)
	if takesOver { // a line that ours states itself, too, has the source of ours
		giveOwnSources(lines, ours.ruleLines())
	}
	isStatedByPolicy := m.ours.sets[token] != nil
	return lines, len(lines) > 0 || isStatedByPolicy && m.isNew(token)
}

// isNew reports whether a group of ours for a token is one that the owner's file does not have. The
// group of * is none: it takes no crawler out of another one.
func (m *merger) isNew(token string) bool { return m.owner.sets[token] == nil && token != star }

// ownersFor returns what of the owner's file must hold for a crawler whatever our group says, by
// its token. takesOver says that our group has to repeat it, because it takes the crawler out of
// the owner's group that has it. Else that group stays beside ours, or there is nothing to repeat:
// the crawler obeyed no group of the owner's, or ours is standalone and to be free of that.
func (m *merger) ownersFor(token string) (owners *ruleset, takesOver bool) {
	owners, name := m.owner.obeyedBy(token) // no rules and "" of a crawler that obeys no group
	takesOver = m.isNew(token) && name != ""
	if takesOver && m.standalone[tokenOf(token)] {
		owners, takesOver = &ruleset{}, false
	}
	// Readers that cut AI2Bot to AI add a group of AI2Bot to those of AI, which it must not loosen.
	switch part := m.owner.sets[tokenOf(token)]; {
	case part == nil || part == owners: // the owner has no group of AI, or what holds is that group
		return owners, takesOver
	case m.isNew(token):
		return rulesetOf(mergedWithDenials(owners.allLines(), part.allLines())), true
	default:
		return owners.addingDenialsOf(part), takesOver
	}
}

// oursFor returns what of the policy holds for a crawler, by its token. If the owner alone has a
// group of AI2Bot, readers that cut that to AI add to it what the policy has for AI.
func (m *merger) oursFor(token string) *ruleset {
	ours, _ := m.ours.obeyedBy(token)
	part := m.ours.sets[tokenOf(token)] // AI of AI2Bot; of any other name its own group
	if hasOwnGroup := m.ours.sets[token] != nil; hasOwnGroup || part == nil {
		return ours
	}
	return rulesetOf(mergedWithDenials(ours.allLines(), part.allLines()))
}

// addingDenialsOf is s with what another group disallows.
func (s *ruleset) addingDenialsOf(other *ruleset) *ruleset {
	denials := slices.DeleteFunc(slices.Clone(other.rules), func(r rule) bool { return r.isAllow })
	return &ruleset{rules: slices.Concat(s.rules, denials), others: s.others}
}

// combineRules returns the lines of a group that make what a crawler may fetch the intersection of
// what two groups let it fetch. If the owner's group stays beside ours, they are what is to be
// added to it; if ours takes over from it, they begin with what the owner's says.
func (m *merger) combineRules(token string, owner, ours *ruleset, takesOver bool) (lines []Line) {
	ownersRules := rulesWithPattern(owner.rules)
	if takesOver && ours.isShut() {
		ownersRules = nil // nothing may be fetched, whatever they say
	}
	for _, r := range ownersRules {
		// A rule that no line has comes with the line that it follows from.
		if takesOver && !r.isImplied {
			lines = append(lines, r.print())
		}
	}
	more := m.rulesBeside(token, withDecodedReadings(ownersRules), rulesWithPattern(ours.rules))
	more = append(more, m.furtherLines(token, owner.others, ours.others, takesOver,
		ours.isShut())...)
	for _, l := range more {
		if !slices.ContainsFunc(lines, func(o Line) bool { return sameText(o, l) }) {
			lines = append(lines, l)
		}
	}
	return lines
}

// giveOwnSources gives lines that a group repeats, and that it states itself too, the source of its
// own statement. stated are the lines that it states itself.
func giveOwnSources(lines, stated []Line) {
	for i := range lines {
		isSame := func(own Line) bool { return sameText(own, lines[i]) }
		if j := slices.IndexFunc(stated, isSame); j >= 0 {
			lines[i].Source = stated[j].Source
		}
	}
}

// rulesWithPattern are the rules that say something: one with an empty pattern ("Disallow:") does
// not.
func rulesWithPattern(rules []rule) []rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return r.pattern == "" })
}

// isShut reports whether a group lets nothing be fetched: it disallows everything and allows
// nothing.
func (s *ruleset) isShut() bool {
	allows := func(r rule) bool { return r.isAllow && r.pattern != "" }
	deniesAll := func(r rule) bool { return !r.isAllow && r.matchesEverything() }
	return !slices.ContainsFunc(s.rules, allows) && slices.ContainsFunc(s.rules, deniesAll)
}
