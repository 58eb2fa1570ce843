package initpolicy

import (
	"fmt"
	"path/filepath"
	"strings"

	"metarobots/internal/plan"
)

// PagesFolder is the folder of pages in a folder whose generator is not known.
func PagesFolder(source string) (string, error) {
	found := plan.PagesFolders(source)
	switch len(found) {
	case 1:
		return filepath.Join(source, filepath.FromSlash(found[0])), nil
	case 0:
		return "", fmt.Errorf("no site found in %s: no configuration of a known generator, and no pages in public, "+
			"dist, _site, build or out; name the folder of HTML pages: metarobots init DIR", source)
	}
	return "", fmt.Errorf("there are pages in %s, and no generator's configuration says which are published; name "+
		"the folder: metarobots init %s", strings.Join(found, ", "), found[len(found)-1])
}
