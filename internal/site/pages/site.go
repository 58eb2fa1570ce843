package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// generated is an opened site.
type generated struct {
	generator string
	options   site.Options
	content   site.Content // the owner's
	config    *config
	layout    layout
	publish   string
}

func opened(generator string, o site.Options, c *config, l layout, publish string) *generated {
	s := &generated{generator: generator, options: o, config: c, layout: l, publish: publish}
	if o.Content != nil {
		s.content = *o.Content
	}
	return s
}

// Settings are what the configuration says, as far as it is literal.
func (s *generated) Settings() site.Settings {
	settings := site.Settings{Publish: s.publish, BaseURL: cmp.Or(s.options.BaseURL, s.layout.baseURL),
		State: filepath.Join(filepath.Dir(s.publish), ".metarobots")}
	unread := slices.Compact(slices.Sorted(slices.Values(s.config.unread)))
	if len(unread) > 0 {
		computed := policy.Finding{ID: "config-computed", Severity: policy.Note, File: s.short(s.config.file),
			Message: are(unread) + " computed, and a configuration is read, never run: the generator's default is taken for it ([site] destination and [site.content] say what it is)"}
		if slices.ContainsFunc(unread, func(key string) bool { return !slices.Contains(addresses, key) }) {
			computed.Severity = policy.Warning // content may lie where nobody looks for it
		}
		settings.Findings = append(settings.Findings, computed)
	}
	for _, f := range s.layout.computed {
		f.File = s.short(f.File)
		settings.Findings = append(settings.Findings, f)
	}
	return settings
}

// addresses are the keys of configurations that say where a site is served, and nothing of where its content lies.
var addresses = []string{"url", "baseUrl", "site", "base", "hostname", "SITEURL", "site_url"}

// are is the beginning of a sentence about names.
func are(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}

// Close frees nothing.
func (s *generated) Close() error { return nil }

// short is a file of the site for messages.
func (s *generated) short(file string) string {
	return filepath.ToSlash(short(s.options, joined(s.options.Source, file)))
}

// List reads the content and finds the page of each file among those that are published.
func (s *generated) List(ctx context.Context, o frontmatter.Options) (site.Map, error) {
	m := &pageMap{generator: s.generator, root: s.options.Source, publish: s.publish, bases: s.bases(), published: readPublished(s.publish), numbered: s.layout.numbered, lists: s.layout.lists, options: o, short: s.short,
		behind: map[string][]*content{}, sources: map[string]*content{}, sidecar: map[string][]site.PageMeta{}}
	all, errs := s.contents(ctx, m)
	told := map[string]bool{}
	for _, c := range all {
		for _, file := range slices.Sorted(maps.Keys(c.unread)) {
			if !told[file] {
				told[file] = true
				m.findings = append(m.findings, policy.Finding{ID: "config-computed", Severity: policy.Warning, File: s.short(file),
					Message: fmt.Sprintf("%s computed here, and programs are read, never run: what it says of a page does not count, unless its template says it too", are(c.unread[file]))})
			}
		}
		findings, faults := c.states(o, s.short)
		for _, f := range findings {
			if !slices.Contains(m.findings, f) { // what a folder's data says comes with each of its files
				m.findings = append(m.findings, f)
			}
		}
		errs = append(errs, faults...)
		m.sources[c.file] = c
	}
	m.content = all
	m.place(s.layout.fallback)
	errs = append(errs, m.readSidecars(s.publish)...)
	return m, errors.Join(errs...)
}

