package policy

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Text says whose words a text is, which decides what becomes of faults in it.
type Text int

const (
	// Own is our own text: configuration, front matter, an argument. What cannot be read is an
	// error.
	Own Text = iota
	// Found is text on disk that another program wrote. What cannot be read states nothing and is
	// reported; an unknown directive is kept.
	Found
	// Documented is Found as engines document it: a known word counts only where it stands alone
	// between commas, with white space of ASCII around it. D4 finds words between other signs too,
	// which is the safe reading of what restricts too much, but no engine promises to read a
	// noindex there.
	Documented
	// Audited is Documented without directives of no known name. What was meant and is not written
	// as engines document it is one finding.
	Audited
)

// Parse reads a list of directives for everyone: a value of the configuration or of front matter,
// or what a robots meta said (D4–D7). What readers return has no origin, and no regard to
// indexifembedded yet: see [At].
func Parse(text string, whose Text) (Statement, []Finding) {
	return ParseValue(text, whose, "")
}

// ParseValue is [Parse] for a text that stands where a map may stand: mapForm is the format of a
// map of a crawler to a text, as the notation has it, for the message about a crawler's name inside
// the text. Empty is that of front matter in YAML, " {%s: %q}".
func ParseValue(text string, whose Text, mapForm string) (Statement, []Finding) {
	p := parser{whose: whose, mapForm: mapForm}
	all, faults := p.parse(text)
	i := slices.IndexFunc(all, func(s Statement) bool { return s.Crawler == "" })
	if i < 0 {
		return Statement{}, faults
	}
	return all[i], faults
}

// ParseMeta reads the content of a meta of that name: "robots", or a crawler in lower case. No
// crawler reads a name inside a content, so it is reported, and counts as its author meant it (M2).
func ParseMeta(name, content string, whose Text, known Crawlers) ([]Statement, []Finding) {
	if Everyone(name) {
		name = ""
	}
	p := parser{whose: whose, crawler: name, known: known}
	return p.parse(content)
}

// ParseHeader reads a text in the grammar of X-Robots-Tag (D0): one reading for everyone and one
// for each crawler named, in order of appearance. A prefix governs what follows until the next
// prefix or the end of the text.
func ParseHeader(text string, whose Text, known Crawlers) ([]Statement, []Finding) {
	all, _, faults := ParseHeaderPart("", text, whose, known)
	return all, faults
}

// ParseHeaderPart reads a part of a header line, as [ParseHeader] does. The part before it
// addressed a crawler at last, or everyone (""), and what stands before the first prefix is for
// that one. last is whom this part addresses at last.
func ParseHeaderPart(crawler, text string, whose Text, known Crawlers) (all []Statement, last string,
	faults []Finding) {
	p := parser{whose: whose, header: true, crawler: crawler, known: known}
	all, faults = p.parse(text)
	return all, p.crawler, faults
}

// parse returns what a text states to each crawler, and its faults. For an audit it reads the text
// as engines document it, and has the faults from a second reading, of what was meant.
func (p *parser) parse(text string) (all []Statement, faults []Finding) {
	if p.whose != Audited {
		p.read(text)
		return p.statements(), p.findings()
	}
	meant := *p
	meant.whose = Found
	_, faults = meant.parse(text)
	p.whose = Documented
	all, _ = p.parse(text)
	for i := range all {
		all[i].Directives.flags = only(all[i].Directives.flags, isDirective)
	}
	retellFaults(faults, text, all)
	return all, faults
}

// retellFaults says of faults that apply would mend, in the words of an audit: what of the text
// counts as it is written. stated is what it states.
func retellFaults(faults []Finding, text string, stated []Statement) {
	var counted []string
	for _, s := range stated {
		if !s.Directives.IsZero() {
			counted = append(counted, s.States())
		}
	}
	counts := "it counts for nothing"
	if counted != nil {
		counts = fmt.Sprintf("no more of it counts than %q", strings.Join(counted, "; "))
	}
	for i := range faults {
		f := &faults[i]
		isMendedByApply := f.ID == "separator" || f.ID == "prefix" || f.ID == "mistaken-tag"
		if isMendedByApply {
			f.Detail = ""
			f.Message = fmt.Sprintf("%q is not written as crawlers read it, so %s: metarobots "+
				"apply writes what was meant", text, counts)
		}
	}
}

// A parser reads one text, comma item by comma item: a crawler's name with a colon behind it (in a
// header), or one word, or by mistake several words.
type parser struct {
	whose    Text      // whose words it reads; parse reads Audited as two of the others
	header   bool      // the text is an X-Robots-Tag's; else a meta's or a value of our own
	known    Crawlers  // the crawlers that the policy names, beside those that everybody knows
	mapForm  string    // see [ParseValue]
	crawler  string    // whom the words address, in lower case; "" for everyone
	readings []reading // what was stated so far
	faults   []faults
	searches int // for names near to words that are none
	steps    int // words and items that were looked at, which tests count
}

// faults are those of one kind. The first are named, the others counted: a template that prints an
// article where a list of directives belongs makes one mistake.
type faults struct {
	id       string
	severity Severity
	named    []string
	more     int
}

