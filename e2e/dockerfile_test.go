//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// withHugo asks for the image with Hugo too, whose build takes minutes; the tag releases sets it.
var withHugo bool

// BuildKit reads the Dockerfile without a warning; what it would run after the modules' layer
// builds without a network, in the files that .dockerignore lets through; the image's user is not
// root.
func TestDockerfile_BuildsWithoutANetwork(t *testing.T) {
	t.Parallel()
	dir := sources(t)
	c := exec.Command("go", "run", "-C", "packages/dockerfile", ".", dir, "full", "lean")
	c.Stdin = strings.NewReader(strings.Join(regular(t, dir), "\n"))
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	var got struct {
		Warnings []string
		Targets  []struct {
			Target, Platform, User, WorkingDir string
			Entrypoint                         []string
			Runs                               []struct {
				Args, Env    []string
				Cwd, Network string
			}
		}
		Context []string
	}
	must(t, json.Unmarshal(out, &got))
	if len(got.Warnings) > 0 {
		t.Errorf("docker build --check says %q", got.Warnings)
	}
	context := t.TempDir()
	for _, name := range got.Context {
		if strings.HasPrefix(name, ".git/") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name,
			"packaging/") {
			t.Errorf("%s goes to the builder", name)
		}
		write(t, filepath.Join(context, name), read(t, dir, name))
	}
	if len(got.Targets) != 4 {
		t.Fatalf("%d targets", len(got.Targets))
	}
	for _, target := range got.Targets {
		if target.User != "nonroot:nonroot" || target.WorkingDir != "/site" || !slices.Equal(target.Entrypoint,
			[]string{"/usr/local/bin/metarobots"}) {
			t.Errorf("the image %s is %+v", target.Target, target)
		}
		if len(target.Runs) != 2 || target.Runs[0].Args[2] != "go mod download" || target.Runs[1].Network != "NONE" ||
			!slices.Contains(target.Runs[1].Env, "GOPROXY=off") {
			t.Errorf("%s runs %+v", target.Target, target.Runs)
			continue
		}
		if target.Platform != runtime.GOARCH || target.Target == "full" && !withHugo {
			continue
		}
		// The modules' layer sees two files alone. What it fetches is on this disk already.
		build := target.Runs[1]
		file := filepath.Join(t.TempDir(), "metarobots")
		line := strings.Replace(build.Args[2], "/out/metarobots", file, 1)
		shell := exec.Command("sh", "-c", line)
		if unshare, err := exec.LookPath("unshare"); err == nil && os.Geteuid() == 0 {
			shell = exec.Command(unshare, "--net", "sh", "-c", line)
		}
		shell.Dir = context
		shell.Env = append(os.Environ(), build.Env[:len(build.Env):len(build.Env)]...)
		shell.Env = append(shell.Env, "PATH="+os.Getenv("PATH"))
		if out, err := shell.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
			continue
		}
		version, err := exec.Command(file, "version").Output()
		if hugo := !strings.Contains(string(version), "without Hugo"); err != nil || hugo != (target.Target == "full") {
			t.Errorf("%s: version says %q, %v", target.Target, version, err)
		}
	}
}
