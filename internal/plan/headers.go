package plan

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/marks"
	"metarobots/emit/patch"
	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A HeaderFile is the file in which one host reads which headers to serve: what its owner says there, and what is to
// become of it.
type HeaderFile struct {
	Output
	host project.Host
	// Target is the host that the file is written for.
	Target string
	// Former: the configuration no longer names the target, and our part goes.
	Former bool
	// Result counts the rules.
	Result robotstag.Result

	user  []byte // as the site's own sources give it
	block [2]int // the lines of user around a block of ours that no run is known to have left; zero for none
	// found is what user serves, and stays what it serves without that block.
	found, stays func(name string) []robotstag.Value
	lines        map[headerKey]headerLine
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

// targets are the hosts whose header files are written: what the configuration names, with auto for the host on which
// we run, else for both that read _headers (C).
func (p *planner) targets() []string {
	targets := slices.Clone(p.Project.Config.Robots.Headers.Targets)
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

func (p *planner) autoTarget() string { return hosts.Auto(p.Project.Options.Getenv, p.Project.Source) }

// headerSource is the file of a target for a host. One that is not published lies in the site's
// folder, or in the working folder where one is there already.
func (p *planner) headerSource(target string, of project.Host) *HeaderFile {
	h := &HeaderFile{host: of, Target: target, lines: map[headerKey]headerLine{}}
	t := hosts.Lookup(target)
	if !t.InProject {
		h.Output = p.output(h.host.Root + cmp.Or(t.File, hosts.HeadersFile))
		return h
	}
	h.path = filepath.Join(p.Project.Source, t.File)
	if there := filepath.Join(p.Project.Options.WorkDir, t.File); !project.Exists(h.path) && project.Exists(there) {
		h.path = there
	}
	h.File = p.Project.Short(h.path)
	return h
}

// formerTargets are the targets whose files the given ones do not write: an earlier run may have.
func (p *planner) formerTargets(targets []string) (former []string) {
	written := map[string]bool{}
	for _, target := range targets {
		written[p.headerSource(target, p.Project.Main).path] = true
	}
	for _, t := range hosts.Table {
		if file := p.headerSource(t.Target, p.Project.Main).path; !written[file] {
			written[file], former = true, append(former, t.Target)
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
	for i, of := range p.Project.Hosts {
		for _, target := range slices.Concat(targets, p.formerTargets(targets)) {
			h := p.headerSource(target, of)
			h.Former = !slices.Contains(targets, target)
			beside := h.name == ""
			switch {
			case h.Former && beside && (i > 0 || filepath.Dir(h.path) != p.Project.Source):
				continue // a file of the working folder may be another site's
			case i > 0 && beside:
				file, line := p.Project.Config.Locate("headers", "targets")
				return project.Invalid(&policy.Finding{File: file, Line: line,
					Message: fmt.Sprintf("robots.headers.targets: %s is one file for one host, and the site has %d (%s)",
						h.File, len(p.Project.Hosts), strings.Join(p.Project.Settings.Hosts, ", "))})
			}
			if err := p.addHeaders(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// addHeaders reads a header file and adds it to the plan, unless it is a former target's without anything of ours.
func (p *planner) addHeaders(h *HeaderFile) (err error) {
	h.Old, err = p.readHeaderFile(h.path)
	info, _ := os.Stat(h.path)
	switch refused := disk.Refused(err); {
	case refused && h.Former:
		return nil
	case err != nil && info != nil && info.IsDir():
		return project.Invalid(fmt.Errorf("%s is a folder, and a host reads a file of that name", h.File))
	case refused:
		p.notRead(h.path, err)
		return nil
	case err != nil:
		return err
	}
	h.user = p.userHeaders(h)
	if _, kept := p.made[h.name]; h.Former && !kept && (h.Old == nil || bytes.Equal(h.own(), h.Old)) {
		return nil
	}
	p.marks(h.File, h.user)
	p.doubtBlock(h)
	if err := h.read(); err != nil {
		return project.Invalid(fmt.Errorf("%s: %w", h.File, err)) // what it says would be lost
	}
	p.headers = append(p.headers, h)
	return nil
}

// userHeaders are the bytes of a header file as the site's own sources give it: what a build made and has not written,
// or is about to copy from a static file, and else what stands there, our part left out.
func (p *planner) userHeaders(h *HeaderFile) []byte {
	if _, made := p.made[h.name]; p.building && !made && h.name != "" {
		if static, err := p.readSource(h.name, project.MaxConfig); err == nil {
			return static
		}
	}
	return p.own(&h.Output)
}

// readHeaderFile reads the file that a host reads. A long one counts only with rules of ours in it.
func (p *planner) readHeaderFile(file string) ([]byte, error) {
	data, err := p.Project.Read(file, project.MaxHeaders)
	if len(data) > project.MaxConfig && !bytes.Contains(data, []byte("metarobots")) {
		return nil, &fs.PathError{Op: "read", Path: file, Err: disk.ErrTooLarge}
	}
	return data, err
}

// read reads the site's own rules. What cannot be read as a server's file, its compiler says.
func (h *HeaderFile) read() error {
	clear(h.lines)
	h.stays = func(string) []robotstag.Value { return nil }
	o := robotstag.Options{Target: h.Target, Host: h.host.URL.Hostname()}
	user, err := hosts.ReadUser(h.user, o)
	if err == nil {
		h.stays = user.Found
	} else if hosts.Lookup(h.Target).Format != nil {
		err = nil
	}
	if h.found = h.stays; err == nil && h.block[1] > 0 {
		if user, err = hosts.ReadUser(marks.Plain(h.user), o); err == nil {
			h.found = user.Found
		}
	}
	return err
}

// compile adds rules of ours to the site's own; without wants it takes them out.
func (h *HeaderFile) compile(wants []robotstag.Want, o robotstag.Options) (robotstag.Result, error) {
	o.Target, o.Base = h.Target, project.Decoded(h.host.Base)
	return hosts.Compile(h.user, wants, o)
}

// own is the site's own file, without what we added to it.
func (h *HeaderFile) own() []byte {
	if h.user == nil {
		return nil
	}
	r, err := h.compile(nil, robotstag.Options{})
	if err != nil {
		return h.user
	}
	return r.File
}

// headersFor returns what the site's own header rules say of a file.
func (p *planner) headersFor(file string) (statements []policy.Statement) {
	for _, h := range p.headers {
		if name, ok := h.host.Serves(file); ok && !h.Former {
			statements = append(statements, p.statesFor(h, name, h.found)...)
		}
	}
	return statements
}

// statesFor is what one header file says of a file, by its name from the root of the host: with netlify.toml last,
// where the host is Netlify.
func (p *planner) statesFor(h *HeaderFile, name string,
	served func(name string) []robotstag.Value) (statements []policy.Statement) {
	for _, v := range served(name) {
		statements = append(statements, p.headerLine(h, headerKey{"", v})...)
	}
	if onNetlify(h.Target) {
		statements = append(statements, p.netlifyStates(h, p.netlify.found(name))...)
	}
	return statements
}

// headerLine reads one X-Robots-Tag value of the site's own, once.
func (p *planner) headerLine(h *HeaderFile, v headerKey) []policy.Statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line, ok := h.lines[v]; ok {
		return line.statements
	}
	at := policy.Origin{Layer: policy.LayerFound, File: v.file, Line: v.value.Line, Key: robotstag.Name}
	if v.file == "" {
		at.File = p.writtenIn(h, v.value)
	}
	if v.file == "" && h.block[0] < at.Line && at.Line < h.block[1] {
		at.Key = blockKey
	}
	readings, problems := policy.ParseHeader(v.value.Text, policy.Found, p.Project.Policy.Crawlers)
	// A crawler that is not known stays in the file and makes no line of ours (A1).
	readings = slices.DeleteFunc(readings, func(r policy.Reading) bool {
		_, known := p.Project.Policy.Crawlers.Lookup(r.Crawler)
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
func (p *planner) writtenIn(h *HeaderFile, v robotstag.Value) string {
	if h.name != "" {
		data, err := p.readSource(h.name, project.MaxConfig)
		lines := strings.Split(string(data), "\n")
		if err == nil && v.Line <= len(lines) && strings.Contains(lines[v.Line-1], v.Text) {
			return p.m.File(h.name).Source
		}
	}
	return h.File
}

// oddLines are findings about the values that reach published files.
func (h *HeaderFile) oddLines() (all []policy.Finding) {
	for _, line := range h.lines {
		all = append(all, line.findings...)
	}
	slices.SortFunc(all, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message))
	})
	return all
}

// planHeaders compiles the header files and proves them (N3). overflow is set where the rules do not fit (N2).
func (p *planner) planHeaders() (overflow error) {
	for _, h := range p.headers {
		if h.Former || h.Target == headers.TargetNone {
			h.New = h.own()
		} else {
			var err error
			h.New, h.Result, err = p.planHeader(h)
			overflow = errors.Join(overflow, err)
		}
		if h.name != "" {
			h.New = h.edit(nil, h.user, h.Old, patch.Between(h.user, h.New))
		}
	}
	return overflow
}

// planHeader returns the new bytes of a header file.
func (p *planner) planHeader(h *HeaderFile) (file []byte, r robotstag.Result, overflow error) {
	c := &p.Project.Config.Robots.Headers
	environment := p.Project.Policy.Resolve(slices.Clone(p.Project.Policy.Environment))
	wants, needed := p.wants(h, environment.NoIndex())
	if !needed && h.user == nil && len(c.Hosts) == 0 {
		return nil, r, nil // nothing stands there and nothing is wanted
	}
	o := robotstag.Options{Target: h.Target, Scope: c.Scope, Host: h.host.URL.Hostname(), Hosts: c.Hosts,
		Base: project.Decoded(h.host.Base)}
	if environment.NoIndex() {
		o.Everywhere = environment.Header(p.Project.Policy.Style)
		if hosts.Lookup(h.Target).Committed {
			p.report(policy.Finding{ID: "header-committed", Severity: policy.Note, File: h.File,
				Message: "it is committed and read before the build, so it says nothing of previews: the tags alone " +
					"keep this one out of the index, and files without a tag are not kept out"})
			return h.Old, r, nil
		}
	}
	p.deeper(h)
	report := func(findings []policy.Finding) {
		for _, f := range findings {
			if f.ID == "header-budget" && f.Severity == policy.Error {
				f = policy.Finding{ID: "header-overflow", Severity: policy.Error, Message: f.Message}
			}
			if f.ID == "header-preview" && f.Severity != policy.Error && !p.onCloudflare(h) {
				continue
			}
			f.File = h.File
			p.report(f)
		}
	}
	r, err := h.compile(wants, o)
	report(r.Findings)
	switch {
	case errors.Is(err, robotstag.ErrBudget):
		if h.Old == nil {
			return h.user, r, err // what the site would have without us
		}
		return h.Old, r, err
	case err != nil: // what the host reads cannot be read: nothing is taken from it
		report([]policy.Finding{{ID: "header-syntax", Severity: policy.Error,
			Message: err.Error()}})
		return h.user, r, nil
	}
	if hosts.Lookup(h.Target).Format == nil {
		report(headers.XRobotsTag.Verify(r, wants, o))
	}
	return r.File, r, nil
}

// onCloudflare reports whether Cloudflare is a likely reader of a header file: its owner names the target, or the host
// is Cloudflare's. Of a portable file that nobody asked for nothing tells of that host.
func (p *planner) onCloudflare(h *HeaderFile) bool {
	return h.Target == headers.TargetCloudflare || slices.Contains(p.Project.Config.Robots.Headers.Targets, h.Target) ||
		hosts.Lookup(headers.TargetCloudflare).Serves(h.host.URL.Hostname())
}

// wants are what the files of a host are to be served with, and whether a rule is needed. Where one rule carries a
// whole private site it may reach redirects, error pages and control files too (N7).
func (p *planner) wants(h *HeaderFile, private bool) (wants []robotstag.Want, needed bool) {
	wants = make([]robotstag.Want, 0, len(p.pages))
	compared := robotstag.Compared{}
	for _, pg := range p.pages {
		name, ok := h.host.Serves(pg.Name)
		if !ok || name == hosts.HeadersFile || name == "_redirects" || pg.Name == h.name {
			continue // hosts do not serve them
		}
		w := robotstag.Want{Path: name, URL: pg.URL, HTML: pg.TakesTags(), Values: pg.Header}
		w.Free = private && !pg.Role.Policed()
		w.Noindex = pg.Decision.NoIndex() ||
			slices.ContainsFunc(pg.Decision.Agents, func(a policy.Agent) bool { return a.Directives.NoIndex() })
		if len(pg.Headers) > 0 {
			served := p.Project.Policy.Resolve(p.statesFor(h, name, h.stays))
			w.Found = compared.Same(strings.Join(served.Header(p.Project.Policy.Style), ", "), strings.Join(pg.Header, ", "))
		}
		if onNetlify(h.Target) {
			p.overridden(h, pg, name)
		}
		wants = append(wants, w)
		needed = needed || len(w.Values) > 0 && !w.Free
	}
	return append(wants, p.rewritten(h, wants)...), needed
}

// deeper reports files of the host's in folders below, which count for those and go before ours.
// https://httpd.apache.org/docs/2.4/howto/htaccess.html#how
func (p *planner) deeper(h *HeaderFile) {
	if !hosts.Lookup(h.Target).Nested {
		return
	}
	for _, pg := range p.pages {
		if path.Base(pg.Name) != path.Base(h.name) || pg.Name == h.name {
			continue
		}
		data, err := p.Project.Read(p.Project.Path(pg.Name), project.MaxConfig)
		if err == nil && bytes.Contains(bytes.ToLower(data), []byte("x-robots-tag")) {
			p.finding(pg, "header-found", policy.Error, 0, "it is about X-Robots-Tag and goes before the rules of "+
				"%s: what is decided for this folder is not what is served (take it out: the policy covers the "+
				"files)", h.File)
		}
	}
}

// rewritten returns what is to be served at the sources of rewrites in the site's _redirects, or in the file that a
// build is to publish there: what their targets are (N3).
func (p *planner) rewritten(h *HeaderFile, wants []robotstag.Want) (more []robotstag.Want) {
	if h.Target != headers.TargetCloudflare && h.Target != headers.TargetPortable {
		return nil
	}
	name := h.host.Root + "_redirects"
	at := p.Project.Published(name)
	data, err := p.Project.Read(p.Project.Path(name), project.MaxConfig)
	if data == nil && err == nil { // a build that writes nothing
		if at = p.m.File(name).Source; at != "" {
			data, err = p.readSource(name, project.MaxConfig)
		}
	}
	if disk.Refused(err) {
		p.notRead(p.Project.Path(name), err)
	}
	more, findings := headers.Rewritten(data, wants)
	for i := range more {
		more[i].URL = site.URL(h.host.Root + more[i].Path)
	}
	for _, f := range findings {
		f.File = at
		p.report(f)
	}
	return more
}
