package verify

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"metarobots/internal/result"
)

// stratum names what a URL is like: what was decided and the first folder it lies in. Those that are noindex come
// first.
func stratum(d result.Decision, url string) string {
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
	type entry struct {
		index, turn int
		hash        uint64
	}
	entries := make([]entry, len(targets))
	for i := range targets {
		h := fnv.New64a()
		h.Write(binary.LittleEndian.AppendUint64(nil, seed))
		h.Write([]byte(targets[i].name))
		entries[i] = entry{i, 0, mix(h.Sum64())}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(targets[a.index].sort, targets[b.index].sort), cmp.Compare(a.hash, b.hash),
			cmp.Compare(a.index, b.index))
	})
	for i := range entries {
		if i > 0 && targets[entries[i].index].sort == targets[entries[i-1].index].sort {
			entries[i].turn = entries[i-1].turn + 1
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.turn, b.turn) })
	entries = entries[:n]
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.index, b.index) })
	chosen := make([]target, n)
	for i, e := range entries {
		chosen[i] = targets[e.index]
	}
	return chosen
}

// mix spreads a hash whose last bytes alone differ.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}