const maxNamed = 10

// A reading is what words state to one crawler. Its flags are joined at last, as each union would
// copy those before.
type reading struct {
	statement Statement
	flags     []string
}

// state takes in what words state to the crawler that is addressed.
func (p *parser) state(words ...Statement) {
	i := len(p.readings) - 1
	for i >= 0 && p.readings[i].statement.Crawler != p.crawler {
		i--
	}
	if i < 0 {
		i, p.readings = len(p.readings), append(p.readings,
			reading{statement: Statement{Crawler: p.crawler}})
	}
	r := &p.readings[i]
	for _, w := range words {
		r.flags = append(r.flags, split(w.Directives.flags)...)
		w.Directives.flags = ""
		r.statement.Directives = MostRestrictive(r.statement.Directives, w.Directives)
		r.statement.Embed = r.statement.Embed || w.Embed
	}
}

// statements are the readings, in order of appearance.
func (p *parser) statements() (all []Statement) {
	for _, r := range p.readings {
		r.statement.Directives.flags = join(r.flags)
		all = append(all, r.statement)
	}
	return all
}

// fault reports text that cannot be read: an error in our own text, a warning in text found.
func (p *parser) fault(id, format string, args ...any) {
	severity := Warning
	if p.whose == Own {
		severity = Error
	}
	p.report(id, severity, format, args...)
}

// warn reports what counts all the same, in our own text too.
func (p *parser) warn(id, format string, args ...any) { p.report(id, Warning, format, args...) }

// report adds a fault to those of its kind, each message once. Of a kind maxNamed are named, and
// the others counted.
func (p *parser) report(id string, severity Severity, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	i := slices.IndexFunc(p.faults,
		func(f faults) bool { return f.id == id && f.severity == severity })
	if i < 0 {
		i, p.faults = len(p.faults), append(p.faults, faults{id: id, severity: severity})
	}
	switch f := &p.faults[i]; {
	case slices.Contains(f.named, message):
	case len(f.named) < maxNamed:
		f.named = append(f.named, message)
	default:
		f.more++
	}
}

// findings are one for each kind of fault.
func (p *parser) findings() (all []Finding) {
	for _, f := range p.faults {
		found := Finding{ID: f.id, Severity: f.severity, Message: f.named[0]}
		for _, message := range f.named[1:] {
			found.Detail += "; " + message
		}
		if f.more > 0 {
			found.Detail += fmt.Sprintf("; and %d more", f.more)
		}
		all = append(all, found)
	}
	return all
}

// maxSearches is for how many words of one text a name is looked for that is near.
const maxSearches = 100

// nearest is [Near] for the first words of a text that are no names.
func (p *parser) nearest(word string, names []string) string {
	if p.searches == maxSearches {
		return ""
	}
	p.searches++
	return Near(word, names)
}

// read takes one comma item after the other: a crawler's name, or a list of words.
func (p *parser) read(text string) {
	text = p.tidy(p.cut(text))
	for text != "" {
		p.steps++
		name, prefixed := p.leadingName(text)
		if prefixed && p.address(name, text) {
			text = text[len(name)+len(":"):] // begins as an item does
			continue
		}
		words, end := p.takeWords(text)
		if !prefixed {
			p.readItem(text[:end], words)
		}
		text = strings.TrimLeft(text[end:], ", ")
	}
}

// maxText is how many bytes of one text are read; no page holds a meta of that length. What is
// found is cut there, after a comma, or after a word if it has none.
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
	if end := strings.LastIndexByte(text, ','); end >= 0 {
		return text[:end+1]
	}
	return text[:strings.LastIndexAny(text, " \t\r\n;/|")+1]
}

// tidy makes white space, also that of Unicode, single blanks, and leaves it out around colons and
// before commas: so "max-snippet : 50" is one word.
func (p *parser) tidy(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return isSpace(r) && (p.whose != Documented || r < utf8.RuneSelf)
	}), " ")
	if entries, ok := strings.CutPrefix(text, "map["); ok && p.whose == Found {
		list := printedMap(strings.TrimSuffix(entries, "]"))
		p.warn("mistaken-tag", "%q is a map as Go prints it, which no crawler reads: the theme "+
			"prints a value that is no text; it counts as %q", text, list)
		text = list
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, " :", ":"), ": ", ":")
	return strings.ReplaceAll(text, " ,", ",")
}

var mapSwitch = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\S+):(true|false)\b`)
})

// printedMap lists the directives of a map that a template of Go printed as it is, index:false
// follow:true, which count as in a map of front matter.
func printedMap(entries string) string {
	entries = mapSwitch().ReplaceAllStringFunc(entries, func(entry string) string {
		name, on := strings.CutSuffix(entry, ":true")
		if name = strings.TrimSuffix(name, ":false"); on {
			return name
		}
		if isDirective("no" + name) {
			return "no" + name
		}
		return ""
	})
	return strings.Join(strings.Fields(entries), ", ")
}

// isDirective reports whether name is a directive's, in any case.
func isDirective(name string) bool {
	_, _, ok := Lookup(strings.ToLower(name))
	return ok
}

// isSpace reports white space of Unicode, with the two that take no room: zero width space and byte
// order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == 0x200B || r == 0xFEFF }

// Separators of directives beside the comma: the quotation marks that word processors put around a
// text, and in what is found also what a template that prints a list or a text as such puts around
// them: [noindex nofollow].
const (
	separators = " ;/|“”„‟‘’‚‛«»‹›"
	brackets   = `[](){}"'`
)

