package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/site"
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
		settings.Findings = append(settings.Findings, policy.Finding{ID: "config-computed", Severity: policy.Note, File: s.short(s.config.file),
			Message: are(unread) + " computed, and a configuration is read, never run: the generator's default is taken for it ([site] destination and [site.content] say what it is)"})
	}
	return settings
}

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
	m := &pageMap{generator: s.generator, published: readPublished(s.publish), numbered: s.layout.numbered, options: o, short: s.short,
		behind: map[string][]*content{}, sources: map[string]*content{}, sidecar: map[string][]site.Handover{}}
	all, errs := s.contents(ctx, m)
	told := map[string]bool{}
	for _, c := range all {
		for _, file := range slices.Sorted(maps.Keys(c.unread)) {
			if !told[file] {
				told[file] = true
				m.findings = append(m.findings, policy.Finding{ID: "config-computed", Severity: policy.Warning, File: s.short(file),
					Message: fmt.Sprintf("%s computed here, and programs are read, never run: what it says of a page does not count, unless its template hands it over", are(c.unread[file]))})
			}
		}
		findings, faults := c.states(o, s.short)
		m.findings = append(m.findings, findings...)
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
	for _, f := range s.folders() {
		root := joined(s.options.Source, f.dir)
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				if errors.Is(err, fs.ErrNotExist) && file == root {
					return nil // a folder that this site does without
				}
				return err
			}
			if file == root {
				return nil
			}
			below, _ := filepath.Rel(root, file)
			below = filepath.ToSlash(below)
			if entry.IsDir() {
				if file == s.publish || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") || f.skip != nil && f.skip(below, true) {
					return filepath.SkipDir
				}
				return nil
			}
			ext := path.Ext(below)
			if !entry.Type().IsRegular() || !slices.Contains(f.extensions, strings.ToLower(ext)) || f.skip != nil && f.skip(below, false) {
				return nil
			}
			c := &content{file: path.Join(f.dir, below), dir: path.Dir(below), base: strings.TrimSuffix(path.Base(below), ext), ext: ext,
				language: f.language, collection: f.collection}
			if seen[c.file] || slices.ContainsFunc(s.content.Exclude, func(g policy.Glob) bool { return g.Match(policy.PathOf(c.file)) }) {
				return nil
			}
			if c.dir == "." {
				c.dir = ""
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			own, err := c.read(data, f.dialect)
			if err != nil {
				seen[c.file] = true
				errs = append(errs, s.unreadable(c.file, err))
				return nil
			}
			if f.required && own.Params == nil && own.Format == "" {
				return nil
			}
			seen[c.file] = true
			c.headers = []header{own}
			c.params = own.Params
			c.title = cmp.Or(c.text("title"), heading(data, ext))
			if f.inherit != nil {
				inherited, err := f.inherit(c)
				if err != nil {
					errs = append(errs, err)
					return nil
				}
				for _, h := range inherited {
					c.params = merged(c.params, h.Params, f.deep)
				}
				c.headers = append(c.headers, inherited...)
			}
			c.unpublished = c.isDraft() || f.leaves != nil && f.leaves(below)
			f.place(c)
			s.patterned(c, f)
			all = append(all, c)
			return nil
		})
		if err != nil {
			errs = append(errs, err)
		}
	}
	slices.SortFunc(all, func(a, b *content) int { return strings.Compare(a.file, b.file) })
	return all, errs
}

// unreadable is the error of front matter.
func (s *generated) unreadable(file string, err error) error {
	line := 0
	if e, ok := err.(*frontmatter.Error); ok {
		line = e.Line
	}
	return placed(s.short(file), line, err.Error())
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
