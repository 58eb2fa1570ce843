//go:build e2e

package e2e

import (
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/tables"
)

// A robotsQuestion is a crawler and a URL's path.
type robotsQuestion struct{ agent, path string }

// A robotsFile is a robots.txt, as it stands and as we read it.
type robotsFile struct {
	text string
	*robotstxt.File
}

func readRobots(text string) robotsFile { return robotsFile{text, robotstxt.Parse([]byte(text))} }

// A robotsReader is somebody else's reader of robots.txt: it is given files and questions, and
// answers for each of them whether the crawler may fetch.
type robotsReader struct {
	name    string
	command func(t *testing.T) *exec.Cmd
	// defects are the reasons why it may answer otherwise than Google's parser and the vendors'
	// documentation, each with the questions that it can concern and one that shows it.
	defects map[string]robotsDefect
}

type robotsDefect struct {
	concern func(f robotsFile, q robotsQuestion) bool
	file    string
	robotsQuestion
}

// relations are the crawlers of the questions that vendors let obey another's group, or not that of
// *.
// https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers
// https://support.apple.com/119829
var relations = map[string]string{"googlebot-image": "googlebot", "applebot": "googlebot", "adsbot-google": ""}

// related reports whether a crawler has no group of its own and is no ordinary one.
func related(f robotsFile, q robotsQuestion) bool {
	_, ok := relations[strings.ToLower(q.agent)]
	return ok && !slices.Contains(f.Agents(), strings.ToLower(q.agent))
}

// anyLine makes a concern of every question to a file that has such a line.
func anyLine(is func(l, next robotstxt.Line) bool) func(robotsFile, robotsQuestion) bool {
	return func(f robotsFile, _ robotsQuestion) bool {
		for i, l := range f.Lines {
			var next robotstxt.Line
			if i+1 < len(f.Lines) {
				next = f.Lines[i+1]
			}
			if is(l, next) {
				return true
			}
		}
		return false
	}
}

// endsNames is a defect where a line between the names of a group is no rule: by RFC 9309, section
// 2.2.1, rules alone end them.
var endsNames = robotsDefect{
	anyLine(func(l, next robotstxt.Line) bool {
		return (l.Kind == robotstxt.Other || l.Kind == robotstxt.Sitemap) && next.Kind == robotstxt.Agent
	}),
	"User-agent: bingbot\nSitemap: https://example.org/s.xml\nUser-agent: otherbot\nDisallow: /\n",
	robotsQuestion{"bingbot", "/a"},
}

var robotsReaders = []robotsReader{
	{
		name:    "robots-parser 3.0.1",
		command: func(t *testing.T) *exec.Cmd { return node(t, "robots-parser.mjs") },
		defects: map[string]robotsDefect{
			"knows no relations among crawlers": {related, "User-agent: googlebot\nDisallow: /\n",
				robotsQuestion{"googlebot-image", "/a"}},
			"reads no key with a typo or without a colon": {
				anyLine(func(l, _ robotstxt.Line) bool {
					return l.Kind != robotstxt.Blank && l.Kind != robotstxt.Unread && l.Kind != robotstxt.Other &&
						(!l.Colon || !strings.EqualFold(l.Key, string(l.Kind)))
				}),
				"User-agent: *\nDissallow: /\n", robotsQuestion{"bingbot", "/a"},
			},
			"ends the names of a group at any line": endsNames,
			// https://github.com/google/robotstxt robots.cc, HandleAllow
			"takes Allow: /index.html for that address alone": {
				anyLine(func(l, _ robotstxt.Line) bool {
					return l.Kind == robotstxt.Allow && strings.HasSuffix(l.Value, "/index.html")
				}),
				"User-agent: *\nDisallow: /a/\nAllow: /a/index.html\n", robotsQuestion{"bingbot", "/a/"},
			},
			"takes a last name without a rule for no group": {
				func(f robotsFile, q robotsQuestion) bool {
					for _, l := range slices.Backward(f.Lines) {
						if l.Kind == robotstxt.Agent && strings.EqualFold(l.Value, q.agent) {
							return true
						}
						if l.Kind != robotstxt.Agent && l.Kind != robotstxt.Blank {
							break
						}
					}
					return false
				},
				"User-agent: *\nDisallow: /\nUser-agent: bingbot\n", robotsQuestion{"bingbot", "/a"},
			},
		},
	},
	{
		name: "Protego 0.2.1",
		command: func(t *testing.T) *exec.Cmd {
			if err := exec.Command(debianPython, "-c", "import protego").Run(); err != nil {
				t.Skip("python3-protego is missing: run e2e/install-debian.sh as root on Debian")
			}
			return exec.Command(debianPython, "protego_answers.py")
		},
		defects: map[string]robotsDefect{
			"knows no relations among crawlers": {related, "User-agent: *\nDisallow: /\n",
				robotsQuestion{"adsbot-google", "/a"}},
			"takes a name within a crawler's for its own": {
				func(f robotsFile, q robotsQuestion) bool {
					agent := strings.ToLower(q.agent)
					return !slices.Contains(f.Agents(), agent) &&
						slices.ContainsFunc(f.Agents(), func(a string) bool { return strings.Contains(agent, a) })
				},
				"User-agent: bot\nDisallow: /\n", robotsQuestion{"GPTBot", "/a"},
			},
			"reads a name with its version": {
				anyLine(func(l, _ robotstxt.Line) bool {
					return l.Kind == robotstxt.Agent && strings.Contains(l.Value, "/")
				}),
				"User-agent: bingbot/2.0\nDisallow: /\n", robotsQuestion{"bingbot", "/a"},
			},
			// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
			"takes * in an address for %2A": {
				func(f robotsFile, q robotsQuestion) bool {
					return strings.Contains(q.path, "*") && strings.Contains(strings.ToUpper(f.text), "%2A")
				},
				"User-agent: *\nDisallow: /a%2Ab\n", robotsQuestion{"bingbot", "/a*b"},
			},
			"puts a final $ before the query": {
				anyLine(func(l, _ robotstxt.Line) bool {
					return strings.Contains(l.Value, "?") && strings.HasSuffix(l.Value, "$")
				}),
				"User-agent: *\nDisallow: /a?b$\n", robotsQuestion{"bingbot", "/a?b"},
			},
			"takes a byte order mark for text": {
				func(f robotsFile, _ robotsQuestion) bool { return strings.HasPrefix(f.text, "\ufeff") },
				"\ufeffUser-agent: *\nDisallow: /\n", robotsQuestion{"bingbot", "/a"},
			},
			"ends the names of a group at any line": endsNames,
		},
	},
}

