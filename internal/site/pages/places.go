package pages

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/site"
	"metarobots/policy"
)

// byPath places a file of a generator that is not known: where its front matter says, or at its
// path.
func (c *content) byPath() {
	pattern := "/:path"
	if slug := cmp.Or(c.matter.text("slug"), c.matter.text("id")); strings.HasPrefix(slug, "/") {
		pattern = slug
	} else if slug != "" {
		pattern = "/:dir/:slug"
	}
	c.places = c.patterned(pattern)
}

// patterned are the files of the address that a file states, and of a pattern, also below the
// folder of its language.
func (c *content) patterned(pattern string) (places []string) {
	if own := cmp.Or(c.matter.text("permalink"), c.matter.text("url")); own != "" && !strings.ContainsAny(own, "{<:") {
		places = filesAt(own)
	}
	paths := map[string]string{"": c.at.path()} // by the folder of a language
	if language, rest, ok := c.translation(); ok {
		paths[language] = rest
	}
	for _, language := range slices.Sorted(maps.Keys(paths)) {
		values, date := c.values(paths[language])
		for range 2 { // names as they are written, and as slugs
			for _, name := range filesAt(expanded(pattern, values, date)) {
				places = append(places, path.Join(language, name))
			}
			for key, value := range values {
				values[key] = slugged(value)
			}
		}
	}
	return places
}

// pattern is the owner's for a file; empty for none.
func (s *openedSite) pattern(file string) string {
	pattern, longest := s.content.Pattern, -1
	for dir, p := range s.content.Permalinks {
		if dir = clean(dir); below(file, dir) && len(dir) > longest {
			pattern, longest = p, len(dir)
		}
	}
	return pattern
}

// translation returns the language of de/a.md or a.de.md, and rest, its path without that.
func (c *content) translation() (language, rest string, ok bool) {
	if language, rest, ok = strings.Cut(c.at.path(), "/"); ok && languageFolder.MatchString(language) {
		return language, rest, true
	}
	return c.suffixed()
}

// suffixed is translation by the name alone.
func (c *content) suffixed() (language, rest string, ok bool) {
	language = strings.TrimPrefix(path.Ext(c.at.base), ".")
	return language, strings.TrimSuffix(c.at.path(), "."+language), languageFolder.MatchString(language)
}

// folderIndex is a name that stands for its folder.
var folderIndex = lazyregexp.New(`(?i)^(?:index|readme|_index)$`)

// values are what the placeholders of the owner's patterns stand for, beside those of a date, of a
// file at a path.
func (c *content) values(rel string) (v map[string]string, date time.Time) {
	dir, base := clean(path.Dir(rel)), path.Base(rel)
	if c.ext() == ".lr" && base == "contents" { // Lektor's
		base = "index"
	}
	if rel = path.Join(dir, base); folderIndex.MatchString(base) {
		rel = dir
		if dir != "" {
			base = path.Base(dir)
		}
	}
	date, slug := c.dated(base)
	slug = cmp.Or(c.matter.text("slug"), c.matter.text("id"), slug)
	v = map[string]string{"path": rel, "dir": dir, "name": base, "slug": slug}
	v["section"], _, _ = strings.Cut(dir, "/")
	if c.title != "" {
		v["title"] = slugOf(c.title)
	}
	return v, date
}

// filesAt are the files of URLs: of /x/ x/index.html; of /x that, x.html or x.
func filesAt(urls ...string) (names []string) {
	for _, url := range urls {
		url, _, _ = strings.Cut(url, "?")
		name := strings.TrimPrefix(path.Clean("/"+url), "/")
		switch {
		case name == "" || strings.HasSuffix(url, "/"):
			names = append(names, path.Join(name, "index.html"))
		case site.IsHTML(name):
			names = append(names, name)
		default:
			names = append(names, name+"/index.html", name+".html", name)
		}
	}
	return names
}

