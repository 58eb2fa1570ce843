package robotstxt

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// Checks of groups and their names, which [File.Check] calls.

// checkAgents reports each fault of a User-agent line once, with a count: such lines are many where
// they are copied. It passes over the names of the owner's lists.
func checkAgents(lines []Line, listedNames map[string]bool, all *findings) {
	faults := map[string][]Line{}
	for _, l := range lines {
		if l.Kind == Agent && !listedNames[strings.ToLower(l.Value)] {
			fault := agentFault(l.Value)
			faults[fault] = append(faults[fault], l)
		}
	}
	delete(faults, "")
	for fault, lines := range faults {
		message := fmt.Sprintf(fault, clip(lines[0].Value), tokenOf(lines[0].Value))
		if more := len(lines) - 1; more > 0 {
			message += " (" + MoreLines(more) + ")"
		}
		all.warn("robotstxt-agent", lines[0].Number, "%s", message)
	}
}

// agentFault returns what is wrong with the value of a User-agent line, as a format of the value
// and its token, or "".
func agentFault(value string) string {
	switch token := tokenOf(value); {
	case value == "":
		return "User-agent names no crawler%.0s%.0s"
	case token != star && productToken(token) == "":
		return "%q begins with no letter, so by RFC 9309 it names no crawler%.0s"
	case token == star && value != star:
		return "%q is read as %s"
	case token != star && !strings.EqualFold(token, value):
		return "%q is read up to the first character that is no letter, hyphen or underscore: %s"
	}
	return ""
}

// leavesAnother reports whether the group of a token takes its crawler out of another group, which
// the crawler would obey without it: that of * as a rule. A few crawlers obey no other group
// ([nextGroup]). Of a standalone group it reports false: its owner says that this is meant.
func leavesAnother(token string, standalone map[string]bool) bool {
	return token != star && nextGroup(token) != "" && !standalone[tokenOf(token)]
}

// denialsOfStar are the Disallows of the * group that deny something, by one sample path of each:
// not those that an Allow outweighs there.
func (f *File) denialsOfStar() []rule {
	deniesNothing := func(r rule) bool {
		return r.isAllow || r.pattern == "" || f.Ask(star, samplePath(&r)).Allowed
	}
	return slices.DeleteFunc(slices.Clone(f.sets[star].rules), deniesNothing)
}

// checkStar warns of groups that do without rules of the * group and do not seem to mean it: they
// neither block nor allow everything and say nothing of a path that * disallows. One such rule of *
// is named for each group. standalone is [Place.Standalone]; what else is no fault, leavesAnother
// says.
//
//	User-agent: *             User-agent: Bingbot
//	Disallow: /private/       Disallow: /x/          Bingbot may fetch /private/
func (f *File) checkStar(standalone map[string]bool, all *findings) {
	if f.sets[star] == nil { // without that group a group of its own voids nothing
		return
	}
	denials := f.denialsOfStar()
	for _, token := range f.tokens {
		if !leavesAnother(token, standalone) || f.sets[token].isTotal() {
			continue
		}
		isVoided := func(denial rule) bool {
			rulesOfGroup := f.Ask(token, samplePath(&denial)).Line > 0 // one of them decides there
			return !rulesOfGroup
		}
		i := slices.IndexFunc(denials, isVoided)
		if i < 0 { // its group says something of each
			continue
		}
		voided := denials[i].line
		all.warn("robotstxt-group-voids-star", f.named[token].line.Number,
			"%s has a group of its own, so nothing of the * group holds for it: line %d, %s, "+
				"does not; repeat it in the group if it is meant to",
			f.spelled(token)[0], voided.Number, clip(voided.String()))
	}
}

