package policy

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A Layer is where a statement comes from. All layers that apply are combined by the maximum; their
// order is that of explanations alone (L).
type Layer uint8

// The layers.
const (
	LayerDefault Layer = iota
	LayerEnvironment
	LayerVisibility
	LayerRule
	LayerPage
	LayerFound
)

var layerNames = []string{"default", "environment", "visibility", "rule", "page", "found"} // in results

// String returns the layer's name in the configuration's words.
func (l Layer) String() string {
	if l == LayerPage {
		return "front matter"
	}
	return layerNames[l]
}

// Layers are all of them, in their order.
func Layers() (all []Layer) {
	for l := range layerNames {
		all = append(all, Layer(l))
	}
	return all
}

// MarshalText returns the layer's name in results.
func (l Layer) MarshalText() ([]byte, error) { return []byte(layerNames[l]), nil }

// UnmarshalText reads the name of a layer in results.
func (l *Layer) UnmarshalText(name []byte) error {
	i := slices.Index(layerNames, string(name))
	if i < 0 {
		return fmt.Errorf("unknown layer %q", name)
	}
	*l = Layer(i)
	return nil
}

// An Origin says where a statement stands. File is empty and Line zero where they are not known:
// never an invented line (L8).
type Origin struct {
	Layer Layer  `json:"layer"`
	File  string `json:"file"` // relative to the working folder or the site, or "env NAME"
	Line  int    `json:"line"` // from 1
	Key   string `json:"key"`  // such as robots.rules[0].robots, seo.noindex, X-Robots-Tag
}

// Place prints where something stands: "config.toml:3", or the file alone where the line is not
// known.
func Place(file string, line int) string {
	if line > 0 {
		return file + ":" + strconv.Itoa(line)
	}
	return file
}

// Place prints where o stands, as the function of that name does.
func (o Origin) Place() string { return Place(o.File, o.Line) }

// Placed prints a text behind its place, where that is known: "config.toml:3: unknown key".
func Placed(file string, line int, text string) string {
	if file == "" {
		return text
	}
	return Place(file, line) + ": " + text
}

// A Statement is what one place says to one crawler, or to everyone.
type Statement struct {
	// Crawler is "" for everyone.
	Crawler    string
	Directives Directives
	// Embed: the place says indexifembedded; [ApplyIndexIfEmbedded] turns it into a value of
	// Directives.
	Embed bool
	// AI are preferences about the use of content, which are for everyone.
	AI     Preferences
	Origin Origin
}

// ApplyIndexIfEmbedded applies indexifembedded to the statements of one place: one page's metas,
// one header block, one front matter. If noindex and indexifembedded are stated for a crawler
// there, all its noindex become embeddable, in the list itself. It returns the crawlers for which
// indexifembedded states nothing, because there is no noindex beside it (D3).
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#indexifembedded
func ApplyIndexIfEmbedded(statements []Statement) (without []string) {
	embeds, done := map[string]bool{}, map[string]bool{} // by crawler
	for _, s := range statements {
		embeds[s.Crawler] = embeds[s.Crawler] || s.Embed
	}
	for i := range statements {
		if s := &statements[i]; embeds[s.Crawler] && s.Directives.NoIndex() {
			s.Directives.rank[index] = embeddable
			done[s.Crawler] = true
		}
	}
	for _, s := range statements {
		if s.Embed && !done[s.Crawler] {
			without = append(without, s.Crawler)
			done[s.Crawler] = true
		}
	}
	return without
}

// At returns what one place states as statements of one source.
func At(o Origin, statements ...Statement) []Statement {
	statements = slices.Clone(statements)
	for i := range statements {
		statements[i].Origin = o
	}
	ApplyIndexIfEmbedded(statements)
	return statements
}

// States prints what s says in the grammar of X-Robots-Tag: "noindex", "googlebot: nosnippet".
// Permissive words that it does not say are left out, and so are preferences.
func (s Statement) States() string {
	words := slices.DeleteFunc(s.Directives.Words(Style{KeepRedundant: true}), func(w Word) bool { return w.Implied })
	if s.Crawler != "" {
		return s.Crawler + ": " + list(words)
	}
	return list(words)
}

// Stating returns what one printed text states, as [Parse] reads it, with indexifembedded (D3).
// Text that cannot be read states nothing.
func Stating(text string) Directives {
	r, _ := Parse(text, Found)
	return At(Origin{}, r)[0].Directives
}

// Expired is the finding about a statement whose unavailable_after has passed (L7), without a URL.
func (s Statement) Expired() Finding {
	t, _ := s.Directives.Expiry()
	return Finding{ID: "expired", Severity: Warning, File: s.Origin.File, Line: s.Origin.Line,
		Message: fmt.Sprintf("unavailable_after %s has passed: the page counts as noindex", t.Format("2006-01-02 15:04 MST"))}
}

// UnavailableAfter is what a date of expiry states; fractions of a second are cut.
func UnavailableAfter(t time.Time) Directives { return on(expiry, expiryRank(t)) }
