package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// What is decided reaches crawlers by the tags of a page, or by a header file, which is for one
// target. A snapshot keeps that of each URL that restricts anything. It is lost if nothing carries
// it any more, and also if the only files that do are read by another host than before:
//
//	old                 new                 what is lost
//	tag                 cloudflare          nothing: the file cannot take tags now, and headers say it
//	cloudflare          tag                 nothing: tags reach crawlers at every host. But what the
//	                                        header said if a crawler that reads no tags is restricted
//	portable            netlify             nothing: both are the _headers that Netlify reads
//	cloudflare          apache              what Cloudflare was told
//	cloudflare, apache  apache              the same
//	cloudflare          -                   all of it

// othersAreOpen is what is printed if [Changes.OthersOpened] has anything.
const othersAreOpen = "other hosts are no longer kept out of the index"

// undelivered is the change of a URL whose restrictions reached crawlers, and do not any more;
// false if there is none, or if nobody knows how they reached them.
func (p entryPair) undelivered() (change Change, is bool) {
	isDecided := p.old.Told.Role == "" && p.new.Told.Role == "" && p.new.CarriedBy != nil
	isEnoughByTag := slices.Equal(p.new.CarriedBy, []string{plan.ByTag}) && !p.new.needsHeader()
	lost := lostCarriers(p.old.CarriedBy, p.new.CarriedBy)
	if !isDecided || isEnoughByTag || len(lost) == 0 {
		return Change{}, false
	}
	change = changeOf(p.new)
	change.Was, change.Is = carried(p.old.CarriedBy), carried(p.new.CarriedBy)
	change.LostCarrier, change.Carriers = lost[0], strings.Join(p.new.CarriedBy, " ")
	return change.withText("no longer " + carried(lost)), true
}

// needsHeader reports whether a crawler that reads headers alone (A1) is restricted more than
// everyone: no tag tells it so.
func (e *Entry) needsHeader() bool {
	for name, told := range e.Told.Crawlers {
		c := policy.LookupCrawler(name)
		if c != nil && c.HeaderOnly() && !e.Told.Robots.Covers(told.Directives) {
			return true
		}
	}
	return false
}

// carried says in words what carries a restriction.
func carried(by []string) string {
	if len(by) == 0 {
		return "delivered by nothing"
	}
	var names []string
	for _, carrier := range by {
		if carrier == plan.ByTag {
			names = append(names, "by tag")
		} else {
			names = append(names, "by header for "+carrier)
		}
	}
	return "delivered " + strings.Join(names, " and ")
}

// lostCarriers are those of what carried something whose readers nothing reaches any more.
func lostCarriers(was, is []string) (lost []string) {
	for _, carrier := range was {
		reaches := func(now string) bool { return carrier == plan.ByTag || plan.SharesHost(carrier, now) }
		if !slices.ContainsFunc(is, reaches) {
			lost = append(lost, carrier)
		}
	}
	return lost
}

// othersOpened are the targets whose files kept other hosts out of the index, and where none does
// so any more; nil if one of the snapshots does not know it.
func othersOpened(old, new *Snapshot) (opened []string) {
	if old.Delivery == nil || new.Delivery == nil {
		return nil
	}
	return lostCarriers(old.Delivery.OthersNoindex, new.Delivery.OthersNoindex)
}

// hostsOpened are hosts that were kept out of the index as others than the site's own, and are not
// any more while others still are: the owner counts them as its own now, or the rule for their name
// is gone. Another base URL is no such change. It is nil if one of the snapshots does not know the
// site's own hosts, as those of earlier programs.
func hostsOpened(old, new *Snapshot) (opened []string) {
	if old.Delivery == nil || new.Delivery == nil || old.Delivery.OwnHosts == nil ||
		new.Delivery.OwnHosts == nil {
		return nil
	}
	areOwnListed := len(new.Own) > 0 // else they are those of the base URL, which may be another one
	if areOwnListed {
		opened = without(new.Delivery.OwnHosts, old.Delivery.OwnHosts)
	}
	// If no file keeps others out that did so before, OthersOpened has the loss, if there is any.
	didSo := func(target string) bool { return slices.Contains(old.Delivery.OthersNoindex, target) }
	if !slices.ContainsFunc(new.Delivery.OthersNoindex, didSo) {
		return opened
	}
	keptOut := new.Delivery.OthersNamed
	return append(opened, without(old.Delivery.OthersNamed,
		slices.Concat(keptOut, new.Delivery.OwnHosts))...)
}

// stayingOpen are other names of the site that _redirects sent home, and does not any more; nil if
// one of the snapshots does not know it.
func stayingOpen(old, new *Snapshot) []string {
	if old.Delivery == nil || new.Delivery == nil {
		return nil
	}
	isSent := func(name string) bool { return slices.Contains(new.Delivery.Redirected, name) }
	return slices.DeleteFunc(slices.Clone(old.Delivery.Redirected), isSent)
}

// DeliveryUnknown reports whether s does not know how decisions reach crawlers, and another
// snapshot does: then the two cannot be compared there.
func (s *Snapshot) DeliveryUnknown(other *Snapshot) bool {
	return !s.Answered && s.Delivery == nil && other.Delivery != nil &&
		slices.ContainsFunc(s.Entries, isRestricted)
}

// isRestricted reports whether an entry restricts anything.
func isRestricted(e Entry) bool { return e.Told.Role == "" && e.Told.State() != seen.Indexable }

