package project

import (
	"path"
	"slices"
	"strings"
)

// neverPages are names of what lies in a publish folder that is a repository, and is not a part of
// the site: the folders of version control (for Git also a file, in a submodule), and our own
// state. What is in them changes with each commit and each run. Not every host leaves them out:
// package hosting reports which does not.
var neverPages = []string{".git", ".hg", ".svn", ".jj", ".metarobots"}

// packages is where a package manager installs what package.json beside it names. That is the
// site's own only at the root of the publish folder: a generator may publish a folder of this name
// below it, as Expo does.
const packages = "node_modules"

// isUnlisted reports whether a file or folder counts as not published (M6t), by its path from the
// publish folder.
func isUnlisted(name string) bool {
	return slices.Contains(neverPages, path.Base(name)) || name == packages
}

// unlistedAround is what counts as not published and holds a file or folder, or is that; empty if
// nothing does. The file is an absolute path without links, in the publish folder.
func (w *walk) unlistedAround(file string) string {
	parts := strings.Split(w.nameOf(file), "/")
	for i := range parts {
		if name := strings.Join(parts[:i+1], "/"); isUnlisted(name) {
			return name
		}
	}
	return ""
}
