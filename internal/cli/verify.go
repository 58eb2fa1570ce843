package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"metarobots/internal/report"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

// verifying are the flags of verify.
type verifying struct {
	options verify.AskOptions
	against string
	reports []string
	private bool
	strict  bool
	headers []string
	user    string
	// rateGiven reports whether --rate was given.
	rateGiven func() bool
}

// verifyUser is the variable that holds name:password, which a command line would show to others.
const verifyUser = "METAROBOTS_VERIFY_AUTH"

func (c *command) verifyCommand() *cobra.Command {
	v := &verifying{}
	oneURL := takes(0, 1, "%[1]s: name one URL, the site's root")
	cmd := newCommand("verify", func(cmd *cobra.Command, args []string) error {
		return cmp.Or(oneURL(cmd, args), notEmpty(cmd, "against", "report"))
	}, func(cmd *cobra.Command, args []string) error { return c.verify(cmd.Context(), v, args) })
	f, o := cmd.Flags(), &v.options
	f.StringVar(&v.against, "against", "", "")
	askFlags(f, v)
	f.IntVar(&o.Sample, "sample", 0, "")
	f.Uint64Var(&o.Seed, "seed", 1, "")
	f.StringArrayVar(&v.reports, "report", nil, "")
	f.BoolVar(&v.strict, "strict", false, "")
	failOnFlag(cmd, failError)
	f.BoolVar(&o.AllowNoindex, "allow-noindex", false, "")
	c.outputFlags(f)
	return cmd
}

