package headers

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
)

// NetlifyRules is the number of rules above which Netlify's parser gets slow: it copies the list
// for every line.
const NetlifyRules = 10000

// Netlify reads a _headers file as Netlify does. Of all matching rules the last one in the file
// wins for each header; letter case and a trailing slash of the path do not count; "! Name" and
// full-URL rules are unknown.
var Netlify = &Dialect{
	title:     "Netlify",
	handlings: []*address.Handling{address.Netlify}, matchesFile: true,
	isPath: func(line string) bool { return line[0] == '/' }, ReadRule: netlifyRule,
	combine: lastWins, key: netlifyKey,
}

// netlifyKey: the expression of a rule ignores letter case and one trailing slash.
func netlifyKey(path string) string {
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return strings.ToLower(path)
}

// normalizeCommas rewrites a value's commas and the blanks around them to ", ", as
// normalizeMultipleValues does, even in quotes.
func normalizeCommas(value string) string {
	parts := strings.Split(value, ",")
	for i := range parts[1:] {
		parts[i] = strings.TrimRightFunc(parts[i], isSpace)
		parts[i+1] = strings.TrimLeftFunc(parts[i+1], isSpace)
	}
	return strings.Join(parts, ", ")
}

// netlifyRule reads the path line of a rule, as the ReadRule of [Netlify] and as getForRegExp of
// for_regexp.ts does. A rule without wildcards gets the key that requests have to equal, and no
// expression. One with wildcards gets the emulator's expression (re), and beside it what Netlify
// documents of such a rule. It is an error if JavaScript refuses the expression; the host drops the
// rule then. The rule has no line and no values yet: the parser sets them.
//
//	/Docs/a.pdf   exact /docs/a.pdf
//	/docs/*       head /docs     re ^/docs/?(.*)/?$     documented: what is in the folder
//	/docs/a*      head /docs/a   re ^/docs/a(.*)/?$     documented: what begins so, as re
//	/:page/b      no head        re ^/([^/]+)/b/?$      documented: the same as re
func netlifyRule(line string) (*Rule, error) {
	var parts []string // between slashes, without those that are empty
	for p := range strings.SplitSeq(line, "/") {
		if p = strings.TrimRightFunc(p, isSpace); p != "" {
			parts = append(parts, p)
		}
	}
	r := &Rule{Path: line}
	path := "/" + strings.Join(parts, "/")
	hasWildcards := strings.Contains(path, "*") || strings.Contains(path, "/:")
	// Of other letters than ASCII's, only an expression folds the case as the host does.
	if !hasWildcards && isASCII(path) {
		r.exact = strings.ToLower(path)
		return r, nil
	}
	re, err := netlifyExpression(parts)
	if err != nil {
		return nil, err
	}
	r.re, r.head, r.tail = re, netlifyHead(parts), netlifyTail(parts)
	r.headSuffices = strings.TrimSuffix(strings.ToLower(path), "/*") == r.head // as of /docs/*
	r.documented = r.documentedFor(parts)
	return r, nil
}

