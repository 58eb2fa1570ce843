package servers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Other headers of tests.
var (
	linkHeader  = robotstag.Header{Name: "Link", Join: true}
	usageHeader = robotstag.Header{Name: "Content-Usage"}
)

// compileAll is [Format.Compile] for a target and some headers.
func compileAll(target string, user []byte, demands []robotstag.Demand, o robotstag.Task) (robotstag.Result, error) {
	res, err := formats[target].Compile(begun(target, user), demands, based(target, o))
	if err != nil {
		return res, err
	} else if wrong := formats[target].Verify(res, demands, based(target, o)); len(wrong) > 0 {
		return res, fmt.Errorf("the proof fails: %+v\n%s", wrong, res.File)
	}
	return res, nil
}

// begun is a file, or what a host takes where there is none: Firebase deploys no site without
// "hosting".
func begun(target string, file []byte) []byte {
	if target == "firebase" && len(file) == 0 {
		return []byte(`{"hosting": {}}`)
	}
	return file
}

// otherValues are values that a configuration can trip over.
var otherValues = map[string][]string{
	"Link": {`<https://a.test/p/>; rel="canonical"`, `<https://a.test/p/?a=1&b=%20;,'~^*>; rel="canonical"`,
		`<https://a.test/%7B%22>; rel=canonical; title="a \"b\" \\ c"`, `</a.css>; rel=preload`, `</a>`,
		`<https://a.test/$1>; rel="canonical"`, `<https://a.test/{path}>; rel=canonical`, "<https://a.test/`>; x=\"\\\\\"",
		`<${HOME}>`, `<%{HTTP_HOST}e%%>`, `<:path*>; rel="{http.request.uri}"`, `expr=%{REQUEST_URI}`, `a\`, `'`, `"`,
		`} X-Evil "a`, `x";`, `\n`, `\\t`, `"# a`, `"" "env=b`, `<é>`, "a\nX-Evil: b"},
	"Content-Usage": {"train-ai=n", "search=y, train-ai=n", `a="\\"`, "-", "1", "true", "?1", "01", "~a", "default"},
	"X-Any":         {"a", `"`, "{", "0.10", "$a"},
}

// The other headers of a file are served whole or not at all, beside what the owner's rules say; a
// file that goes without is named. X-Robots-Tag is served as if there were none (H4i, H5), and
// where no file wants any, the bytes are those of X-Robots-Tag alone.
func TestLaw_OtherHeadersWholeOrNotAtAll(t *testing.T) {
	for _, target := range targets {
		files := slices.Concat(users[target], owners(t, target, "robots"), owners(t, target, "others"))
		t.Run(target, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				user := []byte(rapid.SampledFrom(files).Draw(t, "user"))
				own := tables.Value(readUser(target, user))(t)
				wants := someSite(t, own)
				wants = wants[:min(len(wants), 30)]
				demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}
				for _, h := range []robotstag.Header{usageHeader, linkHeader, {Name: "X-Any"}} {
					demands = append(demands, robotstag.Demand{Header: h, Wants: someOther(t, h, wants)})
				}
				o := someOptions(t)
				if slices.Contains(knowingHosts, target) && rapid.Bool().Draw(t, "own") {
					o.Own = homes
				}
				checkOthers(t, target, user, demands, o)
			})
		})
	}
}

// someOther draws what files want of another header: most of them nothing.
func someOther(t *rapid.T, h robotstag.Header, wants []robotstag.Want) []robotstag.Want {
	others := slices.Clone(wants)
	for i := range others {
		w := &others[i]
		w.Values, w.Found = nil, false
		values := otherValues[h.Name]
		n := rapid.IntRange(-len(values), len(values)-1).Draw(t, h.Name)
		if n >= 0 {
			w.Values = values[n : n+1]
		}
		if h.Join && n > 5 && n%3 == 0 {
			w.Values = values[n-2 : n]
		}
	}
	return others
}

