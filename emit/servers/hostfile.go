package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// This file and those named hostfile_….go are the model of the hosts: it reads a finished file,
// ours and the owner's, as its host does, and answers what the host sends for a path. It knows
// nothing of how [Format.Compile] came to the file, so [Format.Verify] proves the file by it. Lists
// of rules are read in hostfile_rules.go, nginx's and Caddy's maps in hostfile_maps.go, .htaccess
// in hostfile_apache.go.

// A hostFile is a finished file as its host reads it.
type hostFile struct {
	// readings are the ways in which the host may compare paths: one, or as many as its
	// documentation leaves open. A file is right if it is so in each.
	readings []*reading
	// faults are what keeps the host from taking a file with rules of ours, or from using them.
	faults []policy.Finding
	// others is what rules of ours say of other hosts than the site's own; nil for none.
	others *otherHosts
	// redirect is where a rule of ours sends other hosts; nil for none.
	redirect *homeRedirect
}

// addFault notes what keeps the host from taking the file, or from using our rules.
func (f *hostFile) addFault(id string, line int, format string, args ...any) {
	f.faults = append(f.faults, policy.Finding{ID: id, Severity: policy.Error, Line: line, Message: fmt.Sprintf(format,
		args...)})
}

// answer is what one response carries of the header.
type answer struct {
	// sent are the lines of the response; none for no header.
	sent   []robotstag.Value
	line   int  // of the rule that decided; 0 for none
	isOurs bool // a rule of ours has sent some of the lines
	// isSum says that the lines come from several rules, ours or the owner's, so that what they
	// state together counts, and not their text.
	isSum bool
	// isRedirect says that no file is served: the rule redirects.
	isRedirect bool
	// isUnread says that the rule that may have decided cannot be read.
	isUnread bool
}

// texts are the lines of the response.
func (a answer) texts() []string { return robotstag.Texts(a.sent) }

// answerOf returns the answer with these lines of ours. Without one that is not empty, nothing is
// ours.
func answerOf(line int, lines ...string) answer {
	a := answer{sent: valuesSent(line, lines...), line: line}
	a.isOurs = len(a.sent) > 0
	return a
}

// valuesSent are lines that one rule sends of the header, without those that are empty. The proof
// compares their texts alone: their name is that of X-Robots-Tag even if they are another header's.
func valuesSent(line int, lines ...string) (sent []robotstag.Value) {
	for _, l := range lines {
		if l != "" {
			sent = append(sent, robotstag.Value{Text: l, Name: robotstag.Name, Line: line})
		}
	}
	return sent
}

// toldByCrawler is what lines together tell each crawler, and under "" for everyone: in each
// line a crawler's name governs to its end.
func toldByCrawler(lines []string) map[string]policy.Directives {
	all := make(map[string]policy.Directives)
	for _, l := range lines {
		for crawler, d := range robotstag.Told(l) {
			all[crawler] = policy.MostRestrictive(all[crawler], d)
		}
	}
	return all
}

// rule is one rule of a list, ours or the owner's.
type rule struct {
	// answer is what it sends.
	answer answer
	// isSilent says that it takes paths and says nothing about the header, so that the response has
	// the standard lines.
	isSilent bool
	// A rule takes paths in one of three ways: paths are those that a rule of ours names;
	// alternatives are those of its expression, if each names a path (hostfile_paths.go);
	// expression is for all that it takes, by the way in which the host compares paths.
	paths        []string
	alternatives []string
	expression   func(w comparison) string
}

// reading is one way in which a host reads its file. The file of a web server has lookUp, and rules
// of the owner's before and after it; a list has rules.
type reading struct {
	comparison comparison
	// standard is what a response carries if no rule says anything: the default of a list, or what
	// the owner's lines before ours set in the file of a web server.
	standard answer
	// mostLines is how many lines a response can have; 0 for any number.
	mostLines int
	// others is set if the reading is that at another host.
	others *otherHosts

	// Of a web server: lookUp returns what rules of ours say for a path. addsOurs says that it is
	// sent beside the standard lines, because the header is a list ([robotstag.Header.Join]).
	lookUp   func(path string) answer
	addsOurs bool
	// sections are the owner's rules that Apache carries out after ours, in its order. apart are
	// those of "Header always": they set a header that is sent beside the one of all others.
	sections, apart []userRule
	// last are the owner's lines for all files that Caddy carries out after ours and after those
	// for other hosts.
	last []userRule

	// Of a list: the rules, and by what each of them is found.
	rules      []rule
	ruleByPath map[string]int          // the number of the rule that counts of those that name a path
	rulesByKey map[string][]namingRule // those with an alternative for a name, by its [lookupKey]
	wideRules  patternIndex            // those with an expression
	// firstCounts says that the first rule that takes a path counts, not the last, and that a rule
	// for an index takes its folder.
	firstCounts bool
	// skipsUnread says that rules that cannot be read take nothing.
	skipsUnread bool
}

