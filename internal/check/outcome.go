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

// Once merges findings that say the same about several published files, for reports and output: most
// often, a template is to blame. The first of them stays, names the URLs of two others and counts the
// rest; the order stays too. To say the same is to have the same ID, text and severity. Notes are merged
// if they have a file, published or not. Errors and warnings are merged if they are about the URL of a
// published file other than llms.txt. What is left is for the author of one file.
func Once(s *plan.Plan, findings []policy.Finding) (merged []policy.Finding) {
	published := strings.TrimSuffix(s.Project.Published("x"), "x") // what names of published files begin with
	type saying struct {
		id, text string
		severity policy.Severity
	}
	first, repeatedAt := map[saying]int{}, map[saying][]string{} // the index in merged; the URLs or files of the others
	for _, f := range findings {
		name, isPublished := strings.CutPrefix(f.File, published)
		mayBeOfTemplate := f.URL != "" && isPublished && !site.IsLLMs(name) // which authors write line by line
		mayRepeat := f.File != "" && (f.Severity == policy.Note || mayBeOfTemplate)
		if !mayRepeat {
			merged = append(merged, f)
			continue
		}
		says := saying{f.ID, f.Text(), f.Severity}
		if i, isRepeated := first[says]; isRepeated {
			if at := placeBeside(&merged[i], &f); at != "" {
				repeatedAt[says] = append(repeatedAt[says], at)
			}
			continue
		}
		first[says] = len(merged)
		merged = append(merged, f)
	}
	for says, urls := range repeatedAt {
		f := &merged[first[says]]
		f.URLs = max(f.URLs, 1) + len(urls) // how many it is about; 0 so far for one
		f.More += ". The same goes for " + strings.Join(urls[:min(2, len(urls))], ", ")
		if n := len(urls) - 2; n > 0 {
			f.More += fmt.Sprintf(" and %d more", n)
		}
	}
	return merged
}

// placeBeside is where a finding is that says the same as an earlier one: its URL or its file, or the
// line of the file that both are about. It is "" if they are at one place, as two languages of a
// documentation have one list of versions.
func placeBeside(earlier, f *policy.Finding) string {
	switch {
	case f.URL != earlier.URL:
		return cmp.Or(f.URL, f.File)
	case f.File != earlier.File:
		return f.File
	case f.Line != earlier.Line:
		return policy.Place(f.File, f.Line)
	}
	return ""
}
