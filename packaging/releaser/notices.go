package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licences are the names of files that a licence may ask to be handed on with a program.
var licences = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|patents|authors|copyright)([-._].*)?$`)

// A module is one of those whose packages are compiled in.
type module struct {
	Path, Version, Dir string
	folders            map[string]bool // of packages, and the folders above them
}

// notices are the licences of every module that is compiled into an edition, and of Go itself, from the module cache. A
// module without one is an error: its program must not be handed out.
func (r *releaser) notices(env []string, e edition) ([]byte, error) {
	modules, err := r.modules(env, e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "metarobots %s contains the following software.\n", r.version)
	for _, m := range modules {
		var texts []string
		for _, folder := range slices.Sorted(maps.Keys(m.folders)) {
			entries, err := os.ReadDir(folder)
			if err != nil {
				return nil, err
			}
			for _, entry := range entries {
				if !entry.Type().IsRegular() || !licences.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
					continue
				}
				text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
				if err != nil {
					return nil, err
				}
				rel, _ := filepath.Rel(m.Dir, filepath.Join(folder, entry.Name()))
				texts = append(texts, fmt.Sprintf("-- %s\n\n%s", filepath.ToSlash(rel), strings.TrimRight(string(text), "\n")))
			}
		}
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s %s has no licence file: what is made of it may not be handed out", m.Path, m.Version)
		}
		fmt.Fprintf(&b, "\n%s\n%s %s\n\n%s\n", strings.Repeat("=", 80), m.Path, m.Version, strings.Join(texts, "\n\n"))
	}
	return b.Bytes(), nil
}

// modules returns the modules of an edition, sorted by path, with Go's own library as std.
func (r *releaser) modules(env []string, e edition) ([]*module, error) {
	out, err := r.run(env, "go", "list", "-deps", "-tags", e.tags, "-json=Dir,Standard,Module", ".")
	if err != nil {
		return nil, err
	}
	goroot, err := r.run(env, "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(string(goroot))
	std := &module{Path: "std", Version: lines[1], Dir: lines[0], folders: map[string]bool{lines[0]: true}}
	known := map[string]*module{"std": std}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		m := known[p.Module.Path]
		if m == nil {
			m = &module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir, folders: map[string]bool{}}
			known[m.Path] = m
		}
		for dir := p.Dir; len(dir) >= len(m.Dir); dir = filepath.Dir(dir) {
			m.folders[dir] = true
		}
	}
	var all []*module
	for _, path := range slices.Sorted(maps.Keys(known)) {
		all = append(all, known[path])
	}
	return all, nil
}
