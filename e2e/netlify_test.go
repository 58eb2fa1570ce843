//go:build e2e

package e2e

import (
	"debug/buildinfo"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// netlify builds a site with Netlify's own build program, offline.
func netlify(t *testing.T, site string, env ...string) result {
	t.Helper()
	c := modernNode(t, installed(t, "hosts/node_modules/@netlify/build/bin.js"), "--offline", "--telemetry=false", "--cwd", site)
	c.Dir = site
	c.Env = append([]string{"PATH=" + filepath.Dir(c.Path) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"NETLIFY_TELEMETRY_DISABLED=1", "NO_COLOR=1", "LC_ALL=C.UTF-8"}, env...)
	return finish(t, c)
}

// netlifySite is a small site that Netlify builds with the plugin, whose inputs are TOML. A second
// plugin writes down the headers that Netlify knows afterwards.
func netlifySite(t *testing.T, inputs string) string {
	t.Helper()
	site := small(t)
	must(t, os.Rename(filepath.Join(site, "dist"), filepath.Join(site, "src")))
	plugin := filepath.Join(site, "node_modules", "netlify-plugin-metarobots")
	must(t, os.CopyFS(plugin, os.DirFS("../packaging/npm/netlify")))
	write(t, filepath.Join(plugin, "package.json"),
		`{"name": "netlify-plugin-metarobots", "version": "0.0.0", "type": "module", "exports": "./index.js"}`)
	write(t, filepath.Join(site, "look", "package.json"),
		`{"name": "look", "version": "0.0.0", "type": "module", "exports": "./index.js"}`)
	write(t, filepath.Join(site, "look", "manifest.yml"), "name: look\n")
	write(t, filepath.Join(site, "look", "index.js"), `import { writeFileSync } from 'node:fs'
export const onPostBuild = ({ netlifyConfig }) => writeFileSync('headers.json', JSON.stringify(netlifyConfig.headers))
`)
	toml := blocks(t, "toml", "[[plugins]]")
	if len(toml) != 1 {
		t.Fatalf("docs/pipelines.md shows %d netlify.toml", len(toml))
	}
	text := strings.Replace(toml[0], `"npm run build"`, `"cp -r src dist"`, 1)
	if text == toml[0] {
		t.Fatalf("the build command is not in\n%s", text)
	}
	write(t, filepath.Join(site, "netlify.toml"), text+inputs+"\n[[plugins]]\npackage = \"./look\"\n")
	return site
}

// Netlify's own build program runs the plugin after the build and before it reads _headers; a
// policy that went wrong fails the deploy.
func TestNetlifyPlugin_RunsAfterTheBuild(t *testing.T) {
	t.Parallel()
	program := programFile(t, lean)
	input := fmt.Sprintf("[plugins.inputs]\nprogram = %q\n", program)

	site := netlifySite(t, input)
	has(t, netlify(t, site).is(t, 0).stdout, "What crawlers may do",
		"5 pages in production: 4 may be indexed, 1 noindex; 0 errors, 1 warning")
	has(t, read(t, site, "dist", "secret", "index.html"), `<meta name="robots" content="noindex, follow" />`)
	has(t, read(t, site, "headers.json"),
		`{"for":"/a.pdf","values":{"X-Robots-Tag":"noindex, follow"}}`, `"for":"/secret/*"`)

	// A preview, by the context alone.
	site = netlifySite(t, input)
	has(t, netlify(t, site, "CONTEXT=deploy-preview").is(t, 0).stdout, "in deploy-preview, which is not indexed")
	has(t, read(t, site, "headers.json"), `{"for":"/*","values":{"X-Robots-Tag":"noindex, nofollow"}}`)

	cases := []struct {
		name, inputs string
		spoil        func(*testing.T, string)
		env          string
		code         int // of Netlify's build: 2 for a failed build
		want         string
	}{
		{"the guard", input, guarded, "", 2, "exit code 1"},
		{"the guard is shown alone", input + "failOn = \"never\"\n", guarded, "", 0, "in production"},
		{"no room for the headers", input + "failOn = \"never\"\n", overflowing, "", 2, "exit code 1"},
		{"a policy that cannot be read", input + "failOn = \"never\"\n", unreadable, "", 2, "metarobots.toml:8:"},
		{"an unknown flag", input + "args = [\"--nonsense\"]\n", nil, "", 2, "unknown flag: --nonsense"},
		{"a program that is not there", "[plugins.inputs]\nprogram = \"./nowhere\"\n", nil, "", 2,
			"nowhere is not there"},
		{"no sources", "", nil, "", 2, "is not installed: npm install --save-dev metarobots-hugo"},
		{"an unknown failOn", input + "failOn = \"x\"\n", nil, "", 2, "want error or never"},
		{"METAROBOTS_BINARY", "", nil, "METAROBOTS_BINARY=" + program, 0, "in production"},
	}
	if turn := rand.IntN(len(cases)); !everything {
		cases = slices.Concat(cases[:1], cases[turn:turn+1])
	}
	for _, c := range cases {
		site := netlifySite(t, c.inputs)
		if c.spoil != nil {
			c.spoil(t, site)
		}
		var env []string
		if c.env != "" {
			env = []string{c.env}
		}
		t.Log(c.name)
		netlify(t, site, env...).says(t, c.code, c.want)
	}
}

// Without a program the plugin builds one with Go, keeps what Go made between deploys, and leaves
// Hugo out where the site is not Hugo's.
func TestNetlifyPlugin_BuildsTheProgram(t *testing.T) {
	needEverything(t, "it compiles Go's standard library three times")
	t.Parallel()
	checkout := t.TempDir() // in place of the sources, which compile longer: it hands on to the program
	write(t, filepath.Join(checkout, "go.mod"), "module metarobots\n\ngo 1.26.0\n")
	write(t, filepath.Join(checkout, "main.go"), read(t, "testdata/handson.go.txt"))
	for _, hugo := range []bool{false, true} {
		site := netlifySite(t, fmt.Sprintf("[plugins.inputs]\ncheckout = %q\n", checkout))
		if hugo {
			write(t, filepath.Join(site, "hugo.toml"), "baseURL = \"https://example.org/\"\n")
		}
		home := t.TempDir()
		r := netlify(t, site, "HOME="+home, "GOFLAGS=", "HANDS_ON_TO="+programFile(t, lean)).is(t, 0)
		has(t, r.stdout, "in production")
		info := tables.Value(buildinfo.ReadFile(filepath.Join(home, ".cache", "metarobots", "metarobots")))(t)
		isLean := slices.Contains(info.Settings, debug.BuildSetting{Key: "-tags", Value: "nohugo"})
		equal(t, "for a site of Hugo's: with Hugo", !isLean, hugo)
		if kept := filepath.Join(site, ".netlify", "cache", "home", ".cache", "metarobots",
			"go-build"); !isFolder(kept) {
			t.Errorf("%s is not kept", kept)
		}
	}
	write(t, filepath.Join(checkout, "main.go"), "package main\nfunc main() { nonsense }\n")
	site := netlifySite(t, fmt.Sprintf("[plugins.inputs]\ncheckout = %q\n", checkout))
	netlify(t, site, "GOFLAGS=").says(t, 2, "undefined: nonsense") // the sources do not compile
}
