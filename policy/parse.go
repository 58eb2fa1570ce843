package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Text says whose words a text is, which decides what becomes of faults in it.
type Text int

const (
	// Own is our own text: configuration, front matter, an argument. What cannot be read is an error.
	Own Text = iota
	// Found is text on disk that another program wrote. What cannot be read states nothing and is reported; an
	// unknown directive is kept.
	Found
	// Documented is Found as engines document it: a known word counts only where it stands alone between commas, with
	// white space of ASCII around it. D4 finds words between other signs too, which is the safe reading of what
	// restricts too much, but no engine promises to read a noindex there.
	Documented
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

// Parse reads a list of directives for everyone: a value of the configuration or of front matter, or what a robots
// meta said (D4–D7).
func Parse(text string, whose Text) (Reading, []Finding) {
	p := parser{whose: whose}
	p.read(text)
	return sum("", slices.DeleteFunc(p.words, func(w word) bool { return w.reading.Crawler != "" })), p.findings()
}

// ParseMeta reads the content of a meta of that name: "robots", or a crawler in lower case. No crawler reads a name
// inside a content, so it is reported, and counts as its author meant it (M2).
func ParseMeta(name, content string, whose Text, known Crawlers) ([]Reading, []Finding) {
	p := parser{whose: whose, known: known}
	if !Everyone(name) {
		p.crawler = name
	}
	p.read(content)
	return p.readings(), p.findings()
}

// ParseHeader reads a text in the grammar of X-Robots-Tag (D0): one reading for everyone and one for each crawler
// named, in order of appearance. A prefix governs what follows until the next prefix or the end of the text.
func ParseHeader(text string, whose Text, known Crawlers) ([]Reading, []Finding) {
	p := parser{whose: whose, header: true, known: known}
	p.read(text)
	return p.readings(), p.findings()
}

// AsRead is what crawlers read in a text that was found, by [ParseMeta] or [ParseHeader]: what they document, and no
// directive of no known name. What was meant and is not written as they document it is one finding.
func AsRead(text string, parse func(Text) ([]Reading, []Finding)) ([]Reading, []Finding) {
	_, faults := parse(Found)
	readings, _ := parse(Documented)
	for i := range readings {
		readings[i].Directives = readings[i].Directives.Known()
	}
	for i, f := range faults {
		if f.ID == "separator" || f.ID == "prefix" || f.ID == "mistaken-tag" {
			faults[i].Message = fmt.Sprintf("%q is not written as crawlers read it, so it counts for nothing: metarobots "+
				"apply writes what was meant", text)
		}
	}
	return readings, faults
}

// parser reads one text into words.
type parser struct {
	whose    Text
	header   bool
	known    Crawlers
	crawler  string // whom the words address, "" for everyone
	words    []word
	problems []problem
	reported map[string]bool      // messages
	near     map[[2]string]string // names near to words that are none, by the word and the first of the names
	steps    int                  // words and items that were looked at, which tests count
}

// A problem is everything of one kind that is wrong with a text.
type problem struct {
	finding Finding
	count   int // of different messages
}

// maxNamed is how many faults of one kind are named. The others are counted: a template that prints an article where
// a list of directives belongs makes one mistake.
const maxNamed = 10

// A word is one directive as it stands in a text, and what it states.
type word struct {
	text    string
	reading Reading
}

// readings are the words' sums, by crawler.
func (p *parser) readings() []Reading {
	var names []string
	byCrawler := map[string][]word{}
	for _, w := range p.words {
		if byCrawler[w.reading.Crawler] == nil {
			names = append(names, w.reading.Crawler)
		}
		byCrawler[w.reading.Crawler] = append(byCrawler[w.reading.Crawler], w)
	}
	readings := make([]Reading, len(names))
	for i, name := range names {
		readings[i] = sum(name, byCrawler[name])
	}
	return readings
}

// sum is what words state together. Their flags are joined at once, as each union would copy those before.
func sum(crawler string, words []word) Reading {
	r := Reading{Crawler: crawler}
	var flags []string
	for _, w := range words {
		if w.reading.Directives.flags != "" {
			flags = append(flags, w.reading.Directives.flags)
			w.reading.Directives.flags = ""
		}
		r.Directives, r.Embed = MostRestrictive(r.Directives, w.reading.Directives), r.Embed || w.reading.Embed
	}
	r.Directives.flags = join(flags)
	return r
}

// word is a word for the crawler that is addressed.
func (p *parser) word(text string, d Directives) word {
	return word{text, Reading{p.crawler, d, text == "indexifembedded"}}
}

// fault reports text that cannot be read: an error in our own text, a warning in text found.
func (p *parser) fault(id, format string, args ...any) {
	severity := Warning
	if p.whose == Own {
		severity = Error
	}
	p.report(Finding{ID: id, Severity: severity, Message: fmt.Sprintf(format, args...)})
}

func (p *parser) warn(id, format string, args ...any) {
	p.report(Finding{ID: id, Severity: Warning, Message: fmt.Sprintf(format, args...)})
}

// report adds a fault to those of its kind.
func (p *parser) report(f Finding) {
	if p.reported[f.Message] {
		return
	}
	if p.reported == nil {
		p.reported = map[string]bool{}
	}
	p.reported[f.Message] = true
	alike := func(o problem) bool { return o.finding.ID == f.ID && o.finding.Severity == f.Severity }
	i := slices.IndexFunc(p.problems, alike)
	if i < 0 {
		p.problems = append(p.problems, problem{f, 1})
		return
	}
	of := &p.problems[i]
	if of.count++; of.count <= maxNamed {
		of.finding.Message += "; " + f.Message
	}
}

// findings are one for each kind of fault.
func (p *parser) findings() (all []Finding) {
	for _, of := range p.problems {
		if more := of.count - maxNamed; more > 0 {
			of.finding.Message += fmt.Sprintf("; and %d more", more)
		}
		all = append(all, of.finding)
	}
	return all
}

// nearest is [Near] for the first words of a text that are no names.
func (p *parser) nearest(word string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	key := [2]string{word, names[0]}
	name, known := p.near[key]
	if known || len(p.near) == maxNamed {
		return name
	}
	if p.near == nil {
		p.near = map[[2]string]string{}
	}
	p.near[key] = Near(word, names)
	return p.near[key]
}

// didYouMean is [DidYouMean] for the first words of a text that are no names.
func (p *parser) didYouMean(word string, names []string) string {
	return didYouMean(p.nearest(word, names))
}

// read takes one comma item after the other: a crawler's name, or a list of words.
func (p *parser) read(text string) {
	text = p.tidy(p.printedMap(p.cut(text)))
	for text != "" {
		p.steps++
		name, prefixed := p.prefix(text)
		if prefixed && p.address(name, text) {
			text = text[len(name)+len(":"):] // begins as an item does
			continue
		}
		words, end := p.split(text)
		if !prefixed {
			p.item(text[:end], words)
		}
		text = strings.TrimLeft(text[end:], ", ")
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

// printedMap returns the directives of a map that a template of Go printed as it is: map[index:false follow:true]. They
// count as in a map of front matter.
func (p *parser) printedMap(text string) string {
	entries, ok := strings.CutPrefix(strings.TrimSpace(text), "map[")
	entries, closed := strings.CutSuffix(entries, "]")
	if !ok || !closed || p.whose != Found {
		return text
	}
	var words []string
	for entry := range strings.FieldsSeq(entries) {
		name, value, _ := strings.Cut(entry, ":")
		switch {
		case value == "true":
			words = append(words, name)
		case value == "false" && isDirective("no"+name):
			words = append(words, "no"+name)
		case value != "false":
			words = append(words, entry)
		}
	}
	list := strings.Join(words, ", ")
	p.warn("mistaken-tag", "%q is a map as Go prints it, which no crawler reads: the theme prints a value that is no "+
		"text; it counts as %q", strings.TrimSpace(text), list)
	return list
}

// tidy makes white space, also that of Unicode, single blanks, and leaves it out around colons and before commas: so
// "max-snippet : 50" is one word.
func (p *parser) tidy(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return isSpace(r) && (p.whose != Documented || r < utf8.RuneSelf)
	}), " ")
	text = strings.ReplaceAll(strings.ReplaceAll(text, " :", ":"), ": ", ":")
	return strings.ReplaceAll(text, " ,", ",")
}

