package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// A list is an array of the script's: its fields are texts, numbers and lists.
type list = []any

// Compact is the data that the page's script reads, as JSON that can be in a script element: no <
// is left in it. Its members, with the fields of their lists in order:
//
//   - classes are what readers call the classes of files.
//   - hosts are the base URLs by the folders that they serve: rows link to their pages.
//   - shared is what many files have in common, written once and named by its number: outcomes
//     [class, state, decided, crawlers, tags, header], with tags and header as lines, trails of
//     [states, place, layer, key, decides], and verdicts of robots.txt [crawler, allowed, rule,
//     place].
//   - findings are [severity, message, place].
//   - files are [url, file, title, since, outcome, trail, verdicts, kind, type, section, language,
//     format, findings].
func (v *view) Compact() string {
	classes, hosts := map[string]string{}, map[string]string{}
	for _, f := range v.figures() {
		classes[f.Class] = plural(0, f.Noun)
	}
	for folder, base := range v.Data.Summary.Hosts {
		hosts[printable.Line(folder)] = printable.Line(base)
	}
	findings, numbers := array{}, map[string][]int{} // of findings by URL
	for i, f := range v.Data.Findings {
		findings.add(list{string(f.Severity), f.Text(), about(f)})
		numbers[f.URL] = append(numbers[f.URL], i)
	}
	const ofFile = 200 // about how many bytes one takes
	shared, files := sharedItems{numbers: map[string]int{}}, make(array, 0, ofFile*len(v.Rows))
	for _, r := range v.Rows {
		p := r.Page
		if r.outcome.item == nil {
			r.outcome.item = appendList(nil, r.outcomeList())
		}
		outcome := shared.number(r.outcome.item)
		trail, verdicts := shared.numberOf(r.trail()), shared.numberOf(r.verdicts())
		files.add(list{p.URL, p.File, p.Title, p.Since, outcome, trail, verdicts, p.Kind, p.Type, p.Section,
			p.Language, p.Format, numbers[p.URL]})
	}
	return `{"classes":` + string(marshalled(classes)) + `,"hosts":` + string(marshalled(hosts)) +
		`,"shared":[` + string(shared.all) + `],"findings":[` + string(findings) +
		`],"files":[` + string(files) + "]}\n"
}

// An array is JSON without its brackets: items with commas between them.
type array []byte

// add adds a list as an item.
func (a *array) add(item list) { *a = appendList(a.next(), item) }

// next is the array with the comma before its next item.
func (a *array) next() []byte {
	if len(*a) > 0 {
		return append(*a, ',')
	}
	return *a
}

// sharedItems are the items that many files have in common, each once.
type sharedItems struct {
	all     array
	numbers map[string]int // by their JSON
	item    []byte         // the last one that was asked for: its memory is used again
}

// numberOf is [sharedItems.number] of an item that is not JSON yet.
func (s *sharedItems) numberOf(item list) int {
	s.item = appendList(s.item[:0], item)
	return s.number(s.item)
}

// number returns the number of an item, which is a new one if no equal item has one yet.
func (s *sharedItems) number(item []byte) int {
	n, isKnown := s.numbers[string(item)]
	if !isKnown {
		n = len(s.numbers)
		s.numbers[string(item)] = n
		s.all = append(s.all.next(), item...)
	}
	return n
}

// outcomeList, trail and verdicts are shared items, with the fields that [view.Compact] names. The
// first is the same for all files of an outcome, and made for one of them.
func (r *row) outcomeList() list {
	fields := list{r.class(), string(r.State), r.Decided()}
	for _, texts := range [][]string{r.Decision.Names(), r.tags(), r.Page.Header} {
		fields = append(fields, fit(texts))
	}
	return fields
}

// fit are texts made fit for one line each; not nil.
func fit(texts []string) []string {
	lines := make([]string, len(texts))
	for i, s := range texts {
		lines[i] = printable.Line(s)
	}
	return lines
}

// trail is a list for each statement that applied.
func (r *row) trail() (trail list) {
	for _, why := range r.Page.Why {
		reason := r.view.reason(why.Origin())
		trail = append(trail, list{why.States, reason.Place, reason.Layer, reason.Key, why.Decides})
	}
	return trail
}

// verdicts are a list for each crawler that robots.txt was asked about.
func (r *row) verdicts() (verdicts list) {
	for _, fetch := range r.Page.RobotsTxt {
		place := policy.Place(fetch.File, fetch.Line)
		verdicts = append(verdicts, list{fetch.Crawler, fetch.Allowed, fetch.Rule, place})
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

// appendList appends a list as encoding/json writes it, with its texts made fit for one line. It
// takes a fifth of the time: the page has a list for each file.
func appendList(b []byte, fields list) []byte {
	b = append(b, '[')
	for i, field := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		switch v := field.(type) {
		case list:
			b = appendList(b, v)
		case string:
			b = appendText(b, v)
		case int:
			b = strconv.AppendInt(b, int64(v), 10)
		case bool:
			b = strconv.AppendBool(b, v)
		default: // lists of texts and of numbers, which are few
			b = append(b, marshalled(v)...)
		}
	}
	return append(b, ']')
}

// appendText appends a text.
func appendText(b []byte, s string) []byte {
	if isPlain(s) { // as nearly all are
		return append(append(append(b, '"'), s...), '"')
	}
	return append(b, marshalled(printable.Line(s))...)
}

// marshalled is the JSON of v, which is made of texts and numbers.
func marshalled(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("texts and numbers have JSON: %v", err))
	}
	return text
}
