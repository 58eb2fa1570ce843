package result

import (
	"slices"
	"testing"

	"metarobots/internal/published"
	"metarobots/policy"
)

// I4f: where only some crawlers of a vendor may use files, the count of those that it may use says
// so, by crawler.
func TestHouse_WhatAVendorMayInPartIsCountedByCrawler(t *testing.T) {
	answer := func(crawler string, p policy.Preference) published.Answer {
		return published.Answer{Vendor: "Google", Crawler: crawler, Use: policy.UseInput, Answer: p.String()}
	}
	table := VendorTable{"Google", map[policy.Use]*UseCount{}}
	count := func(files int, extended policy.Preference) {
		table.count(policy.UseInput, &published.Tally{Files: files, Answers: []published.Answer{
			answer("Googlebot", policy.Allowed), answer("Google-Extended", extended)}})
	}
	count(1, policy.Denied)
	count(20, policy.Allowed)
	count(300, policy.Denied)
	c := table.Uses[policy.UseInput]
	if c.Allowed != 321 || c.Denied != 0 || len(c.Partly) != 1 || c.Partly[0].Files != 301 ||
		!slices.Equal(c.Partly[0].Allowed, []string{"Googlebot"}) ||
		!slices.Equal(c.Partly[0].Denied, []string{"Google-Extended"}) {
		t.Errorf("%+v", c)
	}
}

// I4: a file counts once for the line that decides on it, although the line keeps out two crawlers
// of the vendor.
func TestHouse_AFileCountsOnceForWhatDecides(t *testing.T) {
	denied := published.Answer{Vendor: "Google", Use: policy.UseInput, Answer: policy.Denied.String(), By: "Disallow: /",
		File: "robots.txt", Line: 2}
	other := denied
	other.Crawler, denied.Crawler = "Googlebot", "Google-Extended"
	third := other
	third.By, third.Line = "Disallow: /a", 3
	table := VendorTable{"Google", map[policy.Use]*UseCount{}}
	for range 2 {
		table.count(policy.UseInput, &published.Tally{Answers: []published.Answer{denied, other, third}, Files: 5})
	}
	c := table.Uses[policy.UseInput]
	if c.Denied != 10 || len(c.By) != 2 || c.By[0].Files != 10 || c.By[1].Files != 10 {
		t.Errorf("%+v", c)
	}
}
