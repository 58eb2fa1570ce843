package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A SecondHost is another name at which a site may be served: of its host's own, such as
// project.pages.dev, or a second domain.
type SecondHost struct {
	Base *url.URL
	// By says what names it: a file with its line, or the owner's flag.
	By string
	// IsStated: the owner says that this is the site. Else another site may answer there.
	IsStated bool
}

// A SecondState says what crawlers make of a URL at a second host.
type SecondState string

// The states.
const (
	Absent     SecondState = "absent"     // there is no such host, or a crawler gets nothing there
	LeadsHome  SecondState = "home"       // it leads to the site's own host, or to a second host that is asked too
	KeptOut    SecondState = "noindex"    // a header or a tag keeps it out of the index
	LeadsAway  SecondState = "elsewhere"  // it leads to a host that is not known to be the site's
	OtherSite  SecondState = "other"      // nothing shows that it is the site
	Unclear    SecondState = "unknown"    // it does not answer, or with an error of the server
	NamesHome  SecondState = "canonical"  // it may be indexed, and names a URL of the site's own host as canonical
	ShutAsHome SecondState = "closed"     // robots.txt keeps a crawler from it, as the built one does at home
	KeptUnread SecondState = "disallowed" // robots.txt keeps crawlers from reading what it says
	Open       SecondState = "open"       // it may be indexed: a twin of the site
)

// secondStates are all of them, the gravest last.
var secondStates = []SecondState{Absent, LeadsHome, KeptOut, ShutAsHome, LeadsAway, OtherSite, Unclear, NamesHome, KeptUnread, Open}

// isGraver reports whether a state is graver than another.
func isGraver(a, b SecondState) bool {
	return slices.Index(secondStates, a) > slices.Index(secondStates, b)
}

// A SecondAnswer is what came of asking a second host.
type SecondAnswer struct {
	URL   string       `json:"url"` // where its root is
	By    string       `json:"by"`  // as in [SecondHost]
	State SecondState  `json:"state"`
	Pages []SecondPage `json:"pages"` // that were asked for
	// Why says why none was.
	Why string `json:"why,omitempty"`
	// otherTitle says how the title of its home page differs from that of the site's; empty if it
	// does not, or if that was not compared.
	otherTitle string
}

// A SecondPage is a URL at a second host. Of several crawlers it is the one for which it is the
// gravest.
type SecondPage struct {
	URL     string      `json:"url"` // the path from the publish root
	Status  int         `json:"status"`
	Crawler string      `json:"crawler"` // "robots" for everyone
	State   SecondState `json:"state"`
	// Why names the line of robots.txt, the target of a redirect, or the fault.
	Why string `json:"why"`
}

// pagesIn are the pages in a state.
func (a *SecondAnswer) pagesIn(state SecondState) (pages []*SecondPage) {
	for i := range a.Pages {
		if a.Pages[i].State == state {
			pages = append(pages, &a.Pages[i])
		}
	}
	return pages
}

// A secondRun asks second hosts.
type secondRun struct {
	run    *run
	report *Report
	own    []*url.URL // where the site is at home
	hosts  []SecondHost
	paths  []string // that are asked for, from the publish root
	title  *string  // of the home page at home; nil as long as it is not known
}

// AskSecondHosts asks further hosts whether they serve the site too, so that search engines may
// list it under a second name: for robots.txt, the home page, a page that is noindex and a
// document, if r has them. What is wrong goes to r. No secret is sent there, and nothing is asked
// twice. The error is the context's.
func (r *Report) AskSecondHosts(ctx context.Context, hosts []SecondHost, o AskOptions) error {
	o.Retries = 0
	s := &secondRun{run: newRun(o, nil), report: r, own: r.MadeFor, hosts: hosts, paths: r.tellingPaths()}
	for _, text := range r.Summary.Bases {
		if base, err := url.Parse(text); err == nil {
			s.own = append(slices.Clip(s.own), base)
		}
	}
	for _, host := range hosts {
		answer := s.askHost(ctx, &host)
		if ctx.Err() != nil {
			r.Summary.Interrupted = true
			break
		}
		r.SecondHosts = append(r.SecondHosts, answer)
		s.reportAnswer(&host, &answer)
	}
	r.Summary.Requests += s.run.fetcher.requests
	return ctx.Err()
}

// IsOwn reports whether a URL is on a host of the site's own: one that was asked, that the snapshot
// was made for, or that the owner names.
func (r *Report) IsOwn(u *url.URL) bool {
	isSame := func(text string) bool {
		base, err := url.Parse(text)
		return err == nil && sameHost(base, u)
	}
	return slices.ContainsFunc(slices.Concat(r.MadeFor, r.Own), onHostOf(u)) ||
		slices.ContainsFunc(r.Summary.Bases, isSame)
}