// ask gives a reader files, each with its questions.
func (r *robotsReader) ask(t *testing.T, files []string, questions [][]robotsQuestion) [][]bool {
	t.Helper()
	type question struct {
		File          string
		Agents, Paths []string
	}
	asked := make([]question, len(files))
	for i, file := range files {
		asked[i].File = file
		for _, q := range questions[i] {
			asked[i].Agents, asked[i].Paths = append(asked[i].Agents, q.agent), append(asked[i].Paths, q.path)
		}
	}
	all := converse[[]bool](t, r.command(t), asked)
	for i, answers := range all {
		if len(answers) != len(questions[i]) {
			t.Fatalf("%s: %d answers to %d questions", r.name, len(answers), len(questions[i]))
		}
	}
	return all
}

func TestRobotsTxt_DefectsOfReadersAreOpen(t *testing.T) {
	t.Parallel()
	for _, r := range robotsReaders {
		t.Run(r.name, func(t *testing.T) {
			for reason, d := range r.defects {
				f := readRobots(d.file)
				if !d.concern(f, d.robotsQuestion) {
					t.Errorf("%s: the concern does not fit the question", reason)
				}
				theirs := r.ask(t, []string{d.file}, [][]robotsQuestion{{d.robotsQuestion}})[0][0]
				if theirs == f.Ask(d.agent, d.path).Allowed {
					t.Errorf("it no longer %s: %q", reason, d.file)
				}
			}
		})
	}
}

// robotsTexts are texts of robotstxt/owners.txt or policies.txt by their names.
func robotsTexts(t *testing.T, table, column string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, row := range tables.Read(t, "testdata/robotstxt/"+table+".txt") {
		texts[row["name"]] = row[column]
	}
	return texts
}

// robotsQuestions returns n questions, the same ones each time: crawlers and paths of a site of
// sections, pages, files with suffixes, queries, encoded names and other cases of letters.
func robotsQuestions(n int) []robotsQuestion {
	r := rand.New(rand.NewPCG(9309, 6))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	qs := make([]robotsQuestion, n)
	for i := range qs {
		path := "/"
		for range r.IntN(4) {
			path += pick("blog", "Blog", "tags", "press", "drafts", "2026", "%C3%A9t%C3%A9", "a*b", "a%2Ab", "private",
				"search", "xx") + "/"
		}
		path += pick("", "", "index.html", "page.html", "fair.pdf", "fair.PDF", "feed.xml", "x", "private")
		path += pick("", "", "", "?q=1", "?utm_source=a&b=c")
		qs[i] = robotsQuestion{pick("googlebot", "googlebot-image", "bingbot", "GPTBot", "ClaudeBot", "applebot",
			"Applebot-Extended", "adsbot-google", "otherbot"), path}
	}
	return qs
}

