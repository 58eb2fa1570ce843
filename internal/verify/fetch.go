package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// redirects reports whether an answer leads elsewhere. 300 and 304 do not.
func (p *response) redirects() bool {
	switch p.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// A fetcher sends requests.
type fetcher struct {
	options  *AskOptions
	requests atomic.Int64

	mu      sync.Mutex
	next    time.Time          // when the next request may start
	outages map[string]*outage // by host
}

// get sends a request, and again where it failed for now. want says how much of the body is to be read; nil for
// nothing.
func (f *fetcher) get(ctx context.Context, u *url.URL, want func(*response) int64) (*response, error) {
	for try := 0; ; try++ {
		if err := f.unserved(u); err != nil {
			return nil, err
		}
		if err := f.wait(ctx); err != nil {
			return nil, err
		}
		p, err := f.once(ctx, u, want)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			p = &response{}
		}
		busy := p.status == http.StatusTooManyRequests
		failed := err != nil && !lasting(err) || p.status >= 500 && p.status != http.StatusNotImplemented
		if !busy && !failed || try >= f.options.Retries {
			f.record(u, p.status, err)
			return p, err
		}
		wait := backoff(try, p.header, time.Now())
		if busy || p.status == http.StatusServiceUnavailable {
			f.hold(wait)
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// within is a context that ends after the time for one request.
func (f *fetcher) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(f.options.Timeout, math.MaxInt64))
}

// once sends one request.
func (f *fetcher) once(ctx context.Context, u *url.URL, want func(*response) int64) (*response, error) {
	ctx, cancel := f.within(ctx)
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
	f.requests.Add(1)
	answer, err := f.options.Transport.RoundTrip(request)
	if err != nil {
		return nil, f.explain(err)
	}
	defer answer.Body.Close()
	p := &response{status: answer.StatusCode, header: answer.Header}
	var limit int64
	if want != nil {
		limit = want(p)
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

// follow asks for a URL, and goes where redirects lead on its host, most times: path is what was asked in turn. An
// error with an answer says why that, a redirect, leads to nothing.
func follow(from *url.URL, most int, get func(path []*url.URL) (*response, error)) (p *response, err error) {
	path := []*url.URL{from}
	for {
		if p, err = get(path); err != nil {
			return nil, err
		}
		if !p.redirects() {
			return p, nil
		}
		to, err := location(path[len(path)-1], p.header)
		switch {
		case err != nil:
		case !sameHost(to, from) || to.Scheme != "http" && to.Scheme != "https":
			err = &awayError{to}
		case slices.ContainsFunc(path, func(o *url.URL) bool { return o.String() == to.String() }):
			err = fmt.Errorf("its redirects go round in a circle, by %s", to)
		case len(path) > most:
			err = fmt.Errorf("it leads on %d times", len(path))
		}
		if err != nil {
			return p, err
		}
		path = append(path, to)
	}
}

// location is where a redirect leads, without the user that it may hold.
func location(from *url.URL, header http.Header) (*url.URL, error) {
	text := header.Get("Location")
	if text == "" {
		return nil, errors.New("a redirect without a location")
	}
	to, err := from.Parse(text)
	if err != nil {
		return nil, errors.New("a redirect to what is not a URL")
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to, nil
}
