package snapshot

import (
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// leading is the change of a URL that was indexable and led nowhere, and now leads search engines to
// another URL: it leaves the index although its page is published. A canonical link or an owner's
// redirect counts if the old snapshot says where its URLs lead.
func (p entryPair) leading() (change Change, is bool) {
	wasListed := p.old.Told.Role == "" && !p.old.Told.Robots.NoIndex() && p.old.Leads == nil
	lead := p.new.Leads
	if !wasListed || lead == nil || p.new.Told.Robots.NoIndex() || !p.knowLeads && p.new.Told.Role == "" {
		return Change{}, false
	}
	is = true
	change = Change{URL: p.new.URL, Was: p.old.Told.String(), Is: strings.TrimSpace(lead.By + " to " + lead.To),
		To: lead.To}
	if lead.To == "" {
		change.Is = lead.By + " to another site"
	}
	return change.withReason(seen.Reason{Text: change.Is}, lead.File, lead.Line), is
}

// leaving are the findings about URLs that leave the index: because they are noindex, or because they
// lead to another URL. Both count against one limit, most. A page that moved, because it leads to a
// URL that is new since the snapshot, keeps its place in the index there: that is a note.
func (b *Baseline) leaving(rest Changes, added map[string]bool, most int) []policy.Finding {
	var moved, led []Change
	for _, change := range rest.NewlyLeading {
		if added[change.To] {
			moved = append(moved, change)
		} else {
			led = append(led, change)
		}
	}
	hidden := rest.NewlyNoindex
	all := b.findings(hidden, "%s became noindex since the snapshot (%s)", terms{most: most, others: len(led)})
	all = append(all, b.findings(led, "%s left the index since the snapshot (%s)",
		terms{most: most, others: len(hidden), undo: "take that out there"})...)
	if len(moved) == 0 {
		return all
	}
	return append(all, policy.Finding{ID: "baseline", Severity: policy.Note, File: b.File, URL: moved[0].URL,
		Message: fmt.Sprintf("%s to pages that are new since the snapshot: %s",
			robotstag.Count(len(moved), "URL leads", "URLs lead"), FirstURLs(urlsOf(moved)))})
}

// addedURLs are the URLs that are new since a snapshot.
func addedURLs(changes *Changes) map[string]bool {
	added := map[string]bool{}
	for _, change := range changes.Added {
		added[change.URL] = true
	}
	return added
}
