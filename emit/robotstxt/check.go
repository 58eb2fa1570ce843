package robotstxt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// Place is what is known of the site around a robots.txt. The zero value knows nothing: only the
// text is checked.
type Place struct {
	// Path is the URL path at which the file is served; empty for /robots.txt.
	Path string
	// Noindex: the environment states noindex for every page, which crawlers must be able to read.
	Noindex bool
	// Standalone are crawlers that need not obey the rules of *, because their owner says so, by
	// [Policy.Standalone]: by the tokens that readers cut from their names, "ai" of AI2Bot.
	Standalone map[string]bool
	// ListedNames are [Policy.ListedNames]. They are written as the lists have them (S9f), so none
	// of these is reported.
	ListedNames map[string]bool
	// Managed names the host that puts a block before the file, one of [ManagedNames]. It is empty
	// if no host does.
	Managed string
	// URLs are the published URLs, encoded paths; nil where they are not known. Addresses returns
	// all paths at which the host has an answer for them; nil where it is the same.
	URLs      []string
	Addresses func() []string
}

// noindexKeys are directives that never were rules of robots.txt, or are no more.
var noindexKeys = []string{"noindex", "nofollow", "noarchive", "nosnippet"}

// knownKeys are read by some crawler, or were, and are left as they are.
var knownKeys = []string{"clean-param", crawlDelay, contentSignal, contentUsage, license, "host", "request-rate",
	"visit-time"}

// Check returns what an owner would want to know of his file, in the order of the lines; what has
// no line comes first. site is what is known around the file; its zero value checks the text alone.
// Of a file that is UTF-16 or HTML nothing else is checked, since no line of it is a rule.
// [checkLines] is the check of what the policy states.
func (f *File) Check(site Place) []policy.Finding {
	var all findings
	f.checkPlace(&site, &all)
	if isText := f.checkBytes(&all); !isText {
		return all
	}
	lines := slices.DeleteFunc(slices.Clone(f.Lines), func(l Line) bool { return l.Kind == Blank })
	if isHTML := len(lines) > 0 && strings.HasPrefix(trim(lines[0].Text), "<"); isHTML {
		all.add("robotstxt-unread-line", policy.Error, lines[0].Number, "this is HTML, not a robots.txt")
		return all
	}
	for _, l := range lines {
		l.check(f, &all)
	}
	checkAgents(lines, site.ListedNames, &all)
	f.checkFormer(&all)
	f.checkSpellings(&all)
	f.checkStar(site.Standalone, &all)
	f.checkFreed(site.Standalone, &all)
	f.checkCase(&site, &all)
	all = append(all, f.contradictions(site)...)
	slices.SortStableFunc(all, func(a, b policy.Finding) int { return cmp.Compare(a.Line, b.Line) })
	return all
}

// checkPlace reports a file that no crawler reads where it is, or else one that keeps crawlers from
// reading the noindex of its environment: at the rule that keeps out Googlebot, or else everyone.
func (f *File) checkPlace(site *Place, all *findings) {
	const root = "/robots.txt"
	if isElsewhere := site.Path != "" && site.Path != root; isElsewhere {
		all.warn("robotstxt-place", 0, "%s is read by no crawler: it must stand at the root of the host, "+
			root, site.Path)
		return
	}
	if !site.Noindex {
		return
	}
	home := f.Ask("googlebot", "/")
	if home.Allowed {
		home = f.Ask(star, "/")
	}
	if home.Allowed {
		return
	}
	all.add("robotstxt-hides-noindex", policy.Error, home.Line, "%s keeps crawlers from reading the noindex "+
		"that this environment states, so pages may be indexed by their links", home.Rule)
	fix := "; allow crawling here"
	canBeOpened := func(l Line) bool { return l.Number == home.Line && shutsSearchOut(&l) }
	if slices.ContainsFunc(f.Lines, canBeOpened) {
		fix += `, as robots.txt.previews = "open" does in previews`
	}
	(*all)[len(*all)-1].Fix = fix
}

