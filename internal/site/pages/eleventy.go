package pages

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
)

var eleventyConfigs = []string{".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs", "eleventy.config.ts"}

// eleventy: every template makes a page at its own path, or where permalink says.
// https://www.11ty.dev/docs/permalinks/ https://www.11ty.dev/docs/config/
var eleventy = profile{
	name:    "eleventy",
	configs: eleventyConfigs,
	detect:  func(root string) bool { return exists(root, eleventyConfigs...) || bare(root, "@11ty/eleventy") },
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
		e := &eleventySite{root: c.root, input: input, data: data, layouts: []string{layouts, includes}, endings: eleventyData, config: c.file, program: c.program}
		ignored := readIgnored(firstLines(joined(c.root, ".gitignore")) + "\n" + firstLines(joined(c.root, ".eleventyignore")) + "\n" + eleventyIgnores(c.program))
		e.named(c)
		for _, names := range c.program.calls("addDataExtension") { // "yml, yaml", whose values come last
			for name := range strings.SplitSeq(names, ",") {
				if name = strings.TrimSpace(name); name == "yaml" || name == "yml" || name == "toml" {
					e.endings = append(e.endings[:len(e.endings):len(e.endings)], ".11tydata."+name, "."+name)
					e.global = append(e.global, "."+name)
				}
			}
		}
		return layout{publish: output, folders: []folder{{
			dir: input, extensions: []string{".md", ".html", ".njk", ".liquid", ".hbs", ".mustache", ".ejs", ".haml", ".pug", ".webc", ".mdx", ".vto",
				".11ty.js", ".11ty.cjs", ".11ty.mjs", ".11ty.ts", ".11ty.mts", ".11ty.cts", ".11ty.jsx", ".11ty.tsx"}, deep: true,
			every: true,
			skip: func(rel string, _ bool) bool {
				file := path.Join(input, rel)
				return path.Base(rel) == "node_modules" || below(file, output) && output != "" || below(file, includes) || below(file, data) || below(file, layouts)
			},
			leaves: func(rel string) bool { return ignored.match(path.Join(input, rel)) },
			drafts: e.drafts, inherit: e.inherit, place: e.place,
		}}}, nil
	},
}

// eleventyData are the endings of data files that Eleventy reads by itself.
var eleventyData = []string{".11tydata.js", ".11tydata.mjs", ".11tydata.cjs", ".11tydata.json", ".json"}

type eleventySite struct {
	root, input, data string
	layouts           []string
	endings           []string // of data files, those first whose values win
	index             string   // the name of a folder's data file; empty for the folder's own
	global            []string // of those in the data folder, beside its own
	config            string
	program           program // of the configuration

	globals []header // those that speak of pages, those first whose values win
	unread  map[string][]string
	words   map[string]bool
	read    bool
}

// eleventyIgnores are the paths that the configuration ignores, ignores.add("drafts/**"), as patterns from the site's folder.
// https://www.11ty.dev/docs/ignores/#configuration-api
func eleventyIgnores(p program) string {
	var all []string
	for i, t := range p {
		if t.kind == word && t.text == "ignores" && p.is(i+1, ".") && i+2 < len(p) && p[i+2].text == "add" && p.is(i+3, "(") {
			if at := p.next(i + 4); at < len(p) && p[at].kind == text && p.ends(at+1) {
				all = append(all, "/"+strings.TrimPrefix(p[at].text, "./"))
			}
		}
	}
	return strings.Join(all, "\n")
}

