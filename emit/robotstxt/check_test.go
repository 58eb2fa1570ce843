package robotstxt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/policy"
)

// listed returns findings as "line id", in order.
func listed(findings []policy.Finding) string {
	var all []string
	for _, p := range findings {
		all = append(all, fmt.Sprintf("%d %s", p.Line, strings.TrimPrefix(p.ID, "robotstxt-")))
	}
	return strings.Join(all, ", ")
}

func TestHouse_Findings(t *testing.T) {
	all := "User-agent: *\nDisallow:\n"
	for _, c := range []struct {
		name, file string
		site       Site
		want       string
	}{
		{"nothing", "", Site{}, ""},
		{"all is well", "# us\nUser-agent: *\nDisallow: /x/ # why\nAllow: /x/$\nCrawl-delay: 2.5\nClean-param: ref " +
			"/x\nHost: example.org\n\nSitemap: https://example.org/sitemap.xml\n", Site{}, ""},
		{"unknown line", all + "Unicorn: /x\n", Site{}, "3 unknown-line"},
		{"unread line", all + "go away all of you\nonlyone\n: /x\n", Site{},
			"3 unread-line, 4 unread-line, 5 unread-line"},
		{"noindex line", all + "Noindex: /x\nNOFOLLOW: /y\n", Site{}, "3 noindex-line, 4 noindex-line"},
		{"typos", "Useragent: *\ndissallow: /x\nDisallow /y\nSite-map: https://example.org/s.xml\n", Site{},
			"1 typo, 2 typo, 3 typo, 4 typo"},
		{"BOM", "\xEF\xBB\xBF" + all, Site{}, "1 bom"},
		{"UTF-16", "\xFF\xFEU\x00s\x00", Site{}, "0 encoding"},
		{"Latin-1", all + "Disallow: /\xE9t\xE9\n", Site{}, "3 encoding"},
		{"NUL", all + "Disallow: /x\x00y\n", Site{}, "3 encoding"},
		{"too big", all + strings.Repeat("# fill\n", MaxSize/7), Site{}, "0 too-big"},
		{"long line", all + "Disallow: /" + strings.Repeat("x", maxLine) + "\n", Site{}, "3 long-line"},
		{"rule before a group", "Disallow: /x\nCrawl-delay: 1\nContent-Signal: search=yes\nContent-Usage: search=y\n" +
			all, Site{}, "1 rule-before-group, 3 rule-before-group, 4 rule-before-group"},
		{"HTML", "\n<!doctype html>\n<html>\n<p>a: b</p>\n", Site{}, "2 unread-line"},
		{"agents", "User-agent: Googlebot/2.1\nUser-agent:\nUser-agent: 360Spider\nUser-agent: * all\nUser-agent: " +
			"archive.org_bot\nDisallow: /\n", Site{}, "1 agent, 2 agent, 3 agent, 4 agent"},
		{"patterns", "User-agent: *\nDisallow: x\nAllow: https://example.org/x\nDisallow: $\nDisallow: *.pdf$\n",
			Site{}, "2 path, 3 path, 4 path"},
		{"a star alone", "User-agent: *\nDisallow: *\nAllow: **$\nDisallow: /*\nDisallow: *.pdf$\n", Site{},
			"2 path, 3 path"},
		{"delays that nobody reads", "User-agent: Googlebot\nUser-agent: googlebot-image\nCrawl-delay: 5\nDisallow:\n" +
			"\nUser-agent: AdsBot-Google\nUser-agent: bingbot\nCrawl-delay: 5\nDisallow:\n\nUser-agent: " +
			"*\nCrawl-delay: 5\n", Site{URLs: []string{"/"}}, "3 crawl-delay"},
		{"no delay", "User-agent: bingbot\nCrawl-delay: 0\n", Site{URLs: []string{"/"}}, ""},
		{"sitemaps", "Sitemap: /sitemap.xml\nSitemap:\nSITEMAP: HTTPS://example.org/s.xml\n", Site{},
			"1 sitemap, 2 sitemap"},
		{"crawl-delay", "User-agent: *\nCrawl-delay: slow\nCrawl-delay: -1\nDisallow:\n", Site{},
			"2 crawl-delay, 3 crawl-delay"},
		{"content signals", "User-agent: *\nContent-Signal: search=yes, ai-train=no,use=reference\nContent-Signal: " +
			"ai-train\nContent-Signal: ai-train=never\nContent-Signal: ai=no\nContent-signal: search=yes, " +
			"search=no\nDisallow:\n", Site{},
			"3 content-signal, 4 content-signal, 5 content-signal, 6 content-signal, 6 contradiction"},
		{"content usage", "User-agent: *\nContent-Usage: train-ai=n, search=y;x=1\nContent-Usage: /blog/ " +
			"train-ai=y\nContent-Usage: /blog/\nContent-Usage: train-ai=no\nContent-Usage: Train=n\nContent-Usage: " +
			"dream=n\nDisallow:\n", Site{},
			"4 content-usage, 5 content-usage, 6 content-usage, 7 content-usage"},
		{"old labels of content usage", "User-agent: *\nContent-Usage: all=n\nContent-Usage: /x bots=n\nContent-Usage: " +
			"train-genai=n, train-ai=n\nContent-Usage: ai-output=y\nContent-Usage: train-ai=n, train-ai=y\nDisallow:\n",
			Site{}, "2 content-usage, 3 content-usage, 4 content-usage, 5 content-usage, 6 content-usage, 6 contradiction"},
		{"a licence, wherever it stands", "License: https://example.org/license.xml\n" + all +
			"LICENSE: https://rsl.example/1\nLicense: /license.xml\n", Site{}, "5 license"},

		{"a group voids *", "User-agent: *\nDisallow: /x/\n\nUser-agent: bingbot\nCrawl-delay: 5\n", Site{},
			"4 group-voids-star"},
		{"a group with other rules voids *", "User-agent: *\nDisallow: /x/*.pdf$\nUser-agent: bingbot\nDisallow: /y/\n",
			Site{}, "3 group-voids-star"},
		{"a group that repeats does not", "User-agent: *\nDisallow: /x/\nUser-agent: bingbot\nDisallow: " +
			"/x/\nDisallow: /y/\n", Site{}, ""},
		{"a group that says otherwise does not", "User-agent: *\nDisallow: /x/\nUser-agent: bingbot\nAllow: " +
			"/x/\nDisallow: /y/\n", Site{}, ""},
		{"a group that allows all does not", "User-agent: *\nDisallow: /x/\nUser-agent: bingbot\nDisallow:\n", Site{},
			""},
		{"a group that disallows all does not", "User-agent: *\nDisallow: /x/\nUser-agent: GPTBot\nDisallow: /\n",
			Site{}, ""},

		{"below the root", all, Site{Path: "/blog/robots.txt"}, "0 place"},
		{"at the root", all, Site{Path: "/robots.txt"}, ""},
		{"a staging site is not disallowed", "User-agent: *\nDisallow: /\n", Site{Noindex: true}, "2 hides-noindex"},
		{"a staging site is not disallowed for some", "User-agent: googlebot\nDisallow:\nUser-agent: *\nDisallow: /\n",
			Site{Noindex: true}, "4 hides-noindex"},
		{"a staging site that is open", all, Site{Noindex: true}, ""},
		{"path case", "User-agent: *\nDisallow: /Drafts/\nDisallow: /gone/\nDisallow: /x/*.PDF$\nDisallow: /\n",
			Site{URLs: []string{"/drafts/a/", "/x/a.pdf", "/"}}, "2 path-case, 4 path-case"},
		{"path case where both are", "User-agent: *\nDisallow: /Drafts/\n",
			Site{URLs: []string{"/drafts/a/", "/Drafts/b/"}}, ""},
		{"path case of escapes", "User-agent: *\nDisallow: /caf%c3%a9\n", Site{URLs: []string{"/caf%C3%A9/"}}, ""},
	} {
		findings := Parse([]byte(c.file)).Check(c.site)
		if got := listed(findings); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
		for _, p := range findings {
			if p.Message == "" || strings.HasSuffix(p.Message, ".") || strings.Contains(p.Message, "%!") ||
				strings.Contains(p.Message, "\n") {
				t.Errorf("%s: message %q", c.name, p.Message)
			}
		}
	}
}

