package robotstxt

import (
	"slices"
	"sort"
	"strings"

	"metarobots/policy"
)

// # Weights
//
// Our rules for a crawler are beside the owner's, and the longest rule that matches a path decides
// (RFC 9309, section 2.2.2). A path must be disallowed where the owner's rules alone, or ours
// alone, disallow it. Rules can be made longer without matching anything else, by stars at their
// end: /a and /a** match the same, and the second one is heavier by two. Three things can go wrong,
// and are mended so:
//
//	owner  Allow: /files/open/            Our Disallow is lighter than the Allow (7 octets to 12):
//	ours   Disallow: /files/              Disallow: /files/****** is heavier.
//
//	owner  Disallow: /*.pdf               Our exception to our own Disallow is heavier than the
//	ours   Disallow: /, Allow: /papers/   owner's: his is repeated in our block, as
//	                                      Disallow: /*.pdf***
//
//	owner  Disallow: /files/              Our Allow says nothing but what he disallows: it is left
//	ours   Allow: /files/open/            out, with a finding. So it is where he makes an exception
//	                                      of his own to what would have to be repeated, for the
//	                                      repetition would beat that too.
//
// Heavier rules of ours must not change what ours alone say. So weights are given from the rule
// that always loses to the one that always wins: each rule of ours gets the least weight with which
// it still beats those of the other kind that it beats by itself, and, if it is a Disallow, all
// Allows of the owner's. A rule that ends in $ without a star, or is too long, cannot be made
// heavier: a Disallow like that, which an Allow beats, is the error robotstxt-outweighed.

// rulesBeside returns our rules for a crawler as they must be written beside the owner's, with
// repetitions of his. First it leaves out, one after the other, the Allows of ours that would
// loosen the owner's file; then it repeats those of the owner's Disallows that the others would
// beat. It changes the slice ours, which is the caller's no more. Our lines have numbers, those of
// their sheet.
func (m *merger) rulesBeside(token string, owner, ours []rule) (lines []Line) {
	weighed := weighted(owner, ours)
	for i := 0; i < len(owner); {
		tooLoose := weighed.repetitionOf(owner, i).tooLoose
		if tooLoose == nil {
			i++
			continue
		}
		line := tooLoose.line
		m.reportLeftOut(token, *line, *owner[i].line)
		// One line may state two rules.
		isLeftOut := func(r rule) bool { return r.isAllow && r.line == line }
		ours = slices.DeleteFunc(ours, isLeftOut)
		if weighed.mayHaveRaised(isLeftOut) { // lighter rules may be enough now: all is asked anew
			weighed, i = weighted(owner, ours), 0
		} else { // the others keep their weights
			weighed = slices.DeleteFunc(weighed, isLeftOut)
		}
	}
	var repeated []rule
	for i := range owner {
		if r := weighed.repetitionOf(owner, i); r.isNeeded {
			repeated = append(repeated, r.rule)
		}
	}
	sort.SliceStable(weighed, func(i, j int) bool { return weighed[i].line.Number < weighed[j].line.Number })
	return m.print(token, append(weighed, repeated...))
}

// print returns the lines of rules with their weights. It reports each that is too light.
func (m *merger) print(token string, all []rule) (lines []Line) {
	const heavier = ", %s: it cannot be made heavier than %s, %s"
	for _, r := range all {
		if !r.isImplied {
			lines = append(lines, r.print())
		}
		switch text, rival := clip(r.line.String()), clip(r.rival); {
		case !r.isTooLight():
		case r.isAllow:
			m.reportFor("robotstxt-left-out", policy.Warning, 0, token, heavier, text, rival,
				"so more is disallowed than asked for")
		default:
			m.reportFor("robotstxt-outweighed", policy.Error, 0, token, heavier, text, rival,
				"which lets the path be fetched")
		}
	}
	return lines
}

// A weighing is our rules with the weights that they need, in the order in which they win: the one
// that always loses comes first.
type weighing []rule

// weighted gives our rules their weights, as the comment above has it.
func weighted(owner, ours []rule) weighing {
	all := slices.Clone(ours)
	// Those that lose come first.
	sort.SliceStable(all, func(i, j int) bool { return compareByWeight(&all[j], &all[i]) < 0 })
	for i := range all {
		r := &all[i]
		for j := range all[:i] {
			if loser := &all[j]; loser.isAllow != r.isAllow && mayOverlap(loser, r) {
				r.outweigh(loser)
			}
		}
		for j := range owner {
			if o := &owner[j]; !r.isAllow && o.isAllow && mayOverlap(r, o) {
				r.outweigh(o)
			}
		}
		r.limitWeight()
	}
	return all
}

// mayHaveRaised reports whether an Allow among these may have raised the weight of a Disallow,
// which needs less without it.
func (w weighing) mayHaveRaised(isAmongThese func(rule) bool) bool {
	for i := range w {
		isRaised := func(r rule) bool { return !r.isAllow && mayOverlap(&w[i], &r) }
		if isAmongThese(w[i]) && slices.ContainsFunc(w[i+1:], isRaised) {
			return true
		}
	}
	return false
}

