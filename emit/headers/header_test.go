package headers

import (
	"strings"
	"testing"

	"metarobots/emit/robotstag"
)

// link is a header that is not X-Robots-Tag: its values stand beside those of the user's rules.
var link = Header{Name: "Link", Join: true}

// The same compiler writes another header, the same proof reads it.
func TestHeader_AnotherHeaderIsAParameter(t *testing.T) {
	canonical := func(path string) string { return "<https://example.org" + path + `>; rel="canonical"` }
	block := func(lines ...string) string { return block1(lines...) }
	user := "/*\n  Link: </a.css>; rel=preload\n  X-Robots-Tag: noindex\n/docs/*\n  X-Frame-Options: DENY\n"
	wants := []robotstag.Want{
		{Path: "docs/a.pdf", Values: []string{canonical("/docs/a/")}},
		{Path: "docs/b.pdf", Values: []string{canonical("/docs/")}},
		{Path: "docs/c.pdf", Values: []string{canonical("/docs/")}},
		{Path: "docs/index.html", HTML: true},
	}
	const preload = "</a.css>; rel=preload"
	for _, c := range []struct{ target, user, want string }{
		{TargetNetlify, "", block("/docs/*.pdf", "  Link: "+canonical("/docs/"), "/docs/a.pdf", "  Link: "+canonical("/docs/a/"))},
		{TargetPortable, "", block("/docs/*.pdf", "  Link: "+canonical("/docs/"),
			"/docs/a.pdf", "  ! Link", "  Link: "+canonical("/docs/a/"))},
		{TargetCloudflare, user, user + "\n" + block("/docs/*.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/"),
			"/docs/a.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/a/"))},
		{TargetPortable, user, user + "\n" + block("/docs/*.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/"),
			"/docs/a.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/a/"))},
	} {
		o := robotstag.Options{Target: c.target, Scope: robotstag.ScopeAll}
		res, err := link.Compile([]byte(c.user), wants, o)
		if err != nil || string(res.File) != c.want || len(res.Missed) > 0 {
			t.Errorf("%s: %v, missed %q\n%s\nwant\n%s", c.target, err, res.Missed, res.File, c.want)
		}
		for _, p := range link.Verify(res, wants, o) {
			t.Errorf("%s: %v", c.target, p)
		}
		again, err := link.Compile(res.File, wants, o)
		if err != nil || string(again.File) != string(res.File) {
			t.Errorf("%s: a second run: %v\n%s", c.target, err, again.File)
		}
		if back, _ := link.Compile(res.File, nil, o); string(back.File) != c.user {
			t.Errorf("%s: without wants\n%s", c.target, back.File)
		}
		// The proof is of this header alone.
		broken := res
		broken.File = []byte(strings.Replace(string(res.File), canonical("/docs/a/"), canonical("/"), 1))
		if len(link.Verify(broken, wants, o)) == 0 || len(XRobotsTag.Verify(res, nil, o)) > 0 {
			t.Errorf("%s: a wrong value is not found", c.target)
		}
	}
}

// Without Join a value is all that is served.
func TestHeader_WithoutJoinTheUsersValueGoes(t *testing.T) {
	alone := Header{Name: "Cache-Control"}
	user := "/*\n  Cache-Control: no-cache\n"
	wants := []robotstag.Want{{Path: "a.css", Values: []string{"immutable"}}, {Path: "b.css"}}
	res, err := alone.Compile([]byte(user), wants, robotstag.Options{})
	want := user + "\n" + block1("/a.css", "  ! Cache-Control", "  Cache-Control: immutable")
	if err != nil || string(res.File) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, res.File, want)
	}
	for _, p := range alone.Verify(res, wants, robotstag.Options{}) {
		t.Error(p)
	}
}
