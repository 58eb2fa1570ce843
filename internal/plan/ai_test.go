package plan_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// namesAtHosts are files whose names hosts treat in their own ways, one of which begins with
// another.
var namesAtHosts = []string{"index.html", "p.html", "p/index.html", "p/x.pdf", "press/index.html", "q/index.html", "q/a.pdf",
	"q/deep/b.html", "quiz.html", "s.html", "s.pdf", "o.pdf", "[1]+.html", "a b.html", "e+f/index.html", "cash$",
	"cash$box.html", "r.html", "x.htm", "sitemap.xml", "old/index.html", "index/index.html"}

// redirectsAtHosts are lines of _redirects.
var redirectsAtHosts = []string{"/o.pdf /s.pdf 200", "/n /s.pdf 200", "/p /q/ 200", "/moved /p 301", "/app/* / 200",
	"/docs/* /q/:splat 200", "/q/deep/* /p 200", "/s.pdf /p 302"}

// randomAISite is a site whose files differ in what AI may do, with what hosts serve it.
func randomAISite(r *rand.Rand) map[string]string {
	files := map[string]string{}
	targets := []string{"portable", "cloudflare", "netlify", "vercel", "firebase", "apache", "nginx", "caddy", "azure",
		"amplify", "none"}
	text := "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://a.example/\"\n[robots]\n" +
		"guard.allow = true\nheaders.targets = [\"" + targets[r.IntN(len(targets))] + "\"]\n[robots.ai]\n" +
		"carriers = [\"robots.txt\", \"tdmrep.json\", \"training-token\", \"content-usage-robots\"]\n"
	for _, u := range []string{"training", "search"} {
		if r.IntN(4) == 0 {
			text += u + " = \"allow\"\n"
		}
	}
	for _, name := range namesAtHosts {
		if r.IntN(3) > 0 {
			continue
		}
		files["out/"+name] = "<!doctype html><title>x</title>"
		if name == "old/index.html" {
			files["out/"+name] = `<!doctype html><head><meta http-equiv="refresh" content="0; url=/"></head>`
		}
		if r.IntN(3) == 0 {
			use := []string{"training", "search", "input"}[r.IntN(3)]
			match := strings.NewReplacer("[", `\\[`, "]", `\\]`).Replace(name)
			text += fmt.Sprintf("[[robots.rules]]\nmatch = [\"/%s\"]\nallowEmpty = true\nai = { %s = \"deny\" }\n",
				match, use)
		}
	}
	files["out/last.txt"], files["out/404.html"] = "one file at least", "<!doctype html>no page is served in place of others"
	for _, line := range redirectsAtHosts {
		if r.IntN(5) == 0 {
			files["out/_redirects"] += line + "\n"
		}
	}
	files["metarobots.toml"] = text
	return files
}

