package robotstxt

import (
	"slices"
	"strings"
	"testing"
)

// expectation is one question to a file: a + before the URL, or the path, says that it may be fetched, a - that not.
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

// groups is the file of two tests below.
const groups = "allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\nuser-agent: BarBot\ndisallow: " +
	"/\nallow: /y/\n\n\nallow: /w/\nuser-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n"

const (
	foo    = "user-agent: FooBot\n"
	closed = foo + "disallow: /\n"
	camel  = "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n"
)

// The expectations of Google's own tests, https://github.com/google/robotstxt/blob/master/robots_test.cc, as a table;
// the names are those of its tests.
var googleTable = []expectation{
	{"SystemTest: nothing", "", "FooBot", "+"},
	{"SystemTest: no agent", closed, "", "+"},
	{"SystemTest: no url", closed, "FooBot", "-"},
	{"SystemTest: nothing at all", "", "", "+"},

	{"LineSyntax_Line: correct", closed, "FooBot", "-http://foo.bar/x/y"},
	{"LineSyntax_Line: incorrect", "foo: FooBot\nbar: /\n", "FooBot", "+http://foo.bar/x/y"},
	{"LineSyntax_Line: accepted", "user-agent FooBot\ndisallow /\n", "FooBot", "-http://foo.bar/x/y"},

	{"LineSyntax_Groups", groups, "FooBot", "+http://foo.bar/x/b +http://foo.bar/z/d -http://foo.bar/y/c " +
		"-http://foo.bar/foo/bar/"},
	{"LineSyntax_Groups", groups, "BarBot", "+http://foo.bar/y/c +http://foo.bar/w/a -http://foo.bar/z/d " +
		"-http://foo.bar/foo/bar/"},
	{"LineSyntax_Groups", groups, "BazBot", "+http://foo.bar/z/d -http://foo.bar/foo/bar/"},

	{"Groups_OtherRules: sitemap", "User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /\n",
		"FooBot", "-http://foo.bar/"},
	{"Groups_OtherRules: sitemap", "User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /\n",
		"BarBot", "-http://foo.bar/"},
	{"Groups_OtherRules: unknown", "User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /\n",
		"FooBot", "-http://foo.bar/"},
	{"Groups_OtherRules: unknown", "User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /\n",
		"BarBot", "-http://foo.bar/"},

	{"REPLineNamesCaseInsensitive: upper", "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n", "FooBot",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"REPLineNamesCaseInsensitive: lower", "user-agent: FooBot\nallow: /x/\ndisallow: /\n", "FooBot",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"REPLineNamesCaseInsensitive: camel", camel, "FooBot", "+http://foo.bar/x/y -http://foo.bar/a/b"},

	{"UserAgentValueCaseInsensitive", "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n", "Foo",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"UserAgentValueCaseInsensitive", "User-Agent: foo bar\nAllow: /x/\nDisallow: /\n", "Foo",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"UserAgentValueCaseInsensitive", "User-Agent: FoO bAr\nAllow: /x/\nDisallow: /\n", "Foo",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"UserAgentValueCaseInsensitive", "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n", "foo",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"UserAgentValueCaseInsensitive", "User-Agent: foo bar\nAllow: /x/\nDisallow: /\n", "foo",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},
	{"UserAgentValueCaseInsensitive", "User-Agent: FoO bAr\nAllow: /x/\nDisallow: /\n", "foo",
		"+http://foo.bar/x/y -http://foo.bar/a/b"},

	{"AcceptUserAgentUpToFirstSpace", "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n",
		"Foo", "+http://foo.bar/x/y"},
	{"AcceptUserAgentUpToFirstSpace", "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n",
		"Foo Bar", "-http://foo.bar/x/y"},

	{"GlobalGroups_Secondary: empty", "", "FooBot", "+http://foo.bar/x/y"},
	{"GlobalGroups_Secondary: global", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n", "FooBot",
		"-http://foo.bar/x/y"},
	{"GlobalGroups_Secondary: global", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n", "BarBot",
		"+http://foo.bar/x/y"},
	{"GlobalGroups_Secondary: specific", "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\nuser-agent: " +
		"BazBot\ndisallow: /\n", "QuxBot", "+http://foo.bar/x/y"},

	{"AllowDisallow_Value_CaseSensitive", foo + "disallow: /x/\n", "FooBot", "-http://foo.bar/x/y"},
	{"AllowDisallow_Value_CaseSensitive", foo + "disallow: /X/\n", "FooBot", "+http://foo.bar/x/y"},

	{"LongestMatch", foo + "disallow: /x/page.html\nallow: /x/\n", "FooBot", "-http://foo.bar/x/page.html"},
	{"LongestMatch", foo + "allow: /x/page.html\ndisallow: /x/\n", "FooBot",
		"+http://foo.bar/x/page.html -http://foo.bar/x/"},
	{"LongestMatch", foo + "disallow: \nallow: \n", "FooBot", "+http://foo.bar/x/page.html"},
	{"LongestMatch", foo + "disallow: /\nallow: /\n", "FooBot", "+http://foo.bar/x/page.html"},
	{"LongestMatch", foo + "disallow: /x\nallow: /x/\n", "FooBot", "-http://foo.bar/x +http://foo.bar/x/"},
	{"LongestMatch", foo + "disallow: /x/page.html\nallow: /x/page.html\n", "FooBot", "+http://foo.bar/x/page.html"},
	{"LongestMatch", foo + "allow: /page\ndisallow: /*.html\n", "FooBot", "-http://foo.bar/page.html " +
		"+http://foo.bar/page"},
	{"LongestMatch", foo + "allow: /x/page.\ndisallow: /*.html\n", "FooBot",
		"+http://foo.bar/x/page.html -http://foo.bar/x/y.html"},
	{"LongestMatch", "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n", "FooBot",
		"+http://foo.bar/x/page -http://foo.bar/y/page"},

	{"Encoding", closed + "Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n", "FooBot",
		"+http://foo.bar/foo/bar?qux=taz&baz=http://foo.bar?tar&par"},
	{"Encoding", closed + "Allow: /foo/bar/ツ\n", "FooBot", "+http://foo.bar/foo/bar/%E3%83%84 " +
		"-http://foo.bar/foo/bar/ツ"},
	{"Encoding", closed + "Allow: /foo/bar/%E3%83%84\n", "FooBot", "+http://foo.bar/foo/bar/%E3%83%84 " +
		"-http://foo.bar/foo/bar/ツ"},
	{"Encoding", closed + "Allow: /foo/bar/%62%61%7A\n", "FooBot", "-http://foo.bar/foo/bar/baz " +
		"+http://foo.bar/foo/bar/%62%61%7A"},

	{"SpecialCharacters: *", foo + "Disallow: /foo/bar/quz\nAllow: /foo/*/qux\n", "FooBot",
		"-http://foo.bar/foo/bar/quz +http://foo.bar/foo/quz +http://foo.bar/foo//quz +http://foo.bar/foo/bax/quz"},
	{"SpecialCharacters: $", foo + "Disallow: /foo/bar$\nAllow: /foo/bar/qux\n", "FooBot",
		"-http://foo.bar/foo/bar +http://foo.bar/foo/bar/qux +http://foo.bar/foo/bar/ +http://foo.bar/foo/bar/baz"},
	{"SpecialCharacters: #", foo + "# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n", "FooBot",
		"+http://foo.bar/foo/bar -http://foo.bar/foo/quz"},

	{"IndexHTMLisDirectory", "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n", "foobot",
		"+http://foo.com/allowed-slash/ -http://foo.com/allowed-slash/index.htm " +
			"+http://foo.com/allowed-slash/index.html -http://foo.com/anyother-url"},

	{"DocumentationChecks: /fish", closed + "allow: /fish\n", "FooBot",
		"-http://foo.bar/bar +http://foo.bar/fish +http://foo.bar/fish.html +http://foo.bar/fish/salmon.html " +
			"+http://foo.bar/fishheads +http://foo.bar/fishheads/yummy.html" +
			" +http://foo.bar/fish.html?id=anything -http://foo.bar/Fish.asp -http://foo.bar/catfish " +
			"-http://foo.bar/?id=fish"},
	{"DocumentationChecks: /fish*", closed + "allow: /fish*\n", "FooBot",
		"-http://foo.bar/bar +http://foo.bar/fish +http://foo.bar/fish.html +http://foo.bar/fish/salmon.html " +
			"+http://foo.bar/fishheads +http://foo.bar/fishheads/yummy.html" +
			" +http://foo.bar/fish.html?id=anything -http://foo.bar/Fish.bar -http://foo.bar/catfish " +
			"-http://foo.bar/?id=fish"},
	{"DocumentationChecks: /fish/", closed + "allow: /fish/\n", "FooBot",
		"-http://foo.bar/bar +http://foo.bar/fish/ +http://foo.bar/fish/salmon +http://foo.bar/fish/?salmon " +
			"+http://foo.bar/fish/salmon.html +http://foo.bar/fish/?id=anything" +
			" -http://foo.bar/fish -http://foo.bar/fish.html -http://foo.bar/Fish/Salmon.html"},
	{"DocumentationChecks: /*.php", closed + "allow: /*.php\n", "FooBot",
		"-http://foo.bar/bar +http://foo.bar/filename.php +http://foo.bar/folder/filename.php " +
			"+http://foo.bar/folder/filename.php?parameters +http://foo.bar//folder/any.php.file.html" +
			" +http://foo.bar/filename.php/ +http://foo.bar/index?f=filename.php/ -http://foo.bar/php/ " +
			"-http://foo.bar/index?php -http://foo.bar/windows.PHP"},
	{"DocumentationChecks: /*.php$", closed + "allow: /*.php$\n", "FooBot",
		"-http://foo.bar/bar +http://foo.bar/filename.php +http://foo.bar/folder/filename.php " +
			"-http://foo.bar/filename.php?parameters -http://foo.bar/filename.php/" +
			" -http://foo.bar/filename.php5 -http://foo.bar/php/ -http://foo.bar/filename?php " +
			"-http://foo.bar/aaaphpaaa -http://foo.bar//windows.PHP"},
	{"DocumentationChecks: /fish*.php", closed + "allow: /fish*.php\n", "FooBot",
		"-http://foo.bar/bar +http://foo.bar/fish.php +http://foo.bar/fishheads/catfish.php?parameters " +
			"-http://foo.bar/Fish.PHP"},
	{"DocumentationChecks: precedence", foo + "allow: /p\ndisallow: /\n", "FooBot", "+http://example.com/page"},
	{"DocumentationChecks: precedence", foo + "allow: /folder\ndisallow: /folder\n", "FooBot",
		"+http://example.com/folder/page"},
	{"DocumentationChecks: precedence", foo + "allow: /page\ndisallow: /*.htm\n", "FooBot",
		"-http://example.com/page.htm"},
	{"DocumentationChecks: precedence", foo + "allow: /$\ndisallow: /\n", "FooBot",
		"+http://example.com/ -http://example.com/page.html"},
}

