// Package write writes changes of files, and the state that remembers them. It knows no page. A
// build of a generator that is compiled in writes its pages as they are generated.
//
// Words of this package:
//
//	name       of a published file: its path from the publish folder, with slashes, "a/index.html"
//	state      what runs left in files. Left is what a run leaves of ours in one; the other field of a
//	           state.Change or state.Output is what of ours is in it now. Nil is nothing.
//	Patched    said of a page (state.Change) whose bytes are to be written
//	Output     a file beside the pages: Old are its bytes, New those that it gets, nil for no file
//	held       said of files that a build does not write at once: sitemaps, header files, and in a dry
//	           run all. held.put keeps bytes in memory, held.putPage in a temporary file.
//	header     a file from which a host reads headers (_headers …); the maker adds our lines to it at the
//	file       end of a build
//	maker      package plan's: it decides on each page of a build as that is made
//	proof      reads a finished file as its host would; without it nothing of that kind is replaced
package write

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/state"
)

// Apply writes what a plan changes: each page is replaced whole. If header rules do not fit (N2),
// or a file beside the pages fails its proof (N3), nothing is written. The stage, which may be nil,
// is that of [plan.NewToWrite], and is dropped in the end.
func Apply(ctx context.Context, s *plan.Plan, stage *disk.Stage) error {
	defer stage.Drop()
	if s.IsWithheld() {
		return nil // a finding says so
	}
	if err := s.Project.ConfirmFolder(s.Map.Expected()); err != nil {
		return err
	}
	sweep(s.Project, s.Folder.Temps)
	return write(ctx, s, stage)
}

// sweep removes temporary files of an interrupted run, named from the publish root.
func sweep(p *project.Project, temps []string) {
	for _, name := range temps {
		os.Remove(p.Path(name))
	}
}

// write writes the pages and the files beside them that a plan changes, for [Apply] and at the end
// of a build. The state is saved twice. Before the first file it remembers, of each file, what may
// be there of ours: what is there now and what is to be there, so that after a run that is cut off
// the next one knows both. At the end it remembers what is there. It forgets files in which there
// is to be nothing of ours.
func write(ctx context.Context, p *plan.Plan, stage *disk.Stage) error {
	remembered, pages, files := p.Project.State, p.Changes(), p.Files()
	intend(remembered, pages, files)
	if p.Project.Options.Writing.Force {
		remembered.Keep() // even if empty: the next run then knows the folder, and need not ask for --force
	}
	isToWrite := func(c state.Change) bool { return c.Patched }
	if slices.ContainsFunc(pages, isToWrite) {
		remembered.Begin()
	}
	if err := saveWithRoom(remembered, stage); err != nil {
		return err
	}
	if err := writeFiles(ctx, p, pages, stage); err != nil {
		return err // the state still knows what may be there
	}
	remembered.Done()
	return remembered.Save()
}

// saveWithRoom saves the state. If that fails, the disk may be full of what is staged: it tries
// again without the stage, whose pages are then read and patched anew.
func saveWithRoom(s *state.State, stage *disk.Stage) error {
	if err := s.Save(); err == nil {
		return nil
	}
	stage.Drop()
	return s.Save()
}

// writeFiles writes the pages of a plan, then the files beside them. Errors of single files are
// joined, after all others are written.
func writeFiles(ctx context.Context, p *plan.Plan, pages []state.Change, stage *disk.Stage) error {
	worker := func() *patcher {
		return &patcher{project: p.Project, stage: stage, reader: disk.Reader{Max: project.MaxPage}}
	}
	err := disk.Each(ctx, pages, worker, (*patcher).patch)
	for _, f := range p.Files() {
		if output := f.Output(); output.Differs() {
			err = errors.Join(err, replace(p.Project, output))
		}
	}
	return err
}

// intend notes in the state what is to be left in pages and in files beside them, and drops every
// other file.
func intend(s *state.State, pages []state.Change, files []plan.File) {
	isKept := map[string]bool{}
	for _, c := range pages {
		isKept[c.Name] = true
		s.Intend(c.Name, c.Left, c.Stands)
	}
	for _, f := range files {
		if c := f.Output(); c.Name != "" { // it is published
			isKept[c.Name] = true
			s.Intend(c.Name, c.Left, c.Stands)
		}
	}
	s.Prune(func(name string) bool { return isKept[name] })
}

// patcher patches files one after another.
type patcher struct {
	project *project.Project
	stage   *disk.Stage
	reader  disk.Reader
	patches state.Patcher
}

// patch writes a page anew, if it is to be written.
func (p *patcher) patch(c *state.Change) error {
	if !c.Patched {
		return nil
	}
	file := p.project.Path(c.Name)
	modified, isWritten := p.stage.Replace(file)
	if !isWritten {
		var err error
		if modified, err = p.rewrite(file, c); err != nil {
			return err
		}
	}
	p.project.State.Intend(c.Name, c.Left.At(modified), nil)
	return nil
}

// rewrite reads a page again and writes it anew. It returns the time of change that the page has
// then.
func (p *patcher) rewrite(file string, c *state.Change) (modified time.Time, err error) {
	src, err := p.reader.Read(file)
	if err != nil {
		return time.Time{}, err
	}
	out, err := p.patches.Apply(src, c)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %w", p.project.Published(c.Name), err)
	}
	return disk.Rewrite(file, out)
}

// replace writes or removes a file beside the pages. A symlink in its place is refused.
func replace(p *project.Project, c *state.Output) error {
	if info, err := os.Lstat(c.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symlink: it is not followed", c.File)
	}
	stands, err := p.Read(c.Path, project.MaxHeaders)
	switch whole := len(c.Old) != robotstxt.MaxSize; { // of a longer robots.txt, no more is read
	case err != nil:
		return err
	case (stands == nil) != (c.Old == nil), !bytes.HasPrefix(stands, c.Old), whole && len(stands) != len(c.Old):
		return fmt.Errorf("%s: %w", c.File, state.ErrChanged)
	case c.New == nil:
		return os.Remove(c.Path)
	}
	return disk.Write(c.Path, c.New)
}