func checkOthers(t *rapid.T, target string, user []byte, demands []robotstag.Demand, o robotstag.Task) {
	res, err := compileAll(target, user, demands, o)
	if errors.Is(err, robotstag.ErrBudget) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	alone, err := compile(target, user, demands[0].Wants, o)
	if err != nil || !slices.Equal(alone.Missed, res.Missed) || !slices.Equal(alone.GivenUp, res.GivenUp) {
		t.Fatalf("%v: X-Robots-Tag alone misses %q, with others %q", err, alone.Missed, res.Missed)
	}
	silent := []robotstag.Demand{demands[0], {Header: linkHeader, Wants: slices.Clone(demands[0].Wants)}}
	for i := range silent[1].Wants {
		silent[1].Wants[i].Values = nil
	}
	if same, err := compileAll(target, user, silent, o); err != nil || string(same.File) != string(alone.File) {
		t.Fatalf("%v: without other headers\n%s\nwant\n%s", err, same.File, alone.File)
	}
	for _, p := range verify(target, res.File, demands[0].Wants, o, res.GivenUp) {
		if !slices.Contains(res.Missed, p.URL) {
			t.Fatalf("%+v\n%s", p, res.File)
		}
	}
	for _, d := range demands[1:] {
		for _, wrong := range verifyOther(target, user, res, d, o) {
			t.Fatalf("%s\n%+v\n%s", wrong, res.Findings, res.File)
		}
		said := slices.ContainsFunc(res.Findings, func(f policy.Finding) bool {
			return f.ID == "header-lost" && strings.HasPrefix(f.Text(), "no "+d.Header.Name+" for ")
		})
		if said != (len(res.Lost[d.Header.Name]) > 0) || !slices.IsSorted(res.Lost[d.Header.Name]) {
			t.Fatalf("%q are lost, and %+v", res.Lost, res.Findings)
		}
	}
	again, err := compileAll(target, res.File, demands, o)
	if err != nil || !bytes.Equal(again.File, res.File) || again.Rules != res.Rules {
		t.Fatalf("a second run: %v\n%s\nfirst\n%s", err, again.File, res.File)
	}
	back, err := compileAll(target, res.File, demands[:1], o)
	same := bytes.Equal(back.File, alone.File) || target == "nginx" || alone.Rules == 0 && target == "caddy"
	if err != nil || !same {
		t.Fatalf("without the others again: %v\n%s\nX-Robots-Tag alone\n%s", err, back.File, alone.File)
	}
}

// verifyOther says what a finished file serves of another header where that is not what is wanted.
func verifyOther(target string, user []byte, res robotstag.Result, d robotstag.Demand,
	o robotstag.Task) (wrong []string) {
	m, err := readHost(target, res.File, d.Header)
	before, broken := readHost(target, user, d.Header)
	if err = errors.Join(err, broken); err != nil {
		return []string{err.Error()}
	}
	serves, base := pathsOf(target, res.File), strings.TrimRight(based(target, o).Base, "/")
	owners := serves.owners(base, d.Wants, func(int, int) bool { return false })
	for i, w := range d.Wants {
		if w.Free {
			continue
		}
		lost := slices.Contains(res.Lost[d.Header.Name], w.Path)
		certain, maybe := serves.paths(w.Path)
		for _, path := range append(certain, maybe...) {
			if owners[base+path] != i {
				continue
			}
			for k, r := range m.readings {
				if r.comparison.spell == nil && r.lookUp == nil && strings.Contains(path, "%") {
					continue // see alike
				}
				got, was := r.answer(base+path), before.readings[k].answer(base+path)
				if got.isRedirect {
					continue
				}
				want := was.texts()
				if all := append(want, w.Values...); !lost && members(all) != members(want) {
					want = w.Values
				}
				if members(got.texts()) != members(want) {
					wrong = append(wrong, fmt.Sprintf("%s: %s %q, want %q", path, d.Header.Name, got.texts(), want))
				}
			}
		}
	}
	return wrong
}

