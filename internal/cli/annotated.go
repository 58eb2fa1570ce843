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

// annotated are findings at files that a repository has, since the publish folder is in none: a
// finding at a published file goes to the line of the generator's configuration that asks for what
// it is about, to the file that it is a copy of, or to the content file of its page. An annotation
// without either has no file, and names it in its text. In SARIF, where code scanning refuses a
// result without a file, the published one stays.
func annotated(site *plan.Plan, findings []policy.Finding, format report.Format) []policy.Finding {
	p := site.Project
	if p.Settings.AnyFolder { // whose files may be those of the repository
		return findings
	}
	moved := slices.Clone(findings)
	for i := range moved {
		f := &moved[i]
		name, isPublished := strings.CutPrefix(f.File, p.Short(p.Settings.Publish)+"/")
		if !isPublished {
			continue
		}
		if asking, ok := askingFor(site, name, f.Line); ok {
			f.File, f.Line = asking.File, asking.Line
			continue
		}
		switch file, isCopy := sourceOf(site, name); {
		case isCopy:
			f.File = file // line by line the same
		case file != "":
			f.File, f.Line = file, 0
		case format == report.GitHub && f.URL == "":
			f.Message = policy.Placed(f.File, f.Line, f.Message)
			fallthrough
		case format == report.GitHub:
			f.File, f.Line = "", 0
		}
	}
	return moved
}

// atSources are findings as the log prints them. What the guard and the baseline found in a published
// file has the line in the site's sources that annotations name, and behind it the published one. A
// source without a line is only a guess at who made the tag: a template may have.
func atSources(site *plan.Plan, findings []policy.Finding) []policy.Finding {
	shown := annotated(site, findings, report.SARIF)
	for i := range shown {
		f, published := &shown[i], findings[i]
		isMoved := f.Line > 0 && (f.File != published.File || f.Line != published.Line)
		switch {
		case isMoved && slices.Contains([]string{"baseline", "guard"}, f.ID):
			f.File = fmt.Sprintf("%s (%s)", policy.Place(f.File, f.Line), policy.Place(published.File, published.Line))
			f.Line = 0
		default:
			*f = published
		}
	}
	return shown
}

// askingFor is the line of the generator's configuration that asks for the robots tag in a line of a
// published page: on every page, so that no content file is its cause.
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
		published, err := disk.ReadFile(filepath.Join(p.Settings.Publish, filepath.FromSlash(name)), project.MaxPage)
		return p.Short(source), err == nil && bytes.Equal(text, published)
	}
	return "", false
}
