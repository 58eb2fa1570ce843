package headers

import (
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// demand is what files are to be served with of X-Robots-Tag.
func demand(wants []robotstag.Want) []robotstag.Demand {
	return []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}
}

// compile is [Compile], verify [Verify] and readRules [ReadUser], for X-Robots-Tag alone.
func compile(user []byte, wants []robotstag.Want, o robotstag.Task) (robotstag.Result, error) {
	return Compile(user, demand(wants), o)
}

func verify(res robotstag.Result, wants []robotstag.Want, o robotstag.Task) []policy.Finding {
	return Verify(res, demand(wants), o)
}

func readRules(user []byte, o robotstag.Task) (*User, error) {
	return ReadUser(user, robotstag.XRobotsTag(), o)
}

// with are a demand of X-Robots-Tag for nothing, and one of another header.
func with(h robotstag.Header, wants []robotstag.Want) []robotstag.Demand {
	return append(demand(nil), robotstag.Demand{Header: h, Wants: wants})
}

// link is a header that is not X-Robots-Tag: its values stand beside those of the user's rules.
var link = robotstag.Header{Name: "Link", Join: true, Same: robotstag.SameLinks}

// The same compiler writes another header, the same proof reads it.
func TestHouse_AnotherHeaderIsAParameter(t *testing.T) {
	user := "/*\n  Link: </a.css>; rel=preload\n  X-Robots-Tag: noindex\n/docs/*\n  X-Frame-Options: DENY\n"
	wants := []robotstag.Want{
		{Path: "docs/a.pdf", Values: []string{canonical("/docs/a/")}},
		{Path: "docs/b.pdf", Values: []string{canonical("/docs/")}},
		{Path: "docs/c.pdf", Values: []string{canonical("/docs/")}},
		{Path: "docs/index.html", HTML: true},
	}
	const preload = "</a.css>; rel=preload"
	for _, c := range []struct{ target, user, want string }{
		{TargetNetlify, "", block1("/docs/*.pdf", "  Link: "+canonical("/docs/"), "/docs/a.pdf", "  Link: "+canonical("/docs/a/"))},
		{TargetPortable, "", block1("/docs/*.pdf", "  Link: "+canonical("/docs/"),
			"/docs/a.pdf", "  ! Link", "  Link: "+canonical("/docs/a/"))},
		{TargetCloudflare, user, user + "\n" + block1("/docs/*.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/"),
			"/docs/a.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/a/"))},
		{TargetPortable, user, user + "\n" + block1("/docs/*.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/"),
			"/docs/a.pdf", "  ! Link", "  Link: "+preload, "  Link: "+canonical("/docs/a/"))},
	} {
		o := robotstag.Task{Target: c.target, Scope: robotstag.ScopeAll}
		res, err := Compile([]byte(c.user), with(link, wants), o)
		if err != nil || string(res.File) != c.want || len(res.Missed) > 0 {
			t.Errorf("%s: %v, missed %q\n%s\nwant\n%s", c.target, err, res.Missed, res.File, c.want)
		}
		for _, p := range Verify(res, with(link, wants), o) {
			t.Errorf("%s: %v", c.target, p)
		}
		checkBack(t, site{user: []byte(c.user), opt: o}, with(link, wants), res.File)
		// The proof is of this header alone.
		broken := res
		broken.File = []byte(strings.Replace(string(res.File), canonical("/docs/a/"), canonical("/"), 1))
		if len(Verify(broken, with(link, wants), o)) == 0 || len(verify(res, nil, o)) > 0 {
			t.Errorf("%s: a wrong value is not found", c.target)
		}
	}
}

// In blocks of the owner's each line of ours has a mark, which names another header than
// X-Robots-Tag.
func TestHouse_LinesInTheOwnersBlocks(t *testing.T) {
	user := "/a.pdf\n  X: y\n/b.pdf\n  Link: </own>; rel=x"
	demands := with(link, wanted("a.pdf </a>; rel=x | b.pdf </b>; rel=x | c.txt"))
	demands[0].Wants = wanted("a.pdf noindex | b.pdf noindex, nofollow | c.txt")
	o := robotstag.Task{Target: TargetPortable}
	res, err := Compile([]byte(user), demands, o)
	want := "/a.pdf\n# metarobots\n  X-Robots-Tag: noindex\n# metarobots (Link)\n  Link: </a>; rel=x\n  X: y\n" +
		"/b.pdf\n# metarobots\n  X-Robots-Tag: noindex, nofollow\n# metarobots (Link)\n  Link: </b>; rel=x\n  Link: </own>; rel=x"
	if err != nil || string(res.File) != want || len(Verify(res, demands, o)) > 0 {
		t.Errorf("%v %v\n%s\nwant\n%s", err, Verify(res, demands, o), res.File, want)
	}
	if back, err := compile(res.File, nil, o); err != nil || string(back.File) != user {
		t.Errorf("%v\n%q", err, back.File)
	}
	// An edit has parted a mark from its line: what stands there now is the owner's.
	edited := "/a.pdf\n# metarobots (Link)\n  X: y\n"
	if back, err := compile([]byte(edited), nil, o); err != nil || string(back.File) != edited {
		t.Errorf("%v\n%q", err, back.File)
	}
}

// Of a header whose lines do not join, one rule's value is all that is served.
func TestHouse_WithoutJoinNoValueIsServedWithAnother(t *testing.T) {
	alone := robotstag.Header{Name: "Content-Usage"}
	user := "/a/*\n  Content-Usage: search=y\n"
	wants := wanted("a/w.css | a/x.css train-ai=n | b/x.css train-ai=n | b/y.css train-ai=n | b/z.txt train-ai=y | c.txt")
	for _, target := range []string{TargetNetlify, TargetCloudflare, TargetPortable} {
		o := robotstag.Task{Target: target}
		res, err := Compile([]byte(user), with(alone, wants), o)
		if err != nil || len(res.Lost)+len(res.Findings) > 0 || !strings.Contains(string(res.File), "/b/*") {
			t.Errorf("%s: %v %q %v\n%s", target, err, res.Lost, res.Findings, res.File)
		}
		for _, p := range Verify(res, with(alone, wants), o) {
			t.Error(target, p)
		}
	}
}
