package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrTooLarge says that a file is larger than a [Reader] reads.
var ErrTooLarge = errors.New("the file is too large")

// Write makes a file or replaces it, as [Replace] does; a file that is there keeps its mode. A symlink is resolved
// first: the caller has checked where it leads.
func Write(name string, data []byte, sync bool) error {
	name, mode, isNew, err := target(name)
	if err != nil {
		return err
	}
	return replace(name, data, mode, isNew, sync)
}

// target is the file behind a name, and the mode that it keeps or gets.
func target(name string) (file string, mode fs.FileMode, isNew bool, err error) {
	if behind, err := filepath.EvalSymlinks(name); err == nil {
		name = behind
	}
	info, err := os.Lstat(name)
	switch {
	case os.IsNotExist(err):
		return name, 0o644, true, nil
	case err != nil:
		return name, 0, false, err
	case !info.Mode().IsRegular():
		return name, 0, false, fmt.Errorf("%s is no regular file", name)
	}
	return name, info.Mode().Perm(), false, nil
}

// Replace replaces a file that is known to be a plain one: a temporary file beside it gets the bytes and the mode, and
// is renamed over it. In the same folder, because some file systems place files by folder. With sync the bytes are on
// the disk before the old ones are given up.
func Replace(name string, data []byte, mode fs.FileMode, sync bool) error {
	return replace(name, data, mode, false, sync)
}

// tempSuffix ends the names of temporary files, which are hidden and never *.html.
const tempSuffix = ".metarobots.tmp"

func tempName(name string) string {
	var random [6]byte
	rand.Read(random[:])
	i := strings.LastIndexByte(filepath.ToSlash(name), '/') + 1
	return name[:i] + "." + name[i:] + "." + hex.EncodeToString(random[:]) + tempSuffix
}

// IsTemp reports whether a file is a temporary one that an interrupted run left behind.
func IsTemp(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, tempSuffix)
}

// Sweep removes the temporary files that interrupted runs left beside a file, of that file alone: its neighbours may be
// in the hands of others.
func Sweep(name string) {
	folder, base := filepath.Split(name)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if IsTemp(e.Name()) && strings.HasPrefix(e.Name(), "."+base+".") {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
