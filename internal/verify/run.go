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
	"time"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/printable"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// A run is one call of Against or Sitemaps.
type run struct {
	options  *AskOptions
	fetcher  fetcher
	known    policy.Crawlers
	crawlers []string // those always answered for
	explicit bool     // and no others
	agents   []string // the crawlers whose names are sent
	roots    []root
	servers  []*server     // each once, in the order of the bases
	policy   policy.Policy // combines what crawlers read
	pages    pageMap
	// private: everything is noindex, and a header for all URLs may carry that (N7).
	private bool
	aiFiles []robotstxt.AIFile // those that are expected on a host
	report  Report
	kept    int // bytes of what answers say, in the results
	cut     int // URLs of which results do not hold it
}

// newRun makes a run over roots, whose servers it sets. further are names of crawlers to be known too.
func newRun(o AskOptions, roots []root, further ...string) *run {
	o.UserAgent = cmp.Or(o.UserAgent, "metarobots")
	r := &run{options: &o, fetcher: fetcher{options: &o}, explicit: len(o.Crawlers) > 0, roots: roots}
	if o.Files.ReadsAI {
		r.aiFiles = robotstxt.AIFiles
	}
	for _, name := range o.Crawlers {
		if name = strings.ToLower(name); policy.Everyone(name) {
			name = Everyone
		} else {
			further = append(further, name)
		}
		r.crawlers = append(r.crawlers, name)
	}
	if !r.explicit {
		r.crawlers = []string{Everyone, "googlebot", "bingbot"}
	}
	r.crawlers, r.known = sorted(r.crawlers), policy.KnownCrawlers(further...)
	r.policy = policy.Policy{Crawlers: r.known, Now: time.Now()}
	agent := strings.ToLower(o.UserAgent)
	r.agents = slices.DeleteFunc(r.known.Names(), func(name string) bool { return !strings.Contains(agent, name) })
	r.report.Results = []seen.Answer{}
	summary := &r.report.Summary
	*summary = Summary{Sample: o.Sampling.Most, Seed: o.Sampling.Seed, Errors: []Fault{}, Warnings: []string{}, Notes: []string{}}
	for i, root := range roots {
		if root.base == nil {
			continue
		}
		summary.Bases = append(summary.Bases, root.base.String())
		known := slices.IndexFunc(r.servers, func(s *server) bool { return sameHost(s.base, root.base) })
		if known < 0 {
			known, r.servers = len(r.servers), append(r.servers, &server{base: root.base})
		}
		roots[i].server = r.servers[known]
	}
	summary.Base = cmp.Or(summary.Bases...)
	return r
}

// start asks each host for robots.txt, unless an option is wrong, or something else.
func (r *run) start(ctx context.Context, wrong error) error {
	err := cmp.Or(wrong, r.options.check())
	for _, s := range r.servers {
		if err == nil {
			err = r.readFiles(ctx, s)
		}
	}
	return err
}

// unreached returns an error for each host that cannot be reached.
func (r *run) unreached() error {
	var errs []error
	for _, s := range r.servers {
		if s.down != nil {
			errs = append(errs, fmt.Errorf("%w: %s: %v", ErrDown, s.base.Host, s.down))
		}
	}
	return errors.Join(errs...)
}

func (r *run) warn(format string, args ...any) { r.report.Summary.warn(format, args...) }

func (r *run) note(format string, args ...any) { r.report.Summary.note(format, args...) }

// fail says what is wrong with the site as a whole, and what to do, which may be empty.
func (r *run) fail(message, fix string) { r.report.Summary.fail(message, fix) }

// sorted puts everyone first, then names in order, each once.
func sorted(names []string) []string {
	key := func(name string) string { return strings.TrimPrefix(name, Everyone) } // "" goes before all
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	return slices.Compact(names)
}

// all asks the targets and makes the report. failed is an error from before: then nothing is asked.
func (r *run) all(ctx context.Context, targets []target, failed error) (*Report, error) {
	s := &r.report.Summary
	s.URLs = len(targets) + s.Passed
	chosen := sample(targets, r.options.Sampling)
	results := make([][]seen.Answer, len(chosen))
	if failed == nil {
		failed = cmp.Or(r.each(ctx, chosen, results), r.unreached())
		r.tryCrawlers(ctx, chosen, results)
	}
	of, n := map[*server][][]seen.Answer{}, 0
	for _, list := range results {
		n += len(list)
	}
	r.report.Results = make([]seen.Answer, 0, n)
	for i, list := range results {
		if list != nil {
			results[i] = nil // a site may have many
			n := len(r.report.Results)
			r.report.Results = append(r.report.Results, list...)
			list = r.report.Results[n:]
			s.count(list)
			server := chosen[i].root.server
			of[server] = append(of[server], list)
		}
	}
	for _, server := range r.servers {
		r.warnOfRobots(server)
		r.judge(server, of[server])
	}
	for _, root := range r.roots {
		if root.base != nil && root.server.down == nil {
			r.report.Hosts = append(r.report.Hosts, root.served())
		}
	}
	if len(r.servers) == 1 {
		r.report.Host, r.report.Shut = r.servers[0].files, r.servers[0].shut
	}
	if s.nothing() && len(s.Errors) == 0 {
		r.fail("every URL leads elsewhere, so nothing is compared: verify where they lead", "")
	}
	if r.cut > 0 {
		r.warn("%s compared, but without header lines and tags: what the site answers there takes more than %d MB",
			robotstag.Count(r.cut, "URL is", "URLs are"), maxKept>>20)
	}
	s.Left = len(targets) - s.Asked
	s.Requests = r.fetcher.requests
	s.Interrupted = ctx.Err() != nil
	return &r.report, failed
}

