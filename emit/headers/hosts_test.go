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

// Cloudflare's documentation keeps project.pages.dev out of the index with a rule for that host; a rule of ours that
// takes away what was set before it would open the host again.
// https://developers.cloudflare.com/pages/configuration/headers/#prevent-your-pagesdev-deployments-showing-in-search-results
func TestCloudflare_RulesForOtherHostsKeepWhatTheySay(t *testing.T) {
	const (
		all     = "/*\n  X-Robots-Tag: nofollow\n"
		project = "https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n"
		instead = "https://:project.pages.dev/*\n  ! X-Robots-Tag\n  X-Robots-Tag: noindex\n"
		open    = "https://open.example/*\n  ! X-Robots-Tag\n"
		pages   = "project.pages.dev"
	)
	ours := "\n" + block1(reset("/a.pdf", "index, nofollow, noarchive"), reset(previewPaths[0], "noindex, nofollow"))
	for _, row := range []struct{ about, user, file, host, want, findings string }{
		{"one at the end stays behind ours", all + project, all + ours + project, pages,
			"index, nofollow, noarchive, noindex", "header-host/note"},
		{"and what is said of it", all + "# no copy\n" + project, all + ours + "# no copy\n" + project, pages,
			"index, nofollow, noarchive, noindex", "header-host/note"},
		{"one that says noindex instead of all else", all + instead, all + ours + instead, pages, "noindex",
			"header-host/note"},
		{"one that says nothing instead stays before ours", all + open, all + open + ours, "open.example",
			"index, nofollow, noarchive", "header-host/note"},
		{"one before other rules is reported", project + all, project + all + ours, pages,
			"index, nofollow, noarchive", "header-host/note header-host/warning"},
		{"previews keep what the owner says of them",
			previewPaths[0] + "\n  X-Robots-Tag: noindex, noarchive\n" + all,
			previewPaths[0] + "\n  X-Robots-Tag: noindex, noarchive\n" + all + "\n" +
				block1(reset("/a.pdf", "index, nofollow, noarchive"), reset(previewPaths[1], "noindex, nofollow, noarchive")),
			previewHost, "noindex, nofollow, noarchive", "header-host/note"},
	} {
		t.Run(row.about, func(t *testing.T) {
			cf := robotstag.Options{Target: TargetCloudflare, Host: "example.org"}
			wants := wanted("a.pdf index, nofollow, noarchive")
			res := compiled(t, row.user, wants, cf)
			if string(res.File) != row.file {
				t.Errorf("file:\n%s\nwant:\n%s", res.File, row.file)
			}
			if got := ids(res.Findings); got != row.findings {
				t.Errorf("findings: %v; want %q", res.Findings, row.findings)
			}
			served := Cloudflare.Values(Cloudflare.Parse(res.File, robotstag.Name), row.host, "/a.pdf")
			if got := robotstag.Join(served); got != row.want {
				t.Errorf("%s/a.pdf is served with %q, want %q", row.host, got, row.want)
			}
		})
	}
}
