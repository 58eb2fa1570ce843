package headers

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A rule for a folder takes the paths that its expression takes, although that is not asked, and is
// a guess where what Netlify documents of it says something else.
func TestLaw_AFolderRuleTakesWhatItsExpressionTakes(t *testing.T) {
	piece := rapid.SampledFrom([]string{"/", "/", "a", "B", "v1", ".", "*", ":p", "%C3%A9", "|", "(", "é", "K"})
	text := rapid.Custom(func(t *rapid.T) string {
		return "/" + strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "pieces"), "")
	})
	isFolder := 0
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom([]*Dialect{Cloudflare, Netlify}).Draw(t, "dialect")
		folder := rapid.OneOf(rapid.SampledFrom([]string{"", "/a", "/a/v1", "/B/a.b"}), text).Draw(t, "folder")
		r, err := d.ReadRule(folder + "/*")
		if err != nil || !r.headSuffices {
			return
		}
		isFolder++
		beside := rapid.OneOf(rapid.Just(folder), text).Draw(t, "beside")
		path := encode(beside+rapid.OneOf(rapid.Just(""), text).Draw(t, "below"), bareInURL+"%")
		if got, want := d.Match(r, "", path), r.re.MatchString(path); got != want {
			t.Fatalf("%s: %s and %s: %t, and its expression says %t", d.title, r.Path, path, got, want)
		}
		if r.documented == nil || !d.Match(r, "", path) {
			return
		}
		parts := strings.FieldsFunc(r.Path, func(c rune) bool { return c == '/' })
		if got, want := r.documented(path), documentedPaths(parts).MatchString(path); got != want {
			t.Fatalf("%s and %s: documented %t, and its expression says %t", r.Path, path, got, want)
		}
	})
	if isFolder == 0 {
		t.Error("no rule was one for a folder")
	}
}
