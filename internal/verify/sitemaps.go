package verify

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/emit/sitemap"
	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
)

// Limits of what is read from sitemaps.
const (
	maxSitemaps = 1000     // files in all; an index may name 50,000
	maxListed   = 100_000  // URLs in all, which are asked for hours
	maxText     = 32 << 20 // bytes of these URLs
	maxURL      = 2048     // bytes of one. https://www.sitemaps.org/protocol.html#locdef
)

// maxMemory is how much the program takes, in bytes, whatever a host sends: the limits above come
// to half of it, with one sitemap that is read, and Go's collector runs as often as that needs.
const maxMemory = 400 << 20

// limitMemory has Go's collector keep to the limit, unless the user has set a lower one, until the
// returned function is called.
func limitMemory() (restore func()) {
	was := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(was, maxMemory))
	return func() { debug.SetMemoryLimit(was) }
}

// ErrNoSitemap is matched by the [project.InvalidError] where no sitemap lists a URL below the
// base.
var ErrNoSitemap = errors.New("no sitemap lists a URL there")

// Sitemaps requests o.Base and every URL below it that the site's sitemaps list: those of
// robots.txt, and sitemap.xml of the base and of the host. Such a URL should be indexed, so it
// should be reachable, not redirected, not disallowed and not noindex. Errors are those of
// [Against].
func Sitemaps(ctx context.Context, o AskOptions) (*Report, error) {
	defer limitMemory()()
	roots, _, err := rootsOf(&snapshot.Snapshot{}, o.Base)
	r := newRun(o, roots)
	r.report.Summary.Source = FromSitemaps
	if err = r.start(ctx, err); err == nil {
		err = r.unreached()
	}
	if err != nil {
		return r.askAll(ctx, nil, err)
	}
	c := newCollector(r, roots[0])
	err = c.collect(ctx)
	return r.askAll(ctx, c.targets, err)
}

// A collector makes targets of the URLs that sitemaps or a list name, each once and within limits.
type collector struct {
	run           *run
	root          root // below whose base URLs are requested
	queue         []listing
	read          int             // how many of the queue are read
	knownSitemaps map[string]bool // by URL
	knownURLs     map[string]bool
	notIndexable  map[string]bool // URLs that a list calls so
	targets       []target
	textSize      int      // bytes of the targets' URLs, as listed
	faults        int      // sitemaps that cannot be read
	unread        []string // why each sitemap is not read, those too that are only guessed

	// Of what is not requested:
	excess       excess
	foreign      int    // URLs that are not below the base
	firstForeign string // the first of them
	elsewhere    elsewhereListed
}

// newCollector makes a collector of URLs below the base of a root.
func newCollector(r *run, root root) *collector {
	return &collector{run: r, root: root, knownSitemaps: map[string]bool{}, knownURLs: map[string]bool{}}
}

// An excess is what is above the limits, and not requested.
type excess struct {
	urls, sitemaps int
	tooLong        int // URLs of pages and of sitemaps
}

// elsewhereListed is what sitemaps list of other hosts.
type elsewhereListed struct {
	urls         []*url.URL // of pages; kept as long as no URL is listed below the base
	textSize     int        // bytes of these URLs, as listed
	sitemaps     []listing
	moreSitemaps int // how many further ones there are, whose addresses are not kept
	// twin is the host that [collector.takeTwin] found, and whose sitemaps are read at the base; nil
	// if it found none. Those of a Twin of the options are not: its caller reads them at that host.
	twin *url.URL
}

// A listing is a sitemap to read; by is the file and line that lists it, empty for a guessed one.
type listing struct {
	at *url.URL
	by string
}

// collect reads the sitemaps that robots.txt names, the two that are guessed, and those that these
// list, and makes targets of the URLs in them and of the home page, sorted by name. If the sitemaps
// list nothing but URLs of one other host, it takes that host for a twin of the base. Sitemaps that
// list no URL below the base are an error, or a warning if the options are content with the home
// page. Otherwise the error is the context's.
func (c *collector) collect(ctx context.Context) error {
	c.addFirstSitemaps()
	err := c.readQueue(ctx)
	mayHaveTwin := len(c.targets) == 0 && c.run.options.Twin == nil // else the caller names it
	if err == nil && mayHaveTwin {
		err = c.takeTwin(ctx)
	}
	if err != nil {
		return err
	}
	c.warnOfElsewhere()
	if len(c.targets) == 0 {
		err = c.goOnWithoutURLs()
	}
	if err == nil {
		// The home page should be indexed, listed or not: a sitemap of a site whose home page is
		// noindex by accident leaves it out.
		c.addURL(c.root.base.String())
	}
	c.warnOfLimits() // after the last URL that may be above one
	sortByName(c.targets)
	return err
}

