package snapshot

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
	"unique"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/seen"
)

// Version is that of the format that [Snapshot.Write] writes.
const Version = 1

// The file of a snapshot writes each decision once, and names it on the line of each URL that has
// it:
//
//	"decisions": {
//	  "noindex-1a2b3c": {"robots":"noindex, follow","by":["tag"],"why":"visibility, robots.visibility.types.legal"}
//	},
//	"pages": {
//	  "/imprint/": "noindex-1a2b3c 2026-01-31",
//	  "/privacy/": "noindex-1a2b3c 2026-03-14"
//	}
//
// The day behind the name is since when the URL is noindex. Members that few URLs have, headers and
// served, are objects of their own beside pages, so that a line of pages stays short.

// An outcome is a decision with the uses of AI and its reason, as the file writes it.
type outcome struct {
	seen.Told
	AI        map[string]string `json:"ai,omitempty"`
	CarriedBy []string          `json:"by,omitzero"`
	Why       seen.Reason       `json:"why,omitzero"`
}

// Write writes s as the JSON of a snapshot file, which [Read] reads: with a line for each host,
// each line of robots.txt, each decision and each URL. Equal snapshots give equal bytes. What is
// empty or not known, such as a nil Delivery, is left out, except for the environment and the
// policy, for decisions and pages, by which Read knows a snapshot, and for a member in
// [Snapshot.writeRareMembers]. The error is that of w.
func (s *Snapshot) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	s.writeSite(b)
	s.writePages(b)
	s.writeRareMembers(b)
	b.WriteString("\n}\n")
	return b.Flush() // with the first error of any write before
}

// writeSite begins the file with what is known of the site as a whole.
func (s *Snapshot) writeSite(b *bufio.Writer) {
	fmt.Fprintf(b, "{\n  \"version\": %d,\n  \"environment\": %s,\n  \"policy\": %s", Version,
		printable.Quote(s.Environment), printable.Quote(s.Policy))
	if s.Answered {
		b.WriteString(",\n  \"deployed\": true")
	}
	writeObject(b, "hosts", omittedIfEmpty, sorted(s.Hosts))
	if len(s.Own) > 0 {
		fmt.Fprintf(b, ",\n  \"own\": %s", printable.Quote(s.Own))
	}
	if s.Managed != "" {
		fmt.Fprintf(b, ",\n  \"managed\": %s", printable.Quote(s.Managed))
	}
	writeRobots(b, s.KnownRobots()) // without hosts whose robots.txt was not answered
	writeObject(b, "tdmrep", omittedIfEmpty, sorted(s.TDMRep))
	if s.Delivery != nil {
		fmt.Fprintf(b, ",\n  \"delivery\": %s", printable.Quote(s.Delivery))
	}
}

// writePages writes the outcomes by their names, "decisions", and by URL the name of the outcome
// with the day since when the URL is noindex, "pages".
func (s *Snapshot) writePages(b *bufio.Writer) {
	names, outcomesByName := s.outcomes() // names are in the order of s.Entries
	writeObject(b, "decisions", alwaysWritten, sorted(outcomesByName))
	writeObject(b, "pages", alwaysWritten, func(yield func(string, string) bool) {
		for i, e := range s.Entries {
			nameAndDay := strings.TrimSuffix(names[i]+" "+e.Since, " ") // without a day the name alone
			if !yield(e.URL, nameAndDay) {
				return
			}
		}
	})
}

