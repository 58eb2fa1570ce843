package hosting

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/address"
	"metarobots/policy"
)

// vercel reads vercel.json. Redirects go before published files, and these before rewrites.
// https://vercel.com/docs/project-configuration/vercel-json
// https://github.com/vercel/vercel packages/routing-utils/src/superstatic.ts
func (h *Hosting) vercel() error {
	f, err := h.find("vercel.json")
	if f == nil {
		h.handlings = append(h.handlings, address.Vercel(false, address.SlashUnset))
		return err
	}
	h.handlings = append(h.handlings, address.Vercel(member(f.root, "cleanUrls") == true, slashOf(f.root)))
	for i, rule := range elements(member(f.root, "redirects")) {
		h.vercelRule(f, "redirects", i, rule)
	}
	for i, rule := range elements(member(f.root, "rewrites")) {
		h.vercelRule(f, "rewrites", i, rule)
	}
	h.vercelRoutes(f)
	return nil
}

// vercelRule adds the route of a redirect or a rewrite.
func (h *Hosting) vercelRule(f *file, list string, i int, rule any) {
	source, to, rewrites := text(member(rule, "source")), text(member(rule, "destination")), list == "rewrites"
	if source == "" || to == "" && !rewrites {
		return
	}
	if own := h.project.Main.URL; own.Host != "" { // a proxy to itself serves what is there
		to = strings.TrimPrefix(to, own.Scheme+"://"+own.Host)
	}
	r := &address.Route{Host: "vercel", Origin: f.origin(place([]string{list}, i)...), Source: source,
		Destination: to, Rewrites: rewrites && strings.HasPrefix(to, "/"), Finds: address.Every,
		May: isSet(member(rule, "has")) || isSet(member(rule, "missing"))}
	r.First = !rewrites && !r.May
	if to == "" { // a service
		to = "service"
	}
	m, read := pathMapping(source, to)
	switch {
	case read:
		r.May = r.May || m.Decodes // how it is compared is not documented
		r.First = r.First && !r.May
		r.Follow(m)
	case rewrites:
		r.Unread(m.To)
	default:
		return // it may hide nothing
	}
	h.route(r)
}

// token is a part of a pattern of path-to-regexp 6.1: an escaped character, a name or a group in brackets, with what may
// stand behind it.
var token = regexp.MustCompile(`\\(.)|(?::(\w+))?\(((?:\\.|[^()\\])*)\)([*+?]?)|:(\w+)([*+?]?)|[{}*+?()]`)

// pathMapping reads a pattern of path-to-regexp, and the destination that its parts fill. It is not ok if the source has
// what is not read; the destination is read all the same.
// https://github.com/pillarjs/path-to-regexp/blob/v6.1.0/Readme.md
func pathMapping(source, to string) (m address.Mapping, ok bool) {
	written, text := "", ""
	var names []string
	ok = true
	add := func(name, matches string, optional bool) {
		if name == "" {
			name = strconv.Itoa(len(names) + 1)
		}
		m.From = append(m.From, address.Part{Text: text},
			address.Part{Name: name, Matches: matches, Optional: optional})
		text, names = "", append(names, name)
		ok = ok && !(optional && !strings.HasSuffix(m.From[len(m.From)-2].Text, "/"))
	}
	at := 0
	for _, t := range token.FindAllStringSubmatchIndex(source, -1) {
		text += source[at:t[0]]
		at = t[1]
		group := func(i int) string {
			if t[2*i] < 0 {
				return ""
			}
			return source[t[2*i]:t[2*i+1]]
		}
		switch {
		case group(1) != "":
			text += group(1)
		case t[6] >= 0: // in brackets
			matches, known := groups[group(3)]
			ok = ok && known && group(4) == ""
			add(group(2), matches, false)
		case group(5) != "":
			ok = ok && (group(6) == "" || strings.HasSuffix(text, "/"))
			add(group(5), repeated[group(6)], group(6) == "*" || group(6) == "?")
		default:
			ok = false
		}
	}
	if text += source[at:]; text != "" || len(m.From) == 0 {
		m.From = append(m.From, address.Part{Text: text})
	}
	for _, p := range m.From {
		written += p.Text
	}
	if m.Decodes = !plainPath.MatchString(written); m.Decodes {
		for i := range m.From {
			m.From[i].Text = policy.Decoded(m.From[i].Text)
		}
	}
	m.To = filled(to, names)
	return m, ok && strings.HasPrefix(source, "/")
}

// plainPath is a text that is spelled in one way alone.
var plainPath = regexp.MustCompile(`^[-\w./~]*$`)

