package pages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// hexo: posts at the permalink of the configuration, other files of source at their own paths.
// https://hexo.io/docs/permalinks https://hexo.io/docs/configuration
var hexo = profile{
	name:    "hexo",
	configs: []string{"_config.yml", "_config.yaml"},
	only:    func(root string) bool { return hexoPackage.MatchString(firstLines(joined(root, "package.json"))) },
	publish: [2]string{"public_dir", "public"}, url: "url", at: "root",
	layout: func(c *config, l *layout) error {
		source := clean(c.text("source_dir", "source"))
		h := &hexoSite{config: c, names: namePattern(c.text("new_post_name", ":title.md"))}
		in := func(dir string, skip func(string, bool) bool, place func(*content)) folder {
			return folder{files: files{dir: path.Join(source, dir), extensions: hexoExtensions, skip: skip},
				dialect: hexoDialect, place: place}
		}
		posts, pages := in("_posts", hidden, h.post), in("", underscored, h.page)
		drafts := in("_drafts", hidden, func(c *content) { h.post(c); c.unpublished = true })
		posts.drafts = []string{"published"}
		pages.required = func(string) bool { return true }
		l.base, l.folders = source, []folder{posts, drafts, pages}
		return nil
	},
}

var hexoExtensions = []string{".md", ".markdown", ".mkd", ".mkdn", ".mdwn", ".mdtxt", ".mdtext", ".html", ".htm",
	".ejs", ".njk", ".pug", ".adoc"}

type hexoSite struct {
	config *config
	names  *regexp.Regexp // of posts
}

// page places a file at its path, or at the address that it says itself.
func (h *hexoSite) page(c *content) {
	c.collection = "page"
	c.places = []string{c.rel() + ".html"}
	if own := c.text("permalink"); own != "" {
		c.places = urls(own, strings.TrimSuffix(own, "/")+"/")
	}
}

// post places a post at the permalink of the configuration, or at the address that it says itself.
func (h *hexoSite) post(c *content) {
	h.page(c)
	if c.collection = "post"; c.text("permalink") != "" {
		return
	}
	v := map[string]string{"title": c.rel(), "name": c.base, "filename": c.base,
		"category": h.config.text("default_category", "uncategorized")}
	if m := h.names.FindStringSubmatch(c.base); m != nil {
		for i, name := range h.names.SubexpNames()[1:] {
			v[name] = m[i+1]
		}
		v["title"] = path.Join(c.dir, v["title"])
	}
	v["slug"] = v["title"] // whatever front matter says
	if t, ok := c.date(); ok {
		setDate(v, t)
	}
	all := c.texts("categories")
	if len(all) == 0 {
		all = c.texts("category")
	}
	for i := range all {
		all[i] = hexoSlug(h.config.in("category_map").text(all[i], all[i]))
	}
	if len(all) > 0 {
		v["category"] = strings.Join(all, "/")
	}
	if title := c.text("title"); title != "" {
		v["post_title"] = hexoSlug(title)
	}
	// What else front matter says has a placeholder by its name, as abbrlink.
	for _, values := range []map[string]any{c.params, h.config.in("permalink_defaults").of} {
		for key := range values {
			value := textIn(values, key)
			if _, known := v[key]; !known && value != "" && !slices.Contains(hexoOwn, key) {
				v[key] = value
			}
		}
	}
	c.places = urls("/" + expanded(h.config.text("permalink", ":year/:month/:day/:title/"), v))
}

// hexoOwn are placeholders that Hexo makes of other things than a key of their name.
// https://github.com/hexojs/hexo/blob/8.1.2/lib/plugins/filter/post_permalink.ts
var hexoOwn = []string{"year", "month", "day", "hour", "minute", "second", "i_month", "i_day", "timestamp", "hash",
	"post_title"}

var hexoPackage = regexp.MustCompile(`"hexo"\s*:`)

// hidden skips what begins with a dot.
func hidden(rel string, _ bool) bool { return strings.HasPrefix(path.Base(rel), ".") }

// namePattern makes the pattern of the names of posts, ":year-:month-:day-:title.md", into one that finds their parts.
func namePattern(name string) *regexp.Regexp {
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	parts := map[string]string{":year": `(?P<year>\d{4})`, ":month": `(?P<month>\d{2})`, ":day": `(?P<day>\d{2})`,
		":i_month": `(?P<i_month>\d{1,2})`, ":i_day": `(?P<i_day>\d{1,2})`, ":title": `(?P<title>.+)`,
		":hash": `(?P<hash>[0-9a-f]+)`}
	seen := map[string]bool{}
	pattern := placeholder.ReplaceAllStringFunc(regexp.QuoteMeta(name), func(p string) string {
		if part, ok := parts[p]; ok && !seen[p] {
			seen[p] = true
			return part
		}
		return `.+`
	})
	return regexp.MustCompile(`^` + pattern + `$`)
}