func (c *command) verify(ctx context.Context, v *verifying, args []string) error {
	_, err := os.Stat(lockFile)
	switch {
	case len(args) > 0 || v.against != "":
	case err == nil:
		v.against = lockFile
	default:
		return invalidf("name the site's URL, or a snapshot by --against: there is no %s here (metarobots snapshot "+
			"writes it)", lockFile)
	}
	err = v.check(args, c.getenv)
	formats := make([]report.Format, len(v.reports))
	for i := 0; i < len(v.reports) && err == nil; i++ {
		formats[i], err = report.DeployedFormat(v.reports[i])
	}
	if err != nil {
		return invalid(err)
	}
	r, err := c.askSite(ctx, v)
	if wrong := (*verify.OptionError)(nil); errors.As(err, &wrong) {
		if !c.quiet {
			c.stderr.messages(yellow, "warning", r.Summary.Warnings...)
		}
		return err
	}
	var down *verify.HostError
	known := !errors.As(err, &down) || r.Summary.Unreachable < r.Summary.Asked // something of the site
	if c.json {
		if err := c.printJSON(r); err != nil {
			return err
		}
	} else if known {
		c.stdout.verified(r, c.quiet, c.verbose)
	}
	if known {
		c.stderr.verifySummary(r, c.quiet, c.verbose)
	}
	for i, format := range formats {
		write := func(w io.Writer) error {
			return report.WriteDeployed(w, format, r, time.Now().UTC())
		}
		if err := c.writeOutput(v.reports[i], write); err != nil {
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
	case r.Failed(v.strict || c.failOn == failWarning), c.failOn == failWarning && len(r.Summary.Warnings) > 0:
		return &exitError{exitFailed, errors.New(gravestAnswer(&r.Summary))}
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

// askSite asks the site. The report is never nil.
func (c *command) askSite(ctx context.Context, v *verifying) (r *verify.Report, err error) {
	if v.against == "" {
		return c.ask(ctx, v, nil)
	}
	s, err := readSnapshot(v.against)
	if err != nil {
		return &verify.Report{}, &verify.OptionError{Err: err}
	}
	r, err = c.ask(ctx, v, s)
	if errors.Is(err, verify.ErrNoHost) {
		err = fmt.Errorf("%s: %w", v.against, err)
	}
	r.Summary.Source = v.against
	return r, err
}

// ask asks a deployed site for the URLs of a snapshot, or, where that is nil, for those of its sitemaps.
func (c *command) ask(ctx context.Context, v *verifying, s *snapshot.Snapshot) (*verify.Report, error) {
	transport := verify.Transport(v.private, v.options.Concurrency)
	defer transport.CloseIdleConnections()
	defer c.stderr.clear()
	v.options.Transport = transport
	v.options.Progress = func(done, of int) {
		if done == 1 && v.options.Sample == 0 {
			c.announce(of, v.options.Rate)
		}
		c.progress("%d of %d URLs", done, of)
	}
	if s == nil {
		return verify.Sitemaps(ctx, v.options)
	}
	return verify.Against(ctx, s, v.options)
}

// announce says how long it takes to ask for so many URLs, at so many a second, if that is more than patience bears.
func (c *command) announce(urls int, rate float64) {
	takes := time.Duration(float64(urls) / rate * float64(time.Second)).Round(time.Second)
	if rate > 0 && takes >= 20*time.Second {
		c.note("%s at %v a second take about %s: --sample 100 asks for some of each decision and section",
			count(urls, "URL"), rate, takes)
	}
}

// isLocal reports whether a host is this machine, or one of a name that is reserved for tests: it need not be spared.
// https://www.rfc-editor.org/rfc/rfc6761
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".test")
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
		if err == nil && !v.rateGiven() && isLocal(o.Base.Hostname()) {
			o.Rate = 0
		}
	}
	o.UserAgent, o.Header = cmp.Or(o.UserAgent, verifyAgent()), http.Header{}
	if o.Concurrency < 1 {
		errs = append(errs, fmt.Errorf("--concurrency: %d is not a number of requests", o.Concurrency))
	}
	for i, negative := range []bool{o.Sample < 0, o.Rate < 0, o.Retries < 0, o.Timeout < 0} {
		if negative {
			errs = append(errs, fmt.Errorf("--%s is negative", []string{"sample", "rate", "retries", "timeout"}[i]))
		}
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

// namedURLs is how many URLs with the same outcome are named.
const namedURLs = 3

var verdictColors = map[verify.Verdict]string{verify.Match: green, verify.Looser: red, verify.Unreachable: red,
	verify.Stricter: yellow, verify.Redirected: blue}

// verified prints what is not as decided, crawlers and URLs with the same outcome together; with all every URL.
func (p *printer) verified(r *verify.Report, quiet, all bool) {
	outcomes := slices.DeleteFunc(r.Outcomes(), func(o verify.Outcome) bool {
		return o.First.Verdict == verify.Match && !all || quiet && !o.First.Verdict.Bad()
	})
	groups := verify.Alike(outcomes)
	if all {
		groups = slices.Collect(slices.Chunk(outcomes, 1))
	}
	redirected := 0
	for _, group := range groups {
		first := &group[0].First
		if first.Verdict == verify.Redirected && len(r.Summary.Errors) > 0 && !all { // which say it of all of them
			if redirected += len(group); redirected > most {
				continue
			}
		}
		if len(group) > 1 { // each URL may have a canonical link of its own
			alike := *first
			alike.Want, alike.Got, alike.Why = snapshot.WithoutTargets(first.Want), snapshot.WithoutTargets(first.Got),
				snapshot.WithoutTargets(first.Why)
			first = &alike
		}
		named, more := shown(group, namedURLs)
		p.show("verify outcome", struct {
			First       *verify.Comparison
			Named       []verify.Outcome
			More, Color string
		}{first, named, more, verdictColors[first.Verdict]})
	}
	if n := redirected - most; n > 0 {
		verdict := p.paint(verdictColors[verify.Redirected], fmt.Sprintf("%-11s", verify.Redirected))
		p.printf("%s … and %d more (-v)\n", verdict, n)
	}
}

// verifySummary prints what is to be known of the site and of the run: errors also with --quiet; of URLs that are as
// decided, unless each stands with its URL already, each note once, with the first of them.
func (p *printer) verifySummary(r *verify.Report, quiet, printed bool) {
	type number struct {
		N       int
		Verdict verify.Verdict
		Color   string
	}
	summary := struct {
		Summary  *verify.Summary
		Quiet    bool
		Known    []verify.Note
		More     string // of the notes
		Verdicts []number
		Lock     string // a snapshot to compare with
	}{Summary: &r.Summary, Quiet: quiet}
	if !printed {
		summary.Known, summary.More = shown(r.Notes(), most)
	}
	for _, v := range []verify.Verdict{verify.Match, verify.Looser, verify.Unreachable, verify.Stricter,
		verify.Redirected} {
		if n := r.Summary.Number(v); n > 0 {
			summary.Verdicts = append(summary.Verdicts, number{n, v, verdictColors[v]})
		}
	}
	if _, err := os.Stat(lockFile); err == nil && r.Summary.Source == verify.FromSitemaps {
		summary.Lock = lockFile
	}
	p.show("verify", summary)
}
