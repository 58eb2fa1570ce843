package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// page is a page that says one thing.
func page(url, robots string, why ...result.Why) result.Page {
	return result.Page{URL: url, Role: "page", Meta: map[string]string{"robots": robots}, Why: why}
}

// X: of pages that each lost a canonical link of its own, one group is printed and not a line for
// each.
func TestHouse_ChangesAreSortedByWhatTheyMean(t *testing.T) {
	linked := func(url, link string) result.Page {
		return result.Page{URL: url, Headers: []result.HeaderLine{{Name: "Link", Value: link}}}
	}
	rule := why(policy.LayerRule, "config.toml", 7, "robots.rules.robots (rule 1)", "noindex")
	old := snap("production", "", []result.Page{
		page("/same/", "index, follow"),
		page("/out/", "index, follow"),
		page("/in/", "noindex, follow", rule),
		page("/less/", "index, follow"),
		{URL: "/tag/", Meta: map[string]string{"robots": "noindex"}, Header: []string{"noindex"}},
		page("/gone/", "noindex, follow", rule),
		page("/moved/", "noindex, follow", rule),
		page("/one/", "index, follow"),
		{URL: "/both/", Header: []string{"index, follow", "bingbot: noindex, follow"}},
		linked("/a.pdf", `<https://a.example/a/>; rel="canonical"`),
		linked("/b.pdf", `<https://a.example/b/>; rel="canonical"`),
		linked("/c.pdf", `<https://a.example/c/>; rel="license"`),
	})
	now := snap("production", "", []result.Page{
		page("/same/", "index, follow"),
		page("/out/", "noindex, follow", rule),
		page("/in/", "index, follow"),
		page("/less/", "index, follow, noarchive", why(policy.LayerPage, "content/less.md", 3, "robots", "noarchive")),
		{URL: "/tag/", Header: []string{"noindex"}},
		page("/new/", "noindex", rule),
		{URL: "/moved/", Role: "redirect"},
		{URL: "/one/", Role: "page", Meta: map[string]string{"robots": "index, follow",
			"googlebot": "noindex, follow"}, Why: []result.Why{why(policy.LayerPage, "content/one.md", 4, "googlebot",
			"googlebot: noindex")}},
		{URL: "/both/", Header: []string{"index, follow", "googlebot: noindex, follow"}},
		{URL: "/a.pdf"}, {URL: "/b.pdf"}, {URL: "/c.pdf"},
	})
	var b bytes.Buffer
	Diff(old, now).Print(10, func(format string, args ...any) { fmt.Fprintf(&b, format, args...) })
	golden(t, "testdata/diff.txt", b.Bytes())
}

