package headers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func ids(ps []policy.Finding) string {
	var s []string
	for _, p := range ps {
		s = append(s, p.ID+"/"+string(p.Severity))
	}
	return strings.Join(s, " ")
}

func file(path string, values ...string) robotstag.Want {
	return robotstag.Want{Path: path, URL: "/" + path, HTML: strings.HasSuffix(path, ".html"), Values: values}
}

const begun = marks.Begin + "\n"

// The mark of a line of ours in a block of the user's.
const markLine = "# metarobots"

// wanted reads files and their values: "a.pdf noindex + bingbot: nosnippet | b.txt".
func wanted(text string) (wants []robotstag.Want) {
	for one := range strings.SplitSeq(text, " | ") {
		path, values, ok := strings.Cut(one, " ")
		w := file(path)
		if ok {
			w = file(path, strings.Split(values, " + ")...)
		}
		if w.Free = path == "robots.txt"; path != "" {
			wants = append(wants, w)
		}
	}
	return wants
}

// set is a rule, and reset one that first takes away what others set.
func set(path string, values ...string) string {
	for _, v := range values {
		path += "\n  X-Robots-Tag: " + v
	}
	return path
}

func reset(path string, values ...string) string { return set(path+"\n  ! X-Robots-Tag", values...) }

func block1(lines ...string) string {
	return begun + strings.Join(lines, "\n") + "\n" + marks.End + "\n"
}

// compiled runs Compile and the laws that hold of every result.
func compiled(t *testing.T, user string, wants []robotstag.Want, opt robotstag.Task) robotstag.Result {
	t.Helper()
	var given []byte
	if user != "" {
		given = []byte(user)
	}
	res, err := compile(given, wants, opt)
	if err != nil {
		t.Fatalf("Compile: %v (%v)", err, res.Findings)
	}
	checkSite(t, site{user: given, wants: wants, opt: opt})
	return res
}

// ruleCase is a site whose file is to be one, "^" standing for the user's part of it.
type ruleCase struct {
	about          string
	opt            robotstag.Task
	user           string
	wants          string // see [wanted]
	want, findings string
}

// ruleCases reads testdata/rules.txtar.
func ruleCases(t *testing.T) (all []ruleCase) {
	archive := tables.Value(txtar.ParseFile("testdata/rules.txtar"))(t)
	for _, f := range archive.Files {
		head, rest, _ := strings.Cut(string(f.Data), "user:\n")
		user, want, _ := strings.Cut(rest, "file:\n")
		c := ruleCase{about: f.Name, user: user, want: strings.Replace(strings.TrimSuffix(want, "\n"), "^\n", "^", 1)}
		for line := range strings.Lines(head) {
			switch key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); key {
			case "target":
				c.opt.Target = value
			case "scope":
				c.opt.Scope = value
			case "host":
				c.opt.Host = value
			case "environment":
				c.opt.Everywhere = []string{value}
			case "wants":
				c.wants = value
			case "findings":
				c.findings = value
			default:
				t.Fatalf("%s: %q", f.Name, line)
			}
		}
		all = append(all, c)
	}
	return all
}

// Each case is compiled, and the laws of [compiled] hold of it. Among them: lines of ours in the
// owner's block of the same path, on Cloudflare alone (N5c), three rules beside the owner's for the
// whole site (N5d).
func TestHouse_RulesAreExactAndFew(t *testing.T) {
	nl, pt := robotstag.Task{Target: TargetNetlify}, robotstag.Task{}
	x1500, y1500 := strings.Repeat("x", 1500), strings.Repeat("y", 1500)
	for _, row := range append(ruleCases(t), []ruleCase{
		{"101 files: one rule", pt, "",
			numbered(101, "q/f%d.pdf noindex, follow | ") + "a.pdf",
			block1(set("/q/*.pdf", "noindex, follow")), ""},
		{"a last line without an end", pt, "/a\n  X-Frame-Options: DENY", "a.pdf noindex",
			"^\n" + block1(set("/a.pdf", "noindex")), ""},
		{"the user's line ends", pt, "/a\r\n  X-Frame-Options: DENY\r\n", "a.pdf noindex",
			"^\r\n" + strings.ReplaceAll(block1(set("/a.pdf", "noindex")), "\n", "\r\n"), ""},
		{"… and the block has no end", pt, "/a.pdf\n  X-Robots-Tag: noindex", "a.pdf noindex, nofollow",
			"/a.pdf\n# metarobots\n  X-Robots-Tag: noindex, nofollow\n  X-Robots-Tag: noindex", ""},
		{"a value of two lines", pt, "", "a.pdf noindex\r\nX: y", "", "header-value/error"},
		{"a value too long, a page", pt, "", "p.html noindex, " + strings.Repeat("x", 2000), "",
			"header-value/warning"},
		{"a rest too long for one line beside the user's own value", nl, "/a.pdf\n  X-Robots-Tag: noindex\n",
			"a.pdf noindex + a: " + x1500 + " + b: " + y1500,
			"^\n" + block1(set("/a.pdf", "noindex", "a: "+x1500, "b: "+y1500)), ""},
		{"… on Cloudflare", pt, "/a.pdf\n  X-Robots-Tag: noindex\n",
			"a.pdf noindex + a: " + x1500 + " + b: " + y1500,
			"^\n" + block1(reset("/*", "noindex", "a: "+x1500, "b: "+y1500)), ""},
	}...) {
		t.Run(row.about, func(t *testing.T) {
			res := compiled(t, row.user, wanted(row.wants), row.opt)
			if got, want := string(res.File), strings.Replace(row.want, "^", row.user, 1); got != want {
				t.Errorf("file:\n%s\nwant:\n%s\nfindings: %v", got, want, res.Findings)
			}
			if got := ids(res.Findings); got != row.findings {
				t.Errorf("findings: %v; want %q", res.Findings, row.findings)
			}
		})
	}
}

