package head

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// crawlers asks for what the policy asks for.
func crawlers(name []byte) Kind {
	switch string(name) {
	case "robots", "googlebot", "bingbot", "otherbot":
		return Robots
	case "inertbot":
		return Inert
	}
	return None
}

func scan(src string) Facts {
	var s Scanner
	return s.Scan([]byte(src), crawlers)
}

// M2c.
func TestStandard_MetaFields(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       []Meta
	}{
		{"as written", `<meta name="robots" content=" NoIndex,nofollow ">`,
			[]Meta{{Name: "robots", Content: " NoIndex,nofollow ", HasContent: true, Start: 0, End: 49}}},
		{"no content", `<meta name=robots>`, []Meta{{Name: "robots", End: 18}}},
		{"empty content", `<meta name=robots content>`, []Meta{{Name: "robots", HasContent: true, End: 26}}},
		{"first content wins", `<meta content="" name=robots content=noindex>`,
			[]Meta{{Name: "robots", HasContent: true, End: 45}}},
		{"name trimmed and lower", "<meta name='\n ROBOTS\t'>", []Meta{{Name: "robots", End: 23}}},
		{"references", `<meta name=&#x72;obots content="a&amp;b&nbsp;&lt&copy=1&notit;&#128;">`,
			[]Meta{{Name: "robots", Content: "a&b\u00A0<&copy=1&notit;\u20AC", HasContent: true, End: 70}}},
		{"line ends and null", "<meta name=robots content='a\r\nb\rc\x00'>",
			[]Meta{{Name: "robots", Content: "a\nb\nc\uFFFD", HasContent: true, End: 36}}},
		{"several names, in order, head and body",
			`<meta name=googlebot><meta name=author><meta name=robots>x<meta name=bingbot>`,
			[]Meta{{Name: "googlebot", End: 21}, {Name: "robots", Start: 39, End: 57},
				{Name: "bingbot", Start: 58, End: 77, Body: true}}},
		{"a kelvin sign is no k", "<meta name=\u212Aobots>", nil},
		{"not asked", `<meta name=google><meta name=pinterest><meta name=robots.txt><meta name="">`, nil},
	} {
		for i := range c.want {
			c.want[i].Line = 1
		}
		if got := scan(c.page).Robots; len(got)+len(c.want) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v\n%q", c.name, got, c.want, c.page)
		}
	}
}

// One scan separates the names that crawlers read from those that none reads. A tag that names both
// counts as both.
func TestHouse_InertNamesAreToldApart(t *testing.T) {
	const page = "<head><meta name=inertbot content=noindex>\n<meta name=robots><meta name=inertbot property=robots>\n" +
		"</head><p><meta property=InertBot><template><meta name=inertbot></template>"
	f := scan(page)
	said := func(metas []Meta) (s string) {
		for _, m := range metas {
			s += fmt.Sprintf("%s:%d:%v ", m.Name, m.Line, m.Body)
		}
		return s
	}
	if got, want := said(f.Robots), "robots:2:false robots:2:false "; got != want {
		t.Errorf("robots: got %q, want %q", got, want)
	}
	if got, want := said(f.Inert), "inertbot:1:false inertbot:2:false inertbot:3:true "; got != want {
		t.Errorf("inert: got %q, want %q", got, want)
	}
	want := strings.Replace(strings.Replace(page, "<meta name=robots>", "", 1), "<meta name=inertbot property=robots>",
		"", 1)
	if got := string(f.rewrite(nil, []byte(page), nil)); got != want {
		t.Errorf("inert metas stay: got %q, want %q", got, want)
	}
	if f := scan("<p><meta name=inertbot><frameset>"); len(f.Inert) > 0 {
		t.Errorf("a frameset takes the body's place: %+v", f.Inert)
	}
}