// contents reads every content file, sorted by name.
func (s *generated) contents(ctx context.Context, m *pageMap) (all []*content, errs []error) {
	seen := map[string]bool{}
	keys := statingKeys(m.options)
	for _, f := range s.folders() {
		w := walk{of: f, publish: s.publish, site: s.options.Source, root: joined(s.options.Source, f.dir)}
		w.refused = func(rel string, err error) {
			file := path.Join(f.dir, rel)
			if slices.ContainsFunc(s.content.Exclude, func(g policy.Glob) bool { return g.Match(policy.PathOf(file)) }) {
				return
			}
			told := policy.Finding{ID: "not-read", Severity: policy.Error, File: s.short(file), Message: notRead(err)}
			if !slices.Contains(m.findings, told) {
				m.findings = append(m.findings, told)
			}
		}
		w.visit = func(file, below string) error {
			if !f.takes(below) {
				return nil
			}
			ext := f.extension(below)
			c := &content{file: path.Join(f.dir, below), dir: path.Dir(below), base: strings.TrimSuffix(path.Base(below), ext), ext: ext,
				language: f.language, collection: f.collection, edition: f.edition, keys: keys}
			if seen[c.file] || slices.ContainsFunc(s.content.Exclude, func(g policy.Glob) bool { return g.Match(policy.PathOf(c.file)) }) {
				return nil
			}
			if c.dir == "." {
				c.dir = ""
			}
			data, err := w.files.ReadFile(file, maxContent)
			if disk.Refused(err) {
				w.refused(below, err)
				return nil
			} else if err != nil {
				return err
			}
			own, err := c.read(data, f.dialect)
			if err != nil {
				seen[c.file] = true
				errs = append(errs, s.unreadable(c.file, err))
				return nil
			}
			if f.required && own.Params == nil && own.Format == "" && (f.bare == nil || !f.bare(below)) {
				return nil
			}
			seen[c.file] = true
			c.headers = []header{own}
			c.params = own.Params
			c.title = cmp.Or(c.text("title"), heading(data, ext))
			if f.inherit != nil {
				inherited, err := f.inherit(c)
				if err != nil {
					errs = append(errs, s.unreadable(c.file, err))
					return nil
				}
				for _, h := range inherited {
					c.params = merged(c.params, h.Params, f.deep)
				}
				c.headers = append(c.headers, inherited...)
			}
			c.unpublished = f.drafts != nil && c.isDraft(f.drafts(c)...) || f.leaves != nil && f.leaves(below)
			f.place(c)
			s.patterned(c, f)
			c.places = unique(c.places)
			all = append(all, c)
			return nil
		}
		if err := w.content(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	slices.SortFunc(all, func(a, b *content) int { return strings.Compare(a.file, b.file) })
	return all, errs
}

// extension is that of a file's name, the longest of the content's that it ends with.
func (f *folder) extension(name string) string {
	longest := path.Ext(name)
	for _, ext := range f.extensions {
		if n := len(name) - len(ext); len(ext) > len(longest) && n >= 0 && strings.EqualFold(name[n:], ext) {
			longest = name[n:]
		}
	}
	return longest
}

// statingKeys are the keys of front matter that state something, in lower case.
func statingKeys(o frontmatter.Options) map[string]bool {
	all := map[string]bool{}
	for key, form := range frontmatter.Keys(o.Crawlers) {
		if form != frontmatter.FormInert && (form != frontmatter.FormExpiry || o.Expiry) {
			all[strings.ToLower(key)] = true
		}
	}
	for key := range o.Keys {
		first, _, _ := strings.Cut(key, ".")
		all[first] = true
	}
	return all
}

// unique leaves out what stands there before.
func unique(names []string) (all []string) {
	for _, name := range names {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// bases are the folders from which a template may name a content file: the site's, the one that the generator's own names
// count from, and those of the content.
func (s *generated) bases() []string {
	all := []string{"", s.layout.base}
	for _, f := range s.folders() {
		all = append(all, f.dir)
	}
	return unique(all)
}

// unreadable is the error of front matter, or of a file of data.
func (s *generated) unreadable(file string, err error) error {
	switch e := err.(type) {
	case *dataError:
		return placed(s.short(e.file), e.line, e.msg)
	case *frontmatter.Error:
		return placed(s.short(file), e.Line, err.Error())
	}
	return placed(s.short(file), 0, err.Error())
}

// folders are those of the layout, or the owner's in their place, and those that the owner's permalinks name beside them.
func (s *generated) folders() []folder {
	folders := s.layout.folders
	if own := s.content.Folders; len(own) > 0 {
		folders = nil
		for _, dir := range own {
			folders = append(folders, s.like(clean(dir)))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(s.content.Permalinks)) {
		if dir = clean(dir); !slices.ContainsFunc(folders, func(f folder) bool { return below(dir, f.dir) }) {
			folders = append(folders, s.like(dir))
		}
	}
	return folders
}

// like is a folder of the owner's: it takes after the one of the layout that holds it, or after the first.
func (s *generated) like(dir string) folder {
	f := folder{extensions: markdown, place: func(c *content) { c.places = urls("/"+c.rel()+"/", "/"+c.rel()) }}
	if len(s.layout.folders) > 0 {
		f = s.layout.folders[0]
	}
	if s.layout.other != nil {
		f = *s.layout.other
	}
	for _, of := range s.layout.folders {
		if !below(dir, of.dir) {
			continue
		}
		f = of
		rest := strings.TrimPrefix(strings.TrimPrefix(dir, of.dir), "/")
		if of.skip != nil {
			f.skip = func(rel string, isDir bool) bool { return of.skip(path.Join(rest, rel), isDir) }
		}
		if of.leaves != nil {
			f.leaves = func(rel string) bool { return of.leaves(path.Join(rest, rel)) }
		}
		if of.unfollowed != nil {
			f.unfollowed = func(rel string) bool { return of.unfollowed(path.Join(rest, rel)) }
		}
		if of.bare != nil {
			f.bare = func(rel string) bool { return of.bare(path.Join(rest, rel)) }
		}
	}
	f.dir = dir
	return f
}

// below reports whether a path is a folder or lies below it.
func below(name, dir string) bool {
	return dir == "" || name == dir || strings.HasPrefix(name, dir+"/")
}

// patterned puts the URL that the owner's pattern gives before those of the generator.
func (s *generated) patterned(c *content, f folder) {
	pattern, longest := s.content.Pattern, -1
	for dir, p := range s.content.Permalinks {
		if dir = clean(dir); below(c.file, dir) && len(dir) > longest {
			pattern, longest = p, len(dir)
		}
	}
	if pattern == "" {
		return
	}
	own := cmp.Or(c.text("permalink"), c.text("url"))
	if strings.ContainsAny(own, "{<") {
		own = ""
	}
	places := urls(expanded(pattern, c.values()))
	if own != "" {
		places = append(urls(own), places...)
	}
	c.owned = places
	c.places = append(places, c.places...)
}

// dated is a name with a date before it.
var dated = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$`)

// values are what the placeholders of the owner's patterns stand for.
func (c *content) values() map[string]string {
	v := map[string]string{"path": c.rel(), "dir": c.dir, "name": c.base, "slug": c.base}
	v["section"], _, _ = strings.Cut(c.dir, "/")
	if m := dated.FindStringSubmatch(c.base); m != nil {
		v["year"], v["month"], v["day"], v["slug"] = m[1], twoDigits(m[2]), twoDigits(m[3]), m[4]
	}
	if t, ok := c.date(); ok {
		v["year"], v["month"], v["day"] = t.Format("2006"), t.Format("01"), t.Format("02")
	}
	if slug := c.text("slug"); slug != "" {
		v["slug"] = slug
	}
	if c.title != "" {
		v["title"] = plainSlug(c.title)
	}
	return v
}

func twoDigits(s string) string {
	if len(s) < 2 {
		return "0" + s
	}
	return s
}
