package pages

import (
	"regexp"
	"strings"
	"sync"
)

// Generators make parts of a URL out of titles and names, each by a rule of its own. What a rule does to letters
// outside of ASCII is a table of thousands in most of them: such a letter becomes *, which any letters match.

var (
	notAlnum       = lazy(`[^\pL\p{Nd}\pM]+`)
	notGitHub      = lazy(`[^\pL\pN\pM_/-]+`)
	notPretty      = lazy(`[^\pL\p{Nd}\pM._~!$&'()+,;=@]+`)
	hexoSpecial    = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'<>,.?/]+")
	spaces         = regexp.MustCompile(`[-\s]+`)
	notPlain       = regexp.MustCompile(`[^a-z0-9\s-]+`)
	unknownLetters = regexp.MustCompile(`-*\*[-*]*`)
)

// jekyllSlug is what :slug and :slugified_categories stand for in Jekyll's permalinks.
// https://jekyllrb.com/docs/liquid/filters/#options-for-the-slugify-filter
func jekyllSlug(s string) string {
	return strings.ToLower(strings.Trim(notAlnum().ReplaceAllString(s, "-"), "-"))
}

// jekyllTitle is what :title stands for in Jekyll's permalinks: a slug that keeps its case and some marks.
func jekyllTitle(s string) string { return strings.Trim(notPretty().ReplaceAllString(s, "-"), "-") }

// hexoSlug is what Hexo makes of a category. https://github.com/hexojs/hexo-util
func hexoSlug(s string) string { return strings.Trim(hexoSpecial.ReplaceAllString(s, "-"), "-") }

// slugOf is what most generators make of a title. Of a letter that each writes in a way of its own it is not known
// what stands there.
func slugOf(s string) string {
	s = notPlain.ReplaceAllString(strings.ToLower(strings.TrimSpace(s)), "*")
	return unknownLetters.ReplaceAllString(spaces.ReplaceAllString(s, "-"), "*")
}

// slugged is a path of slugs as Astro makes them. https://github.com/Flet/github-slugger
func slugged(name string) string {
	return notGitHub().ReplaceAllString(strings.ReplaceAll(strings.ToLower(name), " ", "-"), "")
}

// lazy is a pattern that few runs ask for and that takes long to compile: every run would wait for it.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var placeholder = regexp.MustCompile(`:[a-z_]+`)

// expanded puts values in the place of the placeholders of a permalink; one whose value is not known becomes *, one
// that is empty leaves nothing, nor a second slash. A name that is not known may be one with a mark after it:
// :month_:day.
func expanded(permalink string, values map[string]string) string {
	s := placeholder.ReplaceAllStringFunc(permalink, func(name string) string {
		name = name[1:]
		if value, ok := values[name]; ok {
			return value
		}
		cut := strings.TrimRight(name, "_")
		if value, ok := values[cut]; ok {
			return value + name[len(cut):]
		}
		return "*"
	})
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s
}
