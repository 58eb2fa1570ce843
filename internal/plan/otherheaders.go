package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/config"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// headerRules resolves [[robots.headers.rules]] (H2, H3).
type headerRules struct {
	plan  *Plan
	all   []config.HeaderRule // as configured, the rule for twins among them
	files policy.Rules        // which files each of them selects
	twins int                 // the index of the rule for twins in all; see hasRuleForTwins
	found headerfile.Repeated // by the place of the line and what is wrong
	// rests are, for each glob of the rules by its text, what its last ** matches in a path.
	rests map[string]func(path string) (rest string, ok bool)
}

// hasRuleForTwins reports whether one of the rules is for twins (H7).
func (h *headerRules) hasRuleForTwins() bool { return h.twins >= 0 }

// otherHeaders sets what each file is to be served with of other headers than X-Robots-Tag, with
// the canonical links of the owner's own lines.
func otherHeaders(s *Plan, own func(file string) []headerfile.Line) []policy.Finding {
	all := s.Project.Config.Robots.Headers.Rules
	h := &headerRules{plan: s, all: all, files: config.FilesOf(all),
		twins: slices.IndexFunc(all, func(r config.HeaderRule) bool { return r.Twins }),
		rests: map[string]func(string) (string, bool){}}
	for _, pg := range s.Pages {
		var canonicals []headerfile.Line
		if pg.File.Role.Policed() {
			canonicals = own(pg.File.Name)
		}
		pg.Others = h.askedLines(pg, canonicals)
		pg.Others = append(pg.Others, h.ownCanonicals(pg, canonicals)...)
	}
	return h.found.All("; the same for %d more")
}

// hasLink reports whether lines have a link.
func hasLink(lines []headerfile.Line, value string) bool {
	return slices.ContainsFunc(lines, func(l headerfile.Line) bool {
		return robotstag.SameLinks(l.Value, value)
	})
}

// ownCanonicals are the canonical links of the owner's own lines that no rule asks for. One that
// leads nowhere is reported, and stays.
func (h *headerRules) ownCanonicals(pg *Page, own []headerfile.Line) (lines []headerfile.Line) {
	for _, l := range own {
		if hasLink(pg.Others, l.Value) {
			continue
		}
		lines = append(lines, l)
		at, ok := h.plan.Project.ResolveLink(pg.File.Name, l.Canonical(), project.UnknownIsForeign)
		if !ok || pg.Hidden() {
			continue // another site's, or the page itself contradicts it
		}
		if fault := h.plan.faultOfCanonical(at); fault != fits {
			h.report(pg, l.Origin, "canonical-target", policy.Warning, fault.kind,
				"it names another URL as canonical for %s: %s", pg.URL, fault.reason)
			continue
		}
		h.reportRedirect(pg, l.Origin, at)
	}
	return lines
}

// reportRedirect reports a canonical link that leads to an address which hosts only redirect.
func (h *headerRules) reportRedirect(pg *Page, o policy.Origin, at string) {
	if to, only := h.plan.Sites.Redirects(at); only {
		h.report(pg, o, "redirected-address", policy.Note, kindRedirects, "the canonical link of %s names %s, which "+
			"the host redirects to %s: name that address", pg.URL, at, to)
	}
}

// report reports what is wrong with a rule for a file: once for the rule and each kind of fault.
func (h *headerRules) report(pg *Page, o policy.Origin, id string, s policy.Severity, kind, format string,
	args ...any) {
	f := o.Finding(id, s, format, args...)
	f.URL = pg.URL
	h.found.Add(policy.Placed(o.File, o.Line, o.Key)+kind, f)
}

// askedLines returns the lines that the rules ask for a file, in the order of the rules, and that
// its old version asks for (L10j). Links add up; of any other header, and of canonical links, the
// last line counts (H3). A link whose target will not do is left out. There is none for the file
// _headers, which hosts do not serve. own are the canonical links of the owner's own lines.
func (h *headerRules) askedLines(pg *Page, own []headerfile.Line) (lines []headerfile.Line) {
	if pg.File.Name == hosts.HeadersFile {
		return nil
	}
	newest, isOld := h.lineNamingNewest(pg, own)
	if len(h.all) == 0 {
		if isOld {
			return []headerfile.Line{newest}
		}
		return nil
	}
	// The rule for twins goes first, then the key for old versions: the owner's own rules outweigh
	// both.
	if h.hasRuleForTwins() && h.plan.TwinOf(pg) != nil {
		lines = h.withRule(pg, lines, h.twins)
	}
	if isOld {
		lines = append(h.withoutRival(pg, lines, newest), newest)
	}
	for _, i := range h.files.Selecting(&pg.File.Subject) { // indexes of h.all, in order
		lines = h.withRule(pg, lines, i)
	}
	return lines
}

