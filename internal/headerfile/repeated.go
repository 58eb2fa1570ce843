package headerfile

import (
	"fmt"

	"metarobots/policy"
)

// Repeated are findings that many files give rise to. Each is reported once, about the first file, with the number of
// the others.
type Repeated struct {
	findings []policy.Finding
	more     []int // files beside the first, of each finding
	at       map[string]int
}

// Add adds a finding. Those of one key are the same; one without a key is like no other.
func (r *Repeated) Add(key string, f policy.Finding) {
	if i, ok := r.at[key]; ok && key != "" {
		r.more[i]++
		return
	}
	if r.at == nil {
		r.at = map[string]int{}
	}
	r.at[key] = len(r.findings)
	r.findings, r.more = append(r.findings, f), append(r.more, 0)
}

// All returns the findings in the order in which they came up. more is a format for the number of further files.
func (r *Repeated) All(more string) []policy.Finding {
	for i, n := range r.more {
		if n > 0 {
			r.findings[i].Message += fmt.Sprintf(more, n)
		}
	}
	return r.findings
}
