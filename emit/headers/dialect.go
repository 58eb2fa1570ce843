package headers

import (
	"fmt"

	"metarobots/emit/robotstag"
)

// Dialect is one host's reading of a _headers file. There are two,
// [Cloudflare] and [Netlify].
type Dialect interface {
	// Name is "cloudflare" or "netlify".
	Name() string
	// Parse reads a file as the host does. It never fails: what the host
	// ignores is in the file's Findings.
	Parse(text []byte) *File
	// Match reports whether a rule applies to a request for the
	// percent-encoded path at the host. A rule with a host of its own matches
	// no empty host.
	Match(r *Rule, host, path string) bool
	// Values returns the X-Robots-Tag lines of a response for the
	// percent-encoded path at the host, in order, after combining. With an
	// empty host, full-URL rules are skipped; [File.HostRules] lists them.
	Values(f *File, host, path string) []robotstag.Value

	// rule reads a path line.
	rule(path string) (*Rule, error)
	// matching returns the rules that apply, in the engine's order.
	matching(f *File, host, path string) []*Rule
	// combine returns what rules give together, applied in that order.
	combine(rules []*Rule, host, path string) []robotstag.Value
	// forms lists request paths of a file: see [Forms]. The path is encoded, with
	// its leading slash, and at is where the file's name begins in it. What is a
	// part of the path is returned as a part of that text.
	forms(path string, at int) (served, redirected []string)
	// key returns what a rule that spells out the path, and a request for it,
	// have in common: paths of one key cannot be told apart.
	key(path string) string
	// nameable reports whether the path, written as a rule, means itself alone.
	nameable(path string) bool
	// starrable reports whether the text with "*" after it, or "*" and a suffix
	// after its last slash, means what begins with the text, and nothing more
	// than the dialect's key and splat blur.
	starrable(text string) bool
	// hasSuffix reports whether a rule "/*.suffix" matches the path.
	hasSuffix(path, suffix string) bool
}

// Targets of [Options].
const (
	// TargetPortable is a file that is right on Netlify and on Cloudflare.
	TargetPortable = "portable"
	// TargetNetlify is a file for Netlify alone.
	TargetNetlify = "netlify"
	// TargetCloudflare is a file for Cloudflare Pages or Workers static assets.
	TargetCloudflare = "cloudflare"
	// TargetNone is a host without headers.
	TargetNone = "none"
)

// Dialects returns the dialects in which a file for the target must be right;
// an empty target means [TargetPortable].
func Dialects(target string) ([]Dialect, error) {
	switch target {
	case "", TargetPortable:
		return []Dialect{Cloudflare, Netlify}, nil
	case TargetCloudflare:
		return []Dialect{Cloudflare}, nil
	case TargetNetlify:
		return []Dialect{Netlify}, nil
	case TargetNone:
		return nil, nil
	}
	return nil, fmt.Errorf("unknown headers target %q (known: portable, netlify, cloudflare, none)", target)
}
