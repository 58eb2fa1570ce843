package write_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/internal/write"
)

// folder is a folder of pages with a policy.
type folder struct {
	testing.TB
	dir string
}

func (f folder) put(name, text string) {
	f.Helper()
	tables.Write(f, f.dir, map[string]string{name: text})
}

func (f folder) read(name string) string {
	f.Helper()
	return string(tables.Value(os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name))))(f))
}

func (f folder) plan() *plan.Plan {
	f.Helper()
	ctx := context.Background()
	p := tables.Value(project.Open(ctx, project.Options{WorkDir: f.dir, Getenv: func(string) string { return "" }},
		pages.HTML()))(f)
	f.Cleanup(func() { p.Close() })
	return tables.Value(plan.New(ctx, p))(f)
}

func (f folder) apply(s *plan.Plan) {
	f.Helper()
	tables.Must(f, write.Apply(context.Background(), s, nil))
}

const (
	policyText = "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\nguard.noindex = 1.0\n" +
		"txt.block = [\"ai-training\"]\n[[robots.rules]]\nmatch = [\"/a.html\", \"/x.pdf\"]\nrobots = \"noindex\"\n" +
		"[[robots.links.rules]]\nrel = \"nofollow\"\n"
	page = "<!doctype html><head><meta name=robots content=nosnippet><!-- --><title>x</title></head><p>" +
		"<a href=https://other.example/>x</a>"
)

func site() map[string]string {
	return map[string]string{"metarobots.toml": policyText, "out/index.html": "<!doctype html><title>home</title>",
		"out/a.html": page, "out/x.pdf": "%PDF", "out/robots.txt": "User-agent: *\nDisallow: /b\n",
		"out/_headers": "/c\n  Cache-Control: no-store\n"}
}

// M7a: what is planned is what is written, and a second run writes nothing.
func TestLaw_WhatIsPlannedIsWritten(t *testing.T) {
	for name, text := range map[string]string{
		"no tag":       "<!doctype html><head><meta charset=utf-8><title>x</title><p>x",
		"a tag":        "<!doctype html><head><meta name=robots content=nosnippet><title>x</title><p>x",
		"in the body":  "<!doctype html><head></head><p>x<meta name=robots content=nosnippet>y",
		"tag and link": page,
	} {
		t.Run(name, func(t *testing.T) {
			f := folder{t, tables.Folder(t, site())}
			f.put("out/a.html", text)
			for _, policy := range []string{policyText, strings.NewReplacer(`"noindex"`, `"nofollow"`, `"nofollow"`,
				`"ugc"`).Replace(policyText)} {
				f.put("metarobots.toml", policy)
				s := f.plan()
				before, after, err := s.NewBytes(s.Page("a.html"))
				if err != nil || string(before) != f.read("out/a.html") {
					t.Fatalf("before %q (%v)", before, err)
				}
				f.apply(s)
				if got := f.read("out/a.html"); got != string(after) || got == string(before) {
					t.Errorf("written %q, planned %q", got, after)
				}
				if pages, others := f.plan().Differing(); len(pages)+len(others) > 0 {
					t.Errorf("a second run changes %v %v", pages, others)
				}
			}
		})
	}
}

// M6c: a file that is no longer the planned one is an error, is left alone, and is planned anew by
// the next run. All others are written.
func TestLaw_AFileThatChangedMeanwhileIsNotWritten(t *testing.T) {
	for name, c := range map[string]struct{ file, text string }{
		"its tag, same size":   {"a.html", strings.Replace(page, "nosnippet", "noarchive", 1)},
		"what stands before":   {"a.html", strings.Replace(page, "<meta", "\n<meta", 1)},
		"a comment in a page":  {"a.html", strings.Replace(page, "<!-- -->", "<!--x-->", 1)},
		"a tag more elsewhere": {"a.html", strings.Replace(page, "<p>", "<p><meta name=robots content=notranslate>", 1)},
		"a shorter page":       {"a.html", "<!doctype html>"},
		"robots.txt":           {"robots.txt", "User-agent: *\nDisallow: /c\n"},
		"a longer robots.txt":  {"robots.txt", "User-agent: *\nDisallow: /b\nDisallow: /c\n"},
		"_headers":             {"_headers", "/c\n  X-Robots-Tag: noindex\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := folder{t, tables.Folder(t, site())}
			for _, former := range []bool{false, true} {
				if former { // an earlier run has written, and what it left is taken out
					for _, policy := range []string{policyText, strings.Replace(policyText, "ai-training", "ai-search", 1) +
						"[[robots.rules]]\nmatch = [\"/a.html\"]\nrobots = \"noimageindex\"\n"} {
						f.put("out/"+c.file, site()["out/"+c.file])
						f.put("metarobots.toml", policy)
						if policy == policyText {
							f.apply(f.plan())
						}
					}
				}
				s := f.plan()
				f.put("out/"+c.file, c.text)
				err := write.Apply(context.Background(), s, nil)
				if err == nil || !strings.Contains(err.Error(), "out/"+c.file+": the file has changed since it was read") {
					t.Errorf("after an earlier run %v: %v", former, err)
				}
				if got := f.read("out/" + c.file); got != c.text {
					t.Errorf("after an earlier run %v, it is written: %q", former, got)
				}
				f.apply(f.plan())
				if pages, others := f.plan().Differing(); len(pages)+len(others) > 0 {
					t.Errorf("after an earlier run %v, a third run changes %v %v", former, pages, others)
				}
			}
		})
	}
}
