package address

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawParts draws a pattern of a few texts and named parts: of a destination, with some of the names of its source.
func drawParts(t *rapid.T, destination bool, names ...string) (parts []Part) {
	for _, piece := range rapid.SliceOfN(rapid.SampledFrom([]string{"/", "a", "b/", "-", "%20", "\xff", ":"}), 0, 5).Draw(t, "pieces") {
		switch {
		case piece != ":":
			parts = append(parts, Part{Text: piece})
		case destination && len(names) == 0:
		case destination:
			parts = append(parts, Part{Name: rapid.SampledFrom(names).Draw(t, "name")})
		default:
			name := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "new name")
			matches := rapid.SampledFrom([]string{Segment, Segments, Some, Rest}).Draw(t, "matches")
			optional := rapid.Bool().Draw(t, "optional") && len(parts) > 0 && strings.HasSuffix(parts[len(parts)-1].Text, "/")
			parts = append(parts, Part{Name: name, Matches: matches, Optional: optional})
		}
	}
	return append([]Part{{Text: "/"}}, parts...)
}

// A mapping is the same in both directions: where a path leads, it is listed as a source, unless the sources cannot be
// listed; and what is listed leads there.
func TestLaw_SourcesAreThePathsThatLeadThere(t *testing.T) {
	listings := 0
	rapid.Check(t, func(t *rapid.T) {
		from := drawParts(t, false)
		var names []string
		for _, p := range from {
			if p.Name != "" {
				names = append(names, p.Name)
			}
		}
		r := &Route{Rewrites: true}
		decodes := rapid.Bool().Draw(t, "decodes")
		r.Follow(Mapping{From: from, To: drawParts(t, true, names...), Decodes: decodes, Loose: decodes && rapid.Bool().Draw(t, "loose")})
		path := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"/", "a", "b", "-", "%20"}), 0, 7).Draw(t, "path"), "")
		path = normalize(path) // as all that is asked
		to, ok := r.Takes(path)
		if !ok {
			return
		}
		sources, listed := r.Sources(to)
		same := func(source string) bool { return decode(source) == decode(path) }
		if listed && !slices.ContainsFunc(sources, same) {
			t.Fatalf("%s leads to %s, which lists %q", path, to, sources)
		}
		for _, source := range sources {
			listings++
			if again, ok := r.Takes(source); ok && listed && decode(again) != decode(to) {
				t.Fatalf("%s leads to %s, not to %s", source, again, to)
			}
		}
	})
	t.Logf("%d sources", listings)
}

// What a route takes is the same whether it is found by the index or asked.
func TestLaw_IndexFindsTheRoutesThatTakeAPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var routes []*Route
		for range rapid.IntRange(0, 6).Draw(t, "routes") {
			r := &Route{Host: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "host"), Rewrites: true}
			decodes := rapid.Bool().Draw(t, "decodes")
			r.Follow(Mapping{From: drawParts(t, false), To: []Part{{Text: "/s.pdf"}}, Decodes: decodes, Loose: decodes})
			routes = append(routes, r)
		}
		x := indexRoutes(routes)["a"]
		path := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"/", "a", "b", "%20"}), 0, 4).Draw(t, "path"), "")
		found := x.taking(path, decode(path))
		if !slices.IsSorted(found) {
			t.Fatalf("%v is no order", found)
		}
		for i, r := range routes {
			if _, takes := r.Takes(path); takes && r.Host == "a" && !slices.Contains(found, i) {
				t.Fatalf("route %d takes %s, and %v are found", i, path, found)
			}
			if leads := x.leading("/s.pdf"); r.Host == "a" && !slices.Contains(leads, i) {
				t.Fatalf("route %d leads to /s.pdf, and %v are found", i, leads)
			}
		}
	})
}
