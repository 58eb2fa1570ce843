package servers

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Found are the values that are sent for a file, in the order of the user's file.
func (u *User) Found(path string) []robotstag.Value { return robotstag.Values(u.Sent(path, "")) }

// found prints what is found, as "line:value".
func found(t *testing.T, target, user, path string) (all []string) {
	t.Helper()
	u, err := readUser(target, []byte(user))
	if err != nil {
		t.Fatalf("%s %s: %v", target, user, err)
	}
	for _, v := range u.Found(path) {
		all = append(all, fmt.Sprintf("%d:%s", v.Line, v.Text))
	}
	return all
}

// sets is the member of a rule that sets the header, at Vercel, Firebase and Amplify.
func sets(value string) string {
	return `"headers": [{"key": "X-Robots-Tag", "value": "` + value + `"}]`
}

// patternForms are files with one rule for a pattern.
var patternForms = map[string]string{
	"vercel":   `{"headers": [{"source": %q, ` + sets("noindex") + "}]}",
	"firebase": `{"hosting": {"headers": [{"source": %q, ` + sets("noindex") + "}]}}",
	"regex":    `{"hosting": {"headers": [{"regex": %q, ` + sets("noindex") + "}]}}",
	"amplify":  "customHeaders:\n- {pattern: %q, headers: [{key: X-Robots-Tag, value: noindex}]}\n",
	"azure":    `{"routes": [{"route": %q, "headers": {"X-Robots-Tag": "noindex"}}]}`,
}

// One rule for a pattern, and the files that it takes and does not take.
func TestHouse_PatternsTakeWhatTheirHostsSay(t *testing.T) {
	for _, test := range tables.Read(t, "testdata/patterns.txt") {
		target, user := withPattern(test)
		for column, want := range map[string]int{"takes": 1, "not": 0} {
			for _, file := range test.List(column) {
				if got := found(t, target, user, file); len(got) != want {
					t.Errorf("%v, %s: found %q, want %d", test, file, got, want)
				}
			}
		}
	}
}

// A slash at the end of a path is no difference to Firebase, and a rule may be for the home page.
// https://github.com/firebase/superstatic src/utils/patterns.js
func TestHouse_FirebaseIgnoresTheLastSlash(t *testing.T) {
	const settings = `{"hosting": {"cleanUrls": true, "trailingSlash": true, "headers": [{"source": %q, ` + "%s}]}}"
	for source, files := range map[string]map[string]int{
		"/x/p": {"x/p.html": 1, "x/p/index.html": 1, "x/pp.html": 0},
		"/":    {"index.html": 1, "x/index.html": 0},
	} {
		for file, want := range files {
			if got := found(t, "firebase", fmt.Sprintf(settings, source, sets("noindex")), file); len(got) != want {
				t.Errorf("%s, %s: found %q, want %d", source, file, got, want)
			}
		}
	}
}

// withPattern returns a target and its file with the pattern of a row.
func withPattern(row tables.Row) (target, user string) {
	user = fmt.Sprintf(patternForms[row["target"]], row["pattern"])
	if row["target"] == "regex" {
		return "firebase", user
	}
	return row["target"], user
}

// A pattern of more than a path, or what paths begin and end with, is a finding and not counted,
// and nothing else is relied on where it may take a file: the file has a rule of ours (N8c).
// Exactness beyond that is no goal.
func TestHouse_PatternsThatAreNotRead(t *testing.T) {
	for _, test := range tables.Read(t, "testdata/unread-patterns.txt") {
		target, text := withPattern(test)
		user := []byte(text)
		for _, file := range test.List("takes") {
			if got := found(t, target, text, file); len(got) > 0 {
				t.Errorf("%v, %s: found %v", test, file, got)
			}
			wants := []robotstag.Want{{Path: file, URL: file, Values: []string{"noindex"}, Found: true}}
			if strings.Contains(file, "*") {
				wants = nil // no rule can name it on some hosts
			}
			res, err := compile(target, user, wants, plain)
			line := map[bool]int{false: 1, true: 2}[target == "amplify"]
			if err != nil || len(res.Findings) == 0 || res.Findings[0].Line != line ||
				res.Findings[0].ID != "header-found" || res.Rules < len(wants) {
				t.Errorf("%v, %s: %v, %d rules, %+v", test, file, err, res.Rules, res.Findings)
			}
			// Ours are last, and win, since they restrict all that it does; on Azure the first
			// route does, and that is an error.
			faults := verify(target, res.File, wants, plain, nil)
			errs := slices.ContainsFunc(res.Findings, func(p policy.Finding) bool { return p.Severity == policy.Error })
			if before := target == "azure"; (len(faults) > 0) != before || errs != before {
				t.Errorf("%v: %+v, proof %+v", test, res.Findings, faults)
			}
		}
	}
}

