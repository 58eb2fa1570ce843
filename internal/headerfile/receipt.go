package headerfile

import (
	"path/filepath"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/internal/mention"
	"metarobots/internal/project"
)

// A Receipt says that a file is read for what it says of X-Robots-Tag.
type Receipt struct {
	// Paths are the file and what it is made of, absolute.
	Paths []string
	// File is the file for messages, Text what its owner wrote.
	File string
	Text []byte
	// Unread are the lines that mention the header and that no reader accounts for. If none reads
	// the file, they are those of every header that speaks to crawlers.
	Unread []mention.Line
	// Mistakes are the lines that set a header which no crawler reads, in place of one that they do.
	Mistakes []mention.Mistake
}

// Receipts are those of a header file, and of the owner's configurations that the host reads beside
// it or in its place.
func (h *File) Receipts(p *project.Project) []Receipt {
	all := []Receipt{h.receipt(p)}
	if n := h.netlify; n != nil {
		all = append(all, Receipt{Paths: []string{n.path}, File: n.file, Unread: n.unread, Mistakes: n.mistakes})
	}
	if o := h.instead; o != nil && o.config.Format != nil {
		reader := mention.Lookup(o.path)
		r := Receipt{Paths: []string{o.path}, File: o.file, Text: o.data, Mistakes: reader.Mistakes(o.data)}
		accounts := accountsForNothing // as if the file cannot be read
		if u, err := o.read(robotstag.Name); err == nil {
			accounts = u.Accounts
		}
		r.Unread = unread(reader, o.data, accounts)
		all = append(all, r)
	}
	return all
}

// receipt is that of the header file itself. Of a host that is no target any more, no line of the
// owner's counts.
func (h *File) receipt(p *project.Project) Receipt {
	r := Receipt{Paths: []string{h.Change.Path}, File: h.Change.File, Text: h.user}
	if h.rules.static.name != "" {
		r.Paths = append(r.Paths, project.Absolute(p.Options.WorkDir, h.rules.static.name),
			project.Absolute(p.Source, h.rules.static.name))
	}
	reader := mention.Lookup(filepath.ToSlash(h.Change.Path))
	if reader == nil {
		return r
	}
	r.Mistakes = reader.Mistakes(h.user)
	if h.Former || h.instead != nil {
		r.Unread = reader.LinesOf(h.withoutOurs(), mention.Headers...)
		return r
	}
	accounts := accountsForNothing // of a file that cannot be read, or takes no rules
	if own, err := hosts.ReadUser(h.user, headerOf(robotstag.Name), h.options()); err == nil {
		accounts = own.Accounts
	}
	r.Unread = unread(reader, h.user, accounts)
	return r
}

// accountsForNothing is how a reader that fails accounts for lines.
func accountsForNothing(int) bool { return false }

// unread are the lines of a text that mention X-Robots-Tag, without those for which a reader
// accounts.
func unread(reader *mention.Reader, text []byte, accounts func(line int) bool) []mention.Line {
	isRead := func(l mention.Line) bool { return accounts(l.Number) }
	return slices.DeleteFunc(reader.LinesOf(text, robotstag.Name), isRead)
}
