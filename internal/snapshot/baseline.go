package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/policy"
)

// A Baseline is an earlier state of the site that a plan is compared with.
type Baseline struct {
	Snapshot *Snapshot
	// File is its name, for messages.
	File string
	// MostNoindex and MostIndexable are how many pages may have become so, MostDisallowed and
	// MostFetchable how many URLs robots.txt may have closed, or opened, to any crawler. If one is
	// negative, the configuration says how many.
	MostNoindex, MostIndexable, MostDisallowed, MostFetchable int
	// MostRemoved is how many URLs may be gone; negative for any number.
	MostRemoved int
}

// Compare says what a plan changes since a baseline, for runs with --baseline: all changes, for
// their output, and findings about those that the policy does not acknowledge ([robots.baseline]
// acknowledged). These findings are errors if there are more than are allowed, else notes:
//
//   - pages that leave the index: newly noindex, or newly leading to another URL than before
//   - newly indexable pages, and URLs that robots.txt newly closes or opens to a crawler
//   - removed URLs, which nothing acknowledges
//
// These are errors always: a URL that AI may use for what was denied, one whose headers or whose
// head name no canonical URL any more, a restriction that reaches crawlers no more, other hosts
// that are no longer kept out of the index or sent home. An acknowledgement that selects nothing is
// a warning, and what the snapshot does not know is a note.
//
// err is for a snapshot of another environment, which may be noindex throughout: whoever asks for a
// comparison must not take silence for one.
func (b *Baseline) Compare(site *plan.Plan) (changes *Changes, all []policy.Finding, err error) {
	then, now := b.Snapshot, OfPlan(site)
	if then.Environment != "" && !strings.EqualFold(then.Environment, now.Environment) {
		return nil, nil, b.otherEnvironment(now.Environment)
	}
	then, now = AsAnswered(then, now) // what can be compared, if the baseline is of a deployed site
	changes = Diff(then, now)
	settings := &site.Project.Config.Robots.Baseline
	rest, unused := changes.Unacknowledged(settings.Acknowledged)
	mostNoindex := limit(b.MostNoindex, settings.NewlyNoindex)
	mostIndexable := limit(b.MostIndexable, settings.NewlyIndexable)
	all = slices.Concat(
		unusedFindings(site, unused),
		b.leavingFindings(rest, addedURLs(changes), mostNoindex),
		b.openedFindings(rest, mostIndexable),
		b.undeliveredFindings(site, rest.NewlyUndelivered, now.Delivery),
		b.othersOpenedFindings(site, rest.OthersOpened),
		b.hostsOpenedFindings(site, rest.HostsOpened),
		b.stayingOpenFindings(site, rest.StayingOpen))
	for _, l := range rest.FetchLists() { // one of what robots.txt closes, one of what it opens
		most := limit(b.MostDisallowed, settings.NewlyDisallowed)
		if isOpened := l.List[0].Allowed; isOpened {
			most = limit(b.MostFetchable, settings.NewlyFetchable)
		}
		all = append(all, b.fetchFindings(l, most)...)
	}
	all = append(all, b.notCompared(then, now)...)
	return changes, append(all, b.removedFindings(site, changes.Removed)...), nil
}

// unusedFindings are warnings about acknowledgements that select nothing; unused are their indexes.
func unusedFindings(site *plan.Plan, unused []int) (all []policy.Finding) {
	settings := &site.Project.Config.Robots.Baseline
	for _, i := range unused {
		all = append(all, settings.AcknowledgedAt[i].Finding("baseline", policy.Warning,
			"%q has not changed: take the entry out", settings.Acknowledged[i].String()))
	}
	return all
}

// openedFindings are about URLs that are more open than before. So many as mostIndexable may become
// indexable. None may be open to AI, or to be listed beside the URL that it named as canonical.
func (b *Baseline) openedFindings(rest Changes, mostIndexable int) []policy.Finding {
	return slices.Concat(
		b.findingsByCause(rest.NewlyIndexable, "%s noindex in the snapshot became indexable (it was %s)",
			terms{most: mostIndexable, undo: "state it again"}),
		b.findingsByCause(rest.NewlyAllowed, "%s no longer denied to AI since the snapshot (%s)",
			terms{undo: "deny it again"}),
		b.findingsByCause(rest.LostCanonical, "%s without the %s that the snapshot has in a header",
			terms{undo: "give the header its link again"}),
		b.findingsByCause(rest.NoLongerLeading, "%s without the %s that the snapshot has in the page",
			terms{undo: "give the page its link again"}))
}

// notCompared are notes about what the plan says and the snapshot does not, as those of earlier
// programs.
func (b *Baseline) notCompared(then, now *Snapshot) (notes []policy.Finding) {
	note := func(missing string) {
		notes = append(notes, policy.Finding{ID: "baseline", Severity: policy.Note, File: b.File,
			Message: missing + " is not in this snapshot, so it is not compared",
			Fix:     ". \"metarobots snapshot\" writes it"})
	}
	if then.RobotsUnknown(now) {
		note("what robots.txt says")
	}
	if then.DeliveryUnknown(now) {
		note("how restrictions reach crawlers")
	}
	if then.LeadsUnknown(now) {
		note("where canonical links lead")
	}
	return notes
}

// otherEnvironment is the error for a run in another environment than that of the snapshot.
func (b *Baseline) otherEnvironment(environment string) error {
	return &printable.Help{
		Err: fmt.Errorf("%s: a snapshot of environment %s, and this is %s: they cannot be compared", b.File,
			b.Snapshot.Environment, environment),
		Lines: []string{fmt.Sprintf("to compare, run with -e %s, or name a snapshot of %s; without --baseline nothing is "+
			"compared", b.Snapshot.Environment, environment)}}
}

