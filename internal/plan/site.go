package plan

import (
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/state"
	"metarobots/policy"
)

// What a finished plan tells those who look at the site as a whole. Nothing here changes it.

// Project is the site with its policy that was planned.
func (p *Plan) Project() *Project { return p.project }

// Page returns the page of a published file, named from the publish root; nil where there is none.
func (p *Plan) Page(name string) *Page {
	i, ok := slices.BinarySearchFunc(p.Pages, name,
		func(pg *Page, name string) int { return strings.Compare(pg.Name, name) })
	if !ok {
		return nil
	}
	return p.Pages[i]
}

// Missing lists the files of the site's pages that are not in the publish folder. A build has none.
func (p *Plan) Missing() []string {
	if p.building {
		return nil
	}
	// What is about to be made is not published yet.
	made := map[string]bool{}
	for _, o := range p.Outputs() {
		made[o.File] = o.Old == nil
	}
	return slices.DeleteFunc(slices.Clone(p.m.Expected()), func(name string) bool {
		return p.Page(name) != nil && !made[p.Published(name)]
	})
}

// Unused lists what of the policy selected nothing.
func (p *Plan) Unused() []policy.Unused { return p.usage.Unused() }

// UnusedLinks lists what of the links' policy found nothing to do: places among its rules, and among its classes.
func (p *Plan) UnusedLinks() (rules, classes []int) {
	for i := range p.linkUse.rules {
		if !p.linkUse.rules[i].Load() {
			rules = append(rules, i)
		}
	}
	for i := range p.linkUse.snippets {
		if !p.linkUse.snippets[i].Load() {
			classes = append(classes, i)
		}
	}
	return rules, classes
}

// RobotsNames are the files in which crawlers look for robots.txt, from the publish root: one for each host.
func (p *Plan) RobotsNames() []string {
	var names []string
	for _, root := range p.project.roots() {
		names = append(names, path.Join(root, "robots.txt"))
	}
	return names
}

// RobotsFor asks the robots.txt of a page's host, and returns it; nil where there is none and everything is allowed.
func (p *Plan) RobotsFor(pg *Page, crawler string) (robotstxt.Verdict, *RobotsFile) {
	return p.verdict(pg, crawler)
}

// AskHome asks a robots.txt for the home page of its host.
func (p *Plan) AskHome(r *RobotsFile, crawler string) robotstxt.Verdict {
	return r.file.Ask(crawler, p.project.base(r.Root)+"/")
}

// Address is where a page is served, with scheme and host where they are known.
func (p *Plan) Address(pg *Page) string { return p.project.address(pg.Name).String() }

// ByServedPath are the pages of a kind by the path that hosts serve them at: see [ServedAs].
func (p *Plan) ByServedPath(which func(*Page) bool) map[string]*Page { return p.served(which) }

// ServedAs is the path at which hosts serve an encoded path from the publish root, decoded: /x for /x/, /x/index.html
// and /x.html.
func ServedAs(encoded string) string { return servedAs(decoded(encoded)) }

// Generator is the name of the site's generator in the configuration.
func (p *Project) Generator() string { return p.generatorName }

// Hidden reports whether a page is noindex for everyone by anything but the environment.
func (pg *Page) Hidden() bool {
	return pg.Decision.NoIndex() && slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		return s.Crawler == "" && s.Origin.Layer != policy.LayerEnvironment && s.Directives.NoIndex()
	})
}

// LanguageHidden reports whether a page is noindex for its language alone, which visibility hides on purpose.
func (pg *Page) LanguageHidden() bool {
	return !slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		byLanguage := s.Origin.Layer == policy.LayerVisibility && strings.Contains(s.Origin.Key, "visibility.languages.")
		return s.Crawler == "" && s.Directives.NoIndex() && !byLanguage
	})
}

// NamesOwner reports whether the canonical link of a pager, or of another output of a page, names that page.
func (pg *Page) NamesOwner() bool {
	return pg.Of != nil && pg.Related != nil && ServedAs(pg.Related.Canonical) == servedAs(pg.Of.Path.URL)
}

// Tags are the robots metas that stand in a page, in order.
func (pg *Page) Tags() []policy.Tag { return pg.tags }

// FoundTags are the robots metas of a page as its generator wrote them.
func (pg *Page) FoundTags() []state.Tag { return pg.found }

// TakesTags reports whether the policy of a file can stand in its bytes; else a header alone can carry it (M5).
func (pg *Page) TakesTags() bool { return pg.HTML && !pg.aside }

// WasIndexable reports whether the tags that an earlier run of ours left in a page did not say noindex.
func (pg *Page) WasIndexable() bool { return pg.wasIndexable }
