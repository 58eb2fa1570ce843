package robotstag

import (
	"slices"
	"strings"

	"metarobots/internal/address"
)

// Header is a response header that rules are written for. How the values of two rules for one path
// combine is the host's affair.
type Header struct {
	Name string
	// Join keeps what the user's rules say: a wanted value is served behind it, joined by ", ".
	// Without Join it is all that is served.
	Join bool
	// Same reports whether two values say the same; nil means that only equal values do. It takes
	// the lines of an answer as [Sent.String] has them, too.
	Same func(a, b string) bool
	// Preview is what Cloudflare's preview hosts send of the header until a rule sets it; empty for
	// nothing.
	Preview string
}

// XRobotsTag returns the header that carries robots directives for any file. It remembers what it
// has compared, because many files ask for the same two values, and is for one goroutine.
// Cloudflare's preview hosts, *.*.pages.dev, send noindex
// (https://github.com/cloudflare/workers-sdk packages/pages-shared/asset-server/handler.ts).
func XRobotsTag() Header {
	compared := make(map[[2]string]bool)
	return Header{Name: Name, Preview: "noindex", Same: func(a, b string) bool {
		same, known := compared[[2]string{a, b}]
		if !known {
			same = Same(a, b)
			compared[[2]string{a, b}] = same
		}
		return same
	}}
}

// Is reports whether a name of a header is this one's, in any case.
func (h Header) Is(name string) bool { return strings.EqualFold(name, h.Name) }

// Allows reports whether a value of the header restricts nobody. A value that is not known to allow
// may deny.
func (h Header) Allows(value string) bool {
	switch strings.ToLower(h.Name) {
	case "link":
		links, ok := ParseLinks(value)
		return ok && !slices.ContainsFunc(links, func(l Link) bool { return l.Is("license") })
	case "content-usage", "content-signal":
		return !strings.Contains(value, "=n")
	case "tdm-reservation":
		return value == "0"
	}
	return false
}

// Equal reports whether two values say the same.
func (h Header) Equal(a, b string) bool { return a == b || h.Same != nil && h.Same(a, b) }

// Demand is a header, and what each published file is to be served with of it. Of several demands
// the first is for [XRobotsTag], and the others are for headers of other names.
type Demand struct {
	Header Header
	Wants  []Want
}

// Want is what one published file is to be served with.
type Want struct {
	// Path is from the publish root, slash-separated, decoded: "posts/a/index.html".
	Path string
	// Source is the encoded request path of a rewrite at which the host serves the file; empty is
	// for the file's other addresses. What the owner's rules state there holds there alone, so that
	// it is a want of its own.
	Source string
	// URL is the file's encoded path, for findings.
	URL string
	// Values are the lines of the header that are wanted, of X-Robots-Tag the generic one first.
	// None: no line of ours may reach the file.
	Values []string
	// HTML says that the file's meta tags tell every crawler what the values say.
	HTML bool
	// Untagged says that its meta tags tell everyone else, and not some crawlers that read headers
	// alone. HTML is false then.
	Untagged bool
	// Free says that any header will do: control files, redirects, error pages.
	Free bool
	// Found says that the user's own rules already give this set, however they write it, in every
	// way in which a host may send them. It is believed where all the file's request paths get the
	// same.
	Found bool
	// Spare says that the values are wanted only where they cost no rule: see [DenyFirst].
	Spare bool
}

// IsFor reports whether a want with a source, or with none, is for an address of its file.
func IsFor(source string, a *address.Address) bool {
	if source == "" {
		return a.Serves() && a.By != address.Rewritten
	}
	return a.Serves() && a.Path == source
}

// Wanting are the wants of files that are to get a value.
func Wanting(wants []Want) []Want {
	return slices.DeleteFunc(slices.Clone(wants), func(w Want) bool { return w.Free || len(w.Values) == 0 })
}

// Value is one header line of a rule, or one X-Robots-Tag line that a response carries.
type Value struct {
	// Text is the value as it is kept, or served.
	Text string
	// Name is the header's name as written, trimmed.
	Name string
	// Line is the line of the host's file, from 1, and Block that of the block of _headers in which
	// it is; 0 in other files.
	Line, Block int
	// File is where the owner wrote it, for messages. What reads one file leaves it empty.
	File string
}
