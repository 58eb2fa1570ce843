package cli

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/check"
	"metarobots/internal/disk"
	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

func (c *command) explain() error {
	return c.plan("", plan.New, func(site *plan.Plan) error { return c.explainPages(site, c.args) })
}

// explainPages prints the pages that the arguments name.
func (c *command) explainPages(site *plan.Plan, args []string) error {
	type asked struct {
		pg    *plan.Page
		query string // of the URL that was given, for robots.txt
	}
	var pages []asked
	for _, arg := range args {
		found, err := lookup(site, arg)
		c.wrong(err)
		for _, pg := range found {
			if a := (asked{pg, queryOf(arg)}); !slices.Contains(pages, a) {
				pages = append(pages, a)
			}
		}
	}
	outcome := check.Run(site)
	r := resultOf(site, outcome)
	r.Findings = slices.DeleteFunc(r.Findings, func(f policy.Finding) bool {
		return !slices.ContainsFunc(pages, func(a asked) bool {
			return a.pg.URL == f.URL || a.pg.File.Source != "" && a.pg.File.Source == f.File
		})
	})
	most := c.most()
	if c.json {
		most = len(pages)
	}
	some, more := shown(pages, most)
	for _, a := range some {
		page := result.PageOf(site, a.pg)
		page.RobotsTxt = result.RobotsTxt(site, a.pg, a.query, c.crawlers)
		if published.Addressed(site, a.pg) {
			page.Vendors, page.Signals = published.Answers(site, a.pg, a.query), published.Signals(site, a.pg)
		}
		if c.json {
			r.Pages = append(r.Pages, page)
			continue
		}
		c.stdout.explain(site, a.pg)
		c.stdout.show("explain now", struct {
			Outdated  []string
			RobotsTxt []result.Verdict
			All       bool // also what robots.txt allows
		}{unwritten(site, a.pg), page.RobotsTxt, len(c.crawlers) > 0})
		c.stdout.vendors(page.Signals, page.Vendors, a.pg.Decision.AI)
	}
	if more != "" {
		c.stdout.printf("%s\n", more)
	}
	if !c.json {
		c.stderr.findings(r.Findings, c.quiet, c.verbose)
	} else if err := c.printJSON(r); err != nil {
		return err
	}
	c.policyNotRead(outcome.Findings, site)
	return c.invalid()
}

// unwritten are the published files that do not say yet what is decided on a page: its own, and if it needs a header
// its host's header files.
func unwritten(s *plan.Plan, pg *plan.Page) (files []string) {
	if pg.Changes {
		files = append(files, s.Project.Published(pg.File.Name))
	}
	others := slices.ContainsFunc(pg.Others, func(l headerfile.Line) bool { return !l.Found })
	if (len(pg.Header()) == 0 || s.LeftToTag(pg)) && !others {
		return files
	}
	for _, h := range s.Headers {
		if h.Change.Differs() && h.Host.Root == s.Project.HostOf(pg.File.Name).Root {
			files = append(files, h.Change.File)
		}
	}
	return files
}

// explain prints the decision for a file and what decided it.
func (p *printer) explain(site *plan.Plan, pg *plan.Page) {
	p.show("explain", struct {
		Page                  *plan.Page
		LeftToTag, Headerless bool
	}{pg, site.LeftToTag(pg), site.Headerless()})
	p.table("    ", widest/2, explanation(pg.Decision, site.Project.Policy.Style))
}

// explanation lists what fixed each printed directive, words fixed by the same statements together, then what something
// stricter overrides: words, place, layer and key.
func explanation(d *policy.Decision, style policy.Style) (rows [][]cell) {
	used := map[int]bool{}
	row := func(color, word string, i int, note string) {
		s := d.Statements[i]
		rows = append(rows, []cell{{color, word}, {"", place(s.Origin)},
			{faint, report.Layer(s.Origin.Layer.String()) + ", " + s.Origin.Key + note}})
	}
	fixed := func(word string, by []int) {
		for _, i := range by {
			row(green, word, i, "")
			word, used[i] = "", true
		}
	}
	crawlers := []string{""}
	for _, a := range d.Agents {
		crawlers = append(crawlers, a.Crawler.Name)
	}
	for _, crawler := range crawlers {
		causes := d.Causes(crawler, style)
		for i := range causes { // what is said to everyone stands above
			causes[i].By = slices.DeleteFunc(causes[i].By, func(i int) bool {
				return crawler != "" && d.Statements[i].Crawler == ""
			})
		}
		for _, same := range snapshot.Group(causes, func(c policy.Cause) string { return fmt.Sprint(c.By) }) {
			var words []string
			for _, c := range same {
				words = append(words, c.Word.Text)
			}
			text := strings.Join(words, ", ")
			if crawler != "" {
				text = crawler + ": " + text
			}
			fixed(text, same[0].By)
		}
	}
	for _, u := range policy.Uses {
		fixed(u.String()+" = "+d.AI[u].String(), d.Preferring(u))
	}
	for i, s := range d.Statements {
		if !used[i] {
			row(faint, cmp.Or(s.States(), s.AI.String()), i, " (overridden)")
		}
	}
	return rows
}

