package links

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// lead returns where a URL on a page leads: "host:port", "-" for nowhere, "" for the
// unknown host of a page whose URL is not known.
func lead(page, href string) string {
	at := resolve([]byte(href), newPage(page, New(Config{})).base)
	switch {
	case at.elsewhere():
		return "-"
	case at.host == "":
		return ""
	}
	return fmt.Sprintf("%s:%d", at.host, at.port)
}

const own = "https://own.example/a/b.html"

// The expectations are those of the URL standard (https://url.spec.whatwg.org/); many of the traps
// are of the kinds that urltestdata.json of web-platform-tests holds. TestStandard_SameHostsAsNode
// asks a browser's parser about them.
func urls(t testing.TB) []tables.Row { return tables.Read(t, "testdata/urls.txt") }

func TestStandard_WhereAURLLeads(t *testing.T) {
	for _, c := range urls(t) {
		if got := lead(own, c["href"]); got != c["want"] {
			t.Errorf("%s: %q: got %q, want %q", c["name"], c["href"], got, c["want"])
		}
	}
}

func TestHouse_PageWithoutAnAddress(t *testing.T) {
	for _, page := range []string{"", "/", "/a/b.html", "file:///x/y.html", "https://"} {
		for href, want := range map[string]string{
			"//out.example/":       "out.example:443",
			"http://out.example/":  "out.example:80",
			"https:/out.example/":  "out.example:443",
			"/x":                   "",
			"#x":                   "",
			"":                     "",
			"mailto:x@out.example": "-",
		} {
			if got := lead(page, href); got != want {
				t.Errorf("%q on %q: got %q, want %q", href, page, got, want)
			}
		}
	}
}

// What a browser takes out of a URL, and how an author spells it, does not change where it leads.
func TestLaw_SpellingDoesNotMatter(t *testing.T) {
	rows := urls(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(rows).Draw(t, "url")
		if strings.ContainsAny(c["href"], "&\x00") {
			t.Skip()
		}
		var b strings.Builder
		for i := range len(c["href"]) {
			if rapid.IntRange(0, 3).Draw(t, "noise") == 0 {
				b.WriteString(rapid.SampledFrom([]string{"\t", "\n", "\r", "\r\n", "&#10;", "&Tab;"}).Draw(t, "white"))
			}
			if c["href"][i] < 0x80 && rapid.IntRange(0, 5).Draw(t, "reference") == 0 {
				fmt.Fprintf(&b, "&#x%X;", c["href"][i])
			} else {
				b.WriteByte(c["href"][i])
			}
		}
		if got := lead(own, b.String()); got != c["want"] {
			t.Errorf("%s: %q: got %q, want %q", c["name"], b.String(), got, c["want"])
		}
	})
}

func FuzzHostsAreNormalizedOnce(f *testing.F) {
	for _, c := range urls(f) {
		f.Add([]byte(c["href"]), []byte(own))
		f.Add([]byte(own), []byte(c["href"]))
	}
	f.Fuzz(func(t *testing.T, href, page []byte) {
		at := resolve(href, resolve(page, place{}))
		if at.elsewhere() {
			return
		}
		if at.port < 0 || at.port > 65535 {
			t.Errorf("port %d", at.port)
		}
		// A host is normalized once and for all.
		if again, err := normalize(at.host); at.host != "" && (err != nil || again != at.host) {
			t.Errorf("%q on %q: host %q, then %q, %v", href, page, at.host, again, err)
		}
	})
}
