package redirects

import (
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// SendHome returns an owner's _redirects, for Netlify, with a block of ours that redirects every
// path of some names to the same path at home, a scheme and a host: "https://example.com" (N11l).
// The block is the first thing in the file, because the first rule that matches counts. Without
// names it has none.
//
//	https://project.netlify.app/* https://example.com/:splat 301!
func SendHome(owner []byte, names []string, home string) []byte {
	text := marks.Read(owner)
	text.At = 0
	var block []string
	for _, name := range names {
		for _, scheme := range []string{"https", "http"} {
			block = append(block, scheme+"://"+name+"/* "+home+"/:splat 301!")
		}
	}
	return text.With(block, nil)
}

// WithoutOurs returns a _redirects without the block of ours.
func WithoutOurs(file []byte) []byte { return marks.Read(file).Own() }

// SentHome are the names whose every path some rules of Netlify's, in their order, send to the same
// path at a host. A name is not among them if a rule before has its say about it, or serves
// something at the paths of every name; one that redirects those stays within the name, which then
// leads home.
func SentHome(rules []Redirect, host string) (names []string) {
	var decided []string
	for _, rule := range rules {
		name := rule.Name()
		isForEveryName := name == ""
		switch {
		case isForEveryName && rule.isRewrite():
			return names
		case isForEveryName || !rule.hasScheme("https") || slices.Contains(decided, name):
			continue
		case rule.sendsHome(host):
			names = append(names, name)
		}
		decided = append(decided, name)
	}
	return names
}

// Name is the name of the host that the rule is for, in lower case; "" if it is for all.
func (r *Redirect) Name() string {
	if !isURL(r.From) {
		return ""
	}
	_, rest, _ := strings.Cut(r.From, "://")
	name, _, _ := strings.Cut(rest, "/")
	return strings.ToLower(name)
}

// hasScheme reports whether the source is a URL of a scheme: Netlify takes each for itself.
func (r *Redirect) hasScheme(scheme string) bool { return strings.HasPrefix(r.From, scheme+"://") }

// sendsHome reports whether the rule redirects every path of a name to the same path at a host,
// whatever is published there. Netlify knows no pattern for names, and takes letters for what they
// are, so that a name with a capital never matches.
func (r *Redirect) sendsHome(host string) bool {
	from, isOfHost := pathAtHost(r.From, host)
	name := r.Name()
	isName := !strings.ContainsAny(name, "*:") && strings.Contains(r.From, "://"+name+"/")
	takesEveryPath := from == "/*" && r.IsForced && !r.IsConditional
	return isName && !isOfHost && takesEveryPath && r.leadsHome(host, from)
}
