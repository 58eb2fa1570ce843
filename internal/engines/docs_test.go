package engines

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"metarobots/policy"
)

var updateDocs = flag.Bool("update", false, "rewrite docs/engines.md")

// The page about engines is what the code knows.
func TestHouse_EnginesAreDocumented(t *testing.T) {
	const file = "../../docs/engines.md"
	want := enginesDocument()
	if *updateDocs {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the code knows: go test ./internal/engines -run Documented -update (%v)", file, err)
	}
}

func enginesDocument() []byte {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# Engines")
	p("")
	p("What `metarobots explain --as NAME` answers by: each engine's own rules, as its documentation was read on %s. "+
		"This page is made", AsOf())
	p("from the code (`internal/engines/engines.json`).")
	p("")
	p("Our own decision is the most restrictive of all that was said, and the tags that we print are read so by every " +
		"engine below that knows")
	p("the words; tests hold that. Answers differ where an engine does not know a word, and where a page carries tags " +
		"that are not ours. On")
	p("questions that the documentation leaves open, the answer takes the most restrictive reading and says so. One " +
		"case is known in which")
	p("what we print is read as something looser: all are told nocache and Bing alone noarchive, so that both words " +
		"reach Bing.")
	p("")
	p("| engine | `--as` | its own tag | reads | combines |")
	p("|---|---|---|---|---|")
	code := func(words []string) string {
		if len(words) == 0 {
			return "–"
		}
		return "`" + strings.Join(words, "` `") + "`"
	}
	for _, e := range Engines() {
		names := slices.Concat([]string{e.Name}, slices.DeleteFunc(slices.Sorted(maps.Keys(e.Crawlers)),
			func(name string) bool { c, _ := LookupEngine(name); return c != e }))
		for _, name := range e.Names {
			if c, _ := LookupEngine(name); c == e && name != e.Name {
				names = append(names, name)
			}
		}
		knows := code(slices.Sorted(slices.Values(slices.Concat(e.Reads, e.ReadsInTags))))
		if e.Through != "" {
			knows = "as " + e.Through
		}
		p("| %s | %s | %s | %s | %s |", e.Title, code(names), code(e.Names), knows, e.Rule)
	}
	p("")
	p("## What is documented")
	p("")
	p("| engine | X-Robots-Tag | a tag of its own name | generic and own tag |")
	p("|---|---|---|---|")
	for _, e := range Engines() {
		if e.Through != "" {
			continue
		}
		say := func(documented bool, what string) string {
			if documented {
				return what
			}
			return "open"
		}
		own := say(e.Own, "read")
		sum := say(e.Sum, "add up")
		switch {
		case e.Own && len(e.Names) == 0:
			own, sum = "not read", "–"
		case e.AllowWins:
			sum = "what allows wins"
		}
		p("| %s | %s | %s | %s |", e.Title, say(e.Header, "read"), own, sum)
	}
	p("")
	p("How a tag and X-Robots-Tag that say different things combine, none of them documents.")
	p("")
	p("## What says nothing")
	p("")
	for _, e := range Engines() {
		for _, m := range []map[string]string{e.Dead, e.Crawlers} {
			for _, name := range slices.Sorted(maps.Keys(m)) {
				p("- %s, `%s`: %s.", e.Title, name, m[name])
			}
		}
		if len(e.ReadsInTags) > 0 {
			p("- %s, %s in X-Robots-Tag: read in tags alone.", e.Title, code(e.ReadsInTags))
		}
		if e.None.Directives != policy.NoIndexNoFollow() && !e.None.IsZero() {
			p("- %s, `none`: more than elsewhere, %s too.", e.Title, code([]string{"nosnippet"}))
		}
	}
	p("")
	p("## Sources")
	p("")
	for _, e := range Engines() {
		also := ""
		if e.Secondary {
			also = " (known from others alone)"
		}
		p("- %s%s: %s", e.Title, also, strings.Join(e.Sources, ", "))
	}
	return b.Bytes()
}
