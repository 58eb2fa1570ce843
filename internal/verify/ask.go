package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"metarobots/emit/head"
	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/robotsmeta"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/policy"
)

// maxHops is how many redirects a crawler follows to a page.
// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes
const maxHops = 10

// crawlersOf are the crawlers that a target is answered for: those of the options, or if there are
// none the usual ones, those of its decision, and named, which are those that its answer names.
func (r *run) crawlersOf(t *target, named ...string) []string {
	switch {
	case r.explicit:
		return r.crawlers
	case t.decision != nil:
		named = append(named, t.decision.Names()...)
	}
	return sorted(append(named, r.crawlers...))
}

// ask gets a target as crawlers do. Each URL on the way is requested only if one of the crawlers
// that the target is answered for may fetch it, and each of those whose names are sent. What went
// wrong is in the answer. A redirect off the host is not followed: it is where the answer leads.
func (r *run) ask(ctx context.Context, t *target) *answer {
	a := &answer{path: []*url.URL{t.at}, pages: r.pages, err: t.root.server.down}
	if a.err != nil { // the host cannot be reached
		return a
	}
	crawlers := r.crawlersOf(t)
	rule := redirectRule{most: maxHops, mayFollow: onHostOf(t.at)}
	p, err := follow(t.at, rule, func(path []*url.URL) (*response, error) {
		a.path = path
		p, err := r.getPage(ctx, t.root.server, a.final(), crawlers)
		if err == nil {
			a.status = p.status
		}
		if isFirst := len(path) == 1; isFirst {
			a.firstStatus = a.status
		}
		return p, err
	})
	away, isAway := errors.AsType[*awayError](err)
	switch {
	case isAway: // that is no fault of the URL
		a.away, a.awayText = away.to, "it leads to another host: "
	case err != nil:
		a.err = err
	default:
		a.readResponse(p, r.known)
	}
	return a
}

// getPage gets a URL, and its body if that may be HTML. It is an error if robots.txt bans all of
// the crawlers, or any of those whose names are sent. Its text is for the second case: in the
// first, each result has the ban itself, since that is judged first ([comparison.verdictOfBan]).
func (r *run) getPage(ctx context.Context, s *server, u *url.URL, crawlers []string) (*response, error) {
	isBanned := func(name string) bool { return s.ban(name, u) != "" }
	isAllowed := func(name string) bool { return !isBanned(name) }
	if slices.ContainsFunc(r.agents, isBanned) || !slices.ContainsFunc(crawlers, isAllowed) {
		return nil, errors.New("robots.txt blocks the crawler that --user-agent names, so it was not requested")
	}
	return r.fetcher.get(ctx, s, u, func(contentType string) int64 {
		if contentType != "" && !isHTML(contentType, nil) { // the header says all
			return 0
		}
		return maxPage
	})
}

// readResponse sets what the answer says by the response p of the last URL of its path: the
// X-Robots-Tag lines and their faults, canonical links, a refresh that leads away and, if the body
// is HTML, all that [answer.readPage] reads. A status without a page sets err and the header alone.
// known are the crawlers whose names tags may have.
func (a *answer) readResponse(p *response, known policy.Crawlers) {
	a.header = p.header
	if a.err = errorOfStatus(p.status); a.err != nil {
		return
	}
	if p.status == http.StatusPartialContent {
		a.note("answered 206, a part of it, to a request for all")
	}
	a.faults = headerFaults(a.robotsTags(), known)
	for _, link := range robotstag.Canonicals(strings.Join(p.header.Values(robotstag.LinkName), ", ")) {
		if to, err := a.final().Parse(link.Target); err == nil {
			a.canonicals = append(a.canonicals, to)
		}
	}
	if refresh, ok := head.ParseRefresh([]byte(p.header.Get("Refresh"))); ok {
		a.addRefresh("a Refresh header", a.final(), refresh)
	}
	contentType := p.header.Get("Content-Type") // may be empty: then the body tells
	if !isHTML(contentType, p.body) {
		return
	}
	if p.isCut {
		a.note("only the first %d MB are read, as crawlers do", maxPage>>20)
	}
	a.readPage(p.body, contentType, known)
}

