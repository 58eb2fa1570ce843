package robotstxt

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// A group of the policy repeats what * tells its crawlers, unless it says standalone (S5b, S5d,
// S5i).
func TestHouse_GroupsKeepWhatHoldsForEveryone(t *testing.T) {
	everyone := Group{Disallow: Values("/files/")}
	for _, c := range []struct {
		name, own string
		groups    []Group
		block     []policy.Purpose
		want, ids string
	}{
		{"a delay alone", "", []Group{everyone, {Agents: []string{"msnbot"}, CrawlDelay: 5}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nDisallow: /files/\nCrawl-delay: 5\n", ""},
		{"a signal alone", "", []Group{everyone, {Agents: []string{"msnbot"}, ContentSignal: "ai-train=no"}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nDisallow: /files/\nContent-Signal: ai-train=no\n",
			""},
		{"in either order", "", []Group{{Agents: []string{"msnbot"}, CrawlDelay: 5}, everyone}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nDisallow: /files/\nCrawl-delay: 5\n", ""},
		{"signals of everyone", "", []Group{{Agents: []string{"msnbot"}, Disallow: Values("/x/")},
			{ContentSignal: "ai-train=no", ContentUsage: []string{"train-ai=n"}}}, nil,
			"User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nDisallow:\n\nUser-agent: msnbot\n" +
				"Disallow: /x/\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\n", ""},
		{"signals of everyone for who is shut out", "User-agent: *\nDisallow: /x/\nContent-Signal: ai-input=no\n",
			[]Group{{Agents: []string{"CCBot"}, Disallow: Values("/")}, {ContentSignal: "ai-train=no"}}, nil,
			"User-agent: *\nContent-Signal: ai-train=no, ai-input=no\nDisallow:\n\nUser-agent: CCBot\nDisallow: /\n" +
				"Content-Signal: ai-input=no, ai-train=no\n", "policy"},
		{"the stricter of two signals", "", []Group{{Agents: []string{"msnbot"}, ContentSignal: "search=no, ai-train=yes, " +
			"use=full"}, {ContentSignal: "ai-train=no, use=reference"}}, nil,
			"User-agent: *\nContent-Signal: ai-train=no, use=reference\nDisallow:\n\nUser-agent: msnbot\n" +
				"Content-Signal: ai-train=no, use=reference, search=no\nDisallow:\n", "left-out"},
		{"the longer of two delays", "", []Group{{CrawlDelay: 10}, {Agents: []string{"msnbot"}, CrawlDelay: 5},
			{Agents: []string{"Yandex"}, CrawlDelay: 20}}, nil,
			"User-agent: *\nUser-agent: msnbot\nCrawl-delay: 10\nDisallow:\n\nUser-agent: Yandex\nCrawl-delay: 20\n" +
				"Disallow:\n", "left-out"},
		{"the owner's delay for everyone is the longer", "User-agent: *\nCrawl-delay: 10\nDisallow: /x\n",
			[]Group{{CrawlDelay: 3}}, nil, "", "left-out"},
		{"the owner's signal for everyone is the stricter",
			"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /x\n",
			[]Group{{ContentSignal: "ai-train=yes, search=yes"}}, nil,
			"User-agent: *\nContent-Signal: ai-train=no, search=yes\nDisallow:\n", "left-out policy"},
		{"no delay for Google, which reads none", "", []Group{{CrawlDelay: 10}, {Agents: []string{"Googlebot"},
			Disallow: Values("/x/")}}, nil,
			"User-agent: *\nCrawl-delay: 10\nDisallow:\n\nUser-agent: Googlebot\nDisallow: /x/\n", ""},
		{"an exception of one crawler's would loosen", "", []Group{everyone, {Agents: []string{"msnbot"},
			Allow: Values("/files/open/")}}, nil,
			"User-agent: *\nUser-agent: msnbot\nDisallow: /files/\n", "left-out"},
		{"an Allow of one crawler's that loosens nothing", "", []Group{everyone, {Agents: []string{"msnbot"},
			Allow: Values("/x/")}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nDisallow: /files/\nAllow: /x/\n", ""},
		{"standalone", "", []Group{everyone, {Agents: []string{"msnbot"}, Allow: Values("/files/open/"), CrawlDelay: 5,
			Standalone: true}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nAllow: /files/open/\nCrawl-delay: 5\n\n" +
				"User-agent: bingbot\nDisallow: /files/\nCrawl-delay: 5\n", ""},
		{"standalone beside the site's own *", "User-agent: *\nDisallow: /a/\n", []Group{{Agents: []string{"msnbot"},
			Disallow: Values("/b/"), Standalone: true}}, nil,
			"User-agent: msnbot\nDisallow: /b/\n\nUser-agent: bingbot\nDisallow: /a/\nDisallow: /b/\n", ""},
		{"standalone for Googlebot, whose group Applebot obeys", "User-agent: *\nDisallow: /a/\n", []Group{{
			Agents: []string{"googlebot"}, Disallow: Values("/b/"), Standalone: true}}, nil,
			"User-agent: googlebot\nDisallow: /b/\n\nUser-agent: Applebot\nDisallow: /a/\nDisallow: /b/\n", ""},
		{"standalone beside a group of the other name", "User-agent: *\nDisallow: /a/\n\nUser-agent: bingbot\n" +
			"Disallow: /a/\n", []Group{{Agents: []string{"msnbot"}, Disallow: Values("/b/"), Standalone: true}}, nil,
			"User-agent: msnbot\nUser-agent: bingbot\nDisallow: /b/\n", ""},
		{"the other name of a crawler with a group", "User-agent: msnbot\nDisallow: /a/\n", []Group{{
			Agents: []string{"bingbot"}, Disallow: Values("/b/")}}, nil,
			"User-agent: bingbot\nDisallow: /a/\nDisallow: /b/\n", ""},
		{"both names", "", []Group{everyone, {Agents: []string{"bingbot"}, Disallow: Values("/b/")},
			{Agents: []string{"msnbot"}, Disallow: Values("/m/")}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nDisallow: /files/\nDisallow: /m/\n\nUser-agent: " +
				"bingbot\nDisallow: /files/\nDisallow: /m/\nDisallow: /b/\n", ""},
		{"standalone does not undo the site's own group", "User-agent: msnbot\nDisallow: /a/\n",
			[]Group{{Agents: []string{"msnbot"}, Allow: Values("/a/"), Standalone: true}}, nil, "", "left-out"},
		{"one of two groups is not standalone", "", []Group{everyone, {Agents: []string{"msnbot"},
			Disallow: Values("/b/"), Standalone: true}, {Agents: []string{"MSNBot"}, CrawlDelay: 5}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: msnbot\nDisallow: /files/\nDisallow: /b/\nCrawl-delay: 5\n",
			""},
		{"a relative's group", "", []Group{everyone, {Agents: []string{"googlebot-image"}, Disallow: Values("/i/")},
			{Agents: []string{"googlebot"}, Disallow: Values("/g/")}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: googlebot\nDisallow: /files/\nDisallow: /g/\n\nUser-agent: " +
				"googlebot-image\nDisallow: /files/\nDisallow: /g/\nDisallow: /i/\n", ""},
		{"* does not hold for AdsBot", "", []Group{everyone, {Agents: []string{"AdsBot-Google"},
			Disallow: Values("/ads/")}}, nil,
			"User-agent: *\nDisallow: /files/\n\nUser-agent: AdsBot-Google\nDisallow: /ads/\n", ""},
	} {
		p := &Policy{Groups: c.groups, Block: c.block}
		merged := checkBlock(t, c.name, c.own, p, c.want, c.ids)
		if got := listed(Parse(merged).Check(Place{Standalone: p.Standalone()})); got != "" {
			t.Errorf("%s: %s\n%s", c.name, got, merged)
		}
	}
}

// fetches reports whether a robots.txt lets a crawler fetch a path, read octet by octet as
// robots.cc does. It asks this package for one thing: the group that a crawler without its own
// obeys.
func fetches(text []byte, agent, path string) bool {
	_, token := Parse(text).obeyedBy(strings.ToLower(agent))
	if token == "" {
		return true
	}
	allowed, _ := brute(text, token, path)
	return allowed
}

// A group that is added for some crawlers takes from them what it disallows, and never gives a
// crawler a path that it was denied. With a warning the result may be stricter. With an error a
// Disallow may have no effect, the group's or one that it repeats an Allow beside: "Disallow: /$"
// cannot be made heavier than "Allow: /$".
func TestLaw_AGroupNeverFrees(t *testing.T) {
	agents := append(slices.Clone(names[1:]), "msnbot", "otherbot")
	rapid.Check(t, func(t *rapid.T) {
		own, p := []byte(ownerText(t)), policyOf(t)
		g := Group{Agents: rapid.SliceOfNDistinct(rapid.SampledFrom(agents), 1, 2, rapid.ID).Draw(t, "agents"),
			CrawlDelay: float64(rapid.IntRange(0, 1).Draw(t, "delay"))}
		for range rapid.IntRange(0, 2).Draw(t, "disallows") {
			g.Disallow = append(g.Disallow, Value{Text: pattern(t)})
		}
		for range rapid.IntRange(0, 2).Draw(t, "allows") {
			g.Allow = append(g.Allow, Value{Text: pattern(t)})
		}
		before, _, was := Merge(own, p)
		alone := (&Policy{Groups: []Group{g}}).Text()
		p.Groups = append(p.Groups, g)
		after, _, findings := Merge(own, p)
		asked := rapid.SliceOfN(rapid.SampledFrom(paths), 8, 8).Draw(t, "paths")
		has := func(id string) bool {
			return slices.ContainsFunc(slices.Concat(was, findings), func(f policy.Finding) bool { return f.ID == id })
		}
		for _, agent := range agents {
			for _, path := range asked {
				denied, got := !fetches(before, agent, path), fetches(after, agent, path)
				takes := slices.Contains(g.Agents, agent) && !fetches(alone, agent, path)
				switch {
				case (denied || takes) && got && !has("robotstxt-outweighed"),
					slices.Contains(g.Agents, agent) && !denied && !takes && !got && !has("robotstxt-left-out"):
					t.Fatalf("%s %s: denied before %v, by the group %v, fetches %v\n%+v\n%s\n%s", agent, path, denied, takes,
						got, g, before, after)
				}
			}
		}
	})
}

// The law can fail: a standalone group frees its crawler.
func TestLaw_AStandaloneGroupFrees(t *testing.T) {
	p := &Policy{Groups: []Group{{Disallow: Values("/a")}, {Agents: []string{"msnbot"}, Disallow: Values("/b"),
		Standalone: true}}}
	if text := p.Text(); !fetches(text, "msnbot", "/a") || fetches(text, "msnbot", "/b") || fetches(text, "bingbot", "/a") {
		t.Errorf("%s", text)
	}
}
