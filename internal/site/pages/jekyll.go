package pages

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/site"
	"metarobots/policy"
)

// jekyll: every file with front matter is a page; posts and collections have permalinks of their
// own.
// https://jekyllrb.com/docs/permalinks/ https://jekyllrb.com/docs/configuration/front-matter-defaults/
func jekyll(g *openedSite) {
	c := g.config
	g.base = clean(c.text("source", "."))
	s := &jekyllSite{site: g}
	s.generated, s.included = s.beginning("/", g.generator.Excludes), s.beginning("", c.list("include"))
	s.style = s.styled(c.text("permalink", "date"))
	s.posts = s.styled(c.in("collections").in("posts").text("permalink", s.style))
	var err error
	if s.zone, err = time.LoadLocation(c.text("timezone", "Local")); err != nil {
		s.zone = time.Local
	}
	s.scopes = s.defaults()
	s.localize()
	of := folder{dir: s.site.base, takesBare: s.bare, skip: s.skip, drafts: []string{"published"},
		inherit: s.inherit, place: s.place,
		leaves: append(s.beginning("/", c.list("exclude")), s.generated...)}
	collections := c.in("collections") // a list of names has no options
	for _, name := range append(slices.Sorted(maps.Keys(collections.params)), c.list("collections")...) {
		if name != "posts" && name != "drafts" {
			g.layout.folders = append(g.layout.folders, s.collection(of, name, collections.in(name)))
		}
	}
	g.layout.folders = append(g.layout.folders, of)
}

// beginning are the patterns of names, which hold for what begins so too.
func (s *jekyllSite) beginning(top string, names []string) (all []policy.Glob) {
	for _, name := range names {
		if name = strings.Trim(name, "/"); !strings.Contains(name, "*") {
			name += "*"
		}
		all = append(all, leftOut(s.site.base, top+name)...)
	}
	return all
}

type jekyllSite struct {
	site         *openedSite
	style, posts string // the permalinks of the site and of posts
	zone         *time.Location
	// included is what the configuration says, generated what other programs write, which is often
	// much.
	included, generated []policy.Glob
	scopes              []scope
	language            string         // of the root, if there are several; empty without
	inURL               *regexp.Regexp // a language in the URL of a content file
}

// localize reads what plugins that publish the site in several languages are told: jekyll-polyglot,
// in which a page that is not translated is published in every language's folder, and those that
// took its keys over.
// https://github.com/untra/polyglot#how-it-works
func (s *jekyllSite) localize() {
	c := s.site.config
	all := c.list("languages")
	if len(all) == 0 {
		return
	}
	s.language = c.text("default_lang", "en")
	if !slices.Contains(all, s.language) && c.text("default_lang") == "" {
		s.language = all[0]
	}
	var quoted []string
	for _, language := range all {
		quoted = append(quoted, regexp.QuoteMeta(language))
	}
	s.inURL = regexp.MustCompile(`[/.](?:` + strings.Join(quoted, "|") + `)[/.]`)
	s.site.translations.languages, s.site.translations.fallback = all, true
}

// languageOf is the language of a content file that is not the root's: its own word, or with
// lang_from_path the folder that it lies in; empty for the root's.
func (s *jekyllSite) languageOf(c *content) string {
	language := c.matter.text("lang")
	if parts := strings.Split(within(c.file, s.site.base), "/"); language == "" && len(parts) > 1 &&
		s.site.config.boolean("lang_from_path", false) {
		for _, folder := range parts[:min(2, len(parts)-1)] {
			if language == "" && slices.Contains(s.site.translations.languages, folder) {
				language = folder
			}
		}
	}
	if language == s.language || !slices.Contains(s.site.translations.languages, language) {
		return ""
	}
	return language
}

func (s *jekyllSite) styled(permalink string) string {
	return cmp.Or(s.site.generator.Permalinks[permalink], permalink)
}

