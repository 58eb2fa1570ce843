package plan

import (
	"bytes"
	"testing"

	"metarobots/emit/sitemap"
	"metarobots/internal/disk"
	"metarobots/internal/state"
	"metarobots/internal/tables"
)

// S1i: a sitemap that a run changes is read back. Whatever is done to its new bytes, an entry that
// was to go and is there, or one that was to stay and is not, is an error.
func TestLaw_AChangedSitemapListsWhatIsToStay(t *testing.T) {
	url := func(name string) string {
		return "<url><loc>https://example.org/" + name + "</loc></url>\n"
	}
	const head, end = "<urlset>\n", "</urlset>\n"
	texts := map[string]string{
		"/sitemap.xml": head + url("a") + url("gone") + url("b") + end,
		"/sitemap.txt": "https://example.org/a\nhttps://example.org/gone\nhttps://example.org/b\n",
	}
	faults := map[string][2]string{
		"an entry comes back":   {"example.org/b", "example.org/gone"},
		"an entry is lost":      {"https://example.org/b", ""},
		"an address is another": {"example.org/a", "example.org/A"},
		"no list":               {"https", "<<"},
	}
	for name, text := range texts {
		for _, isPacked := range []bool{false, true} {
			s := &SitemapFile{Change: state.Output{Name: name}, text: []byte(text),
				file: tables.Value(sitemap.Read([]byte(text)))(t)}
			packed := func(text []byte) []byte {
				if isPacked {
					return disk.Pack(text)
				}
				return text
			}
			if isPacked {
				s.Change.Name += ".gz"
			}
			s.Change.New = packed(s.text)
			s.filter(func(entry int) bool { return s.file.Entries[entry].Loc == "https://example.org/gone" })
			if wrong := s.prove(); len(wrong) > 0 || s.Dropped != 1 {
				t.Fatalf("%s: %v, %d dropped", s.Change.Name, wrong, s.Dropped)
			}
			right := s.Change.New
			if isPacked {
				right = tables.Value(disk.Unpack(right, 1<<20))(t)
			}
			for fault, of := range faults {
				s.Change.New = packed(bytes.Replace(right, []byte(of[0]), []byte(of[1]), 1))
				if wrong := s.prove(); len(wrong) != 1 || wrong[0].ID != "sitemap-mismatch" {
					t.Errorf("%s: %s: %v", s.Change.Name, fault, wrong)
				}
			}
		}
	}
}

// S1i: a sitemap may lose its last entry.
func TestLaw_ASitemapMayLoseItsLastEntry(t *testing.T) {
	for name, text := range map[string]string{
		"sitemap.xml": "<urlset><url><loc>https://example.org/gone</loc></url></urlset>",
		"sitemap.txt": "https://example.org/gone\n",
	} {
		s := &SitemapFile{Change: state.Output{Name: name, New: []byte(text)}, text: []byte(text),
			file: tables.Value(sitemap.Read([]byte(text)))(t)}
		if empty := s.filter(func(int) bool { return true }); !empty || len(s.prove()) > 0 {
			t.Errorf("%s: empty %v, %v", name, empty, s.prove())
		}
	}
}
