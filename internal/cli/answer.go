package cli

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// searchAnswer says in a sentence whether search engines list a file, and what decides that:
//
//	Not in search results: noindex by metarobots.toml:28, lists of tags.
//	In search results, with limits: nosnippet by content/a.md:4, the page's front matter.
//
// fetches are what robots.txt says to search engines: what they cannot read, they cannot obey (S2),
// so a file that is closed to one may be listed by its address although it is noindex. What limits
// everyone goes before what limits single crawlers. An error page has [errorPageAnswer].
func searchAnswer(role policy.Role, d *policy.Decision, fetches []seen.Fetch) string {
	switch role {
	case policy.RoleRedirect:
		return "Not in search results: crawlers go by the page that it redirects to."
	case policy.RoleControl:
		return "Not in search results: it is a file that crawlers or hosts read."
	}
	const byAddress = "May be in search results, by its address alone: "
	blocked := blockedBy(fetches) // the beginning of a sentence, or ""
	switch {
	case d.NoIndex() && blocked != "":
		return byAddress + blocked + " its " + reasons(d, everyone, isIndex) + "."
	case d.NoIndex():
		return "Not in search results: " + reasons(d, everyone, isIndex) + "."
	case blocked != "":
		return byAddress + blocked + " it."
	}
	return limitedAnswer(d)
}

// errorPageAnswer is [searchAnswer] for an error page. Most hosts serve its file with status 200 at
// an address of its own too, where what its tags and its header say of indexing counts.
func errorPageAnswer(site *plan.Plan, pg *plan.Page) string {
	at := plan.OwnAddress(site, pg)
	if at == "" {
		return "Not in search results: it is served with an error status."
	}
	saysNoindex := func(lines []string) bool {
		return robotstag.Told(strings.Join(lines, "\n"))[everyone].NoIndex()
	}
	answers, withNoindex := plan.Answers(site, pg), 0
	for _, answer := range answers {
		if saysNoindex([]string{answer.String()}) {
			withNoindex++
		}
	}
	switch {
	case saysNoindex(pg.TagLines()):
		return "Not in search results: its robots tag says noindex."
	case withNoindex > 0 && withNoindex == len(answers):
		return "Not in search results: its X-Robots-Tag header says noindex."
	case withNoindex > 0:
		return "May be in search results, by an address of its own: hosts serve it with status 200, and its " +
			"X-Robots-Tag header says noindex in some of their answers only."
	}
	return "May be in search results, by an address of its own: hosts serve it at " + at + " with status 200, " +
		"and nothing there says noindex."
}

// limitedAnswer is [searchAnswer] for a file that is not noindex for everyone: that some crawlers
// do not list it, that what they show is limited, or that nothing is stated. A limit is any
// restriction that search engines obey, nofollow too, as for [seen.Limited].
func limitedAnswer(d *policy.Decision) string {
	if names := noindexAgents(d); len(names) > 0 {
		return fmt.Sprintf("In search results, except for %s: %s.", strings.Join(names, ", "),
			reasons(d, names[0], isIndex)) // those of the first, for all of them
	}
	if limits := reasons(d, everyone, limitsOf(d.Generic)); limits != "" {
		return "In search results, with limits: " + limits + "."
	}
	if limits := ownLimits(d); len(limits) > 0 {
		return "In search results, with limits for some: " + strings.Join(limits, "; ") + "."
	}
	return "In search results: nothing keeps it out."
}

// ownLimits says of each crawler with directives of its own what limits its search results, and by
// what: "bingbot nosnippet by metarobots.toml:3, robots.agents.bingbot".
func ownLimits(d *policy.Decision) (texts []string) {
	for _, agent := range d.Agents {
		name := agent.Crawler.Name
		if limits := reasons(d, name, limitsOf(agent.Directives)); limits != "" {
			texts = append(texts, name+" "+limits)
		}
	}
	return texts
}

// limitsOf makes a function that reports of an axis whether the directives restrict search engines
// on it: what they show, such as nosnippet, or which links they follow. What is for AI alone does
// not, nor does an unknown directive, whose axis no known word has.
func limitsOf(d policy.Directives) func(policy.Axis) bool {
	return func(axis policy.Axis) bool {
		isForAI := axis == "noai" || axis == "noimageai" || axis == "noml"
		return !isForAI && axis.IsKnown() && d.On(axis).Restricts()
	}
}

