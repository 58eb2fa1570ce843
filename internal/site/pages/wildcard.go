package pages

import (
	"path"
	"regexp"
	"strings"
)

// wildcard reads a pattern of names as JavaScript's matchers have it: * and ? within a part of a path, ** for any number
// of parts, [abc], [^abc] and {a,b}. It is not ok for one that means more, as !(a), or that is no pattern.
// https://github.com/micromatch/picomatch#globbing-features
func wildcard(pattern string) (*regexp.Regexp, bool) {
	if pattern == "" || strings.HasPrefix(pattern, ".") || strings.Contains(pattern, "/.") || strings.ContainsAny(pattern, `()\`) || strings.Contains(pattern, "..") {
		return nil, false
	}
	var b strings.Builder
	b.WriteString(`^`)
	depth := 0
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		first := i == 0 || pattern[i-1] == '/'
		part := first || pattern[i-1] == '{' || pattern[i-1] == ','
		switch c := rest[0]; {
		case part && strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:[^/.][^/]*/)*`)
			i += 3
		case strings.HasPrefix(rest, "**}"), strings.HasPrefix(rest, "**,"):
			return nil, false
		case part && rest == "**":
			b.WriteString(`(?:[^/.][^/]*(?:/|$))*`)
			i += 2
		case c == '*':
			if first { // what is hidden is named
				b.WriteString(`(?:[^/.][^/]*)?`)
			} else {
				b.WriteString(`[^/]*`)
			}
			for i++; i < len(pattern) && pattern[i] == '*'; i++ {
			}
		case c == '?':
			b.WriteString(`[^/]`)
			i++
		case c == '[':
			end := strings.IndexByte(rest, ']')
			if end < 2 || strings.Contains(rest[1:end], "[") {
				return nil, false
			}
			set := rest[1:end]
			negated := ""
			if set[0] == '^' || set[0] == '!' {
				set, negated = set[1:], "^/"
			}
			if set == "" || set[0] == '-' {
				return nil, false
			}
			b.WriteString(`[` + negated + set + `]`)
			i += end + 1
		case c == '{':
			depth++
			b.WriteString(`(?:`)
			i++
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
			i++
		case c == ',' && depth > 0:
			b.WriteByte('|')
			i++
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
			i++
		}
	}
	if depth > 0 {
		return nil, false
	}
	re, err := regexp.Compile(b.String() + `$`)
	return re, err == nil
}

// steady is the folder in which all is that a pattern matches.
func steady(pattern string) string {
	dir := ""
	for part := range strings.SplitSeq(path.Dir(pattern), "/") {
		if strings.ContainsAny(part, "*?[{(!") || part == "." {
			break
		}
		dir = path.Join(dir, part)
	}
	return dir
}
