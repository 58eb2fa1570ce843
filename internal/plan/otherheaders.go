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
	"metarobots/internal/site"
	"metarobots/policy"
)

// headerRules resolves [[robots.headers.rules]] (H2, H3).
type headerRules struct {
	plan  *Plan
	all   []config.HeaderRule
	files policy.Rules
	twins int                 // the rule for twins; -1 without one
	found headerfile.Repeated // by the place of the line and what is wrong
}

// otherHeaders sets what each file is to be served with of other headers than X-Robots-Tag, with the canonical links of
// the owner's own lines.
func otherHeaders(s *Plan, own func(file string) []headerfile.Line) []policy.Finding {
	all := s.Project.Config.Robots.Headers.Rules
	h := &headerRules{plan: s, all: all, files: config.FilesOf(all),
		twins: slices.IndexFunc(all, func(r config.HeaderRule) bool { return r.Twins })}
	for _, pg := range s.Pages {
		pg.Others = h.lines(pg)
		if pg.File.Role.Policed() {
			pg.Others = append(pg.Others, h.canonicals(pg, own(pg.File.Name))...)
		}
	}
	return h.found.All("; the same for %d more")
}

// hasLink reports whether lines have a link.
func hasLink(lines []headerfile.Line, value string) bool {
	return slices.ContainsFunc(lines, func(l headerfile.Line) bool { return robotstag.SameLinks(l.Value, value) })
}

// canonicals are those of the owner's own lines that no rule asks for. One that leads nowhere is reported, and stays.
func (h *headerRules) canonicals(pg *Page, own []headerfile.Line) (lines []headerfile.Line) {
	for _, l := range own {
		if hasLink(pg.Others, l.Value) {
			continue
		}
		lines = append(lines, l)
		at, ok := h.plan.Project.Leads(pg.File.Name, l.Canonical(), false)
		if !ok || pg.Hidden() {
			continue // another site's, or the page itself contradicts it
		}
		if kind, reason := h.plan.unfit(at, true); reason != "" {
			h.report(pg, l.Origin, "canonical-target", policy.Warning, kind, "it names another URL as canonical for %s: %s",
				pg.URL, reason)
			continue
		}
		h.reportRedirect(pg, l.Origin, at)
	}
	return lines
}

// reportRedirect reports a canonical link that leads to an address which hosts only redirect.
func (h *headerRules) reportRedirect(pg *Page, o policy.Origin, at string) {
	if to, only := h.plan.Sites.Redirects(at); only {
		h.report(pg, o, "redirected-address", policy.Note, "redirect", "the canonical link of %s names %s, which the host "+
			"redirects to %s: name that address", pg.URL, at, to)
	}
}

// report reports what is wrong with a rule for a file: once for the rule and each kind of fault.
func (h *headerRules) report(pg *Page, o policy.Origin, id string, s policy.Severity, kind, format string,
	args ...any) {
	f := o.Finding(id, s, format, args...)
	f.URL = pg.URL
	h.found.Add(policy.Placed(o.File, o.Line, o.Key)+kind, f)
}

