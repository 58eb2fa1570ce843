package headers

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
)

// Limits of Cloudflare's parser (https://github.com/cloudflare/workers-sdk
// packages/workers-shared/utils/configuration/constants.ts).
const (
	// CloudflareRules is how many rules a file may have. Pages ignores what comes after; Workers
	// refuse the upload.
	CloudflareRules = 100
	// CloudflareLine is the longest line, in UTF-16 units, that is read.
	CloudflareLine = 2000
)

// Cloudflare reads a _headers file as Cloudflare Pages and Workers static assets do. All matching
// rules apply in the order of the file and their values add up; "! Name" takes away what earlier
// rules set; of two blocks of the same path only the second is kept.
var Cloudflare = &Dialect{
	title: "Cloudflare", limit: CloudflareRules, line: CloudflareLine,
	adds: true, handlings: []*address.Handling{address.CloudflarePages, address.Workers("")},
	isPath: isProbablyPath, ReadRule: cloudflareRule, combine: addUp,
	key: func(path string) string { return path },
}

// ruleOfCloudflare matches a rule for a name of Cloudflare's own. Netlify knows no rule with a host,
// and takes the headers below it for those of the rule above.
var ruleOfCloudflare = lazyregexp.New(`(?m)^[ \t]*https://[^/\s]+\.(?:pages|workers)\.dev/`)

// IsForCloudflare reports whether the owner's part of a _headers file has a rule that Cloudflare
// alone reads, for a name that Cloudflare gives a site.
func IsForCloudflare(file []byte) bool { return ruleOfCloudflare.Match(marks.Read(file).Own()) }

// isProbablyPath is LINE_IS_PROBABLY_A_PATH of parseHeaders.ts, which takes "Link:https://…"
// for a path, too, since it has no blank after the colon.
func isProbablyPath(line string) bool {
	if end := strings.IndexFunc(line, isSpace); end >= 0 {
		line = line[:end]
	}
	return strings.HasPrefix(line, "/") || strings.LastIndex(line, "://") > 0
}

var (
	portAtEnd      = lazyregexp.New(`:[0-9]+$`)
	splatReference = lazyregexp.New(`:splat([^0-9A-Za-z_]|$)`)
	// anyWildcard is a star, or a placeholder: :name.
	anyWildcard = lazyregexp.New(`\*|:[A-Za-z][0-9A-Za-z_]*`)
)

// cloudflareRule reads a path line, which is not empty, as the ReadRule of [Cloudflare]. It is an
// error if the host drops the rule. The rule has no line and no values yet: the parser sets them.
// Cloudflare's functions are validateUrl, validateWildcards and generateRuleRegExp of
// rules-engine.ts.
//
//	/a.pdf                 exact /a.pdf
//	/docs/*                head /docs/, which suffices   re ^/docs/(?P<splat>.*)$
//	/:page/b               head /                        re ^/(?P<page>[^/]+)/b$
//	https://:p.pages.dev/* Host :p.pages.dev             re ^https://(?P<p>[^/.]+)\.pages\.dev/(?P<splat>.*)$
//	https://a.dev/b        Host a.dev                    re ^https://a\.dev/b$
//	/:a/:ab                no re: it never matches (see wildcardExpression)
func cloudflareRule(line string) (*Rule, error) {
	host, path, err := hostAndPath(line)
	if err != nil {
		return nil, err
	}
	// The Path of a rule for a host begins with https:// and the host.
	r := &Rule{Host: host, Path: path}
	switch stars := strings.Count(r.Path, "*"); {
	case stars > 1:
		return nil, errors.New("only one * is allowed in a rule")
	case stars > 0 && splatReference.MatchString(r.Path):
		return nil, errors.New("* and :splat cannot stand in one rule")
	}
	if r.Host != "" {
		r.re = wildcardExpression(r.Path)
		return r, nil // without head: keys are paths alone
	}
	firstWild := anyWildcard.FindStringIndex(r.Path)
	if firstWild == nil {
		r.exact = r.Path
		return r, nil
	}
	r.re = wildcardExpression(r.Path)
	r.head = r.Path[:firstWild[0]]
	r.headSuffices = r.Path == r.head+"*"
	return r, nil
}

// hostAndPath returns the host of a path line, "" if it has none, and its path as Cloudflare keys
// it. It is an error if the line is neither a path nor a URL of https with a host and no port.
//
//	/a b.pdf                 "", /a%20b.pdf
//	https://a.dev/b          a.dev, https://a.dev/b
//	https://a.dev            a.dev, https://a.dev/
//	http://a.dev/b           an error
func hostAndPath(line string) (host, path string, err error) {
	rest, isURL := strings.CutPrefix(line, "https://")
	rest = strings.TrimLeft(rest, "/") // a URL parser skips more slashes before the host
	switch {
	case isURL && rest != "":
		host, path, _ := strings.Cut(rest, "/")
		if portAtEnd.MatchString(host) {
			return "", "", errors.New("a rule cannot have a port")
		}
		return host, "https://" + host + pathname("/"+path), nil
	case line[0] == '/':
		return "", pathname(line), nil
	}
	return "", "", errors.New("a rule begins with / or https://")
}

