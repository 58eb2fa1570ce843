//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// linksProbes are tags to be edited and their likes that are not.
var linksProbes = []string{
	`<a href=//out.example>`, `<a href="https://out.example/x?a=1&amp;b">`,
	`<a class=comment href='http://out.example' rel=noopener>`,
	`<a rel href=//out.example>`, `<a href=//out.example rel="a b ">`, `<a href=//out.example rel='NoFollow,me'>`,
	`<a rel=x"y href=//out.example>`,
	`<A HREF=//out.example REL=>`, `<area href=//out.example CLASS="x&#32;comment">`,
	`<a href=//a.shop.example class=comment rel=ugc>`,
	`<a href=https:\\kept.example>`, `<a href=//kept.example class=comment>`,
	`<a href=//b.shop.example:8080/ rel="&#115;ponsored">`, `<a href=//friend.example>`,
	`<a href=/own>`, `<a href=//www.own.example>`, `<a href=mailto:x@out.example>`, `<a href=javascript:x>`, `<a>`,
	"<a href=\"ht\ntps:/&#x2f;out.example\">",
	`<a href=//out.example href=/own rel=x rel=nofollow>`, `<a/href=//out.example/>`, `<div class=quiet>`,
	`<span class="x quiet">`, `<section class=quiet data-nosnippet>`,
	`<div class=Quiet>`, `<p class=quiet>`, `<DIV CLASS=quiet`, `<base href=/>`, `<base href=//cdn.example>`,
	`<a href=x>`, `<a href=" //out.example">`,
}

var linksVocabulary = func() (v []string) {
	for _, w := range vocabulary {
		// A meta would be edited for other reasons; frameset stands below.
		if l := strings.ToLower(w); !strings.Contains(l, "meta") && !strings.Contains(l, "frameset") &&
			!strings.Contains(l, "plaintext") {
			v = append(v, w)
		}
	}
	for range 5 {
		v = append(v, linksProbes...)
	}
	return v
}()

// linksDefects are the reasons why parse5's tree may hold other links than we see: one of defects,
// and our own departures, each with a pattern of the pages it can concern and a page that shows it.
var linksDefects = map[string]struct {
	concern *regexp.Regexp
	shown   string
}{
	"takes CDATA in an integration point for a comment":                {regexp.MustCompile(`(?is)<(svg|math).*<!\[CDATA\[`), "<math><mo><![CDATA[a><a href=//out.example>x"},
	"we leave alone a link of a template that is opened anew after it": {regexp.MustCompile(`(?is)<template.*<(applet|marquee|object|td|th|caption)`), "<template><a href=//out.example><object></template>x"},
}

// linksSite writes a Hugo site of pages as they are, in two sections, and returns their files from
// the publish folder.
func linksSite(t *testing.T, dir string, pages []string) (files []string) {
	t.Helper()
	write(t, filepath.Join(dir, "hugo.toml"), "baseURL = \"https://own.example/\"\ndisableKinds = [\"taxonomy\", "+
		"\"term\", \"RSS\", \"sitemap\", \"home\", \"section\", \"404\", \"robotsTXT\"]\n")
	write(t, filepath.Join(dir, "layouts", "all.html"),
		`{{ readFile (printf "nasty/%s.html" .File.ContentBaseName) | safeHTML }}`)
	for i, page := range pages {
		section := []string{"forum", "notes"}[i%2]
		write(t, filepath.Join(dir, "content", section, fmt.Sprintf("p%d.md", i)), "---\ntitle: x\n---\n")
		write(t, filepath.Join(dir, "nasty", fmt.Sprintf("p%d.html", i)), page)
		files = append(files, fmt.Sprintf("%s/p%d/index.html", section, i))
	}
	return files
}

