package headers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// NetlifyRules is the number of rules above which Netlify's parser gets slow:
// it copies the list for every line.
const NetlifyRules = 10000

// Netlify reads a _headers file as Netlify does. Of all matching rules the last
// one in the file wins for each header; letter case and a trailing slash of the
// path do not count; "! Name" and full-URL rules are unknown.
var Netlify Dialect = netlify{}

type netlify struct{}

func (netlify) Name() string { return TargetNetlify }

// Parse follows line_parser.ts, normalize.ts and merge.ts
// (https://github.com/netlify/build packages/headers-parser/src).
func (netlify) Parse(file []byte) *File {
	f := &File{}
	var rules []Rule
	for i, line := range splitLines(file) {
		n := i + 1
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '/' {
			rules = append(rules, Rule{Path: line, Line: n})
			continue
		}
		rawName, rawValue, colon := strings.Cut(line, ":")
		name, value := trim(rawName), trim(rawValue)
		switch {
		case !colon && strings.HasPrefix(line, "!"):
			f.report(policy.Note, n, "Netlify does not know \"! Name\" and ignores the line")
		case !colon:
			f.report(policy.Warning, n, "expected a path that begins with / or \"Name: value\": Netlify ignores the line")
		case name == "":
			f.report(policy.Warning, n, "no header name: Netlify ignores the line")
		case value == "":
			f.report(policy.Warning, n, "no header value: Netlify ignores the line")
		case len(rules) == 0:
			f.report(policy.Warning, n, "a header without a path before it: Netlify ignores the line")
		default:
			if strings.HasPrefix(value, "//") && (name == "https" || name == "http") {
				f.report(policy.Warning, n, "Netlify does not know full-URL rules: this line and the headers after it fall to the block above")
			}
			r := &rules[len(rules)-1]
			r.Headers = append(r.Headers, Header{Name: name, Value: commas(value), Line: n})
		}
	}
	// Identical blocks are one, at the last one's place.
	seen := make(map[string]bool)
	for i := len(rules) - 1; i >= 0; i-- {
		r := rules[i]
		if len(r.Headers) == 0 {
			f.report(policy.Warning, r.Line, "the rule has no headers: Netlify drops it")
			continue
		}
		if slices.ContainsFunc(r.Headers, func(h Header) bool { return h.Name == "undefined" }) {
			f.report(policy.Warning, r.Line, "a header named undefined: Netlify drops the rule")
			continue
		}
		if err := r.compileNetlify(); err != nil {
			f.report(policy.Warning, r.Line, "the path makes an invalid expression: Netlify drops the rule")
			continue
		}
		if key := r.netlifyIdentity(); !seen[key] {
			seen[key] = true
			f.Rules = append(f.Rules, r)
		}
	}
	slices.Reverse(f.Rules)
	slices.SortStableFunc(f.Findings, func(a, b policy.Finding) int { return a.Line - b.Line })
	f.Count = len(f.Rules)
	f.index = newIndex(f.Rules)
	return f
}

// commas rewrites a value's commas, blanks around them and all, to ", ", as
// normalizeMultipleValues does, quotes or not.
func commas(value string) string {
	if !strings.Contains(value, ",") {
		return value
	}
	parts := strings.Split(value, ",")
	for i, p := range parts {
		parts[i] = trim(p)
	}
	return strings.Join(parts, ", ")
}

