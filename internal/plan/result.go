package plan

import (
	"iter"
	"time"

	"metarobots/internal/result"
	"metarobots/policy"
)

// Now is the clock of the run (L7).
func (p *Plan) Now() time.Time { return p.project.Policy.Now }

// Site names the site by its address; empty where that is not known.
func (p *Plan) Site() string { return p.project.settings.BaseURL }

// ResultPages are the pages in their public form, one after the other: a site may have more than are to be in memory.
func (p *Plan) ResultPages() iter.Seq[result.Page] {
	return func(yield func(result.Page) bool) {
		for _, pg := range p.Pages {
			if !yield(p.ResultPage(pg)) {
				return
			}
		}
	}
}

// ResultPage returns a page in its public form.
func (p *Plan) ResultPage(pg *Page) result.Page {
	r := result.Page{URL: pg.URL, File: pg.Name, Role: pg.Role.String(), Title: pg.Title, Kind: pg.Kind, Type: pg.Type,
		Section: pg.Section, Language: pg.Language, Format: pg.Format,
		Meta: map[string]string{}, Header: pg.Header, Why: []result.Why{}}
	if r.Header == nil {
		r.Header = []string{}
	}
	for _, t := range pg.Carries {
		if was, ok := r.Meta[t.Name]; ok { // several tags of one name that are not ours to change
			t.Content = was + ", " + t.Content
		}
		r.Meta[t.Name] = t.Content
	}
	for _, s := range pg.Decision.Statements {
		r.Why = append(r.Why, result.Why{Statement: s})
	}
	r.Decision = result.Decide(r.Role, r.Meta, r.Header)
	return r
}

// Summary counts what the plan holds, but for findings: see package check.
func (p *Plan) Summary() result.Summary {
	environment, project := &p.project.Environment, p.project
	s := result.Summary{Environment: environment.Name, ChosenBy: environment.By, Private: len(environment.Statements) > 0,
		Policy: project.policyAt, Hosts: project.hosts(), Publish: project.short(project.settings.Publish),
		Files: len(p.Pages), Headers: []result.HeaderFile{}, Robots: []result.RobotsFile{},
		NewlyNoindex: []string{}, Findings: map[policy.Severity]int{}}
	for _, pg := range p.Pages {
		pg.count(&s)
	}
	for _, h := range p.Headers {
		target := h.Target
		if h.former {
			target += ", no longer a target"
		}
		s.Headers = append(s.Headers, result.HeaderFile{File: h.File, Target: target, Rules: h.Result.Rules,
			Total: h.Result.Total, Limit: h.Result.Limit, GivenUp: len(h.Result.GivenUp),
			Changed: h.Changes(), Removed: h.Old != nil && h.New == nil})
	}
	for _, m := range p.Sitemaps {
		if m.Dropped > 0 {
			s.Sitemaps, s.SitemapEntries = s.Sitemaps+1, s.SitemapEntries+m.Dropped
		}
	}
	for _, r := range p.Robots {
		s.Robots = append(s.Robots, result.RobotsFile{File: r.File, Changed: r.Changes(), Removed: r.Old != nil && r.New == nil})
	}
	return s
}

// count adds a page to a summary.
func (pg *Page) count(s *result.Summary) {
	switch {
	case pg.Role == policy.RoleRedirect:
		s.Redirects++
	case pg.Role == policy.RoleError:
		s.Errors++
	case pg.Role == policy.RolePage && pg.Decision.NoIndex():
		s.Pages, s.Noindex = s.Pages+1, s.Noindex+1
	case pg.Role == policy.RolePage:
		s.Pages, s.Indexable = s.Pages+1, s.Indexable+1
	case pg.Decision.Restricts():
		s.OtherRestricted++
	}
	if s.Links += pg.edits; pg.edits > 0 {
		s.LinkPages++
	}
	if !pg.HTML {
		return
	}
	if s.Tags += len(pg.Carries); pg.Changes {
		s.Changed++
	} else {
		s.Unchanged++
	}
}
