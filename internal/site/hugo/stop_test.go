package hugo

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/site"
)

// Hugo stops after ten errors, and then its renderers may have gone while a page is still to be sent to them. Where
// that is not noticed, the test ends with the time limit of go test.
func TestHouse_ABuildThatFailsOnManyPagesEndsWithTheError(t *testing.T) {
	files := map[string]string{"hugo.toml": "",
		"layouts/all.html": "<html><head></head>{{ .Params.none.none.none | strings.Repeat 2 }}</html>"}
	for i := range 400 {
		files[fmt.Sprintf("content/p%d.md", i)] = "---\ntitle: x\nnone: true\n---\n"
	}
	s := open(t, write(t, files), site.Options{}).(site.Builder)
	err := s.Build(context.Background(), frontmatter.Options{}, site.Hooks{
		Listed: func(site.Map) error { return nil },
		Write:  func(string, []byte) error { return nil },
		DryRun: true,
	})
	if err == nil || !strings.Contains(err.Error(), "all.html") {
		t.Errorf("%v", err)
	}
}
