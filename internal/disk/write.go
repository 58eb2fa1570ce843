package disk

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Write makes a file or replaces it, as [Replace] does, except a symlink, which is resolved first:
// the caller has checked where it leads.
func Write(name string, data []byte) error {
	if behind, err := filepath.EvalSymlinks(name); err == nil {
		name = behind
	}
	return Replace(name, data)
}

// Create makes a file that was not there when the caller looked. It is [Replace] without another
// look.
func Create(name string, data []byte) error {
	_, err := place(name, newFile, writer(data))
	return err
}

// Replace is [WriteFrom] for bytes that are there.
func Replace(name string, data []byte) error { return WriteFrom(name, writer(data)) }

// Rewrite is [Replace], and returns the time of change that the file has now.
func Rewrite(name string, data []byte) (modified time.Time, err error) {
	as, err := target(name)
	if err != nil {
		return time.Time{}, err
	}
	return place(name, as, writer(data))
}

func writer(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// WriteFrom makes a file or replaces it: a temporary file beside it is written and renamed, in the
// same folder, because some file systems place files by folder; that folder is made if it is not
// there. Where write fails the old file stays as it is. A file that is there keeps its mode, a new
// one has it from the umask. A symlink is replaced by the file, and what it leads to stays as it
// is.
func WriteFrom(name string, write func(io.Writer) error) error {
	as, err := target(name)
	if err != nil {
		return err
	}
	_, err = place(name, as, write)
	return err
}

// A fileMode is the mode that a file gets.
type fileMode struct {
	bits      fs.FileMode
	isUmasked bool // the umask takes from it
}

// newFile is the mode of a file that is not there yet.
var newFile = fileMode{bits: 0o644, isUmasked: true}

// place writes a temporary file and renames it. modified is the time of change that the file has
// then.
func place(name string, as fileMode, write func(io.Writer) error) (modified time.Time, err error) {
	temp := tempName(name)
	made, err := writeTemp(name, temp, as, write)
	if err != nil {
		return time.Time{}, err
	}
	if err := rename(temp, name); err != nil {
		os.Remove(temp)
		return time.Time{}, aboutWriting(name, err)
	}
	if isDatedWhenClosed {
		info, err := os.Stat(name)
		if err != nil {
			return time.Time{}, err
		}
		return info.ModTime(), nil
	}
	return made.modified, nil
}

// writeTemp writes the temporary file of a file. If that fails it leaves none.
func writeTemp(name, temp string, as fileMode, write func(io.Writer) error) (made facts, err error) {
	f, err := createTemp(name, temp, as.bits)
	if err != nil {
		return facts{}, err
	}
	if err = write(f); err == nil {
		made, err = f.facts()
	}
	isCut := !as.isUmasked && made.mode.Perm() != as.bits // by the umask
	if err == nil && isCut {
		err = f.setMode(as.bits)
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		os.Remove(temp)
	}
	return made, err
}

// createTemp makes the temporary file of a file, and its folder if that is not there.
func createTemp(name, temp string, mode fs.FileMode) (f file, err error) {
	create := func() (file, error) { return openFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) }
	if f, err = create(); errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(filepath.Dir(name)); err != nil { // this is what is wrong, and not that it is missing
			return nil, err
		}
		f, err = create()
	}
	if err != nil {
		return nil, aboutWriting(name, err)
	}
	return f, nil
}

// makeFolder makes a folder and those above it. Nearly always it is the only one that is missing:
// [os.MkdirAll] would ask for it and for the one above it first.
func makeFolder(name string) error {
	err := os.Mkdir(name, 0o777)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil // if it is no folder, whatever is made in it says so
	}
	return os.MkdirAll(name, 0o777)
}

// aboutWriting is an error about a file, and not about its temporary one.
func aboutWriting(name string, err error) error {
	return &fs.PathError{Op: "write", Path: name, Err: errors.Unwrap(err)}
}

// target is the mode that a file gets which is written under a name.
func target(name string) (as fileMode, err error) {
	info, err := os.Lstat(name)
	switch {
	case os.IsNotExist(err):
		return newFile, nil
	case err != nil:
		return fileMode{}, err
	case info.Mode()&fs.ModeSymlink != 0 && replaceable(name):
		return newFile, nil
	case !info.Mode().IsRegular():
		return fileMode{}, &fs.PathError{Op: "write", Path: name, Err: ErrNotRegular}
	}
	return fileMode{bits: info.Mode().Perm()}, nil
}

// replaceable reports whether a file may take the place of a symlink: not of one to a folder or a
// device, nor of those that a system keeps for its streams (/dev/stdout); /dev/shm holds files like
// any other folder.
func replaceable(link string) bool {
	info, err := os.Stat(link)
	if err != nil {
		return os.IsNotExist(err)
	}
	full, err := filepath.Abs(link)
	return err == nil && info.Mode().IsRegular() && !strings.HasPrefix(full, "/proc/") &&
		(!strings.HasPrefix(full, "/dev/") || strings.HasPrefix(full, "/dev/shm/"))
}

// tempSuffix ends the names of temporary files, which are hidden and never *.html.
const tempSuffix = ".metarobots.tmp"

// longestLabel is how long a file's name may be, in bytes, to be in that of its temporary file:
// most file systems take names of 255.
const longestLabel = 128

func tempName(name string) string {
	folder, base := filepath.Split(name)
	return folder + tempPrefix(base) + rand.Text() + tempSuffix
}

// tempPrefix begins the names of the temporary files of a file: with as much of its name as fits.
func tempPrefix(base string) string {
	return "." + strings.ToValidUTF8(base[:min(len(base), longestLabel)], "") + "."
}

// IsTemp reports whether a file is a temporary one that an interrupted run left behind.
func IsTemp(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, tempSuffix)
}

// Sweep removes the temporary files that interrupted runs left beside a file, of that file alone:
// its neighbours may be in the hands of others.
func Sweep(name string) {
	folder, base := filepath.Split(name)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if IsTemp(e.Name()) && strings.HasPrefix(e.Name(), tempPrefix(base)) {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// Unpack returns what is packed with gzip, of at most limit bytes; longer is an error. It is
// unpacked twice, so that what is too long takes no memory.
func Unpack(data []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(io.Discard, io.LimitReader(r, limit+1))
	if err == nil && size > limit {
		err = ErrTooLarge
	}
	if err == nil {
		err = r.Reset(bytes.NewReader(data))
	}
	if err != nil {
		return nil, err
	}
	text := make([]byte, size)
	_, err = io.ReadFull(r, text)
	return text, err
}

// Pack packs a text with gzip.
func Pack(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(text)
	w.Close()
	return b.Bytes()
}
