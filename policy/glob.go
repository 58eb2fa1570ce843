package policy

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Glob selects paths from the publish root, percent-decoded, with regard to case, the whole path:
// * within a segment, ** for zero or more segments, {a,b} for either. /x/** matches /x/, not /x.
// Without a wildcard it also matches the forms with /, .html and /index.html (C).
type Glob struct {
	text           string
	prefix, suffix string         // what every match begins and ends with
	pattern        *regexp.Regexp // nil without wildcards
}

// or stands for a comma within braces, which separates two alternatives. A comma outside of braces
// is a comma of the path. No path has this character.
const or = "\x00"

var (
	// wildcards turn a glob, quoted by [regexp.QuoteMeta] and with its commas marked, into an
	// expression.
	wildcards = strings.NewReplacer(`/\*\*/`, "/(?:.*/)?", `/\*\*`, "/.*", `\*`, "[^/]*",
		`\{`, "(?:", `\}`, ")", or, "|")
	// misplaced are ** with something else before or after them in their segment: /a**, /**.html.
	misplaced = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[^/]\*\*|\*\*[^/}` + or + `]`)
	})
)

// ParseGlob reads a glob, or returns an error that names it and says what is wrong, with the glob
// that is likely meant. These are errors: a text without a slash at its beginning, a ** that is not
// alone between slashes, a brace without its other, a zero byte. ?, [ and \ mean themselves.
//
//	/a/x.pdf                 no expression: [Glob.matches] compares the text, which is the prefix
//	/a/{b,c*}/**/x.pdf       ^(?s:/a/(?:b|c[^/]*)/(?:.*/)?x\.pdf)$
//	                         prefix /a/, suffix /x.pdf, which spare most paths the expression
func ParseGlob(text string) (Glob, error) {
	if err := checkGlob(text); err != nil {
		return Glob{}, fmt.Errorf("glob %q%w", text, err)
	}
	if !strings.ContainsAny(text, "*{") {
		return Glob{text: text, prefix: text}, nil
	}
	marked, _ := markAlternatives(text)
	// /**/** means what /** does, and wildcards would not know the second: the first takes its
	// slash.
	for strings.Contains(marked, "/**/**") {
		marked = strings.ReplaceAll(marked, "/**/**", "/**")
	}
	pattern, err := regexp.Compile("^(?s:" + wildcards.Replace(regexp.QuoteMeta(marked)) + ")$")
	if err != nil { // such as one that is too large
		return Glob{}, fmt.Errorf("glob %q: %w", text, err)
	}
	return Glob{
		text:    text,
		prefix:  text[:strings.IndexAny(text, "*{")],
		suffix:  text[strings.LastIndexAny(text, "*}")+1:],
		pattern: pattern,
	}, nil
}

// checkGlob returns what is wrong with a glob, as its error says it behind the text; nil if nothing
// is.
func checkGlob(text string) error {
	if !strings.HasPrefix(text, "/") {
		return slashMissing(text)
	}
	marked, fault := markAlternatives(text)
	switch {
	case strings.Contains(text, or):
		return errors.New(" holds a character that no path has")
	case misplaced().MatchString(marked):
		return fmt.Errorf(": ** must be alone between slashes; did you mean %q?",
			withStarsAlone(text))
	case fault != "":
		return errors.New(" " + fault)
	}
	return nil
}

// slashMissing is the error of a glob that does not begin with a slash, with what may be meant.
// Folders of the source are named most often by mistake: their files are published without it.
func slashMissing(text string) error {
	for _, folder := range []string{"static/", "public/"} {
		if rest, ok := strings.CutPrefix(text, folder); ok && rest != "" {
			return fmt.Errorf(" must start with a slash: did you mean %q, since files of %s are "+
				"published at the root, or %q?",
				withSlash(rest), folder, withSlash(text))
		}
	}
	return fmt.Errorf(" must start with a slash: did you mean %q?", withSlash(text))
}

// withStarsAlone puts slashes around each ** that shares a segment, for the hint of an error:
//
//	/a**.html    /a*/**/*.html
//	/a**b**/c    /a*/**/*b*/**/c
//	/****/c      /**/c
func withStarsAlone(text string) string {
	segments := strings.Split(text, "/")
	for i, segment := range segments {
		if strings.Contains(segment, "**") && segment != "**" {
			segments[i] = starsApart(segment)
		}
	}
	return strings.Join(segments, "/")
}

// starsApart is withStarsAlone for one segment in which a ** is not alone: a**.html becomes
// a*/**/*.html. What is beside a ** keeps a star on that side, because it was a part of a name.
func starsApart(segment string) string {
	pieces := strings.Split(segment, "**") // what is before, between and behind them
	var parts []string
	for i, piece := range pieces {
		isBehindStars, isBeforeStars := i > 0, i < len(pieces)-1
		isRepeated := len(parts) > 0 && parts[len(parts)-1] == "**" // no name since the ** before
		if isBehindStars && !isRepeated {
			parts = append(parts, "**")
		}
		name := strings.Trim(piece, "*") // a third star, as in a***, says no more than two
		if name == "" {
			continue
		}
		if isBehindStars {
			name = "*" + name
		}
		if isBeforeStars {
			name += "*"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, "/")
}

// withSlash guesses which glob is meant by a text without a slash at its beginning.
func withSlash(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return cmp.Or(u.Path, "/") // globs know no hosts
	}
	if strings.HasPrefix(text, "*") && !strings.Contains(text, "/") {
		return "/**/" + text // a kind of file, wherever it lies
	}
	return "/" + text
}

// markAlternatives writes [or] for each comma within braces, the second one of /a,{b,c}. Braces may
// lie within braces. fault says which brace has no other; it is empty if each has one.
func markAlternatives(text string) (marked string, fault string) {
	depth, bytes := 0, []byte(text)
	for i, c := range bytes {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth > 0:
			bytes[i] = or[0]
		}
		if depth < 0 {
			fault = "closes a brace that it does not open"
		}
	}
	if fault == "" && depth > 0 {
		fault = "does not close a brace"
	}
	return string(bytes), fault
}

// String returns the glob as it was written.
func (g Glob) String() string { return g.text }

// A Path is a published file's path from the publish root, with a leading slash and decoded, and
// its URL where that differs: /x/index.html and /x/, /p.html and /p.
type Path struct{ File, URL string }

// Decoded is the path of a URL without its encoding, or as it is where that cannot be read.
func Decoded(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// PathOf returns the path of the file; name may lack the leading slash.
func PathOf(name string) Path {
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	url, isHTML := strings.CutSuffix(name, ".html")
	if isIndex := isHTML && strings.HasSuffix(url, "/index"); isIndex {
		url = strings.TrimSuffix(url, "index") // its folder
	}
	return Path{name, url}
}

// Match reports whether g selects p, by the file or by its URL.
func (g Glob) Match(p Path) bool { return g.matches(p.File) || p.URL != p.File && g.matches(p.URL) }

// Globs are several, of which one has to match.
type Globs []Glob

// Match reports whether one of the globs selects p.
func (gs Globs) Match(p Path) bool {
	return slices.ContainsFunc(gs, func(g Glob) bool { return g.Match(p) })
}

// matches reports whether the glob matches a path, in one of the forms of [Glob].
func (g Glob) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, g.prefix)
	if !ok || g.pattern != nil {
		return ok && strings.HasSuffix(path, g.suffix) && g.pattern.MatchString(path)
	}
	return rest == "" || rest == "/" || rest == ".html" || rest == "/index.html"
}

// Rest returns a function that says what the last ** of the glob matches in a path: "a/x.pdf" in
// /docs/1.9/a/x.pdf, of /docs/*/**, and "a/" in the same of /docs/*/**/x.pdf. ok is false if the
// glob does not match the path, or has no **.
func (g Glob) Rest() func(path string) (rest string, ok bool) {
	marked, _ := markAlternatives(g.text)
	at := strings.LastIndex(marked, "**")
	if at < 0 {
		return func(string) (string, bool) { return "", false }
	}
	before, last, after := marked[:at], "(.*)", marked[at+len("**"):]
	if slashed, isFolder := strings.CutPrefix(after, "/"); isFolder { // whole folders
		last, after = "((?:.*/)?)", slashed
	}
	expression := func(part string) string { return wildcards.Replace(regexp.QuoteMeta(part)) }
	pattern := regexp.MustCompile("^(?s:" + expression(before) + last + expression(after) + ")$")
	return func(path string) (string, bool) {
		m := pattern.FindStringSubmatch(path)
		if m == nil {
			return "", false
		}
		return m[1], true
	}
}
