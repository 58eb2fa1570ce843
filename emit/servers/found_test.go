package servers

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// found prints what is found, as "line:value".
func found(t *testing.T, target, user, path string) (all []string) {
	t.Helper()
	u, err := readUser(target, []byte(user))
	if err != nil {
		t.Fatalf("%s %s: %v", target, user, err)
	}
	for _, v := range u.Found(path) {
		all = append(all, fmt.Sprintf("%d:%s", v.Line, v.Text))
	}
	return all
}

// sets is the member of a rule that sets the header, at Vercel, Firebase and Amplify.
func sets(value string) string {
	return `"headers": [{"key": "X-Robots-Tag", "value": "` + value + `"}]`
}

// patternForms are files with one rule for a pattern.
var patternForms = map[string]string{
	"vercel":   `{"headers": [{"source": %q, ` + sets("noindex") + "}]}",
	"firebase": `{"hosting": {"headers": [{"source": %q, ` + sets("noindex") + "}]}}",
	"regex":    `{"hosting": {"headers": [{"regex": %q, ` + sets("noindex") + "}]}}",
	"amplify":  "customHeaders:\n- {pattern: %q, headers: [{key: X-Robots-Tag, value: noindex}]}\n",
	"azure":    `{"routes": [{"route": %q, "headers": {"X-Robots-Tag": "noindex"}}]}`,
}

// One rule for a pattern, and the files that it takes and does not take.
func TestFound_Patterns(t *testing.T) {
	for _, test := range []struct {
		target, pattern string
		takes, not      string
	}{
		// https://vercel.com/docs/project-configuration/vercel-json#headers and the
		// table of packages/routing-utils/test/superstatic.spec.ts in
		// https://github.com/vercel/vercel
		{"vercel", "/(.*)", "index.html a/b/c.pdf", ""},
		{"vercel", "/:path*", "a.pdf a/b/c.pdf", ""},
		{"vercel", "/service-worker.js", "service-worker.js", "service-workerxjs a/service-worker.js"},
		{"vercel", "/proxy/(.*)", "proxy/one proxy/- proxy/dir/sub", "prox proxyed/two"},
		{"vercel", "/catchall/:hello*", "catchall catchall/first catchall/first/second", "random-catch"},
		{"vercel", "/Docs/a.pdf", "Docs/a.pdf", "docs/a.pdf"},
		{"vercel", "/docs", "docs/index.html", "docs/a.html"},
		{"vercel", "/a%20b.pdf", "a b.pdf", "ab.pdf"},
		// https://firebase.google.com/docs/hosting/full-config#glob_pattern_matching
		// and minimatch's own rules, https://github.com/isaacs/minimatch#features
		{"firebase", "**", "index.html a/b/c.pdf a b.pdf", ".well-known/x a/.b"},
		{"firebase", "/*", "a.pdf index.html", "a/b.pdf .hidden"},
		{"firebase", "**/*.js", "a.js b/c/d.js", "a.json .js"},
		{"firebase", "/images/*.@(jpg|png)", "images/a.jpg images/b.c.png", "images/a.gif images/x/a.jpg"},
		{"firebase", "**/*.{pdf,txt}", "a.pdf b/c.txt", "a.pd b{pdf,txt}"},
		{"firebase", "/foo/**", "foo/a foo/b/c foo/index.html", "foo foobar/a"},
		{"firebase", "/.well-known/*", ".well-known/x", "well-known/x"},
		{"firebase", "/docs", "docs/index.html", "docs/a.html"},
		{"firebase", "/größe.pdf", "größe.pdf", "grosse.pdf"},
		// RE2 that is found anywhere.
		{"regex", "/docs/", "docs/a.pdf x/docs/b", "docs"},
		{"regex", "^/a/.*\\.pdf$", "a/b.pdf a/b/c.pdf", "b/a/c.pdf a/b.pdfx"},
		// https://docs.aws.amazon.com/amplify/latest/userguide/custom-header-YAML-format.html
		{"amplify", "*.json", "a.json", "a.jsonx"},
		{"amplify", "/path/*", "path/a path/index.html", "paths/a"},
		{"amplify", "**/*", "index.html a/b/c", ""},
		{"amplify", "**", "index.html a/b/c", ""},
		{"amplify", "/path/*.json", "path/a.json", "path/a.js json"},
		{"amplify", "**/*.pdf", "a.pdf b/c.pdf", "a.pdfx"},
		{"amplify", "a b.pdf", "a b.pdf", "a%20b.pdfx"},
		// https://learn.microsoft.com/azure/static-web-apps/configuration#define-routes
		{"azure", "/profile/index.html", "profile/index.html", "profile/a.html"},
		{"azure", "/calendar*", "calendar calendar/a/b calendars.html", "a/calendar"},
		{"azure", "/articles/*.html", "articles/a.html articles/b/c.html", "articles/a.pdf articles/a.htmlx"},
		{"azure", "/images/thumbnails/*.{png,jpg,gif}", "images/thumbnails/a.jpg",
			"images/thumbnails/a.svg images/a.png"},
		{"azure", "*.pdf", "", "b.txt"},
		{"azure", "/Login", "login", "logins"},
	} {
		target := test.target
		if target == "regex" {
			target = "firebase"
		}
		user := fmt.Sprintf(patternForms[test.target], test.pattern)
		for _, list := range []struct {
			files string
			want  int
		}{{test.takes, 1}, {test.not, 0}} {
			for file := range strings.SplitSeq(strings.ReplaceAll(list.files, "a b.pdf", "a\x00b.pdf"), " ") {
				file = strings.ReplaceAll(file, "\x00", " ")
				if got := found(t, target, user, file); file != "" && len(got) != list.want {
					t.Errorf("%s %s, %s: found %q, want %d", test.target, test.pattern, file, got, list.want)
				}
			}
		}
	}
}

