package policy

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// copies draws a page and a file that publishes its content again. Often the file is another output
// of the page, with its facts, and the page says what may replace visibility.
func copies(t *rapid.T) (page, again *Subject) {
	page, again = subjects.Draw(t, "page"), subjects.Draw(t, "copy")
	page.Role, page.HTML = RolePage, true
	if rapid.Bool().Draw(t, "claims") {
		page.Claimed = subjects.Draw(t, "claimed")
	}
	if rapid.Bool().Draw(t, "output") {
		again.Role, again.HTML, again.Of, again.Facts = RoleOutput, false, nil, page.Facts
		again.Found, again.Headers = nil, nil
	}
	if rapid.Bool().Draw(t, "explicit") {
		page.Page, page.Found, page.Headers = []Statement{{Directives: Stating("all")}}, nil, nil
	}
	again.Copied = page
	return page, again
}

// L5g, L5h, L5i: for every crawler and every use by AI, a copy gets the restrictions of its page
// and those of its own statements, and no others. If both belong to a part of the site, the copy
// gets what visibility says of that part from its page alone, so that page = "overrides" replaces
// as much for both.
func TestLaw_ACopyTakesWhatRestrictsItsPageAndNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies.Draw(t, "policy")
		page, again := copies(t)
		of, got := p.Decide(page), p.Decide(again)
		if !slices.IsSortedFunc(got.Statements,
			func(a, b Statement) int { return int(a.Origin.Layer) - int(b.Origin.Layer) }) {
			t.Fatalf("out of order: %v", got.Statements)
		}

		apart, alone := *p, *again
		apart.Visibility = slices.DeleteFunc(slices.Clone(p.Visibility), func(v Visible) bool {
			return v.Group != "formats" && v.covers(page)
		})
		alone.Copied = nil
		own := apart.Decide(&alone)
		for _, name := range pool {
			c, _ := p.Crawlers.Lookup(name)
			want := MostRestrictive(of.Obeyed(c), own.Obeyed(c)).Restrictions()
			if obeys := got.Obeyed(c).Restrictions(); obeys != want {
				t.Fatalf("%q obeys %v, its page says %v and its own statements %v", name, obeys,
					of.Obeyed(c), own.Obeyed(c))
			}
			for _, how := range []reader{sums, replaces} {
				page, again := of.Texts(p.Style), got.Texts(p.Style)
				if !told(t, again, name, how).AtLeast(told(t, page, name, how)) {
					t.Fatalf("%q reads %q of the page, and %q of its copy", name, page, again)
				}
			}
		}
		if want := Strictest(of.AI, own.AI); got.AI != want {
			t.Fatalf("AI: %v, want %v", got.AI, want)
		}
	})
}

// L5f, L5g: what restricts a page reaches its copies from every layer, crawler by crawler. What
// only permits does not.
func TestHouse_ACopyTakesEveryLayerOfItsPage(t *testing.T) {
	layers := map[string]func(p *Policy, page *Subject, say []Statement){
		"default":     func(p *Policy, _ *Subject, say []Statement) { p.Default = say },
		"environment": func(p *Policy, _ *Subject, say []Statement) { p.Environment = say },
		"visibility": func(p *Policy, _ *Subject, say []Statement) {
			p.Visibility = []Visible{{Group: "kinds", Name: "page", Statements: say}}
		},
		"rule": func(p *Policy, _ *Subject, say []Statement) {
			p.Rules = NewRules(Rule{Match: []Glob{glob(t, "/a/")}, Statements: say})
		},
		"front matter": func(_ *Policy, page *Subject, say []Statement) { page.Page = say },
		"claimed": func(_ *Policy, page *Subject, say []Statement) {
			claimed := *page
			page.Claimed, claimed.Page = &claimed, say
		},
		"found":        func(_ *Policy, page *Subject, say []Statement) { page.Found = say },
		"header lines": func(_ *Policy, page *Subject, say []Statement) { page.Headers = say },
	}
	for layer, restrict := range layers {
		for text, want := range map[string]string{
			"noindex":                                "noindex, follow",
			"googlebot: nosnippet, bingbot: noindex": "bingbot: noindex, follow; googlebot: nosnippet",
			"noindex, indexifembedded":               "noindex, follow, indexifembedded",
			"index, follow, max-snippet:-1":          "",
		} {
			p, page := newPolicy(t), page("a/index.html", "page")
			restrict(p, page, say(t, text))
			for _, role := range []Role{RoleOutput, RoleStatic} {
				d := p.Decide(&Subject{Path: PathOf("a.md"), Role: role, Copied: page})
				if got := strings.Join(d.Header(p.Style), "; "); got != want {
					t.Errorf("%s %q: a copy is served %q, want %q", layer, text, got, want)
				}
			}
		}
	}
}

