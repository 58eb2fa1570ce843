package snapshot

import (
	"slices"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/internal/seen"
)

// answered is what a deployed site answers: at each URL, some X-Robots-Tag lines.
func answered(lines map[string][]string) *Snapshot {
	var answers []seen.Answer
	for url, header := range lines {
		answers = append(answers, seen.Answer{URL: url, Crawler: seen.Everyone, Status: 200, Got: "all",
			Verdict: seen.Match, Header: header})
	}
	return OfAnswers(answers)
}

// X16j: behind a preview's header line, what the site says to one crawler is known as well.
func TestHouse_LinesForOneCrawlerAreKnownBehindAPreviewsLine(t *testing.T) {
	production := answered(map[string][]string{"/a/": {"googlebot: nosnippet"}, "/b/": nil})
	preview := answered(map[string][]string{"/a/": {"noindex", "googlebot: nosnippet"}, "/b/": {"noindex"}})
	old, now, aside := WithoutPreview(production, preview)
	if changes := Diff(old, now); !changes.Empty() || aside.Nothing {
		t.Errorf("%+v", changes)
	}
	looser := answered(map[string][]string{"/a/": {"noindex"}, "/b/": {"noindex", "bingbot: noarchive"}})
	old, now, _ = WithoutPreview(production, looser)
	var got []string
	for _, change := range Diff(old, now).Changed {
		got = append(got, change.URL+": "+change.Step())
	}
	want := []string{"/a/: googlebot: nosnippet → nothing", "/b/: nothing → bingbot: noarchive"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// X16p: a site that is noindex almost everywhere is no preview, whatever the other side is.
func TestHouse_ExceptionsAreThoseOfOneSide(t *testing.T) {
	noindex, none := []string{"noindex"}, []string(nil)
	almost := answered(map[string][]string{"/a/": none, "/b/": noindex, "/c/": noindex})
	almostToo := answered(map[string][]string{"/a/": noindex, "/b/": none, "/c/": noindex})
	preview := answered(map[string][]string{"/a/": noindex, "/b/": noindex, "/c/": noindex})
	for _, c := range []struct {
		old, now *Snapshot
		excepted [2]string
		nothing  bool
	}{
		{almost, almostToo, [2]string{"/a/", "/b/"}, true},
		{almost, preview, [2]string{"/a/", ""}, false},
		{preview, almostToo, [2]string{"", "/b/"}, false},
		{preview, preview, [2]string{}, false},
	} {
		if _, _, aside := WithoutPreview(c.old, c.now); aside.Excepted != c.excepted || aside.Nothing != c.nothing {
			t.Errorf("got %+v, want %q, nothing %t", aside, c.excepted, c.nothing)
		}
	}
}

// X16m: if neither side is a preview, nothing is left out, and what carries decisions is compared.
func TestHouse_WithoutAPreviewDeliveryIsCompared(t *testing.T) {
	carriedBy := func(carriers ...string) *Snapshot {
		hidden := page("/a/", "noindex, follow")
		hidden.CarriedBy = append([]string{}, carriers...)
		return snap("production", "", []result.Page{hidden, page("/b/", "")})
	}
	old, now, aside := WithoutPreview(carriedBy(plan.ByTag), carriedBy())
	if changes := Diff(old, now); !aside.Nothing || len(changes.NewlyUndelivered) != 1 {
		t.Errorf("%+v, nothing left out %v", changes.NewlyUndelivered, aside.Nothing)
	}
}
