package report

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"metarobots/internal/snapshot"
)

// compact is the data that the page's script reads: what many files have in common is written once and named by its
// number. A list of the script's has the fields in this order.
type compact struct {
	// States are the names that readers see.
	States map[snapshot.State]string `json:"states"`
	// Outcomes are [state, decided, crawlers, tags, header]: tags and header as lines.
	Outcomes [][]any `json:"outcomes"`
	// Trails are lists of [states, place, layer, key, decides].
	Trails [][][]any `json:"trails"`
	// Texts are kinds, types, sections, languages and formats.
	Texts []string `json:"texts"`
	// Verdicts are lists of [crawler, allowed, rule, place].
	Verdicts [][][]any `json:"verdicts"`
	// Findings are [severity, message, place].
	Findings [][]any `json:"findings"`
	// Files are [url, file, title, since, outcome, trail, kind, type, section, language, format, verdicts, findings];
	// file is 0 where the URL says it, and what is missing at the end is empty.
	Files [][]any `json:"files"`
}

// index numbers what is told apart by its key.
type index[T any] struct {
	of    map[string]int
	items []T
}

func (x *index[T]) number(key string, item func() T) int {
	i, ok := x.of[key]
	if !ok {
		if x.of == nil {
			x.of = map[string]int{}
		}
		i = len(x.items)
		x.of[key] = i
		x.items = append(x.items, item())
	}
	return i
}

// writeCompact writes the data as JSON that can stand in a script element: no < is left in it.
func (v *view) writeCompact(w io.Writer) error {
	c := compact{States: stateNames, Findings: [][]any{}, Files: make([][]any, len(v.rows))}
	var (
		outcomes index[[]any]
		trails   index[[][]any]
		texts    index[string]
		verdicts index[[][]any]
		of       = map[string][]int{} // findings by URL
		key      strings.Builder
	)
	text := func(s string) int { return texts.number(s, func() string { return s }) }
	for i, f := range v.Findings {
		c.Findings = append(c.Findings, []any{f.Severity, f.Message, where(f)})
		if f.URL != "" {
			of[f.URL] = append(of[f.URL], i)
		}
	}
	for i := range v.rows {
		r := &v.rows[i]
		tags := r.tags()
		key.Reset()
		for _, s := range slices.Concat([]string{r.decision.String()}, tags, r.Header) {
			key.WriteString(s + "\n")
		}
		outcome := outcomes.number(key.String(), func() []any {
			return []any{r.state, r.decided(), orEmpty(r.decision.Names()), orEmpty(tags), orEmpty(r.Header)}
		})
		key.Reset()
		for i, why := range r.Why {
			key.WriteString(strings.Join([]string{why.States, place(&why), why.Layer, why.Key, "\n"}, "\x00"))
			if r.deciding[i] {
				key.WriteString("!")
			}
		}
		trail := trails.number(key.String(), func() [][]any {
			trail := [][]any{}
			for i, why := range r.Why {
				decides := 0
				if r.deciding[i] {
					decides = 1
				}
				trail = append(trail, []any{why.States, place(&why), layer(why.Layer), why.Key, decides})
			}
			return trail
		})
		key.Reset()
		for _, t := range r.RobotsTxt {
			key.WriteString(strings.Join([]string{t.Crawler, t.Rule, place(&snapshot.Why{File: t.File, Line: t.Line}), map[bool]string{true: "+"}[t.Allowed], "\n"}, "\x00"))
		}
		verdict := verdicts.number(key.String(), func() [][]any {
			list := [][]any{}
			for _, t := range r.RobotsTxt {
				list = append(list, []any{t.Crawler, t.Allowed, t.Rule, place(&snapshot.Why{File: t.File, Line: t.Line})})
			}
			return list
		})
		var file any = r.File
		if path := strings.TrimPrefix(r.URL, "/"); r.File == path || strings.HasSuffix("/"+path, "/") && r.File == path+"index.html" {
			file = 0
		}
		row := []any{r.URL, file, r.Title, r.Since, outcome, trail, text(r.Kind), text(r.Type), text(r.Section), text(r.Language), text(r.Format)}
		if found := of[r.URL]; found != nil {
			row = append(row, verdict, found)
		} else if len(r.RobotsTxt) > 0 {
			row = append(row, verdict)
		}
		c.Files[i] = row
	}
	c.Outcomes, c.Trails, c.Texts, c.Verdicts = outcomes.items, trails.items, texts.items, verdicts.items
	return json.NewEncoder(w).Encode(c)
}

// tags are the tags that the file carries, as they stand in it (M1).
func (r *row) tags() (tags []string) {
	names := slices.SortedFunc(maps.Keys(r.Meta), func(a, b string) int {
		if (a == "robots") != (b == "robots") { // robots comes first
			if a == "robots" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		tags = append(tags, `<meta name="`+name+`" content="`+r.Meta[name]+`" />`)
	}
	return tags
}
