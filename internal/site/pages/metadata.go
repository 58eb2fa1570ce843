package pages

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/site"
	"metarobots/internal/source"
	"metarobots/policy"
)

// A claim is what metadata says of a page.
type claim struct {
	meta   site.PageMeta // its source and its statements as they are shown
	source *content      // the content file that it names; nil for none
}

// ReadPage completes a file by the language that it says and by its metadata.
func (m *pageMap) ReadPage(f *site.File, language string, metadata []site.PageMeta) {
	all := slices.Clone(m.manifest[f.Name])
	for _, h := range metadata {
		all = append(all, m.takeClaim(f.Name, h))
	}
	folder, own := m.statedLanguage(f, language)
	if len(metadata) > 0 || folder != m.languageOf(f.Name) {
		m.fillIn(f, folder, m.sourcesOf(f.Name, all), all)
	}
	if f.Of != nil { // the language of the list is that of its pages
		all = append(all, m.manifest[strings.TrimPrefix(f.Of.Path.File, "/")]...)
	}
	statesLanguage := func(c claim) bool { return c.meta.Facts.Language != "" }
	if own != "" && !slices.ContainsFunc(all, statesLanguage) {
		f.Facts.Language = own
	}
}

// statedLanguage returns the folder of a page's language if the page agrees (/it/ may be a
// section), or what it says.
func (m *pageMap) statedLanguage(f *site.File, stated string) (folder, own string) {
	folder = m.languageOf(f.Name)
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(folder, "_", "-")), "-")
	primary, _, _ := strings.Cut(strings.ToLower(stated), "-")
	if stated == "" || !f.Role.Policed() || folder != "" && code == primary {
		return folder, "" // the folder's name is what the site calls it
	}
	return "", stated
}

// takeClaim makes a claim of metadata about the published file name: of the metas in a page
// ([pageMap.ReadPage]) or of an entry of a manifest ([pageMap.enterManifest]). It looks up the
// content file that the metadata names as its source. If that was read, it is noted in m.explicit
// and c.made.explicit, which outweigh what a rule found. If there is no such file, and the metadata
// states nothing itself, that is a finding, of a meta: to [reader.readEntries] a missing source is
// an error. It may be called from several goroutines.
func (m *pageMap) takeClaim(name string, meta site.PageMeta) claim {
	if meta.Source == "" {
		return claim{meta: meta}
	}
	r := m.reader
	candidates := r.site.sourceNames(meta.Source)
	var c *content // nil if none of the candidates was read
	for _, file := range candidates {
		c = cmp.Or(c, r.sources[file])
	}
	short := r.site.short(meta.Source)
	if c != nil {
		short = r.site.short(c.file)
		r.mu.Lock()
		m.explicit[name], c.made.explicit = unique(append(m.explicit[name], c)), true
		r.mu.Unlock()
	} else if !exists(r.site.options.Source, candidates...) &&
		len(meta.FrontMatter.Statements) == 0 {
		r.found(policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: site.URL(name),
			File: r.site.short(filepath.Join(r.site.publish, filepath.FromSlash(name))),
			Message: fmt.Sprintf("the page's template names %q as its source, and there is no such "+
				"file in the site's folder", meta.Source)})
	}
	meta.FrontMatter.Statements = statementsBeside(c, &meta, short)
	meta.Source = short
	return claim{meta, c}
}

// statementsBeside returns the statements of metadata that its content file c, or nil, does not
// make itself. A template that prints what its file states need not know the line there: then the
// file's own statement, which has it, is enough. short is the name of the source in messages, which
// replaces the one that the metadata has written.
func statementsBeside(c *content, meta *site.PageMeta, short string) (beside []policy.Statement) {
	for _, s := range meta.FrontMatter.Statements {
		if s.Origin.File == meta.Source {
			s.Origin.File = short
		}
		isSame := func(own policy.Statement) bool {
			return own.Crawler == s.Crawler && own.Directives == s.Directives && own.Embed == s.Embed
		}
		if c == nil || meta.Line > 0 || !slices.ContainsFunc(c.statements, isSame) {
			beside = append(beside, s)
		}
	}
	return beside
}

// reportOtherGenerator reports that the meta generator of the home page names another generator
// than the one whose site this is held to be.
func (m *pageMap) reportOtherGenerator() {
	home := filepath.Join(m.reader.site.publish, "index.html")
	src, err := disk.NewRoot(m.reader.site.publish).ReadFile(home, maxContent)
	if m.reader.site.generator == HTML() || err != nil { // an error is the run's to report
		return
	}
	metas := readHTMLMeta(src)
	by, _ := metas.Values["generator"].(string)
	maker := func(name string) bool { return strings.HasPrefix(strings.ToLower(by), name) }
	if !maker(m.reader.site.generator.ID) && (maker("hugo") ||
		slices.ContainsFunc(generators(), func(g *Generator) bool { return g != HTML() && maker(g.ID) })) {
		m.reader.found(policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: "/",
			File: m.reader.site.short(home), Line: metas.Index.Line("generator"),
			Message: fmt.Sprintf("the home page says that %s made it, and the site was taken for one "+
				"of %s: [site] generator says which it is", by, m.reader.site.generator.ID)})
	}
}

