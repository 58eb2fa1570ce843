package pages

import (
	"cmp"
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
	redirects: "noindex", // jekyll-redirect-from
	publish:   [2]string{"destination", "_site"}, url: "url", at: "baseurl",
	layout: func(c *config, l *layout) error {
		s := &jekyllSite{config: c, zone: time.Local, root: clean(c.text("source", ".")),
			dir: clean(c.text("collections_dir", "")), style: c.text("permalink", "date"), include: c.list("include")}
		s.included, s.excluded = jekyllEntries(s.include), jekyllEntries(slices.DeleteFunc(
			append(c.list("exclude"), jekyllExcludes...), s.wants))
		if zone, err := time.LoadLocation(c.text("timezone", "")); err == nil && c.text("timezone", "") != "" {
			s.zone = zone
		}
		collections := c.in("collections").of
		for _, name := range c.list("collections") {
			collections = merged(collections, map[string]any{name: nil}, false, false)
		}
		l.base = s.root
		for _, name := range slices.Sorted(maps.Keys(collections)) {
			if name != "posts" && name != "drafts" {
				l.folders = append(l.folders, s.collection(name, c.part(collections[name])))
			}
		}
		l.folders = append(l.folders, folder{
			files:   files{dir: s.root, required: s.required, every: true, skip: s.skip, leaves: s.leaves},
			dialect: jekyllDialect, drafts: []string{"published"}, inherit: s.inherit, place: s.place})
		return nil
	},
}

var jekyllConfigs = []string{"_config.yml", "_config.yaml", "_config.toml"}

// jekylls are keys and words in a _config.yml that are Jekyll's: Hexo's has the same name, and that of Jupyter Book.
// https://jekyllrb.com/docs/configuration/options/
var jekylls = regexp.MustCompile(`(?m)^(?:remote_theme|baseurl|collections_dir|kramdown|show_drafts|` +
	`future|defaults)["']?\s*[:=]|` +
	`\bjekyll-[a-z]|^theme\s*[:=]\s*["']?minima\b`)

// jekyllExcludes is what Jekyll excludes beside what the configuration says.
// https://jekyllrb.com/docs/configuration/options/#global-configuration
var jekyllExcludes = []string{".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock", "node_modules/",
	"vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"}

type jekyllSite struct {
	config             *config
	root               string // from the site's folder
	dir                string // collections_dir, from root: what is in it is named from there
	style              string
	zone               *time.Location // in which it tells the dates of posts
	include            []string
	included, excluded *regexp.Regexp
}

// jekyllEntries matches the names that begin with one of the patterns of include or exclude, or fit it as a glob, whose
// * matches slashes too. The name of a folder ends with a slash.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/entry_filter.rb
func jekyllEntries(patterns []string) *regexp.Regexp {
	forms := []string{`[^\s\S]`} // no name
	glob := strings.NewReplacer(`\*`, `.*`, `\?`, `.`, `\[`, `[`, `\]`, `]`)
	for _, pattern := range patterns {
		if pattern = regexp.QuoteMeta(strings.TrimPrefix(pattern, "/")); pattern == "" {
			continue
		}
		forms = append(forms, pattern)
		if _, err := regexp.Compile(glob.Replace(pattern)); err == nil {
			forms = append(forms, `(?:`+glob.Replace(pattern)+`)/?$`)
		}
	}
	return regexp.MustCompile(`(?s)^(?:` + strings.Join(forms, "|") + `)`)
}

// wants reports whether include has a pattern of exclude, which it takes back.
func (s *jekyllSite) wants(pattern string) bool { return slices.Contains(s.include, pattern) }

// slashed is the name of a folder, or of a file.
func slashed(name string, isDir bool) string {
	if isDir {
		return name + "/"
	}
	return name
}

// skip leaves out what Jekyll does not read: names with a mark before or after them, and what others made, which is
// often much.
func (s *jekyllSite) skip(rel string, isDir bool) bool {
	base := path.Base(rel)
	magic, entry := inPosts(rel)
	switch {
	case magic != "":
		return entry != "" && s.special(entry, isDir)
	case s.included.MatchString(slashed(base, isDir)), s.wants(rel):
		return false
	}
	return marked(base) || isDir && s.excluded.MatchString(rel+"/") && slices.ContainsFunc(jekyllExcludes,
		func(pattern string) bool { return strings.HasPrefix(rel+"/", pattern) })
}

