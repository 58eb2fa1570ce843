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
	// Pages of a snapshot are the name of its decision and the day behind it by URL, those of a result a list.
	Pages json.RawMessage
	// Headers are the lines of other headers, by URL.
	Headers map[string][]string
	Summary result.Summary
	// Results are those of verify.
	Results []Answer
}

// Read reads what [Snapshot.Write] wrote, or the result that --json prints, verify's included.
func Read(r io.Reader) (*Snapshot, error) {
	var doc document
	d := json.NewDecoder(r)
	err := d.Decode(&doc)
	if err == nil {
		if t, end := d.Token(); end != io.EOF {
			err = cmp.Or(end, fmt.Errorf("%v after the end", t))
		}
	}
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF // it is empty, or ends within
	case errors.As(err, &kind) && kind.Field == "":
		err = fmt.Errorf("it is not an object but of the kind %s", kind.Value)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("no snapshot and no result of --json: %w", err)
	case doc.Results != nil:
		return OfAnswers(doc.Results), nil
	case bytes.HasPrefix(doc.Pages, []byte("[")):
		return doc.result()
	case doc.Version == 0 || len(doc.Pages) == 0 || doc.Pages[0] == 'n': // null
		return nil, errors.New("no snapshot and no result of --json: version or pages are missing")
	case doc.Version != Version:
		return nil, fmt.Errorf("version %d of the format is not known (this program knows %d)", doc.Version, Version)
	case doc.Pages[0] != '{':
		return nil, fmt.Errorf("pages: %s is neither an object nor a list", doc.Pages)
	}
	return doc.snapshot()
}

// result reads the pages of a result one at a time, since little of each is needed.
func (d *document) result() (*Snapshot, error) {
	s := &Snapshot{d.Summary.Environment, d.Summary.Policy, d.Summary.Hosts, nil}
	pages := json.NewDecoder(bytes.NewReader(d.Pages))
	pages.Token() // the bracket
	for pages.More() {
		var page result.Page
		if err := pages.Decode(&page); err != nil {
			return nil, fmt.Errorf("pages: %w", err)
		}
		page.Recall()
		s.Entries = append(s.Entries, entryOf(&page))
	}
	s.sort()
	return s, nil
}

// snapshot finds the decision of each page.
func (d *document) snapshot() (*Snapshot, error) {
	var pages map[string]string
	if err := json.Unmarshal(d.Pages, &pages); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	s := &Snapshot{d.Environment, d.Policy, d.Hosts, make([]Entry, 0, len(pages))}
	for url, value := range sorted(pages) {
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
		e := Entry{URL: url, Decision: o.Decision, Reason: o.Why, Since: since}
		for _, line := range d.Headers[url] {
			name, value, _ := strings.Cut(line, ": ")
			e.Headers = append(e.Headers, result.HeaderLine{Name: name, Value: value})
		}
		s.Entries = append(s.Entries, e)
	}
	s.sort()
	return s, nil
}