// errorOfStatus says why crawlers get no page by a status that is no redirect; nil if they get one.
func errorOfStatus(status int) error {
	switch {
	case slices.Contains([]int{http.StatusNoContent, http.StatusResetContent, http.StatusNotModified}, status):
		return fmt.Errorf("status %d: no content", status)
	case status == http.StatusUnauthorized:
		return errors.New("status 401: it asks for a user and a password (--user)")
	case status/100 != 2:
		return fmt.Errorf("status %d", status)
	}
	return nil
}

// An answer is what came of asking for a URL.
type answer struct {
	path        []*url.URL // what was asked in turn: the URL, and where it led on this host
	pages       pageMap    // says which URLs are one page
	firstStatus int        // the status of the first URL of the path
	status      int        // of the last URL of the path that answered; 0 if none did
	header      http.Header
	metas       []seen.Meta // the robots metas of the page, as they came
	// metasInReach is how many of metas, from the first, end within what Googlebot reads of a page.
	metasInReach int
	// away is where it leads off the host, or by a refresh of a page that is sent all the same; nil
	// if it leads nowhere.
	away     *url.URL
	awayText string // what leads away, before the URL: "a meta refresh leads to "
	// canonical is another page, which the page itself names as the one to be indexed, by the first
	// such link; nil if it names none. Results compare what headers name as lines of theirs.
	canonical *url.URL
	// canonicals are where canonical links of the page and of the header lead, the page itself
	// included.
	canonicals []*url.URL
	title      string           // of the page; empty if there is none
	err        error            // why crawlers get no page; nil if they do, or if it leads away
	notes      []string         // what is odd about it, for each crawler
	faults     []policy.Finding // what is wrong with its tags and X-Robots-Tag lines
}

// headerFaults are what is wrong with X-Robots-Tag lines.
func headerFaults(lines []string, known policy.Crawlers) (all []policy.Finding) {
	for _, line := range lines {
		_, faults := policy.ParseHeader(line, policy.Audited, known)
		for _, f := range faults {
			f.Message = robotstag.Name + ": " + f.Message
			all = append(all, f)
		}
	}
	return all
}

// final is the URL that answered.
func (a *answer) final() *url.URL { return a.path[len(a.path)-1] }

// namesOthersAlone reports whether canonical links, such as one in the header of a PDF, all lead to
// other pages.
func (a *answer) namesOthersAlone() bool {
	isItself := func(to *url.URL) bool { return a.pages.isOnePage(to, a.final()) }
	return len(a.canonicals) > 0 && !slices.ContainsFunc(a.canonicals, isItself)
}

// wasRedirected reports whether redirects were followed, on the host of the URL.
func (a *answer) wasRedirected() bool { return len(a.path) > 1 }

// robotsTags are the X-Robots-Tag lines, as they came.
func (a *answer) robotsTags() []string { return a.header.Values(robotstag.Name) }

func (a *answer) note(format string, args ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, args...))
}

// A headerVerdict says what other headers of an answer differ in from the decided lines: the first
// line that is missing or looser, and the first that is stricter. Both are empty if all is as
// decided.
type headerVerdict struct{ looser, stricter string }

// compareHeaders compares the decided lines of other headers with those of an answer: preferences
// by what they mean, links as links, and others by their text.
func (a *answer) compareHeaders(lines []seen.Header) (v headerVerdict) {
	for _, l := range lines {
		got := strings.Join(a.header.Values(l.Name), ", ")
		isServed := strings.Join(strings.Fields(got), " ") == l.Value
		if l.Name == robotstag.LinkName {
			isServed = hasLink(got, l.Value)
		}
		if isServed {
			continue
		}
		difference, isRead := robotstxt.CompareHeader(l.Name, l.Value, got)
		missing := fmt.Sprintf("%s: %s missing; the answer has %s", l.Name, l.Value, cmp.Or(got, "no such header"))
		switch {
		case !isRead:
			v.looser = cmp.Or(v.looser, missing)
		case difference.Looser != "":
			v.looser = cmp.Or(v.looser, missing+": "+difference.Looser)
		case difference.Stricter != "":
			v.stricter = cmp.Or(v.stricter, missing+": "+difference.Stricter)
		}
	}
	return v
}

