package robotstxt

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"metarobots/internal/tables"
)

// expectation is one question to a file: a + before the URL, or the path, says that it may be
// fetched, a - that not.
type expectation struct {
	name, file, agent, urls string
}

func (e expectation) run(t *testing.T) {
	t.Helper()
	f := Parse([]byte(e.file))
	for _, u := range strings.Fields(e.urls) {
		want := u[0] == '+'
		if got := f.Ask(e.agent, u[1:]); got.Allowed != want {
			t.Errorf("%s: %s at %q: %+v, want allowed %v\n%s", e.name, e.agent, u[1:], got, want, clip(e.file))
		}
	}
}

// questions reads an archive of files, each below lines of who asks for what.
func questions(t testing.TB, archive string) (all []expectation) {
	t.Helper()
	a := tables.Value(txtar.ParseFile("testdata/" + archive + ".txtar"))(t)
	for _, f := range a.Files {
		var asked []expectation
		text := string(f.Data)
		for {
			line, rest, _ := strings.Cut(text, "\n")
			agent, urls, ok := strings.Cut(line, " |")
			if !ok {
				break
			}
			asked, text = append(asked, expectation{name: f.Name, agent: agent, urls: urls}), rest
		}
		for _, e := range asked {
			e.file = text
			all = append(all, e)
		}
	}
	return all
}

const (
	foo    = "user-agent: FooBot\n"
	closed = foo + "disallow: /\n"
)

// The expectations of Google's own tests,
// https://github.com/google/robotstxt/blob/master/robots_test.cc; the names are those of its tests.
func TestGoogle_Table(t *testing.T) {
	asked := 0
	for _, e := range questions(t, "google") {
		e.run(t)
		asked += len(strings.Fields(e.urls))
	}
	if asked != 140 {
		t.Errorf("%d questions, of 140", asked)
	}
}

// LineTooLong: nobody reads what comes after 8 * 2083 - 1 bytes of a line.
func TestGoogle_LongLinesAreCut(t *testing.T) {
	long := func(key, letter string) string {
		n := 2083*8 - len(key) - len("\n") - len("/x/") + 1
		return "/x/" + strings.Repeat(letter, n-len("/x/")+2)
	}
	d := long("disallow: ", "a")
	cut := foo + "disallow: " + d + "/qux\n"
	expectation{"disallow", cut, "FooBot", "+http://foo.bar/fux -http://foo.bar" + d + "/fux"}.run(t)
	a, b := long("allow: ", "a"), long("allow: ", "b")
	both := closed + "allow: " + a + "/qux\nallow: " + b + "/qux\n"
	expectation{"allow", both, "FooBot", "-http://foo.bar/ +http://foo.bar" + a + "/qux +http://foo.bar" +
		b + "/fux"}.run(t)
}

// VerifyValidUserAgentsToObey.
func TestGoogle_ProductTokens(t *testing.T) {
	for name, want := range map[string]string{"Foobot": "Foobot", "Foobot-Bar": "Foobot-Bar", "Foo_Bar": "Foo_Bar",
		"": "", "ツ": "", "Foobot*": "Foobot", " Foobot ": "", "Foobot/2.1": "Foobot", "Foobot Bar": "Foobot"} {
		if got := productToken(name); got != want {
			t.Errorf("productToken(%q) = %q, want %q", name, got, want)
		}
	}
}

// LinesNumbersAreCountedCorrectly: LF, CRLF, CR, no last one, mixed. UTF8ByteOrderMarkIsSkipped, at
// the beginning alone, whole or cut off.
func TestGoogle_LinesAreCounted(t *testing.T) {
	unix := "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n"
	for _, c := range []struct {
		file                 string
		known, unknown, last int // how many lines Google knows, how many it does not, and the last with either
	}{
		{unix, 4, 0, 6},
		{strings.ReplaceAll(unix, "\n", "\r\n"), 4, 0, 6},
		{strings.ReplaceAll(unix, "\n", "\r"), 4, 0, 6},
		{strings.TrimSuffix(unix, "\n"), 4, 0, 6},
		{"User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /", 4, 0, 6},
		{"\xEF\xBB\xBFUser-Agent: foo\nAllow: /AnyValue\n", 2, 0, 2},
		{"\xEF\xBBUser-Agent: foo\nAllow: /AnyValue\n", 2, 0, 2},
		{"\xEFUser-Agent: foo\nAllow: /AnyValue\n", 2, 0, 2},
		{"\xEF\x11\xBFUser-Agent: foo\nAllow: /AnyValue\n", 1, 1, 2},
		{"User-Agent: foo\n\xEF\xBB\xBFAllow: /AnyValue\n", 1, 1, 2},
	} {
		known, unknown, last := 0, 0, 0
		for _, l := range Parse([]byte(c.file)).Lines {
			switch l.Kind {
			case Blank, Unread:
				continue
			case Other:
				unknown++
			default:
				known++
			}
			last = l.Number
		}
		if known != c.known || unknown != c.unknown || last != c.last {
			t.Errorf("%q: %d known, %d unknown, last line %d", c.file, known, unknown, last)
		}
	}
}

