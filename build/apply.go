package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Changed reports whether anything would be written.
func (p *Plan) Changed() bool {
	for _, pg := range p.Pages {
		if pg.Changes {
			return true
		}
	}
	for _, h := range p.Headers {
		if h.Changes() {
			return true
		}
	}
	return false
}

// Apply writes what the plan changes: each page is replaced whole. Where the header rules do not fit, nothing is
// written (N2). It may be called once.
func (p *Plan) Apply(ctx context.Context) error {
	if p.Overflow != nil {
		return nil // a finding says so
	}
	p.sweep()
	err := p.applyPages(ctx)
	return errors.Join(err, p.writeHeaders(), p.project.state.save(p.project.options.Sync))
}

// applyPages writes the pages that change and that nobody has written yet.
func (p *Plan) applyPages(ctx context.Context) error {
	var names []string
	pages := map[string]*Page{}
	for _, pg := range p.Pages {
		if _, built := p.index[pg.Name]; built {
			continue
		}
		if pg.Changes {
			names = append(names, pg.Name)
			pages[pg.Name] = pg
		} else if pg.HTML {
			p.remember(pg)
		}
	}
	return p.each(ctx, names, func(e *editor, name string) error {
		file := p.path(name)
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		again, out := e.html(name, src, false)
		if !again.Changes {
			return nil
		}
		if err := writeFile(file, out, p.project.options.Sync); err != nil {
			return err
		}
		pages[name].Written = true
		p.remember(pages[name])
		return nil
	})
}

// writeHeaders writes the header files that change.
func (p *Plan) writeHeaders() error {
	var errs []error
	for _, h := range p.Headers {
		if !h.Changes() {
			continue
		}
		file := p.path(h.Name())
		var err error
		if h.New == nil {
			err = os.Remove(file)
		} else {
			err = writeFile(file, h.New, p.project.options.Sync)
		}
		h.Written = err == nil
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// sweep removes the temporary files that an interrupted run left in the publish folder.
func (p *Plan) sweep() {
	filepath.WalkDir(p.project.settings.Publish, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && isTemp(file) {
			os.Remove(file)
		}
		return nil
	})
}

// NewBytes returns the bytes of a page before and after, for a page that changes.
func (p *Plan) NewBytes(pg *Page) (before, after []byte, err error) {
	before, err = os.ReadFile(p.path(pg.Name))
	if err != nil {
		return nil, nil, err
	}
	fresh, ok := p.rendered[pg.Name]
	if !ok {
		e := newEditor(p)
		_, after = e.html(pg.Name, before, false)
		return before, after, nil
	}
	return before, fresh, nil
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
		return nil, invalid(fmt.Errorf("%s: no published file or page has this URL or name%s", name, p.suggest(paths)))
	}
	return found, nil
}
