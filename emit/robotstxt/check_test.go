package robotstxt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// listed returns findings as "line id", in order.
func listed(findings []policy.Finding) string {
	var all []string
	for _, p := range findings {
		all = append(all, fmt.Sprintf("%d %s", p.Line, strings.TrimPrefix(p.ID, "robotstxt-")))
	}
	return strings.Join(all, ", ")
}

// testdata/findings.txtar has robots.txt files. Above each are facts about its site, the findings,
// and the messages about lines that contradict each other (S2k, S2l, S2m, S6b, S6c, S8a, S8b, S8c,
// S8e, S8f).
func TestHouse_Findings(t *testing.T) {
	all := "User-agent: *\nDisallow:\n"
	for _, c := range []struct{ name, file, finds string }{
		{"BOM", "\xEF\xBB\xBF" + all, "1 bom"},
		{"UTF-16", "\xFF\xFEU\x00s\x00", "0 encoding"},
		{"Latin-1", all + "Disallow: /\xE9t\xE9\n", "3 encoding"},
		{"NUL", all + "Disallow: /x\x00y\n", "3 encoding"},
		{"too big", all + strings.Repeat("# fill\n", MaxSize/7), "0 too-big"},
		{"long line", all + "Disallow: /" + strings.Repeat("x", maxLine) + "\n", "3 long-line"},
	} {
		checkFindings(t, c.name, c.file, Place{}, c.finds, nil)
	}
	archive := tables.Value(txtar.ParseFile("testdata/findings.txtar"))(t)
	for _, f := range archive.Files {
		var site Place
		var finds string
		var says []string
		head, text, _ := strings.Cut(string(f.Data), "file:\n")
		for line := range strings.Lines(head) {
			switch key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); key {
			case "path":
				site.Path = value
			case "noindex":
				site.Noindex = true
			case "managed":
				site.Managed = value
			case "urls":
				site.URLs = strings.Fields(value)
			case "finds":
				finds = value
			case "says":
				says = append(says, value)
			default:
				t.Fatalf("%s: %q", f.Name, line)
			}
		}
		checkFindings(t, f.Name, text, site, finds, says)
	}
}

// checkFindings checks the findings about a file, and the messages of those about contradictions.
func checkFindings(t *testing.T, name, file string, site Place, finds string, says []string) {
	t.Helper()
	findings := Parse([]byte(file)).Check(site)
	if got := listed(findings); got != finds {
		t.Errorf("%s: %s; want %s", name, got, finds)
	}
	var said []string
	for _, p := range findings {
		if p.Text() == "" || strings.HasSuffix(p.Text(), ".") || strings.Contains(p.Text(), "%!") ||
			strings.Contains(p.Text(), "\n") {
			t.Errorf("%s: message %q", name, p.Text())
		}
		if p.ID == "robotstxt-contradiction" {
			said = append(said, fmt.Sprint(p.Line, " ", p.Text()))
		}
	}
	if !slices.Equal(said, says) {
		t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(said, "\n"), strings.Join(says, "\n"))
	}
}

func TestHouse_PolicyFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		want   string
	}{
		{"nothing", Policy{}, ""},
		{"all is well", Policy{Groups: []Group{{Agents: []string{"*", "Googlebot"}, Disallow: Values("/é/", "*.pdf$",
			""), CrawlDelay: 0.5, ContentSignal: "ai-train=no"}}, Sitemaps: Values("https://example.org/s.xml"),
			Block: []policy.Purpose{policy.AISearch}}, ""},
		{"agent", group(Group{Agents: []string{"Google bot"}}), "error policy"},
		{"no letters", group(Group{Agents: []string{"360"}}), "error policy"},
		{"empty agent", group(Group{Agents: []string{""}}), "error policy"},
		{"mistyped agent", group(Group{Agents: []string{"GTPBot"}}), "warning agent"},
		{"agent of one's own", group(Group{Agents: []string{"our-own-search"}}), ""},
		{"a purpose for an agent", group(Group{Agents: []string{"ai-training"}}), "error policy"},
		{"no product token", group(Group{Agents: []string{"archive.org_bot"}}), "warning agent"},
		{"a star alone", group(Group{Disallow: Values("*")}), "error policy"},
		{"slash", group(Group{Disallow: Values("x/")}), "error policy"},
		{"two lines", group(Group{Allow: Values("/x\nDisallow: /")}), "error policy"},
		{"comment", group(Group{Allow: Values("/x#y")}), "error policy"},
		{"long", group(Group{Disallow: Values("/" + strings.Repeat("x", maxLine))}), "error policy"},
		{"delay", group(Group{CrawlDelay: -1}), "error policy"},
		{"signal", group(Group{ContentSignal: "ai-train=maybe"}), "error content-signal"},
		{"signal in two lines", group(Group{ContentSignal: "ai-train=no,\nsearch=yes"}), "error policy"},
		{"standalone for everyone", group(Group{Standalone: true}), "warning policy"},
		{"usage", group(Group{ContentUsage: []string{"train-ai"}}), "error content-usage"},
		{"unknown label", group(Group{ContentUsage: []string{"dream=n"}}), "warning content-usage"},
		{"old label", group(Group{ContentUsage: []string{"/x all=n"}}), "warning content-usage"},
		{"clean-param", group(Group{CleanParam: []string{"a\nb"}}), "error policy"},
		{"sitemap", Policy{Sitemaps: Values("/sitemap.xml")}, "error policy"},
		{"lines that Lighthouse refuses", Policy{carriers: []string{usageLines}}, "note lighthouse"},
		{"who may not obey", Policy{Block: []policy.Purpose{policy.AIUser}}, "note may-ignore"},
	} {
		got := ""
		for _, p := range c.policy.Check() {
			got += string(p.Severity) + " " + strings.TrimPrefix(p.ID, "robotstxt-")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Many lines of one mistake are one finding with a count.
func TestHouse_AgentsAreOneFinding(t *testing.T) {
	text := "User-agent: foo2\nDisallow: /\nUser-agent: bar3\nUser-agent: baz/4\nDisallow: /\n"
	all := Parse([]byte(text)).Check(Place{})
	if len(all) != 1 || all[0].ID != "robotstxt-agent" || all[0].Line != 1 ||
		!strings.HasSuffix(all[0].Text(), " (and 2 more lines)") {
		t.Errorf("%v", all)
	}
}

// Every rule is compared with every URL, and a site has many of both: the URLs are folded once.
func TestHouse_LettersOfURLsAreFoldedOnce(t *testing.T) {
	const count = 200
	text, place := "User-agent: *\n", Place{}
	for i := range count {
		text += fmt.Sprintf("Disallow: /archive/%d/\n", i)
		place.URLs = append(place.URLs, fmt.Sprintf("/Posts/%d/", i))
	}
	f := Parse([]byte(text))
	if allocated := testing.AllocsPerRun(1, func() { f.checkCase(&place, &findings{}) }); allocated > 10*count {
		t.Errorf("%v allocations for %d rules and as many URLs", allocated, count)
	}
}

// A line of a finding is clipped, whichever it quotes.
func TestHouse_LongAllowsAreClipped(t *testing.T) {
	text := "User-agent: *\nDisallow: /x/\nUser-agent: bingbot\nAllow: /" + strings.Repeat("*", 1000) + "\n"
	for _, f := range Parse([]byte(text)).Check(Place{}) {
		if len(f.Text()) > 600 {
			t.Errorf("%d bytes: %.80s", len(f.Text()), f.Text())
		}
	}
}
