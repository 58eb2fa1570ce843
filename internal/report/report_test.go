package report

import (
	"encoding/csv"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/internal/findings"
	"metarobots/internal/printable"
	"metarobots/internal/published"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func TestHouse_ReportsAreTheirSamples(t *testing.T) {
	for _, f := range Formats {
		if f == HTML {
			continue // what stands in it is tested in html_test.go, how it works in e2e
		}
		name := "testdata/garden." + string(f)
		d := garden()
		got := written(t, f, d, made2026)
		golden(t, name, got)
		if again := written(t, f, d, made2026); again != got {
			t.Errorf("%s: the second time it differs", name)
		}
		if !reflect.DeepEqual(d, garden()) {
			t.Errorf("%s: the data has changed", name)
		}
	}
}

func TestHouse_EndingsNameFormats(t *testing.T) {
	for _, c := range []struct {
		file string
		want Format
	}{
		{"report.html", HTML}, {"out/REPORT.HTM", HTML}, {"summary.md", Markdown}, {"a.markdown", Markdown},
		{"a.json", JSON},
		{"a.sarif", SARIF}, {"a.sarif.json", SARIF}, {"a.csv", CSV}, {"sarif.json", JSON},
		{"report", ""}, {"report.txt", ""}, {"", ""}, {"out.html/report", ""},
	} {
		got, err := FormatOf(c.file)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: got %q, %v; want %q", c.file, got, err, c.want)
		}
		if c.want == SARIF { // what a site answers stands in no file
			c.want = ""
		}
		if got, err := DeployedFormat(c.file); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s of a deployment: got %q, %v; want %q", c.file, got, err, c.want)
		}
	}
	for _, f := range Formats {
		if got, err := ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("%s: %q, %v", f, got, err)
		}
	}
	for ending, want := range map[string]Format{"md": Markdown, "MD": Markdown, "htm": HTML} {
		if got, err := ParseFormat(ending); got != want || err != nil {
			t.Errorf("--format %s is %q, %v", ending, got, err)
		}
	}
	if _, err := ParseFormat("pdf"); err == nil {
		t.Error("pdf is a format")
	}
}

// X: what --json prints is read, and the format json is that again (X9c).
func TestHouse_JSONIsRead(t *testing.T) {
	for name, d := range map[string]*Data{"garden": garden(), "attacked": attacked(hostile)} {
		text := written(t, JSON, d, time.Time{})
		again := tables.Value(fromJSON([]byte(text)))(t)
		if second := written(t, JSON, again, time.Time{}); second != text {
			t.Errorf("%s: got\n%s\nwant\n%s", name, second, text)
		}
		if strings.Contains(text, "null") {
			t.Errorf("%s: a list is null", name)
		}
	}
}