// limit is how many changes are allowed: as many as a field of the [Baseline] says, which holds a
// flag, or as many as are configured if that is negative.
func limit(flag, configured int) int {
	if flag < 0 {
		return configured
	}
	return flag
}

// toAccept is what makes changes the new baseline.
const toAccept = "run \"metarobots snapshot\" and commit the snapshot, or add the URLs to [robots.baseline] " +
	"acknowledged"

// verdict says how bad so many changes are, and what to do: what undoes them, or accepts them. most
// is how many are allowed.
func verdict(n, most int, undo string) (severity policy.Severity, todo string) {
	if n <= most {
		return policy.Note, ""
	}
	return policy.Error, ". To undo it, " + undo + ". If this is intended, " + toAccept
}

// inAll says how many changes there are, if any are allowed.
func inAll(n, most int) string {
	if most == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d in all, %d allowed)", n, most)
}

// terms are what changes of one kind cost.
type terms struct {
	most   int    // how many are allowed
	others int    // how many other changes count against that
	undo   string // what undoes them; empty if that depends on the layer of the reason
}

// findingsByCause are one for each cause of changes: an error if there are more changes than are
// allowed, else a note. It has the place of the cause. The format gets how many URLs have that
// cause ("2 URLs"), and the cause.
func (b *Baseline) findingsByCause(
	changes []Change, format string, t terms,
) (all []policy.Finding) {
	n := len(changes) + t.others
	for _, alike := range Group(changes, Cause) {
		first := alike[0]
		severity, todo := verdict(n, t.most, cmp.Or(t.undo, first.Reason.Undo()))
		urls, total := robotstag.Count(len(alike), "URL", "URLs"), inAll(n, t.most)
		all = append(all, policy.Finding{ID: "baseline", Severity: severity, URL: first.URL,
			File: cmp.Or(first.File, b.File), Line: first.Line,
			Message: fmt.Sprintf(format+": %s%s", urls, first.Reason, FirstURLs(urlsOf(alike)), total), Fix: todo})
	}
	return all
}

// Cause is what changes have in common that are one finding. A tag that a template prints is at
// another place in each page, and is one cause.
func Cause(c Change) string {
	if c.Reason.Layer == policy.LayerFound.String() {
		return c.Reason.Text
	}
	return c.Why()
}

// fetchFindings are one for each cause of what crawlers may fetch otherwise: an error if there
// are more URLs than most, else a note. It is at the place of the rule.
func (b *Baseline) fetchFindings(l FetchList, most int) (all []policy.Finding) {
	for i := range l.List {
		change := &l.List[i]
		severity, todo := verdict(l.URLs, most, change.Undo())
		all = append(all, policy.Finding{ID: "baseline", Severity: severity, URL: change.URLs[0],
			File: cmp.Or(change.At.File, b.File), Line: change.At.Line, Message: change.String() + inAll(l.URLs, most),
			Fix: todo})
	}
	return all
}

// removedFindings is one about the URLs that are gone, none if there are none: a note, or an error
// if they are more than a flag allows, which is negative for any number. Those that a rule of the
// site's own redirects count too. The message has both numbers, so that the others, which answer
// with an error, are seen.
func (b *Baseline) removedFindings(site *plan.Plan, changes []Change) []policy.Finding {
	if len(changes) == 0 {
		return nil
	}
	gone, redirected := splitByRedirect(site, urlsOf(changes))
	var parts []string
	if len(gone) > 0 {
		parts = append(parts, fmt.Sprintf("%d without a redirect: %s", len(gone), FirstURLs(gone)))
	}
	if len(redirected) > 0 {
		parts = append(parts, fmt.Sprintf("%d redirected: %s", len(redirected), FirstURLs(redirected)))
	}
	first := cmp.Or(slices.Concat(gone, redirected)...) // one without a redirect, if there is such a one
	f := policy.Finding{ID: "baseline", Severity: policy.Note, File: b.File, URL: first,
		Message: fmt.Sprintf("%s not published any more (%s)",
			robotstag.Count(len(changes), "URL of the snapshot is", "URLs of the snapshot are"), strings.Join(parts, "; "))}
	if b.MostRemoved >= 0 && len(changes) > b.MostRemoved {
		f.Severity = policy.Error
		f.Fix = fmt.Sprintf(" (%d allowed). To undo it, publish them again. If this is intended, "+
			"run \"metarobots snapshot\" and commit the snapshot", b.MostRemoved)
	}
	return []policy.Finding{f}
}

// splitByRedirect are the URLs at which nothing is any more, and those that a rule of the site's
// own redirects, both in their order.
func splitByRedirect(site *plan.Plan, urls []string) (gone, redirected []string) {
	isOwnersRedirect := func(a address.Address) bool { return a.Route != nil && a.To != "" }
	for _, url := range urls {
		if slices.ContainsFunc(site.Sites.At(url), isOwnersRedirect) {
			redirected = append(redirected, url)
		} else {
			gone = append(gone, url)
		}
	}
	return gone, redirected
}

// urlsOf are the URLs of changes, in their order.
func urlsOf(changes []Change) (urls []string) {
	for _, c := range changes {
		urls = append(urls, c.URL)
	}
	return urls
}

// FirstURLs names three URLs, and says how many more there are.
func FirstURLs(urls []string) string {
	text := strings.Join(urls[:min(3, len(urls))], ", ")
	if more := len(urls) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
