package result

import (
	"cmp"
	"slices"

	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/internal/vendors"
	"metarobots/policy"
)

// A Vendor is what a vendor of AI does with a page for one use, through one crawler, by what it documents and by what
// is published: robots.txt, headers and tags.
type Vendor struct {
	Vendor  string     `json:"vendor"`
	Crawler string     `json:"crawler"`
	Use     policy.Use `json:"use"`
	// Answer is "allow", "deny", or "unknown": it is denied, and the vendor documents nothing.
	Answer string `json:"answer"`
	// By is the rule of robots.txt that decides, which stands in a line of File, or the header or tag; empty for none.
	By   string `json:"by"`
	File string `json:"file"`
	Line int    `json:"line"`
	// MayIgnore: robots.txt denies it, and the crawler does not always obey that.
	MayIgnore bool `json:"mayIgnore"`
	// Unless are the directives in tags and headers that would deny it.
	Unless []string `json:"unless,omitempty"`
	// Source is the URL where the vendor documents it.
	Source string `json:"source"`
}

const unknown = "unknown"

// A Signal is a line of robots.txt, a header or a tag about the use of a page by AI that no vendor documents to obey.
type Signal struct {
	Text string `json:"text"`
	// File and Line are those of robots.txt, or of the rule for a header; empty for a tag.
	File string `json:"file"`
	Line int    `json:"line"`
}

// Vendors are what vendors of AI do with a page, by use and vendor. query is that of the URL that is asked for, with
// its question mark; empty for none.
func Vendors(of *published.Vendors, pg *plan.Page, query string) []Vendor {
	return vendorsOf(of.Of(pg, query))
}

func vendorsOf(answers []vendors.Answer, robots *plan.RobotsFile) (all []Vendor) {
	for _, a := range answers {
		v := Vendor{Vendor: a.Vendor, Crawler: a.Crawler, Use: a.Use, Answer: cmp.Or(a.Does.String(), unknown), By: a.By,
			Line: a.Line, MayIgnore: a.MayIgnore, Unless: a.Unless, Source: a.Source}
		if a.Line > 0 {
			v.File = robots.Change.File
		}
		all = append(all, v)
	}
	return all
}

// Signals are those of a page.
func Signals(of *published.Vendors, pg *plan.Page) (all []Signal) {
	for _, l := range of.Signals(pg) {
		all = append(all, Signal{l.Text, l.At.File, l.At.Line})
	}
	return all
}

// A VendorTable counts, for one vendor of AI, the files that it uses.
type VendorTable struct {
	Vendor string `json:"vendor"`
	// Uses has no entry for a use of which the vendor documents nothing.
	Uses map[policy.Use]*UseCount `json:"uses"`
}

// A UseCount counts files by what a vendor does with them for one use. A vendor with several crawlers for a use is
// denied it where all of them are.
type UseCount struct {
	Allowed int `json:"allowed"`
	Denied  int `json:"denied"`
	// Unknown are denied too, to a vendor that documents nothing.
	Unknown int `json:"unknown"`
	// MayIgnore are those of Denied of which robots.txt says so to a crawler that does not always obey it.
	MayIgnore int `json:"mayIgnore"`
	// By are what decides, each once, with how many files, in the order of the files.
	By []VendorCause `json:"by"`
	// Source is the URL where the vendor documents the use.
	Source string `json:"source"`
}

// A VendorCause is a line of robots.txt, a header or a tag that decides.
type VendorCause struct {
	By    string `json:"by"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Files int    `json:"files"`
}

// VendorTables has a table for each vendor, by name; nil where neither the policy nor what is published says anything
// of AI.
func VendorTables(s *plan.Plan) (tables []VendorTable) {
	of := published.NewVendors(s)
	if !slices.ContainsFunc(s.Pages, of.Addressed) {
		return nil
	}
	at := map[string]int{}
	for i, name := range vendors.Names() {
		tables, at[name] = append(tables, VendorTable{name, map[policy.Use]*UseCount{}}), i
	}
	// Files that are alike share their answers, so each list is counted once, in the order of the first file.
	type shared struct {
		answers []Vendor
		files   int
	}
	var lists []*shared
	known := map[*vendors.Answer]*shared{}
	for _, pg := range s.Pages {
		if !pg.File.Role.Policed() {
			continue
		}
		answers, robots := of.Of(pg, "")
		l := known[&answers[0]]
		if l == nil {
			l = &shared{answers: vendorsOf(answers, robots)}
			known[&answers[0]], lists = l, append(lists, l)
		}
		l.files++
	}
	for _, l := range lists {
		for answers, n := l.answers, 0; len(answers) > 0; answers = answers[n:] {
			of := answers[0]
			if n = slices.IndexFunc(answers, func(v Vendor) bool { return v.Vendor != of.Vendor || v.Use != of.Use }); n < 0 {
				n = len(answers)
			}
			tables[at[of.Vendor]].count(of.Use, answers[:n], l.files)
		}
	}
	return tables
}

// count adds files by what the vendor's crawlers for a use do with them.
func (t *VendorTable) count(u policy.Use, crawlers []Vendor, files int) {
	c := t.Uses[u]
	if c == nil {
		c = &UseCount{Source: crawlers[0].Source, By: []VendorCause{}}
		t.Uses[u] = c
	}
	does := func(answer string) bool {
		return slices.ContainsFunc(crawlers, func(v Vendor) bool { return v.Answer == answer })
	}
	switch {
	case does(policy.Allowed.String()):
		c.Allowed += files
	case does(unknown):
		c.Unknown += files
	default:
		if c.Denied += files; slices.ContainsFunc(crawlers, func(v Vendor) bool { return v.MayIgnore }) {
			c.MayIgnore += files
		}
	}
	for _, v := range crawlers {
		i := slices.IndexFunc(c.By, func(o VendorCause) bool { return o.By == v.By && o.File == v.File && o.Line == v.Line })
		switch {
		case v.By == "":
		case i < 0:
			c.By = append(c.By, VendorCause{v.By, v.File, v.Line, files})
		default:
			c.By[i].Files += files
		}
	}
}
