package headers

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// Parse reads a file as the host does, for one header. It never fails: what the host ignores is in
// the file's Findings.
//
// For Cloudflare it follows parseHeaders.ts and constructConfiguration.ts, for Netlify
// line_parser.ts and normalize.ts.
func (d *Dialect) Parse(file []byte, header string) *Parsed {
	p := parser{dialect: d, file: &Parsed{}, headerName: header}
	for i, line := range splitLines(file) {
		p.line = i + 1
		p.readLine(line)
	}
	p.endBlock()
	if p.file.Cut > 0 {
		p.reportCut()
	}
	if d.adds {
		p.dropReplaced()
	}
	for i, r := range p.file.Rules {
		p.file.heads.Add(r.head+r.exact, i)
		p.file.sets = p.file.sets || len(r.values) > 0
	}
	sort.SliceStable(p.file.Findings, func(i, j int) bool { return p.file.Findings[i].Line < p.file.Findings[j].Line })
	return p.file
}

// parser goes through the lines of a file.
type parser struct {
	dialect    *Dialect
	file       *Parsed
	headerName string // of the header that the file is read for
	line       int    // the number of the line that is read
	// open is the block that headers go to; nil before the first one, and in a dropped one.
	open *Rule
	// isDropped: the host drops the block, so that nothing in it is read or reported.
	isDropped bool
}

// readLine reads one line, trimmed.
func (p *parser) readLine(line string) {
	d := p.dialect
	switch {
	case line == "" || line[0] == '#':
	case d.line > 0 && isLonger(line, d.line):
		p.warn(p.line, "the line is longer than %d characters: %s ignores it", d.line)
	case d.isPath(line):
		p.beginBlock(line)
	case !p.isDropped:
		if why := p.readHeader(line); why != "" {
			p.warn(p.line, "%s: %s ignores the line", why)
		}
	}
}

// reportCut reports from where the host drops the rest of the file, and nothing that is in the
// rest.
func (p *parser) reportCut() {
	f := p.file
	isInRest := func(found policy.Finding) bool { return found.Line >= f.Cut }
	f.Findings = slices.DeleteFunc(f.Findings, isInRest)
	p.warn(f.Cut, "more than %d rules: %s drops the rest of the file", p.dialect.limit)
}

// warn reports what the host makes of a line. The host's name is the last argument of the format.
func (p *parser) warn(line int, format string, args ...any) {
	p.file.Findings = append(p.file.Findings, policy.Finding{ID: "header-syntax",
		Severity: policy.Warning, Line: line,
		Message: fmt.Sprintf(format, append(args, p.dialect.title)...)})
}

// endBlock ends the open block.
func (p *parser) endBlock() {
	r := p.open
	p.open = nil
	switch {
	case r == nil:
	case !r.hasHeaders:
		p.warn(r.Line, "the rule has no headers: %s drops it")
	default:
		p.file.Count++
		if p.file.Cut == 0 {
			p.file.Rules = append(p.file.Rules, *r)
		}
	}
}

// behindPath matches a comment or a second path, as its owner means it, behind a path.
var behindPath = lazyregexp.New(`[ \t][#/]`)

// beginBlock begins a block by its path line.
func (p *parser) beginBlock(line string) {
	// The check precedes the push of the open rule: of a hundred, 101 are kept.
	full := p.dialect.limit > 0 && p.file.Count >= p.dialect.limit
	p.endBlock()
	if full && p.file.Cut == 0 {
		p.file.Cut = p.line
	}
	r, err := p.dialect.ReadRule(line)
	if p.isDropped = err != nil; p.isDropped {
		p.warn(p.line, "%v: %s drops the rule", err)
		return
	}
	r.Line = p.line
	p.open = r
	if behindPath.MatchString(line) {
		p.warn(p.line, "a line holds one path and no comment behind it: %s takes all of it for one path")
	}
	if r.exact == "" && r.re == nil {
		p.warn(p.line, "placeholder names repeat or begin alike: %s never matches the rule")
	}
}

