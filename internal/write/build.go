package write

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// Build renders the site and writes the policy as the pages are written; with dryRun nothing is written and the plan
// says what would be. Pages whose bytes are already there are left alone.
//
// An [*project.InvalidError] means that nothing was written. Where another error comes with a plan, its pages are whole.
func Build(ctx context.Context, p *project.Project, dryRun bool) (*plan.Plan, error) {
	builder, ok := p.Site.(site.Builder)
	if !ok {
		none := ""
		if p.Settings.AnyFolder {
			none = fmt.Sprintf("no Hugo site found in %s: ", p.Source)
		}
		return nil, project.Invalid(fmt.Errorf("%sthere is nothing to build with generator %q: make the pages with their "+
			"own generator, then run metarobots apply DIR", none, p.Generator))
	}
	held := &held{project: p, publish: disk.NewRoot(p.Settings.Publish), files: map[string][]byte{}}
	b := &build{ctx: ctx, project: p, from: held, to: &published{held: held, writer: writer{p}}}
	if dryRun {
		b.to = preview{held}
	}
	hooks := site.Hooks{Listed: b.listed, Write: b.write, DryRun: dryRun}
	err := builder.Build(ctx, p.Config.Robots.FrontMatter, hooks)
	if err == nil {
		var s *plan.Plan
		if s, err = b.maker.Finish(ctx); err == nil {
			err = b.to.finish(ctx, s)
		}
		return s, err
	}
	if render := (*site.RenderError)(nil); b.maker == nil && !errors.As(err, &render) {
		return nil, project.Invalid(err)
	}
	return nil, errors.Join(err, b.to.giveBack())
}

// Look plans what is published or, if the generator is compiled in and no page stands there yet, what a build would
// publish: it is rendered, and nothing is written. rendered says which.
func Look(ctx context.Context, p *project.Project) (s *plan.Plan, rendered bool, err error) {
	if p.Builds() {
		if folder, _ := p.Walk(); !slices.ContainsFunc(folder.Names, site.IsHTML) {
			s, err = Build(ctx, p, true)
			return s, true, err
		}
	}
	s, err = plan.New(ctx, p)
	return s, false, err
}

// build is one build.
type build struct {
	ctx     context.Context
	project *project.Project
	from    project.Source
	to      destination
	pages   site.Map
	maker   *plan.Maker // once the pages are listed
}

// A destination takes the files of a build.
type destination interface {
	// begin is called before the first file is taken. It fails if the publish folder shows no sign of the site with these
	// pages.
	begin(expected []string) error
	// hold takes a file that changes at the end, or whose bytes nobody asks for.
	hold(name string, data []byte, asked bool)
	// page takes a page as its generator made it, and as it is to be published with what is left of ours in it. put takes
	// any other file. Both report whether others stand in the publish folder.
	page(name string, data, out []byte, left *state.Left) (changes bool, err error)
	put(name string, data []byte) (changes bool, err error)
	// finish ends a build; giveBack ends one that failed.
	finish(ctx context.Context, s *plan.Plan) error
	giveBack() error
}

// listed begins the plan: nothing is written before it returns.
func (b *build) listed(pages site.Map) error {
	err := b.to.begin(pages.Expected())
	if err != nil {
		return err
	}
	b.pages = pages
	b.maker, err = plan.NewMaker(b.project, pages, b.from)
	return err
}

// write takes a file as the generator finished it.
func (b *build) write(name string, data []byte) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	read := b.maker.IsHeaderFile(name)
	if path.Base(name) == hosts.HeadersFile && !read {
		_, err := b.to.put(name, data)
		return err
	}
	f := b.pages.File(name)
	if !f.HTML { // a sitemap or a header file, which change at the end
		b.to.hold(name, data, read || f.Role == policy.RoleControl)
		return nil
	}
	return b.maker.Generated(f, data, func(out []byte, left *state.Left) (bool, error) {
		return b.to.page(name, data, out, left)
	})
}

