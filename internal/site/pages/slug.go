package pages

import (
	"regexp"
	"strings"
	"unicode"
)

// Generators make parts of a URL out of titles and names, each by a rule of its own. What a rule does to letters
// outside of ASCII is a table of thousands in most of them: such a letter becomes *, which any letters match.

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
	notAlnum     = regexp.MustCompile(`[^\pL\p{Nd}\pM]+`)
	notPretty    = regexp.MustCompile(`[^\pL\p{Nd}\pM._~!$&'()+,;=@]+`)
	hexoSpecial  = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'<>,.?/]+")
	notWordSpace = regexp.MustCompile(`[^\w\s*-]`)
	spaces       = regexp.MustCompile(`[-\s]+`)
	notASCII     = regexp.MustCompile(`[^\x00-\x7f]+`)
	notPlain     = regexp.MustCompile(`[^a-z0-9*]+`)
	// contraction is the t of don't and the s of it's.
	contraction = regexp.MustCompile(`([a-z0-9]+)'([ts])(\s|$)`)
	notOld      = regexp.MustCompile(`[^\w\s$*_+~.()'"!:@]+`)
	oldWords    = strings.NewReplacer("-", " ", "$", "dollar", "%", "percent", "&", "and", "<", "less", ">",
		"greater", "|", "or")
	unknownLetters = regexp.MustCompile(`-*\*[-*]*`)
)

// jekyllSlug is what :slug and :slugified_categories stand for in Jekyll's permalinks.
// https://jekyllrb.com/docs/liquid/filters/#options-for-the-slugify-filter
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
	return anyLetters(strings.ToLower(spaces.ReplaceAllString(s, "-")))
}

// plainSlug is what Eleventy's slugify filter makes of a text. https://www.11ty.dev/docs/filters/slugify/
// https://github.com/sindresorhus/slugify
func plainSlug(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "&", " and ")
	s = contraction.ReplaceAllString(notASCII.ReplaceAllString(s, "*"), "$1$2$3")
	return anyLetters(strings.Trim(notPlain.ReplaceAllString(s, "-"), "-"))
}

// oldSlug is what Eleventy's slug filter makes of a text. https://www.11ty.dev/docs/filters/slug/
// https://github.com/simov/slugify
func oldSlug(s string) string {
	s = notOld.ReplaceAllString(notASCII.ReplaceAllString(oldWords.Replace(s), "*"), "")
	return anyLetters(strings.ToLower(strings.Join(strings.Fields(s), "-")))
}

// anyLetters is a slug in which letters that are not known may be none at all, and take the hyphens beside them along.
func anyLetters(s string) string { return unknownLetters.ReplaceAllString(s, "*") }

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
