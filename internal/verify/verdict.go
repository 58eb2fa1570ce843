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
// A date of unavailable_after counts for the crawlers whose operator documents it, and for
// everyone, as it was decided. Bing, Yandex and others list what they read, and it is not in those
// lists.
//
//   - https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
//   - https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240
//   - https://yandex.com/support/webmaster/controlling-robot/meta-robots.html
func (r *run) compareAnswer(t *target, a *answer) (results []seen.Answer) {
	stated := r.statementsOf(a, t.text())
	var named []string
	for _, s := range stated.all {
		if _, ok := r.known.Lookup(s.Crawler); ok {
			named = append(named, s.Crawler)
		}
	}
	others := a.compareHeaders(t.headers)
	for i, name := range r.crawlersOf(t, named...) {
		beside := others
		if isFirst := i == 0; isFirst { // what files deny to AI is reported once for a URL
			beside.looser = cmp.Or(beside.looser, t.liftedDenial())
		}
		c := r.newComparison(name, t, a, stated)
		results = append(results, c.finish(beside))
	}
	return results
}

// A comparison makes the result of one crawler at a target: what it reads in the answer, beside
// what was decided.
type comparison struct {
	run     *run
	target  *target
	answer  *answer
	crawler *policy.Crawler
	read    *reading
	// decision is the one that the crawler goes by; nil if there is none, as for a URL of a
	// sitemap.
	decision *seen.Told
	hasMoved bool // another page answered than the one that was asked for
	result   seen.Answer
}

// A judgement is what a comparison comes to.
type judgement struct {
	verdict seen.Verdict
	got     string // what the crawler reads, printed
	why     string // what is not as decided; of a match, what is to be known
}

// newComparison begins the result of a crawler with what the answer is, whatever was decided. name
// is the crawler's, or [Everyone]. The result has Location if another URL than the one it is named
// by answered, or if a redirect leads off the host; First, the status before redirects, if there
// were any; and Canonical if the page itself was read. [comparison.finish] adds the verdict.
func (r *run) newComparison(name string, t *target, a *answer, stated *stated) *comparison {
	crawler, _ := r.known.Lookup(name) // one without a name for everyone, who reads what no crawler's name precedes
	// A decision may be what a deployed site answered. A date that had passed by then is noindex in
	// it, for each crawler.
	isDateDecided := t.isAnswered
	knowsDates := documentsDates(name, crawler) || isDateDecided
	c := &comparison{run: r, target: t, answer: a, crawler: crawler, read: stated.readBy(crawler, knowsDates)}
	c.decision, c.hasMoved = r.decisionFor(t, a)
	// The lists are copies, since the result of each crawler changes its own.
	c.result = seen.Answer{URL: t.name, Crawler: name, Status: a.status, Header: append([]string{}, a.robotsTags()...),
		Meta: append([]seen.Meta{}, a.metas...), Others: snapshot.DeployedHeaders(a.header),
		Notes: append([]string{}, a.notes...)}
	c.setLocation()
	isPageRead := a.away == nil && a.err == nil
	if isPageRead && !c.hasMoved {
		c.result.Canonical = r.canonicalOf(t, a)
	}
	c.result.Remarks.Faults = a.faults
	c.result.Remarks.ReadsLocation = a.wasRedirected() && isPageRead
	if note := stated.contradiction(crawler, knowsDates); note != "" { // of header and page
		c.result.Notes = append(c.result.Notes, note)
	}
	return c
}

// documentsDates reports whether the operator of a crawler of a name documents unavailable_after:
// Google alone does. It is true for [Everyone] too.
func documentsDates(name string, c *policy.Crawler) bool {
	return name == Everyone || c.Operator == "Google"
}