// manifestName is the file in which a site says what made which page, in the site's folder, beside
// the publish folder, or, if there is no other, in it: JSON objects, in a list or one a line, with
// url or file (as it is published) and a [site.PageMeta].
const manifestName = "metarobots.json"

//go:embed manifests
var manifests embed.FS

// manifestLines are those that let a generator write the manifest; empty where none are known.
func manifestLines(generator string) string {
	text, _ := manifests.ReadFile("manifests/" + generator + ".txt")
	return string(text)
}

// isLink reports whether a file is a link, even to nothing.
func isLink(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// An entry is what a manifest says of one page.
type entry struct {
	meta site.PageMeta
	name string // the published file, "a/index.html", if the entry names that; empty otherwise
	file string // the manifest, and the entry's line in it
	line int
}

// readManifests reads the manifests of the site, and returns what they say of pages: an entry a
// page. With [site.content] manifest that is the one file that it names; otherwise metarobots.json,
// each that is in
//
//	the site's folder, unless that is the publish folder
//	the folder of the publish folder
//	the publish folder, with a warning, and only if there is no other (publishedManifest)
//
// A file that is there and cannot be read may keep pages private, so it is an error of the run
// (r.fail); one that is named and is not there, or that is a link to nothing, too.
func (r *reader) readManifests() (entries []entry) {
	first := "" // of the files that are read; "" if there is none so far
	for _, file := range r.site.manifestFiles() {
		data, isThere := r.readManifestFile(file)
		if !isThere {
			continue
		}
		if file == r.site.manifestInPublish() { // also if it is named
			r.publishedManifest(file, first)
			if first != "" {
				continue
			}
		}
		first = cmp.Or(first, file)
		entries = append(entries, r.readEntries(r.site.short(file), data)...)
	}
	return entries
}

// manifestFiles are where manifests may lie, absolute, in the order in which they are read. That of
// the publish folder is last, since it counts only without the others.
func (s *openedSite) manifestFiles() []string {
	if s.content.Manifest != "" {
		return []string{joined(s.options.Source, s.content.Manifest)}
	}
	published := s.manifestInPublish()
	files := unique([]string{joined(s.options.Source, manifestName),
		filepath.Join(filepath.Dir(s.publish), manifestName)})
	files = slices.DeleteFunc(files, func(file string) bool { return file == published })
	return append(files, published)
}

func (s *openedSite) manifestInPublish() string { return filepath.Join(s.publish, manifestName) }

// readManifestFile reads one of the manifestFiles. isThere is false if there is none, and if it
// cannot be read, which it then has reported.
func (r *reader) readManifestFile(file string) (data []byte, isThere bool) {
	s := r.site
	// A manifest beside the publish folder may lie outside of the site.
	readable := disk.Around(s.options.Source).With(filepath.Dir(file))
	data, err := readable.ReadFile(file, maxContent)
	if err == nil {
		return data, true
	}
	isNamed := s.content.Manifest != ""
	isMissing := errors.Is(err, os.ErrNotExist) && !isLink(file)
	if isMissing && !isNamed {
		return nil, false
	}
	at := fault(s.short(file), err)
	if isNamed {
		at.Message = "[site.content] manifest: " + at.Message
	}
	r.fail(at)
	return nil, false
}

// publishedManifest reports a manifest in the publish folder. Beside another one it may be a copy
// that an earlier build made of that: it does not count. other is "" if there is no other.
func (r *reader) publishedManifest(file, other string) {
	f := policy.Finding{ID: "page-metadata-published", Severity: policy.Warning,
		URL: "/" + manifestName, File: r.site.short(file),
		Message: "the metadata of the site's pages is published with it, the addresses of private " +
			"ones included: "}
	if other == "" {
		f.Message += "write it beside the publish folder"
	} else {
		f.Message += "keep the generator from publishing " + r.site.short(other)
		f.Detail = ". Beside that, this one does not count"
	}
	r.found(f)
}

// readEntries reads the entries of one manifest, and the content files that they name as sources.
// file is its name in messages. What is wrong with an entry is an error of the run at its line
// (r.fail), and the entry is left out; so is a manifest that is no JSON. Its form is one of these:
//
//	[{"url": "/a/", "source": "a.md"},     {"url": "/a/", "source": "a.md"}
//	 {"url": "/b/", "source": "b.md"}]     {"url": "/b/", "source": "b.md"}
func (r *reader) readEntries(file string, data []byte) (entries []entry) {
	all, index, err := readManifest(data)
	if err != nil {
		at := fault(file, err)
		r.fail(&policy.Finding{File: file, Line: at.Line, Message: "it is neither a list of JSON " +
			"objects nor an object on each line: " + at.Message})
		return nil
	}
	for i, values := range all {
		lineOf := func(path ...string) int {
			return index.Line(slices.Concat([]string{strconv.Itoa(i)}, path)...)
		}
		fail := func(err error) {
			r.fail(&policy.Finding{File: file, Line: lineOf(), Message: err.Error()})
		}
		e, err := r.readEntry(file, values, lineOf)
		if err != nil {
			fail(err)
			continue
		}
		r.report(e.meta.FrontMatter.Findings)
		if err := r.readSource(e.meta.Source); err != nil {
			fail(err) // the entry counts all the same: what it states itself is not lost
		}
		entries = append(entries, e)
	}
	return entries
}

// readEntry reads one object of a manifest. lineOf is the line of a key in it, by its path of keys;
// of the object itself if there are none. An object that names no page is an error.
func (r *reader) readEntry(file string, values map[string]any, lineOf func(path ...string) int) (
	e entry, err error) {
	e = entry{file: file, line: lineOf()}
	if name, ok := values["file"].(string); ok {
		e.name = strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(name)), "/")
		delete(values, "file") // no key of metadata
	}
	o := r.options
	o.Locate = func(path ...string) (string, int) { return file, lineOf(path...) }
	if e.meta, err = site.NewPageMeta(values, o); err == nil && e.page() == "" {
		err = errors.New("it names no page: url or file says which one it speaks of")
	}
	return e, err
}

