package pages

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/policy"
)

// A reader reads the content files of a site, each once.
type reader struct {
	site    *generated
	options frontmatter.Options
	// sources are what was read, by the paths from the site's folder; nil for what cannot be read.
	sources map[string]*content
	// computed are the keys that matter and whose values are computed, by file.
	computed map[string][]string
	errs     []error

	mu       sync.Mutex
	findings map[policy.Finding]bool
}

func newReader(s *generated, o frontmatter.Options) *reader {
	return &reader{site: s, options: o, sources: map[string]*content{}, computed: map[string][]string{},
		findings: map[policy.Finding]bool{}}
}

// found adds a finding, once: what a folder's data says comes with each of its files, and a page may be read twice.
func (r *reader) found(f policy.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings[f] = true
}

// tell adds a finding; one of severity error ends the run.
func (r *reader) tell(f policy.Finding) {
	if f.Severity == policy.Error {
		r.fail(&f)
	} else {
		r.found(f)
	}
}

// fail adds an error that is not there yet, if it is one.
func (r *reader) fail(err error) {
	same := func(other error) bool { return other.Error() == err.Error() }
	if err != nil && !slices.ContainsFunc(r.errs, same) {
		r.errs = append(r.errs, err)
	}
}

// folder reads the content files of one.
func (r *reader) folder(ctx context.Context, f *folder) {
	s := r.site
	w := walk{of: *f, publish: s.publish, site: s.options.Source}
	w.refused = func(name string, err error) {
		if !s.config.leavesOut(name) {
			r.found(policy.Finding{ID: "not-read", Severity: policy.Error, File: s.short(name), Message: notRead(err)})
		}
	}
	w.visit = func(file, name string) error {
		if _, seen := r.sources[name]; seen || !f.takes(name) || s.config.leavesOut(name) {
			return nil
		}
		if f.extensions == nil && !slices.Contains(fielded, strings.ToLower(path.Ext(name))) && !w.marked(file) &&
			!f.bare(name) {
			return nil // an image, or whatever else has no front matter
		}
		data, err := w.files.ReadFile(file, maxContent)
		if disk.Refused(err) {
			w.refused(name, err)
			return nil
		} else if err != nil {
			return err
		}
		c, err := r.read(f, name, data)
		if c == nil {
			r.fail(err)
			return nil
		}
		c.unpublished = c.isDraft(f.drafts...) || f.leaves != nil && f.leaves(name)
		f.place(c)
		if pattern := s.pattern(c.file); pattern != "" {
			c.places = append(c.patterned(pattern), c.places...)
		}
		c.places = unique(c.places)
		return nil
	}
	r.fail(w.content(ctx))
}

// bare reports whether a file without front matter is content too.
func (f *folder) bare(file string) bool { return f.required == nil || !f.required(file) }

// read reads a content file and what it inherits. It is nil for one that is no content, and for one that cannot be
// read.
func (r *reader) read(f *folder, file string, data []byte) (*content, error) {
	ext := extension(file)
	c := &content{reader: r, folder: f, file: file, dir: clean(path.Dir(within(file, f.dir))),
		base: strings.TrimSuffix(path.Base(file), ext), language: f.language, collection: f.collection}
	own, err := r.frontMatter(c.file, ext, data, f.dialect)
	if err == nil && own.Params == nil && own.Format == "" && !f.bare(c.file) {
		return nil, nil
	}
	r.sources[c.file] = nil
	c.headers, c.params = []header{own}, own.Params
	c.title = cmp.Or(c.text("title"), heading(data, ext))
	if err == nil && f.inherit != nil {
		var inherited []header
		inherited, err = f.inherit(c)
		for _, h := range inherited {
			c.params = merged(c.params, h.Params, f.deep)
		}
		c.headers = append(c.headers, inherited...)
	}
	if err != nil {
		return nil, r.unreadable(c.file, err)
	}
	r.sources[c.file] = c
	return c, nil
}

// templates are folders that hold what pages are made with: where something there cannot be read, that stops no run.
var templates = []string{"_includes", "_layouts", "includes", "layouts", "partials", "templates"}

// unreadable is the error of front matter, or of a file of data; among templates it is a finding alone.
func (r *reader) unreadable(file string, err error) error {
	at := policy.Finding{File: file, Message: err.Error()}
	if own, ok := errors.AsType[*frontmatter.Error](err); ok {
		at.Line = own.Line
	} else if data, ok := errors.AsType[*policy.Finding](err); ok {
		at = *data
	}
	isTemplates := func(name string) bool { return slices.Contains(templates, name) }
	among := slices.ContainsFunc(strings.Split(path.Dir(at.File), "/"), isTemplates)
	if at.File = r.site.short(at.File); !among {
		return &at
	}
	r.found(policy.Finding{ID: "not-read", Severity: policy.Warning, File: at.File, Line: at.Line, Message: at.Message +
		": what it says does not count; it lies among templates, so the run goes on"})
	return nil
}

