package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"metarobots/internal/report"
	"metarobots/internal/verify"
)

// verifying are the flags of verify.
type verifying struct {
	options verify.Options
	against string
	report  string
	private bool
	strict  bool
	headers []string
	user    string
}

// verifyUser is the variable that holds name:password, which a command line would show to others.
const verifyUser = "METAROBOTS_VERIFY_AUTH"

const verifyLong = `Asks every URL of a snapshot below BASE-URL, reads X-Robots-Tag and robots metas as crawlers do, and
compares with the decision. Without BASE-URL it asks the hosts that the snapshot was made for; of several, BASE-URL
chooses one. BASE-URL may be another host, such as a preview's. Without --against it asks every URL that the site's
sitemaps list: those are to be indexed.

  match        the crawler reads what was decided
  looser       something that was decided is missing (exit 1)
  unreachable  the crawler cannot read the URL: an error, or robots.txt keeps it from a noindex (exit 1)
  stricter     it reads more restrictions than were decided (exit 1 with --strict)
  redirected   the URL leads to another page, which crawlers judge instead (exit 1 with --strict, or where more than
               half of the URLs lead off the host or to one page, such as a login)

Exit codes: 0 as decided; 1 as told above; 2 the arguments, the snapshot or a host's address are wrong, and nothing was
compared; 3 a host cannot be reached, or the run was interrupted: what is known is printed.`

func (c *command) verifyCommand() *cobra.Command {
	v := &verifying{}
	cmd := &cobra.Command{Use: "verify [BASE-URL]", Args: oneURL,
		Short: "Ask a deployed site what it tells crawlers, and compare with what was decided",
		Long:  verifyLong,
		Example: `  metarobots verify --against metarobots.lock.json
  metarobots verify https://preview.example.org/ --against metarobots.lock.json --report deployed.html
  metarobots verify https://example.org/`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.verify(cmd.Context(), v, args) }}
	f, o := cmd.Flags(), &v.options
	f.SortFlags = false
	f.StringVar(&v.against, "against", "",
		"a snapshot `file`, or a result of --json: what was decided (default: the site's sitemaps)")
	f.StringSliceVar(&o.Crawlers, "crawler", nil, "the `names` of crawlers to answer for; robots is everyone "+
		"(default: robots, googlebot, bingbot, and those named by a decision or an answer)")
	f.StringVar(&v.report, "report", "", "write a report to this `file` too: .html, .md, .json or .csv")
	f.BoolVar(&v.strict, "strict", false, "exit 1 on stricter and redirected too")
	f.BoolVar(&c.json, "json", false, "print all results as JSON on stdout")
	f.IntVar(&o.Sample, "sample", 0, "ask `N` URLs alone, of each decision and section some, noindex first")
	f.Uint64Var(&o.Seed, "seed", 1, "another `number` chooses another sample")
	f.BoolVar(&v.private, "allow-private", false,
		"ask private and local addresses too, and use the environment's proxy")
	f.StringVar(&v.user, "user", "",
		"the `name:password` of basic authentication (better in the variable "+verifyUser+")")
	f.StringArrayVar(&v.headers, "header", nil,
		"a `'Name: value'` to send with every request, such as a preview's token")
	f.StringVar(&o.UserAgent, "user-agent", "", "the User-Agent `text` to send (default: metarobots/VERSION "+
		"(+verify)); what robots.txt keeps a crawler named there from is not asked")
	f.IntVar(&o.Concurrency, "concurrency", 4, "how many `requests` may be under way at once")
	f.Float64Var(&o.Rate, "rate", 10, "how many `requests` may start in a second; 0 is no limit")
	f.DurationVar(&o.Timeout, "timeout", 30*time.Second, "the `time` for one request")
	f.IntVar(&o.Retries, "retries", 2,
		"how `often` a request is repeated that failed for now (429, 5xx, a broken connection)")
	f.BoolVar(&c.quiet, "quiet", false, "print errors alone")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "print every URL, and every note")
	return cmd
}

// oneURL asks for a URL, or for a snapshot that names one.
func oneURL(cmd *cobra.Command, args []string) error {
	if len(args) > 1 || len(args) == 0 && !cmd.Flags().Changed("against") {
		return fmt.Errorf("%s: name one URL, the site's root, or a snapshot by --against", cmd.Name())
	}
	return notEmpty(cmd, "against", "report")
}

