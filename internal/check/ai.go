package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// overriddenAI reports each statement that allows a use by AI which is denied for every file that
// it is about (I1). An environment is meant to deny what the rest allows, so a statement that only
// the environment denies is taken to have an effect.
func overriddenAI(site *plan.Plan) []policy.Finding {
	all, hasEffect := tallies{}, map[string]bool{} // both by statementKey
	for _, pg := range site.Pages {
		for _, s := range pg.Decision.Statements {
			for _, use := range policy.Uses {
				if s.AI[use] != policy.Allowed {
					continue
				}
				key := statementKey(s.Origin, use)
				deniedAt, isDenied := denialAt(pg.Decision, use)
				if !isDenied {
					hasEffect[key] = true // on this page
				} else if t := all.add(key, pg, s.Origin); t.count == 1 {
					t.key = fmt.Sprintf("%s: %s = allow has no effect: %s = deny at %s",
						s.Origin.Key, use, use, placeOf(deniedAt))
				}
			}
		}
	}
	maps.DeleteFunc(all, func(key string, _ *tally) bool { return hasEffect[key] })
	return all.findings(site, "ai-overridden", policy.Warning, "{key} goes before it for {pages}")
}

// denialAt is where a use that a decision denies is first denied by anything but the environment.
// isDenied is false if the decision allows the use, and if only the environment denies it.
func denialAt(d *policy.Decision, use policy.Use) (at policy.Origin, isDenied bool) {
	if d.AI[use] == policy.Allowed {
		return at, false
	}
	for _, i := range d.Preferring(use) { // the indexes of the statements that deny it
		if at := d.Statements[i].Origin; at.Layer != policy.LayerEnvironment {
			return at, true
		}
	}
	return at, false
}

// contradictedAI reports what the site's own files say of a use by AI, and what contradicts the
// policy's statement about that use (I8): once for each such line and statement, at the line, with
// a count of the files that both are about.
func contradictedAI(site *plan.Plan) []policy.Finding {
	return tallied(site, "ai-contradiction", policy.Warning, "{key} for {pages}", func(all tallies, pg *plan.Page) {
		decided := pg.Decision.AI
		if decided.IsZero() { // the policy states nothing that a signal could contradict
			return
		}
		eachOwnSignal(site, pg, func(s ownSignal) {
			isAboutBoth := decided[s.use] != policy.Unstated && s.states != policy.Unstated
			if !isAboutBoth || decided[s.use] == s.states {
				return
			}
			by := placeOf(pg.Decision.PreferredAt(s.use))
			t := all.add(statementKey(s.at, s.use)+by, pg, s.at)
			t.key = fmt.Sprintf("%s contradicts %s = %s at %s", s.text, s.use, decided[s.use], by)
		})
	})
}

// An ownSignal is what a line of the site's own says of one use by AI.
type ownSignal struct {
	use    policy.Use
	states policy.Preference // Unstated if the line is about other uses alone
	at     policy.Origin
	text   string // the line, for a message
}

// eachOwnSignal calls do for all signals about a file that are not ours: the word noai in tags of
// its theme, which denies training, lines of header files, and lines of robots.txt.
func eachOwnSignal(site *plan.Plan, pg *plan.Page, do func(ownSignal)) {
	for _, s := range pg.Decision.Statements {
		if s.Origin.Layer == policy.LayerFound && !s.Directives.On("noai").IsZero() {
			do(ownSignal{policy.UseTraining, policy.Denied, policy.Origin{File: s.Origin.File, Line: s.Origin.Line}, "noai"})
		}
	}
	for _, h := range site.Headers {
		for _, line := range h.Signals(pg.File.Name) {
			for use, states := range robotstxt.HeaderStates(line.Name, line.Text) {
				do(ownSignal{policy.Use(use), states, policy.Origin{File: line.File, Line: line.Line},
					fmt.Sprintf("%q", line.Name+": "+line.Text)})
			}
		}
	}
	published.EachUse(site, pg, func(file string, use policy.Use, states policy.Preference, line robotstxt.Line) {
		do(ownSignal{use, states, policy.Origin{File: file, Line: line.Number}, fmt.Sprintf("%q", line.String())})
	})
}

// statementKey is the key of the tally for what is stated of a use at a place. Keys sort like the
// lines of a file: "metarobots.toml:00000012 0 rule rules[0].ai". Findings come in their order.
func statementKey(at policy.Origin, u policy.Use) string {
	return fmt.Sprintf("%s:%08d %d %s %s", at.File, at.Line, u, at.Layer, at.Key)
}

