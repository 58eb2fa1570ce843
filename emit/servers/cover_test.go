package servers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
)

// nginx's map has as few entries as folders and endings allow where they are exact for all published files (issue 26,
// 15): what else a folder holds has an entry of its own, or none is made of the folder.
func TestNginx_FewestEntries(t *testing.T) {
	noindex, other := []string{"noindex, follow"}, []string{"noindex, nofollow"}
	for _, test := range []struct {
		name  string
		wants map[string][]string // by a path with a %d for 100 files
		keys  []string
	}{
		{"everything", map[string][]string{"%d.pdf": noindex, "a/%d.html": noindex}, []string{`~^/`}},
		{"a folder", map[string][]string{"tags/%d/index.html": noindex, "posts/%d/index.html": nil},
			[]string{`~^/tags/`}},
		{"an ending", map[string][]string{"a/%d.pdf": noindex, "b/%d.pdf": noindex, "a/%d.txt": nil, "b/%d.txt": nil},
			[]string{`~\.pdf\z`}},
		{"an ending in a folder", map[string][]string{"a/%d.pdf": noindex, "a/%d.txt": nil, "b/%d.pdf": nil},
			[]string{`~^/a/(?s:.*)\.pdf\z`}},
		{"an ending, but for a folder", map[string][]string{"a/%d.pdf": noindex, "b/%d.pdf": noindex, "a/%d.txt": nil,
			"b/%d.txt": nil, "c/d/%d.pdf": other}, []string{`~^/c/d/(?s:.*)\.pdf\z`, `~\.pdf\z`}},
		{"a folder in a folder", map[string][]string{"a/%d.pdf": noindex, "a/b/%d.pdf": other, "%d.txt": nil},
			[]string{`~^/a/b/`, `~^/a/`}},
		{"pages, but no files", map[string][]string{"%d.html": noindex, "p/%d/index.html": noindex, "p/%d/a.png": nil,
			"%d.png": nil}, []string{`~^/p/(?:(?s:.*)/)?\z`, `~\.html\z`}},
		{"nothing", map[string][]string{"%d.html": nil}, nil},
	} {
		var wants []robotstag.Want
		for pattern, values := range test.wants {
			for i := range 100 {
				path := fmt.Sprintf(pattern, i)
				wants = append(wants, robotstag.Want{Path: path, URL: path, Values: values})
			}
		}
		slices.SortFunc(wants, func(a, b robotstag.Want) int { return strings.Compare(a.Path, b.Path) })
		res, err := compile("nginx", nil, wants, plain)
		if err != nil || res.Rules != len(test.keys) || strings.Contains(string(res.File), "map_hash") {
			t.Errorf("%s: %v, %d rules, want %q\n%s", test.name, err, res.Rules, test.keys, res.File)
		}
		at := 0
		for _, key := range test.keys {
			i := strings.Index(string(res.File[at:]), `"`+strings.ReplaceAll(key, `\`, `\\`)+`" "`)
			if at += i; i < 0 {
				t.Errorf("%s: no %s in its place\n%s", test.name, key, res.File)
				break
			}
		}
		reports(t, test.name, verify("nginx", res.File, wants, plain, nil))
	}
}

// Single paths, which nginx looks up at once, stand in for expressions, which it tries one by one, where there would be
// more than a hundred.
func TestNginx_FewExpressions(t *testing.T) {
	var wants []robotstag.Want
	for i := range 1000 {
		for j, name := range []string{"a.pdf", "b.pdf", "c.pdf"} {
			w := robotstag.Want{Path: fmt.Sprintf("p/%d/%s", i, name),
				Values: []string{fmt.Sprintf("max-snippet:%d", i%2+1)}}
			if w.URL = w.Path; i < 20 {
				w.Path = fmt.Sprintf("p/%d/%d.pdf", i%10, 1000*i+j)
			}
			wants = append(wants, w)
		}
	}
	res, err := compile("nginx", nil, wants, plain)
	if n := strings.Count(string(res.File), `"~`); err != nil || n > nginxExpressions || res.Rules > 1600 {
		t.Errorf("%v, %d expressions, %d rules", err, n, res.Rules)
	}
	reports(t, "nginx", verify("nginx", res.File, wants, plain, nil))
}

// On small sites no choice of single paths, folders and endings takes fewer entries, tried one by one, than one more
// than what is chosen: endings are taken greedily.
func TestNginx_EntriesAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	total, least := 0, 0
	for range 60 {
		var paths []string
		want := make(map[string]string)
		for _, p := range []string{"/a/x.h", "/a/y.p", "/a/b/x.h", "/a/b/y.p", "/c/x.h", "/c/y.p"} {
			if r.IntN(5) > 0 {
				paths, want[p] = append(paths, p), []string{"", "v"}[r.IntN(2)]
			}
		}
		if len(paths) == 0 {
			continue
		}
		slices.Sort(paths)
		entries := cover(paths, func(p string) string { return want[p] }, "", func(entry) bool { return true }, 100)
		for _, p := range paths {
			if got := lookUp(entries, p); got != want[p] {
				t.Fatalf("%s of %v gets %q by %v, want %q", p, want, got, entries, want[p])
			}
		}
		n := bruteForce(paths, want)
		if total, least = total+len(entries), least+n; len(entries) > n+1 {
			t.Errorf("%v: %v, and %d do", want, entries, n)
		}
	}
	if total > least*11/10 {
		t.Errorf("%d entries where %d do", total, least)
	}
	t.Logf("%d entries where %d do", total, least)
}

// lookUp is what nginx finds: a single path, or the first of the others that matches.
func lookUp(entries []entry, path string) string {
	for _, e := range entries {
		within := strings.HasPrefix(path, e.begin) && strings.HasSuffix(path, e.end)
		if e.exact && e.begin == path || !e.exact && within {
			return e.value
		}
	}
	return ""
}

// bruteForce is the fewest entries: of each number all sets of folders, with and without an ending, in their order, and
// single paths for what is left.
func bruteForce(paths []string, want map[string]string) int {
	var all []entry
	for _, end := range []string{".h", ".p", ""} {
		for _, begin := range []string{"/a/b/", "/a/", "/c/", "/"} {
			all = append(all, entry{begin: begin, end: end})
		}
	}
	fewest := len(paths)
	for set := range 1 << len(all) {
		var chosen []entry
		for i, e := range all {
			if set>>i&1 == 1 {
				chosen = append(chosen, e)
			}
		}
		if len(chosen) > 2 {
			continue // more are never fewer than single paths here
		}
		for values := range 1 << len(chosen) {
			n := len(chosen)
			for i := range chosen {
				chosen[i].value = []string{"", "v"}[values>>i&1]
			}
			for _, p := range paths {
				if lookUp(chosen, p) != want[p] {
					n++
				}
			}
			fewest = min(fewest, n)
		}
	}
	return fewest
}
