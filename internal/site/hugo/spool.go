package hugo

import (
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
	if s.file == nil {
		s.file, err = os.CreateTemp("", "metarobots-")
		s.spans = map[string]span{}
	}
	at := span{s.end, int64(len(data))}
	s.end += at.size
	s.mu.Unlock()
	if err == nil {
		_, err = s.file.WriteAt(data, at.start)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spans[name] = at
	return err
}

// get returns a file that is kept.
func (s *spool) get(name string) (data []byte, ok bool, err error) {
	s.mu.Lock()
	at, ok := s.spans[name]
	s.mu.Unlock()
	if ok {
		data = make([]byte, at.size)
		_, err = s.file.ReadAt(data, at.start)
	}
	return data, ok, err
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
