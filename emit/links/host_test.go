package links

import (
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

func host(t testing.TB, text string) Host {
	t.Helper()
	return tables.Value(ParseHost(text))(t)
}

func TestHouse_HostPatterns(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/patterns.txt") {
		s := []Host{host(t, c["pattern"])}
		for _, u := range strings.Fields(c["fits"]) {
			if at := resolve([]byte(u), place{}); !fit(s, at) {
				t.Errorf("%s does not fit %s", c["pattern"], u)
			}
		}
		for _, u := range strings.Fields(c["fail"]) {
			if at := resolve([]byte(u), place{}); !at.elsewhere() && fit(s, at) {
				t.Errorf("%s fits %s", c["pattern"], u)
			}
		}
		if got := host(t, c["pattern"]).String(); got != c["pattern"] {
			t.Errorf("%s prints as %s", c["pattern"], got)
		}
	}
	if s := []Host{{}}; fit(s, place{scheme: https}) || fit(s, place{scheme: https, host: "x"}) {
		t.Error("the zero Host fits")
	}
}

func TestHouse_HostFaults(t *testing.T) {
	for _, row := range tables.Read(t, "testdata/faults.txt") {
		text, want := row["text"], row["want"]
		if h, err := ParseHost(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, %v, want %s", text, h, err, want)
		}
	}
}

func FuzzPatternsFitTheirNames(f *testing.F) {
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
		if h.text == "*" {
			return
		}
		// A host name fits its own pattern and, with a label before it, the pattern of those below
		// it.
		name := h.name
		if h.below {
			name = "a." + name
		}
		if h.port != 0 {
			name += ":" + strconv.Itoa(h.port)
		}
		at := resolve([]byte("https://"+name), place{})
		if s := []Host{h}; at.elsewhere() || !fit(s, at) {
			t.Errorf("%q does not fit %q", text, name)
		}
	})
}
