package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/config"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/policy"
)

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

// readHeaders reads the site's own header files: for each host of the site one for each target, and those that an
// earlier run for another target left, which are to lose our part. given are the bytes of the site's own _headers where
// a build knows them before they are published; else what stands there counts, our part left out.
func (p *Plan) readHeaders(given []byte) error {
	if err := p.readNetlifyTOML(); err != nil {
		return err
	}
	project := p.project
	targets := project.targets()
	for i, root := range project.roots() {
		for _, target := range slices.Concat(targets, project.formerTargets(targets)) {
			h := project.headerFile(target, root)
			if h.former = !slices.Contains(targets, target); h.former && h.name == "" && filepath.Dir(h.path) != project.source {
				continue // a file of the working folder may be another site's
			}
			if i > 0 && h.name == "" {
				if h.former {
					continue
				}
				file, line := project.Config.Locate("headers", "targets")
				return invalid(&config.Error{File: file, Line: line, Msg: fmt.Sprintf("robots.headers.targets: %s is one file for one host, and the site has %d (%s)",
					h.File, len(project.roots()), strings.Join(project.roots(), ", "))})
			}
			var err error
			h.Old, err = project.readHeaderFile(h.path)
			info, _ := os.Stat(h.path)
			switch {
			case disk.Refused(err) && h.former:
				continue
			case err != nil && info != nil && info.IsDir():
				return invalid(fmt.Errorf("%s is a folder, and a host reads a file of that name", h.File))
			case disk.Refused(err):
				p.notRead(h.path, err)
				continue
			case err != nil:
				return err
			}
			h.user = h.Old
			if given != nil && root == "" && h.name == headersFile {
				h.user = given
			} else if own := p.staticBytes(h); own != nil {
				h.user = own
			}
			if h.former {
				if own := h.own(); bytes.Equal(own, h.Old) || h.Old == nil {
					continue // nothing of ours is in it
				}
			}
			p.marks(h.File, h.user)
			if err := h.read(project.host(root)); err != nil {
				return invalid(fmt.Errorf("%s: %w", h.File, err)) // what it says would be lost
			}
			p.Headers = append(p.Headers, h)
		}
	}
	return nil
}

// staticBytes are the bytes of the static file that a build is about to copy to a header file's place; nil without one.
// _headers comes through the build itself.
func (p *Plan) staticBytes(h *HeaderFile) []byte {
	if h.name == "" || path.Base(h.name) == headersFile || !p.building {
		return nil
	}
	data, err := p.readSource(h.name, maxConfig)
	if err != nil {
		return nil
	}
	return data
}

// sourceFile is where a file's source lies, which is named relative to the working folder or the site; empty for none.
func (p *Plan) sourceFile(source string) string {
	if source == "" {
		return ""
	}
	file := absolute(p.project.options.WorkDir, source)
	if _, err := os.Stat(file); err != nil {
		return absolute(p.project.source, source)
	}
	return file
}

// readHeaderFile reads the file that a host reads. A long one counts only with rules of ours in it.
func (p *Project) readHeaderFile(file string) ([]byte, error) {
	data, err := p.read(file, maxHeaders)
	if len(data) > maxConfig && !bytes.Contains(data, []byte("metarobots")) {
		return nil, &fs.PathError{Op: "read", Path: file, Err: disk.ErrTooLarge}
	}
	return data, err
}

// headersFor returns what the site's own header rules say of a file.
func (p *Plan) headersFor(file string) (statements []policy.Statement) {
	for _, h := range p.Headers {
		name, ok := h.serves(file)
		if !ok || h.former {
			continue
		}
		for _, v := range h.found(name) {
			statements = append(statements, p.headerLine(h, v, "")...)
		}
		if h.netlify() {
			for _, v := range p.netlify.found(name) {
				statements = append(statements, p.headerLine(h, v, p.netlify.file)...)
			}
		}
	}
	return statements
}

// headerLine reads one X-Robots-Tag value of the site's own, once; file is empty for a value of the header file itself,
// whose source is looked for then.
func (p *Plan) headerLine(h *HeaderFile, v robotstag.Value, file string) []policy.Statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := headerKey{file, v}
	if line, ok := h.lines[key]; ok {
		return line.statements
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
	at := policy.Origin{Layer: policy.LayerFound, File: file, Line: v.Line, Key: robotstag.Name}
	statements := policy.Statements(readings, at)
	line := headerLine{statements: statements}
	for _, problem := range problems {
		line.findings = append(line.findings, policy.Finding{ID: problem.ID, Severity: problem.Severity, File: at.File, Line: at.Line,
			Message: robotstag.Name + ": " + problem.Message})
	}
	h.lines[key] = line
	return statements
}

// headersSource is the file in which the site's owner wrote a header line: the static file, where it holds the value on
// that line, else the file that the host reads.
func (p *Plan) headersSource(h *HeaderFile, v robotstag.Value) string {
	if h.name != "" {
		source := p.m.File(h.name).Source
		data, err := p.readSource(h.name, maxConfig)
		if lines := strings.Split(string(data), "\n"); err == nil && v.Line <= len(lines) && strings.Contains(lines[v.Line-1], v.Text) {
			return source
		}
	}
	return h.File
}

// planHeaders compiles the header files and proves them (N3).
func (p *Plan) planHeaders() {
	for _, h := range p.Headers {
		switch {
		case h.former || h.Target == headers.TargetNone:
			h.New = h.own()
		default:
			p.planHeader(h)
		}
	}
}

