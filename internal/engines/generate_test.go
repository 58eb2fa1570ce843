package engines

import (
	"flag"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/policy"
)

func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "1000") // the command line may say otherwise
	os.Exit(m.Run())
}

var clockOfTests = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// axes are the words of each axis, from nothing to the most restrictive.
var axes = [][]string{
	{"", "index", "noindex"}, {"", "follow", "nofollow"}, {"", "archive", "nocache", "noarchive"},
	{"", "max-image-preview:large", "max-image-preview:standard", "max-image-preview:none"},
	{"", "max-snippet:-1", "max-snippet:2147483647", "max-snippet:160", "max-snippet:50", "max-snippet:1", "nosnippet"},
	{"", "max-video-preview:-1", "max-video-preview:2147483647", "max-video-preview:160", "max-video-preview:50",
		"max-video-preview:1", "max-video-preview:0"},
	{"", "unavailable_after:9999-12-31T23:59:59Z", "unavailable_after:2098-05-06T07:08:09Z",
		"unavailable_after:0001-01-01"},
	{"", "notranslate"}, {"", "noimageindex"}, {"", "noai"}, {"", "noimageai"}, {"", "noml"}, {"", "noodp"},
	{"", "nopreview"},
	{"", "nositelinkssearchbox"}, {"", "noyaca"}, {"", "noydir"}, {"", "aardvark"}, {"", "nofoo"},
	{"", "zebra crossing"},
}

// directives draws a point of the product; on each axis nothing is stated as often as all else together.
var directives = rapid.Custom(func(t *rapid.T) (d policy.Directives) {
	for _, axis := range axes {
		word := axis[0]
		if rapid.Bool().Draw(t, "stated") {
			word = rapid.SampledFrom(axis[1:]).Draw(t, "word")
		}
		r, _ := policy.Parse(word, policy.Found)
		d = policy.MostRestrictive(d, r.Directives)
	}
	if rapid.Bool().Draw(t, "embeddable") {
		d = d.Embeddable()
	}
	return d
})

func statements(t *rapid.T, label string, most int) []policy.Statement {
	crawlers := []string{"", "bingbot", "googlebot", "googlebot-news", "gptbot", "yandex"}
	statement := rapid.Custom(func(t *rapid.T) policy.Statement {
		return policy.Statement{Crawler: rapid.SampledFrom(crawlers).Draw(t, "crawler"),
			Directives: directives.Draw(t, "directives")}
	})
	return rapid.SliceOfN(statement, 0, most).Draw(t, label)
}

// say returns statements of one source in the grammar of X-Robots-Tag.
func say(t testing.TB, text string) []policy.Statement {
	t.Helper()
	readings, problems := policy.ParseHeader(text, policy.Own, policy.Crawlers{})
	for _, p := range problems {
		t.Fatalf("%q: %s", text, p.Message)
	}
	return policy.Statements(readings, policy.Origin{Key: text})
}
