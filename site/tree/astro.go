package tree

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var astroConfigs = []string{"astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.mts", "astro.config.cjs"}

// astro: files of src/pages are pages at their own paths; entries of collections are shown by a page whose name holds a
// parameter.
// https://docs.astro.build/en/guides/routing/ https://docs.astro.build/en/guides/content-collections/
var astro = profile{
	name:    "astro",
	configs: astroConfigs,
	detect:  func(root string) bool { return exists(root, astroConfigs...) },
	layout: func(c *config) (layout, error) {
		l := layout{publish: clean(c.text("outDir", "dist")), numbered: true}
		if site := c.text("site", ""); site != "" {
			l.baseURL = strings.TrimSuffix(site, "/") + "/" + strings.TrimPrefix(c.text("base", ""), "/")
		}
		src := clean(c.text("srcDir", "src"))
		pages := path.Join(src, "pages")
		l.folders = append(l.folders, folder{dir: pages, extensions: []string{".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mkdn"}, skip: underscored, place: func(c *content) {
			if name := c.rel(); strings.Contains(name, "[") {
				c.many = true
				c.places = urls(expandedRoute(name, "*"))
				return
			}
			c.places = urls("/"+indexed(c), "/"+c.rel()+".html")
		}})
		routes := astroRoutes(c.root, pages)
		collections, err := astroCollections(c.root, src)
		for _, k := range collections {
			l.folders = append(l.folders, folder{dir: k.base, collection: k.name,
				extensions: []string{".md", ".mdx", ".markdown", ".mdoc", ".json", ".yaml", ".yml", ".toml"}, skip: underscored,
				place: func(c *content) { c.places = astroPlaces(c, routes) }})
		}
		return l, err
	},
}

// underscored skips what a leading underscore keeps from being a page.
func underscored(rel string, _ bool) bool { return strings.HasPrefix(path.Base(rel), "_") }

// indexed is a file's path where index stands for its folder.
func indexed(c *content) string {
	if strings.EqualFold(c.base, "index") {
		return c.dir + "/"
	}
	return c.rel()
}

// An astroRoute is a page with a parameter that shows the entries of a collection.
type astroRoute struct {
	path       string // src/pages left out, without the extension: blog/[...slug]
	collection string
	sure       bool // its parameter is the entry's own name
}

var (
	getCollection = regexp.MustCompile(`getCollection\(\s*['"]([^'"]+)['"]`)
	ofEntry       = regexp.MustCompile(`params:\s*\{[^}]*\b\w+\.(?:id|slug)\b`)
	parameter     = regexp.MustCompile(`\[(?:\.\.\.)?([^\]]+)\]`)
)

// astroRoutes finds the pages that name a collection to the letter.
func astroRoutes(root, pages string) (routes []astroRoute) {
	base := joined(root, pages)
	filepath.WalkDir(base, func(file string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !strings.Contains(file, "[") {
			return nil
		}
		rel, _ := filepath.Rel(base, file)
		text := firstLines(file)
		for _, m := range getCollection.FindAllStringSubmatch(text, -1) {
			routes = append(routes, astroRoute{strings.TrimSuffix(filepath.ToSlash(rel), filepath.Ext(rel)), m[1], ofEntry.MatchString(text)})
		}
		return nil
	})
	slices.SortStableFunc(routes, func(a, b astroRoute) int {
		switch {
		case a.sure == b.sure:
			return strings.Compare(a.path, b.path)
		case a.sure:
			return -1
		}
		return 1
	})
	return routes
}

// An astroCollection is a folder of entries.
type astroCollection struct{ name, base string }

// astroCollections are the collections that src/content.config names with a folder, and the folders of src/content.
// https://docs.astro.build/en/reference/content-loader-reference/#glob-loader
func astroCollections(root, src string) (all []astroCollection, err error) {
	c := &config{root: root}
	var names []string
	for _, ext := range []string{".ts", ".mjs", ".js", ".mts"} {
		names = append(names, path.Join(src, "content.config"+ext), path.Join(src, "content", "config"+ext))
	}
	if err := c.open(names...); err != nil {
		return nil, err
	}
	for i, t := range c.program {
		if t.kind != word || t.text != "defineCollection" || !c.program.is(i+1, "(") || i < 2 {
			continue
		}
		name := c.program[i-2].text
		if base, known := c.program.inside(i + 1).text("base"); known == literal && (c.program.is(i-1, "=") || c.program.is(i-1, ":")) {
			all = append(all, astroCollection{name, clean(base)})
		}
	}
	entries, _ := os.ReadDir(joined(root, path.Join(src, "content")))
	for _, e := range entries {
		base := path.Join(src, "content", e.Name())
		if e.IsDir() && !slices.ContainsFunc(all, func(k astroCollection) bool { return k.base == base }) {
			all = append(all, astroCollection{e.Name(), base})
		}
	}
	return all, nil
}

// astroPlaces are the URLs at which a collection's entry may be shown: its own name in the place of the last parameter.
func astroPlaces(c *content, routes []astroRoute) (places []string) {
	id := c.text("slug")
	if id == "" {
		parts := strings.Split(c.rel(), "/")
		for i := range parts {
			parts[i] = githubSlug(parts[i])
		}
		id = strings.TrimSuffix(strings.Join(parts, "/"), "/index")
	}
	for _, r := range routes {
		// A list by tag names the collection too, and takes another parameter.
		own := parameter.FindStringSubmatch(path.Base(r.path))
		if r.collection == c.collection && (r.sure || own != nil && (own[1] == "slug" || own[1] == "id" || own[1] == "path")) {
			places = append(places, urls(expandedRoute(r.path, id))...)
		}
	}
	return append(places, urls("/"+c.collection+"/"+id+"/", "/"+c.collection+"/"+id, "/"+id+"/")...)
}

// expandedRoute puts a value in the place of the last parameter of a route and * in that of the others.
func expandedRoute(route, value string) string {
	all := parameter.FindAllStringIndex(route, -1)
	for i := len(all) - 1; i >= 0; i-- {
		put := "*"
		if i == len(all)-1 {
			put = value
		}
		route = route[:all[i][0]] + put + route[all[i][1]:]
	}
	if rest, ok := strings.CutSuffix(route, "/index"); ok {
		route = rest
	}
	return "/" + route
}
