package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
	"metarobots/policy"
)

var update = flag.Bool("update", false, "rewrite what stands under testdata")

// hostile is markup in each language that a report is written in.
const hostile = "</title></script><img src=x onerror=alert(1)>|`*_[a](javascript:alert(1)) --> ]]> <!-- &amp; ,line=1::error::x\r\n=1+1"

//go:embed testdata/garden.json
var gardenJSON []byte

// garden is a small site with everything that a report can show, as --json prints it.
func garden() *Data {
	d, err := fromJSON(gardenJSON)
	if err != nil {
		panic(err)
	}
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
		noindex := p.Told().State() == seen.Noindex
		for i := range p.Why {
			_, text := seen.Addressee(p.Why[i].States)
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
