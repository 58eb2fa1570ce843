// Package redirects reads _redirects files as each host does: which request paths lead elsewhere,
// and what is served there. With status 200 a line is a rewrite: what lies at one path is served at
// another.
//
// # Words of this package
//
//   - The source of a rule is the path that it takes, its destination where it leads. A placeholder,
//     :name or *, takes a part of the path, which the destination may repeat as :name or :splat. A
//     source is read if it has no other pattern.
//   - An [address.Route] is a rule as the rest of the program has it. It Rewrites, or it redirects. It
//     may go BeforeFiles, and it IsUncertain if more than the path decides, or what is documented
//     nowhere.
//     It has a mapping of [address.Part]s: texts, and named parts that match a segment or the Rest.
package redirects

import "metarobots/internal/lazyregexp"

// wildcard is a star or a placeholder of Cloudflare's.
var wildcard = lazyregexp.New(`\*|:[A-Za-z]\w*`)

// splat is the name of a star, by which a destination repeats what it takes.
const splat = "splat"
