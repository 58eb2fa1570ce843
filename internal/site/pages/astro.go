package pages

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

var astroConfigs = []string{"astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.mts", "astro.config.cjs"}

// astro: files of src/pages are pages at their own paths; entries of collections are shown by pages whose names hold a
// parameter.
// https://docs.astro.build/en/guides/routing/ https://docs.astro.build/en/guides/content-collections/
var astro = profile{
	name:    "astro",
	configs: astroConfigs,
	detect: func(root string) bool {
		return exists(root, astroConfigs...) || bare(root, "astro") && exists(root, "src/pages")
	},
	layout: func(c *config) (layout, error) {
		c.follow()
		c.program = c.program.without("vite", "adapter", "integrations", "markdown") // an outDir in there is theirs
		l := layout{publish: clean(c.text("outDir", "dist")), numbered: true}
		if site := c.text("site", ""); site != "" {
			l.baseURL = strings.TrimSuffix(site, "/") + "/" + strings.TrimPrefix(c.text("base", ""), "/")
		}
		src := clean(c.text("srcDir", "src"))
		drafts := astroDrafts(joined(c.root, src))
		s := &astroSite{pages: path.Join(src, "pages"), format: c.from(c.program.block("build"), "format", "directory")}
		s.routes, s.fixed = astroRoutes(joined(c.root, s.pages), s.pages)
		var err error
		s.collections, l.computed, err = astroCollections(c.root, src)
		l.lists = s.lists
		l.folders = append(l.folders, folder{dir: s.pages, extensions: astroPages, skip: underscored, place: s.place})
		for _, k := range s.collections {
			if !k.known || slices.ContainsFunc(l.folders, func(f folder) bool { return f.dir == k.base }) {
				continue
			}
			l.folders = append(l.folders, folder{dir: k.base, extensions: astroEntries, drafts: drafts, place: s.place,
				skip:   func(rel string, isDir bool) bool { return s.skips(path.Join(k.base, rel), isDir) },
				leaves: func(rel string) bool { return !slices.ContainsFunc(s.collections, holding(path.Join(k.base, rel))) }})
		}
		l.other = &folder{extensions: astroPages, drafts: drafts, place: s.place}
		if slices.ContainsFunc(s.collections, func(k astroCollection) bool { return !k.known }) {
			l.other.extensions = astroEntries // it may be its folder
		}
		return l, err
	},
}

var (
	astroPages   = []string{".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mkdn"}
	astroEntries = []string{".md", ".mdx", ".markdown", ".mdoc", ".json", ".yaml", ".yml", ".toml"}
)

// An astroSite is what decides where Astro publishes content.
type astroSite struct {
	pages       string // src/pages
	format      string // build.format
	routes      []astroRoute
	fixed       map[string]string // the files of pages without parameters, by their paths
	collections []astroCollection
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

// skips reports whether a file or folder, by its path from the site's folder, holds no entry that any loader finds.
func (s *astroSite) skips(file string, isDir bool) bool {
	return !slices.ContainsFunc(s.collections, func(k astroCollection) bool {
		if isDir {
			to, _ := k.leads(file)
			return to
		}
		// Data that no pattern takes may be anybody's, in any form. Text is looked for all the same: see folder.leaves.
		_, in := k.leads(path.Dir(file))
		return k.holds(file) || in && slices.Contains(astroPages, strings.ToLower(path.Ext(file)))
	})
}

// place says where a page, or an entry of the collections that hold it, is published.
func (s *astroSite) place(c *content) {
	if name, ok := strings.CutPrefix(c.file, s.pages+"/"); ok {
		name = strings.TrimSuffix(name, c.ext)
		c.many = strings.Contains(name, "[")
		c.places = s.files(expandedRoute(name, "*"), path.Base(name) == "index")
		return
	}
	var guesses []string
	in := slices.DeleteFunc(slices.Clone(s.collections), func(k astroCollection) bool { return !k.holds(c.file) })
	if len(in) == 0 { // a pattern may have been read wrong
		in = slices.DeleteFunc(slices.Clone(s.collections), func(k astroCollection) bool { return !k.known || !below(c.file, k.base) })
	}
	if len(in) == 0 { // a folder of the owner's
		for _, k := range s.collections {
			if !k.known {
				k.base = strings.TrimSuffix(strings.TrimSuffix(c.file, c.rel()+c.ext), "/")
				in = append(in, k)
			}
		}
		guesses = s.files("/"+indexed(c), false)
	}
	for i, k := range in {
		if i == 0 {
			c.collection = k.name
		}
		id := k.id(c)
		for _, r := range s.routes {
			if r.shows(k.name) {
				places := s.files(expandedRoute(r.path, id), r.index)
				if url, ok := spoken(r.path, id); ok {
					places = append(places, s.files(url, r.index)...)
				}
				// A page of its own stands there.
				places = slices.DeleteFunc(places, func(name string) bool { return s.fixed[routed(name)] != "" && !s.shown(name, k.name) })
				c.views = append(c.views, view{route: r.file, places: places, sure: r.sure && r.names(k.name), named: r.names(k.name)})
			}
		}
		for _, name := range s.files("/"+k.name+"/"+id, false) {
			if s.fixed[routed(name)] == "" || s.shown(name, k.name) {
				guesses = append(guesses, name)
			}
		}
		if name := path.Join(id, "index.html"); s.shown(name, k.name) {
			guesses = append(guesses, name)
		}
	}
	for _, v := range c.views {
		if v.named {
			c.places = append(c.places, v.places...)
		}
	}
	c.places = append(c.places, guesses...)
}

var astroProgram = regexp.MustCompile(`\.(?:astro|[cm]?[jt]sx?)$`)

// astroDrafts returns the keys of drafts that a program of the site knows: what an entry's key means pages decide, which ask
// for a collection without its drafts. The schema of a collection decides nothing.
// https://docs.astro.build/en/guides/content-collections/#filtering-collection-queries
func astroDrafts(src string) func(*content) []string {
	known := sync.OnceValue(func() (keys []string) {
		filepath.WalkDir(src, func(file string, entry os.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || !astroProgram.MatchString(file) || strings.HasSuffix(strings.TrimSuffix(file, filepath.Ext(file)), "config") {
				return nil
			}
			text := strings.ToLower(firstLines(file))
			for _, key := range draftKeys {
				if (key == "draft" && strings.Contains(text, key) || strings.Contains(text, "data."+key)) && !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
			return nil
		})
		return keys
	})
	return func(*content) []string { return known() }
}

// files are the pages at which a route may be published, by build.format; index says that the file of the route is one.
// https://docs.astro.build/en/reference/configuration-reference/#buildformat
func (s *astroSite) files(route string, index bool) []string {
	name := strings.Trim(route, "/")
	if name == "" {
		return []string{"index.html"}
	}
	if s.format == "file" || s.format == "preserve" && !index {
		return []string{name + ".html", name + "/index.html"}
	}
	return []string{name + "/index.html", name + ".html"}
}
