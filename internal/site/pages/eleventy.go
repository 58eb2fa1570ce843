package pages

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
)

// eleventy: every template makes a page at its own path, or where permalink says.
// https://www.11ty.dev/docs/permalinks/ https://www.11ty.dev/docs/config/
var eleventy = profile{
	name: "eleventy",
	configs: []string{".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs",
		"eleventy.config.ts"},
	module: "@11ty/eleventy",
	layout: func(c *config, l *layout) error {
		directory := func(key, byDefault string) string {
			setter := "set" + strings.ToUpper(key[:1]) + key[1:] + "Directory"
			for _, arguments := range c.program.calls(setter) {
				if named := c.program.argument(arguments, 0); named != "" {
					return clean(named)
				}
			}
			return clean(c.in("dir").text(key, byDefault))
		}
		input, output := directory("input", "."), directory("output", "_site")
		includes := path.Join(input, directory("includes", "_includes"))
		layouts := path.Join(input, directory("layouts", "_includes"))
		e := &eleventySite{config: c, input: input, data: path.Join(input, directory("data", "_data")),
			layouts: []string{layouts, includes}}
		for _, renamed := range []string{"setDataFileBaseName", "setDataFileSuffixes"} {
			if c.program.calls(renamed) != nil {
				c.miss(renamed)
			}
		}
		ignored := readIgnored(firstLines(joined(c.root, ".gitignore")) + "\n" +
			firstLines(joined(c.root, ".eleventyignore")) + "\n" + e.ignores())
		skip := func(rel string, _ bool) bool {
			file := path.Join(input, rel)
			return path.Base(rel) == "node_modules" || below(file, output) && output != "" ||
				below(file, includes) || below(file, e.data) || below(file, layouts)
		}
		l.publish, l.folders = output, []folder{{
			files: files{dir: input, extensions: eleventyTemplates, every: true, skip: skip,
				leaves: func(rel string) bool { return ignored.match(path.Join(input, rel)) }},
			deep: true, inherit: e.inherit, place: e.place,
		}}
		return nil
	},
}

// eleventyTemplates are the extensions of templates.
var eleventyTemplates = []string{".md", ".html", ".njk", ".liquid", ".hbs", ".mustache", ".ejs", ".haml", ".pug",
	".webc", ".mdx", ".vto",
	".11ty.js", ".11ty.cjs", ".11ty.mjs", ".11ty.ts", ".11ty.mts", ".11ty.cts", ".11ty.jsx", ".11ty.tsx"}

type eleventySite struct {
	config      *config
	input, data string
	layouts     []string
	globals     []header // those that speak of pages, those first whose values win
	read        bool
}

// What data files are called, those first whose values win: .yml, .yaml and .toml where addDataExtension names them,
// and where it does not nothing else is called so. https://www.11ty.dev/docs/data-template-dir/
var (
	eleventyData    = []string{".js", ".cjs", ".mjs", ".json", ".yml", ".yaml", ".toml"}
	eleventyEndings = []string{".11tydata.js", ".11tydata.mjs", ".11tydata.cjs", ".11tydata.json", ".json",
		".11tydata.yml", ".yml", ".11tydata.yaml", ".yaml", ".11tydata.toml", ".toml"}
)

// ignores are the paths that the configuration ignores, ignores.add("drafts/**"), as patterns from the site's folder.
// https://www.11ty.dev/docs/ignores/#configuration-api
func (e *eleventySite) ignores() (patterns string) {
	p := &e.config.program
	for i, t := range p.program {
		if t.kind == word && t.text == "ignores" && p.is(i+1, ".") && i+2 < len(p.program) && p.program[i+2].text == "add" {
			if name := p.argument(p.inside(i+3).split(), 0); name != "" {
				patterns += "/" + strings.TrimPrefix(name, "./") + "\n"
			}
		}
	}
	return patterns
}

// inherit reads the data files beside a template and in the folders above it, the front matter of its layouts, and
// global data. https://www.11ty.dev/docs/data-cascade/
func (e *eleventySite) inherit(c *content) (all []header, err error) {
	for _, file := range e.beside(c) {
		if all, err = e.take(all, c.in, file, nil); err != nil {
			return nil, err
		}
	}
	if !e.read {
		e.read = true
		e.added(c.in)
		if err := e.everywhere(c.in); err != nil {
			return nil, err
		}
	}
	params := c.params
	for _, h := range slices.Concat(all, e.globals) {
		params = merged(params, h.Params, true, true)
	}
	for range 8 { // a layout that is its own ends somewhere
		name, _ := params["layout"].(string)
		h, ok := e.layout(c.in, name)
		if !ok {
			break
		}
		all = append(all, h)
		params = h.Params
	}
	return append(all, e.globals...), nil
}

