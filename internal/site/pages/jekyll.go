package pages

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/site"
)

// jekyll: every file with front matter is a page; posts and collections have permalinks of their own.
// https://jekyllrb.com/docs/permalinks/ https://jekyllrb.com/docs/configuration/front-matter-defaults/
var jekyll = profile{
	name:    "jekyll",
	configs: jekyllConfigs,
	only: func(root string) bool {
		speaks := func(name string) bool { return jekylls.MatchString(firstLines(joined(root, name))) }
		beside := []string{"Gemfile", "_layouts", "_posts", "_includes", "_data", "index.md", "index.html",
			"index.markdown"}
		return !hexo.only(root) && (exists(root, beside...) || slices.ContainsFunc(jekyllConfigs, speaks))
	},
	layout: jekyllLayout,
}

var jekyllConfigs = []string{"_config.yml", "_config.yaml", "_config.toml"}

func jekyllLayout(c *config) (layout, error) {
	s := &jekyllSite{config: c, zone: time.Local, root: clean(c.text("source", ".")),
		dir:   clean(c.text("collections_dir", "")),
		style: c.text("permalink", "date"), excluded: c.list("exclude"), included: c.list("include")}
	if zone, err := time.LoadLocation(c.text("timezone", "")); err == nil && c.text("timezone", "") != "" {
		s.zone = zone
	}
	l := layout{publish: clean(c.text("destination", "_site")), base: s.root,
		baseURL: based(c.text("url", ""), c.text("baseurl", ""))}
	names := map[string]map[string]any{}
	switch all := c.of["collections"].(type) {
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
		if name != "posts" && name != "drafts" {
			l.folders = append(l.folders, s.collection(name, names[name]))
		}
	}
	l.folders = append(l.folders, folder{
		files: files{dir: s.root, required: s.required, every: true, skip: s.skip, leaves: s.leaves,
			unfollowed: func(rel string) bool { _, below := inPosts(rel); return below != "" }},
		dialect: jekyllDialect, drafts: []string{"published"}, inherit: s.inherit, place: s.place})
	return l, nil
}

// collection is the folder of one: every file in it that has front matter is content. No link in it to a folder is
// followed.
func (s *jekyllSite) collection(name string, options map[string]any) folder {
	permalink, _ := options["permalink"].(string)
	output, _ := options["output"].(bool)
	all := func(string) bool { return true }
	return folder{
		files: files{dir: path.Join(s.root, s.dir, "_"+name), required: all, every: true, unfollowed: all,
			leaves: func(rel string) bool { return s.leaves(path.Join("_"+name, rel)) },
			skip:   func(rel string, isDir bool) bool { return s.special(rel, isDir, true) }},
		collection: name, dialect: jekyllDialect, drafts: []string{"published"},
		inherit: func(c *content) ([]header, error) { return s.defaults(c, name), nil },
		place: func(c *content) {
			s.item(c, name, permalink)
			c.unpublished = c.unpublished || !output || s.later(c)
		}}
}

// required: a post needs no front matter, everything else does.
func (s *jekyllSite) required(rel string) bool {
	magic, below := inPosts(rel)
	return magic != "_posts" || !jekyllDate.MatchString(path.Base(below))
}

type jekyllSite struct {
	config   *config
	root     string // from the site's folder
	dir      string // collections_dir, from root: what is in it is named from there
	style    string
	zone     *time.Location // in which it tells the dates of posts
	excluded []string
	included []string
}

// skip leaves out what Jekyll does not read, but for posts and drafts.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/entry_filter.rb
func (s *jekyllSite) skip(rel string, isDir bool) bool {
	if magic, below := inPosts(rel); magic != "" {
		return below != "" && s.special(below, isDir, false)
	}
	base := path.Base(rel)
	switch {
	case s.includes(base, isDir), !isDir && slices.Contains(s.included, rel):
		return false
	case isDir && s.excludes(byDefault, rel, true):
		return true // what others made, and often much
	}
	return marked(base)
}

// special reports whether a name in _posts or in a collection, by its path from there, is left out: all of it is told
// by its beginning and by its last part. hidden: what begins with a dot further down is not.
func (s *jekyllSite) special(rel string, isDir, hidden bool) bool {
	base := path.Base(rel)
	if s.includes(rel, isDir) || s.includes(base, isDir) {
		return false
	}
	if isDir && base != rel { // whose files count, not the folder
		return !hidden && base[0] == '.'
	}
	return marked(base)
}

// marked reports whether a name has a mark that keeps it from being read.
func marked(base string) bool {
	return strings.IndexByte("_.#~", base[0]) >= 0 || strings.HasSuffix(base, "~")
}

// includes reports whether the configuration wants a name read whatever it begins with.
func (s *jekyllSite) includes(name string, isDir bool) bool {
	return slices.ContainsFunc(s.included, func(pattern string) bool { return entryMatches(pattern, name, isDir) })
}

// byDefault is what Jekyll excludes beside what the configuration says.
// https://jekyllrb.com/docs/configuration/options/#global-configuration
var byDefault = []string{".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock", "node_modules/",
	"vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"}

