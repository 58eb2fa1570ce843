package robotstxt

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// S7m, S7n, S7o, S7p: few patterns that are exact for every address, and what they must not reach.
// Addresses with an exclamation mark are denied training, with a plus sign allowed it; # is the
// site, = a file without a policy, and ~ the beginning of what cannot be listed.
func TestHouse_RulesForAddresses(t *testing.T) {
	for _, c := range []struct{ name, urls, want string }{
		{"a page without neighbours", "/ /p! /p.html! /p/!", "-/p"},
		{"a neighbour begins alike", "/ /p! /p.html! /p/! /press/", "-/p$ -/p? -/p.html$ -/p.html? -/p/"},
		{"so does what has no policy", "/ /r! /r.html! =/robots.txt", "-/r$ -/r? -/r.html$ -/r.html?"},
		{"a folder's page with files of its own", "/ /q! /q/! /q/index! /q/index.html! /q/a.pdf",
			"-/q$ -/q? -/q/$ -/q/? -/q/index"},
		{"a folder", "/ /q! /q/! /q/a.pdf! /quiz", "-/q$ -/q? -/q/"},
		{"what has no policy lies in the folder", "/ /q! /q/! =/q/old/", "-/q"},
		{"one address", "/ /p! /x", "-/p$ -/p?"},
		{"the home page", "/! /index! /index.html! /a", "-/$ -/? -/index"},
		{"allowed: nothing that nobody published", "/ /p+ /p.html+ /p/+", "+/p$ +/p.html$ +/p/"},
		{"an allowed site", "#+ /+ /p! /p.html! /a+", "-/p"},
		{"a dollar at the end", "/ /cash$! /cash$box!", "-/cash$*"},
		{"a dollar and a neighbour", "/ /cash$! /cash$box", "-/cash$$ -/cash$?"},
		{"a star reaches no other address", "/ /a*b! /c", "-/a*b$ -/a*b?"},
		{"a star reaches another address, which is denied too", "/ /a*b! /aXb", "-/a*b$ -/a*b?"},
		{"a rewrite that cannot be listed, below", "/ /app! ~/app/", "-/app$ -/app?"},
		{"a rewrite that cannot be listed, for all", "/ /p! /p.html! /q/! ~/", "-/p$ -/p? -/p.html$ -/p.html? -/q/"},
		{"a rewrite that states the same", "/ /app! /app/! ~/app/!", "-/app"},
		{"a folder that holds such a rewrite", "/ /q/! /q/a! ~/q/app/", "-/q/$ -/q/? -/q/a$ -/q/a?"},
	} {
		ai := Preferences{Carriers: []string{trainingToken}}
		for _, word := range strings.Fields(c.urls) {
			path, states := strings.TrimRight(word, "!+"), policy.Preferences{}
			switch word[len(path):] {
			case "!":
				states[policy.UseTraining] = policy.Denied
			case "+":
				states[policy.UseTraining] = policy.Allowed
			}
			switch path[0] {
			case '#':
				ai.Site = states
			case '=':
				ai.Others = append(ai.Others, path[1:])
			case '~':
				ai.Open = append(ai.Open, URL{path[1:], states})
			default:
				ai.URLs = append(ai.URLs, URL{path, states})
			}
		}
		slices.SortFunc(ai.URLs, func(a, b URL) int { return strings.Compare(a.Path, b.Path) })
		_, said := (&Policy{}).WithPreferences(ai)
		var got []string
		for _, r := range said[0].rules[1:] {
			got = append(got, map[policy.Preference]string{policy.Allowed: "+", policy.Denied: "-"}[r.states[0]]+r.pattern)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.name, c.urls, text, c.want)
		}
	}
}

// S7m: no rule could be left out, and none of two could be one: a pattern of this kind that reaches
// further reaches what states something else.
func TestLaw_RulesForAddressesAreFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		none := policy.Preferences{}
		ai := Preferences{Carriers: []string{trainingToken}, URLs: each(drawURLs(t), none, nil, none)}
		denied := map[string]bool{}
		for i := range ai.URLs {
			at := &ai.URLs[i]
			if at.Path = strings.ReplaceAll(at.Path, "*", "-"); rapid.Bool().Draw(t, "denied") {
				at.States[policy.UseTraining], denied[at.Path] = policy.Denied, true
			}
		}
		slices.SortFunc(ai.URLs, func(a, b URL) int { return strings.Compare(a.Path, b.Path) })
		ai.URLs = slices.CompactFunc(ai.URLs, func(a, b URL) bool { return a.Path == b.Path })
		for i := range ai.URLs {
			denied[ai.URLs[i].Path] = ai.URLs[i].States[policy.UseTraining] == policy.Denied
		}
		_, said := (&Policy{}).WithPreferences(ai)
		uniform := func(text string) bool { // all that begins with it is denied
			return !slices.ContainsFunc(ai.URLs, func(at URL) bool {
				return strings.HasPrefix(at.Path, text) && !denied[at.Path]
			})
		}
		reached := func(text string) (n int) {
			for _, at := range ai.URLs {
				if strings.HasPrefix(at.Path, text) {
					n++
				}
			}
			return n
		}
		for _, r := range said[0].rules[1:] {
			text, alone := strings.TrimRight(r.pattern, "?*"), false
			if !strings.HasSuffix(r.pattern, "*") {
				text, alone = strings.CutSuffix(text, "$")
			}
			if alone && uniform(text) && reached(text) > 1 {
				t.Fatalf("%s could be %s: %v", r.pattern, text, ai.URLs)
			}
			for n := 1; n < len(text); n++ {
				listed := slices.ContainsFunc(ai.URLs, func(at URL) bool { return at.Path == text[:n] })
				if (text[n-1] == '/' || listed && reached(text[:n]) > 1) && uniform(text[:n]) {
					t.Fatalf("%s could be %s: %v", r.pattern, text[:n], ai.URLs)
				}
			}
		}
	})
}

