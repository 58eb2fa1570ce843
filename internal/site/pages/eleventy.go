package pages

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/source"
)

// eleventy: every template makes a page at its own path, or where https://www.11ty.dev/docs/permalinks/ says.
func eleventy(g *Generator, c *config, l *layout) error {
	directory := func(key, byDefault string) string {
		setter := "set" + strings.ToUpper(key[:1]) + key[1:] + "Directory"
		for _, name := range c.program.Arguments(setter) {
			return clean(name)
		}
		return clean(c.values.in("dir").text(key, byDefault))
	}
	input, output := directory("input", "."), directory("output", "_site")
	includes := path.Join(input, directory("includes", "_includes"))
	layouts := path.Join(input, directory("layouts", "_includes"))
	e := &eleventySite{config: c, templates: g.Extensions, input: input,
		data: path.Join(input, directory("data", "_data")), layouts: []string{layouts, includes}}
	ignored := firstLines(joined(c.root, ".gitignore")) + "\n" + firstLines(joined(c.root, ".eleventyignore"))
	for _, name := range c.program.Arguments("ignores.add") {
		ignored += "\n/" + strings.TrimPrefix(name, "./")
	}
	ignores := readIgnored(ignored)
	skip := func(file string, _ bool) bool {
		return path.Base(file) == "node_modules" || below(file, output) && output != "" ||
			below(file, includes) || below(file, e.data) || below(file, layouts)
	}
	l.publish, l.folders = output, []folder{{
		dir: input, skip: skip, leaves: ignores.match, inherit: e.inherit, place: e.place,
	}}
	return nil
}

type eleventySite struct {
	config      *config
	templates   []string // their extensions
	input, data string
	layouts     []string
	globals     []header // those about pages, those first whose values win
	read        bool
}

// What data files are called, those first whose values win: .yml, .yaml and .toml where addDataExtension names them,
// and where it does not nothing else is called so. https://www.11ty.dev/docs/data-template-dir/
var (
	eleventyData    = []string{".js", ".cjs", ".mjs", ".ts", ".json", ".yml", ".yaml", ".toml"}
	eleventyEndings = scripts(".11tydata.{js}", ".11tydata.json", ".json", ".11tydata.yml", ".yml",
		".11tydata.yaml", ".yaml", ".11tydata.toml", ".toml")
)

// inherit reads data files, the front matter of layouts and global data. https://www.11ty.dev/docs/data-cascade/
func (e *eleventySite) inherit(c *content) (all []header, err error) {
	folder := path.Join(e.input, c.dir)
	stems := []string{path.Join(folder, c.base)}
	for _, dir := range upTo(folder, e.input) {
		stems = append(stems, path.Join(dir, filepath.Base(joined(e.config.root, dir))))
	}
	for _, stem := range stems {
		for _, ending := range eleventyEndings {
			if all, err = e.add(all, c.reader, stem+ending); err != nil {
				return nil, err
			}
		}
	}
	if !e.read {
		e.read = true
		e.programs(c.reader)
		if err := e.everywhere(c.reader); err != nil {
			return nil, err
		}
	}
	params := c.matter.params
	for _, h := range slices.Concat(all, e.globals) {
		params = merged(params, h.document.Params, true)
	}
	for range 8 { // a layout that is its own ends somewhere
		name, _ := params["layout"].(string)
		if name == "" {
			break
		}
		h, ok := e.layout(c.reader, name)
		if !ok {
			break
		}
		all, params = append(all, h), h.document.Params
	}
	return append(all, e.globals...), nil
}

// programs says which calls of the configuration may say something of pages, or where data lies.
// https://www.11ty.dev/docs/data-global-custom/ https://www.11ty.dev/docs/virtual-templates/
func (e *eleventySite) programs(r *reader) {
	p := e.config.program
	for i, t := range p {
		switch t.Text {
		case "addGlobalData":
			if i+2 < len(p) && (p[i+2].Kind != source.Text || r.matters(strings.Split(p[i+2].Text, ".")...)) {
				r.computed.add(e.config.header.file, t.Text)
			}
		case "addTemplate", "setDataFileBaseName", "setDataFileSuffixes":
			r.computed.add(e.config.header.file, t.Text)
		}
	}
}

// add reads a data file; of global data it is the value of the key above.
func (e *eleventySite) add(all []header, r *reader, file string, above ...string) ([]header, error) {
	if ext := path.Ext(file); isData(ext) {
		return e.config.inherited(all, file, ext, above...)
	}
	data, err := e.config.readFile(file, maxConfig)
	switch {
	case data == nil || err != nil:
	case len(above) == 0:
		all = append(all, r.script(file, data))
	case above[0] == "eleventyComputed":
		r.mentions(file, source.Lex(string(data)), false)
	default:
		r.computed.add(file, strings.Join(above, "."))
	}
	return all, err
}