func many(n int, format string, values ...string) (wants []robotstag.Want) {
	for i := range n {
		wants = append(wants, file(fmt.Sprintf(format, i), values...))
	}
	return wants
}

// each is many, with a value of its own for each, so that none share a rule.
func each(n int, format, value string) []robotstag.Want {
	wants := many(n, format, value)
	for i := range wants {
		wants[i].Values = []string{fmt.Sprintf("%s, max-snippet:%d%03d", value, len(format), i)}
	}
	return wants
}

// N2b, N6a: a hundred rules in the whole file, the preview block one of them.
func TestCloudflare_BudgetGivesUpAllPagesAtOnce(t *testing.T) {
	t.Parallel()
	user := "/a\n  X: y\n/a\n  X: z\n" // counts twice
	files, pages := each(57, "f%d.pdf", "noindex"), each(40, "p%d.html", "noindex")
	opt := robotstag.Task{Target: TargetCloudflare}

	res := compiled(t, user, slices.Concat(files, pages), opt)
	if res.Rules != 98 || res.Total != 100 || res.Limit != 100 || len(res.GivenUp) != 0 {
		t.Errorf("just fits: %d rules of %d, limit %d, given up %q", res.Rules, res.Total, res.Limit, res.GivenUp)
	}
	res = compiled(t, user, slices.Concat(files, pages, each(1, "one-more%d.html", "noindex")), opt)
	if res.Rules != 58 || res.Total != 60 || len(res.GivenUp) != 41 ||
		!strings.Contains(ids(res.Findings), "header-budget/warning") {
		t.Errorf("one too many: %d rules of %d, given up %d, %v", res.Rules, res.Total, len(res.GivenUp), res.Findings)
	}
	opt.Scope = robotstag.ScopeAll
	more := slices.Concat(files, pages, each(1, "one-more%d.html", "noindex"))
	if res, err := compile([]byte(user), more, opt); !errors.Is(err, robotstag.ErrBudget) || res.File != nil {
		t.Errorf("scope all: error %v, file %q; want robotstag.ErrBudget and nothing", err, res.File)
	}
	for _, scope := range []string{robotstag.ScopeAuto, robotstag.ScopeFiles, robotstag.ScopeAll} {
		opt.Scope = scope
		res, err := compile([]byte(user), each(98, "f%d.pdf", "noindex"), opt)
		if !errors.Is(err, robotstag.ErrBudget) || res.File != nil {
			t.Errorf("scope %s, files alone: error %v, file %q; want ErrBudget and nothing", scope, err, res.File)
		}
	}
	// N6d.
	res = compiled(t, "", each(NetlifyRules+1, "f%d.pdf", "noindex"), robotstag.Task{Target: TargetNetlify})
	if res.Limit != 0 || ids(res.Findings) != "header-count/warning" {
		t.Errorf("netlify: limit %d, %v; want none and one warning", res.Limit, res.Findings)
	}
}