// named reads what the configuration calls data files.
// https://www.11ty.dev/docs/config/#change-base-file-name-for-data-files
// https://www.11ty.dev/docs/config/#change-file-suffix-for-data-files
func (e *eleventySite) named(c *config) {
	for _, call := range c.program.called("setDataFileBaseName") {
		if e.index = call.text(0); e.index == "" {
			c.unread = append(c.unread, "setDataFileBaseName")
		}
	}
	s := newScript(c.program)
	for _, call := range s.called("setDataFileSuffixes") {
		var suffixes []any
		if len(call.arguments) > 0 {
			value, _ := s.literal(call.arguments[0], 0)
			suffixes, _ = value.([]any)
		}
		if suffixes == nil {
			c.unread = append(c.unread, "setDataFileSuffixes")
			continue
		}
		e.endings = nil
		for _, suffix := range suffixes {
			if suffix != "" {
				for _, ext := range []string{".js", ".mjs", ".cjs"} {
					e.endings = append(e.endings, fmt.Sprint(suffix)+ext)
				}
			}
			e.endings = append(e.endings, fmt.Sprint(suffix)+".json")
		}
	}
}

// drafts are the keys that the site's programs know: Eleventy itself knows none.
// https://www.11ty.dev/docs/config-preprocessors/#example-drafts
func (e *eleventySite) drafts(c *content) []string {
	return slices.Collect(maps.Keys(c.words))
}

// inherit reads the data files beside a template and in the folders above it, the front matter of its layouts, and global
// data. Of a data file that is a program literal values are read.
// https://www.11ty.dev/docs/data-cascade/
func (e *eleventySite) inherit(c *content) (all []header, err error) {
	take := func(file string) error {
		data, err := readFile(e.root, file, maxConfig)
		if disk.Refused(err) && !errors.Is(err, disk.ErrNotRegular) {
			return &dataError{file, 0, notRead(err)}
		} else if err != nil {
			return nil // most files have none
		}
		if strings.HasSuffix(file, "js") {
			all = append(all, c.program(file, readScript(data), 0, (*script).readData))
			return nil
		}
		h, err := readData(file, data)
		all = append(all, h)
		return err
	}
	folder := path.Join(e.input, c.dir)
	for _, ending := range e.endings {
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
		for _, ending := range e.endings {
			if e.index != "" {
				if name = e.index; strings.Count(ending, ".") < 2 {
					continue // index.json would be a page's
				}
			}
			if err := take(path.Join(dir, name+ending)); err != nil {
				return nil, err
			}
		}
		if dir == e.input || dir == "" {
			break
		}
	}
	global, err := e.everywhere(c)
	if err != nil {
		return nil, err
	}
	params := c.params
	for _, h := range slices.Concat(all, global) {
		params = merged(params, h.Params, true)
	}
	for range 8 { // a layout that is its own ends somewhere
		name, _ := params["layout"].(string)
		if name == "" {
			break
		}
		h, ok, err := e.layout(c, name)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		all = append(all, h)
		params = h.Params
	}
	return append(all, global...), nil
}

// layout reads the front matter of a layout, whose name may lack its extension, or be another one that the configuration
// gives it. https://www.11ty.dev/docs/layouts/
func (e *eleventySite) layout(of *content, name string) (h header, ok bool, err error) {
	for _, call := range e.program.called("addLayoutAlias") {
		if alias, file := call.text(0), call.text(1); alias == name && file != "" {
			name = file
		}
	}
	for _, dir := range e.layouts {
		for _, ext := range []string{"", ".njk", ".liquid", ".html", ".md", ".11ty.js", ".11ty.cjs", ".11ty.mjs", ".hbs", ".ejs", ".webc", ".pug", ".vto"} {
			file := path.Join(dir, name+ext)
			data, err := readFile(e.root, file, maxContent)
			if disk.Refused(err) && !errors.Is(err, disk.ErrNotRegular) {
				return header{}, false, &dataError{file, 0, notRead(err)}
			} else if err != nil {
				continue
			}
			own := &content{file: file, ext: (&folder{extensions: []string{".11ty.js", ".11ty.cjs", ".11ty.mjs"}}).extension(file), keys: of.keys, unread: of.unread, words: of.words}
			h, err := own.read(data, plainDialect)
			of.unread, of.words = own.unread, own.words
			if fault, ok := err.(*frontmatter.Error); ok {
				err = &dataError{file, fault.Line, fault.Error()}
			}
			return h, err == nil, err
		}
	}
	return header{}, false, nil
}

