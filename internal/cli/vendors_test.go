package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// mayIgnore are crawlers that are documented not to obey robots.txt at times.
var mayIgnore = []string{"ChatGPT-User", "Perplexity-User"}

var robotsRule = regexp.MustCompile(`(?m)^(Allow|Disallow): *(\S+)$`)

// fetches reads a robots.txt as RFC 9309 has it, for the patterns that are written here and groups
// that an empty line divides, and returns the rule that keeps a crawler from a path, "" for none.
// https://support.apple.com/119829: Applebot obeys the group of Googlebot.
func fetches(robots, crawler, path string) (rule string) {
	names := []string{crawler, "*"}
	if crawler == "Applebot" {
		names = []string{"Applebot", "Googlebot", "*"}
	}
	for _, name := range names {
		longest, known := "", false
		for group := range strings.SplitSeq(robots, "\n\n") {
			if !regexp.MustCompile(`(?mi)^user-agent: *` + regexp.QuoteMeta(name) + `$`).MatchString(group) {
				continue
			}
			known = true
			for _, m := range robotsRule.FindAllStringSubmatch(group, -1) {
				pattern := strings.NewReplacer(`\*`, ".*", `\$`, "$").Replace(regexp.QuoteMeta(m[2]))
				if longer := len(m[2]) - len(longest); (longer > 0 || longer == 0 && m[1] == "Allow") &&
					regexp.MustCompile("^"+pattern).MatchString(path) {
					longest, rule = m[2], strings.TrimPrefix(m[0], "Allow: "+m[2])
				}
			}
		}
		if known {
			break
		}
	}
	return rule
}

var metaTag = regexp.MustCompile(`<meta name="(\w+)" content="([^"]*)"`)

// words are those that tags and headers say to a crawler at a path.
func words(dir, path, crawler string) (all []string) {
	add := func(text string) {
		for word := range strings.SplitSeq(text, ",") {
			all = append(all, strings.TrimSpace(word))
		}
	}
	file := filepath.Join(dir, "public", filepath.FromSlash(path))
	if strings.HasSuffix(path, "/") {
		file = filepath.Join(file, "index.html")
	}
	page, _ := os.ReadFile(file)
	for _, m := range metaTag.FindAllStringSubmatch(string(page), -1) {
		if m[1] == "robots" || strings.EqualFold(m[1], crawler) {
			add(m[2])
		}
	}
	rules, _ := os.ReadFile(filepath.Join(dir, "public", "_headers"))
	at := ""
	for line := range strings.Lines(string(rules)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "X-Robots-Tag: "); ok && (at == path ||
			strings.HasSuffix(at, "*") && strings.HasPrefix(path, strings.TrimSuffix(at, "*"))) {
			add(value)
		} else if strings.HasPrefix(line, "/") {
			at = strings.TrimSpace(line)
		}
	}
	return all
}

// Issue 30: for each vendor, at each URL of a site, what it does from robots.txt, headers and tags
// alone is what the policy says, or is named by a finding; and explain says the same of it. The
// reader here shares no code with the writer. With PROOFS=all, else at every second one.
func TestLaw_VendorsDoWhatIsStatedOrAreNamed(t *testing.T) {
	t.Parallel()
	uses, urls := []string{"training", "search", "input"}, []string{"/", "/closed/", "/closed/a.pdf", "/open/b"}
	n := 0
	for site := range 27 {
		for _, rule := range []string{"", "training = \"deny\"", "input = \"deny\", search = \"allow\""} {
			if n++; (n+n/27)%2 != 0 && !allProofs {
				continue
			}
			config := "[site]\ngenerator = \"html\"\ndestination = \"public\"\nbaseURL = \"https://example.org/\"\n[robots.ai]\n"
			stated := map[string]map[string]string{}
			for _, url := range urls {
				stated[url] = map[string]string{}
			}
			state := func(use, preference string, in ...string) {
				for _, url := range in {
					if stated[url][use] != "deny" {
						stated[url][use] = preference
					}
				}
			}
			for i, use := range uses {
				if p := []string{"", "allow", "deny"}[site/[]int{1, 3, 9}[i]%3]; p != "" {
					config += fmt.Sprintf("%s = %q\n", use, p)
					state(use, p, urls...)
				}
			}
			if n%4 == 0 {
				config += "carriers = [\"content-signal\"]\n"
			}
			if rule != "" {
				config += "[[robots.rules]]\nmatch = [\"/closed/**\"]\nai = {" + rule + "}\n"
				for _, part := range strings.Split(rule, ", ") {
					use, p, _ := strings.Cut(strings.ReplaceAll(part, `"`, ""), " = ")
					state(use, p, "/closed/", "/closed/a.pdf")
				}
			}
			if directive := []string{"", "noarchive", "nosnippet", "noindex"}[n%5%4]; directive != "" {
				config += "[[robots.rules]]\nmatch = [\"/closed/**\", \"/open/**\"]\nrobots = \"" + directive + "\"\n"
			}
			checkVendors(t, config, stated)
		}
	}
}