// judge says what is wrong with a host as a whole, by the results of each of its URLs.
func (r *run) judge(s *server, results [][]seen.Answer) {
	there := func(list []seen.Answer) bool { return list[0].Status != http.StatusNotFound }
	if len(results) > 1 && !slices.ContainsFunc(results, there) {
		r.warn("every URL answers 404: is %s where the publish root is served?", s.base)
	}
	if s.gone != nil && s.down == nil {
		r.fail(fmt.Sprintf("%s: from some point on, its URLs were %v", s.base, s.gone), "")
	}
	if text := elsewhere(s.base, results); text != "" {
		r.fail(text, "")
	}
	if text := hidden(s, results); text != "" && !r.options.AllowNoindex {
		r.fail(text, allowHint)
	}
}

// firsts are, of the URLs with results of a kind, the first of these.
func firsts(results [][]seen.Answer, is func(seen.Answer) bool) (list []seen.Answer) {
	for _, of := range results {
		if i := slices.IndexFunc(of, is); i >= 0 {
			list = append(list, of[i])
		}
	}
	return list
}

// each asks targets, several at a time.
func (r *run) each(ctx context.Context, targets []target, results [][]seen.Answer) error {
	var mu sync.Mutex
	var asking sync.WaitGroup
	done, free := 0, make(chan bool, max(1, r.options.Concurrency))
	for i := range targets {
		if free <- true; ctx.Err() != nil {
			break
		}
		asking.Go(func() {
			defer func() { <-free }()
			list := r.compareAnswer(&targets[i], r.ask(ctx, &targets[i]))
			mu.Lock()
			defer mu.Unlock()
			if ctx.Err() != nil {
				return // what was cut off says nothing of the site
			}
			r.keep(list)
			results[i] = list
			if done++; r.options.Progress != nil {
				r.options.Progress(done, len(targets))
			}
		})
	}
	asking.Wait()
	return ctx.Err()
}

// maxKept is how much the results of a run hold of what answers say, in bytes.
const maxKept = 64 << 20

// maxBrief is how much of a text they hold above that.
const maxBrief = 200

// keep takes in the results of a URL, and leaves out what they hold of the answer if that is too much.
func (r *run) keep(list []seen.Answer) {
	size := 0
	for i := range list {
		c := &list[i]
		size += len(c.Got) + len(c.Why) + len(c.Location)
		for _, text := range slices.Concat(c.Header, c.Notes) {
			size += 16 + len(text)
		}
		for _, header := range c.Others {
			size += 40 + len(header.Name) + len(header.Value)
		}
		for _, m := range c.Meta {
			size += 40 + len(m.Name) + len(m.Content)
		}
	}
	if small := maxBrief * len(list); size <= small || r.kept+size <= maxKept {
		r.kept += max(0, size-small)
		return
	}
	r.cut++
	for i := range list {
		c := &list[i]
		c.Header, c.Meta, c.Others, c.Notes = []string{}, []seen.Meta{}, nil, []string{}
		c.NamesLocation = c.NamesLocation && len(c.Why) <= maxBrief
		c.Got, c.Why, c.Location = brief(c.Got), brief(c.Why), brief(c.Location)
	}
}

// brief is the beginning of a text, up to a comma if it has any.
func brief(text string) string {
	if len(text) <= maxBrief {
		return text
	}
	begin := text[:maxBrief]
	if i := strings.LastIndexByte(begin, ','); i > 0 {
		begin = begin[:i]
	}
	return strings.Clone(begin)
}

// elsewhere says where a host's URLs lead if more than half of them lead off it, or to a single page of it, such as a
// login: then it is probably not the intended site. It is empty otherwise. results are those of each URL.
func elsewhere(base *url.URL, results [][]seen.Answer) string {
	leads := map[string][]seen.Answer{} // by page of the host, and "" for other hosts
	for _, c := range firsts(results, func(c seen.Answer) bool { return c.Verdict == seen.Redirected }) {
		page := ""
		if to, err := url.Parse(c.Location); err == nil && sameHost(to, base) {
			to.RawQuery, to.ForceQuery = "", false // which page to go back to, for one
			page = to.String()
		}
		leads[page] = append(leads[page], c)
	}
	for page, list := range leads {
		n := countOf(len(list), len(results))
		switch {
		case len(results) < 2 || 2*len(list) <= len(results):
		case page == "":
			return fmt.Sprintf("the site at %s redirects away: %s lead to another host, %s to %s for one: "+
				"verify that host, or let verify in (--user, --header)", base, n, list[0].URL, list[0].Location)
		default:
			return fmt.Sprintf("the site at %s redirects to one page: %s lead to %s: "+
				"if that is a login, let verify in (--user, --header)", base, n, page)
		}
	}
	return ""
}

// hidden lists the pages of a host that should be in the index and are not, the home page first, as results are. It is
// empty for none, and leaves out those for which an error blames robots.txt already.
func hidden(s *server, results [][]seen.Answer) string {
	list := firsts(results, func(c seen.Answer) bool {
		return c.Hidden && !(s.isRobotsBlamed && c.Got == seen.Disallowed)
	})
	if len(list) == 0 {
		return ""
	}
	var names []string
	for _, c := range list[:min(5, len(list))] {
		if c.URL == "/" {
			c.URL = "the home page /"
		}
		names = append(names, c.URL)
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s: %s should be indexed, but robots.txt, a header or a tag forbids it: %s (%s for %s: %s)",
		s.base, countOf(len(list), len(results)), printable.JoinAnd(names), list[0].URL, list[0].Crawler, list[0].Why)
}

// countOf prints how many URLs of all.
func countOf(n, all int) string {
	if all == 1 {
		return "1 URL"
	}
	if n == all {
		return fmt.Sprintf("all %d URLs", all)
	}
	return fmt.Sprintf("%d of %d URLs", n, all)
}
