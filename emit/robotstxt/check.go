package robotstxt

import (
	"bytes"
	"slices"
	"sort"
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
var knownKeys = []string{"clean-param", crawlDelay, contentSignal, contentUsage, license, "host",
	"request-rate",
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
		all.add("robotstxt-unread-line", policy.Error, lines[0].Number,
			"this is HTML, not a robots.txt")
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
	sort.SliceStable(all, func(i, j int) bool { return all[i].Line < all[j].Line })
	return all
}

// checkPlace reports a file that no crawler reads where it is, or else one that keeps crawlers from
// reading the noindex of its environment: at the rule that keeps out Googlebot, or else everyone,
// from the home page. The fix names the setting that opens the file if [Open] would empty the rule.
func (f *File) checkPlace(site *Place, all *findings) {
	const root = "/robots.txt"
	if isElsewhere := site.Path != "" && site.Path != root; isElsewhere {
		all.warn("robotstxt-place", 0,
			"%s is read by no crawler: it must stand at the root of the host, "+root, site.Path)
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
	all.add("robotstxt-hides-noindex", policy.Error, home.Line,
		"%s keeps crawlers from reading the noindex that this environment states, "+
			"so pages may be indexed by their links", home.Rule)
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
		all.add("robotstxt-too-big", policy.Error, 0,
			"the file has %d bytes; Google reads the first %d",
			f.size, MaxSize)
	}
	if f.IsUTF16() {
		all.add("robotstxt-encoding", policy.Error, 0,
			"the file is UTF-16; crawlers read UTF-8 and find no rule in it")
		return false
	}
	if bytes.HasPrefix(f.head, bom) {
		all.warn("robotstxt-bom", 1, "the file begins with a byte order mark; Google skips it, "+
			"other crawlers may not read the first line")
	}
	return true
}

// check reports what is wrong with one line of a file, for [File.Check], in this order: its bytes,
// its key, its place, its value. A line that is no key and value has no more to check. Comments and
// empty lines are not passed.
func (l Line) check(f *File, all *findings) {
	l.checkBytes(all)
	if l.Kind == Unread {
		all.warn("robotstxt-unread-line", l.Number, "%q is not a rule: a key, a colon and a value",
			clip(trim(l.Text)))
		return
	}
	l.checkKey(all)
	if fault := l.valueFault(); fault.message != "" {
		all.warn(fault.id, l.Number, "%s: %s", clip(l.String()), fault.message)
	}
	readsDelay := func(agent string) bool { return !ignoresDelay(agent) }
	if l.key == crawlDelay && l.agents != nil && !slices.ContainsFunc(l.agents, readsDelay) {
		all.warn("robotstxt-crawl-delay", l.Number,
			"Google does not read Crawl-delay, so it does nothing for %s",
			strings.Join(f.spelled(l.agents...), ", "))
	}
}

// checkBytes reports a line that Google cuts off, and one that is not UTF-8.
func (l Line) checkBytes(all *findings) {
	if len(l.Text) > maxLine {
		all.warn("robotstxt-long-line", l.Number,
			"the line has %d bytes; Google cuts it off after %d", len(l.Text),
			maxLine)
	}
	if strings.ContainsRune(l.Text, 0) {
		all.warn("robotstxt-encoding", l.Number,
			"the line holds a NUL, where Google stops reading it")
	} else if !utf8.ValidString(l.Text) {
		all.warn("robotstxt-encoding", l.Number, "the line is not UTF-8")
	}
}

// checkKey reports a key that only Google understands, then one that nobody reads, or a rule or a
// signal that is in no group. Other lines of groups, such as Crawl-delay, need none here.
func (l Line) checkKey(all *findings) {
	// It has one of the four keys that Google's parser knows, however it is spelled.
	isGoogles := l.Kind != Other
	switch {
	case isGoogles && !strings.EqualFold(l.name(), l.Key):
		all.warn("robotstxt-typo", l.Number, "%q is read by Google as %s; others may not read it",
			clip(l.Key), l.name())
	case isGoogles && !l.Colon:
		all.warn("robotstxt-typo", l.Number,
			"the colon after %s is missing; Google reads the line, others may not",
			l.name())
	}
	needsGroup := l.isRule() || l.vocabulary() != nil
	switch {
	case slices.Contains(noindexKeys, l.key):
		all.warn("robotstxt-noindex-line", l.Number,
			"%s in robots.txt has no effect: Google has not read it since 2019; "+
				"state it in the page or its header", l.Key)
	case !isGoogles && !slices.Contains(knownKeys, l.key):
		all.warn("robotstxt-unknown-line", l.Number, "unknown key %q; crawlers pass over the line",
			clip(l.Key))
	case l.agents == nil && needsGroup:
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
		// In our own policy each fault is an error: also an unknown signal, or one stated twice.
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
		d, err := strconv.ParseFloat(l.Value, 64)
		if isDelay := err == nil && d >= 0; !isDelay { // NaN is none either
			return newFault("robotstxt-crawl-delay", "it is not a number of seconds", true)
		}
	}
	return valueFault{}
}

// checkPattern returns why a pattern may not match what it seems to, or "".
func checkPattern(value string) string {
	switch {
	case value != "" && strings.Trim(value, "*$") == "" && value[0] == '*':
		return "Google takes it for every URL, and others for none, as a path begins with " +
			"a slash; write / for every URL"
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

// wholeURL is the beginning of one.
var wholeURL = lazyregexp.New(`^(?i:https?)://[^/]`)