// held are the files of a build that are not written, or not yet: each as its generator made it.
type held struct {
	project *project.Project
	publish disk.Root
	mu      sync.Mutex // a generator hands over files from several goroutines
	files   map[string][]byte
}

// List implements [project.Source].
func (h *held) List() (project.Listing, error) {
	folder, err := h.project.Walk()
	folder.Names = slices.AppendSeq(folder.Names, maps.Keys(h.files))
	slices.Sort(folder.Names)
	folder.Names = slices.Compact(folder.Names)
	return folder, err
}

// Generated implements [project.Source].
func (h *held) Generated(name string) (data []byte, ok bool) {
	data, ok = h.files[name]
	return data, ok
}

// Builds implements [project.Source].
func (h *held) Builds() bool { return true }

func (h *held) keep(name string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files[name] = bytes.Clone(data)
}

// differs reports whether a file has other bytes than data, and which. One that a symlink, its own or a folder's, leads
// out of the publish folder is refused (M6).
func (h *held) differs(name string, data []byte) (old []byte, differs bool, err error) {
	file := h.project.Path(name)
	if project.Exists(h.project.Settings.Publish) && !h.publish.Holds(file) {
		return nil, false, fmt.Errorf("%s: a symlink leads out of the publish folder; it is not followed",
			h.project.Short(file))
	}
	old, err = h.project.Root.ReadFile(file, project.MaxPage)
	return old, err != nil || !bytes.Equal(old, data), nil
}

// preview is a build that writes nothing: all files are held in memory.
type preview struct{ held *held }

func (d preview) begin([]string) error                     { return nil }
func (d preview) finish(context.Context, *plan.Plan) error { return nil }
func (d preview) giveBack() error                          { return nil }
func (d preview) hold(name string, data []byte, asked bool) {
	if !asked {
		data = nil
	}
	d.held.keep(name, data)
}

func (d preview) page(name string, data, out []byte, _ *state.Left) (bool, error) {
	d.held.keep(name, data)
	_, differs, err := d.held.differs(name, out)
	return differs, err
}

func (d preview) put(name string, data []byte) (bool, error) {
	_, differs, err := d.held.differs(name, data)
	if differs {
		d.held.keep(name, data)
	}
	return differs, err
}

// published is a build that writes into the publish folder. Sitemaps and header files are held back until the end.
type published struct {
	held   *held
	writer writer
	before project.Listing // of the publish folder before the build
}

func (d *published) begin(expected []string) error {
	err := d.held.project.ConfirmFolder(expected)
	if err != nil {
		return err
	}
	d.before, err = d.held.project.Walk()
	d.writer.sweep(d.before.Temps)
	d.held.project.State.Begin()
	return err
}

func (d *published) hold(name string, data []byte, _ bool) { d.held.keep(name, data) }

func (d *published) page(name string, _, out []byte, left *state.Left) (bool, error) {
	d.held.project.State.Intend(name, left, nil)
	return d.put(name, out)
}

// put writes a file if its bytes are not there yet.
func (d *published) put(name string, data []byte) (bool, error) {
	file := d.held.project.Path(name)
	stood := func(name string) bool { return d.before.Has(name) || d.before.Linked }
	if !stood(name) {
		return true, create(disk.Create, file, data)
	}
	old, differs, err := d.held.differs(name, data)
	if err != nil || !differs {
		return false, err
	}
	if err := create(disk.Write, file, data); err != nil || !site.IsHTML(name) || !stood(name+".gz") {
		return true, err
	}
	return true, refreshSibling(file, old, data)
}

// finish edits what is left of earlier builds, and static HTML, where it stands, and writes the files beside the pages.
func (d *published) finish(ctx context.Context, s *plan.Plan) error {
	return d.writer.write(ctx, s)
}

// giveBack writes what was held back for the end, as the generator made it.
func (d *published) giveBack() error {
	var errs []error
	for name, data := range d.held.files {
		_, err := d.put(name, data)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, d.held.project.State.Save())...)
}
