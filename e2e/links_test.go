//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
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
)

// linksScript compares pages before and after by the trees that parse5 makes of them, each a JSON line, and answers
// with the first fault and with how many links and snippets got what is asked for in linksPolicy. What is asked for it
// works out by itself, with Node's URLs.
const linksScript = `
import { createInterface } from 'node:readline';
import { html, parse } from 'parse5';

const own = host => host === 'own.example' || host.endsWith('.own.example');
const web = url => url.protocol === 'http:' || url.protocol === 'https:';
const words = (text, separator) => (text ?? '').split(separator).filter(w => w !== '');
const space = /[\t\n\f\r ]+/, spaceOrComma = /[\t\n\f\r ,]+/;
const attribute = (node, name) => node.attrs?.find(a => a.name === name && !a.prefix)?.value;

function lead(href, base) {
  try {
    const url = new URL(href, base);
    return web(url) ? url : null;
  } catch {
    return null;
  }
}

// base returns the first base element's address; the content of a template is no child of it.
function base(node, page) {
  if (node.tagName === 'base' && node.namespaceURI === html.NS.HTML && attribute(node, 'href') !== undefined) return lead(attribute(node, 'href'), page) ?? page;
  for (const child of node.childNodes ?? []) {
    const found = base(child, page);
    if (found) return found;
  }
  return null;
}

// within reports whether a node or one around it has a class.
function within(node, name) {
  for (let n = node; n; n = n.parentNode)
    if (n.namespaceURI === html.NS.HTML && words(attribute(n, 'class'), space).includes(name)) return true;
  return false;
}

// asked returns the rel values and whether data-nosnippet is asked of an element.
function asked(node, at, section) {
  if (node.namespaceURI !== html.NS.HTML) return { rel: [], snippet: false };
  const classes = words(attribute(node, 'class'), space);
  const rel = [];
  const href = attribute(node, 'href');
  if ((node.tagName === 'a' || node.tagName === 'area') && href !== undefined) {
    const url = lead(href, at);
    if (url && !own(url.hostname) && url.hostname !== 'friend.example') {
      if (url.hostname !== 'kept.example') rel.push('nofollow');
      if (section === 'forum' && within(node, 'comment')) rel.push('ugc');
      if (url.hostname.endsWith('.shop.example')) rel.push('sponsored');
    }
  }
  const has = words(attribute(node, 'rel'), spaceOrComma).map(w => w.toLowerCase());
  return {
    rel: rel.filter(w => !has.includes(w)),
    snippet: ['div', 'span', 'section'].includes(node.tagName) && classes.includes('quiet') && attribute(node, 'data-nosnippet') === undefined,
  };
}

function* pairs(a, b, free) {
  yield [a, b, free];
  const x = a.childNodes ?? [], y = b.childNodes ?? [];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    if (!x[i] || !y[i]) throw 'the children of ' + a.nodeName + ' are not as many';
    yield* pairs(x[i], y[i], free);
  }
  if (a.content) yield* pairs(a.content, b.content, false);
}

function compare({ Before, After, Section }) {
  const [a, b] = [Before, After].map(s => parse(Buffer.from(s, 'base64').toString('utf8'), { scriptingEnabled: true }));
  const at = base(a, new URL('https://own.example/' + Section + '/')) ?? new URL('https://own.example/' + Section + '/');
  const out = { Fault: '', Links: 0, Snippets: 0 };
  try {
    for (const [x, y, free] of pairs(a, b, true)) {
      for (const key of ['nodeName', 'tagName', 'namespaceURI', 'value', 'data', 'mode', 'name', 'publicId', 'systemId'])
        if (x[key] !== y[key]) throw key + ' ' + x[key] + ' became ' + y[key];
      if (!x.attrs) continue;
      const name = t => (t.prefix ?? '') + ' ' + t.name;
      const want = new Map(x.attrs.map(t => [name(t), t.value]));
      const { rel, snippet } = free ? asked(x, at, Section) : { rel: [], snippet: false };
      if (rel.length > 0) {
        out.Links++;
        want.set(' rel', [...words(want.get(' rel'), space), ...rel].join(' '));
      }
      if (snippet) {
        out.Snippets++;
        want.set(' data-nosnippet', '');
      }
      for (const t of y.attrs) {
        const value = name(t) === ' rel' && rel.length > 0 ? words(t.value, space).join(' ') : t.value;
        if (want.get(name(t)) !== value) throw '<' + y.tagName + '> has ' + t.name + '=' + JSON.stringify(t.value) + ', wanted ' + JSON.stringify(want.get(name(t)));
        want.delete(name(t));
      }
      if (want.size > 0) throw '<' + y.tagName + '> lacks ' + JSON.stringify([...want]);
    }
  } catch (fault) {
    out.Fault = String(fault.stack ?? fault);
  }
  return out;
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(JSON.stringify(compare(JSON.parse(line))) + '\n');
`

const linksPolicy = `[robots]
default = ""
[robots.links]
own = ["*.own.example"]
except = ["friend.example"]
nosnippet = ["quiet"]
[[robots.links.rules]]
rel = "nofollow"
except = ["kept.example"]
[[robots.links.rules]]
rel = "ugc"
class = "comment"
sections = ["forum"]
[[robots.links.rules]]
rel = ["sponsored"]
hosts = ["*.shop.example"]
`

