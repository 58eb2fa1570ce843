package plan

import (
	"iter"
	"slices"
	"strings"

	"metarobots/internal/result"
	"metarobots/policy"
)

// ResultPages are the pages in their public form, one after the other: a site may have more than are to be in memory.
func (s *Site) ResultPages() iter.Seq[result.Page] {
	return func(yield func(result.Page) bool) {
		for _, pg := range s.Pages {
			if !yield(s.ResultPage(pg)) {
				return
			}
		}
	}
}

// ResultPage returns a page in its public form.
func (s *Site) ResultPage(pg *Page) result.Page {
	r := result.Page{URL: pg.URL, File: pg.Name, Role: pg.Role.String(), Title: pg.Title, Kind: pg.Kind,
		Type: pg.Type, Section: pg.Section, Language: pg.Language, Format: pg.Format,
		Meta: map[string]string{}, Header: pg.Header, LeftToTag: s.LeftToTag(pg), Why: []result.Why{}}
	if pg.Unknown {
		r.Role = result.RoleUnknown
	}
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
		r.Why = append(r.Why, result.Why{Origin: s.Origin, States: s.States()})
	}
	return r
}

// LeftToTag reports whether a header file leaves a page to its meta tag.
func (s *Site) LeftToTag(pg *Page) bool {
	return pg.HTML && slices.ContainsFunc(s.Headers, func(h *HeaderFile) bool {
		name, ok := strings.CutPrefix(pg.Name, h.host.Root)
		_, left := slices.BinarySearch(h.Result.GivenUp, name)
		return ok && left
	})
}

// Summary counts what the plan holds, but for findings: see package check.
func (s *Site) Summary() result.Summary {
	environment := &s.Project.Environment
	sum := result.Summary{Environment: environment.Name, ChosenBy: environment.By,
		Private: environment.Private, Policy: s.Project.PolicyName(), Hosts: s.Project.HostURLs(),
		Publish: s.Project.Short(s.Project.Settings.Publish), Files: len(s.Pages), Headers: []result.HeaderFile{},
		Robots: []result.RobotsFile{}, NewlyNoindex: []string{}, Findings: map[policy.Severity]int{}}
	for _, pg := range s.Pages {
		pg.count(&sum)
	}
	for _, h := range s.Headers {
		target := h.Target
		if h.Former {
			target += ", no longer a target"
		}
		sum.Headers = append(sum.Headers, result.HeaderFile{File: h.File, Target: target, Rules: h.Result.Rules,
			Total: h.Result.Total, Limit: h.Result.Limit, GivenUp: len(h.Result.GivenUp),
			Changed: h.Changes(), Removed: h.removed()})
	}
	for _, m := range s.Sitemaps {
		if m.Dropped > 0 && !m.Index {
			sum.Sitemaps, sum.SitemapEntries = sum.Sitemaps+1, sum.SitemapEntries+m.Dropped
		}
	}
	for _, r := range s.Robots {
		sum.Robots = append(sum.Robots, result.RobotsFile{File: r.File, Changed: r.Changes(), Removed: r.removed()})
	}
	return sum
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
	if s.Links += int(pg.links); pg.links > 0 {
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
