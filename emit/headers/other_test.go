package headers

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

func canonical(path string) string { return "<https://example.org" + path + `>; rel="canonical"` }

// twins are pages in folders, each with its index.md, and what Link says of them.
func twins(folders, pages int) []robotstag.Want {
	wants := wanted("index.html | index.md " + canonical("/"))
	for i := range pages {
		at := fmt.Sprintf("section-%d/folder-%d/page-%d/", i%(folders/10+1), i%folders, i)
		wants = append(wants, file(at+"index.html"), file(at+"index.md", canonical("/"+at)))
	}
	return wants
}

// Cloudflare fills what a star stands for into values: two rules serve all twins, and what is not
// like the others has a rule of its own. The file of the root has no folder that a star could stand
// for (H5d).
func TestHouse_CloudflareFillsInPaths(t *testing.T) {
	c := canonical
	fill := func(path, target string) string { return path + "\n  Link: " + c(target) }
	for _, row := range []struct{ about, wants, want string }{
		{"twins", "index.md " + c("/") + " | a/index.md " + c("/a/") + " | a/b/index.md " + c("/a/b/") + " | a/index.html",
			block1(fill("/a*/index.md", "/a:splat/"), fill("/index.md", "/"))},
		{"twins of two folders", "a/index.md " + c("/a/") + " | b/index.md " + c("/b/") + " | index.md",
			block1(fill("/*/index.md", "/:splat/"))},
		{"by the same name", "a.md " + c("/a/") + " | b/c.md " + c("/b/c/") + " | b/c/index.html",
			block1(fill("/*.md", "/:splat/"))},
		{"in one folder", "d/a.md " + c("/d/a") + " | d/b.md " + c("/d/b") + " | a.md | b.md | c.md",
			block1(fill("/d/*.md", "/d/:splat"))},
		{"one without", "a.md " + c("/a") + " | b.md " + c("/b") + " | c.md " + c("/c") + " | d.md",
			block1(fill("/*.md", "/:splat"), "/d.md\n  ! Link")},
		{"one with its own", "a.md " + c("/a") + " | b.md " + c("/b") + " | c.md " + c("/c") + " | d.md " + c("/x"),
			block1(fill("/*.md", "/:splat"), "/d.md\n  ! Link\n  Link: "+c("/x"))},
		{"two suffixes", "a.html.md " + c("/a.html") + " | b.html.md " + c("/b.html") + " | c.txt",
			block1(fill("/*.md", "/:splat"))},
		{"a longer suffix", "a.html.md " + c("/a") + " | b.html.md " + c("/b") + " | c.md",
			block1(fill("/*.html.md", "/:splat"))},
		{"another host", "a.txt <https://b.org/a.txt>; rel=x | b.pdf <https://b.org/b.pdf>; rel=x | c/ <https://b.org/c/>; rel=x",
			block1("/*\n  Link: <https://b.org/:splat>; rel=x")},
		{"a name with two spellings", "a.md " + c("/a") + " | b.md " + c("/b") + " | c+d.md " + c("/c+d"),
			block1(fill("/*.md", "/:splat"), "/c%2Bd.md\n  ! Link\n  Link: "+c("/c+d"))},
		{"a name beyond ASCII", "a.md " + c("/a") + " | é.md " + c("/%C3%A9"), block1(fill("/*.md", "/:splat"))},
		{"a folder that begins another's name", "a/index.md " + c("/a/") + " | a/i/index.md " + c("/a/i/") + " | a/i/x.txt | " +
			"b/index.md | c/index.md | d/index.md", block1(fill("/a*/index.md", "/a:splat/"))},
		{"a text that would be filled", "d/a.txt <:splat> | d/b.txt <:splat>",
			block1("/d/a.txt\n  Link: <:splat>", "/d/b.txt\n  Link: <:splat>")},
	} {
		o := robotstag.Task{Target: TargetCloudflare}
		demands := with(link, wanted(row.wants))
		res, err := Compile(nil, demands, o)
		if err != nil || string(res.File) != row.want {
			t.Errorf("%s: %v %v\n%s\nwant\n%s", row.about, err, res.Findings, res.File, row.want)
		}
		for _, p := range Verify(res, demands, o) {
			t.Errorf("%s: %v", row.about, p)
		}
	}
}

