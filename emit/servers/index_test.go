package servers

import (
	"fmt"
	"slices"
	"testing"
	"unicode"

	"metarobots/policy"

	"pgregory.net/rapid"
)

// The index leaves out no pattern that matches, whatever the case of letters and however many
// letters are the same if case is ignored.
func TestLaw_TheIndexFindsEachPatternThatMatches(t *testing.T) {
	pieces := []string{"/", "a", "B", "k", "K", "\u212a", "ſ", "s", "é", ".pdf", "*", "{", "[", "?", "%20", "\xff", "\ufffd"}
	text := rapid.Custom(func(t *rapid.T) (text string) {
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces") {
			text += piece
		}
		return text
	})
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SampledFrom([]*ruleList{vercel, firebase, amplify, azure}).Draw(t, "list")
		comparison := rapid.SampledFrom(list.comparisons).Draw(t, "comparison")
		var index patternIndex
		var matchers []matcher
		for number, pattern := range rapid.SliceOfN(text, 1, 9).Draw(t, "patterns") {
			pattern := string([]rune("/" + pattern)) // as JSON and YAML have texts
			m := newMatcher(comparison.expression(pattern, list.owners.forms))
			matchers = append(matchers, m)
			index.add(number, m)
		}
		names := comparison.names("/" + text.Draw(t, "path"))
		found := index.find(names...)
		for number, m := range matchers {
			if matches := slices.ContainsFunc(names, m.matches); matches != slices.Contains(found, number) {
				t.Fatalf("%s: pattern %d of %+v and %q: %t, found %v", list.host, number, matchers, names, matches, found)
			}
		}
		if !slices.IsSorted(found) {
			t.Fatalf("%v is not in order", found)
		}
	})
	for r := range rune(unicode.MaxRune) {
		if a, b := string(r), string(unicode.SimpleFold(r)); policy.FoldCase(a) != policy.FoldCase(b) {
			t.Errorf("%q and %q are the same if case is ignored, and not folded to one text", a, b)
		}
	}
}

// Of thousands of patterns few are asked, so that the time for a file grows with its pages and not
// with its pages times its patterns.
func TestHouse_FewOfThousandsOfPatternsAreAsked(t *testing.T) {
	for _, form := range []string{"/s/p%d/", "/s/p%d/*", "/*.e%d", "/P%d/"} {
		for _, comparison := range azure.comparisons {
			var index patternIndex
			asked := 0
			for number := range 2000 {
				m := newMatcher(comparison.expression(fmt.Sprintf(form, 10000+number), azure.owners.forms))
				matches := m.matches
				m.matches = func(name string) bool {
					asked++
					return matches(name)
				}
				index.add(number, m)
			}
			for _, path := range []string{"/s/p10007/", "/p10007/", "/s/x.e10007"} {
				index.find(comparison.names(path)...)
			}
			if asked > 3 {
				t.Errorf("%s: %d patterns were asked about three paths", form, asked)
			}
		}
	}
}
