// Package redirects reads _redirects files: which request paths lead elsewhere, and what is served there.
//
// With status 200 a line is a rewrite: what stands at one path is served at another. Cloudflare takes header rules by
// the path that was asked for, so the other path needs the rule as well; Netlify takes them by the file that is served,
// so nothing is to be done there.
// https://developers.cloudflare.com/pages/configuration/redirects/#proxying
package redirects

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/headers"
)

// redirect is a line that counts.
type redirect struct {
	line     int
	from, to *headers.Rule // to matches the destinations of a rewrite that stays on the host; nil of others
	status   string        // as written; may be empty
}

// maxLine is the longest line that Cloudflare reads. Its limits on their number are left out: a rule for what it passes
// over does no harm.
// https://developers.cloudflare.com/pages/configuration/redirects/#per-file
const maxLine = 1000

// read reads a file. What is no valid line is passed over, as the host does.
func read(file []byte) (all []redirect) {
	n := 0
	for line := range bytes.Lines(file) {
		n++
		fields := strings.Fields(string(line))
		if len(fields) < 2 || fields[0][0] != '/' || !utf8.Valid(line) || len(line) > maxLine {
			continue
		}
		from, err := headers.Cloudflare.ReadRule(fields[0])
		if err != nil {
			continue
		}
		r := redirect{line: n, from: from}
		// Netlify's lines may have query parameters in between and conditions at the end.
		at := 1 + slices.IndexFunc(fields[1:], func(f string) bool { return f[0] == '/' || strings.Contains(f, "://") })
		if at > 0 && at+1 < len(fields) {
			r.status = strings.TrimSuffix(fields[at+1], "!")
			to, err := headers.Cloudflare.ReadRule(strings.ReplaceAll(fields[at], ":splat", "*"))
			if err == nil && r.status == "200" && fields[at][0] == '/' {
				r.to = to
			}
		}
		all = append(all, r)
	}
	return all
}

// taking returns the line that takes a request, the first whose source it is; nil for none.
func taking(all []redirect, path string) *redirect {
	i := slices.IndexFunc(all, func(r redirect) bool { return headers.Cloudflare.Match(r.from, "", path) })
	if i < 0 {
		return nil
	}
	return &all[i]
}

var wildcard = regexp.MustCompile(`\*|:[A-Za-z]\w*`)

// source returns the request path at which a rewrite serves what stands at a path that its destination matches. ok is
// false if the source stands for paths of which the destination says nothing, "/app/*  /app/index.html 200".
func (r *redirect) source(path string) (from string, ok bool) {
	from = r.to.Fill(strings.Replace(r.from.Path, "*", ":splat", 1), "", path)
	return from, !wildcard.MatchString(from)
}

// Elsewhere returns a function that reports whether a line takes an encoded request path for which no file is
// published, be it to send on or to serve something else. A status of 4xx says that there is nothing.
// https://docs.netlify.com/routing/redirects/redirect-options/#custom-404-page-handling
func Elsewhere(file []byte) func(path string) bool {
	all := read(file)
	return func(path string) bool {
		r := taking(all, path)
		return r != nil && !strings.HasPrefix(r.status, "4")
	}
}
