package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"metarobots/internal/printable"
	"metarobots/internal/report"
	"metarobots/internal/tables"
)

// hostile are texts that somebody else may choose, as names of files and in them.
var hostile = []string{"a\nb", "::error::c", "\n::error file=x::d", "\r::stop-commands::e", "\x1b[2J\x1b[31mf\x07",
	"g\u202eh\u2066",
	"##[add-mask]i", "##vso[task.complete]j", "\xff\xfek", "\u0085::l\u2028m", "\u009b31mn\x7f"}

// annotation is what begins a line of ours to GitHub's runner.
var annotation = regexp.MustCompile(`^::(error|warning|notice) (file=[^:]*,)?title=[^:]*::`)

// output runs the program and checks that what it prints holds no control characters but the ends
// of its lines, no line that begins a command to a pipeline's runner, and no text that goes on for
// ever.
func output(t *testing.T, args ...string) {
	t.Helper()
	stdout, stderr, code := runCommand(t, args...)
	if stdout+stderr == "" && code > exitFailed {
		t.Errorf("%q: exit code %d, and nothing is printed", args, code)
	}
	all := strings.Join(args, " ")
	whole := strings.Contains(all, "json") || strings.Contains(all, "sarif") || strings.Contains(all, "--diff") ||
		strings.Contains(all, "snapshot")
	for name, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
		if strings.Contains(all, "csv") {
			text = strings.ReplaceAll(text, "\r\n", "\n")
		}
		if !utf8.ValidString(text) {
			t.Errorf("%q: %s is no UTF-8", args, name)
		}
		for line := range strings.Lines(text) {
			line = strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "\t") // what is to be copied is indented
			if i := strings.IndexFunc(line, func(r rune) bool {
				return unicode.IsControl(r) ||
					strings.ContainsRune("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
			}); i >= 0 {
				t.Errorf("%q: %s: %.200q, at %.40q", args, name, line, line[i:])
			}
			if printable.Begin(line) != line && !(strings.Contains(all, "github") && annotation.MatchString(line)) {
				t.Errorf("%q: %s: a line is a command: %.200q", args, name, line)
			}
			if !whole && strings.Contains(line, strings.Repeat("x", printable.Longest)) {
				t.Errorf("%q: %s: a text is printed whole: %.200q …", args, name, line)
			}
		}
	}
}

// hostileSite writes a folder of pages whose names and texts are hostile, and returns their names.
func hostileSite(t *testing.T, dir string) (names []string) {
	t.Helper()
	long := strings.Repeat("x", 5000)
	texts := append([]string{long}, hostile...)
	write := func(name, text string) { writeFile(t, filepath.Join(dir, name), text) }
	for i, text := range hostile {
		name := strings.ReplaceAll(text, "/", "-") + ".html"
		names = append(names, name)
		other := texts[i]
		write(name, "<!doctype html><head><title>"+text+"</title><meta name=\"robots\" content=\"noindex, "+other+"\">"+
			"<meta name=\"metarobots\" content='{\"section\":\"a\\n::error::s\\u202e\",\"robots\":\""+strings.Repeat("y", i)+"\"}'>"+
			"<meta name=\"robots\" value=\""+text+"\"><link rel=canonical href=\"/"+other+"\">\n<p>a\tb\n")
		write(strings.TrimSuffix(name, ".html")+"/index.html",
			"<title>"+other+"</title><body><meta name=robots content=\""+text+"\">")
	}
	write("robots.txt", "User-agent: *\nDisallow: /"+strings.Join(texts,
		"\nDisallow: /\x1b")+"\nNoindex: /\x1b[2J\n"+"Sitemap: "+long+"\n")
	write("_headers", "/*\n  X-Robots-Tag: noindex, "+strings.Join(hostile,
		", ")+"\n/"+long+"\n  X-Robots-Tag: "+long+"\n")
	return names
}

