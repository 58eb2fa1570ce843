package engines

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/policy"
)

func engine(t testing.TB, name string) *Engine {
	t.Helper()
	e, ok := LookupEngine(name)
	if !ok {
		t.Fatalf("no engine %s", name)
	}
	return e
}

// reading is one file as an engine reads it.
type reading struct {
	metas  []policy.Tag
	header []string
	want   string   // the directives that it obeys, by String
	why    []string // parts of Why
	ignore string   // Ignored, "words: why" by line
	silent string   // part of Silent; empty for none
}

// holds reads a file and compares.
func holds(t *testing.T, name string, cases map[string]reading) {
	t.Helper()
	e := engine(t, name)
	for label, c := range cases {
		a := e.Read(c.metas, c.header, clockOfTests)
		if got := a.Directives.String(); got != c.want {
			t.Errorf("%s: %s obeys %q, want %q", label, e.Title, got, c.want)
		}
		for _, part := range c.why {
			if !strings.Contains(strings.Join(a.Why, "\n"), part) {
				t.Errorf("%s: why %q, want %q in it", label, a.Why, part)
			}
		}
		var ignored []string
		for _, ig := range a.Ignored {
			ignored = append(ignored, ig.Words+": "+ig.Why)
		}
		if got := strings.Join(ignored, "\n"); got != c.ignore {
			t.Errorf("%s: ignores %q, want %q", label, got, c.ignore)
		}
		if got := strings.Join(a.Silent, "\n"); !strings.Contains(got, c.silent) || (c.silent == "") != (got == "") {
			t.Errorf("%s: open is %q, want %q", label, got, c.silent)
		}
	}
}

// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
func TestGoogle_SumOfTheNegativeRules(t *testing.T) {
	holds(t, "google", map[string]reading{
		"its own example": {metas: []policy.Tag{{Name: "robots", Content: "nofollow"},
			{Name: "googlebot", Content: "noindex"}}, want: "noindex, nofollow",
			why: []string{"noindex: the googlebot tag", "nofollow: the robots tag", "adds up"}},
		"the more restrictive of two": {metas: []policy.Tag{{Name: "robots", Content: "max-snippet:50, nosnippet"}},
			want: "nosnippet"},
		"a looser tag of its own": {metas: []policy.Tag{{Name: "robots", Content: "noindex"},
			{Name: "googlebot", Content: "index"}}, want: "noindex, follow"},
		"header and tag": {metas: []policy.Tag{{Name: "robots", Content: "index, follow"}},
			header: []string{"noindex"}, want: "noindex, follow", silent: "how tags and X-Robots-Tag combine"},
		"a header for it": {header: []string{"otherbot: noindex", "googlebot: nofollow"},
			want: "index, nofollow"},
		"one line for two": {header: []string{"nosnippet, BadBot: noindex, nofollow, googlebot: nofollow"},
			want: "index, nofollow, nosnippet"},
		"none": {metas: []policy.Tag{{Name: "robots", Content: "none"}},
			want: "noindex, nofollow"},
		"embedded": {metas: []policy.Tag{{Name: "googlebot", Content: "noindex"},
			{Name: "googlebot", Content: "indexifembedded"}}, want: "noindex, follow, indexifembedded",
			why: []string{"embedded in another page"}},
		"embedded, said by one of two": {metas: []policy.Tag{{Name: "robots", Content: "noindex, indexifembedded"}},
			header: []string{"noindex"}, want: "noindex, follow", silent: "how tags"},
		"no longer used": {metas: []policy.Tag{{Name: "robots", Content: "noarchive, nocache, noai"}},
			ignore: "noarchive: Google no longer supports it: there are no cached links any more\nnocache: Google does not " +
				"support it\nnoai: not among the directives that Google documents", why: []string{"the default"}},
		"a date that has passed": {metas: []policy.Tag{{Name: "robots",
			Content: "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, nofollow"}}, want: "noindex, nofollow",
			why: []string{"has passed"}},
		"a date to come": {metas: []policy.Tag{{Name: "robots", Content: "unavailable_after: 2098-01-01"}},
			want: "unavailable_after: 2098-01-01T00:00:00Z"},
		"a name that is no tag's": {metas: []policy.Tag{{Name: "googlebot-image", Content: "noindex"}},
			why: []string{"the default"}},
		"Google News has names more": {metas: []policy.Tag{{Name: "googlebot-news", Content: "noindex"}},
			why: []string{"the default"}},
		"any case and blanks": {metas: []policy.Tag{{Name: "ROBOTS", Content: " NoIndex  NOFOLLOW "}},
			want: "noindex, nofollow"},
	})
	holds(t, "googlebot-news", map[string]reading{
		"both names": {metas: []policy.Tag{{Name: "robots", Content: "nosnippet"}, {Name: "googlebot",
			Content: "nofollow"}, {Name: "googlebot-news", Content: "noindex"}}, want: "noindex, nofollow"},
	})
}

