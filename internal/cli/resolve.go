package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"metarobots/internal/config"
	"metarobots/internal/project"
	"metarobots/policy"
)

// resolve resolves statements without a site.
func (c *command) resolve(cmd *cobra.Command, args []string) error {
	now, err := config.Now(c.options.Now, c.getenv)
	if err != nil {
		return project.Invalid(err)
	}
	tags, findings, err := resolveTexts(args, now)
	if err != nil {
		return err
	}
	c.stderr.findings(findings, false, true)
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

// resolveTexts combines texts in the grammar of X-Robots-Tag, each a source of its own (X: resolve): the text for
// everyone, "all" where nothing is stated, and for each crawler that differs. now is the time against which dates are
// read (L7). Faults of the texts are errors of usage; the findings are what else is to be said of them.
func resolveTexts(texts []string, now time.Time) ([]policy.Tag, []policy.Finding, error) {
	var (
		p          = policy.Policy{Now: now}
		statements []policy.Statement
		findings   []policy.Finding
		errs       []error
	)
	for i, text := range texts {
		if strings.HasPrefix(strings.TrimSpace(text), "<") {
			errs = append(errs, fmt.Errorf("argument %d: leave out the tag: write only what its content says, such as "+
				"\"noindex\", or \"googlebot: noindex\" for <meta name=\"googlebot\">", i+1))
			continue
		}
		if name, value, _ := strings.Cut(text, ":"); strings.EqualFold(strings.TrimSpace(name), "X-Robots-Tag") {
			text = value
		}
		readings, problems := policy.ParseHeader(text, policy.Own, p.Crawlers)
		at := policy.Origin{Key: fmt.Sprintf("argument %d", i+1)}
		source := make([]policy.Statement, len(readings))
		for i, r := range readings {
			source[i] = r.Statement(at)
		}
		for range policy.OneSource(source) {
			problems = append(problems, policy.Finding{ID: "indexifembedded", Severity: policy.Warning,
				Message: "indexifembedded has no effect without noindex"})
		}
		statements = append(statements, source...)
		for _, problem := range problems {
			message := at.Key + ": " + problem.Message
			if problem.Severity == policy.Error {
				errs = append(errs, errors.New(message))
				continue
			}
			findings = append(findings, policy.Finding{ID: problem.ID, Severity: problem.Severity, Message: message})
		}
	}
	if len(errs) > 0 {
		return nil, nil, project.Invalid(errors.Join(errs...))
	}
	d := p.Resolve(statements)
	for _, s := range d.Expired {
		t, _ := s.Directives.Expiry()
		findings = append(findings, policy.Finding{ID: "expired", Severity: policy.Warning, Message: fmt.Sprintf(
			"%s: unavailable_after %s has passed: it counts as noindex", s.Origin.Key,
			t.Format("2006-01-02 15:04 MST"))})
	}
	tags := d.Texts(p.Style)
	if len(tags) == 0 || tags[0].Name != "robots" {
		tags = append([]policy.Tag{{Name: "robots", Content: "all"}}, tags...)
	}
	return tags, findings, nil
}