// linksProbes are tags to be edited and their likes that are not.
var linksProbes = []string{
	`<a href=//out.example>`, `<a href="https://out.example/x?a=1&amp;b">`, `<a class=comment href='http://out.example' rel=noopener>`,
	`<a rel href=//out.example>`, `<a href=//out.example rel="a b ">`, `<a href=//out.example rel='NoFollow,me'>`, `<a rel=x"y href=//out.example>`,
	`<A HREF=//out.example REL=>`, `<area href=//out.example CLASS="x&#32;comment">`, `<a href=//a.shop.example class=comment rel=ugc>`,
	`<a href=https:\\kept.example>`, `<a href=//kept.example class=comment>`, `<a href=//b.shop.example:8080/ rel="&#115;ponsored">`, `<a href=//friend.example>`,
	`<a href=/own>`, `<a href=//www.own.example>`, `<a href=mailto:x@out.example>`, `<a href=javascript:x>`, `<a>`, "<a href=\"ht\ntps:/&#x2f;out.example\">",
	`<a href=//out.example href=/own rel=x rel=nofollow>`, `<a/href=//out.example/>`, `<div class=quiet>`, `<span class="x quiet">`, `<section class=quiet data-nosnippet>`,
	`<div class=Quiet>`, `<p class=quiet>`, `<DIV CLASS=quiet`, `<base href=/>`, `<base href=//cdn.example>`, `<a href=x>`, `<a href=" //out.example">`,
}

var linksVocabulary = func() (v []string) {
	for _, w := range vocabulary {
		// A meta would be edited for other reasons; frameset stands below.
		if l := strings.ToLower(w); !strings.Contains(l, "meta") && !strings.Contains(l, "frameset") && !strings.Contains(l, "plaintext") {
			v = append(v, w)
		}
	}
	for range 5 {
		v = append(v, linksProbes...)
	}
	return v
}()

// linksDefects are the reasons why parse5's tree may hold other links than we see: one of defects, and our own
// departures, each with a pattern of the pages it can concern and a page that shows it.
var linksDefects = map[string]struct {
	concern *regexp.Regexp
	shown   string
}{
	"takes CDATA in an integration point for a comment":                {regexp.MustCompile(`(?is)<(svg|math).*<!\[CDATA\[`), "<math><mo><![CDATA[a><a href=//out.example>x"},
	"we leave alone a link of a template that is opened anew after it": {regexp.MustCompile(`(?is)<template.*<(applet|marquee|object|td|th|caption)`), "<template><a href=//out.example><object></template>x"},
}

// linksSite writes a Hugo site of pages as they are, in two sections, and returns their files from the publish folder.
func linksSite(t *testing.T, dir string, pages []string) (files []string) {
	t.Helper()
	write(t, filepath.Join(dir, "hugo.toml"), "baseURL = \"https://own.example/\"\ndisableKinds = [\"taxonomy\", \"term\", \"RSS\", \"sitemap\", \"home\", \"section\", \"404\", \"robotsTXT\"]\n")
	write(t, filepath.Join(dir, "layouts", "all.html"), `{{ readFile (printf "nasty/%s.html" .File.ContentBaseName) | safeHTML }}`)
	for i, page := range pages {
		section := []string{"forum", "notes"}[i%2]
		write(t, filepath.Join(dir, "content", section, fmt.Sprintf("p%d.md", i)), "---\ntitle: x\n---\n")
		write(t, filepath.Join(dir, "nasty", fmt.Sprintf("p%d.html", i)), page)
		files = append(files, fmt.Sprintf("%s/p%d/index.html", section, i))
	}
	return files
}

// [robots.links] on nasty pages, through build and through apply: what parse5 makes of a page differs in nothing but
// what is asked for, a second run changes nothing, and without the configuration the bytes are those that were.
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
			info, err := os.Stat(filepath.Join(public, f))
			if err != nil {
				t.Fatal(err)
			}
			texts, changed = append(texts, read(t, filepath.Join(public, f))), append(changed, info.ModTime())
		}
		return texts, changed
	}
	same := func(what string, got, want []string) {
		t.Helper()
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: %s is\n%q\nwant\n%q", what, files[i], got[i], want[i])
			}
		}
	}
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
	if r := finish(t, command("check", "--quiet", "-s", dir)); r.code != 1 {
		t.Errorf("check without links: exit code %d", r.code)
	}
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

	c := node(t, "--input-type=module")
	c.Args = append(c.Args, "-e", linksScript)
	var questions, out, errs bytes.Buffer
	for i := range files {
		section, _, _ := strings.Cut(files[i], "/")
		if err := json.NewEncoder(&questions).Encode(struct {
			Before, After []byte
			Section       string
		}{[]byte(before[i]), []byte(after[i]), section}); err != nil {
			t.Fatal(err)
		}
	}
	c.Stdin, c.Stdout, c.Stderr = &questions, &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	pagesDone, changed, known, links, snippets := 0, 0, 0, 0, 0
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); pagesDone++ {
		var answer struct {
			Fault           string
			Links, Snippets int
		}
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		i := pagesDone
		explained := slices.ContainsFunc(reasons, func(r string) bool { return linksDefects[r].concern.MatchString(pages[i]) })
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
	if pagesDone != count {
		t.Fatalf("parse5 answers for %d pages", pagesDone)
	}
	if links < 300 || snippets < 50 || changed < count/3 || changed > count*9/10 {
		t.Errorf("%d links, %d snippets on %d changed pages are too few, or all, and prove nothing", links, snippets, changed)
	}
	if known > count/20 {
		t.Errorf("%d pages differ for known reasons: they explain too much", known)
	}
	t.Logf("%d pages, %d changed; %d links and %d snippets; %d differ for a known reason", count, changed, links, snippets, known)
}