// What does not fit goes without, as few files as can be, and canonical links last.
func TestHouse_WhatDoesNotFitIsNamed(t *testing.T) {
	wants := wanted("t.txt")
	for i := range 70 {
		wants = append(wants, file(fmt.Sprintf("p/%d.pdf", i), canonical(fmt.Sprintf("/%d/", 7*i%70))),
			file(fmt.Sprintf("q/%d.css", i), fmt.Sprintf("</%d.js>; rel=preload", 7*i%70)))
	}
	for i := range 30 {
		wants = append(wants, file(fmt.Sprintf("r%d/a.js", i), fmt.Sprintf("</%d>; rel=x", i%15)),
			file(fmt.Sprintf("r%d/b.js", i), fmt.Sprintf("</%d>; rel=x", i%15)))
	}
	demands := with(link, wants)
	demands[0].Wants = wanted("p/3.pdf noindex | t.txt noindex | x.pdf nofollow")
	for _, target := range []string{TargetCloudflare, TargetPortable, TargetNetlify} {
		o := robotstag.Task{Target: target}
		res := tables.Value(Compile([]byte("/u\n  A: b\n"), demands, o))(t)
		for _, p := range Verify(res, demands, o) {
			t.Errorf("%s: %v", target, p)
		}
		lost := res.Lost["Link"]
		if target == TargetNetlify {
			if len(lost) > 0 {
				t.Errorf("%s: %q", target, lost)
			}
			continue
		}
		// 100 - the owner's, 3 of X-Robots-Tag's, one for previews; 30 for two files each; one at a
		// path that has a rule already.
		if res.Total != 100 || !strings.HasPrefix(ids(res.Findings), "header-lost/warning") || slices.Contains(lost, "p/3.pdf") ||
			slices.ContainsFunc(lost, func(p string) bool { return p[0] == 'r' }) || len(lost) < 70 || len(lost) > 75 {
			t.Errorf("%s: %d rules, %d lost: %q\n%v", target, res.Total, len(lost), lost, res.Findings)
		}
	}
}

// Ten thousand pages with their index.md in 400 folders: three rules at most (H5).
func TestHouse_TwinsOfALargeSite(t *testing.T) {
	t.Parallel()
	demands := with(link, twins(400, 10000))
	for _, target := range []string{TargetCloudflare, TargetPortable} {
		o := robotstag.Task{Target: target}
		res, err := Compile(nil, demands, o)
		if err != nil || target == TargetCloudflare && (res.Total > 3 || len(res.Lost) > 0) || res.Total > 100 {
			t.Errorf("%s: %v, %d rules, %d lost", target, err, res.Total, len(res.Lost["Link"]))
		}
		if ps := Verify(res, demands, o); len(ps) > 0 {
			t.Errorf("%s: %v", target, ps[0])
		}
	}
}

// withFilled is a search for the fewest rules on Cloudflare, of a header whose values may be filled
// in.
func withFilled(wants []robotstag.Want) *fewest {
	f := newFewest(robotstag.Task{Target: TargetCloudflare}, wants, nil, func(form string) []string {
		return []string{path.Ext(form), "/" + path.Base(form)}
	})
	f.labels, f.fills = f.wants, f.filled(wants)
	return f
}

// filled reports whether Cloudflare can give paths their values by what a rule's star stands for.
func (f *fewest) filled(wants []robotstag.Want) func(rule int, paths uint64) bool {
	return func(rule int, paths uint64) bool {
		r, first := ruleOf(Cloudflare, f.paths[rule]), bits.TrailingZeros64(paths)
		if r.re == nil {
			return false
		}
		splat := func(i int) string { return r.re.FindStringSubmatch(f.forms[i])[1] }
		for at := range f.wants[first] {
			after, ok := strings.CutPrefix(f.wants[first][at:], splat(first))
			for i := range f.wants {
				ok = ok && (paths&(1<<i) == 0 || f.wants[i] == f.wants[first][:at]+splat(i)+after)
			}
			if ok {
				return true
			}
		}
		return false
	}
}

