package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
)

// maxUnserved is how many requests in a row, each with its repetitions, a host may leave without an answer. Then it is
// asked no more: a thousand URLs that each wait for their time-outs would take a day.
const maxUnserved = 10

// outages knows which hosts no longer serve requests.
type outages struct {
	mu    sync.Mutex
	hosts map[string]*outage
}

type outage struct {
	missed int    // requests in a row
	last   string // what came of the last request
}

// record takes in what came of a request.
func (o *outages) record(u *url.URL, p *response, err error) {
	text := ""
	switch {
	case err != nil && unanswered(err):
		text = err.Error()
	case err == nil && (p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable):
		text = fmt.Sprintf("status %d", p.status)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	host := hostOf(u)
	s := o.hosts[host]
	switch {
	case s == nil:
		s = &outage{}
		o.hosts[host] = s
	case s.missed >= maxUnserved: // it stays so, whatever was still under way
		return
	}
	if s.missed++; text == "" {
		s.missed = 0
	}
	s.last = text
}

// gone says that a host is asked no more, and why; nil where it is.
func (o *outages) gone(u *url.URL) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.hosts[hostOf(u)]; s != nil && s.missed >= maxUnserved {
		return &fetchError{fmt.Sprintf("not asked: %d requests in a row were not served (%s)", maxUnserved, s.last), errOutage}
	}
	return nil
}

var errOutage = errors.New("the host no longer serves requests")

// unanswered reports whether a request failed because nobody answered, and not because of what was answered.
func unanswered(err error) bool {
	var op *net.OpError
	var timeout net.Error
	return errors.As(err, &op) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}