// hasLink reports whether a Link header has a link. A canonical one has to be the only canonical
// link: of several that contradict each other search engines use none.
func hasLink(header, link string) bool {
	links, _ := robotstag.ParseLinks(header)
	wanted, _ := robotstag.ParseLinks(link)
	isCanonical := func(l robotstag.Link) bool { return l.Is("canonical") }
	isWanted := func(l robotstag.Link) bool { return robotstag.SameLinks(l.Text, link) }
	others := slices.DeleteFunc(slices.Clone(links), isWanted)
	contradicts := slices.ContainsFunc(wanted, isCanonical) && slices.ContainsFunc(others, isCanonical)
	return len(others) < len(links) && !contradicts
}

// isHTML reports whether a body is read as HTML: by its type, and where it has none by its first
// bytes, as browsers do.
func isHTML(contentType string, body []byte) bool {
	if contentType == "" {
		contentType = http.DetectContentType(body)
	}
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return slices.Contains([]string{"text/html", "application/xhtml+xml"}, strings.TrimSpace(kind))
}

// maxMetas is how many robots metas are read of a page. No template prints so many.
const maxMetas = 1000

// A page of more than maxAtOnce bytes is read while readingLarge is held: several at once would
// take much memory.
const maxAtOnce = 1 << 20

var readingLarge sync.Mutex

// readPage adds to an answer what an HTML page says: the robots metas and what is wrong with them,
// the title, the canonical links, and where a meta refresh without delay sends its readers.
// contentType is the header's, which may name an encoding; it may be empty. a.path and a.header
// have to be set, since links are relative to the URL that answered, and are compared with those of
// the header.
func (a *answer) readPage(body []byte, contentType string, known policy.Crawlers) {
	if len(body) > maxAtOnce {
		readingLarge.Lock()
		defer readingLarge.Unlock()
	}
	text := inUTF8(body, contentType)
	facts := scanPage(text, known)
	const noFile = ""
	reader := robotsmeta.Reader{As: policy.Audited, Crawlers: known}
	read := reader.Read(noFile, facts)
	a.faults = slices.Concat(a.faults, read.Findings, read.Faults)
	a.title = strings.Clone(facts.Title) // a part of the text would keep all of it in memory
	a.keepMetas(text, facts.Robots)
	base := baseOf(a.final(), facts.Base)
	for _, link := range facts.Relations {
		if link.Canonical {
			a.addCanonical(link, base)
		}
	}
	if facts.Refresh == nil {
		return
	}
	from := a.final() // browsers read a refresh when they come to it, without a base element that follows
	if facts.IsBaseFirst {
		from = base
	}
	a.addRefresh("a meta refresh", from, *facts.Refresh)
}

// scanPage finds in the text of a page what crawlers read there: robots metas, also those for
// crawlers of a name, links, the title, a refresh. The page may have a meta of its own for
// metarobots, which says nothing to crawlers.
func scanPage(text []byte, known policy.Crawlers) *head.Facts {
	scanner, kindOfMeta := head.Scanner{Relations: true, Title: true}, robotsmeta.Kind(known)
	facts := scanner.Scan(text, func(name []byte) head.Kind {
		if string(name) == site.PageMetaName {
			return head.None
		}
		return kindOfMeta(name)
	})
	return &facts
}

// baseOf is the URL against which the addresses in a page are read: that of its base element, which
// may be relative to the page, else the page's own.
// https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url
func baseOf(page *url.URL, element string) *url.URL {
	base, err := page.Parse(element)
	if err != nil || base.Scheme == "data" || base.Scheme == "javascript" {
		return page
	}
	return base
}

