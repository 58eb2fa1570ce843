package robotstxt

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// reading is a robots.txt as these tests read it, with none of the package's code: the lines of
// each name's groups.
type reading map[string][][2]string

func read(text string) reading {
	r, names, open := reading{}, []string(nil), false
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case !ok || key == "sitemap" || key == "license":
		case key == "user-agent":
			if !open {
				names = nil
			}
			name := strings.ToLower(value)
			names, open = append(names, name), true
			r[name] = append(r[name], [2]string{})
		default:
			open = false
			for _, name := range names {
				r[name] = append(r[name], [2]string{key, value})
			}
		}
	}
	return r
}

// of returns the lines that count for a name.
func (r reading) of(name string) [][2]string {
	if lines, ok := r[strings.ToLower(name)]; ok {
		return lines
	}
	return r["*"]
}

// crawling is what rules say of a path.
func crawling(lines [][2]string, path string) (p policy.Preference) {
	longest := 0
	for _, l := range lines {
		if l[0] != "allow" && l[0] != "disallow" || l[1] == "" || !bruteMatch(path, l[1]) || len(l[1]) < longest {
			continue
		}
		if len(l[1]) > longest || l[0] == "allow" {
			p = map[string]policy.Preference{"allow": policy.Allowed, "disallow": policy.Denied}[l[0]]
		}
		longest = len(l[1])
	}
	return p
}

// pairs reads "a=x, b=y".
func pairs(list string) map[string]policy.Preference {
	all := map[string]policy.Preference{}
	for item := range strings.SplitSeq(list, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		all[key] = map[string]policy.Preference{"y": policy.Allowed, "yes": policy.Allowed, "n": policy.Denied,
			"no": policy.Denied}[value]
	}
	return all
}

// says is what a carrier says of a path to a crawler. It fails if it says different
// things to crawlers of one purpose.
func (r reading) says(t interface{ Fatalf(string, ...any) }, carrier, path, crawler string) (p policy.Preferences) {
	switch carrier {
	case "robots.txt":
		for u, purpose := range []policy.Purpose{"ai-training", "ai-search", "ai-user"} {
			first := true
			for _, c := range policy.AllCrawlers() {
				if c.Purpose != purpose {
					continue
				}
				if v := crawling(r.of(c.Token), path); first {
					p[u], first = v, false
				} else if v != p[u] {
					t.Fatalf("%s is told otherwise of %s", c.Token, path)
				}
			}
		}
	case "training-token":
		p[0] = crawling(r["__usage_ai-training"], path)
	case "content-signal":
		for _, l := range r.of(crawler) {
			if l[0] == "content-signal" {
				all := pairs(l[1])
				p = policy.Preferences{all["ai-train"], all["search"], all["ai-input"]}
			}
		}
	case "content-usage-robots":
		longest := -1
		for _, l := range r.of(crawler) {
			pattern, list := "", l[1]
			if strings.HasPrefix(list, "/") {
				pattern, list, _ = strings.Cut(list, " ")
			}
			if l[0] == "content-usage" && bruteMatch(path, pattern) && len(pattern) > longest {
				longest = len(pattern)
				all := pairs(list)
				p[0], p[1] = all["train-ai"], all["search"]
			}
		}
	}
	return p
}

// checkSaid compares what the carriers of a policy say in a robots.txt with what is stated: it is
// the same where a carrier claims to say it, or where nothing is stated, and nothing that is denied
// reads as allowed.
func checkSaid(t interface{ Fatalf(string, ...any) }, ai Preferences, p *Policy, text string) {
	r := read(text)
	for _, carrier := range ai.Carriers {
		alone := ai
		alone.Carriers = []string{carrier}
		_, said := p.WithPreferences(alone)
		for _, at := range ai.URLs {
			url, want := at.Path, at.States
			for _, crawler := range []string{"*", "GPTBot"} {
				if crawler == "GPTBot" && !strings.HasPrefix(carrier, "content-") {
					continue // the reading asks all crawlers, or none
				}
				got := r.says(t, carrier, url, crawler)
				for u := range want {
					if carrier == "robots.txt" && want[u] == 0 && slices.Contains(p.Block, policy.Purposes[u]) {
						want[u] = policy.Denied
					}
					says := said.Says(url, policy.Use(u), want[u])
					if carrier == "robots.txt" && want[u] == policy.Denied && !says {
						t.Fatalf("%s does not say that %s is denied at %s (%+v)", carrier, policy.Use(u), url, ai)
					}
					excused := !says || want[u] == 0 && ai.Site[u] != 0 || got[u] == policy.Denied && ai.starred(url)
					if got[u] != want[u] && !excused || got[u] == policy.Allowed && want[u] == policy.Denied {
						t.Fatalf("%s of %s at %s for %s: %v, want %v (%+v)\n%s", carrier, policy.Use(u), url, crawler,
							got[u], want[u], ai, text)
					}
				}
			}
		}
	}
}