// On Cloudflare at most a tenth more than the fewest rules: of files in folders, some have a page
// of their own name, some share one, and some have none.
func TestHouse_FewRulesWhereValuesAreFilledIn(t *testing.T) {
	t.Parallel()
	names := []string{"a.pdf", "b.pdf", "d/a.pdf", "d/b.pdf", "d/c.pdf", "d/e/a.pdf", "e/x.pdf", "a/index.md", "b/index.md",
		"d/a/index.md", "d/c.txt", "f.txt"}
	rules, best, n := 0, 0, 120
	if allProofs {
		n = 400
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		var wants []robotstag.Want
		for _, i := range r.Perm(len(names))[:3+r.IntN(5)] {
			w := file(names[i])
			stem := strings.TrimSuffix(strings.TrimSuffix("/"+w.Path, path.Ext(w.Path)), "/index")
			switch r.IntN(5) {
			case 0, 1:
				w.Values = []string{canonical(stem + "/")}
			case 2:
				w.Values = []string{canonical("/all/")}
			}
			wants = append(wants, w)
		}
		demands, o := with(link, wants), robotstag.Task{Target: TargetCloudflare}
		res, err := Compile(nil, demands, o)
		if ps := Verify(res, demands, o); err != nil || len(ps) > 0 || len(res.Lost) > 0 {
			t.Fatalf("seed %d: %v %v", seed, err, ps)
		}
		f, n := withFilled(wants), 0
		for !f.fits(0, 0, n) {
			n++
		}
		if rules, best = rules+res.Rules, best+n; res.Rules < n {
			t.Errorf("seed %d: %d rules, and %d are said to be the fewest\n%s", seed, res.Rules, n, res.File)
		}
	}
	t.Logf("%d rules, %d would do", rules, best)
	if 10*rules > 11*best {
		t.Errorf("%d rules, %d would do", rules, best)
	}
}

// together reports whether n rules from at on can serve the values of two headers, of searches over
// the same paths: a rule may carry both.
func together(a, b *fewest, at int, inA, inB uint64, n int) bool {
	if a.done(inA) && b.done(inB) {
		return true
	}
	for ; at < len(a.rules) && n > 0; at++ {
		nextA, nextB := a.with(at, inA), b.with(at, inB)
		if (nextA != inA || nextB != inB) && together(a, b, at+1, nextA, nextB, n-1) {
			return true
		}
	}
	return false
}

// Of two headers together at most a tenth more than the fewest rules: PDFs in folders, of which
// some are not to be indexed, and some have a page of their name, or share one (H5a).
func TestHouse_FewRulesForTwoHeadersTogether(t *testing.T) {
	t.Parallel()
	names := []string{"a.pdf", "b.pdf", "d/a.pdf", "d/b.pdf", "d/c.pdf", "d/e/a.pdf", "e/x.pdf", "e/y.pdf", "d/a/index.html",
		"d/c.txt", "f.txt"}
	n := 60
	if allProofs {
		n = 300
	}
	for _, target := range []string{TargetCloudflare, TargetNetlify, TargetPortable} {
		rules, best := 0, 0
		for seed := range n {
			r := rand.New(rand.NewPCG(uint64(seed), 5))
			var robots, links []robotstag.Want
			for _, i := range r.Perm(len(names))[:3+r.IntN(3)] {
				w, l := file(names[i]), file(names[i])
				if r.IntN(2) == 0 {
					w.Values = []string{"noindex"}
				}
				if stem, pdf := strings.CutSuffix(l.Path, ".pdf"); pdf && r.IntN(3) > 0 {
					l.Values = []string{canonical(pick(r, "/"+stem+"/", "/all/"))}
				}
				robots, links = append(robots, w), append(links, l)
			}
			o := robotstag.Task{Target: target, Scope: robotstag.ScopeAll}
			demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: robots}, {Header: link, Wants: links}}
			res, err := Compile(nil, demands, o)
			if ps := Verify(res, demands, o); err != nil || len(ps) > 0 || len(res.Lost)+len(res.Missed) > 0 {
				t.Fatalf("%s, seed %d: %v %v", target, seed, err, ps)
			}
			suffixes := func(form string) []string { return []string{".html", ".pdf", ".txt"} }
			a, b := newFewest(o, robots, nil, suffixes), newFewest(o, links, nil, suffixes)
			a.labels, b.labels = []string{"noindex"}, slices.DeleteFunc(slices.Clone(b.wants), func(w string) bool { return w == "" })
			if target == TargetCloudflare {
				a.labels, b.labels, b.fills = append(a.labels, ""), append(b.labels, ""), b.filled(links)
			}
			fewest, got := 0, res.Rules-strings.Count(string(res.File), previewPaths[0])
			for !together(a, b, 0, 0, 0, fewest) {
				fewest++
			}
			if rules, best = rules+got, best+fewest; got < fewest {
				t.Errorf("%s, seed %d: %d rules, and %d are said to be the fewest\n%s", target, seed, got, fewest, res.File)
			}
		}
		t.Logf("%s: %d rules, %d would do", target, rules, best)
		if 10*rules > 11*best {
			t.Errorf("%s: %d rules, %d would do", target, rules, best)
		}
	}
}

