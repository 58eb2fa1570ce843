package config

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// parse reads a policy file's text.
func parse(text string) (*Config, error) {
	values, at, err := ParseFile("metarobots.toml", []byte(text))
	if err != nil {
		return nil, err
	}
	return Parse(values, at, nil)
}

// faults takes joined errors apart.
func faults(err error) []string {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, faults(e)...)
		}
		return all
	}
	return []string{err.Error()}
}

// C: every kind of fault, each with file and line and the nearest known word. Each want is "line:
// part of the message"; all of them in one go and no other (C2c, C2d, H1e, H1f).
func TestHouse_FaultsOfAConfigurationAtTheirLines(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/faults.txt") {
		_, err := parse(c["configuration"])
		got := faults(err)
		want := c.List("faults")
		if len(got) != len(want) {
			t.Errorf("%s\n%d faults %q\nwant %q", c["configuration"], len(got), got, want)
			continue
		}
		for i, want := range want {
			if line, rest, ok := strings.Cut(want, ": "); ok && strings.Trim(line, "0123456789") == "" {
				if !strings.HasPrefix(got[i], "metarobots.toml:"+line+": ") {
					t.Errorf("%s\n got %q\nwant line %s", c["configuration"], got[i], line)
				}
				want = rest
			}
			if !strings.Contains(got[i], want) || !strings.HasPrefix(got[i], "metarobots.toml:") {
				t.Errorf("%s\n got %q\nwant %q", c["configuration"], got[i], want)
			}
		}
	}
}

// C: a value that is out of place is reported, however it came: values of environment variables are
// text (C2b).
func TestHouse_ValuesOfVariablesAreText(t *testing.T) {
	generator := &Home{Path: []string{"params", "metarobots"},
		Locate: func(path ...string) (string, int) { return "env HUGO_PARAMS_METAROBOTS", 0 },
		Values: map[string]any{"none": "TRUE", "expiry": "1", "page": "Overrides",
			"guard": map[string]any{"noindex": "0.25"}, "sitemap": map[string]any{"filter": "off"},
			"crawlers": "florabot, mossbot", "headers": map[string]any{"targets": "netlify", "scope": "FILES"},
			"agents": map[string]any{"florabot": "noai"},
			"visibility": map[string]any{"kinds": map[string]any{"taxonomy": "false"},
				"archives": map[string]any{"paginated": "no"}}}}
	c := tables.Value(Parse(nil, nil, generator))(t)
	r := &c.Robots
	if !r.Policy.Style.None || !r.FrontMatter.Expiry || !r.Policy.PageOverrides || r.Guard.Noindex != 0.25 ||
		r.Sitemap.OmitsHidden || !slices.Equal(r.Headers.Targets, []string{"netlify"}) || r.Headers.Scope != "files" {
		t.Errorf("%+v", r)
	}
	if _, ok := r.FrontMatter.Crawlers.Lookup("mossbot"); !ok || len(r.Policy.Default) != 2 {
		t.Errorf("crawlers %v, agents %v", r.FrontMatter.Crawlers.Names(), r.Policy.Default)
	}
	if v := r.Policy.Visibility; len(v) != 2 || v[0].Group != "kinds" || len(v[0].Statements) != 1 ||
		v[1].Name != "paginated" || len(v[1].Statements) != 1 {
		t.Errorf("%+v", r.Policy.Visibility)
	}
	for key, value := range map[string]any{"none": "maybe", "guard": map[string]any{"noindex": "much"}, "page": "",
		"default": "noindx"} {
		generator.Values = map[string]any{key: value}
		if _, err := Parse(nil, nil, generator); err == nil ||
			!strings.HasPrefix(err.Error(), "env HUGO_PARAMS_METAROBOTS: params.metarobots."+key) {
			t.Errorf("%s = %v: %v", key, value, err)
		}
	}
}

