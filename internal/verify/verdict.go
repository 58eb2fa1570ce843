package verify

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A reading is what one crawler makes of an answer.
type reading struct {
	got  policy.Directives  // all that the answer states for it, at its strictest
	sure policy.Directives  // what of it is stated as documented
	by   []policy.Statement // all that the answer states for it
	// ignoresPastDate: the crawler does not document unavailable_after, and such a date has passed.
	ignoresPastDate bool
}

// compareAnswer compares an answer with what was decided, for each crawler.
//
// A date of unavailable_after counts for the crawlers whose operator documents it, and for everyone, as it was decided.
// Bing, Yandex and others list what they read, and it is not in those lists.
//
//   - https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
//   - https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240
//   - https://yandex.com/support/webmaster/controlling-robot/meta-robots.html
func (r *run) compareAnswer(t *target, a *answer) (results []seen.Answer) {
	said := r.statementsOf(a)
	var named []string
	for _, s := range said.all {
		if _, ok := r.known.Lookup(s.Crawler); ok {
			named = append(named, s.Crawler)
		}
	}
	lacking := a.lacks(t.headers)
	for i, name := range r.crawlersOf(t, named...) {
		missing := lacking
		if i == 0 { // what files deny to AI is reported once for a URL
			missing = cmp.Or(missing, t.undenied())
		}
		results = append(results, r.compareFor(name, t, a, said, missing))
	}
	return results
}

// compareFor compares an answer with what was decided, for one crawler. missing is what else the answer has not.
func (r *run) compareFor(name string, t *target, a *answer, said *said, missing string) seen.Answer {
	c, _ := r.known.Lookup(name) // everyone is no crawler, and reads what no crawler's name precedes
	res := seen.Answer{URL: t.name, Crawler: name, Status: a.status, Header: append([]string{}, a.tags()...),
		Meta: append([]seen.Meta{}, a.metas...), Others: snapshot.DeployedHeaders(a.header),
		Notes: append([]string{}, a.notes...)}
	if len(a.path) > 1 || t.root.folder != "/" || t.address != t.name {
		res.Location = a.final().String()
	}
	if a.away != nil {
		res.Location = a.away.String()
	}
	res.ReadsLocation = len(a.path) > 1 && a.away == nil && a.err == nil
	knowsDates := name == Everyone || c.Operator == "Google"
	read := said.readBy(c, knowsDates)
	if note := said.contradiction(c, knowsDates); note != "" {
		res.Notes = append(res.Notes, note)
	}
	res.Verdict, res.Got, res.Why = r.verdict(&res, t, a, read, c)
	if missing != "" && (res.Verdict == seen.Match || res.Verdict == seen.Stricter) {
		res.Verdict, res.Why, res.NamesLocation = seen.Looser, missing, false
	}
	if t.isRewrite() && res.Verdict != seen.Match {
		res.Why = "served by a rewrite: " + res.Why
	}
	return res
}

// said is what an answer states for all crawlers.
type said struct {
	header, page, all []policy.Statement
	documented        []policy.Statement // as far as engines document to read it
	policy            policy.Policy      // combines statements
	hasPastDate       bool
}

// statementsOf reads what an answer states.
func (r *run) statementsOf(a *answer) *said {
	said := &said{policy: r.policy}
	said.header, said.page = a.statements(r.known, policy.Found)
	said.all = slices.Concat(said.header, said.page)
	said.documented = slices.Concat(a.statements(r.known, policy.Documented))
	said.hasPastDate = len(said.resolve(said.all, true).Expired) > 0
	return said
}

// resolve combines statements. Without knowsDates past dates do not count.
func (s *said) resolve(list []policy.Statement, knowsDates bool) policy.Decision {
	p := s.policy
	if !knowsDates {
		p.Now = time.Time{}
	}
	return p.Resolve(slices.Clone(list)) // which changes the list
}

// readBy is what a crawler makes of it.
func (s *said) readBy(c *policy.Crawler, knowsDates bool) *reading {
	read := &reading{ignoresPastDate: !knowsDates && s.hasPastDate}
	read.got, read.by = obeyed(s.resolve(s.all, knowsDates), c)
	read.sure, _ = obeyed(s.resolve(s.documented, knowsDates), c)
	return read
}

// contradiction lists the axes on which header and page differ for a crawler. It is empty if there are none.
func (s *said) contradiction(c *policy.Crawler, knowsDates bool) string {
	return contradiction(s.resolve(s.header, knowsDates), s.resolve(s.page, knowsDates), c)
}