// checkBytes reports a file that crawlers read in part, as another text or not at all. isText is
// false if they find no line in it.
func (f *File) checkBytes(all *findings) (isText bool) {
	if f.size > MaxSize {
		all.add("robotstxt-too-big", policy.Error, 0, "the file has %d bytes; Google reads the first %d",
			f.size, MaxSize)
	}
	if f.IsUTF16() {
		all.add("robotstxt-encoding", policy.Error, 0,
			"the file is UTF-16; crawlers read UTF-8 and find no rule in it")
		return false
	}
	if bytes.HasPrefix(f.head, bom) {
		all.warn("robotstxt-bom", 1, "the file begins with a byte order mark; Google skips it, other crawlers may not "+
			"read the first line")
	}
	return true
}

// check reports what is wrong with one line of a file, for [File.Check], in this order: its bytes,
// its key, its place, its value. A line that is no key and value has no more to check. Comments and
// empty lines are not passed.
func (l Line) check(f *File, all *findings) {
	l.checkBytes(all)
	if l.Kind == Unread {
		all.warn("robotstxt-unread-line", l.Number, "%q is not a rule: a key, a colon and a value", clip(trim(l.Text)))
		return
	}
	l.checkKey(all)
	if fault := l.valueFault(); fault.message != "" {
		all.warn(fault.id, l.Number, "%s: %s", clip(l.String()), fault.message)
	}
	readsDelay := func(agent string) bool { return !ignoresDelay(agent) }
	if l.key == crawlDelay && l.agents != nil && !slices.ContainsFunc(l.agents, readsDelay) {
		all.warn("robotstxt-crawl-delay", l.Number, "Google does not read Crawl-delay, so it does nothing for %s",
			strings.Join(f.spelled(l.agents...), ", "))
	}
}

// checkBytes reports a line that Google cuts off, and one that is not UTF-8.
func (l Line) checkBytes(all *findings) {
	if len(l.Text) > maxLine {
		all.warn("robotstxt-long-line", l.Number, "the line has %d bytes; Google cuts it off after %d", len(l.Text),
			maxLine)
	}
	if strings.ContainsRune(l.Text, 0) {
		all.warn("robotstxt-encoding", l.Number, "the line holds a NUL, where Google stops reading it")
	} else if !utf8.ValidString(l.Text) {
		all.warn("robotstxt-encoding", l.Number, "the line is not UTF-8")
	}
}

// checkKey reports a key that only Google understands, then one that nobody reads, or a line of a
// group that is in none.
func (l Line) checkKey(all *findings) {
	isGoogles := l.Kind != Other // it has one of the four keys that Google's parser knows, however it is spelled
	switch {
	case isGoogles && !strings.EqualFold(l.name(), l.Key):
		all.warn("robotstxt-typo", l.Number, "%q is read by Google as %s; others may not read it",
			clip(l.Key), l.name())
	case isGoogles && !l.Colon:
		all.warn("robotstxt-typo", l.Number, "the colon after %s is missing; Google reads the line, others may not",
			l.name())
	}
	isOfGroup := l.isRule() || l.vocabulary() != nil
	switch {
	case slices.Contains(noindexKeys, l.key):
		all.warn("robotstxt-noindex-line", l.Number, "%s in robots.txt has no effect: Google has not read it "+
			"since 2019; state it in the page or its header", l.Key)
	case !isGoogles && !slices.Contains(knownKeys, l.key):
		all.warn("robotstxt-unknown-line", l.Number, "unknown key %q; crawlers pass over the line", clip(l.Key))
	case l.agents == nil && isOfGroup:
		all.warn("robotstxt-rule-before-group", l.Number,
			"%s stands before the first User-agent line, so no crawler obeys it", clip(l.String()))
	}
}

