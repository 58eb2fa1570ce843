// Package snapshot records the decision on every URL of a site, and compares two snapshots.
//
// A snapshot is a small sorted file with a line for each URL, to be committed
// (metarobots.lock.json) or stored as an artefact. Every decision is written once. Its name begins
// with its effect and ends with a hash of its text, so it changes only with the decision, and the
// diff of a version control system shows the URLs that changed and no others. For the same reason
// it has no lines of source files, and no assets whose names change with each build.
//
//	snapshot, answers    a Snapshot of a run, and one of what a deployed site answers
//	file                 the bytes of a snapshot
//	diff, print          what changed between two snapshots, and as text
//	hosts, fetches       what robots.txt and tdmrep.json of both say, URL by URL
//	preview, headers     what is left out before a preview, or a deployed site, is compared
//	baseline             what changed since a snapshot, as findings of a run
//
// # Words of this package
//
//   - old and new are the snapshots that are compared, of an earlier and a later time; was and is
//     are the same of what they hold. o and n are the entries of one URL in both.
//   - A folder names a host of the site by the part of the publish root that it serves: "/" or "/de/". A
//     [site.Serving] asks which host serves a path.
//   - A URL, and a path in Served, is an encoded path from the publish root: "/de/a/". [seen.Host]
//     wants the same path from the root of its host, "/a/": pathIn returns it.
//   - Told is what the site tells crawlers at a URL. If its Role is not empty, the URL has no decision: it is a
//     redirect, an error page or a control file, or nobody could read it on a deployed site.
//   - The others of an entry are what it says beside its decision: uses of AI, and headers other than X-Robots-Tag.
//   - An outcome is the decision, the uses of AI and the reason of an entry, which many entries share.
//   - A blanket is what the environment of a preview restricts at every page.
package snapshot

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Snapshot is what was decided for every URL of one site.
type Snapshot struct {
	// Environment is the policy's environment. Snapshots of different ones are not to be compared:
	// a preview is noindex throughout.
	Environment string
	Policy      string // the policy file, empty without one
	// Answered: it has what a deployed site answered, which is what restricts crawlers at the URLs
	// that were asked for. Else it has decisions on every URL.
	Answered bool `json:"deployed"`
	// Hosts are the base URLs that the site was made for, by the folder of the publish root that
	// each serves: "/", or one for each host of a site that has several, such as "/de/". It is
	// empty if none is known. Decisions do not depend on it.
	Hosts map[string]string
	// Own are the names of the site's own hosts, if the configuration names them: beside Hosts, a
	// second domain.
	Own []string
	// Robots is what each robots.txt says, by folders as in Hosts: nil for a host without one. Of a
	// host that is not there nothing is known, as in files of earlier programs, which kept what
	// spoke of AI alone.
	Robots robotstxt.PerHost
	// Managed is the host whose block is before each robots.txt, of [robotstxt.ManagedNames]; empty
	// for none.
	Managed string
	// TDMRep are the rules of each tdmrep.json that was made, by folders as in Hosts.
	TDMRep map[string]robotstxt.Rules
	// Passing is how many assets are left out, if [New] or [OfAnswers] made the snapshot.
	Passing int `json:"-"`
	// Delivery are the files that carry headers; nil of a deployed site, and of files of earlier
	// programs.
	Delivery *result.Delivery
	// deployed are the hosts of a deployed site, by folders as in Hosts; nil of any other.
	deployed map[string]seen.Host
	// leadsUnknown: nobody knows which canonical links lead to another page, as in files of earlier
	// programs and in lists.
	leadsUnknown bool
	// crawlers are those that a comparison is for; all if there are none.
	crawlers []string
	// Entries are sorted by URL, each URL once, without assets that may pass.
	Entries []Entry `json:"-"`
}

// An Entry is one URL.
type Entry struct {
	URL string // the encoded path from the publish root
	// Served are the encoded paths from the publish root at which hosts serve it, as
	// [result.Page.Served] has them: nil if that is the URL alone, empty if no host serves it.
	// [Entry.Addresses] reads it.
	Served []string
	Told   seen.Told
	// Unread is what [Entry.Disallow] has put out of sight: what Told was before; else zero.
	Unread seen.Told
	Reason seen.Reason
	// File and Line are the place of the first statement that decided, and Section is the page's
	// section. Only a run knows them: a file of a snapshot has none.
	File    string
	Line    int
	Section string
	Since   string // the day, as 2006-01-02, since when it has been noindex; empty if nobody knows it
	// Headers are the lines of other headers than X-Robots-Tag that are to be served. A file of a
	// snapshot does not say where their rules are.
	Headers []seen.Header
	AI      map[string]string // what is stated of the uses of AI, as in [result.Page]
	// Leads is where it leads search engines, as in [result.Page]; nil for nowhere, and if nobody
	// knows it. A file of a snapshot has no place of it. Of a deployed site it has canonical links
	// alone.
	Leads *plan.Lead
	// CarriedBy are what carries to crawlers what it restricts, as in [result.Page]; nil also if
	// nobody knows it.
	CarriedBy []string
	// answers are those of a deployed site for the URL, the one for everyone first. lines are the
	// texts for everyone in that one, one for each header line and each tag. Only [OfAnswers] knows
	// both.
	answers []seen.Answer
	lines   []seen.Text
}

