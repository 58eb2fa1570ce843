//go:build e2e

package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/tables"
)

var update = flag.Bool("update", false, "rewrite what stands under want/ in testdata")

// Minified pages are goldens twice: for their source, and for what stands there already (M4, M7).
func TestHouse_TagsStayInMinifiedPages(t *testing.T) {
	t.Parallel()
	const name = "testdata/minify.txtar"
	golden := tables.Value(txtar.ParseFile(name))(t)
	want := map[string]string{}
	dir := t.TempDir()
	kept := &txtar.Archive{Comment: golden.Comment}
	for _, f := range golden.Files {
		if w, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[w] = string(f.Data)
			continue
		}
		kept.Files = append(kept.Files, f)
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	sites := map[string][]string{"plain": nil, "bare": {"--config", "bare/hugo.toml"}}
	for _, site := range []string{"plain", "bare"} {
		public := filepath.Join(dir, "public", site)
		args := append([]string{"-d", public, "--minify"}, sites[site]...)
		in := func(code int, args ...string) result {
			t.Helper()
			c := command(args...)
			c.Dir = dir
			return finish(t, c).is(t, code)
		}
		in(0, args...)
		var pages []string
		for _, name := range regular(t, public) {
			got := read(t, public, name) + "\n" // an archive ends each file so
			pages = append(pages, name)
			name = site + "/" + name
			if *update {
				kept.Files = append(kept.Files, txtar.File{Name: "want/" + name, Data: []byte(got)})
			} else if got != want[name] {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got, want[name])
			}
			delete(want, name)
		}
		in(0, args...).is(t, 0, nothingWritten)
		in(0, append([]string{"apply"}, args[:2]...)...).is(t, 0, nothingWritten)
		in(0, append([]string{"check"}, args[:2]...)...)
		// parse5 reads our tags in the minified pages as we do.
		var sources []string
		for _, name := range pages {
			sources = append(sources, read(t, public, name))
		}
		compare(t, pages, sources)
	}
	if *update {
		must(t, os.WriteFile(name, txtar.Format(kept), 0o644))
		return
	}
	for name := range want {
		t.Errorf("%s is not there", name)
	}
}
