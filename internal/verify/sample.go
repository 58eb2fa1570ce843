package verify

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/result"
)

// stratum names what a URL is like: what was decided and the first folder it lies in. The home page comes first, then
// those that are noindex.
func stratum(d result.Decision, url string) string {
	if url == "/" {
		return ""
	}
	rank := "1"
	if d.State() == result.Noindex {
		rank = "0"
	}
	section, _, below := strings.Cut(strings.TrimPrefix(url, "/"), "/")
	if !below {
		section = ""
	}
	return rank + "\x00" + d.String() + "\x00" + section
}

// sample chooses n targets, in their order; all with n = 0. It takes one of each stratum in turn, those that are
// noindex first, so that rare decisions and small sections are seen; within a stratum the seed chooses. The same seed
// gives the same choice, and what is chosen of n is also chosen of n+1.
func sample(targets []target, n int, seed uint64) []target {
	if n == 0 || n >= len(targets) {
		return targets
	}
	order, lot, turn := make([]int, len(targets)), make([]string, len(targets)), make([]int, len(targets))
	for i := range targets {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, targets[i].name))
		order[i], lot[i] = i, string(sum[:8])
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(lot[a], lot[b]) })
	taken := map[string]int{}
	for _, i := range order {
		turn[i] = taken[targets[i].sort]
		taken[targets[i].sort]++
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(turn[a], turn[b]), cmp.Compare(targets[a].sort, targets[b].sort))
	})
	chosen := make([]target, 0, n)
	for _, i := range slices.Sorted(slices.Values(order[:n])) {
		chosen = append(chosen, targets[i])
	}
	return chosen
}
