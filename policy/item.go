package policy

import (
	"cmp"
	"fmt"
	"strings"
)

// One comma item of a text: a directive, or by mistake several words or words of another kind. What
// an item states goes to the crawler that the parser addresses ([parser.state]); what is wrong is
// reported, as an error if our own text cannot be read and else as a warning ([parser.fault]), or as
// a warning in any text ([parser.warn]).

// takeWords takes words off text, which tidy has made, up to the comma that ends the item. end is
// where that comma is, or the length of a text without one. Separators part words and are in none:
//
//	noindex nofollow, noarchive                   noindex | nofollow
//	; “noindex”                                   noindex
//	unavailable_after:25 Jun 2030, noindex        unavailable_after:25 Jun 2030 (see takeDated)
func (p *parser) takeWords(text string) (words []string, end int) {
	for end < len(text) && text[end] != ',' {
		p.steps++
		rest := text[end:]
		word, length := p.takeDated(rest)
		if length == 0 {
			length = strings.IndexFunc(rest,
				func(r rune) bool { return r == ',' || p.separates(r) })
			if length < 0 {
				length = len(rest)
			}
			word = rest[:length] // "" if rest begins with a separator
		}
		if word != "" {
			words = append(words, word)
		}
		end = len(text) - len(strings.TrimLeftFunc(rest[length:], p.separates)) // where the next word begins
	}
	return words, end
}

// takeDated takes an unavailable_after with its date off the beginning of a text, as one word,
// whatever blanks and commas the date holds (D5). In a text that is not our own, what is in the
// place of a date and cannot be read belongs to the word too ([parser.unreadLength]). length is how
// many bytes of the text the word takes, with separators between colon and date, which the word
// does not have; 0 if the text begins otherwise, or nothing is in the place of the date.
func (p *parser) takeDated(text string) (word string, length int) {
	const dated = "unavailable_after:"
	if len(text) <= len(dated) || !strings.EqualFold(text[:len(dated)], dated) {
		return "", 0
	}
	value := strings.TrimLeftFunc(text[len(dated):], p.separates)
	valueLength := dateLength(value) // 0 for no date
	if valueLength == 0 && p.whose != Own {
		valueLength = p.unreadLength(value)
	}
	if valueLength == 0 {
		return "", 0
	}
	return text[:len(dated)] + value[:valueLength], len(text) - len(value) + valueLength
}

// readItem reads one comma item, whose words are words; it may hold separators alone.
func (p *parser) readItem(item string, words []string) {
	switch {
	case len(words) == 1 && words[0] == item:
		p.readLoneWord(item)
	case len(words) > 0:
		p.readSeveralWords(item, words)
	}
}

// readWord reads one word. known is false for one that is no directive; fault says why the value of
// one cannot be read. In what is found, such a word still counts if it states anything.
func (p *parser) readWord(word string) (stated []Statement, known bool, fault string) {
	d, known, fault := readDirective(word)
	if name, value, _ := strings.Cut(word, ":"); p.whose != Own && fault != "" && d.IsZero() &&
		strings.EqualFold(name, "unavailable_after") {
		if d = keepDate(value); !d.IsZero() {
			return []Statement{{Directives: d}}, true, fault + "; it stays as it is"
		}
	}
	if known && (fault == "" || p.whose == Found && !d.IsZero()) {
		stated = []Statement{{Directives: d, Embed: strings.EqualFold(word, "indexifembedded")}}
	}
	return stated, known, fault
}

// readLoneWord reads an item that is one word, as items should be.
func (p *parser) readLoneWord(word string) {
	right := asOneWord(word)
	switch {
	case p.whose == Documented && right != word:
		return // no item as engines document it, no more than "no index"
	case p.whose == Own:
		right = word
	}
	stated, known, fault := p.readWord(right)
	if fault != "" {
		p.fault("bad-value", "%s", fault)
	}
	switch {
	case !known:
		p.reportUnknown(word, correction(p.nearest(strings.ToLower(word), directiveNames), noValue))
	case len(stated) > 0:
		p.state(stated...)
	}
	if right != word {
		p.warn("separator", "%q: a directive is one word; it counts as %q", word, right)
	}
}