// Without a baseline the pages are shown that an earlier run left in the index.
func TestHouse_NewlyNoindexSinceAnEarlierRun(t *testing.T) {
	d := garden()
	d.Changes = nil
	d.Summary.Hosts = map[string]string{"/": "https://example.org/garden/"}
	d.Summary.NewlyNoindex = []string{"https://example.org/garden/imprint/"}
	const want = "## Newly noindex since an earlier run\n\n| URL | Because |\n| --- | --- |\n| `https://example.org/garden/imprint/` | Visibility `robots.visibility.types.legal`, `config.toml:115` |\n"
	if text := written(t, Markdown, d, time.Time{}); !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// A client reads what crawlers may do and what is wrong with the site, not what its owner has to
// configure or to write.
func TestHouse_ClientReadsNothingOfConfiguration(t *testing.T) {
	d := garden()
	d.NotWritten, d.Summary.NewlyNoindex = 3, []string{"/imprint/"}
	d.Title, d.Client = "Robots audit", true
	d.Pages = append(d.Pages, result.Page{URL: "/old/", File: "old/index.html", Role: "page",
		Meta: map[string]string{"robots": "noindex"},
		Why:  []result.Why{why(policy.LayerFound, "old/index.html", 3, "meta robots", "noindex")}})
	decide(d)
	d.Findings = append(d.Findings, policy.Finding{ID: "guard", Severity: policy.Error, File: "layouts/head.html", Line: 3,
		Message: "the home page is noindex in production", Fix: ". If this is intended, set robots.guard.allow = true"})
	for _, format := range []Format{Markdown, HTML} {
		text := written(t, format, d, made2026)
		if format == Markdown {
			golden(t, "testdata/client.markdown", text)
		}
		for _, want := range []string{"Robots audit", "Botanic Garden · 20 November 2026",
			"Robots tags outside the head", "robots.txt keeps crawlers from reading noindex", "2 errors, 2 warnings",
			"site's developer: In the template", "developer: Correct the line that the finding names.", "Directives",
			"The site's settings", "The page's own settings", "A robots tag in the page",
			"old/index.html:3"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", format, want, text)
			}
		}
		for _, owners := range []string{"`apply`", "earlier run", "_headers", "Policy:", "meta-in-body", "robots.guard", "[robots", "How to fix",
			"uppress", "robots.visibility", "robots.rules", "robots.archive", "config.toml", "Visibility", "theme", "ront matter"} {
			if strings.Contains(text, owners) {
				t.Errorf("%s: %q is for the owner", format, owners)
			}
		}
		// X13c
		if fix, table := strings.Index(text, "site's developer"), strings.LastIndex(text, "Pages kept out of search"); fix > table {
			t.Errorf("%s: the noindex pages come before what is to be fixed", format)
		}
	}
}

// X13l: one number is the same wherever it is said, and what it leaves out has a word of its own.
func TestHouse_OneCountEverywhere(t *testing.T) {
	d := garden()
	d.Asked = "This is what https://example.org/ answers to requests for 5 URLs."
	d.Pages = []result.Page{{URL: "/", Role: "page"}, {URL: "/shut/", Role: seen.Disallowed}, {URL: "/shut/b/", Role: seen.Disallowed},
		{URL: "/gone/", Role: "error"}, {URL: "/old/", Role: "redirect"}}
	d.Changes = &snapshot.Changes{NewlyNoindex: make([]snapshot.Change, 17), Removed: make([]snapshot.Change, 3)}
	d.Findings = []policy.Finding{
		{ID: "baseline", Severity: policy.Error, URL: "/a/", Message: "17 URLs became noindex"},
		{ID: "guard", Severity: policy.Error, URLs: 7, Message: "x"}, {ID: "guard", Severity: policy.Error, URLs: 2, Message: "y"}}
	text := written(t, Markdown, d, time.Time{})
	for _, want := range []string{
		"More has changed than the baseline allows (17 newly noindex)", "### Error: More has changed than the baseline allows (17 newly noindex)",
		"Too much of the site is noindex (9 URLs)", "### Error: Too much of the site is noindex (9 URLs)",
		"Not counted as pages or files: 2 that robots.txt disallows, 1 without an answer that can be read, 1 that redirect.",
		"- **2** blocked URLs:", "- **1** unreadable URL:", "- **1** redirect:", "Style sheets, scripts and fonts that nothing restricts are not compared."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "technical file") {
		t.Error("a URL that was not read is called a technical file")
	}
}

