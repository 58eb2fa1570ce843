package address

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// What engines answered for one site is in testdata/answers: the servers of hosts themselves, or
// what their makers give to developers.
//
// https://developers.cloudflare.com/workers/wrangler/
// https://github.com/netlify/cli
// https://github.com/firebase/superstatic

// answer is what an engine answered at a path.
type answer struct{ path, cell string }

// readAnswers returns what each engine answered, by the names of the table's columns.
func readAnswers(t *testing.T, file string) map[string][]answer {
	t.Helper()
	all := map[string][]answer{}
	var columns []string
	for line := range strings.Lines(string(tables.Value(os.ReadFile(file))(t))) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case columns == nil:
			columns = cells
		default:
			for i, cell := range cells[1:] {
				all[columns[i+1]] = append(all[columns[i+1]], answer{cells[0], cell})
			}
		}
	}
	return all
}

// published are the names of the files of the site that was asked.
func published(t *testing.T) []string {
	text := string(tables.Value(os.ReadFile("testdata/answers/files.txt"))(t))
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(text), "\n"),
		func(line string) bool { return strings.HasPrefix(line, "#") })
}

// engines are the handlings that the columns of the tables are for.
var engines = map[string]*Handling{
	"pages":       CloudflarePages,
	"auto":        Workers(""),
	"force":       Workers("force-trailing-slash"),
	"drop":        Workers("drop-trailing-slash"),
	"none":        Workers("none"),
	"auto+spa":    Workers("auto-trailing-slash").WithFallback("index.html"),
	"force+spa":   Workers("force-trailing-slash").WithFallback("index.html"),
	"drop+spa":    Workers("drop-trailing-slash").WithFallback("index.html"),
	"none+spa":    Workers("none").WithFallback("index.html"),
	"netlify":     Netlify,
	"plain":       Firebase(false, SlashUnset),
	"plain+slash": Firebase(false, SlashAdded),
	"plain+cut":   Firebase(false, SlashCut),
	"clean":       Firebase(true, SlashUnset),
	"clean+slash": Firebase(true, SlashAdded),
	"clean+cut":   Firebase(true, SlashCut),
	"apache":      Apache,
	"nginx":       Nginx,
	"caddy":       Caddy,
	"caddy+try":   CaddyTries,
	"azure":       Azure,
}

// differences are where handlings answer otherwise than the engine, and why.
var differences = []struct{ engine, path, want, why string }{
	{`netlify|plain.*|clean.*`, `%(2[34cCbB6fF]|3[aAbBdDfF]|40)`, `-`,
		"the emulator does not decode reserved characters, and the host's servers are closed"},
	{`plain.*|clean.*`, `^/404(\.html|/)?$`, `-`, "the emulator sends its error page with status 404"},
	{`clean.*`, `(?i)(%69ndex(\.html)?|%2ehtml|\.%68tml)/?$`, ``,
		"the emulator looks at endings before it decodes the path, and no crawler encodes a letter or a dot"},
	{`netlify`, `^/(f|%66)oo\.html|^/n/index.html$`, `-`, "the emulator takes .html for the ending of an asset"},
	{`apache|nginx`, ``, `>.*/`, "a folder without an index is redirected to its slash, and has nothing there"},
	{`apache`, `%2F`, `-`, "AllowEncodedSlashes is off, which the site's files do not tell"},
	{`caddy\+try`, `hat%3[fF]|ack%5[cC]sl`, `-`, "try_files looks for ? and \\ as patterns"},
	{`caddy\+try`, `lit%2520`, `>.*`, "the redirect is not encoded again"},
	{`azure`, ``, `-|>.*`, "the emulator knows neither clean URLs nor trailingSlash, which the host's documentation has"},
}

// explained returns why a handling may answer otherwise than the engine at a path, where it served
// want.
func explained(engine, path, want string) string {
	match := func(expression, text string) bool {
		return regexp.MustCompile("^(?:" + expression + ")$").MatchString(text)
	}
	for _, d := range differences {
		if match(d.engine, engine) && regexp.MustCompile(d.path).MatchString(path) && (d.want == "" || match(d.want, want)) {
			return d.why
		}
	}
	return ""
}

// Handlings know what engines serve, where they redirect, and of what they have nothing (U1b).
func TestHouse_HandlingsAnswerAsEnginesDo(t *testing.T) {
	files := published(t)
	has := func(name string) bool { return slices.Contains(files, name) }
	asked, why := 0, map[string]int{}
	for _, table := range tables.Value(filepath.Glob("testdata/answers/*.tsv"))(t) {
		for engine, answers := range readAnswers(t, table) {
			h := engines[engine]
			if h == nil {
				t.Fatalf("%s: no handling for %s", table, engine)
			}
			s := New(has, nil, h)
			for _, a := range answers {
				if strings.HasPrefix(a.cell, "!") {
					continue // the engine fails, or forbids
				}
				asked++
				want := a.cell
				if to, ok := strings.CutPrefix(want, ">"); ok {
					want = ">" + encode(decode(to), bareInComponent)
				}
				if got := cellOf(s.At(a.path)[0]); got == want {
					continue
				} else if reason := explained(engine, a.path, want); reason != "" {
					why[reason]++
				} else {
					t.Errorf("%s %s: %s, want %s", engine, a.path, got, want)
				}
			}
		}
	}
	t.Logf("%d answers compared", asked)
	for _, d := range differences {
		if t.Logf("%d differ: %s", why[d.why], d.why); why[d.why] == 0 {
			t.Errorf("no longer differs: %s", d.why)
		}
	}
}

func cellOf(a Address) string {
	switch {
	case a.Serves():
		return a.File
	case a.To != "":
		return ">" + a.To
	}
	return "-"
}

// What an engine serves at a path that crawlers spell is one of the addresses of the file, and
// served.
func TestHouse_AddressesOfFilesAreWhereEnginesServeThem(t *testing.T) {
	files := published(t)
	has := func(name string) bool { return slices.Contains(files, name) }
	asked := 0
	for _, table := range tables.Value(filepath.Glob("testdata/answers/*.tsv"))(t) {
		for engine, answers := range readAnswers(t, table) {
			s, addresses := New(has, nil, engines[engine]), map[string][]Address{}
			for _, a := range answers {
				plain := decode(a.path)
				if !slices.Contains(files, a.cell) || !slices.Contains(spellings(plain), a.path) ||
					explained(engine, a.path, a.cell) != "" {
					continue
				}
				asked++
				if addresses[a.cell] == nil {
					addresses[a.cell] = s.Of(a.cell)
				}
				known := func(o Address) bool { return o.Path == a.path && o.File == a.cell }
				open := slices.ContainsFunc(s.Opens(a.cell), func(o Open) bool { return o.Route == nil })
				if !open && !slices.ContainsFunc(addresses[a.cell], known) {
					t.Errorf("%s serves %s at %s: not among %v", engine, a.cell, a.path, addresses[a.cell])
				}
			}
		}
	}
	t.Logf("%d answers compared", asked)
}
