package plan

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"metarobots/internal/disk"
	"metarobots/internal/project"
)

// An Output is a file beside the pages that a run may change: a header file, a sitemap, robots.txt.
type Output struct {
	// File is its name for messages.
	File string
	// Old are its bytes as they stand there, nil for no file; New what they should be, nil for no file.
	Old, New []byte

	path string // absolute
	name string // from the publish root; empty for a file that is not published
	memory
}

// output is a published file.
func (p *planner) output(name string) Output {
	return Output{File: p.Project.Published(name), path: p.Project.Path(name), name: name}
}

// own returns a published file as its generator left it: see [Output].Old.
func (p *planner) own(o *Output) (own []byte) {
	if made, ok := p.made[o.name]; ok {
		return made
	}
	if own = o.Old; own != nil {
		own, o.was = p.Project.State.Recall(o.name).Undo(nil, o.Old)
	}
	return own
}

// Changes reports whether the file is not yet what it should be.
func (o *Output) Changes() bool {
	return !bytes.Equal(o.Old, o.New) || (o.Old == nil) != (o.New == nil)
}

// Removed reports whether the file goes.
func (o *Output) Removed() bool { return o.Old != nil && o.New == nil }

// Outputs are all files of the site beside the pages, whether they change or not.
func (s *Site) Outputs() []*Output {
	var all []*Output
	for _, h := range s.Headers {
		all = append(all, &h.Output)
	}
	for _, m := range s.Sitemaps {
		all = append(all, &m.Output)
	}
	for _, r := range s.Robots {
		all = append(all, &r.Output)
	}
	return all
}

// Differing are the published files that are not as the policy wants them, pages first.
func (s *Site) Differing() (pages, others []string) {
	for _, pg := range s.Pages {
		if pg.Changes {
			pages = append(pages, s.Project.Published(pg.Name))
		}
	}
	for _, o := range s.Outputs() {
		if o.Changes() {
			others = append(others, o.File)
		}
	}
	return pages, others
}

// Outdated are the published files that do not say yet what is decided on a page: its own, and where it needs a header
// its host's header files.
func (s *Site) Outdated(pg *Page) (files []string) {
	if pg.Changes {
		files = append(files, s.Project.Published(pg.Name))
	}
	if len(pg.Header) == 0 || s.LeftToTag(pg) {
		return files
	}
	for _, h := range s.Headers {
		if h.Changes() && h.host.Root == s.Project.HostOf(pg.Name).Root {
			files = append(files, h.File)
		}
	}
	return files
}

// Apply writes what the plan changes: each page is replaced whole. Where the header rules do not fit, nothing is
// written (N2). It may be called once.
func (s *Site) Apply(ctx context.Context) error {
	if s.Overflow != nil {
		return nil // a finding says so
	}
	if err := s.Project.ConfirmFolder(s.maker.m.Expected()); err != nil {
		return err
	}
	s.maker.sweep()
	return s.write(ctx)
}

// write writes what changes and nobody has written yet. The state is saved before the first file, so that a run that is
// cut off leaves none in which we would not know what is ours.
func (s *Site) write(ctx context.Context) error {
	for _, pg := range s.Pages {
		s.Project.State.Intend(pg.Name, pg.left, pg.was)
	}
	for _, o := range s.Outputs() {
		if o.name != "" {
			s.Project.State.Intend(o.name, o.left, o.was)
		}
	}
	if s.Project.Options.Force { // the next run need not ask again
		s.Project.State.Keep()
	}
	if slices.ContainsFunc(s.Pages, func(pg *Page) bool { return pg.pending }) {
		s.Project.State.Begin()
	}
	s.Project.State.Prune(func(name string) bool { return s.Page(name) != nil })
	if err := s.Project.State.Save(s.Project.Options.Sync); err != nil {
		return err
	}
	if err := errors.Join(s.writePages(ctx), s.writeOutputs()); err != nil {
		return err // the state still knows both
	}
	s.Project.State.Done()
	return s.Project.State.Save(s.Project.Options.Sync)
}

func (s *Site) writePages(ctx context.Context) error {
	var names []string
	for _, pg := range s.Pages {
		if pg.pending {
			names = append(names, pg.Name)
		}
	}
	return s.maker.each(ctx, names, func(e *editor, name string) error {
		file := s.Project.Path(name)
		src, err := e.reader.Read(file)
		if err != nil {
			return err
		}
		out, left := e.rewrite(s.Page(name), src, false)
		if err := disk.Replace(file, out, s.Project.Options.Sync); err != nil {
			return err
		}
		s.Project.State.Intend(name, left, nil)
		if s.Page(name+".gz") == nil {
			return nil
		}
		return refreshSibling(file, src, out, s.Project.Options.Sync)
	})
}

// writeOutputs writes the files beside the pages that change. A symlink in the place of one is refused.
func (s *Site) writeOutputs() error {
	var errs []error
	for _, o := range s.Outputs() {
		if !o.Changes() {
			continue
		}
		info, err := os.Lstat(o.path)
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			err = fmt.Errorf("%s is a symlink: it is not followed", o.File)
		case o.New == nil:
			err = os.Remove(o.path)
		default:
			err = write(disk.Write, o.path, o.New, s.Project.Options.Sync)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// write writes a file by [disk.Write] and its like, and makes its folder where it is not there: as a rule the last one
// alone is missing.
func write(by func(string, []byte, bool) error, file string, data []byte, sync bool) error {
	err := by(file, data, sync)
	if errors.Is(err, fs.ErrNotExist) {
		folder := filepath.Dir(file)
		if err = os.Mkdir(folder, 0o777); err != nil {
			err = os.MkdirAll(folder, 0o777)
		}
		if err == nil {
			err = by(file, data, sync)
		}
	}
	return err
}

// NewBytes returns the bytes of a page before and after, for a page that changes.
func (s *Site) NewBytes(pg *Page) (before, after []byte, err error) {
	if before, err = s.Project.Read(s.Project.Path(pg.Name), project.MaxPage); err != nil {
		return nil, nil, err
	}
	src, fresh := s.maker.made[pg.Name]
	if !fresh {
		src = before
	}
	after, _ = newEditor(s.maker).rewrite(pg, src, fresh)
	return before, after, nil
}

// sweep removes the temporary files that an interrupted run left in the publish folder.
func (p *planner) sweep() {
	for _, name := range p.folder.Temps {
		os.Remove(p.Project.Path(name))
	}
	p.folder.Temps = nil
}

// refreshSibling makes the gzip sibling of a page anew, if there is one and it holds the page's old bytes.
func refreshSibling(file string, before, after []byte, sync bool) error {
	file += ".gz"
	data, err := disk.NewRoot(filepath.Dir(file)).ReadFile(file, project.MaxPage)
	if disk.Refused(err) {
		return nil // it is no copy that we could make anew
	} else if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(before, after) {
		return nil
	} else if err != nil {
		return err
	}
	if text, err := unpack(data, int64(len(before))); err != nil || !bytes.Equal(text, before) {
		return nil // it is something else
	}
	return disk.Write(file, pack(after), sync)
}

// unpack returns what is packed with gzip, of at most limit bytes; longer is an error.
func unpack(data []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(text)) > limit {
		return nil, disk.ErrTooLarge
	}
	return text, err
}

func pack(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(text)
	w.Close()
	return b.Bytes()
}
