//go:build e2e

package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/report"
)

// seen is what report/look.mjs saw.
type seen struct {
	Console, Requests, Dialogs, Faults []string
	Unscripted                         struct {
		Rows          int
		Visible, Form bool
		First         string
	}
	Light struct {
		Rows, Printed, Afterwards int
		Count, Background         string
		CSV                       string // of the rows that a search for imprint leaves
		// filter, value with its number: what is said of the result
		Filters map[string]map[string]string
		Text    map[string]string // decoded URL: what its open row says
	}
	Dark   struct{ Background string }
	Narrow struct {
		Width, Figures int
		Roles          []string
	}
	Keyboard struct {
		Slash, Address, Cleared, Chosen, Filtered, Expanded string
		Found                                               []string
		Decision, Row                                       bool
		Opened, Closed                                      int
	}
	Links struct {
		Found                        []string
		Decision, Reset, Sorted, Top string
		Figures                      map[string]string // the number that is clicked: the rows that are left
	}
	Times struct{ Paint, Filter, Slowest float64 } // milliseconds
}

// lookAt shows a report to Chromium. REPORT_SCREENSHOTS names a folder for pictures of it.
func lookAt(t *testing.T, name string, d *report.Data) (s seen) {
	t.Helper()
	installed(t, "report/node_modules")
	var page bytes.Buffer
	must(t, report.Write(&page, report.HTML, d, time.Time{}))
	file := filepath.Join(t.TempDir(), "report.html")
	write(t, file, page.String())
	c := node(t, "report/look.mjs", chromiumFile(t), file)
	if shots := os.Getenv("REPORT_SCREENSHOTS"); shots != "" {
		c.Args = append(c.Args, filepath.Join(shots, name))
	}
	must(t, json.Unmarshal([]byte(finish(t, c).is(t, 0).stdout), &s))
	return s
}

// quiet checks what holds for every report.
func (s *seen) quiet(t *testing.T) {
	t.Helper()
	for what, list := range map[string][]string{"console": s.Console, "request": s.Requests, "dialog": s.Dialogs,
		"axe": s.Faults} {
		for _, line := range list {
			t.Errorf("%s: %s", what, line)
		}
	}
	if s.Narrow.Width > 360 {
		t.Errorf("at 360 px the page is %d px wide", s.Narrow.Width)
	}
	if s.Narrow.Figures > 400 {
		t.Errorf("at 360 px the figures are %d px high, more than half a screen", s.Narrow.Figures)
	}
	for _, role := range []string{"rowheader", "cell"} {
		if !slices.Contains(s.Narrow.Roles, role) {
			t.Errorf("at 360 px nothing has the role %s", role)
		}
	}
}

// example is the result of building site-example.
func example(t *testing.T) *report.Data {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("../site-example")))
	r := run(t, 0, "--quiet", "--json", "-s", dir, "--policy", "../config.toml")
	d := &report.Data{}
	must(t, json.Unmarshal([]byte(r.stdout), d))
	// The report's own JSON is that of --json: nothing is lost.
	var again bytes.Buffer
	must(t, report.Write(&again, report.JSON, d, time.Time{}))
	var want, got any
	must(t, errors.Join(json.Unmarshal([]byte(r.stdout), &want), json.Unmarshal(again.Bytes(), &got)))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the report's JSON differs from that of --json:\n%s\nand\n%s", &again, r.stdout)
	}
	d.Site = "Botanic Garden"
	return d
}

