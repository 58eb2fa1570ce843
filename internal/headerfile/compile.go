package headerfile

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/marks"
	"metarobots/emit/patch"
	"metarobots/emit/redirects"
	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A Decided is a published file with what is decided on it.
type Decided struct {
	Name, URL string
	Role      policy.Role
	// HTML: it has tags, or could have. Tags: its bytes can carry the decision, for every crawler.
	HTML, Tags bool
	Decision   *policy.Decision
	// Header are the lines that the decision asks for.
	Header []string
	// Stated: the owner's rules state something for it.
	Stated bool
	// Others are the lines of other headers.
	Others []Line
}

// compiler compiles the header files.
type compiler struct {
	files    *Files
	decided  iter.Seq[Decided]
	robots   robotstag.Header  // X-Robots-Tag
	prints   map[string]string // see [compiler.printed]
	findings []policy.Finding
}

// Compile plans the new bytes of the files and proves them (N3), by what is decided on each published file.
func (fs *Files) Compile(decided iter.Seq[Decided]) []policy.Finding {
	c := &compiler{files: fs, decided: decided, robots: robotstag.XRobotsTag(), prints: map[string]string{}}
	for _, h := range fs.All {
		if h.Former || h.Target == headers.TargetNone {
			if h.Change.New = h.own(); !h.Former {
				c.without(h)
			}
		} else {
			h.Overflow = c.plan(h)
		}
		if f := &h.Change; f.Name != "" {
			f.New, f.Left = state.Edit(nil, h.user, f.Old, patch.Between(h.user, f.New), f.Stands)
		}
	}
	return c.findings
}

// note reports something about a published file.
func (c *compiler) note(d *Decided, id string, severity policy.Severity, message string) {
	c.findings = append(c.findings, policy.Finding{ID: id, Severity: severity, URL: d.URL,
		File: c.files.project.Published(d.Name), Message: message})
}

// served are the files that a host serves, with their names from its root.
func (c *compiler) served(h *File) iter.Seq2[string, *Decided] {
	return func(yield func(string, *Decided) bool) {
		for d := range c.decided {
			name, ok := h.Host.Serves(d.Name)
			if ok && name != hosts.HeadersFile && name != "_redirects" && d.Name != h.Change.Name && !yield(name, &d) {
				return
			}
		}
	}
}

// report adds findings about a header file.
func (c *compiler) report(file string, findings ...policy.Finding) {
	for _, f := range findings {
		f.File = file
		c.findings = append(c.findings, f)
	}
}

// plan sets the new bytes of a header file.
func (c *compiler) plan(h *File) error {
	p := c.files.project
	configured, f := &p.Config.Robots.Headers, &h.Change
	if h.kind.Format == nil {
		c.readRedirects(h)
	}
	environment := p.Policy.Resolve(slices.Clone(p.Policy.Environment))
	wants, needed := c.wants(h, environment.NoIndex())
	others, err := c.others(h)
	if !needed && len(others) == 0 && h.user == nil {
		return nil // nothing stands there and nothing is wanted
	}
	o := h.options()
	o.Scope = configured.Scope
	if environment.NoIndex() {
		o.Everywhere = environment.Header(p.Policy.Style)
		if h.kind.Committed {
			message := "it is committed and read before the build, so it says nothing of previews: the tags alone " +
				"keep this one out of the index, and files without a tag are not kept out"
			if _, crawlers, _ := c.untagged(h); crawlers != "" {
				message += "; nor does it say what is for " + crawlers + " alone, whom no tag reaches"
			}
			c.report(f.File, policy.Finding{ID: "header-committed", Severity: policy.Note, Message: message})
			f.New = f.Old
			return nil
		}
	}
	c.deeper(h)
	demands := append([]robotstag.Demand{{Header: c.robots, Wants: wants}}, others...)
	if err == nil {
		h.Result, err = hosts.Compile(h.user, demands, o)
	}
	c.lose(h)
	for _, said := range h.Result.Findings {
		if said.ID == "header-budget" && said.Severity == policy.Error {
			said = policy.Finding{ID: "header-overflow", Severity: policy.Error, Message: said.Message + c.needing(h)}
		}
		if said.ID != "header-preview" || said.Severity == policy.Error || c.onCloudflare(h) {
			c.report(f.File, said)
		}
	}
	switch {
	case errors.Is(err, robotstag.ErrBudget):
		if f.New = f.Old; f.Old == nil {
			f.New = h.user // what the site would have without us
		}
		return err
	case err != nil: // what the host reads cannot be read: nothing is taken from it
		f.New = h.user
		c.report(f.File, policy.Finding{ID: "header-syntax", Severity: policy.Error, Message: err.Error()})
		return nil
	}
	if f.New = h.Result.File; h.kind.Format == nil {
		c.reportOpen(h)
		c.report(f.File, headers.Verify(h.Result, demands, o)...)
	}
	return nil
}

// onCloudflare reports whether Cloudflare is a likely reader of a header file: its owner names the target, or the host
// is Cloudflare's. Of a portable file that nobody asked for nothing tells of that host.
func (c *compiler) onCloudflare(h *File) bool {
	return h.Target == headers.TargetCloudflare ||
		slices.Contains(c.files.project.Config.Robots.Headers.Targets, h.Target) ||
		hosts.Lookup(headers.TargetCloudflare).Serves(h.Host.URL.Hostname())
}

