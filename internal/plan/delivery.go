package plan

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// ByTag is what [CarriedBy] calls the tags of a page, beside the targets of header files.
const ByTag = "tag"

// CarriedBy says how what a file restricts reaches crawlers: by [ByTag] alone if its tags tell it
// to every crawler, else by header files, each named by its target, beside ByTag if tags tell it to
// most. What other headers restrict always needs header files. The list is sorted. It is nil if the
// file restricts nothing, and empty if nothing carries what it does. Snapshots and results keep it.
//
//	a page that is noindex                                      tag
//	the same, and a crawler that reads no tags is restricted    cloudflare, tag
//	a PDF that is noindex                                       cloudflare
//	the same PDF without a header file                          empty
func CarriedBy(s *Plan, pg *Page) []string {
	restricts := len(pg.Header()) > 0 // by what is decided: then it asks for an X-Robots-Tag
	reached := tagsReach(pg)
	isForTags := restricts && reached != nobody
	isForHeader := restricts && reached != everyone || slices.ContainsFunc(pg.Others, isRestriction)
	if !isForTags && !isForHeader {
		return nil
	}
	carriers := []string{} // not nil: the file restricts something
	for _, h := range s.Headers {
		// A header file carries nothing to a page of another host, that it gave up, or that its
		// proof misses; and nothing at all if no rules are planned for it.
		if isForHeader && h.Carries(pg.File.Name) && !slices.Contains(carriers, h.Target) {
			carriers = append(carriers, h.Target)
		}
	}
	if isForTags {
		carriers = append(carriers, ByTag)
	}
	slices.Sort(carriers)
	return carriers
}

// Sent is what hosts send of X-Robots-Tag with a page's file, once everything is written.
func Sent(s *Plan, pg *Page) (sent headerfile.Sent) {
	for _, h := range s.Headers {
		byHost := h.Sent(pg.File.Name, pg.File.Role, len(pg.Header()) > 0)
		sent.HasOurs = sent.HasOurs || byHost.HasOurs
		sent.IsLacking = sent.IsLacking || byHost.IsLacking
		for _, v := range byHost.Owners {
			if !slices.Contains(sent.Owners, v) { // as where several hosts read netlify.toml
				sent.Owners = append(sent.Owners, v)
			}
		}
	}
	return sent
}

// Answers are what hosts send of X-Robots-Tag with the file of an error page, once everything is
// written: an answer for each address at which one of them serves it with status 200 and each way
// in which it may send it, some of them empty.
func Answers(s *Plan, pg *Page) (all []robotstag.Sent) {
	for _, h := range s.Headers {
		all = append(all, h.Answers(pg.File.Name)...)
	}
	return all
}

// Reaching are the owner's values of X-Robots-Tag for a page's file.
func Reaching(s *Plan, pg *Page) (values []robotstag.Value) {
	for _, h := range s.Headers {
		values = append(values, h.Reaching(pg.File.Name)...)
	}
	return values
}

// A reach is to which of the crawlers that a file restricts its tags say so.
type reach int

const (
	nobody   reach = iota // it has no tags, or restricts only crawlers that read none
	most                  // all but crawlers that read no tags (Decision.Untagged names them)
	everyone              // or at least everyone who is restricted
)

// tagsReach returns the reach of the tags of a file that restricts something.
func tagsReach(pg *Page) reach {
	d := pg.Decision
	isReached := func(a policy.Agent) bool {
		return !a.Crawler.HeaderOnly() && a.Directives.Restricts()
	}
	switch {
	case !pg.TakesTags():
		return nobody
	case len(d.Untagged()) == 0:
		return everyone
	case d.Generic.Restricts() || slices.ContainsFunc(d.Agents, isReached):
		return most
	}
	return nobody
}

// isRestriction reports whether a line of other headers restricts and is ours to serve: a line of
// the owner's is there anyway, and one that is lost reaches nobody.
func isRestriction(l headerfile.Line) bool { return !l.Found && !l.Lost && l.Restricts() }

// SharesHost reports whether a host that one target of header files names reads the file of another
// target: [headers.TargetPortable] is for several hosts.
func SharesHost(a, b string) bool {
	readsFileOf := func(target, other string) bool {
		return other == headers.TargetPortable && hosts.Lookup(target).File == hosts.HeadersFile
	}
	return a == b || readsFileOf(a, b) || readsFileOf(b, a)
}