// place prints where a statement stands.
func place(o policy.Origin) string {
	switch {
	case o.File != "":
		return policy.Place(o.File, o.Line)
	case o.Layer == policy.LayerDefault || o.Layer == policy.LayerEnvironment:
		return "built-in " + o.Layer.String()
	}
	return "(" + o.Layer.String() + ")"
}

// lookup finds the pages that an argument names: a URL, a path from the publish root, a published file or a content
// file, or else all in the folder that it is.
func lookup(s *plan.Plan, name string) ([]*plan.Page, error) {
	paths := pathsOf(s.Project, name)
	find := func(is func(pg *plan.Page, path string) bool) (found []*plan.Page) {
		for _, pg := range s.Pages {
			if slices.ContainsFunc(paths, func(path string) bool { return is(pg, path) }) {
				found = append(found, pg)
			}
		}
		return found
	}
	found := find(func(pg *plan.Page, path string) bool {
		return path != "" && slices.Contains([]string{pg.URL, pg.File.Path.URL, pg.File.Path.File, pg.File.Source}, path)
	})
	if len(found) == 0 { // the pages of a folder, of what is published or of content files
		found = find(func(pg *plan.Page, path string) bool {
			folder := strings.TrimSuffix(path, "/") + "/"
			return folder != "/" && (strings.HasPrefix(pg.URL, folder) || strings.HasPrefix(pg.File.Source, folder))
		})
	}
	if len(found) > 0 {
		return found, nil
	}
	if why := unpublished(s.Project, name); why != "" {
		return nil, invalidf("%s: %s", name, why)
	}
	return nil, invalidf("%s: no published file or page has this URL or name%s", name, suggest(s, paths))
}

// queryOf is that of a URL, or of its path, on the command line, with its question mark; empty for none.
func queryOf(name string) string {
	u, err := url.Parse(name)
	if err != nil || u.RawQuery == "" && !u.ForceQuery {
		return ""
	}
	return "?" + u.RawQuery
}

// suggest names the URL or file closest to one that is not there.
func suggest(s *plan.Plan, paths []string) string {
	var names []string
	for _, pg := range s.Pages {
		names = append(names, pg.URL, pg.File.Path.File, pg.File.Source)
	}
	for _, path := range paths {
		if n := policy.Near(path, names); n != "" && len(path) <= 60 {
			return " (did you mean " + n + "?)"
		}
	}
	return ""
}

// pathsOf returns what a name on the command line may mean: a path from the publish root, or a content file.
func pathsOf(p *project.Project, name string) []string {
	var paths []string
	u, err := url.Parse(name)
	if whole := err == nil && u.Host != ""; whole || strings.HasPrefix(name, "/") {
		to, ok := p.Leads("", name, true)
		switch {
		case ok:
			paths = append(paths, to, project.Decoded(to))
		case whole:
			return nil // a page of another site
		}
	}
	file := project.Absolute(p.Options.WorkDir, name)
	if rel, err := filepath.Rel(p.Settings.Publish, file); err == nil && filepath.IsLocal(rel) {
		paths = append(paths, "/"+filepath.ToSlash(rel))
		if rel == "." {
			paths = append(paths, "/")
		}
	}
	name = filepath.ToSlash(name)
	return append(paths, p.Short(file), name, "/"+name, "/"+strings.Trim(name, "/")+"/") // /posts/a for /posts/a/
}

