package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/result"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// A page of docs/ tells its site in comments that readers do not see, <!-- txtar … -->, and in
// blocks below a comment that names their file, <!-- file: metarobots.toml -->. Its transcripts are
// what happens in that site.
var (
	docPart  = regexp.MustCompile("(?s)<!-- txtar\n.*?-->|(?:<!-- file: [^\n]+ -->\n)?```.*?\n```")
	docSite  = regexp.MustCompile(`(?s)<!-- txtar\n(.*?)-->`)
	docBlock = regexp.MustCompile("(?s)(?:<!-- file: ([^\n]+) -->\n)?```(\\w*)\n(.*?)```")
)

// Every command in the documentation is run, and prints what stands below it.
func TestDocs_TranscriptsAreTrue(t *testing.T) {
	needsHugo(t)
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		text := tables.Value(os.ReadFile(page))(t)
		if !docSite.Match(text) {
			continue // its transcripts, if any, have a test of their own
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) { docPage(t, page, text) })
	}
}

func docPage(t *testing.T, page string, text []byte) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, data string) { tables.Write(t, dir, map[string]string{name: data}) }
	home := tables.Value(filepath.Abs(page))(t)
	t.Chdir(dir)
	renewed, done := []byte(nil), 0
	for _, at := range docPart.FindAllIndex(text, -1) {
		part := text[at[0]:at[1]]
		if site := docSite.FindSubmatch(part); site != nil {
			for _, f := range txtar.Parse(site[1]).Files {
				write(f.Name, string(f.Data))
			}
			continue
		}
		block := docBlock.FindSubmatch(part)
		switch {
		case block == nil:
			t.Errorf("%s: %s is no block", page, part)
		case len(block[1]) > 0:
			write(string(block[1]), string(block[3]))
		case string(block[2]) == "console":
			got := docTranscript(t, string(block[3]))
			if got != string(block[3]) && !*update {
				t.Errorf("%s says\n%s\nand what happens is\n%s", page, block[3], got)
			}
			renewed = fmt.Appendf(renewed, "%s```console\n%s```", text[done:at[0]], got)
			done = at[1]
		}
	}
	renewed = append(renewed, text[done:]...)
	if *update && !bytes.Equal(renewed, text) {
		tables.Must(t, os.WriteFile(home, renewed, 0o644))
	}
}

// docTranscript runs the commands of a transcript and returns it as it comes out. Beside our own,
// cat and echo $? are understood.
func docTranscript(t *testing.T, want string) string {
	t.Helper()
	var got bytes.Buffer
	code := exitDone
	for line := range strings.Lines(want) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if !ok {
			continue
		}
		got.WriteString(line)
		words := shellWords(command)
		switch {
		case words[0] == "metarobots":
			code = run(context.Background(), words[1:], &got, &got, noVariables)
		case strings.HasPrefix(command, "go run ."):
			code = run(context.Background(), words[3:], &got, io.Discard, noVariables)
		case words[0] == "cat" && len(words) == 2:
			data, err := os.ReadFile(filepath.FromSlash(words[1]))
			if err != nil {
				t.Error(err)
			}
			got.Write(data)
		case command == "echo $?":
			fmt.Fprintln(&got, code)
		default:
			t.Errorf("nobody runs %q", command)
		}
	}
	return got.String()
}

// shellWords splits a command at blanks outside of quotes.
func shellWords(command string) (words []string) {
	word, quote, any := "", rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, any = r, true
		case quote == 0 && r == ' ':
			if word != "" || any {
				words = append(words, word)
			}
			word, any = "", false
		default:
			word += string(r)
		}
	}
	if word != "" || any {
		words = append(words, word)
	}
	return words
}

// The transcript of the README is what the program prints.
func TestReadme_TranscriptIsTrue(t *testing.T) {
	needsHugo(t)
	text := tables.Value(os.ReadFile("README.md"))(t)
	_, rest, _ := strings.Cut(string(text), "```console\n")
	want, _, ok := strings.Cut(rest, "```")
	if got := docTranscript(t, want); got != want || !ok {
		t.Errorf("the README says\n%s\nthe program prints\n%s", want, got)
	}
}

var (
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	docCode    = regexp.MustCompile("(?s)```.*?```|<!--.*?-->")
	notInID    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// A link from the README or the documentation leads to a file that is there, and to a heading that
// it has.
func TestDocs_LinksLeadSomewhere(t *testing.T) {
	pages := tables.Value(filepath.Glob("docs/*.md"))(t)
	pages = append(pages, "README.md", "CHANGELOG.md", "docs/schema/README.md")
	links, texts, ids := 0, map[string]string{}, map[string]map[string]bool{}
	textOf := func(page string) string {
		if _, ok := texts[page]; !ok {
			texts[page] = docText(t, page)
			ids[page] = docIDs(texts[page])
		}
		return texts[page]
	}
	for _, page := range pages {
		for _, m := range docLink.FindAllStringSubmatch(textOf(page), -1) {
			if strings.Contains(m[1], ":") {
				continue // elsewhere
			}
			links++
			name, id, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(name))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s is not there", page, m[1])
			} else if id != "" {
				if textOf(target); !ids[target][id] {
					t.Errorf("%s: %s has no heading #%s", page, target, id)
				}
			}
		}
	}
	if links < 30 {
		t.Errorf("%d links: where are the others?", links)
	}
}

