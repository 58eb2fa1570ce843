package plan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosting"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A Maker takes the files of a site through the stages and makes a [Plan] of them.
type Maker struct {
	project  *project.Project
	pages    site.Map
	versions *versions.Set
	from     project.Source
	hosting  *hosting.Hosting
	sites    Sites
	headers  *headerfile.Files
	folder   project.Listing
	control  map[string]bool // files that never get a policy, beside those that are known by their names
	hides    bool            // the environment keeps every page out of the index
	outcomes outcomes
	pools    pools

	mu      sync.Mutex // workers run
	decided map[string]*Page
	links   LinkUsage
}

// pools are where workers take memory from.
type pools struct {
	editors sync.Pool // *editor
	pages   pageBlocks
}

// NewMaker begins to plan a site: the files that its hosts read are read. published are the names
// of its files, sorted; nil stands for a site that is not built yet.
func NewMaker(p *project.Project, pages site.Map, from project.Source, published []string) (*Maker, error) {
	files := published
	if files == nil {
		files = pages.Expected()
	}
	all := FindVersions(p, files)
	if len(all.Groups) > 0 {
		pages = versionedMap{pages, all}
	}
	hosting, err := hosting.Read(p, pages, from)
	if err != nil {
		return nil, err
	}
	sites := Sites{p, hosting.Sites(published)}
	headers, err := headerfile.Read(p, pages, from, hosting, sites.byRoot)
	if err != nil {
		return nil, err
	}
	c := &p.Config.Robots.Links.Options
	mk := &Maker{project: p, pages: pages, versions: all, from: from, hosting: hosting, sites: sites, headers: headers,
		control: map[string]bool{}, hides: p.Policy.Hides(), outcomes: outcomes{seed: maphash.MakeSeed()},
		decided: map[string]*Page{},
		links:   LinkUsage{make([]bool, len(c.Rules)), make([]bool, len(c.NoSnippet))}}
	mk.pools.editors.New = func() any { return newEditor(mk) }
	return mk, nil
}

// New lists the site's pages, reads what is published and decides. It writes nothing. An
// [*project.InvalidError] lists front matter that cannot be read; other errors are files that
// cannot.
func New(ctx context.Context, p *project.Project) (*Plan, error) {
	return planPublished(ctx, p, nil, inTurn)
}

// NewAwaited is [New] for an answer that somebody waits for: the same plan, made side by side.
func NewAwaited(ctx context.Context, p *project.Project) (*Plan, error) {
	return planPublished(ctx, p, nil, sideBySide)
}

// NewToWrite is [New] for a run that writes what is planned: the stage, which may be nil, takes the
// new bytes of most pages. If there is an error the stage is dropped.
func NewToWrite(ctx context.Context, p *project.Project, stage *disk.Stage) (*Plan, error) {
	s, err := planPublished(ctx, p, stage, inTurn)
	if err != nil {
		stage.Drop()
	}
	return s, err
}

// A pace says how the header files and the sitemaps are planned, which is what takes the most time
// after the pages.
type pace bool

const (
	inTurn     pace = false // one after the other: the memory of a sitemap is not needed beside that of rules
	sideBySide pace = true  // by two cores
)

// planPublished plans a site that is built already, for [New], [NewAwaited] and [NewToWrite], with
// their errors.
// The stage takes the new bytes of pages; it is nil if nothing is to be written. A publish folder
// that looks like the wrong one is planned too, for whoever only reads the plan, but nothing goes
// to the stage.
func planPublished(ctx context.Context, p *project.Project, stage *disk.Stage, pace pace) (*Plan, error) {
	if err := confirmPublished(p); err != nil {
		return nil, err
	}
	from := project.Published{Project: p}
	folder, pages, err := listPublished(ctx, p, from)
	if err != nil {
		return nil, err
	}
	mk, err := NewMaker(p, pages, from, folder.Names)
	if err != nil {
		return nil, err
	}
	mayBeWrongFolder := p.ConfirmFolder(pages.Expected()) != nil
	if mayBeWrongFolder { // package write asks the same and refuses, so the new bytes are not kept
		stage = nil
	}
	plan, err := mk.plan(ctx, folder, stage, pace)
	if err != nil {
		return nil, err
	}
	// Tags of a forgotten run for a preview would count as the theme's own.
	if err := suspectForgottenRun(plan); err != nil {
		return nil, err
	}
	return plan, nil
}