// wanted is what was decided for a crawler, and how that is printed.
func (r *run) wanted(d *seen.Told, c *policy.Crawler) (want policy.Directives, printed string) {
	switch {
	case d == nil: // a URL of a sitemap asks to be indexed
		return want, "indexable"
	case d.State() == seen.Redirect:
		return want, "redirect"
	}
	stated := d.For(c.Name).Directives
	resolved := r.policy.Resolve([]policy.Statement{{Directives: stated}}) // a past date counts as noindex (L7)
	return resolved.Generic, text(resolved.Generic)
}

// decisionFor is what was decided on the page that answers for a target; hasMoved reports whether that is another page.
// Crawlers go by the decision on the page to which a URL leads. What a sitemap lists should be at that URL itself.
func (r *run) decisionFor(t *target, a *answer) (decision *seen.Told, hasMoved bool) {
	decision = t.decision
	hasMoved = len(a.path) > 1 && (decision == nil || !r.pages.same(a.path[0], a.final()))
	if hasMoved && decision != nil && decision.Role == "" {
		if other, ok := r.pages.decision(a.final()); ok && other.Role == "" {
			decision = other
		}
	}
	return decision, hasMoved
}

// verdict says what one crawler makes of an answer, and why. It fills in what was wanted, and whether what is read
// keeps the page out of an index.
func (r *run) verdict(res *seen.Answer, t *target, a *answer, read *reading, c *policy.Crawler) (v seen.Verdict,
	got, why string) {
	decision, hasMoved := r.decisionFor(t, a)
	if t.isNotIndexable {
		return r.verdictOnNotIndexable(res, t, a, read, hasMoved)
	}
	var want policy.Directives
	want, res.Want = r.wanted(decision, c)
	isRedirect := decision != nil && decision.State() == seen.Redirect
	isForSearch := (decision == nil || snapshot.IsPage(t.name)) && !isRedirect && !t.isRewrite() &&
		slices.Contains(r.crawlers, res.Crawler)
	if v, why := t.root.server.forbidden(res, t, a, want); v != "" { // it reads nothing there
		res.Header, res.Meta, res.Notes = []string{}, []seen.Meta{}, []string{}
		res.Hidden = isForSearch && v == seen.Stricter
		return v, seen.Disallowed, why
	}
	got = text(read.got)
	switch {
	case a.err != nil:
		v, got, why = seen.Unreachable, "", a.err.Error()
		loop, isLoop := errors.AsType[*loopError](a.err)
		res.NamesLocation = isLoop && loop.through.String() == res.Location
	case isRedirect && !hasMoved && a.away == nil:
		v, why = seen.Looser, "it does not redirect: the page itself is served"
	case isRedirect: // as was decided (L4)
		v, got = seen.Match, "redirect"
		if a.away != nil && read.got.NoIndex() && !r.private {
			res.Notes = append(res.Notes, read.stricter(read.got, policy.Directives{})+" on a page that sends "+
				"readers on: its target may be dropped from the index")
		}
	case a.away != nil:
		v, got, why, res.NamesLocation = seen.Redirected, "redirect", a.leads+res.Location, true
	case hasMoved:
		v, why, res.NamesLocation = seen.Redirected, "it leads to "+res.Location, true
	case decision == nil && read.got.NoIndex():
		v, why = seen.Stricter, read.stricter(read.got.On(policy.AxisIndex), want)+", and it is to be indexed"
	case decision == nil:
		v = seen.Match
	default:
		v, why = read.compare(a, want, c)
	}
	isShutOut := isForSearch && read.got.NoIndex() && !want.NoIndex()
	res.Hidden = isShutOut && (v == seen.Stricter || v == seen.Redirected && a.away == nil)
	return v, got, why
}

// verdictOnNotIndexable is the verdict on a URL that a list calls not indexable, whatever keeps it out of the index.
func (r *run) verdictOnNotIndexable(res *seen.Answer, t *target, a *answer, read *reading, hasMoved bool) (v seen.Verdict,
	got, why string) {
	res.Want = "not indexable"
	isGone := a.status/100 == 4 && a.status != http.StatusTooManyRequests
	isBanned, _ := t.root.server.forbidden(res, t, a, policy.Directives{})
	switch {
	case isBanned == seen.Stricter:
		return seen.Match, seen.Disallowed, ""
	case a.err != nil && isGone:
		return seen.Match, "", a.err.Error()
	case a.err != nil:
		return seen.Unreachable, "", a.err.Error()
	case a.away != nil, hasMoved:
		return seen.Match, "redirect", ""
	case read.got.NoIndex():
		return seen.Match, text(read.got), ""
	case a.canonical != nil:
		return seen.Match, text(read.got), "its canonical link names " + a.canonical.String()
	}
	return seen.Looser, text(read.got), "the list calls it not indexable, and nothing keeps it out of the index"
}

