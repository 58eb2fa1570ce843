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
	// Uses are those that it states something about; none for a link to terms.
	Uses []policy.Use
}

// Headers are those that the chosen carriers ask for where something is stated, or, for terms,
// anywhere.
func (a *Preferences) Headers(stated policy.Preferences) (all []Header) {
	if len(a.Carriers) == 0 {
		return nil
	}
	values := map[string]string{
		contentUsage:   vocabularies[contentUsage].write(stated),
		tdmReservation: reservation(stated),
		rslLink:        fmt.Sprintf("<%s>; rel=\"license\"; type=\"application/rsl+xml\"", a.License),
	}
	for _, c := range carriers {
		h := Header{Name: c.in, Value: values[c.name]}
		if h.Value == "" || !slices.Contains(a.Carriers, c.name) {
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

// StricterHeader combines two values of a header of [Preferences.Headers], and reports whether one
// allows what the other denies.
func StricterHeader(name, a, b string) (value string, differ bool) {
	if strings.EqualFold(name, tdmReservation) {
		return max(a, b), a != b
	}
	value, tightened := vocabularies[contentUsage].join(a, b)
	_, yields := vocabularies[contentUsage].join(b, a)
	return value, tightened || yields
}
