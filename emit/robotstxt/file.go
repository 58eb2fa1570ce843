package robotstxt

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// File is a robots.txt as Google's parser reads it. It does not change, so many may ask it at once.
type File struct {
	// Lines are all lines that are read, in order.
	Lines []Line

	size int
	head []byte // the first bytes, for findings about the encoding
	sets map[string]*ruleset
	// named has the keys of sets, "" for lines that name no crawler. tokens are the names of
	// crawlers in the order of the file. The key of one such as "AI2Bot" is "ai2bot", and "ai" is
	// another key of the same lines, which is not among tokens unless a line has that name.
	named  map[string]naming
	tokens []string
	// isLastGroupOpen: the last group has no rule yet, so a User-agent line after the file would
	// join it. While the file is made, it is about the group so far.
	isLastGroupOpen bool
	// begin are what the patterns of all lines begin with, up to their first star or their end,
	// sorted. partial has by such a beginning the lines whose pattern goes on after it, with a star
	// or a final $. Both are for Alike.
	begin   []string
	partial policy.PrefixIndex
	// ofAudience is the result of audienceSets, after its first call.
	findAudience sync.Once
	ofAudience   []*ruleset
}

// Parse reads a robots.txt. It never fails: what Google's parser cannot read is a line like
// another, which [File.Check] reports. Bytes past [MaxSize] are not read.
func Parse(data []byte) *File { return parse(data, splitLines(data)) }

// ParseAt is [Parse] of a file of that name, which gives its lines their sources. If [Merge] has
// made our block in it, block holds the lines of the block, and first is the number of the first
// one in the file.
func ParseAt(data []byte, file string, block []Line, first int) *File {
	return ParseFrom(data, Source{Origin: policy.Origin{File: file}}, block, first)
}

// ParseFrom is [ParseAt] of a file whose source is known: the lines of the site's own have it.
func ParseFrom(data []byte, file Source, block []Line, first int) *File {
	lines := splitLines(data)
	for i := range lines {
		l := &lines[i]
		if at := l.Number - first; at >= 0 && at < len(block) {
			l.setSource(&block[at], file)
		} else {
			l.setSource(&Line{Source: Source{From: file.From}}, file)
		}
	}
	return parse(data, lines)
}

// parse makes a file of its bytes and of the lines that they were split into.
func parse(data []byte, lines []Line) *File {
	f := fileOf(lines)
	f.size, f.head = len(data), slices.Clone(data[:min(len(data), 4)])
	return f
}

// fileOf makes a file of its lines, which are read and numbered: of a text that was split, of kept
// lines, or of lines that are to be written. It sets what follows from them: the agents of each
// line that is in a group, the sets and tokens of the file, and what its patterns begin with.
func fileOf(lines []Line) *File {
	f := &File{Lines: lines, sets: map[string]*ruleset{}, named: map[string]naming{}}
	all := runs{ofToken: map[string][]int{}}
	for i := range f.Lines {
		switch l := &f.Lines[i]; {
		case l.Kind == Agent:
			if beginsGroup := !f.isLastGroupOpen; beginsGroup {
				all.group = nil
			}
			f.isLastGroupOpen = true
			all.join(f.addAgent(l))
		case l.isOfGroups():
			if l.isRule() {
				f.isLastGroupOpen = false
			}
			l.agents = all.group
			rules := rulesOf(l) // none of a further line
			all.add(stated{l, rules})
			f.addBeginnings(l, rules)
		}
	}
	slices.Sort(f.begin)
	f.fillSets(&all)
	return f
}

// isOfGroups reports whether a line belongs to the group that it is in: a rule or a further line.
// Lines of sitemaps and licences belong to no group and end none, as blank and unread lines do.
func (l *Line) isOfGroups() bool { return l.isRule() || l.Kind == Other && l.key != license }

// A stated is a line of a group with the rules that it states.
type stated struct {
	line  *Line
	rules []rule
}