// L4, L5: a redirect has no policy, and its copies take none from it.
func TestHouse_CopiesOfRedirectsTakeNothing(t *testing.T) {
	page := page("a/index.html", "page")
	page.Role, page.Page = RoleRedirect, say(t, "noindex")
	expect(t, newPolicy(t), &Subject{Path: PathOf("a.md"), Role: RoleStatic, Copied: page}, "")
}

// C, L5: what found = "replace" leaves out of the page is left out of its copies.
func TestHouse_FoundTagsThatAreReplacedReachNoCopy(t *testing.T) {
	p, page := newPolicy(t), page("a/index.html", "page")
	page.Found = say(t, "noindex")
	p.ReplaceFound = true
	expect(t, p, &Subject{Path: PathOf("a.md"), Role: RoleStatic, Copied: page}, "")
}

// L1d, L5: with page = "overrides" a page's own word replaces what visibility says of a section for
// its copies too. What visibility says of another section or of a format, where the copy is and the
// page is not, stays.
func TestHouse_PageOverridesForItsCopiesToo(t *testing.T) {
	page := page("posts/a/index.html", "page")
	page.Page = say(t, "index")
	again := &Subject{Path: PathOf("posts/a/index.md"), Role: RoleOutput, Facts: page.Facts,
		Copied: page}
	again.Facts.Format = "markdown"
	elsewhere := *again
	elsewhere.Facts.Section = "drafts"
	for _, c := range []struct {
		group, name string
		of          *Subject
		want        string
	}{
		{"sections", "posts", again, "index"},
		{"languages", "en", again, "index"},
		{"types", "posts", again, "index"},
		{"sections", "drafts", &elsewhere, "noindex"},
		{"formats", "markdown", again, "noindex"},
	} {
		p := &Policy{Visibility: []Visible{{Group: c.group, Name: c.name, Statements: say(t, "noindex")}}}
		if d := p.Decide(c.of); !d.NoIndex() {
			t.Errorf("%s.%s: without overrides the copy is indexable", c.group, c.name)
		}
		p.PageOverrides = true
		if d := p.Decide(c.of); d.NoIndex() != (c.want == "noindex") {
			t.Errorf("%s.%s: noindex %v, want %s", c.group, c.name, d.NoIndex(), c.want)
		}
	}
}

// L1, M7o: a page that is a symlink gets what its target gets in the parts of the site to which
// both belong. What visibility says of the link's own section stays, whatever the target states.
func TestHouse_TheTargetOfALinkReplacesNothingElsewhere(t *testing.T) {
	target, link := page("posts/a/index.html", "page"), page("drafts/a/index.html", "page")
	target.Page, link.Copied = say(t, "index, noarchive"), target
	p := &Policy{PageOverrides: true}
	for section, want := range map[string]string{
		"posts":  "index, follow, noarchive",
		"drafts": "noindex, follow, noarchive",
	} {
		link.Facts.Section = section
		p.Visibility = []Visible{{Group: "sections", Name: section, Statements: say(t, "noindex")}}
		expect(t, p, link, want)
	}
}

// I2f: what is stated about AI for a page holds for its copies, and a denial of their own counts
// before it.
func TestHouse_ACopyTakesPreferencesOfItsPage(t *testing.T) {
	page := page("a/index.html", "page")
	page.Page = []Statement{{AI: Preferences{UseTraining: Denied, UseSearch: Allowed, UseInput: Allowed}}}
	again := &Subject{Path: PathOf("a.md"), Role: RoleStatic, Copied: page}
	p := &Policy{Rules: NewRules(Rule{Match: []Glob{glob(t, "/a.md")},
		Statements: []Statement{{AI: Preferences{UseInput: Denied}}}})}
	d := p.Decide(again)
	if want := (Preferences{UseTraining: Denied, UseSearch: Allowed, UseInput: Denied}); d.AI != want {
		t.Errorf("%v, want %v", d.AI, want)
	}
	// I3: the carrier noai says so of both, and each statement is kept once.
	p.NoAI = true
	p.AI = []Statement{{AI: Preferences{UseTraining: Denied}, Origin: Origin{Key: "robots.ai.training"}}}
	if d = p.Decide(again); len(d.Statements) != 3 || d.Generic.String() != "noai, noimageai" {
		t.Errorf("%v: %v", d.Generic, d.Statements)
	}
}