// leaves reports whether the configuration excludes a file or one of the folders that it is in.
func (s *jekyllSite) leaves(rel string) bool {
	for name, isDir := rel, false; name != "."; name, isDir = path.Dir(name), true {
		if s.includes(name, isDir) || s.includes(path.Base(name), isDir) {
			continue
		}
		if s.excludes(s.excluded, name, isDir) || s.excludes(byDefault, name, isDir) {
			return true
		}
	}
	return false
}

// excludes reports whether one of the patterns matches a name, and is not among those of include.
func (s *jekyllSite) excludes(patterns []string, name string, isDir bool) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return !slices.Contains(s.included, pattern) && entryMatches(pattern, name, isDir)
	})
}

// entryMatches reports whether a pattern of include or exclude matches a name: it is a glob whose * matches slashes
// too, or what the name begins with.
func entryMatches(pattern, name string, isDir bool) bool {
	pattern = strings.TrimPrefix(pattern, "/")
	if strings.HasPrefix(name, pattern) || isDir && pattern == name+"/" {
		return pattern != ""
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return false
	}
	quoted := regexp.QuoteMeta(pattern)
	quoted = strings.NewReplacer(`\*`, `.*`, `\?`, `.`, `\[`, `[`, `\]`, `]`).Replace(quoted)
	glob, err := regexp.Compile(`(?s)^` + quoted + `$`)
	return err == nil && glob.MatchString(name)
}

// inPosts returns the first of _posts and _drafts in a path, and what is below it.
func inPosts(rel string) (magic, below string) {
	parts := strings.Split(rel, "/")
	i := slices.IndexFunc(parts, func(part string) bool { return part == "_posts" || part == "_drafts" })
	if i < 0 {
		return "", ""
	}
	return parts[i], path.Join(parts[i+1:]...)
}

// post returns the folder above _posts or _drafts, and which of the two a file is in.
func (s *jekyllSite) post(c *content) (above, name string) {
	if name, _ = inPosts(c.dir); name == "" {
		return "", ""
	}
	above, _, _ = strings.Cut("/"+c.dir+"/", "/"+name+"/")
	return s.named(strings.TrimPrefix(above, "/")), name
}

// named is a path in the folder of the collections from there.
func (s *jekyllSite) named(file string) string {
	if s.dir == "" || !below(file, s.dir) {
		return file
	}
	return strings.TrimPrefix(strings.TrimPrefix(file, s.dir), "/")
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
	list, _ := s.config.of["defaults"].([]any)
	for i, e := range list {
		entry, _ := e.(map[string]any)
		scope, _ := entry["scope"].(map[string]any)
		values, _ := entry["values"].(map[string]any)
		dir, _ := scope["path"].(string)
		of, _ := scope["type"].(string)
		dir = strings.TrimPrefix(dir, "/")
		if of == "page" || of == "post" || of == "draft" {
			of += "s" // as they were called
		}
		file := strings.TrimPrefix(strings.TrimPrefix(c.file, s.root), "/")
		if dir = s.named(dir); kind != "pages" {
			file = s.named(file)
		}
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
		return strings.HasPrefix(file, scope)
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
	case ".md", ".markdown", ".mkdown", ".mkdn", ".mkd", ".adoc", ".asciidoc", ".textile":
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
		c.unpublished = c.unpublished || posts == "_drafts" || s.later(c)
		return
	}
	url := "/" + c.rel()
	switch {
	case !site.IsHTML("x" + c.extension()):
		url += c.ext
	case c.base == "index":
		url = path.Join("/", c.dir) + "/"
	default:
		url = s.suffixed(url)
	}
	s.settle(c, url, map[string]string{"path": c.dir, "basename": c.base})
}

var jekyllDate = regexp.MustCompile(`^(\d{2,4})-(\d{1,2})-(\d{1,2})-(.*)$`)

// local is a file's date as the site tells it: a day alone begins at its midnight.
// https://jekyllrb.com/docs/configuration/options/#global-configuration
func (s *jekyllSite) local(c *content) (time.Time, bool) {
	if t, ok := c.date(); ok {
		if t.Equal(t.Truncate(24 * time.Hour)) {
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, s.zone), true
		}
		return t.In(s.zone), true
	}
	if m := jekyllDate.FindStringSubmatch(c.base); m != nil {
		t, err := time.ParseInLocation("2006-01-02", m[1]+"-"+twoDigits(m[2])+"-"+twoDigits(m[3]), s.zone)
		return t, err == nil
	}
	return time.Time{}, false
}

// later reports whether a post's or a collection's file is due later, and is left out till then.
// https://jekyllrb.com/docs/configuration/options/#build-command-options (future)
func (s *jekyllSite) later(c *content) bool {
	t, ok := s.local(c)
	return ok && !s.config.now.IsZero() && t.After(s.config.now) && !s.config.boolean("future", false)
}

