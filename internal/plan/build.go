package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Build renders the site and writes the policy as the pages are written; with dryRun nothing is written and the plan
// says what would be. Pages whose bytes are already there are left alone.
//
// An [*InvalidError] means that nothing was written. Where another error comes with a site, its pages are whole.
func Build(ctx context.Context, p *project.Project, dryRun bool) (*Site, error) {
	builder, ok := p.Site.(site.Builder)
	if !ok {
		none := ""
		if p.Settings.AnyFolder {
			none = fmt.Sprintf("no Hugo site found in %s: ", p.Source)
		}
		return nil, project.Invalid(fmt.Errorf("%sthere is nothing to build with generator %q: make the pages with their "+
			"own generator, then run metarobots apply DIR", none, p.Generator))
	}
	b := &build{project: p, ctx: ctx, dry: dryRun, publish: disk.NewRoot(p.Settings.Publish)}
	b.editors.New = func() any { return newEditor(b.planner) }
	hooks := site.Hooks{Listed: b.listed, Write: b.write, DryRun: dryRun}
	err := builder.Build(ctx, p.Config.Robots.FrontMatter, hooks)
	if err == nil {
		return b.finish()
	}
	if render := (*site.RenderError)(nil); b.planner == nil && !errors.As(err, &render) {
		return nil, project.Invalid(err)
	}
	return nil, errors.Join(err, b.giveBack(), p.State.Save(p.Options.Sync))
}

// build is one build.
type build struct {
	*planner // nil until the pages are listed
	project  *project.Project
	ctx      context.Context
	dry      bool
	editors  sync.Pool
	publish  disk.Root
	before   []string   // the files of the publish folder before the build, sorted; not for a dry run
	kept     sync.Mutex // what the generator hands over, from several goroutines
}

// listed begins the plan: nothing is written before it returns.
func (b *build) listed(m site.Map) error {
	if err := b.project.ConfirmFolder(m.Expected()); err != nil && !b.dry {
		return err
	}
	p, err := newPlanner(b.project, m, true, map[string][]byte{})
	if err != nil {
		return err
	}
	b.planner = p
	if b.dry {
		return nil
	}
	p.folder, err = p.Project.Walk()
	b.before = p.folder.Names
	p.sweep()
	p.Project.State.Begin()
	return err
}

// stood reports whether a file may have stood in the publish folder before the build.
func (b *build) stood(name string) bool {
	_, found := slices.BinarySearch(b.before, name)
	return found || b.dry || b.folder.Linked
}

// write takes a file as the generator finished it.
func (b *build) write(name string, data []byte) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if path.Base(name) == hosts.HeadersFile && !b.isHeaderFile(name) {
		_, err := b.replace(name, data)
		return err
	}
	f := b.m.File(name)
	if !f.HTML { // a sitemap or a header file, which change at the end
		if b.dry && f.Role != policy.RoleControl && !b.isHeaderFile(name) {
			data = nil // nobody asks for it
		}
		b.keep(name, data)
		return nil
	}
	e := b.editors.Get().(*editor)
	defer b.editors.Put(e)
	pg, out := e.html(f, data, true)
	if b.dry {
		b.keep(name, data)
	} else {
		b.Project.State.Intend(name, pg.left, nil)
	}
	var err error
	if pg.Changes, err = b.replace(name, out); err != nil {
		return err
	}
	b.add(pg)
	return nil
}

// isHeaderFile reports whether a file is one that a host reads headers from.
func (b *build) isHeaderFile(name string) bool {
	return slices.ContainsFunc(b.headers, func(h *HeaderFile) bool { return h.name == name })
}

// replace writes a file if its bytes are not there yet, and reports whether they were not. One that a symlink, its own
// or a folder's, leads out of the publish folder is refused (M6).
func (b *build) replace(name string, data []byte) (changes bool, err error) {
	file, sync := b.Project.Path(name), b.Project.Options.Sync
	if !b.stood(name) {
		return true, write(disk.Create, file, data, sync)
	}
	if project.Exists(b.Project.Settings.Publish) && !b.publish.Holds(file) {
		return false, fmt.Errorf("%s: a symlink leads out of the publish folder; it is not followed", b.Project.Short(file))
	}
	old, err := b.Project.Root.ReadFile(file, project.MaxPage)
	switch {
	case err == nil && bytes.Equal(old, data):
		return false, nil
	case b.dry:
		if !site.IsHTML(name) { // a page is kept as the generator made it
			b.keep(name, data)
		}
		return true, nil
	}
	if err := write(disk.Write, file, data, sync); err != nil || !site.IsHTML(name) || !b.stood(name+".gz") {
		return true, err
	}
	return true, refreshSibling(file, old, data, sync)
}

// keep keeps a file that is not written, or not yet.
func (b *build) keep(name string, data []byte) {
	b.kept.Lock()
	defer b.kept.Unlock()
	b.made[name] = bytes.Clone(data)
}

// finish decides on what the generator did not write as a page, and writes the headers. What header files say is read
// once more: cleaning the destination may have taken them away, and the build may have made some.
func (b *build) finish() (*Site, error) {
	b.reported = nil // it is said again
	if err := b.readHeaders(); err != nil {
		if bad := (*project.InvalidError)(nil); errors.As(err, &bad) {
			err = bad.Err // something is written by now
		}
		return nil, err
	}
	var err error
	if b.folder, err = b.Project.Walk(); err != nil {
		return nil, err
	}
	s, err := b.pass(b.ctx)
	if err != nil || b.dry {
		return s, err
	}
	return s, s.write(b.ctx) // what is left of earlier builds, and static HTML, is edited where it stands
}

// giveBack writes what was kept for the end, as the generator made it, where the end is not reached.
func (b *build) giveBack() error {
	if b.planner == nil || b.dry {
		return nil
	}
	var errs []error
	for name, data := range b.made {
		_, err := b.replace(name, data)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