// beside are the names of the data files of a template: its own, those of its folder and of the folders above it.
func (e *eleventySite) beside(c *content) (names []string) {
	folder := path.Join(e.input, c.dir)
	for _, ending := range eleventyEndings {
		names = append(names, path.Join(folder, c.base+ending))
	}
	for dir := folder; ; dir = path.Dir(dir) {
		name := path.Base(dir)
		if dir == "" || dir == "." {
			name = filepath.Base(e.config.root)
			dir = ""
		}
		for _, ending := range eleventyEndings {
			names = append(names, path.Join(dir, name+ending))
		}
		if dir == e.input || dir == "" {
			return names
		}
	}
}

// take reads a data file, whose value is that of the key above in global data.
func (e *eleventySite) take(all []header, r *reader, file string, above []string) ([]header, error) {
	data, err := e.config.readInherited(file)
	if data == nil || err != nil {
		return all, err
	}
	if strings.HasSuffix(file, "js") {
		p := readScript(data).read(true)
		if len(above) > 0 {
			return append(all, r.literal(file, &p, p.exported(), above)), nil
		}
		return append(all, r.program(file, &p)), nil
	}
	h := header{file: file, above: above}
	value, err := h.readValue(data)
	h.nest(value, above)
	return append(all, h), err
}

// layout reads the front matter of a layout, whose name may lack its extension, or be another one that the
// configuration gives it. https://www.11ty.dev/docs/layouts/
func (e *eleventySite) layout(r *reader, name string) (h header, ok bool) {
	if name == "" {
		return h, false
	}
	p := &e.config.program
	for _, arguments := range p.calls("addLayoutAlias") {
		if file := p.argument(arguments, 1); file != "" && p.argument(arguments, 0) == name {
			name = file
		}
	}
	for _, dir := range e.layouts {
		for _, ext := range append([]string{""}, eleventyTemplates...) {
			file := path.Join(dir, name+ext)
			data, err := e.config.readInherited(file)
			if data == nil && err == nil {
				continue
			}
			if err == nil {
				of := files{extensions: eleventyTemplates}
				h, err = r.frontMatter(file, of.extension(file), data, dialect{})
			}
			if err != nil {
				r.unreadable(file, err)
			}
			return h, err == nil
		}
	}
	return h, false
}

// added reads what the configuration adds by addGlobalData. What it adds later goes before what it did earlier. A
// template that it adds is not read. https://www.11ty.dev/docs/data-global-custom/
// https://www.11ty.dev/docs/virtual-templates/
func (e *eleventySite) added(r *reader) {
	file, p := e.config.file, &e.config.program
	for _, arguments := range p.calls("addTemplate") {
		if slices.ContainsFunc(slices.Concat(arguments[min(1, len(arguments)):]...), r.speaks) {
			r.computes(file, "addTemplate")
		}
	}
	for _, arguments := range slices.Backward(p.calls("addGlobalData")) {
		key := p.argument(arguments, 0)
		above := strings.Split(key, ".")
		if key == "" {
			r.computes(file, "addGlobalData")
		} else if len(arguments) > 1 && r.matters(above) {
			e.globals = append(e.globals, r.literal(file, p, arguments[1], above))
		}
	}
}

// speaks reports whether a token is a key that states something, or a text with a line of front matter that does.
func (r *reader) speaks(t token) bool {
	if t.kind != word && t.kind != text {
		return false
	}
	for line := range strings.Lines(t.text) {
		key, _, _ := strings.Cut(line, ":")
		if r.keys[strings.ToLower(strings.TrimSpace(key))] {
			return true
		}
	}
	return false
}

// everywhere reads the global data of the data folder that speaks of every template: its keys are the names of files
// and of the folders that they are in. What cannot be read is an error once. https://www.11ty.dev/docs/data-global/
func (e *eleventySite) everywhere(r *reader) (err error) {
	root := joined(e.config.root, e.data)
	for _, want := range eleventyData {
		filepath.WalkDir(root, func(name string, entry fs.DirEntry, fault error) error {
			rel, _ := filepath.Rel(root, name)
			rel = filepath.ToSlash(rel)
			ext := path.Ext(rel)
			above := strings.Split(strings.TrimSuffix(rel, ext), "/")
			if fault == nil && err == nil && !entry.IsDir() && ext == want && r.matters(above) {
				e.globals, err = e.take(e.globals, r, path.Join(e.data, rel), above)
			}
			return nil
		})
	}
	return err
}

