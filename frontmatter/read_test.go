package frontmatter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// options of most cases: the reading of expiryDate, a crawler and keys of the site's own.
var options = frontmatter.Options{
	Expiry:   true,
	Crawlers: policy.KnownCrawlers("florabot"),
	Keys: map[string]frontmatter.Key{
		"quiet":           {Readings: own("noarchive, noimageindex")},
		"seo.hidden":      {Readings: own("noindex")},
		"garden.a.b":      {Readings: own("noai")},
		"seo.noindex":     {Readings: own("nosnippet")},
		"unlisted":        {Ignore: true},
		"params.nofollow": {Ignore: true},
	},
}

func own(text string) []policy.Reading {
	r, _ := policy.Parse(text, policy.Own)
	return []policy.Reading{r}
}

// states prints what params state: "robots: noindex, follow; googlebot: …", or the errors.
func states(params map[string]any, o frontmatter.Options) (said, errors string) {
	r := frontmatter.Read(params, o)
	var p policy.Policy
	d := p.Resolve(slices.Clone(r.Statements))
	var parts []string
	for _, tag := range d.Texts(policy.Style{}) {
		parts = append(parts, tag.Name+": "+tag.Content)
	}
	var faults []string
	for _, p := range r.Findings {
		if p.Severity == policy.Error {
			faults = append(faults, p.Message)
		}
	}
	return strings.Join(parts, "; "), strings.Join(faults, "; ")
}

