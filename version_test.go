package main

import (
	"runtime/debug"
	"testing"
)

// Whoever reports a fault can copy one line that names everything.
func TestVersion_NamesCommitGoAndHugo(t *testing.T) {
	hugo := []*debug.Module{{Path: "golang.org/x/net", Version: "v0.57.0"}, {Path: "github.com/gohugoio/hugo", Version: "v0.165.0"}}
	system := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	stamped := append([]debug.BuildSetting{
		{Key: "vcs.revision", Value: "3d873fb5d1b2c8ac01d4c1f1f9e2b9d5a7e0c4aa"}, {Key: "vcs.time", Value: "2026-11-21T21:55:00Z"}, {Key: "vcs.modified", Value: "false"}}, system...)
	changed := append([]debug.BuildSetting{}, stamped...)
	changed[2].Value = "true"
	for _, c := range []struct {
		name            string
		info            debug.BuildInfo
		release, commit string
		want            string
	}{
		{"go run", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Deps: hugo}, "", "", "(devel), Hugo v0.165.0, go1.26.8"},
		{"nothing is known", debug.BuildInfo{GoVersion: "go1.26.8"}, "", "", "(devel), without Hugo, go1.26.8"},
		{"a checkout", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: stamped, Deps: hugo}, "", "",
			"1.2.0 (commit 3d873fb5d1b2, 2026-11-21), Hugo v0.165.0, go1.26.8 linux/arm64"},
		{"a changed checkout", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.1-0.20261121215500-3d873fb5d1b2+dirty"}, Settings: changed}, "", "",
			"1.2.1-0.20261121215500-3d873fb5d1b2+dirty (commit 3d873fb5d1b2 and changes, 2026-11-21), without Hugo, go1.26.8 linux/arm64"},
		{"a release", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: stamped}, "1.2.0", "0123", "1.2.0 (commit 3d873fb5d1b2, 2026-11-21), without Hugo, go1.26.8 linux/arm64"},
		{"a container", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: system}, "v1.2.0", "0123", "1.2.0 (commit 0123), without Hugo, go1.26.8 linux/arm64"},
	} {
		if got := describe(&c.info, c.release, c.commit); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
