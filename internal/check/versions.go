package check

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// oldVersions says which version of each documentation stays in the index, if the others are to leave it,
// and which pages are in no newer version, since they leave the index altogether (L10).
func oldVersions(site *plan.Plan) (all []policy.Finding) {
	isAskedFor := func(v policy.Visible) bool { return v.Group == "versions" }
	if !slices.ContainsFunc(site.Project.Policy.Visibility, isAskedFor) {
		return nil
	}
	for _, list := range site.Versions.Unread {
		all = append(all, list.At.Finding("old-versions", policy.Warning, "this list of versions cannot be read, so "+
			"all that it names stay in the index: %v", list.Err))
	}
	for i := range site.Versions.Groups {
		g := &site.Versions.Groups[i]
		var names []string
		for _, v := range g.Versions {
			if g.IsOld(v) {
				names = append(names, v.Name)
			}
		}
		if len(names) > 0 {
			all = append(all, oldVersionsOf(site, g, names))
		}
	}
	return all
}

// oldVersionsOf is the note about one documentation with old versions of some names.
func oldVersionsOf(site *plan.Plan, g *versions.Group, old []string) policy.Finding {
	pages := 0
	var missing []string // the URLs of pages that are in no newer version
	for _, pg := range site.Pages {
		newest, group := site.Versions.InNewest(pg.File.Name)
		if group != g || !pg.File.HTML || !pg.File.Role.Policed() {
			continue
		}
		pages++
		if site.Page(newest) == nil {
			missing = append(missing, pg.URL)
		}
	}
	const most = 5 // names that a message has room for
	names := printable.JoinAnd(old)
	if len(old) > most {
		names = fmt.Sprintf("%s and %d more", strings.Join(old[:most], ", "), len(old)-most)
	}
	f := g.At.Finding("old-versions", policy.Note, "%s is the newest version: %s noindex, of %s", g.Newest,
		robotstag.Count(pages, "page is", "pages are"), names)
	if len(missing) > 0 {
		f.Message += fmt.Sprintf("; %s not in it, the first is %s",
			robotstag.Count(len(missing), "of these is", "of these are"), missing[0])
	}
	if g.IsDoubtful {
		f.Severity = policy.Warning
		f = f.Advise(`: if %s does not replace them, let robots.versions.match name fewer folders, or set `+
			`robots.visibility.versions = "all"`, g.Newest)
	}
	return f
}
