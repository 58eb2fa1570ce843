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

// maxSilence is how many requests in a row, each with its repetitions, a host may leave without an answer. Then it is asked
// no more: a thousand URLs that each wait for their time-outs would take a day.
const maxSilence = 10

// A listener knows which hosts have fallen silent.
type listener struct {
	mu    sync.Mutex
	hosts map[string]*silence
}

type silence struct {
	missed int
	last   string // what came of the last request
}

// hear takes in what came of a request.
func (l *listener) hear(u *url.URL, p *response, err error) {
	text := ""
	switch {
	case err != nil && silent(err):
		text = err.Error()
	case err == nil && (p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable):
		text = fmt.Sprintf("status %d", p.status)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	host := hostOf(u)
	s := l.hosts[host]
	switch {
	case s == nil:
		s = &silence{}
		l.hosts[host] = s
	case s.missed >= maxSilence: // it stays so, whatever was still under way
		return
	}
	if s.missed++; text == "" {
		s.missed = 0
	}
	s.last = text
}

// gone says that a host is asked no more, and why; nil where it is.
func (l *listener) gone(u *url.URL) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.hosts[hostOf(u)]; s != nil && s.missed >= maxSilence {
		return &fetchError{fmt.Sprintf("not asked: %d requests in a row were not served (%s)", maxSilence, s.last), errSilent}
	}
	return nil
}

var errSilent = errors.New("the host has fallen silent")

// silent reports whether a request failed because nobody answered, and not because of what was answered.
func silent(err error) bool {
	var op *net.OpError
	var timeout net.Error
	return errors.As(err, &op) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}