// A valueFault is what is wrong with the value of a line; the zero value is nothing.
type valueFault struct {
	id, message string
	// isBroken says that a crawler may read something else, or nothing: then it is an error in our
	// own policy ([Policy.Check]), else a warning. In an owner's file either is a warning.
	isBroken bool
}

// newFault is a valueFault, or the zero value if there is no message.
func newFault(id, message string, isBroken bool) valueFault {
	if message == "" {
		return valueFault{}
	}
	return valueFault{id, message, isBroken}
}

// valueFault returns what is wrong with the value of a line, by its key.
func (l Line) valueFault() valueFault {
	const notWhole = " is named by its whole URL, with https:// and the host"
	switch {
	case l.isRule():
		return newFault("robotstxt-path", checkPattern(l.Value), true)
	case l.key == contentSignal:
		message, _ := CheckSignal(l.key, l.Value)
		return newFault("robotstxt-content-signal", message, true)
	case l.key == contentUsage:
		message, isBroken := CheckSignal(l.key, l.Value)
		return newFault("robotstxt-content-usage", message, isBroken)
	case l.Kind == Sitemap && !wholeURL.MatchString(l.Value):
		return newFault("robotstxt-sitemap", "a sitemap"+notWhole, true)
	case l.key == license && !wholeURL.MatchString(l.Value):
		return newFault("robotstxt-license", "a licence"+notWhole, true)
	case l.key == crawlDelay:
		if d, err := strconv.ParseFloat(l.Value, 64); err != nil || !(d >= 0) { // NaN is no number either
			return newFault("robotstxt-crawl-delay", "it is not a number of seconds", true)
		}
	}
	return valueFault{}
}

// checkAgents reports each fault of a User-agent line once, with a count: such lines are many where
// they are copied. It passes over the names of the owner's lists.
func checkAgents(lines []Line, listedNames map[string]bool, all *findings) {
	faults := map[string][]Line{}
	for _, l := range lines {
		if l.Kind == Agent && !listedNames[strings.ToLower(l.Value)] {
			fault := agentFault(l.Value)
			faults[fault] = append(faults[fault], l)
		}
	}
	delete(faults, "")
	for fault, lines := range faults {
		message := fmt.Sprintf(fault, clip(lines[0].Value), tokenOf(lines[0].Value))
		if more := len(lines) - 1; more > 0 {
			message += " (" + MoreLines(more) + ")"
		}
		all.warn("robotstxt-agent", lines[0].Number, "%s", message)
	}
}

// agentFault returns what is wrong with the value of a User-agent line, as a format of the value
// and its token, or "".
func agentFault(value string) string {
	switch token := tokenOf(value); {
	case value == "":
		return "User-agent names no crawler%.0s%.0s"
	case token != star && productToken(token) == "":
		return "%q begins with no letter, so by RFC 9309 it names no crawler%.0s"
	case token == star && value != star:
		return "%q is read as %s"
	case token != star && !strings.EqualFold(token, value):
		return "%q is read up to the first character that is no letter, hyphen or underscore: %s"
	}
	return ""
}

// checkPattern returns why a pattern may not match what it seems to, or "".
func checkPattern(value string) string {
	switch {
	case value != "" && strings.Trim(value, "*$") == "" && value[0] == '*':
		return "Google takes it for every URL, and others for none, as a path begins with a slash; write / for every URL"
	case strings.ContainsAny(value, " \t"):
		return "it matches nothing: white space in a path is written %20"
	case value == "" || value[0] == '/' || value[0] == '*':
		return ""
	case value == "$":
		return "it matches nothing, as no path is empty"
	case strings.Contains(value, "://"):
		return "it matches nothing: a rule has a path, without scheme and host"
	}
	return "it matches nothing: a path begins with a slash"
}

