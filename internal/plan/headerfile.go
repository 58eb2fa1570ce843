package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/servers"
	"metarobots/policy"
)

// A HeaderFile is the file in which one host reads which headers to serve.
type HeaderFile struct {
	// Root is the host's folder from the publish root, empty for the publish root itself.
	Root string
	Output
	// Target is the host that the file is written for.
	Target string
	// Result counts the rules.
	Result headers.Result

	name   string // from the publish root; empty for a file that is not published
	former bool   // of a target that the configuration no longer names: our part goes
	host   headerHost
	user   []byte // as the site's own sources give it
	found  func(name string) []robotstag.Value
	lines  map[headerKey]headerLine
}

// headersFile is what Netlify and Cloudflare read: https://docs.netlify.com/manage/routing/headers/,
// https://developers.cloudflare.com/pages/configuration/headers/.
const headersFile = "_headers"

// headerHost reads and makes the header files of one target.
type headerHost interface {
	// read returns what the site's own rules give each published file at the host's name.
	read(user []byte, host string) (found func(name string) []robotstag.Value, err error)
	// compile adds our rules; with no wants it takes them out.
	compile(user []byte, wants []robotstag.Want, o headers.Options) (headers.Result, error)
	// verify proves a finished file (N3).
	verify(file []byte, wants []robotstag.Want, o headers.Options, left []string) []policy.Finding
}

// headerFile is the file of a target for the host whose folder is root.
func (p *Project) headerFile(target, root string) *HeaderFile {
	h := &HeaderFile{Root: root, Target: target}
	file, beside, serves := servers.Place(target)
	switch {
	case !serves:
		h.name = path.Join(root, headersFile)
		h.host = underscore{target}
	case beside:
		h.path = p.besideFile(file)
	default:
		h.name = path.Join(root, file)
	}
	if serves {
		h.host = server{target, p.below(target, root)}
	}
	if h.name != "" {
		h.path = filepath.Join(p.settings.Publish, filepath.FromSlash(h.name))
	}
	h.File = p.short(h.path)
	return h
}

// besideFile is where a file lies that is not published: in the site's folder, or in the working folder where one is there
// already.
func (p *Project) besideFile(file string) string {
	for _, folder := range []string{p.source, p.options.WorkDir} {
		if _, err := os.Stat(filepath.Join(folder, file)); err == nil {
			return filepath.Join(folder, file)
		}
	}
	return filepath.Join(p.source, file)
}

// below is the path, decoded, below which a server of one's own serves the site, "/docs", that of baseURL; empty for its root. The
// other hosts serve a publish folder at the root of a host.
func (p *Project) below(target, root string) string {
	if !slices.Contains(ownServers, target) {
		return ""
	}
	path, err := url.PathUnescape(p.base(root))
	if err != nil {
		return ""
	}
	return path
}

// ownServers are the targets that are no hosting service.
var ownServers = []string{"apache", "nginx", "caddy"}

// committed are the targets whose hosts read the file of the repository, before anything is built: what a preview wrote
// there would go into production with the next commit.
// https://vercel.com/docs/project-configuration, https://docs.aws.amazon.com/amplify/latest/userguide/custom-headers.html
var committed = []string{"vercel", "amplify"}

// formerTargets are the targets whose files the given ones do not write: an earlier run may have.
func (p *Project) formerTargets(targets []string) []string {
	written := map[string]bool{}
	for _, target := range targets {
		written[p.headerFile(target, "").path] = true
	}
	var former []string
	for _, target := range append([]string{headers.TargetPortable}, servers.Targets()...) {
		if !written[p.headerFile(target, "").path] {
			former = append(former, target)
		}
	}
	return former
}

// read reads the site's own rules.
func (h *HeaderFile) read(host string) (err error) {
	h.lines = map[headerKey]headerLine{}
	h.found, err = h.host.read(h.user, host)
	return err
}

// own is the site's own file, without what we added to it.
func (h *HeaderFile) own() []byte {
	if h.user == nil {
		return nil
	}
	r, err := h.host.compile(h.user, nil, headers.Options{Target: headers.TargetPortable})
	if err != nil {
		return h.user
	}
	return r.File
}

// netlify reports whether Netlify serves by the file, so that netlify.toml goes before it.
func (h *HeaderFile) netlify() bool { return !h.former && onNetlify(h.Target) }

// serves returns the name of a file from the root of the host, if the host serves it.
func (h *HeaderFile) serves(name string) (string, bool) {
	if h.Root == "" {
		return name, true
	}
	return strings.CutPrefix(name, h.Root+"/")
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

// underscore is a host that reads _headers.
type underscore struct{ target string }

func (u underscore) read(user []byte, host string) (func(string) []robotstag.Value, error) {
	r, err := headers.ReadUser(u.target, user, host)
	if err != nil {
		return nil, err
	}
	return r.Found, nil
}

func (u underscore) compile(user []byte, wants []robotstag.Want, o headers.Options) (headers.Result, error) {
	return headers.Compile(user, wants, o)
}

func (u underscore) verify(file []byte, wants []robotstag.Want, o headers.Options, left []string) []policy.Finding {
	return headers.Verify(u.target, file, wants, o.Everywhere, o.Host, left)
}

// server is a host with a configuration of its own form.
type server struct{ target, base string }

func (s server) read(user []byte, _ string) (func(string) []robotstag.Value, error) {
	r, err := servers.ReadUser(s.target, user)
	if err != nil {
		// Compile says so again, with all that depends on it.
		return func(string) []robotstag.Value { return nil }, nil
	}
	return r.Found, nil
}

func (s server) compile(user []byte, wants []robotstag.Want, o headers.Options) (headers.Result, error) {
	r, err := servers.Compile(s.target, user, wants, s.options(o))
	if len(o.Hosts) > 0 {
		r.Findings = append(r.Findings, policy.Finding{ID: robotstag.IDHost, Severity: policy.Warning,
			Message: "only target cloudflare can say a header for a host name: nothing is said of " + strings.Join(slices.Sorted(maps.Keys(o.Hosts)), ", ")})
	}
	if errors.Is(err, servers.ErrBudget) {
		err = fmt.Errorf("%w: %w", headers.ErrBudget, err)
	}
	// Of the owner's rules, which a limit counts too, the host's file has no simple number: the limit is Compile's to keep.
	return headers.Result{File: r.File, Rules: r.Rules, Total: r.Rules, GivenUp: r.GivenUp, Missed: r.Missed, Findings: r.Findings}, err
}

func (s server) verify(file []byte, wants []robotstag.Want, o headers.Options, left []string) []policy.Finding {
	return servers.Verify(s.target, file, wants, s.options(o), left)
}

func (s server) options(o headers.Options) servers.Options {
	return servers.Options{Scope: o.Scope, Everywhere: o.Everywhere, Base: s.base}
}
