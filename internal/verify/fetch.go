package verify

import (
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// How many bytes of a body are read, decoded.
const (
	// maxPage is how much of a file Google's crawlers read unless they say otherwise. The head
	// would do, but a robots meta in the body counts too (M2).
	// https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers
	maxPage = 15 << 20
	// maxSearch is how much of it Googlebot reads for the search. What restricts behind it is not
	// said for sure.
	// https://developers.google.com/search/docs/crawling-indexing/googlebot
	maxSearch = 2 << 20
	// maxUnread is how much is read of a body that does not count, so that a connection can serve
	// again.
	maxUnread = 64 << 10
	// maxSitemap is how long a sitemap may be. https://www.sitemaps.org/protocol.html#index
	maxSitemap = 50 << 20
)

// A response is one answer, its body read as far as it was wanted.
type response struct {
	status int
	header http.Header
	body   []byte
	isCut  bool // the body goes on
}

// redirects are the statuses that lead elsewhere, which 300 and 304 do not.
var redirects = []int{301, 302, 303, 307, 308}

// A fetcher sends requests, no more at a time than the options allow. Several goroutines may use
// it.
type fetcher struct {
	options *AskOptions

	// mu guards what follows, and of each server what it counts: missed and gone.
	mu       sync.Mutex
	requests int
	next     time.Time // when the next request may start
}

// A bodyLimit is how many bytes are read of a body that has this Content-Type, which may be empty.
// Nil reads nothing.
type bodyLimit func(contentType string) int64

// upTo is the limit of bodies of every type.
func upTo(limit int64) bodyLimit { return func(string) int64 { return limit } }

// get gets a URL of a server. It returns an answer, which may have any status, or the error of the
// last try, of the context, of a server that was given up, or a [*refusedError].
func (f *fetcher) get(ctx context.Context, s *server, u *url.URL, limit bodyLimit) (*response, error) {
	if f.options.Sender.Borrowed == "" {
		return f.getRepeatedly(ctx, s, u, limit)
	}
	return f.getUnlessRefused(ctx, s, u, limit)
}

// getRepeatedly sends a request to a server, and repeats it if it failed for now, as often as the
// options say; not at all if the server has refused a crawler whose name is borrowed, since it may
// refuse this too. It returns the last answer, whatever its status, or the error of the last try
// with an answer that is empty. With the error of the context, or of a server that was given up,
// there is no answer. A server is given up after too many requests in a row that were not served.
//
// What the server asks for by 429 or 503 holds for all requests of the fetcher: none starts before
// the next try.
func (f *fetcher) getRepeatedly(ctx context.Context, s *server, u *url.URL, limit bodyLimit) (
	*response, error) {
	retries := f.options.Retries
	// The record is the server's, whoever asks it; only getUnlessRefused sets it.
	if hasRefused := f.refusalsOf(s).text != ""; hasRefused {
		retries = 0
	}
	for try := 0; ; try++ {
		// It waits for the rate, and fails if s was given up meanwhile.
		if err := f.waitForTurn(ctx, s); err != nil {
			return nil, err
		}
		p, err := f.sendOnce(ctx, u, limit)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			p = &response{} // without a status and a header, for what follows
		}
		failure := failureOf(p.status, err)
		isLastTry := !failure.mayPass || try >= retries
		if isLastTry {
			f.countUnserved(s, failure, cmp.Or(err, fmt.Errorf("status %d", p.status)))
			return p, err
		}
		wait := backoff(try, p.header, time.Now())
		if asksToWait := failure.isUnserved && err == nil; asksToWait {
			f.delayAll(wait)
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// A failure says how a request failed. A request that did not fail has the zero value.
type failure struct {
	mayPass    bool // a repetition may succeed
	isUnserved bool // the server gave no answer, or asks to wait
}

// failureOf tells by the status of an answer, or by the error in its place, how a request failed.
func failureOf(status int, err error) failure {
	explained, isExplained := errors.AsType[*fetchError](err)
	switch {
	case isExplained:
		return failure{mayPass: !explained.isLasting, isUnserved: explained.isSilent}
	case err != nil:
		return failure{mayPass: true}
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return failure{mayPass: true, isUnserved: true}
	}
	return failure{mayPass: status >= 500 && status != http.StatusNotImplemented}
}

// sendOnce sends one request, whenever it is called, and reads of its body as much as the limit
// allows. An error is one that [fetcher.explain] makes, if the request could be sent at all.
func (f *fetcher) sendOnce(ctx context.Context, u *url.URL, limit bodyLimit) (*response, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.options.Timeout, math.MaxInt64))
	defer cancel()
	request, err := f.newRequest(ctx, u)
	if err != nil {
		return nil, err
	}
	answer, err := f.options.Transport.RoundTrip(request)
	if err != nil {
		return nil, f.explain(err)
	}
	defer answer.Body.Close()
	p := &response{status: answer.StatusCode, header: answer.Header}
	var most int64
	if limit != nil && p.status/100 == 2 {
		most = limit(p.header.Get("Content-Type"))
	}
	if most == 0 {
		_, _ = io.CopyN(io.Discard, answer.Body, maxUnread)
		return p, nil
	}
	if err := f.readBody(p, answer.Body, most); err != nil {
		return nil, err
	}
	return p, nil
}

// newRequest makes the request for a URL. The headers and the user of the options, which may be
// secrets, are only sent to the host of Base, and not over http if they were given for https.
func (f *fetcher) newRequest(ctx context.Context, u *url.URL) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "*/*")
	base := f.options.Base
	if base != nil && sameHost(u, base) && (u.Scheme == "https" || base.Scheme == "http") {
		for name, values := range f.options.Header {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
		if f.options.User != nil {
			password, _ := f.options.User.Password()
			request.SetBasicAuth(f.options.User.Username(), password)
		}
	}
	request.Header.Set("User-Agent", f.options.Sender.userAgent())
	return request, nil
}

