package links

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// lead returns where a URL on a page leads: "host:port", "-" for nowhere, "" for the
// unknown host of a page whose URL is not known.
func lead(page, href string) string {
	var p Page
	p.reset(page, New(Options{}))
	at := p.reader.read([]byte(href), &p.base)
	switch {
	case at.elsewhere():
		return "-"
	case len(at.host) == 0:
		return ""
	}
	return fmt.Sprintf("%s:%d", at.host, at.port)
}

const own = "https://own.example/a/b.html"

// The expectations are those of the URL standard (https://url.spec.whatwg.org/); many of the traps are of the kinds
// that urltestdata.json of web-platform-tests holds. TestStandard_SameHostsAsNode asks a browser's parser about them.
var urls = []struct{ name, href, want string }{
	{"absolute", "https://out.example/x", "out.example:443"},
	{"no path", "https://out.example", "out.example:443"},
	{"query at once", "https://out.example?x=https://own.example/", "out.example:443"},
	{"fragment at once", "https://out.example#/", "out.example:443"},
	{"http", "http://out.example/", "out.example:80"},
	{"upper case", "HTTPS://OUT.Example/", "out.example:443"},
	{"protocol-relative", "//out.example/x", "out.example:443"},
	{"three slashes", "///out.example/x", "out.example:443"},
	{"backslashes", `\\out.example\x`, "out.example:443"},
	{"mixed slashes", `/\out.example`, "out.example:443"},
	{"backslashes after the scheme", `https:\\out.example\x`, "out.example:443"},
	{"many slashes after the scheme", "https:////out.example/x", "out.example:443"},
	{"one slash, same scheme: a path", "https:/out.example/x", "own.example:443"},
	{"no slash, same scheme: a path", "https:out.example/x", "own.example:443"},
	{"one backslash, same scheme: a path", `https:\out.example`, "own.example:443"},
	{"a slash and a backslash, same scheme", `https:/\out.example`, "out.example:443"},
	{"one slash, another scheme: a host", "http:/out.example/x", "out.example:80"},
	{"no slash, another scheme: a host", "http:out.example/x", "out.example:80"},
	{"white space around it", " \t\n https://out.example/ \r\n", "out.example:443"},
	{"controls around it", "\x01\x1fhttps://out.example\x02", "out.example:443"},
	{"no-break space before it: a path", "\u00A0https://out.example/", "own.example:443"},
	{"tab within the scheme", "ht\ttps://out.example/", "out.example:443"},
	{"line end within the slashes", "https:/\n/out.example/", "out.example:443"},
	{"carriage return within the slashes", "https:/\r/out.example/", "out.example:443"},
	{"line end within the host", "https://out.\r\nexample/", "out.example:443"},
	{"line end within protocol-relative", "/\n/out.example/", "out.example:443"},
	{"user", "https://own.example@out.example/", "out.example:443"},
	{"user and password", "https://own.example:x@y@out.example:8080/", "out.example:8080"},
	{"an at sign in the path", "https://out.example/@own.example", "out.example:443"},
	{"an at sign in the query", "https://out.example?@own.example", "out.example:443"},
	{"a backslash ends the host", `https://out.example\@own.example`, "out.example:443"},
	{"user and no host", "https://own.example@/", "-"},
	{"port", "https://out.example:8443/", "out.example:8443"},
	{"default port", "http://out.example:80/", "out.example:80"},
	{"port with zeros", "https://out.example:00443/", "out.example:443"},
	{"empty port", "https://out.example:/", "out.example:443"},
	{"port of letters", "https://out.example:x/", "-"},
	{"port too large", "https://out.example:65536/", "-"},
	{"host in pieces", "https://a:b:1/", "-"},
	{"dot at the end", "https://out.example./", "out.example:443"},
	{"dots at the end", "https://out.example../", "out.example:443"},
	{"dots alone", "https://../", "-"},
	{"percent-encoded host", "https://%6Fut.example/", "out.example:443"},
	{"forbidden character", "https://out.exa<mple/", "-"},
	{"blank in the host", "https://out example/", "-"},
	{"percent-encoded slash in the host", "https://out.example%2F.own.example/", "-"},
	{"IDN", "https://München.example/", "xn--mnchen-3ya.example:443"},
	{"IDN in punycode", "https://xn--MNCHEN-3ya.example/", "xn--mnchen-3ya.example:443"},
	{"sharp s", "https://straße.example/", "xn--strae-oqa.example:443"},
	{"full-width letters", "https://ｏｕｔ.example/", "out.example:443"},
	{"ideographic full stop", "https://out。example/", "out.example:443"},
	{"soft hyphen", "https://o\u00ADut.example/", "out.example:443"},
	{"underscore", "https://a_b.example/", "a_b.example:443"},
	{"hyphens", "https://r3---sn.example/", "r3---sn.example:443"},
	{"IPv4", "https://192.0.2.1/", "192.0.2.1:443"},
	{"IPv6", "https://[2001:DB8:0:0::1]:8080/", "[2001:db8::1]:8080"},
	{"IPv6 that is none", "https://[::g]/", "-"},
	{"IPv6 never closed", "https://[::1", "-"},
	{"no host", "https://", "-"},
	{"slashes alone", "///", "-"},
	{"reference in the host", "https://out&#46;example/", "out.example:443"},
	{"reference for the colon", "https&colon;//out.example/", "out.example:443"},
	{"reference for a slash", "&#x2f;&sol;out.example", "out.example:443"},
	{"reference in the query", "https://out.example/?a=1&amp;b=2", "out.example:443"},
	{"reference for white space", "&#32;&Tab;https://out&NewLine;.example/", "out.example:443"},
	{"null before it: a path", "\x00https://out.example/", "own.example:443"},

	{"empty", "", "own.example:443"},
	{"fragment", "#https://out.example/", "own.example:443"},
	{"query", "?u=//out.example", "own.example:443"},
	{"path", "/x//out.example", "own.example:443"},
	{"relative path", "x/y.html", "own.example:443"},
	{"a colon in a path", "./https://out.example", "own.example:443"},
	{"a scheme cannot start with a digit", "1https://out.example", "own.example:443"},
	{"a scheme holds no blank", "ht tp://out.example", "own.example:443"},
	{"mailto", "mailto:x@out.example", "-"},
	{"tel", "TEL:+123", "-"},
	{"javascript", "javascript:location='https://out.example'", "-"},
	{"data", "data:text/html,https://out.example", "-"},
	{"ftp", "ftp://out.example/", "-"},
	{"a scheme that begins like one", "httpsx://out.example/", "-"},
	{"view-source", "view-source:https://out.example/", "-"},
}

