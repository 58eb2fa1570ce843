package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

func (c *command) verify() error {
	if len(c.args) == 0 && c.against == "" {
		if c.against = lockFile; !project.Exists(lockFile) {
			return invalidf("name the site's URL, or a snapshot by --against: there is no %s here (metarobots snapshot "+
				"writes it)", lockFile)
		}
	}
	formats := make([]report.Format, len(c.reports))
	for i, file := range c.reports {
		format, err := report.DeployedFormat(file)
		formats[i] = format
		c.wrong(err)
	}
	r, err := c.askSite()
	if code, _ := exit(err); code == exitInvalid {
		if !c.quiet {
			c.stderr.messages(yellow, "warning", r.Summary.Warnings...)
		}
		return err
	}
	known := !errors.Is(err, verify.ErrDown) || r.Summary.Unreachable < r.Summary.Asked // something of the site
	if c.json {
		if err := c.printJSON(r); err != nil {
			return err
		}
	} else if known {
		c.answers(r)
	}
	if known {
		c.verifySummary(r)
	}
	for i, format := range formats {
		if err := c.writeOutput(c.reports[i], func(w io.Writer) error {
			return report.WriteDeployed(w, format, r, time.Now().UTC())
		}); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: what is printed is what was known by then")
	case err != nil:
		return err
	case r.Failed(c.strict || c.failOn == failWarning), c.failOn == failWarning && len(r.Summary.Warnings) > 0:
		return failed(gravestAnswer(&r.Summary))
	}
	return nil
}

// gravestAnswer is what the owner of a deployed site has to see first: what is wrong with the whole, then how many URLs
// are not as decided, the gravest verdict first.
func gravestAnswer(s *verify.Summary) string {
	var texts, counts []string
	if len(s.Errors) > 0 {
		text, _, _ := strings.Cut(s.Errors[0], ". ")
		texts = append(texts, text)
	}
	for _, v := range verify.Verdicts() {
		if n := s.Number(v); n > 0 && v != verify.Match {
			counts = append(counts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(counts) > 0 {
		texts = append(texts, fmt.Sprintf("%s requested: %s", count(s.Asked, "URL"), strings.Join(counts, ", ")))
	}
	if len(texts) == 0 {
		return count(len(s.Warnings), "warning")
	}
	return strings.Join(texts, "; ")
}

// namedURLs is how many URLs with the same outcome are named.
const namedURLs = 3

var verdictColors = map[verify.Verdict]string{verify.Match: green, verify.Looser: red, verify.Unreachable: red,
	verify.Stricter: yellow, verify.Redirected: blue}

// answers prints what is not as decided, crawlers and URLs with the same outcome together, and of each verdict only
// some, the worst first; with --verbose every URL, in their order.
func (c *command) answers(r *verify.Report) {
	outcomes := slices.DeleteFunc(r.Outcomes(), func(o verify.Outcome) bool {
		return o.First.Verdict == verify.Match && !c.verbose || c.quiet && !o.First.Verdict.Bad()
	})
	verdict := func(group []verify.Outcome) verify.Verdict { return group[0].First.Verdict }
	lists := [][][]verify.Outcome{slices.Collect(slices.Chunk(outcomes, 1))} // what is said of a URL stays together
	if !c.verbose {
		groups := verify.Alike(outcomes)
		slices.SortStableFunc(groups, func(a, b []verify.Outcome) int {
			return slices.Index(verify.Verdicts(), verdict(a)) - slices.Index(verify.Verdicts(), verdict(b))
		})
		lists = snapshot.Group(groups, verdict)
	}
	for _, same := range lists {
		some, left := shown(same, c.most())
		for _, group := range some {
			first := group[0].First
			if len(group) > 1 { // each URL may have a canonical link of its own
				first.Want, first.Got, first.Why = snapshot.WithoutTargets(first.Want), snapshot.WithoutTargets(first.Got),
					snapshot.WithoutTargets(first.Why)
			}
			named, more := shown(group, namedURLs)
			c.stdout.show("answer", struct {
				First *verify.Comparison
				Named []verify.Outcome
				More  string
			}{&first, named, more})
		}
		if left != "" {
			c.stdout.show("more answers", []any{verdict(same[0]), left})
		}
	}
}

// verifySummary prints what is to be known of the site and of the run: errors also with --quiet; of URLs that are as
// decided, unless each stands with its URL already, each note once, with the first of them.
func (c *command) verifySummary(r *verify.Report) {
	summary := struct {
		Summary  *verify.Summary
		Quiet    bool
		Known    []verify.Note
		More     string // of the notes
		Verdicts []verify.Verdict
		Lock     string // a snapshot to compare with
	}{Summary: &r.Summary, Quiet: c.quiet}
	if !c.verbose {
		summary.Known, summary.More = shown(r.Notes(), most)
	}
	summary.Verdicts = slices.DeleteFunc([]verify.Verdict{verify.Match, verify.Looser, verify.Unreachable,
		verify.Stricter, verify.Redirected}, func(v verify.Verdict) bool { return r.Summary.Number(v) == 0 })
	if r.Summary.Source == verify.FromSitemaps && project.Exists(lockFile) {
		summary.Lock = lockFile
	}
	c.stderr.show("verify", summary)
}
