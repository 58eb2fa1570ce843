package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/findings"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A view is the data, counted and grouped.
type view struct {
	Data   *Data
	Rows   []*row         // sorted by URL
	files  map[string]int // how many rows there are of each class
	Pages  set            // the rows that are pages
	Groups []*group       // of findings, errors first
}

// A row is one published file.
type row struct {
	view     *view
	Page     *result.Page
	outcome  *outcome
	Decision *seen.Told   // the outcome's
	State    seen.State   // likewise
	deciding []result.Why // in the order of the layers; none if nothing is restricted
}

// Decided prints a row's decision: what it restricts, or the name of its state.
func (r *row) Decided() string { return r.outcome.decided }

// An outcome is what crawlers read of files that are the same to them. Those share it: a site has
// thousands of files and few outcomes.
type outcome struct {
	decision seen.Told
	state    seen.State
	decided  string // see [row.Decided]
	item     []byte // of [view.Compact]; nil before that
}

// outcomes are those of a report, by [outcomeKey].
type outcomes map[string]*outcome

// of returns the outcome of a file.
func (o outcomes) of(p *result.Page) *outcome {
	key := outcomeKey(p)
	if known := o[string(key)]; known != nil && p.Asked.Told == nil {
		return known
	}
	told := p.Told()
	state := told.State()
	first := &outcome{decision: told, state: state, decided: cmp.Or(told.Brief(), stateName(state))}
	if p.Asked.Told == nil { // else it is a deployed site's, which is known by nothing else
		o[string(key)] = first
	}
	return first
}

// outcomeKey is what the outcome of a built page depends on, each text in quotes. Tags are in any
// order: at worst the same outcome is made twice.
func outcomeKey(p *result.Page) []byte {
	key := strconv.AppendQuote(nil, p.Role)
	for _, line := range p.Header {
		key = strconv.AppendQuote(key, line)
	}
	for name, content := range p.Meta {
		key = strconv.AppendQuote(strconv.AppendQuote(append(key, ' '), name), content)
	}
	return key
}

// isPage reports whether the file is a page; what is none is a feed, an image, a redirect and the
// like.
func (r *row) isPage() bool { return r.Page.Role == "page" }

// The classes of files, besides the states of pages.
const (
	restricted = "restricted" // a file that is not a page, with a restriction
	free       = "free"       // a file that is not a page, without a restriction
	undecided  = "undecided"  // a redirect, an error page or a control file: it has no policy
	blocked    = "blocked"    // a URL of a deployed site that robots.txt disallows, so that nobody reads it
	unanswered = "unanswered" // a URL of a deployed site at which nothing can be read
)

// class is what a file counts as in the headline, and what the page's filter by decision chooses.
func (r *row) class() string {
	switch role := r.Decision.Role; {
	case role == seen.Disallowed:
		return blocked
	case role == seen.Missing, role == seen.NotReached, role == string(seen.ErrorPage) && r.view.isDeployed():
		return unanswered
	case role != "":
		return undecided
	case r.isPage():
		return string(r.State)
	case r.State != seen.Indexable:
		return restricted
	}
	return free
}

// A set holds pages that have something in common: their section (Name), or the layer that decides
// (Name) and the key there (Key).
type set struct {
	Name, Key string
	rows      []*row
}

// A setKey is the Name and the Key of a set.
type setKey struct{ name, key string }

