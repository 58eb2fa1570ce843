package hugo

import (
	"io/fs"
	"path"
	"path/filepath"
	"sync"

	"github.com/spf13/afero"
)

// assetFolders are the folders of a site's assets, each of which is read when a file of that folder is asked about.
type assetFolders struct {
	fs afero.Fs

	mu    sync.Mutex
	stems map[string]map[string]bool // by folder
}

// made reports whether a file looks like one that Hugo made of an asset: the same name but for a fingerprint, a size or
// another extension.
func (a *assetFolders) made(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	dir := path.Dir(name)
	stems, ok := a.stems[dir]
	if !ok {
		stems = a.read(dir)
		if a.stems == nil {
			a.stems = map[string]map[string]bool{}
		}
		a.stems[dir] = stems
	}
	return stems[stem(path.Base(name))]
}

// read returns the stems of the files of a folder; none where it cannot be read.
func (a *assetFolders) read(dir string) map[string]bool {
	stems := map[string]bool{}
	f, err := a.fs.Open(filepath.FromSlash(dir))
	if err != nil {
		return stems
	}
	defer f.Close()
	if list, ok := f.(fs.ReadDirFile); ok {
		entries, _ := list.ReadDir(-1)
		for _, e := range entries {
			if !e.IsDir() {
				stems[stem(e.Name())] = true
			}
		}
	}
	return stems
}
