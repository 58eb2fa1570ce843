package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // its schema is read from its source
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

var update = flag.Bool("update", false, "rewrite what stands under testdata")

const (
	everything = "index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1"
	// hostile is markup in each language that a report is written in.
	hostile = "</title></script><img src=x onerror=alert(1)>|`*_[a](javascript:alert(1)) --> ]]> <!-- &amp; ,line=1::error::x\r\n=1+1"
)

// garden is a small site with everything that a report can show.
func garden() *Data {
	standard := why(policy.LayerDefault, "", 0, "robots.default", everything)
	legal := why(policy.LayerVisibility, "config.toml", 115, "robots.visibility.types.legal", "noindex, follow")
	drafts := why(policy.LayerRule, "config.toml", 173, "robots.rules.robots (rule 2)", "noindex, nofollow")
	read := []result.Verdict{{Crawler: "bingbot", Allowed: true}, {Crawler: "googlebot", Allowed: true}}
	d := &Data{Site: "Botanic Garden"}
	d.Result = result.Result{
		Pages: []result.Page{
			{URL: "/", File: "index.html", Role: "page", Title: "Welcome", Kind: "home", Language: "en", Format: "html",
				Meta: map[string]string{"robots": everything}, Why: []result.Why{standard}, RobotsTxt: read},
			{URL: "/404.html", File: "404.html", Role: "error", Kind: "404", Language: "en", Format: "html"},
			{URL: "/robots.txt", File: "robots.txt", Role: "control", Kind: "robotstxt"},
			{URL: "/opening-times/", File: "opening-times/index.html", Role: "redirect"},
			{URL: "/imprint/", File: "imprint/index.html", Role: "page", Title: "Imprint", Kind: "page", Type: "legal",
				Language: "en", Format: "html", Since: "2026-01-31",
				Meta: map[string]string{"robots": "noindex, follow"}, Header: []string{"noindex, follow"},
				Why: []result.Why{standard, legal}, RobotsTxt: read},
			{URL: "/de/impressum/", File: "de/impressum/index.html", Role: "page", Title: "Impressum", Kind: "page",
				Type: "legal", Language: "de", Format: "html",
				Meta: map[string]string{"robots": "noindex, follow"}, Header: []string{"noindex, follow"},
				Why: []result.Why{standard, legal}},
			{URL: "/drafts/pond/", File: "drafts/pond/index.html", Role: "page", Title: "A *new* pond | <b>plan</b>",
				Kind: "page", Section: "drafts", Language: "en", Format: "html",
				Meta: map[string]string{"robots": "noindex, nofollow"}, Header: []string{"noindex, nofollow"},
				Why: []result.Why{standard, drafts,
					why(policy.LayerPage, "content/drafts/pond.md", 4, "robots", "index")},
				RobotsTxt: []result.Verdict{{Crawler: "bingbot", Allowed: true},
					{Crawler: "googlebot", File: "static/robots.txt", Line: 3, Rule: "Disallow: /drafts/"}}},
			{URL: "/journal/frost/", File: "journal/frost/index.html", Role: "page", Title: "Frost damage",
				Kind: "page", Section: "journal", Language: "en", Format: "html",
				Meta: map[string]string{"robots": "index, follow, noarchive",
					"googlebot": "index, follow, noarchive, nosnippet"},
				Header: []string{"index, follow, noarchive", "googlebot: index, follow, noarchive, nosnippet"},
				Why: []result.Why{standard, why(policy.LayerPage, "content/journal/frost.md", 8, "robots.archive",
					"noarchive"),
					why(policy.LayerPage, "content/journal/frost.md", 10, "robots.googlebot", "googlebot: nosnippet")}},
			{URL: "/journal/", File: "journal/index.html", Role: "page", Title: "Journal", Kind: "section",
				Section: "journal", Language: "en", Format: "html",
				Meta: map[string]string{"robots": everything}, Why: []result.Why{standard}},
			{URL: "/press/kit.pdf", File: "press/kit.pdf", Role: "static", Header: []string{"noindex, follow"},
				Why: []result.Why{why(policy.LayerRule, "config.toml", 153, "robots.rules.robots (rule 1)", "noindex")}},
			{URL: "/logo.svg", File: "logo.svg", Role: "static"},
		},
		Findings: []policy.Finding{
			{ID: "header-preview", Severity: policy.Note, File: "public/_headers",
				Message: "2 HTML pages have their policy in the tag alone"},
			{ID: "robotstxt-hides-noindex", Severity: policy.Error, URL: "/drafts/pond/", File: "static/robots.txt",
				Line: 3, Message: "googlebot may not fetch it (Disallow: /drafts/), so it never reads noindex"},
			{ID: "meta-in-body", Severity: policy.Warning, URL: "/journal/", File: "public/journal/index.html",
				Line: 40, Message: `<meta name="robots"> stands in the body`},
			{ID: "no-header", Severity: policy.Warning, URL: "/feed.json", Message: "the host has no header for it"},
		},
		Summary: result.Summary{Environment: "production", ChosenBy: "the default", Policy: "config.toml",
			Hosts: map[string]string{}, Robots: []result.RobotsFile{}, NewlyNoindex: []string{}, ChangedFiles: []string{},
			Findings: map[policy.Severity]int{},
			Headers: []result.HeaderFile{{File: "public/_headers", Target: "portable", Rules: 45, Total: 47, Limit: 100,
				GivenUp: 2}}},
	}
	d.Changes = &snapshot.Changes{
		NewlyNoindex: []snapshot.Change{{URL: "/imprint/", Was: "index, follow", Is: "noindex, follow",
			Reason: "visibility, robots.visibility.types.legal"}},
		NewlyIndexable: []snapshot.Change{}, NewlyAllowed: []snapshot.Change{}, Changed: []snapshot.Change{}, Removed: []snapshot.Change{},
		Added: []snapshot.Change{{URL: "/journal/frost/", Is: "index, follow, noarchive",
			Reason: "front matter, robots.archive"}},
	}
	const openai, microsoft = "https://developers.openai.com/api/docs/bots", "https://blogs.bing.com/webmaster/"
	none := []result.VendorCause{}
	blocks := result.VendorCause{By: "Disallow: /", File: "static/robots.txt", Line: 9, Files: 5}
	d.Vendors = []result.VendorTable{
		{Vendor: "DeepSeek", Uses: map[policy.Use]*result.UseCount{
			policy.UseTraining: {Unknown: 5, By: []result.VendorCause{blocks}, Source: "https://github.com/ai-robots-txt/ai.robots.txt/blob/main/table-of-bot-metrics.md"}}},
		{Vendor: "Microsoft", Uses: map[policy.Use]*result.UseCount{
			policy.UseTraining: {Allowed: 4, Denied: 1, Source: microsoft, By: []result.VendorCause{
				{By: "X-Robots-Tag: index, follow, noarchive", Files: 1}}},
			policy.UseSearch: {Allowed: 3, Denied: 2, By: none, Source: microsoft},
			policy.UseInput:  {Allowed: 5, By: none, Source: microsoft}}},
		{Vendor: "OpenAI", Uses: map[policy.Use]*result.UseCount{
			policy.UseTraining: {Denied: 5, By: []result.VendorCause{blocks}, Source: openai},
			policy.UseSearch:   {Allowed: 5, By: none, Source: openai},
			policy.UseInput:    {Denied: 5, MayIgnore: 5, By: []result.VendorCause{blocks}, Source: openai}}},
	}
	decide(d)
	return d
}

