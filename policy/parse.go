package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A Text says whose words a text is, which decides what becomes of faults in it.
type Text int

const (
	// Own is our own text: configuration, front matter, an argument. What cannot be read is an error.
	Own Text = iota
	// Found is text on disk that another program wrote. What cannot be read states nothing and is reported; an
	// unknown directive is kept.
	Found
)

// A Reading is what one text states.
type Reading struct {
	// Crawler is "" for everyone.
	Crawler string
	// Directives without regard to indexifembedded: see [Statement].
	Directives Directives
	// Embed: the text says indexifembedded.
	Embed bool
}

// plain maps each directive without a value to what it states.
var plain = map[string]Directives{
	"all":       {index: indexStated, follow: followStated},
	"none":      {index: indexNone, follow: followNone},
	"index":     {index: indexStated},
	"noindex":   {index: indexNone},
	"follow":    {follow: followStated},
	"nofollow":  {follow: followNone},
	"archive":   {cache: cacheArchive},
	"nocache":   {cache: cacheNocache},
	"noarchive": {cache: cacheNoarchive},
	"nosnippet": {snippet: limitNone},
	// Loosens noindex (D3); on its own it states nothing.
	"indexifembedded": {},
}

// valued are the directives that take a value after a colon.
var valued = []string{"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"}

// directiveNames are all directives, sorted.
var directiveNames []string

func init() {
	for i, name := range flagNames {
		plain[name] = Directives{flags: 1 << i}
	}
	for name := range plain {
		directiveNames = append(directiveNames, name)
	}
	directiveNames = append(directiveNames, valued...)
	slices.Sort(directiveNames)
}

// DirectiveNames returns the name of every directive, sorted.
func DirectiveNames() []string { return slices.Clone(directiveNames) }

// Lookup returns what the directive of that name, lower case, states; values of those that take one are not looked
// at. ok is false where no directive has the name.
func Lookup(name string) (d Directives, takesValue, ok bool) {
	if slices.Contains(valued, name) {
		return Directives{}, true, true
	}
	d, ok = plain[name]
	return d, false, ok
}

// Parse reads a list of directives without crawler prefixes: a meta's content, a value of the configuration or of
// front matter (D4–D7).
func Parse(text string, whose Text) (Reading, []Finding) {
	p := parser{whose: whose}
	p.list(text)
	p.settle()
	return p.reading(""), p.problems
}

// ParseHeader reads a text in the grammar of X-Robots-Tag (D0): one reading for everyone and one for each crawler
// named, in order of appearance. A prefix governs what follows until the next prefix or the end of the text.
func ParseHeader(text string, whose Text, known Crawlers) ([]Reading, []Finding) {
	p := parser{whose: whose, header: true, known: known}
	p.list(text)
	p.settle()
	return p.readings, p.problems
}

// parser reads one text. Readings are collected by crawler.
type parser struct {
	whose    Text
	raw      string // the comma item as written, blanks folded, for messages
	header   bool
	known    Crawlers
	crawler  string
	readings []Reading
	unknown  [][]string     // directives of no known name, by reading
	of       map[string]int // the reading of each crawler named
	steps    int            // words and items that were looked at, which tests count
	problems []Finding
}

func (p *parser) reading(crawler string) Reading {
	if i := p.find(crawler); i >= 0 {
		return p.readings[i]
	}
	return Reading{Crawler: crawler}
}

// find returns the place of a crawler's reading, -1 for none. Everyone's is looked for among the first alone, where
// it is unless crawlers are named before.
func (p *parser) find(crawler string) int {
	if len(p.readings) > 0 && p.readings[0].Crawler == crawler {
		return 0
	}
	if i, ok := p.of[crawler]; ok {
		return i
	}
	return -1
}

func (p *parser) state(d Directives, embed bool) {
	i := p.find(p.crawler)
	if i < 0 {
		if i = len(p.readings); i > 0 {
			if p.of == nil {
				p.of = map[string]int{}
			}
			p.of[p.crawler] = i
		}
		p.readings, p.unknown = append(p.readings, Reading{Crawler: p.crawler}), append(p.unknown, nil)
	}
	if d.unknown != "" {
		p.unknown[i] = append(p.unknown[i], d.unknown)
		d.unknown = ""
	}
	r := &p.readings[i]
	r.Directives, r.Embed = MostRestrictive(r.Directives, d), r.Embed || embed
}

// settle adds the directives of no known name: all at once, as each union would copy those before.
func (p *parser) settle() {
	for i, names := range p.unknown {
		slices.Sort(names)
		p.readings[i].Directives.unknown = strings.Join(slices.Compact(names), ",")
	}
}

// maxText is how many bytes of one text are read; no page holds a meta of that length. What is found is cut there,
// after a comma.
const maxText = 64 << 10

// cut returns what is read of a text. Our own is refused whole.
func (p *parser) cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	p.fault("bad-value", "the text has %d bytes: what is beyond %d is not read", len(text), maxText)
	if p.whose == Own {
		return ""
	}
	text = text[:maxText]
	return text[:strings.LastIndexByte(text, ',')+1]
}

