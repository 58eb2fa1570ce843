package plan

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Plan is what is to become of a site: a decision for every published file, and which bytes change.
type Plan struct {
	// Pages are the published files, by name.
	Pages []*Page
	// Headers are the header files, one for each host of the site.
	Headers []*HeaderFile
	// Sitemaps are those that entries are taken out of, or that change.
	Sitemaps []*SitemapFile
	// Robots are the robots.txt files that are there or are to be made, one for each host.
	Robots []*RobotsFile
	// Findings are what a reader should know, in the order of files.
	Findings []policy.Finding
	// NewlyNoindex are the addresses of pages that an earlier run left in the index and this one takes out.
	NewlyNoindex []string
	// Suppressed is how many findings the owner accepts, so that they are not reported.
	Suppressed int
	// Overflow is set where the rules that are needed do not fit the host's limit (N2).
	Overflow error

	project *Project
	m       site.Map
	usage   *policy.Usage
	linkUse linkUse
	control map[string]bool
	mu      sync.Mutex // Pages and findings while workers run
	// made are files as a build made them that it has not written, by name: sitemaps, which are filtered at the end, and
	// in a dry run every file. nil where nothing but its being there is known.
	made     map[string][]byte
	building bool           // static files are not published before the plan begins
	index    map[string]int // Pages by name, while a build goes on
	suspects []*suspect
	netlify  *netlifyTOML
	packed   map[string]bool // pages with a gzip sibling
	folder   listing         // what was found in the publish folder
}

func (p *Project) newPlan(m site.Map) *Plan {
	c := p.Config.Robots.Links
	return &Plan{project: p, m: m, usage: p.Policy.NewUsage(), control: map[string]bool{}, made: map[string][]byte{},
		linkUse: linkUse{make([]atomic.Bool, len(c.Options.Rules)), make([]atomic.Bool, len(c.Options.NoSnippet))}}
}

// Plan lists the site's pages, reads what is published and decides. It writes nothing. An [*InvalidError] lists front
// matter that cannot be read; other errors are files that cannot.
func (p *Project) Plan(ctx context.Context) (*Plan, error) {
	m, err := p.site.List(ctx, p.Config.Robots.FrontMatter)
	if render := (*site.RenderError)(nil); errors.As(err, &render) {
		return nil, err
	} else if err != nil {
		return nil, invalid(err)
	}
	switch info, err := os.Stat(p.settings.Publish); {
	case err != nil:
		return nil, invalid(fmt.Errorf("publish folder %s does not exist: build the site first", p.short(p.settings.Publish)))
	case !info.IsDir():
		return nil, invalid(fmt.Errorf("publish folder %s is a file", p.short(p.settings.Publish)))
	}
	plan := p.newPlan(m)
	if err := plan.readHeaders(nil); err != nil {
		return nil, err
	}
	plan.findSuspects()
	if err := plan.pass(ctx); err != nil {
		return nil, err
	}
	if err := plan.suspected(); err != nil {
		return nil, err
	}
	return plan, nil
}

// pass decides on every file that stands in the publish folder and that the plan does not know yet.
func (p *Plan) pass(ctx context.Context) error {
	if err := p.walk(); err != nil {
		return err
	}
	names := slices.AppendSeq(slices.Clone(p.folder.names), maps.Keys(p.made))
	slices.Sort(names)
	names = slices.Compact(names)
	p.findControl(names)
	known := map[string]bool{}
	for _, pg := range p.Pages {
		known[pg.Name] = true
	}
	rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return known[name] })
	err := p.each(ctx, rest, func(e *editor, name string) error {
		e.planning = true
		f := p.m.File(name)
		if !f.HTML {
			p.add(p.asset(f))
			return nil
		}
		src, fresh := p.made[name]
		if !fresh {
			var err error
			if src, err = e.reader.Read(p.path(name)); errors.Is(err, disk.ErrTooLarge) {
				p.add(e.tooLarge(f))
				return nil
			} else if err != nil {
				return err
			}
		}
		pg, _ := e.html(f, src, fresh)
		if pg.Changes && !fresh && e.reader.Links > 1 {
			pg.finding("hard-link", policy.Warning, 0, "the file has a second name (a hard link), which keeps the old bytes: pages are replaced, never changed in place")
		}
		p.add(pg)
		return nil
	})
	if err != nil {
		return err
	}
	p.finish(names)
	return nil
}

func (p *Plan) path(name string) string {
	return filepath.Join(p.project.settings.Publish, filepath.FromSlash(name))
}

// Published is the name of a published file for messages; name is from the publish root.
func (p *Plan) Published(name string) string { return p.project.short(p.path(name)) }

// Style is how the policy is printed.
func (p *Plan) Style() policy.Style { return p.project.Policy.Style }

