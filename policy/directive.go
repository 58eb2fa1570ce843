package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// plain maps each directive without a value to what it states. The flags are added to it.
var plain = map[string]Directives{
	"all":       MostRestrictive(on(index, permissive), on(follow, permissive)),
	"none":      MostRestrictive(on(index, noindex), on(follow, nofollow)),
	"index":     on(index, permissive),
	"noindex":   on(index, noindex),
	"follow":    on(follow, permissive),
	"nofollow":  on(follow, nofollow),
	"archive":   on(cache, permissive),
	"nocache":   on(cache, nocache),
	"noarchive": on(cache, noarchive),
	"nosnippet": on(snippet, limitNone),
	// Loosens noindex (D3); on its own it states nothing.
	"indexifembedded": {},
}

// The flags, by what noindex says of them (P3).
var (
	// deprecated are those that no crawler reads any more: the catalogues they speak of are closed, the search box is
	// gone, and nopreview was nosnippet's forerunner. noindex implies them.
	// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
	deprecated = []string{"noodp", "nopreview", "nositelinkssearchbox", "noyaca", "noydir"}
	// resultFlags are about a page in results, so that noindex implies them.
	resultFlags = []string{"noimageindex", "notranslate"}
	// useFlags are about what its content may be used for.
	useFlags = []string{"noai", "noimageai", "noml"}
)

// valued are the directives that take a value after a colon, in the order in which they are printed.
var valued = []struct {
	name  string
	chain int
	wants string // what a message about a bad value ends with
	read  func(text string) (rank int64, err error)
	print func(rank int64) string
}{
	{"max-snippet", snippet, "; max-snippet takes a number of characters: max-snippet:50, max-snippet:0 (none) or " +
		"max-snippet:-1 (no limit)", readLimit, printLimit},
	{"max-image-preview", image, "; max-image-preview takes none, standard or large", readSize,
		func(rank int64) string { return sizes[rank] }},
	{"max-video-preview", video, "; max-video-preview takes a number of seconds: max-video-preview:10, " +
		"max-video-preview:0 (a still) or max-video-preview:-1 (no limit)", readLimit, printLimit},
	{"unavailable_after", expiry, "", readExpiry,
		// ISO 8601 in UTC holds no comma, so that no reader splits it (P4).
		func(rank int64) string { return " " + expiryOf(rank).Format(time.RFC3339) }},
}

// directiveNames are all directives that anybody reads, sorted.
var directiveNames []string

func init() {
	for _, name := range slices.Concat(deprecated, resultFlags, useFlags) {
		plain[name] = Directives{flags: name}
	}
	for name := range plain {
		directiveNames = append(directiveNames, name)
	}
	for _, v := range valued {
		directiveNames = append(directiveNames, v.name)
	}
	slices.Sort(directiveNames)
	for _, name := range directiveNames {
		// snippet, imageindex, translate: pages say so, and no crawler reads it.
		if permits, ok := strings.CutPrefix(name, "no"); ok && name != "none" && !isDirective(permits) {
			plain[permits] = Directives{}
		}
	}
}

// DirectiveNames returns the name of every directive, sorted.
func DirectiveNames() []string { return slices.Clone(directiveNames) }

// Lookup returns what the directive of that name, lower case, states; values of those that take one are not looked
// at. ok is false where no directive has the name.
func Lookup(name string) (d Directives, takesValue, ok bool) {
	for i := range valued {
		if valued[i].name == name {
			return Directives{}, true, true
		}
	}
	d, ok = plain[name]
	return d, false, ok
}

// readDirective reads exactly one directive, in any case. known is false for a name that is none; fault says why the
// value of one cannot be read, and then d is what text found states all the same.
func readDirective(word string) (d Directives, known bool, fault string) {
	name, value, colon := strings.Cut(word, ":")
	name = strings.ToLower(name)
	for i := range valued {
		if v := &valued[i]; v.name == name {
			rank, err := v.read(strings.TrimSpace(value))
			if err != nil {
				fault = fmt.Sprintf("%s: %v%s", name, err, v.wants)
			}
			return on(v.chain, rank), true, fault
		}
	}
	d, known = plain[name]
	if known && colon {
		return Directives{}, true, name + " takes no value"
	}
	return d, known, ""
}

// limitNone is the rank of max-snippet:0, which nosnippet says too, and of max-video-preview:0. -1, no limit, is
// permissive; between them the rank is the greater the fewer characters or seconds are allowed.
const limitNone = math.MaxInt32 + 2

func limitRank(n int) int64 {
	if n < 0 {
		return permissive
	}
	return limitNone - int64(n)
}

func limitOf(rank int64) int {
	if rank <= permissive {
		return -1
	}
	return int(limitNone - rank)
}

// readLimit reads a whole number of at least -1; what is beyond 2^31-1 is as good as that.
func readLimit(text string) (rank int64, err error) {
	if text == "-1" {
		return permissive, nil
	}
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		n = math.MaxInt32
	}
	return limitRank(int(n)), nil
}

func printLimit(rank int64) string { return strconv.Itoa(limitOf(rank)) }

// sizes of max-image-preview, by rank.
var sizes = []string{"", "large", "standard", "none"}

func readSize(text string) (rank int64, err error) {
	i := slices.Index(sizes, strings.ToLower(text))
	if i < permissive {
		return 0, fmt.Errorf("%q is not a size", text)
	}
	return int64(i), nil
}

// readExpiry also returns a rank where the time zone alone cannot be read.
func readExpiry(text string) (rank int64, err error) {
	t, err := ParseDate(text)
	if zone, ok := errors.AsType[*zoneError](err); ok {
		t = zone.earliest()
	} else if err != nil {
		return 0, err
	}
	return expiryRank(t), err
}

// expiryRank is the greater the earlier. Seconds since 1970 of the years 1 to 9999 stay far from either end.
func expiryRank(t time.Time) int64 { return math.MaxInt64/2 - t.Unix() }

func expiryOf(rank int64) time.Time { return time.Unix(math.MaxInt64/2-rank, 0).UTC() }
