package plan

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/emit/robotstag"
	"metarobots/internal/config"
	"metarobots/internal/headerfile"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A newestFinder finds what pages of old versions are to name as canonical: the page of the newest
// version (L10j).
type newestFinder struct {
	project  *project.Project
	versions *versions.Set
	sites    Sites
	folder   project.Listing
	headers  *headerfile.Files
	page     func(name string) *Page // a page that is decided on; nil if there is none
}

// pageFor returns the page that a file of an old version is to name: /docs/2.0/a/ for /docs/1.0/a/.
// to is nil if no page is fit for that: one in another language is not, nor is one that is noindex
// for a crawler that may list the file. isThere says that the newest version has a file of that
// name.
func (n *newestFinder) pageFor(pg *Page) (to *Page, isThere bool) {
	in, group := n.versions.InNewest(pg.File.Name)
	if group == nil {
		return nil, false
	}
	same := n.page(in)
	if same == nil {
		return nil, false
	}
	of := n.page(n.folder.Symlinks[in].Target) // nil if it is there by no symlink
	if sharesLink := of != nil && of.Links.Self != ""; sharesLink {
		same = of
	}
	to = n.representing(same)
	if to == nil || !isOneLanguage(pg.File.Facts.Language, to.File.Facts.Language) ||
		isClosedToMore(to, pg) {
		return nil, true
	}
	return to, true
}

// isClosedToMore reports whether a page is noindex for a crawler that may list another page: that
// would leave the crawler's index if it named the first one.
func isClosedToMore(to, other *Page) bool {
	isClosed := func(pg *Page, crawler string) bool {
		return slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
			return s.Crawler == crawler && s.Directives.NoIndex() &&
				s.Origin.Layer != policy.LayerEnvironment
		})
	}
	return slices.ContainsFunc(to.Decision.Statements, func(s policy.Statement) bool {
		return isClosed(to, s.Crawler) && !isClosed(other, s.Crawler)
	})
}

// isOneLanguage reports whether two languages may be one: one of them is not known, or says no more
// than a region of the other, as "en" and "en-GB".
func isOneLanguage(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == "" || b == "" || strings.HasPrefix(a+"-", b+"-") || strings.HasPrefix(b+"-", a+"-")
}

// representing is the page that represents one of the newest version: the page itself, or the one
// that it names as canonical or to which hosts redirect it; nil if that is not fit to be named.
func (n *newestFinder) representing(same *Page) *Page {
	if !n.isFit(same) {
		return nil
	}
	at, ok := n.canonicalOf(same)
	if !ok {
		return nil
	}
	to := same
	if at != n.sites.Preferred(same) || n.isRedirected(at) {
		to = n.servedAt(at)
	}
	if to == nil || !n.isFit(to) {
		return nil
	}
	if at, ok = n.canonicalOf(to); !ok {
		return nil
	}
	if isCopy := to != same && !n.sites.Names(at, to.File.Name); isCopy {
		return nil
	}
	return to
}

// canonicalOf is what a page names as canonical, by the link in its head or by a header, as an
// encoded path from the publish root: its preferred address if it names nothing else. ok is false
// if that is on another site, if several links do not agree, or if a rule has it name what is not
// known yet; then at means nothing. Of links in the head to other pages only the first is known
// (Maker.relate).
func (n *newestFinder) canonicalOf(pg *Page) (at string, ok bool) {
	own := n.sites.Preferred(pg)
	at = own
	isNamed := pg.Links.Self != "" // whether a link or a header names at: the page itself, or another
	if r := pg.Links.Related; r != nil && r.Line != 0 {
		if isElsewhere := r.Canonical == ""; isElsewhere || isNamed { // by its link in the head
			return "", false
		}
		at, isNamed = r.Canonical, true
	}
	lines := n.headers.Canonicals(pg.File.Name)
	for _, l := range lines {
		to, isOnSite := n.project.ResolveLink(pg.File.Name, l.Canonical(), project.UnknownIsForeign)
		if isOnSite && n.sites.Names(to, pg.File.Name) {
			to = own
		}
		if !isOnSite || isNamed && !n.sites.SamePage(at, to) {
			return "", false
		}
		at, isNamed = to, true
	}
	isOwnersAlone := len(lines) > 0 // no rule adds another canonical link beside the owner's (H4b)
	return at, isOwnersAlone || !n.isRuledElsewhere(pg)
}

