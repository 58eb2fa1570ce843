package tree

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/policy"
	"metarobots/site"
)

// Learn completes a file by what its bytes say: its language, and the content file that it came from.
func (m *pageMap) Learn(f *site.File, src []byte, handed []site.Handover) {
	if said := language(src); said != "" && f.Role.Policed() {
		m.spoken(f, said)
	}
	if f.Name == "index.html" {
		m.madeBy(f, src)
	}
	for i := range handed {
		m.handed(f, &handed[i])
	}
	if len(handed) == 0 {
		m.edited(f, src)
	}
}

// spoken sets the language that a page names. A folder is a language's where the two agree: /it/ may be a section.
func (m *pageMap) spoken(f *site.File, said string) {
	folder, _, _ := strings.Cut(f.Name, "/")
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(folder, "_", "-")), "-")
	primary, _, _ := strings.Cut(strings.ToLower(said), "-")
	switch isFolder := slices.Contains(m.languages, folder); {
	case isFolder && code == primary:
		return // the folder's name is what the site calls it
	case isFolder:
		kept := f.Facts.Type
		statements := f.Page
		m.facts(f, "")
		f.Facts.Type, f.Page = kept, statements
	}
	f.Language = said
}

// handed takes what a template or a file said of a page. The content file that it names is the page's: what a rule found
// in its place was wrong.
func (m *pageMap) handed(f *site.File, h *site.Handover) {
	if h.Source == "" {
		h.Take(f)
		return
	}
	c := m.sources[clean(h.Source)]
	if c != nil && !slices.Contains(m.behind[f.Name], c) {
		f.Page, f.Source, f.Type = nil, "", ""
		m.add(f, c)
	}
	if c != nil {
		m.tell(c, f.Name)
	}
	taken := *h
	taken.Source = m.short(h.Source)
	taken.Statements = slices.Clone(h.Statements)
	for i := range taken.Statements {
		if at := &taken.Statements[i].Origin; at.File == h.Source {
			at.File = taken.Source
		}
	}
	taken.Take(f)
}

// tell remembers that a page names a content file as its own.
func (m *pageMap) tell(c *content, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told == nil {
		m.told = map[*content][]string{}
	}
	if !slices.Contains(m.told[c], name) {
		m.told[c] = append(m.told[c], name)
	}
}

// edited compares the page's link to edit it with the content file that was found for it. Where none was, it is the one.
func (m *pageMap) edited(f *site.File, src []byte) {
	if len(m.sources) == 0 {
		return
	}
	c := m.linked(src)
	switch behind := m.behind[f.Name]; {
	case c == nil || slices.Contains(behind, c):
	case len(behind) == 0:
		m.add(f, c)
		m.tell(c, f.Name)
	default:
		m.add(f, c)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.learned = append(m.learned, policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: site.URL(f.Name), File: m.short(c.file),
			Message: fmt.Sprintf("the page links to this file to be edited, and by its name it is made of %s: what both say counts", m.short(behind[0].file))})
	}
}

// linked returns the content file that a page links to with rel edit, or as the pages of code hosts to edit a file do:
// …/edit/<branch>/<file>.
func (m *pageMap) linked(src []byte) *content {
	if !bytes.Contains(src, []byte("edit")) {
		return nil
	}
	for i := 0; ; {
		at := bytes.IndexByte(src[i:], '<')
		if at < 0 {
			return nil
		}
		i += at + 1
		rest := src[i:]
		n := 0
		switch {
		case tagNamed(rest, "a"):
			n = 1
		case tagNamed(rest, "link"):
			n = 4
		default:
			continue
		}
		var a head.Attr
		href, rel := "", ""
		for j, more := i+n, true; more; {
			if j, more = head.NextAttr(src, j, &a); !more {
				break
			}
			switch {
			case a.Is(src, "href") && href == "":
				href = string(head.Decode(nil, src[a.Value:a.ValueEnd]))
			case a.Is(src, "rel"):
				rel = string(src[a.Value:a.ValueEnd])
			}
		}
		if !slices.Contains(strings.Fields(strings.ToLower(rel)), "edit") && !strings.Contains(href, "/edit/") {
			continue
		}
		u, err := url.Parse(href)
		if err != nil {
			continue
		}
		// A path in a repository ends with the path in the site's folder: the longest that is known counts.
		for name := strings.Trim(u.Path, "/"); name != ""; {
			if c := m.sources[name]; c != nil {
				return c
			}
			_, name, _ = strings.Cut(name, "/")
		}
	}
}

// tagNamed reports whether s goes on with a tag's name, in lower case as generators write it, and a blank.
func tagNamed(s []byte, name string) bool {
	return len(s) > len(name) && string(s[:len(name)]) == name && strings.IndexByte(" \t\r\n", s[len(name)]) >= 0
}

var htmlTag = regexp.MustCompile(`(?is)^(?:\x{feff}|\s|<!--.*?-->|<!doctype[^>]*>|<\?[^>]*>)*<html[\s/>]`)

// language is what the html element says: its lang attribute.
// https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
func language(src []byte) string {
	tag := htmlTag.Find(src[:min(len(src), 4096)])
	if tag == nil {
		return ""
	}
	var a head.Attr
	for i, more := len(tag)-1, true; more; {
		if i, more = head.NextAttr(src, i, &a); more && a.Is(src, "lang") {
			return strings.TrimSpace(string(head.Decode(nil, src[a.Value:a.ValueEnd])))
		}
	}
	return ""
}

// makers are the generators by what their meta says.
var makers = []string{"hugo", "eleventy", "astro", "jekyll", "docusaurus", "vitepress", "hexo", "mkdocs", "pelican"}

// madeBy compares the home page's generator meta with the generator that its site was taken for.
func (m *pageMap) madeBy(f *site.File, src []byte) {
	if m.generator == "html" {
		return
	}
	for _, meta := range metasOf(src, func(name []byte) bool { return string(name) == "generator" }) {
		said := strings.ToLower(meta.Content)
		i := slices.IndexFunc(makers, func(maker string) bool { return strings.HasPrefix(said, maker) })
		if i < 0 || makers[i] == m.generator {
			continue
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.learned = append(m.learned, policy.Finding{ID: "source-differs", Severity: policy.Warning, URL: site.URL(f.Name), File: m.short(f.Name), Line: lineOf(src, meta.Start),
			Message: fmt.Sprintf("the home page says that %s made it, and the site was taken for one of %s: [site] generator says which it is", meta.Content, m.generator)})
		return
	}
}
