package headers

import (
	"testing"

	"metarobots/emit/robotstag"
)

func TestHosts(t *testing.T) {
	wants := []robotstag.Want{file("a.pdf", "nofollow"), file("p.html")}
	noindex := map[string][]string{"project.pages.dev": {"noindex"}}
	preview := []string{previewPaths[0], "  ! X-Robots-Tag", "  X-Robots-Tag: noindex"}
	rows := []struct {
		about    string
		user     string
		wants    []robotstag.Want
		opt      Options
		want     string
		findings string
	}{
		{"a host gets a rule of its own", "", nil, Options{Target: TargetCloudflare, Hosts: noindex},
			block1("https://project.pages.dev/*", "  ! X-Robots-Tag", "  X-Robots-Tag: noindex"), ""},
		{"after the rules for paths", "", wants, Options{Target: TargetCloudflare, Hosts: noindex},
			block1(
				append(
					[]string{
						"/a.pdf",
						"  X-Robots-Tag: nofollow",
						"https://project.pages.dev/*",
						"  ! X-Robots-Tag",
						"  X-Robots-Tag: noindex",
					},
					preview...)...), ""},
		{
			"a block of the user's of the same path",
			"https://project.pages.dev/*\n  X: y\n",
			nil,
			Options{Target: TargetCloudflare, Hosts: noindex},
			"https://project.pages.dev/*\n  X: y\n\n" + block1("https://project.pages.:label/*", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex"),
			"",
		},
		{
			"not needed where nothing is to be indexed",
			"",
			nil,
			Options{Target: TargetCloudflare, Hosts: noindex, Everywhere: []string{"noindex"}},
			block1("/*", "  X-Robots-Tag: noindex"),
			"",
		},
		{"Netlify cannot", "", nil, Options{Target: TargetNetlify, Hosts: noindex}, "", "header-host/warning"},
		{"portable cannot", "", nil, Options{Hosts: noindex}, "", "header-host/warning"},
		{
			"the site's own host",
			"",
			nil,
			Options{Target: TargetCloudflare, Host: "Project.pages.dev:443", Hosts: noindex},
			"",
			"header-host/error",
		},
		{
			"no host name",
			"",
			nil,
			Options{
				Target: TargetCloudflare,
				Hosts:  map[string][]string{"https://a.b": {"noindex"}, "*.b.c": {"noindex"}, "A.b": {"noindex"}},
			},
			"",
			"header-host/error header-host/error header-host/error",
		},
		{
			"no value, and a bad one",
			"",
			nil,
			Options{Target: TargetCloudflare, Hosts: map[string][]string{"a.b": nil, "c.d": {"\n"}}},
			"",
			"header-host/error header-host/error",
		},
	}
	for _, row := range rows {
		t.Run(row.about, func(t *testing.T) {
			res, err := Compile([]byte(row.user), row.wants, row.opt)
			if err != nil || string(res.File) != row.want {
				t.Errorf("file:\n%s\nwant:\n%s\n%v", res.File, row.want, err)
			}
			if got := ids(res.Findings); got != row.findings {
				t.Errorf("findings: %v; want %q", res.Findings, row.findings)
			}
			if ps := VerifyHosts(res.File, row.wants, res.Hosts); len(ps) > 0 {
				t.Errorf("VerifyHosts: %v", ps)
			}
		})
	}
	// A file that does not say it is found out.
	if ps := VerifyHosts([]byte("/a.pdf\n  X-Robots-Tag: nofollow\n"), wants, noindex); len(ps) != 4 {
		t.Errorf("without a rule: %v, want one for each request path", ps)
	}
}
