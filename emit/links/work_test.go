package links

import (
	"strings"
	"testing"
)

// Pages that take a square of time where work is not bounded, each of n parts.
func TestHouse_WorkGrowsWithThePage(t *testing.T) {
	for _, c := range []struct {
		name string
		page func(n int) string
	}{
		{"links in links", func(n int) string { return strings.Repeat(`<a x="`, n) }},
		{"links in links, quoted in turns", func(n int) string { return strings.Repeat(`<a x="'<a x='"`, n) }},
		{"names that never end", func(n int) string { return strings.Repeat("<a<b<area<div", n) }},
		{"classes that never end", func(n int) string { return strings.Repeat(`<p class="quieter `, n) }},
		{"links that stay", func(n int) string { return strings.Repeat("<a href=/x>", n) }},
		{"bases without an address", func(n int) string {
			return strings.Repeat("<base>", n) +
				strings.Repeat("<a href=//x>", n)
		}},
	} {
		work := func(n int) int {
			var p Page
			p.Scan([]byte(c.page(n)), own, everything)
			return p.work
		}
		const n = 2000
		if small, large := work(n), work(8*n); large > 9*small {
			t.Errorf("%s: %d parts take %d bytes, %d take %d", c.name, n, small, 8*n, large)
		}
	}
}

// No link leads to a host whose name is longer than DNS allows, and none is mapped to ASCII.
func TestStandard_HostNamesHaveAnEnd(t *testing.T) {
	for _, label := range []string{"a.", "ü", "%C3%BC"} {
		for n, want := range map[int]bool{10: true, 100_000: false} {
			var p Page
			p.Scan([]byte("<a href=//"+strings.Repeat(label, n)+"example/>"), own, everything)
			if got := len(p.Edits) == 1; got != want {
				t.Errorf("%d times %s: edited %v", n, label, got)
			}
		}
	}
}
