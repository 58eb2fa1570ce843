package servers

import (
	"regexp"
	"testing"
)

// A source that Vercel refuses, and one that Go's expressions do not say, is not read (N8c, N8u). The
// messages of path-to-regexp 6.1 are those of https://github.com/pillarjs/path-to-regexp.
func TestVercel_SourcesThatAreNotRead(t *testing.T) {
	for _, source := range []string{
		// what Vercel refuses
		"/(a", "/a)", "/(.*\\.(pdf|docx))", "/()", "/(?:a)", "/:", "/a*", "/a?", "/+", "/{a", "/a}", "/{:a*}", "/a\\",
		// what looks ahead or behind
		"/((?!a).*)", "/(?<=a)b", "/(a(?=b).*)",
		// what means something else in Go, or nothing
		"/(\\1)", "/(\\u0061)", "/([[:alpha:]])", "/([^]x]+)", "/(a(?i)b)",
		// what no request matches
		"a.pdf", "/\u00fcber.pdf", "/x y.pdf",
	} {
		if expression, isRead := sourceExpression(source); isRead {
			t.Errorf("%s is read as %s", source, expression)
		}
	}
}

// Whatever the source is, reading it ends, and what is read is an expression.
func FuzzVercel_Sources(f *testing.F) {
	for _, source := range []string{"/(.*)\\.(pdf|docx)", "/{:lang/}?about", "/:a*/:b+", "/{-:b}*", "\\", "({:}"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		expression, isRead := sourceExpression(source)
		if _, err := regexp.Compile(expression); isRead && err != nil {
			t.Errorf("%q: %v", source, err)
		}
	})
}
