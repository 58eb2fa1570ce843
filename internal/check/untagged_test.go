package check_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// addressable are the crawlers that a policy may name, and headerOnly those of them that read no
// tags.
func addressable() (names, headerOnly []string) {
	for _, c := range policy.AllCrawlers() {
		if _, ok := (policy.Crawlers{}).Lookup(c.Name); !ok {
			continue
		}
		if names = append(names, c.Name); c.HeaderOnly() {
			headerOnly = append(headerOnly, c.Name)
		}
	}
	return names, headerOnly
}

// randomPolicy is a policy for one of some targets, with statements for some crawlers, those that
// read no tags most of all.
func randomPolicy(r *rand.Rand, targets ...string) string {
	names, headerOnly := addressable()
	agents := func() string {
		var all []string
		used := map[string]bool{}
		for range 1 + r.IntN(3) {
			name := pick(r, pick(r, names...), pick(r, headerOnly...))
			if !used[name] {
				used[name] = true
				directive := pick(r, "noarchive", "noindex", "nosnippet", "noimageindex", "index, follow", "noai",
					"max-snippet:5")
				all = append(all, fmt.Sprintf("%q = %q", name, directive))
			}
		}
		return "agents = { " + strings.Join(all, ", ") + " }\n"
	}
	text := "[robots]\nguard.allow = true\n"
	if r.IntN(4) == 0 {
		text += agents()
	}
	text += fmt.Sprintf("headers.scope = %q\n", pick(r, "auto", "auto", "files", "all"))
	if target := pick(r, targets...); target != "" {
		text += fmt.Sprintf("headers.targets = [%q]\n", target)
	}
	for range 1 + r.IntN(3) {
		text += fmt.Sprintf("[[robots.rules]]\nallowEmpty = true\nmatch = [%q]\n",
			pick(r, "/p.html", "/d/**", "/**", "/*.pdf", "/Cat:x.html", "/f.html"))
		if r.IntN(3) == 0 {
			text += fmt.Sprintf("robots = %q\n", pick(r, "noindex", "nosnippet", "noarchive"))
		}
		if !strings.HasSuffix(text, "\"\n") || r.IntN(3) > 0 || strings.HasSuffix(text, "]\n") {
			text += agents()
		}
	}
	return text
}

// told are the ways in which a host may send X-Robots-Tag for a file, each as the lines of one
// answer.
func told(s *plan.Plan, pg *plan.Page) (ways [][]string) {
	for _, h := range s.Headers {
		if h.Former || h.Target == headers.TargetNone {
			continue
		}
		if h.Target == "vercel" {
			ways = append(ways, vercelSends(h.Change.New, pg.URL))
			continue
		}
		dialects, _ := headers.Dialects(h.Target)
		for _, d := range dialects {
			for path := range d.Requests(nil, pg.File.Name, "") {
				values := d.Values(d.Parse(h.Change.New, robotstag.Name), "a.example", path)
				ways = append(ways, []string{robotstag.Join(values)})
			}
		}
	}
	if ways == nil {
		ways = [][]string{nil}
	}
	return ways
}

// vercelSends is what the last of the rules in a vercel.json says that match a path.
func vercelSends(file []byte, path string) (lines []string) {
	var rules struct {
		Headers []struct {
			Source  string
			Headers []struct{ Key, Value string }
		}
	}
	_ = json.Unmarshal(file, &rules)
	for _, rule := range rules.Headers {
		if regexp.MustCompile("^" + rule.Source + "$").MatchString(path) {
			lines = []string{rule.Headers[0].Value}
		}
	}
	return lines
}

// obeyed is what a crawler that reads no tags of its own makes of the tags for everyone and of a
// header.
func obeyed(p *policy.Policy, pg *plan.Page, lines []string, c *policy.Crawler) policy.Directives {
	var all []policy.Statement
	for _, m := range pg.Carries {
		if m.Name == "robots" {
			readings, _ := policy.ParseMeta(m.Name, m.Content, policy.Found, p.Crawlers)
			all = append(all, policy.At(policy.Origin{}, readings...)...)
		}
	}
	for _, line := range lines {
		readings, _ := policy.ParseHeader(line, policy.Found, p.Crawlers)
		all = append(all, policy.At(policy.Origin{}, readings...)...)
	}
	d := p.Resolve(all)
	return d.Obeyed(c)
}

