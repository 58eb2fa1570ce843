package headerfile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/headerfile"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// ownersValue is a value as owners write them, some for one crawler.
func ownersValue(r *rand.Rand) string {
	return pick(r, "noindex", "noindex", "nofollow", "index, follow", "noarchive", "max-snippet: 5", "indexifembedded",
		"googlebot: nosnippet", "googlebot: noindex", "googlebot: noindex, indexifembedded", "bingbot: nocache",
		"gptbot: noarchive", "googlebot-news: nosnippet", "nobot: noindex", "noindex, googlebot: nofollow",
		"*: noindex", "unavailable_after: 25 Jun 2010 15:00:00 GMT", "noindex; nofollow")
}

// ownersHeaders is a _headers file with rules that meet the paths of the law.
func ownersHeaders(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(pick(r, "/*", "/a.pdf", "/d/*", "/d/b.pdf", "/p", "/p.html", "/d/", "/d*", "/:any") + "\n")
		if r.IntN(6) == 0 {
			b.WriteString("  ! X-Robots-Tag\n")
		}
		for range 1 + r.IntN(3) {
			b.WriteString("  X-Robots-Tag: " + ownersValue(r) + "\n")
		}
	}
	return b.String()
}

func ownersTOML(r *rand.Rand) string {
	values := []string{}
	for range 1 + r.IntN(3) {
		values = append(values, fmt.Sprintf("%q", ownersValue(r)))
	}
	return fmt.Sprintf("[[headers]]\nfor = %q\nvalues.X-Robots-Tag = [%s]\n", pick(r, "/*", "/a.pdf", "/d/*"),
		strings.Join(values, ", "))
}

// sentLines are the ways in which the hosts of a target send X-Robots-Tag at a request path:
// Netlify and Cloudflare Pages in one line, Cloudflare Workers in one line for each block.
func sentLines(d *headers.Dialect, file []byte, path string) (ways [][]string) {
	values := d.Values(d.Parse(file, robotstag.Name), "a.example", path)
	ways = [][]string{{strings.Join(robotstag.Texts(values), ", ")}}
	if d == headers.Netlify {
		return ways
	}
	lines, texts, last := strings.Split(string(file), "\n"), []string(nil), 0
	for _, v := range values {
		block := v.Line
		for block > 0 && !strings.HasPrefix(strings.TrimSpace(lines[block-1]), "/") {
			block--
		}
		if block != last {
			texts = append(texts, v.Text)
		} else {
			texts[len(texts)-1] += ", " + v.Text
		}
		last = block
	}
	return append(ways, texts)
}

// read is what crawlers make of the lines of one answer (D0, D3).
func read(p *policy.Policy, lines []string) policy.Decision {
	var all []policy.Statement
	for _, line := range lines {
		readings, _ := policy.ParseHeader(line, policy.Found, p.Crawlers)
		all = append(all, readings...)
	}
	policy.ApplyIndexIfEmbedded(all)
	return p.Resolve(all)
}

// N5f, N5g, N8, D0: whatever lines of X-Robots-Tag the owner's files hold, each counts by itself.
// In no way in which a host may send what is written does a crawler read less than what is decided,
// unless an error names the file.
func TestLaw_WhatIsServedSaysWhatTheOwnerMeans(t *testing.T) {
	served := map[bool]int{} // of sites without a netlify.toml, which no rule of ours goes before
	for seed := range tables.Cases(120, 300) {
		r := rand.New(rand.NewPCG(uint64(seed), 38))
		target := pick(r, "portable", "cloudflare", "netlify")
		own, toml := ownersHeaders(r), ""
		files := []string{"out/_headers: " + strings.ReplaceAll(own, "\n", "|")}
		if target != "cloudflare" && r.IntN(3) == 0 {
			toml = ownersTOML(r)
			files = append(files, "netlify.toml: "+strings.ReplaceAll(toml, "\n", "|"))
		}
		w := tables.Value(open(t, target, files...))(t)
		p := w.project.Policy
		decided := []headerfile.Decided{{Name: "a.pdf"}, {Name: "d/b.pdf"}, {Name: "d/index.html"}, {Name: "p.html"},
			{Name: "q.txt"}}
		for i := range decided {
			if r.IntN(3) == 0 {
				decided[i].Header = []string{pick(r, "noindex, follow", "noarchive", "nofollow")}
			}
		}
		var named []string
		w.compile(decided)
		for _, f := range w.found {
			if f.Severity == policy.Error {
				named = append(named, f.URL)
			}
		}
		file := w.files.All[0].Change.New
		over := netlifyTOML(toml)
		for i := range decided {
			d := &decided[i]
			statesOwn(t, seed, own+toml, d.Decision, target, own, d.Name)
			for _, dialect := range tables.Value(headers.Dialects(target))(t) {
				for path := range dialect.Requests(nil, d.Name, "") {
					ways := sentLines(dialect, file, path)
					if v := headers.Netlify.Values(over, "", path); dialect == headers.Netlify && len(v) > 0 {
						ways = [][]string{{robotstag.Join(v)}}
					}
					for _, lines := range ways {
						got := read(p, lines)
						covers := got.Covers(d.Decision)
						if toml == "" {
							served[covers]++
						}
						if !covers && !slices.Contains(named, d.URL) {
							t.Fatalf("seed %d, %s %s: %q says less than %q, and no error names it\nowner:\n%s%s\n"+
								"written:\n%s", seed, dialect.Name(), path, lines, d.Header, own, toml, file)
						}
					}
				}
			}
		}
	}
	if served[true] < 100*served[false] {
		t.Errorf("of %d answers %d are left to an error", served[true]+served[false], served[false])
	}
}

// netlifyTOML is the rules of a netlify.toml that [ownersTOML] wrote, as Netlify reads them.
func netlifyTOML(text string) *headers.Parsed {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if path, ok := strings.CutPrefix(line, "for = "); ok {
			b.WriteString(strings.Trim(path, "\"\n") + "\n")
		} else if list, ok := strings.CutPrefix(line, "values.X-Robots-Tag = ["); ok {
			for _, value := range strings.Split(strings.Trim(list, "]\n"), `", "`) {
				b.WriteString("  X-Robots-Tag: " + strings.Trim(value, `"`) + "\n")
			}
		}
	}
	return headers.Netlify.Parse([]byte(b.String()), robotstag.Name)
}

// statesOwn checks that a decision restricts all that each line of the owner's says by itself to
// whom it names.
func statesOwn(t *testing.T, seed int, all string, d *policy.Decision, target, own, name string) {
	t.Helper()
	p := policy.Policy{}
	for _, dialect := range tables.Value(headers.Dialects(target))(t) {
		for path := range dialect.Requests(nil, name, "") {
			blocks := map[int][]policy.Statement{}
			for _, v := range dialect.Values(dialect.Parse([]byte(own), robotstag.Name), "a.example", path) {
				readings, _ := policy.ParseHeader(v.Text, policy.Found, policy.Crawlers{})
				blocks[v.Block] = append(blocks[v.Block], slices.DeleteFunc(readings, func(s policy.Statement) bool {
					return s.Crawler == "nobot"
				})...)
			}
			for _, statements := range blocks {
				policy.ApplyIndexIfEmbedded(statements)
				if meant := p.Resolve(statements); !d.Covers(&meant) {
					t.Fatalf("seed %d: %s is decided with %v, which leaves out what %v says\n%s", seed, name, d,
						statements, all)
				}
			}
		}
	}
}
