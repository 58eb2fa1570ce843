package hugo

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/gohugoio/hugo/common/hugo"

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

// edition says which Hugo is compiled in: the extended one, which has a compiler of Sass, with -tags extended.
func edition() string {
	if hugo.IsExtended {
		return "Hugo " + Version()
	}
	return "Hugo " + Version() + " without the extended edition"
}

// wayOut adds to an error of rendering what works without the Hugo that is compiled in.
func (s *hugoSite) wayOut(err error) error {
	about := fmt.Sprintf("(this program has %s", edition())
	if p, ok := s.pinned(); ok {
		about += fmt.Sprintf("; %s asks for %s", p.at(), p.version)
	}
	if strings.Contains(err.Error(), "you need the extended version") {
		about += "; go build -tags extended makes one that compiles Sass"
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

// pinned returns the version of Hugo that the site asks for, where that is another than this one.
//
//   - netlify.toml: https://docs.netlify.com/build/configure-builds/available-software-at-build-time/
//   - package.json: https://www.npmjs.com/package/hugo-extended, https://www.npmjs.com/package/hugo-bin
//   - .hvm: https://github.com/jmooring/hvm
func (s *hugoSite) pinned() (p pin, ok bool) {
	read := func(name, format string, into any, decode func([]byte, any) error) *source.Index {
		file := filepath.Join(s.options.Source, name)
		data, err := disk.ReadFile(file, maxPinFile)
		if err != nil || decode(data, into) != nil {
			return nil
		}
		p.file = s.short(file)
		index, _ := source.Of(format, data, 0)
		return index
	}
	var netlify struct {
		Build struct {
			Environment map[string]any `toml:"environment"`
		} `toml:"build"`
		Context map[string]struct {
			Environment map[string]any `toml:"environment"`
		} `toml:"context"`
	}
	if at := read("netlify.toml", "toml", &netlify, toml.Unmarshal); at != nil {
		const key = "HUGO_VERSION"
		p.version, _ = netlify.Context["production"].Environment[key].(string)
		p.line = at.Line("context", "production", "environment", key)
		if p.version == "" {
			p.version, _ = netlify.Build.Environment[key].(string)
			p.line = at.Line("build", "environment", key)
		}
		if p.version != "" {
			return p, p.differs()
		}
	}
	var npm map[string]json.RawMessage
	if at := read("package.json", "json", &npm, json.Unmarshal); at != nil {
		for _, list := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
			var versions map[string]string
			_ = json.Unmarshal(npm[list], &versions)
			for _, name := range []string{"hugo-extended", "hugo-bin"} {
				if p.version, p.line = versions[name], at.Line(list, name); p.version != "" {
					// hugo-bin has versions of its own.
					return p, name == "hugo-extended" && p.differs()
				}
			}
		}
	}
	text := func(data []byte, into any) error {
		*into.(*string), _, _ = strings.Cut(strings.TrimSpace(string(data)), "\n")
		return nil
	}
	p.line = 0
	read(".hvm", "", &p.version, text)
	return p, p.differs()
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
				"site "+
				"with "+
				"your own Hugo and run metarobots apply", p.version, Version())}}
}
