package tree

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// jekyll: every file with front matter is a page; posts and collections have permalinks of their own.
// https://jekyllrb.com/docs/permalinks/ https://jekyllrb.com/docs/configuration/front-matter-defaults/
var jekyll = profile{
	name:    "jekyll",
	configs: []string{"_config.yml", "_config.yaml", "_config.toml"},
	detect: func(root string) bool {
		return exists(root, "_config.yml", "_config.yaml", "_config.toml") && !hexo.detect(root) &&
			exists(root, "Gemfile", "_layouts", "_posts", "_includes", "_data", "index.md", "index.html", "index.markdown")
	},
	layout: func(c *config) (layout, error) {
		s := &jekyllSite{config: c, style: c.text("permalink", "date"), excluded: globs(c.list("exclude")), included: c.list("include")}
		for _, pattern := range c.list("exclude") { // a folder stands for what is in it
			s.excluded = append(s.excluded, globs([]string{strings.TrimSuffix(pattern, "/") + "/**"})...)
		}
		l := layout{publish: clean(c.text("destination", "_site"))}
		if base := c.text("url", ""); base != "" {
			l.baseURL = strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(c.text("baseurl", ""), "/")
		}
		root := clean(c.text("source", "."))
		s.root = root
		collections := path.Join(root, clean(c.text("collections_dir", "")))
		names := map[string]map[string]any{}
		switch all := c.values["collections"].(type) {
		case map[string]any:
			for name, value := range all {
				names[name], _ = value.(map[string]any)
			}
		case []any:
			for _, name := range all {
				names[fmt.Sprint(name)] = nil
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if name == "posts" || name == "drafts" {
				continue
			}
			options := names[name]
			permalink, _ := options["permalink"].(string)
			output, _ := options["output"].(bool)
			l.folders = append(l.folders, folder{dir: path.Join(collections, "_"+name), extensions: jekyllExtensions, collection: name, required: true,
				inherit: func(c *content) ([]header, error) { return s.defaults(c, name), nil },
				place: func(c *content) {
					s.item(c, name, permalink)
					c.unpublished = c.unpublished || !output
				}})
		}
		l.folders = append(l.folders, folder{dir: root, extensions: append(jekyllExtensions, ".xml", ".json", ".txt", ".css", ".js"), required: true,
			skip: s.skip, leaves: func(rel string) bool { return matches(s.excluded, rel) && !slices.Contains(s.included, rel) },
			inherit: s.inherit, place: s.place})
		return l, nil
	},
}

var jekyllExtensions = []string{".md", ".markdown", ".mkdown", ".mkdn", ".mkd", ".html", ".htm", ".adoc", ".textile"}

type jekyllSite struct {
	config   *config
	root     string // from the site's folder
	style    string
	excluded []policy.Glob
	included []string
}

// skip leaves out what Jekyll does not read: names with a leading underscore, but for posts and drafts, and with a
// leading mark.
func (s *jekyllSite) skip(rel string, isDir bool) bool {
	base := path.Base(rel)
	switch {
	case rel == "vendor":
		return true
	case slices.Contains(s.included, base), slices.Contains(s.included, rel), base == "_posts" && isDir, base == "_drafts" && isDir:
		return false
	}
	return strings.IndexByte("_.#~", base[0]) >= 0 || strings.HasSuffix(base, "~")
}

// post returns the folder above _posts or _drafts, and which of the two a file is in.
func (s *jekyllSite) post(c *content) (above, name string) {
	for _, name := range []string{"_posts", "_drafts"} {
		if c.dir == name || strings.HasPrefix(c.dir, name+"/") {
			return "", name
		}
		if above, _, ok := strings.Cut(c.dir+"/", "/"+name+"/"); ok {
			return above, name
		}
	}
	return "", ""
}

func (s *jekyllSite) inherit(c *content) ([]header, error) {
	kind := "pages"
	if _, posts := s.post(c); posts != "" {
		kind = strings.TrimPrefix(posts, "_")
	}
	return s.defaults(c, kind), nil
}

// defaults are the values that the configuration gives files of a path and a type, those of the narrowest scope first.
func (s *jekyllSite) defaults(c *content, kind string) []header {
	type set struct {
		header
		scope string
		typed bool
		index int
	}
	var all []set
	list, _ := s.config.values["defaults"].([]any)
	for i, e := range list {
		entry, _ := e.(map[string]any)
		scope, _ := entry["scope"].(map[string]any)
		values, _ := entry["values"].(map[string]any)
		dir, _ := scope["path"].(string)
		of, _ := scope["type"].(string)
		dir = strings.Trim(dir, "/")
		file := strings.TrimPrefix(strings.TrimPrefix(c.file, s.root), "/")
		if of != "" && of != kind && !(of == "posts" && kind == "drafts") || !inScope(file, dir) {
			continue
		}
		h := header{file: s.config.file, under: []string{"defaults", strconv.Itoa(i), "values"}}
		h.Document = frontmatter.Document{Format: "yaml", Params: values, Index: s.config.index}
		all = append(all, set{h, dir, of != "", i})
	}
	// The longer path wins, then the one with a type, then the later.
	slices.SortStableFunc(all, func(a, b set) int {
		if n := len(b.scope) - len(a.scope); n != 0 {
			return n
		}
		if a.typed != b.typed {
			return map[bool]int{true: -1, false: 1}[a.typed]
		}
		return b.index - a.index
	})
	headers := make([]header, len(all))
	for i := range all {
		headers[i] = all[i].header
	}
	return headers
}

// inScope reports whether a file is in the path of a scope, which may be a glob.
func inScope(file, scope string) bool {
	if !strings.Contains(scope, "*") {
		return scope == "" || below(file, scope) || strings.TrimSuffix(file, path.Ext(file)) == scope
	}
	for dir := file; dir != "." && dir != ""; dir = path.Dir(dir) {
		if ok, err := path.Match(scope, dir); err == nil && ok {
			return true
		}
	}
	return matches(globs([]string{scope, strings.TrimSuffix(scope, "/") + "/**"}), file)
}

// jekyllStyles are the permalinks that have a name. https://jekyllrb.com/docs/permalinks/#built-in-formats
var jekyllStyles = map[string]string{
	"date":     "/:categories/:year/:month/:day/:title:output_ext",
	"pretty":   "/:categories/:year/:month/:day/:title/",
	"ordinal":  "/:categories/:year/:y_day/:title:output_ext",
	"weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext",
	"none":     "/:categories/:title:output_ext",
}

// suffixed gives the URL of a page or of a collection's file the ending that the style of posts has.
func (s *jekyllSite) suffixed(url string) string {
	switch style := s.style; {
	case style == "pretty", jekyllStyles[style] == "" && strings.HasSuffix(style, "/"):
		return url + "/"
	case jekyllStyles[style] != "", strings.HasSuffix(style, ":output_ext"):
		return url + ":output_ext"
	}
	return url
}

// extension that a file is published with.
func (c *content) extension() string {
	switch strings.ToLower(c.ext) {
	case ".md", ".markdown", ".mkdown", ".mkdn", ".mkd", ".adoc", ".textile", ".html", ".htm":
		return ".html"
	}
	return c.ext
}

// place is that of a post, a draft or a page.
func (s *jekyllSite) place(c *content) {
	above, posts := s.post(c)
	if posts != "" {
		c.collection = "posts"
		s.posted(c, above)
		c.unpublished = c.unpublished || posts == "_drafts"
		return
	}
	url := "/" + c.rel()
	switch {
	case c.extension() != ".html":
		url += c.ext
	case c.base == "index":
		url = path.Join("/", c.dir) + "/"
	default:
		url = s.suffixed(url)
	}
	s.settle(c, url, map[string]string{"path": c.dir, "basename": c.base})
}

var jekyllDate = regexp.MustCompile(`^(\d{2,4})-(\d{1,2})-(\d{1,2})-(.*)$`)

// posted is the place of a post.
func (s *jekyllSite) posted(c *content, above string) {
	slug := c.base
	v := map[string]string{}
	if m := jekyllDate.FindStringSubmatch(c.base); m != nil {
		slug = m[4]
		v["year"], v["month"], v["day"] = m[1], twoDigits(m[2]), twoDigits(m[3])
		v["short_year"], v["i_month"], v["i_day"] = m[1][len(m[1])-2:], strings.TrimPrefix(m[2], "0"), strings.TrimPrefix(m[3], "0")
	}
	if t, ok := c.date(); ok {
		_, week := t.ISOWeek()
		v["year"], v["month"], v["day"] = t.Format("2006"), t.Format("01"), t.Format("02")
		v["short_year"], v["i_month"], v["i_day"] = t.Format("06"), t.Format("1"), t.Format("2")
		v["y_day"], v["short_month"], v["long_month"], v["short_day"] = t.Format("002"), t.Format("Jan"), t.Format("January"), t.Format("Mon")
		v["hour"], v["minute"], v["second"], v["week"] = t.Format("15"), t.Format("04"), t.Format("05"), fmt.Sprintf("%02d", week)
	}
	slug = cmp.Or(c.text("slug"), slug)
	v["title"], v["slug"] = jekyllTitle(slug), jekyllSlug(slug)
	var categories []string
	for _, name := range append(strings.FieldsFunc(above, func(r rune) bool { return r == '/' }), s.categories(c)...) {
		if name = jekyllSlug(name); name != "" && !slices.Contains(categories, name) {
			categories = append(categories, name)
		}
	}
	v["categories"] = strings.Join(categories, "/")
	s.settle(c, cmp.Or(jekyllStyles[s.style], s.style), v)
}

// categories of a post: a text is several, divided by blanks. https://jekyllrb.com/docs/posts/#categories
func (s *jekyllSite) categories(c *content) (all []string) {
	if list := c.texts("category"); len(list) == 1 {
		all = append(all, list[0])
	}
	if text, ok := lookup(c.params, []string{"categories"}).(string); ok {
		return append(all, strings.Fields(text)...)
	}
	return append(all, c.texts("categories")...)
}

// item is the place of a collection's file.
func (s *jekyllSite) item(c *content, collection, permalink string) {
	slug := cmp.Or(c.text("slug"), c.base)
	if permalink == "" {
		permalink = s.suffixed("/:collection/:path")
	} else {
		permalink = cmp.Or(jekyllStyles[permalink], permalink)
	}
	v := map[string]string{"collection": collection, "path": c.rel(), "name": jekyllSlug(c.base), "title": jekyllTitle(slug), "slug": jekyllSlug(slug),
		"categories": strings.Join(s.categories(c), "/")}
	if t, ok := c.date(); ok {
		v["year"], v["month"], v["day"] = t.Format("2006"), t.Format("01"), t.Format("02")
	}
	s.settle(c, permalink, v)
}

// settle takes the permalink of the file itself, where it has one, in the place of what its kind gives.
func (s *jekyllSite) settle(c *content, permalink string, values map[string]string) {
	permalink = cmp.Or(c.text("permalink"), permalink)
	permalink = cmp.Or(jekyllStyles[permalink], permalink)
	values["output_ext"] = c.extension()
	c.places = urls(expanded("/"+permalink, values))
	if base, ok := strings.CutSuffix(permalink, "/"); ok && c.base == "index" {
		c.places = append(c.places, urls(expanded("/"+base, values))...)
	}
}