// F: every spelling, beyond the vectors. YAML is what an author writes; the same values are read from TOML and JSON,
// and as Hugo hands them on.
var spellings = []struct{ yaml, want string }{
	// A text or a list.
	{`robots: noindex`, "robots: noindex, follow"},
	{`Robots: " NoIndex ,NOFOLLOW "`, "robots: noindex, nofollow"},
	{`robots: []`, ""},
	{`robots: {}`, ""},
	{`robots: [""]`, ""},
	{`robots: " "`, ""},
	{`robots: ["noindex, nosnippet", NOFOLLOW]`, "robots: noindex, nofollow"},
	{`robots: [noindex, {max-snippet: 5}, {googlebot: nofollow}]`,
		"robots: noindex, follow; googlebot: noindex, nofollow"},
	{`robots: [{unavailable_after: 2099-01-02}, noai]`, "robots: noai, unavailable_after: 2099-01-02T00:00:00Z"},
	{`robots: all`, "robots: index, follow"},
	{`robots: none`, "robots: noindex, nofollow"},
	{`robots: "noindex, indexifembedded"`, "robots: noindex, follow, indexifembedded"},
	// D3: one front matter is one source
	{`robots: [noindex, indexifembedded]`, "robots: noindex, follow, indexifembedded"},
	{`{robots: noindex, seo: {robots: indexifembedded}}`, "robots: noindex, follow, indexifembedded"},
	{`{robots: indexifembedded, googlebot: noindex}`, "googlebot: noindex, follow"}, // of one name
	// A map: each word, a false one for its no- word.
	{`robots: {index: false}`, "robots: noindex, follow"},
	{`robots: {index: true}`, "robots: index, follow"},
	{`robots: {index: false, follow: false, archive: false, snippet: false, imageindex: false, translate: false}`,
		"robots: noindex, nofollow, noarchive"},
	{`robots: {ai: false, imageai: false, ml: false, odp: false, ydir: false, yaca: false, preview: false, sitelinkssearchbox: false}`,
		"robots: noai, noimageai, noml, noodp, nopreview, nositelinkssearchbox, noyaca, noydir"},
	{`robots: {cache: false}`, "robots: nocache"},
	{`robots: {cache: true, ai: true, snippet: true}`, ""},
	{`robots: {archive: true, all: true}`, "robots: index, follow, archive"},
	{`robots: {noindex: true, nofollow: true, noarchive: true}`, "robots: noindex, nofollow, noarchive"},
	{`robots: {noindex: false, nofollow: false, none: false, indexifembedded: false}`, ""}, // L2
	{`robots: {none: true}`, "robots: noindex, nofollow"},
	{`robots: {noindex: true, indexifembedded: true}`, "robots: noindex, follow, indexifembedded"},
	{`robots: {Index: "No", FOLLOW: "off"}`, "robots: noindex, nofollow"},
	{`robots: {index: null, follow: ""}`, ""},
	{`robots: {max-snippet: 50}`, "robots: max-snippet:50"},
	{`robots: {max-snippet: "50"}`, "robots: max-snippet:50"},
	{`robots: {max-snippet: -1, max-video-preview: 0, max-image-preview: Large}`,
		"robots: max-snippet:-1, max-image-preview:large, max-video-preview:0"},
	{`robots: {max-snippet: 0}`, "robots: nosnippet"},
	{`robots: {max-snippet: 50.0}`, "robots: max-snippet:50"},
	{`robots: {max-snippet: null, max-image-preview: "", unavailable_after: null}`, ""},
	{`robots: {unavailable_after: "Friday, 25-Jun-10 15:00:00 UTC"}`,
		"robots: unavailable_after: 2010-06-25T15:00:00Z"},
	{`robots: {unavailableAfter: 2099-01-02}`, "robots: unavailable_after: 2099-01-02T00:00:00Z"},
	// A crawler in the map, in any of these forms.
	{`robots: {googlebot: nosnippet, bingbot: [noarchive, noai], yandex: {index: false}, msnbot: false, teoma: true}`,
		"bingbot: noarchive, noai; googlebot: nosnippet; msnbot: noindex, nofollow; yandex: noindex, follow"},
	{`robots: {GoogleBot: NOSNIPPET, florabot: noindex, gptbot: noai}`,
		"florabot: noindex, follow; googlebot: nosnippet; gptbot: noai"},
	{`robots: {"*": noindex, robots: nofollow, googlebot: {max-snippet: 5}}`, "robots: noindex, nofollow"},
	{`robots: {archive.org_bot: noarchive}`, "archive.org_bot: noarchive"},
	{`robots: {googlebot: null, bingbot: ""}`, ""},
	// A boolean.
	{`robots: false`, "robots: noindex, nofollow"},
	{`robots: "No"`, "robots: noindex, nofollow"},
	{`robots: 0`, "robots: noindex, nofollow"},
	{`robots: true`, ""},
	{`robots: "on"`, ""},
	{`robots: null`, ""},
	// Crawlers at the four levels.
	{`googlebot: noindex`, "googlebot: noindex, follow"},
	{`params: {BingBot: {archive: no}}`, "bingbot: noarchive"},
	{`seo: {googlebot: false}`, "googlebot: noindex, nofollow"},
	{`{googlebot: "off", bingbot: 0, yandex: "Yes"}`, "bingbot: noindex, nofollow; googlebot: noindex, nofollow"},
	{`params: {seo: {yandex: [nofollow]}}`, "yandex: index, nofollow"},
	{`{robots: nofollow, googlebot: noindex}`, "robots: index, nofollow; googlebot: noindex, nofollow"},
	// Verification codes under a crawler's name are none of ours.
	{`googlebot: dBw5CvburAxi537Rp9qi5uG2174Vb6JwHwIRwPSLIK8`, ""},
	{`yandex: 3f2a91b07c6d8e54`, ""},
	{`yandex: 1234567890`, ""},
	{`bingbot: "2A1B3C4D 5E6F"`, ""},
	{`google: nofollow`, ""}, // not a crawler at all
	{`{author: noindex, pinterest: nohover, generator: noai}`, ""},
	// Flags.
	{`noindex: true`, "robots: noindex, follow"},
	{`{noIndex: yes}`, "robots: noindex, follow"},
	{`no_index: "Y"`, "robots: noindex, follow"},
	{`robotsNoIndex: 1`, "robots: noindex, follow"},
	{`robotsnoindex: "1"`, "robots: noindex, follow"},
	{`norobots: On`, "robots: noindex, follow"},
	{`block_indexing: "TRUE"`, "robots: noindex, follow"},
	{`{nofollow: true, noindex: 1.0}`, "robots: noindex, nofollow"},
	{`params: {seo: {noFollow: yes}}`, "robots: index, nofollow"},
	{`seo: {NOINDEX: "yes"}`, "robots: nosnippet"}, // options give seo.noindex another meaning
	{`params: {seo: {noindex: "yes"}}`, "robots: noindex, follow"},
	{`{noindex: false, nofollow: "off", no_index: 0, norobots: "N", block_indexing: no}`, ""},
	{`{noindex: null, nofollow: ""}`, ""},
	// The site's own keys: without a dot at all levels, with one from the top.
	{`quiet: true`, "robots: noarchive, noimageindex"},
	{`params: {seo: {Quiet: on}}`, "robots: noarchive, noimageindex"},
	{`quiet: false`, ""},
	{`seo: {hidden: true}`, "robots: noindex, follow"},
	{`SEO: {Hidden: "1"}`, "robots: noindex, follow"},
	{`{hidden: true, params: {seo: {hidden: true}}}`, ""},
	{`garden: {a: {b: yes}}`, "robots: noai"},
	{`garden: {a: true}`, ""},
	{`garden: 5`, ""},
	{`unlisted: true`, ""},
	{`params: {unlisted: true}`, ""},
	{`params: {nofollow: true}`, ""},
	{`nofollow: true`, "robots: index, nofollow"},
	// Dates.
	{`unavailable_after: 2099-01-02`, "robots: unavailable_after: 2099-01-02T00:00:00Z"},
	{`unavailableAfter: 2099-01-02T03:04:05+02:00`, "robots: unavailable_after: 2099-01-02T01:04:05Z"},
	{`params: {unavailable_after: "25 Jun 2010 15:00:00 PST"}`, "robots: unavailable_after: 2010-06-25T23:00:00Z"},
	{`expiryDate: 2099-01-02`, "robots: unavailable_after: 2099-01-02T00:00:00Z"},
	{`{expiryDate: 2099-01-02, unavailable_after: 2098-01-02}`, "robots: unavailable_after: 2098-01-02T00:00:00Z"},
	{`unavailable_after: ""`, ""},
	{`unavailable_after: null`, ""},
	// What means other things elsewhere.
	{`{private: true, hidden: true, draft: true, searchHidden: true, sitemap: false, sitemap_exclude: true}`, ""},
	{`sitemap: {disable: true, noindex: true, robots: noindex}`, ""},
	{`{head: {robots: noindex}, site: {noindex: true}}`, ""}, // another level
	// What can only be meant for crawlers.
	{`{meta: {robots: noindex}}`, "robots: noindex, follow"},
	{`{Meta: noindex}`, "robots: noindex, follow"},
	{`{seo: [noai, noindex]}`, "robots: noindex, follow, noai"},
	{`{params: {SEO: "nosnippet"}}`, "robots: nosnippet"},
	{`{meta: none, seo: true}`, ""},
	{`{seo: index}`, ""},
	{`{seo: "how to index, follow and archive"}`, ""},
	{`{bing: "noindex, nofollow", yahoo: "Noindex"}`, "bingbot: noindex, nofollow; slurp: noindex, follow"},
	{`{Bing: {index: false}}`, "bingbot: noindex, follow"},
	{`{bing: {verification: x}, apple: pie, ask: none, naver: 12ab}`, ""},
	// Words without a value.
	{`robots: {noindex: null, nofollow: null}`, "robots: noindex, nofollow"},
	{`robots: {googlebot: {nosnippet: null, "max-video-preview:5": null}}`, "googlebot: nosnippet"},
	{`robots: {max-snippet: null, unavailable_after: null, unavailableAfter: null, googlebot: null, "*": null}`, ""},
	{`robots: [{nofollow: null}]`, "robots: index, nofollow"},
	// Quotation marks of word processors.
	{`robots: “noindex”`, "robots: noindex, follow"},
	{`robots: [‘noindex’, «noai»]`, "robots: noindex, follow, noai"},
	{`bingbot: “max-snippet:5”`, "bingbot: max-snippet:5"},
	// Keys that differ by case alone count both, at every level.
	{`{Noindex: true, noindex: false}`, "robots: noindex, follow"},
	{`{Params: {nosuch: 1, robots: noai}, params: {robots: noml}}`, "robots: noai, noml"},
	{`{SEO: {no_index: true}, seo: {no_index: false}}`, "robots: noindex, follow"},
	{`{PARAMS: {seo: {googlebot: noai}}, params: {SEO: {googlebot: noml}}}`, "googlebot: noai, noml"},
}