// C: what YAML leaves empty has its default; so have keys in any case (C2a).
func TestHouse_EmptyKeysHaveTheirDefaults(t *testing.T) {
	want := tables.Value(parse(""))(t)
	wantValues := meaning(want)
	generator := &Home{Path: []string{"params", "metarobots"}, Locate: func(...string) (string, int) { return "", 0 },
		Values: map[string]any{"default": nil, "page": nil, "sitemap": map[string]any{"filter": nil}, "guard": nil,
			"headers": map[string]any{"targets": nil}, "rules": nil, "agents": nil}}
	for name, read := range map[string]func() (*Config, error){
		"its own text": func() (*Config, error) { return parse(defaultsTOML) },
		"empty values": func() (*Config, error) { return Parse(nil, nil, generator) },
		"in capitals": func() (*Config, error) {
			return parse("[SITE]\nSOURCE = \".\"\n[ROBOTS]\nPAGE = \"Restricts\"\nERRORPAGES = " +
				"\"OMIT\"\n[ROBOTS.SITEMAP]\nFILTER = true\n")
		},
	} {
		got, err := read()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if values := meaning(got); values != wantValues {
			t.Errorf("%s\n got %s\nwant %s", name, values, wantValues)
		}
	}
	r := &want.Robots
	if r.Policy.PageOverrides || r.Policy.ReplaceFound || r.Policy.Style != (policy.Style{}) || r.Unpoliced.ErrorPages.Keep ||
		r.Unpoliced.CleanRedirects || r.Policy.IgnoresOwners || r.FrontMatter.Expiry ||
		!r.Sitemap.OmitsHidden || r.Guard.Noindex != 0.5 || !slices.Equal(r.Headers.Targets, []string{"auto"}) ||
		r.Headers.Scope != "auto" || len(r.Policy.Rules.All)+len(r.Environments) > 0 {
		t.Errorf("%+v", r)
	}
	if d := r.Policy.Default; len(d) != 1 || d[0].States() != "index, follow, max-snippet:-1, "+
		"max-image-preview:large, max-video-preview:-1" {
		t.Errorf("default %v", r.Policy.Default)
	}
	if s := want.Site; s != (Site{Source: ".", Generator: "auto"}) {
		t.Errorf("%+v", s)
	}
	if o := r.Policy.Default[0].Origin; o.File != "" || o.Line != 0 {
		t.Errorf("the default, which nobody wrote, stands at %s:%d", o.File, o.Line) // L8
	}
}

// meaning prints what a configuration means, without its places.
func meaning(c *Config) string {
	r := c.Robots
	for i := range r.Policy.Default {
		r.Policy.Default[i].Origin = policy.Origin{}
	}
	links := *r.Links
	r.Links = nil
	return fmt.Sprintf("%+v %+v %+v %q", c.Site, r, links.Options, links.sections)
}

// C: [robots] in a policy file and [params.metarobots] at once is an error that names both; [site]
// may stand beside it. C1e.
func TestHouse_TwoHomesOfAPolicyAreAnError(t *testing.T) {
	generator := &Home{Values: map[string]any{"page": "overrides"}, Path: []string{"params", "metarobots"},
		Locate: func(...string) (string, int) { return "hugo.toml", 12 }}
	values, at, err := ParseFile("metarobots.toml", []byte("[site]\nsource = \"x\"\n\n[robots]\nnone = true\n"))
	tables.Must(t, err)
	_, err = Parse(values, at, generator)
	if err == nil || !strings.HasPrefix(err.Error(), "metarobots.toml:4: ") ||
		!strings.Contains(err.Error(), "hugo.toml:12") {
		t.Errorf("%v", err)
	}
	delete(values, "robots")
	c, err := Parse(values, at, generator)
	if err != nil || c.Site.Source != "x" || !c.Robots.Policy.PageOverrides {
		t.Errorf("%v %+v", err, c)
	}
	// Faults name the home they stand in.
	values["site"] = map[string]any{"sorce": 1}
	generator.Values["pages"] = 1
	_, err = Parse(values, at, generator)
	if got := faults(err); len(got) != 2 || !strings.HasPrefix(got[0], "hugo.toml:12: params.metarobots.pages") ||
		!strings.HasPrefix(got[1], "metarobots.toml:1: site.sorce") {
		t.Errorf("%q", got)
	}
}

// L8a: every statement of the configuration knows file, line and key.
func TestHouse_StatementsKnowTheirLines(t *testing.T) {
	a := tables.Value(txtar.ParseFile("testdata/origins.txtar"))(t)
	c := tables.Value(parse(string(a.Files[0].Data)))(t)
	r := &c.Robots
	var got []string
	for _, statements := range [][]policy.Statement{r.Policy.Default, r.Environments["uat"],
		r.Policy.Visibility[0].Statements,
		r.Policy.Visibility[1].Statements, r.Policy.Visibility[2].Statements, r.Policy.Rules.All[0].Statements,
		r.Policy.Rules.All[1].Statements} {
		for _, s := range statements {
			got = append(got, fmt.Sprintf("%s:%d %s %s: %s", s.Origin.File, s.Origin.Line, s.Origin.Layer, s.Origin.Key,
				s.States()))
		}
	}
	if got, want := strings.Join(got, "\n")+"\n", string(a.Files[1].Data); got != want {
		t.Errorf("origins\n%s\nwant\n%s", got, want)
	}
	if o := r.Policy.Rules.All[1].Origin; o.Line != 18 || o.Key != "robots.rules (rule 2)" {
		t.Errorf("%+v", o)
	}
}

// A4b: told to a token of robots.txt alone, configuration does nothing.
func TestGoogle_ExtendedInConfiguration(t *testing.T) {
	c, err := parse("[robots.agents]\ngoogle-extended = \"noindex\"\n")
	if err != nil || len(c.Findings) != 1 || c.Findings[0].ID != "inert-crawler" || c.Findings[0].Line != 2 ||
		len(c.Robots.Policy.Default) != 1 {
		t.Errorf("%v %+v", err, c)
	}
}