// https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240
func TestBing_NocacheBesideNoarchive(t *testing.T) {
	holds(t, "bing", map[string]reading{
		"noarchive alone": {metas: []policy.Tag{{Name: "robots", Content: "noarchive"}}, want: "noarchive"},
		"nocache alone":   {metas: []policy.Tag{{Name: "robots", Content: "nocache"}}, want: "nocache"},
		"both in one": {metas: []policy.Tag{{Name: "robots", Content: "noarchive, nocache"}}, want: "nocache",
			why: []string{"reads both as nocache"}},
		"both in two": {metas: []policy.Tag{{Name: "robots", Content: "noarchive"},
			{Name: "bingbot", Content: "nocache"}}, want: "nocache"},
		"either of its names": {metas: []policy.Tag{{Name: "msnbot", Content: "noindex"}}, want: "noindex, follow"},
		"Google's names": {metas: []policy.Tag{{Name: "googlebot", Content: "noindex"}},
			why: []string{"the default"}},
		"the generic tag and its own": {metas: []policy.Tag{{Name: "robots", Content: "noindex"},
			{Name: "bingbot", Content: "nofollow"}}, want: "noindex, nofollow",
			silent: "whether a tag of its own name adds to the generic one or takes its place"},
		"a complete set of its own leaves nothing open": {metas: []policy.Tag{{Name: "robots", Content: "noindex"},
			{Name: "bingbot", Content: "noindex, nofollow"}}, want: "noindex, nofollow"},
		"none is not on its page": {metas: []policy.Tag{{Name: "robots", Content: "none"}},
			ignore: "none: not among the directives that Bing documents", why: []string{"the default"}},
		"the header": {header: []string{"bingbot: noindex, max-snippet:20"},
			want: "noindex, follow"},
	})
}

// Where all are told nocache and Bing alone noarchive, both words reach Bing, in the generic tag and in its own: it
// reads the looser, and explain --as bing tells. What is printed does not prevent it.
func TestBing_NoarchiveOfItsOwn(t *testing.T) {
	d := (&policy.Policy{}).Resolve(slices.Concat(say(t, "nocache"), say(t, "bingbot: noarchive")))
	e := engine(t, "bing")
	a := e.Read(d.Metas(policy.Style{}), nil, time.Time{})
	if got := a.Differs(e.Told(&d)); !slices.Equal(got, []string{"Bing reads this as nocache; the decision was noarchive"}) {
		t.Errorf("%v: differs %q", d.Metas(policy.Style{}), got)
	}
}

