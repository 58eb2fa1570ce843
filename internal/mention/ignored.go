package mention

import (
	"regexp"
	"slices"
	"strings"
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

// addingPatterns returns the patterns of a folder, by its path from the root of the repository,
// that has a .gitignore, behind those from around it. A pattern that cannot be read ignores
// nothing.
func (all ignored) addingPatterns(folder string, gitignore []byte) ignored {
	all = slices.Clip(all)
	for line := range strings.Lines(string(gitignore)) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.HasSuffix(line, `\ `) {
			line = strings.TrimRight(line, " \t")
		}
		if line == "" || line[0] == '#' {
			continue
		}
		var p ignorePattern
		line, p.takesBack = strings.CutPrefix(line, "!")
		line, p.onlyFolders = strings.CutSuffix(line, "/")
		anywhere := !strings.Contains(line, "/")
		expression := regexp.QuoteMeta(folder)
		if folder != "" {
			expression += "/"
		}
		if anywhere {
			expression += "(?:.*/)?"
		}
		var err error
		p.path, err = regexp.Compile("^" + expression + expressionOf(strings.TrimPrefix(line, "/")) + "$")
		if err == nil {
			all = append(all, p)
		}
	}
	return all
}

// expressionOf translates a pattern of .gitignore to a regular expression, for
// [ignored.addingPatterns], which has taken ! and the slashes at both ends off it. It may not
// compile, as of "[z-a]"; then the pattern ignores nothing.
//
//	*.log     [^/]*\.log       * and ? stay within a name
//	**/tmp    (?:.*/)?tmp      any folders, or none
//	a/**/b    a/(?:.*/)?b      the same between
//	a**/b     a(?:.*/)?b       the same, as Git takes off the text before the first wildcard
//	?a**/b    [^/]a[^/]*[^/]*/b   the same as one *: it follows neither a slash nor text alone
//	a/**      a/.+             all that is in a
//	[ab]      [ab]             one of these characters
//	[!ab]     [^/ab]           any other, except a slash; [^ab] is the same
//	\*        \*               the character itself
func expressionOf(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		before, rest := pattern[:i], pattern[i:]
		isBehindText := !strings.ContainsAny(before, `*?[\`)
		mayMeanFolders := strings.HasSuffix(before, "/") || isBehindText
		switch c := pattern[i]; {
		case mayMeanFolders && strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += len("**/") - 1 // the loop adds 1
		case rest == "/**":
			b.WriteString("/.+")
			i += len("/**") - 1
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[' && strings.Contains(rest, "]"):
			end := strings.IndexByte(rest, ']')
			set := rest[:end+1]
			isNegated := strings.HasPrefix(set, "[!") || strings.HasPrefix(set, "[^")
			switch {
			case isNegated && len(set) == len("[^]"): // it goes on behind this ], and is not read
				set = "[^]"
			case isNegated:
				set = "[^/" + set[len("[^"):]
			}
			b.WriteString(set)
			i += end
		case c == '\\' && len(rest) > 1:
			escaped := rest[1:2]
			b.WriteString(regexp.QuoteMeta(escaped))
			i++
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1])) // a byte, which may be a part of a character
		}
	}
	return b.String()
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
