package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// refused are the statuses by which an edge keeps a client out.
var refused = []int{http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotAcceptable,
	http.StatusTooManyRequests, http.StatusServiceUnavailable}

// refusalOf says how an edge refuses a client that calls itself by a name: "refuses a client that
// calls itself GPTBot (403)". It is empty if the edge answers, or if the fault cannot come of the
// name. p and err are those of [fetcher.sendOnce].
func refusalOf(name string, p *response, err error) string {
	client := "a client that calls itself " + name
	fault, isExplained := errors.AsType[*fetchError](err)
	switch {
	case isOfConnecting(err):
		return ""
	case isTimeout(err):
		return "gives " + fault.text + " to " + client
	case isExplained && !fault.isLasting:
		return "gives no answer to " + client + " (" + fault.text + ")"
	case err != nil:
		return ""
	case slices.Contains(refused, p.status):
		return fmt.Sprintf("refuses %s (%d)", client, p.status)
	case isChallenge(p.header):
		return fmt.Sprintf("refuses %s (%d, %s: challenge)", client, p.status, mitigated)
	}
	return ""
}

// isTimeout reports whether a request failed because no answer came in time.
func isTimeout(err error) bool {
	fault, isExplained := errors.AsType[*fetchError](err)
	return isExplained && fault.hasTimedOut
}

// isOfConnecting reports whether a request failed before it was sent, so that no server knew the
// client's name.
func isOfConnecting(err error) bool {
	operation, isOperation := errors.AsType[*net.OpError](err)
	return isOperation && operation.Op == "dial"
}

// mitigated is the header by which Cloudflare says that an answer is a challenge, whatever its
// status is.
// https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
const mitigated = "cf-mitigated"

func isChallenge(header http.Header) bool {
	return strings.EqualFold(header.Get(mitigated), "challenge")
}

// sendAs sends one request under a user agent of its own. The error may be that of a server that
// was given up.
func (f *fetcher) sendAs(ctx context.Context, s *server, at *url.URL, userAgent string,
	limit bodyLimit) (*response, error) {
	if err := f.waitForTurn(ctx, s); err != nil {
		return nil, err
	}
	options := *f.options
	options.Sender = Sender{UserAgent: userAgent}
	return (&fetcher{options: &options}).sendOnce(ctx, at, limit)
}

// A refusedError says that an edge refuses a request to the crawler whose name [Sender] borrows,
// and answers it under our own name.
type refusedError struct {
	text string    // as of refusalOf
	own  *response // nil if our own name was not tried, because the server had refused enough
}

func (e *refusedError) Error() string { return "the edge " + e.text }

// A refusals is what a server refuses to the crawler whose name is borrowed.
type refusals struct {
	inARow int      // how many requests since the last that was not refused
	text   string   // how it refused the last one; empty if it refused none
	file   *url.URL // the first file beside the pages that it refused; nil for none
}

// areEnough reports whether so many requests were refused in a row that no others are worth their
// time.
func (r *refusals) areEnough() bool { return r.inARow >= maxUnserved }

// getUnlessRefused is [fetcher.getRepeatedly] for a borrowed name. If the server refuses that name
// what our own gets, the error is a [*refusedError].
func (f *fetcher) getUnlessRefused(ctx context.Context, s *server, u *url.URL, limit bodyLimit) (*response, error) {
	if known := f.refusalsOf(s); known.areEnough() {
		return nil, &refusedError{text: known.text}
	}
	p, err := f.getRepeatedly(ctx, s, u, limit)
	text := refusalOf(f.options.Sender.Borrowed, p, err)
	if text == "" || ctx.Err() != nil {
		if err == nil {
			f.setRefusals(s, func(r *refusals) { r.inARow = 0 })
		}
		return p, err
	}
	own, failed := f.sendAs(ctx, s, u, f.options.Sender.UserAgent, limit)
	if failed != nil || own.status >= 500 || refusalOf(f.options.Sender.UserAgent, own, nil) != "" {
		return p, err // the name makes no difference
	}
	f.setRefusals(s, func(r *refusals) { r.inARow, r.text = r.inARow+1, text })
	return nil, &refusedError{text, own}
}

// getForAnyName is [fetcher.get] of a file that says the same to all. If the server refuses the
// crawler whose name is borrowed, the answer is the one that our own name gets.
func (f *fetcher) getForAnyName(ctx context.Context, s *server, u *url.URL, limit bodyLimit) (*response, error) {
	p, err := f.get(ctx, s, u, limit)
	refusal, isRefused := errors.AsType[*refusedError](err)
	if !isRefused {
		return p, err
	}
	f.setRefusals(s, func(r *refusals) { r.file = cmp.Or(r.file, u) })
	if refusal.own == nil {
		return f.sendAs(ctx, s, u, f.options.Sender.UserAgent, limit)
	}
	return refusal.own, nil
}

// refusalsOf is a copy of what a server refused so far.
func (f *fetcher) refusalsOf(s *server) refusals {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.refusals
}

// setRefusals changes what is known of a server that has just answered under one name or another.
func (f *fetcher) setRefusals(s *server, change func(*refusals)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.missed = 0
	change(&s.refusals)
}

// warnOfRefusals warns of servers that refuse the crawler whose name is borrowed, and counts the
// targets that are not verified for it. That is no error: an edge may know real crawlers by their
// addresses.
func (r *run) warnOfRefusals(targets []target) {
	for _, s := range r.servers {
		isRefused := func(t target) bool { return t.root.server == s && t.refusal != "" }
		first := slices.IndexFunc(targets, isRefused)
		if first < 0 {
			if file := s.refusals.file; file != nil {
				r.warn("%s: the edge %s; what it answers to another name counts here", file, s.refusals.text)
			}
			continue
		}
		n := 0
		for i := range targets {
			if isRefused(targets[i]) {
				n++
			}
		}
		r.report.Refused += n
		r.warn("%s: the edge %s, and robots.txt lets it in: %s not verified for it",
			targets[first].at, targets[first].refusal, robotstag.Count(n, "URL is", "URLs are"))
	}
}
