package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"metarobots/policy"
)

// A suspect is another environment whose tags every page seen so far carries, byte for byte in our form. Where no
// state is remembered and this holds for the whole site, the tags are most likely ours, of an earlier run for that
// environment, and not the theme's: counting them as found would carry a preview's noindex into production (M7).
type suspect struct {
	name   string
	policy policy.Policy
	dead   atomic.Bool // some page carries something else
	tells  atomic.Bool // some page carries what the chosen environment would not print
}

// findSuspects returns the other environments, each set of statements once, by name.
func (p *Project) findSuspects() (suspects []*suspect) {
	if p.state.Found || p.options.AssumeOurs {
		return nil
	}
	said := []string{statesText(p.Policy.Environment)}
	own := slices.Sorted(maps.Keys(p.Config.Robots.Environments))
	for _, name := range append([]string{"production", "preview"}, own...) {
		statements, _ := p.Config.States(name, "")
		text := statesText(statements)
		if slices.Contains(said, text) {
			continue
		}
		said = append(said, text)
		s := &suspect{name: name, policy: *p.Policy}
		s.policy.Environment = statements
		suspects = append(suspects, s)
	}
	slices.SortFunc(suspects, func(a, b *suspect) int { return strings.Compare(a.name, b.name) })
	return suspects
}

func statesText(statements []policy.Statement) string {
	var all []string
	for _, s := range statements {
		all = append(all, s.States())
	}
	return strings.Join(all, "; ")
}

// suspectTags holds a page against the suspects. exact says that all its tags have our form.
func (p *planner) suspectTags(subject policy.Subject, tags []policy.Tag, exact bool) {
	subject.Found = nil
	for _, s := range p.suspects {
		if s.dead.Load() {
			continue
		}
		d := s.policy.Decide(&subject, nil)
		if !exact || !slices.Equal(tags, d.Metas(s.policy.Style)) {
			s.dead.Store(true)
			continue
		}
		own := p.Policy.Decide(&subject, nil)
		if len(tags) > 0 && !slices.Equal(tags, own.Metas(p.Policy.Style)) {
			s.tells.Store(true)
		}
	}
}

// suspected returns the error that the suspects amount to.
func (p *planner) suspected() error {
	for _, s := range p.suspects {
		if !s.dead.Load() && s.tells.Load() {
			return invalid(fmt.Errorf("%s: every page carries what metarobots prints for the environment %s, and "+
				"nothing is remembered of that run; build the site anew, or say --assume-ours to take those tags back",
				p.short(p.settings.Publish), s.name))
		}
	}
	return nil
}
