package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// mostRows is how many files the Markdown lists. The page lists all.
const mostRows = 200

// listed is how many entries of one list are written, of findings, changes and robots.txt: the reader wants to know
// what is wrong, and the data has them all.
const listed = 50

// mostBars is how many bars a chart has at most.
const mostBars = 12

const (
	filesTitle   = "All files"
	checkedTitle = "Checks without a finding, and what was not checked"
)

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

// document is the report but for the table of files.
func (v *view) document(at time.Time) *document {
	title, site := v.Data.Title, v.Data.Site
	switch {
	case title == "" && site == "":
		title = "What crawlers may do"
	case title == "":
		title, site = "What crawlers may do: "+site, ""
	}
	return &document{Title: title, Generated: generated(site, at), Lead: fill("lead", v), Figures: v.figures(),
		Parts: parts(headings, v)}
}

// figures are the headline's numbers: of the classes of files, by which the page's filter chooses, and of findings.
func (v *view) figures() []figure {
	list := []figure{
		{0, "indexable page", "may appear in search results, with no restriction", string(seen.Indexable), "files"},
		{0, "limited page", "may appear in search results, with limits, or not in every engine", string(seen.Limited),
			"files"},
		{0, "noindex page", "kept out of search results", string(seen.Noindex), "files"},
		{0, "restricted file", "feeds, PDFs, images and the like, restricted by a header", restricted, "files"},
		{0, "unrestricted file", "feeds, PDFs, images and the like, without a restriction", free, "files"},
		{0, "technical file", "redirects, error pages, robots.txt and sitemaps, which need no decision", undecided, "files"},
	}
	for i := range list {
		list[i].N = v.files[list[i].Class]
	}
	return append(list, v.found())
}

// found counts the findings, and has the class of the worst.
func (v *view) found() figure {
	f := figure{len(v.Data.Findings), "finding", "nothing to fix", "", "findings"}
	var parts []string
	counts := result.Count(v.Data.Findings)
	for _, s := range severities {
		if n := counts[s]; n > 0 {
			parts, f.Class = append(parts, number(n, string(s))), cmp.Or(f.Class, string(s))
		}
	}
	if parts != nil {
		f.Note = strings.Join(parts, ", ")
	}
	return f
}

// Because says what decided on a URL, which may be a whole one of the site's.
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

// HavePages reports whether any of the findings has a page beside its file.
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

// robotsTxt is what robots.txt keeps crawlers from reading.
type robotsTxt struct {
	Crawlers []*robotsCount
	Barred   []*barred
}

type robotsCount struct {
	Name                string
	Allowed, Disallowed int
}

// barred is a rule that keeps crawlers from URLs, though they may fetch others.
type barred struct {
	Rule, Place, First string // First of its URLs
	Crawlers           []string
	URLs, Noindex      int // Noindex are those whose noindex the crawlers never see
	last               string
}

// bar adds a URL, and a crawler that may not fetch it, to the rule that says so.
func (said *robotsTxt) bar(r *row, t seen.Fetch) {
	place := policy.Place(t.File, t.Line)
	i := slices.IndexFunc(said.Barred, func(b *barred) bool { return b.Rule == t.Rule && b.Place == place })
	if i < 0 {
		i, said.Barred = len(said.Barred), append(said.Barred, &barred{Rule: t.Rule, Place: place, First: r.Page.URL})
	}
	b := said.Barred[i]
	if !slices.Contains(b.Crawlers, t.Crawler) {
		b.Crawlers = append(b.Crawlers, t.Crawler)
	}
	if b.URLs == 0 || b.last != r.Page.URL {
		b.URLs++
		b.last = r.Page.URL
		if r.State == seen.Noindex {
			b.Noindex++
		}
	}
}

// RobotsTxt counts what robots.txt says of the files.
func (v *view) RobotsTxt() (said robotsTxt) {
	counts := map[string]*robotsCount{}
	for _, r := range v.Rows {
		for _, t := range r.Page.RobotsTxt {
			c := cmp.Or(counts[t.Crawler], &robotsCount{Name: t.Crawler})
			counts[t.Crawler] = c
			if t.Allowed {
				c.Allowed++
			} else {
				c.Disallowed++
			}
		}
	}
	for _, r := range v.Rows {
		for _, t := range r.Page.RobotsTxt {
			if !t.Allowed && counts[t.Crawler].Allowed > 0 {
				said.bar(r, t)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		said.Crawlers = append(said.Crawlers, counts[name])
	}
	return said
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

// filesTable is the table of files.
func filesTable(rows []*row) string { return fill("files table", rows) }

// Name is a file's URL and title, for a table's cell.
func (r *row) Name() string {
	return strings.TrimSpace(r.view.Link(r.Page.URL) + " " + text(r.Page.Title))
}

// Because names the cause and where it stands, for a table's cell.
func (r *row) Because() string {
	if len(r.deciding) == 0 {
		return ""
	}
	of := r.reason()
	because := capital(text(of.Layer))
	if of.Key != "" {
		because += " " + cell(of.Key)
	}
	if of.Place != "" {
		because += ", " + cell(of.Place)
	}
	if n := len(r.deciding) - 1; n > 0 {
		because += fmt.Sprintf(" and %d more", n)
	}
	return because
}
