//go:build e2e

package e2e

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The build command for Cloudflare builds the site, then writes the policy; previews are those of
// other branches.
func TestCloudflareBuild_PreviewsAreOtherBranches(t *testing.T) {
	t.Parallel()
	build := func(site string, env []string, args ...string) result {
		t.Helper()
		c := exec.Command("bash", append([]string{filepath.Join(root(t), "packaging", "cloudflare", "build.sh")},
			args...)...)
		c.Dir = site
		c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CI=true", "CF_PAGES=1"}, env...)
		return finish(t, c)
	}
	binary := "METAROBOTS_BINARY=" + programFile(t, lean)
	fresh := func() string {
		site := small(t)
		must(t, os.Rename(filepath.Join(site, "dist"), filepath.Join(site, "src")))
		return site
	}

	site := fresh()
	copying := []string{"dist", "--", "cp", "-r", "src", "dist"}
	build(site, []string{binary, "CF_PAGES_BRANCH=main"}, copying...).is(t, 0,
		"warning: the branch main counts as production")
	has(t, read(t, site, "dist", "_headers"), "/a.pdf\n  X-Robots-Tag: noindex, follow\n")
	for branch, wanted := range map[string]string{"main": "4 may be indexed, 1 noindex", "draft": "0 may be indexed, 5 noindex"} {
		for _, variable := range []string{"CF_PAGES_BRANCH", "WORKERS_CI_BRANCH"} {
			site := fresh()
			file := filepath.Join(site, "metarobots.toml")
			write(t, file, strings.Replace(read(t, file), "[site]\n", "[site]\nproductionBranch = \"main\"\n", 1))
			r := build(site, []string{binary, variable + "=" + branch}, copying...).is(t, 0, wanted)
			if strings.Contains(r.stderr, "counts as production") {
				t.Errorf("%s=%s:\n%s", variable, branch, r.stderr)
			}
		}
	}

	// What fails, fails the build; what the site's own build says is its exit code.
	site = fresh()
	guarded(t, site)
	build(site, []string{binary}, copying...).is(t, 1)
	site = fresh()
	unreadable(t, site)
	build(site, []string{binary}, copying...).is(t, 2, "metarobots.toml:8:")
	build(fresh(), []string{binary}, "dist", "--", "bash", "-c", "exit 7").is(t, 7)
	build(fresh(), []string{"METAROBOTS_BINARY=/nowhere"}, "dist", "--", "true").is(t, 2, "/nowhere")

	// Without a name it is the one that npm installed.
	site = fresh()
	build(site, nil, "dist", "--", "true").is(t, 2, "npm install --save-dev")
	must(t, os.MkdirAll(filepath.Join(site, "node_modules", ".bin"), 0o755))
	must(t, os.Symlink(programFile(t, lean), filepath.Join(site, "node_modules", ".bin", "metarobots")))
	build(site, nil, copying...).is(t, 0)

	// It builds Hugo sites by itself,
	site = t.TempDir()
	write(t, filepath.Join(site, "hugo.toml"), "baseURL = \"https://example.org/\"\ndisableKinds = [\"taxonomy\", "+
		"\"rss\", \"sitemap\"]\n")
	write(t, filepath.Join(site, "layouts", "all.html"), "<html><head></head><body>{{ .Content }}</body></html>")
	write(t, filepath.Join(site, "content", "a.md"), "---\nrobots: noindex\n---\n")
	build(site, []string{"METAROBOTS_BINARY=" + program}, "--minify").is(t, 0)
	has(t, read(t, site, "public", "a", "index.html"), "noindex")
	// and the program where none is named, with what Go left in a folder that was kept.
	site = fresh()
	kept := filepath.Join(site, "kept", "metarobots")
	must(t, os.MkdirAll(kept, 0o755))
	for name, variable := range map[string]string{"go-build": "GOCACHE", "go-mod": "GOMODCACHE"} {
		must(t, os.Symlink(goVariable(t, variable), filepath.Join(kept, name)))
	}
	r := build(site, []string{"GOCACHE=/nowhere", "GOMODCACHE=/nowhere", "METAROBOTS_CACHE=kept",
		"GOPROXY=off", "METAROBOTS_FROM_SOURCE=true"}, copying...)
	r.is(t, 0)
	_, err := buildinfo.ReadFile(filepath.Join(kept, "program"))
	must(t, err)
}

// A site of Hugo's gets the program with Hugo, by whichever name its configuration goes: the other
// would not apply.
func TestCloudflareBuild_KnowsHugosSites(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	write(t, filepath.Join(bin, "go"), "#!/bin/sh\nif [ \"$1\" = env ]; then echo go1.26; exit; fi\necho \"$@\" "+
		">\"$ARGS\"\nexit 9\n")
	must(t, os.Chmod(filepath.Join(bin, "go"), 0o755))
	for name, text := range map[string]string{
		"hugo.toml": "", "config/_default/hugo.toml": "", "config.toml": "title = \"x\"\nbaseURL = " +
			"\"https://example.org/\"\n", "config.yaml": "baseurl: https://example.org/\n",
		"config.json": "{\n  \"baseURL\": \"https://example.org/\"\n}\n",
		"config.yml":  "base: /\n", "_config.yml": "baseurl: /\n", "package.json": "{}",
	} {
		site := t.TempDir()
		write(t, filepath.Join(site, name), text)
		args := filepath.Join(t.TempDir(), "args")
		c := exec.Command("bash", filepath.Join(root(t), "packaging", "cloudflare", "build.sh"), "dist", "--", "true")
		c.Dir = site
		c.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ARGS=" + args,
			"METAROBOTS_FROM_SOURCE=true"}
		finish(t, c).is(t, 9)
		hugo := strings.Contains(name, "hugo") || strings.Contains(text, "example.org")
		if got := !strings.Contains(read(t, args), "-tags nohugo"); got != hugo {
			t.Errorf("%s: with Hugo: %t", name, got)
		}
	}
}