// X: the keys of diff --json, and no list is null.
func TestHouse_KeysOfTheJSONOfDiff(t *testing.T) {
	got := tables.Value(json.Marshal(Diff(&Snapshot{}, &Snapshot{})))(t)
	if want := `{"newlyNoindex":[],"newlyIndexable":[],"newlyAllowed":[],"newlyLeading":[],"newlyUndelivered":[],"changed":[],"added":[],"removed":[],"fetches":[]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A URL is listed if and only if its decision differs; the other direction is the mirror image; and
// the old site with the changes applied says what the new one says.
func TestLaw_Diff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := snap("production", "", pages().Draw(t, "old"))
		b := snap("production", "", pages().Draw(t, "new"))
		if c := Diff(a, a); !c.Empty() {
			t.Fatalf("a site differs from itself: %+v", c)
		}
		forth, back := Diff(a, b), Diff(b, a)
		mirror := func(name string, forth, back []Change) {
			if !slices.EqualFunc(forth, back, func(f, b Change) bool {
				return f.URL == b.URL && f.Was == b.Is &&
					f.Is == b.Was
			}) {
				t.Fatalf("%s: %v there, %v back", name, forth, back)
			}
		}
		mirror("newly noindex", forth.NewlyNoindex, back.NewlyIndexable)
		mirror("newly indexable", forth.NewlyIndexable, back.NewlyNoindex)
		mirror("changed", forth.Changed, back.Changed)
		mirror("added", forth.Added, back.Removed)
		mirror("removed", forth.Removed, back.Added)

		says := func(s *Snapshot) map[string]string {
			m := map[string]string{}
			for _, e := range s.Entries {
				m[e.URL] = e.Told.String()
			}
			return m
		}
		site := says(a)
		for _, l := range forth.Lists() {
			for _, c := range l.List {
				if l.Title == "removed" {
					delete(site, c.URL)
				} else {
					site[c.URL] = c.Is
				}
			}
		}
		if !maps.Equal(site, says(b)) {
			t.Fatalf("applied: %v, want %v", site, says(b))
		}
		for _, c := range forth.Changed { // X: changed does not repeat the first two
			same := func(o Change) bool { return o.URL == c.URL }
			if slices.ContainsFunc(forth.NewlyNoindex, same) || slices.ContainsFunc(forth.NewlyIndexable, same) {
				t.Fatalf("%s stands in two lists", c.URL)
			}
		}
	})
}

// A page out of the index is never overlooked: whoever is told noindex now and was not is listed
// first.
func TestLaw_NewlyNoindexIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := snap("production", "", pages().Draw(t, "old"))
		b := snap("production", "", pages().Draw(t, "new"))
		listed := map[string]bool{}
		for _, c := range Diff(a, b).NewlyNoindex {
			listed[c.URL] = true
		}
		was := a.byURL()
		for _, e := range b.Entries {
			if o := was[e.URL]; o != nil && o.Told.Role == "" && o.Told.State() != seen.Noindex &&
				e.Told.State() == seen.Noindex && !listed[e.URL] {
				t.Fatalf("%s: %s → %s is not listed", e.URL, o.Told, e.Told)
			}
		}
	})
}

func TestHouse_AcknowledgedChangesPass(t *testing.T) {
	var old, now []result.Page
	for _, u := range []string{"/a/", "/b%20c/", "/press/kit.pdf", "/press/2026/fair.pdf", "/p.html"} {
		old = append(old, page(u, "index, follow"))
		now = append(now, page(u, "noindex"))
	}
	c := Diff(snap("production", "", old), snap("production", "", now))
	for _, k := range []struct {
		globs, left, idle []string
	}{
		{nil, []string{"/a/", "/b%20c/", "/p.html", "/press/2026/fair.pdf", "/press/kit.pdf"}, nil},
		{[]string{"/a/", "/b c/", "/p"}, []string{"/press/2026/fair.pdf", "/press/kit.pdf"}, nil},
		{[]string{"/a/index.html", "/press/**/*.pdf", "/gone/"}, []string{"/b%20c/", "/p.html"}, []string{"/gone/"}},
		{[]string{"/**"}, nil, nil},
	} {
		list := globs(t, k.globs...)
		rest, idle := c.Unacknowledged(list)
		left := rest.NewlyNoindex
		var urls, unused []string
		for _, l := range left {
			urls = append(urls, l.URL)
		}
		for _, i := range idle {
			unused = append(unused, list[i].String())
		}
		if !slices.Equal(urls, k.left) || !slices.Equal(unused, k.idle) {
			t.Errorf("%q: left %q, idle %q; want %q, %q", k.globs, urls, unused, k.left, k.idle)
		}
		// The other way round the same pages are newly indexable.
		rest, _ = Diff(snap("production", "", now), snap("production", "", old)).Unacknowledged(list)
		if out, in := rest.NewlyNoindex, rest.NewlyIndexable; len(out) > 0 || len(in) != len(left) {
			t.Errorf("%q: newly indexable %v, and newly noindex %v", k.globs, in, out)
		}
	}
}

// diffDeployed compares a snapshot with another, of a deployed site at https://a.example/docs/.
func diffDeployed(old, now *Snapshot) *Changes {
	a, b, _ := ComparableAsDeployed(old, now, []string{"https://a.example/docs/"})
	return Diff(a, b)
}

// H: other headers are in the file where there are any, without those that are lost, and diff
// compares them.
func TestHouse_OtherHeadersAreCompared(t *testing.T) {
	line := func(value string, lost bool) result.HeaderLine {
		return result.HeaderLine{Name: "Link", Value: value, Lost: lost, Rule: result.HeaderRule{File: "m.toml", Line: 3}}
	}
	pdf := func(lines ...result.HeaderLine) *Snapshot {
		return snap("production", "", []result.Page{{URL: "/a.pdf", Headers: lines}, {URL: "/b.pdf"}})
	}
	text := func(s *Snapshot) string {
		text := string(written(t, s))
		read, err := Read(strings.NewReader(text))
		if err != nil || !Diff(s, read).Empty() {
			t.Errorf("%v: read back otherwise:\n%s", err, text)
		}
		return text
	}
	none, a, b := pdf(line("</x/>", true)), pdf(line("</a/>", false)), pdf(line("</b/>", false))
	if text := text(none); strings.Contains(text, "headers") {
		t.Error(text)
	}
	if text := text(a); !strings.Contains(text, "\"headers\": {\n    \"/a.pdf\": [\"Link: </a/>\"]\n  }") {
		t.Error(text)
	}
	got := Diff(a, b)
	want := Change{URL: "/a.pdf", Was: "nothing; Link: </a/>", Is: "nothing; Link: </b/>", Reason: seen.Reason{Text: "other headers"},
		File: "m.toml", Line: 3}
	if len(got.Changed) != 1 || got.Changed[0] != want || len(got.Lists()) != 1 {
		t.Errorf("%+v", got)
	}
	if got := diffDeployed(a, none); !got.Empty() {
		t.Errorf("a deployed site: %+v", got)
	}
}

// I: what AI may do is in the file, once for each decision. A use that is no longer denied is a
// list of its own, and one that is newly denied a change.
func TestHouse_PreferencesAboutAIAreCompared(t *testing.T) {
	site := func(ai map[string]string) *Snapshot {
		return snap("production", "", []result.Page{{URL: "/a/", AI: ai}, {URL: "/b/", AI: ai}})
	}
	none, denied := site(nil), site(map[string]string{"training": "deny", "search": "allow"})
	allowed := site(map[string]string{"training": "allow", "search": "allow"})
	text := string(written(t, denied))
	if read, err := Read(strings.NewReader(text)); err != nil || !Diff(denied, read).Empty() ||
		strings.Count(text, `"ai"`) != 1 || strings.Contains(string(written(t, none)), `"ai"`) {
		t.Errorf("%v: %s", err, text)
	}
	for _, now := range []*Snapshot{none, allowed} {
		got := Diff(denied, now)
		if len(got.NewlyAllowed) != 2 || got.NewlyAllowed[0].Reason.Text != "training" || len(got.Lists()) != 1 {
			t.Errorf("%+v", got)
		}
		if rest, _ := got.Unacknowledged(globs(t, "/a/")); len(rest.NewlyAllowed) != 1 {
			t.Errorf("%+v", rest)
		}
		back := Diff(now, denied)
		if len(back.Changed) != 2 || len(back.Lists()) != 1 || back.Changed[0].Reason.Text != "what AI may do" {
			t.Errorf("%+v", back)
		}
	}
	if got := diffDeployed(denied, none); !got.Empty() {
		t.Errorf("a deployed site: %+v", got)
	}
}

// X: of a deployed site, canonical links by header and preferences are compared: by the values,
// whatever their form, with those of its own host as paths. Other links are left out, and other
// headers named (X16g).
func TestHouse_HeadersOfDeployedSitesAreCompared(t *testing.T) {
	answer := func(lines ...string) *Snapshot {
		h := http.Header{}
		for _, l := range lines {
			name, value, _ := strings.Cut(l, ": ")
			h.Add(name, value)
		}
		return OfAnswers([]seen.Answer{{URL: "/a.pdf", Crawler: "robots", Got: "all", Status: 200, Others: DeployedHeaders(h)}})
	}
	planned := snap("production", "", []result.Page{{URL: "/a.pdf", Headers: []result.HeaderLine{
		{Name: "Link", Value: `<https://a.example/docs/a/>; rel="canonical"`}, {Name: "Link", Value: "</x.css>; rel=preload"},
		{Name: "Content-Usage", Value: "train-ai=n"}, {Name: "X-Own", Value: "1"}}}})
	_, _, others := ComparableAsDeployed(planned, planned, []string{"https://a.example/docs/"})
	if want := []string{"Link (except canonical)", "X-Own"}; !slices.Equal(others, want) {
		t.Errorf("left out are %q, want %q", others, want)
	}
	for _, c := range []struct {
		is   *Snapshot
		want string
	}{
		{answer(`Content-Usage: train-ai=n`, `Link: </a/>; rel=canonical`), ""},
		{answer(`Content-Usage:  train-ai=n`, `Link: </y>; rel=preload`, `Link: <https://a.example/docs/a/>; rel=Canonical`), ""},
		{answer(`Content-Usage: train-ai=n`), `nothing; Link: </a/>; rel="canonical" → nothing`},
		{answer(`Content-Usage: train-ai=y`, `Link: </a/>; rel=canonical`),
			`nothing; Content-Usage: train-ai=n → nothing; Content-Usage: train-ai=y`},
		{answer(`Content-Usage: train-ai=n`, `Link: <https://b.example/a/>; rel=canonical`),
			`nothing; Link: </a/>; rel="canonical" → nothing; Link: <https://b.example/a/>; rel="canonical"`},
		{answer(`Content-Usage: train-ai=n`, `Link: </a/>; rel=canonical`, "Tdm-Reservation: 1"),
			`nothing → nothing; tdm-reservation: 1`},
	} {
		got := ""
		for _, change := range diffDeployed(planned, c.is).Changed {
			got += change.Step()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
