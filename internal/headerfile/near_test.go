package headerfile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// plainNear is [pathTree.near] as one would write it without regard to time.
func plainNear(all []publishedPath, wanted []string, endings map[string]bool) (near string) {
	for _, one := range all {
		if len(one.segments) != len(wanted) {
			continue
		}
		at, differing := 0, 0
		for i := range wanted {
			if !strings.EqualFold(wanted[i], one.segments[i]) {
				at, differing = i, differing+1
			}
		}
		switch {
		case differing == 0:
			return one.path
		case differing == 1 && near == "" && isNear(wanted[at], one.segments[at], endings):
			near = one.path
		}
	}
	return near
}

// U3g, D0e: what a tree of paths finds is what a comparison with each of them finds.
func TestHouse_ATreeFindsWhatIsNear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	oneOf := func(of ...string) string { return of[random.IntN(len(of))] }
	name := func() string {
		word := oneOf("drafts", "Drafts", "report", "scan-", "scans-", "plan", "été", "a", "straße-")
		return word + oneOf("", "", "1", "2", "12", "2024", "s") + oneOf("", "", ".pdf", ".PDF", ".pfd", ".mp3", ".mp4")
	}
	mistyped := func(s string) string {
		for range random.IntN(4) {
			i := random.IntN(len(s) + 1)
			s = s[:i] + oneOf("", "x", "-", "7", "E") + s[min(len(s), i+random.IntN(2)):]
		}
		return s
	}
	path := func() (segments []string) {
		for range 1 + random.IntN(3) {
			segments = append(segments, name())
		}
		return segments
	}
	near := 0
	for range 300 {
		var all []publishedPath
		for range random.IntN(60) {
			segments := path()
			all = append(all, publishedPath{path: "/" + strings.Join(segments, "/"), segments: segments})
		}
		var tree pathTree
		for i := range all {
			tree.add(&all[i], i)
		}
		endings := map[string]bool{".pdf": true, ".mp3": random.IntN(2) == 0}
		for range 60 {
			wanted := path()
			if len(all) > 0 && random.IntN(2) == 0 {
				wanted = append([]string(nil), all[random.IntN(len(all))].segments...)
			}
			i := random.IntN(len(wanted))
			wanted[i] = mistyped(wanted[i])
			got, want := "", plainNear(all, wanted, endings)
			if found := tree.near(wanted, endings); found != nil {
				got = found.path
			}
			if want != "" {
				near++
			}
			if got != want {
				t.Fatalf("%q is near %q, want %q", wanted, got, want)
			}
		}
	}
	if near < 1000 {
		t.Errorf("only %d paths were near to any", near)
	}
}

// A thousand lines for paths that are gone, of a site with 20,000 files: each name is another one,
// or differs by its digits alone.
func BenchmarkNear(b *testing.B) {
	words := strings.Fields("annual report budget minutes plan survey audit letter notice agenda policy review")
	word := func(n int) string { return words[n%len(words)] }
	for _, about := range []string{"words", "digits"} {
		b.Run(about, func(b *testing.B) {
			name := func(n int) []string {
				if about == "digits" {
					return []string{"files", fmt.Sprintf("scan-%05d.pdf", n)}
				}
				return []string{"files", word(n) + "-" + word(n/12) + "-" + word(n/144) + "-" + word(n/1728) + ".pdf"}
			}
			all := make([]publishedPath, 20_000)
			for i := range all {
				all[i].segments = name(i)
			}
			b.ReportAllocs()
			for b.Loop() {
				var tree pathTree
				for i := range all {
					tree.add(&all[i], i)
				}
				for i := range 1000 {
					wanted := name(i)
					wanted[1] = "old" + wanted[1]
					tree.near(wanted, nil)
				}
			}
		})
	}
}
