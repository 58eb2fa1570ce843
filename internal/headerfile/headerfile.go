// Package headerfile reads the header files of a site, such as _headers and .htaccess: what their
// owner states for each published file. Given what is decided on the files, it plans their new
// bytes.
//
// The plan of a site calls it in this order:
//
//  1. [Read] reads the files, one for each host and target, with what is beside them or goes
//     before them: netlify.toml (netlify.go) and configurations that take their place (instead.go).
//     Our own rules of an earlier run are taken out.
//  2. [Files.States] and [Files.Canonicals] say what the owner's rules state for a published file
//     (found.go). The decision on the file includes that. [Files.Faults] says what is wrong with it.
//  3. [Files.Compile] asks for the header lines that are decided (wants.go, other.go), has
//     emit/headers or emit/servers make rules, and proves them (compile.go). What the rules cannot
//     do is a finding (unlisted.go, compile.go), and so are lines of the owner's that reach no file
//     (stray.go). Lines that are lost are returned.
//
// The owner's lines stay in their files as they are. A file that cannot be read is an error, since
// what it restricts would be lost.
//
// # Words of this package
//
//   - A target is a host as robots.headers.targets names it. A [File] is the file of one target for
//     one host of the site. Former is a target that is named no more: our part of its file goes.
//   - Change.Old are a file's bytes now, user what its owner's sources give, without what a known
//     run left, and Change.New what becomes of it.
//   - Served is what rules send of a header for a file. The found ones are the owner's with those of
//     a block of ours that no run is known to have left, which counts as found and goes; the
//     remaining ones are without it.
//   - A name is a file's path from the root of its host. A source is the request path of a rewrite at
//     which the host serves a file.
//   - [Decided] is a file with what is decided on it; a want ([robotstag.Want]) is what of that one
//     header has to say. Others are headers other than X-Robots-Tag.
//   - An ownersConfig is an owner's configuration that takes the place of a host's file
//     ([File].instead); netlifyTOML goes before _headers. A [Receipt] says that a file is read, and
//     which lines of it are not.
//   - A line is overruled if ours takes a restriction of it away, overridden if netlify.toml does
//     that to ours, a stray if it is for paths that the host only redirects, idle if nothing is
//     published there (idle.go), lost if no host serves it.
package headerfile

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metarobots/emit/headers"
	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/disk"
	"metarobots/internal/hosting"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A File is the file in which one host reads which headers to serve.
type File struct {
	Change state.Output
	Host   project.Host
	// Target is the host that the file is written for.
	Target string
	kind   *hosts.Host
	// Former: the configuration no longer names the target, and our part goes.
	Former bool
	// Result counts the rules.
	Result robotstag.Result
	Reach  Reach
	// Overflow is set if the rules that are needed do not fit the host's limit (N2).
	Overflow error
	// Missing are errors: what is decided, and the host would not read in the new bytes (N3).
	Missing   []policy.Finding
	addresses *address.Site // of its host's files

	user    []byte // as the owner's sources give it
	rules   ownersRules
	netlify *netlifyTOML  // nil if another host reads the file
	instead *ownersConfig // that takes the place of the file; nil for none
	folder  string        // that is published, from that of the file
}

// A Reach is what a header file does for crawlers, once it is published. [Files.Compile] finds it
// out.
type Reach struct {
	// IsPlanned: what is to become of the file is known, and nothing prevents that.
	IsPlanned bool
	// KeepsOthersOut: with the file, hosts other than the site's own are noindex (N11).
	KeepsOthersOut bool
	// Named are those of these hosts for which the file has a rule by their name, as _headers does
	// for "staging.example.com". Others need none: there is a rule for all of them.
	Named []string
}

// hasOwnForm reports whether the file has a form that one host alone reads, such as .htaccess or
// vercel.json. Any other file is a _headers.
func (h *File) hasOwnForm() bool { return h.kind.Format != nil }

// Output is what becomes of the file's bytes.
func (h *File) Output() *state.Output { return &h.Change }

