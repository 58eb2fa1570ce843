package servers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// read reads a file as the host does.
func (h *ruleList) read(file []byte, robots robotstag.Header) (*hostFile, error) {
	d, err := h.open(file)
	if err != nil {
		return nil, err
	}
	f, header := &hostFile{}, robots.Name
	var rules []rule
	for i, written := range d.rules {
		value, line, says := d.headerValue(header, member(written, "headers"), d.pathTo(i, "headers")...)
		if !says && !h.firstCounts || !asked(member(written, "methods")) {
			continue
		}
		if d.isOurs[i] && member(written, "missing") != nil {
			if f.others, err = h.readOtherHosts(written, line, value); err != nil {
				return nil, err
			}
			continue
		} else if f.others != nil {
			f.fault("header-mismatch", line, "this rule replaces what the rule for other hosts says before it")
		}
		r := rule{answer: answer{sent: values(line, value), line: line, isOurs: d.isOurs[i]}, isSilent: !says}
		at := d.line(d.pathTo(i)...)
		if !says {
			r.answer.line = at
		}
		if !r.answer.isOurs { // an owner's rule is read as ReadUser reads it
			_, means, read := h.pattern(written)
			read = read && (h.isVague == nil || !h.isVague(scalar(member(written, "source")), value)) &&
				(h.isConditional == nil || !h.isConditional(written))
			r.expression = func(w comparison) string { return means(&w) }
			r.answer.isUnread, r.answer.isRedirect = !read, scalar(member(written, "redirect")) != ""
		} else if err := h.readOurs(f, &r, scalar(member(written, h.keys[0]))); err != nil {
			return nil, fmt.Errorf("line %d: a rule of ours cannot be read: %w", at, err)
		}
		r.answer.isOurs = r.answer.isOurs && says
		rules = append(rules, r)
	}
	if n, over := countAgainst(h.limit, file, len(d.rules)); over && slices.Contains(d.isOurs, true) {
		f.fault("header-budget", 0, "%d %s; %s takes %d", n, h.limit.unit, h.limit.host, h.limit.most)
	}
	f.readings = h.readings(rules, d, header)
	return f, nil
}

// readOurs finds the paths that a rule of ours names. A pattern that says more is read as the host would.
func (h *ruleList) readOurs(f *hostFile, r *rule, pattern string) error {
	switch {
	case h.head == "" && !strings.ContainsAny(pattern, h.special):
		r.paths = []string{pattern}
		if !h.firstCounts {
			r.paths[0] = "/" + strings.TrimPrefix(pattern, "/")
		}
		return nil
	case h.head == "" && pattern != h.everything && !h.firstCounts:
		return fmt.Errorf("nobody knows what %q matches", pattern)
	case h.head == "":
		r.expression = func(w comparison) string { return w.expression(pattern, h.forms) }
		return nil
	case len(pattern) > expressionMost:
		f.fault("header-budget", 0, "an expression of %d characters; it may have %d", len(pattern), expressionMost)
	}
	if !strings.HasPrefix(pattern, strings.TrimSuffix(h.head, patternMark)) || !strings.HasSuffix(pattern, h.tail) {
		return errors.New("it is not as it was made")
	}
	inner, isMarked := strings.CutPrefix(strings.TrimSuffix(pattern, h.tail), h.head)
	if names, areNames := alternatives(inner); areNames && isMarked {
		r.alternatives = names
		return nil
	}
	r.expression = func(comparison) string { return "^(?:" + pattern + ")$" }
	_, err := regexp.Compile(r.expression(comparison{}))
	return err
}

// readings are those of the rules, one for each way.
func (h *ruleList) readings(rules []rule, d *document, header string) (all []*reading) {
	var standard answer
	if value, line, ok := d.headerValue(header, member(d.holder, "globalHeaders"), "globalHeaders"); ok && h.firstCounts {
		standard = answer{sent: values(line, value), line: line}
	}
	named := byName(rules)
	exact := byText(rules, h.firstCounts, func(text string) string { return text })
	for _, w := range h.comparisons {
		r := &reading{comparison: w, rules: rules, ruleByPath: exact, rulesByKey: named,
			firstCounts: h.firstCounts, standard: standard, mostLines: 1}
		if w.ignoresCase {
			r.ruleByPath = byText(rules, h.firstCounts, strings.ToLower)
		}
		for at := range rules {
			if rules[at].expression != nil {
				r.wideRules = append(r.wideRules, wideRule{at, regexp.MustCompile(rules[at].expression(w)).MatchString})
			}
		}
		all = append(all, r)
	}
	return all
}

// byText finds the rule that counts of those that name a path.
func byText(rules []rule, first bool, fold func(text string) string) map[string]int {
	exact := make(map[string]int)
	for i, r := range rules {
		for _, t := range r.paths {
			if _, taken := exact[fold(t)]; !taken || !first {
				exact[fold(t)] = i
			}
		}
	}
	return exact
}

// byName finds the rules whose alternatives may take a name, by what [keyOf] says of it.
func byName(rules []rule) map[string][]namingRule {
	named := make(map[string][]namingRule)
	for i, r := range rules {
		for _, alternative := range r.alternatives {
			key := keyOf(nameOf(alternative))
			named[key] = append(named[key], namingRule{i, alternative})
		}
	}
	return named
}

// about are the user's lines about the header.
func linesAbout(t *marks.Text, header robotstag.Header) (all []marks.Line) {
	for _, l := range t.Lines {
		if (&User{header: header.Name}).about(l) {
			all = append(all, l)
		}
	}
	return all
}

// over counts what a limit is of, and reports whether that is too much.
func countAgainst(l limit, file []byte, rules int) (n int, over bool) {
	if l.most == 0 {
		return 0, false
	}
	n = l.count(file, rules)
	return n, n > l.most
}
