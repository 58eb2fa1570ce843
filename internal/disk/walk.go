package disk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// A Walk goes through a content folder as generators do: links to files and to folders are content as what they lead to
// is, if that lies in the files of Root, and have their own names. It only reads.
type Walk struct {
	Folder string // absolute, with links resolved
	Leave  string // a folder that is left out, such as that of the pages, with links resolved
	Files  Root
	// Skip leaves out a file or folder by its path from Folder. Every: folders whose names begin with a dot and
	// node_modules are gone through as others are.
	Skip  func(name string, isDir bool) bool
	Every bool
	// Visit gets where a file really is, its path from Folder, and why it is not read, if it is not.
	Visit func(file, name string, err error) error

	linked int // the folders that were found through links
}

// mostLinked is how many folders may be found through links: a few that lead to each other make more than anybody's
// pages.
const mostLinked = 20_000

// Run visits the files.
func (w *Walk) Run(ctx context.Context) error { return w.folder(ctx, "", []string{w.Folder}, false) }

// folder visits the files of one. The last of places is where it really is, the others are those that it was reached
// by. again: one of them is there twice.
func (w *Walk) folder(ctx context.Context, name string, places []string, again bool) error {
	dir := places[len(places)-1]
	if dir != filepath.Join(w.Folder, name) {
		if w.linked++; w.linked > mostLinked {
			return fmt.Errorf("%s: more than %d folders are found through links that lead to each other",
				filepath.Join(w.Folder, name), mostLinked)
		}
	}
	entries, err := os.ReadDir(dir)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return err
	}
	for _, e := range entries {
		file, name, kind := filepath.Join(dir, e.Name()), path.Join(name, e.Name()), e.Type()
		link := kind&fs.ModeSymlink != 0
		if link {
			info, err := os.Stat(file)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
				continue // it leads nowhere
			} else if err != nil {
				return err
			}
			kind = info.Mode().Type()
		}
		tools := e.Name() == "node_modules" || strings.HasPrefix(e.Name(), ".")
		switch {
		case w.Skip(name, kind.IsDir()):
		case kind.IsDir() && (e.Name() == ".git" || tools && !w.Every):
		case kind.IsDir() && link && !w.Files.Holds(file):
			err = w.Visit(file, name, ErrOutside)
		case kind.IsDir():
			if link {
				if file, err = filepath.EvalSymlinks(file); err != nil {
					return err
				}
			}
			// A link that leads back is gone round once, as Eleventy and VitePress do; the others build no such site.
			back := slices.Contains(places, file)
			if file != w.Leave && !(link && back && again) {
				err = w.folder(ctx, name, append(slices.Clip(places), file), again || back)
			}
		case kind.IsRegular():
			err = w.Visit(file, name, nil)
		default:
			err = w.Visit(file, name, ErrNotRegular)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Each does something with every item, which is one file, from several workers, and collects the errors.
func Each[W, T any](ctx context.Context, items []T, worker func() W, do func(w W, item *T) error) error {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
		next atomic.Int64
	)
	for range min(max(4, 2*runtime.NumCPU()), max(1, len(items))) {
		wg.Go(func() {
			w := worker()
			for i := int(next.Add(1)) - 1; i < len(items) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(w, &items[i]); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}
