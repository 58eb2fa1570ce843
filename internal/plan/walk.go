package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A listing is what was found in a publish folder.
type listing struct {
	names    []string          // of its files, sorted
	symlinks map[string]string // files that are symlinks, and the published file each leads to
	temps    []string          // temporary files of an interrupted run
}

// walker lists the files of a publish folder, several folders at a time.
type walker struct {
	plan *Plan
	root string
	real string        // root without symlinks
	free chan struct{} // room for further workers
	wg   sync.WaitGroup

	mu    sync.Mutex
	found listing
	errs  []error
}

// walk lists the files of the publish folder, sorted. A symlink that leads out of it is not followed (M6); temporary
// files that an interrupted run left are kept apart.
func (p *Plan) walk() error {
	w := &walker{plan: p, root: p.project.settings.Publish, free: make(chan struct{}, 2*runtime.NumCPU()),
		found: listing{symlinks: map[string]string{}}}
	var err error
	if w.real, err = filepath.EvalSymlinks(w.root); errors.Is(err, fs.ErrNotExist) {
		return nil // a dry run of a first build
	} else if err != nil {
		return err
	}
	w.folder("")
	w.wg.Wait()
	slices.Sort(w.found.names)
	slices.Sort(w.found.temps)
	p.folder = w.found
	return errors.Join(w.errs...)
}

// folder lists one folder; those below it are given to other workers while there is room.
func (w *walker) folder(name string) {
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(name)))
	var names []string
	for _, e := range entries {
		below := path.Join(name, e.Name())
		switch {
		case e.IsDir():
			select {
			case w.free <- struct{}{}:
				w.wg.Go(func() {
					w.folder(below)
					<-w.free
				})
			default:
				w.folder(below)
			}
		case disk.IsTemp(below):
			w.mu.Lock()
			w.found.temps = append(w.found.temps, below)
			w.mu.Unlock()
		case e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 && w.follows(below):
			names = append(names, below)
		case e.Type()&fs.ModeSymlink == 0:
			w.mu.Lock()
			w.plan.notRead(w.plan.path(below), disk.ErrNotRegular)
			w.mu.Unlock()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found.names = append(w.found.names, names...)
	if err != nil {
		w.errs = append(w.errs, err)
	}
}

// follows reports whether a symlink leads to a file inside the publish folder, and reports it where it does not.
func (w *walker) follows(name string) bool {
	target, err := filepath.EvalSymlinks(filepath.Join(w.root, filepath.FromSlash(name)))
	reason := "it leads to no file"
	if err == nil {
		rel, e := filepath.Rel(w.real, target)
		info, statErr := os.Stat(target)
		switch {
		case e != nil || !filepath.IsLocal(rel):
			reason = "it leads out of the publish folder"
		case statErr == nil && info.Mode().IsRegular():
			w.mu.Lock()
			defer w.mu.Unlock()
			w.found.symlinks[name] = filepath.ToSlash(rel)
			return true
		case statErr == nil && info.IsDir():
			reason = "it leads to a folder"
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.plan.report(policy.Finding{ID: "symlink", Severity: policy.Warning, URL: site.URL(name), File: w.plan.Published(name),
		Message: "the symlink is not followed: " + reason})
	return false
}

// followLinks gives pages that are symlinks what the file behind them carries: one file has one set of tags, and it is
// edited under its own name.
func (p *Plan) followLinks() {
	if len(p.folder.symlinks) == 0 {
		return
	}
	pages := map[string]*Page{}
	for _, pg := range p.Pages {
		pages[pg.Name] = pg
	}
	for _, pg := range p.Pages {
		target := pages[p.folder.symlinks[pg.Name]]
		if target == nil || !pg.HTML {
			continue
		}
		pg.Changes, pg.Carries = false, target.Carries
		if !target.Decision.AtLeast(&pg.Decision) {
			pg.finding("symlink", policy.Warning, 0, "it is a symlink to %s and carries its tags, which are looser than what is decided here: a header alone can say more", target.Name)
			pg.aside = true
		}
	}
}

// plain refuses a file of ours that is a symlink.
func (p *Plan) plain(file string) error {
	if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symlink: it is not followed", p.project.short(file))
	}
	return nil
}

// sweep removes the temporary files that an interrupted run left in the publish folder.
func (p *Plan) sweep() {
	for _, name := range p.folder.temps {
		os.Remove(p.path(name))
	}
	p.folder.temps = nil
}
