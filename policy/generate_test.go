package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

func TestMain(m *testing.M) { tables.Laws(m, 300, 1000) }

// read returns what one source in the grammar of X-Robots-Tag tells everyone.
func read(t testing.TB, text string) Directives {
	t.Helper()
	readings, problems := ParseHeader(text, Own, Crawlers{})
	for _, p := range problems {
		if p.Severity == Error {
			t.Fatalf("%q: %s", text, p.Text())
		}
	}
	return sumFor(At(Origin{}, readings...), noCrawler)
}

// say returns statements of one source in the grammar of X-Robots-Tag.
func say(t testing.TB, text string, layer ...Layer) []Statement {
	t.Helper()
	readings, problems := ParseHeader(text, Own, KnownCrawlers("florabot"))
	for _, p := range problems {
		t.Fatalf("%q: %s", text, p.Text())
	}
	o := Origin{Key: text}
	if len(layer) > 0 {
		o.Layer = layer[0]
	}
	return At(o, readings...)
}

var flagNames = flagsOf(ofUse, ofResults, ofThePast)

func flagsOf(kinds ...flagKind) (names []string) {
	for _, row := range directiveTable {
		if slices.Contains(kinds, row.flag) {
			names = append(names, row.Name)
		}
	}
	return names
}

// limits of snippets and videos from nothing to none.
var limitRanks = []int64{0, limitRank(-1), limitRank(math.MaxInt32), limitRank(160), limitRank(50), limitRank(1),
	limitNone}

// dates of expiry from nothing to the earliest; the clock of random policies stands between the
// last two.
var expiryRanks = []int64{0,
	expiryRank(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)),
	expiryRank(time.Date(2098, 5, 6, 7, 8, 9, 0, time.UTC)),
	expiryRank(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))}

var clockOfTests = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// somewhere draws a value of a chain, nothing stated as often as all others together.
func somewhere[T any](t *rapid.T, chain []T, label string) T {
	if rapid.Bool().Draw(t, label+" stated") {
		return rapid.SampledFrom(chain).Draw(t, label)
	}
	return chain[0]
}

// directives draws a point of the product.
var directives = rapid.Custom(func(t *rapid.T) Directives {
	var d Directives
	for chain, ranks := range [chains][]int64{index: {0, permissive, embeddable, noindex},
		follow: {0, permissive, nofollow}, cache: {0, permissive, nocache, noarchive}, image: {0, permissive, 2, 3},
		snippet: limitRanks, video: limitRanks,
		expiry: expiryRanks} {
		d.rank[chain] = somewhere(t, ranks, string(axisOf[chain]))
	}
	if rapid.Bool().Draw(t, "flagged") {
		d.flags = join(rapid.SliceOf(rapid.SampledFrom(append(slices.Clone(flagNames), "aardvark", "nofoo",
			"zebra crossing"))).Draw(t, "flags"))
	}
	return d
})

// pool of crawlers: everyone, one that takes another's, one that allow wins with, a header-only
// one, others.
var pool = []string{"", "bingbot", "googlebot", "googlebot-news", "gptbot", "yandex"}

// statement draws one statement.
var statement = rapid.Custom(func(t *rapid.T) Statement {
	s := Statement{Crawler: rapid.SampledFrom(pool).Draw(t, "crawler"), Directives: directives.Draw(t, "directives")}
	if s.Crawler == "" {
		s.AI = somewhere(t, everyPreferences(), "preferences")
	}
	return s
})

func statements(t *rapid.T, label string, most int) []Statement {
	return rapid.SliceOfN(statement, 0, most).Draw(t, label)
}

// stylesAll are all styles.
var stylesAll = []Style{{}, {KeepRedundant: true}, {None: true}, {KeepRedundant: true, None: true}}

var style = rapid.SampledFrom(stylesAll)

// Small words of random policies and subjects, so that they meet.
var (
	somePaths = []string{"index.html", "a/index.html", "a/b/index.html", "a/page/2/index.html", "a/b/f.pdf", "c.html",
		"a/feed.xml"}
	someGlobs = []string{"/**", "/a/**", "/a/", "/a/b/*", "/**/*.pdf", "/c", "/{a,c}/**", "/**/index.html",
		"/a/page/2/"}
	someKinds = []string{"home", "page", "section", "term"}
	someWords = []string{"red", "blue"}
)

func facts(t *rapid.T) Facts {
	word := rapid.SampledFrom(append(someWords, ""))
	return Facts{Kind: rapid.SampledFrom(append(slices.Clone(someKinds), "")).Draw(t, "kind"),
		Type:    word.Draw(t, "type"),
		Section: word.Draw(t, "section"), Language: word.Draw(t, "language"), Format: word.Draw(t, "format")}
}

func globs(t *rapid.T, label string, least, most int) []Glob {
	var globs []Glob
	for _, text := range rapid.SliceOfN(rapid.SampledFrom(someGlobs), least, most).Draw(t, label) {
		globs = append(globs, tables.Value(ParseGlob(text))(t))
	}
	return globs
}

