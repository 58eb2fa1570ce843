package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"metarobots/internal/disk"
)

// Changed reports whether anything would be written.
func (p *Plan) Changed() bool {
	for _, pg := range p.Pages {
		if pg.Changes {
			return true
		}
	}
	return slices.ContainsFunc(p.Outputs(), (*Output).Changes)
}

// Drifted reports whether the tags of some page are not what an earlier run left there.
func (p *Plan) Drifted() bool {
	return slices.ContainsFunc(p.Pages, func(pg *Page) bool { return pg.drifted })
}

// Apply writes what the plan changes: each page is replaced whole. Where the header rules do not fit, nothing is
// written (N2). It may be called once.
func (p *Plan) Apply(ctx context.Context) error {
	if p.Overflow != nil {
		return nil // a finding says so
	}
	p.sweep()
	return errors.Join(p.applyPages(ctx), p.writeOutputs())
}

// applyPages writes the pages that change and that nobody has written yet. The state is saved before the first of
// them, so that a run that is cut off leaves no page whose tags we would not know for ours.
func (p *Plan) applyPages(ctx context.Context) error {
	var names []string
	pages := map[string]*Page{}
	state, sync := p.project.state, p.project.options.Sync
	published := make(map[string]bool, len(p.Pages))
	for _, pg := range p.Pages {
		published[pg.Name] = true
		if _, built := p.index[pg.Name]; built || !pg.HTML || p.folder.symlinks[pg.Name] != "" {
			continue
		}
		if pg.Changes {
			names = append(names, pg.Name)
			pages[pg.Name] = pg
		}
		p.remember(pg)
	}
	state.Prune(func(name string) bool { return published[name] })
	if err := state.Save(sync); err != nil {
		return err
	}
	err := p.each(ctx, names, func(e *editor, name string) error {
		file := p.path(name)
		src, err := e.reader.Read(file)
		if err != nil {
			return err
		}
		out := e.rewrite(pages[name], src)
		if err := disk.Replace(file, out, e.reader.Mode, sync); err != nil {
			return err
		}
		if p.Page(name+".gz") == nil {
			return nil
		}
		return refreshSibling(file, src, out, sync)
	})
	if err != nil {
		return err // the state still knows both
	}
	state.Done()
	return state.Save(sync)
}

// NewBytes returns the bytes of a page before and after, for a page that changes.
func (p *Plan) NewBytes(pg *Page) (before, after []byte, err error) {
	if before, err = p.project.read(p.path(pg.Name), maxPage); err != nil {
		return nil, nil, err
	}
	e := newEditor(p)
	if made, ok := p.made[pg.Name]; ok {
		_, after = e.html(p.m.File(pg.Name), made, true)
		return before, after, nil
	}
	return before, e.rewrite(pg, before), nil
}

// Lookup finds the pages that an argument names: a URL, a path from the publish root, a published file or a content
// file.
func (p *Plan) Lookup(name string) ([]*Page, error) {
	paths := p.project.pathsOf(name)
	var found []*Page
	for _, pg := range p.Pages {
		for _, path := range paths {
			if path == pg.URL || path == pg.Path.URL || path == pg.Path.File || pg.Source != "" && path == pg.Source {
				found = append(found, pg)
				break
			}
		}
	}
	if len(found) == 0 {
		if why := p.project.unpublished(name); why != "" {
			return nil, invalid(fmt.Errorf("%s: %s", name, why))
		}
		return nil, invalid(fmt.Errorf("%s: no published file or page has this URL or name%s", name, p.suggest(paths)))
	}
	return found, nil
}
