package pages

import (
	"path"
	"slices"
	"strings"
	"time"
)

// hexo: posts at the permalink (https://hexo.io/docs/permalinks), other files of source at their
// own paths.
func hexo(s *openedSite) {
	s.base = clean(s.config.text("source_dir", "source"))
	posts := folder{dir: path.Join(s.base, "_posts"), skip: hidden, drafts: []string{"published"}, place: hexoPost}
	drafts := posts
	pages := folder{dir: s.base, skip: underscored, takesBare: never, place: hexoPage}
	drafts.dir, drafts.leaves = path.Join(s.base, "_drafts"), everything
	s.layout.folders = []folder{posts, drafts, pages}
}

// hexoOwn are placeholders that Hexo makes of other things than a key of their name.
// https://github.com/hexojs/hexo/blob/8.1.2/lib/plugins/filter/post_permalink.ts
var hexoOwn = []string{"year", "month", "day", "hour", "minute", "second", "i_month", "i_day", "timestamp", "hash",
	"post_title", "slug"}

// hexoPage places a file at its path, or at the address that it says itself.
func hexoPage(c *content) {
	c.collection = "page"
	c.places = []string{c.at.path() + ".html"}
	if own := c.matter.text("permalink"); own != "" {
		c.places = filesAt(own, strings.TrimSuffix(own, "/")+"/")
	}
}

// hexoPost sets the places of a post: the address that it says itself, by its key permalink, or
// else the permalink of the configuration, ":year/:month/:day/:title/" by default, with the values
// of the post in the place of its placeholders.
func hexoPost(c *content) {
	hexoPage(c) // its places are those of the post too if it says its address
	c.collection = "post"
	if c.matter.text("permalink") != "" {
		return
	}
	permalink := c.reader.site.config.text("permalink", ":year/:month/:day/:title/")
	date, title := c.hexoNameParts()
	c.places = filesAt("/" + expanded(permalink, c.hexoValues(title), date))
}

// hexoNameParts returns the date of a post and its title in addresses, as Hexo reads them out of
// the file's path below _posts by the pattern new_post_name:
//
//	:title.md, by default              a/2026-11-28-b   its own date, a/2026-11-28-b
//	:year-:month-:day-:title.md        2026-11-28-b     2026-11-28 if it has no date itself, b
//	                                   b c, and a/b     do not fit, and become one slug: b-c, a-b
func (c *content) hexoNameParts() (date time.Time, title string) {
	name := c.at.path()
	if !strings.Contains(c.reader.site.config.text("new_post_name"), ":day-:title") {
		return c.date(), name
	}
	date, title = c.dated(name)
	if fits := title != name; !fits {
		title = hexoSlug(title)
	}
	return date, title
}

// hexoValues are the values of a post for the placeholders of a permalink, beside those of its
// date.
func (c *content) hexoValues(title string) map[string]string {
	config := c.reader.site.config
	values := map[string]string{}
	// Any key of front matter is a placeholder, such as abbrlink, unless Hexo has one of that name.
	for key := range c.matter.params {
		if value := c.matter.text(key); value != "" && !slices.Contains(hexoOwn, key) {
			values[key] = value
		}
	}
	values["title"], values["slug"] = title, title
	values["name"], values["filename"] = path.Base(title), c.at.base
	categories := append(c.matter.list("categories"), c.matter.list("category")...)
	if len(categories) == 0 {
		categories = []string{config.text("default_category", "uncategorized")}
	}
	for i, category := range categories {
		categories[i] = hexoSlug(config.in("category_map").text(category, category))
	}
	values["category"] = strings.Join(categories, "/")
	if title := c.matter.text("title"); title != "" {
		values["post_title"] = hexoSlug(title)
	}
	return values
}

// underscored skips what begins with an underscore, hidden what begins with a dot.
func underscored(file string, _ bool) bool { return path.Base(file)[0] == '_' }

func hidden(file string, _ bool) bool { return path.Base(file)[0] == '.' }
