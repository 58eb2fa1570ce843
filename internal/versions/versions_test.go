package versions

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// L10b, L10c, L10d: which version is the newest, and which are old.
func TestHouse_WhichVersionsAreOld(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/names.txt") {
		var all []Version
		for _, name := range strings.Fields(c["versions"]) {
			alias, of, isAlias := strings.Cut(name, "=")
			v := Version{Name: alias}
			if isAlias {
				v.AliasOf = of
			}
			all = append(all, v)
		}
		g := NewGroup(policy.Origin{}, all, c["given"])
		var old []string
		for _, v := range all {
			if g.IsOld(v) {
				old = append(old, v.Name)
			}
		}
		if got := strings.Join(old, " "); g.Newest != c["newest"] || got != c["old"] {
			t.Errorf("%s: newest %q, old %q; want %q, %q", c["versions"], g.Newest, got, c["newest"], c["old"])
		}
	}
}

// L10b: the newest does not depend on the order in which versions are found, and is never old.
func TestLaw_TheNewestIsOneWhateverTheOrder(t *testing.T) {
	names := []string{"1", "1.9", "1.10", "v2.0", "2.0", "2.0-rc.1", "2.0.0-beta", "3.x", "next", "main", "latest", "stable", "about",
		"2024-10", "24.04 LTS"}
	rapid.Check(t, func(t *rapid.T) {
		var all []Version
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 8, rapid.ID).Draw(t, "names") {
			all = append(all, Version{Name: name})
		}
		g := NewGroup(policy.Origin{}, all, "")
		other := slices.Clone(all)
		slices.Reverse(other)
		if h := NewGroup(policy.Origin{}, other, ""); h.Newest != g.Newest {
			t.Fatalf("%v: %s, and %s if reversed", all, g.Newest, h.Newest)
		}
		for _, v := range all {
			if g.IsOld(v) && (v.Name == g.Newest || g.Newest == "") {
				t.Fatalf("%v: %s is old", all, v.Name)
			}
		}
	})
}

// L10e, L10g: where versions are, by a pattern.
func TestHouse_VersionsByPattern(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/patterns.txt") {
		p, err := ParsePattern(c["pattern"])
		if err != nil {
			if c["groups"] != "error" {
				t.Errorf("%s: %v", c["pattern"], err)
			}
			continue
		}
		var groups []string
		for _, g := range p.Groups(strings.Fields(c["files"])) {
			var folders []string
			for _, v := range g.Versions {
				folders = append(folders, v.Folder)
			}
			groups = append(groups, g.Newest+" of "+strings.Join(folders, " "))
		}
		if got := strings.Join(groups, " + "); got != c["groups"] {
			t.Errorf("%s in %s: %q, want %q", c["pattern"], c["files"], got, c["groups"])
		}
	}
}

// L10d, L10e, L10h: mike's list names versions and their aliases. https://github.com/jimporter/mike
func TestMike_ListOfVersions(t *testing.T) {
	g, _ := ReadList(policy.Origin{}, "docs/", []byte(`[{"version": "dev", "title": "dev", "aliases": []},
		{"version": "1.10", "title": "1.10.2", "aliases": ["latest"]}, {"version": "1.9", "title": "1.9", "aliases": ["lts"]}]`))
	files := []string{"docs/1.10/a.html", "docs/1.10/b/index.html", "docs/1.9/b/index.html", "docs/dev/index.html",
		"docs/latest/a.html", "docs/lts/a.html"}
	s := NewSet(files, *g)
	for name, want := range map[string]bool{"docs/dev/index.html": true, "docs/1.10/a.html": false, "docs/latest/a.html": false,
		"docs/1.9/a.html": true, "docs/lts/a.html": true, "docs/index.html": false, "1.9/a.html": false} {
		if got := s.IsOld(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if newest, group := s.InNewest("docs/1.9/b/index.html"); newest != "docs/1.10/b/index.html" || group == nil {
		t.Errorf("%q", newest)
	}
	for _, text := range []string{"{}", `["2.0", "1.0"]`, `[{"name": "1.0"}]`, `[{"version": "a/b"}]`, "[]"} {
		if g, err := ReadList(policy.Origin{}, "", []byte(text)); g != nil || err != nil {
			t.Errorf("%q is no list of mike's: %v, %v", text, g, err)
		}
	}
	for _, text := range []string{"", "[", `[{"version": "2.0"}, ]`} {
		if g, err := ReadList(policy.Origin{}, "", []byte(text)); g != nil || err == nil {
			t.Errorf("%q cannot be read: %v, %v", text, g, err)
		}
	}
	if g, err := ReadList(policy.Origin{}, "", []byte("\ufeff"+`[{"version": "2.0"}]`)); g == nil || err != nil {
		t.Errorf("a mark of the encoding: %v, %v", g, err)
	}
}

// L10b, L10d, L10g: a version of the list without files is none, and what an alias alone publishes
// is there.
func TestHouse_AVersionIsPublished(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/published.txt") {
		var all []Version
		for _, name := range strings.Fields(c["listed"]) {
			alias, of, isAlias := strings.Cut(name, "=")
			v := Version{Name: alias, Folder: alias + "/"}
			if isAlias {
				v.AliasOf = of
			}
			all = append(all, v)
		}
		files := strings.Fields(c["files"])
		slices.Sort(files)
		s := NewSet(files, NewGroup(policy.Origin{}, all, c["given"]))
		var old, doubtful []string
		for _, name := range files {
			if s.IsOld(name) {
				old = append(old, name)
			}
			if s.IsDoubtful(name) {
				doubtful = append(doubtful, name)
			}
			s.InNewest(name)
		}
		if got := strings.Join(old, " "); got != c["old"] || (len(doubtful) > 0) != (c["doubtful"] == "yes") {
			t.Errorf("%s in %s: old %q, doubtful %q", c["listed"], c["files"], got, doubtful)
		}
	}
}

// L10s: the folder that the versions are in is the newest, if it has the pages of the newest of
// them.
func TestHouse_TheFolderOfTheVersionsMayBeTheNewest(t *testing.T) {
	pattern := tables.Value(ParsePattern("/docs/{version}/**"))(t)
	for _, c := range []struct{ above, newest string }{
		{"", "1.1"},
		{"index.html", "1.1"}, // an overview of the versions
		{"a.html", "1.1"},     // one of three pages
		{"a.html index.html b/index.html", "/docs/"},
		{"a.html b/index.html c.html other.html", "/docs/"},
		{"x.html y.html", "1.1"},
	} {
		files := []string{"docs/1.0/a.html", "docs/1.1/a.html", "docs/1.1/b/index.html", "docs/1.1/c.html", "docs/1.1/index.html"}
		for name := range strings.FieldsSeq(c.above) {
			files = append(files, "docs/"+name)
		}
		slices.Sort(files)
		groups := pattern.Groups(files)
		if len(groups) != 1 || groups[0].Newest != c.newest {
			t.Errorf("%q: %+v, want %s", c.above, groups, c.newest)
			continue
		}
		set := NewSet(files, groups...)
		for _, name := range files {
			isNewest := strings.HasPrefix(name, "docs/"+c.newest+"/") ||
				c.newest == "/docs/" && !strings.HasPrefix(name, "docs/1.")
			if isOther := strings.Count(name, "/") == 1 && c.newest != "/docs/"; !isOther && set.IsOld(name) == isNewest {
				t.Errorf("%q: %s: old is %v", c.above, name, set.IsOld(name))
			}
		}
	}
}
