package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// zones that RFC 822 and its users name, in hours east of UTC. Go itself gives an unknown name an offset of zero, so
// that PST would silently be UTC.
var zones = map[string]int{"": 0, "utc": 0, "gmt": 0, "z": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
	"mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "cet": 1, "cest": 2}

const clockForm = `(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`

// dateForm is a date at the beginning of a text, readable or not: an ISO date or one with the day first, either with or
// without time and zone, or what C's asctime prints.
var dateForm = regexp.MustCompile(
	`(?i)^((?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?,? )?` +
		`(?:(\d{4}-\d\d-\d\d|\d{1,2}[ -][a-z]{3,9}[ -](?:\d{4}|\d\d))` +
		`(?:[t ]` + clockForm + `(?: ?([a-z]+|[+-]\d\d(?::?\d\d)?))?)?` +
		`|([a-z]{3} \d{1,2}) ` + clockForm + ` (\d{4})))` +
		`(?:[,` + regexp.QuoteMeta(separators+brackets) + `]|$)`)

// dayLayouts are the forms of a day, its hyphens blanks.
var dayLayouts = []string{"2006 01 02", "2 Jan 2006", "2 January 2006", "2 Jan 06", "2 January 06", "Jan 2 2006"}

// ParseDate reads the date of unavailable_after: RFC 822, 850 and 1123 with and without weekday (which is not
// checked), two- and four-digit years, RFC 3339, an ISO date (00:00 UTC), and the forms of Google's first page on the
// directive. No zone means UTC; a zone name that is not known is an error. Fractions of a second are cut.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
func ParseDate(text string) (time.Time, error) {
	s := strings.Join(strings.Fields(text), " ")
	m := dateForm.FindStringSubmatch(s)
	if m == nil || m[1] != s {
		return time.Time{}, fmt.Errorf("%q is not a date that can be read: write 2026-09-21 or 2026-09-21T10:00:00Z",
			text)
	}
	day, clock, zone := m[2], m[3:6], m[6]
	if m[7] != "" {
		day, clock = m[7]+" "+m[11], m[8:11]
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

// earliest is the beginning of the day in UTC, or the time in the easternmost zone where that is earlier: never later
// than what was meant.
func (e *zoneError) earliest() time.Time {
	return slices.MinFunc([]time.Time{e.utc.Truncate(24 * time.Hour), e.utc.Add(-14 * time.Hour)}, time.Time.Compare)
}

// calendar returns a day at a time, in hours, minutes and seconds; "" for zero.
func calendar(day string, clock []string) (time.Time, bool) {
	var units [3]int
	for i := range units {
		units[i], _ = strconv.Atoi(clock[i])
	}
	for _, layout := range dayLayouts {
		t, err := time.Parse(layout, strings.ReplaceAll(day, "-", " "))
		if err == nil {
			t = time.Date(t.Year(), t.Month(), t.Day(), units[0], units[1], units[2], 0, time.UTC)
			return t, units[0] < 24 && units[1] < 60 && units[2] <= 60
		}
	}
	return time.Time{}, false
}

func zoneOffset(zone string) (offset time.Duration, known bool) {
	if hours, ok := zones[strings.ToLower(zone)]; ok {
		return time.Duration(hours) * time.Hour, true
	}
	digits := strings.Replace(zone, ":", "", 1)
	if len(digits) == len("+02") {
		digits += "00"
	}
	n, err := strconv.Atoi(digits) // -0730 is -7 hours and -30 minutes
	hours, minutes := n/100, n%100
	return time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute,
		err == nil && max(hours, -hours) < 24 && max(minutes, -minutes) < 60
}

// maxDate is how many bytes are looked at for a date: none that is written has more.
const maxDate = 96

// dateLength returns how many bytes at the beginning of text have the form of a date; 0 for none. A directive behind
// the time is no zone.
func dateLength(text string) int {
	m := dateForm.FindStringSubmatchIndex(text[:min(len(text), maxDate)])
	switch {
	case m == nil:
		return 0
	case m[12] >= 0 && isDirective(text[m[12]:m[13]]):
		return len(strings.TrimRight(text[:m[12]], " "))
	}
	return m[3]
}
