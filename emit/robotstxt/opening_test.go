package robotstxt

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// S5m: what becomes of a robots.txt that hides the noindex of a preview.
func TestHouse_OpenedFiles(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/openings.txt") {
		o := Open([]byte(c["file"]))
		if string(o.Text) != c["opened"] {
			t.Errorf("%s: %q, want %q", c["case"], o.Text, c["opened"])
		}
		var groups []string
		for _, g := range o.Groups {
			groups = append(groups, strings.Join(texts(g.lines()), "; ")+" for "+
				map[bool]string{true: "GPTBot", false: "others"}[slices.Contains(g.Agents, "GPTBot")])
		}
		if got := strings.Join(groups, " + "); got != c["groups"] {
			t.Errorf("%s: groups %q, want %q", c["case"], got, c["groups"])
		}
	}
}

// S5m: whatever the owner's file is, merged with its groups it lets everybody fetch what he could
// fetch before, except where the merge reports an Allow as left out; crawlers for AI fetch nothing
// else, and no rule keeps search engines from everything.
func TestLaw_AnOpenedFileKeepsAIOut(t *testing.T) {
	paths := []string{"/", "/a", "/a/b", "/b", "/x.html"}
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"User-agent: *", "User-agent: Googlebot", "User-agent: GPTBot",
			"user-agent: CCBot # x", "User-agent: Bingbot", "Disallow: /", "Disallow: /*", "Disallow: *", "Disallow /",
			"Disallow: /a", "Allow: /a", "Allow: /", "Disallow:", "Crawl-delay: 3", "", "# x"}), 0, 12).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end")
		text := []byte(strings.Join(lines, end) + end)
		o := Open(text)
		merged, _, found := Merge(o.Text, &Policy{Groups: o.Groups})
		was, is := Parse(text), Parse(merged)
		for _, c := range policy.AllCrawlers() {
			for _, path := range paths {
				compared++
				mayFetch, mightFetch := is.Ask(c.Name, path).Allowed, was.Ask(c.Name, path).Allowed
				isReported := slices.ContainsFunc(found, func(f policy.Finding) bool { return f.ID == "robotstxt-left-out" })
				if mightFetch && !mayFetch && !(c.Purpose != "" && isReported) {
					t.Fatalf("%q: %s could fetch %s, and may not any more: %q", text, c.Token, path, merged)
				}
				if c.Purpose != "" && mayFetch && !mightFetch {
					t.Fatalf("%q: %s could not fetch %s, and may now: %q", text, c.Token, path, merged)
				}
			}
		}
		for _, l := range Parse(merged).Lines {
			if shutsSearchOut(&l) {
				t.Fatalf("%q: line %d, %q, is left: %q", text, l.Number, l.Text, merged)
			}
		}
	})
	t.Logf("%d answers compared", compared)
}