// listPublished lists the publish folder, and what the site's generator knows of the files there.
// Of several errors the first of these is returned: a fault of the sources, such as front matter,
// which their author has to mend; another one of the generator; one of reading the folder. An empty
// folder is an error too.
func listPublished(ctx context.Context, p *project.Project, from project.Published) (
	folder project.Listing, pages site.Map, err error) {
	folder, walkErr := from.List()
	// The generator knows no file by the name that a symlink to a folder gives it.
	pages, err = p.Site.List(ctx, p.Config.Robots.FrontMatter, folder.Stored())
	isOfSources := err != nil && !isRenderError(err)
	switch {
	case isOfSources:
		err = project.Invalid(err)
	case err != nil:
	case walkErr != nil:
		err = walkErr
	case len(folder.Names) == 0:
		err = project.Invalid(fmt.Errorf("publish folder %s is empty: build the site first, or name "+
			"the folder of its pages", p.Short(p.Settings.Publish)))
	}
	return folder, pages, err
}

// confirmPublished returns an error, with what to do, if there is no publish folder.
func confirmPublished(p *project.Project) error {
	publish := p.Short(p.Settings.Publish)
	info, err := os.Stat(p.Settings.Publish)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return project.Invalid(fmt.Errorf("publish folder %s is a file", publish))
	}
	hint := ""
	if p.Builds() {
		hint = " with metarobots build, or run metarobots -n, which builds it in memory and writes " +
			"nothing"
	} else if !p.Settings.AnyFolder {
		hint = fmt.Sprintf(", or name its folder (this looks like a site of %s)", p.Generator)
	}
	return project.Invalid(fmt.Errorf("publish folder %s does not exist: build the site first%s",
		publish, hint))
}

// isRenderError reports whether the generator failed while it made the pages, as it would without
// us.
func isRenderError(err error) bool {
	_, is := errors.AsType[*site.RenderError](err)
	return is
}

// Map is what is known of the site's files.
func (mk *Maker) Map() site.Map { return mk.pages }

// IsHeaderFile reports whether a published file is one that a host reads headers from.
func (mk *Maker) IsHeaderFile(name string) bool { return mk.headers.Has(name) }

// Tags returns the pages that a build would publish, and the robots tags of a file as text: what is
// decided without reading anything that is published. An [*project.InvalidError] lists front matter
// that cannot be read.
func Tags(ctx context.Context, p *project.Project) (pages site.Map, tags func(site.File) string, err error) {
	if pages, err = p.Site.List(ctx, p.Config.Robots.FrontMatter, nil); err != nil {
		return nil, nil, project.Invalid(err)
	}
	mk, err := NewMaker(p, pages, project.Unwritten{}, nil)
	return mk.pages, func(f site.File) string { return mk.decideAsset(f).printed.html }, err
}

// Generated decides on an HTML file as its generator made it. put gets its new bytes, which are
// valid until it returns, and what they hold of ours. It reports whether other bytes are in the
// publish folder.
func (mk *Maker) Generated(f site.File, src []byte, put func(out []byte, left *state.Left) (bool, error)) error {
	e := mk.pools.editors.Get().(*editor)
	defer mk.pools.editors.Put(e)
	pg, out := e.html(f, src, holdsNothingOfOurs)
	changes, err := put(out, pg.ours.left)
	if err == nil {
		pg.Bytes.Change = changes
		mk.add(pg)
	}
	return err
}