// setLocation sets in the result where the answer comes from, if that is not the URL that it is
// named by, or to which URL a redirect leads off the host, and the status before redirects. Results
// name a URL as the snapshot does: on a site of several hosts by the path from the publish folder,
// /de/a/.
func (c *comparison) setLocation() {
	t, a := c.target, c.answer
	isNamedElse := t.root.folder != "/" || t.address != t.name
	switch {
	case a.away != nil:
		c.result.Location = a.away.String()
	case a.wasRedirected() || isNamedElse:
		c.result.Location = a.final().String()
	}
	if a.wasRedirected() {
		c.result.First = a.firstStatus
	}
}

// canonicalOf is the other page that the page of a target names as canonical, as [seen.Answer] has
// it. A preview that names the same page of production names none.
func (r *run) canonicalOf(t *target, a *answer) string {
	if a.canonical == nil {
		return ""
	}
	name := r.pages.nameOf(a.canonical)
	isOnSite := strings.HasPrefix(name, "/")
	if isOnSite && r.pages.isOnePage(t.root.urlOf(name), a.final()) {
		return ""
	}
	return name
}

// finish returns the result with its verdict. beside is what the answer differs in beside
// directives, such as another header: that is looser than decided if nothing worse is found, or
// stricter if nothing else is.
func (c *comparison) finish(beside headerVerdict) seen.Answer {
	j := c.judge()
	switch {
	case beside.looser != "" && (j.verdict == seen.Match || j.verdict == seen.Stricter):
		j.verdict, j.why, c.result.Remarks.NamesLocation = seen.Looser, beside.looser, false
	case beside.stricter != "" && j.verdict == seen.Match:
		j.verdict, j.why, c.result.Remarks.NamesLocation = seen.Stricter, beside.stricter, false
	}
	if c.target.isRewrite() && j.verdict != seen.Match {
		j.why = "served by a rewrite: " + j.why
	}
	c.result.Verdict, c.result.Got, c.result.Why = j.verdict, j.got, j.why
	return c.result
}

// stated is what an answer states for all crawlers.
type stated struct {
	header, page, all []policy.Statement
	documented        []policy.Statement // those of all that engines document to read
	policy            policy.Policy      // combines statements
	hasPastDate       bool
}

// statementsOf reads what an answer states, as a text of that kind.
func (r *run) statementsOf(a *answer, as policy.Text) *stated {
	s := &stated{policy: r.policy}
	s.header, s.page = a.statements(r.known, as)
	s.all = slices.Concat(s.header, s.page)
	header, page := a.statements(r.known, policy.Documented)
	s.documented = slices.Concat(header, page)
	const knowsDates = true
	s.hasPastDate = len(s.resolve(s.all, knowsDates).Expired) > 0
	return s
}

// resolve combines statements. Without knowsDates past dates do not count.
func (s *stated) resolve(list []policy.Statement, knowsDates bool) policy.Decision {
	p := s.policy
	if !knowsDates {
		p.Now = time.Time{}
	}
	return p.Resolve(slices.Clone(list)) // which changes the list
}

// readBy is what a crawler makes of what is stated. Without knowsDates it reads no
// unavailable_after.
func (s *stated) readBy(c *policy.Crawler, knowsDates bool) *reading {
	read := &reading{ignoresPastDate: !knowsDates && s.hasPastDate}
	read.got, read.by = obeyed(s.resolve(s.all, knowsDates), c)
	read.sure, _ = obeyed(s.resolve(s.documented, knowsDates), c)
	return read
}

// contradiction lists the axes on which header and page differ for a crawler. It is empty if there
// are none.
func (s *stated) contradiction(c *policy.Crawler, knowsDates bool) string {
	return contradiction(s.resolve(s.header, knowsDates), s.resolve(s.page, knowsDates), c)
}

// wanted is what was decided for a crawler, and the text by which a result says so. Without a
// decision the page is to be indexed; of a redirect no directives are wanted.
func (r *run) wanted(d *seen.Told, c *policy.Crawler) (want policy.Directives, text string) {
	switch {
	case d == nil: // a URL of a sitemap asks to be indexed
		return want, "indexable"
	case d.State() == seen.Redirect:
		return want, "redirect"
	}
	stated := d.For(c.Name).Directives
	resolved := r.policy.Resolve([]policy.Statement{{Directives: stated}}) // a past date counts as noindex (L7)
	return resolved.Generic, printed(resolved.Generic)
}