// Other people's readers agree that a group that is added never lets a crawler fetch what it was
// denied (S5c).
func TestRobotsTxt_AGroupNeverFrees(t *testing.T) {
	t.Parallel()
	everyone := robotstxt.Group{Disallow: robotstxt.Values("/private/", "/*.pdf$", "/blog"), Allow: robotstxt.Values("/private/page")}
	groups := []robotstxt.Group{
		{CrawlDelay: 5},
		{ContentSignal: "ai-train=no"},
		{Allow: robotstxt.Values("/", "/private/", "/*.pdf")},
		{Disallow: robotstxt.Values("/tags/", "/"), Allow: robotstxt.Values("/private/", "/blog/$", "/index.html")},
	}
	var files []string // one without the group, and one with it
	var asked [][]robotsQuestion
	denied := 0
	robotsOwners := robotsTexts(t, "owners", "text")
	for _, owner := range slices.Sorted(maps.Keys(robotsOwners)) {
		for _, agent := range []string{"GPTBot", "otherbot", "googlebot", "bingbot"} {
			for _, g := range groups {
				g.Agents = []string{agent}
				for _, p := range []robotstxt.Policy{{Groups: []robotstxt.Group{everyone}},
					{Groups: []robotstxt.Group{everyone, g}}} {
					text, _, _ := robotstxt.Merge([]byte(robotsOwners[owner]), &p)
					files, asked = append(files, string(text)), append(asked, robotsQuestions(200))
				}
			}
		}
	}
	for _, r := range robotsReaders {
		t.Run(r.name, func(t *testing.T) {
			answers := r.ask(t, files, asked)
			for i := 0; i < len(files); i += 2 {
				for j, q := range asked[i] {
					if answers[i][j] {
						continue
					}
					if denied++; answers[i+1][j] {
						t.Errorf("%s %s: denied before, and not by\n%s", q.agent, q.path, files[i+1])
					}
				}
			}
		})
	}
	t.Logf("%d files, %d questions denied", len(files), denied)
}

// What metarobots makes of owners' files and configurations is answered alike by other people's
// readers.
func TestRobotsTxt_ReadersAnswerAlike(t *testing.T) {
	t.Parallel()
	var names, files []string
	robotsOwners, robotsPolicies := robotsTexts(t, "owners", "text"), robotsTexts(t, "policies", "lines")
	for _, owner := range slices.Sorted(maps.Keys(robotsOwners)) {
		for _, policy := range slices.Sorted(maps.Keys(robotsPolicies)) {
			dir := t.TempDir()
			name := filepath.Join(dir, "public", "robots.txt")
			write(t, filepath.Join(dir, "public", "index.html"), "<!doctype html><title>Home</title>")
			if text := robotsOwners[owner]; text != "" {
				write(t, name, text)
			}
			write(t, filepath.Join(dir, "metarobots.toml"),
				"[site]\ngenerator = \"html\"\ndestination = \"public\"\n\n[robots.txt]\n"+robotsPolicies[policy])
			// An owner's file may be found fault with, which is 1.
			if r := finish(t, command("apply", "--quiet", "-s", dir)); r.code > 1 {
				t.Fatalf("%s, %s: exit code %d\n%s", owner, policy, r.code, r.stderr)
			}
			text := ""
			if _, err := os.Stat(name); err == nil {
				text = read(t, name)
			} else if robotsOwners[owner] != "" || policy != "checked alone" {
				t.Errorf("%s, %s: no robots.txt is written", owner, policy)
			}
			if begun := strings.Contains(text, "# metarobots: begin"); begun != (policy != "checked alone") {
				t.Errorf("%s, %s: our block stands there %v\n%s", owner, policy, begun, text)
			}
			names, files = append(names, owner+", "+policy), append(files, text)
		}
	}
	asked := make([][]robotsQuestion, len(files))
	refused := 0
	for i, file := range files {
		asked[i] = robotsQuestions(1_000)
		f := readRobots(file)
		for _, q := range asked[i] {
			if !f.Ask(q.agent, q.path).Allowed {
				refused++
			}
		}
	}
	total := len(files) * 1_000
	if refused < total/5 || refused > total*4/5 {
		t.Errorf("%d of %d are refused: too one-sided to prove anything", refused, total)
	}
	t.Logf("%d files, %d questions, %d refused", len(files), total, refused)
	for _, r := range robotsReaders {
		t.Run(r.name, func(t *testing.T) {
			known := map[string]int{}
			var failed failures
			for i, theirs := range r.ask(t, files, asked) {
				f := readRobots(files[i])
				for j, q := range asked[i] {
					ours := f.Ask(q.agent, q.path)
					if ours.Allowed == theirs[j] {
						continue
					}
					reason := ""
					for _, name := range slices.Sorted(maps.Keys(r.defects)) {
						if r.defects[name].concern(f, q) {
							reason = name
							break
						}
					}
					if known[reason]++; reason == "" {
						failed.errorf(t, "%s: %s %s: ours %+v, theirs %v\n%s", names[i], q.agent, q.path, ours,
							theirs[j], files[i])
					}
				}
			}
			failed.sum(t, "answers")
			explained := 0
			for reason := range r.defects {
				explained += known[reason]
				if known[reason] == 0 {
					t.Errorf("%q explains nothing", reason)
				}
			}
			if explained > total/10 {
				t.Errorf("%d answers differ for known reasons: they explain too much", explained)
			}
			t.Logf("%d answers alike, %d otherwise for a known reason: %v", total-explained-int(failed), explained,
				known)
		})
	}
}