// NonStandardLineExample_Sitemap: it may be anywhere in the file.
func TestGoogle_SitemapsAnywhere(t *testing.T) {
	rest := "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\n"
	line := "Sitemap: http://foo.bar/sitemap.xml\n"
	for _, file := range []string{rest + line, line + rest} {
		if got := Parse([]byte(file)).Sitemaps(); len(got) != 1 || got[0].Value != "http://foo.bar/sitemap.xml" {
			t.Errorf("%q: %v", file, got)
		}
	}
}

// TestGetPathParamsQuery.
func TestGoogle_PathOfURL(t *testing.T) {
	for url, want := range map[string]string{
		"": "/", "http://www.example.com": "/", "http://www.example.com/": "/", "http://www.example.com/a": "/a",
		"http://www.example.com/a/":                   "/a/",
		"http://www.example.com/a/b?c=http://d.e/":    "/a/b?c=http://d.e/",
		"http://www.example.com/a/b?c=d&e=f#fragment": "/a/b?c=d&e=f",
		"example.com": "/", "example.com/": "/", "example.com/a": "/a", "example.com/a/": "/a/",
		"example.com/a/b?c=d&e=f#fragment": "/a/b?c=d&e=f",
		"a":                                "/", "a/": "/", "/a": "/a", "a/b": "/b", "example.com?a": "/?a",
		"example.com/a;b#c": "/a;b",
		"//a/b/c":           "/b/c",
	} {
		if got := Path(url); got != want {
			t.Errorf("Path(%q) = %q, want %q", url, got, want)
		}
	}
}

// TestMaybeEscapePattern.
func TestGoogle_Escape(t *testing.T) {
	for in, want := range map[string]string{"http://www.example.com": "http://www.example.com", "/a/b/c": "/a/b/c",
		"á": "%C3%A1", "%aa": "%AA"} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

// The tables of https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec that
// robots_test.cc has not, and the examples of RFC 9309, section 5 and 2.2.
func TestGoogle_SpecificationAndRFC9309(t *testing.T) {
	for _, e := range append(questions(t, "specification"), questions(t, "rfc9309")...) {
		e.run(t)
	}
}

// The deciding line is that of Google's matching_line: the longest rule, Allow before Disallow, the
// first of equals.
func TestGoogle_DecidingLine(t *testing.T) {
	file := "User-agent: *\r\nDisallow: /a/   # why\r\ndissallow /a/\r\nALLOW:/a/b/\r\n\r\nUser-agent: " +
		"none\r\nDisallow:\r\nUser-agent: foo\r\nDisallow: /\r\nAllow: /\r\nAllow: /d/index.html"
	f := Parse([]byte(file))
	for _, c := range []struct {
		agent, path string
		want        Access
	}{
		{"x", "/a/c", Access{false, 2, "Disallow: /a/", "*", Source{}}},
		{"x", "/a/b/c", Access{true, 4, "Allow: /a/b/", "*", Source{}}},
		{"x", "/b", Access{true, 0, "", "*", Source{}}},
		{"NONE", "/a/c", Access{true, 7, "Disallow:", "none", Source{}}},
		{"foo", "/x", Access{true, 10, "Allow: /", "foo", Source{}}},
		{"foo", "/d/", Access{true, 11, "Allow: /d/index.html", "foo", Source{}}},
		{"adsbot-google", "/a/c", Access{Allowed: true}},
	} {
		if got := f.Ask(c.agent, c.path); got != c.want {
			t.Errorf("%s %s: %+v, want %+v", c.agent, c.path, got, c.want)
		}
	}
	if got := f.Agents(); !slices.Equal(got, []string{"*", "none", "foo"}) {
		t.Errorf("agents %q", got)
	}
}

// Google reads 500 KiB, and a line up to a NUL.
func TestGoogle_CutFiles(t *testing.T) {
	fill := strings.Repeat("# fill\n", MaxSize/7+1)[:MaxSize-len(closed)]
	expectation{"last line within", fill[:len(fill)-1] + "\n" + closed, "FooBot", "-/"}.run(t)
	expectation{"all but the last line end", fill + "\n" + foo + "disallow: /\n", "FooBot", "-/"}.run(t)
	expectation{"cut in a line", fill + strings.Repeat("\n", len(closed)-len(foo)) + foo + "disallow: /\n", "FooBot",
		"+/"}.run(t)
	expectation{"NUL", foo + "disallow: /x\x00y\n", "FooBot", "-/x"}.run(t)
}
