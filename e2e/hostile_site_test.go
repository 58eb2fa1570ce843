//go:build e2e && linux

package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"metarobots/internal/tables"
)

// A hostileSite is a site's folder, and beside it a file that its links lead to.
type hostileSite struct {
	dir     string // the policy and the sources
	publish string // what is published
	outside string // what links lead to
}

func newHostileSite(t *testing.T, policy string) hostileSite {
	t.Helper()
	dir := tables.Value(os.MkdirTemp("", "h"))(t) // a socket's name is short
	t.Cleanup(func() { os.RemoveAll(dir) })
	site := filepath.Join(dir, "site")
	s := hostileSite{site, filepath.Join(site, "public"), filepath.Join(dir, "outside", "file")}
	write(t, s.outside, outsideText)
	write(t, filepath.Join(s.dir, "metarobots.toml"), policy)
	return s
}

// outsideText is a page, content, robots.txt and JSON in some way, so that whoever reads it has
// something to say of it.
const outsideText = "---\nrobots: " + outsideSecret + "\n---\nUser-agent: *\nDisallow: /" + outsideSecret + "\n" +
	`<html><head><meta name="robots" content="` + outsideSecret + `"></head></html>`

// linkOut makes links to the file outside.
func (s hostileSite) linkOut(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		name = filepath.Join(s.dir, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.Symlink(s.outside, name))
	}
}

// sparse makes a published file of a size of which all but its beginning is a hole.
func (s hostileSite) sparse(t *testing.T, name, text string, size int64) {
	t.Helper()
	name = filepath.Join(s.publish, name)
	write(t, name, text)
	must(t, os.Truncate(name, size))
}

// bomb writes a compressed sitemap that unpacks to a gigabyte.
func (s hostileSite) bomb(t *testing.T, name string) {
	t.Helper()
	f := tables.Value(os.Create(filepath.Join(s.publish, name)))(t)
	defer f.Close()
	z := gzip.NewWriter(f)
	io.WriteString(z, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	blanks := bytes.Repeat([]byte(" "), 1<<20)
	for range 1 << 10 {
		z.Write(blanks)
	}
	must(t, z.Close())
}

// special makes a published pipe and a socket.
func (s hostileSite) special(t *testing.T, pipe, socket string) {
	t.Helper()
	must(t, syscall.Mkfifo(filepath.Join(s.publish, pipe), 0o644))
	l := tables.Value(net.Listen("unix", filepath.Join(s.publish, socket)))(t)
	t.Cleanup(func() { l.Close() })
}

// unchanged fails the test where a link is none any more, or what it leads to is another.
func (s hostileSite) unchanged(t *testing.T, links ...string) {
	t.Helper()
	if got := read(t, s.outside); got != outsideText {
		t.Errorf("the file outside is changed: %q", got)
	}
	for _, name := range links {
		if to, err := os.Readlink(filepath.Join(s.dir, name)); err != nil || to != s.outside {
			t.Errorf("%s is no longer a link to %s: %q, %v", name, s.outside, to, err)
		}
	}
}

// run runs metarobots on the site within the limits of time and memory, and looks at all that it
// prints.
func (s hostileSite) run(t *testing.T, code int, args ...string) result {
	t.Helper()
	args = append(args, "-s", s.dir)
	c := command(args...)
	c.Env = append(c.Env, "SOURCE_DATE_EPOCH=1790000000") // September 2026
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	must(t, c.Start())
	timer := time.AfterFunc(hostileTime, func() { c.Process.Kill() })
	c.Wait()
	timer.Stop()
	took := time.Since(start)
	what := "metarobots " + strings.Join(args, " ")
	r := result{what, c.ProcessState.ExitCode(), out.String(), errs.String()}
	peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	t.Logf("%s: exit code %d, %v, %d MB", what, r.code, took.Round(time.Millisecond), peak>>10)
	if took >= hostileTime {
		t.Errorf("%s took longer than %v\n%.2000s", what, hostileTime, r.stderr)
	}
	if peak > hostileMemory {
		t.Errorf("%s took %d MB", what, peak>>10)
	}
	if r.code != code {
		t.Errorf("%s: exit code %d, want %d\n%.4000s%.4000s", what, r.code, code, r.stdout, r.stderr)
	}
	harmless(t, what+": stdout", r.stdout)
	harmless(t, what+": stderr", r.stderr)
	return r
}

// harmless fails the test where an output holds what a name or a foreign file brought into it.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	if strings.Contains(text, outsideSecret) {
		t.Errorf("%s shows what a link leads to", what)
	}
	if !utf8.ValidString(text) {
		t.Errorf("%s is no UTF-8", what)
	}
	if strings.HasPrefix(text, "::") || strings.Contains(text, "\n::") {
		t.Errorf("%s has a line that is a command of GitHub", what)
	}
	for line := range strings.Lines(text) {
		bad := func(r rune) bool { return unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) }
		if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), bad); i >= 0 {
			t.Errorf("%s: a control character: %q", what, line[max(0, i-100):min(len(line), i+100)])
		}
	}
}

// said are findings, as `id file`, sorted and once each; from a run's JSON.
func (r result) said(t *testing.T) (all []string) {
	t.Helper()
	var o struct {
		Findings []struct{ ID, File, Message string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &o); err != nil {
		t.Fatalf("no JSON: %v\n%.2000s%.2000s", err, r.stdout, r.stderr)
	}
	for _, f := range o.Findings {
		all = append(all, f.ID+" "+f.File)
		t.Logf("%s %q: %.300s", f.ID, f.File, f.Message)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// expect compares the findings of a run with those that the site's files deserve.
func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, f := range got {
		if !slices.Contains(want, f) {
			t.Errorf("%s: %q is said and not true", what, f)
		}
	}
	for _, f := range want {
		if !slices.Contains(got, f) {
			t.Errorf("%s: %q is true and not said", what, f)
		}
	}
}

// every runs each command, which ends with a code where there are errors to tell, and returns the
// decisions by URL.
func (s hostileSite) every(t *testing.T, code int, want []string) map[string]string {
	t.Helper()
	s.run(t, 1, "check")
	expect(t, "check", s.run(t, 1, "check", "--json").said(t), want)
	s.run(t, 0, "explain", "/")
	report := filepath.Join(s.dir, "..", "report.")
	for _, format := range []string{"html", "json"} {
		s.run(t, 0, "report", "--format", format, "-o", report+format)
		harmless(t, "report "+format, read(t, report+format))
	}
	s.run(t, 0, "snapshot", "-o", filepath.Join(s.dir, "..", "lock.json"))
	r := s.run(t, code, "apply", "--json")
	expect(t, "apply", r.said(t), want)
	s.run(t, code, "apply")
	decisions := map[string]string{}
	for _, pg := range planned(t, r).Pages {
		decisions[pg.URL] = strings.Join(append(pg.Header, pg.Meta["robots"]), "; ")
	}
	return decisions
}

// damage overwrites what runs remember of the site.
func (s hostileSite) damage(t *testing.T) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(s.dir, ".metarobots", "*.state"))
	if err != nil || len(names) != 1 {
		t.Fatalf("state: %q, %v", names, err)
	}
	write(t, names[0], "{\"damaged\x1b[31m\n::error::")
}