// wants are what the files of a host are to be served with, and whether a rule is needed. Where one rule carries a
// whole private site it may reach redirects, error pages and control files too (N7).
func (c *compiler) wants(h *File, private bool) (wants []robotstag.Want, needed bool) {
	for name, d := range c.served(h) {
		w := robotstag.Want{Path: name, URL: d.URL, HTML: d.Tags, Values: d.Header, Free: private && !d.Role.Policed(),
			Found: d.Stated && c.gives(h, name, d.Header)}
		c.overridden(h, d, name)
		wants = append(wants, w)
		needed = needed || len(w.Values) > 0 && !w.Free
	}
	return append(wants, h.rewritten(c.robots, wants)...), needed
}

// untagged are the HTML files whose tags do not tell some crawlers what is decided: how many there are, the crawlers,
// and where that is stated first.
func (c *compiler) untagged(h *File) (files int, crawlers string, at policy.Origin) {
	var names []string
	for _, d := range c.served(h) {
		untagged := d.Decision.Untagged()
		if !d.HTML || len(untagged) == 0 {
			continue
		}
		if files++; files == 1 {
			at = d.Decision.UntaggedAt(untagged[0])
		}
		names = append(names, untagged...)
	}
	slices.Sort(names)
	return files, strings.Join(slices.Compact(names), ", "), at
}

// needing says behind a message how many HTML files need a rule because tags do not tell some crawlers what is decided.
func (c *compiler) needing(h *File) string {
	files, crawlers, at := c.untagged(h)
	if files == 0 {
		return ""
	}
	return "; " + policy.Placed(at.File, at.Line, fmt.Sprintf("%s a rule, because no tag reaches %s",
		robotstag.Count(files, "HTML file needs", "HTML files need"), crawlers))
}

// deeper reports files of the host's in folders below, which count for those and go before ours.
// https://httpd.apache.org/docs/2.4/howto/htaccess.html#how
func (c *compiler) deeper(h *File) {
	if !h.kind.Nested {
		return
	}
	for name, d := range c.served(h) {
		if path.Base(name) != path.Base(h.Change.Name) {
			continue
		}
		data, err := c.files.project.Read(c.files.project.Path(d.Name), project.MaxConfig)
		if err == nil && bytes.Contains(bytes.ToLower(data), []byte("x-robots-tag")) {
			c.note(d, "header-found", policy.Error, "it is about X-Robots-Tag and goes before the rules of "+
				h.Change.File+": what is decided for this folder is not what is served (take it out: the policy covers "+
				"the files)")
		}
	}
}

// readRedirects reads _redirects beside a header file, or the file that a build is to publish there.
func (c *compiler) readRedirects(h *File) {
	name, p := h.Host.Root+"_redirects", c.files.project
	h.redirectsFile = p.Published(name)
	data, err := p.Read(p.Path(name), project.MaxConfig)
	if source := c.files.pages.File(name).Source; source != "" && data == nil && err == nil {
		h.redirectsFile = source
		data, err = c.files.readStatic(name)
	}
	if h.rewrites() && disk.Refused(err) {
		c.findings = append(c.findings, notRead(h.redirectsFile, err))
	}
	h.redirects, h.Redirected = data, redirects.Elsewhere(data)
}

// rewrites reports whether the header rules of a host are for the path that was asked for, before a rewrite.
func (h *File) rewrites() bool {
	return h.Target == headers.TargetCloudflare || h.Target == headers.TargetPortable
}

// rewritten returns what is to be served of a header at the sources of rewrites in _redirects: what their targets are
// (N3).
func (h *File) rewritten(header robotstag.Header, wants []robotstag.Want) (more []robotstag.Want) {
	if !h.rewrites() {
		return nil
	}
	more, open := redirects.Rewritten(h.redirects, wants)
	for i := range more {
		more[i].URL = site.URL(h.Host.Root + more[i].Path)
	}
	if len(open) > 0 {
		h.open = append(h.open, openRewrites{header, open})
	}
	return more
}

// openRewrites are the rewrites whose sources cannot be listed, with what is served there of a header.
type openRewrites struct {
	header robotstag.Header
	open   []redirects.Open
}

// reportOpen reports the rewrites to whose sources Cloudflare serves something else than to their targets (N3).
func (c *compiler) reportOpen(h *File) {
	o := h.options()
	o.Target = headers.TargetCloudflare
	text := marks.Plain(h.Result.File)
	for _, rewrites := range h.open {
		header := rewrites.header
		served, err := headers.ReadUser(text, header, o)
		for _, r := range rewrites.open {
			if err != nil || sameAnswers(header, served.Sent(r.Source), served.Sent(r.Want.Path)) {
				continue // of an error, Verify speaks
			}
			tag := map[bool]string{true: ", and its tag alone speaks"}[r.Want.HTML]
			c.report(h.redirectsFile, policy.Finding{ID: "rewrite", Severity: policy.Warning, Line: r.Line,
				Message: fmt.Sprintf("%s is served at every URL that %s matches, which cannot be listed: there its %s %q is "+
					"not sent%s (a rule of your own for %[2]s in _headers sends it)",
					r.Want.Path, r.Pattern, header.Name, strings.Join(r.Want.Values, ", "), tag)})
		}
	}
}

// sameAnswers reports whether each of some answers says the same of a header as each of others.
func sameAnswers(header robotstag.Header, some, others []robotstag.Sent) bool {
	return every(some, func(a robotstag.Sent) bool {
		return every(others, func(b robotstag.Sent) bool { return header.Equal(a.String(), b.String()) })
	})
}