// isDirective reports whether name is a directive's, in any case.
func isDirective(name string) bool {
	_, _, ok := Lookup(strings.ToLower(name))
	return ok
}

// isSpace reports white space of Unicode, with the two that take no room: zero width space and byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == 0x200B || r == 0xFEFF }

// Separators of directives beside the comma: the quotation marks that word processors put around a text, and in what
// is found also what a template that prints a list or a text as such puts around them: [noindex nofollow].
const (
	separators = " ;/|“”„‟‘’‚‛«»‹›"
	brackets   = `[](){}"'`
)

// IsSeparator reports whether r parts directives, as white space and the semicolon may beside the comma (D4).
func IsSeparator(r rune) bool { return isSpace(r) || strings.ContainsRune(separators, r) }

func (p *parser) separates(r rune) bool {
	return IsSeparator(r) || p.whose != Own && strings.ContainsRune(brackets, r)
}

// prefix returns the name before an item's first colon, where that is no directive with a value.
func (p *parser) prefix(text string) (name string, ok bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return r == ':' || r == ',' || IsSeparator(r) })
	if end < 0 || text[end] != ':' {
		return "", false
	}
	_, valued, _ := Lookup(strings.ToLower(text[:end]))
	return text[:end], !valued
}

// address turns to the crawler whose name text begins with. It reports whether the rest is to be read.
func (p *parser) address(name, text string) bool {
	rest, _, _ := strings.Cut(text[len(name)+len(":"):], ",")
	lower := strings.ToLower(name)
	if isDirective(lower) {
		p.fault("bad-value", "%q: %s takes no value", name+": "+rest, lower)
		return false
	}
	_, crawler := p.known.Lookup(lower)
	if !crawler && !Everyone(lower) {
		if d := p.nearest(lower, directiveNames); d != "" {
			p.fault("unknown-directive", "unknown directive %q (did you mean %q?)", name, d)
			return false
		}
	}
	switch {
	case !p.header && p.whose == Own:
		p.fault("prefix", "%q: no crawler is named inside a text; write the map form {%s: %q}", name+": "+rest, lower,
			rest)
	case !p.header && (!crawler && !Everyone(lower) || p.whose == Documented):
		p.warn("prefix", "%q: no crawler reads a name inside a meta's content, so the item states nothing",
			name+": "+rest)
	case !p.header:
		if p.crawler = lower; Everyone(lower) {
			p.crawler = ""
		}
		said, _, _ := strings.Cut(rest, ":") // each byte of a text of prefixes is in one message
		p.warn("prefix", "%q: no crawler reads a name inside a meta's content; what follows counts as meant, for "+
			"<meta name=%q>", name+": "+said, cmp.Or(p.crawler, "robots"))
		return true
	case Everyone(lower):
		p.crawler = ""
		return true
	case !IsToken(lower):
		p.fault("prefix", "%q before a colon is neither a directive nor a crawler", name)
	default:
		p.crawler = lower
		if reason := Inert(lower); reason != "" {
			p.warn("inert-crawler", "%s %s, so this has no effect", lower, reason)
		} else if !crawler {
			p.warn("unknown-crawler", "unknown crawler %q%s", name, p.didYouMean(lower, p.known.Names()))
		}
		return true
	}
	return false
}