// A repetition is what a Disallow of the owner's needs, so that no Allow of ours lets a path be
// fetched that it disallows.
type repetition struct {
	// rule is the Disallow as our block has to repeat it, with more weight than each Allow that
	// beats it.
	rule rule
	// isNeeded is false if no Allow of ours beats it: then it is not repeated.
	isNeeded bool
	// tooLoose is an Allow of ours that has to go instead; nil if none has.
	tooLoose *rule
}

// repetitionOf returns what the rule number i of the owner's needs, by the Allows of ours that beat
// it. It needs nothing if there are none, or if it is an Allow. Such an Allow of ours has to go
// (tooLoose) if
//
//   - the Disallow matches all that it matches, so that it would say nothing (the owner's /files/
//     and our /files/open/);
//   - the repetition cannot be made heavy enough, as /a$ cannot;
//   - an Allow of the owner's makes an exception to the Disallow, which a heavier repetition would
//     take away.
//
// [merger.rulesBeside] asks it until no Allow has to go, and then writes the repetitions.
//
//	the owner's         ours                  the repetition
//	Disallow: /*.pdf    Allow: /papers/       Disallow: /*.pdf***, one heavier than the Allow
//	Disallow: /files/   Allow: /files/open/   none: the Allow has to go
//	Disallow: /files/   Allow: /f             none: the Allow is lighter
func (w weighing) repetitionOf(owner []rule, i int) repetition {
	disallow := &owner[i]
	r := repetition{rule: *disallow}
	if disallow.isAllow {
		return r
	}
	beating := w.allowsBeating(disallow)
	if beating == nil {
		return r
	}
	saysNothing := func(ours *rule) bool { return ours.isAllDisallowedBy(disallow) }
	if at := slices.IndexFunc(beating, saysNothing); at >= 0 {
		r.tooLoose = beating[at]
		return r
	}
	heaviest := slices.MaxFunc(beating, func(a, b *rule) int { return a.weight - b.weight })
	r.isNeeded = true
	r.rule.outweigh(heaviest)
	isTooLight := r.rule.limitWeight()
	isException := func(x rule) bool { return x.isAllowBeating(disallow) }
	if isTooLight || slices.ContainsFunc(owner, isException) {
		r.tooLoose = heaviest
	}
	return r
}

// allowsBeating are the Allows among our rules that beat a Disallow of the owner's.
func (w weighing) allowsBeating(disallow *rule) (beating []*rule) {
	for i := range w {
		if w[i].isAllowBeating(disallow) {
			beating = append(beating, &w[i])
		}
	}
	return beating
}

// isAllowBeating reports whether a rule is an Allow that lets paths be fetched which a Disallow
// matches: it may match one of them, and is no lighter.
func (r *rule) isAllowBeating(disallow *rule) bool {
	return r.isAllow && r.weight >= disallow.weight && mayOverlap(r, disallow)
}

// isAllDisallowedBy reports whether a Disallow is known to match each path that an Allow matches:
// it matches the text with which they all begin, before the first star. Of a Disallow that ends in
// $ that is not known. The rule for the folder of an index.html, which no line has, is left to the
// rule of its line.
func (r *rule) isAllDisallowedBy(disallow *rule) bool {
	return !disallow.endsAtDollar && !r.isImplied && disallow.matches(r.parts[0])
}

// plainLine is how a rule is written by itself, without stars that make it heavier.
func (r *rule) plainLine() string { return field(string(r.line.Kind), r.pattern) }

// outweigh raises the weight to what wins over a rival, and reports whether that is more than it
// was. Of equal weights Allow wins.
func (r *rule) outweigh(rival *rule) (isMore bool) {
	weight := rival.weight
	if !r.isAllow {
		weight++
	}
	if isMore = weight > r.weight; isMore {
		r.weight, r.rival = weight, rival.plainLine()
	}
	return isMore
}

// limitWeight is called once a rule has outweighed its rivals. It gives a rule that cannot be made
// heavy its own weight back (it has no place for a star, no line, or would be too long), and
// reports whether it is too light then.
func (r *rule) limitWeight() (isTooLight bool) {
	const longest = maxLine / 2 // in octets: half of what Google's parser keeps of a line
	if r.isExact() || r.isImplied || r.weight > longest {
		r.weight = len(r.pattern)
	}
	return r.isTooLight()
}

// isTooLight reports whether a rival beats a rule that was to beat it.
func (r *rule) isTooLight() bool { return r.rival != "" && r.weight == len(r.pattern) }

// print writes a rule with its weight: stars at the end, or beside another star, match the same.
// What it outweighs is a comment behind it.
func (r *rule) print() Line {
	at := len(r.pattern)
	if r.endsAtDollar {
		at = max(0, strings.LastIndexByte(r.pattern, '*'))
	}
	stars := strings.Repeat("*", r.weight-len(r.pattern))
	text := field(string(r.line.Kind), r.pattern[:at]+stars+r.pattern[at:])
	if stars != "" && len(r.rival) <= 90 {
		text += " # outweighs " + r.rival
	}
	l := readLine(0, text)
	l.Source = r.line.Source
	return l
}
