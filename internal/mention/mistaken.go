package mention

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// A Mistake is a line that sets a header which no crawler reads, and that seems to be meant for
// crawlers, since its name or its value says so.
type Mistake struct {
	Number int
	// Header is its name as it is written, Value what it is set to, and Meant the header that
	// crawlers read.
	Header, Value, Meant string
}

// A form is a way in which files set headers. It has two groups: the name, and the value with its
// quotes.
type form struct {
	pattern *lazyregexp.Regexp
	// isSure says that nothing but a header is set in this form, in a file that is not loose. In any
	// other form the name has to tell that it is one: ROBOTS = "noindex" may be a variable.
	isSure bool
	// valueFirst says that the value is the first group.
	valueFirst bool
}

const (
	nameOfHeader = "([^\\s\"'`:=,;{}()<>\\[\\]$%@/+*#|]+)"
	quoted       = "\"[^\"\\n]*\"|'[^'\\n]*'|`[^`\\n]*`"
)

// everywhere are the forms that mean the same in any file:
//
//	"key": "X-Robots", "value": "noindex"     Vercel, Firebase, Amplify, Render; IIS without the colon
//	Header set X-Robots "noindex"             Apache; nginx add_header, Caddy header /path
//	headers.set("X-Robots", "noindex")        code
//	header("X-Robots: noindex")               PHP
//	"X-Robots": "noindex"                     Azure, code; TOML with =
//	X-Robots: noindex                         YAML
var everywhere = []form{
	{lazyregexp.New(`(?i)\b(?:key|name|header)["']?\s*[:=]\s*["']?` + nameOfHeader + `["']?\s*[,\s]\s*["']?value["']?\s*` +
		`[:=]\s*(` + quoted + `|[^\s"'{\[][^\n]*)`), true, false},
	{lazyregexp.New(`(?i)\bvalue["']?\s*[:=]\s*(` + quoted + `)\s*[,\s]\s*["']?(?:key|name|header)["']?\s*[:=]\s*` +
		`["']` + nameOfHeader), true, true},
	{lazyregexp.New(`(?im)(?:\bheader[ \t]+(?:(?:always|onsuccess)[ \t]+)?(?:set|add|append|merge|setifempty)|` +
		`\badd_header|\bmore_set_headers|^[ \t]*header(?:[ \t]+[/*@]\S*)?)[ \t]+["']?[+>?]?` + nameOfHeader +
		`["']?[: \t][ \t]*(` + quoted + `|[^\s"';]+)`), true, false},
	{lazyregexp.New("(?i)(?:headers\\.(?:set|append)|\\bsetHeader|\\.header)\\(\\s*[\"'`]" + nameOfHeader +
		"[\"'`]\\s*,\\s*(" + quoted + ")"), true, false},
	{lazyregexp.New("\\bheader\\(\\s*[\"']" + nameOfHeader + ":[ \\t]*([^\"'\\n]+)[\"']"), true, false},
	{lazyregexp.New("(?m)(?:^|[{,])\\s*[\"'`]?" + nameOfHeader + "[\"'`]?[ \\t]*[:=][ \\t]*\\[?[ \\t]*(" +
		quoted + ")"), false, false},
	{lazyregexp.New(`(?m)^[ \t-]*` + nameOfHeader + `:[ \t]+([^\s"'{\[#][^\n]*)`), false, false},
}

// Forms of the files of some readers.
var (
	inHeadersFile = form{lazyregexp.New(`(?m)^[ \t]*([^:\n]+?)[ \t]*:[ \t]*([^\n]+)`), true, false}
	inCaddyBlock  = form{lazyregexp.New(`(?m)^[ \t]+[+>?]?` + nameOfHeader + `[ \t]+(` +
		quoted + `|[^\s"'{]+)[ \t]*$`), false, false}
)