// Unproven are the errors of [File.Missing].
func (h *File) Unproven() []policy.Finding { return h.Missing }

// Files are the header files of a site: for each of its hosts one for each target, and those of
// former targets that have something of ours.
type Files struct {
	All []*File
	// Findings are about how the files are read.
	Findings []policy.Finding

	project *project.Project
	pages   site.Map
	from    project.Source
	own     []string // [project.Project.OwnHosts]
	others  []string // further hosts that the owner's files tell
	// sentHome are names that redirects send home on Netlify: the owner's, and ours if the policy
	// asks for them.
	sentHome []string
	// leftToOwner are names that our redirects leave out, since the owner has a rule for them
	// there.
	leftToOwner map[string]policy.Origin
	sites       map[string]*address.Site // by the folder of their host
	netlify     *netlifyTOML
	mu          sync.Mutex       // guards what follows
	stated      map[part]reading // of the owner's values that were asked for
	joined      map[answer]bool  // the answers that have been looked at
	faults      []policy.Finding // about them
}

// Read reads the header files for the targets of a hosting, and for targets of earlier runs
// ([Files.All]), ahead of all decisions. sites are the addresses of the site's files, by the folder
// of each host. It sets all of Files except what is found out when it is asked: what the owner's
// rules state, and their faults. The error is that of [project.Project.OwnHosts], or says that a
// file is needed and cannot be, or that one cannot be read without losing what it restricts.
func Read(p *project.Project, pages site.Map, from project.Source, h *hosting.Hosting,
	sites map[string]*address.Site) (*Files, error) {
	fs := &Files{project: p, pages: pages, from: from, sites: sites,
		stated: map[part]reading{}, joined: map[answer]bool{}}
	if err := fs.findNames(h); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(h.Targets, isOnNetlify) {
		var err error
		if fs.netlify, err = readNetlifyTOML(p, sites[p.Hosts.Main.Root]); err != nil {
			return nil, err
		}
	}
	if fs.netlify != nil { // there is a netlify.toml
		fs.Findings = append(fs.Findings, fs.netlify.findings...)
	}
	for i, host := range p.Hosts.All {
		isFirst := i == 0
		if err := fs.addFilesOf(host, isFirst, h.Targets); err != nil {
			return nil, err
		}
	}
	return fs, nil
}

// findNames sets the names of the hosts at which the site is served: fs.own; fs.others, if the
// policy keeps other hosts out of the index (N11); and which of them redirects send home,
// fs.sentHome and fs.leftToOwner. The error is that of [project.Project.OwnHosts].
func (fs *Files) findNames(h *hosting.Hosting) (err error) {
	if fs.own, err = fs.project.OwnHosts(); err != nil {
		return err
	}
	keepsOthersOut := len(fs.own) > 0 // own hosts are only asked for to keep the others out (N11)
	if keepsOthersOut {
		fs.others = fs.otherNames()
		if slices.Contains(h.Targets, headers.TargetCloudflare) {
			fs.addNamesBelow() // patterns such as :subdomain.example.com
		}
	}
	fs.sentHome = h.SentHome // by the owner's redirects
	if sendsOthersHome := fs.project.Home(fs.project.Hosts.Main) != ""; sendsOthersHome {
		names, left := h.NamesToSendHome(fs.own)
		fs.sentHome, fs.leftToOwner = slices.Concat(h.SentHome, names), left
	}
	return nil
}

