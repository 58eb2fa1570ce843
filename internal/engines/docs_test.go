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
	p("<!-- Made from internal/engines/engines.json by: go test ./internal/engines -run Documented -update -->")
	p("")
	p("How each search engine reads robots tags and headers, according to its own documentation on %s.", AsOf())
	p("`metarobots explain --as NAME /page/` shows it for a page.")
	p("")
	p("Every engine reads the tags that metarobots writes as they were decided, as far as it supports the directives. " +
		"Engines differ in the")
	p("directives that they support, and in how they read tags that metarobots has left in place. Where an engine's " +
		"documentation does not")
	p("say, `--as` assumes the most restrictive reading and tells you so. One exception is known: with `nocache` for " +
		"all crawlers and")
	p("`noarchive` for Bing alone, Bing gets both and applies the looser `nocache`.")
	p("")
	p("| engine | `--as` | its own tag | supports | combines |")
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
	p("| engine | reads X-Robots-Tag | reads a tag of its own name | a generic tag and its own |")
	p("|---|---|---|---|")
	for _, e := range Engines() {
		if e.Through != "" {
			continue
		}
		say := func(documented bool, what string) string {
			if documented {
				return what
			}
			return "not documented"
		}
		own := say(e.Own, "yes")
		sum := say(e.Sum, "both apply")
		switch {
		case e.Own && len(e.Names) == 0:
			own, sum = "no", "–"
		case e.AllowWins:
			sum = "the permissive one wins"
		}
		p("| %s | %s | %s | %s |", e.Title, say(e.Header, "yes"), own, sum)
	}
	p("")
	p("No engine documents how a tag and an X-Robots-Tag header that differ are combined.")
	p("")
	p("## What has no effect")
	p("")
	for _, e := range Engines() {
		for _, m := range []map[string]string{e.Dead, e.Crawlers} {
			for _, name := range slices.Sorted(maps.Keys(m)) {
				p("- %s, `%s`: %s.", e.Title, name, m[name])
			}
		}
		if len(e.ReadsInTags) > 0 {
			p("- %s, %s in X-Robots-Tag: only supported in tags.", e.Title, code(e.ReadsInTags))
		}
		if policy.Stating(e.None) != policy.Stating("noindex, nofollow") && e.None != "" {
			p("- %s, `none`: also means %s.", e.Title, code([]string{"nosnippet"}))
		}
	}
	p("")
	p("## Sources")
	p("")
	for _, e := range Engines() {
		also := ""
		if e.Secondary {
			also = " (not from its own documentation)"
		}
		p("- %s%s: %s", e.Title, also, strings.Join(e.Sources, ", "))
	}
	return b.Bytes()
}
