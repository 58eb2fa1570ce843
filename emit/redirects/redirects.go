// Package redirects reads _redirects files as each host does: which request paths lead elsewhere,
// and what is served there. With status 200 a line is a rewrite: what lies at one path is served at
// another.
//
// # Words of this package
//
//   - The source of a rule is the path that it takes, its destination where it leads. A
//     placeholder, :name or *, takes a part of the path, which the destination may repeat as :name
//     or :splat; wildcard finds Cloudflare's. A source is read if it has no other pattern. Lines
//     are trimmed.
//   - An [address.Route] is a rule as the rest of the program has it. It Rewrites if it serves what
//     is at its destination, redirects there if it does not, and answers with an error if it has
//     none. It goes BeforeFiles if it takes a path at which a file is published, and IsUncertain if
//     more than the path decides, or what is documented nowhere: then it may be carried out or not.
//     It has a mapping of [address.Part]s: texts, and named parts that match one Segment or the
//     Rest.
//   - destinationParts takes a destination apart at the names of its source's placeholders.
//   - A host is one of the site's own: it is given as a name, "a.example", or "" if nobody knows
//     it. Home is a scheme and a host. To lead home is to redirect to the same path there.
package redirects

import "metarobots/internal/lazyregexp"

// wildcard is a star or a placeholder of Cloudflare's.
var wildcard = lazyregexp.New(`\*|:[A-Za-z]\w*`)

// splat is the name of a star, by which a destination repeats what it takes.
const splat = "splat"
