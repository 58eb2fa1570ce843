package robotstag

import (
	"testing"

	"metarobots/internal/tables"
)

// https://www.rfc-editor.org/rfc/rfc8288#section-3.5
func TestRFC8288_Links(t *testing.T) {
	for _, c := range []struct {
		value string
		want  []Link
		ok    bool
	}{
		{"", nil, true},
		{`<https://a.example/x/>; rel="canonical"`, []Link{{"https://a.example/x/", "canonical", ""}}, true},
		{`</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, </ch4>;rel=next`,
			[]Link{{"/TheBook/chapter2", "previous", ""}, {"/ch4", "next", ""}}, true},
		{`<http://example.org/>; rel="start http://example.net/relation/other"`,
			[]Link{{"http://example.org/", "start http://example.net/relation/other", ""}}, true},
		{`</a,b;c>; title="x, y; \"z\", <"; REL=Canonical`, []Link{{"/a,b;c", "Canonical", ""}}, true},
		{`</a>; rel=a; rel=b`, []Link{{"/a", "a", ""}}, true},
		{`, </a>,,`, []Link{{"/a", "", ""}}, true},
		{`https://a.example/; rel=canonical`, nil, false},
		{`</a; rel=canonical`, nil, false},
		{`</a> rel=canonical`, []Link{{"/a", "canonical", ""}}, false},
	} {
		got, ok := ParseLinks(c.value)
		if ok != c.ok || len(got) != len(c.want) {
			t.Errorf("%s: got %q, %t", c.value, got, ok)
			continue
		}
		for i, l := range got {
			if l.Target != c.want[i].Target || l.Rel != c.want[i].Rel {
				t.Errorf("%s: got %q, want %q", c.value, l, c.want[i])
			}
		}
	}
}

func TestHouse_SameLinksWhateverTheOrder(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/same-links.txt") {
		same := c["same"] == "true"
		if SameLinks(c["a"], c["b"]) != same || SameLinks(c["b"], c["a"]) != same {
			t.Errorf("%s and %s: the same %t, want %t", c["a"], c["b"], !same, same)
		}
	}
}
