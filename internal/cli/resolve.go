package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/internal/config"
	"metarobots/internal/project"
	"metarobots/policy"
)

type resolveCommand struct {
	command
	now      string // a date; empty for the clock
	findings []policy.Finding
}

func (c *resolveCommand) addFlags(flags *pflag.FlagSet) {
	c.addJSON(flags)
	flags.StringVar(&c.now, "now", "", "")
}

// run combines texts in the grammar of X-Robots-Tag, each a source of its own (X: resolve), without
// a site.
func (c *resolveCommand) run() error {
	now, err := config.Now(c.now, c.getenv)
	if err != nil {
		return project.Invalid(err)
	}
	p := policy.Policy{Now: now} // against which dates are read (L7)
	var statements []policy.Statement
	for i, text := range c.args {
		statements = append(statements, c.read(fmt.Sprintf("argument %d", i+1), text, p.Crawlers)...)
	}
	if err := c.invalid(); err != nil {
		return err
	}
	d := p.Resolve(statements)
	for _, s := range d.Expired {
		t, _ := s.Directives.Expiry()
		c.found("expired", "%s: unavailable_after %s has passed: it counts as noindex", s.Origin.Key,
			t.Format("2006-01-02 15:04 MST"))
	}
	c.stderr.findings(c.findings, false, true)
	return c.printTags(d.Texts(p.Style))
}

// read returns what an argument states: a text as the header has it, with or without the header's
// name. What is wrong with it goes to [command.wrong], and what is odd to the findings.
func (c *resolveCommand) read(argument, text string, known policy.Crawlers) []policy.Statement {
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		c.wrongf("%s: leave out the tag: write only what its content says, such as \"noindex\", or "+
			"\"googlebot: noindex\" for <meta name=\"googlebot\">", argument)
		return nil
	}
	if name, value, _ := strings.Cut(text, ":"); strings.EqualFold(strings.TrimSpace(name), "X-Robots-Tag") {
		text = value
	}
	statements, problems := policy.ParseHeader(text, policy.Own, known)
	for i := range statements {
		statements[i].Origin = policy.Origin{Key: argument}
	}
	for _, f := range problems {
		if f.Severity == policy.Error {
			c.wrongf("%s: %s", argument, f.Text())
		} else {
			c.found(f.ID, "%s: %s", argument, f.Text())
		}
	}
	for range policy.ApplyIndexIfEmbedded(statements) {
		c.found("indexifembedded", "%s: indexifembedded has no effect without noindex", argument)
	}
	return statements
}

// found keeps a warning about the arguments.
func (c *resolveCommand) found(id, format string, args ...any) {
	c.findings = append(c.findings, policy.Finding{ID: id, Severity: policy.Warning,
		Message: fmt.Sprintf(format, args...)})
}

// printTags prints the text for everyone, "all" if nothing is stated, and for each crawler that
// differs.
func (c *resolveCommand) printTags(tags []policy.Tag) error {
	if len(tags) == 0 || tags[0].Name != "robots" {
		tags = append([]policy.Tag{{Name: "robots", Content: "all"}}, tags...)
	}
	if c.json {
		object := map[string]string{}
		for _, t := range tags {
			object[t.Name] = t.Content
		}
		return c.printJSON(object)
	}
	for _, t := range tags {
		c.stdout.printf("%s: %s\n", t.Name, t.Content)
	}
	return nil
}
