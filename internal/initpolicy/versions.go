package initpolicy

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/internal/plan"
)

// A version is an entry of versions.json, in which mike lists the versions of a site's
// documentation, the newest first. Each lies in a folder of its name. An alias is a further folder
// with the same pages: a symlink, a copy, or redirects.
// https://github.com/jimporter/mike#for-theme-authors
type version struct {
	Version string
	Aliases []string
}

// versionsFile is the name of the file in which mike lists the versions.
const versionsFile = "versions.json"

// maxVersions is how many bytes of that file are read.
const maxVersions = 1 << 20

// oldVersions suggest rules for versions of documentation that are no longer current, one for each
// versions.json. Current are those that have an alias such as latest; if none has, the newest is.
func (s *Starter) oldVersions() (all []*Suggestion) {
	for _, name := range s.plan.Folder.Stored() {
		if path.Base(name) != versionsFile {
			continue
		}
		current, old := s.versions(name)
		if g := s.oldVersionsOf(path.Dir(name), current, old); g != nil {
			all = append(all, g)
		}
	}
	return all
}

// versions reads the versions that a file lists and whose folders are published beside it. There are
// none if the file is not mike's: Docusaurus has one of the same name, which lists texts.
func (s *Starter) versions(name string) (current, old []version) {
	text, err := s.plan.Project.Read(s.plan.Project.Path(name), maxVersions)
	var all []version
	if err != nil || json.Unmarshal(text, &all) != nil {
		return nil, nil
	}
	all = slices.DeleteFunc(all, func(v version) bool {
		return v.Version == "" || !s.plan.Folder.HasFolder(path.Join(path.Dir(name), v.Version))
	})
	for _, v := range all {
		if len(v.Aliases) > 0 {
			current = append(current, v)
		} else {
			old = append(old, v)
		}
	}
	if len(current) == 0 && len(old) > 0 {
		return old[:1], old[1:]
	}
	return current, old
}

// oldVersionsOf suggests a rule for old versions in a folder of the publish folder; nil if there are
// none.
func (s *Starter) oldVersionsOf(dir string, current, old []version) *Suggestion {
	var match, folders, names []string
	for _, v := range old {
		folder := path.Join(dir, v.Version)
		if _, ok := tomlText(folder); ok && !strings.ContainsAny(folder, "*{}") {
			match, folders = append(match, "/"+folder+"/**"), append(folders, folder+"/")
		}
	}
	if len(match) == 0 {
		return nil
	}
	slices.Sort(match)
	isLinked := false
	for _, v := range current {
		names = append(names, named(v))
		isLinked = isLinked || slices.ContainsFunc(v.Aliases, func(alias string) bool {
			return s.isFolderSymlink(path.Join(dir, alias))
		})
	}
	what := "old versions. By " + path.Join(dir, versionsFile) + ", which mike writes, current is " +
		strings.Join(names, " and ") + ". Add a version here when it is no longer current."
	if isLinked {
		what += " An alias that is a symlink shares the tags of its version: a rule for one of the two restricts both."
	}
	g := rule(what+s.guardFor(folders), match)[0]
	g.hidesMany = true
	return g
}

// named names a version with its aliases: 1.1 (latest, stable).
func named(v version) string {
	if len(v.Aliases) == 0 {
		return v.Version
	}
	return v.Version + " (" + strings.Join(v.Aliases, ", ") + ")"
}

// isFolderSymlink reports whether a name in the publish folder is a symlink to a folder with files.
func (s *Starter) isFolderSymlink(name string) bool {
	for _, link := range s.plan.Folder.Symlinks {
		if link.Folder == name {
			return true
		}
	}
	return false
}

// guardFor says which key of [robots.guard] a rule that hides some folders needs; empty for none.
func (s *Starter) guardFor(folders []string) string {
	hidden, counted := plan.Leaving(s.plan, func(pg *plan.Page) bool {
		isIn := func(folder string) bool { return strings.HasPrefix(pg.File.Name, folder) }
		return decided(pg) || slices.ContainsFunc(folders, isIn)
	})
	if float64(hidden) <= s.plan.Project.Config.Robots.Guard.Noindex*float64(counted) {
		return ""
	}
	return fmt.Sprintf(" These are so many pages that a run ends with an error, unless [robots.guard] has %s.",
		plan.GuardKey(hidden, counted))
}
