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
	layout: func(c *config) (layout, error) {
		content := clean(c.text("PATH", "."))
		s := &pelicanSite{settings: map[string]string{}, folderIsCategory: c.boolean("USE_FOLDER_AS_CATEGORY", true)}
		for key, byDefault := range map[string]string{
			"ARTICLE_SAVE_AS": "{slug}.html", "ARTICLE_LANG_SAVE_AS": "{slug}-{lang}.html",
			"DRAFT_SAVE_AS": "drafts/{slug}.html", "DRAFT_LANG_SAVE_AS": "drafts/{slug}-{lang}.html",
			"PAGE_SAVE_AS": "pages/{slug}.html", "PAGE_LANG_SAVE_AS": "pages/{slug}-{lang}.html",
			"DRAFT_PAGE_SAVE_AS":      "drafts/pages/{slug}.html",
			"DRAFT_PAGE_LANG_SAVE_AS": "drafts/pages/{slug}-{lang}.html",
			"DEFAULT_LANG":            "en", "DEFAULT_CATEGORY": "misc", "SLUGIFY_SOURCE": "title",
			"FILENAME_METADATA": `(?P<date>\d{4}-\d{2}-\d{2}).*`, "PATH_METADATA": "",
		} {
			s.settings[key] = c.text(key, byDefault)
		}
		s.fileMetadata = pythonPattern(c, "FILENAME_METADATA", s.settings)
		s.pathMetadata = pythonPattern(c, "PATH_METADATA", s.settings)
		s.extra(c)
		l := layout{publish: clean(c.text("OUTPUT_PATH", "output")), base: content, baseURL: c.text("SITEURL", ""),
			numbered: true}
		if production := (config{root: c.root}); l.baseURL == "" && production.open("publishconf.py") == nil {
			l.baseURL = production.text("SITEURL", "") // what is put online says it there
		}
		if l.baseURL == "." || strings.HasPrefix(l.baseURL, "/") {
			l.baseURL = ""
		}
		pages, known := c.program.list("PAGE_PATHS")
		if known != literal {
			pages = []string{"pages"}
		}
		articles, known := c.program.list("ARTICLE_PATHS")
		if known != literal {
			articles = []string{""}
		}
		for _, dir := range pages {
			l.folders = append(l.folders, s.folder(path.Join(content, clean(dir)), content, "page"))
		}
		for _, dir := range articles {
			f := s.folder(path.Join(content, clean(dir)), content, "article")
			f.skip = func(rel string, isDir bool) bool {
				name := strings.TrimPrefix(strings.TrimPrefix(path.Join(f.dir, rel), content), "/")
				return isDir && slices.ContainsFunc(pages, func(p string) bool { return name == clean(p) })
			}
			l.folders = append(l.folders, f)
		}
		return l, nil
	},
}

type pelicanSite struct {
	settings         map[string]string
	folderIsCategory bool
	fileMetadata     *regexp.Regexp
	pathMetadata     *regexp.Regexp
	// of are EXTRA_PATH_METADATA, by the path of a file or folder in the content's; all is DEFAULT_METADATA.
	of  map[string]header
	all *header
}

// extra reads the metadata that the settings give files.
// https://docs.getpelican.com/en/stable/settings.html#metadata
func (s *pelicanSite) extra(c *config) {
	read := func(key string, block program) header {
		h := header{file: c.file, lines: map[string]int{}}
		for name, at := range block.entries {
			if value, known := block.get(name); known == literal {
				h.add(strings.ToLower(name), fmt.Sprint(value), block[at].line)
			} else {
				c.unread = append(c.unread, key)
			}
		}
		return h
	}
	block := func(key string) program {
		at := c.program.find(key)
		if at > 0 && !c.program.is(at, "{") {
			c.unread = append(c.unread, key)
			return nil
		}
		return c.program.block(key)
	}
	if all := block("DEFAULT_METADATA"); all != nil {
		h := read("DEFAULT_METADATA", all)
		s.all = &h
	}
	s.of = map[string]header{}
	paths := block("EXTRA_PATH_METADATA")
	for name, at := range paths.entries {
		s.of[clean(name)] = read("EXTRA_PATH_METADATA", paths.inside(at))
	}
}

// inherit gives a file what the settings say of it, the longest path first, and then what they say of all.
func (s *pelicanSite) inherit(file string) (all []header) {
	for name := file; name != "." && name != ""; name = path.Dir(name) {
		if h, ok := s.of[name]; ok {
			all = append(all, h)
		}
	}
	if s.all != nil {
		all = append(all, *s.all)
	}
	return all
}

