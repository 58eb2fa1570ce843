package address

import (
	"net/url"
	"strings"
)

// A bareSet has the characters that stay as they are where a path is percent-encoded.
type bareSet [256]bool

// As encodeURIComponent leaves them (and the slash), and as a URL parser does. ^ is encoded, since
// Cloudflare's rules must spell it %5E. What is sent may be encoded already, and have backslashes.
// https://url.spec.whatwg.org/#path-percent-encode-set
var (
	bareInComponent = bare("-_.~!*'()/")
	bareInURL       = bare("-_.~!*'()/[]|;:@=&+,$")
	bareAsSent      = bare(`-_.~!*'()/[]|;:@=&+,$%\`)
)

// bare is the set of letters, digits and some other characters.
func bare(others string) *bareSet {
	var set bareSet
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" + others) {
		set[c] = true
	}
	return &set
}

const hexDigits = "0123456789ABCDEF"

// encode percent-encodes what is not bare, in upper case.
func encode(path string, bare *bareSet) string {
	at := 0
	for at < len(path) && bare[path[at]] {
		at++
	}
	if at == len(path) { // as nearly always
		return path
	}
	var b strings.Builder
	b.WriteString(path[:at])
	for _, c := range []byte(path[at:]) {
		if bare[c] {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + string(hexDigits[c>>4]) + string(hexDigits[c&15]))
		}
	}
	return b.String()
}

// decode undoes percent-encoding, as hosts do before they look for a file. What is no valid
// encoding stays.
func decode(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// spellings are the ways to encode a decoded path that crawlers use. Hosts decode either, Workers
// redirect the first to the second, and rules tell them apart: a name with one of [ ] | ; : @ = & +
// , $ has two.
func spellings(path string) []string {
	raw, strict := encode(path, bareInURL), encode(path, bareInComponent)
	if raw != strict {
		return []string{raw, strict}
	}
	return []string{raw}
}

// normalize makes of a request path what clients and servers make of it before a file is looked
// for: what has to be encoded is, dot segments are resolved, a backslash is a slash, and slashes
// that follow each other are one.
// https://url.spec.whatwg.org/#path-state
func normalize(path string) string {
	if path = encode(path, bareAsSent); strings.Contains(path, "%2") {
		path = dots.Replace(path)
	}
	path = strings.ReplaceAll(path, `\`, "/")
	if strings.Contains(path, "/.") {
		path = new(url.URL).ResolveReference(&url.URL{Path: path}).Path
	}
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// dots are the encoded dots of dot segments.
var dots = strings.NewReplacer("/%2e%2e/", "/../", "/%2E%2E/", "/../", "/%2e/", "/./", "/%2E/", "/./")

// Folded is what the decoded paths have in common at which one host or another serves the same
// page: /x for /x/, /x/index.html and /x.html. It is for hosts that are known by their answers
// alone, where there is no [Site] to ask: a deployed site, an access log, a server whose
// configuration is nowhere near the site's files.
func Folded(path string) string {
	path = strings.TrimSuffix(path, "/index.html")
	path = strings.TrimSuffix(path, ".html")
	return strings.TrimSuffix(path, "/")
}

// Sibling is the other file of x.html and x/index.html, between which hosts differ at /x; empty for
// any other file.
func Sibling(file string) string {
	if folder, isIndex := strings.CutSuffix(file, "/index.html"); isIndex {
		return folder + ".html"
	} else if stem, isPage := strings.CutSuffix(file, ".html"); isPage {
		return stem + "/index.html"
	}
	return ""
}
