package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// zones that RFC 822 and its users name, in hours east of UTC. Go itself gives an unknown name an
// offset of zero, so that PST would silently be UTC.
var zones = map[string]int{"": 0, "utc": 0, "gmt": 0, "z": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
	"mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "cet": 1, "cest": 2}

const (
	clockForm = `(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`
	// compactClock is that of ISO 8601's basic form.
	compactClock = `(\d\d)(\d\d)(\d\d)?`
)

// zoneForm is what stands behind a time: a name, an offset, both, or a name with a slash.
var zoneForm = `[^,` + regexp.QuoteMeta(separators+brackets) + `]+(?:/[a-z_]+)*`

// dateForm is a date at the beginning of a text, readable or not: an ISO date or one with the day
// or the month first, either with or without time and zone, or what C's asctime and the command
// date print.
var dateForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)^((?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?,? )?` +
			`(?:(\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{8}|\d{1,2}[ -][a-z]{3,9}[ -](?:\d{4}|\d\d)|` +
			`[a-z]{3,9} \d{1,2}(?:, ?| )\d{4})` +
			`(?:(?:[t ]` + clockForm + `|t` + compactClock + `)(?: ?(` + zoneForm + `))?(?: \([a-z ]+\))?)?` +
			`|([a-z]{3} \d{1,2}) ` + clockForm + `(?: ([a-z]+))? (\d{4})))` +
			`(?:[,` + regexp.QuoteMeta(separators+brackets) + `]|$)`)
})

// Groups of dateForm.
const (
	wholeDate    = 1
	dayGroup     = 2
	clockGroup   = 3
	compactGroup = 6
	zoneGroup    = 9
	monthGroup   = 10 // of asctime, with the day
	asctimeClock = 11
	asctimeZone  = 14
	asctimeYear  = 15
)

// dayLayouts are the forms of a day, with blanks between its parts.
var dayLayouts = []string{"2006 1 2", "20060102", "2 Jan 2006", "2 January 2006", "2 Jan 06", "2 January 06", "Jan 2 2006",
	"January 2 2006"}

// ParseDate reads the date of unavailable_after: RFC 822, 850 and 1123 with and without weekday
// (which is not checked), two- and four-digit years, RFC 3339, an ISO date (00:00 UTC), and the
// forms of Google's first page on the directive. No zone means UTC; a zone name that is not known
// is an error. Fractions of a second are cut.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
func ParseDate(text string) (time.Time, error) {
	s := strings.Join(strings.Fields(text), " ")
	m := dateForm().FindStringSubmatch(s)
	if m == nil || m[1] != s {
		return time.Time{}, fmt.Errorf("%q is not a date that can be read: write 2026-09-21 or 2026-09-21T10:00:00Z",
			text)
	}
	day, clock, zone := m[dayGroup], m[clockGroup:], m[zoneGroup]
	switch {
	case m[monthGroup] != "":
		day, clock, zone = m[monthGroup]+" "+m[asctimeYear], m[asctimeClock:], m[asctimeZone]
	case m[compactGroup] != "":
		clock = m[compactGroup:]
	}
	t, ok := calendar(day, clock)
	offset, known := zoneOffset(zone)
	t = t.Add(-offset)
	switch {
	case !ok || t.Year() < 1 || t.Year() > 9999: // in UTC too, since that is what we print
		return time.Time{}, fmt.Errorf("%q is not a calendar date", text)
	case !known:
		return time.Time{}, &zoneError{text, zone, t}
	}
	return t, nil
}

// A zoneError is a date in a time zone that is not known.
type zoneError struct {
	text, zone string
	utc        time.Time // as if the zone was UTC
}

func (e *zoneError) Error() string {
	return fmt.Sprintf("%q: time zone %q is not known: write it as a number, such as +02:00", e.text, e.zone)
}

// earliest is the beginning of the day in UTC, or the time in the easternmost zone where that is
// earlier: never later than what was meant.
func (e *zoneError) earliest() time.Time {
	return slices.MinFunc([]time.Time{e.utc.Truncate(24 * time.Hour), e.utc.Add(-14 * time.Hour)}, time.Time.Compare)
}

// calendar returns a day at a time, in hours, minutes and seconds; "" for zero.
func calendar(day string, clock []string) (time.Time, bool) {
	var units [3]int
	for i := range units {
		units[i], _ = strconv.Atoi(clock[i])
	}
	parts := strings.FieldsFunc(day, func(r rune) bool { return strings.ContainsRune(" -/,", r) })
	for _, layout := range dayLayouts {
		t, err := time.Parse(layout, strings.Join(parts, " "))
		if err == nil {
			t = time.Date(t.Year(), t.Month(), t.Day(), units[0], units[1], units[2], 0, time.UTC)
			return t, units[0] < 24 && units[1] < 60 && units[2] <= 60
		}
	}
	return time.Time{}, false
}

// offsetForm is a number of hours and minutes east of UTC, which may be named before it.
var offsetForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:gmt|utc?)?([+-])(\d{1,2})(?::?(\d\d))?$`)
})

