package initpolicy

import (
	"path/filepath"
	"strings"

	"metarobots/internal/disk"
)

// branchOf is the default branch at the host of the repository around a folder, which Cloudflare takes for production
// unless it is told another one; main where no clone says it.
// https://git-scm.com/docs/gitrepository-layout
// https://developers.cloudflare.com/pages/configuration/branch-build-controls/
func branchOf(folder string) string {
	head, err := disk.ReadFile(filepath.Join(folder, ".git", "refs", "remotes", "origin", "HEAD"), maxFile)
	if up := filepath.Dir(folder); err != nil && up != folder {
		return branchOf(up)
	}
	if name, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/remotes/origin/"); ok {
		return name
	}
	return "main"
}
