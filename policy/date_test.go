package policy

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// D5: every form that is named there.
func TestParseDate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Google's pages, then and now.
		{"25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"},
		{"25-Aug-2007 15:00:00 EST", "2007-08-25T20:00:00Z"},
		{"Friday, 25-Jun-10 15:00:00 UTC", "2010-06-25T15:00:00Z"}, // RFC 850
		{"2020-09-21", "2020-09-21T00:00:00Z"},                     // ISO, 00:00 UTC
		// RFC 822: two-digit year, seconds and weekday may be missing.
		{"25 Jun 10 15:00 GMT", "2010-06-25T15:00:00Z"},
		{"25 Jun 10 15:00:00 GMT", "2010-06-25T15:00:00Z"},
		{"Fri, 25 Jun 10 15:00 EDT", "2010-06-25T19:00:00Z"},
		{"5 Jun 10 15:00 UT", "2010-06-05T15:00:00Z"},
		// RFC 1123, with numeric zones and without a weekday.
		{"Wed, 03 Dec 2098 13:09:53 GMT", "2098-12-03T13:09:53Z"},
		{"03 Dec 2098 13:09:53 GMT", "2098-12-03T13:09:53Z"},
		{"Wed, 03 Dec 2098 13:09:53 +0530", "2098-12-03T07:39:53Z"},
		{"Wed, 03 Dec 2098 13:09:53 -08:00", "2098-12-03T21:09:53Z"},
		{"Wed 03 Dec 2098 13:09:53 GMT", "2098-12-03T13:09:53Z"},
		{"Mon, 03 Dec 2098 13:09:53 GMT", "2098-12-03T13:09:53Z"}, // a Wednesday: not checked
		{"03 December 2098 13:09 GMT", "2098-12-03T13:09:00Z"},
		{"03 Dec 2098", "2098-12-03T00:00:00Z"},
		{"03-Dec-2098", "2098-12-03T00:00:00Z"},
		// RFC 850, long weekdays.
		{"Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"},
		{"Wednesday, 06-Nov-94 08:49:37 PDT", "1994-11-06T15:49:37Z"},
		{"Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"}, // asctime
		// Two-digit years: 2000–2068, 1969–1999.
		{"01 Jan 00 00:00 GMT", "2000-01-01T00:00:00Z"},
		{"01-Jan-68", "2068-01-01T00:00:00Z"},
		{"01-Jan-69", "1969-01-01T00:00:00Z"},
		{"01-Jan-99", "1999-01-01T00:00:00Z"},
		// RFC 3339.
		{"2026-09-21T10:00:00Z", "2026-09-21T10:00:00Z"},
		{"2026-09-21t10:00:00z", "2026-09-21T10:00:00Z"},
		{"2026-09-21T10:00:00+02:00", "2026-09-21T08:00:00Z"},
		{"2026-09-21T23:30:00-01:00", "2026-09-22T00:30:00Z"},
		{"2026-09-21T10:00:00.999Z", "2026-09-21T10:00:00Z"}, // fractions are cut
		{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},     // a leap second
		// TOML and YAML: a local date and time, a blank for the T, a zone apart.
		{"2026-09-21T10:00:00", "2026-09-21T10:00:00Z"},
		{"2026-09-21 10:00:00", "2026-09-21T10:00:00Z"},
		{"2026-09-21 10:00", "2026-09-21T10:00:00Z"},
		{"2001-12-14 21:59:43.10 -05", "2001-12-15T02:59:43Z"},
		{"2026-09-21 10:00:00 +0200", "2026-09-21T08:00:00Z"},
		{"2026-09-21 10:00 CEST", "2026-09-21T08:00:00Z"},
		// White space and case.
		{"  25  jun   2010 15:00:00  pst ", "2010-06-25T23:00:00Z"},
		{"FRIDAY, 25-JUN-10 15:00:00 UTC", "2010-06-25T15:00:00Z"},
		{"29 Feb 2028", "2028-02-29T00:00:00Z"},
		{"0001-01-01", "0001-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
	} {
		got, err := ParseDate(c.text)
		if err != nil || got.Format(time.RFC3339) != c.want {
			t.Errorf("%q is %v (%v), want %s", c.text, got, err, c.want)
		}
	}
}

// D5: zones by a table; Go's own would make UTC of a name it does not know.
func TestParseDate_Zones(t *testing.T) {
	for zone, hours := range map[string]int{"UTC": 0, "GMT": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
		"MST": -7,
		"MDT": -6, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2, "+00": 0, "+0100": 1, "-03:00": -3, "+14:00": 14} {
		want := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC).Add(-time.Duration(hours) * time.Hour)
		for _, text := range []string{"02 Jan 2030 03:04:05 " + zone, "Wednesday, 02-Jan-30 03:04:05 " + zone,
			"2030-01-02 03:04:05 " + zone, "2030-01-02T03:04:05" + zone} {
			if got, err := ParseDate(text); err != nil || !got.Equal(want) {
				t.Errorf("%q is %v (%v), want %v", text, got, err, want)
			}
		}
	}
}