func TestHouse_NothingUnprintableIsPrinted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such names there")
	}
	cleanHugo(t)
	dir := t.TempDir()
	t.Chdir(dir)
	names := hostileSite(t, ".")
	for _, args := range [][]string{{"check", ".", "--diff", "-v"}, {"check", ".", "--json"}, {"init", ".", "-n"},
		{"init", ".", "-n", "--json"},
		{"snapshot", ".", "-o", "-"}, {"snapshot", ".", "-o", "old\x1b.json"}, {"apply", ".", "-n", "--diff", "-v"},
		{"apply", ".", "-v"},
		{"report", ".", "-o", "::error::\x1b\nr.html"}} {
		output(t, args...)
	}
	for _, name := range names {
		output(t, "explain", "-d", ".", name, "/"+name, "missing"+name)
		output(t, "explain", "-d", ".", "--crawler", name, name)
	}
	for _, format := range report.Formats {
		output(t, "report", ".", "--format", string(format))
	}
	writeFile(t, "new.json", `{"version":1,"pages":[]}`)
	output(t, "diff", "old\x1b.json", "new.json")
	output(t, "check", ".", "--baseline", "old\x1b.json")
	for _, text := range append(hostile, strings.Repeat("x", 5000)) {
		for _, args := range [][]string{{text}, {"--" + text}, {"help", text}, {"version", text}, {"completion", text},
			{"schema", text}, {"man", text},
			{"resolve", text}, {"resolve", "--json", text}, {"resolve", "googlebot: noindex, " + text},
			{"diff", text, text}, {"logs", text},
			{"verify", text}, {"verify", "--against", text}, {"verify", "http://" + text + "/"},
			{"explain", "--crawler", text, "/"}, {"apply", text}, {"build", "-s", text},
			{"data", "-s", text}, {"report", "--format", text}, {"check", ".", "-e", text}, {"check", ".", "-b", text},
			{"check", ".", "--policy", text},
			{"check", ".", "--now", text}, {"check", ".", "--report", text},
			{"logs", "--crawler", text, "--since", text, "-"}} {
			output(t, args...)
		}
	}
	writeFile(t, "metarobots.toml",
		"[robots]\n\"a\\n::error::\\u001b\" = 1\n[robots.visibility]\ntypes.\"\\u202e\" = \"\\u001bnoindex\"\n")
	output(t, "check", ".")
	writeFile(t, "metarobots.toml", "[robots\x1b]\n::error::\n")
	output(t, "check", ".")
}

func TestHouse_NothingUnprintableIsPrintedOfOthers(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Robots-Tag"] = append([]string{"noindex"}, "\x1b[2Jnoindex", "nosnippet \u202e",
			strings.Repeat("x", 5000))
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>x</title><meta name=robots content=\"noarchive, \n::error::x\x1b\u202e\">"))
	}))
	defer server.Close()
	lock := `{"version":1,"environment":"production\u001b","decisions":{"a-1":{"robots":"noindex\n::error::\u202e"}},"pages":{"/":{"decision":"a-1"},"/a%0a::b":{"decision":"a-1"}}}`
	log := "1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] \"GET /\x1b[2J HTTP/1.1\" 200 1 \"-\" " +
		"\"Googlebot/2.1\"\n\x1b[2J::error::\u202e\n" + strings.Repeat("x", 5000) + "\n"
	tables.Write(t, ".", map[string]string{"lock.json": lock, "::error::\x1blog": log})
	for _, args := range [][]string{{}, {"--json"}, {"-v"}, {"--report", "::error::\x1b.md"}} {
		output(t, append([]string{"verify", server.URL, "--against", "lock.json", "--allow-private", "--retries", "0"},
			args...)...)
		output(t, append([]string{"verify", server.URL, "--allow-private", "--retries", "0"}, args...)...)
	}
	output(t, "logs", "::error::\x1blog", "--against", "lock.json")
	output(t, "logs", "::error::\x1blog", "--against", "lock.json", "--json")
}

// What Hugo says of a site holds what stands in it.
func TestHouse_NothingUnprintableIsPrintedOfHugo(t *testing.T) {
	cleanHugo(t)
	t.Chdir(t.TempDir())
	tables.Write(t, ".", map[string]string{
		"hugo.toml":            "baseURL = 'https://example.org/'\n[params]\nrobots = \"\\u001bnoindex\"\n",
		"layouts/all.html":     "<head><title>{{ .Title }}</title></head>{{ warnf \"%s\" .Title }}",
		"content/a\n::b.md":    "---\ntitle: \"a\\n::error::x\\e[2J\\u202e\"\nrobots: \"\\e[2Jnoindx\"\n---\n",
		"content/\x1b[2Jc.md":  "---\ntitle: c\n---\n",
		"content/sec\x1b/d.md": "---\ntitle: d\n---\n",
	})
	output(t, "build")
	output(t, "init", "-n")
	tables.Must(t, os.Remove("content/a\n::b.md"))
	output(t, "build", "-v")
	output(t, "data", "-o", "::error::\x1b.json")
	writeFile(t, "content/e\n::error::f.md", "---\ntitle: [\n::error::\x1b\n---\n")
	output(t, "build")
}
