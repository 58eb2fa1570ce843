// Package versions knows which folders of a site hold versions of one documentation, and which of
// them are old.
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
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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
	// AliasOf is the name of the version that it is another name for; empty for a version of its
	// own.
	AliasOf string
}

// A Group is the versions of one documentation.
type Group struct {
	// At is the file or key that names them.
	At       policy.Origin
	Versions []Version
	// Newest is the name of the newest release; empty if no version is released.
	Newest string
	// IsDoubtful is true if the newest version has hardly any page of the old ones. It may be a
	// beginning, or no version of the same documentation, as a year of a blog has no page of the
	// years before. [NewSet] sets it.
	IsDoubtful bool
}

// NewGroup is the group of some versions. newest is the name of the newest release; if it is empty,
// it is the release with the highest number that no alias calls unreleased ("dev"), and a
// pre-release only if nothing is released.
func NewGroup(at policy.Origin, all []Version, newest string) Group {
	g := Group{At: at, Versions: all, Newest: newest}
	if newest != "" {
		return g
	}
	var highest release
	for _, v := range all {
		r, ok := parse(v.Name)
		if !ok || v.AliasOf != "" || g.isCalled(v, ofNoRelease) {
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

// isCalled reports whether an alias of a version is one of some names.
func (g *Group) isCalled(v Version, names []string) bool {
	return slices.ContainsFunc(g.Versions, func(alias Version) bool {
		return alias.AliasOf == v.Name && slices.Contains(names, strings.ToLower(alias.Name))
	})
}

// IsOld reports whether a version is old, or not released yet. A name that says neither is not old,
// nor is any other if no version is released. A release that an alias calls the newest is not old
// either, even if another has a higher number: readers are led to it.
func (g *Group) IsOld(v Version) bool {
	if v.AliasOf != "" {
		v = Version{Name: v.AliasOf}
	}
	if g.Newest == "" || v.Name == g.Newest {
		return false
	}
	r, isRelease := parse(v.Name)
	if isRelease && r.pre == 0 && g.isCalled(v, ofNewest) {
		return false
	}
	newest, newestIsRelease := parse(g.Newest)
	if isRelease && newestIsRelease && r.compare(newest) == 0 { // v2.0 beside 2.0
		return false
	}
	return isRelease || slices.Contains(ofNoRelease, strings.ToLower(v.Name))
}

// A Set is the groups of a site, asked by file.
type Set struct {
	Groups []Group
	// Unread are the lists of versions that cannot be read, so that nobody knows what they name.
	Unread []Unread
	// Idle are the owner's patterns that find no version.
	Idle []Pattern
	// folders are those of the versions, each with what is found there.
	folders map[string]place
}

// An Unread is a list of versions that cannot be read, and why.
type Unread struct {
	At  policy.Origin
	Err error
}

// A place is a folder of one of the versions of a group.
type place struct {
	group   *Group
	version Version
	isOld   bool
}

// NewSet is the set of some groups on a site. files are the names of its files, sorted. Of two
// groups with one folder the first counts. A version without files is none: if it is the newest, a
// list names what is not published yet, and the newest of the others is.
func NewSet(files []string, groups ...Group) *Set {
	if len(groups) == 0 { // as on most sites
		return newSet(nil)
	}
	listed := newSet(groups)
	hasFiles := map[string]bool{} // by the folder of a version
	for _, name := range files {
		p, _ := listed.of(name) // one at the root has what is in no other's folder
		hasFiles[p.version.Folder] = true
	}
	var published []Group
	for i := range groups {
		g := &groups[i]
		isPublished := func(v Version) bool { return hasFiles[v.Folder] && listed.folders[v.Folder].group == g }
		if with := g.only(isPublished); len(with.Versions) > 0 {
			published = append(published, with)
		}
	}
	s := newSet(published)
	s.findDoubtful(files)
	return s
}

// only is the group of the versions that are published. A version that is published by an alias
// alone has its folder.
func (g *Group) only(isPublished func(Version) bool) Group {
	var all []Version
	newest := ""
	for _, v := range g.Versions {
		isItsAlias := func(alias Version) bool { return alias.AliasOf == v.Name && isPublished(alias) }
		if i := slices.IndexFunc(g.Versions, isItsAlias); i >= 0 && v.AliasOf == "" &&
			!isPublished(v) {
			v.Folder = g.Versions[i].Folder
		} else if !isPublished(v) {
			continue
		}
		if all = append(all, v); v.Name == g.Newest && v.AliasOf == "" {
			newest = g.Newest
		}
	}
	return NewGroup(g.At, all, newest)
}

// fewPages are too few pages to doubt by them.
const fewPages = 3

// findDoubtful finds the groups whose newest version has less than a tenth of the pages of the old
// ones. Each version has a first page, which says nothing.
func (s *Set) findDoubtful(files []string) {
	old, kept := map[*Group]int{}, map[*Group]int{}
	for _, name := range files {
		p, _ := s.of(name)
		if !p.isOld || !isPage(name) || name == p.version.Folder+"index.html" {
			continue
		}
		old[p.group]++
		newest, _ := s.InNewest(name)
		if _, isThere := slices.BinarySearch(files, newest); isThere {
			kept[p.group]++
		}
	}
	for g, pages := range old {
		g.IsDoubtful = pages >= fewPages && 10*kept[g] < pages
	}
}

func newSet(groups []Group) *Set {
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

// IsMaintained reports whether a file, named from the publish root, is in a folder with the name
// for a release that is still maintained: such a release may be old.
func (s *Set) IsMaintained(name string) bool {
	p, ok := s.of(name)
	return ok && strings.EqualFold(p.version.Name, ofMaintained)
}

// IsDoubtful reports whether a file, named from the publish root, is old by a group that is
// doubtful.
func (s *Set) IsDoubtful(name string) bool {
	p, _ := s.of(name)
	return p.isOld && p.group.IsDoubtful
}

// InNewest returns the name that a file of an old version has in the newest one, whether there is
// such a file or not, and the group. The group is nil for any other file.
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
		return p, &PatternError{text, `it needs ` + placeholder + ` once, as the last folder: ` +
			`"/docs/` + placeholder + `/**"`}
	}
	return p, nil
}

// A PatternError is a pattern that cannot be read.
type PatternError struct{ Text, Reason string }

func (e *PatternError) Error() string { return e.Text + ": " + e.Reason }

// Groups returns the groups that a pattern finds among the files of a site, which are sorted: one
// for each folder in which folders with names of versions are, in the order of the files. If that
// folder has the pages of the newest of them as well (above), it is the newest version itself. With
// the pattern /{version}/**:
//
//	1.0/a.html, 1.1/a.html           1.0 and 1.1, which is the newest
//	1.0/a.html, 1.1/a.html, a.html   1.0, 1.1 and "/", which is the newest
func (p Pattern) Groups(files []string) (groups []Group) {
	versions := map[string][]Version{} // by the folder that they are in
	var order []string                 // of these folders
	isKnown := map[string]bool{}       // the folders of versions
	for _, file := range files {
		base, name, ok := p.split(file)
		folder := strings.TrimPrefix(base+"/"+name+"/", "/")
		if !ok || isKnown[folder] {
			continue
		}
		isKnown[folder] = true
		if versions[base] == nil {
			order = append(order, base)
		}
		versions[base] = append(versions[base], Version{Name: name, Folder: folder})
	}
	for _, base := range order {
		g := NewGroup(p.At, withoutYears(versions[base]), "")
		if current, ok := g.above(base, files); ok {
			g = NewGroup(p.At, append(g.Versions, current), current.Name)
		}
		groups = append(groups, g)
	}
	return groups
}

// split returns the folder of versions that a file is in, by the pattern, and the version's name:
// "docs" and "1.9" for docs/1.9/a/x.html and the pattern /docs/{version}/**. ok is false for a file
// that is not below such a folder, or if the name of the folder is none of a version.
func (p Pattern) split(file string) (base, name string, ok bool) {
	parts := strings.SplitN(file, "/", len(p.parts)+1)
	if len(parts) <= len(p.parts) { // the file is in none of so many folders
		return "", "", false
	}
	folders := parts[:len(p.parts)]
	last := len(folders) - 1 // the place of {version}
	base, name = strings.Join(folders[:last], "/"), folders[last]
	return base, name, p.matches(folders) && IsName(name)
}

// above is the version that is published in the folder base, in which the folders of the others
// are, as Docusaurus has it: /docs/a/ beside /docs/1.0/a/ and /docs/1.1/a/. ok is false if less
// than half of the newest version's pages are there as well. Its first page does not count, since
// an overview of the versions may be there.
func (g *Group) above(base string, files []string) (v Version, ok bool) {
	i := slices.IndexFunc(g.Versions, func(v Version) bool { return v.Name == g.Newest })
	if i < 0 {
		return v, false
	}
	folder := strings.TrimPrefix(base+"/", "/")
	newest := g.Versions[i].Folder
	first, _ := slices.BinarySearch(files, newest)
	pages, shared := 0, 0
	for _, name := range files[first:] {
		path, isInNewest := strings.CutPrefix(name, newest)
		if !isInNewest {
			break
		}
		if path == "index.html" || !isPage(path) {
			continue
		}
		pages++
		if _, isThere := slices.BinarySearch(files, folder+path); isThere {
			shared++
		}
	}
	return Version{Name: "/" + folder, Folder: folder}, shared > 0 && 2*shared >= pages
}

// isPage reports whether a file is a page by its name.
func isPage(name string) bool {
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

// withoutYears leaves out folders that are named by a year alone if other releases have no year:
// "2024" is no version beside "2.0", but the archive of a blog, and would be the newest.
func withoutYears(all []Version) []Version {
	hasOther := slices.ContainsFunc(all, func(v Version) bool {
		r, isRelease := parse(v.Name)
		return isRelease && !r.hasYear()
	})
	if !hasOther {
		return all
	}
	return slices.DeleteFunc(all, func(v Version) bool {
		r, isRelease := parse(v.Name)
		return isRelease && r.hasYear() && len(v.Name) == len("2024")
	})
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

// ReadList reads the list of mike, "versions.json" in a folder of what is published: a list of
// versions, each with its aliases. The group is nil if the file is no such list, or an empty one,
// or if a version cannot be the name of a folder; of an alias that is not asked, as a folder that
// is not there has no pages. An error says that the file is not JSON. folder is as that of a
// [Version].
// https://github.com/jimporter/mike/blob/master/mike/versions.py
func ReadList(at policy.Origin, folder string, data []byte) (*Group, error) {
	var list []struct {
		Version string
		Aliases []string
	}
	err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &list)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	} else if err != nil { // a list of something else
		return nil, nil
	}
	var all []Version
	for _, entry := range list {
		if entry.Version == "" || strings.Contains(entry.Version, "/") {
			return nil, nil
		}
		all = append(all, Version{Name: entry.Version, Folder: folder + entry.Version + "/"})
		for _, alias := range entry.Aliases {
			all = append(all, Version{Name: alias, Folder: folder + alias + "/",
				AliasOf: entry.Version})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	g := NewGroup(at, all, "")
	return &g, nil
}
