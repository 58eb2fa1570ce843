package headers

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// fewest finds by trying, for a site without a user's file, how many rules of our shapes are needed: /dir/*, /dir*, /*,
// /dir/*.suffix and exact ones, each with each value, and on Cloudflare with none. It knows the dialects' matching
// alone, and that nothing leans on a dot that matches any character. The answer is -1 where limit rules do not suffice.
type fewest struct {
	forms  []string // the request paths
	wants  []string // of each
	loose  []bool   // which of them may go without
	rules  []uint64 // the request paths that a rule matches, specific first
	paths  []string // of the rules
	labels []string // that a rule may carry
	// fills reports whether a rule can give paths their values by what its star stands for; nil for none can.
	fills func(rule int, paths uint64) bool
}

// newFewest is a search with rules for the folders of the request paths and for what begins with their names, for
// suffixes of these, and for single paths.
func newFewest(opt robotstag.Task, wants []robotstag.Want, labels []string, suffixes func(form string) []string) *fewest {
	dialects, _ := Dialects(opt.Target)
	f := &fewest{labels: labels}
	paths := map[string]bool{"/*": true}
	var of []*Dialect
	var dots []bool // a dot means a dot
	if slices.Contains(dialects, Netlify) {
		dialects = append(dialects, Netlify) // once for each meaning of a suffix's dot
	}
	for i, d := range dialects {
		dot := d == Netlify && slices.Contains(dialects[:i], Netlify)
		for _, w := range wants {
			for _, form := range d.Requests(nil, w.Path) {
				f.wants = append(f.wants, strings.Join(w.Values, ", "))
				f.loose = append(f.loose, w.HTML && opt.Scope == robotstag.ScopeFiles)
				f.forms, of, dots = append(f.forms, form), append(of, d), append(dots, dot)
				paths[form] = true
				for i := range form {
					if form[i] != '/' {
						continue
					}
					dir := form[:i]
					paths[dir+"/*"] = true
					if dir != "" {
						paths[dir+"*"] = true
					}
					for _, suffix := range suffixes(form) {
						if paths[dir+"/*"+suffix] = true; suffix[0] == '/' {
							paths[dir+"*"+suffix] = true
						}
					}
				}
			}
		}
	}
	// Specific before general: exact rules, then by the text before the star, then suffixes before prefixes.
	for _, p := range slices.SortedFunc(maps.Keys(paths), func(a, b string) int {
		ta, sa, oka := strings.Cut(a, "*")
		tb, sb, okb := strings.Cut(b, "*")
		if oka != okb {
			return map[bool]int{true: 1, false: -1}[oka]
		}
		return cmp.Or(len(tb)-len(ta), len(sb)-len(sa), strings.Compare(a, b))
	}) {
		mask := uint64(0)
		for i, form := range f.forms {
			_, suffix, _ := strings.Cut(p, "*.")
			if r := ruleOf(of[i], p); r != nil && of[i].Match(r, "", form) &&
				!(dots[i] && suffix != "" && !strings.HasSuffix(netlifyKey(form), "."+suffix)) {
				mask |= 1 << i
			}
		}
		if mask != 0 {
			f.rules, f.paths = append(f.rules, mask), append(f.paths, p)
		}
	}
	return f
}

var rulesOf = map[string]*Rule{}

// ruleOf reads a path as a dialect does; nil where it cannot.
func ruleOf(d *Dialect, path string) *Rule {
	key := d.Name() + path
	r, ok := rulesOf[key]
	if !ok {
		if read, err := d.ReadRule(path); err == nil {
			r = read
		}
		rulesOf[key] = r
	}
	return r
}

// done reports whether all paths are served, some of them by rules.
func (f *fewest) done(decided uint64) bool {
	for i, w := range f.wants {
		if decided&(1<<i) == 0 && w != "" && !f.loose[i] {
			return false
		}
	}
	return true
}

// with returns the paths that are decided with one more rule, whose value is that of the paths that no more specific
// rule decides; the same, where no value is right for all of them.
func (f *fewest) with(rule int, decided uint64) uint64 {
	fresh := f.rules[rule] &^ decided
	if fresh == 0 {
		return decided
	}
	value, ok := f.wants[bits.TrailingZeros64(fresh)], true
	for i, w := range f.wants {
		ok = ok && (w == value || fresh&(1<<i) == 0)
	}
	if ok && slices.Contains(f.labels, value) || f.fills != nil && f.fills(rule, fresh) {
		return decided | fresh
	}
	return decided
}

// fits reports whether n rules from at on can do it, given the paths decided.
func (f *fewest) fits(at int, decided uint64, n int) bool {
	if f.done(decided) {
		return true
	}
	for ; at < len(f.rules) && n > 0; at++ {
		if next := f.with(at, decided); next != decided && f.fits(at+1, next, n-1) {
			return true
		}
	}
	return false
}

