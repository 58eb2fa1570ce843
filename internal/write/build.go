package write

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"

	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// Build renders the site and writes the policy as the pages are written; with dryRun nothing is
// written and the plan says what would be. Pages whose bytes are already there are left alone.
//
// An [*project.InvalidError] means that nothing was written. Where another error comes with a plan,
// its pages are whole.
func Build(ctx context.Context, p *project.Project, dryRun bool) (*plan.Plan, error) {
	builder, canBuild := p.Site.(site.Builder)
	if !canBuild {
		return nil, nothingToBuild(p)
	}
	b := &build{ctx: ctx, project: p, dryRun: dryRun, publish: disk.NewRoot(p.Settings.Publish),
		held: newHeld()}
	p.AtClose(b.held.close) // checks of the plan read what is held
	hooks := site.Hooks{Listed: b.listed, Write: b.write, DryRun: dryRun}
	if err := builder.Build(ctx, p.Config.Robots.FrontMatter, hooks); err != nil {
		return nil, b.failed(err)
	}
	s, err := b.maker.Finish(ctx)
	if err == nil && !dryRun {
		err = b.end(s)
	}
	return s, err
}

// nothingToBuild is the error that the site's generator is not compiled in.
func nothingToBuild(p *project.Project) error {
	none := ""
	if p.Settings.AnyFolder {
		none = fmt.Sprintf("no Hugo site found in %s: ", p.Source)
	}
	return project.Invalid(fmt.Errorf("%sthere is nothing to build with generator %q: make the pages with their "+
		"own generator, then run metarobots apply DIR", none, p.Generator))
}

// failed is the error of a build that the generator has ended. Before the pages are listed, nothing
// is written, and the error is the project's, unless a template failed. Otherwise what the build
// has changed is given back.
func (b *build) failed(err error) error {
	isListed := b.maker != nil
	var ofTemplate *site.RenderError
	if !isListed && !errors.As(err, &ofTemplate) {
		return project.Invalid(err)
	}
	return errors.Join(err, b.giveBack())
}

// Look plans what is published. If no HTML is there yet and the generator is compiled in, it
// renders the site and plans what a build would publish, without writing anything. isRendered says
// that it did.
func Look(ctx context.Context, p *project.Project) (s *plan.Plan, isRendered bool, err error) {
	if p.Builds() {
		published, _ := p.Walk()
		if hasPages := slices.ContainsFunc(published.Names, site.IsHTML); !hasPages {
			s, err = Build(ctx, p, true)
			return s, true, err
		}
	}
	s, err = plan.New(ctx, p)
	return s, false, err
}

// build is one build. It writes pages at once, and holds sitemaps and header files back until the
// end, and pages that name others. A dry run holds everything, and writes nothing into the site.
type build struct {
	ctx     context.Context
	project *project.Project
	dryRun  bool
	publish disk.Root
	before  project.Listing // of the publish folder before the build
	pages   site.Map
	maker   *plan.Maker // once the pages are listed

	held *held
}

// List implements [project.Source].
func (b *build) List() (project.Listing, error) {
	folder, err := b.project.Walk()
	folder.Names = append(folder.Names, b.held.names()...)
	slices.Sort(folder.Names)
	folder.Names = slices.Compact(folder.Names)
	return folder, err
}

// Generated implements [project.Source].
func (b *build) Generated(name string, buf []byte) (data []byte, ok bool) {
	return b.held.get(name, buf)
}

// Builds implements [project.Source].
func (b *build) Builds() bool { return true }

// listed begins the plan: nothing is written before it returns.
func (b *build) listed(pages site.Map) (err error) {
	if !b.dryRun {
		if err := b.project.ConfirmFolder(pages.Expected()); err != nil {
			return err
		}
		if b.before, err = b.project.Walk(); err != nil {
			return err
		}
		sweep(b.project, b.before.Temps)
		b.project.State.Begin()
	}
	if b.maker, err = plan.NewMaker(b.project, pages, b, nil); err != nil {
		return err
	}
	b.pages = b.maker.Map()
	return nil
}