// decisionFor is what was decided on the page that answers for a target; hasMoved reports whether
// that is another page. Crawlers go by the decision on the page to which a URL leads. What a
// sitemap lists should be at that URL itself.
func (r *run) decisionFor(t *target, a *answer) (decision *seen.Told, hasMoved bool) {
	decision = t.decision
	staysOnPage := decision != nil && !t.isAnswered && r.pages.isOnePage(a.path[0], a.final())
	hasMoved = a.wasRedirected() && !staysOnPage
	if hasMoved && decision != nil && decision.Role == "" {
		if other, ok := r.pages.decision(a.final()); ok && other.Role == "" {
			decision = other
		}
	}
	return decision, hasMoved
}

// judge says what the crawler makes of the answer, beside what was decided, for
// [comparison.finish]. It also sets in the result what was wanted (Want), and whether the page is
// hidden, that is, kept out of an index that it should be in (Remarks.Hidden), which is an error of
// the run.
func (c *comparison) judge() judgement {
	if c.target.isNotIndexable {
		return c.judgeNotIndexable()
	}
	if c.decision != nil && seen.IsUnread(c.decision.Role) {
		return c.judgeUnread()
	}
	var want policy.Directives
	want, c.result.Want = c.run.wanted(c.decision, c.crawler)
	if verdict, why := c.verdictOfBan(want); verdict != "" {
		return c.judgeBanned(verdict, why)
	}
	j := c.judgeRead(want)
	isNewlyNoindex := c.read.got.NoIndex() && !want.NoIndex()
	isMovedOnHost := j.verdict == seen.Redirected && c.answer.away == nil // else it is another host's page
	isOfThisHost := j.verdict == seen.Stricter || isMovedOnHost
	c.result.Remarks.Hidden = c.isForSearch() && isNewlyNoindex && isOfThisHost
	return j
}

// judgeBanned judges a URL that robots.txt disallows to the crawler, with the verdict and the
// reason of [comparison.verdictOfBan]. It takes out of the result what header and page say: the
// crawler reads neither. The reason of a match is no difference, and so the note of the result.
func (c *comparison) judgeBanned(verdict seen.Verdict, why string) judgement {
	result := &c.result
	result.Header, result.Meta, result.Notes = []string{}, []seen.Meta{}, []string{}
	result.Canonical, result.Remarks.Faults = "", nil
	if isAsBuilt := verdict == seen.Match; isAsBuilt && why != "" {
		result.Notes, why = []string{why}, ""
	}
	result.Remarks.Hidden = c.isForSearch() && verdict == seen.Stricter
	return judgement{verdict, seen.Disallowed, why}
}

// isForSearch reports whether search engines are to list the target itself, by its name, and the
// crawler is one that every target is answered for: others may be excluded on purpose. A URL
// without a decision is listed by a sitemap, so it is for search whatever its name.
func (c *comparison) isForSearch() bool {
	isPage := c.decision == nil || snapshot.IsPage(c.target.name)
	return isPage && !c.isRedirect() && !c.target.isRewrite() && slices.Contains(c.run.crawlers, c.result.Crawler)
}

// isRedirect reports whether the URL was decided to redirect.
func (c *comparison) isRedirect() bool {
	return c.decision != nil && c.decision.State() == seen.Redirect
}

// judgeRead judges an answer that robots.txt lets the crawler read, also if there is none (err).
func (c *comparison) judgeRead(want policy.Directives) judgement {
	a, got := c.answer, c.read.got
	switch {
	case a.err != nil:
		loop, isLoop := errors.AsType[*loopError](a.err)
		c.result.Remarks.NamesLocation = isLoop && loop.through.String() == c.result.Location
		return judgement{seen.Unreachable, "", a.err.Error()}
	case c.isRedirect():
		return c.judgeRedirect()
	case a.away != nil:
		c.result.Remarks.NamesLocation = true
		return judgement{seen.Redirected, "redirect", a.awayText + c.result.Location}
	case c.hasMoved:
		c.result.Remarks.NamesLocation = true
		return judgement{seen.Redirected, printed(got), "it leads to " + c.result.Location}
	case c.decision == nil && got.NoIndex():
		why := c.read.stricter(got.On(policy.AxisIndex), want) + ", and it is to be indexed"
		return judgement{seen.Stricter, printed(got), why}
	case c.decision == nil:
		return judgement{seen.Match, printed(got), ""}
	}
	v, why := c.read.compare(a, want, c.crawler)
	return judgement{v, printed(got), why}
}

