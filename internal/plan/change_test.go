package plan_test

import (
	"strings"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// A statement that stands in a page says so itself.
func TestHouse_FoundStatementsArePlaced(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home",
		"out/a/b.html": "<!doctype html>\n<meta name=googlebot content=noarchive>"})
	pg, _ := seen(planned(t, dir), "a/b.html")
	want := policy.Origin{Layer: policy.LayerFound, File: "out/a/b.html", Line: 2, Key: "meta googlebot"}
	if got := pg.Decision.Statements[len(pg.Decision.Statements)-1].Origin; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// M4c: what only permits may be written otherwise; what restricts may not.
func TestHouse_PermissiveSpellingsAreLeftAlone(t *testing.T) {
	for content, changes := range map[string]bool{
		"index, follow": false, "all,follow": false, "ALL": false, "follow , index": false, "index, follow, snippet": false,
		"all, imageindex, translate": false, "index": true, "none": true, "all, noindex": true, "index, follow, noai": true,
	} {
		config := htmlSite + "default = \"index, follow\"\n"
		if content == "index, follow, noai" {
			config += "found = \"replace\"\n"
		}
		dir := tables.Folder(t, map[string]string{"metarobots.toml": config,
			"out/index.html": `<!doctype html><head><meta name="robots" content="` + content + `"></head>home`})
		if pg, _ := seen(planned(t, dir), "index.html"); pg.Bytes.Change != changes {
			t.Errorf("%q changes: %v", content, pg.Bytes.Change)
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
	for _, f := range planned(t, tables.Folder(t, files)).Findings {
		if counted[f.ID]++; f.ID == "unknown-directive" && (f.URL != "/a.html" ||
			!strings.HasSuffix(f.Text(), "; the same on 3 more")) {
			t.Errorf("%+v", f)
		}
	}
	if counted["unknown-directive"] != 1 || counted["prefix"] != 1 {
		t.Errorf("findings %v", counted)
	}
}
