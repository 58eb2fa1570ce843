package initpolicy

import (
	"os"
	"path/filepath"
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
	packed, _ := disk.ReadFile(filepath.Join(git, "packed-refs"), maxFile)
	for _, name := range productive {
		for _, ref := range []string{"refs/heads/" + name, "refs/remotes/origin/" + name} {
			_, err := os.Stat(filepath.Join(git, filepath.FromSlash(ref)))
			if err == nil || strings.Contains(string(packed), " "+ref+"\n") {
				return name
			}
		}
	}
	return ""
}

// gitFolder finds the folder of the repository that holds a folder; empty for none. A worktree's names that of its
// repository.
func gitFolder(folder string) string {
	git := filepath.Join(folder, ".git")
	info, err := os.Stat(git)
	switch {
	case err != nil && folder == filepath.Dir(folder):
		return ""
	case err != nil:
		return gitFolder(filepath.Dir(folder))
	case info.IsDir():
		return git
	}
	data, _ := disk.ReadFile(git, maxFile)
	own, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if !ok {
		return ""
	}
	own = from(folder, own)
	common, err := disk.ReadFile(filepath.Join(own, "commondir"), maxFile)
	if err != nil {
		return own
	}
	return from(own, strings.TrimSpace(string(common)))
}

// from is a path that is meant from a folder.
func from(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}
