package sitemap

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"metarobots/emit/patch"
	"metarobots/internal/tables"
)

const head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- <url><loc>https://example.org/comment/</loc></url> " +
	"-->\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"\n  " +
	"xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"

// S1a: an entry leaves with the white space in front of it, the rest stays byte for byte.
func TestHouse_EntriesLeaveAndTheRestStays(t *testing.T) {
	entry := func(loc string) string {
		return "  <url>\n    <loc>" + loc + "</loc><lastmod>2026-01-01</lastmod>\n    <xhtml:link rel=\"alternate\" " +
			"href=\"https://example.org/x/\"/>\n  </url>\n"
	}
	src := head + entry("https://example.org/a/") + entry(" https://example.org/b/?x=1&amp;y=2 ") +
		entry("<![CDATA[https://example.org/c/]]>") + "</urlset>\n"
	f := tables.Value(Read([]byte(src)))(t)
	var locs []string
	for _, e := range f.Entries {
		locs = append(locs, e.Loc)
	}
	if got := strings.Join(locs, " "); got != "https://example.org/a/ https://example.org/b/?x=1&y=2 "+
		"https://example.org/c/" || f.Index {
		t.Errorf("locs %s, index %v", got, f.Index)
	}
	out, n := f.without(func(loc string) bool { return strings.Contains(loc, "/b/") })
	want := head + strings.TrimSuffix(entry("https://example.org/a/"), "\n") + "\n" +
		entry("<![CDATA[https://example.org/c/]]>") + "</urlset>\n"
	if n != 1 || string(out) != want {
		t.Errorf("%d dropped\n got %q\nwant %q", n, out, want)
	}
	if out, n := f.without(func(string) bool { return false }); n != 0 || string(out) != src {
		t.Errorf("nothing dropped, but %d and %q", n, out)
	}
	if out, n := f.without(func(string) bool { return true }); n != 3 || string(out) != head+"</urlset>\n" &&
		string(out) != strings.TrimSuffix(head, "\n")+"\n</urlset>\n" {
		t.Errorf("all dropped: %d and %q", n, out)
	}
}

// S1f: a text with an address in each line is a sitemap, and an entry leaves with its line.
func TestProtocol_TextsAreSitemaps(t *testing.T) {
	src := "\ufeffhttps://example.org/a/\r\n\nHTTPS://example.org/b/?x=1&y=2  \nhttps://example.org/c/"
	f := tables.Value(Read([]byte(src)))(t)
	if out, n := f.without(func(loc string) bool { return strings.Contains(loc, "/b/") }); n != 1 ||
		string(out) != "\ufeffhttps://example.org/a/\r\n\nhttps://example.org/c/" {
		t.Errorf("%d, %q", n, out)
	}
	if out, n := f.without(func(string) bool { return true }); n != 3 || string(out) != "\ufeff\n" {
		t.Errorf("%d, %q", n, out)
	}
	for _, text := range []string{"", "\n", "https://example.org/a/\nnotes\n", "/a/\n", "https://example.org/ a"} {
		if _, err := Read([]byte(text)); !errors.Is(err, ErrNoSitemap) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The bytes of other encodings are not touched, since nothing is read of them.
func TestProtocol_OtherEncodingsAreNotRead(t *testing.T) {
	const text = "<urlset><url><loc>a</loc></url></urlset>"
	wide := func(before string, units ...int) string { // each character becomes one octet at units[0] of units[1]
		var b strings.Builder
		for _, c := range []byte(text) {
			unit := make([]byte, units[1])
			unit[units[0]] = c
			b.Write(unit)
		}
		return before + b.String()
	}
	for name, c := range map[string]struct {
		src  string
		read bool
	}{
		"UTF-16, little end first":      {wide("\xff\xfe", 0, 2), false},
		"UTF-16, big end first":         {wide("\xfe\xff", 1, 2), false},
		"UTF-16 without a mark":         {wide("", 0, 2), false},
		"UTF-16 without a mark, turned": {wide("", 1, 2), false},
		"UTF-32":                        {wide("\xff\xfe\x00\x00", 0, 4), false},
		"octets that are not UTF-8":     {strings.Replace(text, "a", "\xe9", 1), false},
		"so in a comment":               {"<!-- \xe9 -->" + text, false},
		"one that says it is Latin":     {"<?xml version='1.0' encoding='ISO-8859-1'?>" + text, false},
		"one that shifts": {"\ufeff<?xml version=\"1.0\"\n encoding = \"iso-2022-jp\" ?>" + text,
			false},
		"one that says it is UTF-8":        {"<?xml version=\"1.0\" encoding=\"utf-8\"?>" + text, true},
		"one that says it is ASCII":        {"<?xml version='1.0' encoding='US-ASCII'?>" + text, true},
		"one that says nothing":            {"<?xml version='1.0'?>" + text, true},
		"a mark":                           {"\ufeff" + text, true},
		"another one's encoding":           {"<?xml version='1.0'?><?a encoding='x'?>" + text, true},
		"an attribute called so elsewhere": {"<?xml version='1.0'?><!-- encoding='x' -->" + text, true},
	} {
		f, err := Read([]byte(c.src))
		if !c.read && !errors.Is(err, ErrEncoding) || c.read && (err != nil || len(f.Entries) != 1) {
			t.Errorf("%s: %v, read %v", name, err, c.read)
		}
	}
}

// A mistake is reported with its line.
func TestHouse_MistakesHaveTheirLine(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"<urlset>\n<url>\n<loc>?a=1&b=2</loc></url></urlset>", "line 3: invalid character entity &b (no semicolon) " +
			"(& is written &amp;)"},
		{"<urlset>\n<url\na='x&y'/></urlset>", "line 3: invalid character entity &y (no semicolon) (& is written " +
			"&amp;)"},
		{"<urlset>\n<url></urlset>", "line 2: element <url> closed by </urlset>"},
		{"<urlset>\n<url>\n", "line 3: unexpected EOF"},
		{"<urlset>\n</urlset>\n<urlset/>", "line 3: <urlset> is after the end of the root"},
		{"<urlset>\n<!-- ", "line 2: unexpected EOF"},
		{"<urlset>\n<![CDATA[ ", "line 2: unexpected EOF in CDATA section"},
	} {
		if _, err := Read([]byte(c.src)); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.src, err, c.want)
		}
	}
}

