package tree

import (
	"regexp"
	"strings"
	"unicode"
)

// Generators make parts of a URL out of titles and names, each by a rule of its own. What a rule does to letters outside
// of ASCII is a table of thousands in most of them: such a letter becomes *, which any letters match.

// githubSlug is what Astro makes of a part of a path. https://github.com/Flet/github-slugger
func githubSlug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			return r
		}
		return -1
	}, strings.ToLower(s))
}

var (
	notAlnum     = regexp.MustCompile(`[^\pL\pN\pM]+`)
	notPretty    = regexp.MustCompile(`[^\pL\pN\pM._~!$&'()+,;=@]+`)
	hexoSpecial  = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'<>,.?/]+")
	notWordSpace = regexp.MustCompile(`[^\w\s*-]`)
	spaces       = regexp.MustCompile(`[-\s]+`)
	notASCII     = regexp.MustCompile(`[^\x00-\x7f]+`)
	notPlain     = regexp.MustCompile(`[^a-z0-9*]+`)
)

// jekyllSlug is what Jekyll makes of a category or a slug. https://jekyllrb.com/docs/liquid/filters/#options-for-the-slugify-filter
func jekyllSlug(s string) string {
	return strings.ToLower(strings.Trim(notAlnum.ReplaceAllString(s, "-"), "-"))
}

// jekyllTitle is what :title stands for in Jekyll's permalinks: a slug that keeps its case and some marks.
func jekyllTitle(s string) string { return strings.Trim(notPretty.ReplaceAllString(s, "-"), "-") }

// hexoSlug is what Hexo makes of a category. https://github.com/hexojs/hexo-util
func hexoSlug(s string) string { return strings.Trim(hexoSpecial.ReplaceAllString(s, "-"), "-") }

// pelicanSlug is what Pelican makes of a title, by its SLUG_REGEX_SUBSTITUTIONS.
// https://docs.getpelican.com/en/stable/settings.html#url-settings
func pelicanSlug(s string) string {
	s = notASCII.ReplaceAllString(s, "*")
	s = strings.TrimSpace(notWordSpace.ReplaceAllString(s, ""))
	return strings.ToLower(spaces.ReplaceAllString(s, "-"))
}

// plainSlug is what Eleventy's slugify and slug filters make of a text. https://www.11ty.dev/docs/filters/slugify/
func plainSlug(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "&", " and ")
	return strings.Trim(notPlain.ReplaceAllString(notASCII.ReplaceAllString(s, "*"), "-"), "-")
}

var placeholder = regexp.MustCompile(`:[a-z_]+`)

// expanded puts values in the place of the placeholders of a permalink; one whose value is not known becomes *, one that
// is empty leaves nothing, nor a second slash. The longest known name that a placeholder begins with counts, as in
// :titleize.
func expanded(permalink string, values map[string]string) string {
	s := placeholder.ReplaceAllStringFunc(permalink, func(name string) string {
		for n := len(name); n > 1; n-- {
			if value, ok := values[name[1:n]]; ok {
				return value + name[n:]
			}
		}
		return "*"
	})
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s
}
