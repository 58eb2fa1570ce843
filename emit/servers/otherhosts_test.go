package servers

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// knowingHosts are the targets whose files can have rules for other hosts, homes the site's own.
var (
	knowingHosts = []string{"apache", "nginx", "caddy", "vercel"}
	homes        = []string{"example.com", "www.example.com"}
)

// N11a, N11g: each host's own form. What it says on a web server is a line of its own; on Vercel,
// where the last rule counts, it is the last, and says to everyone all that is said of any file to
// anyone.
func TestHouse_EveryHostButTheOwnersIsNoindex(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nofollow", "googlebot: nosnippet"), published("b.txt")}
	o := robotstag.Task{Own: homes}
	for target, want := range map[string]string{
		"apache": `<If "%{HTTP_HOST} !~ m#^(example[.]com|www[.]example[.]com)(:[0-9]+)?$#i">
Header always add X-Robots-Tag "noindex"
</If>
</IfModule>
`,
		"nginx": `map $host $metarobots_others {
    default "noindex";
    "example.com" "";
    "www.example.com" "";
}
`,
		"caddy": `@metarobots_others not host example.com www.example.com
header @metarobots_others +X-Robots-Tag "noindex"
`,
		"vercel": `{ "source": "/((?:metarobots){0}.*)", "missing": [{ "type": "host", "value": ` +
			`"(example[.]com|www[.]example[.]com)" }], "headers": [{ "key": "X-Robots-Tag", "value": "noindex, nofollow" }] }
  ]
`,
	} {
		res := must(t, target, nil, wants, o)
		if !strings.Contains(string(res.File), want) {
			t.Errorf("%s:\n%s\nwant in it:\n%s", target, res.File, want)
		}
		if found := verify(target, res.File, wants, o, nil); len(found) > 0 {
			t.Errorf("%s: %v\n%s", target, found, res.File)
		}
		alone := must(t, target, nil, nil, o)
		if found := verify(target, alone.File, wants[1:], o, nil); len(found) > 0 || alone.Rules != 1 {
			t.Errorf("%s: of nothing else: %d rules, %v\n%s", target, alone.Rules, found, alone.File)
		}
	}
	if res := must(t, "nginx", nil, wants, o); !bytes.Contains(res.File, []byte(nginxOthersUsage)) {
		t.Errorf("nobody is told what to write into nginx's configuration:\n%s", res.File)
	}
}

// N3b, N11b: whatever is done to the rule for other hosts, the proof says that one is open, or that
// the site's own host is not.
func TestHouse_TheProofSeesOtherHosts(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nofollow"), published("b.txt")}
	o := robotstag.Task{Own: homes}
	for target, changes := range map[string][][2]string{
		"apache": {{"[.]com|", "[.]org|"}, {"^(", "("}, {" add X-Robots-Tag \"noindex\"", " add X-Robots-Tag \"all\""},
			{"<If \"%{HTTP_HOST} !~", "<If \"%{HTTP_HOST} =~"}, {"always add", "add"}},
		"nginx": {{`    "www.example.com" "";`, ``}, {`default "noindex"`, `default ""`},
			{nginxOthersUsage, "#"}, {"map $host $", "map $uri $"}},
		"caddy": {{"not host example.com", "not host"}, {"not host", "host"}, {"+X-Robots-Tag", "X-Robots-Tag"},
			{`+X-Robots-Tag "noindex"`, `+X-Robots-Tag "noarchive"`}},
		"vercel": {{"[.]com|", "[.]org|"}, {`"missing"`, `"has"`}, {`"noindex, nofollow"`, `"noindex"`},
			{"(example[.]com|", "([^|]*|"}, {"    { \"source\": \"/((?:metarobots){0}.*)", "    { \"source\": \"/((?:metarobots){0}a.*)"}},
	} {
		res := must(t, target, nil, wants, o)
		for _, c := range changes {
			file := bytes.ReplaceAll(res.File, []byte(c[0]), []byte(c[1]))
			if found := verify(target, file, wants, o, nil); bytes.Equal(file, res.File) || len(found) == 0 {
				t.Errorf("%s: %q for %q is not seen in\n%s", target, c[1], c[0], file)
			}
		}
	}
}

// N11h: without the key the file has nothing of it, except the variable to which nginx's
// configuration refers.
func TestHouse_RulesForOtherHostsGoWithTheKey(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nofollow")}
	for _, target := range knowingHosts {
		with := must(t, target, nil, wants, robotstag.Task{Own: homes})
		without := must(t, target, with.File, wants, plain)
		never := must(t, target, nil, wants, plain)
		isLeft := target == "nginx" && bytes.Contains(without.File, []byte("map $uri $metarobots_others {\n    default \"\";\n}"))
		if !isLeft && !bytes.Equal(without.File, never.File) || bytes.Contains(without.File, []byte("example.com")) {
			t.Errorf("%s:\n%s\nnever had it:\n%s", target, without.File, never.File)
		}
	}
}

