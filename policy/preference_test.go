package policy

import "testing"

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
// I1b, I1c, S7l.
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
			both := Agreed(a, b)
			for u := range both {
				denied, allowed := a[u] == Denied || b[u] == Denied, a[u] == Allowed && b[u] == Allowed
				if (both[u] == Denied) != denied || (both[u] == Allowed) != allowed {
					t.Errorf("%q and %q: %q holds of both", a, b, both)
				}
			}
			for _, c := range all {
				if Strictest(Strictest(a, b), c) != Strictest(a, Strictest(b, c)) {
					t.Errorf("%q, %q, %q: the order matters", a, b, c)
				}
			}
		}
	}
}

// No statement of a page loosens what the owner denies (I1d).
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
			for _, u := range Uses {
				if list := d.Preferring(u); (len(list) > 0) != (d.AI[u] != Unstated) {
					t.Errorf("site %q, page %q, %s: decided by %v", site, page, u, list)
				}
			}
		}
	}
}

// I1a.
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