// withRule returns the lines of a file with those of a rule, by its index in h.all. Each replaces
// an earlier line of the same header (withoutRival); a link is added, unless it is there already.
func (h *headerRules) withRule(pg *Page, lines []headerfile.Line, rule int) []headerfile.Line {
	for _, l := range h.all[rule].Lines {
		line := headerfile.Line{Name: l.Name, Value: h.lineValue(pg, rule, &l), Origin: l.Origin}
		isRepeated := l.Name == robotstag.LinkName && hasLink(lines, line.Value)
		if line.Value == "" || isRepeated {
			continue
		}
		lines = append(h.withoutRival(pg, lines, line), line)
	}
	return lines
}

// withoutRival takes out of the lines of a file the one that a later line replaces, if there is
// one: that of the same header, or of a canonical link the other canonical link. For such a link
// that is a finding, unless the rule for twins or the key for old versions made it: they are for
// files that no other rule gives one.
func (h *headerRules) withoutRival(pg *Page, lines []headerfile.Line,
	later headerfile.Line) []headerfile.Line {
	isLink := later.Name == robotstag.LinkName
	rival := slices.IndexFunc(lines, func(l headerfile.Line) bool {
		isSameHeader := strings.EqualFold(l.Name, later.Name)
		return isSameHeader && (!isLink || isCanonical(l) && isCanonical(later))
	})
	if rival < 0 {
		return lines
	}
	at := lines[rival].Origin
	isOfTwins := h.hasRuleForTwins() && at == h.all[h.twins].Lines[0].Origin
	key := h.plan.Project.Config.Robots.Versions.Canonical
	isOfVersions := key != nil && at == *key
	if isLink && !isOfTwins && !isOfVersions {
		h.report(pg, at, "header-conflict", policy.Warning, "canonical", "a later rule (%s) has "+
			"another canonical link for %s, and counts", later.Origin.Place(), pg.URL)
	}
	return slices.Delete(lines, rival, rival+1)
}

// lineValue is that of a line of a rule for a file; empty where its link leads nowhere, or is
// canonical and the file no page: crawlers judge the target of a redirect, and an error page is
// none. rule is the index of the rule in h.all.
func (h *headerRules) lineValue(pg *Page, rule int, l *config.HeaderLine) string {
	if isCanonical(headerfile.Line{Name: l.Name, Value: l.Value}) && !pg.File.Role.Policed() {
		return ""
	} else if l.Link.Target == "" { // it is no link
		return l.Value
	}
	l = h.withRest(pg, rule, l)
	to, fault := h.target(pg, l)
	if fault == fits {
		return strings.Replace(l.Value, "<"+l.Link.Target+">", "<"+to+">", 1)
	}
	restrictsPage := fault.kind == kindNoindex || fault.kind == kindRole
	if rule != h.twins || !restrictsPage { // what restricts the page restricts its twin
		h.report(pg, l.Origin, "canonical-target", policy.Warning, fault.kind,
			"%s gets no link %q: %s", pg.URL, l.Link.Rel, fault.reason)
	}
	return ""
}

// withRest fills in {rest} in the target of a link: what the last ** of the glob that selects the
// file matches in its address, encoded. It is empty if no glob with ** does.
func (h *headerRules) withRest(pg *Page, rule int, l *config.HeaderLine) *config.HeaderLine {
	const placeholder = "{rest}"
	if !strings.Contains(l.Link.Target, placeholder) {
		return l
	}
	address := pg.File.Path.File
	if strings.HasSuffix(pg.File.Path.URL, "/") { // the page is served at its folder
		address = pg.File.Path.URL
	}
	rest := ""
	for _, g := range h.all[rule].Files.Match {
		restOf := h.rests[g.String()]
		if restOf == nil {
			restOf = g.Rest()
			h.rests[g.String()] = restOf
		}
		if found, ok := restOf(address); ok {
			rest = strings.TrimPrefix(site.URL(found+"_"), "/")
			rest = strings.TrimSuffix(rest, "_")
			break
		}
	}
	filled := *l
	filled.Link.Target = strings.ReplaceAll(l.Link.Target, placeholder, rest)
	filled.Value = strings.Replace(l.Value, "<"+l.Link.Target+">", "<"+filled.Link.Target+">", 1)
	return &filled
}

