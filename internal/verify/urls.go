package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/robotstag"
	"metarobots/emit/sitemap"
	"metarobots/internal/project"
	"metarobots/internal/snapshot"
)

// A List is the URLs that a file lists, each once. Those that it calls not indexable, as a
// crawler's export does, are expected to be that. The others are meant for the index, as those of a
// sitemap.
type List struct {
	URLs         []string
	NotIndexable map[string]bool
	Column       string // that says so; empty if there is none
	// Skipped are cells of the column of the URLs, or lines of a text, that hold something else,
	// such as a path.
	Skipped []string
}

// URLs requests those URLs of a list that lie below o.Base. Errors are those of [Against].
func URLs(ctx context.Context, list List, o AskOptions) (*Report, error) {
	defer limitMemory()()
	roots, _, err := rootsOf(&snapshot.Snapshot{}, o.Base)
	r := newRun(o, roots)
	r.report.Summary.Source = FromURLs
	if err = r.start(ctx, err); err == nil {
		err = r.unreached()
	}
	if err != nil {
		return r.askAll(ctx, nil, err)
	}
	c := newCollector(r, roots[0])
	c.notIndexable = list.NotIndexable
	for _, text := range list.URLs {
		c.addURL(text)
	}
	if n := len(list.Skipped); n > 0 {
		r.note("%s skipped, because a URL is wanted with its scheme and host: %q for one",
			robotstag.Count(n, "line of the list is", "lines of the list are"), list.Skipped[0])
	}
	r.report.Expected = Expected{c.expectedNotIndexable(), list.Column}
	c.warnOfLimits()
	sortByName(c.targets)
	if len(c.targets) == 0 {
		err = project.Invalid(fmt.Errorf("%s: none of the URLs is below it, %s for one", o.Base, c.firstForeign))
	}
	return r.askAll(ctx, c.targets, err)
}

// MaxURLFile is how many bytes a file with URLs may have.
const MaxURLFile = maxSitemap

// ErrNoURL is the error of a file that holds none.
var ErrNoURL = errors.New("it holds no URL: looked for http:// or https:// in a text with one URL a line, in a " +
	"sitemap, and in each column of a CSV file (separated by comma, semicolon or tab)")

// ReadURLs reads the URLs of a file: a text with one in each line, a sitemap, or a CSV file, of
// whose columns that one counts that has the most of them. The file may be compressed.
func ReadURLs(data []byte) (list List, err error) {
	if data, err = unpack(data); err != nil {
		return list, err
	}
	text, _ := head.InUTF8(data, "")
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		list.URLs, err = urlsOfSitemap(text)
	} else {
		list = readLines(string(text))
	}
	if err == nil && len(list.URLs) == 0 {
		err = ErrNoURL
	}
	return list, err
}

// urlsOfSitemap are the URLs that a sitemap lists.
func urlsOfSitemap(text []byte) ([]string, error) {
	listed, isIndex, err := locations(text)
	switch {
	case isIndex:
		return nil, errors.New("it is an index of sitemaps, which lists no pages: give one of the sitemaps that it names")
	case errors.Is(err, sitemap.ErrNoSitemap), err != nil && isHTML("", text):
		return nil, ErrNoURL
	}
	return distinct(listed), err
}

// readLines returns the URLs of a text with one in each line, or of that column of a CSV file that
// has the most, each once, and what the file says of them: which are not indexable, and what is no
// URL in that column. Without a URL the list is empty.
func readLines(text string) (list List) {
	comma, text := findDelimiter(text)
	rows := rowsOf(text, comma)
	columns := urlsByColumn(rows)
	if len(columns) == 0 {
		return list
	}
	longest := 0 // the first of several
	for i := range columns {
		if len(columns[i]) > len(columns[longest]) {
			longest = i
		}
	}
	list.URLs = columns[longest]
	list.readIndexability(rows, longest)
	list.readSkipped(rows, longest)
	return list
}

