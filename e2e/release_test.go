//go:build e2e && releases

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// goreleaser is held at a version that Go 1.26 builds: 2.18 wants a newer one. Building it takes 20 minutes on two
// cores the first time.
const goreleaser = "github.com/goreleaser/goreleaser/v2@v2.15.1"

func init() { withHugo = true }

// GoReleaser takes .goreleaser.yaml, refuses a broken one, and makes the lean release of this system: program, manual
// page and completions.
func TestRelease_GoReleaser(t *testing.T) {
	bin := t.TempDir()
	install := exec.Command("go", "install", goreleaser)
	install.Env = append(os.Environ(), "GOFLAGS=", "GOBIN="+bin)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := sources(t)
	// a release has a place
	remote := exec.Command("git", "-C", dir, "remote", "add", "origin", "https://github.com/owner/metarobots.git")
	if out, err := remote.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	release := func(args ...string) (string, error) {
		c := exec.Command(filepath.Join(bin, "goreleaser"), args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := release("check"); err != nil {
		t.Errorf("goreleaser check: %v\n%s", err, out)
	}
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	write(t, bad, strings.Replace(read(t, "../.goreleaser.yaml"), "\nbuilds:", "\nbuild:", 1))
	if out, err := release("check", bad); err == nil {
		t.Errorf("goreleaser check takes anything: %s", out)
	}

	// A release without the programs that hold Hugo, which are the long part.
	var config map[string]any
	if err := yaml.Unmarshal([]byte(read(t, "../.goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"builds", "archives", "sboms"} {
		config[part] = slices.DeleteFunc(config[part].([]any),
			func(v any) bool { return v.(map[string]any)["id"] != "lean" })
	}
	lean, err := yaml.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lean.yaml")
	write(t, file, string(lean))
	if out, err := release("release", "--snapshot", "--clean", "--config", file); err != nil {
		t.Fatalf("goreleaser release: %v\n%s", err, out)
	}
	dist := filepath.Join(dir, "packaging", "out", "dist")
	var archives, bills int
	for _, name := range regular(t, dist) {
		switch {
		case strings.HasSuffix(name, ".tar.gz"):
			archives++
			list, err := exec.Command("tar", "-tzf", filepath.Join(dist, filepath.FromSlash(name))).Output()
			for _, want := range []string{"/metarobots\n", "/share/metarobots.1\n", "/share/metarobots.fish\n",
				"/README.md\n"} {
				if err != nil || !strings.Contains(string(list), want) {
					t.Errorf("%s holds\n%s, %v, not %s", name, list, err, want)
				}
			}
		case strings.HasSuffix(name, ".cdx.json"):
			bills++
		}
	}
	sums := read(t, filepath.Join(dist, "SHA256SUMS"))
	if archives != 4 || bills != len(systems) || strings.Count(sums, "\n") != 2*len(systems) {
		t.Errorf("%d archives, %d bills of materials, checksums\n%s", archives, bills, sums)
	}
}

// systems are what releases are made for.
var systems = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"}}

// The lean program is built for every system of a release, without C.
func TestRelease_CrossCompiles(t *testing.T) {
	var config struct {
		Builds []struct {
			ID           string
			Goos, Goarch []string
			Env, Flags   []string
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "../.goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	var wanted [][2]string
	for _, b := range config.Builds {
		for _, system := range b.Goos {
			for _, processor := range b.Goarch {
				if wanted = append(wanted, [2]string{system, processor}); !slices.Contains(systems,
					wanted[len(wanted)-1]) {
					t.Errorf("%s/%s is released and not tried", system, processor)
				}
			}
		}
		if !slices.Contains(b.Env, "CGO_ENABLED=0") || !slices.Contains(b.Flags, "-trimpath") {
			t.Errorf("build %s: env %q, flags %q", b.ID, b.Env, b.Flags)
		}
	}
	if len(wanted) != 2*len(systems) {
		t.Errorf("%d programs are released, want two for each of %d systems", len(wanted), len(systems))
	}
	for _, s := range systems {
		file := filepath.Join(t.TempDir(), "metarobots")
		build := exec.Command("go", "build", "-C", "..", "-tags", "nohugo", "-trimpath", "-o", file, ".")
		build.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+s[0], "GOARCH="+s[1])
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s/%s: %v\n%s", s[0], s[1], err, out)
			continue
		}
		magic := map[string]string{"linux": "\x7fELF", "darwin": "\xcf\xfa\xed\xfe", "windows": "MZ"}[s[0]]
		if data := read(t, file); !strings.HasPrefix(data, magic) {
			t.Errorf("%s/%s: the program begins with %q", s[0], s[1], data[:4])
		}
	}
}

// With Hugo too, every package and its tests compile for Windows and macOS.
func TestRelease_VetsElsewhere(t *testing.T) {
	for _, system := range []string{"windows", "darwin"} {
		vet := exec.Command("go", "vet", "./...")
		vet.Dir = ".."
		vet.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+system)
		if out, err := vet.CombinedOutput(); err != nil {
			t.Errorf("GOOS=%s go vet ./...: %v\n%s", system, err, out)
		}
	}
}
