// Package links measures what [robots.links] adds to a run over a folder of pages. Figures stand in
// docs/bench.md.
//
//	go test -run '^$' -bench . -benchtime 9x ./e2e/bench/links
package links

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"metarobots/e2e/bench/head/corpus"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	generated "metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/internal/write"
)

const pages = 2000

// policies are the same site's without links, with rules for them, and with a class for
// data-nosnippet too, for which every tag is looked at.
var policies = []struct{ name, text string }{
	{"without", ""},
	{"rel", "[[robots.links.rules]]\nrel = \"nofollow\"\nexcept = [\"kept.example\"]\n[[robots.links.rules]]\nrel = " +
		"\"ugc\"\nclass = \"comment\"\n"},
	{"rel-snippet", "[robots.links]\nnosnippet = [\"highlight\"]\n[[robots.links.rules]]\nrel = " +
		"\"nofollow\"\nexcept = [\"kept.example\"]\n[[robots.links.rules]]\nrel = \"ugc\"\nclass = \"comment\"\n"},
	{"unused", "[[robots.links.rules]]\nrel = \"sponsored\"\nhosts = [\"*.shop.example\"]\n"},
}

// page returns a page of the corpus whose links into ten of its forty sections lead away instead:
// 13 links of the median page.
func page(i int) []byte {
	return bytes.ReplaceAll(corpus.Page(i), []byte(`<a href="/s3`), []byte(`<a href="https://s3.example/`))
}

// generate writes the pages and a policy.
func generate(b *testing.B, policy string) string {
	b.Helper()
	text := "[site]\ngenerator = \"html\"\ndestination = \"public\"\n\n[robots]\ndefault = \"noarchive\"\n" + policy
	dir := tables.Folder(b, map[string]string{"metarobots.toml": text})
	restore(b, dir)
	return dir
}

// restore writes the pages as their generator left them.
func restore(b *testing.B, dir string) {
	b.Helper()
	for i := range pages {
		file := filepath.Join(dir, "public", filepath.FromSlash(corpus.Name(i)))
		tables.Must(b, os.MkdirAll(filepath.Dir(file), 0o755))
		tables.Must(b, os.WriteFile(file, page(i), 0o644))
	}
	tables.Must(b, os.RemoveAll(filepath.Join(dir, "state")))
}

// apply runs over a site as the command does, and reports whether anything changed.
func apply(b *testing.B, dir string) bool {
	b.Helper()
	p, err := project.Open(b.Context(), project.Options{WorkDir: dir,
		Earlier: project.EarlierRuns{State: filepath.Join(dir, "state")},
		Getenv:  func(string) string { return "" }}, generated.HTML())
	tables.Must(b, err)
	defer p.Close()
	plan, err := plan.New(b.Context(), p)
	tables.Must(b, err)
	if pages, others := plan.Differing(); len(pages)+len(others) == 0 {
		return false
	}
	tables.Must(b, write.Apply(b.Context(), plan, nil))
	return true
}

// rounds lets the policies run in turn, and reports for each the median time and the median of its
// ratio to the first, taken within a round.
func rounds(b *testing.B, change bool) {
	var dirs []string
	for _, p := range policies {
		dir := generate(b, p.text)
		if !apply(b, dir) {
			b.Fatalf("%s: nothing changed on fresh pages", p.name)
		}
		dirs = append(dirs, dir)
	}
	times := make([][]float64, len(policies))
	ratios := make([][]float64, len(policies))
	for b.Loop() {
		first := 0.0
		for i, dir := range dirs {
			if change {
				restore(b, dir)
			}
			start := time.Now()
			changed := apply(b, dir)
			took := time.Since(start).Seconds()
			if changed != change {
				b.Fatalf("%s: changed %v", policies[i].name, changed)
			}
			if i == 0 {
				first = took
			}
			times[i], ratios[i] = append(times[i], took*1000), append(ratios[i], took/first)
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, p := range policies {
		b.ReportMetric(median(times[i]), "ms-"+p.name)
		if i > 0 {
			b.ReportMetric(median(ratios[i]), "ratio-"+p.name)
		}
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// BenchmarkFirst applies to fresh pages: every one gets a meta, and its links.
func BenchmarkFirst(b *testing.B) { rounds(b, true) }

// BenchmarkAgain applies once more: every page is read, none is written.
func BenchmarkAgain(b *testing.B) { rounds(b, false) }

// The figures speak of pages with 2, 13 and 39 links that lead away at the tenth, fiftieth and
// ninetieth percentile.
func TestHouse_CorpusHasItsLinks(t *testing.T) {
	var with []int
	for i := range pages {
		with = append(with, bytes.Count(page(i), []byte(`href="https://s3.example/`)))
	}
	slices.Sort(with)
	if got, want := []int{with[pages/10], with[pages/2], with[pages*9/10]}, []int{2, 13, 39}; !slices.Equal(got, want) {
		t.Errorf("%d links that lead away, want %d", got, want)
	}
}