func (c *command) verify(ctx context.Context, v *verifying, args []string) error {
	err := v.check(args, c.getenv)
	var format report.Format
	if err == nil && v.report != "" {
		format, err = report.DeployedFormat(v.report)
	}
	if err != nil {
		return invalid(err)
	}
	r, err := c.askSite(ctx, v)
	var down *verify.HostError
	if refused := c.refused(err, r, v); refused != nil {
		return invalid(refused)
	}
	known := !errors.As(err, &down) || r.Summary.Unreachable < r.Summary.Asked // something of the site
	if c.json {
		if err := c.printJSON(r); err != nil {
			return err
		}
	} else if known {
		c.stdout.verified(r, c.quiet, c.verbose)
	}
	if known {
		c.stderr.messages(red, "error", r.Summary.Errors...)
		if !c.quiet {
			c.stderr.messages(yellow, "warning", r.Summary.Warnings...)
			c.stderr.verifyNotes(r, c.verbose)
			c.stderr.verifySummary(&r.Summary)
		}
	}
	if format != "" {
		write := func(w io.Writer) error {
			return report.WriteDeployed(w, format, r, report.Options{Time: time.Now().UTC()})
		}
		if err := c.writeOutput(v.report, write); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: what is printed is what was known by then")
	case down != nil:
		errs := flat(err)
		for i := range errs {
			errs[i] = fmt.Errorf("the host cannot be reached: %w", errs[i])
		}
		return errors.Join(errs...)
	case err != nil:
		return err
	case r.Failed(v.strict):
		return errFailed
	}
	return nil
}

// askSite asks the site. The report is never nil.
func (c *command) askSite(ctx context.Context, v *verifying) (r *verify.Report, err error) {
	transport := verify.Transport(v.private, v.options.Concurrency)
	defer transport.CloseIdleConnections()
	defer c.stderr.clear()
	v.options.Transport = transport
	v.options.Progress = func(done, of int) { c.progress("%d of %d URLs", done, of) }
	if v.against == "" {
		return verify.Sitemaps(ctx, v.options)
	}
	s, err := readSnapshot(v.against)
	if err != nil {
		return &verify.Report{}, &verify.OptionError{Err: err}
	}
	r, err = verify.Against(ctx, s, v.options)
	r.Summary.Source = v.against
	return r, err
}

// refused returns what is wrong with the arguments where that is why nothing was compared, and what helps.
func (c *command) refused(err error, r *verify.Report, v *verifying) error {
	var invalid *verify.OptionError
	switch {
	case errors.As(err, &invalid):
		return err
	case errors.Is(err, verify.ErrPrivate):
		return fmt.Errorf("%w: --allow-private asks it all the same", err)
	case errors.Is(err, verify.ErrNoHost):
		return fmt.Errorf("%s: %w: give its BASE-URL", v.against, err)
	case errors.Is(err, verify.ErrNoSitemap):
		if !c.quiet {
			c.stderr.messages(yellow, "warning", r.Summary.Warnings...)
		}
		return fmt.Errorf("%w: --against names a snapshot", err)
	}
	return nil
}

