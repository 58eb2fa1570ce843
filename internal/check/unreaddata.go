package check

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/source"
	"metarobots/policy"
)

// dataFolders hold data that templates may print, in the generators that know such folders.
var dataFolders = []string{"data", "_data", "_includes/data"}

// dataFormats are the formats of data by the endings of files.
var dataFormats = map[string]string{".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".json": "json"}

// dataFormat is the format of a file that lies in a data folder; empty for any other file.
func dataFormat(name string) string {
	format := dataFormats[strings.ToLower(path.Ext(name))]
	isIn := func(folder string) bool {
		return strings.HasPrefix(name, folder+"/") || strings.Contains(name, "/"+folder+"/")
	}
	if format == "" || !slices.ContainsFunc(dataFolders, isIn) {
		return ""
	}
	return format
}

// readData looks at a file of a data folder: what it seems to state to crawlers counts nowhere,
// since only a template knows for which pages it is (F5).
func (s *sweep) readData(name string) {
	format := dataFormat(name)
	if format == "" {
		return
	}
	file := filepath.Join(s.project.Source, filepath.FromSlash(name))
	text, err := s.project.Read(file, project.MaxConfig)
	if err != nil || !maySpeak(text) {
		return // such as one that is too large for what people write
	}
	value, index, err := source.Data(format, text)
	if err != nil {
		return // no template can read it either
	}
	o := s.project.Config.Robots.FrontMatter // a copy
	short := s.project.Short(file)
	o.Locate = func(path ...string) (string, int) { return short, index.Nearest(path...) }
	stated := frontmatter.Seems(value, o)
	if len(stated) == 0 || isReadFrom(s.plan, short) {
		return
	}
	sort.SliceStable(stated, func(i, j int) bool { return stated[i].Origin.Line < stated[j].Origin.Line })
	first := stated[0].Origin
	s.findings = append(s.findings, policy.Finding{ID: "unaccounted", Severity: policy.Warning, File: short,
		Line: first.Line, Message: fmt.Sprintf("%s: this data%s seems to be meant for crawlers (%s), and metarobots does "+
			"not read it: it counts on pages to which a template prints it as a robots tag, and nowhere else",
			first.Key, andMore(len(stated)-1, "key"), stated[0].States())})
}

// isReadFrom reports whether the front matter of a page inherits from a file.
func isReadFrom(site *plan.Plan, file string) bool {
	return slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool {
		return slices.ContainsFunc(pg.File.Page, func(s policy.Statement) bool { return s.Origin.File == file })
	})
}
