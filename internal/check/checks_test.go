package check

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// nameOf is the name of a check.
func nameOf(check func(*plan.Plan) []policy.Finding) string {
	name := runtime.FuncForPC(reflect.ValueOf(check).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}

// planned is the plan of a row's site. In a row, files lie in the folder of the site. HTML files
// are written as the content of their head, and a "#120" in a name makes 120 files, named by their
// numbers. "$NAME" is a variable of the environment. A policy that begins with a "[site]" of its
// own is the whole policy.
func planned(t *testing.T, row tables.Row) *plan.Plan {
	t.Helper()
	files, variables := map[string]string{}, map[string]string{}
	for name, text := range row.Files("files") {
		variable, isVariable := strings.CutPrefix(name, "$")
		before, rest, many := strings.Cut(name, "#")
		switch {
		case isVariable:
			variables[variable] = text
			continue
		case strings.HasSuffix(name, ".html"):
			text = "<!doctype html><html><head><title>x</title>" + text + "</head></html>"
		}
		if !many {
			files[name] = text
			continue
		}
		count, after := rest[:3], rest[3:]
		n := tables.Value(strconv.Atoi(count))(t)
		for i := range n {
			files[fmt.Sprint(before, i, after)] = text
		}
	}
	text := row["policy"]
	if !strings.HasPrefix(text, "[site]") {
		text = "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://a.example/\"\n" + text
	}
	files["metarobots.toml"] = text
	ctx := context.Background()
	p := tables.Value(project.Open(ctx, project.Options{WorkDir: tables.Folder(t, files),
		Getenv: func(name string) string { return variables[name] }}, slices.Concat([]site.Generator{pages.HTML()},
		pages.Generators())...))(t)
	return tables.Value(plan.New(ctx, p))(t)
}

// whatAndWhere is what a finding is, its place, and the URL that it is about.
func whatAndWhere(f policy.Finding) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.ID, f.File, f.Line, f.URL))
}

// compare compares findings with what a table says of them.
func compare(t *testing.T, got []policy.Finding, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("also: %s ~ %s", whatAndWhere(got[i]), got[i].Text())
		case i >= len(got):
			t.Errorf("missing: %s", want[i])
		default:
			at, says, _ := strings.Cut(want[i], " ~ ")
			if whatAndWhere(got[i]) != at || !strings.Contains(got[i].Text(), cmp.Or(says, got[i].Text())) {
				t.Errorf("got  %s ~ %s\nwant %s", whatAndWhere(got[i]), got[i].Text(), want[i])
			}
		}
	}
}

// byHugo are the checks of what Hugo alone knows of a site, or of an earlier run. Their tests say
// that to a plan.
var byHugo = []string{"unknownFiles", "openFeeds", "notPublished", "newlyNoindex"}

// What each check reports of a small site, alone: testdata/checks.txt. A finding is given by its
// severity, its ID, its place, its URL and what its message holds. Each check has a site that it
// reports and one beside it that it does not, and leaves the plan as it is: asked again, it answers
// the same.
func TestHouse_WhatEachCheckReports(t *testing.T) {
	named := map[string]func(*plan.Plan) []policy.Finding{}
	for _, c := range checks {
		named[nameOf(c)] = c
	}
	reports, silent := map[string]bool{}, map[string]bool{}
	for _, row := range tables.Read(t, "testdata/checks.txt") {
		check := named[row["check"]]
		if check == nil {
			t.Errorf("%s is no check", row["check"])
			continue
		}
		want := row.List("want")
		reports[row["check"]] = reports[row["check"]] || len(want) > 0
		silent[row["check"]] = silent[row["check"]] || len(want) == 0
		t.Run(row["check"]+"/"+row["case"], func(t *testing.T) {
			t.Parallel()
			s := planned(t, row)
			got := check(s)
			if again := check(s); !slices.Equal(got, again) {
				t.Errorf("the second time it says %v, the first time %v", again, got)
			}
			compare(t, got, want...)
		})
	}
	for name := range named {
		if slices.Contains(byHugo, name) {
			continue
		}
		if !reports[name] || !silent[name] {
			t.Errorf("%s: testdata/checks.txt has a site that it reports: %t, and one that it does not: %t", name,
				reports[name], silent[name])
		}
	}
}

