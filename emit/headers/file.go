package headers

import (
	"fmt"
	"regexp"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Rule is one block of a _headers file as an engine keeps it.
type Rule struct {
	// Path is the pattern as the engine keys it: Cloudflare's is a normalised URL path, behind "https://" and the host
	// where a rule has one, Netlify's the line as it stands.
	Path string
	// Host is the host pattern of a Cloudflare full-URL rule; empty for the others.
	Host string
	// Line is where the kept block's path line stands.
	Line int

	has      bool              // it has headers
	values   []robotstag.Value // the lines of the header that the file is read for
	detaches bool              // that header is taken away first

	exact string         // the key of a rule without wildcards; then re is nil
	re    *regexp.Regexp // nil and no exact: never matches
	head  string         // of one with wildcards, what every key that re matches begins with; may be shorter
}

// concerns reports whether a rule brings the header or takes it away.
func (r Rule) concerns() bool { return r.detaches || len(r.values) > 0 }

// target is what a rule's expression is matched with.
func (r *Rule) target(host, path string) string {
	if r.Host != "" {
		return "https://" + hostname(host) + path
	}
	return path
}

// File is a _headers file as one engine reads it.
type File struct {
	// Rules are the rules the engine keeps, in the order it applies them.
	Rules []Rule
	// Count is the number of rules the engine counts against its limit, those past the limit and those a later block
	// replaces included.
	Count int
	// Cut is the line from which the engine drops the rest; 0: none.
	Cut int
	// Findings are about the lines and rules that the engine ignores or misreads.
	Findings []policy.Finding

	// heads are the places of the rules by what every path begins with that they match.
	heads policy.PrefixIndex
}

// index makes the rules ready for look-ups.
func (f *File) index() {
	for i, r := range f.Rules {
		f.heads.Add(r.head+r.exact, i)
	}
}

// candidates returns the places of the rules that may match a request of that key, in the order of the file.
func (f *File) candidates(key string) []int {
	at := f.heads.Of(nil, key)
	slices.Sort(at)
	return at
}

// maxWild is how many bytes of rules with wildcards may have one head: each of them is tried for each request that
// begins with the head.
const maxWild = 32 << 10

// tooWild says that a file cannot be matched within limits.
func (f *File) tooWild() error {
	sizes := make(map[string]int)
	for _, r := range f.Rules {
		if r.re == nil {
			continue
		}
		if sizes[r.head] += len(r.Path); sizes[r.head] > maxWild {
			return fmt.Errorf("line %d: more than %d KB of rules with wildcards begin with %q: "+
				"they are too many to be told apart", r.Line, maxWild>>10, r.head)
		}
	}
	return nil
}
