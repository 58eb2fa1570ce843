package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/published"
	"metarobots/internal/result"
	"metarobots/policy"
)

// VendorsAsOf is the day of the table of vendors.
func (v *view) VendorsAsOf() string { return policy.CrawlersAsOf() }

// vendorUse says what a vendor may do for a use, as a cell: "yes", or "yes: 3 files; no: 1 file" if
// not all files are alike. Where some of its crawlers may not, these are named.
func vendorUse(t result.VendorTable, use string) string {
	u, err := policy.ParseUse(use)
	c := t.Uses[u]
	if err != nil || c == nil {
		return "not documented"
	}
	total := c.Allowed + c.Denied + c.Unknown
	var parts []string
	say := func(files int, words string) {
		switch {
		case files == total:
			parts = append(parts, words)
		case files > 0:
			parts = append(parts, words+": "+number(files, "file"))
		}
	}
	say(c.Allowed-filesOf(c.Partly), "yes")
	for _, p := range c.Partly {
		say(p.Files, "yes, but not by "+names(p.Denied))
	}
	say(c.Denied-c.MayIgnore, "no")
	say(c.MayIgnore, "no, "+linked("may ignore it", c.Source))
	say(c.Unknown, "unknown: told no, "+linked("documents nothing", c.Source))
	return strings.Join(parts, "; ")
}

// filesOf is how many files a vendor may use in part.
func filesOf(partly []result.PartlyAllowed) (files int) {
	for _, p := range partly {
		files += p.Files
	}
	return files
}

// linked is words as a link to the source of a use, if the table of vendors has that source.
func linked(words, source string) string {
	if !documents(source) {
		return words
	}
	return "[" + words + "](" + source + ")"
}

// documents reports whether a URL is one of the table of vendors: reports link to no other.
func documents(url string) bool {
	return slices.ContainsFunc(policy.AllCrawlers(), func(c *policy.Crawler) bool {
		return slices.ContainsFunc(c.Uses, func(u policy.DocumentedUse) bool { return u.Source == url })
	})
}

// signalPlace says where a signal is: in a file, or with the URL itself.
func signalPlace(s published.Signal) string {
	return cmp.Or(policy.Place(s.File, s.Line), "its header or tag")
}

// A vendorLine is a line of robots.txt, a header or a tag that decides what some vendors do.
type vendorLine struct {
	By, Where string
	Vendors   []string // each once
	Files     int      // the most of any vendor and use
}

// VendorLines are the lines that decide what vendors do, each once, in the order of the vendors.
func (v *view) VendorLines() (lines []*vendorLine) {
	known := map[result.VendorCause]*vendorLine{}
	for _, t := range v.Data.Vendors {
		for _, cause := range causesOf(t) {
			files := cause.Files
			cause.Files = 0 // the same line has another number for another vendor
			l := known[cause]
			if l == nil {
				l = &vendorLine{By: cause.By, Where: v.placeOf(cause)}
				known[cause], lines = l, append(lines, l)
			}
			l.Files = max(l.Files, files)
			if !slices.Contains(l.Vendors, t.Vendor) {
				l.Vendors = append(l.Vendors, t.Vendor)
			}
		}
	}
	return lines
}

// causesOf are what decides on the uses of a vendor, in the order of the uses.
func causesOf(t result.VendorTable) (causes []result.VendorCause) {
	for _, use := range policy.Uses {
		if c := t.Uses[use]; c != nil {
			causes = append(causes, c.By...)
		}
	}
	return causes
}

// placeOf is the place of what decides: to a client the number of the line, without the name of the
// file.
func (v *view) placeOf(cause result.VendorCause) string {
	if v.Data.Client && cause.Line > 0 {
		return fmt.Sprintf("robots.txt, line %d", cause.Line)
	}
	return policy.Place(cause.File, cause.Line)
}
