package policy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// S9b, S9c: what a list says of a crawler, and what the table says of it.
func TestHouse_ListedCrawlers(t *testing.T) {
	for _, row := range tables.Read(t, "testdata/listed.txt") {
		name, function, want, why := row["name"], row["function"], row["purpose"], row["why"]
		list, err := ReadCrawlerList([]byte(`{"` + name + `": {"function": "` + function + `"}}`))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		purpose, reason := "", ""
		for _, c := range list.Crawlers {
			purpose = string(c.Purpose)
		}
		for group, names := range map[string][]string{"unclear": list.Unclear, "engine": list.Engines, "unusable": list.Unusable} {
			if slices.Contains(names, name) {
				reason += group
			}
		}
		if purpose != want || reason != why {
			t.Errorf("%s, %q: purpose %q, %q; want %q, %q", name, function, purpose, reason, want, why)
		}
	}
}

// S9f: a group names a crawler as the list does, without a version.
func TestHouse_ListedCrawlersKeepTheirNames(t *testing.T) {
	for name, want := range map[string]string{"AI2Bot": "AI2Bot", "img2dataset": "img2dataset", "Kangaroo Bot": "Kangaroo Bot",
		"New.Bot/1.0 (+https://example.org)": "New.Bot", "NewBot ": "NewBot"} {
		list, err := ReadCrawlerList([]byte(`{"` + name + `": {"function": "AI Data Scrapers"}}`))
		if err != nil || len(list.Crawlers) != 1 || list.Crawlers[0].Token != want {
			t.Errorf("%q: %+v, %v, want %q", name, list, err, want)
		}
	}
}

// S9d: what has another form, or names nobody, is an error.
func TestHouse_ListsOfAnotherFormAreErrors(t *testing.T) {
	for _, text := range []string{"", "[]", "{}", `{"A": 1}`, `{"A": {"function": 5}}`, `"A"`, "User-agent: A"} {
		if list, err := ReadCrawlerList([]byte(text)); err == nil {
			t.Errorf("%q: no error, %d crawlers", text, len(list.Crawlers))
		}
	}
	list, err := ReadCrawlerList([]byte("\ufeff" + `{"ABot": {"operator": "A", "function": "search", "respect": "No", "more": [1]}}`))
	if err != nil || len(list.Crawlers) != 1 || !list.Crawlers[0].RobotsTxt.MayIgnore || list.Crawlers[0].Operator != "A" {
		t.Errorf("%+v, %v", list, err)
	}
}

// S9e: a list is as old as the day in its name.
func TestHouse_ListsAreDatedByTheirNames(t *testing.T) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	for file, want := range map[string]bool{"ai.robots.json": false, "ai.robots-2026-11-01.json": false,
		"lists/2025-11-29.json": true, "2025-11-30.json": false, "9999-99-99.json": false} {
		if day, isOutdated := ListOutdated(file, now); isOutdated != want {
			t.Errorf("%s, of %q: outdated %v", file, day, isOutdated)
		}
	}
}

// A list of any text is read or refused, and who is in it has a name, a purpose and no rule of the
// table.
func FuzzReadCrawlerList(f *testing.F) {
	f.Add([]byte(`{"ABot": {"function": "AI Search Crawlers", "respect": "Yes"}, "Googlebot": {}, "a b": {}}`))
	f.Add([]byte(`{"#": {"operator": null}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ReadCrawlerList(text)
		if err == nil && !strings.Contains(string(text), "{") {
			t.Errorf("%q: no error", text)
		}
		for _, c := range list.Crawlers {
			if !slices.Contains(Purposes, c.Purpose) || c.Token == "" || LookupCrawler(c.Token) != nil && LookupCrawler(c.Token).IsSearchEngines() {
				t.Errorf("%q: %+v", text, c)
			}
		}
	})
}