// runs are the lines of the groups, while a file is made. Those of one run hold for the same
// tokens: a run begins at the first line behind a User-agent line. A group may have several, since
// a User-agent line joins the group before it until that has a rule:
//
//	User-agent: a
//	Crawl-delay: 5     run 0, for a: it is no rule, so the next line joins the group
//	User-agent: b
//	Disallow: /x       run 1, for a and b
//	User-agent: c      begins a group
type runs struct {
	lines         [][]stated       // by the number of the run
	ofToken       map[string][]int // the numbers of the runs that hold for a token
	group         []string         // the tokens of the group so far; nil before the first one
	isBehindAgent bool             // no line has followed the last User-agent line yet
}

// join adds the tokens of a User-agent line to the group, which may have some of them already.
func (r *runs) join(tokens []string) {
	for _, token := range tokens {
		if !slices.Contains(r.group, token) {
			r.group = append(r.group, token)
		}
	}
	r.isBehindAgent = true
}

// add adds a line of the group. A line before the first group is for nobody, and Check reports it.
func (r *runs) add(s stated) {
	if len(r.group) == 0 {
		return
	}
	if r.isBehindAgent {
		r.isBehindAgent, r.lines = false, append(r.lines, nil)
		for _, token := range r.group {
			r.ofToken[token] = append(r.ofToken[token], len(r.lines)-1)
		}
	}
	last := len(r.lines) - 1
	r.lines[last] = append(r.lines[last], s)
}

// A naming says where a file names a crawler.
type naming struct {
	line   *Line    // the first
	values []string // of all its User-agent lines
	isName bool     // the name of a crawler as a line has it, and no mere part of one
}

// addAgent notes the name of a User-agent line in f.named and f.tokens, and returns the tokens that
// the line means: "ai2bot" and "ai" of AI2Bot, "" of a line that names no crawler.
func (f *File) addAgent(l *Line) (tokens []string) {
	tokens = tokensOf(l.Value)
	for i, token := range tokens {
		n := f.named[token]
		if n.line == nil {
			n.line = l
		}
		if isName := i == 0; isName && !n.isName {
			n.isName = true
			if token != "" {
				f.tokens = append(f.tokens, token)
			}
		}
		n.values = append(n.values, l.Value)
		f.named[token] = n
	}
	return tokens
}

// addBeginnings notes in f.begin and f.partial what the patterns of a line begin with, for
// [File.Alike]. rules are those that the line states.
func (f *File) addBeginnings(l *Line, rules []rule) {
	if l.key == contentUsage { // which is about the paths of a pattern, as a rule is
		rules = []rule{*l.scope()}
	}
	for _, r := range rules {
		f.begin = append(f.begin, r.parts[0])
		if len(r.parts) > 1 || r.endsAtDollar {
			f.partial.Add(r.parts[0], l.Number)
		}
	}
}

// fillSets sets f.sets: it sums up the runs of each token. Tokens with the same runs share the sum,
// since many crawlers in one large group would take too much memory. A token shares with none if
// one of its lines has another source for it.
func (f *File) fillSets(all *runs) {
	shared := map[string]*ruleset{}
	for token := range f.named {
		key := fmt.Sprint(all.ofToken[token])
		for s := range all.linesOf(token) {
			if s.line.hasOwnSource(token) {
				key += token
				break
			}
		}
		if shared[key] == nil {
			shared[key] = sumOf(token, all.linesOf(token))
		}
		f.sets[token] = shared[key]
	}
}

