package build

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writeFile replaces a file atomically: a temporary file beside it, its mode, then a rename, so that after a crash, a
// full disk or a kill the file is the old one or the new one (M6). A symlink is resolved first; the caller has checked
// where it leads.
func writeFile(name string, data []byte, sync bool) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o644)
	info, err := os.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", name)
	case err == nil:
		mode = info.Mode().Perm()
	case !os.IsNotExist(err):
		return err
	}
	var random [6]byte
	rand.Read(random[:])
	temp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+hex.EncodeToString(random[:])+tempSuffix)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if _, err = f.Write(data); err == nil && info != nil {
		err = f.Chmod(mode) // the umask may have cut it
	}
	if err == nil && sync {
		err = syncData(f)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(temp, name)
}

// tempSuffix ends the names of our temporary files, which are hidden and never *.html.
const tempSuffix = ".metarobots.tmp"

// isTemp reports whether a file is one of our temporary files that an interrupted run left behind.
func isTemp(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, tempSuffix)
}
