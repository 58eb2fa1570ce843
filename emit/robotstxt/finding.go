package robotstxt

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// clip is a text for a message: of a long one, the beginning.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

type findings []policy.Finding

func (f *findings) add(id string, severity policy.Severity, line int, format string, args ...any) {
	*f = append(*f, policy.Finding{ID: id, Severity: severity, Line: line,
		Message: fmt.Sprintf(format, args...)})
}

func (f *findings) warn(id string, line int, format string, args ...any) {
	f.add(id, policy.Warning, line, format, args...)
}

// fail adds an error about what is no line.
func (f *findings) fail(id, format string, args ...any) {
	f.add(id, policy.Error, 0, format, args...)
}

// A cause is what is found about some crawlers: one finding, whose message is
//
//	Allow: / frees   Bingbot, Yandex   from the * group
//	textBefore       the crawlers      textBehind
type cause struct {
	finding    policy.Finding // its message is textBefore
	textBehind string
	crawlers   []string
}

// causes collects findings about crawlers, so that each cause is one finding that names them.
type causes []cause

// addFor adds a finding about some crawlers, whose names come between its message and textBehind.
// If there is one with the same text at the same line, that gets their names.
func (c *causes) addFor(f policy.Finding, textBehind string, crawlers ...string) {
	isSame := func(o cause) bool { return o.finding == f && o.textBehind == textBehind }
	i := slices.IndexFunc(*c, isSame)
	if i < 0 {
		i = len(*c)
		*c = append(*c, cause{finding: f, textBehind: textBehind})
	}
	same := &(*c)[i]
	for _, name := range crawlers {
		if !slices.Contains(same.crawlers, name) {
			same.crawlers = append(same.crawlers, name)
		}
	}
}

// findings are the collected ones, each with the names of its crawlers, in the order in which they
// came.
func (c causes) findings() (all []policy.Finding) {
	for _, one := range c {
		one.finding.Message += strings.Join(one.crawlers, ", ") + one.textBehind
		all = append(all, one.finding)
	}
	return all
}
