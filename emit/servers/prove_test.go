package servers

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
)

// N3b: whatever a writer loses of a host's file, the run that makes it finds out: a rule dropped, a
// value changed, a path misspelled, of X-Robots-Tag and of another header.
func TestHouse_ARunFindsWhatAWriterLoses(t *testing.T) {
	usage := slices.Clone(neighbours)
	for i := range usage {
		usage[i].Values = nil
	}
	usage[1].Values = []string{"train-ai=n"}
	demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: neighbours},
		{Header: usageHeader, Wants: usage}}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			res, err := compileAll(target, nil, demands, plain)
			if err != nil {
				t.Fatal(err)
			}
			names := func(file []byte, url string) {
				t.Helper()
				broken := res
				broken.File = file
				wrong := formats[target].Verify(broken, demands, plain)
				if bytes.Equal(file, res.File) || len(wrong) == 0 {
					t.Fatalf("not found out:\n%s", file)
				}
				for _, f := range wrong {
					if f.ID != "header-mismatch" || url != "" && f.URL != url && f.URL != "" {
						t.Errorf("%+v", f)
					}
				}
			}
			replace := func(from, to string) []byte {
				return bytes.ReplaceAll(res.File, []byte(from), []byte(to))
			}
			names(replace("noindex, nofollow", "noindex, follow"), "a/two words.pdf")
			names(replace("train-ai=n", "train-ai=y"), "a/one.pdf")
			names(replace("googlebot: nosnippet", "googlebot: noarchive"), "b/three.html")
			names(replace("three", "four"), "b/three.html")
			names(nil, "")
			lines := strings.SplitAfter(string(res.File), "\n")
			for i, line := range lines {
				isEntry := strings.Contains(line, "three") && !strings.Contains(line, "one")
				if isEntry && target != "apache" { // whose line is a part of a directive
					names([]byte(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")), "")
				}
			}
		})
	}
}

// The alternatives of an expression of ours are read as the texts that it takes, and as nothing
// else.
func TestHouse_AlternativesAreReadAsTheyMatch(t *testing.T) {
	for _, test := range []struct {
		expression string
		takes      []string
		leaves     []string
	}{
		{`a\.pdf|caf%[Cc]3%[Aa]9`, []string{"a.pdf", "caf%C3%A9", "caf%c3%a9"}, []string{"aXpdf", "caf%C3", "a.pdf|caf"}},
		{`b(?:\(|%28)c`, []string{"b(c", "b%28c"}, []string{"b%29c", "bc", "b((c"}},
		{`(?:\||%7[Cc])`, []string{"|", "%7c", "%7C"}, []string{"", "%7d"}},
	} {
		all, areNames := alternatives(test.expression)
		takesAny := func(name string) bool {
			return slices.ContainsFunc(all, func(a string) bool { return alternativeTakes(a, name) })
		}
		for _, name := range test.takes {
			if !areNames || !takesAny(name) {
				t.Errorf("%s does not take %s (%q)", test.expression, name, all)
			}
		}
		for _, name := range test.leaves {
			if takesAny(name) {
				t.Errorf("%s takes %s", test.expression, name)
			}
		}
	}
	for _, expression := range []string{`a.pdf`, `a*`, `(a)`, `a\.pdf(?:\.txt)?`, `[ab]`, `a\d`, `(?:a|b)`} {
		if all, areNames := alternatives(expression); areNames {
			t.Errorf("%s is read as %q", expression, all)
		}
	}
}
