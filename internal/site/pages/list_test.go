package pages

import (
	"io/fs"
	"os"
	"slices"

	"metarobots/internal/site"
)

// walked are the published files of a site, sorted.
func walked(s site.Site) (names []string) {
	fs.WalkDir(os.DirFS(s.Settings().Publish), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}