// A linkFault is why a link should not lead where it does.
type linkFault struct {
	kind   string // faults of one kind are reported once for a rule
	reason string // for the message, behind a colon
}

// fits is the fault of a link that may lead where it does.
var fits linkFault

// The kinds of faults.
const (
	kindNoPage    = "page"     // the target names the page of a file that belongs to none
	kindNoHost    = "host"     // the site's address is not known
	kindMissing   = "missing"  // nothing is published there
	kindRole      = "role"     // the target is no page: a redirect, an error page …
	kindNoindex   = "noindex"  // the target is noindex
	kindRedirects = "redirect" // hosts only redirect the target
)

// target returns the absolute URL to which a link of a rule leads for a file, with its placeholders
// filled in: for docs/a.pdf of the site https://example.org,
//
//	{path}   /docs/a.pdf, and for HTML the preferred address: /docs/a for docs/a.html on some hosts
//	{dir}    /docs/
//	{name}   a
//	{page}   /docs/a/, the preferred address of the page that the file belongs to ([Plan.PageOf])
//
// The caller has filled in {rest}. In a link to another site {path} is the file's own URL, since
// nothing is known of its host; {page} is what it is in any other link.
//
// fault is [fits], or says why there is no such URL, in which case to is empty, or why no link
// should lead there. Of another site nothing is known, so a link to it fits. A canonical link to an
// address that hosts redirect is reported here, and stays.
func (h *headerRules) target(pg *Page, l *config.HeaderLine) (to string, fault linkFault) {
	to, at, fault := h.filledTarget(pg, l.Link.Target)
	isOnSite := at != ""
	switch {
	case fault != fits:
		return "", fault
	case !isOnSite:
		return to, fits
	case !l.Link.Is("canonical"):
		return to, h.plan.faultOfTarget(at)
	}
	if fault = h.plan.faultOfCanonical(at); fault == fits {
		h.reportRedirect(pg, l.Origin, at)
	}
	return to, fault
}

// filledTarget fills in the placeholders of a link's target for a file, as [headerRules.target] has
// them. to is an absolute URL, and at the same as an encoded path from the publish root; empty if
// it is on another site. If fault is not [fits], there is no such URL. The configuration has made
// sure that the target is a whole URL, or begins with one slash or with a placeholder that does.
func (h *headerRules) filledTarget(pg *Page, target string) (to, at string, fault linkFault) {
	p := h.plan.Project
	host := p.HostOf(pg.File.Name)
	name := strings.TrimPrefix(pg.File.Name, host.Root)
	page := "" // what {page} is
	if strings.Contains(target, "{page}") {
		owner := h.plan.PageOf(pg)
		if owner == nil {
			return "", "", linkFault{kindNoPage, "it belongs to no page of the site"}
		}
		page = fromRoot(host, h.plan.Sites.Preferred(owner))
	}
	// First with the file's own URL as {path}, which shows whether the link stays on the site.
	to = filled(target, name, page, site.URL(name), host)
	// filled puts the host of the site before a path, if it is known.
	if hasNoHost := strings.HasPrefix(to, "/"); hasNoHost {
		return "", "", linkFault{kindNoHost,
			"the address of the site is not known, and links are absolute: set baseURL in [site]"}
	}
	at, isOnSite := p.ResolveLink(pg.File.Name, to, project.UnknownIsForeign)
	if !isOnSite {
		return to, "", fits
	}
	if pg.File.HTML && strings.Contains(target, "{path}") {
		to = filled(target, name, page, fromRoot(host, h.plan.Sites.Preferred(pg)), host)
		at, _ = p.ResolveLink(pg.File.Name, to, project.UnknownIsForeign)
	}
	return to, at, fits
}