// A key by its former name is an error that says the new one.
func TestHouse_FormerNamesOfKeysAreErrors(t *testing.T) {
	_, err := parse("[robots]\nsilence = [{ id = \"theme-adds\" }]\n")
	if want := `metarobots.toml:2: robots.silence: unknown key "silence": it is called suppress`; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A byte order mark and Windows line ends move no line.
func TestHouse_MarksAndLineEndsMoveNoLine(t *testing.T) {
	for _, text := range []string{"\ufeff[robots]\n\npage = \"x\"\n", "[robots]\r\n\r\npage = \"x\"\r\n"} {
		if _, err := parse(text); err == nil || !strings.HasPrefix(err.Error(), "metarobots.toml:3: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The reference configuration: its header and "# Default:" lines are the defaults, by the
// convention at its top (C3).
func TestHouse_ReferenceConfigurationStatesDefaults(t *testing.T) {
	data := tables.Value(os.ReadFile("../../config.toml"))(t)
	documented := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if def, ok := strings.CutPrefix(line, "# Default: "); ok {
			line = def
		} else if line = strings.TrimPrefix(line, "# "); !strings.HasPrefix(line, "[") {
			continue
		}
		documented += line + "\n"
	}
	var got, want map[string]any
	tables.Value(toml.Decode(documented, &got))(t)
	tables.Value(toml.Decode(defaultsTOML, &want))(t)
	robots := got["robots"].(map[string]any)
	none, nothing := []any{}, map[string]any{}

	// The defaults of one rule, and of a group of visibility: nothing is said, and every key of the
	// schema is named.
	rule := robots["rules"].([]map[string]any)[0]
	wantRule := map[string]any{"match": none, "except": none, "robots": "", "agents": nothing, "kinds": none,
		"types": none, "sections": none, "languages": none, "formats": none, "allowEmpty": false}
	if !reflect.DeepEqual(rule, wantRule) {
		t.Errorf("a rule's defaults\n got %v\nwant %v", rule, wantRule)
	}
	wantVisibility := map[string]any{"archives": nothing, "formats": nothing, "kinds": nothing, "languages": nothing,
		"sections": nothing, "types": nothing, "allowEmpty": false, "versions": "all"}
	if !reflect.DeepEqual(robots["visibility"], wantVisibility) {
		t.Errorf("visibility\n got %v\nwant %v", robots["visibility"], wantVisibility)
	}

	// Environments are built into the code (E3).
	environments := robots["environments"].(map[string]any)
	if got := slices.Sorted(maps.Keys(environments)); !slices.Equal(got, Environments()) {
		t.Errorf("environments %v, built in are %v", got, Environments())
	}
	builtIn := tables.Value(parse(""))(t)
	written := tables.Value(parse("[robots.environments]\n" + tomlTable(environments)))(t)
	for name := range environments {
		statements := tables.Value(builtIn.States(name, "-e"))(t)
		documented := written.Robots.Environments[name]
		if len(statements) != len(documented) || len(documented) == 1 &&
			documented[0].Directives != statements[0].Directives {
			t.Errorf("%s states %v, documented is %v", name, statements, documented)
		}
	}
	robots["rules"], robots["environments"] = none, nothing
	robots["visibility"] = map[string]any{"versions": "all"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("documented is\n%v\nand defaults are\n%v", got, want)
	}

	// As it stands it is a valid policy file.
	values, at, err := ParseFile("config.toml", data)
	tables.Must(t, err)
	if _, err := Parse(values, at, nil); err != nil || !IsPolicy(values) {
		t.Error(err)
	}
}

// tomlTable prints a table of texts and booleans.
func tomlTable(m map[string]any) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s = %#v\n", toml.Key{key}, m[key])
	}
	return b.String()
}

// What is fixed by the configuration reaches the policy.
func TestHouse_ConfigurationReachesThePolicy(t *testing.T) {
	c := tables.Value(parse("[robots]\npage = \"overrides\"\nfound = \"replace\"\nresources = \"own\"\nredundant = " +
		"\"keep\"\nnone = true\nagents = { bingbot = \"nocache\" }\n"))(t)
	e := tables.Value(c.Choose("staging", getenv("")))(t)
	now, _ := Now("2026-09-21", getenv(""))
	p := c.Policy(e, now)
	if !p.PageOverrides || !p.ReplaceFound || !p.IgnoresOwners ||
		p.Style != (policy.Style{KeepRedundant: true, None: true}) || !p.Now.Equal(now) ||
		len(p.Environment) != 1 || len(p.Default) != 2 {
		t.Errorf("%+v", p)
	}
}
