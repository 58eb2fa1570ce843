package check

import (
	"slices"
	"strings"
	"unicode"

	"metarobots/emit/head"
	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/robotsmeta"
	"metarobots/policy"
)

// taggedRedirects reports redirect pages that carry noindex (L4), unless their generator always
// prints it there.
// https://github.com/gohugoio/hugo/pull/13951
func taggedRedirects(site *plan.Plan) []policy.Finding {
	if site.Project.Config.Robots.Unpoliced.CleanRedirects {
		return nil
	}
	const text = "a redirect page, {pages}, carries \"{at}\"\n; noindex on a redirect has made " +
		"Google drop the page it leads to\n. robots.redirects = \"clean\" removes it"
	return tallied(site, "redirect", policy.Warning, text, func(all tallies, pg *plan.Page) {
		noindex := func(s policy.Statement) bool { return s.Directives.NoIndex() }
		if pg.File.Role == policy.RoleRedirect && !pg.GeneratorsTag &&
			slices.ContainsFunc(pg.File.Found, noindex) {
			at := policy.Origin{Line: pg.Tags[0].Line}
			all.add(oneTally, pg, placeShowing(at, textOf(pg.Tags)))
		}
	})
}

// uncarried reports what content files state of redirects and error pages and what these do not
// carry, once for each place: they get no tag and no header of ours (L3, L4).
func uncarried(site *plan.Plan) []policy.Finding {
	return tallied(site, "not-carried", policy.Note, "nothing carries \"{at}\": metarobots writes "+
		"no robots tag and no header for a redirect or an error page, "+
		"{pages}", func(all tallies, pg *plan.Page) {
		if pg.File.Role != policy.RoleRedirect && pg.File.Role != policy.RoleError {
			return
		}
		var lost []policy.Statement
		for _, s := range pg.File.Page {
			if s.Directives.Restricts() && !carries(pg, s) {
				lost = append(lost, s)
			}
		}
		if len(lost) == 0 {
			return
		}
		var texts []string
		for _, s := range lost {
			texts = append(texts, s.States())
		}
		at := lost[0].Origin
		all.add(at.Place(), pg, placeShowing(at, strings.Join(texts, ", ")))
	})
}

// untaggedErrors reports restrictive tags that are taken out of error pages (L3a) which a host of
// the site serves with status 200 at an address of their own, once for each text: there a page can
// be listed. With found = "replace" no tag counts anyway.
func untaggedErrors(site *plan.Plan) []policy.Finding {
	if site.Project.Policy.ReplaceFound {
		return nil
	}
	const text = "\"{at}\" is taken out of {pages}: hosts serve an error page at its own address too, with " +
		"status 200\n\n. robots.errorPages = \"keep\" keeps it"
	return tallied(site, "error-page-tag", policy.Note, text, func(all tallies, pg *plan.Page) {
		address := ""
		if pg.File.Role == policy.RoleError {
			address = plan.OwnAddress(site, pg)
		}
		if address == "" {
			return
		}
		answers := plan.Answers(site, pg)
		isLost := func(s policy.Statement) bool {
			lacks := func(a robotstag.Sent) bool { return !robotstag.Covers(a.String(), s.States()) }
			isSent := len(answers) > 0 && !slices.ContainsFunc(answers, lacks)
			return s.Directives.Restricts() && !carries(pg, s) && !isSent
		}
		if slices.ContainsFunc(pg.File.Found, isLost) {
			tags := textOf(pg.Tags)
			t := all.add(tags, pg, placeShowing(policy.Origin{Line: pg.Tags[0].Line}, tags))
			if t.first == pg && address != pg.URL {
				t.address = address
			}
		}
	})
}

// textOf is what robots tags of a page say: "robots: noindex and googlebot: nosnippet".
func textOf(tags []head.Meta) string {
	var texts []string
	for _, tag := range tags {
		texts = append(texts, tag.Name+": "+tag.Content)
	}
	return strings.Join(texts, " and ")
}