// N2: a page that restricts a crawler which reads headers alone is given up last, if other pages
// do not make room.
func TestCloudflare_BudgetGivesUpPagesWithUntoldCrawlersLast(t *testing.T) {
	files, pages := each(30, "f%d.pdf", "noindex"), each(40, "p%d.html", "noindex")
	few, many := each(60, "few%d.html", "noindex"), each(90, "many%d.html", "noindex")
	for _, wants := range [][]robotstag.Want{few, many} {
		for i := range wants {
			wants[i].HTML, wants[i].Untagged = false, true
		}
	}
	const message = "%d rules do not fit Cloudflare's limit of 100: " +
		"%d HTML pages are left to their meta tags"
	for _, c := range []struct {
		scope         string
		untagged      []robotstag.Want
		rules, left   int
		needed, given int // as the finding counts them; 0 for no finding
	}{
		{"", few, 91, 40, 131, 40},
		{"", many, 31, 130, 161, 130},
		{robotstag.ScopeFiles, few, 91, 40, 0, 0},
		{robotstag.ScopeFiles, many, 31, 130, 121, 90},
	} {
		opt, want := robotstag.Task{Target: TargetCloudflare, Scope: c.scope}, []policy.Finding(nil)
		res := compiled(t, "", slices.Concat(files, pages, c.untagged), opt)
		if c.needed > 0 {
			want = []policy.Finding{{ID: "header-budget", Severity: policy.Warning,
				Message: fmt.Sprintf(message, c.needed, c.given)}}
		}
		if res.Rules != c.rules || len(res.GivenUp) != c.left || !slices.Equal(res.Findings, want) {
			t.Errorf("scope %q, %d such pages: %d rules, %d left, %v", c.scope, len(c.untagged), res.Rules,
				len(res.GivenUp), res.Findings)
		}
	}
	opt := robotstag.Task{Target: TargetCloudflare, Scope: robotstag.ScopeAll}
	if res, err := compile(nil, many, opt); err != nil || res.Rules != 91 {
		t.Errorf("scope all: %v, %d rules, want 91", err, res.Rules)
	}
	if _, err := compile(nil, slices.Concat(files, many), opt); !errors.Is(err, robotstag.ErrBudget) {
		t.Errorf("scope all: error %v, want robotstag.ErrBudget", err)
	}
	// Without a limit none is given up.
	res := compiled(t, "", many, robotstag.Task{Target: TargetNetlify})
	if res.Rules != 90 || len(res.GivenUp) > 0 {
		t.Errorf("netlify: %d rules, given up %q", res.Rules, res.GivenUp)
	}
}

// N6c: a page that is left to its tag has no header that opens previews.
func TestPortable_PagesWithoutRulesOpenNoPreviews(t *testing.T) {
	pages := each(150, "u%d.html", "gptbot: noarchive")
	for i := range pages {
		pages[i].HTML, pages[i].Untagged = false, true
	}
	res := compiled(t, "", pages, robotstag.Task{Target: TargetPortable})
	if len(res.GivenUp) != 150 || ids(res.Findings) != "header-budget/warning" {
		t.Errorf("%d given up, %v", len(res.GivenUp), res.Findings)
	}
	pages = append(pages, each(1, "f%d.pdf", "noarchive")...)
	res = compiled(t, "", pages, robotstag.Task{Target: TargetPortable})
	if ids(res.Findings) != "header-budget/warning header-preview/warning" ||
		!strings.HasPrefix(res.Findings[1].Text(), "1 file has") {
		t.Errorf("with a PDF: %v", res.Findings)
	}
}

// N6c: files that can have no rule, and get no header, open no previews. Netlify takes both names
// for one.
func TestPortable_FilesWithoutRulesOpenNoPreviews(t *testing.T) {
	res := compiled(t, "", []robotstag.Want{file("a.pdf", "noarchive"), file("A.pdf", "nosnippet")},
		robotstag.Task{Target: TargetPortable})
	if ids(res.Findings) != "header-overlap/error header-overlap/error" || res.Rules != 0 {
		t.Errorf("%d rules, %v", res.Rules, res.Findings)
	}
}

// N2b: a page that can have no rule is no error if it is left to its tags, since the rules of the
// others do not fit.
func TestCloudflare_PagesLeftToTheirTagsMissNothing(t *testing.T) {
	pages := append(each(150, "u%d.html", "noarchive"), file("long.html", strings.Repeat("x", 2001)))
	for i := range pages {
		pages[i].HTML, pages[i].Untagged = false, true
	}
	res := compiled(t, "", pages, robotstag.Task{Target: TargetCloudflare})
	if ids(res.Findings) != "header-budget/warning" || len(res.Missed) != 0 || len(res.GivenUp) != 151 {
		t.Errorf("missed %q, %d given up, %v", res.Missed, len(res.GivenUp), res.Findings)
	}
	res, err := compile(nil, pages[150:], robotstag.Task{Target: TargetCloudflare})
	if err != nil || ids(res.Findings) != "header-value/error" || len(res.Missed) != 1 {
		t.Errorf("alone: %v, missed %q, %v", err, res.Missed, res.Findings)
	}
}

