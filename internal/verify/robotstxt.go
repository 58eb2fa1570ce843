package verify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// A robotsTxt is what a host answered for its robots.txt.
type robotsTxt struct {
	path []*url.URL // what was asked in turn
	got  *response
	err  error // why redirects to it lead to nothing
}

// file is what crawlers read in the answer; nil if they may fetch everything.
func (t *robotsTxt) file() *robotstxt.File {
	if t.got == nil || t.err != nil || t.got.status/100 != 2 {
		return nil
	}
	return robotstxt.ParseAt(t.got.body, "robots.txt", nil, 0)
}

// isPage reports whether a page is in the file's place: by its type, or by how it begins.
func (t *robotsTxt) isPage() bool {
	return isHTML(t.got.header.Get("Content-Type"), t.got.body) || t.beginsAsPage()
}

func (t *robotsTxt) beginsAsPage() bool {
	return strings.HasPrefix(http.DetectContentType(t.got.body), "text/html")
}

// tells reports whether the answer is a file, or says that there is none: an error of the server or
// a refusal says neither.
func (t *robotsTxt) tells() bool {
	if t.got == nil || t.err != nil {
		return false
	}
	isMissing := t.got.status == http.StatusNotFound || t.got.status == http.StatusGone
	return t.got.status/100 == 2 || isMissing
}

// asked is the URL that was asked for first.
func (t *robotsTxt) asked() string { return t.path[0].String() }

// final is the URL that answered, behind redirects.
func (t *robotsTxt) final() *url.URL { return t.path[len(t.path)-1] }

// What an answer means that is no robots.txt.
//
//   - https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
//   - https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#http-status-codes
const (
	missingMeans = "crawlers may fetch everything, by RFC 9309 and by Google, which keeps the last file for up to 24 hours"
	shutMeans    = "by RFC 9309 crawlers fetch nothing; Google stops for 12 hours, and then goes by its last copy " +
		"for 30 days"
)

// substitute says what was answered in place of a robots.txt, and what that means; empty if it is
// one. There has to be an answer, or an error; and not the status 5xx or 429, by which the server
// is shut ([run.readFiles]). A challenge is known by the header cf-mitigated.
func (t *robotsTxt) substitute() string {
	redirect := ""
	if len(t.path) > 1 {
		redirect = " behind a redirect to " + t.final().String()
	}
	switch {
	case t.err == nil && isChallenge(t.got.header):
		return fmt.Sprintf("status %d%s, a challenge to this client (%s), so nothing is known of what crawlers get: "+
			"let verify in. If they get the same: %s", t.got.status, redirect, mitigated, missingMeans)
	case t.err != nil:
		return t.err.Error() + ": " + missingMeans
	case t.got.status/100 != 2:
		return fmt.Sprintf("status %d%s: %s", t.got.status, redirect, missingMeans)
	case t.file().IsUTF16():
		return "a file in UTF-16" + redirect + ", in which crawlers, which read UTF-8, find no rules: " + missingMeans
	case t.isPage() && len(rulesOf(t.file())) == 0:
		return "an HTML page" + redirect + ", in which crawlers find no rules: " + missingMeans
	case t.isPage():
		return "an HTML page" + redirect + ", in which crawlers look for rules and find some"
	}
	return ""
}

// A groupRule is a rule of the group of one crawler. The same text in another group is another
// rule.
type groupRule struct {
	agent string // in lower case, or "*"
	text  string // such as "Disallow: /x"
	line  int
}

// isIn reports whether a rule is among those of another file, at whatever line.
func (r groupRule) isIn(rules []groupRule) bool {
	isSame := func(other groupRule) bool { return other.agent == r.agent && other.text == r.text }
	return slices.ContainsFunc(rules, isSame)
}

// rulesOf are the rules of a file, for each crawler of their groups.
func rulesOf(f *robotstxt.File) (rules []groupRule) {
	if f == nil {
		return nil
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		if l.Kind != robotstxt.Allow && l.Kind != robotstxt.Disallow {
			continue
		}
		for _, agent := range l.Groups() {
			rules = append(rules, groupRule{agent, l.String(), l.Number})
		}
	}
	return rules
}

