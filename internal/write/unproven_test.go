package write

import (
	"maps"
	"testing"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// unproven is a site, and its plan with a proof that fails.
func unproven(t *testing.T) (dir string, s *plan.Plan) {
	t.Helper()
	dir = tables.Folder(t, map[string]string{
		"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\n" +
			"guard.noindex = 1.0\nheaders.targets = [\"portable\", \"vercel\"]\n" +
			"txt.block = [\"ai-training\"]\n[[robots.rules]]\nmatch = [\"/a.html\", \"/x.pdf\"]\n" +
			"robots = \"noindex\"\n",
		"out/index.html": "<!doctype html><title>home</title>",
		"out/a.html":     "<!doctype html><title>a</title>", "out/x.pdf": "%PDF",
		"out/_headers":   "/c\n  X-Robots-Tag: noindex\n",
		"out/robots.txt": "User-agent: *\nDisallow: /b\n",
	})
	p := tables.Value(project.Open(t.Context(),
		project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML()))(t)
	t.Cleanup(func() { p.Close() })
	s = tables.Value(plan.New(t.Context(), p))(t)
	if pages, others := s.Differing(); len(pages) == 0 || len(others) < 3 {
		t.Fatalf("the run is to write pages and header files, and plans %v %v", pages, others)
	}
	s.HostFiles.Robots[0].Missing = []policy.Finding{{ID: "ai-mismatch", Severity: policy.Error}}
	return dir, s
}

// N3b, S7r, X11d: after a failed proof, apply writes no file, and no state.
func TestLaw_ApplyWritesNothingAfterAFailedProof(t *testing.T) {
	dir, s := unproven(t)
	before := tables.Tree(t, dir)
	tables.Must(t, Apply(t.Context(), s, nil))
	if after := tables.Tree(t, dir); !maps.Equal(before, after) {
		t.Errorf("before:\n%v\nafter:\n%v", before, after)
	}
	s.HostFiles.Robots[0].Missing = nil // else the test would hold of a plan that changes nothing
	tables.Must(t, Apply(t.Context(), s, nil))
	if maps.Equal(before, tables.Tree(t, dir)) {
		t.Error("nothing is written after a proof that holds either")
	}
}

// X11d: after a failed proof, build replaces no published file beside the pages. One that is
// missing is published as the generator made it, since it may restrict something.
func TestLaw_BuildReplacesNothingAfterAFailedProof(t *testing.T) {
	dir, s := unproven(t)
	b := &build{ctx: t.Context(), project: s.Project, publish: disk.NewRoot(s.Project.Settings.Publish),
		before: s.Folder, held: newHeld()}
	b.held.put("_headers", []byte("/other\n  X-Robots-Tag: none\n"))
	b.held.put("sitemap.xml", []byte("<urlset/>"))
	want := tables.Tree(t, dir)
	want["out/sitemap.xml"] = "<urlset/>"
	tables.Must(t, b.end(s))
	if got := tables.Tree(t, dir); !maps.Equal(want, got) {
		t.Errorf("want:\n%v\ngot:\n%v", want, got)
	}
}
