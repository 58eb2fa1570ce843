package versions

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/lazyregexp"
)

// A release is what the name of a release says of its place among others: "v1.10-rc.2".
type release struct {
	numbers []int // 1, 10
	// pre is 0 for a release, and less for what comes before it: see preReleases.
	pre     int
	preLast int // 2 of rc.2
}

// named is the name of a release: numbers, and what may be around them.
var named = lazyregexp.New(`^(?i)(?:v|version|ver|release|rel)?[-_. ]?(\d+(?:[._-]\d+)*)(?:[._-]x)?` +
	`(?:[-_. ]?(rc|pre|preview|beta|b|alpha|a|dev|snapshot|canary|m)[-_. ]?(\d*))?` +
	`(?:[-_. +](?:lts|final|ga|stable))?$`)

// preReleases are what stages before a release are called, and where they are in its course.
var preReleases = map[string]int{"rc": -1, "pre": -2, "preview": -2, "beta": -3, "b": -3, "m": -4, "alpha": -5,
	"a": -5, "canary": -6, "snapshot": -6, "dev": -6}

// ofNoRelease are names of what is not released yet.
var ofNoRelease = []string{"next", "dev", "devel", "develop", "development", "main", "master", "trunk", "head",
	"nightly", "edge", "canary", "snapshot", "unstable", "unreleased", "preview", "beta", "alpha", "rc"}

// ofNewest are names for the newest release, which sites publish beside its own. ofMaintained is a
// name for one that may be older.
var ofNewest = []string{"latest", "stable", "current"}

const ofMaintained = "lts"

// parse reads a name; ok is false if it is no release's.
func parse(name string) (r release, ok bool) {
	m := named.FindStringSubmatch(name)
	if m == nil {
		return r, false
	}
	isBetween := func(c rune) bool { return c == '.' || c == '-' || c == '_' }
	for _, digits := range strings.FieldsFunc(m[1], isBetween) {
		n, err := strconv.Atoi(digits)
		if err != nil { // longer than any number of a version
			return r, false
		}
		r.numbers = append(r.numbers, n)
	}
	r.pre = preReleases[strings.ToLower(m[2])]
	r.preLast, _ = strconv.Atoi(m[3])
	return r, true
}

// compare is less than 0 if r is older than o: numbers count one by one, as 1.10 is newer than 1.9
// and 2 is 2.0, then a release counts before what precedes it.
func (r release) compare(o release) int {
	byNumbers := slices.Compare(withoutZeros(r.numbers), withoutZeros(o.numbers))
	return cmp.Or(byNumbers, cmp.Compare(r.pre, o.pre), cmp.Compare(r.preLast, o.preLast))
}

// withoutZeros leaves out the zeros at the end: of 2.0 it leaves 2.
func withoutZeros(numbers []int) []int {
	for len(numbers) > 1 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}

// hasYear reports whether the first number is a year of our time, as in 2024 and 2024.10.
func (r release) hasYear() bool { return r.numbers[0] >= 1990 && r.numbers[0] < 2100 }

// errorPage matches folders that generators make of error pages: /404/index.html.
var errorPage = lazyregexp.New(`^(?:40[0-9]|410|429|451|50[0-4])$`)

// IsName reports whether a folder's name is that of a version: of a release, of what is not
// released yet, or one for the newest.
func IsName(name string) bool {
	if errorPage.MatchString(name) {
		return false
	}
	if _, isRelease := parse(name); isRelease {
		return true
	}
	lower := strings.ToLower(name)
	return slices.Contains(ofNoRelease, lower) || slices.Contains(ofNewest, lower) || lower == ofMaintained
}
