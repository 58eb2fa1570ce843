package pages

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"metarobots/internal/lazyregexp"
)

// pelican: articles and pages have URLs made of their slug.
// https://docs.getpelican.com/en/stable/content.html
func pelican(s *openedSite) {
	c := s.config
	content := "." // without a PATH, Pelican's own Makefile names the folder: pelican content
	if exists(s.options.Source, "content") {
		content = "content"
	}
	s.base, s.pagers.areNumbered = clean(c.text("PATH", content)), true
	for key := range s.generator.Settings {
		c.get(key) // a finding, where it is computed
	}
	production, _ := s.open("publishconf.py") // what is put online says its address there
	s.baseURL = cmp.Or(section{params: production.params}.text("SITEURL"), s.baseURL)
	if s.baseURL == "." || strings.HasPrefix(s.baseURL, "/") {
		s.baseURL = ""
	}
	add := func(kind string, dirs []string) {
		for _, dir := range dirs {
			dir = path.Join(s.base, clean(dir))
			// Pelican 4.8 publishes names with a dot before them as others; by default later
			// versions ignore them.
			dotted := globs(dir, "**/.*", "**/.*/**")
			s.layout.folders = append(s.layout.folders, folder{dir: dir, leaves: dotted, collection: kind,
				place: pelicanPlace, inherit: pelicanDefaults})
		}
	}
	add("page", c.list("PAGE_PATHS", "pages"))  // first: what lies in them is no article
	add("article", c.list("ARTICLE_PATHS", "")) // by default all of PATH
}

// setting is a value of the configuration, or the generator's own.
func (s *openedSite) setting(key string) string {
	return s.config.text(key, s.generator.Settings[key])
}

// pelicanDefaults reads the metadata that the settings give every file. What they give single ones
// is hardly ever more than the path of a file that is copied, and is not read.
// https://docs.getpelican.com/en/stable/settings.html#metadata
func pelicanDefaults(c *content) []section {
	s := c.reader.site
	extra := s.config.in("EXTRA_PATH_METADATA")
	for name := range extra.params {
		of := extra.in(name).params
		if below(within(c.file, s.base), clean(name)) && (len(of) > 1 || of["path"] == nil) {
			c.reader.computed.add(extra.file, "EXTRA_PATH_METADATA")
		}
	}
	params := map[string]any{}
	of := s.config.in("DEFAULT_METADATA")
	for name := range of.params {
		if value := of.get(name); value != nil {
			params[strings.ToLower(name)] = fmt.Sprint(value)
		}
	}
	return []section{{params: params, index: of.index, file: of.file, under: of.under}}
}

var (
	pelicanDate  = lazyregexp.New(`\{date:([^}]*)\}`)
	pelicanField = lazyregexp.New(`\{([a-z_]+)\}`)
	strftime     = strings.NewReplacer("%Y", ":year", "%m", ":month", "%d", ":day",
		"%b", ":short_month", "%B", ":long_month", "%y", ":short_year", "%H", ":hour",
		"%M", ":minute", "%-d", ":i_day", "%-m", ":i_month")
)

// pelicanPlace sets where Pelican publishes a content file (c.places): at its save_as, or else at
// the setting for its kind and status, such as ARTICLE_SAVE_AS, with its fields put in. A file in
// another language than the site's has two places: first that of the setting for translations,
// ARTICLE_LANG_SAVE_AS, then that for all. It sets c.unpublished, beside the places, for the status
// "skip", and if the setting is empty.
//
//	content/hello.md, an article                     hello.html
//	the same with slug: hi, lang: de                 hi-de.html, hi.html
//	the same with status: draft                      drafts/hello.html
//	content/pages/about.md                           pages/about.html
func pelicanPlace(c *content) {
	s, meta := c.reader.site, pelicanMeta(c)
	if own := meta["save_as"]; own != "" {
		c.places = []string{clean(own)}
		return
	}
	settings := strings.ToUpper(c.folder.collection) + "_" // their names begin with ARTICLE_ or PAGE_
	switch status := strings.ToLower(meta["status"]); {
	case status == "draft": // it is published, by DRAFT_SAVE_AS or DRAFT_PAGE_SAVE_AS
		settings = "DRAFT_" + strings.TrimPrefix(settings, "ARTICLE_")
	case status == "skip", s.setting(settings+"SAVE_AS") == "":
		c.unpublished = true
	}
	values := pelicanValues(c, meta)
	day, _ := time.Parse(time.DateOnly, meta["date"]) // that of a file's name; zero for none
	date := cmp.Or(c.date(), day)
	if isTranslation := values["lang"] != s.setting("DEFAULT_LANG"); isTranslation {
		c.places = append(c.places, pelicanFile(s.setting(settings+"LANG_SAVE_AS"), values, date))
	}
	c.places = append(c.places, pelicanFile(s.setting(settings+"SAVE_AS"), values, date))
}