// netlifyIdentity is generateHeaderKey of merge.ts: path and headers, the names
// in sorted order.
func (r *Rule) netlifyIdentity() string {
	var names []string
	values := make(map[string][]string)
	for _, h := range r.Headers {
		if values[h.Name] == nil {
			names = append(names, h.Name)
		}
		values[h.Name] = append(values[h.Name], h.Value)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(r.Path)
	for _, n := range names {
		b.WriteString("\n" + n + "\n" + strings.Join(values[n], ", "))
	}
	return b.String()
}

// compileNetlify is getForRegExp of for_regexp.ts. A rule without wildcards is
// kept as a key instead.
func (r *Rule) compileNetlify() error {
	var parts []string
	plain := true
	for p := range strings.SplitSeq(r.Path, "/") {
		if p = trimRight(p); p == "" {
			continue
		}
		parts = append(parts, p)
		if p[0] == ':' || strings.Contains(p, "*") || !ascii(p) {
			plain = false
		}
	}
	if plain {
		r.exact = strings.ToLower("/" + strings.Join(parts, "/"))
		return nil
	}
	r.head = netlifyHead(parts)
	for i, p := range parts {
		switch {
		case p[0] == ':':
			parts[i] = "([^/]+)"
		case p == "*":
			parts[i] = "?(.*)" // takes the slash before it, too
		case strings.Contains(p, "*"):
			// The rest is not escaped: it is part of the expression.
			parts[i] = strings.ReplaceAll(p, "*", "(.*)")
		default:
			parts[i] = regexp.QuoteMeta(p)
		}
	}
	pattern := "^/" + strings.Join(parts, "/") + "/?$"
	if !unicodeSyntax(pattern) {
		return fmt.Errorf("lone bracket in %q", pattern)
	}
	var err error
	r.re, err = regexp.Compile("(?i)" + pattern)
	return err
}

// netlifyHead is what the key of every path begins with that a rule of these
// segments matches: the whole segments before the first with a wildcard, and of
// that what is no part of an expression.
func netlifyHead(parts []string) string {
	head := ""
	if strings.Contains(strings.Join(parts, ""), "|") {
		return head // may part the whole expression
	}
	for _, p := range parts {
		if p[0] == ':' || p == "*" || !ascii(p) {
			break
		}
		if plain := literal(p, "*"); plain != p {
			if plain != "" && simpleRE.MatchString(plain) {
				head += "/" + plain // an empty one may match without the slash, as a key has it
			}
			break
		}
		head += "/" + p
	}
	return strings.ToLower(head)
}

// simpleRE are texts that mean themselves as an expression.
var simpleRE = regexp.MustCompile(`^[-0-9A-Za-z_~%]*$`)

// unicodeSyntax reports whether an expression obeys the rules of JavaScript's u
// flag where Go is more lenient: no lone ] { or }, no escape of a letter that
// means nothing (https://tc39.es/ecma262/#prod-SyntaxCharacter).
func unicodeSyntax(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
			if i == len(s) || strings.IndexByte(`^$\.*+?()[]{}|/dDwWsSbBfnrtv`, s[i]) < 0 {
				return false
			}
		case '[':
			for i++; i < len(s) && s[i] != ']'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			if i >= len(s) {
				return false
			}
		case '{':
			m := countRE.FindString(s[i:])
			if m == "" {
				return false
			}
			i += len(m) - 1
		case ']', '}':
			return false
		}
	}
	return true
}

var countRE = regexp.MustCompile(`^\{[0-9]+(,[0-9]*)?\}`)

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func (netlify) rule(path string) (*Rule, error) {
	r := &Rule{Path: path}
	return r, r.compileNetlify()
}

func (n netlify) Match(r *Rule, _, path string) bool {
	if r.exact != "" {
		return r.exact == n.key(path)
	}
	return r.re != nil && r.re.MatchString(path)
}

func (n netlify) matching(f *File, host, path string) []*Rule {
	return f.find(n.key(path), func(r *Rule) bool { return n.Match(r, host, path) })
}

func (n netlify) Values(f *File, host, path string) []robotstag.Value {
	return n.combine(n.matching(f, host, path), host, path)
}

// combine follows headersForPath (https://github.com/netlify/cli
// src/utils/headers.ts): the rules' headers are assigned to one object, later
// ones over earlier ones, and names of different case are different members.
// When the members are set as headers, the last one of a name wins.
func (netlify) combine(rules []*Rule, _, _ string) []robotstag.Value {
	var names []string
	values := make(map[string][]robotstag.Value)
	for _, r := range rules {
		fresh := make(map[string]bool)
		for _, h := range r.Headers {
			if !isRobots(h.Name) {
				continue
			}
			if !fresh[h.Name] {
				fresh[h.Name] = true
				if !slices.Contains(names, h.Name) {
					names = append(names, h.Name)
				}
				values[h.Name] = nil
			}
			values[h.Name] = append(values[h.Name], robotstag.Value{Text: h.Value, Name: h.Name, Line: h.Line})
		}
	}
	if len(names) == 0 {
		return nil
	}
	return values[names[len(names)-1]]
}

// forms: Netlify serves every spelling with 200. Its emulator matches rules
// with the file's own path, its servers may with the path as requested: both
// must be right.
func (netlify) forms(path string, at int) (served, redirected []string) {
	if path[at:] == "index.html" {
		if at == 1 {
			return []string{path[:at], path}, nil
		}
		return []string{path[:at], path[:at-1], path}, nil
	}
	if stem, ok := strings.CutSuffix(path, ".html"); ok && len(stem) > at {
		slashed := stem + "/"
		return []string{slashed[:len(stem)], slashed, path}, nil
	}
	return []string{path}, nil
}

// key: the expression of a rule ignores letter case and one trailing slash.
func (netlify) key(path string) string {
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return strings.ToLower(path)
}

// nameable: a segment that begins with a colon or holds a star is a wildcard.
func (netlify) nameable(path string) bool {
	return ascii(path) && !strings.Contains(path, "*") && !strings.Contains(path, "/:") && !strings.Contains(path, "//")
}

// starrable: the text of a segment that holds a star is not escaped, and an
// empty segment is dropped.
func (n netlify) starrable(text string) bool {
	return n.nameable(text) && simpleRE.MatchString(text[strings.LastIndexByte(text, '/')+1:])
}

// hasSuffix: the dot is any character, even the slash before a name.
func (n netlify) hasSuffix(path, suffix string) bool {
	rest, ok := strings.CutSuffix(n.key(path), strings.ToLower(suffix))
	return ok && len(rest) > 1
}
