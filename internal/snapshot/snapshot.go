// Package snapshot records the decision on every URL of a site, and compares two snapshots.
//
// A snapshot is a small sorted file with a line for each URL, to be committed (metarobots.lock.json) or stored as an
// artefact. Every decision is written once. Its name begins with its effect and ends with a hash of its text, so it
// changes only with the decision, and the diff of a version control system shows the URLs that changed and no others.
// For the same reason it has no lines of source files, and no assets whose names change with each build.
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
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Version is that of the format that [Snapshot.Write] writes.
const Version = 1

// A Snapshot is what was decided for every URL of one site.
type Snapshot struct {
	// Environment is the policy's environment. Snapshots of different ones are not to be compared: a preview is
	// noindex throughout.
	Environment string
	Policy      string // the policy file, empty without one
	// Hosts are the base URLs that the site was made for, by the folder of the publish root that each serves: "/", or
	// one for each host of a site that has several, such as "/de/". It is empty where none is known, and says nothing
	// of decisions.
	Hosts map[string]string
	// Robots is what each robots.txt says, by folders as in Hosts: nil for a host without one. Of a host that is not there
	// nothing is known, as in files of earlier programs, which kept what spoke of AI alone.
	Robots robotstxt.PerHost
	// Managed is the host whose block is before each robots.txt, of [robotstxt.ManagedNames]; empty for none.
	Managed string
	// TDMRep are the rules of each tdmrep.json that was made, by folders as in Hosts.
	TDMRep map[string]robotstxt.Rules
	// deployed are the hosts of a deployed site, by folders as in Hosts; nil of any other.
	deployed map[string]seen.Host
	// Entries are sorted by URL, each URL once, without assets that may pass.
	Entries []Entry `json:"-"`
}

// An Entry is one URL.
type Entry struct {
	URL string // the encoded path from the publish root
	// Served are the encoded paths from the publish root at which hosts serve it, as [result.Page.Served] has them; nil
	// for the URL alone.
	Served []string
	Told   seen.Told
	Reason seen.Reason
	// File and Line are where the page's cause stands, and Section is its section, in a run; a file of snapshots has none.
	File    string
	Line    int
	Section string
	Since   string // the day, as 2006-01-02, since when it has been noindex; empty where that is not known
	// Headers are the lines of other headers than X-Robots-Tag that are to be served. A file of snapshots does not say
	// where their rules stand.
	Headers []seen.Header
	AI      map[string]string // what is stated of the uses of AI, as in [result.Page]
	lines   []seen.Text       // the texts for everyone at a URL of a deployed site, from header and tags
}

// Of returns what a plan decides for every URL, and at which hosts.
func Of(site *plan.Plan) *Snapshot {
	return New(&result.New(site, nil, 0, nil).Summary, result.Pages(site))
}

// New makes a snapshot of a run and its pages, in any order.
func New(run *result.Summary, pages iter.Seq[result.Page]) *Snapshot {
	s := &Snapshot{Environment: run.Environment, Policy: run.Policy, Hosts: run.Hosts,
		Robots: run.HostFiles.RobotsTxt, Managed: run.HostFiles.Managed, TDMRep: run.HostFiles.TDMRep}
	for p := range pages {
		cause := p.Cause()
		var headers []seen.Header
		for _, l := range p.Headers {
			if !l.Lost {
				headers = append(headers, seen.Header{Name: l.Name, Value: l.Value,
					Origin: policy.Origin{File: l.Rule.File, Line: l.Rule.Line}})
			}
		}
		s.Entries = append(s.Entries, Entry{URL: p.URL, Served: p.Served, Told: p.Told(), Reason: p.Reason(), File: cause.File,
			Line: cause.Line, Section: p.Section, AI: p.AI, Headers: headers})
	}
	s.sort()
	return s
}

// asset is a URL of a style sheet, script or font, or of an image that has a hash of its content in its name.
var asset = lazyregexp.New(`\.(css|m?js|map|woff2?|ttf|otf|eot|wasm)$|` +
	`[-._](hu_?)?[0-9a-f]*([0-9][a-f]|[a-f][0-9])[0-9a-f]{6,}[-._].*\b(avif|gif|ico|jpe?g|png|svg|webp)$`)

// sort also leaves out assets without a decision, whose names change with their content: crawlers do not list them, and
// a snapshot would change although nothing has for crawlers.
func (s *Snapshot) sort() {
	s.Entries = slices.DeleteFunc(s.Entries, func(e Entry) bool {
		return e.Told.Robots.IsZero() && asset.MatchString(e.URL) && e.Told.State() == seen.Indexable
	})
	slices.SortStableFunc(s.Entries, func(a, b Entry) int { return cmp.Compare(a.URL, b.URL) })
	s.Entries = slices.CompactFunc(s.Entries, func(a, b Entry) bool { return a.URL == b.URL })
}

