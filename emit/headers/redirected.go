package headers

import (
	"bytes"
	"regexp"
)

// notFound is a line of _redirects that answers that there is nothing.
// https://docs.netlify.com/routing/redirects/redirect-options/#custom-404-page-handling
var notFound = regexp.MustCompile(`\s4\d\d!?(\s|$)`)

// Redirected returns a function that reports whether a line of a _redirects file takes an encoded request path for which
// no file is published, be it to send on or to serve something else.
func Redirected(file []byte) func(path string) bool {
	lines, _, _ := readRedirects(file)
	text := bytes.Split(file, []byte("\n"))
	return func(path string) bool {
		first := Cloudflare.matching(lines, "", pathname(path))
		return len(first) > 0 && !notFound.Match(text[first[0].Line-1])
	}
}