// carries reports whether the robots tags of a finished page say what is stated.
func carries(pg *plan.Page, s policy.Statement) bool {
	for _, tag := range pg.Carries {
		said, _ := policy.Parse(tag.Content, policy.Documented)
		isFor := strings.EqualFold(tag.Name, s.Crawler) || strings.EqualFold(tag.Name, "robots")
		if isFor && said.Directives.Covers(s.Directives) {
			return true
		}
	}
	return false
}

// deprecated reports directives that no crawler reads any more.
func deprecated(site *plan.Plan) []policy.Finding {
	return tallied(site, "deprecated", policy.Note,
		"no crawler reads {key} any more\n; it is used on {pages}",
		func(all tallies, pg *plan.Page) {
			for _, s := range pg.Decision.Statements {
				for _, word := range s.Directives.Deprecated() {
					all.add(word, pg, s.Origin)
				}
			}
		})
}

// nofollowAlone reports nofollow where noindex was likely meant.
func nofollowAlone(site *plan.Plan) []policy.Finding {
	return tallied(site, "nofollow-for-noindex", policy.Note,
		"nofollow keeps crawlers from following the links of {pages}, not from indexing: for that "+
			"use noindex", func(all tallies, pg *plan.Page) {
			if !pg.File.HTML || pg.Decision.NoIndex() {
				return
			}
			for _, s := range pg.Decision.Statements {
				own := s.Origin.Layer == policy.LayerPage || s.Origin.Layer == policy.LayerRule ||
					s.Origin.Layer == policy.LayerVisibility
				if own && s.Crawler == "" && s.Directives.NoFollow() &&
					!s.Directives.StatesIndex() {
					all.add(oneTally, pg, s.Origin)
				}
			}
		})
}

// foundTags reports robots tags that restrict and that were found in the pages, as one of three
// findings:
//
//   - "edited": tags as an earlier run wrote them, in a page that another program has written since (M7);
//   - "state": tags in our form that no remembered run wrote (M7);
//   - "theme-adds": what the tags add that nothing else asks for. Most themes print noindex, nofollow for a
//     page that asks for noindex alone. If no generator is known, tags are what the author says, and no finding.
//
// Each page counts for the first of these that is true of it. Tags that add nothing change no
// decision, so they are neither "state" nor "theme-adds". Nor are those of files that are no pages,
// such as HTML of static/: their author put them there. A finding is at the first such page, with a
// count of the others; "theme-adds" is one for each set of directives that tags add.
func foundTags(site *plan.Plan) []policy.Finding {
	isGeneratorKnown := !site.Project.Settings.AnyFolder // else any folder may be published
	added, unremembered, edited := tallies{}, tallies{}, tallies{}
	for _, pg := range site.Pages {
		i := slices.IndexFunc(pg.Decision.Statements, isRestrictingTag)
		if i < 0 {
			continue
		}
		at := pg.Decision.Statements[i].Origin
		adds := addedByTags(pg, site.Project.Policy.Style)
		isMadeByTemplate := pg.File.Role == policy.RolePage
		switch {
		case pg.Earlier.Edited: // also if they add nothing: if the policy states less later, these tags stay
			edited.add(oneTally, pg, at)
		case !isMadeByTemplate || len(adds) == 0:
		case isForgotten(site, pg):
			unremembered.add(oneTally, pg, at)
		case isGeneratorKnown:
			added.add(strings.Join(adds, ", "), pg, at)
		}
	}
	return slices.Concat(
		edited.findings(site, "edited", policy.Warning, "robots tags as an earlier run wrote them "+
			"are in {pages}, and another program has written the page since: they count as the "+
			"site's own\n\n. If they are left over, build the site again; if the files were only "+
			"copied or touched, run once with --assume-ours"),
		added.findings(site, "theme-adds", policy.Note, "the theme's tag makes {pages} {key}, and "+
			"nothing else does\n\n. To ignore it, set robots.found = \"replace\""),
		unremembered.findings(site, "state", policy.Note, "tags as metarobots writes them are in "+
			"{pages}, and nothing is remembered of writing them: they count as the site's "+
			"own\n\n; if an earlier run wrote them, --assume-ours takes them back"))
}

