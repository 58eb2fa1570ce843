//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readersCrawlers are those whose orders are compared: one that nobody knows by name, and two that
// are.
var readersCrawlers = [3]string{"", "googlebot", "bingbot"}

// orders are the restrictions that each of readersCrawlers obeys, sorted, as one text each.
type orders [3]string

// harsh are the words that restrict. Which are implied by noindex says the right column
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
var harsh = map[string]bool{
	"noindex": false, "nofollow": false, "noarchive": false, "noai": false, "noimageai": false, "noml": false,
	"nocache": true, "nosnippet": true, "notranslate": true, "noimageindex": true,
}

var (
	afterColon  = regexp.MustCompile(`:\s+`)
	betweenText = regexp.MustCompile(`[,;/|\s]+`)
)

// obeyed resolves what stands in tags and in header lines by a rule of its own, which shares
// nothing with package policy: each crawler obeys the sum of what restricts it, of all places that
// name it or nobody, and of limits the lowest.
func obeyed(metas []meta, header []string) (o orders) {
	stated := map[string][]string{} // crawler to words
	for _, m := range metas {
		name := strings.ToLower(strings.Trim(m.Name, "\t\n\f\r "))
		if name == "robots" {
			name = ""
		}
		if m.Content != nil {
			stated[name] = append(stated[name],
				betweenText.Split(strings.ToLower(afterColon.ReplaceAllString(*m.Content, ":")), -1)...)
		}
	}
	for s := range said(header) {
		stated[s[0]] = append(stated[s[0]], afterColon.ReplaceAllString(s[1], ":"))
	}
	for i, crawler := range readersCrawlers {
		words := stated[""]
		if crawler != "" {
			words = slices.Concat(words, stated[crawler])
		}
		o[i] = restrictions(words)
	}
	return o
}

// restrictions is what a list of directives comes to.
func restrictions(words []string) string {
	const unlimited = 1 << 30
	set := map[string]bool{}
	limits := map[string]int{"max-snippet": unlimited, "max-video-preview": unlimited, "max-image-preview": 2}
	previews := []string{"none", "standard", "large"}
	date := ""
	for _, word := range words {
		key, value, _ := strings.Cut(word, ":")
		if _, ok := harsh[word]; ok {
			set[word] = true
		} else if word == "none" {
			set["noindex"], set["nofollow"] = true, true
		} else if key == "unavailable_after" && (date == "" || value < date) { // all in one form, which sorts
			date = value
		} else if limit, ok := limits[key]; ok {
			n, err := strconv.Atoi(value)
			if key == "max-image-preview" {
				n = slices.Index(previews, value)
			}
			if err == nil && n >= 0 || key == "max-image-preview" && n >= 0 {
				limits[key] = min(limit, n)
			}
		}
	}
	if limits["max-snippet"] == 0 {
		set["nosnippet"] = true
	}
	for word, implied := range harsh {
		if implied && set["noindex"] || word == "nocache" && set["noarchive"] {
			delete(set, word)
		}
	}
	var list []string
	for word := range set {
		list = append(list, word)
	}
	if !set["noindex"] {
		if n := limits["max-snippet"]; n < unlimited && !set["nosnippet"] {
			list = append(list, fmt.Sprintf("max-snippet:%d", n))
		}
		if n := limits["max-video-preview"]; n < unlimited && !set["nosnippet"] {
			list = append(list, fmt.Sprintf("max-video-preview:%d", n))
		}
		if n := limits["max-image-preview"]; n < 2 {
			list = append(list, "max-image-preview:"+previews[n])
		}
		if date != "" {
			list = append(list, "unavailable_after:"+date)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// failed stands where a reader gave no answer.
const failed = "?"

// knowing is what is left of orders to a reader that knows these words alone. What is not indexed
// has no copy in a cache.
func (o orders) knowing(words []string) orders {
	for i, text := range o {
		list := strings.Fields(text)
		o[i] = strings.Join(slices.DeleteFunc(list, func(w string) bool {
			return w != failed && !slices.Contains(words, w) || w == "noarchive" && strings.Contains(text, "noindex")
		}), " ")
	}
	return o
}