// everywhere returns the global data that speaks of every template: what the configuration adds, and the files of the data
// folder that are named by such a key. What cannot be read is an error once.
// https://www.11ty.dev/docs/data-global/ https://www.11ty.dev/docs/data-global-custom/
func (e *eleventySite) everywhere(c *content) (all []header, err error) {
	if !e.read {
		e.read = true
		reader := &content{keys: c.keys}
		reader.listens(e.program)
		e.added(reader)
		err = e.files(reader)
		e.unread, e.words = reader.unread, reader.words
		if e.unread != nil && c.unread == nil {
			c.unread = map[string][]string{}
		}
		for file, keys := range e.unread {
			for _, key := range keys {
				c.computes(file, key)
			}
		}
	}
	for key := range e.words {
		if c.words == nil {
			c.words = map[string]bool{}
		}
		c.words[key] = true
	}
	return e.globals, err
}

// added reads what the configuration adds by addGlobalData. What it adds later goes before what it did earlier.
func (e *eleventySite) added(c *content) {
	if e.adds(c) {
		c.computes(e.config, "addTemplate")
	}
	for n, call := range slices.Backward(e.program.called("addGlobalData")) {
		key := call.text(0)
		if key == "" {
			c.computes(e.config, "addGlobalData")
			continue
		}
		path := strings.Split(key, ".")
		if len(call.arguments) < 2 || !c.matters(path) {
			continue
		}
		h := c.program(e.config, e.program, 0, func(s *script) {
			s.readValue(path, s.called("addGlobalData")[n].arguments[1])
			s.prints = true // all that is not this
		})
		if h.Params != nil {
			e.globals = append(e.globals, h)
		}
	}
}

// adds reports whether the configuration adds a template that speaks of robots. Its data would have to be laid under what its
// name and folder say, which is more than is read here.
// https://www.11ty.dev/docs/virtual-templates/
func (e *eleventySite) adds(c *content) bool {
	p := e.program
	for _, call := range p.called("addTemplate") {
		if len(call.arguments) < 2 {
			continue
		}
		for i := call.arguments[1]; i < len(p) && p[i].depth >= p[call.arguments[0]].depth; i++ {
			if p[i].kind != word && p[i].kind != text {
				continue
			}
			for line := range strings.Lines(p[i].text) { // of front matter, in a template's text
				key, _, _ := strings.Cut(line, ":")
				if c.keys[strings.ToLower(strings.TrimSpace(key))] {
					return true
				}
			}
		}
	}
	return false
}

// files reads the global data of the data folder, whose keys are the names of files and of the folders that they are in.
func (e *eleventySite) files(c *content) (err error) {
	own := slices.Concat([]string{".js", ".cjs", ".mjs", ".json"}, e.global)
	type file struct {
		name string
		rank int
		path []string
	}
	var files []file
	root := joined(e.root, e.data)
	filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, name)
		ext := filepath.Ext(name)
		rank := slices.Index(own, ext)
		if path := strings.Split(strings.TrimSuffix(filepath.ToSlash(rel), ext), "/"); err == nil && !entry.IsDir() && rank >= 0 && c.matters(path) {
			files = append(files, file{filepath.ToSlash(rel), rank, path})
		}
		return nil
	})
	slices.SortStableFunc(files, func(a, b file) int { return a.rank - b.rank })
	for _, f := range files {
		data, fault := readFile(e.root, path.Join(e.data, f.name), maxConfig)
		if disk.Refused(fault) {
			err = cmp.Or(err, error(&dataError{path.Join(e.data, f.name), 0, notRead(fault)}))
			continue
		} else if fault != nil {
			return cmp.Or(err, fault)
		}
		h := header{file: path.Join(e.data, f.name), above: f.path}
		if strings.HasSuffix(f.name, "js") {
			h = c.program(h.file, readScript(data), 0, func(s *script) { s.readGlobal(f.path) })
		} else if value, fault := h.readValue(data); fault != nil {
			err = cmp.Or(err, fault)
			continue
		} else {
			for _, key := range slices.Backward(f.path) {
				value = map[string]any{key: value}
			}
			h.Params, _ = value.(map[string]any)
		}
		if h.Params != nil {
			e.globals = append(e.globals, h)
		}
	}
	return err
}

