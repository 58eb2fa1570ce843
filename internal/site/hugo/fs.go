package hugo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohugoio/hugo/hugofs"
	"github.com/spf13/afero"
	"github.com/spf13/afero/mem"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/internal/source"
)

// publishFs stands between Hugo and the publish folder: what Hugo writes is collected and handed to
// the builder when it is complete. Hugo writes from several goroutines.
type publishFs struct {
	afero.Fs
	b *builder
	// static: files are copied, one after the other, and those that are not held go straight to the
	// disk.
	static bool
	copied *pageFile // the last held one
}

// UnwrapFilesystem lets Hugo find file systems of its own below this one.
func (p *publishFs) UnwrapFilesystem() afero.Fs { return p.Fs }

// publishName is the slash-separated path from the publish root: Hugo writes aliases without a
// leading slash.
func publishName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(name)), "/")
}

func (p *publishFs) collects(name string) bool {
	return !p.static || site.IsHeld(name)
}

// Create collects a new file.
func (p *publishFs) Create(name string) (afero.File, error) {
	if err := p.b.ctx.Err(); err != nil {
		return nil, err
	}
	n := publishName(name)
	if !site.IsHTML(n) {
		p.b.made.Store(n, true)
	}
	if p.collects(n) || p.b.hooks.DryRun {
		return &pageFile{File: mem.NewFileHandle(mem.CreateFile(n)), fs: p, data: buffers.Get().(*bytes.Buffer)}, nil
	}
	return p.Fs.Create(name)
}

// buffers hold the bytes of files that are being written: nobody keeps a page's after it was handed
// over.
var buffers = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// OpenFile collects what is opened to be written.
func (p *publishFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		return p.Create(name)
	}
	return p.Open(name)
}

// Open reads a file back; one that waits is read as Hugo wrote it.
func (p *publishFs) Open(name string) (afero.File, error) {
	data, err := p.b.waiting.get(publishName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return p.Fs.Open(name)
	}
	f := mem.NewFileHandle(mem.CreateFile(publishName(name)))
	f.Write(data)
	f.Seek(0, io.SeekStart)
	return f, err
}

// Stat describes a file. For the copying of static files those that we edit are not there before
// they are copied, so that they always are, and compared by content.
func (p *publishFs) Stat(name string) (os.FileInfo, error) {
	if _, waits := p.b.waiting.parts.Load(publishName(name)); waits {
		return mem.NewFileHandle(mem.CreateFile(publishName(name))).Stat()
	}
	info, err := p.Fs.Stat(name)
	if err != nil || info.IsDir() {
		return info, err
	}
	// Hugo makes no image anew that it finds published: not even one that is to be removed.
	toBeCleaned := !p.static && !p.b.listed.Load() && p.b.site.configs.Base.CleanDestinationDir
	if toBeCleaned || p.static && p.collects(publishName(name)) && !p.copied.is(name) {
		return nil, &os.PathError{Op: "stat", Path: name, Err: os.ErrNotExist}
	}
	return info, nil
}

// Chtimes gives a static file the times of its source, unless we have edited it, which makes it
// younger, or found it there as it is, which leaves it alone (M7).
func (p *publishFs) Chtimes(name string, accessed, modified time.Time) error {
	if p.static && p.collects(publishName(name)) &&
		(!p.copied.is(name) || p.copied.unchanged || !p.holds(name, p.copied.data.Bytes())) {
		return nil
	}
	return p.Fs.Chtimes(name, accessed, modified)
}

func (p *publishFs) holds(name string, data []byte) bool {
	there, err := afero.ReadFile(p.Fs, name)
	return err == nil && bytes.Equal(there, data)
}

type pageFile struct {
	afero.File // its name
	fs         *publishFs
	data       *bytes.Buffer
	unchanged  bool // a static file's bytes were there already
	closed     bool
}

func (f *pageFile) Write(p []byte) (int, error)       { return f.data.Write(p) }
func (f *pageFile) WriteString(s string) (int, error) { return f.data.WriteString(s) }

func (f *pageFile) is(name string) bool { return f != nil && f.Name() == publishName(name) }

