package hugo

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/afero"

	"metarobots/internal/disk"
	"metarobots/internal/source"
)

// sourceFs is what Hugo reads of a site. It refuses what would hang Hugo or use up the memory before Hugo looks into
// it: a FIFO or a device, and front matter that nests without end, for which Hugo's parsers have no bound.
type sourceFs struct{ afero.OsFs }

// plainFrontMatter is the size, in bytes, up to which front matter cannot nest deep enough to do harm.
const plainFrontMatter = 4 << 10

// Open opens a regular file or a folder.
func (s sourceFs) Open(name string) (afero.File, error) {
	info, err := s.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: disk.ErrNotRegular}
	}
	f, err := s.OsFs.Open(name)
	if err != nil || info.IsDir() || info.Size() <= plainFrontMatter {
		return f, err
	}
	line := deepLine(f)
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

// deepLine returns the line on which front matter opens more brackets or list items than any page's values nest, 0
// where none does. It counts at their strictest: quotes are not looked at, so ten times the depth that is allowed is
// too deep.
func deepLine(r io.Reader) int {
	text := bufio.NewReader(r)
	mark, err := text.Peek(3)
	if err != nil || !bytes.Equal(mark, []byte("---")) && !bytes.Equal(mark, []byte("+++")) && mark[0] != '{' {
		return 0
	}
	closing := string(mark)
	for line, open := 1, 0; ; line++ {
		row, err := text.ReadSlice('\n')
		if line > 1 && closing[0] != '{' && string(bytes.TrimSpace(row)) == closing {
			return 0
		}
		items := len(row) - len(bytes.TrimLeft(row, "-? ")) // "- - - a" are lists in a list
		for _, c := range row {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if max(open, items/2) > 10*source.MaxDepth {
				return line
			}
		}
		if err == bufio.ErrBufferFull {
			line-- // the row goes on
		} else if err != nil {
			return 0
		}
		if closing[0] == '{' && open == 0 {
			return 0
		}
	}
}
