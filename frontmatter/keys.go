package frontmatter

import (
	"maps"
	"slices"

	"metarobots/policy"
)

// A Form is what the value of a key that [Read] knows may be.
type Form string

// The forms.
const (
	// text, list, map or boolean: what is told to everyone, and in a map to single crawlers
	FormDirectives Form = "directives"
	FormCrawler    Form = "crawler"  // the same, told to one crawler; other text is a verification code
	FormNoIndex    Form = "noindex"  // a boolean whose true is noindex
	FormNoFollow   Form = "nofollow" // a boolean whose true is nofollow
	FormDate       Form = "date"     // that of unavailable_after
	FormExpiry     Form = "expiry"   // the same where expiry = true; else it is not read
	FormInert      Form = "inert"    // a crawler that is told nothing here; a finding
)

// spellings are keys whose documented spelling has capitals.
var spellings = map[string]string{"unavailableafter": "unavailableAfter", "robotsnoindex": "robotsNoIndex",
	"expirydate": "expiryDate"}

// further are customary spellings of keys: keys are compared without regard to case.
var further = map[string][]string{"noindex": {"noIndex"}, "nofollow": {"noFollow"}}

// Levels returns the paths of the tables whose keys are read; an empty one is the top.
func Levels() [][]string { return slices.Clone(levels) }

// Keys returns the keys that are read on each of [Levels], as they are spelled, with [robots.frontmatter] left out.
func Keys(crawlers policy.Crawlers) map[string]Form {
	keys := map[string]Form{"robots": FormDirectives, "unavailable_after": FormDate, "unavailableafter": FormDate,
		"expirydate": FormExpiry}
	for key, states := range flags {
		keys[key] = FormNoIndex
		if states == policy.NoFollowAlone() {
			keys[key] = FormNoFollow
		}
	}
	for _, name := range crawlers.Names() {
		keys[name] = FormCrawler
	}
	for _, name := range policy.InertNames() {
		keys[name] = FormInert
	}
	for _, lower := range slices.Collect(maps.Keys(keys)) {
		form := keys[lower]
		if spelled, ok := spellings[lower]; ok {
			delete(keys, lower)
			keys[spelled] = form
		}
		for _, also := range further[lower] {
			keys[also] = form
		}
	}
	return keys
}
