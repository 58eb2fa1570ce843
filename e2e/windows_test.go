//go:build e2e && wine

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"metarobots/internal/tables"
)

// wine64 is where Debian puts the program that runs others; its version 8 has no wine beside it.
const wine64 = "/usr/lib/wine/wine64"

// wine makes the folder that stands for a Windows disk, with the library that Wine 8 lacks. The
// folder is inside that of the programs, which is removed in the end.
var wine = sync.OnceValues(func() (prefix string, err error) {
	prefix = filepath.Join(filepath.Dir(program), "wine")
	boot := exec.Command(wine64, "cmd", "/c", "ver")
	boot.Env = wineEnv(prefix)
	if err := boot.Run(); err != nil {
		return "", err
	}
	library := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err == nil {
		return prefix, nil // a newer Wine has it
	}
	return prefix, exec.Command("x86_64-w64-mingw32-gcc", "-shared", "-o", library, "windows/bcryptprimitives.c",
		"-ladvapi32").Run()
})

// wineEnv are the surroundings of both programs. Wine reads the names of files by the locale.
func wineEnv(prefix string) []string {
	return append(command().Env, "WINEPREFIX="+prefix, "WINEDEBUG=-all", "LC_ALL=C.UTF-8", builtOn)
}

// windows are the two programs, compiled for Windows.
var windows = map[bool]func() (string, error){
	false: sync.OnceValues(func() (string, error) {
		return compileForWindows("metarobots-lean.exe", "-tags", "nohugo")
	}),
	true: sync.OnceValues(func() (string, error) { return compileForWindows("metarobots.exe") }),
}

func compileForWindows(name string, flags ...string) (string, error) {
	file := filepath.Join(filepath.Dir(program), name)
	build := exec.Command("go", append(append([]string{"build", "-C", ".."}, flags...), "-o", file, ".")...)
	build.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS=windows", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s%w", out, err)
	}
	return file, nil
}

// took is the part of an output that two runs need not share: how long it took, and the platform.
var took = regexp.MustCompile(`\d+(\.\d+)? m?s\b|(linux|windows)/amd64`)

// sameOnWindows runs both systems' programs in two equal folders, in turn, and compares exit codes,
// what is printed, and in the end all files. Only the presence of the state is compared.
func sameOnWindows(t *testing.T, hugo bool, dir string, runs ...string) {
	t.Helper()
	prefix, err := wine()
	if err != nil {
		t.Fatalf("wine64 or mingw is missing: run e2e/install-wine.sh as root on Debian: %v", err)
	}
	unix := program
	if !hugo {
		unix = programFile(t, lean)
	}
	dirs := [2]string{filepath.Join(t.TempDir(), "site"), filepath.Join(t.TempDir(), "site")}
	for _, d := range dirs {
		must(t, os.CopyFS(d, os.DirFS(dir)))
	}
	for _, line := range runs {
		args := strings.Fields(line)
		var results [2]result
		for i, c := range []*exec.Cmd{exec.Command(unix, args...),
			exec.Command(wine64, append([]string{programFile(t, windows[hugo])}, args...)...)} {
			c.Dir, c.Env = dirs[i], wineEnv(prefix)
			r := finish(t, c)
			results[i] = result{line, r.code, took.ReplaceAllString(r.stdout, "…"), took.ReplaceAllString(r.stderr, "…")}
		}
		if results[0] != results[1] {
			t.Errorf("metarobots %s ends with %d on Linux and says\n%s%s\nwith %d on Windows and says\n%s%s", line,
				results[0].code, results[0].stdout, results[0].stderr, results[1].code, results[1].stdout,
				results[1].stderr)
		}
	}
	for _, d := range dirs {
		states, err := filepath.Glob(filepath.Join(d, ".metarobots", "*.state"))
		if err != nil || !hugo && len(states) != 1 {
			t.Errorf("states: %q, %v", states, err)
		}
		must(t, os.RemoveAll(filepath.Join(d, ".metarobots"))) // its files are named by the place of the site
	}
	if n := sameFiles(t, dirs[0], dirs[1]); n < 10 {
		t.Errorf("%d files were compared", n)
	}
}

// Issue 9: on Windows, as Wine runs it, the program decides, writes and says what it does on Linux,
// with slashes in every path.
func TestWindows_SameAsOnLinux(t *testing.T) {
	for _, g := range generatorSites {
		if g.name != "eleventy" && g.name != "mkdocs" && g.name != "jekyll" {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			g = g.laid(t)
			must(t, os.RemoveAll(filepath.Join(g.dir, "node_modules")))
			sameOnWindows(t, false, g.dir,
				"check", "apply --json", "apply", "check", "apply -n --diff -e staging", "explain /imprint/",
				"explain --crawler googlebot /files/prices.pdf",
				"snapshot -o one.json", "apply -e staging", "check", "apply", "snapshot -o two.json",
				"diff one.json two.json",
				"report --format html -o report.html", "report --format json -o report.json",
				"report --format sarif -o report.sarif",
				"check --policy missing.toml", "explain /nowhere/", "init", "init -n --policy other.toml",
				"apply "+strings.ReplaceAll(g.publish, "/", `\`))
		})
	}
}

// The same with Hugo compiled in: it builds the example and remembers what was ours.
func TestWindows_HugoSameAsOnLinux(t *testing.T) {
	dir, _ := siteExample(t, "")
	sameOnWindows(t, true, dir,
		"--json -s site-example --policy config.toml --quiet", "check -s site-example --policy config.toml",
		"apply -s site-example --policy config.toml", "explain -s site-example --policy config.toml /imprint/",
		"apply -s site-example --policy config.toml -e staging",
		"-s site-example --policy config.toml --quiet", "check -s site-example --policy config.toml",
		"data -s site-example --policy config.toml")
}

// What reads and writes text keeps its promises there: the packages' own tests, compiled for
// Windows. Wine 8 cannot do what Go's RemoveAll asks of Windows 10, so the packages whose tests
// leave folders behind are not among them.
func TestWindows_PackagesTests(t *testing.T) {
	prefix := tables.Value(wine())(t)
	c := exec.Command("go", "test", "-C", "..", "-short", "-exec", wine64, "./internal/accesslog",
		"./internal/findings", "./emit/headers", "./emit/links", "./emit/robotstxt",
		"./emit/robotstag", "./emit/servers", "./emit/sitemap", "./frontmatter", "./policy", "./internal/snapshot",
		"./internal/source")
	c.Env = append(os.Environ(), "GOFLAGS=", "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0", "WINEDEBUG=-all",
		"WINEPREFIX="+prefix)
	finish(t, c).is(t, 0)
}
