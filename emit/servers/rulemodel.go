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
func (h *ruleList) read(file []byte) (*File, error) {
	d, err := h.open(file)
	if err != nil {
		return nil, err
	}
	f := &File{serves: serving{slashless: true, clean: h.clean || member(d.holder, "cleanUrls") == true}}
	var rules []rule
	for i, written := range d.rules {
		value, line, says := d.robots(member(written, "headers"), d.place(i, "headers")...)
		if !says && !h.first || !asked(member(written, "methods")) {
			continue
		}
		r := rule{answer: answer{sent: values(line, value), line: line, ours: d.ours[i]}, silent: !says}
		at := d.line(d.place(i)...)
		if !says {
			r.line = at
		}
		if !r.ours {
			h.readUsers(f, &r, written, value, at)
		} else if err := h.readOurs(f, &r, scalar(member(written, h.keys[0]))); err != nil {
			return nil, fmt.Errorf("line %d: a rule of ours cannot be read: %w", at, err)
		}
		rules = append(rules, r)
	}
	if n, over := h.limit.over(file, len(d.rules)); over && slices.Contains(d.ours, true) {
		f.fault(robotstag.IDBudget, 0, "%d %s; %s takes %d", n, h.limit.unit, h.limit.host, h.limit.most)
	}
	f.readings = h.readings(rules, d)
	return f, nil
}

// asked reports whether a rule for methods is for one that crawlers use.
func asked(methods any) bool {
	return methods == nil || slices.ContainsFunc(elements(methods), func(v any) bool {
		return strings.EqualFold(scalar(v), "GET") || strings.EqualFold(scalar(v), "HEAD")
	})
}

// readOurs finds the paths that a rule of ours names. A pattern that says more is read as the host would.
func (h *ruleList) readOurs(f *File, r *rule, pattern string) error {
	switch {
	case h.head == "" && !strings.ContainsAny(pattern, h.special):
		r.texts = []string{pattern}
		if !h.first {
			r.texts[0] = "/" + strings.TrimPrefix(pattern, "/")
		}
		return nil
	case h.head == "" && pattern != h.everything && !h.first:
		return fmt.Errorf("nobody knows what %q matches", pattern)
	case h.head == "":
		r.means = func(w way) string { return w.expression(pattern, h.forms) }
		return nil
	case len(pattern) > expressionMost:
		f.fault(robotstag.IDBudget, 0, "an expression of %d characters; it may have %d", len(pattern), expressionMost)
	}
	if !strings.HasPrefix(pattern, strings.TrimSuffix(h.head, patternMark)) || !strings.HasSuffix(pattern, h.tail) {
		return errors.New("it is not as it was made")
	}
	if packed, ok := strings.CutPrefix(pattern, h.head); ok {
		r.texts = unpack(strings.TrimSuffix(packed, h.tail))
	}
	if r.texts != nil {
		return nil
	}
	r.means = func(way) string { return "^(?:" + pattern + ")$" }
	_, err := regexp.Compile(r.means(way{}))
	return err
}

// readUsers finds what a rule of the user's, at a line, matches, or says why that cannot be told.
func (h *ruleList) readUsers(f *File, r *rule, written any, value string, line int) {
	key := h.keys[0]
	for _, k := range slices.Backward(h.keys) {
		if member(written, k) != nil {
			key = k
		}
	}
	pattern, why := scalar(member(written, key)), ""
	if h.refuse != nil {
		why = h.refuse(written, pattern, value)
	}
	r.means = func(w way) string { return w.expression(pattern, h.forms) }
	read := slices.ContainsFunc(h.forms, func(f form) bool { return f.written.MatchString(pattern) })
	if key == "regex" {
		_, err := regexp.Compile(pattern)
		if read = err == nil; !read {
			pattern = "" // that matches anything
		}
		r.means = func(way) string { return pattern }
	}
	if !read && why == "" {
		why = h.unread
	}
	if h.first {
		r.pattern = pattern
	}
	r.elsewhere = scalar(member(written, "redirect")) != ""
	r.unread = why != ""
	if r.unread && !r.silent {
		f.leaveUnread(line, "rule", ", and "+why)
	}
}

// readings are those of the rules, one for each way.
func (h *ruleList) readings(rules []rule, d *document) (all []*reading) {
	var always answer
	if value, line, ok := d.robots(member(d.holder, "globalHeaders"), "globalHeaders"); ok && h.first {
		always = answer{sent: values(line, value), line: line}
	}
	exact := byText(rules, h.first, func(text string) string { return text })
	for _, w := range h.ways {
		r := &reading{way: w, rules: rules, exact: exact, first: h.first, always: always, most: 1}
		if w.fold {
			r.exact = byText(rules, h.first, strings.ToLower)
		}
		for at := range rules {
			if rules[at].means != nil {
				r.wide = append(r.wide, wideRule{at, regexp.MustCompile(rules[at].means(w)).MatchString})
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
		for _, t := range r.texts {
			if _, taken := exact[fold(t)]; !taken || !first {
				exact[fold(t)] = i
			}
		}
	}
	return exact
}
