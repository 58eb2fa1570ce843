package robotstxt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// A vocabulary is what the lines of one key have for uses of content by AI.
type vocabulary struct {
	words  [3]string           // the label of each use, by its number; empty for none
	values [3]string           // the value of each preference, by its number; empty of unstated
	labels map[string][]string // all labels that its readers know, with their values
	asOf   string              // when and where that was looked up
}

// vocabularies are those of the keys that say how content may be used, in lower case.
// https://contentsignals.org, https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/
var vocabularies = map[string]*vocabulary{
	contentSignal: {
		[...]string{policy.UseTraining: "ai-train", policy.UseSearch: "search",
			policy.UseInput: "ai-input"},
		[...]string{policy.Allowed: "yes", policy.Denied: "no"},
		map[string][]string{"search": {"yes", "no"}, "ai-input": {"yes", "no"},
			"ai-train": {"yes", "no"},
			"use":      {"immediate", "reference", "full"}},
		"2026-11-23, contentsignals.org",
	},
	contentUsage: {
		[...]string{policy.UseTraining: "train-ai", policy.UseSearch: "search",
			policy.UseInput: ""},
		[...]string{policy.Allowed: "y", policy.Denied: "n"},
		map[string][]string{"search": {"y", "n"}, "train-ai": {"y", "n"}},
		"2026-09-14, draft-ietf-aipref-vocab-08",
	},
}

// write returns preferences as the value of a line; what has no word is left out.
func (v *vocabulary) write(p policy.Preferences) string {
	var all []term
	for u, word := range v.words {
		if p[u] != policy.Unstated && word != "" {
			all = append(all, term{word, v.values[p[u]]})
		}
	}
	return printTerms(all)
}

// use is what a line says of one use by AI.
type use struct {
	about  policy.Use
	states policy.Preference
	line   Line
	path   string // empty for the site
}

// uses returns what a line says of uses by AI.
func (l Line) uses() (list []use) {
	v := l.vocabulary()
	if v == nil {
		return nil
	}
	path, items := usagePath(l.Value)
	for _, t := range v.terms(items) {
		u, states := slices.Index(v.words[:], t.key), t.states()
		if u >= 0 && states != policy.Unstated {
			list = append(list, use{policy.Use(u), states, l, path})
		}
	}
	return list
}

// usagePath parts a Content-Usage value into its path, "" for all, and what it says there. A
// Content-Signal is to have none: [CheckSignal] reports it, and it is read all the same.
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
	r := newRule(&Line{}, cmp.Or(path, "/"))
	return &r
}

// A term is one item of a signal, in lower case: ai-train=no. The value may have parameters, which
// are for extensions.
type term struct{ key, value string }

// terms reads items. A value in the words of another vocabulary becomes that of this one, because
// no reader of this one understands it.
func (v *vocabulary) terms(items string) (all []term) {
	for item := range strings.SplitSeq(items, ",") {
		key, value, _ := strings.Cut(strings.ToLower(item), "=")
		t := term{trim(key), trim(value)}
		if p := t.states(); p != policy.Unstated {
			t.value = v.values[p] + strings.TrimPrefix(t.value, t.word())
		}
		if t.key != "" {
			all = append(all, t)
		}
	}
	return all
}

func printTerms(all []term) string {
	var items []string
	for _, t := range all {
		items = append(items, t.print())
	}
	return strings.Join(items, ", ")
}

func (t term) print() string { return strings.TrimSuffix(t.key+"="+t.value, "=") }

// word is the value without parameters.
func (t term) word() string {
	word, _, _ := strings.Cut(t.value, ";")
	return word
}

func (t term) states() policy.Preference {
	switch t.word() {
	case "yes", "y":
		return policy.Allowed
	case "no", "n":
		return policy.Denied
	}
	return policy.Unstated
}

// looseness orders values of one key; one that nobody knows restricts nothing. Cloudflare's managed
// robots.txt writes use=reference.
func (t term) looseness() int {
	if i := slices.Index(fromStrictest, t.word()); i >= 0 {
		return i
	}
	return len(fromStrictest)
}

// fromStrictest are the values that [term.looseness] orders.
var fromStrictest = []string{"no", "n", "immediate", "reference", "yes", "y", "full"}