// placeOf is the place of a statement, or its layer and key if nobody knows the file.
func placeOf(o policy.Origin) string {
	if o.File == "" {
		return fmt.Sprintf("(%s, %s)", o.Layer, o.Key)
	}
	return o.Place()
}

// vendorsDiffer reports where a vendor of AI, by what it documents and by what is published, may do
// what is denied, or may not do what is allowed (I6): a note at the line of the statement, once for
// all files with the same vendors and reasons. A noindex file is not meant to be found, in a
// preview none is, so nobody misses a use that is allowed for it.
func vendorsDiffer(site *plan.Plan) []policy.Finding {
	if !slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return !pg.Decision.AI.IsZero() }) {
		return nil
	}
	all := tallies{}
	reasonOfNoLine := "robots.txt does not deny it"
	isBelowHost := site.Project.Hosts.Main.Base != "" // of several hosts, that of baseURL decides
	if isBelowHost {
		reasonOfNoLine = "only the robots.txt at the root of the host could deny it"
	}
	for _, group := range published.Groups(site) {
		for _, use := range policy.Uses {
			addDiffering(all, group, use, reasonOfNoLine)
		}
	}
	return all.findings(site, "ai-vendor", policy.Note, "{files} {key}; first {first}")
}

// addDiffering counts those files of a group, with which all vendors do the same, for which a
// vendor does not do with a use what is stated of it, or need not. There is a tally for each
// statement with the same vendors and reasons. reasonOfNoLine is as for [whoDiffers].
func addDiffering(all tallies, group *published.Group, use policy.Use, reasonOfNoLine string) {
	differing := map[policy.Preference]string{ // by what is stated; none for Unstated
		policy.Allowed: whoDiffers(group.Answers, use, policy.Allowed, reasonOfNoLine),
		policy.Denied:  whoDiffers(group.Answers, use, policy.Denied, reasonOfNoLine)}
	for _, pg := range group.Pages {
		stated := pg.Decision.AI[use]
		isMissedByNobody := stated == policy.Allowed && pg.Decision.NoIndex()
		vendors := differing[stated]
		if vendors == "" || isMissedByNobody {
			continue
		}
		may := "may still"
		if stated == policy.Allowed {
			may = "may not"
		}
		at := pg.Decision.PreferredAt(use)
		t := all.add(statementKey(at, use)+vendors, pg, at)
		t.key = fmt.Sprintf("%s be used for %s by %s", may, purposes[use], vendors)
	}
}

// purposes are the uses in words for readers.
var purposes = map[policy.Use]string{policy.UseTraining: "training", policy.UseSearch: "search with AI",
	policy.UseInput: "answers"}

// differs reports whether a vendor does not do what is stated, or need not. The finding
// robotstxt-may-ignore has those that may fetch nothing at all and may ignore that.
func differs(a published.Answer, stated policy.Preference) bool {
	if stated == policy.Allowed {
		return !a.Allows()
	}
	const denyingAll = "Disallow: /"
	return a.Allows() || a.MayIgnore && a.By != denyingAll
}

// whoDiffers lists the vendors that do not do with a use what is stated of it, or need not, by
// their answers for a file. Behind the vendors is the reason, and those with one reason are
// together: "A (abot), B (bbot): robots.txt may be ignored; C (cbot): robots.txt:3: Disallow: /".
// It is empty for none. reasonOfNoLine is the reason of vendors for which [reasonOf] knows none.
func whoDiffers(
	answers []published.Answer, use policy.Use, stated policy.Preference, reasonOfNoLine string,
) string {
	var reasons []string             // in the order of their first vendors
	vendors := map[string][]string{} // by reason
	for _, a := range answers {
		if a.Use != use || !differs(a, stated) {
			continue
		}
		reason := cmp.Or(reasonOf(a), reasonOfNoLine)
		if vendors[reason] == nil {
			reasons = append(reasons, reason)
		}
		vendors[reason] = append(vendors[reason], a.Vendor+" ("+a.Crawler+")")
	}
	for i, reason := range reasons {
		reasons[i] = strings.Join(vendors[reason], ", ") + ": " + reason
	}
	return strings.Join(reasons, "; ")
}

// reasonOf says what allows a vendor a use, or denies it. It is empty if no line allows the use,
// and the vendor documents no directive of tags or headers that would deny it.
func reasonOf(a published.Answer) string {
	switch {
	case a.MayIgnore: // it is denied the use
		return "robots.txt may be ignored"
	case a.Allows() && a.Unless != nil:
		return strings.Join(a.Unless, " or ") + " in tags or headers would deny it"
	case a.Line > 0: // of robots.txt
		return policy.Placed(a.File, a.Line, a.By)
	case !a.Allows(): // by a header, a tag, or the host's own block
		return a.By
	}
	return ""
}
