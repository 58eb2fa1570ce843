package tree

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var eleventyConfigs = []string{".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs", "eleventy.config.ts"}

// eleventy: every template makes a page at its own path, or where permalink says.
// https://www.11ty.dev/docs/permalinks/ https://www.11ty.dev/docs/config/
var eleventy = profile{
	name:    "eleventy",
	configs: eleventyConfigs,
	detect:  func(root string) bool { return exists(root, eleventyConfigs...) },
	layout: func(c *config) (layout, error) {
		directory := func(key, setter, byDefault string) string {
			if named := c.program.calls(setter); len(named) > 0 {
				return named[0]
			}
			if dir := c.program.block("dir"); dir != nil {
				return c.from(dir, key, byDefault)
			}
			return byDefault
		}
		input := clean(directory("input", "setInputDirectory", "."))
		output := clean(directory("output", "setOutputDirectory", "_site"))
		includes := path.Join(input, clean(directory("includes", "setIncludesDirectory", "_includes")))
		data := path.Join(input, clean(directory("data", "setDataDirectory", "_data")))
		layouts := path.Join(input, clean(directory("layouts", "setLayoutsDirectory", "_includes")))
		var patterns []string
		for _, file := range []string{".eleventyignore", ".gitignore"} {
			for pattern := range strings.FieldsSeq(firstLines(joined(c.root, file))) {
				patterns = append(patterns, pattern, strings.TrimSuffix(pattern, "/")+"/**")
			}
		}
		ignored := globs(patterns)
		e := &eleventySite{root: c.root, input: input, layouts: []string{layouts, includes}}
		return layout{publish: output, folders: []folder{{
			dir: input, extensions: []string{".md", ".html", ".njk", ".liquid", ".hbs", ".mustache", ".ejs", ".haml", ".pug", ".webc", ".mdx", ".vto"}, deep: true,
			skip: func(rel string, _ bool) bool {
				file := path.Join(input, rel)
				return below(file, output) && output != "" || below(file, includes) || below(file, data) || below(file, layouts)
			},
			leaves:  func(rel string) bool { return matches(ignored, path.Join(input, rel)) },
			inherit: e.inherit, place: e.place,
		}}}, nil
	},
}

// eleventyData are the endings of data files, those first whose values win.
var eleventyData = []string{".11tydata.js", ".11tydata.mjs", ".11tydata.cjs", ".11tydata.json", ".json"}

type eleventySite struct {
	root, input string
	layouts     []string
}

// inherit reads the data files beside a template and in the folders above it, then the front matter of its layouts. Of a
// data file that is a program literal values are read.
// https://www.11ty.dev/docs/data-cascade/
func (e *eleventySite) inherit(c *content) (all []header, err error) {
	take := func(file string) error {
		data, err := os.ReadFile(filepath.Join(e.root, filepath.FromSlash(file)))
		if err != nil {
			return nil // most files have none
		}
		if !strings.HasSuffix(file, ".json") {
			all = append(all, c.program(file, data, 0))
			return nil
		}
		h, err := readData(file, data)
		if err != nil {
			return placed(file, 0, err.Error())
		}
		all = append(all, h)
		return nil
	}
	folder := path.Join(e.input, c.dir)
	for _, ending := range eleventyData {
		if err := take(path.Join(folder, c.base+ending)); err != nil {
			return nil, err
		}
	}
	for dir := folder; ; dir = path.Dir(dir) {
		name := path.Base(dir)
		if dir == "" || dir == "." {
			name = filepath.Base(e.root)
			dir = ""
		}
		for _, ending := range eleventyData {
			if err := take(path.Join(dir, name+ending)); err != nil {
				return nil, err
			}
		}
		if dir == e.input || dir == "" {
			break
		}
	}
	params := c.params
	for _, h := range all {
		params = merged(params, h.Params, true)
	}
	for range 8 { // a layout that is its own ends somewhere
		name, _ := params["layout"].(string)
		if name == "" {
			break
		}
		h, ok := e.layout(name)
		if !ok {
			break
		}
		all = append(all, h)
		params = h.Params
	}
	return all, nil
}

// layout reads the front matter of a layout, whose name may lack its extension.
func (e *eleventySite) layout(name string) (header, bool) {
	for _, dir := range e.layouts {
		for _, ext := range []string{"", ".njk", ".liquid", ".html", ".hbs", ".ejs", ".webc", ".pug"} {
			file := path.Join(dir, name+ext)
			data, err := os.ReadFile(filepath.Join(e.root, filepath.FromSlash(file)))
			if err != nil {
				continue
			}
			c := content{file: file, ext: path.Ext(file)}
			h, err := c.read(data, plainDialect)
			return h, err == nil
		}
	}
	return header{}, false
}

var (
	liquidValue = regexp.MustCompile(`\{\{-?\s*([^}]*?)\s*-?\}\}`)
	liquidTag   = regexp.MustCompile(`\{%.*?%\}`)
	condition   = regexp.MustCompile(`\{%-?\s*if.*?\{%-?\s*endif\s*-?%\}`)
)

// place: permalink is a URL of its own, with values that are known put in; false publishes nothing.
func (e *eleventySite) place(c *content) {
	slug := c.base
	if m := dated.FindStringSubmatch(c.base); m != nil {
		slug = m[4]
	}
	stem := path.Join(c.dir, slug)
	if slug == "index" {
		stem, slug = c.dir, path.Base(c.dir)
	}
	_, c.many = c.params["pagination"]
	permalink := lookup(c.params, []string{"permalink"})
	if computed, ok := lookup(c.params, []string{"eleventycomputed", "permalink"}).(string); ok {
		permalink = computed
	}
	if on, ok := permalink.(bool); ok && !on {
		c.unpublished = true
		return
	}
	if s, ok := permalink.(string); ok {
		values := map[string]string{"page.fileSlug": slug, "page.filePathStem": "/" + path.Join(c.dir, slug), "page.inputPath": "./" + c.file}
		s = liquidValue.ReplaceAllStringFunc(s, func(written string) string {
			name, filters, _ := strings.Cut(liquidValue.FindStringSubmatch(written)[1], "|")
			name = strings.TrimSpace(name)
			value, ok := values[name]
			if !ok {
				value = c.text(name)
			}
			if value == "" || strings.Contains(name, ".") && !ok {
				return "*"
			}
			switch filters = strings.TrimSpace(filters); {
			case filters == "":
				return value
			case filters == "slugify" || filters == "slug":
				return plainSlug(value)
			}
			return "*"
		})
		if liquidTag.MatchString(s) {
			// What a condition prints may be there or not: both are looked for. What another tag prints is not known.
			c.places = urls(condition.ReplaceAllString(s, ""))
			if strings.Contains(s, "else") || !condition.MatchString(s) {
				s = condition.ReplaceAllString(s, "**")
			}
			s = liquidTag.ReplaceAllString(s, "")
		}
		c.places = append(c.places, urls(s)...)
		return
	}
	c.places = urls("/"+path.Join(c.dir, c.base)+"/", "/"+stem+"/")
	if c.base == "index" || strings.HasSuffix(c.dir, "/"+c.base) || c.dir == c.base {
		c.places = append(urls("/"+c.dir+"/"), c.places...)
	}
	if c.many { // numbered below its own page
		c.places = append(c.places, path.Join(c.rel(), "*", "index.html"))
	}
}
