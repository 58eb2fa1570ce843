package plan

import (
	"context"

	"metarobots/internal/project"
	"metarobots/internal/site"
)

// Tags returns the pages that a build would publish, and the robots tags of a file as text: what is decided without
// reading anything that is published. An [*project.InvalidError] lists front matter that cannot be read.
func Tags(ctx context.Context, p *project.Project) (pages site.Map, tags func(site.File) string, err error) {
	if pages, err = p.Site.List(ctx, p.Config.Robots.FrontMatter, nil); err != nil {
		return nil, nil, project.Invalid(err)
	}
	mk, err := NewMaker(p, pages, project.Unwritten{})
	return pages, func(f site.File) string { return mk.asset(f).printed.html }, err
}