// starred reports whether a URL with a star in its path reads as a pattern for another one.
func (a *Preferences) starred(url string) bool {
	return slices.ContainsFunc(a.URLs, func(at URL) bool {
		return at.Path != url && strings.Contains(at.Path, "*") && bruteMatch(url, at.Path+"*")
	})
}

var usualCarriers = []string{"robots.txt", "content-signal", "content-usage-robots", "training-token"}

func allPreferences() (all []policy.Preferences) {
	for i := range 27 {
		all = append(all, policy.Preferences{policy.Preference(i % 3), policy.Preference(i / 3 % 3),
			policy.Preference(i / 9)})
	}
	return all
}

// each has the preferences of a site for its URLs, and others for those at some.
func each(urls []string, site policy.Preferences, at []string, others policy.Preferences) (all []URL) {
	for _, url := range slices.Sorted(slices.Values(urls)) {
		states := site
		if slices.Contains(at, url) {
			states = others
		}
		all = append(all, URL{url, states})
	}
	return all
}

// Every combination of preferences, of the site and of some paths, reads as it is stated, by every
// carrier. With PROOFS=all, else a ninth of them (S7i).
func TestLaw_CarriersSayWhatIsStated(t *testing.T) {
	urls := []string{"/", "/a/", "/a/b/", "/a/c.pdf", "/d"}
	for i, site := range allPreferences() {
		for j, other := range allPreferences() {
			if (i+j)%9 != 0 && os.Getenv("PROOFS") != "all" {
				continue
			}
			for _, at := range [][]string{nil, {"/"}, {"/a/", "/a/b/", "/a/c.pdf"}, {"/a/c.pdf", "/d"}, urls} {
				ai := Preferences{Carriers: usualCarriers, Site: site, URLs: each(urls, site, at, other)}
				p, _ := (&Policy{}).WithPreferences(ai)
				checkSaid(t, ai, &Policy{}, string(p.Text()))
				if other == site {
					break
				}
			}
		}
	}
}

// drawURLs are addresses as hosts have them: several of one file, some of them the
// beginning of others, and with characters that mean something in a pattern.
func drawURLs(t *rapid.T) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/a/b.html", "/a.html",
		"/a/index", "/a/index.html", "/a-b/c", "/ab", "/ab$", "/ab$c", "/a*b", "/aXb", "/a%2Ab", "/a%5Bb%5D", "/a[b]", "/%C3%A9/",
		"/z/y/x/", "/index", "/index.html"}), 1, 23, rapid.ID).Draw(t, "urls")
}

// So does any policy, also in an owner's file that disallows nothing, and what is written is read
// without a finding.
func TestLaw_CarriersInAnOwnersFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.Custom(func(t *rapid.T) policy.Preferences {
			return rapid.SampledFrom(allPreferences()).Draw(t, "preferences")
		})
		ai := Preferences{Carriers: usualCarriers, Site: states.Draw(t, "site")}
		urls := drawURLs(t)
		ai.URLs = each(urls, ai.Site, nil, ai.Site)
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(urls)-1), 0, len(urls), rapid.ID).Draw(t, "paths") {
			ai.URLs[i].States = states.Draw(t, "at")
		}
		block := rapid.SliceOfNDistinct(rapid.SampledFrom(policy.Purposes), 0, 3, rapid.ID).Draw(t, "block")
		p, _ := (&Policy{Block: block}).WithPreferences(ai)
		owner := rapid.SampledFrom([]string{"", "User-agent: bingbot\nDisallow:\n", "User-agent: *\nDisallow:\n",
			"User-agent: GPTBot\nDisallow:\n"}).Draw(t, "owner")
		merged, _, findings := Merge([]byte(owner), p)
		if hasError(findings) {
			t.Fatalf("%v", findings)
		}
		checkSaid(t, ai, &Policy{Block: block}, string(merged))
		if again, _, _ := Merge(merged, p); string(again) != string(merged) {
			t.Fatalf("written again:\n%s\n%s", merged, again)
		}
		looser := func(at URL) bool { return policy.Strictest(ai.Site, at.States) != at.States }
		found := listed(Parse(merged).Check(Place{Standalone: p.Standalone()}))
		// The decisions on pages never are looser than that on the site.
		if found != "" && !slices.ContainsFunc(ai.URLs, looser) {
			t.Fatalf("%s\n%s", found, merged)
		}
	})
}

