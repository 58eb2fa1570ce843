package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// PageMetaName is the name of the meta in which a template says what it knows of its page, as JSON:
// the page's metadata.
//
//	<meta name="metarobots" content='{"robots": "noindex", "source": "src/a.md", "line": 3, "kind": "page"}'>
//
// It is taken out of the page when the policy is written.
const PageMetaName = "metarobots"

// A PageMeta is what a template, or a file beside the pages, says of one page.
type PageMeta struct {
	URL         string             // of the page, in a file alone
	Source      string             // the content file, as written, from the site's folder
	Line        int                // of the statements in it; 0 if unknown
	Facts       policy.Facts       // those that it states; empty ones say nothing
	FrontMatter frontmatter.Result // what its other keys state, which are those of front matter (F)
}

// ParsePageMeta reads the JSON text of one meta: the keys of [NewPageMeta], all that front matter
// may hold among them (F). Another key is an error, since it may be a misspelt one.
func ParsePageMeta(text string, o frontmatter.Config) (PageMeta, error) {
	var values map[string]any
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return PageMeta{}, fmt.Errorf("it is no JSON object: %w", err)
	}
	return NewPageMeta(values, o)
}

// NewPageMeta makes a PageMeta of the keys and values of one JSON object, as encoding/json decodes
// them: of a meta's content ([ParsePageMeta]), or of an entry of metarobots.json, which package
// pages reads. It compares keys in any case of letters, and passes over every key whose value is
// null:
//
//	url, source, kind, type, section, language, format   a text: a field of PageMeta or of its Facts
//	line                                                 a number, whole and not negative
//	what front matter may hold: robots, params …         any value; [frontmatter.Read] reads it
//
// Any other key is an error, and so is a value of another type; the result then means nothing.
// Values of front matter are never an error here: their faults are in FrontMatter.Findings. Of two
// spellings of one key, url and URL, the last by the order of bytes counts.
//
// A statement is placed at source and line if the metadata names its source; otherwise where
// o.Locate finds its key.
func NewPageMeta(values map[string]any, o frontmatter.Config) (meta PageMeta, err error) {
	texts := meta.textKeys()
	params := map[string]any{} // the keys of front matter, as they are written
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value, lower := values[key], strings.ToLower(key)
		field, isText := texts[lower]
		switch {
		case value == nil:
		case isText:
			*field, err = textOf(key, value)
		case lower == "line":
			meta.Line, err = lineOf(key, value)
		case isOfFrontMatter(key, value, o):
			params[key] = value
		default:
			err = fmt.Errorf("unknown key %q%s", key, policy.DidYouMean(lower, suggestedKeys(texts)))
		}
		if err != nil {
			return meta, err
		}
	}
	o.Layer = policy.LayerPage // these statements are a page's own
	meta.FrontMatter = frontmatter.Read(params, o)
	if meta.Source != "" {
		for i := range meta.FrontMatter.Statements {
			origin := &meta.FrontMatter.Statements[i].Origin
			origin.File, origin.Line = meta.Source, meta.Line
		}
	}
	return meta, nil
}

// textOf returns the value of a key whose value has to be a text.
func textOf(key string, value any) (string, error) {
	text, isText := value.(string)
	if !isText {
		return "", fmt.Errorf("%s: %v is not text", key, value)
	}
	return text, nil
}

// lineOf returns the value of a key whose value has to be the number of a line, 0 if it is unknown.
func lineOf(key string, value any) (int, error) {
	n, isNumber := value.(float64) // as encoding/json decodes numbers
	if isWhole := n == float64(int(n)); !isNumber || !isWhole || n < 0 {
		return 0, fmt.Errorf("%s: %v is not a line", key, value)
	}
	return int(n), nil
}

// suggestedKeys are the keys that a misspelt one may be meant for.
func suggestedKeys(texts map[string]*string) []string {
	return append(slices.Sorted(maps.Keys(texts)), "line", "params", "robots", "noindex", "nofollow",
		"unavailable_after")
}

// textKeys are the keys whose values are texts, in lower case, each with the field that takes its
// value.
func (h *PageMeta) textKeys() map[string]*string {
	return map[string]*string{"url": &h.URL, "source": &h.Source, "kind": &h.Facts.Kind,
		"type": &h.Facts.Type, "section": &h.Facts.Section, "language": &h.Facts.Language,
		"format": &h.Facts.Format}
}

// isOfFrontMatter reports whether a key of metadata is one of front matter: a table such as params,
// or one that states something for crawlers.
func isOfFrontMatter(key string, value any, o frontmatter.Config) bool {
	return frontmatter.IsTable(strings.ToLower(key)) ||
		frontmatter.Mentions(map[string]any{key: value}, o)
}

// A PageReader is a Map that reads in the pages themselves what its own list cannot tell.
type PageReader interface {
	Map
	// ReadPage completes what is known of an HTML file by the language that it says ([head.Facts])
	// and by its metadata, which an earlier run may have taken out. It may be called from several
	// goroutines; Findings come after the last.
	ReadPage(f *File, language string, metadata []PageMeta)
}

// AddTo adds metadata to what is known of a file: its facts and its source replace those that are
// known, and its statements count beside others.
func (h *PageMeta) AddTo(f *File) {
	f.Facts, f.Source = h.Facts.Or(f.Facts), cmp.Or(h.Source, f.Source)
	f.Page = policy.Union(f.Page, h.FrontMatter.Statements)
	f.IsPageItsOwn = f.IsPageItsOwn || !f.HTML && len(h.FrontMatter.Statements) > 0
}
