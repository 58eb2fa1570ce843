package hugo

import (
	"io"
	"os"
	"sync"
)

// A spool keeps the bytes of files that wait in a temporary file, since all pages of a large site may wait.
type spool struct {
	mu    sync.Mutex
	file  *os.File
	end   int64
	files sync.Map // where they are, as *io.SectionReader, by name
}

// put keeps a file, in place of what was kept under its name.
func (s *spool) put(name string, data []byte) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "metarobots-"); err != nil {
			return err
		}
	}
	_, err = s.file.WriteAt(data, s.end)
	s.files.Store(name, io.NewSectionReader(s.file, s.end, int64(len(data))))
	s.end += int64(len(data))
	return err
}

// get returns a file that is kept; nil for none.
func (s *spool) get(name string) *io.SectionReader {
	if at, ok := s.files.Load(name); ok {
		text := *at.(*io.SectionReader) // read from its beginning by each
		return &text
	}
	return nil
}

// close removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
