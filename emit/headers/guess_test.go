package headers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/emit/robotstag"
)

// netlifyAsDocumented reads a star behind a slash as Netlify documents it, for what is in the
// folder, and every other character as itself.
// https://docs.netlify.com/manage/routing/headers/
var netlifyAsDocumented = func() *Dialect {
	d := *Netlify
	d.ReadRule = func(line string) (*Rule, error) {
		r, err := netlifyRule(line)
		if err == nil && r.re != nil {
			text := strings.ReplaceAll(regexp.QuoteMeta(line), `\*`, ".*")
			r.re = regexp.MustCompile("(?i)^" + strings.ReplaceAll(text, "/.*", "(?:/.*)?") + "/?$")
			if i := strings.Index(line, "/*"); i >= 0 && i+2 < len(line) && line[i+2] != '/' { // not a whole segment
				r.re = regexp.MustCompile("(?i)^" + text + "/?$")
			}
		}
		return r, err
	}
	return &d
}()

// unlikeDocumented says what a file without rules of the owner's serves otherwise than wanted, if
// Netlify reads it as it documents; empty for nothing.
func unlikeDocumented(res *robotstag.Result, wants []robotstag.Want) string {
	d := netlifyAsDocumented
	file := d.Parse(res.File, robotstag.Name)
	for _, w := range wants {
		for path := range d.Requests(nil, w.Path, "") {
			got := robotstag.Texts(d.Values(file, "", path))
			isLeft := slices.Contains(res.GivenUp, w.Path) || slices.Contains(res.Missed, w.Path)
			if !slices.Equal(got, w.Values) && !(isLeft && len(got) == 0) && !w.Free {
				return fmt.Sprintf("%s is served with %q, want %q", path, got, w.Values)
			}
		}
	}
	return ""
}

// No header rests on the emulator's reading alone, by which /v2.1/* matches /v2.10/a.pdf and /*.js
// matches /a.mjs: both readings give each file what it wants (N3, N4g, N4h). The owner's own rules
// are read so too.
func TestNetlify_NothingRestsOnAnUndocumentedReading(t *testing.T) {
	folders := []string{"v2.1/", "v2.10/", "v2.1", "v2.100/x/", "v2.1/x/", "a.b/", "a.bc/", "blog/", "blogx/", "blog", ""}
	owners := []string{"", "/v2.1/*\n  X-Robots-Tag: noindex\n", "/blog/*\n  X-Robots-Tag: noindex\n",
		"/*.js\n  X-Robots-Tag: noindex\n", "/v2.1/*.js\n  X-Robots-Tag: noindex\n"}
	rapid.Check(t, func(t *rapid.T) {
		owner := rapid.SampledFrom(owners).Draw(t, "owner")
		user, err := ReadUser([]byte(owner), robotstag.XRobotsTag(), robotstag.Task{Target: TargetNetlify})
		if err != nil {
			t.Fatal(err)
		}
		var wants []robotstag.Want
		for i := range rapid.IntRange(1, 12).Draw(t, "files") {
			folder := rapid.SampledFrom(folders).Draw(t, "folder")
			endings := []string{".pdf", ".txt", ".js", ".mjs", ".html", "/index.html"}
			name := folder + fmt.Sprintf("%c%d", 'a'+i, i) + rapid.SampledFrom(endings).Draw(t, "ending")
			w := robotstag.Want{Path: name, URL: name}
			if v := rapid.SampledFrom([]string{"noindex", "noindex", "noindex", "nosnippet", ""}).Draw(t, "value"); v != "" {
				w.Values = []string{v}
			}
			sent := user.Sent(name, "")
			if found := robotstag.Values(sent); len(found) > 0 {
				isSent := func(s robotstag.Sent) bool { return len(s) > 0 }
				w.Values, w.Found = []string{found[0].Text}, every(sent, isSent)
			}
			wants = append(wants, w)
		}
		demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}
		res, err := Compile([]byte(owner), demands, robotstag.Task{Target: TargetNetlify})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*Dialect{Netlify, netlifyAsDocumented} {
			file := d.Parse(res.File, robotstag.Name)
			for _, w := range wants {
				for path := range d.Requests(nil, w.Path, "") {
					got := robotstag.Texts(d.Values(file, "", path))
					if !slices.Equal(got, w.Values) && !slices.Contains(res.Missed, w.Path) {
						t.Fatalf("%s is served with %q, want %q\n%s", path, got, w.Values, res.File)
					}
				}
			}
		}
	})
}
