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

// A Signal is a line of robots.txt, a header or a directive that says how AI may use a file, and
// that no vendor documents to obey.
type Signal struct {
	Text string `json:"text"`
	// File and Line are those of robots.txt or a file about AI, or of the rule for a header; empty
	// for a tag.
	File string `json:"file"`
	Line int    `json:"line"`
}

// signalHeaders are those that say how content may be used.
var signalHeaders = []string{"Content-Usage", "Content-Signal", "TDM-Reservation", "TDM-Policy"}

// Signals are those that are published for a file, at any of the addresses that represent it.
func Signals(s *plan.Plan, pg *plan.Page) (list []Signal) {
	list = robotsSignals(s, pg)
	for _, file := range s.HostFiles.AI {
		if rule := firstDenyingRule(s, pg, file); rule != "" {
			list = append(list, Signal{Text: file.Kind.Key() + ": " + rule, File: file.Change.File})
		}
	}
	for _, l := range pg.Others {
		if !l.Lost && isSignal(l.Name, l.Value) {
			list = append(list, Signal{Text: l.Name + ": " + l.Value, File: l.Origin.File, Line: l.Origin.Line})
		}
	}
	if len(pg.Header())+len(pg.Carries) == 0 {
		return list
	}
	return append(list, directivesOnAI(s.Project.Policy, servedHeader(s, pg), pg.Carries)...)
}

// robotsSignals are those of the robots.txt that crawlers read for a file, each once.
func robotsSignals(s *plan.Plan, pg *plan.Page) (list []Signal) {
	robots := readRobots(s, pg)
	if robots == nil {
		return nil
	}
	for _, path := range pathsToAsk(s, pg, robots.File) {
		for _, l := range robots.File.Signals(path) {
			signal := Signal{Text: l.String(), File: robots.Change.File, Line: l.Number}
			if !slices.Contains(list, signal) {
				list = append(list, signal)
			}
		}
	}
	return list
}

// directivesOnAI are the header lines and tags that say something about AI (noai, noimageai).
func directivesOnAI(p *policy.Policy, header []string, tags []policy.Tag) (list []Signal) {
	isTagOnAI := func(tag policy.Tag) bool { return mayBeOnAI(tag.Content) }
	if !slices.ContainsFunc(header, mayBeOnAI) && !slices.ContainsFunc(tags, isTagOnAI) {
		return nil
	}
	for _, st := range statementsIn(p, header, tags) {
		if d := st.Directives; !d.On("noai").IsZero() || !d.On("noimageai").IsZero() {
			list = append(list, Signal{Text: st.Origin.Key})
		}
	}
	return list
}

// mayBeOnAI reports whether a text could say noai or noimageai. Hardly one does, so it is not worth
// reading that of every page.
func mayBeOnAI(text string) bool { return strings.Contains(strings.ToLower(text), "ai") }

// EachUse calls do for each signal about a page in the planned robots.txt, in a line that is not
// ours, at any of the addresses that represent the page, and for each use that the signal speaks
// of: the name of the file, the use, what the line l states of it. A line may come once for each
// address.
func EachUse(s *plan.Plan, pg *plan.Page,
	do func(file string, use policy.Use, states policy.Preference, l robotstxt.Line)) {
	robots := robotsOf(s, pg)
	if robots == nil {
		return
	}
	for _, path := range pathsToAsk(s, pg, robots.File) {
		robots.File.EachUse(path, robots.Own, func(use policy.Use, states policy.Preference, l robotstxt.Line) {
			do(robots.Change.File, use, states, l)
		})
	}
}

// firstDenyingRule is the first rule of a host's file about AI that denies anything of a published
// file. It is "" if one of the addresses at which the file is served has no such rule, since AI may
// use the file there; and if the host does not serve the file.
func firstDenyingRule(s *plan.Plan, pg *plan.Page, file *plan.AIFile) (first string) {
	if file.Host.Root != s.Project.HostOf(pg.File.Name).Root {
		return ""
	}
	rulesAt := robotstxt.Denying(file.Kind, file.Rules)
	for _, at := range s.Addresses(pg) {
		if !at.Serves() {
			continue
		}
		rules := rulesAt(at.Path)
		if len(rules) == 0 {
			return ""
		}
		first = cmp.Or(first, rules[0])
	}
	return first
}

// isSignal reports whether a header says how content may be used, by itself or by a link to a
// license.
func isSignal(name, value string) bool {
	if strings.EqualFold(name, robotstag.LinkName) {
		links, _ := robotstag.ParseLinks(value)
		return slices.ContainsFunc(links, func(l robotstag.Link) bool { return l.Is("license") })
	}
	return slices.ContainsFunc(signalHeaders, func(known string) bool { return strings.EqualFold(name, known) })
}

// Addressed reports whether anything about AI is stated for a file, or published for it.
func Addressed(s *plan.Plan, pg *plan.Page) bool {
	if !pg.File.Role.Policed() {
		return false
	}
	robots := robotsOf(s, pg)
	return !pg.Decision.AI.IsZero() || robots != nil && robots.File.SpeaksOfAI() || len(Signals(s, pg)) > 0
}
