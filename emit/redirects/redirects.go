// Package redirects reads _redirects files as each host does: which request paths lead elsewhere, and what is served
// there. With status 200 a line is a rewrite: what lies at one path is served at another.
package redirects

import "metarobots/internal/lazyregexp"

// wildcard is a star or a placeholder of Cloudflare's.
var wildcard = lazyregexp.New(`\*|:[A-Za-z]\w*`)
