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

// A run is one call of [Against], [Sitemaps] or [URLs], or what [Report.AskSecondHosts] asks by.
type run struct {
	options  *AskOptions
	fetcher  fetcher
	known    policy.Crawlers
	crawlers []string // those that every target is answered for
	explicit bool     // the options name crawlers: no others are answered for
	agents   []string // the crawlers whose names are in the user agent
	roots    []root
	servers  []*server     // each once, in the order of the bases
	policy   policy.Policy // combines what crawlers read
	pages    pageMap       // which target a URL is; what is below a home is named by its path
	// private: everything is noindex, and a header for all URLs may carry that (N7).
	private   bool
	aiFiles   []robotstxt.AIFile // those that are expected on a host
	report    Report
	keptBytes int // bytes of what answers say, in the results
	cutURLs   int // URLs whose results do not hold it
}

// newRun makes a run over roots, whose servers it sets. further are names of crawlers to be known
// too.
func newRun(o AskOptions, roots []root, further ...string) *run {
	o.Sender.UserAgent = cmp.Or(o.Sender.UserAgent, "metarobots")
	r := &run{options: &o, fetcher: fetcher{options: &o}, explicit: len(o.Crawlers) > 0}
	if o.Files.ReadsAI {
		r.aiFiles = robotstxt.AIFiles
	}
	r.setCrawlers(further)
	r.policy = policy.Policy{Crawlers: r.known, Now: time.Now()}
	r.report.Results = []seen.Answer{}
	r.report.Summary = Summary{Sample: o.Sampling.Most, Seed: o.Sampling.Seed, Errors: []Fault{}, Warnings: []string{},
		Notes: []string{}}
	r.setServers(roots)
	r.noteUnknownCrawlers(further)
	r.pages.addOwnBases(roots...)
	if o.Twin != nil {
		r.pages.addOwnBases(root{folder: "/", base: o.Twin})
	}
	return r
}

