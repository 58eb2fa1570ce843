package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/policy"
)

// What a release says of itself where the build knows no repository, as in a container:
// -ldflags "-X main.release=1.2.0 -X main.commit=3d873fb…".
var release, commit string

func (c *command) version(*cobra.Command, []string) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	c.stdout.printf("metarobots %s, crawlers as of %s\n", describe(info, compiledIn, release, commit),
		policy.CrawlersAsOf())
	return nil
}

// describe says which program this is, for a report of a fault: version, commit, Hugo, Go and the system.
//
// The version is the release's, or what Go made of the repository's tags; it stamps neither with -buildvcs=false, nor
// under go run and go test, nor where there is no repository. https://pkg.go.dev/runtime/debug#BuildSetting
func describe(info *debug.BuildInfo, hugo, release, commit string) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	about := []string{}
	if commit := cmp.Or(settings["vcs.revision"], commit); commit != "" {
		if len(commit) > 12 {
			commit = commit[:12]
		}
		if settings["vcs.modified"] == "true" {
			commit += " and changes"
		}
		about = append(about, "commit "+commit)
		if date, _, _ := strings.Cut(settings["vcs.time"], "T"); date != "" {
			about = append(about, date)
		}
	}
	version := cmp.Or(strings.TrimPrefix(release, "v"), strings.TrimPrefix(info.Main.Version, "v"), "(devel)")
	if len(about) > 0 {
		version += " (" + strings.Join(about, ", ") + ")"
	}
	system := ""
	if settings["GOOS"] != "" {
		system = " " + settings["GOOS"] + "/" + settings["GOARCH"]
	}
	return fmt.Sprintf("%s, %s, %s%s", version, hugo, info.GoVersion, system)
}
