package hugo

import (
	"io"
	"maps"
	"os"
	"slices"
	"sync"
)

// A spool keeps the bytes of files that wait in a temporary file, since all pages of a large site may wait.
type spool struct {
	mu    sync.Mutex
	file  *os.File
	end   int64
	spans map[string]span // by name
}

type span struct{ start, size int64 }

// put keeps a file, in place of what was kept under its name.
func (s *spool) put(name string, data []byte) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		s.spans = map[string]span{}
		if s.file, err = os.CreateTemp("", "metarobots-"); err != nil {
			return err
		}
	}
	s.spans[name] = span{s.end, int64(len(data))}
	_, err = s.file.WriteAt(data, s.end)
	s.end += int64(len(data))
	return err
}

// get returns a file that is kept; nil for none.
func (s *spool) get(name string) *io.SectionReader {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.spans[name]; ok {
		return io.NewSectionReader(s.file, at.start, at.size)
	}
	return nil
}

// drop forgets a file.
func (s *spool) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.spans, name)
}

// names are those of the files that are kept.
func (s *spool) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.spans))
}

// close removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
