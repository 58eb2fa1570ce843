package policy

import (
	"flag"
	"os"
	"strings"
	"testing"
	"text/template"
)

var update = flag.Bool("update", false, "write docs/crawlers.md")

// docs/crawlers.md lists what each word of [robots.txt] block covers, and which directives deny a use.
func TestHouse_CrawlersAreDocumented(t *testing.T) {
	const file = "../docs/crawlers.md"
	page := template.Must(template.New("crawlers.md.tmpl").Funcs(template.FuncMap{"asOf": CrawlersAsOf,
		"crawlers": AllCrawlers, "join": strings.Join}).ParseFiles("testdata/crawlers.md.tmpl"))
	var b strings.Builder
	if err := page.Execute(&b, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != b.String() {
		t.Errorf("%v; %s is not what policy/crawlers.json says; -update writes it", err, file)
	}
}
