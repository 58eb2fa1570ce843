package project

import (
	"errors"
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

// A Listing is what was found in a publish folder.
type Listing struct {
	Names    []string          // of its files, sorted
	Symlinks map[string]string // files that are symlinks, and the published file each leads to
	Linked   bool              // there are symlinks, to files, folders or nothing
	Temps    []string          // temporary files of an interrupted run
	Findings []policy.Finding  // about what is left out
}

// Has reports whether a file is there.
func (l *Listing) Has(name string) bool {
	_, found := slices.BinarySearch(l.Names, name)
	return found
}

// walker lists the files of a publish folder, several folders at a time.
type walker struct {
	project *Project
	root    string
	real    string        // root without symlinks
	free    chan struct{} // room for further workers
	wg      sync.WaitGroup

	found  sync.Mutex // guards what follows
	folder Listing
	errs   []error
}

// Walk lists the files of the publish folder. A symlink that leads out of it is not followed (M6); temporary files that
// an interrupted run left are kept apart.
func (p *Project) Walk() (Listing, error) {
	w := &walker{project: p, root: p.Settings.Publish, free: make(chan struct{}, 2*runtime.NumCPU())}
	var err error
	if w.real, err = filepath.EvalSymlinks(w.root); errors.Is(err, fs.ErrNotExist) {
		return Listing{}, nil // a dry run of a first build
	} else if err != nil {
		return Listing{}, err
	}
	w.folder.Symlinks = map[string]string{}
	w.list("")
	w.wg.Wait()
	slices.Sort(w.folder.Names)
	return w.folder, errors.Join(w.errs...)
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
			w.leave(policy.Finding{ID: "not-read", Severity: policy.Error, File: w.project.Published(below),
				Message: "the file is not read: " + disk.ErrNotRegular.Error()})
		}
	}
	w.found.Lock()
	defer w.found.Unlock()
	w.folder.Names = append(w.folder.Names, names...)
	w.folder.Temps = append(w.folder.Temps, temps...)
	if err != nil {
		w.errs = append(w.errs, err)
	}
}

// follows reports whether a symlink leads to a file inside the publish folder, and reports it where it does not.
func (w *walker) follows(name string) bool {
	w.found.Lock()
	w.folder.Linked = true
	w.found.Unlock()
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
			w.folder.Symlinks[name] = filepath.ToSlash(rel)
			return true
		case statErr == nil && info.IsDir():
			reason = "it leads to a folder"
		}
	}
	w.leave(policy.Finding{ID: "symlink", Severity: policy.Warning, URL: site.URL(name), File: w.project.Published(name),
		Message: "the symlink is not followed: " + reason})
	return false
}

// leave reports what is left out.
func (w *walker) leave(f policy.Finding) {
	w.found.Lock()
	defer w.found.Unlock()
	w.folder.Findings = append(w.folder.Findings, f)
}