// decide completes the pages as a plan does.
func decide(d *Data) {
	for i := range d.Pages {
		p := &d.Pages[i]
		if p.Meta == nil {
			p.Meta = map[string]string{}
		}
		p.Header, p.Why = append([]string{}, p.Header...), append([]result.Why{}, p.Why...)
		noindex := p.Decision().State() == result.Noindex
		for i := range p.Why {
			_, text := result.Addressee(p.Why[i].States)
			states := policy.Stating(text)
			p.Why[i].Decides = states.Restricts() && (states.NoIndex() || !noindex)
		}
	}
}

// why is a statement of a layer.
func why(layer policy.Layer, file string, line int, key, states string) result.Why {
	return result.Why{Layer: layer, File: file, Line: line, Key: key, States: states}
}

// fromJSON reads what --json or the format json wrote.
func fromJSON(text []byte) (d *Data, err error) {
	err = json.Unmarshal(text, &d)
	return d, err
}

var made2026 = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// attacked is garden with text behind every text.
func attacked(text string) *Data {
	d := garden()
	var attack func(v reflect.Value)
	attack = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Type() == reflect.TypeFor[string]() {
				v.SetString(v.String() + text)
			}
		case reflect.Pointer:
			if !v.IsNil() {
				attack(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				attack(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				item := reflect.New(v.Type().Elem()).Elem()
				item.Set(v.MapIndex(key))
				attack(item)
				v.SetMapIndex(key, item)
			}
		case reflect.Struct:
			if s, ok := v.Addr().Interface().(*policy.Statement); ok {
				v = reflect.ValueOf(&s.Origin).Elem() // the rest is read, and so no text of anybody's
			}
			for i := range v.NumField() {
				if name := v.Type().Field(i).Name; name != "Role" && name != "Decision" {
					attack(v.Field(i))
				}
			}
		}
	}
	attack(reflect.ValueOf(d))
	decide(d)
	return d
}

