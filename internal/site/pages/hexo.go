package pages

import (
	"cmp"
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
	detect: func(root string) bool {
		return exists(root, "_config.yml", "_config.yaml") && hexoPackage.MatchString(firstLines(joined(root, "package.json")))
	},
	layout: func(c *config) (layout, error) {
		source := clean(c.text("source_dir", "source"))
		permalink := c.text("permalink", ":year/:month/:day/:title/")
		category := c.text("default_category", "uncategorized")
		categories, _ := c.values["category_map"].(map[string]any)
		defaults, _ := c.values["permalink_defaults"].(map[string]any)
		names := namePattern(c.text("new_post_name", ":title.md"))
		extensions := []string{".md", ".markdown", ".mkd", ".mkdn", ".mdwn", ".mdtxt", ".mdtext", ".html", ".htm", ".ejs", ".njk", ".pug", ".adoc"}
		base := c.text("url", "")
		if root := c.text("root", "/"); root != "/" && !strings.HasSuffix(strings.TrimSuffix(base, "/"), strings.Trim(root, "/")) {
			base = strings.TrimSuffix(base, "/") + root
		}
		l := layout{publish: clean(c.text("public_dir", "public")), baseURL: base, base: source}
		post := func(c *content) {
			c.collection = "post"
			v := map[string]string{"title": c.rel(), "name": c.base, "filename": c.base, "category": category}
			if m := names.FindStringSubmatch(c.base); m != nil {
				for i, name := range names.SubexpNames() {
					if name != "" {
						v[name] = m[i]
					}
				}
				v["title"] = path.Join(c.dir, v["title"])
			}
			v["slug"] = v["title"] // whatever front matter says
			if t, ok := c.date(); ok {
				v["year"], v["month"], v["day"] = t.Format("2006"), t.Format("01"), t.Format("02")
				v["i_month"], v["i_day"] = t.Format("1"), t.Format("2")
				v["hour"], v["minute"], v["second"] = t.Format("15"), t.Format("04"), t.Format("05")
			}
			if all := cmp.Or(strings.Join(c.texts("categories"), "\n"), strings.Join(c.texts("category"), "\n")); all != "" {
				parts := strings.Split(all, "\n")
				for i, part := range parts {
					if mapped, ok := categories[part].(string); ok {
						part = mapped
					}
					parts[i] = hexoSlug(part)
				}
				v["category"] = strings.Join(parts, "/")
			}
			if id := c.text("id"); id != "" {
				v["id"] = id
			}
			if title := c.text("title"); title != "" {
				v["post_title"] = hexoSlug(title)
			}
			// What else front matter says has a placeholder by its name, as abbrlink.
			for _, values := range []map[string]any{c.params, defaults} {
				for key := range values {
					if _, known := v[key]; known || slices.Contains(hexoOwn, key) {
						continue
					}
					if value := (&content{params: values}).text(key); value != "" {
						v[key] = value
					}
				}
			}
			c.places = urls("/" + expanded(permalink, v))
			if own := c.text("permalink"); own != "" {
				c.places = urls(own, strings.TrimSuffix(own, "/")+"/")
			}
		}
		page := func(c *content) {
			c.collection = "page"
			c.places = []string{c.rel() + ".html"}
			if own := c.text("permalink"); own != "" {
				c.places = urls(own, strings.TrimSuffix(own, "/")+"/")
			}
		}
		l.folders = []folder{
			{dir: path.Join(source, "_posts"), extensions: extensions, dialect: hexoDialect, place: post, skip: hidden, drafts: always("published")},
			{dir: path.Join(source, "_drafts"), extensions: extensions, dialect: hexoDialect, skip: hidden, place: func(c *content) { post(c); c.unpublished = true }},
			{dir: source, extensions: extensions, dialect: hexoDialect, place: page, skip: underscored, required: true},
		}
		return l, nil
	},
}

// hexoOwn are placeholders that Hexo makes of other things than a key of their name.
// https://github.com/hexojs/hexo/blob/8.1.2/lib/plugins/filter/post_permalink.ts
var hexoOwn = []string{"year", "month", "day", "hour", "minute", "second", "i_month", "i_day", "timestamp", "hash", "post_title"}

var hexoPackage = regexp.MustCompile(`"hexo"\s*:`)

// hidden skips what begins with a dot.
func hidden(rel string, _ bool) bool { return strings.HasPrefix(path.Base(rel), ".") }

// namePattern makes the pattern of the names of posts, ":year-:month-:day-:title.md", into one that finds their parts.
func namePattern(name string) *regexp.Regexp {
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	parts := map[string]string{":year": `(?P<year>\d{4})`, ":month": `(?P<month>\d{2})`, ":day": `(?P<day>\d{2})`,
		":i_month": `(?P<i_month>\d{1,2})`, ":i_day": `(?P<i_day>\d{1,2})`, ":title": `(?P<title>.+)`, ":hash": `(?P<hash>[0-9a-f]+)`}
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