// S7p: a rule with a star that comes to less than two of its URLs state is the longest for both, so
// that of neither more counts as said.
func TestHouse_AStarThatAgreesWithOneOfItsURLs(t *testing.T) {
	both := policy.Preferences{policy.UseTraining: policy.Denied, policy.UseSearch: policy.Allowed}
	ai := Preferences{Carriers: usualCarriers, URLs: []URL{{"/a*b", both}, {"/a/b", policy.Preferences{}}, {"/ab", both}}}
	p, _ := (&Policy{}).WithPreferences(ai)
	checkSaid(t, ai, &Policy{}, string(p.Text()))
}

// tdmSays is what a tdmrep.json says of training at a path: the first rule that matches counts.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ section 6.1
func tdmSays(t *testing.T, text []byte, path string) policy.Preference {
	var rules []map[string]any
	if err := json.Unmarshal(text, &rules); err != nil && text != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, r := range rules {
		if bruteMatch(path, r["location"].(string)) {
			return map[any]policy.Preference{0.0: policy.Allowed, 1.0: policy.Denied}[r["tdm-reservation"]]
		}
	}
	return policy.Unstated
}

// I7: tdmrep.json says of training what is stated at every URL, or lists it as unsaid, and gives
// leave to mine content only where no use is denied.
func TestLaw_TDMRepSaysWhatIsStated(t *testing.T) {
	urls := []string{"/", "/a/", "/a/b/", "/a/c.pdf", "/d"}
	for _, site := range allPreferences() {
		for _, more := range allPreferences() {
			other := policy.Strictest(site, more)
			for _, at := range [][]string{nil, {"/"}, {"/a/", "/a/b/", "/a/c.pdf"}, {"/a/c.pdf", "/d"}, urls} {
				ai := Preferences{Carriers: []string{TDMRepFile}, Site: site, URLs: each(urls, site, at, other)}
				text, said := tdmRep{}.Write(&ai)
				for _, url := range urls {
					want := site
					if slices.Contains(at, url) {
						want = other
					}
					got := tdmSays(t, text, url)
					excused := !said.Says(url, policy.UseTraining, want[policy.UseTraining])
					if got != want[policy.UseTraining] && !excused || want[policy.UseTraining] == policy.Denied && got != policy.Denied ||
						got == policy.Allowed && slices.Contains(want[:], policy.Denied) {
						t.Fatalf("%s: %v, want %v (%+v)\n%s%v", url, got, want, ai, text, said)
					}
				}
			}
		}
	}
}