func TestHouse_FormOfATag(t *testing.T) {
	for page, want := range map[string]bool{
		`<head><meta name="robots" content="noindex" />`:                  true,
		`<head><meta name="robots" content="a&amp;b&quot;&lt;" />`:        true,
		`<head><meta name="robots" content="noindex"/>`:                   false,
		`<head><meta name="Robots" content="noindex" />`:                  false,
		`<head><meta name="robots" content="noindex" data-x />`:           false,
		`<head><meta name="robots" />`:                                    false,
		`<head></head><p><meta name="robots" content="noindex" />`:        false,
		`<head><meta name="robots" content="noindex" content="follow" />`: false,
	} {
		if f := scan(page); len(f.Robots) != 1 || f.Robots[0].Ours != want {
			t.Errorf("%s: got %+v, want %v", page, f.Robots, want)
		}
	}
	f := scan(`<meta name=robots value="no&#105;ndex" value=x><meta name=robots value=x content=y>`)
	if a, b := f.Robots[0], f.Robots[1]; a.Content != "noindex" || a.Mistake != InValue || b.Content != "y" ||
		b.Mistake != "" {
		t.Errorf("the attribute value: %+v", f.Robots)
	}
}

// M3a: the place of a tag is shown as "|".
func TestHouse_InsertPosition(t *testing.T) {
	far := strings.Repeat("<link rel=x>", 90)
	for _, c := range append(tables.Read(t, "testdata/insert.txt"),
		tables.Row{"name": "beyond 1,024 bytes", "page": `<head>|` + far + `<meta charset=utf-8>`},
		tables.Row{"name": "across 1,024 bytes", "page": `<head>|` + far[:1002] + `<meta charset=utf-8>`},
		tables.Row{"name": "up to 1,024 bytes", "page": `<head>` + far[:996] + `  <meta charset=utf-8>|`}) {
		src := strings.Replace(c["page"], "|", "", 1)
		if got, want := scan(src).Insert, strings.Index(c["page"], "|"); got != want {
			t.Errorf("%s: got %d, want %d\n%s", c["name"], got, want, c["page"])
		}
	}
}

// M5b.
func TestHouse_FragmentIsNoPage(t *testing.T) {
	for _, row := range tables.Read(t, "testdata/fragments.txt") {
		page, want := row["page"], row["want"] == "true"
		if got := scan(page).Fragment; got != want {
			t.Errorf("got %v, want %v: %q", got, want, page)
		}
	}
}

// L4a.
func TestStandard_RefreshOfTheHead(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/refresh.txt") {
		p, refresh := scan(c["page"]), c["delay"] != "none"
		if got := p.Refresh; got == nil && refresh || got != nil &&
			(!refresh || *got != Refresh{float64(c.Int(t, "delay")), c["url"]}) {
			t.Errorf("%s: got %+v, want %s %q\n%s", c["name"], got, c["delay"], c["url"], c["page"])
		}
	}
}

func TestStandard_EncodingsThatAreNotASCII(t *testing.T) {
	const page = "<!doctype html><meta name=robots content=x>"
	le, be := binary.LittleEndian, binary.BigEndian
	for _, c := range []struct{ name, page, want string }{
		{"UTF-8", page, ""},
		{"UTF-8 with a mark", "\uFEFF" + page, ""},
		{"a null or two", "<\x00!doctype html>", ""},
		{"two bytes", "<\x00", ""},
		{"UTF-16LE", string(encoded(page, 2, le)), "utf-16le"},
		{"UTF-16BE", string(encoded(page, 2, be)), "utf-16be"},
		{"UTF-16LE with a mark", string(encoded("\uFEFF"+page, 2, le)), "utf-16le"},
		{"UTF-16BE with a mark", string(encoded("\uFEFF"+page, 2, be)), "utf-16be"},
		{"UTF-32LE", string(encoded(page, 4, le)), "utf-16le"},
		{"UTF-32BE", string(encoded(page, 4, be)), "utf-16be"},
		{"UTF-32LE with a mark", string(encoded("\uFEFF"+page, 4, le)), "utf-16le"},
		{"UTF-32BE with a mark", string(encoded("\uFEFF"+page, 4, be)), "utf-16be"},
		{"ISO-2022-JP declared", "<meta charset=ISO-2022-JP>" + noindex, "iso-2022-jp"},
		{"ISO-2022-JP declared by http-equiv",
			`<meta http-equiv=content-type content="text/html; charset='csISO2022JP'">`, "iso-2022-jp"},
		{"ISO-2022-JP by its bytes", "<title>\x1b$B%m%\\%C%H\x1b(B</title>" + noindex, "iso-2022-jp"},
		{"a declaration outweighs the bytes", "<meta charset=utf-8><pre>\x1b$B</pre>" + noindex, ""},
		{"a mark outweighs the declaration", "\uFEFF<meta charset=iso-2022-jp>" + noindex, ""},
		{"a terminal's reset", "<title>x</title><pre>\x1b[1mx\x1b(B\x1b[m</pre>", ""},
		{"no longer an encoding", "<meta charset=hz-gb-2312>", "replacement"},
		{"Shift_JIS", "<meta charset=shift_jis>" + noindex, ""},
	} {
		p := scan(c.page)
		if p.Encoding != c.want {
			t.Errorf("%s: got %q, want %q", c.name, p.Encoding, c.want)
		}
		if got := string(p.rewrite(nil, []byte(c.page),
			[]policy.Tag{{Name: "robots", Content: "none"}})); c.want != "" && got != c.page {
			t.Errorf("%s: edited: %q", c.name, got)
		}
	}
}