// addFilesOf adds to fs.All the header files of one of the site's hosts: one for each target, and
// those of former targets, since an earlier run may have been for any other target and left rules
// of ours. isFirst says that the host is the first of the site: a file that is not published, such
// as vercel.json, is for one host, and that is this one. An error says that the site cannot have a
// file that is asked for, or that one cannot be read without losing what it restricts.
//
//	a file                  of a target                      of a former target, with rules of ours
//	published: _headers     added for each host              added for each host
//	in the site's folder    added if it is the only host,    added for the first host
//	                        else an error
//	in the working folder   the same                         left alone: it may be another site's
func (fs *Files) addFilesOf(host project.Host, isFirst bool, targets []string) error {
	everyTarget := hosts.Targets()[1:] // without auto, which means one of the others
	isTaken := map[string]bool{}       // the paths of this host's files that have a target
	for i, target := range slices.Concat(targets, everyTarget) {
		h, err := fs.fileOf(target, host)
		h.Former = i >= len(targets)
		if err != nil && !h.Former { // only what a target's host reads states anything
			return err
		}
		// Several targets may have one file, as _headers; of those that are named, one does
		// (package config).
		if h.Former && isTaken[h.Change.Path] {
			continue
		}
		isTaken[h.Change.Path] = true
		isPublished := h.Change.Name != ""
		if h.Former && !isPublished {
			// Right in the folder: no host reads such a file below it.
			isInSite := filepath.Dir(h.Change.Path) == fs.project.Source
			if !isFirst || !isInSite {
				continue
			}
		}
		if !isPublished && !isFirst {
			return fs.errorSeveralHosts(h)
		}
		if err := fs.readAndAdd(h); err != nil {
			return err
		}
	}
	return nil
}

// errorSeveralHosts is the error that a target's file is for one host, and the site has several.
func (fs *Files) errorSeveralHosts(h *File) error {
	p := fs.project
	file, line := p.Config.Locate("headers", "targets")
	return project.Invalid(&policy.Finding{File: file, Line: line,
		Message: fmt.Sprintf("robots.headers.targets: %s is one file for one host, and the "+
			"site has %d (%s)",
			h.Change.File, len(p.Hosts.All), strings.Join(p.Settings.Hosts, ", "))})
}

// Deaf is the host on which the site is by all signs and which reads no _headers, where that is
// what is written and nobody asked for it; ok is false without one.
func Deaf(p *project.Project) (host hosts.Seen, ok bool) {
	isNamed := func(target string) bool { return target != "auto" }
	if slices.ContainsFunc(p.Config.Robots.Headers.Targets, isNamed) ||
		hosting.Targets(p)[0] != headers.TargetPortable {
		return hosts.Seen{}, false
	}
	return hosts.IgnoresHeadersFile(p.Options.Getenv, p.Hosts.Main.URL.Hostname(), p.Folders()...)
}

// Contradicted is the host on which the site is by all signs, where the owner names targets and
// this host is none of them; ok is false without one.
func Contradicted(p *project.Project) (host hosts.Seen, ok bool) {
	targets := p.Config.Robots.Headers.Targets
	if len(targets) == 0 || slices.Contains(targets, "auto") {
		return hosts.Seen{}, false
	}
	isWrittenByUs := func(folder string) bool { return folder == p.Settings.Publish && folder != p.Source }
	folders := slices.DeleteFunc(p.Folders(), isWrittenByUs)
	return hosts.Contradicts(targets, p.Options.Getenv, p.Hosts.Main.URL.Hostname(), folders...)
}

// fileOf returns the file of a target for a host, not read yet: a published one, or one in the
// site's folder, or in the working folder if one is there already. It fails if the owner's
// configuration in its place cannot be read.
func (fs *Files) fileOf(target string, host project.Host) (h *File, err error) {
	p := fs.project
	h = &File{Host: host, Target: target, kind: hosts.Lookup(target),
		addresses: fs.sites[host.Root]}
	if isOnNetlify(target) {
		h.netlify = fs.netlify
	}
	if !h.kind.InProject {
		h.Change = p.Output(host.Root + cmp.Or(h.kind.File, hosts.HeadersFile))
		return h, nil
	}
	h.Change.Path, h.instead, err = fs.findInProject(h.kind)
	h.Change.File = p.Short(h.Change.Path)
	folder, _ := filepath.Rel(filepath.Dir(h.Change.Path), p.Settings.Publish)
	h.folder = filepath.ToSlash(folder)
	return h, err
}

