package policy

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// Adding a statement anywhere never loosens anything for any crawler (L9a).
func TestLaw_AddingAStatementNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, s := policies.Draw(t, "policy"), subjects.Draw(t, "subject")
		before := p.Decide(s)
		readersAgree(t, p, before, p.Style)
		wellPrinted(t, before, p.Style)
		more := statement.Draw(t, "more")
		add := func(to []Statement) []Statement { return append(slices.Clip(to), more) }
		stricter, subject := *p, *s
		switch where := rapid.SampledFrom([]string{"default", "ai", "environment", "kinds", "paginated", "rule", "new rule",
			"page", "found", "headers", "owner"}).Draw(t, "where"); where {
		case "default":
			stricter.Default = add(p.Default)
		case "ai":
			stricter.AI = append(slices.Clip(p.AI), Statement{AI: more.AI})
		case "environment":
			stricter.Environment = add(p.Environment)
		case "kinds":
			stricter.Visibility = append(slices.Clip(p.Visibility),
				Visible{Group: "kinds", Name: s.Facts.Kind, Statements: []Statement{more}})
		case "paginated":
			stricter.Visibility = append(slices.Clip(p.Visibility),
				Visible{Group: "archives", Name: "paginated", Statements: []Statement{more}})
		case "rule":
			if stricter.Rules = NewRules(slices.Clone(p.Rules.All)...); len(p.Rules.All) > 0 {
				stricter.Rules.All[0].Statements = add(p.Rules.All[0].Statements)
			}
		case "new rule":
			stricter.Rules = NewRules(append(slices.Clip(p.Rules.All), rule.Draw(t, "rule"))...)
		case "page":
			if p.PageOverrides {
				return // L1: there a page may loosen
			}
			subject.Page = add(s.Page)
		case "found":
			subject.Found = add(s.Found)
		case "headers":
			subject.Headers = add(s.Headers)
		case "owner":
			if subject.Owners = slices.Clone(s.Owners); len(s.Owners) > 0 {
				subject.Owners[0].Statements = add(s.Owners[0].Statements)
			}
		}
		after := stricter.Decide(&subject)
		notLooser(t, p, before, after, p.Style)
	})
}

// What a file claims of itself, or facts that nothing else tells, never loosen anything (M8d).
func TestHouse_AClaimNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, s, claimed := policies.Draw(t, "policy"), subjects.Draw(t, "subject"), subjects.Draw(t, "claimed")
		before, alone := p.Decide(s), p.Decide(claimed)
		subject := *s
		for _, fact := range []struct{ to, from *string }{{&subject.Facts.Kind, &claimed.Facts.Kind},
			{&subject.Facts.Type, &claimed.Facts.Type},
			{&subject.Facts.Section, &claimed.Facts.Section}, {&subject.Facts.Language, &claimed.Facts.Language},
			{&subject.Facts.Format, &claimed.Facts.Format}} {
			*fact.to = cmp.Or(*fact.to, *fact.from)
		}
		subject.Claimed = claimed
		after := p.Decide(&subject)
		notLooser(t, p, before, after, p.Style)
		notLooser(t, p, alone, after, p.Style)
		if !slices.IsSortedFunc(after.Statements,
			func(a, b Statement) int { return int(a.Origin.Layer) - int(b.Origin.Layer) }) {
			t.Fatalf("out of order: %v", after.Statements)
		}
	})
}

// The order in which statements, rules and entries stand is nothing (L9a).
func TestLaw_OrderOfThePolicyIsNothing(t *testing.T) {
	shuffle := func(t *rapid.T, s []Statement) []Statement { return rapid.Permutation(s).Draw(t, "statements") }
	rapid.Check(t, func(t *rapid.T) {
		p, s := policies.Draw(t, "policy"), subjects.Draw(t, "subject")
		q, r := *p, *s
		q.Default, q.Environment, q.AI = shuffle(t, p.Default), shuffle(t, p.Environment), shuffle(t, p.AI)
		q.Rules = NewRules(rapid.Permutation(p.Rules.All).Draw(t, "rules")...)
		q.Visibility = rapid.Permutation(p.Visibility).Draw(t, "visibility")
		r.Page, r.Found, r.Headers = shuffle(t, s.Page), shuffle(t, s.Found), shuffle(t, s.Headers)
		r.Owners = rapid.Permutation(s.Owners).Draw(t, "owners")
		same(t, p.Decide(s), q.Decide(&r), p.Style)
	})
}