// encoded returns a page in UTF-16 or UTF-32.
func encoded(page string, width int, order binary.AppendByteOrder) []byte {
	var b []byte
	if width == 4 {
		for _, r := range page {
			b = order.AppendUint32(b, uint32(r))
		}
		return b
	}
	for _, u := range utf16.Encode([]rune(page)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// A restriction counts in whatever encoding it is written (M5c).
func TestHouse_PagesOfEveryEncodingAreRead(t *testing.T) {
	const page = "<!doctype html>\n<html><title>日本語 𠮷 &amp; x</title><!--<meta name=robots>-->\n" +
		"<meta name=\"robots\" content=\"noindex, 日\"><link rel=canonical href=/a><p>日本\n<meta name=googlebot content=nosnippet>"
	jis := strings.NewReplacer("日本語 𠮷", "\x1b$BF|K\\8l<m\x1b(J", "日本", "\x1b$BF|K\\\x1b(B", "日",
		"\x1b$BF|\x1b(B").Replace(page)
	le, be := binary.LittleEndian, binary.BigEndian
	for name, c := range map[string]struct {
		src     []byte
		content string
	}{
		"utf-16le":              {encoded("\uFEFF"+page, 2, le), "noindex, 日"},
		"utf-16be":              {encoded("\uFEFF"+page, 2, be), "noindex, 日"},
		"utf-16le, four bytes":  {encoded("\uFEFF"+page, 4, le), "noindex, 日"},
		"utf-16be, four bytes":  {encoded("\uFEFF"+page, 4, be), "noindex, 日"},
		"utf-16le, no mark":     {encoded(page, 2, le), "noindex, 日"},
		"utf-16be, no mark":     {encoded(page, 2, be), "noindex, 日"},
		"utf-16le, cut":         {append(encoded("\uFEFF"+page, 2, le), 'x'), "noindex, 日"},
		"iso-2022-jp":           {[]byte(jis), "noindex, �"},
		"iso-2022-jp, declared": {[]byte("<meta charset=iso-2022-jp>" + jis), "noindex, �"},
		"replacement":           {[]byte("<meta charset=iso-2022-kr>" + page), "noindex, 日"},
	} {
		s := Scanner{Relations: true, Title: true}
		p := s.Scan(c.src, crawlers)
		if encoding, _, _ := strings.Cut(name, ","); p.Encoding != encoding || p.Fragment {
			t.Errorf("%s: encoding %q, fragment %v", name, p.Encoding, p.Fragment)
		}
		if len(p.Robots) != 2 || p.Robots[0].Content != c.content || p.Robots[0].Line != 3 ||
			p.Robots[1].Name != "googlebot" || p.Robots[1].Line != 4 || !p.Robots[1].Body {
			t.Errorf("%s: metas %+v", name, p.Robots)
		}
		if len(p.Relations) != 1 || p.Relations[0].Href != "/a" || p.Relations[0].Line != 3 ||
			!strings.HasSuffix(p.Title, "& x") {
			t.Errorf("%s: relations %+v, title %q", name, p.Relations, p.Title)
		}
		if got := p.rewrite(nil, c.src, []policy.Tag{{Name: "robots", Content: "none"}}); !bytes.Equal(got, c.src) {
			t.Errorf("%s: edited", name)
		}
	}
	// Bytes of Japanese are no tags, and a tag that the escapes hide is none.
	for page, want := range map[string]int{
		"<meta charset=iso-2022-jp><p>\x1b$B<meta name=robots>\x1b(B":                   0,
		"<meta charset=iso-2022-jp><p>\x1b$B<m\x1b(B<meta name=robots>":                 1,
		"<meta charset=iso-2022-jp><p>\x1b(I<meta name=robots>\x1b(J<meta name=robots>": 1,
		"<meta charset=iso-2022-jp>\x1b(B<meta name=robots>\x1b":                        1,
	} {
		if got := len(scan(page).Robots); got != want {
			t.Errorf("%q: %d metas, want %d", page, got, want)
		}
	}
}

func TestHouse_AScannerKeepsNothingOfThePageBefore(t *testing.T) {
	var s Scanner
	s.Scan([]byte(`<?xml ?><meta charset=iso-2022-jp><meta http-equiv=refresh content="0;/x"><p>`), crawlers)
	s.Scan([]byte(`<meta http-equiv=refresh content="0;/x"><meta name=robots>x<svg><meta name=robots>`), crawlers)
	p := s.Scan([]byte(`<!doctype html><p>`), crawlers)
	if len(p.Robots) > 0 || p.Insert != 15 || p.Fragment || p.Encoding != "" || p.Refresh != nil ||
		s.page.charset != "" {
		t.Errorf("got %+v", p)
	}
}

func TestHouse_APageWithoutTagsIsScannedWithoutAllocating(t *testing.T) {
	itemprop := strings.Repeat("<span itemprop=\"image\"><meta itemprop=\"url\" content=\"/a.jpg\"></span>", 12)
	for _, body := range []string{"", itemprop} {
		src := pageOf(body)
		var s Scanner
		if n := testing.AllocsPerRun(20, func() { s.Scan(src, robots) }); n > 0 {
			t.Errorf("%.20s: %v allocations", body, n)
		}
	}
}

func TestHouse_LinesCountFromOne(t *testing.T) {
	src := []byte("a\r\nb\nc")
	for offset, want := range []int{1, 1, 1, 2, 2, 3, 3} {
		if got := Line(src, offset); got != want {
			t.Errorf("offset %d: got %d, want %d", offset, got, want)
		}
	}
	if got := Line(src, 99) + Line(src, -1); got != 4 {
		t.Errorf("outside: got %d", got)
	}
}

// pageOf is a page as a Hugo theme writes it: a head of about 4.5 KB with inline CSS, JSON-LD and a
// script, a body of 27 KB.
func pageOf(body string) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en-us\" dir=\"ltr\">\n<head><meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta http-equiv=\"X-UA-Compatible\" content=\"IE=edge\">\n<title>On the care of old clocks | A Journal</title>\n" +
		"<!-- <meta name=\"robots\" content=\"noindex\"> -->\n" +
		"<meta name=\"description\" content=\"How a clock is wound, oiled &amp; set, and why it stops.\">\n<meta name=\"generator\" content=\"Hugo 0.165.0\">\n")
	for _, p := range []string{"title", "description", "url", "type", "site_name", "image", "locale", "updated_time"} {
		b.WriteString("<meta property=\"og:" + p + "\" content=\"https://example.org/journal/old-clocks/cover.jpg\">\n")
	}
	for _, p := range []string{"card", "title", "description", "image"} {
		b.WriteString("<meta name=\"twitter:" + p + "\" content=\"summary_large_image of the care of old clocks\">\n")
	}
	for _, p := range []string{"canonical", "icon", "apple-touch-icon", "manifest", "alternate", "preload",
		"stylesheet", "prev", "next"} {
		b.WriteString("<link rel=\"" + p +
			"\" href=\"https://example.org/assets/site.min.3f2a.css\" integrity=\"sha256-47DEQpj8HBSa\" crossorigin=\"anonymous\">\n")
	}
	b.WriteString("<style>" + strings.Repeat(".post>h2{margin:1.2em 0 .4em;color:#234}", 25) + "</style>\n")
	b.WriteString("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"headline\":\"On clocks\",\"html\":\"<p>a</p>\"}</script>\n")
	b.WriteString("<script>(function(d){for(var i=0;i<9;i++){d.push(i<<1)}})(window.q=[]);</script>\n</head>\n<body class=\"post\">\n")
	b.WriteString(body)
	for b.Len() < 31_500 {
		b.WriteString("<p>A clock that has <em>stood still</em> for a year wants oil, not force. See <a href=\"/journal/oil/\">the note on oil</a>.</p>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return []byte(b.String())
}