// write takes a file as the generator finished it: it is the Write of [site.Hooks], which several
// goroutines may call (b.held locks, and copies data). In a build it gets pages, sitemaps and
// _headers, and the generator itself writes the rest; in a dry run it gets every file. A page is
// decided on and written at once. What changes at the end, since it depends on all pages, is held
// until then; so is, in a dry run, everything that checks read.
func (b *build) write(name string, data []byte) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	isRead := b.maker.IsHeaderFile(name) // by a host that the policy names
	if isHeadersFile := path.Base(name) == hosts.HeadersFile; isHeadersFile && !isRead {
		return b.writeOther(name, data) // nothing of ours comes into it
	}
	f := b.pages.File(name)
	switch {
	case b.maker.IsToNameNewest(&f):
		return b.held.putPage(name, data)
	case f.HTML:
		return b.writePage(f, data)
	case b.dryRun && f.ListsPages(): // a feed, llms.txt: large, and checks read it
		return b.held.putPage(name, data)
	case b.dryRun && !isRead && f.Role != policy.RoleControl:
		data = nil // that it is there counts, and nobody asks for its bytes
	}
	b.held.put(name, data) // until the end
	return nil
}

// writeOther writes a file as it is. A dry run holds it if it would change.
func (b *build) writeOther(name string, data []byte) error {
	changes, err := b.put(name, data)
	if b.dryRun && changes {
		b.held.put(name, data)
	}
	return err
}

// writePage decides on a page and writes it with its tags. The state notes what they are before,
// and when the page was written after. A dry run holds the page as the generator made it.
func (b *build) writePage(f site.File, data []byte) error {
	return b.maker.Generated(f, data, func(out []byte, left *state.Left) (changes bool, err error) {
		if !b.dryRun {
			b.project.State.Intend(f.Name, left, nil)
		}
		changes, err = b.put(f.Name, out)
		switch {
		case err == nil && b.dryRun:
			err = b.held.putPage(f.Name, data)
		case err == nil:
			err = date(b.project.Path(f.Name), left)
		}
		return changes, err
	})
}

// put writes a file if other bytes are in the publish folder, and reports whether they do. One that
// a symlink, its own or a folder's, leads out of the publish folder is refused (M6).
func (b *build) put(name string, data []byte) (changes bool, err error) {
	file, write := b.project.Path(name), disk.Create // a new file is no symlink
	if b.dryRun || b.before.Has(name) || b.before.Linked || len(b.before.Findings) > 0 {
		write = disk.Write
		if project.Exists(b.project.Settings.Publish) {
			if !b.publish.Holds(file) {
				return false, fmt.Errorf("%s: a symlink leads out of the publish folder; it is not followed",
					b.project.Short(file))
			}
			if old, err := b.project.Root.ReadFile(file, project.MaxPage); err == nil && bytes.Equal(old, data) {
				return false, nil
			}
		}
	}
	if b.dryRun {
		return true, nil
	}
	return true, write(file, data)
}

// end writes the files beside the pages. If one of them fails its proof (N3, S1, S7), none that is
// published is replaced: what it restricts stays. The pages are already written.
func (b *build) end(s *plan.Plan) error {
	if err := b.writeHeld(s); err != nil {
		return errors.Join(err, b.giveBack())
	}
	if len(plan.Unproven(s.Files())) == 0 {
		return write(b.ctx, s, nil)
	}
	isPublished := func(name string, _ []byte) bool { return project.Exists(b.project.Path(name)) }
	maps.DeleteFunc(b.held.files, isPublished)
	return b.giveBack()
}

// writeHeld writes the pages that were held back, as they are planned.
func (b *build) writeHeld(s *plan.Plan) error {
	for name := range b.held.pages {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		pg := s.Page(name)
		if pg == nil {
			continue // the run removes it
		}
		_, out, err := s.NewBytes(pg)
		if err != nil {
			return err
		}
		left := pg.Left()
		b.project.State.Intend(name, left, nil)
		if _, err = b.put(name, out); err == nil {
			err = date(b.project.Path(name), left)
		}
		if err != nil {
			return err
		}
	}
	b.held.pages = map[string]part{} // which are in the publish folder now
	return nil
}

// giveBack writes what was held back for the end, as the generator made it.
func (b *build) giveBack() error {
	if b.dryRun {
		return nil
	}
	var errs []error
	for name := range b.held.pages {
		if data, ok := b.held.get(name, nil); ok {
			_, err := b.put(name, data)
			errs = append(errs, err)
		}
	}
	for name, data := range b.held.files {
		_, err := b.put(name, data)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, b.project.State.Save())...)
}

// date keeps when a page was written with what the run leaves there.
func date(file string, left *state.Left) error {
	if left == nil {
		return nil
	}
	info, err := os.Stat(file)
	if err == nil {
		left.Written = info.ModTime().UnixNano()
	}
	return err
}
