package frontmatter

import (
	"fmt"
	"testing"
)

// A path leads through maps of any type and lists, keys in any case; of two that differ by case it is always the same
// one.
func TestHouse_LookupIsOneAndTheSame(t *testing.T) {
	type params map[string]any
	value := params{"SEO": map[any]any{"Robots": []string{"noindex", "nofollow"}}, "robots": "noindex",
		"Robots": "index", "ROBOTS": 1}
	for _, c := range []struct {
		path []string
		want any
	}{
		{[]string{"seo", "robots", "1"}, "nofollow"},
		{[]string{"seo", "robots", "2"}, nil},
		{[]string{"seo", "robots", "-1"}, nil},
		{[]string{"seo", "robots", "x"}, nil},
		{[]string{"seo", "other"}, nil},
		{[]string{"robots"}, "noindex"},
		{[]string{"robots", "0"}, nil},
		{[]string{"none", "of", "it"}, nil},
	} {
		for range 20 {
			if got := Lookup(value, c.path); got != c.want {
				t.Fatalf("%q: got %v, want %v", c.path, got, c.want)
			}
		}
	}
	if got := Lookup("x", nil); got != "x" {
		t.Errorf("no path: got %s", fmt.Sprint(got))
	}
}
