package policy

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/crawlers.md")

const crawlersIntroduction = `# Crawlers of AI vendors

<!-- Made from policy/crawlers.json by: go test ./policy -run CrawlersAreDocumented -update -->

What ` + "`[robots.txt] block`" + ` covers, crawler by crawler, as of %s. metarobots writes a group with ` + "`Disallow: /`" + ` for each.

Crawlers of search engines that also feed answers (Googlebot, Bingbot, Applebot) are not in these lists: to block them is to leave the
search. To keep such a search engine from training, block its token for that, ` + "`Google-Extended` or `Applebot-Extended`" + `. It is a
name in robots.txt only: no request has it as its user agent.
`

const taggedIntroduction = `
## What tags and headers deny

Some vendors document directives that deny a use, in a robots tag or in ` + "`X-Robots-Tag`" + `, to everyone or to that crawler. A crawler reads them
only where robots.txt lets it fetch the page.

| crawler | of | use | denied by | source |
|---|---|---|---|---|
`

// docs/crawlers.md lists what each word of [robots.txt] block covers, and which directives deny a use.
func TestHouse_CrawlersAreDocumented(t *testing.T) {
	const file = "../docs/crawlers.md"
	var b strings.Builder
	fmt.Fprintf(&b, crawlersIntroduction, CrawlersAsOf())
	for _, p := range []struct {
		purpose Purpose
		text    string
	}{
		{AITraining, "They fetch pages to train models, or stand for the use of pages for training."},
		{AISearch, "They fetch pages for an index from which answers quote, with a link."},
		{AIUser, "They fetch a page when somebody asks about it. " +
			"Some do not obey robots.txt then. To keep them out, block them on the server."},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| crawler | of | obeys robots.txt | source |\n|---|---|---|---|\n",
			p.purpose, p.text)
		for _, c := range AllCrawlers() {
			if c.Purpose != p.purpose {
				continue
			}
			obeys := "yes"
			switch {
			case c.TokenOnly:
				obeys = "yes, as a name only"
			case c.MayIgnore:
				obeys = "not always"
			case c.SecondHand:
				obeys = "not documented"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Token, c.Operator, obeys, c.Sources[0])
		}
	}
	b.WriteString(taggedIntroduction)
	for _, c := range AllCrawlers() {
		for _, u := range c.Uses {
			if words := strings.Join(u.Unless, "`, `"); words != "" {
				fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` | %s |\n", c.Token, c.Operator, u.Of, words, u.Source)
			}
		}
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
