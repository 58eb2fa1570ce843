package plan

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/emit/sitemap"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A SitemapFile is one published sitemap, without the pages that leave it (S1).
type SitemapFile struct {
	Change state.Output // without bytes if the file stays as it is
	// Dropped is how many of its generator's entries are left out: pages, or of an index sitemaps.
	Dropped int
	// Index: it lists sitemaps, not pages.
	Index bool
	// Listed are the files of the entries that stay: noindex pages too, if the owner keeps us from
	// taking them out.
	Listed []*Page
	// Leaving are the files of the entries that this run takes out and that no earlier run did.
	Leaving []*Page
	// Alternates are the noindex pages that hreflang links of its other entries name, once for each
	// link.
	Alternates []*Page
	// Redirected are those of its addresses, as encoded paths from the publish root, that hosts
	// only redirect.
	Redirected []string
	// Relative are those of its addresses that are no whole URLs, as /about/: crawlers do not
	// accept them.
	Relative []string
	// Missing is an error if the new bytes do not list what is to stay (S1i).
	Missing []policy.Finding

	text []byte // unpacked
	file *sitemap.List
	// listed are the files that its entries name; nil for an address that no file has.
	listed []*Page
	// leftOut says of each entry whether it is taken out; nil if none is.
	leftOut []bool
}

// findControl finds the sitemaps that are not known by their names, which never get a policy (L6):
// those that robots.txt or a sitemap index names, and texts that are lists of URLs. It adds them to
// mk.control.
func (mk *Maker) findControl() {
	for _, host := range mk.project.Hosts.All {
		mk.findControlOf(host)
	}
}

// findControlOf is findControl for the files that one host serves.
func (mk *Maker) findControlOf(host project.Host) {
	search := &sitemapSearch{maker: mk, host: host}
	search.addFromRobots()
	search.addByName()
	for i := 0; i < len(search.sitemaps); i++ { // addFromIndex appends others
		search.addFromIndex(search.sitemaps[i])
	}
}

// A sitemapSearch finds the sitemaps of one host. It adds those to maker.control that are not known
// by their names. A sitemap that cannot be read names nothing.
type sitemapSearch struct {
	maker    *Maker
	host     project.Host
	sitemaps []string // the names of those that were found; some may be indexes, which name others
}

// addFromRobots adds the sitemaps that robots.txt names, in the part of it that Google reads.
func (search *sitemapSearch) addFromRobots() {
	p := search.maker.project
	data, _, err := p.ReadRobots(p.Path(search.robotsTxt()))
	if err != nil { // planRobots reports it
		return
	}
	for _, line := range robotstxt.Parse(data).Sitemaps() {
		search.addNamed(line.Value)
	}
}

// addByName adds the published files that are sitemaps by their names. A text such as sitemap.txt
// is one if it is a list of URLs.
func (search *sitemapSearch) addByName() {
	mk := search.maker
	for _, name := range mk.folder.Names {
		switch {
		case !strings.HasPrefix(name, search.host.Root): // another host's
		case site.IsSitemap(name):
			search.sitemaps = append(search.sitemaps, name)
		case site.IsTextSitemap(name) && !mk.control[name]:
			s, err := mk.readSitemap(name)
			mk.control[name] = err == nil && s.parse() == nil
		}
	}
}

// addFromIndex adds the sitemaps that a sitemap names, if it is an index.
func (search *sitemapSearch) addFromIndex(name string) {
	s, err := search.maker.readSitemap(name)
	if err != nil || !s.mayBeIndex() || s.parse() != nil || !s.file.Index { // parse sets s.file
		return
	}
	for _, entry := range s.file.Entries {
		search.addNamed(entry.Loc)
	}
}