// members are those of a list, sorted, each once.
func members(lines []string) string {
	all := strings.Split(strings.Join(lines, ", "), ", ")
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// Other headers get what X-Robots-Tag leaves of a host's limit, in their order, of links the
// canonical ones first, and every file that goes without is named (H5b).
func TestHouse_OtherHeadersGetWhatIsLeft(t *testing.T) {
	limits := map[string]int{"vercel": vercel.limit.most, "azure": 0, "amplify": 0, "firebase": 0, "apache": 0}
	for target, most := range limits {
		robots, links := many(100, "a/%d.pdf"), many(1300, "a/%d.pdf")
		usage := many(100, "a/%d.pdf")
		robots = append(robots, links[100:]...)
		for i := range links {
			if i >= 100 {
				robots[i].Values = nil
			}
			links[i].Values = []string{fmt.Sprintf(`<https://a.test/%d>; rel="canonical"`, i)}
			if i%2 == 0 {
				links[i].Values = []string{"</same>"}
			}
		}
		for i := range usage {
			usage[i].Values = []string{"train-ai=n"}
		}
		demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: robots},
			{Header: usageHeader, Wants: usage}, {Header: linkHeader, Wants: links}}
		res, err := compileAll(target, nil, demands, plain)
		if err != nil || most > 0 && res.Rules > most || len(res.Missed) > 0 {
			t.Fatalf("%s: %v, %d rules, %q missed", target, err, res.Rules, res.Missed)
		}
		lost := res.Lost["Link"]
		few := target == "azure" || target == "amplify"
		if (len(lost) > 0) != few || few && !slices.Contains(lost, "a/0.pdf") || slices.Contains(lost, "a/1001.pdf") ||
			len(res.Lost) > 1 {
			t.Errorf("%s: %d files without Link, %+v", target, len(lost), res.Findings)
		}
		for _, d := range demands[1:] {
			if wrong := verifyOther(target, nil, res, d, plain); len(wrong) > 0 {
				t.Errorf("%s: %s", target, wrong[0])
			}
		}
		for _, p := range verify(target, res.File, robots, plain, nil) {
			t.Errorf("%s: %+v", target, p)
		}
	}
}

// The lines of a server's configuration that ask for a header stay valid after its last rule has
// gone.
func TestNginx_AVariableThatIsUsedStays(t *testing.T) {
	robots := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: many(1, "%d.pdf")}}
	links := robotstag.Demand{Header: linkHeader, Wants: []robotstag.Want{published("0.pdf", "</a>")}}
	first, err := compileAll("nginx", nil, append(robots, links), plain)
	if err != nil || !strings.Contains(string(first.File), "\n#   add_header Link $metarobots_link;\n") {
		t.Fatalf("%v\n%s", err, first.File)
	}
	again, err := compileAll("nginx", first.File, robots, plain)
	if text := string(again.File); err != nil || strings.Contains(text, "</a>") ||
		!strings.Contains(text, "map $uri $metarobots_link {\n    default \"\";\n}") {
		t.Errorf("%v\n%s", err, text)
	}
}

// What an owner's rule says of another header stays alone for the files that it reaches (H4h).
func TestHouse_TheOwnersLinkStaysAlone(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", `<https://a.test/b>; rel="canonical"`),
		published("b.pdf", "</b>; rel=next"), published("c.pdf", `<https://a.test/a>; rel=canonical`)}
	for target, user := range map[string]string{
		"vercel": `{"headers": [{"source": "/(.*)", "headers": [{"key": "Link", "value": ` +
			`"<https://a.test/a>; rel=canonical"}]}]}`,
		"apache": "Header set Link \"<https://a.test/a>; rel=canonical\"\n",
	} {
		demands := []robotstag.Demand{{Header: robotstag.XRobotsTag()}, {Header: linkHeader, Wants: wants}}
		res, err := compileAll(target, []byte(user), demands, plain)
		if err != nil || res.Rules != 0 || !slices.Equal(res.Lost["Link"], []string{"a.pdf", "b.pdf"}) ||
			!strings.Contains(res.Findings[0].Text(), "your rule in line 1 of the host's file has another value") {
			t.Errorf("%s: %v, %q, %+v\n%s", target, err, res.Lost, res.Findings, res.File)
		}
	}
}
