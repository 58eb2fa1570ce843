package robotstxt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"metarobots/policy"
)

// tdmRep is tdmrep.json, which reserves text and data mining. A rule is "1 /closed/", which
// reserves what the pattern matches, or "0 /open/", which does not.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ section 6.1
type tdmRep struct{}

func (tdmRep) Carrier() string { return TDMRepFile }
func (tdmRep) Path() string    { return "/.well-known/tdmrep.json" }
func (tdmRep) Key() string     { return tdmReservation }

// A reserved is one rule of a tdmrep.json. Of those that match a URL the first counts.
type reserved struct {
	Location    string          `json:"location"`
	Reservation json.RawMessage `json:"tdm-reservation"`
}

// Write returns the rules as JSON, those with the longest patterns first.
func (tdmRep) Write(a *Preferences) ([]byte, Said) {
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
	sort.SliceStable(rules, func(i, j int) bool { return len(rules[i].Location) > len(rules[j].Location) })
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

// Read returns the rules of the file as texts.
func (tdmRep) Read(data []byte) (all Rules, err error) {
	var rules []reserved
	err = json.Unmarshal(data, &rules)
	for _, r := range rules {
		all = append(all, cmp.Or(string(r.Reservation), "0")+" "+r.Location)
	}
	return all, err
}

// Reader finds the first rule that matches a URL: it alone counts. Mining is training; a rule says
// nothing of other uses.
func (tdmRep) Reader(rules Rules, u policy.Use) func(path string) (rule string) {
	if u != policy.UseTraining {
		return func(string) string { return "" }
	}
	var locations patterns
	for _, text := range rules {
		_, location, _ := strings.Cut(text, " ")
		locations.add(location)
	}
	return func(path string) string {
		matching := locations.matching(path)
		if len(matching) == 0 {
			return ""
		}
		if first := rules[slices.Min(matching)]; strings.HasPrefix(first, "1 ") {
			return first
		}
		return ""
	}
}