// S7r, I7: what a finished file does not deny is found.
func TestHouse_FinishedFilesAreRead(t *testing.T) {
	deny := policy.Preferences{policy.Denied}
	ai := Preferences{Carriers: []string{CrawlerGroups, trainingToken, usageLines, contentSignal, TDMRepFile},
		URLs: []URL{{"/", policy.Preferences{}}, {"/p", deny}, {"/p.html", deny}, {"/x", policy.Preferences{}}}}
	p, said := (&Policy{}).WithPreferences(ai)
	text, reserved := tdmRep{}.Write(&ai)
	rules, _ := tdmRep{}.Read(text)
	if lost := append(said, reserved...).Prove(Parse(p.Text()), rules); lost != nil {
		t.Errorf("nothing is lost, and found was %+v", lost)
	}
	broken := strings.ReplaceAll(string(p.Text()), "Disallow: /p\n", "Disallow: /p$\n")
	broken = strings.ReplaceAll(broken, "Content-Usage: /p train-ai=n\n", "")
	want := []Loss{{CrawlerGroups, policy.UseTraining, "/p.html", 1}, {usageLines, policy.UseTraining, "/p", 2},
		{trainingToken, policy.UseTraining, "/p.html", 1}}
	if lost := said.Prove(Parse([]byte(broken)), nil); !slices.Equal(lost, want) {
		t.Errorf("found %+v, want %+v\n%s", lost, want, broken)
	}
	want = []Loss{{TDMRepFile, policy.UseTraining, "/p", 1}}
	if lost := reserved.Prove(nil, Rules{"0 /p$", "1 /p"}); !slices.Equal(lost, want) {
		t.Errorf("tdmrep.json: %+v", lost)
	}
	hidden := strings.ReplaceAll(string(p.Text()), "Content-Usage: /p train-ai=n\n", "Content-Usage: /p train-ai=n\n"+
		"Content-Usage: /p.html search=n\n")
	want = []Loss{{usageLines, policy.UseTraining, "/p.html", 1}}
	if lost := said.Prove(Parse([]byte(hidden)), nil); !slices.Equal(lost, want) {
		t.Errorf("a longer path hides it: %+v", lost)
	}
	byPath := []string{CrawlerGroups, usageLines, trainingToken, TDMRepFile}
	for text, want := range map[string][]string{"/p": nil, "/p.htmlx": nil, "/": byPath, "/q": byPath} {
		if got := append(said, reserved...).Silent(text, policy.UseTraining); !slices.Equal(got, want) {
			t.Errorf("all that begins with %s is not denied by %v, want %v", text, got, want)
		}
	}
	ai.URLs, ai.Site = nil, deny // the whole host
	_, said = (&Policy{}).WithPreferences(ai)
	if lost := said.Prove(&File{}, nil); len(lost) != 4 || lost[0].Path != "/" {
		t.Errorf("an empty file: %+v", lost)
	}
}

// A rule keeps out all that begins with a text, unless another one may allow some of it.
func TestHouse_ShutOutIsAllThatBeginsSo(t *testing.T) {
	for _, c := range []struct {
		rules, begin string
		want         bool
	}{
		{"Disallow: /app/", "/app/", true},
		{"Disallow: /app", "/app/x", true},
		{"Disallow: /", "/app/", true},
		{"Disallow: /*pp/", "/app/", true},
		{"Disallow: /app/$", "/app/", false},
		{"Disallow: /app/x", "/app/", false},
		{"Disallow: /app/\nAllow: /app/open/", "/app/", false},
		{"Disallow: /app/\nAllow: /", "/app/", true},
		{"Disallow: /app/\nAllow: /*.c", "/app/", true},
		{"Disallow: /app/\nAllow: /*.css", "/app/", false},
		{"Disallow: /app/\nAllow: /b/", "/app/", true},
		{"Disallow:", "/app/", false},
		{"", "/app/", false},
	} {
		f := Parse([]byte("User-agent: *\n" + c.rules + "\n"))
		if got := f.ShutsOut(policy.AITraining, c.begin); got != c.want {
			t.Errorf("%q: all of %s is shut out: %v", c.rules, c.begin, got)
		}
	}
}

// Law: where nothing tells the paths that begin with a text apart, all get the same answer.
func TestLaw_AlikeIsAlike(t *testing.T) {
	parts := []string{"/", "/a", "/a/", "/a/b", "/a$", "/a/*", "/*.html$", "/*?", "/b", "*", "/a/b$", "/index.html"}
	rapid.Check(t, func(t *rapid.T) {
		text := "User-agent: *\n"
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			path := rapid.SampledFrom(parts).Draw(t, "path")
			text += rapid.SampledFrom([]string{"Allow: " + path, "Disallow: " + path,
				"Content-Usage: " + path + " train-ai=n"}).Draw(t, "line") + "\n"
		}
		f := Parse([]byte(text))
		for _, begin := range []string{"/", "/a", "/a/b", "/c"} {
			if !f.Alike(begin) {
				continue
			}
			first, signals := f.Ask("x", begin), f.Signals(begin)
			for _, end := range []string{"", "/", ".html", "/index.html", "?x=1", "/b"} {
				if got := f.Ask("x", begin+end); got != first {
					t.Fatalf("%s and %s%s: %+v and %+v\n%s", begin, begin, end, first, got, text)
				}
				if got := f.Signals(begin + end); len(got) != len(signals) {
					t.Fatalf("%s and %s%s: %v and %v\n%s", begin, begin, end, signals, got, text)
				}
			}
		}
	})
}
