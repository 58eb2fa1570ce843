//go:build e2e

package e2e

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"metarobots/internal/tables"
)

// bothTargets has the headers written for every engine that the readers read from.
const bothTargets = "\n[robots.headers]\ntargets = [\"portable\", \"apache\"]\n"

// explained completes a site with what explain says of each of its files; that has to be what the
// run said that wrote it.
func (site *readersSite) explained(t *testing.T, ran result, explain func(urls []string) result) *readersSite {
	t.Helper()
	type output struct {
		Pages   []readersFile
		Summary struct {
			Headers []struct {
				Target  string
				GivenUp int
			}
		}
	}
	decode := func(r result) (o output, files map[string]published) {
		must(t, json.Unmarshal([]byte(r.stdout), &o))
		files = map[string]published{}
		for _, f := range o.Pages {
			files[f.File] = f.published
		}
		return o, files
	}
	wrote, before := decode(ran)
	site.givenUp = map[string]bool{}
	for _, h := range wrote.Summary.Headers {
		site.givenUp[h.Target] = h.GivenUp > 0
	}
	var urls []string
	for _, f := range wrote.Pages {
		urls = append(urls, f.URL)
	}
	explained, after := decode(explain(urls))
	site.files = explained.Pages
	sameDecisions(t, [2]string{"the run", "explain"}, before, after)
	return site
}

// readersExample is site-example as metarobots builds it.
func readersExample(t *testing.T) *readersSite {
	t.Helper()
	dir, policy := siteExample(t, bothTargets)
	publish := filepath.Join(dir, "public")
	site := &readersSite{publish: publish}
	return site.explained(t, run(t, 0, "build", "--quiet", "--json", "--policy", policy, "-d", publish),
		explainBy(t, policy, publish))
}

// explainBy asks explain about URLs, by a policy.
func explainBy(t *testing.T, policy, publish string) func(urls []string) result {
	return func(urls []string) result {
		args := []string{"explain", "--quiet", "--json", "--policy", policy, "-d", publish}
		return run(t, 0, append(args, urls...)...)
	}
}

// nastyFolders are the folders of the nasty site with the rule on each, and what the owner means by
// it, in header lines.
var nastyFolders = []struct {
	name, rule string
	means      []string
}{
	{"open", "", nil},
	{"hidden", `robots = "noindex"`, []string{"noindex"}},
	{"closed", `robots = "noindex, nofollow"`, []string{"noindex, nofollow"}},
	{"dry", `robots = "noarchive"` + "\n" + `agents = { googlebot = "nosnippet", bingbot = "noindex" }`,
		[]string{"noarchive", "googlebot: nosnippet", "bingbot: noindex"}},
	{"brief", `robots = "max-snippet:40, max-image-preview:standard"`,
		[]string{"max-snippet:40, max-image-preview:standard"}},
	{"late", `robots = "unavailable_after: 2099-12-31"` + "\n" + `agents = { googlebot = "noimageindex" }`,
		[]string{"unavailable_after: 2099-12-31T00:00:00Z", "googlebot: noimageindex"}},
	{"own", `agents = { bingbot = "nofollow", googlebot = "noindex" }`,
		[]string{"bingbot: nofollow", "googlebot: noindex"}},
}

// nastyMeans is what the owner of the nasty site means a file to say, beside what stands in it:
// nothing for error and redirect pages and control files (L3, L4, L6).
func nastyMeans(file string) []string {
	folder, base, _ := strings.Cut(file, "/")
	for _, f := range nastyFolders {
		if f.name == folder && base != "away.html" {
			return f.means
		}
	}
	return nil
}

// plainTag is the tag that traps are made with.
const plainTag = `name="robots" content="noindex"`

// nastySurroundings are what may stand before and after.
var nastySurroundings = [][2]string{
	{"", ""},
	{"<!doctype html>\r\n", "\r\n"},
	{"<!doctype html>\r<html>\r<head>\r<!-- a comment -->\r", "\r"},
	{"\ufeff<!doctype html>\n", "\n"},
	{"<!doctype html><html lang=de><meta charset=utf-8><title>\u00fcber \U0001f33f</title>", "<p>\u00fcber"},
	{"<!doctype html><meta charset=windows-1252><title>\xfcber</title>", "<p>\xfcber\x80"},
	{"<!doctype html><meta charset=shift_jis><title>\x83\x5c\x83\x7c</title>", "<p>\x83\x5c"},
	{"<!doctype html><meta http-equiv=content-type content='text/html; charset=gbk'><title>\xc4\xe3\xba\xc3</title>",
		""},
	{"<!doctype html><head><style>" + strings.Repeat("/* <meta name=robots content=nofollow> */ a > b { c: d }\n",
		1_200) + "</style><script type=application/ld+json>{\"a\": \"</head>\"}</script>", ""},
	{"<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" " +
		"\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\n<html xmlns=\"http://www.w3.org/1999/xhtml\">", ""},
}