// L7: a past date of a rule counts as noindex where it is resolved, and the rule stays as its owner
// wrote it.
func TestHouse_ChecksLeaveTheStatementsOfRules(t *testing.T) {
	s := planned(t, tables.Row{"files": "out/index.html= + out/a.pdf=",
		"policy": "[[robots.rules]]\nmatch = [\"/**/*.pdf\"]\nrobots = \"unavailable_after: 2020-01-01\"\n"})
	rule := &s.Project.Policy.Rules.All[0]
	before := slices.Clone(rule.Statements)
	for _, check := range checks {
		if check(s); !slices.Equal(rule.Statements, before) {
			t.Fatalf("after %s the rule states %v, before %v", nameOf(check), rule.Statements, before)
		}
	}
}

// A file that nothing of the site is known to make is a note if search engines list its kind.
func TestHouse_UnknownFilesAreDocuments(t *testing.T) {
	s := planned(t, tables.Row{"files": "out/index.html= + out/a.pdf= + out/b.DOCX= + out/c.css= + out/robots.txt="})
	compare(t, unknownFiles(s))
	for _, pg := range s.Pages {
		pg.File.Unknown = true
	}
	compare(t, unknownFiles(s), "note unknown-file out/a.pdf:0 /a.pdf ~ /a.pdf and one more")
}

// L5: a feed takes nothing from its list, so one of a list that visibility hides is a note at the
// key; not one that a rule hides, nor another file there.
func TestHouse_FeedsOfHiddenListsAreOpen(t *testing.T) {
	for policy, want := range map[string][]string{
		"": nil,
		"[robots.visibility]\narchives = { tags = false }\n": {"note archive-feeds metarobots.toml:6 /tags/x/index.xml ~ " +
			"match = [\"/tags/**/*.xml\"]"},
		"[robots.visibility]\narchives = { tags = false }\n[[robots.rules]]\nmatch = [\"/tags/**/*.xml\"]\nrobots = \"noindex\"\n": nil,
	} {
		s := planned(t, tables.Row{"policy": policy,
			"files": "out/index.html= + out/a.html= + out/tags/index.html= + out/tags/x/index.html= + out/tags/x/index.xml=<rss/> + out/tags/x/b.txt="})
		s.Page("tags/index.html").File.Taxonomies = []string{"tags"}
		s.Page("tags/x/index.xml").File.Taxonomies = []string{"tags"}
		s.Page("tags/x/b.txt").File.Taxonomies = []string{"tags"}
		compare(t, openFeeds(s), want...)
	}
}

// expecting is a map of a site whose build writes some files.
type expecting struct {
	site.Map
	files []string
}

func (m expecting) Expected() []string { return m.files }

// A page that a build writes and that is not published is a note.
func TestHouse_PagesThatAreNotPublished(t *testing.T) {
	s := planned(t, tables.Row{"files": "out/index.html="})
	s.Map = expecting{s.Map, []string{"index.html"}}
	compare(t, notPublished(s))
	s.Map = expecting{s.Map, []string{"a.html", "b.html", "index.html"}}
	compare(t, notPublished(s), "note not-published out/a.html:0 ~ 2 files")
}

// A page that an earlier run left in the index and this one takes out is counted at the cause, and
// a preview says nothing of single pages.
func TestHouse_NewlyNoindexPagesAreCountedByTheirCause(t *testing.T) {
	const rule = "[[robots.rules]]\nmatch = [\"/{a,b}.html\"]\nrobots = \"noindex\"\n"
	files := "out/index.html= + out/a.html= + out/b.html= + out/c.html=<meta name=robots content=noindex>"
	s := planned(t, tables.Row{"policy": rule, "files": files})
	compare(t, newlyNoindex(s))
	for _, pg := range s.Pages {
		pg.Earlier.WasIndexable = true
	}
	compare(t, newlyNoindex(s), "note newly-noindex out/c.html:1 /c.html ~ newly noindex: /c.html",
		"note newly-noindex metarobots.toml:7 /a.html ~ newly noindex: /a.html and one more, because of robots.rules.robots (rule 1)")
	if got := NewlyNoindex(s); len(got) != 3 || got[0] != "https://a.example/a.html" {
		t.Errorf("newly noindex are %q", got)
	}
	s.Project.Environment.Preview = true
	compare(t, newlyNoindex(s))
}
