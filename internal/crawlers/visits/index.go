package visits

import (
	"net/url"
	"strings"

	"metarobots/internal/snapshot"
)

// index finds the entries of a snapshot by the paths at which they are served.
type index map[string]int

func newIndex(s *snapshot.Snapshot) index {
	x := make(index, len(s.Entries))
	for i, e := range s.Entries {
		x[plain(e.URL)] = i
	}
	return x
}

// find returns the entry behind a path that was answered with a status.
func (x index) find(path string, status int) (int, bool) {
	path = plain(path)
	if i, ok := x[path]; ok {
		return i, true
	}
	if status/100 != 2 && status != 304 {
		return 0, false // not a page, so not one under another name
	}
	var others []string
	if folder, ok := strings.CutSuffix(path, "/index.html"); ok {
		others = append(others, folder+"/")
	}
	if name, ok := strings.CutSuffix(path, ".html"); ok {
		others = append(others, name, name+"/")
	} else if !strings.HasSuffix(path, "/") {
		others = append(others, path+".html", path+"/")
	}
	entry, found := 0, 0
	for _, other := range others {
		if i, ok := x[other]; ok {
			entry, found = i, found+1
		}
	}
	return entry, found == 1 // of two, hosts differ in which they serve
}

// plain takes the escapes of a path away. An escaped slash is no slash, so it is kept apart, as a NUL, which no path
// has. What is wrongly escaped stays as it is.
func plain(path string) string {
	text, err := url.PathUnescape(slashes.Replace(path))
	if err != nil {
		return path
	}
	return text
}

var slashes = strings.NewReplacer("%2F", "%00", "%2f", "%00")
