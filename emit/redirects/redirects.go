// Package redirects reads _redirects files as each host does: which request paths lead elsewhere, and what is served
// there. With status 200 a line is a rewrite: what lies at one path is served at another.
package redirects

import "regexp"

// wildcard is a star or a placeholder of Cloudflare's.
var wildcard = regexp.MustCompile(`\*|:[A-Za-z]\w*`)