// pelicanValues are the values of the fields of a setting such as "{category}/{slug}.html", for a
// file with this metadata. A category or author that it does not have is not among them.
func pelicanValues(c *content, meta map[string]string) map[string]string {
	s := c.reader.site
	title := cmp.Or(meta["title"], c.at.base)
	if s.setting("SLUGIFY_SOURCE") == "basename" {
		title = c.at.base
	}
	values := map[string]string{"lang": cmp.Or(meta["lang"], s.setting("DEFAULT_LANG")),
		"slug": cmp.Or(meta["slug"], slugOf(title))}
	for _, name := range []string{"category", "author"} {
		if meta[name] != "" {
			values[name] = slugOf(meta[name])
		}
	}
	return values
}

// pelicanFile is the published file of a setting such as "{date:%Y}/{slug}.html", with the values
// of its fields and a date put in: "2024/hello.html". A field without a value becomes a *, as in a
// place.
func pelicanFile(setting string, values map[string]string, date time.Time) string {
	setting = pelicanDate.ReplaceAllStringFunc(setting, func(date string) string {
		return strftime.Replace(pelicanDate.FindStringSubmatch(date)[1])
	})
	return clean(expanded(pelicanField.ReplaceAllString(setting, ":$1"), values, date))
}

// pelicanMeta returns the metadata of a file by lower-case keys, category, title, date and the
// like, for [pelicanPlace]. It is from these; a later one goes before those above it:
//
//	DEFAULT_CATEGORY
//	the folder that the file is in, as its category, unless USE_FOLDER_AS_CATEGORY is off
//	the first heading of an .rst file, as its title
//	PATH_METADATA and FILENAME_METADATA: the named groups of an expression,
//	  "(?P<date>\d{4}-\d{2}-\d{2}).*"
//	the file's own front matter
func pelicanMeta(c *content) map[string]string {
	s := c.reader.site
	file := within(c.file, s.base)
	meta := map[string]string{"category": s.setting("DEFAULT_CATEGORY")}
	folder := path.Base(path.Dir(file))
	if isAtRoot := folder == "."; !isAtRoot && s.config.boolean("USE_FOLDER_AS_CATEGORY", true) {
		meta["category"] = folder
	}
	if strings.EqualFold(c.ext(), ".rst") {
		meta["title"] = c.title
	}
	s.addNamedGroups(meta, "PATH_METADATA", file)
	s.addNamedGroups(meta, "FILENAME_METADATA", c.at.base)
	for key := range c.matter.params {
		if value := c.matter.text(key); value != "" {
			meta[strings.ToLower(key)] = value
		}
	}
	return meta
}

// addNamedGroups adds to metadata what the named groups of an expression, which is a setting of
// Pelican's, match at the beginning of a text.
func (s *openedSite) addNamedGroups(meta map[string]string, setting, text string) {
	pattern, err := regexp.Compile(`^(?:` + s.setting(setting) + `)`)
	if err != nil { // one that Go cannot read is as good as computed
		s.config.noteComputed(setting)
		return
	}
	for i, value := range pattern.FindStringSubmatch(text) {
		if name := pattern.SubexpNames()[i]; name != "" && value != "" {
			meta[name] = value
		}
	}
}
