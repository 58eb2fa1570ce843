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

// record takes in what came of a request: a status, or an error.
func (o *outages) record(u *url.URL, status int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.hosts[hostOf(u)]
	if s == nil {
		s = &outage{}
		o.hosts[hostOf(u)] = s
	}
	switch {
	case s.missed >= maxUnserved: // it stays so, whatever was still under way
	case err != nil && unanswered(err):
		s.missed, s.last = s.missed+1, err.Error()
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		s.missed, s.last = s.missed+1, fmt.Sprintf("status %d", status)
	default:
		s.missed = 0
	}
}

// gone says that a host is asked no more, and why; nil where it is.
func (o *outages) gone(u *url.URL) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.hosts[hostOf(u)]
	if s == nil || s.missed < maxUnserved {
		return nil
	}
	text := fmt.Sprintf("not asked: %d requests in a row were not served (%s)", maxUnserved, s.last)
	return &fetchError{text, errOutage}
}

var errOutage = errors.New("the host no longer serves requests")

// unanswered reports whether a request failed because nobody answered, and not because of what was answered.
func unanswered(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || timedOut(err)
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}
