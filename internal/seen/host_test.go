package seen

import (
	"testing"

	"pgregory.net/rapid"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// S2f, U4: a crawler may not fetch a page if robots.txt disallows one of the paths that represent
// it, and that path is named from the publish root.
func TestHouse_OneDisallowedPathIsEnough(t *testing.T) {
	text := "User-agent: *\nDisallow: /p.html$\nAllow: /p/\n"
	host := Host{Folder: "/de/", Robots: robotstxt.ParseAt([]byte(text), "de/robots.txt", nil, 0)}
	for _, c := range []struct {
		paths []string
		want  Fetch
		at    string
	}{
		{[]string{"/p"}, Fetch{Allowed: true}, "/de/p"},
		{[]string{"/p/", "/p"}, Fetch{Allowed: true, File: "de/robots.txt", Line: 3, Rule: "Allow: /p/", Read: 3}, "/de/p/"},
		{[]string{"/p/", "/p.html"}, Fetch{File: "de/robots.txt", Line: 2, Rule: "Disallow: /p.html$", Read: 2},
			"/de/p.html"},
	} {
		c.want.Crawler, c.want.Source.Origin = "GPTBot", policy.Origin{File: c.want.File, Line: c.want.Line}
		if got, at := host.Fetch("GPTBot", c.paths...); got != c.want || at != c.at {
			t.Errorf("%q: %+v at %s, want %+v at %s", c.paths, got, at, c.want, c.at)
		}
	}
	if got, _ := (Host{}).Fetch("GPTBot", "/p.html"); got != (Fetch{Crawler: "GPTBot", Allowed: true}) {
		t.Errorf("without robots.txt: %+v", got)
	}
}

// S8d. Law: a host's block before the file changes no number of the site's own lines, and says of
// its own lines whose they are; what decides is what decides in both together.
func TestLaw_ABlockOfTheHostMovesNoLine(t *testing.T) {
	block := ""
	for _, l := range (*robotstxt.File)(nil).Behind("cloudflare").Lines {
		block += l.Text + "\n"
	}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for range rapid.IntRange(0, 6).Draw(t, "groups") {
			text += "User-agent: " + rapid.SampledFrom([]string{"*", "GPTBot", "CCBot", "bingbot"}).Draw(t, "name") + "\n" +
				rapid.SampledFrom([]string{"Disallow: /", "Allow: /", "Disallow: /a", "Disallow:", "# none"}).Draw(t, "rule") + "\n"
		}
		own := robotstxt.ParseAt([]byte(text), "robots.txt", nil, 0)
		for _, crawler := range []string{"GPTBot", "bingbot"} {
			f, _ := Host{Robots: own.Behind("cloudflare")}.Fetch(crawler, "/a/")
			both := robotstxt.Parse([]byte(block+text)).Ask(crawler, "/a/")
			switch {
			case f.Rule != both.Rule || f.Allowed != both.Allowed:
				t.Fatalf("%s: %+v, and %+v by both texts\n%s", crawler, f, both, text)
			case f.Rule == "" || f.Source.Managed != "" && f.Read == 0 && f.Line == 0:
			case f.Source.Managed != "" || f.Read != f.Line || own.Lines[f.Read-1].String() != f.Rule:
				t.Fatalf("%s: %+v\n%s", crawler, f, text)
			}
		}
	})
}