// A pattern of more than a path, or what paths begin and end with, is a finding and not counted, and nothing else is
// relied on where it may take a file: the file has a rule of ours (N8). Exactness beyond that is no goal.
func TestHouse_PatternsThatAreNotRead(t *testing.T) {
	for _, test := range []struct{ target, pattern, takes string }{
		{"vercel", "/next(\\.js)?", "next.js next"},
		{"vercel", "/proxy-regex/([a-zA-Z]{1,})", "proxy-regex/admin"},
		{"vercel", "/projects/:id/:action", "projects/one/edit"},
		{"vercel", "/old/:segment/path", "old/one/path"},
		{"vercel", "/another-catch/:hello+", "another-catch/first another-catch/first/second"},
		{"vercel", "/feedback/((?!general).*)", "feedback/another"},
		{"vercel", "/optional/:id?", "optional optional/1"},
		{"vercel", "/feature-{:slug}", "feature-first"},
		{"vercel", "/(.*)-:id(\\d+).html", "hello-123.html a/b-1.html"},
		{"vercel", "/blog/:slug(\\d+)", "blog/123"},
		{"vercel", "/{:lang/}?about", "about de/about"},
		{"firebase", "/a/?(b|c)d", "a/d a/bd a/cd"},
		{"firebase", "/a/+(b|c)", "a/b a/bcb"},
		{"firebase", "/a/*(b)", "a/b a/bb"},
		{"firebase", "/!(a|b)/**", "c/x ab/x"},
		{"firebase", "!a/**", "b/x index.html"},
		{"firebase", "/[a-c]?.txt", "ax.txt cc.txt"},
		{"firebase", "/[!a-c].txt", "d.txt"},
		{"firebase", "/a\\*.txt", "a*.txt"},
		{"firebase", "/a/**/b", "a/b a/x/b a/x/y/b"},
		{"regex", "(?=a)b", "b"},
		{"regex", "(", "b"},
		{"amplify", "**/a", "a"},
		{"amplify", "/docs/[ab].pdf", "docs/a.pdf"},
		{"amplify", "/a*b*.pdf", "ab.pdf"},
		{"azure", "/a/*/b.pdf", "a/x/b.pdf"},
	} {
		target := test.target
		if target == "regex" {
			target = "firebase"
		}
		user := []byte(fmt.Sprintf(patternForms[test.target], test.pattern))
		for file := range strings.SplitSeq(test.takes, " ") {
			own, err := readUser(target, user)
			if err != nil {
				t.Fatal(err)
			}
			if got := own.Found(file); len(got) > 0 {
				t.Errorf("%s %s, %s: found %v", target, test.pattern, file, got)
			}
			wants := []robotstag.Want{{Path: file, URL: file, Values: []string{"noindex"}, Found: true}}
			if strings.Contains(file, "*") {
				wants = nil // no rule can name it on some hosts
			}
			res, err := compile(target, user, wants, plain)
			if err != nil || len(res.Findings) == 0 ||
				res.Findings[0].Line != map[bool]int{false: 1, true: 2}[target == "amplify"] ||
				res.Findings[0].ID != "header-found" ||
				res.Rules < len(wants) {
				t.Errorf("%s %s, %s: %v, %d rules, %+v", target, test.pattern, file, err, res.Rules, res.Findings)
			}
			// Ours are last, and win; on Azure the first route does, and that is an error.
			faults := verify(target, res.File, wants, plain, nil)
			errs := slices.ContainsFunc(res.Findings, func(p policy.Finding) bool { return p.Severity == policy.Error })
			if before := target == "azure"; (len(faults) > 0) != before || errs != before {
				t.Errorf("%s %s: %+v, proof %+v", target, test.pattern, res.Findings, faults)
			}
		}
	}
}

