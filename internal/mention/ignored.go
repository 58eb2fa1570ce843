package mention

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/internal/lazyregexp"
)

// ignored are the patterns of a repository's .gitignore files, those of a folder behind those of
// the folders around it.
// https://git-scm.com/docs/gitignore#_pattern_format
type ignored []ignorePattern

type ignorePattern struct {
	// path is what a file's path from the root of the repository is compared with.
	path *regexp.Regexp
	// takesBack says that what matches is not ignored; onlyFolders, that files do not match.
	takesBack, onlyFolders bool
}

// addingPatterns returns the patterns of some folders, and behind them those of one more folder:
// folder is its path from the root of the repository, "" for that itself, and gitignore is the text
// of its .gitignore. The patterns that it is called on stay as they are.
func (all ignored) addingPatterns(folder string, gitignore []byte) ignored {
	all = slices.Clip(all) // so that two folders in one do not append to the same array
	for line := range strings.Lines(string(gitignore)) {
		if p, isPattern := readPattern(folder, line); isPattern {
			all = append(all, p)
		}
	}
	return all
}

// readPattern reads a line of a folder's .gitignore. isPattern is false of an empty line, of a
// comment, and of a pattern that cannot be read: that ignores nothing. With the folder docs, path
// is
//
//	/build/      ^docs/build$          and onlyFolders
//	build        ^docs/(?:.*/)?build$  a name without a slash before it may be in any folder there
//	a/b          ^docs/a/b$
//	!a/b         ^docs/a/b$            and takesBack
func readPattern(folder, line string) (p ignorePattern, isPattern bool) {
	pattern := strings.TrimRight(line, "\r\n")
	if endsInEscapedBlank := strings.HasSuffix(pattern, `\ `); !endsInEscapedBlank {
		pattern = strings.TrimRight(pattern, " \t")
	}
	if pattern == "" || pattern[0] == '#' {
		return p, false
	}
	pattern, p.takesBack = strings.CutPrefix(pattern, "!")
	pattern, p.onlyFolders = strings.CutSuffix(pattern, "/")
	expression := ""
	if folder != "" {
		expression = regexp.QuoteMeta(folder + "/")
	}
	if isForAnyFolder := !strings.Contains(pattern, "/"); isForAnyFolder {
		expression += "(?:.*/)?"
	}
	expression += expressionOf(strings.TrimPrefix(pattern, "/"))
	path, err := regexp.Compile("^" + expression + "$")
	p.path = path
	return p, err == nil
}

// expressionOf translates a pattern of .gitignore to a regular expression, for [readPattern], which
// has taken ! and the slashes at both ends off it. It goes from one piece of the pattern to the
// next: see [nextPiece]. The expression may be none that compiles, as of "[z-a]".
func expressionOf(pattern string) string {
	var all strings.Builder
	for at := 0; at < len(pattern); {
		expression, length := nextPiece(pattern[:at], pattern[at:])
		all.WriteString(expression)
		at += length
	}
	return all.String()
}

// nextPiece translates the piece with which the rest of a pattern begins, and returns its length in
// the pattern. The rest is not empty; before is what comes before it:
//
//	**/   (?:.*/)?   any folders, or none: first, behind a slash, or behind text alone
//	/**   /.+        all that is in a folder: at the end
//	*     [^/]*      a part of a name: so is each of two that are none of the above, as in ?a**/b
//	?     [^/]       a character of a name
//	[ab]  [ab]       one of some characters: see [setPiece]
//	\*    \*         the character itself
//	a     a
//
// Git takes off the text before the first wildcard, and compares that by itself. So to Git a**/b is
// **/b behind an a.
func nextPiece(before, rest string) (expression string, length int) {
	isBehindText := !strings.ContainsAny(before, `*?[\`)
	mayMeanFolders := isBehindText || strings.HasSuffix(before, "/")
	switch {
	case mayMeanFolders && strings.HasPrefix(rest, "**/"):
		return "(?:.*/)?", len("**/")
	case rest == "/**":
		return "/.+", len("/**")
	case rest[0] == '*':
		return "[^/]*", len("*")
	case rest[0] == '?':
		return "[^/]", len("?")
	case rest[0] == '[':
		return setPiece(rest)
	case rest[0] == '\\' && len(rest) > 1:
		return regexp.QuoteMeta(rest[1:2]), len(`\*`)
	}
	return regexp.QuoteMeta(rest[:1]), 1 // a byte, which may be a part of a character
}

// setAtStart finds a set of characters with which a text begins: the sign that negates it, and its
// items. A ] that is the first item does not end it; if no other ] follows, the items are empty.
var setAtStart = lazyregexp.New(`(?s)^\[([!^]?)(\]?(?:[^\]\\]|\\.)*)\]`)

// unreadable is an expression that does not compile, whatever comes before it and after it here.
const unreadable = "("

// setPiece is [nextPiece] for a text that begins with [. A set without an end, which matches
// nothing to Git, and one with a class such as [:alpha:] make the pattern unreadable.
//
//	[a-c]   [a-c]
//	[!ab]   [^/ab]     any other character of a name, and so no slash; [^ab] is the same
//	[!-a]   [^/\-a]    a first - is the character itself, and makes no range
//	[]a]    [\]a]      ] or a
//	[\d]    [d]        the character itself, as outside of a set
//	[--1]   [\x00\x2d\x2e\x30\x31]   from - to 1, without the slash: no set matches one
//	[!]     (          no end, since a first ] is an item; so is []
func setPiece(rest string) (expression string, length int) {
	found := setAtStart.FindStringSubmatch(rest)
	if found == nil || found[2] == "" || strings.Contains(found[2], "[:") {
		return unreadable, len(rest)
	}
	whole, isNegated, items := found[0], found[1] != "", found[2]
	expression = "["
	if isNegated {
		expression = "[^/"
	}
	for i := 0; i < len(items); i++ {
		isEscaped := items[i] == '\\'
		if isEscaped {
			i++
		}
		isOfRange := items[i] == '-' && !isEscaped && i > 0
		if isLetterOrDigit(items[i]) || items[i] >= utf8.RuneSelf || isOfRange {
			expression += items[i : i+1]
		} else {
			expression += `\` + items[i:i+1]
		}
	}
	return withoutSlash(expression + "]"), len(whole)
}

// withoutSlash returns a set that matches no slash: the set itself, or the other characters of ASCII
// that it matches, one by one. NUL, which is in no name, keeps the set from being empty.
func withoutSlash(set string) string {
	matches, err := regexp.Compile(set)
	if err != nil || !matches.MatchString("/") {
		return set
	}
	listed := `[\x00`
	for c := byte(1); c < utf8.RuneSelf; c++ {
		if c != '/' && matches.Match([]byte{c}) {
			listed += fmt.Sprintf(`\x%02x`, c)
		}
	}
	return listed + "]"
}

// isLetterOrDigit reports whether a byte is one of ASCII's.
func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// ignores reports whether a file or folder is ignored: the last pattern that matches counts. Its
// folders are not asked about.
func (all ignored) ignores(name string, isFolder bool) bool {
	for _, p := range slices.Backward(all) {
		if (isFolder || !p.onlyFolders) && p.path.MatchString(name) {
			return !p.takesBack
		}
	}
	return false
}
