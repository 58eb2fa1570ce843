package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"metarobots/emit/head"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// maxHops are the redirects that a crawler follows.
// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes
const maxHops = 10

// maxUnheard is how many requests by HEAD may wait in vain where GET is answered, before HEAD is asked no more: each
// waits for its time-out.
const maxUnheard = 3

// A target is one URL that is asked.
type target struct {
	name string // as results name it
	at   *url.URL
	// apart: the name does not tell where it is asked, as with one host among several.
	apart bool
	// decision is what was decided; nil where it is only to be indexable.
	decision *result.Decision
	// sort groups targets for a sample.
	sort string
}

// leads reports whether it was decided to be a redirect.
func (t *target) leads() bool {
	return t.decision != nil && t.decision.State() == result.Redirect
}

// A run is one call of Against or Sitemaps.
type run struct {
	fetcher
	known     policy.Crawlers
	crawlers  []string // those always answered for
	named     bool     // and no others
	asked     func(name []byte) bool
	agents    []string // the crawlers whose names are sent
	bases     []*url.URL
	robots    map[string]*robots // by host; none where that is down
	down      map[string]error   // why a host cannot be reached
	now       time.Time
	decisions map[string]*result.Decision // by place
	// private: everything is noindex, and a header for all URLs may carry that (N7).
	private  bool
	requests atomic.Int64
	unheard  atomic.Int64 // requests by HEAD in a row that nobody answered, while GET was
	report   Report
}

// A HostError says that the host cannot be reached at all.
type HostError struct {
	Host string
	Err  error
}

func (e *HostError) Error() string { return e.Host + ": " + e.Err.Error() }
func (e *HostError) Unwrap() error { return e.Err }

// newRun checks the options and asks each host for robots.txt. further are names of crawlers that the owner made known.
func newRun(ctx context.Context, o Options, bases []*url.URL, further ...string) (*run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.UserAgent == "" {
		o.UserAgent = "metarobots"
	}
	r := &run{now: o.Clock.Now(), named: len(o.Crawlers) > 0, crawlers: DefaultCrawlers(), bases: bases, robots: map[string]*robots{}, down: map[string]error{}}
	if r.named {
		r.crawlers = nil
		for _, name := range o.Crawlers {
			if name = strings.ToLower(name); policy.Everyone(name) {
				name = Everyone
			}
			r.crawlers = append(r.crawlers, name)
		}
	}
	r.crawlers = sorted(r.crawlers)
	for _, name := range r.crawlers {
		if name != Everyone {
			further = append(further, name)
		}
	}
	r.known = policy.KnownCrawlers(further...)
	r.asked = asks(r.known)
	for _, name := range r.known.Names() {
		if strings.Contains(strings.ToLower(o.UserAgent), name) {
			r.agents = append(r.agents, name)
		}
	}
	o.Transport = counted{o.Transport, &r.requests}
	r.fetcher = fetcher{&o, newPacer(o.Clock, o.Rate), &outages{hosts: map[string]*outage{}}}
	r.report = Report{Results: []Result{}, Summary: Summary{Sample: o.Sample, Seed: o.Seed, Bases: []string{}, Errors: []string{}, Warnings: []string{}, Notes: []string{}}}
	for _, base := range bases {
		r.report.Summary.Bases = append(r.report.Summary.Bases, base.String())
	}
	r.report.Summary.Base = r.report.Summary.Bases[0]
	for _, base := range r.hosts() {
		if err := r.greet(ctx, base); err != nil {
			return r, err
		}
	}
	return r, nil
}

// greet reads the robots.txt of a host, and learns whether it is there. The error is the context's, or of an address
// that is not to be asked.
func (r *run) greet(ctx context.Context, base *url.URL) error {
	host := hostOf(base)
	txt, err := r.fetchRobots(ctx, base)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		// It may be robots.txt alone that does not answer.
		if _, other := r.get(ctx, http.MethodGet, base, nil); other != nil {
			r.down[host] = other
			if errors.Is(other, ErrPrivate) {
				return &HostError{base.Host, other}
			}
			return ctx.Err()
		}
		txt = &robots{down: "robots.txt: " + err.Error()}
	case txt.note != "" && len(r.bases) > 1:
		r.warn("%s: %s", base.Host, txt.note)
	case txt.note != "":
		r.warn("%s", txt.note)
	}
	r.robots[host] = txt
	return nil
}

