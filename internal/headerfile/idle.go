package headerfile

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/mention"
	"metarobots/internal/project"
	"metarobots/policy"
)

// An idle rule of the owner's is for a path, or for a folder, at which nothing is published. Most
// often the path is mistyped, and the file that is meant is open.

// reportIdle reports the rules of the given lines, which restrict something and reach no file, if
// nothing is published where they are for: each for which a path that is published seems to be
// meant, and the first of the others. A rule for a folder is reported only if another folder seems to
// be meant: templates have rules for folders that a site may not have.
func (c *compiler) reportIdle(h *File, header robotstag.Header, owners *hosts.Owners, lines map[int]bool,
	file string) {
	if len(lines) == 0 {
		return
	}
	published := sync.OnceValue(func() *publishedPaths { return c.publishedPaths(h) })
	hasCodeAtEdge := sync.OnceValue(c.hasCodeAtEdge)
	isMisread := sync.OnceValue(func() map[int]bool { return c.misreadPathLines(file) })
	var others []robotstag.OwnRule
	for _, rule := range owners.Rules() {
		if !lines[rule.Value.Line] || !restricts(header, rule.Value.Text) || !h.isIdle(rule, published) {
			continue
		}
		delete(lines, rule.Value.Line) // each line is reported once
		if isMisread()[rule.Value.Block] {
			continue
		}
		near := published().near(rule)
		switch {
		case near == nil && mayBeMistaken(h, rule, hasCodeAtEdge):
			others = append(others, rule)
		case near != nil && c.isLostBy(h, header, owners, near, rule.Value.Text):
			c.report(file, idleFinding(header, rule, near.path, 0))
		}
	}
	if len(others) > 0 {
		c.report(file, idleFinding(header, others[0], "", len(others)-1))
	}
}

// misreadPathLines are the lines of a _headers file that a finding says the host misreads. If one is
// the path line of a rule, nobody wrote the path of that rule.
func (c *compiler) misreadPathLines(file string) map[int]bool {
	lines := map[int]bool{}
	for _, f := range c.findings {
		if f.ID == "header-syntax" && f.File == file && f.Line > 0 {
			lines[f.Line] = true
		}
	}
	return lines
}

// isIdle reports whether nothing is published where a rule is for. It is false of a rule for more
// than a path, a folder or a name.
func (h *File) isIdle(rule robotstag.OwnRule, published func() *publishedPaths) bool {
	switch {
	case rule.Path != "":
		return h.addresses.IsEmpty(rule.Path)
	case rule.Folder != "":
		isEmpty := h.addresses.IsEmpty(rule.Folder) && h.addresses.IsEmpty(rule.Folder+"~")
		return isEmpty && !published().hasFolder(rule.Folder)
	case rule.FileName != "":
		return !published().hasName(rule.FileName)
	}
	return false
}

// idleFinding is the finding at an idle rule: a warning if something seems to be meant, else a note
// with the number of other such lines.
func idleFinding(header robotstag.Header, r robotstag.OwnRule, meant string, others int) policy.Finding {
	target := r.Path + ", where nothing is published"
	switch {
	case r.Folder != "":
		target = r.Folder + "*, where nothing is published"
	case r.FileName != "":
		target = "files called " + r.FileName + ", and none is published"
	}
	f := policy.Finding{ID: "selects-nothing", Severity: policy.Note, Line: r.Value.Line,
		Message: fmt.Sprintf("%s: %q is for %s", header.Name, r.Value.Text, target),
		Fix:     ". Correct the path, or state it in the policy"}
	if meant != "" {
		f.Severity = policy.Warning
		f.Message += fmt.Sprintf(" (did you mean %q?)", meant)
	} else if others > 0 {
		f.Message += " (and " + robotstag.Count(others, "more line is", "more lines are") + " for such paths)"
	}
	return f
}

// mayBeMistaken reports whether it is worth a note that nothing is published where a rule is for,
// which is like no other place. It is not of a folder, of a path at which hosts and code at the edge
// answer themselves, and outside of the site.
func mayBeMistaken(h *File, rule robotstag.OwnRule, hasCodeAtEdge func() bool) bool {
	if rule.Path == "" {
		return rule.FileName != ""
	}
	decoded, base := policy.Decoded(rule.Path), policy.Decoded(h.Host.Base)
	inSite, isInSite := strings.CutPrefix(decoded, base+"/")
	return isInSite && !isReserved("/"+inSite) && !hasCodeAtEdge()
}

// isReserved reports whether hosts answer at a decoded path themselves.
func isReserved(decoded string) bool {
	isBelow := func(begin string) bool { return strings.HasPrefix(decoded, begin) }
	return slices.Contains([]string{"/404", "/404.html", "/robots.txt"}, decoded) ||
		slices.ContainsFunc([]string{"/.", "/_", "/api/", "/cdn-cgi/", "/404/"}, isBelow)
}

// hasCodeAtEdge reports whether the site's project has code that answers at paths of its own.
// https://developers.cloudflare.com/pages/functions/routing/
// https://docs.netlify.com/build/edge-functions/declarations/
func (c *compiler) hasCodeAtEdge() bool {
	p := c.files.project
	for _, name := range []string{"functions", "netlify/functions", "netlify/edge-functions"} {
		if project.Exists(filepath.Join(p.Source, filepath.FromSlash(name))) {
			return true
		}
	}
	for _, folder := range []string{p.Source, filepath.Join(p.Source, "src")} {
		entries, _ := os.ReadDir(folder) // not every project has src
		isMiddleware := func(e os.DirEntry) bool { return mention.IsMiddleware(e.Name()) }
		if slices.ContainsFunc(entries, isMiddleware) {
			return true
		}
	}
	return project.Exists(p.Path("_worker.js"))
}

