package pages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/site"
	"metarobots/policy"
)

// facts sets what a file is by where it stands; language is the folder of its language, or empty, and behind its
// content.
func (m *pageMap) facts(f *site.File, language string, behind []*content) {
	f.Facts = policy.Facts{Language: language, Format: "html"}
	f.Pager, f.Of, f.Taxonomies = 0, nil, nil
	rest, prefix := f.Name, ""
	if below, ok := strings.CutPrefix(f.Name, language+"/"); ok && language != "" {
		rest, prefix = below, language+"/"
	}
	if section, _, ok := strings.Cut(rest, "/"); ok {
		f.Facts.Section = section
	}
	switch f.Role {
	case policy.RoleOutput:
		f.Facts.Format = site.FeedFormat(f.Name)
		return
	case policy.RoleStatic:
		f.Facts.Section, f.Facts.Format = "", ""
		return
	case policy.RoleError:
		f.Facts.Kind = "404"
		return
	}
	if owner, n := m.pager(f.Name, behind); n > 1 {
		list := site.File{Name: owner}
		list.Path, list.HTML, list.Role = policy.PathOf(owner), true, policy.RolePage
		m.compose(&list, language, m.behind[owner], m.manifest[owner])
		f.Of = &policy.Owner{Path: list.Path, Facts: list.Facts, Statements: list.Page}
		f.Pager, f.Facts, f.Taxonomies, f.Page = n, list.Facts, list.Taxonomies, slices.Clone(list.Page)
		return
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(rest, "index.html"), "/")
	if path.Base(rest) != "index.html" {
		dir = strings.TrimSuffix(rest, path.Ext(rest))
	}
	lists := m.published.below[strings.TrimSuffix(prefix+dir, "/")] > 0
	switch {
	case rest == "index.html":
		f.Facts.Kind, f.Facts.Section = "home", ""
	case m.archive(f, dir, behind):
	case lists:
		f.Facts.Kind = "section"
		f.Facts.Section, _, _ = strings.Cut(dir, "/")
	default:
		f.Facts.Kind = "page"
		if dir == f.Facts.Section {
			f.Facts.Section = "" // /about/ is a page of the root
		}
	}
	if len(f.Facts.Section) == 4 && year.MatchString(f.Facts.Section) {
		f.Facts.Section = "" // a date is no section: the content's folder is, where it is known
		if len(behind) > 0 {
			f.Facts.Section = behind[0].collection
		}
	}
}

var year = regexp.MustCompile(`^(?:19|20)\d\d$`)

// archives are the folders of archives, by the plural name of what they list.
var archives = map[string]string{"tags": "tags", "tag": "tags", "categories": "categories", "category": "categories",
	"authors": "authors", "author": "authors"}

// archive recognises the list of a taxonomy and its terms: a folder of its name at the root, or one below a section
// where no content file made it.
func (m *pageMap) archive(f *site.File, dir string, behind []*content) bool {
	parts := strings.Split(dir, "/")
	for i := range min(2, len(parts)) {
		plural := archives[parts[i]]
		if plural == "" || i == 1 && slices.ContainsFunc(behind, func(c *content) bool { return !c.many }) {
			continue
		}
		f.Taxonomies = []string{plural}
		f.Facts.Kind = "term"
		if len(parts) == i+1 {
			f.Facts.Kind = "taxonomy"
		}
		return true
	}
	return false
}
