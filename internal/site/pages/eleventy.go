package pages

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
)

// eleventy: every template makes a page at its own path, or where
// https://www.11ty.dev/docs/permalinks/ says. A layout makes none, and what it states reaches none
// either. Of the calls of the configuration only literal arguments count, and .gitignore is not
// read.
func eleventy(s *openedSite) {
	c := s.config
	directory := func(key, byDefault string) string {
		setter := "set" + strings.ToUpper(key[:1]) + key[1:] + "Directory"
		return clean(append(c.program.Arguments(setter), c.in("dir").text(key, byDefault))[0])
	}
	input, output := directory("input", "."), directory("output", "_site")
	data := path.Join(input, directory("data", "_data"))
	s.global = func(r *reader) { // called when all content is read
		r.eleventyCalls()
		r.eleventyGlobals(data)
	}
	templates := slices.DeleteFunc(unique([]string{path.Join(input, directory("includes", "_includes")),
		path.Join(input, directory("layouts", "_includes"))}), func(dir string) bool { return below(input, dir) })
	ignored := leftOut("", textOf(s.options.Source, ".eleventyignore")) // from the site's folder
	for _, name := range c.program.Arguments("ignores.add") {
		ignored = append(ignored, leftOut("", "/"+strings.TrimPrefix(name, "./"))...)
	}
	skip := func(file string, _ bool) bool {
		within := func(dir string) bool { return below(file, dir) }
		isData := within(data) && !below(input, data) // the input folder itself may be that of data
		return path.Base(file) == "node_modules" || within(output) && output != "" || isData ||
			slices.ContainsFunc(templates, within)
	}
	s.publish = output // which -d outweighs
	// eleventyData takes the first folder for that of the input.
	s.layout.folders = []folder{{dir: input, skip: skip, leaves: ignored, inherit: eleventyData, place: eleventyPlace}}
	for _, dir := range templates {
		s.layout.folders = append(s.layout.folders, folder{dir: dir, takesBare: never})
	}
}

// eleventyEndings are what data files are called, those first whose values win: .yml, .yaml and
// .toml where addDataExtension names them, and where it does not nothing else is called so.
var eleventyEndings = scripts(".11tydata.{js}", ".11tydata.json", ".json", ".11tydata.yml", ".yml", ".11tydata.yaml",
	".yaml", ".11tydata.toml", ".toml")

// eleventyData returns what a template inherits from data files, a section for each file, those
// first whose values win. Of posts/2026/a.md in the input folder, which is the site's, with its
// name site:
//
//	posts/2026/a.11tydata.js, … posts/2026/a.json    its own, in the order of eleventyEndings
//	posts/2026/2026.11tydata.js, …                   of its folder, which have the folder's name
//	posts/posts.11tydata.js, …                       of the folder around that
//	site.11tydata.js, …                              of the input folder
//
// A file that cannot be read is an error of the run or, among templates, a finding; its section has
// no values.
// https://www.11ty.dev/docs/data-template-dir/
func eleventyData(c *content) (all []section) {
	s := c.reader.site
	input := s.layout.folders[0].dir
	stems := []string{strings.TrimSuffix(c.file, c.ext())}
	for dir := clean(path.Dir(c.file)); below(dir, input); dir = clean(path.Dir(dir)) {
		folderName := filepath.Base(joined(s.options.Source, dir)) // dir is "" for the site's folder
		stems = append(stems, path.Join(dir, folderName))
		if dir == input {
			break
		}
	}
	for _, stem := range stems {
		for _, ending := range eleventyEndings {
			if data, isThere := c.reader.eleventyDataFile(stem + ending); isThere {
				all = append(all, data)
			}
		}
	}
	return all
}

// eleventyDataFile reads a data file, for [eleventyData].
func (r *reader) eleventyDataFile(file string) (data section, isThere bool) {
	text, err := r.site.readFile(file, maxConfig)
	if text == nil && err == nil {
		return section{}, false
	}
	data.file = file
	switch isProgram := !isData(path.Ext(file)); {
	case err != nil:
	case isProgram:
		data = r.readScript(file, string(text))
	default:
		data, err = readData(file, path.Ext(file), text)
	}
	if err == nil {
		if fault := r.reportRepeats(file, data.index, r.concerns); fault != nil {
			err = fault // not at once: a nil *source.SyntaxError is no nil error
		}
	}
	if err != nil {
		r.fail(r.unreadable(file, err))
	}
	return data, true
}

