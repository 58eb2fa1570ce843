package pages

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
)

// Most generators are known by their configuration. Three of them do without one: there it is what the site is built with
// that tells, where nothing tells of another. Nobody would read the front matter of a site that is not known.

// bare reports whether a folder depends on a module and holds none of the configurations by which generators are known.
func bare(root, module string) bool {
	var of struct{ Dependencies, DevDependencies map[string]any }
	if json.Unmarshal([]byte(firstLines(joined(root, "package.json"))), &of) != nil {
		return false
	}
	_, runs := of.Dependencies[module]
	_, builds := of.DevDependencies[module]
	return (runs || builds) && !exists(root, slices.Concat(eleventyConfigs, astroConfigs, docusaurusConfigs, vitepressConfigs, inside("docs", vitepressConfigs),
		[]string{"_config.yml", "_config.yaml", "_config.toml", "mkdocs.yml", "mkdocs.yaml", "pelicanconf.py"})...)
}

// jekylls are keys and words in a _config.yml that are Jekyll's: Hexo's has the same name, and that of Jupyter Book.
// https://jekyllrb.com/docs/configuration/options/
var jekylls = regexp.MustCompile(`(?m)^(?:remote_theme|baseurl|collections_dir|kramdown|show_drafts|future|defaults)["']?\s*[:=]|\bjekyll-[a-z]|^theme\s*[:=]\s*["']?minima\b`)

// speaksJekyll reports whether a folder's _config is one of Jekyll.
func speaksJekyll(root string) bool {
	return slices.ContainsFunc([]string{"_config.yml", "_config.yaml", "_config.toml"}, func(name string) bool {
		return jekylls.MatchString(firstLines(filepath.Join(root, name)))
	})
}
