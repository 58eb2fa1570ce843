package headers

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"metarobots/emit/robotstag"
)

// What the compiler wrote, and said, before there were other headers (H6).
const (
	randomSitesHash = "6c2f0dcad5465afe56c740d1c1c0a22cf958ec2ec8b433cae95ca57968eaae03"
	bigSitesHash    = "8be93f7358c20733fb42e39cab3839c453da12c23654eff810d3770b0fdaca6d"
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
	big := sha256.New()
	for i, site := range bigSites {
		target := []string{TargetNetlify, TargetCloudflare, TargetPortable}[i%3]
		note(big, nil, site.wants(), robotstag.Options{Target: target})
	}
	if got := fmt.Sprintf("%x", big.Sum(nil)); got != bigSitesHash {
		t.Errorf("big sites: %s", got)
	}
}
