package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"metarobots/internal/config"
	"metarobots/policy"
)

// What a release says of itself where the build knows no repository, as in a container:
// -ldflags "-X metarobots/internal/cli.release=1.2.0 -X metarobots/internal/cli.commit=3d873fb…".
var release, commit string

func (c *command) version(*cobra.Command, []string) error {
	if c.json {
		return c.printJSON(struct {
			Release  string `json:"release"`
			Hugo     string `json:"hugo"`
			Crawlers string `json:"crawlers"` // the day of their list
		}{number(buildInfo(), release), compiledIn, policy.CrawlersAsOf()})
	}
	c.stdout.printf("%s\n", about())
	now, err := config.Now("", c.getenv)
	if err != nil {
		now = time.Now() // what version says is wanted where little else works
	}
	if policy.CrawlersOutdated(now) {
		c.stderr.messages(blue, "note", "the list of crawlers is more than a year old: a newer release of metarobots "+
			"knows those that came since")
	}
	return nil
}

// about is what version and --version print.
func about() string {
	return fmt.Sprintf("metarobots %s, crawlers as of %s", describe(buildInfo(), compiledIn, release, commit),
		policy.CrawlersAsOf())
}

// buildInfo is what Go knows of the build.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{GoVersion: runtime.Version()}
}

func settings(info *debug.BuildInfo) map[string]string {
	values := map[string]string{}
	for _, s := range info.Settings {
		values[s.Key] = s.Value
	}
	return values
}

// number is the release's, or the version that Go derives from the repository's tags.
func number(info *debug.BuildInfo, release string) string {
	return cmp.Or(strings.TrimPrefix(release, "v"), strings.TrimPrefix(info.Main.Version, "v"), "(devel)")
}

// describe says which program this is, for a report of a fault: version, commit, Hugo, Go and the system. Go stamps no
// commit with -buildvcs=false, nor under go run and go test, nor where there is no repository.
// https://pkg.go.dev/runtime/debug#BuildSetting
func describe(info *debug.BuildInfo, hugo, release, commit string) string {
	settings := settings(info)
	version, about, system := number(info, release), "", ""
	if commit := cmp.Or(settings["vcs.revision"], commit); commit != "" {
		about = fmt.Sprintf("commit %.12s", commit)
		if settings["vcs.modified"] == "true" {
			about += " and changes"
		}
		if date, _, _ := strings.Cut(settings["vcs.time"], "T"); date != "" {
			about += ", " + date
		}
		about = " (" + about + ")"
	}
	if settings["GOOS"] != "" {
		system = " " + settings["GOOS"] + "/" + settings["GOARCH"]
	}
	return fmt.Sprintf("%s%s, %s, %s%s", version, about, hugo, info.GoVersion, system)
}
