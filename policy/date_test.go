package policy

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

// D5b: every form that is named there (D5e, D5f).
func TestHouse_DatesInEveryForm(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/dates.txt") {
		got, err := ParseDate(c["text"])
		if err != nil || got.Format(time.RFC3339) != c["date"] {
			t.Errorf("%q is %v (%v), want %s", c["text"], got, err, c["date"])
		}
	}
}

// D5c: zones by a table; Go's own would make UTC of a name it does not know.
func TestHouse_ZonesAreThoseOfATable(t *testing.T) {
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

// D5d: a number that is no zone shifts nothing, so that the earliest time meant counts.
func TestHouse_ImpossibleZonesAreNotKnown(t *testing.T) {
	want, _ := readExpiry("2030-01-02T20:00:00 Nowhere")
	for _, zone := range []string{"-25:00", "+25:00", "-02:75"} {
		if got, err := readExpiry("2030-01-02T20:00:00" + zone); err == nil || got != want {
			t.Errorf("%s: %v (%v), want %v", zone, expiryOf(got), err, expiryOf(want))
		}
	}
}

// D5d, D6a: no date, and what the message must say.
func TestHouse_WhatIsNoDateSaysWhy(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/nodates.txt") {
		got, err := ParseDate(c["text"])
		if err == nil || !strings.Contains(err.Error(), c["message"]) {
			t.Errorf("%q is %v, error %v, want %q in it", c["text"], got, err, c["message"])
		}
	}
	if _, err := ParseDate("soon"); !strings.Contains(err.Error(), "2026-09-21") {
		t.Errorf("%v shows no accepted form", err) // D6
	}
}

// D5b: whatever a program prints in a standard form is read back.
func TestLaw_StandardFormsAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := time.Unix(rapid.Int64Range(0, 3029529599).Draw(t, "seconds"), 0).UTC() // up to 2065: two digits too
		for _, layout := range []string{time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z,
			time.RFC3339, time.RFC3339Nano,
			time.ANSIC, time.DateTime, time.DateOnly, "02-Jan-2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST"} {
			text := want.Format(layout)
			wantAs := tables.Value(time.Parse(layout, text))(t)
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

func FuzzLaw_PrintedDatesAreReadAlike(f *testing.F) {
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
