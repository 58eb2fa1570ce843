// Package family holds small Hugo sites, one for each feature that moves a page or a file. Tests of
// more than one package build them.
package family

import (
	"embed"
	"encoding/base64"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed *.txtar
var archives embed.FS

// A Site is one site of the family.
type Site struct {
	// Name is the feature.
	Name string
	// Files are the texts of the site's files, by their slash-separated names.
	Files map[string]string
}

// Sites returns the family, sorted by name. Each has the files of base.txtar unless it brings its
// own of that name, or its comment begins with "alone". An archive's file x.base64 is a site's file
// x.
func Sites(t testing.TB) (sites []Site) {
	t.Helper()
	_, common := read(t, "base.txtar")
	names, err := fs.Glob(archives, "*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		comment, files := read(t, name)
		s := Site{strings.TrimSuffix(name, ".txtar"), map[string]string{}}
		if !strings.HasPrefix(comment, "alone") {
			maps.Copy(s.Files, common)
		}
		if maps.Copy(s.Files, files); s.Name != "base" {
			sites = append(sites, s)
		}
	}
	return sites
}

func read(t testing.TB, name string) (comment string, files map[string]string) {
	t.Helper()
	data, err := archives.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, files := txtar.Parse(data), map[string]string{}
	for _, f := range a.Files {
		text := string(f.Data)
		file, encoded := strings.CutSuffix(f.Name, ".base64")
		if encoded {
			data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
			if err != nil {
				t.Fatalf("%s: %s: %v", name, f.Name, err)
			}
			text = string(data)
		}
		files[file] = text
	}
	return string(a.Comment), files
}
