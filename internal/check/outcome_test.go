package check

import (
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// What the owner accepts is counted and left out, by ID and URL; an entry that takes nothing out is
// a warning at its line.
func TestHouse_AcceptedFindingsAreCounted(t *testing.T) {
	s := planned(t, tables.Row{"files": "out/index.html= + out/a.html= + out/a.pdf=",
		"policy": `[robots]
suppress = [
  { id = "page-files", match = ["/a.pdf"] },
  { id = "page-files", match = ["/gone.pdf"] },
]
[[robots.rules]]
match = ["/a.html"]
robots = "noindex"
[robots.guard]
noindex = 1.0
`})
	o := Run(s)
	compare(t, o.Findings, "warning suppress metarobots.toml:8 ~ page-files")
	if o.Suppressed != 1 {
		t.Errorf("%d findings are suppressed", o.Suppressed)
	}
}

// What a template does to many files is one finding with two more URLs. A file of an author's has a
// finding of its own, unless it is a note; so is what differs in its words or its severity.
func TestHouse_OneCauseIsToldOnce(t *testing.T) {
	s := planned(t, tables.Row{"files": "out/index.html="})
	finding := func(severity policy.Severity, file, url, message string) policy.Finding {
		return policy.Finding{ID: "x", Severity: severity, File: file, URL: url, Message: message}
	}
	compare(t, Once(s, []policy.Finding{
		finding(policy.Warning, "out/a.html", "/a.html", "bad"),
		finding(policy.Warning, "src/a.md", "/a.html", "bad"),
		finding(policy.Warning, "src/b.md", "/b.html", "bad"),
		finding(policy.Warning, "out/b.html", "/b.html", "bad"),
		finding(policy.Warning, "out/c.html", "/c.html", "bad"),
		finding(policy.Warning, "out/d.html", "/d.html", "bad"),
		finding(policy.Error, "out/e.html", "/e.html", "bad"),
		finding(policy.Warning, "out/f.html", "/f.html", "worse"),
		finding(policy.Note, "src/a.md", "", "a note"),
		finding(policy.Note, "src/b.md", "", "a note"),
		finding(policy.Note, "src/versions.json", "", "two languages"),
		finding(policy.Note, "src/versions.json", "", "two languages"),
		finding(policy.Warning, "out/llms.txt", "/llms.txt", "listed"),
		finding(policy.Warning, "out/llms.txt", "/llms.txt", "listed"),
		finding(policy.Note, "", "", "no file"),
		finding(policy.Note, "", "", "no file"),
	}),
		"warning x out/a.html:0 /a.html ~ bad. The same goes for /b.html, /c.html and 1 more",
		"warning x src/a.md:0 /a.html ~ bad",
		"warning x src/b.md:0 /b.html ~ bad",
		"error x out/e.html:0 /e.html ~ bad",
		"warning x out/f.html:0 /f.html ~ worse",
		"note x src/a.md:0 ~ a note. The same goes for src/b.md",
		"note x src/versions.json:0 ~ two languages",
		"warning x out/llms.txt:0 /llms.txt ~ listed",
		"warning x out/llms.txt:0 /llms.txt ~ listed",
		"note x :0 ~ no file",
		"note x :0 ~ no file")
}
