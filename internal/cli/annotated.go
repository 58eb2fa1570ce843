package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/report"
	"metarobots/policy"
)

// moveToSources returns findings at places that a repository has, for annotations of GitHub and for
// SARIF: the publish folder is in none. A finding at a published file goes to the first of these
// that is known:
//
//  1. the line of the generator's configuration that asks for the robots tag in question;
//  2. the same line of the file that it is a copy of;
//  3. the content file of its page, without a line.
//
// If none is, an annotation has no file and names it in its text; in SARIF, where code scanning
// refuses a result without a file, the published one stays. If no generator is known, the published
// files may be those of the repository, and every finding stays where it is.
func moveToSources(site *plan.Plan, findings []policy.Finding, format report.Format) []policy.Finding {
	settings := &site.Project.Settings
	if settings.AnyFolder {
		return findings
	}
	publishFolder := site.Project.Short(settings.Publish) + "/"
	moved := slices.Clone(findings)
	for i := range moved {
		f := &moved[i]
		if name, isPublished := strings.CutPrefix(f.File, publishFolder); isPublished {
			moveToSource(site, f, name, format)
		}
	}
	return moved
}

// moveToSource changes the place of a finding at a published file, by that file's name from the
// publish folder, as [moveToSources] says.
func moveToSource(site *plan.Plan, f *policy.Finding, name string, format report.Format) {
	if asking, isAsked := askingFor(site, name, f.Line); isAsked {
		f.File, f.Line = asking.File, asking.Line
		return
	}
	source, isCopy := sourceOf(site, name)
	switch {
	case isCopy: // line by line the same
		f.File = source
	case source != "":
		f.File, f.Line = source, 0
	case format == report.GitHub:
		if f.URL == "" { // else the annotation names the URL
			f.Message = policy.Placed(f.File, f.Line, f.Message)
		}
		f.File, f.Line = "", 0
	}
}

// withSourcePlaces are the same findings as the log prints them. What the guard and the baseline
// found in a published file has the line in the site's sources that annotations name, and behind it
// the published one. A source without a line is only a guess at who made the tag: a template may
// have.
func withSourcePlaces(site *plan.Plan, findings []policy.Finding) []policy.Finding {
	shown := moveToSources(site, findings, report.SARIF)
	for i := range shown {
		f, published := &shown[i], findings[i]
		isMoved := f.Line > 0 && (f.File != published.File || f.Line != published.Line)
		switch {
		case isMoved && slices.Contains([]string{"baseline", "guard"}, f.ID):
			f.File = fmt.Sprintf("%s (%s)", policy.Place(f.File, f.Line),
				policy.Place(published.File, published.Line))
			f.Line = 0
		default:
			*f = published
		}
	}
	return shown
}

// askingFor is the line of the generator's configuration that asks for the robots tag in a line of
// a published page: on every page, so that no content file is its cause. ok is false if none asks
// for it.
func askingFor(site *plan.Plan, name string, line int) (at policy.Origin, ok bool) {
	pg := site.Page(name)
	if pg == nil || line == 0 {
		return at, false
	}
	for _, found := range pg.Decision.Statements {
		if found.Origin.Layer != policy.LayerFound || found.Origin.Line != line {
			continue
		}
		for _, asked := range site.Project.Settings.Tags.EveryPage {
			if asked.Crawler == found.Crawler && asked.Directives == found.Directives {
				return asked.Origin, true
			}
		}
	}
	return at, false
}

// sourceOf is the file from which a published one is made; empty if it is not known. A file that
// the generator copies is below static or public, and isCopy reports that its bytes are the same.
func sourceOf(site *plan.Plan, name string) (file string, isCopy bool) {
	p := site.Project
	if pg := site.Page(name); pg != nil && pg.File.Source != "" {
		return pg.File.Source, false
	}
	for _, folder := range []string{"static", "public"} {
		source := filepath.Join(p.Source, folder)
		if source == filepath.Clean(p.Settings.Publish) {
			continue
		}
		source = filepath.Join(source, filepath.FromSlash(name))
		text, err := disk.ReadFile(source, project.MaxPage)
		if err != nil {
			continue
		}
		copied := filepath.Join(p.Settings.Publish, filepath.FromSlash(name))
		published, err := disk.ReadFile(copied, project.MaxPage)
		return p.Short(source), err == nil && bytes.Equal(text, published)
	}
	return "", false
}
