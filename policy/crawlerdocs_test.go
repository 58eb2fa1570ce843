package policy

import (
	"flag"
	"os"
	"strings"
	"testing"
	"text/template"

	"metarobots/internal/tables"
)

var update = flag.Bool("update", false, "write docs/crawlers.md")

// docs/crawlers.md lists what each word of [robots.txt] block covers, and which directives deny a use.
func TestHouse_CrawlersAreDocumented(t *testing.T) {
	const file = "../docs/crawlers.md"
	page := template.Must(template.New("crawlers.md.tmpl").Funcs(template.FuncMap{"asOf": CrawlersAsOf,
		"crawlers": AllCrawlers, "join": strings.Join}).ParseFiles("testdata/crawlers.md.tmpl"))
	var b strings.Builder
	tables.Must(t, page.Execute(&b, nil))
	if *update {
		tables.Must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != b.String() {
		t.Errorf("%v; %s is not what policy/crawlers.json says; -update writes it", err, file)
	}
}
