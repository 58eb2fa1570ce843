package redirects

import (
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/marks"
	"metarobots/internal/address"
	"metarobots/policy"
)

// A Redirect is a rule of Netlify's, of _redirects or of netlify.toml.
// https://docs.netlify.com/manage/routing/redirects/redirect-options/
// https://github.com/netlify/build packages/redirect-parser/src: line_parser.ts, normalize.ts
type Redirect struct {
	From, To string
	// Status is 0 where none is given, for the default.
	Status int
	// IsForced says that it goes before a published file: "301!", or force = true.
	IsForced bool
	// IsConditional says that more than the path decides: a query, a country, a language, a role.
	IsConditional bool
	Origin        policy.Origin
}

// Netlify reads a _redirects file, whose name is for messages, as Netlify does: a line that it does
// not understand is no rule. A line is
//
//	/from  [a=:b …]  /to  [301[!]  [Country=de …]]
//
// with a query to match before the destination, and conditions behind the status. The destination
// may be left out before a status; "!" has the rule go before published files.
//
// The lines of our own block are left out: they are for other names than the site's own.
func Netlify(file []byte, name string) []Redirect {
	text := marks.Read(file)
	isOurs := func(r Redirect) bool {
		hasBlock := len(text.Block) > 0
		return hasBlock && text.Block[0].Number <= r.Origin.Line && r.Origin.Line < text.Last
	}
	return slices.DeleteFunc(Rules(file, name), isOurs)
}

// Rules reads all rules of a file, for Netlify: those of our block too, which [Netlify] leaves out.
func Rules(file []byte, name string) (rules []Redirect) {
	for i, line := range lines(file) {
		if r, isRule := netlifyRule(line); isRule {
			r.Origin = policy.Origin{File: name, Line: i + 1}
			rules = append(rules, r)
		}
	}
	return rules
}

// netlifyRule reads a line of _redirects, as [Netlify] shows one. isRule is false if Netlify makes
// no rule of it: a blank or a comment, a source alone, or words where a destination or a status has
// to be. Source and destination are as they are written; the rule has no Origin yet.
//
//	/a a=:x /b/:x 302! Country=de   From /a, To /b/:x, Status 302, IsForced, IsConditional
//	/a/* 200                        From /a/*, Status 200, no To: see [Redirect.destination]
//	/a /b c                         no rule: c is no status
func netlifyRule(line string) (r Redirect, isRule bool) {
	words := wordsOf(line)
	if len(words) < 2 {
		return Redirect{}, false
	}
	r.From = words[0]
	rest := words[1:]
	if _, isStatus := parseInt(rest[0]); !isStatus { // else the destination is left out
		isDestination := func(word string) bool { return word[0] == '/' || isURL(word) }
		to := slices.IndexFunc(rest, isDestination)
		if to < 0 {
			return Redirect{}, false
		}
		hasQuery := to > 0 // the words before the destination are what a query must have
		r.To, r.IsConditional, rest = rest[to], hasQuery, rest[to+1:]
	}
	if len(rest) == 0 {
		return r, true // without a status, which then is the default
	}
	status, isStatus := parseInt(rest[0])
	if !isStatus {
		return Redirect{}, false
	}
	hasConditions := len(rest) > 1
	r.Status, r.IsForced = status, strings.HasSuffix(rest[0], "!")
	r.IsConditional = r.IsConditional || hasConditions
	return r, true
}

// wordsOf returns the words of a line, which white space parts, up to the first that begins with #:
// there a comment begins.
func wordsOf(line string) []string {
	words := strings.FieldsFunc(line, isSpace) // none is empty
	isComment := func(word string) bool { return word[0] == '#' }
	if at := slices.IndexFunc(words, isComment); at >= 0 {
		return words[:at]
	}
	return words
}

// isURL reports whether a destination is a whole URL, and not a path.
func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// parseInt is JavaScript's: the number with which a text begins. isNumber is false if there is
// none.
func parseInt(text string) (n int, isNumber bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	return n, err == nil
}

// Route is what the rule does at a host of the site, whose name may be unknown (""). It is nil if
// the rule does nothing there: it has no source or no destination, Netlify answers there itself, or
// the rule would lead to itself.
//
//	/a /b                         redirects /a to /b, if no file is published at /a
//	/a /b 301!                    redirects /a to /b whatever is published: BeforeFiles
//	/a /b.html 200                rewrites: /a serves b.html
//	/a /b.html 404                answers with an error: neither rewrites nor has a destination
//	/a /b 302 Country=de          redirects /a to /b, perhaps: IsUncertain
//	https://old.example/a /b      the same if the host has that name; else IsUncertain
//
// Netlify compares the decoded path in regard to case, with or without a slash at its end. Its
// matcher is the one of its command line. What depends on more than the path, or is not documented,
// is uncertain.
func (r *Redirect) Route(host string) *address.Route {
	if r.From == "" { // as a table of netlify.toml may have it
		return nil
	}
	from, isOfHost := pathAtHost(r.From, host)
	from = "/" + strings.TrimPrefix(from, "/")
	to, isUsual := r.destination(host, from)
	isNetlifys := strings.HasPrefix(from, "/.netlify") // which answers there itself
	if to == "" || isNetlifys || r.leadsHome(host, from) {
		return nil
	}
	// Whether such a source takes the path is not documented.
	isEncoded := strings.Contains(from, "%")
	isUncertain := r.IsConditional || !isOfHost || !isUsual || isEncoded
	rewrites := r.isRewrite() && servesFiles(to)
	// Source and Destination are for messages: setNetlifyPaths sets what the route takes.
	route := &address.Route{Host: headers.TargetNetlify, Origin: r.Origin,
		Source: r.From, Destination: r.To, Rewrites: rewrites, IsUncertain: isUncertain,
		// A redirect that is uncertain hides no published file; a rewrite that is serves both.
		BeforeFiles: r.IsForced && (rewrites || !isUncertain)}
	if r.isError() {
		to, route.Destination = "", "" // it leads nowhere, whatever is served with the error
	}
	setNetlifyPaths(route, from, to)
	return route
}

