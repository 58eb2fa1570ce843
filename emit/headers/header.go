package headers

import (
	"strings"

	"metarobots/emit/robotstag"
)

// Header is the header that rules are written for. What each file wants of it is in the [robotstag.Want]s, and how
// the values of two rules for one path combine is the host's affair: see [Dialect].
type Header struct {
	Name string
	// Join keeps what the user's rules say: a wanted value is served behind it, joined by ", ". Without Join it is all
	// that is served.
	Join bool
	// Same reports whether two values say the same; nil means that only equal values do.
	Same func(a, b string) bool
	// Preview is what Cloudflare's preview hosts send of the header until a rule sets it; empty for nothing.
	Preview string
}

// XRobotsTag is the header that tells crawlers what a tag cannot. Cloudflare's preview hosts, *.*.pages.dev, send
// noindex (https://github.com/cloudflare/workers-sdk packages/pages-shared/asset-server/handler.ts).
var XRobotsTag = Header{Name: robotstag.Name, Same: robotstag.Same, Preview: "noindex"}

// is reports whether a name of a header is this one's, in any case.
func (h Header) is(name string) bool { return strings.EqualFold(name, h.Name) }

// same reports whether two texts say the same.
func (h Header) same(a, b string) bool { return a == b || h.Same != nil && h.Same(a, b) }
