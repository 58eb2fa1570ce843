//go:build e2e

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// onPath is what a fresh machine has that builds sites: Node and the system's tools, no Go.
const onPath = "/usr/local/bin:/usr/bin:/bin"

// released has the npm packages of a checkout, as a release makes them: for this system, and where
// everything is asked for the one for Node alone, which takes the longest.
var released = sync.OnceValues(func() (string, error) {
	out := filepath.Join(filepath.Dir(program), "released")
	args := []string{filepath.Join("..", "packaging", "release"), "--out", out, "--only", "npm", "--edition", "lean",
		"--platform", runtime.GOOS + "/" + runtime.GOARCH, "--version", "1.2.3"}
	if everything {
		args = append(args, "--platform", "js/wasm")
	}
	text, err := exec.Command("bash", args...).CombinedOutput()
	if err != nil || !strings.Contains(string(text), "there is no licence yet") {
		return "", fmt.Errorf("packaging/release: %v\n%s", err, text)
	}
	return filepath.Join(out, "npm"), nil
})

// manifestOf reads the package.json of a tarball.
func manifestOf(t *testing.T, data []byte) (m map[string]any) {
	t.Helper()
	z := tables.Value(gzip.NewReader(bytes.NewReader(data)))(t)
	for r := tar.NewReader(z); ; {
		h := tables.Value(r.Next())(t)
		if h.Name == "package/package.json" {
			text, _ := io.ReadAll(r)
			must(t, json.Unmarshal(text, &m))
			return m
		}
	}
}

// registry serves the packages of a folder as npm's registry does, and those for other systems as
// packages that nobody fetches. https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md
func registry(t *testing.T, dir string) string {
	t.Helper()
	tarballs, manifests := map[string][]byte{}, map[string]map[string]any{}
	for _, name := range regular(t, dir) {
		data := []byte(read(t, dir, name))
		m := manifestOf(t, data)
		manifests[m["name"].(string)], tarballs[m["name"].(string)] = m, data
		programs, _ := m["optionalDependencies"].(map[string]any)
		for other := range programs {
			parts := strings.Split(other, "-")
			if _, ok := manifests[other]; !ok {
				manifests[other] = map[string]any{"name": other, "version": m["version"],
					"os": []string{parts[len(parts)-2]}, "cpu": []string{parts[len(parts)-1]}}
			}
		}
	}
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if data, ok := tarballs[strings.TrimSuffix(name, ".tgz")]; ok && strings.HasSuffix(name, ".tgz") {
			w.Write(data)
			return
		}
		m, ok := manifests[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		m = maps.Clone(m)
		sum := sha512.Sum512(tarballs[name])
		m["dist"] = map[string]any{"tarball": server.URL + "/" + name + ".tgz",
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		version := m["version"].(string)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": version},
			"versions": map[string]any{version: m}, "time": map[string]string{version: "2026-01-02T03:04:05Z"}})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A manager installs packages, and runs the programs that they bring.
type manager struct {
	name         string
	install, run []string
	files        map[string]string // that the site has for it
}

func managers(t *testing.T, registry string) []manager {
	t.Helper()
	tool := func(name string) string { return installed(t, "packages/node_modules/"+name) }
	pnpm, yarn, berry := tool("pnpm/bin/pnpm.cjs"), tool("yarn/bin/yarn.js"), tool("@yarnpkg/cli-dist/bin/yarn.js")
	settings := "npmRegistryServer: " + registry + "\nunsafeHttpWhitelist: [127.0.0.1]\nenableScripts: false\n" +
		"enableTelemetry: false\nenableGlobalCache: false\nnodeLinker: "
	return []manager{
		{"npm", []string{"npm", "install", "--ignore-scripts", "--registry", registry, "metarobots"},
			[]string{"npx", "--no-install", "metarobots"}, nil},
		{"pnpm", []string{"node", pnpm, "add", "--ignore-scripts", "--registry", registry, "metarobots"},
			[]string{"node", pnpm, "exec", "metarobots"}, nil},
		{"yarn 1", []string{"node", yarn, "add", "--ignore-scripts", "--registry", registry, "metarobots"},
			[]string{"node", yarn, "--silent", "run", "metarobots"}, nil},
		{"yarn", []string{"node", berry, "add", "metarobots"}, []string{"node", berry, "run", "metarobots"},
			map[string]string{".yarnrc.yml": settings + "node-modules\n", "yarn.lock": ""}},
		{"yarn without node_modules", []string{"node", berry, "add", "metarobots"},
			[]string{"node", berry, "run", "metarobots"},
			map[string]string{".yarnrc.yml": settings + "pnp\n", "yarn.lock": ""}},
	}
}

// plain runs a command in a folder, on a machine without Go.
func plain(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	c.Env = []string{"PATH=" + onPath, "HOME=" + filepath.Join(dir, ".home"), "NO_COLOR=1",
		"npm_config_update_notifier=false", "YARN_CACHE_FOLDER=" + filepath.Join(dir, ".home", "yarn")}
	return c
}

// Without Go and without scripts, each package manager installs a program that works, with its exit
// codes.
func TestNpm_InstallsAndRuns(t *testing.T) {
	t.Parallel()
	dir := programFile(t, released)
	for name, limit := range map[string]int64{"metarobots-1.2.3.tgz": 20 << 10,
		"metarobots-linux-x64-1.2.3.tgz": 7 << 20} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() > limit {
			t.Errorf("%s: %v, %v; want at most %d bytes", name, info, err, limit)
			continue
		}
		t.Logf("%s: %d bytes", name, info.Size())
	}
	all := managers(t, registry(t, dir))
	if turn := 1 + rand.IntN(len(all)-1); !everything {
		all = slices.Concat(all[:1], all[turn:turn+1])
	}
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			site := small(t)
			write(t, filepath.Join(site, "package.json"), `{"name": "site", "private": true}`)
			tables.Write(t, site, m.files)
			finish(t, plain(t, site, m.install...)).is(t, 0)
			for _, step := range []struct {
				args string
				code int
				says string
			}{
				{"version", 0, "metarobots 1.2.3"},
				{"check", 1, "dist/secret/index.html"},
				{"apply -n", 0, "5 files to write"},
				{"apply", 0, "5 files written"},
				{"check", 0, "5 unchanged"},
				{"apply --nonsense", 2, "unknown flag: --nonsense"},
			} {
				run := plain(t, site, append(m.run, strings.Fields(step.args)...)...)
				finish(t, run).says(t, step.code, step.says)
			}
			must(t, os.Remove(filepath.Join(site, "metarobots.toml")))
			finish(t, plain(t, site, append(m.run, "init", "dist")...)).is(t, 0)
			has(t, read(t, site, "metarobots.toml"), "[robots")
			has(t, read(t, site, "dist", "secret", "index.html"), "noindex")
		})
	}
}

