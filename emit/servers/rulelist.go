package servers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
)

// ruleList is a host whose file, JSON or YAML, holds a list of rules, each a pattern and what it sets.
type ruleList struct {
	host   string // its name, as its handlings have it
	format string // of the file: json or yaml
	// path are the names that lead to the list of rules, from the site's part of the file. site finds that by the folder
	// that is published; nil where the file is for one site.
	path     []string
	findSite func(root any, folder string) (at []string, err error)
	folder   string
	// check says why a file cannot have rules; nil where it always can.
	check func(root any) error
	// marks are rules that stand around ours; none where a mark in the pattern tells one.
	marks []string
	// keys are the names of a rule's pattern, ours the first. One named "regex" is an expression.
	keys []string
	// text is how rules of ours are written.
	text ruleText
	// head and tail stand around the expression of a rule of ours; none where a rule names one path.
	head, tail string
	// everything is the pattern for all paths, special the characters that mean something else in one.
	everything, special string
	// first says that the first rule that matches counts, so that the user's may be in the way. It may be one that does
	// not set the header; what holds for all files is then said last, and by default in "globalHeaders".
	firstCounts bool
	// handling is how the host serves a site, by the settings beside the rules.
	handling func(settings any) *address.Handling
	// forms are those of the user's patterns that are read.
	forms []form
	// comparisons are the ways in which the host may compare.
	comparisons []comparison
	// isConditional reports whether a rule of the user's depends on more than the path, and isVague whether its value holds
	// a part of that; nil: none does.
	isConditional func(rule any) bool
	isVague       func(pattern, value string) bool
	limit         limit
	// hasPreviews is that of [Format].
	hasPreviews bool
	// For unwritable and obstacle see [Format].
	unwritable *lazyregexp.Regexp
	obstacle   string
}

// ruleText is how rules of ours are written, as formats.
type ruleText struct {
	// rule has the pattern in quotes, then the headers. header is one of those: its name, then its value in quotes.
	rule, header string
	// otherHosts is a rule for other hosts: the pattern and an expression for the site's own hosts in quotes, then its
	// header; empty for a host without such rules.
	otherHosts string
}

// limit is how much of something a host takes; most is 0 where it counts nothing.
type limit struct {
	most       int
	host, unit string
	count      func(file []byte, rules int) int
}

// expressionMost is Vercel's limit for one source (https://openapi.vercel.sh/vercel.json). Firebase documents none:
// there it keeps an expression to a size that is still read by people.
const expressionMost = 4096

func (h *ruleList) write(d *draft) (file []byte, n int, err error) {
	user, err := h.without(d.existing)
	if err != nil {
		return nil, 0, err
	}
	rules := h.rules(d)
	file, err = h.with(user, d.existing, rules)
	if l := h.limit; err == nil && len(rules) > 0 && l.most > 0 {
		if n := l.count(file, len(user.rules)+len(rules)); n > l.most {
			d.overflow = overflow{fmt.Sprintf("the file would have %d %s, with %d rules of ours", n, l.unit, len(rules)),
				fmt.Sprintf("; %s takes %d", l.host, l.most)}
			err = robotstag.ErrBudget
		}
	}
	return file, len(rules), err
}

// listRule is the text of a rule of ours, and the number of the owner's rule before which it is; see [placement].
type listRule struct {
	before int
	text   string
}

// patternRule is a rule of ours, and the headers that it sets.
type patternRule struct {
	before  int
	pattern string
	headers []string
	of      []*compiler // whose headers those are
}

