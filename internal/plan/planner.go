// Package plan takes a site through the stages, from its files to the bytes that change, and writes those.
//
//	found, pagemeta         what stands in a page as its generator left it, what the page says itself
//	page                    what is decided on a file
//	change, editor          what becomes of its bytes
//	headers, robotstxt,     the files beside the pages
//	sitemap
//	site                    all of that, as a value: a Site
//	write                   the bytes on the disk
package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// planner takes the files of a site through the stages; what it comes to is a [Site].
type planner struct {
	Project *project.Project
	m       site.Map
	headers []*HeaderFile
	netlify *netlifyTOML
	control map[string]bool // files that never get a policy, beside those that are told by their names
	// known are what files are told, by a sum of what is said; what is printed, by directives; and what a tag states,
	// by its content.
	known  sync.Map
	folder project.Listing // of the publish folder
	// made are files as a build made them that it has not written, by name: sitemaps, which are filtered at the end,
	// and in a dry run every file; nil where nothing but its being there is known.
	made     map[string][]byte
	building bool // static files are not published before the plan begins

	mu        sync.Mutex       // workers run
	byName    map[string]*Page // that are decided
	pages     []*Page          // the same, sorted, in the end
	reported  []policy.Finding // by what is no page
	linkUsage LinkUsage
}

// LinkUsage tells of each rule of the links' policy, and of each of its classes, whether it found something to do.
type LinkUsage struct{ Rules, Classes []bool }

// newPlanner begins to plan a site: what the site's own header rules say is read.
func newPlanner(p *project.Project, m site.Map, building bool, made map[string][]byte) (*planner, error) {
	c := p.Config.Robots.Links
	pl := &planner{Project: p, m: m, control: map[string]bool{}, made: made,
		building: building, byName: map[string]*Page{},
		linkUsage: LinkUsage{make([]bool, len(c.Options.Rules)), make([]bool, len(c.Options.NoSnippet))}}
	return pl, pl.readHeaders()
}

