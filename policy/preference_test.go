package policy

import (
	"math/rand/v2"
	"testing"
)

// everyPreferences are all 27 combinations.
func everyPreferences() (all []Preferences) {
	for t := Unstated; t <= Denied; t++ {
		for s := Unstated; s <= Denied; s++ {
			for i := Unstated; i <= Denied; i++ {
				all = append(all, Preferences{t, s, i})
			}
		}
	}
	return all
}

// denied > allowed > unstated, whoever states it and in whichever order.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/
func TestLaw_PreferencesAreALattice(t *testing.T) {
	all := everyPreferences()
	for _, a := range all {
		if Strictest(a, a) != a || Strictest(a, Preferences{}) != a || loosest(a, a) != a {
			t.Errorf("%q: combined with itself or with nothing it changes", a)
		}
		for _, b := range all {
			sum, least := Strictest(a, b), loosest(a, b)
			if sum != Strictest(b, a) || least != loosest(b, a) || !sum.AtLeast(a) || !sum.AtLeast(b) || !a.AtLeast(least) {
				t.Errorf("%q and %q: %q, at least %q", a, b, sum, least)
			}
			for _, c := range all {
				if Strictest(Strictest(a, b), c) != Strictest(a, Strictest(b, c)) {
					t.Errorf("%q, %q, %q: the order matters", a, b, c)
				}
			}
		}
	}
}

// No statement of a page loosens what the owner denies, and no order of statements changes a decision.
func TestLaw_APageCannotAllowWhatTheOwnerDenies(t *testing.T) {
	all := everyPreferences()
	for _, site := range all {
		for _, page := range all {
			p := Policy{AI: []Statement{{AI: site}}}
			d := p.Decide(&Subject{Role: RolePage, HTML: true, Page: []Statement{{AI: page}}})
			if !d.AI.AtLeast(site) || d.AI != Strictest(site, page) {
				t.Errorf("site %q, page %q: %q", site, page, d.AI)
			}
			if len(d.Header(Style{})) > 0 || len(d.Metas(Style{})) > 0 || d.Restricts() {
				t.Errorf("%q prints directives", d.AI)
			}
			statements := d.Statements
			rand.Shuffle(len(statements), func(i, j int) { statements[i], statements[j] = statements[j], statements[i] })
			if again := p.Resolve(statements); again.AI != d.AI {
				t.Errorf("site %q, page %q: %q in another order", site, page, again.AI)
			}
			for _, u := range Uses {
				if list := d.Preferring(u); (len(list) > 0) != (d.AI[u] != Unstated) {
					t.Errorf("site %q, page %q, %s: decided by %v", site, page, u, list)
				}
			}
		}
	}
}

// A file of several leaf bundles is denied what all of its pages are denied (L5).
func TestHouse_SharedFilesArePreferredLikeTheLoosestPage(t *testing.T) {
	owner := func(p Preferences) Owner { return Owner{Statements: []Statement{{AI: p}}} }
	for _, c := range []struct{ a, b, want Preferences }{
		{Preferences{Denied}, Preferences{Denied, Denied}, Preferences{Denied}},
		{Preferences{Denied}, Preferences{Allowed}, Preferences{Allowed}},
		{Preferences{Denied}, Preferences{}, Preferences{}},
	} {
		var p Policy
		s := Subject{Role: RoleResource, Owners: []Owner{owner(c.a), owner(c.b)}}
		if d := p.Decide(&s); d.AI != c.want {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, d.AI, c.want)
		}
	}
}

func TestHouse_PreferencesAreReadAndPrinted(t *testing.T) {
	for _, c := range []struct {
		value any
		want  Preference
	}{{"deny", Denied}, {" Allow ", Allowed}, {false, Denied}, {true, Allowed}, {"false", Denied}, {"no", 0}, {"", 0}, {3, 0}} {
		if got, err := ParsePreference(c.value); got != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%v: %v, %v", c.value, got, err)
		}
	}
	if _, err := ParseUse("trainng"); err == nil || err.Error() != `unknown use of AI "trainng" (did you mean "training"?)` {
		t.Error(err)
	}
	if s := (Preferences{Denied, Allowed}).String(); s != "training = deny, search = allow" {
		t.Error(s)
	}
}