// compareRobots compares what the robots.txt of each host means with what the built one does, for
// the crawlers of the table and the URLs of the snapshot. Below a folder of a host the built one is
// read by nobody.
func (r *run) compareRobots(ctx context.Context, roots []root, targets []target) {
	for i := range roots {
		root := &roots[i]
		server := root.server
		if !root.comparesRobots() || server.down != nil {
			continue
		}
		if server.shut != "" {
			why := strings.TrimLeft(strings.TrimPrefix(server.shut, "robots.txt"), ": ") // behind its URL
			r.fail(fmt.Sprintf("%s: %s: %s", server.robots.asked(), why, shutMeans), "")
			continue
		}
		c := robotsComparison{run: r, server: server, built: root.files}
		c.built.Robots = root.robots // behind the host's own block
		c.addPages(targets, root.folder)
		c.reportDifferences(ctx)
		if plain := r.robotsOverHTTP(ctx, server); plain != nil { // http has a file of its own
			c.server = plain
			c.reportDifferences(ctx)
		}
	}
}

// addPages adds the targets of a folder to the pages that the two files are asked about.
func (c *robotsComparison) addPages(targets []target, folder string) {
	for i := range targets {
		t := &targets[i]
		if t.root.folder != folder {
			continue
		}
		page := seen.Asked{URL: t.name, Was: c.built.PathAtHost(t.address), Is: t.at.EscapedPath()}
		c.pages = append(c.pages, page)
	}
}

// plainTimeout is how long a host may take to answer over http: many do not.
const plainTimeout = 5 * time.Second

// robotsOverHTTP is the host of an https base with the robots.txt that it serves over http, which
// is another file for crawlers. It is nil if there is none, or if it leads to the other one.
func (r *run) robotsOverHTTP(ctx context.Context, s *server) *server {
	if s.base.Scheme != "https" || s.base.Port() != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, plainTimeout)
	defer cancel()
	at := &url.URL{Scheme: "http", Host: s.base.Host, Path: "/robots.txt"}
	plain := &server{base: &url.URL{Scheme: "http", Host: s.base.Host, Path: "/"}, robots: robotsTxt{path: []*url.URL{at}}}
	staysPlain := func(to *url.URL) bool { return sameHost(to, at) && to.Scheme == "http" }
	rule := redirectRule{most: maxFileHops, mayFollow: staysPlain}
	answer := &plain.robots
	answer.got, answer.err = follow(at, rule, func(path []*url.URL) (*response, error) {
		if err := r.fetcher.waitForTurn(ctx, plain); err != nil {
			return nil, err
		}
		return r.fetcher.sendOnce(ctx, path[len(path)-1], upTo(robotstxt.MaxSize)) // never again, as many hosts are silent
	})
	if answer.got == nil || answer.err != nil || answer.got.status/100 != 2 || answer.isPage() {
		return nil
	}
	plain.files.Robots = answer.file()
	return plain
}

// A robotsComparison compares the robots.txt of a host with the built one.
type robotsComparison struct {
	run    *run
	server *server
	built  seen.Host
	// pages have the same path for either file, as the base of a host whose robots.txt is compared
	// has none ([root.comparesRobots]).
	pages []seen.Asked
}

// mostRobotsChanges is how many causes of one robots.txt a report has.
const mostRobotsChanges = 10

// reportDifferences says what differs, and notes in the server that it was compared. What was
// denied and is open now is an error. So is what is denied now to other crawlers than those of AI,
// to every crawler without a name, and to one that the built file lets in by name: the server's
// robots.txt is blamed for such a denial, so that no second error is about the pages. To others it
// is a warning, since nothing was decided about them.
//
// What is true of all of them, what is served in place of the built file and whether a cache holds
// it, is in the first error alone, or without errors in the first warning.
func (c *robotsComparison) reportDifferences(ctx context.Context) {
	served := seen.Host{Folder: "/", Robots: c.server.files.Robots}
	changes := seen.CompareFetches(c.built, served, c.pages, nil) // nil leaves out none
	c.server.isRobotsCompared = true
	if len(changes) == 0 {
		c.noteSubstitute()
		return
	}
	asked := c.server.robots.asked() + ": "
	shown := changes[:min(len(changes), mostRobotsChanges)]
	first := max(0, slices.IndexFunc(shown, c.isError)) // -1 if all are warnings
	for i := range shown {
		change := &shown[i]
		begin, ending := asked, ""
		if i == first {
			begin, ending = c.messageBegin(), c.cacheNote(ctx)
		}
		c.report(change, begin+c.effect(change)+": "+c.cause(change), ending)
	}
	if left := len(changes) - len(shown); left > 0 {
		c.run.warn("%s%s not shown", asked,
			robotstag.Count(left, "more difference of robots.txt is", "more differences of robots.txt are"))
	}
}