// Headerless reports whether the host serves no headers of the site's own, so that tags alone reach anyone (N1).
func (p *Plan) Headerless() bool {
	return slices.Contains(p.project.Config.Robots.Headers.Targets, headers.TargetNone)
}

func (p *Plan) planHeader(h *HeaderFile) {
	project := p.project
	wants := make([]robotstag.Want, 0, len(p.Pages))
	needed := false
	environment := project.Policy.Resolve(slices.Clone(project.Policy.Environment))
	for _, pg := range p.Pages {
		name, ok := h.serves(pg.Name)
		if !ok {
			continue
		}
		if name == headersFile || name == "_redirects" || pg.Name == h.name {
			continue // hosts do not serve them
		}
		w := robotstag.Want{Path: slashed(pg.Path.File, name), URL: pg.URL, HTML: pg.HTML && !pg.aside, Values: pg.Header}
		// Redirects, error pages and control files get nothing; where one rule carries a whole preview it may reach them too
		// (N7).
		w.Free = !pg.Role.Policed() && environment.NoIndex()
		w.Noindex = pg.Decision.NoIndex() || slices.ContainsFunc(pg.Decision.Agents, func(a policy.Agent) bool { return a.Directives.NoIndex() })
		if len(pg.Subject.Headers) > 0 {
			w.Found = slices.Equal(p.servedBy(h, name), pg.Header)
		}
		if values := p.netlify.found(name); len(values) > 0 && h.netlify() {
			p.override(pg, values)
		}
		wants = append(wants, w)
		needed = needed || len(w.Values) > 0 && !w.Free
	}
	wants = append(wants, p.rewritten(h, wants)...)
	if !needed && h.user == nil && len(project.Config.Robots.Headers.Hosts) == 0 {
		return // nothing stands there and nothing is wanted
	}
	o := headers.Options{Target: h.Target, Scope: project.Config.Robots.Headers.Scope, Host: project.host(h.Root),
		Hosts: project.Config.Robots.Headers.Hosts}
	if environment.NoIndex() {
		o.Everywhere = environment.Header(project.Policy.Style)
		if slices.Contains(committed, h.Target) {
			p.report(policy.Finding{ID: "header-committed", Severity: policy.Note, File: h.File,
				Message: "it is committed and read before the build, so it says nothing of previews: the tags alone keep this one out of the index, and files without a tag are not kept out"})
			h.New = h.Old
			return
		}
	}
	p.deeper(h)
	var err error
	h.Result, err = h.host.compile(h.user, wants, o)
	p.headerFindings(h, h.Result.Findings)
	if errors.Is(err, headers.ErrBudget) {
		p.Overflow = errors.Join(p.Overflow, err)
		p.report(policy.Finding{ID: "header-overflow", Severity: policy.Error, File: h.File, Message: err.Error()})
		if h.New = h.Old; h.Old == nil {
			h.New = h.user // what the site would have without us
		}
		return
	} else if err != nil { // what the host reads cannot be read: nothing is taken from it
		p.report(policy.Finding{ID: "header-syntax", Severity: policy.Error, File: h.File, Message: strings.TrimPrefix(err.Error(), path.Base(h.File)+": ")})
		h.New = h.user
		return
	}
	h.New = h.Result.File
	left := append(slices.Clone(h.Result.GivenUp), h.Result.Missed...)
	p.headerFindings(h, h.host.verify(h.New, wants, o, left))
	p.headerFindings(h, headers.VerifyHosts(h.New, wants, h.Result.Hosts))
}

// slashed is a name with a slash before it where the file, which ends with the name, has one there: no text is made.
func slashed(file, name string) string {
	if at := len(file) - len(name) - 1; at >= 0 && file[at] == '/' && file[at+1:] == name {
		return file[at:]
	}
	return name
}

// deeper reports files of the host's in folders below, which count for those and go before ours.
// https://httpd.apache.org/docs/2.4/howto/htaccess.html#how
func (p *Plan) deeper(h *HeaderFile) {
	if h.Target != "apache" {
		return
	}
	for _, pg := range p.Pages {
		if path.Base(pg.Name) != path.Base(h.name) || pg.Name == h.name {
			continue
		}
		if data, err := p.project.read(p.path(pg.Name), maxConfig); err == nil && bytes.Contains(bytes.ToLower(data), []byte("x-robots-tag")) {
			pg.finding(robotstag.IDFound, policy.Error, 0, "it is about X-Robots-Tag and goes before the rules of %s: what is decided for this folder is not what is served (take it out: the policy covers the files)", h.File)
		}
	}
}

// servedBy returns what the site's own rules of one header file come to for a file, in the form of Page.Header.
func (p *Plan) servedBy(h *HeaderFile, name string) []string {
	var statements []policy.Statement
	for _, v := range h.found(name) {
		statements = append(statements, p.headerLine(h, v, "")...)
	}
	if h.netlify() {
		for _, v := range p.netlify.found(name) {
			statements = append(statements, p.headerLine(h, v, p.netlify.file)...)
		}
	}
	own := p.project.Policy.Resolve(statements)
	return own.Header(p.project.Policy.Style)
}

// headerFindings reports findings about a header file, which know no file.
func (p *Plan) headerFindings(h *HeaderFile, findings []policy.Finding) {
	for _, f := range findings {
		f.File = h.File
		p.report(f)
	}
}
