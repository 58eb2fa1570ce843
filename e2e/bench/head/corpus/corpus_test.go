package corpus

import (
	"bytes"
	"slices"
	"testing"
)

// The figures of docs/bench.md are worth nothing for other pages.
func TestPagesAreLikeThoseOfRealSites(t *testing.T) {
	var sizes, heads []int
	for i := range 2000 {
		p := Page(i)
		if !bytes.Equal(p, Page(i)) {
			t.Fatalf("page %d is not the same twice", i)
		}
		head := bytes.Index(p, []byte("</head>"))
		sizes, heads = append(sizes, len(p)), append(heads, head)
	}
	slices.Sort(sizes)
	slices.Sort(heads)
	at := func(s []int, percent int) int { return s[(len(s)-1)*percent/100] }
	t.Logf("pages: %d, %d, %d bytes, at most %d", at(sizes, 10), at(sizes, 50), at(sizes, 90), at(sizes, 100))
	t.Logf("heads: %d, %d, %d bytes, at most %d", at(heads, 10), at(heads, 50), at(heads, 90), at(heads, 100))
	if m := at(sizes, 50); m < 23_000 || m > 28_000 {
		t.Errorf("median page: %d bytes", m)
	}
	if low, high := at(heads, 0), at(heads, 100); low < 1_900 || high > 21_000 {
		t.Errorf("heads of %d to %d bytes", low, high)
	}
}
