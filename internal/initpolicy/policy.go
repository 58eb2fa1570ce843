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

// A draft is what the template is filled with.
type draft struct {
	// Source and Destination are the folders of the site and of its pages, empty where they need not be said.
	Source, Destination string
	// Branch may be that of Cloudflare's production.
	Branch string
	// Hosts are the files that tell of the hosts that the site is for, and Targets those hosts. Choice: they are left
	// to the owner.
	Hosts   string
	Targets []string
	Choice  bool

	Suggestions []*Suggestion
	Look        string   // the command that shows what the policy does
	Manifest    []string // how the generator may be made to say which content file made which page
}

// In are the suggestions in a table of the policy; with an empty name, those with tables of their own.
func (d *draft) In(table string) (all []*Suggestion) {
	for _, s := range d.Suggestions {
		if s.table == table {
			all = append(all, s)
		}
	}
	return all
}

// Text is the policy file. Suggestions stand in it as comments, or as configuration where they are taken.
func (s *Starter) Text(taken bool) []byte {
	d := s.draft
	d.Suggestions, d.Look = s.Suggestions, "metarobots check"
	d.Manifest = slices.Collect(strings.Lines(s.plan.Project.Settings.Manifest))
	if s.plan.Project.Builds() {
		d.Look = "metarobots -n"
	}
	for _, g := range s.Suggestions {
		g.Sign = map[bool]string{false: "#"}[taken]
	}
	var b bytes.Buffer
	if err := policyTemplate().Execute(&b, &d); err != nil {
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