func TestGoogle_Table(t *testing.T) {
	questions := 0
	for _, e := range googleTable {
		e.run(t)
		questions += len(strings.Fields(e.urls))
	}
	if questions != 140 {
		t.Errorf("%d questions, of 140", questions)
	}
}

// LineTooLong: what stands past 8 * 2083 - 1 bytes of a line is as if it were not there.
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
	for _, name := range []string{"Foobot", "Foobot-Bar", "Foo_Bar"} {
		if got := productToken(name); got != name {
			t.Errorf("productToken(%q) = %q", name, got)
		}
	}
	for _, name := range []string{"ツ", "Foobot*", " Foobot ", "Foobot/2.1", "Foobot Bar"} {
		if got := productToken(name); got == name {
			t.Errorf("%q is taken for a product token", name)
		}
	}
	if productToken("") != "" {
		t.Error("an empty name has a token")
	}
}

// counted returns how many lines Google knows, how many it does not, and the last line with either.
func counted(file string) (known, unknown, last int) {
	for _, l := range Parse([]byte(file)).Lines {
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
	return known, unknown, last
}

// LinesNumbersAreCountedCorrectly: LF, CRLF, CR, no last one, mixed.
func TestGoogle_LinesAreCounted(t *testing.T) {
	unix := "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n"
	for _, file := range []string{
		unix, strings.ReplaceAll(unix, "\n", "\r\n"), strings.ReplaceAll(unix, "\n", "\r"), strings.TrimSuffix(unix,
			"\n"),
		"User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /",
	} {
		if known, unknown, last := counted(file); known != 4 || unknown != 0 || last != 6 {
			t.Errorf("%q: %d known, %d unknown, last line %d", file, known, unknown, last)
		}
	}
}

// UTF8ByteOrderMarkIsSkipped, at the beginning alone, whole or cut off.
func TestGoogle_ByteOrderMark(t *testing.T) {
	for _, c := range []struct {
		file           string
		known, unknown int
	}{
		{"\xEF\xBB\xBFUser-Agent: foo\nAllow: /AnyValue\n", 2, 0},
		{"\xEF\xBBUser-Agent: foo\nAllow: /AnyValue\n", 2, 0},
		{"\xEFUser-Agent: foo\nAllow: /AnyValue\n", 2, 0},
		{"\xEF\x11\xBFUser-Agent: foo\nAllow: /AnyValue\n", 1, 1},
		{"User-Agent: foo\n\xEF\xBB\xBFAllow: /AnyValue\n", 1, 1},
	} {
		if known, unknown, _ := counted(c.file); known != c.known || unknown != c.unknown {
			t.Errorf("%q: %d known, %d unknown", c.file, known, unknown)
		}
	}
}

// NonStandardLineExample_Sitemap: it may stand anywhere.
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

// The tables of https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec that robots_test.cc has not.
var googleDocumentation = []expectation{
	{"order of precedence for user agents", precedence, "Googlebot-News", "-/1"},
	{"order of precedence for user agents", precedence, "Googlebot", "-/3 +/1 +/2"},
	{"order of precedence for user agents", precedence, "Googlebot-Image", "-/3 +/1 +/2"},
	{"order of precedence for user agents", precedence, "Otherbot", "-/2 +/1 +/3"},
	{"order of precedence for user agents", precedence, "Storebot-Google", "-/2 +/1 +/3"},
	{"ads crawlers ignore *", "user-agent: *\ndisallow: /\n", "AdsBot-Google", "+/"},
	{"ads crawlers ignore *", "user-agent: *\ndisallow: /\nuser-agent: adsbot-google\ndisallow: /x\n", "AdsBot-Google",
		"+/ -/x"},
	{"groups of one user agent are one", "user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\nuser-agent: " +
		"a\ndisallow: /g\n", "a", "-/c +/d -/g"},
	{"several user agents for one group", "user-agent: e\nuser-agent: f\ndisallow: /g\n", "e", "-/g"},
	{"several user agents for one group", "user-agent: e\nuser-agent: f\ndisallow: /g\n", "f", "-/g"},
	{"other lines between user agents", "user-agent: a\nsitemap: https://example.com/sitemap.xml\n\nuser-agent: " +
		"b\ndisallow: /\n", "a", "-/"},
	{"everything", closed, "FooBot", "-/ -/anything"},
	{"/* is /", foo + "disallow: /*\n", "FooBot", "-/ -/anything"},
	{"the end alone", foo + "disallow: /$\n", "FooBot", "-/ +/anything"},
	{"allow against disallow with a star", foo + "allow: /page\ndisallow: /*.ph\n", "FooBot", "+/page.php5"},
	{"precedence of equals", foo + "allow: /page\ndisallow: /*.ph\n", "FooBot", "+/page.ph"},
}

const precedence = "user-agent: googlebot-news\ndisallow: /1\n\nuser-agent: *\ndisallow: /2\n\nuser-agent: " +
	"googlebot\ndisallow: /3\n"

func TestGoogle_Documentation(t *testing.T) {
	for _, e := range googleDocumentation {
		e.run(t)
	}
}

// The examples of RFC 9309, section 5 and 2.2.
func TestRFC9309_Examples(t *testing.T) {
	simple := "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\nUser-Agent: " +
		"foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
		"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n"
	for _, e := range []expectation{
		{"5.1", simple, "any", "-/x.gif -/example/page.html +/publications/x +/x.png +/x.gif?q"},
		{"5.1", simple, "foobot", "-/ +/example/page.html +/example/allowed.gif -/example/other -/publications/"},
		{"5.1", simple, "barbot", "-/example/page.html +/example/ +/x.gif"},
		{"5.1", simple, "bazbot", "-/example/page.html +/example/ +/x.gif"},
		{"5.1", simple, "quxbot", "+/example/page.html +/x.gif +/"},
		{"5.2 longest match", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n",
			"foobot", "-/example/page/disallowed.gif +/example/page/"},
		{"2.2.1 merged groups", "User-Agent: ExampleBot\nDisallow: /foo\nDisallow: /bar\n\nUser-Agent: " +
			"ExampleBot\nDisallow: /baz\n", "examplebot", "-/foo -/bar -/baz +/qux"},
		{"2.2.2 encoding", "User-Agent: *\nDisallow: /foo/bar?baz=quz\nDisallow: /a?b=http://foo.bar\nDisallow: " +
			"/foo/bar/ツ\n", "any", "-/foo/bar?baz=quz -/a?b=http://foo.bar -/foo/bar/%E3%83%84"},
		{"2.2.3 end", "User-Agent: *\nAllow: /this/path/exactly$\nDisallow: /\n", "any",
			"+/this/path/exactly -/this/path/exactly/ -/this/path"},
		{"2.2.3 any", "User-Agent: *\nAllow: /this/*/exactly\nDisallow: /\n", "any",
			"+/this/path/exactly +/this/a/b/exactly/x -/this/path"},
		{"2.2.3 special characters in a URI", "User-Agent: *\nDisallow: /path/file-with-a-%2A.html\nDisallow: " +
			"/path/foo-%24\n", "any", "-/path/file-with-a-%2A.html -/path/foo-%24 +/path/file-with-a-b.html"},
		{"2.2.4 other records", "User-Agent: a\nSitemap: https://www.example.com/sitemap.xml\nUser-Agent: " +
			"b\nDisallow: /\n", "a", "-/"},
	} {
		e.run(t)
	}
}

// The deciding line is that of Google's matching_line: the longest rule, Allow before Disallow, the first of equals.
func TestGoogle_DecidingLine(t *testing.T) {
	file := "User-agent: *\r\nDisallow: /a/   # why\r\ndissallow /a/\r\nALLOW:/a/b/\r\n\r\nUser-agent: " +
		"none\r\nDisallow:\r\nUser-agent: foo\r\nDisallow: /\r\nAllow: /\r\nAllow: /d/index.html"
	f := Parse([]byte(file))
	for _, c := range []struct {
		agent, path string
		want        Verdict
	}{
		{"x", "/a/c", Verdict{false, 2, "Disallow: /a/", "*"}},
		{"x", "/a/b/c", Verdict{true, 4, "Allow: /a/b/", "*"}},
		{"x", "/b", Verdict{true, 0, "", "*"}},
		{"NONE", "/a/c", Verdict{true, 7, "Disallow:", "none"}},
		{"foo", "/x", Verdict{true, 10, "Allow: /", "foo"}},
		{"foo", "/d/", Verdict{true, 11, "Allow: /d/index.html", "foo"}},
		{"adsbot-google", "/a/c", Verdict{Allowed: true}},
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
