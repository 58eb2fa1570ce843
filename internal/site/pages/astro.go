package pages

import (
	"fmt"
	"io/fs"
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
	layout: func(c *config) (layout, error) {
		// Starlight publishes what is not translated in every language.
		starlight := slices.ContainsFunc(c.program, func(t token) bool {
			return t.kind == word &&
				t.text == "starlight"
		})
		c.program = c.program.without("vite", "adapter", "integrations", "markdown") // an outDir in there is theirs
		l := layout{publish: clean(c.text("outDir", "dist")), fallback: starlight, numbered: true}
		if site := c.text("site", ""); site != "" {
			l.baseURL = strings.TrimSuffix(site, "/") + "/" + strings.TrimPrefix(c.text("base", ""), "/")
		}
		src := clean(c.text("srcDir", "src"))
		s := &astroSite{pages: path.Join(src, "pages"), format: c.from(c.program.block("build"), "format", "directory")}
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
		return l, err
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
	// fixed are the paths of pages without parameters; routes those with some.
	fixed  map[string]bool
	routes []astroRoute
}

// An astroRoute is a page with parameters in its name: blog/[...slug].
type astroRoute struct {
	urls *regexp.Regexp // the paths of its pages
	// counts: its last parameter is the number of a page, as paginate() wants it to be called; part: it is a part of a
	// path.
	// https://docs.astro.build/en/reference/routing-reference/#paginate
	counts, part bool
}

// readRoutes lists what src/pages has by its names alone.
func (s *astroSite) readRoutes(dir string) {
	s.fixed = map[string]bool{}
	filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || file == dir || !e.Type().IsRegular() || underscored(file, false) {
			return nil
		}
		rel, _ := filepath.Rel(dir, file)
		name := "/" + strings.TrimSuffix(filepath.ToSlash(rel), filepath.Ext(rel))
		if strings.Contains(name, "/_") {
			return nil
		}
		name = strings.TrimSuffix(name, "/index")
		all := parameter.FindAllStringSubmatch(name, -1)
		if all == nil {
			s.fixed[name] = true
			return nil
		}
		pattern := regexp.QuoteMeta(name)
		for _, m := range all {
			part := `[^/]+`
			if m[1] != "" {
				part = `.*`
			}
			pattern = strings.Replace(pattern, regexp.QuoteMeta(m[0]), part, 1)
		}
		last := all[len(all)-1]
		s.routes = append(s.routes, astroRoute{regexp.MustCompile(`^` + strings.ReplaceAll(pattern, `/.*`, `(?:/.*)?`) +
			`$`),
			strings.Contains(strings.ToLower(last[2]), "page"), last[1] == "" && strings.HasSuffix(name, last[0])})
		return nil
	})
}

// lists tells of a page by the names of the routes that may make it: whether a number at the end of its path counts the
// pages of a list.
func (s *astroSite) lists(name string) (is, known bool) {
	url := routed(name)
	if s.fixed[url] {
		return false, true
	}
	for _, r := range s.routes {
		if !r.urls.MatchString(url) {
			continue
		}
		if r.counts {
			return true, true
		}
		known = known || r.part
	}
	return false, known
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
	if c.collection == "" {
		c.collection = path.Base(c.folder.dir)
	}
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
		if id == "index" {
			id = ""
		}
		urls = append([]string{id}, urls...)
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
	c := &config{root: root}
	var names []string
	for _, ext := range []string{".ts", ".mjs", ".js", ".mts"} {
		names = append(names, path.Join(src, "content.config"+ext), path.Join(src, "content", "config"+ext))
	}
	if err := c.open(names...); err != nil {
		return nil, nil, err
	}
	for i, t := range c.program {
		if t.kind != word || t.text != "defineCollection" || !c.program.is(i+1, "(") {
			continue
		}
		f, known := c.loader(c.program.inside(i + 1))
		if f != nil {
			if i > 1 && (c.program.is(i-1, "=") || c.program.is(i-1, ":")) {
				f.collection = c.program.exported(c.program[i-2].text)
			}
			all = append(all, *f)
		} else if !known {
			computed = append(computed, policy.Finding{ID: "config-computed", Severity: policy.Warning, File: c.file,
				Line: t.line,
				Message: "what loads this collection is computed, and a configuration is read, never run: " +
					"[site.content] folders says " +
					"where its entries lie, permalinks where they are published; or metarobots.json names each " +
					"page's source"})
		}
	}
	computed = append(computed, c.loaded()...)
	entries, _ := os.ReadDir(joined(root, path.Join(src, "content")))
	for _, e := range entries {
		dir := path.Join(src, "content", e.Name())
		if e.IsDir() && !slices.ContainsFunc(all, func(f folder) bool { return below(dir, f.dir) }) {
			all = append(all, folder{files: files{dir: dir, skip: underscored}, collection: e.Name()})
		}
	}
	return all, computed, nil
}

// loader is the folder that a collection's loader reads; nil where none of its own is known. Without a loader it is
// that of the collection's name, as it is with Starlight's.
func (c *config) loader(definition program) (f *folder, known bool) {
	at := definition.find("loader")
	switch {
	case at == 0:
		named := func(t token) bool { return t.kind == word && t.text == "loader" }
		return nil, definition.is(definition.next(0), "{") && !slices.ContainsFunc(definition, named)
	case slices.Contains([]string{"file", "docsLoader", "i18nLoader"}, definition[at].text) && definition.is(at+1, "("):
		return nil, true
	case definition[at].text != "glob" || !definition.is(at+1, "("):
		return nil, false
	}
	options := definition.inside(at + 1)
	base, ok := c.program.constant(options.at("base"))
	if !ok {
		return nil, false
	}
	f = &folder{files: files{dir: clean(base)}}
	// https://github.com/micromatch/picomatch#globbing-features: [^_]* and !**/_* leave out what is underscored.
	if patterns, _ := options.list("pattern"); strings.Contains(strings.Join(patterns, " "), "_") {
		f.leaves = func(rel string) bool { return strings.Contains("/"+rel, "/_") }
	}
	return f, true
}

// exported is the name under which collections exports a variable, or that of the variable.
func (p program) exported(variable string) string {
	collections := p.block("collections")
	for name, at := range collections.entries {
		if collections[at].kind == word && collections[at].text == variable {
			return name
		}
	}
	return variable
}

// loaded tells of files that file() loads whose entries seem to state something: which pages they are is not known.
// https://docs.astro.build/en/reference/content-loader-reference/#file-loader
func (c *config) loaded() (computed []policy.Finding) {
	for _, name := range c.program.firsts("file") {
		name = clean(name)
		data := firstLines(joined(c.root, name))
		if m := statingKey.FindStringSubmatchIndex(data); m != nil {
			computed = append(computed, policy.Finding{ID: "config-computed", Severity: policy.Warning, File: name,
				Line: 1 + strings.Count(data[:m[2]], "\n"),
				Message: fmt.Sprintf("%s of an entry does not count: file() loads it, and which page shows it is not "+
					"known: its template "+
					"or metarobots.json says it", data[m[2]:m[3]])})
		}
	}
	return computed
}

// statingKey finds one of the keys of front matter that authors use most, in any form of data.
var statingKey = regexp.MustCompile(`(?im)(?:^|[\s{,"'])(robots|googlebot|no_?index|nofollow|robotsnoindex|` +
	`unlisted)["']?\s*[:=]`)
