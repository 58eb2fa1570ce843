package plan

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/policy"
)

// doubt returns an error where a folder that the command line alone names shows no sign of a published site, so that
// whatever lies there would be edited or written over; nil where an earlier run wrote there, where it is new, and with
// --force. expected are the files of the pages that the generator publishes.
func (p *Project) doubt(expected []string) error {
	o, publish, own := &p.Options, p.Settings.Publish, p.Config.Site.Destination
	if o.Force || p.state.Found || o.Dir == "" && o.Destination == "" || own != "" && absolute(p.Source, own) == publish {
		return nil
	}
	above := func(folder string) bool {
		rel, err := filepath.Rel(publish, folder)
		return err == nil && folder != "" && filepath.IsLocal(rel)
	}
	why := ""
	switch rel, _ := filepath.Rel(publish, o.WorkDir); {
	case above(cmp.Or(o.Getenv("HOME"), o.Getenv("USERPROFILE"))):
		why = "holds your home folder"
	case rel != "." && above(o.WorkDir):
		why = "holds the folder that you work in"
	case exists(filepath.Join(publish, "package.json")):
		why = "holds sources: package.json is one of theirs"
	case !p.isPublished(expected):
		why = "holds files, and no page of this site nor an index.html"
	default:
		return nil
	}
	return invalid(fmt.Errorf("%s %s: is it the published site? Say --force, or name it in [site] destination",
		p.Short(publish), why))
}

// isPublished reports whether the publish folder is new, or has a page that is expected, or the home page of a host.
func (p *Project) isPublished(expected []string) bool {
	for _, h := range p.hosts {
		expected = append(slices.Clip(expected), h.root+"index.html", h.root+"index.htm", h.root+"index.xhtml")
	}
	if slices.ContainsFunc(expected, func(name string) bool { return exists(p.path(name)) }) {
		return true
	}
	entries, _ := os.ReadDir(p.Settings.Publish)
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { // what Git and GitHub Pages keep there
		return !strings.HasPrefix(e.Name(), ".") && e.Name() != "CNAME"
	})
}

// suspected returns an error where every page carries, byte for byte in our form, the tags of another environment.
// Where no state is remembered they are most likely ours, of an earlier run for that environment, and not the theme's:
// counting them as found would carry a preview's noindex into production (M7).
func (s *Site) suspected() error {
	if s.state.Found || s.Options.AssumeOurs {
		return nil
	}
	text := func(statements []policy.Statement) (text string) {
		for _, s := range statements {
			text += s.States() + "; "
		}
		return text
	}
	names := append(slices.Collect(maps.Keys(s.Config.Robots.Environments)), "production", "preview")
	slices.Sort(names)
	seen := map[string]bool{text(s.Policy.Environment): true}
	for _, name := range names {
		other := *s.Policy
		other.Environment, _ = s.Config.States(name, "")
		said := text(other.Environment)
		if !seen[said] && s.allCarry(&other) {
			return invalid(fmt.Errorf("%s: every page carries what metarobots prints for the environment %s, and "+
				"the record of that run is missing; build the site again, or use --assume-ours to remove those tags",
				s.Short(s.Settings.Publish), name))
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
		d := other.Decide(&subject, nil)
		if slices.ContainsFunc(pg.Tags, func(t head.Meta) bool { return !t.Ours }) ||
			!slices.Equal(tags, d.Metas(other.Style)) {
			return false
		}
		own := s.Policy.Decide(&subject, nil)
		tells = tells || len(tags) > 0 && !slices.Equal(tags, own.Metas(other.Style))
	}
	return tells
}

// Forgotten reports whether a page carries, byte for byte, tags that a run would write, and nothing is remembered of
// one: then they count as the site's own (M7).
func (s *Site) Forgotten(pg *Page) bool {
	return !s.building && !s.state.Found && !s.Options.AssumeOurs &&
		len(pg.Tags) > 0 && slices.Equal(plain(pg.Tags), pg.Carries) &&
		!slices.ContainsFunc(pg.Tags, func(t head.Meta) bool { return !t.Ours })
}
