package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/servers"
	"metarobots/internal/config"
	"metarobots/internal/disk"
	"metarobots/policy"
)

// headerSource is what the owner of a site says in the header file of one target, for one host.
type headerSource struct {
	Output // as it stands there
	host
	target string
	server bool   // it has a file of its own form
	former bool   // the configuration no longer names the target: our part goes
	user   []byte // as the site's own sources give it
	found  func(name string) []robotstag.Value
	lines  map[headerKey]headerLine
}

// headerKey is one X-Robots-Tag value and the file it stands in, empty for the header file itself.
type headerKey struct {
	file  string
	value robotstag.Value
}

// headerLine is what such a value states, and what is wrong with it.
type headerLine struct {
	statements []policy.Statement
	findings   []policy.Finding
}

// headersFile is what Netlify and Cloudflare read: https://docs.netlify.com/manage/routing/headers/,
// https://developers.cloudflare.com/pages/configuration/headers/.
const headersFile = "_headers"

// targets are the hosts whose header files are written: what the configuration names, with auto for the host on which
// we run, else for both that read _headers (C).
func (p *Project) targets() []string {
	targets := slices.Clone(p.Config.Robots.Headers.Targets)
	if len(targets) == 0 {
		targets = []string{"auto"}
	}
	for i, target := range targets {
		if target == "auto" {
			targets[i] = p.autoTarget()
		}
	}
	return targets
}

func (p *Project) autoTarget() string {
	getenv := p.options.Getenv
	switch {
	case getenv("NETLIFY") != "":
		return headers.TargetNetlify
	case getenv("CF_PAGES") != "" || getenv("WORKERS_CI") != "":
		return headers.TargetCloudflare
	}
	for _, name := range []string{"wrangler.toml", "wrangler.json", "wrangler.jsonc"} {
		if _, err := os.Stat(filepath.Join(p.source, name)); err == nil {
			return headers.TargetCloudflare
		}
	}
	return headers.TargetPortable
}

