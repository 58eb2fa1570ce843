package servers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// An ownersRule is one of the owner's, which holds for files if its condition does.
type ownersRule struct {
	line                 int
	value, action, where string // the action and the section are Apache's
	isConditional        bool
	matches              func(path string) bool
}

// A pattern of the owner's, and what it takes. One that is not read takes at most that.
type ownersPattern struct {
	text   string
	isRead bool
	takes  string
}

var ownersPatterns = map[string][]ownersPattern{
	"vercel": {{"/(.*)", true, ".*"}, {"/a.pdf", true, "/a.pdf"}, {"/:name(a|b).pdf", true, "/[ab].pdf"},
		{"/:name((?!c)[ab]).pdf", false, "/[ab].pdf"}},
	"firebase": {{"**", true, ".*"}, {"/a.pdf", true, "/a.pdf"}, {"/[ab].pdf", false, "/[ab].pdf"},
		{"/!(c).*", false, "/[ab].*"}},
	"amplify": {{"**", true, ".*"}, {"/a.pdf", true, "/a.pdf"}, {"/[ab].pdf", false, "/[ab].pdf"}},
}

var ownersValues = []string{"noindex", "nosnippet", "nofollow", "all", "noindex, nosnippet", "noindex, follow",
	"googlebot: noindex", "noindex, indexifembedded", "max-snippet:10", "none"}

// Nothing of ours takes away what an owner's rule states, read or not, where it holds and where it
// does not: each file is served with all that the owner's rules alone would serve, and with all
// that is decided, or an error names the line (N8p, N8q, N8s).
func TestLaw_OursTakesNothingAway(t *testing.T) {
	for _, target := range []string{"vercel", "firebase", "amplify", "apache"} {
		t.Run(target, func(t *testing.T) {
			kept := 0
			rapid.Check(t, func(t *rapid.T) {
				rules := someOwnersRules(t, target)
				user := ownersFile(target, rules)
				own := tables.Value(readUser(target, []byte(user)))(t)
				var wants []robotstag.Want
				for _, name := range []string{"a.pdf", "b.pdf", "c.txt"} {
					w := published(name, rapid.SampledFrom(ownersValues).Draw(t, "decided"))
					if found := own.Found(name); len(found) > 0 {
						w.Values, w.Found = sum(w.Values, found)
					}
					wants = append(wants, w)
				}
				res := tables.Value(compile(target, []byte(user), wants, plain))(t)
				for _, w := range wants {
					if slices.Contains(res.Missed, w.Path) {
						isError := func(f policy.Finding) bool {
							return f.Severity == policy.Error && f.ID == "header-found" && f.Line > 0
						}
						if !slices.ContainsFunc(res.Findings, isError) {
							t.Fatalf("no error names the line: %+v", res.Findings)
						}
						continue
					}
					kept++
					restrictsAll(t, target, user, string(res.File), rules, &w)
				}
				again, err := compile(target, res.File, wants, plain)
				if err != nil || string(again.File) != string(res.File) {
					t.Fatalf("a second run: %v\n%s\nfirst\n%s", err, again.File, res.File)
				}
				back, err := compile(target, res.File, nil, plain)
				if err != nil || string(back.File) != user {
					t.Fatalf("nothing wanted: %v\n%s\nuser\n%s", err, back.File, user)
				}
			})
			t.Logf("%d files, without those that an error names", kept)
		})
	}
}

// restrictsAll checks what a file is served with wherever some of the owner's conditions hold.
func restrictsAll(t *rapid.T, target, user, file string, rules []ownersRule, w *robotstag.Want) {
	for holding := range 1 << len(rules) {
		holds := func(line int) bool {
			i := slices.IndexFunc(rules, func(r ownersRule) bool { return r.line == line })
			return !rules[i].isConditional || holding>>i&1 == 1
		}
		alone := serve(t, target, user, rules, "/"+w.Path, holds)
		both := serve(t, target, file, rules, "/"+w.Path, holds)
		if !robotstag.Covers(both, alone) || !robotstag.Covers(both, strings.Join(w.Values, "\n")) {
			t.Fatalf("%s is served with %q; the owner's rules alone serve %q, and %q is decided; case %b\n%s",
				w.Path, both, alone, w.Values, holding, file)
		}
	}
}

