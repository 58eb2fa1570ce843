package head

import (
	"maps"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// WHATWG's labels, as x/text has them: those in the table name what the table says, and an encoding in
// which ASCII is ASCII is not in it.
func TestWHATWG_LabelsOfStatefulEncodings(t *testing.T) {
	all := maps.Clone(statefulLabels)
	maps.Copy(all, servedLabels)
	for label, want := range all {
		e, err := htmlindex.Get(label)
		if err != nil {
			t.Errorf("%s: %v", label, err)
			continue
		}
		if name, err := htmlindex.Name(e); name != want {
			t.Errorf("%s: %s, %v; want %s", label, name, err, want)
		}
	}
	for _, label := range []string{"utf-8", "latin1", "windows-1252", "shift_jis", "euc-jp", "gbk", "gb18030", "big5",
		"euc-kr", "koi8-r", "x-user-defined", "iso-8859-15", "macintosh"} {
		if _, err := htmlindex.Get(label); err != nil || statefulLabels[label] != "" {
			t.Errorf("%s: %v, %q", label, err, statefulLabels[label])
		}
	}
	for name := range decodable {
		if e, err := htmlindex.Get(name); err != nil || e != decodable[name] {
			t.Errorf("%s is decoded by %v, and x/text has %v, %v", name, decodable[name], e, err)
		}
	}
}