// readHeader reads a line of a block that is neither empty nor a comment nor a path: "Name: value".
// The open block gets the value of the header that the file is read for; of any other header it is
// only noted that the block has one, without which the host would drop the block. It returns why
// the host ignores the line, for the caller's warning. It returns "" if the host reads the line,
// or if readDetach has reported it already.
//
//	X-Robots-Tag: noindex      a value, if the file is read for X-Robots-Tag
//	! X-Robots-Tag             see readDetach
//	https://a.example/*        to Netlify a header of the name https, which is warned of
//	X-Robots-Tag:              "no header value"
func (p *parser) readHeader(line string) (why string) {
	name, text, hasColon := strings.Cut(line, ":")
	if !hasColon {
		return p.readDetach(line)
	}
	value := robotstag.Value{Name: trim(name), Text: trim(text), Line: p.line}
	if why := p.whyIgnored(&value); why != "" {
		return why
	}
	if !p.isCloudflares() {
		value.Text = normalizeCommas(value.Text) // as Netlify sends it: ", " for each comma
		p.warnOfURL(&value)
	}
	p.open.hasHeaders = true
	if isAskedFor := strings.EqualFold(value.Name, p.headerName); isAskedFor {
		value.Block = p.open.Line
		p.open.values = append(p.open.values, value)
	}
	return ""
}

// isCloudflares reports whether the file is read as Cloudflare reads it; else it is as Netlify
// does.
func (p *parser) isCloudflares() bool { return p.dialect.adds }

// whyIgnored returns why the host ignores a header of the line that is read; "" if it does not.
func (p *parser) whyIgnored(value *robotstag.Value) string {
	switch {
	case p.isCloudflares() && strings.Contains(value.Name, " "):
		return "a header name cannot have spaces"
	case value.Name == "":
		return "no header name"
	case value.Text == "":
		return "no header value"
	case p.open == nil:
		return "a header without a path before it"
	}
	return ""
}

// warnOfURL warns of a header that is a URL to whoever wrote it: Netlify has no rules for URLs, and
// reads https://a.example/* as a header of the name https.
func (p *parser) warnOfURL(value *robotstag.Value) {
	isURL := (value.Name == "https" || value.Name == "http") && strings.HasPrefix(value.Text, "//")
	if isURL {
		p.warn(p.line, "full-URL rules are not known: this line and the headers after it fall "+
			"to the block above (%s)")
	}
}

// readDetach reads a line without a colon. With "! Name" Cloudflare takes a header away; Netlify
// ignores the line, which is noted here. It returns why the host ignores any other, as
// [parser.readHeader] does.
func (p *parser) readDetach(line string) (why string) {
	name, isDetach := strings.CutPrefix(line, "! ")
	switch {
	case isDetach && p.isCloudflares() && p.open != nil:
		p.open.hasHeaders = true
		p.open.detaches = p.open.detaches || strings.EqualFold(name, p.headerName)
		return ""
	case line[0] == '!' && !p.isCloudflares():
		p.warn(p.line, "\"! Name\" is not known: %s ignores the line")
		// It is no more than a note, as ours for Cloudflare are such lines.
		p.file.Findings[len(p.file.Findings)-1].Severity = policy.Note
		return ""
	default:
		return "expected a path that begins with / or \"Name: value\""
	}
}

// dropReplaced drops the rules of Cloudflare's that a later block of the same path replaces. That
// one takes their place in the order.
func (p *parser) dropReplaced() {
	const moved = 0 // the line of a rule that is at another place now
	at, rules := make(map[string]int), p.file.Rules
	for i := range rules {
		if place, isAgain := at[rules[i].Path]; isAgain {
			p.warn(rules[place].Line, "a later block has the same path: %s drops this one")
			rules[place], rules[i].Line = rules[i], moved
			continue
		}
		at[rules[i].Path] = i
	}
	p.file.Rules = slices.DeleteFunc(rules, func(r Rule) bool { return r.Line == moved })
}

