package servers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// The lines of Google's page for an Apache server count as found, as do the forms of them that
// Apache's own documentation has (issue 14, 6).
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
// https://httpd.apache.org/docs/2.4/mod/core.html#files
// N8b.
func TestGoogle_HtaccessSectionsCountAsFound(t *testing.T) {
	for cells, user := range archive(t, "testdata/htaccess.txtar") {
		if got := strings.Join(found(t, "apache", user, cells[0]), "; "); got != cells[1] {
			t.Errorf("%s%s: found %q, want %q", user, cells[0], got, cells[1])
		}
		own, err := readUser("apache", []byte(user))
		if err != nil || len(own.findings) > 0 {
			t.Errorf("%s: %v, %+v", user, err, own.findings)
		}
	}
}

// What the sections give exactly needs no rule of ours; where they would go before one, that is an
// error at their line (N8d, N8e).
func TestHouse_HtaccessSectionsGoBeforeOurs(t *testing.T) {
	user := []byte("Options -Indexes\n<Files ~ \"\\.pdf$\">\nHeader set X-Robots-Tag \"noindex, nofollow\"\n</Files>\n")
	wants := []robotstag.Want{
		{Path: "a.pdf", URL: "a.pdf", Values: []string{"noindex, nofollow"}, Found: true},
		published("b.pdf", "noindex, nofollow, noarchive"),
		published("c.txt", "noindex"),
	}
	for _, o := range []robotstag.Task{{}, {Base: "/docs"}} {
		res, err := compile("apache", user, wants, o)
		if err != nil || strings.Contains(string(res.File), "a.pdf") || !strings.Contains(string(res.File), "/c.txt") ||
			!strings.HasPrefix(string(res.File), string(user)) {
			t.Errorf("%v\n%s", err, res.File)
		}
		if len(res.Findings) != 1 || res.Findings[0].ID != "header-found" ||
			res.Findings[0].Severity != policy.Error ||
			res.Findings[0].Line != 3 ||
			res.Findings[0].URL != "b.pdf" {
			t.Errorf("%+v", res.Findings)
		}
		reports(t, "apache", verify("apache", res.File, wants, o, nil), "b.pdf")
	}
	// An environment says the same everywhere, and the section may say it too.
	o := robotstag.Task{Everywhere: []string{"noindex, nofollow"}}
	wants = []robotstag.Want{published("a.pdf", o.Everywhere...), published("d.html", o.Everywhere...)}
	res, err := compile("apache", user, wants, o)
	if err != nil || len(res.Findings) > 0 {
		t.Errorf("%v %+v", err, res.Findings)
	}
}

// What append and merge set joins the first line that is there, and add makes a line of its own, as
// the real Apache answers in e2e (N8n).
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func TestApache_AppendJoinsTheFirstLine(t *testing.T) {
	for user, want := range map[string]string{
		"set a|add b":                         "a\nb",
		"add a|add b|append c":                "a, c\nb",
		"append a|append b|merge c":           "a, b, c",
		"set a|always set b|append c":         "a, c\nb",
		"add a|always append b|always add c":  "a\nb\nc",
		"add a|append b|set c|append d|add e": "c, d\ne",
	} {
		var file strings.Builder
		for line := range strings.SplitSeq(user, "|") {
			action, value, _ := strings.Cut(line, " ")
			if action == "always" {
				action, value, _ = strings.Cut(value, " ")
				action = "always " + action
			}
			fmt.Fprintf(&file, "Header %s X-Robots-Tag %q\n", action, value)
		}
		u, err := readUser("apache", []byte(file.String()))
		if got := u.Sent("a.pdf", ""); err != nil || len(got) != 1 || got[0].String() != want {
			t.Errorf("%s: %v, sent %q, want %q", user, err, got, want)
		}
	}
}

