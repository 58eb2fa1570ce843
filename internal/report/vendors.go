package report

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// VendorsAsOf is the day of the table of vendors.
func (v *view) VendorsAsOf() string { return policy.CrawlersAsOf() }

// vendorUse says what a vendor may do for a use, for a table's cell; files are counted where not all are alike.
func vendorUse(t result.VendorTable, use string) string {
	u, err := policy.ParseUse(use)
	c := t.Uses[u]
	if err != nil || c == nil {
		return "not documented"
	}
	total := c.Allowed + c.Denied + c.Unknown
	var parts []string
	add := func(n int, words string) {
		switch {
		case n == total:
			parts = append(parts, words)
		case n > 0:
			parts = append(parts, fmt.Sprintf("%s: %s", words, number(n, "file")))
		}
	}
	source := func(words string) string {
		if !documents(c.Source) {
			return words
		}
		return "[" + words + "](" + c.Source + ")"
	}
	add(c.Allowed, "yes")
	add(c.Denied-c.MayIgnore, "no")
	add(c.MayIgnore, "no, "+source("may ignore it"))
	add(c.Unknown, "unknown: told no, "+source("documents nothing"))
	return strings.Join(parts, "; ")
}

// documents reports whether a URL is one of the table of vendors: reports link to no other.
func documents(url string) bool {
	return slices.ContainsFunc(policy.AllCrawlers(), func(c *policy.Crawler) bool {
		return slices.ContainsFunc(c.Uses, func(u policy.DocumentedUse) bool { return u.Source == url })
	})
}

// A vendorLine is what decides for some vendors.
type vendorLine struct {
	By, Where string
	Vendors   []string
	Files     int // the most of any vendor
}

// VendorLines are the lines of robots.txt, headers and tags that decide what vendors do.
func (v *view) VendorLines() (lines []vendorLine) {
	type of struct {
		by     result.VendorCause
		vendor string
	}
	var all []of
	for _, t := range v.Data.Vendors {
		for _, u := range policy.Uses {
			if c := t.Uses[u]; c != nil {
				for _, by := range c.By {
					all = append(all, of{by, t.Vendor})
				}
			}
		}
	}
	line := func(o of) string { return o.by.By + "\x00" + policy.Place(o.by.File, o.by.Line) }
	for _, same := range snapshot.Group(all, line) {
		by := same[0].by
		l := vendorLine{By: by.By, Where: policy.Place(by.File, by.Line)}
		if v.Data.Client && by.Line > 0 {
			l.Where = fmt.Sprintf("robots.txt, line %d", by.Line)
		}
		for _, o := range same {
			l.Files = max(l.Files, o.by.Files)
			if !slices.Contains(l.Vendors, o.vendor) {
				l.Vendors = append(l.Vendors, o.vendor)
			}
		}
		lines = append(lines, l)
	}
	return lines
}
