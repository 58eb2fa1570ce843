package pages

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

// pelican: articles and pages have URLs made of their slug. https://docs.getpelican.com/en/stable/content.html
func pelican(g *generated) {
	c := g.config.values
	content := "." // without a PATH, Pelican's own Makefile names the folder: pelican content
	if exists(g.options.Source, "content") {
		content = "content"
	}
	s := &pelicanSite{config: g.config, content: clean(c.text("PATH", content)), settings: map[string]string{}}
	for key, byDefault := range g.generator.Settings {
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
	g.base, g.numbered = s.content, true
	production, _ := g.open("publishconf.py") // what is put online says its address there
	g.baseURL = cmp.Or(section{params: production.values.params}.text("SITEURL"), g.baseURL)
	if g.baseURL == "." || strings.HasPrefix(g.baseURL, "/") {
		g.baseURL = ""
	}
	add := func(kind string, dirs []string) {
		for _, dir := range dirs {
			dir = path.Join(s.content, clean(dir))
			// Pelican 4.8 publishes names with a dot before them as others; by default later versions ignore them.
			dotted := globs(dir, "**/.*", "**/.*/**")
			g.layout = append(g.layout, folder{dir: dir, leaves: dotted, collection: kind, place: s.place,
				inherit: s.inherit})
		}
	}
	add("page", c.list("PAGE_PATHS", "pages")) // first: what lies in them is no article
	add("article", c.list("ARTICLE_PATHS", ""))
}

type pelicanSite struct {
	config   config
	content  string // PATH
	settings map[string]string
	metadata []*regexp.Regexp // of a path and of a name
}

// inherit reads the metadata that the settings give every file. What they give single ones is hardly ever more than the
// path of a file that is copied, and is not read. https://docs.getpelican.com/en/stable/settings.html#metadata
func (s *pelicanSite) inherit(c *content) []header {
	extra := s.config.values.in("EXTRA_PATH_METADATA")
	for name := range extra.params {
		of := extra.in(name).params
		if below(within(c.file, s.content), clean(name)) && (len(of) > 1 || of["path"] == nil) {
			c.reader.computed.add(extra.file, "EXTRA_PATH_METADATA")
		}
	}
	all := s.config.header
	all.under, all.document.Params = []string{"default_metadata"}, map[string]any{}
	of := s.config.values.in("DEFAULT_METADATA")
	for name := range of.params {
		if value := of.get(name); value != nil {
			all.document.Params[strings.ToLower(name)] = fmt.Sprint(value)
		}
	}
	return []header{all}
}

var (
	pelicanDate  = regexp.MustCompile(`\{date:([^}]*)\}`)
	pelicanField = regexp.MustCompile(`\{([a-z_]+)\}`)
	strftime     = strings.NewReplacer("%Y", ":year", "%m", ":month", "%d", ":day", "%b", ":short_month",
		"%B", ":long_month", "%y", ":short_year", "%H", ":hour", "%M", ":minute", "%-d", ":i_day", "%-m", ":i_month")
)

// place: save_as, or the setting for its kind and status with its fields put in.
func (s *pelicanSite) place(c *content) {
	meta := s.meta(c)
	if own := meta["save_as"]; own != "" {
		c.places = []string{clean(own)}
		return
	}
	kind := strings.ToUpper(c.folder.collection) + "_"
	switch status := strings.ToLower(meta["status"]); {
	case status == "draft": // it is published, at an address of its own
		kind = "DRAFT_" + strings.TrimPrefix(kind, "ARTICLE_")
	case status == "skip", s.settings[kind+"SAVE_AS"] == "":
		c.unpublished = true
	}
	title := cmp.Or(meta["title"], c.base)
	if s.settings["SLUGIFY_SOURCE"] == "basename" {
		title = c.base
	}
	values := map[string]string{"lang": cmp.Or(meta["lang"], s.settings["DEFAULT_LANG"]),
		"slug": cmp.Or(meta["slug"], slugOf(title))}
	for _, name := range []string{"category", "author"} {
		if meta[name] != "" {
			values[name] = slugOf(meta[name])
		}
	}
	day, _ := time.Parse(time.DateOnly, meta["date"])
	date := cmp.Or(c.date(), day)
	if values["lang"] != s.settings["DEFAULT_LANG"] { // a translation goes by its language first
		c.places = append(c.places, pelicanFile(s.settings[kind+"LANG_SAVE_AS"], values, date))
	}
	c.places = append(c.places, pelicanFile(s.settings[kind+"SAVE_AS"], values, date))
}

func pelicanFile(setting string, values map[string]string, date time.Time) string {
	setting = pelicanDate.ReplaceAllStringFunc(setting, func(date string) string {
		return strftime.Replace(pelicanDate.FindStringSubmatch(date)[1])
	})
	return clean(expanded(pelicanField.ReplaceAllString(setting, ":$1"), values, date))
}

// meta are the texts that a file states, and those that its path and its name do.
func (s *pelicanSite) meta(c *content) map[string]string {
	file := within(c.file, s.content)
	meta := map[string]string{"category": s.settings["DEFAULT_CATEGORY"]}
	if dir := path.Base(path.Dir(file)); dir != "." && s.config.values.boolean("USE_FOLDER_AS_CATEGORY", true) {
		meta["category"] = dir
	}
	if strings.EqualFold(c.ext(), ".rst") {
		meta["title"] = c.title
	}
	for i, pattern := range s.metadata {
		for j, value := range pattern.FindStringSubmatch([]string{file, c.base}[i]) {
			if value != "" {
				meta[pattern.SubexpNames()[j]] = value
			}
		}
	}
	for key := range c.matter.params {
		if value := c.matter.text(key); value != "" {
			meta[strings.ToLower(key)] = value
		}
	}
	return meta
}
