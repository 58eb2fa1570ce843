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
// nothing there denies: once for each use, with the first URL and a count. The site cannot write the
// host's robots.txt, which its owner has to complete elsewhere. The URLs of a site at the root of its
// host are judged by the built robots.txt instead. A host that is down or shut is passed over: errors
// say so.
func (r *run) warnBelowRoot(targets []target) {
	for _, use := range policy.Uses {
		var first *target
		open := 0
		for i := range targets {
			t := &targets[i]
			isAtRoot := t.root.base.EscapedPath() == "/"
			isUnread := t.root.server.shut != "" || t.root.server.down != nil
			isDenied := t.uses[use.String()] == policy.Denied.String()
			if isAtRoot || isUnread || !isDenied {
				continue
			}
			if isCarriedOtherwise(t, use) || len(t.letsIn(use)) == 0 {
				continue
			}
			if open++; first == nil {
				first = t
			}
		}
		if first == nil {
			continue
		}
		r.warn("%s lets in crawlers for %s by AI (%s) at %s where it is denied, %s for one: no file below the root of "+
			"a host can keep them out, so add the rules to that robots.txt", first.root.server.robots.asked(), use,
			printable.JoinFirst(first.letsIn(use), mostNamed), robotstag.Count(open, "URL", "URLs"), first.at)
	}
}

// letsIn are the tokens of the crawlers for a use by AI that the host's robots.txt lets fetch the target.
func (t *target) letsIn(use policy.Use) (tokens []string) {
	for _, c := range policy.AllCrawlers() {
		if c.Purpose == use.Purpose() && t.root.server.ban(c.Name, t.at) == "" {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
}

// isCarriedOtherwise reports whether something that the page is to be served with denies a use: a header about AI,
// which is taken to say what was decided, or for training the directive noai.
func isCarriedOtherwise(t *target, use policy.Use) bool {
	isAboutAI := func(h seen.Header) bool {
		return slices.ContainsFunc([]string{"Content-Signal", "Content-Usage", "tdm-reservation"},
			func(name string) bool { return strings.EqualFold(h.Name, name) })
	}
	return slices.ContainsFunc(t.headers, isAboutAI) ||
		use == policy.UseTraining && strings.Contains(t.decision.String(), "noai")
}

// mostNamed is how many crawlers a message names.
const mostNamed = 3