func TestHouse_EverySpellingStatesWhatItSays(t *testing.T) {
	for _, c := range spellings {
		text := c.yaml + "\n"
		doc, err := frontmatter.Parse([]byte("---\n" + text + "---\n"))
		if err != nil {
			t.Errorf("%s: %v", c.yaml, err)
			continue
		}
		check := func(how string, params map[string]any) {
			if got, errors := states(params, options); got != c.want || errors != "" {
				t.Errorf("%s, %s: %q (errors %q), want %q", c.yaml, how, got, errors, c.want)
			}
			if c.want != "" && !frontmatter.Mentions(params, options) {
				t.Errorf("%s, %s: mentions nothing", c.yaml, how)
			}
		}
		check("yaml", doc.Params)
		check("parameters", hugoParams(doc.Params))

		data, err := json.MarshalIndent(doc.Params, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		fromJSON, err := frontmatter.Parse(append(data, "\n\ntext {\n"...))
		if err != nil || fromJSON.Format != "json" {
			t.Errorf("%s: %v", data, err)
		}
		check("json", fromJSON.Params)

		var b bytes.Buffer
		if err := toml.NewEncoder(&b).Encode(doc.Params); err != nil || strings.Contains(c.yaml, "null") {
			continue // TOML has no null
		}
		fromTOML, err := frontmatter.Parse([]byte("+++\n" + b.String() + "+++\n"))
		if err != nil || fromTOML.Format != "toml" {
			t.Errorf("%s: %v", b.String(), err)
		}
		check("toml", fromTOML.Params)
	}
}

type namedMap map[string]any

// hugoParams is params as Hugo hands them on: maps and lists of types of their own, keys in lower case.
func hugoParams(params map[string]any) map[string]any {
	var convert func(v any) any
	convert = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			m := namedMap{}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				key := strings.ToLower(k)
				if _, twin := v[key]; twin {
					key = k // Hugo would keep one of them
				}
				m[key] = convert(v[k])
			}
			return m
		case []any:
			var texts []string
			for _, e := range v {
				if s, ok := e.(string); ok {
					texts = append(texts, s)
				}
			}
			if len(texts) == len(v) {
				return texts
			}
			list := make([]any, len(v))
			for i := range v {
				list[i] = convert(v[i])
			}
			return list
		case int:
			if v >= 0 {
				return uint64(v) // what goccy/go-yaml gives
			}
			return int64(v)
		}
		return v
	}
	if m, ok := convert(params).(namedMap); ok {
		return m
	}
	return nil
}