// filled fills in the placeholders of a link's target, for the file name of a host. page and path
// are what {page} and {path} are, encoded, from the host's root. The result begins with "/" if the
// target does and the address of the host is not known.
func filled(target, name, page, path string, host project.Host) string {
	dir, base := splitName(name)
	// URL escapes a whole path; with _ behind it, no base is taken for that of an index.
	encodedBase := strings.TrimSuffix(site.URL(base+"_"), "_")[1:]
	to := strings.NewReplacer("{page}", page, "{path}", path, "{dir}", site.URL(dir+"index.html"),
		"{name}", encodedBase).Replace(target)
	if strings.HasPrefix(to, "/") && host.URL.Host != "" {
		to = host.URL.Scheme + "://" + host.URL.Host + host.Base + to
	}
	return to
}

// splitName splits the name of a file into its folder, with a slash at its end, and its base
// without the extension.
func splitName(name string) (dir, base string) {
	dir, base = path.Split(name)
	return dir, strings.TrimSuffix(base, path.Ext(base))
}

// faultOfTarget says why a link should not lead to an encoded path of the site, from the publish
// root.
func (s *Plan) faultOfTarget(at string) linkFault {
	if s.Served(at) == nil {
		return linkFault{kindMissing, at + " is not published"}
	}
	return fits
}

// faultOfCanonical is faultOfTarget of a canonical link.
func (s *Plan) faultOfCanonical(at string) linkFault {
	to := s.Served(at)
	switch {
	case to == nil:
		return s.faultOfTarget(at)
	case !to.File.Role.Policed():
		return linkFault{kindRole, fmt.Sprintf("%s is no page (%s)", at, to.File.Role)}
	case to.Hidden():
		return linkFault{kindNoindex, at + " is noindex"}
	}
	return fits
}

// PageOf is the HTML page that a file belongs to, by the first of these that holds; nil if that is
// not published, or none holds:
//
//	it is another HTML output of a page, and no later pager   that page
//	it is an HTML page                                        itself
//	it is a twin or another copy of a page                    that page
//	it lies in the leaf bundle of one page                    that page
//	there is a page of the same name beside it                that page, even if it is in two bundles
func (s *Plan) PageOf(pg *Page) *Page {
	twin := s.TwinOf(pg)
	dir, base := splitName(pg.File.Name)
	isLaterPage := pg.File.Pager > 1
	switch {
	case pg.File.Of != nil && !isLaterPage:
		return s.Page(strings.TrimPrefix(pg.File.Of.Path.File, "/"))
	case pg.File.HTML:
		return pg
	case twin != nil:
		return twin
	case pg.File.CopyOf != "":
		return s.Page(pg.File.CopyOf)
	case len(pg.File.Owners) == 1:
		return s.Page(strings.TrimPrefix(pg.File.Owners[0].Path.File, "/"))
	}
	for _, name := range []string{base + "/index.html", base + ".html", base} {
		if of := s.Page(dir + name); of != nil && of.File.HTML {
			return of
		}
	}
	return nil
}

// TwinOf is the page that a file publishes again as text (H7); nil if there is none.
func (s *Plan) TwinOf(pg *Page) *Page {
	return s.Page(site.Twin(&pg.File, s.Folder.Has)) // none has no name, and no page
}

func isCanonical(l headerfile.Line) bool { return l.Canonical() != "" }

// CanonicalHeader is the line of its headers that names its canonical URL, which may be its own;
// nil if none does that is served. What the head of the page names is [Links.Self] or
// [Related.Canonical].
func (pg *Page) CanonicalHeader() *headerfile.Line {
	i := slices.IndexFunc(pg.Others, func(l headerfile.Line) bool { return !l.Lost && isCanonical(l) })
	if i < 0 {
		return nil
	}
	return &pg.Others[i]
}

// IsCopy reports whether the headers of a file name another URL as canonical.
func (s *Plan) IsCopy(pg *Page) bool {
	l := pg.CanonicalHeader()
	if l == nil {
		return false
	}
	to, ok := s.Project.ResolveLink(pg.File.Name, l.Canonical(), project.UnknownIsForeign)
	return !ok || !s.Sites.Names(to, pg.File.Name)
}
