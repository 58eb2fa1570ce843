package headerfile

import (
	"fmt"

	"metarobots/policy"
)

// Repeated are findings that many files give rise to. Each is reported once, about the first file,
// with the number of the others.
type Repeated struct {
	findings []policy.Finding
	keys     []string       // of the findings
	times    map[string]int // by key
}

// Add adds a finding. Those of one key are the same; one without a key is like no other.
func (r *Repeated) Add(key string, f policy.Finding) {
	if r.times == nil {
		r.times = map[string]int{}
	}
	if r.times[key]++; key == "" || r.times[key] == 1 {
		r.findings, r.keys = append(r.findings, f), append(r.keys, key)
	}
}

// All returns the findings in the order in which they came up. more is a format for the number of
// further files.
func (r *Repeated) All(more string) []policy.Finding {
	for i, key := range r.keys {
		if n := r.times[key] - 1; key != "" && n > 0 {
			r.findings[i].More += fmt.Sprintf(more, n)
		}
	}
	return r.findings
}