// writeRareMembers writes what few entries have, in objects of their own, by URL: headers, served
// and leads. An object without members is left out, except for leads of a deployed site, if it is
// known where its canonical links lead.
func (s *Snapshot) writeRareMembers(b *bufio.Writer) {
	headers := func(e *Entry) ([]seen.Header, bool) { return e.Headers, len(e.Headers) > 0 }
	writeObject(b, "headers", omittedIfEmpty, rareMembers(s.Entries, headers))
	// Served may be empty and known: then hosts answer nowhere with the file.
	served := func(e *Entry) ([]string, bool) { return e.Served, e.Served != nil }
	writeObject(b, "served", omittedIfEmpty, rareMembers(s.Entries, served))
	lead := func(e *Entry) (text string, leads bool) {
		if e.Leads == nil {
			return "", false
		}
		return e.Leads.By + " " + e.Leads.To, true // "canonical link /a/", see readLead
	}
	presence := omittedIfEmpty
	if s.Answered && !s.leadsUnknown {
		presence = alwaysWritten // else Read would take it for a file of an earlier program: see fill
	}
	writeObject(b, "leads", presence, rareMembers(s.Entries, lead))
}

// rareMembers yields what few entries have, by URL. member returns that of an entry; has is false
// if it has none.
func rareMembers[V any](entries []Entry, member func(*Entry) (value V, has bool)) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for i := range entries {
			if value, has := member(&entries[i]); has && !yield(entries[i].URL, value) {
				return
			}
		}
	}
}

// A presence says whether a file has a member that is empty.
type presence int

const (
	omittedIfEmpty presence = iota
	alwaysWritten
)

// writeObject writes a member of the file that is an object, with a line for each of the object's
// own members. Each value becomes JSON in one line.
func writeObject[V any](b *bufio.Writer, name string, presence presence,
	members iter.Seq2[string, V]) {
	writeQuoted(b, name, presence, func(yield func(string, string) bool) {
		for key, value := range members {
			if !yield(key, printable.Quote(value)) {
				return
			}
		}
	})
}

// writeQuoted is writeObject with values that are JSON already.
func writeQuoted(b *bufio.Writer, name string, presence presence,
	members iter.Seq2[string, string]) {
	open := fmt.Sprintf(",\n  %q: {", name)
	isEmpty := true
	for key, value := range members {
		before := ","
		if isEmpty {
			before = open
		}
		fmt.Fprintf(b, "%s\n    %s: %s", before, printable.Quote(key), value)
		isEmpty = false
	}
	switch {
	case !isEmpty:
		b.WriteString("\n  }")
	case presence == alwaysWritten:
		b.WriteString(open + "\n  }")
	}
}

// writeRobots writes each robots.txt, with a line for each of its own.
func writeRobots(b *bufio.Writer, hosts robotstxt.PerHost) {
	writeQuoted(b, "robots", omittedIfEmpty, func(yield func(string, string) bool) {
		for folder, file := range sorted(hosts) {
			var lines []string
			for _, line := range file.Kept() {
				lines = append(lines, "\n      "+printable.Quote(line))
			}
			if !yield(folder, "["+strings.Join(lines, ",")+"]") {
				return
			}
		}
	})
}

// sorted has the members of a map in the order of their keys.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// hashDigits is how many hexadecimal digits of a hash name an outcome. A file has more in each name
// if two outcomes would have the same name otherwise.
const hashDigits = 6

// outcomes returns the name of the outcome of each entry, in the order of the entries, and the
// outcomes by these names.
func (s *Snapshot) outcomes() (names []string, byName map[string]outcome) {
	byText := map[string]outcome{} // by their JSON
	texts := make([]string, len(s.Entries))
	for i, e := range s.Entries {
		o := outcome{e.Told, e.AI, e.CarriedBy, e.Reason}
		texts[i] = unique.Make(printable.Quote(o)).Value() // many entries share few texts
		byText[texts[i]] = o
	}
	nameOf := map[string]string{} // by the same JSON
	for digits := hashDigits; len(byName) < len(byText); digits++ {
		byName = map[string]outcome{}
		for text, o := range byText {
			hash := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
			nameOf[text] = fmt.Sprintf("%s-%s", o.State(), hash[:digits])
			byName[nameOf[text]] = o
		}
	}
	names = make([]string, len(texts))
	for i, text := range texts {
		names[i] = nameOf[text]
	}
	return names, byName
}