// warnOfElsewhere warns of the sitemaps on other hosts, which are not read: of those whose
// addresses are kept, and the rest by their number, with those that cannot be read.
func (c *collector) warnOfElsewhere() {
	for _, l := range c.elsewhere.sitemaps {
		c.warnOfSitemap("%s: the sitemap %s lies on another host and is not read", l.by, l.at)
	}
	c.faults += c.elsewhere.moreSitemaps
}

// goOnWithoutURLs decides whether the run goes on if no URL is listed: with a warning, if the
// options are content with the home page; else it fails.
func (c *collector) goOnWithoutURLs() error {
	if !c.run.options.Files.AsksHomeAlone {
		return project.Invalid(fmt.Errorf("%s: %w (%s). --urls FILE requests the URLs of a list, "+
			"--against FILE those of a snapshot", c.root.base, ErrNoSitemap, c.whyNone()))
	}
	c.run.warn("%s: %v (%s): the home page alone is requested. "+
		"--urls FILE requests the URLs of a list", c.root.base, ErrNoSitemap, c.whyNone())
	c.run.report.IsHomeAlone = true
	return nil
}

// whyNone says why no URL is listed: what was answered in place of robots.txt and of each sitemap,
// the first ones.
func (c *collector) whyNone() string {
	var reasons []string
	if shut := c.root.server.shut; shut != "" {
		reasons = append(reasons, shut+", so crawlers read nothing")
	}
	if reasons = append(reasons, c.unread[:min(mostReasons, len(c.unread))]...); len(reasons) == 0 {
		return "each sitemap lists none"
	}
	return strings.Join(reasons, "; ")
}

// mostReasons is how many sitemaps a message names that list nothing.
const mostReasons = 2

// readQueue reads the sitemaps of the queue that are not read yet, and those that these add to it.
func (c *collector) readQueue(ctx context.Context) error {
	for ; c.read < len(c.queue); c.read++ {
		l := c.queue[c.read]
		err := c.readSitemap(ctx, l)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue
		}
		c.unread = append(c.unread, fmt.Sprintf("%s: %v", l.at, err))
		if isGuess := l.by == ""; isGuess && errors.Is(err, errMissing) {
			continue // nobody says that there is one
		}
		c.warnOfSitemap("%s: %v", l.at, err)
	}
	return nil
}

// errMissing is matched by the error of a sitemap that is not there: something else is answered in
// its place. It has no text, so that it can be wrapped beside the words of another error.
var errMissing = errors.New("")

// takeTwin makes targets, below the base, of the paths of the one other host that sitemaps name, as
// those of a preview name production's. It sets the options' Twin, reads that host's sitemaps here,
// and notes it for the user. It does nothing if the sitemaps name no other host, or several. The
// error is the context's.
func (c *collector) takeTwin(ctx context.Context) error {
	urls, sitemaps, base := c.elsewhere.urls, c.elsewhere.sitemaps, c.root.base
	named := slices.Clone(urls)
	for _, l := range sitemaps {
		named = append(named, l.at)
	}
	hasNoHost := func(u *url.URL) bool { return u.Host == "" } // such as what is no URL
	named = slices.DeleteFunc(named, hasNoHost)
	isOfOther := func(u *url.URL) bool { return !sameHost(u, named[0]) }
	if len(named) == 0 || slices.ContainsFunc(named, isOfOther) {
		return nil
	}
	twin := &url.URL{Scheme: named[0].Scheme, Host: named[0].Host, Path: base.Path, RawPath: base.RawPath}
	c.run.options.Twin = twin
	c.elsewhere, c.foreign, c.firstForeign = elsewhereListed{twin: twin}, 0, ""
	for _, u := range urls {
		c.addURL(u.String())
	}
	for _, l := range sitemaps {
		c.addSitemap(l.at.String(), l.by)
	}
	err := c.readQueue(ctx)
	if len(c.targets) > 0 {
		c.run.note("the sitemaps name URLs of %s: the same paths are requested at %s", twin, base)
	}
	return err
}

// addFirstSitemaps queues the sitemaps of robots.txt, and sitemap.xml of the base and of the host,
// which are guessed.
func (c *collector) addFirstSitemaps() {
	if s := c.root.server; s.shut != "" {
		c.run.warn("%s: whether it names sitemaps is not known", s.shut)
	} else if s.files.Robots != nil {
		for _, l := range s.files.Robots.Sitemaps() {
			c.addSitemap(l.Value, fmt.Sprintf("robots.txt:%d", l.Number))
		}
	}
	const guessed = ""
	c.addSitemap(c.root.base.JoinPath("sitemap.xml").String(), guessed)
	c.addSitemap("/sitemap.xml", guessed)
}

