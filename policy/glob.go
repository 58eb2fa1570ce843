package policy

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// A Glob selects paths from the publish root, percent-decoded, with regard to case, the whole path: * within a
// segment, ** for zero or more segments, {a,b} for either. /x/** matches /x/, not /x. Without a wildcard it also
// matches the forms with /, .html and /index.html (C).
type Glob struct {
	text    string
	prefix  string         // what every match begins with
	pattern *regexp.Regexp // nil without wildcards
}

// ParseGlob reads a glob. It must start with a slash.
func ParseGlob(text string) (Glob, error) {
	g := Glob{text: text}
	if !strings.HasPrefix(text, "/") {
		meant := "/" + text
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			meant = cmp.Or(u.Path, "/") // globs know no hosts
		}
		return g, fmt.Errorf("glob %q must start with a slash: did you mean %q?", text, meant)
	}
	i := strings.IndexAny(text, "*{")
	if i < 0 {
		if strings.Contains(text, "}") {
			return g, fmt.Errorf("glob %q closes a brace that it does not open", text)
		}
		g.prefix = text
		return g, nil
	}
	g.prefix = text[:i]
	var b strings.Builder
	b.WriteString("^(?s:")
	depth := 0
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "/**/"):
			b.WriteString("/(?:.*/)?")
			rest = rest[4:]
			// The slash that closed this ** may open the next: /**/**/.
			for strings.HasPrefix(rest, "**/") {
				rest = rest[3:]
			}
			if rest == "**" {
				b.WriteString(".*")
				rest = ""
			}
		case strings.HasPrefix(rest, "/**") && (rest == "/**" || rest[3] == '}' || rest[3] == ',' && depth > 0):
			b.WriteString("/.*")
			rest = rest[3:]
		case strings.HasPrefix(rest, "**"):
			return g, fmt.Errorf("glob %q: ** stands alone between slashes; did you mean %q?", text,
				strings.Replace(text, "**", "**/*", 1))
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		case rest[0] == '{':
			depth++
			b.WriteString("(?:")
			rest = rest[1:]
		case rest[0] == '}':
			if depth--; depth < 0 {
				return g, fmt.Errorf("glob %q closes a brace that it does not open", text)
			}
			b.WriteString(")")
			rest = rest[1:]
		case rest[0] == ',' && depth > 0:
			b.WriteString("|")
			rest = rest[1:]
		default:
			end := 1 + strings.IndexAny(rest[1:], "/*{},")
			if end == 0 {
				end = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:end]))
			rest = rest[end:]
		}
	}
	if depth > 0 {
		return g, fmt.Errorf("glob %q does not close a brace", text)
	}
	b.WriteString(")$")
	var err error
	if g.pattern, err = regexp.Compile(b.String()); err != nil {
		return g, fmt.Errorf("glob %q: %v", text, err)
	}
	return g, nil
}

// String returns the glob as it was written.
func (g Glob) String() string { return g.text }

// A Path is a published file's path from the publish root, with a leading slash and decoded, and its URL where that
// differs: /x/index.html and /x/, /p.html and /p.
type Path struct{ File, URL string }

// PathOf returns the path of the file; name may lack the leading slash.
func PathOf(name string) Path {
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	if url, ok := strings.CutSuffix(name, "/index.html"); ok {
		return Path{name, url + "/"}
	}
	if url, ok := strings.CutSuffix(name, ".html"); ok {
		return Path{name, url}
	}
	return Path{name, name}
}

// Match reports whether g selects p, by the file or by its URL.
func (g Glob) Match(p Path) bool {
	if !strings.HasPrefix(p.File, g.prefix) && !strings.HasPrefix(p.URL, g.prefix) {
		return false
	}
	if g.pattern == nil {
		return g.literal(p.File) || p.URL != p.File && g.literal(p.URL)
	}
	return g.pattern.MatchString(p.File) || p.URL != p.File && g.pattern.MatchString(p.URL)
}

func (g Glob) literal(path string) bool {
	switch rest, _ := strings.CutPrefix(path, g.prefix); rest {
	case "", "/", ".html", "/index.html":
		return strings.HasPrefix(path, g.prefix)
	}
	return false
}
