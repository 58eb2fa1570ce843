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

// How much of a body is read, decoded.
const (
	// maxPage is how much of a file Google's crawlers read unless they say otherwise. The head would do, but a robots
	// meta in the body counts too (M2).
	// https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers
	maxPage = 15 << 20
	// maxSearch is how much of it Googlebot reads for the search. What restricts behind it is not said for sure.
	// https://developers.google.com/search/docs/crawling-indexing/googlebot
	maxSearch = 2 << 20
	// maxUnread is how much is read of a body that does not count, so that a connection can serve again.
	maxUnread = 64 << 10
	// maxSitemap is how long a sitemap may be. https://www.sitemaps.org/protocol.html#index
	maxSitemap = 50 << 20
)

// A response is one answer, its body read as far as it was wanted.
type response struct {
	status int
	header http.Header
	body   []byte
	cut    bool // the body goes on
}

// redirects are the statuses that lead elsewhere, which 300 and 304 do not.
var redirects = []int{301, 302, 303, 307, 308}

// A fetcher sends requests.
type fetcher struct {
	options *AskOptions

	mu       sync.Mutex // and for what servers have not served
	requests int
	next     time.Time // when the next request may start
}

// get sends a request, and again where it failed for now. Of the body of a page or file that is sent it reads as much
// as most says of its Content-Type; without most nothing.
func (f *fetcher) get(ctx context.Context, s *server, u *url.URL, most func(kind string) int64) (*response, error) {
	for try := 0; ; try++ {
		if err := f.wait(ctx, s); err != nil {
			return nil, err
		}
		p, err := f.once(ctx, u, most)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			p = &response{}
		}
		again, unserved := failed(p.status, err)
		if !again || try >= f.options.Retries {
			f.record(s, unserved, cmp.Or(err, fmt.Errorf("status %d", p.status)))
			return p, err
		}
		wait := backoff(try, p.header, time.Now())
		if unserved && err == nil { // the host asks for it
			f.hold(wait)
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// failed says of a status, or an error, whether the request failed for now, and whether it was left without an answer.
func failed(status int, err error) (again, unserved bool) {
	why, known := errors.AsType[*fetchError](err)
	switch {
	case err != nil:
		return !known || !why.lasting, known && why.silent
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return true, true
	}
	return status >= 500 && status != http.StatusNotImplemented, false
}

// once sends one request.
func (f *fetcher) once(ctx context.Context, u *url.URL, most func(kind string) int64) (*response, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.options.Timeout, math.MaxInt64))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "*/*")
	// A secret that was given for https does not go over http.
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
	request.Header.Set("User-Agent", f.options.UserAgent)
	answer, err := f.options.Transport.RoundTrip(request)
	if err != nil {
		return nil, f.explain(err)
	}
	defer answer.Body.Close()
	p := &response{status: answer.StatusCode, header: answer.Header}
	var limit int64
	if most != nil && p.status/100 == 2 {
		limit = most(p.header.Get("Content-Type"))
	}
	if limit == 0 {
		_, _ = io.CopyN(io.Discard, answer.Body, maxUnread)
		return p, nil
	}
	// What was asked for as gzip the transport has unpacked.
	if coding := p.header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, &fetchError{text: fmt.Sprintf("the answer is encoded as %q, which was not requested", coding)}
	}
	if p.body, err = io.ReadAll(io.LimitReader(answer.Body, limit+1)); err != nil {
		return nil, f.explain(err)
	}
	if int64(len(p.body)) > limit {
		p.body, p.cut = p.body[:limit], true
	}
	return p, nil
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

// follow asks for a URL, and goes where redirects lead, most times, if follows says so: path is what was asked in turn. An
// error with an answer says why that, a redirect, leads to nothing.
func follow(from *url.URL, most int, follows func(to *url.URL) bool, get func(path []*url.URL) (*response, error)) (p *response, err error) {
	path := []*url.URL{from}
	for {
		if p, err = get(path); err != nil {
			return nil, err
		}
		if !slices.Contains(redirects, p.status) {
			return p, nil
		}
		text := p.header.Get("Location")
		to, err := path[len(path)-1].Parse(text)
		switch {
		case text == "":
			return p, errors.New("a redirect without a Location header")
		case err != nil:
			return p, errors.New("a redirect whose Location is not a URL")
		}
		to.User, to.Fragment, to.RawFragment = nil, "", ""
		switch {
		case !follows(to) || to.Scheme != "http" && to.Scheme != "https":
			return p, &awayError{to}
		case slices.ContainsFunc(path, func(o *url.URL) bool { return o.String() == to.String() }):
			return p, &loopError{to}
		case len(path) > most:
			return p, fmt.Errorf("it redirects more than %d times", most)
		}
		path = append(path, to)
	}
}