// New lists the site's pages, reads what is published and decides. It writes nothing. An [*InvalidError] lists front
// matter that cannot be read; other errors are files that cannot.
func New(ctx context.Context, p *project.Project) (*Site, error) {
	switch info, err := os.Stat(p.Settings.Publish); {
	case err != nil:
		hint := ""
		if !p.Settings.AnyFolder && !p.Builds() {
			hint = fmt.Sprintf(", or name its folder (this looks like a site of %s)", p.Generator)
		}
		return nil, project.Invalid(fmt.Errorf("publish folder %s does not exist: build the site first%s",
			p.Short(p.Settings.Publish), hint))
	case !info.IsDir():
		return nil, project.Invalid(fmt.Errorf("publish folder %s is a file", p.Short(p.Settings.Publish)))
	}
	folder, unread := p.Walk()
	m, err := list(ctx, p, folder.Names)
	if err != nil {
		return nil, err
	}
	if unread != nil {
		return nil, unread
	}
	if len(folder.Names) == 0 {
		return nil, project.Invalid(fmt.Errorf("publish folder %s is empty: build the site first, or name the folder of its "+
			"pages", p.Short(p.Settings.Publish)))
	}
	pl, err := newPlanner(p, m, false, nil)
	if err != nil {
		return nil, err
	}
	pl.folder = folder
	s, err := pl.pass(ctx)
	if err == nil {
		err = s.suspected()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// list lists the site's pages.
func list(ctx context.Context, p *project.Project, published []string) (site.Map, error) {
	m, err := p.Site.List(ctx, p.Config.Robots.FrontMatter, published)
	if render := (*site.RenderError)(nil); err != nil && !errors.As(err, &render) {
		err = project.Invalid(err)
	}
	return m, err
}

// pass decides on every file that was found in the publish folder and that is not decided on yet, or was before a
// header rule of the site's own for it was known.
func (p *planner) pass(ctx context.Context) (*Site, error) {
	p.reported = append(p.reported, p.folder.Findings...)
	names := slices.AppendSeq(slices.Clone(p.folder.Names), maps.Keys(p.made))
	slices.Sort(names)
	names = slices.Compact(names)
	p.findControl(names)
	rest := slices.DeleteFunc(names, func(name string) bool {
		pg := p.byName[name]
		return pg != nil && (!pg.Role.Policed() || slices.Equal(pg.Headers, p.headersFor(name)))
	})
	var links, copies []site.File
	err := p.each(ctx, rest, func(e *editor, name string) error {
		f := e.m.File(name)
		later := &copies
		if f.HTML && e.folder.Symlinks[name] != "" {
			later = &links
		} else if f.CopyOf == "" {
			pg, err := e.decide(f)
			if err == nil {
				p.add(pg)
			}
			return err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		*later = append(*later, f)
		return nil
	})
	if err == nil {
		err = p.decideLinks(links)
	}
	if err != nil {
		return nil, err
	}
	p.decideCopies(copies)
	return p.finish(), nil
}

// decideLinks decides on pages that are symlinks. One file has one set of tags, and it is edited under its own name:
// what it will hold is what is found in them.
func (p *planner) decideLinks(links []site.File) error {
	e := newEditor(p)
	for _, f := range links {
		target := p.byName[p.folder.Symlinks[f.Name]]
		if target == nil || !target.HTML {
			target = begin(site.File{Name: f.Name})
		}
		src, fresh, err := e.source(target.Name)
		if errors.Is(err, disk.ErrTooLarge) {
			p.add(e.tooLarge(f))
			continue
		} else if err != nil {
			return err
		}
		carried, _ := e.rewrite(target, src, fresh)
		pg, _ := e.html(f, bytes.Clone(carried), true)
		pg.change, pg.memory = change{Carries: target.Carries, headerOnly: pg.headerOnly}, memory{}
		if !target.Decision.AtLeast(&pg.Decision) {
			pg.headerOnly = true
			p.finding(pg, "symlink", policy.Warning, 0, "it is a symlink to %s and carries its tags, which are looser "+
				"than what is decided here: a header alone can say more", target.Name)
		}
		p.add(pg)
	}
	return nil
}

// decideCopies decides on files that publish a page's content again: what restricts the page holds for them too.
func (p *planner) decideCopies(copies []site.File) {
	for _, f := range copies {
		if of := p.byName[f.CopyOf]; of != nil {
			f.Alone = true
			f.Page = policy.Union(f.Page, slices.DeleteFunc(slices.Clone(of.Decision.Statements),
				func(s policy.Statement) bool {
					return s.Origin.Layer == policy.LayerDefault || !s.Directives.Restricts()
				}))
		}
		p.add(p.asset(f))
	}
}

// decide decides on a published file.
func (e *editor) decide(f site.File) (*Page, error) {
	if !f.HTML {
		return e.asset(f), nil
	}
	src, fresh, err := e.source(f.Name)
	if errors.Is(err, disk.ErrTooLarge) {
		return e.tooLarge(f), nil
	} else if err != nil {
		return nil, err
	}
	pg, _ := e.html(f, src, fresh)
	if pg.pending = pg.Changes; pg.Changes && !fresh && disk.Linked(e.Project.Path(f.Name)) {
		e.finding(pg, "hard-link", policy.Warning, 0, "the file has a second name (a hard link), which keeps the old "+
			"bytes: pages are replaced, never changed in place")
	}
	return pg, nil
}

// source reads a page, valid until the next: fresh as a build made it, else as it stands in the publish folder.
func (e *editor) source(name string) (src []byte, fresh bool, err error) {
	if src, fresh = e.made[name]; !fresh {
		src, err = e.reader.Read(e.Project.Path(name))
	}
	return src, fresh, err
}

// add adds a page, in place of what was decided before.
func (p *planner) add(pg *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if was := p.byName[pg.Name]; was != nil {
		pg.Changes, pg.WasIndexable = pg.Changes || was.Changes, was.WasIndexable
	}
	p.byName[pg.Name] = pg
	if tell := p.Project.Options.Progress; tell != nil {
		tell(len(p.byName))
	}
}

// report reports what no page says of itself.
func (p *planner) report(f policy.Finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reported = append(p.reported, f)
}

// each calls do for every name from several workers, each with an editor of its own, and collects the errors.
func (p *planner) each(ctx context.Context, names []string, do func(e *editor, name string) error) error {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
		next atomic.Int64
	)
	for range min(max(4, 2*runtime.NumCPU()), max(1, len(names))) {
		wg.Go(func() {
			e := newEditor(p)
			for i := int(next.Add(1)) - 1; i < len(names) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(e, names[i]); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// finish sorts what the workers found, and plans what is beside the pages.
func (p *planner) finish() *Site {
	byName := func(a, b *Page) int { return strings.Compare(a.Name, b.Name) }
	p.pages = slices.SortedFunc(maps.Values(p.byName), byName)
	s := &Site{maker: p, Project: p.Project,
		LinkUsage: LinkUsage{slices.Clone(p.linkUsage.Rules), slices.Clone(p.linkUsage.Classes)}}
	p.reported = slices.Concat(p.Project.Findings, p.reported)
	for _, h := range p.headers {
		p.reported = append(p.reported, h.oddLines()...)
	}
	p.reported = append(p.reported, p.m.Findings()...)
	s.Headers, s.Overflow = p.headers, p.planHeaders()
	p.reported = append(p.reported, p.pageFindings()...)
	s.Robots = p.planRobots()
	s.Pages = p.pages
	for _, o := range s.Outputs() { // what we make is published too
		if o.New != nil && o.name != "" && s.Page(o.name) == nil {
			p.pages = append(p.pages, p.asset(p.m.File(o.name)))
		}
	}
	slices.SortFunc(p.pages, byName)
	s.Pages = p.pages
	s.Sitemaps = p.planSitemaps(s.Robots)
	s.Findings = p.reported
	return s
}
