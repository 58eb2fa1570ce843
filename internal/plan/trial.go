package plan

import (
	"context"
	"slices"

	"metarobots/internal/config"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Look plans what is published or, where the generator is compiled in and no page stands there yet, what a build would
// publish: it is rendered, and nothing is written. rendered tells which.
func Look(ctx context.Context, p *project.Project) (s *Site, rendered bool, err error) {
	if p.Builds() {
		if folder, _ := p.Walk(); !slices.ContainsFunc(folder.Names, site.IsHTML) {
			s, err = Build(ctx, p, true)
			return s, true, err
		}
	}
	s, err = New(ctx, p)
	return s, false, err
}

// Try decides on the site's pages anew as if text were the policy file: one decision for each of [Site.Pages]. Nothing
// is rendered or read again but the header files of the hosts that it names, and front matter where it names keys of
// it. Where the site lies ([site] source, destination, generator, content) is not asked again.
func (s *Site) Try(ctx context.Context, name string, text []byte) ([]policy.Decision, error) {
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
		if more, err = other.Site.List(ctx, other.Config.Robots.FrontMatter, s.maker.folder.Names); err != nil {
			return nil, project.Invalid(err)
		}
	}
	trial, err := newPlanner(&other, s.maker.m, s.maker.building, s.maker.made)
	if err != nil {
		return nil, err
	}
	decisions := make([]policy.Decision, len(s.Pages))
	for i, pg := range s.Pages {
		if !pg.Role.Policed() {
			continue
		}
		subject := pg.Subject
		if more != nil {
			restate(&subject, more.File(pg.Name))
		}
		subject.Headers = trial.headersFor(pg.Name)
		decisions[i] = other.Policy.Decide(&subject)
	}
	return decisions, nil
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

// Tags returns the pages that a build would publish, and the robots tags of a file as text: what is decided without
// reading anything that is published. An [*project.InvalidError] lists front matter that cannot be read.
func Tags(ctx context.Context, p *project.Project) (m site.Map, tags func(site.File) string, err error) {
	if m, err = p.Site.List(ctx, p.Config.Robots.FrontMatter, nil); err != nil {
		return nil, nil, project.Invalid(err)
	}
	pl, err := newPlanner(p, m, true, nil) // header rules are read from static files
	return m, func(f site.File) string { return pl.asset(f).html }, err
}
