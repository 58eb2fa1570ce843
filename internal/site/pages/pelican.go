package pages

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// pelican: articles and pages have URLs made of their slug, which is made of their title.
// https://docs.getpelican.com/en/stable/settings.html https://docs.getpelican.com/en/stable/content.html
var pelican = profile{
	name:    "pelican",
	configs: []string{"pelicanconf.py"},
	publish: [2]string{"OUTPUT_PATH", "output"}, url: "SITEURL",
	layout: func(c *config, l *layout) error {
		content := clean(c.text("PATH", "."))
		s := &pelicanSite{config: c, content: content, settings: map[string]string{},
			folderIsCategory: c.boolean("USE_FOLDER_AS_CATEGORY", true)}
		for key, byDefault := range pelicanSettings {
			s.settings[key] = c.text(key, byDefault)
		}
		for _, key := range []string{"PATH_METADATA", "FILENAME_METADATA"} {
			pattern, err := regexp.Compile(`^(?:` + s.settings[key] + `)`)
			if err != nil { // one that Go cannot read is as good as computed
				c.miss(key)
				pattern = regexp.MustCompile(`^`)
			}
			s.metadata = append(s.metadata, pattern)
		}
		s.of = map[string]header{"": s.extra("DEFAULT_METADATA")}
		for name := range c.in("EXTRA_PATH_METADATA").of {
			s.of[clean(name)] = s.extra("EXTRA_PATH_METADATA", name)
		}
		l.base, l.numbered = content, true
		if production := newConfig(c.root); l.baseURL == "" && production.open("publishconf.py") == nil {
			l.baseURL = production.text("SITEURL", "") // what is put online says it there
		}
		if l.baseURL == "." || strings.HasPrefix(l.baseURL, "/") {
			l.baseURL = ""
		}
		pages, articles := c.list("PAGE_PATHS"), c.list("ARTICLE_PATHS")
		if pages == nil {
			pages = []string{"pages"}
		}
		if articles == nil {
			articles = []string{""}
		}
		for _, dir := range pages {
			l.folders = append(l.folders, s.folder(path.Join(content, clean(dir)), "page"))
		}
		for _, dir := range articles {
			f := s.folder(path.Join(content, clean(dir)), "article")
			f.skip = func(rel string, isDir bool) bool {
				name := s.named(path.Join(f.dir, rel))
				return isDir && slices.ContainsFunc(pages, func(p string) bool { return name == clean(p) })
			}
			l.folders = append(l.folders, f)
		}
		return nil
	},
}

var pelicanSettings = map[string]string{
	"ARTICLE_SAVE_AS": "{slug}.html", "ARTICLE_LANG_SAVE_AS": "{slug}-{lang}.html",
	"DRAFT_SAVE_AS": "drafts/{slug}.html", "DRAFT_LANG_SAVE_AS": "drafts/{slug}-{lang}.html",
	"PAGE_SAVE_AS": "pages/{slug}.html", "PAGE_LANG_SAVE_AS": "pages/{slug}-{lang}.html",
	"DRAFT_PAGE_SAVE_AS":      "drafts/pages/{slug}.html",
	"DRAFT_PAGE_LANG_SAVE_AS": "drafts/pages/{slug}-{lang}.html",
	"DEFAULT_LANG":            "en", "DEFAULT_CATEGORY": "misc", "SLUGIFY_SOURCE": "title",
	"FILENAME_METADATA": `(?P<date>\d{4}-\d{2}-\d{2}).*`, "PATH_METADATA": "",
}

type pelicanSite struct {
	config           *config
	content          string // PATH
	settings         map[string]string
	folderIsCategory bool
	metadata         []*regexp.Regexp // of a path and of a name
	// of is EXTRA_PATH_METADATA, by the path of a file or folder in the content's, and DEFAULT_METADATA of all.
	of map[string]header
}

// extra reads the metadata that a setting gives files.
// https://docs.getpelican.com/en/stable/settings.html#metadata
func (s *pelicanSite) extra(path ...string) header {
	h := header{file: s.config.file, lines: s.config.lines}
	h.Params = map[string]any{}
	of := s.config.section
	for _, key := range path {
		of, h.under = of.in(key), append(h.under, strings.ToLower(key))
	}
	for name, value := range of.of {
		if isComputed(value) {
			s.config.miss(path[0])
		} else {
			h.Params[strings.ToLower(name)] = fmt.Sprint(value)
		}
	}
	return h
}

