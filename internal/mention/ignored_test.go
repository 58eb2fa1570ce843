package mention

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/disk"
	"metarobots/internal/tables"
)

// Git: what it ignores is not visited, and everything else is. Asked is the program itself.
// https://git-scm.com/docs/gitignore
// N9d.
func TestGit_IgnoredFilesAreNotVisited(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	names := []string{"a.log", "keep.log", "sub/a.log", "sub/keep.log", "build/x.txt", "sub/build/x.txt", "doc/a.txt",
		"doc/b/a.txt", "deep/one/two/z.txt", "#note.txt", "!bang.txt", "with blank .txt", "a[1].txt", "foo.txt", "fob.txt", "fo[o.txt", "fo].txt", "fod.txt", "fo1.txt",
		"sub/own.txt", "sub/deeper/own.txt", "sub/other.txt", "dir/inner/x.txt", "dir/inner/keep.txt", "star/x/y/z.txt",
		"übung.txt", "für/x.txt"}
	patterns := []string{"*.log\n!keep.log", "/build", "build/", "doc/*.txt", "doc/**/a.txt", "**/two", "\\#note.txt",
		"\\!bang.txt", "a\\[1\\].txt", "fo[ab].txt", "fo?.txt", "fo[!o].txt", "dir/*\n!dir/inner", "dir/inner/*\n!keep.txt",
		"star/**", "# a comment\n\n  \n*.txt\n!a.txt", "sub/", "/*\n!/sub", "*", "sub/**/own.txt", "inner\n", "with blank .txt",
		"übung.txt", "ü*.txt", "für/", "\\übung.txt", "sub[^x]own.txt", "sub[!x]own.txt", "sub/ow[^a].txt", "de**/z.txt",
		"doc**/a.txt", "?eep**/z.txt", "star/x**z.txt", "fo[]b].txt", "fo[!]o].txt", "fo[!]b]*[x]t", "fo[\\d].txt",
		"fo[\\]b].txt", "fo[a-c].txt", "fo[o.txt", "fo[o-].txt", "fo[\\--c].txt", "[]-a]ob.txt",
		"fo[!]*", "fo[]?.txt", "fo[!-a].txt", "fo[-a-c].txt", "sub[/]own.txt", "sub[+-9]own.txt", "fo[:b].txt"}
	compared := 0
	for _, own := range []string{"", "own.txt", "!own.txt\n*.log"} {
		for _, pattern := range patterns {
			dir := t.TempDir()
			files := map[string]string{".gitignore": pattern + "\n"}
			for _, name := range names {
				files[name] = "x"
			}
			if own != "" {
				files["sub/.gitignore"] = own + "\n"
			}
			tables.Write(t, dir, files)
			git := exec.Command("git", "-C", dir, "init", "-q")
			git.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
			if out, err := git.CombinedOutput(); err != nil {
				t.Fatalf("git init: %v\n%s", err, out)
			}
			list := exec.Command("git", "-C", dir, "-c", "core.quotePath=false", "ls-files", "-oz", "--exclude-standard")
			list.Env = git.Env
			want := strings.Split(strings.TrimSuffix(string(tables.Value(list.Output())(t)), "\x00"), "\x00")
			want = slices.DeleteFunc(want, func(name string) bool { return filepath.Base(name) == ".gitignore" || name == "" })
			var got []string
			w := Walk{Folder: dir, Files: disk.NewRoot(dir), Most: 1000,
				Wants: func(name string) bool { return filepath.Base(name) != ".gitignore" }}
			if err := w.Run(context.Background(), func(name string) { got = append(got, name) }); err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			slices.Sort(want)
			compared += len(names)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q, in sub %q: visited\n%q, and Git does not ignore\n%q", pattern, own, got, want)
			}
		}
	}
	t.Logf("%d files compared", compared)
}