// pythonPattern reads a pattern of names; one that Go cannot read is as good as computed.
func pythonPattern(c *config, key string, settings map[string]string) *regexp.Regexp {
	pattern, err := regexp.Compile(`^(?:` + settings[key] + `)`)
	if err != nil {
		c.unread = append(c.unread, key)
		return regexp.MustCompile(`^`)
	}
	return pattern
}

func (s *pelicanSite) folder(dir, root, kind string) folder {
	from := func(c *content) string { return strings.TrimPrefix(strings.TrimPrefix(c.file, root), "/") }
	return folder{
		files: files{dir: dir, extensions: []string{".md", ".markdown", ".mkd", ".mdown", ".rst", ".html", ".htm",
			".adoc", ".asc"},
			// Pelican 4.8 publishes names with a dot before them as others; by default later versions ignore them.
			every: true, leaves: func(rel string) bool { return strings.Contains("/"+rel, "/.") }},
		dialect: pelicanDialect, collection: kind,
		inherit: func(c *content) ([]header, error) { return s.inherit(from(c)), nil },
		place:   func(c *content) { s.place(c, from(c), kind) }}
}

var (
	pelicanField = regexp.MustCompile(`\{([a-z_]+)(?::([^}]*))?\}`)
	strftime     = strings.NewReplacer("%Y", "2006", "%m", "01", "%d", "02", "%b", "Jan", "%B", "January", "%y", "06",
		"%H", "15", "%M", "04", "%S", "05", "%-d", "2", "%-m", "1")
)

// place: save_as, or the setting for its kind and status with its fields put in.
func (s *pelicanSite) place(c *content, file, kind string) {
	named := map[string]string{}
	for _, p := range []struct {
		pattern *regexp.Regexp
		name    string
	}{{s.pathMetadata, file}, {s.fileMetadata, c.base}} {
		for i, value := range p.pattern.FindStringSubmatch(p.name) {
			if name := p.pattern.SubexpNames()[i]; name != "" && value != "" {
				named[name] = value
			}
		}
	}
	meta := func(key string) string { return cmp.Or(c.text(key), named[key]) }
	if own := meta("save_as"); own != "" {
		c.places = []string{clean(own)}
		return
	}
	title := meta("title")
	if title == "" && strings.EqualFold(c.ext, ".rst") {
		title = c.title
	}
	slug := meta("slug")
	if slug == "" {
		from := title
		if s.settings["SLUGIFY_SOURCE"] == "basename" || from == "" {
			from = c.base
		}
		slug = pelicanSlug(from)
	}
	category := meta("category")
	if category == "" && s.folderIsCategory && path.Dir(file) != "." {
		category = path.Base(path.Dir(file))
	}
	category = cmp.Or(category, s.settings["DEFAULT_CATEGORY"])
	language := cmp.Or(meta("lang"), s.settings["DEFAULT_LANG"])
	fields := map[string]string{"slug": slug, "category": pelicanSlug(category), "lang": language,
		"author": pelicanSlug(meta("author"))}
	date, dated := c.date()
	if t, err := time.Parse("2006-01-02", named["date"]); !dated && err == nil {
		date, dated = t, true
	}
	key := map[string]string{"article": "", "page": "PAGE_"}[kind]
	status := strings.ToLower(meta("status"))
	switch {
	case status == "skip":
		c.unpublished = true
		return
	case status == "draft":
		key = "DRAFT_" + key
		c.unpublished = false // it is published, at an address of its own
	case kind == "article":
		key = "ARTICLE_"
	}
	expand := func(pattern string) string {
		return pelicanField.ReplaceAllStringFunc(pattern, func(field string) string {
			m := pelicanField.FindStringSubmatch(field)
			if m[1] == "date" && dated {
				return date.Format(strftime.Replace(m[2]))
			}
			return cmp.Or(fields[m[1]], "*")
		})
	}
	for _, setting := range []string{"SAVE_AS", "LANG_SAVE_AS"} {
		if pattern := s.settings[key+setting]; pattern != "" {
			if setting == "LANG_SAVE_AS" && language == s.settings["DEFAULT_LANG"] {
				continue
			}
			c.places = append(c.places, clean(expand(pattern)))
		}
	}
	if language != s.settings["DEFAULT_LANG"] {
		slices.Reverse(c.places) // a translation goes by its language first
	}
	if kind == "article" && status != "draft" && s.settings["ARTICLE_SAVE_AS"] == "" || kind == "page" &&
		s.settings["PAGE_SAVE_AS"] == "" {
		c.unpublished = true
	}
}
