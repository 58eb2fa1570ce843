package headers

import (
	"testing"

	"metarobots/emit/robotstag"
)

func TestCloudflare_OtherHostsGetTheirValue(t *testing.T) {
	wants := wanted("a.pdf nofollow | p.html")
	noindex := map[string][]string{"project.pages.dev": {"noindex"}}
	cf := robotstag.Options{Target: TargetCloudflare, Hosts: noindex}
	hosts := func(hosts map[string][]string) robotstag.Options {
		return robotstag.Options{Target: TargetCloudflare, Hosts: hosts}
	}
	const user = "https://project.pages.dev/*\n  X: y\n"
	for _, row := range []struct {
		about, user    string
		wants          []robotstag.Want
		opt            robotstag.Options
		want, findings string
	}{
		{"a host gets a rule of its own", "", nil, cf, block1(reset("https://project.pages.dev/*", "noindex")), ""},
		{"after the rules for paths", "", wants, cf,
			block1(set("/a.pdf", "nofollow"), reset("https://project.pages.dev/*", "noindex"), preview), ""},
		{"a block of the user's of the same path", user, nil, cf, user, "header-host/error"},
		{"not needed where nothing is to be indexed", "", nil,
			robotstag.Options{Target: TargetCloudflare, Hosts: noindex, Everywhere: []string{"noindex"}},
			block1(set("/*", "noindex")), ""},
		{"Netlify cannot", "", nil, robotstag.Options{Target: TargetNetlify, Hosts: noindex}, "", "header-host/warning"},
		{"portable cannot", "", nil, robotstag.Options{Hosts: noindex}, "", "header-host/warning"},
		{"the site's own host", "", nil,
			robotstag.Options{Target: TargetCloudflare, Host: "Project.pages.dev:443", Hosts: noindex}, "",
			"header-host/error"},
		{"no host name", "", nil,
			hosts(map[string][]string{"https://a.b": {"noindex"}, "*.b.c": {"noindex"}, "A.b": {"noindex"}}), "",
			"header-host/error header-host/error header-host/error"},
		{"no value, and a bad one", "", nil, hosts(map[string][]string{"a.b": nil, "c.d": {"\n"}}), "",
			"header-host/error header-host/error"},
	} {
		t.Run(row.about, func(t *testing.T) {
			res, err := compile([]byte(row.user), row.wants, row.opt)
			if err != nil || string(res.File) != row.want {
				t.Errorf("file:\n%s\nwant:\n%s\n%v", res.File, row.want, err)
			}
			if got := ids(res.Findings); got != row.findings {
				t.Errorf("findings: %v; want %q", res.Findings, row.findings)
			}
			if ps := verify(res, row.wants, robotstag.Options{Target: TargetNone}); len(ps) > 0 {
				t.Errorf("Verify: %v", ps)
			}
		})
	}
	// A file that does not say it is found out.
	file := robotstag.Result{File: []byte("/a.pdf\n  X-Robots-Tag: nofollow\n"), Hosts: noindex}
	if ps := verify(file, wants, robotstag.Options{Target: TargetNone}); len(ps) != 4 {
		t.Errorf("without a rule: %v, want one for each request path", ps)
	}
}