// layout reads the front matter of a layout, whose name may have no extension. https://www.11ty.dev/docs/layouts/
func (e *eleventySite) layout(r *reader, name string) (h header, ok bool) {
	for _, dir := range e.layouts {
		for _, ext := range append([]string{""}, e.templates...) {
			file := path.Join(dir, name+ext)
			data, err := e.config.readFile(file, maxConfig)
			if data != nil {
				h, err = r.frontMatter(file, extension(file), data, dialect{})
			} else if err == nil {
				continue
			}
			if err != nil {
				r.fail(r.unreadable(file, err))
			}
			return h, err == nil
		}
	}
	if slices.Contains(e.config.program.Arguments("addLayoutAlias"), name) {
		r.computed.add(e.config.header.file, "addLayoutAlias")
	}
	return h, false
}

// everywhere reads the global data of the data folder that is about every template: its keys are the names of files
// and of the folders that they are in. What cannot be read is an error once. https://www.11ty.dev/docs/data-global/
func (e *eleventySite) everywhere(r *reader) (err error) {
	root := joined(e.config.root, e.data)
	for _, want := range eleventyData {
		filepath.WalkDir(root, func(name string, entry fs.DirEntry, fault error) error {
			rel, _ := filepath.Rel(root, name)
			rel = filepath.ToSlash(rel)
			ext := path.Ext(rel)
			above := strings.Split(strings.TrimSuffix(rel, ext), "/")
			if fault == nil && err == nil && !entry.IsDir() && ext == want && r.matters(above...) {
				e.globals, err = e.add(e.globals, r, path.Join(e.data, rel), above...)
			}
			return nil
		})
	}
	return err
}

// place: permalink is a URL of its own, with values that are known put in; false publishes nothing.
func (e *eleventySite) place(c *content) {
	for _, h := range c.headers {
		all, _ := frontmatter.Lookup(h.document.Params, []string{"eleventycomputed"}).(map[string]any)
		for key := range all {
			if key != "permalink" && c.reader.matters(key) {
				c.reader.computed.add(h.file, "eleventyComputed."+key)
			}
		}
	}
	_, slug, _ := c.dated(c.base)
	stem := path.Join(c.dir, slug)
	known := map[string]string{"page.fileSlug": slug, "page.filePathStem": "/" + stem, "page.inputPath": "./" + c.file}
	if slug == "index" {
		stem, known["page.fileSlug"] = c.dir, path.Base(c.dir)
	}
	_, c.many = c.matter.params["pagination"]
	permalink := frontmatter.Lookup(c.matter.params, []string{"permalink"})
	if computed, ok := frontmatter.Lookup(c.matter.params, []string{"eleventycomputed", "permalink"}).(string); ok {
		permalink = computed
	}
	if address, ok := permalink.(string); ok {
		c.places = permalinked(address, known, c)
		return
	}
	c.unpublished = c.unpublished || permalink == false
	c.places = append(filesAt("/"+path.Join(c.dir, c.base)+"/", "/"+stem+"/"), stem+".html")
	if c.base == "index" || c.base == path.Base(c.dir) {
		c.places = append(filesAt("/"+c.dir+"/"), c.places...)
	}
	if c.many { // numbered below its own page
		c.places = append(c.places, path.Join(path.Dir(c.places[0]), aNumber, "index.html"))
	}
}

var (
	liquidValue = regexp.MustCompile(`\{\{-?\s*([^}|]*?)\s*(?:\|\s*([^}]*?)\s*)?-?\}\}`)
	liquidTag   = regexp.MustCompile(`\{%.*?%\}`)
	pageNumber  = regexp.MustCompile(`^pagination\.pageNumber\s*(?:\+\s*\d+)?$`)
	condition   = regexp.MustCompile(`\{%-?\s*if.*?\{%-?\s*endif\s*-?%\}`)
)

// permalinked are the files of a permalink, with values of the page and of front matter put in. What a condition prints
// may be there or not: both are looked for.
func permalinked(permalink string, known map[string]string, c *content) []string {
	s := liquidValue.ReplaceAllStringFunc(permalink, func(written string) string {
		m := liquidValue.FindStringSubmatch(written)
		name, filters := m[1], m[2]
		value, ok := known[name]
		if !ok && !strings.Contains(name, ".") {
			value = c.matter.text(name)
		}
		switch {
		case pageNumber.MatchString(name):
			return aNumber
		case strings.Contains(filters, "/"): // a date, most likely
			return "**"
		case value != "" && filters == "":
			return value
		case value != "" && (filters == "slugify" || filters == "slug"):
			return slugOf(value)
		}
		return "*"
	})
	return filesAt(condition.ReplaceAllString(s, ""), liquidTag.ReplaceAllString(s, ""))
}