// Date fills in since when pages are noindex: the date of old for those that were noindex already, else today. Without
// an old snapshot the date is not known.
func (s *Snapshot) Date(old *Snapshot, today time.Time) {
	was := old.byURL()
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.Told.State() != seen.Noindex {
			continue
		}
		if o, ok := was[e.URL]; ok && o.Told.State() == seen.Noindex {
			e.Since = o.Since
		} else {
			e.Since = today.Format(time.DateOnly)
		}
	}
}

// Since returns the days since when pages are noindex, by URL.
func (s *Snapshot) Since() map[string]string {
	since := map[string]string{}
	for _, e := range s.Entries {
		if e.Since != "" && e.Told.State() == seen.Noindex {
			since[e.URL] = e.Since
		}
	}
	return since
}

// Below are the URLs of a snapshot that are served from a folder of the publish root, by the paths there, without what
// the snapshot says of hosts.
func (s *Snapshot) Below(folder string) *Snapshot {
	part := &Snapshot{Environment: s.Environment, Policy: s.Policy}
	folders := slices.Collect(maps.Keys(s.Hosts))
	for _, e := range s.Entries {
		if of, _ := site.Serving(folders, e.URL, func(f string) string { return f }); of == folder {
			e.URL = below(folder, e.URL)
			if e.Served != nil {
				e.Served = slices.Clone(e.Served)
			}
			for i := range e.Served {
				e.Served[i] = below(folder, e.Served[i])
			}
			part.Entries = append(part.Entries, e)
		}
	}
	return part
}

// below is a path of the publish root, from a folder of it.
func below(folder, path string) string { return "/" + strings.TrimPrefix(path, folder) }

// Addresses are the paths at which hosts serve an entry, first the one that stands for it; none where another file takes
// its URL.
func (e *Entry) Addresses() []string {
	if e.Served == nil {
		return []string{e.URL}
	}
	return e.Served
}

func (s *Snapshot) byURL() map[string]*Entry {
	m := make(map[string]*Entry, len(s.Entries))
	for i := range s.Entries {
		m[s.Entries[i].URL] = &s.Entries[i]
	}
	return m
}

// outcome is one decision with its reason, written once.
type outcome struct {
	seen.Told
	AI  map[string]string `json:"ai,omitempty"`
	Why seen.Reason       `json:"why,omitzero"`
}

// Write writes s as JSON with a line for each host, each line of robots.txt, each decision and each URL. Equal snapshots
// give equal bytes.
func (s *Snapshot) Write(w io.Writer) error {
	names, outcomes := s.outcomes()
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"version\": %d,\n  \"environment\": %s,\n  \"policy\": %s", Version,
		printable.Quote(s.Environment), printable.Quote(s.Policy))
	writeObject(b, "hosts", sorted(s.Hosts), false)
	if s.Managed != "" {
		fmt.Fprintf(b, ",\n  \"managed\": %s", printable.Quote(s.Managed))
	}
	writeRobots(b, s.Robots)
	writeObject(b, "tdmrep", sorted(s.TDMRep), false)
	writeObject(b, "decisions", sorted(outcomes), true)
	writeObject(b, "pages", func(yield func(string, string) bool) {
		for i, e := range s.Entries {
			yield(e.URL, strings.TrimSuffix(names[i]+" "+e.Since, " "))
		}
	}, true)
	writeObject(b, "headers", func(yield func(string, []seen.Header) bool) {
		for _, e := range s.Entries {
			if len(e.Headers) > 0 {
				yield(e.URL, e.Headers)
			}
		}
	}, false)
	writeObject(b, "served", func(yield func(string, []string) bool) {
		for _, e := range s.Entries {
			if e.Served != nil {
				yield(e.URL, e.Served)
			}
		}
	}, false)
	b.WriteString("\n}\n")
	return b.Flush()
}

// writeObject writes a member that is an object, with a line for each of its own; an empty one only where it always is.
func writeObject[V any](b *bufio.Writer, name string, members iter.Seq2[string, V], always bool) {
	writeMembers(b, name, always, func(yield func(string, string) bool) {
		for key, value := range members {
			if !yield(key, printable.Quote(value)) {
				return
			}
		}
	})
}

// writeMembers is writeObject of values that are JSON already.
func writeMembers(b *bufio.Writer, name string, always bool, members iter.Seq2[string, string]) {
	open := fmt.Sprintf(",\n  %q: {", name)
	between := open
	for key, value := range members {
		fmt.Fprintf(b, "%s\n    %s: %s", between, printable.Quote(key), value)
		between = ","
	}
	switch {
	case between == ",":
		b.WriteString("\n  }")
	case always:
		b.WriteString(open + "\n  }")
	}
}

