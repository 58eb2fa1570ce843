package published

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// answers prints what one vendor does for a use: each crawler, what it does, and by which line or
// text.
func answers(robots, url string, header []string, metas []policy.Tag, vendor string, u policy.Use) string {
	var file *robotstxt.File
	if robots != "" {
		file = robotstxt.Parse([]byte(robots))
	}
	var all []string
	p := reading{policy: &policy.Policy{}, fetches: fetches(file, url), header: header, tags: metas}
	for _, a := range p.answers() {
		if a.Vendor != vendor || a.Use != u {
			continue
		}
		text := a.Crawler + " " + map[string]string{"allow": "may", "deny": "may not", "unknown": "unknown"}[a.Answer]
		if a.MayIgnore {
			text += ", ignores"
		}
		if a.By != "" {
			text += fmt.Sprintf(" (%d %s)", a.Line, a.By)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// fetches are whether each of the crawlers may fetch a URL.
func fetches(robots *robotstxt.File, url string) (all []seen.Fetch) {
	for _, c := range crawlers() {
		f, _ := seen.Host{Folder: "/", Robots: robots}.Fetch(c.Name, url)
		all = append(all, f)
	}
	return all
}

// I4b, I4c, I4d: what vendors document, by what is published alone.
func TestHouse_VendorsDoWhatTheyDocument(t *testing.T) {
	tag := func(content string) []policy.Tag { return []policy.Tag{{Name: "robots", Content: content}} }
	for _, c := range []struct {
		robots, header string
		metas          []policy.Tag
		vendor         string
		use            policy.Use
		want           string
	}{
		// https://developers.openai.com/api/docs/bots: a crawler for each use, and the one for users may ignore robots.txt.
		{"", "", nil, "OpenAI", policy.UseTraining, "GPTBot may"},
		{"User-agent: GPTBot\nDisallow: /\n", "", nil, "OpenAI", policy.UseTraining, "GPTBot may not (2 Disallow: /)"},
		{"User-agent: GPTBot\nDisallow: /\n", "", nil, "OpenAI", policy.UseSearch, "OAI-SearchBot may"},
		{"User-agent: *\nDisallow: /\n", "", nil, "OpenAI", policy.UseInput, "ChatGPT-User may not, ignores (2 Disallow: /)"},
		// A signal that nobody documents to obey changes nothing.
		{"User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nAllow: /\n", "", nil, "OpenAI",
			policy.UseTraining, "GPTBot may (4 Allow: /)"},
		{"", "noai", tag("noai, noimageai"), "OpenAI", policy.UseTraining, "GPTBot may"},
		// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#nosnippet
		{"", "", tag("nosnippet"), "Google", policy.UseInput,
			"Google-Agent may; Google-Extended may; Google-GeminiNotebook may; Googlebot may not " +
				`(0 <meta name="robots" content="nosnippet" />)`},
		{"", "googlebot: max-snippet:0", nil, "Google", policy.UseInput,
			"Google-Agent may; Google-Extended may; Google-GeminiNotebook may; Googlebot may not " +
				"(0 X-Robots-Tag: googlebot: max-snippet:0)"},
		{"", "bingbot: nosnippet", nil, "Google", policy.UseInput,
			"Google-Agent may; Google-Extended may; Google-GeminiNotebook may; Googlebot may"},
		{"", "", tag("none"), "Google", policy.UseSearch, `Googlebot may not (0 <meta name="robots" content="none" />)`},
		{"", "", tag("noindex"), "Google", policy.UseTraining, "Google-Extended may"},
		{"User-agent: googlebot\nDisallow: /a\n", "", tag("nosnippet"), "Google", policy.UseSearch,
			"Googlebot may not (2 Disallow: /a)"},
		// https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat
		{"", "noarchive", nil, "Microsoft", policy.UseTraining, "bingbot may not (0 X-Robots-Tag: noarchive)"},
		{"", "nocache", nil, "Microsoft", policy.UseTraining, "bingbot may"},
		{"", "noarchive", nil, "Microsoft", policy.UseSearch, "bingbot may"},
		// https://developer.amazon.com/amazonbot
		{"", "noarchive", nil, "Amazon", policy.UseTraining, "Amazonbot may not (0 X-Robots-Tag: noarchive)"},
		// Nobody knows whether a vendor obeys that documents nothing.
		{"User-agent: *\nDisallow: /\n", "", nil, "DeepSeek", policy.UseTraining, "DeepSeekBot unknown (2 Disallow: /)"},
		{"", "", nil, "DeepSeek", policy.UseTraining, "DeepSeekBot may"},
		{"", "", nil, "DeepSeek", policy.UseSearch, ""},
		// D4: text that no engine documents to read denies nothing.
		{"", "", tag("noindex nosnippet"), "Google", policy.UseSearch, "Googlebot may"},
	} {
		var header []string
		if c.header != "" {
			header = []string{c.header}
		}
		if got := answers(c.robots, "/a/", header, c.metas, c.vendor, c.use); got != c.want {
			t.Errorf("%q, header %q, tags %v: %s, %s: %s\nwant %s", c.robots, c.header, c.metas, c.vendor, c.use, got, c.want)
		}
	}
}

// S8d: the block that Cloudflare puts before robots.txt counts, and lines are those of the site's
// own file.
// https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/
func TestCloudflare_ManagedBlockCounts(t *testing.T) {
	own := robotstxt.Parse([]byte("User-agent: *\nDisallow: /\n\nUser-agent: PerplexityBot\nDisallow: /a\n"))
	const block = ", in the block that the host puts before robots.txt"
	for _, c := range []struct {
		file    *robotstxt.File
		crawler string
		want    Answer
	}{
		{own, "GPTBot", Answer{Answer: "deny", By: "Disallow: /" + block}},
		{nil, "GPTBot", Answer{Answer: "deny", By: "Disallow: /" + block}},
		{own, "OAI-SearchBot", Answer{Answer: "allow", By: "Allow: /" + block}}, // groups of * add up
		{own, "PerplexityBot", Answer{Answer: "deny", By: "Disallow: /a", Line: 5}},
	} {
		p := reading{policy: &policy.Policy{}, fetches: fetches(c.file.Behind("cloudflare"), "/a/")}
		for _, a := range p.answers() {
			if a.Crawler == c.crawler && (a.Answer != c.want.Answer || a.By != c.want.By || a.Line != c.want.Line) {
				t.Errorf("%s: %+v", c.crawler, a)
			}
		}
	}
}

// The table: uses stand in order and once, what denies them is a known directive, and each has a
// source.
func TestHouse_TableOfDocumentedUses(t *testing.T) {
	for _, c := range policy.AllCrawlers() {
		for i, u := range c.Uses {
			if i > 0 && c.Uses[i-1].Of >= u.Of || !strings.HasPrefix(u.Source, "https://") {
				t.Errorf("%s: %+v", c.Name, u)
			}
			for _, word := range u.Unless {
				if _, _, ok := policy.Lookup(word); !ok {
					t.Errorf("%s: no directive is called %q", c.Name, word)
				}
			}
		}
		if c.Purpose != "" && len(c.Uses) == 0 {
			t.Errorf("%s has a purpose and no use", c.Name)
		}
	}
	if names := VendorNames(); len(names) != 15 || !slices.IsSorted(names) {
		t.Errorf("%d vendors: %v", len(names), names)
	}
}
