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
// to every crawler, else by header files, each named by its target. It is nil if the file restricts
// nothing, and empty if nothing carries what it does.
func CarriedBy(s *Plan, pg *Page) []string {
	isOthersRestriction := func(l headerfile.Line) bool { return !l.Found && !l.Lost && l.Restricts() }
	restricts, untagged := len(pg.Header()) > 0, pg.Decision.Untagged()
	isForTags := restricts && pg.TakesTags() && (len(untagged) == 0 || pg.Decision.Generic.Restricts())
	isForHeader := restricts && (!pg.TakesTags() || len(untagged) > 0) ||
		slices.ContainsFunc(pg.Others, isOthersRestriction)
	if !isForTags && !isForHeader {
		return nil
	}
	by := []string{}
	for _, h := range s.Headers {
		if isForHeader && h.Carries(pg.File.Name) && !slices.Contains(by, h.Target) {
			by = append(by, h.Target)
		}
	}
	if isForTags {
		by = append(by, ByTag)
	}
	slices.Sort(by)
	return by
}

// SharesHost reports whether a host that one target of header files names reads the file of another
// target: [headers.TargetPortable] is for several hosts.
func SharesHost(a, b string) bool {
	readsPortable := func(target string) bool { return hosts.Lookup(target).File == hosts.HeadersFile }
	return a == b || a == headers.TargetPortable && readsPortable(b) || b == headers.TargetPortable && readsPortable(a)
}