// lines are those that the rules ask for a file. Links add up, and of another header the last line counts (H3). A link
// whose target will not do is left out.
func (h *headerRules) lines(pg *Page) (lines []headerfile.Line) {
	if len(h.all) == 0 || pg.File.Name == hosts.HeadersFile { // hosts do not serve it
		return nil
	}
	selecting := h.files.Selecting(&pg.File.Subject)
	if h.twins >= 0 && h.plan.TwinOf(pg) != nil {
		selecting = slices.Insert(selecting, 0, h.twins)
	}
	for _, i := range selecting {
		for _, l := range h.all[i].Lines {
			line := headerfile.Line{Name: l.Name, Value: h.value(pg, i, &l), Origin: l.Origin}
			link := l.Name == robotstag.LinkName
			if line.Value == "" || link && hasLink(lines, line.Value) {
				continue
			}
			rival := slices.IndexFunc(lines, func(o headerfile.Line) bool {
				return strings.EqualFold(o.Name, l.Name) && (!link || isCanonical(o) && isCanonical(line))
			})
			if rival >= 0 {
				at := lines[rival].Origin
				if link && (h.twins < 0 || at != h.all[h.twins].Lines[0].Origin) { // whose rule is for the rest
					h.report(pg, at, "header-conflict", policy.Warning, "canonical", "a later rule (%s) has another "+
						"canonical link for %s, and counts", l.Origin.Place(), pg.URL)
				}
				lines = slices.Delete(lines, rival, rival+1)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// value is that of a line of a rule for a file; empty where its link leads nowhere, or is canonical and the file no
// page: crawlers judge the target of a redirect, and an error page is none.
func (h *headerRules) value(pg *Page, rule int, l *config.HeaderLine) string {
	if isCanonical(headerfile.Line{Name: l.Name, Value: l.Value}) && !pg.File.Role.Policed() {
		return ""
	} else if l.Link.Target == "" {
		return l.Value
	}
	to, kind, reason := h.target(pg, l)
	if reason == "" {
		return strings.Replace(l.Value, "<"+l.Link.Target+">", "<"+to+">", 1)
	}
	if rule != h.twins || kind != "noindex" && kind != "role" { // what restricts the page restricts its twin
		h.report(pg, l.Origin, "canonical-target", policy.Warning, kind, "%s gets no link %q: %s", pg.URL, l.Link.Rel,
			reason)
	}
	return ""
}

// target is the absolute URL to which a link of a file leads; kind and reason say why there is none that will do.
func (h *headerRules) target(pg *Page, l *config.HeaderLine) (to, kind, reason string) {
	p, link := h.plan.Project, l.Link
	host := p.HostOf(pg.File.Name)
	name := strings.TrimPrefix(pg.File.Name, host.Root)
	dir, base := path.Split(name)
	base = strings.TrimSuffix(base, path.Ext(base))
	page := ""
	if strings.Contains(link.Target, "{page}") {
		of := h.plan.PageOf(pg)
		if of == nil {
			return "", "page", "it belongs to no page of the site"
		}
		page = fromRoot(host, h.plan.Sites.Preferred(of))
	}
	fill := func(own string) (to string) {
		to = strings.NewReplacer("{page}", page, "{path}", own, "{dir}", site.URL(dir+"index.html"),
			"{name}", strings.TrimSuffix(site.URL(base+"_"), "_")[1:]).Replace(link.Target)
		if strings.HasPrefix(to, "/") && host.URL.Host != "" {
			to = host.URL.Scheme + "://" + host.URL.Host + host.Base + to
		}
		return to
	}
	to = fill(site.URL(name))
	at, ok := p.Leads(pg.File.Name, to, false)
	switch {
	case strings.HasPrefix(to, "/"):
		return "", "host", "the address of the site is not known, and links are absolute: set baseURL in [site]"
	case !ok:
		return to, "", "" // another site's, of whose host nothing is known
	case pg.File.HTML && strings.Contains(link.Target, "{path}"):
		to = fill(fromRoot(host, h.plan.Sites.Preferred(pg)))
		at, _ = p.Leads(pg.File.Name, to, false)
	}
	if kind, reason = h.plan.unfit(at, link.Is("canonical")); reason == "" && link.Is("canonical") {
		h.reportRedirect(pg, l.Origin, at)
	}
	return to, kind, reason
}

// unfit says why a link, or a canonical link, should not lead to a path of the site; reason is empty if it may.
func (s *Plan) unfit(at string, canonical bool) (kind, reason string) {
	switch to := s.Served(at); {
	case to == nil:
		return "missing", at + " is not published"
	case canonical && !to.File.Role.Policed():
		return "role", fmt.Sprintf("%s is no page (%s)", at, to.File.Role)
	case canonical && to.Hidden():
		return "noindex", at + " is noindex"
	}
	return "", ""
}

// PageOf is the HTML page that a file belongs to: the page itself, the page that it is another form of, the one in
// whose leaf bundle it lies, or the page of the same name; nil if there is none, or several.
func (s *Plan) PageOf(pg *Page) *Page {
	twin := s.TwinOf(pg)
	dir, base := path.Split(pg.File.Name)
	base = strings.TrimSuffix(base, path.Ext(base))
	switch {
	case pg.File.Of != nil && pg.File.Pager < 2:
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

// Canonical is the line of its headers that names its canonical URL; nil if none does that is served.
func (pg *Page) Canonical() *headerfile.Line {
	i := slices.IndexFunc(pg.Others, func(l headerfile.Line) bool { return !l.Lost && isCanonical(l) })
	if i < 0 {
		return nil
	}
	return &pg.Others[i]
}

// IsCopy reports whether the headers of a file name another URL as canonical.
func (s *Plan) IsCopy(pg *Page) bool {
	l := pg.Canonical()
	if l == nil {
		return false
	}
	to, ok := s.Project.Leads(pg.File.Name, l.Canonical(), false)
	return !ok || !s.Sites.Names(to, pg.File.Name)
}
