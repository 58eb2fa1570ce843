package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/site/hugo/family"
	"metarobots/internal/tables"
)

// said is what a dry run would have crawlers told of each file.
func said(t *testing.T, dir string) map[string]string {
	t.Helper()
	r, _ := resultOfRun(t, "-n", "--now", "2026-01-01", "--noBuildLock", "-s", dir)
	all := map[string]string{}
	for _, pg := range r.Pages {
		if pg.Role != "control" {
			all[pg.File] = fmt.Sprint(pg.Meta, pg.Header)
		}
	}
	return all
}

// newly counts the files that are noindex in after and are not in before.
func newly(before, after map[string]string) (n int) {
	for name, text := range after {
		if strings.Contains(text, "noindex") && !strings.Contains(before[name], "noindex") {
			n++
		}
	}
	return n
}

var hidesHowMany = regexp.MustCompile(`^# (\d+) (?:page|file)s?: `)

// The law of init through the command, over the family of Hugo's features and site-example, none of
// them built: with the first policy everything is told as without one, and each suggestion hides as
// many files as the policy says: each rule, and each key of archives, formats and sections once,
// with PROOFS=all wherever its files are others. Without, a third of the family is left out.
func TestHouse_InitHidesNothing(t *testing.T) {
	needsHugo(t)
	dirs := map[string]string{}
	for i, s := range family.Sites(t) {
		if i%3 == 0 && !allProofs {
			continue
		}
		dirs[s.Name] = tables.Folder(t, s.Files)
	}
	dirs["site-example"] = t.TempDir()
	copyTree(t, "site-example", dirs["site-example"])
	proved := map[string]bool{} // many sites of the family give reason for the same
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		t.Run(name, func(t *testing.T) {
			dir := dirs[name]
			before := said(t, dir)
			succeed(t, "init", "--now", "2026-01-01", "-s", dir)
			file := filepath.Join(dir, "metarobots.toml")
			text := tables.Value(os.ReadFile(file))(t)
			if _, err := os.Stat(filepath.Join(dir, ".hugo_build.lock")); err == nil {
				t.Error("it left Hugo's lock")
			}
			after := said(t, dir)
			if !maps.Equal(before, after) {
				t.Errorf("with the policy %v\nwithout %v", after, before)
			}
			lines := strings.Split(string(text), "\n")
			says := -1
			for i := 0; i < len(lines); i++ {
				if m := hidesHowMany.FindStringSubmatch(lines[i]); m != nil {
					says, _ = strconv.Atoi(m[1])
				}
				if len(lines[i]) < 2 || lines[i][0] != '#' || lines[i][1] == ' ' {
					continue
				}
				taken := slices.Clone(lines)
				key := lines[i]
				taken[i] = lines[i][1:]
				for strings.HasPrefix(key, "#[[") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "#") {
					i++
					taken[i] = lines[i][1:]
				}
				same := fmt.Sprint(key, taken[i-1], says)
				if !allProofs && !strings.HasPrefix(key, "#[[") {
					same = key
				}
				if proved[same] {
					continue
				}
				proved[same] = true
				writeFile(t, file, strings.Join(taken, "\n"))
				switch n := newly(after, said(t, dir)); {
				case key == `#ai.training = "deny"`: // it is about AI alone
					if n != 0 {
						t.Errorf("%s hides %d files", key, n)
					}
				case n != says || n == 0:
					t.Errorf("%s hides %d files, and the policy says %d", key, n, says)
				}
			}
		})
	}
	if len(proved) < 20 {
		t.Errorf("%d different suggestions in all: the sites give reason for more", len(proved))
	}
}
