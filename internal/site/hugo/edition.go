package hugo

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gohugoio/hugo/common/hugo"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/source"
	"metarobots/policy"
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
func (s *hugoSite) wayOut(text string) []string {
	about := "(this program has Hugo " + Version()
	sass := strings.Contains(text, "you need the extended version")
	if sass && !hugo.IsExtended {
		about += " without the extended edition, which compiles Sass"
	}
	if version, file, line := s.pinned(); version != "" {
		about += fmt.Sprintf("; %s asks for %s", policy.Place(file, line), version)
	}
	if sass {
		about += "; go build -tags extended makes one that does"
	}
	return []string{about + ". Where your own Hugo builds the site, use it:)", "\thugo", "\tmetarobots apply"}
}

// number is the version in a range of versions: the first that has at least two parts.
var number = regexp.MustCompile(`\d+\.\d+(?:\.\d+)?`)

// maxPinFile is how much of a file is read that may pin a version, in bytes.
const maxPinFile = 4 << 20

// pins are where a site may ask for a version of Hugo, the first that does counts.
var pins = []struct {
	file, format string // of a file without a format the first line is the version
	key          []string
}{
	// https://docs.netlify.com/build/configure-builds/available-software-at-build-time/
	{"netlify.toml", "toml", []string{"context", "production", "environment", "HUGO_VERSION"}},
	{"netlify.toml", "toml", []string{"build", "environment", "HUGO_VERSION"}},
	// https://www.npmjs.com/package/hugo-extended
	{"package.json", "json", []string{"dependencies", "hugo-extended"}},
	{"package.json", "json", []string{"devDependencies", "hugo-extended"}},
	{"package.json", "json", []string{"optionalDependencies", "hugo-extended"}},
	// https://github.com/jmooring/hvm
	{".hvm", "", nil},
}

// pinned returns the version of Hugo that the site asks for, and where, if that is another than this one as far as it
// names one; else no version.
func (s *hugoSite) pinned() (version, file string, line int) {
	for _, at := range pins {
		name := filepath.Join(s.options.Source, at.file)
		data, err := disk.ReadFile(name, maxPinFile)
		if err != nil {
			continue
		}
		version, file, line = "", s.short(name), 0
		var values map[string]any
		if at.format == "" {
			version, _, _ = strings.Cut(strings.TrimSpace(string(data)), "\n")
		} else if index, err := source.Read(at.format, data, 0, &values); err == nil {
			version, _ = frontmatter.Lookup(values, at.key).(string)
			line = index.Line(at.key...)
		}
		if version == "" {
			continue
		}
		this, wanted := hugo.CurrentVersion.String(), number.FindString(version)
		if wanted == "" || wanted == this || wanted+".0" == this {
			version = ""
		}
		return version, file, line
	}
	return "", "", 0
}

// pinnedFinding says that the site asks for another Hugo; none where it does not.
func (s *hugoSite) pinnedFinding() []policy.Finding {
	version, file, line := s.pinned()
	if version == "" {
		return nil
	}
	return []policy.Finding{{ID: "hugo-version", Severity: policy.Note, File: file, Line: line,
		Message: fmt.Sprintf(
			"the site asks for Hugo %s, and this program has Hugo %s: where its pages come out otherwise, build the "+
				"site with your own Hugo and run metarobots apply", version, Version())}}
}
