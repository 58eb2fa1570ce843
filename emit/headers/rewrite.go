package headers

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A redirect is a line of _redirects. With status 200 it is a rewrite: what stands at one path is served at another.
// Cloudflare takes header rules by the path that was asked for, so the other path needs the rule as well; Netlify takes
// them by the file that is served, so nothing is to be done there.
// https://developers.cloudflare.com/pages/configuration/redirects/#proxying
type redirect struct {
	line     int
	from, to *Rule  // to matches the destinations of a rewrite that stays on the host; nil of others
	status   string // as written; may be empty
}

// redirectsLine is the longest line that Cloudflare reads. Its limits on their number are left out: a rule for what it
// passes over does no harm.
// https://developers.cloudflare.com/pages/configuration/redirects/#per-file
const redirectsLine = 1000

// readRedirects reads a _redirects file. What is no valid line is passed over, as the host does.
func readRedirects(file []byte) (all []redirect) {
	n := 0
	for line := range bytes.Lines(file) {
		n++
		fields := strings.Fields(string(line))
		if len(fields) < 2 || fields[0][0] != '/' || !utf8.Valid(line) || len(line) > redirectsLine {
			continue
		}
		from, err := cloudflareRule(fields[0])
		if err != nil || from.exact == "" && from.re == nil {
			continue
		}
		r := redirect{line: n, from: from}
		// Netlify's lines may have query parameters in between and conditions at the end.
		at := 1 + slices.IndexFunc(fields[1:], func(f string) bool { return f[0] == '/' || strings.Contains(f, "://") })
		if at > 0 && at+1 < len(fields) {
			r.status = strings.TrimSuffix(fields[at+1], "!")
			to, err := cloudflareRule(strings.ReplaceAll(fields[at], ":splat", "*"))
			if err == nil && r.status == "200" && fields[at][0] == '/' {
				r.to = to
			}
		}
		all = append(all, r)
	}
	return all
}

// taking returns the line that takes a request, the first whose source it is; nil for none.
func taking(redirects []redirect, path string) *redirect {
	i := slices.IndexFunc(redirects, func(r redirect) bool { return Cloudflare.Match(r.from, "", path) })
	if i < 0 {
		return nil
	}
	return &redirects[i]
}

// source returns the request path at which a rewrite serves what stands at a path that its destination matches. ok is
// false if the source stands for paths of which the destination says nothing, "/app/*  /app/index.html 200".
func (r *redirect) source(path string) (from string, ok bool) {
	filled := map[string]string{}
	if r.to.re != nil {
		for i, m := range r.to.re.FindStringSubmatch(path) {
			filled[r.to.re.SubexpNames()[i]] = m
		}
	}
	ok = true
	from = wildRE.ReplaceAllStringFunc(r.from.Path, func(wild string) string {
		m, known := filled[cmp.Or(strings.TrimLeft(wild, "*:"), "splat")]
		ok = ok && known
		return m
	})
	return from, ok
}

// Redirected returns a function that reports whether a line of a _redirects file takes an encoded request path for which
// no file is published, be it to send on or to serve something else. A status of 4xx says that there is nothing.
// https://docs.netlify.com/routing/redirects/redirect-options/#custom-404-page-handling
func Redirected(file []byte) func(path string) bool {
	redirects := readRedirects(file)
	return func(path string) bool {
		r := taking(redirects, pathname(path))
		return r != nil && !strings.HasPrefix(r.status, "4")
	}
}

// Rewritten returns what Cloudflare is to serve at the sources of a _redirects file's rewrites: what their destinations
// are. A rewrite whose sources cannot be listed is a finding.
func Rewritten(file []byte, wants []robotstag.Want) (more []robotstag.Want, findings []policy.Finding) {
	redirects := readRedirects(file)
	rewrites := slices.DeleteFunc(slices.Clone(redirects), func(r redirect) bool { return r.to == nil })
	if len(rewrites) == 0 {
		return nil, nil
	}
	known, reported := make(map[string]bool, len(wants)), make(map[int]bool)
	for i := range wants {
		known[wants[i].Path] = true
	}
	for _, w := range wants {
		served, redirected := Forms(Cloudflare, w.Path)
		for _, form := range append(served, redirected...) {
			for _, r := range rewrites {
				if w.Free || !Cloudflare.Match(r.to, "", form) {
					continue
				}
				from, listed := r.source(form)
				if !listed && r.to.exact != "" && len(w.Values) > 0 && !reported[r.line] {
					reported[r.line] = true
					tag := map[bool]string{true: ", and its tag alone speaks"}[w.HTML]
					findings = append(findings, policy.Finding{ID: "rewrite", Severity: policy.Warning, Line: r.line,
						Message: fmt.Sprintf("%s is served at every URL below %s, which cannot be listed: there its "+
							"X-Robots-Tag %q is not sent%s", w.Path, r.from.Path, strings.Join(w.Values, ", "), tag)})
				}
				other := w
				other.Path, other.Found = servedAt(from), false
				// A line before it may take the request.
				if listed && other.Path != "" && !known[other.Path] && taking(redirects, from).line == r.line {
					known[other.Path] = true
					more = append(more, other)
				}
			}
		}
	}
	return more, findings
}

// servedAt is the published file that a host would serve at a request path, and nowhere else; "" for none.
func servedAt(path string) string {
	name, err := url.PathUnescape(path)
	if err != nil || strings.Contains(name, "\x00") {
		return ""
	}
	if name = strings.TrimPrefix(name, "/"); name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	return name
}