// What the README says before publication: packages of the site's own folder, those for other
// systems included, are installed and installed again, without a registry.
func TestNpm_InstallsFromFiles(t *testing.T) {
	t.Parallel()
	dir := programFile(t, released)
	site := small(t)
	packages := filepath.Join(site, "metarobots", "npm")
	must(t, os.CopyFS(packages, os.DirFS(dir)))
	mac := t.TempDir()
	write(t, filepath.Join(mac, "package.json"),
		`{"name": "metarobots-darwin-arm64", "version": "1.2.3", "os": ["darwin"], "cpu": ["arm64"]}`)
	finish(t, plain(t, mac, "npm", "pack", "--pack-destination", packages)).is(t, 0)
	write(t, filepath.Join(site, "package.json"), `{"name": "site", "private": true}`)
	_, line, _ := strings.Cut(read(t, "../README.md"), "\n    npm install --save-optional ")
	glob, _, _ := strings.Cut(line, " ")
	install := "npm install --save-optional " + glob
	for _, c := range []string{install, "npm install", "npm ci", "npx --no-install metarobots version",
		"npx --no-install metarobots apply"} {
		run := plain(t, site, "sh", "-c", c)
		run.Env = append(run.Env, "npm_config_registry=http://127.0.0.1:1", "npm_config_fetch_retries=0")
		finish(t, run).is(t, 0)
	}
	has(t, finish(t, plain(t, site, "npx", "--no-install", "metarobots", "verify")).stderr, "npx metarobots snapshot")
}

