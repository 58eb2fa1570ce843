package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// compact is the data that the page's script reads. A list of the script's has the fields in this order.
type compact struct {
	// Classes are what readers call the classes of files.
	Classes map[string]string `json:"classes"`
	// Hosts are the base URLs by the folders that they serve: rows link to their pages.
	Hosts map[string]string `json:"hosts"`
	// Shared is what many files have in common, written once and named by its number: outcomes [class, state, decided,
	// crawlers, tags, header], with tags and header as lines, trails of [states, place, layer, key, decides], and verdicts
	// of robots.txt [crawler, allowed, rule, place].
	Shared []json.RawMessage `json:"shared"`
	// Findings are [severity, message, place].
	Findings []list `json:"findings"`
	// Files are [url, file, title, since, outcome, trail, verdicts, kind, type, section, language, format, findings].
	Files []list `json:"files"`
}

type list = []any

// Compact is the data as JSON that can stand in a script element: no < is left in it.
func (v *view) Compact() (string, error) {
	c := compact{Hosts: map[string]string{}, Classes: map[string]string{}, Shared: []json.RawMessage{}, Findings: []list{},
		Files: make([]list, len(v.Rows))}
	numbers := map[string]int{} // of what is shared
	number := func(item any) int {
		text, err := json.Marshal(item)
		if err != nil {
			panic(fmt.Sprintf("lists of texts and numbers have JSON: %v", err))
		}
		if _, ok := numbers[string(text)]; !ok {
			numbers[string(text)] = len(c.Shared)
			c.Shared = append(c.Shared, text)
		}
		return numbers[string(text)]
	}
	for _, f := range v.figures() {
		c.Classes[f.Class] = plural(0, f.Noun)
	}
	for folder, base := range v.Data.Summary.Hosts {
		c.Hosts[printable.Line(folder)] = printable.Line(base)
	}
	findings := map[string][]int{} // by URL
	for i, f := range v.Data.Findings {
		c.Findings = append(c.Findings, fields(f.Severity, f.Text(), about(f)))
		findings[f.URL] = append(findings[f.URL], i)
	}
	for i, r := range v.Rows {
		p := r.Page
		c.Files[i] = fields(p.URL, p.File, p.Title, p.Since, number(r.outcome()), number(r.trail()), number(r.verdicts()),
			p.Kind, p.Type, p.Section, p.Language, p.Format, findings[p.URL])
	}
	text, err := json.Marshal(c)
	return string(text) + "\n", err
}

func (r *row) outcome() list {
	return fields(r.class(), r.State, r.Decided(), r.Decision.Names(), r.tags(), r.Page.Header)
}

func (r *row) trail() []list {
	trail := []list{}
	for _, why := range r.Page.Why {
		of := r.view.reason(why.Origin())
		trail = append(trail, fields(why.States, of.Place, of.Layer, of.Key, why.Decides))
	}
	return trail
}

func (r *row) verdicts() []list {
	verdicts := []list{}
	for _, t := range r.Page.RobotsTxt {
		verdicts = append(verdicts, fields(t.Crawler, t.Allowed, t.Rule, policy.Place(t.File, t.Line)))
	}
	return verdicts
}

// tags are the tags that the file carries, as they stand in it (M1).
func (r *row) tags() (tags []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Page.Meta)) {
		at := len(tags)
		if name == "robots" { // which comes first
			at = 0
		}
		tags = slices.Insert(tags, at, `<meta name="`+name+`" content="`+r.Page.Meta[name]+`" />`)
	}
	return tags
}
