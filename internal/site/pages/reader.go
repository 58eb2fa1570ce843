package pages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/policy"
)

// A reader reads the content files of a site, each once.
type reader struct {
	site    *generated
	options frontmatter.Options
	// keys are those of front matter that state something, in lower case.
	keys map[string]bool
	// content is what was read, by the paths from the site's folder; nil for what cannot be read.
	content map[string]*content
	// computed are the keys that matter and whose values are computed, by file.
	computed map[string][]string
	findings []policy.Finding
	errs     []error
}

func newReader(s *generated, o frontmatter.Options) *reader {
	r := &reader{site: s, options: o, keys: map[string]bool{}, content: map[string]*content{},
		computed: map[string][]string{}}
	for key, form := range frontmatter.Keys(o.Crawlers) {
		if form != frontmatter.FormInert && (form != frontmatter.FormExpiry || o.Expiry) {
			r.keys[strings.ToLower(key)] = true
		}
	}
	for key := range o.Keys {
		first, _, _ := strings.Cut(key, ".")
		r.keys[first] = true
	}
	return r
}

// found adds a finding that is not there yet: what a folder's data says comes with each of its files.
func (r *reader) found(f policy.Finding) {
	if !slices.Contains(r.findings, f) {
		r.findings = append(r.findings, f)
	}
}

// tell adds a finding; one of severity error ends the run.
func (r *reader) tell(f policy.Finding) {
	if f.Severity == policy.Error {
		r.fail(placed(f.File, f.Line, f.Message))
	} else {
		r.found(f)
	}
}

// fail adds an error that is not there yet.
func (r *reader) fail(err error) {
	same := func(other error) bool { return other.Error() == err.Error() }
	if !slices.ContainsFunc(r.errs, same) {
		r.errs = append(r.errs, err)
	}
}

// folder reads the content files of one.
func (r *reader) folder(ctx context.Context, f *folder) {
	s := r.site
	w := walk{of: f.files, publish: s.publish, site: s.options.Source, root: joined(s.options.Source, f.dir)}
	w.refused = func(rel string, err error) {
		if file := path.Join(f.dir, rel); !s.config.leavesOut(file) {
			r.found(policy.Finding{ID: "not-read", Severity: policy.Error, File: s.short(file), Message: notRead(err)})
		}
	}
	w.visit = func(file, rel string) error {
		name := path.Join(f.dir, rel)
		if _, seen := r.content[name]; seen || !f.takes(rel) || s.config.leavesOut(name) {
			return nil
		}
		if f.extensions == nil && !slices.Contains(fielded, strings.ToLower(path.Ext(rel))) && !w.marked(file) &&
			!f.bare(rel) {
			return nil // an image, or whatever else has no front matter
		}
		data, err := w.files.ReadFile(file, maxContent)
		if disk.Refused(err) {
			w.refused(rel, err)
			return nil
		} else if err != nil {
			return err
		}
		c := r.read(f, rel, data)
		if c == nil {
			return nil
		}
		c.unpublished = c.isDraft(f.drafts...) || f.leaves != nil && f.leaves(rel)
		f.place(c)
		if pattern := s.pattern(c.file); pattern != "" {
			c.places = append(c.patterned(pattern), c.places...)
		}
		c.places = unique(c.places)
		return nil
	}
	if err := w.content(ctx); err != nil {
		r.fail(err)
	}
}

// fielded are the extensions of content whose front matter may be lines of its own.
var fielded = []string{".adoc", ".asciidoc", ".asc", ".rst"}

// bare reports whether a file without front matter is content too.
func (f *folder) bare(rel string) bool { return f.required == nil || !f.required(rel) }