// split takes words off text up to the comma that ends the item. A date is one word with the directive before it,
// whatever blanks and commas it holds (D5).
func (p *parser) split(text string) (words []string, end int) {
	const dated = "unavailable_after:"
	for end < len(text) && text[end] != ',' {
		p.steps++
		rest := text[end:]
		length := strings.IndexFunc(rest, func(r rune) bool { return r == ',' || p.separates(r) })
		if length < 0 {
			length = len(rest)
		}
		word := rest[:length]
		if len(rest) > len(dated) && strings.EqualFold(rest[:len(dated)], dated) {
			value := strings.TrimLeftFunc(rest[len(dated):], p.separates)
			if n := dateLength(value); n > 0 {
				word, length = rest[:len(dated)]+value[:n], len(rest)-len(value)+n
			}
		}
		if word != "" {
			words = append(words, word)
		}
		end = len(text) - len(strings.TrimLeftFunc(rest[length:], p.separates))
	}
	return words, end
}

// item reads one comma item, whose words are words.
func (p *parser) item(item string, words []string) {
	if len(words) != 1 || words[0] != item {
		p.several(item, words)
		return
	}
	lower := strings.ToLower(item)
	d, known, fault := readDirective(item)
	switch {
	case fault != "":
		p.fault("bad-value", "%s", fault)
		if p.whose == Found && !d.IsZero() {
			p.words = append(p.words, p.word(lower, d))
		}
		return
	case known:
		p.words = append(p.words, p.word(lower, d))
		return
	case lower == "nopagereadaloud":
		p.fault("inert-directive", "nopagereadaloud does nothing here: it belongs into <meta name=\"google\">")
	default:
		p.fault("unknown-directive", "unknown directive %q%s", item, p.didYouMean(lower, directiveNames))
	}
	if p.whose != Own {
		p.words = append(p.words, p.word(lower, Directives{flags: lower}))
	}
}