// isRuledElsewhere reports whether a rule for other headers may have a file name another one as
// canonical.
func (n *newestFinder) isRuledElsewhere(pg *Page) bool {
	isItself := pg.File.HTML && pg.File.Of == nil // which is what {page} is then
	return slices.ContainsFunc(canonicalRules(n.project, pg), func(r config.HeaderRule) bool {
		return slices.ContainsFunc(r.Lines, func(l config.HeaderLine) bool {
			return isCanonicalLine(l) && !(isItself && l.Link.Target == "{page}")
		})
	})
}

// isFit reports whether a page may be named as canonical (H2h).
func (n *newestFinder) isFit(pg *Page) bool {
	return pg.File.Role.Policed() && !pg.Hidden() && !n.versions.IsOld(pg.File.Name)
}

// isRedirected reports whether hosts only redirect a path from the publish root.
func (n *newestFinder) isRedirected(at string) bool {
	_, only := n.sites.Redirects(at)
	return only
}

// servedAt is the page to which an encoded path from the publish root leads; nil if there is none.
func (n *newestFinder) servedAt(at string) *Page {
	if at == "" {
		return nil
	}
	for name := range n.sites.FilesReached(at) {
		if pg := n.page(name); pg != nil {
			return pg
		}
	}
	return nil
}

// absoluteURL is that of a page, by its preferred address; empty if the host of the site is not
// known.
func (n *newestFinder) absoluteURL(to *Page) string {
	host := n.project.HostOf(to.File.Name)
	if host.URL.Host == "" {
		return ""
	}
	return host.URL.Scheme + "://" + host.URL.Host + host.Base + fromRoot(host, n.sites.Preferred(to))
}

// newestFinder finds among the pages that are decided on so far.
func (mk *Maker) newestFinder() *newestFinder {
	page := func(name string) *Page {
		mk.mu.Lock()
		defer mk.mu.Unlock()
		return mk.decided[name]
	}
	return &newestFinder{mk.project, mk.versions, mk.sites, mk.folder, mk.headers, page}
}

// newestFinder finds among the plan's pages.
func (s *Plan) newestFinder() *newestFinder {
	headers := &headerfile.Files{All: s.Headers}
	return &newestFinder{s.Project, s.Versions, s.Sites, s.Folder, headers, s.Page}
}

// IsToNameNewest reports whether a file is a page of an old version that is to name the one of the
// newest as canonical. It is decided on after that one: a build that hands over the page has to
// hold it until [Maker.Finish].
func (mk *Maker) IsToNameNewest(f *site.File) bool {
	isAskedFor := mk.project.Config.Robots.Versions.Canonical != nil
	return f.HTML && f.CopyOf == "" && isAskedFor && mk.versions.IsOld(f.Name)
}

// nameNewest makes a page of an old version name the one of the newest version as canonical (L10j),
// for [editor.html]. It returns the edits that put the link into the page's head, or have each
// canonical link there name that page; nil if there is nothing to do. facts are what was scanned in
// the page as its generator made it, which e.scanner.Text still is, and from which pg.Links is set
// already. It sets in Related there what the page names then; Self stays. The cases, the first that
// holds:
//
//	it is noindex, or has a canonical header (mayNameNewest)   it is left alone
//	the newest version has no page that is fit to be named     it is left alone
//	the site's host is not known: such a link is a whole URL   it is left alone
//	it has a canonical link that stays (mayNameInLinks)        it is left alone
//	its bytes are not edited (M5): it is a fragment, in an     a header is asked for, unless it has a
//	encoding that is not edited, or a symlink to no page       canonical link
//	it names the page of the newest version already            it is left alone
//	a symlink from outside (sharedOutside) shares its tags     it is left alone, and that is reported
//	any other page                                             edits
func (e *editor) nameNewest(pg *Page, facts *head.Facts) []patch.Edit {
	if !e.mk.mayNameNewest(pg) {
		return nil
	}
	finder := e.mk.newestFinder()
	to, _ := finder.pageFor(pg)
	if to == nil {
		return nil
	}
	url := finder.absoluteURL(to)
	links := finder.targetsOf(pg, to, facts)
	if isHostKnown := url != ""; !isHostKnown || !e.mayNameInLinks(pg, facts, links) {
		return nil
	}
	r := pg.Links.toOthers()
	_, isLink := e.mk.folder.Symlinks[pg.File.Name] // to a file that is no page: pageInOtherFile
	if isEdited := !facts.Fragment && facts.Encoding == "" && !isLink; !isEdited {
		pg.Links.askForHeaderNaming(url)
		return nil
	}
	namesNewest := len(links) > 0 && links.all(toNewest)
	if namesNewest || e.isSharedFromOutside(pg) {
		return nil
	}
	r.Newest, r.Canonical = url, e.mk.sites.Preferred(to)
	if r.Line == 0 { // no link names another page: the line is that of the one to the page itself
		r.Line = int(pg.Links.SelfLine)
	}
	if r.Line == 0 { // nor is there such a link: the line is where one is put in
		r.Line = head.Line(e.scanner.Text, facts.Insert)
	}
	return facts.CanonicalEdits(url)
}

