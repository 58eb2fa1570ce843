package robotstxt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metarobots/policy"
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
			return fmt.Sprintf("unknown signal %q (search, ai-input, ai-train)", key)
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

// isSignal reports whether lines with a key say how content may be used, which matters to who may fetch nothing too.
func isSignal(key string) bool {
	return strings.EqualFold(key, "content-signal") || strings.EqualFold(key, "content-usage")
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

// usageLabels are the categories that the drafts of the vocabulary have named so far. A reader ignores others.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/
var usageLabels = []string{"all", "bots", "search", "train-ai", "train-genai"}

// checkUsage returns what is wrong with a Content-Usage value, "[path ]label=y, label=n", and how bad it is.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/ section 3
func checkUsage(value string) (severity policy.Severity, message string) {
	prefs := value
	if strings.HasPrefix(value, "/") {
		i := strings.IndexAny(value, " \t")
		if i < 0 {
			return policy.Warning, "a path without a preference after it"
		}
		prefs = trim(value[i:])
	}
	for item := range strings.SplitSeq(prefs, ",") {
		item, _, _ = strings.Cut(trim(item), ";") // parameters are for extensions
		key, v, ok := strings.Cut(item, "=")
		switch {
		case !ok || !label.MatchString(key):
			return policy.Warning, fmt.Sprintf("%q is not of the form label=y", item)
		case v != "y" && v != "n":
			return policy.Warning, fmt.Sprintf("%s=%s: the value is y or n", key, v)
		case !slices.Contains(usageLabels, key):
			return policy.Note, fmt.Sprintf("the vocabulary has no %q; a reader ignores it (%s)", key,
				strings.Join(usageLabels, ", "))
		}
	}
	return "", ""
}

// label is a key of a structured field. https://www.rfc-editor.org/rfc/rfc9651#section-3.1.2
var label = regexp.MustCompile(`^[a-z*][a-z*0-9_.-]*$`)
