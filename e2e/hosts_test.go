//go:build e2e

package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// engines are those of hosts/serve.mjs: Cloudflare Pages and Workers static assets in workerd,
// Netlify's command line.
var engines = []string{"pages", "workers", "netlify"}

// hostTargets are the targets with the engines that their _headers file is for.
var hostTargets = []struct {
	target  string
	engines []string
}{
	{"portable", engines},
	{"cloudflare", engines[:2]},
	{"netlify", engines[2:]},
}

// unpublished are files that workerd reads and does not publish, as its host need not do. Where it
// does, the test fails: then they are to be taken out.
var unpublished = []string{"_headers", "_redirects"}

// excused reports whether an engine is known not to serve a file.
func excused(engine, file string) bool {
	return slices.Contains(engines[:2], engine) && slices.Contains(unpublished, file)
}

// published is what metarobots says of a file.
type published struct {
	URL, File string
	Meta      map[string]string
	Header    []string
	Why       []struct{ Layer string }
}

// outcome is the part of --json that counts here.
type outcome struct {
	Pages   []published
	Summary struct {
		Private bool
		Headers []struct{ Rules, Total, GivenUp int }
	}
}

// question and answer are those of hosts/serve.mjs.
type question struct {
	Path   string `json:"path"`
	Host   string `json:"host,omitempty"`
	Header string `json:"header,omitempty"`
}

type answer struct {
	Status int
	Lines  []string
	Body   string
}

// totals adds up what all engines were asked.
type totals struct {
	asked, served, carrying, mismatches int
	turns                               int             // parts of large sites that were asked for
	ran, shown                          map[string]bool // engines, and what artefacts they showed
}

// fewFiles are as many as an engine is always asked for all of; of more files it is asked for a
// quarter, each time for another, unless everything is to be proved.
const fewFiles = 200

// N1-N6: what real engines serve is what metarobots decided, and nothing else carries a header
// (N3a, N6a).
func TestHosts_ServeWhatWasDecided(t *testing.T) {
	t.Parallel()
	installed(t, "hosts/node_modules")
	all := &totals{ran: map[string]bool{}, shown: map[string]bool{}}
	for _, site := range []struct {
		name string
		make func(t *testing.T, target string) (publish string, plan outcome)
		only string // of the targets, where everything is to be proved; empty for all
	}{
		{"example", hostsExample, ""},
		{"names", func(t *testing.T, target string) (string, outcome) { return hostsGenerated(t, target, "") }, ""},
		{"preview", func(t *testing.T, target string) (string, outcome) { // an environment that is not public (N7)
			return hostsGenerated(t, target, "", "-e", "staging")
		}, "cloudflare"},
		{"files", func(t *testing.T, target string) (string, outcome) { // pages are left to their tags (N2)
			return hostsGenerated(t, target, "scope = \"files\"\n")
		}, "portable"},
	} {
		for _, h := range hostTargets {
			if site.only != "" && (site.only != h.target || !everything) {
				continue // the others have read such rules in names
			}
			t.Run(site.name+"/"+h.target, func(t *testing.T) {
				publish, plan := site.make(t, h.target)
				left := map[string]bool{}
				for _, engine := range h.engines {
					compareWithHost(t, all, engine, h.target, publish, plan, left)
				}
				given := plan.Summary.Headers[0].GivenUp
				if whole := everything || len(plan.Pages) <= fewFiles; whole && len(left) != given ||
					len(left) > given {
					t.Errorf("%d pages are served without the header of their decision, metarobots says %d", len(left),
						given)
				}
			})
		}
	}
	for engine := range all.ran {
		for _, name := range unpublished {
			if excused(engine, name) && !all.shown[engine+" "+name] {
				t.Errorf("%s now publishes %s: take it out", engine, name)
			}
		}
	}
	t.Logf("in all: %d paths asked, %d answered with 200, %d of them with an X-Robots-Tag; %d mismatches", all.asked,
		all.served, all.carrying, all.mismatches)
}

// hostsExample builds site-example.
func hostsExample(t *testing.T, target string) (string, outcome) {
	t.Helper()
	dir, policy := siteExample(t, "\n[robots.headers]\ntargets = [\""+target+"\"]\n")
	publish := filepath.Join(dir, "public")
	return publish, planned(t, run(t, 0, "build", "--quiet", "--json", "--policy", policy, "-d", publish))
}

// hostsGenerated generates a site whose names are hard to write as rules, and applies a policy to
// it.
func hostsGenerated(t *testing.T, target, headers string, flags ...string) (string, outcome) {
	t.Helper()
	dir := t.TempDir()
	publish := filepath.Join(dir, "public")
	for _, name := range nastyNames(t) {
		text := "file " + name + "\n"
		if strings.HasSuffix(name, ".html") {
			text = "<!DOCTYPE html>\n<html><head><title>x</title></head><body>" + hex.EncodeToString([]byte(name)) +
				"</body></html>\n"
		}
		write(t, filepath.Join(publish, name), text)
	}
	write(t, filepath.Join(publish, "_headers"), read(t, "testdata/names/_headers"))
	write(t, filepath.Join(publish, "_redirects"), read(t, "testdata/names/_redirects"))
	text := "\n" + read(t, "testdata/names/policy.toml")
	if target != "portable" {
		text += "\n" + read(t, "testdata/names/more.toml")
	}
	policy := filepath.Join(dir, "metarobots.toml")
	write(t, policy,
		"[site]\ngenerator = \"html\"\ndestination = \"public\"\n"+text+"\n[robots.headers]\ntargets = [\""+target+"\"]\n"+headers)
	return publish, planned(t, run(t, 0,
		append([]string{"apply", "--quiet", "--json", "--policy", policy, publish}, flags...)...))
}

