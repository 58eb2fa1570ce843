package head

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"metarobots/emit/patch"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// rewrite appends src, which is what f is of, to dst with its metas exchanged.
func (f *Facts) rewrite(dst, src []byte, tags []policy.Tag) []byte {
	made := patch.New(src, f.Edits(Tags(tags)))
	out, _ := made.Apply(dst, src)
	return out
}

func rewrite(src string, tags ...policy.Tag) string {
	f := scan(src)
	return string(f.rewrite(nil, []byte(src), tags))
}

func ExampleFacts_Edits() {
	src := []byte("<!doctype html>\r\n<head>\r\n  <meta charset=utf-8>\r\n  <title>A clock</title>\r\n</head>")
	var s Scanner
	f := s.Scan(src, func(name []byte) Kind {
		if string(name) == "robots" {
			return Robots
		}
		return None
	})
	made := patch.New(src, f.Edits(Tags([]policy.Tag{{Name: "robots", Content: "noindex, follow"}})))
	out, _ := made.Apply(nil, src)
	fmt.Printf("%q\n", out)
	// Output: "<!doctype html>\r\n<head>\r\n  <meta charset=utf-8><meta name=\"robots\" content=\"noindex, follow\" />\r\n  <title>A clock</title>\r\n</head>"
}

// M3a, M3b, M4b.
func TestHouse_TagsTakeThePlaceOfTheFirst(t *testing.T) {
	n, g := policy.Tag{Name: "robots", Content: "noindex"}, policy.Tag{Name: "googlebot", Content: "nosnippet"}
	const N, G = `<meta name="robots" content="noindex" />`, `<meta name="googlebot" content="nosnippet" />`
	for _, c := range []struct {
		name, page string
		tags       []policy.Tag
		want       string
	}{
		{"in place", `<head><link><META NAME=ROBOTS><title>`, []policy.Tag{n}, `<head><link>` + N + `<title>`},
		{"of any asked name", `<head><link><meta name=bingbot><title>x</title><meta name=robots>`, []policy.Tag{n, g},
			`<head><link>` + N + G + `<title>x</title>`},
		{"removed, white space kept", "<head>\n\t<meta name=robots>\n\t<title>", nil, "<head>\n\t\n\t<title>"},
		{"nothing to do", `<head><title>`, nil, `<head><title>`},
		{"one in the body has no place", `<head></head><body><meta name=robots>x<meta name=bingbot>`, []policy.Tag{n},
			`<head>` + N + `</head><body>x`},
		{"both", `<head><meta name=robots></head><body><meta name=robots>x`, []policy.Tag{n},
			`<head>` + N + `</head><body>x`},
		{"one in a comment stays", `<head><!--<meta name=robots>--><meta name=robots>`, []policy.Tag{n},
			`<head><!--<meta name=robots>-->` + N},
		{"escaped", `<head>`, []policy.Tag{{Name: "robots", Content: `a"b&c<d>é`}},
			`<head><meta name="robots" content="a&quot;b&amp;c&lt;d&gt;é" />`},
		{"bytes that are no UTF-8", "<head>\xff\x00<p>\xc3", []policy.Tag{n}, "<head>" + N + "\xff\x00<p>\xc3"},
		{"one that ends an svg", `<svg><meta name=robots><style><meta name=robots></style>`, nil,
			`<svg><meta><style><meta name=robots></style>`},
		{"one in a svg's description", `<svg><desc><meta name=robots>x</desc></svg>`, nil, `<svg><desc>x</desc></svg>`},
		{"one in a svg's title", `<svg><title><meta name=robots><![CDATA[<meta name=robots>]]></title></svg>`, nil,
			`<svg><title><![CDATA[<meta name=robots>]]></title></svg>`},
		{"one in mi, with CDATA", `<math><mi><meta name=robots><![CDATA[a><meta name=robots>]]></mi></math>`, nil,
			`<math><mi><![CDATA[a><meta name=robots>]]></mi></math>`},
		{"one after the body, that ends an svg",
			`<body><svg></body><meta name=robots><style><meta name=robots></style>`, nil,
			`<body><svg></body><meta><style><meta name=robots></style>`},
		{"a tag that would close up", `x<<meta name=robots>meta name=robots>y`, nil, `x<<meta>meta name=robots>y`},
		{"a tag that would close up, page without a head", `<<meta name=robots>meta name=robots>`, []policy.Tag{n},
			N + `<<meta>meta name=robots>`},
	} {
		if got := rewrite(c.page, c.tags...); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q\nof   %q", c.name, got, c.want, c.page)
		}
		if got := rewrite(c.want, c.tags...); got != c.want {
			t.Errorf("%s: not stable: %q", c.name, got)
		}
	}
	p := scan(`<p><meta name=robots>x`)
	if got := string(p.rewrite([]byte("kept"), []byte(`<p><meta name=robots>x`), nil)); got != "kept<p>x" {
		t.Errorf("dst: %q", got)
	}
}

