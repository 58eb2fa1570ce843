package robotstxt

import (
	"cmp"
	"encoding/json"
	"strings"
)

// TDMRepPath is where tdmrep.json lies on its host.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ section 6.1
const TDMRepPath = "/.well-known/tdmrep.json"

// Reservations are the rules of a tdmrep.json, in their order: "1 /closed/" reserves what the pattern matches.
type Reservations []string

// ParseTDMRep reads a tdmrep.json.
func ParseTDMRep(data []byte) (all Reservations, err error) {
	var rules []struct {
		Location    string          `json:"location"`
		Reservation json.RawMessage `json:"tdm-reservation"`
	}
	err = json.Unmarshal(data, &rules)
	for _, r := range rules {
		all = append(all, cmp.Or(string(r.Reservation), "0")+" "+r.Location)
	}
	return all, err
}

// Reserves returns the rule that reserves mining of a URL, an encoded path; "" if the first that matches does not, or none
// does.
func (r Reservations) Reserves(url string) string {
	for _, text := range r {
		value, location, _ := strings.Cut(text, " ")
		if p := newRule(true, location, 0, ""); !p.matches(url) {
			continue
		}
		if value == "1" {
			return text
		}
		return ""
	}
	return ""
}
