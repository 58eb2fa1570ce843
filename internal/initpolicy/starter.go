package initpolicy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/hosts"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/policy"
)

// Options say where the policy is to stand.
type Options struct {
	// File is the policy file that is to be written, absolute.
	File string
	// Named: the publish folder is not where its generator says, or nobody knows: the policy is to name it.
	Named bool
}

// A Starter is the first policy of a site, and what was seen there.
type Starter struct {
	// Suggestions are what the policy holds as comments, each of which hides something.
	Suggestions []*Suggestion
	// Survey is what was seen.
	Survey Survey

	plan    *plan.Plan
	draft   draft
	headers bool // the host serves headers of ours
}

// New looks at an opened site and at what is published of it, and makes its first policy. The policy decides nothing
// otherwise than no policy would, but for what the header files of the site's host say already.
func New(ctx context.Context, p *plan.Plan, o Options) (*Starter, error) {
	s := &Starter{plan: p, headers: true}
	s.place(o)
	s.host()
	if err := s.harmless(ctx); err != nil {
		return nil, err
	}
	s.survey()
	s.Suggestions = s.suggestions()
	return s, s.weigh(ctx)
}

// policyName is what messages call a policy that is not written yet.
const policyName = "metarobots.toml"

// place settles [site]: where the site lies, from the policy file, and where its pages are.
func (s *Starter) place(o Options) {
	from := func(base, folder string) string {
		if rel, err := filepath.Rel(base, folder); err == nil {
			return rel
		}
		return folder
	}
	if source := from(filepath.Dir(o.File), s.plan.Project.Source); source != "." {
		s.draft.Source = source
	}
	// A folder elsewhere is there for nobody else who builds the site.
	if to := from(s.plan.Project.Source, s.plan.Project.Settings.Publish); o.Named && filepath.IsLocal(to) {
		s.draft.Destination = to
	}
}

// host settles [robots.headers] and what tells production from a preview, by the files that hosts read.
func (s *Starter) host() {
	seen := slices.DeleteFunc(hosts.InFolders(s.plan.Project.Folders()...), func(h hosts.Seen) bool { return h.Weak })
	if len(seen) == 0 {
		return
	}
	s.draft.Hosts = strings.Join(unique(seen, func(h hosts.Seen) string { return h.By }), ", ")
	s.draft.Targets = unique(seen, func(h hosts.Seen) string { return h.Host.Target })
	if slices.ContainsFunc(seen, func(h hosts.Seen) bool { return len(h.Host.Branches) > 0 }) {
		// A suggestion: Cloudflare's settings name it, no file does, and a wrong name would make the site noindex there.
		s.draft.Branch = "main"
	}
	if name := agreed(seen); name != "" {
		s.draft.Targets, s.headers = []string{name}, name != headers.TargetNone
	} else {
		s.draft.Choice = true
	}
}

// harmless proves that the policy as it is written decides nothing otherwise. A target whose file cannot be read, or
// with which something were looser, is left to the owner.
func (s *Starter) harmless(ctx context.Context) error {
	stricter, err := s.compare(ctx)
	if invalid := (*project.InvalidError)(nil); err != nil && !errors.As(err, &invalid) && !errors.Is(err, errLooser) {
		return err
	}
	if err != nil && len(s.draft.Targets) > 0 {
		s.draft.Choice, s.headers = true, true
		stricter, err = s.compare(ctx)
	}
	s.Survey.Served = stricter
	return err
}

var errLooser = errors.New("a page would be told less than without a policy")

// compare decides with the policy as it is written, and returns the pages that are noindex with it and are not without:
// those of which the host's own header file says so.
func (s *Starter) compare(ctx context.Context) (stricter []*plan.Page, err error) {
	after, err := try(ctx, s.plan, policyName, s.Text(false))
	if err != nil {
		return nil, err
	}
	for i, pg := range s.plan.Pages {
		if !after[i].AtLeast(pg.Decision) {
			return nil, fmt.Errorf("%s: %w", pg.URL, errLooser)
		}
		if after[i].NoIndex() && !pg.Decision.NoIndex() {
			stricter = append(stricter, pg)
		}
	}
	s.Survey.Applied = s.tally(func(i int, _ *plan.Page) bool { return after[i].NoIndex() })
	return stricter, nil
}

