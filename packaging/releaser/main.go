// Releaser makes everything that a release hands out, from one checkout of the sources:
//
//	packaging/release --out DIR [--platform linux/amd64 …] [--only npm]
//
// DIR gets an archive, a bill of materials and, for Linux, a Debian package for each edition and platform, a
// Dockerfile, the npm packages in DIR/npm, and SHA256SUMS. Equal sources give equal bytes: times are the commit's, and
// order is by name.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// list is a flag that may stand several times, or hold several values with commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	*l = append(*l, strings.Split(s, ",")...)
	return nil
}

func main() {
	var platforms, kinds, editions list
	root := flag.String("root", ".", "the `folder` of the sources")
	out := flag.String("out", "", "the `folder` to write into")
	version := flag.String("version", "", "the release's `version` (default: the tag of the commit, else one of its date)")
	flag.Var(&platforms, "platform", "one `system/processor`, such as linux/amd64; may stand several times (default: all)")
	flag.Var(&kinds, "only", "one `kind` of artefact: npm, archive or deb; may stand several times (default: all)")
	flag.Var(&editions, "edition", "lean or hugo (default: both)")
	flag.Parse()
	if err := check(*out, flag.Args(), platforms, kinds, editions); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if err := release(*root, *out, *version, platforms, kinds, editions); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(3)
	}
}

// check says what is wrong with the arguments.
func check(out string, rest []string, platforms, kinds, editions list) error {
	if out == "" || len(rest) > 0 {
		return fmt.Errorf("usage: packaging/release --out DIR [--platform linux/amd64 …] [--only npm] [--edition lean]")
	}
	for _, p := range platforms {
		if !slices.ContainsFunc(targets, func(t target) bool { return t.String() == p }) {
			return fmt.Errorf("--platform: no releases are made for %q; want one of %v", p, targets)
		}
	}
	for _, k := range kinds {
		if !slices.Contains([]string{"npm", "archive", "deb"}, k) {
			return fmt.Errorf("--only: want npm, archive or deb, not %q", k)
		}
	}
	for _, e := range editions {
		if !slices.Contains([]string{"lean", "hugo"}, e) {
			return fmt.Errorf("--edition: want lean or hugo, not %q", e)
		}
	}
	return nil
}

func release(root, out, version string, platforms, kinds, editions list) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	names, err := readNames(filepath.Join(root, "packaging", "names"))
	if err != nil {
		return err
	}
	r := &releaser{root: root, out: out, work: work, names: names}
	if err := r.describe(version); err != nil {
		return err
	}
	wants := func(kind string) bool { return len(kinds) == 0 || slices.Contains(kinds, kind) }
	var programs []program
	for _, e := range r.editions() {
		for _, t := range targets {
			if len(editions) > 0 && !slices.Contains(editions, e.id) || !e.runs(t) ||
				len(platforms) > 0 && !slices.Contains(platforms, t.String()) || t.system == "js" && !wants("npm") {
				continue
			}
			p, err := r.build(e, t)
			if err != nil {
				return err
			}
			programs = append(programs, p)
		}
	}
	if wants("archive") || wants("deb") {
		if err := r.archives(programs, wants); err != nil {
			return err
		}
	}
	if wants("npm") {
		if err := r.npm(programs); err != nil {
			return err
		}
	}
	if err := r.sums(); err != nil {
		return err
	}
	if r.licence == nil {
		fmt.Fprintln(os.Stderr, "warning: THERE IS NO LICENCE: the sources have no LICENSE file, so nobody may use "+
			"what was made. Choose one before you publish anything (docs/publish.md)")
	}
	return nil
}

// readNames reads packaging/names.
func readNames(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("%s: want NAME=value, not %q", file, line)
		}
		names[name] = strings.Trim(value, `"'`)
	}
	for _, name := range []string{"NPM", "NPM_HUGO", "NPM_WASM", "NPM_NETLIFY"} {
		if names[name] == "" {
			return nil, fmt.Errorf("%s: %s is empty", file, name)
		}
	}
	return names, nil
}