// IsSeparator reports whether r parts directives, as white space and the semicolon may beside the
// comma (D4).
func IsSeparator(r rune) bool { return isSpace(r) || strings.ContainsRune(separators, r) }

// separates reports whether a character is between words: in text that was found a bracket, too.
func (p *parser) separates(r rune) bool {
	return IsSeparator(r) || p.whose != Own && strings.ContainsRune(brackets, r)
}

// leadingName returns the name before an item's first colon, where that is no directive with a
// value.
func (p *parser) leadingName(text string) (name string, ok bool) {
	end := strings.IndexFunc(text,
		func(r rune) bool { return r == ':' || r == ',' || IsSeparator(r) })
	if end < 0 || text[end] != ':' {
		return "", false
	}
	_, valued, _ := Lookup(strings.ToLower(text[:end]))
	return text[:end], !valued
}

// address reads the name before the colon with which text begins, as leadingName found it. It
// addresses what follows to the crawler of that name, or to everyone for robots and *. goesOn is
// false if the name is none: then it is reported, what was addressed before still is, and the item
// to its comma states nothing.
//
// Names are read in a header alone. In a meta no crawler reads one, so in our own text it is an
// error; in text that was found it counts as meant, for a name that is known (M2). A name that is
// nearly a directive's is taken for that directive in either, before it is taken for a crawler.
func (p *parser) address(name, text string) (goesOn bool) {
	rest, _, _ := strings.Cut(text[len(name)+len(":"):], ",") // what follows, to its comma
	lower := strings.ToLower(name)
	_, isKnown := p.known.Lookup(lower)
	isEveryone := Everyone(lower)
	if p.reportNoName(name, rest, isKnown || isEveryone) {
		return false
	}
	if p.crawler = lower; isEveryone {
		p.crawler = ""
	}
	switch reason := Inert(lower); { // why directives for a crawler have no effect; "" if they have
	case !p.header:
		said, _, _ := strings.Cut(rest, ":") // each byte of a text of prefixes is in one message
		p.warn("prefix", "%q: no crawler reads a name inside a meta's content; what follows "+
			"counts as meant, for <meta name=%q>", name+": "+said, cmp.Or(p.crawler, "robots"))
	case reason != "":
		p.warn("inert-crawler", "%s %s, so this has no effect", lower, reason)
	case !isKnown && !isEveryone:
		p.warn("unknown-crawler", "unknown crawler %q%s", name,
			didYouMean(p.nearest(lower, p.known.Names())))
	}
	return true
}

// reportNoName reports a name before a colon that addresses nobody, and returns whether it does so.
// rest is what follows the colon, to the next comma; isKnown says that the name is a known
// crawler's, or one for everyone. A name addresses a crawler in a header alone, if it has the form
// of one. In the text of a tag or of a policy none does. There is one exception: that of a known
// crawler in a tag that was found counts as its author meant it (M2), and the caller reports that.
//
//	noindex: x           a directive that takes no value
//	noidex: x            nearly a directive, noindex
//	a@b: noindex         in a header: neither a directive nor a token
//	googlebot: noindex   addresses googlebot in a header, and in a tag that was found; in our own
//	                     text it is an error, with the map that is meant
//	otherbot: noindex    addresses otherbot in a header; in a tag that was found it states nothing
//
// In a tag as crawlers document it (Documented) no name addresses anybody, googlebot neither.
func (p *parser) reportNoName(name, rest string, isKnown bool) (isReported bool) {
	// Joined for a message alone: in a text of many names, rest may be long for each.
	whole := func() string { return name + ": " + rest }
	lower, nearDirective := strings.ToLower(name), ""
	if !isKnown {
		nearDirective = p.nearest(lower, directiveNames)
	}
	switch {
	case isDirective(lower): // without a value: leadingName takes no max-snippet for a name
		p.fault("bad-value", "%q: %s takes no value", whole(), lower)
	case nearDirective != "":
		p.fault("unknown-directive", "unknown directive %q%s", name,
			correction(nearDirective, rest))
	case p.header && (isKnown || IsToken(lower)):
		return false
	case p.header:
		p.fault("prefix", "%q before a colon is neither a directive nor a crawler", name)
	case p.whose == Own:
		p.fault("prefix", "%q: no crawler is named inside a text; write the map form"+
			cmp.Or(p.mapForm, " {%s: %q}"), whole(), lower, rest)
	case isKnown && p.whose == Found:
		return false
	default:
		p.warn("prefix", "%q: no crawler reads a name inside a meta's content, so the item states "+
			"nothing", whole())
	}
	return true
}
