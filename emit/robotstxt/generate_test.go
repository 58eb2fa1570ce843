package robotstxt

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// The names of the generated files and questions: some related, one without any.
var names = []string{"*", "googlebot", "googlebot-image", "bingbot", "applebot", "adsbot-google", "GPTBot"}

// pattern draws a short pattern over a small alphabet, so that patterns of two files meet.
func pattern(t *rapid.T) string {
	p := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", "*", "a/", "index.html", "%2a",
		"é"}), 0, 4).Draw(t, "pattern"), "")
	if rapid.IntRange(0, 4).Draw(t, "end") == 0 {
		p += "$"
	}
	return p
}

// ownerText draws a robots.txt as an owner might leave it, down to a last group without rules and a
// last line without an end.
func ownerText(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 5).Draw(t, "groups") {
		for range rapid.IntRange(1, 2).Draw(t, "agents") {
			fmt.Fprintf(&b, "User-agent: %s\n", rapid.SampledFrom(names).Draw(t, "agent"))
		}
		for range rapid.IntRange(0, 3).Draw(t, "rules") {
			key := rapid.SampledFrom([]string{"Disallow", "Disallow", "Allow", "dissallow", "Crawl-delay",
				"Sitemap"}).Draw(t, "key")
			value := pattern(t)
			if rapid.IntRange(0, 9).Draw(t, "empty") == 0 {
				value = ""
			}
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	s := b.String()
	switch rapid.IntRange(0, 5).Draw(t, "ends") {
	case 0:
		return strings.TrimSuffix(s, "\n")
	case 1:
		return strings.ReplaceAll(s, "\n", "\r\n")
	case 2:
		return strings.ReplaceAll(s, "\n", "\r")
	}
	return s
}

func policyOf(t *rapid.T) *Policy {
	p := &Policy{}
	for range rapid.IntRange(0, 3).Draw(t, "policy groups") {
		g := Group{Agents: rapid.SliceOfN(rapid.SampledFrom(names), 0, 2).Draw(t, "policy agents")}
		for range rapid.IntRange(0, 2).Draw(t, "policy disallows") {
			g.Disallow = append(g.Disallow, Value{Text: pattern(t)})
		}
		for range rapid.IntRange(0, 2).Draw(t, "policy allows") {
			g.Allow = append(g.Allow, Value{Text: pattern(t)})
		}
		g.CrawlDelay = float64(rapid.IntRange(0, 1).Draw(t, "delay"))
		p.Groups = append(p.Groups, g)
	}
	if rapid.IntRange(0, 4).Draw(t, "block") == 0 {
		p.Block = []policy.Purpose{rapid.SampledFrom(policy.Purposes).Draw(t, "purpose")}
	}
	return p
}

// paths are all paths over a small alphabet up to a length, and some folders' index pages.
var paths = func() []string {
	all := []string{"/"}
	for from := 0; len(all[from]) < 4; from++ {
		for _, c := range []string{"a", "b", "/"} {
			all = append(all, all[from]+c)
		}
	}
	for _, p := range all[:40] {
		all = append(all, p+"index.html", p+"%2A", p+"%C3%A9a", p+"?a")
	}
	return all
}()