// IsOfItsOwnHosts reports whether all hosts that were asked are those for which a snapshot of
// production was made: then the files beside it tell of the same site.
func (r *Report) IsOfItsOwnHosts() bool {
	isOther := func(text string) bool {
		base, err := url.Parse(text)
		return err != nil || !slices.ContainsFunc(r.MadeFor, onHostOf(base))
	}
	env := r.Summary.Environment
	return (env == "" || env == "production") && len(r.Summary.Bases) > 0 && !slices.ContainsFunc(r.Summary.Bases, isOther)
}

// documents are the endings of files that search engines list beside pages, and that hold no tag.
var documents = []string{".pdf", ".doc", ".docx", ".odt", ".ppt", ".pptx", ".xls", ".xlsx", ".rtf", ".epub",
	".txt", ".md",
	".csv"}

// tellingPaths are the paths that tell how a host serves the site: the home page, the first page
// that is noindex as decided, and a document that was not decided to be noindex, by the order of
// [documents], so a PDF if there is one. They are chosen among the results of r that were read at
// the site itself; each result is for one crawler, and what was decided for one is enough. Without
// such a page or document they are fewer.
func (r *Report) tellingPaths() []string {
	paths := []string{"/"}
	hidden, document := "", ""
	bestRank := len(documents) // of the document; the lower the better
	for i := range r.Results {
		a := &r.Results[i]
		if !wasReadBelowBase(a) {
			continue
		}
		// Words for no decision, such as "indexable" or "not indexable", state nothing.
		isDecidedNoindex := seen.Read(a.Want).NoIndex()
		rank := rankOfDocument(a.URL)
		isPage := a.URL != "/" && snapshot.IsPage(a.URL)
		isHidden := isDecidedNoindex && a.Verdict == seen.Match
		if isPage && isHidden && hidden == "" {
			hidden = a.URL
		}
		if !isDecidedNoindex && rank < bestRank {
			document, bestRank = a.URL, rank
		}
	}
	for _, path := range []string{hidden, document} {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// wasReadBelowBase reports whether a result is of a page or file that a crawler read at its own
// URL, below the site's base: a URL elsewhere is a whole one, and no path.
func wasReadBelowBase(a *seen.Answer) bool {
	isRead := a.Status/100 == 2 && a.Got != seen.Disallowed && a.Verdict != seen.Redirected
	return isRead && strings.HasPrefix(a.URL, "/")
}

// rankOfDocument is the place of a URL's ending among those of documents, or behind all of them if
// it is no document.
func rankOfDocument(url string) int {
	rank := slices.Index(documents, strings.ToLower(path.Ext(url)))
	if isDocument := rank >= 0; !isDocument {
		return len(documents)
	}
	return rank
}

// askHost asks one host. Where https brings crawlers nothing, it asks over http too: an open page
// there is a twin as well.
func (s *secondRun) askHost(ctx context.Context, host *SecondHost) SecondAnswer {
	answer, down := s.askAt(ctx, host, host.Base)
	plain := overHTTP(host.Base)
	isWithoutPage := answer.State == Absent || answer.State == Unclear
	if !isWithoutPage || plain == nil || isOfNoUse(down) || ctx.Err() != nil {
		return answer
	}
	over := s.askBriefly(ctx, host, plain)
	if over.State == Absent || over.State == Unclear {
		return answer
	}
	return over
}

// askBriefly asks one host at a base, and waits less for it than for others.
func (s *secondRun) askBriefly(ctx context.Context, host *SecondHost, base *url.URL) SecondAnswer {
	usual := s.run.fetcher.options
	defer func() { s.run.fetcher.options = usual }()
	brief := *usual
	brief.Timeout = min(cmp.Or(usual.Timeout, plainTimeout), plainTimeout)
	s.run.fetcher.options = &brief
	answer, _ := s.askAt(ctx, host, base)
	return answer
}

// overHTTP is the root of an https base over http; nil of any other base, and of one with a port of
// its own, where nothing speaks http.
func overHTTP(base *url.URL) *url.URL {
	if base.Scheme != "https" || base.Port() != "" && base.Port() != "443" {
		return nil
	}
	plain := *base
	plain.Scheme, plain.Host = "http", strings.TrimSuffix(base.Host, ":443")
	return &plain
}

// isOfNoUse reports whether a host that is down over https cannot answer over http either: its name
// has no address, or one that may not be requested.
func isOfNoUse(down error) bool {
	unknown, isUnknown := errors.AsType[*net.DNSError](down)
	return isUnknown && unknown.IsNotFound || errors.Is(down, ErrPrivate)
}

// askAt asks one host at a base for the telling paths. The state of the answer is that of its
// gravest page, or [OtherSite] if that would be trouble and nothing shows that the site is served
// there. down is why the host cannot be asked, which includes an end of ctx; nil if it can. Then
// the answer is [Absent] and has no pages.
func (s *secondRun) askAt(ctx context.Context, host *SecondHost, base *url.URL) (answer SecondAnswer, down error) {
	there := &server{base: base}
	answer = SecondAnswer{URL: base.String(), By: host.By, State: Absent, Pages: []SecondPage{}}
	err := s.run.readFiles(ctx, there) // the context's, or that of a private address, with there.down
	if down = cmp.Or(there.down, err); down != nil {
		answer.Why = down.Error()
		return answer, down
	}
	homeTitle := s.askPages(ctx, there, &answer)
	isTrouble := answer.State == Open || answer.State == KeptUnread // if the site is served there
	switch {
	case isTrouble && !host.IsStated && !s.isTheSite(ctx, &answer, there, homeTitle):
		answer.State = OtherSite
	case answer.State == Open && host.IsStated:
		answer.otherTitle = s.differenceOfTitle(ctx, homeTitle)
	}
	return answer, nil
}

// askPages asks a server for the telling paths, and adds a page for each to the answer, whose state
// becomes that of the gravest. It returns the title of the home page, which is empty if there is
// none.
func (s *secondRun) askPages(
	ctx context.Context, there *server, answer *SecondAnswer,
) (homeTitle string) {
	for _, path := range s.paths {
		t := s.targetAt(there, path)
		a := s.run.ask(ctx, t)
		if path == "/" {
			homeTitle = a.title
		}
		page := s.gravestPage(t, a)
		page.URL = path
		answer.Pages = append(answer.Pages, page)
		if isGraver(page.State, answer.State) {
			answer.State = page.State
		}
	}
	return homeTitle
}

// targetAt is a path of the publish root at a second host. It has what the built robots.txt says of
// the path at home, if the snapshot knows that.
func (s *secondRun) targetAt(there *server, path string) *target {
	from := root{folder: "/", base: there.base, server: there}
	t := &target{name: path, page: path, address: path, at: from.urlOf(path), root: from}
	home, isKnown := site.Serving(s.report.roots, path, func(r root) string { return r.folder })
	if isKnown {
		t.root.files, t.root.robots, t.root.knowsRobots = home.files, home.robots, home.knowsRobots
	}
	return t
}

// gravestPage says what crawlers make of the answer of a target: for which of them it is the
// gravest.
func (s *secondRun) gravestPage(t *target, a *answer) (gravest SecondPage) {
	stated := s.run.statementsOf(a, policy.Found)
	for i, name := range s.run.crawlers {
		page := SecondPage{Status: a.status, Crawler: name}
		page.State, page.Why = s.stateFor(name, t, a, stated)
		if i == 0 || isGraver(page.State, gravest.State) {
			gravest = page
		}
	}
	return gravest
}

// stateFor says what the crawler of a name, or [Everyone], makes of the answer of a target at a
// second host, and why; why is empty if the state says all. stated is what header and page of that
// answer say, for all crawlers ([run.statementsOf]). The order of the cases is that in which a
// crawler learns things: it reads nothing at a URL that robots.txt disallows, and no directives of
// a page that leads elsewhere. A page that is missing is the exception: whatever robots.txt says,
// nothing is there.
func (s *secondRun) stateFor(name string, t *target, a *answer, stated *stated) (
	state SecondState, why string) {
	isLater := a.status == http.StatusTooManyRequests // ask again later
	if isMissing := a.status/100 == 4 && !isLater; isMissing {
		return Absent, whyMissing(a)
	}
	if state, why := t.stateByRobots(name, a); state != "" {
		return state, why
	}
	crawler, _ := s.run.known.Lookup(name)      // for everyone one without a name and an operator
	knowsDates := documentsDates(name, crawler) // whether a past unavailable_after counts
	// Only what engines document to read keeps a page out, so that nothing passes by a guess.
	isNoindex := stated.readBy(crawler, knowsDates).sure.NoIndex()
	there := t.root.server.base
	switch {
	case a.err != nil: // no answer, one without a page (204, 503 …), or redirects to nothing
		return Unclear, a.err.Error()
	case a.away != nil && s.isHome(a.away, there):
		return LeadsHome, a.awayText + a.away.String()
	case a.away != nil:
		return LeadsAway, a.awayText + a.away.String()
	case isNoindex:
		return KeptOut, ""
	case s.namesHome(a, there):
		return NamesHome, "canonical: " + a.canonicals[0].String()
	}
	return Open, ""
}

// whyMissing says why crawlers get nothing by an answer with a status of 4xx.
func whyMissing(a *answer) string {
	if a.status == http.StatusUnauthorized {
		return "status 401: it asks for a user and a password, which crawlers do not have; to see what is " +
			"behind it, verify it as BASE-URL, with --user"
	}
	return a.err.Error() // [answer.readResponse] sets it for each such status
}

// stateByRobots is the state of a second host's target for the crawler of a name if robots.txt
// decides, with the line that does; "" if the crawler may fetch the URL that was asked, and each to
// which redirects lead from there.
func (t *target) stateByRobots(name string, a *answer) (state SecondState, line string) {
	there := t.root.server
	if isShut := there.shut != ""; isShut { // nobody knows what robots.txt says
		return Unclear, there.shut
	}
	for _, u := range a.path {
		ban := there.ban(name, u)
		switch {
		case ban != "" && t.disallows(name): // it is kept out at home too
			return ShutAsHome, ban
		case ban != "":
			return KeptUnread, ban
		}
	}
	return "", ""
}

// namesHome reports whether a page names one as canonical at the site's own host, and none
// elsewhere: of several that contradict each other search engines use none.
func (s *secondRun) namesHome(a *answer, there *url.URL) bool {
	isElsewhere := func(u *url.URL) bool { return !s.isOwn(u, there) }
	return len(a.canonicals) > 0 && !slices.ContainsFunc(a.canonicals, isElsewhere)
}

// isOwn reports whether a URL is on the site's own host, for a page on another one: with or without
// www., unless that is where the page is. A host that the owner names has no such second name.
func (s *secondRun) isOwn(u, from *url.URL) bool {
	isSame := func(base *url.URL) bool {
		other, hasOther := project.WithWWW(base.Hostname())
		return sameHost(base, u) || hasOther && u.Hostname() == other && u.Port() == base.Port()
	}
	isNamed := slices.ContainsFunc(s.report.Own, onHostOf(u))
	return !sameHost(u, from) && (isNamed || slices.ContainsFunc(s.own, isSame))
}

// isHome reports whether what leads from one host to a URL leads home, or to a host that is asked
// itself.
func (s *secondRun) isHome(u, from *url.URL) bool {
	isThere := func(host SecondHost) bool { return sameHost(host.Base, u) }
	return s.isOwn(u, from) || !sameHost(u, from) && slices.ContainsFunc(s.hosts, isThere)
}

// isTheSite reports whether anything shows that a host, there, serves the site: a page or its
// robots.txt leads home, a page names the site as canonical, or the home page has the same title,
// and not all else is missing.
func (s *secondRun) isTheSite(ctx context.Context, answer *SecondAnswer, there *server, title string) bool {
	if len(answer.pagesIn(LeadsHome))+len(answer.pagesIn(NamesHome)) > 0 || s.isHome(there.robots.final(), there.base) {
		return true
	}
	hasMore := len(answer.Pages) == 1
	for i := range answer.Pages {
		page := &answer.Pages[i]
		hasMore = hasMore || page.URL != "/" && page.State != Absent
	}
	return hasMore && title != "" && title == s.titleAtHome(ctx)
}

// differenceOfTitle says how the title of a second host's home page differs from that of the
// site's; empty if it does not, or if the site's has none.
func (s *secondRun) differenceOfTitle(ctx context.Context, title string) string {
	atHome := s.titleAtHome(ctx)
	switch {
	case atHome == "" || title == atHome:
		return ""
	case title == "":
		return fmt.Sprintf("its home page has no title, and that of %s has %q", s.homeName(), atHome)
	}
	return fmt.Sprintf("its home page has the title %q, and that of %s has %q", title, s.homeName(), atHome)
}

// titleAtHome is the title of the site's home page. It is asked for once, and only if it is needed.
func (s *secondRun) titleAtHome(ctx context.Context) string {
	if s.title == nil {
		home := ""
		if base, err := url.Parse(s.report.Summary.Base); err == nil {
			t := &target{at: base, root: root{folder: "/", base: base, server: &server{base: base}}}
			home = s.run.ask(ctx, t).title
		}
		s.title = &home
	}
	return *s.title
}
