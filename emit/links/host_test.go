package links

import (
	"strconv"
	"strings"
	"testing"
)

func host(t testing.TB, text string) Host {
	t.Helper()
	h, err := ParseHost(text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHouse_HostPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern    string
		fits, fail string // URLs, separated by blanks
	}{
		{"example.com", "https://example.com http://EXAMPLE.com:8080/ https://example.com./",
			"https://www.example.com https://example.com.evil.test https://notexample.com https://example.org"},
		{"*.example.com", "https://www.example.com https://a.b.example.com:444",
			"https://example.com https://wwwexample.com https://.example.com.test"},
		{"*", "https://example.com http://192.0.2.1 https://[::1]/", "mailto:x@example.com"},
		{"example.com:8080", "http://example.com:8080 https://example.com:8080",
			"http://example.com https://example.com https://a.example.com:8080"},
		{"example.com:443", "https://example.com https://example.com:443",
			"http://example.com https://example.com:8443"},
		{"*.example.com:8080", "http://a.example.com:8080", "http://a.example.com http://example.com:8080"},
		{"EXAMPLE.com.", "https://example.com https://example.com.", "https://example.com.x"},
		{"münchen.example", "https://xn--mnchen-3ya.example https://MÜNCHEN.example", "https://munchen.example"},
		{"xn--mnchen-3ya.example", "https://münchen.example", "https://muenchen.example"},
		{"*.münchen.example", "https://www.xn--mnchen-3ya.example", "https://münchen.example"},
		{"[2001:db8::0:1]:8080", "http://[2001:DB8::1]:8080", "http://[2001:db8::1]"},
		{"[::1]", "http://[::1]:99 http://[0:0:0:0:0:0:0:1]", "http://[::2]"},
		{"localhost", "http://localhost:1313", "http://localhost.example"},
	} {
		s := []Host{host(t, c.pattern)}
		var r reader
		for _, u := range strings.Fields(c.fits) {
			if at := r.read([]byte(u), &place{}); !fit(s, &at) {
				t.Errorf("%s does not fit %s", c.pattern, u)
			}
		}
		for _, u := range strings.Fields(c.fail) {
			if at := r.read([]byte(u), &place{}); !at.elsewhere() && fit(s, &at) {
				t.Errorf("%s fits %s", c.pattern, u)
			}
		}
		if got := host(t, c.pattern).String(); got != c.pattern {
			t.Errorf("%s prints as %s", c.pattern, got)
		}
	}
	if s := []Host{{}}; fit(s, &place{scheme: https}) || fit(s, &place{scheme: https, host: []byte("x")}) {
		t.Error("the zero Host fits")
	}
}

func TestHouse_HostFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `host "": no host name`,
		"https://example.com":   `host "https://example.com": a host name is wanted, not a URL`,
		"example.com/x":         `host "example.com/x": a host name is wanted, not a URL`,
		"x@example.com":         `host "x@example.com": a host name is wanted, not a URL`,
		"www.*":                 `host "www.*": "*" stands alone or as "*." at the start`,
		"*.*.example.com":       `host "*.*.example.com": "*" stands alone or as "*." at the start`,
		"*example.com":          `host "*example.com": "*" stands alone or as "*." at the start`,
		"*.":                    `host "*.": no host name`,
		"..":                    `host "..": no host name`,
		"example.com:":          `host "example.com:": the port is missing`,
		"example.com:0":         `host "example.com:0": the port is missing`,
		"example.com:https":     `host "example.com:https": the port is not a number up to 65535`,
		"example.com:99999":     `host "example.com:99999": the port is not a number up to 65535`,
		"example.com:999999999": `host "example.com:999999999": the port is not a number up to 65535`,
		"exam ple.com":          `host "exam ple.com": no host name`,
		"[::1":                  `host "[::1": no host name`,
		"mailto:x":              `host "mailto:x": the port is not a number up to 65535`,
	} {
		if h, err := ParseHost(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, %v, want %s", text, h, err, want)
		}
	}
}

func FuzzHost(f *testing.F) {
	for _, s := range []string{"example.com", "*.example.com:80", "*", "[::1]:1", "münchen.example", "xn--a", "%41",
		"a..b", "*.a."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHost(text)
		if err != nil {
			return
		}
		again, err := ParseHost(h.String())
		if err != nil || again != h {
			t.Errorf("%q: %+v, then %+v, %v", text, h, again, err)
		}
		if h.every {
			return
		}
		// A host name fits its own pattern and, with a label before it, the pattern of those below it.
		name := h.name
		if h.below {
			name = "a." + name
		}
		if h.port != 0 {
			name += ":" + strconv.Itoa(h.port)
		}
		var r reader
		at := r.read([]byte("https://"+name), &place{})
		if s := []Host{h}; at.elsewhere() || !fit(s, &at) {
			t.Errorf("%q does not fit %q", text, name)
		}
	})
}