// report reports one change as an error or a warning, and blames the server's robots.txt for an
// error that is a denial. ending ends the message.
func (c *robotsComparison) report(change *seen.FetchChange, message, ending string) {
	if !c.isError(*change) {
		c.run.warn("%s", message+ending)
		return
	}
	c.run.fail(message, ending)
	if isDenial := !change.Allowed; isDenial {
		c.server.isRobotsBlamed = true
	}
}

// isError reports whether a change is an error: what was denied is open now, or a crawler that the
// built file lets in on purpose is kept out. Else it is a warning.
func (c *robotsComparison) isError(change seen.FetchChange) bool {
	return change.Allowed || slices.ContainsFunc(change.Crawlers, c.isLetInOnPurpose)
}

// noteSubstitute notes that something else than a robots.txt is served, which makes no difference.
// If none was built, a missing one is no news.
func (c *robotsComparison) noteSubstitute() {
	answer := &c.server.robots
	substitute := answer.substitute()
	isMissing := answer.got != nil && answer.got.status == http.StatusNotFound
	if substitute == "" || isMissing && c.built.Robots == nil {
		return
	}
	built := ". The built one disallows none of these URLs"
	everythingAllowed := seen.Host{Folder: "/"}
	disallowsSome := len(seen.CompareFetches(c.built, everythingAllowed, c.pages, nil)) > 0
	switch {
	case !c.built.HasRobots():
		built = ". None was built"
	case disallowsSome:
		built = ", which mean the same as the built ones"
	}
	c.run.note("%s: %s%s", answer.asked(), substitute, built)
}

// messageBegin begins the first message about a difference: the URL, and what is served there
// instead of the built file.
func (c *robotsComparison) messageBegin() string {
	answer := &c.server.robots
	lead := answer.asked() + ": "
	switch substitute := answer.substitute(); {
	case substitute != "":
		return lead + substitute + ": "
	case answer.got.isCut:
		return lead + fmt.Sprintf("only its first %d KiB are read: ", robotstxt.MaxSize>>10)
	case c.isReplaced():
		return lead + "none of the built lines is served: "
	}
	return lead
}

// isReplaced reports whether the built file has rules, and none of them is in the one that is
// served.
func (c *robotsComparison) isReplaced() bool {
	built := rulesOf(c.built.Robots)
	blocks := managedLines(c.server.robots.got.body)
	ofHost := func(rule groupRule) bool { return blocks[rule.line] != "" }
	served := slices.DeleteFunc(rulesOf(c.server.files.Robots), ofHost)
	isServed := func(rule groupRule) bool { return rule.isIn(served) }
	return len(built) > 0 && !slices.ContainsFunc(built, isServed)
}

// isLetInOnPurpose reports whether the built file lets a crawler in on purpose: any but one of AI,
// one that an Allow or an empty Disallow of its own lets in, one that the options name, and "*".
func (c *robotsComparison) isLetInOnPurpose(name string) bool {
	crawler := policy.LookupCrawler(name)
	isOfAI := crawler == nil || crawler.Purpose != "" // or nobody knows
	isLetIn := false
	if c.built.Robots != nil {
		access := c.built.Robots.Ask(name, "/")
		isLetIn = access.Allowed && access.Rule != "" && access.Agent == strings.ToLower(name)
	}
	return name == "*" || !isOfAI || isLetIn || c.run.explicit && slices.Contains(c.run.crawlers, strings.ToLower(name))
}

// effect says who may fetch what now, or may no longer.
func (c *robotsComparison) effect(change *seen.FetchChange) string {
	served := seen.Host{Folder: "/", Robots: c.server.files.Robots}
	remains := func(page seen.Asked) bool {
		f, _ := served.Fetch(change.Crawlers[0], page.Is)
		return f.Allowed
	}
	if change.Allowed || len(c.pages) < 2 || slices.ContainsFunc(c.pages, remains) {
		return change.What()
	}
	return change.Who() + " may no longer fetch anything"
}

