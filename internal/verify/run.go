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

	"metarobots/internal/result"
	"metarobots/policy"
)

// A run is one call of Against or Sitemaps.
type run struct {
	fetcher
	known     policy.Crawlers
	crawlers  []string // those always answered for
	named     bool     // and no others
	asked     func(name []byte) bool
	agents    []string // the crawlers whose names are sent
	bases     []*url.URL
	robots    map[string]*robots          // by host; none where that is down
	down      map[string]error            // why a host cannot be reached
	policy    policy.Policy               // combines what crawlers read
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

// newRun checks the options and asks each host for robots.txt. further are names of crawlers to be known too.
func newRun(ctx context.Context, o Options, bases []*url.URL, further ...string) (*run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	o.UserAgent = cmp.Or(o.UserAgent, "metarobots")
	r := &run{named: len(o.Crawlers) > 0, bases: bases, robots: map[string]*robots{}, down: map[string]error{}}
	names := o.Crawlers
	if !r.named {
		names = DefaultCrawlers()
	}
	for _, name := range names {
		if name = strings.ToLower(name); policy.Everyone(name) {
			name = Everyone
		} else {
			further = append(further, name)
		}
		r.crawlers = append(r.crawlers, name)
	}
	r.crawlers = sorted(r.crawlers)
	r.known = policy.KnownCrawlers(further...)
	r.policy = policy.Policy{Crawlers: r.known, Now: o.Clock.Now()}
	r.asked = asks(r.known)
	for _, name := range r.known.Names() {
		if strings.Contains(strings.ToLower(o.UserAgent), name) {
			r.agents = append(r.agents, name)
		}
	}
	o.Transport = counted{o.Transport, &r.requests}
	r.fetcher = fetcher{&o, newPacer(o.Clock, o.Rate), &outages{hosts: map[string]*outage{}}}
	r.report.Results = []Result{}
	r.report.Summary = Summary{Sample: o.Sample, Seed: o.Seed, Base: bases[0].String(),
		Errors: []string{}, Warnings: []string{}, Notes: []string{}}
	for _, base := range bases {
		r.report.Summary.Bases = append(r.report.Summary.Bases, base.String())
	}
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
	key := func(name string) string { return strings.TrimPrefix(name, Everyone) } // "" goes before all
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	return slices.Compact(names)
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
	for i := 0; i < len(targets) && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	return ctx.Err()
}
