package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"metarobots/internal/tables"

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
	tables.Must(t, Write(&b, f, d, at))
	return b.String()
}

// golden compares a text with a file, which -update writes.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		tables.Must(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want := tables.Value(os.ReadFile(name))(t)
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant (go test -update writes it)\n%s", name, got, want)
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
