package servers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

var severalLines = []robotstag.Want{
	published("a.pdf", "noindex, follow", "googlebot: noarchive", "bingbot: it's.50%"),
	published("b.pdf", "noindex, follow"),
	published("c.pdf", "bingbot: nosnippet", "googlebot: noarchive"),
	published("d.pdf"),
}

// Each crawler has a line of its own, the generic one first (N1a): many readers take what follows a
// crawler's name in a line for that crawler's alone.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
func TestHouse_ACrawlerHasALineOfItsOwn(t *testing.T) {
	for name, want := range archive(t, "testdata/lines.txtar") {
		target := name[0]
		o := robotstag.Task{Everywhere: []string{"noindex, nofollow", "googlebot: noarchive"}}
		wants := severalLines[:3]
		res, err := compile(target, nil, wants, o)
		if err != nil || len(res.Findings) > 0 {
			t.Fatalf("%s: %v %+v", target, err, res.Findings)
		}
		got := string(res.File)
		got = strings.TrimSuffix(strings.TrimPrefix(got, marks.Begin+"\n"), marks.End+"\n")
		if _, rest, ok := strings.Cut(got, "raise those.\n"); ok {
			got = rest
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", target, got, want)
		}
		reports(t, target, verify(target, res.File, wants, o, nil))
	}
}

// N1c: a host that sends one line gets the values joined.
func TestRFC9110_OneLineHasAllValues(t *testing.T) {
	for _, target := range []string{"vercel", "firebase", "amplify", "azure"} {
		res := must(t, target, []byte(users[target][0]), severalLines[:1], plain)
		if want := "noindex, follow, googlebot: noarchive, bingbot: it"; !bytes.Contains(res.File, []byte(want)) {
			t.Errorf("%s: no %q in\n%s", target, want, res.File)
		}
	}
}

// The proof sees lines, not what they come to: where they are joined, in another order or sent
// twice, the file is wrong.
func TestHouse_TheProofSeesLines(t *testing.T) {
	for _, test := range tables.Read(t, "testdata/wrong-lines.txt") {
		res := must(t, test["target"], nil, severalLines, plain)
		file := bytes.ReplaceAll(res.File, []byte(test["from"]), []byte(test["to"]))
		if bytes.Equal(file, res.File) {
			t.Errorf("%s: no %s in\n%s", test["target"], test["from"], file)
		}
		files := strings.Fields(test["files"])
		if len(files) == 0 { // the file is not taken at all
			files = []string{""}
		}
		reports(t, test["target"]+", "+test["what"], verify(test["target"], file, severalLines, plain, nil),
			files...)
	}
}

// nginx sends as many lines as there are variables for; what is left is joined in the last of them
// (N1b).
func TestNginx_MoreCrawlersThanLines(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf"), published("b.pdf")}
	for i := range nginxLines + 2 {
		wants[0].Values = append(wants[0].Values, fmt.Sprintf("crawler%d: noai", i))
		if i < nginxLines {
			wants[1].Values = append(wants[1].Values, fmt.Sprintf("bot%d: noai", i))
		}
	}
	want := slices.Clone(wants[0].Values)
	res, err := compile("nginx", nil, wants, plain)
	if err != nil || !bytes.Contains(res.File, []byte(` "crawler3: noai, crawler4: noai, crawler5: noai";`)) ||
		!bytes.Contains(res.File, []byte(` "bot3: noai";`)) {
		t.Errorf("%v\n%s", err, res.File)
	}
	if !slices.Equal(wants[0].Values, want) {
		t.Errorf("the wants were changed: %q", wants[0].Values)
	}
	reports(t, "nginx", verify("nginx", res.File, wants, plain, nil))
}

// A value that is too long to be taken apart is an error, and nothing is written that keeps a
// server from starting.
func TestHouse_LongValuesAreRefused(t *testing.T) {
	wants := []robotstag.Want{
		published("a.pdf", "noindex", "googlebot: "+strings.Repeat("x", 8200)),
		published("b.pdf", "noindex", "googlebot: none"),
	}
	for _, target := range []string{"apache", "nginx"} {
		res, err := compile(target, nil, wants, plain)
		if err != nil || len(res.Findings) != 1 || res.Findings[0].ID != "header-name" ||
			res.Findings[0].URL != "a.pdf" ||
			bytes.Contains(res.File, []byte("xxx")) {
			t.Errorf("%s: %v %+v", target, err, res.Findings)
		}
		reports(t, target, verify(target, res.File, wants, plain, nil), "a.pdf")
	}
}