// Finish decides on all that a build did not write as a page. The files that hosts read are read
// again: cleaning the publish folder may have taken them away, and the build may have made some.
func (mk *Maker) Finish(ctx context.Context) (*Plan, error) {
	folder, err := mk.from.List()
	if err != nil {
		return nil, err
	}
	next, err := NewMaker(mk.project, mk.pages, mk.from, folder.Names)
	if err != nil {
		if invalid := (*project.InvalidError)(nil); errors.As(err, &invalid) {
			err = invalid.Err // something is written by now
		}
		return nil, err
	}
	mk.hosting, mk.sites, mk.headers = next.hosting, next.sites, next.headers
	// Static files may hold versions too.
	mk.pages, mk.versions = next.pages, next.versions
	var noStage *disk.Stage // a build holds the bytes that are still to be written
	return mk.plan(ctx, folder, noStage, inTurn)
}

// plan decides on the files of the publish folder on which nothing is decided yet, or was before an
// owner's header rule for them was known, or that name the newest version, and plans what is beside
// the pages. The stage takes the new bytes of pages; it may be nil.
//
// What a file is to say may depend on the decision on another one, so they are taken in this order:
//
//  1. all that depend on no other file, several at a time
//  2. symlinks to pages of the newest version, or of none: old versions may name them
//  3. pages of old versions, which name those of the newest as canonical
//  4. symlinks to pages of old versions
//  5. copies of pages, and symlinks to files that are no HTML
func (mk *Maker) plan(ctx context.Context, folder project.Listing, stage *disk.Stage, pace pace) (*Plan, error) {
	mk.folder = folder
	mk.findControl()
	worker := func() *editor {
		e := newEditor(mk)
		e.stage = stage
		return e
	}
	later, err := mk.decideIndependent(ctx, worker)
	if err == nil {
		err = mk.decideLinkedPages(later.links) // of links, those to no HTML wait for decideLinkedFiles
	}
	if err == nil {
		err = disk.Each(ctx, later.old, worker, func(e *editor, f *site.File) error { return e.decide(*f) })
	}
	if err == nil {
		err = mk.decideLinkedPages(later.linksToOld)
	}
	if err != nil {
		return nil, err
	}
	mk.decideCopies(later.copies)
	mk.decideLinkedFiles(later.links)
	mk.decideLinkedFiles(later.linksToOld)
	return mk.finish(pace), nil
}

// dependent are the files whose decision depends on that of another file.
type dependent struct {
	links      []site.File // symlinks to files of no old version
	old        []site.File // pages of old versions that name those of the newest
	linksToOld []site.File // symlinks to files of old versions
	copies     []site.File // files that publish a page again, such as a.md, also as a symlink
}

// decideIndependent decides, several at a time, on the files on which nothing is decided that holds
// to the end, except those that it returns. The lists of these are in no order.
func (mk *Maker) decideIndependent(ctx context.Context, worker func() *editor) (later dependent, err error) {
	undecided := slices.DeleteFunc(slices.Clone(mk.folder.Names), mk.isSettled)
	err = disk.Each(ctx, undecided, worker, func(e *editor, name *string) error {
		f := mk.file(*name)
		list := later.listFor(mk, &f)
		if list == nil {
			return e.decide(f)
		}
		mk.mu.Lock()
		defer mk.mu.Unlock()
		*list = append(*list, f)
		return nil
	})
	return later, err
}

// listFor is the list in which a file waits; nil if its decision depends on no other file.
func (d *dependent) listFor(mk *Maker, f *site.File) *[]site.File {
	link, isLink := mk.folder.Symlinks[f.Name]
	isTextCopy := f.CopyOf != "" && !f.HTML
	switch {
	case isLink && !isTextCopy && mk.versions.IsOld(link.Target):
		return &d.linksToOld
	case isLink && !isTextCopy:
		return &d.links
	case mk.IsToNameNewest(f):
		return &d.old
	case f.CopyOf != "":
		return &d.copies
	}
	return nil
}

// isSettled reports whether the decision on a file, which a build made when it wrote the file,
// holds to the end: all is known that it depends on.
func (mk *Maker) isSettled(name string) bool {
	pg := mk.decided[name]
	if pg == nil || mk.IsToNameNewest(&pg.File) {
		return false
	}
	return !pg.File.Role.Policed() || slices.Equal(pg.File.Headers, mk.headers.States(name, pg.ours.keepOut()))
}