// Mistakes returns the lines of a text that set a mistaken header and restrict something by it, in
// their order. Comments do not count, nor does what metarobots wrote between its marks.
func (r *Reader) Mistakes(text []byte) (all []Mistake) {
	if !hasSign(text) {
		return nil
	}
	lines := marks.Read(r.comments(text)).Lines
	var owners strings.Builder
	for _, l := range lines {
		owners.WriteString(l.Text)
	}
	parts := around(owners.String())
	for _, f := range r.forms() {
		for _, m := range mistakesIn(owners.String(), parts, &f) {
			m.Number = lines[m.Number].Number
			isKnown := func(k Mistake) bool { return k.Number == m.Number && k.Header == m.Header }
			if !slices.ContainsFunc(all, isKnown) {
				all = append(all, m)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Number < all[j].Number })
	return all
}

// forms are those in which a file of the reader's may set a header.
func (r *Reader) forms() []form {
	all := slices.Clone(everywhere)
	switch r.Names[0] {
	case "_headers":
		all = []form{inHeadersFile}
	case "Caddyfile":
		all = append(all, inCaddyBlock)
	}
	for i := range all {
		all[i].isSure = all[i].isSure && !r.IsLoose
	}
	return all
}

// mayMistake finds what each mistaken line has in its name or its value.
var mayMistake = lazyregexp.New(`(?i)rob[a-z]{0,3}t|r[a-z]?bots|max-snippet|unavailable_after|usage|` +
	`signal|tdm|train|no[-_ ]?(?:index|follow|archive|snippet|imageindex|imageai|ai\b|ml\b)`)

// signs are texts in lower case: what mayMistake finds has one of them. To look for these takes a
// hundredth of the time of the expression, and files of data are large.
var signs = [][]byte{[]byte("rob"), []byte("bots"), []byte("max-snippet"), []byte("unavailable_after"), []byte("usage"),
	[]byte("signal"), []byte("tdm"), []byte("train"), []byte("index"), []byte("follow"), []byte("archive"),
	[]byte("snippet"), []byte("imageai"), []byte("noai"), []byte("no-ai"), []byte("no_ai"), []byte("no ai"),
	[]byte("noml"), []byte("no-ml"), []byte("no_ml"), []byte("no ml")}

// hasSign reports whether a text has one of the signs.
func hasSign(text []byte) bool {
	lower := asciiLower(text)
	return slices.ContainsFunc(signs, func(sign []byte) bool { return bytes.Contains(lower, sign) })
}

// asciiLower is a text with the letters of ASCII in lower case: each byte keeps its place.
func asciiLower(text []byte) []byte {
	lower := bytes.Clone(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}

// around are the parts of a text in which a mistake may be, from the begin of a line to the end of
// one: a name and its value are on one line, or the value is on the next.
func around(text string) (parts [][2]int) {
	lower, begins := asciiLower([]byte(text)), map[int]bool{}
	for _, sign := range signs {
		for at := 0; ; {
			next := bytes.Index(lower[at:], sign)
			if next < 0 {
				break
			}
			begins[lineBegin(text, at+next)] = true
			at = lineEnd(text, at+next)
		}
	}
	for _, begin := range slices.Sorted(maps.Keys(begins)) {
		end := lineEnd(text, begin)
		if !mayMistake.MatchString(text[begin:end]) {
			continue
		}
		from, to := lineBegin(text, begin-1), lineEnd(text, end+1)
		if last := len(parts) - 1; last >= 0 && from <= parts[last][1] {
			parts[last][1] = to
		} else {
			parts = append(parts, [2]int{from, to})
		}
	}
	return parts
}

// lineBegin and lineEnd are where the line around an offset begins, and where it ends.
func lineBegin(text string, at int) int { return strings.LastIndexByte(text[:max(0, at)], '\n') + 1 }

func lineEnd(text string, at int) int {
	at = min(at, len(text))
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(text)
}

// mistakesIn are the mistakes of one form, each with the index of its line in place of the number.
// parts are those that are searched.
func mistakesIn(text string, parts [][2]int, f *form) (all []Mistake) {
	line, counted := 0, 0
	for _, part := range parts {
		for _, at := range f.pattern.FindAllStringSubmatchIndex(text[part[0]:part[1]], -1) {
			for i := range at {
				at[i] += part[0]
			}
			if m, ok := f.mistakeAt(text, at); ok {
				line += strings.Count(text[counted:at[2]], "\n")
				counted = at[2]
				m.Number = line
				all = append(all, m)
			}
		}
	}
	return all
}

// mistakeAt reads what the form has found in a text: at has the offsets of its name and its value.
func (f *form) mistakeAt(text string, at []int) (m Mistake, ok bool) {
	written, value := text[at[2]:at[3]], text[at[4]:at[5]]
	if f.valueFirst {
		written, value = value, written
	}
	if !mayMistake.MatchString(text[at[2]:at[5]]) { // the line beside has the sign
		return Mistake{}, false
	}
	value = strings.TrimSpace(strings.Trim(strings.TrimSpace(value), "\"'`"))
	name := strings.Trim(written, "\"'`-* \t")
	if i := slices.IndexFunc(Headers, func(h string) bool { return strings.EqualFold(h, name) }); i >= 0 && name != written {
		restricts, _, _ := restricting(value) // "X-Robots-Tag" with its quotation marks is another name
		return Mistake{Header: written, Value: value, Meant: Headers[i]}, restricts || i > 0
	}
	meant := meantBy(name, value, true)
	if meant != "" && !f.isSure { // what is around it is looked at for few names only
		meant = meantBy(name, value, isAmongHeaders(text[:at[2]]))
	}
	return Mistake{Header: name, Value: value, Meant: meant}, meant != ""
}

// isAmongHeaders reports whether what follows a text is a member of an object or a table of
// headers: "headers": {, or [headers.values].
func isAmongHeaders(before string) bool {
	const most = 10_000 // an object of headers is no longer
	depth := 0
	before = before[max(0, len(before)-most):]
	for i, c := range slices.Backward([]byte(before)) {
		switch c {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				return opensHeaders.MatchString(before[max(0, i-40):i])
			}
		case '[':
			isTable := i == 0 || before[i-1] == '\n'
			if line, _, _ := strings.Cut(before[i:], "\n"); isTable {
				return tableOfHeaders.MatchString(line)
			}
		}
	}
	return false
}

var (
	opensHeaders   = lazyregexp.New(`(?i)(?:headers|\bvalues)["']?\s*[:=(]\s*$`)
	tableOfHeaders = lazyregexp.New(`(?i)^\[[^\]]*headers(?:\.values)?\]`)
)

// meantBy returns the header that is most likely meant by one of another name, if its value
// restricts anything; "" for none. Without isSure it may be something else than a header, unless
// its name has a hyphen and is nearly one that crawlers read.
//
//	X-Robot-Tag: noindex        X-Robots-Tag   Robots-Tag, X-Robots and Robots too
//	X-Search: noindex           X-Robots-Tag   if it is sure
//	X-Noindex: true             X-Robots-Tag   if it is sure
//	Content-Usages: train-ai=n  Content-Usage  AI: train-ai=n too, if it is sure
//	Cache-Control: none         none           and any value that other headers have too
//	Cache-Tag: noindex          none           it is for a cache
func meantBy(name, value string, isSure bool) (meant string) {
	isHeader := func(h string) bool { return strings.EqualFold(h, name) }
	isNamed := isSure || strings.Contains(name, "-")
	if !isNamed || slices.ContainsFunc(Headers, isHeader) || isOthers.MatchString(name) {
		return ""
	}
	folded := fold(name)
	for _, h := range Headers[1:] {
		isNear := folded == fold(h) || policy.Near(name, []string{h}) != "" || policy.Near(name, []string{"X-" + h}) != ""
		if header := (robotstag.Header{Name: h}); isNear && !header.Allows(value) {
			return h
		}
	}
	restricts, isWhole, isCommon := restricting(value)
	// What is left of X-Robots-Tag, Robots-Tag, X-Robots, X-Meta-Robots and their like.
	core := affixes.ReplaceAllString(folded, "")
	isNear := folded == fold(robotstag.Name) || core == "robot" || core == "robots" ||
		policy.Near(name, Headers[:1]) != ""
	switch {
	case isNear && (restricts || strings.ContainsAny(value, "$%{")): // a variable may hold anything
	case restricts && isWhole && !isCommon && (isSure || strings.Contains(folded, "robot")):
	case isSure && isTrue.MatchString(value) && isDirective(folded):
	case isSure && deniesAI.MatchString(value):
		if strings.Contains(value, "=no") {
			return "Content-Signal"
		}
		return "Content-Usage"
	default:
		return ""
	}
	return robotstag.Name
}

// fold is a name in lower case, without what is no letter or digit and without an X- at its begin.
func fold(name string) string {
	letters := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	return strings.TrimPrefix(strings.Map(letters, name), "x")
}

var (
	// isOthers finds headers whose value is any text: the names by which a cache is emptied.
	isOthers = lazyregexp.New(`(?i)cache|surrogate|^(?:xkey|link)$`)
	affixes  = lazyregexp.New(`^(?:x|meta|http)+|(?:tags?|meta|headers?|directives?)$`)
	isTrue   = lazyregexp.New(`(?i)^(?:true|yes|on|1)$`)
	// deniesAI finds a dictionary that denies AI something in the words of one of its headers.
	// https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/, https://contentsignals.org/
	deniesAI = lazyregexp.New(`(?i)^(?:[\w-]+=[\w-]+[\s,;]+)*(?:train-ai=n|ai-(?:train|input)=no)` +
		`(?:[\s,;]+[\w-]+=[\w-]+)*$`)
	// isOfRobots finds a directive that nothing but robots tags and headers has as a value.
	isOfRobots = lazyregexp.New(`(?i)\b(?:no-?_? ?index|no-?follow|noarchive|nosnippet|noimageindex|noai|noimageai|` +
		`noml|max-snippet|unavailable_after)\b`)
)

// restricting reports whether a value restricts something, if it is read as directives. isWhole says
// that it is nothing but directives, and isCommon that other headers have such values too, such as
// none and nocache.
func restricting(value string) (restricts, isWhole, isCommon bool) {
	if len(value) > 1000 || !beginsAsDirectives(value) {
		return false, false, false
	}
	statements, problems := policy.ParseHeader(value, policy.Found, policy.Crawlers{})
	isFault := func(f policy.Finding) bool { return f.ID != "separator" }
	states := func(s policy.Statement) bool { return s.Directives.Restricts() }
	return slices.ContainsFunc(statements, states), !slices.ContainsFunc(problems, isFault), !isOfRobots.MatchString(value)
}

// beginsAsDirectives reports whether the first word of a value is a directive, or a "no" that may
// begin one, or a crawler's name. To read a sentence as directives takes long.
func beginsAsDirectives(value string) bool {
	end := strings.IndexFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("-_", r) })
	if end < 0 {
		end = len(value)
	}
	word := strings.ToLower(value[:end])
	_, _, isDirective := policy.Lookup(word)
	return isDirective || strings.HasPrefix(word, "no") || strings.HasPrefix(value[end:], ":")
}

// isDirective reports whether a folded name is a directive that restricts.
func isDirective(folded string) bool {
	restricts, isWhole, isCommon := restricting(folded)
	return restricts && isWhole && !isCommon
}
