// Package initpolicy writes the first policy of a site from what is seen there. What the site's own files leave no
// doubt of, and what hides no page, is set; everything that would take pages out of an index is a suggestion, which its
// owner uses by removing a #.
//
// Words of this package:
//
//	suggestion   some lines of configuration, and the pages that they would hide (Hides). Its table is the
//	             TOML table that they are in, "robots.visibility", or "" if they have one of their own.
//	names.toml   the names that suggestions go by: Closed sections, Documents, SearchData, Keys of
//	             front matter, and Pages by their group (legal, service)
//	headers      said of a site whose host serves headers of ours: only these can hide a file that is no
//	             HTML
//	published    isPublishedNoindex tells what pages and headers say now, without a policy of ours
//	decided      said of a page that is noindex by the plan without a policy
//	Served       the pages that only the header file of the site's host makes noindex
//	replan       plans the site as if a text were its policy file
//	tally        how many pages (RolePage, no other files) are indexable, and how many noindex
package initpolicy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/internal/hosts"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Starter is the first policy of a site, and what was seen there.
type Starter struct {
	// Suggestions are what the policy holds as comments; each hides something.
	Suggestions []*Suggestion

	// Sourced: a page's content file is known.
	Sourced bool
	// Tagged is how many pages carry robots tags as they are.
	Tagged int
	// Unprinted are pages that are noindex without a policy, by what their front matter or the site's configuration
	// says, and do not say so as they are.
	Unprinted Pages
	// Served are those that only the header file of the site's host makes noindex.
	Served Pages
	// Now is what pages and headers say as they are; Applied what they say with the policy, or with none: the same; All
	// with all suggestions.
	Now, Applied, All Tally

	// Source and Destination are the folders of the site and of its pages, empty where the policy need not name them.
	Source, Destination string
	// Branch may be that of Cloudflare's production.
	Branch string
	Seen   SeenHosts
	Guard  GuardNeed

	plan    *plan.Plan
	headers bool // the host serves headers of ours
}

// SeenHosts are the hosts that a site seems to be for.
type SeenHosts struct {
	// By are the files that tell of them.
	By string
	// Targets are their names in the policy.
	Targets []string
	// Choice: the owner has to choose one of them.
	Choice bool
}

// GuardNeed is what a site needs of [robots.guard] as it is.
type GuardNeed struct {
	// Key is the setting without which the site is an error. It is empty if the guard lets it pass.
	Key string
	// Leaving is how many of its home, section and ordinary pages are noindex, Counted how many there are.
	Leaving, Counted int
}

// A Tally is how many pages are indexable, and how many noindex.
type Tally struct {
	Indexable int `json:"indexable"`
	Noindex   int `json:"noindex"`
}

// New looks at a site and makes its first policy, which is to be in a file, absolute. With named, it names the
// publish folder, which is not where the generator says. The policy decides nothing otherwise than no policy would, but
// for what the header files of the site's host say already.
func New(ctx context.Context, p *plan.Plan, file string, named bool) (*Starter, error) {
	s := &Starter{plan: p, headers: true}
	s.place(file, named)
	s.host()
	if err := s.harmless(ctx); err != nil {
		return nil, err
	}
	for _, pg := range p.Pages {
		if pg.File.Role != policy.RolePage {
			continue
		}
		s.Sourced = s.Sourced || pg.File.Source != ""
		if len(pg.File.Found) > 0 {
			s.Tagged++
		}
		if !isPublishedNoindex(pg) && decided(pg) {
			s.Unprinted = append(s.Unprinted, pg)
		}
	}
	s.Unprinted.sort()
	s.Now = tally(p.Pages, isPublishedNoindex)
	s.Suggestions = s.suggestions()
	return s, s.weigh(ctx)
}

// isPublishedNoindex reports whether a page is noindex as it is published and as its host serves
// it.
func isPublishedNoindex(pg *plan.Page) bool {
	var p policy.Policy
	d := p.Resolve(slices.Concat(pg.File.Found, pg.File.Headers))
	return d.NoIndex()
}

func decided(pg *plan.Page) bool { return pg.Decision.NoIndex() }

// tally counts pages.
func tally(pages []*plan.Page, noindex func(*plan.Page) bool) (t Tally) {
	for _, pg := range pages {
		switch {
		case pg.File.Role != policy.RolePage:
		case noindex(pg):
			t.Noindex++
		default:
			t.Indexable++
		}
	}
	return t
}

