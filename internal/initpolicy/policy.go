package initpolicy

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"

	"metarobots/internal/hosts"
	"metarobots/internal/printable"
)

//go:embed policy.tmpl
var policyText string

var policyTemplate = sync.OnceValue(func() *template.Template {
	// Text becomes a line, and a value of the configuration is made to be TOML.
	toml := func(value string) string {
		text, _ := tomlText(filepath.ToSlash(value))
		return text
	}
	return template.Must(template.New("").Funcs(template.FuncMap{"line": printable.Line, "host": hosts.Lookup,
		"toml": toml}).Parse(policyText))
})

// In are the suggestions in a table of the policy; with an empty name, those with tables of their own.
func (s *Starter) In(table string) (all []*Suggestion) {
	for _, g := range s.Suggestions {
		if g.table == table {
			all = append(all, g)
		}
	}
	return all
}

// Look is the command that shows what the policy does.
func (s *Starter) Look() string {
	if s.plan.Project.Builds() {
		return "metarobots -n"
	}
	return "metarobots check"
}

// Manifest says, in lines, how the generator may be made to tell which content file made which page.
func (s *Starter) Manifest() []string {
	return slices.Collect(strings.Lines(s.plan.Project.Settings.Manifest))
}

// Text is the policy file. Suggestions stand in it as comments, or as configuration where they are taken.
func (s *Starter) Text(taken bool) []byte {
	for _, g := range s.Suggestions {
		g.Sign = map[bool]string{false: "#"}[taken]
	}
	var b bytes.Buffer
	if err := policyTemplate().Execute(&b, s); err != nil {
		panic(err) // tests fill it
	}
	return set(b.String())
}

// wide is how long a line of prose may be.
const wide = 80

// set breaks the lines of prose, which begin with # and one blank, and leaves one empty line of several.
func set(text string) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \n")
		if len(line) > wide && strings.HasPrefix(line, "# ") && line[2] != ' ' {
			words := strings.Fields(line)
			line = words[0]
			for _, word := range words[1:] {
				if len(line)+1+len(word) > wide && line != "#" {
					b.WriteString(line + "\n")
					line = "#"
				}
				line += " " + word
			}
		}
		if line != "" || !bytes.HasSuffix(b.Bytes(), []byte("\n\n")) {
			b.WriteString(line + "\n")
		}
	}
	return b.Bytes()
}