// D5, D6: no date, and what the message must say.
func TestParseDate_NoDate(t *testing.T) {
	for text, message := range map[string]string{
		"":                               "is not a date",
		"soon":                           "is not a date",
		"2026":                           "is not a date",
		"21.09.2026":                     "is not a date",
		"09/21/2026":                     "is not a date",
		"10:00":                          "is not a date",
		"1758412800":                     "is not a date",
		"Friday":                         "is not a date",
		"Friday,":                        "is not a date",
		"never 2026-09-21":               "is not a date",
		"2026-09-21 noindex":             "is not a date",
		"2026-09-21T10Z":                 "is not a date",
		"2026-02-30":                     "is not a calendar date",
		"2026-13-01":                     "is not a calendar date",
		"2026-00-01":                     "is not a calendar date",
		"2026-01-00":                     "is not a calendar date",
		"0000-01-01":                     "is not a calendar date",
		"29 Feb 2026":                    "is not a calendar date",
		"31 Feb 2010 12:00:60":           "is not a calendar date",
		"25 Foo 2010":                    "is not a calendar date",
		"25 Jun 2010 24:00:00 GMT":       "is not a calendar date",
		"25 Jun 2010 15:60:00 GMT":       "is not a calendar date",
		"25 Jun 2010 15:00:61 GMT":       "is not a calendar date",
		"9999-12-31T23:59:59-05:00":      "is not a calendar date", // the year 10000 in UTC cannot be printed
		"0001-01-01T00:00:00+01:00":      "is not a calendar date",
		"25 Jun 2010 15:00:00 AEST":      `time zone "AEST"`,
		"25 Jun 2010 15:00:00 XYZ":       `time zone "XYZ"`,
		"2026-09-21T10:00:00A":           `time zone "A"`,
		"2026-09-21T10:00:00+24:00":      "time zone",
		"2026-09-21T10:00:00+02:60":      "time zone",
		"25 Jun 2010 15:00:00 GMT+02:00": "is not a date",
	} {
		got, err := ParseDate(text)
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q is %v, error %v, want %q in it", text, got, err, message)
		}
	}
	if _, err := ParseDate("soon"); !strings.Contains(err.Error(), "2026-09-21") {
		t.Errorf("%v shows no accepted form", err) // D6
	}
}

// D5: whatever a program prints in a standard form is read back.
func TestParseDate_ReadsStandardForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Unix(rapid.Int64Range(0, 3029529599).Draw(t, "seconds"), 0).UTC() // up to 2065: two digits too
		for _, layout := range []string{time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z,
			time.RFC3339, time.RFC3339Nano,
			time.ANSIC, time.DateTime, time.DateOnly, "02-Jan-2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST"} {
			text := want.Format(layout)
			wantAs, err := time.Parse(layout, text)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := ParseDate(text); err != nil || !got.Equal(wantAs) {
				t.Fatalf("%q is %v (%v), want %v", text, got, err, wantAs)
			}
		}
	})
}

// D: the earlier date is the more restrictive.
func TestGoogle_EarlierExpiryWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(-62135596800, 253402300799) // the years 1 to 9999
		a, b := time.Unix(seconds.Draw(t, "a"), 0), time.Unix(seconds.Draw(t, "b"), 0)
		got, ok := MostRestrictive(UnavailableAfter(a), UnavailableAfter(b)).Expiry()
		want := a
		if b.Before(a) {
			want = b
		}
		if !ok || !got.Equal(want) {
			t.Fatalf("%v and %v give %v", a, b, got)
		}
	})
}

func FuzzParseDate(f *testing.F) {
	for _, text := range []string{"25 Jun 2010 15:00:00 PST", "Friday, 25-Jun-10 15:00:00 UTC",
		"2026-09-21T10:00:00+02:00", "2026-09-21",
		"Sun Nov  6 08:49:37 1994", "9999-12-31T23:59:59-05:00", "31 Feb 2010 12:00:60", "soon"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseDate(text)
		if err != nil {
			return
		}
		if at.Year() < 1 || at.Year() > 9999 || at.Location() != time.UTC || at.Nanosecond() != 0 {
			t.Fatalf("%q is %v", text, at)
		}
		printed := at.Format(time.RFC3339)
		if again, err := ParseDate(printed); err != nil || !again.Equal(at) {
			t.Fatalf("%q is %s, and that is %v (%v)", text, printed, again, err)
		}
		// As a directive it is one word that states this date and nothing else (P4).
		if reading, problems := Parse("unavailable_after: "+printed, Own); len(problems) > 0 ||
			reading.Directives != UnavailableAfter(at) {
			t.Fatalf("%q: %v %v", printed, reading, problems)
		}
	})
}
