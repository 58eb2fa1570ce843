package headers

import (
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// Cloudflare's documentation keeps project.pages.dev out of the index with a rule for that host; a
// rule of ours that takes away what was set before it would open the host again.
// https://developers.cloudflare.com/pages/configuration/headers/#prevent-your-pagesdev-deployments-showing-in-search-results
// N5k.
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
			"index, nofollow, noarchive", "header-host/warning"},
		{"previews keep what the owner says of them",
			previewPaths[0] + "\n  X-Robots-Tag: noindex, noarchive\n" + all,
			previewPaths[0] + "\n  X-Robots-Tag: noindex, noarchive\n" + all + "\n" +
				block1(reset("/a.pdf", "index, nofollow, noarchive"), reset(previewPaths[1], "noindex, nofollow, noarchive")),
			previewHost, "noindex, nofollow, noarchive", "header-host/note"},
	} {
		t.Run(row.about, func(t *testing.T) {
			cf := robotstag.Task{Target: TargetCloudflare, Host: "example.org"}
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

// H4: what the owner says of another header at another host stays as well. Of a value that is whole
// the last counts.
// https://www.rfc-editor.org/rfc/rfc9651#section-3.2
func TestCloudflare_RulesForOtherHostsKeepOtherHeaders(t *testing.T) {
	const (
		all   = "/x\n  A: b\n"
		other = "https://b.example/*\n  Content-Usage: train-ai=n\n"
		none  = "https://d.example/*\n  ! Content-Usage\n"
		tags  = "https://c.example/*\n  X-Robots-Tag: noindex\n"
	)
	usage := robotstag.Header{Name: "Content-Usage"}
	ours := "\n" + block1("/a.pdf\n  Content-Usage: train-ai=y")
	for _, row := range []struct{ about, user, target, file, want, findings string }{
		{"one at the end stays behind ours", all + other, TargetCloudflare, all + ours + other, "train-ai=y, train-ai=n",
			"header-host/note"},
		{"two of different headers", all + tags + other, TargetCloudflare, all + ours + tags + other, "train-ai=y, train-ai=n",
			"header-host/note header-host/note"},
		{"one before one that takes ours away", other + none, TargetCloudflare, other + none + ours,
			"train-ai=n, train-ai=y", "header-host/warning header-host/note"},
		{"one before other rules", other + all, TargetCloudflare, other + all + ours, "train-ai=n, train-ai=y",
			"header-host/warning"},
		{"before a host of another header", other + all + tags, TargetCloudflare, other + all + ours + tags,
			"train-ai=n, train-ai=y", "header-host/warning header-host/note"},
		{"in a file for both hosts", all + other, TargetPortable, all + other + ours, "train-ai=n, train-ai=y",
			"header-host/warning header-syntax/warning"},
	} {
		o := robotstag.Task{Target: row.target, Host: "example.org"}
		res := tables.Value(Compile([]byte(row.user), with(usage, wanted("a.pdf train-ai=y")), o))(t)
		if string(res.File) != row.file {
			t.Errorf("%s: file:\n%s\nwant:\n%s", row.about, res.File, row.file)
		}
		if got := ids(res.Findings); got != row.findings {
			t.Errorf("%s: findings: %v; want %q", row.about, res.Findings, row.findings)
		}
		served := Cloudflare.Values(Cloudflare.Parse(res.File, usage.Name), "b.example", "/a.pdf")
		if got := robotstag.Join(served); got != row.want {
			t.Errorf("%s: b.example/a.pdf is served with %q, want %q", row.about, got, row.want)
		}
	}
}

// N9k: a line whose owner means a comment, or two paths, is for a path that nobody asks for.
func TestHouse_ACommentBehindAPathIsTold(t *testing.T) {
	for _, d := range []*Dialect{Cloudflare, Netlify} {
		for path, isTold := range map[string]bool{"/a/* # staging": true, "/a\t#": true, "/a /b": true,
			"/a": false, "/a#b": false, "/a b.pdf": false, "/a%20/b": false} {
			found := d.Parse([]byte("# c\n"+path+"\n  X-Robots-Tag: noindex\n"), robotstag.Name).Findings
			if isOne := len(found) == 1 && found[0].Line == 2 && found[0].ID == "header-syntax"; isOne != isTold {
				t.Errorf("%s, %q: %v", d.title, path, found)
			}
		}
	}
}

// N5: a rule for another host is reported once, whichever of the headers it sets that the policy
// asks for.
func TestCloudflare_RulesForOtherHostsAreReportedOnce(t *testing.T) {
	const user = "https://a.example/*\n  Link: </x>; rel=\"canonical\"\n  Content-Usage: train-ai=n\n" +
		"https://b.example/*\n  X-Robots-Tag: noindex\n  Content-Usage: train-ai=n\n" +
		"https://c.example/*\n  Cache-Control: no-store\n"
	demands := append(demand(nil), robotstag.Demand{Header: robotstag.Header{Name: "Content-Usage"}},
		robotstag.Demand{Header: robotstag.Header{Name: "Link"}})
	res, err := Compile([]byte(user), demands, robotstag.Task{Target: TargetCloudflare, Host: "example.org"})
	if got := ids(res.Findings); err != nil || got != "header-host/note header-host/note" {
		t.Errorf("%v, findings: %v", err, res.Findings)
	}
}