// Deciding changes neither the policy nor the subject, so that any number of files may be decided
// at once.
func TestLaw_DecidingChangesNoArgument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, s := policies.Draw(t, "policy"), subjects.Draw(t, "subject")
		deep := func(v []Statement) []Statement { return slices.Clone(v) }
		def, page, owners := deep(p.Default), deep(s.Page), make([][]Statement, len(s.Owners))
		for i := range s.Owners {
			owners[i] = deep(s.Owners[i].Statements)
		}
		a := p.Decide(s)
		p.Unused([]*Subject{s})
		b := p.Decide(s)
		same(t, a, b, p.Style)
		if !slices.Equal(def, p.Default) || !slices.Equal(page, s.Page) {
			t.Fatal("deciding changed its arguments")
		}
		for i := range owners {
			if !slices.Equal(owners[i], s.Owners[i].Statements) {
				t.Fatal("deciding changed an owner")
			}
		}
	})
}

// L5p: a file shared by several pages takes the minimum over them, crawler by crawler, of what each
// page's crawler obeys.
func TestHouse_SharedFileTakesTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, s := policies.Draw(t, "policy"), subjects.Draw(t, "subject")
		p.IgnoresOwners = false
		s.Role, s.HTML, s.Of = RoleResource, false, nil
		s.Path = PathOf("nowhere/shared.pdf") // no rule but those on all files is on its own path
		for len(s.Owners) < 2 {
			s.Owners = append(s.Owners, Owner{Path: PathOf("a/index.html"), Facts: facts(t),
				Statements: statements(t, "owner", 3)})
		}
		p.Environment, p.AI, s.Found, s.Headers = nil, nil, nil, nil
		p.Rules = NewRules(slices.DeleteFunc(slices.Clone(p.Rules.All), func(r Rule) bool {
			return r.Match.Match(s.Path)
		})...)
		got := p.Decide(s)
		for _, name := range pool {
			c, _ := p.Crawlers.Lookup(name)
			var least Directives
			var ai Preferences
			for i := range s.Owners {
				o := &s.Owners[i]
				d := p.Resolve(p.withNoAI(append(p.Rules.statements(selection{s, o}), o.Statements...)))
				if i == 0 {
					least, ai = d.Obeyed(c), d.AI
				}
				ai, least = loosest(ai, d.AI), LeastRestrictive(least, d.Obeyed(c))
			}
			if obeys := got.Obeyed(c); obeys != least || got.AI != ai {
				t.Fatalf("%q obeys %v, %v, the least of its pages is %v, %v", name, obeys, got.AI, least, ai)
			}
		}
	})
}

// newPolicy makes a policy of rules in short form: "/glob /glob !/except: directives".
func newPolicy(t testing.TB, rules ...string) *Policy {
	var all []Rule
	for _, text := range rules {
		globs, directives, _ := strings.Cut(text, ": ")
		var r Rule
		for g := range strings.FieldsSeq(globs) {
			if except, ok := strings.CutPrefix(g, "!"); ok {
				r.Except = append(r.Except, glob(t, except))
			} else {
				r.Match = append(r.Match, glob(t, g))
			}
		}
		r.Statements = say(t, directives, LayerRule)
		all = append(all, r)
	}
	return &Policy{Rules: NewRules(all...), Now: clockOfTests, Crawlers: KnownCrawlers("florabot")}
}

func page(name, kind string) *Subject {
	return &Subject{Path: PathOf(name), Role: RolePage, HTML: true,
		Facts: Facts{Kind: kind, Type: "posts", Section: "posts", Language: "en", Format: "html"}}
}

// garden is a small site: its files by what they are. The feed and the pager are those of the list;
// the print output and the file of a bundle those of the article.
func garden() map[string]*Subject {
	list, article := page("posts/index.html", "section"), page("posts/a/index.html", "page")
	pager, print := page("posts/page/2/index.html", "section"), page("print/a/index.html", "page")
	pager.Pager, pager.Of = 2, &Owner{Path: list.Path}
	print.Facts.Format, print.Of = "print", &Owner{Path: article.Path}
	feed := page("posts/index.xml", "section")
	feed.Role, feed.HTML, feed.Facts.Format, feed.Of = RoleOutput, false, "rss", &Owner{Path: list.Path}
	return map[string]*Subject{"list": list, "article": article, "pager": pager, "print": print, "feed": feed,
		"file": {Path: PathOf("posts/a/a.pdf"), Role: RoleResource,
			Owners: []Owner{{Path: article.Path, Facts: article.Facts}}},
		"static": {Path: PathOf("s.pdf"), Role: RoleStatic}}
}