func TestHouse_PolicyFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		want   string
	}{
		{"nothing", Policy{}, ""},
		{"all is well", Policy{Groups: []Group{{Agents: []string{"*", "Googlebot"}, Disallow: []string{"/é/", "*.pdf$",
			""}, CrawlDelay: 0.5, ContentSignal: "ai-train=no"}}, Sitemaps: []string{"https://example.org/s.xml"},
			Block: []policy.Purpose{policy.AISearch}}, ""},
		{"agent", group(Group{Agents: []string{"Google bot"}}), "error policy"},
		{"no letters", group(Group{Agents: []string{"360"}}), "error policy"},
		{"empty agent", group(Group{Agents: []string{""}}), "error policy"},
		{"mistyped agent", group(Group{Agents: []string{"GTPBot"}}), "warning agent"},
		{"agent of one's own", group(Group{Agents: []string{"our-own-search"}}), ""},
		{"a purpose for an agent", group(Group{Agents: []string{"ai-training"}}), "error policy"},
		{"no product token", group(Group{Agents: []string{"archive.org_bot"}}), "warning agent"},
		{"a star alone", group(Group{Disallow: []string{"*"}}), "error policy"},
		{"slash", group(Group{Disallow: []string{"x/"}}), "error policy"},
		{"two lines", group(Group{Allow: []string{"/x\nDisallow: /"}}), "error policy"},
		{"comment", group(Group{Allow: []string{"/x#y"}}), "error policy"},
		{"long", group(Group{Disallow: []string{"/" + strings.Repeat("x", maxLine)}}), "error policy"},
		{"delay", group(Group{CrawlDelay: -1}), "error policy"},
		{"signal", group(Group{ContentSignal: "ai-train=maybe"}), "error content-signal"},
		{"signal in two lines", group(Group{ContentSignal: "ai-train=no,\nsearch=yes"}), "error policy"},
		{"standalone for everyone", group(Group{Standalone: true}), "warning policy"},
		{"usage", group(Group{ContentUsage: []string{"train-ai"}}), "error content-usage"},
		{"unknown label", group(Group{ContentUsage: []string{"dream=n"}}), "warning content-usage"},
		{"old label", group(Group{ContentUsage: []string{"/x all=n"}}), "warning content-usage"},
		{"clean-param", group(Group{CleanParam: []string{"a\nb"}}), "error policy"},
		{"sitemap", Policy{Sitemaps: []string{"/sitemap.xml"}}, "error policy"},
		{"lines that Lighthouse refuses", Policy{carriers: []string{usageLines}}, "note lighthouse"},
		{"who may not obey", Policy{Block: []policy.Purpose{policy.AIUser}}, "note may-ignore"},
	} {
		got := ""
		for _, p := range c.policy.Check() {
			got += string(p.Severity) + " " + strings.TrimPrefix(p.ID, "robotstxt-")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Many lines of one mistake are one finding with a count.
func TestHouse_AgentsAreOneFinding(t *testing.T) {
	text := "User-agent: foo2\nDisallow: /\nUser-agent: bar3\nUser-agent: baz/4\nDisallow: /\n"
	all := Parse([]byte(text)).Check(Site{})
	if len(all) != 1 || all[0].ID != "robotstxt-agent" || all[0].Line != 1 ||
		!strings.HasSuffix(all[0].Message, " (and 2 more lines)") {
		t.Errorf("%v", all)
	}
}

// What is said of AI twice, and differently, is a finding that names both places.
func TestHouse_Contradictions(t *testing.T) {
	for _, c := range []struct {
		name, file, managed string
		want                []string
	}{
		{"agreement", "User-agent: *\nContent-Signal: ai-train=no, search=yes\nContent-Usage: train-ai=n\n" +
			"Content-Usage: /open/ train-ai=n, search=y\n\nUser-agent: GPTBot\nDisallow: /\n", "", nil},
		{"signals", "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=y\n", "",
			[]string{"3 Content-Usage: train-ai=y: line 2 has Content-Signal: ai-train=no; one allows training and the " +
				"other denies it"}},
		{"one key twice", "User-agent: *\nContent-Usage: /a train-ai=n\nContent-Usage: /a/ train-ai=y\n" +
			"Content-Usage: /a train-ai=y\n", "",
			[]string{"4 Content-Usage: /a train-ai=y: line 2 has Content-Usage: /a train-ai=n; one allows training and " +
				"the other denies it"}},
		{"a search crawler blocked to stop training", "User-agent: *\nContent-Signal: search=yes, ai-train=no\n\n" +
			"User-agent: OAI-SearchBot\nDisallow: /\n", "",
			[]string{"5 Disallow: /: line 2 has Content-Signal: search=yes, ai-train=no; one allows search and the other " +
				"keeps out who fetches for it: OAI-SearchBot (to keep training out, block GPTBot)"}},
		{"a search engine", "User-agent: Googlebot\nDisallow: /\nContent-Usage: search=y\n", "",
			[]string{"2 Disallow: /: line 3 has Content-Usage: search=y; one allows search and the other keeps out who " +
				"fetches for it: Googlebot (to keep training out, block Google-Extended)"}},
		{"training crawlers", "User-agent: *\nContent-Signal: ai-train=yes\n\nUser-agent: CCBot\nUser-agent: GPTBot\n" +
			"Disallow: /\n", "",
			[]string{"6 Disallow: /: line 2 has Content-Signal: ai-train=yes; one allows training and the other keeps out " +
				"who fetches for it: CCBot, GPTBot"}},
		{"a signal that is not read", "User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: bingbot\n" +
			"User-agent: own\nAllow: /\n", "",
			[]string{"4 User-agent: bingbot: line 2 has Content-Signal: ai-train=no, which crawlers with a group of their " +
				"own do not read: bingbot, own"}},
		{"beside Cloudflare's block", "User-agent: *\nDisallow: /x/\n", "cloudflare", nil},
		{"against Cloudflare's block", "User-agent: *\nDisallow: /\nContent-Signal: ai-train=yes\n\nUser-agent: GPTBot\n" +
			"Allow: /x\n", "cloudflare", []string{
			"2 Disallow: /: the block that the host puts before this file has Allow: / for *; the longer rule wins, " +
				"and of equal ones Allow",
			"3 Content-Signal: ai-train=yes: the block that the host puts before this file has Content-Signal: " +
				"search=yes,ai-train=no,use=reference; one allows training and the other denies it",
			"3 Content-Signal: ai-train=yes: the block that the host puts before this file has Disallow: /; one allows " +
				"training and the other keeps out who fetches for it: Amazonbot, Applebot-Extended, Bytespider, CCBot, " +
				"ClaudeBot, Google-Extended, meta-externalagent",
			"6 Allow: /x: the block that the host puts before this file has Disallow: / for gptbot; the longer rule " +
				"wins, and of equal ones Allow"}},
	} {
		var got []string
		for _, f := range Parse([]byte(c.file)).Check(Site{Managed: c.managed}) {
			if f.ID == "robotstxt-contradiction" {
				got = append(got, fmt.Sprint(f.Line, " ", f.Message))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
