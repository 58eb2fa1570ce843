package robotstxt

import (
	"cmp"
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
		rslLink: fmt.Sprintf("<%s>; rel=\"license\"; type=\"application/rsl+xml\"",
			a.License),
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

// A HeaderDifference says in what a served value of a header differs in meaning from the wanted
// one. Both texts are empty if the two mean the same.
type HeaderDifference struct {
	// Looser is the first restriction that is lost, or permission that is new: "ai-train=no is
	// lost".
	Looser string
	// Stricter is the first restriction that is new, or permission that is lost: "search=no is
	// new".
	Stricter string
}

// CompareHeader compares values of Content-Signal, Content-Usage or tdm-reservation by what they
// mean: the order of items, blanks and the letters' case of Content-Signal mean nothing. A value
// may be looser in one item and stricter in another. isRead is false if nothing says what a value
// means: of another header, or of a value that readers may take nothing from. Then d is zero, and
// only equal texts mean the same.
//
//	wanted ai-train=no, search=yes   served search=yes,ai-train=no   the same
//	wanted search=yes                served search=no                Stricter: search=no is new
//	wanted ai-train=no               served search=yes               Looser: ai-train=no is lost
//	wanted search=yes                served search=yes, use=full     Looser: use=full is new
func CompareHeader(name, wanted, served string) (d HeaderDifference, isRead bool) {
	if strings.EqualFold(name, tdmReservation) {
		return compareReservation(wanted, trim(served))
	}
	words := vocabularies[strings.ToLower(name)]
	if words == nil || !isReadInHeader(name, wanted) || !isReadInHeader(name, served) {
		return d, false
	}
	wantedTerms, servedTerms := words.terms(wanted), words.terms(served)
	for _, t := range wantedTerms {
		d.addWanted(t, ofKey(servedTerms, t.key))
	}
	for _, t := range servedTerms {
		_, isLabel := words.labels[t.key] // readers ignore any other
		isWanted := len(ofKey(wantedTerms, t.key)) > 0
		if isLabel && !isWanted {
			d.addUnwanted(t)
		}
	}
	return d, true
}

// compareReservation compares values of tdm-reservation, which are 0 or 1.
func compareReservation(wanted, served string) (d HeaderDifference, isRead bool) {
	isValue := func(value string) bool { return value == "0" || value == "1" }
	switch {
	case !isValue(wanted) || !isValue(served):
		return d, false
	case served < wanted:
		d.Looser = wanted + " is lost"
	case served > wanted:
		d.Stricter = served + " is new"
	}
	return d, true
}

// isReadInHeader reports whether readers take each item from a value of a header. A path before the
// items is for robots.txt alone.
func isReadInHeader(name, value string) bool {
	_, isBroken := CheckSignal(name, value)
	return !isBroken && !strings.HasPrefix(value, "/")
}

// ofKey are the terms of a key.
func ofKey(all []term, key string) []term {
	isOther := func(t term) bool { return t.key != key }
	return slices.DeleteFunc(slices.Clone(all), isOther)
}

// addUnwanted adds a served term whose key is not wanted. A denial restricts; anything else counts
// as a permission.
func (d *HeaderDifference) addUnwanted(served term) {
	isNew := served.print() + " is new"
	if served.states() == policy.Denied {
		d.Stricter = cmp.Or(d.Stricter, isNew)
	} else {
		d.Looser = cmp.Or(d.Looser, isNew)
	}
}

// addWanted adds what became of a wanted term, by the served ones of its key. Readers differ in
// which of several counts, so each has to be as strict. Of values whose strictness nobody knows,
// another one counts as looser.
func (d *HeaderDifference) addWanted(wanted term, served []term) {
	lost := wanted.print() + " is lost"
	isAllowed := wanted.states() == policy.Allowed
	switch {
	case len(served) == 0 && isAllowed:
		d.Stricter = cmp.Or(d.Stricter, lost)
	case len(served) == 0:
		d.Looser = cmp.Or(d.Looser, lost)
	}
	for _, t := range served {
		isRanked := wanted.isRanked() && t.isRanked()
		switch {
		case t.word() == wanted.word():
		case !isRanked, t.looseness() > wanted.looseness():
			d.Looser = cmp.Or(d.Looser, lost)
		default:
			d.Stricter = cmp.Or(d.Stricter, t.print()+" is new")
		}
	}
}