// restricted are the names of the files that a policy restricts, sorted.
func restricted(p *Policy, files map[string]*Subject) string {
	var names []string
	for name, s := range files {
		if d := p.Decide(s); d.Restricts() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// generic is what everyone is told.
func generic(p *Policy, s *Subject) string {
	d := p.Decide(s)
	return d.Generic.String()
}

func expect(t *testing.T, p *Policy, s *Subject, want string) {
	t.Helper()
	if got := generic(p, s); got != want {
		t.Errorf("%s %s: %q, want %q", s.Role, s.Path.File, got, want)
	}
}

// C: an except belongs to its rule.
func TestHouse_RulesSelectAndExcept(t *testing.T) {
	p := newPolicy(t, "/press/** !/press/kit/ !/press/*.zip: noindex", "/press/kit/: nosnippet",
		"/press/**/*.pdf: noarchive")
	for name, want := range map[string]string{"press/a/index.html": "noindex, follow",
		"press/index.html": "noindex, follow", "press/kit/index.html": "nosnippet",
		"press/kit/more/index.html": "noindex, follow", "other/index.html": "",
		"press/a.pdf": "noindex, follow, noarchive", "press/a.zip": "", "press/x/a.zip": "noindex, follow"} {
		s := page(name, "page")
		if !strings.HasSuffix(name, ".html") {
			s = &Subject{Path: PathOf(name), Role: RoleStatic}
		}
		expect(t, p, s, want)
	}
}

// C, L5d: a rule selects what bears one name of every list, in any case; with kinds or types HTML
// outputs and leaf bundles' files only.
func TestHouse_RulesNarrow(t *testing.T) {
	for _, c := range []struct {
		n    Narrowing
		want string
	}{
		{Narrowing{}, "article feed file list pager print static"},
		{Narrowing{"kinds": {"page"}}, "article file print"},
		{Narrowing{"kinds": {"PAGE", "home"}}, "article file print"},
		{Narrowing{"kinds": {"section"}}, "list pager"},
		{Narrowing{"types": {"posts"}}, "article file list pager print"},
		{Narrowing{"types": {"posts"}, "sections": {"posts"}, "languages": {"EN"}, "formats": {"html"}},
			"article file list pager"},
		{Narrowing{"types": {"posts"}, "languages": {"de"}}, ""},
		{Narrowing{"sections": {"news", "docs"}}, ""},
		{Narrowing{"sections": {"posts"}, "languages": {"en"}, "formats": {"rss"}}, "feed"},
		{Narrowing{"formats": {"print"}}, "print"},
	} {
		p := newPolicy(t, "/**: noindex")
		p.Rules.All[0].Narrowing = c.n
		if got := restricted(p, garden()); got != c.want {
			t.Errorf("%v selects %s, want %s", c.n, got, c.want)
		}
	}
}

// L, visibility: false states noindex, follow, by each of the facts. A file that is filed under a
// taxonomy is no part of its archive; a static file and one of a bundle are no part of anything
// (L5s).
func TestHouse_VisibilityHidesPartsOfASite(t *testing.T) {
	files := garden()
	tags := page("tags/red/index.html", "term")
	tags.Taxonomies, files["article"].Taxonomies = []string{"tags"}, []string{"tags"}
	files["tags"] = tags
	files["static"].HTML, files["static"].Facts = true, files["article"].Facts
	files["file"].Facts = files["article"].Facts
	for _, c := range []struct{ group, name, hidden string }{
		{"kinds", "page", "article print"},
		{"kinds", "Section", "list pager"},
		{"archives", "tags", "tags"},
		{"types", "POSTS", "article list pager print tags"},
		{"sections", "posts", "article feed list pager print tags"},
		{"languages", "en", "article feed list pager print tags"},
		{"languages", "de", ""},
		{"formats", "rss", "feed"},
		{"formats", "html", "article list pager tags"},
		{"archives", "paginated", "pager"},
	} {
		p := &Policy{Visibility: []Visible{{Group: c.group, Name: c.name, Statements: say(t, "noindex, follow")}}}
		if got := restricted(p, files); got != c.hidden {
			t.Errorf("%s.%s hides %s, want %s", c.group, c.name, got, c.hidden)
		}
	}
}

// L1b, L1c: what a page's explicit index or follow replaces with page = "overrides", and what it
// does not.
func TestHouse_PageOverridesVisibilityAlone(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/overrides.txt") {
		for _, layer := range []string{"rule", "environment", "formats", "found"} {
			s, p := page("posts/a/index.html", "page"), newPolicy(t)
			s.Page, p.PageOverrides = say(t, c["page"]), true
			p.Visibility = []Visible{{Group: "types", Name: "posts", Statements: say(t, c["visible"])}}
			switch elsewhere := say(t, c["elsewhere"]); layer {
			case "rule":
				p.Rules = newPolicy(t, "/**: "+c["elsewhere"]).Rules
			case "environment":
				p.Environment = elsewhere
			case "formats":
				p.Visibility = append(p.Visibility, Visible{Group: "formats", Name: "html", Statements: elsewhere})
			case "found":
				s.Found = elsewhere
			}
			if got := generic(p, s); got != c["generic"] {
				t.Errorf("page %q, hidden by %q, %s %q: %q, want %q", c["page"], c["visible"], layer, c["elsewhere"],
					got, c["generic"])
			}
		}
		// Without it a page may only restrict.
		s, p := page("posts/a/index.html", "page"), newPolicy(t)
		s.Page = say(t, c["page"])
		p.Visibility = []Visible{{Group: "types", Name: "posts", Statements: say(t, c["visible"])}}
		sum := sumFor(append(s.Page, p.Visibility[0].Statements...), noCrawler)
		expect(t, p, s, sum.String())
	}
	// What visibility tells a crawler stays, and pagers stay hidden.
	s := page("posts/page/2/index.html", "section")
	s.Pager, s.Of, s.Page = 2, &Owner{Path: PathOf("posts/index.html")}, say(t, "index")
	p := &Policy{PageOverrides: true}
	p.Visibility = []Visible{{Group: "kinds", Name: "section", Statements: say(t, "noindex, bingbot: noindex")}}
	if got := texts(p.Decide(s)); got != "robots: index, follow + bingbot: noindex, follow" {
		t.Error(got)
	}
	p.Visibility = append(p.Visibility,
		Visible{Group: "archives", Name: "paginated", Statements: say(t, "noindex, follow")})
	expect(t, p, s, "noindex, follow")
}

// L5b: what was written for a file without a head alone counts for it.
func TestHouse_AFileAloneTakesItsPage(t *testing.T) {
	p := &Policy{}
	for _, role := range []Role{RoleOutput, RoleStatic} {
		s := &Subject{Path: PathOf("notes.txt"), Role: role,
			Page: []Statement{{Directives: Stating("noindex"), Origin: Origin{Layer: LayerPage}}}}
		if d := p.Decide(s); d.NoIndex() {
			t.Errorf("%s: a page's noindex reaches its other file", role)
		}
		s.IsPageItsOwn = true
		if d := p.Decide(s); !d.NoIndex() {
			t.Errorf("%s: its own noindex is lost", role)
		}
	}
}

// L5a, L5b, L5n: which layers reach pagers, other HTML outputs, feeds and files of bundles.
func TestHouse_LayersOfOtherOutputs(t *testing.T) {
	p := newPolicy(t, "/posts/: nosnippet", "/posts/a/: nosnippet", "/posts/page/**: noai", "/print/**: noml")
	p.Default, p.Environment = say(t, "max-image-preview:large"), say(t, "notranslate")
	files := garden()
	for _, s := range files {
		s.Page = say(t, "noarchive")
	}
	files["file"].Owners[0].Statements = say(t, "noarchive")
	for name, want := range map[string]string{
		"list":  "noarchive, nosnippet, notranslate, max-image-preview:large",
		"pager": "noarchive, nosnippet, notranslate, noai, max-image-preview:large",
		"print": "noarchive, nosnippet, notranslate, noml, max-image-preview:large",
		"feed":  "notranslate", // no default, no front matter, no rule of its page
		"file":  "noarchive, nosnippet, notranslate",
	} {
		expect(t, p, files[name], want)
	}
	for _, c := range []struct{ rule, list, pager string }{
		// An except of the pager's own path keeps the rule on its page away from it.
		{"/posts/ !/posts/page/2/: nosnippet", "noarchive, nosnippet", "noarchive"},
		// An except of the page keeps the rule from reaching the pager through it, not by its own
		// path.
		{"/posts/** !/posts/: nosnippet", "noarchive", "noarchive, nosnippet"},
		{"/posts/ !/posts/: nosnippet", "noarchive", "noarchive"},
	} {
		expect(t, newPolicy(t, c.rule), files["list"], c.list)
		expect(t, newPolicy(t, c.rule), files["pager"], c.pager)
	}

	q := newPolicy(t, "/posts/a/: nosnippet", "/**/*.pdf: noai")
	q.Default = say(t, "nofollow")
	q.Visibility = []Visible{{Group: "sections", Name: "posts", Statements: say(t, "noindex")}}
	expect(t, q, files["file"], "noarchive, nosnippet, noai")
	q.IgnoresOwners = true
	expect(t, q, files["file"], "noai")
	q.IgnoresOwners = false
	for _, except := range []string{"/posts/a/*.pdf", "/posts/a/"} {
		q.Rules.All[0].Except = []Glob{glob(t, except)}
		expect(t, q, files["file"], "noarchive, noai")
	}
}

// L5p: shared files, in words.
func TestHouse_SharedFilesInWords(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/shared.txt") {
		p := newPolicy(t)
		s := &Subject{Path: PathOf("shared.pdf"), Role: RoleResource}
		for _, text := range c.List("pages") {
			s.Owners = append(s.Owners, Owner{Path: PathOf("a/index.html"), Statements: say(t, text)})
		}
		if got := texts(p.Decide(s)); got != c["texts"] {
			t.Errorf("%q\n got %v\nwant %v", c["pages"], got, c["texts"])
		}
		// Then its own rules and the environment.
		p = newPolicy(t, "/shared.pdf: noimageai")
		p.Environment = say(t, "nofollow")
		if got := p.Decide(s).Generic; !got.AtLeast(read(t, "noimageai, nofollow")) {
			t.Errorf("%q: %v", c["pages"], got)
		}
	}
}

