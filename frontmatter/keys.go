package frontmatter

import (
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Form is what the value of a key that [Read] knows may be.
type Form string

// The forms.
const (
	FormDirectives Form = "directives" // text, list, map or boolean, for everyone; in a map for single crawlers, too
	FormCrawler    Form = "crawler"    // the same, told to one crawler; other text is a verification code
	FormNoIndex    Form = "noindex"    // a boolean whose true is noindex
	FormNoFollow   Form = "nofollow"   // a boolean whose true is nofollow
	FormDate       Form = "date"       // that of unavailable_after
	FormExpiry     Form = "expiry"     // the same where expiry = true; else it is not read
	FormInert      Form = "inert"      // a crawler that is told nothing here; a finding
	FormAI         Form = "ai"         // preferences: false, which denies all, or a map by use

	formOwn Form = "own" // one of [robots.frontmatter]
)

// audience are keys that authors may take for a noindex, and that themes read for menus and lists.
var audience = []string{"hidden", "private"}

// always are the keys that are read beside crawlers' names, as they are customarily spelled.
// private, hidden, draft and searchHidden mean other things elsewhere, and the sitemap's keys speak
// of the sitemap alone: none of them is here.
var always = map[string]Form{
	"robots": FormDirectives, "unavailable_after": FormDate, "unavailableAfter": FormDate, "expiryDate": FormExpiry,
	"noindex": FormNoIndex, "noIndex": FormNoIndex, "no_index": FormNoIndex, "robotsNoIndex": FormNoIndex,
	"norobots": FormNoIndex, "block_indexing": FormNoIndex, "unlisted": FormNoIndex,
	"nofollow": FormNoFollow, "noFollow": FormNoFollow, "ai": FormAI,
}

// forms are the same keys in lower case, as they are compared.
var forms = func() map[string]Form {
	lower := map[string]Form{}
	for key, form := range always {
		lower[strings.ToLower(key)] = form
	}
	return lower
}()

// form is that of a key in lower case; empty for one that is not read.
func (o *Config) form(key string) Form {
	if _, own := o.Keys[key]; own {
		return formOwn
	}
	switch form := forms[key]; {
	case form == FormExpiry && !o.Expiry:
		return ""
	case form != "":
		return form
	case policy.Inert(key) != "":
		return FormInert
	}
	if _, crawler := o.Crawlers.Lookup(key); crawler {
		return FormCrawler
	}
	return ""
}

// levels at which keys are read.
var levels = [][]string{nil, {"params"}, {"seo"}, {"params", "seo"}, {"meta"}, {"params", "meta"}}

// Levels returns the paths of the tables whose keys are read; an empty one is the top.
func Levels() [][]string { return slices.Clone(levels) }

// IsTable reports whether key, lower case, names a table in which keys are read.
func IsTable(key string) bool {
	return slices.ContainsFunc(levels, func(level []string) bool { return slices.Contains(level, key) })
}

// Keys returns the keys that are read on each of [Levels], as they are spelled, with
// [robots.frontmatter] left out.
func Keys(crawlers policy.Crawlers) map[string]Form {
	keys := maps.Clone(always)
	for _, name := range crawlers.Names() {
		keys[name] = FormCrawler
	}
	for _, name := range policy.InertNames() {
		keys[name] = FormInert
	}
	return keys
}
