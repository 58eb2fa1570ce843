package hugo

import (
	"strings"

	"github.com/gohugoio/hugo/common/hugo"
)

// Version is that of the Hugo that is compiled in: v0.165.0, v0.165.0+extended.
func Version() string {
	version := "v" + hugo.CurrentVersion.String()
	if hugo.IsExtended {
		version += "+extended"
	}
	return version
}

// wayOut says below an error of rendering what works without the Hugo that is compiled in.
func wayOut(text string) []string {
	about := "(this program has Hugo " + Version()
	sass := strings.Contains(text, "you need the extended version")
	if sass && !hugo.IsExtended {
		about += " without the extended edition, which compiles Sass"
	}
	if sass {
		about += "; go build -tags extended makes one that does"
	}
	return []string{about + ". Where your own Hugo builds the site, use it:)", "\thugo", "\tmetarobots apply"}
}