func planned(t *testing.T, r result) (o outcome) {
	t.Helper()
	must(t, json.Unmarshal([]byte(r.stdout), &o))
	return o
}

// nastyNames are about 2,000 files.
func nastyNames(t *testing.T) []string {
	names := []string{"index.html", "404.html", "robots.txt", "docs.html", "docs-old.html", "doc.txt", "robots.pdf",
		"a b.html", "über uns.html", "st*r.html",
		"legal/terms.html", "legal/terms.pdf", "legal/TERMS.txt", "legalese.html", "legal.html", "exact/one.txt",
		"exact/one.txt.bak", "exact/one"}
	for _, folder := range tables.Read(t, "testdata/names/folders.txt") {
		for _, file := range tables.Read(t, "testdata/names/files.txt") {
			names = append(names, folder["name"]+"/"+file["name"])
		}
	}
	return names
}

// rewrites are paths of testdata/names/_redirects and the files that stand behind them.
var rewrites = map[string]string{
	"/again/a.pdf": "UPPER/Lower/a.pdf", "/again/x.txt": "UPPER/Lower/x.txt",
	"/again/data.json": "UPPER/Lower/data.json",
	"/once":            "exact/one.txt", "/plain-once": "exact/one",
}

// paths are the request paths, percent-encoded, at which a host may answer for a file: with or
// without .html, index.html and the slash, and in the two spellings of what a URL may hold bare or
// encoded.
func paths(pg published) []string {
	plain := []string{"/" + pg.File}
	dir, base := path.Split("/" + pg.File)
	switch stem, html := strings.CutSuffix(base, ".html"); {
	case base == "index.html":
		plain = append(plain, dir, dir+"index")
		if dir != "/" {
			plain = append(plain, strings.TrimSuffix(dir, "/"))
		}
	case html:
		plain = append(plain, dir+stem, dir+stem+"/")
	}
	all := []string{pg.URL}
	for _, p := range plain {
		encoded := strings.ReplaceAll(url.QueryEscape(p), "+", "%20")
		encoded = strings.NewReplacer("%2F", "/", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A",
			"*").Replace(encoded)
		bare := strings.NewReplacer("%5B", "[", "%5D", "]", "%7C", "|", "%3B", ";", "%3A", ":", "%40", "@", "%3D", "=",
			"%26", "&", "%2B", "+", "%2C", ",", "%24", "$").Replace(encoded)
		all = append(all, encoded, bare)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ask has an engine serve a folder and answer.
func ask(t *testing.T, engine, publish string, questions []question) []answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute) // of all paths, on a busy machine
	defer cancel()
	c := exec.CommandContext(ctx, node(t, "hosts/serve.mjs").Path, "hosts/serve.mjs", engine, publish)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it stops its engine
	c.WaitDelay = 15 * time.Second
	return converse[answer](t, c, questions)
}

// said reads X-Robots-Tag lines as a set: each directive with the crawler it is for, "" for all.
func said(lines []string) map[[2]string]bool {
	set := map[[2]string]bool{}
	for _, line := range lines {
		crawler := ""
		for item := range strings.SplitSeq(line, ",") {
			item = strings.ToLower(strings.TrimSpace(item))
			if name, rest, ok := strings.Cut(item, ":"); ok && !strings.HasPrefix(name, "max-") &&
				name != "unavailable_after" {
				crawler, item = strings.TrimSpace(name), strings.TrimSpace(rest)
			}
			set[[2]string{crawler, item}] = true
		}
	}
	return set
}

// restricting are those of the directives that restrict something.
func restricting(set map[[2]string]bool) map[[2]string]bool {
	set = maps.Clone(set)
	maps.DeleteFunc(set, func(s [2]string, _ bool) bool {
		return slices.Contains([]string{"all", "index", "follow", "max-snippet:-1", "max-image-preview:large",
			"max-video-preview:-1"}, s[1])
	})
	return set
}

func subset(a, b map[[2]string]bool) bool {
	for s := range a {
		if !b[s] {
			return false
		}
	}
	return true
}

// resolved is what header lines come to.
func resolved(t *testing.T, lines []string) string {
	t.Helper()
	return run(t, 0, append([]string{"resolve", "--json"}, lines...)...).stdout
}

