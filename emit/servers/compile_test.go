package servers

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// users are files as people have them. None sets the header.
var users = map[string][]string{
	"apache":   {"", "Options -Indexes\n", "Options -Indexes", "RewriteEngine On\r\nRewriteRule ^a$ /b [L]\r\n", "\n\n", "# metarobots: begin\nOptions -Indexes\n"},
	"nginx":    {"", "# mine\n", "# mine"},
	"caddy":    {"", "encode gzip\n"},
	"vercel":   {"", "{}", "{ }\n", "{\n}", `{"headers":[]}`, `{"headers": [ ], "version": 2}`, "{\n  \"cleanUrls\": false,\n  \"headers\": [\n    { \"source\": \"/(.*)\", \"headers\": [{ \"key\": \"X-Frame-Options\", \"value\": \"DENY\" }] }\n  ]\n}\n", "{\r\n\t\"trailingSlash\": true\r\n}\r\n", `{"headers":[{"source":"/b","headers":[]}],"public":true}`, "{\"headers\": [\n]}"},
	"firebase": {"", `{"hosting":{}}`, `{"hosting":{"public":"public","headers":[]},"emulators":{}}`, "{\n  \"hosting\": {\n    \"public\": \"dist\",\n    \"headers\": [\n      {\"source\": \"**/*.js\", \"headers\": [{\"key\": \"A\", \"value\": \"<b>\"}]}\n    ],\n    \"ignore\": []\n  }\n}\n", "{\r\n  \"hosting\": {\r\n    \"public\": \"public\"\r\n  }\r\n}"},
	"amplify":  {"", "customHeaders:\n  - pattern: '**/*'\n    headers:\n      - key: A\n        value: b\n", "customHeaders:\n- pattern: '*.json'\n  headers: [{key: A, value: b}]\nother: 1\n", "customHeaders:\n", "# nothing\n", "customHeaders:\r\n  - pattern: '*.json'\r\n    headers:\r\n      - key: 'A'\r\n        value: 'b'", "other: 1"},
	"azure":    {"", "{}", `{"routes":[]}`, "{\n  \"routes\": [\n    {\n      \"route\": \"/admin/*\",\n      \"allowedRoles\": [\"admin\"]\n    }\n  ],\n  \"globalHeaders\": {\"A\": \"b\"}\n}\n", `{"trailingSlash":"auto"}`},
}

