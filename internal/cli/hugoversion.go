package cli

import (
	"path/filepath"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/source"
	"metarobots/policy"
)

// noteHugoVersion says that the version of Hugo that netlify.toml names does not build the site,
// since this program has another one in it (X9k). Netlify reads the file of the repository's root,
// or of the site's folder.
func (c *command) noteHugoVersion(site *plan.Plan) {
	p := site.Project
	for _, folder := range []string{p.Source, disk.Repository(p.Source)} {
		file := filepath.Join(folder, "netlify.toml")
		if folder == "" || !project.Exists(file) {
			continue
		}
		data, err := p.Read(file, project.MaxConfig)
		if err != nil {
			return // who reads the file for its headers says so
		}
		if line, stated := statedHugo(data); stated != "" && stated != plainVersion(compiledIn) {
			c.note("%s: HUGO_VERSION = %q has no effect on this build: %s is in this program. With a Hugo of your "+
				"own, build with hugo && metarobots apply", policy.Place(p.Short(file), line), stated, compiledIn)
		}
		return
	}
}

// statedHugo is the first version of Hugo that a netlify.toml states for a build, with its line;
// empty for none.
func statedHugo(data []byte) (line int, version string) {
	value, index, err := source.Data("toml", data)
	if err != nil {
		return 0, ""
	}
	for _, path := range [][]string{{"build", "environment", "HUGO_VERSION"},
		{"context", "production", "environment", "HUGO_VERSION"}} {
		at := value
		for _, key := range path {
			table, _ := at.(map[string]any)
			at = table[key]
		}
		if text, _ := at.(string); text != "" {
			return index.Line(path...), plainVersion(text)
		}
	}
	return 0, ""
}

// plainVersion is a version of Hugo without what says how it was made: 0.165.0 of "Hugo
// v0.165.0+extended".
func plainVersion(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "Hugo "), "extended_"), "v")
	text, _, _ = strings.Cut(text, "+")
	return text
}
