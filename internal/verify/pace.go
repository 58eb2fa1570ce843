package verify

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A pacer lets requests start one after another, with a gap between them.
type pacer struct {
	clock Clock
	gap   time.Duration

	mu   sync.Mutex
	next time.Time // when the next request may start
}

func newPacer(clock Clock, rate float64) *pacer {
	p := &pacer{clock: clock}
	if rate > 0 {
		p.gap = time.Duration(float64(time.Second) / rate)
	}
	return p
}

// wait returns when a request may start.
func (p *pacer) wait(ctx context.Context) error {
	p.mu.Lock()
	now := p.clock.Now()
	at := now
	if p.next.After(now) {
		at = p.next
	}
	p.next = at.Add(p.gap)
	p.mu.Unlock()
	if at.After(now) {
		return p.clock.Sleep(ctx, at.Sub(now))
	}
	return ctx.Err()
}

// hold lets no request start for a while.
func (p *pacer) hold(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.clock.Now().Add(d); at.After(p.next) {
		p.next = at
	}
}

// Between two tries of a request.
const (
	firstBackoff = time.Second
	maxBackoff   = time.Minute // Retry-After is obeyed up to it
)

// backoff is how long to wait after a try, the first being 0: twice as long each time, and as long as Retry-After asks.
func backoff(try int, header http.Header, now time.Time) time.Duration {
	wait := maxBackoff
	if try < 6 {
		wait = min(wait, firstBackoff<<try)
	}
	return min(max(wait, retryAfter(header.Get("Retry-After"), now)), maxBackoff)
}

// retryAfter reads seconds or a date; 0 for what is neither.
// https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
