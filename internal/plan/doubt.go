package plan

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"metarobots/emit/head"
	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/policy"
)

// suspected returns an error where every page carries, byte for byte in our form, the tags of another environment.
// Where no state is remembered they are most likely ours, of an earlier run for that environment, and not the theme's:
// counting them as found would carry a preview's noindex into production (M7).
func (s *Site) suspected() error {
	if s.Project.State.Found || s.Project.Options.AssumeOurs {
		return nil
	}
	text := func(statements []policy.Statement) (text string) {
		for _, s := range statements {
			text += s.States() + "; "
		}
		return text
	}
	names := append(slices.Collect(maps.Keys(s.Project.Config.Robots.Environments)), "production", "preview")
	slices.Sort(names)
	seen := map[string]bool{text(s.Project.Policy.Environment): true}
	for _, name := range names {
		other := *s.Project.Policy
		other.Environment, _ = s.Project.Config.States(name, "")
		said := text(other.Environment)
		if !seen[said] && s.allCarry(&other) {
			return project.Invalid(fmt.Errorf("%s: every page carries what metarobots prints for the environment %s, and "+
				"the record of that run is missing; build the site again, or use --assume-ours to remove those tags",
				s.Project.Short(s.Project.Settings.Publish), name))
		}
		seen[said] = true
	}
	return nil
}

// allCarry reports whether every page carries what another policy prints, and some page what this one does not.
func (s *Site) allCarry(other *policy.Policy) (tells bool) {
	for _, pg := range s.Pages {
		if pg.Role != policy.RolePage || !pg.TakesTags() {
			continue
		}
		subject, tags := pg.Subject, plain(pg.Tags)
		subject.Found = nil
		subject.Headers = slices.DeleteFunc(slices.Clone(subject.Headers), func(s policy.Statement) bool {
			return s.Origin.Key == blockKey
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

// Forgotten reports whether a page carries, byte for byte, tags that a run would write, and nothing is remembered of
// one: then they count as the site's own (M7).
func (s *Site) Forgotten(pg *Page) bool {
	return !s.maker.building && !s.Project.State.Found && !s.Project.Options.AssumeOurs &&
		len(pg.Tags) > 0 && slices.Equal(plain(pg.Tags), pg.Carries) &&
		!slices.ContainsFunc(pg.Tags, func(t head.Meta) bool { return !t.Ours })
}

// blockKey is the key of what a block of ours states that no run is known to have left.
const blockKey = robotstag.Name + " of an unknown run"

// doubtBlock reports a block of ours in _headers that no run is known to have left: it goes, and what it says counts as
// the tags of such a run do (M7). What a generator made, or had made before the last run, holds no other.
func (p *planner) doubtBlock(h *HeaderFile) {
	text := marks.Read(h.user)
	if h.block = [2]int{}; hosts.Lookup(h.Target).Format != nil || text.Last == 0 {
		return
	}
	block := (&marks.Text{Lines: text.Block}).Own()
	known := p.Project.State.Recall(h.name).Put(string(block)) && bytes.Count(h.user, []byte(marks.Prefix)) == 1
	if bytes.Equal(h.user, h.Old) && (known || p.Project.Options.AssumeOurs && !p.Project.State.Found) {
		h.user = h.own()
		return
	}
	h.block = [2]int{text.Last - len(text.Block) - 1, text.Last}
	p.report(policy.Finding{ID: "header-block", Severity: policy.Warning, File: h.File, Line: h.block[0],
		Message: "no run is known that wrote this block: what it says counts as the site's own, and a new block " +
			"takes its place; where it is left over, take it out"})
}
