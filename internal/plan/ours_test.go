package plan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"metarobots/internal/plan"
	"metarobots/internal/tables"
	"metarobots/internal/write"
)

// What is ours in small pages: the policies are those that print what the pages say.
var (
	ownPolicies = [...]string{
		"default = \"\"\n", "", "default = \"noindex\"\n", "default = \"\"\nagents = {googlebot = \"noindex\"}\n",
		"default = \"nosnippet\"\nlinks = {rules = [{rel = \"ugc\"}]}\n",
	}
	ownTags = []string{
		"", `<meta name="robots" content="noindex, follow" />`, `<meta name="robots" content="noindex, nofollow" />`,
		`<meta name=robots content="noindex, follow">`, `<META content="noindex, follow" NAME="robots" />`,
		`<meta name="robots" content="noindex, follow" data-x />`, `<meta name="googlebot" content="noindex, follow" />`,
		`<meta name="robots" content="nosnippet, noarchive" /><meta name="googlebot" content="noindex, follow" />`,
		`<meta name="robots" content="index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1" />`,
		`<meta name="robots" content="index, follow, nosnippet" />`,
	}
	ownPlaces = []string{ // where we write, behind the title, in the body, and where we write in a page with other text
		"<!doctype html><html><head><meta charset=utf-8>%s<title>x</title></head><p><a href=https://o.example/>x</a>",
		"<!doctype html><html><head><meta charset=utf-8><title>x</title>%s</head><p><a href=https://o.example/>x</a>",
		"<!doctype html><html><head><meta charset=utf-8><title>x</title></head><p>%s<a href=https://o.example/>x</a>",
		"<!doctype html><html><head><meta charset=utf-8>%s<title>y</title></head><p><a href=https://o.example/>x</a>",
	}
)

// world is a folder of pages and its state.
type world struct {
	t   *testing.T
	dir string
}

// plan plans with a policy, and writes in a context: where that has ended, the run is cut off
// before the first page.
func (w world) plan(policy string, written context.Context) *plan.Plan {
	w.t.Helper()
	tables.Write(w.t, w.dir, map[string]string{"metarobots.toml": htmlSite + policy})
	s := planned(w.t, w.dir)
	if err := write.Apply(written, s, nil); err != nil && written.Err() == nil {
		w.t.Fatal(err)
	}
	return s
}

// read returns the pages as they stand there.
func (w world) read(names map[string]string) map[string]string {
	w.t.Helper()
	left := map[string]string{}
	for name := range names {
		left[name] = string(tables.Value(os.ReadFile(filepath.Join(w.dir, "out", name)))(w.t))
	}
	return left
}

// M7f, M7g, M7i: whatever an earlier run of any policy left, and whether or not the run after it
// was cut off, a page that its generator makes anew is decided on, and written, as in a folder
// without a past, also where it prints byte for byte what a run left. Only after a run that was cut
// off, whose files may be later than anything known, is a page with such bytes taken for ours. Of
// what may come last, a third is tried, with PROOFS=all everything.
func TestLaw_WhatAGeneratorPrintsIsNeverTakenForOurs(t *testing.T) {
	before, after := map[string]string{}, map[string]string{}
	for i, tag := range ownTags[:2] {
		for j, newTag := range ownTags {
			for k, place := range ownPlaces {
				name := fmt.Sprintf("%d-%d-%d.html", i, j, k)
				before[name], after[name] = fmt.Sprintf(ownPlaces[0], tag), fmt.Sprintf(place, newTag)
			}
		}
	}
	newWorld := func(pages map[string]string) world {
		w := world{t, t.TempDir()}
		tables.Write(t, filepath.Join(w.dir, "out"), map[string]string{"index.html": "<!doctype html>home"})
		tables.Write(t, filepath.Join(w.dir, "out"), pages)
		return w
	}
	const n = len(ownPolicies)
	var was, fresh [n]map[string]string // the pages as each policy leaves them
	var decided [n]*plan.Plan           // on pages that were made anew
	for i, policy := range ownPolicies {
		w := newWorld(before)
		w.plan(policy, context.Background())
		was[i] = w.read(before)
		w = newWorld(after)
		decided[i] = w.plan(policy, context.Background())
		fresh[i] = w.read(after)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	for first := range n {
		for _, cutOff := range []bool{false, true} {
			second := (first + 2) % n
			for last := range n {
				if os.Getenv("PROOFS") != "all" && (first+last)%3 > 0 {
					continue
				}
				w := newWorld(before)
				w.plan(ownPolicies[first], context.Background())
				if cutOff {
					w.plan(ownPolicies[second], ended)
				}
				time.Sleep(20 * time.Millisecond) // file systems count in steps of some milliseconds
				tables.Write(t, filepath.Join(w.dir, "out"), after)
				if first%2 == 0 { // some generators set the times back, and so do programs that copy their pages
					past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
					for name := range after {
						tables.Must(t, os.Chtimes(filepath.Join(w.dir, "out", name), past, past))
					}
				}
				got := w.plan(ownPolicies[last], context.Background())
				ours := func(name string) bool {
					return cutOff && after[name] != before[name] &&
						(after[name] == was[first][name] || after[name] == was[second][name])
				}
				check := func(run string, policy int) {
					t.Helper()
					for name, text := range w.read(after) {
						want := fresh[policy][name]
						if ours(name) {
							want = was[policy][name]
						}
						if text != want {
							t.Fatalf("%q left %q of %q; it is made as %q, and %s, with %q, makes it %q", ownPolicies[first],
								was[first][name], before[name], after[name], run, ownPolicies[policy], text)
						}
					}
				}
				check("the next run", last)
				for name := range after {
					if pg, want := got.Page(name), decided[last].Page(name); !ours(name) &&
						!pg.Decision.AtLeast(want.Decision) {
						t.Fatalf("%q, then %q: %q is decided on as %v, not %v", ownPolicies[first], ownPolicies[last],
							after[name], pg.Carries, want.Carries)
					}
				}
				w.plan(ownPolicies[last], context.Background())
				check("a second run", last)
				w.plan(ownPolicies[0], context.Background())
				check("a looser one", 0)
			}
		}
	}
}
