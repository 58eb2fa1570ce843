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

// A rewrite is a line of _redirects with status 200: what stands at one path is served at another. Cloudflare takes
// header rules by the path that was asked for, so the other path needs the rule as well; Netlify takes them by the file
// that is served, so nothing is to be done there.
// https://developers.cloudflare.com/pages/configuration/redirects/#proxying
type rewrite struct {
	from string // as written, with * and :placeholders
	to   *Rule  // what matches the destinations
	// open: the source stands for paths of which the destination says nothing, "/app/*  /app/index.html 200", so that
	// they cannot be listed.
	open bool
}

// What Cloudflare reads of _redirects:
// https://developers.cloudflare.com/pages/configuration/redirects/#per-file
const (
	redirectsPlain   = 2000
	redirectsPattern = 100
	redirectsLine    = 1000
)

// readRedirects reads a _redirects file: the lines that count, as rules; the destinations of rewrites that stay on the
// host, as rules of the same lines; and the rewrites by line. What is no valid line is passed over, as the host does.
func readRedirects(file []byte) (lines, targets *File, rewrites map[int]*rewrite) {
	lines, targets, rewrites = &File{}, &File{}, make(map[int]*rewrite)
	seen, left := make(map[string]bool), map[bool]int{false: redirectsPlain, true: redirectsPattern}
	n := 0
	for line := range bytes.Lines(file) {
		n++
		fields := strings.Fields(string(line))
		if len(fields) < 2 || fields[0][0] != '/' || !utf8.Valid(line) || len(line) > redirectsLine {
			continue
		}
		from, fields := fields[0], fields[1:]
		rule, err := cloudflareRule(from)
		if err != nil || seen[from] || rule.exact == "" && rule.re == nil || left[rule.re != nil] == 0 {
			continue
		}
		seen[from], rule.Line = true, n
		left[rule.re != nil]--
		lines.Rules = append(lines.Rules, *rule)
		// Netlify's lines may have query parameters in between and conditions at the end.
		at := slices.IndexFunc(fields, func(f string) bool { return f[0] == '/' || strings.Contains(f, "://") })
		if at < 0 || fields[at][0] != '/' || at+1 == len(fields) || strings.TrimSuffix(fields[at+1], "!") != "200" {
			continue
		}
		to, err := cloudflareRule(strings.ReplaceAll(fields[at], ":splat", "*"))
		if err != nil {
			continue
		}
		to.Line = n
		targets.Rules = append(targets.Rules, *to)
		open := slices.ContainsFunc(wildRE.FindAllString(from, -1), func(wild string) bool {
			return to.re == nil || to.re.SubexpIndex(wildName(wild)) < 0
		})
		rewrites[n] = &rewrite{from: from, to: to, open: open}
	}
	lines.index()
	targets.index()
	return lines, targets, rewrites
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
func (w *rewrite) source(path string) string {
	if w.open || w.to.re == nil {
		return map[bool]string{false: w.from}[w.open]
	}
	re := w.to.re
	m := re.FindStringSubmatch(path)
	return wildRE.ReplaceAllStringFunc(w.from, func(wild string) string { return m[re.SubexpIndex(wildName(wild))] })
}

// Rewritten returns what Cloudflare is to serve at the sources of a _redirects file's rewrites: what their destinations
// are. A rewrite whose sources cannot be listed is a finding.
func Rewritten(file []byte, wants []robotstag.Want) (more []robotstag.Want, findings []policy.Finding) {
	lines, targets, rewrites := readRedirects(file)
	if len(rewrites) == 0 {
		return nil, nil
	}
	known, reported := make(map[string]bool, len(wants)), make(map[int]bool)
	for i := range wants {
		known[wants[i].Path] = true
	}
	for _, w := range wants {
		if w.Free {
			continue
		}
		served, redirected := Forms(Cloudflare, w.Path)
		for _, form := range append(served, redirected...) {
			for _, to := range Cloudflare.matching(targets, "", form) {
				rewrite := rewrites[to.Line]
				if rewrite.open && to.exact != "" && len(w.Values) > 0 && !reported[to.Line] {
					reported[to.Line] = true
					findings = append(findings, rewrite.unlisted(&w))
				}
				from := rewrite.source(form)
				name := servedAt(from)
				if name == "" || known[name] {
					continue
				}
				// A line before it may take the request.
				first := Cloudflare.matching(lines, "", pathname(from))
				if len(first) > 0 && first[0].Line == to.Line {
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
func (w *rewrite) unlisted(want *robotstag.Want) policy.Finding {
	tag := map[bool]string{true: ", and its tag alone speaks"}[want.HTML]
	return policy.Finding{ID: "rewrite", Severity: policy.Warning, Line: w.to.Line, Message: fmt.Sprintf(
		"%s is served at every URL below %s, which cannot be listed: there its X-Robots-Tag %q is not sent%s",
		want.Path, w.from, strings.Join(want.Values, ", "), tag)}
}