// Close hands the file over. Neither Hugo nor the copying of static files looks at what it returns.
func (f *pageFile) Close() (err error) {
	if f.closed {
		return os.ErrClosed
	}
	f.closed = true
	b, name := f.fs.b, f.Name()
	if f.fs.static {
		f.fs.copied, f.unchanged = f, f.fs.holds(name, f.data.Bytes())
		err = b.hooks.Write(name, f.data.Bytes())
	} else {
		err = b.takeFinished(name, f.data.Bytes())
		f.data.Reset()
		buffers.Put(f.data)
	}
	if err != nil {
		b.noteUnwritten(err)
	}
	return err
}

// sourceFs is what Hugo reads of a site. It refuses what would hang Hugo or use up the memory
// before Hugo looks into it: a FIFO or a device, and front matter that nests without end, for which
// Hugo's parsers have no bound.
type sourceFs struct {
	afero.OsFs
	opened sync.Map // whether they have one block of front matter for sure, by the names of the files that Hugo has opened
}

// UnwrapFilesystem tells Hugo that these are the system's files: else it writes hugo_stats.json a
// second time, below the site, into folders that are not there.
func (*sourceFs) UnwrapFilesystem() afero.Fs { return hugofs.Os }

// plainFrontMatter is the size, in bytes, up to which front matter cannot nest deep enough to do
// harm: Hugo takes 0.4 seconds for as many brackets.
const plainFrontMatter = 8 << 10

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
	s.opened.Store(name, hasOneBlock(f))
	if info.Size() <= plainFrontMatter {
		return f, nil
	}
	if line := source.DeepLine(io.NewSectionReader(f, 0, info.Size())); line > 0 {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name,
			Err: fmt.Errorf("front matter nests more than %d levels deep (line %d)", source.MaxDepth, line)}
	}
	return f, nil
}

// hasOneBlock reports whether the beginning of a file shows that it has front matter, in YAML or
// TOML, and behind it a text that does not begin as front matter does. Nothing is known of other
// files.
func hasOneBlock(f io.ReaderAt) bool {
	beginning := beginnings.Get().(*[1 << 10]byte)
	defer beginnings.Put(beginning)
	n, _ := f.ReadAt(beginning[:], 0)
	mark, rest, _ := bytes.Cut(beginning[:n], []byte("\n"))
	mark = bytes.TrimRight(mark, " \t\r")
	if !isMark(mark) {
		return false
	}
	isClosed := false
	for line := range bytes.Lines(rest) {
		switch text := bytes.TrimSpace(line); {
		case isClosed && len(text) > 0:
			return !beginsAsMark(text)
		case !isClosed && beginsAsMark(text):
			if isClosed = bytes.Equal(bytes.TrimRight(line, " \t\r\n"), mark); !isClosed {
				return false
			}
		}
	}
	return false
}

// beginnings are where the first bytes of files are read to.
var beginnings = sync.Pool{New: func() any { return &[1 << 10]byte{} }}

func isMark(line []byte) bool { return len(line) == len("---") && beginsAsMark(line) }

func beginsAsMark(text []byte) bool {
	return bytes.HasPrefix(text, []byte("---")) || bytes.HasPrefix(text, []byte("+++"))
}

// A spool keeps the bytes of files that wait in one temporary file, since all pages of a large site
// may wait.
type spool struct {
	file  *os.File
	end   atomic.Int64
	parts sync.Map // *io.SectionReader of the file, by the names of those that wait
}

// put keeps a file, in place of what was kept under its name.
func (s *spool) put(name string, data []byte) error {
	size := int64(len(data))
	at := s.end.Add(size) - size
	_, err := s.file.WriteAt(data, at)
	s.parts.Store(name, io.NewSectionReader(s.file, at, size))
	return err
}

// get reads a file; [fs.ErrNotExist] is one that does not wait.
func (s *spool) get(name string) ([]byte, error) {
	part, ok := s.parts.Load(name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	data := make([]byte, part.(*io.SectionReader).Size())
	if len(data) == 0 { // a reader would say that this is its end
		return data, nil
	}
	if _, err := part.(*io.SectionReader).ReadAt(data, 0); err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}
