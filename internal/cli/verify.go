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
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/internal/seen"
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
		if err := r.WriteJSON(c.stdout.w); err != nil {
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
		return failed(c.gravestAnswer(&r.Summary))
	}
	return nil
}

// gravestAnswer is what the owner of a deployed site has to see first: what is wrong with the whole, then how many URLs
// are not as decided, the gravest verdict first. With --quiet, the former is printed already.
func (c *command) gravestAnswer(s *verify.Summary) string {
	var texts, counts []string
	if len(s.Errors) > 0 && !c.quiet {
		text, _, _ := strings.Cut(s.Errors[0], ". ")
		texts = append(texts, text)
	}
	for _, v := range seen.Verdicts() {
		if n := s.Number(v); n > 0 && v != seen.Match {
			counts = append(counts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(counts) > 0 {
		texts = append(texts, fmt.Sprintf("%s requested: %s", count(s.Asked, "URL"), strings.Join(counts, ", ")))
	}
	if len(texts)+len(s.Errors) == 0 {
		return count(len(s.Warnings), "warning")
	}
	return strings.Join(texts, "; ")
}

var verdictColors = map[seen.Verdict]string{seen.Match: green, seen.Looser: red, seen.Unreachable: red,
	seen.Stricter: yellow, seen.Redirected: blue}

// answers prints what is not as decided, crawlers and URLs with the same outcome together, and of each verdict only
// some, the worst first; with --verbose every URL, in their order.
func (c *command) answers(r *verify.Report) {
	outcomes := slices.DeleteFunc(r.Outcomes(), func(o verify.Outcome) bool {
		return o.First.Verdict == seen.Match && !c.verbose || c.quiet && !o.First.Verdict.Bad()
	})
	lists := [][]verify.Outcome{outcomes} // with --verbose, what is said of a URL stays together
	if !c.verbose {
		lists = snapshot.Group(verify.Alike(outcomes), func(o verify.Outcome) seen.Verdict { return o.First.Verdict })
		slices.SortFunc(lists, func(a, b []verify.Outcome) int {
			return slices.Index(seen.Verdicts(), a[0].First.Verdict) - slices.Index(seen.Verdicts(), b[0].First.Verdict)
		})
	}
	for _, same := range lists {
		some, left := shown(same, c.most())
		for _, o := range some {
			named, more := shown(o.URLs, mostNamed)
			c.stdout.show("answer", struct {
				First           *seen.Answer
				Named, Crawlers []string
				More            string
			}{&o.First, named, o.Crawlers, more})
		}
		if left != "" {
			c.stdout.show("more answers", []any{same[0].First.Verdict, left})
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
		Verdicts []seen.Verdict
		Lock     string // a snapshot to compare with
	}{Summary: &r.Summary, Quiet: c.quiet}
	if !c.verbose {
		summary.Known, summary.More = shown(r.Notes(), most)
	}
	summary.Verdicts = slices.DeleteFunc([]seen.Verdict{seen.Match, seen.Looser, seen.Unreachable,
		seen.Stricter, seen.Redirected}, func(v seen.Verdict) bool { return r.Summary.Number(v) == 0 })
	if r.Summary.Source == verify.FromSitemaps && project.Exists(lockFile) {
		summary.Lock = lockFile
	}
	c.stderr.show("verify", summary)
}

// isURL reports whether an argument names a deployed site.
func isURL(arg string) bool {
	u, err := url.Parse(arg)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// verifyUser is the variable that holds name:password, which a command line would show to others.
const verifyUser = "METAROBOTS_VERIFY_AUTH"

// askOptions are those of the flags, for a deployed site or, where base is empty, the hosts that a snapshot names. No
// error shows what may be a secret.
func (c *command) askOptions(base string, getenv func(string) string) verify.AskOptions {
	o := c.asking
	if base != "" {
		var err error
		o.Base, o.User, err = verify.ParseBase(base)
		c.wrong(err)
		if err == nil && !c.cmd.Flags().Changed("rate") && isLocal(o.Base.Hostname()) {
			o.Rate = 0
		}
	}
	o.Crawlers, o.Header = c.crawlers, http.Header{}
	o.UserAgent = cmp.Or(o.UserAgent, "metarobots/"+strings.Trim(number(buildInfo(), release), "()")+" (+verify)")
	if o.Concurrency < 1 {
		c.wrongf("--concurrency: %d is not a number of requests", o.Concurrency)
	}
	given, from := c.user, "--user"
	if given == "" && o.User == nil {
		given, from = getenv(verifyUser), verifyUser
	}
	if given != "" {
		name, password, ok := strings.Cut(given, ":")
		if !ok {
			c.wrongf("%s: write name:password", from)
		}
		o.User = url.UserPassword(name, password)
	}
	for _, header := range c.headers {
		name, value, ok := strings.Cut(header, ":")
		if !ok {
			c.wrongf("--header: write 'Name: value'")
			continue
		}
		o.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if base == "" && (given != "" || len(c.headers) > 0) { // a file does not say who gets a secret
		if given == "" {
			from = "--header"
		}
		c.wrongf("%s is sent to a host that you name, and to none that a snapshot names: give BASE-URL", from)
	}
	return o
}

// isLocal reports whether a host is this machine, or one of a name that is reserved for tests: it need not be spared.
// https://www.rfc-editor.org/rfc/rfc6761
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".test")
}

// askSite asks a deployed site for the URLs of --against, or for those of its sitemaps. The report is never nil.
func (c *command) askSite() (*verify.Report, error) {
	o := c.askOptions(c.arg(), c.getenv)
	if err := c.invalid(); err != nil {
		return &verify.Report{}, err
	}
	if c.against == "" {
		return c.ask(o, nil)
	}
	s, err := readSnapshot(c.against)
	if err != nil {
		return &verify.Report{}, err
	}
	r, err := c.ask(o, s)
	if errors.Is(err, verify.ErrNoHost) {
		err = fmt.Errorf("%s: %w", c.against, err)
	}
	r.Summary.Source = c.against
	return r, err
}

// maxMemory is from where on the collector works harder, in bytes, as long as a deployed site is asked.
const maxMemory = 350 << 20

// ask asks a deployed site for the URLs of a snapshot, or, where that is nil, for those of its sitemaps.
func (c *command) ask(o verify.AskOptions, s *snapshot.Snapshot) (*verify.Report, error) {
	if c.getenv("GOMEMLIMIT") == "" { // what a host sends is not to fill the memory
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(maxMemory))
	}
	transport := verify.Transport(c.allowPrivate, o.Concurrency)
	defer transport.CloseIdleConnections()
	defer c.stderr.clear()
	o.Transport = transport
	o.Progress = func(done, of int) {
		takes := time.Duration(float64(of) / o.Rate * float64(time.Second)).Round(time.Second)
		if done == 1 && o.Sample == 0 && o.Rate > 0 && takes >= 20*time.Second {
			c.note("%s at %v a second take about %s: --sample 100 asks for some of each decision and section",
				count(of, "URL"), o.Rate, takes)
		}
		c.progress("%d of %d URLs", done, of)
	}
	if s == nil {
		return verify.Sitemaps(c.cmd.Context(), o)
	}
	return verify.Against(c.cmd.Context(), s, o)
}
