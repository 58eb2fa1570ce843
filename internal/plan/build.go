package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/site"
)

// Build renders the site and writes the policy as the pages are written; with dryRun nothing is written and the plan
// says what would be. Pages whose bytes are already there are left alone.
//
// An [*InvalidError] means that nothing was written. Where another error comes with a plan, the pages of the plan are
// whole.
func (p *Project) Build(ctx context.Context, dryRun bool) (*Plan, error) {
	builder, ok := p.site.(site.Builder)
	if !ok {
		return nil, invalid(fmt.Errorf("there is nothing to build with generator \"%s\": make the pages with their own generator, then run metarobots apply DIR", p.generatorName))
	}
	b := &run{project: p, ctx: ctx, dry: dryRun, handed: map[string]bool{}}
	b.editors.New = func() any { return newEditor(b.plan) }
	err := builder.Build(ctx, p.Config.Robots.FrontMatter, site.Hooks{Listed: b.listed, Write: b.write, DryRun: dryRun, Written: b.written})
	if err != nil {
		var render *site.RenderError
		if b.plan == nil && !errors.As(err, &render) {
			return nil, invalid(err)
		}
		return b.plan, errors.Join(err, b.giveBack(), p.state.Save(p.options.Sync))
	}
	err = b.finish()
	return b.plan, err
}

// run is one build.
type run struct {
	project *Project
	ctx     context.Context
	dry     bool
	plan    *Plan
	editors sync.Pool
	folders sync.Map // folders that are known to lie inside

	mu     sync.Mutex
	handed map[string]bool // header files that the generator wrote
}

// listed begins the plan: nothing is written before it returns.
func (b *run) listed(m site.Map, ownHeaders []byte) error {
	plan := b.project.newPlan(m)
	plan.building = true
	if err := plan.readHeaders(ownHeaders); err != nil {
		return err
	}
	b.plan = plan
	if b.dry {
		return nil
	}
	err := plan.walk()
	plan.sweep()
	return err
}

// write takes a page, or _headers, as the generator finished it.
func (b *run) write(name string, data []byte) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if path.Base(name) == headersFile {
		if b.headers(name, data) {
			return nil
		}
		return b.replace(name, data, nil)
	}
	f := b.plan.m.File(name)
	if !f.HTML { // a sitemap, which is filtered at the end
		b.keep(name, data)
		return nil
	}
	e := b.editors.Get().(*editor)
	defer b.editors.Put(e)
	pg, out := e.html(f, data, true)
	if b.dry {
		b.keep(name, data)
	} else {
		b.plan.remember(pg)
	}
	if err := b.replace(name, out, pg); err != nil {
		return err
	}
	b.plan.put(pg)
	return nil
}

// headers takes the site's own header rules, which are written with ours at the end.
func (b *run) headers(name string, data []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.plan.Headers {
		if h.name == name {
			h.user, b.handed[name] = data, true
			return true
		}
	}
	return false
}

// replace writes a file if its bytes are not there yet.
func (b *run) replace(name string, data []byte, pg *Page) error {
	file := b.plan.path(name)
	if err := b.inside(file); err != nil {
		return err
	}
	old, err := b.project.root.ReadFile(file, maxPage)
	same := err == nil && bytes.Equal(old, data)
	if pg != nil {
		pg.Changes = !same
	}
	if same {
		return nil
	}
	if b.dry {
		if pg == nil {
			b.keep(name, data)
		}
		return nil
	}
	err = disk.Write(file, data, b.project.options.Sync)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(file), 0o777); err == nil {
			err = disk.Write(file, data, b.project.options.Sync)
		}
	}
	if pg == nil || err != nil {
		return err
	}
	return refreshSibling(file, old, data, b.project.options.Sync)
}

// inside refuses a file that a symlink, its own or a folder's, leads out of the publish folder (M6).
func (b *run) inside(file string) error {
	info, err := os.Lstat(file)
	folder := filepath.Dir(file)
	check := folder
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		check = file
	} else if _, ok := b.folders.Load(folder); ok {
		return nil
	}
	real, err := filepath.EvalSymlinks(check)
	if err != nil {
		return nil // not there yet: it is made below
	}
	root, err := filepath.EvalSymlinks(b.project.settings.Publish)
	if err != nil {
		return nil
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s: a symlink leads out of the publish folder; it is not followed", b.project.short(file))
	}
	if check == folder {
		b.folders.Store(folder, true)
	}
	return nil
}

// written takes every other file of a dry run.
func (b *run) written(name string, data []byte) error {
	if path.Base(name) != "robots.txt" {
		data = nil // nobody asks for it
	}
	b.keep(name, data)
	return nil
}

// keep keeps a file that is not written, or not yet.
func (b *run) keep(name string, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plan.made[name] = bytes.Clone(data)
}

// finish decides on what the generator did not write as a page, and writes the headers.
func (b *run) finish() error {
	if err := b.rereadHeaders(); err != nil {
		return err
	}
	p := b.plan
	for _, h := range p.Headers {
		if err := h.read(b.project.host(h.Root)); err != nil {
			return err
		}
	}
	// The pass decides on every file that is not decided: pages that were written before a header rule of the site's own
	// for them was known are among these.
	p.Pages = slices.DeleteFunc(p.Pages, func(pg *Page) bool {
		return pg.Role.Policed() && !slices.Equal(pg.Subject.Headers, p.headersFor(pg.Name))
	})
	p.index = map[string]int{}
	for i, pg := range p.Pages {
		p.index[pg.Name] = i
	}
	if err := p.pass(b.ctx); err != nil {
		return err
	}
	if b.dry {
		return nil
	}
	// What is left of earlier builds, and static HTML, is edited where it stands.
	return errors.Join(p.applyPages(b.ctx), p.writeOutputs())
}

// rereadHeaders reads the header files once more: cleaning the destination may have taken them away, and those that do
// not go through write the build may have made.
func (b *run) rereadHeaders() (err error) {
	if b.dry {
		return nil
	}
	for _, h := range b.plan.Headers {
		if h.Old, err = b.project.readHeaderFile(h.path); err != nil {
			return err
		}
		if h.Old == nil && h.user != nil && path.Base(h.name) == headersFile && !b.handed[h.name] {
			h.user = nil // cleaned away, and the site has none of its own any more
		}
		if h.name == "" || path.Base(h.name) == headersFile {
			continue
		}
		h.user = h.Old
	}
	return nil
}

// giveBack writes what was kept for the end, as the generator made it, where the end is not reached.
func (b *run) giveBack() error {
	if b.plan == nil || b.dry {
		return nil
	}
	var errs []error
	for name, data := range b.plan.made {
		errs = append(errs, b.replace(name, data, nil))
	}
	return errors.Join(errs...)
}

// put adds a page, in place of what an earlier write of the same file made.
func (p *Plan) put(pg *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i, ok := p.index[pg.Name]; ok {
		p.Pages[i] = pg
		return
	}
	if p.index == nil {
		p.index = map[string]int{}
	}
	p.index[pg.Name] = len(p.Pages)
	p.Pages = append(p.Pages, pg)
	p.progress()
}