// A family is the sites of one tree, or of all small ones, for one target and scope.
type family struct {
	tree   int
	target string
	scope  string
}

// The rules are exact, and in every family at most a tenth more than the fewest of these shapes (N4): every set of up
// to three files of a list, and some sets of five, with every assignment of two values and none. With PROOFS=all; else
// every eighth of them.
func TestHouse_FewRulesOfAllSmallTrees(t *testing.T) {
	files := []string{
		"d/a.pdf", "d/b.pdf", "d/c.txt", "d/e/a.pdf", "d/e/index.html", "dx/a.pdf", "d.html", "d/index.html",
		"a.pdf", "index.html", "x+y.txt",
	}
	five := [][]string{
		{"d/a.pdf", "d/b.pdf", "d/c.txt", "d/e/a.pdf", "d/e/b.txt"},
		{"d/a.pdf", "d/b.txt", "e/a.pdf", "e/b.txt", "a.pdf"},
		{"d/a.pdf", "d/b.pdf", "dx/a.pdf", "dx/b.txt", "d.txt"},
		{"d/a/index.html", "d/b/index.html", "d/c/index.html", "d/index.html", "index.html"},
		{"d/a.html", "d/b.html", "d/a/x.pdf", "d.html", "e.html"},
		{"d/a.html", "d/a/index.html", "d/a.pdf", "d/ab.pdf", "d/b.txt"},
		{"a.pdf", "b.pdf", "c.pdf", "d.txt", "e.txt"},
		{"d/a.pdf", "d/e/a.pdf", "d/e/f/a.pdf", "d/e/f/b.txt", "d/e/c.txt"},
		{"a.pdf", "d/a.pdf", "d/apdf", "d/b.pdf", "d/b.txt"},
		{"blog/a.txt", "blogx/a.txt", "blog-y/a.txt", "blog.html", "blog/b.pdf"},
	}
	trees := slices.Clone(five)
	for i := range files {
		for j := range i {
			for k := range j {
				trees = append(trees, []string{files[i], files[j], files[k]})
			}
		}
	}
	const share = 8
	values := [][]string{nil, {"noindex"}, {"noindex, nofollow"}}
	rules, fewest := make(map[family]int), make(map[family]int)
	for i, tree := range trees {
		for assignment := range pow(len(values), len(tree)) {
			if !allProofs && (i+assignment)%share != 0 {
				continue
			}
			var wants []robotstag.Want
			for j, path := range tree {
				wants = append(wants, file(path, values[assignment/pow(len(values), j)%len(values)]...))
			}
			for _, target := range []string{TargetCloudflare, TargetNetlify, TargetPortable} {
				for _, scope := range []string{robotstag.ScopeAll, robotstag.ScopeFiles} {
					n, best := countRules(t, robotstag.Task{Target: target, Scope: scope}, wants)
					f := family{min(i, len(five)), target, scope}
					rules[f] += n
					fewest[f] += best
				}
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	worst := 1.0
	for f, n := range rules {
		if n == 0 {
			continue
		}
		ratio := float64(n) / max(float64(fewest[f]), 1e-9)
		t.Logf("%+v: %d rules, %d would do", f, n, fewest[f])
		if worst = max(worst, ratio); ratio > 1.1 {
			t.Errorf("%+v: %d rules, %d would do", f, n, fewest[f])
		}
	}
	t.Logf("%d families, at worst %.3f of the fewest", len(rules), worst)
}

// countRules compiles a site and proves its file. It returns the number of rules and the fewest that would do.
func countRules(t *testing.T, opt robotstag.Task, wants []robotstag.Want) (rules, fewest int) {
	t.Helper()
	res := tables.Value(compile(nil, wants, opt))(t)
	fail := func(format string, args ...any) {
		t.Errorf("%+v: %s\n%s%v", opt, fmt.Sprintf(format, args...), res.File, wants)
	}
	left := slices.Concat(res.GivenUp, res.Missed)
	if ps := verify(res, wants, opt); len(ps) > 0 {
		fail("%v", ps)
	}
	labels := []string{"noindex", "noindex, nofollow"}
	rules = res.Rules
	if opt.Target == TargetCloudflare {
		labels = append(labels, "")
		rules -= strings.Count(string(res.File), previewPaths[0])
	}
	f := newFewest(opt, wants, labels, func(string) []string { return []string{".html", ".pdf", ".txt"} })
	if len(res.Missed) > 0 || len(left) > 0 && opt.Scope == robotstag.ScopeAll {
		if f.fits(0, 0, 9) {
			fail("left %q, but there are rules for it", left)
		}
		return 0, 0
	}
	if !f.fits(0, 0, rules) {
		fail("%d rules, which are not of the shapes", rules)
	}
	for fewest = rules; fewest > 0 && f.fits(0, 0, fewest-1); {
		fewest--
	}
	return rules, fewest
}

func pow(base, n int) int {
	p := 1
	for range n {
		p *= base
	}
	return p
}
