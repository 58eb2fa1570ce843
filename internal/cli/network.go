package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/project"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

// networkFlags say for which crawlers a deployed site is asked, and how.
type networkFlags struct {
	crawlers     []string
	asking       verify.AskOptions
	urls         string // the file that lists which URLs are asked for; empty for the sitemaps'
	allowPrivate bool
	user         string   // name:password
	headers      []string // "Name: value"
}

func (n *networkFlags) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&n.crawlers, "crawler", nil, "")
	n.addAsking(flags)
}

// addAsking adds the flags about requests alone.
func (n *networkFlags) addAsking(flags *pflag.FlagSet) {
	flags.BoolVar(&n.allowPrivate, "allow-private", false, "")
	flags.StringVar(&n.user, "user", "", "")
	flags.StringArrayVar(&n.headers, "header", nil, "")
	flags.StringVar(&n.asking.Sender.UserAgent, "user-agent", "", "")
	flags.IntVar(&n.asking.Concurrency, "concurrency", 4, "")
	flags.Float64Var(&n.asking.Rate, "rate", 10, "")
	flags.DurationVar(&n.asking.Timeout, "timeout", 30*time.Second, "")
	flags.IntVar(&n.asking.Retries, "retries", 2, "")
}

// names are those of --crawler in lower case, as decisions have them; none without the flag.
func (n *networkFlags) names() (lower []string) {
	for _, name := range n.crawlers {
		lower = append(lower, strings.ToLower(name))
	}
	return lower
}

func (n *networkFlags) addURLs(flags *pflag.FlagSet) { flags.StringVar(&n.urls, "urls", "", "") }

// wrongFlag refuses a flag about requests if no argument is a deployed site.
func (n *networkFlags) wrongFlag(f *pflag.Flag, args []string) error {
	var own pflag.FlagSet
	new(networkFlags).add(&own)
	new(networkFlags).addURLs(&own)
	if f.Name == "crawler" || own.Lookup(f.Name) == nil || slices.ContainsFunc(args, isURL) {
		return nil
	}
	return forDeployed(f)
}

// forDeployed is the error of a flag that says nothing about files.
func forDeployed(f *pflag.Flag) error {
	return fmt.Errorf("--%s is for deployed sites: name the URL of one", f.Name)
}

// isURL reports whether an argument names a deployed site.
func isURL(arg string) bool {
	u, err := url.Parse(arg)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// hostName matches what looks like a host, with a path or without.
var hostName = lazyregexp.New(`^(?:localhost|[-\w]+(?:\.[-\w]+)*\.[a-zA-Z]{2,})(?::\d+)?(?:/.*)?$`)

// fileName matches a name that looks like a host too, and is rather that of a file.
var fileName = lazyregexp.New(`^[^/]*\.(?i:html?|md|txt|xml|json|pdf|toml|ya?ml|csv)$`)

// lacksScheme is the error of an argument that is a host without https://, and nil of any other: no
// file or folder of the working folder has its name. command is the one that takes its URL.
func lacksScheme(arg, command string) error {
	if !hostName.MatchString(arg) || fileName.MatchString(arg) || project.Exists(arg) {
		return nil
	}
	return invalidf("%s: no folder or file has this name; a deployed site is named by its URL: "+
		"metarobots %s https://%[1]s", arg, command)
}

// verifyUser is the variable that holds name:password, which a command line would show to others.
const verifyUser = "METAROBOTS_VERIFY_AUTH"

// askOptions are those of the flags, for the deployed site at base or, if base is empty, for the
// hosts that a snapshot names. usualUser is the name:password of the environment; the caller leaves
// it out if it would go to a host that its owner did not mean. What is wrong with the flags goes to
// [command.wrong], and no error shows what may be a secret.
func (n *networkFlags) askOptions(c *command, base, usualUser string) verify.AskOptions {
	o := n.asking
	o.Crawlers, o.Sender.UserAgent = n.crawlers, cmp.Or(n.asking.Sender.UserAgent, usualUserAgent())
	if base != "" {
		setBase(c, &o, base)
	}
	if o.Concurrency < 1 {
		c.wrongf("--concurrency: %d is not a number of requests", o.Concurrency)
	}
	user, secretFrom := n.chooseUser(o.User != nil, usualUser)
	if user != "" {
		name, password, isPair := strings.Cut(user, ":")
		if !isPair {
			c.wrongf("%s: write name:password", secretFrom)
		}
		o.User = url.UserPassword(name, password)
	}
	o.Header = n.header(c)
	if len(n.headers) > 0 {
		secretFrom = cmp.Or(secretFrom, "--header")
	}
	if base == "" && secretFrom != "" { // a file does not say who gets a secret
		c.wrongf("%s is sent to a host that you name, and to none that a snapshot names: give BASE-URL", secretFrom)
	}
	return o
}

// setBase sets which deployed site is asked, with the user that its URL may name. This machine is
// asked as fast as it answers, unless --rate is given.
func setBase(c *command, o *verify.AskOptions, base string) {
	var err error
	if o.Base, o.User, err = verify.ParseBase(base); err != nil { // which repeats no password
		c.wrong(err)
		return
	}
	if !c.cmd.Flags().Changed("rate") && isLocal(o.Base.Hostname()) {
		o.Rate = 0 // no limit
	}
}

// usualUserAgent is the name under which requests are sent if --user-agent gives none.
func usualUserAgent() string {
	version := strings.Trim(number(buildInfo(), release), "()") // of (devel): a header has comments in ()
	return "metarobots/" + version + " (+verify)"
}

// chooseUser returns who asks, as name:password, and what gave that: --user, or the environment if
// the site's URL names nobody. Both are empty if neither gives one.
func (n *networkFlags) chooseUser(urlHasUser bool, usualUser string) (user, from string) {
	switch {
	case n.user != "":
		return n.user, "--user"
	case usualUser != "" && !urlHasUser:
		return usualUser, verifyUser
	}
	return "", ""
}

// header has the headers of --header, which are sent with each request.
func (n *networkFlags) header(c *command) http.Header {
	sent := http.Header{}
	for _, header := range n.headers {
		name, value, isPair := strings.Cut(header, ":")
		if !isPair {
			c.wrongf("--header: write 'Name: value'")
			continue
		}
		sent.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return sent
}

// isLocal reports whether a host is this machine, or one of a name that is reserved for tests: it
// need not be spared.
// https://www.rfc-editor.org/rfc/rfc6761
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".test")
}

