package check

import (
	"cmp"
	"fmt"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Once says once what is true of several published files, in the same words: most often, a template is to blame. It
// stands at the first of them and names two more. What is wrong in an author's file stays with that file, unless it is
// a note, and so does what is wrong in a line of llms.txt.
func Once(s *plan.Plan, findings []policy.Finding) (merged []policy.Finding) {
	published := strings.TrimSuffix(s.Project.Published("x"), "x")
	type said struct {
		id, message string
		severity    policy.Severity
	}
	first, urls := map[said]int{}, map[said][]string{}
	for _, f := range findings {
		what := said{f.ID, f.Message, f.Severity}
		name, generated := strings.CutPrefix(f.File, published)
		if f.File == "" || f.Severity != policy.Note && (f.URL == "" || !generated || site.IsLLMs(name)) {
			merged = append(merged, f)
			continue
		}
		if _, again := first[what]; !again {
			first[what] = len(merged)
			merged = append(merged, f)
		} else {
			urls[what] = append(urls[what], cmp.Or(f.URL, f.File))
		}
	}
	for what, more := range urls {
		f := &merged[first[what]]
		f.Message += ". The same goes for " + strings.Join(more[:min(2, len(more))], ", ")
		if n := len(more) - 2; n > 0 {
			f.Message += fmt.Sprintf(" and %d more", n)
		}
	}
	return merged
}
