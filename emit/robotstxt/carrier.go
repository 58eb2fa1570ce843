package robotstxt

import (
	"cmp"
	"slices"

	"metarobots/policy"
)

// A carrier is a way to say what AI may do with content. docs/ai.md says who reads it.
type carrier struct {
	name string
	in   string       // its header, or its file, or "robots" for tags; empty for robots.txt
	uses []policy.Use // those that it can speak of
}

const (
	// CrawlerGroups is the carrier that writes groups of crawlers.
	CrawlerGroups = "robots.txt"

	contentSignal  = "content-signal" // the key of its lines, too
	signalHeader   = "content-signal-header"
	usageLines     = "content-usage-robots"
	contentUsage   = "content-usage" // the name of its header, and the key of those lines, too
	trainingToken  = "training-token"
	tdmReservation = "tdm-reservation"
	rsl            = "rsl"
	rslLink        = "rsl-link"
	// TDMRepFile is a carrier that is a file of its own: see [AIFiles].
	TDMRepFile = "tdmrep.json"
	// NoAI is the carrier that a [policy.Policy] knows.
	NoAI = "noai"
)

var carriers = []carrier{
	// User-agent: GPTBot / Disallow: /. https://www.rfc-editor.org/rfc/rfc9309
	{CrawlerGroups, "", policy.Uses},
	// Content-Signal: search=yes, ai-input=no, ai-train=no. https://contentsignals.org as of
	// 2026-11-23
	{contentSignal, "", policy.Uses},
	// Content-Usage: /path train-ai=n.
	// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/05/ of 2026-08-19
	{usageLines, "", []policy.Use{policy.UseTraining, policy.UseSearch}},
	// Content-Usage: train-ai=n, as a header. The same draft, section 2
	{contentUsage, "Content-Usage", []policy.Use{policy.UseTraining, policy.UseSearch}},
	// Content-Signal: search=yes, ai-train=no, as a header: for one URL. https://contentsignals.org
	// as of 2026-11-23
	{signalHeader, "Content-Signal", policy.Uses},
	// https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/00/ of
	// 2026-10-30
	{trainingToken, "", []policy.Use{policy.UseTraining}},
	// tdm-reservation: 1. https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
	{tdmReservation, "tdm-reservation", []policy.Use{policy.UseTraining}},
	// [{"location": "/", "tdm-reservation": 1}] in /.well-known/tdmrep.json. The same report
	{TDMRepFile, TDMRepFile, []policy.Use{policy.UseTraining}},
	// License: https://example.org/license.xml. https://rslstandard.org/guide/robots-txt of
	// 2025-12-10
	{rsl, "", nil},
	// Link: <https://example.org/license.xml>; rel="license"; type="application/rsl+xml".
	// https://rslstandard.org/rsl
	{rslLink, "Link", nil},
	// noai, noimageai in robots tags and X-Robots-Tag.
	// https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371
	{NoAI, "robots", []policy.Use{policy.UseTraining}},
}

// defaultToken is the policy token of draft-kelley-aipref-training-preference-signal-00.
const defaultToken = "__usage_ai-training"

// CarrierNames are all that can be chosen.
func CarrierNames() (names []string) {
	for _, c := range carriers {
		names = append(names, c.name)
	}
	return names
}

// NeedsLicense reports whether a carrier refers to terms, and so to [Preferences.License].
func NeedsLicense(carrier string) bool { return carrier == rsl || carrier == rslLink }

// Preferences are what is stated of the uses of content by AI, and the carriers that say it. The
// zero value states nothing.
type Preferences struct {
	// Carriers are of the [CarrierNames].
	Carriers []string
	// Site is what is stated of every URL of the host that has no preference of its own.
	Site policy.Preferences
	// URLs are those at which the host serves files with a policy, each once and sorted by their
	// paths.
	URLs []URL
	// Others are those at which it serves files without a policy, sorted: what holds for a folder
	// may hold for them.
	Others []string
	// Open are the beginnings of URLs that cannot be listed, with what is stated of what the host
	// serves there.
	Open []URL
	// Token is the policy token of the carrier training-token; empty for the draft's.
	Token string
	// License is the URL of the licence for the carriers rsl and rsl-link.
	License string
}

// A URL is an encoded path without a query, with what is stated of it.
type URL struct {
	Path   string
	States policy.Preferences
}

