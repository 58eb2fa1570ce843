package cli

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
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
		var more []string // IDs of which there are too many
		for _, f := range findings {
			if f.Severity != severity.of {
				continue
			}
			if count[f.ID]++; count[f.ID] == most+1 && !all {
				more = append(more, f.ID)
			}
			if count[f.ID] > most && !all {
				continue
			}
			p.printf("%s %s %s\n", p.paint(severity.color, string(severity.of)+":"),
				policy.Placed(cmp.Or(f.File, f.URL), f.Line, f.Message), p.paint(faint, "("+f.ID+")"))
		}
		for _, id := range more {
			p.messages(severity.color, string(severity.of),
				fmt.Sprintf("… and %d more (%s; -v)", count[id]-most, id))
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
	type changed struct {
		name  string
		bytes func() (before, after []byte, err error)
	}
	var pages, others []changed
	for _, pg := range site.Pages {
		if pg.Changes {
			name := site.Project.Published(pg.File.Name)
			pages = append(pages, changed{name, func() ([]byte, []byte, error) { return site.NewBytes(pg) }})
		}
	}
	for _, o := range site.Outputs() {
		if o.Differs() {
			others = append(others, changed{o.File, func() ([]byte, []byte, error) { return o.Old, o.New, nil }})
		}
	}
	for _, list := range [][]changed{pages, others} {
		first, more := shown(list, c.most())
		for _, file := range first {
			c.stdout.printf("%s\n", file.name)
			if !c.diff {
				continue
			}
			before, after, err := file.bytes()
			if err != nil {
				return err
			}
			name := printable.Line(file.name)
			c.stdout.diff(diff.Diff(name, before, name+" (planned)", after))
		}
		if more != "" {
			c.stdout.printf("%s\n", more)
		}
	}
	return nil
}

// diff prints whole lines, however long: what changes in a page of one line is seen.
func (p *printer) diff(text []byte) {
	for line := range strings.Lines(string(text)) {
		color := ""
		switch line[0] {
		case '+':
			color = green
		case '-':
			color = red
		}
		p.printf("%s\n", p.paint(color, styled(printable.Whole(strings.TrimRight(line, "\r\n")))))
	}
}

// most is how many lines of a kind are printed: all with --verbose.
func (c *command) most() int {
	if c.verbose {
		return math.MaxInt
	}
	return most
}