// Where a page is long, its chapters are listed before the first. go test ./internal/cli -run
// TestDocs -update writes the list.
func TestDocs_LongPagesListTheirChapters(t *testing.T) {
	listed := regexp.MustCompile(`(?m)^<!-- chapters -->\n(?:.+\n)*\n`)
	chapter := regexp.MustCompile(`(?m)^## (.*)$`)
	long := 0
	for _, page := range tables.Value(filepath.Glob("docs/*.md"))(t) {
		text := string(tables.Value(os.ReadFile(page))(t))
		if strings.Count(text, "\n") <= 200 || strings.Contains(text, "<!-- Made from") {
			continue // short, or made by another test
		}
		long++
		var links []string
		for _, m := range chapter.FindAllStringSubmatch(docText(t, page), -1) {
			links = append(links, fmt.Sprintf("[%s](#%s)", strings.ReplaceAll(m[1], "`", ""), docID(m[1])))
		}
		bare := listed.ReplaceAllString(text, "")
		at := chapter.FindStringIndex(docCode.ReplaceAllStringFunc(bare, func(code string) string {
			return strings.Repeat("x", len(code)) // keeps the places of what is left
		}))
		want := bare[:at[0]] + "<!-- chapters -->\n" + strings.Join(links, " ·\n") + "\n\n" + bare[at[0]:]
		if text != want && *update {
			tables.Must(t, os.WriteFile(page, []byte(want), 0o644))
		} else if text != want {
			t.Errorf("%s has over 200 lines and does not list its chapters, or others: run this test with -update", page)
		}
	}
	if long < 5 {
		t.Errorf("%d long pages: where are the others?", long)
	}
}

// docText is a page without its code and comments.
func docText(t *testing.T, page string) string {
	t.Helper()
	text := tables.Value(os.ReadFile(page))(t)
	return docCode.ReplaceAllString(string(text), "")
}

// docIDs are the names of a page's headings, as GitHub makes them.
func docIDs(text string) map[string]bool {
	ids := map[string]bool{}
	for _, m := range docHeading.FindAllStringSubmatch(text, -1) {
		ids[docID(m[1])] = true
	}
	return ids
}

// docID is the name of a heading, as GitHub makes it.
func docID(heading string) string {
	return strings.ReplaceAll(notInID.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// An example is a section of docs/migrate.md: the files of a site, and what its pages carry before
// and after.
type example struct {
	name  string
	files map[string]string
	rows  [][3]string // the address, before, after
}

var (
	namedBlock = regexp.MustCompile("(?ms)^`([^`\n]+)`:\n\n```\\w+\n(.*?)^```$")
	tableRow   = regexp.MustCompile(`(?m)^\| (/\S*) \| (.+?) \| (.+?) \|$`)
)

func examples(t *testing.T) (all []example) {
	t.Helper()
	text := tables.Value(os.ReadFile("docs/migrate.md"))(t)
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		x := example{name: name, files: map[string]string{}}
		for _, m := range namedBlock.FindAllStringSubmatch(body, -1) {
			x.files[m[1]] = m[2]
		}
		for _, m := range tableRow.FindAllStringSubmatch(body, -1) {
			x.rows = append(x.rows, [3]string(m[1:4]))
		}
		if x.files["metarobots.toml"] == "" || len(x.rows) < 2 {
			t.Errorf("%s: no policy, or no pages: %v", name, x)
		}
		all = append(all, x)
	}
	return all
}

// Every example of the page about migration is a site that is built, and its table is what comes of
// it.
func TestDocs_MigrationExamplesAreTrue(t *testing.T) {
	needsHugo(t)
	all := examples(t)
	if len(all) < 6 {
		t.Errorf("%d examples", len(all))
	}
	for _, x := range all {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"check"}
			if x.files["layouts/all.html"] != "" {
				args = []string{"-n", "--noBuildLock"}
				if x.files["hugo.toml"] == "" {
					x.files["hugo.toml"] = "baseURL = \"https://example.org/\"\n"
				}
			}
			tables.Write(t, dir, x.files)
			pages := func() map[string]result.Page {
				r, _ := resultOfRun(t, append(args, "--now", "2026-01-01", "-s", dir)...)
				all := map[string]result.Page{}
				for _, pg := range r.Pages {
					all[pg.URL] = pg
				}
				return all
			}
			after := pages()
			writeFile(t, filepath.Join(dir, "metarobots.toml"), onlySite(x.files["metarobots.toml"]))
			before := pages()
			for _, row := range x.rows {
				url := row[0]
				pg, ok := after[url]
				if !ok {
					t.Errorf("%s is not published", url)
					continue
				}
				var found []string
				for _, why := range before[url].Why {
					if why.Layer == policy.LayerFound {
						found = append(found, why.States)
					}
				}
				said := cmp.Or(strings.Join(found, "; "), "nothing")
				carries := cmp.Or(pg.Meta["robots"], strings.Join(pg.Header, "; "))
				if said != row[1] || carries != row[2] {
					t.Errorf("%s: before %q, after %q; the page says %q and %q", url, said, carries, row[1], row[2])
				}
			}
		})
	}
}

// onlySite is a policy that says where the site is and nothing else.
func onlySite(policy string) string {
	_, rest, ok := strings.Cut(policy, "[site]\n")
	if !ok {
		return ""
	}
	site, _, _ := strings.Cut(rest, "\n\n")
	return "[site]\n" + site + "\n"
}
