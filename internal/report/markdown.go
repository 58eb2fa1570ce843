package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// mostRows is how many files the Markdown lists. The page lists all.
const mostRows = 200

// listed is how many entries of one list are written, of findings, changes and robots.txt: the
// reader wants to know what is wrong, and the data has them all.
const listed = 50

// sectionsListed is how many sections are written: a reader looks for one of them.
const sectionsListed = 200

// mostBars is how many bars a chart has at most.
const mostBars = 12

const (
	filesTitle   = "All files"
	checkedTitle = "Checks without a finding, and what was not checked"
)

// clientHeadings are those of a client where an owner reads others.
var clientHeadings = map[string]string{
	"causes":  "Why pages are kept out of search",
	"noindex": "Pages kept out of search",
	"words":   "Words used here",
}

var headings = []part{
	{ID: "findings", Title: "Findings"},
	{ID: "checked", Title: "What was checked"},
	{ID: "changes", Title: "Changes since the baseline"},
	{ID: "newly", Title: "Newly noindex since an earlier run"},
	{ID: "causes", Title: "Why pages are noindex"},
	{ID: "noindex", Title: "Noindex pages"},
	{ID: "sections", Title: "Decisions by section"},
	{ID: "headers", Title: "Header rules"},
	{ID: "others", Title: "Other headers"},
	{ID: "robotstxt", Title: "What robots.txt allows"},
	{ID: "vendors", Title: "What AI vendors may do"},
	{ID: "words", Title: "What the causes mean"},
}

// document is the report without the table of files, which each format lists in its own way.
func (v *view) document(at time.Time) *document {
	title, site := v.Data.Title, v.Data.Site
	switch {
	case title == "" && site == "":
		title = "What crawlers may do"
	case title == "":
		title, site = "What crawlers may do: "+site, ""
	}
	of := slices.Clone(headings)
	for i := range of {
		if v.Data.Client {
			of[i].Title = cmp.Or(clientHeadings[of[i].ID], of[i].Title)
		}
	}
	return &document{Title: title, Generated: generated(site, at), Lead: fill("lead", v), Figures: v.figures(),
		Parts: parts(of, v), Files: v}
}

// figures are the headline's numbers: how many files are of each class, by which the page's filter
// chooses, and how many findings there are.
func (v *view) figures() []figure {
	files := func(class, noun, note string) figure {
		return figure{N: v.files[class], Noun: noun, Note: note, Class: class, Part: "files"}
	}
	list := []figure{
		files(string(seen.Indexable), "indexable page", "may appear in search results, with no restriction"),
		files(string(seen.Limited), "limited page",
			"may appear in search results, with limits, or not in every engine"),
		files(string(seen.Noindex), "noindex page", "kept out of search results"),
		files(restricted, "restricted file", "feeds, PDFs, images and the like, restricted by a header"),
		files(free, "unrestricted file", "feeds, PDFs, images and the like, without a restriction"),
	}
	if v.isDeployed() {
		list = append(list,
			files(blocked, "blocked URL", "robots.txt keeps crawlers from reading it"),
			files(unanswered, "unreadable URL", "answers with an error, or not at all"),
			files(undecided, "redirect", "leads to another page, which crawlers read instead"))
	} else {
		list = append(list, files(undecided, "technical file",
			"redirects, error pages, robots.txt and sitemaps, which need no decision"))
	}
	if v.Data.Client {
		for i := range list {
			list[i].Noun, list[i].Note = inPlainWords(list[i])
		}
	}
	return append(list, v.findingsFigure())
}

// plainWords are the nouns and notes of figures for somebody who has never heard of robots tags.
var plainWords = map[string][2]string{
	string(seen.Indexable): {"open page", "may appear in search results, with no limits"},
	string(seen.Limited): {"partly hidden page",
		"may appear in search results, with limits, or not in every search engine"},
	string(seen.Noindex): {"hidden page", "kept out of search results (noindex)"},
	restricted: {"hidden or limited file",
		"feeds, PDFs, images and the like, which search engines are asked not to show, or to show in part"},
	free:       {"open file", "feeds, PDFs, images and the like, with no limits"},
	undecided:  {"other address", "redirects, error pages, robots.txt and sitemaps: no search results"},
	blocked:    {"blocked address", "search engines may not read it, by robots.txt"},
	unanswered: {"broken address", "answers with an error, or not at all"},
}