// addNamed adds the sitemap at a URL that robots.txt or an index names, if it is published and new.
func (search *sitemapSearch) addNamed(location string) {
	mk := search.maker
	to, isOnSite := mk.project.ResolveLink(search.robotsTxt(), location, project.UnknownIsOurs)
	name := strings.TrimPrefix(policy.Decoded(to), "/")
	if isOnSite && mk.folder.Has(name) && !mk.control[name] {
		mk.control[name] = true
		search.sitemaps = append(search.sitemaps, name)
	}
}

// robotsTxt is the name of the host's robots.txt, whether it is there or not.
func (search *sitemapSearch) robotsTxt() string { return search.host.Root + "robots.txt" }

// mayBeIndex reports whether a sitemap says at its beginning that it is an index. Most are lists of
// pages, and long: their entries are not parsed to find that out.
func (s *SitemapFile) mayBeIndex() bool {
	begin := s.text[:min(len(s.text), 64<<10)]
	return bytes.Contains(begin, []byte("sitemapindex"))
}

// planSitemaps plans all sitemaps: it takes out of each the entries that the owner wants out, as a
// rule noindex pages, redirects and error pages ([Maker.leavesSitemap]), and out of their index the
// sitemaps that this empties. A preview's noindex says nothing of the pages: the environment does
// not count. It adds the sitemaps to plan.Sitemaps, sorted by name, and returns findings about
// those that cannot be read, which stay as they are, or that have no entry left.
//
// One sitemap is in memory at a time, beside those that change and the indexes: a large site has
// many.
func (mk *Maker) planSitemaps(plan *Plan) (findings []policy.Finding) {
	var indexes []*SitemapFile // they wait until it is known which sitemaps are emptied
	var emptied []*Page
	for _, pg := range plan.Pages {
		// A sitemap that is there through a symlink too is changed once, under its own name.
		isThereTwice := mk.isSitemap(mk.behindLink(plan, pg))
		if !mk.isSitemap(pg) || isThereTwice {
			continue
		}
		s, fault := mk.parsedSitemap(plan, pg) // without entries if it cannot be read
		findings = append(findings, fault...)
		if s.Index {
			indexes = append(indexes, s)
			continue
		}
		s.listed = mk.listedFiles(plan, s)
		hasNoneLeft := s.filter(func(entry int) bool { return mk.leavesSitemap(plan, s, entry) })
		if hasNoneLeft {
			emptied = append(emptied, pg)
		}
		mk.keepSitemap(plan, s)
	}
	mk.planIndexes(plan, indexes, emptied)
	slices.SortFunc(plan.Sitemaps, func(a, b *SitemapFile) int {
		return strings.Compare(a.Change.Name, b.Change.Name)
	})
	return append(findings, emptySitemaps(plan, emptied, indexes)...)
}

// planIndexes takes the sitemaps that are emptied out of the indexes, also by the name of a symlink
// to one, and adds the indexes to the plan.
func (mk *Maker) planIndexes(plan *Plan, indexes []*SitemapFile, emptied []*Page) {
	isEmptied := map[*Page]bool{} // nil is not among them
	for _, pg := range emptied {
		isEmptied[pg] = true
	}
	for _, s := range indexes {
		s.listed = mk.listedFiles(plan, s)
		s.filter(func(entry int) bool {
			listed := s.listed[entry]
			return isEmptied[listed] || isEmptied[mk.behindLink(plan, listed)]
		})
		mk.keepSitemap(plan, s)
	}
}

// parsedSitemap reads a sitemap and its entries. It has none if it cannot be read, which is a
// finding, or if the file is no sitemap in spite of its name.
func (mk *Maker) parsedSitemap(plan *Plan, pg *Page) (s *SitemapFile, fault []policy.Finding) {
	s, err := mk.readSitemap(pg.File.Name) // s is never nil
	if err == nil {
		err = s.parse()
	}
	if err != nil && !errors.Is(err, sitemap.ErrNoSitemap) {
		fault = append(fault, plan.About(pg, "sitemap", policy.Warning, 0,
			"it cannot be read and stays as it is: %s", project.Reason(err)))
	}
	s.Index = s.file.Index
	return s, fault
}