// 300 PDFs, of which 120 have a page of their name, three headers together: Cloudflare gets them
// all in two rules; portable has a rule for each page, as many as fit, and names the others.
func TestHouse_PDFsWithAndWithoutPages(t *testing.T) {
	demands := append(demand(nil), robotstag.Demand{Header: robotstag.Header{Name: "Content-Usage"}}, robotstag.Demand{Header: link})
	add := func(path string, values ...string) {
		for i := range demands {
			w := file(path)
			if values[i] != "" {
				w.Values = values[i : i+1]
			}
			demands[i].Wants = append(demands[i].Wants, w)
		}
	}
	for i := range 120 {
		stem := fmt.Sprintf("guides/%d/guide-%d", i%7, i)
		add(stem+".pdf", "", "train-ai=n", canonical("/"+stem+"/"))
		add(stem+"/index.html", "", "", "")
	}
	for i := range 180 {
		add(fmt.Sprintf("archive/%d/paper-%d.pdf", i%9, i), "noindex", "train-ai=n", "")
	}
	add("index.html", "", "", "")
	for target, rules := range map[string]int{TargetCloudflare: 3, TargetPortable: 100, TargetNetlify: 122} {
		o := robotstag.Task{Target: target}
		res, err := Compile(nil, demands, o)
		if ps := Verify(res, demands, o); err != nil || len(ps) > 0 || res.Total != rules {
			t.Errorf("%s: %v, %d rules, want %d: %v\n%s", target, err, res.Total, rules, ps, res.File)
		}
		lost, fits := len(res.Lost["Link"]), target != TargetPortable
		if fits != (lost == 0) || !fits && ids(res.Findings) != "header-lost/warning" || len(res.Lost["Content-Usage"]) > 0 {
			t.Errorf("%s: lost %q: %v", target, res.Lost, res.Findings)
		}
	}
}

func BenchmarkTwins(b *testing.B) {
	demands := with(link, twins(400, 10000))
	for _, target := range []string{TargetCloudflare, TargetPortable, TargetNetlify} {
		b.Run(target, func(b *testing.B) {
			for b.Loop() {
				Compile(nil, demands, robotstag.Task{Target: target})
			}
		})
	}
}

// randomDemands are three headers for a random site, whose owner's file has lines of all three.
func randomDemands(r *rand.Rand) (site, []robotstag.Demand) {
	s := randomSite(r)
	for _, other := range []string{"Link: </own>; rel=z", "Content-Usage: train-ai=n", "! Link", "link: </own>; rel=y"} {
		if at := bytes.Index(s.user, []byte("X-Robots-Tag: noindex")); at >= 0 && r.IntN(2) == 0 {
			s.user = slices.Concat(s.user[:at], []byte(other), s.user[at+len("X-Robots-Tag: noindex"):])
		}
	}
	if user, err := readRules(s.user, s.opt); err == nil {
		for i := range s.wants {
			w := &s.wants[i]
			w.Found = user.gives(w)
		}
	}
	usage := robotstag.Header{Name: "Content-Usage"}
	demands := append(demand(s.wants), robotstag.Demand{Header: link}, robotstag.Demand{Header: usage})
	most := r.IntN(6)
	for _, w := range s.wants {
		w.HTML, w.Found, w.Values = false, false, nil
		l, u := w, w
		form := encode("/"+w.Path, bareInURL)
		stem, _, _ := strings.Cut(form, ".")
		if r.IntN(6) < most {
			l.Values = [][]string{{canonical(stem)}, {canonical(stem + "/")}, {canonical(form)}, {"</x>; rel=y"},
				{canonical(strings.TrimSuffix(form, "/index.html") + "/"), "</x>; rel=y"}, {"</:splat>; rel=y"}}[r.IntN(6)]
		}
		if r.IntN(6) < most {
			u.Values = []string{pick(r, "train-ai=n", "train-ai=n", "search=y")}
		}
		demands[1].Wants, demands[2].Wants = append(demands[1].Wants, l), append(demands[2].Wants, u)
	}
	return s, demands
}

