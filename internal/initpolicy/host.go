package initpolicy

import (
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/disk"
	"metarobots/internal/hosts"
)

// maxFile is how much of a file is looked at, in bytes.
const maxFile = 64 << 10

// unique are what is said of hosts, each once.
func unique(seen []hosts.Seen, of func(hosts.Seen) string) (names []string) {
	for _, s := range seen {
		if name := of(s); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// agreed is the one target for all hosts that are seen, empty where there is none. Several that read _headers share it.
func agreed(seen []hosts.Seen) string {
	targets := unique(seen, func(s hosts.Seen) string { return s.Host.Target })
	own := func(s hosts.Seen) bool { return s.Host.File != hosts.HeadersFile }
	switch {
	case len(targets) == 0:
		return ""
	case len(targets) == 1:
		return targets[0]
	case slices.ContainsFunc(seen, own):
		return ""
	}
	return headers.TargetPortable
}

// branchOf is the default branch at the host of the repository around a folder, which Cloudflare takes for production
// unless it is told another one; main where no clone says it.
// https://git-scm.com/docs/gitrepository-layout
// https://developers.cloudflare.com/pages/configuration/branch-build-controls/
func branchOf(folder string) string {
	top := disk.Repository(folder)
	head, _ := disk.ReadFile(filepath.Join(top, ".git", "refs", "remotes", "origin", "HEAD"), maxFile)
	if name, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/remotes/origin/"); ok && top != "" {
		return name
	}
	return "main"
}
