// Package family holds small Hugo sites, one for each feature that moves a page or a file. Tests of more than one
// package build them.
package family

import (
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed *.txtar
var archives embed.FS

// A Site is one site of the family.
type Site struct {
	// Name is the feature.
	Name string
	// Files are the site's, by their slash-separated names.
	Files map[string][]byte
}

// base holds the files that a site has unless it brings its own of that name.
const base = "base.txtar"

// alone begins the comment of a site that does without the base.
const alone = "alone"

// Sites returns the family, sorted by name. An archive's file x.base64 is a site's file x.
func Sites() ([]Site, error) {
	common, err := read(base)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(archives, "*.txtar")
	if err != nil {
		return nil, err
	}
	var sites []Site
	for _, name := range names {
		if name == base {
			continue
		}
		own, err := read(name)
		if err != nil {
			return nil, err
		}
		s := Site{Name: strings.TrimSuffix(name, ".txtar"), Files: map[string][]byte{}}
		if !strings.HasPrefix(string(own.Comment), alone) {
			if err := s.add(common); err != nil {
				return nil, fmt.Errorf("%s: %w", base, err)
			}
		}
		if err := s.add(own); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sites = append(sites, s)
	}
	return sites, nil
}

// add adds the files of an archive, in place of those that are there under the same name.
func (s Site) add(a *txtar.Archive) (err error) {
	for _, f := range a.Files {
		data := f.Data
		file, encoded := strings.CutSuffix(f.Name, ".base64")
		if encoded {
			if data, err = base64.StdEncoding.DecodeString(strings.TrimSpace(string(data))); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		s.Files[file] = data
	}
	return nil
}

func read(name string) (*txtar.Archive, error) {
	data, err := archives.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return txtar.Parse(data), nil
}

// Write writes the site's files below dir, which it makes where it is not there.
func (s Site) Write(dir string) error {
	for name, data := range s.Files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
