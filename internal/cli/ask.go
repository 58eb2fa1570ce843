package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

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

// ask asks a deployed site for the URLs of a snapshot, or, where that is nil, for those of its sitemaps.
func (c *command) ask(o verify.AskOptions, s *snapshot.Snapshot) (*verify.Report, error) {
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