// checkStar looks for groups that do without rules of the * group and do not seem to mean it: they
// neither block nor allow everything and say nothing of a path that * disallows. One rule is named
// for each group. Nothing is said of a crawler that is standalone, or that would obey no other
// group without its own.
//
//	User-agent: *             User-agent: Bingbot
//	Disallow: /private/       Disallow: /x/          Bingbot may fetch /private/
func (f *File) checkStar(standalone map[string]bool, all *findings) {
	common := f.sets[star]
	if common == nil { // without that group a group of its own voids nothing
		return
	}
	for _, token := range f.tokens {
		s := f.sets[token]
		obeysAnotherWithout := token != star && nextGroup(token) != ""
		if !obeysAnotherWithout || standalone[tokenOf(token)] || s.isTotal() {
			continue
		}
		for i := range common.rules {
			r := &common.rules[i]
			if isDisallow := !r.isAllow && r.pattern != ""; !isDisallow {
				continue
			}
			path := samplePath(r)                           // one of those that the rule matches
			isDecidedInGroup := f.Ask(token, path).Line > 0 // a rule of the group is about it
			if isDecidedInGroup || f.Ask(star, path).Allowed {
				continue
			}
			all.warn("robotstxt-group-voids-star", f.named[token].line.Number, "%s has a group of its own, "+
				"so nothing of the * group holds for it: line %d, %s, does not; repeat it in the group if "+
				"it is meant to", f.spelled(token)[0], r.line.Number, clip(r.line.String()))
			break // one for each group
		}
	}
}

// checkFreed notes groups that allow everything while the * group disallows something:
//
//	User-agent: *             User-agent: Bingbot
//	Disallow: /private/       Allow: /               Bingbot may fetch /private/ now
//
// People write them to say that a crawler is welcome, and free it from every rule of *. The note is
// at the Allow, one for all crawlers of the group, and names one Disallow from which it frees them:
//
//	Allow: / frees Bingbot, Yandex from the * group, line 2, Disallow: /private/: a crawler obeys …
//
// There is no note of a crawler that is standalone, or that would obey no other group without its
// own, nor if * disallows everything: then freeing it is meant. A group that has an empty Disallow,
// the old form of "everything", and no such Allow means it too.
func (f *File) checkFreed(standalone map[string]bool, all *findings) {
	common := f.sets[star]
	if common == nil || common.isShut() {
		return
	}
	hasNoEffect := func(r rule) bool { // on one of the paths that it matches
		return r.isAllow || r.pattern == "" || f.Ask(star, samplePath(&r)).Allowed
	}
	denials := slices.DeleteFunc(slices.Clone(common.rules), hasNoEffect)
	var found causes
	questionsLeft := maxQuestions
	for _, token := range f.tokens {
		s := f.sets[token]
		allowsAll := func(r rule) bool { return r.isAllow && r.matchesEverything() }
		allow := slices.IndexFunc(s.rules, allowsAll)
		obeysAnotherWithout := token != star && nextGroup(token) != ""
		if allow < 0 || !obeysAnotherWithout || standalone[tokenOf(token)] {
			continue
		}
		isFreedFrom := func(denial rule) bool {
			questionsLeft--
			return questionsLeft > 0 && f.Ask(token, samplePath(&denial)).Allowed
		}
		denial := slices.IndexFunc(denials, isFreedFrom)
		if denial < 0 { // its group denies what * does
			continue
		}
		allowLine, denialLine := s.rules[allow].line, denials[denial].line
		behindNames := fmt.Sprintf(" from the * group, line %d, %s: a crawler obeys one group alone; "+
			"without a group of its own it may fetch the rest as well", denialLine.Number,
			clip(denialLine.String()))
		found.addFor(policy.Finding{ID: "robotstxt-group-voids-star", Severity: policy.Note,
			Line: allowLine.Number, Message: allowLine.String() + " frees "},
			behindNames, f.spelled(token)...)
	}
	*all = append(*all, found.findings()...)
}

// maxQuestions is how many paths [File.checkFreed] asks about: no owner's file needs as many, and a
// hostile one gets no further notes.
const maxQuestions = 100_000