// writeRobots writes each robots.txt, with a line for each of its own.
func writeRobots(b *bufio.Writer, hosts robotstxt.PerHost) {
	writeMembers(b, "robots", false, func(yield func(string, string) bool) {
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

func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// hexDigits is how much of a hash names a decision, in a file that has no two of the same beginning.
const hexDigits = 6

// outcomes names what was decided: the name of each entry's, and what each name says.
func (s *Snapshot) outcomes() (names []string, outcomes map[string]outcome) {
	said := map[string]outcome{} // by what it is in JSON
	for _, e := range s.Entries {
		o := outcome{e.Told, e.AI, e.Reason}
		text := unique.Make(printable.Quote(o)).Value() // of many pages a few things are said
		names, said[text] = append(names, text), o
	}
	named := map[string]string{}
	for digits := hexDigits; len(outcomes) < len(said); digits++ {
		outcomes = map[string]outcome{}
		for text, o := range said {
			named[text] = fmt.Sprintf("%s-%.*s", o.State(), digits, fmt.Sprintf("%x", sha256.Sum256([]byte(text))))
			outcomes[named[text]] = o
		}
	}
	for i, text := range names {
		names[i] = named[text]
	}
	return names, outcomes
}

// document is a file of a snapshot without the fields that [Snapshot] has itself, or the result that
// --json prints. encoding/json finds both by their names, without regard to case.
type document struct {
	Version   int
	Decisions map[string]outcome
	// Pages of a snapshot are the name of its decision and the day behind it by URL, those of a result a list.
	Pages   json.RawMessage
	Headers map[string][]seen.Header // the lines of other headers, by URL
	Served  map[string][]string      // where it is served, by URL
	Summary result.Summary
	Results []seen.Answer // of verify; nil for any other
}

// Read reads what [Snapshot.Write] wrote, or the result that --json prints, verify's included:
//
//	{"version": 1, "decisions": {…}, "pages": {"/a": "noindex-1a2b3c 2026-01-31"}}   a snapshot
//	{"pages": [{"url": "/a", …}], "summary": {…}}                                    a result
//	{"results": [{"url": "/a", …}], …}                                               verify's result
//
// The version is that of snapshots: of a result it is not read.
func Read(r io.Reader) (*Snapshot, error) {
	var doc document
	s := &Snapshot{}
	data, err := io.ReadAll(r)
	if err == nil {
		err = cmp.Or(json.Unmarshal(data, &doc), json.Unmarshal(data, s))
	}
	wrong, isWrongType := errors.AsType[*json.UnmarshalTypeError](err)
	if isWrongType && wrong.Field == "" { // the whole document, and no field of it
		err = fmt.Errorf("a JSON %s, not an object", wrong.Value)
	}
	isNull := bytes.HasPrefix(doc.Pages, []byte("null"))
	switch {
	case err != nil:
		return nil, fmt.Errorf("neither a snapshot nor a result of --json: %w", err)
	case doc.Results != nil:
		return OfAnswers(doc.Results), nil
	case bytes.HasPrefix(doc.Pages, []byte("[")):
		var pages []result.Page
		if err := json.Unmarshal(doc.Pages, &pages); err != nil {
			return nil, fmt.Errorf("pages: %w", err)
		}
		return New(&doc.Summary, slices.Values(pages)), nil
	case doc.Version == 0 || len(doc.Pages) == 0 || isNull:
		return nil, errors.New("neither a snapshot nor a result of --json: version or pages are missing")
	case doc.Version != Version:
		return nil, fmt.Errorf("version %d of the format is not known (this program knows %d)", doc.Version, Version)
	case doc.Pages[0] != '{':
		return nil, fmt.Errorf("pages: %s is neither an object nor a list", doc.Pages)
	}
	return s, s.fill(&doc)
}

// fill finds the decision of each page.
func (s *Snapshot) fill(d *document) error {
	var pages map[string]string
	if err := json.Unmarshal(d.Pages, &pages); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	for url, value := range sorted(pages) {
		name, since, dated := strings.Cut(value, " ")
		if _, err := time.Parse(time.DateOnly, since); dated && err != nil {
			return fmt.Errorf("pages: %q: %q is not a day", url, since)
		}
		o, ok := d.Decisions[name]
		if !ok {
			return fmt.Errorf("pages: %q: decision %q is missing", url, name)
		}
		if o.Role != "" && !seen.Unpoliced(o.Role) {
			return fmt.Errorf("decisions: %q: unknown role %q", name, o.Role)
		}
		s.Entries = append(s.Entries, Entry{URL: url, Served: d.Served[url], Told: o.Told, Reason: o.Why,
			Since: since, AI: o.AI, Headers: d.Headers[url]})
	}
	s.sort()
	return nil
}