// wait returns when a request to a host may start, or why it is asked no more.
func (f *fetcher) wait(ctx context.Context, s *server) error {
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

// hold lets no request start for a while.
func (f *fetcher) hold(d time.Duration) {
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

// backoff is how long to wait after a try, the first being 0: twice as long each time, and as long as Retry-After asks,
// in seconds or by a date. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func backoff(try int, header http.Header, now time.Time) time.Duration {
	wait, text := firstBackoff<<min(try, 6), strings.TrimSpace(header.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = max(wait, time.Duration(n)*time.Second)
	} else if at, err := http.ParseTime(text); err == nil {
		wait = max(wait, at.Sub(now))
	}
	return min(wait, maxBackoff)
}

// maxUnserved is how many requests in a row, each with its repetitions, a host may leave without an answer. Then it is
// asked no more: a thousand URLs that each wait for their time-outs would take a day.
const maxUnserved = 10

// record takes in what came of a request.
func (f *fetcher) record(s *server, unserved bool, last error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.missed++; !unserved {
		s.missed = 0
	}
	if s.missed == maxUnserved {
		s.gone = fmt.Errorf("not requested: %d requests in a row were not served (%w)", maxUnserved, last)
	}
}

// A fetchError is a failed request in words for the user.
type fetchError struct {
	text string
	err  error
	// lasting: it would fail again. silent: there was no answer. Otherwise the answer is wrong.
	lasting, silent bool
}

func (e *fetchError) Error() string { return e.text }
func (e *fetchError) Unwrap() error { return e.err }

// explain says in few words why a request failed.
func (f *fetcher) explain(err error) error {
	e := &fetchError{text: err.Error(), err: err, lasting: errors.Is(err, ErrPrivate)}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		e.text, e.silent = op.Err.Error(), true
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		e.text = call.Err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		e.text = "the answer breaks off"
	}
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		e.text = "the answer is not gzip, as its header says: " + err.Error()
	}
	timeout, ok := errors.AsType[net.Error](err)
	if ok && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		e.text, e.silent = fmt.Sprintf("no answer within %v", cmp.Or(f.options.Timeout, connectTimeout)), true
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		e.text, e.lasting = "its name cannot be resolved: "+dns.Err, !dns.IsTemporary && !dns.IsTimeout
	}
	if certificate, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		e.text, e.lasting = "the host's certificate is not valid: "+certificate.Err.Error(), true
	}
	return e
}

const (
	maxHeader      = 256 << 10        // bytes of an answer's headers
	connectTimeout = 15 * time.Second // and again for the handshake of TLS
)

// Transport returns what sends requests over the network. Without private it connects to public addresses alone.
// That is checked when the connection is made, on the address that the name resolved to, so that a name which resolves
// otherwise the second time gains nothing.
//
// The environment's proxy is used with private alone, because a proxy hides which address is connected to.
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
	if err != nil || !public(a.Addr()) {
		return fmt.Errorf("%w (%s)", ErrPrivate, a.Addr())
	}
	return nil
}

// special are networks within those of unicast that are not public and that package netip does not know: this network,
// carriers' shared addresses, protocol assignments, documentation, 6to4, benchmarks, reserved ones, Teredo.
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

// public reports whether an address is one of the public network. One that NAT64 makes of an address of IPv4 is as
// public as that; 6to4, which does the same, is given up. https://www.rfc-editor.org/rfc/rfc7526
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	switch {
	case nat64.Contains(a):
		return public(netip.AddrFrom4([4]byte(a.AsSlice()[12:16])))
	case !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !unicast6.Contains(a):
		return false
	}
	return !slices.ContainsFunc(special, func(n netip.Prefix) bool { return n.Contains(a) })
}