// law checks what every page must keep. It returns an error in words.
func law(src []byte) error {
	tags := []policy.Tag{{Name: "robots", Content: "noindex, follow"}, {Name: "bingbot", Content: "a&b"}}
	var s Scanner
	p := s.Scan(src, crawlers)
	text := s.Text
	if p.Insert < 0 || p.Insert > len(text) {
		return fmt.Errorf("insert at %d of %d", p.Insert, len(src))
	}
	if !bytes.Equal(text, src) && p.Encoding == "" {
		return fmt.Errorf("read as %q", text)
	}
	for _, m := range p.Robots {
		if m.End > len(text) || m.Line != Line(text, m.Start) {
			return fmt.Errorf("%+v is in line %d", m, Line(text, m.Start))
		}
	}
	if p.Encoding != "" {
		if out := p.rewrite(nil, src, tags); !bytes.Equal(out, src) {
			return fmt.Errorf("%s: edited", p.Encoding)
		}
		return nil
	}
	from, body := 0, false
	for _, m := range p.Robots {
		if m.Start < from || m.End > len(src) || body && !m.Body {
			return fmt.Errorf("spans in disorder: %+v", p.Robots)
		}
		if !bytes.EqualFold(src[m.Start:m.Start+5], []byte("<meta")) || src[m.End-1] != '>' {
			return fmt.Errorf("no tag: %q", src[m.Start:m.End])
		}
		from, body = m.End, m.Body
	}
	if p.Insert > 0 && from > 0 && p.Robots[0].Body && p.Insert > p.Robots[0].Start {
		return fmt.Errorf("insert at %d, in the body", p.Insert)
	}
	out := p.rewrite(nil, src, tags)
	written := Tags(tags)
	place := p.Insert
	if len(p.Robots) > 0 && !p.Robots[0].Body {
		place = p.Robots[0].Start
	}
	var rest []byte
	at := 0
	from = 0
	for _, m := range append(p.Robots, Meta{Start: len(src), End: len(src)}) {
		if from <= place && place <= m.Start {
			at = len(rest) + place - from
		}
		rest = append(rest, src[from:m.Start]...)
		if m.Holds {
			rest = append(rest, "<meta>"...)
		}
		from = m.End
	}
	if want := string(rest[:at]) + written + string(rest[at:]); string(out) != want {
		return fmt.Errorf("bytes changed: got %q, want %q", out, want)
	}
	q := s.Scan(out, crawlers)
	if len(q.Robots) != 2 || q.Robots[0].Body || q.Robots[1].Body || q.Robots[0].Content != tags[0].Content ||
		q.Robots[1].Content != tags[1].Content {
		return fmt.Errorf("reads back as %+v: %q", q.Robots, out)
	}
	if again := q.rewrite(nil, out, tags); !bytes.Equal(again, out) {
		return fmt.Errorf("no fixed point: %q, then %q", out, again)
	}
	return nil
}

// Every page of these, and random ones, with PROOFS=all twelve times as many (M4a).
func TestHouse_EveryOtherByteStays(t *testing.T) {
	var all []string
	for _, c := range traps {
		all = append(all, c.Page)
	}
	dat, _ := tables.HTML5Lib(t)
	all = append(all, dat...)
	for _, body := range []string{"", strings.Repeat("<div class=a><p>Some text</div>", 300) + noindex} {
		page := string(pageOf(body))
		all = append(all, page, strings.Replace(page, "<meta", noindex+"<meta", 1))
	}
	for _, page := range all {
		for _, src := range []string{page, page + noindex, "\uFEFF" + page, strings.ReplaceAll(page, "\n", "\r\n")} {
			if err := law([]byte(src)); err != nil {
				t.Errorf("%v\nof %q", err, src)
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	n := 4_000
	if allProofs {
		n = 50_000
	}
	for range n {
		if src := soup(r) + probe + soup(r); law([]byte(src)) != nil {
			t.Fatalf("%v\nof %q", law([]byte(src)), src)
		}
	}
}

func FuzzPagesKeepTheirBytes(f *testing.F) {
	for _, c := range swollen {
		f.Add([]byte(c.page(3) + probe))
	}
	for _, page := range []string{
		"<meta name=“robots” content=“noindex, nofollow”>", "<p><meta property=robot content=x",
		"<meta http-equiv=x-robots-tag>",
		"<meta charset=iso-2022-jp>\x1b$B<m\x1b(B" + probe,
	} {
		f.Add([]byte(page))
		f.Add(encoded("\uFEFF"+page, 2, binary.LittleEndian))
		f.Add(encoded("\uFEFF"+page, 4, binary.BigEndian))
	}
	for _, c := range traps {
		f.Add([]byte(c.Page))
	}
	pages, _ := tables.HTML5Lib(f)
	for i, page := range pages {
		f.Add([]byte(page[:len(page)/2] + probe + page[len(page)/2:]))
		if i > 400 {
			break
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if err := law(src); err != nil {
			t.Errorf("%v\nof %q", err, src)
		}
	})
}
