package report

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"metarobots/internal/seen"
	"metarobots/internal/tables"
	"metarobots/internal/verify"
)

//go:embed testdata/deployed.json
var deployedJSON []byte

// deployed is a site with something of each verdict, as --json prints it.
func deployed() *verify.Report {
	var r verify.Report
	if err := json.Unmarshal(deployedJSON, &r); err != nil {
		panic(err)
	}
	return &r
}

func deployedText(t testing.TB, f Format, r *verify.Report, at time.Time) string {
	t.Helper()
	var b bytes.Buffer
	tables.Must(t, WriteDeployed(&b, f, r, at))
	return b.String()
}

func TestHouse_ReportsOfADeploymentAreTheirSamples(t *testing.T) {
	golden(t, "testdata/deployed.markdown", deployedText(t, Markdown, deployed(), made2026))
	golden(t, "testdata/deployed.json", deployedText(t, JSON, deployed(), made2026))
}

// The page says what the Markdown says.
func TestHouse_ThePageOfADeployment(t *testing.T) {
	r := deployed()
	r.Results[3].Why = `<script>alert(1)</script> <img src=x>`
	got := strings.Join(rows(dom(t, deployedText(t, HTML, r, made2026), true)), "\n")
	for _, want := range []string{
		"/imprint/ at https://example.org/imprint robots, googlebot noindex, follow all noindex missing; neither header " +
			"nor tag says anything",
		"/gone/ robots index, follow <script>alert(1)</script> <img src=x>",
		`/a|b/ bingbot index, follow noarchive noarchive by <meta name="bingbot" content="noarchive" /> in line 3`,
		"/old/ robots index, follow https://www.example.org/old/",
		"HEAD answers 405, GET 200 /kit.pdf 2",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no row is %q, but\n%s", want, got)
		}
	}
}

// X25q
func TestHouse_HeadlineOfADeploymentThatRefusesTheCrawler(t *testing.T) {
	refused := deployedView{Report: &verify.Report{Refused: 4, Summary: verify.Summary{Requests: 9}}}
	const want = "**No URL was verified.** 9 requests sent. 4 URLs refused to the crawler."
	if got := strings.TrimSpace(fill("deployed lead", refused)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestHouse_HeadlineOfADeployment(t *testing.T) {
	for want, s := range map[string]verify.Summary{
		"**No URL was requested.** 0 requests sent.": {},
		"**2 errors about the site as a whole.** **All 2 URLs are as decided.** 1 request sent.": { // X18t
			Asked: 2, Match: 2, Requests: 1, Errors: []verify.Fault{{Message: "a"}, {Message: "b"}}},
		"**The one URL requested is as decided.** Compared with `x.json`. 3 requests sent.":                                                                                     {Asked: 1, Match: 1, Source: "x.json", Requests: 3},
		"**All 2 URLs in the sitemaps are indexable.** 1 request sent.":                                                                                                         {Asked: 2, Match: 2, Source: verify.FromSitemaps, Requests: 1},
		"**7 of the 9 URLs in the sitemaps are indexable.** 9 requests sent.":                                                                                                   {Asked: 9, Match: 7, Source: verify.FromSitemaps, Requests: 9},
		"**1 of the 2,000 requested URLs is as decided.** **The run was interrupted.** 1 request sent. 5 URLs not requested.":                                                   {Asked: 2000, Match: 1, Left: 5, Requests: 1, Interrupted: true},
		"**0 of the 3 requested URLs are as decided.** 1 request sent. 1 URL skipped, such as control files and error pages. 4 URLs not requested, for a sample of 3 (seed 9).": {Asked: 3, Passed: 1, Left: 4, Sample: 3, Seed: 9, Requests: 1},
	} {
		if got := strings.TrimSpace(fill("deployed lead", deployedView{Report: &verify.Report{Summary: s}})); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// The JSON is that of --json, and CSV has a row for each URL and crawler with nothing that a
// spreadsheet would run.
func TestHouse_JSONAndCSVOfADeployment(t *testing.T) {
	var back verify.Report
	if err := json.Unmarshal([]byte(deployedText(t, JSON, deployed(), time.Time{})), &back); err != nil ||
		!reflect.DeepEqual(&back, deployed()) {
		t.Errorf("error %v, got %+v", err, back)
	}
	rows, err := csv.NewReader(strings.NewReader(deployedText(t, CSV, deployed(), time.Time{}))).ReadAll()
	if err != nil || len(rows) != 1+len(deployed().Results) {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	if got, want := rows[7], []string{"/kit.pdf", "robots", "match", "noindex, follow", "noindex, follow", "", "200",
		"", "'=noindex", "", "HEAD answers 405, GET 200"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestHouse_FormatsOfADeployment(t *testing.T) {
	for _, f := range []Format{SARIF, GitHub, "odd"} {
		if err := WriteDeployed(&bytes.Buffer{}, f, deployed(), time.Time{}); err == nil {
			t.Errorf("%s is written", f)
		}
	}
}

// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary: 1 MiB.
func TestGitHub_SummaryOfADeploymentFits(t *testing.T) {
	r := &verify.Report{}
	for i := range 20_000 {
		v := seen.Verdicts()[i%4]
		r.Results = append(r.Results, seen.Answer{URL: fmt.Sprintf("/some/section/of/a/site/page-%d/", i),
			Crawler: "robots", Verdict: v, Want: "noindex, follow", Got: "all",
			Why: strings.Repeat("a long reason ", 20) + fmt.Sprint(i), Location: "https://www.example.org/elsewhere/"})
	}
	text := deployedText(t, Markdown, r, time.Time{})
	if len(text) > 1<<20 || strings.Count(text, "\nAnd 4,800 more.\n") != 4 {
		t.Errorf("%d bytes", len(text))
	}
}
