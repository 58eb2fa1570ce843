package seen

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// words are texts of one directive.
var words = []string{"all", "none", "index", "noindex", "noindex, indexifembedded", "follow", "nofollow", "noarchive",
	"nocache", "nosnippet", "max-snippet:0", "max-snippet:50", "max-snippet:-1", "max-image-preview:none",
	"max-image-preview:large", "max-video-preview:0", "notranslate", "noimageindex", "noai", "unheard-of",
	"unavailable_after: 2030-06-25T15:00:00Z"}

var texts = rapid.Custom(func(t *rapid.T) Text {
	d := policy.Directives{}
	for _, word := range rapid.SliceOfN(rapid.SampledFrom(words), 0, 4).Draw(t, "words") {
		d = policy.MostRestrictive(d, policy.Stating(word))
	}
	return Print(d)
})

var tellings = rapid.Custom(func(t *rapid.T) Told {
	told := Told{Robots: texts.Draw(t, "everyone"), HeaderOnly: rapid.Bool().Draw(t, "header only")}
	for _, crawler := range rapid.SliceOfN(rapid.SampledFrom([]string{"bingbot", "googlebot", "yandex"}), 0, 2).Draw(t, "crawlers") {
		told.Tell(crawler, texts.Draw(t, crawler))
	}
	return told
})

// What is printed says the same once it has been read again: so a snapshot is as good as the plan
// that it was made of.
func TestLaw_PrintedTextReadsAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		for _, text := range []Text{text, Print(text.Restrictions())} {
			read := Read(text.Printed)
			if !Print(read.Directives).Same(text) || Compare(read.Directives, text.Directives) != Match ||
				read.NoIndex() != text.NoIndex() || read.Restricts() != text.Restricts() {
				t.Fatalf("%q (%v) reads as %v", text.Printed, text.Directives, read.Directives)
			}
		}
	})
}

func TestLaw_JSONKeepsWhatIsTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		told := tellings.Draw(t, "told")
		data, err := json.Marshal(told)
		var read Told
		if err := errors.Join(err, json.Unmarshal(data, &read)); err != nil || !read.Equal(told) || read.State() != told.State() {
			t.Fatalf("%s: %v %v, was %v %v", data, err, read, told, told.State())
		}
	})
}

// The restrictions of a text tell nobody anything else about being indexed. From a text to itself
// nobody moves, while a move is undone by the move back.
func TestLaw_RestrictionsAndMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := tellings.Draw(t, "a"), tellings.Draw(t, "b")
		if out, in := a.Moves(a.Restrictions()); out || in {
			t.Fatalf("%v moves: %t %t", a, out, in)
		}
		out, in := a.Moves(b)
		backOut, backIn := b.Moves(a)
		if out != backIn || in != backOut {
			t.Fatalf("%v to %v: %t %t, back %t %t", a, b, out, in, backOut, backIn)
		}
	})
}

// A2: a crawler goes by what is said to it, else by what is said to a crawler that it obeys too,
// else by what is for everyone.
func TestHouse_OneResolver(t *testing.T) {
	told := Told{Robots: Read("index, follow")}
	told.Tell("msnbot", Read("noindex"))
	told.Tell("googlebot", Read("nosnippet"))
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "index, follow"}, {[]string{""}, "index, follow"}, {[]string{"yandex"}, "index, follow"},
		{[]string{"googlebot"}, "nosnippet"}, {[]string{"googlebot-image", "googlebot"}, "nosnippet"},
		{[]string{"bingbot"}, "noindex"}, {[]string{"msnbot"}, "noindex"},
	} {
		if got := told.For(c.names...); got.Printed != c.want {
			t.Errorf("%v: %q, want %q", c.names, got, c.want)
		}
	}
}

func TestHouse_ReasonsKeepTheirLayer(t *testing.T) {
	found := policy.Origin{Layer: policy.LayerFound, Key: "meta robots"}
	page := policy.Origin{Layer: policy.LayerPage, Key: "robots", File: "a.md", Line: 3}
	for _, c := range []struct {
		of    []policy.Origin
		text  string
		layer string
	}{
		{nil, "", ""},
		{[]policy.Origin{page, page}, "front matter, robots", "front matter"},
		{[]policy.Origin{found, page}, "found, meta robots; front matter, robots", "found"},
	} {
		r := ReasonOf(c.of...)
		if r.Text != c.text || r.Layer != c.layer || ReadReason(r.Text) != r {
			t.Errorf("%v: %+v, read %+v", c.of, r, ReadReason(r.Text))
		}
	}
	if r := ReadReason("robots.txt: Disallow: /, for GPTBot"); r.Layer != "" {
		t.Errorf("a rule of robots.txt is no layer: %+v", r)
	}
}

// Each verdict is in the list of verdicts, the worst first.
func TestHouse_Verdicts(t *testing.T) {
	for got, want := range map[string]Verdict{"noindex": Match, "none": Stricter, "index": Looser, "noindex, nosnippet": Match} {
		if v := Compare(Read(got).Directives, Read("noindex").Directives); v != want {
			t.Errorf("%s for noindex: %s, want %s", got, v, want)
		}
	}
	if v := Compare(Read("noindex").Directives, Read("index").Directives); v != Stricter {
		t.Errorf("noindex for index: %s", v)
	}
	if all := Verdicts(); len(all) != 5 || !slices.Contains(all, Redirected) || !all[0].Bad() || !all[1].Bad() || all[2].Bad() {
		t.Errorf("%v", all)
	}
}