// WithPreferences returns the policy with groups and lines for what is stated of AI, by the
// carriers that a chooses. said is what those of them that are in robots.txt say: the proof
// compares that with what pages deny ([Said.Prove]). Without carriers it returns p and nil. No
// carrier allows a use at a path at which it is denied. p stays as it is. By carrier:
//
//	robots.txt            groups for the crawlers of each use, in place of p.Block
//	content-signal        Content-Signal in the group of *, for the whole site
//	content-usage-robots  Content-Usage in the group of *, also for paths
//	training-token        a standalone group of a name that is no crawler's
//	rsl                   a License line, which says nothing of its own
//
// The others are headers and files: see carriers. They add nothing here.
func (p *Policy) WithPreferences(a Preferences) (all *Policy, said Said) {
	if len(a.Carriers) == 0 {
		return p, nil
	}
	copied := *p
	all = &copied
	all.carriers = a.Carriers           // [Policy.Check] asks for them
	all.Groups = slices.Clone(p.Groups) // addGroup must not append to those of p
	for _, c := range carriers {
		if isChosen := slices.Contains(a.Carriers, c.name); isChosen {
			said = append(said, all.addCarrier(c, &a, p)...)
		}
	}
	return all, said
}

// addCarrier adds to a policy what a carrier writes in robots.txt, and returns what that says, with
// what the proof has to know beside it (the token of training-token, the crawlers of robots.txt).
// Of a carrier that is a header or a file it adds nothing, and of rsl there is nothing to prove.
// stated is the policy without preferences, which p is a copy of. A group without Agents is that of
// *, and one that says nothing is not added.
func (p *Policy) addCarrier(c carrier, a *Preferences, stated *Policy) (said Said) {
	switch c.name {
	case CrawlerGroups:
		return p.addCrawlerGroups(c, a, stated)
	case contentSignal:
		w := stated.newWording(a, c, c.uses)
		p.addGroup(Group{ContentSignal: vocabularies[contentSignal].write(w.site)})
		return Said{w}
	case usageLines:
		w := stated.newWording(a, c, c.uses)
		p.addGroup(Group{ContentUsage: w.usages()})
		return Said{w}
	case trainingToken:
		w := stated.newWording(a, c, c.uses)
		w.token = cmp.Or(a.Token, defaultToken)
		g := w.group(policy.UseTraining, Source{Purpose: policy.AITraining})
		g.Agents, g.Standalone = []string{w.token}, true
		p.addGroup(g)
		return Said{w}
	case rsl:
		p.licenses = Values(a.License)
	}
	return nil
}

// addCrawlerGroups is [Policy.addCarrier] for groups of the crawlers of each use. They take the
// place of what stated blocks, which they say too ([Policy.aboutUses]).
func (p *Policy) addCrawlerGroups(c carrier, a *Preferences, stated *Policy) (said Said) {
	p.Block = nil // addCrawlers adds those again that may fetch nothing
	for _, use := range c.uses {
		purpose := use.Purpose()
		w := stated.newWording(a, c, []policy.Use{use})
		w.crawlers = p.namesFor(purpose)
		p.addCrawlers(purpose, w.group(use, stated.sourceOf(purpose)), stated.Block)
		said = append(said, w)
	}
	return said
}

// newWording words what a carrier says of some uses, by [Preferences.newWording].
func (p *Policy) newWording(a *Preferences, c carrier, uses []policy.Use) *wording {
	c.uses = uses
	return a.newWording(c, func(stated policy.Preferences) policy.Preferences {
		return p.aboutUses(stated, c.name, uses)
	})
}

// aboutUses is what of preferences a carrier can speak of: some uses. Of groups of crawlers, a use
// that is left unstated is denied if the policy blocks the crawlers of its purpose.
func (p *Policy) aboutUses(
	stated policy.Preferences, carrier string, uses []policy.Use,
) (about policy.Preferences) {
	for _, u := range uses {
		about[u] = stated[u]
		isBlocked := carrier == CrawlerGroups && slices.Contains(p.Block, u.Purpose())
		if isBlocked && about[u] == policy.Unstated {
			about[u] = policy.Denied
		}
	}
	return about
}

// addGroup adds a group, unless it says nothing: then crawlers need none.
func (p *Policy) addGroup(g Group) {
	if len(g.Allow)+len(g.Disallow)+len(g.ContentUsage) > 0 || g.ContentSignal != "" {
		p.Groups = append(p.Groups, g)
	}
}

// sourceOf is the source of a line that shuts out the crawlers of a purpose.
func (p *Policy) sourceOf(purpose policy.Purpose) Source {
	if slices.Contains(p.Block, purpose) {
		return p.BlockAt
	}
	return Source{Purpose: purpose}
}

// addCrawlers adds a group for the crawlers of a purpose, unless it says nothing. A group that
// shuts them out of the whole site is no group: the purpose joins Block if it is one of those that
// the owner blocked, and else denied.
func (p *Policy) addCrawlers(purpose policy.Purpose, g Group, blocked []policy.Purpose) {
	if len(g.Allow) == 0 && len(g.Disallow) == 1 && g.Disallow[0].Text == "/" {
		if slices.Contains(blocked, purpose) {
			p.Block = append(p.Block, purpose)
		} else {
			p.denied = append(p.denied, purpose)
		}
		return
	}
	g.Agents = p.tokensFor(purpose)
	p.addGroup(g)
}
