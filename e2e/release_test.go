//go:build e2e && releases

package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

func init() { withHugo = true }

// A release of both editions for every platform has every artefact, twice the same; the programs
// are what their names say.
func TestRelease_Whole(t *testing.T) {
	var sums string
	for range 2 {
		out := t.TempDir()
		script := filepath.Join(sources(t), "packaging", "release")
		finish(t, exec.Command("bash", script, "--out", out, "--version", "v1.2.3",
			"--platform", "all")).is(t, 0)
		check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
		check.Dir = out
		finish(t, check).is(t, 0)
		if again := read(t, out, "SHA256SUMS"); sums != "" && again != sums {
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
		for _, platform := range []string{"", "-linux-x64", "-linux-arm64", "-darwin-x64", "-darwin-arm64",
			"-win32-x64"} {
			if name := "npm/" + edition + platform + "-1.2.3.tgz"; !strings.Contains(sums, "  "+name+"\n") {
				t.Errorf("%s is missing", name)
			}
		}
	}
}

// Equal sources give equal bytes, wherever they lie, and the archive's program says which release
// and commit it is.
func TestRelease_IsReproducible(t *testing.T) {
	t.Parallel()
	var sums string
	for range 2 {
		dir, out := sources(t), t.TempDir()
		r := finish(t, exec.Command("bash", filepath.Join(dir, "packaging", "release"), "--out", out, "--version",
			"1.2.3", "--platform", runtime.GOOS+"/"+runtime.GOARCH, "--edition", "lean"))
		if r.code != 0 {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
		if again := read(t, out, "SHA256SUMS"); sums != "" && again != sums {
			t.Errorf("two releases differ:\n%s\n%s", sums, again)
		} else {
			sums = again
		}
		name := fmt.Sprintf("metarobots_1.2.3_%s_%s", runtime.GOOS, runtime.GOARCH)
		finish(t, exec.Command("tar", "-C", out, "-xzf", filepath.Join(out, name+".tar.gz"))).is(t, 0)
		for _, file := range []string{"THIRD_PARTY_NOTICES.txt", "share/metarobots.1", "share/metarobots.fish",
			"README.md", "hugo/layouts/partials/metarobots.html"} {
			if read(t, out, name, file) == "" {
				t.Errorf("%s is empty", file)
			}
		}
		program := filepath.Join(out, name, "metarobots")
		if strings.Contains(read(t, program), dir) {
			t.Errorf("the program names the folder %s", dir)
		}
		head := tables.Value(exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output())(t)
		text, err := exec.Command(program, "version").Output()
		want := fmt.Sprintf("metarobots 1.2.3 (commit %.12s), without Hugo, %s %s/%s, ", head, runtime.Version(),
			runtime.GOOS, runtime.GOARCH)
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("version says %q, %v, want %q", text, err, want)
		}
		billNamesEveryModule(t, program, filepath.Join(out, name+".cdx.json"))
		if runtime.GOOS == "linux" {
			debInstalls(t, filepath.Join(out, "metarobots_1.2.3_"+runtime.GOARCH+".deb"))
		}
	}
}

// billNamesEveryModule holds a bill of materials against the program: every module with its
// checksum.
func billNamesEveryModule(t *testing.T, file, document string) {
	t.Helper()
	text := read(t, document)
	var bom struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Properties []struct{ Name, Value string }
		}
		Components []struct {
			Name, Version, PURL string
			Hashes              []struct{ Alg, Content string }
		}
	}
	must(t, json.Unmarshal([]byte(text), &bom))
	said := map[string]string{} // https://github.com/CycloneDX/cyclonedx-property-taxonomy/blob/main/cdx/gomod.md
	for _, p := range bom.Metadata.Properties {
		said[p.Name] = p.Value
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, file))))
	if bom.BOMFormat != "CycloneDX" || bom.SpecVersion != "1.6" || said["cdx:gomod:binary:hash:SHA-256"] != sum {
		t.Errorf("the document is %.1000s", text)
	}
	named := map[string]bool{}
	for _, c := range bom.Components {
		named[c.Name+" "+c.Version] = true
		if c.Name != "std" && (len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64 ||
			c.PURL != "pkg:golang/"+c.Name+"@"+strings.ReplaceAll(c.Version, "+", "%2B")) &&
			!strings.Contains(c.Version, "+") {
			t.Errorf("%s %s has the checksums %v and the address %s", c.Name, c.Version, c.Hashes, c.PURL)
		}
	}
	list := tables.Value(exec.Command("go", "version", "-m", file).Output())(t)
	modules := regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)`).FindAllStringSubmatch(string(list), -1)
	for _, m := range modules {
		if !named[m[1]+" "+m[2]] {
			t.Errorf("%s %s is compiled in and not named", m[1], m[2])
		}
	}
	if len(modules) < 10 || len(named) != len(modules)+1 { // Go's library too
		t.Errorf("%d modules are compiled in, %d named", len(modules), len(named))
	}
}

// debInstalls unpacks a Debian package: its fields, and that what it installs works, for a reader
// who is not root too.
func debInstalls(t *testing.T, deb string) {
	t.Helper()
	dir := t.TempDir()
	fields := tables.Value(exec.Command("dpkg-deb", "--field", deb).Output())(t)
	has(t, string(fields), "Package: metarobots\n", "Version: 1.2.3\n", "Architecture: "+runtime.GOARCH+"\n",
		"Section: web\n", "Priority: optional\n", "Conflicts: metarobots-hugo\n")
	finish(t, exec.Command("dpkg-deb", "--extract", deb, dir)).is(t, 0)
	finish(t, exec.Command(filepath.Join(dir, "usr", "bin", "metarobots"), "version")).is(t, 0)
	for _, name := range []string{"man/man1/metarobots.1.gz", "bash-completion/completions/metarobots",
		"zsh/vendor-completions/_metarobots", "fish/vendor_completions.d/metarobots.fish",
		"doc/metarobots/changelog.gz", "doc/metarobots/copyright"} {
		info, err := os.Stat(filepath.Join(dir, "usr", "share", name))
		if err != nil || info.Size() == 0 || info.Mode() != 0o644 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// With Hugo too, every package and its tests compile for Windows and macOS.
func TestRelease_VetsElsewhere(t *testing.T) {
	for _, system := range []string{"windows", "darwin"} {
		vet := exec.Command("go", "vet", "./...")
		vet.Dir = ".."
		vet.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+system)
		finish(t, vet).is(t, 0)
	}
}