// readBody sets the body of an answer to at most so many bytes of what was sent, and cut if there
// is more.
func (f *fetcher) readBody(p *response, sent io.Reader, most int64) (err error) {
	// The transport has unpacked what it asked for, which is gzip.
	if coding := p.header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return &fetchError{text: fmt.Sprintf("the answer is encoded as %q, which was not requested", coding)}
	}
	if p.body, err = io.ReadAll(io.LimitReader(sent, most+1)); err != nil {
		return f.explain(err)
	}
	if int64(len(p.body)) > most {
		p.body, p.isCut = p.body[:most], true
	}
	return nil
}

// An awayError says that a redirect leads off the host.
type awayError struct{ to *url.URL }

func (e *awayError) Error() string {
	return fmt.Sprintf("it leads to %s, which is another host and not requested", e.to)
}

// A loopError says that redirects lead back to a URL that they came from.
type loopError struct{ through *url.URL }

func (e *loopError) Error() string {
	return fmt.Sprintf("its redirects form a loop, through %s", e.through)
}

// A redirectRule says which redirects are followed.
type redirectRule struct {
	most      int                    // how many in a row
	mayFollow func(to *url.URL) bool // whether one to this URL is, if it is a URL of http or https
}

// follow gets a URL, and those to which redirects lead in turn if the rule allows it. get is called
// with all URLs so far, and asks for the last of them. The first answer that is no redirect is
// returned without an error. If redirects lead to no such answer, the last of them is returned with
// the error that says why. An error of get is returned alone.
func follow(from *url.URL, rule redirectRule, get func(path []*url.URL) (*response, error)) (*response, error) {
	path := []*url.URL{from}
	for {
		p, err := get(path)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(redirects, p.status) {
			return p, nil
		}
		to, err := rule.next(path, p.header.Get("Location"))
		if err != nil {
			return p, err
		}
		path = append(path, to)
	}
}

