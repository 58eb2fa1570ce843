package hugo

import (
	"io/fs"
	"path"
	"sync"

	"github.com/spf13/afero"
)

// assetFolders are the folders of a site's assets, each of which is read when a file of that folder is asked about.
type assetFolders struct {
	fs    afero.Fs
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
		stems = map[string]bool{}
		a.stems[dir] = stems
		entries, _ := fs.ReadDir(afero.NewIOFS(a.fs), dir) // none where it cannot be read
		for _, e := range entries {
			if !e.IsDir() {
				stems[stem(e.Name())] = true
			}
		}
	}
	return stems[stem(path.Base(name))]
}