// askForHeaderNaming notes in l.Related, which is not nil, that a header is to name the URL of a
// page's newest version, which [headerRules.lineNamingNewest] reads. A page with a canonical link,
// to itself or another page, gets none: the two would contradict each other.
func (l *Links) askForHeaderNaming(url string) {
	if hasCanonical := l.Self != "" || l.Related.Line != 0; !hasCanonical {
		l.Related.Newest, l.Related.ByHeader = url, true
	}
}

// mayNameNewest reports whether a page that is decided on may name one of the newest version as
// canonical: it is to do so, it is neither noindex nor a file that its generator left over, and no
// rule or line of its owner's gives it a canonical header.
func (mk *Maker) mayNameNewest(pg *Page) bool {
	// No run makes a left-over file anew, so that nothing would ever take the link out of it (M7m).
	isLeftOver := pg.File.Unknown
	return mk.IsToNameNewest(&pg.File) && !isLeftOver && pg.File.Role.Policed() && !pg.Hidden() &&
		!mk.hasCanonicalHeader(pg)
}

// isSharedFromOutside reports whether a symlink leads to a page from outside of the old versions
// (sharedOutside): it would share the link. That is reported, once for each symlink.
func (e *editor) isSharedFromOutside(pg *Page) bool {
	if e.shared == nil {
		e.shared = e.mk.sharedOutside()
	}
	name, ok := e.shared[pg.File.Name]
	if !ok {
		return false
	}
	link := e.mk.folder.Symlinks[name].Link(name)
	pg.note(policy.Finding{ID: "canonical-kept", Severity: policy.Warning,
		Message: fmt.Sprintf("the symlink %s leads to this page of an old version from outside of "+
			"them and shares its canonical link, so the page is left as it is and does not name "+
			"the newest version", link)}, "symlink "+link)
	return true
}

// sharedOutside are the pages of old versions to which symlinks outside of these lead, each with
// the name that the page has by one of them: the first. A symlink with the name for a maintained
// release (lts) counts as one of an old version: it says itself that it is not the newest.
func (mk *Maker) sharedOutside() map[string]string {
	shared := map[string]string{}
	isOld := func(name string) bool {
		return mk.versions.IsOld(name) || mk.versions.IsMaintained(name)
	}
	for name, link := range mk.folder.Symlinks {
		first, isShared := shared[link.Target]
		isFirst := !isShared || name < first
		if mk.versions.IsOld(link.Target) && !isOld(name) && isFirst {
			shared[link.Target] = name
		}
	}
	return shared
}

// nameByHeader makes a page that is too large to be read name the one of the newest version by a
// header.
func (mk *Maker) nameByHeader(pg *Page) {
	finder := mk.newestFinder()
	to, _ := finder.pageFor(pg)
	if mk.IsToNameNewest(&pg.File) && to != nil {
		url := finder.absoluteURL(to)
		pg.Links.Related = &Related{Newest: url, ByHeader: url != ""}
	}
}

// A linkTarget is what a canonical link of a page of an old version names.
type linkTarget uint8

const (
	toItself linkTarget = iota
	toNewest            // what the page is to name
	// toOldVersion is the page of its path in another old version, or of the path of what it is to
	// name. An earlier run has written that when the version was the newest, and its state is lost;
	// or the theme's author did so then.
	toOldVersion
	toOther
	// toOtherOfOldVersion is another page of an old version, which is no end of the way if it names
	// the newest itself.
	toOtherOfOldVersion
)

// isKept reports whether a link that names this is its author's, and stays.
func (t linkTarget) isKept() bool { return t == toOther || t == toOtherOfOldVersion }

// linkTargets are those of the canonical links of a page, in their order.
type linkTargets []linkTarget

// all reports whether all links name the same kind of target.
func (links linkTargets) all(target linkTarget) bool {
	return !slices.ContainsFunc(links, func(t linkTarget) bool { return t != target })
}

// targetsOf says what the canonical links of pg, a page of an old version, name; to is the page of
// the newest version that pg is to name.
func (n *newestFinder) targetsOf(pg, to *Page, facts *head.Facts) (links linkTargets) {
	for _, link := range canonicalRelations(facts) {
		links = append(links, n.targetOf(pg, to, link.Href))
	}
	return links
}

