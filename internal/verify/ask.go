package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"metarobots/emit/head"
	"metarobots/policy"
)

// maxHops are the redirects that a crawler follows.
// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes
const maxHops = 10

// crawlersOf are those that a target is answered for, before its answer is known.
func (r *run) crawlersOf(t *target) []string {
	if r.explicit || t.decision == nil || len(t.decision.Crawlers) == 0 {
		return r.crawlers
	}
	return sorted(append(slices.Clone(r.crawlers), t.decision.Names()...))
}

// allowed reports whether a URL may be asked for: one of the crawlers in question may fetch it, and so may the one
// whose name is sent, if any.
func (r *run) allowed(u *url.URL, crawlers []string) bool {
	if slices.ContainsFunc(r.agents, func(name string) bool { return r.ban(name, u) != "" }) {
		return false
	}
	return slices.ContainsFunc(crawlers, func(name string) bool { return r.ban(name, u) == "" })
}

// errBanned says that no crawler in question may go where a redirect leads, or to the URL itself.
var errBanned = errors.New("robots.txt blocks the crawler that --user-agent names, so it was not requested")

// ask fetches a target as crawlers do.
func (r *run) ask(ctx context.Context, t *target) *answer {
	a := &answer{path: []*url.URL{t.at}, err: r.servers[hostOf(t.at)].down}
	if a.err != nil {
		return a
	}
	crawlers := r.crawlersOf(t)
	p, err := follow(t.at, maxHops, func(path []*url.URL) (p *response, err error) {
		if a.path = path; !r.allowed(a.final(), crawlers) {
			return nil, errBanned
		}
		if p, err = r.fetcher.get(ctx, a.final(), wanted); err == nil {
			a.status = p.status
		}
		return p, err
	})
	var away *awayError
	switch {
	case errors.As(err, &away):
		a.away = away.to
	case err != nil:
		a.err = err
	default:
		a.finish(p, r.known)
	}
	return a
}

// wanted is how much of an answer's body is read: of what is no HTML the header says all.
func wanted(p *response) int64 {
	if !p.redirects() && mayBeHTML(p.header.Get("Content-Type")) {
		return maxPage
	}
	return 0
}

// finish takes in the last answer.
func (a *answer) finish(p *response, known policy.Crawlers) {
	a.header, a.others = p.tags(), p.header
	switch {
	case p.status == http.StatusNoContent, p.status == http.StatusResetContent:
		a.err = fmt.Errorf("status %d: no content", p.status)
	case p.status == http.StatusPartialContent:
		a.note("answered 206, a part of it, to a request for all")
	case p.status == http.StatusNotModified:
		a.note("answered 304 to a request without conditions")
	case p.status == http.StatusUnauthorized:
		a.err = errors.New("status 401: it asks for a user and a password (--user)")
	case p.status/100 != 2:
		a.err = fmt.Errorf("status %d", p.status)
	}
	if a.err == nil {
		if r, ok := head.ParseRefresh([]byte(p.header.Get("Refresh"))); ok {
			a.sendsOn("a Refresh header", r)
		}
	}
	if a.err != nil || !isHTML(p.header.Get("Content-Type"), p.body) {
		return
	}
	if p.cut {
		a.note("only the first %d MB are read, as crawlers do", maxPage>>20)
	}
	a.page(p.body, p.header.Get("Content-Type"), known)
}
