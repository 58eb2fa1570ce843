package headers

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Rewrite is a line of _redirects with status 200: what stands at one path is served at another. Cloudflare takes
// header rules by the path that was asked for, so the other path needs the rule as well; Netlify takes them by the file
// that is served, so nothing is to be done there.
// https://developers.cloudflare.com/pages/configuration/redirects/#proxying
type Rewrite struct {
	// From and To are paths as written, with * and :placeholders.
	From, To string
	// Line is the line of _redirects, from 1.
	Line int

	to      *regexp.Regexp   // nil where the destination is a plain path, as in thousands of lines
	plain   map[string]int   // the first line of each source without a pattern, in the whole file
	earlier []*regexp.Regexp // the sources with one, of the lines before it
}

// What Cloudflare reads of _redirects:
// https://developers.cloudflare.com/pages/configuration/redirects/#per-file
const (
	redirectsPlain   = 2000
	redirectsPattern = 100
	redirectsLine    = 1000
)

// Rewrites reads the rewrites of a _redirects file that stay on the host. What is no valid line is passed over, as the
// host does.
func Rewrites(file []byte) []Rewrite {
	var all []Rewrite
	var earlier []*regexp.Regexp
	plain := map[string]int{}
	n := 0
	for line := range bytes.Lines(file) {
		n++
		fields := strings.Fields(string(line))
		if len(all) == redirectsPlain+redirectsPattern {
			break
		}
		if len(fields) < 2 || fields[0][0] != '/' || !utf8.Valid(line) || len(line) > redirectsLine {
			continue
		}
		from, fields := fields[0], fields[1:]
		var source *regexp.Regexp
		if wildRE.MatchString(from) {
			if len(earlier) < redirectsPattern {
				source = wildcards(from)
			}
			if source == nil {
				continue
			}
		}
		// Netlify's lines may have query parameters in between and conditions at the end.
		at := slices.IndexFunc(fields, func(f string) bool { return f[0] == '/' || strings.Contains(f, "://") })
		if at >= 0 && fields[at][0] == '/' && at+1 < len(fields) && strings.TrimSuffix(fields[at+1], "!") == "200" {
			to, _, _ := strings.Cut(fields[at], "?")
			to, _, _ = strings.Cut(to, "#")
			r := Rewrite{From: from, To: to, Line: n, plain: plain, earlier: earlier}
			if wildRE.MatchString(to) {
				r.to = wildcards(strings.ReplaceAll(to, ":splat", "*"))
			}
			all = append(all, r)
		}
		switch {
		case source != nil:
			earlier = append(earlier[:len(earlier):len(earlier)], source)
		case plain[from] == 0 && len(plain) < redirectsPlain:
			plain[from] = n
		}
	}
	return all
}

// group is the place in the destination's expression of what a wildcard of the source stands for, or -1.
func (r *Rewrite) group(wild string) int {
	if wild == "*" {
		wild = ":splat"
	}
	if r.to == nil {
		return -1
	}
	return r.to.SubexpIndex(wild[1:])
}

// Open reports whether the source stands for paths of which the destination says nothing, "/app/*  /app/index.html
// 200", so that they cannot be listed.
func (r *Rewrite) Open() bool {
	return slices.ContainsFunc(wildRE.FindAllString(r.From, -1), func(wild string) bool { return r.group(wild) < 0 })
}

// Source returns the request path at which the rewrite serves what stands at a path; false where it serves that
// nowhere, or where an earlier line takes the source. Both are percent-encoded.
func (r *Rewrite) Source(path string) (string, bool) {
	from := r.From
	if r.to == nil {
		if r.To != path || r.Open() {
			return "", false
		}
	} else {
		m := r.to.FindStringSubmatch(path)
		if m == nil || r.Open() {
			return "", false
		}
		from = wildRE.ReplaceAllStringFunc(from, func(wild string) string { return m[r.group(wild)] })
	}
	if line := r.plain[from]; line > 0 && line < r.Line {
		return "", false
	}
	return from, !slices.ContainsFunc(r.earlier, func(e *regexp.Regexp) bool { return e.MatchString(from) })
}
