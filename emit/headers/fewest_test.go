package headers

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// fewest finds by trying, for a site without a user's file, how many rules of our shapes are
// needed: /dir/*, /dir*, /*, /dir/*.suffix and exact ones, each with each value, and on Cloudflare
// with none. It knows the dialects' matching alone, and that nothing leans on a dot that matches
// any character, or on a star that takes the slash before it, too. The answer is -1 where limit
// rules do not suffice.
type fewest struct {
	forms  []string // the request paths
	wants  []string // of each
	loose  []bool   // which of them may go without
	rules  []uint64 // the request paths that a rule matches, specific first
	paths  []string // of the rules
	labels []string // that a rule may carry
	// fills reports whether a rule can give paths their values by what its star stands for; nil for
	// none can.
	fills func(rule int, paths uint64) bool
}

// newFewest is a search with rules for the folders of the request paths and for what begins with
// their names, for suffixes of these, and for single paths.
func newFewest(opt robotstag.Task, wants []robotstag.Want, labels []string, suffixes func(form string) []string) *fewest {
	var files []string
	for _, w := range wants {
		files = append(files, w.Path)
	}
	return newShapes(opt.Target, files, suffixes).search(opt, wants, labels)
}

// shapes are the rules that a tree of files may have on a target, whatever their values are.
type shapes struct {
	forms []string // the request paths
	of    []int    // the file of each
	rules []uint64 // the request paths that a rule matches, specific first
	paths []string // of the rules
}

// search looks for the fewest of these rules for some values of the files.
func (s *shapes) search(opt robotstag.Task, wants []robotstag.Want, labels []string) *fewest {
	f := &fewest{forms: s.forms, rules: s.rules, paths: s.paths, labels: labels}
	for _, i := range s.of {
		f.wants = append(f.wants, strings.Join(wants[i].Values, ", "))
		f.loose = append(f.loose, wants[i].HTML && opt.Scope == robotstag.ScopeFiles)
	}
	return f
}

