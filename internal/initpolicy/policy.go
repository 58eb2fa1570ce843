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

// A draft is what the policy is to say beside the suggestions.
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
}

// A filling is what the template is filled with.
type filling struct {
	draft
	Suggestions []*Suggestion
	Look        string   // the command that shows what the policy does
	Manifest    []string // how the generator may be made to say which content file made which page
}

// In are the suggestions in a table of the policy; with an empty name, those with tables of their own.
func (f *filling) In(table string) (all []*Suggestion) {
	for _, s := range f.Suggestions {
		if s.table == table {
			all = append(all, s)
		}
	}
	return all
}

// Text is the policy file. Suggestions stand in it as comments, or as configuration where they are taken.
func (s *Starter) Text(taken bool) []byte {
	f := filling{draft: s.draft, Suggestions: s.Suggestions, Look: "metarobots check",
		Manifest: slices.Collect(strings.Lines(s.plan.Project.Settings.Manifest))}
	if s.plan.Project.Builds() {
		f.Look = "metarobots -n"
	}
	for _, g := range s.Suggestions {
		g.Sign = map[bool]string{false: "#"}[taken]
	}
	var b bytes.Buffer
	if err := policyTemplate().Execute(&b, &f); err != nil {
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