// undeliveredFindings are one for each carrier that is lost, and what carries that instead: an
// error at the key, or at the header file, that is the cause.
func (b *Baseline) undeliveredFindings(
	site *plan.Plan, changes []Change, now *result.Delivery,
) (all []policy.Finding) {
	isAlike := func(c Change) [2]string { return [2]string{c.LostCarrier, c.Is} }
	for _, alike := range Group(changes, isAlike) {
		first := alike[0]
		f := b.lossOf(site, first.LostCarrier)
		f.URL = first.URL
		carriers := "nothing does"
		if still := strings.Fields(first.Carriers); len(still) > 0 {
			carriers = "only " + filesOf(still, now) + " does"
		}
		f.Message = fmt.Sprintf("%s restricted by %s in the snapshot, and now %s that: %s",
			robotstag.Count(len(alike),
				"URL was", "URLs were"), filesOf([]string{first.LostCarrier}, b.Snapshot.Delivery),
			carriers,
			FirstURLs(urlsOf(alike)))
		f.Fix += ". If this is intended, " + toAccept
		all = append(all, f)
	}
	return all
}

// othersOpenedFindings is an error if hosts other than the site's own are not kept out of the index
// any more.
func (b *Baseline) othersOpenedFindings(site *plan.Plan, opened []string) []policy.Finding {
	if len(opened) == 0 {
		return nil
	}
	f := b.lossOf(site, opened[0])
	if c := site.Project.Config; !c.Robots.Headers.Hosts.KeepsOthersOut {
		f.File, f.Line = c.Locate("hosts", "others")
		f.Fix = `. To undo it, set others = "noindex" in [robots.hosts] again`
	}
	f.File = cmp.Or(f.File, b.File)
	f.Message = fmt.Sprintf("hosts other than the site's own were noindex by %s in the snapshot, "+
		"and they are open now",
		filesOf(opened[:1], b.Snapshot.Delivery))
	f.Fix += `. If this is intended, run "metarobots snapshot" and commit the snapshot`
	return []policy.Finding{f}
}

// hostsOpenedFindings are an error for each host that is not kept out of the index any more.
func (b *Baseline) hostsOpenedFindings(site *plan.Plan, opened []string) (all []policy.Finding) {
	own, _ := site.Project.OwnHosts() // an error would have ended the run
	for _, name := range opened {
		key, message, undo := "also", "has no rule any more that keeps it out of the index",
			"name it in [robots.hosts] also"
		if slices.Contains(own, name) {
			key, message, undo = "own", "counts as the site's own host now",
				"take it out of [robots.hosts] own"
		}
		file, line := site.Project.Config.Locate("hosts", key)
		if line == 0 { // the key is gone
			file, line = site.Project.Config.Locate("hosts", "others")
		}
		all = append(all, policy.Finding{ID: "baseline", Severity: policy.Error,
			File: cmp.Or(file, b.File), Line: line,
			Message: name + ", another host than the site's own, was noindex in the " +
				"snapshot, and " + message,
			Fix: ". To undo it, " + undo + `. If this is intended, run "metarobots snapshot" ` +
				`and commit the snapshot`})
	}
	return all
}

// stayingOpenFindings is an error if other names of the site do not redirect to its own host any
// more.
func (b *Baseline) stayingOpenFindings(site *plan.Plan, names []string) []policy.Finding {
	if len(names) == 0 {
		return nil
	}
	file, line := site.Project.Config.Locate("hosts", "others")
	return []policy.Finding{{ID: "baseline", Severity: policy.Error, File: cmp.Or(file, b.File),
		Line: line,
		Message: strings.Join(names, ", ") + " redirected to the site's own host in the " +
			"snapshot, and serves the site now",
		Fix: `. To undo it, set others = "redirect" in [robots.hosts] again, and name it in also. ` +
			`If this is intended, run "metarobots snapshot" and commit the snapshot`}}
}

// lossOf is an error about a carrier that is lost, with its place and what brings it back: the key
// that names the target no more, or else the header file that carries less than before.
func (b *Baseline) lossOf(site *plan.Plan, carrier string) policy.Finding {
	f := policy.Finding{ID: "baseline", Severity: policy.Error, File: b.File}
	reachesSame := func(h *headerfile.File) bool { return !h.Former && plan.SharesHost(carrier, h.Target) }
	at := slices.IndexFunc(site.Headers, reachesSame)
	switch {
	case carrier == plan.ByTag:
	case at >= 0:
		f.File = site.Headers[at].Change.File
		f.Fix = ". Other findings about this file say why"
	default:
		file, line := site.Project.Config.Locate("headers", "targets")
		f.File, f.Line = cmp.Or(file, b.File), line
		f.Fix = fmt.Sprintf(". To undo it, name %q in robots.headers.targets again", carrier)
	}
	return f
}

// filesOf names carriers by their files, as a delivery has them: "the tag and _headers
// (cloudflare)".
func filesOf(carriers []string, d *result.Delivery) string {
	var names []string
	for _, carrier := range carriers {
		switch {
		case carrier == plan.ByTag:
			names = append(names, "the tag")
		case d != nil && d.Files[carrier] != "":
			names = append(names, fmt.Sprintf("%s (%s)", d.Files[carrier], carrier))
		default:
			names = append(names, carrier)
		}
	}
	return printable.JoinAnd(names)
}
