package robotstxt

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/policy"
)

// Merge writes a policy into an owner's robots.txt: one marked block at the end, every other byte as it was. What an
// earlier run wrote is replaced, so a second run changes nothing; a policy that states nothing takes the block away.
//
// For every crawler and every URL the file then allows what both the owner's text and the policy allow. An Allow of
// the policy that would loosen the owner's text is left out ([IDLeftOut], the result is then stricter); a Disallow
// that the owner's Allow outweighs is written with stars at its end, which add weight and match the same. Where
// even that is impossible, it is an error ([IDOutweighed]). The policy's own errors leave the file as it was.
//
// Lines of findings are those of the owner's text, without the block.
func Merge(existing []byte, p *Policy) ([]byte, []policy.Finding) {
	found := p.Check()
	if hasError(found) {
		return existing, found
	}
	own := withoutBlock(existing)
	m := &merger{theirs: Parse(own), ours: Parse(p.Text()), findings: found}
	if m.theirs.utf16() {
		m.add(IDEncoding, policy.Error, 0, "the file is UTF-16; nothing can be added to it")
		return existing, m.findings
	}
	s := m.sheet()
	if len(s.lines) == 0 {
		return own, m.findings
	}
	out := withBlock(own, s)
	if len(out) > MaxSize {
		m.add(IDTooBig, policy.Error, 0, "with our block the file has %d bytes; Google reads the first %d", len(out),
			MaxSize)
	}
	return out, m.findings
}

func hasError(findings []policy.Finding) bool {
	return slices.ContainsFunc(findings, func(p policy.Finding) bool { return p.Severity == policy.Error })
}

type merger struct {
	theirs, ours *File
	findings     []policy.Finding
}

// add keeps a finding, once.
func (m *merger) add(id string, severity policy.Severity, line int, format string, args ...any) {
	var one findings
	one.add(id, severity, line, format, args...)
	m.keep(one)
}

// keep keeps findings, each once.
func (m *merger) keep(found findings) {
	for _, f := range found {
		if !slices.Contains(m.findings, f) {
			m.findings = append(m.findings, f)
		}
	}
}

// sheet returns the lines of the block.
func (m *merger) sheet() *sheet {
	tokens := slices.Clone(m.ours.tokens)
	for _, t := range m.theirs.tokens {
		if !slices.Contains(tokens, t) {
			tokens = append(tokens, t)
		}
	}
	// Crawlers that are told the same stand in one group.
	var agents, texts [][]string
	for _, token := range tokens {
		if token == "" || m.derived(token) {
			continue
		}
		lines, wanted := m.join(token)
		if !wanted || m.ambiguous(token, lines) {
			continue
		}
		i := slices.IndexFunc(texts, func(t []string) bool { return slices.Equal(t, lines) })
		if i < 0 {
			i = len(texts)
			agents, texts = append(agents, nil), append(texts, lines)
		}
		agents[i] = append(agents[i], m.spelling(token))
	}
	s := &sheet{}
	if len(agents) > 0 && m.theirs.open {
		// The owner's last group has no rule; our first User-agent line would join it.
		s.lines = append(s.lines, "Disallow:")
	}
	for i := range agents {
		s.group(agents[i], texts[i])
	}
	var sitemaps []string
	for _, l := range m.ours.Sitemaps() {
		if !slices.ContainsFunc(m.theirs.Sitemaps(), func(t Line) bool { return t.Value == l.Value }) &&
			!slices.Contains(sitemaps, l.Value) {
			sitemaps = append(sitemaps, l.Value)
		}
	}
	s.sitemaps(sitemaps)
	return s
}

// ambiguous reports whether lines for a name of the owner's that is no product token, foo2, would hold for another
// crawler, foo, that is to be told otherwise. By RFC 9309 both lines are foo's, so nothing is lost without them.
func (m *merger) ambiguous(token string, lines []string) bool {
	short := productToken(token)
	if short == "" || short == token || m.ours.sets[token] != nil {
		return false
	}
	if others, _ := m.join(short); slices.Equal(others, lines) {
		return false
	}
	m.add(IDAgent, policy.Warning, m.theirs.sets[token].agent, "%s is read as %s, so the policy's rules for crawlers "+
		"like it cannot be added", token, short)
	return true
}

// derived reports whether a name only follows from a longer one in the policy, as archive does from archive.org_bot:
// the line for that one is a line for it too.
func (m *merger) derived(token string) bool {
	return m.theirs.sets[token] == nil && !slices.ContainsFunc(m.ours.Lines,
		func(l Line) bool { return l.Kind == Agent && strings.EqualFold(l.Value, token) })
}

