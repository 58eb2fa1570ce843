package robotstxt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/marks"
	"metarobots/policy"
)

// Merge writes a policy into an owner's robots.txt: one marked block at the end, every other byte as it was. What an
// earlier run wrote is replaced, so a second run changes nothing; a policy that states nothing takes the block away.
//
// For every crawler and every URL the file then allows what both the owner's text and the policy allow (S5). An Allow
// of the policy that would loosen the owner's text is left out (robotstxt-left-out, the result is then stricter); a
// Disallow that the owner's Allow outweighs is written with stars at its end, which add weight and match the same.
// Where even that is impossible, it is an error (robotstxt-outweighed). The policy's own errors leave the file as it
// was.
//
// Lines of findings are those of the owner's text, without the block.
func Merge(existing []byte, p *Policy) ([]byte, []policy.Finding) {
	all := findings(p.Check())
	if hasError(all) {
		return existing, all
	}
	text := marks.Read(existing)
	own := text.Own()
	owner := Parse(own)
	stated, more := p.text(owner)
	m := &merger{owner: owner, stated: Parse(stated), alone: p.Standalone()}
	all = append(all, more...)
	if m.owner.utf16() {
		all.fail("robotstxt-encoding", "the file is UTF-16; nothing can be added to it")
		return existing, all
	}
	s := m.sheet()
	all = append(all, m.found.findings()...)
	if len(s.paragraphs) == 0 {
		return own, all
	}
	text.At = len(text.Lines)
	out := text.With(s.lines(), nil)
	if len(out) > MaxSize {
		all.fail("robotstxt-too-big", "with our block the file has %d bytes; Google reads the first %d", len(out), MaxSize)
	}
	return out, all
}

func hasError(all []policy.Finding) bool {
	return slices.ContainsFunc(all, func(f policy.Finding) bool { return f.Severity == policy.Error })
}

type merger struct {
	owner, stated *File
	alone         map[string]bool // the names, in lower case, of our groups that repeat nothing
	found         causes
}

// add adds a finding whose message the crawler's name begins, as the owner's file has it.
func (m *merger) add(id string, severity policy.Severity, line int, token, format string, args ...any) {
	name := append(m.owner.names(token), token)[0]
	m.found.add(policy.Finding{ID: id, Severity: severity, Line: line}, fmt.Sprintf(format, args...), name)
}

func (m *merger) sheet() (s sheet) {
	for _, token := range slices.Concat(m.stated.tokens, m.owner.tokens) { // a name in both is said once
		if lines, wanted := m.join(token); wanted {
			s.addGroup(lines, append(m.stated.names(token), m.owner.names(token)...)...)
		}
	}
	if m.owner.open && s.paragraphs != nil {
		// The owner's last group has no rule; our first User-agent line would join it.
		s.paragraphs = slices.Insert(s.paragraphs, 0, paragraph{lines: []string{"Disallow:"}})
	}
	for _, of := range []func(*File) []Line{(*File).Sitemaps, (*File).licenses} {
		var more []string
		for _, l := range of(m.stated) {
			there := slices.ContainsFunc(of(m.owner), func(t Line) bool { return t.Value == l.Value })
			if line := l.String(); !there && !slices.Contains(more, line) {
				more = append(more, line)
			}
		}
		s.addLines(more...)
	}
	return s
}

// names are those that a token's User-agent lines have: crawlers may read more of them than the token.
func (f *File) names(token string) (names []string) {
	if s := f.sets[token]; s != nil {
		for _, name := range s.names {
			names = append(names, strings.Fields(name)[0])
		}
	}
	return names
}

// join returns the lines that the block has for a name, and whether it needs any.
func (m *merger) join(token string) (lines []string, wanted bool) {
	owner, _ := m.owner.obeyed(token)
	stated, _ := m.stated.obeyed(token)
	named := m.owner.sets[token] != nil
	// A group that only we have takes its crawler out of the group that it obeyed: that one is repeated.
	repeat := !named && token != star && owner.agent > 0
	if repeat && m.alone[token] {
		owner, repeat = &ruleset{}, false
	}
	lines = m.combine(token, owner, stated, repeat)
	return lines, len(lines) > 0 || m.stated.sets[token] != nil && !named && token != star
}