// targetOf says what a canonical link of pg names, as for [newestFinder.targetsOf].
func (n *newestFinder) targetOf(pg, to *Page, href string) linkTarget {
	at, isOnSite := n.project.ResolveLink(pg.File.Name, href, project.UnknownIsForeign)
	switch {
	case !isOnSite:
		return toOther
	case n.sites.Names(at, pg.File.Name):
		return toItself
	case n.sites.SamePage(at, n.sites.Preferred(to)):
		return toNewest
	}
	own, group := n.versions.InNewest(pg.File.Name)
	target := toOther
	for name := range n.sites.FilesReached(at) {
		switch in, itsGroup := n.versions.InNewest(name); {
		case itsGroup != group:
		case in == own || in == to.File.Name:
			return toOldVersion
		default:
			target = toOtherOfOldVersion
		}
	}
	return target
}

// mayNameInLinks reports whether all canonical links of a page of an old version may name that of
// the newest: none of links, which are their targets, is kept. These are reported, and stay: one
// that is kept beside others, one to another page of an old version, and one that no crawler reads.
func (e *editor) mayNameInLinks(pg *Page, facts *head.Facts, links linkTargets) bool {
	if line := e.scanner.StrayCanonical(facts); line > 0 {
		pg.note(policy.Finding{ID: "canonical-kept", Severity: policy.Warning, Line: line,
			Message: "this canonical link is in the body, where crawlers do not read it, so the " +
				"page is left as it is and does not name the newest version"},
			"canonical in the body")
		return false
	}
	kept := slices.IndexFunc(links, linkTarget.isKept)
	if kept < 0 {
		return true
	}
	first := canonicalRelations(facts)[kept]
	switch {
	case len(links) > 1:
		pg.note(policy.Finding{ID: "canonical-kept", Severity: policy.Warning, Line: first.Line,
			Message: fmt.Sprintf("the page has %d canonical links, which do not name one page, so "+
				"it is left as it is and does not name the newest version", len(links))},
			"several canonical links")
	case links[kept] == toOtherOfOldVersion:
		pg.note(policy.Finding{ID: "canonical-kept", Severity: policy.Warning, Line: first.Line,
			Message: fmt.Sprintf("its canonical link names %s, which is of an old version, so the "+
				"page is left as it is and does not name the newest version", first.Href)},
			"canonical link to another page of an old version")
	}
	return false
}

// canonicalRelations are the canonical links among the relations of a page.
func canonicalRelations(facts *head.Facts) []head.Relation {
	isOther := func(r head.Relation) bool { return !r.Canonical }
	return slices.DeleteFunc(slices.Clone(facts.Relations), isOther)
}

// hasCanonicalHeader reports whether a page is to be served with a canonical link by a rule or a
// line of its owner's.
func (mk *Maker) hasCanonicalHeader(pg *Page) bool {
	return len(mk.headers.Canonicals(pg.File.Name)) > 0 || len(canonicalRules(mk.project, pg)) > 0
}

// canonicalRules are the rules for other headers that give a file a canonical link, without the one
// for twins.
func canonicalRules(p *project.Project, pg *Page) (selecting []config.HeaderRule) {
	isForOthers := func(r config.HeaderRule) bool {
		return r.Twins || !slices.ContainsFunc(r.Lines, isCanonicalLine)
	}
	rules := slices.DeleteFunc(slices.Clone(p.Config.Robots.Headers.Rules), isForOthers)
	if len(rules) == 0 {
		return nil
	}
	files := config.FilesOf(rules)
	for _, i := range files.Selecting(&pg.File.Subject) {
		selecting = append(selecting, rules[i])
	}
	return selecting
}

// isCanonicalLine reports whether a line of a rule is a canonical link.
func isCanonicalLine(l config.HeaderLine) bool {
	return isCanonical(headerfile.Line{Name: l.Name, Value: l.Value})
}

