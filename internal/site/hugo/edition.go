package hugo

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/gohugoio/hugo/common/hugo"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/printable"
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

// wayOut adds to an error of rendering what works without the Hugo that is compiled in.
func (s *hugoSite) wayOut(err error) error {
	about := "(this program has Hugo " + Version()
	sass := strings.Contains(err.Error(), "you need the extended version")
	if sass && !hugo.IsExtended {
		about += " without the extended edition, which compiles Sass"
	}
	if p, ok := s.pinned(); ok {
		about += fmt.Sprintf("; %s asks for %s", p.at(), p.version)
	}
	if sass {
		about += "; go build -tags extended makes one that does"
	}
	return &printable.Help{Err: err, Lines: []string{about + ". Where your own Hugo builds the site, use it:)",
		"\thugo", "\tmetarobots apply"}}
}

// pin is a version of Hugo that a site asks for.
type pin struct {
	file    string
	line    int
	version string
}

func (p pin) at() string {
	if p.line > 0 {
		return fmt.Sprintf("%s:%d", p.file, p.line)
	}
	return p.file
}

// number is the version in a range of versions: the first that has at least two parts.
var number = regexp.MustCompile(`\d+\.\d+(?:\.\d+)?`)

// maxPinFile is how much of a file is read that may pin a version, in bytes.
const maxPinFile = 4 << 20

// pins are where a site may ask for a version of Hugo, the first that does counts.
var pins = []struct {
	file, format string
	decode       func(data []byte, into any) error
	key          []string
}{
	// https://docs.netlify.com/build/configure-builds/available-software-at-build-time/
	{"netlify.toml", "toml", toml.Unmarshal, []string{"context", "production", "environment", "HUGO_VERSION"}},
	{"netlify.toml", "toml", toml.Unmarshal, []string{"build", "environment", "HUGO_VERSION"}},
	// https://www.npmjs.com/package/hugo-extended
	{"package.json", "json", json.Unmarshal, []string{"dependencies", "hugo-extended"}},
	{"package.json", "json", json.Unmarshal, []string{"devDependencies", "hugo-extended"}},
	{"package.json", "json", json.Unmarshal, []string{"optionalDependencies", "hugo-extended"}},
	// https://github.com/jmooring/hvm
	{".hvm", "", firstLine, []string{"version"}},
}

// firstLine reads a file that is one value.
func firstLine(data []byte, into any) error {
	line, _, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	*into.(*map[string]any) = map[string]any{"version": line}
	return nil
}

// pinned returns the version of Hugo that the site asks for, where that is another than this one.
func (s *hugoSite) pinned() (pin, bool) {
	for _, at := range pins {
		file := filepath.Join(s.options.Source, at.file)
		data, err := disk.ReadFile(file, maxPinFile)
		var values map[string]any
		if err != nil || at.decode(data, &values) != nil {
			continue
		}
		if version, _ := frontmatter.Lookup(values, at.key).(string); version != "" {
			p := pin{file: s.short(file), version: version}
			if index, err := source.Of(at.format, data, 0); err == nil {
				p.line = index.Line(at.key...)
			}
			return p, p.differs()
		}
	}
	return pin{}, false
}

// differs reports whether the version names another Hugo than this one, as far as it names one.
func (p pin) differs() bool {
	wanted := number.FindString(p.version)
	return wanted != "" && wanted != hugo.CurrentVersion.String() && wanted+".0" != hugo.CurrentVersion.String()
}

// pinnedFinding says that the site asks for another Hugo; none where it does not.
func (s *hugoSite) pinnedFinding() []policy.Finding {
	p, ok := s.pinned()
	if !ok {
		return nil
	}
	return []policy.Finding{{ID: "hugo-version", Severity: policy.Note, File: p.file, Line: p.line,
		Message: fmt.Sprintf(
			"the site asks for Hugo %s, and this program has Hugo %s: where its pages come out otherwise, build the "+
				"site with your own Hugo and run metarobots apply", p.version, Version())}}
}
