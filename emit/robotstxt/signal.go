package robotstxt

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"metarobots/policy"
)

// A vocabulary is what the lines of one key have for uses of content by AI.
type vocabulary struct {
	words  [3]string           // by use; empty for none
	values [3]string           // by preference
	labels map[string][]string // all words, with their values
	asOf   string
}

// vocabularies are those of the keys that say how content may be used, in lower case.
// https://contentsignals.org, https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/
var vocabularies = map[string]*vocabulary{
	contentSignal: {
		[...]string{policy.UseTraining: "ai-train", policy.UseSearch: "search", policy.UseInput: "ai-input"},
		[...]string{policy.Allowed: "yes", policy.Denied: "no"},
		map[string][]string{"search": {"yes", "no"}, "ai-input": {"yes", "no"}, "ai-train": {"yes", "no"},
			"use": {"immediate", "reference", "full"}},
		"2026-11-23, contentsignals.org",
	},
	contentUsage: {
		[...]string{policy.UseTraining: "train-ai", policy.UseSearch: "search", policy.UseInput: ""},
		[...]string{policy.Allowed: "y", policy.Denied: "n"},
		map[string][]string{"search": {"y", "n"}, "train-ai": {"y", "n"}},
		"2026-09-14, draft-ietf-aipref-vocab-08",
	},
}

// isSignal reports whether lines with a key say how content may be used, which matters to who may fetch nothing too.
func isSignal(key string) bool { return vocabularies[strings.ToLower(key)] != nil }

func isUsage(l Line) bool { return strings.EqualFold(l.Key, contentUsage) }

// isLicense reports whether a key is that of RSL 1.0, whose lines belong to no group.
// https://rslstandard.org/guide/robots-txt
func isLicense(key string) bool { return strings.EqualFold(key, "license") }

// write returns preferences as the value of a line; what has no word is left out.
func (v *vocabulary) write(p policy.Preferences) string {
	var items []string
	for u, word := range v.words {
		if p[u] != policy.Unstated && word != "" {
			items = append(items, word+"="+v.values[p[u]])
		}
	}
	return strings.Join(items, ", ")
}

// use is what a line says of one use by AI.
type use struct {
	of     policy.Use
	states policy.Preference
	line   Line
	path   string // empty for the site, and in Content-Signal
}

// uses returns what a line says of uses by AI.
func (l Line) uses() (list []use) {
	v := vocabularies[strings.ToLower(l.Key)]
	if v == nil {
		return nil
	}
	path, items := usagePath(l.Value)
	for _, t := range v.terms(items) {
		u, states := slices.Index(v.words[:], t.key), t.states()
		if u >= 0 && t.key != "" && states != policy.Unstated {
			list = append(list, use{policy.Use(u), states, l, path})
		}
	}
	return list
}

// usagePath parts a Content-Usage value into its path, "" for all, and what it says there.
func usagePath(value string) (path, items string) {
	if !strings.HasPrefix(value, "/") {
		return "", value
	}
	i := strings.IndexAny(value+" ", " \t")
	return value[:i], trim(value[i:])
}

// scope is the rule that matches what a line is about.
func (l Line) scope() *rule {
	path, _ := usagePath(l.Value)
	r := newRule(true, "/", 0, "")
	if path != "" {
		r = newRule(true, path, 0, "")
	}
	return &r
}

// A term is one item of a signal, in lower case: ai-train=no. The value may have parameters, which are for extensions.
type term struct {
	key, value string
	corrected  bool // the value stood there as another vocabulary has it, which no reader of this one understands
}

func (v *vocabulary) terms(items string) (all []term) {
	for item := range strings.SplitSeq(items, ",") {
		key, value, _ := strings.Cut(strings.ToLower(item), "=")
		t := term{key: trim(key), value: trim(value)}
		word, _, _ := strings.Cut(t.value, ";")
		if p := t.states(); p != policy.Unstated && word != v.values[p] {
			t.value, t.corrected = v.values[p]+t.value[len(word):], true
		}
		all = append(all, t)
	}
	return all
}

func (t term) states() policy.Preference {
	switch value, _, _ := strings.Cut(t.value, ";"); value {
	case "yes", "y":
		return policy.Allowed
	case "no", "n":
		return policy.Denied
	}
	return policy.Unstated
}

// termValues are the values of terms, the strictest first. Cloudflare's managed robots.txt writes use=reference.
var termValues = []string{"no", "n", "immediate", "reference", "yes", "y", "full"}

// looseness orders values of one key; one that nobody knows restricts nothing.
func (t term) looseness() int {
	value, _, _ := strings.Cut(t.value, ";")
	if i := slices.Index(termValues, value); i >= 0 {
		return i
	}
	return len(termValues)
}

// stricter adds terms to a list; of those that are in it, the stricter value stays. It reports whether one of the list
// gave way, and whether one of the terms did.
func (v *vocabulary) stricter(list string, further []term) (value string, tightened, yields bool) {
	all := v.terms(list)
	tightened = slices.ContainsFunc(all, func(t term) bool { return t.corrected })
	var more []term
	for _, t := range further {
		known := false
		for i := range all { // of a key that stands twice, readers differ in which counts
			switch has := &all[i]; {
			case has.key != t.key:
				continue
			case t.looseness() < has.looseness():
				has.value, tightened = t.value, true
			case t.looseness() > has.looseness():
				yields = true
			}
			known = true
		}
		if !known {
			more = append(more, t)
		}
	}
	if !tightened && more == nil {
		return list, false, yields
	}
	var items []string
	for _, t := range append(all, more...) {
		items = append(items, strings.TrimSuffix(t.key+"="+t.value, "="))
	}
	return strings.Join(items, ", "), tightened, yields
}

// denyToo returns a list that denies what a further one denies, too, and reports whether it allowed that.
func (v *vocabulary) denyToo(list, further string) (value string, tightened bool) {
	denied := slices.DeleteFunc(v.terms(further), func(t term) bool { return t.states() != policy.Denied })
	value, tightened, _ = v.stricter(list, denied)
	return value, tightened
}

// label is a key of a structured field. https://www.rfc-editor.org/rfc/rfc9651#section-3.1.2
var label = regexp.MustCompile(`^[a-z*][a-z*0-9_.-]*$`)

// CheckSignal returns what is wrong with the value of a Content-Signal or a Content-Usage, "[path ]label=y, label=n";
// broken: it has not that form. https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/ section 3
func CheckSignal(key, value string) (message string, broken bool) {
	v := vocabularies[strings.ToLower(key)]
	_, items := usagePath(value)
	if items == "" {
		return "a path without a preference after it", true
	}
	seen := map[string]bool{}
	for item := range strings.SplitSeq(items, ",") {
		item, _, _ = strings.Cut(trim(item), ";")
		key, value, ok := strings.Cut(item, "=")
		if v == vocabularies[contentSignal] { // which ignores case and blanks
			key, value = strings.ToLower(trim(key)), strings.ToLower(trim(value))
		}
		values, known := v.labels[key]
		switch {
		case !ok || !label.MatchString(key):
			return fmt.Sprintf("%q is not of the form label=%s", item, v.values[policy.Denied]), true
		case known && !slices.Contains(values, value):
			return fmt.Sprintf("the value of %s is one of %s", key, strings.Join(values, ", ")), true
		case seen[key]:
			message = key + " is stated twice in one line"
		case !known:
			message = fmt.Sprintf("the vocabulary has no %q; a reader ignores it (as of %s: %s)", key, v.asOf,
				strings.Join(slices.Sorted(maps.Keys(v.labels)), ", "))
		}
		seen[key] = true
	}
	return message, false
}