// headerSource is the file of a target for a host. One that is not published lies in the site's
// folder, or in the working folder where one is there already.
func (p *Project) headerSource(target string, of host) *headerSource {
	h := &headerSource{host: of, target: target, lines: map[headerKey]headerLine{}}
	t, ok := servers.Lookup(target)
	if !ok {
		h.Output = p.output(h.root + headersFile)
		return h
	}
	h.server = true
	if !t.InProject {
		h.Output = p.output(h.root + t.File)
		return h
	}
	h.path = filepath.Join(p.source, t.File)
	if there := filepath.Join(p.options.WorkDir, t.File); !exists(h.path) && exists(there) {
		h.path = there
	}
	h.File = p.short(h.path)
	return h
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// formerTargets are the targets whose files the given ones do not write: an earlier run may have.
func (p *Project) formerTargets(targets []string) (former []string) {
	written := map[string]bool{}
	for _, target := range targets {
		written[p.headerSource(target, p.main).path] = true
	}
	for _, target := range append([]string{headers.TargetPortable}, servers.Targets()...) {
		if !written[p.headerSource(target, p.main).path] {
			former = append(former, target)
		}
	}
	return former
}

// readHeaders reads the site's own header files: for each host of the site one for each target, and those that an
// earlier run for another target left, which are to lose our part.
func (p *planner) readHeaders() error {
	p.headers = nil
	if err := p.readNetlifyTOML(); err != nil {
		return err
	}
	targets := p.targets()
	for i, of := range p.hosts {
		for _, target := range slices.Concat(targets, p.formerTargets(targets)) {
			h := p.headerSource(target, of)
			h.former = !slices.Contains(targets, target)
			beside := h.name == ""
			switch {
			case h.former && beside && (i > 0 || filepath.Dir(h.path) != p.source):
				continue // a file of the working folder may be another site's
			case i > 0 && beside:
				file, line := p.Config.Locate("headers", "targets")
				return invalid(&config.Error{File: file, Line: line, Msg: fmt.Sprintf("robots.headers.targets: %s is "+
					"one file for one host, and the site has %d (%s)", h.File, len(p.hosts), strings.Join(p.settings.Hosts, ", "))})
			}
			if err := p.addHeaders(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// addHeaders reads a header file and adds it to the plan, unless it is a former target's without anything of ours.
func (p *planner) addHeaders(h *headerSource) (err error) {
	h.Old, err = p.readHeaderFile(h.path)
	info, _ := os.Stat(h.path)
	switch refused := disk.Refused(err); {
	case refused && h.former:
		return nil
	case err != nil && info != nil && info.IsDir():
		return invalid(fmt.Errorf("%s is a folder, and a host reads a file of that name", h.File))
	case refused:
		p.notRead(h.path, err)
		return nil
	case err != nil:
		return err
	}
	h.user = p.userHeaders(h)
	if _, kept := p.made[h.name]; h.former && !kept && (h.Old == nil || bytes.Equal(h.own(), h.Old)) {
		return nil
	}
	p.marks(h.File, h.user)
	if err := h.read(); err != nil {
		return invalid(fmt.Errorf("%s: %w", h.File, err)) // what it says would be lost
	}
	p.headers = append(p.headers, h)
	return nil
}

// userHeaders are the bytes of a header file as the site's own sources give it: what a build made and has not written,
// or is about to copy from a static file, and else what stands there, our part left out.
func (p *planner) userHeaders(h *headerSource) []byte {
	if _, made := p.made[h.name]; p.building && !made && h.name != "" {
		if static, err := p.readSource(h.name, maxConfig); err == nil {
			return static
		}
	}
	return p.own(&h.Output)
}

// readHeaderFile reads the file that a host reads. A long one counts only with rules of ours in it.
func (p *Project) readHeaderFile(file string) ([]byte, error) {
	data, err := p.read(file, maxHeaders)
	if len(data) > maxConfig && !bytes.Contains(data, []byte("metarobots")) {
		return nil, &fs.PathError{Op: "read", Path: file, Err: disk.ErrTooLarge}
	}
	return data, err
}

// read reads the site's own rules. What cannot be read as a server's file, its compiler says.
func (h *headerSource) read() error {
	clear(h.lines)
	h.found = func(string) []robotstag.Value { return nil }
	o := robotstag.Options{Target: h.target, Host: h.url.Hostname()}
	if h.server {
		if user, err := servers.ReadUser(h.user, o); err == nil {
			h.found = user.Found
		}
		return nil
	}
	user, err := headers.ReadUser(h.user, o)
	if err == nil {
		h.found = user.Found
	}
	return err
}

// compile adds rules of ours to the site's own; without wants it takes them out.
func (h *headerSource) compile(wants []robotstag.Want, o robotstag.Options) (robotstag.Result, error) {
	o.Target, o.Base = h.target, decoded(h.base)
	if h.server {
		return servers.Compile(h.user, wants, o)
	}
	return headers.Compile(h.user, wants, o)
}

// own is the site's own file, without what we added to it.
func (h *headerSource) own() []byte {
	if h.user == nil {
		return nil
	}
	r, err := h.compile(nil, robotstag.Options{})
	if err != nil {
		return h.user
	}
	return r.File
}

// values are what the site's own rules give a file, by its name from the root of the host: those of netlify.toml last,
// where the host is Netlify.
func (p *planner) values(h *headerSource, name string) (all []headerKey) {
	for _, v := range h.found(name) {
		all = append(all, headerKey{"", v})
	}
	if h.former || !onNetlify(h.target) {
		return all
	}
	for _, v := range p.netlify.found(name) {
		all = append(all, headerKey{p.netlify.file, v})
	}
	return all
}

// headersFor returns what the site's own header rules say of a file.
func (p *planner) headersFor(file string) (statements []policy.Statement) {
	for _, h := range p.headers {
		if name, ok := h.serves(file); ok && !h.former {
			statements = append(statements, p.statesFor(h, name)...)
		}
	}
	return statements
}

// statesFor is what one header file says of a file, by its name from the root of the host.
func (p *planner) statesFor(h *headerSource, name string) (statements []policy.Statement) {
	for _, v := range p.values(h, name) {
		statements = append(statements, p.headerLine(h, v)...)
	}
	return statements
}

// headerLine reads one X-Robots-Tag value of the site's own, once.
func (p *planner) headerLine(h *headerSource, v headerKey) []policy.Statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line, ok := h.lines[v]; ok {
		return line.statements
	}
	at := policy.Origin{Layer: policy.LayerFound, File: v.file, Line: v.value.Line, Key: robotstag.Name}
	if v.file == "" {
		at.File = p.writtenIn(h, v.value)
	}
	readings, problems := policy.ParseHeader(v.value.Text, policy.Found, p.Policy.Crawlers)
	// A crawler that is not known stays in the file and makes no line of ours (A1).
	readings = slices.DeleteFunc(readings, func(r policy.Reading) bool {
		_, known := p.Policy.Crawlers.Lookup(r.Crawler)
		return r.Crawler != "" && !known
	})
	line := headerLine{statements: policy.Statements(readings, at)}
	for _, problem := range problems {
		line.findings = append(line.findings, policy.Finding{ID: problem.ID, Severity: problem.Severity, File: at.File,
			Line: at.Line, Message: robotstag.Name + ": " + problem.Message})
	}
	h.lines[v] = line
	return line.statements
}

// writtenIn is the file in which the site's owner wrote a header line: the static file, where it holds the value on
// that line, else the file that the host reads.
func (p *planner) writtenIn(h *headerSource, v robotstag.Value) string {
	if h.name != "" {
		data, err := p.readSource(h.name, maxConfig)
		lines := strings.Split(string(data), "\n")
		if err == nil && v.Line <= len(lines) && strings.Contains(lines[v.Line-1], v.Text) {
			return p.m.File(h.name).Source
		}
	}
	return h.File
}

// oddLines are findings about the values that reach published files.
func (h *headerSource) oddLines() (all []policy.Finding) {
	for _, line := range h.lines {
		all = append(all, line.findings...)
	}
	slices.SortFunc(all, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message))
	})
	return all
}