// keepSitemap adds a sitemap that has been filtered to the plan, proved and with what it lists, and
// lets go of the bytes that nobody needs any more.
func (mk *Maker) keepSitemap(plan *Plan, s *SitemapFile) {
	s.Missing = s.prove()
	mk.noteEntries(plan, s)
	s.file, s.text, s.listed, s.leftOut = nil, nil, nil, nil
	if !s.Change.Differs() {
		s.Change.Old, s.Change.New = nil, nil
	}
	plan.Sitemaps = append(plan.Sitemaps, s)
}

// emptySitemaps are warnings about the sitemaps in which no entry is left. One of an old version is
// meant to be empty, since all of its pages are old.
func emptySitemaps(plan *Plan, emptied []*Page, indexes []*SitemapFile) (
	findings []policy.Finding) {
	text := "no entry is left in it: the file is empty"
	if len(indexes) > 0 {
		text += " and leaves the sitemap index"
	}
	for _, pg := range emptied {
		if pg.File.Facts.Version != versions.Old {
			findings = append(findings, plan.About(pg, "sitemap-empty", policy.Warning, 0, "%s", text))
		}
	}
	return findings
}

// isSitemap reports whether a file is a sitemap by its name, or by what is known of it; nil is
// none.
func (mk *Maker) isSitemap(pg *Page) bool {
	if pg == nil || pg.File.Role != policy.RoleControl {
		return false
	}
	name := pg.File.Name
	return site.IsSitemap(name) || strings.HasPrefix(pg.File.Facts.Kind, "sitemap") || mk.control[name]
}

// behindLink is the file whose bytes a file has that is there through a symlink; nil for others.
func (mk *Maker) behindLink(plan *Plan, pg *Page) *Page {
	if pg == nil || mk.folder.Symlinks[pg.File.Name].Target == "" {
		return nil
	}
	return plan.Page(mk.folder.Symlinks[pg.File.Name].Target)
}

// LeavesSitemaps reports whether a file is to be in no sitemap; nil is a URL that no file has.
func (pg *Page) LeavesSitemaps() bool {
	if pg == nil {
		return false
	}
	role := pg.File.Role
	return role == policy.RoleRedirect || role == policy.RoleError || pg.Hidden()
}

// leavesSitemap reports whether the owner wants an entry of a sitemap to be taken out, for one of
// three reasons: what is decided on its page (S1a), the owner names it (S1j), or robots.txt keeps
// search engines from it (S1k).
func (mk *Maker) leavesSitemap(plan *Plan, s *SitemapFile, entry int) bool {
	want := &mk.project.Config.Robots.Sitemap
	pg := s.listed[entry]
	isDecidedOut := want.OmitsHidden && pg.LeavesSitemaps()
	isExcepted := pg != nil && want.Except.Match(pg.File.Path)
	return isDecidedOut || isExcepted || want.OmitsDisallowed && mk.isDisallowed(plan, s, s.file.Entries[entry].Loc)
}

// isDisallowed reports whether the robots.txt that is planned for an entry's host keeps all usual
// search engines from the address of the entry.
func (mk *Maker) isDisallowed(plan *Plan, s *SitemapFile, loc string) bool {
	at, isOnSite := mk.project.ResolveLink(s.Change.Name, loc, project.UnknownIsOurs)
	if !isOnSite {
		return false
	}
	robots, path := RobotsAt(plan, at) // of the host at the address, and the request path there
	if robots == nil {
		return false
	}
	if _, query, _ := strings.Cut(loc, "?"); query != "" {
		path += robotstxt.Escape("?" + query)
	}
	mayFetch := func(crawler string) bool { return robots.File.Ask(crawler, path).Allowed }
	return !slices.ContainsFunc(policy.UsualCrawlers, mayFetch)
}