// place settles [site]: where the site lies, from the policy file, and where its pages are.
func (s *Starter) place(file string, named bool) {
	from := func(base, folder string) string {
		if rel, err := filepath.Rel(base, folder); err == nil {
			return rel
		}
		return folder
	}
	if source := from(filepath.Dir(file), s.plan.Project.Source); source != "." {
		s.Source = source
	}
	// A folder elsewhere is there for nobody else who builds the site.
	if to := from(s.plan.Project.Source, s.plan.Project.Settings.Publish); named && filepath.IsLocal(to) {
		s.Destination = to
	}
}

// host settles [robots.headers] and what tells production from a preview, by the files that hosts read.
func (s *Starter) host() {
	seen := slices.DeleteFunc(hosts.InFolders(s.plan.Project.Folders()...), func(h hosts.Seen) bool { return h.Weak })
	s.Seen.By = strings.Join(unique(seen, func(h hosts.Seen) string { return h.By }), ", ")
	s.Seen.Targets = unique(seen, func(h hosts.Seen) string { return h.Host.Target })
	if slices.ContainsFunc(seen, func(h hosts.Seen) bool { return len(h.Host.Build.Branches) > 0 }) {
		// A suggestion: Cloudflare's settings name it, no file does, and a wrong name would make the site noindex there.
		s.Branch = "main"
	}
	switch target := agreed(seen); {
	case target == headers.TargetNone && s.plan.Folder.Has(hosts.HeadersFile):
		// Somebody publishes headers for another host, which a policy for none would not reach.
		s.Seen.By, s.Seen.Targets = s.Seen.By+", "+hosts.HeadersFile, []string{target, headers.TargetPortable}
	case target != "":
		s.Seen.Targets, s.headers = []string{target}, target != headers.TargetNone
	}
	s.Seen.Choice = len(s.Seen.Targets) > 1
}

