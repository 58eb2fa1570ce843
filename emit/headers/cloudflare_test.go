package headers

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// serves is one row: a file, and what requests get.
type serves struct {
	about string // section and case
	file  string
	host  string
	want  map[string]string // request path to X-Robots-Tag, "" for none
}

func runServes(t *testing.T, d *Dialect, rows []serves) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.about, func(t *testing.T) {
			f := d.Parse([]byte(row.file), robotstag.Name)
			for path, want := range row.want {
				if got := robotstag.Join(d.Values(f, row.host, path)); got != want {
					t.Errorf("%s serves %s with %q, want %q\n%s", d.Name(), path, got, want, row.file)
				}
			}
		})
	}
}

// rules builds a file of one-header blocks: path, value, path, value …
func rules(pv ...string) string {
	var b strings.Builder
	for i := 0; i < len(pv); i += 2 {
		b.WriteString(pv[i] + "\n  X-Robots-Tag: " + pv[i+1] + "\n")
	}
	return b.String()
}

// serve is the row of a file without a host: path, value, path, value …
func serve(about, file string, pv ...string) serves {
	s := serves{about: about, file: file, want: map[string]string{}}
	for i := 0; i < len(pv); i += 2 {
		s.want[pv[i]] = pv[i+1]
	}
	return s
}

// runArchive asks the rows of testdata/HOST.txtar and more: files below lines of a request and what
// it is served with, named by the section and the case.
func runArchive(t *testing.T, d *Dialect, more []serves) {
	archive := tables.Value(txtar.ParseFile("testdata/" + d.Name() + ".txtar"))(t)
	for _, f := range archive.Files {
		from, text := len(more), string(f.Data)
		for {
			line, rest, _ := strings.Cut(text, "\n")
			request, want, ok := strings.Cut(line, " |")
			if !ok {
				break
			}
			host, path, full := strings.Cut(strings.TrimPrefix(request, "https://"), "/")
			if path = "/" + path; !full {
				t.Fatalf("%s: %q", f.Name, line)
			}
			more, text = append(more, serves{f.Name, "", host, map[string]string{path: strings.TrimSpace(want)}}), rest
		}
		for i := range more[from:] {
			more[from+i].file = text
		}
	}
	runServes(t, d, more)
}

// runPatterns asks which requests a rule of a pattern matches, by the table of the host.
func runPatterns(t *testing.T, d *Dialect) {
	var rows []serves
	for _, c := range tables.Read(t, "testdata/"+d.Name()+".txt") {
		s := serve(c["about"], rules(c["pattern"], "v"))
		for _, p := range strings.Fields(c["matches"]) {
			s.want[p] = "v"
		}
		for _, p := range strings.Fields(c["no match"]) {
			s.want[p] = ""
		}
		rows = append(rows, s)
	}
	runServes(t, d, rows)
}

func TestCloudflare_SamePathTwiceKeepsSecond(t *testing.T) {
	f := Cloudflare.Parse([]byte("/a\n  X-Robots-Tag: one\n/*\n  X-Robots-Tag: all\n/a\n  X-Robots-Tag: two\n"), robotstag.Name)
	// The second block stands at the first one's place.
	if got := robotstag.Join(Cloudflare.Values(f, "", "/a")); got != "two, all" {
		t.Errorf("got %q, want %q", got, "two, all")
	}
	if f.Count != 3 || len(f.Rules) != 2 {
		t.Errorf("Count %d, kept %d; want 3, 2", f.Count, len(f.Rules))
	}
	if r := f.Rules[0]; r.Line != 5 || r.values[0].Line != 6 {
		t.Errorf("lines %d, %d; want those of the block that counts: 5, 6", r.Line, r.values[0].Line)
	}
	if len(f.Findings) != 1 || f.Findings[0].Line != 1 {
		t.Errorf("findings %v, want one for line 1", f.Findings)
	}
	for _, same := range [][2]string{{"/a#x", "/a"}, {"/a?y", "/a"}, {"/./a", "/a"}, {"/café", "/caf%C3%A9"}} {
		f := Cloudflare.Parse([]byte(rules(same[0], "one", same[1], "two")), robotstag.Name)
		if len(f.Rules) != 1 {
			t.Errorf("%s and %s are two rules, want one", same[0], same[1])
		}
	}
}

