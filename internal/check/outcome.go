package check

import (
	"cmp"
	"fmt"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/policy"
)

// An Outcome is what the checks say of a site.
type Outcome struct {
	// Findings are all but those that the owner accepts.
	Findings []policy.Finding
	// Suppressed is how many the owner accepts.
	Suppressed int
}

// Run checks a site. Findings that the owner accepts are left out last; an entry that takes none
// out is one itself.
func Run(site *plan.Plan) *Outcome {
	accepted := site.Project.Config.Robots.Suppress
	o, used := &Outcome{}, make([]bool, len(accepted))
	for _, f := range All(site) {
		matched := false
		for i := range accepted {
			if accepted[i].Matches(&f) {
				used[i], matched = true, true
			}
		}
		if matched {
			o.Suppressed++
		} else {
			o.Findings = append(o.Findings, f)
		}
	}
	for i, s := range accepted {
		if !used[i] {
			o.Findings = append(o.Findings, s.Origin.Finding("suppress", policy.Warning,
				"there is no finding %s to suppress: take the entry out", s.ID))
		}
	}
	return o
}

// Once makes one finding of those that say the same about several published files: most often, a
// template is to blame. It is about the first of them and names two more. What is wrong in an
// author's file stays with that file, unless it is a note, and so do errors and warnings about a line of
// llms.txt.
func Once(s *plan.Plan, findings []policy.Finding) (merged []policy.Finding) {
	published := strings.TrimSuffix(s.Project.Published("x"), "x") // what names of published files begin with
	type said struct {
		id, message string
		severity    policy.Severity
	}
	first, urls := map[said]int{}, map[said][]string{}
	for _, f := range findings {
		what := said{f.ID, f.Text(), f.Severity}
		name, generated := strings.CutPrefix(f.File, published)
		repeats := f.File != "" && (f.Severity == policy.Note || f.URL != "" && generated && !site.IsLLMs(name))
		if _, again := first[what]; again && repeats {
			urls[what] = append(urls[what], cmp.Or(f.URL, f.File))
			continue
		}
		if repeats {
			first[what] = len(merged)
		}
		merged = append(merged, f)
	}
	for what, more := range urls {
		f := &merged[first[what]]
		f.URLs = max(f.URLs, 1) + len(more) // how many it is about
		f.More += ". The same goes for " + strings.Join(more[:min(2, len(more))], ", ")
		if n := len(more) - 2; n > 0 {
			f.More += fmt.Sprintf(" and %d more", n)
		}
	}
	return merged
}
