package servers

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// homeward has other hosts redirected to the site's own; two other names are known.
var homeward = robotstag.Task{Own: homes, Others: []string{"project.vercel.app", "second.example"},
	Home: "https://example.com"}

// N11l: each host's own form. Vercel redirects the names that are known.
func TestHouse_OtherHostsRedirectHome(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nofollow"), published("b.txt")}
	for target, want := range map[string]string{
		"apache": `Header always add X-Robots-Tag "noindex"
<IfModule mod_alias.c>
Redirect 301 "https://example.com%{REQUEST_URI}"
</IfModule>
</If>
</IfModule>
`,
		"nginx": `map $host $metarobots_home {
    default "https://example.com";
    "example.com" "";
    "www.example.com" "";
}
`,
		"caddy": `header @metarobots_others +X-Robots-Tag "noindex"
redir @metarobots_others https://example.com{uri} permanent
`,
		"vercel": `  "redirects": [
    { "source": "/:path((?:metarobots){0}.*)", "has": [{ "type": "host", "value": ` +
			`"(project[.]vercel[.]app|second[.]example)" }], "destination": "https://example.com/:path", "permanent": true }
  ]
`,
	} {
		res := must(t, target, nil, wants, homeward)
		if !strings.Contains(string(res.File), want) {
			t.Errorf("%s:\n%s\nwant in it:\n%s", target, res.File, want)
		}
		if found := verify(target, res.File, wants, homeward, nil); len(found) > 0 {
			t.Errorf("%s: %v\n%s", target, found, res.File)
		}
	}
	if res := must(t, "nginx", nil, wants, homeward); !bytes.Contains(res.File, []byte(nginxHomeUsage)) {
		t.Errorf("nothing says what to write into nginx's configuration:\n%s", res.File)
	}
}

// N3b, N11m: whatever is done to the redirect, the proof says that a host stays, that the site's
// own leads away, or that others lead elsewhere.
func TestHouse_TheProofSeesRedirectsHome(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nofollow")}
	for target, changes := range map[string][][2]string{
		"apache": {{"https://example.com%", "https://example.org%"}, {"Redirect 301 ", "# "},
			{"Redirect 301 ", "Redirect 302 "}, {"[.]com|", "[.]org|"}},
		"nginx": {{`default "https://example.com"`, `default "https://example.org"`}, {nginxHomeUsage, "#"},
			{`    "www.example.com" "";`, ``}},
		"caddy": {{"https://example.com{uri}", "https://example.org{uri}"}, {"redir ", "# redir "},
			{"not host example.com", "not host"}},
		"vercel": {{"https://example.com/:path", "https://example.com/"}, {"https://example.com/:path", "https://a.example/:path"},
			{"(project[.]", "(proj[.]"}, {"(project[.]", "(www[.]example[.]com|project[.]"}, {`"has"`, `"missing"`},
			{`{ "source": "/:path(`, `{ "source": "/a/:path(`}},
	} {
		res := must(t, target, nil, wants, homeward)
		for _, c := range changes {
			file := bytes.ReplaceAll(res.File, []byte(c[0]), []byte(c[1]))
			if found := verify(target, file, wants, homeward, nil); bytes.Equal(file, res.File) || len(found) == 0 {
				t.Errorf("%s: %q for %q is not seen in\n%s", target, c[1], c[0], file)
			}
		}
	}
}

// N11h, N11l: with noindex in place of redirect, and without the key, each file is what it would
// have been.
func TestHouse_RedirectsHomeGoWithTheKey(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nofollow")}
	owners := map[string][]string{"vercel": {"", "{}\n", `{"redirects": []}`,
		"{\n  \"redirects\": [\n    { \"source\": \"/a\", \"destination\": \"/b\" }\n  ],\n  \"cleanUrls\": true\n}\n",
		"{\n\t\"redirects\": [{ \"source\": \"/a\", \"destination\": \"/b\" }, { \"source\": \"/c\", \"destination\": \"/d\" }]\n}",
		`{"headers": [{"source": "/x", "headers": [{"key": "A", "value": "b"}]}], "redirects": [ ]}`}}
	for _, target := range knowingHosts {
		for _, owner := range append(owners[target], "") {
			with := must(t, target, []byte(owner), wants, homeward)
			for about, o := range map[string]robotstag.Task{"noindex": {Own: homes}, "keep": plain} {
				then, never := must(t, target, with.File, wants, o), must(t, target, []byte(owner), wants, o)
				isLeft := bytes.Contains(then.File, []byte("map $uri $metarobots_home {\n    default \"\";\n}"))
				if target == "nginx" && !isLeft || target != "nginx" && !bytes.Equal(then.File, never.File) {
					t.Errorf("%s, %s, from %q:\n%s\nnever had it:\n%s", target, about, owner, then.File, never.File)
				}
			}
			if again := must(t, target, with.File, wants, homeward); !bytes.Equal(again.File, with.File) {
				t.Errorf("%s, from %q: again\n%s\nfirst\n%s", target, owner, again.File, with.File)
			}
			nothing, _ := compile(target, with.File, nil, plain)
			if target != "nginx" && target != "caddy" && !bytes.Equal(bytes.TrimSpace(nothing.File), bytes.TrimSpace([]byte(owner))) {
				t.Errorf("%s: %q has not come back: %q", target, owner, nothing.File)
			}
		}
	}
}

// N11i: in an environment that is noindex nothing redirects, and nginx's variable is empty.
func TestHouse_NothingRedirectsWhereAllIsNoindex(t *testing.T) {
	o := homeward
	o.Everywhere = []string{"noindex"}
	for _, target := range knowingHosts {
		res := must(t, target, nil, nil, o)
		if found := verify(target, res.File, nil, o, nil); len(found) > 0 || bytes.Contains(res.File, []byte("https://")) {
			t.Errorf("%s: %v\n%s", target, found, res.File)
		}
	}
}

// N11l: the owner of a server with nginx reads once which line it needs.
func TestNginx_TheRedirectIsAskedForOnce(t *testing.T) {
	asks := func(f policy.Finding) bool {
		return f.ID == "other-hosts" && strings.Contains(f.Message, "if ($metarobots_home) { return 301")
	}
	first := must(t, "nginx", nil, nil, homeward)
	second := must(t, "nginx", first.File, nil, homeward)
	if !slices.ContainsFunc(first.Findings, asks) || slices.ContainsFunc(second.Findings, asks) {
		t.Errorf("first %v, then %v", first.Findings, second.Findings)
	}
}