// netlifyExpression is the emulator's expression for a path of some parts. It is an error if
// JavaScript refuses it.
func netlifyExpression(parts []string) (*regexp.Regexp, error) {
	var expressions []string
	for _, p := range parts {
		expressions = append(expressions, netlifyPart(p))
	}
	pattern := "^/" + strings.Join(expressions, "/") + "/?$"
	re, err := regexp.Compile("(?i)" + pattern)
	// Brackets and backslashes that are left over are none that JavaScript takes.
	isInvalidInJS := strings.ContainsAny(validSyntax.ReplaceAllString(pattern, ""), `[]{}\`)
	if err != nil || isInvalidInJS {
		return nil, errors.New("the path makes an invalid expression")
	}
	return re, nil
}

// documentedFor returns the documented of a rule with wildcards, whose path has these parts: it
// reports whether the rule is for a path as Netlify documents it. It is nil for /*, which matches
// every path in either reading.
func (r *Rule) documentedFor(parts []string) func(path string) bool {
	isForAll := len(parts) == 1 && parts[0] == "*"
	switch {
	case isForAll:
		return nil
	case r.headSuffices: // faster than the expression, which means the same
		return func(path string) bool { return isInFolder(netlifyKey(path), r.head) }
	}
	return documentedPaths(parts).MatchString
}

// netlifyHead returns a text with which every key begins that the expression of some parts matches;
// "" if there is none. It ends before the first part that may match anything else than itself:
// /docs/a of /docs/a*, /docs of /docs/*/x.
func netlifyHead(parts []string) (head string) {
	if slices.ContainsFunc(parts, hasAlternative) {
		return ""
	}
	for _, p := range parts {
		// Without regard to case, /ſ matches /s, whose key begins otherwise.
		if p[0] == ':' || !isASCII(p) {
			break
		}
		before, _, hasStar := strings.Cut(p, "*")
		// Of /docs/* not even the second slash is known: it matches /docs.
		if !hasStar || before != "" && meansItself.MatchString(before) {
			head += "/" + strings.ToLower(before)
		}
		if hasStar {
			break
		}
	}
	return head
}

// hasAlternative reports whether a part of a path, beside a star, parts the whole expression in
// two.
func hasAlternative(part string) bool { return strings.Contains(part, "|") }

// netlifyTail returns a text with which every key ends that the expression of some parts matches:
// the last part, or what is behind its last star, if that matches nothing but itself; else "".
func netlifyTail(parts []string) string {
	last := parts[len(parts)-1]
	if last[0] == ':' || slices.ContainsFunc(parts, hasAlternative) {
		return ""
	}
	star := strings.LastIndex(last, "*")
	tail := last[star+1:]
	if star < 0 && !isASCII(tail) || star >= 0 && !meansItself.MatchString(tail) {
		return ""
	}
	return strings.ToLower(tail)
}

// netlifyPart is the expression for a part of a path, which is not empty.
func netlifyPart(p string) string {
	switch {
	case p[0] == ':':
		return "([^/]+)"
	case p == "*":
		return "?(.*)" // takes the slash before it, too
	case strings.Contains(p, "*"):
		// The rest is not escaped: it is part of the expression.
		return strings.ReplaceAll(p, "*", "(.*)")
	}
	return regexp.QuoteMeta(p)
}

// documentedPaths matches what Netlify documents of a rule with wildcards: a star behind a slash is
// for what is in the folder, a path's last slash makes no difference, and any other character means
// itself.
// https://docs.netlify.com/manage/routing/headers/#wildcards-and-placeholders-in-paths
// https://docs.netlify.com/manage/routing/redirects/redirect-options/#trailing-slash
func documentedPaths(parts []string) *regexp.Regexp {
	var all strings.Builder
	for _, p := range parts {
		switch {
		case p[0] == ':':
			all.WriteString("/[^/]+")
		case p == "*":
			all.WriteString("(?:/.*)?")
		default:
			all.WriteString("/" + strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, ".*"))
		}
	}
	return regexp.MustCompile("(?i)^" + all.String() + "/?$")
}

// isInFolder reports whether the key of a path is that of a folder, or of what is in it.
func isInFolder(key, folder string) bool {
	rest, hasFolder := strings.CutPrefix(key, folder)
	return hasFolder && (rest == "" || rest[0] == '/')
}

// isGuess reports whether a rule matches a path by the emulator's reading alone: in that, /v2.1/*
// is for /v2.10/a.pdf too, and /*.js for /a.mjs.
func (r *Rule) isGuess(path string) bool {
	return r.documented != nil && !r.documented(path)
}

// meansItself are texts that mean themselves as an expression.
var meansItself = lazyregexp.New(`^[-0-9A-Za-z_~%]*$`)

// validSyntax is all that an expression may have of brackets and backslashes under JavaScript's u
// flag, where Go is more lenient: no lone ] { or }, no escape of a letter that means nothing
// (https://tc39.es/ecma262/#prod-SyntaxCharacter).
var validSyntax = lazyregexp.New(`\\[\^$\\.*+?()\[\]{}|/dDwWsSbBfnrtv]` +
	`|\[(?:\\.|[^\]\\])*\]|\{[0-9]+(?:,[0-9]*)?\}`)

// isASCII reports whether a text has ASCII characters alone.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// lastWins follows headersForPath (https://github.com/netlify/cli src/utils/headers.ts): the rules'
// headers are assigned to one object, later ones over earlier ones, and names of different case are
// different members. When the members are set as headers, the last member counts: that whose name
// came in last, with the values of the last rule that has it. Host and path make no difference.
func lastWins(rules []*Rule, _, _ string) (out []robotstag.Value) {
	isKnown, lastName := make(map[string]bool), ""
	for _, r := range rules {
		for _, h := range r.values {
			if !isKnown[h.Name] {
				isKnown[h.Name], lastName = true, h.Name
			}
		}
	}
	hasOtherName := func(h robotstag.Value) bool { return h.Name != lastName }
	for i := len(rules) - 1; i >= 0 && len(out) == 0; i-- {
		out = slices.DeleteFunc(slices.Clone(rules[i].values), hasOtherName)
	}
	return out
}
