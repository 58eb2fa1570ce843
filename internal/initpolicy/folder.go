package initpolicy

import (
	"os"
	"path/filepath"
)

// publishFolders are where generators put pages unless they are told otherwise.
var publishFolders = []string{"public", "dist", "_site", "site", "build", "out", "output", "_book", "book", "docs",
	"www", "html", "_build/html", ".output/public", ".vitepress/dist"}

// Folders are the folders of pages in a folder whose generator is not known, by their usual names and a home page in
// them; the folder itself where it has one.
func Folders(source string) (found []string) {
	for _, name := range append([]string{"."}, publishFolders...) {
		folder := filepath.Join(source, filepath.FromSlash(name))
		if info, err := os.Stat(filepath.Join(folder, "index.html")); err == nil && info.Mode().IsRegular() {
			found = append(found, folder)
		}
	}
	return found
}
