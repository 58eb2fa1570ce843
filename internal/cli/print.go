package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/state"
	"metarobots/policy"
)

// most is how many findings of one kind are printed.
const most = 10

// severities in the order in which findings are printed, each with its colour.
var severities = []struct {
	of    policy.Severity
	color string
}{{policy.Error, red}, {policy.Warning, yellow}, {policy.Note, blue}}

// findings prints errors first, then warnings, then notes; of many of one kind only some.
func (p *printer) findings(findings []policy.Finding, quiet, all bool) {
	for _, severity := range severities {
		if quiet && severity.of != policy.Error {
			break
		}
		count := map[string]int{}
		var many []string // IDs of which there are too many
		for _, f := range findings {
			if f.Severity != severity.of {
				continue
			}
			if count[f.ID]++; count[f.ID] <= most || all {
				p.printf("%s %s %s\n", p.paint(severity.color, string(severity.of)+":"),
					policy.Placed(cmp.Or(f.File, f.URL), f.Line, f.Message), p.paint(faint, "("+f.ID+")"))
			} else if count[f.ID] == most+1 {
				many = append(many, f.ID)
			}
		}
		for _, id := range many {
			p.messages(severity.color, string(severity.of), fmt.Sprintf("… and %d more (%s; -v)", count[id]-most, id))
		}
	}
}

// note and warn say something of the run, unless that is to be quiet.
func (c *command) note(format string, args ...any) { c.say(blue, "note", format, args...) }
func (c *command) warn(format string, args ...any) { c.say(yellow, "warning", format, args...) }

func (c *command) say(color, label, format string, args ...any) {
	if !c.quiet {
		c.stderr.messages(color, label, fmt.Sprintf(format, args...))
	}
}

// summary prints the counts; its first line names the environment and what chose it.
func (p *printer) summary(s result.Summary, dryRun bool) {
	verb := "written"
	if dryRun {
		verb = "to write"
	}
	p.show("summary", struct {
		Summary                      result.Summary
		Verb                         string
		Others, Error, Warning, Note int
	}{s, verb, s.Files - s.Pages, s.Findings[policy.Error], s.Findings[policy.Warning], s.Findings[policy.Note]})
}

// shown are the first of a list, and what is printed for the others.
func shown[T any](list []T, most int) (first []T, more string) {
	if len(list) <= most {
		return list, ""
	}
	return list[:most], fmt.Sprintf("… and %d more (-v)", len(list)-most)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// changes lists the files of a dry run that would change, and how: some of them, or with --verbose all.
func (c *command) changes(site *plan.Plan) error {
	pages := slices.DeleteFunc(slices.Clone(site.Pages), func(pg *plan.Page) bool { return !pg.Changes })
	some, more := shown(pages, c.most())
	for _, pg := range some {
		before, after, err := []byte(nil), []byte(nil), error(nil)
		if c.diff {
			before, after, err = site.NewBytes(pg)
		}
		if err != nil {
			return err
		}
		c.change(site.Project.Published(pg.File.Name), before, after)
	}
	if more != "" {
		c.stdout.printf("%s\n", more)
	}
	others := slices.DeleteFunc(site.Outputs(), func(o *state.Output) bool { return !o.Differs() })
	first, more := shown(others, c.most())
	for _, o := range first {
		c.change(o.File, o.Old, o.New)
	}
	if more != "" {
		c.stdout.printf("%s\n", more)
	}
	return nil
}

// change prints whole lines of a diff, however long: what changes in a page of one line is seen.
func (c *command) change(name string, before, after []byte) {
	c.stdout.printf("%s\n", name)
	if !c.diff {
		return
	}
	name = printable.Line(name)
	for line := range strings.Lines(string(diff.Diff(name, before, name+" (planned)", after))) {
		color := map[byte]string{'+': green, '-': red}[line[0]]
		c.stdout.printf("%s\n", c.stdout.paint(color, styled(printable.Whole(strings.TrimRight(line, "\r\n")))))
	}
}

// most is how many lines of a kind are printed: all with --verbose.
func (c *command) most() int {
	if c.verbose {
		return math.MaxInt
	}
	return most
}
