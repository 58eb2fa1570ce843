package plan

import (
	"net/url"
	"path/filepath"
	"strings"
)

// pathsOf returns what a name on the command line may mean: a path from the publish root, or a content file.
func (p *Project) pathsOf(name string) []string {
	var paths []string
	if u, err := url.Parse(name); err == nil && u.Host != "" {
		to, ok := p.leads("", name, true)
		if !ok {
			return nil // a page of another site
		}
		paths = append(paths, to, decoded(to))
	} else if strings.HasPrefix(name, "/") {
		paths = append(paths, name)
		if to, ok := p.leads("", name, true); ok {
			paths = append(paths, to, decoded(to))
		}
	}
	file := absolute(p.options.WorkDir, name)
	if rel, err := filepath.Rel(p.settings.Publish, file); err == nil && filepath.IsLocal(rel) {
		paths = append(paths, "/"+filepath.ToSlash(rel))
		if rel == "." {
			paths = append(paths, "/")
		}
	}
	paths = append(paths, p.short(file), filepath.ToSlash(name), "/"+filepath.ToSlash(name))
	if !strings.HasSuffix(name, "/") {
		paths = append(paths, "/"+strings.TrimPrefix(filepath.ToSlash(name), "/")+"/") // /posts/a for /posts/a/
	}
	return paths
}