// resolve reads an address in a page against a base. A relative one is none if the base has no
// path, as a mailto: has none. https://url.spec.whatwg.org/#no-scheme-state
func resolve(base *url.URL, address string) (*url.URL, error) {
	to, err := url.Parse(address)
	if err == nil && to.Scheme == "" && base.Opaque != "" {
		return nil, fmt.Errorf("%q is relative to %s", address, base)
	}
	return base.Parse(address)
}

// keepMetas keeps the robots metas of a page that crawlers obey, and sets how many of them
// Googlebot reaches. Those in which the scanner found a mistake, such as name="robot", or no
// content, say nothing to crawlers.
func (a *answer) keepMetas(text []byte, metas []head.Meta) {
	begin := 0 // of the page in the text: the mark before it may be ours
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		begin = len(byteOrderMark)
	}
	for _, m := range metas {
		if !m.HasContent || m.Mistake != "" {
			continue
		}
		if len(a.metas) == maxMetas {
			a.note("only the first %d robots tags are read", maxMetas)
			break
		}
		a.metas = append(a.metas, seen.Meta{Name: strings.Clone(m.Name), Content: strings.Clone(m.Content), Line: m.Line})
		if m.End-begin <= maxSearch {
			a.metasInReach = len(a.metas)
		}
	}
}

// addCanonical adds a canonical link of the page, and notes that it names another URL than one of
// the header. base is what the addresses of the page are read against; those of headers are read
// against the page's URL.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func (a *answer) addCanonical(tag head.Relation, base *url.URL) {
	own, err := resolve(base, tag.Href)
	if err == nil {
		a.canonicals = append(a.canonicals, own)
	}
	if err == nil && a.canonical == nil && !a.pages.isOnePage(own, a.final()) {
		a.canonical = own
	}
	links, _ := robotstag.ParseLinks(strings.Join(a.header.Values(robotstag.LinkName), ", "))
	for _, l := range links {
		to, broken := a.final().Parse(l.Target)
		if l.Is("canonical") && err == nil && broken == nil && !a.pages.isOnePage(own, to) {
			a.note("the header names %s as canonical, the page in line %d %s: search engines may use neither", l.Target,
				tag.Line, tag.Href)
		}
	}
}

// addRefresh adds that something on a page, by, sends its readers on, to an address that is read
// against the URL from. Without delay that is a redirect.
// https://developers.google.com/search/docs/crawling-indexing/301-redirects#metarefresh
func (a *answer) addRefresh(by string, from *url.URL, r head.Refresh) {
	if r.Delay != 0 || r.URL == "" || a.away != nil {
		return
	}
	if to, err := resolve(from, r.URL); err == nil && !a.pages.isOnePage(to, a.final()) {
		to.User = nil
		a.away, a.awayText = to, by+" leads to "
	}
}

// byteOrderMark says that a text is UTF-8, whatever it declares itself.
const byteOrderMark = "\ufeff"

// inUTF8 returns a page in UTF-8, by its byte order mark or its type. If neither names its
// encoding, the page is returned as it is: its own declaration counts, and whoever scans it reads
// that.
// https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
func inUTF8(body []byte, contentType string) []byte {
	_, parameters, _ := mime.ParseMediaType(contentType)
	label := parameters["charset"]
	text, isDecoded := head.InUTF8(body, label)
	if !isDecoded && label == "" {
		return body
	}
	return append([]byte(byteOrderMark), bytes.TrimPrefix(text, []byte(byteOrderMark))...)
}

// statements are what header and page say, read as text found or as documented. What is documented
// of a page ends where Googlebot reads no further.
func (a *answer) statements(known policy.Crawlers, as policy.Text) (header, page []policy.Statement) {
	metas := a.metas
	if as == policy.Documented {
		metas = metas[:a.metasInReach]
	}
	return seen.Statements(a.robotsTags(), metas, known, as)
}