// OfPlan returns what a plan decides for every URL, and at which hosts.
func OfPlan(site *plan.Plan) *Snapshot {
	return New(&result.New(site, nil, 0, nil).Summary, result.Pages(site))
}

// New makes a snapshot of a run and its pages, in any order, or of the report of a deployed site.
func New(run *result.Summary, pages iter.Seq[result.Page]) *Snapshot {
	s := &Snapshot{Environment: run.Environment, Policy: run.Policy, Hosts: run.Hosts,
		Own: run.HostFiles.Own, Robots: run.HostFiles.RobotsTxt, Managed: run.HostFiles.Managed, TDMRep: run.HostFiles.TDMRep,
		Delivery: run.HostFiles.Delivery}
	for p := range pages {
		s.Answered = s.Answered || p.Asked.Told != nil
		s.Entries = append(s.Entries, entryOf(&p))
	}
	s.leadsUnknown = s.Delivery == nil && !s.Answered
	s.arrange()
	return s
}

// entryOf is the entry of a page of a run. Headers that are lost are not served, so they are not in
// it.
func entryOf(p *result.Page) Entry {
	var headers []seen.Header
	for _, l := range p.Headers {
		if !l.Lost {
			headers = append(headers, seen.Header{Name: l.Name, Value: l.Value,
				Origin: policy.Origin{File: l.Rule.File, Line: l.Rule.Line}})
		}
	}
	cause := p.Cause()
	return Entry{URL: p.URL, Served: p.Served, Told: p.Told(), Reason: p.Reason(), File: cause.File, Line: cause.Line,
		Section: p.Section, AI: p.AI, Headers: headers, CarriedBy: p.CarriedBy, Leads: p.Leads}
}

// passingAsset matches the URL of a style sheet, script or font, or of an image that has a hash of
// its content in its name: another build may give it another name.
var passingAsset = lazyregexp.New(`\.(css|m?js|map|woff2?|ttf|otf|eot|wasm)$|` +
	`[-._](hu_?)?[0-9a-f]*([0-9][a-f]|[a-f][0-9])[0-9a-f]{6,}[-._].*\b(avif|gif|ico|jpe?g|png|svg|webp)$`)

// isPassing reports whether an entry is an asset that may pass, and about which nothing was
// decided. Crawlers do not list such assets, and a snapshot would change with their names although
// nothing has changed for crawlers.
func (e *Entry) isPassing() bool {
	return e.Told.Robots.IsZero() && passingAsset.MatchString(e.URL) && e.Told.State() == seen.Indexable
}

// arrange makes of entries in any order what [Snapshot.Entries] promises. The first of several
// entries with one URL stays.
func (s *Snapshot) arrange() {
	all := len(s.Entries)
	s.Entries = slices.DeleteFunc(s.Entries, func(e Entry) bool { return e.isPassing() })
	s.Passing += all - len(s.Entries)
	slices.SortStableFunc(s.Entries, func(a, b Entry) int { return cmp.Compare(a.URL, b.URL) })
	s.Entries = slices.CompactFunc(s.Entries, func(a, b Entry) bool { return a.URL == b.URL })
}

// Date fills in since when pages are noindex: the date in the old snapshot for those that were
// noindex already, else today. Do not call it without an old snapshot: nobody knows the dates then.
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

// PartOfHost is the part of a snapshot that one host serves from a folder of the publish root. Its
// paths begin at that folder, and it has nothing of the hosts' files.
func (s *Snapshot) PartOfHost(folder string) *Snapshot {
	part := &Snapshot{Environment: s.Environment, Policy: s.Policy}
	folders := slices.Collect(maps.Keys(s.Hosts))
	for _, e := range s.Entries {
		if serving, _ := site.Serving(folders, e.URL, itself); serving != folder {
			continue
		}
		e.URL = pathIn(folder, e.URL)
		e.Served = slices.Clone(e.Served) // s keeps its own
		for i, path := range e.Served {
			e.Served[i] = pathIn(folder, path)
		}
		part.Entries = append(part.Entries, e)
	}
	return part
}

// pathIn is a path of the publish root as a path from a folder of it: "/a/" for "/de/a/" in "/de/".
func pathIn(folder, path string) string { return "/" + strings.TrimPrefix(path, folder) }

// itself is the folder of a host that is named by its folder, for [site.Serving].
func itself(folder string) string { return folder }

// Addresses are the paths at which hosts serve an entry, first the one that represents it; none if
// another file takes its URL.
func (e *Entry) Addresses() []string {
	if e.Served == nil {
		return []string{e.URL}
	}
	return e.Served
}

// byURL has the entries of s by their URLs.
func (s *Snapshot) byURL() map[string]*Entry {
	m := make(map[string]*Entry, len(s.Entries))
	for i := range s.Entries {
		m[s.Entries[i].URL] = &s.Entries[i]
	}
	return m
}
