package plan

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/emit/head"
	"metarobots/internal/headerfile"
	"metarobots/internal/project"
	"metarobots/internal/robotsmeta"
	"metarobots/internal/site"
	"metarobots/policy"
)

// suspectForgottenRun returns an error where every page carries, byte for byte in our form, the
// tags of another environment. Where no state is remembered they are most likely ours, of an
// earlier run for that environment, and not the theme's: counting them as found would carry a
// preview's noindex into production (M7).
func suspectForgottenRun(s *Plan) error {
	if s.Project.State.Found || s.Project.Options.Earlier.AssumeOurs {
		return nil
	}
	current, environments := s.Project.Policy.Environment, s.Project.Config.Robots.Environments
	names := append(slices.Sorted(maps.Keys(environments)), "production", "preview")
	for _, name := range names {
		other := *s.Project.Policy
		other.Environment, _ = s.Project.Config.States(name, "")
		if !site.Alike(other.Environment, current) && allCarry(s, &other) {
			return project.Invalid(fmt.Errorf("%s: every page carries what metarobots prints for the environment %s, and "+
				"the record of that run is missing; build the site again, or use --assume-ours to remove those tags",
				s.Project.Short(s.Project.Settings.Publish), name))
		}
	}
	return nil
}

// allCarry reports whether every page carries what another policy prints, and some page what this
// one does not.
func allCarry(s *Plan, other *policy.Policy) (tells bool) {
	for _, pg := range s.Pages {
		_, isLink := s.Folder.Symlinks[pg.File.Name] // whose tags are its target's
		if pg.File.Role != policy.RolePage || !pg.TakesTags() || isLink {
			continue
		}
		subject, tags := pg.File.Subject, robotsmeta.Stating(pg.Tags)
		subject.Found = nil
		subject.Headers = slices.DeleteFunc(slices.Clone(subject.Headers), func(s policy.Statement) bool {
			return s.Origin.Key == headerfile.BlockKey
		})
		d := other.Decide(&subject)
		if slices.ContainsFunc(pg.Tags, func(t head.Meta) bool { return !t.Ours }) ||
			!slices.Equal(tags, d.Metas(other.Style)) {
			return false
		}
		own := s.Project.Policy.Decide(&subject)
		tells = tells || len(tags) > 0 && !slices.Equal(tags, own.Metas(other.Style))
	}
	return tells
}
