package plan

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A listing is what was found in a publish folder beside its files.
type listing struct {
	symlinks map[string]string // files that are symlinks, and the published file each leads to
	temps    []string          // temporary files of an interrupted run
}

// walker lists the files of a publish folder, several folders at a time.
type walker struct {
	*planner
	root string
	real string        // root without symlinks
	free chan struct{} // room for further workers
	wg   sync.WaitGroup

	found sync.Mutex // guards what follows
	names []string
	errs  []error
}

// walk lists the files of the publish folder. A symlink that leads out of it is not followed (M6); temporary files that
// an interrupted run left are kept apart.
func (p *planner) walk() ([]string, error) {
	p.folder = listing{symlinks: map[string]string{}}
	w := &walker{planner: p, root: p.settings.Publish, free: make(chan struct{}, 2*runtime.NumCPU())}
	var err error
	if w.real, err = filepath.EvalSymlinks(w.root); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a dry run of a first build
	} else if err != nil {
		return nil, err
	}
	w.list("")
	w.wg.Wait()
	return w.names, errors.Join(w.errs...)
}

// list lists one folder; those below it are given to other workers while there is room.
func (w *walker) list(folder string) {
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(folder)))
	var names, temps []string
	for _, e := range entries {
		below := path.Join(folder, e.Name())
		switch {
		case e.IsDir():
			select {
			case w.free <- struct{}{}:
				w.wg.Go(func() {
					w.list(below)
					<-w.free
				})
			default:
				w.list(below)
			}
		case disk.IsTemp(below):
			temps = append(temps, below)
		case e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 && w.follows(below):
			names = append(names, below)
		case e.Type()&fs.ModeSymlink == 0:
			w.notRead(w.path(below), disk.ErrNotRegular)
		}
	}
	w.found.Lock()
	defer w.found.Unlock()
	w.names = append(w.names, names...)
	w.folder.temps = append(w.folder.temps, temps...)
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
			w.found.Lock()
			defer w.found.Unlock()
			w.folder.symlinks[name] = filepath.ToSlash(rel)
			return true
		case statErr == nil && info.IsDir():
			reason = "it leads to a folder"
		}
	}
	w.report(w.about(name, site.URL(name)).finding("symlink", policy.Warning, 0, "the symlink is not followed: %s",
		reason))
	return false
}