// blockedBy is the beginning of a sentence about the first line of robots.txt that keeps a search
// engine away; empty for none. The caller adds what is not read:
// "robots.txt:3 (Disallow: /a/) keeps Googlebot from reading".
func blockedBy(fetches []seen.Fetch) string {
	i := slices.IndexFunc(fetches, func(f seen.Fetch) bool { return !f.Allowed })
	if i < 0 {
		return ""
	}
	f := fetches[i]
	place := "robots.txt"
	if f.File != "" {
		place = policy.Place(f.File, f.Line)
	}
	return fmt.Sprintf("%s (%s) keeps %s from reading", place, f.Rule, f.Crawler)
}

// noindexAgents are the crawlers to which noindex is stated by their own names.
func noindexAgents(d *policy.Decision) (names []string) {
	for _, a := range d.Agents {
		if a.Directives.NoIndex() {
			names = append(names, a.Crawler.Name)
		}
	}
	return names
}

// everyone is the name by which [reasons] and [policy.Decision.Causes] take no crawler in
// particular: what is stated to all of them.
const everyone = ""

// reasons says of the directives that restrict a crawler, by its name or [everyone], on the axes
// that isAsked lets pass, what fixed them: "noindex, nofollow by metarobots.toml:28, lists of tags,
// and 2 more; nosnippet by …". It is empty if nothing restricts there.
func reasons(d *policy.Decision, crawler string, isAsked func(policy.Axis) bool) string {
	var b strings.Builder
	above := "" // the cause of the words that are written, which is not written yet
	for _, c := range d.Causes(crawler, policy.Style{}) {
		if !isAsked(c.Word.Axis) || len(c.By) == 0 {
			continue
		}
		cause := causeOf(d, c)
		switch {
		case above == "":
		case cause == above:
			b.WriteString(", ")
		default:
			b.WriteString(above + "; ")
		}
		b.WriteString(c.Word.Text)
		above = cause
	}
	return b.String() + above
}

func isIndex(axis policy.Axis) bool { return axis == policy.AxisIndex }

// causeOf says what fixed a directive: " by metarobots.toml:28, lists of tags, and 2 more". The
// site's own statements go before what is found in its files, which may be ours.
func causeOf(d *policy.Decision, c policy.Cause) string {
	first := c.By[0]
	isStated := func(i int) bool { return d.Statements[i].Origin.Layer != policy.LayerFound }
	if i := slices.IndexFunc(c.By, isStated); i >= 0 {
		first = c.By[i]
	}
	o := d.Statements[first].Origin
	if o.File == "" && o.Layer == policy.LayerFound { // of a deployed site: the header or tag itself
		return " by " + o.Key
	}
	text := " by " + strings.Join(compact(place(o), subjectOf(o)), ", ")
	if len(c.By) > 1 {
		text += fmt.Sprintf(", and %d more", len(c.By)-1)
	}
	return text
}

// compact leaves out a second text that says nothing more than the first.
func compact(first, second string) []string {
	if second == "" || first == second {
		return []string{first}
	}
	return []string{first, second}
}

// groups are the pages that a key of [robots.visibility] is about, by its group; %s is the name.
var groups = map[string]string{
	"archives":  "lists of %s",
	"formats":   "files of format %s",
	"kinds":     "pages of kind %s",
	"languages": "pages in %s",
	"sections":  "section %s",
	"types":     "pages of type %s",
}

// subjectOf says what a statement is about, in a reader's words.
func subjectOf(o policy.Origin) string {
	group, name, _ := strings.Cut(strings.TrimPrefix(o.Key, "robots.visibility."), ".")
	switch {
	case o.Key == "robots.visibility.archives.paginated":
		return "page 2 and on of lists"
	case o.Key == "robots.visibility.versions":
		return "old versions"
	case o.Layer == policy.LayerVisibility && groups[group] != "":
		return fmt.Sprintf(groups[group], name)
	case o.Layer == policy.LayerPage:
		return "front matter, " + o.Key
	case o.Layer == policy.LayerFound:
		return "found in the site, " + o.Key
	}
	return o.Key
}
