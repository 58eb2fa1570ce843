package servers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// read reads a file as the host does.
func (h *ruleList) read(file []byte) (*model, error) {
	d, err := h.open(file)
	if err != nil {
		return nil, err
	}
	m := &model{serves: serving{slashless: true, clean: h.clean || d.holder.get("cleanUrls").is()}}
	var rules []rule
	for i, n := range d.rules {
		value, line, says := n.get("headers").robots()
		if !says && !h.first || !n.get("methods").ask() {
			continue
		}
		r := rule{answer: answer{sent: values(line, value), line: line, ours: d.ours[i]}, silent: !says}
		if d.ours[i] {
			err = h.readOurs(m, &r, n.get(h.keys[0]).text())
		} else {
			h.readUsers(m, &r, n, value)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: a rule of ours cannot be read: %w", n.line, err)
		}
		rules = append(rules, r)
	}
	if n, over := h.limit.over(file, len(d.rules)); over && slices.Contains(d.ours, true) {
		m.fault(robotstag.IDBudget, 0, "%d %s; %s takes %d", n, h.limit.unit, h.limit.host, h.limit.most)
	}
	m.readings = h.readings(rules, d.holder)
	return m, nil
}

// ask reports whether a rule for methods is for one that crawlers use.
func (n *node) ask() bool {
	return n == nil || slices.ContainsFunc(n.elements(), func(v *node) bool {
		return strings.EqualFold(v.text(), "GET") || strings.EqualFold(v.text(), "HEAD")
	})
}

// readOurs finds the paths that a rule of ours names. A pattern that says more is read as the host would.
func (h *ruleList) readOurs(m *model, r *rule, pattern string) error {
	if h.head == "" && !strings.ContainsAny(pattern, h.special) {
		r.texts = []string{"/" + strings.TrimPrefix(pattern, "/")}
		return nil
	}
	if h.head == "" {
		meaning := ""
		for _, w := range h.ways {
			e, ok := way{star: w.star}.expression(pattern, h.forms)
			if !ok || meaning != "" && e != meaning {
				return fmt.Errorf("nobody knows what %q matches", pattern)
			}
			meaning = e
		}
		return r.compile(h.ways, func(w way) (string, bool) { return w.expression(pattern, h.forms) })
	}
	if len(pattern) > expressionMost {
		m.fault(robotstag.IDBudget, 0, "an expression of %d characters; it may have %d", len(pattern), expressionMost)
	}
	packed, head := strings.CutPrefix(pattern, h.head)
	packed, tail := strings.CutSuffix(packed, h.tail)
	if !head || !tail {
		return errors.New("it is not as it was made")
	}
	var ok bool
	if r.texts, ok = unpack(packed); ok {
		return nil
	}
	return r.compile(h.ways, func(way) (string, bool) { return "^(?:" + pattern + ")$", true })
}

// readUsers finds what a rule of the user's matches, or says why that cannot be told.
func (h *ruleList) readUsers(m *model, r *rule, n *node, value string) {
	key := h.keys[0]
	for _, k := range slices.Backward(h.keys) {
		if n.get(k) != nil {
			key = k
		}
	}
	pattern, why := n.get(key).text(), ""
	if h.refuse != nil {
		why = h.refuse(n, pattern, value)
	}
	r.unread = why != ""
	if h.first {
		r.pattern = pattern
	}
	r.elsewhere = n.get("redirect").text() != ""
	err := r.compile(h.ways, func(w way) (string, bool) {
		if key == "regex" {
			return pattern, true
		}
		return w.expression(pattern, h.forms)
	})
	if err != nil {
		r.unread = true
		r.compile(h.ways, func(way) (string, bool) { return "", false })
	}
	if why == "" {
		why = h.unread
	}
	if r.silent {
		r.line = n.line
	} else if r.unread {
		m.leaveUnread(n.line, "rule", ", and "+why)
	}
}

// compile makes an expression for each way; one that is not read makes the rule so.
func (r *rule) compile(ways []way, expression func(w way) (e string, read bool)) error {
	r.patterns = nil
	for _, w := range ways {
		e, read := expression(w)
		compiled, err := regexp.Compile(e)
		if err != nil {
			return err
		}
		r.patterns = append(r.patterns, compiled)
		r.unread = r.unread || !read
	}
	return nil
}

// readings are those of the rules, one for each way.
func (h *ruleList) readings(rules []rule, holder *node) (all []*reading) {
	var always answer
	if value, line, ok := holder.get("globalHeaders").robots(); ok && h.first {
		always = answer{sent: values(line, value), line: line}
	}
	exact := byText(rules, h.first, false)
	for i, w := range h.ways {
		r := &reading{way: w, rules: rules, exact: exact, first: h.first, index: h.first, always: always, most: 1}
		if w.fold {
			r.exact = byText(rules, h.first, true)
		}
		for at := range rules {
			if len(rules[at].patterns) > 0 {
				r.wide = append(r.wide, wideRule{at, rules[at].patterns[i].MatchString})
			}
		}
		all = append(all, r)
	}
	return all
}

// byText finds the rule that counts of those that name a path.
func byText(rules []rule, first, fold bool) map[string]int {
	exact := make(map[string]int)
	for i, r := range rules {
		for _, t := range r.texts {
			if fold {
				t = strings.ToLower(t)
			}
			if _, taken := exact[t]; !taken || !first {
				exact[t] = i
			}
		}
	}
	return exact
}
