package plan

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/servers"
	"metarobots/policy"
)

// A HeaderFile is the file in which one host reads which headers to serve.
type HeaderFile struct {
	Output
	// Target is the host that the file is written for.
	Target string
	// Former: the configuration no longer names the target, and our part goes.
	Former bool
	// Result counts the rules.
	Result robotstag.Result
	root   string // the folder of its host
}

// planHeaders compiles the header files and proves them (N3). overflow is set where the rules do not fit (N2).
func (p *planner) planHeaders() (all []*HeaderFile, overflow error) {
	for _, h := range p.headers {
		file := &HeaderFile{Output: h.Output, Target: h.target, Former: h.former, root: h.root}
		if h.former || h.target == headers.TargetNone {
			file.New = h.own()
		} else {
			var err error
			file.New, file.Result, err = p.planHeader(h)
			overflow = errors.Join(overflow, err)
		}
		all = append(all, file)
	}
	return all, overflow
}

// planHeader returns the new bytes of a header file.
func (p *planner) planHeader(h *headerSource) (file []byte, r robotstag.Result, overflow error) {
	c := &p.Config.Robots.Headers
	environment := p.Policy.Resolve(slices.Clone(p.Policy.Environment))
	wants, needed := p.wants(h, environment.NoIndex())
	if !needed && h.user == nil && len(c.Hosts) == 0 {
		return nil, r, nil // nothing stands there and nothing is wanted
	}
	o := robotstag.Options{Target: h.target, Scope: c.Scope, Host: h.url.Hostname(), Hosts: c.Hosts,
		Base: decoded(h.base)}
	if environment.NoIndex() {
		o.Everywhere = environment.Header(p.Policy.Style)
		if t, ok := servers.Lookup(h.target); ok && t.Committed {
			p.report(policy.Finding{ID: "header-committed", Severity: policy.Note, File: h.File,
				Message: "it is committed and read before the build, so it says nothing of previews: the tags alone " +
					"keep this one out of the index, and files without a tag are not kept out"})
			return h.Old, r, nil
		}
	}
	p.deeper(h)
	report := func(findings []policy.Finding) {
		for _, f := range findings {
			if f.ID == robotstag.IDBudget && f.Severity == policy.Error {
				f = policy.Finding{ID: "header-overflow", Severity: policy.Error, Message: f.Message}
			}
			if f.ID == robotstag.IDPreview && f.Severity != policy.Error && !p.onCloudflare(h) {
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
			Message: strings.TrimPrefix(err.Error(), path.Base(h.File)+": ")}})
		return h.user, r, nil
	}
	if !h.server {
		report(headers.Verify(r, wants, o))
	}
	return r.File, r, nil
}

// onCloudflare reports whether Cloudflare is a likely reader of a header file: its owner names the target, or the host
// is Cloudflare's. Of a portable file that nobody asked for nothing tells of that host.
func (p *Project) onCloudflare(h *headerSource) bool {
	return h.target == headers.TargetCloudflare || slices.Contains(p.Config.Robots.Headers.Targets, h.target) ||
		strings.HasSuffix(h.url.Hostname(), ".pages.dev")
}

// wants are what the files of a host are to be served with, and whether a rule is needed. Where one rule carries a
// whole private site it may reach redirects, error pages and control files too (N7).
func (p *planner) wants(h *headerSource, private bool) (wants []robotstag.Want, needed bool) {
	wants = make([]robotstag.Want, 0, len(p.pages))
	for _, pg := range p.pages {
		name, ok := h.serves(pg.Name)
		if !ok || name == headersFile || name == "_redirects" || pg.Name == h.name {
			continue // hosts do not serve them
		}
		w := robotstag.Want{Path: name, URL: pg.URL, HTML: pg.TakesTags(), Values: pg.Header}
		w.Free = private && !pg.Role.Policed()
		w.Noindex = pg.Decision.NoIndex() ||
			slices.ContainsFunc(pg.Decision.Agents, func(a policy.Agent) bool { return a.Directives.NoIndex() })
		if len(pg.Headers) > 0 {
			served := p.Policy.Resolve(p.statesFor(h, name))
			w.Found = slices.Equal(served.Header(p.Policy.Style), pg.Header)
		}
		if onNetlify(h.target) {
			p.overridden(h, pg, name)
		}
		wants = append(wants, w)
		needed = needed || len(w.Values) > 0 && !w.Free
	}
	return append(wants, p.rewritten(h, wants)...), needed
}

// deeper reports files of the host's in folders below, which count for those and go before ours.
// https://httpd.apache.org/docs/2.4/howto/htaccess.html#how
func (p *planner) deeper(h *headerSource) {
	if h.target != "apache" {
		return
	}
	for _, pg := range p.pages {
		if path.Base(pg.Name) != path.Base(h.name) || pg.Name == h.name {
			continue
		}
		data, err := p.read(p.path(pg.Name), maxConfig)
		if err == nil && bytes.Contains(bytes.ToLower(data), []byte("x-robots-tag")) {
			p.finding(pg, robotstag.IDFound, policy.Error, 0, "it is about X-Robots-Tag and goes before the rules of "+
				"%s: what is decided for this folder is not what is served (take it out: the policy covers the "+
				"files)", h.File)
		}
	}
}
