package headers

import (
	"bytes"
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
	from   string // as written, with * and :placeholders
	status string // as written; may be empty
	to     *Rule  // what matches the destinations of a rewrite that stays on the host; nil of others
	// open: the source stands for paths of which the destination says nothing, "/app/*  /app/index.html 200", so that
	// they cannot be listed.
	open bool
}

// redirectsLine is the longest line that Cloudflare reads. Its limits for the number of lines do no harm here: what
// it passes over has a rule too many.
// https://developers.cloudflare.com/pages/configuration/redirects/#per-file
const redirectsLine = 1000

// readRedirects reads a _redirects file: the lines that count, as rules and by line; and the destinations of rewrites as
// rules of the same lines. What is no valid line is passed over, as the host does.
func readRedirects(file []byte) (lines, targets *File, redirects map[int]*redirect) {
	lines, targets, redirects = &File{}, &File{}, make(map[int]*redirect)
	n := 0
	for line := range bytes.Lines(file) {
		n++
		fields := strings.Fields(string(line))
		if len(fields) < 2 || fields[0][0] != '/' || !utf8.Valid(line) || len(line) > redirectsLine {
			continue
		}
		r := &redirect{from: fields[0]}
		rule, err := cloudflareRule(r.from)
		if err != nil || rule.exact == "" && rule.re == nil {
			continue
		}
		rule.Line, redirects[n] = n, r
		lines.Rules = append(lines.Rules, *rule)
		// Netlify's lines may have query parameters in between and conditions at the end.
		at := 1 + slices.IndexFunc(fields[1:], func(f string) bool { return f[0] == '/' || strings.Contains(f, "://") })
		if at == 0 || at+1 == len(fields) {
			continue
		}
		r.status = strings.TrimSuffix(fields[at+1], "!")
		to, err := cloudflareRule(strings.ReplaceAll(fields[at], ":splat", "*"))
		if err != nil || r.status != "200" || fields[at][0] != '/' {
			continue
		}
		to.Line, r.to = n, to
		targets.Rules = append(targets.Rules, *to)
		r.open = slices.ContainsFunc(wildRE.FindAllString(r.from, -1), func(wild string) bool {
			return to.re == nil || to.re.SubexpIndex(wildName(wild)) < 0
		})
	}
	lines.index()
	targets.index()
	return lines, targets, redirects
}

// wildName is the group of a wildcard in the expression that [wildcards] makes.
func wildName(wild string) string {
	if wild == "*" {
		return "splat"
	}
	return wild[1:]
}

// source returns the request path at which a rewrite serves what stands at a path that its destination matches, ""
// where it cannot be listed.
func (r *redirect) source(path string) string {
	if r.open || r.to.re == nil {
		return map[bool]string{false: r.from}[r.open]
	}
	m := r.to.re.FindStringSubmatch(path)
	return wildRE.ReplaceAllStringFunc(r.from, func(wild string) string { return m[r.to.re.SubexpIndex(wildName(wild))] })
}

// Redirected returns a function that reports whether a line of a _redirects file takes an encoded request path for which
// no file is published, be it to send on or to serve something else. A status of 4xx says that there is nothing.
// https://docs.netlify.com/routing/redirects/redirect-options/#custom-404-page-handling
func Redirected(file []byte) func(path string) bool {
	lines, _, redirects := readRedirects(file)
	return func(path string) bool {
		first := Cloudflare.matching(lines, "", pathname(path))
		return len(first) > 0 && !strings.HasPrefix(redirects[first[0].Line].status, "4")
	}
}

// Rewritten returns what Cloudflare is to serve at the sources of a _redirects file's rewrites: what their destinations
// are. A rewrite whose sources cannot be listed is a finding.
func Rewritten(file []byte, wants []robotstag.Want) (more []robotstag.Want, findings []policy.Finding) {
	lines, targets, redirects := readRedirects(file)
	if len(targets.Rules) == 0 {
		return nil, nil
	}
	known, reported := make(map[string]bool, len(wants)), make(map[int]bool)
	for i := range wants {
		known[wants[i].Path] = true
	}
	for _, w := range wants {
		served, redirected := Forms(Cloudflare, w.Path)
		for _, form := range append(served, redirected...) {
			for _, to := range Cloudflare.matching(targets, "", form) {
				r := redirects[to.Line]
				if r.open && to.exact != "" && len(w.Values) > 0 && !w.Free && !reported[to.Line] {
					reported[to.Line] = true
					findings = append(findings, r.unlisted(&w))
				}
				from := r.source(form)
				name := servedAt(from)
				if name == "" || known[name] || w.Free {
					continue
				}
				// A line before it may take the request.
				if first := Cloudflare.matching(lines, "", pathname(from)); len(first) > 0 && first[0].Line == to.Line {
					known[name] = true
					other := w
					other.Path, other.Found = name, false
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
	if path == "" || err != nil || strings.Contains(name, "\x00") {
		return ""
	}
	if name = strings.TrimPrefix(name, "/"); name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	return name
}

// unlisted reports a rewrite whose sources cannot be listed.
func (r *redirect) unlisted(want *robotstag.Want) policy.Finding {
	tag := map[bool]string{true: ", and its tag alone speaks"}[want.HTML]
	return policy.Finding{ID: "rewrite", Severity: policy.Warning, Line: r.to.Line, Message: fmt.Sprintf(
		"%s is served at every URL below %s, which cannot be listed: there its X-Robots-Tag %q is not sent%s",
		want.Path, r.from, strings.Join(want.Values, ", "), tag)}
}