// rules are ours, one for each pattern. Of several that match the last counts, or the first: what holds for all files
// goes ahead, or last, and then into every rule before it that says nothing of the header.
func (h *ruleList) rules(d *draft) (written []listRule) {
	var rules []*patternRule
	at := make(map[listRule]*patternRule)
	add := func(c *compiler, before int, pattern string, v value) {
		r := at[listRule{before, pattern}]
		if r == nil {
			r = &patternRule{before: before, pattern: pattern}
			rules, at[listRule{before, pattern}] = append(rules, r), r
		}
		if !slices.Contains(r.of, c) {
			header := fmt.Sprintf(h.text.header, c.header.Name, h.quote(v.String()))
			r.headers, r.of = append(r.headers, header), append(r.of, c)
		}
	}
	robots := d.headers[0]
	if robots.everywhere != "" && !h.firstCounts {
		add(robots, atEnd, h.everything, robots.everywhere)
	}
	if h.firstCounts {
		// A rule for an index may hold for its folder too, where another file may be served: what
		// restricts all that both do has to come first.
		for _, g := range robots.groups {
			for _, p := range h.patterns(robots.disputed(g.paths)) {
				add(robots, g.placement.before, p, g.value)
			}
		}
		for _, url := range robots.disputedLikeAll() {
			for _, p := range h.patterns([]string{url}) {
				add(robots, robots.placed.placementAt(url).before, p, robots.everywhere)
			}
		}
	}
	for _, c := range d.headers {
		for _, g := range c.groups {
			for _, p := range h.patterns(g.paths) {
				add(c, g.placement.before, p, g.value)
			}
		}
	}
	if robots.everywhere != "" && h.firstCounts {
		for _, r := range rules {
			add(robots, atEnd, r.pattern, robots.everywhere)
		}
		add(robots, atEnd, h.everything, robots.everywhere)
	}
	for _, r := range rules {
		text := fmt.Sprintf(h.text.rule, h.quote(r.pattern), strings.Join(r.headers, ", "))
		written = append(written, listRule{r.before, text})
	}
	if h.text.otherHosts != "" && d.writesOthers() {
		written = append(written, h.others(d))
	}
	return written
}

// patterns are those of rules for some paths.
func (h *ruleList) patterns(urls []string) (all []string) {
	if h.head == "" {
		for _, url := range urls {
			all = append(all, spellings(url)...)
		}
		return all
	}
	for _, p := range pack(urls, h.head, "|", expressionMost-len(h.tail), h.alternative) {
		all = append(all, p+h.tail)
	}
	return all
}

// alternative is a path in the expression of a rule.
func (h *ruleList) alternative(url string) string {
	decodes := slices.ContainsFunc(h.comparisons, func(w comparison) bool { return w.spell == nil })
	if decodes && len(spellings(url)) > 1 {
		return encodedPattern(url) + "|" + regexp.QuoteMeta(url[1:])
	}
	return encodedPattern(url)
}

// unfit refuses the paths that no pattern names.
func (h *ruleList) unfit(_ *compiler, url string, _ value) string {
	switch {
	case h.head == "" && strings.ContainsAny(url, h.special):
		return specialName
	case h.head != "" && len(h.head)+len(h.alternative(url))+len(h.tail) > expressionMost:
		return tooLong
	}
	return ""
}

