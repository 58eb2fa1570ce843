package robotstxt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/policy"
)

// signalValues are the keys of Content-Signal with their values. use is written by Cloudflare's managed robots.txt.
// https://contentsignals.org
var signalValues = map[string][]string{
	"search":   {"yes", "no"},
	"ai-input": {"yes", "no"},
	"ai-train": {"yes", "no"},
	"use":      {"immediate", "reference", "full"},
}

// checkSignal returns what is wrong with a Content-Signal value, such as "search=yes, ai-train=no"; "" for nothing.
func checkSignal(value string) string {
	var seen []string
	for item := range strings.SplitSeq(value, ",") {
		key, v, ok := strings.Cut(trim(item), "=")
		key, v = strings.ToLower(trim(key)), strings.ToLower(trim(v))
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