// cause is the line that decides, and who wrote it.
func (c *robotsComparison) cause(change *seen.FetchChange) string {
	if change.Gone {
		return change.Deciding() // the message begins with what is served
	}
	place := fmt.Sprintf("line %d", change.Line)
	if change.More > 0 {
		place += fmt.Sprintf(" and %d more", change.More)
	}
	if author := c.author(change); author != "" {
		place += ", " + author
	}
	return place + " (" + change.Rule + ")"
}

// managedBegin and managedEnd are the marks around a block that a host puts into robots.txt.
// Cloudflare writes the second with a capital C.
var (
	managedBegin = lazyregexp.New(`(?i)^#\s*BEGIN (.+?) Managed content\s*$`)
	managedEnd   = lazyregexp.New(`(?i)^#\s*END (.+?) Managed content\s*$`)
)

// managedLines are the numbers of the lines within such blocks, with the host that the marks name.
func managedLines(text []byte) map[int]string {
	lines, within, number := map[int]string{}, "", 0
	for line := range strings.Lines(string(text)) {
		number++
		if m := managedBegin.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			within = m[1]
		} else if managedEnd.MatchString(strings.TrimSpace(line)) {
			within = ""
		}
		if within != "" {
			lines[number] = within
		}
	}
	return lines
}

// author says whose the line of the served file is that makes a change; empty if the built file has
// its rule in the same group.
func (c *robotsComparison) author(change *seen.FetchChange) string {
	if host := managedLines(c.server.robots.got.body)[change.Line]; host != "" {
		return host + "'s managed block"
	}
	group := c.server.files.Robots.Ask(change.Crawlers[0], "/").Agent // one group counts, whatever the path is
	rule := groupRule{agent: group, text: change.Rule}
	if !rule.isIn(rulesOf(c.built.Robots)) {
		return "which is not in the build"
	}
	return ""
}

// cacheHeaders are those by which caches say that an answer is a copy.
var cacheHeaders = []string{"Cf-Cache-Status", "X-Cache", "X-Vercel-Cache", "Cache-Status", "X-Nf-Cache-Status"}

// cacheNote ends a message about a difference, if the served file is a copy of a cache: "; it is a
// copy of a cache (Age: 300)", with whether it is an old one, and what to do. To know that, it asks
// the host for the file with a query, which most caches take for another URL: the copy is old if
// that answer does what the built file does, or anything else than the copy. It is empty if nothing
// shows a copy, or if the answer is neither a file nor says that there is none.
func (c *robotsComparison) cacheNote(ctx context.Context) string {
	answer := &c.server.robots
	if answer.got == nil {
		return ""
	}
	signs := cacheSigns(answer.got.header)
	if len(signs) == 0 {
		return ""
	}
	uncached := *answer.path[0]
	uncached.RawQuery = "metarobots=fresh"
	fresh := c.run.fetcher.getRobotsTxt(ctx, c.server, &uncached)
	if !fresh.tells() {
		return ""
	}
	note := "; it is a copy of a cache (" + strings.Join(signs, ", ") + ")"
	served := seen.Host{Folder: "/", Robots: c.server.files.Robots}
	freshHost := seen.Host{Folder: "/", Robots: fresh.file()}
	isSame := func(a, b seen.Host) bool { return len(seen.CompareFetches(a, b, c.pages, nil)) == 0 }
	isCopyToo := len(cacheSigns(fresh.got.header)) > 0
	switch {
	case isSame(c.built, freshHost):
		return note + ", and an old one: with a query the host serves what was built. Purge the cache"
	case !isSame(served, freshHost):
		return note + ", and an old one: with a query the host serves other rules, which are not the built ones either"
	case isCopyToo:
		return note + ", and so is the answer with a query, which is the same: purge the cache to see whether they are old"
	}
	return note + ", and no old one: with a query the host serves the same"
}

// cacheSigns are the headers by which an answer shows that it is a copy of a cache, with their
// values: "Age: 300", "X-Cache: HIT". There are none if nothing shows that.
func cacheSigns(header http.Header) (signs []string) {
	if age, _ := strconv.Atoi(header.Get("Age")); age > 0 { // 0 for no number
		signs = append(signs, fmt.Sprintf("Age: %d", age))
	}
	for _, name := range cacheHeaders {
		if value := header.Get(name); strings.Contains(strings.ToLower(value), "hit") {
			signs = append(signs, name+": "+value)
		}
	}
	return signs
}