// filesWith are the files at which a generator that adds an extension to addresses publishes one,
// the likeliest first.
func filesWith(address, extension string) []string {
	address = policy.Decoded(address)
	names := filesAt(address)
	if strings.HasSuffix(address, "/") {
		return append(names, strings.TrimSuffix(names[0], ".html")+extension)
	}
	return append([]string{strings.TrimSuffix(strings.Trim(address, "/"), extension) + extension}, names...)
}

// aNumber stands in a place for the number of a page of a list.
const aNumber = "*#"

// placePattern matches the names that a place with * stands for; a group is a number.
func placePattern(place string) *regexp.Regexp {
	pattern := regexp.QuoteMeta(place)
	for _, part := range [][2]string{{`\*#`, `(\d{1,9})`}, {`\*\*`, `.+`}, {`\*`, `[^/]*`}} {
		pattern = strings.ReplaceAll(pattern, part[0], part[1])
	}
	return regexp.MustCompile(`^` + pattern + `$`)
}

// comparePlaces compares two places with *: negative where the first has more of the name.
func comparePlaces(a, b string) int {
	count := func(s, part string) int { return strings.Count(s, part) }
	wild := func(s string) int { return count(s, "*") - count(s, aNumber) - count(s, "**") }
	return cmp.Or(count(a, "**")-count(b, "**"), wild(a)-wild(b),
		len(strings.ReplaceAll(b, "*", ""))-len(strings.ReplaceAll(a, "*", "")))
}

// Generators make parts of a URL out of titles and names, each by a rule of its own. What a rule
// does to letters outside of ASCII is a table of thousands in most of them: such a letter becomes
// *, which any letters match.

var (
	notAlnum       = lazyregexp.New(`[^\pL\p{Nd}\pM]+`)
	notGitHub      = lazyregexp.New(`[^\pL\pN\pM_/-]+`)
	notPretty      = lazyregexp.New(`[^\pL\p{Nd}\pM._~!$&'()+,;=@]+`)
	hexoSpecial    = lazyregexp.New("[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'<>,.?/]+")
	spaces         = lazyregexp.New(`[-\s]+`)
	notPlain       = lazyregexp.New(`[^a-z0-9\s-]+`)
	unknownLetters = lazyregexp.New(`-*\*[-*]*`)
)

// jekyllSlug is :slug: https://jekyllrb.com/docs/liquid/filters/#options-for-the-slugify-filter
func jekyllSlug(s string) string {
	return strings.ToLower(strings.Trim(notAlnum.ReplaceAllString(s, "-"), "-"))
}

// jekyllTitle is what :title stands for in Jekyll's permalinks: a slug that keeps its case and some
// marks.
func jekyllTitle(s string) string { return strings.Trim(notPretty.ReplaceAllString(s, "-"), "-") }

// hexoSlug is what Hexo makes of a category. https://github.com/hexojs/hexo-util
func hexoSlug(s string) string { return strings.Trim(hexoSpecial.ReplaceAllString(s, "-"), "-") }

// slugOf is what most generators make of a title; letters that each writes in a way of its own are
// not known.
func slugOf(s string) string {
	s = notPlain.ReplaceAllString(strings.ToLower(strings.TrimSpace(s)), "*")
	return unknownLetters.ReplaceAllString(spaces.ReplaceAllString(s, "-"), "*")
}

// slugged is a path of slugs as Astro makes them. https://github.com/Flet/github-slugger
func slugged(name string) string {
	return notGitHub.ReplaceAllString(strings.ReplaceAll(strings.ToLower(name), " ", "-"), "")
}

var placeholder = lazyregexp.New(`:[a-z_]*[a-z]`) // :month_:day has a mark between two

// expanded puts values, and parts of a date unless it is zero, in the place of placeholders: * for
// those that are not known, nothing for empty ones, nor a second slash.
func expanded(permalink string, values map[string]string, date time.Time) string {
	s := placeholder.ReplaceAllStringFunc(permalink, func(name string) string {
		value, known := values[name[1:]]
		if form := dateForms[name[1:]]; form != "" && !date.IsZero() {
			return date.Format(form)
		} else if !known {
			return "*"
		}
		return value
	})
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s
}
