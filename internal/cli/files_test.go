//go:build unix

package cli

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// A userFile is a file that a command reads beside those of readFiles: one that the user names,
// that the program keeps, or that a generator's site is made of.
type userFile struct {
	kind, name string
	// files are those of the site, beside a page.
	files map[string]string
	// args are the command, in the site's folder, and before what is run there first.
	args, before []string
	// isWritten says that the command replaces what is there, isAnywhere that it may lie outside of
	// the site, and isLeftOut that the generator takes a link to nothing for no file.
	isWritten, isAnywhere, isLeftOut, needsHugo bool
}

// siteOf is a policy that names a generator.
func siteOf(generator, more string) string {
	return "site.generator = \"" + generator + "\"\nsite.destination = \"out\"\n" + more
}

const logLine = `66.249.66.1 - - [10/Oct/2025:13:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1"` + "\n"

// userFiles has each kind of them.
func userFiles() (all []userFile) {
	html := map[string]string{"metarobots.toml": siteOf("html", ""), "access.log": logLine}
	content := map[string]string{"metarobots.toml": siteOf("html", "site.content.folders = [\"src\"]\n"),
		"src/b.md": "---\ntitle: b\n---\n"}
	tdmrep := map[string]string{"metarobots.toml": siteOf("html", "robots.ai.training = \"deny\"\n"+
		"robots.ai.carriers = [\"tdmrep.json\"]\n")}
	hugo := map[string]string{"layouts/all.html": "x", "hugo.toml": "baseURL = \"https://a.example/\"\n"}
	lock, logs := []string{"snapshot"}, []string{"logs", "access.log"}
	for command, kind := range map[string]string{
		"list a.lock.json":                                "a snapshot that is listed",
		"diff a.lock.json metarobots.lock.json":           "a snapshot that is compared",
		"diff metarobots.lock.json a.lock.json":           "a snapshot to compare with",
		"check --baseline a.lock.json":                    "a baseline",
		"report --baseline a.lock.json":                   "a report's baseline",
		"list https://a.invalid/ --against a.lock.json":   "a snapshot whose URLs are listed",
		"verify --against a.lock.json https://a.invalid/": "what a deployed site is compared with",
		"logs --against a.lock.json access.log":           "what logs are compared with",
		"check --policy a.lock.json out":                  "the policy that --policy names",
		"explain -d out --policy a.lock.json /":           "the policy of explain",
		"init -n -d out --policy a.lock.json":             "the policy of init",
	} {
		all = append(all, userFile{kind: kind, name: "a.lock.json", files: html, args: strings.Fields(command),
			before: lock, isAnywhere: strings.Contains(command, "--policy")})
	}
	for generator, config := range map[string]string{"jekyll": "_config.yml", "mkdocs": "mkdocs.yml",
		"astro": "astro.config.mjs", "pelican": "pelicanconf.py", "docusaurus": "docusaurus.config.js",
		"vitepress": ".vitepress/config.mts", "vuepress": ".vuepress/config.yml", "eleventy": ".eleventy.js",
		"hexo": "_config.yml"} {
		all = append(all, userFile{kind: generator + "'s configuration", name: config, args: []string{"check"},
			files: map[string]string{"Gemfile": "", "metarobots.toml": siteOf(generator, "")}})
	}
	return append(all,
		userFile{kind: "the snapshot that is replaced", name: "metarobots.lock.json", files: html, args: lock,
			isWritten: true},
		userFile{kind: "a report", name: "r.html", files: html, isWritten: true,
			args: []string{"report", "--format", "html", "-o", "r.html"}},
		userFile{kind: "a new policy", name: "p.toml", args: []string{"init", "-o", "p.toml"}},
		userFile{kind: "an access log", name: "access.log", args: logs, before: lock, files: html},
		userFile{kind: "a published robots.txt", name: "live.txt", before: lock, files: html, isAnywhere: true,
			args: []string{"logs", "--robots", "live.txt", "access.log"}},
		userFile{kind: "what a run remembers", name: ".metarobots/*.state", args: []string{"apply"},
			before: []string{"apply"}, files: html},
		userFile{kind: "page metadata", name: "out/metarobots.json", args: []string{"check"}, files: html},
		userFile{kind: "content", name: "src/a.md", args: []string{"check"}, files: content, isLeftOut: true},
		userFile{kind: "tdmrep.json", name: "out/.well-known/tdmrep.json", args: []string{"apply", "-n"}, files: tdmrep},
		userFile{kind: "a sitemap of text", name: "out/sitemap.txt", args: []string{"apply", "-n"}, files: html},
		userFile{kind: "Eleventy's data", name: "a.11tydata.json", args: []string{"check"},
			files: map[string]string{"metarobots.toml": siteOf("eleventy", ""), "a.md": "---\ntitle: a\n---\n"}},
		userFile{kind: "Hugo's configuration", name: "hugo.toml", args: []string{"-n"}, needsHugo: true,
			files:      map[string]string{"layouts/all.html": "x", "metarobots.toml": "site.generator = \"hugo\"\n"},
			isAnywhere: true, isLeftOut: true},
		userFile{kind: "the policy in Hugo's configuration", name: "config/_default/params.toml", args: []string{"-n"},
			files: hugo, needsHugo: true, isAnywhere: true, isLeftOut: true},
		userFile{kind: "a page of Hugo's", name: "content/a.md", args: []string{"-n"}, files: hugo, needsHugo: true,
			isAnywhere: true, isLeftOut: true},
		userFile{kind: "a file beside Hugo's pages", name: "content/a.txt", args: []string{"-n"}, files: hugo,
			needsHugo: true, isAnywhere: true, isLeftOut: true},
		userFile{kind: "a template of Hugo's", name: "layouts/home.html", args: []string{"-n"}, files: hugo,
			needsHugo: true, isAnywhere: true, isLeftOut: true},
		userFile{kind: "data of Hugo's", name: "data/a.json", args: []string{"-n"}, files: hugo, needsHugo: true,
			isAnywhere: true, isLeftOut: true},
	)
}