// A user's file over the limit is not ours to mend, but our rules would not be read.
func TestCloudflare_NothingAfterTheUsersHundred(t *testing.T) {
	user := numbered(100, "/u%d\n  X: y\n")
	opt := robotstag.Task{Target: TargetCloudflare}
	if _, err := compile([]byte(user), many(1, "f%d.pdf", "noindex"), opt); !errors.Is(err, robotstag.ErrBudget) {
		t.Errorf("a file: error %v, want robotstag.ErrBudget", err)
	}
	res := compiled(t, user, many(1, "p%d.html", "noindex"), opt)
	if string(res.File) != user || len(res.GivenUp) != 1 {
		t.Errorf("a page: given up %q, want it left to its tag", res.GivenUp)
	}
}

func TestHouse_UserLinesKeptByteForByte(t *testing.T) {
	wants := []robotstag.Want{
		file("a.pdf", "noindex"),
		file("b.pdf", "noindex, follow"),
		file("q/index.html", "noindex"),
	}
	users := []string{
		"", "\n", "\n\n", "# only a comment", "\ufeff/a.pdf\r\n  X: y\r\n\r\n", "/a.pdf\n  X: y",
		"/a.pdf\n\tX: y\n\n\n",
		"/a.pdf\r  X: y\r", "/a.pdf\n  X: y\n/a.pdf\r\n  X: z", "/b.pdf\n  X-Robots-Tag: noindex",
		"/b.pdf\r\n  X-Robots-Tag: noindex",
		"/b.pdf\n  X-Robots-Tag: noindex\n/a.pdf", "stray\n/q/\n  X: \xff\n", "/*/*\n  X: y\n",
	}
	for _, target := range []string{TargetPortable, TargetCloudflare, TargetNetlify} {
		for _, user := range users {
			res := tables.Value(compile([]byte(user), wants, robotstag.Task{Target: target}))(t)
			back, err := compile(res.File, nil, robotstag.Task{Target: target})
			if err != nil || string(back.File) != user {
				t.Errorf("%s: %q became %q, and came back as %q (%v)", target, user, res.File, back.File, err)
			}
			compiled(t, user, wants, robotstag.Task{Target: target})
		}
	}
}

// Our marks are known again after an editor rewrote the line ends.
func TestHouse_MarksSurviveOtherLineEnds(t *testing.T) {
	for _, user := range []string{"/a\n  X: y\n", "/b.pdf\n  X: y\n/a\n  X: z\n"} {
		res := compiled(t, user, []robotstag.Want{file("a.pdf", "noindex"), file("b.pdf", "noindex")},
			robotstag.Task{})
		crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
		if got := string(readUser([]byte(crlf(string(res.File)))).lines.Own()); got != crlf(user) {
			t.Errorf("%q came back as %q", crlf(user), got)
		}
	}
}

func TestHouse_NilOnlyWhereTheUserHasNoFile(t *testing.T) {
	if res, _ := compile(nil, nil, robotstag.Task{}); res.File != nil {
		t.Errorf("no file: %q, want nil", res.File)
	}
	if res, _ := compile([]byte{}, nil, robotstag.Task{}); res.File == nil || len(res.File) != 0 {
		t.Errorf("an empty file: %v, want it as it is", res.File)
	}
	if res, _ := compile([]byte(block1("/a", "  X-Robots-Tag: v")), nil, robotstag.Task{}); res.File != nil {
		t.Errorf("a file of ours alone: %q, want nil", res.File)
	}
}

func TestHouse_AnUnknownTargetIsAnError(t *testing.T) {
	if _, err := compile(nil, nil, robotstag.Task{Target: "nginx"}); err == nil {
		t.Error("an unknown target is no error")
	}
}

// N4a.
func TestHouse_SameInputSameBytes(t *testing.T) {
	wants := slices.Concat(many(30, "f%d.pdf", "noindex"), many(10, "p%d.html", "noindex"))
	first, _ := compile([]byte("/f3.pdf\n  X: y\n"), wants, robotstag.Task{})
	slices.Reverse(wants)
	second, _ := compile([]byte("/f3.pdf\n  X: y\n"), wants, robotstag.Task{})
	if !bytes.Equal(first.File, second.File) {
		t.Errorf("the order of the wants shows:\n%s\n%s", first.File, second.File)
	}
}

