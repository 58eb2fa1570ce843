package disk

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Root is folders below which files are read. Links are followed if they stay there. The zero
// value holds nothing.
type Root struct{ folders []string } // without links

// NewRoot is the root of some folders, which may be made later.
func NewRoot(folders ...string) Root { return Root{}.With(folders...) }

// Around is the root of a site's folder: the repository that it belongs to, where it belongs to
// one, since what lies there is the owner's too.
func Around(folder string) Root { return NewRoot(cmp.Or(Repository(real(folder)), folder)) }

// Repository is the root of the Git repository that a folder belongs to, by its name alone; empty
// if it belongs to none. In a worktree, .git is a file.
func Repository(folder string) string {
	if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
		return folder
	}
	if up := filepath.Dir(folder); up != folder {
		return Repository(up)
	}
	return ""
}

// With is the root of further folders, such as one that the owner names.
func (r Root) With(folders ...string) Root {
	all := slices.Clone(r.folders)
	for _, folder := range folders {
		if real := real(folder); real != "" && !slices.Contains(all, real) {
			all = append(all, real)
		}
	}
	return Root{all}
}

// real is a folder's absolute name without links, up to what is there yet; empty if that is not
// known.
func real(folder string) string {
	full, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	if behind, err := filepath.EvalSymlinks(full); err == nil {
		return behind
	}
	info, err := os.Lstat(full)
	isLink := err == nil && info.Mode()&fs.ModeSymlink != 0 // it leads nowhere
	// What is no link may be there all the same: somebody else has just made it.
	if up := filepath.Dir(full); up != full && !isLink && (err == nil || os.IsNotExist(err)) {
		if behind := real(up); behind != "" {
			return filepath.Join(behind, filepath.Base(full))
		}
	}
	return ""
}

// Holds reports whether a file or folder lies below the root once all links are followed; one that
// is not there yet lies where its folder does.
func (r Root) Holds(name string) bool {
	_, _, ok := r.find(real(name))
	return ok
}

// find returns the folder that holds a file, and the file's name from there, for its absolute name
// without links.
func (r Root) find(real string) (folder, rel string, ok bool) {
	for _, folder := range r.folders {
		if rel, err := filepath.Rel(folder, real); err == nil && filepath.IsLocal(rel) {
			return folder, rel, true
		}
	}
	return "", "", false
}

// Open opens a regular file below the root for reading.
func (r Root) Open(name string) (*os.File, error) {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, named(err, name)
	}
	folder, rel, ok := r.find(real)
	if !ok {
		return nil, named(ErrOutside, name)
	}
	in, err := os.OpenRoot(folder) // should a link have come in between, it leads nowhere
	if err != nil {
		return nil, named(err, name)
	}
	defer in.Close()
	return openRegular(in.Stat, in.Open, rel, name)
}

// ReadFile reads a regular file of at most limit bytes below the root.
func (r Root) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	return (&Reader{Max: limit}).readAll(osFile{f}, name)
}
