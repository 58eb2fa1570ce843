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

// A Directive is a row of the table of directives: all that is known of one. It is a word with a
// value ([Value]), a flag, or a word that stands for ranks.
type Directive struct {
	Name string
	// Means says in a sentence what it does, and Source where that is documented.
	Means, Source string

	states  Directives // by its ranks
	flag    flagKind
	value   Value
	axis    int    // of the value
	accepts string // what a message about a bad value says that it takes
}

// A Value is what stands behind the colon of some directives.
type Value struct {
	// Form names it for editors: limit, preview or date.
	Form  string
	read  func(text string) (rank int64, err error)
	print func(rank int64) string
}

// A flagKind says of a directive that is either stated or not what it is about, and so whether
// noindex implies it (P3).
type flagKind uint8

const (
	noFlag    flagKind = iota
	ofUse              // what content may be used for: noindex says nothing of that
	ofResults          // the page in results
	ofThePast          // what no crawler reads any more: catalogues that are closed, a search box that is gone
)

// Sources of more than one directive.
const (
	google   = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
	bing     = "https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240"
	bingChat = "https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-" +
		"usage-of-their-content-in-Bing-Chat"
	yandex     = "https://yandex.com/support/webmaster/controlling-robot/meta-robots.html"
	deviantArt = "https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371"
)

// directiveTable is in the order of printing (P1). Flags that are not about results are printed by
// name, where indexifembedded stands.
var directiveTable = []Directive{
	{Name: "all", states: MostRestrictive(on(index, permissive), on(follow, permissive)), Source: google,
		Means: "No restriction: index, follow."},
	{Name: "none", states: MostRestrictive(on(index, noindex), on(follow, nofollow)), Source: google,
		Means: "The same as noindex, nofollow. Some crawlers do not know the word."},
	{Name: "index", states: on(index, permissive), Source: bing,
		Means: "The page may be in the index, which is the default."},
	{Name: "noindex", states: on(index, noindex), Source: google,
		Means: "The page stays out of search results. Crawlers must be able to fetch it to read this."},
	{Name: "follow", states: on(follow, permissive), Source: bing,
		Means: "The page's links may be followed, which is the default."},
	{Name: "nofollow", states: on(follow, nofollow), Source: google,
		Means: "The page's links are not followed."},
	{Name: "archive", states: on(cache, permissive), Source: yandex,
		Means: "A saved copy may be shown, which is the default."},
	{Name: "nocache", states: on(cache, nocache), Source: bingChat,
		Means: "Bing: answers and training use no more than address, title and snippet. With noarchive beside it, " +
			"Bing reads this one."},
	{Name: "noarchive", states: on(cache, noarchive), Source: bingChat,
		Means: "No saved copy is shown; at Bing and Amazon, the page is not used for answers or training."},
	{Name: "nosnippet", states: on(snippet, limitNone), Source: google,
		Means: "No text and no video preview in results."},
	{Name: "notranslate", flag: ofResults, Source: google,
		Means: "No translation is offered in results."},
	{Name: "noimageindex", flag: ofResults, Source: google,
		Means: "The images of the page are not indexed."},
	{Name: "indexifembedded", Source: google,
		// It loosens noindex (D3); on its own it states nothing.
		Means: "Google: with noindex beside it, what is embedded in another page may be indexed there."},
	{Name: "noai", flag: ofUse, Source: deviantArt,
		Means: "Asks that the page is not used to train models. A proposal: no search engine reads it."},
	{Name: "noimageai", flag: ofUse, Source: deviantArt,
		Means: "Asks that the page's images are not used to train models. A proposal: no search engine reads it."},
	{Name: "noml", flag: ofUse, Source: "https://noml.info",
		Means: "Asks that the page is not used for machine learning. A proposal of Mojeek's."},
	{Name: "noodp", flag: ofThePast, Source: bing,
		Means: "Nobody reads it any more: the Open Directory is closed."},
	{Name: "nopreview", flag: ofThePast, Source: bing,
		Means: "Nobody reads it any more: nosnippet took its place."},
	{Name: "nositelinkssearchbox", flag: ofThePast, Source: google,
		Means: "Nobody reads it any more: the search box is gone from results."},
	{Name: "noyaca", flag: ofThePast, Source: yandex,
		Means: "Yandex: no description that it made itself. Its catalogue is closed."},
	{Name: "noydir", flag: ofThePast, Source: "https://help.yahoo.com/kb/SLN2213.html",
		Means: "Nobody reads it any more: Yahoo's directory is closed."},
	{Name: "max-snippet", axis: snippet, value: limits,
		accepts: "a number of characters: max-snippet:50, max-snippet:0 (none) or max-snippet:-1 (no limit)",
		Source:  google,
		Means:   "The most characters of a snippet: 0 for none, -1 for no limit."},
	{Name: "max-image-preview", axis: image, value: previews, accepts: "none, standard or large", Source: google,
		Means: "The largest image preview: none, standard or large."},
	{Name: "max-video-preview", axis: video, value: limits,
		accepts: "a number of seconds: max-video-preview:10, max-video-preview:0 (a still) or max-video-preview:-1 " +
			"(no limit)",
		Source: google,
		Means:  "The most seconds of a video preview: 0 for a still image, -1 for no limit."},
	{Name: "unavailable_after", axis: expiry, value: dates, Source: google,
		Means: "The page leaves search results after this date."},
}

