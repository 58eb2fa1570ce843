// Package initpolicy writes the first policy of a site from what is seen there. What the site's own
// files leave no doubt of, and what hides no page, is set; everything that would take pages out of
// an index is a suggestion, which its owner uses by removing a #.
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

// A Starter is the first policy of a site, and what was seen there. policy.tmpl makes the text of
// it.
type Starter struct {
	// Suggestions are what the policy holds as comments; each hides something.
	Suggestions []*Suggestion

	// Sourced: a page's content file is known.
	Sourced bool
	// Tagged is how many pages carry robots tags as they are.
	Tagged int
	// Unprinted are pages that are noindex without a policy, by what their front matter or the
	// site's configuration says, and do not say so as they are.
	Unprinted Pages
	// Served are those that only the header file of the site's host makes noindex.
	Served Pages
	// Now is what pages and headers say as they are; Applied what they say with the policy, or with
	// none: the same; All with all suggestions.
	Now, Applied, All Tally

	// Source and Destination are the folders of the site and of its pages; empty if the policy need
	// not name them.
	Source, Destination string
	// Branch may be that of production, if a host names the branch that it builds; empty if none
	// does.
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
	// Leaving is how many of its home, section and ordinary pages are noindex, Counted how many
	// there are.
	Leaving, Counted int
}

// A Tally is how many pages are indexable, and how many noindex.
type Tally struct {
	Indexable int `json:"indexable"`
	Noindex   int `json:"noindex"`
}

// New looks at a site and makes its first policy, which is to be in a file, by its absolute name.
// With isNamed, the policy names the publish folder, since that is not where the generator says.
// The policy decides what no policy would decide, and besides only what the header files of the
// site's host say already.
func New(ctx context.Context, p *plan.Plan, file string, isNamed bool) (*Starter, error) {
	s := &Starter{plan: p, headers: true}
	s.setFolders(file, isNamed)
	s.setHosts()
	if err := s.proveHarmless(ctx); err != nil {
		return nil, err
	}
	s.lookAtPages()
	s.Suggestions = s.suggestions()
	return s, s.weigh(ctx)
}