// file is what is known of a published file. Many copies are known by their names, whatever made
// them (L5). Where the owner says what twins get, texts are copies too (H7).
func (mk *Maker) file(name string) site.File {
	f := mk.pages.File(name)
	if f.CopyOf == "" && !f.HTML && f.Role.Policed() {
		f.CopyOf = site.CopyOf(name, mk.folder.Has, mk.folder.HasFolder)
	}
	if mk.project.Config.Robots.Twins.Gets != "" {
		f.CopyOf = cmp.Or(site.Twin(&f, mk.folder.Has), f.CopyOf)
	}
	return f
}

// decideCopies decides on files that publish a page's content again: what restricts the page holds
// for them too, and for twins what the owner says of them (H7).
func (mk *Maker) decideCopies(copies []site.File) {
	for _, f := range copies {
		mk.findCopied(&f)
		if site.Twin(&f, mk.folder.Has) != "" {
			mk.project.Config.Robots.Twins.State(&f.Subject)
		}
		mk.add(mk.decideAsset(f))
	}
}

// findCopied finds the page that a file publishes again. What is known of a page that is not
// published restricts its copies too. If a pager is not published, its list is divided only as
// text, and the copy is the list's.
func (mk *Maker) findCopied(f *site.File) {
	if of := mk.decided[f.CopyOf]; of != nil {
		f.Copied = &of.File.Subject
		return
	}
	page := mk.pages.File(f.CopyOf)
	f.Copied = &page.Subject
	if page.Of == nil {
		return
	}
	list := strings.TrimPrefix(page.Of.Path.File, "/")
	if of := mk.decided[list]; of != nil {
		f.CopyOf, f.Copied = list, &of.File.Subject
	}
}

// decide reads a published file, decides on it and adds it to what is decided.
func (e *editor) decide(f site.File) error {
	if !f.HTML {
		e.mk.add(e.mk.decideAsset(f))
		return nil
	}
	pg, err := e.page(f, mayHoldOurs)
	if err != nil {
		return err
	}
	pg.Bytes.pending = pg.Bytes.Change && !e.fresh
	e.mk.add(pg)
	return nil
}

// page decides on an HTML file by its bytes, unless it is too large to be read: those that a build
// holds, or else those in the publish folder. isFresh is holdsNothingOfOurs, or mayHoldOurs; what a
// build holds is fresh in either case. New bytes go to the stage, if there is one.
func (e *editor) page(f site.File, isFresh bool) (*Page, error) {
	src, isHeld, err := e.source(f.Name) // isHeld: by a build, from the generator
	if errors.Is(err, disk.ErrTooLarge) {
		return e.mk.tooLarge(f), nil
	} else if err != nil {
		return nil, err
	}
	pg, out := e.html(f, src, isHeld || isFresh)
	if isHeld { // the build writes it if other bytes are there
		published, err := e.mk.project.Read(e.mk.project.Path(f.Name), project.MaxPage)
		pg.Bytes.Change = err != nil || !bytes.Equal(published, out)
	}
	if pg.Bytes.Change {
		e.stage.Add(e.mk.project.Path(f.Name), out, e.reader.Version)
	}
	return pg, nil
}

// add adds a page, in place of what was decided before.
func (mk *Maker) add(pg *Page) {
	mk.mu.Lock()
	defer mk.mu.Unlock()
	if was := mk.decided[pg.File.Name]; was != nil {
		pg.Bytes.Change, pg.Earlier.WasIndexable = pg.Bytes.Change || was.Bytes.Change, was.Earlier.WasIndexable
	}
	mk.decided[pg.File.Name] = pg
	if tell := mk.project.Options.Progress; tell != nil {
		tell(len(mk.decided))
	}
}