var (
	byName         map[string]*Directive
	directiveNames []string // of those in the table, sorted
)

func init() { indexDirectives() }

func indexDirectives() {
	byName, directiveNames = map[string]*Directive{}, nil
	for i := range directiveTable {
		row := &directiveTable[i]
		if row.flag != noFlag {
			row.states = Directives{flags: row.Name}
		}
		byName[row.Name] = row
		directiveNames = append(directiveNames, row.Name)
	}
	slices.Sort(directiveNames)
	for _, name := range directiveNames {
		// snippet, imageindex, translate: pages say so, and no crawler reads it.
		if permits, ok := strings.CutPrefix(name, "no"); ok && name != "none" && byName[permits] == nil {
			byName[permits] = &Directive{Name: permits}
		}
	}
}

// AllDirectives returns the table of directives.
func AllDirectives() []Directive { return slices.Clone(directiveTable) }

// DirectiveNames returns the name of every directive, sorted.
func DirectiveNames() []string { return slices.Clone(directiveNames) }

// String says what it does and where that is documented.
func (d *Directive) String() string { return d.Means + " " + d.Source }

// Form is that of its value; "" for a directive without one.
func (d *Directive) Form() string { return d.value.Form }

// Lookup returns what the directive of that name, lower case, states; values of those that take one
// are not looked at. ok is false where no directive has the name.
func Lookup(name string) (d Directives, hasValue, ok bool) {
	row := byName[name]
	if row == nil {
		return Directives{}, false, false
	}
	return row.states, row.Form() != "", true
}

// readDirective reads exactly one directive, in any case. known is false for a name that is none;
// fault says why the value of one cannot be read, and then d is what text found states all the
// same.
func readDirective(word string) (d Directives, known bool, fault string) {
	name, value, colon := strings.Cut(word, ":")
	name = strings.ToLower(name)
	row := byName[name]
	switch {
	case row == nil:
		return d, false, ""
	case row.Form() == "" && colon:
		return d, true, name + " takes no value"
	case row.Form() == "":
		return row.states, true, ""
	}
	rank, err := row.value.read(strings.TrimSpace(value))
	if err != nil {
		fault = fmt.Sprintf("%s: %v", name, err)
		if row.accepts != "" {
			fault += fmt.Sprintf("; %s takes %s", name, row.accepts)
		}
	}
	return on(row.axis, rank), true, fault
}

// limitNone is the rank of max-snippet:0, which nosnippet says too, and of max-video-preview:0. -1,
// no limit, is permissive; between them the rank is the greater the fewer characters or seconds are
// allowed.
const limitNone = math.MaxInt32 + 2

func limitRank(n int) int64 {
	if n < 0 {
		return permissive
	}
	return limitNone - int64(n)
}

func printLimit(rank int64) string {
	if rank <= permissive {
		return "-1"
	}
	return strconv.FormatInt(limitNone-rank, 10)
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

var limits = Value{"limit", readLimit, printLimit}

// sizes of max-image-preview, by rank.
var sizes = []string{"", "large", "standard", "none"}

var previews = Value{"preview", readSize, func(rank int64) string { return sizes[rank] }}

func readSize(text string) (rank int64, err error) {
	i := slices.Index(sizes, strings.ToLower(text))
	if i < permissive {
		return 0, fmt.Errorf("%q is not a size", text)
	}
	return int64(i), nil
}

// ISO 8601 in UTC holds no comma, so that no reader splits it (P4).
var dates = Value{"date", readExpiry, func(rank int64) string { return " " + expiryOf(rank).Format(time.RFC3339) }}

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

// expiryRank is the greater the earlier. Seconds since 1970 of the years 1 to 9999 stay far from
// either end.
func expiryRank(t time.Time) int64 { return math.MaxInt64/2 - t.Unix() }

func expiryOf(rank int64) time.Time { return time.Unix(math.MaxInt64/2-rank, 0).UTC() }