// urlsByColumn are the URLs in each column of some rows, up to the last column that has one, each
// URL once in a column. A row need not have all columns.
func urlsByColumn(rows [][]string) (columns [][]string) {
	for _, row := range rows {
		for i, cell := range row {
			if cell = strings.TrimSpace(cell); isWholeURL(cell) {
				for len(columns) <= i {
					columns = append(columns, nil)
				}
				columns[i] = append(columns[i], cell)
			}
		}
	}
	for i := range columns {
		columns[i] = distinct(columns[i])
	}
	return columns
}

// readSkipped reads from the rows of a file what is no URL in the column at of its URLs. A comment
// is left out, and the heading of a CSV file.
func (l *List) readSkipped(rows [][]string, at int) {
	isTable := slices.ContainsFunc(rows, func(row []string) bool { return len(row) > 1 })
	for i, row := range rows {
		if len(row) <= at || isTable && i == 0 {
			continue
		}
		cell := strings.TrimSpace(row[at])
		if cell != "" && !strings.HasPrefix(cell, "#") && !isWholeURL(cell) {
			l.Skipped = append(l.Skipped, cell)
		}
	}
}

// indexability are the columns in which crawlers export what is not indexable, the first that is
// there counts: by a word, and by a reason, which others do not have.
// https://www.screamingfrog.co.uk/guides/uri/
var indexability = []struct {
	column         string
	isNotIndexable func(cell string) bool
}{
	{"Indexability", func(cell string) bool { return strings.EqualFold(cell, "Non-Indexable") }},
	{"Indexability Status", func(cell string) bool { return cell != "" && !strings.EqualFold(cell, "Indexable") }},
}

// readIndexability reads from the rows of a CSV file which of its URLs, in the column at, are not
// indexable.
func (l *List) readIndexability(rows [][]string, at int) {
	heading := rows[0]
	for _, known := range indexability {
		i := slices.IndexFunc(heading, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), known.column) })
		if i < 0 {
			continue
		}
		l.Column, l.NotIndexable = known.column, map[string]bool{}
		for _, row := range rows[1:] {
			if len(row) > max(i, at) && known.isNotIndexable(strings.TrimSpace(row[i])) {
				l.NotIndexable[strings.TrimSpace(row[at])] = true
			}
		}
		return
	}
}

// noDelimiter is the delimiter of a text whose lines are one cell each.
const noDelimiter = 0

// findDelimiter returns what separates the cells of a CSV file, by its first line with text, which
// is a heading or a URL: noDelimiter if nothing does. rest is the text without a line that only
// names the delimiter, as spreadsheets write it.
func findDelimiter(text string) (comma rune, rest string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n \t"), "\n")
	first = strings.TrimSpace(first)
	if name, isNamed := strings.CutPrefix(strings.ToLower(first), "sep="); isNamed && strings.Contains(",;|", name) && name != "" {
		return rune(name[0]), rest
	}
	most := 0
	for _, d := range ",;\t" {
		n := strings.Count(first, string(d))
		if isWholeURL(first) && d != '\t' && !allLinesHave(text, d, n) { // else it is a part of URLs
			n = 0
		}
		if n > most {
			comma, most = d, n
		}
	}
	return comma, text
}

// allLinesHave reports whether there are several lines with text, and each has a delimiter so many
// times.
func allLinesHave(text string, d rune, n int) bool {
	lines := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if lines++; strings.Count(line, string(d)) != n {
			return false
		}
	}
	return lines > 1
}

// rowsOf are the rows of a CSV file. What is not well-formed has a row in each line.
func rowsOf(text string, comma rune) [][]string {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = cmp.Or(comma, '\t'), -1
	rows, err := r.ReadAll()
	if err == nil {
		return rows
	}
	rows = nil
	for line := range strings.Lines(text) {
		cells := []string{line}
		if comma != noDelimiter {
			cells = strings.Split(line, string(comma))
		}
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), `"`)
		}
		rows = append(rows, cells)
	}
	return rows
}

// isWholeURL reports whether a text is a URL with its scheme and host, and nothing else.
func isWholeURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && !strings.ContainsAny(text, " \"<>")
}

// distinct is a list with each text once, in its order.
func distinct(list []string) (all []string) {
	known := map[string]bool{}
	for _, text := range list {
		if !known[text] {
			known[text], all = true, append(all, text)
		}
	}
	return all
}
