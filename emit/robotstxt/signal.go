package robotstxt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// signalValues are the keys of Content-Signal with their values, the strictest first. use is written by Cloudflare's
// managed robots.txt.
// https://contentsignals.org
var signalValues = map[string][]string{
	"search":   {"no", "yes"},
	"ai-input": {"no", "yes"},
	"ai-train": {"no", "yes"},
	"use":      {"immediate", "reference", "full"},
}

// checkSignal returns what is wrong with a Content-Signal value, such as "search=yes, ai-train=no"; "" for nothing.
func checkSignal(value string) string {
	var seen []string
	for item := range strings.SplitSeq(value, ",") {
		key, v, ok := signal(item)
		values := signalValues[key]
		switch {
		case !ok:
			return fmt.Sprintf("%q is not of the form signal=yes", trim(item))
		case values == nil:
			return fmt.Sprintf("unknown signal %q (search, ai-input, ai-train, use)", key)
		case !slices.Contains(values, v):
			return fmt.Sprintf("%s=%s: the value is one of %s", key, v, strings.Join(values, ", "))
		case slices.Contains(seen, key):
			return fmt.Sprintf("%s is stated twice", key)
		}
		seen = append(seen, key)
	}
	return ""
}

// signal returns the key and the value of one item of Content-Signal.
func signal(item string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(trim(item), "=")
	return strings.ToLower(trim(key)), strings.ToLower(trim(value)), ok
}

// isLicense reports whether a key is that of RSL 1.0, whose lines belong to no group.
// https://rslstandard.org/guide/robots-txt
func isLicense(key string) bool { return strings.EqualFold(key, "license") }

const usageKey = "content-usage"

// isSignal reports whether lines with a key say how content may be used, which matters to who may fetch nothing too.
func isSignal(key string) bool {
	return strings.EqualFold(key, "content-signal") || strings.EqualFold(key, usageKey)
}

// single reports whether a group has one line with a key, at most.
func single(key string) bool {
	return strings.EqualFold(key, "content-signal") || strings.EqualFold(key, "crawl-delay")
}

// stricter combines two values of a single key, and reports whether anything of b gives way.
func stricter(key, a, b string) (value string, yields bool) {
	if strings.EqualFold(key, "crawl-delay") {
		x, _ := strconv.ParseFloat(a, 64)
		if y, err := strconv.ParseFloat(b, 64); err != nil || x > y {
			return a, true
		}
		return b, false
	}
	items := strings.Split(a, ",")
	for item := range strings.SplitSeq(b, ",") {
		key, v, _ := signal(item)
		i := slices.IndexFunc(items, func(other string) bool {
			k, _, _ := signal(other)
			return k == key
		})
		if i < 0 {
			items = append(items, " "+trim(item))
			continue
		}
		_, has, _ := signal(items[i])
		switch rank := signalValues[key]; {
		case slices.Index(rank, has) < slices.Index(rank, v):
			yields = true
		default:
			items[i] = strings.Replace(items[i], trim(items[i]), trim(item), 1)
		}
	}
	return strings.Join(items, ","), yields
}

// usageLabels are the categories of the vocabulary as of usageDraft. A reader ignores others.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/
var usageLabels = []string{"search", "train-ai"}

const usageDraft = "2026-09-14, draft-ietf-aipref-vocab-08"

// oldLabels stood in earlier drafts of the vocabulary.
var oldLabels = []string{"all", "bots", "train-genai", "ai-output"}

// CheckUsage returns what is wrong with a Content-Usage value, "[path ]label=y, label=n"; broken: it has not that form.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/ section 3
func CheckUsage(value string) (message string, broken bool) {
	_, prefs := usagePath(value)
	if prefs == "" {
		return "a path without a preference after it", true
	}
	var seen []string
	for item := range strings.SplitSeq(prefs, ",") {
		item, _, _ = strings.Cut(trim(item), ";") // parameters are for extensions
		key, v, ok := strings.Cut(item, "=")
		switch {
		case !ok || !label.MatchString(key):
			return fmt.Sprintf("%q is not of the form label=y", item), true
		case v != "y" && v != "n":
			return fmt.Sprintf("%s=%s: the value is y or n", key, v), true
		case slices.Contains(seen, key):
			message = key + " is stated twice in one line; the last one counts"
		case slices.Contains(oldLabels, key):
			message = fmt.Sprintf("the vocabulary has no %q any more; a reader ignores it (as of %s: %s)", key,
				usageDraft, strings.Join(usageLabels, ", "))
		case !slices.Contains(usageLabels, key):
			message = fmt.Sprintf("the vocabulary has no %q; a reader ignores it (as of %s: %s)", key, usageDraft,
				strings.Join(usageLabels, ", "))
		}
		seen = append(seen, key)
	}
	return message, false
}

// usagePath parts a Content-Usage value into its path, "" for all, and what it says there.
func usagePath(value string) (path, prefs string) {
	if !strings.HasPrefix(value, "/") {
		return "", value
	}
	i := strings.IndexAny(value+" ", " \t")
	return value[:i], trim(value[i:])
}

// stricterUsage combines preferences of Content-Usage, and reports whether one allows what the other denies.
func stricterUsage(prefs, further string) (stricter string, differ bool) {
	items := strings.Split(prefs, ",")
	for item := range strings.SplitSeq(further, ",") {
		key, v, _ := signal(item)
		known := false
		for i := range items { // of a key that stands twice, the last counts
			k, has, _ := signal(items[i])
			if k != key {
				continue
			}
			if known, differ = true, differ || has != v; v == "n" && has != "n" {
				items[i] = strings.Replace(items[i], trim(items[i]), key+"=n", 1)
			}
		}
		if !known {
			items = append(items, " "+key+"="+v)
		}
	}
	return strings.Join(items, ","), differ
}

// denyToo returns preferences of Content-Usage that deny what further ones deny, and reports whether they allowed it.
func denyToo(prefs, further string) (stricter string, yields bool) {
	denied := slices.DeleteFunc(strings.Split(further, ","), func(item string) bool {
		_, v, _ := signal(item)
		return v != "n"
	})
	if len(denied) == 0 {
		return prefs, false
	}
	return stricterUsage(prefs, strings.Join(denied, ","))
}

// label is a key of a structured field. https://www.rfc-editor.org/rfc/rfc9651#section-3.1.2
var label = regexp.MustCompile(`^[a-z*][a-z*0-9_.-]*$`)