// isRewrite reports whether the rule serves something, in place of redirecting. Without a status it
// does not: the default is 301.
func (r *Redirect) isRewrite() bool { return 200 <= r.Status && r.Status < 300 }

// isError reports whether the rule answers with an error.
func (r *Redirect) isError() bool { return r.Status >= 400 }

// servesFiles reports whether a rewrite to a destination serves published files: it is a path, and
// neither the URL of another host nor that of a function, which is a program.
func servesFiles(to string) bool {
	return to[0] == '/' && !strings.HasPrefix(to, "/.netlify/")
}

// setNetlifyPaths makes a route lead from a source, which begins with a slash, to a destination: ""
// for an error. Of a source that is not read nobody knows which paths it takes: they may lead to
// each path of the destination, with anything in the place of its placeholders.
func setNetlifyPaths(route *address.Route, from, to string) {
	parts, names, isRead := readSource(from)
	if !isRead {
		route.SetUnread(destinationParts(to, append(names, splat)))
		return
	}
	route.SetMapping(address.Mapping{From: parts, To: destinationParts(to, names),
		DecodesPath: true, IgnoresEndSlash: true})
}

// leadsHome reports whether the rule, whose source has the path from, redirects to a URL of a host
// that has the same path: from another name of the site, or from http. At that host the rule would
// lead to itself, and Netlify ignores it there.
// https://docs.netlify.com/manage/routing/redirects/rewrites-proxies/
func (r *Redirect) leadsHome(host, from string) bool {
	to, leadsToHost := pathAtHost(r.To, host)
	isRedirect := r.Status == 0 || r.Status/100 == 3
	return isURL(r.To) && leadsToHost && isRedirect && to == strings.Replace(from, "*", ":splat", 1)
}

// destination is where the rule, whose source has the path from, leads at a host: a path without
// query and fragment, which say nothing of the file, or the URL of another host. It is "" if there
// is none. isUsual is false of a destination that is neither a path nor a URL: what Netlify makes
// of it is not documented.
//
//	From      To                        the destination, at a.example
//	/a        /b?x=1#y                  /b
//	/a        https://a.example/b       /b
//	/a        https://b.example/b?x=1   https://b.example/b?x=1
//	/docs/*   none, and Status 200      /docs/:splat: a rewrite to what the star matches
//	/a        b                         /b, isUsual is false
func (r *Redirect) destination(host, from string) (to string, isUsual bool) {
	to, isAtHost := pathAtHost(r.To, host)
	if !isAtHost {
		return r.To, true
	}
	if to == "" && r.isRewrite() && strings.HasSuffix(from, "/*") {
		to = strings.TrimSuffix(from, "*") + ":splat"
	}
	if to == "" {
		return "", true
	}
	if isUsual = to[0] == '/'; !isUsual {
		to = "/" + to
	}
	to, _, _ = strings.Cut(to, "#")
	to, _, _ = strings.Cut(to, "?")
	return to, isUsual
}

// pathAtHost is the path of a URL of http or https, and whether that is at a host. Any other text
// is taken for a path, which is at every host, and returned as it is.
func pathAtHost(url, host string) (path string, isAtHost bool) {
	_, rest, ok := strings.Cut(url, "://")
	if !ok || !isURL(url) {
		return url, true
	}
	name, path, _ := strings.Cut(rest, "/")
	return "/" + path, strings.EqualFold(name, host)
}

// readSource returns the parts of a source, which begins with a slash, and the names that its
// placeholders give, for [setNetlifyPaths]. A placeholder is a whole segment, a star too, and what
// a star takes may be missing with the slash before it. A slash at the end is left out. isRead is
// false for a source with a star within a segment, or with two slashes in a row: parts mean nothing
// then, but the names are still those that a destination may repeat.
//
//	/a/b        "/a/b"
//	/a/:x/b     "/a/", x (one segment), "/b"              names x
//	/a/*        "/a/", splat (the rest, or nothing)       names splat
//	/:x/a*      isRead is false                           names x
func readSource(from string) (parts []address.Part, names []string, isRead bool) {
	from = policy.Decoded(from) // of percent-encoding: paths are compared decoded
	if from == "/" {
		return []address.Part{{Text: "/"}}, nil, true
	}
	isRead = !strings.Contains(from, "//")
	text := "" // of the segments since the last placeholder
	for segment := range strings.SplitSeq(strings.Trim(from, "/"), "/") {
		if placeholder, isPlaceholder := placeholderOf(segment); isPlaceholder {
			parts = append(parts, address.Part{Text: text + "/"}, placeholder)
			text, names = "", append(names, placeholder.Name)
			continue
		}
		text += "/" + segment
		isRead = isRead && !strings.Contains(segment, "*")
	}
	if text != "" {
		parts = append(parts, address.Part{Text: text})
	}
	return parts, names, isRead
}

// placeholderOf is what a segment of a source takes, if it is a placeholder: * or :name.
func placeholderOf(segment string) (part address.Part, isPlaceholder bool) {
	name, hasColon := strings.CutPrefix(segment, ":")
	switch {
	case segment == "*":
		return address.Part{Name: splat, Matches: address.Rest, Optional: true}, true
	case hasColon && name != "":
		return address.Part{Name: name, Matches: address.Segment}, true
	}
	return address.Part{}, false
}
