package pages

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
)

// astro: files of src/pages are published at their own paths, entries of a collection below its
// folder's name, which is a habit: what else a route makes of them is known by page metadata, the
// manifest or [site.content] permalinks.
// https://docs.astro.build/en/guides/routing/ https://docs.astro.build/en/guides/content-collections/
func astro(s *openedSite) {
	c := s.config
	// Starlight publishes what is not translated in every language.
	isStarlight := slices.ContainsFunc(s.config.program, func(t source.Token) bool { return t.Text == "starlight" })
	s.translations.fallback = s.translations.fallback || isStarlight
	src := clean(c.text("srcDir", "src"))
	s.layout.other = &folder{place: astroEntry}
	s.astroLoaders(src)
	entries, _ := os.ReadDir(joined(s.options.Source, path.Join(src, "content")))
	for _, e := range entries {
		// Starlight's texts of the interface:
		// https://starlight.astro.build/guides/i18n/#translate-starlights-ui
		isInterface := isStarlight && e.Name() == "i18n"
		if e.IsDir() && !isInterface {
			s.astroCollection(path.Join(src, "content", e.Name()), e.Name(), true)
		}
	}
	pages := path.Join(src, "pages")
	s.layout.folders = append(s.layout.folders, folder{dir: pages, extensions: astroPages, skip: astroSkip, place: astroPage})
	s.pagers.others = astroPagers(joined(s.options.Source, pages))
}

var (
	astroPages = []string{".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mkdn", ".astro"}
	noPage     = lazyregexp.New(`\[|(?:^|/)(?:404|500)\.`)
	pageRoute  = lazyregexp.New(`\[(?:\.\.\.)?page\]$`)
	parameter  = lazyregexp.New(`\[(\.\.\.)?([^\]]+)\]`)
)

// astroSkip skips what an underscore keeps from being a page, and what of .astro is no page of its
// own.
func astroSkip(file string, _ bool) bool {
	return underscored(file, false) || strings.HasSuffix(file, ".astro") && noPage.MatchString(file)
}

// astroPagers are routes that number the pages of a list: their parameter is called page, as
// paginate() wants it.
// https://docs.astro.build/en/reference/routing-reference/#paginate
func astroPagers(dir string) (all []string) {
	filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, file)
		name := strings.TrimSuffix(filepath.ToSlash(rel), filepath.Ext(rel))
		if err == nil && pageRoute.MatchString(name) {
			all = append(all, parameter.ReplaceAllString(name, "*"))
		}
		return nil
	})
	return all
}

// astroCollection adds the folder of a collection to s.layout, unless a folder there holds it.
// Astro publishes nothing that begins with an underscore if leavesUnderscored.
func (s *openedSite) astroCollection(dir, name string, leavesUnderscored bool) {
	if slices.ContainsFunc(s.layout.folders, func(f folder) bool { return below(dir, f.dir) }) {
		return
	}
	f := folder{dir: dir, collection: name, place: astroEntry}
	if leavesUnderscored {
		f.leaves = globs(dir, "**/_*", "**/_*/**")
	}
	s.layout.folders = append(s.layout.folders, f)
}

// astroLoaders adds to s.layout the folders of collections that src/content.config names, outside
// of src/content too: the base of the loader glob(). src is the folder of Astro's sources, "src".
// What another loader loads is unknown, and is noted as computed. s.err is set if the file cannot
// be read. The forms of a collection:
//
//	const blog = defineCollection({ loader: glob({ base: "./posts", pattern: "**/*.md" }) })
//	const docs = defineCollection({ type: "content" })      a folder of src/content
//	const blog = defineCollection(glob(…))                  a function of the site's own may make it
//
// https://docs.astro.build/en/reference/content-loader-reference/
func (s *openedSite) astroLoaders(src string) {
	c, err := s.open(scripts(path.Join(src, "content.config.{js}"), path.Join(src, "content", "config.{js}"))...)
	s.err = err
	tokens, collection := c.program, ""
	for i, token := range tokens {
		value := i + 2 // behind "loader" and ":", or behind "defineCollection" and "("
		hasLoader := token.Kind == source.Word && token.Text == "loader" && !tokens.Is(i-1, ".")
		if token.Text == "defineCollection" && tokens.Is(i+1, "(") {
			collection = tokens[max(0, i-2)].Text // const NAME = defineCollection(
			hasLoader = !tokens.Is(value, "{")    // a loader in the object is a token of its own
		}
		if hasLoader && value < len(tokens) {
			s.astroLoader(c, tokens[value:], collection)
		}
	}
}

// astroLoader adds the folder of one collection by its loader, with whose name the tokens begin.
func (s *openedSite) astroLoader(config section, tokens source.Tokens, collection string) {
	loader := tokens[0].Text
	options, _, _ := tokens[min(2, len(tokens)):].Expression().Object() // behind the name and "("
	base, _ := options["base"].(string)
	switch {
	case loader == "docsLoader", loader == "i18nLoader": // Starlight's, of src/content
	case loader == "glob" && base != "" && base != source.Computed:
		// A pattern that names an underscore, such as **/[^_]*.md, leaves out what begins with one.
		leavesUnderscored := strings.Contains(fmt.Sprint(options["pattern"]), "_")
		s.astroCollection(clean(base), collection, leavesUnderscored)
	case loader == "file":
		config.noteComputed(fileLoader)
	default:
		config.noteComputed("loader")
	}
}

// astroPage places a file of src/pages; one with parameters makes several.
func astroPage(c *content) {
	c.makesMany = strings.Contains(c.at.path(), "[")
	c.places = c.astroFilesAt(parameter.ReplaceAllString(c.at.indexed(), "*"), c.at.base == "index")
}

// astroEntry places an entry of a collection: below its name, or at the root where it is
// Starlight's docs or the only one; one in the folder of a language below that.
// https://starlight.astro.build/guides/i18n/
// https://docs.astro.build/en/recipes/i18n/#use-collections-for-translated-content
func astroEntry(c *content) {
	c.collection = cmp.Or(c.collection, path.Base(c.folder.dir))
	id := cmp.Or(c.matter.text("slug"), strings.TrimSuffix(slugged(c.at.path()), "/index"))
	urls := []string{path.Join(c.collection, id)}
	if language, rest, _ := strings.Cut(id, "/"); languageFolder.MatchString(language) {
		urls = append(urls, path.Join(language, c.collection, rest))
	}
	if c.collection == "docs" {
		urls = append([]string{strings.TrimPrefix("/"+id, "/index")}, urls...)
	} else if len(c.reader.site.layout.folders) == 2 { // that collection, and src/pages
		urls = append(urls, id)
	}
	for _, url := range urls {
		c.places = append(c.places, c.astroFilesAt(url, false)...)
	}
}

// astroFilesAt are the pages of a path, by build.format:
// https://docs.astro.build/en/reference/configuration-reference/#buildformat
func (c *content) astroFilesAt(url string, index bool) []string {
	names := filesAt("/" + strings.Trim(url, "/"))
	format := c.reader.site.config.in("build").text("format")
	if format == "file" || format == "preserve" && !index {
		slices.Reverse(names)
	}
	return names
}
