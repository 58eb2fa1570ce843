package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// A reader reads the content files of a site, each once.
type reader struct {
	site    *openedSite
	options frontmatter.Config
	// sources are what was read, by the paths from the site's folder; nil for a file whose front
	// matter cannot be read. One that is refused, or is no content, is not among them.
	sources  map[string]*content
	computed computedKeys // of programs
	errs     []error      // they end the run, once all content is read

	// mu guards findings, and what claims of pages set ([pageMap.takeClaim]): several goroutines
	// read pages. Content is read before, by one.
	mu       sync.Mutex
	findings map[policy.Finding]bool
}

func newReader(s *openedSite, o frontmatter.Config) *reader {
	return &reader{site: s, options: o, sources: map[string]*content{}, computed: computedKeys{},
		findings: map[policy.Finding]bool{}}
}

// found adds a finding, once: what a folder's data says comes with each of its files, and a page
// may be read twice.
func (r *reader) found(f policy.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings[f] = true
}

// fail adds an error, once.
func (r *reader) fail(err error) {
	same := func(other error) bool { return other.Error() == err.Error() }
	if err != nil && !slices.ContainsFunc(r.errs, same) {
		r.errs = append(r.errs, err)
	}
}

// report adds findings of front matter; those of severity error end the run.
func (r *reader) report(findings []policy.Finding) {
	for _, f := range findings {
		if f.Severity == policy.Error {
			r.fail(&f)
		} else {
			r.found(f)
		}
	}
}

// readFolder reads the content files of one folder, and of the folders in it, into r.sources, for
// [openedSite.List], which gives it each folder of the site in turn. What is wrong with one file is
// noted in r ([reader.readContentFile]). The publish folder is left out. An error ends the walk:
// ctx, or a folder or file that the system does not let us read. A folder that does not exist has
// no files, and is an error only if the owner names it.
func (r *reader) readFolder(ctx context.Context, f *folder) error {
	s := r.site
	f.setDefaults(s.generator)
	dir := joined(s.options.Source, f.dir)
	info, err := os.Stat(dir)
	isMissing := errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir()
	if isMissing {
		return s.missingFolder(f.dir)
	}
	unlinked, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	publish, _ := filepath.EvalSymlinks(s.publish) // there may be none yet: then "" leaves nothing out
	// Files may be read that lie in the site, its repository, or this folder: if it is a link out
	// of the site, the owner's configuration names it.
	readable := disk.Around(s.options.Source).With(unlinked)
	// Some generators take content from node_modules and from folders whose names begin with a dot.
	w := disk.Walk{Folder: unlinked, Leave: publish, Files: readable, EntersTools: s.generator.Dotted}
	w.Skip = func(name string, isDir bool) bool {
		return f.skip != nil && f.skip(path.Join(f.dir, name), isDir)
	}
	// err says why a file cannot be read; nil if it can.
	w.Visit = func(file, name string, err error) error {
		fromSite := path.Join(f.dir, name)
		if !r.isWanted(readable, f, file, fromSite, err) {
			return nil
		}
		return r.readContentFile(readable, f, file, fromSite, err)
	}
	return w.Run(ctx)
}

// setDefaults sets what a folder leaves open: its extensions are those of the generator, which may
// take any too (nil), and a file without front matter is content.
func (f *folder) setDefaults(g *Generator) {
	if f.extensions == nil {
		f.extensions = g.Extensions
	}
	if f.takesBare == nil {
		f.takesBare = always
	}
}

// isWanted reports whether a file that a walk found in a folder is to be read as content. file is
// its absolute path, name its path from the site's folder; err says why it cannot be read, nil if
// it can.
func (r *reader) isWanted(files disk.Root, f *folder, file, name string, err error) bool {
	ext := strings.ToLower(extension(name))
	hasExtension := slices.Contains(f.extensions, ext)
	takesAnyExtension := f.extensions == nil || !f.makesPages() // templates have any

	_, isRead := r.sources[name] // by an earlier folder, which keeps it
	switch {
	case isRead, matches(r.site.content.Exclude, name):
		return false
	case errors.Is(err, disk.ErrOutside):
		return true // a link out of the site is reported, whatever its name is
	case !hasExtension && !takesAnyExtension:
		return false
	case err != nil, hasExtension, slices.Contains(fielded, ext), f.takesBare(name):
		return true
	}
	return marked(files, file) // otherwise it is an image, or whatever else has no front matter
}

// missingFolder is the error of a folder that is not there: of one that the owner names, whose
// content would count for nothing. One of a layout is a folder that this site does without.
func (s *openedSite) missingFolder(dir string) error {
	if !slices.ContainsFunc(s.content.Folders, func(own string) bool { return clean(own) == dir }) {
		return nil
	}
	var there []string
	entries, _ := os.ReadDir(s.options.Source)
	for _, e := range entries {
		if e.IsDir() {
			there = append(there, e.Name())
		}
	}
	at := s.content.FoldersAt
	return &policy.Finding{File: at.File, Line: at.Line,
		Message: fmt.Sprintf("%s: %q is no folder of this site%s", at.Key, dir,
			policy.DidYouMean(dir, there))}
}