// A document is what [Read] may get: the file of a snapshot, without the fields that [Snapshot] has
// itself, a result of --json, or one of verify. encoding/json finds the members by the names of the
// fields, in upper or lower case.
type document struct {
	Version   int
	Decisions map[string]outcome
	// Pages are an object in the file of a snapshot: by URL the name of the outcome and the day
	// behind it. They are a list of [result.Page] in a result.
	Pages   json.RawMessage
	Headers map[string][]seen.Header // lines of other headers by URL
	Served  map[string][]string      // [Entry.Served] by URL
	Leads   map[string]string        // [Entry.Leads] by URL, without places
	Summary result.Summary
	Results []seen.Answer // of verify; nil in anything else
	URLs    []ListedURL   // of list; nil in anything else
	// Crawlers are those that a list is for; none of everyone's.
	Crawlers []string
}

// Read reads what [Snapshot.Write] wrote, or the result that --json prints, those of verify and
// list included:
//
//	{"version": 1, "decisions": {…}, "pages": {"/a": "noindex-1a2b3c 2026-01-31"}}   a snapshot
//	{"pages": [{"url": "/a", …}], "summary": {…}}                                    a result
//	{"results": [{"url": "/a", …}], …}                                               verify's result
//	{"urls": [{"url": "/a", "state": "noindex", "robots": "noindex"}]}               list's result
//
// Which of them it is follows from the members alone. It reads the version of a snapshot alone:
// that of a result is another number, [result.Version]. An error says what is wrong with the text;
// it names no file, which the caller adds.
func Read(r io.Reader) (*Snapshot, error) {
	doc, s, err := decode(r)
	switch {
	case err != nil:
		return nil, fmt.Errorf("neither a snapshot nor a result of --json: %w", err)
	case doc.Results != nil:
		return OfAnswers(doc.Results), nil
	case doc.URLs != nil && len(doc.Crawlers) > 0:
		return nil, fmt.Errorf("a list of what %s may do, which is not compared: list without "+
			"--crawler",
			printable.JoinAnd(doc.Crawlers))
	case doc.URLs != nil:
		return ofList(doc.URLs), nil
	case bytes.HasPrefix(doc.Pages, []byte("[")):
		return readResult(doc)
	}
	if err := doc.faultAsSnapshot(); err != nil {
		return nil, err
	}
	return s, s.fill(doc)
}

// decode reads a JSON object twice: into a document, and into a snapshot, which gets only what is a
// field of [Snapshot] under its own name, such as the environment and the hosts. Its entries are in
// the document.
func decode(r io.Reader) (*document, *Snapshot, error) {
	doc, s := &document{}, &Snapshot{}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	err = cmp.Or(json.Unmarshal(data, doc), json.Unmarshal(data, s))
	wrong, isWrongType := errors.AsType[*json.UnmarshalTypeError](err)
	if isWrongType && wrong.Field == "" { // the whole text, and no field of it
		err = fmt.Errorf("a JSON %s, not an object", wrong.Value)
	}
	return doc, s, err
}

// faultAsSnapshot says why a document is not the file of a snapshot that this program can read; nil
// if it is one.
func (doc *document) faultAsSnapshot() error {
	hasPages := len(doc.Pages) > 0 && !bytes.HasPrefix(doc.Pages, []byte("null"))
	switch {
	case doc.Version == 0 || !hasPages:
		return errors.New("neither a snapshot nor a result of --json: version or pages are missing")
	case doc.Version != Version:
		return fmt.Errorf("version %d of the format is not known (this program knows %d)",
			doc.Version, Version)
	case doc.Pages[0] != '{':
		return fmt.Errorf("pages: %s is neither an object nor a list", doc.Pages)
	}
	return nil
}

// A ListedURL is one URL in the JSON of list, with what a comparison needs.
type ListedURL struct {
	URL    string      `json:"url"`
	State  seen.State  `json:"state"`
	Robots string      `json:"robots"` // as [seen.Told.Brief] prints it, or the state
	Why    seen.Reason `json:"why"`
	File   string      `json:"file,omitempty"`
	Line   int         `json:"line,omitempty"`
	Since  string      `json:"since,omitempty"`
}

