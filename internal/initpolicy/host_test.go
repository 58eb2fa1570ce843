package initpolicy

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/hosts"
	"metarobots/internal/tables"
)

func TestHouse_InitNamesTheHostByItsFiles(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/signs.txt") {
		t.Run(c["name"], func(t *testing.T) {
			dir := tables.Folder(t, c.Files("files"))
			public := tables.Folder(t, map[string]string{cmp.Or(c["published"], "index.html"): ""})
			seen := hosts.InFolders(dir, public)
			files := strings.Join(unique(seen, func(h hosts.Seen) string { return h.By }), ", ")
			if got := agreed(seen); got != c["want"] || files != c["told"] {
				t.Errorf("target %q by %q, want %q by %q", got, files, c["want"], c["told"])
			}
		})
	}
}

// Every name that is listed is in the form in which names are compared, and in one group.
func TestNames_AreFound(t *testing.T) {
	seen := map[string]string{}
	for group, all := range known().Pages {
		for _, name := range all {
			if groupOf(name) != group || seen[name] != "" {
				t.Errorf("%q is of %s, found as %q, listed in %q", name, group, groupOf(name), seen[name])
			}
			seen[name] = group
		}
	}
	for name, want := range map[string]string{"Privacy-Policy": legal, "mentions_legales": legal, "Thank-You": service,
		"thanks-to-bees": "", "": "", "term": ""} {
		if got := groupOf(name); got != want {
			t.Errorf("%q is of %q, want %q", name, got, want)
		}
	}
	for _, key := range known().Keys {
		if strings.TrimSpace(key) != key || slices.Index(known().Keys, key) != slices.IndexFunc(known().Keys,
			func(k string) bool { return strings.EqualFold(k, key) }) {
			t.Errorf("%q stands twice", key)
		}
	}
}