// isNamed reports whether a finding says that a crawler which reads no tags does not learn what is
// decided for a page.
func isNamed(findings []policy.Finding, pg *plan.Page, crawler string) bool {
	return slices.ContainsFunc(findings, func(f policy.Finding) bool {
		names := strings.Contains(f.Text(), crawler)
		switch f.ID {
		case "no-header", "header-committed":
			return names || !pg.TakesTags()
		case "header-budget":
			return names && pg.TakesTags() && f.File == "metarobots.toml" && f.Line > 0
		case "header-overflow":
			return f.Severity == policy.Error
		}
		return f.URL == pg.URL && f.Severity == policy.Error
	})
}

// A1d, N2d: a crawler that reads headers alone gets what is decided for it, whatever the policy and
// the host, or a finding names it. Every 25th site has more pages than hosts take rules.
func TestLaw_CrawlersThatReadNoTagsAreTold(t *testing.T) {
	_, headerOnly := addressable()
	small := map[string]string{"out/index.html": html(""), "out/p.html": html(""), "out/d/a/index.html": html(""),
		"out/d/a.html": html(`<meta name="robots" content="nofollow">`), "out/a.pdf": "pdf", "out/d/b.pdf": "pdf",
		"out/d/i.png": "png", "out/Cat:x.html": html(""), "out/f.html": "<p>a fragment</p>"}
	large := maps.Clone(small)
	for i := range 110 {
		large[fmt.Sprintf("out/m/%d/index.html", i)] = html("")
		large[fmt.Sprintf("out/m/%d/a.png", i)] = "png"
	}
	named, left := map[bool]int{}, 0
	for seed := range tables.Cases(76, 150) {
		r := rand.New(rand.NewPCG(uint64(seed), 38))
		files, targets := small, []string{"", "portable", "cloudflare", "netlify", "vercel", "none"}
		if seed%25 == 0 {
			files, targets = large, targets[:2]
		}
		text := "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://a.example/\"\n" +
			randomPolicy(r, targets...)
		if seed%25 == 0 {
			text += "[[robots.rules]]\nmatch = [\"/m/*/index.html\"]\n" +
				fmt.Sprintf("agents = { %s = \"nosnippet\" }\n", pick(r, headerOnly...))
		}
		if r.IntN(4) == 0 {
			text += "[robots.environments]\nproduction = \"noindex, nofollow\"\n"
		}
		files["metarobots.toml"] = text
		ctx := context.Background()
		p := tables.Value(project.Open(ctx, project.Options{WorkDir: tables.Folder(t, files),
			Getenv: func(string) string { return "" }}, pages.HTML()))(t)
		s := tables.Value(plan.New(ctx, p))(t)
		findings := check.All(s)
		for _, pg := range s.Pages {
			ways := told(s, pg)
			for _, name := range headerOnly {
				c, _ := p.Policy.Crawlers.Lookup(name)
				want := pg.Decision.Obeyed(c)
				for _, lines := range ways {
					if obeyed(p.Policy, pg, lines, c).Covers(want) {
						named[false]++
						continue
					}
					if named[true]++; s.LeftToTag(pg) {
						left++
					}
					if !isNamed(findings, pg, name) {
						t.Fatalf("seed %d: %s is told %q of %s, tags %q, where %v is decided, and no finding says so: "+
							"%v\n%s", seed, name, lines, pg.URL, pg.Carries, want, findings, text)
					}
				}
			}
		}
		p.Close()
	}
	if left == 0 || named[false] < 10*(named[true]-left) {
		t.Errorf("%d are told, and %d are not, with a finding; %d of them on pages left to their tags",
			named[false], named[true], left)
	}
}
