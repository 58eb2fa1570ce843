package redirects

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/headers"
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
	// Force says that it goes before a published file.
	Force bool
	// Depends says that more than the path decides: a query, a country, a language, a role.
	Depends bool
	Origin  policy.Origin
}

// Netlify reads a _redirects file, whose name is for messages, as Netlify does.
func Netlify(file []byte, name string) (rules []Redirect) {
	for i, line := range lines(file) {
		fields := strings.FieldsFunc(line, isSpace)
		if at := slices.IndexFunc(fields, func(f string) bool { return f[0] == '#' }); at >= 0 {
			fields = fields[:at]
		}
		if len(fields) < 2 {
			continue
		}
		r, rest := Redirect{From: fields[0], Origin: policy.Origin{File: name, Line: i + 1}}, fields[1:]
		if _, ok := parseInt(rest[0]); !ok { // else the destination is left out
			to := slices.IndexFunc(rest, func(f string) bool { return f[0] == '/' || isURL(f) })
			if to < 0 {
				continue
			}
			r.To, r.Depends, rest = rest[to], to > 0, rest[to+1:]
		}
		if len(rest) > 0 {
			status, ok := parseInt(rest[0])
			if !ok {
				continue
			}
			r.Status, r.Force, r.Depends = status, strings.HasSuffix(rest[0], "!"), r.Depends || len(rest) > 1
		}
		rules = append(rules, r)
	}
	return rules
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// parseInt is JavaScript's: the number with which a text begins.
func parseInt(text string) (n int, ok bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	return n, err == nil
}

// Route is what the rule does at a host, whose name may be unknown; nil if it does nothing there.
//
// Netlify compares the decoded path in regard to case, with or without a slash at its end, and serves a published file
// before it asks the rule. Its matcher is the one of its command line.
func (r *Redirect) Route(host string) *address.Route {
	status, depends := cmp.Or(r.Status, 301), r.Depends
	if r.From == "" {
		return nil
	}
	from, own := pathAt(r.From, host)
	depends = depends || !own // it is about another name of the site
	from = "/" + strings.TrimPrefix(from, "/")
	to, succeeds := r.To, 200 <= status && status < 300
	if path, own := pathAt(to, host); own {
		to = path
	}
	if to == "" && succeeds && strings.HasSuffix(from, "/*") {
		to = strings.TrimSuffix(from, "*") + ":splat"
	}
	if to == "" || strings.HasPrefix(from, "/.netlify") {
		return nil
	}
	if !isURL(to) && to[0] != '/' {
		to, depends = "/"+to, true // what Netlify makes of it is not documented
	}
	route := &address.Route{Host: headers.TargetNetlify, Origin: r.Origin, Source: r.From, Destination: r.To,
		Rewrites: succeeds && to[0] == '/' && !strings.HasPrefix(to, "/.netlify/"), First: r.Force,
		// Whether a source that is written encoded takes the path is not documented.
		May: depends || strings.Contains(from, "%")}
	if route.May && !route.Rewrites {
		route.First = false // it may take nothing
	}
	parts, names, read := segments(from)
	if to[0] == '/' {
		to, _, _ = strings.Cut(to, "#")
		to, _, _ = strings.Cut(to, "?")
	}
	if status >= 400 {
		to, route.Destination = "", ""
	}
	m := address.Mapping{From: parts, To: template(to, names), Decodes: true, Loose: true}
	if read {
		route.Follow(m)
	} else {
		route.Unread(template(to, append(names, "splat")))
	}
	return route
}

// pathAt is the path of a URL, or of a path, and whether it is at a host.
func pathAt(url, host string) (path string, own bool) {
	_, rest, ok := strings.Cut(url, "://")
	if !ok || !isURL(url) {
		return url, true
	}
	name, path, _ := strings.Cut(rest, "/")
	return "/" + path, strings.EqualFold(name, host)
}

// segments are the parts of a source. A placeholder is a whole segment, a star too, and the slash before it may be
// missing with what it takes. Others are not read.
func segments(from string) (parts []address.Part, names []string, read bool) {
	from = policy.Decoded(from)
	if from == "/" {
		return []address.Part{{Text: "/"}}, nil, true
	}
	text, read := "", !strings.Contains(from, "//")
	for s := range strings.SplitSeq(strings.Trim(from, "/"), "/") {
		switch {
		case s == "":
		case s == "*":
			parts = append(parts, address.Part{Text: text + "/"},
				address.Part{Name: "splat", Matches: address.Rest, Optional: true})
			text, names = "", append(names, "splat")
		case s[0] == ':' && len(s) > 1:
			parts = append(parts, address.Part{Text: text + "/"}, address.Part{Name: s[1:], Matches: address.Segment})
			text, names = "", append(names, s[1:])
		default:
			text, read = text+"/"+s, read && !strings.Contains(s, "*")
		}
	}
	if text != "" {
		parts = append(parts, address.Part{Text: text})
	}
	return parts, names, read
}