// groups are the expressions in brackets that are read, repeated those of names by what stands behind them. A name stands
// for as little as it can.
var (
	groups   = map[string]string{".*": address.Rest, ".+": address.Some, "[^/]+": address.Segment, "[^/]*": `[^/]*`}
	repeated = map[string]string{"": `[^/]+?`, "?": `[^/]+?`, "*": `[^/]+?(?:/[^/]+?)*`, "+": `[^/]+?(?:/[^/]+?)*`}
)

// reference is a name in a destination: :name, with what stands behind it in the source, or $1 by its number.
var reference = regexp.MustCompile(`:(\w+)[*+?]?|\$(\w+)`)

// filled takes a destination apart at the names of its source. A query says nothing of the file.
func filled(to string, names []string) (parts []address.Part) {
	if strings.HasPrefix(to, "/") {
		to, _, _ = strings.Cut(to, "#")
		to, _, _ = strings.Cut(to, "?")
	}
	at := 0
	for _, r := range reference.FindAllStringSubmatchIndex(to, -1) {
		name := strings.Trim(to[r[0]:r[1]], ":$*+?")
		if n, err := strconv.Atoi(name); err == nil && 0 < n && n <= len(names) {
			name = names[n-1]
		}
		if !slices.Contains(names, name) {
			continue
		}
		parts = append(parts, address.Part{Text: to[at:r[0]]}, address.Part{Name: name})
		at = r[1]
	}
	return append(parts, address.Part{Text: to[at:]})
}

// vercelRoutes adds "routes", an older form of all that vercel.json says of paths. What stands behind
// {"handle": "filesystem"} goes after published files.
// https://vercel.com/docs/project-configuration/vercel-json#routes
func (h *Hosting) vercelRoutes(f *file) {
	first := true
	for i, rule := range elements(member(f.root, "routes")) {
		switch text(member(rule, "handle")) {
		case "":
		case "error":
			return // what is served with status 404
		default:
			first = false
			continue
		}
		source, to, status := text(member(rule, "src")), text(member(rule, "dest")), number(member(rule, "status"))
		for key, value := range tableOf(member(rule, "headers")) {
			if strings.EqualFold(key, "Location") && to == "" {
				to = text(value)
			}
		}
		goesOn := member(rule, "continue") == true
		if source == "" || to == "" && (status < 400 || goesOn) || !asksForPages(member(rule, "methods")) {
			continue
		}
		r := &address.Route{Host: "vercel", Origin: f.origin(place([]string{"routes"}, i)...), Source: source,
			Destination: to, Rewrites: status < 300 && strings.HasPrefix(to, "/"), First: first, Finds: address.Every,
			May: isSet(member(rule, "has")) || isSet(member(rule, "missing"))}
		m, read := expressionMapping(source, to)
		switch {
		case read && !goesOn:
			r.First = r.First && !r.May
			r.Follow(m)
		case r.Rewrites:
			r.Unread(m.To)
		default:
			continue // it may hide nothing
		}
		h.route(r)
	}
}

// asksForPages reports whether a rule for methods, or for all, is for one that crawlers use.
func asksForPages(methods any) bool {
	return methods == nil || slices.ContainsFunc(elements(methods), func(m any) bool {
		return strings.EqualFold(text(m), "GET") || strings.EqualFold(text(m), "HEAD")
	})
}

func tableOf(value any) map[string]any {
	table, _ := value.(map[string]any)
	return table
}

// expressionToken is a part of an expression: an escaped character, or a group of which all is read.
var expressionToken = regexp.MustCompile(`\\([^\w])|\((?:\?<(\w+)>)?(\.\*|\.\+|\[\^/\]\+|\[\^/\]\*)\)|[\\^$*+?()[\]{}|]`)

// expressionMapping reads a regular expression of texts and groups, and the destination that these fill. It is not ok if
// the expression has anything else.
func expressionMapping(source, to string) (m address.Mapping, ok bool) {
	source = strings.TrimSuffix(strings.TrimPrefix(source, "^"), "$")
	ok = strings.HasPrefix(source, "/")
	text, at := "", 0
	var names []string
	for _, t := range expressionToken.FindAllStringSubmatchIndex(source, -1) {
		text += source[at:t[0]]
		at = t[1]
		switch {
		case t[2] >= 0:
			text += source[t[2]:t[3]]
		case t[6] >= 0:
			name := strconv.Itoa(len(names) + 1)
			if t[4] >= 0 {
				name = source[t[4]:t[5]]
			}
			m.From = append(m.From, address.Part{Text: text},
				address.Part{Name: name, Matches: groups[source[t[6]:t[7]]]})
			text, names = "", append(names, name)
		default:
			ok = false
		}
	}
	if text += source[at:]; text != "" || len(m.From) == 0 {
		m.From = append(m.From, address.Part{Text: text})
	}
	m.To = filled(to, names)
	return m, ok
}
