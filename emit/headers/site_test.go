package headers

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// allProofs says that the laws run over all their cases.
var allProofs = os.Getenv("PROOFS") == "all"

// site is a small random site with a _headers file of its owner's.
type site struct {
	user  []byte
	wants []robotstag.Want
	opt   robotstag.Task
}

func (s site) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "options %+v\nuser %q\n", s.opt, s.user)
	for _, w := range s.wants {
		fmt.Fprintf(&b, "%+v\n", w)
	}
	return b.String()
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// randomUser writes a file with rules that meet the random site's paths often.
func randomUser(r *rand.Rand) []byte {
	if r.IntN(6) == 0 {
		return nil
	}
	var b strings.Builder
	eol := pick(r, "\n", "\n", "\r\n")
	line := func(s string) { b.WriteString(s + eol) }
	if r.IntN(10) == 0 {
		b.WriteString("\ufeff")
	}
	for range r.IntN(5) {
		if r.IntN(5) == 0 {
			line(pick(r, "# a comment", "", "stray", "X-Robots-Tag: stray", "# metarobots", marks.Begin, marks.End))
		}
		line(
			pick(r, "/*", "/*", "/a.pdf", "/docs/*", "/docs/b.pdf", "/A.pdf", "/p", "/p.html", "/q/", "/q",
				"/q/index.html", "/", "/docs/:name", "/*.pdf", "/docs*", "/blog/*", "/wiki/*", "/docs/*.pdf",
				"https://www.example/*", "https://www.example/a.pdf", previewPaths[0], "https://project.pages.dev/*",
				"/caf%C3%A9.pdf", "/a.pdf#x", "/nothing"),
		)
		for range r.IntN(4) {
			line(
				pick(r, "  ", "", "\t") + pick(r, "X-Frame-Options: DENY", "X-Robots-Tag: noindex",
					"X-Robots-Tag: noindex, follow", "x-robots-tag: nofollow", "X-Robots-Tag: googlebot: nosnippet",
					"X-Robots-Tag: googlebot: noindex", "X-Robots-Tag: indexifembedded",
					"! X-Robots-Tag", "Link: </x>; rel=y", "", "# note"),
			)
		}
	}
	text := b.String()
	if r.IntN(4) == 0 {
		text = strings.TrimSuffix(text, eol)
	}
	return []byte(text)
}

func randomSite(r *rand.Rand) site {
	s := site{user: randomUser(r)}
	s.opt = robotstag.Task{
		Target: pick(r, TargetPortable, TargetNetlify, TargetCloudflare),
		Scope:  pick(r, robotstag.ScopeAuto, robotstag.ScopeFiles, robotstag.ScopeAll),
		Host:   pick(r, "", "www.example", "other.example"),
	}
	if s.opt.Target == TargetCloudflare {
		s.opt.Own = pick(r, nil, []string{"www.example", "other.example"}, []string{"p.pages.dev"})
	}
	sets := [][]string{nil, nil, {"noindex, follow"}, {"noindex, nofollow"}, {"noindex"}, {"nofollow"},
		{
			"index, follow, max-snippet:50",
		}, {"noindex, follow", "googlebot: noindex, nofollow"}, {"googlebot: nosnippet"}}
	if r.IntN(4) == 0 {
		s.opt.Everywhere = []string{"noindex, nofollow"}
		sets = [][]string{
			{"noindex, nofollow"}, {"noindex, nofollow"}, {"noindex, nofollow, noarchive"},
			{"noindex, nofollow", "bingbot: noindex, nofollow, noarchive"},
		}
	}
	few := r.IntN(2) // fewer values, and then rules for many at once
	for _, p := range []string{
		"index.html", "a.pdf", "A.pdf", "docs/b.pdf", "docs/index.html", "docs/c d.pdf", "p.html", "p/index.html",
		"q/index.html", "café.pdf", "x+y.pdf", "Cat:Foo.pdf", "st*r.html", "robots.txt", "deep/er/z.json",
		":s/t.txt", "docsx.txt", "404.html", "docs/é/ü.pdf", "docs/é/a.txt", "docs.html", "docs/100%.pdf",
		"docs/a.b(c).pdf", "blog/a/index.html", "blog/b.html", "blog/b/c.jpg", "blogx/a.pdf", "Blog/a.pdf",
		"blog-2/x.mjs", "blog-2/x.js", "wiki/Cat:A.html", "wiki/Cat:B.html", "wiki/:c/d.txt", "a+b/c.pdf",
		"a+b/d.pdf", "v1.0/a.txt", "v1x0/a.txt", "x.pdf/index.html", "js/js", "deep/er/y/1.pdf", "deep/er/y/2.pdf",
		"deep/er/y/3.PDF", "deep/e/1.pdf", "deep/e/s*.pdf",
	} {
		if r.IntN(2) == 0 {
			continue
		}
		w := robotstag.Want{
			Path:   p,
			URL:    "/" + p,
			Values: pick(r, sets[:len(sets)-few*len(sets)/2]...),
			Free:   p == "robots.txt" || p == "404.html",
		}
		w.HTML, w.Untagged = tellsByTag(&w)
		s.wants = append(s.wants, w)
	}
	if r.IntN(12) == 0 {
		for i := range 20 + r.IntN(100) {
			w := robotstag.Want{Path: fmt.Sprintf("many/%d.%s", i, pick(r, "html", "pdf")), Values: pick(r, sets...)}
			w.URL = "/" + w.Path
			w.HTML, w.Untagged = tellsByTag(&w)
			s.wants = append(s.wants, w)
		}
	}
	// As a caller would: where the user's rules say the same, it is found.
	user, err := readRules(s.user, s.opt)
	if err != nil {
		return s
	}
	for i := range s.wants {
		w := &s.wants[i]
		w.Found = user.gives(w)
	}
	return s
}

