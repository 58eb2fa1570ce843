package headers

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// elsewhere is the task of a site at example.com whose owner wants it in no index by another name.
func elsewhere(own ...string) robotstag.Task {
	return robotstag.Task{Target: TargetCloudflare, Host: own[0], Own: own}
}

// N11a, N11b, N11c, N11d: the rules for other hosts are the last of our block, add noindex to what
// path rules say, and say all of it anew if a noindex at the end would be for one crawler alone.
// https://developers.cloudflare.com/pages/configuration/headers/#prevent-your-pagesdev-deployments-showing-in-search-results
func TestCloudflare_OtherHostsAreKeptOut(t *testing.T) {
	const (
		project = "https://:project.pages.dev/*"
		worker  = "https://:worker.:account.workers.dev/*"
		noindex = "noindex"
		open    = project + "\n  X-Robots-Tag: nofollow\n"
		closed  = project + "\n  X-Robots-Tag: noindex\n"
	)
	preview, www := previewPaths[0], "https://www.example.com/*"
	others := []string{set(project, noindex), set(preview, noindex), set(worker, noindex)}
	home := elsewhere("example.com", "www.example.com")
	for _, row := range []struct {
		about, user, wants string
		task               robotstag.Task
		file               string
		at                 string // of p.pages.dev/a.pdf
	}{
		{"nothing else is wanted", "", "", home, block1(others...), noindex},
		{"beside a rule for a path", "", "a.pdf nosnippet", home,
			block1(append([]string{set("/a.pdf", "nosnippet")}, others...)...), "nosnippet, noindex"},
		{"behind a crawler's name", "", "a.pdf googlebot: nofollow", home, block1(set("/a.pdf", "googlebot: nofollow"),
			reset(project, "noindex, nofollow"), reset(preview, "noindex, nofollow"), reset(worker, "noindex, nofollow")),
			"noindex, nofollow"},
		{"www is no name of the site's own", "", "", robotstag.Task{Target: TargetCloudflare, Host: "example.com",
			Own: []string{"example.com"}, Others: []string{"www.example.com"}},
			block1(append(others, set(www, noindex))...), noindex},
		{"the site's own name is one of Workers'", "", "", elsewhere("w.acct.workers.dev"),
			block1(others[0], others[1], set("https://:version-w.acct.workers.dev/*", noindex)), noindex},
		{"a staging host that the owner's files name", "", "", robotstag.Task{Target: TargetCloudflare, Host: "example.com",
			Own: home.Own, Others: []string{"staging.example.com", "www.example.com", "x.pages.dev"}},
			block1(append(others, set("https://staging.example.com/*", noindex))...), noindex}, // N11k
		{"the site's own name is one of Pages'", "", "", elsewhere("p.pages.dev"), block1(others[1:]...), ""},
		{"the owner's block stays, and is enough", closed, "", home, block1(others[1:]...) + closed, noindex},
		{"a block that says less is not enough", open, "", home,
			block1(append([]string{set("https://:site.pages.dev/*", noindex)}, others[1:]...)...) + open,
			"noindex, nofollow"},
		{"a path line with a comment matches nothing", project + " # keep out\n  X-Robots-Tag: noindex\n", "", home,
			block1(others...) + project + " # keep out\n  X-Robots-Tag: noindex\n", noindex},
		{"Cloudflare drops a rule with two stars", "https://*.pages.dev/*\n  X-Robots-Tag: noindex\n", "", home,
			"https://*.pages.dev/*\n  X-Robots-Tag: noindex\n\n" + block1(others...), noindex},
	} {
		t.Run(row.about, func(t *testing.T) {
			res := compiled(t, row.user, wanted(row.wants), row.task)
			if string(res.File) != row.file {
				t.Errorf("file:\n%s\nwant:\n%s", res.File, row.file)
			}
			file := Cloudflare.Parse(res.File, robotstag.Name)
			if got := robotstag.Join(Cloudflare.Values(file, "p.pages.dev", "/a.pdf")); got != row.at {
				t.Errorf("p.pages.dev/a.pdf is served with %q, want %q", got, row.at)
			}
			for _, host := range row.task.Own {
				got := robotstag.Join(Cloudflare.Values(file, host, "/a.pdf"))
				if want := robotstag.Join(Cloudflare.Values(file, "", "/a.pdf")); got != want {
					t.Errorf("%s/a.pdf is served with %q, want %q", host, got, want)
				}
			}
		})
	}
}

// N11e: they count against the limit of rules, and are never given up.
func TestCloudflare_RulesForOtherHostsCount(t *testing.T) {
	user := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("/%d\n  A: b\n", i)
		}
		return text
	}
	for n, isOver := range map[int]bool{CloudflareRules - 3: false, CloudflareRules - 2: true} {
		res, err := compile([]byte(user(n)), nil, elsewhere("example.com", "www.example.com"))
		if errors.Is(err, robotstag.ErrBudget) != isOver {
			t.Errorf("%d rules of the owner's: %v, %d rules", n, err, res.Total)
		}
	}
}

// N3b, N11a: the proof reads the finished file, and shares nothing with what wrote it.
func TestHouse_ProofKeepsOtherHostsOut(t *testing.T) {
	task := elsewhere("example.com", "www.example.com")
	wants := wanted("a.pdf nosnippet | b.pdf googlebot: nofollow | robots.txt")
	res := tables.Value(compile(nil, wants, task))(t)
	for _, row := range []struct{ old, new string }{
		{":project.pages.dev/*", ":project.pages.dev"},
		{":project.pages.dev/*", ":project.pages.dev/* # keep out"},
		{":version.:project.pages.dev", ":project.example"},
		{":worker.:account.workers.dev", "*.workers.dev"},
		{":worker.:account.workers.dev", ":sub.example.com"},
		{"  X-Robots-Tag: noindex, nofollow\n", "  X-Robots-Tag: noindex\n"},
		{"  ! X-Robots-Tag\n  X-Robots-Tag: noindex, nofollow\n", "  X-Robots-Tag: noindex, nofollow\n"},
		{marks.End, "https://:a.:b.dev/*\n  ! X-Robots-Tag\n" + marks.End},
	} {
		broken := res
		broken.File = []byte(strings.ReplaceAll(string(res.File), row.old, row.new))
		found := verify(broken, wants, task)
		if string(broken.File) == string(res.File) || len(found) == 0 || found[0].Severity != policy.Error {
			t.Errorf("%q for %q: the proof finds %v in\n%s", row.new, row.old, found, broken.File)
		}
	}
}

// N11k: the proof asks hosts of the owner's files too, whatever their domain.
func TestHouse_ProofAsksHostsOfTheOwnersFiles(t *testing.T) {
	for _, domain := range []string{"example.com", "example.dev"} {
		task := elsewhere(domain, "www."+domain)
		task.Others = []string{"staging." + domain}
		wants := wanted("a.pdf nosnippet")
		res := tables.Value(compile(nil, wants, task))(t)
		if found := verify(res, wants, task); len(found) > 0 {
			t.Errorf("%s: %v", domain, found)
		}
		res.File = []byte(strings.ReplaceAll(string(res.File), "staging."+domain, "test."+domain))
		if found := verify(res, wants, task); len(found) == 0 {
			t.Errorf("%s: a host without a rule passes", domain)
		}
	}
}