// asOneWord returns a directive that begins with no as one word: "no index" and "no-index" are
// noindex. Any other word comes back as it is.
func asOneWord(word string) string {
	rest, ok := strings.CutPrefix(strings.ToLower(word), "no")
	if !ok || rest == "" || !strings.ContainsRune(" -_", rune(rest[0])) {
		return word
	}
	if whole := "no" + strings.NewReplacer(" ", "", "-", "", "_", "").Replace(rest); isDirective(whole) {
		return whole
	}
	return word
}

// joinNo joins each "no" with the word behind it if the two together are a directive:
//
//	no index follow   "no index", "follow"
func joinNo(words []string) (joined []string) {
	for i, word := range words {
		if i > 0 && strings.EqualFold(words[i-1], "no") && isDirective("no"+word) {
			joined[len(joined)-1] += " " + word
		} else {
			joined = append(joined, word)
		}
	}
	return joined
}

// noValue is the value of a word alone, for [correction].
const noValue = ""

// correction is what a message about an unknown word ends with: the directive that is near, unless
// that is none with the value of the word; then what it takes. It is empty if none is near.
func correction(near, value string) string {
	row := byName[near]
	if row == nil {
		return ""
	}
	word := near
	if value != "" {
		word += ":" + value
	}
	switch _, _, fault := readDirective(word); {
	case fault == "":
		return didYouMean(near)
	case row.Form() == "":
		return didYouMean(near) + ", which takes no value"
	default:
		accepted := cmp.Or(row.accepts, "a date: "+near+": 2026-09-21")
		return fmt.Sprintf("; %s takes %s", near, accepted)
	}
}

// readSeveralWords reads an item in which other separators than the comma part words, as in
// "noindex;nofollow", or are around one, as in "“noindex”" (D4). item is the whole of it, words are
// what is between the separators.
func (p *parser) readSeveralWords(item string, words []string) {
	if p.whose != Documented {
		words = joinNo(words)
	}
	r := p.readWords(words)
	switch {
	case len(r.meant) == 0: // dates alone, which are reported
	case p.whose == Own:
		p.judgeOwnItem(item, words, r)
	case p.whose == Documented && len(r.stated) > 0: // which is no item as engines document it
	case len(r.stated) > 0:
		p.warn("separator", "%q: directives are separated by commas; each word that is one is "+
			"counted, %q", item, forEveryone(r.stated))
		p.state(r.stated...)
	case r.fault != "" || r.hasKeptDate:
		p.warn("unknown-directive", "unknown directive %q", item)
	default:
		const noHint = "" // for several words at once
		p.reportUnknown(item, noHint)
	}
}

// itemWords sorts the words of one item: each alone might be an item. Of "noindex nofolow
// max-snippet:x", noindex is stated, nofolow is unknown and meant as nofollow, and max-snippet:x is
// a fault.
type itemWords struct {
	stated  []Statement // by the words that are directives
	meant   []string    // each word as messages name it: corrected if it is near to a directive
	unknown []string    // the words that are no directives
	// fault says what is wrong with the value of the last directive that has a bad one; "" if none
	// has.
	fault string
	// isReadable says that each word is a directive or near to one, with a value that can be read.
	isReadable bool
	// hasSlip says that a directive of our own text is written as two words, "no index". It states
	// nothing then: what our own text means by a wrong word is not guessed.
	hasSlip bool
	// hasKeptDate says that a date which cannot be read was found: it is stated and reported
	// already, and is in none of the lists.
	hasKeptDate bool
}

