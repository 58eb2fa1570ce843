package hosting

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/source"
	"metarobots/policy"
)

// A file is one of the owner's that a host reads, in TOML or JSON.
type file struct {
	name   string // for messages
	folder string // that holds it, absolute
	root   any
	index  *source.Index
}

// reportUnreadRedirects notes the first of the redirects that are not read, and hide no file: pages
// that they take leave the index, and no check of this run sees that (U2i). Each host has one file
// that may have such redirects.
func (h *Hosting) reportUnreadRedirects() {
	if len(h.unreadRedirects) == 0 {
		return
	}
	subject := "this redirect is"
	if len(h.unreadRedirects) > 1 {
		subject = "this redirect and others below are"
	}
	at := h.unreadRedirects[0]
	h.Findings = append(h.Findings, policy.Finding{ID: "redirect-not-read", Severity: policy.Note,
		File: at.File, Line: at.Line,
		Message: subject + " not read, as its pattern or its destination is of a form that metarobots does not know: " +
			"that it takes pages out of the index is not seen"})
}

// reportFolder reports a configuration whose value at some keys names another folder than the one
// that this run publishes: header rules of this run in it would be served for that folder's files
// (N10d).
func (h *Hosting) reportFolder(f *file, keys ...string) {
	folder := text(member(f.root, keys...))
	if folder == "" || project.Absolute(f.folder, folder) == h.project.Settings.Publish {
		return
	}
	at := f.origin(keys...)
	h.Findings = append(h.Findings, policy.Finding{ID: "other-folder", Severity: policy.Warning,
		File: at.File, Line: at.Line,
		Message: fmt.Sprintf("the host publishes the folder %s by this line, and this run is for %s: header rules that "+
			"this run writes into this file are served with that folder's files", folder,
			h.project.Short(h.project.Settings.Publish)),
		Fix: ". Build each environment into the folder that is deployed, or give each its own file"})
}

// readFirst reads the first of some files that is in the site's folder or in the working folder;
// nil for none. A name goes before the next one in any folder. A file that is there and cannot be
// read is an error, since what it says would be lost.
func (h *Hosting) readFirst(names ...string) (*file, error) {
	p := h.project
	for _, name := range names {
		for _, folder := range slices.Compact([]string{p.Source, p.Options.WorkDir}) {
			path := filepath.Join(folder, name)
			data, err := limited(p.Read(path, most(path)))
			if err != nil {
				return nil, notRead(p.Short(path), err)
			} else if data != nil {
				f, err := parse(p.Short(path), folder, data)
				if err != nil && isHeaderFile(path) {
					return nil, nil // where its rules are read, that is an error, and the file stays
				}
				return f, err
			}
		}
	}
	return nil, nil
}

// isHeaderFile reports whether a host reads headers in a file, so that rules of ours may be there.
func isHeaderFile(name string) bool {
	return slices.ContainsFunc(hosts.Table, func(h *hosts.Host) bool { return h.File == filepath.Base(name) })
}

// most is how much is read of a file: more of one in which rules of ours may be.
func most(name string) int64 {
	if isHeaderFile(name) {
		return project.MaxHeaders
	}
	return project.MaxConfig
}

// limited refuses a file that is longer than owners write them, unless rules of ours make it long.
func limited(data []byte, err error) ([]byte, error) {
	if len(data) > project.MaxConfig && !bytes.Contains(data, []byte("metarobots")) {
		return nil, disk.ErrTooLarge
	}
	return data, err
}

// notRead is the error about a file that is there and cannot be read.
func notRead(name string, err error) error {
	return project.Invalid(&policy.Finding{File: name, Message: "the file is not read: " + project.Reason(err)})
}

// parse reads a file by the ending of its name. JSON may have comments.
func parse(name, folder string, data []byte) (*file, error) {
	f, format := &file{name: name, folder: folder}, "json"
	var err error
	if strings.HasSuffix(name, ".toml") {
		format = "toml"
	} else {
		data = source.WithoutComments(data)
	}
	if f.root, f.index, err = source.Data(format, data); err != nil {
		return nil, project.Invalid(&policy.Finding{File: name, Message: fmt.Sprintf("it cannot be read: %v", err)})
	}
	return f, nil
}

// origin is where a key is written.
func (f *file) origin(path ...string) policy.Origin {
	return policy.Origin{File: f.name, Line: f.index.Nearest(path...), Key: strings.Join(path, ".")}
}

// elementPath is the path of an element of a list.
func elementPath(list []string, i int) []string {
	return append(slices.Clone(list), strconv.Itoa(i))
}

// member is a value of a table; nil if there is none.
func member(table any, path ...string) any {
	for _, name := range path {
		members, _ := table.(map[string]any)
		table = members[name]
	}
	return table
}

// elements are those of a list.
func elements(list any) (all []any) {
	switch list := list.(type) {
	case []any:
		return list
	case []map[string]any: // as TOML has tables
		for _, table := range list {
			all = append(all, table)
		}
	}
	return all
}

// text is a value that is one, else empty.
func text(value any) string {
	text, _ := value.(string)
	return text
}

// number is a value that is one, or begins with one; 0 for none.
func number(value any) int {
	switch n := value.(type) {
	case int64:
		return int(n)
	case float64:
		return int(n)
	case string:
		digits := len(n) - len(strings.TrimLeft(n, "0123456789"))
		i, _ := strconv.Atoi(n[:digits])
		return i
	}
	return 0
}

// isSet reports whether a value is more than nothing.
func isSet(value any) bool {
	table, isTable := value.(map[string]any)
	return value != nil && !(isTable && len(table) == 0)
}

// readPublished reads a file of the publish folder, or the static file that a build is to publish
// there; nil for none. file is its name for messages, also with an error.
func (h *Hosting) readPublished(name string) (data []byte, file string, err error) {
	p := h.project
	file = p.Published(name)
	if data, ok := h.from.Generated(name, nil); ok {
		return data, file, nil
	}
	static := h.pages.File(name).Source
	data, err = limited(p.Read(p.Path(name), most(name)))
	if static == "" || err != nil || data != nil && !h.from.Builds() {
		return data, file, err
	}
	text, err := limited(p.ReadStatic(static, most(static)))
	if data == nil {
		file = static
	}
	return text, file, err
}