// read reads a content file and what it inherits. It is nil for one that is no content, and for one that cannot be
// read.
func (r *reader) read(f *folder, rel string, data []byte) *content {
	ext := f.extension(rel)
	c := &content{in: r, folder: f, file: path.Join(f.dir, rel), dir: path.Dir(rel),
		base: strings.TrimSuffix(path.Base(rel), ext),
		ext:  ext, language: f.language, collection: f.collection}
	if c.dir == "." {
		c.dir = ""
	}
	own, err := r.frontMatter(c.file, ext, data, f.dialect)
	if err == nil && own.Params == nil && own.Format == "" && !f.bare(rel) {
		return nil
	}
	r.content[c.file] = nil
	c.headers, c.params = []header{own}, own.Params
	c.title = cmp.Or(c.text("title"), heading(data, ext))
	if err == nil && f.inherit != nil {
		var inherited []header
		inherited, err = f.inherit(c)
		for _, h := range inherited {
			c.params = merged(c.params, h.Params, f.deep, f.deep)
		}
		c.headers = append(c.headers, inherited...)
	}
	if err != nil {
		r.unreadable(c.file, err)
		return nil
	}
	r.content[c.file] = c
	return c
}

// templates are folders that hold what pages are made with: where something there cannot be read, that stops no run.
var templates = []string{"_includes", "_layouts", "includes", "layouts", "partials", "templates"}

// unreadable reports front matter, or a file of data.
func (r *reader) unreadable(file string, err error) {
	line, message := 0, err.Error()
	var data *dataError
	var own *frontmatter.Error
	switch {
	case errors.As(err, &data):
		file, line, message = data.file, data.line, data.msg
	case errors.As(err, &own):
		line = own.Line
	}
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains(templates, part) {
			r.found(policy.Finding{ID: "not-read", Severity: policy.Warning, File: r.site.short(file), Line: line,
				Message: message + ": what it says does not count; it lies among templates, so the run goes on"})
			return
		}
	}
	r.fail(placed(r.site.short(file), line, message))
}

// A dialect is how a generator reads front matter where it differs from the others.
type dialect struct {
	dots   bool // a line of three closes YAML too
	lines  bool // "Key: value" counts where there is no YAML
	marked bool // and between the marks of YAML
	bare   bool // an object of JSON that nothing opens is front matter; {% extends %}, {/* */} or {#id} are content
	long   bool // Hexo's marks: see [readHexo]
	noData bool // files of data are text as others
}

// https://github.com/mkdocs/mkdocs/blob/1.4.2/mkdocs/utils/meta.py
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/document.rb
// https://github.com/Python-Markdown/markdown/blob/3.4.1/markdown/extensions/meta.py (Pelican)
var (
	metaDialect    = dialect{dots: true, lines: true}
	pelicanDialect = dialect{dots: true, lines: true, marked: true}
	hexoDialect    = dialect{long: true}
	jekyllDialect  = dialect{dots: true, noData: true}
	// anyDialect is that of a generator that is not known: every form counts.
	anyDialect = dialect{dots: true, lines: true, bare: true}
)

// frontMatter reads what stands at the top of a content file.
func (r *reader) frontMatter(file, ext string, data []byte, d dialect) (h header, err error) {
	h.file = file
	ext = strings.ToLower(ext)
	first := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case !d.noData && isData(ext):
		return readData(file, data)
	case strings.HasPrefix(ext, ".11ty."):
		p := readScript(data).read(true)
		return r.program(file, &p), nil
	case bytes.HasPrefix(first, []byte("{")) && !(d.bare && isObject(first)):
		return h, nil
	}
	if program, ok := scripted(data); ok {
		p := readScript(program).read(true)
		return r.program(file, &p), nil
	}
	var closing []string
	if d.dots {
		closing = []string{"..."}
	}
	h.Document, err = frontmatter.Parse(data, closing...)
	if err != nil && d.marked {
		if lines, ok := readMarked(data); ok {
			h, err = lines, nil
		}
	} else if err == nil && h.Format == "" {
		switch {
		case ext == ".rst":
			h, _ = rstFields.read(data)
		case slices.Contains(fielded, ext):
			h, _ = docAttributes.read(data)
		case d.long:
			h, err = readHexo(data)
		case d.lines && (ext == ".html" || ext == ".htm"):
			h = readHTMLMeta(data)
		case d.lines:
			h, _ = metaLines.read(data)
		}
	}
	h.file = file
	return h, err
}

