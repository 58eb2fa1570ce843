package write

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
)

// held are the files that a build keeps back, as their generator made them. A generator hands them
// over from several goroutines.
type held struct {
	mu    sync.Mutex
	files map[string][]byte
	// pages are where pages, and what lists them, lie in a temporary file: all of a dry run, and
	// else those that [plan.Maker.IsToNameNewest] names.
	pages map[string]part
	file  *os.File // nil before the first page
	end   int64
}

// A part of a file.
type part struct{ start, size int64 }

func newHeld() *held { return &held{files: map[string][]byte{}, pages: map[string]part{}} }

// put keeps a file in memory.
func (h *held) put(name string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files[name] = bytes.Clone(data)
}

// putPage keeps a page, or what lists pages, in the temporary file.
func (h *held) putPage(name string, data []byte) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		if h.file, err = os.CreateTemp("", "metarobots-"); err != nil {
			return err
		}
		os.Remove(h.file.Name()) // where the system lets it, so that nothing is left behind
	}
	p := part{h.end, int64(len(data))}
	h.end += p.size
	h.pages[name] = p
	if _, err := h.file.WriteAt(data, p.start); err != nil {
		return &fs.PathError{Op: "write", Path: name, Err: err}
	}
	return nil
}

// get returns a file that is held, in buf if there is one.
func (h *held) get(name string, buf []byte) (data []byte, ok bool) {
	h.mu.Lock()
	p, ok := h.pages[name]
	if !ok {
		data, ok = h.files[name]
	}
	h.mu.Unlock()
	switch {
	case !ok, data == nil && p.size == 0:
		return data, ok
	case data != nil && buf != nil:
		return append(buf[:0], data...), true
	case data != nil:
		return data, true
	}
	data = slices.Grow(buf[:0], int(p.size))[:p.size]
	_, err := h.file.ReadAt(data, p.start)
	return data, err == nil
}

// names are those of all files, sorted.
func (h *held) names() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range maps.Keys(h.files) {
			if !yield(name) {
				return
			}
		}
		for name := range maps.Keys(h.pages) {
			if !yield(name) {
				return
			}
		}
	})
}

// close removes the temporary file.
func (h *held) close() {
	if h.file != nil {
		h.file.Close()
		os.Remove(h.file.Name())
	}
}