func TestCloudflare_Patterns(t *testing.T) { runPatterns(t, Cloudflare) }

// Rules that state X-Robots-Tag at another host are reported, and no others.
func TestCloudflare_RulesForOtherHostsAreReported(t *testing.T) {
	file := rules("https://h.example/a", "v", "/b", "w") + "https://other.example/*\n  X-Other: x\n"
	for host, want := range map[string]string{"": "1 header-host", "h.example": ""} {
		res, err := compile([]byte(file), nil, robotstag.Task{Target: TargetCloudflare, Host: host})
		var got []string
		for _, f := range res.Findings {
			got = append(got, fmt.Sprint(f.Line, " ", f.ID))
		}
		if err != nil || strings.Join(got, ", ") != want {
			t.Errorf("at host %q: findings %q, want %q (%v)", host, got, want, err)
		}
	}
}

// The rows were run on wrangler 4.164.0, pages dev and dev --assets
// (https://github.com/cloudflare/workers-sdk).
func TestCloudflare_Serves(t *testing.T) {
	long := func(n int) string { return strings.Repeat("p", n) }
	runArchive(t, Cloudflare, []serves{
		serve("6 blanks and tabs", "/a\n\tX-Robots-Tag : v\t\n", "/a", "v"),
		serve("6 no-break space as indent", "/a\n\u00a0X-Robots-Tag: v\n", "/a", "v"),
		serve("6 line of 2000", "/a\n  X-Robots-Tag: "+long(1986)+"\n", "/a", long(1986)),
		serve("6 line of 2001", "/a\n  X-Robots-Tag: "+long(1987)+"\n", "/a", ""),
		serve("6 path of 2001: its headers fall to the block above", rules("/pre", "pre", "/"+long(2000), "long"),
			"/pre", "pre, long"),
		serve("6 CRLF", "/a\r\n  X-Robots-Tag: v\r\n", "/a", "v"),
		serve("6 byte order mark", "\ufeff/a\n  X-Robots-Tag: v\n", "/a", "v"),
		serve("6 CR only", "/a\r  X-Robots-Tag: v\r", "/a", ""),
	})
}

// The check for the limit precedes the push of the open rule: 101 are kept.
func TestCloudflare_HundredRules(t *testing.T) {
	many := func(n int) string { return numbered(n, "/r%d\n  X-Robots-Tag: v\n") }
	for n, want := range map[int]int{100: 100, 101: 101, 102: 101, 150: 101} {
		f := Cloudflare.Parse([]byte(many(n)), robotstag.Name)
		if len(f.Rules) != want || f.Count != n || (f.Cut > 0) != (n > 101) {
			t.Errorf("%d rules: kept %d, counted %d, cut at line %d; want %d kept", n, len(f.Rules), f.Count, f.Cut,
				want)
		}
	}
	if f := Cloudflare.Parse([]byte(strings.Repeat("/no-headers\n", 50)+many(100)), robotstag.Name); f.Count != 100 {
		t.Errorf("rules without headers count: %d, want 100", f.Count)
	}
	if f := Cloudflare.Parse([]byte(strings.Repeat(rules("/same", "v"), 60)), robotstag.Name); f.Count != 60 || len(f.Rules) != 1 {
		t.Errorf("60 blocks of one path: counted %d, kept %d; want 60, 1", f.Count, len(f.Rules))
	}
}

func TestCloudflare_FindingsNameTheirLines(t *testing.T) {
	file := "X-Early: x\n/a\n  nocolon\n  X-Bad:\n  : v\n  a b: v\n  ! X-Robots-Tag\n/empty\n" +
		"/*/*\n  X: y\nhttps://h:80/x\n  X: y\n/e/:a/:a\n  X: y\n"
	var got []string
	for _, p := range Cloudflare.Parse([]byte(file), robotstag.Name).Findings {
		got = append(got, fmt.Sprint(p.Line))
	}
	if want := "1 3 4 5 6 8 9 11 13"; strings.Join(got, " ") != want {
		t.Errorf("findings at lines %v, want %s", got, want)
	}
}