// skip leaves out names with a mark before or after them, in posts and collections but in the first
// folder of one only files, and what other programs write.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/entry_filter.rb
func (s *jekyllSite) skip(file string, isDir bool) bool {
	base := path.Base(file)
	_, magic, entry := inPosts(within(file, s.site.base))
	if magic != "" && entry == "" || matches(s.included, file) {
		return false
	}
	marked := strings.IndexByte("_.#~", base[0]) >= 0 || strings.HasSuffix(base, "~")
	if magic != "" {
		return marked && (!isDir || base == entry)
	}
	return marked || isDir && matches(s.generated, file)
}

var postsFolder = lazyregexp.New(`^(?:(.*?)/)?(_posts|_drafts)(?:/(.*))?$`)

// inPosts returns the first of _posts and _drafts in a path, and what is above and below it.
func inPosts(rel string) (above, magic, below string) {
	if m := postsFolder.FindStringSubmatch(rel); m != nil {
		return m[1], m[2], m[3]
	}
	return rel, "", ""
}

func (s *jekyllSite) bare(file string) bool {
	_, magic, below := inPosts(within(file, s.site.base))
	return magic == "_posts" && datedName.MatchString(path.Base(below))
}

// collection is the folder of one: every file in it that has front matter is content.
func (s *jekyllSite) collection(f folder, name string, options section) folder {
	permalink := s.styled(options.text("permalink", s.suffixed("/:collection/:path")))
	f.dir, f.collection = path.Join(s.site.base, "_"+name), name
	f.takesBare = never
	f.skip = func(file string, isDir bool) bool {
		return s.skip(path.Join(s.site.base, "_posts", within(file, f.dir)), isDir)
	}
	f.place = func(c *content) {
		s.settle(c, permalink, c.at.base, map[string]string{"path": c.at.path()})
		c.unpublished = c.unpublished || !options.boolean("output", false)
	}
	return f
}

var styleEnding = lazyregexp.New(`(?:/|:output_ext)$`)

// suffixed gives the URL of a page or of a collection's file the ending that the style of posts
// has.
func (s *jekyllSite) suffixed(url string) string { return url + styleEnding.FindString(s.style) }

func (s *jekyllSite) place(c *content) {
	v := map[string]string{"path": c.at.dir, "basename": c.at.base}
	above, magic, below := inPosts(c.at.dir)
	permalink, name := s.suffixed("/"+c.at.path()), c.at.base
	switch {
	case magic != "":
		c.unpublished = c.unpublished || magic == "_drafts"
		_, name = c.dated(c.at.base)
		c.collection, permalink, v["path"], v["categories"] = "posts", s.posts, path.Join(below, c.at.base), above
	case !site.IsHTML("x" + c.extension()):
		permalink = "/" + c.at.path() + c.extension()
	case c.at.base == "index":
		permalink = path.Join("/", c.at.dir) + "/"
	}
	s.settle(c, permalink, name, v)
}

// extension that a file is published with.
func (c *content) extension() string {
	switch ext := strings.ToLower(c.ext()); {
	case slices.Contains(HTML().Extensions, ext) && ext != ".lr", ext == ".textile":
		return ".html"
	case ext == ".scss", ext == ".sass":
		return ".css"
	}
	return c.ext()
}

// settle finds the published files that a content file may be, by the permalink of the file itself,
// or that of its kind. The name of a style, such as pretty, is an address in front matter, and the
// style in the configuration's defaults for front matter: c.matter has both, so each is tried.
// Posts and collections' files that are due later are left out till then.
// https://jekyllrb.com/docs/configuration/options/#build-command-options (future)
func (s *jekyllSite) settle(c *content, permalink, name string, v map[string]string) {
	own, slug := c.matter.text("permalink"), cmp.Or(c.matter.text("slug"), name)
	date, _ := c.dated(c.at.base) // zero if neither front matter nor the name has one
	v["output_ext"], v["collection"], v["name"] = c.extension(), c.collection, jekyllSlug(c.at.base)
	v["title"], v["slug"] = jekyllTitle(slug), jekyllSlug(slug)
	if c.collection != "" {
		categorize(c, v)
		c.unpublished = c.unpublished || !s.site.options.Now.IsZero() && date.After(s.site.options.Now) &&
			!s.site.config.boolean("future", false)
	} else if own != "" { // of a page only path and basename are known
		v = map[string]string{"path": v["path"], "basename": v["basename"], "output_ext": v["output_ext"]}
	}
	dates := []time.Time{date.In(s.zone), date} // in the site's zone, or as it is written
	if date.Equal(date.Truncate(24 * time.Hour)) {
		dates = dates[1:] // a day alone
	}
	for _, t := range dates {
		for _, pattern := range []string{cmp.Or(own, permalink), s.site.generator.Permalinks[own]} {
			if pattern != "" { // expanded makes one slash of two
				c.places = append(c.places, s.filesAt(c, expanded("/"+pattern, v, t), v["output_ext"])...)
			}
		}
	}
}