// checkFreed notes groups that allow everything while the * group disallows something:
//
//	User-agent: *             User-agent: Bingbot
//	Disallow: /private/       Allow: /               Bingbot may fetch /private/ now
//
// People write them to say that a crawler is welcome, and free it from every rule of *. The note is
// at the Allow, one for all crawlers of the group, and names one Disallow from which it frees them:
//
//	Allow: / frees Bingbot, Yandex from the * group, line 2, Disallow: /private/: a crawler …
//
// There is no note if * disallows everything: then freeing a crawler is meant. A group that has an
// empty Disallow, the old form of "everything", and no such Allow means it too. standalone is
// [Place.Standalone]; what else is no fault, leavesAnother says.
func (f *File) checkFreed(standalone map[string]bool, all *findings) {
	if common := f.sets[star]; common == nil || common.isShut() {
		return
	}
	denials := f.denialsOfStar()
	var found causes // several crawlers of one group are one finding
	questionsLeft := maxQuestions
	for _, token := range f.tokens {
		allow := f.sets[token].allowOfAll()
		if allow == nil || !leavesAnother(token, standalone) {
			continue
		}
		isFreedFrom := func(denial rule) bool {
			questionsLeft--
			return questionsLeft > 0 && f.Ask(token, samplePath(&denial)).Allowed
		}
		i := slices.IndexFunc(denials, isFreedFrom)
		if i < 0 { // its group denies what * does
			continue
		}
		denial := denials[i].line
		behindNames := fmt.Sprintf(" from the * group, line %d, %s: a crawler obeys one group "+
			"alone; without a group of its own it may fetch the rest as well",
			denial.Number, clip(denial.String()))
		found.addFor(policy.Finding{ID: "robotstxt-group-voids-star", Severity: policy.Note,
			Line: allow.line.Number, Message: clip(allow.line.String()) + " frees "},
			behindNames, f.spelled(token)...)
	}
	*all = append(*all, found.findings()...)
}

// maxQuestions is how many paths [File.checkFreed] asks about: no owner's file needs as many, and a
// hostile one gets no further notes.
const maxQuestions = 100_000

// allowOfAll returns the first rule that allows every path, by a pattern: nil if there is none.
func (s *ruleset) allowOfAll() *rule {
	allowsAll := func(r rule) bool { return r.isAllow && r.matchesEverything() }
	if i := slices.IndexFunc(s.rules, allowsAll); i >= 0 {
		return &s.rules[i]
	}
	return nil
}

// isTotal reports whether a group says of everything that it may, or may not, be fetched.
func (s *ruleset) isTotal() bool {
	return slices.ContainsFunc(s.rules, func(r rule) bool {
		return r.pattern == "" || r.matchesEverything()
	})
}

// checkFormer reports groups of names that their operators do not document any more, where one of
// today's has none.
func (f *File) checkFormer(all *findings) {
	former := map[string][]*policy.FormerCrawler{} // by operator
	var operators []string                         // in the order of the file
	isMissing := func(name string) bool { return f.sets[strings.ToLower(name)] == nil }
	for _, token := range f.tokens {
		c := policy.LookupFormer(token)
		if c == nil {
			continue
		}
		today := c.Documented() // nil if the operator documents no name
		hasAllOfToday := today != nil && !slices.ContainsFunc(today, isMissing)
		if hasAllOfToday {
			continue
		}
		if former[c.Operator] == nil {
			operators = append(operators, c.Operator)
		}
		former[c.Operator] = append(former[c.Operator], c)
	}
	for _, operator := range operators {
		list := former[operator]
		first := f.named[strings.ToLower(list[0].Token)].line
		all.add("robotstxt-former-crawler", policy.Note, first.Number, "%s", formerText(list))
	}
}

// formerText says of names of one operator that it does not document them any more, and what it
// documents.
func formerText(list []*policy.FormerCrawler) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Token)
	}
	operator := list[0].Operator
	text := fmt.Sprintf("%s does not document %s any more, nor that any crawler obeys such a group",
		operator,
		strings.Join(names, " and "))
	if today := list[0].Documented(); today != nil {
		return text + "; today it documents " + strings.Join(today, ", ")
	}
	return text + ", and documents no other name"
}
