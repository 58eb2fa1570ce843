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
	literal string         // the longest text that stands behind it in every match
	pattern *regexp.Regexp // nil without wildcards
}

var (
	globTokens = regexp.MustCompile(`/\*\*/?|[*{},]|[^*{},/]+|/`)
	misplaced  = regexp.MustCompile(`[^/]\*\*|\*\*[^/},]`)
)

// ParseGlob reads a glob. It must start with a slash.
func ParseGlob(text string) (Glob, error) {
	g := Glob{text: text}
	invalid := func(format string, args ...any) (Glob, error) {
		return g, fmt.Errorf("glob %q"+format, append([]any{text}, args...)...)
	}
	if !strings.HasPrefix(text, "/") {
		meant := "/" + text
		if strings.HasPrefix(text, "*") && !strings.Contains(text, "/") {
			meant = "/**/" + text // a kind of file, wherever it lies
		}
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			meant = cmp.Or(u.Path, "/") // globs know no hosts
		}
		return invalid(" must start with a slash: did you mean %q?", meant)
	}
	once := text
	for strings.Contains(once, "/**/**") {
		once = strings.ReplaceAll(once, "/**/**", "/**")
	}
	depth, unopened, wild, last, run := 0, false, false, "", ""
	alone := !misplaced.MatchString(text)
	pattern := globTokens.ReplaceAllStringFunc(once, func(token string) string {
		before := last
		last = token
		switch run += token; {
		case depth > 0 || strings.ContainsAny(token, "*{}"):
			run, wild = "", true
		case wild && len(run) > len(g.literal):
			g.literal = run
		}
		switch token {
		case "/**/":
			return "/(?:.*/)?"
		case "/**":
			return "/.*"
		case "*":
			return "[^/]*"
		case "{":
			depth++
			return "(?:"
		case "}":
			depth--
			unopened = unopened || depth < 0
			return ")"
		case ",":
			if depth > 0 {
				return "|"
			}
			alone = alone && before != "/**"
		}
		return regexp.QuoteMeta(token)
	})
	switch {
	case !alone:
		return invalid(": ** stands alone between slashes; did you mean %q?", strings.Replace(text, "**", "**/*", 1))
	case unopened:
		return invalid(" closes a brace that it does not open")
	case depth > 0:
		return invalid(" does not close a brace")
	}
	if !wild {
		g.prefix = text
		return g, nil
	}
	g.prefix = text[:strings.IndexAny(text, "*{")]
	var err error
	if g.pattern, err = regexp.Compile("^(?s:" + pattern + ")$"); err != nil {
		return invalid(": %v", err)
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
func (g Glob) Match(p Path) bool { return g.matches(p.File) || p.URL != p.File && g.matches(p.URL) }

func (g Glob) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, g.prefix)
	if !ok || g.pattern != nil {
		return ok && strings.Contains(rest, g.literal) && g.pattern.MatchString(path)
	}
	return rest == "" || rest == "/" || rest == ".html" || rest == "/index.html"
}
