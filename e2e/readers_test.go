//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// servingEngines are those that the readers read from: workerd as Cloudflare Pages, Netlify's command line and Apache;
// and "as written", a plain server of what the generator wrote, which says by its headers what the owner wants.
var servingEngines = []string{"pages", "netlify", "apache"}

const asWritten = "as written"

// readersCrawlers are those whose orders are compared: one that nobody knows by name, and two that are.
var readersCrawlers = [3]string{"", "googlebot", "bingbot"}

// orders are the restrictions that each of readersCrawlers obeys, sorted, as one text each.
type orders [3]string

// harsh are the words that restrict. Which are implied by noindex says the right column
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
var harsh = map[string]bool{
	"noindex": false, "nofollow": false, "noarchive": false, "noai": false, "noimageai": false, "noml": false,
	"nocache": true, "nosnippet": true, "notranslate": true, "noimageindex": true,
}

var (
	afterColon  = regexp.MustCompile(`:\s+`)
	betweenText = regexp.MustCompile(`[,;/|\s]+`)
)

// obeyed resolves what stands in tags and in header lines by a rule of its own, which shares nothing with package
// policy: each crawler obeys the sum of what restricts it, of all places that name it or nobody, and of limits the
// lowest.
func obeyed(metas []meta, header []string) (o orders) {
	stated := map[string][]string{} // crawler to words
	for _, m := range metas {
		name := strings.ToLower(strings.Trim(m.Name, "\t\n\f\r "))
		if name == "robots" {
			name = ""
		}
		if m.Content != nil {
			stated[name] = append(stated[name],
				betweenText.Split(strings.ToLower(afterColon.ReplaceAllString(*m.Content, ":")), -1)...)
		}
	}
	for s := range said(header) {
		stated[s[0]] = append(stated[s[0]], afterColon.ReplaceAllString(s[1], ":"))
	}
	for i, crawler := range readersCrawlers {
		words := stated[""]
		if crawler != "" {
			words = slices.Concat(words, stated[crawler])
		}
		o[i] = restrictions(words)
	}
	return o
}

