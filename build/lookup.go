package build

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
		if host := p.host(); host != "" && !strings.EqualFold(u.Hostname(), host) {
			return nil // a page of another site
		}
		paths = append(paths, p.belowBase(u.EscapedPath()), p.belowBase(u.Path))
	} else if strings.HasPrefix(name, "/") {
		paths = append(paths, name, p.belowBase(name))
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

// belowBase takes the path of baseURL off.
func (p *Project) belowBase(path string) string {
	if path == "" {
		return "/"
	}
	if base, err := url.Parse(p.settings.BaseURL); err == nil {
		if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(base.Path, "/")); ok && strings.HasPrefix(rest, "/") {
			return rest
		}
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