// oddNames are names that hosts and headers have their own ideas of.
var oddNames = []string{
	"a b", "  two", "100%", "50%25", "%41", "\u00fcber uns", "e\u0301", "\u65e5\u672c\u8a9e", "leaf \U0001f33f",
	"(parens)", "dots...", "a.b.c", "a+b", "c++", "1=1", "x&y", "semi;colon",
	"at@home", "a,b", "us$", "[brackets]", "it's", "hash#tag", "what?", "caret^", "back`tick", "{curly}", "pipe|line",
	"~tilde", "wow!", "UPPER", `"quoted"`, "<angle>", "12:30",
}

// readersNasty generates a site of everything that readers of pages and hosts can trip over, keeps
// it as written, and applies a policy to it. The same pages come every time.
func readersNasty(t *testing.T) *readersSite {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 2))
	dir := servedFolder(t)
	site := &readersSite{publish: filepath.Join(dir, "public"), written: filepath.Join(dir, "written"),
		wanted: nastyMeans}
	add := func(name, text string) { write(t, filepath.Join(site.written, name), text) }

	var traps []string
	for _, row := range tables.Read(t, "testdata/traps.txt") {
		traps = append(traps, row["page"])
	}
	for _, trap := range readTraps(t) {
		traps = append(traps, trap.Page)
	}
	folder := func() string { return nastyFolders[r.IntN(len(nastyFolders))].name }
	names := []string{"robots", "robots", "robots", "googlebot", "bingbot"}
	says := []string{"noindex", "noindex", "nofollow", "noarchive", "nosnippet", "none", "noindex, nofollow",
		"max-snippet:10", "noimageindex", "notranslate", "NoIndex"}
	page := 0
	html := func(text string) {
		name := fmt.Sprintf("%s/p%d.html", folder(), page)
		switch page % 10 {
		case 3:
			name = fmt.Sprintf("%s/%d %s.html", folder(), page, oddNames[page/10%len(oddNames)])
		case 6:
			name = fmt.Sprintf("%s/d%d/index.html", folder(), page)
		}
		page++
		add(name, text)
	}
	for _, trap := range traps {
		// As it is, in a page, and with another crawler and directive somewhere.
		html(trap)
		html("<!doctype html>\n<title>x</title>" + trap)
		s := nastySurroundings[r.IntN(len(nastySurroundings))]
		said := fmt.Sprintf("name=%q content=%q", names[r.IntN(len(names))], says[r.IntN(len(says))])
		html(s[0] + strings.ReplaceAll(trap, plainTag, said) + s[1])
	}
	for i := range choose(100, 600) {
		text := soup(r)
		if i%2 == 1 {
			text = broken(r, text)
		}
		html("<!doctype html>" + strings.ReplaceAll(text, "content=x", "content=noindex"))
	}

	// What has its own role.
	wide := func(text string, order binary.AppendByteOrder) string {
		b := []byte{}
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			b = order.AppendUint16(b, u)
		}
		return string(b)
	}
	simple := "<!doctype html><title>x</title><meta " + plainTag + "><p>shown"
	add("index.html", "<!doctype html><title>home</title><h1>Home</h1>")
	add("404.html", "<!doctype html><title>not found</title><meta "+plainTag+"><h1>Not found</h1>")
	add("hidden/away.html", "<!doctype html><title>away</title><meta http-equiv=refresh content='0; url=/open/'><meta "+plainTag+">")
	add("open/index.html", "<!doctype html><title>open</title><h1>Open</h1>")
	add("open/space.html", "<!doctype html><title>x</title><meta name=\"&nbsp;robots\" content=\"noindex\"><p>shown")
	add("dry/wide.html", wide(simple, binary.LittleEndian))
	add("open/wide.html", wide(simple, binary.BigEndian))
	add("dry/fragment.html", "<p>shown<meta "+plainTag+">")
	add("hidden/fragment.html", "<p>shown")
	add("late/empty.html", "")
	add("robots.txt", "User-agent: *\nDisallow:\n")

	// What only headers can speak for.
	for i, name := range oddNames {
		add(folder()+"/"+name+".pdf", fmt.Sprintf("%%PDF-1.4 %d\n", i))
		add(folder()+"/"+name+"/"+[]string{"feed.xml", "pic.png", "data.json", "no-suffix", "Read Me.TXT"}[i%5],
			fmt.Sprintf("file %d\n", i))
	}
	for _, f := range nastyFolders {
		for _, suffix := range []string{"pdf", "xml", "png", "json", "txt", "svg"} {
			add(f.name+"/file."+suffix, "file "+f.name+suffix+"\n")
		}
	}

	must(t, os.CopyFS(site.publish, os.DirFS(site.written)))
	policy := "[site]\ngenerator = \"html\"\ndestination = \"public\"\n[robots]\nguard = { noindex = 1.0 }\n"
	for _, f := range nastyFolders {
		if f.rule != "" {
			policy += fmt.Sprintf("[[robots.rules]]\nmatch = [\"/%s/**\"]\n%s\n", f.name, f.rule)
		}
	}
	file := filepath.Join(dir, "metarobots.toml")
	write(t, file, policy+bothTargets)
	return site.explained(t, run(t, 0, "apply", "--quiet", "--json", "--policy", file, site.publish),
		explainBy(t, file, site.publish))
}
