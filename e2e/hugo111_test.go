//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// moved are files that Hugo 0.165 names otherwise than 0.111: a list's output format with a path
// had the section before that path, and has it behind. https://github.com/google/docsy/issues/2319
var moved = map[string]string{
	"flour/print/index.html": "print/flour/index.html",
	"news/print/index.html":  "print/news/index.html",
}

// Issue 5: after Debian's Hugo, apply decides as build does with the Hugo that is compiled in, on a
// site that both know.
func TestDebianHugo_SameDecisions(t *testing.T) {
	t.Parallel()
	hugo, err := exec.LookPath("hugo")
	if err != nil {
		t.Skip("hugo is missing: run e2e/install-debian.sh as root on Debian")
	}
	if out, err := exec.Command(hugo, "version").Output(); err != nil ||
		!strings.HasPrefix(string(out), "hugo v0.111.") {
		t.Skipf("%s is not Debian's, which is version 0.111: %s%v", hugo, out, err)
	}
	for _, environment := range []string{"production", "staging"} {
		t.Run(environment, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.CopyFS(dir, os.DirFS("hugo111")))
			old, built := filepath.Join(dir, "old"), filepath.Join(dir, "built")
			in := func(tool string, args ...string) result {
				t.Helper()
				c := exec.Command(tool, append(args, "-e", environment)...)
				c.Dir, c.Env = dir, command().Env
				return finish(t, c).is(t, 0)
			}
			in(hugo, "-d", old)
			before := tables.Tree(t, old)
			applying := byFile(planned(t, in(program, "apply", "--json", old)))
			building := byFile(planned(t, in(program, "build", "--json", "-d", built)))

			names := func(files map[string]published, rename map[string]string) (names []string) {
				for name := range files {
					if other, ok := rename[name]; ok {
						name = other
					}
					names = append(names, name)
				}
				slices.Sort(names)
				return names
			}
			if got, want := names(applying, moved), names(building, nil); !slices.Equal(got, want) {
				t.Fatalf("0.111 publishes\n%q\n0.165\n%q", got, want)
			}
			carried, wanted := tagsOf(t, old), tagsOf(t, built)
			var redirects, pages, files, mismatches int
			other := map[string]int{}
			for name, got := range applying {
				files++
				ours := name
				if to, ok := moved[name]; ok {
					ours = to
				}
				want := building[ours]
				same := slices.Equal(got.Header, want.Header) && slices.Equal(got.Why, want.Why) &&
					carried[name] == wanted[ours] && describedMap(got.Meta) == carried[name]
				switch {
				case redirecting.MatchString(before[name]):
					// Until 0.149.1 Hugo's own aliases said noindex. Redirect pages are left as
					// they are (L4).
					redirects++
					if carried[name] != "noindex" || wanted[ours] != "" ||
						len(got.Header)+len(want.Header)+len(got.Why)+len(want.Why) > 0 {
						t.Errorf("%s, which redirects, carries %q, and built anew %q; decided is %+v, and %+v", name,
							carried[name], wanted[ours], got, want)
					}
				case !same:
					mismatches++
					t.Errorf("%s: after 0.111 %+v with %q, built anew %+v with %q", name, got, carried[name], want,
						wanted[ours])
				case path.Ext(name) == ".html":
					pages++
					if read(t, old, name) != read(t, built, ours) {
						t.Errorf("%s is not the page that build writes", name)
					}
				case read(t, old, name) != read(t, built, ours):
					other[path.Base(name)]++ // Hugo's own templates have changed
				}
			}
			// S1: the same pages stay in the sitemaps.
			for _, name := range []string{"sitemap.xml", "en/sitemap.xml", "de/sitemap.xml"} {
				got, want := locations(read(t, old, name)), locations(read(t, filepath.Join(built, name)))
				if !slices.Equal(got, want) {
					t.Errorf("%s lists\n%q\nbuilt anew\n%q", name, got, want)
				}
			}
			if redirects != 13 {
				t.Errorf("%d redirect pages, want 13", redirects)
			}
			in(program, "check", old)
			t.Logf("%d files, %d of them pages with the same bytes, %d redirects, %d moved; %d mismatches; other "+
				"bytes by Hugo's own templates: %v", files, pages, redirects, len(moved), mismatches, other)
		})
	}
}

var (
	redirecting = regexp.MustCompile(`http-equiv="refresh"`)
	location    = regexp.MustCompile(`<loc>(.*?)</loc>`)
)

// locations are the URLs of a sitemap, sorted.
func locations(sitemap string) (urls []string) {
	for _, m := range location.FindAllStringSubmatch(sitemap, -1) {
		urls = append(urls, m[1])
	}
	slices.Sort(urls)
	return urls
}
