package pages

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mkdocs: every Markdown file of docs_dir is a page at its own path.
// https://www.mkdocs.org/user-guide/writing-your-docs/ https://www.mkdocs.org/user-guide/configuration/
var mkdocs = profile{
	name:      "mkdocs",
	configs:   []string{"mkdocs.yml", "mkdocs.yaml"},
	redirects: "noindex", // mkdocs-redirects
	publish:   [2]string{"site_dir", "site"}, url: "site_url",
	inherit: mkdocsInherit,
	layout: func(c *config, l *layout) error {
		s := &mkdocsSite{docs: clean(c.text("docs_dir", "docs")), directories: c.boolean("use_directory_urls", true)}
		s.files = joined(c.root, s.docs)
		// Both are left out of what is built; what the second names is shown while it is written.
		excluded := readIgnored(".*\n/templates/\n" + c.text("exclude_docs", "") + "\n" + c.text("draft_docs", ""))
		f := folder{files: files{dir: s.docs, extensions: []string{".md", ".markdown", ".mdown", ".mkdn", ".mkd"},
			every:  true,
			leaves: excluded.match, skip: mkdocsSkip(excluded)}, dialect: metaDialect, deep: true,
			inherit: mkdocsMeta(c, s.docs), place: s.place}
		if on, _ := mkdocsPlugin(c, "blog"); on {
			f.drafts = []string{"draft"} // https://squidfunk.github.io/mkdocs-material/plugins/blog/#meta.draft
		}
		l.base, l.fallback, l.folders = s.docs, true, []folder{f}
		return nil
	},
}

type mkdocsSite struct {
	docs, files string // docs_dir, from the site's folder and absolute
	directories bool   // use_directory_urls
}

// page is where a file is published, by its path without the extension.
func (s *mkdocsSite) page(name string) []string {
	base := path.Base(name)
	switch {
	case base == "index" || strings.EqualFold(base, "readme"):
		return []string{path.Join(path.Dir(name), "index.html")}
	case s.directories:
		return []string{name + "/index.html"}
	}
	return []string{name + ".html"}
}

func (s *mkdocsSite) place(c *content) {
	if strings.EqualFold(c.base, "readme") && exists(s.files, path.Join(c.dir, "index.md")) {
		c.unpublished = true // beside an index it is left out
		return
	}
	c.places = s.page(c.rel())
	if name, language, ok := cutLast(c.base, "."); ok && languageFolder.MatchString(language) {
		// A translation of mkdocs-static-i18n, whose default language has no folder.
		c.language = language
		c.places = append(c.places, s.page(path.Join(language, c.dir, name))...)
		c.places = append(c.places, s.page(path.Join(c.dir, name))...)
	}
	if blog, _, ok := strings.Cut(c.dir, "posts"); ok && strings.HasSuffix(blog, "/") {
		// The blog of Material for MkDocs: https://squidfunk.github.io/mkdocs-material/plugins/blog/
		v := c.values("")
		if slug := c.text("slug"); slug == "" && v["title"] != "" {
			v["slug"] = v["title"]
		}
		c.places = append(c.places, urls(expanded("/"+blog+":year/:month/:day/:slug/", v))...)
	}
}

// mkdocsInherit puts what the configuration says over what it takes from another file, which INHERIT names from its own
// folder: maps are merged key by key, a list replaces one below it.
// https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance
func mkdocsInherit(c *config) error {
	file, seen := c.file, map[string]bool{c.file: true}
	for name := c.text("INHERIT", ""); name != ""; name = c.text("INHERIT", "") {
		delete(c.of, "INHERIT")
		if file = path.Join(path.Dir(file), filepath.ToSlash(name)); filepath.IsAbs(name) {
			file = name
		}
		if seen[file] {
			return placed(c.file, 0, "INHERIT: "+file+" inherits from itself")
		}
		seen[file] = true
		parent := newConfig(c.root)
		if err := parent.open(file); err != nil {
			return err
		}
		if parent.file == "" {
			return placed(c.file, 0, "INHERIT: "+file+" is not there")
		}
		c.of = merged(c.of, parent.of, true, false)
	}
	return nil
}

// mkdocsSkip leaves out what MkDocs does by itself, but where exclude_docs takes something back: !.well-known.
// https://www.mkdocs.org/user-guide/configuration/#exclude_docs
func mkdocsSkip(excluded ignored) func(string, bool) bool {
	if slices.ContainsFunc(excluded, func(p ignoring) bool { return p.keeps }) {
		return nil
	}
	return func(rel string, isDir bool) bool { return hidden(rel, isDir) || isDir && rel == "templates" }
}

// mkdocsMeta reads what the meta plugin of Material for MkDocs gives all pages of a folder: .meta.yml in it or above
// it.
// https://squidfunk.github.io/mkdocs-material/plugins/meta/
func mkdocsMeta(c *config, docs string) func(*content) ([]header, error) {
	on, options := mkdocsPlugin(c, "meta")
	if !on {
		return nil
	}
	name := options.text("meta_file", ".meta.yml")
	return func(of *content) (all []header, err error) {
		for dir := path.Join(docs, of.dir); ; dir = path.Dir(dir) {
			file := path.Join(dir, name)
			if data, err := c.readInherited(file); err != nil {
				return nil, err
			} else if data != nil {
				h, err := readData(file, data)
				if err != nil {
					return nil, err
				}
				all = append(all, h)
			}
			if dir == docs || dir == "." {
				return all, nil
			}
		}
	}
}

// mkdocsPlugin reports whether a plugin of Material for MkDocs is in use, and with which options. Plugins are a map, or
// a list of names and maps.
func mkdocsPlugin(c *config, name string) (on bool, options section) {
	plugins := c.get("plugins")
	list, isList := plugins.([]any)
	if !isList {
		list = []any{plugins}
	}
	for _, plugin := range list {
		if s, ok := plugin.(string); ok {
			plugin = map[string]any{s: nil}
		}
		all := c.part(plugin)
		for _, key := range []string{name, "material/" + name} {
			if _, ok := all.of[key]; ok {
				return true, all.in(key)
			}
		}
	}
	return false, options
}
