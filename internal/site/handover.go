package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// HandoverName is the name of the meta in which a template hands over what it knows of its page, as JSON:
//
//	<meta name="metarobots" content='{"robots": "noindex", "source": "src/a.md", "line": 3, "kind": "page"}'>
//
// It is taken out of the page when the policy is written.
const HandoverName = "metarobots"

// A Handover is what a template, or a file beside the pages, says of one page.
type Handover struct {
	// URL of the page, in a file alone.
	URL string
	// Source is the content file as it was written, relative to the site's folder; Line is the statements' in it, 0
	// where it was not said.
	Source string
	Line   int
	// Facts that it states; empty ones say nothing.
	policy.Facts
	// Result is what its other keys state, which are those of front matter (F).
	frontmatter.Result
}

// ParseHandover reads the JSON of one page. Its keys are url, source, line, kind, type, section, language, format, and
// all that front matter may hold (F), its own params included. Another key is an error, since it may be a misspelt one.
func ParseHandover(text string, o frontmatter.Options) (Handover, error) {
	var values map[string]any
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return Handover{}, fmt.Errorf("it is no JSON object: %w", err)
	}
	return NewHandover(values, o)
}

// NewHandover reads what [ParseHandover] does from values.
func NewHandover(values map[string]any, o frontmatter.Options) (h Handover, err error) {
	texts := map[string]*string{"url": &h.URL, "source": &h.Source, "kind": &h.Kind, "type": &h.Type, "section": &h.Section,
		"language": &h.Language, "format": &h.Format}
	rest := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value, lower := values[key], strings.ToLower(key)
		to, isText := texts[lower]
		switch {
		case value == nil:
		case isText:
			text, ok := value.(string)
			if !ok {
				return h, fmt.Errorf("%s: %v is no text", key, value)
			}
			*to = text
		case lower == "line":
			n, ok := value.(float64)
			if !ok || n != float64(int(n)) || n < 0 {
				return h, fmt.Errorf("%s: %v is no line", key, value)
			}
			h.Line = int(n)
		case frontmatter.IsTable(lower) || frontmatter.Mentions(map[string]any{key: value}, o):
			rest[key] = value
		default:
			known := append(slices.Sorted(maps.Keys(texts)), "line", "params", "robots", "noindex", "nofollow", "unavailable_after")
			return h, fmt.Errorf("unknown key %q%s", key, policy.DidYouMean(lower, known))
		}
	}
	h.Result = frontmatter.Read(rest, o)
	for i := range h.Statements {
		o := &h.Statements[i].Origin
		o.Layer, o.File, o.Line = policy.LayerPage, h.Source, h.Line
	}
	return h, nil
}

// A Learner is a Map that learns from the pages themselves what its own list cannot tell.
type Learner interface {
	Map
	// Learn completes what is known of an HTML file by its bytes and by what its template handed over, in this run or
	// before an earlier one took it out. It may be called from several goroutines; Findings are asked for after the last.
	Learn(f *File, src []byte, handed []Handover)
}

// Take adds what was handed over to what is known of a file.
func (h *Handover) Take(f *File) {
	for _, fact := range []struct{ to, from *string }{{&f.Kind, &h.Kind}, {&f.Type, &h.Type}, {&f.Section, &h.Section},
		{&f.Language, &h.Language}, {&f.Format, &h.Format}, {&f.Source, &h.Source}} {
		if *fact.from != "" {
			*fact.to = *fact.from
		}
	}
	page := slices.Clone(f.Page) // others may share it
	for _, s := range h.Statements {
		if !slices.Contains(page, s) {
			page = append(page, s)
		}
	}
	f.Page = page
	f.Alone = f.Alone || !f.HTML && len(h.Statements) > 0
}
