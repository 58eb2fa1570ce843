package headers

import (
	"bytes"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// A file that was broken on purpose is found out (N3b).
func TestHouse_ProofFindsBrokenFiles(t *testing.T) {
	wants := wanted("a.pdf noindex, follow | A.json | p.html noindex | q/index.html noindex | robots.txt")
	res := tables.Value(compile([]byte("/u\n  X: y\n"), wants, robotstag.Task{}))(t)
	good := string(res.File)
	if ps := verify(res, wants, robotstag.Task{}); len(ps) > 0 {
		t.Fatalf("the good file: %v", ps)
	}
	rows := []struct{ about, file, want string }{
		{"a rule is gone", strings.Replace(good, "/a.pdf\n  X-Robots-Tag: noindex, follow\n", "", 1),
			`cloudflare would serve /a.pdf with "" instead of "noindex, follow"`},
		{"another value", strings.Replace(good, "noindex, follow", "nofollow", 1),
			`netlify would serve /a.pdf with "nofollow" instead of "noindex, follow"`},
		{"a rule too many", strings.Replace(good, marks.End, "/A.json\n  X-Robots-Tag: noindex\n"+marks.End, 1),
			`cloudflare would serve /A.json with "noindex" instead of ""`},
		{"a rule too wide", strings.Replace(good, "/a.pdf", "/a*", 1),
			`netlify would serve /A.json with "noindex, follow" instead of ""`},
		{"one of Netlify's paths is gone", strings.Replace(good, "/p*\n", "/p\n", 1),
			`netlify would serve /p.html with "" instead of "noindex"`},
		{"a user's rule after ours", good + "/a*\n  X-Robots-Tag: nofollow\n",
			`cloudflare would serve /a.pdf with "noindex, follow, nofollow" instead of "noindex, follow"`},
		{"a block of the same path after ours", good + "/a.pdf\n  X: y\n",
			`cloudflare would serve /a.pdf with "" instead of "noindex, follow"`},
		{"over the limit", numbered(100, "/x/%d\n  X-Robots-Tag: v\n") + good, `more than Cloudflare's limit of 100`},
	}
	for _, row := range rows {
		var all []string
		for _, p := range verify(robotstag.Result{File: []byte(row.file)}, wants, robotstag.Task{}) {
			all = append(all, p.Text())
		}
		if got := strings.Join(all, "\n"); !strings.Contains(got, row.want) {
			t.Errorf("%s: got\n%s\nwant %s", row.about, got, row.want)
		}
	}
}

var cloudflare = robotstag.Task{Target: TargetCloudflare}

func TestHouse_ProofPreviewsKeepTheirNoindex(t *testing.T) {
	wants := []robotstag.Want{file("p.html", "index, follow, max-snippet:5")}
	res := tables.Value(compile(nil, wants, cloudflare))(t)
	if ps := verify(res, wants, cloudflare); len(ps) > 0 {
		t.Errorf("the good file: %v", ps)
	}
	res.File = bytes.Replace(res.File, []byte(previewPaths[0]), []byte("/nothing"), 1)
	if ps := verify(res, wants, cloudflare); len(ps) != 1 ||
		ps[0].ID != "header-preview" {
		t.Errorf("without the preview block: %v, want one %s", ps, "header-preview")
	}
}

func TestHouse_ProofLeftFilesGetNothingOfOurs(t *testing.T) {
	wants := []robotstag.Want{file("p.html", "noindex, nofollow")}
	user := "/p*\n  X-Robots-Tag: noindex\n"
	left := robotstag.Result{File: []byte(user), GivenUp: []string{"p.html"}}
	if ps := verify(left, wants, cloudflare); len(ps) > 0 {
		t.Errorf("the user's own rule: %v", ps)
	}
	if ps := verify(robotstag.Result{File: left.File}, wants, cloudflare); len(ps) == 0 {
		t.Error("not left, and less than wanted: nothing found")
	}
	left.File = []byte(user + block1("/p", "  X-Robots-Tag: nosnippet"))
	if ps := verify(left, wants, cloudflare); len(ps) == 0 {
		t.Error("left, with a rule of ours: nothing found")
	}
}