// weigh keeps the suggestions that hide something, and not more than a third of the pages: then a name is likelier the
// site's subject than what its owner wants hidden. All are taken at once, and each page counts for those that its
// decision names. A key of front matter under which a page has no boolean is left out.
func (s *Starter) weigh(ctx context.Context) error {
	text := s.Text(true)
	after, err := try(ctx, s.plan, policyName, text)
	if invalid := (*project.InvalidError)(nil); errors.As(err, &invalid) {
		message := strings.ToLower(err.Error())
		s.Suggestions = slices.DeleteFunc(s.Suggestions, func(g *Suggestion) bool {
			return g.key != "" && strings.Contains(message, g.key)
		})
		text = s.Text(true)
		after, err = try(ctx, s.plan, policyName, text)
	}
	if err != nil {
		return err
	}
	for _, g := range s.Suggestions {
		before, _, _ := strings.Cut(string(text), "\n"+strings.Join(g.Lines, "\n")+"\n")
		g.line = strings.Count(before, "\n") + 2
	}
	pages := s.Survey.Now.Indexable + s.Survey.Now.Noindex
	s.Suggestions = slices.DeleteFunc(s.Suggestions, func(g *Suggestion) bool {
		hidden := 0
		for i, pg := range s.plan.Pages {
			if pg.Decision.NoIndex() || slices.Contains(s.Survey.Served, pg) ||
				!slices.ContainsFunc(after[i].Statements, g.says) {
				continue
			}
			g.Hides = append(g.Hides, pg)
			if pg.File.Role == policy.RolePage {
				hidden++
			}
		}
		return len(g.Hides) == 0 || 3*hidden > pages
	})
	all := map[*plan.Page]bool{}
	for _, g := range s.Suggestions {
		byAddress(g.Hides)
		for _, pg := range g.Hides {
			all[pg] = true
			if rule := s.barred(pg); rule != "" {
				g.Barred++
				g.Rule = rule
			}
		}
	}
	s.Survey.All = s.tally(func(_ int, pg *plan.Page) bool {
		return all[pg] || pg.Decision.NoIndex() || slices.Contains(s.Survey.Served, pg)
	})
	return nil
}

// says reports whether a statement is what the suggestion says.
func (g *Suggestion) says(s policy.Statement) bool {
	if g.key != "" {
		return s.Origin.Layer == policy.LayerPage && strings.HasSuffix(strings.ToLower("."+s.Origin.Key), "."+g.key)
	}
	return s.Origin.File == policyName && s.Origin.Line >= g.line && s.Origin.Line < g.line+len(g.Lines)
}

// barred is the rule of robots.txt that keeps crawlers from a page; empty for none.
func (s *Starter) barred(pg *plan.Page) string {
	v, file := published.Robots(s.plan, pg, "", "googlebot")
	if v.Allowed {
		return ""
	}
	at := published.Place(s.plan, file, v, pg)
	return policy.Place(at.File, at.Line)
}

// Private is the error of a site that is looked at in an environment that is not public.
func Private(environment, by string) error {
	return fmt.Errorf("the environment is %s (from %s), in which everything is noindex; run init with -e production",
		environment, by)
}

// Configured is the error of a site that has a policy.
func Configured(at string) error {
	return fmt.Errorf("%s: there is already a policy, and init does not overwrite it: edit it and run metarobots "+
		"check, or move it away to start anew", strings.TrimSuffix(at, ":"))
}

// PagesFolder is the folder of pages in a folder whose generator is not known.
func PagesFolder(source string) (string, error) {
	found := project.PagesFolders(source)
	switch len(found) {
	case 1:
		return filepath.Join(source, filepath.FromSlash(found[0])), nil
	case 0:
		return "", fmt.Errorf("no site found in %s: no configuration of a known generator, and no pages in public, "+
			"dist, _site, build or out; name the folder of HTML pages: metarobots init DIR", source)
	}
	return "", fmt.Errorf("there are pages in %s, and no generator's configuration says which are published; name "+
		"the folder: metarobots init %s", strings.Join(found, ", "), found[len(found)-1])
}