// findInProject returns where the file of a host that publishes none is, and the owner's
// configuration that takes its place, if there is one.
func (fs *Files) findInProject(host *hosts.Host) (path string, instead *ownersConfig, err error) {
	inSite := filepath.Join(fs.project.Source, host.File)
	instead, err = fs.configIn(fs.project.Source, host)
	if err != nil || instead != nil || project.Exists(inSite) {
		return inSite, instead, err
	}
	workDir := fs.project.Options.WorkDir
	inWorkDir := filepath.Join(workDir, host.File)
	instead, err = fs.configIn(workDir, host)
	if instead != nil || project.Exists(inWorkDir) {
		return inWorkDir, instead, err
	}
	return inSite, nil, err
}

// readAndAdd reads a header file and adds it to fs.All. One that is not there is added too, since
// the rules that it needs may make it. These are not added:
//
//   - a file that is refused (readOld): of a target, a finding says so;
//   - a former target's, unless there is something of ours to take out, or a build holds back the
//     file that its generator made, until it is planned.
//
// It returns an error if rules of its owner cannot be read, since what they state would be lost.
func (fs *Files) readAndAdd(h *File) error {
	isRead, err := fs.readOld(h)
	if !isRead {
		return err // nil for a file that is refused
	}
	c := &h.Change
	isGenerated := fs.readOwners(h)
	h.rules.isAudited = fs.project.Options.Audit && !h.hasOurs()
	switch {
	case h.Former && !isGenerated && !h.hasOurs():
		return nil
	case h.Former:
		h.instead = nil // our part goes from the file, whatever is in its place
	case h.instead != nil:
		fs.reportUnreadRules(h.instead) // about X-Robots-Tag, which no reader of ours reads
	}
	fs.Findings = append(fs.Findings, BrokenMarks(c.File, h.user)...)
	fs.doubtBlock(h) // before the rules are read, since a block that is doubted counts as the owner's
	// It sets h.rules: what the owner's rules serve, by the readers in rules.go.
	if err := h.readRules(); err != nil && h.instead != nil {
		return err // which names the owner's configuration
	} else if err != nil {
		return project.Invalid(fmt.Errorf("%s: %w", c.File, err))
	}
	fs.All = append(fs.All, h)
	return nil
}

// readOwners sets what the owner's sources give of a file: the static file that a build is to copy,
// or else what is published, without what the last run is known to have added. isGenerated says
// that the generator itself writes the file.
func (fs *Files) readOwners(h *File) (isGenerated bool) {
	static, source, err := fs.readStatic(h.Change.Name)
	hasStatic := err == nil
	if hasStatic {
		h.rules.static = staticFile{source, strings.Split(string(static), "\n")}
	}
	_, isGenerated = fs.from.Generated(h.Change.Name, nil)
	isToBeCopied := hasStatic && !isGenerated && fs.from.Builds()
	if isToBeCopied {
		h.user = static
	} else {
		h.user = fs.project.OwnBytes(fs.from, &h.Change)
	}
	return isGenerated
}

// readOld reads the bytes of a header file, if it is there. One that is refused, such as a file
// that is too large, is a finding; of a former target it is none of ours.
func (fs *Files) readOld(h *File) (isRead bool, err error) {
	c := &h.Change
	c.Old, err = fs.project.Read(c.Path, project.MaxHeaders)
	if len(c.Old) > project.MaxConfig && !bytes.Contains(c.Old, []byte("metarobots")) {
		// No rule of ours makes it long.
		c.Old, err = nil, &os.PathError{Op: "read", Path: c.Path, Err: disk.ErrTooLarge}
	}
	info, _ := os.Stat(c.Path)
	switch isRefused := disk.Refused(err); {
	case isRefused && h.Former:
		return false, nil
	case err != nil && info != nil && info.IsDir():
		return false, project.Invalid(fmt.Errorf("%s is a folder, and a host reads a file of "+
			"that name",
			c.File))
	case isRefused:
		fs.Findings = append(fs.Findings, notRead(c.File, err))
		return false, nil
	}
	return err == nil, err
}

