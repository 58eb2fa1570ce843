package redirects

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"metarobots/emit/headers"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// Limits of Cloudflare's parser
// (https://github.com/cloudflare/workers-sdk packages/workers-shared/utils/configuration/constants.ts).
const (
	cloudflareStatic  = 2000 // rules without wildcards before the first with one
	cloudflareDynamic = 100  // the others: at one more Cloudflare stops reading
	cloudflareLine    = 2000 // UTF-16 units in a line
)

// Cloudflare reads a _redirects file, whose name is for messages, as Cloudflare Pages and Workers
// do: each rule goes before published files, and each takes a path as it is spelled in the request.
// cleansHTML says that the host leaves .html and index away, so that it ignores rules which would
// lead back to themselves: html_handling is not "none".
// https://github.com/cloudflare/workers-sdk packages/workers-shared/utils/configuration/parseRedirects.ts,
// packages/workers-shared/asset-worker/src/utils/rules-engine.ts
func Cloudflare(file []byte, name string, cleansHTML bool) (routes []*address.Route) {
	counted := cloudflareCount{sources: map[string]bool{}}
	for i, line := range lines(file) {
		rule, isRule := cloudflareFields(line)
		if !isRule {
			continue
		}
		isWithinLimits := counted.count(rule.source)
		if counted.dynamic > cloudflareDynamic {
			break
		}
		if !isWithinLimits || !rule.isValid(cleansHTML) || counted.sources[rule.source] {
			continue
		}
		counted.sources[rule.source] = true
		r := &address.Route{Host: headers.TargetCloudflare, Origin: policy.Origin{File: name, Line: i + 1},
			Source: rule.from, Destination: rule.to, Rewrites: rule.status == 200, BeforeFiles: true}
		isProxy := r.Rewrites && rule.to[0] != '/' // nothing of the site is served there
		if !isProxy && setCloudflarePaths(r, rule.source, rule.to) {
			routes = append(routes, r)
		}
	}
	return routes
}

// cloudflareCount is what has been counted of a file.
type cloudflareCount struct {
	static, dynamic int             // rules, as Cloudflare's limits count them
	sources         map[string]bool // of the rules that are kept
}

// count counts a rule, and reports whether it is within the limit of rules without wildcards. From
// the first one with a wildcard on, all rules are dynamic.
func (c *cloudflareCount) count(source string) (isWithinLimits bool) {
	if isStatic := c.dynamic == 0 && !wildcard.MatchString(source); isStatic {
		c.static++
		return c.static <= cloudflareStatic
	}
	c.dynamic++
	return true
}

// cloudflareLineRule is a line with the parts of a rule.
type cloudflareLineRule struct {
	from, to string // as written
	source   string // the path of from as a URL has it, without a query: Cloudflare's key
	status   int    // 302 if it is left out, 0 if it is no number
}

// cloudflareFields takes a line apart. isRule is false if Cloudflare ignores the line before it
// counts it.
func cloudflareFields(line string) (r cloudflareLineRule, isRule bool) {
	isTooLong := len(utf16.Encode([]rune(line))) > cloudflareLine
	if line == "" || line[0] == '#' || isTooLong {
		return r, false
	}
	fields := strings.FieldsFunc(comment.ReplaceAllString(line, ""), isSpace)
	if len(fields) < 2 || len(fields) > 3 || strings.HasPrefix(fields[0], "https://") {
		return r, false
	}
	r = cloudflareLineRule{from: fields[0], to: fields[1],
		source: headers.Pathname("/" + strings.TrimPrefix(fields[0], "/"))}
	r.status, _ = strconv.Atoi(append(fields, "302")[2])
	return r, true
}

// isValid reports whether Cloudflare keeps a rule that it has counted, unless another has its
// source.
func (r *cloudflareLineRule) isValid(cleansHTML bool) bool {
	hasDestination := strings.HasPrefix(r.to, "/") || strings.HasPrefix(r.to, "https://")
	return slices.Contains(cloudflareStatuses, r.status) && hasDestination &&
		!loops(r.source, r.to, cleansHTML)
}

var cloudflareStatuses = []int{200, 301, 302, 303, 307, 308}

// comment is what follows a rule.
var comment = lazyregexp.New(`[\s\v\x{FEFF}\pZ]+#.*$`)

// loops reports whether Cloudflare ignores a rule, because it would lead back to itself.
func loops(source, destination string, cleansHTML bool) bool {
	toIndex := destination[0] == '/' && indexAtEnd.MatchString(destination)
	return toIndex && (strings.HasSuffix(source, "/*") || strings.HasSuffix(source, "/") && cleansHTML)
}

var indexAtEnd = lazyregexp.New(`/index(.html)?$`)

// setCloudflarePaths makes a route lead from a source with Cloudflare's wildcards to a destination.
// It reports false if the rule never takes a path; then the route is of no use.
func setCloudflarePaths(r *address.Route, source, destination string) (takesPaths bool) {
	var m address.Mapping
	var names []string
	at := 0
	for _, wild := range wildcard.FindAllStringIndex(source, -1) {
		p := address.Part{Name: source[wild[0]+1 : wild[1]], Matches: address.Segment}
		if p.Name == "" {
			p = address.Part{Name: splat, Matches: address.Rest}
		}
		// A name that repeats, or that a later one begins with, makes an invalid expression, which
		// is swallowed.
		if slices.ContainsFunc(names, func(earlier string) bool { return strings.HasPrefix(p.Name, earlier) }) {
			return false
		}
		names = append(names, p.Name)
		m.From = append(m.From, address.Part{Text: source[at:wild[0]]}, p)
		at = wild[1]
	}
	m.From = append(m.From, address.Part{Text: source[at:]})
	if destination[0] == '/' {
		destination = headers.Pathname(destination)
	}
	m.To = destinationParts(destination, names)
	r.SetMapping(m)
	return true
}

// destinationParts returns the parts of a destination, taken apart at the names of its source.
// Hosts replace these one after the other in the whole text, so that a name counts even if a longer
// word begins with it.
func destinationParts(destination string, names []string) (parts []address.Part) {
	text := ""
	for destination != "" {
		i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(destination, ":"+name) })
		if i < 0 {
			text, destination = text+destination[:1], destination[1:]
			continue
		}
		parts = append(parts, address.Part{Text: text}, address.Part{Name: names[i]})
		text, destination = "", destination[1+len(names[i]):]
	}
	return append(parts, address.Part{Text: text})
}
