package robotstxt

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// mayFetch is a reader of its own, by the text of Google's specification: groups of one name add
// up, the longest pattern that matches decides, and of two equal ones Allow. It shares no code with
// this package but the table of crawlers.
// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec
func mayFetch(text, agent, path string) bool {
	type stated struct {
		allow   bool
		pattern string
	}
	groups, names, isOpen := map[string][]stated{}, []string(nil), false
	for _, line := range regexp.MustCompile(`\r\n|\r|\n`).Split(strings.TrimPrefix(text, "\ufeff"), -1) {
		line, _, _ = strings.Cut(line, "#")
		key, value, _ := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch key {
		case "user-agent":
			if !isOpen {
				names = nil
			}
			isOpen = true
			name := strings.ToLower(value)
			names = append(names, name)
			groups[name] = append(groups[name], []stated{}...)
			if groups[name] == nil {
				groups[name] = []stated{}
			}
		case "allow", "disallow", "dissallow": // a typo that Google's parser takes
			isOpen = false
			for i, name := range names {
				if value == "" || slices.Contains(names[:i], name) {
					continue
				}
				groups[name] = append(groups[name], stated{key == "allow", encoded(value)})
				// https://github.com/google/robotstxt robots.cc, HandleAllow
				if before, _, ok := strings.Cut(value[strings.LastIndex(value, "/")+1:], "index.htm"); ok && before == "" && key == "allow" {
					groups[name] = append(groups[name], stated{true, encoded(value[:strings.LastIndex(value, "/")+1]) + "$"})
				}
			}
		}
	}
	var rules []stated
	for name := strings.ToLower(agent); ; {
		if group, ok := groups[name]; ok {
			rules = group
			break
		}
		c := policy.LookupCrawler(name)
		if name == "*" || c != nil && c.RobotsTxt.Group == "none" {
			break
		}
		if name = "*"; c != nil && c.RobotsTxt.Group != "" {
			name = c.RobotsTxt.Group
		}
	}
	longest, allowed := -1, true
	for _, r := range rules {
		pattern, end := strings.CutSuffix(r.pattern, "$")
		expression := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
		if end {
			expression += "$"
		}
		if n := len(r.pattern); (n > longest || n == longest && r.allow) && regexp.MustCompile(expression).MatchString(path) {
			longest, allowed = n, r.allow
		}
	}
	return allowed
}

// encoded is a pattern with its octets as they are requested.
func encoded(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c >= 0x80:
			fmt.Fprintf(&b, "%%%02X", c)
		case c == '%' && i+2 < len(pattern):
			b.WriteString(strings.ToUpper(pattern[i : i+3]))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// X24j. Law: whether a crawler may fetch a path is what another reader says, which was written for
// this test alone.
func TestLaw_AnIndependentReaderAgrees(t *testing.T) {
	denied, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := ownerText(t)
		f := Parse([]byte(text))
		for _, agent := range names {
			for _, path := range rapid.SliceOfN(rapid.SampledFrom(paths), 12, 12).Draw(t, "paths") {
				ours, theirs := f.Ask(agent, path), mayFetch(text, agent, path)
				if ours.Allowed != theirs {
					t.Fatalf("%s %s: %+v, and allowed %t by the other reader\n%q", agent, path, ours, theirs, text)
				}
				if all++; !theirs {
					denied++
				}
			}
		}
	})
	if denied < all/20 || denied > all*19/20 {
		t.Errorf("%d of %d are denied: too one-sided to prove anything", denied, all)
	}
	t.Logf("%d questions, %d denied, all answered alike", all, denied)
}