func narrowing(t *rapid.T) Narrowing {
	n := Narrowing{}
	for _, group := range NarrowingGroups {
		from := someWords
		if group == "kinds" {
			from = someKinds
		}
		if rapid.IntRange(0, 3).Draw(t, group+" narrow") == 0 {
			n[group] = rapid.SliceOfN(rapid.SampledFrom(from), 1, 2).Draw(t, group)
		}
	}
	return n
}

var rule = rapid.Custom(func(t *rapid.T) Rule {
	return Rule{Match: globs(t, "match", 1, 2), Except: globs(t, "except", 0, 1), Statements: statements(t, "rule", 2),
		Narrowing: narrowing(t)}
})

func visibles(t *rapid.T) (entries []Visible) {
	for _, group := range []string{"kinds", "archives", "types", "sections", "languages", "formats"} {
		names := someWords
		switch group {
		case "kinds":
			names = someKinds
		case "archives":
			names = append(slices.Clone(someWords), "paginated")
		}
		for _, name := range names {
			if rapid.IntRange(0, 2).Draw(t, group+" "+name) == 0 {
				entries = append(entries, Visible{Group: group, Name: name, Statements: statements(t, group, 2)})
			}
		}
	}
	return entries
}

// policies draws a policy in which nothing replaces anything but, now and then, a page what
// visibility says.
var policies = rapid.Custom(func(t *rapid.T) *Policy {
	p := &Policy{Default: statements(t, "default", 2), Environment: statements(t, "environment", 1),
		Rules:         NewRules(rapid.SliceOfN(rule, 0, 3).Draw(t, "rules")...),
		PageOverrides: rapid.Bool().Draw(t, "overrides"), ReplaceFound: rapid.Bool().Draw(t, "replace"),
		IgnoresOwners: rapid.IntRange(0, 4).Draw(t, "own") == 0, Style: style.Draw(t, "style"), Now: clockOfTests,
		Visibility: visibles(t), NoAI: rapid.Bool().Draw(t, "noai"),
		AI: []Statement{{AI: somewhere(t, everyPreferences(), "ai")}}}
	return p
})

// subjects draws a file.
var subjects = rapid.Custom(func(t *rapid.T) *Subject {
	path := rapid.SampledFrom(somePaths)
	s := &Subject{Path: PathOf(path.Draw(t, "path")), Facts: facts(t),
		Role: rapid.SampledFrom([]Role{RolePage, RoleOutput, RoleResource, RoleStatic}).Draw(t, "role"),
		Page: statements(t, "page", 2), Found: statements(t, "found", 1), Headers: statements(t, "headers", 1)}
	switch s.Role {
	case RolePage:
		s.HTML = true
		s.Pager = rapid.IntRange(0, 2).Draw(t, "pager")
		if rapid.Bool().Draw(t, "of") {
			s.Of = &Owner{Path: PathOf(path.Draw(t, "of"))}
		}
		s.Taxonomies = rapid.SliceOfN(rapid.SampledFrom(someWords), 0, 2).Draw(t, "taxonomies")
	case RoleResource:
		for range rapid.IntRange(0, 3).Draw(t, "owners") {
			s.Owners = append(s.Owners, Owner{Path: PathOf(path.Draw(t, "owner")), Facts: facts(t),
				Statements: statements(t, "owner", 2)})
		}
	case RoleStatic:
		s.HTML = rapid.Bool().Draw(t, "html")
	}
	return s
})

// obeyed returns the restrictions of d, with what others imply filled in and without what only
// allows: of two texts the one that forbids more has the greater set, whatever P3 left out of them.
func obeyed(d Directives) Directives {
	if d.rank[index] == noindex {
		d.rank[cache] = max(d.rank[cache], nocache)
		d.rank[image], d.rank[snippet], d.rank[video], d.rank[expiry] = 3, limitNone, limitNone, math.MaxInt64
		for _, name := range flagsOf(ofResults, ofThePast) {
			d.flags = union(d.flags, name)
		}
	}
	if d.rank[snippet] == limitNone {
		d.rank[video] = limitNone
	}
	for chain := range d.rank {
		if d.rank[chain] == permissive {
			d.rank[chain] = 0
		}
	}
	return d
}

// reader is how a crawler takes the generic text and its own.
type reader int

const (
	sums     reader = iota // Google: the sum
	replaces               // others: its own text instead
)

// told returns what a crawler that reads tags by name keeps to, as the texts say: not as the
// decision knows.
func told(t *rapid.T, tags []Tag, name string, how reader) Directives {
	texts := map[string]string{}
	for _, tag := range tags {
		texts[tag.Name] = tag.Content
	}
	parse := func(name string) (Directives, bool) {
		text, ok := texts[name]
		return Stating(text), ok
	}
	generic, _ := parse("robots")
	if name == "" {
		return obeyed(generic)
	}
	var c Crawlers
	crawler, _ := c.Lookup(name)
	own, ok := parse(name)
	if !ok && crawler.AlsoObeys != "" {
		own, ok = parse(crawler.AlsoObeys)
	}
	switch {
	case !ok:
		return obeyed(generic)
	case how == sums:
		return MostRestrictive(obeyed(generic), obeyed(own))
	}
	return obeyed(own)
}