// inPlainWords are the noun and the note of a figure for a client.
func inPlainWords(f figure) (noun, note string) {
	if words, isKnown := plainWords[f.Class]; isKnown && f.Noun != "redirect" {
		return words[0], words[1]
	}
	return f.Noun, f.Note
}

// findingsFigure is the number of findings; its class is the worst severity.
func (v *view) findingsFigure() figure {
	f := figure{N: len(v.Data.Findings), Noun: "finding", Note: "nothing to fix", Part: "findings"}
	counts := result.Count(v.Data.Findings)
	var parts []string
	for _, severity := range severities {
		if n := counts[severity]; n > 0 {
			f.Class = cmp.Or(f.Class, string(severity))
			parts = append(parts, number(n, string(severity)))
		}
	}
	if parts != nil {
		f.Note = strings.Join(parts, ", ")
	}
	return f
}

// Because says what decided on a URL, as a cell; empty if no file has it. The URL is one of a row,
// or a whole one of the site's.
func (v *view) Because(url string) string {
	for folder, base := range v.Data.Summary.Hosts {
		if path, ok := strings.CutPrefix(url, base); ok {
			url = folder + path
			break
		}
	}
	i, ok := slices.BinarySearchFunc(v.Rows, url, func(r *row, url string) int { return cmp.Compare(r.Page.URL, url) })
	if !ok {
		return ""
	}
	return v.Rows[i].Because()
}

// HavePages reports whether one of the findings has a page beside its file.
func (g group) HavePages() bool {
	return slices.ContainsFunc(g.Findings, func(f policy.Finding) bool { return f.URL != "" && f.File != "" })
}

// about prints what a finding is about: its file and line, else its URL.
func about(f policy.Finding) string {
	if f.File == "" {
		return f.URL
	}
	return policy.Place(f.File, f.Line)
}

// filesPart lists the files: all if they fit, else noindex and limited ones first.
func (v *view) filesPart() part {
	rows, left := slices.Clone(v.Rows), ""
	if len(rows) > mostRows {
		rank := map[seen.State]int{seen.Noindex: -2, seen.Limited: -1}
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(rank[a.State], rank[b.State]) })
		left = fmt.Sprintf("%s of %s, those first that are noindex or limited.\n\n", thousands(mostRows),
			thousands(len(rows)))
		rows = rows[:mostRows]
	}
	return part{"files", filesTitle, left + filesTable(rows)}
}

// filesColumns are the columns of the table of files, which [row.cells] fills.
var filesColumns = []string{"File", "Decision", "Because", "Kind", "Section", "Language"}

// filesTable is the table of files.
func filesTable(rows []*row) string {
	table := []string{head(filesColumns...)}
	for _, r := range rows {
		table = append(table, line(r.cells(asMarkdown)...))
	}
	return strings.Join(table, "")
}

// cells are the cells of a file in the table of files.
func (r *row) cells(m *markup) []string {
	p := r.Page
	return []string{r.name(m), m.text(r.Decided()), r.because(m), m.text(p.Kind), m.text(p.Section), m.text(p.Language)}
}

// Name is a file's URL, as a link to it, and its title, as a cell.
func (r *row) Name() string { return r.name(asMarkdown) }

// name is [row.Name] in a markup.
func (r *row) name(m *markup) string {
	return strings.TrimSpace(r.view.linkIn(m, r.Page.URL) + " " + m.text(r.Page.Title))
}

// Because names the first statement that decided, its place, and how many more there are, as a
// cell. It is empty if nothing is restricted.
func (r *row) Because() string { return r.because(asMarkdown) }

// because is [row.Because] in a markup.
func (r *row) because(m *markup) string {
	if len(r.deciding) == 0 {
		return ""
	}
	first := r.reason()
	because := capital(m.text(first.Layer))
	if first.Key != "" {
		because += " " + m.code(first.Key)
	}
	if first.Place != "" {
		because += ", " + m.code(first.Place)
	}
	if n := len(r.deciding) - 1; n > 0 {
		because += fmt.Sprintf(" and %d more", n)
	}
	return because
}