// unique are the texts about hosts, each once.
func unique(seen []hosts.Seen, of func(hosts.Seen) string) (names []string) {
	for _, s := range seen {
		if name := of(s); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// agreed is the one target for all hosts that are seen, empty where there is none. Several that read _headers share it.
func agreed(seen []hosts.Seen) string {
	switch targets := unique(seen, func(s hosts.Seen) string { return s.Host.Target }); {
	case len(targets) == 1:
		return targets[0]
	case len(targets) == 0,
		slices.ContainsFunc(seen, func(s hosts.Seen) bool { return s.Host.File != hosts.HeadersFile }):
		return ""
	}
	return headers.TargetPortable
}

// harmless proves that the policy as it is written decides nothing otherwise. A target whose file cannot be read, or
// with which something were looser, is left to the owner.
func (s *Starter) harmless(ctx context.Context) error {
	after, err := s.replan(ctx, s.Text(AsComments))
	for _, pg := range s.plan.Pages {
		if err == nil && !decision(after, pg).AtLeast(pg.Decision) {
			err = project.Invalid(fmt.Errorf("%s: a page would be restricted less than without a policy", pg.URL))
		}
	}
	if isInvalid(err) && len(s.Seen.Targets) > 0 && !s.Seen.Choice {
		s.Seen.Choice, s.headers = true, true
		return s.harmless(ctx)
	} else if err != nil {
		return err
	}
	for _, pg := range s.plan.Pages {
		if decision(after, pg).NoIndex() && !decided(pg) {
			s.Served = append(s.Served, pg)
		}
	}
	s.Applied = tally(after.Pages, decided)
	s.Guard.Leaving, s.Guard.Counted = plan.Leaving(after, decided)
	if limit := after.Project.Config.Robots.Guard.Noindex; float64(s.Guard.Leaving) > limit*float64(s.Guard.Counted) {
		s.Guard.Key = plan.GuardKey(s.Guard.Leaving, s.Guard.Counted)
	}
	return nil
}

func isInvalid(err error) bool {
	_, invalid := errors.AsType[*project.InvalidError](err)
	return invalid
}

// decision is what another plan of the site decides on a page. A header file that it does not make has no policy.
func decision(after *plan.Plan, pg *plan.Page) *policy.Decision {
	if same := after.Page(pg.File.Name); same != nil {
		return same.Decision
	}
	return &policy.Decision{}
}

// policyName is what messages call a policy that is not written yet.
const policyName = "metarobots.toml"

// replan plans the site anew as if text were its policy file. Where the site lies ([site] source, destination,
// generator, content) is not asked again, and nothing is rendered.
func (s *Starter) replan(ctx context.Context, text []byte) (*plan.Plan, error) {
	other, pages := *s.plan.Project, s.plan.Map
	other.Findings, other.Options.Progress = nil, nil
	values, at, err := config.ParseFile(policyName, text)
	if err == nil {
		other.Config, err = config.Parse(values, at, config.NoHome)
	}
	if err == nil {
		err = other.ChoosePolicy()
	}
	if err == nil && len(other.Config.Robots.FrontMatter.Keys) > 0 {
		pages, err = s.relist(ctx, other.Config.Robots.FrontMatter)
	}
	if err != nil {
		return nil, project.Invalid(err)
	}
	mk, err := plan.NewMaker(&other, pages, s.plan.Source, s.plan.Folder.Names)
	if err != nil {
		return nil, err
	}
	return mk.Finish(ctx)
}

// relist reads front matter anew. What a generator has in memory already is not made twice.
func (s *Starter) relist(ctx context.Context, o frontmatter.Config) (site.Map, error) {
	if of, ok := s.plan.Project.Site.(site.Relister); ok {
		return of.Relist(o)
	}
	return s.plan.Project.Site.List(ctx, o, s.plan.Folder.Stored())
}

// mostOf is the part of the pages that a suggestion may hide: a third. A name with more pages is
// likelier the site's subject than what its owner wants hidden.
const mostOf = 3

// weigh finds what each suggestion would hide ([Suggestion.Hides]), and keeps those that hide
// something and, except old versions, not more than one in [mostOf] pages. It is the last step of [New], and sets s.All.
// To find it, the site is planned once with all suggestions taken; a page then counts for each
// suggestion that its decision names.
func (s *Starter) weigh(ctx context.Context) error {
	text, after, err := s.planWithAll(ctx)
	if err != nil {
		return err
	}
	for _, g := range s.Suggestions {
		before, _, _ := strings.Cut(string(text), "\n"+strings.Join(g.Lines, "\n")+"\n")
		g.line = strings.Count(before, "\n") + 2 // the line behind the one that ends there
	}
	isHidden := map[*plan.Page]bool{}             // without the suggestions
	stated := map[*plan.Page][]policy.Statement{} // of the other pages, with all suggestions
	for _, pg := range s.plan.Pages {
		if isHidden[pg] = decided(pg) || slices.Contains(s.Served, pg); !isHidden[pg] {
			stated[pg] = decision(after, pg).Statements
		}
	}
	s.Suggestions = slices.DeleteFunc(s.Suggestions, func(g *Suggestion) bool {
		for _, pg := range s.plan.Pages {
			if slices.ContainsFunc(stated[pg], g.says) {
				g.Hides = append(g.Hides, pg)
			}
		}
		g.Hides.sort()
		hides := tally(g.Hides, decided).Indexable // pages: files beside them do not count
		isTooMany := !g.hidesMany && mostOf*hides > s.Now.Indexable+s.Now.Noindex
		return len(g.Hides) == 0 || isTooMany
	})
	for _, g := range s.Suggestions {
		for _, pg := range g.Hides {
			isHidden[pg] = true
		}
	}
	s.All = tally(s.plan.Pages, func(pg *plan.Page) bool { return isHidden[pg] })
	return nil
}

// planWithAll plans the site with all suggestions taken, and returns the text of that policy. A key
// of front matter is a suggestion that no page may be ready for: if some page has a value there
// that is no boolean, planning fails, and the suggestion is dropped.
func (s *Starter) planWithAll(ctx context.Context) (text []byte, after *plan.Plan, err error) {
	text = s.Text(AsConfiguration)
	after, err = s.replan(ctx, text)
	if !isInvalid(err) {
		return text, after, err
	}
	faults := faultsOf(err)
	s.Suggestions = slices.DeleteFunc(s.Suggestions, func(g *Suggestion) bool {
		isAtFault := func(f *policy.Finding) bool { return g.isKey(f.Key) }
		return g.key != "" && slices.ContainsFunc(faults, isAtFault)
	})
	text = s.Text(AsConfiguration)
	after, err = s.replan(ctx, text)
	return text, after, err
}

// faultsOf are the findings among the errors that are joined in one.
func faultsOf(err error) (all []*policy.Finding) {
	switch e := err.(type) {
	case *policy.Finding:
		return []*policy.Finding{e}
	case interface{ Unwrap() error }:
		return faultsOf(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, each := range e.Unwrap() {
			all = append(all, faultsOf(each)...)
		}
	}
	return all
}

// isKey reports whether a key of front matter, with those above it, is the one of the suggestion.
func (g *Suggestion) isKey(key string) bool {
	return strings.HasSuffix(strings.ToLower("."+key), "."+g.key)
}

// says reports whether a statement is what the suggestion says.
func (g *Suggestion) says(s policy.Statement) bool {
	if g.key != "" {
		return s.Origin.Layer == policy.LayerPage && g.isKey(s.Origin.Key)
	}
	return s.Origin.File == policyName && s.Origin.Line >= g.line && s.Origin.Line < g.line+len(g.Lines)
}
