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
	now string // a date; empty for the clock
}

func (c *resolveCommand) addFlags(flags *pflag.FlagSet) {
	c.addJSON(flags)
	flags.StringVar(&c.now, "now", "", "")
}

// run combines texts in the grammar of X-Robots-Tag, each a source of its own (X: resolve), without a site: it
// prints the text for everyone, "all" where nothing is stated, and for each crawler that differs.
func (c *resolveCommand) run() error {
	now, err := config.Now(c.now, c.getenv)
	if err != nil {
		return project.Invalid(err)
	}
	p := policy.Policy{Now: now} // against which dates are read (L7)
	var statements []policy.Statement
	var findings []policy.Finding
	found := func(id, format string, args ...any) {
		findings = append(findings, policy.Finding{ID: id, Severity: policy.Warning, Message: fmt.Sprintf(format, args...)})
	}
	for i, text := range c.args {
		at := policy.Origin{Key: fmt.Sprintf("argument %d", i+1)}
		if strings.HasPrefix(strings.TrimSpace(text), "<") {
			c.wrongf("%s: leave out the tag: write only what its content says, such as \"noindex\", or "+
				"\"googlebot: noindex\" for <meta name=\"googlebot\">", at.Key)
			continue
		}
		if name, value, _ := strings.Cut(text, ":"); strings.EqualFold(strings.TrimSpace(name), "X-Robots-Tag") {
			text = value
		}
		source, problems := policy.ParseHeader(text, policy.Own, p.Crawlers)
		for i := range source {
			source[i].Origin = at
		}
		for _, f := range problems {
			if f.Severity == policy.Error {
				c.wrongf("%s: %s", at.Key, f.Text())
			} else {
				found(f.ID, "%s: %s", at.Key, f.Text())
			}
		}
		for range policy.OneSource(source) {
			found("indexifembedded", "%s: indexifembedded has no effect without noindex", at.Key)
		}
		statements = append(statements, source...)
	}
	if err := c.invalid(); err != nil {
		return err
	}
	d := p.Resolve(statements)
	for _, s := range d.Expired {
		t, _ := s.Directives.Expiry()
		found("expired", "%s: unavailable_after %s has passed: it counts as noindex", s.Origin.Key,
			t.Format("2006-01-02 15:04 MST"))
	}
	c.stderr.findings(findings, false, true)
	tags := d.Texts(p.Style)
	if len(tags) == 0 || tags[0].Name != "robots" {
		tags = append([]policy.Tag{{Name: "robots", Content: "all"}}, tags...)
	}
	object := map[string]string{}
	for _, t := range tags {
		if object[t.Name] = t.Content; !c.json {
			c.stdout.printf("%s: %s\n", t.Name, t.Content)
		}
	}
	if c.json {
		return c.printJSON(object)
	}
	return nil
}
