package servers

import (
	"testing"

	"metarobots/emit/robotstag"
)

// No text makes a reader fail but with an error, and what is found has a line of the text (N8).
func FuzzHouse_OwnersFilesAreReadOrRefused(f *testing.F) {
	for _, target := range targets {
		for _, s := range users[target] {
			f.Add([]byte(s), "a/index.html")
		}
		for _, s := range owners(f, target, "robots") {
			f.Add([]byte(s), "docs/a b.pdf")
		}
		res, err := compile(target, nil, neighbours, robotstag.Task{Everywhere: []string{"noindex"}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(res.File, "b/größe.json")
	}
	for _, s := range []string{
		`{"headers": [{"source": "/{:a/}*(b)?\\(", ` + sets(":a") + "}]}",
		`{"hosting": {"headers": [{"source": "!{a,{b,c}}/**/[!x-z]@(d|*(e)|!(f))", "headers": [{"key": ` +
			`"X-Robots-Tag"}]}]}}`,
		"customHeaders:\n- pattern: &a '*'\n  headers: [{key: *a, value: x}, {key: X-Robots-Tag}]\n",
		`{"routes": [{"route": "*.{a,b}", "headers": {"X-Robots-Tag": 1}}], "globalHeaders": []}`,
	} {
		f.Add([]byte(s), "a")
	}
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		lines := 1
		for _, c := range file {
			if c == '\n' || c == '\r' {
				lines++
			}
		}
		for _, target := range targets {
			u, err := readUser(target, file)
			if err != nil {
				continue
			}
			for _, v := range u.Found(path) {
				if v.Text == "" || v.Line < 1 || v.Line > lines {
					t.Errorf("%s: found %+v in %d lines", target, v, lines)
				}
			}
			for _, p := range u.findings {
				if p.Line < 1 || p.Line > lines {
					t.Errorf("%s: %+v in %d lines", target, p, lines)
				}
			}
			// The compiler takes or refuses what the reader takes.
			res, err := compile(target, file, nil, plain)
			if err != nil {
				continue
			}
			if again, err := compile(target, res.File, nil, plain); err != nil ||
				string(again.File) != string(res.File) {
				t.Errorf("%s: a second run: %v\n%q\nfirst\n%q", target, err, again.File, res.File)
			}
		}
	})
}