// Where an owner's rule that is not read stands after ours, it may override them: an error until the next run puts ours
// last (N8).
func TestHouse_RulesThatAreNotReadMayOverrideOurs(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "noindex"), published("b.pdf")}
	fresh := map[string]string{"vercel": "{}", "firebase": `{"hosting": {}}`}
	for target, rule := range map[string]string{
		"vercel":   `, {"source": "/:name(a|b).pdf", ` + sets("all") + "}",
		"firebase": `, {"source": "/?.pdf", ` + sets("all") + "}",
	} {
		res := must(t, target, []byte(fresh[target]), wants, plain)
		end := strings.LastIndex(string(res.File), "]")
		edited := []byte(string(res.File[:end]) + rule + string(res.File[end:]))
		reports(t, target, verify(target, edited, wants, plain, nil), "a.pdf")
		res = must(t, target, edited, wants, plain)
		reports(t, target+", run again", verify(target, res.File, wants, plain, nil))
	}
	file := "customHeaders:\n" + marks.Begin + "\n- pattern: '/a.pdf'\n  headers: [{ key: X-Robots-Tag, value: " +
		"'noindex' }]\n" + marks.End + "\n" +
		"- pattern: '[ab].pdf'\n  headers: [{key: X-Robots-Tag, value: all}]\n"
	reports(t, "amplify", verify("amplify", []byte(file), wants, plain, nil), "a.pdf")
}

// A rule that is not read does not hide what one before it brings: the stricter of the two is what is found.
func TestHouse_RulesThatAreNotReadHideNothing(t *testing.T) {
	user := `{"headers": [{"source": "/(.*)", ` + sets("noindex") +
		"},\n{\"source\": \"/(.*)\", \"has\": [{\"type\": \"host\", \"value\": \"a\"}], " + sets("all") + "}]}"
	if got := found(t, "vercel", user, "a.pdf"); !slices.Equal(got, []string{"1:noindex"}) {
		t.Errorf("found %q", got)
	}
	wants := []robotstag.Want{{Path: "a.pdf", URL: "a.pdf", Values: []string{"noindex"}, Found: true}}
	res, err := compile("vercel", []byte(user), wants, plain)
	if err != nil || res.Rules != 1 {
		t.Errorf("%v, %d rules\n%s", err, res.Rules, res.File)
	}
}