// next is the URL to which a Location leads from the last URL of a path, or an error that says why
// it is not followed.
func (rule redirectRule) next(path []*url.URL, location string) (*url.URL, error) {
	to, err := path[len(path)-1].Parse(location)
	switch {
	case location == "":
		return nil, errors.New("a redirect without a Location header")
	case err != nil:
		return nil, errors.New("a redirect whose Location is not a URL")
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	isTo := func(earlier *url.URL) bool { return earlier.String() == to.String() }
	switch {
	case !rule.mayFollow(to) || to.Scheme != "http" && to.Scheme != "https":
		return nil, &awayError{to}
	case slices.ContainsFunc(path, isTo):
		return nil, &loopError{to}
	case len(path) > rule.most:
		return nil, fmt.Errorf("it redirects more than %d times", rule.most)
	}
	return to, nil
}

// waitForTurn counts a request, and returns when it may start. It returns an error if the server
// was given up, or the context's.
func (f *fetcher) waitForTurn(ctx context.Context, s *server) error {
	f.mu.Lock()
	if s.gone != nil {
		f.mu.Unlock()
		return s.gone
	}
	wait := max(0, time.Until(f.next))
	f.next = time.Now().Add(wait)
	if f.options.Rate > 0 {
		f.next = f.next.Add(time.Duration(float64(time.Second) / f.options.Rate))
	}
	f.requests++
	f.mu.Unlock()
	return sleep(ctx, wait)
}

// delayAll lets no request start for a while.
func (f *fetcher) delayAll(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := time.Now().Add(d); at.After(f.next) {
		f.next = at
	}
}

// sleep waits, or returns the context's error when that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d > 0 {
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
	}
	return ctx.Err()
}

// Between two tries of a request.
const (
	firstBackoff = time.Second
	maxBackoff   = time.Minute // Retry-After is obeyed up to it
)

// backoff is how long to wait after a try, the first being 0: twice as long each time, and as long
// as Retry-After asks, in seconds or by a date.
// https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func backoff(try int, header http.Header, now time.Time) time.Duration {
	wait, text := firstBackoff<<min(try, 6), strings.TrimSpace(header.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = max(wait, time.Duration(n)*time.Second)
	} else if at, err := http.ParseTime(text); err == nil {
		wait = max(wait, at.Sub(now))
	}
	return min(wait, maxBackoff)
}

// maxUnserved is how many requests in a row, each with its repetitions, a host may leave without an
// answer. Then it is asked no more: a thousand URLs that each wait for their time-outs would take a
// day.
const maxUnserved = 10

// countUnserved counts the requests in a row that a server did not serve, and gives it up if they
// are too many. last is how the request ended that is counted now.
func (f *fetcher) countUnserved(s *server, ended failure, last error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.missed++; !ended.isUnserved {
		s.missed = 0
	}
	if s.missed == maxUnserved {
		s.gone = fmt.Errorf("not requested: %d requests in a row were not served (%w)", maxUnserved, last)
	}
}

// A fetchError is a failed request in words for the user.
type fetchError struct {
	text        string
	err         error
	isLasting   bool // it would fail again
	isSilent    bool // there was no answer; else the answer is wrong
	hasTimedOut bool // no answer came in time, or no address for its name
}

func (e *fetchError) Error() string { return e.text }
func (e *fetchError) Unwrap() error { return e.err }

// explain makes a [fetchError] of an error with which the transport sent a request or read its
// answer: its words are the user's, and [failureOf] learns from it whether to try again. An error
// often has several causes, each wrapped by another: "Get …: dial tcp …: lookup example.org: no
// such host" is an OpError with a DNSError. Each cause sets what it tells for certain. An error
// without a known cause may pass.
func (f *fetcher) explain(err error) error {
	_, isOfConnection := errors.AsType[*net.OpError](err)
	dns, isDNS := errors.AsType[*net.DNSError](err)
	_, isBadCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	isUnknownName := isDNS && !dns.IsTemporary && !dns.IsTimeout
	return &fetchError{text: f.wordsFor(err), err: err,
		isLasting:   isUnknownName || isBadCertificate || errors.Is(err, ErrPrivate),
		isSilent:    isOfConnection || hasTimedOut(err),
		hasTimedOut: hasTimedOut(err)}
}