// wildcardExpression is generateRuleRegExp: an expression for what a pattern matches, with what its
// wildcards match in groups of their names, splat for the star. In the host a placeholder ends
// before a dot. It is nil for a rule that never matches: the engine replaces the names one after
// the other in the whole text, so that a name that repeats, or that a later one begins with, gives
// two groups of one name. That is an invalid expression, which the engine swallows.
func wildcardExpression(pattern string) *regexp.Regexp {
	hostEnd := 0
	if rest, isURL := strings.CutPrefix(pattern, "https://"); isURL {
		hostEnd = len(pattern) - len(rest) + strings.IndexByte(rest+"/", '/')
	}
	var names []string
	var expression strings.Builder
	written := 0 // how much of the pattern is in the expression
	for _, wild := range anyWildcard.FindAllStringIndex(pattern, -1) {
		start, end := wild[0], wild[1]
		name, matched := pattern[start+1:end], "[^/]+"
		switch isStar := name == ""; {
		case isStar:
			name, matched = "splat", ".*"
		case start < hostEnd:
			matched = "[^/.]+"
		}
		beginsLike := func(earlier string) bool { return strings.HasPrefix(name, earlier) }
		if slices.ContainsFunc(names, beginsLike) {
			return nil
		}
		names = append(names, name)
		literal := regexp.QuoteMeta(pattern[written:start])
		expression.WriteString(literal + "(?P<" + name + ">" + matched + ")")
		written = end
	}
	re, _ := regexp.Compile("^" + expression.String() + regexp.QuoteMeta(pattern[written:]) + "$")
	return re
}

var noBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// pathname is what new URL makes of a path: query and fragment cut, dot segments resolved, some
// characters percent-encoded (https://url.spec.whatwg.org/#path-state). It leaves ^ | [ ] \ as they
// are.
func pathname(p string) string {
	if i := strings.IndexAny(p, "?#"); i >= 0 {
		p = p[:i]
	}
	p = encode(noBreaks.Replace(p), bareInURL+"%^\\")
	if !strings.Contains(p, "/.") {
		return p
	}
	return new(url.URL).ResolveReference(&url.URL{Path: p}).Path
}

// Pathname is the path of a rule as Cloudflare keys it, in _headers and _redirects.
func Pathname(path string) string { return pathname(path) }

// hostMatches reports whether a host pattern of a full-URL rule matches a host.
func hostMatches(pattern, host string) bool {
	// A star in the host may reach into the path; the host alone decides here.
	re := wildcardExpression("https://" + pattern + "/")
	return host != "" && re != nil && re.MatchString("https://"+hostname(host)+"/")
}

// hostname is a host as URL.hostname has it: lower case, without a port.
func hostname(host string) string { return portAtEnd.ReplaceAllString(strings.ToLower(host), "") }

// addUp follows getHeaders (asset-worker/src/utils/headers.ts) and attachHeaders
// (pages-shared/asset-server/handler.ts): in each rule the detaching comes first, then its values
// are appended.
func addUp(rules []*Rule, host, path string) []robotstag.Value {
	var out []robotstag.Value
	for _, r := range rules {
		if r.detaches {
			out = nil
		}
		for _, h := range r.values {
			h.Text = r.Fill(h.Text, host, path)
			out = append(out, h)
		}
	}
	return out
}

// maxValue is how long a value may get by its placeholders: no server sends more.
const maxValue = 64 << 10

// Fill puts what the rule's placeholders matched, in a request for a path at a host, into a value.
// As replacer of rules-engine.ts does, it goes by prefix: with a placeholder n, "googlebot:noindex"
// is changed. A value that would get too long stays as it is by then.
func (r *Rule) Fill(value, host, path string) string {
	if r.re == nil || !strings.Contains(value, ":") {
		return value
	}
	isInValue := func(name string) bool { return strings.Contains(value, ":"+name) }
	if !slices.ContainsFunc(r.re.SubexpNames()[1:], isInValue) { // as in nearly every value
		return value
	}
	for i, matched := range r.re.FindStringSubmatch(r.target(host, path)) {
		if isWhole := i == 0; isWhole { // the match of the expression, which has no name
			continue
		}
		name := ":" + r.re.SubexpNames()[i]
		if len(value)+strings.Count(value, name)*len(matched) > maxValue {
			return value // what is put in may hold names again
		}
		value = strings.ReplaceAll(value, name, matched)
	}
	return value
}
