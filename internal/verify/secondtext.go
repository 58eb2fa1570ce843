package verify

import (
	"fmt"
	"net/url"
	"strings"

	"metarobots/internal/hosts"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/policy"
)

// reportAnswer reports what a second host means for the site, by the state of its gravest pages:
//
//	Open                               an error
//	KeptUnread, NamesHome              a warning
//	Unclear, OtherSite                 a note
//	LeadsAway, Absent                  a note if the owner names the host, else nothing
//	LeadsHome, KeptOut, ShutAsHome     nothing: it is as it should be
func (s *secondRun) reportAnswer(host *SecondHost, a *SecondAnswer) {
	summary, home := &s.report.Summary, s.homeName()
	lead := a.URL + " (" + a.By + ")"
	gravest := a.pagesIn(a.State) // the state is that of a page, unless it is Absent or OtherSite
	switch {
	case a.State == Open:
		s.reportTwin(host, a)
	case a.State == KeptUnread:
		summary.warn("%s: %s keeps %s from reading a redirect, a noindex or a canonical link at %s, "+
			"so that address may be in search results: let crawlers in there",
			lead, gravest[0].Why, readerOf(gravest[0]), gravest[0].URL)
	case a.State == NamesHome:
		summary.warn("%s may be indexed at %s; the canonical link to %s is a hint to search engines "+
			"and no rule: %s", lead, printable.JoinAnd(textsOf(gravest)), home, surerThanCanonical(host, home))
	case a.State == Unclear:
		summary.note("%s: what crawlers may do at %s is not known: %s", lead, gravest[0].URL, gravest[0].Why)
	case a.State == OtherSite:
		summary.note("%s answers, and nothing there shows that it is %s: it may be somebody else's; if it is yours, "+
			"add --also %s", lead, home, a.URL)
	case a.State == LeadsAway && host.IsStated:
		summary.note("%s: %s: %s; --also asks that host too", lead, gravest[0].URL, gravest[0].Why)
	case a.State == Absent && host.IsStated:
		summary.note("%s: nothing to index: %s", lead, a.whyAbsent())
	}
}

// reportTwin reports a second host with pages that may be indexed. If its home page has another
// title, the owner may have named another site by mistake.
func (s *secondRun) reportTwin(host *SecondHost, a *SecondAnswer) {
	home := s.homeName()
	message := fmt.Sprintf("%s (%s) is an indexable twin of %s: neither noindex nor a canonical link to %s at %s",
		a.URL, a.By, home, home, printable.JoinAnd(textsOf(a.pagesIn(Open))))
	if a.otherTitle != "" {
		message += "; " + a.otherTitle + ": if it is another site, leave out --also " + a.URL
	}
	s.report.Summary.fail(message, ". "+adviceFor(host, home))
}

// String is the name of the host with what it was found to be.
func (a *SecondAnswer) String() string {
	text := map[SecondState]string{Absent: "nothing there", LeadsHome: "leads home", KeptOut: "noindex", ShutAsHome: "disallowed, as built",
		LeadsAway: "leads elsewhere", OtherSite: "perhaps another site", Unclear: "not known",
		NamesHome: "indexable, names the site as canonical", KeptUnread: "disallowed", Open: "an indexable twin"}[a.State]
	return a.URL + " " + text
}

// homeName is the name of the site's own host, for messages.
func (s *secondRun) homeName() string {
	if len(s.report.MadeFor) > 0 {
		return s.report.MadeFor[0].Host
	}
	if base, err := url.Parse(s.report.Summary.Base); err == nil && base.Host != "" {
		return base.Host
	}
	return "the site"
}

// whyAbsent says why crawlers get nothing.
func (a *SecondAnswer) whyAbsent() string {
	if len(a.Pages) == 0 {
		return a.Why
	}
	return a.Pages[0].URL + ": " + a.Pages[0].Why
}

// textsOf are pages with what they answered: "/ (200)", or "/ (200, for googlebot)".
func textsOf(pages []*SecondPage) (texts []string) {
	for _, page := range pages {
		text := fmt.Sprintf("%s (%d", page.URL, page.Status)
		if !policy.Everyone(page.Crawler) {
			text += ", for " + page.Crawler
		}
		texts = append(texts, text+")")
	}
	return texts
}

// readerOf names whom a page's state is about.
func readerOf(page *SecondPage) string {
	if policy.Everyone(page.Crawler) {
		return "crawlers"
	}
	return page.Crawler
}

// adviceFor says what closes a second host, the best way first. Disallow is none.
func adviceFor(host *SecondHost, home string) string {
	const noDisallow = "A Disallow in robots.txt is no help: crawlers would not read that noindex"
	of := hosts.OfName(host.Base.Hostname())
	if of != nil && !of.Others.ByHost {
		text := of.Others.Stays + ": " + of.Others.Instead
		return upperFirst(strings.ReplaceAll(text, "HOST", home)) + ". " + noDisallow
	}
	on := "on hosts whose rules can be for one host (Cloudflare, Vercel, Apache, nginx, Caddy)"
	if of != nil {
		on = "for " + of.Name
	}
	setting := `[robots.hosts] others = "noindex", or "redirect",`
	if other, _ := project.WithWWW(home); other == host.Base.Hostname() { // by default both are own
		setting += fmt.Sprintf(" and own = [%q],", home)
	}
	return fmt.Sprintf("Redirect it to %s, which is best; or have each page name its address at %s as canonical, "+
		"and each file by a Link header; or set %s which metarobots writes %s. %s", home, home, setting, on, noDisallow)
}

// surerThanCanonical says what is surer than the canonical links that a host already has.
func surerThanCanonical(host *SecondHost, home string) string {
	if of := hosts.OfName(host.Base.Hostname()); of != nil && !of.Others.ByHost {
		return "a redirect to " + home + " is surer, if the host can have one"
	}
	return "a redirect to " + home + ` is surer, and so is [robots.hosts] others = "noindex"`
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
