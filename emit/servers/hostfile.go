package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// What a finished file says, ours and the owner's, as its host reads it. The model knows nothing of
// how [Format.Compile] came to the file, and [Format.Verify] proves the file by it. Its parts are
// hostfile_rules.go (lists of rules), hostfile_maps.go (nginx, Caddy) and hostfile_apache.go.

// A hostFile is a target's file as its host reads it.
type hostFile struct {
	// readings are the ways in which the host may compare paths: one, or as many as its documentation leaves open. A
	// file is right if it is so in each.
	readings []*reading
	// faults are what keeps the host from taking a file with rules of ours, or from using them.
	faults []policy.Finding
	// others is what rules of ours say of other hosts than the site's own; nil for none.
	others *otherHosts
}

// fault notes what keeps a file with rules of ours from being used.
func (f *hostFile) fault(id string, line int, format string, args ...any) {
	f.faults = append(f.faults, policy.Finding{ID: id, Severity: policy.Error, Line: line, Message: fmt.Sprintf(format,
		args...)})
}

// answer is what one response carries.
type answer struct {
	// sent are the lines of the response; none for no header.
	sent   []robotstag.Value
	line   int // of the rule that decided; 0 for none
	isOurs bool
	// beside says that a line of the user's is sent beside the others.
	isSum bool
	// elsewhere says that no file is served: the rule redirects.
	isRedirect bool
	// unread says that the rule that may have decided cannot be read.
	isUnread bool
}

// texts are the lines of the response.
func (a answer) texts() []string { return robotstag.Texts(a.sent) }

// sent is the answer of lines of ours.
func sent(line int, lines ...string) answer {
	a := answer{sent: values(line, lines...), line: line}
	a.isOurs = len(a.sent) > 0
	return a
}

// values are lines that one rule sends. Empty ones are not sent.
func values(line int, lines ...string) (sent []robotstag.Value) {
	for _, l := range lines {
		if l != "" {
			sent = append(sent, robotstag.Value{Text: l, Name: robotstag.Name, Line: line})
		}
	}
	return sent
}

// stated is what lines state together: in each a crawler's name governs to its end.
func stated(lines []string) map[string]policy.Directives {
	all := make(map[string]policy.Directives)
	for _, l := range lines {
		for crawler, d := range robotstag.Stated(l) {
			all[crawler] = policy.MostRestrictive(all[crawler], d)
		}
	}
	return all
}

// rule is one rule of a host's.
type rule struct {
	// answer is what it sends.
	answer answer
	// texts are the paths that a rule of ours names.
	paths []string
	// names are the alternatives of its expression, if each of them names a path, see [takes].
	alternatives []string
	// means is an expression for all that it matches; nil where there are texts.
	expression func(w comparison) string
	// silent: it matches and says nothing about the header, so that the response has the lines of always.
	isSilent bool
}

// reading is one way in which a host reads its file. The file of a web server has lines around ours,
// and lookUp; a list has rules.
type reading struct {
	comparison comparison
	// standard is what a response carries if no rule says anything: the default of a list, or what
	// the owner's lines before ours set in the file of a web server.
	standard answer
	// lookUp finds what rules of ours say, of a web server. joins says that the header may have several
	// lines (robotstag.Header.Join): what rules of ours say is sent beside the rest, and replaces nothing.
	lookUp     func(path string) answer
	addsOurs   bool
	rules      []rule
	ruleByPath map[string]int // the rule of each text of ours
	rulesByKey map[string][]namingRule
	wideRules  []wideRule // in the order of the rules
	// first says that the first rule that matches counts, not the last, and that one for an index holds for its folder.
	firstCounts bool
	// onlyRead says that rules that cannot be read match nothing.
	skipsUnread bool
	// sections are the owner's rules that Apache carries out after ours, in its order. apart are
	// those of "Header always": they set a header that is sent beside the one of all others.
	sections, apart []userRule
	// most is how many lines a response can have; 0 for any number.
	mostLines int
	// others is set where the reading is that at another host.
	others *otherHosts
	// last are the owner's lines for all files that Caddy carries out after ours and after those for
	// other hosts.
	last []userRule
}

// namingRule is a rule whose expression names paths, by its place among the rules, and one of the
// alternatives.
type namingRule struct {
	number      int
	alternative string
}

// wideRule is a rule that compares paths, by its place among the rules.
type wideRule struct {
	number  int
	matches func(path string) bool
}

// answer returns what the response for a decoded request path carries, in the order in which hosts
// carry out rules.
func (r *reading) answer(path string) answer {
	a := r.standard
	if r.lookUp != nil {
		a = a.withOurs(r.lookUp(path), r.addsOurs)
	}
	if at := r.find(path); at >= 0 {
		a = r.rules[at].answer
		if r.rules[at].isSilent {
			a.sent = values(a.line, r.standard.texts()...)
		}
	}
	a = a.then(r.sections, path)
	if apart := (answer{}).then(r.apart, path); len(apart.sent) > 0 {
		a.sent, a.isSum = slices.Concat(a.sent, apart.sent), true
	}
	if o := r.others; o != nil && o.replaces {
		a.sent, a.line, a.isOurs = o.sent, o.sent[0].Line, true
	} else if o != nil {
		a.sent, a.isSum = slices.Concat(a.sent, o.sent), true
	}
	return a.then(r.last, path)
}

// withOurs is an answer of lines that the owner's configuration sets, once what rules of ours say is
// set. joins is that of [reading].
func (a answer) withOurs(ours answer, joins bool) answer {
	switch {
	case !ours.isOurs:
		return a
	case joins || ours.isSum:
		a.sent, a.isOurs, a.isSum = slices.Concat(a.sent, ours.sent), true, ours.isSum
		return a
	default:
		return ours
	}
}

// then returns what the response carries once the host has carried out, one after the other, those
// of some rules of the owner's that match its path.
func (a answer) then(rules []userRule, path string) answer {
	for i := range rules {
		rule := &rules[i]
		if rule.matches != nil && !rule.matches(path) {
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

// find returns the place of the rule that counts; -1 without one.
func (r *reading) find(path string) int {
	at := -1
	if len(r.rules) == 0 {
		return at
	}
	if r.comparison.spell != nil {
		path = r.comparison.spell(path)
	}
	if r.comparison.ignoresCase {
		path = strings.ToLower(path)
	}
	paths := []string{path}
	if r.firstCounts && !strings.Contains(path, ".") {
		paths = append(paths, strings.TrimSuffix(path, "/")+"/index.html")
	}
	before := func(i int) bool { return at < 0 || (i < at) == r.firstCounts }
	for _, p := range paths {
		if i, ok := r.ruleByPath[p]; ok && before(i) {
			at = i
		}
		for _, n := range r.rulesByKey[keyOf(strings.TrimPrefix(p, "/"))] {
			if before(n.number) && takes(n.alternative, strings.TrimPrefix(p, "/")) {
				at = n.number
			}
		}
		for _, w := range r.wideRules {
			if before(w.number) && w.matches(p) && !(r.skipsUnread && r.rules[w.number].answer.isUnread) {
				at = w.number
			}
		}
	}
	return at
}
