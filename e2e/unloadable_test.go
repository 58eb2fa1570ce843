//go:build e2e

package e2e

import (
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// loadable is a site that loads, with what a Hugo of the user's own has made of it.
var loadable = map[string]string{
	"hugo.toml": "baseURL = \"https://site.example/\"\ndisableKinds = [\"taxonomy\", \"term\", \"rss\", " +
		"\"sitemap\"]\n",
	"metarobots.toml":     "[robots]\ndefault = \"noarchive\"\nheaders.targets = [\"none\"]\n",
	"layouts/all.html":    plainPage,
	"content/a.md":        "---\ntitle: A\nrobots: nosnippet\n---\n",
	"public/index.html":   plainPage,
	"public/a/index.html": plainPage,
}

// Issue 5: a site that the compiled-in Hugo cannot load gets an error that names what Hugo stopped at, and nothing is
// written: not by build, not by apply.
func TestHouse_AnUnloadableSiteIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		files map[string]string // beside or, with a +, behind those of loadable
		codes [2]int            // of build, of apply; 0: 2 or 3
		says  []string
	}{
		{"a cache of a newer Hugo", map[string]string{"+hugo.toml": "[caches.holograms]\ndir = \":cacheDir/x\"\n"},
			[2]int{2, 2}, []string{`"holograms" is not a valid cache name`}},
		{"an output format that is not defined",
			map[string]string{"+hugo.toml": "[outputs]\nhome = [\"html\", \"hologram\"]\n"}, [2]int{2, 2},
			[]string{`unknown output format "hologram"`}},
		{"permalinks for a newer kind", map[string]string{"+hugo.toml": "[permalinks.hologram]\nx = \"/:slug/\"\n"},
			[2]int{2, 2}, []string{`not supported for kind "hologram"`}},
		{"configuration that is no TOML", map[string]string{"+hugo.toml": "title = [\n"}, [2]int{2, 2},
			[]string{"hugo.toml:3:10", "array is incomplete"}},
		{"no theme", map[string]string{"+hugo.toml": "theme = \"missing\"\n"}, [2]int{2, 2},
			[]string{`module "missing" not found`}},
		{"no module", map[string]string{"+hugo.toml": "[[module.imports]]\npath = \"site.example/theme\"\n"},
			[2]int{2, 2}, []string{`module "site.example/theme" not found`}},
		{"a module without the tool that fetches it",
			map[string]string{"+hugo.toml": "[[module.imports]]\npath = \"site.example/theme\"\n",
				"go.mod": "module site.example\n"}, [2]int{2, 2}, []string{`"go" not found in PATH`}},
		{"a function of a newer Hugo", map[string]string{"layouts/all.html": "{{ hologram.Now }}\n"}, [2]int{},
			[]string{"layouts/all.html:1:1", `function "hologram" not defined`}},
		{"a template of an older Hugo",
			map[string]string{"layouts/all.html": "{{ template \"_internal/google_news.html\" . }}\n"}, [2]int{},
			[]string{"all.html:1", `no such template "_internal/google_news.html"`}},
		{"a shortcode of nobody's", map[string]string{"+content/a.md": "{{< hologram >}}\n"}, [2]int{},
			[]string{"content/a.md:5:1", `shortcode "hologram" not found`}},
		{"pages in HTML, which security forbids since 0.162",
			map[string]string{"content/b.html": "---\ntitle: B\n---\n<p>B</p>\n"}, [2]int{},
			[]string{"content/b.html", `"security.allowContent"`}},
		{"a content adapter of a newer Hugo", map[string]string{"content/_content.gotmpl": "{{ hologram.Now }}\n"},
			[2]int{}, []string{"content/_content.gotmpl:1:1", `function "hologram" not defined`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i, args := range [][]string{{"build", "-d", "built"}, {"apply"}} {
				dir := unloadable(t, test.files)
				before := contents(t, dir)
				r := inPlainPath(t, dir, args...)
				if code := test.codes[i]; r.code != code && (code != 0 || r.code != 2 && r.code != 3) {
					t.Errorf("%s: exit code %d, want %d\n%s", args[0], r.code, code, r.stderr)
				}
				if !strings.Contains(r.stderr, "error: ") || strings.Contains(r.stderr, "goroutine ") {
					t.Errorf("%s: no error in our own form:\n%s", args[0], r.stderr)
				}
				has(t, r.stderr, test.says...)
				after := contents(t, dir)
				delete(after, ".hugo_build.lock")
				sameTexts(t, args[0]+" wrote something", before, after)
			}
		})
	}
}

// Issue 5: apply renders nothing. It needs neither the tools that rendering takes nor templates that this Hugo can run.
func TestHouse_ApplyRendersNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		files map[string]string
		says  string // build, which gives up with 3; nothing: it builds
		warns string // both
	}{
		{"without postcss", map[string]string{"assets/x.css": "a {}\n",
			"layouts/all.html": `{{ ((resources.Get "x.css") | css.PostCSS).RelPermalink }}`},
			`binary with name "postcss" not found in PATH`, ""},
		{"without Tailwind", map[string]string{"assets/x.css": "a {}\n",
			"layouts/all.html": `{{ ((resources.Get "x.css") | css.TailwindCSS).RelPermalink }}`},
			`"tailwindcss" is not whitelisted in policy "security.exec.allow"`, ""},
		{"without Dart Sass", map[string]string{"assets/x.scss": "a {}\n",
			"layouts/all.html": `{{ ((resources.Get "x.scss") | css.Sass (dict "transpiler" "dartsass")).RelPermalink }}`}, "You need to install Dart Sass", ""},
		{"without libsass", map[string]string{"assets/x.scss": "a {}\n",
			"layouts/all.html": `{{ ((resources.Get "x.scss") | css.Sass (dict "transpiler" "libsass")).RelPermalink }}`}, "you need the extended version", ""},
		{"with what an older Hugo had", map[string]string{"layouts/all.html": "{{ .Site.Author.name }}"},
			"layouts/all.html:1:8", ""},
		{"made for a newer Hugo", map[string]string{"+hugo.toml": "[module.hugoVersion]\nmin = \"9.0.0\"\n"}, "",
			"not compatible with this Hugo version: Min 9.0.0"},
		{"with a kind of a newer Hugo", map[string]string{"hugo.toml": strings.Replace(loadable["hugo.toml"], "[",
			"[\"hologram\", ", 1)}, "", `Unknown kind "hologram"`},
		{"with keys of a newer Hugo", map[string]string{"+hugo.toml": "[holograms]\ndepth = 3\n"}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := unloadable(t, test.files)
			r := inPlainPath(t, dir, "build", "-d", "built")
			r.is(t, map[bool]int{true: 0, false: 3}[test.says == ""], test.says, test.warns)
			inPlainPath(t, dir, "apply").is(t, 0, test.warns)
			sameTexts(t, "tags", tagsOf(t, filepath.Join(dir, "public")),
				map[string]string{"index.html": "noarchive", "a/index.html": "noarchive, nosnippet"})
		})
	}
}

// unloadable writes the site of loadable with changes.
func unloadable(t *testing.T, changes map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files := maps.Clone(loadable)
	for name, text := range changes {
		if base, ok := strings.CutPrefix(name, "+"); ok {
			name, text = base, files[base]+text
		}
		files[name] = text
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// inPlainPath runs metarobots in a folder where no other program is to be found.
func inPlainPath(t *testing.T, dir string, args ...string) result {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir, c.Env = dir, append(command().Env, "PATH="+t.TempDir())
	return finish(t, c)
}
