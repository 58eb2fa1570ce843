package policy

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// Adding a statement anywhere never loosens anything for any crawler (L).
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

// What a file claims of itself, or facts that nothing else tells, never loosen anything (M8).
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

// The order in which statements, rules and entries stand is nothing (L).
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

// Deciding changes neither the policy nor the subject, so that any number of files may be decided at once.
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

// L5: a file shared by several pages takes the minimum over them, crawler by crawler, of what each page's crawler
// obeys.
func TestHouse_SharedFileTakesTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, s := policies.Draw(t, "policy"), subjects.Draw(t, "subject")
		p.OwnResources = false
		s.Role, s.HTML, s.Of = RoleResource, false, nil
		s.Path = PathOf("nowhere/shared.pdf") // no rule but those on all files is on its own path
		for len(s.Owners) < 2 {
			s.Owners = append(s.Owners, Owner{Path: PathOf("a/index.html"), Facts: facts(t),
				Statements: statements(t, "owner", 3)})
		}
		p.Environment, p.AI, s.Found, s.Headers = nil, nil, nil, nil
		p.Rules = NewRules(slices.DeleteFunc(slices.Clone(p.Rules.All), func(r Rule) bool {
			return match(r.Match,
				s.Path)
		})...)
		got := p.Decide(s)
		for _, name := range pool {
			c, _ := p.Crawlers.Lookup(name)
			var least Directives
			var ai Preferences
			for i := range s.Owners {
				o := &s.Owners[i]
				d := p.Resolve(p.inTags(append(p.Rules.statements(s, o), o.Statements...)))
				obeys := d.Generic
				if name != "" {
					obeys = d.Obeyed(c)
				}
				if i == 0 {
					least, ai = obeys, d.AI
				}
				ai = loosest(ai, d.AI)
				least = LeastRestrictive(least, obeys)
			}
			obeys := got.Generic
			if name != "" {
				obeys = got.Obeyed(c)
			}
			if obeys != least || got.AI != ai {
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

// C: rules with except and narrowing.
func TestHouse_RulesSelectAndExcept(t *testing.T) {
	p := newPolicy(t, "/press/** !/press/kit/ !/press/*.zip: noindex", "/press/kit/: nosnippet",
		"/press/**/*.pdf: noarchive")
	expect(t, p, page("press/a/index.html", "page"), "noindex, follow")
	expect(t, p, page("press/index.html", "section"), "noindex, follow")
	expect(t, p, page("press/kit/index.html", "page"), "nosnippet") // except belongs to its rule
	expect(t, p, page("press/kit/more/index.html", "page"), "noindex, follow")
	expect(t, p, page("other/index.html", "page"), "")
	static := func(name string) *Subject { return &Subject{Path: PathOf(name), Role: RoleStatic} }
	expect(t, p, static("press/a.pdf"), "noindex, follow, noarchive")
	expect(t, p, static("press/a.zip"), "")
	expect(t, p, static("press/x/a.zip"), "noindex, follow")

	for _, c := range []struct {
		n    Narrowing
		take bool
	}{
		{Narrowing{}, true},
		{Narrowing{"kinds": []string{"page"}}, true},
		{Narrowing{"kinds": []string{"PAGE", "home"}}, true}, // case is nothing
		{Narrowing{"kinds": []string{"section"}}, false},
		{Narrowing{"types": []string{"posts"}, "sections": []string{"posts"}, "languages": []string{"EN"},
			"formats": []string{"html"}}, true},
		{Narrowing{"types": []string{"posts"}, "languages": []string{"de"}}, false}, // every list must hold
		{Narrowing{"sections": []string{"news", "docs"}}, false},
		{Narrowing{"formats": []string{"print"}}, false},
	} {
		p := newPolicy(t, "/**: noindex")
		p.Rules.All[0].Narrowing = c.n
		if got := generic(p, page("a/index.html", "page")) != ""; got != c.take {
			t.Errorf("%+v takes the page: %v, want %v", c.n, got, c.take)
		}
	}
	// L5: with kinds or types, HTML outputs and leaf bundles' files only.
	for _, n := range []Narrowing{{"kinds": []string{"page"}}, {"types": []string{"posts"}}} {
		p := newPolicy(t, "/**: noindex")
		p.Rules.All[0].Narrowing = n
		feed := page("a/index.xml", "page")
		feed.Role, feed.HTML = RoleOutput, false
		expect(t, p, feed, "")
		expect(t, p, static("a.pdf"), "")
		file := &Subject{Path: PathOf("x/a.pdf"), Role: RoleResource,
			Owners: []Owner{{Path: PathOf("x/index.html"), Facts: Facts{Kind: "page", Type: "posts"}}}}
		expect(t, p, file, "noindex, follow")
		file.Owners[0].Facts = Facts{Kind: "section", Type: "other"}
		expect(t, p, file, "")
	}
	// A feed of a section, in a language, by its format.
	p = newPolicy(t, "/**: noindex")
	p.Rules.All[0].Narrowing = Narrowing{"sections": []string{"posts"}, "languages": []string{"en"},
		"formats": []string{"rss"}}
	feed := page("posts/index.xml", "section")
	feed.Role, feed.HTML, feed.Facts.Format = RoleOutput, false, "rss"
	expect(t, p, feed, "noindex, follow")
}

// L, visibility: false states noindex, follow, by each of the facts.
func TestHouse_VisibilityHidesPartsOfASite(t *testing.T) {
	hide := func(group, name string) []Visible {
		return []Visible{{Group: group, Name: name, Statements: say(t, "noindex, follow")}}
	}
	tags := page("tags/red/index.html", "term")
	tags.Taxonomies = []string{"tags"}
	filed := page("posts/a/index.html", "page")
	filed.Taxonomies = []string{"tags"} // L5: filed under a taxonomy, no part of its archive
	second := page("posts/page/2/index.html", "section")
	second.Pager, second.Of = 2, &Owner{Path: PathOf("posts/index.html")}
	feed := page("posts/index.xml", "section")
	feed.Role, feed.HTML, feed.Facts.Format = RoleOutput, false, "rss"
	article := page("posts/a/index.html", "page")
	static := &Subject{Path: PathOf("posts/a.html"), Role: RoleStatic, HTML: true,
		Facts: Facts{Kind: "page", Section: "posts"}}
	file := &Subject{Path: PathOf("posts/a/a.pdf"), Role: RoleResource, Facts: Facts{Section: "posts", Kind: "page"},
		Owners: []Owner{{Path: article.Path, Facts: article.Facts}}}
	all := map[string]*Subject{"article": article, "tags": tags, "filed": filed, "second": second, "feed": feed,
		"static": static, "file": file}
	for _, c := range []struct {
		name   string
		v      []Visible
		hidden string
	}{
		{"nothing", nil, ""},
		{"kind page", hide("kinds", "page"), "article filed"},
		{"kind Section", hide("kinds", "Section"), "second"}, // names in any case; never the feed
		{"archives tags", hide("archives", "tags"), "tags"},
		{"type posts", hide("types", "POSTS"), "article filed second tags"},
		{"section posts", hide("sections", "posts"), "article filed second tags feed"},
		{"language en", hide("languages", "en"), "article filed second tags feed"},
		{"language de", hide("languages", "de"), ""},
		{"format rss", hide("formats", "rss"), "feed"},
		{"format html", hide("formats", "html"), "article filed second tags"},
		{"paginated", hide("archives", "paginated"), "second"},
	} {
		p := &Policy{Visibility: c.v}
		for name, s := range all {
			want := ""
			if slices.Contains(strings.Fields(c.hidden), name) {
				want = "noindex, follow"
			}
			if got := generic(p, s); got != want {
				t.Errorf("%s: %s is %q, want %q", c.name, name, got, want)
			}
		}
	}
}

// L1: what a page's explicit index or follow replaces with page = "overrides", and what it does not.
func TestHouse_PageOverridesVisibilityAlone(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/overrides.txt") {
		s := page("posts/a/index.html", "page")
		s.Page = say(t, c["page"])
		for _, layer := range []string{"rule", "environment", "formats", "found"} {
			p := newPolicy(t)
			p.PageOverrides = true
			p.Visibility = []Visible{{Group: "types", Name: "posts", Statements: say(t, c["visible"])}}
			s.Found = nil
			switch layer {
			case "rule":
				p = newPolicy(t, "/**: "+c["elsewhere"])
				p.PageOverrides = true
				p.Visibility = []Visible{{Group: "types", Name: "posts", Statements: say(t, c["visible"])}}
			case "environment":
				p.Environment = say(t, c["elsewhere"])
			case "formats":
				p.Visibility = append(p.Visibility,
					Visible{Group: "formats", Name: "html", Statements: say(t, c["elsewhere"])})
			case "found":
				s.Found = say(t, c["elsewhere"])
			}
			if got := generic(p, s); got != c["generic"] {
				t.Errorf("page %q, hidden by %q, %s %q: %q, want %q", c["page"], c["visible"], layer, c["elsewhere"],
					got,
					c["generic"])
			}
		}
		// Without it a page may only restrict.
		p := newPolicy(t)
		p.Visibility = []Visible{{Group: "types", Name: "posts", Statements: say(t, c["visible"])}}
		s.Found = nil
		sum := MostRestrictive(everyone(say(t, c["page"])), everyone(say(t, c["visible"])))
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

// L5: what was written for a file without a head alone counts for it.
func TestHouse_AFileAloneTakesItsPage(t *testing.T) {
	p := &Policy{}
	for _, role := range []Role{RoleOutput, RoleStatic} {
		s := &Subject{Path: PathOf("notes.txt"), Role: role,
			Page: []Statement{{Directives: Stating("noindex"), Origin: Origin{Layer: LayerPage}}}}
		if d := p.Decide(s); d.NoIndex() {
			t.Errorf("%s: a page's noindex reaches its other file", role)
		}
		s.Alone = true
		if d := p.Decide(s); !d.NoIndex() {
			t.Errorf("%s: its own noindex is lost", role)
		}
	}
}

// L5: which layers reach pagers, other HTML outputs, feeds and files of bundles.
func TestHouse_LayersOfOtherOutputs(t *testing.T) {
	p := newPolicy(t, "/posts/: nosnippet", "/posts/page/**: noai", "/print/**: noml")
	p.Default = say(t, "max-image-preview:large")
	p.Environment = say(t, "notranslate")
	list := page("posts/index.html", "section")
	list.Page = say(t, "noarchive")
	expect(t, p, list, "noarchive, nosnippet, notranslate, max-image-preview:large")

	pager := page("posts/page/2/index.html", "section")
	pager.Pager, pager.Of, pager.Page = 2, &Owner{Path: list.Path}, list.Page
	expect(t, p, pager, "noarchive, nosnippet, notranslate, noai, max-image-preview:large")

	print := page("print/posts/index.html", "section")
	print.Facts.Format, print.Of, print.Page = "print", &Owner{Path: list.Path}, list.Page
	expect(t, p, print, "noarchive, nosnippet, notranslate, noml, max-image-preview:large")

	// An except of the pager's own path keeps the rule on its page away from it.
	q := newPolicy(t, "/posts/ !/posts/page/2/: nosnippet")
	expect(t, q, pager, "noarchive")
	expect(t, q, list, "noarchive, nosnippet")
	// An except of the page keeps the rule from reaching the pager through it, not by its own path.
	q = newPolicy(t, "/posts/** !/posts/: nosnippet")
	expect(t, q, pager, "noarchive, nosnippet")
	q = newPolicy(t, "/posts/ !/posts/: nosnippet")
	expect(t, q, pager, "noarchive")

	feed := page("posts/index.xml", "section")
	feed.Role, feed.HTML, feed.Facts.Format, feed.Page = RoleOutput, false, "rss", list.Page
	feed.Of = &Owner{Path: list.Path}
	expect(t, p, feed, "notranslate") // no default, no front matter, no rule of its page

	file := &Subject{Path: PathOf("posts/a/a.pdf"), Role: RoleResource,
		Owners: []Owner{{Path: PathOf("posts/a/index.html"), Facts: list.Facts, Statements: say(t, "noarchive")}}}
	q = newPolicy(t, "/posts/a/: nosnippet", "/**/*.pdf: noai")
	q.Default = say(t, "nofollow")
	q.Visibility = []Visible{{Group: "sections", Name: "posts", Statements: say(t, "noindex")}}
	expect(t, q, file, "noarchive, nosnippet, noai")
	q.OwnResources = true
	expect(t, q, file, "noai")
	q.OwnResources = false
	q.Rules.All[0].Except = []Glob{glob(t, "/posts/a/*.pdf")}
	expect(t, q, file, "noarchive, noai")
	q.Rules.All[0].Except = []Glob{glob(t, "/posts/a/")}
	expect(t, q, file, "noarchive, noai")
}

// L5: shared files, in words.
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

// L5: a rule that narrows lets a shared file through only where it lets each of its pages through: what one language is
// told must not take the pictures from another.
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

// L3, L4, L6: what gets no policy, whatever is said.
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

// L8: statements stand in the order of the layers.
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
