package check

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// repeatedTexts reports feeds and search indexes that repeat the text of noindex pages, once: the first such file, its first
// such page and how many more there are (L5). A header could only hide the whole file, so it is for the owner to say what
// becomes of it. The files are read only if a page is noindex.
func repeatedTexts(s *plan.Plan) []policy.Finding {
	r := &repetition{site: s, pages: map[*plan.Page]bool{}, at: map[string]*plan.Page{}}
	if !slices.ContainsFunc(s.Pages, isHiddenPage) {
		return nil
	}
	for _, pg := range s.Pages {
		form := formOf(pg)
		if form == nil || pg.Decision.NoIndex() {
			continue
		}
		text, ok := s.Source.Generated(pg.File.Name, nil)
		if !ok {
			text, _ = s.Project.Read(s.Project.Path(pg.File.Name), project.MaxPage)
		}
		r.file = pg
		form(text, r.item)
	}
	if r.first == nil {
		return nil
	}
	more := ""
	if n := len(r.pages) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	by := ""
	if at := causeOf(s, r.page); at.File != "" {
		by = " by " + at.Place()
	}
	return []policy.Finding{s.About(r.first, "feed-lists-noindex", policy.Note, 0, "it repeats the text of %s, which is "+
		"noindex%s%s: leave such pages out of it, or give it noindex by a rule if it is not for search engines", r.page.URL,
		by, more)}
}

// isHiddenPage reports whether a file is a page that is noindex by more than the environment.
func isHiddenPage(pg *plan.Page) bool { return pg.File.Role == policy.RolePage && pg.Hidden() }

// A repetition is what feeds and search indexes repeat of noindex pages.
type repetition struct {
	site  *plan.Plan
	file  *plan.Page            // that is read
	at    map[string]*plan.Page // noindex pages by their paths, nil for others
	first *plan.Page            // the first file that repeats a page
	page  *plan.Page            // the first page that it repeats
	pages map[*plan.Page]bool   // all of them
}

// fewWords is how many words a title, a date and a line about a page have at most. More are its text.
const fewWords = 50

// item takes in an item of a feed or an index: where it leads, and whether it has more than a few words.
func (r *repetition) item(href string, hasText func() bool) {
	pg := r.hidden(href)
	if pg == nil || r.pages[pg] || !hasText() {
		return
	}
	if r.pages[pg] = true; r.first == nil {
		r.first, r.page = r.file, pg
	}
}

// hidden is the noindex page to which an item leads; nil for none. What an index of a folder names without a slash is from
// that folder, or from the one above it, which MkDocs and others search.
func (r *repetition) hidden(href string) *plan.Page {
	href, _, _ = strings.Cut(href, "#")
	if href == "" {
		return nil
	}
	folder := path.Dir(r.file.File.Name)
	key := folder + "\x00" + href
	pg, known := r.at[key]
	if known {
		return pg
	}
	froms := []string{r.file.File.Name}
	if folder != "." {
		froms = append(froms, path.Join(folder, "..", "x"))
	}
	for _, from := range froms {
		if to, ok := r.site.Project.Leads(from, href, true); ok && pg == nil {
			if led := r.site.Served(to); led != nil && isHiddenPage(led) {
				pg = led
			}
		}
	}
	r.at[key] = pg
	return pg
}

// A form calls item for each item of a file of its kind.
type form func(text []byte, item func(href string, hasText func() bool))

// indexName matches files in which generators and their plugins keep the texts of pages for a search in the browser, and
// feeds in JSON. https://squidfunk.github.io/mkdocs-material/plugins/search/, https://www.jsonfeed.org/version/1.1/
var indexName = regexp.MustCompile(`(?i)(?:^|[-_./])(?:index|feed|search|search[-_]?index|searchindex|lunr|lunr[-_]?index)\.json$`)

// formOf returns how a file lists pages with their texts; nil for one that does not, and for copies of single pages.
func formOf(pg *plan.Page) form {
	f := &pg.File
	switch name := f.Name; {
	case f.HTML || f.CopyOf != "" || !f.Role.Policed():
		return nil
	case strings.HasSuffix(name, ".pf_fragment"):
		return fragment
	case indexName.MatchString(name):
		return objects
	case site.FeedFormat(name) != "" || f.Facts.Format == "rss" || f.Facts.Format == "atom":
		return feed
	}
	return nil
}

