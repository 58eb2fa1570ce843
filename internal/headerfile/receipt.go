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
	// Unread are the lines that mention the header and that no reader accounts for.
	Unread []int
}

// Receipt is that of a header file. Of a host that is no target any more, no line of the owner's counts.
func (h *File) Receipt(p *project.Project) Receipt {
	r := Receipt{Paths: []string{h.Change.Path}, File: h.Change.File, Text: h.user}
	if h.source != "" {
		r.Paths = append(r.Paths, project.Absolute(p.Options.WorkDir, h.source), project.Absolute(p.Source, h.source))
	}
	reader := mention.Lookup(filepath.ToSlash(h.Change.Path))
	if reader == nil {
		return r
	}
	if h.Former {
		r.Unread = reader.Lines(h.own())
		return r
	}
	if own, err := hosts.ReadUser(h.user, headerOf(robotstag.Name), h.options()); err == nil {
		r.Unread = slices.DeleteFunc(reader.Lines(h.user), own.Accounts)
	}
	return r
}

// TOML is the receipt of netlify.toml, of a site that may be on Netlify; ok is false if there is none.
func (h *File) TOML(p *project.Project) (r Receipt, ok bool) {
	if h.netlify == nil {
		return r, false
	}
	return Receipt{Paths: []string{h.netlify.path}, File: h.netlify.file, Unread: h.netlify.unread}, true
}