// nouns are the uses as findings name them.
var nouns = map[string]string{"training": "training", "search": "search with AI", "input": "answers"}

// checkVendors applies a configuration to a small site and compares what is published with what is
// stated.
func checkVendors(t *testing.T, config string, stated map[string]map[string]string) {
	t.Helper()
	dir := t.TempDir()
	const page = "<!DOCTYPE html><html lang=en><head><title>x</title></head><body>x</body></html>"
	tables.Write(t, dir, map[string]string{"metarobots.toml": config, "public/index.html": page, "public/open/b": "text",
		"public/closed/index.html": page, "public/closed/a.pdf": "%PDF",
		"public/robots.txt": "User-agent: *\nDisallow: /search\n\nUser-agent: CCBot\nDisallow: /open/\n"})
	succeed(t, "apply", "-s", dir)
	text := tables.Value(os.ReadFile(filepath.Join(dir, "public/robots.txt")))(t)
	type row struct{ Crawler, Use, Answer string }
	var explained struct {
		Pages []struct {
			URL     string
			Vendors []row
		}
	}
	stdout, _, _ := runCommand(t, append([]string{"explain", "--json", "-s", dir}, slices.Sorted(maps.Keys(stated))...)...)
	tables.Must(t, json.Unmarshal([]byte(stdout), &explained))
	differ := map[string]bool{} // "use = deny, crawler"
	uses := tables.Read(t, "internal/cli/testdata/vendors.txt")
	for _, url := range slices.Sorted(maps.Keys(stated)) {
		for _, d := range uses {
			rule, answer := fetches(string(text), d["crawler"], url), "allow"
			if said := words(dir, url, d["crawler"]); rule != "" || slices.ContainsFunc(strings.Fields(d["words"]),
				func(word string) bool { return slices.Contains(said, word) }) {
				answer = "deny"
			}
			if stated[url][d["use"]] == "allow" && slices.Contains(words(dir, url, d["crawler"]), "noindex") {
				continue // which is not meant to be found (I6b)
			}
			want, ignored := stated[url][d["use"]], rule != "" && rule != "Disallow: /" && slices.Contains(mayIgnore, d["crawler"])
			if want != "" && want != answer || want == "deny" && ignored {
				differ[d["use"]+" = "+want+", "+d["crawler"]] = true
			}
			for _, p := range explained.Pages {
				if p.URL == url && p.Vendors != nil && !slices.Contains(p.Vendors, row{d["crawler"], d["use"], answer}) {
					t.Errorf("%s\n%s, %+v: explain does not say %s\n%s", config, url, d, answer, text)
				}
			}
		}
	}
	named := map[string]bool{}
	for _, f := range runJSON(t, "check", "-s", dir).Findings {
		_, text, _ := strings.Cut(f.Text(), " may ")
		use, who, _ := strings.Cut(text, " by ")
		for _, d := range uses {
			stating := map[string]string{"still be used for " + nouns[d["use"]]: d["use"] + " = deny",
				"not be used for " + nouns[d["use"]]: d["use"] + " = allow"}[use]
			if f.ID == "ai-vendor" && stating != "" && strings.Contains(who, "("+d["crawler"]+")") {
				named[stating+", "+d["crawler"]] = true
			}
		}
	}
	if !maps.Equal(differ, named) {
		t.Errorf("%s\n%s\ndiffer from what is stated: %v\nnamed by findings: %v", config, text,
			slices.Sorted(maps.Keys(differ)), slices.Sorted(maps.Keys(named)))
	}
}
