package hugo

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohugoio/hugo/resources/page"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
	"metarobots/policy"
)

// document is the front matter of a content file, read for its lines.
type document struct {
	matter frontmatter.Document
	err    error
}

// document reads a content file's own front matter, once.
func (l *lister) document(file string) *document {
	if d, ok := l.documents[file]; ok {
		return d
	}
	d := &document{}
	l.documents[file] = d
	var data []byte
	switch data, d.err = disk.ReadFile(file, maxSource); {
	case d.err != nil:
	case isOrg(file):
		d.matter, d.err = frontmatter.ParseOrg(data)
	default:
		d.matter, d.err = frontmatter.Parse(data)
	}
	return d
}

func isOrg(file string) bool { return strings.EqualFold(filepath.Ext(file), ".org") }

// maxSource is how much is read of a content file or a configuration, in bytes.
const maxSource = 64 << 20

// adapter is the name of a content adapter: such a file has no front matter.
const adapter = "_content.gotmpl"

// statements returns what a page states for crawlers by its parameters, which have what Hugo's
// cascade hands down to it, each statement with its file and line; and in unread what they seem to
// state in a form that is not read. [lister.infoOf] calls it for each page.
//
// The content file itself is read for lines, and where Hugo may have read it otherwise than it is
// written; of most pages, which state nothing, it is not. If our reader cannot read it there, that
// is an error of the list ([lister.fail]), and the page map is not used. In a file whose front
// matter Hugo may have passed over both results are then nil.
func (l *lister) statements(p page.Page, info *pageInfo) (statements, unread []policy.Statement) {
	hasFrontMatter := info.file != "" && !strings.HasSuffix(info.file, adapter)
	if hasFrontMatter && l.mayHugoMissIt(p, info.file) {
		if d := l.document(info.file); d.err != nil {
			l.fail(info.file, d.err)
			return nil, nil
		}
	}
	o := l.options
	o.Locate = func(path ...string) (string, int) { return l.place(p, info, path) }
	read := l.read(l.paramsOf(p), info, o)
	if hasFrontMatter && read.Mentions { // it has a key that may be about crawlers
		return l.withKeysTwice(read.Statements, info, o), read.Unread
	}
	return read.Statements, read.Unread
}

// paramsOf are the parameters of a page. If the owner has expiryDate read as unavailable_after, the
// page's date of expiry is among them, which by Hugo's configuration may come from another key.
func (l *lister) paramsOf(p page.Page) map[string]any {
	params := map[string]any(p.Params())
	if l.options.Expiry && !p.ExpiryDate().IsZero() {
		params = maps.Clone(params)
		params["expirydate"] = p.ExpiryDate()
	}
	return params
}

// withKeysTwice returns the statements of a page's parameters, and those of its content file as it
// is written if a key is in it both at the top and under params: Hugo keeps one of robots and
// params.robots, but both were written, and both count. A file that Hugo takes and our reader
// refuses is an error of the list, since such a key cannot be seen there.
func (l *lister) withKeysTwice(statements []policy.Statement, info *pageInfo, o frontmatter.Config) (
	all []policy.Statement) {
	written := l.document(info.file)
	e, isFault := errors.AsType[*frontmatter.Error](written.err)
	if hugoTakesIt := isFault && e.Ours; hugoTakesIt {
		l.fail(info.file, written.err)
	}
	if !l.hasKeyTwice(written) {
		return statements
	}
	// What this reports as the first reading did is listed once.
	asWritten := l.read(written.matter.Params, info, o)
	all = policy.Union(statements, asWritten.Statements)
	policy.ApplyIndexIfEmbedded(all) // an indexifembedded of one may be beside a noindex of the other
	return all
}

// mayHugoMissIt reports whether Hugo may have passed over the front matter of a content file, or a
// part of it, without an error: it does so if that is never closed or lies below another block, and
// with keywords of Org below the first lines.
func (l *lister) mayHugoMissIt(p page.Page, file string) bool {
	// The last may copy the text.
	return hasHugosOwnOnly(p.Params()) || isOrg(file) || l.hasAnotherBlock(p, file)
}

// read returns what parameters state. What is wrong in them is a finding of the map, or if it makes
// the front matter invalid an error of the list.
func (l *lister) read(params map[string]any, info *pageInfo, o frontmatter.Config) (
	result frontmatter.Result) {
	l.site.words.Add(params)
	o.Layer, o.HandsDown = policy.LayerPage, "cascade"
	result = frontmatter.Read(params, o)
	for _, f := range result.Findings {
		f.File = cmp.Or(f.File, info.source)
		if f.Severity == policy.Error {
			l.errs = append(l.errs, &f)
		} else {
			l.note(f)
		}
	}
	return result
}

// note reports a finding once: what a cascade says comes with each of its pages.
func (l *lister) note(f policy.Finding) {
	if !l.noted[f] {
		l.noted[f] = true
		l.m.reports.add(f)
	}
}

