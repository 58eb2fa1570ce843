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

// ruleList is a host whose file, JSON or YAML, holds a list of rules, each a pattern and what it
// sets.
type ruleList struct {
	host string   // its name, as its handlings have it
	file listFile // what holds the list
	// marks are the two rules around ours; none if a mark in the pattern tells ours.
	marks []string
	// keys are the names of a rule's pattern, ours the first. One named "regex" is an expression.
	keys []string
	// text is how rules of ours are written, ours how the patterns in them are.
	text ruleText
	ours ourPatterns
	// owners is how rules of the owner's are read.
	owners ownersRules
	// firstCounts says that the first rule that matches counts, so that the user's may be in the
	// way. It may be one that does not set the header. What holds for all files is then said last,
	// and by default in "globalHeaders".
	firstCounts bool
	// handling is how the host serves a site, by the settings beside the rules.
	handling func(settings any) *address.Handling
	// comparisons are the ways in which the host may compare.
	comparisons []comparison
	limit       limit
	// hasPreviews is that of [Format].
	hasPreviews bool
	// For unwritable and obstacle see [Format].
	unwritable *lazyregexp.Regexp
	obstacle   string
}

// ourKey is the name under which rules of ours have their pattern.
func (h *ruleList) ourKey() string { return h.keys[0] }

// ruleText is how rules of ours are written, as formats.
type ruleText struct {
	// rule has the pattern in quotes, then the headers. header is one of those: its name, then its
	// value in quotes.
	rule, header string
	// otherHosts is a rule for other hosts: the pattern and an expression for the site's own hosts
	// in quotes, then its header; empty for a host without such rules.
	otherHosts string
	// redirect is a rule of the file's list of redirects: a pattern, an expression for the hosts
	// that redirect, and the destination, each in quotes; empty for a host without such a list.
	redirect string
}

// ourPatterns is how the pattern of a rule of ours is written: an expression of several paths, or
// one path as it is.
type ourPatterns struct {
	// head and tail are around the expression; none if a rule names one path.
	head, tail string
	// everything is the pattern for all paths, special the characters that mean something else in
	// one.
	everything, special string
}

// nameOnePath reports whether each pattern is a path, and no expression.
func (o ourPatterns) nameOnePath() bool { return o.head == "" }

// inner is what a pattern has between head and tail. isMarked is false if it has no mark of ours,
// and isOurs if it is not between them at all.
func (o ourPatterns) inner(pattern string) (inner string, isMarked, isOurs bool) {
	headWithoutMark := strings.TrimSuffix(o.head, patternMark)
	if !strings.HasPrefix(pattern, headWithoutMark) || !strings.HasSuffix(pattern, o.tail) {
		return "", false, false
	}
	inner, isMarked = strings.CutPrefix(strings.TrimSuffix(pattern, o.tail), o.head)
	return inner, isMarked, true
}

// ownersRules is how the rules of an owner are read.
type ownersRules struct {
	// forms are those of the patterns that are read, or translate makes an expression of each that is
	// read.
	forms     []form
	translate func(pattern string) (expression string, isRead bool)
	// isConditional reports whether a rule depends on more than the path, and isVague whether its
	// value holds a part of that; nil: none does.
	isConditional func(rule any) bool
	isVague       func(pattern, value string) bool
}

// doubts says what keeps a rule with a pattern and a value from being sure: that its value is
// vague, or that it is conditional.
func (o ownersRules) doubts(rule any, pattern, value string) (isVague, isConditional bool) {
	return o.isVague != nil && o.isVague(pattern, value), o.isConditional != nil && o.isConditional(rule)
}

// limit is how much of something a host takes in a file; most is 0 if there is no limit.
type limit struct {
	most       int
	host, unit string // as a message names them: "Azure", "bytes"
	count      func(file []byte, rules int) int
}

// exceeds counts what a file has with so many rules, and reports whether that is too much.
func (l limit) exceeds(file []byte, rules int) (n int, isOver bool) {
	if l.most == 0 {
		return 0, false
	}
	n = l.count(file, rules)
	return n, n > l.most
}

// expressionMost is Vercel's limit for one source (https://openapi.vercel.sh/vercel.json). Firebase
// documents none: there it keeps an expression to a size that is still read by people.
const expressionMost = 4096