// linesOf are the lines that hold for a token, in the order of the file.
func (r *runs) linesOf(token string) iter.Seq[stated] {
	return func(yield func(stated) bool) {
		for _, run := range r.ofToken[token] {
			for _, s := range r.lines[run] {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// sumOf is what lines say to one crawler.
func sumOf(token string, lines iter.Seq[stated]) *ruleset {
	set := &ruleset{}
	for s := range lines {
		if own := s.line.lineFor(token); own != s.line { // with another source for this crawler
			set.add(*own, rulesOf(own))
		} else {
			set.add(*s.line, s.rules)
		}
	}
	return set
}

// Access is the answer for one crawler and one URL.
type Access struct {
	// Allowed: the crawler may fetch it.
	Allowed bool
	// Line is the line of the rule that decides, in the site's file. It is 0 if no rule matches, or
	// if the rule is in the block of a host.
	Line int
	// Rule is that rule, such as "Disallow: /x"; empty where none matches.
	Rule string
	// Agent is the name of the group that counts, in lower case or "*"; empty where no group does.
	Agent string
	// Source is where that line comes from.
	Source Source
}

// Ask returns whether the crawler with that product token ("Googlebot", in any case) may fetch a
// URL: an encoded path with its query, as it would be requested, or a whole URL. As in Google's
// parser, an address whose non-ASCII octets are not percent-encoded with capital digits matches no
// such pattern. A crawler with another name, such as AI2Bot, obeys a group of its whole name alone:
// what a group of AI denies is not denied to it, as most readers compare whole names.
func (f *File) Ask(agent, url string) Access {
	set, token := f.obeyedBy(agent)
	if url == "" || url[0] != '/' {
		url = Path(url)
	}
	a := accessBy(set.decide(url))
	a.Agent = token
	return a
}

// accessBy is the answer that a rule gives, or that is given without one.
func accessBy(r *rule) Access {
	if r == nil {
		return Access{Allowed: true}
	}
	// An empty pattern matches everything and says nothing.
	a := Access{Allowed: r.isAllow || r.pattern == "", Rule: r.line.String(), Source: r.line.Source}
	if a.Source.Managed == "" {
		a.Line = r.line.Number
	}
	return a
}

// Alike reports whether one answer, and one signal, holds for all that begins with a text, for each
// crawler: no line is for a part of it.
func (f *File) Alike(begin string) bool {
	i, _ := slices.BinarySearch(f.begin, begin+"\x00")
	if i < len(f.begin) && strings.HasPrefix(f.begin[i], begin) {
		return false
	}
	var room [16]int
	return len(f.partial.Of(room[:0], begin)) == 0
}

// obeyedBy returns the rules that count for a crawler, by its name or token, and the name of their
// group: its own, or that of the next name that has one (nextGroup), or *. If none counts, the
// rules are empty, not nil, and the name is "".
func (f *File) obeyedBy(agent string) (*ruleset, string) {
	token := strings.ToLower(agent)
	// Google's parser finds no group of a name with a blank.
	if f.sets[token] == nil && !strings.Contains(agent, " ") {
		token = strings.ToLower(nameOf(agent))
	}
	for f.sets[token] == nil && token != star {
		if token = nextGroup(token); token == "" {
			return &ruleset{}, ""
		}
	}
	if s := f.sets[token]; s != nil {
		return s, token
	}
	return &ruleset{}, ""
}

// nextGroup returns the name whose group a crawler obeys if it has none of its own: "" if it then
// obeys none.
func nextGroup(token string) string {
	switch c := policy.LookupCrawler(token); {
	case c == nil || c.RobotsTxt.Group == "":
		return star
	case c.RobotsTxt.Group == "none":
		return ""
	default:
		return c.RobotsTxt.Group
	}
}

// Sitemaps returns the Sitemap lines, inside and outside of groups.
func (f *File) Sitemaps() []Line { return f.where(func(l Line) bool { return l.Kind == Sitemap }) }

func (f *File) licenses() []Line { return f.where(func(l Line) bool { return l.key == license }) }

func (f *File) where(is func(Line) bool) (lines []Line) {
	for _, l := range f.Lines {
		if is(l) {
			lines = append(lines, l)
		}
	}
	return lines
}

// Agents returns the names that have a group, in lower case and in the order of the file.
func (f *File) Agents() []string { return slices.Clone(f.tokens) }

// spelled are tokens of the file as it spells them where it names them first.
func (f *File) spelled(tokens ...string) (names []string) {
	for _, token := range tokens {
		name := token
		for _, value := range f.named[token].values {
			if strings.EqualFold(nameOf(value), token) {
				name = nameOf(value)
				break
			}
		}
		names = append(names, name)
	}
	return names
}

// Groups returns the names whose rules are not those of "*", in the order of the file, together
// where their rules are the same. Last comes "*".
func (f *File) Groups() (groups [][]string) {
	for _, token := range f.tokens {
		i := slices.IndexFunc(groups, func(g []string) bool { return f.sameRules(g[0], token) })
		switch {
		case f.sameRules(token, star):
		case i < 0:
			groups = append(groups, []string{token})
		default:
			groups[i] = append(groups[i], token)
		}
	}
	return append(groups, []string{star})
}

// sameRules reports whether two crawlers obey the same rules of crawling.
func (f *File) sameRules(a, b string) bool {
	x, _ := f.obeyedBy(a)
	y, _ := f.obeyedBy(b)
	return slices.EqualFunc(x.rules, y.rules, func(r, s rule) bool {
		return r.isAllow == s.isAllow && r.pattern == s.pattern
	})
}

// Path returns the path with its query that Google's parser takes from a URL; "/" where there is
// none.
// https://github.com/google/robotstxt robots.cc, GetPathParamsQuery
func Path(url string) string {
	url, _, _ = strings.Cut(strings.TrimPrefix(url, "//"), "#")
	if i := strings.Index(url, "://"); i >= 0 && strings.IndexAny(url, "/?;") > i {
		url = url[i+len("://"):]
	}
	i := strings.IndexAny(url, "/?;")
	switch {
	case i < 0:
		return "/"
	case url[i] == '/':
		return url[i:]
	}
	return "/" + url[i:]
}

// IsUTF16 reports whether a file begins as UTF-16 text does: crawlers read UTF-8, and find no rule
// in it.
func (f *File) IsUTF16() bool {
	return bytes.HasPrefix(f.head, []byte("\xFF\xFE")) ||
		bytes.HasPrefix(f.head, []byte("\xFE\xFF"))
}

// star is the name of the group for crawlers without one.
const star = "*"

// productToken returns the letters, hyphens and underscores that a name begins with.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
func productToken(name string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	return name[:len(name)-len(strings.TrimLeft(name, letters))]
}

// tokenOf returns the product token that a User-agent value means, in lower case; of one without
// such a token, its first word.
func tokenOf(value string) string {
	word := strings.ToLower(firstWord(value))
	return cmp.Or(productToken(word), word)
}

func firstWord(value string) string {
	if i := strings.IndexAny(value, " \t\v\f"); i >= 0 {
		return value[:i]
	}
	return value
}

// wholeName finds a name, and behind it a version. Digits and dots are in names of crawlers,
// although RFC 9309 has them in none.
var wholeName = lazyregexp.New(`^([-_A-Za-z][-_.0-9A-Za-z]*)(/.*)?$`)

// nameOf returns the name that a User-agent value means, as it is spelled: its first word up to a
// version. A word that is no crawler's name is cut as Google's parser cuts it, and so is one that
// then names a known crawler:
//
//	AI2Bot, Foo/2.1, Foo*, Googlebot2, Foo Bar → AI2Bot, Foo, Foo, Googlebot, Foo
func nameOf(value string) string {
	word := firstWord(value)
	token := cmp.Or(productToken(word), word)
	if token == word {
		return word
	}
	found := wholeName.FindStringSubmatch(word)
	if found == nil {
		return token
	}
	name := found[1]
	if policy.LookupCrawler(name) == nil && policy.LookupCrawler(token) != nil {
		return token
	}
	return name
}

// tokensOf returns the tokens that a User-agent value means to readers: its whole name in lower
// case, and what Google's parser cuts of that if it is less.
//
//	AI2Bot, Foo → [ai2bot ai], [foo]
func tokensOf(value string) []string {
	name, token := strings.ToLower(nameOf(value)), tokenOf(value)
	if name == token {
		return []string{token}
	}
	return []string{name, token}
}

// ignoresDelay reports whether a crawler is known not to read Crawl-delay: Google's do not.
// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec
func ignoresDelay(token string) bool {
	c := policy.LookupCrawler(token)
	return c != nil && c.Operator == "Google"
}