// filesAt are the files of a URL, in the folder of the content's language if it has one. A language
// in the URL is left out by some versions of the plugin.
func (s *jekyllSite) filesAt(c *content, url, extension string) (names []string) {
	if s.language == "" {
		return filesWith(url, extension)
	}
	c.language = s.languageOf(c)
	for _, folder := range unique([]string{c.language, ""}) {
		for _, url := range unique([]string{s.inURL.ReplaceAllString(url, "/"), url}) {
			for _, name := range filesWith(url, extension) {
				names = append(names, path.Join(folder, name))
			}
		}
	}
	return names
}

// categorize gives the values of categories: the folders above _posts, those of the configuration
// and its own, in lower case; as slugs in slugified_categories.
// https://jekyllrb.com/docs/posts/#categories https://jekyllrb.com/docs/permalinks/#placeholders
func categorize(c *content, values map[string]string) {
	all := strings.FieldsFunc(values["categories"], func(r rune) bool { return r == '/' })
	for _, own := range slices.Backward(c.stated) {
		if text := own.text("categories"); text != "" {
			all = append(all, strings.Fields(text)...) // a text is several, divided by blanks
		} else {
			all = append(all, own.list("categories")...)
		}
	}
	var plain, slugs []string
	for _, name := range append(all, c.matter.list("category")...) {
		plain = append(plain, strings.ToLower(name))
		slugs = append(slugs, jekyllSlug(name))
	}
	values["categories"] = strings.Join(unique(plain), "/")
	values["slugified_categories"] = strings.Join(unique(slugs), "/")
}

// A scope is what the configuration gives the files of a path, of one kind or, where it has none,
// of any.
type scope struct {
	values    section
	dir, kind string
}

// defaults are the values that the configuration gives, those first that win: of longer paths, then
// of a kind, then later ones.
func (s *jekyllSite) defaults() (all []scope) {
	config := s.site.config
	list, _ := config.get("defaults").([]any)
	for i, e := range slices.Backward(list) {
		entry := config.part(e)
		of := scope{dir: strings.TrimPrefix(entry.in("scope").text("path"), "/"), kind: entry.in("scope").text("type")}
		if of.kind == "page" || of.kind == "post" || of.kind == "draft" {
			of.kind += "s" // as they were called
		}
		of.values = section{params: entry.in("values").params, index: config.index, file: config.file,
			under: []string{"defaults", strconv.Itoa(i), "values"}}
		all = append(all, of)
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(len(b.dir)-len(a.dir), strings.Compare(b.kind, a.kind)) < 0
	})
	return all
}

// holds reports whether a file of a kind is given the values.
func (s *scope) holds(file, kind string) bool {
	isGlob := strings.Contains(s.dir, "*")
	return (s.kind == "" || s.kind == kind || s.kind == "posts" && kind == "drafts") &&
		(strings.HasPrefix(file, s.dir) ||
			isGlob && matches(globs("", s.dir, s.dir+"/**"), file))
}

// inherit reads the values that the configuration gives a file.
func (s *jekyllSite) inherit(c *content) (inherited []section) {
	_, magic, _ := inPosts(path.Dir(within(c.file, s.site.base)))
	kind := cmp.Or(c.folder.collection, strings.TrimPrefix(magic, "_"), "pages")
	for _, of := range s.scopes {
		if of.holds(within(c.file, s.site.base), kind) {
			inherited = append(inherited, of.values)
		}
	}
	return inherited
}