// write is [Format.write] for a list of rules. It fails with [robotstag.ErrBudget] if the host's
// limit is in the way, which it notes in the draft; the file is returned all the same.
func (h *ruleList) write(d *draft) (file []byte, n int, err error) {
	user, err := h.openOwners(d.existing)
	if err != nil {
		return nil, 0, err
	}
	rules := h.rules(d)
	file, err = h.addRules(user, d.existing, rules)
	if err != nil || len(rules) == 0 {
		return file, len(rules), err
	}
	file = h.addRedirect(file, d)
	if n, isOver := h.limit.exceeds(file, len(user.rules)+len(rules)); isOver {
		d.overflow = overflow{
			size:  fmt.Sprintf("the file would have %d %s, with %d rules of ours", n, h.limit.unit, len(rules)),
			limit: fmt.Sprintf("; %s takes %d", h.limit.host, h.limit.most)}
		err = robotstag.ErrBudget
	}
	return file, len(rules), err
}

// listRule is the text of a rule of ours, and the number of the owner's rule before which it is;
// see [placement].
type listRule struct {
	before int
	text   string
}

// rules are ours, as texts: one for each pattern, and the one for other hosts, which is the last.
func (h *ruleList) rules(d *draft) (texts []listRule) {
	for _, r := range h.patternRules(d) {
		text := fmt.Sprintf(h.text.rule, h.file.quote(r.at.pattern), strings.Join(r.headers, ", "))
		texts = append(texts, listRule{r.at.before, text})
	}
	if h.text.otherHosts != "" && d.writesOthers() {
		texts = append(texts, h.otherHostsRule(d))
	}
	return texts
}

// patternRules are our rules in the order of the file, one for each pattern, whatever the number of
// headers. Of several that match, the last counts or the first. So what holds for all files goes
// ahead, or last, and then into every rule before it that says nothing of the header.
func (h *ruleList) patternRules(d *draft) []*patternRule {
	robots := d.headers[0]
	all := &patternRules{list: h}
	if robots.everywhere != "" && !h.firstCounts {
		all.addHeader(robots, atEnd, h.ours.everything, robots.everywhere)
	}
	if h.firstCounts {
		all.addDisputed(robots)
	}
	for _, c := range d.headers {
		for _, g := range c.groups {
			all.addFor(c, g.placement, g.paths, g.value)
		}
	}
	if robots.everywhere != "" && h.firstCounts {
		for _, r := range all.inOrder {
			all.addHeader(robots, atEnd, r.at.pattern, robots.everywhere)
		}
		all.addHeader(robots, atEnd, h.ours.everything, robots.everywhere)
	}
	return all.inOrder
}

// patternRules are rules of ours as they come, each pattern once in a place.
type patternRules struct {
	list    *ruleList
	inOrder []*patternRule
	byPlace map[patternPlace]*patternRule
}

// patternRule is a rule of ours, and the headers that it sets.
type patternRule struct {
	at      patternPlace
	headers []string
	of      []*compiler // whose headers those are
}

// patternPlace is a pattern, and the number of the owner's rule before which the rule is.
type patternPlace struct {
	before  int
	pattern string
}

// addHeader gives the rule of a pattern a header, unless it says something of the header already.
func (all *patternRules) addHeader(c *compiler, before int, pattern string, v value) {
	place := patternPlace{before, pattern}
	r := all.byPlace[place]
	if r == nil {
		r = &patternRule{at: place}
		if all.byPlace == nil {
			all.byPlace = make(map[patternPlace]*patternRule)
		}
		all.inOrder, all.byPlace[place] = append(all.inOrder, r), r
	}
	if !slices.Contains(r.of, c) {
		header := fmt.Sprintf(all.list.text.header, c.header.Name, all.list.file.quote(v.String()))
		r.headers, r.of = append(r.headers, header), append(r.of, c)
	}
}

// addFor adds rules that give some paths a value.
func (all *patternRules) addFor(c *compiler, at placement, paths []string, v value) {
	for _, pattern := range all.list.patterns(paths) {
		all.addHeader(c, at.before, pattern, v)
	}
}