// check reads the flags and the argument. No error shows what may be a secret.
func (v *verifying) check(args []string, getenv func(string) string) error {
	o := &v.options
	var errs []error
	named := len(args) > 0 // an empty one too: a pipeline's variable that holds nothing asks no other host
	if named {
		var err error
		o.Base, o.User, err = verify.ParseBase(args[0])
		errs = append(errs, err)
	}
	o.UserAgent, o.Header = cmp.Or(o.UserAgent, verifyAgent()), http.Header{}
	if o.Concurrency < 1 {
		errs = append(errs, fmt.Errorf("--concurrency: %d is no number of requests", o.Concurrency))
	}
	given, from := v.user, "--user"
	if given == "" && o.User == nil {
		given, from = getenv(verifyUser), verifyUser
	}
	if given != "" {
		name, password, ok := strings.Cut(given, ":")
		if !ok {
			errs = append(errs, fmt.Errorf("%s: write name:password", from))
		}
		o.User = url.UserPassword(name, password)
	}
	for _, header := range v.headers {
		name, value, ok := strings.Cut(header, ":")
		if !ok {
			errs = append(errs, errors.New("--header: write 'Name: value'"))
			continue
		}
		o.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if !named && (given != "" || len(v.headers) > 0) { // a file does not say who gets a secret
		if given == "" {
			from = "--header"
		}
		errs = append(errs, fmt.Errorf("%s is sent to a host that you name, and to none that a snapshot names: "+
			"give BASE-URL", from))
	}
	return errors.Join(errs...)
}

// verifyAgent is what the program calls itself.
func verifyAgent() string {
	return "metarobots/" + strings.Trim(number(buildInfo(), release), "()") + " (+verify)"
}

var verdictColors = map[verify.Verdict]string{verify.Match: green, verify.Looser: red, verify.Unreachable: red,
	verify.Stricter: yellow, verify.Redirected: blue}

// verified prints what is not as decided, crawlers with the same outcome together; all of it where asked for.
func (p *printer) verified(r *verify.Report, quiet, all bool) {
	redirected := 0
	for _, o := range r.Outcomes() {
		if o.Verdict == verify.Match && !all || quiet && !o.Verdict.Bad() {
			continue
		}
		if o.Verdict == verify.Redirected && len(r.Summary.Errors) > 0 && !all { // which say it of all of them
			if redirected++; redirected > most {
				continue
			}
		}
		verdict := p.paint(verdictColors[o.Verdict], fmt.Sprintf("%-11s", o.Verdict))
		p.printf("%s %s  %s\n", verdict, p.paint(bold, o.URL), p.paint(faint, strings.Join(o.Crawlers, ", ")))
		line := func(name, text string) {
			if text != "" {
				p.row(4, name, "%s", text)
			}
		}
		line("want", o.Want)
		if o.Got != o.Want {
			line("got", o.Got)
		}
		line("why", o.Why)
		if o.Location != "" && !strings.Contains(o.Why, o.Location) {
			line("at", o.Location)
		}
		for _, note := range o.Notes {
			line("note", note)
		}
	}
	if n := redirected - most; n > 0 {
		verdict := p.paint(verdictColors[verify.Redirected], fmt.Sprintf("%-11s", verify.Redirected))
		p.printf("%s %d more; --verbose prints all\n", verdict, n)
	}
}

// verifyNotes prints what is to be known of the run and, unless each stands with its URL already, what is to be said of
// URLs that are as decided: each note once, with the first of them.
func (p *printer) verifyNotes(r *verify.Report, told bool) {
	p.messages(blue, "note", r.Summary.Notes...)
	if told {
		return
	}
	notes := r.Notes()
	for i, note := range notes {
		if i == most {
			p.messages(blue, "note", fmt.Sprintf("%d more; --verbose prints all", len(notes)-most))
			break
		}
		at := note.URL
		if n := note.URLs - 1; n > 0 {
			at += fmt.Sprintf(" and %d more", n)
		}
		p.messages(blue, "note", at+": "+note.Text)
	}
}

func (p *printer) verifySummary(s *verify.Summary) {
	environment := ""
	if s.Environment != "" {
		environment = ", environment " + s.Environment
	}
	p.printf("%s: against %s%s\n", p.paint(bold, strings.Join(s.Bases, ", ")), s.Source, environment)
	text := fmt.Sprintf("%d of %d asked, %s", s.Asked, s.URLs, count(s.Requests, "request"))
	if s.Passed > 0 {
		text += fmt.Sprintf("; %d passed over: control files and error pages", s.Passed)
	}
	p.row(9, "URLs", "%s", text)
	if s.Sample > 0 && s.Left > 0 {
		p.row(9, "sample", "%d, seed %d", s.Sample, s.Seed)
	}
	var parts []string // fit and coloured
	for _, v := range []verify.Verdict{verify.Match, verify.Looser, verify.Unreachable, verify.Stricter,
		verify.Redirected} {
		if n := s.Number(v); n > 0 {
			parts = append(parts, string(p.paint(verdictColors[v], fmt.Sprintf("%d %s", n, v))))
		}
	}
	if len(parts) > 0 {
		p.row(9, "verdicts", "%s", styled(strings.Join(parts, ", ")))
	}
}
