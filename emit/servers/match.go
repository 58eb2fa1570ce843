package servers

import (
	"regexp"
	"slices"
)

// Match reads a pattern of the owner's, under the key of the file that holds it. matches reports
// whether it takes a decoded path in any of the ways in which the host may compare them. read is
// false if it may take others, or fewer.
func (f *Format) Match(key, pattern string) (matches func(path string) bool, read bool) {
	return f.match(key, pattern)
}

// match is [Format.Match] for a list of rules. matches takes what any way of comparing takes.
func (h *ruleList) match(key, pattern string) (matches func(path string) bool, read bool) {
	p := h.pattern(map[string]any{key: pattern})
	var expressions []*regexp.Regexp
	for i := range h.comparisons {
		expressions = append(expressions, regexp.MustCompile(p.expression(&h.comparisons[i])))
	}
	return func(path string) bool {
		for i := range h.comparisons {
			if slices.ContainsFunc(h.comparisons[i].names(path), expressions[i].MatchString) {
				return true
			}
		}
		return false
	}, p.isRead
}
