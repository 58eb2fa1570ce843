package plan

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosts"
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
	restricts := len(pg.Header()) > 0  // by what is decided: then it asks for an X-Robots-Tag
	untagged := pg.Decision.Untagged() // crawlers that read no tags, and are restricted more than everyone
	tagsTellAll := pg.TakesTags() && len(untagged) == 0
	tagsTellMost := pg.TakesTags() && pg.Decision.Generic.Restricts() // all but those
	// Another header may restrict too, if it is to be served and is not the owner's, which is there
	// anyway.
	isRestriction := func(l headerfile.Line) bool { return !l.Found && !l.Lost && l.Restricts() }
	othersRestrict := slices.ContainsFunc(pg.Others, isRestriction)
	tagsLeaveSome := restricts && !tagsTellAll
	isForTags := restricts && (tagsTellAll || tagsTellMost)
	isForHeader := tagsLeaveSome || othersRestrict
	if !isForTags && !isForHeader {
		return nil
	}
	carriers := []string{}
	for _, h := range s.Headers { // a file carries nothing to a page that it gave up, or that its proof misses
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

// SharesHost reports whether a host that one target of header files names reads the file of another
// target: [headers.TargetPortable] is for several hosts.
func SharesHost(a, b string) bool {
	readsPortable := func(target string) bool { return hosts.Lookup(target).File == hosts.HeadersFile }
	return a == b || a == headers.TargetPortable && readsPortable(b) || b == headers.TargetPortable && readsPortable(a)
}
