package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// zones that RFC 822 and its users name, in hours east of UTC. Go itself gives an unknown name an offset of zero, so
// that PST would silently be UTC.
var zones = map[string]int{"utc": 0, "gmt": 0, "z": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
	"mdt": -6, "pst": -8, "pdt": -7, "cet": 1, "cest": 2}

const clockPattern = `(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`
const zonePattern = `([A-Za-z]+|[+-]\d{2}(?::?\d{2})?)`

var (
	// 2026-09-21, 2026-09-21T10:00:00+02:00, 2026-09-21 10:00
	isoDate = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]` + clockPattern + ` ?` + zonePattern + `?)?$`)
	// 25 Jun 2010 15:00:00 PST, 25-Jun-10 15:00:00 UTC, 03 Dec 2098
	dayDate = regexp.MustCompile(`^(\d{1,2})[ -]([A-Za-z]{3,9})[ -](\d{4}|\d{2})(?: ` + clockPattern + `(?: ?` +
		zonePattern + `)?)?$`)
	// Jun 25 15:00:00 2010, what C's asctime prints
	ansiDate = regexp.MustCompile(`^([A-Za-z]{3}) (\d{1,2}) ` + clockPattern + ` (\d{4})$`)
	weekday  = regexp.MustCompile(`(?i)^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?,? `)
)

// ParseDate reads the date of unavailable_after: RFC 822, 850 and 1123 with and without weekday (which is not
// checked), two- and four-digit years, RFC 3339, an ISO date (00:00 UTC), and the forms of Google's first page on the
// directive. No zone means UTC; a zone name that is not known is an error. Fractions of a second are cut.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
func ParseDate(text string) (time.Time, error) {
	t, _, err := parseDate(text)
	return t, err
}

// parseDate also reports whether text has the form of a date, which one of no calendar or no known zone has too.
func parseDate(text string) (t time.Time, formed bool, err error) {
	s := strings.Join(strings.Fields(text), " ")
	s = weekday.ReplaceAllString(s, "")
	if m := isoDate.FindStringSubmatch(s); m != nil {
		t, err = date(text, m[1], m[2], m[3], m[4], m[5], m[6], m[7])
		return t, true, err
	}
	if m := dayDate.FindStringSubmatch(s); m != nil {
		t, err = date(text, m[3], m[2], m[1], m[4], m[5], m[6], m[7])
		return t, true, err
	}
	if m := ansiDate.FindStringSubmatch(s); m != nil {
		t, err = date(text, m[6], m[1], m[2], m[3], m[4], m[5], "")
		return t, true, err
	}
	return time.Time{}, false, fmt.Errorf("%q is no date that can be read: write 2026-09-21 or 2026-09-21T10:00:00Z",
		text)
}

func date(text, year, month, day, hour, minute, second, zone string) (time.Time, error) {
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	y, d := number(year), number(day)
	if len(year) == 2 {
		if y += 2000; y > 2068 {
			y -= 100
		}
	}
	m := number(month)
	if m == 0 {
		for i := time.January; i <= time.December; i++ {
			if name := strings.ToLower(month); name == strings.ToLower(i.String()) ||
				name == strings.ToLower(i.String()[:3]) {
				m = int(i)
			}
		}
	}
	h, mi, sec := number(hour), number(minute), number(second)
	midnight := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if m < 1 || m > 12 || d < 1 || midnight.Day() != d || h > 23 || mi > 59 || sec > 60 {
		return time.Time{}, fmt.Errorf("%q is no date of the calendar", text)
	}
	offset, err := zoneOffset(zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q: %w", text, err)
	}
	t := time.Date(y, time.Month(m), d, h, mi, sec, 0, time.UTC).Add(-offset)
	// In UTC too, since that is what we print.
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}, fmt.Errorf("%q is no date of the calendar", text)
	}
	return t, nil
}

func zoneOffset(zone string) (time.Duration, error) {
	if zone == "" {
		return 0, nil
	}
	if hours, ok := zones[strings.ToLower(zone)]; ok {
		return time.Duration(hours) * time.Hour, nil
	}
	if zone[0] != '+' && zone[0] != '-' {
		return 0, fmt.Errorf("time zone %q is not known: write it as a number, such as +02:00", zone)
	}
	digits := strings.ReplaceAll(zone[1:], ":", "")
	hours, _ := strconv.Atoi(digits[:2])
	minutes := 0
	if len(digits) == 4 {
		minutes, _ = strconv.Atoi(digits[2:])
	}
	if hours > 23 || minutes > 59 {
		return 0, fmt.Errorf("time zone %q is not known: write it as a number, such as +02:00", zone)
	}
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if zone[0] == '-' {
		return -offset, nil
	}
	return offset, nil
}
