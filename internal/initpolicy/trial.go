package initpolicy

import (
	"context"

	"metarobots/internal/config"
	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// try decides on the site's pages anew as if text were the policy file: one decision for each of the pages of the plan.
// Nothing is rendered or read again but the header files of the hosts that it names, and front matter where it names
// keys of it. Where the site lies ([site] source, destination, generator, content) is not asked again.
func try(ctx context.Context, s *plan.Plan, name string, text []byte) ([]policy.Decision, error) {
	values, at, err := config.ParseFile(name, text)
	if err != nil {
		return nil, project.Invalid(err)
	}
	other := *s.Project
	other.Findings = nil
	if other.Config, err = config.Parse(values, at, nil); err != nil {
		return nil, project.Invalid(err)
	}
	if err := other.ChoosePolicy(); err != nil {
		return nil, project.Invalid(err)
	}
	var more site.Map // what further keys of front matter state
	if len(other.Config.Robots.FrontMatter.Keys) > 0 {
		if more, err = other.Site.List(ctx, other.Config.Robots.FrontMatter, s.Folder.Names); err != nil {
			return nil, project.Invalid(err)
		}
	}
	trial, err := headerfile.Read(&other, s.Map, s.Source)
	if err != nil {
		return nil, err
	}
	decisions := map[*plan.Page]*policy.Decision{}
	var decide func(*plan.Page) *policy.Decision
	decide = func(pg *plan.Page) *policy.Decision {
		if d := decisions[pg]; d != nil {
			return d
		}
		decisions[pg] = &policy.Decision{} // of a copy of itself, and of files that have no policy
		if !pg.File.Role.Policed() {
			return decisions[pg]
		}
		subject := pg.File.Subject
		if more != nil {
			restate(&subject, more.File(pg.File.Name))
		}
		if of := s.Page(pg.File.CopyOf); pg.File.CopyOf != "" && of != nil {
			subject.Restrict(decide(of))
		}
		if s.TwinOf(pg) != nil {
			other.Config.Robots.Twins.State(&subject)
		}
		subject.Headers = trial.States(pg.File.Name)
		d := other.Policy.Decide(&subject)
		decisions[pg] = &d
		return &d
	}
	all := make([]policy.Decision, len(s.Pages))
	for i, pg := range s.Pages {
		all[i] = *decide(pg)
	}
	return all, nil
}

// restate adds to a subject what its content, read with further keys, states beyond what was known: a page may have
// told more of itself.
func restate(s *policy.Subject, f site.File) {
	s.Page = policy.Union(s.Page, f.Page)
	s.Owners = f.Owners
	if s.Claimed != nil {
		claimed := *s.Claimed
		claimed.Page = policy.Union(claimed.Page, f.Page)
		s.Claimed = &claimed
	}
	if s.Of != nil && f.Of != nil {
		of := *s.Of
		of.Statements = policy.Union(of.Statements, f.Of.Statements)
		s.Of = &of
	}
}
