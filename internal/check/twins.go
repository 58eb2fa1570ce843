package check

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/headerfile"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/site"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// twins suggests what twins of indexable pages may get, where nothing but their pages decides on
// them (H7).
func twins(s *plan.Plan) []policy.Finding {
	isDecided := s.Project.Config.Robots.Twins.Gets != ""
	if isDecided || s.Headerless() { // a text has no tags, so without headers nothing reaches it
		return nil
	}
	isOfRuleOrFound := func(s policy.Statement) bool {
		return s.Origin.Layer == policy.LayerRule || s.Origin.Layer == policy.LayerFound
	}
	return tallied(s, "twins", policy.Note, "{pages}: these copies of pages as text may be "+
		"indexed beside them\n\n. robots.twins = \"canonical\" names their pages to search "+
		"engines, \"noindex\" keeps them out of search results, and \"as page\" says that they "+
		"may be there", countIf(func(pg *plan.Page) bool {
		page := s.TwinOf(pg) // nil if the file is no twin
		return page != nil && page.File.Role.Policed() &&
			!page.Decision.NoIndex() && !pg.Decision.NoIndex() && pg.CanonicalHeader() == nil &&
			!slices.ContainsFunc(pg.Decision.Statements, isOfRuleOrFound)
	}))
}

// mdLink matches a link of Markdown, or with a first group an image. The second is where it leads.
var mdLink = lazyregexp.New(`(!\[[^\[\]]*)?\]\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)`)

// rooted matches what leads to the same page from everywhere on the site.
var rooted = lazyregexp.New(`^(?i:https?:|/)`)

// llmsLists reports links of llms.txt and its kind to pages of the site that are hidden, blocked or
// not published (H8): the first of each file, with a count of the others.
func llmsLists(s *plan.Plan) (all []policy.Finding) {
	for _, pg := range s.Pages {
		if !site.IsLLMs(pg.File.Name) { // llms.txt, llms-full.txt, in any folder
			continue
		}
		if pg.File.Facts.Version == versions.Old && pg.Hidden() { // so are the pages that it lists
			continue
		}
		text, err := linkedText(s, pg)
		if err != nil {
			all = append(all, s.About(pg, "not-read", policy.Warning, 0,
				"its links are not read: %s",
				project.Reason(err)))
			continue
		}
		if message, line := badLinks(s, pg, text); message != "" {
			all = append(all,
				s.About(pg, "llms-lists-noindex", policy.Warning, line, "%s", message))
		}
	}
	return all
}

// linkedText returns the text of a published file: as its generator has it in memory, if it makes
// the site in this run, or from the publish folder.
func linkedText(s *plan.Plan, pg *plan.Page) ([]byte, error) {
	if text, ok := s.Source.Generated(pg.File.Name, nil); ok {
		return text, nil
	}
	return s.Project.Read(s.Project.Path(pg.File.Name), project.MaxPage)
}

// badLinks says of the links of a file which pages should not be listed; "" if all may be. line is
// that of the first.
func badLinks(s *plan.Plan, pg *plan.Page, text []byte) (message string, line int) {
	more := 0 // beside the first
	eachLink(text, func(href string, at int) {
		// What llms-full.txt holds was written for other places: relative links lead elsewhere
		// from there.
		if !rooted.MatchString(href) && !strings.HasPrefix(path.Base(pg.File.Name), "llms.") {
			return
		}
		to, isOnSite := s.Project.ResolveLink(pg.File.Name, href, project.UnknownIsForeign)
		if !isOnSite {
			return
		}
		why := whyNotLinked(s, s.Served(to))
		if why == "" || hasRedirectLine(s, to) { // where such a line leads is not looked for
			return
		}
		if message == "" {
			message, line = "it lists "+to+", which "+why, at
		} else {
			more++
		}
	})
	if more > 0 {
		message += fmt.Sprintf(", and %s noindex, blocked or not published",
			robotstag.Count(more, "more that is", "more that are"))
	}
	return message, line
}

// eachLink calls f for each link of a text in Markdown, once for each target. Links in blocks of
// code and those to images are left out.
func eachLink(text []byte, f func(href string, line int)) {
	seen, fenced, line := map[string]bool{}, false, 0
	for row := range bytes.Lines(text) {
		line++
		if bytes.HasPrefix(bytes.TrimSpace(row), []byte("```")) {
			fenced = !fenced
		}
		for _, m := range mdLink.FindAllSubmatch(row, -1) {
			href := string(m[2])
			if !fenced && m[1] == nil && !seen[href] {
				seen[href] = true
				f(href, line)
			}
		}
	}
}

// hasRedirectLine reports whether nothing is published at a path, and a line of _redirects takes
// it.
func hasRedirectLine(s *plan.Plan, to string) bool {
	root := s.Project.HostOf(to[1:]).Root
	return s.Served(to) == nil && slices.ContainsFunc(s.Headers, func(h *headerfile.File) bool {
		return h.Host.Root == root && h.Redirected(to[len(root):])
	})
}

// whyNotLinked says why a list should not send a program to a page: "is not published", "is noindex
// by content/a.md:3" or "robots.txt:3 keeps googlebot from". The message has "which" before it: "it
// lists /a/, which is not published". The page of a twin decides for it. The result is "" if
// nothing is wrong with the link, as with one to a file that has no policy, or to another list. pg
// is nil if nothing is published there. A noindex that only the environment states is no reason
// (Page.Hidden): in a preview every page is noindex.
func whyNotLinked(s *plan.Plan, pg *plan.Page) string {
	if pg == nil {
		return "is not published"
	}
	if page := s.TwinOf(pg); page != nil {
		pg = page
	}
	if !pg.File.Role.Policed() || site.IsLLMs(pg.File.Name) {
		return ""
	}
	if pg.Hidden() {
		return "is noindex by " + causeOf(s, pg).Place()
	}
	return whyDisallowed(s, pg)
}

// whyDisallowed says which line of robots.txt keeps the first of the usual crawlers from a page, or
// from one of the addresses at which it is served; "" if all may fetch it everywhere.
func whyDisallowed(s *plan.Plan, pg *plan.Page) string {
	question := published.QuestionAbout(s, pg)
	for _, crawler := range policy.UsualCrawlers {
		const noQuery = ""
		// address is the first that is disallowed, if any is.
		f, address := question.Ask(noQuery, crawler)
		if f.Allowed {
			continue
		}
		why := policy.Place(f.File, f.Line) + " keeps " + crawler + " from"
		if address != pg.URL {
			why += " (the page is served at " + address + ")"
		}
		return why
	}
	return ""
}