// names are the texts as which the host may see a request path.
func (h *ruleList) names(url string) (all []string) {
	for _, w := range h.comparisons {
		if name := w.names(url)[0]; !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// spellings are a path percent-encoded and as it stands, for hosts that do not say which of them they compare.
func spellings(path string) []string {
	if encoded := robotstag.Encode(path, "/.~!$&'()*+,;=:@-_", robotstag.Upper); encoded != path {
		return []string{encoded, path}
	}
	return []string{path}
}

// handlingBy reads "cleanUrls" and "trailingSlash", as vercel.json and firebase.json have them.
func handlingBy(
	host func(clean bool, slash address.Slash) *address.Handling) func(settings any) *address.Handling {
	return func(settings any) *address.Handling {
		slash := address.Slash(scalar(member(settings, "trailingSlash")))
		if slash != address.SlashAdded && slash != address.SlashCut {
			slash = address.SlashUnset
		}
		return host(member(settings, "cleanUrls") == true, slash)
	}
}

// unset is a host whose file says nothing of how it serves a site.
func unset(h *address.Handling) func(any) *address.Handling {
	return func(any) *address.Handling { return h }
}

func (h *ruleList) readUser(file []byte, header string) (*User, error) {
	d, err := h.open(file)
	if err != nil {
		return nil, err
	}
	site := address.New(nil, nil, h.handling(d.holder))
	u := &User{header: header, serves: serving{site: site, dependsOnSetting: true}, accounted: map[int]bool{}}
	d.noteLines(u, member(d.holder, "globalHeaders"), "globalHeaders")
	var standard robotstag.Value
	if text, line, ok := d.headerValue(header, member(d.holder, "globalHeaders"), "globalHeaders"); ok && h.firstCounts {
		standard = u.value(line, text)
	}
	for _, w := range h.comparisons {
		u.views = append(u.views, view{comparison: w})
	}
	own := -1 // the place among the user's rules
	for i, written := range d.rules {
		if !d.isOurs[i] {
			own++
		}
		if h.hasPattern(written) {
			d.noteLines(u, member(written, "headers"), d.pathTo(i, "headers")...)
		}
		text, line, says := d.headerValue(header, member(written, "headers"), d.pathTo(i, "headers")...)
		if d.isOurs[i] || !says && !h.firstCounts || !asked(member(written, "methods")) {
			continue
		}
		at := d.line(d.pathTo(i)...)
		pattern, means, read := h.pattern(written)
		isVague := h.isVague != nil && h.isVague(pattern, text)
		isConditional := h.isConditional != nil && h.isConditional(written)
		read = read && !isVague && !isConditional
		if !says {
			line, text = at, standard.Text
		}
		rule := userRule{number: own, sends: u.value(line, text), isRedirect: scalar(member(written, "redirect")) != "",
			isUnread: !read, isVague: isVague}
		if isConditional && says {
			u.leaveConditional(at, "rule")
		} else if !read && says {
			u.leaveUnread(at, "rule", ", and depends on more than a path, or what paths begin and end with")
		}
		if h.firstCounts {
			rule.overridesAs = pattern
		}
		for i := range u.views {
			v := &u.views[i]
			rule.matches = regexp.MustCompile(means(&v.comparison)).MatchString
			v.rules = append(v.rules, rule)
		}
	}
	for i := 0; i < len(u.views) && h.firstCounts; i++ {
		v := &u.views[i]
		if standard.Text != "" { // where none matches
			v.rules = append(v.rules, userRule{sends: standard})
		}
		slices.Reverse(v.rules)
	}
	return u, nil
}

// asked reports whether a rule for methods is for one that crawlers use.
func asked(methods any) bool {
	return methods == nil || slices.ContainsFunc(elements(methods), func(v any) bool {
		return strings.EqualFold(scalar(v), "GET") || strings.EqualFold(scalar(v), "HEAD")
	})
}

// hasPattern reports whether a rule says for which paths it is: one that does not is carried out nowhere.
func (h *ruleList) hasPattern(written any) bool {
	return slices.ContainsFunc(h.keys, func(key string) bool { return scalar(member(written, key)) != "" })
}

// pattern returns the pattern of a rule of the user's, and the expression for what it means in each way. read is false
// where the pattern may mean less.
func (h *ruleList) pattern(written any) (pattern string, means func(w *comparison) string, read bool) {
	key := h.keys[0]
	for _, k := range slices.Backward(h.keys) {
		if member(written, k) != nil {
			key = k
		}
	}
	pattern = scalar(member(written, key))
	means = func(w *comparison) string { return w.expression(pattern, h.forms) }
	read = slices.ContainsFunc(h.forms, func(f form) bool { return f.written.MatchString(pattern) })
	if key == "regex" {
		_, err := regexp.Compile(pattern)
		if read = err == nil; !read {
			pattern = "" // that matches anything
		}
		means = func(*comparison) string { return pattern }
	}
	return pattern, means, read
}
