package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/seen"
	"metarobots/internal/verify"
	"metarobots/policy"
)

type verifyCommand struct {
	command
	network networkFlags
	against string   // the snapshot whose URLs are asked for; empty for the sitemaps'
	also    []string // further hosts that may serve the site
	reports []string // their files
	strict  bool     // fails on any difference
	failOn  failOn
}

func (c *verifyCommand) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&c.against, "against", "", "")
	flags.StringArrayVar(&c.also, "also", nil, "")
	c.network.addURLs(flags)
	c.network.add(flags)
	flags.IntVar(&c.network.asking.Sampling.Most, "sample", 0, "")
	flags.Uint64Var(&c.network.asking.Sampling.Seed, "seed", 1, "")
	flags.StringArrayVar(&c.reports, "report", nil, "")
	flags.BoolVar(&c.strict, "strict", false, "")
	c.failOn.add(flags, failError)
	flags.BoolVar(&c.network.asking.AllowNoindex, "allow-noindex", false, "")
	c.addQuiet(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
}

func (c *verifyCommand) wrongFlag(f *pflag.Flag) error {
	switch {
	case f.Name == "fail-on":
		return c.failOn.validate()
	case f.Name == "urls" && len(c.args) == 0:
		return forDeployed(f)
	}
	return nil
}

// run asks a deployed site and its second hosts, prints what they answer against what was decided,
// and writes the reports of --report. What is wrong with flags, files or the site as a whole, such
// as one without a sitemap, ends it with warnings alone; an error while the site is asked, or an
// interrupt, ends it behind the answers that came before. If a report cannot be written, that is
// the error.
func (c *verifyCommand) run() error {
	if err := c.chooseSnapshot(); err != nil {
		return err
	}
	c.borrowName()
	formats, stated := c.formats(), c.statedHosts() // askSite returns what is wrong with them
	r, askErr := c.network.askSite(&c.command, c.against)
	if askErr == nil {
		askErr = c.askSecondHosts(r, stated)
	}
	if code, _ := exit(askErr); code == exitInvalid {
		if !c.quiet {
			c.stderr.messages(yellow, "warning", r.Summary.Warnings...)
		}
		return askErr
	}
	if err := c.printReport(r, askErr); err != nil {
		return err
	}
	for i, format := range formats {
		writeTo := func(w io.Writer) error { return report.WriteDeployed(w, format, r, time.Now().UTC()) }
		if err := c.writeOutput(c.reports[i], writeTo); err != nil {
			return err
		}
	}
	return c.outcome(r, askErr)
}

// borrowName has requests sent under the name of the crawler that --crawler names, if it is
// one alone and the owner chose no user agent.
func (c *verifyCommand) borrowName() {
	crawlers := c.network.crawlers
	if len(crawlers) != 1 || c.network.asking.Sender.UserAgent != "" {
		return
	}
	if named := policy.LookupCrawler(crawlers[0]); named != nil {
		c.network.asking.Sender.Borrowed = named.Token
	}
}

// outcome is the error of the command by its flags, once everything is printed: that of asking, or
// that of a check that failed; nil if the site is as decided.
func (c *verifyCommand) outcome(r *verify.Report, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: what is printed is what was known by then")
	case err != nil:
		return err
	case r.Failed(c.isStrict()), c.warningsFail() && len(r.Summary.Warnings) > 0:
		return c.forgive(c.failOn, failed(c.gravestAnswer(&r.Summary)))
	}
	return nil
}

// warningsFail reports whether a warning fails the run, so that --quiet shows it.
func (c *verifyCommand) warningsFail() bool { return c.failOn == failWarning }

// isStrict reports whether every URL that is not as decided fails the run, so that --quiet shows
// it.
func (c *verifyCommand) isStrict() bool { return c.strict || c.warningsFail() }

// chooseSnapshot takes the site's own snapshot if neither a site nor a snapshot is named.
func (c *verifyCommand) chooseSnapshot() error {
	if len(c.args) > 0 || c.against != "" || c.network.urls != "" {
		return nil
	}
	if !project.Exists(lockFile) {
		return invalidf("name the site's URL, or a snapshot by --against: there is no %s here (metarobots snapshot "+
			"writes it)", lockFile)
	}
	c.against = lockFile
	return nil
}

// formats are those of --report, in its order.
func (c *verifyCommand) formats() []report.Format {
	formats := make([]report.Format, len(c.reports))
	for i, file := range c.reports {
		format, err := report.DeployedFormat(file)
		formats[i] = format
		c.wrong(err)
	}
	return formats
}

// printReport prints what is known of a site. asked is the error with which it was asked, which may
// have ended at once.
func (c *verifyCommand) printReport(r *verify.Report, asked error) error {
	isKnown := !errors.Is(asked, verify.ErrDown) || r.Summary.Unreachable < r.Summary.Asked
	if isKnown && !c.quiet {
		c.stderr.show("verify head", r)
	}
	if c.json {
		if err := r.WriteJSON(c.stdout.w); err != nil {
			return err
		}
	} else if isKnown {
		c.answers(r)
	}
	if isKnown {
		c.verifySummary(r)
	}
	return nil
}

