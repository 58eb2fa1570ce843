package servers

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// ruleList is a host whose file, JSON or YAML, holds a list of rules, each a pattern and what it sets.
type ruleList struct {
	ruleFile
	// keys are the names of a rule's pattern, ours the first. One named "regex" is an expression.
	keys []string
	// line is how a rule of ours is written: its pattern, then its value, each in quotes.
	line string
	// head and tail stand around the expression of a rule of ours; none where a rule names one path.
	head, tail string
	// everything is the pattern for all paths, special the characters that mean something else in one.
	everything, special string
	// first says that the first rule that matches counts, so that the user's may be in the way. It may be one that does
	// not set the header; what holds for all files is then said last, and by default in "globalHeaders".
	first bool
	// clean says that pages are always served without .html too.
	clean bool
	// forms are those of the user's patterns that are read; unread says that one is none of them.
	forms  []form
	unread string
	// ways are those in which the host may compare.
	ways []way
	// refuse says why a rule of the user's cannot be counted, whatever its pattern.
	refuse func(rule any, pattern, value string) string
	limit  limit
	// finish is told what was made of the user's file.
	finish func(c *compiler, user *document)
}

// limit is how much of something a host takes; most is 0 where it counts nothing.
type limit struct {
	most       int
	host, unit string
	count      func(file []byte, rules int) int
}

// over counts, and reports whether that is too much.
func (l limit) over(file []byte, rules int) (n int, over bool) {
	if l.most == 0 {
		return 0, false
	}
	n = l.count(file, rules)
	return n, n > l.most
}

// expressionMost is Vercel's limit for one source (https://openapi.vercel.sh/vercel.json). Firebase documents none:
// there it keeps an expression to a size that is still read by people.
const expressionMost = 4096

// write adds our rules to the user's.
func (h *ruleList) write(c *compiler) error {
	user, err := h.without(c.existing)
	if err != nil {
		return err
	}
	rules := h.rules(c)
	c.res.Rules = len(rules)
	if h.first {
		c.inTheWay(func(a answer, url string) string {
			return fmt.Sprintf("the route %q takes %s first, and Azure goes no further: the file does not get its"+
				" X-Robots-Tag (give that route the header)", a.pattern, url)
		})
	}
	if c.res.File, err = h.with(user, c.existing, rules); err != nil || len(rules) == 0 {
		return err
	}
	if n, over := h.limit.over(c.res.File, len(user.rules)+len(rules)); over {
		return c.budget("the file would have %d %s, with %d rules of ours; %s takes %d",
			n, h.limit.unit, len(rules), h.limit.host, h.limit.most)
	}
	if h.finish != nil {
		h.finish(c, user)
	}
	return nil
}

// rules are ours. Of several that match the last counts, or the first: what holds for all files goes ahead, or last.
func (h *ruleList) rules(c *compiler) (rules []string) {
	rule := func(pattern, value string) {
		rules = append(rules, fmt.Sprintf(h.line, h.quote(pattern), h.quote(value)))
	}
	if c.everywhere != "" && !h.first {
		rule(h.everything, c.everywhere)
	}
	alike, mixed := map[string]bool{}, map[*robotstag.Want]bool{}
	if h.decodes() {
		alike = c.lookAlikes()
	}
	if slices.ContainsFunc(h.ways, func(w way) bool { return w.fold }) {
		mixed = c.withoutCase()
	}
	for _, g := range c.groups {
		urls := slices.DeleteFunc(g.urls, func(url string) bool { return mixed[c.file(url)] })
		for _, p := range h.patterns(c, urls, alike) {
			rule(p, g.value)
		}
	}
	if c.everywhere != "" && h.first {
		rule(h.everything, c.everywhere)
	}
	return rules
}

// decodes reports whether the host may compare decoded paths.
func (h *ruleList) decodes() bool { return slices.ContainsFunc(h.ways, way.decodes) }

// patterns are those for the URLs of a group. alike are those that must not stand there decoded.
func (h *ruleList) patterns(c *compiler, urls []string, alike map[string]bool) (all []string) {
	if h.head != "" {
		packed := c.pack(urls, h.head, "|", expressionMost-len(h.tail), func(url string) string {
			if h.decodes() && len(spellings(url, alike[url])) > 1 {
				return encodedPattern(url) + "|" + regexp.QuoteMeta(url[1:])
			}
			return encodedPattern(url)
		})
		for _, p := range packed {
			all = append(all, p+h.tail)
		}
		return all
	}
	for _, url := range urls {
		if strings.ContainsAny(url, h.special) {
			c.report(robotstag.IDName, policy.Error, c.file(url), "the name holds a character that means something"+
				" else in a pattern: it gets no X-Robots-Tag (rename the file)")
			continue
		}
		all = append(all, spellings(url, alike[url])...)
	}
	return all
}

// spellings are a path percent-encoded and as it stands, for hosts that do not say which of them they compare; the
// encoded one alone where, as it stands, it is another file's encoded spelling.
func spellings(path string, clash bool) []string {
	encoded := percent(path, "/.~!$&'()*+,;=:@-_", "0123456789ABCDEF")
	if clash || encoded == path {
		return []string{encoded}
	}
	return []string{encoded, path}
}

// lookAlikes finds and reports URLs that are the encoded spelling of another file's, for hosts that may compare either.
func (c *compiler) lookAlikes() map[string]bool {
	clash := make(map[string]bool)
	for _, u := range c.urls {
		if !strings.Contains(u, "%") {
			continue
		}
		plain, err := url.PathUnescape(u)
		if other, ok := c.claims[plain]; err != nil || plain == u || !ok ||
			c.texts[other.want] == free && !other.shared || c.served(plain) == c.served(u) {
			continue
		}
		clash[u] = true
		c.report(robotstag.IDOverlap, policy.Warning, c.file(u),
			"the name is how %q is encoded: where the host compares"+
				" decoded paths, it gets that file's X-Robots-Tag too", strings.TrimPrefix(plain, "/"))
	}
	return clash
}

// withoutCase finds and reports the files of which a path differs from another file's in case alone, where that wants
// something else, for hosts that may not tell them apart. None of their paths can have a rule, since that for an index
// holds for its folder too.
func (c *compiler) withoutCase() map[*robotstag.Want]bool {
	values := make(map[string]string)
	mixed := make(map[string]bool) // by path in lower case
	for _, url := range c.urls {
		key, value := strings.ToLower(url), c.served(url)
		if old, ok := values[key]; ok && old != value {
			mixed[key] = true
		}
		values[key] = value
	}
	files := make(map[*robotstag.Want]bool)
	for _, g := range c.groups {
		for _, url := range g.urls {
			if file := c.file(url); mixed[strings.ToLower(url)] && !files[file] {
				files[file] = true
				c.report(robotstag.IDOverlap, policy.Error, file,
					"another name differs from it in case alone and wants"+
						" something else: neither gets an X-Robots-Tag of its own on this host (rename one)")
			}
		}
	}
	return files
}