// A release is made of sources without Git too, takes the place of one of another version, and
// leaves nothing behind if it fails.
func TestNpm_ReleaseWithoutGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sources, out := filepath.Join(dir, "sources"), filepath.Join(dir, "out")
	must(t, os.Mkdir(sources, 0o755))
	archive := exec.Command("sh", "-c", "git -C '"+root(t)+"' archive HEAD | tar x -C '"+sources+"'")
	finish(t, archive).is(t, 0) // what is committed
	release := func(args ...string) *exec.Cmd {
		c := exec.Command("bash", append([]string{filepath.Join(sources, "packaging", "release"), "--only", "npm",
			"--edition", "lean", "--platform", "linux/amd64"}, args...)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000", "GIT_CEILING_DIRECTORIES="+dir)
		return c
	}
	broken := filepath.Join(sources, "main.go")
	text := read(t, broken)
	write(t, broken, text+"}")
	if r := finish(t, release("--out", "out")); r.code == 0 {
		t.Error("sources that do not compile are released")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a release that failed leaves a folder")
	}
	write(t, broken, text)
	write(t, filepath.Join(out, "npm", "metarobots-0.9.0.tgz"), "old")
	finish(t, release("--out", "out")).says(t, 0, "their version is 0.0.0-20231114221320")
	got := slices.Sorted(slices.Values(regular(t, filepath.Join(out, "npm"))))
	want := []string{"metarobots-0.0.0-20231114221320.tgz", "metarobots-linux-x64-0.0.0-20231114221320.tgz"}
	if !slices.Equal(got, want) {
		t.Errorf("the release has %q, want %q", got, want)
	}
}

// What the launcher advises repairs an installation from files, which no registry knows: after half
// an upgrade, after a rollback, where a package is missing, and on a system that the packages are
// not for.
func TestNpm_LauncherRepairsWhatFilesInstalled(t *testing.T) {
	t.Parallel()
	site := t.TempDir()
	write(t, filepath.Join(site, "package.json"), `{"name": "site", "private": true}`)
	npm := filepath.Join(site, "metarobots", "npm")
	do := func(code int, c string) string {
		t.Helper()
		run := plain(t, site, "sh", "-c", c)
		run.Env = append(run.Env, "npm_config_registry=http://127.0.0.1:1", "npm_config_fetch_retries=0")
		return finish(t, run).is(t, code).stderr
	}
	for _, v := range []string{"0.9.0", "0.10.0"} {
		from := t.TempDir()
		write(t, filepath.Join(from, "program", "package.json"), `{"name": "metarobots-linux-x64", "version": "`+v+`",
			"program": {"file": "package.json", "size": 1}}`) // damaged, if versions are right
		write(t, filepath.Join(from, "launcher", "package.json"), `{"name": "metarobots", "version": "`+v+`",
			"bin": {"metarobots": "metarobots.js"}, "peerDependencies": {"metarobots-wasm": "`+v+`"},
			"peerDependenciesMeta": {"metarobots-wasm": {"optional": true}},
			"optionalDependencies": {"metarobots-linux-x64": "`+v+`"}}`)
		write(t, filepath.Join(from, "launcher", "metarobots.js"), read(t, "../packaging/npm/launcher/metarobots.js"))
		must(t, os.MkdirAll(npm, 0o755))
		for _, name := range []string{"program", "launcher"} {
			finish(t, plain(t, filepath.Join(from, name), "npm", "pack", "--pack-destination", npm)).is(t, 0)
		}
	}
	const program = "npx --no-install metarobots version"
	repaired := func() {
		t.Helper()
		_, command, found := strings.Cut(do(3, program), "Run: ")
		if !found {
			t.Fatal("no advice")
		}
		do(0, command)
		has(t, do(3, program), "is damaged")
	}
	do(0, "npm install --save-optional ./metarobots/npm/metarobots-0.9.0.tgz "+
		"./metarobots/npm/metarobots-linux-x64-0.9.0.tgz")
	has(t, do(3, program), "is damaged")
	do(0, "npm install --save-optional ./metarobots/npm/metarobots-linux-x64-0.10.0.tgz")
	repaired()
	has(t, read(t, site, "package.json"), "metarobots-0.10.0.tgz")
	do(0, "npm install --save-optional ./metarobots/npm/metarobots-0.9.0.tgz && rm metarobots/npm/*-0.10.0.tgz")
	repaired()
	has(t, read(t, site, "package.json"), "metarobots-linux-x64-0.9.0.tgz")
	do(0, "rm -r node_modules/metarobots-linux-x64")
	repaired()
	write(t, filepath.Join(site, "mac.js"), "Object.defineProperty(process, 'platform', { value: 'darwin' })")
	says := do(3, "node -r ./mac.js node_modules/metarobots/metarobots.js version")
	has(t, says, "packaging/release of metarobots' sources, with --platform linux/amd64 --platform darwin/")
	has(t, says, "npm install --save-optional ./metarobots/npm/*.tgz")
}

