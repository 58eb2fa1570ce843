package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/robotsmeta"
	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// vector is one case of decide.json.
type vector struct {
	ID, Rule, Name, Config string
	Env                    map[string]string
	Flags                  []string
	Params                 map[string]any
	Page                   struct {
		vectorFacts
		File, Of         string
		HTML             bool
		Static, Redirect bool
		Pager            int
		Taxonomies       []string
		Bundle           *struct{ Pages []vectorOwner }
	}
	FrontMatter map[string]any
	Found       *struct {
		HTML    []any
		Headers [][2]string
	}
	Want struct {
		Meta           map[string]string
		Header         []string
		Error, Finding string
	}
}

type vectorFacts struct{ URL, Kind, Type, Section, Language, Format string }

type vectorOwner struct {
	vectorFacts
	FrontMatter map[string]any
}

func (f vectorFacts) facts() policy.Facts {
	return policy.Facts{Kind: f.Kind, Type: f.Type, Section: f.Section, Language: f.Language, Format: f.Format}
}

// oneFile is a page map that knows one file.
type oneFile struct{ file site.File }

func (m oneFile) File(string) site.File      { return m.file }
func (m oneFile) Expected() []string         { return nil }
func (m oneFile) Reads(string) bool          { return true }
func (m oneFile) Findings() []policy.Finding { return nil }

// vectorSite is the site of a case: a folder with a configuration and nothing else.
type vectorSite struct {
	name, baseURL string
	theme         any
	dir           string
}

func (s vectorSite) Name() string                       { return s.name }
func (s vectorSite) Detect(string, map[string]any) bool { return true }
func (s vectorSite) Close() error                       { return nil }

func (s vectorSite) Open(_ context.Context, o site.Options) (site.Site, error) {
	s.baseURL = o.BaseURL
	return s, nil
}

func (s vectorSite) Settings() site.Settings {
	return site.Settings{Publish: filepath.Join(s.dir, "public"), BaseURL: s.baseURL, ThemeRobots: s.theme}
}

func (s vectorSite) List(context.Context, frontmatter.Config, []string) (site.Map, error) {
	return nil, errors.New("a case has one file, and no list")
}

// project opens the project of a case.
func (v *vector) project(t *testing.T) (*project.Project, error) {
	dir := t.TempDir()
	if v.Config != "" {
		tables.Must(t, os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(v.Config), 0o644))
	}
	o := project.Options{WorkDir: dir, Getenv: func(key string) string { return v.Env[key] }}
	for i := 0; i+1 < len(v.Flags); i += 2 {
		switch v.Flags[i] {
		case "-e":
			o.Environment = v.Flags[i+1]
		case "--now":
			o.Now = v.Flags[i+1]
		case "-b":
			o.BaseURL = v.Flags[i+1]
		default:
			t.Fatalf("flag %s is not known to the test", v.Flags[i])
		}
	}
	theme := v.Params["robots"]
	return project.Open(t.Context(), o, vectorSite{name: "hugo", theme: theme, dir: dir},
		vectorSite{name: "html", theme: theme, dir: dir})
}

// file makes the published file of a case, as a generator would.
func (v *vector) file(t *testing.T, p *project.Project) site.File {
	read := func(params map[string]any) []policy.Statement {
		r := frontmatter.Read(params, p.Config.Robots.FrontMatter)
		for _, problem := range r.Findings {
			t.Errorf("front matter: %s", problem.Text())
		}
		for i := range r.Statements {
			r.Statements[i].Origin.Layer = policy.LayerPage
		}
		return r.Statements
	}
	ownerPath := func(encoded string) policy.Path {
		path := tables.Value(url.PathUnescape(encoded))(t)
		return policy.Path{File: path + "index.html", URL: path}
	}
	g := &v.Page
	f := site.File{Name: g.File}
	f.Path, f.Facts, f.HTML = policy.PathOf(g.File), g.facts(), g.HTML
	f.Pager, f.Taxonomies = g.Pager, g.Taxonomies
	f.Page = read(v.FrontMatter)
	behind := g.Kind != ""
	switch {
	case !(behind && g.HTML) && site.IsControlFile(g.File):
		f.Role = policy.RoleControl
	case g.Kind == "404" || g.HTML && site.IsErrorFile(g.File, nil, behind):
		f.Role = policy.RoleError
	case g.Bundle != nil:
		f.Role = policy.RoleResource
	case g.Static:
		f.Role = policy.RoleStatic
	case !g.HTML:
		f.Role = policy.RoleOutput
	}
	if g.Of != "" {
		f.Of = &policy.Owner{Path: ownerPath(g.Of)}
	}
	if g.Bundle != nil {
		for _, o := range g.Bundle.Pages {
			facts := o.facts()
			facts.Format = "html"
			f.Owners = append(f.Owners, policy.Owner{Path: ownerPath(o.URL), Facts: facts,
				Statements: read(o.FrontMatter)})
		}
	}
	return f
}

