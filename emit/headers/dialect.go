package headers

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
)

// Dialect is one host's reading of a _headers file. There are two, [Cloudflare] and [Netlify]: what
// they have in common is in the methods, and the fields are the differences.
type Dialect struct {
	title string // in findings
	limit int    // how many rules are read; 0: all
	line  int    // the longest line that is read, in UTF-16 units; 0: any

	// adds says that the values of all matching rules add up, that "! Name" takes away what earlier
	// rules set, and that of two blocks of one path the second takes the place of the first.
	// Otherwise the last matching rule wins.
	adds bool
	// handlings are how the host serves files, in each of the ways that are open where nobody has
	// configured it.
	handlings []*address.Handling
	// matchesFile says that rules may be matched with the path of the file that is served. The
	// rules for /q/index.html are therefore right for /q/index, and those for the target of a
	// rewrite for its source.
	matchesFile bool

	// isPath reports whether a line begins a block, and ReadRule reads it.
	isPath   func(line string) bool
	ReadRule func(line string) (*Rule, error)
	// combine returns what matching rules give together, applied in that order.
	combine func(rules []*Rule, host, path string) []robotstag.Value
	// key returns what a rule that spells out the path, and a request for it, have in common: paths
	// of one key are the same to the host.
	key func(path string) string
}

// Name is "cloudflare" or "netlify".
func (d *Dialect) Name() string { return strings.ToLower(d.title) }

// canName reports whether a rule that spells out a path means no path with another key.
func (d *Dialect) canName(path string) bool {
	if isPlain(strings.ReplaceAll(path, ".", "")) { // as almost all are
		return true
	}
	r, err := d.ReadRule(path)
	return err == nil && r.exact == d.key(path) && (d.line == 0 || len(path) <= d.line)
}

// isPlain reports whether a text has nothing in it that means more than itself to any dialect.
func isPlain(s string) bool {
	return encode(s, "-_/") == s && !strings.Contains(s, "//") && len(s) < CloudflareLine/2
}

// Match reports whether a rule applies to a request for the percent-encoded path at the host. A
// rule with a host of its own matches no empty host.
func (d *Dialect) Match(r *Rule, host, path string) bool {
	switch {
	case r.exact != "":
		return r.exact == d.key(path)
	case r.headSuffices:
		return strings.HasPrefix(d.key(path), r.head)
	}
	return r.re != nil && (r.Host == "" || host != "") && r.re.MatchString(r.target(host, path))
}

// matching returns the rules that apply, in the order of the file.
func (d *Dialect) matching(f *Parsed, host, path string) []*Rule {
	var rules []*Rule
	key := d.key(path)
	places := f.heads.Of(nil, key) // of the rules whose head the key begins with
	slices.Sort(places)
	for _, i := range places {
		if r := &f.Rules[i]; strings.HasSuffix(key, r.tail) && d.Match(r, host, path) {
			rules = append(rules, r)
		}
	}
	return rules
}

// Values returns the lines of the file's header in a response for the percent-encoded path at the
// host, in order, after combining. With an empty host, full-URL rules are skipped.
func (d *Dialect) Values(f *Parsed, host, path string) []robotstag.Value {
	return d.combine(d.matching(f, host, path), host, path)
}

// readings returns what a response may carry: what [Dialect.Values] does, and, if some of the rules
// match by an undocumented reading alone, what it carries without these.
func (d *Dialect) readings(f *Parsed, host, path string) [][]robotstag.Value {
	rules := d.matching(f, host, path)
	all := [][]robotstag.Value{d.combine(rules, host, path)}
	if documented := documentedOf(rules, path); len(documented) < len(rules) {
		all = append(all, d.combine(documented, host, path))
	}
	return all
}

// documentedOf returns those of some rules, which all match a path, that match it as the host
// documents it too.
func documentedOf(rules []*Rule, path string) []*Rule {
	isGuess := func(r *Rule) bool { return r.isGuess(path) }
	if !slices.ContainsFunc(rules, isGuess) {
		return rules
	}
	return slices.DeleteFunc(slices.Clone(rules), isGuess)
}

