//go:build e2e

package e2e

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A told is what crawlers are told at one address: its header lines and tags, and what its host
// says of it in files of its own. It shares no code with what writes these, but for the words of
// directives.
type told struct {
	path   string // with the query
	header http.Header
	// stated are the directives in header and tags.
	stated policy.Decision
	robots *spokenRobots
	tdmrep []reservation
}

// knownNames are the crawlers of the table.
var knownNames = policy.KnownCrawlers()

// hear reads what an answer tells crawlers. Robots and tdmrep are the texts of the host's files, ""
// for none.
func hear(r reply, robots, tdmrep string) *told {
	h := &told{path: equivalent(r.path), header: r.header, robots: speakRobots(robots)}
	json.Unmarshal([]byte(tdmrep), &h.tdmrep)
	h.stated = stating(r.header.Values(robotstag.Name), tagsIn(r.body))
	return h
}

// with is what is said of the address with a query.
func (h *told) with(query string) *told {
	other := *h
	other.path += query
	return &other
}

// stating is what lines of X-Robots-Tag and tags state together. No crawler that reads headers
// alone reads a tag of its name (A1).
func stating(lines []string, tags [][2]string) policy.Decision {
	var inHeader, inTags []policy.Statement
	for _, line := range lines {
		all, _ := policy.ParseHeader(line, policy.Documented, knownNames)
		inHeader = append(inHeader, all...)
	}
	for _, tag := range tags {
		if c := policy.LookupCrawler(tag[0]); c == nil || !c.HeaderOnly() {
			all, _ := policy.ParseMeta(strings.ToLower(tag[0]), tag[1], policy.Documented, knownNames)
			inTags = append(inTags, all...)
		}
	}
	p := policy.Policy{Crawlers: knownNames}
	return p.Resolve(slices.Concat(policy.At(policy.Origin{Key: "header"}, inHeader...),
		policy.At(policy.Origin{Key: "tags"}, inTags...)))
}

// robotsTag is a tag as the sites of these tests and metarobots write it.
var robotsTag = regexp.MustCompile(`<meta name="([^"]+)" content="([^"]*)" ?/?>`)

// tagsIn are the names and contents of a page's robots tags.
func tagsIn(body string) (tags [][2]string) {
	for _, m := range robotsTag.FindAllStringSubmatch(body, -1) {
		if _, known := knownNames.Lookup(m[1]); known || m[1] == "robots" {
			tags = append(tags, [2]string{m[1], m[2]})
		}
	}
	return tags
}

// obeys is what a crawler takes from statements: those for everyone, and those for the first of its
// names that is addressed (A2).
func obeys(d *policy.Decision, c *policy.Crawler) policy.Directives {
	for _, name := range c.Reads {
		if own := policy.LookupCrawler(name); own != nil && own != c {
			if _, addressed := d.Agent(own.Name); addressed {
				return d.Obeyed(own)
			}
		}
	}
	return d.Obeyed(c)
}

// mayFetch reports whether robots.txt allows a crawler the address, and by which rule, "" for none.
func (h *told) mayFetch(c *policy.Crawler) (allowed bool, rule string) {
	group := h.robots.of(c.Name)
	if group == nil && c.RobotsTxt.Group == "none" {
		return true, ""
	} else if group == nil && c.RobotsTxt.Group != "" {
		group = h.robots.of(c.RobotsTxt.Group)
	}
	if group == nil {
		group = h.robots.of("*")
	}
	if group == nil {
		return true, ""
	}
	decides := group.decides(h.path)
	return decides.says == "allow", decides.path
}

// signals reports whether robots.txt says a value of Content-Usage for the address to everyone who
// may fetch it.
func (h *told) signals(value string) bool {
	names := []string{"*"}
	for _, g := range h.robots.groups {
		names = append(names, g.names...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "__usage_") }) // is no crawler
	return !slices.ContainsFunc(names, func(name string) bool {
		g := h.robots.of(name)
		return g == nil || g.decides(h.path).says == "allow" && !strings.Contains(g.usage(h.path), value)
	})
}

// reserves reports whether tdmrep.json reserves the mining of the address: its first rule that
// matches counts.
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
func (h *told) reserves() bool {
	for _, r := range h.tdmrep {
		if matchesPath(r.Location, h.path) {
			return r.Reservation == 1
		}
	}
	return false
}

