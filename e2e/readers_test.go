//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// servingEngines are those that the readers read from: workerd as Cloudflare Pages, Netlify's
// command line and Apache; and "as written", a plain server of what the generator wrote, which says
// by its headers what the owner wants.
var servingEngines = []string{"pages", "netlify", "apache"}

const asWritten = "as written"

// A readersFile is what metarobots says of a published file.
type readersFile struct {
	published
	Role string
}

// tags are the metas that a file is said to carry.
func (f readersFile) tags() (list []meta) {
	for name, content := range f.Meta {
		list = append(list, meta{Head: true, Name: name, Content: &content})
	}
	return list
}

// A readersSite is a publish folder with what explain says of it, and what its owner said before.
type readersSite struct {
	publish string
	files   []readersFile
	givenUp map[string]bool // targets that leave pages to their tags
	written string          // the folder as the generator wrote it; empty where the owner's words are not known apart
	wanted  func(file string) []string
}

// A visit is a file as an engine served it.
type visit struct {
	readersFile
	address string // that answered with 200
	kind    string // Content-Type
	header  []string
	body    string
	html    bool
}

// A document is what a reader of documents saw.
type document struct {
	Status int      `json:"status"`
	Header []string `json:"header"`
	Metas  []meta   `json:"metas"`
}

// readersTotals adds up the answers.
type readersTotals struct {
	files, runs, visits, answers int            // runs: sites on engines
	named                        int            // answers that differ for a named reason
	by                           map[string]int // reader and engine to answers
	shown                        map[string]bool
}

func newReadersTotals() *readersTotals {
	return &readersTotals{by: map[string]int{}, shown: map[string]bool{}}
}

// Issue 9: what readers that are not ours read at every URL, as real engines serve it, is what
// explain says.
func TestReaders_ReadWhatExplainSays(t *testing.T) {
	t.Parallel()
	needReaders(t)
	all := newReadersTotals()
	t.Run("example", func(t *testing.T) { all.read(t, readersExample(t)) })
	t.Run("nasty", func(t *testing.T) { all.read(t, readersNasty(t)) })
	all.log(t)
	if t.Failed() || all.runs < 2*len(servingEngines)+1 { // a part of the test proves nothing of that
		return
	}
	for name, d := range readersDefects {
		for _, r := range d.readers {
			if !all.shown[r+": "+name] {
				t.Errorf("%s no longer %s: take it out", r, name)
			}
		}
	}
	for name := range readersLimits {
		if !all.shown[name] {
			t.Errorf("it no longer shows that metarobots %s: take it out", name)
		}
	}
	for name, d := range unservedPages {
		if !all.shown[name] {
			t.Errorf("%s no longer %s: take it out", d.engine, name)
		}
	}
}

func (all *readersTotals) log(t *testing.T) {
	t.Helper()
	if t.Failed() {
		return
	}
	for _, name := range sortedKeys(all.by) {
		t.Logf("%6d answers of %s", all.by[name], name)
	}
	t.Logf("in all: %d files, served %d times, %d answers for %d crawlers each: %d differ from explain, for named "+
		"reasons", all.files, all.visits, all.answers, len(readersCrawlers), all.named)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// read has all readers read a site from all engines, or from one that has its turn.
func (all *readersTotals) read(t *testing.T, site *readersSite) {
	all.files += len(site.files)
	engines := servingEngines
	if !everything {
		engines = engines[rand.IntN(len(engines)):][:1]
	}
	if site.written != "" {
		engines = append([]string{asWritten}, engines...)
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			begin := time.Now()
			base := serve(t, engine, site)
			served := time.Since(begin)
			visits := all.fetch(t, engine, base, site)
			all.runs++
			all.visits += len(visits)
			documents := map[string][]*document{}
			for _, r := range documentReaders {
				start := time.Now()
				part := sample(visits, r, engine, site)
				answers := r.read(t, part)
				documents[r.name] = make([]*document, len(visits))
				next := 0
				for i := range visits {
					if next < len(part) && part[next].address == visits[i].address {
						documents[r.name][i] = &answers[next]
						next++
					}
				}
				all.compareDocuments(t, r.name, engine, site, visits, documents[r.name])
				t.Logf("%s: %d files in %.1f s", r.name, len(part), time.Since(start).Seconds())
			}
			if engine == asWritten {
				return
			}
			for _, r := range resolvingReaders {
				all.compareResolved(t, r, engine, site, visits, documents["Chromium"])
			}
			if everything || site.written != "" {
				all.lighthouse(t, engine, site, paintable(visits, engine))
			}
			t.Logf("%s: served after %.1f s, %d files, %.1f s in all", engine, served.Seconds(), len(visits),
				time.Since(begin).Seconds())
		})
	}
}

// want is what explain says that crawlers are told of a file.
func (v visit) want() orders { return obeyed(v.tags(), v.Header) }

