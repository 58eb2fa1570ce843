package initpolicy

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/internal/hosts"
)

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
