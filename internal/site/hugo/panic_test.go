package hugo

import (
	"strings"
	"testing"

	"metarobots/internal/site"
)

// A panic inside Hugo is an error that names the file in hand and the way out.
func TestPanic_NamesTheFile(t *testing.T) {
	s := &hugoSite{options: site.Options{Source: t.TempDir()}}
	give := func(file string) (err error) {
		defer s.caught(&err, &file)
		panic("nil map")
	}
	for file, want := range map[string]string{"content/a.md": "gave up at content/a.md: nil map",
		"": "gave up: nil map"} {
		err := give(file)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if !strings.Contains(err.Error(), "metarobots apply") {
			t.Errorf("%v: no way out", err)
		}
	}
}