// wordsFor says in words for the user why a request failed, by the first of these causes that the
// error has; an error with none of them keeps its own words.
func (f *fetcher) wordsFor(err error) string {
	if certificate, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the host's certificate is not valid: " + certificate.Err.Error()
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return "its name cannot be resolved: " + dns.Err
	}
	if hasTimedOut(err) {
		// Connecting and the handshake of TLS have one of their own. Without a timeout of the
		// options nothing else has one.
		within := cmp.Or(f.options.Timeout, connectTimeout)
		isOfRequest := errors.Is(err, context.DeadlineExceeded) // and that of a handshake is not
		if isOfConnecting(err) || !isOfRequest {
			within = min(within, connectTimeout)
		}
		return fmt.Sprintf("no answer within %v", within)
	}
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return "the answer is not gzip, as its header says: " + err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "the answer breaks off"
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok { // "connection refused"
		return call.Err.Error()
	}
	if operation, ok := errors.AsType[*net.OpError](err); ok { // of the connection
		return operation.Err.Error()
	}
	return err.Error()
}

// hasTimedOut reports whether the cause of an error is that a time ran out: one of the transport's
// own, or that of the request's context.
func hasTimedOut(err error) bool {
	netError, isNetError := errors.AsType[net.Error](err)
	isTransports := isNetError && netError.Timeout()
	return isTransports || errors.Is(err, context.DeadlineExceeded)
}

const (
	maxHeader      = 256 << 10        // bytes of an answer's headers
	connectTimeout = 15 * time.Second // and again for the handshake of TLS
)

// Transport returns what sends requests over the network. Without private it connects to public
// addresses alone. That is checked when the connection is made, on the address that the name
// resolved to, so that a name which resolves otherwise the second time gains nothing.
//
// The environment's proxy is used with private alone, because a proxy hides which address is
// connected to.
func Transport(private bool, concurrency int) *http.Transport {
	dialer := &net.Dialer{Timeout: connectTimeout}
	t := &http.Transport{
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeader,
	}
	if private {
		t.Proxy = http.ProxyFromEnvironment
	} else {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return checkAddress(address) }
	}
	t.DialContext = dialer.DialContext
	return t
}

// checkAddress returns ErrPrivate for an address, with its port, that is not public.
func checkAddress(address string) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !isPublic(a.Addr()) {
		return fmt.Errorf("%w (%s)", ErrPrivate, a.Addr())
	}
	return nil
}

// special are networks within those of unicast that are not public and that package netip does not
// know: this network, carriers' shared addresses, protocol assignments, documentation, 6to4,
// benchmarks, reserved ones, Teredo.
// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, as of 2026-11-20
var special = func() (networks []netip.Prefix) {
	for text := range strings.FieldsSeq(`0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15
		198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20`) {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}()

var (
	unicast6 = netip.MustParsePrefix("2000::/3")     // all that is given out of IPv6
	nat64    = netip.MustParsePrefix("64:ff9b::/96") // holds an address of IPv4 in its last 32 bits
)

// isPublic reports whether an address is one of the public network. One that NAT64 makes of an
// address of IPv4 is as public as that; 6to4, which does the same, is given up.
// https://www.rfc-editor.org/rfc/rfc7526
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	switch {
	case nat64.Contains(a):
		return isPublic(netip.AddrFrom4([4]byte(a.AsSlice()[12:16])))
	case !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !unicast6.Contains(a):
		return false
	}
	return !slices.ContainsFunc(special, func(n netip.Prefix) bool { return n.Contains(a) })
}