// fail records that a content file's front matter cannot be read: an error of [lister.failed].
func (l *lister) fail(file string, err error) {
	line := 0
	if e, ok := errors.AsType[*frontmatter.Error](err); ok {
		line = e.Line
	}
	l.errs = append(l.errs, errors.New(policy.Placed(l.site.short(file), line, err.Error())))
}

// again is a text that begins as front matter does.
var again = lazyregexp.New(`\A\s*(?:---|\+\+\+)[ \t]*\r?\n`)

// hasAnotherBlock reports whether the text behind a page's front matter begins as front matter
// does. Hugo makes a copy of a text that is asked for, which the beginning of most files spares.
func (l *lister) hasAnotherBlock(p page.Page, file string) bool {
	hasOne, _ := l.site.source.opened.Load(file)
	return hasOne != true && again.MatchString(p.RawContent())
}

// hasHugosOwnOnly reports whether a page has no other parameters than those that Hugo sets itself.
func hasHugosOwnOnly(params map[string]any) bool {
	for key := range params {
		switch key {
		case "draft", "iscjklanguage", "date", "lastmod", "publishdate", "expirydate":
		default:
			return false
		}
	}
	return true
}

// place finds where a key of a page's parameters is stated, as a file's name for messages and a
// line: in the page's own front matter; else in the cascade of the nearest of the page and its
// ancestors that has the key with the page's value; else in that of the site's configuration, whose
// later files count before earlier ones. It is "" and 0 if none of these has it. The line is 0 if
// several entries of a cascade have the key. Of a page of a content adapter it is the adapter's
// file, with line 0.
func (l *lister) place(p page.Page, info *pageInfo, key []string) (string, int) {
	if strings.HasSuffix(info.file, adapter) {
		return info.source, 0
	}
	if line := l.lineInFrontMatter(info.file, key); line > 0 {
		return info.source, line
	}
	want := fmt.Sprint(frontmatter.Lookup(plain(p.Params()), key))
	cascade := []string{"cascade"}
	for _, file := range filesWithCascade(p, info) {
		if line, ok := lineInTables(l.document(file).matter, cascade, key, want); ok {
			return l.site.short(file), line
		}
	}
	for _, f := range slices.Backward(l.site.configFiles()) {
		inFile, mayHaveIt := f.keyInFile(cascade)
		if !mayHaveIt {
			continue
		}
		if line, ok := lineInTables(f.document, inFile, key, want); ok {
			return l.site.short(f.name), line
		}
	}
	return "", 0
}

// filesWithCascade are the content files that may have a cascade for a page, the nearest first: its
// own and those of its ancestors, of which some have none.
func filesWithCascade(p page.Page, info *pageInfo) []string {
	files := []string{info.file}
	for _, ancestor := range p.Ancestors() {
		if f := ancestor.File(); f != nil {
			files = append(files, f.Filename())
		}
	}
	return files
}

// lineInFrontMatter returns the line of a key of parameters in the front matter of a content file;
// 0 if it has none. Hugo moves what is under params to the top.
func (l *lister) lineInFrontMatter(file string, key []string) int {
	index := l.document(file).matter.Index
	return cmp.Or(index.Line(key...), index.Line(append([]string{"params"}, key...)...))
}

// lineInTables looks for a key in what a document has at a path, such as cascade: one table or a
// list of them, each with its values directly or under params. Tables count in which the key has
// the value want, as fmt prints it, or null, whose line alone is known. The line is 0 if more
// than one is left. ok is false if none is.
func lineInTables(d frontmatter.Document, at, key []string, want string) (found int, ok bool) {
	tables := [][]string{at} // the paths of those that may be there; that of an entry has its index
	entries, _ := frontmatter.List(frontmatter.Lookup(d.Params, at))
	for i := range entries {
		tables = append(tables, append(slices.Clone(at), strconv.Itoa(i)))
	}
	for _, table := range tables {
		for _, params := range [][]string{nil, {"params"}} {
			path := slices.Concat(table, params, key)
			line := d.Index.Line(path...)
			if line == 0 {
				continue
			}
			switch value := frontmatter.Lookup(d.Params, path); {
			case value != nil && fmt.Sprint(plain(value)) != want: // for other pages
			case ok && found != line:
				return 0, true
			default:
				found, ok = line, true
			}
		}
	}
	return found, ok
}

// hasKeyTwice reports whether a content file has a key that may state something both at the top and
// under params, so that Hugo keeps one; false of a file that cannot be read.
func (l *lister) hasKeyTwice(d *document) bool {
	if d.err != nil {
		return false
	}
	params, _ := frontmatter.Lookup(d.matter.Params, []string{"params"}).(map[string]any)
	for key := range params {
		isAtTop := d.matter.Index.Line(key) > 0
		mayState := func() bool {
			return frontmatter.IsTable(source.Key(key)) ||
				frontmatter.Mentions(map[string]any{key: true}, l.options)
		}
		if isAtTop && mayState() {
			return true
		}
	}
	return false
}