// expectedNotIndexable is the number of targets that a list calls not indexable.
func (c *collector) expectedNotIndexable() (n int) {
	for i := range c.targets {
		if c.targets[i].isNotIndexable {
			n++
		}
	}
	return n
}

// warnOfLimits warns of what was listed and is not requested, with its number.
func (c *collector) warnOfLimits() {
	if more := c.faults - maxFaults; more > 0 {
		c.run.warn("%s cannot be read", robotstag.Count(more, "more sitemap", "more sitemaps"))
	}
	if c.foreign > 0 {
		say := c.run.warn
		if c.run.report.Summary.Source != FromSitemaps { // a list may be of several sites
			say = c.run.note
		}
		say("%s not below %s and not requested, %s for one", listedAre(c.foreign), c.root.base, c.firstForeign)
	}
	if c.excess.sitemaps > 0 {
		c.run.warn("%s not read: the limit is %d",
			robotstag.Count(c.excess.sitemaps, "of the sitemaps is", "of the sitemaps are"), maxSitemaps)
	}
	if c.excess.urls > 0 {
		c.run.warn("%s not requested: the limit is %d, and %d MB of them", listedAre(c.excess.urls),
			maxListed, maxText>>20)
	}
	if c.excess.tooLong > 0 {
		c.run.warn("%s not requested: more than the %d bytes that a sitemap allows", listedAre(c.excess.tooLong), maxURL)
	}
}

// listedAre begins a sentence about so many of the URLs that are listed.
func listedAre(n int) string {
	return robotstag.Count(n, "of the listed URLs is", "of the listed URLs are")
}

// maxFaults is how many sitemaps are named that cannot be read.
const maxFaults = 1000

// warnOfSitemap warns of a sitemap that cannot be read. Those beyond the limit are counted for
// [collector.warnOfLimits].
func (c *collector) warnOfSitemap(format string, args ...any) {
	if c.faults++; c.faults <= maxFaults {
		c.run.warn(format, args...)
	}
}

// addSitemap queues a sitemap to be read, if it is on the host of the base and new. text is its
// URL, which may be relative to the base. by is the file with the line, or the sitemap, that lists
// it, empty for one that is guessed. What is too long, no URL, or beyond the limits is counted, or
// reported, and not queued. If a twin was found (elsewhere.twin), a sitemap of its host is read at
// the host of the base.
func (c *collector) addSitemap(text, by string) {
	if len(text) > maxURL {
		c.excess.tooLong++
		return
	}
	u, err := c.root.base.Parse(text)
	isTwins := err == nil && c.elsewhere.twin != nil && sameHost(u, c.elsewhere.twin)
	if isTwins {
		u.Scheme, u.Host = c.root.base.Scheme, c.root.base.Host
	}
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https":
		c.warnOfSitemap("%s: the sitemap %q is not a URL", by, text)
	case !sameHost(u, c.root.base):
		c.keepForeignSitemap(listing{u, by})
	case len(c.queue) == maxSitemaps: // whether it is known already matters no more
		c.excess.sitemaps++
	case addNewURL(c.knownSitemaps, u):
		c.queue = append(c.queue, listing{u, by})
	}
}

// keepForeignSitemap keeps a sitemap on another host, for a message, and for [collector.takeTwin],
// which may read it at the host of the base.
func (c *collector) keepForeignSitemap(l listing) {
	if len(c.elsewhere.sitemaps) == maxFaults {
		c.elsewhere.moreSitemaps++
	} else if addNewURL(c.knownSitemaps, l.at) {
		c.elsewhere.sitemaps = append(c.elsewhere.sitemaps, l)
	}
}

// addNewURL adds a URL to those that are known, and reports whether it was not among them. It
// strips the URL of what is not requested: the user and the fragment.
func addNewURL(known map[string]bool, u *url.URL) (isNew bool) {
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	key := u.String()
	isNew = !known[key]
	known[key] = true
	return isNew
}

// readSitemap gets one sitemap, and adds what it lists: the URLs of pages to the targets, or those
// of an index to the queue. The error says what is wrong with it, and matches [errMissing] if there
// is no sitemap at all. One that is longer than a sitemap may be is an error too, after what it
// lists up to there was added.
func (c *collector) readSitemap(ctx context.Context, l listing) error {
	p, err := c.run.fetcher.getFile(ctx, c.root.server, l.at, maxSitemap)
	if err != nil {
		return err
	}
	if p.status != http.StatusOK {
		return fmt.Errorf("status %d%w", p.status, errMissing)
	}
	locs, isIndex, err := locations(p.body)
	if err != nil {
		return faultOfSitemap(p, err)
	}
	for _, loc := range locs {
		if isIndex {
			c.addSitemap(loc, l.at.String())
		} else {
			c.addURL(loc)
		}
	}
	if p.isCut {
		return fmt.Errorf("it is longer than %d MB", maxSitemap>>20)
	}
	return nil
}