// leftOutTags reports restrictions that found = "replace" takes away: what tags of the site's own say and
// the decision on their page does not. There is a finding for each set of directives, at the first page.
func leftOutTags(site *plan.Plan) []policy.Finding {
	p := site.Project.Policy
	if !p.ReplaceFound {
		return nil
	}
	return tallied(site, "found-replaced", policy.Note, "robots.found = \"replace\" leaves out \"{key}\", "+
		"which the robots tags of {pages} say\n\n. State it in the policy where it is meant",
		func(all tallies, pg *plan.Page) {
			if !pg.File.Role.Policed() {
				return
			}
			var lost []string
			for _, s := range pg.File.Found {
				said := p.Resolve([]policy.Statement{s})
				if s.Directives.Restricts() && !pg.Decision.Covers(&said) {
					lost = append(lost, s.States())
				}
			}
			if len(lost) > 0 {
				all.add(strings.Join(lost, ", "), pg, pg.File.Found[0].Origin)
			}
		})
}

// isRestrictingTag reports whether a statement is one of a robots tag that was found in a page, and
// not of a header line, and restricts something.
func isRestrictingTag(s policy.Statement) bool {
	isOfTag := s.Origin.Layer == policy.LayerFound && strings.HasPrefix(s.Origin.Key, "meta ")
	return isOfTag && s.Directives.Restricts()
}

// addedByTags are the directives of a page, as they are printed for everyone, that nothing but the
// tags and header lines found with it ask for. index and follow restrict nothing, so they are left
// out.
func addedByTags(pg *plan.Page, style policy.Style) (added []string) {
	statements := pg.Decision.Statements
	isOurs := func(i int) bool { return statements[i].Origin.Layer != policy.LayerFound }
	const forEveryone = ""
	for _, cause := range pg.Decision.Causes(forEveryone, style) {
		word := cause.Word.Text
		isStated := len(cause.By) > 0 // by these statements; else it is printed without any
		isRestrictive := word != "index" && word != "follow"
		if isStated && isRestrictive && !slices.ContainsFunc(cause.By, isOurs) {
			added = append(added, word)
		}
	}
	return added
}

// private are words in the path of what is not meant for everyone. One alone is often a product's:
// an API page about backups, a manual for members.
var private = strings.Fields("private confidential secret internal intern intranet admin staff " +
	"member members password passwords credentials backup customer customers invoice invoices " +
	"payroll salary salaries")

func isPrivate(path string) bool {
	words := strings.FieldsFunc(strings.ToLower(path),
		func(r rune) bool { return !unicode.IsLetter(r) })
	words = slices.DeleteFunc(words,
		func(word string) bool { return !slices.Contains(private, word) })
	slices.Sort(words)
	return len(slices.Compact(words)) > 1
}

// looksPrivate says that noindex hides from search, not from people.
// https://developers.google.com/search/docs/crawling-indexing/block-indexing
func looksPrivate(site *plan.Plan) []policy.Finding {
	return tallied(site, "looks-private", policy.Note, "only noindex protects what looks private, "+
		"{pages}: search engines hide it, but anyone with the URL can read it (use a password, or "+
		"do not publish it)",
		countIf(func(pg *plan.Page) bool { return pg.Hidden() && isPrivate(pg.File.Path.URL) }))
}

// isForgotten reports whether a page carries, byte for byte, tags that a run would write, and
// nothing is remembered of one: then they count as the site's own (M7).
func isForgotten(s *plan.Plan, pg *plan.Page) bool {
	return !s.Source.Builds() && !s.Project.State.Found && !s.Project.Options.Earlier.AssumeOurs &&
		len(pg.Tags) > 0 && slices.Equal(robotsmeta.Stating(pg.Tags), pg.Carries) &&
		!slices.ContainsFunc(pg.Tags, func(t head.Meta) bool { return !t.Ours })
}