// computed puts what a template or its data says under eleventyComputed before all else. Of a template in it, what
// comes out is not known. https://www.11ty.dev/docs/data-computed/
func (e *eleventySite) computed(c *content) {
	var computed []header
	for i := range c.headers {
		h := c.headers[i]
		all, _ := frontmatter.Lookup(h.Params, []string{"eleventycomputed"}).(map[string]any)
		h.under, h.Params = []string{"eleventycomputed"}, map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if name := strings.ToLower(key); !c.in.keys[name] && name != "seo" && name != "params" {
				continue
			}
			if strings.Contains(fmt.Sprint(all[key]), "{") {
				c.in.computes(h.file, "eleventyComputed."+key)
			} else {
				h.Params[key] = all[key]
			}
		}
		if len(h.Params) > 0 {
			computed = append(computed, h)
		}
	}
	for _, h := range slices.Backward(computed) {
		c.params = merged(h.Params, c.params, false, false)
	}
	c.headers = append(computed, c.headers...)
}

// computesPermalink reports whether the permalink is among the keys that are computed of what a file says or inherits.
func (c *content) computesPermalink() bool {
	return slices.ContainsFunc(c.headers, func(h header) bool {
		return slices.ContainsFunc(c.in.computed[h.file], func(key string) bool {
			return strings.TrimPrefix(key, "eleventyComputed.") == "permalink"
		})
	})
}

// place: permalink is a URL of its own, with values that are known put in; false publishes nothing.
func (e *eleventySite) place(c *content) {
	e.computed(c)
	slug := c.base
	if m := dated.FindStringSubmatch(c.base); m != nil {
		slug = m[4]
	}
	stem := path.Join(c.dir, slug)
	known := map[string]string{"page.fileSlug": slug, "page.filePathStem": "/" + stem, "page.inputPath": "./" + c.file}
	if slug == "index" {
		stem, known["page.fileSlug"] = c.dir, path.Base(c.dir)
	}
	_, c.many = c.params["pagination"]
	permalink := frontmatter.Lookup(c.params, []string{"permalink"})
	if computed, ok := frontmatter.Lookup(c.params, []string{"eleventycomputed", "permalink"}).(string); ok {
		permalink = computed
	}
	if address, ok := permalink.(string); ok {
		c.places = permalinked(address, known, c)
		return
	}
	if permalink == false {
		c.unpublished = true
		return
	}
	c.places = urls("/"+path.Join(c.dir, c.base)+"/", "/"+stem+"/")
	if c.base == "index" || c.base == path.Base(c.dir) {
		c.places = append(urls("/"+c.dir+"/"), c.places...)
	}
	if permalink == nil && c.computesPermalink() {
		// What a permalink most often computes: https://www.11ty.dev/docs/permalinks/#remove-trailing-slashes
		c.places = append(c.places, stem+".html")
	}
	if c.many { // numbered below its own page
		c.places = append(c.places, path.Join(path.Dir(c.places[0]), aNumber, "index.html"))
	}
}

var (
	liquidValue = regexp.MustCompile(`\{\{-?\s*([^}]*?)\s*-?\}\}`)
	liquidTag   = regexp.MustCompile(`\{%.*?%\}`)
	pageNumber  = regexp.MustCompile(`^pagination\.pageNumber\s*(?:\+\s*\d+|\|\s*plus:\s*\d+)?$`)
	condition   = regexp.MustCompile(`\{%-?\s*if.*?\{%-?\s*endif\s*-?%\}`)
)

// permalinked are the files of a permalink, with values of the page and of front matter put in.
func permalinked(permalink string, known map[string]string, c *content) (places []string) {
	s := liquidValue.ReplaceAllStringFunc(permalink, func(written string) string {
		expression := liquidValue.FindStringSubmatch(written)[1]
		name, filters, _ := strings.Cut(expression, "|")
		name, filters = strings.TrimSpace(name), strings.TrimSpace(filters)
		value, ok := known[name]
		if !ok && !strings.Contains(name, ".") {
			value = c.text(name)
		}
		switch {
		case pageNumber.MatchString(expression):
			return aNumber
		case value == "":
		case filters == "":
			return value
		case filters == "slugify":
			return plainSlug(value)
		case filters == "slug":
			return oldSlug(value)
		}
		if strings.Contains(filters, "/") { // a date, most likely
			return "**"
		}
		return "*"
	})
	if liquidTag.MatchString(s) {
		// What a condition prints may be there or not: both are looked for. What another tag prints is not known.
		places = urls(condition.ReplaceAllString(s, ""))
		if strings.Contains(s, "else") || !condition.MatchString(s) {
			s = condition.ReplaceAllString(s, "**")
		}
		s = liquidTag.ReplaceAllString(s, "")
	}
	return append(places, urls(s)...)
}