// sets are the pages by what they have in common, the largest set first.
func sets(pages []*row, keyOf func(*row) setKey) (list []*set) {
	for _, rows := range snapshot.Group(pages, keyOf) {
		key := keyOf(rows[0])
		list = append(list, &set{key.name, key.key, rows})
	}
	slices.SortStableFunc(list, func(a, b *set) int {
		return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	return list
}

// Sections are the pages by their sections: first those with restricted pages, the most noindex
// first, then the others, the largest first.
func (v *view) Sections() []*set {
	list := sets(v.Pages.rows, func(r *row) setKey { return setKey{name: r.Page.Section} })
	slices.SortStableFunc(list, func(a, b *set) int {
		return cmp.Or(cmp.Compare(b.Hidden(), a.Hidden()), cmp.Compare(b.N(seen.Limited), a.N(seen.Limited)))
	})
	return list
}

// widest is how many pages the largest of some sets has.
func widest(of []*set) (most int) {
	for _, s := range of {
		most = max(most, s.Total())
	}
	return most
}

// MoreSections says what of some sections is left out if limit are written.
func (v *view) MoreSections(of []*set, limit int) string {
	if len(of) <= limit {
		return ""
	}
	text := strings.TrimSuffix(more(len(of), limit), ".\n")
	isOpen := func(s *set) bool { return s.N(seen.Indexable) == s.Total() }
	if !slices.ContainsFunc(of[limit:], func(s *set) bool { return !isOpen(s) }) {
		text += ", all of whose pages may be indexed without restriction"
	}
	return text + ".\n"
}

// ShutPages are how many pages robots.txt keeps Googlebot from.
func (v *view) ShutPages() int {
	return len(where(v.Pages.rows, func(r *row) bool {
		fetches := r.Page.RobotsTxt
		i := slices.IndexFunc(fetches, func(f seen.Fetch) bool {
			return slices.Contains(strings.Split(f.Crawler, ", "), "googlebot")
		})
		if i < 0 {
			i = len(fetches) - 1 // all others
		}
		return i >= 0 && !fetches[i].Allowed
	}))
}

// NoPages says what of a deployed site's URLs is not counted as a page or a file: "3 that
// robots.txt disallows".
func (v *view) NoPages() string {
	var parts []string
	for _, class := range []struct{ class, what string }{{blocked, "that robots.txt disallows"},
		{unanswered, "without an answer that can be read"}, {undecided, "that redirect"}} {
		if n := v.files[class.class]; n > 0 {
			parts = append(parts, thousands(n)+" "+class.what)
		}
	}
	return strings.Join(parts, ", ")
}

// Causes are the noindex pages by the reason: one key of one layer, in one place or several.
func (v *view) Causes() []*set {
	return sets(v.Noindex(), func(r *row) setKey {
		why := r.reason()
		return setKey{why.Layer, why.Key}
	})
}

// Total is how many pages the set has.
func (s set) Total() int { return len(s.rows) }

// N is how many of its pages are in a state.
func (s set) N(state seen.State) int {
	return len(where(s.rows, func(r *row) bool { return r.State == state }))
}

// Hidden is how many of its pages are noindex for everyone, Shown how many are not.
func (s set) Hidden() int { return s.N(seen.Noindex) }
func (s set) Shown() int  { return s.Total() - s.Hidden() }

// Where is the place of what decides on the pages, as a cell; if there are several, how many.
func (s set) Where() string {
	var places []string
	for _, r := range s.rows {
		if at := r.reason().Place; at != "" && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	switch len(places) {
	case 0:
		return ""
	case 1:
		return cell(places[0])
	}
	return number(len(places), "place")
}

// where returns the rows for which keep returns true.
func where(rows []*row, keep func(*row) bool) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return !keep(r) })
}

// Noindex are the pages that are noindex.
func (v *view) Noindex() []*row {
	return where(v.Pages.rows, func(r *row) bool { return r.State == seen.Noindex })
}

// Others are the files that rules give other headers than X-Robots-Tag.
func (v *view) Others() []*row {
	return where(v.Rows, func(r *row) bool { return len(r.Page.Headers) > 0 })
}

// A group is the findings of one kind and severity.
type group struct {
	ID       string
	Severity policy.Severity
	Findings []policy.Finding
	isClient bool              // for a reader who does not run metarobots
	changes  *snapshot.Changes // those that they are about; nil if they are about no changes
}