// script reads a program of data where it is nothing but an object. Of another it is remembered what it may say that
// matters.
func (r *reader) script(file string, data []byte) header {
	t := lex(string(data))
	p, ok := t.object()
	if !ok && !r.mentions(file, t) && len(t) > 0 {
		r.computes(file, "what it exports")
	} else if ok {
		r.known(file, p.values, nil)
		return header{file: file, lines: p.lines, Document: frontmatter.Document{Params: p.values}}
	}
	return header{file: file}
}

// mentions remembers which keys that matter a program names, what it takes over, and whether all that it says is
// another's. It reports whether it names any key.
func (r *reader) mentions(file string, t tokens) (names bool) {
	others := false
	for i, of := range t {
		named := t.assigned(i) > 0 || of.kind == text && t.is(i+1, "]")
		if (named || of.kind == word && !t.is(i-1, ".")) && r.states(of.text) {
			r.computes(file, of.text)
		} else if t.spread(i) && (t.is(i-4, "{") || t.is(i-4, ",")) {
			r.computes(file, "..."+of.text)
		}
		names = names || named && of.text != "exports"
		others = others || of.kind == word && (of.text == "require" || of.text == "extends")
	}
	if others && !names {
		r.computes(file, "what it exports")
	}
	return names
}

// known takes out of values what is computed, and remembers what of it matters.
func (r *reader) known(file string, values map[string]any, path []string) {
	for key, value := range values {
		path := append(path[:len(path):len(path)], key)
		list, _ := value.([]any)
		if below, ok := value.(map[string]any); ok {
			r.known(file, below, path)
		} else if value == computed || slices.Contains(list, any(computed)) {
			if delete(values, key); r.matters(path) {
				r.computes(file, strings.Join(path, "."))
			}
		}
	}
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
	return r.states(path[0]) && (len(path) == 1 || !slices.Contains(placingKeys, strings.ToLower(path[0])))
}

// states reports whether a key states something, or where the page is.
func (r *reader) states(key string) bool {
	return slices.Contains(placingKeys, strings.ToLower(key)) ||
		frontmatter.Mentions(map[string]any{key: map[string]any{}}, r.options)
}

// computes remembers that a file's value of a key is computed.
func (r *reader) computes(file, key string) {
	if !slices.Contains(r.computed[file], key) {
		r.computed[file] = append(r.computed[file], key)
	}
}

// addresses are the keys of configurations that say where a site is served, and nothing of where its content lies.
var addresses = []string{"url", "baseUrl", "site", "base", "hostname", "SITEURL", "site_url", "file()"}

// setByCode is one finding of what programs set, and what of it may matter.
func (m *pageMap) setByCode() []policy.Finding {
	s, code := m.site, maps.Clone(m.computed)
	unread, major := maps.Clone(s.layout.computed), len(code) > 0
	for _, key := range *s.config.unread {
		if (key != s.generator.publish[0] || s.options.Destination == "") &&
			(s.options.BaseURL == "" || !slices.Contains(addresses, key)) {
			unread[s.config.file] = append(unread[s.config.file], key)
		}
	}
	answered := s.content.Manifest != "" || exists(s.options.Source, manifestName)
	if len(unread) > 0 && !m.allMatched() {
		for file, keys := range unread {
			minor := func(key string) bool { return slices.Contains(addresses, key) }
			major = major || !answered && len(slices.DeleteFunc(slices.Clone(keys), minor)) > 0
			code[file] = append(slices.Clone(code[file]), keys...)
		}
	}
	f := policy.Finding{ID: "config-computed", Severity: policy.Warning}
	if !major {
		f.Severity = policy.Note
	}
	if len(code) == 0 {
		return nil
	}
	files := slices.Sorted(maps.Keys(code))
	f.File = s.short(files[0])
	var keys []string
	for _, file := range files[:min(most, len(files))] {
		slices.Sort(code[file])
		keys = append(keys, strings.Join(slices.Compact(code[file]), ", ")+" in "+s.short(file))
	}
	f.Message = strings.Join(keys, "; ") + andMore(len(files)-len(keys)) + ": set by code, which metarobots does not run, " +
		"so the generator's default counts. To restrict a page, use its template, or a line of metarobots.json: " +
		"{\"url\": \"/where/\", \"robots\": \"…\"}. To name the folders of content and its URLs, use [site.content] " +
		"folders = [ \"…\" ] and permalinks = { \"folder\" = \"/where/:slug/\" }; to name the publish folder, [site] destination"
	return []policy.Finding{f}
}

// allMatched reports whether a content file was found for every page: then no content lies where nobody looks for it.
func (m *pageMap) allMatched() bool {
	return !slices.ContainsFunc(m.published.html, func(name string) bool {
		f := m.File(name)
		return f.Role == policy.RolePage && f.Pager < 2 && !slices.ContainsFunc(m.behind[name],
			func(c *content) bool { return c.ext() != ".astro" })
	})
}

// sorted are the content files, by their names.
func (r *reader) sorted() (all []*content) {
	for _, c := range r.sources {
		if c != nil {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *content) int { return strings.Compare(a.file, b.file) })
	return all
}

// extension is that of a file's name; of a program that is a template of Eleventy's it has two parts.
func extension(name string) string {
	ext := path.Ext(name)
	if strings.HasSuffix(name, ".11ty"+ext) {
		return ".11ty" + ext
	}
	return ext
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
