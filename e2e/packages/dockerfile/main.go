// Dockerfile reads a Dockerfile as BuildKit does, without an engine: it prints what docker build
// --check would say, and for each target and platform what would run, with which network, and what
// image comes of it; and which files of the folder, named on standard input, .dockerignore lets
// through.
//
//	go run . FOLDER TARGET … < files
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/buildkit/frontend/dockerui"
	"github.com/moby/buildkit/solver/pb"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

// A run is a command that a build executes.
type run struct {
	Args    []string `json:"args"`
	Env     []string `json:"env"`
	Cwd     string   `json:"cwd"`
	Network string   `json:"network"` // UNSET, HOST or NONE
}

// A target is what comes of one.
type target struct {
	Target     string   `json:"target"`
	Platform   string   `json:"platform"`
	Runs       []run    `json:"runs"`
	Images     []string `json:"images"` // that it starts from
	User       string   `json:"user"`
	WorkingDir string   `json:"workingDir"`
	Entrypoint []string `json:"entrypoint"`
	Env        []string `json:"env"`
}

type answer struct {
	Warnings []string `json:"warnings"`
	Targets  []target `json:"targets"`
	Context  []string `json:"context"` // the files that the builder gets
}

func main() {
	a, err := read(os.Args[1], os.Args[2:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(a)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// images answers for registries: every image is there, and says nothing.
type images struct{}

func (images) ResolveImageConfig(_ context.Context, ref string, opt sourceresolver.Opt) (string, digest.Digest, []byte,
	error) {
	var platform ocispecs.Platform
	if opt.ImageOpt != nil && opt.ImageOpt.Platform != nil {
		platform = *opt.ImageOpt.Platform
	}
	config, err := json.Marshal(ocispecs.Image{Platform: platform})
	return ref, digest.FromBytes(config), config, err
}

func read(folder string, targets []string) (*answer, error) {
	ctx := context.Background()
	data, err := os.ReadFile(filepath.Join(folder, "Dockerfile"))
	if err != nil {
		return nil, err
	}
	a := &answer{Warnings: []string{}}
	here := ocispecs.Platform{OS: "linux", Architecture: "amd64"}
	options := func(name string, platform ocispecs.Platform) dockerfile2llb.ConvertOpt {
		return dockerfile2llb.ConvertOpt{
			Config:         dockerui.Config{Target: name, BuildPlatforms: []ocispecs.Platform{here}},
			TargetPlatform: &platform,
			MetaResolver:   images{},
		}
	}
	all := options("", here)
	all.AllStages = true
	all.Warn = func(rule, _, _, text string, at []parser.Range) {
		line := 0
		if len(at) > 0 {
			line = at[0].Start.Line
		}
		a.Warnings = append(a.Warnings, fmt.Sprintf("Dockerfile:%d: %s: %s", line, rule, text))
	}
	if _, err := dockerfile2llb.Dockerfile2LLB(ctx, data, all); err != nil {
		return nil, err
	}
	for _, name := range targets {
		for _, architecture := range []string{"amd64", "arm64"} {
			platform := ocispecs.Platform{OS: "linux", Architecture: architecture}
			built, err := dockerfile2llb.Dockerfile2LLB(ctx, data, options(name, platform))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			definition, err := built.State.Marshal(ctx, llb.Platform(platform))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			config := built.Image.Config
			t := target{Target: name, Platform: architecture, User: config.User, WorkingDir: config.WorkingDir,
				Entrypoint: config.Entrypoint, Env: config.Env}
			for _, raw := range definition.Def {
				var op pb.Op
				if err := op.UnmarshalVT(raw); err != nil {
					return nil, err
				}
				if e := op.GetExec(); e != nil {
					t.Runs = append(t.Runs, run{Args: e.Meta.Args, Env: e.Meta.Env, Cwd: e.Meta.Cwd,
						Network: e.Network.String()})
				}
				if image, ok := strings.CutPrefix(op.GetSource().GetIdentifier(), "docker-image://"); ok {
					t.Images = append(t.Images, image)
				}
			}
			a.Targets = append(a.Targets, t)
		}
	}
	a.Context, err = sent(folder)
	return a, err
}

// sent are the files of standard input that .dockerignore lets through.
func sent(folder string) ([]string, error) {
	f, err := os.Open(filepath.Join(folder, ".dockerignore"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	patterns, err := ignorefile.ReadAll(f)
	if err != nil {
		return nil, err
	}
	matcher, err := patternmatcher.New(patterns)
	if err != nil {
		return nil, err
	}
	files := []string{}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		ignored, err := matcher.MatchesOrParentMatches(lines.Text())
		if err != nil {
			return nil, err
		}
		if !ignored {
			files = append(files, lines.Text())
		}
	}
	return files, nil
}
