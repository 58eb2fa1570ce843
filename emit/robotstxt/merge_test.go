package robotstxt

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/emit/marks"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// ids returns the IDs of findings, each once, sorted.
func ids(findings []policy.Finding) string {
	var all []string
	for _, p := range findings {
		all = append(all, strings.TrimPrefix(p.ID, "robotstxt-"))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

const (
	begin = marks.Begin + "\n"
	end   = marks.End + "\n"
)

func group(all ...Group) Policy { return Policy{Groups: all} }

// checkBlock checks what Merge adds to an owner's text, that a second run changes nothing, and that
// the text comes back.
func checkBlock(t *testing.T, name, own string, p *Policy, block, findings string) (merged []byte) {
	t.Helper()
	merged, _, found := Merge([]byte(own), p)
	added := ""
	if block != "" {
		added = begin + block + end
	}
	if own != "" && block != "" {
		added = "\n" + added
	}
	if strings.HasSuffix(own, "\r\n") {
		added = strings.ReplaceAll(added, "\n", "\r\n")
	}
	if string(merged) != own+added || ids(found) != findings {
		t.Errorf("%s: %s %v\ngot\n%s\nwant\n%s", name, ids(found), found, merged, own+added)
	}
	if again, _, _ := Merge(merged, p); !bytes.Equal(again, merged) {
		t.Errorf("%s: a second run makes\n%s", name, again)
	}
	if back, _, _ := Merge(merged, &Policy{}); string(back) != own {
		t.Errorf("%s: without the policy\n%q\nwant\n%q", name, back, own)
	}
	return merged
}

// The block for what an owner has and what a policy states. Letters that some readers decode count
// in both spellings, ours (S5k) and the owner's (S5l), and our rules of Content-Usage for one path
// are one (S5h).
func TestHouse_MergedFiles(t *testing.T) {
	for _, c := range []struct {
		name, own  string
		policy     Policy
		block, ids string
	}{
		{"nothing", "User-agent: *\n", Policy{}, "", ""},
		{"no file", "", Policy{Groups: []Group{{Disallow: Values("/drafts/")}},
			Sitemaps: Values("https://example.org/sitemap.xml")},
			"User-agent: *\nDisallow: /drafts/\n\nSitemap: https://example.org/sitemap.xml\n", ""},
		{"the sitemap is there", "Sitemap: https://example.org/sitemap.xml\n",
			Policy{Sitemaps: Values("https://example.org/sitemap.xml")}, "", ""},
		{"the same crawler", "User-agent: *\nDisallow: /a/\n", group(Group{Disallow: Values("/b/")}),
			"User-agent: *\nDisallow: /b/\n", ""},
		{"a group of ours repeats what * says", "User-agent: *\nCrawl-delay: 5\nDisallow: /a/\n",
			group(Group{Agents: []string{"Bingbot"}, Disallow: Values("/b/")}),
			"User-agent: Bingbot\nDisallow: /a/\nDisallow: /b/\nCrawl-delay: 5\n", ""},
		{"our * reaches the owner's crawlers", "User-agent: Bingbot\nDisallow: /a/\n",
			group(Group{Disallow: Values("/b/")}), "User-agent: *\nUser-agent: Bingbot\nDisallow: /b/\n", ""},
		{"a crawler shut out needs nothing repeated", "User-agent: *\nAllow: /a/b/\nDisallow: /a/\n",
			group(Group{Agents: []string{"CCBot"}, Disallow: Values("/")}), "User-agent: CCBot\nDisallow: /\n", ""},
		{"the owner's Allow is outweighed", "User-agent: *\nAllow: /press/kit/\n",
			group(Group{Disallow: Values("/press/")}),
			"User-agent: *\nDisallow: /press/***** # outweighs Allow: /press/kit/\n", ""},
		{"our Allow does not loosen the owner's Disallow", "User-agent: *\nDisallow: /a/b/\n",
			group(Group{Disallow: Values("/a/"), Allow: Values("/a/b/c/")}), "User-agent: *\nDisallow: /a/\n",
			"left-out"},
		{"nor in part", "User-agent: *\nDisallow: /a/*/x\n",
			group(Group{Disallow: Values("/a/"), Allow: Values("/a/b/c/d/")}),
			"User-agent: *\nAllow: /a/b/c/d/\nDisallow: /a/\nDisallow: /a/*/x**** # outweighs Allow: /a/b/c/d/\n", ""},
		{"nor where the owner makes exceptions", "User-agent: *\nDisallow: /a/b/\nAllow: /a/b/x/\n",
			group(Group{Disallow: Values("/a/"), Allow: Values("/a/b/c/")}),
			"User-agent: *\nDisallow: /a/***** # outweighs Allow: /a/b/x/\n", "left-out"},
		{"an index page stands for its folder, without a line", "User-agent: *\nDisallow: /b/\n",
			group(Group{Disallow: Values("/a/"), Allow: Values("/a/index.html")}),
			"User-agent: *\nAllow: /a/index.html\nDisallow: /a/\n", ""},
		{"nor without that line", "User-agent: *\nDisallow: /a/$\n",
			group(Group{Disallow: Values("/index.html$", "/$"), Allow: Values("/a/index.html$")}),
			"User-agent: *\nDisallow: /index.html$\nDisallow: /$\n", "left-out"},
		{"an Allow that excepts nothing", "User-agent: *\nDisallow: /a/\n", group(Group{Allow: Values("/a/b/")}), "",
			"left-out"},
		{"one path cannot be made heavier", "User-agent: *\nAllow: /*a$\n", group(Group{Disallow: Values("/a$")}),
			"User-agent: *\nDisallow: /a$\n", "outweighed"},
		{"a last group without rules", "User-agent: Bingbot",
			group(Group{Agents: []string{"CCBot"}, Disallow: Values("/")}),
			"Disallow:\n\nUser-agent: CCBot\nDisallow: /\n", ""},
		{"no rules, but a signal", "",
			group(Group{ContentSignal: "search=yes, ai-train=no", ContentUsage: []string{"train-ai=n"},
				CleanParam: []string{"ref /x"}}),
			"User-agent: *\nClean-param: ref /x\nContent-Signal: search=yes, ai-train=no\n" +
				"Content-Usage: train-ai=n\nDisallow:\n", ""},
		{"another signal", "User-agent: *\nContent-Signal: ai-train=yes\nDisallow:\n",
			group(Group{ContentSignal: "ai-train=no"}), "User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n",
			"policy"},
		{"what stands twice in a signal is repeated once", "User-agent: *\nContent-Signal: search=yes, search=no\nDisallow:\n",
			group(Group{Agents: []string{"GPTBot"}, ContentSignal: "ai-train=no"}),
			"User-agent: GPTBot\nContent-Signal: search=no, ai-train=no\nDisallow:\n", ""},
		{"one of two signals", "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: ai-train=yes\nDisallow:\n",
			group(Group{ContentSignal: "ai-train=no"}), "User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n", "policy"},
		{"what the owner's signal allows is not ours to say", "User-agent: *\nContent-Signal: ai-train=yes, search=yes, " +
			"ai-input=no\nDisallow:\n", group(Group{ContentSignal: "ai-train=no"}),
			"User-agent: *\nContent-Signal: ai-train=no, ai-input=no\nDisallow:\n", "policy"},
		{"a denial as the other vocabulary has it", "User-agent: *\nContent-Signal: ai-train=n\nContent-Usage: " +
			"train-ai=no\nContent-Usage: /a/ train-ai=no\nDisallow:\n",
			group(Group{ContentSignal: "ai-train=no", ContentUsage: []string{"train-ai=n, search=y"}}), "User-agent: *\n" +
				"Content-Signal: ai-train=no\nContent-Usage: train-ai=n, search=y\nContent-Usage: /a/ train-ai=n\nDisallow:\n",
			"policy"},
		{"a name that is not a product token", "User-agent: *\nDisallow: /a/\n",
			group(Group{Agents: []string{"archive.org_bot"}, Disallow: Values("/b/")}),
			"User-agent: archive.org_bot\nDisallow: /a/\nDisallow: /b/\n", "agent"},
		{"the owner's names without a letter", "User-agent: 360\nDisallow: /a/\n",
			group(Group{Disallow: Values("/b/")}), "User-agent: *\nUser-agent: 360\nDisallow: /b/\n", ""},
		{"a line that names no crawler", "User-agent:\nContent-Signal: ai-train=yes\nDisallow: /a/\n",
			group(Group{ContentSignal: "ai-train=no"}), "User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n", ""},
		{"the owner's name is another's to readers that cut it", "User-agent: FooBot2\n",
			group(Group{Agents: []string{"FooBot"}, Allow: Values("/"), Standalone: true},
				Group{Disallow: Values("/b/")}),
			"Disallow:\n\nUser-agent: *\nUser-agent: FooBot2\nDisallow: /b/\n\nUser-agent: FooBot\nAllow: /\n", ""},
		{"the policy's name is another's to readers that cut it",
			"User-agent: *\nDisallow: /a/\n\nUser-agent: AI\nDisallow: /b/\n",
			group(Group{Agents: []string{"AI2Bot"}, Disallow: Values("/c/")}),
			"User-agent: AI2Bot\nDisallow: /a/\nDisallow: /b/\nDisallow: /c/\n\nUser-agent: AI\nDisallow: /c/\n", "agent"},
		{"CRLF", "User-agent: *\r\n", Policy{Sitemaps: Values("https://example.org/s.xml")},
			"Sitemap: https://example.org/s.xml\n", ""},
		{"a wrong policy changes nothing", "User-agent: *\n", group(Group{Disallow: Values("x y")}), "", "policy"},
		{"a lone begin mark is the owner's", begin + "User-agent: *\n",
			Policy{Sitemaps: Values("https://example.org/s.xml")}, "Sitemap: https://example.org/s.xml\n", ""},
		{"usage of one path", "", Policy{Groups: []Group{{ContentUsage: []string{"/a train-ai=n", "/b search=y"}},
			{ContentUsage: []string{"/a search=n"}}}},
			"User-agent: *\nContent-Usage: /a train-ai=n, search=n\nContent-Usage: /b search=y\nDisallow:\n", ""},
		{"letters that some decode", "User-agent: *\nDisallow: /%61/\n", group(Group{Allow: Values("/a/x")}), "", "left-out"},
		{"letters that some decode, beside an exception", "User-agent: *\nDisallow: /%61\n",
			group(Group{Disallow: Values("/b/"), Allow: Values("/b/x")}), "User-agent: *\nAllow: /b/x\nDisallow: /b/\n", ""},
		{"an Allow that some decode", "User-agent: *\nAllow: /%61/x\n", group(Group{Disallow: Values("/a/")}),
			"User-agent: *\nDisallow: /a/** # outweighs Allow: /a/x\n", ""},
		{"letters of ours that some decode", "", group(Group{Disallow: Values("/%7Ejoe/", "/über/")}),
			"User-agent: *\nDisallow: /~joe/\nDisallow: /%7Ejoe/\nDisallow: /%C3%BCber/\n", ""},
	} {
		checkBlock(t, c.name, c.own, &c.policy, c.block, c.ids)
	}
}

// S8e: what would loosen for several crawlers is left out with one finding, which names all of
// them.
func TestHouse_WhatIsLeftOutIsOneFinding(t *testing.T) {
	own := "User-agent: *\nDisallow: /files/\n"
	_, _, found := Merge([]byte(own), &Policy{Groups: []Group{{Agents: []string{"Bingbot", "Yandex"},
		Allow: Values("/files/open/")}}})
	if len(found) != 1 || found[0].ID != "robotstxt-left-out" || !strings.Contains(found[0].Text(), "bingbot, yandex,") {
		t.Errorf("%v", found)
	}
}

// S8e: the finding spells names as the owner's file, or else the table or the policy, does.
func TestHouse_WhatIsLeftOutNamesCrawlersAsTheyAreSpelled(t *testing.T) {
	own := "User-agent: *\nDisallow: /files/\n\nUser-agent: ABot\nDisallow: /files/\n"
	_, _, found := Merge([]byte(own), &Policy{Groups: []Group{{Agents: []string{"gptbot", "MJ12bot", "abot", "BBot"},
		Allow: Values("/files/open/")}}})
	for _, names := range []string{"GPTBot, MJ12bot, BBot, Allow", "ABot, Allow"} {
		if !slices.ContainsFunc(found, func(f policy.Finding) bool { return strings.HasPrefix(f.Text(), names) }) {
			t.Errorf("%s: %v", names, found)
		}
	}
}

// What an owner adds after our block stays, and the block goes to the end again.
func TestHouse_TheBlockStandsLast(t *testing.T) {
	p := &Policy{Sitemaps: Values("https://example.org/s.xml")}
	for _, own := range []string{"User-agent: *", "User-agent: *\n", ""} {
		first, _, _ := Merge([]byte(own), p)
		edited := append(slices.Clone(first), "User-agent: x\n"...)
		got, _, _ := Merge(edited, p)
		want := own
		if own != "" && !strings.HasSuffix(own, "\n") {
			want += "\n"
		}
		want += "User-agent: x\n\n" + begin + "Sitemap: https://example.org/s.xml\n" + end
		if string(got) != want {
			t.Errorf("%q\ngot\n%s\nwant\n%s", own, got, want)
		}
	}
}

// The law of Merge: every crawler may fetch what both the owner's file and the policy let it fetch.
// With a warning the result may be stricter, with an error looser; no other finding excuses a
// difference.
func checkMerged(t rapid.TB, own []byte, p *Policy, agents, urls []string) {
	merged, _, findings := Merge(own, p)
	theirs, ours, both := Parse(own), Parse(p.Text()), Parse(merged)
	stricter := strings.Contains(ids(findings), "left-out")
	looser := strings.Contains(ids(findings), "outweighed") || strings.Contains(ids(findings), "too-big")
	for _, agent := range agents {
		for _, url := range urls {
			want := theirs.Ask(agent, url).Allowed && ours.Ask(agent, url).Allowed
			got := both.Ask(agent, url)
			if got.Allowed == want || got.Allowed && looser || !got.Allowed && (stricter || looser) {
				continue
			}
			t.Errorf("%s %s: %+v, the owner says %+v, the policy %+v\n%q\n%q", agent, url, got, theirs.Ask(agent, url),
				ours.Ask(agent, url), own, merged)
			return
		}
	}
	again, _, _ := Merge(merged, p)
	if !bytes.Equal(again, merged) {
		t.Errorf("a second run makes of\n%q\nthis\n%q", merged, again)
	}
	if back := marks.Read(merged).Own(); !bytes.Equal(back, marks.Read(own).Own()) {
		t.Errorf("%q comes back as %q", own, back)
	}
}

func TestLaw_MergedIsTheMostRestrictive(t *testing.T) {
	agents := append(slices.Clone(names[1:]), "googlebot-news", "otherbot", "ClaudeBot", "adsbot-google-mobile")
	rapid.Check(t, func(t *rapid.T) {
		checkMerged(t, []byte(ownerText(t)), policyOf(t), agents, paths)
	})
}

// Where the policy has no Allow and no pattern for one path alone, nothing is left out or
// outweighed: the law holds without excuses.
func TestLaw_DisallowsAloneAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own, p := []byte(ownerText(t)), policyOf(t)
		for i := range p.Groups {
			p.Groups[i].Allow = nil
			for j, d := range p.Groups[i].Disallow {
				p.Groups[i].Disallow[j].Text = strings.TrimSuffix(d.Text, "$")
			}
		}
		_, _, findings := Merge(own, p)
		if said := ids(findings); strings.Contains(said, "left-out") || strings.Contains(said, "outweighed") {
			t.Errorf("%v", findings)
		}
		checkMerged(t, own, p, names[1:], paths)
	})
}