// getRobotsTxt gets a robots.txt. Redirects lead also to other hosts, as crawlers follow them; no
// secret goes there. If another host cannot be read, the fault may be this machine's: then the
// redirect to it is the answer.
func (f *fetcher) getRobotsTxt(ctx context.Context, s *server, at *url.URL) robotsTxt {
	t := robotsTxt{path: []*url.URL{at}}
	anywhere := func(*url.URL) bool { return true }
	var last *response
	rule := redirectRule{most: maxFileHops, mayFollow: anywhere}
	t.got, t.err = follow(at, rule, func(path []*url.URL) (*response, error) {
		t.path = path
		p, err := f.getForAnyName(ctx, s, path[len(path)-1], upTo(robotstxt.MaxSize))
		if err == nil {
			last = p
		}
		return p, err
	})
	if to := t.final(); t.got == nil && last != nil && !sameHost(to, at) {
		t.got, t.err = last, fmt.Errorf("it leads to %s, which cannot be read (%w)", to, t.err)
	}
	return t
}

// How many of the crawlers are tried that a built robots.txt names and lets in.
const (
	mostTried     = 5
	mostTriedURLs = 2 // with each of them
)

// tryCrawlers asks for some URLs under the names of crawlers that the built robots.txt names and
// the served one lets in, and warns if the edge refuses them. That is no error: it may know real
// crawlers by their addresses. Only URLs that answered with a page to verify itself are tried.
// results are those of the targets, nil for one that was not asked.
func (r *run) tryCrawlers(ctx context.Context, targets []target, results [][]seen.Answer) {
	isAskedAsOne := r.explicit && len(r.crawlers) == 1 && r.crawlers[0] != Everyone
	if isAskedAsOne {
		return // all requests were sent under this name, and their results say what it got
	}
	trial := crawlerTrial{run: r, requests: map[string]int{}}
	for i := range targets {
		// The status is the same for each crawler.
		isServed := results[i] != nil && results[i][0].Status/100 == 2
		if !isServed {
			continue
		}
		trial.askFor(ctx, &targets[i])
		if ctx.Err() != nil {
			return
		}
	}
}

// A crawlerTrial finds out whether an edge lets crawlers in.
type crawlerTrial struct {
	run *run
	// requests is how many were sent, by the name of a crawler in robots.txt; mostTriedURLs once
	// the crawler was refused.
	requests map[string]int
}

// askFor asks for a target as each crawler that the built robots.txt of its host names and that is
// still to be tried there. It asks nothing if the snapshot does not know that file, or if none is
// published.
func (c *crawlerTrial) askFor(ctx context.Context, t *target) {
	if !t.root.knowsRobots || t.root.files.Robots == nil {
		return
	}
	for _, name := range t.root.files.Robots.Agents() {
		crawler := policy.LookupCrawler(name) // nil for one whose user agent nobody knows
		if crawler == nil || !c.wants(name, t) {
			continue
		}
		c.request(ctx, name, crawler.Token, t)
		if ctx.Err() != nil {
			return
		}
	}
}

// wants reports whether a target is to be asked for under a crawler's name: the served robots.txt
// lets it in, and there were not enough requests yet, neither under that name nor under others.
func (c *crawlerTrial) wants(name string, t *target) bool {
	requests, wasTried := c.requests[name]
	hasEnough := requests == mostTriedURLs || !wasTried && len(c.requests) == mostTried
	return !hasEnough && t.root.server.ban(name, t.at) == ""
}

// request asks for a target as a crawler, and warns if it is refused: then once is enough.
func (c *crawlerTrial) request(ctx context.Context, name, token string, t *target) {
	c.requests[name]++
	ask := func() (*response, error) {
		return c.run.fetcher.sendAs(ctx, t.root.server, t.at, UserAgentOf(token), nil)
	}
	p, err := ask()
	if err != nil && !isTimeout(err) { // a broken connection may be chance, and a time-out takes long enough once
		p, err = ask()
	}
	if refusal := refusalOf(token, p, err); ctx.Err() == nil && refusal != "" {
		c.run.warn("%s: the edge %s, and robots.txt lets it in", t.at, refusal)
		c.requests[name] = mostTriedURLs
	}
}

// UserAgentOf is a user agent by which an edge takes a client for a crawler, and that says who it
// is.
func UserAgentOf(token string) string {
	return "Mozilla/5.0 (compatible; " + token + "; sent by metarobots verify)"
}