func TestHouse_FoundIsWhatTheUsersOwnRulesServe(t *testing.T) {
	user := "/blog/*\n  X-Robots-Tag: noindex\n" +
		"/blogx\n  X-Robots-Tag: nofollow\n  X-Robots-Tag: googlebot: none\n\n" +
		block1("/blogx", "  X-Robots-Tag: ours") + "https://h.example/*\n  X-Robots-Tag: noarchive\n"
	rows := []struct {
		target, path, host string
		want               string
	}{
		{TargetCloudflare, "blogx.html", "", "4 nofollow, 5 googlebot: none"},
		{TargetCloudflare, "blog/a.pdf", "", "2 noindex"},
		{TargetCloudflare, "blog/a.pdf", "h.example", "2 noindex, 12 noarchive"},
		{TargetCloudflare, "blog/a.pdf", "g.example", "2 noindex"},
		// The block above the full URL is the one of /blogx once ours is gone.
		{TargetNetlify, "blogx.html", "", "2 noindex, 4 nofollow, 5 googlebot: none, 12 noarchive"},
		{TargetPortable, "blogy.json", "", "2 noindex"},
		{TargetPortable, "other.json", "", ""},
		{TargetNone, "blogx.html", "", ""},
	}
	for _, row := range rows {
		u, err := readRules([]byte(user), robotstag.Task{Target: row.target, Host: row.host})
		if err != nil && row.target != TargetNone { // none has no file to read
			t.Fatal(err)
		}
		var got []string
		for _, v := range robotstag.Values(u.Sent(row.path, "")) {
			got = append(got, fmt.Sprint(v.Line, " ", v.Text))
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("Found(%s, %s, host %q) = %q, want %q", row.target, row.path, row.host, got, row.want)
		}
	}
}

// hardNames are 786 files whose names have characters that mean more to one host or the other.
// wanted says which are to have a header.
func hardNames(wanted func(i int) bool) (wants []robotstag.Want) {
	names := []string{"n%02d-Bat:Foo.pdf", "n%02d-Cat:Foo.pdf", "n%02d-[draft].pdf", "n%02d-it's.pdf",
		"n%02d-100%%.pdf",
		"n%02d-Caps.PDF", "n%02d-say \"x\".pdf", "n%02d-a+b.pdf", "n%02d-a, b.txt", "n%02d-größe.pdf",
		"n%02d-x=y&z.zip"}
	for i := 0; len(wants) < 786; i++ {
		name := fmt.Sprintf([]string{"mixed/", "Mixed (old)/", ""}[i%3]+names[i%len(names)], i/len(names))
		w := file(name)
		if wanted(i) {
			w = file(name, "noindex")
		}
		wants = append(wants, w)
	}
	return wants
}

// A hard name has its rule, or an error where Cloudflare would take it for a wildcard: no file is
// left out in silence. N4d.
func TestHouse_HardNamesHaveRulesOrErrors(t *testing.T) {
	for _, target := range []string{TargetPortable, TargetCloudflare, TargetNetlify} {
		o := robotstag.Task{Target: target}
		wants := hardNames(func(i int) bool { return i%20 == 0 })
		res := compiled(t, "", wants, o)
		for _, w := range wants {
			wild := len(w.Values) > 0 && strings.Contains(w.Path, ":") && target != TargetNetlify
			if slices.Contains(res.Missed, w.Path) != wild {
				t.Errorf("%s: %s missed %t, want %t", target, w.Path, !wild, wild)
			}
		}
	}
}

// A file to which the user's own rule gives its value on Netlify alone needs a rule of ours on
// Cloudflare, which opens its previews to the index (N6c).
func TestHouse_PreviewsAreReportedWhereOneHostNeedsOurRule(t *testing.T) {
	for user, want := range map[string]int{
		"/[ab]*\n  X-Robots-Tag: noarchive\n": 1, "/a*\n  X-Robots-Tag: noarchive\n": 0} {
		w := robotstag.Want{Path: "a.pdf", URL: "/a.pdf", Values: []string{"noarchive"}, Found: true}
		res, err := Compile([]byte(user), []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: []robotstag.Want{w}}},
			robotstag.Task{Target: TargetPortable})
		if err != nil || len(res.Findings) != want || want > 0 && res.Findings[0].ID != "header-preview" {
			t.Errorf("%s: %v, %v, want %d\n%s", user, res.Findings, err, want, res.File)
		}
	}
}