// compare compares with what was wanted of a page that answered at its own URL.
func (r *reading) compare(a *answer, want policy.Directives, c *policy.Crawler) (v seen.Verdict, why string) {
	v = seen.Compare(r.got, want)
	switch {
	case v == seen.Looser:
		why = r.looser(r.got, want)
		if r.ignoresPastDate {
			why += ". A date has passed, but " + c.Name + " does not document unavailable_after: " +
				"a new build says noindex"
		}
	case !r.sure.Covers(want):
		v = seen.Looser
		why = "not as documented, with only commas between words, so crawlers may not read it: "
		if a.near < len(a.metas) {
			why = fmt.Sprintf("not within the first %d MB, beyond which Googlebot reads nothing: ", maxSearch>>20)
		}
		why += r.looser(r.sure, want)
	case v == seen.Stricter:
		why = r.stricter(r.got, want)
	}
	return v, why
}

// looser says what is missing, and what was read instead.
func (r *reading) looser(got, want policy.Directives) string {
	said := cmp.Or(places(r.by), "neither header nor tag says anything")
	return fmt.Sprintf("%s missing; %s", strings.Join(missing(got, want), ", "), said)
}

// stricter says what was not decided, and where it was read.
func (r *reading) stricter(got, want policy.Directives) string {
	decided := func(s policy.Statement) bool { return len(missing(want, s.Directives)) == 0 }
	by := slices.DeleteFunc(slices.Clone(r.by), decided)
	return strings.Join(missing(want, got), ", ") + " by " + places(by)
}

// addNew appends an item unless the list has it.
func addNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// text prints directives; "all" if there are none.
func text(d policy.Directives) string { return cmp.Or(d.String(), "all") }

// obeyed combines what a crawler reads, and returns the statements: by the sum, except for crawlers that obey the
// permissive one of two statements (A5). Two words in one text are one statement, in which the stricter has won
// already.
func obeyed(d policy.Decision, c *policy.Crawler) (sum policy.Directives, by []policy.Statement) {
	sum = d.Obeyed(c)
	for _, s := range d.Statements {
		if !s.Concerns(c) {
			continue
		}
		by = append(by, s)
		for _, axis := range []policy.Axis{policy.AxisIndex, policy.AxisFollow} {
			if on := s.Directives.On(axis); c.AllowWins && !on.IsZero() && !on.Restricts() {
				sum = sum.With(on, axis)
			}
		}
	}
	return sum, by
}

// missing lists the words of want that got does not have.
func missing(got, want policy.Directives) (texts []string) {
	wanted := want.Effect()
	for _, w := range wanted.Words(policy.Style{KeepRedundant: true}) {
		if on := wanted.On(w.Axis); !w.Implied && on.Restricts() && !got.Covers(on) {
			texts = addNew(texts, w.Text)
		}
	}
	return texts
}

// places lists where statements were read, each once.
func places(statements []policy.Statement) string {
	var keys []string
	for _, s := range statements {
		keys = addNew(keys, s.Origin.Key)
	}
	return strings.Join(keys, "; ")
}

// contradiction lists the axes on which header and page differ for a crawler. It is empty if there are none.
func contradiction(header, page policy.Decision, c *policy.Crawler) string {
	h, p := header.Obeyed(c), page.Obeyed(c)
	// What noindex makes void is no contradiction: see Implied.
	if h.IsZero() || p.IsZero() || seen.Compare(h, p) == seen.Match {
		return ""
	}
	var parts []string
	for _, w := range h.Words(policy.Style{KeepRedundant: true}) {
		if x, y := h.On(w.Axis), p.On(w.Axis); !w.Implied && !x.IsZero() && !y.IsZero() && x != y {
			parts = addNew(parts, fmt.Sprintf("the header says %s, the page %s", policy.Statement{Directives: x}.States(),
				policy.Statement{Directives: y}.States()))
		}
	}
	return strings.Join(parts, "; ")
}