func newShapes(target string, files []string, suffixes func(form string) []string) *shapes {
	dialects, _ := Dialects(target)
	s := &shapes{}
	paths := map[string]bool{"/*": true}
	var on []*Dialect
	var dots []bool                               // a dot means a dot, and a slash before a star a slash
	netlify := slices.Contains(dialects, Netlify) // which takes a name before a star for an expression
	if netlify {
		dialects = append(dialects, Netlify) // once for each meaning of a suffix's dot
	}
	for i, d := range dialects {
		dot := d == Netlify && slices.Contains(dialects[:i], Netlify)
		for of, file := range files {
			for form := range d.Requests(nil, file, "") {
				s.forms, s.of = append(s.forms, form), append(s.of, of)
				on, dots = append(on, d), append(dots, dot)
				if spelledOut(dialects, form) {
					paths[form] = true
				}
				for i := range form {
					if form[i] != '/' {
						continue
					}
					dir := form[:i]
					paths[dir+"/*"] = true
					if dir != "" && (!netlify || !strings.ContainsAny(path.Base(dir), ".+()[]")) {
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
	// Specific before general: exact rules, then by the text before the star, then suffixes before
	// prefixes.
	for _, p := range slices.SortedFunc(maps.Keys(paths), func(a, b string) int {
		ta, sa, oka := strings.Cut(a, "*")
		tb, sb, okb := strings.Cut(b, "*")
		if oka != okb {
			return map[bool]int{true: 1, false: -1}[oka]
		}
		return cmp.Or(len(tb)-len(ta), len(sb)-len(sa), strings.Compare(b, a))
	}) {
		mask := uint64(0)
		for i, form := range s.forms {
			_, suffix, _ := strings.Cut(p, "*.")
			if r := ruleOf(on[i], p); r != nil && on[i].Match(r, "", form) &&
				!(dots[i] && suffix != "" && !strings.HasSuffix(netlifyKey(form), "."+strings.ToLower(suffix))) &&
				!(dots[i] && r.isGuess(form)) {
				mask |= 1 << i
			}
		}
		if mask != 0 {
			s.rules, s.paths = append(s.rules, mask), append(s.paths, p)
		}
	}
	return s
}

// treeShapes are the shapes of trees with the suffixes of their files: most trees are tried with
// many values.
var treeShapes sync.Map

// shapesOfTree are those of the files of a tree, with rules for some suffixes everywhere.
func shapesOfTree(target string, wants []robotstag.Want, suffixes []string) *shapes {
	var files []string
	for _, w := range wants {
		files = append(files, w.Path)
	}
	key := fmt.Sprintf("%s %q %q", target, files, suffixes)
	if known, ok := treeShapes.Load(key); ok {
		return known.(*shapes)
	}
	s := newShapes(target, files, func(string) []string { return suffixes })
	treeShapes.Store(key, s)
	return s
}

// spelledOut reports whether a rule for a single path has no wildcards on any of the hosts.
func spelledOut(dialects []*Dialect, path string) bool {
	return every(dialects, func(d *Dialect) bool {
		r := ruleOf(d, path)
		return r != nil && r.exact != ""
	})
}

// rulesOf are the rules that ruleOf has read.
var rulesOf sync.Map

// ruleOf reads a path as a dialect does; nil where it cannot.
func ruleOf(d *Dialect, path string) *Rule {
	key := d.Name() + path
	if r, ok := rulesOf.Load(key); ok {
		return r.(*Rule)
	}
	r, err := d.ReadRule(path)
	if err != nil {
		r = nil
	}
	rulesOf.Store(key, r)
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

// with returns the paths that are decided with one more rule, whose value is that of the paths that
// no more specific rule decides; the same, where no value is right for all of them.
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
type family struct{ trees, target, scope string }

// counts are the rules of families, and the fewest that would do.
type counts map[family]*struct{ rules, fewest int }

// add compiles a site for each target.
func (c counts) add(t *testing.T, trees string, wants []robotstag.Want, scopes ...string) {
	t.Helper()
	for _, target := range []string{TargetCloudflare, TargetNetlify, TargetPortable} {
		for _, scope := range scopes {
			f := family{trees, target, scope}
			if c[f] == nil {
				c[f] = new(struct{ rules, fewest int })
			}
			rules, fewest := countRules(t, robotstag.Task{Target: target, Scope: scope}, wants)
			c[f].rules += rules
			c[f].fewest += fewest
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// check fails where a family has a tenth more rules than the fewest.
func (c counts) check(t *testing.T) {
	t.Helper()
	worst := 1.0
	for f, n := range c {
		t.Logf("%+v: %d rules, %d would do", f, n.rules, n.fewest)
		if 10*n.rules > 11*n.fewest {
			t.Errorf("%+v: %d rules, %d would do", f, n.rules, n.fewest)
		}
		worst = max(worst, float64(n.rules)/float64(max(n.fewest, 1)))
	}
	t.Logf("%d families, at worst %.3f of the fewest", len(c), worst)
}

// The rules are exact, and in every family at most a tenth more than the fewest of these shapes
// (N4b, N4c): every set of up to three files of a list, and some sets of five, with every
// assignment of two values and none. With PROOFS=all; else every twelfth of them.
func TestHouse_FewRulesOfAllSmallTrees(t *testing.T) {
	t.Parallel()
	fewRules(t, [][]string{
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
	}, []string{
		"d/a.pdf", "d/b.pdf", "d/c.txt", "d/e/a.pdf", "d/e/index.html", "dx/a.pdf", "d.html", "d/index.html",
		"a.pdf", "index.html", "x+y.txt",
	})
}

// The same holds where names differ by case, by a dot or by what has to be encoded, which the hosts
// read differently: such a name costs the folders in which it lies, and no others (N4c, N4e, N4f).
func TestHouse_FewRulesOfOddNames(t *testing.T) {
	t.Parallel()
	fewRules(t, [][]string{
		// Case, which Netlify ignores.
		{"d/a.pdf", "d/b.txt", "e/a.pdf", "e/b.txt", "f/x.PDF"},
		{"d/a.pdf", "d/b.pdf", "d/c.PDF", "d/d.PDF", "d/e.txt"},
		{"d/a.pdf", "d/A.pdf", "d/b.pdf", "D/c.pdf", "e.txt"},
		{"D/a.pdf", "D/b.pdf", "d/c.txt", "d/d.txt", "e.pdf"},
		{"Blog/a.txt", "blog/b.txt", "blogx/a.txt", "blog.html", "Blog/c.pdf"},
		// A dot, which Netlify takes for any character.
		{"d/a.pdf", "d/b.txt", "e/a.pdf", "e/b.txt", "f/xapdf"},
		{"a.js", "d/b.js", "d/c.mjs", "e/d.mjs", "e/f.txt"},
		{"a.pdf", "d/b.pdf", "pdf/index.html", "pdf/c.pdf", "d/pdf/index.html"},
		{"v1.0/a.pdf", "v1.0/b.pdf", "v1x0/a.pdf", "v1x0/b.txt", "v1.0.txt"},
		// Characters that have two spellings, that are always encoded, or that mean more than
		// themselves.
		{"d/[a].pdf", "d/[b].pdf", "d/c.pdf", "e/[a].txt", "e/b.txt"},
		{"a[b]/a.pdf", "a[b]/b.pdf", "a[b]/c.txt", "a/b.pdf", "ab/c.txt"},
		{"100%/a.pdf", "100%/b.pdf", "100%/c.txt", "100%25/a.pdf", "100/b.txt"},
		{"d/ü.pdf", "d/Ü.pdf", "d/a b.pdf", "ü/a.pdf", "ü/b.txt"},
		{"d/Cat:A.pdf", "d/Cat:B.pdf", "d/b.txt", "e/s*r.PDF", "e/b.pdf"},
		// What one host serves at a path of another form.
		{"x.pdf/index.html", "a.pdf", "d/b.pdf", "d/x.pdf.html", "d/c.txt"},
		{"d/a.html", "d/b.HTML", "d/chtml", "e/a.html", "e/b.txt"},
	}, []string{
		"d/a.pdf", "d/b.PDF", "D/a.pdf", "d/cpdf", "d/pdf", "e/a.pdf", "e/[a].pdf", "e/x.pdf/index.html", "[d]/a.pdf",
		"d/Cat:A.pdf",
	})
}

// One odd name costs rules where it lies, and nowhere else: three folders with PDFs that are
// noindex, and a name beside them, at the root or in one of these folders (N4e).
func TestHouse_FewRulesBesideOneOddName(t *testing.T) {
	t.Parallel()
	counts := make(counts)
	for _, odd := range []string{
		"x.PDF", "x.Pdf", "xapdf", "pdf", "pdf/index.html", "[x].pdf", "100%.pdf", "Cat:A.pdf", "s*r.pdf", "ü.pdf",
		"x.pdf/index.html", "D/x.pdf", "x.pdf.html",
	} {
		for _, at := range []string{"", "d/", "g/", "g/h/"} {
			for _, value := range [][]string{nil, {"noindex"}, {"noindex, nofollow"}} {
				wants := []robotstag.Want{file(at+odd, value...), file("index.html")}
				for _, dir := range []string{"d/", "e/", "f/"} {
					wants = append(wants, file(dir+"a.pdf", "noindex"), file(dir+"b.pdf", "noindex"), file(dir+"c.txt"))
				}
				counts.add(t, odd, wants, robotstag.ScopeAll)
			}
		}
	}
	counts.check(t)
}

// fewRules counts rules for some sets of five files, and for every set of three of a list.
func fewRules(t *testing.T, five [][]string, files []string) {
	t.Helper()
	trees := slices.Clone(five)
	for i := range files {
		for j := range i {
			for k := range j {
				trees = append(trees, []string{files[i], files[j], files[k]})
			}
		}
	}
	const share = 12
	values := [][]string{nil, {"noindex"}, {"noindex, nofollow"}}
	counts := make(counts)
	for i, tree := range trees {
		for assignment := range pow(len(values), len(tree)) {
			if !allProofs && (i+assignment)%share != 0 {
				continue
			}
			var wants []robotstag.Want
			for j, name := range tree {
				wants = append(wants, file(name, values[assignment/pow(len(values), j)%len(values)]...))
			}
			counts.add(t, fmt.Sprint(min(i, len(five))), wants, robotstag.ScopeAll, robotstag.ScopeFiles)
		}
	}
	counts.check(t)
}

// countRules compiles a site and proves its file. It returns the number of rules and the fewest
// that would do.
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
	if opt.Target != TargetCloudflare { // nothing leans on a dot that matches any character
		if wrong := unlikeDocumented(&res, wants); wrong != "" {
			fail("where a dot is a dot: %s", wrong)
		}
	}
	labels := []string{"noindex", "noindex, nofollow"}
	rules = res.Rules
	if opt.Target == TargetCloudflare {
		labels = append(labels, "")
		rules -= strings.Count(string(res.File), previewPaths[0])
	}
	suffixes := []string{".html", ".pdf", ".txt"}
	for _, w := range wants {
		if s := path.Ext(w.Path); s != "" && !slices.Contains(suffixes, s) {
			suffixes = append(suffixes, s)
		}
	}
	f := shapesOfTree(opt.Target, wants, suffixes).search(opt, wants, labels)
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

// A rule that gives a header to files that must have none, which no rule can mend, is not chosen
// however many they are.
func TestHouse_ManyMisledFilesAreAsBadAsOne(t *testing.T) {
	const noindex, nothing = first, first + 1
	for _, misled := range []price{1, 2, 1 << 18, 1 << 19, 1<<19 + 1, 1 << 20} {
		s := &shape{costs: costs{one}, labels: []label{noindex}, kinds: 1, solved: make(map[state]choice),
			wants: map[label]price{noindex: 2, nothing: misled},
			leaves: []leaves{
				{leaf{label: noindex, kinds: 1, ifNone: one, ifPart: one, ifMisled: one}, 2},
				{leaf{label: nothing, kinds: 1, ifMisled: never}, misled},
			}}
		vs := &values{byLabel: []*value{{label: noindex, text: "noindex"}, {label: nothing}}}
		sv := &solver{suffixes: &suffixes{names: []string{""}}, values: vs, loss: missed, work: unlimited}
		if got, want := sv.solve(s, state{}), (choice{price: 2 * one}); got != want {
			t.Errorf("%d misled files: %+v, want %+v", misled, got, want)
		}
	}
}