// isLonger reports whether a text has more than n UTF-16 units, which is what JavaScript counts.
func isLonger(s string, n int) bool { return len(s) > n && len(utf16.Encode([]rune(s))) > n }

// isSpace reports whether JavaScript's trim and \s take the rune for white space. Unlike
// [unicode.IsSpace] that includes a byte order mark and excludes U+0085
// (https://tc39.es/ecma262/#sec-white-space).
func isSpace(r rune) bool { return r == 0xFEFF || r != 0x85 && unicode.IsSpace(r) }

// trim is JavaScript's trim.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// splitLines returns the lines of a text as both engines see them: split at line feeds and trimmed,
// so that CRLF and a byte order mark do no harm, while a lone carriage return ends no line.
func splitLines(file []byte) []string {
	all := strings.Split(strings.ToValidUTF8(string(file), "\uFFFD"), "\n")
	for i, l := range all {
		all[i] = trim(l)
	}
	return all
}

// Rule is one block of a _headers file as an engine keeps it. It matches paths in one of three
// ways: by exact, if it has no wildcards; by its head, if headSuffices; else by re. Head and tail
// only spare paths the expression.
type Rule struct {
	// Path is the pattern as the engine keys it: Cloudflare's is a normalised URL path, behind
	// "https://" and the host where a rule has one, Netlify's the line as it is.
	Path string
	// Host is the host pattern of a Cloudflare full-URL rule; empty for the others.
	Host string
	// Line is that of the kept block's path.
	Line int

	hasHeaders bool
	values     []robotstag.Value // the lines of the header that the file is read for
	detaches   bool              // that header is taken away first

	exact string         // the key of a rule without wildcards; then re is nil
	re    *regexp.Regexp // nil and no exact: never matches
	// documented reports whether a rule with wildcards is for a path as Netlify documents it; nil
	// if that is the same as re.
	documented func(path string) bool
	// head is, of a rule with wildcards, a text with which every key begins that re matches.
	head string
	// headSuffices: re matches every key that begins with the head. Most rules with wildcards are
	// for a folder, and to ask their expressions would take a quarter of the time of a large site.
	headSuffices bool
	// tail is, of a rule with wildcards, a text with which every key ends that re matches.
	tail string
}

// isAboutHeader reports whether a rule brings the header that the file is read for, or takes it
// away.
func (r Rule) isAboutHeader() bool { return r.detaches || len(r.values) > 0 }

// target is what a rule's expression is matched with.
func (r *Rule) target(host, path string) string {
	if r.Host != "" {
		return "https://" + hostname(host) + path
	}
	return path
}

// Parsed is a _headers file as one engine reads it.
type Parsed struct {
	// Rules are the rules the engine keeps, in the order it applies them.
	Rules []Rule
	// Count is the number of rules the engine counts against its limit, those past the limit and
	// those a later block replaces included.
	Count int
	// Cut is the line from which the engine drops the rest; 0: none.
	Cut int
	// Findings are about the lines and rules that the engine ignores or misreads.
	Findings []policy.Finding

	// sets says that a rule sets the header.
	sets bool
	// heads are the places of the rules by what every path begins with that they match.
	heads policy.PrefixIndex
}

// maxWild is how many bytes of rules with wildcards may have one head: each of them is tried for
// each request that begins with the head.
const maxWild = 32 << 10

// tooWild returns an error if the file's rules cannot be matched within limits; nil if they can.
func (f *Parsed) tooWild() error {
	sizes := make(map[string]int)
	for _, r := range f.Rules {
		if r.re == nil {
			continue
		}
		if sizes[r.head] += len(r.Path); sizes[r.head] > maxWild {
			return fmt.Errorf("line %d: more than %d KB of rules with wildcards begin with %q: "+
				"they are too many to be told apart", r.Line, maxWild>>10, r.head)
		}
	}
	return nil
}