// N11a: an owner's rules on Vercel that depend on the request say what they say at other hosts too,
// and the last rule repeats it.
// https://vercel.com/docs/project-configuration/vercel-json#headers
func TestVercel_OtherHostsKeepWhatOwnersSay(t *testing.T) {
	user := `{"headers": [
  {"source": "/x/:p", "has": [{"type": "cookie", "key": "a"}], "headers": [{"key": "X-Robots-Tag", "value": "noai"}]},
  {"source": "/(.*)", "headers": [{"key": "x-robots-tag", "value": "bingbot: noarchive"}]}
]}`
	wants := []robotstag.Want{published("a.pdf", "bingbot: noarchive")}
	wants[0].Found = true
	o := robotstag.Task{Own: homes}
	res := tables.Value(compile("vercel", []byte(user), wants, o))(t)
	if !bytes.Contains(res.File, []byte(`"value": "noindex, follow, noarchive, noai" }] }`)) {
		t.Errorf("%s", res.File)
	}
	if found := verify("vercel", res.File, wants, o, nil); slices.ContainsFunc(found, func(f policy.Finding) bool {
		return f.Severity == policy.Error
	}) {
		t.Errorf("%v\n%s", found, res.File)
	}
}

// N6e: a rule without noindex takes the place of the noindex that Vercel's previews have.
// https://vercel.com/docs/headers/response-headers#x-robots-tag
func TestVercel_PreviewsThatARuleOpensAreReported(t *testing.T) {
	wants := []robotstag.Want{published("a.pdf", "nosnippet"), published("b.pdf", "noindex"),
		published("c.pdf", "nofollow", "googlebot: noindex"), published("d.pdf")}
	opens := func(f policy.Finding) bool {
		return f.ID == "header-preview" && strings.HasPrefix(f.Message, "1 file has")
	}
	for _, row := range []struct {
		about   string
		target  string
		wants   []robotstag.Want
		o       robotstag.Task
		isWrong bool
	}{
		{"a rule without noindex", "vercel", wants, plain, true},
		{"rules with noindex", "vercel", wants[1:], plain, false},
		{"the rule for other hosts", "vercel", wants, robotstag.Task{Own: homes}, false},
		{"a host without previews of its own", "apache", wants, plain, false},
	} {
		if res := must(t, row.target, nil, row.wants, row.o); slices.ContainsFunc(res.Findings, opens) != row.isWrong {
			t.Errorf("%s: %v", row.about, res.Findings)
		}
	}
}

// N11g: nginx sends what its configuration asks for, and the owner reads once which line that is.
func TestNginx_TheLineForOtherHostsIsAskedForOnce(t *testing.T) {
	o := robotstag.Task{Own: homes}
	asks := func(f policy.Finding) bool {
		return f.ID == "other-hosts" && strings.Contains(f.Message, "add_header X-Robots-Tag $metarobots_others always;")
	}
	first := must(t, "nginx", nil, nil, o)
	second := must(t, "nginx", first.File, nil, o)
	if !slices.ContainsFunc(first.Findings, asks) || slices.ContainsFunc(second.Findings, asks) {
		t.Errorf("first %v, then %v", first.Findings, second.Findings)
	}
}

// N11a, N11b, by what is public of Vercel's matching: of the rules whose source and conditions
// match, the last one that has the header counts; a condition matches if its expression takes the
// whole name of the host.
// https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts
// https://github.com/vercel/next.js/blob/canary/packages/next/src/shared/lib/router/utils/prepare-destination.ts
func TestLaw_VercelServesNoOtherHost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		user := []byte(rapid.SampledFrom(slices.Concat(users["vercel"], []string{""})).Draw(t, "user"))
		wants := someSite(t, tables.Value(readUser("vercel", user))(t))
		with, err := compile("vercel", user, wants, robotstag.Task{Own: homes})
		without, plainErr := compile("vercel", user, wants, plain)
		if err != nil || plainErr != nil || !slices.Equal(with.GivenUp, without.GivenUp) {
			return
		}
		for _, host := range append([]string{"project.vercel.app", "project-git-x-team.vercel.app", "a.example.com"}, homes...) {
			isOwn := slices.Contains(homes, host)
			served, before := vercelRules(t, with.File, host), vercelRules(t, without.File, host)
			if isOwn && !slices.Equal(served, before) {
				t.Fatalf("%s has changed: %q, want %q", host, served, before)
			}
			if isOwn {
				continue
			}
			for _, w := range wants {
				last := served[len(served)-1]
				source, value, _ := strings.Cut(last, " ")
				matches := regexp.MustCompile("^" + source + "$").MatchString((&url.URL{Path: "/" + w.Path}).EscapedPath())
				if !matches || !robotstag.Told(value)[""].NoIndex() {
					t.Fatalf("%s/%s is open: %q\n%s", host, w.Path, last, with.File)
				}
			}
		}
	})
}

// vercelRules are the sources and values of the rules about X-Robots-Tag whose condition on the
// host holds.
func vercelRules(t *rapid.T, file []byte, host string) (all []string) {
	var config struct {
		Headers []struct {
			Source  string
			Missing []struct{ Type, Value string }
			Headers []struct{ Key, Value string }
		}
	}
	if len(bytes.TrimSpace(file)) > 0 {
		text := tables.Value(hujson.Standardize(slices.Clone(bytes.TrimPrefix(file, byteOrderMark))))(t)
		tables.Must(t, json.Unmarshal(text, &config))
	}
	for _, r := range config.Headers {
		isNamed := func(m struct{ Type, Value string }) bool {
			return m.Type == "host" && regexp.MustCompile("^"+m.Value+"$").MatchString(host)
		}
		for _, h := range r.Headers {
			if strings.EqualFold(h.Key, robotstag.Name) && !slices.ContainsFunc(r.Missing, isNamed) {
				all = append(all, r.Source+" "+h.Value)
			}
		}
	}
	return all
}