// tellsByTag says of a file whether its tags tell every crawler what is wanted, or only those that
// read tags, as if the crawlers that are named read headers alone.
func tellsByTag(w *robotstag.Want) (all, most bool) {
	page := strings.HasSuffix(w.Path, ".html")
	named := strings.Contains(strings.Join(w.Values, ", "), "bot:")
	return page && !named, page && named
}

// gives reports whether the user's rules send what a file wants, at each of its request paths and
// in every way.
func (u *User) gives(w *robotstag.Want) bool {
	return every(u.Sent(w.Path, ""), func(s robotstag.Sent) bool {
		return len(s) > 0 && robotstag.Same(s.String(), strings.Join(w.Values, ", "))
	})
}

// Compile then Verify finds nothing, whatever the site, the user's file and the target (N3a, N3b);
// a second run changes nothing; without wants the user's bytes come back (N5). With PROOFS=all
// there are more sites.
func TestHouse_CompileProvesAndTakesBack(t *testing.T) {
	t.Parallel()
	for seed := range tables.Cases(200, 3000) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		s := randomSite(r)
		checkSite(t, s)
		if t.Failed() {
			t.Fatalf("seed %d\n%v", seed, s)
		}
	}
}

func checkSite(t *testing.T, s site) {
	t.Helper()
	res, err := compile(s.user, s.wants, s.opt)
	if err != nil {
		if !errors.Is(err, robotstag.ErrBudget) || res.File != nil {
			t.Errorf("Compile: %v, file %q", err, res.File)
		}
		return
	}
	left := slices.Concat(res.GivenUp, res.Missed)
	for _, p := range verify(res, s.wants, s.opt) {
		t.Errorf("Verify: %v", p)
	}
	if t.Failed() {
		t.Logf("file:\n%s\nleft: %q\nfindings: %v", res.File, left, res.Findings)
		return
	}
	for _, f := range res.Findings {
		if f.ID == "" || f.Text() == "" {
			t.Errorf("a finding without a name: %+v", f)
		}
	}
	for _, p := range res.Missed {
		if s.opt.Target != TargetNone &&
			!slices.ContainsFunc(res.Findings,
				func(x policy.Finding) bool { return x.URL == "/"+p && x.Severity == policy.Error }) {
			t.Errorf("%s is missed without an error", p)
		}
	}
	if res.Limit > 0 && res.Total > res.Limit && res.Rules > 0 {
		t.Errorf("%d rules over the limit of %d", res.Total, res.Limit)
	}
	checkOthers(t, s, res)
	checkBack(t, s, demand(s.wants), res.File)
}

// checkOthers checks that no address is open at another host, and that at the site's own hosts
// nothing changes by the rules for others (N11a, N11b).
func checkOthers(t *testing.T, s site, res robotstag.Result) {
	t.Helper()
	if len(s.opt.Own) == 0 || len(s.opt.Everywhere) > 0 {
		return
	}
	alone := s.opt
	alone.Own = nil
	without, err := compile(s.user, s.wants, alone)
	isSame := err == nil && slices.Equal(without.GivenUp, res.GivenUp) && slices.Equal(without.Missed, res.Missed)
	file, plain := Cloudflare.Parse(res.File, robotstag.Name), Cloudflare.Parse(without.File, robotstag.Name)
	for _, w := range s.wants {
		for path := range Cloudflare.Requests(nil, w.Path, "") {
			for _, host := range []string{"x.pages.dev", "x.y.pages.dev", "x.y.workers.dev"} {
				got := robotstag.Join(Cloudflare.Values(file, host, path))
				if !genericNoindex(got) && s.opt.Own[0] != "p.pages.dev" {
					t.Errorf("%s%s is open: %q\n%s", host, path, got, res.File)
				}
			}
			for _, host := range s.opt.Own {
				got := robotstag.Join(Cloudflare.Values(file, host, path))
				want := robotstag.Join(Cloudflare.Values(plain, host, path))
				if isSame && !robotstag.Same(got, want) {
					t.Errorf("%s%s has changed: %q, want %q\n%s", host, path, got, want, res.File)
				}
			}
		}
	}
}

// checkBack checks that a second run changes nothing, that without wants the user's bytes come
// back, and that the user's own lines are all there, in order.
func checkBack(t *testing.T, s site, demands []robotstag.Demand, file []byte) {
	t.Helper()
	again, err := Compile(file, demands, s.opt)
	if err != nil || !bytes.Equal(again.File, file) {
		t.Errorf("a second run changed the file: %v\nfirst:\n%q\nsecond:\n%q", err, file, again.File)
	}
	none, err := compile(file, nil, robotstag.Task{Target: s.opt.Target})
	back := readUser(s.user).lines.Own() // the random file may hold marks of its own
	if err != nil || !bytes.Equal(none.File, back) || s.user == nil && none.File != nil {
		t.Errorf("without wants: %v\n got %q\nwant %q\nfrom %q", err, none.File, back, file)
	}
	for _, l := range bytes.SplitAfter(back, []byte("\n")) {
		i := bytes.Index(file, bytes.TrimRight(l, "\r\n"))
		if i < 0 {
			t.Errorf("the user's line %q is not in its place", l)
			break
		}
		file = file[i:]
	}
}
