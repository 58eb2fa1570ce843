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
	"metarobots/internal/lazyregexp"
	"metarobots/internal/printable"
)

//go:embed policy.tmpl
var policyText string

// policyTemplate makes the text of a policy of a [Starter].
var policyTemplate = sync.OnceValue(func() *template.Template {
	// Text becomes a line, and a value of the configuration is made to be TOML.
	toml := func(value string) string {
		text, _ := tomlText(filepath.ToSlash(value))
		return text
	}
	return template.Must(template.New("").Funcs(template.FuncMap{"line": printable.Line, "host": hosts.Lookup,
		"toml": toml}).Parse(policyText))
})

// In are the suggestions in a table of the policy; with an empty name, those with tables of their
// own.
func (s *Starter) In(table string) (all []*Suggestion) {
	for _, g := range s.Suggestions {
		if g.table == table {
			all = append(all, g)
		}
	}
	return all
}

// SecondNames are names of a host's own at which it serves a site beside the site's domain.
type SecondNames struct {
	// Name is the host's, Domains what the names end with.
	Name, Domains string
	// IsWorker says that Cloudflare's Workers may serve the site, which can switch the names off.
	IsWorker bool
}

// SecondNames returns those of the site's host if a rule can keep them out of the index (N11); nil
// if there are none, or one of them is the site's address.
func (s *Starter) SecondNames() *SecondNames {
	if len(s.Seen.Targets) != 1 {
		return nil
	}
	h, own := hosts.Lookup(s.Seen.Targets[0]), s.plan.Project.Hosts.Main.URL.Hostname()
	if !h.Others.ByHost || len(h.Domains) == 0 || own == "" || h.Serves(own) {
		return nil
	}
	return &SecondNames{h.Name, strings.Join(h.Domains, ", "),
		strings.Contains(s.Seen.By, "wrangler.")}
}

// Look is the command that shows what the policy does.
func (s *Starter) Look() string {
	if s.plan.Project.Builds() {
		return "metarobots -n"
	}
	return "metarobots check"
}

// Manifest says, in lines, how the generator may be made to tell which content file made which
// page.
func (s *Starter) Manifest() []string {
	return slices.Collect(strings.Lines(s.plan.Project.Settings.Manifest))
}

// SuggestionsAs is how the suggestions are in the text of a policy.
type SuggestionsAs bool

const (
	// AsComments: they decide nothing until somebody takes away the signs.
	AsComments SuggestionsAs = false
	// AsConfiguration: all are taken.
	AsConfiguration SuggestionsAs = true
)

// Text is the policy file. It sets the Sign of each suggestion.
func (s *Starter) Text(as SuggestionsAs) []byte {
	sign := ""
	if as == AsComments {
		sign = "#"
	}
	for _, g := range s.Suggestions {
		g.Sign = sign
	}
	var b bytes.Buffer
	if err := policyTemplate().Execute(&b, s); err != nil {
		panic(err) // tests fill it
	}
	return typeset(b.String())
}

var (
	blanksAtEnd = lazyregexp.New(`(?m) +$`)
	emptyLines  = lazyregexp.New(`\n{3,}`)
	// longLine matches a line of prose of more than 80 characters: it begins with # and one blank.
	// piece matches as much of it as goes on one line.
	longLine = lazyregexp.New(`(?m)^# \S.{78,}\n`)
	piece    = lazyregexp.New(`(\S.{0,76}\S|\S+)\s+`)
)

// typeset breaks long lines of prose, and leaves one empty line of several, and no blanks at the
// end of a line.
func typeset(text string) []byte {
	text = blanksAtEnd.ReplaceAllString(strings.TrimSpace(text)+"\n", "")
	text = longLine.ReplaceAllStringFunc(text, func(line string) string {
		return piece.ReplaceAllString(line[len("# "):], "# $1\n")
	})
	return []byte(emptyLines.ReplaceAllString(text, "\n\n"))
}
