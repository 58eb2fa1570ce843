package headers

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"metarobots/emit/robotstag"
)

// What the compiler wrote, and said, before there were other headers (H6), but for three things. Where an environment's
// rule stands in the owner's block, what overrides it has another spelling of the name since. On Cloudflare it stands in
// rules of our own, and the owner's rules for other hosts keep what they say.
const (
	randomSitesHash = "51b7d27be64c91214037dd493486041134889a16043e5ac8b624dad6271918e8"
	bigSitesHash    = "8be93f7358c20733fb42e39cab3839c453da12c23654eff810d3770b0fdaca6d"
	fifthHash       = "55c47b6840dc5e0cbfe984bdb09d9e97c7aaab96772e45b35133be60fdff9283"
)

// With X-Robots-Tag alone the bytes are those of before.
func TestLaw_WithoutOtherHeadersTheBytesAreAsBefore(t *testing.T) {
	note := func(w io.Writer, user []byte, wants []robotstag.Want, o robotstag.Options) {
		res, err := compile(user, wants, o)
		fmt.Fprintf(w, "%s\n%q %q %d %d %d %v %v\n", res.File, res.GivenUp, res.Missed, res.Rules, res.Total, res.Limit,
			res.Findings, err)
	}
	random := sha256.New()
	for seed := range 1500 {
		s := randomSite(rand.New(rand.NewPCG(uint64(seed), 29)))
		note(random, s.user, s.wants, s.opt)
	}
	if got := fmt.Sprintf("%x", random.Sum(nil)); got != randomSitesHash {
		t.Errorf("random sites: %s", got)
	}
	if !allProofs { // a fifth of the files
		defer func(all int) { folders = all }(folders)
		folders = 25
	}
	big := sha256.New()
	for i, site := range bigSites {
		target := []string{TargetNetlify, TargetCloudflare, TargetPortable}[i%3]
		note(big, nil, site.wants(), robotstag.Options{Target: target})
	}
	if got := fmt.Sprintf("%x", big.Sum(nil)); got != map[bool]string{true: bigSitesHash, false: fifthHash}[allProofs] {
		t.Errorf("big sites: %s", got)
	}
}