// readContentFile reads a content file of a folder and sets its places, or reports why it cannot be
// read: what err says, if the walk that found it has one. A file that is refused ([disk.Refused]),
// such as a link out of the site, is a finding, and does not end the run as errors do that r.fail
// adds. The arguments are those of [reader.isWanted].
func (r *reader) readContentFile(files disk.Root, f *folder, file, name string, err error) error {
	var data []byte
	if err == nil {
		data, err = files.ReadFile(file, maxContent)
	}
	if disk.Refused(err) { // by our limits: it is too large, outside … The run goes on
		at := fault(r.site.short(name), err)
		r.found(policy.Finding{ID: "not-read", Severity: policy.Error, File: at.File,
			Message: at.Message})
		return nil
	} else if err != nil {
		return err
	}
	c, err := r.readContent(f, name, data)
	if c == nil {
		r.fail(err)
		return nil
	}
	c.unpublished = c.isDraft(f.drafts...) || matches(f.leaves, name)
	if f.makesPages() {
		f.place(c)
	}
	if pattern := r.site.pattern(name); pattern != "" { // the owner's goes before the generator's
		c.places = append(c.patterned(pattern), c.places...)
	}
	c.places = unique(c.places)
	return nil
}

// opened is how a file begins that has front matter, or something that was meant for it behind what
// hides it.
var opened = lazyregexp.New(`\A(?:\s|\p{Cf})*(?:---|<!--)`)

// marked reports whether a file begins as one with front matter, or cannot be asked.
func marked(files disk.Root, file string) bool {
	f, err := files.Open(file)
	if err != nil {
		return true
	}
	defer f.Close()
	first, _ := io.ReadAll(io.LimitReader(f, 64))
	return opened.Match(first)
}

// readContent reads a content file and what it inherits. It is nil for what is none, or cannot be
// read.
func (r *reader) readContent(f *folder, file string, data []byte) (*content, error) {
	ext := extension(file)
	at := pathInFolder{clean(path.Dir(within(file, f.dir))), strings.TrimSuffix(path.Base(file), ext)}
	c := &content{reader: r, folder: f, file: file, at: at, language: f.language, collection: f.collection}
	own, err := r.readFrontMatter(c.file, ext, data)
	if err == nil && own.params == nil && !f.takesBare(c.file) {
		return nil, nil
	}
	if r.sources[c.file] = nil; err != nil {
		return nil, r.unreadable(c.file, err)
	}
	c.stated, c.matter.params = []section{own}, own.params
	c.title = cmp.Or(c.matter.text("title"), heading(data, ext))
	if f.inherit != nil {
		c.stated = append(c.stated, f.inherit(c)...)
	}
	for _, inherited := range c.stated[1:] {
		c.matter.params = merged(c.matter.params, inherited.params)
	}
	r.sources[c.file] = c
	r.readStatements(c)
	return c, nil
}

// templates are folders that hold what pages are made with: where something there cannot be read,
// that stops no run.
var templates = lazyregexp.New(`(?:^|/)(?:_?includes|_?layouts|partials|templates)/`)

// unreadable is the error of front matter, or of a file of data; among templates it is a finding
// alone.
func (r *reader) unreadable(file string, err error) error {
	at := fault(r.site.short(file), err)
	if !templates.MatchString(file) {
		return at
	}
	r.found(policy.Finding{ID: "not-read", Severity: policy.Warning, File: at.File, Line: at.Line,
		Message: at.Message + ": what it says does not count",
		Detail:  "; it lies among templates, so the run goes on"})
	return nil
}

// sorted are the content files that could be read, by their paths.
func (r *reader) sorted() []*content {
	isUnread := func(c *content) bool { return c == nil }
	read := slices.DeleteFunc(slices.Collect(maps.Values(r.sources)), isUnread)
	slices.SortFunc(read, func(a, b *content) int { return strings.Compare(a.file, b.file) })
	return read
}

// extension is that of a file's name; of a program that is a template of Eleventy's it has two
// parts.
func extension(name string) string {
	ext := path.Ext(name)
	if strings.HasSuffix(name, ".11ty"+ext) {
		return ".11ty" + ext
	}
	return ext
}

// sourceNames are the paths that a name may mean: from the site's folder, from where the
// generator's names count, from a content folder, absolute, or behind @site as Docusaurus writes
// it.
func (s *openedSite) sourceNames(name string) (candidates []string) {
	name = strings.TrimPrefix(name, "@site/")
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(s.options.Source, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	bases := []string{"", s.base}
	for _, f := range s.folders {
		bases = append(bases, f.dir)
	}
	for _, base := range bases {
		candidates = append(candidates, clean(path.Join(base, filepath.ToSlash(name))))
	}
	return unique(candidates)
}