// A program that is missing, damaged or not made for this system is an error that says what to do;
// signals reach it.
func TestNpm_Launcher(t *testing.T) {
	t.Parallel()
	url := registry(t, programFile(t, released))
	site := small(t)
	write(t, filepath.Join(site, "package.json"), `{"name": "site", "private": true}`)
	install := func(args ...string) {
		t.Helper()
		c := append([]string{"npm", "install", "--ignore-scripts", "--registry", url, "metarobots"}, args...)
		finish(t, plain(t, site, c...)).is(t, 0)
	}
	launcher := filepath.Join(site, "node_modules", "metarobots", "metarobots.js")
	fails := func(what string, args ...string) {
		t.Helper()
		run := plain(t, site, append(append([]string{"node"}, args...), launcher, "version")...)
		if r := finish(t, run).is(t, 3, what); !strings.HasPrefix(r.stderr, "error: ") {
			t.Error(r.stderr)
		}
	}
	install("--omit=optional")
	fails("the package metarobots-linux-x64 is not installed: it has the program for this system. Run: npm install " +
		"--save-optional metarobots-linux-x64@1.2.3")
	must(t, os.RemoveAll(filepath.Join(site, "node_modules")))
	os.Remove(filepath.Join(site, "package-lock.json"))
	install()
	write(t, filepath.Join(site, "elsewhere.js"), "Object.defineProperty(process, 'platform', { value: 'sunos' })")
	fails("npm install metarobots-wasm@1.2.3", "-r", "./elsewhere.js")
	if everything {
		install("metarobots-wasm")
		apply := plain(t, site, "node", "-r", "./elsewhere.js", launcher, "apply")
		finish(t, apply).is(t, 0, "5 files written")
	}

	// A server that never answers; a signal to the launcher ends the program too.
	asked, left := make(chan bool, 1), make(chan bool, 1)
	var once sync.Once
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() { asked <- true })
		select {
		case <-r.Context().Done():
			select {
			case left <- true:
			default:
			}
		case <-time.After(time.Minute):
		}
	}))
	defer slow.CloseClientConnections()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := plain(t, site, "node", launcher, "verify", slow.URL, "--allow-private")
	must(t, c.Start())
	wait := func(what string, ch chan bool) {
		t.Helper()
		select {
		case <-ch:
		case <-ctx.Done():
			t.Fatal(what)
		}
	}
	wait("nothing was asked", asked)
	c.Process.Signal(syscall.SIGTERM)
	wait("the program goes on after the signal", left)
	if err := c.Wait(); err == nil {
		t.Error("an interrupted run ends with 0")
	}

	program := filepath.Join(site, "node_modules", "metarobots-linux-x64", "bin", "metarobots")
	must(t, os.Truncate(program, 1000))
	fails("is damaged: it has 1000 bytes of ")
}

// Netlify's own build takes the plugin by its name, and the plugin takes the program that npm
// installed.
func TestNpm_NetlifyPlugin(t *testing.T) {
	t.Parallel()
	url := registry(t, programFile(t, released))
	site := netlifySite(t, "")
	kept := t.TempDir()
	write(t, filepath.Join(kept, "package.json"), `{"name": "site", "private": true}`)
	finish(t, plain(t, kept, "npm", "install", "--ignore-scripts", "--registry", url, "metarobots")).is(t, 0)
	for _, name := range []string{"metarobots", "metarobots-linux-x64"} {
		must(t, os.Rename(filepath.Join(kept, "node_modules", name), filepath.Join(site, "node_modules", name)))
	}
	has(t, netlify(t, site).is(t, 0).stdout, "5 pages in production: 4 may be indexed, 1 noindex")
}

// The action takes the program from npm by its version, and refuses one of another checksum.
func TestNpm_Action(t *testing.T) {
	url := registry(t, programFile(t, released))
	t.Setenv("npm_config_registry", url)
	t.Setenv("npm_config_cache", t.TempDir())
	inputs := map[string]string{"lean": "true", "environment": "production", "version": "1.2.3"}
	perform(t, small(t), inputs).says(t, 1, "metarobots 1.2.3 (commit")
	inputs["integrity"] = "sha512-x"
	perform(t, small(t), inputs).says(t, 2, "::error title=metarobots::integrity: ")
	inputs["version"] = ""
	inputs["from-source"] = "false"
	delete(inputs, "integrity")
	perform(t, small(t), inputs).is(t, 1) // the tag of the action is v1.2.3
}
