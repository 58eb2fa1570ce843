package hosting

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/address"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Sources are read as the routes that Vercel makes of them take paths. Of sources that are not
// read, it is known that they may lead there.
// https://github.com/vercel/vercel packages/routing-utils
func TestVercel_SourcesTakeWhatItsRoutesTake(t *testing.T) {
	compared, unread := 0, 0
	for line := range strings.Lines(string(tables.Value(os.ReadFile("testdata/vercel.tsv"))(t))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		want := map[string]string{}
		for _, cell := range cells[2:] {
			path, to, _ := strings.Cut(cell, " -> ")
			want[path] = to
		}
		m, read := pathMapping(cells[0], cells[1])
		r := &address.Route{Rewrites: true}
		if r.SetMapping(m); !read {
			r.SetUnread(m.To)
			unread++
		}
		for _, path := range strings.Fields("/o.pdf /O.pdf /o.pdf/ /opdf /g /g/ /g/x /g/x/y /g/x/ /re/12 /re/x / /a/ /a /a/x " +
			"/a/x/y/ /b/1/2 /b/1 /b/1/2/ /c /c/ /c/x /c/x/y /d /d/x /d/x/y /d/x/ /e/1 /e/x /f-x /f- /h/x.html /h/x /i /i/x /j.k /jxk " +
			"/l:m /n/ /n /n/x/y /q/1-2 /q/1-2-3 /q/1 /t/a /t/c /u /u/ /u/y /v/ /v/x/ /v/x") {
			compared++
			got, takes := r.Takes(path)
			to, taken := want[path]
			from, listed := r.Sources((&url.URL{Path: to}).EscapedPath())
			switch {
			case takes && (!taken || got != to):
				t.Errorf("%s %s: %s leads to %q, want %q", cells[0], cells[1], path, got, to)
			case !takes && taken && listed:
				t.Errorf("%s %s: %s is not taken", cells[0], cells[1], path)
			case takes && listed && !slices.ContainsFunc(from, func(f string) bool { return policy.Decoded(f) == path }):
				t.Errorf("%s %s: %s is not among the sources %q", cells[0], cells[1], path, from)
			}
		}
	}
	t.Logf("%d paths compared; %d sources are not read", compared, unread)
}
