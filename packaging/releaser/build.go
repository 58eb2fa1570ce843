package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A target is a system and a processor, as Go names them.
type target struct{ system, processor string }

func (t target) String() string { return t.system + "/" + t.processor }

// targets are what releases are made for. js/wasm is for Node, on systems that have no program of their own.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"js", "wasm"}}

// An edition is the program with Hugo compiled in, or without.
type edition struct {
	id   string // lean or hugo
	name string // of its archives and packages
	tags string
}

// runs tells whether there is such an edition for t: Hugo does not compile to WebAssembly.
func (e edition) runs(t target) bool { return t.system != "js" || e.id == "lean" }

// A program is a built one.
type program struct {
	edition
	target
	data    []byte
	notices []byte // the licences of what is compiled in
}

// file is the program's name.
func (p program) file() string {
	switch p.system {
	case "windows":
		return "metarobots.exe"
	case "js":
		return "metarobots.wasm"
	}
	return "metarobots"
}

type releaser struct {
	root, out, work string
	names           map[string]string
	version         string // without v
	commit          string
	date            time.Time // the commit's: that of every file
	licence         []byte    // our own, nil where none is chosen
	written         []string  // lines of SHA256SUMS
}

func (r *releaser) editions() []edition {
	return []edition{{"lean", r.names["NPM"], "nohugo"}, {"hugo", r.names["NPM_HUGO"], ""}}
}

// describe takes version, commit and date from the repository.
func (r *releaser) describe(version string) error {
	commit, err := r.git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	seconds, err := r.git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	r.commit, r.date = commit, time.Unix(unix, 0).UTC()
	if _, err := r.git("diff", "--quiet", "HEAD"); err != nil {
		fmt.Fprintln(os.Stderr, "warning: the sources differ from their last commit, and the programs will not say so")
	}
	if version == "" {
		version, err = r.git("describe", "--tags", "--exact-match", "--match", "v[0-9]*")
		if err != nil { // a g before the commit, because a number must not begin with 0 (semver.org, 9)
			version = fmt.Sprintf("0.0.0-%s.g%.12s", r.date.Format("20060102"), commit)
		}
	}
	r.version = strings.TrimPrefix(version, "v")
	if r.licence, err = os.ReadFile(filepath.Join(r.root, "LICENSE")); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

func (r *releaser) git(args ...string) (string, error) {
	out, err := r.run(nil, "git", args...)
	return strings.TrimSpace(string(out)), err
}

// run runs a command in the folder of the sources and returns what it prints.
func (r *releaser) run(env []string, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env = r.root, append(os.Environ(), env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &errs)
	}
	return out.Bytes(), nil
}

// build compiles an edition for a target. What Go would read of the repository by itself changes with every file that
// lies beside the sources, such as the release; so the commit is handed over.
func (r *releaser) build(e edition, t target) (program, error) {
	fmt.Fprintf(os.Stderr, "building %s for %s\n", e.name, t)
	p := program{edition: e, target: t}
	file := filepath.Join(r.work, p.file())
	env := []string{"CGO_ENABLED=0", "GOOS=" + t.system, "GOARCH=" + t.processor}
	const flags = "-s -w -X metarobots/internal/cli.release=%s -X metarobots/internal/cli.commit=%s"
	if _, err := r.run(env, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-tags", e.tags,
		"-ldflags", fmt.Sprintf(flags, r.version, r.commit), "-o", file, "."); err != nil {
		return p, err
	}
	var err error
	if p.data, err = os.ReadFile(file); err != nil {
		return p, err
	}
	p.notices, err = r.notices(env, e)
	return p, err
}

// share makes the manual page and the completions, with a program for the system at hand.
func (r *releaser) share(programs []program) (map[string][]byte, error) {
	here := target{runtime.GOOS, runtime.GOARCH}
	i := slices.IndexFunc(programs, func(p program) bool { return p.target == here })
	if i < 0 {
		p, err := r.build(r.editions()[0], here)
		if err != nil {
			return nil, err
		}
		programs, i = []program{p}, 0
	}
	made := map[string][]byte{}
	file := filepath.Join(r.work, "here"+filepath.Ext(programs[i].file()))
	err := os.WriteFile(file, programs[i].data, 0o755)
	if err != nil {
		return nil, err
	}
	if made["metarobots.1"], err = r.run(nil, file, "man"); err != nil {
		return nil, err
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if made["metarobots."+shell], err = r.run(nil, file, "completion", shell); err != nil {
			return nil, err
		}
	}
	return made, nil
}
