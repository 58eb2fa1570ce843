package verify

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/idna"

	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// AskOptions say what is asked, and how. Transport is needed; each other zero value has a meaning.
type AskOptions struct {
	// Base is where the publish root is served: scheme, host and path ([ParseBase]). [Against] does
	// without: then the snapshot's own hosts are asked, and Header and User have to be empty, as a
	// file does not say who gets a secret.
	Base *url.URL
	// Twin is a base whose URLs in sitemaps are taken for those of Base: a test server often lists
	// production's. It may be nil.
	Twin *url.URL
	// Crawlers are those to compare for, by name, with [Everyone]. If it is empty: everyone,
	// googlebot, bingbot, and those of each decision and each answer.
	Crawlers []string
	Sender   Sender
	// Header and User (basic authentication) are sent with every request to the host, and never
	// over http where Base is https.
	Header http.Header
	User   *url.Userinfo
	// Transport answers requests. It asks for gzip, and unpacks that; it does not follow redirects.
	Transport   http.RoundTripper
	Concurrency int           // how many requests may be under way; 0 is one
	Rate        float64       // how many requests may start in a second; 0 is no limit
	Timeout     time.Duration // for one request with its answer; 0 is none
	Retries     int           // of a request that failed for now: 429, 5xx, a broken connection
	Sampling    Sampling
	// AllowNoindex: a page that is out of the index and was to be in it is meant to be, and no
	// error.
	AllowNoindex bool
	Files        FileOptions
	// Progress gets the number of URLs that are done, from several goroutines but never at once. It
	// may be nil.
	Progress func(done, of int)
}

// A Sender is what requests call themselves in their user agent.
type Sender struct {
	UserAgent string // empty for "metarobots"
	// Borrowed is the crawler under whose name requests are sent instead, as its operator spells
	// it; empty for none. What is refused to that name is asked for under UserAgent.
	Borrowed string
}

// userAgent is the user agent that is sent.
func (s Sender) userAgent() string {
	if s.Borrowed != "" {
		return UserAgentOf(s.Borrowed)
	}
	return s.UserAgent
}

// FileOptions say which files beside the pages count.
type FileOptions struct {
	// ReadsAI: files about AI, such as tdmrep.json, are read too. [Against] reads those that the
	// snapshot has.
	ReadsAI bool
	// AsksHomeAlone: of a site whose sitemaps list no URL, [Sitemaps] asks for the home page, with
	// a warning. Else it is an error.
	AsksHomeAlone bool
	// LeavesRobots: [Against] does not compare robots.txt, since its caller does, or lists what is
	// served.
	LeavesRobots bool
}

// A Sampling says how many URLs are asked, of those that are to be known.
type Sampling struct {
	Most int    // at most; 0 is all
	Seed uint64 // chooses which
	// IsFurther: other URLs of the site were answered before, so that what these have in common,
	// such as 404, says nothing of the site.
	IsFurther bool
}

// Everyone is the name under which what holds for all crawlers is answered.
const Everyone = seen.Everyone

// ErrPrivate is matched by errors about addresses that are not public.
var ErrPrivate = errors.New("the address is private, of this machine, or otherwise not public")

// ParseBase reads the URL of a site's root, of a command line or of a snapshot:
// "https://me:secret@example.org/docs" is the base https://example.org/docs/, whose path always
// ends in a slash, and the user me with a password. user is nil if the text has none. An error is a
// [project.InvalidError] that says what to write instead, and never repeats a text that may hold a
// password.
func ParseBase(text string) (base *url.URL, user *url.Userinfo, err error) {
	text = strings.TrimSpace(text)
	base, err = url.Parse(text)
	if fault := faultOfText(text, base, err); fault != "" {
		shown := text
		switch {
		case text == "":
			shown = "the URL of the site is empty"
		case mayHoldSecret(text):
			shown = "the URL"
		}
		return nil, nil, project.Invalid(fmt.Errorf("%s: %s", shown, fault))
	}
	user, base.User = base.User, nil // user gets what base had
	if !strings.HasSuffix(base.Path, "/") {
		base = base.JoinPath("/")
	}
	return base, user, nil
}

// mayHoldSecret reports whether a text may hold a password, as what is before an @ may, wherever
// that is.
func mayHoldSecret(text string) bool { return strings.Contains(text, "@") }

