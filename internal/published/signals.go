package published

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/policy"
)

// A Signal is a line of robots.txt, a header or a directive that says how AI may use a file, and that no vendor
// documents to obey.
type Signal struct {
	Text string `json:"text"`
	// File and Line are those of robots.txt or a file about AI, or of the rule for a header; empty for a tag.
	File string `json:"file"`
	Line int    `json:"line"`
}

// signalHeaders are those that say how content may be used.
var signalHeaders = []string{"Content-Usage", "Content-Signal", "TDM-Reservation", "TDM-Policy"}

// Signals are those that are published for a file, at any of the addresses that stand for it.
func Signals(s *plan.Plan, pg *plan.Page) (list []Signal) {
	if r := readRobots(s, pg); r != nil {
		for _, path := range asked(s, pg, r.File) {
			for _, l := range r.File.Signals(path) {
				signal := Signal{l.String(), r.Change.File, l.Number}
				if !slices.Contains(list, signal) {
					list = append(list, signal)
				}
			}
		}
	}
	for _, file := range s.AIFiles {
		if rule := denying(s, pg, file); rule != "" {
			list = append(list, Signal{file.Kind.Key() + ": " + rule, file.Change.File, 0})
		}
	}
	for _, l := range pg.Others {
		if !l.Lost && isSignal(l.Name, l.Value) {
			list = append(list, Signal{l.Name + ": " + l.Value, l.Origin.File, l.Origin.Line})
		}
	}
	if len(pg.Header())+len(pg.Carries) == 0 {
		return list
	}
	return append(list, directives(s.Project.Policy, header(s, pg), pg.Carries)...)
}

// directives are those of header lines and tags that are about AI.
func directives(p *policy.Policy, header []string, tags []policy.Tag) (list []Signal) {
	for _, st := range said(p, header, tags) {
		if d := st.Directives; !d.On("noai").IsZero() || !d.On("noimageai").IsZero() {
			list = append(list, Signal{Text: st.Origin.Key})
		}
	}
	return list
}

// EachUse calls do for what signals of the site's own robots.txt say of a page, at any of the addresses that stand for it.
func EachUse(s *plan.Plan, pg *plan.Page,
	do func(file string, u policy.Use, states policy.Preference, l robotstxt.Line)) {
	r := robotsOf(s, pg)
	if r == nil {
		return
	}
	for _, path := range asked(s, pg, r.File) {
		r.File.EachUse(path, r.Own, func(u policy.Use, states policy.Preference, l robotstxt.Line) {
			do(r.Change.File, u, states, l)
		})
	}
}

// denying is the first rule of a host's file about AI that denies anything of a published file; "" if
// none does at one of its addresses, or if the file is another host's.
func denying(s *plan.Plan, pg *plan.Page, file *plan.AIFile) (rule string) {
	if file.Host.Root != s.Project.HostOf(pg.File.Name).Root {
		return ""
	}
	denying := robotstxt.Denying(file.Kind, file.Rules)
	for _, at := range s.Addresses(pg) {
		if !at.Serves() {
			continue
		}
		rules := denying(at.Path)
		if len(rules) == 0 {
			return ""
		}
		rule = cmp.Or(rule, rules[0])
	}
	return rule
}

// isSignal reports whether a header says how content may be used, by itself or with a link to terms.
func isSignal(name, value string) bool {
	links, _ := robotstag.ParseLinks(value)
	return slices.ContainsFunc(signalHeaders, func(known string) bool { return strings.EqualFold(name, known) }) ||
		strings.EqualFold(name, robotstag.LinkName) &&
			slices.ContainsFunc(links, func(l robotstag.Link) bool { return l.Is("license") })
}

// Addressed reports whether anything about AI is stated for a file, or published.
func Addressed(s *plan.Plan, pg *plan.Page) bool {
	r := robotsOf(s, pg)
	return pg.File.Role.Policed() &&
		(!pg.Decision.AI.IsZero() || r != nil && r.File.SpeaksOfAI() || len(Signals(s, pg)) > 0)
}
