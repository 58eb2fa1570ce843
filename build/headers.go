package build

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/policy"
	"metarobots/site"
)

// target is the host whose header file is written: what the configuration names, with auto for the host on which we
// run, else both (N5).
func (p *Project) target() string {
	target := "auto"
	if targets := p.Config.Robots.Headers.Targets; len(targets) > 0 {
		target = targets[0]
	}
	if target != "auto" {
		return target
	}
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

// host is the host name of baseURL.
func (p *Project) host() string {
	u, err := url.Parse(p.settings.BaseURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// readHeaders reads the site's own _headers, one for each host. given are the bytes of the site's own where a build
// knows them before they are published; else what stands in the publish folder counts, our block left out.
func (p *Plan) readHeaders(given []byte) error {
	if err := p.readNetlifyTOML(); err != nil {
		return err
	}
	for _, root := range p.roots() {
		h := &HeaderFile{Root: root, Target: p.project.target()}
		file := p.path(h.Name())
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return invalid(fmt.Errorf("%s is a folder, and a host reads a file of that name", p.Published(h.Name())))
		}
		if h.Old, err = readIfThere(file); err != nil {
			return err
		}
		h.user = h.Old
		if given != nil && root == "" {
			h.user = given
		}
		if h.reader, err = headers.ReadUser(h.Target, h.user, p.project.host()); err != nil {
			return err
		}
		p.Headers = append(p.Headers, h)
	}
	return nil
}

// readIfThere reads a file; nil is none.
func readIfThere(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// own is the site's own file, without what we added to it.
func (h *HeaderFile) own() []byte {
	if h.user == nil {
		return nil
	}
	r, err := headers.Compile(h.user, nil, headers.Options{Target: headers.TargetPortable})
	if err != nil {
		return h.user
	}
	return r.File
}

// headersFor returns what the site's own header rules say of a file.
func (p *Plan) headersFor(pg *Page) []policy.Statement {
	for _, h := range p.Headers {
		name, ok := h.serves(pg.Name)
		if !ok {
			continue
		}
		var statements []policy.Statement
		for _, v := range h.reader.Found(name) {
			statements = append(statements, p.headerLine(h, v, "")...)
		}
		for _, v := range p.netlify.found(name) {
			statements = append(statements, p.headerLine(h, v, p.netlify.file)...)
		}
		return statements
	}
	return nil
}

// headerLine reads one X-Robots-Tag value of the site's own, once; file is empty for a value of _headers, whose source is
// looked for then.
func (p *Plan) headerLine(h *HeaderFile, v headers.Value, file string) []policy.Statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := headerKey{file, v}
	if statements, ok := h.lines[key]; ok {
		return statements
	}
	if file == "" {
		file = p.headersSource(h, v)
	}
	crawlers := p.project.Policy.Crawlers
	readings, problems := policy.ParseHeader(v.Text, policy.Found, crawlers)
	// A crawler that is not known stays in the file and makes no line of ours (A1).
	readings = slices.DeleteFunc(readings, func(r policy.Reading) bool {
		_, known := crawlers.Lookup(r.Crawler)
		return r.Crawler != "" && !known
	})
	at := policy.Origin{Layer: policy.LayerFound, File: file, Line: v.Line, Key: headers.Name}
	statements := policy.Statements(readings, at)
	for _, problem := range problems {
		p.report(policy.Finding{ID: problem.ID, Severity: problem.Severity, File: at.File, Line: at.Line,
			Message: headers.Name + ": " + problem.Message})
	}
	if h.lines == nil {
		h.lines = map[headerKey][]policy.Statement{}
	}
	h.lines[key] = statements
	return statements
}

// serves returns the name of a file from the root of the host, if the host serves it.
func (h *HeaderFile) serves(name string) (string, bool) {
	if h.Root == "" {
		return name, true
	}
	return strings.CutPrefix(name, h.Root+"/")
}

// headerKey is one X-Robots-Tag value and the file it stands in, empty for _headers.
type headerKey struct {
	file  string
	value headers.Value
}

// headersSource is the file in which the site's owner wrote a header line: the static file, where it holds the value on
// that line, else the published one.
func (p *Plan) headersSource(h *HeaderFile, v headers.Value) string {
	source := p.m.File(h.Name()).Source
	if source != "" {
		data, err := os.ReadFile(absolute(p.project.options.WorkDir, source))
		if err != nil {
			data, err = os.ReadFile(absolute(p.project.source, source))
		}
		if lines := strings.Split(string(data), "\n"); err == nil && v.Line <= len(lines) && strings.Contains(lines[v.Line-1], v.Text) {
			return source
		}
	}
	return p.Published(h.Name())
}

// planHeaders compiles the header files and proves them (N3).
func (p *Plan) planHeaders() {
	for _, h := range p.Headers {
		if h.Target == headers.TargetNone {
			h.New = h.own()
			p.unreached()
			continue
		}
		p.planHeader(h)
	}
}

// unreached reports what no tag can carry where the host has no headers (M5, N1).
func (p *Plan) unreached() {
	var names []string
	for _, pg := range p.Pages {
		if pg.Role.Policed() && pg.Decision.Restricts() && (!pg.HTML || pg.aside) {
			names = append(names, pg.Name)
		}
	}
	if len(names) > 0 {
		p.report(policy.Finding{ID: "no-header", Severity: policy.Warning, URL: site.URL(names[0]), File: p.Published(names[0]),
			Message: fmt.Sprintf("%d files that cannot carry a tag are restricted, this one first, and headers.targets says that the host has no headers: crawlers will not be told", len(names))})
	}
}

func (p *Plan) planHeader(h *HeaderFile) {
	project := p.project
	var wants []headers.Want
	needed := false
	environment := project.Policy.Resolve(slices.Clone(project.Policy.Environment))
	for _, pg := range p.Pages {
		name, ok := h.serves(pg.Name)
		if !ok {
			continue
		}
		if name == headersFile || name == "_redirects" {
			continue // hosts do not serve them
		}
		w := headers.Want{Path: name, HTML: pg.HTML && !pg.aside, Values: pg.Header}
		// Redirects, error pages and control files get nothing; where one rule carries a whole preview it may reach them too
		// (N7).
		w.Free = !pg.Role.Policed() && environment.NoIndex()
		w.Noindex = pg.Decision.NoIndex() || slices.ContainsFunc(pg.Decision.Agents, func(a policy.Agent) bool { return a.Directives.NoIndex() })
		if len(pg.Subject.Headers) > 0 {
			own := project.Policy.Resolve(slices.Clone(pg.Subject.Headers))
			w.Found = slices.Equal(own.Header(project.Policy.Style), pg.Header)
		}
		if values := p.netlify.found(name); len(values) > 0 {
			p.override(pg, values)
		}
		wants = append(wants, w)
		needed = needed || len(w.Values) > 0 && !w.Free
	}
	if !needed && h.user == nil && len(project.Config.Robots.Headers.Hosts) == 0 {
		return // nothing stands there and nothing is wanted
	}
	o := headers.Options{Target: h.Target, Scope: project.Config.Robots.Headers.Scope, Host: project.host(),
		Hosts: project.Config.Robots.Headers.Hosts}
	if environment.NoIndex() {
		o.Everywhere = environment.Header(project.Policy.Style)
	}
	var err error
	h.Result, err = headers.Compile(h.user, wants, o)
	p.headerProblems(h, h.Result.Problems)
	if err != nil {
		p.Overflow = errors.Join(p.Overflow, err)
		p.report(policy.Finding{ID: "header-overflow", Severity: policy.Error, File: p.Published(h.Name()), Message: err.Error()})
		h.New = h.user // what the site would have without us
		return
	}
	h.New = h.Result.File
	left := append(slices.Clone(h.Result.GivenUp), h.Result.Missed...)
	p.headerProblems(h, headers.Verify(h.Target, h.New, wants, o.Everywhere, o.Host, left))
	p.headerProblems(h, headers.VerifyHosts(h.New, wants, h.Result.Hosts))
}

func (p *Plan) headerProblems(h *HeaderFile, problems []headers.Problem) {
	for _, problem := range problems {
		f := policy.Finding{ID: problem.ID, Severity: policy.Severity(problem.Severity), File: p.Published(h.Name()), Line: problem.Line, Message: problem.Message}
		if problem.Path != "" {
			f.URL = site.URL(path.Join(h.Root, problem.Path))
		}
		p.report(f)
	}
}
