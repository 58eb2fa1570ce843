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
		signalHeader:   vocabularies[contentSignal].write(stated),
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
	words := vocabularies[strings.ToLower(name)]
	value, tightened := words.join(a, b)
	_, yields := words.join(b, a)
	return value, tightened || yields
}

// HeaderStates is what a value of a header states of uses by AI: of Content-Signal, Content-Usage
// or tdm-reservation. No other header states anything.
func HeaderStates(name, value string) (states policy.Preferences) {
	if strings.EqualFold(name, tdmReservation) {
		byValue := map[string]policy.Preference{"1": policy.Denied, "0": policy.Allowed}
		states[policy.UseTraining] = byValue[strings.TrimSpace(value)]
		return states
	}
	words := vocabularies[strings.ToLower(name)]
	if words == nil {
		return states
	}
	for _, t := range words.terms(value) {
		if u := slices.Index(words.words[:], t.key); u >= 0 {
			states[u] = max(states[u], t.states())
		}
	}
	return states
}