// zoneOffset returns how far east of UTC a zone is: "" is UTC. Of one that is not known, as -25:00,
// the offset is zero.
func zoneOffset(zone string) (offset time.Duration, known bool) {
	if hours, ok := zones[strings.ToLower(zone)]; ok {
		return time.Duration(hours) * time.Hour, true
	}
	m := offsetForm().FindStringSubmatch(zone)
	if m == nil {
		return 0, false
	}
	hours, _ := strconv.Atoi(m[2])
	minutes, _ := strconv.Atoi(m[3])
	if hours >= 24 || minutes >= 60 {
		return 0, false
	}
	offset = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if m[1] == "-" {
		offset = -offset
	}
	return offset, true
}

// maxDate is how many bytes are looked at for a date: none that is written has more.
const maxDate = 96

// dateLength returns how many bytes at the beginning of text have the form of a date; 0 for none. A
// directive behind the time is no zone.
func dateLength(text string) int {
	m := dateForm().FindStringSubmatchIndex(text[:min(len(text), maxDate)])
	if m == nil {
		return 0
	}
	start, end := m[2*zoneGroup], m[2*zoneGroup+1]
	if start < 0 {
		return m[2*wholeDate+1]
	}
	for _, part := range strings.Split(text[start:end], "/") {
		if name, _, _ := strings.Cut(part, ":"); isDirective(name) || strings.EqualFold(name, "no") {
			return len(strings.TrimRight(text[:start], " /"))
		}
		start += len(part) + len("/")
	}
	return m[2*wholeDate+1]
}

// Flags that keep a date of no known form begin with unreadDate. Their commas are inDate, since
// commas part flags.
const (
	unreadDate = "unavailable_after: "
	inDate     = "\x1f"
)

// keepDate is the flag for a date that cannot be read: what found text says stays as it is.
func keepDate(value string) Directives {
	value = strings.TrimSpace(strings.ReplaceAll(value, inDate, ""))
	if value == "" {
		return Directives{}
	}
	return Directives{flags: unreadDate + strings.ReplaceAll(value, ",", inDate)}
}

// isUnreadDate reports whether a flag keeps a date that cannot be read.
func isUnreadDate(flag string) bool { return strings.HasPrefix(flag, unreadDate) }

// unreadLength returns how many bytes at the beginning of text belong to a date of no known form:
// the words up to a directive or a crawler's name, and behind a comma what looks like a part of a
// date.
func (p *parser) unreadLength(text string) (end int) {
	behindComma := false
	for at := 0; at < len(text); {
		p.steps++
		length := strings.IndexFunc(text[at:], func(r rune) bool { return r == ',' || p.separates(r) })
		if length < 0 {
			length = len(text) - at
		}
		word := text[at : at+length]
		name, _, prefixed := strings.Cut(word, ":")
		switch {
		case isDirective(name), strings.EqualFold(name, "no"), prefixed && strings.IndexFunc(name, unicode.IsLetter) == 0,
			behindComma && !datePart().MatchString(word):
			return end
		case word != "":
			end = at + length
		}
		rest := strings.TrimLeftFunc(text[at+length:], func(r rune) bool { return r == ',' || p.separates(r) })
		behindComma = strings.Contains(text[at+length:len(text)-len(rest)], ",")
		at = len(text) - len(rest)
	}
	return end
}

// datePart is a word that may be a part of a date.
var datePart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:.*\d.*|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|` +
		`nov|dec)[a-z]*\.?)$`)
})