// bytes makes the HTML of a case.
func (v *vector) bytes() []byte {
	var b strings.Builder
	b.WriteString("<!doctype html><html><head><meta charset=\"utf-8\">")
	if v.Page.Redirect {
		b.WriteString(`<meta http-equiv="refresh" content="0; url=https://example.org/new/">`)
	}
	if v.Found != nil {
		for _, f := range v.Found.HTML {
			if tag, ok := f.([]any); ok {
				f = fmt.Sprintf("<meta name=%q content=\"%s\">", tag[0], html.EscapeString(tag[1].(string)))
			}
			b.WriteString(f.(string))
		}
	}
	return []byte(b.String() + "<title>A</title></head><body><p>A</p></body></html>")
}

func TestVectors_Decide(t *testing.T) {
	data := tables.Value(os.ReadFile("testdata/decide.json"))(t)
	var file struct{ Cases []vector }
	tables.Must(t, json.Unmarshal(data, &file))
	for _, v := range file.Cases {
		t.Run(v.ID, func(t *testing.T) {
			t.Logf("%s: %s", v.Rule, v.Name)
			p, err := v.project(t)
			if v.Want.Error != "" {
				text := fmt.Sprint(err)
				if help, ok := errors.AsType[*printable.Help](err); ok {
					text += "\n" + strings.Join(help.Lines, "\n")
				}
				if err == nil || !strings.Contains(strings.ToLower(text), v.Want.Error) {
					t.Errorf("error %v, want %q in it", err, v.Want.Error)
				}
				return
			}
			tables.Must(t, err)
			defer p.Close()
			if v.Found != nil {
				text := ""
				for _, rule := range v.Found.Headers {
					text += fmt.Sprintf("%s\n  X-Robots-Tag: %s\n", rule[0], rule[1])
				}
				tables.Must(t, os.MkdirAll(p.Settings.Publish, 0o755))
				tables.Must(t, os.WriteFile(p.Path("_headers"), []byte(text), 0o644))
			}
			m := oneFile{v.file(t, p)}
			mk := tables.Value(NewMaker(p, m, project.Published{Project: p}, nil))(t)
			var pg *Page
			if v.Page.HTML {
				var out []byte
				pg, out = newEditor(mk).html(m.file, v.bytes(), true)
				pg.Bytes.Change = false
				// What is said of the file must stand in its bytes.
				again, _ := newEditor(mk).html(m.file, slices.Clone(out), true)
				if tags := robotsmeta.Stating(again.Tags); !slices.Equal(tags, pg.Carries) && again.Bytes.Change {
					t.Errorf("the bytes carry %v, the plan says %v\n%s", tags, pg.Carries, out)
				}
			} else {
				pg = mk.decideAsset(m.file)
			}
			mk.add(pg)
			plan := mk.finish(inTurn)
			meta := map[string]string{}
			for _, tag := range pg.Carries {
				meta[tag.Name] = strings.TrimPrefix(meta[tag.Name]+", "+tag.Content, ", ")
			}
			if v.Want.Meta != nil && !maps.Equal(meta, v.Want.Meta) {
				t.Errorf("meta\n got %v\nwant %v", meta, v.Want.Meta)
			}
			if v.Want.Header != nil && !slices.Equal(pg.Header(), v.Want.Header) {
				t.Errorf("header\n got %q\nwant %q", pg.Header(), v.Want.Header)
			}
			if word := v.Want.Finding; word != "" {
				if !slices.ContainsFunc(plan.Findings, func(f policy.Finding) bool {
					return strings.Contains(strings.ToLower(f.ID+" "+f.Text()), word)
				}) {
					t.Errorf("no finding holds %q: %v", word, plan.Findings)
				}
			}
		})
	}
}
