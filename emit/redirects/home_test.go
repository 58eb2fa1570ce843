package redirects

import (
	"slices"
	"strings"
	"testing"

	"metarobots/emit/marks"
)

// N11l: the block is the first of the file, is for each name and scheme, and is no rule of the
// owner's.
// https://docs.netlify.com/manage/routing/redirects/redirect-options/#domain-level-redirects
func TestNetlify_OtherNamesAreSentHome(t *testing.T) {
	const home = "https://example.com"
	names := []string{"project.netlify.app", "second.example"}
	for _, owner := range []string{"", "/old /new 301\n", "/old /new", "# a\r\n/* /index.html 200\r\n"} {
		file := SendHome([]byte(owner), names, home)
		want := "https://project.netlify.app/* https://example.com/:splat 301!"
		if lines := strings.Split(string(file), "\n"); strings.TrimSpace(lines[1]) != want {
			t.Errorf("%q: line 2 is %q, want %q", owner, lines[1], want)
		}
		if got := SentHome(Rules(file, ""), "example.com"); !slices.Equal(got, names) {
			t.Errorf("%q: %q are sent home, want %q\n%s", owner, got, names, file)
		}
		if got := SendHome(file, names, home); string(got) != string(file) {
			t.Errorf("%q: again\n%s\nfirst\n%s", owner, got, file)
		}
		if got := SendHome(file, nil, ""); string(got) != owner {
			t.Errorf("%q comes back as %q", owner, got)
		}
		if ours, owners := len(Netlify(file, "")), len(Netlify([]byte(owner), "")); ours != owners {
			t.Errorf("%q: %d rules of the owner's, want %d", owner, ours, owners)
		}
	}
}

// N11m: a name that another rule takes first is not sent home, whatever the rules below say.
func TestNetlify_ARuleBeforeTakesTheName(t *testing.T) {
	const ours = "https://a.example/* https://example.com/:splat 301!\n"
	for before, isSent := range map[string]bool{
		"": true, "/old /new 301\n": true, "https://b.example/* /x 301!\n": true, "http://a.example/* /x 301!\n": true,
		"https://a.example/* /x 301!\n": false, "https://a.example/y /x 301!\n": false, "/* /x 301!\n": true, "/docs/* /index.html 200\n": false,
		"https://A.example/* https://example.com/x 301!\n": false,
	} {
		got := SentHome(Rules([]byte(before+ours), ""), "example.com")
		if slices.Contains(got, "a.example") != isSent {
			t.Errorf("%q: %q are sent home", before, got)
		}
	}
	for _, line := range []string{"https://a.example/* https://example.com/:splat 301\n",
		"https://a.example/* https://example.com/ 301!\n", "https://a.example/* https://example.com/:splat 200!\n",
		"https://a.example/* https://other.example/:splat 301!\n", "http://a.example/* https://example.com/:splat 301!\n",
		"https://A.example/* https://example.com/:splat 301!\n", "https://*.example/* https://example.com/:splat 301!\n",
		marks.End + "\n"} {
		if got := SentHome(Rules([]byte(line), ""), "example.com"); len(got) > 0 {
			t.Errorf("%q: %q are sent home", line, got)
		}
	}
}