// special reports whether a name in _posts or in a collection, by its path from there, is left out: it is told by the
// beginning of that and of its last part. A folder below it is not, whose files are.
func (s *jekyllSite) special(entry string, isDir bool) bool {
	base := path.Base(entry)
	wanted := s.included.MatchString(slashed(entry, isDir)) || s.included.MatchString(slashed(base, isDir))
	return !wanted && (!isDir || base == entry) && marked(base)
}

// marked reports whether a name has a mark that keeps it from being read.
func marked(base string) bool {
	return strings.IndexByte("_.#~", base[0]) >= 0 || strings.HasSuffix(base, "~")
}

// leaves reports whether the configuration excludes a file or one of the folders that it is in.
func (s *jekyllSite) leaves(rel string) bool {
	for name, isDir := rel, false; name != "."; name, isDir = path.Dir(name), true {
		if !s.included.MatchString(slashed(name, isDir)) && !s.included.MatchString(slashed(path.Base(name), isDir)) &&
			s.excluded.MatchString(slashed(name, isDir)) {
			return true
		}
	}
	return false
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

// required: a post needs no front matter, everything else does.
func (s *jekyllSite) required(rel string) bool {
	magic, below := inPosts(rel)
	return magic != "_posts" || !jekyllDate.MatchString(path.Base(below))
}

// collection is the folder of one: every file in it that has front matter is content.
func (s *jekyllSite) collection(name string, options section) folder {
	all := func(string) bool { return true }
	permalink := options.text("permalink", "")
	permalink = cmp.Or(jekyllStyles[permalink], permalink, s.suffixed("/:collection/:path"))
	return folder{
		files: files{dir: path.Join(s.root, s.dir, "_"+name), required: all, every: true,
			leaves: func(rel string) bool { return s.leaves(path.Join("_"+name, rel)) },
			skip:   s.special},
		collection: name, dialect: jekyllDialect, drafts: []string{"published"}, inherit: s.inherit,
		place: func(c *content) {
			v := map[string]string{"path": c.rel()}
			if t, ok := c.date(); ok {
				setDate(v, t)
			}
			s.settle(c, permalink, c.base, "", v)
			c.unpublished = c.unpublished || !options.boolean("output", false) || s.later(c)
		}}
}

// named is a path in the folder of the collections from there.
func (s *jekyllSite) named(file string) string {
	if s.dir == "" || !below(file, s.dir) {
		return file
	}
	return strings.TrimPrefix(strings.TrimPrefix(file, s.dir), "/")
}

// inherit reads the values that the configuration gives files of a path and a type. The longer path wins, then the one
// with a type, then the later.
func (s *jekyllSite) inherit(c *content) (headers []header, _ error) {
	kind := cmp.Or(c.folder.collection, "pages")
	if magic, _ := inPosts(c.dir); magic != "" && kind == "pages" {
		kind = strings.TrimPrefix(magic, "_")
	}
	file := strings.TrimPrefix(strings.TrimPrefix(c.file, s.root), "/")
	if kind != "pages" {
		file = s.named(file)
	}
	var ranks []int
	list, _ := s.config.get("defaults").([]any)
	for i, e := range list {
		entry := s.config.part(e)
		scope := entry.in("scope")
		dir, of := s.named(strings.TrimPrefix(scope.text("path", ""), "/")), scope.text("type", "")
		if of == "page" || of == "post" || of == "draft" {
			of += "s" // as they were called
		}
		if of != "" && of != kind && !(of == "posts" && kind == "drafts") || !inScope(file, dir) {
			continue
		}
		rank := len(dir) * 2
		if of != "" {
			rank++
		}
		at := slices.IndexFunc(ranks, func(other int) bool { return rank >= other })
		if at < 0 {
			at = len(ranks)
		}
		h := header{file: s.config.file, under: []string{"defaults", strconv.Itoa(i), "values"}}
		h.Document = frontmatter.Document{Format: "yaml", Params: entry.in("values").of, Index: s.config.index}
		ranks, headers = slices.Insert(ranks, at, rank), slices.Insert(headers, at, h)
	}
	return headers, nil
}

// inScope reports whether a file is in the path of a scope, which may be a glob.
func inScope(file, scope string) bool {
	if !strings.Contains(scope, "*") {
		return strings.HasPrefix(file, scope)
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
	switch style := cmp.Or(jekyllStyles[s.style], s.style); {
	case strings.HasSuffix(style, "/"):
		return url + "/"
	case strings.HasSuffix(style, ":output_ext"):
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
	if magic, _ := inPosts(c.dir); magic != "" {
		s.post(c, magic)
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
	s.settle(c, url, c.base, "", map[string]string{"path": c.dir, "basename": c.base})
}

var jekyllDate = regexp.MustCompile(`^(\d{4}-\d{1,2}-\d{1,2})-(.*)$`)

// local is a file's date as the site tells it, by its front matter or its name: a day alone begins at its midnight.
// https://jekyllrb.com/docs/configuration/options/#global-configuration
func (s *jekyllSite) local(c *content) (time.Time, bool) {
	t, ok := c.date()
	if m := jekyllDate.FindStringSubmatch(c.base); !ok && m != nil {
		named, err := time.Parse("2006-1-2", m[1])
		t, ok = named, err == nil
	}
	if ok && t.Equal(t.Truncate(24*time.Hour)) {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, s.zone), true
	}
	return t.In(s.zone), ok
}

// later reports whether a post's or a collection's file is due later, and is left out till then.
// https://jekyllrb.com/docs/configuration/options/#build-command-options (future)
func (s *jekyllSite) later(c *content) bool {
	t, ok := s.local(c)
	return ok && !s.config.now.IsZero() && t.After(s.config.now) && !s.config.boolean("future", false)
}

// post is the place of a post or a draft. A date with a zone is told in the site's; where that is not known, as it is
// written.
func (s *jekyllSite) post(c *content, magic string) {
	c.collection = "posts"
	above, below, _ := strings.Cut("/"+c.dir+"/", "/"+magic+"/")
	name := c.base
	if m := jekyllDate.FindStringSubmatch(name); m != nil {
		name = m[2]
	}
	var places []string
	own, written := c.date()
	local, dated := s.local(c)
	for i, t := range []time.Time{local, own} {
		v := map[string]string{"path": path.Join(below, c.base)}
		if dated {
			setDate(v, t)
		}
		if i == 0 || written {
			s.settle(c, cmp.Or(jekyllStyles[s.style], s.style), name, s.named(strings.Trim(above, "/")), v)
			places = append(places, c.places...)
		}
	}
	c.places = places
	c.unpublished = c.unpublished || magic == "_drafts" || s.later(c)
}

// categorize gives the values of a file's categories: the folders above _posts, those that the configuration gives and
// its own, then its category. They are put into an address in lower case and not made into slugs; slugified_categories
// are.
// https://jekyllrb.com/docs/posts/#categories https://jekyllrb.com/docs/permalinks/#placeholders
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/drops/url_drop.rb
func categorize(c *content, above string, values map[string]string) {
	all := strings.FieldsFunc(above, func(r rune) bool { return r == '/' })
	of := func(h header) []string {
		if text, ok := frontmatter.Lookup(h.Params, []string{"categories"}).(string); ok {
			return strings.Fields(text) // a text is several, divided by blanks
		}
		return textsIn(h.Params, "categories")
	}
	for _, h := range c.headers[1:] {
		if names := of(h); names != nil {
			all = append(all, names...)
			break
		}
	}
	all = slices.Concat(all, of(c.headers[0]), c.texts("category"))
	var plain, slugs []string
	for _, name := range all {
		plain = append(plain, strings.ToLower(name))
		slugs = append(slugs, jekyllSlug(name))
	}
	values["categories"] = strings.Join(unique(plain), "/")
	values["slugified_categories"] = strings.Join(unique(slugs), "/")
}

// settle takes the permalink of the file itself, where it has one, in the place of what its kind gives. Its extension,
// or else that which the file is published with, is what the file's name ends with.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/renderer.rb (output_ext)
func (s *jekyllSite) settle(c *content, permalink, name, above string, v map[string]string) {
	extension, own := c.extension(), c.text("permalink")
	if ext := path.Ext(own); ext != "" && !strings.Contains(ext, ":") {
		extension = ext
	}
	index := "index.html"
	if v["output_ext"] = extension; c.collection == "" {
		index = "index" + extension // of a page
	} else {
		slug := cmp.Or(c.text("slug"), name)
		v["collection"], v["name"] = c.collection, jekyllSlug(c.base)
		v["title"], v["slug"] = jekyllTitle(slug), jekyllSlug(slug)
		categorize(c, above, v)
	}
	c.places = nil
	// The name of a style is an address of its own in a file; in the configuration it is the style.
	for _, permalink := range []string{own, jekyllStyles[own], cmp.Or(own, permalink)} {
		if permalink != "" {
			c.places = append(c.places, exactly(expanded("/"+permalink, v), index, extension))
		}
	}
}