// compareWithHost asks an engine for every path of every file, and reports what differs from the
// decisions. Which file an answer is, its body tells. It notes the pages that are left to their
// tag.
func compareWithHost(t *testing.T, all *totals, engine, target, publish string, plan outcome, left map[string]bool) {
	t.Helper()
	start := time.Now()
	byName, byBody := map[string]published{}, map[string][]string{}
	for _, pg := range plan.Pages {
		byName[pg.File] = pg
		sum := sha256.Sum256([]byte(read(t, publish, pg.File)))
		body := hex.EncodeToString(sum[:])
		byBody[body] = append(byBody[body], pg.File)
	}
	files := plan.Pages
	if !everything && len(files) > fewFiles {
		all.turns++
		files = nil
		for i, pg := range plan.Pages {
			if slices.Contains(unpublished, pg.File) || i%4 == all.turns%4 {
				files = append(files, pg)
			}
		}
	}
	questions := []question{{Path: "/"}} // the harness waits until this is served
	about := []string{"index.html"}
	for _, pg := range files {
		for _, p := range paths(pg) {
			questions, about = append(questions, question{Path: p}), append(about, pg.File)
		}
	}
	if _, ok := byName["_redirects"]; ok {
		for from, file := range rewrites {
			questions, about = append(questions, question{Path: from}), append(about, file)
		}
	}
	// A preview host keeps its noindex.
	previews := len(questions)
	if engine == "pages" && target == "cloudflare" {
		for _, pg := range files {
			questions, about = append(questions, question{Path: pg.URL, Host: "version.project.pages.dev"}), append(about, pg.File)
		}
	}
	answers := ask(t, engine, publish, questions)
	all.ran[engine] = true

	var asked, ok, carrying, inPreview, redirects, missing, other int
	var mismatches failures
	wrong := func(format string, args ...any) {
		t.Helper()
		mismatches.errorf(t, engine+": "+format, args...)
	}
	served := map[string]bool{}
	for i, a := range answers {
		asked++
		switch {
		case a.Status == 200:
		case a.Status >= 300 && a.Status < 400:
			redirects++
			continue
		case a.Status == 404 && rewrites[questions[i].Path] == "":
			missing++
			continue
		case excused(engine, about[i]):
			other++
			continue
		default:
			other++
			wrong("%s is answered with %d", questions[i].Path, a.Status)
			continue
		}
		ok++
		file := about[i]
		if files := byBody[a.Body]; len(files) == 0 {
			wrong("%s answers with the bytes of no file", questions[i].Path)
			continue
		} else if !slices.Contains(files, file) {
			file = files[0]
		}
		served[file] = true
		got := said(a.Lines)
		if i >= previews {
			if inPreview++; !got[[2]string{"", "noindex"}] {
				wrong("on a preview host %s carries %q, without noindex", questions[i].Path, a.Lines)
			}
			continue
		}
		pg := byName[file]
		want := said(pg.Header)
		if len(got) > 0 {
			carrying++
		}
		// N7b: what has no policy may get a preview's header.
		if maps.Equal(got, want) || plan.Summary.Private && len(want) == 0 {
			continue
		}
		// N5: the owner's own rules stay as they are written. They may say what was decided in
		// other words, and a page that is left to its tag may have a part of it from them.
		owners := slices.ContainsFunc(pg.Why, func(w struct{ Layer string }) bool { return w.Layer == "found" })
		if owners && len(got) > 0 && maps.Equal(restricting(got), restricting(want)) {
			continue // our header would not have said more
		}
		if html := len(pg.Meta) > 0; html && (len(got) == 0 || (owners || plan.Summary.Private) && subset(got, want)) {
			left[file] = true
			continue
		}
		if !owners || len(got) == 0 || resolved(t, a.Lines) != resolved(t, pg.Header) {
			wrong("%s, which is %s, carries %q, decided is %q", questions[i].Path, file, a.Lines, pg.Header)
		}
	}
	for _, pg := range files {
		// Where two files share a URL, only Netlify knows which it serves there, and the rule can
		// be right for one.
		other, shared := byName[strings.TrimSuffix(pg.File, ".html")+"/index.html"]
		if engine == "netlify" && shared && len(pg.Header) > 0 && !slices.Equal(pg.Header, other.Header) {
			left[pg.File] = true
		}
		if served[pg.File] {
			continue
		}
		if excused(engine, pg.File) {
			all.shown[engine+" "+pg.File] = true
		} else {
			wrong("%s is served at none of its paths %q", pg.File, paths(pg))
		}
	}
	h := plan.Summary.Headers[0]
	t.Logf("%s: %d files of %d, %d rules of ours of %d, %d pages left to their tag; %d paths asked, %d answered "+
		"with 200 (%d on a preview host), %d with an X-Robots-Tag, %d redirects, %d with 404, %d with another "+
		"status; %d mismatches; %.0f s",
		engine, len(files), len(plan.Pages), h.Rules, h.Total, h.GivenUp, asked, ok, inPreview, carrying, redirects,
		missing, other, mismatches, time.Since(start).Seconds())
	all.asked, all.served, all.carrying, all.mismatches = all.asked+asked, all.served+ok, all.carrying+carrying,
		all.mismatches+int(mismatches)
}
