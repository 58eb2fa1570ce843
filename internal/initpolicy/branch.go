package initpolicy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
)

// productive are names of branches that sites are deployed from.
var productive = []string{"main", "master", "production", "prod", "release", "live", "stable", "trunk"}

// branchOf reads what git keeps of the repository around a folder, and returns the branch that is likeliest to be
// deployed; empty for none. No git is run. The remote's HEAD is the default branch of the host of the repository, which
// Cloudflare takes for production unless it is told another one.
// https://git-scm.com/docs/gitrepository-layout
// https://developers.cloudflare.com/pages/configuration/branch-build-controls/
func branchOf(folder string) string {
	git := gitFolder(folder)
	if git == "" {
		return ""
	}
	head, _ := disk.ReadFile(filepath.Join(git, "refs", "remotes", "origin", "HEAD"), maxFile)
	if name, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/remotes/origin/"); ok {
		return name
	}
	names := branches(git)
	for _, name := range productive {
		if slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// gitFolder finds the folder of the repository that holds a folder; empty for none. A worktree's names that of its
// repository.
func gitFolder(folder string) string {
	for {
		git := filepath.Join(folder, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return git
		case err == nil:
			data, _ := disk.ReadFile(git, maxFile)
			own, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
			if !ok {
				return ""
			}
			if !filepath.IsAbs(own) {
				own = filepath.Join(folder, own)
			}
			common, err := disk.ReadFile(filepath.Join(own, "commondir"), maxFile)
			if err != nil {
				return own
			}
			if shared := strings.TrimSpace(string(common)); filepath.IsAbs(shared) {
				return shared
			} else {
				return filepath.Join(own, shared)
			}
		}
		up := filepath.Dir(folder)
		if up == folder {
			return ""
		}
		folder = up
	}
}

// branches are the names of the branches here and at origin.
func branches(git string) (names []string) {
	add := func(ref string) {
		for _, prefix := range []string{"refs/heads/", "refs/remotes/origin/"} {
			if name, ok := strings.CutPrefix(ref, prefix); ok && name != "HEAD" {
				names = append(names, name)
			}
		}
	}
	for _, root := range []string{"refs/heads", "refs/remotes/origin"} {
		filepath.WalkDir(filepath.Join(git, filepath.FromSlash(root)),
			func(file string, entry os.DirEntry, err error) error {
				if err == nil && entry.Type().IsRegular() {
					rel, _ := filepath.Rel(git, file)
					add(filepath.ToSlash(rel))
				}
				return nil
			})
	}
	packed, _ := disk.ReadFile(filepath.Join(git, "packed-refs"), maxFile)
	for line := range strings.Lines(string(packed)) {
		if _, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			add(ref)
		}
	}
	return names
}
