//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var readmeBlock = regexp.MustCompile(`(?m)(?:^    \S.*\n)+`)

// Whoever follows the README from its first line, in the folder of a site that is built, gets what
// it says. Commands for Hugo sites are those of the same names, and other tests run them.
func TestReadme_CommandsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	installed(t, "hosts/node_modules") // Node is there
	site := t.TempDir()
	write(t, filepath.Join(site, "mkdocs.yml"), "site_name: x\nsite_url: https://example.org/\n")
	for name, made := range map[string]string{"index.md": "index.html", "about.md": "about/index.html"} {
		write(t, filepath.Join(site, "docs", name), "# X\n")
		write(t, filepath.Join(site, "site", made), "<html><head><title>x</title></head><body>x</body></html>")
	}
	checkout := filepath.Join(filepath.Dir(site), "metarobots")
	finish(t, exec.Command("git", "clone", "-q", root(t), checkout)).is(t, 0) // what is committed
	home := t.TempDir()
	commands := readmeCommands(t)
	ran := 0
	do := func(command string) {
		t.Helper()
		c := exec.Command("bash", "-c", command)
		c.Dir = site
		c.Env = []string{"PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH"), "HOME=" + home, "NO_COLOR=1",
			"GOCACHE=" + goVariable(t, "GOCACHE"), "GOMODCACHE=" + goVariable(t, "GOMODCACHE"),
			"GOFLAGS=" + os.Getenv("GOFLAGS"), "CGO_ENABLED=" + os.Getenv("CGO_ENABLED"),
			"npm_config_update_notifier=false", "npm_config_registry=http://127.0.0.1:1", "npm_config_fetch_retries=0"}
		r := finish(t, c)
		t.Logf("%s: exit code %d", command, r.code)
		if isCheck := strings.Contains(command, " check"); r.code != 0 && !(isCheck && r.code == 1) {
			t.Fatalf("%s: exit code %d\n%s\n%s", command, r.code, r.stdout, r.stderr)
		}
		ran++
	}
	do("git init -q")
	for _, command := range commands {
		if strings.HasPrefix(command, "go build") {
			do(command) // comes below what it builds
		}
	}
	for _, command := range commands {
		switch program, _, _ := strings.Cut(command, " "); {
		case strings.Contains(command, "<this repository>"), program == "go", program == "npx" &&
			strings.HasPrefix(command, "npx metarobots-hugo"):
		default:
			do(command)
		}
	}
	if ran < 9 {
		t.Errorf("%d commands: where are the others?", ran)
	}
	has(t, read(t, "/tmp/report.html"), "<html")
	has(t, read(t, site, "metarobots.toml"), "robots")
	has(t, read(t, site, "site", "about", "index.html"), `<meta name="robots"`)
}

// readmeCommands are those of the README's blocks, without their comments.
func readmeCommands(t *testing.T) (all []string) {
	t.Helper()
	comment := regexp.MustCompile(`\s+# .*$`)
	known := regexp.MustCompile(`^(mr|git|go|npm|npx|\S*packaging/release) `)
	for _, block := range readmeBlock.FindAllString(read(t, "../README.md"), -1) {
		for line := range strings.Lines(block) {
			if command := comment.ReplaceAllString(strings.TrimSpace(line), ""); known.MatchString(command) {
				all = append(all, command)
			}
		}
	}
	return all
}