// Requests yields the percent-encoded request paths at which the dialect's host answers with a
// published file, by the addresses of the site; nil means those of a site with that file
// alone, on a host that nobody has configured. The source is as in [robotstag.Want]. The path is
// from the root of the host, slash-separated and decoded: "posts/a/index.html".
//
// Netlify's emulator matches rules with the file's own path, its servers may with the path as
// requested: both must be right.
func (d *Dialect) Requests(site *address.Site, file, source string) iter.Seq[string] {
	if site == nil {
		site = d.site(nil)
	}
	return func(yield func(string) bool) {
		for a := range site.Serving(file) {
			if robotstag.IsFor(source, &a) && d.isRequest(&a) && !yield(a.Path) {
				return
			}
		}
	}
}

// isRequest reports whether an address at which the host serves a file is asked about by itself. If
// rules match the path of the file (matchesFile), they are right for its index without a slash and
// for the source of a rewrite, once they are right for the file.
func (d *Dialect) isRequest(a *address.Address) bool {
	isBareIndex := a.By == address.Index && strings.HasSuffix(strings.TrimSuffix(a.Path, "/"), "/index")
	return !d.matchesFile || !isBareIndex && a.By != address.Rewritten
}

// site returns the addresses of files on the dialect's host: a part of those on all hosts that may
// serve the site.
func (d *Dialect) site(all *address.Site) *address.Site {
	if all != nil {
		if site := all.On(d.Name()); len(site.Handlings()) > 0 {
			return site
		}
	}
	return address.New(nil, nil, d.handlings...)
}

// send returns the ways in which the dialect's host may send the values of one response. Netlify
// and Cloudflare Pages join them; Cloudflare Workers join those of a block, and send a line for
// each block. Of another header than X-Robots-Tag that makes no difference.
// https://github.com/cloudflare/workers-sdk packages/pages-shared/asset-server/handler.ts,
// packages/workers-shared/asset-worker/src/utils/headers.ts
func (d *Dialect) send(header *robotstag.Header, values []robotstag.Value) []robotstag.Sent {
	if len(values) == 0 {
		return []robotstag.Sent{nil}
	}
	ways := []robotstag.Sent{{values}}
	if d.adds && header.Is(robotstag.Name) && values[0].Block != values[len(values)-1].Block {
		var blocks robotstag.Sent
		for i, v := range values {
			if i == 0 || v.Block != values[i-1].Block {
				blocks = append(blocks, nil)
			}
			last := &blocks[len(blocks)-1]
			*last = append(*last, v)
		}
		ways = append(ways, blocks)
	}
	return ways
}

// says reports whether values say what a text does, in every way in which the dialect's host may
// send them.
func (d *Dialect) says(header *robotstag.Header, values []robotstag.Value, text string) bool {
	return every(d.send(header, values), func(s robotstag.Sent) bool {
		return header.Equal(s.String(), text)
	})
}

// Targets of a [robotstag.Task].
const (
	TargetPortable   = "portable"   // a file that is right on Netlify and on Cloudflare
	TargetNetlify    = "netlify"    // for Netlify alone
	TargetCloudflare = "cloudflare" // Cloudflare Pages or Workers static assets
	TargetNone       = "none"       // a host without headers
)

var dialects = map[string][]*Dialect{
	"": {Cloudflare, Netlify}, TargetPortable: {Cloudflare, Netlify},
	TargetCloudflare: {Cloudflare}, TargetNetlify: {Netlify}, TargetNone: nil,
}

// Dialects returns the dialects in which a file for the target must be right; an empty target means
// [TargetPortable].
func Dialects(target string) ([]*Dialect, error) {
	if all, ok := dialects[target]; ok {
		return all, nil
	}
	return nil, fmt.Errorf(
		"unknown headers target %q (known: portable, netlify, cloudflare, none)", target)
}

// The characters that stay as they are, besides letters and digits: as encodeURIComponent leaves
// them (and the slash), and as a URL parser does. ^ is encoded, since Cloudflare's rules must spell
// it %5E.
const (
	bareInComponent = "-_.~!*'()/"
	bareInURL       = bareInComponent + "[]|;:@=&+,$"
)

// encode is a path percent-encoded, without the bytes of bare, which stay.
func encode(path, bare string) string { return robotstag.Encode(path, bare, robotstag.Upper) }

// every reports whether all elements are something.
func every[T any](all []T, is func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !is(one) })
}
