package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
)

// A sample holds the home page, then every decision and section before a second of any, noindex
// first, and is the same each time.
func TestHouse_SampleIsSpread(t *testing.T) {
	decisions := map[string]string{"/": "", "/rare/": "noindex", "/odd/": "nosnippet", "/a/hidden/": "noindex"}
	for i := range 200 {
		decisions[fmt.Sprintf("/a/%d/", i)] = ""
		decisions[fmt.Sprintf("/b/%d/", i)] = ""
	}
	s := snapshotOf(decisions)
	targets, _, err := targetsOf(s, []root{{folder: "/", base: mustBase(t, origin)}})
	tables.Must(t, err)
	names := func(n int, seed uint64) (list []string) {
		for _, t := range sample(targets, Sampling{Most: n, Seed: seed}) {
			list = append(list, t.name)
		}
		return list
	}
	if got := names(3, 1); !slices.Equal(got, []string{"/", "/a/hidden/", "/rare/"}) || names(1, 1)[0] != "/" {
		t.Errorf("3 are %q: the home page comes first, then noindex", got)
	}
	six := strings.Join(names(6, 7), " ")
	for _, part := range []string{"/a/hidden/", "/rare/", "/odd/", "/b/"} {
		if !strings.Contains(six, part) {
			t.Errorf("6 are %q: without %s", six, part)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		n, seed := 1+r.IntN(len(targets)-1), r.Uint64()
		got := names(n, seed)
		if len(got) != n || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != n {
			t.Errorf("%d are %q", n, got)
		}
		if !slices.Equal(got, names(n, seed)) {
			t.Errorf("%d of seed %d are not the same twice", n, seed)
		}
		more := names(n+1, seed)
		for _, name := range got {
			if !slices.Contains(more, name) {
				t.Errorf("%s is among %d and not among %d", name, n, n+1)
			}
		}
	}
	if slices.Equal(names(20, 1), names(20, 2)) {
		t.Error("two seeds choose the same")
	}
	if len(names(0, 1)) != len(targets) || len(names(len(targets)+5, 1)) != len(targets) {
		t.Error("all are not all")
	}
}

// The summary says what was left out.
func TestHouse_SampleInTheSummary(t *testing.T) {
	o, w := options(t, host{"/a": pdf(), "/b": pdf(), "/c": pdf("X-Robots-Tag: noindex")})
	o.Sampling = Sampling{Most: 2, Seed: 5}
	r := against(t, snapshotOf(map[string]string{"/a": "", "/b": "", "/c": "noindex"}), o)
	if s := r.Summary; s.URLs != 3 || s.Asked != 2 || s.Left != 1 || s.Seed != 5 || s.Requests != len(w.requests) {
		t.Errorf("%+v", s)
	}
	find(t, r, "/c", Everyone)
}

// The order of URLs and crawlers is that of the snapshot, however many are asked at once.
func TestHouse_OrderOfResults(t *testing.T) {
	decisions := map[string]string{}
	for i := range 50 {
		decisions[fmt.Sprintf("/%d", i)] = "index, follow | bingbot: nocache"
	}
	o, _ := options(t, host{})
	o.Crawlers, o.Concurrency = nil, 8
	r := against(t, snapshotOf(decisions), o)
	first := outcome(r.Results)
	for range 5 {
		if got := outcome(against(t, snapshotOf(decisions), o).Results); got != first {
			t.Fatalf("%s\nthen %s", first, got)
		}
	}
	sorted := slices.IsSortedFunc(r.Results, func(a, b seen.Answer) int { return strings.Compare(a.URL, b.URL) })
	const start = "/0 robots unreachable; /0 bingbot unreachable; /0 googlebot unreachable; /1 "
	if !sorted || !strings.HasPrefix(first, start) {
		t.Errorf("%s", first)
	}
}

// X18p: a URL that a deployed site answered under another scheme has no address below the base. It
// is counted as passed over, also if the site has a single host.
func TestHouse_AnswersUnderAnotherSchemeArePassedOver(t *testing.T) {
	s := snapshot.OfAnswers([]seen.Answer{{URL: "/a/", Crawler: Everyone, Status: 200},
		{URL: "http://example.org/b/", Crawler: Everyone, Status: 200}})
	targets, passed, err := targetsOf(s, []root{{folder: "/", base: mustBase(t, origin)}})
	if err != nil || len(targets) != 1 || targets[0].name != "/a/" || passed != 1 {
		t.Errorf("%d targets, %d passed over, %v; want /a/ alone, and 1", len(targets), passed, err)
	}
}