// program reads the values that a program of data gives names to where nothing in it branches, or of a template those
// of its data. What is computed of what matters, or said in two ways, is remembered.
func (r *reader) program(file string, p *reading) header {
	h, values := header{file: file, lines: p.lines}, p.values
	if data, ok := values["data"].(map[string]any); ok && strings.Contains(file, ".11ty.") {
		values, h.under = data, []string{"data"}
	} else if p.branches {
		for key := range values {
			values[key] = unknown("")
		}
	}
	h.Params, _ = r.known(file, values, nil).(map[string]any)
	for _, name := range p.again {
		if r.keys[strings.ToLower(name)] {
			r.computes(file, name)
		}
	}
	elsewhere := func(t token) bool {
		return t.kind == word && slices.Contains([]string{"require", "extends"}, t.text)
	}
	if len(values) == 0 && slices.ContainsFunc(p.program, elsewhere) {
		r.computes(file, "what it exports")
	}
	return h
}

// literal reads a value of a program, which is that of the keys above.
func (r *reader) literal(file string, p *reading, e program, above []string) header {
	own := *p
	own.lines = map[string]int{}
	h := header{file: file, lines: own.lines}
	h.nest(r.known(file, own.evaluate(e, above), above), above)
	return h
}

// known is what is literal of a value.
func (r *reader) known(file string, value any, path []string) any {
	if isComputed(value) {
		if r.matters(path) {
			r.computes(file, strings.Join(path, "."))
		}
		return nil
	}
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			if isComputed(e) {
				return r.known(file, e, path)
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if v[key] = r.known(file, v[key], append(path[:len(path):len(path)], key)); v[key] == nil {
				delete(v, key)
			}
		}
	}
	return value
}

// nest takes a value for that of the keys above.
func (h *header) nest(value any, above []string) {
	for _, key := range slices.Backward(above) {
		value = map[string]any{key: value}
	}
	h.Params, _ = value.(map[string]any)
}

// placingKeys say where a page is published, or whether it is. A title or date that is computed matters where the page
// is not found, which is said then.
var placingKeys = []string{"permalink", "layout", "draft", "published", "slug", "pagination"}

// matters reports whether something is lost where the value of a key is not known: it may state something, or say where
// the page is.
func (r *reader) matters(path []string) bool {
	for len(path) > 0 && slices.Contains([]string{"eleventycomputed", "params", "seo"}, strings.ToLower(path[0])) {
		path = path[1:]
	}
	if len(path) == 0 || strings.HasPrefix(path[0], "...") || strings.HasPrefix(path[0], "[") {
		return true
	}
	key := strings.ToLower(path[0])
	return r.keys[key] || len(path) == 1 && slices.Contains(placingKeys, key)
}

// computes remembers that a file's value of a key is computed.
func (r *reader) computes(file, key string) {
	if !slices.Contains(r.computed[file], key) {
		r.computed[file] = append(r.computed[file], key)
	}
}

// tellComputed reports what is computed, once a file, with what would answer it.
func (r *reader) tellComputed() {
	for file, keys := range r.computed {
		r.found(policy.Finding{ID: "config-computed", Severity: policy.Warning, File: r.site.short(file),
			Message: fmt.Sprintf("%s computed here, and programs are read, never run: what it says of a page does "+
				"not count, unless "+
				"its template says it too, metarobots.json does, or [site.content] permalinks says where pages are",
				are(keys))})
	}
}

// sorted are the content files, by their names.
func (r *reader) sorted() (all []*content) {
	for _, c := range r.content {
		if c != nil {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *content) int { return strings.Compare(a.file, b.file) })
	return all
}

// extension is that of a file's name, the longest of the content's that it ends with.
func (f *files) extension(name string) string {
	longest := path.Ext(name)
	for _, ext := range f.extensions {
		if n := len(name) - len(ext); len(ext) > len(longest) && n >= 0 && strings.EqualFold(name[n:], ext) {
			longest = name[n:]
		}
	}
	return longest
}

// named finds the file that somebody names: from the site's folder, from one of bases, absolute, or behind @site as
// Docusaurus writes it. It returns the names that it may have from the site's folder.
func (s *generated) named(name string) (candidates []string) {
	name = strings.TrimPrefix(name, "@site/")
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(s.options.Source, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	for _, base := range s.bases {
		candidates = append(candidates, clean(path.Join(base, filepath.ToSlash(name))))
	}
	return candidates
}
