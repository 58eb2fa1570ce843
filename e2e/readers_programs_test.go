//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A documentReader reads documents and headers.
type documentReader struct {
	name    string
	browses bool // goes where a page sends it
	// whether it reads file number i; nil: each. Where everything is asked for, it reads all
	part func(engine string, i int) bool
	read func(t *testing.T, visits []visit) []document
}

// documentReaders are asked on every engine. Go's own client reads the headers for those that read
// bytes alone. Scripting is on, as with crawlers that index; the last one has it off.
var documentReaders = []documentReader{
	{name: "parse5", read: func(t *testing.T, visits []visit) []document {
		return readBytes(t, node(t, "readers/parse5.mjs"), visits)
	}},
	{name: "html5lib", read: func(t *testing.T, visits []visit) []document {
		return readBytes(t, exec.Command(debianPython, "readers/html5.py"), visits)
	}},
	{
		name: "Chromium", browses: true,
		// Each file on one of the engines that serve it, or as it was written.
		part: func(engine string, i int) bool { return i%4 == slices.Index(servingEngines, engine)+1 },
		read: func(t *testing.T, visits []visit) []document { return readInChromium(t, "scripted", visits) },
	},
	{
		name: "Chromium without scripting", browses: true,
		part: func(engine string, i int) bool { return i%10 == slices.Index(servingEngines, engine)+1 },
		read: func(t *testing.T, visits []visit) []document { return readInChromium(t, "unscripted", visits) },
	},
}

const debianPython = "/usr/bin/python3" // where Debian's packages are

// needReaders skips a test that has not all of them.
func needReaders(t *testing.T) {
	t.Helper()
	installed(t, "readers/node_modules")
	installed(t, "hosts/node_modules")
	chromiumFile(t)
	for _, program := range []string{"apache2", debianPython} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing: run e2e/install-debian.sh as root on Debian", program)
		}
	}
	if out, err := exec.Command(debianPython, "-c", "import html5lib").CombinedOutput(); err != nil {
		if !bytes.Contains(out, []byte("No module named")) {
			t.Fatalf("%s: %v\n%s", debianPython, err, out)
		}
		t.Skip("python3-html5lib is missing: run e2e/install-debian.sh as root on Debian")
	}
}

// readBytes asks a reader of pages for what stands in them. What is no HTML holds no metas.
func readBytes(t *testing.T, c *exec.Cmd, visits []visit) []document {
	t.Helper()
	var asked []map[string]string
	var at []int
	documents := make([]document, len(visits))
	for i, v := range visits {
		documents[i] = document{Status: http.StatusOK, Header: v.header}
		if v.html {
			asked = append(asked, map[string]string{"type": v.kind,
				"body": base64.StdEncoding.EncodeToString([]byte(v.body))})
			at = append(at, i)
		}
	}
	for i, metas := range converse[[]meta](t, c, asked) {
		documents[at[i]].Metas = metas
	}
	return documents
}

func readInChromium(t *testing.T, scripting string, visits []visit) []document {
	t.Helper()
	type address struct {
		URL  string `json:"url"`
		HTML bool   `json:"html"`
	}
	var asked []address
	for _, v := range visits {
		asked = append(asked, address{v.address, v.html})
	}
	return converse[document](t, node(t, "readers/chromium.mjs", chromiumFile(t), scripting), asked)
}

// A resolvingReader combines what is said itself, and knows some words.
type resolvingReader struct {
	name  string
	knows []string
	read  func(t *testing.T, addresses []string, seen []document) []orders
}

// lighthouseAudit is is-crawlable, called by itself. What Lighthouse as a whole gets wrong, it
// does.
const lighthouseAudit = "Lighthouse's audit"

var lighthouseWords = []string{"noindex"}

// resolvingReaders are given what Chromium saw. Of readers of X-Robots-Tag none is kept for Go:
// github.com/nielsole/xrobotstag calls itself untested, reads one directive a line, and the module
// proxy does not have it (November 2026).
var resolvingReaders = []resolvingReader{
	{"robot-directives", []string{"noindex", "nofollow", "noarchive", "nosnippet", "notranslate", "noimageindex"},
		func(t *testing.T, _ []string, seen []document) (all []orders) {
			type what struct {
				Metas    []meta   `json:"metas"`
				Header   []string `json:"header"`
				Crawlers []string `json:"crawlers"`
			}
			var asked []what
			for _, d := range seen {
				asked = append(asked, what{ofRobots(d.Metas), append([]string{}, d.Header...), readersCrawlers[:]})
			}
			for _, lists := range converse[[][]string](t, node(t, "readers/directives.mjs"), asked) {
				o := orders{failed, failed, failed}
				for i, list := range lists {
					o[i] = restrictions(list)
				}
				all = append(all, o)
			}
			return all
		}},
	{lighthouseAudit, lighthouseWords, func(t *testing.T, addresses []string, seen []document) (all []orders) {
		type what struct {
			URL    string   `json:"url"`
			Metas  []meta   `json:"metas"`
			Header []string `json:"header"`
		}
		var asked []what
		for i, d := range seen {
			asked = append(asked, what{addresses[i], append([]meta{}, d.Metas...), append([]string{}, d.Header...)})
		}
		for _, blocked := range converse[[]string](t, modernNode(t, "readers/lighthouse.mjs", "audit"), asked) {
			all = append(all, blockedOrders(blocked))
		}
		return all
	}},
}

// ofRobots are the metas that a caller takes for robots tags.
func ofRobots(metas []meta) []meta {
	return slices.DeleteFunc(append([]meta{}, metas...), func(m meta) bool {
		return m.Content == nil || !slices.Contains(robotsNames, strings.ToLower(strings.TrimSpace(m.Name)))
	})
}

// blockedOrders are the orders of crawlers that Lighthouse takes for kept away.
func blockedOrders(blocked []string) (o orders) {
	for i, crawler := range readersCrawlers {
		if slices.Contains(blocked, crawler) {
			o[i] = "noindex"
		}
	}
	return o
}

// converse gives a program questions as lines of JSON and takes as many answers.
func converse[A, Q any](t *testing.T, c *exec.Cmd, questions []Q) []A {
	t.Helper()
	var in, out, errs bytes.Buffer
	for _, q := range questions {
		must(t, json.NewEncoder(&in).Encode(q))
	}
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(c.Args, " "), err, &errs)
	}
	var answers []A
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a A
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("%s: %v", strings.Join(c.Args, " "), err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%s: %d answers to %d questions\n%s", strings.Join(c.Args, " "), len(answers), len(questions), &errs)
	}
	return answers
}

// chromiumFile is the browser.
func chromiumFile(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if file, err := exec.LookPath(name); err == nil {
			return file
		}
	}
	t.Fatal("chromium is missing: run e2e/install-debian.sh")
	return ""
}