// someOwnersRules draws rules, each of which has a line of its own.
func someOwnersRules(t *rapid.T, target string) (rules []ownersRule) {
	for i := range rapid.IntRange(1, 4).Draw(t, "rules") {
		r := ownersRule{value: rapid.SampledFrom(ownersValues).Draw(t, "value"), line: i + 3,
			isConditional: target != "amplify" && target != "firebase" && rapid.Bool().Draw(t, "condition"),
			matches:       func(string) bool { return true }}
		if target == "apache" {
			r.action = rapid.SampledFrom([]string{"set", "add", "append", "always set", "unset"}).Draw(t, "action")
			r.line = i + 1
		} else {
			p := rapid.SampledFrom(ownersPatterns[target]).Draw(t, "pattern")
			r.where, r.isConditional = p.text, r.isConditional || !p.isRead
			r.matches = regexp.MustCompile("^(?:" + p.takes + ")$").MatchString
		}
		rules = append(rules, r)
	}
	return rules
}

// ownersFile is the file with the rules.
func ownersFile(target string, rules []ownersRule) string {
	var lines []string
	for _, r := range rules {
		has := ""
		if r.isConditional && !strings.ContainsAny(r.where, "![") {
			has = `"has": [{"type": "host", "value": "x.test"}], `
		}
		switch target {
		case "apache":
			line := fmt.Sprintf("Header %s X-Robots-Tag %q", r.action, r.value)
			if r.action == "unset" {
				line = "Header unset X-Robots-Tag"
			}
			if r.isConditional {
				line += ` "expr=%{HTTP_HOST} == 'x.test'"`
			}
			lines = append(lines, line)
		case "amplify":
			lines = append(lines, fmt.Sprintf("- {pattern: '%s', headers: [{key: X-Robots-Tag, value: '%s'}]}",
				r.where, r.value))
		default:
			lines = append(lines, fmt.Sprintf(`{%s"source": %q, "headers": [{"key": "X-Robots-Tag", "value": %q}]}`,
				has, r.where, r.value))
		}
	}
	switch text := strings.Join(lines, ",\n"); target {
	case "vercel":
		return "{\n\"headers\": [\n" + text + "\n]}\n"
	case "firebase":
		return "{\"hosting\": {\n\"headers\": [\n" + text + "\n]}}\n"
	case "amplify":
		return "# mine\ncustomHeaders:\n" + strings.Join(lines, "\n") + "\n"
	}
	return strings.Join(lines, "\n") + "\n"
}

// serve is what a file sends at a path, with line ends between the lines, by a model of a few
// lines.
func serve(t *rapid.T, target, file string, rules []ownersRule, path string, holds func(line int) bool) string {
	if target == "apache" {
		return serveHtaccess(t, file, rules, path, holds)
	}
	h := ruleLists[target]
	d := tables.Value(h.open([]byte(file)))(t)
	sent, own := "", 0
	for i, written := range d.rules {
		text, _, _ := d.headerValue(robotstag.Name, member(written, "headers"))
		pattern := scalar(member(written, h.ourKey()))
		if !d.isOurs[i] {
			if r := rules[own]; r.matches(path) && holds(r.line) {
				sent = text
			}
			own++
		} else if target == "amplify" && pattern == path ||
			target != "amplify" && regexp.MustCompile("^(?:"+pattern+")$").MatchString(path) {
			sent = text
		}
	}
	return sent
}

// serveHtaccess carries out the lines of a .htaccess.
func serveHtaccess(t *rapid.T, file string, rules []ownersRule, path string, holds func(line int) bool) string {
	var sent, always []string
	do := func(action, value string) {
		switch {
		case action == "always set":
			always = []string{value}
		case action == "set":
			sent = []string{value}
		case action == "unset":
			sent = nil
		case action == "append" && len(sent) > 0:
			sent = append([]string{sent[0] + ", " + value}, sent[1:]...)
		default:
			sent = append(slices.Clone(sent), value)
		}
	}
	text := marks.Read([]byte(file))
	for n := range len(text.Lines) + 1 {
		if n == text.At {
			for _, l := range joined(text.Block) {
				if args, _ := splitWords(l, `"'`); len(args) == 5 && strings.Contains(args[4], "'"+path+"'") {
					do(args[1], args[3])
				}
			}
		}
		if n < len(rules) && holds(rules[n].line) {
			do(rules[n].action, rules[n].value)
		}
	}
	return strings.Join(slices.Concat(sent, always), "\n")
}

// joined are lines, those that end with a backslash with the next.
func joined(lines []marks.Line) (all []string) {
	goesOn := false
	for _, l := range lines {
		text := strings.TrimSuffix(l.Trim(), `\`)
		if goesOn {
			all[len(all)-1] += text
		} else {
			all = append(all, text)
		}
		goesOn = strings.HasSuffix(l.Trim(), `\`)
	}
	return all
}