func written(t testing.TB, f Format, d *Data, at time.Time) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, d, at); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares a text with a file, which -update writes.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant (go test -update writes it)\n%s", name, got, want)
	}
}

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
	}
	for _, f := range Formats {
		if got, err := ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("%s: %q, %v", f, got, err)
		}
	}
	if _, err := ParseFormat("pdf"); err == nil {
		t.Error("pdf is a format")
	}
}

// X: what --json prints is read, and the format json is that again.
func TestJSONIsRead(t *testing.T) {
	for name, d := range map[string]*Data{"garden": garden(), "attacked": attacked(hostile)} {
		text := written(t, JSON, d, time.Time{})
		again, err := fromJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if second := written(t, JSON, again, time.Time{}); second != text {
			t.Errorf("%s: got\n%s\nwant\n%s", name, second, text)
		}
		if strings.Contains(text, "null") {
			t.Errorf("%s: a list is null", name)
		}
	}
}

// Without a baseline the pages are shown that an earlier run left in the index.
func TestNewlyNoindexSinceAnEarlierRun(t *testing.T) {
	d := garden()
	d.Changes = nil
	d.Summary.Hosts = map[string]string{"/": "https://example.org/garden/"}
	d.Summary.NewlyNoindex = []string{"https://example.org/garden/imprint/"}
	const want = "## Newly noindex since an earlier run\n\n| URL | Because |\n| --- | --- |\n| `https://example.org/garden/imprint/` | Visibility `robots.visibility.types.legal`, `config.toml:115` |\n"
	if text := written(t, Markdown, d, time.Time{}); !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// A client reads what crawlers may do and what is wrong with the site, not what its owner has to configure or to write.
func TestClient_ReadsNothingOfConfiguration(t *testing.T) {
	d := garden()
	d.NotWritten, d.Summary.NewlyNoindex = 3, []string{"/imprint/"}
	d.Title, d.Client = "Robots audit", true
	d.Pages = append(d.Pages, result.Page{URL: "/old/", File: "old/index.html", Role: "page",
		Meta: map[string]string{"robots": "noindex"},
		Why:  []result.Why{why(policy.LayerFound, "old/index.html", 3, "meta robots", "noindex")}})
	decide(d)
	d.Findings = append(d.Findings, policy.Finding{ID: "guard", Severity: policy.Error, File: "layouts/head.html", Line: 3,
		Message: "the home page is noindex in production. If this is intended, set robots.guard.allow = true"})
	for _, format := range []Format{Markdown, HTML} {
		text := written(t, format, d, made2026)
		if format == Markdown {
			golden(t, "testdata/client.markdown", text)
		}
		for _, want := range []string{"Robots audit", "Botanic Garden · 20 November 2026",
			"Robots tags outside the head", "robots.txt keeps crawlers from reading noindex", "2 errors, 1 warning",
			"site's developer: In the theme", "developer: Correct the line that the finding names.", "Directives",
			"The site's settings", "The page's own front matter", "The theme's tag"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", format, want, text)
			}
		}
		for _, owners := range []string{"`apply`", "earlier run", "_headers", "Policy:", "meta-in-body", "robots.guard", "[robots", "How to fix",
			"uppress", "robots.visibility", "robots.rules", "robots.archive", "config.toml", "Visibility"} {
			if strings.Contains(text, owners) {
				t.Errorf("%s: %q is for the owner", format, owners)
			}
		}
		if causes, findings := strings.Index(text, "Noindex pages"), strings.Index(text, "site's developer"); causes > findings {
			t.Errorf("%s: findings stand before the noindex pages", format)
		}
	}
}