// checkFormer reports groups of names that their operators do not document any more, where one of
// today's has none.
func (f *File) checkFormer(all *findings) {
	former := map[string][]*policy.FormerCrawler{} // by operator
	var operators []string                         // in the order of the file
	isMissing := func(name string) bool { return f.sets[strings.ToLower(name)] == nil }
	for _, token := range f.tokens {
		c := policy.LookupFormer(token)
		if c == nil {
			continue
		}
		today := c.Documented() // nil if the operator documents no name
		hasAllOfToday := today != nil && !slices.ContainsFunc(today, isMissing)
		if hasAllOfToday {
			continue
		}
		if former[c.Operator] == nil {
			operators = append(operators, c.Operator)
		}
		former[c.Operator] = append(former[c.Operator], c)
	}
	for _, operator := range operators {
		list := former[operator]
		first := f.named[strings.ToLower(list[0].Token)].line
		all.add("robotstxt-former-crawler", policy.Note, first.Number, "%s", formerText(list))
	}
}

// formerText says of names of one operator that it does not document them any more, and what it
// documents.
func formerText(list []*policy.FormerCrawler) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Token)
	}
	operator := list[0].Operator
	text := fmt.Sprintf("%s does not document %s any more, nor that any crawler obeys such a group", operator,
		strings.Join(names, " and "))
	if today := list[0].Documented(); today != nil {
		return text + "; today it documents " + strings.Join(today, ", ")
	}
	return text + ", and documents no other name"
}

// checkSpellings notes rules that crawlers read differently, if the same group has no rule for the
// other reading. It looks for letters, digits and marks such as ~ that are percent-encoded without
// need ([decodeUnreserved]), and for letters other than ASCII that are not encoded:
//
//	Disallow: /%61/   Google compares it as it is written, others as /a/: /a/ is missing   "encoded"
//	Disallow: /ä/     Google compares it as /%C3%A4/, others may not: that is missing      "raw"
//
// Each kind is one note, at its first line, with a count of the others.
func (f *File) checkSpellings(all *findings) {
	type ruleText struct {
		kind           Kind
		pattern, agent string
	}
	stated := map[ruleText]bool{} // by the rules of groups, as they are written; one name tells a group
	for _, l := range f.Lines {
		if l.isRule() && l.agents != nil {
			stated[ruleText{l.Kind, l.Value, l.agents[0]}] = true
		}
	}
	var encoded, raw []Line // those of each kind that lack the other reading
	for _, l := range f.Lines {
		isUTF8 := utf8.ValidString(l.Value) // else checkBytes reports it
		if !l.isRule() || l.agents == nil || !isUTF8 {
			continue
		}
		isMissing := func(pattern string) bool { return !stated[ruleText{l.Kind, pattern, l.agents[0]}] }
		pattern := Escape(l.Value)
		if plain := decodeUnreserved(pattern); plain != pattern && isMissing(plain) {
			encoded = append(encoded, l)
		}
		isRaw := strings.ContainsFunc(l.Value, func(r rune) bool { return r >= utf8.RuneSelf })
		if isRaw && isMissing(pattern) {
			raw = append(raw, l)
		}
	}
	all.noteSpelling(encoded, "RFC 9309 decodes such letters before it compares, and Google compares them "+
		"as they stand, so crawlers differ: write %s: %s as well",
		func(value string) string { return decodeUnreserved(Escape(value)) })
	all.noteSpelling(raw, "Google asks for percent-encoding since 2026-10-23, and other crawlers may not "+
		"encode what stands here: write %s: %s", Escape)
}

// noteSpelling adds the note of [File.checkSpellings] about lines of one kind, at the first; none
// if there are no lines. advice is a format of the line's key and of the value that is missing,
// which missing makes of the line's.
func (f *findings) noteSpelling(lines []Line, advice string, missing func(value string) string) {
	if len(lines) == 0 {
		return
	}
	first := lines[0]
	message := clip(first.String()) + ": " + fmt.Sprintf(advice, first.Kind, clip(missing(first.Value)))
	if others := len(lines) - 1; others > 0 {
		message += " (" + MoreLines(others) + ")"
	}
	f.add("robotstxt-spelling", policy.Note, first.Number, "%s", message)
}

