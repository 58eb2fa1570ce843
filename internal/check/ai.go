package check

import (
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
// it is about (I1). An environment is meant to deny what the rest allows.
func overriddenAI(site *plan.Plan) []policy.Finding {
	all, counts := tallies{}, map[string]bool{}
	for _, pg := range site.Pages {
		d := pg.Decision
		for _, s := range d.Statements {
			for _, u := range policy.Uses {
				if s.AI[u] != policy.Allowed {
					continue
				}
				at, deciding := statementOf(s.Origin, u), d.Preferring(u)
				i := slices.IndexFunc(deciding, func(i int) bool {
					return d.Statements[i].Origin.Layer != policy.LayerEnvironment
				})
				if d.AI[u] == policy.Allowed || i < 0 {
					counts[at] = true
				} else if t := all.add(at, pg, s.Origin); t.count == 1 {
					t.key = fmt.Sprintf("%s: %s = allow has no effect: %s = deny at %s", s.Origin.Key, u, u,
						placeOf(d.Statements[deciding[i]].Origin))
				}
			}
		}
	}
	maps.DeleteFunc(all, func(at string, _ *tally) bool { return counts[at] })
	return all.findings(site, "ai-overridden", policy.Warning, "{key} goes before it for {pages}")
}

// contradictedAI reports what the site's own files say of a use by AI, and what contradicts the
// policy's statement about that use (I8): once for each such line and statement, at the line, with a
// count of the files that both are about.
func contradictedAI(site *plan.Plan) []policy.Finding {
	return tallied(site, "ai-contradiction", policy.Warning, "{key} for {pages}", func(all tallies, pg *plan.Page) {
		decided := pg.Decision.AI
		if decided.IsZero() {
			return
		}
		eachOwnSignal(site, pg, func(s ownSignal) {
			isAboutBoth := decided[s.use] != policy.Unstated && s.states != policy.Unstated
			if !isAboutBoth || decided[s.use] == s.states {
				return
			}
			by := placeOf(pg.Decision.PreferredAt(s.use))
			t := all.add(statementOf(s.at, s.use)+by, pg, s.at)
			t.key = fmt.Sprintf("%s contradicts %s = %s at %s", s.text, s.use, decided[s.use], by)
		})
	})
}

// An ownSignal is what a line of the site's own says of one use by AI.
type ownSignal struct {
	use    policy.Use
	states policy.Preference
	at     policy.Origin
	text   string // the line, for a message
}

// eachOwnSignal calls do for all signals about a file that are not ours: the word noai in tags of its
// theme, which denies training, lines of header files, and lines of robots.txt.
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

// statementOf names what is stated of a use, so that findings come in the order of their lines.
func statementOf(at policy.Origin, u policy.Use) string {
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
// what is denied, or may not do what is allowed (I6): a note at the line of the statement, once for all
// files with the same vendors and reasons. A noindex file is not meant to be found, in a preview none
// is, so nobody misses a use that is allowed for it.
func vendorsDiffer(site *plan.Plan) []policy.Finding {
	if !slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return !pg.Decision.AI.IsZero() }) {
		return nil
	}
	all := tallies{}
	whyNothing := "robots.txt does not deny it"                   // the reason where no line says anything
	if isBelowHost := site.Project.Main.Base != ""; isBelowHost { // of several hosts, that of baseURL decides the words
		whyNothing = "only the robots.txt at the root of the host could deny it"
	}
	for _, group := range published.Groups(site) { // of files with which all vendors do the same
		for _, use := range policy.Uses {
			differing := map[policy.Preference]string{ // the vendors in words, by what is stated; none if nothing is
				policy.Allowed: whoDiffers(group.Answers, use, policy.Allowed, whyNothing),
				policy.Denied:  whoDiffers(group.Answers, use, policy.Denied, whyNothing)}
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
				t := all.add(statementOf(at, use)+vendors, pg, at)
				t.key = fmt.Sprintf("%s be used for %s by %s", may, purposes[use], vendors)
			}
		}
	}
	return all.findings(site, "ai-vendor", policy.Note, "{files} {key}; first {first}")
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
	return a.Allows() || a.MayIgnore && a.By != "Disallow: /"
}

// whoDiffers lists the vendors that do not do with a use what is stated of it, or need not, by their
// answers for a file, with what lets them or does not, those together for which it is the same: "A
// (abot), B (bbot): robots.txt may be ignored; C (cbot): robots.txt:3: Disallow: /". It is empty for
// none. whyNothing is the reason of vendors that no line concerns.
func whoDiffers(answers []published.Answer, use policy.Use, stated policy.Preference, whyNothing string) string {
	var reasons []string // in the order of their first vendors
	vendors := map[string][]string{}
	for _, a := range answers {
		if a.Use != use || !differs(a, stated) {
			continue
		}
		reason := whyNothing // of a vendor that is allowed the use by no line, and that documents no directive
		switch {
		case a.MayIgnore: // it is denied the use
			reason = "robots.txt may be ignored"
		case a.Allows() && a.Unless != nil:
			reason = strings.Join(a.Unless, " or ") + " in tags or headers would deny it"
		case a.Line > 0: // of robots.txt
			reason = policy.Placed(a.File, a.Line, a.By)
		case !a.Allows(): // by a header, a tag, or the host's own block
			reason = a.By
		}
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
