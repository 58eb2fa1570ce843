package servers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// published is a file with what it is to be served with.
func published(path string, values ...string) robotstag.Want {
	return robotstag.Want{Path: path, URL: path, Values: values}
}

func many(n int, path string) (wants []robotstag.Want) {
	for i := range n {
		name := fmt.Sprintf(path, i)
		wants = append(wants, published(name, "noindex, follow"))
	}
	return wants
}

// A .htaccess that slows each request down is a warning, with the directives of all crawlers' lines
// and the limit.
func TestApache_AFileThatCostsTimeIsSaid(t *testing.T) {
	for _, n := range []int{4000, 5100} {
		wants := many(n, "%d.pdf")
		for i := range wants {
			wants[i].Values = []string{"noindex", "googlebot: none"}
		}
		res, err := compile("apache", nil, wants, plain)
		said := fmt.Sprintf("%d URLs in %d directives of .htaccess, which Apache reads for every request: above 10000 ",
			2*n, strings.Count(string(res.File), "Header "))
		if slow := strings.Contains(fmt.Sprint(res.Findings), said); err != nil || slow != (n > 5000) {
			t.Errorf("%d files: %v %v", n, err, res.Findings)
		}
	}
}

// Where a host has a limit, going over it is an error and a problem that says so.
func TestHouse_MoreThanAHostTakesIsAnError(t *testing.T) {
	long := strings.Repeat("very-long-name/", 200)
	for _, test := range []struct {
		target string
		wants  []robotstag.Want
		budget bool
	}{
		{"vercel", many(1000, long+"%d.pdf"), false},
		{"vercel", many(1100, long+"%d.pdf"), true},
		{"firebase", many(1100, long+"%d.pdf"), false},
		{"azure", many(150, "downloads/%d.pdf"), false},
		{"azure", many(400, "downloads/%d.pdf"), true},
		{"amplify", many(150, "downloads/%d.pdf"), false},
		{"amplify", many(400, "downloads/%d.pdf"), true},
	} {
		res, err := compile(test.target, nil, test.wants, plain)
		if errors.Is(err, robotstag.ErrBudget) != test.budget || err != nil && !test.budget {
			t.Errorf("%s, %d files: error %v", test.target, len(test.wants), err)
		}
		said := false
		for _, p := range res.Findings {
			said = said || p.ID == "header-budget" && p.Severity == policy.Error
		}
		if said != test.budget {
			t.Errorf("%s, %d files: problems %+v", test.target, len(test.wants), res.Findings)
		}
	}
}

// What the user's file does to the header, or what it is not, is said with the line.
func TestHouse_WhatAFileIsNotIsSaidWithItsLine(t *testing.T) {
	want := []robotstag.Want{published("admin/a.pdf", "noindex, follow")}
	for cells, user := range archive(t, "testdata/refused.txtar") {
		target, says := cells[0], cells[1]
		res, err := compile(target, []byte(user), want, plain)
		var said []string
		if err != nil {
			said = append(said, err.Error())
		}
		for _, p := range res.Findings {
			said = append(said, fmt.Sprintf("%d: %s: %s", p.Line, p.ID, p.Text()))
		}
		if len(said) != 1 || !strings.HasPrefix(said[0], says) {
			t.Errorf("%s %q: said %q, want %q", target, user, said, says)
		}
	}
}

// Hash settings are written as soon as nginx's own would bring a warning: a bucket is to hold eight
// of many texts.
func TestNginx_HashSettings(t *testing.T) {
	for n, want := range map[int]string{100: "", 101: "map_hash_bucket_size 256;\nmap_hash_max_size 2048;\n",
		3000: "map_hash_bucket_size 256;\nmap_hash_max_size 8192;\n"} {
		got := ""
		for line := range strings.Lines(string(must(t, "nginx", nil, many(n, "%d.pdf"), plain).File)) {
			if strings.HasPrefix(line, "map_hash_") {
				got += line
			}
		}
		if got != want {
			t.Errorf("%d files: %q, want %q", n, got, want)
		}
	}
}