// unpublished says why a content file has no page, as far as its front matter shows; empty where the name is no file.
func unpublished(p *project.Project, name string) string {
	const no = "no page was published from it"
	data, err := disk.ReadFile(project.Absolute(p.Options.WorkDir, name), project.MaxPage)
	if err != nil {
		return ""
	}
	doc, err := frontmatter.Parse(data, "...") // some generators close it so
	if err != nil {
		return fmt.Sprintf("%s (%v)", no, err)
	}
	var reasons []string
	for _, key := range slices.Sorted(maps.Keys(doc.Params)) {
		if reason := hidden(key, doc.Params[key], p.Policy.Now); reason != "" {
			reasons = append(reasons, fmt.Sprintf("%s (line %d)", reason, doc.Index.Line(key)))
		}
	}
	return strings.TrimSuffix(no+": "+strings.Join(reasons, ", "), ": ")
}

// hidden says why a key of front matter keeps a page from being published; empty where it does not.
func hidden(key string, value any, now time.Time) string {
	at, err := frontmatter.Date(value)
	on, isFlag := frontmatter.Truth(value)
	text, _ := value.(string)
	is := func(names ...string) bool { return slices.Contains(names, strings.ToLower(key)) }
	switch {
	case is("draft") && isFlag && on, is("status") && strings.EqualFold(text, "draft"):
		return "it is a draft"
	case is("published") && isFlag && !on:
		return "it says published: false"
	case err != nil:
		return ""
	case is("published", "publishdate", "pubdate", "date") && at.After(now):
		return fmt.Sprintf("its %s, %s, is still to come", key, at.Format(time.DateOnly))
	case is("expirydate", "unpublishdate") && at.Before(now):
		return "it expired on " + at.Format(time.DateOnly)
	}
	return ""
}

// A vendorReason is what several vendors do for one use for the same reason.
type vendorReason struct {
	use                       policy.Use
	color, answer, place, why string
}

// vendors prints what is said to AI about a file, and what each vendor does, those together that do the same for the
// same reason. Where the policy denies what a vendor may do, its directives that would deny it are named, and where a
// vendor may ignore a denial, the source.
func (p *printer) vendors(signals []published.Signal, answers []published.Answer, decided policy.Preferences) {
	var told, rows [][]cell
	for _, s := range signals {
		told = append(told, []cell{{"", "AI is told"}, {"", s.Text}, {"", policy.Place(s.File, s.Line)},
			{faint, "no vendor documents to obey it"}})
	}
	p.table("    ", widest/2, told)
	reasonOf := func(v published.Answer) vendorReason {
		r := vendorReason{v.Use, green, "allowed", policy.Place(v.File, v.Line), v.By}
		switch {
		case v.Answer == published.Unknown:
			r.color, r.answer, r.why = yellow, "denied, undocumented", v.By+"  "+v.Source
		case v.MayIgnore:
			r.color, r.answer, r.why = yellow, "denied, may ignore it", v.By+"  "+v.Source
		case v.Answer == policy.Denied.String():
			r.color, r.answer = red, "denied"
		case decided[v.Use] == policy.Denied && v.Unless != nil:
			r.why = strings.TrimSpace(v.By + "  " + strings.Join(v.Unless, " or ") + " would deny it")
		}
		return r
	}
	above := ""
	for _, same := range snapshot.Group(answers, reasonOf) {
		r, names, use := reasonOf(same[0]), []string{}, same[0].Use.String()
		for _, v := range same {
			if name := vendorName(v, same, answers); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if use == above {
			use = ""
		}
		above = same[0].Use.String()
		row := []cell{{"", use}, {r.color, r.answer}, {"", strings.Join(names, ", ")}}
		if r.place+r.why != "" {
			row = append(row, cell{"", r.place}, cell{faint, r.why})
		}
		rows = append(rows, row)
	}
	p.table("    ", widest/2, rows)
}

// vendorName names a vendor, with the crawler where another one of it does otherwise for the use.
func vendorName(v published.Answer, same, all []published.Answer) string {
	if slices.ContainsFunc(all, func(o published.Answer) bool {
		return o.Vendor == v.Vendor && o.Use == v.Use && !slices.ContainsFunc(same, func(s published.Answer) bool {
			return s.Crawler == o.Crawler
		})
	}) {
		return v.Vendor + " (" + v.Crawler + ")"
	}
	return v.Vendor
}