// isRanked reports whether [term.looseness] knows the value.
func (t term) isRanked() bool { return slices.Contains(fromStrictest, t.word()) }

var blanks = strings.NewReplacer(" ", "", "\t", "")

// join adds the items of a second list to a first. The first keeps its spelling if that changes
// nothing. Of a key in both, the stricter value counts; gaveWay: one of the first has yielded.
func (v *vocabulary) join(list, more string) (value string, gaveWay bool) {
	var all []term
	states := v.terms(list)
	for n, t := range append(states, v.terms(more)...) {
		i := slices.IndexFunc(all, func(o term) bool { return o.key == t.key })
		if i < 0 { // readers differ in which of two items with one key counts
			all = append(all, t)
		} else if t.looseness() < all[i].looseness() {
			all[i].value, gaveWay = t.value, gaveWay || n >= len(states)
		}
	}
	if value = printTerms(all); strings.EqualFold(blanks.Replace(value), blanks.Replace(list)) {
		value = list
	}
	return value, gaveWay
}

// restrictions is a list without what it allows.
func (v *vocabulary) restrictions(list string) string {
	return printTerms(slices.DeleteFunc(v.terms(list),
		func(t term) bool { return t.states() == policy.Allowed }))
}

// label is a key of a structured field. https://www.rfc-editor.org/rfc/rfc9651#section-3.1.2
var label = lazyregexp.New(`^[a-z*][a-z*0-9_.-]*$`)

// CheckSignal returns what is wrong with the value of a Content-Signal or a Content-Usage, in any
// case; with another key it must not be called. A value is "[path ]label=y, label=n" of
// Content-Usage, and "label=yes, label=no" of Content-Signal. message is "" if nothing is wrong.
// isBroken says that the value has not that form, so that readers may take nothing from it: it is
// about the first such item. Without that, a label is stated twice or unknown, and the message is
// about the last such one. Of Content-Usage:
//
//	train-ai=n                message ""
//	/blog/                    a path without a preference …           isBroken
//	train-ai                  "train-ai" is not of the form label=n   isBroken
//	train-ai=no               the value of train-ai is one of y, n    isBroken
//	train-ai=n, train-ai=y    train-ai is stated twice …
//	images=n                  the vocabulary has no "images" …
//
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/ section 3
func CheckSignal(key, value string) (message string, isBroken bool) {
	v := vocabularies[strings.ToLower(key)]
	path, items := "", value
	if v == vocabularies[contentUsage] {
		path, items = usagePath(value)
	}
	if path != "" && items == "" {
		return "a path without a preference after it", true
	}
	isStated := map[string]bool{} // by the labels so far
	for listed := range strings.SplitSeq(items, ",") {
		// Behind a semicolon are parameters, which are for extensions.
		item, _, _ := strings.Cut(trim(listed), ";")
		name, stated, hasValue := v.cutItem(item)
		values, isKnown := v.labels[name]
		switch {
		case !hasValue || !label.MatchString(name):
			message = fmt.Sprintf("%q is not of the form label=%s", item, v.values[policy.Denied])
			return message, true
		case isKnown && !slices.Contains(values, stated):
			message = fmt.Sprintf("the value of %s is one of %s", name, strings.Join(values, ", "))
			return message, true
		case isStated[name]:
			message = name + " is stated twice in one line"
		case !isKnown:
			message = v.unknownLabel(name)
		}
		isStated[name] = true
	}
	return message, false
}

// cutItem parts an item without parameters into its label and its value; hasValue is false if it
// has no "=". Content-Signal is read in any case and with blanks around the "=", Content-Usage as
// it is written.
func (v *vocabulary) cutItem(item string) (name, stated string, hasValue bool) {
	name, stated, hasValue = strings.Cut(item, "=")
	if v == vocabularies[contentSignal] {
		name, stated = strings.ToLower(trim(name)), strings.ToLower(trim(stated))
	}
	return name, stated, hasValue
}

// unknownLabel says that the vocabulary does not have a label, and which it has.
func (v *vocabulary) unknownLabel(name string) string {
	known := strings.Join(slices.Sorted(maps.Keys(v.labels)), ", ")
	return fmt.Sprintf("the vocabulary has no %q; a reader ignores it (as of %s: %s)",
		name, v.asOf, known)
}