// L5: a rule that narrows lets a shared file through only where it lets each of its pages through:
// what one language is told must not take the pictures from another.
func TestHouse_NarrowingOfSharedFiles(t *testing.T) {
	p := newPolicy(t, "/**: noindex")
	p.Rules.All[0].Narrowing = Narrowing{"languages": []string{"de"}}
	for _, test := range []struct {
		languages []string
		want      bool
	}{{[]string{"en", "de"}, false}, {[]string{"de", "en"}, false}, {[]string{"de", "de"}, true},
		{[]string{"de"}, true}, {[]string{"en"}, false}} {
		s := &Subject{Path: PathOf("e/pic.jpg"), Role: RoleResource}
		for _, l := range test.languages {
			s.Owners = append(s.Owners, Owner{Path: PathOf(l + "/e/index.html"),
				Facts: Facts{Kind: "page", Language: l}})
		}
		if d := p.Decide(s); d.NoIndex() != test.want {
			t.Errorf("shared by %q: noindex %v, want %v", test.languages, d.NoIndex(), test.want)
		}
	}
}

// L3a, L4b, L6a: what gets no policy, whatever is said.
func TestHouse_SomeRolesHaveNoPolicy(t *testing.T) {
	p := newPolicy(t, "/**: noindex")
	p.Default, p.Environment = say(t, "nofollow"), say(t, "noai")
	for _, role := range []Role{RoleRedirect, RoleError, RoleControl} {
		s := page("a/index.html", "page")
		s.Role, s.Page, s.Found = role, say(t, "noindex"), say(t, "noindex")
		if d := p.Decide(s); !d.Generic.IsZero() || len(d.Agents)+len(d.Statements) > 0 || role.Policed() {
			t.Errorf("%s: %v", role, d)
		}
	}
	for _, role := range []Role{RolePage, RoleOutput, RoleResource, RoleStatic} {
		s := page("a/index.html", "page")
		s.Role = role
		if d := p.Decide(s); !d.NoIndex() || !role.Policed() {
			t.Errorf("%s: %v", role, d)
		}
	}
}

// C: found = "replace" leaves the HTML's own tags out; a header line that stays always counts.
func TestHouse_FoundTagsCanBeReplaced(t *testing.T) {
	s := page("a/index.html", "page")
	s.Found, s.Headers = say(t, "noindex"), say(t, "noarchive")
	p := newPolicy(t)
	expect(t, p, s, "noindex, follow, noarchive")
	p.ReplaceFound = true
	expect(t, p, s, "noarchive")
}

// L8a: statements stand in the order of the layers.
func TestHouse_StatementsInOrderOfLayers(t *testing.T) {
	p := newPolicy(t, "/**: noai")
	p.Default, p.Environment = say(t, "index", LayerDefault), say(t, "noml", LayerEnvironment)
	p.Visibility = []Visible{{Group: "kinds", Name: "page", Statements: say(t, "noindex", LayerVisibility)}}
	s := page("a/index.html", "page")
	s.Page, s.Found = say(t, "noarchive", LayerPage), say(t, "nosnippet", LayerFound)
	var layers []string
	for _, st := range p.Statements(s) {
		layers = append(layers, st.Origin.Layer.String())
	}
	if got, want := strings.Join(layers, " "), "default environment visibility rule front matter found"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