// X13l: of the pages of a folder, those that robots.txt keeps Google's crawler from are said beside
// the count of indexable ones.
func TestHouse_DisallowedPagesAreSaidBesideIndexableOnes(t *testing.T) {
	d := garden()
	for i, crawler := range []string{"googlebot, bingbot", "every other crawler"} {
		d.Pages = append(d.Pages, result.Page{URL: fmt.Sprintf("/x%d/", i), Role: "page", Asked: result.Asked{
			RobotsTxt: []seen.Fetch{{Crawler: "gptbot", Allowed: true}, {Crawler: crawler}}}})
	}
	want := "robots.txt keeps Google's crawler from " + number(newView(garden()).ShutPages()+2, "page") + ", whatever else is said"
	if text := written(t, Markdown, d, time.Time{}); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// X13m: sections with restricted pages come first, and none of them is left out of the table.
func TestHouse_SectionsWithRestrictionsComeFirst(t *testing.T) {
	d := &Data{}
	add := func(section, directives string, pages int) {
		for i := range pages {
			p := result.Page{URL: fmt.Sprintf("/%s/%d/", section, i), Role: "page",
				Facts: result.Facts{Section: section}}
			if directives != "" && i == 0 {
				p.Meta = map[string]string{"robots": directives}
			}
			d.Pages = append(d.Pages, p)
		}
	}
	for i := range sectionsListed {
		add(fmt.Sprintf("open%03d", i), "", 3)
	}
	add("snippets", "nosnippet", 2)
	add("hidden", "noindex", 1)
	text := written(t, Markdown, d, time.Time{})
	const want = "| `hidden` | 1 | 0 | 0 | 1 | 100% |\n| `snippets` | 2 | 1 | 1 | 0 | 0% |\n| `open000` |"
	if !strings.Contains(text, want) || !strings.Contains(text, "And 2 more, all of whose pages may be indexed without restriction.") {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// X13n: a client's report has plain words, and explains those of the field.
func TestHouse_ClientReadsPlainWords(t *testing.T) {
	d := garden()
	d.Client = true
	d.Findings = append(d.Findings, policy.Finding{ID: "deployed-unreachable", Severity: policy.Error, URL: "/x/", Message: "status 404"},
		policy.Finding{ID: "meta-in-body", Severity: policy.Warning, File: "b.html", Line: 2,
			Message: "a robots tag is in the body: some crawlers obey it, so it counts, and the head gets it"})
	for _, format := range []Format{Markdown, HTML} {
		text := written(t, format, d, time.Time{})
		for _, want := range []string{"Words used here", "noindex", "a note with which a page asks search engines to keep it out",
			"(the last part explains the words)", "partly hidden page", "hidden page", "open page", "Addresses of the site that cannot be read"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", format, want)
			}
		}
		for _, ours := range []string{"technical file", "limited page", "deployed site", "the head gets it"} {
			if strings.Contains(text, ours) {
				t.Errorf("%s: %q is no word of a client's", format, ours)
			}
		}
	}
}

// X13j, X13d: a client reads that a host reads no header file, on which restrictions rest, and that
// links are not checked because nobody knows the site's address. No check of links is then called
// one that found nothing.
func TestHouse_ClientReadsWhatWasNotChecked(t *testing.T) {
	d := garden()
	d.LeavesLinks = true
	d.Findings = append(d.Findings,
		policy.Finding{ID: "no-header", Severity: policy.Warning, URL: "/a.pdf", Message: "only a header can restrict /a.pdf, and " +
			"GitHub Pages (by CNAME) does not read _headers"},
		policy.Finding{ID: "no-base-url", Severity: policy.Note, File: "a.html", Message: "not checked"})
	for _, client := range []bool{false, true} {
		d.Client = client
		text := written(t, Markdown, d, time.Time{})
		for _, want := range []string{"### Warning: Files that the host cannot restrict", "GitHub Pages (by CNAME) does not read",
			"- **Canonical and hreflang links**: the address of the site is not known"} {
			if !strings.Contains(text, want) {
				t.Errorf("client %v: no %q in\n%s", client, want, text)
			}
		}
		if strings.Contains(text, "Canonical links to noindex pages") {
			t.Errorf("client %v: a check of links is said to have found nothing", client)
		}
	}
}

// What is to be fixed comes first, with the number of URLs; then what was checked without a finding
// (X13c, X13d).
func TestHouse_ReportsBeginWithWhatIsToBeFixed(t *testing.T) {
	d := garden()
	d.Findings = append(d.Findings, policy.Finding{ID: "guard", Severity: policy.Error, File: "a.html", Line: 3,
		Message: "x"}, policy.Finding{ID: "guard", Severity: policy.Error, URL: "/a/", URLs: 7, Message: "y"})
	quiet := garden()
	quiet.Findings = nil
	for _, c := range []struct {
		name string
		data *Data
		want []string
	}{
		{"two errors", d, []string{"**Two things to fix first:** Too much of the site is noindex (7 URLs); robots.txt keeps " +
			"crawlers from reading noindex (1 URL).\n", "- **What has changed**: no snapshot"}},
		{"nothing", quiet, []string{"**Nothing to fix.** Looked at: 6 pages and 5 other files.\n",
			"- **The site**: Twins of pages may be indexed; ", "- **Sitemaps**: the site publishes none"}},
		{"no file", &Data{}, []string{"**Nothing was checked: there are no files.**"}},
	} {
		c.data.Changes = nil
		text := written(t, Markdown, c.data, made2026)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		for _, kind := range c.data.Findings {
			g := group{ID: kind.ID}
			if _, list, _ := strings.Cut(text, "These checks found nothing, or do not concern this site:"); strings.Contains(list, g.Title()+";") {
				t.Errorf("%s: %s has a finding", c.name, kind.ID)
			}
		}
		if strings.Count(text, "<details>") != min(len(c.data.Pages), 1) {
			t.Errorf("%s: the list of checks is not closed", c.name)
		}
	}
}

// The snapshot of the data and that of its JSON are the same.
func TestHouse_SnapshotOfTheDataAndOfItsJSON(t *testing.T) {
	d := garden()
	d.Summary.Hosts = map[string]string{"/": "https://example.org/docs/"}
	s := tables.Value(snapshot.Read(strings.NewReader(written(t, JSON, d, time.Time{}))))(t)
	of := snapshot.New(&d.Summary, slices.Values(d.Pages))
	if want := d.Summary.Hosts; !maps.Equal(s.Hosts, want) || !maps.Equal(of.Hosts, want) {
		t.Errorf("hosts %v and %v, want %v", s.Hosts, of.Hosts, want)
	}
	if c := snapshot.Diff(of, s); !c.Empty() || len(s.Entries) != len(d.Pages) {
		t.Errorf("%d entries, %+v", len(s.Entries), c)
	}
}

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts: one line is one command.
func TestGitHub_NothingBreaksOutOfAnAnnotation(t *testing.T) {
	d := attacked(hostile)
	lines := strings.Split(strings.TrimSuffix(written(t, GitHub, d, time.Time{}), "\n"), "\n")
	if len(lines) != len(d.Findings) {
		t.Fatalf("%d lines for %d findings:\n%s", len(lines), len(d.Findings), strings.Join(lines, "\n"))
	}
	for i, g := range slices.Concat(groups(d.Findings)) {
		said, message, ok := strings.Cut(strings.TrimPrefix(lines[i], "::"), "::")
		name, properties, _ := strings.Cut(said, " ")
		if !ok || name != command(g.Severity) {
			t.Errorf("%s: the command is %q", lines[i], name)
		}
		unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
		f := g.Findings[0]
		want := printable.Line(f.Text())
		if f.URL != "" {
			want = printable.Line(f.URL + ": " + f.Text())
		}
		if got := unescape.Replace(message); got != want {
			t.Errorf("message %q, want %q", got, want)
		}
		for _, p := range strings.Split(properties, ",") {
			name, value, _ := strings.Cut(p, "=")
			switch got := unescape.Replace(value); name {
			case "file":
				if got != printable.Line(f.File) {
					t.Errorf("file %q, want %q", got, f.File)
				}
			case "line":
				if got != fmt.Sprint(f.Line) {
					t.Errorf("line %q, want %d", got, f.Line)
				}
			case "title":
			default:
				t.Errorf("%s: property %q", lines[i], name)
			}
		}
	}
}

// RFC 4180, and https://owasp.org/www-community/attacks/CSV_Injection.
func TestRFC4180_CSVWithoutFormulas(t *testing.T) {
	d := garden()
	for i, start := range []string{"=", "+", "-", "@", "\t", "＝"} {
		d.Pages[i].Title = start + "SUM(1)|\"a\",\nb"
	}
	text := written(t, CSV, d, time.Time{})
	if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Error("a line does not end with CRLF")
	}
	text, hasMark := strings.CutPrefix(text, byteOrderMark)
	if !hasMark || strings.Contains(text, byteOrderMark) { // X13e
		t.Error("spreadsheets need one byte order mark, at the beginning")
	}
	rows := tables.Value(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	if len(rows) != len(d.Pages)+1 {
		t.Fatalf("%d rows", len(rows))
	}
	by := map[string][]string{}
	for _, row := range rows[1:] {
		by[row[0]] = row
		for _, c := range row {
			if c != "" && strings.ContainsAny(string([]rune(c)[0]), "=+-@\t\r＝＋－＠") {
				t.Errorf("a spreadsheet would take %q for a formula", c)
			}
		}
	}
	for _, p := range d.Pages {
		if got := strings.TrimPrefix(by[p.URL][1], "'"); got != printable.Line(p.Title) {
			t.Errorf("%s: title %q, want %q", p.URL, got, p.Title)
		}
	}
}

// A row for each finding, with its place and the number of its URLs; for a client without those
// about the configuration (X13e, X13f).
func TestHouse_CSVOfFindings(t *testing.T) {
	for _, isClient := range []bool{false, true} {
		d := garden()
		d.What, d.Client = Findings, isClient
		d.Findings = append(d.Findings, policy.Finding{ID: "policy-not-read", Severity: policy.Error, Message: "=x"})
		for i := range d.Findings {
			d.Findings[i].URLs = 12
		}
		text := strings.TrimPrefix(written(t, CSV, d, time.Time{}), byteOrderMark)
		rows := tables.Value(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
		want := len(d.Findings) + 1
		if isClient {
			for _, f := range d.Findings {
				if kind, _ := findings.Of(f.ID); kind.Setup {
					want--
				}
			}
		}
		if len(rows) != want || isClient == strings.Contains(text, "'=x") || !strings.Contains(text, ",12,") {
			t.Errorf("client %t: %d rows, want %d:\n%s", isClient, len(rows), want, text)
		}
	}
}

// What is decided about AI, and which vendors may use a page all the same (X13e).
func TestHouse_CSVOfPagesSaysWhatIsDecidedAboutAI(t *testing.T) {
	d := garden()
	d.Pages = d.Pages[:1]
	p := &d.Pages[0]
	p.AI = map[string]string{"training": "deny", "input": "deny", "search": "allow"}
	for _, a := range []struct {
		vendor, answer string
		use            policy.Use
		mayIgnore      bool
	}{{"Told", "deny", policy.UseTraining, false}, {"Untold", "deny", policy.UseTraining, false},
		{"Untold", "allow", policy.UseTraining, false}, {"Silent", published.Unknown, policy.UseTraining, false},
		{"Free", "deny", policy.UseInput, true}, {"Searching", "allow", policy.UseSearch, false}} {
		p.Vendors = append(p.Vendors, published.Answer{Vendor: a.vendor, Answer: a.answer, Use: a.use, MayIgnore: a.mayIgnore})
	}
	const want = ",deny,allow,deny,training: Untold; training: Silent (documents nothing); input: Free (may ignore it)\r\n"
	if text := written(t, CSV, d, time.Time{}); !strings.HasSuffix(text, want) {
		t.Errorf("got %q, want it to end with %q", text, want)
	}
}

// X13e: without a decision about AI a row says to whom what is published denies the use, and of a
// deployed site where its restriction is and what it means.
func TestHouse_CSVOfADeployedSiteIsFilled(t *testing.T) {
	d := garden()
	d.Asked = "This is what https://example.org/ answers."
	d.Pages = []result.Page{{URL: "/a/", Role: "page", Meta: map[string]string{"robots": "None"},
		Why: []result.Why{{Layer: policy.LayerFound, Key: "meta robots", Line: 9, States: "noindex, nofollow", Decides: true}}},
		{URL: "/b/", Role: "page", Header: []string{"noindex"},
			Why: []result.Why{{Layer: policy.LayerFound, Key: "X-Robots-Tag", States: "noindex", Decides: true}}}}
	d.Pages[0].Vendors = []published.Answer{{Vendor: "Google", Crawler: "Googlebot", Answer: "allow", Use: policy.UseInput},
		{Vendor: "Google", Crawler: "Google-Extended", Answer: "deny", Use: policy.UseInput},
		{Vendor: "OpenAI", Crawler: "GPTBot", Answer: "deny", Use: policy.UseTraining}}
	text := written(t, CSV, d, time.Time{})
	for _, want := range []string{`"noindex, nofollow",,,"found, meta robots",line 9 of the page,,,denied to OpenAI,,denied to Google (Google-Extended),`,
		`noindex,"found, X-Robots-Tag",a header of the answer,`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// One row for a line of robots.txt, whatever it keeps from crawlers (X13h).
func TestHouse_OneRowForALineOfRobotsTxt(t *testing.T) {
	d := garden()
	denied := seen.Fetch{Crawler: "googlebot", Rule: "Disallow: /drafts/", File: "static/robots.txt", Line: 3}
	other := denied
	other.Crawler = "bingbot"
	for _, url := range []string{"/drafts/a/", "/drafts/b/"} {
		d.Pages = append(d.Pages, result.Page{URL: url, Role: "page",
			Asked: result.Asked{RobotsTxt: []seen.Fetch{other, denied}}})
	}
	const want = "| `Disallow: /drafts/` | `static/robots.txt:3` | bingbot, googlebot | 3 | `/drafts/a/` | " +
		"1 noindex, which these crawlers never see |\n"
	if text := written(t, Markdown, d, time.Time{}); !strings.Contains(text, want) {
		t.Errorf("no row %q in\n%s", want, text)
	}
}

// I4f: a "yes" does not hide what some of the vendor's crawlers are denied.
func TestHouse_AVendorsCellNamesTheCrawlersThatMayNot(t *testing.T) {
	table := result.VendorTable{Vendor: "Google", Uses: map[policy.Use]*result.UseCount{policy.UseInput: {Allowed: 10,
		Partly: []result.PartlyAllowed{{Allowed: []string{"Googlebot"}, Denied: []string{"Google-Extended"}, Files: 8}}}}}
	const want = "yes: 2 files; yes, but not by Google-Extended: 8 files"
	if got := vendorUse(table, "input"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	table.Uses[policy.UseInput].Partly[0].Files = 10
	if got := vendorUse(table, "input"); got != "yes, but not by Google-Extended" {
		t.Errorf("got %q", got)
	}
}

// X13k: a name that fetches nothing is marked, and sees no noindex that robots.txt could keep it
// from.
func TestHouse_ANameOfRobotsTxtAloneFetchesNothing(t *testing.T) {
	d := garden()
	rule := seen.Fetch{Rule: "Disallow: /drafts/", File: "static/robots.txt", Line: 3}
	for _, url := range []string{"/", "/drafts/a/"} {
		for _, name := range []string{"google-extended, applebot-extended", "gptbot"} {
			f := rule
			f.Crawler, f.Allowed = name, url == "/"
			d.Pages = append(d.Pages, result.Page{URL: url, Role: "page", Meta: map[string]string{"robots": "noindex"},
				Asked: result.Asked{RobotsTxt: []seen.Fetch{f}}})
		}
	}
	const row, note = "| google-extended, applebot-extended \\* | 1 | 1 |\n", "\\* A name in robots.txt that fetches nothing."
	if text := written(t, Markdown, d, time.Time{}); !strings.Contains(text, row) || !strings.Contains(text, note) {
		t.Errorf("no %q or no %q in\n%s", row, note, text)
	}
	// A rule for such names alone hides no noindex.
	for i := range d.Pages {
		for j := range d.Pages[i].RobotsTxt {
			d.Pages[i].RobotsTxt[j].Crawler = "google-extended"
		}
	}
	if text := written(t, Markdown, d, time.Time{}); strings.Contains(text, "never see |") {
		t.Errorf("a token sees a noindex in\n%s", text)
	}
}

// GitHub reads 1 MiB of a job's summary.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
func TestGitHub_SummaryOfAManyPagesFits(t *testing.T) {
	d := many(20_000)
	for i := range d.Pages {
		d.Findings = append(d.Findings, policy.Finding{ID: fmt.Sprint("kind-", i%40), Severity: policy.Warning,
			URL: d.Pages[i].URL, File: d.Pages[i].File, Message: strings.Repeat("word ", 30)})
	}
	text := written(t, Markdown, d, time.Time{})
	if len(text) > 1<<20 {
		t.Errorf("%d bytes", len(text))
	}
	files := text[strings.Index(text, "## "+filesTitle):]
	if got := strings.Count(files, "\n| `"); got != mostRows {
		t.Errorf("%d rows, want %d", got, mostRows)
	}
	// Those first that an owner looks for.
	if i, j := strings.Index(files, "| noindex"), strings.Index(files, "| indexable |"); i < 0 || j >= 0 && j < i {
		t.Errorf("the first rows are\n%s", files[:2000])
	}
	if !strings.Contains(files, "200 of 20,000, those first that are noindex or limited.") {
		t.Error("nothing says that rows are left out")
	}
}

func TestHouse_NumbersAreWritten(t *testing.T) {
	for _, c := range []struct {
		n, total int
		want     string
	}{{0, 10, "0%"}, {10, 10, "100%"}, {1, 3, "33%"}, {1, 1000, "< 1%"}, {999, 1000, "> 99%"}, {0, 0, "0%"},
		{47, 100, "47%"}, {120, 100, "120%"}} {
		if got := percent(c.n, c.total); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.n, c.total, got, c.want)
		}
	}
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{{0, "page", "0 pages"}, {1, "page", "1 page"}, {2, "entry", "2 entries"}, {2, "address", "2 addresses"}, {999, "page", "999 pages"},
		{1000, "page", "1,000 pages"}, {1234567, "page", "1,234,567 pages"}} {
		if got := number(c.n, c.noun); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Every decision is counted once: the numbers of the headline, of the sections and of the causes
// add up.
func TestLaw_NumbersAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &Data{Result: result.Result{Pages: rapid.SliceOf(rapid.SampledFrom(garden().Pages)).Draw(t, "pages")}}
		v := newView(d)
		sections, causes := 0, 0
		for _, s := range v.Sections() {
			sections += s.Total()
			if n := s.N(seen.Indexable) + s.N(seen.Limited) + s.N(seen.Noindex); n != s.Total() {
				t.Fatalf("section %q: %d of %d", s.Name, n, s.Total())
			}
		}
		for _, c := range v.Causes() {
			causes += c.Total()
		}
		if sections != v.Pages.Total() || causes != v.Pages.Hidden() {
			t.Fatalf("%d pages in sections, %d noindex by causes; want %d, %d", sections, causes, v.Pages.Total(),
				v.Pages.Hidden())
		}
		others, open := 0, 0
		for _, p := range d.Pages {
			switch p.URL {
			case "/press/kit.pdf":
				others++
			case "/logo.svg":
				open++
			}
		}
		if v.files[restricted] != others || v.files[free] != open ||
			v.Pages.Total()+others+open+v.files[undecided] != len(d.Pages) {
			t.Fatalf("%v of %d files", v.files, len(d.Pages))
		}
	})
}

func FuzzHouse_AnyJSONHasItsReports(f *testing.F) {
	// Small ones: the fuzzer tries to shorten whatever it finds, a byte at a time.
	f.Add([]byte(`{"pages":[{"url":"/a/","title":"|*","meta":{"robots":"noindex"},"why":[{"layer":"rule","line":3,"states":"noindex: x"}]}],"changes":{}}`))
	f.Add([]byte(`{"pages":[{"header":["googlebot: noindex"],"robotsTxt":[{"crawler":"a"}]}],"findings":[{"id":"a","severity":"error","line":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := fromJSON(data)
		if err != nil || d == nil {
			return
		}
		for _, format := range Formats {
			written(t, format, d, time.Time{})
		}
	})
}