// isTotal reports whether a group says of everything that it may, or may not, be fetched.
func (s *ruleset) isTotal() bool {
	return slices.ContainsFunc(s.rules, func(r rule) bool {
		return r.pattern == "" || r.matchesEverything()
	})
}

// matchesEverything reports whether a rule matches every path, as "/" and "/*$" do.
func (r *rule) matchesEverything() bool {
	p := r.pattern
	if strings.HasSuffix(p, "*$") {
		p = strings.TrimSuffix(p, "$")
	}
	p = strings.Trim(p, "*")
	return r.pattern != "" && p == "" || p == "/" && r.pattern[0] == '/'
}

// samplePath returns a path that a rule matches: /a/b.pdf of "/a/*b.pdf$".
func samplePath(r *rule) string {
	p := strings.Join(r.parts, "")
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return p
}

// checkCase looks for rules that match no URL of the site because of the case of their letters.
func (f *File) checkCase(site *Place, all *findings) {
	var addresses []string
	for _, l := range f.Lines {
		if !l.isRule() || l.Value == "" || l.agents == nil {
			continue
		}
		r := newRule(&l, l.Value)
		folded := r
		folded.parts = strings.Split(strings.ToLower(strings.Join(r.parts, "*")), "*")
		i := slices.IndexFunc(site.URLs, func(u string) bool { return folded.matches(strings.ToLower(u)) })
		if i < 0 || slices.ContainsFunc(site.URLs, r.matches) {
			continue
		}
		if addresses == nil && site.Addresses != nil {
			addresses = site.Addresses()
		}
		if !slices.ContainsFunc(addresses, r.matches) {
			all.warn("robotstxt-path-case", l.Number, "%s matches no URL of the site, as the case of letters counts; "+
				"%s differs in nothing else", clip(l.String()), site.URLs[i])
		}
	}
}

// wholeURL is the beginning of one.
var wholeURL = lazyregexp.New(`^(?i:https?)://[^/]`)

func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

type findings []policy.Finding

func (f *findings) add(id string, severity policy.Severity, line int, format string, args ...any) {
	*f = append(*f, policy.Finding{ID: id, Severity: severity, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (f *findings) warn(id string, line int, format string, args ...any) {
	f.add(id, policy.Warning, line, format, args...)
}

// fail adds an error about what is no line.
func (f *findings) fail(id, format string, args ...any) { f.add(id, policy.Error, 0, format, args...) }

// A cause is what is found about some crawlers: one finding, whose message is
//
//	Allow: / frees   Bingbot, Yandex   from the * group
//	textBefore       the crawlers      textBehind
type cause struct {
	finding    policy.Finding // its message is textBefore
	textBehind string
	crawlers   []string
}

// causes collects findings about crawlers, so that each cause is one finding that names them.
type causes []cause

// addFor adds a finding about some crawlers, whose names come between its message and textBehind.
// If there is one with the same text at the same line, that gets their names.
func (c *causes) addFor(f policy.Finding, textBehind string, crawlers ...string) {
	isSame := func(o cause) bool { return o.finding == f && o.textBehind == textBehind }
	i := slices.IndexFunc(*c, isSame)
	if i < 0 {
		i = len(*c)
		*c = append(*c, cause{finding: f, textBehind: textBehind})
	}
	same := &(*c)[i]
	for _, name := range crawlers {
		if !slices.Contains(same.crawlers, name) {
			same.crawlers = append(same.crawlers, name)
		}
	}
}

// findings are the collected ones, each with the names of its crawlers, in the order in which they
// came.
func (c causes) findings() (all []policy.Finding) {
	for _, one := range c {
		one.finding.Message += strings.Join(one.crawlers, ", ") + one.textBehind
		all = append(all, one.finding)
	}
	return all
}