// eleventyCalls reports calls of the configuration that may state something about pages or move
// data files. Global data is reported only under a key that matters, or one that is computed.
// https://www.11ty.dev/docs/data-global-custom/ https://www.11ty.dev/docs/virtual-templates/
func (r *reader) eleventyCalls() {
	calls := []string{"addGlobalData", "addTemplate", "setDataFileBaseName", "setDataFileSuffixes"}
	p := r.site.config.program
	for i, t := range p {
		if slices.Contains(calls, t.Text) && (t.Text != "addGlobalData" || i+2 >= len(p) ||
			p[i+2].Kind != source.Text || r.matters(strings.Split(p[i+2].Text, ".")...)) {
			r.computed.add(r.site.config.file, t.Text)
		}
	}
}

// eleventyGlobals reports global data that may be about every template: its keys are the names of
// its files and of the folders that they are in. It does not count: robots.json is as likely a list
// of crawlers for robots.txt.
// https://www.11ty.dev/docs/data-global/
func (r *reader) eleventyGlobals(dir string) {
	root := joined(r.site.options.Source, dir)
	filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		key := strings.Split(strings.TrimSuffix(rel, path.Ext(rel)), "/")
		if err != nil || entry.IsDir() || !r.matters(key...) {
			return nil
		}
		file := path.Join(dir, rel)
		data, err := r.site.readFile(file, maxConfig)
		if err != nil || data != nil && slices.ContainsFunc(key, r.mayMatter) {
			r.computed.add(file, strings.Join(key, "."))
		} else {
			r.noteComputed(file, string(data), programOfData)
		}
		return nil
	})
}

// eleventyPlace sets the places of a template, and whether it makes many pages: those of its
// permalink, or else those that Eleventy derives from its path. Computed data that may restrict it
// is noted on the way.
//
//	posts/2026-11-28-a.md                posts/a/index.html
//	posts/index.md, posts/posts.md       posts/index.html
//	permalink: "/{{ page.fileSlug }}/"   a/index.html
//	permalink: false                     by its path: it is not published, and may be left over there
//	pagination: …                        also posts/a/N/index.html, for each number N
func eleventyPlace(c *content) {
	c.noteEleventyComputed()
	_, slug := c.dated(c.at.base) // page.fileSlug of Eleventy: without the date
	stem := path.Join(c.at.dir, slug)
	known := map[string]string{"page.fileSlug": slug, "page.filePathStem": "/" + stem,
		"page.inputPath": "./" + c.file}
	if slug == "index" { // of the input folder the names are "" and ".", which filesAt cleans away
		stem, known["page.fileSlug"] = c.at.dir, path.Base(c.at.dir)
	}
	_, c.makesMany = c.matter.params["pagination"]
	permalink := c.matter.get("permalink") // a text, false, or nil for none
	if computed, ok := c.matter.in("eleventyComputed").get("permalink").(string); ok {
		permalink = computed // computed data outweighs front matter
	}
	if address, ok := permalink.(string); ok {
		c.places = permalinked(address, known, c)
		return
	}
	c.unpublished = c.unpublished || permalink == false
	c.places = append(filesAt("/"+path.Join(c.at.dir, c.at.base)+"/", "/"+stem+"/"), stem+".html")
	if c.at.base == "index" || c.at.base == path.Base(c.at.dir) { // the page of its folder
		c.places = append(filesAt("/"+c.at.dir+"/"), c.places...)
	}
	if c.makesMany { // numbered below its own page
		c.places = append(c.places, path.Join(path.Dir(c.places[0]), aNumber, "index.html"))
	}
}

// noteEleventyComputed notes the keys of eleventyComputed that may restrict a page, in front matter
// or in data that it inherits: programs give their values. The permalink is read ([eleventyPlace]).
// https://www.11ty.dev/docs/data-computed/
func (c *content) noteEleventyComputed() {
	for _, s := range c.stated {
		for key := range s.in("eleventyComputed").params {
			if key != "permalink" && c.reader.matters(key) {
				c.reader.computed.add(s.file, "eleventyComputed."+key)
			}
		}
	}
}

var (
	liquidValue = lazyregexp.New(`\{\{-?\s*([^}|]*?)\s*(?:\|\s*([^}]*?)\s*)?-?\}\}`)
	liquidTag   = lazyregexp.New(`\{%.*?%\}`)
	pageNumber  = lazyregexp.New(`^pagination\.pageNumber\s*(?:\+\s*\d+)?$`)
	condition   = lazyregexp.New(`\{%-?\s*if.*?\{%-?\s*endif\s*-?%\}`)
)

// permalinked are the files of a permalink, with values of the page and of front matter put in.
// What a condition prints may be there or not: both are looked for. Of one with an else neither is
// right.
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
