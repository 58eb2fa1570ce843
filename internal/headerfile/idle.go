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
		near, isMeant := published().near(rule)
		switch {
		case !isMeant && mayBeMistaken(h, rule, hasCodeAtEdge):
			others = append(others, rule)
		case isMeant && c.isLostBy(h, header, owners, near, rule.Value.Text):
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
func (c *compiler) isLostBy(h *File, header robotstag.Header, owners *hosts.Owners, meant publishedPath,
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
	files   []publishedPath
	folders []publishedPath
	// endings are those of the files' names.
	endings map[string]bool
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

// publishedPaths finds the paths of a host.
func (c *compiler) publishedPaths(h *File) *publishedPaths {
	p := &publishedPaths{endings: map[string]bool{}}
	isKnown := map[string]bool{}
	for name, d := range c.servedFiles(h) {
		served := h.firstServed(name)
		if served == "" || !d.Role.Policed() {
			continue
		}
		at := policy.Decoded(h.Host.At(name))
		folded := address.Folded(at)
		p.files = append(p.files, publishedPath{served, segmentsOf(folded), name, d})
		p.endings[strings.ToLower(path.Ext(folded))] = true
		for folder := path.Dir(at); folder != "/" && !isKnown[folder]; folder = path.Dir(folder) {
			isKnown[folder] = true
			p.folders = append(p.folders, publishedPath{folder + "/*", segmentsOf(folder), name, d})
		}
	}
	return p
}

// segmentsOf are those of a decoded path.
func segmentsOf(decoded string) []string { return strings.Split(strings.Trim(decoded, "/"), "/") }

// hasFolder and hasName report whether a file is in a folder, or has a name.
func (p *publishedPaths) hasFolder(folder string) bool {
	wanted := segmentsOf(policy.Decoded(folder))
	return slices.ContainsFunc(p.folders, func(f publishedPath) bool { return slices.Equal(f.segments, wanted) })
}

func (p *publishedPaths) hasName(name string) bool {
	return slices.ContainsFunc(p.files, func(f publishedPath) bool { return path.Base(f.name) == name })
}

// near returns what seems to be meant by an idle rule.
func (p *publishedPaths) near(rule robotstag.OwnRule) (near publishedPath, ok bool) {
	switch {
	case rule.Path != "":
		return p.nearPath(rule.Path)
	case rule.Folder != "":
		return nearOf(p.folders, segmentsOf(policy.Decoded(rule.Folder)), nil)
	}
	return p.nearName(rule.FileName)
}

// nearPath returns the published path that seems to be meant by one at which nothing is published.
// The first of these counts:
//
//	/C.pdf          /c.pdf        another case of letters
//	/public/c.pdf   /c.pdf        a folder too many, which may be the publish folder
//	/typo.pdf       /typos.pdf    one segment is nearly the same
//	/c.pdf          /files/c.pdf  the only file of that name
func (p *publishedPaths) nearPath(request string) (near publishedPath, ok bool) {
	wanted := segmentsOf(address.Folded(policy.Decoded(request)))
	last := wanted[len(wanted)-1]
	if last == "" {
		return near, false
	}
	if near, ok = nearOf(p.files, wanted, p.endings); ok {
		return near, true
	}
	found := 0
	for _, f := range p.files {
		if slices.EqualFunc(f.segments, wanted[1:], strings.EqualFold) {
			return f, true
		}
		if strings.EqualFold(f.segments[len(f.segments)-1], last) {
			near, found = f, found+1
		}
	}
	return near, found == 1 && len(last) > 3
}

// nearName is [publishedPaths.nearPath] for the name of a file in any folder.
func (p *publishedPaths) nearName(name string) (near publishedPath, ok bool) {
	names := slices.Clone(p.files)
	for i := range names {
		names[i].path = path.Base(names[i].name)
		names[i].segments = []string{names[i].path}
	}
	return nearOf(names, []string{name}, p.endings)
}

// nearOf returns the path whose segments are the wanted ones in another case of letters, or else
// that which differs in one segment and nearly has it.
func nearOf(all []publishedPath, wanted []string, endings map[string]bool) (near publishedPath, ok bool) {
	for _, one := range all {
		if len(one.segments) != len(wanted) {
			continue
		}
		at, differing := 0, 0
		for i := range wanted {
			if !strings.EqualFold(wanted[i], one.segments[i]) {
				at, differing = i, differing+1
			}
		}
		switch {
		case differing == 0:
			return one, true
		case differing == 1 && !ok && isNear(wanted[at], one.segments[at], endings):
			near, ok = one, true
		}
	}
	return near, ok
}

// isNear reports whether a segment is likely to be mistyped for another one. Names that differ by
// their digits alone are not, such as 2023 and 2024, nor are very short ones, nor files of two kinds
// if the site has both, such as app.js and app.css.
func isNear(segment, published string, endings map[string]bool) bool {
	if !mayBeNear(segment, published) { // as nearly always
		return false
	}
	ending, other := path.Ext(segment), path.Ext(published)
	segment, published = strings.TrimSuffix(segment, ending), strings.TrimSuffix(published, other)
	if isSameKind := strings.EqualFold(ending, other); !isSameKind {
		isMistypedEnding := !endings[strings.ToLower(ending)] && policy.Near(ending, []string{other}) != ""
		return isMistypedEnding && strings.EqualFold(segment, published)
	}
	return len(segment) > 2 && withoutDigits(segment) != withoutDigits(published) &&
		policy.Near(segment, []string{published}) != ""
}

// mayBeNear reports whether two texts differ by few enough characters, in any order, to be near
// ([policy.Near]): of two edits, each takes a character away or adds one, or does both.
func mayBeNear(a, b string) bool {
	const most = 2 * 2
	if difference := len(a) - len(b); max(difference, -difference) > most {
		return false
	}
	var counts [256]int16
	for i := range len(a) {
		counts[a[i]|0x20]++
	}
	for i := range len(b) {
		counts[b[i]|0x20]--
	}
	differing := 0
	for _, s := range []string{a, b} {
		for i := range len(s) {
			n := &counts[s[i]|0x20]
			differing += int(max(*n, -*n))
			*n = 0
		}
	}
	return differing <= most
}

// withoutDigits is a text in lower case, without its digits.
func withoutDigits(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, s))
}