// addDisputed adds the rules for disputed paths ahead of all others: a rule for an index may hold
// for its folder too, where another file may be served, and the first that matches counts. So what
// restricts all that both files' rules do comes first.
func (all *patternRules) addDisputed(robots *compiler) {
	for _, g := range robots.groups {
		all.addFor(robots, g.placement, robots.disputed(g.paths), g.value)
	}
	for _, url := range robots.disputedLikeAll() {
		all.addFor(robots, robots.placed.placementAt(url), []string{url}, robots.everywhere)
	}
}

// patterns are those of rules for some paths: one for each spelling of each path, or expressions of
// as many paths as the host takes.
func (h *ruleList) patterns(urls []string) (all []string) {
	if h.ours.nameOnePath() {
		for _, url := range urls {
			all = append(all, spellings(url)...)
		}
		return all
	}
	for _, p := range packTexts(urls, h.ours.head, "|", expressionMost-len(h.ours.tail), h.alternative) {
		all = append(all, p+h.ours.tail)
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
	switch isOnePath := h.ours.nameOnePath(); {
	case isOnePath && strings.ContainsAny(url, h.ours.special):
		return specialName
	case !isOnePath && len(h.ours.head)+len(h.alternative(url))+len(h.ours.tail) > expressionMost:
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

// spellings are a path percent-encoded and as it is, for hosts that do not say which of them they
// compare.
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

// whateverSettings is the handling of a host whose file says nothing of how it serves a site: the
// same for all settings.
func whateverSettings(h *address.Handling) func(any) *address.Handling {
	return func(any) *address.Handling { return h }
}

// readUser is [Format.ReadUser] for a list of rules.
func (h *ruleList) readUser(file []byte, header string) (*User, error) {
	d, err := h.open(file)
	if err != nil {
		return nil, err
	}
	site := address.New(nil, nil, h.handling(d.holder))
	// On a host without such settings the paths are the same with and without dependsOnSetting.
	u := &User{header: header, serves: serving{site: site, dependsOnSetting: true}, accounted: map[int]bool{}}
	for _, w := range h.comparisons {
		u.views = append(u.views, view{comparison: w})
	}
	standard := h.readStandard(d, u)
	h.noteOtherSites(d, u)
	ownNumber := 0
	for number := range d.rules {
		h.noteAccounted(d, number, u)
		if d.isOurs[number] {
			continue
		}
		if rule, p, isRule := h.userRule(d, number, u, standard); isRule {
			rule.number = ownNumber
			u.addToViews(rule, p)
			if !rule.isUnread && p.path != "" {
				u.paths = append(u.paths, p.path)
			}
		}
		ownNumber++
	}
	if h.firstCounts {
		u.reverse(standard)
	}
	u.indexRules()
	return u, nil
}

// readStandard reads the line that is sent if no rule says anything; without a text if there is
// none.
func (h *ruleList) readStandard(d *document, u *User) robotstag.Value {
	const globalHeaders = "globalHeaders"
	headers := member(d.holder, globalHeaders)
	d.noteAccountedLines(u, headers, globalHeaders)
	text, line, isStated := d.headerValue(u.header, headers, globalHeaders)
	if !isStated || !h.firstCounts {
		return robotstag.Value{}
	}
	return u.valueAt(line, text)
}

// makesDifference reports whether a rule, which names the header or does not, has a part in what
// crawlers get of it. One that does not name it has so only on a host where the first rule that
// matches counts: there it hides those behind it. A rule for methods that no crawler uses has none.
func (h *ruleList) makesDifference(written any, namesHeader bool) bool {
	return (namesHeader || h.firstCounts) && isAskedByCrawlers(member(written, "methods"))
}

// noteAccounted notes the lines of a rule that name the header as accounted for, since the rule is
// ours, or is read or reported. One without a pattern is carried out nowhere.
func (h *ruleList) noteAccounted(d *document, number int, u *User) {
	written := d.rules[number]
	hasPattern := func(key string) bool { return scalar(member(written, key)) != "" }
	if slices.ContainsFunc(h.keys, hasPattern) {
		d.noteAccountedLines(u, member(written, "headers"), d.pathTo(number, "headers")...)
	}
}

// userRule reads a rule of the owner's, by its number in the document, for the header of a User,
// and reports there what cannot be read. standard is the line that is sent if no rule says
// anything, also for a path that is taken by a rule without the header. isRule is false if the rule
// makes no difference to the header. The rule has no number among the owner's yet, and no paths: p
// is its pattern, for addToViews. Its effect is the zero value, replaces, on each host with a list.
// That it is conditional is reported here, and makes it unread. Of vercel.json, and for
// X-Robots-Tag:
//
//	{"source": "/a", "headers": […noindex…]}                    read
//	{"source": "/a", "has": […], "headers": […noindex…]}        unread: it depends on the request
//	{"source": "/(a|b)", "headers": […noindex…]}                unread: the pattern is not read
//	{"source": "/:x", "headers": […"unavailable_after: :x"…]}   unread and vague: :x is of the path
//	{"source": "/a", "headers": […Link…]}                       makes no difference
func (h *ruleList) userRule(d *document, number int, u *User, standard robotstag.Value) (
	rule userRule, p userPattern, isRule bool) {
	written := d.rules[number]
	headers, path := member(written, "headers"), d.pathTo(number, "headers")
	text, line, namesHeader := d.headerValue(u.header, headers, path...) // of several values the last
	if !h.makesDifference(written, namesHeader) {
		return userRule{}, userPattern{}, false
	}
	lineOfRule := d.lineOf(d.pathTo(number)...)
	if !namesHeader { // where the first rule that matches counts: it hides those behind it
		line, text = lineOfRule, standard.Text
	}
	p = h.pattern(written)
	isVague, isConditional := h.owners.doubts(written, p.text, text)
	rule = userRule{sends: u.valueAt(line, text), isRedirect: isRedirect(written), isVague: isVague}
	rule.path, rule.folder = p.path, p.folder
	rule.isUnread = !p.isRead || rule.isVague || isConditional
	if h.firstCounts { // it counts instead of ours, which are behind it: findings name its pattern
		rule.nameIfOverriding = p.text
	}
	if namesHeader { // one that does not is no finding, however it is written
		u.reportUnreadRule(lineOfRule, rule.isUnread, isConditional)
	}
	return rule, p, true
}

// reportUnreadRule reports a rule of a list that is unread. If it is also conditional, that alone
// is reported.
func (u *User) reportUnreadRule(line int, isUnread, isConditional bool) {
	switch {
	case isConditional:
		u.reportConditional(line, "rule")
	case isUnread: // by its pattern, or because its value depends on the path
		u.reportUnread(line, "rule", ", and depends on more than a path, or what paths begin and end with")
	}
}

// addToViews adds a rule to each view, with what its pattern matches there.
func (u *User) addToViews(rule userRule, p userPattern) {
	for i := range u.views {
		v := &u.views[i]
		rule.paths = newMatcher(p.expression(&v.comparison))
		v.rules = append(v.rules, rule)
	}
}

// reverse puts the rules of each view in the order in which those of a host count where the first
// that matches does: from the last, each replaces those before it. standard is sent if none
// matches. It has no number of its own, and needs none: numbers are for placements ([placeInList]),
// which such a host has not.
func (u *User) reverse(standard robotstag.Value) {
	for i := range u.views {
		v := &u.views[i]
		if standard.Text != "" {
			everyPath := matcher{}
			v.rules = append(v.rules, userRule{sends: standard, paths: everyPath})
		}
		slices.Reverse(v.rules)
	}
}

// indexRules makes the index of each view's rules, which stay as they are from then on.
func (u *User) indexRules() {
	for i := range u.views {
		v := &u.views[i]
		v.index = &patternIndex{}
		for place := range v.rules {
			v.index.add(place, v.rules[place].paths)
		}
	}
}

// isAskedByCrawlers reports whether a rule for methods is for one that crawlers use.
func isAskedByCrawlers(methods any) bool {
	return methods == nil || slices.ContainsFunc(elements(methods), func(v any) bool {
		return strings.EqualFold(scalar(v), "GET") || strings.EqualFold(scalar(v), "HEAD")
	})
}

// isRedirect reports whether a rule redirects, so that no file is served.
func isRedirect(written any) bool { return scalar(member(written, "redirect")) != "" }
