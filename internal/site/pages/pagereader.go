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
	folder, named := m.statedLanguage(f, language)
	if len(metadata) > 0 || folder != m.languageOf(f.Name) {
		m.compose(f, folder, m.sourcesOf(f.Name, all), all)
	}
	if named != "" && !m.languageStated(f, all) {
		f.Language = named
	}
	for i := range metadata {
		m.remember(f.Name, &metadata[i])
	}
}

// statedLanguage returns the folder of a page's language and the language that it names itself, where that is another. A folder
// is a language's where the two agree: /it/ may be a section.
func (m *pageMap) statedLanguage(f *site.File, said string) (folder, named string) {
	folder = m.languageOf(f.Name)
	if said == "" || !f.Role.Policed() {
		return folder, ""
	}
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(folder, "_", "-")), "-")
	primary, _, _ := strings.Cut(strings.ToLower(said), "-")
	if folder != "" && code == primary {
		return folder, "" // the folder's name is what the site calls it
	}
	return "", said
}

// languageStated reports whether somebody said of a page, or of the list that it is a page of, which language it has.
func (m *pageMap) languageStated(f *site.File, said []site.PageMeta) bool {
	if f.Of != nil {
		said = slices.Concat(said, m.manifest[strings.TrimPrefix(f.Of.Path.File, "/")])
	}
	return slices.ContainsFunc(said, func(h site.PageMeta) bool { return h.Language != "" })
}

// remember keeps the content file that a template, or a file beside the pages, names as the one of a page.
func (m *pageMap) remember(name string, h *site.PageMeta) {
	if h.Source == "" {
		return
	}
	c, known := m.source(h.Source)
	if c != nil {
		m.mu.Lock()
		m.explicit[name] = append(m.explicit[name], c)
		m.mu.Unlock()
	}
	if !known && len(h.Statements) == 0 {
		m.found(policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: site.URL(name),
			File: m.site.short(filepath.Join(m.site.publish, filepath.FromSlash(name))),
			Message: fmt.Sprintf("the page's template names %q as its source, and there is no such file in the "+
				"site's folder", h.Source)})
	}
}

// addMeta adds what a template or a file said of a page to what is known of it.
func (m *pageMap) addMeta(f *site.File, h *site.PageMeta) {
	if h.Source == "" {
		h.Take(f)
		return
	}
	c, _ := m.source(h.Source)
	taken := *h
	taken.Source = m.site.short(h.Source)
	if c != nil {
		taken.Source = m.site.short(c.file)
	}
	taken.Statements = slices.DeleteFunc(slices.Clone(h.Statements), func(s policy.Statement) bool {
		// A template that prints what stands in its file need not know the line.
		return c != nil && h.Line == 0 && slices.ContainsFunc(c.statements, func(own policy.Statement) bool {
			return own.Crawler == s.Crawler && own.Directives == s.Directives && own.Embed == s.Embed
		})
	})
	for i := range taken.Statements {
		if at := &taken.Statements[i].Origin; at.File == h.Source {
			at.File = taken.Source
		}
	}
	taken.Take(f)
}

// source finds the content file that a template names as its generator knows it: from the site's folder, from the
// content's, absolute, or behind @site as Docusaurus writes it. known: there is such a file, content or not.
func (m *pageMap) source(name string) (c *content, known bool) {
	if name == "" {
		return nil, false
	}
	candidates := m.site.named(name)
	for _, file := range candidates {
		if c := m.sources[file]; c != nil {
			return c, true
		}
	}
	return nil, slices.ContainsFunc(candidates, func(file string) bool {
		info, err := os.Stat(joined(m.site.options.Source, file))
		return err == nil && info.Mode().IsRegular()
	})
}

// madeBy compares the home page's generator meta with the generator that its site was taken for.
func (m *pageMap) madeBy() {
	home := filepath.Join(m.site.publish, "index.html")
	src, err := disk.NewRoot(m.site.publish).ReadFile(home, maxContent)
	if m.site.generator == HTML || err != nil { // an error is the run's to report
		return
	}
	makers := []string{"hugo"}
	for _, g := range generators {
		makers = append(makers, g.name)
	}
	for _, meta := range metasOf(src, func(name []byte) bool { return string(name) == "generator" }) {
		said := strings.ToLower(meta.Content)
		i := slices.IndexFunc(makers, func(maker string) bool { return strings.HasPrefix(said, maker) })
		if i < 0 || makers[i] == m.site.generator.name {
			continue
		}
		m.found(policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: "/",
			File: m.site.short(home), Line: meta.Line,
			Message: fmt.Sprintf("the home page says that %s made it, and the site was taken for one of %s: [site] "+
				"generator says which it is", meta.Content, m.site.generator.name)})
		return
	}
}