// compareDocuments holds what a reader saw of each file against what explain says: by both channels
// together, and each alone.
func (all *readersTotals) compareDocuments(t *testing.T, reader, engine string, site *readersSite, visits []visit,
	documents []*document) {
	t.Helper()
	var wrong failures
	for i, d := range documents {
		if d == nil {
			continue
		}
		v := visits[i]
		all.answers++
		all.by[reader+", "+engine]++
		got := obeyed(d.Metas, d.Header)
		problem := ""
		switch {
		case d.Status != http.StatusOK:
			problem = fmt.Sprintf("is answered with %d", d.Status)
		case got != v.want():
			problem = fmt.Sprintf("says %q, explain %q", got, v.want())
		case engine == asWritten: // what was told by header may be told by tag
		case obeyed(d.Metas, nil) != obeyed(v.tags(), nil):
			problem = fmt.Sprintf("has tags that say %q, explain %q", obeyed(d.Metas, nil), obeyed(v.tags(), nil))
		case obeyed(nil, d.Header) != obeyed(nil, v.Header) &&
			!(v.html && len(d.Header) == 0 && site.givenUp[targetOf(engine)]):
			problem = fmt.Sprintf("has the header %q, explain %q", d.Header, v.Header)
		}
		if problem == "" {
			continue
		}
		if all.known(reader, v, d) {
			all.named++
			continue
		}
		wrong.errorf(t, "%s: %s %s\nmetas %v\nheader %q\nbody %.300q", reader, v.address, problem, d.Metas, d.Header,
			v.body)
	}
	wrong.sum(t, reader)
}

// compareResolved does the same for a reader that resolves what is said itself. It is given what
// Chromium saw.
func (all *readersTotals) compareResolved(t *testing.T, r resolvingReader, engine string, site *readersSite,
	visits []visit, documents []*document) {
	t.Helper()
	start := time.Now()
	var seen []document
	var addresses []string
	for i, d := range documents {
		if d != nil {
			seen, addresses = append(seen, *d), append(addresses, visits[i].address)
		}
	}
	answers := r.read(t, addresses, seen)
	var wrong failures
	next := 0
	for i, d := range documents {
		if d == nil {
			continue
		}
		v, got := visits[i], answers[next]
		next++
		all.answers++
		all.by[r.name+", "+engine]++
		want := v.want().knowing(r.knows)
		got = got.knowing(r.knows)
		if got == want {
			continue
		}
		if all.known(r.name, v, d) || all.known("Chromium", v, d) {
			all.named++
			continue
		}
		wrong.errorf(t, "%s: %s says %q, explain %q\nmetas %v\nheader %q", r.name, v.address, got, want, d.Metas,
			d.Header)
	}
	wrong.sum(t, r.name)
	t.Logf("%s: %d files in %.1f s", r.name, len(answers), time.Since(start).Seconds())
}

// lighthouse has Lighthouse open pages.
func (all *readersTotals) lighthouse(t *testing.T, engine string, site *readersSite, visits []visit) {
	t.Helper()
	const name = "Lighthouse"
	start := time.Now()
	var asked []map[string]string
	for _, v := range visits {
		asked = append(asked, map[string]string{"url": v.address})
	}
	c := modernNode(t, "readers/lighthouse.mjs", "run", chromiumFile(t))
	for i, blocked := range converse[[]string](t, c, asked) {
		v := visits[i]
		all.answers++
		all.by[name+", "+engine]++
		want := v.want().knowing(lighthouseWords)
		if blocked != nil && blockedOrders(blocked) == want {
			continue
		}
		if blocked != nil && all.known(lighthouseAudit, v, &document{Header: v.header}) {
			all.named++
			continue
		}
		t.Errorf("%s: %s keeps away %q, explain %q", name, v.address, blocked, want)
	}
	t.Logf("%s: %d pages in %.1f s", name, len(visits), time.Since(start).Seconds())
}

// known tells whether a difference has a name, and notes that it shows.
func (all *readersTotals) known(reader string, v visit, d *document) (found bool) {
	for name, defect := range readersDefects {
		if slices.Contains(defect.readers, reader) && defect.concerns(v, d) {
			all.shown[reader+": "+name] = true
			found = true
		}
	}
	for name, concerns := range readersLimits {
		if concerns(v, reader) {
			all.shown[name] = true
			found = true
		}
	}
	return found
}

// targetOf is the target of headers that an engine reads.
func targetOf(engine string) string {
	if engine == "apache" {
		return "apache"
	}
	return "portable"
}

// sample is a reader's part of the files on an engine, and some that its known defects concern.
func sample(visits []visit, r documentReader, engine string, site *readersSite) (part []visit) {
	names := []string{r.name}
	if r.name == "Chromium" { // others are given what it saw
		for _, other := range resolvingReaders {
			names = append(names, other.name)
		}
	}
	concerns := func(d readersDefect, v visit) bool {
		ours := func(name string) bool { return slices.Contains(names, name) }
		return slices.ContainsFunc(d.readers, ours) && d.concerns(v, &document{Header: v.header})
	}
	few := map[string]int{}
	for i, v := range visits {
		if v.Role == "redirect" && r.browses {
			continue // it would be sent on
		}
		take := everything || r.part == nil || r.part(engine, i)
		for name, d := range readersDefects {
			if !take && few[name] < 12 && concerns(d, v) {
				few[name]++
				take = true
			}
		}
		if take {
			part = append(part, v)
		}
	}
	return part
}

// paintable are some pages that show something, which Lighthouse wants, of several decisions; on
// each engine others.
func paintable(visits []visit, engine string) (some []visit) {
	most, like := choose(2, 10), map[orders]int{}
	from := len(visits) * slices.Index(servingEngines, engine) / len(servingEngines)
	for _, v := range slices.Concat(visits[from:], visits[:from]) {
		want := v.want().knowing([]string{"noindex"})
		if len(some) < most && v.html && v.Role == "page" &&
			(strings.Contains(v.body, "<p>shown") || strings.Contains(v.body, "<h1")) && like[want] <= most/3 {
			like[want]++
			some = append(some, v)
		}
	}
	return some
}