func TestStandard_WhereAURLLeads(t *testing.T) {
	for _, c := range urls {
		if got := lead(own, c.href); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.href, got, c.want)
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
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(urls).Draw(t, "url")
		if strings.ContainsAny(c.href, "&\x00") {
			t.Skip()
		}
		var b strings.Builder
		for i := range len(c.href) {
			if rapid.IntRange(0, 3).Draw(t, "noise") == 0 {
				b.WriteString(rapid.SampledFrom([]string{"\t", "\n", "\r", "\r\n", "&#10;", "&Tab;"}).Draw(t, "white"))
			}
			if c.href[i] < 0x80 && rapid.IntRange(0, 5).Draw(t, "reference") == 0 {
				fmt.Fprintf(&b, "&#x%X;", c.href[i])
			} else {
				b.WriteByte(c.href[i])
			}
		}
		if got := lead(own, b.String()); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, b.String(), got, c.want)
		}
	})
}

func FuzzURL(f *testing.F) {
	for _, c := range urls {
		f.Add([]byte(c.href), []byte(own))
		f.Add([]byte(own), []byte(c.href))
	}
	f.Fuzz(func(t *testing.T, href, page []byte) {
		var r reader
		base := r.read(page, &place{})
		base.host = []byte(string(base.host))
		at := r.read(href, &base)
		if at.elsewhere() {
			return
		}
		if at.port < 0 || at.port > 65535 {
			t.Errorf("port %d", at.port)
		}
		// A host is normalized once and for all.
		if len(at.host) > 0 {
			again, err := normalize(nil, at.host)
			if err != nil || string(again) != string(at.host) {
				t.Errorf("%q on %q: host %q, then %q, %v", href, page, at.host, again, err)
			}
		}
	})
}