// readStatic reads the static file that a published file is made of, and returns its name. Without
// one, the error is [os.ErrNotExist].
func (fs *Files) readStatic(published string) (data []byte, source string, err error) {
	if published != "" {
		source = fs.pages.File(published).Source
	}
	if source == "" {
		return nil, "", os.ErrNotExist
	}
	data, err = fs.project.ReadStatic(source, project.MaxConfig)
	return data, source, err
}

// notRead is a file that is there and not read.
func notRead(file string, err error) policy.Finding {
	return policy.Finding{ID: "not-read", Severity: policy.Error, File: file,
		Message: "the file is not read: " + project.Reason(err)}
}

// BrokenMarks reports a mark without its other half in a file that an earlier run has written into:
// what stood between the two counts as the owner's own from now on, and stays for good.
func BrokenMarks(name string, file []byte) []policy.Finding {
	line := marks.Read(file).Broken
	if line == 0 {
		return nil
	}
	return []policy.Finding{{ID: "broken-mark", Severity: policy.Error, File: name, Line: line,
		Message: "this mark has lost its other half, so nobody can tell which lines metarobots " +
			"wrote: all of them count as your own (take out what is not yours, with the lines that " +
			"begin with \"# metarobots\")"}}
}

// BlockKey is the key of what a block of ours states that no run is known to have left.
const BlockKey = robotstag.Name + " of an unknown run"

// doubtBlock reports a block of ours in _headers that no run is known to have left: it goes, and
// what it says counts as the tags of such a run do (M7). What a generator made, or had made before
// the last run, holds no other.
func (fs *Files) doubtBlock(h *File) {
	text := marks.Read(h.user)
	if h.hasOwnForm() || text.Last == 0 {
		return
	}
	block, p := (&marks.Text{Lines: text.Block}).Own(), fs.project
	known := p.State.Recall(h.Change.Name).Put(string(block)) &&
		bytes.Count(h.user, []byte(marks.Prefix)) == 1
	if bytes.Equal(h.user, h.Change.Old) && (known || p.Options.Earlier.AssumeOurs && !p.State.Found) {
		h.user = h.withoutOurs()
		return
	}
	h.rules.block = [2]int{text.Last - len(text.Block) - 1, text.Last}
	fs.Findings = append(fs.Findings, policy.Finding{ID: "header-block", Severity: policy.Warning,
		File: h.Change.File, Line: h.rules.block[0],
		Message: "no run is known that wrote this block: what it says counts as the site's own, " +
			"and a new block takes its place",
		Fix: "; where it is left over, take it out"})
}

// Redirected reports whether a line of the owner's takes an encoded request path, to send on or to
// serve something else there. A line that answers with an error does not.
func (h *File) Redirected(path string) bool {
	return slices.ContainsFunc(h.addresses.At(path), func(a address.Address) bool {
		return a.Route != nil && (a.Route.Rewrites || a.To != "")
	})
}

// hasOurs reports whether the file has something of ours in it.
func (h *File) hasOurs() bool {
	return h.Change.Old != nil && !bytes.Equal(h.withoutOurs(), h.Change.Old)
}

// withoutOurs is the owner's file, without what we added to it.
func (h *File) withoutOurs() []byte {
	if h.user == nil {
		return nil
	}
	nothing := []robotstag.Demand{{Header: robotstag.XRobotsTag()}}
	r, err := hosts.Compile(h.user, nothing, h.options())
	if err != nil {
		return h.user
	}
	return r.File
}

// options say for which host the file is read and written.
func (h *File) options() robotstag.Task {
	return robotstag.Task{Target: h.Target, Host: h.Host.URL.Hostname(),
		Base: policy.Decoded(h.Host.Base), Folder: h.folder, Addresses: h.addresses}
}

// Has reports whether a published file is one of them.
func (fs *Files) Has(name string) bool {
	return slices.ContainsFunc(fs.All, func(h *File) bool { return h.Change.Name == name })
}