// F, F1, D6, D7: what is an error, in every format and as parameters, and what its message shows.
func TestHouse_FaultsAreFindingsAtTheirKeys(t *testing.T) {
	for _, c := range []struct{ yaml, fault string }{
		{`noindex: maybe`, `noindex: "maybe" is neither true nor false`},
		{`noindex: 2`, `"2"`},
		{`noindex: [true]`, "neither true nor false"},
		{`noindex: {a: 1}`, "neither true nor false"},
		{`norobots: noindex`, "neither true nor false"},
		{`seo: {nofollow: -1}`, "seo.nofollow"},
		{`quiet: loud`, "quiet"},
		{`seo: {hidden: "x"}`, "seo.hidden"},
		{`robots: noindx`, `did you mean "noindex"?`},
		{`robots: 42`, "42"},
		{`robots: 1.5`, "1.5"},
		{`robots: 2026-01-01`, "robots: "},
		{`robots: [noindex, 5]`, "robots: 5 is not a directive"},
		{`robots: [[noindex]]`, "robots: "},
		{`robots: [true]`, "true is not a directive"},
		{`robots: [noindex, nofolow]`, `did you mean "nofollow"?`},
		{`robots: "googlebot: noindex"`, `{googlebot: "noindex"}`},
		{`robots: "noindex/nofollow"`, `"noindex, nofollow"`},
		{`robots: {noindx: true}`, `did you mean "noindex"?`},
		{`robots: {gogglebot: noindex}`, `did you mean "googlebot"?`},
		{`robots: {somebot: noindex}`, `unknown directive or crawler "somebot"`},
		{`robots: {index: perhaps}`, "robots.index"},
		{`robots: {all: false}`, "noindex or nofollow"},
		{`robots: {max-snippet: many}`, "number of characters"},
		{`robots: {max-snippet: -7}`, "number of characters"},
		{`robots: {max-snippet: true}`, "number of characters"},
		{`robots: {max-snippet: 5.5}`, "number of characters"},
		{`robots: {max-snippet: "50, nofollow"}`, "number of characters"}, // one value, no list
		{`robots: {max-snippet: "50 nofollow"}`, "number of characters"},
		{`robots: {max-snippet: [50]}`, "number of characters"},
		{`robots: {max-image-preview: huge}`, "none, standard or large"},
		{`robots: {max-video-preview: {a: 1}}`, "number of seconds"},
		{`robots: {unavailable_after: soon}`, "2026-09-21"},
		{`robots: {googlebot: {bingbot: noindex}}`, "inside of what is told to another"},
		{`robots: {googlebot: {robots: noindex}}`, "inside of what is told to another"},
		{`robots: {googlebot: nofolow}`, "robots.googlebot"},
		{`robots: {googlebot: abc123}`, "unknown directive"}, // in the map of robots no code is meant
		{`googlebot: noindx`, `did you mean "noindex"?`},
		{`googlebot: "noindex, foo"`, `unknown directive "foo"`},
		{`googlebot: {bingbot: noindex}`, "inside of what is told to another"},
		{`googlebot: {abc: 1}`, `unknown directive or crawler "abc"`},
		{`unavailable_after: soon`, "2026-09-21"},
		{`unavailable_after: 5`, "2026-09-21"},
		{`unavailable_after: false`, "false is not a date"},
		{`unavailable_after: 2026-02-30`, "calendar"},
		{`unavailable_after: 0000-01-01`, " date"},
		{`unavailable_after: [2026-01-01]`, "2026-09-21"},
		{`expiryDate: "25 Jun 2010 15:00:00 AEST"`, "AEST"},
	} {
		doc, err := frontmatter.Parse([]byte("---\n" + c.yaml + "\n---\n"))
		if err != nil {
			t.Errorf("%s: %v", c.yaml, err)
			continue
		}
		all := []map[string]any{doc.Params, hugoParams(doc.Params)}
		data, _ := json.Marshal(doc.Params)
		if fromJSON, err := frontmatter.Parse(data); err == nil {
			all = append(all, fromJSON.Params)
		}
		var b bytes.Buffer
		if toml.NewEncoder(&b).Encode(doc.Params) == nil {
			if fromTOML, err := frontmatter.Parse([]byte("+++\n" + b.String() + "+++\n")); err == nil {
				all = append(all, fromTOML.Params)
			}
		}
		for i, params := range all {
			if _, errors := states(params, options); !strings.Contains(errors, c.fault) {
				t.Errorf("%s, form %d: errors %q, want %q in them", c.yaml, i, errors, c.fault)
			}
			if !frontmatter.Mentions(params, options) {
				t.Errorf("%s: mentions nothing", c.yaml)
			}
		}
	}
}