// What stands in an item of RSS or Atom.
// https://www.rssboard.org/rss-specification, https://www.rfc-editor.org/rfc/rfc4287
var (
	itemBegin = regexp.MustCompile(`<(?:item|entry)[\s>]`)
	itemLink  = regexp.MustCompile(`<link(?:\s[^>]*)?>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)`)
	entryLink = regexp.MustCompile(`<link\s[^>]*>`)
	hrefOf    = regexp.MustCompile(`\shref\s*=\s*["']([^"']*)["']`)
	itemText  = regexp.MustCompile(`(?s)<(content:encoded|content|description|summary)(?:\s[^>]*)?>(.*?)</(?:content:encoded|content|description|summary)>`)
)

// feed reads RSS and Atom, of which crawlers take what is not well formed, too.
func feed(text []byte, item func(href string, hasText func() bool)) {
	begins := itemBegin.FindAllIndex(text, -1)
	for i, begin := range begins {
		end := len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		entry := text[begin[0]:end]
		href := ""
		if m := itemLink.FindSubmatch(entry); m != nil {
			href = string(m[1])
		} else {
			for _, link := range entryLink.FindAll(entry, -1) {
				m := hrefOf.FindSubmatch(link)
				if m != nil && (!bytes.Contains(link, []byte("rel=")) || bytes.Contains(link, []byte("alternate"))) {
					href = string(m[1])
					break
				}
			}
		}
		item(html.UnescapeString(href), func() bool {
			for _, m := range itemText.FindAllSubmatch(entry, -1) {
				text := strings.NewReplacer("<![CDATA[", "", "]]>", "").Replace(string(m[2]))
				if hasText(html.UnescapeString(text)) {
					return true
				}
			}
			return false
		})
	}
}

// tag matches a tag of HTML.
var tag = regexp.MustCompile(`<[^<>]*>`)

// hasText reports whether a text, with tags or without, has more than a few words.
func hasText(text string) bool {
	return len(strings.Fields(tag.ReplaceAllString(text, " "))) > fewWords
}

// keys are those under which the objects of search indexes and feeds name their pages.
var keys = []string{"url", "uri", "href", "permalink", "relpermalink", "location", "link", "path", "id", "ref", "loc", "u"}

// objects reads JSON: each object that names a page under one of the keys is an item. Only an object that names a noindex
// page is read whole.
func objects(text []byte, item func(href string, hasText func() bool)) {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(`":`))
		if i < 0 {
			return
		}
		end := at + i
		at = end + 2
		begin := bytes.LastIndexByte(text[max(0, end-len("relpermalink")-1):end], '"')
		if begin < 0 {
			continue
		}
		begin += max(0, end-len("relpermalink")-1) + 1
		if !slices.Contains(keys, strings.ToLower(string(text[begin:end]))) {
			continue
		}
		var href string
		if json.NewDecoder(bytes.NewReader(text[at:min(len(text), at+4096)])).Decode(&href) != nil {
			continue
		}
		item(href, func() bool { return hasText(objectAround(text, begin)) })
	}
}

// mostBraces is how many opening braces in front of a key are tried: one may stand in a text.
const mostBraces = 100

// objectAround joins the texts of the object in which a key stands; empty if it cannot be read.
func objectAround(text []byte, key int) string {
	end := key
	for range mostBraces {
		if end = bytes.LastIndexByte(text[:end], '{'); end < 0 {
			return ""
		}
		var object map[string]any
		d := json.NewDecoder(bytes.NewReader(text[end:]))
		if d.Decode(&object) != nil || end+int(d.InputOffset()) < key {
			continue
		}
		var all []string
		for _, value := range object {
			if text, ok := value.(string); ok {
				all = append(all, text)
			}
		}
		return strings.Join(all, " ")
	}
	return ""
}

// fragment reads the text of one page as Pagefind keeps it: JSON behind a mark, packed. https://pagefind.app/docs/
func fragment(text []byte, item func(href string, hasText func() bool)) {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return
	}
	text, _ = io.ReadAll(io.LimitReader(z, project.MaxPage))
	objects(bytes.TrimPrefix(text, []byte("pagefind_dcd")), item)
}
