package headers

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A Rewrite is a line of _redirects with status 200: what stands at one path is
// served at another. Cloudflare takes header rules by the path that was asked
// for, so the other path needs the rule as well; Netlify takes them by the file
// that is served, so nothing is to be done there.
// https://developers.cloudflare.com/pages/configuration/redirects/#proxying
type Rewrite struct {
	// From and To are paths as written, with * and :placeholders.
	From, To string
	// Line is the line of _redirects, from 1.
	Line int

	to      *regexp.Regexp   // nil where the destination is a plain path
	plain   map[string]int   // the first line of each source without a pattern, in the whole file
	earlier []*regexp.Regexp // the sources with one, of the lines before it
}

// What Cloudflare reads of _redirects: https://developers.cloudflare.com/pages/configuration/redirects/#per-file
const (
	redirectsPlain   = 2000
	redirectsPattern = 100
	redirectsLine    = 1000
)

// redirectPart is what _redirects has of patterns: * and :name.
var redirectPart = regexp.MustCompile(`\*|:[A-Za-z][0-9A-Za-z_]*`)

// Rewrites reads the rewrites of a _redirects file that stay on the host. What
// is no valid line is passed over, as the host does.
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
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "/") || !utf8.Valid(line) || len(line) > redirectsLine {
			continue
		}
		// Netlify's lines may have query parameters in between and conditions at the end.
		to, status := "", ""
		for _, field := range fields[1:] {
			switch {
			case to == "" && (strings.HasPrefix(field, "/") || strings.Contains(field, "://")):
				to = field
			case to != "" && status == "":
				status = strings.TrimSuffix(field, "!")
			}
		}
		if status == "200" && strings.HasPrefix(to, "/") {
			path, _, _ := strings.Cut(to, "?")
			path, _, _ = strings.Cut(path, "#")
			all = append(all, Rewrite{From: fields[0], To: path, Line: n, to: destination(path), plain: plain, earlier: earlier})
		}
		switch from := fields[0]; {
		case redirectPart.MatchString(from):
			if len(earlier) < redirectsPattern {
				earlier = append(earlier[:len(earlier):len(earlier)], redirectPattern(from))
			}
		case plain[from] == 0 && len(plain) < redirectsPlain:
			plain[from] = n
		}
	}
	return all
}

// redirectPattern is an expression for the paths that a source or a destination
// stands for. What a part stood for is a group of its name, splat for *.
func redirectPattern(s string) *regexp.Regexp {
	var b strings.Builder
	seen := map[string]bool{}
	at := 0
	b.WriteString("(?s)^")
	for _, part := range redirectPart.FindAllStringIndex(s, -1) {
		b.WriteString(regexp.QuoteMeta(s[at:part[0]]))
		at = part[1]
		name, what := s[part[0]+1:at], "[^/]+"
		if name == "" || name == "splat" {
			name, what = "splat", ".*"
		}
		if !seen[name] {
			what = "(?P<" + name + ">" + what + ")"
		}
		seen[name] = true
		b.WriteString(what)
	}
	b.WriteString(regexp.QuoteMeta(s[at:]) + "$")
	return regexp.MustCompile(b.String())
}

// destination is an expression for the paths that a destination stands for, nil
// where that is itself alone: there may be thousands of such lines.
func destination(path string) *regexp.Regexp {
	if redirectPart.MatchString(path) {
		return redirectPattern(path)
	}
	return nil
}

// Open reports whether the source stands for paths of which the destination says
// nothing, "/app/*  /app/index.html  200", so that they cannot be listed.
func (r *Rewrite) Open() bool {
	for _, part := range redirectPart.FindAllString(r.From, -1) {
		name := strings.TrimPrefix(part, ":")
		if part == "*" {
			name = "splat"
		}
		if r.to == nil || r.to.SubexpIndex(name) < 0 {
			return true
		}
	}
	return false
}

// Source returns the request path at which the rewrite serves what stands at a
// path; false where it serves that nowhere, or where an earlier line takes the
// source. Both are percent-encoded.
func (r *Rewrite) Source(path string) (string, bool) {
	var m []string
	if r.to != nil {
		m = r.to.FindStringSubmatch(path)
	}
	if r.to == nil && r.To != path || r.to != nil && m == nil || r.Open() {
		return "", false
	}
	from := redirectPart.ReplaceAllStringFunc(r.From, func(part string) string {
		if part == "*" {
			return m[r.to.SubexpIndex("splat")]
		}
		return m[r.to.SubexpIndex(part[1:])]
	})
	if line := r.plain[from]; line > 0 && line < r.Line {
		return "", false
	}
	for _, e := range r.earlier {
		if e.MatchString(from) {
			return "", false
		}
	}
	return from, true
}