// Of several rules the host's order decides.
func TestFound_Order(t *testing.T) {
	for _, test := range []struct{ target, user, file, want string }{
		// "If two headers match the same path and set the same header key, the last header key will override the
		// first": as Next.js documents it, whose rules become the same routes.
		{"vercel", "{\"headers\": [\n{\"source\": \"/(.*)\", " + sets("noindex") +
			"},\n{\"source\": \"/a\", \"headers\": [{\"key\": \"x-robots-tag\", \"value\": \"all\"}, " +
			`{"key": "B", "value": "c"}]}]}`, "a", "3:all"},
		// https://github.com/firebase/firebase-tools/issues/9467
		{"firebase", "{\"hosting\": {\"headers\": [\n{\"source\": \"/a\", " + sets("all") +
			"},\n{\"source\": \"**\", \"headers\": [\n{\"key\": \"X-Robots-Tag\", \"value\": \"noindex\"}]}]}}",
			"a", "4:noindex"},
		// https://github.com/aws-amplify/amplify-hosting/issues/198
		{"amplify", "customHeaders:\n- pattern: '**'\n  headers:\n  - key: X-Robots-Tag\n    value: noindex\n" +
			"- pattern: a\n  headers:\n  - key: X-Robots-Tag\n    value: all\n", "a", "9:all"},
		// Both readings of a star count, each with its own last rule.
		{"amplify", "customHeaders:\n- pattern: '**'\n  headers: [{key: X-Robots-Tag, value: noindex}]\n" +
			"- pattern: '*.pdf'\n  headers: [{key: X-Robots-Tag, value: all}]\n", "a/b.pdf", "3:noindex 5:all"},
		// "Rule evaluation stops at the first match", "Route-specific headers override globalHeaders", "To remove a
		// header, set the value to an empty string".
		{"azure", "{\"routes\": [\n{\"route\": \"/a*\", \"headers\": {\"X-Robots-Tag\": \"noindex\"}},\n" +
			"{\"route\": \"/*\", \"headers\": {\"X-Robots-Tag\": \"all\"}}]}", "ab", "2:noindex"},
		{"azure", "{\"routes\": [{\"route\": \"/a*\", \"headers\": {\"B\": \"c\"}}], \n" +
			"\"globalHeaders\": {\"x-robots-tag\": \"noindex\"}}", "ab", "1:noindex"},
		{"azure", "{\"routes\": [{\"route\": \"/a*\", \"headers\": {\"X-Robots-Tag\": \"\"}}], \n" +
			"\"globalHeaders\": {\"x-robots-tag\": \"noindex\"}}", "ab", ""},
		{"azure", "{\"routes\": [{\"route\": \"/a*\", \"headers\": {\"X-Robots-Tag\": \"\"}}], \n" +
			"\"globalHeaders\": {\"x-robots-tag\": \"noindex\"}}", "b", "2:noindex"},
		{"azure", "{\"routes\": [{\"route\": \"/a*\", \"methods\": [\"POST\"], \"headers\": {\"X-Robots-Tag\": " +
			"\"noindex\"}}]}", "ab", ""},
		{"azure", "{\"routes\": [{\"route\": \"/a*\", \"redirect\": \"/\", \"headers\": {\"X-Robots-Tag\": " +
			"\"noindex\"}}]}", "ab", ""},
		// Where a file's paths differ, what any of them gets counts.
		{"vercel", `{"headers": [{"source": "/a/", ` + sets("noindex") + "},\n{\"source\": \"/a/index.html\", " +
			sets("nofollow") + "}]}", "a/index.html", "1:noindex 2:nofollow"},
	} {
		if got := strings.Join(found(t, test.target, test.user, test.file), " "); got != test.want {
			t.Errorf("%s %s: found %q, want %q", test.target, test.user, got, test.want)
		}
	}
}