// named is a file's path in the content folder.
func (s *pelicanSite) named(file string) string {
	return strings.TrimPrefix(strings.TrimPrefix(file, s.content), "/")
}

// inherit gives a file what the settings say of it, the longest path first, and then what they say of all.
func (s *pelicanSite) inherit(c *content) (all []header, err error) {
	name := s.named(c.file)
	for ; name != "." && name != ""; name = path.Dir(name) {
		if h, ok := s.of[name]; ok {
			all = append(all, h)
		}
	}
	return append(all, s.of[""]), nil
}

func (s *pelicanSite) folder(dir, kind string) folder {
	return folder{
		files: files{dir: dir, extensions: []string{".md", ".markdown", ".mkd", ".mdown", ".rst", ".html", ".htm",
			".adoc", ".asc"},
			// Pelican 4.8 publishes names with a dot before them as others; by default later versions ignore them.
			every: true, leaves: func(rel string) bool { return strings.Contains("/"+rel, "/.") }},
		dialect: pelicanDialect, collection: kind, inherit: s.inherit, place: s.place}
}

var (
	pelicanField = regexp.MustCompile(`\{([a-z_]+)(?::([^}]*))?\}`)
	strftime     = strings.NewReplacer("%Y", "2006", "%m", "01", "%d", "02", "%b", "Jan", "%B", "January", "%y", "06",
		"%H", "15", "%M", "04", "%S", "05", "%-d", "2", "%-m", "1")
)

// place: save_as, or the setting for its kind and status with its fields put in.
func (s *pelicanSite) place(c *content) {
	file, kind := s.named(c.file), strings.ToUpper(c.folder.collection)+"_"
	meta := s.meta(c, file)
	if own := meta["save_as"]; own != "" {
		c.places = []string{clean(own)}
		return
	}
	language := cmp.Or(meta["lang"], s.settings["DEFAULT_LANG"])
	switch status := strings.ToLower(meta["status"]); {
	case status == "skip":
		c.unpublished = true
		return
	case status == "draft": // it is published, at an address of its own
		kind = "DRAFT_" + strings.TrimPrefix(kind, "ARTICLE_")
	case s.settings[kind+"SAVE_AS"] == "":
		c.unpublished = true
	}
	fields := map[string]string{"slug": s.slug(c, meta), "category": pelicanSlug(s.category(file, meta)),
		"lang": language, "author": pelicanSlug(meta["author"])}
	date, dated := c.date()
	if t, err := time.Parse(time.DateOnly, meta["date"]); !dated && err == nil {
		date, dated = t, true
	}
	settings := []string{kind + "SAVE_AS"}
	if language != s.settings["DEFAULT_LANG"] { // a translation goes by its language first
		settings = []string{kind + "LANG_SAVE_AS", kind + "SAVE_AS"}
	}
	for _, setting := range settings {
		name := pelicanField.ReplaceAllStringFunc(s.settings[setting], func(field string) string {
			m := pelicanField.FindStringSubmatch(field)
			if m[1] == "date" && dated {
				return date.Format(strftime.Replace(m[2]))
			}
			return cmp.Or(fields[m[1]], "*")
		})
		if name != "" {
			c.places = append(c.places, clean(name))
		}
	}
}

// meta are the texts that a file states, and those that its path and its name do.
func (s *pelicanSite) meta(c *content, file string) map[string]string {
	meta := map[string]string{}
	for i, pattern := range s.metadata {
		for j, value := range pattern.FindStringSubmatch([]string{file, c.base}[i]) {
			if value != "" {
				meta[pattern.SubexpNames()[j]] = value
			}
		}
	}
	for key := range c.params {
		if value := c.text(key); value != "" {
			meta[strings.ToLower(key)] = value
		}
	}
	return meta
}

// slug is made of the title, or of the name.
func (s *pelicanSite) slug(c *content, meta map[string]string) string {
	title := meta["title"]
	if title == "" && strings.EqualFold(c.ext, ".rst") {
		title = c.title
	}
	if s.settings["SLUGIFY_SOURCE"] == "basename" || title == "" {
		title = c.base
	}
	return cmp.Or(meta["slug"], pelicanSlug(title))
}

func (s *pelicanSite) category(file string, meta map[string]string) string {
	folder := ""
	if s.folderIsCategory && path.Dir(file) != "." {
		folder = path.Base(path.Dir(file))
	}
	return cmp.Or(meta["category"], folder, s.settings["DEFAULT_CATEGORY"])
}