// lookAtPages sets what the pages say as they are.
func (s *Starter) lookAtPages() {
	for _, pg := range s.plan.Pages {
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
	s.Now = tally(s.plan.Pages, isPublishedNoindex)
}

// isPublishedNoindex reports whether a page is noindex as it is published and as its host serves
// it.
func isPublishedNoindex(pg *plan.Page) bool {
	var p policy.Policy
	d := p.Resolve(slices.Concat(pg.File.Found, pg.File.Headers))
	return d.NoIndex()
}

// decided reports whether a page is noindex by the plan that it is of.
func decided(pg *plan.Page) bool { return pg.Decision.NoIndex() }

// tally counts the files that are pages.
func tally(pages []*plan.Page, isNoindex func(*plan.Page) bool) (t Tally) {
	for _, pg := range pages {
		switch {
		case pg.File.Role != policy.RolePage:
		case isNoindex(pg):
			t.Noindex++
		default:
			t.Indexable++
		}
	}
	return t
}

// setFolders settles [site]: where the site is, from the policy file, and where its pages are. A
// publish folder outside of the site is not named, since nobody else who builds the site has it.
func (s *Starter) setFolders(file string, isNamed bool) {
	if source := relative(filepath.Dir(file), s.plan.Project.Source); source != "." {
		s.Source = source
	}
	publish := relative(s.plan.Project.Source, s.plan.Project.Settings.Publish)
	if isNamed && filepath.IsLocal(publish) {
		s.Destination = publish
	}
}

// relative is the path of a folder from another; the folder as it is if there is none, as on
// another drive.
func relative(from, folder string) string {
	if path, err := filepath.Rel(from, folder); err == nil {
		return path
	}
	return folder
}

// setHosts settles [robots.headers] and what tells production from a preview, by the files that
// hosts read.
func (s *Starter) setHosts() {
	seen := slices.DeleteFunc(hosts.InFolders(s.plan.Project.Folders()...), func(h hosts.Seen) bool { return h.Weak })
	s.Seen.By = strings.Join(unique(seen, func(h hosts.Seen) string { return h.By }), ", ")
	s.Seen.Targets = unique(seen, func(h hosts.Seen) string { return h.Host.Target })
	if slices.ContainsFunc(seen, func(h hosts.Seen) bool { return len(h.Host.Build.Branches) > 0 }) {
		// It is only suggested: the host's settings name it, no file does, and a wrong name would
		// make the site noindex.
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
func unique(seen []hosts.Seen, textOf func(hosts.Seen) string) (texts []string) {
	for _, s := range seen {
		if text := textOf(s); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// agreed is the one target for all hosts that are seen; empty if there is none. Several that read
// _headers share one.
func agreed(seen []hosts.Seen) string {
	targets := unique(seen, func(s hosts.Seen) string { return s.Host.Target })
	readsAnotherFile := func(s hosts.Seen) bool { return s.Host.File != hosts.HeadersFile }
	switch {
	case len(targets) == 1:
		return targets[0]
	case len(targets) == 0, slices.ContainsFunc(seen, readsAnotherFile):
		return ""
	}
	return headers.TargetPortable
}

// proveHarmless plans the site with the policy as it is written, proves that no page is restricted
// less than without it, and sets what the policy makes of the site: Served, Applied and Guard. If
// the file of the target cannot be read, or would make something looser, it tries once more with a
// policy that names no target, which the owner has to choose.
func (s *Starter) proveHarmless(ctx context.Context) error {
	after, err := s.replan(ctx, s.Text(AsComments))
	if err == nil {
		err = s.looser(after)
	}
	if namesTarget := len(s.Seen.Targets) > 0 && !s.Seen.Choice; namesTarget && isInvalid(err) {
		s.Seen.Choice, s.headers = true, true
		return s.proveHarmless(ctx)
	}
	if err != nil {
		return err
	}
	for _, pg := range s.plan.Pages {
		if decision(after, pg).NoIndex() && !decided(pg) {
			s.Served = append(s.Served, pg)
		}
	}
	s.Applied = tally(after.Pages, decided)
	s.Guard = guardNeed(after)
	return nil
}

// guardNeed is what the guard needs to let a site pass as it is planned.
func guardNeed(p *plan.Plan) (need GuardNeed) {
	need.Leaving, need.Counted = plan.Leaving(p, decided)
	share := p.Project.Config.Robots.Guard.Noindex // that the guard lets pass
	if float64(need.Leaving) > share*float64(need.Counted) {
		need.Key = plan.GuardKey(need.Leaving, need.Counted)
	}
	return need
}

// looser is the error about a page that another plan restricts less; nil if there is none.
func (s *Starter) looser(after *plan.Plan) error {
	for _, pg := range s.plan.Pages {
		if !decision(after, pg).AtLeast(pg.Decision) {
			return project.Invalid(fmt.Errorf("%s: a page would be restricted less than without a policy", pg.URL))
		}
	}
	return nil
}

// isInvalid reports whether an error is about the policy or the files of the site, and not about
// this machine.
func isInvalid(err error) bool {
	_, invalid := errors.AsType[*project.InvalidError](err)
	return invalid
}

// decision is what another plan of the site decides on a page. That plan may lack a header file,
// which has no policy: its decision states nothing.
func decision(after *plan.Plan, pg *plan.Page) *policy.Decision {
	if same := after.Page(pg.File.Name); same != nil {
		return same.Decision
	}
	return &policy.Decision{}
}

// policyName is what messages call a policy that is not written yet.
const policyName = "metarobots.toml"

// replan plans the site anew as if text were its policy file. What [site] says of its place
// (source, destination, generator, content) stays as it was, and nothing is rendered.
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

// relist reads front matter anew, by other keys. What a generator has in memory already is not made
// twice.
func (s *Starter) relist(ctx context.Context, o frontmatter.Config) (site.Map, error) {
	if relister, ok := s.plan.Project.Site.(site.Relister); ok {
		return relister.Relist(o)
	}
	return s.plan.Project.Site.List(ctx, o, s.plan.Folder.Stored())
}

// leastPagesEach is how many pages the site has, at least, for each page that a suggestion may
// hide. A name with more pages is likelier the site's subject than what its owner wants hidden.
const leastPagesEach = 3

// weigh finds what each suggestion would hide ([Suggestion.Hides]), keeps those that are worth a
// comment, and sets s.All. It is the last step of [New], and goes by one plan of the site with all
// suggestions taken.
func (s *Starter) weigh(ctx context.Context) error {
	text, after, err := s.planWithAll(ctx)
	if err != nil {
		return err
	}
	s.setHides(string(text), after)
	s.Suggestions = slices.DeleteFunc(s.Suggestions, func(g *Suggestion) bool {
		isTooMany := leastPagesEach*countPages(g.Hides) > s.Now.Indexable+s.Now.Noindex
		return len(g.Hides) == 0 || isTooMany && !g.hidesMany
	})
	isSuggested := map[*plan.Page]bool{} // by what is kept
	for _, g := range s.Suggestions {
		for _, pg := range g.Hides {
			isSuggested[pg] = true
		}
	}
	s.All = tally(s.plan.Pages, func(pg *plan.Page) bool { return isSuggested[pg] || s.isHidden(pg) })
	return nil
}

// isHidden reports whether a page is noindex without any suggestion.
func (s *Starter) isHidden(pg *plan.Page) bool { return decided(pg) || slices.Contains(s.Served, pg) }

// setHides sets for each suggestion which pages it would hide: those that are not hidden without
// it, and that have a statement in after, the plan with all suggestions, from the suggestion's
// lines of the policy or from its key of front matter. text is the policy of that plan.
func (s *Starter) setHides(text string, after *plan.Plan) {
	stated := map[*plan.Page][]policy.Statement{} // with all suggestions, of the pages not hidden now
	for _, pg := range s.plan.Pages {
		if !s.isHidden(pg) {
			stated[pg] = decision(after, pg).Statements
		}
	}
	for _, g := range s.Suggestions {
		g.setLine(text)
		for _, pg := range s.plan.Pages {
			if slices.ContainsFunc(stated[pg], g.says) {
				g.Hides = append(g.Hides, pg)
			}
		}
		g.Hides.sort()
	}
}

// countPages counts the pages among files: not what is published beside them.
func countPages(files []*plan.Page) (n int) {
	for _, file := range files {
		if file.File.Role == policy.RolePage {
			n++
		}
	}
	return n
}

// setLine finds where the lines of a suggestion begin in the text of the policy.
func (g *Suggestion) setLine(text string) {
	before, _, _ := strings.Cut(text, "\n"+strings.Join(g.Lines, "\n")+"\n")
	g.line = strings.Count(before, "\n") + 2 // the line behind the one that ends there
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
