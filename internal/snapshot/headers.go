package snapshot

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/seen"
)

// deployed are the headers by whose values deployed sites are compared, beside X-Robots-Tag. Of Link, canonical URLs
// alone are: other links change with every build, and hosts add some.
var deployed = []string{robotstag.LinkName, "Content-Signal", "Content-Usage", "tdm-reservation", "tdm-policy"}

// target is that of a canonical link in a text.
var target = lazyregexp.New(`<[^<>]*>(; rel="?canonical"?)`)

// WithoutTargets leaves the targets of canonical links out of a text, by which pages that each name their own are
// alike.
func WithoutTargets(text string) string { return target.ReplaceAllString(text, "<…>$1") }

// DeployedHeaders are the lines of an answer's headers by which deployed sites are compared.
func DeployedHeaders(h http.Header) (lines []seen.Header) {
	for _, name := range deployed {
		lines = append(lines, asDeployed(seen.Header{Name: name, Value: strings.Join(h.Values(name), ", ")}, nil)...)
	}
	return lines
}

// asDeployed are the lines by which a line is compared with that of a deployed site: none where its header is not, and
// each canonical URL for itself. Those of the sites' own hosts, by their base URLs, are paths.
func asDeployed(l seen.Header, own []string) (lines []seen.Header) {
	if !slices.Contains(deployed, l.Name) || l.Value == "" {
		return nil
	}
	if l.Name != robotstag.LinkName {
		l.Value = strings.Join(strings.Fields(l.Value), " ")
		return []seen.Header{l}
	}
	for _, link := range robotstag.Canonicals(l.Value) {
		for _, base := range own {
			if path, ok := strings.CutPrefix(link.Target, strings.TrimSuffix(base, "/")+"/"); ok {
				link.Target = "/" + path
			}
		}
		l.Value = "<" + link.Target + `>; rel="canonical"`
		lines = append(lines, l)
	}
	return lines
}

// hasCanonical reports whether a header of the entry names its canonical URL.
func (e *Entry) hasCanonical() bool {
	return slices.ContainsFunc(e.Headers, func(l seen.Header) bool {
		return l.Name == robotstag.LinkName && len(asDeployed(l, nil)) > 0
	})
}

// headersOf are the headers of an entry by which it is compared with a deployed site, and the names of those by which
// it is not.
func headersOf(e *Entry, own []string) (compared []seen.Header, others []string) {
	for _, l := range e.Headers {
		lines := asDeployed(l, own)
		if len(lines) == 0 {
			others = append(others, strings.Replace(l.Name, robotstag.LinkName, "Link (but for canonical)", 1))
		}
		compared = append(compared, lines...)
	}
	slices.SortFunc(compared, func(a, b seen.Header) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	return compared, others
}