// A rule of the owner's that is not read is taken to match what has its plain text in that order,
// and nothing else: no rule of ours is in its way elsewhere (N8).
func TestHouse_PatternsThatAreNotReadMatchTheirPlainText(t *testing.T) {
	for _, test := range tables.Read(t, "testdata/unread-patterns.txt") {
		target, text := withPattern(test)
		user := []byte(strings.Replace(text, "noindex", "nofollow", 1))
		for column, isError := range map[string]bool{"takes": true, "not": false} {
			for _, file := range test.List(column) {
				if strings.Contains(file, "*") {
					continue // no rule can name it on some hosts
				}
				res, err := compile(target, user, []robotstag.Want{published(file, "noindex")}, plain)
				errs := slices.ContainsFunc(res.Findings, func(f policy.Finding) bool { return f.Severity == policy.Error })
				if err != nil || errs != isError {
					t.Errorf("%v, %s: %v, %+v", test, file, err, res.Findings)
				}
			}
		}
	}
}

// A rule that is not read does not hide what one before it brings: the stricter of the two is what
// is found.
func TestHouse_RulesThatAreNotReadHideNothing(t *testing.T) {
	user := `{"headers": [{"source": "/(.*)", ` + sets("noindex") +
		"},\n{\"source\": \"/(.*)\", \"has\": [{\"type\": \"host\", \"value\": \"a\"}], " + sets("all") + "}]}"
	if got := found(t, "vercel", user, "a.pdf"); !slices.Equal(got, []string{"1:noindex"}) {
		t.Errorf("found %q", got)
	}
	wants := []robotstag.Want{{Path: "a.pdf", URL: "a.pdf", Values: []string{"noindex"}, Found: true}}
	res, err := compile("vercel", []byte(user), wants, plain)
	if err != nil || res.Rules != 1 {
		t.Errorf("%v, %d rules\n%s", err, res.Rules, res.File)
	}
}

// Of several rules the host's order decides.
func TestHouse_TheOrderOfTheHostDecides(t *testing.T) {
	for cells, user := range archive(t, "testdata/order.txtar") {
		target, file, want := cells[0], cells[1], cells[2]
		if got := strings.Join(found(t, target, user, file), " "); got != want {
			t.Errorf("%s %s: found %q, want %q", target, user, got, want)
		}
	}
}

// What cannot be read is said, with its line, and not counted.
func TestHouse_WhatCannotBeReadIsSaid(t *testing.T) {
	for cells, user := range archive(t, "testdata/unread.txtar") {
		target, says := cells[0], cells[1]
		u := tables.Value(readUser(target, []byte(user)))(t)
		ps := u.findings
		if len(ps) != 1 || ps[0].Line != 3 || ps[0].ID != "header-found" || ps[0].Severity != policy.Warning ||
			!strings.Contains(ps[0].Text(), says) {
			t.Errorf("%s %s: %+v, want %q", target, user, ps, says)
		}
		if got := u.Found("a"); len(got) > 0 {
			t.Errorf("%s %s: found %v", target, user, got)
		}
		res, err := compile(target, []byte(user), nil, plain)
		if err != nil || !slices.Equal(res.Findings, ps) {
			t.Errorf("%s: Compile says %+v, %v; want %+v", target, res.Findings, err, ps)
		}
	}
}

// A rule of the owner's for all files is found for every file, on every target, and nothing of it
// is a finding (issue 26, 5). Only nginx may not serve it, where a server has lines of its own.
func TestHouse_WhatIsSaidOfAllFilesIsFound(t *testing.T) {
	for cells, user := range archive(t, "testdata/everywhere.txtar") {
		target := cells[0]
		own := tables.Value(readUser(target, []byte(user)))(t)
		var wants []robotstag.Want
		for _, file := range []string{"index.html", "a/b/index.html", "a b.pdf", "größe.txt"} {
			values := own.Found(file)
			if len(values) == 0 || !robotstag.Same(robotstag.Join(values), "noindex, nofollow") {
				t.Errorf("%s %s: found %+v for %s", target, user, values, file)
			}
			wants = append(wants, published(file, "noindex, nofollow"))
			wants[len(wants)-1].Found = true
		}
		res, err := compile(target, []byte(user), wants, plain)
		if err != nil || len(res.Findings) > 0 || (res.Rules > 0) != (target == "nginx") {
			t.Errorf("%s %s: %v, %+v\n%s", target, user, err, res.Findings, res.File)
		}
		reports(t, target, verify(target, res.File, wants, plain, nil))
	}
}