// spelling returns a name as the policy, or else the owner, spells it.
func (m *merger) spelling(token string) string {
	for _, f := range []*File{m.ours, m.theirs} {
		if s := f.sets[token]; s != nil {
			for _, l := range f.Lines[s.agent-1:] {
				if l.Kind == Agent && strings.EqualFold(l.Value, token) {
					return l.Value
				}
			}
		}
	}
	return token
}

// join returns the lines that the block has for a name, and whether it needs any.
func (m *merger) join(token string) (lines []string, wanted bool) {
	theirs, _ := m.theirs.obeyed(token)
	ours, _ := m.ours.obeyed(token)
	named := m.theirs.sets[token] != nil
	// A group that only we have takes its crawler out of the group that it obeyed: that one is repeated.
	repeat := !named && token != star && theirs != nil
	if theirs == nil {
		theirs = &ruleset{}
	}
	if ours == nil {
		ours = &ruleset{}
	}
	if repeat && ours.shut() {
		theirs, repeat = &ruleset{}, false
	}
	rules := m.weigh(token, theirs.rules, ours.rules)
	if repeat {
		for i := range theirs.rules {
			if r := &theirs.rules[i]; !r.index {
				lines = append(lines, r.print(r.pattern))
			}
		}
	}
	for _, r := range rules {
		if !slices.Contains(lines, r) {
			lines = append(lines, r)
		}
	}
	var others []Line
	if repeat {
		others = append(others, theirs.others...)
	}
	for _, l := range ours.others {
		if m.says(token, named || repeat, theirs, l) {
			continue
		}
		others = append(others, l)
	}
	for _, l := range others {
		if s := l.String(); slices.ContainsFunc(knownKeys,
			func(k string) bool { return strings.EqualFold(k, l.Key) }) && !slices.Contains(lines, s) {
			lines = append(lines, s)
		}
	}
	return lines, len(lines) > 0 || m.ours.sets[token] != nil && !named && token != star
}

// says reports whether the owner's group says a line already, and tells of one that contradicts.
func (m *merger) says(token string, named bool, theirs *ruleset, l Line) bool {
	if !named && token != star {
		return false
	}
	for _, t := range theirs.others {
		if !strings.EqualFold(t.Key, l.Key) {
			continue
		}
		if t.Value == l.Value {
			return true
		}
		if strings.EqualFold(l.Key, "content-signal") || strings.EqualFold(l.Key, "crawl-delay") {
			m.add(IDPolicy, policy.Warning, t.Number, "%s: the owner's file says %s and the policy %s; which of them "+
				"a crawler takes is its own affair", token, clip(t.String()), clip(l.String()))
		}
	}
	return false
}

// shut reports whether a group lets nothing be fetched.
func (s *ruleset) shut() bool {
	return !slices.ContainsFunc(s.rules, func(r rule) bool { return r.allow && r.pattern != "" }) &&
		slices.ContainsFunc(s.rules, func(r rule) bool { return !r.allow && r.everything() })
}

// heavy is a rule with the weight that it needs.
type heavy struct {
	*rule
	weight int
	// rival is what it must outweigh.
	rival *rule
}

// outweigh raises the weight above that of a rival, or to it.
func (h *heavy) outweigh(rival *rule, weight int) {
	if weight > h.weight {
		h.weight, h.rival = weight, rival
	}
}

// can reports whether a rule can be written with a weight: stars at the end, or beside another star, match the same.
func (r *rule) can(weight int) bool {
	return weight == len(r.pattern) || !r.exact() && !r.index && weight <= maxLine/2
}

// heavier returns the pattern with that weight.
func (r *rule) heavier(weight int) string {
	stars := strings.Repeat("*", weight-len(r.pattern))
	if !r.end {
		return r.pattern + stars
	}
	i := strings.LastIndexByte(r.pattern, '*')
	return r.pattern[:i] + stars + r.pattern[i:]
}

func (r *rule) print(pattern string) string {
	if r.allow {
		return field("Allow", pattern)
	}
	return field("Disallow", pattern)
}

func (h *heavy) print() string {
	if h.weight == len(h.pattern) {
		return h.rule.print(h.pattern)
	}
	s := h.rule.print(h.heavier(h.weight))
	if h.rival != nil && len(h.rival.pattern) <= 80 {
		s += " # outweighs " + h.rival.print(h.rival.pattern)
	}
	return s
}

// weigh returns our rules for a name as they must be written beside the owner's, so that a path is disallowed where
// either of the two sets disallows it.
func (m *merger) weigh(token string, theirs, ours []rule) []string {
	ours = slices.DeleteFunc(slices.Clone(ours), func(r rule) bool { return r.pattern == "" })
	for {
		a := attempt{theirs: theirs, ours: ours}
		ok := a.run()
		for i := range a.found {
			a.found[i].Message = token + ", " + a.found[i].Message
		}
		m.keep(a.found)
		if ok {
			return a.lines
		}
		// Without the Allow the others need less weight.
		ours = slices.DeleteFunc(ours, func(r rule) bool { return r.allow && r.line == a.drop })
	}
}

