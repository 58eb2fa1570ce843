package snapshot

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"metarobots/internal/result"
)

// document is a snapshot as it stands in a file, or the result of --json.
type document struct {
	Version     int
	Environment string
	Policy      string
	Hosts       map[string]string
	Decisions   map[string]outcome
	Pages       pageList
	Summary     struct {
		Environment string
		Policy      string
		Hosts       map[string]string
	}
}

// pageList has the pages of a snapshot, the name of its decision and the day behind it by URL; or the list of a result.
type pageList struct {
	named map[string]string
	list  []Entry
}

// UnmarshalJSON reads an object of a snapshot, a list of a result, null for none.
func (p *pageList) UnmarshalJSON(data []byte) error {
	*p = pageList{}
	switch data[0] {
	case 'n':
		return nil
	case '{':
		if err := json.Unmarshal(data, &p.named); err != nil {
			return &pageError{err}
		}
		return nil
	case '[':
		d := json.NewDecoder(bytes.NewReader(data))
		d.Token() // the bracket
		for p.list = []Entry{}; d.More(); {
			var page result.Page // one at a time, since little is kept of it
			if err := d.Decode(&page); err != nil {
				return &pageError{err}
			}
			p.list = append(p.list, entryOf(&page))
		}
		return nil
	}
	return &pageError{fmt.Errorf("%s is neither an object nor a list", data)}
}

// pageError is a page that cannot be read, in a document that is one of ours.
type pageError struct{ err error }

func (e *pageError) Error() string { return "pages: " + e.err.Error() }
func (e *pageError) Unwrap() error { return e.err }

// Read reads what [Snapshot.Write] wrote, or the result that --json prints, such as a deployed site may publish.
func Read(r io.Reader) (*Snapshot, error) {
	var doc document
	d := json.NewDecoder(r)
	err := d.Decode(&doc)
	if err == nil {
		if t, end := d.Token(); end != io.EOF {
			err = cmp.Or(end, fmt.Errorf("%v after the end", t))
		}
	}
	var page *pageError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &page):
		return nil, page
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF // it is empty, or ends within
	case errors.As(err, &kind) && kind.Field == "":
		err = fmt.Errorf("it is not an object but of the kind %s", kind.Value)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("no snapshot and no result of --json: %w", err)
	case doc.Pages.list != nil:
		s := &Snapshot{doc.Summary.Environment, doc.Summary.Policy, doc.Summary.Hosts, doc.Pages.list}
		s.sort()
		return s, nil
	case doc.Version == 0 || doc.Pages.named == nil:
		return nil, errors.New("no snapshot and no result of --json: version or pages are missing")
	case doc.Version != Version:
		return nil, fmt.Errorf("version %d of the format is not known (this program knows %d)", doc.Version, Version)
	}
	return doc.snapshot()
}

// snapshot finds the decision of each page.
func (d *document) snapshot() (*Snapshot, error) {
	s := &Snapshot{d.Environment, d.Policy, d.Hosts, make([]Entry, 0, len(d.Pages.named))}
	for url, value := range sorted(d.Pages.named) {
		name, since, dated := strings.Cut(value, " ")
		if _, err := time.Parse(time.DateOnly, since); dated && err != nil {
			return nil, fmt.Errorf("pages: %q: %q is not a day", url, since)
		}
		o, ok := d.Decisions[name]
		if !ok {
			return nil, fmt.Errorf("pages: %q: decision %q is missing", url, name)
		}
		if o.Role != "" && !result.Unpoliced(o.Role) {
			return nil, fmt.Errorf("decisions: %q: unknown role %q", name, o.Role)
		}
		s.Entries = append(s.Entries, Entry{URL: url, Decision: o.Decision, Reason: o.Why, Since: same(since)})
	}
	s.sort()
	return s, nil
}
