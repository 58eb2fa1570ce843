package report

import (
	"path"
	"slices"
	"strings"

	"metarobots/internal/findings"
)

// A family is the checks about one part of a site that found nothing.
type family struct{ Name, Titles string }

// An omission is what was not checked, and why.
type omission struct{ What, Why string }

// Families are the checks without a finding, by what they are about. A client reads none about the
// configuration.
func (v *view) Families() (list []family) {
	for _, about := range findings.Groups() {
		var titles []string
		for _, kind := range about.Kinds {
			if v.isChecked(kind) && !v.hasFinding(kind.ID) {
				g := group{ID: kind.ID, isClient: v.Data.Client}
				titles = append(titles, text(g.Title()))
			}
		}
		name := about.Name
		if v.Data.Client {
			name = anyCMS.Replace(name)
		}
		if titles != nil {
			list = append(list, family{name, strings.Join(titles, "; ")})
		}
	}
	return list
}

// isChecked reports whether this run looked for findings of a kind. In doubt it did not. Kinds that
// need a file beside the pages begin with the file: "robotstxt-", "sitemap", "header-". Those that
// begin with "deployed-" are of a deployed site alone.
func (v *view) isChecked(kind findings.Kind) bool {
	isLeftOut := v.Data.Client && kind.Setup // as what is about the configuration
	switch {
	case isLeftOut, len(v.Rows) == 0: // without a file nothing was looked at
		return false
	case isAboutLinks(kind.ID) && v.Data.LeavesLinks:
		return false
	case v.isDeployed():
		return slices.Contains(v.Data.Kinds, kind.ID)
	case strings.HasPrefix(kind.ID, "deployed-"):
		return false
	case kind.ID == "baseline":
		return v.Data.Changes != nil
	case strings.HasPrefix(kind.ID, "robotstxt-"):
		return v.hasRobotsTxt()
	case strings.HasPrefix(kind.ID, "sitemap"):
		return v.hasSitemap()
	case strings.HasPrefix(kind.ID, "header-"):
		return len(v.Data.Summary.Headers) > 0
	}
	return true
}

// isAboutLinks reports whether findings of a kind are about where canonical and hreflang links
// lead.
func isAboutLinks(id string) bool {
	aboutLinks := []string{"canonical-and-noindex", "canonical-astray", "canonical-to-noindex",
		"hreflang-to-noindex"}
	return slices.Contains(aboutLinks, id)
}

// isDeployed reports whether a host was asked, and no files were read.
func (v *view) isDeployed() bool { return v.Data.Asked != "" }

// hasFinding reports whether there is a finding of a kind.
func (v *view) hasFinding(id string) bool {
	return slices.ContainsFunc(v.Groups, func(g *group) bool { return g.ID == id })
}

// hasRobotsTxt reports whether the site has a robots.txt, on any host.
func (v *view) hasRobotsTxt() bool {
	return v.publishes("robots.txt", func(name string) bool { return name == "robots.txt" })
}

// hasSitemap reports whether the site has a file that is called as sitemaps are.
func (v *view) hasSitemap() bool {
	return v.publishes("sitemap", func(name string) bool { return strings.Contains(name, "sitemap") })
}

// publishes reports whether the site has a file of such a name. Every such name contains word.
func (v *view) publishes(word string, named func(string) bool) bool {
	return slices.ContainsFunc(v.Rows, func(r *row) bool {
		return strings.Contains(r.Page.URL, word) && named(path.Base(r.Page.URL))
	})
}

// Unchecked is what this run did not look at.
func (v *view) Unchecked() (list []omission) {
	omit := func(isOmitted bool, what, why string) {
		if isOmitted {
			list = append(list, omission{what, why})
		}
	}
	if v.isDeployed() {
		omit(true, "The site's own files", "this report asks the host; with a folder it reads them")
		omit(!slices.Contains(v.Data.Kinds, "robotstxt-hides-noindex"), "What pages say that robots.txt disallows",
			"crawlers may not read them, so this report did not request them; a report of the site's folder reads them")
		omit(true, "Canonical and hreflang links", "this report reads what an answer says of its own URL, "+
			"and not where its links lead; a report of the site's folder does")
		return list
	}
	omit(!v.hasRobotsTxt(), "robots.txt", "the site publishes none")
	omit(!v.hasSitemap(), "Sitemaps", "the site publishes none")
	linksHint := "the address of the site is not known, so nobody can tell its own pages from those of other sites"
	if !v.Data.Client {
		linksHint += ": set `baseURL`, or add `-b`"
	}
	omit(v.Data.LeavesLinks, "Canonical and hreflang links", linksHint)
	if v.Data.Client {
		omit(true, "What the host sends", "this report reads the site's files, and asks no host")
		return list
	}
	omit(len(v.Data.Summary.Headers) == 0, "Header rules", "no header file of this site has rules by metarobots")
	omit(v.Data.Changes == nil, "What has changed", "no snapshot was named with `--baseline`")
	omit(true, "What the host sends", "this report reads the site's files; `metarobots verify` asks the host")
	return list
}