// https://yandex.com/support/webmaster/controlling-robot/meta-robots.html
func TestYandex_AllowingDirectivesWin(t *testing.T) {
	holds(t, "yandex", map[string]reading{
		"in one list": {metas: []policy.Tag{{Name: "robots", Content: "index, noindex"}}, want: "index, follow",
			why: []string{"noindex in the robots tag is overridden by index in the robots tag"}},
		"in two tags": {metas: []policy.Tag{{Name: "robots", Content: "index, follow"},
			{Name: "yandex", Content: "noindex, nofollow"}}, want: "index, follow",
			why: []string{"noindex in the yandex tag is overridden by index in the robots tag",
				"nofollow in the yandex tag is overridden"}},
		"all": {metas: []policy.Tag{{Name: "robots", Content: "all"},
			{Name: "robots", Content: "noindex, follow"}}, want: "index, follow"},
		"archive": {metas: []policy.Tag{{Name: "robots", Content: "archive, noarchive"}}, want: "archive"},
		"one axis": {metas: []policy.Tag{{Name: "robots", Content: "follow"},
			{Name: "yandex", Content: "noindex, nofollow"}}, want: "noindex, follow"},
		"no conflict": {metas: []policy.Tag{{Name: "robots", Content: "noindex, nofollow"}},
			want: "noindex, nofollow", why: []string{"noindex: the robots tag"}},
		"without A5": {metas: []policy.Tag{{Name: "robots", Content: "follow"},
			{Name: "yandex", Content: "noindex, follow"}}, want: "noindex, follow"},
		"in a header": {header: []string{"index, noindex"}, want: "noindex, follow"},
		"noyaca in a header": {header: []string{"noyaca"}, ignore: "noyaca: Yandex reads it in a tag alone",
			why: []string{"the default"}},
		"header alone": {metas: []policy.Tag{{Name: "robots", Content: "index, follow"}},
			header: []string{"yandex: noindex"}, want: "noindex, follow", silent: "how tags and X-Robots-Tag combine"},
		"what is Google's": {metas: []policy.Tag{{Name: "robots",
			Content: "noindex, nosnippet, max-snippet:50, max-video-preview:-1"}}, want: "noindex, follow",
			ignore: "nosnippet, max-snippet:50: not among the directives that Yandex documents"},
	})
}

// https://support.apple.com/119829
func TestApple_NoneHidesTheSnippetToo(t *testing.T) {
	holds(t, "applebot", map[string]reading{
		"none": {metas: []policy.Tag{{Name: "robots", Content: "none"}}, want: "noindex, nofollow",
			why: []string{"nosnippet: the robots tag"}},
		"two tags": {metas: []policy.Tag{{Name: "robots", Content: "noindex"},
			{Name: "robots", Content: "nosnippet"}}, want: "noindex, follow"},
		"a header": {header: []string{"noindex"}, want: "noindex, follow",
			silent: "whether it reads X-Robots-Tag"},
		"a tag of its own": {metas: []policy.Tag{{Name: "applebot", Content: "noindex"}}, want: "noindex, follow",
			silent: "whether it reads a tag of its own name, applebot"},
		"index": {metas: []policy.Tag{{Name: "robots", Content: "index"}}, why: []string{"the default"}},
	})
	a := engine(t, "apple").Read([]policy.Tag{{Name: "robots", Content: "none"}}, nil, time.Time{})
	if !a.Directives.NoIndex() || !a.Directives.NoFollow() || a.Directives.SnippetLimit() != 0 {
		t.Errorf("none: %s", a.Directives)
	}
}

// https://help.baidu.com/question?prod_id=99&class=476
func TestBaidu_DoesNotKnowNoindex(t *testing.T) {
	holds(t, "baidu", map[string]reading{
		"noindex": {metas: []policy.Tag{{Name: "robots", Content: "noindex, nofollow, noarchive"}},
			want: "index, nofollow, noarchive", ignore: "noindex: not among the directives that Baidu documents"},
		"its tag": {metas: []policy.Tag{{Name: "Baiduspider", Content: "noarchive"}}, want: "noarchive"},
	})
	a := engine(t, "baidu").Read([]policy.Tag{{Name: "robots", Content: "noindex, follow"}}, nil, time.Time{})
	if got := a.Differs(policy.Stating("noindex, follow")); !slices.Equal(got,
		[]string{"Baidu reads this as index; the decision was noindex"}) {
		t.Errorf("differs %q", got)
	}
}

// https://napoveda.seznam.cz/en/full-text-search/indexing-control/
func TestSeznam_OneNameAndNoNone(t *testing.T) {
	holds(t, "seznam", map[string]reading{
		"its example": {metas: []policy.Tag{{Name: "robots", Content: "noindex, nofollow"}},
			want: "noindex, nofollow"},
		"none": {metas: []policy.Tag{{Name: "robots", Content: "none"}},
			ignore: "none: not among the directives that Seznam documents", why: []string{"the default"}},
		"its own name": {metas: []policy.Tag{{Name: "seznambot", Content: "noindex"}},
			ignore: "noindex: Seznam documents only the tag named robots", why: []string{"the default"}},
		"the same, head": {header: []string{"seznambot: noindex"},
			ignore: "noindex: Seznam documents only the tag named robots"},
	})
}