// lineNamingNewest is the line of the header by which a file of an old version names that of the
// newest one, if the key versions asks for it (L10j). Three kinds of files do it by a header:
//
//	a document, manual.pdf             names the document of the newest version
//	a page whose bytes are not edited  names the page, as [editor.nameNewest] has noted in
//	                                   Related.ByHeader
//	a twin, a.md for a.html            names the twin there, or the page if a rule has twins name
//	                                   their pages
//
// ok is false for any other file, for one that is noindex, if the host serves no headers of the
// site's own, and if no page is fit to be named or its URL is not known. own are the canonical
// links of the owner's own lines for the file: if there are any, they stay alone. A rule of the
// configuration for the file outweighs the line, which is the caller's matter (askedLines).
func (h *headerRules) lineNamingNewest(pg *Page, own []headerfile.Line) (
	line headerfile.Line, ok bool) {
	s := h.plan
	key := s.Project.Config.Robots.Versions.Canonical // where it is asked for; nil if it is not
	isLeftAlone := len(own) > 0 || s.Headerless() || !pg.File.Role.Policed() || pg.Hidden()
	if key == nil || isLeftAlone || !s.Versions.IsOld(pg.File.Name) || !s.mayNameByHeader(pg) {
		return line, false
	}
	finder := s.newestFinder()
	to, _ := finder.pageFor(s.namesakeOf(pg))
	if to == nil { // the newest version has nothing fit under that name
		return line, false
	}
	url := finder.absoluteURL(to)
	if url == "" { // the host of the site is not known
		return line, false
	}
	return headerfile.Line{Name: robotstag.LinkName, Value: "<" + url + `>; rel="canonical"`,
		Origin: *key}, true
}

// mayNameByHeader reports whether a file of an old version is of one of the three kinds that
// [headerRules.lineNamingNewest] has.
func (s *Plan) mayNameByHeader(pg *Page) bool {
	if pg.File.HTML {
		return pg.Links.Related != nil && pg.Links.Related.ByHeader
	}
	return site.IsDocument(pg.File.Name) || s.TwinOf(pg) != nil
}

// namesakeOf is the file of an old version by whose name the newest version is searched for what a
// file of the old one is to name: the file itself, or the page of a twin if a rule has twins name
// their pages.
func (s *Plan) namesakeOf(pg *Page) *Page {
	isForTwins := func(r config.HeaderRule) bool { return r.Twins }
	hasRule := slices.ContainsFunc(s.Project.Config.Robots.Headers.Rules, isForTwins)
	if page := s.TwinOf(pg); page != nil && hasRule {
		return page
	}
	return pg
}

// TagsNewest is the URL that the canonical link in a page's head names because its version is old;
// empty for none.
func (pg *Page) TagsNewest() string {
	if pg.Links.Related == nil || pg.Links.Related.ByHeader {
		return ""
	}
	return pg.Links.Related.Newest
}

// A Naming says of a file of an old version whether it names the one of the newest version as
// canonical.
type Naming uint8

const (
	NotAsked    Naming = iota // the file is of no old version, or nothing of that kind is asked of it
	NamesNewest               // by a tag or a header, ours or its owner's
	OnlyOld                   // the newest version has no file of that name
	Unfit                     // what the newest version has there may not be named (pageFor)
	NamesOther                // its owner has it name another page
	NamesNone                 // it is noindex, or cannot name another page
)

// NamingOf says it of a file of a finished plan, for the checks.
func NamingOf(s *Plan, pg *Page) Naming {
	isPage := pg.File.HTML || site.IsDocument(pg.File.Name) || s.TwinOf(pg) != nil
	if s.Project.Config.Robots.Versions.Canonical == nil || !isPage || !pg.File.Role.Policed() ||
		!s.Versions.IsOld(pg.File.Name) {
		return NotAsked
	}
	finder := s.newestFinder()
	to, isThere := finder.pageFor(s.namesakeOf(pg))
	switch {
	case !isThere:
		return OnlyOld
	case to == nil:
		return Unfit
	case s.names(pg, s.Sites.Preferred(to)), s.namesByHeader(pg):
		return NamesNewest
	case pg.Links.Related != nil && pg.Links.Related.Line > 0, s.IsCopy(pg):
		return NamesOther
	}
	return NamesNone
}

// names reports whether the canonical link of a page, in its head or in a header, names what is
// served at a path.
func (s *Plan) names(pg *Page, at string) bool {
	if r := pg.Links.Related; r != nil && r.Canonical != "" && s.Sites.SamePage(r.Canonical, at) {
		return true
	}
	l := pg.CanonicalHeader()
	if l == nil {
		return false
	}
	to, isOnSite := s.Project.ResolveLink(pg.File.Name, l.Canonical(), project.UnknownIsForeign)
	return isOnSite && s.Sites.SamePage(to, at)
}

// namesByHeader reports whether a file names another as canonical by a line that versions =
// "canonical" asks for.
func (s *Plan) namesByHeader(pg *Page) bool {
	l, key := pg.CanonicalHeader(), s.Project.Config.Robots.Versions.Canonical
	return l != nil && key != nil && l.Origin == *key
}
