package robotstxt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"metarobots/policy"
)

// TDMRepPath is where tdmrep.json lies on its host.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ section 6.1
const TDMRepPath = "/.well-known/tdmrep.json"

// A reserved is one rule of a tdmrep.json. Of those that match a URL the first counts.
type reserved struct {
	Location    string          `json:"location"`
	Reservation json.RawMessage `json:"tdm-reservation"`
}

// TDMRep returns the bytes of tdmrep.json, and what they say. They are nil where there is nothing
// to say.
func (a *Preferences) TDMRep() ([]byte, Said) {
	c := carrier{name: TDMRepFile, uses: []policy.Use{policy.UseTraining}}
	w := a.newWording(c, func(stated policy.Preferences) (v policy.Preferences) {
		words := map[string]policy.Preference{"1": policy.Denied, "0": policy.Allowed}
		v[policy.UseTraining] = words[reservation(stated)]
		return v
	})
	var rules []reserved
	for _, r := range w.rules {
		if value := reservation(r.states); value != "" {
			rules = append(rules, reserved{r.pattern, json.RawMessage(value)})
		}
	}
	if rules == nil {
		return nil, Said{w}
	}
	slices.SortStableFunc(rules, func(a, b reserved) int { return len(b.Location) - len(a.Location) })
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(rules) // values of this type cannot fail
	return text.Bytes(), Said{w}
}

// reservation is the value of tdm-reservation, "" for none. A right that is not reserved is one to
// mine content for any purpose, so whoever denies any use states no 0.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
func reservation(stated policy.Preferences) string {
	switch {
	case stated[policy.UseTraining] == policy.Denied:
		return "1"
	case stated[policy.UseTraining] == policy.Allowed && !slices.Contains(stated[:], policy.Denied):
		return "0"
	}
	return ""
}

// Reservations are the rules of a tdmrep.json, in their order: "1 /closed/" reserves what the
// pattern matches.
type Reservations []string

// ParseTDMRep reads a tdmrep.json.
func ParseTDMRep(data []byte) (all Reservations, err error) {
	var rules []reserved
	err = json.Unmarshal(data, &rules)
	for _, r := range rules {
		all = append(all, cmp.Or(string(r.Reservation), "0")+" "+r.Location)
	}
	return all, err
}

// Reserves returns the rule that reserves mining of a URL, an encoded path; "" if the first that
// matches does not, or none does.
func (r Reservations) Reserves(url string) string {
	i := slices.IndexFunc(r, func(text string) bool {
		_, location, _ := strings.Cut(text, " ")
		p := newRule(&Line{}, location)
		return p.matches(url)
	})
	if i < 0 || !strings.HasPrefix(r[i], "1 ") {
		return ""
	}
	return r[i]
}