// X24a, X24c, X24e. Law: what is compared differs for exactly those crawlers and pages that two
// files answer otherwise, and the rule that is named is the one that decides.
func TestLaw_FilesDifferWhereTheirAnswersDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := [2]string{ownerText(t), ""}
		if rapid.Bool().Draw(t, "another") {
			texts[1] = ownerText(t)
		}
		was, is := Parse([]byte(texts[0])), Parse([]byte(texts[1]))
		some := rapid.SampledFrom(paths)
		pages := make([]Question, 20)
		for i := range pages {
			pages[i].Was = some.Draw(t, "was")
			if pages[i].Is = pages[i].Was; rapid.IntRange(0, 4).Draw(t, "moves") == 0 {
				pages[i].Is = some.Draw(t, "is")
			}
		}
		crawlers := Crawlers(was, is)
		type turned struct {
			crawler string
			page    int
		}
		got, want := map[turned]bool{}, map[turned]bool{}
		for _, d := range Compare(was, is, crawlers, pages) {
			f := is
			if d.Gone {
				f = was
			}
			for i, crawler := range d.Crawlers {
				for _, n := range d.Pages {
					if _, twice := got[turned{crawler, n}]; twice {
						t.Fatalf("%s %q differs twice", crawler, pages[n])
					}
					got[turned{crawler, n}] = d.Allowed
					asked := pages[n].Is
					if d.Gone {
						asked = pages[n].Was
					}
					if a := f.Ask(crawler, asked); a.Rule != d.Access[i].Rule || a.Line != d.Access[i].Line {
						t.Fatalf("%s %q: %+v decides, and not %+v", crawler, asked, a, d.Access[i])
					}
				}
			}
		}
		for _, crawler := range crawlers {
			for n, page := range pages {
				if before, after := was.Ask(crawler, page.Was).Allowed, is.Ask(crawler, page.Is).Allowed; before != after {
					want[turned{crawler, n}] = after
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q\nthen %q\ngot  %v\nwant %v", texts[0], texts[1], got, want)
		}
		if more := Compare(was, Parse([]byte("# moved\n\n"+texts[0])), crawlers, pages[:0]); more != nil {
			t.Fatalf("the same rules at other lines: %+v", more)
		}
	})
}

// hugeRobots is a robots.txt of as many bytes as crawlers read, with rules of each form for pages
// of sections: in one group of all crawlers, or in one for each.
func hugeRobots(shift, groups int) []byte {
	var b strings.Builder
	names := Crawlers()
	for i := range groups {
		for _, name := range names[i*len(names)/groups : (i+1)*len(names)/groups] {
			fmt.Fprintf(&b, "User-agent: %s\n", name)
		}
		writeRules(&b, shift, (i+1)*(MaxSize-60)/groups)
	}
	return []byte(b.String())
}

func writeRules(b *strings.Builder, shift, size int) {
	for n := shift; b.Len() < size; n++ {
		section, page := n%200, n/3
		switch n % 5 {
		case 0:
			fmt.Fprintf(b, "Disallow: /section-%d/page-%d/\n", section, page)
		case 1:
			fmt.Fprintf(b, "Disallow: /*page-%d.html$\n", page)
		case 2:
			fmt.Fprintf(b, "Allow: /section-%d/*/print-%d\n", section, page)
		case 3:
			fmt.Fprintf(b, "Disallow: /*?id=%d&\n", n)
		case 4:
			fmt.Fprintf(b, "Disallow: /s*-%d/page-%d/\n", section, page)
		}
	}
}

// X24k. A robots.txt of 500 KiB, 20,000 pages and all crawlers of the table: within 5 s and 300 MB.
// PROOFS=all prints what it took.
func TestWork_TwoHugeFilesAreComparedSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var pages []Question
	for n := range 20_000 {
		path := fmt.Sprintf("/section-%d/page-%d/", n%200, n/3)
		if n%2 == 1 {
			path = fmt.Sprintf("/section-%d/page-%d.html", n%199, n)
		}
		pages = append(pages, Question{path, path})
	}
	for _, groups := range []int{1, len(Crawlers())} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var all []Difference
		var parsed, took time.Duration
		compare := func() {
			begin := time.Now()
			was, is := Parse(hugeRobots(0, groups)), Parse(hugeRobots(9_000, groups))
			parsed = time.Since(begin)
			all = Compare(was, is, Crawlers(was, is), pages)
			took = time.Since(begin)
		}
		compare()
		runtime.ReadMemStats(&after)
		const most = 5 * time.Second
		for range 4 { // other work on the machine takes time too
			if took > most {
				compare()
			}
		}
		changed := 0
		for _, d := range all {
			changed += len(d.Pages) * len(d.Crawlers)
		}
		allocated := (after.TotalAlloc - before.TotalAlloc) >> 20 // more than is in use at any time
		if changed == 0 || took > most || allocated > 300 {
			t.Errorf("%d groups: %d answers differ, in %v, with %d MB", groups, changed, took, allocated)
		}
		if os.Getenv("PROOFS") == "all" {
			t.Logf("%d KiB in %d groups × %d pages × %d crawlers: %d differences, %d answers; read in %v, compared in %v in all, "+
				"%d MB allocated", MaxSize>>10, groups, len(pages), len(Crawlers()), len(all), changed, parsed, took, allocated)
		}
	}
}
