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

// notices prints the licences of every module that is compiled into the program of the working
// folder with some build tags, and of Go itself, from the module cache. A module without one is an
// error: its program must not be handed out.
func notices(w io.Writer, tags string) error {
	packages, err := compiledPackages(tags)
	if err != nil {
		return err
	}
	modules := map[string]module{} // by name and version
	for _, p := range packages {
		if modules[p.module].dir == "" {
			modules[p.module] = module{p.moduleDir, map[string][]byte{}}
		}
		// A licence in a folder holds for the packages below it, up to the module's own folder. A
		// folder above that one has a shorter name.
		for folder := p.dir; len(folder) >= len(p.moduleDir); folder = filepath.Dir(folder) {
			if err := modules[p.module].read(folder); err != nil {
				return err
			}
		}
	}
	return printLicences(w, modules)
}

// printLicences prints the licences of modules, sorted by their names.
func printLicences(w io.Writer, modules map[string]module) error {
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

// A compiledPackage is a package of somebody else's that is compiled in: the name of its module
// with the version, the folder of the module, and its own. Go's library is one package, "std
// go1.26.1".
type compiledPackage struct{ module, moduleDir, dir string }

// packageLine is how go list prints a package, MODULE VERSION|FOLDER OF THE MODULE|FOLDER: an empty
// line if the package is of the program's own module or of Go's library.
const packageLine = `{{with .Module}}{{if not .Main}}` +
	`{{.Path}} {{.Version}}|{{.Dir}}|{{$.Dir}}{{end}}{{end}}`

// compiledPackages are the packages of other modules, and Go's library, that are compiled into the
// program of the working folder.
func compiledPackages(tags string) ([]compiledPackage, error) {
	env, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, err
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	list := exec.Command("go", "list", "-deps", "-tags", tags, "-f", packageLine, ".")
	list.Stderr = os.Stderr
	lines, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packages := []compiledPackage{{"std " + version, goroot, goroot}}
	for line := range strings.Lines(string(lines)) {
		if parts := strings.SplitN(strings.TrimSpace(line), "|", 3); len(parts) == 3 {
			packages = append(packages, compiledPackage{parts[0], parts[1], parts[2]})
		}
	}
	return packages, nil
}

// read adds the licences in a folder of the module, without those below it.
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