// The proof reads a finished .htaccess as Apache does: each line that adds is sent, what is
// appended joins the first line, a section is carried out after what is outside of one, and
// "always" has a header of its own. So a file that gets just what its owner states there passes
// without a rule of ours (N3, N8n).
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
// https://httpd.apache.org/docs/2.4/sections.html#merging
func TestApache_TheProofSendsEveryLineThatApacheSends(t *testing.T) {
	for lines, want := range map[string]string{
		"always add noindex|always add nosnippet":                  "noindex\nnosnippet",
		"always add noindex|always add nosnippet|always set noai":  "noai",
		"always set noai|always add noindex|always append noml":    "noai, noml\nnoindex",
		"set noindex|always add noai|always add noml":              "noindex\nnoai\nnoml",
		"<Files a.pdf>|add noindex|add nosnippet|</Files>":         "noindex\nnosnippet",
		"<Files a.pdf>|add noindex|</Files>|add nosnippet":         "nosnippet\nnoindex",
		"<Files a.pdf>|add noindex|set noai|add noml|</Files>":     "noai\nnoml",
		"<Files a.pdf>|always set noindex|</Files>|always set all": "noindex",
		"add googlebot:noindex|append nofollow":                    "googlebot:noindex, nofollow",
		"add googlebot:noindex|add nofollow":                       "googlebot:noindex\nnofollow",
		"add noindex|<Files b.pdf>|set noai|add noml|</Files>":     "noindex",
	} {
		user := strings.Join(htaccess(lines), "\n") + "\n"
		model, err := readHost("apache", []byte(user), robotstag.XRobotsTag())
		if err != nil {
			t.Errorf("%s: %v", user, err)
			continue
		}
		if got := strings.Join(model.readings[0].answer("/a.pdf").texts(), "\n"); got != want {
			t.Errorf("%s: the proof sends %q, want %q", user, got, want)
		}
		owner := tables.Value(readUser("apache", []byte(user)))(t)
		if sent := owner.Sent("a.pdf", ""); len(sent) != 1 || sent[0].String() != want {
			t.Errorf("%s: found %q, want %q", user, sent, want)
		}
		found := robotstag.Want{Path: "a.pdf", URL: "a.pdf", Values: strings.Split(want, "\n"), Found: true}
		res, err := compile("apache", []byte(user), []robotstag.Want{found}, plain)
		if err != nil || string(res.File) != user || len(res.Findings) > 0 {
			t.Errorf("%s: %v, %+v\n%s", user, err, res.Findings, res.File)
		}
	}
}

// htaccess are the lines of a .htaccess, each as "ACTION VALUE", or a section as it is.
func htaccess(text string) (lines []string) {
	for line := range strings.SplitSeq(text, "|") {
		if !strings.HasPrefix(line, "<") {
			at := strings.LastIndexByte(line, ' ')
			line = fmt.Sprintf("Header %s X-Robots-Tag %q", line[:at], line[at+1:])
		}
		lines = append(lines, line)
	}
	return lines
}

// "Header always unset" sends nothing, and takes away from another header than the one that ours
// set: nothing of it is to be kept, and it takes nothing from ours (N8p).
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func TestApache_AlwaysUnsetLeavesOursAlone(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "noindex")}
	for _, table := range []string{"always ", "Always ", "onsuccess ", ""} {
		line := "Header " + table + "unset X-Robots-Tag\n"
		for _, o := range []robotstag.Task{plain, {Everywhere: []string{"noindex"}}} {
			res := must(t, "apache", []byte(line), wants, o)
			isError := func(f policy.Finding) bool { return f.Severity == policy.Error }
			if !strings.Contains(string(res.File), "Header set") || slices.ContainsFunc(res.Findings, isError) {
				t.Errorf("%s%+v\n%s", line, res.Findings, res.File)
			}
			file := append(slices.Clone(res.File), line...)
			isBesideOurs := strings.EqualFold(table, "always ")
			if faults := verify("apache", file, wants, o, nil); (len(faults) == 0) != isBesideOurs {
				t.Errorf("%s behind ours: %+v", line, faults)
			}
		}
	}
}

// An unread line in a section behind our block is one fault of the finished file, and not two (N3).
func TestHouse_TheProofReportsALineOnce(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "noindex")}
	res := must(t, "apache", nil, wants, plain)
	section := "<Files a.pdf>\nHeader set X-Robots-Tag none env=x\n</Files>\n"
	file := append(slices.Clone(res.File), section...)
	if faults := verify("apache", file, wants, plain, nil); len(faults) != 1 {
		t.Errorf("%+v", faults)
	}
}