// useless are texts that no reader has a use for.
var useless = map[string]string{"nothing": "", "no text": "\x00\xff\xfe{[", "half a text": "{\"a\": [",
	"a mark": "---\na: [\n"}

// fill puts something of no use in the place of a file: one of the faults or of the useless texts.
func fill(path, fault string) error {
	if put := faults[fault]; put != nil {
		return put(path, 1<<20)
	}
	return os.WriteFile(path, []byte(useless[fault]), 0o644)
}

// An error of exit 2 or 3 names its file, whatever kind of file it is and whatever is in its place.
// A link that is not followed is named, whatever the exit code (issue 39).
func TestHouse_AnErrorNamesItsFile(t *testing.T) {
	here := tables.Value(os.Getwd())(t)
	defer os.Chdir(here)
	for _, f := range userFiles() {
		for fault := range maps.Keys(faults) {
			switch fault {
			case "a pipe", "a file over its limit": // a log may be a pipe, and each reader has a limit of its own
			case "a file without rights":
				if os.Getuid() != 0 {
					f.check(t, fault)
				}
			default:
				f.check(t, fault)
			}
		}
		for fault := range maps.Keys(useless) {
			f.check(t, fault)
		}
	}
}

// check runs the command with a fault in the place of the file.
func (f *userFile) check(t *testing.T, fault string) {
	t.Run(f.kind+", "+fault, func(t *testing.T) {
		if f.needsHugo {
			needsHugo(t)
		}
		dir := tables.Folder(t, map[string]string{"out/index.html": "<!doctype html><head></head>"})
		tables.Write(t, dir, f.files)
		tables.Must(t, os.Chdir(dir))
		if f.before != nil {
			runCommand(t, f.before...)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if there, _ := filepath.Glob(path); len(there) > 0 {
			path = there[0]
		}
		tables.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		os.Remove(path)
		tables.Must(t, fill(path, fault))
		_, stderr, code := runCommand(t, f.args...)
		named := regexp.MustCompile(`(?m)^(?:error|warning): .*` + regexp.QuoteMeta(filepath.Base(path))).MatchString(stderr)
		isRefused := fault == "a link to nothing" && !f.isLeftOut || fault == "a link out of the site" && !f.isAnywhere
		if (code > 1 || isRefused && !f.isWritten) && !named {
			t.Errorf("exit code %d, and nothing names it:\n%s", code, stderr)
		}
	})
}