// fault reports text that cannot be read: an error in our own text, a warning in text found.
func (p *parser) fault(id, format string, args ...any) {
	severity := Error
	if p.whose == Found {
		severity = Warning
	}
	p.problems = append(p.problems, Finding{ID: id, Severity: severity, Message: fmt.Sprintf(format, args...)})
}

func (p *parser) warn(id, format string, args ...any) {
	p.problems = append(p.problems, Finding{ID: id, Severity: Warning, Message: fmt.Sprintf(format, args...)})
}

// list reads comma items from left to right.
func (p *parser) list(text string) {
	items := strings.Split(p.cut(text), ",")
	for i := 0; i < len(items); i++ {
		p.raw = fold(items[i])
		item := tidy(p.raw)
		for item != "" {
			p.steps++
			name, value, colon := strings.Cut(item, ":")
			if !colon || isValued(name) || strings.ContainsAny(name, separators) {
				break
			}
			item = p.prefix(name, value)
		}
		if name, value, ok := strings.Cut(item, ":"); ok && strings.EqualFold(name, "unavailable_after") {
			i += p.expiry(value, items[i+1:])
			continue
		}
		if item != "" {
			p.item(item)
		}
	}
}

// fold folds white space, also that of Unicode, to single blanks.
func fold(s string) string { return strings.Join(strings.FieldsFunc(s, isSpace), " ") }

// separators of directives beside the comma, the quotation marks that word processors put around a text, and what a
// template that prints a list or a text as such puts around them: [noindex nofollow].
const (
	quotes     = "“”„‟‘’‚‛«»‹›"
	separators = " ;/|" + quotes
	brackets   = `[](){}"'`
)

// IsSeparator reports whether r parts directives, as white space and the semicolon may beside the comma (D4).
func IsSeparator(r rune) bool { return isSpace(r) || strings.ContainsRune(separators, r) }

// separators are those that count in the text at hand.
func (p *parser) separators() string {
	if p.whose == Found {
		return separators + brackets
	}
	return separators
}

// tidy folds white space and removes it around colons, so that "max-snippet : 50" is one word.
func tidy(item string) string {
	item = fold(item)
	if strings.Contains(item, ":") {
		item = strings.ReplaceAll(strings.ReplaceAll(item, " :", ":"), ": ", ":")
	}
	return item
}

// isSpace reports white space of Unicode, with the two that take no room: zero width space and byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == 0x200B || r == 0xFEFF }

func isValued(name string) bool { return slices.Contains(valued, strings.ToLower(name)) }

// prefix takes the name before an item's first colon and returns what is left of the item to read.
func (p *parser) prefix(name, rest string) string {
	lower := strings.ToLower(name)
	if _, ok := plain[lower]; ok {
		p.fault("bad-value", "%q: %s takes no value", p.raw, lower)
		return ""
	}
	_, crawler := p.known.Lookup(lower)
	if !crawler && !Everyone(lower) {
		if d, ok := near(lower, directiveNames); ok {
			p.fault("unknown-directive", "unknown directive %q (did you mean %q?)", name, d)
			return ""
		}
	}
	if !p.header {
		if p.whose == Own {
			p.fault("prefix", "%q: no crawler is named inside a text; write the map form {%s: %q}", p.raw, lower, rest)
		} else {
			p.warn("prefix", "%q: a crawler named inside a meta's content is read by no one, so the item states "+
				"nothing", p.raw)
		}
		return ""
	}
	switch {
	case Everyone(lower):
		p.crawler = ""
	case IsToken(lower):
		p.crawler = lower
		if reason := Inert(lower); reason != "" {
			p.warn("inert-crawler", "%s %s: what it is told here does nothing", lower, reason)
		} else if !crawler {
			p.warn("unknown-crawler", "unknown crawler %q%s", name, DidYouMean(lower, p.known.Names()))
		}
	default:
		p.fault("prefix", "%q before a colon is neither a directive nor a crawler", name)
		return ""
	}
	return rest
}

// expiry reads the value of unavailable_after, taking following comma items for as long as the text so far is no
// date and the next item is no known directive (D5). It returns how many it took.
func (p *parser) expiry(value string, following []string) int {
	whole := fold(value)
	for taken := 0; ; taken++ {
		p.steps++
		if t, err := ParseDate(whole); err == nil {
			p.state(Directives{expiry: expiryRank(t)}, false)
			return taken
		}
		if taken == min(len(following), maxDateCommas) || p.starts(tidy(following[taken])) {
			break
		}
		whole += ", " + fold(following[taken])
	}
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(separators, r) })
	n := p.dateWords(words)
	if 0 < n && n < len(words) || n == 0 && p.whose == Found &&
		slices.ContainsFunc(words[min(1, len(words)):], isKnown) {
		p.item("unavailable_after:" + value) // other words follow the date, or what is none (D4)
		return 0
	}
	_, err := ParseDate(fold(value))
	p.fault("bad-value", "unavailable_after: %v", err)
	if p.whose == Found {
		return 0
	}
	taken := 0
	for taken < len(following) && !p.starts(tidy(following[taken])) {
		p.steps++
		taken++ // its parts would only be reported once more
	}
	return taken
}