// F1: booleans in any spelling, case and type.
func TestHouse_BooleansAreReadInEveryForm(t *testing.T) {
	for _, text := range []string{"true", "yes", "on", "y", "1", "True", "YES", "On", " y "} {
		if on, ok := frontmatter.Truth(text); !on || !ok {
			t.Errorf("%q is %v %v", text, on, ok)
		}
	}
	for _, text := range []string{"false", "no", "off", "n", "0", "False", "NO", "Off", "N\n"} {
		if on, ok := frontmatter.Truth(text); on || !ok {
			t.Errorf("%q is %v %v", text, on, ok)
		}
	}
	for _, value := range []any{1, int64(1), uint64(1), uint8(1), 1.0, float32(1), true} {
		if on, ok := frontmatter.Truth(value); !on || !ok {
			t.Errorf("%T %v is %v %v", value, value, on, ok)
		}
		zero := reflect.Zero(reflect.TypeOf(value)).Interface()
		if on, ok := frontmatter.Truth(zero); on || !ok {
			t.Errorf("%T %v is %v %v", zero, zero, on, ok)
		}
	}
	for _, value := range []any{nil, "", "2", "t", "f", "ja", "truee", 2, -1, 0.5, []any{true}, map[string]any{},
		time.Now()} {
		if on, ok := frontmatter.Truth(value); on || ok {
			t.Errorf("%v is %v %v", value, on, ok)
		}
	}
}

