package snapshot

import (
	"strings"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
)

// unknownSite is another site whose URL is not known, as a file of an earlier program has it.
const unknownSite = "another site"

// leadingTo is a snapshot of a run whose page /a/ has a canonical link to a URL; empty for none.
func leadingTo(to string) *Snapshot {
	a := page("/a/", "")
	if to == unknownSite {
		a.Leads = &plan.Lead{By: plan.ByCanonicalLink}
	} else if to != "" {
		a.Leads = &plan.Lead{By: plan.ByCanonicalLink, To: to}
	}
	s := snap("production", "", []result.Page{a, page("/b/", "")})
	s.Hosts, s.leadsUnknown = map[string]string{"/": "https://own.example/"}, false
	return s
}

// answering is one of a deployed site with the same page.
func answering(to string) *Snapshot {
	return OfAnswers([]seen.Answer{{URL: "/a/", Crawler: seen.Everyone, Got: "index", Canonical: to},
		{URL: "/b/", Crawler: seen.Everyone, Got: "index"}})
}

// X16g, X17k, X17n, X17o: what a canonical link that leads elsewhere changes, on either side of a
// comparison.
func TestHouse_CanonicalLinksOfPagesAreCompared(t *testing.T) {
	const other = "https://other.example/a"
	for _, c := range []struct{ was, is, want string }{
		{"", "", ""},
		{"/b/", "/b/", ""},
		{other, other, ""},
		{other, "http://other.example/a", ""},
		{"", "/b/", "newly leading to another URL: canonical link to /b/"},
		{"", other, "newly leading to another URL: canonical link to another site"},
		{"/b/", "/c/", "newly leading to another URL: canonical link to /c/"},
		{"/b/", other, "newly leading to another URL: canonical link to another site"},
		{other, "https://third.example/a", "newly leading to another URL: canonical link to another site"},
		{other, "/b/", "newly leading to another URL: canonical link to /b/"},
		{"/b/", "", "changed: canonical link"},
		{unknownSite, other, ""}, // as files of earlier programs have it
		{unknownSite, "/b/", "newly leading to another URL: canonical link to /b/"},
	} {
		sides := map[string]func(string) *Snapshot{"built": leadingTo, "deployed": answering}
		for oldSide, old := range sides {
			if oldSide == "deployed" && c.was == unknownSite {
				continue
			}
			for newSide, now := range sides {
				var got []string
				changes := Diff(AsAnswered(old(c.was), now(c.is)))
				for _, l := range changes.Lists() {
					got = append(got, l.Title+": "+l.List[0].Reason.Text)
				}
				if strings.Join(got, "; ") != c.want {
					t.Errorf("%q → %q, %s → %s: %q, want %q", c.was, c.is, oldSide, newSide, got, c.want)
				}
				isLost := c.was != "" && c.is == ""
				if (len(changes.NoLongerLeading) > 0) != isLost {
					t.Errorf("%q → %q: no longer leading: %v", c.was, c.is, changes.NoLongerLeading)
				}
			}
		}
	}
}

// X16g: pages of a preview that name those of production lead nowhere.
func TestHouse_APreviewNamesPagesOfProduction(t *testing.T) {
	for _, to := range []string{"https://own.example/a/", "http://own.example/a", "https://own.example/a/index.html"} {
		if changes := Diff(AsAnswered(leadingTo(""), answering(to))); !changes.Empty() {
			t.Errorf("%s: %v", to, changes.Counts())
		}
	}
	changes := Diff(AsAnswered(leadingTo(""), answering("https://own.example/b/")))
	if len(changes.NewlyLeading) != 1 || changes.NewlyLeading[0].To != "/b/" {
		t.Errorf("%+v", changes.NewlyLeading)
	}
	places := placesOf([]string{"https://de.example/", "https://own.example/"},
		map[string]string{"/de/": "https://de.example/", "/": "https://own.example/"})
	e := Entry{URL: "/a/", Leads: &plan.Lead{By: plan.ByCanonicalLink, To: "https://de.example/b/"}}
	if lead := e.leadOnSite(places); lead == nil || lead.To != "/de/b/" {
		t.Errorf("%+v", lead)
	}
}

// X14n: where links lead is read as it was written, and a deployed site without any says so. X14o:
// files of earlier programs do not say it.
func TestHouse_WhereLinksLeadIsKept(t *testing.T) {
	for _, to := range []string{"", "/b/", "https://other.example/a b"} {
		for name, s := range map[string]*Snapshot{"built": leadingTo(to), "deployed": answering(to)} {
			s.Delivery = &result.Delivery{}
			if s.Answered {
				s.Delivery = nil
			}
			text := string(written(t, s))
			got := tables.Value(Read(strings.NewReader(text)))(t)
			if textOfLead(got) != textOfLead(s) || got.leadsUnknown {
				t.Errorf("%s, %q: %s, unknown %v", name, to, textOfLead(got), got.leadsUnknown)
			}
		}
	}
	text := strings.Replace(string(written(t, answering(""))), ",\n  \"leads\": {\n  }", "", 1)
	old := tables.Value(Read(strings.NewReader(text)))(t)
	if !old.LeadsUnknown(leadingTo("/b/")) || old.LeadsUnknown(leadingTo("")) {
		t.Errorf("unknown: %v, and where nothing leads elsewhere: %v\n%s", old.LeadsUnknown(leadingTo("/b/")),
			old.LeadsUnknown(leadingTo("")), text)
	}
	if changes := Diff(AsAnswered(old, leadingTo("/b/"))); !changes.Empty() {
		t.Errorf("%v", changes.Counts())
	}
}

// textOfLead is where /a/ leads.
func textOfLead(s *Snapshot) string {
	if lead := s.byURL()["/a/"].Leads; lead != nil {
		return textOf(lead)
	}
	return ""
}