// combine returns the lines that make of the owner's group, which they repeat if nothing else says it, the stricter of
// both.
func (m *merger) combine(token string, owner, stated *ruleset, repeat bool) (lines []string) {
	said := func(rules []rule) []rule { // an empty pattern says nothing
		return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return r.pattern == "" })
	}
	rules := said(owner.rules)
	if repeat && stated.shut() {
		rules = nil
	}
	for _, r := range rules {
		if repeat && !r.index {
			lines = append(lines, r.print())
		}
	}
	more := m.weigh(token, readings(rules), said(stated.rules))
	for _, l := range m.others(token, owner.others, stated.others, repeat, stated.shut()) {
		more = append(more, l.String())
	}
	for _, line := range more {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// others returns the further lines of our group for a name. It repeats the owner's if nothing else says them, but not
// what says nothing to the crawler. Of a key with one value for each crawler, the stricter value is written.
func (m *merger) others(token string, owner, stated []Line, repeat, shut bool) (lines []Line) {
	if repeat {
		lines = slices.DeleteFunc(slices.Clone(owner), func(l Line) bool {
			return !slices.Contains(knownKeys, l.key) || l.key == crawlDelay && ignoresDelay(token) ||
				shut && l.vocabulary() == nil
		})
	}
	for _, ours := range stated {
		for _, l := range m.asStrict(token, owner, ours) {
			same := func(o Line) bool { return o.slot() == l.slot() }
			beside, said := -1, true // by all: of a key that stands twice, readers differ in which counts
			for i, o := range owner {
				if same(o) {
					beside, said = i, said && o.with(l) == o.Value
				}
			}
			switch i := slices.IndexFunc(lines, same); {
			case i >= 0:
				lines[i].Value = lines[i].with(l)
				continue
			case beside >= 0 && said && !repeat: // the owner's group stays beside ours
				continue
			case beside >= 0 && !repeat && l.single():
				m.add("robotstxt-policy", policy.Warning, owner[beside].Number, token, ": the owner's file says %s and the "+
					"policy %s; a crawler may take either", clip(owner[beside].String()), clip(ours.String()))
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// single reports whether a group has one line with the key, at most.
func (l *Line) single() bool { return l.key == crawlDelay || l.key == contentSignal }

// slot is equal for those further lines of a group that can be one.
func (l *Line) slot() string {
	what := l.Value
	if l.single() {
		what = ""
	} else if l.key == contentUsage {
		what, _ = usagePath(l.Value)
	}
	return l.key + ": " + what
}

// with returns the value of a line that says what another one of its slot says, too, if that is no shorter delay.
func (l Line) with(other Line) string {
	v := l.vocabulary()
	if v == nil {
		return other.Value
	}
	path, items := usagePath(l.Value)
	_, more := usagePath(other.Value)
	items, _ = v.join(items, more)
	return trim(path + " " + items)
}

// asStrict returns a further line of ours, as strict as those of the owner's, and what else that needs. A delay is no
// shorter. Of signals the rule with the longest path counts whole, and of equal paths the denial: what a rule of the
// owner's denies, a longer one of ours repeats, and what a shorter one of ours denies, another one with the owner's
// path. What gives way is a finding.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/
func (m *merger) asStrict(token string, owner []Line, ours Line) (lines []Line) {
	lines = []Line{ours}
	v := ours.vocabulary()
	path, items := usagePath(ours.Value)
	for _, t := range owner {
		if t.key != ours.key || v == nil && t.key != crawlDelay || v != nil && !overlap(ours.scope(), t.scope()) {
			continue
		}
		their, theirs := usagePath(t.Value)
		gaveWay := false
		switch {
		case v == nil:
			x, _ := strconv.ParseFloat(lines[0].Value, 64)
			y, _ := strconv.ParseFloat(t.Value, 64) // what is no number is no delay
			if gaveWay = x < y; gaveWay {
				lines[0].Value = t.Value
			}
		case len(path) >= len(their):
			items, gaveWay = v.join(items, v.restrictions(theirs))
			lines[0].Value = trim(path + " " + items)
		default:
			if denied, _ := v.join(theirs, v.restrictions(items)); denied != theirs {
				lines = append(lines, readLine(0, field(ours.Key, their+" "+denied)))
			}
		}
		if gaveWay {
			m.leaveOut(token, ours, t)
		}
	}
	return lines
}

// leaveOut warns of a line of ours for a crawler that would loosen one of the owner's.
func (m *merger) leaveOut(token string, ours, owners Line) {
	m.add("robotstxt-left-out", policy.Warning, owners.Number, token, ", %s: left out, as it would loosen %s",
		clip(ours.String()), clip(owners.String()))
}

// shut reports whether a group lets nothing be fetched.
func (s *ruleset) shut() bool {
	return !slices.ContainsFunc(s.rules, func(r rule) bool { return r.allow && r.pattern != "" }) &&
		slices.ContainsFunc(s.rules, func(r rule) bool { return !r.allow && r.everything() })
}

// plain is how a rule is written by itself.
func (r *rule) plain() string { return field(string(r.line.Kind), r.pattern) }

// outweigh raises the weight to what wins over a rival, and reports whether that is more: of equals, Allow wins.
func (r *rule) outweigh(rival *rule) bool {
	weight := rival.weight
	if !r.allow {
		weight++
	}
	more := weight > r.weight
	if more {
		r.weight, r.rival = weight, rival.plain()
	}
	return more
}

// settle gives a rule that cannot be made heavy its own weight, and reports whether it is too light then.
func (r *rule) settle() (stuck bool) {
	if r.exact() || r.index || r.weight > maxLine/2 {
		r.weight = len(r.pattern)
	}
	return r.stuck()
}

func (r *rule) stuck() bool { return r.rival != "" && r.weight == len(r.pattern) }

// print writes a rule with its weight: stars at the end, or beside another star, match the same.
func (r *rule) print() string {
	at := len(r.pattern)
	if r.end {
		at = max(0, strings.LastIndexByte(r.pattern, '*'))
	}
	stars := strings.Repeat("*", r.weight-len(r.pattern))
	text := field(string(r.line.Kind), r.pattern[:at]+stars+r.pattern[at:])
	if stars != "" && len(r.rival) <= 90 {
		text += " # outweighs " + r.rival
	}
	return text
}

// weigh returns our rules for a name as they must be written beside the owner's, so that a path is disallowed where
// either of the two sets disallows it.
//
// Each gets the least weight with which it still wins over those of ours that it wins over by itself, and, if it is a
// Disallow, over the owner's Allows. Then no path that we disallow is allowed. An Allow of ours may win over an
// owner's Disallow; where the owner makes no exception to that one, it is repeated with more weight. Where he does,
// or the repetition cannot be made heavier, the Allow goes, and the others need less weight.
func (m *merger) weigh(token string, owner, stated []rule) (lines []string) {
	all := load(owner, stated)
	for i := 0; i < len(owner); {
		_, out := all.repeat(owner, i)
		if out == nil {
			i++
			continue
		}
		line := out.line
		m.leaveOut(token, *line, *owner[i].line)
		goes := func(r rule) bool { return r.allow && r.line == line }
		stated = slices.DeleteFunc(stated, goes)
		if all.outweighed(goes) {
			all, i = load(owner, stated), 0
		} else { // the others keep their weights
			all = slices.DeleteFunc(all, goes)
		}
	}
	var again []rule
	for i := range owner {
		if r, _ := all.repeat(owner, i); r.rival != "" {
			again = append(again, r)
		}
	}
	slices.SortStableFunc(all, func(x, y rule) int { return cmp.Compare(x.line.Number, y.line.Number) })
	return m.write(token, append(all, again...))
}

func (m *merger) write(token string, all []rule) (lines []string) {
	for _, r := range all {
		if !r.index {
			lines = append(lines, r.print())
		}
		const heavier = ", %s: it cannot be made heavier than %s, %s"
		switch text, rival := clip(r.line.String()), clip(r.rival); {
		case !r.stuck():
		case r.allow:
			m.add("robotstxt-left-out", policy.Warning, 0, token, heavier, text, rival, "so more is disallowed than asked for")
		default:
			m.add("robotstxt-outweighed", policy.Error, 0, token, heavier, text, rival, "which lets the path be fetched")
		}
	}
	return lines
}

// weighed are our rules with their weights, in the order in which the lightest wins last.
type weighed []rule

func load(owner, stated []rule) weighed {
	all := slices.Clone(stated)
	slices.SortStableFunc(all, func(x, y rule) int { return weigh(&y, &x) })
	for i := range all {
		r := &all[i]
		for j := range all[:i] {
			if low := &all[j]; low.allow != r.allow && overlap(low, r) {
				r.outweigh(low)
			}
		}
		for j := range owner {
			if t := &owner[j]; !r.allow && t.allow && overlap(r, t) {
				r.outweigh(t)
			}
		}
		r.settle()
	}
	return all
}

// outweighed reports whether one of these Allows may have raised the weight of a Disallow.
func (w weighed) outweighed(these func(rule) bool) bool {
	for i := range w {
		wins := func(r rule) bool { return !r.allow && overlap(&w[i], &r) }
		if these(w[i]) && slices.ContainsFunc(w[i+1:], wins) {
			return true
		}
	}
	return false
}

// repeat returns a rule of the owner's, with a rival where it is a Disallow that an Allow of ours may win over, and then
// with more weight than that; or the Allow that goes: it would say nothing beside the Disallow, or that cannot be
// repeated.
func (w weighed) repeat(owner []rule, i int) (r rule, out *rule) {
	t, r := &owner[i], owner[i]
	var rival *rule
	for j := range w {
		ours := &w[j]
		switch {
		case t.allow || !ours.allow || ours.weight < t.weight || !overlap(ours, t):
		case !t.end && !ours.index && t.matches(ours.parts[0]):
			return r, ours
		case r.outweigh(ours):
			rival = ours
		}
	}
	excepts := func(x rule) bool { return x.allow && x.weight >= t.weight && overlap(&x, t) }
	if rival != nil && (r.settle() || slices.ContainsFunc(owner, excepts)) {
		return r, rival
	}
	return r, nil
}
