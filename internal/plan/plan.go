package plan

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
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

	"metarobots/emit/sitemap"
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
	// Listed are the sitemaps that list pages which may be wrong there.
	Listed []SitemapPages
	// Robots are the robots.txt files that are there or are to be made, one for each host.
	Robots []*RobotsFile
	// Findings are what planning itself has to say: see package check for those about the whole.
	Findings Findings
	// Overflow is set where the rules that are needed do not fit the host's limit (N2).
	Overflow error

	project  *Project
	m        site.Map
	usage    *policy.Usage
	linkUse  linkUse
	control  map[string]bool
	mu       sync.Mutex       // Pages and reported while workers run
	reported []policy.Finding // since the last stage
	// made are files as a build made them that it has not written, by name: sitemaps, which are filtered at the end, and
	// in a dry run every file. nil where nothing but its being there is known.
	made     map[string][]byte
	building bool           // static files are not published before the plan begins
	index    map[string]int // Pages by name, while a build goes on
	suspects []*suspect
	shared   shared
	netlify  *netlifyTOML
	folder   listing // what was found in the publish folder
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
	p.finish()
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

// Findings are what a reader should know of a plan, by the stage that came upon it.
type Findings struct {
	// Site is about the configuration, the publish folder and the header files; Pages is in the order of files.
	Site, Pages, Robots, Sitemaps []policy.Finding
}

func (p *Plan) report(f policy.Finding) { p.reported = append(p.reported, f) }

// take returns what was reported since it was last called.
func (p *Plan) take() []policy.Finding {
	reported := p.reported
	p.reported = nil
	return reported
}

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
		data, err := io.ReadAll(text)
		if err != nil {
			return
		}
		if f, err := sitemap.Read(data); err == nil && f.Index {
			for _, e := range f.Entries {
				add(root, e.Loc)
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

// finish sorts what the workers found, and plans what is beside the pages.
func (p *Plan) finish() {
	for _, pg := range p.Pages {
		if pg.drifted {
			pg.finding("edited", policy.Warning, 0, "its robots tags are not what metarobots wrote: it was edited by hand, or made anew without metarobots; apply and build mend it")
		}
	}
	byName := func(a, b *Page) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(p.Pages, byName)
	p.followLinks()
	early := p.take()
	for _, h := range p.Headers {
		early = append(early, h.oddLines()...)
	}
	p.planHeaders()
	p.Findings.Site = slices.Concat(p.project.findings, early, p.m.Findings(), p.take())
	for _, pg := range p.Pages {
		for _, f := range pg.findings {
			if f.File == pg.Name {
				f.File = p.Published(pg.Name)
			}
			p.Findings.Pages = append(p.Findings.Pages, f)
		}
	}
	for _, h := range p.Headers {
		p.publishes(h.name, h.New)
	}
	p.planRobots()
	p.Findings.Robots = p.take()
	for _, r := range p.Robots {
		p.publishes(r.name, r.New)
	}
	slices.SortFunc(p.Pages, byName)
	p.planSitemaps()
	p.Findings.Sitemaps = p.take()
}

// publishes adds a file that we make to those that are published; name is empty for one that is not.
func (p *Plan) publishes(name string, data []byte) {
	if data != nil && name != "" && !slices.ContainsFunc(p.Pages, func(pg *Page) bool { return pg.Name == name }) {
		p.Pages = append(p.Pages, p.asset(p.m.File(name)))
	}
}
