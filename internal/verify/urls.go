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

	"metarobots/emit/sitemap"
	"metarobots/internal/project"
	"metarobots/internal/snapshot"
)

// URLs requests those of some URLs that lie below o.Base, whose number the summary's source names. As of those that a
// sitemap lists, each is taken to be meant for the index. Errors are those of [Against].
func URLs(ctx context.Context, list []string, o AskOptions) (*Report, error) {
	defer limitMemory()()
	roots, _, err := roots(&snapshot.Snapshot{}, o.Base)
	r := newRun(o, roots)
	r.report.Summary.Source = FromURLs
	if err = r.start(ctx, err); err == nil {
		err = r.unreached()
	}
	c := &collector{run: r, seen: map[string]bool{}, listed: map[string]bool{}}
	if err == nil {
		c.root = roots[0]
		for _, text := range list {
			c.list(text)
		}
		c.warnOfLimits()
		slices.SortFunc(c.targets, func(a, b target) int { return strings.Compare(a.name, b.name) })
		if len(c.targets) == 0 {
			err = project.Invalid(fmt.Errorf("%s: none of the URLs is below it, %s for one", o.Base, c.example))
		}
	}
	return r.all(ctx, c.targets, err)
}

// MaxURLFile is how many bytes a file with URLs may have.
const MaxURLFile = maxSitemap

// ErrNoURL is the error of a file that holds none.
var ErrNoURL = errors.New("it holds no URL: looked for http:// or https:// in a text with one URL a line, in a sitemap, " +
	"and in each column of a CSV file (separated by comma, semicolon or tab)")

// ReadURLs reads the URLs of a file, each once: a text with one in each line, a sitemap, or a CSV file, of whose columns
// that one counts that has the most of them. The file may be compressed.
func ReadURLs(data []byte) (urls []string, err error) {
	if data, err = unpack(data); err != nil {
		return nil, err
	}
	text := bytes.TrimPrefix(decode(data, "text/plain"), []byte(mark))
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		urls, err = ofSitemap(text)
	} else {
		urls = ofLines(string(text))
	}
	if err == nil && len(urls) == 0 {
		err = ErrNoURL
	}
	return urls, err
}

// ofSitemap are the URLs that a sitemap lists.
func ofSitemap(text []byte) ([]string, error) {
	listed, isIndex, err := locations(text)
	switch {
	case isIndex:
		return nil, errors.New("it is an index of sitemaps, which lists no pages: give one of the sitemaps that it names")
	case errors.Is(err, sitemap.ErrNoSitemap), err != nil && isHTML("", text):
		return nil, ErrNoURL
	}
	return distinct(listed), err
}

// ofLines are the URLs of a text or of a CSV file.
func ofLines(text string) []string {
	comma, text := delimiter(text)
	var columns [][]string
	for _, row := range rowsOf(text, comma) {
		for i, cell := range row {
			if cell = strings.TrimSpace(cell); isWholeURL(cell) {
				columns = append(columns, make([][]string, max(0, i+1-len(columns)))...)
				columns[i] = append(columns[i], cell)
			}
		}
	}
	for i := range columns {
		columns[i] = distinct(columns[i])
	}
	if len(columns) == 0 {
		return nil
	}
	return slices.MaxFunc(columns, func(a, b []string) int { return len(a) - len(b) }) // the first one with as many
}

// noDelimiter is the delimiter of a text whose lines are one cell each.
const noDelimiter = 0

// delimiter is what separates the cells of a CSV file, by its first line with text: a heading, or a URL. It returns
// the text without a line that only names the delimiter, as spreadsheets write it.
func delimiter(text string) (comma rune, rest string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n \t"), "\n")
	first = strings.TrimSpace(first)
	if name, isNamed := strings.CutPrefix(strings.ToLower(first), "sep="); isNamed && strings.Contains(",;|", name) && name != "" {
		return rune(name[0]), rest
	}
	most := 0
	for _, d := range ",;\t" {
		n := strings.Count(first, string(d))
		if isWholeURL(first) && d != '\t' && !haveAsMany(text, d, n) { // else it is a part of URLs
			n = 0
		}
		if n > most {
			comma, most = d, n
		}
	}
	return comma, text
}

// haveAsMany reports whether each of several lines has a delimiter so many times.
func haveAsMany(text string, d rune, n int) bool {
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
