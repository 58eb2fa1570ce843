package servers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// read reads a file as the host does. It fails if a rule of ours is not as it was made.
func (h *ruleList) read(file []byte, robots robotstag.Header) (*hostFile, error) {
	d, err := h.open(file)
	if err != nil {
		return nil, err
	}
	f := &hostFile{}
	if f.redirect, err = h.readRedirect(d); err != nil {
		return nil, err
	}
	var rules []rule
	for i := range d.rules {
		r, isRule, err := h.readRule(f, d, i, robots.Name)
		if err != nil {
			return nil, err
		} else if isRule {
			rules = append(rules, r)
		}
	}
	hasOurs := slices.Contains(d.isOurs, true)
	if n, isOver := h.limit.exceeds(file, len(d.rules)); isOver && hasOurs {
		f.addFault("header-budget", 0, "%d %s; %s takes %d", n, h.limit.unit, h.limit.host, h.limit.most)
	}
	f.readings = h.readings(rules, d, robots.Name)
	return f, nil
}

// readRule reads the rule of a number, ours or the owner's, for a header. isRule is false if it
// makes no difference to the header, and for our rule for other hosts, which goes to f.others. It
// fails if a rule of ours is not as it was made. f also gets the faults that keep the host from
// using a rule.
func (h *ruleList) readRule(f *hostFile, d *document, number int, header string) (
	r rule, isRule bool, err error) {
	written := d.rules[number]
	// value is "" and line 0 if the rule does not name the header.
	headers, path := member(written, "headers"), d.pathTo(number, "headers")
	value, line, namesHeader := d.headerValue(header, headers, path...)
	if !h.makesDifference(written, namesHeader) {
		return rule{}, false, nil
	}
	isOurs := d.isOurs[number]
	isForOthers := isOurs && member(written, "missing") != nil // Vercel's condition on the host
	if isForOthers {
		f.others, err = h.readOtherHosts(written, line, value)
		return rule{}, false, err
	}
	if f.others != nil {
		// On Vercel the last rule that names the header counts: this one, at other hosts too.
		f.addFault("header-mismatch", line,
			"this rule replaces what the rule for other hosts says before it")
	}
	lineOfRule := d.lineOf(d.pathTo(number)...)
	if !namesHeader { // it takes paths from the rules behind it, and is known by its own line
		line = lineOfRule
	}
	// A silent rule sends nothing here: reading.answer adds the standard lines.
	r = rule{isSilent: !namesHeader,
		answer: answer{sent: valuesSent(line, value), line: line, isOurs: isOurs && namesHeader}}
	if !isOurs {
		h.readOwners(&r, written, value)
	} else if err := h.readOurs(f, &r, scalar(member(written, h.ourKey()))); err != nil {
		return rule{}, false, fmt.Errorf("line %d: a rule of ours cannot be read: %w", lineOfRule, err)
	}
	return r, true, nil
}

// readOwners sets in a rule which paths it takes, and whether it is read and redirects. The rule is
// of the owner's, and is read as [ruleList.readUser] does.
func (h *ruleList) readOwners(r *rule, written any, value string) {
	p := h.pattern(written)
	isVague, isConditional := h.owners.doubts(written, p.text, value)
	r.expression = func(w comparison) string { return p.expression(&w) }
	r.answer.isUnread = !p.isRead || isVague || isConditional
	r.answer.isRedirect = isRedirect(written)
}

// readOurs sets in a rule of ours which paths it takes: those that its pattern names, or, if that
// says more, what the host takes by it. It fails if the pattern is none that we write.
func (h *ruleList) readOurs(f *hostFile, r *rule, pattern string) error {
	if h.ours.nameOnePath() {
		return h.readOurPath(r, pattern)
	}
	if len(pattern) > expressionMost {
		f.addFault("header-budget", 0, "an expression of %d characters; it may have %d",
			len(pattern), expressionMost)
	}
	inner, isMarked, isOurs := h.ours.inner(pattern)
	if !isOurs {
		return errors.New("it is not as it was made")
	}
	if names, areNames := alternatives(inner); areNames && isMarked {
		r.alternatives = names
		return nil
	}
	r.expression = func(comparison) string { return "^(?:" + pattern + ")$" }
	_, err := regexp.Compile(r.expression(comparison{}))
	return err
}

// readOurPath is [ruleList.readOurs] on a host whose rules name one path each.
func (h *ruleList) readOurPath(r *rule, pattern string) error {
	switch isPath := !strings.ContainsAny(pattern, h.ours.special); {
	case isPath && h.firstCounts:
		r.paths = []string{pattern}
	case isPath:
		r.paths = []string{"/" + strings.TrimPrefix(pattern, "/")}
	case pattern != h.ours.everything && !h.firstCounts:
		return fmt.Errorf("nobody knows what %q matches", pattern)
	default:
		r.expression = func(w comparison) string { return w.expression(pattern, h.owners.forms) }
	}
	return nil
}

// readings are those of the rules, one for each way in which the host may compare paths.
func (h *ruleList) readings(rules []rule, d *document, header string) (all []*reading) {
	var standard answer
	value, line, isStated := d.headerValue(header, member(d.holder, "globalHeaders"), "globalHeaders")
	if isStated && h.firstCounts {
		standard = answer{sent: valuesSent(line, value), line: line}
	}
	byKey := rulesByKey(rules)
	asWritten := func(path string) string { return path }
	byPath := h.ruleByPath(rules, asWritten)
	for _, w := range h.comparisons {
		r := &reading{comparison: w, rules: rules, ruleByPath: byPath, rulesByKey: byKey,
			firstCounts: h.firstCounts, standard: standard, mostLines: 1}
		if w.ignoresCase {
			r.ruleByPath = h.ruleByPath(rules, strings.ToLower)
		}
		for number := range rules {
			if expression := rules[number].expression; expression != nil {
				r.wideRules.add(number, newMatcher(expression(w)))
			}
		}
		all = append(all, r)
	}
	return all
}

// ruleByPath finds, of the rules that name a path, the number of the one that counts. spell is how
// the host compares paths.
func (h *ruleList) ruleByPath(rules []rule, spell func(path string) string) map[string]int {
	numbers := make(map[string]int)
	for number, r := range rules {
		for _, path := range r.paths {
			if _, isNamed := numbers[spell(path)]; !isNamed || !h.firstCounts {
				numbers[spell(path)] = number
			}
		}
	}
	return numbers
}

// rulesByKey finds the rules whose alternatives may take a name, by what [lookupKey] says of it.
func rulesByKey(rules []rule) map[string][]namingRule {
	byKey := make(map[string][]namingRule)
	for number, r := range rules {
		for _, alternative := range r.alternatives {
			key := lookupKey(nameOf(alternative))
			byKey[key] = append(byKey[key], namingRule{number, alternative})
		}
	}
	return byKey
}