// D5: dates as the readers of the formats give them.
func TestHouse_DatesAreReadInEveryForm(t *testing.T) {
	machine := time.FixedZone("", 3*3600)
	for _, c := range []struct {
		toml, want string
	}{
		{"2026-09-21T10:00:00Z", "2026-09-21T10:00:00Z"},
		{"2026-09-21T10:00:00+02:00", "2026-09-21T08:00:00Z"},
		{"2026-09-21T10:00:00.5", "2026-09-21T10:00:00Z"}, // local: UTC is meant, wherever we are
		{"2026-09-21 10:00:00", "2026-09-21T10:00:00Z"},
		{"2026-09-21", "2026-09-21T00:00:00Z"},
	} {
		doc, err := frontmatter.Parse([]byte("+++\nunavailable_after = " + c.toml + "\n+++\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got, errors := states(doc.Params, options); got != "robots: unavailable_after: "+c.want || errors != "" {
			t.Errorf("%s: %q %q, want %s", c.toml, got, errors, c.want)
		}
	}
	for value, want := range map[any]string{
		time.Date(2026, 9, 21, 1, 0, 0, 0, machine): "2026-09-20T22:00:00Z",
		stringer("2026-09-21T10:00:00"):             "2026-09-21T10:00:00Z", // a LocalDateTime
		stringer("2026-09-21"):                      "2026-09-21T00:00:00Z",
		"2026-09-21":                                "2026-09-21T00:00:00Z",
	} {
		if got, err := frontmatter.Date(value); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%v: %v (%v), want %s", value, got, err, want)
		}
	}
	doc, err := frontmatter.Parse([]byte("+++\nunavailable_after = 07:32:00\n+++\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{doc.Params["unavailable_after"], time.Time{}.AddDate(-1, 0, 0),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Hour, 5, nil, true, "soon"} {
		if got, err := frontmatter.Date(value); err == nil {
			t.Errorf("%v is %v", value, got)
		}
	}
}

type stringer string

func (s stringer) String() string { return string(s) }

// keyAsFile locates a key in a file that is called like it.
func keyAsFile(path ...string) (string, int) { return frontmatter.KeyName(path), 1 }

// D3: the statements of one front matter are one source, and an indexifembedded without effect is reported.
func TestGoogle_IndexIfEmbeddedWithoutNoindexIsAFinding(t *testing.T) {
	o := options
	o.Locate = keyAsFile
	r := frontmatter.Read(map[string]any{"robots": "nofollow, indexifembedded", "googlebot": "noindex"}, o)
	if len(r.Findings) != 1 || r.Findings[0].ID != "indexifembedded" || r.Findings[0].Severity != policy.Warning ||
		r.Findings[0].File != "robots" {
		t.Errorf("%v", r.Findings)
	}
}

// A4: told to a token of robots.txt alone, a statement does nothing, and that is said.
func TestGoogle_ExtendedInFrontMatter(t *testing.T) {
	for _, params := range []map[string]any{{"google-extended": "noindex"},
		{"robots": map[string]any{"Google-Extended": "noindex"}}} {
		r := frontmatter.Read(params, options)
		if len(r.Statements) != 0 || len(r.Findings) != 1 || r.Findings[0].ID != "inert-crawler" ||
			r.Findings[0].Severity == policy.Error {
			t.Errorf("%v: %v", params, r)
		}
	}
}

// L8: each statement names its key, and the order is that of the keys, not of the map.
func TestHouse_StatementsHaveTheirKeys(t *testing.T) {
	params := map[string]any{"robots": map[string]any{"Index": false,
		"googlebot": []any{"noai", map[string]any{"max-snippet": 5}}}, "nofollow": true,
		"params": map[string]any{"seo": map[string]any{"bingbot": "noml"}}, "seo": map[string]any{"hidden": true}}
	want := "[nofollow robots.index robots.googlebot robots.googlebot.max-snippet params.seo.bingbot seo.hidden]"
	for range 20 {
		o := options
		o.Locate = keyAsFile
		r := frontmatter.Read(params, o)
		var keys []string
		for _, s := range r.Statements {
			keys = append(keys, s.Origin.Key)
			if s.Origin.File != s.Origin.Key {
				t.Errorf("path %s, key %s", s.Origin.File, s.Origin.Key)
			}
		}
		if got := fmt.Sprint(keys); got != want {
			t.Fatalf("keys\n got %s\nwant %s", got, want)
		}
	}
}

// Value reads what stands under another key, as the configuration does.
func TestHouse_AValueStatesWhatTheKeyRobotsWould(t *testing.T) {
	r := frontmatter.Value(map[string]any{"index": false, "googlebot": "nofolow"}, []string{"params", "robots"},
		options)
	if len(r.Statements) != 1 || r.Statements[0].Origin.Key != "params.robots.index" {
		t.Errorf("%v", r.Statements)
	}
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Message, "params.robots.googlebot: ") {
		t.Errorf("%v", r.Findings)
	}
}