// requests are paths at which hosts may serve a site's files, spelled in two ways.
func requests(files map[string]string) []string {
	all := map[string]bool{"/n": true, "/app/~": true, "/docs/deep/b": true, "/docs/~": true, "/q/deep/~": true,
		"/moved": true}
	for name := range files {
		path, ok := strings.CutPrefix(name, "out")
		if !ok {
			continue
		}
		for _, stem := range []string{path, strings.TrimSuffix(path, ".html"), strings.TrimSuffix(path, "/index.html"),
			strings.TrimSuffix(path, ".htm")} {
			for _, end := range []string{"", "/", "/index", "/index/", "/index.html", ".html"} {
				raw := (&url.URL{Path: stem + end}).EscapedPath()
				strict := strings.ReplaceAll(url.PathEscape(stem+end), "%2F", "/")
				for _, form := range []string{raw, strings.NewReplacer("%5B", "[", "%5D", "]").Replace(raw), strict,
					strings.NewReplacer("+", "%2B", "$", "%24").Replace(strict)} {
					all[strings.ReplaceAll("/"+form, "//", "/")] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Law (S7i, S7k, S7r, I7b): at every address at which a host serves a file, the finished robots.txt
// and tdmrep.json say what is stated of it: nothing less, and nothing more. Where that cannot be
// said, a finding names the rewrite. A second run says the same. S7l, S7q, U2f.
func TestLaw_RobotsTxtSaysAtEachAddressWhatIsStated(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 2))
	addresses, denied, open := 0, 0, 0
	for range tables.Cases(60, 150) {
		files := randomAISite(r)
		dir := tables.Folder(t, files)
		s := planned(t, dir)
		robots, tdmrep, reserved := &robotstxt.File{}, robotstxt.AIFiles[0], robotstxt.Rules(nil)
		if len(s.HostFiles.Robots) > 0 {
			robots = robotstxt.Parse(s.HostFiles.Robots[0].Change.New)
		}
		if len(s.HostFiles.AI) > 0 {
			reserved = tables.Value(tdmrep.Read(s.HostFiles.AI[0].Change.New))(t)
		}
		_, site, _ := s.Site("")
		reserves := tdmrep.Reader(reserved, policy.UseTraining)
		for _, path := range requests(files) {
			answers := site.At(path)
			want, known := agreed(s, answers)
			if !known {
				continue
			}
			got := policy.Preferences{}
			for u, crawler := range []string{"GPTBot", "PerplexityBot", "ChatGPT-User"} {
				if !robots.Ask(crawler, path).Allowed {
					got[u] = policy.Denied
				}
			}
			token := !robots.Ask("__usage_ai-training", path).Allowed
			tdm := reserves(path) != ""
			addresses++
			for u := range want {
				states := want[u] == policy.Denied
				training := u == int(policy.UseTraining)
				if said := got[u] == policy.Denied; states == said && (!training || states == token && states == tdm) {
					continue
				}
				if isOpen(site, answers) && (!states || finds(s, "rewrite")) { // a folder's rule may reach it
					open++
					continue
				}
				t.Fatalf("%s of %s: denied %v, and the files say %v, the token %v, tdmrep.json %v\n%s\n%s\n%s\n%s\n%s",
					policy.Use(u), path, states, got[u] == policy.Denied, token, tdm, files["metarobots.toml"], files["out/_redirects"],
					slices.Sorted(maps.Keys(files)), s.HostFiles.Robots[0].Change.New, reserved)
			}
			if slices.Contains(want[:], policy.Denied) {
				denied++
			}
		}
		if finds(s, "ai-mismatch") {
			t.Fatalf("%v", s.Findings)
		}
		for _, path := range []string{"/robots.txt", "/sitemap.xml"} {
			published := path == "/robots.txt" || files["out"+path] != ""
			if published && !robots.Ask("GPTBot", path).Allowed {
				t.Fatalf("%s is denied\n%s", path, s.HostFiles.Robots[0].Change.New)
			}
		}
		if len(s.HostFiles.Robots) > 0 {
			again := s.HostFiles.Robots[0].Change
			tables.Write(t, dir, map[string]string{"out/robots.txt": string(again.New)})
			if again = planned(t, dir).HostFiles.Robots[0].Change; again.Differs() {
				t.Fatalf("a second run writes\n%s\nafter\n%s", again.New, again.Old)
			}
		}
	}
	t.Logf("%d addresses, %d where something is denied, %d that cannot be listed", addresses, denied, open)
	if denied < tables.Cases(200, 500) || open == 0 {
		t.Error("the sites are too plain")
	}
}

// agreed is what is stated of an address by what hosts answer there. Files without a policy state
// nothing; known is false where no others are served.
func agreed(s *plan.Plan, answers []address.Address) (states policy.Preferences, known bool) {
	for _, a := range answers {
		switch pg := s.Page(a.File); {
		case pg == nil || !pg.File.Role.Policed():
		case known:
			states = policy.Agreed(states, pg.Decision.AI)
		default:
			states, known = pg.Decision.AI, true
		}
	}
	return states, known
}

// isOpen reports whether a rewrite whose sources cannot be listed takes an address.
func isOpen(site *address.Site, answers []address.Address) bool {
	return slices.ContainsFunc(answers, func(a address.Address) bool {
		same := func(o address.Open) bool { return o.Route == a.Route }
		return a.Route != nil && slices.ContainsFunc(site.Opens(a.File), same)
	})
}

func finds(s *plan.Plan, id string) bool {
	return slices.ContainsFunc(s.Findings, func(f policy.Finding) bool { return f.ID == id })
}
