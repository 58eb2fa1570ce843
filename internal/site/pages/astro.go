package pages

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/source"
)

// astro: files of src/pages are published at their own paths, entries of a collection below its folder's name, which is
// a habit: what else a route makes of them is known by page metadata, the manifest or [site.content] permalinks.
// https://docs.astro.build/en/guides/routing/ https://docs.astro.build/en/guides/content-collections/
func astro(s *openedSite) {
	c := s.config
	// Starlight publishes what is not translated in every language.
	isStarlight := slices.ContainsFunc(s.config.program, func(t source.Token) bool { return t.Text == "starlight" })
	s.fallback = s.fallback || isStarlight
	src := clean(c.text("srcDir", "src"))
	s.other = &folder{place: astroEntry}
	s.astroLoaders(src)
	entries, _ := os.ReadDir(joined(s.options.Source, path.Join(src, "content")))
	for _, e := range entries {
		// Starlight's texts of the interface: https://starlight.astro.build/guides/i18n/#translate-starlights-ui
		isInterface := isStarlight && e.Name() == "i18n"
		if e.IsDir() && !isInterface {
			s.astroCollection(path.Join(src, "content", e.Name()), e.Name(), true)
		}
	}
	pages := path.Join(src, "pages")
	s.layout = append(s.layout, folder{dir: pages, extensions: astroPages, skip: astroSkip, place: astroPage})
	s.pagers = astroPagers(joined(s.options.Source, pages))
}

var (
	astroPages = []string{".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mkdn", ".astro"}
	noPage     = regexp.MustCompile(`\[|(?:^|/)(?:404|500)\.`)
	pageRoute  = regexp.MustCompile(`\[(?:\.\.\.)?page\]$`)
	parameter  = regexp.MustCompile(`\[(\.\.\.)?([^\]]+)\]`)
)

// astroSkip skips what an underscore keeps from being a page, and what of .astro is no page of its own.
func astroSkip(file string, _ bool) bool {
	return underscored(file, false) || strings.HasSuffix(file, ".astro") && noPage.MatchString(file)
}

// astroPagers are routes that number the pages of a list: their parameter is called page, as paginate() wants it.
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

// astroCollection adds the folder of a collection, of which that may be left out which begins with an underscore.
func (s *openedSite) astroCollection(dir, name string, underscored bool) {
	if slices.ContainsFunc(s.layout, func(f folder) bool { return below(dir, f.dir) }) {
		return
	}
	f := folder{dir: dir, collection: name, place: astroEntry}
	if underscored {
		f.leaves = globs(dir, "**/_*", "**/_*/**")
	}
	s.layout = append(s.layout, f)
}

// astroLoaders adds the folders that src/content.config names as the base of glob(). What else loads a collection is a
// finding. https://docs.astro.build/en/reference/content-loader-reference/
func (s *openedSite) astroLoaders(src string) {
	c, err := s.open(scripts(path.Join(src, "content.config.{js}"), path.Join(src, "content", "config.{js}"))...)
	s.err = err
	collection := ""
	for i, t := range c.program {
		next, loads := i+2, t.Kind == source.Word && t.Text == "loader" && !c.program.Is(i-1, ".")
		if t.Text == "defineCollection" && c.program.Is(i+1, "(") {
			collection, loads = c.program[max(0, i-2)].Text, !c.program.Is(next, "{")
		}
		if !loads || next >= len(c.program) {
			continue // a folder of src/content
		}
		loader := c.program[next].Text
		options, _, _ := c.program[min(next+2, len(c.program)):].Expression().Object()
		base, _ := options["base"].(string)
		switch {
		case loader == "docsLoader", loader == "i18nLoader":
		case loader == "glob" && base != "" && base != source.Computed:
			s.astroCollection(clean(base), collection, strings.Contains(fmt.Sprint(options["pattern"]), "_"))
		case loader == "file":
			c.miss(fileLoader)
		default:
			c.miss("loader")
		}
	}
}

// astroPage places a file of src/pages; one with parameters makes several.
func astroPage(c *content) {
	c.makesMany = strings.Contains(c.rel(), "[")
	c.places = c.astroFilesAt(parameter.ReplaceAllString(c.indexed(), "*"), c.base == "index")
}

// astroEntry places an entry of a collection: below its name, or at the root where it is Starlight's docs or the only
// one; one in the folder of a language below that.
// https://starlight.astro.build/guides/i18n/
// https://docs.astro.build/en/recipes/i18n/#use-collections-for-translated-content
func astroEntry(c *content) {
	c.collection = cmp.Or(c.collection, path.Base(c.folder.dir))
	id := cmp.Or(c.matter.text("slug"), strings.TrimSuffix(slugged(c.rel()), "/index"))
	urls := []string{path.Join(c.collection, id)}
	if language, rest, _ := strings.Cut(id, "/"); languageFolder.MatchString(language) {
		urls = append(urls, path.Join(language, c.collection, rest))
	}
	if c.collection == "docs" {
		urls = append([]string{strings.TrimPrefix("/"+id, "/index")}, urls...)
	} else if len(c.reader.site.layout) == 2 { // that collection, and src/pages
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
