package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"metarobots/internal/config"
	"metarobots/policy"
)

// What a release says of itself where the build knows no repository, as in a container:
// -ldflags "-X metarobots/internal/cli.release=1.2.0 -X metarobots/internal/cli.commit=3d873fb…".
var release, commit string

type versionCommand struct{ command }

func (c *versionCommand) addFlags(flags *pflag.FlagSet) { c.addJSON(flags) }

func (c *versionCommand) run() error {
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
		c.note("the list of crawlers is more than a year old: a newer release of metarobots knows those that " +
			"came since")
	}
	return nil
}

// about is what version and --version print.
func about() string {
	return fmt.Sprintf("metarobots %s, %s, %s %s/%s, crawlers as of %s", describe(buildInfo(), release, commit),
		compiledIn, runtime.Version(), runtime.GOOS, runtime.GOARCH, policy.CrawlersAsOf())
}

// buildInfo is what Go knows of the build. It stamps no commit with -buildvcs=false, nor under go
// run and go test, nor where there is no repository. https://pkg.go.dev/runtime/debug#BuildSetting
func buildInfo() *debug.BuildInfo {
	info, _ := debug.ReadBuildInfo() // every program that is built with modules has it
	return info
}

// stamp is a setting of the build, empty for none.
func stamp(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// number is the release's, or the version that Go derives from the repository: it tells of changes
// that are not committed.
func number(info *debug.BuildInfo, release string) string {
	return cmp.Or(strings.TrimPrefix(release, "v"), strings.TrimPrefix(info.Main.Version, "v"), "(devel)")
}

// describe is the version with its commit, which a report of a fault has to name.
func describe(info *debug.BuildInfo, release, commit string) string {
	version := number(info, release)
	if commit := cmp.Or(stamp(info, "vcs.revision"), commit); commit != "" {
		version += fmt.Sprintf(" (commit %.12s)", commit)
	}
	return version
}