// Compile then Verify finds nothing, for three headers at once; what Verify calls right is what the
// engines' own rules say, path by path; a second run changes nothing; without demands the owner's
// bytes come back; and X-Robots-Tag is served as it would be alone.
func TestLaw_SeveralHeadersAreProven(t *testing.T) {
	t.Parallel()
	for seed := range tables.Cases(120, 5000) {
		s, demands := randomDemands(rand.New(rand.NewPCG(uint64(seed), 3)))
		checkDemands(t, s, demands)
		if t.Failed() {
			t.Fatalf("seed %d\n%v\n%v\n%v", seed, s, demands[1], demands[2])
		}
	}
}

func checkDemands(t *testing.T, s site, demands []robotstag.Demand) {
	t.Helper()
	res, err := Compile(s.user, demands, s.opt)
	alone, errAlone := compile(s.user, s.wants, s.opt)
	if err != nil || errAlone != nil {
		if !errors.Is(err, robotstag.ErrBudget) || !errors.Is(errAlone, robotstag.ErrBudget) || res.File != nil {
			t.Errorf("Compile: %v, alone %v, file %q", err, errAlone, res.File)
		}
		return
	}
	for _, p := range Verify(res, demands, s.opt) {
		t.Errorf("Verify: %v\n%s", p, res.File)
	}
	if !slices.Equal(res.GivenUp, alone.GivenUp) || !slices.Equal(res.Missed, alone.Missed) {
		t.Errorf("X-Robots-Tag: left %q, missed %q; alone %q, %q", res.GivenUp, res.Missed, alone.GivenUp, alone.Missed)
	}
	dialects, _ := Dialects(s.opt.Target)
	for _, d := range dialects {
		ours, without := d.Parse(res.File, robotstag.Name), d.Parse(alone.File, robotstag.Name)
		for _, w := range s.wants {
			for form := range d.Requests(nil, w.Path, "") {
				a, b := d.Values(ours, s.opt.Host, form), d.Values(without, s.opt.Host, form)
				if robotstag.Join(a) != robotstag.Join(b) {
					t.Errorf("%s: %s with %q, alone %q\n%s\n%s", d.Name(), form, robotstag.Join(a), robotstag.Join(b), res.File, alone.File)
				}
			}
		}
	}
	if res.Limit > 0 && res.Total > max(res.Limit, alone.Total) {
		t.Errorf("%d rules over the limit of %d", res.Total, res.Limit)
	}
	for name, lost := range res.Lost {
		if !slices.IsSorted(lost) || !strings.Contains(fmt.Sprint(res.Findings), "no "+name+" for") {
			t.Errorf("%s is lost without a finding: %q", name, lost)
		}
	}
	checkBack(t, s, demands, res.File)
}

// Files that no rule can serve are told in one finding for each reason.
func TestHouse_ObstaclesAreTold(t *testing.T) {
	demands := with(link, wanted("a.pdf é1 | b.pdf é2 | c.pdf é3 | d.pdf é4 | e.txt </x>; rel=y"))
	o := robotstag.Task{Target: TargetCloudflare}
	res, err := Compile(nil, demands, o)
	const said = "no Link for /a.pdf, /b.pdf, /c.pdf and 1 more: the value cannot stand in the file"
	if err != nil || len(res.Lost["Link"]) != 4 || len(res.Findings) != 1 || res.Findings[0].Text() != said ||
		len(Verify(res, demands, o)) > 0 {
		t.Errorf("%v %q %v\n%s", err, res.Lost, res.Findings, res.File)
	}
}