// gravestAnswer ends what is printed of a deployed site: how many errors are printed above, about
// the site as a whole or several of its URLs, then how many URLs are not as decided, the gravest
// verdict first. With --quiet nothing is between it and the errors.
func (c *verifyCommand) gravestAnswer(s *verify.Summary) string {
	var texts, counts []string
	if n := len(s.Errors); n > 0 && !c.quiet {
		texts = append(texts, robotstag.Count(n, "error", "errors")+" above")
	}
	for _, v := range seen.Verdicts() {
		if n := s.Number(v); n > 0 && v != seen.Match {
			counts = append(counts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(counts) > 0 {
		texts = append(texts, fmt.Sprintf("%s requested: %s",
			robotstag.Count(s.Asked, "URL", "URLs"), strings.Join(counts, ", ")))
	}
	if len(texts)+len(s.Errors) == 0 {
		return robotstag.Count(len(s.Warnings), "warning", "warnings")
	}
	return strings.Join(texts, "; ")
}

var verdictColors = map[seen.Verdict]string{seen.Match: green, seen.Looser: red, seen.Unreachable: red,
	seen.Stricter: yellow, seen.Redirected: blue}

// answers prints what is not as decided, crawlers and URLs with the same outcome together, and of
// each verdict only some, the worst first; with --verbose every URL, in their order. With --quiet
// it prints what fails the run.
func (c *verifyCommand) answers(r *verify.Report) {
	// An outcome is what several crawlers come to at one URL, for the same reason. Alike then puts
	// URLs with the same outcome together.
	outcomes := slices.DeleteFunc(r.Outcomes(), func(o verify.Outcome) bool { return !c.isShown(&o) })
	lists := [][]verify.Outcome{outcomes} // with --verbose, what is said of a URL stays together
	if !c.verbose {
		lists = byVerdict(verify.Alike(outcomes))
	}
	for _, list := range lists {
		some, left := firstOf(list, c.mostLines()) // left is the line about the others, or ""
		for i := range some {
			c.printOutcome(&some[i])
		}
		if left != "" {
			c.stdout.show("more answers", []any{list[0].First.Verdict, left})
		}
	}
}

// isShown reports whether an outcome is printed: any but a match, a match too with --verbose, and
// with --quiet only what fails the run, which with --strict is any but a match.
func (c *verifyCommand) isShown(o *verify.Outcome) bool {
	verdict := o.First.Verdict
	isMatch := verdict == seen.Match
	isFailing := verdict.Bad() || c.isStrict() && !isMatch
	if isMatch && !c.verbose {
		return false
	}
	return isFailing || !c.quiet
}

// byVerdict puts outcomes with the same verdict together, the gravest verdict first.
func byVerdict(outcomes []verify.Outcome) (lists [][]verify.Outcome) {
	for _, verdict := range seen.Verdicts() {
		var same []verify.Outcome
		for _, o := range outcomes {
			if o.First.Verdict == verdict {
				same = append(same, o)
			}
		}
		if len(same) > 0 {
			lists = append(lists, same)
		}
	}
	return lists
}

// printOutcome prints what some crawlers make of some URLs, and names the first of these.
func (c *verifyCommand) printOutcome(o *verify.Outcome) {
	named, more := firstOf(o.URLs, mostNamed)
	c.stdout.show("answer", struct {
		First           *seen.Answer
		Named, Crawlers []string
		More            string
	}{&o.First, named, o.Crawlers, more})
}

// verifySummary prints what is to be known of the site and of the run: what fails it also with
// --quiet; of URLs that are as decided, unless each stands with its URL already, each note once,
// with the first of them.
func (c *verifyCommand) verifySummary(r *verify.Report) {
	summary := struct {
		Summary  *verify.Summary
		Quiet    bool
		Warns    bool // the warnings are printed
		Known    []verify.Note
		More     string // of the notes
		Verdicts []seen.Verdict
		Lock     string // a snapshot to compare with
		Hosts    string // the second hosts that were asked
		Refused  int    // URLs
	}{Summary: &r.Summary, Refused: r.Refused, Quiet: c.quiet, Warns: !c.quiet || c.warningsFail(),
		Hosts: joinedHosts(r.SecondHosts)}
	if !c.verbose {
		summary.Known, summary.More = firstOf(r.Notes(), most)
	}
	summary.Verdicts = slices.DeleteFunc([]seen.Verdict{seen.Match, seen.Looser, seen.Unreachable,
		seen.Stricter, seen.Redirected}, func(v seen.Verdict) bool { return r.Summary.Number(v) == 0 })
	if r.Summary.Source == verify.FromSitemaps && project.Exists(lockFile) {
		summary.Lock = lockFile
	}
	c.stderr.show("verify", summary)
}
