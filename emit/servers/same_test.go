package servers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"

	"metarobots/emit/robotstag"
)

// sameBytes are of the files that each host got before other headers could be written.
var sameBytes = map[string]string{
	"apache": "cbc94b45c12334e4", "nginx": "9617b6e1614b881f", "caddy": "f7dbcd44fdb8f4bd",
	"vercel": "a311e5d20a487657", "firebase": "8bf335eb7da6a6a3", "amplify": "a6ca62711f1d6eeb", "azure": "be4dc623209fcd53",
}

// Without a second header, every host's file is what it was before other headers could be written, and so is all that
// is said of it (H6).
func TestLaw_WithoutOtherHeadersTheSameBytes(t *testing.T) {
	for _, target := range targets {
		r, hash := rand.New(rand.NewPCG(29, 1)), sha256.New()
		files := append(append([]string{}, users[target]...), setters[target]...)
		for range 150 {
			user := []byte(files[r.IntN(len(files))])
			own, err := readUser(target, user)
			if err != nil {
				t.Fatal(err)
			}
			var wants []robotstag.Want
			for _, i := range r.Perm(len(names))[:r.IntN(30)] {
				w := robotstag.Want{Path: names[i], URL: names[i], HTML: i%3 == 0, Free: i%17 == 0,
					Values: policies[r.IntN(len(policies))]}
				if found := own.Found(w.Path); len(found) > 0 && !w.Free {
					w.Values, w.Found = sum(w.Values, found)
				}
				wants = append(wants, w)
			}
			for i := range r.IntN(40) * r.IntN(2) {
				path := fmt.Sprintf("many/%d/%d.pdf", i%3, i)
				wants = append(wants, robotstag.Want{Path: path, URL: path, Values: policies[2+i%2]})
			}
			o := robotstag.Options{Scope: []string{"", robotstag.ScopeFiles, robotstag.ScopeAll}[r.IntN(3)],
				Everywhere: [][]string{nil, {"noindex", "googlebot: none"}}[r.IntN(2)],
				Base:       []string{"", "/docs"}[r.IntN(2)]}
			res, err := compile(target, user, wants, o)
			fmt.Fprintf(hash, "%s\n%d %q %q %+v %v\n", res.File, res.Rules, res.GivenUp, res.Missed, res.Findings, err)
		}
		if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != sameBytes[target] {
			t.Errorf("%q: %q,", target, got)
		}
	}
}
