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

// Run checks a site. Findings that the owner accepts ([robots] suppress) are left out. An entry
// there that accepts none is a finding itself, which nothing suppresses.
func Run(site *plan.Plan) *Outcome {
	accepted := site.Project.Config.Robots.Suppress
	o, isUsed := &Outcome{}, make([]bool, len(accepted))
	for _, f := range All(site) {
		isAccepted := false
		for i := range accepted {
			if accepted[i].Matches(&f) { // each entry that matches is used, and not the first alone
				isUsed[i], isAccepted = true, true
			}
		}
		if isAccepted {
			o.Suppressed++
		} else {
			o.Findings = append(o.Findings, f)
		}
	}
	for i, entry := range accepted {
		if !isUsed[i] {
			o.Findings = append(o.Findings, entry.Origin.Finding("suppress", policy.Warning,
				"there is no finding %s to suppress: take the entry out", entry.ID))
		}
	}
	return o
}

// Once merges findings that say the same about several published files, for reports and output:
// most often, a template is to blame. The first of them stays, names the URLs of two others and
// counts the rest; the order stays too. To say the same is to have the same ID, text and severity.
// Findings that are for the author of one file ([mayRepeat]) are not merged. The findings of the
// caller stay as they are; those that are returned are copies.
func Once(s *plan.Plan, findings []policy.Finding) (merged []policy.Finding) {
	publishFolder := strings.TrimSuffix(s.Project.Published("x"), "x") // such as "public/"
	type saying struct {
		id, text string
		severity policy.Severity
	}
	firstOf := map[saying]int{}  // the first that says so, by its index in merged
	others := map[int][]string{} // the places of those that are merged into it
	for _, f := range findings {
		if !mayRepeat(&f, publishFolder) {
			merged = append(merged, f)
			continue
		}
		says := saying{f.ID, f.Text(), f.Severity}
		first, isRepeated := firstOf[says]
		if !isRepeated {
			firstOf[says] = len(merged)
			merged = append(merged, f)
			continue
		}
		if at := placeBeside(&merged[first], &f); at != "" {
			others[first] = append(others[first], at)
		}
	}
	for first, places := range others {
		tellOthers(&merged[first], places)
	}
	return merged
}

// tellOthers adds to a finding where the others are that were merged into it: two of their places,
// and how many more there are.
func tellOthers(f *policy.Finding, places []string) {
	const named = 2
	f.URLs = max(f.URLs, 1) + len(places) // 0 in a finding that counts no URLs is about one
	f.More += ". The same goes for " + strings.Join(places[:min(named, len(places))], ", ")
	if n := len(places) - named; n > 0 {
		f.More += fmt.Sprintf(" and %d more", n)
	}
}

// mayRepeat reports whether [Once] merges a finding with others that say the same: a note, if it
// has a file, published or not; an error or a warning, if it is about the URL of a published file.
// llms.txt is no such file, because an author writes it line by line. publishFolder is what the
// names of published files begin with in findings.
func mayRepeat(f *policy.Finding, publishFolder string) bool {
	name, isPublished := strings.CutPrefix(f.File, publishFolder)
	mayBeOfTemplate := f.URL != "" && isPublished && !site.IsLLMs(name)
	return f.File != "" && (f.Severity == policy.Note || mayBeOfTemplate)
}

// placeBeside is where a finding is that says the same as an earlier one: its URL or its file, or
// the line of the file that both are about. It is "" if they are at one place, as two languages of
// a documentation have one list of versions.
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
