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
	path := publishPath
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	served, redirected = spelledForms(d, path, bareFirst)
	if strings.ContainsAny(path, bareFirst[len(bareBoth):]) {
		s, r := spelledForms(d, path, bareBoth)
		served, redirected = append(served, s...), append(redirected, r...)
	}
	return served, redirected
}

func spelledForms(d Dialect, path, bare string) (served, redirected []string) {
	path = escapePath(path, bare)
	return d.forms(path, strings.LastIndexByte(path, '/')+1)
}

// The characters left bare: first as a URL parser leaves them, then as
// encodeURIComponent does.
const (
	bareFirst = bareBoth + "[]|;:@=&+,$"
	bareBoth  = "-_.~!*'()/"
)

// escapePath percent-encodes a decoded path, upper hex, but for letters, digits
// and the characters of bare. It encodes ^, which Cloudflare's rules must spell %5E.
func escapePath(p, bare string) string {
	isBare := func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(bare, c) >= 0
	}
	plain := 0
	for plain < len(p) && isBare(p[plain]) {
		plain++
	}
	if plain == len(p) {
		return p
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if c := p[i]; isBare(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