// https://stackoverflow.com/questions/18079649
func TestDuckDuckGo_ReadsWhatBingReads(t *testing.T) {
	holds(t, "duckduckgo", map[string]reading{
		"Bing's tag": {metas: []policy.Tag{{Name: "bingbot", Content: "noindex"}}, want: "noindex, follow",
			why: []string{"results from other engines"}},
		"its own": {metas: []policy.Tag{{Name: "duckduckbot", Content: "noindex"}},
			ignore: "noindex: DuckDuckBot does not index pages and reads no robots tags"},
	})
	e := engine(t, "duckduckbot")
	d := (&policy.Policy{}).Resolve(say(t, "bingbot: noindex"))
	if e.Name != "duckduckgo" || !e.Told(&d).NoIndex() {
		t.Errorf("%s is told %s", e.Name, e.Told(&d))
	}
}

// https://developer.amazon.com/amazonbot
func TestAmazon_NoarchiveIsAboutTraining(t *testing.T) {
	holds(t, "amazon", map[string]reading{
		"its words": {metas: []policy.Tag{{Name: "robots", Content: "noarchive, noindex"}},
			want: "noindex, follow, noarchive"},
		"nofollow is for links": {metas: []policy.Tag{{Name: "robots", Content: "nofollow"}},
			ignore: "nofollow: not among the directives that Amazon documents"},
	})
}

// https://www.mojeek.com/bot.html
func TestMojeek_Words(t *testing.T) {
	holds(t, "mojeek", map[string]reading{
		"its words": {metas: []policy.Tag{{Name: "robots", Content: "noindex, nocache, nofollow, noml, noarchive"}},
			want: "noindex, nofollow, noml", ignore: "noarchive: not among the directives that Mojeek documents"},
	})
}

// Nothing of Naver's own was read: the answer says so.
func TestNaver_IsSecondHand(t *testing.T) {
	holds(t, "naver", map[string]reading{
		"noindex": {metas: []policy.Tag{{Name: "robots", Content: "noindex"}}, want: "noindex, follow",
			silent: "written by others"},
	})
}

// Names of engines and of crawlers are one list without doubles; each engine has sources and a rule.
func TestHouse_EnginesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Engines() {
		if seen[e.Name] || e.Title == "" || e.Rule == "" || len(e.Sources) == 0 ||
			(len(e.Reads) == 0) != (e.Through != "") {
			t.Errorf("%+v", e)
		}
		seen[e.Name] = true
		if got, ok := LookupEngine(strings.ToUpper(e.Name)); !ok || got != e {
			t.Errorf("%s is not found", e.Name)
		}
		for _, name := range slices.Concat(e.Reads, e.ReadsInTags) {
			if _, _, ok := policy.Lookup(name); !ok {
				t.Errorf("%s knows %s, which is not a directive", e.Name, name)
			}
			if _, dead := e.Dead[name]; dead {
				t.Errorf("%s knows %s, and does not", e.Name, name)
			}
		}
		for _, name := range e.Names {
			if _, ok := (policy.Crawlers{}).Lookup(name); !ok {
				t.Errorf("%s reads %s, which is no crawler that can be told anything", e.Name, name)
			}
			if c, _ := (policy.Crawlers{}).Lookup(name); c.AllowWins != e.AllowWins {
				t.Errorf("%s: crawler and engine differ on whether the allowing word wins", name)
			}
		}
		none := slices.Contains(slices.Concat(e.Reads, e.ReadsInTags), "none")
		if none == (e.None == "") && e.Name != "bing" {
			t.Errorf("%s: none means %s", e.Name, e.None)
		}
	}
	names, crawlers := EngineNames()
	for _, name := range slices.Concat(names, crawlers) {
		if _, ok := LookupEngine(name); !ok {
			t.Errorf("%s is listed and not found", name)
		}
	}
	if _, ok := LookupEngine("altavista"); ok || slices.Contains(crawlers, "yandex") {
		t.Errorf("%q %q", names, crawlers)
	}
}

