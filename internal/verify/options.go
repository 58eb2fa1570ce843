package verify

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/idna"

	"metarobots/policy"
)

// AskOptions say what is asked, and how. Transport is needed; each other zero value has a meaning.
type AskOptions struct {
	// Base is where the publish root is served: scheme, host and path ([ParseBase]). [Against] does without: then the
	// snapshot's own hosts are asked, and Header and User have to be empty, as a file does not say who gets a secret.
	Base *url.URL
	// Twin is a base whose URLs in sitemaps are taken for those of Base: a test server often lists production's. It may
	// be nil.
	Twin *url.URL
	// Crawlers are those to compare for, by name, with [Everyone]. If it is empty: everyone, googlebot, bingbot, and
	// those of each decision and each answer.
	Crawlers []string
	// UserAgent is sent as it is; empty for "metarobots".
	UserAgent string
	// Header is sent with every request to the host, and never over http where Base is https.
	Header http.Header
	// User is sent likewise (basic authentication); nil for none.
	User *url.Userinfo
	// Transport answers requests. It asks for gzip, and unpacks that; it does not follow redirects.
	Transport http.RoundTripper
	// Concurrency is how many requests may be under way; 0 is one.
	Concurrency int
	// Rate is how many requests may start in a second; 0 is no limit.
	Rate float64
	// Timeout is for one request with its answer, and again for unpacking a sitemap; 0 is none.
	Timeout time.Duration
	// Retries is how often a request is repeated that failed for now: 429, 5xx, a broken connection.
	Retries int
	// Sample is how many URLs are asked at most, chosen by [AskOptions.Seed]; 0 is all.
	Sample int
	Seed   uint64
	// AllowNoindex: a page that is out of the index and was to be in it is meant to be, and no error.
	AllowNoindex bool
	// Progress gets the number of URLs that are done, from several goroutines but never at once. It may be nil.
	Progress func(done, of int)
}

// Everyone is the name under which what holds for all crawlers is answered.
const Everyone = "robots"

// ErrPrivate is matched by errors about addresses that are not public.
var ErrPrivate = errors.New("the address is private, of this machine, or otherwise not public")

// An OptionError is a wrong or missing option. Nothing was compared.
type OptionError struct{ Err error }

func (e *OptionError) Error() string { return e.Err.Error() }
func (e *OptionError) Unwrap() error { return e.Err }

// ParseBase reads the URL of a site's root, and the user that it may hold. An error never repeats the text where
// that may hold a password.
func ParseBase(text string) (*url.URL, *url.Userinfo, error) {
	shown := text
	switch {
	case strings.Contains(text, "@"):
		shown = "the URL"
	case strings.TrimSpace(text) == "":
		shown = "the URL of the site is empty"
	}
	fail := func(format string, args ...any) (*url.URL, *url.Userinfo, error) {
		return nil, nil, &OptionError{fmt.Errorf("%s: %s", shown, fmt.Sprintf(format, args...))}
	}
	u, err := url.Parse(strings.TrimSpace(text))
	var parse *url.Error
	switch {
	case err != nil && shown == text && errors.As(err, &parse):
		return fail("%v", parse.Err)
	case err != nil:
		return fail("it is none")
	case u.Scheme == "" || u.Host == "" && u.Opaque != "":
		if shown == text && !strings.ContainsAny(text, " \"") && text != "" {
			return fail("no scheme (did you mean %q?)", "https://"+strings.TrimLeft(text, "/"))
		}
		return fail("no scheme: write https://…")
	case u.Scheme != "http" && u.Scheme != "https":
		return fail("%q is neither http nor https", u.Scheme)
	case u.Hostname() == "":
		return fail("it names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return fail("the root of a site has no ? and no #")
	}
	if _, err := asciiHost(u.Hostname()); err != nil {
		return fail("%v", err)
	}
	user := u.User
	u.User = nil
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	return u, user, nil
}

// asciiHost returns a host's name as it goes over the wire, in lower case.
func asciiHost(host string) (string, error) {
	if net.ParseIP(host) != nil || strings.Contains(host, ":") {
		return strings.ToLower(host), nil
	}
	if strings.ContainsFunc(host, func(c rune) bool { return c >= 0x80 }) {
		return idna.Lookup.ToASCII(host)
	}
	return strings.ToLower(host), nil
}

// check returns everything that is wrong with o.
func (o *AskOptions) check() error {
	var errs []error
	if o.Concurrency < 0 || o.Retries < 0 || o.Sample < 0 || !(o.Rate >= 0) || o.Timeout < 0 {
		errs = append(errs, errors.New("concurrency, rate, timeout, retries and sample are not negative"))
	}
	if o.Base == nil && (o.User != nil || len(o.Header) > 0) {
		errs = append(errs, errors.New("a user and headers are sent to a host that is named, "+
			"and to none that a snapshot names"))
	}
	errs = append(errs, CheckCrawlers(o.Crawlers))
	for name, values := range o.Header {
		errs = append(errs, checkHeader(name, values))
	}
	if err := errors.Join(errs...); err != nil {
		return &OptionError{err}
	}
	return nil
}

// CheckCrawlers returns an error for each name that is none of a crawler, or close to one that is known.
func CheckCrawlers(names []string) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, checkCrawler(name))
	}
	return errors.Join(errs...)
}

// checkCrawler takes any token, as there are more crawlers than we know, but none that is close to a name we know.
func checkCrawler(name string) error {
	known := policy.KnownCrawlers()
	if _, ok := known.Lookup(name); ok || policy.Everyone(name) {
		return nil
	}
	if !policy.IsToken(name) {
		return fmt.Errorf("%q is not the name of a crawler", name)
	}
	if reason := policy.Inert(name); reason != "" {
		return fmt.Errorf("%s %s: headers and tags have no effect on it", name, reason)
	}
	if reason := policy.NoCrawler(name); reason != "" {
		return errors.New(reason)
	}
	if near := policy.Near(name, known.Names()); near != "" {
		return fmt.Errorf("unknown crawler %q (did you mean %q?)", name, near)
	}
	return nil
}

// settled are headers that verify sets itself, or that would change which answer comes.
var settled = map[string]string{
	"Host":              "the host is that of the URL",
	"User-Agent":        "it has an option of its own",
	"Accept-Encoding":   "it is set already",
	"Connection":        "it is not for the site",
	"Content-Length":    "nothing is sent",
	"Transfer-Encoding": "nothing is sent",
	"Range":             "a part of a page is no page",
	"If-Modified-Since": "an answer without a body says too little",
	"If-None-Match":     "an answer without a body says too little",
}

func checkHeader(name string, values []string) error {
	if !httpguts.ValidHeaderFieldName(name) {
		return fmt.Errorf("%q is not the name of a header", name)
	}
	if reason, ok := settled[http.CanonicalHeaderKey(name)]; ok {
		return fmt.Errorf("the header %s cannot be set: %s", name, reason)
	}
	for _, v := range values { // a value may be a secret, and is not shown
		if !httpguts.ValidHeaderFieldValue(v) {
			return fmt.Errorf("the value of the header %s holds a control character", name)
		}
	}
	return nil
}