// namingRule is one alternative of a rule whose expression names paths, with the rule's number.
type namingRule struct {
	number      int
	alternative string
}

// answer returns what the response for a decoded request path carries. It carries out rules in the
// order of the hosts: each host has some of the steps.
func (r *reading) answer(path string) answer {
	a := r.standard
	if r.lookUp != nil {
		a = a.withOurs(r.lookUp(path), r.addsOurs)
	}
	if number := r.findRule(path); number != noRule {
		a = r.rules[number].answer
		if r.rules[number].isSilent {
			a.sent = valuesSent(a.line, r.standard.texts()...)
		}
	}
	a = a.afterRules(r.sections, path)
	if apart := (answer{}).afterRules(r.apart, path); len(apart.sent) > 0 {
		a.sent, a.isSum = slices.Concat(a.sent, apart.sent), true
	}
	if o := r.others; o != nil && o.replaces {
		a.sent, a.line, a.isOurs = o.sent, o.sent[0].Line, true
	} else if o != nil {
		a.sent, a.isSum = slices.Concat(a.sent, o.sent), true
	}
	return a.afterRules(r.last, path)
}

// withOurs returns what the response carries once the host has carried out rules of ours. addsOurs
// is that of [reading].
func (a answer) withOurs(ours answer, addsOurs bool) answer {
	switch {
	case !ours.isOurs:
		return a
	case addsOurs || ours.isSum:
		a.sent, a.isOurs, a.isSum = slices.Concat(a.sent, ours.sent), true, ours.isSum
		return a
	default:
		return ours
	}
}

// afterRules returns what the response carries once the host has carried out, one after the other,
// those of some rules of the owner's that match its path.
func (a answer) afterRules(rules []userRule, path string) answer {
	for i := range rules {
		rule := &rules[i]
		if !rule.paths.takes(path) {
			continue
		}
		switch {
		case rule.effect == replaces:
			a = answer{sent: []robotstag.Value{rule.sends}, line: rule.sends.Line}
		case rule.effect == joins && len(a.sent) > 0:
			a.sent, a.isSum = slices.Clone(a.sent), true
			a.sent[0].Text += ", " + rule.sends.Text
		default:
			a.sent, a.isSum = append(slices.Clip(a.sent), rule.sends), true
		}
	}
	return a
}

// noRule is the number of a rule that is not there.
const noRule = -1

// findRule returns the number of the rule of a list that counts for a decoded request path: the
// first or the last of those that take it, as the host does (firstCounts). It is noRule if none
// takes the path, and in the file of a web server, which has no list.
func (r *reading) findRule(path string) int {
	found := noRule
	if len(r.rules) == 0 {
		return found
	}
	for _, name := range r.namesOf(path) {
		for _, number := range r.rulesTaking(name) {
			isEarlier := number < found
			if found == noRule || isEarlier == r.firstCounts {
				found = number
			}
		}
	}
	return found
}

// rulesTaking are the numbers of the rules that take a name, in no order. A rule is found by what
// it has ([rule]): one path, alternatives that name paths, or an expression. Of the rules that name
// a path, ruleByPath has only the one that counts.
func (r *reading) rulesTaking(name string) (numbers []int) {
	if number, isNamed := r.ruleByPath[name]; isNamed {
		numbers = append(numbers, number)
	}
	withoutSlash := strings.TrimPrefix(name, "/") // as alternatives have it
	for _, rule := range r.rulesByKey[lookupKey(withoutSlash)] {
		if alternativeTakes(rule.alternative, withoutSlash) {
			numbers = append(numbers, rule.number)
		}
	}
	for _, number := range r.wideRules.find(name) {
		// The rules that name paths are ours, and so are read.
		if isSkipped := r.skipsUnread && r.rules[number].answer.isUnread; !isSkipped {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// namesOf are the texts by which the host compares a path with its rules.
func (r *reading) namesOf(path string) []string {
	if r.comparison.spell != nil {
		path = r.comparison.spell(path)
	}
	if r.comparison.ignoresCase {
		path = strings.ToLower(path)
	}
	mayBeFolder := !strings.Contains(path, ".")
	if r.firstCounts && mayBeFolder {
		return []string{path, strings.TrimSuffix(path, "/") + "/index.html"}
	}
	return []string{path}
}