// readWords sorts the words of an item, each read as a directive with its value. It states nothing
// and reports nothing: [parser.readSeveralWords] does by what it returns. There is one exception.
// In text that was found (Found), a date that nobody can read is kept, so it is stated and reported
// at once. In text as crawlers document it (Documented) each word is read as it is written, and
// such a date is a fault among the others.
func (p *parser) readWords(words []string) itemWords {
	r := itemWords{isReadable: true}
	for _, word := range words {
		corrected := word
		if p.whose != Documented {
			corrected = asOneWord(word) // noindex for "no index" or no-index
		}
		states, isKnown, fault := p.readWord(corrected)
		isKeptDate := len(states) > 0 && isUnreadDate(states[0].Directives.flags)
		switch {
		case p.whose == Found && isKeptDate:
			p.fault("bad-value", "%s", fault)
			p.state(states...)
			r.hasKeptDate = true
		case fault != "":
			r.fault, r.isReadable = fault, false
			r.meant, r.stated = append(r.meant, corrected), append(r.stated, states...)
		case !isKnown:
			near, isWhole := p.nearestWhole(word)
			r.isReadable = r.isReadable && isWhole
			r.meant, r.unknown = append(r.meant, cmp.Or(near, word)), append(r.unknown, word)
		case corrected != word && p.whose == Own:
			r.hasSlip = true
			r.meant = append(r.meant, corrected)
		default:
			r.meant, r.stated = append(r.meant, strings.ToLower(corrected)),
				append(r.stated, states...)
		}
	}
	return r
}

// nearestWhole is the directive that is near to a word; "" if none is. isWhole says that one is,
// and that it needs no value, as noindex for noidex: max-snippet for max-snipet lacks its own.
func (p *parser) nearestWhole(word string) (near string, isWhole bool) {
	near = p.nearest(strings.ToLower(word), directiveNames)
	_, _, fault := readDirective(near) // which is the name alone
	return near, near != "" && fault == ""
}

// judgeOwnItem reports an item of our own text with several words, or separators around one. It
// counts, with a warning, if each word is a directive and nobody can read it otherwise, as
// "noindex/nofollow" might be read; else it is an error and states nothing:
//
//	noindex; nofollow          counts: directives are separated by commas
//	“noindex”                  counts: leave the quotation marks out
//	noindex max-snippet:x      bad-value, with the fault of the value
//	noidex nofolow             unknown-directive, "noindex, nofollow" is meant
//	good morning               unknown-directive
//	noindex/nofollow           separator, "noindex, nofollow" is meant
//	no index                   separator, "noindex" is meant (hasSlip)
//	noindex morning            separator, morning is no directive
func (p *parser) judgeOwnItem(item string, words []string, r itemWords) {
	line := strings.Join(r.meant, ", ")
	isEachStated := len(r.stated) == len(words)
	if isEachStated && !strings.ContainsAny(item, "/|") {
		advice := "directives are separated by commas"
		if len(words) == 1 && !strings.Contains(item, ";") {
			advice = "leave the quotation marks out" // the only separators that can be around a word then
		}
		p.warn("separator", "%q is read as %q: %s", item, line, advice)
		p.state(r.stated...)
		return
	}
	isNoneStated := len(r.stated) == 0 && !r.hasSlip
	switch {
	case r.fault != "":
		p.fault("bad-value", "%q: %s", item, r.fault)
	case isNoneStated && r.isReadable:
		p.fault("unknown-directive", "unknown directive %q: did you mean %q?", item, line)
	case isNoneStated:
		p.fault("unknown-directive", "unknown directive %q", item)
	case r.isReadable:
		p.fault("separator", "%q: directives are separated by commas; did you mean %q?", item, line)
	default: // an unknown word is what makes it unreadable, as no value has a fault
		p.fault("separator", "%q: directives are separated by commas, and %q is none",
			item, r.unknown[0])
	}
}

// reportUnknown reports an item that is no directive. It is kept where it was found (D7).
func (p *parser) reportUnknown(item, hint string) {
	lower := strings.ToLower(item)
	if lower == "nopagereadaloud" {
		p.fault("inert-directive", "nopagereadaloud does nothing here: it belongs into <meta "+
			"name=\"google\">")
	} else {
		p.fault("unknown-directive", "unknown directive %q%s", item, hint)
	}
	if p.whose != Own {
		p.state(Statement{Directives: Directives{flags: lower}})
	}
}
