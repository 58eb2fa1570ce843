package headerfile

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
)

// staticFile is the static file that a generator publishes; none has no name.
type staticFile struct {
	name  string // for messages
	lines []string
}

// ownersRules are the rules of a file's owner, with those of a block that no run is known to have
// left.
type ownersRules struct {
	// isAudited: what crawlers read of the file now is asked for, and no run of ours has written
	// into it.
	isAudited bool
	static    staticFile // that the file is made of
	found     served     // of X-Robots-Tag
	remaining served     // the same without that block, which goes
	// block are the lines around that block; zero for none.
	block [2]int
	links served // of Link
	// planned are all rules that the file is to have of X-Robots-Tag, at the paths at which the host
	// serves a file: ours too, so far as they can be read in a file with a form of its own.
	planned func() served
	// asServed are the remaining ones at the paths at which the host serves a file now. At others
	// they count too, since ours say it again, but not of a file without a policy.
	asServed func() served
	// enough are, of a file with a form of its own, the published files with which the owner's rules
	// alone send what is decided.
	enough map[string]bool
	// signals are of the headers of signalHeaders.
	signals []served
}

// served returns what the owner's rules send of a header for a file, which is named from the root
// of its host: an answer for each of its request paths and each way in which a host may send it,
// some of them empty.
type served func(name, source string) []robotstag.Sent

// readRules reads the owner's rules.
func (h *File) readRules() (err error) {
	if h.rules.remaining, err = h.readerOfFile(h.user, robotstag.Name, h.readerFrom); err != nil {
		return err
	}
	if h.rules.found = h.rules.remaining; h.rules.block[1] > 0 {
		h.rules.found, err = h.readerOfFile(marks.Plain(h.user), robotstag.Name, h.readerFrom)
	}
	h.rules.planned = sync.OnceValue(func() served { // it is asked for by those who explain a page
		reader, _ := h.readerOfFile(marks.Plain(h.Change.New), robotstag.Name, servedOf)
		return reader
	})
	h.rules.asServed = sync.OnceValue(func() served {
		reader, _ := h.readerOfFile(h.user, robotstag.Name, servedOf)
		return reader
	})
	h.rules.links, _ = h.readerOfResponse(h.user, robotstag.LinkName)
	for _, name := range signalHeaders {
		if h.mayName(name) {
			reader, _ := h.readerOfResponse(h.user, name)
			h.rules.signals = append(h.rules.signals, reader)
		}
	}
	return err
}

// mayName reports whether the owner's rules may name a header. Each reader is asked about every
// published file, and hardly any file of rules names one of these headers.
func (h *File) mayName(header string) bool {
	text := h.user
	if h.instead != nil {
		text = h.instead.data
	}
	hasEscapes := bytes.Contains(text, []byte(`\u`)) // in which JSON may write the name
	return h.netlify != nil || hasEscapes || bytes.Contains(bytes.ToLower(text),
		[]byte(strings.ToLower(header)))
}

// readerOfResponse returns what is served of another header than X-Robots-Tag with a text as this
// file: by the file, and on Netlify by netlify.toml. What that sets of one, the response has alone.
func (h *File) readerOfResponse(text []byte, header string) (served, error) {
	over, err := h.netlify.reader(header)
	if err != nil {
		return nil, err
	}
	found, err := h.readerOfFile(text, header, h.readerFrom)
	return func(name, source string) []robotstag.Sent {
		over := over(name, source)
		if !slices.ContainsFunc(over, isSent) {
			return found(name, source)
		} else if every(over, isSent) {
			return over
		}
		// netlify.toml is about some of the file's request paths.
		return append(over, found(name, source)...)
	}, err
}

// readerOfFile returns what a text as this file serves of a header, each value with the file in
// which the owner wrote it. A text that cannot be read serves nothing. Of a file with a form of its
// own, the compiler says that it cannot be read. countedOf picks what counts of the rules.
func (h *File) readerOfFile(text []byte, header string, countedOf func(*hosts.Owners) served) (
	served, error) {
	if h.instead != nil {
		return h.instead.reader(h, header, countedOf)
	}
	own, err := hosts.ReadUser(text, headerOf(header), h.options())
	if err != nil {
		if h.hasOwnForm() {
			err = nil
		}
		return func(string, string) []robotstag.Sent { return nil }, err
	}
	read := countedOf(&own)
	return func(name, source string) []robotstag.Sent {
		answers := read(name, source)
		each(answers, func(v *robotstag.Value) { h.placeValue(v, header) })
		return answers
	}, nil
}

// readerFrom returns what counts of the owner's rules: for an audit what crawlers read, unless a run
// of ours has written what is decided.
func (h *File) readerFrom(owners *hosts.Owners) served {
	if h.rules.isAudited {
		return owners.Served
	}
	return owners.Counted
}

// servedOf returns what crawlers read of the owner's rules without ours.
func servedOf(owners *hosts.Owners) served { return owners.Served }

// placeValue sets where the owner wrote a value of a header: in the static file, if that has it on
// its line, or in this one. A value of the block that no run is known to have left is named
// [BlockKey].
func (h *File) placeValue(v *robotstag.Value, header string) {
	v.File, v.Name = h.Change.File, header
	lines := h.rules.static.lines
	if isInStatic := v.Line <= len(lines) && strings.Contains(lines[v.Line-1], v.Text); isInStatic {
		v.File = h.rules.static.name
	}
	isInBlock := h.rules.block[0] < v.Line && v.Line < h.rules.block[1]
	if header == robotstag.Name && isInBlock {
		v.Name = BlockKey
	}
}