// hosts are the bases, of those on one host the first.
func (r *run) hosts() (list []*url.URL) {
	for _, base := range r.bases {
		if !slices.ContainsFunc(list, func(o *url.URL) bool { return sameHost(o, base) }) {
			list = append(list, base)
		}
	}
	return list
}

// unreached returns a [HostError] for each host that cannot be reached.
func (r *run) unreached() error {
	var errs []error
	for _, base := range r.hosts() {
		if err := r.down[hostOf(base)]; err != nil {
			errs = append(errs, &HostError{base.Host, err})
		}
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// counted counts requests.
type counted struct {
	http.RoundTripper
	n *atomic.Int64
}

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.RoundTripper.RoundTrip(r)
}

func (r *run) warn(format string, args ...any) {
	r.report.Summary.Warnings = append(r.report.Summary.Warnings, fmt.Sprintf(format, args...))
}

// sorted puts everyone first, then names in order, each once.
func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int {
		if (a == Everyone) != (b == Everyone) {
			if a == Everyone {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	return slices.Compact(names)
}

// Against asks every URL of a snapshot below o.Base, or at the hosts that the snapshot names. Control files and error
// pages are passed over: nothing was decided of them (L3, L6).
//
// The report is of what is known also where there is an error: a [HostError], or several joined, an [OptionError],
// [ErrNoHost], or the context's, after an interrupt.
func Against(ctx context.Context, s *snapshot.Snapshot, o Options) (*Report, error) {
	var further []string
	for i := range s.Entries {
		for _, name := range s.Entries[i].Decision.Names() {
			if policy.IsToken(name) && !slices.Contains(further, name) {
				further = append(further, name)
			}
		}
	}
	roots, note, err := roots(s, o.Base)
	if err != nil {
		return &Report{Results: []Result{}}, err
	}
	targets, decisions, passed, err := entries(s, roots)
	if err != nil {
		return &Report{Results: []Result{}}, &OptionError{err}
	}
	var bases []*url.URL
	for _, root := range roots {
		bases = append(bases, root.base)
	}
	r, err := newRun(ctx, o, bases, further...)
	if r == nil {
		return &Report{Results: []Result{}}, err
	}
	if note != "" {
		r.report.Summary.Notes = append(r.report.Summary.Notes, note)
	}
	r.decisions = decisions
	r.report.Summary.Environment, r.report.Summary.Passed = s.Environment, passed
	noindex, others := 0, 0
	for i := range s.Entries {
		switch s.Entries[i].Decision.State() {
		case result.Noindex:
			noindex++
		case result.Limited, result.Indexable:
			others++
		}
	}
	r.private = noindex > 0 && others == 0
	if env := s.Environment; r.private && env != "" && env != "production" {
		r.warn("the snapshot is of environment %s, in which nothing is to be indexed: it says nothing of a deployment to production", env)
	}
	return r.all(ctx, targets, err)
}

// entries are the targets of a snapshot, and what was decided at each place. Of several hosts of which some are asked
// only their URLs count.
func entries(s *snapshot.Snapshot, roots []root) (targets []target, decisions map[string]*result.Decision, passed int, err error) {
	decisions = make(map[string]*result.Decision, len(s.Entries))
	var errs []error
	for i := range s.Entries {
		e := &s.Entries[i]
		if u, err := url.Parse(e.URL); err != nil || !strings.HasPrefix(e.URL, "/") || u.Host != "" || u.RawQuery != "" || u.Fragment != "" {
			errs = append(errs, fmt.Errorf("the snapshot's %q is no path from the publish root", e.URL))
			continue
		}
		root, ok := rootOf(roots, e.URL)
		if !ok {
			if len(roots) > 1 { // otherwise it is the part of another host, which nobody wants to hear of
				passed++
			}
			continue
		}
		at, err := root.at(e.URL)
		if err != nil {
			errs = append(errs, fmt.Errorf("the snapshot's %q is no path below %s", e.URL, root.base))
			continue
		}
		switch e.Decision.State() {
		case result.Control, result.ErrorPage:
			passed++
			continue
		}
		decisions[place(at)] = &e.Decision
		targets = append(targets, target{e.URL, at, root.folder != "/", &e.Decision, stratum(e.Decision, e.URL)})
	}
	if len(errs) > 5 {
		errs = append(errs[:5], fmt.Errorf("and %d more", len(errs)-5))
	}
	return targets, decisions, passed, errors.Join(errs...)
}

// all asks the targets and makes the report. failed is an error from before: then nothing is asked.
func (r *run) all(ctx context.Context, targets []target, failed error) (*Report, error) {
	s := &r.report.Summary
	s.URLs = len(targets) + s.Passed
	chosen := sample(targets, r.Sample, r.Seed)
	results := make([][]Result, len(chosen))
	if failed == nil {
		failed = cmp.Or(r.each(ctx, chosen, results), r.unreached())
	}
	for _, list := range results {
		if list != nil {
			r.report.Results = append(r.report.Results, list...)
			s.count(list)
		}
	}
	for _, base := range r.hosts() {
		if gone(base, chosen, results) {
			r.warn("every URL answers 404: is %s where the publish root is served?", base)
		}
		if err := r.outages.gone(base); err != nil && r.down[hostOf(base)] == nil {
			s.Errors = append(s.Errors, fmt.Sprintf("%s: its URLs from some point on were %v", base, err))
		}
		if text := elsewhere(base, chosen, results); text != "" {
			s.Errors = append(s.Errors, text)
		}
	}
	if s.nothing() && len(s.Errors) == 0 {
		s.Errors = append(s.Errors, "every URL leads elsewhere, so nothing is compared: verify where they lead")
	}
	s.Left = len(targets) - s.Asked
	s.Requests = int(r.requests.Load())
	s.Interrupted = ctx.Err() != nil
	return &r.report, failed
}

// gone reports whether all URLs of a host, if they are several, answer 404.
func gone(base *url.URL, chosen []target, results [][]Result) bool {
	asked := 0
	for i, list := range results {
		if list == nil || !sameHost(chosen[i].at, base) {
			continue
		}
		if asked++; list[0].Status != http.StatusNotFound {
			return false
		}
	}
	return asked > 1
}

// each asks targets, several at a time.
func (r *run) each(ctx context.Context, targets []target, results [][]Result) error {
	var mu sync.Mutex
	done := 0
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(1, r.Concurrency) {
		workers.Go(func() {
			for i := range next {
				a := r.ask(ctx, &targets[i])
				if ctx.Err() != nil {
					continue // what was cut off says nothing of the site
				}
				results[i] = r.judge(&targets[i], a)
				if r.Progress != nil {
					mu.Lock()
					done++
					r.Progress(done, len(targets))
					mu.Unlock()
				}
			}
		})
	}
feed:
	for i := range targets {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
	return ctx.Err()
}

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
	if slices.ContainsFunc(r.agents, func(name string) bool { return r.robotsBan(name, u) != "" }) {
		return false
	}
	return slices.ContainsFunc(crawlers, func(name string) bool { return r.robotsBan(name, u) == "" })
}

// ask fetches a target as crawlers do.
func (r *run) ask(ctx context.Context, t *target) *answer {
	a := &answer{path: []*url.URL{t.at}, err: r.down[hostOf(t.at)]}
	if a.err != nil {
		return a
	}
	crawlers := r.crawlersOf(t)
	for {
		u := a.final()
		if !r.allowed(u, crawlers) {
			a.banned = true
			return a
		}
		p, err := r.one(ctx, t, u, a)
		if err != nil {
			a.err = err
			return a
		}
		a.status = p.status
		if !p.redirects() {
			a.finish(p, r.asked)
			return a
		}
		to, err := location(u, p.header)
		switch {
		case err != nil:
			a.err = err
		case !sameHost(to, t.at) || to.Scheme != "http" && to.Scheme != "https":
			a.away = to
		case slices.ContainsFunc(a.path, func(o *url.URL) bool { return o.String() == to.String() }):
			a.err = fmt.Errorf("its redirects go round in a circle, by %s", to)
		case len(a.path) > maxHops:
			a.err = fmt.Errorf("it leads on more than %d times", maxHops)
		default:
			a.path = append(a.path, to)
			continue
		}
		return a
	}
}

// one asks for one URL: HEAD, and GET where that says too little, or anything but what was decided: no crawler sends
// HEAD, and servers answer it carelessly. The GET asks for the whole: with a Range some servers answer 206 and leave
// headers out, and no crawler sends that either. What is no HTML is not read behind its headers, so the whole costs no
// more.
func (r *run) one(ctx context.Context, t *target, u *url.URL, a *answer) (*response, error) {
	var head *response
	var unheard error
	asked := r.unheard.Load() < maxUnheard
	if asked {
		if head, unheard = r.get(ctx, http.MethodHead, u, nil); unheard == nil {
			r.unheard.Store(0)
		}
	}
	switch {
	case head == nil:
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	case head.redirects():
		if to, err := location(u, head.header); err == nil && (t.leads() || sameHost(to, u) && samePage(to, u)) {
			return head, nil
		}
	case head.status/100 != 2:
	case mayBeHTML(head.header.Get("Content-Type")), pageName(u):
	default:
		headOnly := &answer{path: a.path, status: head.status, header: tags(head.header)}
		if !slices.ContainsFunc(r.judge(t, headOnly), func(res Result) bool { return res.Verdict.Bad() || res.Verdict == Stricter }) {
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
	if err == nil && p.status == http.StatusNotModified { // to a request without conditions
		a.note("answered 304 to a request without conditions")
		p, err = r.get(ctx, http.MethodGet, u, page, "Cache-Control", "no-cache")
	}
	if err != nil {
		return nil, err
	}
	if !asked {
		a.note("HEAD is not answered, and no longer asked")
	} else if head == nil {
		if a.note("HEAD is not answered"); unanswered(unheard) {
			r.unheard.Add(1)
		}
	} else if head.status != p.status {
		a.note("HEAD answers %d, GET %d", head.status, p.status)
	} else if h, g := tags(head.header), tags(p.header); !slices.Equal(h, g) {
		a.note("HEAD says %s, GET %s", lines(h), lines(g))
	}
	return p, nil
}

// lines prints X-Robots-Tag lines.
func lines(values []string) string {
	if len(values) == 0 {
		return "no " + robotsTag
	}
	return robotsTag + ": " + strings.Join(values, " | ")
}

// finish takes in the last answer.
func (a *answer) finish(p *response, asked func(name []byte) bool) {
	a.header = tags(p.header)
	switch {
	case p.status == http.StatusNoContent, p.status == http.StatusResetContent:
		a.err = fmt.Errorf("status %d: no content", p.status)
	case p.status == http.StatusPartialContent:
		a.note("answered 206, a part of it, to a request for all")
	case p.status == http.StatusNotModified:
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
	a.page(p.body, p.header.Get("Content-Type"), asked)
}

// judge compares an answer with what was decided, for each crawler.
func (r *run) judge(t *target, a *answer) []Result {
	header, page := a.headerStatements(r.known, whole), a.metaStatements(whole, true)
	p := policy.Policy{Crawlers: r.known, Now: r.now}
	sum := p.Resolve(slices.Concat(header, page))
	sure := p.Resolve(slices.Concat(a.headerStatements(r.known, documented), a.metaStatements(documented, false)))
	byHeader, byPage := p.Resolve(header), p.Resolve(page)

	crawlers := r.crawlersOf(t)
	if !r.named {
		crawlers = sorted(slices.Concat(crawlers, named(sum.Statements, r.known)))
	}
	lines, metas := a.shown()
	results := make([]Result, len(crawlers))
	for i, name := range crawlers {
		res := &results[i]
		*res = Result{URL: t.name, Crawler: name, Status: a.status, Header: lines, Meta: metas, Notes: slices.Clone(a.notes)}
		if len(a.path) > 1 || t.apart {
			res.Location = a.final().String()
		}
		if a.away != nil {
			res.Location = a.away.String()
		}
		got := reads(&sum, agent(name), r.known)
		if note := contradiction(&byHeader, &byPage, agent(name), r.known); note != "" {
			res.Notes = append(res.Notes, note)
		}
		r.verdict(res, t, a, &sum, got, reads(&sure, agent(name), r.known))
		if res.Notes == nil {
			res.Notes = []string{}
		}
	}
	return results
}

// agent is a crawler's name as policy knows it: none for everyone.
func agent(name string) string {
	if name == Everyone {
		return ""
	}
	return name
}

// verdict fills in what one crawler makes of an answer: got at most, and sure without a doubt.
func (r *run) verdict(res *Result, t *target, a *answer, sum *policy.Decision, got, sure policy.Directives) {
	name := agent(res.Crawler)
	decision := t.decision
	// What a sitemap lists should lie there itself.
	moved := len(a.path) > 1 && (decision == nil || !samePage(a.path[0], a.final()))
	if moved && t.decision != nil && t.decision.Role == "" {
		// Crawlers judge the page that it leads to.
		if other, ok := r.decisions[place(a.final())]; ok && other.Role == "" {
			decision = other
		}
	}
	var want policy.Directives
	redirect := decision != nil && result.State(decision.Role) == result.Redirect
	switch {
	case decision == nil:
		res.Want = "indexable"
	case redirect:
		res.Want = "redirect"
	default:
		p := policy.Policy{Crawlers: r.known, Now: r.now}
		d := p.Resolve(decided(decision))
		want = obeys(&d, name, r.known)
		res.Want = text(want)
	}
	set := func(v Verdict, got, why string) { res.Verdict, res.Got, res.Why = v, got, why }

	for i, u := range a.path {
		ban := r.robotsBan(res.Crawler, u)
		if ban == "" {
			continue
		}
		if i > 0 {
			ban = fmt.Sprintf("it leads to %s, and %s", u, ban)
		}
		if want.NoIndex() || r.robots[hostOf(u)].down != "" {
			why := ban
			if want.NoIndex() {
				why += "; so it never reads noindex"
			}
			set(Unreachable, "disallowed", why)
		} else {
			set(Stricter, "disallowed", ban)
		}
		res.Header, res.Meta, res.Notes = []string{}, []Meta{}, nil
		return
	}
	switch {
	case a.banned:
		set(Unreachable, "", "robots.txt keeps the crawler that --user-agent names away, so it was not asked")
	case a.err != nil:
		set(Unreachable, "", a.err.Error())
	case redirect:
		r.redirect(res, a, moved, got, sum)
	case a.away != nil && a.refresh != "":
		set(Redirected, "redirect", a.refresh+" leads to "+res.Location)
	case a.away != nil:
		set(Redirected, "redirect", "it leads to another host: "+res.Location)
	case moved:
		set(Redirected, text(got), "it leads to "+res.Location)
	case decision == nil:
		r.listed(res, got, sum)
	default:
		v := compare(got, want)
		set(v, text(got), "")
		switch v {
		case Looser:
			res.Why = loose(got, want, sum, name, r.known)
		case Stricter:
			res.Why = strict(got, want, sum, name, r.known)
		}
		if v != Looser && !covers(sure, want) {
			v = Looser
			doubt := "not as documented, with commas alone between words, so that crawlers may not read it: "
			if slices.ContainsFunc(a.metas, func(m Meta) bool { return m.deep }) {
				doubt = fmt.Sprintf("not within the first %d MB, behind which Googlebot reads nothing: ", maxSearch>>20)
			}
			set(v, text(got), doubt+loose(sure, want, sum, name, r.known))
		}
		if v == Looser && a.status == http.StatusNotModified {
			set(Unreachable, text(got), "status 304 to a request without conditions: the page is never sent")
		}
	}
}

// robotsBan is ban of the host's robots.txt, of which nothing is known where the host cannot be reached.
func (r *run) robotsBan(crawler string, u *url.URL) string {
	if robots := r.robots[hostOf(u)]; robots != nil {
		return robots.ban(crawler, u)
	}
	return ""
}

// redirect judges what was decided to be a redirect (L4).
func (r *run) redirect(res *Result, a *answer, moved bool, got policy.Directives, sum *policy.Decision) {
	leads := a.away != nil || moved
	if !leads {
		res.Verdict, res.Got, res.Why = Looser, text(got), "it sends nobody on: the page stands for itself"
		return
	}
	res.Verdict, res.Got = Match, "redirect"
	if a.refresh != "" && got.NoIndex() && !r.private {
		res.Notes = append(res.Notes, strict(got, policy.Directives{}, sum, agent(res.Crawler), r.known)+" on a page that sends readers on: its target may be dropped from the index")
	}
}

// listed judges a URL of a sitemap: it asks to be indexed.
func (r *run) listed(res *Result, got policy.Directives, sum *policy.Decision) {
	res.Verdict, res.Got = Match, text(got)
	if got.NoIndex() {
		res.Verdict = Stricter
		res.Why = strict(got.On(policy.AxisIndex), policy.Directives{}, sum, agent(res.Crawler), r.known) + ", and a sitemap lists it"
	}
}