// faultOfSitemap is the error of a response that cannot be read as a sitemap, because of err. It
// matches [errMissing] if the response is something else than a broken sitemap: many hosts answer
// every URL with a page.
func faultOfSitemap(p *response, err error) error {
	const untold = ""
	beginsAsPage := isHTML(untold, p.body) // whatever its type
	switch {
	case beginsAsPage && isHTML(p.header.Get("Content-Type"), p.body):
		return fmt.Errorf("an HTML page, not a sitemap%w", errMissing)
	case beginsAsPage || errors.Is(err, sitemap.ErrNoSitemap):
		return fmt.Errorf("%w%w", err, errMissing)
	}
	return err
}

// unpack returns data, or if it is compressed by gzip what is in it, up to the size of a sitemap.
func unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(z, maxSitemap+1))
	if err == nil && len(data) > maxSitemap {
		err = fmt.Errorf("it is longer than %d MB once it is unpacked", maxSitemap>>20)
	}
	return data, err
}

// locations are the URLs that a sitemap lists, which may be compressed: of pages, or of an index of
// sitemaps. With an error there are none.
func locations(data []byte) (locs []string, isIndex bool, err error) {
	if data, err = unpack(data); err != nil {
		return nil, false, err
	}
	f, err := sitemap.Read(data)
	if err != nil {
		return nil, false, err
	}
	for _, e := range f.Entries {
		if e.Loc != "" {
			locs = append(locs, e.Loc)
		}
	}
	return locs, f.Index, nil
}

// addURL makes a target of a URL that is listed, if it is below the base and new. Any other URL is
// counted as foreign, or in c.excess if it is above the limits. loc is the URL as it is listed.
func (c *collector) addURL(loc string) {
	if len(loc) > maxURL {
		c.excess.tooLong++
		return
	}
	u, err := url.Parse(loc)
	if err != nil { // what is no URL is not below the base, and is reported as it is written
		u = &url.URL{Opaque: loc}
	}
	u = c.moveFromTwin(u)
	isAtLimit := len(c.targets) == maxListed || c.textSize > maxText
	switch {
	case !isBelow(c.root.base, u):
		c.addForeign(u, len(loc))
	case isAtLimit: // whether it is a target already matters no more
		c.excess.urls++
	case addNewURL(c.knownURLs, u):
		c.textSize += len(loc)
		name := c.nameOf(u)
		c.targets = append(c.targets, target{name: name, page: name, address: name, at: u, root: c.root,
			stratum: stratumOf(seen.Told{}, name), isNotIndexable: c.notIndexable[loc]})
	}
}

// addForeign counts a URL that is not below the base. As long as there are no targets it is kept
// too, for [collector.takeTwin]: the site may be listed under another host's name. size is its
// length as listed.
func (c *collector) addForeign(u *url.URL, size int) {
	u.User = nil // a message may name it
	c.foreign, c.firstForeign = c.foreign+1, cmp.Or(c.firstForeign, u.String())
	isListedUnderOwnName := len(c.targets) > 0
	switch {
	case isListedUnderOwnName:
		c.elsewhere.urls, c.elsewhere.textSize = nil, 0
	case len(c.elsewhere.urls) < maxListed && c.elsewhere.textSize <= maxText:
		c.elsewhere.textSize += size
		c.elsewhere.urls = append(c.elsewhere.urls, u)
	}
}

// isBelow reports whether a URL is on the host of a base and its path is below that of the base.
func isBelow(base, u *url.URL) bool {
	return sameHost(u, base) && strings.HasPrefix(u.EscapedPath()+"/", base.EscapedPath())
}

// moveFromTwin returns for a URL below the twin, if there is one, the same path below the base. It
// returns every other URL as it is.
func (c *collector) moveFromTwin(u *url.URL) *url.URL {
	twin, base := c.run.options.Twin, c.root.base
	if twin == nil || !isBelow(twin, u) || isBelow(base, u) {
		return u
	}
	moved := base.JoinPath(strings.TrimPrefix(u.EscapedPath(), strings.TrimSuffix(twin.EscapedPath(), "/")))
	moved.RawQuery = u.RawQuery
	return moved
}

// nameOf is the name of a target at a URL below the base: the path from there with its query, or
// the whole URL if its scheme is another.
func (c *collector) nameOf(u *url.URL) string {
	base := c.root.base
	if u.Scheme != base.Scheme {
		return u.String()
	}
	path := strings.TrimPrefix(u.RequestURI(), strings.TrimSuffix(base.EscapedPath(), "/"))
	return "/" + strings.TrimPrefix(path, "/")
}