// judgeRedirect judges the answer of a URL that was decided to redirect (L4), and notes if what
// redirects is a page that is noindex.
func (c *comparison) judgeRedirect() judgement {
	a, got := c.answer, c.read.got
	if !c.hasMoved && a.away == nil {
		return judgement{seen.Looser, printed(got), "it does not redirect: the page itself is served"}
	}
	if a.away != nil && got.NoIndex() && !c.run.private {
		c.result.Notes = append(c.result.Notes, c.read.stricter(got, policy.Directives{})+" on a page that sends "+
			"readers on: its target may be dropped from the index")
	}
	return judgement{seen.Match, "redirect", ""}
}

// judgeUnread judges the answer of a URL at which a deployed site let crawlers read nothing, as the
// decision says: there is nothing to compare.
func (c *comparison) judgeUnread() judgement {
	c.result.Want = c.decision.Role
	ban, why := c.verdictOfBan(policy.Directives{})
	switch a := c.answer; {
	case ban != "":
		return judgement{seen.Match, seen.Disallowed, why}
	case a.err != nil:
		return judgement{seen.Match, "", a.err.Error()}
	case a.away != nil, c.hasMoved:
		return judgement{seen.Match, string(seen.Redirect), ""}
	}
	return judgement{seen.Match, printed(c.read.got), ""}
}

// judgeNotIndexable judges the answer of a URL that a list calls not indexable, whatever keeps it
// out of the index.
func (c *comparison) judgeNotIndexable() judgement {
	c.result.Want = "not indexable"
	a, got := c.answer, c.read.got
	isGone := a.status/100 == 4 && a.status != http.StatusTooManyRequests
	ban, why := c.verdictOfBan(policy.Directives{})
	switch {
	case ban == seen.Stricter:
		return judgement{seen.Match, seen.Disallowed, ""}
	case ban != "": // for now: the robots.txt cannot be read
		return judgement{ban, "", why}
	case a.err != nil && isGone:
		return judgement{seen.Match, "", a.err.Error()}
	case a.err != nil:
		return judgement{seen.Unreachable, "", a.err.Error()}
	case a.away != nil, c.hasMoved:
		return judgement{seen.Match, "redirect", ""}
	case got.NoIndex():
		return judgement{seen.Match, printed(got), ""}
	case a.canonical != nil:
		return judgement{seen.Match, printed(got), "its canonical link names " + a.canonical.String()}
	case a.namesOthersAlone():
		return judgement{seen.Match, printed(got), "its canonical link names " + a.canonicals[0].String()}
	}
	return judgement{seen.Looser, printed(got), "the list calls it not indexable, and nothing keeps it out of the index"}
}

// compare compares with what was wanted of a page that answered at its own URL. why is empty for a
// match.
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
		if a.metasInReach < len(a.metas) {
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
	read := cmp.Or(places(r.by), "neither header nor tag says anything")
	return fmt.Sprintf("%s missing; %s", strings.Join(missing(got, want), ", "), read)
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

// printed is the text of directives; "all" if there are none.
func printed(d policy.Directives) string { return cmp.Or(d.String(), "all") }

// obeyed combines what a crawler reads, and returns the statements: by the sum, except for crawlers
// that obey the permissive one of two statements (A5). Two words in one text are one statement, in
// which the stricter has won already.
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

// contradiction lists the axes on which header and page differ for a crawler. It is empty if there
// are none.
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