// posted is the place of a post. A date with a zone is told in the site's; where that is not known, as it is written.
func (s *jekyllSite) posted(c *content, above string) {
	own, ok := c.date()
	if local, _ := s.local(c); ok && local.Format(time.DateOnly) != own.Format(time.DateOnly) {
		s.at(c, above, local)
		places := c.places
		s.at(c, above, own)
		c.places = append(places, c.places...)
		return
	}
	s.at(c, above, own)
}

// at is the place of a post of a date; the zero one is that of its name.
func (s *jekyllSite) at(c *content, above string, t time.Time) {
	slug := c.base
	_, below := inPosts(c.rel())
	v := map[string]string{"collection": "posts", "name": jekyllSlug(c.base), "path": below}
	if m := jekyllDate.FindStringSubmatch(c.base); m != nil {
		slug = m[4]
		v["year"], v["month"], v["day"] = m[1], twoDigits(m[2]), twoDigits(m[3])
		v["short_year"], v["i_month"], v["i_day"] = m[1][len(m[1])-2:], strings.TrimPrefix(m[2], "0"),
			strings.TrimPrefix(m[3], "0")
	}
	if !t.IsZero() {
		year, week := t.ISOWeek()
		v["year"], v["month"], v["day"] = t.Format("2006"), t.Format("01"), t.Format("02")
		v["short_year"], v["i_month"], v["i_day"] = t.Format("06"), t.Format("1"), t.Format("2")
		v["y_day"], v["short_month"], v["long_month"], v["short_day"] = t.Format("002"), t.Format("Jan"),
			t.Format("January"), t.Format("Mon")
		v["hour"], v["minute"], v["second"], v["week"] = t.Format("15"), t.Format("04"), t.Format("05"),
			fmt.Sprintf("%02d", week)
		v["w_year"], v["w_day"], v["long_day"] = strconv.Itoa(year), strconv.Itoa((int(t.Weekday())+6)%7+1),
			t.Format("Monday")
	}
	slug = cmp.Or(c.text("slug"), slug)
	v["title"], v["slug"] = jekyllTitle(slug), jekyllSlug(slug)
	s.categorize(c, above, v)
	s.settle(c, cmp.Or(jekyllStyles[s.style], s.style), v)
}

// categorize gives the values of a file's categories: the folders above _posts, those that the configuration gives and
// its own, then its category. They are put into an address in lower case and not made into slugs; slugified_categories
// are.
// https://jekyllrb.com/docs/posts/#categories https://jekyllrb.com/docs/permalinks/#placeholders
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/drops/url_drop.rb
func (s *jekyllSite) categorize(c *content, above string, values map[string]string) {
	all := strings.FieldsFunc(above, func(r rune) bool { return r == '/' })
	of := func(h header) (names []string) {
		if text, ok := frontmatter.Lookup(h.Params, []string{"categories"}).(string); ok {
			return strings.Fields(text) // a text is several, divided by blanks
		}
		return (&content{params: h.Params}).texts("categories")
	}
	for _, h := range c.headers[1:] {
		if names := of(h); names != nil {
			all = append(all, names...)
			break
		}
	}
	all = append(all, of(c.headers[0])...)
	all = append(all, c.texts("category")...)
	var plain, slugs []string
	for _, name := range all {
		plain = append(plain, strings.ToLower(name))
		slugs = append(slugs, jekyllSlug(name))
	}
	values["categories"], values["slugified_categories"] = strings.Join(unique(plain), "/"), strings.Join(unique(slugs),
		"/")
}

// item is the place of a collection's file.
func (s *jekyllSite) item(c *content, collection, permalink string) {
	slug := cmp.Or(c.text("slug"), c.base)
	if permalink == "" {
		permalink = s.suffixed("/:collection/:path")
	} else {
		permalink = cmp.Or(jekyllStyles[permalink], permalink)
	}
	v := map[string]string{"collection": collection, "path": c.rel(), "name": jekyllSlug(c.base),
		"title": jekyllTitle(slug), "slug": jekyllSlug(slug)}
	s.categorize(c, "", v)
	if t, ok := c.date(); ok {
		v["year"], v["month"], v["day"] = t.Format("2006"), t.Format("01"), t.Format("02")
	}
	s.settle(c, permalink, v)
}

// settle takes the permalink of the file itself, where it has one, in the place of what its kind gives. Its extension,
// or else that which the file is published with, is what the file's name ends with.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/renderer.rb (output_ext)
func (s *jekyllSite) settle(c *content, permalink string, values map[string]string) {
	extension := c.extension()
	own := c.text("permalink")
	if ext := path.Ext(own); ext != "" && !strings.Contains(ext, ":") {
		extension = ext
	}
	values["output_ext"] = extension
	index := "index.html"
	if c.collection == "" {
		index = "index" + extension // of a page
	}
	c.places = nil
	// The name of a style is an address of its own in a file; in the configuration it is the style.
	for _, permalink := range []string{own, jekyllStyles[own], cmp.Or(own, jekyllStyles[permalink], permalink)} {
		if permalink != "" {
			c.places = append(c.places, exactly(expanded("/"+permalink, values), index, extension))
		}
	}
}