// faultOfText says why a text is not the URL of a site's root, in words that never repeat a text
// that may hold a password; empty if it is. u and err are what [url.Parse] makes of the text.
func faultOfText(text string, u *url.URL, err error) string {
	// net/url takes the host of "example.org:8080" for a scheme, and the port for something opaque.
	isHostAsScheme := err == nil && u.Host == "" && u.Opaque != ""
	switch {
	case err != nil && mayHoldSecret(text):
		return "not a valid URL"
	case err != nil:
		return errors.Unwrap(err).Error() // a *url.Error repeats the text, its cause does not
	case u.Scheme != "" && !isHostAsScheme:
		return faultOfRoot(u)
	case mayHoldSecret(text) || text == "":
		return "no scheme: write https://…"
	}
	return fmt.Sprintf("no scheme (did you mean %q?)", "https://"+strings.TrimLeft(text, "/"))
}

// faultOfRoot says why a URL with a scheme is not that of a site's root; empty if it is.
func faultOfRoot(u *url.URL) string {
	_, err := asciiHost(u.Hostname())
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Sprintf("%q is neither http nor https", u.Scheme)
	case u.Hostname() == "":
		return "it names no host"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "the root of a site has no ? and no #"
	case err != nil:
		return err.Error()
	}
	return ""
}

// asciiHost returns a host's name as it goes over the wire, in lower case.
func asciiHost(host string) (string, error) {
	if strings.ContainsFunc(host, func(c rune) bool { return c >= 0x80 }) {
		return idna.Lookup.ToASCII(host)
	}
	return strings.ToLower(host), nil
}

// reservedHeaders are headers that verify sets itself, or that would change which answer comes: a
// part of a page, or none.
var reservedHeaders = []string{"Host", "User-Agent", "Accept-Encoding", "Connection", "Content-Length", "Transfer-Encoding",
	"Range", "If-Modified-Since", "If-None-Match"}

// check returns a [project.InvalidError] about everything that is wrong with o, nil if nothing is.
// It is called before anything is requested.
func (o *AskOptions) check() error {
	errs := []error{CheckCrawlers(o.Crawlers)} // Join leaves out what is nil
	isRate := o.Rate >= 0                      // false for NaN too, which no number is below
	if o.Concurrency < 0 || o.Retries < 0 || o.Sampling.Most < 0 || !isRate || o.Timeout < 0 {
		errs = append(errs, errors.New("concurrency, rate, timeout, retries and sample must not be negative"))
	}
	hasSecret := o.User != nil || len(o.Header) > 0
	if o.Base == nil && hasSecret {
		errs = append(errs, errors.New("a user and headers are sent to a host that is named, "+
			"and to none that a snapshot names"))
	}
	for name, values := range o.Header {
		errs = append(errs, checkHeader(name, values))
	}
	return project.Invalid(errors.Join(errs...)) // nil for nil
}

// checkHeader returns an error if a header cannot be sent. It names the header and never a value,
// which may be a secret.
func checkHeader(name string, values []string) error {
	isInvalid := func(value string) bool { return !httpguts.ValidHeaderFieldValue(value) }
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return fmt.Errorf("%q is not the name of a header", name)
	case slices.Contains(reservedHeaders, http.CanonicalHeaderKey(name)):
		return fmt.Errorf("the header %s cannot be set: "+
			"verify sets it, or it would change which answer comes", name)
	case slices.ContainsFunc(values, isInvalid):
		return fmt.Errorf("the value of the header %s holds a control character", name)
	}
	return nil
}

// CheckCrawlers returns an error for each name that is none of a crawler, or that means one which
// is known. It takes any other token, as there are more crawlers than we know.
func CheckCrawlers(names []string) error {
	known := policy.KnownCrawlers()
	var errs []error
	for _, name := range names {
		hint := policy.DidYouMeanCrawler(name, known.Names())
		inert := policy.Inert(name)     // why nothing has an effect on it
		other := policy.NoCrawler(name) // why no crawler may have that name
		switch {
		case policy.Everyone(name):
		case !policy.IsToken(name):
			errs = append(errs, fmt.Errorf("%q is not the name of a crawler", name))
		case inert != "":
			errs = append(errs, fmt.Errorf("%s %s: headers and tags have no effect on it", name, inert))
		case policy.LookupCrawler(name) != nil:
		case other != "":
			errs = append(errs, errors.New(other))
		case hint != "":
			errs = append(errs, fmt.Errorf("unknown crawler %q%s", name, hint))
		}
	}
	return errors.Join(errs...)
}
