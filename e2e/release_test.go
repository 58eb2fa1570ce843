//go:build e2e && releases

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func init() { withHugo = true }

// A release of both editions for every platform has every artefact, twice the same; the programs are what their names say.
func TestRelease_Whole(t *testing.T) {
	var sums string
	for range 2 {
		out := t.TempDir()
		script := filepath.Join(sources(t), "packaging", "release")
		if r := finish(t, exec.Command("bash", script, "--out", out, "--version", "v1.2.3")); r.code != 0 {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
		check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
		check.Dir = out
		if text, err := check.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := read(t, filepath.Join(out, "SHA256SUMS")); sums != "" && again != sums {
			t.Errorf("two releases differ:\n%s\n%s", sums, again)
		} else {
			sums = again
		}
	}
	for _, edition := range []string{"metarobots", "metarobots-hugo"} {
		for _, platform := range []string{"linux_amd64.tar.gz", "linux_arm64.tar.gz", "darwin_amd64.tar.gz",
			"darwin_arm64.tar.gz", "windows_amd64.zip", "linux_amd64.cdx.json", "amd64.deb", "arm64.deb"} {
			if name := edition + "_1.2.3_" + platform; !strings.Contains(sums, "  "+name+"\n") {
				t.Errorf("%s is missing", name)
			}
		}
		for _, platform := range []string{"", "-linux-x64", "-linux-arm64", "-darwin-x64", "-darwin-arm64", "-win32-x64"} {
			if name := "npm/" + edition + platform + "-1.2.3.tgz"; !strings.Contains(sums, "  "+name+"\n") {
				t.Errorf("%s is missing", name)
			}
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