// [robots.links] on nasty pages, through build and through apply: what parse5 makes of a page
// differs in nothing but what is asked for, a second run changes nothing, and without the
// configuration the bytes are those that were.
func TestLinks_NastyPagesSameAsParse5(t *testing.T) {
	t.Parallel()
	const count = 500
	reasons := slices.Sorted(maps.Keys(linksDefects))
	var pages []string
	for _, reason := range reasons {
		if d := linksDefects[reason]; !d.concern.MatchString(d.shown) {
			t.Errorf("%s: the pattern does not fit the page", reason)
		}
		pages = append(pages, linksDefects[reason].shown)
	}
	for r := rand.New(rand.NewPCG(7, 6)); len(pages) < count; {
		var b strings.Builder
		for range 2 + r.IntN(14) {
			b.WriteString(linksVocabulary[r.IntN(len(linksVocabulary))])
		}
		page := b.String()
		if len(pages)%3 == 0 {
			page = broken(r, page)
		}
		if len(pages)%2 == 0 {
			page = "<!DOCTYPE html><html><head><title>x</title></head><body>" + page
		}
		if page != "" {
			pages = append(pages, page)
		}
	}
	dir := t.TempDir()
	files := linksSite(t, dir, pages)
	policy, public := filepath.Join(dir, "metarobots.toml"), filepath.Join(dir, "public")
	in := func(args ...string) result {
		t.Helper()
		return run(t, 0, append(args, "--quiet", "-s", dir)...)
	}
	load := func() (texts []string, changed []time.Time) {
		t.Helper()
		for _, f := range files {
			info := tables.Value(os.Stat(filepath.Join(public, f)))(t)
			texts, changed = append(texts, read(t, public, f)), append(changed, info.ModTime())
		}
		return texts, changed
	}
	same := func(what string, got, want []string) {
		t.Helper()
		for i := range got {
			equal(t, what+": "+files[i], got[i], want[i])
		}
	}
	linksPolicy := read(t, "testdata/links.toml")
	const without = "[robots]\ndefault = \"\"\n"

	write(t, policy, without)
	in("build")
	before, _ := load()
	same("without links", before, pages)

	write(t, policy, linksPolicy)
	in("build")
	after, written := load()
	for _, args := range [][]string{{"check"}, {"apply"}, {"build"}} {
		in(args...)
		again, then := load()
		same("a second run by "+args[0], again, after)
		if args[0] != "build" && !slices.Equal(then, written) {
			t.Errorf("%s writes pages that stay as they are", args[0])
		}
	}

	write(t, policy, without)
	finish(t, command("check", "--quiet", "-s", dir)).is(t, 1)
	in("apply")
	back, _ := load()
	same("taken back by apply", back, pages)

	write(t, policy, linksPolicy)
	in("apply")
	applied, written := load()
	same("apply", applied, after)
	in("apply")
	again, then := load()
	same("a second apply", again, after)
	if !slices.Equal(then, written) {
		t.Error("a second apply writes pages that stay as they are")
	}

	write(t, policy, without)
	in("build")
	back, _ = load()
	same("taken back by build", back, pages)

	type question struct {
		Before, After []byte
		Section       string
	}
	type answer struct {
		Fault           string
		Links, Snippets int
	}
	var questions []question
	for i, file := range files {
		section, _, _ := strings.Cut(file, "/")
		questions = append(questions, question{[]byte(before[i]), []byte(after[i]), section})
	}
	changed, known, links, snippets := 0, 0, 0, 0
	for i, answer := range converse[answer](t, node(t, "links.mjs"), questions) {
		explained := slices.ContainsFunc(reasons,
			func(r string) bool { return linksDefects[r].concern.MatchString(pages[i]) })
		switch {
		case i < len(reasons) && answer.Fault == "":
			t.Errorf("it is no longer so: %s: %q", reasons[i], pages[i])
		case answer.Fault != "" && explained:
			known++
		case answer.Fault != "":
			t.Errorf("%s: %s\nof %q\nto %q", files[i], answer.Fault, before[i], after[i])
		default:
			links, snippets = links+answer.Links, snippets+answer.Snippets
		}
		if before[i] != after[i] {
			changed++
		}
	}
	if links < 300 || snippets < 50 || changed < count/3 || changed > count*9/10 {
		t.Errorf("%d links, %d snippets on %d changed pages are too few, or all, and prove nothing", links, snippets,
			changed)
	}
	if known > count/20 {
		t.Errorf("%d pages differ for known reasons: they explain too much", known)
	}
	t.Logf("%d pages, %d changed; %d links and %d snippets; %d differ for a known reason", count, changed, links,
		snippets, known)
}
