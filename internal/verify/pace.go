package verify

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// wait returns when a request may start.
func (f *fetcher) wait(ctx context.Context) error {
	f.mu.Lock()
	now := time.Now()
	start := f.next
	if start.Before(now) {
		start = now
	}
	f.next = start
	if f.options.Rate > 0 {
		f.next = start.Add(time.Duration(float64(time.Second) / f.options.Rate))
	}
	f.mu.Unlock()
	return sleep(ctx, start.Sub(now))
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

// backoff is how long to wait after a try, the first being 0: twice as long each time, and as long as Retry-After asks.
func backoff(try int, header http.Header, now time.Time) time.Duration {
	return min(max(firstBackoff<<min(try, 6), retryAfter(header.Get("Retry-After"), now)), maxBackoff)
}

// retryAfter reads seconds or a date; 0 for what is neither.
// https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return at.Sub(now)
}

// maxUnserved is how many requests in a row, each with its repetitions, a host may leave without an answer. Then it is
// asked no more: a thousand URLs that each wait for their time-outs would take a day.
const maxUnserved = 10

// An outage is what is known of a host that does not serve every request.
type outage struct {
	missed int    // requests in a row
	last   string // what came of the last request
}

// record takes in what came of a request: a status, or an error.
func (f *fetcher) record(u *url.URL, status int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := cmp.Or(f.outages[hostOf(u)], &outage{})
	f.outages[hostOf(u)] = o
	switch {
	case o.missed >= maxUnserved: // it stays so, whatever was still under way
	case silent(err):
		o.missed, o.last = o.missed+1, err.Error()
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		o.missed, o.last = o.missed+1, fmt.Sprintf("status %d", status)
	default:
		o.missed = 0
	}
}

// unserved says that a host is asked no more, and why; nil where it is.
func (f *fetcher) unserved(u *url.URL) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if o := f.outages[hostOf(u)]; o != nil && o.missed >= maxUnserved {
		return fmt.Errorf("not requested: %d requests in a row were not served (%s)", maxUnserved, o.last)
	}
	return nil
}