// A law must be able to fail: a block that is only put at the end breaks it.
func TestLaw_AppendingIsNotMerging(t *testing.T) {
	own, p := "User-agent: *\nAllow: /a/b\nDisallow: /c\n",
		&Policy{Groups: []Group{{Agents: []string{"foo"}, Disallow: Values("/a")}}}
	both := Parse(slices.Concat([]byte(own), p.Text()))
	if !both.Ask("foo", "/c").Allowed {
		t.Error("appended, a group of its own still obeys *")
	}
	checkMerged(t, []byte(own), p, []string{"foo", "bar"}, paths)
}

// A file with a group for each crawler is merged and checked without going through all others for
// each.
func TestHouse_ManyGroupsAreLinearWork(t *testing.T) {
	tables.Linear(t, func(n int) func() {
		var own bytes.Buffer
		letters := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i",
			"9", "j")
		for i := range n {
			fmt.Fprintf(&own, "User-agent: %s\nDisallow: /x\n", letters.Replace(strconv.Itoa(i)))
		}
		return func() {
			merged, _, _ := Merge(own.Bytes(), &Policy{Groups: []Group{{Disallow: Values("/y")}}})
			Parse(merged).Check(Place{})
		}
	})
}

// S9g: some readers cut AI2Bot to AI, and others compare whole names. By neither reading does a
// group that is added free one of the two.
func TestLaw_NamesThatSomeReadersCutAreNeverFreed(t *testing.T) {
	says := [][2][]string{{}, {nil, {"/"}}, {nil, {"/a"}}, {{"/a"}, {"/"}}, {{"/a/b"}, {"/a"}}, {{"/"}, nil}}
	agents := []string{"*", "AI", "AI2Bot"}
	// Each number is one choice for the three agents; the first leaves an agent out.
	choice := func(n int) (all []Group) {
		for _, agent := range agents {
			if chosen := says[n%len(says)]; chosen[0] != nil || chosen[1] != nil {
				all = append(all, Group{Agents: []string{agent}, Allow: Values(chosen[0]...), Disallow: Values(chosen[1]...)})
			}
			n /= len(says)
		}
		return all
	}
	const choices = 6 * 6 * 6
	for own := range choices {
		for ours := own % tables.Cases(41, 1); ours < choices; ours += tables.Cases(41, 1) {
			owner, p := group(choice(own)...), group(choice(ours)...)
			var text strings.Builder // unlike a policy's, in which groups repeat others
			for _, g := range owner.Groups {
				fmt.Fprintf(&text, "User-agent: %s\n%s\n", g.Agents[0], strings.Join(texts(g.lines()), "\n"))
			}
			merged, _, findings := Merge([]byte(text.String()), &p)
			if strings.Contains(ids(findings), "outweighed") {
				continue
			}
			before, after, alone := Parse([]byte(text.String())), Parse(merged), Parse(p.Text())
			for _, agent := range agents {
				for _, path := range []string{"/", "/a", "/a/b", "/x"} {
					isFreed := after.Ask(agent, path).Allowed &&
						!(before.Ask(agent, path).Allowed && alone.Ask(agent, path).Allowed)
					if isFreed {
						t.Fatalf("%s may fetch %s by\n%s\nof\n%s\nand\n%s", agent, path, merged, text.String(), p.Text())
					}
				}
			}
		}
	}
}