// restrictions is what a list of directives comes to.
func restrictions(words []string) string {
	const unlimited = 1 << 30
	set := map[string]bool{}
	limits := map[string]int{"max-snippet": unlimited, "max-video-preview": unlimited, "max-image-preview": 2}
	previews := []string{"none", "standard", "large"}
	date := ""
	for _, word := range words {
		key, value, _ := strings.Cut(word, ":")
		if _, ok := harsh[word]; ok {
			set[word] = true
		} else if word == "none" {
			set["noindex"], set["nofollow"] = true, true
		} else if key == "unavailable_after" && (date == "" || value < date) { // all in one form, which sorts
			date = value
		} else if limit, ok := limits[key]; ok {
			n, err := strconv.Atoi(value)
			if key == "max-image-preview" {
				n = slices.Index(previews, value)
			}
			if err == nil && n >= 0 || key == "max-image-preview" && n >= 0 {
				limits[key] = min(limit, n)
			}
		}
	}
	if limits["max-snippet"] == 0 {
		set["nosnippet"] = true
	}
	for word, implied := range harsh {
		if implied && set["noindex"] || word == "nocache" && set["noarchive"] {
			delete(set, word)
		}
	}
	var list []string
	for word := range set {
		list = append(list, word)
	}
	if !set["noindex"] {
		if n := limits["max-snippet"]; n < unlimited && !set["nosnippet"] {
			list = append(list, fmt.Sprintf("max-snippet:%d", n))
		}
		if n := limits["max-video-preview"]; n < unlimited && !set["nosnippet"] {
			list = append(list, fmt.Sprintf("max-video-preview:%d", n))
		}
		if n := limits["max-image-preview"]; n < 2 {
			list = append(list, "max-image-preview:"+previews[n])
		}
		if date != "" {
			list = append(list, "unavailable_after:"+date)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// failed stands where a reader gave no answer.
const failed = "?"

// knowing is what is left of orders to a reader that knows these words alone. What is not indexed has no copy in a
// cache.
func (o orders) knowing(words []string) orders {
	for i, text := range o {
		list := strings.Fields(text)
		o[i] = strings.Join(slices.DeleteFunc(list, func(w string) bool {
			return w != failed && !slices.Contains(words, w) || w == "noarchive" && strings.Contains(text, "noindex")
		}), " ")
	}
	return o
}

// A readersFile is what metarobots says of a published file.
type readersFile struct {
	published
	Role string
}

// tags are the metas that a file is said to carry.
func (f readersFile) tags() (list []meta) {
	for name, content := range f.Meta {
		list = append(list, meta{Head: true, Name: name, Content: &content})
	}
	return list
}

// A readersSite is a publish folder with what explain says of it, and what its owner said before.
type readersSite struct {
	publish string
	brief   bool // on Apache alone, and without Lighthouse's own runs
	files   []readersFile
	givenUp map[string]bool // targets that leave pages to their tags
	written string          // the folder as the generator wrote it; empty where the owner's words are not known apart
	wanted  func(file string) []string
}

// A visit is a file as an engine served it.
type visit struct {
	readersFile
	address string // that answered with 200
	kind    string // Content-Type
	header  []string
	body    string
	html    bool
}

// A document is what a reader of documents saw.
type document struct {
	Status int      `json:"status"`
	Header []string `json:"header"`
	Metas  []meta   `json:"metas"`
}

// readersTotals adds up the answers.
type readersTotals struct {
	files, runs, visits, answers int            // runs: sites on engines
	named                        int            // answers that differ for a named reason
	by                           map[string]int // reader and engine to answers
	shown                        map[string]bool
}

func newReadersTotals() *readersTotals {
	return &readersTotals{by: map[string]int{}, shown: map[string]bool{}}
}

// Issue 9: what readers that are not ours read at every URL, as real engines serve it, is what explain says.
func TestReaders(t *testing.T) {
	t.Parallel()
	needReaders(t)
	all := newReadersTotals()
	for _, site := range []struct {
		name string
		make func(t *testing.T) *readersSite
	}{
		{"example", readersExample},
		{"nasty", readersNasty},
	} {
		t.Run(site.name, func(t *testing.T) { all.read(t, site.make(t)) })
	}
	if t.Failed() || all.runs < 2*len(servingEngines)+1 { // a part of the test proves nothing of that
		return
	}
	for name, d := range readersDefects {
		for _, r := range d.readers {
			if !all.shown[r+": "+name] {
				t.Errorf("%s no longer %s: take it out", r, name)
			}
		}
	}
	for name := range readersLimits {
		if !all.shown[name] {
			t.Errorf("it no longer shows that metarobots %s: take it out", name)
		}
	}
	for name, d := range unservedPages {
		if !all.shown[name] {
			t.Errorf("%s no longer %s: take it out", d.engine, name)
		}
	}
	all.log(t)
}

func (all *readersTotals) log(t *testing.T) {
	t.Helper()
	if t.Failed() {
		return
	}
	for _, name := range sortedKeys(all.by) {
		t.Logf("%6d answers of %s", all.by[name], name)
	}
	t.Logf("in all: %d files, served %d times, %d answers for %d crawlers each: %d differ from explain, for named "+
		"reasons", all.files, all.visits, all.answers, len(readersCrawlers), all.named)
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// read has all readers read a site from all engines.
func (all *readersTotals) read(t *testing.T, site *readersSite) {
	all.files += len(site.files)
	engines := servingEngines
	if site.brief {
		engines = []string{"apache"}
	}
	if site.written != "" {
		engines = append([]string{asWritten}, engines...)
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			begin := time.Now()
			base := serve(t, engine, site)
			served := time.Since(begin)
			visits := all.fetch(t, engine, base, site)
			all.runs++
			all.visits += len(visits)
			documents := map[string][]*document{}
			for _, r := range documentReaders {
				start := time.Now()
				part := sample(visits, r, engine, site)
				answers := r.read(t, part)
				documents[r.name] = make([]*document, len(visits))
				next := 0
				for i := range visits {
					if next < len(part) && part[next].address == visits[i].address {
						documents[r.name][i] = &answers[next]
						next++
					}
				}
				all.compareDocuments(t, r.name, engine, site, visits, documents[r.name])
				t.Logf("%s: %d files in %.1f s", r.name, len(part), time.Since(start).Seconds())
			}
			if engine == asWritten {
				return
			}
			for _, r := range resolvingReaders {
				all.compareResolved(t, r, engine, site, visits, documents["Chromium"])
			}
			if !site.brief {
				all.lighthouse(t, engine, site, paintable(visits, engine))
			}
			t.Logf("%s: served after %.1f s, %d files, %.1f s in all", engine, served.Seconds(), len(visits),
				time.Since(begin).Seconds())
		})
	}
}

// want is what explain says that crawlers are told of a file.
func (v visit) want() orders { return obeyed(v.tags(), v.Header) }

// compareDocuments holds what a reader saw of each file against what explain says: by both channels together, and each
// alone.
func (all *readersTotals) compareDocuments(t *testing.T, reader, engine string, site *readersSite, visits []visit,
	documents []*document) {
	t.Helper()
	wrong := 0
	for i, d := range documents {
		if d == nil {
			continue
		}
		v := visits[i]
		all.answers++
		all.by[reader+", "+engine]++
		got := obeyed(d.Metas, d.Header)
		problem := ""
		switch {
		case d.Status != http.StatusOK:
			problem = fmt.Sprintf("is answered with %d", d.Status)
		case got != v.want():
			problem = fmt.Sprintf("says %q, explain %q", got, v.want())
		case engine == asWritten: // what was told by header may be told by tag
		case obeyed(d.Metas, nil) != obeyed(v.tags(), nil):
			problem = fmt.Sprintf("has tags that say %q, explain %q", obeyed(d.Metas, nil), obeyed(v.tags(), nil))
		case obeyed(nil, d.Header) != obeyed(nil, v.Header) &&
			!(v.html && len(d.Header) == 0 && site.givenUp[targetOf(engine)]):
			problem = fmt.Sprintf("has the header %q, explain %q", d.Header, v.Header)
		}
		if problem == "" {
			continue
		}
		if all.known(reader, site, v, d) {
			all.named++
			continue
		}
		if wrong++; wrong <= 12 {
			t.Errorf("%s: %s %s\nmetas %v\nheader %q\nbody %.300q", reader, v.address, problem, d.Metas, d.Header,
				v.body)
		}
	}
	if wrong > 12 {
		t.Errorf("%s: %d files in all differ", reader, wrong)
	}
}

// compareResolved does the same for a reader that resolves what is said itself. It is given what Chromium saw.
func (all *readersTotals) compareResolved(t *testing.T, r resolvingReader, engine string, site *readersSite,
	visits []visit, documents []*document) {
	t.Helper()
	start := time.Now()
	var seen []document
	var addresses []string
	for i, d := range documents {
		if d != nil {
			seen, addresses = append(seen, *d), append(addresses, visits[i].address)
		}
	}
	answers := r.read(t, addresses, seen)
	wrong, next := 0, 0
	for i, d := range documents {
		if d == nil {
			continue
		}
		v, got := visits[i], answers[next]
		next++
		all.answers++
		all.by[r.name+", "+engine]++
		want := v.want().knowing(r.knows)
		got = got.knowing(r.knows)
		if got == want {
			continue
		}
		if all.known(r.name, site, v, d) || all.known("Chromium", site, v, d) {
			all.named++
			continue
		}
		if wrong++; wrong <= 12 {
			t.Errorf("%s: %s says %q, explain %q\nmetas %v\nheader %q", r.name, v.address, got, want, d.Metas, d.Header)
		}
	}
	if wrong > 12 {
		t.Errorf("%s: %d files in all differ", r.name, wrong)
	}
	t.Logf("%s: %d files in %.1f s", r.name, len(answers), time.Since(start).Seconds())
}

// lighthouse has Lighthouse open pages.
func (all *readersTotals) lighthouse(t *testing.T, engine string, site *readersSite, visits []visit) {
	t.Helper()
	const name = "Lighthouse"
	start := time.Now()
	var asked []map[string]string
	for _, v := range visits {
		asked = append(asked, map[string]string{"url": v.address})
	}
	c := modernNode(t, "readers/lighthouse.mjs", "run", chromiumFile(t))
	for i, blocked := range converse[[]string](t, c, asked) {
		v := visits[i]
		all.answers++
		all.by[name+", "+engine]++
		want := v.want().knowing(lighthouseWords)
		if blocked != nil && blockedOrders(blocked) == want {
			continue
		}
		if blocked != nil && all.known(lighthouseAudit, site, v, &document{Header: v.header}) {
			all.named++
			continue
		}
		t.Errorf("%s: %s keeps away %q, explain %q", name, v.address, blocked, want)
	}
	t.Logf("%s: %d pages in %.1f s", name, len(visits), time.Since(start).Seconds())
}

// known tells whether a difference has a name, and notes that it shows.
func (all *readersTotals) known(reader string, site *readersSite, v visit, d *document) (found bool) {
	for name, defect := range readersDefects {
		if slices.Contains(defect.readers, reader) && defect.concerns(v, d) {
			all.shown[reader+": "+name] = true
			found = true
		}
	}
	for name, limit := range readersLimits {
		if limit.concerns(site, v, reader) {
			all.shown[name] = true
			found = true
		}
	}
	return found
}

// targetOf is the target of headers that an engine reads.
func targetOf(engine string) string {
	if engine == "apache" {
		return "apache"
	}
	return "portable"
}

// sample is a reader's part of the files on an engine, and some that its known defects concern.
func sample(visits []visit, r documentReader, engine string, site *readersSite) (part []visit) {
	names := []string{r.name}
	if r.name == "Chromium" { // others are given what it saw
		for _, other := range resolvingReaders {
			names = append(names, other.name)
		}
	}
	concerns := func(d readersDefect, v visit) bool {
		ours := func(name string) bool { return slices.Contains(names, name) }
		return slices.ContainsFunc(d.readers, ours) && d.concerns(v, &document{Header: v.header})
	}
	few := map[string]int{}
	for i, v := range visits {
		if v.Role == "redirect" && r.browses {
			continue // it would be sent on
		}
		take := everything || site.brief || r.part == nil || r.part(engine, i)
		for name, d := range readersDefects {
			if !take && few[name] < 12 && concerns(d, v) {
				few[name]++
				take = true
			}
		}
		if take {
			part = append(part, v)
		}
	}
	return part
}

// paintable are some pages that show something, which Lighthouse wants, of several decisions; on each engine others.
func paintable(visits []visit, engine string) (some []visit) {
	most, like := 2, map[orders]int{}
	if everything {
		most = 10
	}
	from := len(visits) * slices.Index(servingEngines, engine) / len(servingEngines)
	for _, v := range slices.Concat(visits[from:], visits[:from]) {
		want := v.want().knowing([]string{"noindex"})
		if len(some) < most && v.html && v.Role == "page" &&
			(strings.Contains(v.body, "<p>shown") || strings.Contains(v.body, "<h1")) && like[want] <= most/3 {
			like[want]++
			some = append(some, v)
		}
	}
	return some
}

// A documentReader reads documents and headers.
type documentReader struct {
	name    string
	browses bool // goes where a page sends it
	// whether it reads file number i; nil: each. Where everything is asked for, it reads all
	part func(engine string, i int) bool
	read func(t *testing.T, visits []visit) []document
}

// documentReaders are asked on every engine. Go's own client reads the headers for those that read bytes alone.
// Scripting is on, as with crawlers that index; the last one has it off.
var documentReaders = []documentReader{
	{name: "parse5", read: func(t *testing.T, visits []visit) []document {
		return readBytes(t, node(t, "readers/parse5.mjs"), visits)
	}},
	{name: "html5lib", read: func(t *testing.T, visits []visit) []document {
		return readBytes(t, exec.Command(debianPython, "readers/html5.py"), visits)
	}},
	{
		name: "Chromium", browses: true,
		// Each file on one of the engines that serve it, and as it was written.
		part: func(engine string, i int) bool {
			return engine == asWritten || i%len(servingEngines) == slices.Index(servingEngines, engine)
		},
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
	for _, folder := range []string{"readers", "hosts"} {
		if _, err := os.Stat(folder + "/node_modules"); err != nil {
			t.Fatalf("e2e/%s/node_modules is missing: run e2e/install.sh", folder)
		}
	}
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
	c := node(t, "readers/chromium.mjs")
	c.Args = append(c.Args, chromiumFile(t), scripting)
	return converse[document](t, c, asked)
}

// A resolvingReader combines what is said itself, and knows some words.
type resolvingReader struct {
	name  string
	knows []string
	read  func(t *testing.T, addresses []string, seen []document) []orders
}

// lighthouseAudit is is-crawlable, called by itself. What Lighthouse as a whole gets wrong, it does.
const lighthouseAudit = "Lighthouse's audit"

var lighthouseWords = []string{"noindex"}

// resolvingReaders are given what Chromium saw. Of readers of X-Robots-Tag none is kept for Go:
// github.com/nielsole/xrobotstag calls itself untested, reads one directive a line, and the module proxy does not have
// it (November 2026).
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
	{lighthouseAudit, lighthouseWords,
		func(t *testing.T, addresses []string, seen []document) (all []orders) {
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
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
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

// modernNode runs a script in the Node that comes with the hosts' engines.
func modernNode(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	file, err := filepath.Abs("hosts/node_modules/node/bin/node")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatal("e2e/hosts/node_modules is missing: run e2e/install.sh")
	}
	return exec.Command(file, args...)
}

// fetchAll asks an engine for every file of a site at its URL, or where the host has it. An answer is a file's when it
// has the file's bytes.
func (all *readersTotals) fetch(t *testing.T, engine, base string, site *readersSite) (visits []visit) {
	t.Helper()
	folder := site.publish
	if engine == asWritten {
		folder = site.written
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	got := make([]*visit, len(site.files))
	missing := make([]string, len(site.files))
	var group sync.WaitGroup
	slots := make(chan bool, 8)
	for i, f := range site.files {
		if engine == asWritten && f.Role == "error" {
			continue // loses its tags (L3)
		}
		group.Go(func() {
			slots <- true
			defer func() { <-slots }()
			body, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(f.File)))
			if err != nil {
				if engine != asWritten { // there our own files are not yet
					missing[i] = err.Error()
				}
				return
			}
			var seen []string
			for _, path := range append([]string{f.URL}, paths(f.published)...) {
				v, status, err := fetch(client, base+path)
				if err != nil {
					seen = append(seen, err.Error())
				} else if status == http.StatusOK && v.body == string(body) {
					v.readersFile = f
					v.html = strings.HasSuffix(f.File, ".html") && strings.HasPrefix(v.kind, "text/html")
					got[i] = &v
					return
				} else {
					seen = append(seen, fmt.Sprintf("%s: %d", path, status))
				}
			}
			missing[i] = strings.Join(seen, ", ")
		})
	}
	group.Wait()
	for i, f := range site.files {
		if got[i] != nil {
			visits = append(visits, *got[i])
		} else if missing[i] != "" && !all.hidden(engine, folder, f.File) {
			t.Errorf("%s is served at none of its addresses: %s", f.File, missing[i])
		}
	}
	return visits
}

// hidden reports whether an engine is known not to serve a file, and notes that it shows.
func (all *readersTotals) hidden(engine, folder, file string) bool {
	for _, a := range artefacts {
		if slices.Contains(a.engines, engine) && a.is(file) {
			return true
		}
	}
	for name, d := range unservedPages {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(file)))
		if err == nil && d.engine == engine && d.pages.Match(text) {
			all.shown[name] = true
			return true
		}
	}
	return false
}

func fetch(client *http.Client, address string) (v visit, status int, err error) {
	res, err := client.Get(address)
	if err != nil {
		return v, 0, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return v, 0, err
	}
	return visit{address: res.Request.URL.String(), kind: res.Header.Get("Content-Type"),
		header: res.Header.Values("X-Robots-Tag"), body: string(body)}, res.StatusCode, nil
}

// serve has an engine serve a site until the test ends.
func serve(t *testing.T, engine string, site *readersSite) (base string) {
	t.Helper()
	switch engine {
	case asWritten:
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := strings.TrimPrefix(r.URL.Path, "/")
			if name == "" || strings.HasSuffix(name, "/") {
				name += "index.html"
			}
			data, err := os.ReadFile(filepath.Join(site.written, filepath.FromSlash(name)))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header()["X-Robots-Tag"] = site.wanted(name)
			w.Header().Set("Content-Type", "application/octet-stream")
			if strings.HasSuffix(name, ".html") {
				w.Header().Set("Content-Type", "text/html") // a page's own encoding counts
			}
			w.Write(data)
		}))
		t.Cleanup(s.Close)
		return s.URL
	case "apache":
		dir := servedFolder(t)
		root := filepath.Join(dir, "public")
		if err := os.CopyFS(root, os.DirFS(site.publish)); err != nil {
			t.Fatal(err)
		}
		apache := webServers[slices.IndexFunc(webServers, func(s server) bool { return s.target == "apache" })]
		address := freeAddress(t)
		args := apache.config(t, dir, root, root, address, "",
			[]byte(read(t, filepath.Join(root, ".htaccess"))))
		conf := filepath.Join(dir, "apache.conf")
		write(t, conf, strings.Replace(read(t, conf), "TypesConfig /dev/null", "TypesConfig /etc/mime.types", 1))
		start(t, apache, dir, address, args)
		return "http://" + address
	}
	return startHost(t, engine, site.publish)
}