// What Read states or reports, Mentions mentions; and Read neither panics nor changes its argument.
func FuzzRead(f *testing.F) {
	for _, c := range spellings {
		doc, err := frontmatter.Parse([]byte("---\n" + c.yaml + "\n---\n"))
		if err != nil {
			f.Fatal(err)
		}
		data, _ := json.Marshal(doc.Params)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var params map[string]any
		if json.Unmarshal(data, &params) != nil {
			return
		}
		before, _ := json.Marshal(params)
		o := options
		o.Locate = keyAsFile
		r := frontmatter.Read(params, o)
		for _, s := range r.Statements {
			if s.Origin.File != s.Origin.Key {
				t.Fatalf("%s: path %s, key %s", data, s.Origin.File, s.Origin.Key)
			}
		}
		if (len(r.Statements) > 0 || len(r.Findings) > 0) && !frontmatter.Mentions(params, options) {
			t.Fatalf("%s: %v, and nothing is mentioned", data, r)
		}
		for _, s := range r.Statements {
			if _, ok := options.Crawlers.Lookup(s.Crawler); s.Crawler != "" && !ok {
				t.Fatalf("%s: crawler %q", data, s.Crawler)
			}
		}
		if again := frontmatter.Read(params, o); !reflect.DeepEqual(r, again) {
			t.Fatalf("%s: read twice, %v and %v", data, r, again)
		}
		if after, _ := json.Marshal(params); !bytes.Equal(before, after) {
			t.Fatalf("%s became %s", before, after)
		}
	})
}
