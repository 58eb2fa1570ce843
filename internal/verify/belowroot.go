package verify

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/printable"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// warnBelowRoot warns of uses by AI that are denied at URLs below a folder of a host, and that
// nothing there denies: once for each use, with the first URL and a count. The site cannot write
// the host's robots.txt, which its owner has to complete elsewhere. The URLs of a site at the root
// of its host are judged by the built robots.txt instead. A host that is down or shut is passed
// over: errors say so.
func (r *run) warnBelowRoot(targets []target) {
	for _, use := range policy.Uses {
		var open []*target
		for i := range targets {
			if targets[i].isOpenBelowRoot(use) {
				open = append(open, &targets[i])
			}
		}
		if len(open) == 0 {
			continue
		}
		first := open[0]
		r.warn("%s lets in crawlers for %s by AI (%s) at %s where it is denied, %s for one: no file below the root of "+
			"a host can keep them out, so add the rules to that robots.txt", first.root.server.robots.asked(), use,
			printable.JoinFirst(first.crawlersLetIn(use), mostNamed),
			robotstag.Count(len(open), "URL", "URLs"), first.at)
	}
}

// isOpenBelowRoot reports whether a use by AI is denied at a target below a folder of its host, and
// nothing there denies it: robots.txt was read and lets a crawler for that use in, and the page is
// to be served with nothing that says so.
func (t *target) isOpenBelowRoot(use policy.Use) bool {
	isAtRoot := t.root.base.EscapedPath() == "/"
	isUnread := t.root.server.shut != "" || t.root.server.down != nil
	isDenied := t.uses[use.String()] == policy.Denied.String()
	mayBeOpen := !isAtRoot && !isUnread && isDenied
	return mayBeOpen && !t.carriesDenial(use) && len(t.crawlersLetIn(use)) > 0
}

// crawlersLetIn are the tokens of the crawlers for a use by AI that the host's robots.txt lets
// fetch the target.
func (t *target) crawlersLetIn(use policy.Use) (tokens []string) {
	for _, c := range policy.AllCrawlers() {
		isAllowed := t.root.server.ban(c.Name, t.at) == ""
		if c.Purpose == use.Purpose() && isAllowed {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
}

// aiHeaders are the headers that say what AI may do with a page.
var aiHeaders = []string{"Content-Signal", "Content-Usage", "tdm-reservation"}

// carriesDenial reports whether something that the page is to be served with denies a use: a header
// about AI, which is taken to say what was decided, or for training the directive noai.
func (t *target) carriesDenial(use policy.Use) bool {
	isAboutAI := func(h seen.Header) bool {
		isNamed := func(name string) bool { return strings.EqualFold(h.Name, name) }
		return slices.ContainsFunc(aiHeaders, isNamed)
	}
	return slices.ContainsFunc(t.headers, isAboutAI) ||
		use == policy.UseTraining && strings.Contains(t.decision.String(), "noai")
}

// mostNamed is how many crawlers a message names.
const mostNamed = 3