// The snapshot of the data and that of its JSON are the same.
func TestSnapshotOfTheDataAndOfItsJSON(t *testing.T) {
	d := garden()
	d.Summary.Hosts = map[string]string{"/": "https://example.org/docs/"}
	s, err := snapshot.Read(strings.NewReader(written(t, JSON, d, time.Time{})))
	if err != nil {
		t.Fatal(err)
	}
	if want := d.Summary.Hosts; !maps.Equal(s.Hosts, want) ||
		!maps.Equal(snapshot.New(&d.Summary, slices.Values(d.Pages)).Hosts, want) {
		t.Errorf("hosts %v and %v, want %v", s.Hosts, snapshot.New(&d.Summary, slices.Values(d.Pages)).Hosts, want)
	}
	if c := snapshot.Diff(snapshot.New(&d.Summary, slices.Values(d.Pages)), s); !c.Empty() ||
		len(s.Entries) != len(d.Pages) {
		t.Errorf("%d entries, %+v", len(s.Entries), c)
	}
	for i := range s.Entries {
		s.Entries[i].Since = "2026-02-03"
	}
	since := s.Since()
	for _, p := range d.Pages {
		want := ""
		if strings.HasPrefix(p.Meta["robots"], "noindex") || len(p.Meta) == 0 &&
			slices.Contains(p.Header, "noindex, follow") {
			want = "2026-02-03"
		}
		if since[p.URL] != want {
			t.Errorf("%s is noindex since %q, want %q", p.URL, since[p.URL], want)
		}
	}
}

