package snapshot

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metarobots/internal/result"
)

// document is a snapshot as it stands in a file; or, with pages that are a list, the result of --json. It is read as a
// stream, whatever the order of its members.
type document struct {
	Version     int
	Environment string
	Policy      string
	Hosts       map[string]string
	Decisions   map[string]outcome
	Summary     struct {
		Environment string
		Policy      string
		Hosts       map[string]string
	}

	paged  bool      // the member pages is there
	named  []mention // of a snapshot
	listed bool      // pages are a list
	list   []Entry   // of a result

	dec   *json.Decoder
	texts interned
}

// mention is one URL with the name of its decision, and the day behind it.
type mention struct{ url, value string }

// pageError is a page that cannot be read, in a document that is one of ours.
type pageError struct{ err error }

func (e *pageError) Error() string { return "pages: " + e.err.Error() }
func (e *pageError) Unwrap() error { return e.err }

func (d *document) read() error {
	switch t, err := d.dec.Token(); {
	case err != nil:
		return err
	case t != json.Delim('{'):
		return fmt.Errorf("it begins with %v and is no object", t)
	}
	members := map[string]any{"version": &d.Version, "environment": &d.Environment, "policy": &d.Policy,
		"hosts": &d.Hosts, "decisions": &d.Decisions, "summary": &d.Summary}
	for d.dec.More() {
		key, err := d.key()
		if err != nil {
			return err
		}
		if key = strings.ToLower(key); key == "pages" { // as encoding/json reads members
			err = d.pages()
		} else if to, known := members[key]; known {
			err = d.dec.Decode(to)
		} else {
			err = d.dec.Decode(new(json.RawMessage))
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.dec.Token(); err != nil {
		return err
	}
	if t, err := d.dec.Token(); err != io.EOF {
		return cmp.Or(err, fmt.Errorf("%v after the end", t))
	}
	return nil
}

func (d *document) key() (string, error) {
	t, err := d.dec.Token()
	key, _ := t.(string)
	return key, err
}

// pages reads the member pages: an object of a snapshot, a list of a result, null for none.
func (d *document) pages() error {
	t, err := d.dec.Token()
	if err != nil {
		return err
	}
	d.paged, d.named, d.listed, d.list = t != nil, nil, t == json.Delim('['), nil
	switch t {
	case json.Delim('['):
		for d.dec.More() {
			var p result.Page
			if err := d.dec.Decode(&p); err != nil {
				return &pageError{err}
			}
			d.list = append(d.list, entryOf(&p, d.texts))
		}
	case json.Delim('{'):
		for d.dec.More() {
			url, err := d.key()
			if err != nil {
				return err
			}
			var value string
			if err := d.dec.Decode(&value); err != nil {
				return &pageError{err}
			}
			d.named = append(d.named, mention{url, d.texts.of(value)})
		}
	case nil:
		return nil
	default:
		return &pageError{fmt.Errorf("%v is neither an object nor a list", t)}
	}
	_, err = d.dec.Token()
	return err
}

// snapshot finds the decision of each page.
func (d *document) snapshot() (*Snapshot, error) {
	slices.SortStableFunc(d.named, func(a, b mention) int { return cmp.Compare(a.url, b.url) })
	s := &Snapshot{Environment: d.Environment, Policy: d.Policy, Hosts: d.Hosts, Entries: make([]Entry, 0,
		len(d.named))}
	for i, m := range d.named {
		if i+1 < len(d.named) && d.named[i+1].url == m.url {
			continue // of one key twice the last counts, as in every JSON object
		}
		name, since, dated := strings.Cut(m.value, " ")
		if _, err := time.Parse(time.DateOnly, since); dated && err != nil {
			return nil, fmt.Errorf("pages: %q: %q is no day", m.url, since)
		}
		o, ok := d.Decisions[name]
		if !ok {
			return nil, fmt.Errorf("pages: %q: decision %q is missing", m.url, name)
		}
		if o.Role != "" && !result.Unpoliced(o.Role) {
			return nil, fmt.Errorf("decisions: %q: unknown role %q", name, o.Role)
		}
		s.Entries = append(s.Entries, Entry{m.url, o.Decision, o.Why, since})
	}
	return s, nil
}
