package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/site/pages"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
	"metarobots/internal/write"
)

// dump appends all that a value holds, unexported fields included, as text. What a plan only refers
// to is left out: its generator, the state, and functions.
func dump(b *strings.Builder, v reflect.Value, above []uintptr) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || slices.Contains(above, v.Pointer()) || v.Type().String() == "*state.State" {
			fmt.Fprintf(b, "%v", v.IsNil())
			return
		}
		dump(b, v.Elem(), append(slices.Clone(above), v.Pointer()))
	case reflect.Interface:
		if t := v.Type().String(); t != "site.Site" && t != "site.Map" && t != "project.Source" && !v.IsNil() {
			dump(b, v.Elem(), above)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if t := v.Field(i).Type(); t.PkgPath() != "sync" && t.PkgPath() != "sync/atomic" {
				b.WriteString(v.Type().Field(i).Name + "{")
				dump(b, v.Field(i), above)
				b.WriteString("} ")
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			dump(b, v.Index(i), above)
			b.WriteString(", ")
		}
	case reflect.Map:
		entries := map[string]string{}
		for _, key := range v.MapKeys() {
			var k, e strings.Builder
			dump(&k, key, above)
			dump(&e, v.MapIndex(key), above)
			entries[k.String()] = e.String()
		}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			b.WriteString(key + ": " + entries[key] + ", ")
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		fmt.Fprintf(b, "%v", v)
	}
}

// A plan is a value: nobody modifies it once it is made. Nothing of how it is made is reachable
// through it.
func TestLaw_NobodyModifiesAPlan(t *testing.T) {
	value := reflect.TypeFor[plan.Plan]()
	if n, m := value.NumField(), reflect.PointerTo(value).NumMethod(); n > 13 || m > 16 {
		t.Errorf("a plan has %d fields and %d methods", n, m)
	}
	for i := range value.NumField() {
		if f := value.Field(i); f.Anonymous {
			t.Errorf("a plan embeds %s", f.Name)
		}
	}
	dir := t.TempDir()
	tables.Write(t, dir, map[string]string{
		"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\ntxt.block = [\"ai-training\"]\n" +
			"[[robots.rules]]\nmatch = [\"/a.html\", \"/*.pdf\"]\nrobots = \"noindex\"\n[robots.links]\n" +
			"rules = [{rel = \"nofollow\"}]\n",
		"out/index.html": "<!doctype html><title>home</title><a href=https://other.example/>x</a>",
		"out/a.html":     "<!doctype html><head><meta name=robots content=nosnippet><title>a</title>",
		"out/b.html":     "<!doctype html><link rel=canonical href=/a.html><title>b</title>", "out/x.pdf": "%PDF",
		"out/robots.txt": "User-agent: *\nDisallow: /a\n", "out/_headers": "/b.html\n  X-Robots-Tag: noarchive\n",
		"out/sitemap.xml": "<urlset><url><loc>https://example.org/a.html</loc></url></urlset>",
	})
	ctx, out := context.Background(), newPrinter(io.Discard, noVariables)
	c := command{stdout: out, stderr: out, getenv: noVariables}
	explain := &explainCommand{siteCommand: siteCommand{command: c}}
	apply := &applyCommand{resultCommand{siteCommand: explain.siteCommand, diff: true}}
	apply.options.Source = dir
	p := tables.Value(project.Open(ctx, project.Options{WorkDir: dir, BaseURL: "https://example.org/", Getenv: c.getenv},
		pages.HTML()))(t)
	defer p.Close()
	s := tables.Value(plan.New(ctx, p))(t)
	text := func() string {
		var b strings.Builder
		dump(&b, reflect.ValueOf(s), nil)
		return b.String()
	}
	planned := text()
	if !strings.Contains(planned, "noarchive") || !strings.Contains(planned, "nosnippet") {
		t.Fatalf("the copy does not hold the plan: %.1000s", planned)
	}
	outcome := check.Run(s)
	type step struct {
		name string
		do   func() error
	}
	steps := []step{
		{"check", func() error { check.Run(s); return nil }},
		{"result", func() error { return result.Write(io.Discard, resultOf(s, outcome), result.Pages(s)) }},
		{"snapshot", func() error { snapshot.OfPlan(s); return nil }},
		{"explain", func() error { return explain.explainPages(s, []string{"/a.html", "/x.pdf", "/b.html"}) }},
		{"changes", func() error { return apply.printChanges(s) }},
		{"apply", func() error { return write.Apply(ctx, s, nil) }},
	}
	for _, format := range report.Formats {
		steps = append(steps, step{"report " + string(format),
			func() error {
				return apply.writeReport(s, report.Data{Result: *resultOf(s, outcome)}, reportFile{"-", format, false})
			}})
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if now := text(); now != planned {
			i := 0
			for i < len(now) && i < len(planned) && now[i] == planned[i] {
				i++
			}
			t.Fatalf("%s modifies the plan: …%.200q…, before …%.200q…", step.name, now[max(0, i-60):], planned[max(0, i-60):])
		}
	}
}
