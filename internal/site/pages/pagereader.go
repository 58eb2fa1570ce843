package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// ReadPage completes a file by the language that it says and by its metadata.
func (m *pageMap) ReadPage(f *site.File, language string, metadata []site.PageMeta) {
	all := slices.Concat(m.manifest[f.Name], metadata)
	folder, own := m.statedLanguage(f, language)
	if len(metadata) > 0 || folder != m.languageOf(f.Name) {
		m.compose(f, folder, m.sourcesOf(f.Name, all), all)
	}
	if f.Of != nil { // the language of the list is that of its pages
		all = slices.Concat(all, m.manifest[strings.TrimPrefix(f.Of.Path.File, "/")])
	}
	if own != "" && !slices.ContainsFunc(all, func(h site.PageMeta) bool { return h.Facts.Language != "" }) {
		f.Facts.Language = own
	}
	for i := range metadata {
		m.remember(f.Name, &metadata[i])
	}
}

// statedLanguage returns the folder of a page's language and the language that the page states, where that is another.
// A folder is a language's where the two agree: /it/ may be a section.
func (m *pageMap) statedLanguage(f *site.File, stated string) (folder, own string) {
	folder = m.languageOf(f.Name)
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(folder, "_", "-")), "-")
	primary, _, _ := strings.Cut(strings.ToLower(stated), "-")
	if stated == "" || !f.Role.Policed() || folder != "" && code == primary {
		return folder, "" // the folder's name is what the site calls it
	}
	return "", stated
}

// remember keeps the content file that metadata names as the source of a page.
func (m *pageMap) remember(name string, h *site.PageMeta) {
	if h.Source == "" {
		return
	}
	c, known := m.source(h.Source)
	if c != nil {
		m.reader.mu.Lock()
		m.explicit[name] = append(m.explicit[name], c)
		m.reader.mu.Unlock()
	}
	if !known && len(h.FrontMatter.Statements) == 0 {
		m.reader.found(policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: site.URL(name),
			File: m.reader.site.short(filepath.Join(m.reader.site.publish, filepath.FromSlash(name))),
			Message: fmt.Sprintf("the page's template names %q as its source, and there is no such file in the "+
				"site's folder", h.Source)})
	}
}

// addMeta adds metadata to what is known of a page.
func (m *pageMap) addMeta(f *site.File, h *site.PageMeta) {
	added := *h
	if h.Source != "" {
		c, _ := m.source(h.Source)
		added.Source = m.reader.site.short(h.Source)
		if c != nil {
			added.Source = m.reader.site.short(c.file)
		}
		stated := slices.Clone(h.FrontMatter.Statements)
		added.FrontMatter.Statements = slices.DeleteFunc(stated, func(s policy.Statement) bool {
			// A template that prints what stands in its file need not know the line.
			return c != nil && h.Line == 0 && slices.ContainsFunc(c.statements, func(own policy.Statement) bool {
				return own.Crawler == s.Crawler && own.Directives == s.Directives && own.Embed == s.Embed
			})
		})
		for i := range added.FrontMatter.Statements {
			if at := &added.FrontMatter.Statements[i].Origin; at.File == h.Source {
				at.File = added.Source
			}
		}
	}
	added.Take(f)
}

// source finds the content file that metadata names. known: there is such a file, content or not.
func (m *pageMap) source(name string) (c *content, known bool) {
	if name == "" {
		return nil, false
	}
	candidates := m.reader.site.sourceNames(name)
	for _, file := range candidates {
		if c := m.reader.sources[file]; c != nil {
			return c, true
		}
	}
	return nil, slices.ContainsFunc(candidates, func(file string) bool {
		info, err := os.Stat(joined(m.reader.site.options.Source, file))
		return err == nil && info.Mode().IsRegular()
	})
}

// madeBy compares the home page's generator meta with the generator whose site this is held to be.
func (m *pageMap) madeBy() {
	home := filepath.Join(m.reader.site.publish, "index.html")
	src, err := disk.NewRoot(m.reader.site.publish).ReadFile(home, maxContent)
	if m.reader.site.generator == HTML || err != nil { // an error is the run's to report
		return
	}
	for _, meta := range metasOf(src, func(name []byte) bool { return string(name) == "generator" }) {
		maker := func(name string) bool { return strings.HasPrefix(strings.ToLower(meta.Content), name) }
		if maker(m.reader.site.generator.name) ||
			!maker("hugo") && !slices.ContainsFunc(generators, func(g *Generator) bool { return maker(g.name) }) {
			continue
		}
		m.reader.found(policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: "/",
			File: m.reader.site.short(home), Line: meta.Line,
			Message: fmt.Sprintf("the home page says that %s made it, and the site was taken for one of %s: [site] "+
				"generator says which it is", meta.Content, m.reader.site.generator.name)})
		return
	}
}