// A user who has nginx's hash settings elsewhere comments ours out, for good.
func TestNginx_SettingsThatAreCommentedOutStaySo(t *testing.T) {
	wants := many(3, strings.Repeat("long-", 30)+"%d.pdf")
	res, err := compile("nginx", nil, wants, plain)
	if err != nil || !strings.Contains(string(res.File), "\nmap_hash_bucket_size 256;\n") {
		t.Fatalf("%v\n%s", err, res.File)
	}
	edited := strings.ReplaceAll(string(res.File), "\nmap_hash_", "\n# map_hash_")
	res, err = compile("nginx", []byte(edited), wants, plain)
	if err != nil || string(res.File) != edited {
		t.Errorf("%v\n%s", err, res.File)
	}
}

// A value that a host's file would read as something else is refused, not written.
func TestHouse_ValuesThatAHostMisreadsAreRefused(t *testing.T) {
	for _, target := range targets {
		for _, value := range []string{"noindex\nSet-Cookie: a", `no"index`, "$uri", "{path}", "é"} {
			res, err := compile(target, nil, []robotstag.Want{published("a.pdf", value)}, plain)
			if err != nil || len(res.File) > len(begun(target, nil)) || len(res.Findings) != 1 || res.Findings[0].ID != "header-value" {
				t.Errorf("%s %q: %v %+v\n%s", target, value, err, res.Findings, res.File)
			}
		}
	}
}

func TestAzure_ARouteForOtherMethodsIsNotInTheWay(t *testing.T) {
	res, err := compile("azure", []byte(`{"routes": [{"route": "/*", "methods": ["POST"]}]}`), many(1, "%d.pdf"), plain)
	if err != nil || len(res.Findings) > 0 {
		t.Errorf("%v %+v", err, res.Findings)
	}
}

// What a person adds after our rules stays, and ours are still found.
func TestHouse_WhatIsAddedAfterOursStays(t *testing.T) {
	for _, test := range []struct{ target, user, mark string }{
		{"vercel", "{\n  \"a\": 1\n}\n", patternMark},
		{"vercel", "{}", patternMark},
		{"vercel", `{"headers": []}`, patternMark},
		{"firebase", "{\"hosting\": {\n  \"public\": \"x\"\n}}", patternMark},
		{"azure", "{\"routes\": [{\"route\": \"/b\"}]}", patternBegin},
	} {
		res := must(t, test.target, []byte(test.user), many(2, "%d.pdf"), plain)
		end := strings.LastIndex(string(res.File), "]")
		list := string(res.File[:end]) + `, {"route": "/mine", "source": "/mine", "headers": []}` + string(
			res.File[end:],
		)
		member := string(res.File[:end+1]) + `, "mine": 1` + string(res.File[end+1:])
		for _, edited := range []string{list, member} {
			again, err := compile(test.target, []byte(edited), many(3, "%d.pdf"), plain)
			if err != nil {
				t.Fatalf("%s: %v\n%s", test.target, err, edited)
			}
			if !json.Valid(again.File) || !strings.Contains(string(again.File), "mine") ||
				strings.Count(string(again.File), test.mark) != 1 {
				t.Errorf("%s: %v\n%s", test.target, err, again.File)
			}
			none := string(must(t, test.target, again.File, nil, plain).File)
			if !json.Valid([]byte(none)) || strings.Contains(none, "metarobots") || !strings.Contains(none, "mine") {
				t.Errorf("%s:\n%s", test.target, none)
			}
		}
	}
}

// The line of a finding is that of the file as it was given, our block counted.
func TestHouse_LinesAreThoseOfTheGivenFile(t *testing.T) {
	wants := many(2, "%d.pdf")
	res := must(t, "apache", []byte("Options -Indexes\n"), wants, plain)
	edited := string(res.File) + "Header set X-Robots-Tag none env=x\n"
	res = must(t, "apache", []byte(edited), wants, plain)
	if line := strings.Count(edited, "\n"); len(res.Findings) != 1 || res.Findings[0].Line != line {
		t.Errorf("%+v, want line %d", res.Findings, line)
	}
	// Ours goes after it: the last one counts.
	if text := string(res.File); strings.Index(text, "none") > strings.Index(text, marks.Begin) ||
		!strings.HasPrefix(text, "Options -Indexes\nHeader set") {
		t.Errorf("%s", text)
	}
	if again := must(t, "apache", res.File, wants, plain); string(again.File) != string(res.File) {
		t.Errorf("a second run:\n%s", again.File)
	}
}