// A line that is sent beside ours adds to what they say. One that loosens them is an error (D3,
// N8o).
func TestHouse_LinesBesideOursMayNotLoosenThem(t *testing.T) {
	for user, loosens := range map[string]bool{
		"Header always set X-Robots-Tag indexifembedded\n":                                                true,
		"Header always set X-Robots-Tag nofollow\n":                                                       false,
		"Header always set X-Robots-Tag \"nobot: noindex\"\n":                                             false,
		"<Files a.pdf>\nHeader add X-Robots-Tag indexifembedded\n</Files>\n":                              true,
		"<Files a.pdf>\nHeader append X-Robots-Tag noarchive\nHeader add X-Robots-Tag noai\n</Files>\n":   false,
		"<Files a.pdf>\nHeader append X-Robots-Tag indexifembedded\n</Files>\n":                           true,
		"<Files b.pdf>\nHeader append X-Robots-Tag indexifembedded\n</Files>\n":                           false,
		"<Files a.pdf>\nHeader append X-Robots-Tag \"googlebot: nosnippet, indexifembedded\"\n</Files>\n": false,
	} {
		wants := []robotstag.Want{published("a.pdf", "noindex, nofollow, noarchive, noai", "bingbot: noindex, noml")}
		res, err := compile("apache", []byte(user), wants, plain)
		named := slices.ContainsFunc(res.Findings, func(f policy.Finding) bool {
			return f.ID == "header-found" && f.Severity == policy.Error && strings.Contains(f.Text(), "beside ours")
		})
		if err != nil || named != loosens {
			t.Errorf("%s: %v, %+v", user, err, res.Findings)
		}
	}
}

// What depends on more than the name of a file is said, never guessed, and where it may go before a
// rule of ours that is an error: nothing of the owner's sections is relied on then.
func TestHouse_HtaccessLinesThatAreNotRead(t *testing.T) {
	pdf := "<Files a.pdf>\nHeader set X-Robots-Tag \"noindex, follow\"\n</Files>\n"
	for _, test := range []struct {
		section, line string
		fault         bool
	}{
		{"Files a.pdf", `Header set X-Robots-Tag none env=secret`, true},
		{"Files a.pdf", `Header set X-Robots-Tag none "expr=%{HTTPS} == 'on'"`, true},
		{"Files a.pdf", `Header set X-Robots-Tag "%{ROBOTS}e"`, true},
		{"Files a.pdf", `Header set X-Robots-Tag noindex, nofollow`, true},
		{"Files a.pdf", `Header unset X-Robots-Tag`, true},
		{"Files a.pdf", `Header set X-Robots-Tag ""`, true},
		{"Files a.pdf", `Header set X-Robots-Tag "noindex`, true},
		{"Files a.pdf", `Header set X-Robots-Tag \`, true},
		{"Files \"[a-z].pdf\"", `Header set X-Robots-Tag none`, true},
		{"FilesMatch \"(?=a)b\"", `Header set X-Robots-Tag none`, true},
		{"FilesMatch", `Header set X-Robots-Tag none`, true},
		{"If \"true\"", `Header set X-Robots-Tag none`, true},
		{"IfModule mod_other.c", `Header set X-Robots-Tag none`, false},
		{"IfModule !mod_headers.c", `Header set X-Robots-Tag none`, false},
	} {
		name, _, _ := strings.Cut(test.section, " ")
		user := fmt.Sprintf("%s<%s>\n%s\n</%s>\n", pdf, test.section, test.line, name)
		wants := []robotstag.Want{{Path: "a.pdf", URL: "a.pdf", Values: []string{"noindex, follow"}, Found: true}}
		res, err := compile("apache", []byte(user), append(wants, published("b.txt", "none")), plain)
		said := func(s policy.Severity, message string) bool {
			return slices.ContainsFunc(res.Findings, func(f policy.Finding) bool {
				return f.Line == 5 && f.Severity == s && strings.HasPrefix(f.Text(), message)
			})
		}
		if err != nil || len(res.Findings) != map[bool]int{false: 1, true: 2}[test.fault] ||
			!said(policy.Warning, "this line is about") || said(policy.Error, "Apache merges a section") != test.fault {
			t.Errorf("%s: %v %+v", user, err, res.Findings)
		}
		if got := found(t, "apache", user, "a.pdf"); !slices.Equal(got, []string{"2:noindex, follow"}) {
			t.Errorf("%s: found %q", user, got)
		}
		if strings.Contains(string(res.File), "/a.pdf") != test.fault {
			t.Errorf("%s: is a line that is not read relied on?\n%s", user, res.File)
		}
		faults := verify("apache", res.File, wants, plain, nil)
		if (len(faults) > 0) != test.fault ||
			test.fault &&
				(faults[0].Line != 5 || faults[0].Severity != policy.Error || !strings.HasPrefix(faults[0].Text(),
					"Apache merges a section")) {
			t.Errorf("%s: %+v", user, faults)
		}
	}
}
