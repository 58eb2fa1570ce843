package plan

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/policy"
)

const noindexSite = htmlSite + "[[robots.rules]]\nmatch = [\"/a.html\"]\nrobots = \"noindex\"\n"

// Writing goes by what planning found: an editor that can scan nothing writes the same bytes.
func TestHouse_WritingScansNoPageAgain(t *testing.T) {
	for name, page := range map[string]string{
		"no tag":      "<!doctype html><head><meta charset=utf-8><title>x</title><p>x",
		"a tag":       "<!doctype html><head><meta name=robots content=nosnippet><title>x</title><p>x",
		"in the body": "<!doctype html><head></head><p>x<meta name=robots content=nosnippet>y",
		"a link":      "<!doctype html><head></head><p><a href=https://other.example/>x</a>",
		"tag and link": "<!doctype html><head><meta name=robots content=nosnippet></head><p><a " +
			"href=https://other.example/>x</a>",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"metarobots.toml": noindexSite + "[[robots.links.rules]]\nrel = " +
				"\"nofollow\"\n",
				"out/index.html": "<!doctype html>home", "out/a.html": page})
			plan := planned(t, dir)
			pg, _ := seen(plan, "a.html")
			want := newEditor(plan.maker)
			if _, out := want.html(plan.maker.m.File("a.html"), []byte(page), false); !pg.Changes ||
				string(out) == page {
				t.Errorf("nothing changes: %s", out)
			}
			blind := newEditor(plan.maker)
			blind.kind = nil // a scan would panic
			if err := plan.Apply(context.Background()); err != nil {
				t.Fatal(err)
			}
			out, err := os.ReadFile(filepath.Join(dir, "out/a.html"))
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := blind.rewrite(pg, []byte(page), false); string(got) != string(out) {
				t.Errorf("got %q, want %q", got, out)
			}
			if strings.Contains(page, "<a") != strings.Contains(string(out), `rel="nofollow"`) {
				t.Errorf("links: %q", out)
			}
			if pg, _ := seen(planned(t, dir), "a.html"); pg.Changes {
				t.Errorf("a second run changes %q", out)
			}
			// What an earlier run put into links is taken out and put in again without a scan as well.
			config := strings.Replace(noindexSite, `"noindex"`, `"nofollow"`, 1) + "[[robots.links.rules]]\nrel = " +
				"\"ugc\"\n"
			if err := os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			plan = planned(t, dir)
			pg, _ = seen(plan, "a.html")
			_, fresh := newEditor(plan.maker).html(plan.maker.m.File("a.html"), out, false)
			if got, _ := blind.rewrite(pg, out, false); string(got) != string(fresh) ||
				strings.Contains(string(got), "noindex") {
				t.Errorf("got %q, want %q", got, fresh)
			}
		})
	}
}

// A page that somebody changes between planning and writing is decided on as it is then, be its size and its tags the
// same.
func TestHouse_PagesThatChangeMeanwhileAreDecidedAnew(t *testing.T) {
	const page = "<!doctype html><head><meta name=robots content=nosnippet><!-- --><title>x</title></head><p>x"
	for name, changed := range map[string]string{
		"its tag, same size": strings.Replace(page, "nosnippet", "noarchive", 1),
		"what stands before": strings.Replace(page, "<meta", "\n<meta", 1),
		"now a comment": strings.Replace(page, "<head><meta name=robots content=nosnippet><!-- -->",
			"<!--d><meta name=robots content=nosnippet><!-- -->", 1),
		"a tag more elsewhere": strings.Replace(page, "<p>x", "<p><meta name=robots content=notranslate>", 1),
		"shorter":              "<!doctype html>",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"metarobots.toml": noindexSite, "out/index.html": "<!doctype html>home",
				"out/a.html": page})
			plan := planned(t, dir)
			pg, _ := seen(plan, "a.html")
			_, want := newEditor(plan.maker).html(plan.maker.m.File("a.html"), []byte(changed), false)
			if got, _ := newEditor(plan.maker).rewrite(pg, []byte(changed), false); string(got) != string(want) ||
				string(got) == changed {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// A statement that stands in a page says so itself.
func TestHouse_FoundStatementsArePlaced(t *testing.T) {
	dir := folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home",
		"out/a/b.html": "<!doctype html>\n<meta name=googlebot content=noarchive>"})
	pg, _ := seen(planned(t, dir), "a/b.html")
	want := policy.Origin{Layer: policy.LayerFound, File: "out/a/b.html", Line: 2, Key: "meta googlebot"}
	if got := pg.Decision.Statements[len(pg.Decision.Statements)-1].Origin; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// M4: what only permits may be written otherwise; what restricts may not.
func TestHouse_PermissiveSpellingsAreLeftAlone(t *testing.T) {
	for content, changes := range map[string]bool{
		"index, follow": false, "all,follow": false, "ALL": false, "follow , index": false, "index, follow, snippet": false,
		"all, imageindex, translate": false, "index": true, "none": true, "all, noindex": true, "index, follow, noai": true,
	} {
		config := htmlSite + "default = \"index, follow\"\n"
		if content == "index, follow, noai" {
			config += "found = \"replace\"\n"
		}
		dir := folder(t, map[string]string{"metarobots.toml": config,
			"out/index.html": `<!doctype html><head><meta name="robots" content="` + content + `"></head>home`})
		if pg, _ := seen(planned(t, dir), "index.html"); pg.Changes != changes {
			t.Errorf("%q changes: %v", content, pg.Changes)
		}
	}
}

// What one template prints into every page is one finding with a count.
func TestHouse_FaultsOfTemplatesAreOneFinding(t *testing.T) {
	files := map[string]string{"metarobots.toml": htmlSite}
	for _, name := range []string{"index", "a", "b", "c"} {
		files["out/"+name+".html"] = "<!doctype html><head><title>" + name +
			`</title><meta name="robots" content="noindx, googlebot: noarchive">`
	}
	counted := map[string]int{}
	for _, f := range planned(t, folder(t, files)).Findings {
		if counted[f.ID]++; f.ID == "unknown-directive" && (f.URL != "/a.html" ||
			!strings.HasSuffix(f.Message, "; so it is on 3 more")) {
			t.Errorf("%+v", f)
		}
	}
	if counted["unknown-directive"] != 1 || counted["prefix"] != 1 {
		t.Errorf("findings %v", counted)
	}
}
