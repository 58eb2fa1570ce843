package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/policy"
)

// maxHops are the redirects that a crawler follows.
// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes
const maxHops = 10

// maxUnheard is how many requests by HEAD may wait in vain where GET is answered, before HEAD is asked no more: each
// waits for its time-out.
const maxUnheard = 3

// crawlersOf are those that a target is answered for, before its answer is known.
func (r *run) crawlersOf(t *target) []string {
	if r.named || t.decision == nil || len(t.decision.Crawlers) == 0 {
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
var errBanned = errors.New("robots.txt keeps the crawler that --user-agent names away, so it was not asked")

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
		if p, err = r.one(ctx, t, a); err == nil {
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

// one asks for the last URL of an answer's path: HEAD, and GET where that says too little, or anything but what was
// decided: no crawler sends HEAD, and servers answer it carelessly. The GET asks for the whole: with a Range some
// servers answer 206 and leave headers out, and no crawler sends that either. What is no HTML is not read behind its
// headers, so the whole costs no more.
func (r *run) one(ctx context.Context, t *target, a *answer) (*response, error) {
	u := a.final()
	var head *response
	var unheard error
	asked := r.unheard.Load() < maxUnheard
	if asked {
		head, unheard = r.get(ctx, http.MethodHead, u, nil)
	}
	heard := asked && unheard == nil
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case heard:
		r.unheard.Store(0)
		if r.headSuffices(t, a, head) {
			return head, nil
		}
	}
	page := func(p *response) int64 {
		if !p.redirects() && mayBeHTML(p.header.Get("Content-Type")) {
			return maxPage
		}
		return 0
	}
	p, err := r.get(ctx, http.MethodGet, u, page)
	if err != nil {
		return nil, err
	}
	switch {
	case !asked:
		a.note("HEAD is not answered, and no longer asked")
	case !heard:
		if a.note("HEAD is not answered"); silent(unheard) {
			r.unheard.Add(1)
		}
	case head.status != p.status:
		a.note("HEAD answers %d, GET %d", head.status, p.status)
	case !slices.Equal(head.tags(), p.tags()):
		a.note("HEAD says %s, GET %s", lines(head.tags()), lines(p.tags()))
	}
	return p, nil
}

// headSuffices reports whether an answer to HEAD says all that was decided, so that GET is not needed.
func (r *run) headSuffices(t *target, a *answer, head *response) bool {
	u := a.final()
	switch {
	case head.redirects():
		to, err := location(u, head.header)
		return err == nil && (t.leads() || sameHost(to, u) && samePage(to, u))
	case head.status/100 != 2, mayBeHTML(head.header.Get("Content-Type")), pageName(u):
		return false
	}
	results := r.judge(t, &answer{path: a.path, status: head.status, header: head.tags()})
	return !slices.ContainsFunc(results, func(res Result) bool { return res.Verdict.Bad() || res.Verdict == Stricter })
}

// lines prints X-Robots-Tag lines.
func lines(values []string) string {
	if len(values) == 0 {
		return "no " + robotsTag
	}
	return robotsTag + ": " + strings.Join(values, " | ")
}

// finish takes in the last answer.
func (a *answer) finish(p *response, known policy.Crawlers) {
	a.header = p.tags()
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
	if a.err != nil || !p.read || !isHTML(p.header.Get("Content-Type"), p.body) {
		return
	}
	if p.cut {
		a.note("only the first %d MB are read, as crawlers do", maxPage>>20)
	}
	a.page(p.body, p.header.Get("Content-Type"), known)
}
