package pages

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/policy"
)

// astro: Markdown of src/pages is published at its own path, entries of a collection below the collection's name, which
// is a habit: what else a route makes of them is known by page metadata, the manifest or [site.content] permalinks.
// https://docs.astro.build/en/guides/routing/ https://docs.astro.build/en/guides/content-collections/
var astro = profile{
	name:    "astro",
	configs: []string{"astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.mts", "astro.config.cjs"},
	module:  "astro", beside: []string{"src/pages"},
	redirects: "noindex", // https://docs.astro.build/en/guides/routing/#redirects
	publish:   [2]string{"outDir", "dist"}, url: "site", at: "base",
	layout: func(c *config, l *layout) error {
		// Starlight publishes what is not translated in every language.
		l.fallback = slices.ContainsFunc(c.program.program, func(t token) bool {
			return t.kind == word && t.text == "starlight"
		})
		l.numbered = true
		src := clean(c.text("srcDir", "src"))
		s := &astroSite{pages: path.Join(src, "pages"), format: c.in("build").text("format", "directory")}
		s.readRoutes(joined(c.root, s.pages))
		l.lists = s.lists
		l.folders = []folder{{files: files{dir: s.pages, extensions: astroPages, skip: underscored}, place: s.page}}
		collections, computed, err := astroCollections(c.root, src)
		s.alone = len(collections) == 1
		for _, f := range collections {
			f.extensions, f.place = astroEntries, s.entry
			l.folders = append(l.folders, f)
		}
		l.computed = computed
		l.other = &folder{files: files{extensions: astroEntries}, place: s.entry}
		return err
	},
}

var (
	astroPages   = []string{".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mkdn"}
	astroEntries = []string{".md", ".mdx", ".markdown", ".mdoc", ".json", ".yaml", ".yml", ".toml"}
	parameter    = regexp.MustCompile(`\[(\.\.\.)?([^\]]+)\]`)
)

// An astroSite is what decides where Astro publishes content.
type astroSite struct {
	pages  string // src/pages
	format string // build.format
	alone  bool   // there is one collection
	// fixed are the paths of pages without parameters; routes are the names of those with some.
	fixed  map[string]bool
	routes []string
}

// readRoutes lists what src/pages has by its names alone.
func (s *astroSite) readRoutes(dir string) {
	s.fixed = map[string]bool{}
	filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, file)
		name := "/" + strings.TrimSuffix(filepath.ToSlash(rel), filepath.Ext(rel))
		if err == nil && e.Type().IsRegular() && !strings.Contains(name, "/_") {
			name = strings.TrimSuffix(name, "/index")
			if s.fixed[name] = !strings.Contains(name, "["); !s.fixed[name] {
				s.routes = append(s.routes, name)
			}
		}
		return nil
	})
}

// lists tells of a page by the names of the routes that may make it: whether a number at the end of its path counts the
// pages of a list. Such a parameter is called page, as paginate() wants it.
// https://docs.astro.build/en/reference/routing-reference/#paginate
func (s *astroSite) lists(name string) (is, known bool) {
	url := routed(name)
	for _, route := range s.routes {
		if fits, _ := path.Match(parameter.ReplaceAllString(route, "*"), url); !fits {
			continue
		}
		last := path.Base(route)
		if strings.Contains(strings.ToLower(last), "page") {
			return !s.fixed[url], true
		}
		known = known || !strings.Contains(last, "...")
	}
	return false, known || s.fixed[url]
}

// routed is the path of the file of src/pages that makes a page.
func routed(name string) string {
	return strings.TrimSuffix("/"+strings.TrimSuffix(name, ".html"), "/index")
}

// underscored skips what a leading underscore keeps from being a page.
func underscored(rel string, _ bool) bool { return strings.HasPrefix(path.Base(rel), "_") }

// page places a file of src/pages; one with parameters makes several.
func (s *astroSite) page(c *content) {
	c.many = strings.Contains(c.rel(), "[")
	c.places = s.named(parameter.ReplaceAllString(c.indexed(), "*"), c.base == "index")
}

// entry places an entry of a collection: below its name, or at the root where it is Starlight's docs or the only one;
// one in the folder of a language below that. A page that a file of its own makes is none of them.
// https://starlight.astro.build/guides/i18n/
// https://docs.astro.build/en/recipes/i18n/#use-collections-for-translated-content
func (s *astroSite) entry(c *content) {
	c.collection = cmp.Or(c.collection, path.Base(c.folder.dir))
	id := c.text("slug")
	if id == "" {
		parts := strings.Split(c.rel(), "/")
		for i := range parts {
			parts[i] = githubSlug(parts[i])
		}
		id = strings.TrimSuffix(strings.Join(parts, "/"), "/index")
	}
	urls := []string{path.Join(c.collection, id)}
	if language, rest, _ := strings.Cut(id, "/"); languageFolder.MatchString(language) {
		urls = append(urls, path.Join(language, c.collection, rest))
	}
	if c.collection == "docs" {
		urls = append([]string{strings.TrimPrefix("/"+id, "/index")}, urls...)
	} else if s.alone {
		urls = append(urls, id)
	}
	for _, url := range urls {
		for _, name := range s.named(url, false) {
			if !s.fixed[routed(name)] {
				c.places = append(c.places, name)
			}
		}
	}
}

