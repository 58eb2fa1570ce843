package policy

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// M2e: what the author of a meta plainly meant counts, with a finding. Issue 26.
func TestHouse_MetasCountAsMeant(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/meant.txt") {
		readings, problems := ParseMeta(c["name"], c["content"], Found, KnownCrawlers("FloraBot"))
		var stated []string
		for _, s := range At(Origin{}, readings...) {
			text := s.Directives.String()
			if s.Crawler != "" {
				text = s.Crawler + ": " + text
			}
			stated = append(stated, text)
		}
		if got := strings.Join(stated, "; "); got != c["states"] {
			t.Errorf("<meta name=%q content=%q> states %q, want %q", c["name"], c["content"], got, c["states"])
		}
		if c["finding"] == "" && len(problems) > 0 || c["finding"] != "" && (len(problems) == 0 ||
			problems[0].ID != c["finding"] || problems[0].Severity != Warning) {
			t.Errorf("<meta name=%q content=%q> reports %v, want %s", c["name"], c["content"], problems, c["finding"])
		}
	}
}

// A deployed page counts for what crawlers document, which is nothing of it (M2g).
func TestHouse_DocumentedReadingMeansNothing(t *testing.T) {
	for _, content := range []string{"googlebot: noindex", "map[index:false]", "robots: noindex",
		"unavailable_after: 25 Jun 2030 15:00:00 XYZ"} {
		if readings, _ := ParseMeta("robots", content, Documented, Crawlers{}); len(readings) > 0 &&
			readings[0].Directives.Restrictions() != (Directives{}) {
			t.Errorf("%q states %v", content, readings)
		}
	}
}

// What only permits is known, although no crawler reads it: it is neither kept nor taken for its
// opposite (D7c).
func TestHouse_PermissiveOppositesAreKnown(t *testing.T) {
	for _, word := range strings.Fields("snippet imageindex translate cache preview odp ydir ai imageai ml SNIPPET") {
		for _, whose := range []Text{Own, Found, Documented} {
			if r, problems := Parse("noarchive, "+word, whose); r.Directives.String() != "noarchive" ||
				problems != nil {
				t.Errorf("%s states %q, with %v", word, r.Directives, problems)
			}
		}
	}
	_, problems := Parse("snippet:50", Found)
	if len(problems) != 1 || strings.Contains(problems[0].Text(), "did you mean") {
		t.Errorf("snippet:50: %v", problems)
	}
	if _, _, ok := Lookup("ne"); ok {
		t.Error("ne is a directive")
	}
}

// D6d: a near word is named if it can have the value. Otherwise the message says what it takes.
func TestHouse_ASuggestionIsNoError(t *testing.T) {
	for text, want := range map[string]string{
		"max-snippt:20":         `unknown directive "max-snippt" (did you mean "max-snippet"?)`,
		"max-snippt:many":       `unknown directive "max-snippt"; max-snippet takes `,
		"max-image-previw:huge": `unknown directive "max-image-previw"; max-image-preview takes `,
		"noindx:5":              `unknown directive "noindx" (did you mean "noindex"?), which takes no value`,
	} {
		_, problems := Parse(text, Own)
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Text(), want) {
			t.Errorf("%s: %v, want %q", text, problems, want)
		}
	}
}

// Thousands of words that are none are one finding (D7d).
func TestHouse_UnknownWordsAreOneFinding(t *testing.T) {
	for _, whose := range []Text{Own, Found} {
		for _, between := range []string{", ", " , unknown, "} {
			var words []string
			for i := range 2500 {
				words = append(words, fmt.Sprint("noindx", i))
			}
			p := parser{whose: whose}
			p.read(strings.Join(words, between))
			problems := p.findings()
			if len(problems) != 1 || problems[0].ID != "unknown-directive" ||
				!strings.Contains(problems[0].Text(), "more") || len(problems[0].Text()) > 1000 {
				t.Fatalf("text %d: %d findings, first %v", whose, len(problems), problems[:1])
			}
		}
	}
	_, problems := Parse("noindx, nofolow, noindx", Own)
	if want := `unknown directive "noindx" (did you mean "noindex"?); unknown directive "nofolow" (did you mean ` +
		`"nofollow"?)`; len(problems) != 1 || problems[0].Text() != want {
		t.Errorf("%v", problems)
	}
}

// M2: a name inside a text of our own is an error, which says how the map is written.
func TestHouse_ANameInOurOwnMeta(t *testing.T) {
	const want = `"googlebot: noindex": no crawler is named inside a text; ` +
		`write the map form {googlebot: "noindex"}`
	if _, problems := ParseMeta("robots", "googlebot: noindex", Own, Crawlers{}); len(problems) != 1 ||
		problems[0].Message != want {
		t.Errorf("%v, want %s", problems, want)
	}
}