func (p *Plan) add(pg *Page) {
	p.mu.Lock()
	p.Pages = append(p.Pages, pg)
	p.progress()
	p.mu.Unlock()
}

// progress tells how many files are decided; p.mu is held.
func (p *Plan) progress() {
	if tell := p.project.options.Progress; tell != nil {
		tell(len(p.Pages))
	}
}

func (p *Plan) report(f policy.Finding) { p.Findings = append(p.Findings, f) }

// each calls do for every name from several workers, each with an editor of its own, and collects the errors.
func (p *Plan) each(ctx context.Context, names []string, do func(e *editor, name string) error) error {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
		next int
	)
	for range min(max(4, 2*runtime.NumCPU()), max(1, len(names))) {
		wg.Go(func() {
			e := newEditor(p)
			for {
				mu.Lock()
				if next == len(names) || ctx.Err() != nil {
					mu.Unlock()
					return
				}
				name := names[next]
				next++
				mu.Unlock()
				if err := do(e, name); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// findControl adds the sitemaps that robots.txt or a sitemap index names to the files that never get a policy (L6).
func (p *Plan) findControl(names []string) {
	published := func(name string) bool {
		_, found := slices.BinarySearch(names, name)
		return found
	}
	var index func(root, name string)
	add := func(root, location string) {
		to, ok := p.project.leads(path.Join(root, "robots.txt"), location, true)
		name, err := url.PathUnescape(strings.TrimPrefix(to, "/"))
		if ok && err == nil && published(name) && !p.control[name] {
			p.control[name] = true
			index(root, name)
		}
	}
	index = func(root, name string) {
		f, err := p.project.root.Open(p.path(name))
		if err != nil {
			return
		}
		defer f.Close()
		var r io.Reader = io.LimitReader(f, maxSitemap)
		if strings.HasSuffix(name, ".gz") {
			if r, err = gzip.NewReader(r); err != nil {
				return
			}
		}
		text := bufio.NewReaderSize(io.LimitReader(r, maxSitemap), 64<<10)
		if begin, _ := text.Peek(64 << 10); !bytes.Contains(begin, []byte("sitemapindex")) {
			return // most are lists of pages, and long
		}
		d := xml.NewDecoder(text)
		inIndex, inLoc := false, false
		for {
			t, err := d.Token()
			if err != nil {
				return
			}
			switch t := t.(type) {
			case xml.StartElement:
				if t.Name.Local == "urlset" {
					return // the pages themselves are no control files
				}
				inIndex = inIndex || t.Name.Local == "sitemapindex"
				inLoc = inIndex && t.Name.Local == "loc"
			case xml.EndElement:
				inLoc = false
			case xml.CharData:
				if inLoc {
					add(root, string(t))
				}
			}
		}
	}
	for _, root := range p.project.roots() {
		data, _, err := p.project.readRobots(p.path(path.Join(root, "robots.txt")))
		if err == nil {
			for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
				line, _, _ = bytes.Cut(line, []byte("#"))
				if key, value, ok := strings.Cut(string(line), ":"); ok && strings.EqualFold(strings.TrimSpace(key), "sitemap") {
					add(root, value)
				}
			}
		}
		for _, name := range names {
			if site.IsSitemap(name) && (root == "" || strings.HasPrefix(name, root+"/")) {
				index(root, name)
			}
		}
	}
}

// finish sorts what the workers found, plans the headers and adds the findings about the whole.
func (p *Plan) finish(names []string) {
	for _, pg := range p.Pages {
		if pg.drifted {
			pg.finding("edited", policy.Warning, 0, "its robots tags are not what metarobots wrote: it was edited by hand, or made anew without metarobots; apply and build mend it")
		}
	}
	byName := func(a, b *Page) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(p.Pages, byName)
	p.followLinks()
	early := p.Findings
	p.Findings = append(slices.Clone(p.project.findings), early...)
	for _, h := range p.Headers {
		p.Findings = append(p.Findings, h.oddLines()...)
	}
	p.Findings = append(p.Findings, p.m.Findings()...)
	p.planHeaders()
	for _, pg := range p.Pages {
		for _, f := range pg.findings {
			if f.File == pg.Name {
				f.File = p.Published(pg.Name)
			}
			p.report(f)
		}
	}
	for _, h := range p.Headers {
		p.publishes(h.name, h.New)
	}
	p.planRobots()
	for _, r := range p.Robots {
		p.publishes(r.name, r.New)
	}
	slices.SortFunc(p.Pages, byName)
	p.planSitemaps()
	p.audit()
	p.unused()
	p.unusedLinks()
	p.guard()
	p.missing(names)
	p.twins(names)
	p.siblings(names)
	p.suppress()
}

// publishes adds a file that we make to those that are published; name is empty for one that is not.
func (p *Plan) publishes(name string, data []byte) {
	if data != nil && name != "" && !slices.ContainsFunc(p.Pages, func(pg *Page) bool { return pg.Name == name }) {
		p.Pages = append(p.Pages, p.asset(p.m.File(name)))
	}
}

// unused reports what of the policy selected nothing (S4).
func (p *Plan) unused() {
	for _, u := range p.usage.Unused() {
		f := policy.Finding{ID: "selects-nothing", Severity: policy.Warning}
		var o policy.Origin
		config := p.project.Config
		switch v := &p.project.Policy.Visibility; {
		case u.Rule >= 0:
			r := &p.project.Policy.Rules[u.Rule]
			o = r.Origin
			o.Key = fmt.Sprintf("%s.%s[%d]", o.Key, u.Group, u.Index)
			if _, line := config.Locate("rules", fmt.Sprint(u.Rule), u.Group, fmt.Sprint(u.Index)); line > 0 {
				o.Line = line
			}
		case u.Index < 0:
			o = v.Paginated.Origin
		default:
			o = map[string][]policy.Visible{"kinds": v.Kinds, "archives": v.Archives, "types": v.Types, "sections": v.Sections,
				"languages": v.Languages, "formats": v.Formats}[u.Group][u.Index].Origin
		}
		f.File, f.Line = o.File, o.Line
		f.Message = fmt.Sprintf("%s: %q selects nothing", o.Key, u.Name)
		if u.Group == "match" {
			f.Severity = policy.Error
			f.Message += " (allowEmpty = true on the rule if that is meant)"
		}
		p.report(f)
	}
}

// guard reports a site that is about to leave the index in an environment that states nothing (S3).
func (p *Plan) guard() {
	if len(p.project.Policy.Environment) > 0 {
		return
	}
	counted, hidden := 0, 0
	for _, pg := range p.Pages {
		if pg.Role != policy.RolePage || pg.Of != nil || pg.Pager > 1 {
			continue
		}
		home := pg.Kind == "home" || pg.Kind == "" && pg.Name == "index.html"
		if !home && pg.Kind != "section" && pg.Kind != "page" && pg.Kind != "" {
			continue
		}
		counted++
		if !pg.Decision.NoIndex() {
			continue
		}
		hidden++
		if home && !languageHidden(pg) {
			p.report(policy.Finding{ID: "guard", Severity: policy.Error, URL: pg.URL, File: p.Published(pg.Name),
				Message: "the home page is noindex in " + p.project.Environment.Name})
		}
	}
	for _, r := range p.Robots {
		if v := r.file.Ask(robotsCrawlers[0], p.project.base(r.Root)+"/"); !v.Allowed {
			p.report(policy.Finding{ID: "guard", Severity: policy.Error, URL: "/", File: r.File, Line: v.Line,
				Message: fmt.Sprintf("%q keeps %s from the home page in %s", v.Rule, robotsCrawlers[0], p.project.Environment.Name)})
		}
	}
	if limit := p.project.Config.Robots.GuardNoindex; counted > 0 && float64(hidden) > limit*float64(counted) {
		p.report(policy.Finding{ID: "guard", Severity: policy.Error,
			Message: fmt.Sprintf("%d of %d home, section and ordinary pages are noindex in %s, more than robots.guard.noindex = %v allows", hidden, counted, p.project.Environment.Name, limit)})
	}
}

// languageHidden reports whether a page is noindex for its language alone, which visibility hides on purpose.
func languageHidden(pg *Page) bool {
	for _, s := range pg.Decision.Statements {
		if s.Crawler == "" && s.Directives.NoIndex() && !(s.Origin.Layer == policy.LayerVisibility && strings.Contains(s.Origin.Key, "visibility.languages.")) {
			return false
		}
	}
	return true
}

// missing reports pages of the site that are not in the publish folder.
func (p *Plan) missing(names []string) {
	if p.building {
		return
	}
	var missing []string
	for _, name := range p.m.Expected() {
		if _, ok := slices.BinarySearch(names, name); !ok {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		p.report(policy.Finding{ID: "not-published", Severity: policy.Note, File: p.Published(missing[0]),
			Message: fmt.Sprintf("%d files of the site's pages are not published, such as this one: was the folder built from this source?", len(missing))})
	}
}

// twins reports two files for one URL: x.html and x/index.html.
func (p *Plan) twins(names []string) {
	for _, name := range names {
		if dir, ok := strings.CutSuffix(name, "/index.html"); ok {
			if _, ok := slices.BinarySearch(names, dir+".html"); ok {
				p.report(policy.Finding{ID: "two-files", Severity: policy.Warning, URL: "/" + dir, File: p.Published(name),
					Message: fmt.Sprintf("%s.html and this file are both served at /%s: hosts differ in which", dir, dir)})
			}
		}
	}
}