// What the owner's rules give already is equal in meaning to what is decided, whatever words P3
// drops and P5 adds: no rule of ours and no finding (issue 26, 7). Where it is not, a line is one
// finding, with how many files it is about. N8d.
func TestHouse_EqualInMeaningIsEqual(t *testing.T) {
	images := []robotstag.Want{published("a.png"), published("b/c.jpeg"), published("d.gif")}
	for cells, user := range archive(t, "testdata/equal.txtar") {
		target := cells[0]
		for _, values := range [][]string{{"noindex, follow"}, {"noindex"}} {
			wants := slices.Clone(images)
			for i := range wants {
				wants[i].Values, wants[i].Found = values, true
			}
			res, err := compile(target, []byte(user), wants, plain)
			if err != nil || res.Rules > 0 || len(res.Findings) > 0 || string(res.File) != user {
				t.Errorf("%s: %v %d rules %+v\n%s", target, err, res.Rules, res.Findings, res.File)
			}
		}
		stricter := slices.Clone(images)
		for i := range stricter {
			stricter[i].Values = []string{"noindex, nofollow"}
		}
		res, err := compile(target, []byte(user), stricter, plain)
		if goesFirst := slices.Contains([]string{"apache", "azure", "caddy"}, target); err != nil || goesFirst &&
			(len(res.Findings) != 1 || !strings.Contains(res.Findings[0].Text(), "2 other files") || len(res.Missed) != 3) ||
			!goesFirst && (len(res.Findings) > 0 || res.Rules == 0) {
			t.Errorf("%s: %v %+v missed %q\n%s", target, err, res.Findings, res.Missed, res.File)
		}
	}
}

// A file that gets its set from the user's rules has none of ours, where they do
// so at every path and however they are read.
func TestHouse_FoundIsBelievedWhereItIsSure(t *testing.T) {
	for cells, user := range archive(t, "testdata/believed.txtar") {
		target, file, needs := cells[0], cells[1], cells[2] == "a rule"
		wants := []robotstag.Want{{Path: file, URL: file, Values: []string{"noindex, follow"}, Found: true}}
		res, err := compile(target, []byte(user), wants, plain)
		if err != nil || (res.Rules > 0) != needs {
			t.Errorf("%s: %v, %d rules\n%s", target, err, res.Rules, res.File)
		}
		reports(t, target, verify(target, res.File, wants, plain, nil))
	}
}

// A build asks for many files at once.
func TestHouse_RulesAreAskedFromSeveralGoroutines(t *testing.T) {
	for _, target := range targets {
		for _, text := range owners(t, target, "robots") {
			u := tables.Value(readUser(target, []byte(text)))(t)
			want := u.Found("docs/a.pdf")
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					if got := u.Found("docs/a.pdf"); !slices.Equal(got, want) {
						t.Errorf("%s: %v, want %v", target, got, want)
					}
				})
			}
			group.Wait()
		}
	}
}

// In a Caddyfile a backtick quotes, and an apostrophe is a character as any other.
// https://caddyserver.com/docs/caddyfile/concepts#tokens-and-quotes
func TestCaddy_Quotes(t *testing.T) {
	for line, want := range map[string]string{
		"header X-Robots-Tag `noindex, nofollow`":  "1:noindex, nofollow",
		`header X-Robots-Tag "noindex, nofollow"`:  "1:noindex, nofollow",
		"header * X-Robots-Tag `noindex`":          "1:noindex",
		"header X-Robots-Tag 'noindex, nofollow'":  "", // four arguments
		"header X-Robots-Tag \"noindex` is no end": "",
	} {
		if got := strings.Join(found(t, "caddy", line+"\n", "a.pdf"), " "); got != want {
			t.Errorf("%s: found %q, want %q", line, got, want)
		}
	}
}
