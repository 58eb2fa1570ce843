package initpolicy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// PublishFolders are where generators put pages unless they are told otherwise.
var PublishFolders = []string{"public", "dist", "_site", "site", "build", "out", "output", "_book", "book", "docs",
	"www", "html", "_build/html", ".output/public", ".vitepress/dist"}

// PagesFolder is the folder of pages in a folder whose generator is not known, by its usual name and a home page in it;
// the folder itself may have one.
func PagesFolder(source string) (string, error) {
	var found []string
	for _, name := range append([]string{"."}, PublishFolders...) {
		info, err := os.Stat(filepath.Join(source, filepath.FromSlash(name), "index.html"))
		if err == nil && info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 1:
		return filepath.Join(source, filepath.FromSlash(found[0])), nil
	case 0:
		return "", fmt.Errorf("%s holds no site: no generator's configuration that is known, and no pages in public, "+
			"dist, _site, build, out or the like; name the folder of the pages: metarobots init DIR", source)
	}
	return "", fmt.Errorf("pages lie in %s, and no generator's configuration says which are published: name the "+
		"folder, metarobots init %s", strings.Join(found, ", "), found[len(found)-1])
}