// The longest date that is read has a weekday, a day, a month, a year, a time and a zone; a comma after the weekday and
// one before fractions of a second.
const (
	maxDateWords  = 6
	maxDateCommas = 2
)

// dateWords returns how many of the words, from the first one on, have the form of a date, readable or not; 0 for none.
func (p *parser) dateWords(words []string) int {
	for n := min(len(words), maxDateWords); n > 0; n-- {
		p.steps += n
		_, formed, err := parseDate(strings.Join(words[:n], " "))
		if err == nil || formed && !isKnown(words[n-1]) { // 15:00:00 noai is no zone of that name
			return n
		}
	}
	return 0
}

// isKnown reports whether word is a directive, its value not looked at.
func isKnown(word string) bool {
	name, _, _ := strings.Cut(strings.ToLower(word), ":")
	_, _, ok := Lookup(name)
	return ok
}

// starts reports whether item begins with a known directive or with a crawler's name.
func (p *parser) starts(item string) bool {
	for {
		p.steps++
		end := strings.IndexAny(item, separators+":")
		if end < 0 {
			end = len(item)
		}
		word := strings.ToLower(item[:end])
		if _, _, ok := Lookup(word); ok {
			return true
		}
		if !p.header || end == len(item) || item[end] != ':' {
			return false
		}
		if _, crawler := p.known.Lookup(word); crawler || Everyone(word) {
			return true
		}
		item = item[end+1:]
	}
}

// item reads one comma item that has no prefix.
func (p *parser) item(item string) {
	d, embed, err := directive(item)
	if err == nil {
		p.state(d, embed)
		return
	}
	if strings.ContainsAny(item, p.separators()) {
		p.pieces(item)
		return
	}
	if bad, ok := err.(badValue); ok {
		p.fault("bad-value", "%s", string(bad))
		return
	}
	lower := strings.ToLower(item)
	hint := DidYouMean(lower, directiveNames)
	switch {
	case lower == "nopagereadaloud":
		p.fault("inert-directive", "nopagereadaloud does nothing here: it belongs into <meta name=\"google\">")
		if p.whose == Own {
			return
		}
	case isValued(lower):
		p.fault("bad-value", "%s", string(wantsValue(lower)))
		return
	default:
		p.fault("unknown-directive", "unknown directive %q%s", item, hint)
	}
	if p.whose == Found {
		p.state(Directives{unknown: lower}, false)
	}
}

// pieces reads an item that is not one directive, split at the separators other than the comma (D4).
func (p *parser) pieces(item string) {
	words := strings.FieldsFunc(item, func(r rune) bool { return strings.ContainsRune(p.separators(), r) })
	var sum Directives
	var embed bool
	var corrected []string
	known, unknown, bad := 0, 0, ""
	for i := 0; i < len(words); i++ {
		word := words[i]
		p.steps++
		if name, value, ok := strings.Cut(word, ":"); ok && strings.EqualFold(name, "unavailable_after") {
			// A date holds blanks: the longest run of words that has the form of one belongs to it.
			run := append([]string{value}, words[i+1:min(i+maxDateWords, len(words))]...)
			if n := p.dateWords(run); n > 0 {
				word, i = name+":"+strings.Join(run[:n], " "), i+n-1
			}
		}
		d, e, err := directive(word)
		switch err := err.(type) {
		case nil:
			known++
			sum, embed = MostRestrictive(sum, d), embed || e
			corrected = append(corrected, strings.ToLower(word))
		case badValue:
			unknown++
			bad = string(err)
			corrected = append(corrected, word)
		default:
			unknown++
			if n, ok := near(strings.ToLower(word), directiveNames); ok {
				word = n
			}
			corrected = append(corrected, word)
		}
	}
	line := strings.Join(corrected, ", ")
	if whole := strings.ToLower(strings.Join(words, "")); slices.Contains(directiveNames, whole) {
		line = whole // "no index"
	}
	switch {
	case known+unknown == 0: // separators alone
	case p.whose == Own && unknown == 0 && !strings.ContainsAny(item, "/|;") && len(words) == 1:
		p.warn("separator", "%q is read as %q: leave the quotation marks out", item, line)
		p.state(sum, embed)
	case p.whose == Own && unknown == 0 && !strings.ContainsAny(item, "/|"):
		p.warn("separator", "%q is read as %q: directives are separated by commas", item, line)
		p.state(sum, embed)
	case p.whose == Own && bad != "":
		p.fault("bad-value", "%q: %s", item, bad)
	case p.whose == Own && known == 0 && len(words) > 0:
		p.fault("unknown-directive", "unknown directive %q: did you mean %q?", item, line)
	case p.whose == Own:
		p.fault("separator", "%q: directives are separated by commas; did you mean %q?", item, line)
	case known == 0:
		p.warn("unknown-directive", "unknown directive %q", item)
		if bad == "" {
			p.state(Directives{unknown: strings.ToLower(item)}, false)
		}
	default:
		p.warn("separator", "%q: directives are separated by commas; each word that is one is counted, %q", item, sum)
		p.state(sum, embed)
	}
}
