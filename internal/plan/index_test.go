package plan

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/disk"
	"metarobots/internal/site/pages"
)

// settle waits until no file that is there can change and keep its stamp.
func settle() { time.Sleep(25 * time.Millisecond) }

// remembering plans a site as apply does; applying writes it too.
func remembering(t *testing.T, dir string, switches Switches, applying bool) *Site {
	t.Helper()
	ctx := context.Background()
	switches.Remember = true
	p, err := Open(ctx, Options{WorkDir: dir, Getenv: func(string) string { return "" }, Switches: switches}, pages.HTML)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	s, err := p.Plan(ctx)
	if err == nil && applying {
		err = s.Apply(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// indexed is a site of three pages that were written long enough ago, with an index that knows them.
func indexed(t *testing.T) (dir string) {
	t.Helper()
	if _, ok := disk.StampOf(os.Args[0]); !ok {
		t.Skip("the system gives files no stamps")
	}
	const page = "<!doctype html><html lang=en><meta name=robots content=%s><title>x</title><p>%s"
	dir = folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html><title>Home</title>",
		"out/a.html": fmt.Sprintf(page, "noindex ", "A"), "out/b.html": fmt.Sprintf(page, "nofollow", "B")})
	for range 2 {
		settle()
		remembering(t, dir, Switches{}, true)
	}
	settle()
	return dir
}

// A page that has changed is found, whatever its clock says; one that has not is not opened.
func TestHouse_IndexFindsEveryChange(t *testing.T) {
	// The tags are as long as those that an apply has left there.
	other := func(src []byte) []byte {
		return []byte(strings.NewReplacer("noindex", "noarchv", "index, ", "noarch,").Replace(string(src)))
	}
	for name, change := range map[string]func(a, b string) error{
		"nothing": nil,
		"rewritten in place": func(a, _ string) error {
			src, _ := os.ReadFile(a)
			f, err := os.OpenFile(a, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.Write(other(src))
				f.Close()
			}
			return err
		},
		"replaced by a rename": func(a, _ string) error {
			src, _ := os.ReadFile(a)
			if err := os.WriteFile(a+".new", other(src), 0o644); err != nil {
				return err
			}
			return os.Rename(a+".new", a)
		},
		"swapped": func(a, b string) error {
			for _, move := range [][2]string{{a, a + ".1"}, {b, a}, {a + ".1", b}} {
				if err := os.Rename(move[0], move[1]); err != nil {
					return err
				}
			}
			return nil
		},
		"now a link": func(a, b string) error {
			if err := os.Remove(a); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(b), a)
		},
		"made anew by the generator": func(a, _ string) error {
			return os.WriteFile(a, []byte("<!doctype html><meta name=robots content=noarchive>"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := indexed(t)
			a, b := filepath.Join(dir, "out/a.html"), filepath.Join(dir, "out/b.html")
			if change == nil {
				s := remembering(t, dir, Switches{}, false)
				if slices.ContainsFunc(s.Pages, func(pg *Page) bool {
					return pg.HTML && (pg.entry == nil || !pg.entry.Known)
				}) {
					t.Error("a page is read that has not changed")
				}
				return
			}
			infos := map[string]os.FileInfo{}
			for _, file := range []string{a, b} {
				infos[file], _ = os.Lstat(file)
			}
			if err := change(a, b); err != nil {
				t.Fatal(err)
			}
			for file, info := range infos { // as before, as far as a program can
				if err := os.Chtimes(file, time.Time{}, info.ModTime()); err != nil {
					t.Fatal(err)
				}
			}
			settle()
			got := remembering(t, dir, Switches{}, false)
			want := remembering(t, dir, Switches{NoIndex: true}, false)
			if pg := got.Page("a.html"); pg.entry != nil && pg.entry.Known {
				t.Error("the page is not read")
			}
			compareSites(t, got, want)
		})
	}
}

// A link's page is read each time: it changes with its target.
func TestHouse_IndexKnowsNoLinks(t *testing.T) {
	dir := indexed(t)
	link := filepath.Join(dir, "out/link.html")
	for _, target := range []string{"a.html", "b.html"} {
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		settle()
		compareSites(t, remembering(t, dir, Switches{}, false), remembering(t, dir, Switches{NoIndex: true}, false))
		remembering(t, dir, Switches{}, true)
	}
}

// What depends on more than a page's bytes is no part of the index: another policy, another state and further crawlers
// count at once.
func TestHouse_IndexHoldsForAnyPolicy(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"policy": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(htmlSite+"default = \"noindex\"\n"), 0o644)
		},
		"crawlers": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(htmlSite+"crawlers = [\"viewport2\"]\n"), 0o644)
		},
		"links": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "metarobots.toml"),
				[]byte(htmlSite+"[[robots.links.rules]]\nrel = \"nofollow\"\n"), 0o644)
		},
		"no state": func(dir string) error {
			states, err := filepath.Glob(filepath.Join(dir, ".metarobots/*.state"))
			if err == nil && len(states) == 1 {
				err = os.Remove(states[0])
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := indexed(t)
			if err := change(dir); err != nil {
				t.Fatal(err)
			}
			s := remembering(t, dir, Switches{}, false)
			compareSites(t, s, remembering(t, dir, Switches{NoIndex: true}, false))
			if pg := s.Page("b.html"); name == "policy" && (!pg.Changes || !pg.entry.Known) {
				t.Error("a page that is known is read to decide on it")
			}
		})
	}
}

// compareSites compares what is decided with an index and without.
func compareSites(t *testing.T, got, want *Site) {
	t.Helper()
	if g, w := got.Findings, want.Findings; !slices.Equal(g, w) {
		t.Errorf("findings %v, want %v", g, w)
	}
	if len(got.Pages) != len(want.Pages) {
		t.Fatalf("%d files, want %d", len(got.Pages), len(want.Pages))
	}
	for i, g := range got.Pages {
		w := *want.Pages[i]
		if w.entry = g.entry; !reflect.DeepEqual(*g, w) {
			t.Errorf("%s: got %+v, want %+v", g.Name, *g, w)
		}
	}
}

// A damaged index is as good as none, and only who asks is told. The next run writes a whole one; a check none.
func TestHouse_DamagedIndexIsTold(t *testing.T) {
	dir := indexed(t)
	files, err := filepath.Glob(filepath.Join(dir, ".metarobots/*.index"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("metarobots index"), 0o644); err != nil {
		t.Fatal(err)
	}
	told := func(s Switches) string {
		var log bytes.Buffer
		ctx := context.Background()
		p, err := Open(ctx, Options{WorkDir: dir, Getenv: func(string) string { return "" }, Log: &log, Switches: s},
			pages.HTML)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		plan, err := p.Plan(ctx)
		if err == nil && s.Remember {
			err = plan.Apply(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		if pages, others := plan.Differing(); len(pages)+len(others) > 0 {
			t.Fatal(pages, others)
		}
		return log.String()
	}
	for _, c := range []struct {
		switches Switches
		tells    bool
	}{{Switches{}, false}, {Switches{Verbose: true, NoIndex: true}, false}, {Switches{Verbose: true}, true},
		{Switches{Remember: true}, false}, {Switches{Verbose: true}, false}} {
		if got := told(c.switches); strings.Contains(got, "the index is not used") != c.tells {
			t.Errorf("%+v: %q", c.switches, got)
		}
	}
}