// noteEntries notes in a sitemap that has been filtered which files its entries name: those that
// stay, those that leave, and the noindex pages of hreflang links. Those that leave are noted only
// if no earlier run has changed the sitemap. It also notes addresses of entries that stay and are
// relative, or that hosts redirect. The checks of sitemaps read that, since they have no entries.
func (mk *Maker) noteEntries(plan *Plan, s *SitemapFile) {
	isFirstRun := s.Change.Stands == nil // no earlier one took anything out
	for i, entry := range s.file.Entries {
		pg := s.listed[i]
		if s.isLeftOut(i) {
			if pg != nil && isFirstRun {
				s.Leaving = append(s.Leaving, pg)
			}
			continue
		}
		if !isWholeURL(entry.Loc) {
			s.Relative = append(s.Relative, entry.Loc)
		}
		if pg != nil {
			s.Listed = append(s.Listed, pg)
		}
		mk.noteRedirected(plan, s, entry.Loc)
		if !pg.LeavesSitemaps() { // else a finding about the entry itself says enough
			mk.noteHiddenAlternates(plan, s, entry.Alternates)
		}
	}
}

// noteRedirected notes the address of an entry if hosts only redirect it. Nothing is known of one
// with a query, since rules that ask for a query are not read.
func (mk *Maker) noteRedirected(plan *Plan, s *SitemapFile, loc string) {
	at, isOnSite := mk.project.ResolveLink(s.Change.Name, loc, project.UnknownIsOurs)
	if !isOnSite || strings.Contains(loc, "?") {
		return
	}
	if _, onlyRedirects := plan.Sites.Redirects(at); onlyRedirects {
		s.Redirected = append(s.Redirected, at)
	}
}

// noteHiddenAlternates notes the noindex pages among those that the hreflang links of an entry
// name.
func (mk *Maker) noteHiddenAlternates(plan *Plan, s *SitemapFile, alternates []string) {
	for _, alternate := range alternates {
		to := mk.listedFile(plan, s, alternate)
		isHiddenPage := to.LeavesSitemaps() && to.Decision.NoIndex() // and no redirect or error page
		if isHiddenPage {
			s.Alternates = append(s.Alternates, to)
		}
	}
}

// isWholeURL reports whether the address of an entry names its scheme and its host.
// https://www.sitemaps.org/protocol.html#locdef
func isWholeURL(loc string) bool {
	u, err := url.Parse(loc)
	return err != nil ||
		u.Host != "" && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https"))
}

// listedFiles are the files that the entries of a sitemap name: see [Maker.listedFile].
func (mk *Maker) listedFiles(plan *Plan, s *SitemapFile) []*Page {
	listed := make([]*Page, len(s.file.Entries))
	for i, entry := range s.file.Entries {
		listed[i] = mk.listedFile(plan, s, entry.Loc)
	}
	return listed
}

// listedFile returns the file that an address in a sitemap names, whatever its query; nil for one
// that no file has. Where hosts may serve one of several files there, it is one that may be listed,
// if there is such a one.
func (mk *Maker) listedFile(plan *Plan, s *SitemapFile, loc string) (listed *Page) {
	at, isOnSite := mk.project.ResolveLink(s.Change.Name, loc, project.UnknownIsOurs)
	if !isOnSite {
		return nil
	}
	for name := range plan.Sites.FilesReached(at) {
		pg := plan.Page(name)
		isBetter := listed == nil || listed.LeavesSitemaps() && !pg.LeavesSitemaps()
		if pg != nil && isBetter {
			listed = pg
		}
	}
	return listed
}

// readSitemap reads a sitemap as its generator left it, and unpacks it.
func (mk *Maker) readSitemap(name string) (s *SitemapFile, err error) {
	s = &SitemapFile{Change: mk.project.Output(name), file: &sitemap.List{}}
	s.Change.Old, err = mk.project.Read(s.Change.Path, project.MaxSitemap)
	s.Change.New = mk.project.OwnBytes(mk.from, &s.Change) // until filter takes entries out
	if s.text = s.Change.New; err == nil && s.packed() {
		s.text, err = disk.Unpack(s.text, project.MaxSitemap)
	}
	return s, err
}

