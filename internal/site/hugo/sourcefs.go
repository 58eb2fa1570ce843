package hugo

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/gohugoio/hugo/hugofs"
	"github.com/spf13/afero"

	"metarobots/internal/disk"
	"metarobots/internal/source"
)

// sourceFs is what Hugo reads of a site. It refuses what would hang Hugo or use up the memory before Hugo looks into
// it: a FIFO or a device, and front matter that nests without end, for which Hugo's parsers have no bound.
type sourceFs struct {
	afero.OsFs
	opened sync.Map // the names of the files that Hugo has opened
}

// UnwrapFilesystem tells Hugo that these are the system's files: else it writes hugo_stats.json a second time, below
// the site, into folders that are not there.
func (*sourceFs) UnwrapFilesystem() afero.Fs { return hugofs.Os }

// plainFrontMatter is the size, in bytes, up to which front matter cannot nest deep enough to do harm.
const plainFrontMatter = 4 << 10

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// Open opens a regular file or a folder.
func (s *sourceFs) Open(name string) (afero.File, error) {
	info, err := s.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: disk.ErrNotRegular}
	}
	f, err := s.OsFs.Open(name)
	if err != nil || info.IsDir() {
		return f, err
	}
	s.opened.Store(name, nil)
	if info.Size() <= plainFrontMatter {
		return f, nil
	}
	text := readers.Get().(*bufio.Reader)
	text.Reset(f)
	line := source.DeepLine(text)
	readers.Put(text)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	if line > 0 {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name,
			Err: fmt.Errorf("front matter nests more than %d levels deep (line %d)", source.MaxDepth, line)}
	}
	return f, nil
}
