package headers

import (
	"fmt"
	"strings"
)

// Forms returns the percent-encoded request paths at which the dialect's host
// answers for a published file: served with status 200, redirected with a
// redirect to one of the served. The path is from the publish root,
// slash-separated and decoded: "posts/a/index.html".
//
// A name with one of [ ] | ; : @ = & + , $ has two spellings, and both count as
// served: Cloudflare Pages serve both, Workers redirect the raw one to the
// encoded one (https://github.com/cloudflare/workers-sdk
// packages/workers-shared/asset-worker), Netlify's emulator knows the raw one and
// its servers are closed.
func Forms(d Dialect, publishPath string) (served, redirected []string) {
	dir, base := "", strings.TrimPrefix(publishPath, "/")
	if i := strings.LastIndexByte(base, '/'); i >= 0 {
		dir, base = base[:i+1], base[i+1:]
	}
	for _, bare := range spellings {
		s, r := d.forms("/"+escapePath(dir, bare), escapePath(base, bare))
		if len(served) > 0 && s[0] == served[0] {
			break // nothing to spell in two ways
		}
		served, redirected = append(served, s...), append(redirected, r...)
	}
	return served, redirected
}

// spellings are the characters left bare: first as a URL parser leaves them,
// then as encodeURIComponent does.
var spellings = []string{"-_.~!*'()/[]|;:@=&+,$", "-_.~!*'()/"}

// escapePath percent-encodes a decoded path, upper hex, but for letters, digits
// and the characters of bare. It encodes ^, which Cloudflare's rules must spell %5E.
func escapePath(p, bare string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		c := p[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(bare, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
