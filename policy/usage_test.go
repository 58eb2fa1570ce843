package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// unused prints what selects none of the subjects: "0 match[0] /x".
func unused(p *Policy, subjects ...*Subject) []string {
	var list []string
	for _, u := range p.Unused(subjects) {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s[%d] %s", u.Rule, u.Group, u.Index, u.Name)))
	}
	return list
}

// S4a, S4d: what selects nothing, and what does select something though another glob did so first.
func TestHouse_UnusedGlobsAndNames(t *testing.T) {
	all := slices.Collect(maps.Values(garden()))
	for _, c := range []struct {
		rule      string
		narrowing Narrowing
		want      []string
	}{
		{"/posts/**: noindex", Narrowing{}, nil},
		{"/drafts/**: noindex", Narrowing{}, []string{"0 match[0] /drafts/**"}},
		{"/posts/** /posts/a/: noindex", Narrowing{}, nil}, // both select, the first one more
		{"/posts/a/ /posts/**: noindex", Narrowing{}, nil},
		{"/posts/** /posts/b/: noindex", Narrowing{}, []string{"0 match[1] /posts/b/"}},
		{"/posts/** !/posts/a/: noindex", Narrowing{}, nil},
		{"/posts/** !/posts/b/: noindex", Narrowing{}, []string{"0 except[0] /posts/b/"}},
		{"/posts/** !/posts/** !/posts/a/: noindex", Narrowing{}, []string{"0 match[0] /posts/**"}},
		{"/posts/a/ !/s.pdf: noindex", Narrowing{}, []string{"0 except[0] /s.pdf"}},
		{"/posts/ !/posts/page/**: noindex", Narrowing{}, nil},   // keeps the rule on the list from its pager
		{"/posts/a/ !/posts/a/*.pdf: noindex", Narrowing{}, nil}, // and that on the page from a file of its bundle
		{"/posts/**: noindex", Narrowing{"kinds": []string{"page", "section"}, "sections": []string{"Posts"}}, nil},
		{"/posts/**: noindex", Narrowing{"kinds": []string{"page", "term"}}, []string{"0 kinds[1] term"}},
		{"/posts/**: noindex", Narrowing{"languages": []string{"de"}},
			[]string{"0 match[0] /posts/**", "0 languages[0] de"}},
		// no kind
		{"/s.pdf: noindex", Narrowing{"kinds": []string{"page"}}, []string{"0 match[0] /s.pdf", "0 kinds[0] page"}},
		// reaches the print output of the page
		{"/posts/a/: noindex", Narrowing{"formats": []string{"print"}}, nil},
	} {
		p := newPolicy(t, c.rule)
		p.Rules.All[0].Narrowing = c.narrowing
		if got := unused(p, all...); !slices.Equal(got, c.want) {
			t.Errorf("%s %+v: unused %q, want %q", c.rule, c.narrowing, got, c.want)
		}
		// allowEmpty speaks of what selects, not of what is taken out.
		p.Rules.All[0].AllowEmpty = true
		want := slices.DeleteFunc(slices.Clone(c.want), func(s string) bool { return !strings.Contains(s, " except") })
		if got := unused(p, all...); !slices.Equal(got, want) {
			t.Errorf("%s %+v, allowed: unused %q, want %q", c.rule, c.narrowing, got, want)
		}
	}
}

// S4b, S4d: entries of visibility.
func TestHouse_UnusedVisibility(t *testing.T) {
	p := &Policy{}
	for _, entry := range strings.Fields("kinds.page kinds.term archives.tags archives.series types.posts types.legal " +
		"sections.posts sections.docs languages.en languages.xx formats.html formats.amp archives.paginated") {
		group, name, _ := strings.Cut(entry, ".")
		p.Visibility = append(p.Visibility, Visible{Group: group, Name: name})
	}
	tag := page("tags/a/index.html", "taxonomy")
	tag.Taxonomies = []string{"tags"}
	filed := page("posts/a/index.html", "page")
	filed.Taxonomies = []string{"series"}
	want := []string{"-1 kinds[1] term", "-1 archives[3] series", "-1 types[5] legal", "-1 sections[7] docs",
		"-1 languages[9] xx", "-1 formats[11] amp", "-1 archives[12] paginated"}
	if got := unused(p, tag, filed); !slices.Equal(got, want) {
		t.Errorf("unused\n got %q\nwant %q", got, want)
	}
	pager := page("posts/page/2/index.html", "section")
	pager.Pager, pager.Of = 2, &Owner{Path: PathOf("posts/index.html")}
	if got := unused(p, tag, filed, pager); slices.Contains(got, "-1 archives[12] paginated") {
		t.Errorf("unused %q", got)
	}
	if got := unused(&Policy{}, tag); got != nil {
		t.Errorf("nothing is configured, unused %q", got)
	}
	// What has no policy selects nothing.
	tag.Role = RoleError
	if got := unused(p, tag); len(got) != 13 {
		t.Errorf("unused %q", got)
	}
}

// S4: what is unused can be taken out of the policy, and every decision is the same.
func TestHouse_UnusedDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, s := policies.Draw(t, "policy"), subjects.Draw(t, "subject")
		rules, visibility := slices.Clone(p.Rules.All), slices.Clone(p.Visibility)
		for _, u := range slices.Backward(p.Unused([]*Subject{s})) {
			switch {
			case u.IsVisibility():
				visibility = slices.Delete(visibility, u.Index, u.Index+1)
			case u.Group == "match":
				rules[u.Rule].Match = slices.Delete(slices.Clone(rules[u.Rule].Match), u.Index, u.Index+1)
			case u.Group == "except" && s.Of == nil && s.Owners == nil: // those of a page are marked by the page
				rules[u.Rule].Except = slices.Delete(slices.Clone(rules[u.Rule].Except), u.Index, u.Index+1)
			case u.Group != "except":
				names := maps.Clone(rules[u.Rule].Narrowing)
				names[u.Group] = slices.Clone(names[u.Group])
				names[u.Group][u.Index] = "nothing"
				rules[u.Rule].Narrowing = names
			}
		}
		q := *p
		q.Rules, q.Visibility = NewRules(rules...), visibility
		same(t, p.Decide(s), q.Decide(s), p.Style)
	})
}

// House: a rule may name thousands of pages, one by one, of a site of thousands. Asking each glob
// about each page by all globs of its rule would take minutes.
func TestHouse_UnusedOfALongList(t *testing.T) {
	const n = 4000
	rule, subjects := Rule{}, make([]*Subject, n)
	for i := range n {
		rule.Match = append(rule.Match, tables.Value(ParseGlob(fmt.Sprintf("/p%d/", i)))(t))
		subjects[i] = &Subject{Path: PathOf(fmt.Sprintf("p%d/index.html", i+1)), HTML: true}
	}
	p := &Policy{Rules: NewRules(rule)}
	start := time.Now()
	if list := p.Unused(subjects); len(list) != 1 || list[0].Name != "/p0/" {
		t.Errorf("unused: %v, want /p0/ alone", list)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("a list of %d globs took %v", n, took)
	}
}