// setCrawlers sets by the options which crawlers are known, which are answered for, and whose names
// are sent. further are known too.
func (r *run) setCrawlers(further []string) {
	for _, name := range r.options.Crawlers {
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
	agent := strings.ToLower(r.options.Sender.userAgent())
	r.agents = slices.DeleteFunc(r.known.Names(), func(name string) bool { return !strings.Contains(agent, name) })
}

// noteUnknownCrawlers notes crawlers of the options that are in no table. One that the site itself
// names is none of them: decidedFor are those of its decisions, and its robots.txt may name others.
func (r *run) noteUnknownCrawlers(decidedFor []string) {
	named := slices.Clone(decidedFor)
	for _, root := range r.roots {
		if root.files.Robots != nil {
			named = append(named, root.files.Robots.Agents()...)
		}
	}
	for _, name := range r.options.Crawlers {
		lower := strings.ToLower(name)
		isKnown := policy.Everyone(lower) || policy.LookupCrawler(lower) != nil || slices.Contains(named, lower)
		if !isKnown {
			r.note("--crawler %s: no crawler of that name is known, so only statements for that name, or for all, "+
				"count; docs/crawlers.md has those that are known", name)
		}
	}
}

// setServers gives each root that is asked its server, one for all roots of a host, and the summary
// their bases.
func (r *run) setServers(roots []root) {
	r.roots = roots
	summary := &r.report.Summary
	for i := range roots {
		root := &roots[i]
		if root.base == nil {
			continue
		}
		summary.Bases = append(summary.Bases, root.base.String())
		isServer := func(s *server) bool { return sameHost(s.base, root.base) }
		if known := slices.IndexFunc(r.servers, isServer); known >= 0 {
			root.server = r.servers[known]
			continue
		}
		root.server = &server{base: root.base}
		r.servers = append(r.servers, root.server)
	}
	summary.Base = cmp.Or(summary.Bases...)
}

// start asks each host for robots.txt and the files about AI. It asks nothing if an option is
// wrong, and returns that error, or wrong, which is an error from before.
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

// askAll asks the targets, or a sample of them, and completes the report. failed is an error from
// before: then nothing is asked. It returns that error, the context's, or one about hosts that
// cannot be reached; the report is never nil.
func (r *run) askAll(ctx context.Context, targets []target, failed error) (*Report, error) {
	s := &r.report.Summary
	s.URLs = len(targets) + s.Passed // such as control files, error pages, and what no host serves
	chosen := sample(targets, r.options.Sampling)
	results := make([][]seen.Answer, len(chosen))
	if failed == nil {
		failed = cmp.Or(r.askEach(ctx, chosen, results), r.unreached())
		r.tryCrawlers(ctx, chosen, results)
		r.warnOfRefusals(chosen)
	}
	byServer := r.takeResults(chosen, results)
	for _, server := range r.servers {
		r.warnOfRobots(server)
		r.judgeHost(server, byServer[server])
	}
	r.reportHosts()
	if s.comparedNothing() && len(s.Errors) == 0 {
		r.fail("every URL leads elsewhere, so nothing is compared: verify where they lead", "")
	}
	if r.cutURLs > 0 {
		r.warn("%s compared, but without header lines and tags: what the site answers there takes more than %d MB",
			robotstag.Count(r.cutURLs, "URL is", "URLs are"), maxKept>>20)
	}
	s.Left = len(targets) - s.Asked - r.report.Refused
	s.Requests = r.fetcher.requests
	s.Interrupted = ctx.Err() != nil
	return &r.report, failed
}

// takeResults puts the results of targets into the report, counts them, and returns those of each
// server, target by target. A target without results was not asked to the end: the run was
// interrupted, or failed before, or the host refuses the crawler's name. It empties results, since
// a site may have many.
func (r *run) takeResults(targets []target, results [][]seen.Answer) map[*server][][]seen.Answer {
	number := 0
	for _, list := range results {
		number += len(list)
	}
	all := make([]seen.Answer, 0, number)
	byServer := map[*server][][]seen.Answer{}
	for i, list := range results {
		if list == nil {
			continue
		}
		results[i] = nil
		begin := len(all)
		all = append(all, list...)
		list = all[begin:]
		r.report.Summary.count(list)
		server := targets[i].root.server
		byServer[server] = append(byServer[server], list)
	}
	r.report.Results = all
	return byServer
}

// reportHosts puts into the report what the files beside the pages say.
func (r *run) reportHosts() {
	for _, root := range r.roots {
		if root.base != nil && root.server.down == nil {
			r.report.Hosts = append(r.report.Hosts, root.served())
		}
	}
	if len(r.servers) == 1 {
		r.report.Host, r.report.Shut = r.servers[0].files, r.servers[0].shut
	}
}

// judgeHost reports what is wrong with a host as a whole, by the results of each of its URLs.
func (r *run) judgeHost(s *server, results [][]seen.Answer) {
	if r.options.Sampling.IsFurther && s.gone == nil {
		return // what a further sample has in common, such as 404, says nothing of the site
	}
	isFound := func(list []seen.Answer) bool { return list[0].Status != http.StatusNotFound }
	if len(results) > 1 && !slices.ContainsFunc(results, isFound) {
		r.warn("every URL answers 404: is %s where the publish root is served?", s.base)
	}
	if s.gone != nil && s.down == nil {
		r.fail(fmt.Sprintf("%s: from some point on, its URLs were %v", s.base, s.gone), "")
	}
	if text := faultOfRedirects(s.base, results); text != "" {
		r.fail(text, "")
	}
	if text := faultOfHidden(s, results); text != "" && !r.options.AllowNoindex {
		r.fail(text, allowHint)
	}
}

// firstOfEach returns, for each URL that has results of a kind, the first of these.
func firstOfEach(results [][]seen.Answer, isOfKind func(seen.Answer) bool) (list []seen.Answer) {
	for _, ofURL := range results {
		if i := slices.IndexFunc(ofURL, isOfKind); i >= 0 {
			list = append(list, ofURL[i])
		}
	}
	return list
}

// askEach asks targets, several at a time, and sets the results of each. It returns the context's
// error: then the results of targets that were not asked, or not to the end, stay nil. So do those
// of targets that the edge refuses to the crawler whose name is borrowed.
func (r *run) askEach(ctx context.Context, targets []target, results [][]seen.Answer) error {
	var asking sync.WaitGroup
	// busy has an item for each target that is being asked.
	busy := make(chan bool, max(1, r.options.Concurrency))
	var mu sync.Mutex // guards done, and what all targets change in r
	done := 0
	for i := range targets {
		if busy <- true; ctx.Err() != nil {
			break
		}
		asking.Go(func() {
			defer func() { <-busy }()
			compared, refusal := r.askTarget(ctx, &targets[i])
			mu.Lock()
			defer mu.Unlock()
			if ctx.Err() != nil {
				return // what was cut off says nothing of the site
			}
			targets[i].refusal = refusal
			r.keepWithinLimit(compared)
			results[i] = compared
			if done++; r.options.Progress != nil {
				r.options.Progress(done, len(targets))
			}
		})
	}
	asking.Wait()
	return ctx.Err()
}

// askTarget asks a target, and returns the results of its crawlers. If the edge refuses it to the
// crawler whose name is borrowed, there are none, and refusal says how; empty if it does not.
func (r *run) askTarget(ctx context.Context, t *target) (compared []seen.Answer, refusal string) {
	a := r.ask(ctx, t)
	if refused, isRefused := errors.AsType[*refusedError](a.err); isRefused {
		return nil, refused.text
	}
	return r.compareAnswer(t, a), ""
}

// maxKept is how much the results of a run hold of what answers say, in bytes.
const maxKept = 64 << 20

// maxBrief is how much of a text they hold above that.
const maxBrief = 200

// keepWithinLimit counts what the results of a URL hold of its answer, and leaves that out if the
// run holds too much already.
func (r *run) keepWithinLimit(list []seen.Answer) {
	size := 0
	for i := range list {
		size += sizeOf(&list[i])
	}
	if small := maxBrief * len(list); size <= small || r.keptBytes+size <= maxKept {
		r.keptBytes += max(0, size-small)
		return
	}
	r.cutURLs++
	for i := range list {
		c := &list[i]
		c.Header, c.Meta, c.Others, c.Notes, c.Remarks.Faults = []string{}, []seen.Meta{}, nil, []string{}, nil
		c.Remarks.NamesLocation = c.Remarks.NamesLocation && len(c.Why) <= maxBrief
		c.Got, c.Why, c.Location, c.Canonical = brief(c.Got), brief(c.Why), brief(c.Location), brief(c.Canonical)
	}
}

// sizeOf is about how many bytes a result holds of its answer: the texts, with what Go needs for
// each.
func sizeOf(c *seen.Answer) int {
	const perText, perPair, perFault = 16, 40, 240
	size := len(c.Got) + len(c.Why) + len(c.Location) + len(c.Canonical)
	for _, text := range slices.Concat(c.Header, c.Notes) {
		size += perText + len(text)
	}
	for _, f := range c.Remarks.Faults {
		size += perFault + len(f.Message)
	}
	for _, header := range c.Others {
		size += perPair + len(header.Name) + len(header.Value)
	}
	for _, m := range c.Meta {
		size += perPair + len(m.Name) + len(m.Content)
	}
	return size
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

// faultOfRedirects is an error about a host whose URLs mostly lead elsewhere, so that it is
// probably not the intended site: more than half of them lead to a single page of the host, such as
// a login, out of the folder of the base, or off the host. It is empty otherwise, and if a single
// URL was asked. results has an item for each URL that was asked at the host, with the results of
// its crawlers: the URL counts if one of them is [seen.Redirected].
func faultOfRedirects(base *url.URL, results [][]seen.Answer) string {
	to := redirectsOf(base, results)
	areMost := func(list []seen.Answer) bool { return len(results) > 1 && 2*len(list) > len(results) }
	shareOf := func(list []seen.Answer) string { return countOf(len(list), len(results)) }
	for page, list := range to.page { // first, as a page says more than its folder; one has most
		if areMost(list) {
			return fmt.Sprintf("the site at %s redirects to one page: %s lead to %s: "+
				"if that is a login, let verify in (--user, --header)", base, shareOf(list), page)
		}
	}
	switch {
	case areMost(to.otherFolder):
		first := to.otherFolder[0]
		return fmt.Sprintf("the site at %s redirects away: %s lead out of that folder, %s to %s for one: "+
			"is the site served below %s?",
			base, shareOf(to.otherFolder), first.URL, first.Location, base.EscapedPath())
	case areMost(to.otherHost):
		first := to.otherHost[0]
		return fmt.Sprintf("the site at %s redirects away: %s lead to another host, %s to %s for one: "+
			"verify that host, or let verify in (--user, --header)",
			base, shareOf(to.otherHost), first.URL, first.Location)
	}
	return ""
}

// redirectTargets are the redirected URLs of a host, by where they lead. Each has one result.
type redirectTargets struct {
	otherHost   []seen.Answer
	otherFolder []seen.Answer            // of the same host, out of the folder of the base
	page        map[string][]seen.Answer // by page of the same host, in whatever folder
}

// redirectsOf sorts the URLs of a host that are [seen.Redirected] for one of their crawlers.
func redirectsOf(base *url.URL, results [][]seen.Answer) redirectTargets {
	targets := redirectTargets{page: map[string][]seen.Answer{}}
	isRedirected := func(a seen.Answer) bool { return a.Verdict == seen.Redirected }
	for _, redirected := range firstOfEach(results, isRedirected) {
		to, err := url.Parse(redirected.Location)
		if err != nil || !sameHost(to, base) { // a Location that cannot be read is not on the host
			targets.otherHost = append(targets.otherHost, redirected)
			continue
		}
		if !isBelow(base, to) {
			targets.otherFolder = append(targets.otherFolder, redirected)
		}
		to.RawQuery, to.ForceQuery = "", false // a login has there which page to go back to
		targets.page[to.String()] = append(targets.page[to.String()], redirected)
	}
	return targets
}

// faultOfHidden lists the pages of a host that should be in the index and are not, the home page
// first, as results are. It is empty for none, and leaves out those for which an error blames
// robots.txt already.
func faultOfHidden(s *server, results [][]seen.Answer) string {
	list := firstOfEach(results, func(c seen.Answer) bool {
		return c.Remarks.Hidden && !(s.isRobotsBlamed && c.Got == seen.Disallowed)
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
