// Package versions knows which folders of a site hold versions of one documentation, and which of them
// are old.
//
// Words of this package:
//
//	Group      the versions of one documentation
//	Version    one of them, with the folder below which it is published
//	release    a version with a number, "1.10"; "1.10-rc.2" precedes the release 1.10
//	alias      another name for a version, published in a folder of its own: "latest"
//	newest     the release that readers are to find; what else has a number, or is not released yet, is old
//	Pattern    folders in which {version} is the place of a version's name
package versions

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"metarobots/policy"
)

// Old is what [policy.Facts].Version is for a file of an old version.
const Old = "old"

// A Version is one version of a documentation.
type Version struct {
	Name string
	// Folder is the folder from the publish root: "docs/1.9/". It is empty for the root.
	Folder string
	// AliasOf is the name of the version that it is another name for; empty for a version of its own.
	AliasOf string
}

// A Group is the versions of one documentation.
type Group struct {
	// At is the file or key that names them.
	At       policy.Origin
	Versions []Version
	// Newest is the name of the newest release; empty if no version is released.
	Newest string
}

// NewGroup is the group of some versions. newest is the name of the newest release; if it is empty, it
// is the release with the highest number, and a pre-release only if nothing is released.
func NewGroup(at policy.Origin, all []Version, newest string) Group {
	g := Group{At: at, Versions: all, Newest: newest}
	if newest != "" {
		return g
	}
	var highest release
	for _, v := range all {
		r, ok := parse(v.Name)
		if !ok || v.AliasOf != "" {
			continue
		}
		isReleased, highestIsReleased := r.pre == 0, highest.pre == 0
		if g.Newest == "" || isReleased && !highestIsReleased || isReleased == highestIsReleased &&
			cmp.Or(r.compare(highest), strings.Compare(v.Name, g.Newest)) > 0 {
			g.Newest, highest = v.Name, r
		}
	}
	return g
}

// IsOld reports whether a version is old, or not released yet. A name that says neither is not old, nor
// is any other if no version is released.
func (g *Group) IsOld(v Version) bool {
	if v.AliasOf != "" {
		v = Version{Name: v.AliasOf}
	}
	if g.Newest == "" || v.Name == g.Newest {
		return false
	}
	r, isRelease := parse(v.Name)
	newest, newestIsRelease := parse(g.Newest)
	if isRelease && newestIsRelease && r.compare(newest) == 0 { // v2.0 beside 2.0
		return false
	}
	return isRelease || slices.Contains(ofNoRelease, strings.ToLower(v.Name))
}

// A Set is the groups of a site, asked by file.
type Set struct {
	Groups []Group
	// folders are those of the versions, each with what is found there.
	folders map[string]place
}

// A place is a folder of one of the versions of a group.
type place struct {
	group   *Group
	version Version
	isOld   bool
}

// NewSet is the set of some groups. Of two groups with one folder the first counts.
func NewSet(groups ...Group) *Set {
	s := &Set{Groups: groups, folders: map[string]place{}}
	for i := range groups {
		g := &groups[i]
		for _, v := range g.Versions {
			if _, isTaken := s.folders[v.Folder]; !isTaken {
				s.folders[v.Folder] = place{g, v, g.IsOld(v)}
			}
		}
	}
	return s
}

// of returns the deepest folder of a version that a file is in; ok is false if it is in none.
func (s *Set) of(name string) (p place, ok bool) {
	for dir := name; dir != ""; {
		dir = dir[:strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1]
		if p, ok = s.folders[dir]; ok {
			return p, true
		}
	}
	return place{}, false
}

// IsOld reports whether a file, named from the publish root, belongs to an old version.
func (s *Set) IsOld(name string) bool {
	p, _ := s.of(name)
	return p.isOld
}