// What we print is read as it was decided, by every engine that knows the words, whatever was said by whom.
func TestHouse_EveryEngineReadsWhatWasDecided(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policy.Policy{Now: clockOfTests}
		d := p.Resolve(statements(t, "statements", 6))
		metas, header := d.Metas(policy.Style{}), d.Header(policy.Style{})
		e := rapid.SampledFrom(Engines()).Draw(t, "engine")
		known := e
		if through, ok := LookupEngine(e.Through); ok {
			known = through
		}
		told := e.Told(&d)
		for place, a := range map[string]Answer{"tags": e.Read(metas, nil, p.Now), "header": e.Read(nil, header, p.Now),
			"both": e.Read(metas, header, p.Now)} {
			has := func(names ...string) bool {
				return !slices.ContainsFunc(names,
					func(name string) bool {
						return !slices.Contains(slices.Concat(known.Reads, known.ReadsInTags),
							name)
					})
			}
			bad := func(what string) {
				t.Fatalf("%s, %s: %s: obeys %s, was told %s\n%v\n%q\nwhy %q", e.Name, place, what, a.Directives, told,
					metas, header, a.Why)
			}
			if has("noindex") && a.Directives.NoIndex() != told.NoIndex() {
				bad("index")
			}
			if has("nofollow") && a.Directives.NoFollow() != told.NoFollow() {
				bad("follow")
			}
			if told.NoIndex() {
				continue // what is implied is not printed
			}
			if has("nosnippet", "max-snippet") && a.Directives.SnippetLimit() != told.SnippetLimit() {
				bad("snippet")
			}
			if known.NocacheWins && d.Generic.On(policy.AxisCache) == nocacheAlone &&
				told.On(policy.AxisCache) == noarchive {
				continue // TestBing_NoarchiveOfItsOwn
			}
			if has("noarchive", "nocache") && cache(a.Directives) != cache(told) {
				bad("cache")
			}
			if has("noindex", "nofollow", "nosnippet", "max-snippet", "noarchive", "nocache") &&
				len(a.Differs(told)) > 0 {
				bad(a.Differs(told)[0])
			}
		}
	})
}

// Another tag never loosens what an engine reads, but where its documentation says that it does.
func TestHouse_AnotherTagNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tag := rapid.Custom(func(t *rapid.T) policy.Tag {
			d := directives.Draw(t, "directives")
			return policy.Tag{Name: rapid.SampledFrom([]string{"robots", "googlebot", "bingbot", "yandex",
				"applebot"}).Draw(t, "name"), Content: d.Format(policy.Style{KeepRedundant: true})}
		})
		metas := rapid.SliceOfN(tag, 0, 3).Draw(t, "metas")
		more := append(slices.Clone(metas), policy.Tag{Name: "robots", Content: tag.Draw(t, "more").Content})
		e := rapid.SampledFrom(Engines()).Draw(t, "engine")
		if e.AllowWins || e.NocacheWins || e.Through != "" {
			return
		}
		before, after := e.Read(metas, nil, clockOfTests), e.Read(more, nil, clockOfTests)
		if before.Directives.On(policy.AxisIndex) == noindex &&
			after.Directives.On(policy.AxisIndex) == noindex.Embeddable() {
			return // indexifembedded loosens the noindex of its own source (D3)
		}
		if !after.Directives.AtLeast(before.Directives) {
			t.Fatalf("%s: %v obeys %s, %v obeys %s", e.Name, metas, before.Directives, more, after.Directives)
		}
	})
}

// No text that stands in a page or a header makes a reading fail.
func FuzzEngineRead(f *testing.F) {
	for _, text := range []string{"noindex", "googlebot: noindex, yandex: index",
		"unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noai", ": , :;;", "[noindex nofollow]",
		"max-snippet:50, bingbot: max-snippet : 20"} {
		f.Add("robots", text, text)
	}
	f.Fuzz(func(t *testing.T, name, content, header string) {
		for _, e := range Engines() {
			a := e.Read([]policy.Tag{{Name: name, Content: content}}, []string{header}, clockOfTests)
			if b := e.Read([]policy.Tag{{Name: name, Content: content}}, []string{header},
				clockOfTests); a.Directives != b.Directives || !slices.Equal(a.Ignored, b.Ignored) {
				t.Errorf("%s reads it in two ways: %+v, %+v", e.Name, a, b)
			}
			if a.Differs(a.Directives) != nil {
				t.Errorf("%s differs from itself: %q", e.Name, a.Differs(a.Directives))
			}
		}
	})
}