// named are the pages at which a path may be published, by build.format; index says that its file is one.
// https://docs.astro.build/en/reference/configuration-reference/#buildformat
func (s *astroSite) named(url string, index bool) []string {
	name := strings.Trim(url, "/")
	if name == "" {
		return []string{"index.html"}
	}
	if s.format == "file" || s.format == "preserve" && !index {
		return []string{name + ".html", name + "/index.html"}
	}
	return []string{name + "/index.html", name + ".html"}
}

// astroCollections are the folders of src/content, and those that src/content.config names as the base of glob(). What
// else loads a collection is a finding.
// https://docs.astro.build/en/reference/content-loader-reference/#glob-loader
func astroCollections(root, src string) (all []folder, computed []policy.Finding, err error) {
	c := newConfig(root)
	var names []string
	for _, ext := range []string{".ts", ".mjs", ".js", ".mts"} {
		names = append(names, path.Join(src, "content.config"+ext), path.Join(src, "content", "config"+ext))
	}
	if err := c.open(names...); err != nil {
		return nil, nil, err
	}
	warn := func(file string, line int, message string) {
		computed = append(computed, policy.Finding{ID: "config-computed", Severity: policy.Warning, File: file,
			Line: line, Message: message})
	}
	// A collection has the name under which it is exported, or that of its variable.
	exported := map[string]string{}
	for name, value := range c.in("collections").of {
		if variable, ok := value.(unknown); ok {
			exported[string(variable)] = name
		} else if _, taken := c.of[name]; !taken {
			c.of[name], c.lines[strings.ToLower(name)] = value, c.lines[strings.ToLower("collections."+name)]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.of)) {
		collection, ok := c.of[name].(call)
		if !ok || collection.name != "defineCollection" {
			continue
		}
		f, known := astroLoader(collection)
		if f != nil {
			f.collection = cmp.Or(exported[name], name)
			all = append(all, *f)
		} else if !known {
			warn(c.file, c.lines[strings.ToLower(name)], "what loads this collection is computed, and a "+
				"configuration is read, never run: [site.content] folders says where its entries lie, permalinks "+
				"where they are published; or metarobots.json names each page's source")
		}
	}
	// Which pages show the entries of a file is not known.
	// https://docs.astro.build/en/reference/content-loader-reference/#file-loader
	for _, arguments := range c.program.calls("file") {
		name := clean(c.program.argument(arguments, 0))
		data := firstLines(joined(root, name))
		if m := statingKey.FindStringSubmatchIndex(data); m != nil {
			warn(name, 1+strings.Count(data[:m[2]], "\n"), fmt.Sprintf("%s of an entry does not count: file() loads "+
				"it, and which page shows it is not known: its template or metarobots.json says it", data[m[2]:m[3]]))
		}
	}
	entries, _ := os.ReadDir(joined(root, path.Join(src, "content")))
	for _, e := range entries {
		dir := path.Join(src, "content", e.Name())
		if e.IsDir() && !slices.ContainsFunc(all, func(f folder) bool { return below(dir, f.dir) }) {
			all = append(all, folder{files: files{dir: dir, skip: underscored}, collection: e.Name()})
		}
	}
	return all, computed, nil
}

// astroLoader is the folder that a collection's loader reads; nil where none of its own is known. Without a loader it
// is that of the collection's name, as it is with Starlight's.
func astroLoader(collection call) (f *folder, known bool) {
	definition := firstMap(collection.arguments)
	loader, ok := definition["loader"].(call)
	if !ok || len(loader.arguments) == 0 {
		_, has := definition["loader"]
		return nil, definition != nil && !has || slices.Contains([]string{"docsLoader", "i18nLoader"}, loader.name)
	}
	options, _ := loader.arguments[0].(map[string]any)
	base, ok := options["base"].(string)
	if loader.name != "glob" || !ok {
		return nil, slices.Contains([]string{"file", "docsLoader", "i18nLoader"}, loader.name)
	}
	f = &folder{files: files{dir: clean(base)}}
	// https://github.com/micromatch/picomatch#globbing-features: [^_]* and !**/_* leave out what is underscored.
	if strings.Contains(fmt.Sprint(options["pattern"]), "_") {
		f.leaves = func(rel string) bool { return strings.Contains("/"+rel, "/_") }
	}
	return f, true
}

// statingKey finds one of the keys of front matter that authors use most, in any form of data.
var statingKey = regexp.MustCompile(`(?im)(?:^|[\s{,"'])(robots|googlebot|no_?index|nofollow|robotsnoindex|` +
	`unlisted)["']?\s*[:=]`)
