package robotsmeta

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/policy"
)

// A page may repeat a tag without end: each different one counts, and each kind of finding is named
// a hundred times.
func TestHouse_RepeatedTagsCountOnce(t *testing.T) {
	var crawlers policy.Crawlers
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "<meta name=robots content=noindex><meta name=googlebot content=u%d>", i)
	}
	var s head.Scanner
	for where, page := range map[string]string{"head": "<html><head>" + b.String(), "body": "<html><body>x" + b.String()} {
		facts := s.Scan([]byte(page), Kind(crawlers))
		read := (&Reader{As: policy.Found, Crawlers: crawlers}).Read("index.html", &facts)
		if len(facts.Robots) != 600 || len(read.Metas) != 301 || len(read.Statements) != 301 || len(read.Findings) > 100 {
			t.Errorf("%s: %d tags, %d counted, %d statements, %d findings", where, len(facts.Robots), len(read.Metas),
				len(read.Statements), len(read.Findings))
		}
	}
}

// D8c: of a page with 15 MB of robots tags that differ, as many are read as two texts may hold. The
// others stay, an error names the first of them, and neither memory nor time grows with them.
func TestHouse_RobotsTagsWithoutEndAreReadUpToALimit(t *testing.T) {
	var crawlers policy.Crawlers
	var b strings.Builder
	for i := 0; b.Len() < 15<<20; i++ {
		fmt.Fprintf(&b, "<meta name=robots content=u%d>\n", i)
	}
	for where, before := range map[string]string{"head": "<!doctype html><head>\n", "body": "<!doctype html><body>x\n"} {
		page := []byte(before + b.String())
		var s head.Scanner
		var was, is runtime.MemStats
		runtime.ReadMemStats(&was)
		facts := s.Scan(page, Kind(crawlers))
		read := (&Reader{As: policy.Found, Crawlers: crawlers}).Read("index.html", &facts)
		runtime.ReadMemStats(&is)
		if used := (is.TotalAlloc - was.TotalAlloc) >> 20; used > 250 {
			t.Errorf("%s: %d MB", where, used)
		}
		n := len(read.Metas)
		named := slices.IndexFunc(read.Findings, func(f policy.Finding) bool { return f.ID == "long-content" })
		if n < 3000 || n > 5000 || len(facts.Robots) != n || named < 0 || read.Findings[named].Line != n+2 ||
			read.Findings[named].Severity != policy.Error {
			t.Errorf("%s: %d tags are read, %d not, %v", where, n, facts.Unread, read.Findings[max(0, named)])
		}
		edits := patch.New(page, facts.Edits("<meta>"))
		edited, _ := edits.Apply(nil, page)
		if got := strings.Count(string(edited), "name=robots"); got != facts.Unread {
			t.Errorf("%s: %d tags stay, want %d", where, got, facts.Unread)
		}
	}
}

// M2k: if nothing that is found counts, no finding about a tag says that it does.
func TestHouse_NoFindingSaysThatAReplacedTagCounts(t *testing.T) {
	var crawlers policy.Crawlers
	for _, page := range []string{
		`<head><meta name=robots content="noindex nofollow">`,
		`<head><meta name=robots content="no-index">`,
		`<head><meta name=robots content="googlebot: noindex">`,
		`<head><meta name=robots content="map[index:false]">`,
		`<head><meta name=robot content=noindex>`,
		`<head><meta name=robots value=noindex>`,
		`<body>x<meta name=robots content=noindex>`,
	} {
		for _, isReplaced := range []bool{false, true} {
			for _, as := range []policy.Text{policy.Found, policy.Audited} {
				var s head.Scanner
				facts := s.Scan([]byte("<!doctype html>"+page), Kind(crawlers))
				read := (&Reader{As: as, Crawlers: crawlers, IsReplaced: isReplaced}).Read("index.html", &facts)
				all := slices.Concat(read.Findings, read.Faults)
				saysReplaced := func(f policy.Finding) bool { return strings.Contains(f.Text(), replaced) }
				if len(all) != 1 || slices.ContainsFunc(all, saysReplaced) != isReplaced {
					t.Errorf("%s, replaced %t: %v", page, isReplaced, all)
				}
				for _, f := range all {
					rest := strings.Replace(f.Text(), replaced, "", 1)
					if isReplaced && strings.Contains(rest, "count") {
						t.Errorf("%s: %s", page, f.Text())
					}
				}
			}
		}
	}
}
