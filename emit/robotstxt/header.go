package robotstxt

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Header is a response header that says what AI may do with one URL.
type Header struct {
	Name, Value string
	// Uses are those of which it says something; none for a link to terms.
	Uses []policy.Use
}

// Headers are those that the chosen carriers ask for where something is stated, or, for terms, anywhere.
func (a *Preferences) Headers(stated policy.Preferences) (all []Header) {
	for _, c := range carriers {
		if !slices.Contains(a.Carriers, c.name) {
			continue
		}
		h := Header{Name: c.in}
		switch c.name {
		case contentUsage:
			said := stated
			said[policy.UseInput] = policy.Unstated // the vocabulary has no word for it
			h.Value = spell(said, func(u policy.Use) string { return words[u].usage }, "y", "n")
		case tdmReservation:
			h.Value = reservation(stated)
		case rslLink:
			h.Value = fmt.Sprintf("<%s>; rel=\"license\"; type=\"application/rsl+xml\"", a.License)
		}
		if h.Value == "" {
			continue
		}
		for _, u := range c.uses {
			if stated[u] != policy.Unstated {
				h.Uses = append(h.Uses, u)
			}
		}
		all = append(all, h)
	}
	return all
}

// reservation is the value of tdm-reservation, "" for none. A right that is not reserved is one to mine content for any
// purpose, so whoever denies any use states no 0.
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

// StricterHeader combines two values of a header of [Preferences.Headers], and reports whether one allows what the
// other denies.
func StricterHeader(name, a, b string) (value string, differ bool) {
	if strings.EqualFold(name, "tdm-reservation") {
		return max(a, b), a != b
	}
	return stricterUsage(a, b)
}
