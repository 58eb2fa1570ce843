package address

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawParts draws a pattern of a few texts and named parts: of a destination, with some of the
// names of its source.
func drawParts(t *rapid.T, destination bool, names ...string) (parts []Part) {
	pieces := rapid.SampledFrom([]string{"/", "a", "b/", "-", "%20", "\xff", ":"})
	for _, piece := range rapid.SliceOfN(pieces, 0, 5).Draw(t, "pieces") {
		switch {
		case piece != ":":
			parts = append(parts, Part{Text: piece})
		case destination && len(names) == 0:
		case destination:
			parts = append(parts, Part{Name: rapid.SampledFrom(names).Draw(t, "name")})
		default:
			name := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "new name")
			matches := rapid.SampledFrom([]string{Segment, Segments, Some, Rest}).Draw(t, "matches")
			afterSlash := len(parts) > 0 && strings.HasSuffix(parts[len(parts)-1].Text, "/")
			optional := rapid.Bool().Draw(t, "optional") && afterSlash
			parts = append(parts, Part{Name: name, Matches: matches, Optional: optional})
		}
	}
	return append([]Part{{Text: "/"}}, parts...)
}

func drawPath(t *rapid.T) string {
	pieces := rapid.SampledFrom([]string{"/", "a", "b", "-", "%20"})
	return "/" + strings.Join(rapid.SliceOfN(pieces, 0, 7).Draw(t, "path"), "")
}

// A mapping is the same in both directions: where a path leads, it is listed as a source, unless
// the sources cannot be listed; and what is listed leads there.
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
		loose := decodes && rapid.Bool().Draw(t, "loose")
		r.SetMapping(Mapping{From: from, To: drawParts(t, true, names...), DecodesPath: decodes, IgnoresEndSlash: loose})
		path := normalize(drawPath(t)) // as all that is asked
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
			r.SetMapping(Mapping{From: drawParts(t, false), To: []Part{{Text: "/s.pdf"}}, DecodesPath: decodes, IgnoresEndSlash: decodes})
			routes = append(routes, r)
		}
		x := indexRoutes(routes)["a"]
		path := drawPath(t)
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

// Files of one shape have the same addresses with routes too: whoever writes them down finds what
// the hosts answer.
func TestLaw_ShapesKnowTheRoutes(t *testing.T) {
	handlings := []*Handling{CloudflarePages, Workers(""), Workers("none"), Netlify, Apache, Azure,
		Firebase(true, SlashUnset), Firebase(false, SlashUnset), Vercel(true, SlashAdded), Vercel(false, SlashUnset)}
	names := strings.Fields("index.html p.html q/index.html q/p.html r.html s.pdf x.y.html")
	paths := strings.Fields("/ /p /p/ /p.html /p/index.html /q /q/ /q/index.html /q/index /q/p /s.pdf /r /a /b/c")
	path := rapid.SampledFrom(paths)
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.SampledFrom(handlings).Draw(t, "handling")
		var routes []*Route
		for range rapid.IntRange(1, 3).Draw(t, "routes") {
			r := &Route{Host: h.Host, Rewrites: rapid.Bool().Draw(t, "rewrites"),
				BeforeFiles: rapid.Bool().Draw(t, "first"), IsUncertain: rapid.Bool().Draw(t, "may"),
				Finder: rapid.SampledFrom([]*Handling{nil, Every, Exact}).Draw(t, "finds")}
			from, to := []Part{{Text: path.Draw(t, "from")}}, []Part{{Text: path.Draw(t, "to")}}
			switch rapid.IntRange(0, 3).Draw(t, "form") {
			case 0:
				from, to = []Part{{Text: "/b/"}, {Name: "x", Matches: Rest}}, []Part{{Text: "/"}, {Name: "x"}}
				r.SetMapping(Mapping{From: from, To: to})
			case 1:
				r.SetMatcher(func(path string) bool { return strings.HasPrefix(path, "/q") }, to)
			case 2:
				r.SetUnread(to)
			default:
				decodes := rapid.Bool().Draw(t, "decodes")
				r.SetMapping(Mapping{From: from, To: to, DecodesPath: decodes, IgnoresEndSlash: decodes})
			}
			routes = append(routes, r)
		}
		has := func(file string) bool { return slices.Contains(names, file) }
		asked, known := New(has, routes, h), NewPublished(names, routes, h)
		for _, file := range names {
			compared++
			if want, got := texts(asked.Of(file)), texts(known.Of(file)); !slices.Equal(sorted(got), sorted(want)) {
				t.Fatalf("%s: the addresses of %s are %q, want %q", h.Name, file, got, want)
			}
			served := slices.DeleteFunc(asked.Of(file), func(a Address) bool { return !a.Serves() })
			if want, got := texts(served), texts(slices.Collect(known.Serving(file))); !slices.Equal(sorted(got), sorted(want)) {
				t.Fatalf("%s: %s is served at %q, want %q", h.Name, file, got, want)
			}
		}
	})
	t.Logf("%d files compared", compared)
}

func sorted(all []string) []string {
	slices.Sort(all)
	return all
}