// Extent is how many URLs the findings are about or, if they are about files alone, how many
// places: "3 URLs". A URL or a place of several findings counts once, but a finding about several
// URLs names one and counts all.
func (g group) Extent() string {
	if g.changes != nil {
		return extentOf(g.changes)
	}
	urls, places, many := map[string]bool{}, map[string]bool{}, 0
	for _, f := range g.Findings {
		switch {
		case f.URLs > 1:
			many += f.URLs
		case f.URL != "":
			urls[f.URL] = true
		case f.URLs == 0:
			places[about(f)] = true
		}
	}
	if n := len(urls) + many; n > 0 {
		return number(n, "URL")
	}
	return number(len(places), "place")
}

// extentOf counts what a baseline has limits for, as the lists of changes count it: "17 newly
// noindex, 2 newly indexable". A URL may be in several lists, so there is no sum.
func extentOf(c *snapshot.Changes) string {
	limited := *c
	limited.Changed, limited.Added, limited.Removed = nil, nil, nil
	counts := limited.Counts()
	if n := len(c.LostCanonical); n > 0 {
		counts = append(counts, fmt.Sprintf("%d without a canonical link", n))
	}
	if len(counts) == 0 { // --max-removed alone can be exceeded
		return number(len(c.Removed), "URL")
	}
	return strings.Join(counts, ", ")
}