// What cannot be read is said, with its line, and not counted.
func TestFound_WhatCannotBeReadIsSaid(t *testing.T) {
	vercel := "{\n\"headers\": [\n{%s, " + sets("noindex :slug") + "}]}"
	firebase := "{\"hosting\": {\n\"headers\": [\n{%s, " + sets("noindex") + "}]}}"
	for _, test := range []struct{ target, user, says string }{
		{"vercel", fmt.Sprintf(vercel, `"source": "/(.*)", "has": [{"type": "host", "value": "a"}]`),
			"its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/(.*)", "missing": [{"type": "cookie", "key": "a"}]`),
			"its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/:slug"`), "its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/*"`), "its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/(a(b))"`), "its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/:"`), "its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/{a"`), "its source or what it depends on cannot be read"},
		{"vercel", fmt.Sprintf(vercel, `"source": "/([a)"`), "its source or what it depends on cannot be read"},
		{"firebase", fmt.Sprintf(firebase, `"source": "/{1..3}"`), "its pattern cannot be read"},
		{"firebase", fmt.Sprintf(firebase, `"source": "/@(a"`), "its pattern cannot be read"},
		{"firebase", fmt.Sprintf(firebase, `"source": "/[a"`), "its pattern cannot be read"},
		{"firebase", fmt.Sprintf(firebase, `"regex": "("`), "its pattern cannot be read"},
		{"amplify", "customHeaders:\n\n- pattern: '**/*.{a,b}'\n  headers: [{key: X-Robots-Tag, value: noindex}]\n",
			"more than * and **"},
		{"azure", "{\"routes\": [\n\n{\"route\": \"/a/*/b\", \"headers\": {\"X-Robots-Tag\": \"noindex\"}}]}",
			"its route cannot be read"},
		{"apache", "# X-Robots-Tag\n\nHeader set x-robots-tag noindex env=a\n", "this line"},
		{"apache", "# X-Robots-Tag\n<Files a>\nHeader unset x-robots-tag\n</Files>\n", "this line"},
		{"nginx", "a\nserver {\nadd_header X-Robots-Tag noindex;\n}\n", "this line"},
		{"nginx", "a\nb\nadd_header X-Robots-Tag $robots;\n", "this line"},
		{"caddy", "a\nb\nheader /a X-Robots-Tag noindex\n", "this line"},
		{"caddy", "a\nhandle /a {\nheader X-Robots-Tag noindex\n}\n", "this line"},
		{"caddy", "a\nb\nheader -X-Robots-Tag\n", "this line"},
		{"caddy", "a\nb\nheader +X-Robots-Tag noindex\n", "this line"},
		{"caddy", "a\nheader {\n\tX-Robots-Tag noindex\n}\n", "this line"},
	} {
		u, err := readUser(test.target, []byte(test.user))
		if err != nil {
			t.Fatal(err)
		}
		ps := u.unread
		if len(ps) != 1 || ps[0].Line != 3 || ps[0].ID != "header-found" || ps[0].Severity != policy.Warning ||
			!strings.Contains(ps[0].Message, test.says) {
			t.Errorf("%s %s: %+v, want %q", test.target, test.user, ps, test.says)
		}
		if got := u.Found("a"); len(got) > 0 {
			t.Errorf("%s %s: found %v", test.target, test.user, got)
		}
		res, err := compile(test.target, []byte(test.user), nil, plain)
		if err != nil || !slices.Equal(res.Findings, ps) {
			t.Errorf("%s: Compile says %+v, %v; want %+v", test.target, res.Findings, err, ps)
		}
	}
}

// everything are rules of the owner's for all files.
var everything = []struct{ target, user string }{
	{"apache", "Header set X-Robots-Tag \"noindex, nofollow\"\n"},
	{"apache", "<IfModule mod_headers.c>\n  Header always set X-Robots-Tag: none\n</IfModule>\n"},
	{"nginx", "add_header X-Robots-Tag \"noindex, nofollow\" always;\n"},
	{"caddy", "header X-Robots-Tag \"noindex, nofollow\"\n"},
	{"caddy", "header * X-Robots-Tag none\n"},
	{"vercel", `{"headers": [{"source": "/(.*)", ` + sets("noindex, nofollow") + "}]}"},
	{"firebase", `{"hosting": {"headers": [{"source": "**", ` + sets("none") + "}]}}"},
	{"amplify", "customHeaders:\n- pattern: '**'\n  headers: [{key: X-Robots-Tag, value: 'noindex, nofollow'}]\n"},
	{"azure", `{"globalHeaders": {"X-Robots-Tag": "noindex, nofollow"}}`},
	{"azure", `{"routes": [{"route": "/*", "headers": {"X-Robots-Tag": "none"}}]}`},
}

// A rule of the owner's for all files is found for every file, on every target, and nothing of it is a finding
// (issue 26, 5). Only nginx may not serve it, where a server has lines of its own.
func TestHouse_WhatIsSaidOfAllFilesIsFound(t *testing.T) {
	for _, test := range everything {
		own, err := readUser(test.target, []byte(test.user))
		if err != nil {
			t.Fatal(err)
		}
		var wants []robotstag.Want
		for _, file := range []string{"index.html", "a/b/index.html", "a b.pdf", "größe.txt"} {
			values := own.Found(file)
			if len(values) == 0 || !robotstag.Same(robotstag.Join(values), "noindex, nofollow") {
				t.Errorf("%s %s: found %+v for %s", test.target, test.user, values, file)
			}
			wants = append(wants, published(file, "noindex, nofollow"))
			wants[len(wants)-1].Found = true
		}
		res, err := compile(test.target, []byte(test.user), wants, plain)
		if err != nil || len(res.Findings) > 0 || (res.Rules > 0) != (test.target == "nginx") {
			t.Errorf("%s %s: %v, %+v\n%s", test.target, test.user, err, res.Findings, res.File)
		}
		reports(t, test.target, verify(test.target, res.File, wants, plain, nil))
	}
}