// readManifest reads the objects of a manifest, and the index of their lines.
func readManifest(data []byte) (all []map[string]any, index *source.Index, err error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		// An object on each line becomes a list whose elements stay on their lines.
		list := betweenLines.ReplaceAll(data, []byte("},$1{"))
		data = slices.Concat([]byte("["), list, []byte("]"))
	}
	index, err = source.Read("json", data, 0, &all)
	return all, index, err
}

// betweenLines is where an object ends and the next line begins another.
var betweenLines = lazyregexp.New(`\}[ \t\r]*(\n\s*)\{`)

// readSource reads a content file that an entry names and no folder has; it inherits as those of
// its folder do.
func (r *reader) readSource(name string) error {
	s := r.site
	for _, file := range s.sourceNames(name) {
		if _, known := r.sources[file]; known || name == "" || matches(s.content.Exclude, file) {
			return nil
		}
		data, err := s.readFile(file, maxContent)
		if data == nil && err == nil {
			continue
		}
		f := s.layout.like(clean(path.Dir(file)))
		f.takesBare, f.place = always, func(*content) {} // its page is the one that the entry names
		if err != nil {
			err = fault(file, err)
		} else if _, err = r.readContent(&f, file, data); err == nil {
			return nil
		}
		return fmt.Errorf("source %q: %w", name, err)
	}
	return fmt.Errorf("source %q is not there: it is named from the site's folder, or as the "+
		"generator names it", name)
}

// enterManifest gives the entries to their pages. It is called after matchContent: the sources that
// entries name replace what a rule found, in m.behind, even if that is among them (a meta of the
// page keeps it then: sourcesOf). An entry without a page is an error if it states something; a
// note counts the others. Another one counts the pages in no entry, if entries name sources.
func (m *pageMap) enterManifest(entries []entry) {
	noPage := func(severity policy.Severity, e *entry, more string) {
		m.reader.found(policy.Finding{ID: "no-page", Severity: severity, File: e.file, Line: e.line,
			Message: fmt.Sprintf("no page is published at %q%s, which this file names", e.page(), more)})
	}
	var absent []*entry
	for i := range entries {
		e := &entries[i]
		if name := m.published.of(e, m.reader.site.Settings().BaseURL); name != "" {
			m.manifest[name] = append(m.manifest[name], m.takeClaim(name, e.meta))
		} else if len(e.meta.FrontMatter.Statements) > 0 {
			noPage(policy.Error, e, "")
		} else {
			absent = append(absent, e)
		}
	}
	maps.Copy(m.behind, m.explicit) // the owner knows better than a rule
	if len(absent) > 0 {
		noPage(policy.Note, absent[0], andMore(len(absent)-1))
	}
	// Pages are HTML files but redirects, error pages and pagers behind the first one.
	without := m.pages(func(name string) bool { return len(m.manifest[name]) == 0 })
	named := slices.ContainsFunc(entries, func(e entry) bool { return e.meta.Source != "" })
	if named && len(without) > 0 {
		url := site.URL(without[0])
		m.reader.found(policy.Finding{ID: "no-page", Severity: policy.Note, URL: url,
			File:    entries[0].file,
			Message: fmt.Sprintf("pages in no entry of this file: %s%s", url, andMore(len(without)-1)),
			Detail:  ". Content files are matched with them by name"})
	}
}

// page is the page that the entry names: its published file, or else its URL; empty for none.
func (e *entry) page() string { return cmp.Or(e.name, e.meta.URL) }

// andMore is " and 3 more" for a message; empty for none.
func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// of is the published file of an entry's page; its URL may begin with the path of the site's.
func (p *published) of(e *entry, base string) string {
	candidates := []string{e.name}
	if u, err := url.Parse(e.meta.URL); e.name == "" && err == nil {
		candidates = filesAt(u.Path)
		if of, err := url.Parse(base); err == nil {
			rest := strings.TrimPrefix(u.Path, strings.TrimSuffix(of.Path, "/")+"/")
			candidates = append(candidates, filesAt(rest)...)
		}
	}
	return p.first(candidates...)
}