var (
	liquidValue = regexp.MustCompile(`\{\{-?\s*([^}]*?)\s*-?\}\}`)
	liquidTag   = regexp.MustCompile(`\{%.*?%\}`)
	pageNumber  = regexp.MustCompile(`^pagination\.pageNumber\s*(?:\+\s*\d+|plus:\s*\d+)?$`)
	condition   = regexp.MustCompile(`\{%-?\s*if.*?\{%-?\s*endif\s*-?%\}`)
)

// computed puts what a template or its data says under eleventyComputed before all else. Of a template in it, what comes
// out is not known. https://www.11ty.dev/docs/data-computed/
func (e *eleventySite) computed(c *content) {
	var computed []header
	for i := range c.headers {
		h := &c.headers[i]
		all, _ := frontmatter.Lookup(h.Params, []string{"eleventycomputed"}).(map[string]any)
		values := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(all)) {
			switch name := strings.ToLower(key); {
			case !c.keys[name] && name != "seo" && name != "params":
			case templated(all[key]):
				c.computes(h.file, "eleventyComputed."+key)
			default:
				values[key] = all[key]
			}
		}
		if len(values) == 0 {
			continue
		}
		of := *h
		of.under = []string{"eleventycomputed"}
		of.Params = values
		computed = append(computed, of)
	}
	for _, h := range slices.Backward(computed) {
		c.params = merged(h.Params, c.params, false)
	}
	c.headers = append(computed, c.headers...)
}

// computesPermalink reports whether the permalink is among the keys that are computed, by file.
func computesPermalink(unread map[string][]string) bool {
	for _, keys := range unread {
		if slices.Contains(keys, "permalink") || slices.Contains(keys, "eleventyComputed.permalink") {
			return true
		}
	}
	return false
}

// templated reports whether a value holds a text that is a template.
func templated(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.Contains(v, "{")
	case []any:
		return slices.ContainsFunc(v, templated)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), templated)
	}
	return false
}

// place: permalink is a URL of its own, with values that are known put in; false publishes nothing.
func (e *eleventySite) place(c *content) {
	e.computed(c)
	slug := c.base
	if m := dated.FindStringSubmatch(c.base); m != nil {
		slug = m[4]
	}
	stem := path.Join(c.dir, slug)
	if slug == "index" {
		stem, slug = c.dir, path.Base(c.dir)
	}
	_, c.many = c.params["pagination"]
	permalink := frontmatter.Lookup(c.params, []string{"permalink"})
	if computed, ok := frontmatter.Lookup(c.params, []string{"eleventycomputed", "permalink"}).(string); ok {
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
			switch filters = strings.TrimSpace(filters); {
			case pageNumber.MatchString(name) && pageNumber.MatchString("pagination.pageNumber "+filters):
				return aNumber
			case value == "" || strings.Contains(name, ".") && !ok:
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
	if permalink == nil && (computesPermalink(c.unread) || computesPermalink(e.unread)) {
		// What a permalink most often computes: https://www.11ty.dev/docs/permalinks/#remove-trailing-slashes
		c.places = append(c.places, stem+".html")
	}
	if c.many { // numbered below its own page
		c.places = append(c.places, path.Join(path.Dir(c.places[0]), aNumber, "index.html"))
	}
}
