package head

import "testing"

func TestStandard_ReferencesInAttributes(t *testing.T) {
	for v, want := range map[string]string{
		"":                        "",
		"a & b &":                 "a & b &",
		"&amp;&AMP;&amp&lt;&gt;":  "&&&<>",
		"&amp=1&ampx&amp1":        "&amp=1&ampx&amp1",
		"&notin;&notit;&not;&not": "∉&notit;¬¬",
		"&semi;&semi&;&;":         ";&semi&;&;",
		"&NotEqualTilde;":         "\u2242\u0338",
		"&#114;&#x72;&#X72&#114":  "rrrr",
		"&#1x&#9":                 "\x01x\t", // one digit and no semicolon
		"&#;&#x;&#xg;&#-1;":       "&#;&#x;&#xg;&#-1;",
		"&#0;&#xD800;&#x110000;":  "\uFFFD\uFFFD\uFFFD",
		"&#4294967410;":           "\uFFFD", // 2^32 + 114
		"&#128;&#x81;&#159;":      "\u20AC\u0081\u0178",
		"a\rb\r\nc\x00d&#13;":     "a\nb\nc\uFFFDd\r",
	} {
		if got := string(Decode(nil, []byte(v))); got != want {
			t.Errorf("%q: got %q, want %q", v, got, want)
		}
	}
}
