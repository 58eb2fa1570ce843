package pages

import (
	"path"
	"slices"
	"strings"
)

// hexo: posts at the permalink (https://hexo.io/docs/permalinks), other files of source at their own paths.
func hexo(s *openedSite) {
	s.base = clean(s.config.text("source_dir", "source"))
	posts := folder{dir: path.Join(s.base, "_posts"), skip: hidden, drafts: []string{"published"}, place: hexoPost}
	drafts := posts
	pages := folder{dir: s.base, skip: underscored, takesBare: never, place: hexoPage}
	drafts.dir, drafts.leaves = path.Join(s.base, "_drafts"), everything
	s.layout = []folder{posts, drafts, pages}
}

// hexoOwn are placeholders that Hexo makes of other things than a key of their name.
// https://github.com/hexojs/hexo/blob/8.1.2/lib/plugins/filter/post_permalink.ts
var hexoOwn = []string{"year", "month", "day", "hour", "minute", "second", "i_month", "i_day", "timestamp", "hash",
	"post_title", "slug"}

// hexoPage places a file at its path, or at the address that it says itself.
func hexoPage(c *content) {
	c.collection = "page"
	c.places = []string{c.rel() + ".html"}
	if own := c.matter.text("permalink"); own != "" {
		c.places = filesAt(own, strings.TrimSuffix(own, "/")+"/")
	}
}

// hexoPost places a post at the permalink of the configuration, or at the address that it says itself.
func hexoPost(c *content) {
	hexoPage(c)
	if c.collection = "post"; c.matter.text("permalink") != "" {
		return
	}
	// Whatever front matter says has a placeholder by its name, as abbrlink.
	v := map[string]string{}
	for key := range c.matter.params {
		if value := c.matter.text(key); value != "" && !slices.Contains(hexoOwn, key) {
			v[key] = value
		}
	}
	config := c.reader.site.config
	date, title := c.dated(c.rel())
	if !strings.Contains(config.text("new_post_name"), ":day-:title") {
		date, title = c.date(), c.rel()
	} else if title == c.rel() {
		title = hexoSlug(title) // of a name without a date, and of any in a folder
	}
	v["title"], v["slug"], v["name"], v["filename"] = title, title, path.Base(title), c.base
	all := append(c.matter.list("categories"), c.matter.list("category")...)
	if len(all) == 0 {
		all = []string{config.text("default_category", "uncategorized")}
	}
	for i := range all {
		all[i] = hexoSlug(config.in("category_map").text(all[i], all[i]))
	}
	v["category"] = strings.Join(all, "/")
	if title := c.matter.text("title"); title != "" {
		v["post_title"] = hexoSlug(title)
	}
	c.places = filesAt("/" + expanded(config.text("permalink", ":year/:month/:day/:title/"), v, date))
}

// underscored skips what begins with an underscore, hidden what begins with a dot.
func underscored(file string, _ bool) bool { return path.Base(file)[0] == '_' }

func hidden(file string, _ bool) bool { return path.Base(file)[0] == '.' }
