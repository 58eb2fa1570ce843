package headers

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Header is one header line of a rule.
type Header struct {
	// Name as written, trimmed.
	Name string
	// Value as the engine keeps it; empty for a detached name.
	Value string
	// Line of the file, from 1.
	Line int
}

// Rule is one block of a _headers file as an engine keeps it.
type Rule struct {
	// Path is the pattern as the engine keys it: Cloudflare's is a normalised
	// URL path, Netlify's the line as it stands.
	Path string
	// Host is the host pattern of a Cloudflare full-URL rule; empty for the
	// others.
	Host string
	// Line is where the kept block's path line stands.
	Line int
	// Headers are the block's headers in the order of the file.
	Headers []Header
	// Detach are the names after "! "; Netlify knows none.
	Detach []Header

	exact  string         // the key of a rule without wildcards; then re is nil
	re     *regexp.Regexp // nil and no exact: never matches
	head   string         // what every key that re matches begins with; may be shorter
	places []string       // placeholder names, in order
}

// robots returns the X-Robots-Tag lines of a rule, whatever their case.
func (r *Rule) robots() []Header {
	var hs []Header
	for _, h := range r.Headers {
		if isRobots(h.Name) {
			hs = append(hs, h)
		}
	}
	return hs
}

// detaches reports whether a rule takes away the X-Robots-Tag of earlier rules.
func (r *Rule) detaches() bool {
	return slices.ContainsFunc(r.Detach, func(h Header) bool { return isRobots(h.Name) })
}

// File is a _headers file as one engine reads it.
type File struct {
	// Rules are the rules the engine keeps, in the order it applies them.
	Rules []Rule
	// Count is the number of rules the engine counts against its limit, those
	// past the limit and those a later block replaces included.
	Count int
	// Cut is the line from which the engine drops the rest; 0: none.
	Cut int
	// Findings are about the lines and rules that the engine ignores or misreads.
	Findings []policy.Finding

	index index
}

// find returns the rules with that exact key and those with wildcards that
// match, in the order of the file.
func (f *File) find(key string, match func(*Rule) bool) []*Rule {
	at := f.index.find(key, func(i int) bool { return match(&f.Rules[i]) })
	if len(at) == 0 {
		return nil
	}
	rules := make([]*Rule, len(at))
	for i, n := range at {
		rules[i] = &f.Rules[n]
	}
	return rules
}

// HostRules returns the full-URL rules that carry or detach X-Robots-Tag and do
// not apply at the host; with an empty host that is all of them.
func (f *File) HostRules(host string) []Rule {
	var rules []Rule
	for _, r := range f.Rules {
		if r.Host != "" && (len(r.robots()) > 0 || r.detaches()) && !hostMatches(r.Host, host) {
			rules = append(rules, r)
		}
	}
	return rules
}

func (f *File) report(severity policy.Severity, line int, message string) {
	f.Findings = append(f.Findings, policy.Finding{ID: robotstag.IDSyntax, Severity: severity, Line: line, Message: message})
}

// isSpace reports whether JavaScript's trim and \s take the rune for white
// space. Unlike [unicode.IsSpace] that includes a byte order mark and excludes
// U+0085 (https://tc39.es/ecma262/#sec-white-space).
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x2028, 0x2029, 0xFEFF:
		return true
	}
	return r > 0xA0 && unicode.Is(unicode.Zs, r)
}

func trim(s string) string      { return strings.TrimFunc(s, isSpace) }
func trimRight(s string) string { return strings.TrimRightFunc(s, isSpace) }

// splitLines returns the lines of a text as both engines see them: split at
// line feeds and trimmed, so that CRLF and a byte order mark do no harm, while
// a lone carriage return ends no line.
func splitLines(file []byte) []string {
	all := strings.Split(strings.ToValidUTF8(string(file), "\uFFFD"), "\n")
	for i, l := range all {
		all[i] = trim(l)
	}
	return all
}
