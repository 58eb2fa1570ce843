package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Use is something that a system of artificial intelligence does with content.
type Use uint8

// The uses. What a vendor's crawler is for is a [Purpose]; what carriers can say of a use is in
// emit/robotstxt.
const (
	// UseTraining is the training of models.
	UseTraining Use = iota
	// UseSearch is an index that presents content, with a link, as a search result.
	UseSearch
	// UseInput is content that goes into an answer at the time of the question.
	UseInput
)

// Uses are all of them.
var Uses = []Use{UseTraining, UseSearch, UseInput}

var useNames = [...]string{"training", "search", "input"}

// UseNames are the names of [Uses], as they stand in a configuration.
func UseNames() []string { return useNames[:] }

// String returns the name of the use in the configuration's words.
func (u Use) String() string { return useNames[u] }

// MarshalText writes the name.
func (u Use) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads what [ParseUse] reads.
func (u *Use) UnmarshalText(text []byte) (err error) {
	*u, err = ParseUse(string(text))
	return err
}

// Purpose is that of the crawlers which fetch for the use.
func (u Use) Purpose() Purpose { return Purposes[u] }

// A Preference is what somebody states of one use. The higher value counts.
type Preference uint8

// The preferences.
const (
	Unstated Preference = iota
	Allowed
	Denied
)

// String returns the preference in the configuration's words, "" if it is unstated.
func (p Preference) String() string { return [...]string{"", "allow", "deny"}[p] }

// Preferences are those about all [Uses]. The zero value states nothing.
type Preferences [3]Preference

// IsZero reports whether nothing is stated.
func (p Preferences) IsZero() bool { return p == Preferences{} }

// Strictest combines statements: of each use, denied counts before allowed, and allowed before
// unstated.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/
func Strictest(a, b Preferences) Preferences {
	for u := range a {
		a[u] = max(a[u], b[u])
	}
	return a
}

// Agreed is what holds where either of two statements may count: of each use what one of them
// denies, and what both allow.
func Agreed(a, b Preferences) Preferences {
	for u := range a {
		if a[u] != b[u] && a[u] != Denied {
			a[u] = b[u] - b[u]%Denied
		}
	}
	return a
}

// loosest is the minimum of two, for files that several pages share (L5).
func loosest(a, b Preferences) Preferences {
	for u := range a {
		a[u] = min(a[u], b[u])
	}
	return a
}

// AtLeast reports whether p denies all that other denies.
func (p Preferences) AtLeast(other Preferences) bool {
	return !slices.ContainsFunc(Uses, func(u Use) bool { return other[u] == Denied && p[u] != Denied })
}

// String prints what is stated: "training = deny, search = allow".
func (p Preferences) String() string {
	var all []string
	for _, u := range Uses {
		if p[u] != Unstated {
			all = append(all, u.String()+" = "+p[u].String())
		}
	}
	return strings.Join(all, ", ")
}

// ByUse is what is stated, "allow" or "deny", by the name of the use; nil for nothing.
func (p Preferences) ByUse() map[string]string {
	if p.IsZero() {
		return nil
	}
	all := map[string]string{}
	for _, u := range Uses {
		if p[u] != Unstated {
			all[u.String()] = p[u].String()
		}
	}
	return all
}

// ParseUse reads the name of a use, in any case.
func ParseUse(name string) (Use, error) {
	i := slices.Index(useNames[:], strings.ToLower(strings.TrimSpace(name)))
	if i < 0 {
		return 0, errors.New(Unknown("use of AI", name, useNames[:]))
	}
	return Use(i), nil
}

// ParsePreference reads allow or deny, or a boolean: false is deny.
func ParsePreference(value any) (Preference, error) {
	switch text := fmt.Sprint(value); strings.ToLower(strings.TrimSpace(text)) {
	case "allow", "true":
		return Allowed, nil
	case "deny", "false":
		return Denied, nil
	default:
		return Unstated, fmt.Errorf("%q is neither allow nor deny", text)
	}
}

// PreferredAt is where the first of the statements stands that fixed what is decided of a use; one
// is stated.
func (d *Decision) PreferredAt(u Use) Origin { return d.Statements[d.Preferring(u)[0]].Origin }

// Preferring lists which of the statements fixed what is decided of a use, in their order.
func (d *Decision) Preferring(u Use) (list []int) {
	for i, s := range d.Statements {
		if d.AI[u] != Unstated && s.AI[u] == d.AI[u] {
			list = append(list, i)
		}
	}
	return list
}
