package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licences are the names of files that a licence may ask to be handed on with a program.
var licences = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|patents|authors|copyright)([-._].*)?$`)

// A module is one of those whose packages are compiled in, or Go's own library.
type module struct {
	dir   string
	texts map[string][]byte // the licences, by their names below dir
}

// notices prints the licences of every module that is compiled in, and of Go itself, from the module cache. A module
// without one is an error: its program must not be handed out.
func notices(w io.Writer, tags string) error {
	env, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return err
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}|{{.Dir}}|{{$.Dir}}{{end}}{{end}}`
	list := exec.Command("go", "list", "-deps", "-tags", tags, "-f", format, ".")
	list.Stderr = os.Stderr
	packages, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	std := fmt.Sprintf("std %s|%s|%s\n", version, goroot, goroot)
	modules := map[string]module{}
	for line := range strings.Lines(std + string(packages)) {
		name, folders, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok {
			continue // a package of ours or of Go's
		}
		dir, folder, _ := strings.Cut(folders, "|")
		if modules[name].dir == "" {
			modules[name] = module{dir, map[string][]byte{}}
		}
		// What a folder says holds for those below it.
		for ; len(folder) >= len(dir); folder = filepath.Dir(folder) {
			if err := modules[name].read(folder); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		m := modules[name]
		if len(m.texts) == 0 {
			return fmt.Errorf("%s has no licence file: what is made of it may not be handed out", name)
		}
		fmt.Fprintf(w, "\n%s\n%s\n", strings.Repeat("=", 80), name)
		for _, file := range slices.Sorted(maps.Keys(m.texts)) {
			fmt.Fprintf(w, "\n-- %s\n\n%s\n", file, bytes.TrimRight(m.texts[file], "\n"))
		}
	}
	return nil
}

// read adds the licences that lie in a folder of the module.
func (m module) read(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !licences.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
			continue
		}
		file := filepath.Join(folder, entry.Name())
		name := strings.TrimPrefix(file, m.dir+string(filepath.Separator))
		if m.texts[filepath.ToSlash(name)], err = os.ReadFile(file); err != nil {
			return err
		}
	}
	return nil
}