// What the owner's rules give already is equal in meaning to what is decided, whatever words P3 drops and P5 adds: no
// rule of ours and no finding (issue 26, 7). Where it is not, a line is one finding, with how many files it is about.
func TestHouse_EqualInMeaningIsEqual(t *testing.T) {
	images := []robotstag.Want{published("a.png"), published("b/c.jpeg"), published("d.gif")}
	list := "[{%s, " + sets("noindex") + "}]"
	for _, test := range []struct{ target, user string }{
		{"apache", "<Files ~ \"\\.(png|jpe?g|gif)$\">\n  Header set X-Robots-Tag \"noindex\"\n</Files>\n"},
		{"vercel", `{"headers": ` + fmt.Sprintf(list, `"source": "/(.*)"`) + "}"},
		{"firebase", `{"hosting": {"headers": ` + fmt.Sprintf(list, `"source": "**/*.@(png|jpeg|gif)"`) + "}}"},
		{"amplify", "customHeaders:\n- pattern: '**'\n  headers: [{key: X-Robots-Tag, value: noindex}]\n"},
		{"azure", `{"routes": [{"route": "/*.{png,jpeg,gif}", "headers": {"X-Robots-Tag": "noindex"}}]}`},
		{"caddy", "header X-Robots-Tag noindex\n"},
	} {
		for _, values := range [][]string{{"noindex, follow"}, {"noindex"}} {
			wants := slices.Clone(images)
			for i := range wants {
				wants[i].Values, wants[i].Found = values, true
			}
			res, err := compile(test.target, []byte(test.user), wants, plain)
			if err != nil || res.Rules > 0 || len(res.Findings) > 0 || string(res.File) != test.user {
				t.Errorf("%s: %v %d rules %+v\n%s", test.target, err, res.Rules, res.Findings, res.File)
			}
		}
		stricter := slices.Clone(images)
		for i := range stricter {
			stricter[i].Values = []string{"noindex, nofollow"}
		}
		res, err := compile(test.target, []byte(test.user), stricter, plain)
		if goesFirst := slices.Contains([]string{"apache", "azure", "caddy"}, test.target); err != nil || goesFirst &&
			(len(res.Findings) != 1 || !strings.Contains(res.Findings[0].Message, "2 other files") || len(res.Missed) != 3) ||
			!goesFirst && (len(res.Findings) > 0 || res.Rules == 0) {
			t.Errorf("%s: %v %+v missed %q\n%s", test.target, err, res.Findings, res.Missed, res.File)
		}
	}
}

// A file that gets its set from the user's rules has none of ours, where they do
// so at every path and however they are read.
func TestHouse_FoundIsBelievedWhereItIsSure(t *testing.T) {
	for _, test := range []struct {
		target, user, file string
		rules              int
	}{
		{"vercel", `{"headers": [{"source": "/(.*)", ` + sets("follow,NOINDEX") + "}]}", "a/index.html", 0},
		{"vercel", `{"headers": [{"source": "/a/", ` + sets("noindex, follow") + "}]}",
			"a/index.html", 1},
		{"amplify", "customHeaders: \n- pattern: '/a/*'\n  headers: [{key: X-Robots-Tag, value: 'noindex, follow'}]\n",
			"a/b/c.pdf", 1},
		{"azure", `{"globalHeaders": {"X-Robots-Tag": "noindex, follow"}}`, "a b.pdf", 0},
		{"azure", `{"routes": [{"route": "/A*", "headers": {"X-Robots-Tag": "noindex, follow"}}]}`, "a.pdf", 1},
	} {
		wants := []robotstag.Want{{Path: test.file, URL: test.file, Values: []string{"noindex, follow"}, Found: true}}
		res, err := compile(test.target, []byte(test.user), wants, plain)
		if err != nil || (res.Rules > 0) != (test.rules > 0) {
			t.Errorf("%s: %v, %d rules\n%s", test.target, err, res.Rules, res.File)
		}
		reports(t, test.target, verify(test.target, res.File, wants, plain, nil))
	}
}

// A build asks for many files at once.
func TestFound_FromSeveralGoroutines(t *testing.T) {
	for _, target := range targets {
		for _, text := range setters[target] {
			u, err := readUser(target, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			want := u.Found("docs/a.pdf")
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() {
					if got := u.Found("docs/a.pdf"); !slices.Equal(got, want) {
						t.Errorf("%s: %v, want %v", target, got, want)
					}
				})
			}
			group.Wait()
		}
	}
}
