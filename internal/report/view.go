package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/internal/findings"
	"metarobots/internal/result"
	"metarobots/policy"
)

// view is the data, counted and grouped.
type view struct {
	*Data
	rows     []*row         // by URL
	files    map[string]int // how many there are of each class
	Sections []*section
	Causes   []*cause
	Groups   []group
}

// row is one published file.
type row struct {
	*result.Page
	decision result.Decision
	state    result.State
	deciding []*result.Why // in the order of the layers; none where nothing is restricted
}

func (r *row) page() bool { return r.Role == "page" }

// The classes of files: a page is of the class that its state names.
const (
	restricted = "restricted" // a file that is not a page
	free       = "free"       // likewise, with no restriction
	undecided  = "undecided"
)

// class is what a file counts as in the headline, and what the page's filter by decision chooses.
func (r *row) class() string {
	switch {
	case r.decision.Role != "":
		return undecided
	case r.page():
		return string(r.state)
	case r.state != result.Indexable:
		return restricted
	}
	return free
}

// section counts the pages of one section.
type section struct {
	Name   string
	Total  int
	states map[result.State]int
}

// cause is the reason why pages are noindex: one key of one layer, in one place or several.
type cause struct {
	Layer, Key string
	places     []string
	Pages      int
}

// group is the findings of one kind and severity.
type group struct {
	ID       string
	Severity policy.Severity
	Findings []policy.Finding
}

// Kind says what the findings have in common; one that is not registered is empty.
func (g group) Kind() findings.Kind {
	kind, _ := findings.Of(g.ID)
	return kind
}

// About says what the findings mean and how to fix them; to a client, without a word of configuration.
func (g group) About(client bool) findings.Kind {
	kind := g.Kind()
	if client {
		kind.What, kind.Why, kind.Fix = findings.Outside(kind.What), findings.Outside(kind.Why), findings.Outside(kind.Fix)
	}
	return kind
}

// Title is the heading of the findings; of a kind that is not registered, its id in words.
func (g group) Title() string {
	return cmp.Or(g.Kind().Title, capital(strings.ReplaceAll(g.ID, "-", " ")))
}

func newView(d *Data) *view {
	v := &view{Data: d, rows: make([]*row, len(d.Pages)), files: map[string]int{}}
	for i := range d.Pages {
		p := &d.Pages[i]
		decision := p.Decision()
		r := &row{Page: p, decision: decision, state: decision.State()}
		for i := range p.Why {
			if p.Why[i].Decides {
				r.deciding = append(r.deciding, &p.Why[i])
			}
		}
		v.files[r.class()]++
		v.rows[i] = r
	}
	slices.SortStableFunc(v.rows, func(a, b *row) int { return cmp.Compare(a.URL, b.URL) })
	v.count()
	v.Groups = groups(d.Findings)
	return v
}

// count counts pages by section, and those that are noindex by the reason.
func (v *view) count() {
	sections := map[string]*section{}
	causes := map[[2]string]*cause{}
	for _, r := range v.rows {
		if !r.page() {
			continue
		}
		s := cmp.Or(sections[r.Section], &section{Name: r.Section, states: map[result.State]int{}})
		sections[r.Section] = s
		s.Total++
		s.states[r.state]++
		if r.state != result.Noindex {
			continue
		}
		id, at := [2]string{"unknown"}, ""
		if len(r.deciding) > 0 {
			o := r.deciding[0].Origin
			id, at = [2]string{o.Layer.String(), o.Key}, policy.Place(o.File, o.Line)
		}
		c := cmp.Or(causes[id], &cause{Layer: id[0], Key: id[1]})
		causes[id] = c
		c.Pages++
		if at != "" && !slices.Contains(c.places, at) {
			c.places = append(c.places, at)
		}
	}
	v.Sections = slices.SortedFunc(maps.Values(sections), func(a, b *section) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	v.Causes = slices.SortedFunc(maps.Values(causes), func(a, b *cause) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Key, b.Key))
	})
}

var severities = []policy.Severity{policy.Error, policy.Warning, policy.Note}

// groups groups findings by kind and severity, errors first.
func groups(all []policy.Finding) (list []group) {
	at := map[[2]string]int{}
	for _, f := range all {
		key := [2]string{f.ID, string(f.Severity)}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, group{ID: f.ID, Severity: f.Severity})
		}
		list[i].Findings = append(list[i].Findings, f)
	}
	slices.SortStableFunc(list, func(a, b group) int {
		return cmp.Or(
			cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
			cmp.Compare(len(b.Findings), len(a.Findings)),
			cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Layer is a layer in an owner's words.
func Layer(name string) string {
	return cmp.Or(map[string]string{"found": "found in the site"}[name], name)
}

// stateNames are the states as an owner reads them.
var stateNames = map[result.State]string{
	result.Noindex:   "noindex",
	result.Limited:   "limited",
	result.Indexable: "indexable",
	result.Redirect:  "redirect",
	result.ErrorPage: "error page",
	result.Control:   "control file",
}

// Decided prints a row's decision: what it restricts, or the name of its state.
func (r *row) Decided() string { return cmp.Or(r.decision.Brief(), stateNames[r.state]) }
