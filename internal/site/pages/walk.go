package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"metarobots/internal/disk"
)

// A walk goes through a content folder as generators do: links to files and to folders are content as what they lead to
// is, as far as that lies in the site, its repository or the content folder, and have their own names. It only reads.
type walk struct {
	of      folder
	publish string // the folder of the pages
	site    string // the site's folder
	linked  int    // the folders that were found through links
	// visit gets where a file really is, its path from the site's folder, and why it is not read, if it is not.
	visit func(file, name string, err error) error
	files disk.Root
}

// mostLinked is how many folders may be found through links: a few that lead to each other make more than anybody's
// pages.
const mostLinked = 20_000

// content walks the folder; one that is not there has nothing.
func (w *walk) content(ctx context.Context) error {
	real, err := filepath.EvalSymlinks(joined(w.site, w.of.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a folder that this site does without
	} else if err != nil {
		return err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return err
	}
	w.files = disk.Around(w.site).With(real) // the owner's configuration names the folder, which may be a link
	if publish, err := filepath.EvalSymlinks(w.publish); err == nil {
		w.publish = publish
	}
	return w.folder(ctx, w.of.dir, []string{real})
}

// folder visits the files of one, by its path from the site's folder. The last of places is where it really is, the
// others are those that it was reached by.
func (w *walk) folder(ctx context.Context, name string, places []string) error {
	dir := places[len(places)-1]
	if dir != filepath.Join(places[0], within(name, w.of.dir)) {
		if w.linked++; w.linked > mostLinked {
			return fmt.Errorf("%s: more than %d folders are found through links that lead to each other",
				joined(w.site, name), mostLinked)
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
		case w.of.skip != nil && w.of.skip(name, kind.IsDir()):
		case kind.IsDir() && (e.Name() == ".git" || tools && !w.of.every):
		case kind.IsDir() && link && !w.files.Holds(file):
			err = w.visit(file, name, disk.ErrOutside)
		case kind.IsDir():
			err = w.enter(ctx, file, name, link, places)
		case kind.IsRegular():
			err = w.visit(file, name, nil)
		case w.of.matches(name):
			err = w.visit(file, name, disk.ErrNotRegular)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enter visits the files of a folder in another one. A link that leads back is gone round once, as Eleventy and
// VitePress do; the others build no such site.
func (w *walk) enter(ctx context.Context, file, name string, link bool, places []string) (err error) {
	if link {
		if file, err = filepath.EvalSymlinks(file); err != nil {
			return err
		}
	}
	if file == w.publish || link && slices.Contains(places, file) && len(unique(places)) < len(places) {
		return nil
	}
	return w.folder(ctx, name, append(slices.Clip(places), file))
}

// matches reports whether a file is of a kind that content has.
func (f *folder) matches(name string) bool {
	return f.extensions == nil || slices.Contains(f.extensions, strings.ToLower(extension(name)))
}

// opened is how a file begins that has front matter, or something that was meant for it behind what hides it.
var opened = regexp.MustCompile(`\A(?:\s|\p{Cf})*(?:---|<!--)`)

// marked reports whether a file begins as one with front matter, or cannot be asked.
func (w *walk) marked(file string) bool {
	f, err := w.files.Open(file)
	if err != nil {
		return true
	}
	defer f.Close()
	first := make([]byte, 64)
	n, _ := io.ReadFull(f, first)
	return opened.Match(first[:n])
}
