package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// compact is the data that the page's script reads. A list of the script's has the fields in this
// order.
type compact struct {
	// Classes are what readers call the classes of files.
	Classes map[string]string `json:"classes"`
	// Hosts are the base URLs by the folders that they serve: rows link to their pages.
	Hosts map[string]string `json:"hosts"`
	// Shared is what many files have in common, written once and named by its number: outcomes
	// [class, state, decided, crawlers, tags, header], with tags and header as lines, trails of
	// [states, place, layer, key, decides], and verdicts of robots.txt [crawler, allowed, rule,
	// place].
	Shared []json.RawMessage `json:"shared"`
	// Findings are [severity, message, place].
	Findings []list `json:"findings"`
	// Files are [url, file, title, since, outcome, trail, verdicts, kind, type, section, language,
	// format, findings].
	Files []list `json:"files"`
}

// A list is an array of the script's: its fields are texts, numbers and lists of texts.
type list = []any

// Compact is the data as JSON that can stand in a script element: no < is left in it.
func (v *view) Compact() (string, error) {
	c := compact{Classes: map[string]string{}, Hosts: map[string]string{}, Findings: []list{},
		Files: make([]list, len(v.Rows))}
	for _, f := range v.figures() {
		c.Classes[f.Class] = plural(0, f.Noun)
	}
	for folder, base := range v.Data.Summary.Hosts {
		c.Hosts[printable.Line(folder)] = printable.Line(base)
	}
	findings := map[string][]int{} // their numbers, by URL
	for i, f := range v.Data.Findings {
		c.Findings = append(c.Findings, fields(f.Severity, f.Text(), about(f)))
		findings[f.URL] = append(findings[f.URL], i)
	}
	shared := sharedItems{texts: []json.RawMessage{}, numbers: map[string]int{}}
	for i, r := range v.Rows {
		p := r.Page
		outcome, trail, verdicts := shared.number(r.outcome()), shared.number(r.trail()), shared.number(r.verdicts())
		c.Files[i] = fields(p.URL, p.File, p.Title, p.Since, outcome, trail, verdicts, p.Kind, p.Type, p.Section,
			p.Language, p.Format, findings[p.URL])
	}
	c.Shared = shared.texts
	text, err := json.Marshal(c)
	return string(text) + "\n", err
}

// sharedItems are the items that many files have in common, each once, as JSON.
type sharedItems struct {
	texts   []json.RawMessage
	numbers map[string]int // by text: its index in texts
}

// number returns the number of an item, which is a new one if no equal item has one yet.
func (s *sharedItems) number(item any) int {
	text, err := json.Marshal(item)
	if err != nil {
		panic(fmt.Sprintf("lists of texts and numbers have JSON: %v", err))
	}
	n, isKnown := s.numbers[string(text)]
	if !isKnown {
		n = len(s.texts)
		s.numbers[string(text)] = n
		s.texts = append(s.texts, text)
	}
	return n
}

// outcome, trail and verdicts are items of [compact.Shared], with the fields that it names.
func (r *row) outcome() list {
	return fields(r.class(), r.State, r.Decided(), r.Decision.Names(), r.tags(), r.Page.Header)
}

// trail is a list for each statement that applied.
func (r *row) trail() []list {
	trail := []list{}
	for _, why := range r.Page.Why {
		reason := r.view.reason(why.Origin())
		trail = append(trail, fields(why.States, reason.Place, reason.Layer, reason.Key, why.Decides))
	}
	return trail
}

// verdicts are a list for each crawler that robots.txt was asked about.
func (r *row) verdicts() []list {
	verdicts := []list{}
	for _, fetch := range r.Page.RobotsTxt {
		place := policy.Place(fetch.File, fetch.Line)
		verdicts = append(verdicts, fields(fetch.Crawler, fetch.Allowed, fetch.Rule, place))
	}
	return verdicts
}

// tags are the robots tags of the file as it has them (M1): first that for everyone, then those for
// crawlers by name.
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