// auditSite asks a deployed site for what it tells crawlers, compared with nothing: what is noindex
// is no fault, files about AI are read, and of a site without a sitemap the home page is asked for.
// The report is never nil.
func (n *networkFlags) auditSite(c *command) (*verify.Report, error) {
	n.asking.AllowNoindex = true
	n.asking.Files.ReadsAI, n.asking.Files.AsksHomeAlone = true, true
	return n.askSite(c, noSnapshot)
}

// noSnapshot is the file of a command that compares a deployed site with no snapshot.
const noSnapshot = ""

// askSite asks a deployed site for the URLs of a snapshot's file, of --urls, or else of its
// sitemaps. The report is never nil. file is [noSnapshot] for a command that compares with none: it
// has the site's URL as its argument. If [command.wrong] was given anything, that is the error, and
// nothing is asked.
func (n *networkFlags) askSite(c *command, file string) (*verify.Report, error) {
	if file != noSnapshot && n.urls != "" {
		c.wrongf("--against and --urls both say which URLs are asked for: give one of them")
	}
	list := n.readURLs(c)
	o := n.askOptions(c, c.arg(), c.getenv(verifyUser))
	if err := c.invalid(); err != nil {
		return &verify.Report{}, err
	}
	switch {
	case n.urls != "":
		return n.ask(c, o, ofURLs(list))
	case file == noSnapshot:
		return n.ask(c, o, verify.Sitemaps)
	}
	s, err := readSnapshot(file)
	if err != nil {
		return &verify.Report{}, err
	}
	r, err := n.ask(c, o, against(s))
	if errors.Is(err, verify.ErrNoHost) {
		err = fmt.Errorf("%s: %w", file, err)
	}
	r.Summary.Source = file // the other askers set theirs
	return r, err
}

// readURLs are those that the file of --urls lists; none without one. What is wrong with the file
// goes to [command.wrong].
func (n *networkFlags) readURLs(c *command) (list verify.List) {
	if n.urls == "" {
		return list
	}
	if isURL(n.urls) {
		c.wrongf("--urls: %s is a URL, and a file is wanted, such as a sitemap that is saved; without --urls the "+
			"sitemaps of the site are read, those that robots.txt names and sitemap.xml", n.urls)
		return list
	}
	data, err := disk.ReadFile(n.urls, verify.MaxURLFile)
	if err != nil {
		c.wrong(ofFile(err))
		return list
	}
	if list, err = verify.ReadURLs(data); err != nil {
		c.wrongf("%s: %w", n.urls, err)
	}
	return list
}

// askURLs asks the deployed site at a base for some URLs, which may be of it, and returns the base
// too.
func (n *networkFlags) askURLs(c *command, base, usualUser string, urls []string) (*verify.Report, *url.URL, error) {
	o := n.askOptions(c, base, usualUser)
	if err := c.invalid(); err != nil {
		return &verify.Report{}, nil, err
	}
	o.Crawlers = nil // everyone, and those that an answer names
	r, err := n.ask(c, o, ofURLs(verify.List{URLs: urls}))
	return r, o.Base, err
}

// maxMemory is from where on the collector works harder, in bytes, as long as a deployed site is
// asked.
const maxMemory = 350 << 20

// An asker asks a deployed site for some of its URLs, as [verify.Sitemaps] does. The report is
// there with an error, too.
type asker func(context.Context, verify.AskOptions) (*verify.Report, error)

// against asks for the URLs of a snapshot.
func against(s *snapshot.Snapshot) asker {
	return func(ctx context.Context, o verify.AskOptions) (*verify.Report, error) {
		return verify.Against(ctx, s, o)
	}
}

// ofURLs asks for URLs that somebody lists.
func ofURLs(list verify.List) asker {
	return func(ctx context.Context, o verify.AskOptions) (*verify.Report, error) {
		return verify.URLs(ctx, list, o)
	}
}

// ask asks a deployed site.
func (n *networkFlags) ask(c *command, o verify.AskOptions, ask asker) (*verify.Report, error) {
	if c.getenv("GOMEMLIMIT") == "" { // what a host sends is not to fill the memory
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(maxMemory))
	}
	transport := verify.Transport(n.allowPrivate, o.Concurrency)
	defer transport.CloseIdleConnections()
	defer c.stderr.clear()
	o.Transport = transport
	o.Progress = func(done, of int) {
		takes := time.Duration(float64(of) / o.Rate * float64(time.Second)).Round(time.Second)
		if done == 1 && o.Sampling.Most == 0 && o.Rate > 0 && takes >= 20*time.Second {
			c.note("%s at %v a second take about %s: --sample 100 asks for some of each decision and section",
				robotstag.Count(of, "URL", "URLs"), o.Rate, takes)
		}
		c.progress(func() string { return fmt.Sprintf("%d of %d URLs", done, of) })
	}
	return ask(c.cmd.Context(), o)
}
