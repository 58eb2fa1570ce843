package robotstxt

import (
	"bytes"
	"encoding/json"
	"slices"

	"metarobots/policy"
)

// TDMRep returns the bytes of /.well-known/tdmrep.json, and what it cannot say of training. It is nil where it has
// nothing to say. Of the rules that match a URL the first counts, so the longest stand first.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ section 6.1
func (a *Preferences) TDMRep() ([]byte, []Unsaid) {
	i := slices.IndexFunc(carriers, func(c carrier) bool { return c.name == TDMRepFile })
	reserved, w := *a, &wording{carrier: carriers[i]}
	state := func(stated policy.Preferences, path string) policy.Preferences {
		states := map[string]policy.Preference{"1": policy.Denied, "0": policy.Allowed}[reservation(stated)]
		if states != stated[policy.UseTraining] {
			w.leave(policy.UseTraining, path)
		}
		return policy.Preferences{policy.UseTraining: states}
	}
	reserved.Site, reserved.Paths = state(a.Site, ""), slices.Clone(a.Paths)
	own := map[string]bool{}
	for i, p := range reserved.Paths {
		reserved.Paths[i].Preferences, own[p.Path] = state(p.Preferences, p.Path), true
	}
	if open := reserved.Site; open[policy.UseTraining] == policy.Allowed { // leave is given file by file
		reserved.Site = policy.Preferences{}
		for _, url := range a.URLs {
			if !own[url] {
				reserved.Paths = append(reserved.Paths, PathPreference{url, open})
			}
		}
	}
	unsaid := w.unsaid
	w = newWording(&Policy{}, &reserved, w.carrier, w.carrier.uses)
	type rule struct {
		Location    string `json:"location"`
		Reservation int    `json:"tdm-reservation"`
	}
	var rules []rule
	for _, r := range append([]pathRule{{"/", w.site}}, w.rules...) {
		switch r.states[policy.UseTraining] {
		case policy.Denied:
			rules = append(rules, rule{r.pattern, 1})
		case policy.Allowed:
			rules = append(rules, rule{r.pattern, 0})
		}
	}
	slices.SortStableFunc(rules, func(a, b rule) int { return len(b.Location) - len(a.Location) })
	for _, u := range []policy.Use{policy.UseSearch, policy.UseInput} {
		unsaid = append(unsaid, Unsaid{TDMRepFile, u, ""})
		for _, url := range a.URLs {
			unsaid = append(unsaid, Unsaid{TDMRepFile, u, url})
		}
	}
	if rules == nil {
		return nil, append(unsaid, w.unsaid...)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(rules) // values of this type cannot fail
	return text.Bytes(), append(unsaid, w.unsaid...)
}