// ofList makes a snapshot of a list. It says what restricts crawlers, like answers, whatever was
// listed.
func ofList(urls []ListedURL) *Snapshot {
	s := &Snapshot{Answered: true, leadsUnknown: true}
	for _, u := range urls {
		e := Entry{URL: u.URL, Reason: u.Why, File: u.File, Line: u.Line, Since: u.Since}
		if role := string(u.State); seen.Unpoliced(role) || seen.IsUnread(role) {
			e.Told.Role = role
		} else {
			e.Told = seen.ReadBrief(u.Robots)
		}
		s.Entries = append(s.Entries, e)
	}
	s.arrange()
	return s
}

// KnownRobots are the robots.txt of hosts that crawlers could read: what one says that was not
// answered is not known.
func (s *Snapshot) KnownRobots() robotstxt.PerHost {
	hosts := maps.Clone(s.Robots)
	maps.DeleteFunc(hosts,
		func(folder string, _ *robotstxt.File) bool { return s.deployed[folder].Shut != "" })
	return hosts
}

// readResult makes a snapshot of a result of --json.
func readResult(doc *document) (*Snapshot, error) {
	var pages []result.Page
	if err := json.Unmarshal(doc.Pages, &pages); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	return New(&doc.Summary, slices.Values(pages)), nil
}

// readLead reads where an entry leads, as [Snapshot.Write] writes it: "canonical link /a/". It is
// nil for any other text.
func readLead(text string) *plan.Lead {
	for _, by := range []string{plan.ByRedirect, plan.ByCanonicalLink} {
		if to, ok := strings.CutPrefix(text, by+" "); ok {
			return &plan.Lead{By: by, To: to}
		}
	}
	return nil
}

// fill adds the entries of a file to a snapshot that has none yet, each with the outcome that the
// file names, sorted by URL and without passing assets ([Snapshot.arrange]): one from each URL of
// pages, with what headers, served and leads have of that URL. An error says which part of the file
// is wrong: a day, or an outcome that is missing or has a role that no program writes.
func (s *Snapshot) fill(doc *document) error {
	// Files of earlier programs have neither. A file of this one has the delivery of a built site,
	// and leads of a deployed one if they are known.
	s.leadsUnknown = doc.Leads == nil && s.Delivery == nil
	var pages map[string]string // "noindex-1a2b3c 2026-01-31" by URL
	if err := json.Unmarshal(doc.Pages, &pages); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	for url, value := range sorted(pages) {
		name, since, hasDay := strings.Cut(value, " ")
		if _, err := time.Parse(time.DateOnly, since); hasDay && err != nil {
			return fmt.Errorf("pages: %q: %q is not a day", url, since)
		}
		o, isThere := doc.Decisions[name]
		switch {
		case !isThere:
			return fmt.Errorf("pages: %q: decision %q is missing", url, name)
		case !s.mayHaveRole(o.Role):
			return fmt.Errorf("decisions: %q: unknown role %q", name, o.Role)
		}
		s.Entries = append(s.Entries, Entry{
			URL:       url,
			Served:    doc.Served[url],
			Told:      o.Told,
			Reason:    o.Why,
			Since:     since,
			Headers:   doc.Headers[url],
			AI:        o.AI,
			Leads:     readLead(doc.Leads[url]),
			CarriedBy: o.CarriedBy,
		})
	}
	s.arrange()
	return nil
}

// mayHaveRole reports whether an entry may have a role: none, as one with a decision; that of a
// redirect, an error page or a control file (Unpoliced); or, on a deployed site, why nobody could
// read it (IsUnread), as robots.txt disallowed it.
func (s *Snapshot) mayHaveRole(role string) bool {
	return role == "" || seen.Unpoliced(role) || s.Answered && seen.IsUnread(role)
}