// finish sorts what the workers decided, plans what is beside the pages, and then judges it all.
// What is planned later takes what is planned before it for published: header rules are for the
// robots.txt that a run makes too, and a sitemap may list a header file.
func (mk *Maker) finish(pace pace) *Plan {
	s := &Plan{Project: mk.project, Map: mk.pages, Versions: mk.versions, Source: mk.from, Folder: mk.folder,
		Links: mk.links, Sites: mk.sites, Pages: slices.SortedFunc(maps.Values(mk.decided), byName)}
	mk.decided = nil // header rules take the most memory
	s.Findings = slices.Concat(mk.project.Findings, mk.hosting.Findings, mk.headers.Findings,
		mk.folder.Findings, mk.hosting.ReportUnlisted(mk.folder.Unlisted), mk.headers.Faults(), mk.pages.Findings())

	robots, signals := mk.planRobots(s)
	redirects := mk.planRedirects(s)
	mk.publishPlanned(s)
	headers, sitemaps := mk.planHeadersAndSitemaps(s, pace)

	s.Findings = slices.Concat(s.Findings, headers, mk.pageFindings(s.Pages))
	for i := range signals {
		s.Findings = append(s.Findings, mk.uncarried(s, &signals[i])...)
	}
	s.Findings = slices.Concat(s.Findings, robots, sitemaps, redirects, Unproven(s.Files()))
	return s
}

// planHeadersAndSitemaps plans both, and returns the findings about each. Side by side, the sitemaps
// are planned before it is known which header files are published in the end. If that differs from
// what is published now, they are planned again: a sitemap may list such a file.
func (mk *Maker) planHeadersAndSitemaps(s *Plan, pace pace) (headers, sitemaps []policy.Finding) {
	if pace == inTurn {
		headers = mk.planHeaders(s)
		mk.publishPlanned(s)
		return headers, mk.planSitemaps(s)
	}
	var planning sync.WaitGroup
	planning.Go(func() { headers = mk.planHeaders(s) })
	sitemaps = mk.planSitemaps(s)
	planning.Wait()
	planned := s.Sitemaps
	s.Sitemaps = nil
	if publishesOthers := mk.publishPlanned(s); publishesOthers {
		return headers, mk.planSitemaps(s)
	}
	s.Sitemaps = planned
	return headers, sitemaps
}

// planHeaders plans the header files: it sets what each page is to be served with of other headers
// than X-Robots-Tag, and which of these lines are lost.
func (mk *Maker) planHeaders(s *Plan) []policy.Finding {
	s.Headers = mk.headers.All
	rules := otherHeaders(s, mk.headers.Canonicals)
	ai := mk.aiHeaders(s)
	compiled := mk.headers.Compile(asDecided(s.Pages))
	for _, pg := range s.Pages {
		for i := range pg.Others {
			pg.Others[i].Lost = compiled.Lost.Has(pg.File.Name, i)
		}
	}
	return slices.Concat(rules, ai, compiled.Findings)
}

// asDecided are the pages as header rules are made of them.
func asDecided(pages []*Page) iter.Seq[headerfile.Decided] {
	return func(yield func(headerfile.Decided) bool) {
		for _, pg := range pages {
			if !yield(headerfile.Decided{Name: pg.File.Name, URL: pg.URL, Role: pg.File.Role,
				TakesTags: pg.TakesTags(), Decision: pg.Decision, Header: pg.Header(),
				Stated: len(pg.File.Headers) > 0, Others: pg.Others}) {
				return
			}
		}
	}
}

// publishPlanned takes what is planned beside the pages for done: it adds the files that a run
// makes, since they are published too, and leaves out those that it removes. It reports whether
// there are any.
func (mk *Maker) publishPlanned(s *Plan) (publishesOthers bool) {
	for _, f := range s.Files() {
		o := f.Output()
		if pg := s.Page(o.Name); pg != nil && o.Removes() {
			s.Pages = slices.DeleteFunc(s.Pages, func(p *Page) bool { return p == pg })
			publishesOthers = true
		} else if pg == nil && o.New != nil && o.Name != "" {
			s.Pages = append(s.Pages, mk.decideAsset(mk.pages.File(o.Name)))
			slices.SortFunc(s.Pages, byName)
			publishesOthers = true
		}
	}
	return publishesOthers
}

func byName(a, b *Page) int { return strings.Compare(a.File.Name, b.File.Name) }