type reservation struct {
	Location    string
	Reservation int `json:"tdm-reservation"`
}

// spokenRobots are the groups of a robots.txt, read by RFC 9309.
type spokenRobots struct{ groups []*spokenGroup }

type spokenGroup struct {
	names  []string
	rules  []spokenRule
	usages []spokenRule
}

// A spokenRule is a path with what it says.
type spokenRule struct{ path, says string }

// speakRobots reads a robots.txt: groups begin with names, and those of one name add up.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
func speakRobots(text string) *spokenRobots {
	r := &spokenRobots{}
	named := false // the line before was a name
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !ok {
			continue
		}
		if key == "user-agent" && !named {
			r.groups = append(r.groups, &spokenGroup{})
		}
		if len(r.groups) == 0 {
			continue
		}
		g := r.groups[len(r.groups)-1]
		switch key {
		case "user-agent":
			g.names = append(g.names, strings.ToLower(value))
		case "allow", "disallow":
			if value != "" {
				g.rules = append(g.rules, spokenRule{value, key})
			}
		case "content-usage":
			path, says, hasPath := strings.Cut(value, " ")
			if !hasPath || !strings.HasPrefix(path, "/") {
				path, says = "/", value
			}
			g.usages = append(g.usages, spokenRule{path, strings.ReplaceAll(says, " ", "")})
		}
		named = key == "user-agent"
	}
	return r
}

// of is the group of a name, with all that its groups say; nil for none.
func (r *spokenRobots) of(name string) *spokenGroup {
	var group *spokenGroup
	for _, g := range r.groups {
		if slices.Contains(g.names, strings.ToLower(name)) {
			if group == nil {
				group = &spokenGroup{}
			}
			group.rules, group.usages = append(group.rules, g.rules...), append(group.usages, g.usages...)
		}
	}
	return group
}

// decides returns the longest rule that matches, and of two of one length the allowing one.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
func (g *spokenGroup) decides(path string) spokenRule {
	best := spokenRule{"", "allow"}
	for _, r := range g.rules {
		if longer := len(r.path) - len(best.path); matchesPath(r.path, path) &&
			(longer > 0 || longer == 0 && r.says == "allow") {
			best = r
		}
	}
	return best
}

// usage is what the rules with the longest path that matches say, the stricter value of two.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/
func (g *spokenGroup) usage(path string) string {
	var best []spokenRule
	for _, r := range g.usages {
		if !matchesPath(r.path, path) {
			continue
		}
		switch {
		case len(best) == 0 || len(r.path) > len(best[0].path):
			best = []spokenRule{r}
		case len(r.path) == len(best[0].path):
			best = append(best, r)
		}
	}
	var says []string
	for _, r := range best {
		says = append(says, r.says)
	}
	return strings.Join(says, ",")
}

// matchesPath compares a pattern of robots.txt with a path: * is anything, and $ the end.
func matchesPath(pattern, path string) bool {
	pattern, path = equivalent(pattern), equivalent(path)
	whole := strings.HasSuffix(pattern, "$")
	parts := strings.Split(strings.TrimSuffix(pattern, "$"), "*")
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	rest := path[len(parts[0]):]
	for i, part := range parts[1:] {
		if last := i == len(parts)-2; last && whole {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !whole || rest == ""
}

// equivalent is a path in the spelling to which RFC 3986, 6.2.2 normalizes it, apart from dot
// segments: what need not be encoded is not, what has to be is, and hex digits are in upper case.
func equivalent(path string) string {
	path = percentEncoded.ReplaceAllStringFunc(path, func(hex string) string {
		var c byte
		for _, digit := range []byte(strings.ToUpper(hex[1:])) {
			c = c<<4 | byte(strings.IndexByte("0123456789ABCDEF", digit))
		}
		if isUnreserved(c) {
			return string(rune(c))
		}
		return strings.ToUpper(hex)
	})
	var b strings.Builder
	for _, c := range []byte(path) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{}", c) >= 0 {
			b.WriteString("%" + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

var percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// isUnreserved: https://www.rfc-editor.org/rfc/rfc3986#section-2.3
func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// marked is the file of which a body is, by the mark that the files of these sites bear; "" for
// none.
func marked(body string) string {
	m := fileMark.FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	return m[1]
}

var fileMark = regexp.MustCompile(`FILE (.+?) END`)

// markOf is the mark of a file.
func markOf(name string) string { return "FILE " + name + " END" }