// several reads an item whose words stand between other separators than the comma (D4).
func (p *parser) several(item string, words []string) {
	stated, bad := []word{}, ""
	meant := slices.Clone(words) // the likely meaning
	for i, text := range words {
		lower := strings.ToLower(text)
		d, known, fault := readDirective(text)
		switch {
		case fault != "":
			if bad = fault; p.whose == Found && !d.IsZero() {
				stated = append(stated, p.word(lower, d))
			}
		case known:
			stated, meant[i] = append(stated, p.word(lower, d)), lower
		default:
			meant[i] = cmp.Or(p.nearest(lower, directiveNames), text)
		}
	}
	line := strings.Join(meant, ", ")
	if whole := strings.ToLower(strings.Join(words, "")); isDirective(whole) {
		line = whole // "no index"
	}
	own, advice := p.whose == Own, "directives are separated by commas"
	if len(words) == 1 && !strings.Contains(item, ";") {
		advice = "leave the quotation marks out"
	}
	switch {
	case len(words) == 0: // separators alone
	case p.whose == Documented && len(stated) > 0:
	case own && len(stated) == len(words) && !strings.ContainsAny(item, "/|"):
		p.warn("separator", "%q is read as %q: %s", item, line, advice)
		p.words = append(p.words, stated...)
	case own && bad != "":
		p.fault("bad-value", "%q: %s", item, bad)
	case own && len(stated) == 0:
		p.fault("unknown-directive", "unknown directive %q: did you mean %q?", item, line)
	case own:
		p.fault("separator", "%q: directives are separated by commas; did you mean %q?", item, line)
	case len(stated) > 0:
		p.warn("separator", "%q: directives are separated by commas; each word that is one is counted, %q", item,
			sum("", stated).Directives)
		p.words = append(p.words, stated...)
	default:
		p.warn("unknown-directive", "unknown directive %q", item)
		if bad == "" {
			p.words = append(p.words, p.word(strings.ToLower(item), Directives{flags: strings.ToLower(item)}))
		}
	}
}
