package headers

import (
	"bytes"
	"slices"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		"", "/a\n  X-Robots-Tag: noindex\n", "\ufeff/*\r\n  ! X-Robots-Tag\r\n  X-Robots-Tag: a,b",
		"https://:a.:b.c/*\n X: y\n", "/(c*\n X: y\n/d[*\n X: y\n", "/e/:y/:y\n X: :y\n",
		"/a\n" + markLine + "\n  X-Robots-Tag: v\n" + marks.Begin + "\n/b\n  X-Robots-Tag: w\n" + marks.End + "\n/c\n X: y",
		"/a\n  X-Robots-Tag: noindex\n" + markLine + "\n  X-Robots-Tag: follow", marks.End + "\n" + marks.Begin,
		"/\xff\xc3\n  \xa0: \x00\n", "/a{2}*/\\*\n X: y\n",
	} {
		f.Add([]byte(s), "/a")
	}
}

// No text makes a dialect fail, and what it keeps has lines of the text.
func FuzzAnyFileIsRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		n := len(splitLines(file))
		for _, d := range []*Dialect{Cloudflare, Netlify} {
			p := d.Parse(file, robotstag.Name)
			if len(p.Rules) > p.Count {
				t.Errorf("%s: %d rules kept, %d counted", d.Name(), len(p.Rules), p.Count)
			}
			for _, r := range p.Rules {
				for _, h := range r.values {
					if r.Line < 1 || h.Line <= r.Line || h.Line > n {
						t.Errorf("%s: rule of line %d, header of line %d, of %d", d.Name(), r.Line, h.Line, n)
					}
				}
			}
			for _, host := range []string{"", "h.example"} {
				matching := d.matching(p, host, path)
				for i := range p.Rules {
					got, want := slices.Contains(matching, &p.Rules[i]), d.Match(&p.Rules[i], host, path)
					if got != want {
						t.Errorf("%s: rule %q on %q at %q: look-up says %v, Match %v", d.Name(), p.Rules[i].Path, path,
							host, got, want)
					}
				}
				d.Values(p, host, path)
			}
		}
	})
}

// Whatever the file: taking ours out is final, and what we add can be taken out again (N5).
func FuzzUserBytesComeBack(f *testing.F) {
	seeds(f)
	wants := []robotstag.Want{file("a", "noindex"), file("b.html", "noindex, follow"), file("c.pdf", "nofollow")}
	f.Fuzz(func(t *testing.T, given []byte, _ string) {
		user := readUser(given).lines.Own()
		if again := readUser(user).lines.Own(); !bytes.Equal(again, user) {
			t.Skip("marks that only became marks when others went")
		}
		for _, target := range []string{TargetPortable, TargetNetlify, TargetCloudflare} {
			for _, opt := range []robotstag.Task{
				{Target: target, Scope: robotstag.ScopeAll},
				{Target: target, Everywhere: []string{"noindex, nofollow"}},
			} {
				res, err := compile(user, wants, opt)
				if err != nil {
					continue
				}
				if back := readUser(res.File).lines.Own(); !bytes.Equal(back, user) {
					t.Errorf("%q\nbecame %q\ncame back as %q", user, res.File, back)
				}
				second, err := compile(res.File, wants, opt)
				if err != nil || !bytes.Equal(second.File, res.File) {
					t.Errorf("%q\nsecond run: %q, %v", res.File, second.File, err)
				}
				for _, p := range verify(res, wants, opt) {
					t.Errorf("%q\n%v", res.File, p)
				}
			}
		}
	})
}
