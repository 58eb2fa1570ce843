package initpolicy

import (
	"bytes"
	_ "embed"
	"strings"
	"sync"
	"text/template"

	"metarobots/internal/printable"
)

//go:embed policy.tmpl
var policyText string

// policyTemplate is the policy file. Prose passes through prose, and lines of configuration are made to be TOML.
var policyTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"prose": prose}).Parse(policyText))
})

// wide is how long a line of prose may be.
const wide = 80

// prose writes a comment: lines that begin with # and a blank.
func prose(text string) string {
	var b strings.Builder
	line := "#"
	for _, word := range strings.Fields(printable.Line(text)) {
		if len(line)+1+len(word) > wide && line != "#" {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// A setting is a key that the policy sets, or a choice that it leaves to its owner.
type setting struct {
	Comment string
	Lines   []string
	Choice  bool // it is written as a comment
}

// A table is one of the policy, which is not there where nothing stands in it; one without a name is none.
type table struct {
	Name, Comment string
	Settings      []setting
	Suggestions   []taken
}

// A taken suggestion stands in the policy as configuration, another as a comment.
type taken struct {
	*Suggestion
	Taken bool
}

// Text is the policy file. Suggestions that take names stand in it as configuration, the others as comments; nil takes
// none.
func (s *Starter) Text(take func(*Suggestion) bool) []byte {
	file := struct {
		*Starter
		Look     string
		Tables   []table
		Manifest []string // how the generator may be made to say which content file made which page
	}{Starter: s, Look: "metarobots check", Tables: []table{
		{Name: "site", Settings: s.site}, {Name: "robots.headers", Settings: s.targets},
		{Name: visibility, Comment: "Groups of pages to hide. false means noindex, follow."},
		{Name: ownKeys, Comment: "What your own front matter keys mean to crawlers."}, {},
	}}
	if s.plan.Builds() {
		file.Look = "metarobots -n"
	}
	for i := range file.Tables {
		t := &file.Tables[i]
		for _, suggestion := range s.Suggestions {
			if suggestion.table == t.Name {
				t.Suggestions = append(t.Suggestions, taken{suggestion, take != nil && take(suggestion)})
			}
		}
	}
	for line := range strings.Lines(s.plan.Settings.Manifest) {
		file.Manifest = append(file.Manifest, strings.TrimRight("#     "+line, " \n"))
	}
	var b bytes.Buffer
	if err := policyTemplate().Execute(&b, file); err != nil {
		panic(err) // tests fill it
	}
	return b.Bytes()
}