// urlsOf is how many URLs a finding is about; empty if it is about a file alone.
func urlsOf(f policy.Finding) string {
	n := f.URLs
	if f.URL != "" {
		n = max(n, 1)
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// mostFirst is how many kinds of findings the report's first sentence names.
const mostFirst = 3

// First are the kinds of findings to fix first: errors or, if there are none, warnings.
func (v *view) First() []*group {
	gravest := slices.DeleteFunc(slices.Clone(v.Groups), func(g *group) bool {
		return g.Severity == policy.Note || g.Severity != v.Groups[0].Severity
	})
	return gravest[:min(mostFirst, len(gravest))]
}

// LookedAt says what a run without errors and warnings has looked at: "2 pages and 1 other file".
func (v *view) LookedAt() string {
	looked := number(v.Pages.Total(), "page")
	if n := len(v.Rows) - v.Pages.Total(); n > 0 {
		looked += " and " + number(n, "other file")
	}
	return looked
}

// Kind says what the findings have in common. It is empty if no kind of their ID is registered.
func (g group) Kind() findings.Kind {
	kind, _ := findings.Of(g.ID)
	return kind
}

// inAnyCMS is the part of a text that concerns a client, in words that fit any CMS.
func inAnyCMS(s string) string { return anyCMS.Replace(findings.Outside(s)) }

// About says what the findings mean and how to fix them; to a client, without a word of
// configuration.
func (g group) About() findings.Kind {
	kind := g.Kind()
	if g.isClient {
		kind.What, kind.Why, kind.Fix = inAnyCMS(kind.What), inAnyCMS(kind.Why), inAnyCMS(kind.Fix)
		kind.Title = anyCMS.Replace(kind.Title)
	}
	return kind
}

// Title is the heading of the findings; of a kind that is not registered, its id in words.
func (g group) Title() string {
	return cmp.Or(g.About().Title, capital(strings.ReplaceAll(g.ID, "-", " ")))
}

// newView counts and groups data, which the view keeps and does not change.
func newView(d *Data) *view {
	v := &view{Data: d, Rows: make([]*row, len(d.Pages)), files: map[string]int{}}
	known := outcomes{}
	for i := range d.Pages {
		p := &d.Pages[i]
		o := known.of(p)
		r := &row{view: v, Page: p, outcome: o, Decision: &o.decision, State: o.state, deciding: p.Deciding()}
		v.files[r.class()]++
		v.Rows[i] = r
	}
	slices.SortStableFunc(v.Rows, func(a, b *row) int { return cmp.Compare(a.Page.URL, b.Page.URL) })
	v.Pages.rows = where(v.Rows, (*row).isPage)
	v.Groups = groups(d.Findings)
	for _, g := range v.Groups {
		g.isClient = d.Client
		if g.ID == "baseline" && g.Severity == policy.Error {
			g.changes = d.Changes
		}
	}
	return v
}

var severities = []policy.Severity{policy.Error, policy.Warning, policy.Note}

// groups groups findings by kind and severity: errors first, then the largest groups.
func groups(all []policy.Finding) (list []*group) {
	type key struct {
		id       string
		severity policy.Severity
	}
	keyOf := func(f policy.Finding) key { return key{f.ID, f.Severity} }
	for _, alike := range snapshot.Group(all, keyOf) {
		list = append(list, &group{ID: alike[0].ID, Severity: alike[0].Severity, Findings: alike})
	}
	slices.SortStableFunc(list, func(a, b *group) int {
		return cmp.Or(
			cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
			cmp.Compare(len(b.Findings), len(a.Findings)),
			cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Layer is the name of a layer in an owner's words.
func Layer(name string) string {
	return cmp.Or(map[string]string{"found": "found in the site"}[name], name)
}

// A reason is where a statement comes from, in the words of the report; Key and Place may be empty.
type reason struct{ Layer, Key, Place string }

// reason says where a statement comes from: to a client without keys and the policy's files, in
// words that fit any CMS. The place of what the site itself says is kept: somebody has to find it.
func (v *view) reason(o policy.Origin) reason {
	switch {
	case !v.Data.Client:
		return reason{Layer(o.Layer.String()), o.Key, placeOf(o)}
	case o.Layer == policy.LayerFound && !strings.HasPrefix(o.Key, "meta "):
		return reason{Layer: "a header of the host", Place: placeOf(o)}
	case o.Layer == policy.LayerFound, o.Layer == policy.LayerPage:
		return reason{Layer: forClient(o.Layer.String()), Place: placeOf(o)}
	}
	return reason{Layer: forClient(o.Layer.String())}
}

// placeOf is the place of a statement. A page of a deployed site is no file.
func placeOf(o policy.Origin) string {
	if o.File == "" && o.Line > 0 {
		return fmt.Sprintf("line %d of the page", o.Line)
	}
	return policy.Place(o.File, o.Line)
}

// clientLayers are layers in a client's words; the others are the site's settings.
var clientLayers = map[string]string{
	policy.LayerEnvironment.String(): "the settings of a preview",
	policy.LayerPage.String():        "the page's own settings",
	policy.LayerFound.String():       "a robots tag in the page",
}

// anyCMS puts what only some generators have into words that fit any CMS.
var anyCMS = strings.NewReplacer("the theme's template", "the template", "theme", "template", "Theme", "Template",
	"front matter", "page settings", "Front matter", "Page settings",
	"URLs of a deployed site", "Addresses of the site", "A deployed site", "The site", "a deployed site", "the site",
	"the whole deployed site", "the whole site", "and the head gets it", "and it should be in the head")

// forClient is the name of a layer in a client's words.
func forClient(layer string) string { return cmp.Or(clientLayers[layer], "the site's settings") }

// reason says where the first statement that decided comes from.
func (r *row) reason() reason {
	if len(r.deciding) == 0 {
		return reason{Layer: "unknown"}
	}
	return r.view.reason(r.deciding[0].Origin())
}

// Why says why a URL has changed.
func (v *view) Why(c snapshot.Change) string {
	if v.Data.Client && !c.Reason.IsZero() {
		return capital(forClient(c.Reason.Layer))
	}
	return c.Why()
}

// step says what was and what is, as a cell: "no restriction → noindex, follow".
func step(c snapshot.Change) string {
	for _, side := range []*string{&c.Was, &c.Is} {
		if *side == "nothing" { // what [seen.Told.String] prints of a page that restricts nothing
			*side = "no restriction"
		}
	}
	return text(c.Step())
}

// stateName is a state as an owner reads it.
func stateName(s seen.State) string {
	return cmp.Or(map[seen.State]string{seen.ErrorPage: "error page", seen.Control: "control file"}[s], string(s))
}
