package cli

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
	"metarobots/internal/verify"
)

// hostsToAsk are the second hosts of a site with files, "URL by" each, and the notes about them.
// base is the host that is asked, madeFor that of the snapshot, also a host that the owner states;
// empty is none.
func hostsToAsk(t *testing.T, files map[string]string, base, madeFor, also string, own ...string) (texts, notes []string) {
	t.Helper()
	t.Chdir(tables.Folder(t, files))
	parse := func(text string) *url.URL { return tables.Value(url.Parse(text))(t) }
	r := &verify.Report{Summary: verify.Summary{Bases: []string{base}, Environment: "production"}}
	if madeFor != "" {
		r.MadeFor = []*url.URL{parse(madeFor)}
	}
	for _, name := range own {
		r.Own = append(r.Own, parse("https://"+name+"/"))
	}
	c := &verifyCommand{against: lockFile}
	var stated []verify.SecondHost
	if also != "" {
		stated = []verify.SecondHost{{Base: parse(also), By: "--also", IsStated: true}}
	}
	for _, host := range c.hostsToAsk(r, stated) {
		texts = append(texts, host.Base.String()+" "+host.By)
	}
	return texts, r.Summary.Notes
}

// X26b, X26i, X26j: which hosts are asked beside the site's own.
func TestHouse_WhichSecondHostsAreAsked(t *testing.T) {
	const home = "https://example.org/"
	pages := map[string]string{"wrangler.toml": "name = \"garden\"\npages_build_output_dir = \"public\"\n"}
	worker := map[string]string{"wrangler.toml": "name = \"garden\"\n[assets]\ndirectory = \"public\"\n"}
	www := "https://www.example.org/ the other name of example.org"
	for _, c := range []struct {
		name, base, madeFor, also string
		files                     map[string]string
		want                      []string
		note                      string
	}{
		{"the files of the site", home, home, "", pages, []string{"https://garden.pages.dev/ wrangler.toml:1", www}, ""},
		{"without a name", home, home, "", nil, []string{www}, ""},
		{"of www.", "https://www.example.org/", "https://www.example.org/", "", nil,
			[]string{"https://example.org/ the other name of www.example.org"}, ""},
		{"the site is at that name", "https://garden.pages.dev/", "https://garden.pages.dev/", "", pages, nil, ""},
		{"another host than the snapshot's", "https://preview.example/", home, "", pages, nil, ""},
		{"a snapshot without a host", home, "", "", pages, nil, ""},
		{"a server on this machine", "http://127.0.0.1:80/", "http://127.0.0.1:80/", "", pages, nil, ""},
		{"a host that the owner states", home, home, "https://garden.example/", nil,
			[]string{"https://garden.example/ --also", www}, ""},
		{"www. is stated", home, home, "http://www.example.org/", nil, []string{"http://www.example.org/ --also"}, ""},
		{"the right name on the same host", home, home, "https://garden-7ou.pages.dev/", pages,
			[]string{"https://garden-7ou.pages.dev/ --also", www}, ""},
		{"another name on the same host", home, home, "https://b.pages.dev/", pages,
			[]string{"https://b.pages.dev/ --also", "https://garden.pages.dev/ wrangler.toml:1", www}, ""},
		{"the site's own host is stated", home, home, home, nil, []string{www},
			"--also https://example.org/: that is the site's own host"},
		{"a name that no file tells whole", home, home, "", worker, []string{www}, "wrangler.toml:1: the site may be " +
			"served at garden.ACCOUNT.workers.dev too, and no file tells ACCOUNT: --also asks that host, and workers_dev = " +
			"false switches it off"},
		{"and it is stated", home, home, "https://garden.me.workers.dev/", worker,
			[]string{"https://garden.me.workers.dev/ --also", www}, ""},
		{"a file that cannot be read", home, home, "", map[string]string{"fly.toml": "app ="}, []string{www},
			"fly.toml:1: "},
		{"two files that cannot be read", home, home, "", map[string]string{"fly.toml": "app =", "firebase.json": "{x"}, []string{www},
			": other names of the site that it may tell are not asked\nfly.toml:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, notes := hostsToAsk(t, c.files, c.base, c.madeFor, c.also)
			isNoted := len(notes) > 0
			if !slices.Equal(got, c.want) || isNoted != (c.note != "") ||
				!strings.Contains(strings.Join(notes, "\n"), c.note) {
				t.Errorf("%q, notes %q\nwant %q, %q", got, notes, c.want, c.note)
			}
		})
	}
}

// X26m: a host that the owner names as the site's own is not asked as a second one, whatever tells
// it.
func TestHouse_HostsOfTheOwnersAreNotAsked(t *testing.T) {
	const home = "https://example.org/"
	files := map[string]string{"wrangler.toml": "name = \"garden\"\n[assets]\ndirectory = \"public\"\n",
		"CNAME": "shop.example\n"}
	own := []string{"example.org", "www.example.org", "shop.example", "garden.me.workers.dev"}
	got, notes := hostsToAsk(t, files, home, home, "https://www.example.org/", own...)
	if len(got) > 0 || len(notes) != 1 || notes[0] != "--also https://www.example.org/: that is the site's own host" {
		t.Errorf("%q, notes %q", got, notes)
	}
}