// InNewest returns the name that a file of an old version has in the newest one, whether there is such a
// file or not, and the group. The group is nil for any other file.
func (s *Set) InNewest(name string) (newest string, group *Group) {
	p, _ := s.of(name)
	if !p.isOld {
		return "", nil
	}
	isNewest := func(v Version) bool { return v.Name == p.group.Newest }
	i := slices.IndexFunc(p.group.Versions, isNewest)
	return p.group.Versions[i].Folder + strings.TrimPrefix(name, p.version.Folder), p.group
}

// A Pattern is where the folders of versions are, as the owner writes it: "/docs/{version}/**". Its
// parts are names, * for any name, and {version} once.
type Pattern struct {
	parts []string
	text  string
	At    policy.Origin
}

const placeholder = "{version}"

// String is the text of the pattern.
func (p Pattern) String() string { return p.text }

// ParsePattern reads a pattern.
func ParsePattern(text string) (Pattern, error) {
	trimmed := strings.Trim(strings.TrimSuffix(text, "**"), "/")
	p := Pattern{parts: strings.Split(trimmed, "/"), text: text}
	count := 0
	for _, part := range p.parts {
		switch {
		case part == placeholder:
			count++
		case part == "*":
		case part == "" || strings.ContainsAny(part, "*?[]{}"):
			return p, &PatternError{text, "a part of it is a folder's name, * or " + placeholder}
		}
	}
	if count != 1 || p.parts[len(p.parts)-1] != placeholder {
		return p, &PatternError{text, `it needs ` + placeholder + ` once, as the last folder: "/docs/` + placeholder + `/**"`}
	}
	return p, nil
}

// A PatternError is a pattern that cannot be read.
type PatternError struct{ Text, Reason string }

func (e *PatternError) Error() string { return e.Text + ": " + e.Reason }

// Groups returns the groups that a pattern finds among the files of a site: one for each folder in which
// folders with names of versions are.
func (p Pattern) Groups(files []string) (groups []Group) {
	found := map[string][]Version{} // by the folder that the versions are in
	seen := map[string]bool{}
	var order []string
	for _, file := range files {
		parts := strings.SplitN(file, "/", len(p.parts)+1)
		if len(parts) <= len(p.parts) { // nothing is below the folder
			continue
		}
		folders := parts[:len(p.parts)]
		name, base := folders[len(folders)-1], strings.Join(folders[:len(folders)-1], "/")
		if !p.matches(folders) || !IsName(name) || seen[path.Join(base, name)] {
			continue
		}
		seen[path.Join(base, name)] = true
		if found[base] == nil {
			order = append(order, base)
		}
		v := Version{Name: name, Folder: strings.TrimPrefix(base+"/"+name+"/", "/")}
		found[base] = append(found[base], v)
	}
	for _, base := range order {
		groups = append(groups, NewGroup(p.At, found[base], ""))
	}
	return groups
}

// matches reports whether folders are those of the pattern, whatever the version.
func (p Pattern) matches(folders []string) bool {
	for i, part := range p.parts {
		if part != placeholder && part != "*" && part != folders[i] {
			return false
		}
	}
	return true
}

// ListName is what mike calls its list of versions, in the folder that they are in.
// https://github.com/jimporter/mike#finding-a-versions-url
const ListName = "versions.json"

// ReadList reads the list of mike, "versions.json" in a folder of what is published: a list of versions,
// each with its aliases. The group is nil if the file is none. folder is as that of a [Version].
// https://github.com/jimporter/mike/blob/master/mike/versions.py
func ReadList(at policy.Origin, folder string, data []byte) *Group {
	var list []struct {
		Version string
		Aliases []string
	}
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	var all []Version
	for _, entry := range list {
		if entry.Version == "" || strings.Contains(entry.Version, "/") {
			return nil
		}
		all = append(all, Version{Name: entry.Version, Folder: folder + entry.Version + "/"})
		for _, alias := range entry.Aliases {
			all = append(all, Version{Name: alias, Folder: folder + alias + "/", AliasOf: entry.Version})
		}
	}
	if len(all) == 0 {
		return nil
	}
	g := NewGroup(at, all, "")
	return &g
}