// attempt tries to write all rules of ours.
//
// Each gets the least weight with which it still wins over those of ours that it wins over by itself, and, if it is a
// Disallow, over the owner's Allows. Then no path that we disallow is allowed. An Allow of ours may win over an
// owner's Disallow; where the owner makes no exception to that one, it is repeated with more weight. Where he does,
// or the repetition cannot be made heavier, the Allow goes.
type attempt struct {
	theirs, ours []rule

	lines []string
	// found are the findings of the attempt if all can stay, else that of the Allow that goes.
	found findings
	// drop is the line, in the policy's text, of the Allow that goes.
	drop int
}

func (a *attempt) run() bool {
	ranked := make([]heavy, len(a.ours))
	for i := range a.ours {
		ranked[i] = heavy{rule: &a.ours[i], weight: len(a.ours[i].pattern)}
	}
	slices.SortStableFunc(ranked, func(x, y heavy) int { return -weigh(x.rule, y.rule) })
	for i := range ranked {
		if h := &ranked[i]; h.allow && !h.index && !a.excepts(h.line) {
			return a.leave(h, nil) // it makes no exception to a rule of ours, so it says nothing
		}
	}
	for i := range ranked {
		a.load(ranked, i)
	}
	var again []heavy
	for i := range ranked {
		h := &ranked[i]
		for j := range a.theirs {
			t := &a.theirs[j]
			if !h.allow || t.allow || t.pattern == "" || len(t.pattern) > h.weight || !overlap(h.rule, t) {
				continue
			}
			excepts := func(x rule) bool { return x.allow && len(x.pattern) >= len(t.pattern) && overlap(&x, t) }
			if slices.ContainsFunc(a.theirs, excepts) || !t.can(h.weight+1) {
				return a.leave(h, t)
			}
			k := slices.IndexFunc(again, func(x heavy) bool { return x.rule == t })
			if k < 0 {
				k = len(again)
				again = append(again, heavy{rule: t, weight: len(t.pattern)})
			}
			again[k].outweigh(h.rule, h.weight+1)
		}
	}
	slices.SortStableFunc(ranked, func(x, y heavy) int { return cmp.Compare(x.line, y.line) })
	for _, h := range slices.Concat(ranked, again) {
		if !h.index {
			a.lines = append(a.lines, h.print())
		}
	}
	return true
}

// load gives a rule its weight; those that it wins over stand before it and have theirs.
func (a *attempt) load(ranked []heavy, i int) {
	h := &ranked[i]
	for j := range ranked[:i] {
		low := &ranked[j]
		if low.allow == h.allow || !overlap(low.rule, h.rule) {
			continue
		}
		if h.allow {
			h.outweigh(low.rule, low.weight) // of equals, Allow wins
		} else {
			h.outweigh(low.rule, low.weight+1)
		}
	}
	for j := range a.theirs {
		if t := &a.theirs[j]; !h.allow && t.allow && t.pattern != "" && overlap(h.rule, t) {
			h.outweigh(t, len(t.pattern)+1)
		}
	}
	if h.can(h.weight) {
		return
	}
	h.weight = len(h.pattern)
	rival := h.rival.print(h.rival.pattern)
	if h.allow {
		a.found.warn(IDLeftOut, 0, "%s: it cannot be made heavier than %s, so more is disallowed than asked for",
			clip(h.text), clip(rival))
	} else {
		a.found.add(IDOutweighed, policy.Error, 0, "%s: it cannot be made heavier than %s, which lets the path be "+
			"fetched", clip(h.text), clip(rival))
	}
}

// excepts reports whether the Allow of that line makes an exception to a Disallow of ours.
func (a *attempt) excepts(line int) bool {
	for i := range a.ours {
		r := &a.ours[i]
		yields := func(d rule) bool { return !d.allow && len(d.pattern) <= len(r.pattern) && overlap(&d, r) }
		if r.allow && r.line == line && slices.ContainsFunc(a.ours, yields) {
			return true
		}
	}
	return false
}

// leave notes that an Allow of ours goes, because of a Disallow of the owner's or because it would do nothing.
func (a *attempt) leave(h *heavy, t *rule) bool {
	a.drop, a.found = h.line, nil
	if t == nil {
		i := slices.IndexFunc(a.theirs, func(r rule) bool { return !r.allow && r.pattern != "" && overlap(&r, h.rule) })
		if i < 0 {
			return false
		}
		t = &a.theirs[i]
	}
	a.found.warn(IDLeftOut, t.line, "%s: left out, as it would loosen %s", clip(h.text), clip(t.text))
	return false
}