// parse reads the entries of a sitemap. One that cannot be read has none.
func (s *SitemapFile) parse() error {
	file, err := sitemap.Read(s.text)
	if err == nil {
		s.file = file
	}
	return err
}

// isLeftOut reports whether the entry with an index is taken out.
func (s *SitemapFile) isLeftOut(entry int) bool { return s.leftOut != nil && s.leftOut[entry] }

func (s *SitemapFile) packed() bool { return path.Ext(s.Change.Name) == ".gz" }

// filter sets the new bytes of a sitemap, without the entries that drop names by their index. It
// reports whether that leaves none.
func (s *SitemapFile) filter(drop func(entry int) bool) (hasNoneLeft bool) {
	s.leftOut = make([]bool, 0, len(s.file.Entries))
	edits := s.file.Without(func(string) bool { // asked once for each entry, in their order
		entry := len(s.leftOut)
		isLeftOut := drop(entry)
		s.leftOut = append(s.leftOut, isLeftOut)
		return isLeftOut
	})
	s.Dropped = len(edits)
	c, own := &s.Change, s.Change.New
	if s.packed() && len(edits) > 0 {
		text := patch.New(s.text, edits)
		out, _ := text.Apply(nil, s.text)
		edits = patch.Between(own, disk.Pack(out))
	}
	c.New, c.Left = state.Edit(nil, own, c.Old, edits, c.Stands)
	return s.Dropped > 0 && s.Dropped == len(s.file.Entries)
}

// prove reads the new bytes of a sitemap back as crawlers do, and returns a list of one finding, an
// error, if they list anything but the entries that stay, in their order (S1i); nil if they list
// just these. Addresses and hreflang links are compared. A file that is left as its generator made
// it needs no proof.
func (s *SitemapFile) prove() []policy.Finding {
	if s.Dropped == 0 {
		return nil
	}
	wrong := ""
	toStay := s.entriesThatStay()
	listed, err := s.newEntries()
	isSame := func(a, b sitemap.Entry) bool {
		return a.Loc == b.Loc && slices.Equal(a.Alternates, b.Alternates)
	}
	switch {
	case err != nil:
		wrong = "the new bytes cannot be read back: " + project.Reason(err)
	case !slices.EqualFunc(listed, toStay, isSame):
		wrong = fmt.Sprintf("the new bytes list %d entries, which are not the %d that are to stay",
			len(listed), len(toStay))
	default:
		return nil
	}
	return []policy.Finding{{ID: "sitemap-mismatch", Severity: policy.Error, File: s.Change.File,
		Message: wrong}}
}

// newEntries are the entries in the new bytes of a sitemap, as crawlers read them. Bytes that hold
// nothing have none: of a text, whose lines are its entries, nothing may be left, which is no
// sitemap to its reader.
func (s *SitemapFile) newEntries() ([]sitemap.Entry, error) {
	text, err := s.newText()
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return nil, err
	}
	list, err := sitemap.Read(text)
	if err != nil {
		return nil, err
	}
	return list.Entries, nil
}

// entriesThatStay are the entries of a sitemap that has been filtered, without those that are taken
// out.
func (s *SitemapFile) entriesThatStay() (toStay []sitemap.Entry) {
	for i, entry := range s.file.Entries {
		if !s.isLeftOut(i) {
			toStay = append(toStay, entry)
		}
	}
	return toStay
}

// newText are the new bytes of a sitemap, unpacked.
func (s *SitemapFile) newText() ([]byte, error) {
	if !s.packed() {
		return s.Change.New, nil
	}
	return disk.Unpack(s.Change.New, project.MaxSitemap)
}