// isLostBy reports whether a file that seems to be meant by an idle rule, or one in that folder, is
// restricted less than the rule's value says.
func (c *compiler) isLostBy(h *File, header robotstag.Header, owners *hosts.Owners, meant *publishedPath,
	value string) bool {
	isOpen := func(name string, d *Decided) bool {
		return !sendsAlready(owners, d, name, value) && !c.isDecided(d, header, value)
	}
	folder, isFolder := strings.CutSuffix(meant.path, "*")
	if !isFolder {
		return isOpen(meant.name, meant.decided)
	}
	for name, d := range c.servedFiles(h) {
		if d.Role.Policed() && strings.HasPrefix(policy.Decoded(h.Host.At(name)), folder) && isOpen(name, d) {
			return true
		}
	}
	return false
}

// publishedPaths are the paths of the files that a host serves, for which a policy may restrict
// something.
type publishedPaths struct {
	all            []publishedPath // those of the files
	files, folders pathTree
	// byLastName are the files by the last segments of their paths, folded.
	byLastName map[string]lastName
	isFolder   map[string]bool // by the decoded path, without slashes at its ends
	// endings are those of the files' names.
	endings map[string]bool
	// names are those of the files, for rules that are for a name in any folder, and byName the same
	// as they are written.
	names  pathTree
	byName map[string]bool // nil until it is asked for
}

// A publishedPath is what an idle rule may mean: the path of a file, a folder with a star, or the
// name of a file.
type publishedPath struct {
	path     string
	segments []string // decoded, without what hosts may leave away
	// name is that of the file from the host's root, or of one in the folder.
	name    string
	decided *Decided
}

// A lastName is what is known of the files that have one name.
type lastName struct {
	file    *publishedPath // one of them
	isOther bool           // there is another one
}

// publishedPaths finds the paths of a host.
func (c *compiler) publishedPaths(h *File) *publishedPaths {
	p := &publishedPaths{byLastName: map[string]lastName{}, isFolder: map[string]bool{}, endings: map[string]bool{}}
	for name, d := range c.servedFiles(h) {
		served := h.firstServed(name)
		if served == "" || !d.Role.Policed() {
			continue
		}
		at := policy.Decoded(h.Host.At(name))
		file := publishedPath{served, segmentsOf(address.Folded(at)), name, d}
		p.all = append(p.all, file)
		p.addFolders(path.Dir(at), &file)
	}
	for i := range p.all {
		file := &p.all[i]
		last := file.segments[len(file.segments)-1]
		_, isOther := p.byLastName[policy.FoldCase(last)]
		p.byLastName[policy.FoldCase(last)] = lastName{file, isOther}
		p.endings[strings.ToLower(path.Ext(last))] = true
		p.files.add(file, i)
	}
	return p
}

// addFolders adds a folder, by its decoded path, in which a file is, and those above it.
func (p *publishedPaths) addFolders(folder string, file *publishedPath) {
	for ; folder != "/" && !p.isFolder[folder[1:]]; folder = path.Dir(folder) {
		p.folders.add(&publishedPath{folder + "/*", segmentsOf(folder), file.name, file.decided}, len(p.isFolder))
		p.isFolder[folder[1:]] = true
	}
}

// segmentsOf are those of a decoded path.
func segmentsOf(decoded string) []string { return strings.Split(strings.Trim(decoded, "/"), "/") }

// hasFolder and hasName report whether a file is in a folder, or has a name.
func (p *publishedPaths) hasFolder(folder string) bool {
	return p.isFolder[strings.Trim(policy.Decoded(folder), "/")]
}

func (p *publishedPaths) hasName(name string) bool {
	p.readNames()
	return p.byName[name]
}

// readNames sets the names: hardly any site has a rule for a name.
func (p *publishedPaths) readNames() {
	if p.byName != nil {
		return
	}
	p.byName = map[string]bool{}
	for i, file := range p.all {
		base := path.Base(file.name)
		p.byName[base] = true
		p.names.add(&publishedPath{base, []string{base}, file.name, file.decided}, i)
	}
}

// near returns what seems to be meant by an idle rule; nil for nothing.
func (p *publishedPaths) near(rule robotstag.OwnRule) *publishedPath {
	switch {
	case rule.Path != "":
		return p.nearPath(rule.Path)
	case rule.Folder != "":
		return p.folders.near(segmentsOf(policy.Decoded(rule.Folder)), nil)
	}
	p.readNames()
	return p.names.near([]string{rule.FileName}, p.endings)
}

// nearPath returns the published path that seems to be meant by one at which nothing is published;
// nil for none. The first of these counts:
//
//	/C.pdf          /c.pdf        another case of letters
//	/typo.pdf       /typos.pdf    one segment is nearly the same
//	/public/c.pdf   /c.pdf        a folder too many, which may be the publish folder
//	/c.pdf          /files/c.pdf  the only file of that name
func (p *publishedPaths) nearPath(request string) *publishedPath {
	wanted := segmentsOf(address.Folded(policy.Decoded(request)))
	last := wanted[len(wanted)-1]
	if last == "" {
		return nil
	}
	if near := p.files.near(wanted, p.endings); near != nil {
		return near
	}
	if isInFolder := len(wanted) > 1; isInFolder {
		if near := p.files.same(foldedAll(wanted[1:])); near != nil {
			return near
		}
	}
	if named := p.byLastName[policy.FoldCase(last)]; !named.isOther && len(last) > 3 {
		return named.file
	}
	return nil
}
