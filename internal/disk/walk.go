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

// A Walk goes through a content folder as generators do: links to files and to folders are content
// as what they lead to is, if that lies in the files of Root, and have their own names. It only
// reads. Folders named .git are never entered.
type Walk struct {
	Folder string // absolute, with links resolved
	Leave  string // a folder that is left out, such as that of the pages, with links resolved
	Files  Root   // the folders in which a folder behind a link has to lie
	// Skip reports whether a file or folder is left out, by its path from Folder. It is not nil.
	Skip func(name string, isDir bool) bool
	// EntersTools: folders that tools keep beside content are entered as others are. Their names
	// are node_modules, or begin with a dot.
	EntersTools bool
	// Visit gets where a file really is (absolute; a link to a file as itself), its path from
	// Folder, and why it is not to be read: [ErrNotRegular], or nil if it is. For a folder behind a
	// link that leads out of Files it is called once, with [ErrOutside]. Where a link to a file
	// leads is not asked here: reading it by a [Root] refuses one that leads out.
	Visit func(file, name string, err error) error

	linked int // the folders that were found through links
}

// mostLinked is how many folders may be found through links: a few that lead to each other make
// more than anybody's pages.
const mostLinked = 20_000

// Run visits the files, in the order of their names. It ends with the first error of Visit.
func (w *Walk) Run(ctx context.Context) error {
	return w.folder(ctx, walkedFolder{name: "", way: NewWay(w.Folder)})
}

// A walkedFolder is one that a Walk enters.
type walkedFolder struct {
	name string // its path from the Walk's Folder, by the names of links
	way  Way
}

// A Way is how a walk came to a folder, for walks that follow links. It says where they have to
// end.
type Way struct {
	// places are the real places of the folders that the walk went through. The last is the folder.
	places []string
	// hasRepeat: a place is there twice, since a link led back to a folder around it.
	hasRepeat bool
}

// NewWay is the way of a walk that begins in a folder, which is absolute, with links resolved.
func NewWay(folder string) Way { return Way{places: []string{folder}} }

// WayDown is the way of a walk that begins in a folder and goes down to one in it, or stays there.
// Both are absolute, with links resolved.
func WayDown(folder, to string) (w Way) {
	if to != folder {
		w = WayDown(folder, filepath.Dir(to))
	}
	w.places = append(w.places, to)
	return w
}

// Place is where the folder really is.
func (w Way) Place() string { return w.places[len(w.places)-1] }

// Into is the way that goes on into a folder, by its real place.
func (w Way) Into(place string) Way {
	return Way{places: append(slices.Clip(w.places), place),
		hasRepeat: w.hasRepeat || slices.Contains(w.places, place)}
}

// Ends reports whether a walk should not go on into the folder behind a link, by its real place. A
// link that leads back to a folder around it is followed once.
func (w Way) Ends(place string) bool { return w.hasRepeat && slices.Contains(w.places, place) }

// folder visits the files of one folder, and of the folders in it.
func (w *Walk) folder(ctx context.Context, f walkedFolder) error {
	if f.way.Place() != filepath.Join(w.Folder, f.name) {
		if w.linked++; w.linked > mostLinked {
			return fmt.Errorf("%s: more than %d folders are found through links that lead to each other",
				filepath.Join(w.Folder, f.name), mostLinked)
		}
	}
	entries, err := os.ReadDir(f.way.Place())
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.entry(ctx, f, e); err != nil {
			return err
		}
	}
	return nil
}

// entry visits a file, or enters a folder, that is listed as e in a folder: for a link, what it
// leads to. What is neither, such as a pipe, is visited with [ErrNotRegular]. A link that leads
// nowhere is passed over, and so is what Skip leaves out. An error ends the walk: that of Visit, or
// of a link or folder that cannot be read.
func (w *Walk) entry(ctx context.Context, in walkedFolder, e fs.DirEntry) error {
	file, name := filepath.Join(in.way.Place(), e.Name()), path.Join(in.name, e.Name())
	kind := e.Type()
	isLink := kind&fs.ModeSymlink != 0
	if isLink {
		target, err := os.Stat(file)
		leadsNowhere := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)
		if leadsNowhere {
			return nil
		} else if err != nil {
			return err
		}
		kind = target.Mode().Type()
	}
	switch {
	case w.Skip(name, kind.IsDir()):
		return nil
	case kind.IsDir() && isLink:
		return w.linkedFolder(ctx, in, name, file)
	case kind.IsDir():
		return w.ownFolder(ctx, in, name, file)
	case kind.IsRegular():
		return w.Visit(file, name, nil)
	}
	return w.Visit(file, name, ErrNotRegular)
}

// ownFolder enters a folder that lies in another one at file, without a link. The folder Leave and
// those that entersNamed does not let in are passed over.
func (w *Walk) ownFolder(ctx context.Context, in walkedFolder, name, file string) error {
	if file == w.Leave || !w.entersNamed(path.Base(name)) {
		return nil
	}
	return w.folder(ctx, walkedFolder{name, in.way.Into(file)})
}

// entersNamed reports whether the walk enters folders, and links to folders, of a name: not those
// of tools unless EntersTools is set, and never .git.
func (w *Walk) entersNamed(base string) bool {
	isOfTools := base == "node_modules" || strings.HasPrefix(base, ".")
	return base != ".git" && (w.EntersTools || !isOfTools)
}

// linkedFolder enters the folder behind a link, which lies in another folder at file. What
// ownFolder passes over it passes over too: Leave by where the link leads, and tools by the link's
// own name. A link that leads back to a folder around it is followed once on a [Way], as Eleventy
// and VitePress do; the other generators fail at such a site.
func (w *Walk) linkedFolder(ctx context.Context, in walkedFolder, name, file string) error {
	if !w.entersNamed(path.Base(name)) {
		return nil
	}
	if !w.Files.Holds(file) {
		return w.Visit(file, name, ErrOutside)
	}
	place, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	if place == w.Leave || in.way.Ends(place) {
		return nil
	}
	return w.folder(ctx, walkedFolder{name, in.way.Into(place)})
}

// Each does something with every item, which is one file, from several workers, and collects the
// errors.
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