func TestReport_ShowsEveryDecision(t *testing.T) {
	t.Parallel()
	d := example(t)
	s := lookAt(t, "example", d)
	s.quiet(t)

	all := fmt.Sprintf("%d files", len(d.Pages))
	if s.Unscripted.Rows != len(d.Pages) || !s.Unscripted.Visible || s.Unscripted.Form ||
		!strings.HasPrefix(s.Unscripted.First, "\n/") {
		t.Errorf("without scripting: %+v", s.Unscripted)
	}
	if s.Light.Count != all || s.Light.Rows != min(50, len(d.Pages)) || s.Light.Printed != len(d.Pages) ||
		s.Light.Afterwards != s.Light.Rows {
		t.Errorf("%s, %d rows, %d printed, %d afterwards; want %s", s.Light.Count, s.Light.Rows, s.Light.Printed,
			s.Light.Afterwards, all)
	}
	if s.Light.Background == s.Dark.Background {
		t.Errorf("light and dark have the background %s", s.Dark.Background)
	}

	// Every filter gives what it says, and what counting gives.
	kinds, sections, languages, decisions, crawlers := map[string]int{}, map[string]int{}, map[string]int{},
		map[string]int{}, map[string]int{}
	for _, p := range d.Pages {
		decision := p.Told()
		switch state := decision.State(); {
		case decision.Role != "":
			decisions["technical files"]++
		case p.Role == "page":
			decisions[string(state)+" pages"]++
		case state == "indexable":
			decisions["unrestricted files"]++
		default:
			decisions["restricted files"]++
		}
		for _, name := range decision.Names() {
			crawlers[name]++
		}
		kinds[cmp.Or(p.Kind, "other files")]++
		sections[cmp.Or(p.Section, "no section")]++
		languages[cmp.Or(p.Language, "no language")]++
	}
	for name, numbers := range map[string]map[string]int{"decision": decisions, "kind": kinds, "section": sections,
		"language": languages, "crawler": crawlers} {
		want := map[string]string{}
		for value, n := range numbers {
			want[fmt.Sprintf("%s (%d)", value, n)] = fmt.Sprintf("%d of %s", n, all)
		}
		if got := s.Light.Filters[name]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("filter %s: got %v, want %v", name, got, want)
		}
	}
	if reasons := s.Light.Filters["reason"]; reasons["visibility: robots.visibility.types.legal (3)"] != "3 of "+all {
		t.Errorf("filter reason: %v", reasons)
	}

	// An open row says everything: each statement with its place, the tags and the header.
	checked := 0
	for _, p := range d.Pages {
		text, ok := s.Light.Text[p.URL]
		if !ok {
			continue
		}
		checked++
		for _, w := range p.Why {
			at := cmp.Or(w.File, "built-in")
			if w.Line > 0 {
				at = fmt.Sprintf("%s:%d", w.File, w.Line)
			}
			has(t, text, w.States, at, w.Key)
		}
		for name, content := range p.Meta {
			has(t, text, fmt.Sprintf("<meta name=%q content=%q />", name, content))
		}
		for _, h := range p.Header {
			has(t, text, "X-Robots-Tag: "+h)
		}
	}
	if checked < 40 {
		t.Errorf("%d rows were looked at", checked)
	}

	// X13g
	if csv := strings.Split(s.Light.CSV, "\r\n"); len(csv) != 4 || !strings.HasPrefix(csv[0], "\ufeffURL,Title,") ||
		!strings.HasPrefix(csv[2], "/imprint/,") || !strings.Contains(csv[2], ",noindex,") {
		t.Errorf("downloaded: %q", s.Light.CSV)
	}

	noindex := decisions["noindex pages"]
	k := s.Keyboard
	if k.Slash != "search" || k.Address != "#?search=imprint" || k.Cleared != all || !k.Decision || !k.Row ||
		k.Expanded != "true" || k.Opened != 1 || k.Closed != 0 ||
		!slices.Contains(k.Found, "/imprint/") || len(k.Found) != 2 ||
		k.Chosen != fmt.Sprintf("noindex pages (%d)", noindex) || k.Filtered != fmt.Sprintf("%d of %s", noindex, all) {
		t.Errorf("by keyboard: %+v", k)
	}
	l := s.Links
	if !slices.Equal(l.Found, k.Found) || l.Decision != k.Chosen || l.Reset != all || l.Sorted != "Decision" ||
		!strings.HasPrefix(l.Top, "noindex") {
		t.Errorf("by links: %+v", l)
	}
	if len(l.Figures) < 4 {
		t.Errorf("figures that lead to files: %v", l.Figures)
	}
	for figure, rows := range l.Figures {
		if rows != figure+" of "+all {
			t.Errorf("a click on the figure %s leaves %s", figure, rows)
		}
	}
}

// The sample report, and the picture of it in README, show the report as it is.
func TestReport_SampleIsOfToday(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	c := exec.Command(bash, "report/screenshot.sh", "--check")
	c.Env = append(command().Env, "METAROBOTS="+program)
	finish(t, c).is(t, 0)
}

// Markup in titles, paths, keys and messages is shown as text; nothing runs and nothing is loaded.
func TestReport_MarkupIsText(t *testing.T) {
	t.Parallel()
	const hostile = `</script></noscript><img src="https://example.org/x.png" onerror="alert(1)"><script>alert(2)</script>'"&amp;|` + "`*_[a](javascript:alert(3))"
	d := example(t)
	for i := range d.Pages {
		p := &d.Pages[i]
		p.Title, p.Section, p.Kind = hostile, p.Section+hostile, p.Kind+hostile
		for j := range p.Why {
			p.Why[j].Key += hostile
			p.Why[j].File += hostile
		}
	}
	for i := range d.Findings {
		d.Findings[i].Message, d.Findings[i].ID = hostile, hostile
	}
	d.Site = hostile
	s := lookAt(t, "hostile", d)
	s.quiet(t)
	has(t, s.Unscripted.First, hostile)
	for url, text := range s.Light.Text {
		if strings.Contains(text, "robots.default") && !strings.Contains(text, "robots.default"+hostile) {
			t.Errorf("the row of %s says %q", url, text)
		}
	}
	if len(s.Light.Filters["section"]) < 5 {
		t.Errorf("filter section: %v", s.Light.Filters["section"])
	}
}

// Every page of a large site is in the report, 50 rows at a time; how long a reader waits is
// measured (go test -v).
func TestReport_ManyPages(t *testing.T) {
	d := example(t)
	sample := d.Pages
	d.Pages = nil
	for i := range choose(1_000, 20_000) {
		p := sample[i%len(sample)]
		p.URL = fmt.Sprintf("/folder-%d%s%d/", i%20, p.URL, i)
		p.File = p.URL[1:] + "index.html"
		p.Section = fmt.Sprintf("section-%d", i%15)
		p.Title = fmt.Sprintf("A title of ordinary length, number %d", i)
		d.Pages = append(d.Pages, p)
	}
	s := lookAt(t, "many", d)
	s.quiet(t)
	t.Logf("first paint after %.0f ms; a filter takes %.0f ms, the slowest of all %.0f ms", s.Times.Paint,
		s.Times.Filter, s.Times.Slowest)
	if s.Light.Printed != len(d.Pages) || s.Light.Rows != 50 || s.Unscripted.Rows != len(d.Pages) {
		t.Errorf("%d rows, %d printed, %d without scripting", s.Light.Rows, s.Light.Printed, s.Unscripted.Rows)
	}
}
