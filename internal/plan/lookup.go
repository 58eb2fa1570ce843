package plan

import (
	"net/url"
	"path/filepath"
	"strings"

	"metarobots/policy"
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
	for _, root := range []string{p.settings.Publish, p.source} {
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) && root == p.settings.Publish {
			paths = append(paths, "/"+filepath.ToSlash(rel))
			if rel == "." {
				paths = append(paths, "/")
			}
		}
	}
	paths = append(paths, p.short(file), filepath.ToSlash(name), "/"+filepath.ToSlash(name))
	if !strings.HasSuffix(name, "/") {
		paths = append(paths, "/"+strings.TrimPrefix(filepath.ToSlash(name), "/")+"/") // /posts/a for /posts/a/
	}
	return paths
}

// decoded is a path without its encoding, or as it is where that cannot be read.
func decoded(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// suggest names the published URL closest to one that is not there.
func (p *Plan) suggest(paths []string) string {
	urls := make([]string, len(p.Pages))
	for i, pg := range p.Pages {
		urls[i] = pg.URL
	}
	for _, path := range paths {
		if len(path) > 60 {
			continue
		}
		if n := policy.Near(path, urls); n != "" {
			return " (did you mean " + n + "?)"
		}
	}
	return ""
}
