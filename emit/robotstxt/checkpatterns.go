package robotstxt

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/policy"
)

// Checks of how patterns are written, which [File.Check] calls.

// checkSpellings notes rules that crawlers read differently, if the same group has no rule for the
// other reading: see [ambiguities]. Each of these is one note, at its first line, with a count of
// the others.
func (f *File) checkSpellings(all *findings) {
	stated := f.statedRules()
	for _, a := range ambiguities {
		var lacking []Line // the other reading
		for _, l := range f.Lines {
			// Of a line that is not UTF-8, checkBytes reports that.
			if !l.isRule() || l.agents == nil || !utf8.ValidString(l.Value) || !a.has(l.Value) {
				continue
			}
			if isMissing := !stated[textOf(&l, a.otherReading(l.Value))]; isMissing {
				lacking = append(lacking, l)
			}
		}
		if lacking != nil {
			a.note(lacking, all)
		}
	}
}

// A ruleText is a rule of a group as it is written. One name tells a group: its first.
type ruleText struct {
	kind         Kind
	value, agent string
}

// textOf is the rule of a line, which is in a group, with another value.
func textOf(l *Line, value string) ruleText { return ruleText{l.Kind, value, l.agents[0]} }

// statedRules are all rules of groups.
func (f *File) statedRules() map[ruleText]bool {
	stated := map[ruleText]bool{}
	for _, l := range f.Lines {
		if l.isRule() && l.agents != nil {
			stated[textOf(&l, l.Value)] = true
		}
	}
	return stated
}

// An ambiguity is something in a pattern that crawlers read in two ways.
type ambiguity struct {
	// has reports whether a value has it.
	has func(value string) bool
	// otherReading is the value that means to all crawlers what some of them read.
	otherReading func(value string) string
	// advice is a format of a line's key, and of its value in the other reading.
	advice string
}

// ambiguities are letters, digits and marks such as ~ that are percent-encoded without need
// ([decodeUnreserved]), and letters other than ASCII that are not encoded:
//
//	Disallow: /%61/   Google compares it as it is written, others as /a/
//	Disallow: /ä/     Google compares it as /%C3%A4/, others may not
var ambiguities = []ambiguity{
	{
		has:          func(value string) bool { return decoded(value) != Escape(value) },
		otherReading: decoded,
		advice: "RFC 9309 decodes such letters before it compares, and Google compares them " +
			"as they stand, so crawlers differ: write %s: %s as well",
	},
	{
		has: func(value string) bool {
			isOther := func(r rune) bool { return r >= utf8.RuneSelf }
			return strings.ContainsFunc(value, isOther)
		},
		otherReading: Escape,
		advice: "Google asks for percent-encoding since 2026-10-23, and other crawlers may not " +
			"encode what stands here: write %s: %s",
	},
}

// decoded is a value as RFC 9309 compares it.
func decoded(value string) string { return decodeUnreserved(Escape(value)) }

// note adds the note about one or more lines, at the first.
func (a *ambiguity) note(lines []Line, all *findings) {
	first := lines[0]
	other := clip(a.otherReading(first.Value))
	message := clip(first.String()) + ": " + fmt.Sprintf(a.advice, first.Kind, other)
	if others := len(lines) - 1; others > 0 {
		message += " (" + MoreLines(others) + ")"
	}
	all.add("robotstxt-spelling", policy.Note, first.Number, "%s", message)
}

// checkCase warns of rules that match no URL of the site because of the case of their letters,
// unless they match another path at which the host answers for one ([Place.Addresses]).
func (f *File) checkCase(site *Place, all *findings) {
	var addresses []string
	lowerURLs := make([]string, len(site.URLs)) // made once: there may be many rules
	for i, url := range site.URLs {
		lowerURLs[i] = strings.ToLower(url)
	}
	for _, l := range f.Lines {
		if !l.isRule() || l.Value == "" || l.agents == nil {
			continue
		}
		r := newRule(&l, l.Value)
		lower := r // its parts alone are folded: matches reads no other text
		lower.parts = strings.Split(strings.ToLower(strings.Join(r.parts, "*")), "*")
		i := slices.IndexFunc(lowerURLs, lower.matches)
		if i < 0 || slices.ContainsFunc(site.URLs, r.matches) {
			continue
		}
		if addresses == nil && site.Addresses != nil {
			addresses = site.Addresses()
		}
		if !slices.ContainsFunc(addresses, r.matches) {
			all.warn("robotstxt-path-case", l.Number,
				"%s matches no URL of the site, as the case of letters counts; %s differs in "+
					"nothing else", clip(l.String()), site.URLs[i])
		}
	}
}