// The bytes are those of a block where a use is denied everywhere, and an allowance lifts that
// block alone. What holds for a page holds for it with a query, too (S7b, S7c, S7d). Of a page that
// leaves a use open: S7j.
func TestHouse_PreferencesAreRulesOfCrawling(t *testing.T) {
	none, deny, allow := policy.Preferences{}, policy.Preferences{policy.Denied}, policy.Preferences{policy.Allowed}
	block := []policy.Purpose{policy.AITraining}
	blocked := string((&Policy{Block: block}).Text())
	ai, urls := Preferences{Carriers: []string{"robots.txt"}}, []string{"/", "/a/", "/a/b/", "/a/b.pdf", "/c/"}
	for _, c := range []struct {
		name     string
		block    []policy.Purpose
		site, at policy.Preferences
		paths    string
		rules    string
	}{
		{"denied", nil, deny, none, "", "Disallow: /\n"},
		{"denied and blocked", block, deny, none, "", "Disallow: /\n"},
		{"blocked", block, none, none, "", "Disallow: /\n"},
		{"allowed", block, allow, none, "", "Allow: /\n"},
		{"denied in a folder", nil, none, deny, "/a/ /a/b/ /a/b.pdf", "Disallow: /a/\n"},
		{"denied at two URLs", nil, none, deny, "/a/ /a/b.pdf",
			"Disallow: /a/$\nDisallow: /a/?\nDisallow: /a/b.pdf$\nDisallow: /a/b.pdf?\n"},
		{"denied everywhere", nil, none, deny, "/ /a/ /a/b/ /a/b.pdf /c/", "Disallow: /\n"},
		{"left open in a denied site", nil, deny, none, "/c/", "Disallow: /\n"},
		{"left open in an allowed site", nil, allow, none, "/c/",
			"Allow: /$\nAllow: /a/\n"},
		{"allowed in a blocked site", block, none, allow, "/c/", "Allow: /c/\nDisallow: /\n"},
	} {
		ai.Site, ai.URLs = c.site, each(urls, c.site, strings.Fields(c.paths), c.at)
		p, _ := (&Policy{Block: c.block}).WithPreferences(ai)
		want := strings.ReplaceAll(blocked, "Disallow: /\n", c.rules)
		if got := string(p.Text()); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
	// The owner's own lines stay.
	owner := "User-agent: GPTBot\nDisallow: /\n"
	ai.Site, ai.URLs = allow, each(urls, allow, nil, allow)
	p, _ := (&Policy{}).WithPreferences(ai)
	merged, _, findings := Merge([]byte(owner), p)
	if Parse(merged).Ask("GPTBot", "/").Allowed || !strings.HasPrefix(string(merged), owner) ||
		!strings.Contains(listed(findings), "left-out") {
		t.Errorf("%v\n%s", findings, merged)
	}
}

// S5f, S5g: a Content-Usage of ours never hides what the owner's denies, nor is it hidden, whatever
// their paths are.
func TestLaw_ContentUsageIsAsStrictAsBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := func(name string) (all []string) {
			for range rapid.IntRange(0, 3).Draw(t, name) {
				all = append(all, trim(rapid.SampledFrom([]string{"", "/", "/a", "/a/", "/a/b", "/a/b$"}).Draw(t, "path")+
					" "+rapid.SampledFrom([]string{"train-ai=n", "train-ai=y", "search=n", "train-ai=y, search=n",
					"train-ai=n, search=y"}).Draw(t, "states")))
			}
			return all
		}
		says := func(values []string, path string) (p policy.Preferences) { // of equal paths, the denial
			longest := -1
			for _, v := range values {
				pattern, list := "", v
				if strings.HasPrefix(v, "/") {
					pattern, list, _ = strings.Cut(v, " ")
				}
				if !bruteMatch(path, pattern) || len(pattern) < longest {
					continue
				}
				all := pairs(list)
				now := policy.Preferences{all["train-ai"], all["search"]}
				if len(pattern) == longest {
					now = policy.Strictest(p, now)
				}
				p, longest = now, len(pattern)
			}
			return p
		}
		owners, ours := lines("owner"), lines("ours")
		owner := "User-agent: *\nDisallow:\n"
		for _, v := range owners {
			owner += "Content-Usage: " + v + "\n"
		}
		merged, _, findings := Merge([]byte(owner), &Policy{Groups: []Group{{ContentUsage: ours}}})
		var both []string
		for _, l := range read(string(merged))["*"] {
			if l[0] == "content-usage" {
				both = append(both, l[1])
			}
		}
		for _, path := range []string{"/", "/a", "/a/", "/a/b", "/a/b/c", "/c"} {
			want := policy.Strictest(says(owners, path), says(ours, path))
			if got := says(both, path); !got.AtLeast(want) {
				t.Fatalf("%s: %v, want %v\n%s\n%v", path, got, want, merged, findings)
			}
		}
	})
}

// What signals and the licence look like (S7e, S7f, S7g, S7h).
func TestHouse_CarriersAsText(t *testing.T) {
	ai := Preferences{Carriers: []string{"content-signal", "content-usage-robots", "training-token", "rsl"},
		Site: policy.Preferences{policy.Unstated, policy.Allowed, policy.Denied},
		URLs: []URL{{"/", policy.Preferences{policy.Unstated, policy.Allowed, policy.Denied}},
			{"/a/", policy.Preferences{policy.Denied, policy.Allowed, policy.Denied}}},
		Token: "no-training", License: "https://example.org/license.xml"}
	p, _ := (&Policy{}).WithPreferences(ai)
	want := "User-agent: *\nContent-Signal: search=yes, ai-input=no\nContent-Usage: search=y\nContent-Usage: /a/ " +
		"train-ai=n, search=y\nDisallow:\n\nUser-agent: no-training\nDisallow: /a/\n\nLicense: " +
		"https://example.org/license.xml\n"
	if got := string(p.Text()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	merged, _, _ := Merge([]byte("License: https://example.org/license.xml\n"), p)
	if n := strings.Count(string(merged), "License:"); n != 1 {
		t.Errorf("%d licences", n)
	}
	ai.License = "/license.xml"
	p, _ = p.WithPreferences(ai)
	if findings := p.Check(); !hasError(findings) {
		t.Error("a licence without a host")
	}
}
