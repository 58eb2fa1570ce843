package snapshot

import (
	"cmp"
	"net/http"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/seen"
)

// comparedHeaders are the headers by whose values deployed sites are compared, beside X-Robots-Tag.
// Of Link, only canonical URLs are compared: other links change with every build, and hosts add
// some.
var comparedHeaders = []string{robotstag.LinkName, "Content-Signal", "Content-Usage", "tdm-reservation", "tdm-policy"}

// canonicalTarget matches the target of a canonical link in a text, of a header or of a page, and
// keeps what is beside it.
var canonicalTarget = lazyregexp.New(`<[^<>]*>(; rel="?canonical"?)|(canonical link to )(?:/|https?://)\S*`)

// WithoutTargets leaves the targets of canonical links out of a text. Then pages that each name
// their own have the same text.
func WithoutTargets(text string) string {
	return canonicalTarget.ReplaceAllStringFunc(text, func(link string) string {
		if by, _, isTag := strings.Cut(link, " to "); isTag {
			return by + " to …"
		}
		_, rel, _ := strings.Cut(link, ">")
		return "<…>" + rel
	})
}

// DeployedHeaders are the lines of an answer's headers by which deployed sites are compared.
func DeployedHeaders(h http.Header) (lines []seen.Header) {
	for _, name := range comparedHeaders {
		line := seen.Header{Name: name, Value: strings.Join(h.Values(name), ", ")}
		lines = append(lines, compared(line, nil)...)
	}
	return lines
}

// compared are the lines by which a line is compared with that of a deployed site: none if its
// header is not compared, and a line for each canonical URL of a Link. own are base URLs of the
// site: a canonical URL below one becomes a path.
func compared(line seen.Header, own []string) (lines []seen.Header) {
	if !slices.Contains(comparedHeaders, line.Name) || line.Value == "" {
		return nil
	}
	if line.Name != robotstag.LinkName {
		line.Value = strings.Join(strings.Fields(line.Value), " ")
		return []seen.Header{line}
	}
	for _, link := range robotstag.Canonicals(line.Value) {
		for _, base := range own {
			if path, ok := strings.CutPrefix(link.Target, strings.TrimSuffix(base, "/")+"/"); ok {
				link.Target = "/" + path
			}
		}
		line.Value = "<" + link.Target + `>; rel="canonical"`
		lines = append(lines, line)
	}
	return lines
}

// hasCanonical reports whether a header of the entry names its canonical URL.
func (e *Entry) hasCanonical() bool {
	return slices.ContainsFunc(e.Headers, func(line seen.Header) bool {
		return line.Name == robotstag.LinkName && len(compared(line, nil)) > 0
	})
}

// deployedHeaders are the lines by which an entry is compared with a deployed site, sorted, and the
// names of the headers that are left out. own is as in [compared].
func (e *Entry) deployedHeaders(own []string) (lines []seen.Header, leftOut []string) {
	for _, line := range e.Headers {
		those := compared(line, own)
		if len(those) == 0 {
			leftOut = append(leftOut, strings.Replace(line.Name, robotstag.LinkName, "Link (except canonical)", 1))
		}
		lines = append(lines, those...)
	}
	// For so few lines package sort, which is not compiled anew for each type, keeps the program small.
	sort.Slice(lines, func(i, j int) bool {
		a, b := lines[i], lines[j]
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) < 0
	})
	return lines, leftOut
}