// S1: the kept entries are what is left, every other byte stays, and a second run changes nothing.
func FuzzEntriesLeaveAndTheRestStays(f *testing.F) {
	for i, src := range nasty(f) {
		f.Add([]byte(src), i*37)
	}
	f.Fuzz(func(t *testing.T, src []byte, mask int) {
		s, err := Read(src)
		if err != nil {
			return
		}
		leaves := func(i int) bool { return mask>>(i%30)&1 == 1 }
		i := -1
		out, n := s.without(func(string) bool { i++; return leaves(i) })
		var kept []string
		for i, e := range s.Entries {
			if !leaves(i) {
				kept = append(kept, e.Loc)
			}
		}
		if len(kept) == 0 && !isXML(src) {
			return // an empty text is no sitemap
		}
		again, err := Read(out)
		if err != nil {
			t.Fatalf("%q without entries is no sitemap: %v", out, err)
		}
		if len(again.Entries) != len(kept) || n != len(s.Entries)-len(kept) {
			t.Fatalf("%d entries, %d dropped, %d left\n%q\n%q", len(s.Entries), n, len(again.Entries), src, out)
		}
		for i, e := range again.Entries {
			if e.Loc != kept[i] {
				t.Fatalf("%q is left in place of %q\n%q\n%q", e.Loc, kept[i], src, out)
			}
		}
		gone := map[string]bool{}
		first, _ := s.without(func(loc string) bool { gone[loc] = leaves(len(loc)); return gone[loc] })
		if again, err = Read(first); err != nil && len(gone) > 0 && !isXML(src) {
			return
		}
		tables.Must(t, err)
		if second, n := again.without(func(loc string) bool { return gone[loc] }); n != 0 || !bytes.Equal(second,
			first) {
			t.Fatalf("a second run takes %d more out of\n%q", n, first)
		}
	})
}

// without returns the file without the entries that drop names, and how many those are.
func (f *List) without(drop func(loc string) bool) (out []byte, dropped int) {
	edits := f.Without(drop)
	made := patch.New(f.src, edits)
	out, _ = made.Apply(nil, f.src)
	return out, len(edits)
}

// S1, M6f: a file takes no more memory than a few times its bytes, whatever is in it. A sitemap is
// five elements deep.
func TestHouse_HostileSitemapsTakeLittleMemory(t *testing.T) {
	const size = 2 << 20
	within := func(begin, unit, end string) []byte {
		return []byte(begin + strings.Repeat(unit, size/len(unit)) + end)
	}
	for name, c := range map[string]struct {
		src  []byte
		want string
	}{
		"nested":           {within("<urlset>", "<a>", ""), "line 1: elements are nested more than 5 deep, as in no sitemap"},
		"nested in an URL": {within("<urlset><url>", "<a>", ""), "line 1: elements are nested more than 5 deep, as in no sitemap"},
		"attributes":       {within("<urlset>\n<url", " a=''", "/></urlset>"), "line 2: a tag, text or comment is longer than 256 KB"},
		"a comment":        {within("<urlset><!--", "x", "--></urlset>"), "line 1: a tag, text or comment is longer than 256 KB"},
		"a text":           {within("<urlset><url><loc>", "x", "</loc></url></urlset>"), "line 1: a tag, text or comment is longer than 256 KB"},
		"many elements":    {within("<urlset><url>", "<a/>", "</url></urlset>"), ""},
		"many names":       {within("<urlset><url>", "<loc>a</loc>", "</url></urlset>"), ""},
		"many links":       {within("<urlset><url>", "<link rel='alternate' hreflang='x' href='y'/>", "</url></urlset>"), ""},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := Read(c.src)
		runtime.ReadMemStats(&after)
		if got := fmt.Sprint(err); got != cmp.Or(c.want, "<nil>") {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 12*size {
			t.Errorf("%s takes %d MB", name, grown>>20)
		}
	}
	deepest := `<urlset><url><loc>a</loc><news:news><news:publication><news:name>x</news:name></news:publication></news:news></url></urlset>`
	if f, err := Read([]byte(deepest)); err != nil || len(f.Entries) != 1 {
		t.Errorf("a sitemap of news: %v", err)
	}
}
