package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// How many findings of one kind are printed, and how many files or URLs are named for one cause.
const (
	most      = 10
	mostNamed = 3
)

// mostLines is how many lines of a kind are printed: all with --verbose.
func (c *command) mostLines() int {
	if c.verbose {
		return math.MaxInt
	}
	return most
}

// severities in the order in which findings are printed, each with its colour.
var severities = []struct {
	of    policy.Severity
	color string
}{{policy.Error, red}, {policy.Warning, yellow}, {policy.Note, blue}}

// findings prints errors first, then warnings, then notes, or with quiet errors alone. Of many of
// one kind it prints the first [most] and how many more there are, unless all are asked for.
func (p *printer) findings(findings []policy.Finding, quiet, all bool) {
	for _, severity := range severities {
		if quiet && severity.of != policy.Error { // errors are the first
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
					policy.Placed(cmp.Or(f.File, f.URL), f.Line, f.Text()), p.paint(faint, "("+f.ID+")"))
			} else if count[f.ID] == most+1 {
				many = append(many, f.ID)
			}
		}
		for _, id := range many {
			p.messages(severity.color, string(severity.of), fmt.Sprintf("… and %d more (%s; -v)", count[id]-most, id))
		}
	}
}

// unread prints what is wrong with robots tags and header lines that crawlers do not read as meant,
// for commands that print no other findings.
func (c *command) unread(site *plan.Plan) {
	unread := []string{"mistaken-tag", "value-for-content", "separator", "prefix", "unknown-directive", "header-joined"}
	c.stderr.findings(slices.DeleteFunc(slices.Clone(site.Findings), func(f policy.Finding) bool {
		return !slices.Contains(unread, f.ID)
	}), c.quiet, c.verbose)
}