// oasisSchema is the schema of
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json as a library for SARIF has
// it in its source.
func oasisSchema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}",
		"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil,
		0)
	if err != nil {
		t.Fatal(err)
	}
	value := file.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit)
	text, err := strconv.Unquote(value.Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestOASIS_SARIFMatchesItsSchema(t *testing.T) {
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(oasisSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", text); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for name, d := range map[string]*Data{"garden": garden(), "attacked": attacked(hostile), "empty": {},
		"absolute": {Result: result.Result{Findings: []policy.Finding{
			{ID: "a", Severity: policy.Error, File: "/srv/a b/ü:1.html", Line: 2, Message: "m"},
			{ID: "b", Severity: "odd", File: "c:d.html", Message: ""}}}}} {
		if err := validate(written(t, SARIF, d, made2026)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The validator is awake.
	if validate(`{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`) == nil {
		t.Error("a tool without a name is valid")
	}
	golden := written(t, SARIF, garden(), made2026)
	if validate(strings.Replace(golden, `"startLine": 3`, `"startLine": 0`, 1)) == nil {
		t.Error("line 0 is valid")
	}
}

// What stands in SARIF is what the findings say: no line is invented, none is lost (L8).
func TestSARIFKeepsFilesAndLines(t *testing.T) {
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     int
				Locations     []struct {
					PhysicalLocation *struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(written(t, SARIF, garden(), made2026)), &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	run := log.Runs[0]
	for _, r := range run.Results {
		at := "nowhere"
		if l := r.Locations[0]; l.PhysicalLocation != nil {
			at = l.PhysicalLocation.ArtifactLocation.URI
			if l.PhysicalLocation.Region != nil {
				at = fmt.Sprintf("%s:%d", at, l.PhysicalLocation.Region.StartLine)
			}
		}
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s is rule %d", r.RuleID, r.RuleIndex)
		}
		got = append(got, r.Level+" "+r.RuleID+" "+at)
	}
	want := []string{"error robotstxt-hides-noindex static/robots.txt:3",
		"warning meta-in-body public/journal/index.html:40", "warning no-header nowhere",
		"note header-preview public/_headers"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
		command, message, ok := strings.Cut(strings.TrimPrefix(lines[i], "::"), "::")
		name, properties, _ := strings.Cut(command, " ")
		if !ok || name != commands[g.Severity] {
			t.Errorf("%s: the command is %q", lines[i], name)
		}
		unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
		f := g.Findings[0]
		want := printable.Line(f.Message)
		if f.URL != "" {
			want = printable.Line(f.URL + ": " + f.Message)
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
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
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

// many is a site of n pages in fifteen sections.
func many(n int) *Data {
	d := garden()
	sample := d.Pages
	d.Pages = nil
	for i := range n {
		p := sample[i%len(sample)]
		p.Section = fmt.Sprintf("section-%d", i%15)
		p.URL = fmt.Sprintf("/%s/a-page-with-a-longer-name-%d/", p.Section, i)
		p.File = p.URL[1:] + "index.html"
		if p.Title != "" {
			p.Title = fmt.Sprintf("A title of ordinary length, number %d", i)
		}
		p.Why = slices.Clone(p.Why)
		for j := range p.Why {
			if o := &p.Why[j]; o.Layer == policy.LayerPage {
				o.File = "content" + p.URL[:len(p.URL)-1] + ".md"
			}
		}
		d.Pages = append(d.Pages, p)
	}
	return d
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
	}{{0, "page", "0 pages"}, {1, "page", "1 page"}, {2, "entry", "2 entries"}, {999, "page", "999 pages"},
		{1000, "page", "1,000 pages"}, {1234567, "page", "1,234,567 pages"}} {
		if got := number(c.n, c.noun); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Every decision is counted once: the numbers of the headline, of the sections and of the causes add up.
func TestLaw_NumbersAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &Data{Result: result.Result{Pages: rapid.SliceOf(rapid.SampledFrom(garden().Pages)).Draw(t, "pages")}}
		v := newView(d)
		sections, causes := 0, 0
		for _, s := range v.Sections {
			sections += s.Total
			if n := s.states[result.Indexable] + s.states[result.Limited] + s.states[result.Noindex]; n != s.Total {
				t.Fatalf("section %q: %d of %d", s.Name, n, s.Total)
			}
		}
		for _, c := range v.Causes {
			causes += c.Pages
		}
		if sections != v.Total() || causes != v.Hidden() {
			t.Fatalf("%d pages in sections, %d noindex by causes; want %d, %d", sections, causes, v.Total(),
				v.Hidden())
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
			v.Total()+others+open+v.files[undecided] != len(d.Pages) {
			t.Fatalf("%v of %d files", v.files, len(d.Pages))
		}
	})
}

func FuzzWrite(f *testing.F) {
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