var names = []string{
	"index.html", "p.html", "p/index.html", "p/a.pdf", "q/index.html", "x.html", "x/index.html", "a b.pdf", "a%20b.pdf", "100%.pdf", "100%25.pdf", "100%41.pdf", "100A.pdf", "a+b.pdf", "café.pdf", "cafe\u0301.pdf", "日本/🌿.txt", "Docs/A.pdf", "docs/a.pdf", "docs/A.PDF", "docs",
	"Cat:Foo.pdf", ":s", "st*r.pdf", "it's.pdf", "it'0.pdf", `say "x".pdf`, "`tick`.pdf", `back\slash.pdf`, `end\`, `\1.txt`, `\n.txt`, "$1.pdf", "${HOME}.pdf", "%{REQUEST_URI}.pdf", "{path}.pdf", "{$HOME}.pdf", "~x.pdf", "^a$.pdf", "a|b.pdf", "(c).txt", "[d].txt",
	"what?.txt", "no#tag.txt", "default", "volatile", "a;b.txt", "a=b,c&d.txt", "<b>.txt", "x/y/z.json", "X/index.html", strings.Repeat("long-", 40) + ".pdf", strings.Repeat("l", 46), strings.Repeat("l", 45), "caf\xe9.pdf", "new\nline.txt", "robots.txt", "404.html", "É.txt", "é.txt",
}

func randomWants(r *rand.Rand) (wants []Want) {
	values := [][]string{nil, nil, {"noindex, follow"}, {"noindex, nofollow"}, {"index, follow, max-snippet:50", "googlebot: noindex, nofollow, unavailable_after: 2026-09-21T00:00:00Z"}}
	chance := 1 + r.IntN(6)
	for _, n := range names {
		if r.IntN(chance) == 0 {
			wants = append(wants, Want{Path: n, Values: pick(r, values...), Free: n == "robots.txt" || n == "404.html"})
		}
	}
	if r.IntN(50) == 0 {
		for i := range 300 {
			wants = append(wants, Want{Path: fmt.Sprintf("many/%s/%d.html", strings.Repeat("é", r.IntN(30)), i), Values: pick(r, values...)})
		}
	}
	r.Shuffle(len(wants), func(i, j int) { wants[i], wants[j] = wants[j], wants[i] })
	return wants
}

// served are the decoded request paths of a file that no other file can have.
func served(target, path string, wants []Want) []string {
	has := func(p string) bool { return slices.ContainsFunc(wants, func(w Want) bool { return w.Path == p }) }
	forms := []string{"/" + path}
	if path == "index.html" {
		return append(forms, "/")
	}
	folder, ok := strings.CutSuffix(path, "/index.html")
	if ok {
		forms = append(forms, "/"+folder+"/")
		if (target == "vercel" || target == "azure") && !has(folder) && !has(folder+".html") {
			forms = append(forms, "/"+folder)
		}
	}
	if page, ok := strings.CutSuffix(path, ".html"); ok && target == "azure" && !has(page) && !has(page+"/index.html") && !strings.HasSuffix(path, "/index.html") {
		forms = append(forms, "/"+page)
	}
	return forms
}

// Whatever the site and the user's file, the host's model gives every file what
// is wanted and nothing else anything (N3); a second run changes nothing; with
// nothing wanted the user's bytes come back (N5).
func TestHouse_CompileGivesExactlyTheWants(t *testing.T) {
	n := 250
	if testing.Short() {
		n = 100
	}
	for _, target := range Targets() {
		t.Run(target, func(t *testing.T) {
			checked := 0
			for seed := range n {
				r := rand.New(rand.NewPCG(uint64(seed), 7))
				user, wants := []byte(pick(r, users[target]...)), randomWants(r)
				if len(user) == 0 && r.IntN(2) == 0 {
					user = nil
				}
				checked += check(t, target, user, wants)
				if t.Failed() {
					t.Fatalf("seed %d, user %q", seed, user)
				}
			}
			t.Logf("%d sites, %d responses", n, checked)
		})
	}
}

func check(t *testing.T, target string, user []byte, wants []Want) (checked int) {
	t.Helper()
	res, err := Compile(target, user, wants)
	if errors.Is(err, ErrBudget) {
		return 0
	}
	if err != nil {
		t.Errorf("%v", err)
		return 0
	}
	none := map[string]bool{}
	odd := map[string]bool{}
	for _, p := range res.Problems {
		switch {
		case p.Severity == SeverityError && p.Path == "":
			t.Errorf("%+v", p)
		case p.Severity == SeverityError:
			none[p.Path] = true
		case p.ID == IDOverlap:
			odd[p.Path] = true
		}
	}
	for i, m := range models[target] {
		value, err := m(res.File)
		if err != nil {
			t.Errorf("model %d: %v\n%s", i, err, res.File)
			return
		}
		for _, w := range wants {
			if w.Free || odd[w.Path] {
				continue
			}
			want := strings.Join(w.Values, ", ")
			for _, path := range served(target, w.Path, wants) {
				checked++
				got := value(path)
				if got == "" && none[w.Path] {
					continue
				}
				if got != want {
					t.Errorf("model %d: %s: %q, want %q", i, path, got, want)
				}
			}
		}
	}
	again, err := Compile(target, res.File, wants)
	if err != nil || !bytes.Equal(again.File, res.File) || again.Rules != res.Rules {
		t.Errorf("a second run: %v\n%s\nfirst\n%s", err, again.File, res.File)
	}
	back, err := Compile(target, res.File, nil)
	if err != nil || !bytes.Equal(back.File, user) && !(res.Rules > 0 && (target == "nginx" || target == "caddy")) {
		t.Errorf("nothing wanted: %v\n%q\nuser\n%q\nwith ours\n%s", err, back.File, user, res.File)
	}
	return checked
}

// The user's configuration refers to nginx's variable and imports Caddy's file:
// both stay when nothing is wanted any more.
func TestHouse_WhatIsReferredToStays(t *testing.T) {
	for _, target := range []string{"nginx", "caddy"} {
		res, _ := Compile(target, nil, []Want{{Path: "a.pdf", Values: []string{"noindex"}}})
		res, err := Compile(target, res.File, nil)
		if err != nil || res.Rules != 0 || !bytes.Contains(res.File, []byte("metarobots")) || bytes.Contains(res.File, []byte("noindex")) {
			t.Errorf("%s: %v\n%s", target, err, res.File)
		}
	}
}
